// Block messages: one offset for the whole message (two for dual blocks), and rows of OWords or HWords that go to
// registers as they stand in memory. PRM: Gen8 vol 2a MSD0*_OWB, MSD0R_OWUB, MSD0*_OWDB, MSD0*_HWB (scratch),
// MSD1*_A64_OWB, _OWUB, _OWDB, _HWB, MSD_CC_OWB, MSD_CC_OWUB, MSD_MEMFENCE; Gen6 vol 4 part 1 "OWord Block Read/Write".
//
// Channels enable the dwords of aligned and dual blocks: bits 7:0 those of the even registers, 15:8 those of the odd
// ones; of a message sent with fewer channels, they repeat. A read returns an OWord if any of its four is enabled.
//     exec size 8, channels 0x0F, 4 OWords: the low half of both registers
// Unaligned and A64 blocks ask only whether any channel is enabled.
// Not modelled: the bound of scratch accesses in M0.3, since compilers leave garbage there for other stateless blocks.
#include <atomic>

#include "shared/dataport/lanes.h"

namespace vitro::shared {
namespace {

constexpr unsigned oword = 16, max_block = 256;
using Bytes = std::array<std::byte, max_block>;

// The enables of all sixteen channels, as the block's registers see them.
uint32_t enables(const DataPortCall& c) {
  uint32_t m = c.channels & uint32_t(ones(int(std::min(c.exec_size, 16u))));
  for (unsigned n = c.exec_size; n < 16; n *= 2) m |= m << n;
  return m & 0xFFFF;
}
// Of four dwords, all are enabled if one is.
uint32_t any_of_four(uint32_t m) {
  m |= m >> 2, m |= m >> 1;
  return (m & 0x1111) * 15;
}
// Whether dword d of the registers is enabled.
bool enabled(uint32_t enables, unsigned d) { return enables >> (d % 16) & 1; }

void read(DataPortCall& c, const Target& t, uint64_t offset, unsigned bytes, std::byte* to) {
  if (!t.slm && inside(t, offset, bytes) == bytes)
    if (const std::byte* p = c.memory().at(t.base + offset, bytes, memory::Access::read)) {
      std::memcpy(to, p, bytes);
      return;
    }
  read_bytes(c.memory(), t, offset, {to, bytes});
}
// Dword by dword where not all are enabled; dword d of the block is dword first + d of the registers.
void write(DataPortCall& c, const Target& t, uint64_t offset, unsigned bytes, const std::byte* from, uint32_t enables,
           unsigned first) {
  if (enables == 0xFFFF) {
    write_bytes(c.memory(), t, offset, {from, bytes});
    return;
  }
  for (unsigned d = 0; d < bytes / 4; ++d)
    if (enabled(enables, first + d)) write_bytes(c.memory(), t, offset + 4 * d, {from + 4 * d, 4});
}
void respond(DataPortCall& c, const std::byte* data, uint32_t enables) {
  const isa::MessageShape& s = c.shape;
  if (enables == 0xFFFF) {
    std::memcpy(c.out(0) + s.at, data, s.bytes);
    return;
  }
  for (unsigned d = 0; d < s.bytes / 4u; ++d)
    if (enabled(enables, s.at / 4u + d)) std::memcpy(c.out(0) + s.at + 4 * d, data + 4 * d, 4);
}

uint32_t enables_of(const DataPortCall& c) {
  switch (c.shape.enables) {
    case isa::BlockEnables::dwords: return enables(c);
    case isa::BlockEnables::owords: return any_of_four(enables(c));
    default: return c.channels ? 0xFFFF : 0;
  }
}

// What a dword of the header says, or an address from it on; scratch has its place in the descriptor.
uint64_t offset_of(const DataPortCall& c, const Target& t, unsigned dword) {
  const isa::MessageShape& s = c.shape;
  if (s.place == s.no_place) return s.distance + t.added;
  const uint64_t low = c.header_dword(dword);
  return place_of(s, t, s.wide() ? uint64_t(c.header_dword(dword + 1)) << 32 | low : low);
}

// --- dual blocks: block 0 in the low halves of the registers, block 1 in the high ones

using Pair = std::array<uint64_t, 2>;
// A64 has both places in the header, the others have theirs at the beginning of both halves of a register.
Pair dual_places(const DataPortCall& c, const Target& t) {
  if (c.shape.wide()) return {offset_of(c, t, 0), offset_of(c, t, 2)};
  const uint32_t global = c.header_dword(2);
  return {place_of(c.shape, t, c.dword(c.body(), 0) + global), place_of(c.shape, t, c.dword(c.body(), 4) + global)};
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::block_read>(DataPortCall& c) {
  const uint32_t enables = enables_of(c);
  if (enables && c.answers()) {
    const Target t = target_of(c);
    Bytes data;
    read(c, t, offset_of(c, t, c.shape.place), c.shape.bytes, data.data());
    respond(c, data.data(), enables);
  }
  return c.done();
}
template <>
eu::Reply act<isa::MessageAction::block_write>(DataPortCall& c) {
  if (const uint32_t enables = enables_of(c)) {
    const Target t = target_of(c);
    Bytes data;
    c.copy(c.body(), c.shape.block_registers(), data.data());
    write(c, t, offset_of(c, t, c.shape.place), c.shape.bytes, data.data() + c.shape.at, enables, c.shape.at / 4u);
  }
  return c.done();
}

template <>
eu::Reply act<isa::MessageAction::dual_block_read>(DataPortCall& c) {
  const unsigned count = c.shape.bytes / oword;
  if (!c.answers()) return c.done();
  const Target t = target_of(c);
  const Pair places = dual_places(c, t);
  const uint32_t m = enables(c);
  for (unsigned b = 0; b < 2; ++b) {
    if ((m >> (4 * b) & 15) == 0) continue;
    Bytes data;
    read(c, t, places[b], c.shape.bytes, data.data());
    for (unsigned d = 0; d < count * 4; ++d)
      if (enabled(m, 4 * b + d % 4)) std::memcpy(c.out(d / 4) + (4 * b + d % 4) * 4, data.data() + 4 * d, 4);
  }
  return c.done();
}
template <>
eu::Reply act<isa::MessageAction::dual_block_write>(DataPortCall& c) {
  const unsigned count = c.shape.bytes / oword, n = c.body() + (c.shape.wide() ? 0 : 1);
  const Target t = target_of(c);
  const Pair places = dual_places(c, t);
  const uint32_t m = enables(c);
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned d = 0; d < count * 4; ++d)
      if (enabled(m, 4 * b + d % 4))
        write_bytes(c.memory(), t, places[b] + 4 * d, {c.reg(n + d / 4) + (4 * b + d % 4) * 4, 4});
  return c.done();
}

// Messages are carried out at once and host memory is coherent between host threads once they meet at a lock; a fence
// orders what one thread of the group did before a flag that another host thread polls.
template <>
eu::Reply act<isa::MessageAction::memory_fence>(DataPortCall& c) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return c.done();
}

}  // namespace vitro::shared
