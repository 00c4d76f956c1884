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

#include "shared/dataport/descriptor.h"
#include "shared/dataport/lanes.h"
#include "shared/dataport/messages.h"

namespace vitro::shared {
namespace {

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
void respond(DataPortCall& c, const Block& b, const std::byte* data, uint32_t enables) {
  if (enables == 0xFFFF) {
    std::memcpy(c.out(0) + b.at, data, b.bytes);
    return;
  }
  for (unsigned d = 0; d < b.bytes / 4; ++d)
    if (enabled(enables, b.at / 4 + d)) std::memcpy(c.out(0) + b.at + 4 * d, data + 4 * d, 4);
}

eu::Reply read_block(DataPortCall& c, const Target& t, uint64_t offset, const Block& b, uint32_t enables) {
  if (!c.has(0, b.registers())) return eu::Reply::faulted;
  if (enables && c.answers()) {
    Bytes data;
    read(c, t, offset, b.bytes, data.data());
    respond(c, b, data.data(), enables);
  }
  return c.done();
}
eu::Reply write_block(DataPortCall& c, const Target& t, uint64_t offset, const Block& b, uint32_t enables) {
  if (!c.has(c.body() + b.registers())) return eu::Reply::faulted;
  if (enables) {
    Bytes data;
    c.copy(c.body(), b.registers(), data.data());
    write(c, t, offset, b.bytes, data.data() + b.at, enables, b.at / 4);
  }
  return c.done();
}
uint32_t all_or_none(const DataPortCall& c) { return c.channels ? 0xFFFF : 0; }

const Block* oword_block(DataPortCall& c) {
  const uint32_t code = c.field(oword_blocks);
  if (code < owords.size()) return &owords[code];
  c.fault("unsupported: reserved block size");
  return nullptr;
}
// Of a block whose global offset counts OWords.
uint64_t oword_offset(const DataPortCall& c, const Target& t) { return t.at(uint64_t(c.header_dword(2)) * oword); }

uint64_t address(const DataPortCall& c, unsigned dword = 0) {
  return uint64_t(c.header_dword(dword + 1)) << 32 | c.header_dword(dword);
}

// --- dual blocks: block 0 in the low halves of the registers, block 1 in the high ones

bool dual(DataPortCall& c, unsigned& count) {
  static constexpr std::array<uint8_t, 4> counts{1, 0, 4, 0};
  count = counts[c.field(dual_blocks)];
  if (count == 0) c.fault("unsupported: reserved block size");
  return count != 0;
}
using Pair = std::array<uint64_t, 2>;
eu::Reply read_dual(DataPortCall& c, const Target& t, const Pair& offsets, unsigned count) {
  if (!c.has(0, count)) return eu::Reply::faulted;
  if (!c.answers()) return c.done();
  const uint32_t m = enables(c);
  for (unsigned b = 0; b < 2; ++b) {
    if ((m >> (4 * b) & 15) == 0) continue;
    Bytes data;
    read(c, t, offsets[b], count * oword, data.data());
    for (unsigned d = 0; d < count * 4; ++d)
      if (enabled(m, 4 * b + d % 4)) std::memcpy(c.out(d / 4) + (4 * b + d % 4) * 4, data.data() + 4 * d, 4);
  }
  return c.done();
}
eu::Reply write_dual(DataPortCall& c, const Target& t, const Pair& offsets, unsigned count, unsigned n) {
  if (!c.has(n + count)) return eu::Reply::faulted;
  const uint32_t m = enables(c);
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned d = 0; d < count * 4; ++d)
      if (enabled(m, 4 * b + d % 4))
        write_bytes(c.memory(), t, offsets[b] + 4 * d, {c.reg(n + d / 4) + (4 * b + d % 4) * 4, 4});
  return c.done();
}
Pair dual_offsets(const DataPortCall& c, const Target& t) {
  const uint32_t global = c.header_dword(2);
  return {t.at(uint64_t(c.dword(c.body(), 0) + global) * oword), t.at(uint64_t(c.dword(c.body(), 4) + global) * oword)};
}

// --- scratch: relative to the thread's part of the general state, in HWords

Target scratch(const DataPortCall& c) {
  const state::Base& g = c.environment().bases.general;
  return {g.address, g.bytes & ~3ull, nullptr, c.header_dword(5) & scratch_base};
}
uint64_t scratch_at(const DataPortCall& c, const Target& t) { return t.at(uint64_t(c.field(scratch_offset)) * hword); }
uint32_t scratch_enables(const DataPortCall& c) {
  return c.field(scratch_dwords) ? enables(c) : any_of_four(enables(c));
}

}  // namespace

eu::Reply oword_block_read(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b) return eu::Reply::faulted;
  const Target t = target_of(c, scratch_base);
  return read_block(c, t, oword_offset(c, t), *b, any_of_four(enables(c)));
}
eu::Reply oword_block_write(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b) return eu::Reply::faulted;
  const Target t = target_of(c, scratch_base);
  return write_block(c, t, oword_offset(c, t), *b, enables(c));
}
eu::Reply unaligned_oword_block_read(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b) return eu::Reply::faulted;
  const Target t = target_of(c, scratch_base);
  return read_block(c, t, t.at(c.header_dword(2) & ~3u), *b, all_or_none(c));
}

eu::Reply oword_dual_block_read(DataPortCall& c) {
  unsigned count;
  if (!dual(c, count) || !c.has(c.body() + 1)) return eu::Reply::faulted;
  const Target t = target_of(c, scratch_base);
  return read_dual(c, t, dual_offsets(c, t), count);
}
eu::Reply oword_dual_block_write(DataPortCall& c) {
  unsigned count;
  if (!dual(c, count) || !c.has(c.body() + 1)) return eu::Reply::faulted;
  const Target t = target_of(c, scratch_base);
  return write_dual(c, t, dual_offsets(c, t), count, c.body() + 1);
}

eu::Reply scratch_block_read(DataPortCall& c) {
  const Target t = scratch(c);
  return read_block(c, t, scratch_at(c, t), {hword << c.field(scratch_blocks)}, scratch_enables(c));
}
eu::Reply scratch_block_write(DataPortCall& c) {
  const Target t = scratch(c);
  return write_block(c, t, scratch_at(c, t), {hword << c.field(scratch_blocks)}, scratch_enables(c));
}

eu::Reply a64_oword_block_read(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b || !c.has(1)) return eu::Reply::faulted;
  return read_block(c, whole_memory, address(c) & ~15ull, *b, all_or_none(c));
}
eu::Reply a64_oword_block_write(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b) return eu::Reply::faulted;
  return write_block(c, whole_memory, address(c) & ~15ull, *b, all_or_none(c));
}
eu::Reply a64_unaligned_oword_block_read(DataPortCall& c) {
  const Block* b = oword_block(c);
  if (!b || !c.has(1)) return eu::Reply::faulted;
  return read_block(c, whole_memory, address(c) & ~3ull, *b, all_or_none(c));
}
eu::Reply a64_oword_dual_block_read(DataPortCall& c) {
  unsigned count;
  if (!dual(c, count) || !c.has(1)) return eu::Reply::faulted;
  return read_dual(c, whole_memory, {address(c) & ~15ull, address(c, 2) & ~15ull}, count);
}
eu::Reply a64_oword_dual_block_write(DataPortCall& c) {
  unsigned count;
  if (!dual(c, count)) return eu::Reply::faulted;
  return write_dual(c, whole_memory, {address(c) & ~15ull, address(c, 2) & ~15ull}, count, c.body());
}
eu::Reply a64_hword_block_read(DataPortCall& c) {
  const uint32_t size = c.field(hword_blocks);
  if (size > 3) return c.fault("unsupported: reserved block size");
  if (!c.has(1)) return eu::Reply::faulted;
  return read_block(c, whole_memory, address(c) & ~31ull, {hword << size}, all_or_none(c));
}
eu::Reply a64_hword_block_write(DataPortCall& c) {
  const uint32_t size = c.field(hword_blocks);
  if (size > 3) return c.fault("unsupported: reserved block size");
  return write_block(c, whole_memory, address(c) & ~31ull, {hword << size}, all_or_none(c));
}

// Messages are carried out at once and host memory is coherent between host threads once they meet at a lock; a fence
// orders what one thread of the group did before a flag that another host thread polls.
eu::Reply memory_fence(DataPortCall& c) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return c.done();
}

}  // namespace vitro::shared
