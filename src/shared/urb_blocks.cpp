// The URB messages of Gen8 and Gen9: blocks of OWords and HWords of one or two entries, dwords of eight entries, and
// atomics. PRM: Gen8 vol 2a MSD_UW_HWDB, MSD_UW_OWB, MSD_UW_OWDB, MSD_UR_HWDB, MSD_UR_OWDB; what that volume lacks
// (headers, SIMD8, atomics) as the compilers of Mesa and Intel emit it and, for the atomics, as docs/decisions says.
// There is no Complete bit: the end of the thread completes its entries.
#include <bit>

#include "shared/dataport/atomics.h"
#include "shared/urb_call.h"

namespace vitro::shared {
namespace {

using eu::Reply;
using Role = isa::FieldRole;

// Only the end of a thread means something to its owner.
Reply finish(UrbCall& c, const std::array<UrbHandle, 8>& handles, unsigned count) {
  if (!c.message.eot) return Reply::done;
  UrbSnoop s;
  s.complete = s.eot = true;
  s.handles = handles;
  s.handle_count = uint8_t(count);
  return c.finish(s);
}

// --- blocks. Header: M0.0 and M0.1 handles, M0.3 and M0.4 their offsets, M0.5[15:8] a mask that narrows the channel
// enables. A register of data holds 4 dwords of each of two entries (interleaved), or 8 of one; an OWord message has
// room for one OWord of each entry.
Reply block(UrbCall& c, bool reads) {
  const bool oword = c.decoded.shape.unit == 16, interleaved = c.field(Role::swizzle);
  const unsigned entries = interleaved ? 2 : 1;
  const unsigned data = reads ? c.response_registers() : c.registers() - 1;
  if (oword && data > 1) return c.fault("one register of data, not {}", data);
  if (reads && c.registers() != 1) return c.fault("a read has one register of payload, not {}", c.registers());
  const unsigned per_entry = interleaved || oword ? 4 : 8;  // dwords a register
  unsigned enabled = c.channels() & c.dword(0, 5) >> 8 & 0xFF;
  if (per_entry * entries < 8) enabled &= 15;

  std::array<UrbHandle, 8> handles{};
  uint32_t* at[2] = {};
  for (unsigned e = 0; e < entries; ++e) {
    handles[e].handle = uint16_t(c.handle(c.dword(0, e)));
    if (data == 0 || !(enabled >> per_entry * e & ((1u << per_entry) - 1))) continue;
    uint64_t offset = c.offset();
    if (c.field(Role::slot_offsets)) offset += c.dword(0, 3 + e);
    at[e] = c.window(handles[e].handle, offset * c.offset_dw(), data * per_entry, reads);
    if (!at[e]) return Reply::faulted;
  }
  for (unsigned n = 0; n < data; ++n)
    for (unsigned j = 0; j < reg_dw; ++j) {
      if (!(enabled >> j & 1)) continue;
      uint32_t& dw = at[j / per_entry][n * per_entry + j % per_entry];
      if (reads)
        c.respond(n, j, dw);
      else
        dw = c.dword(1 + n, j);
    }
  return finish(c, handles, entries);
}

// --- SIMD8: M0 holds a handle for each channel; then, where the descriptor says so, a register of offsets and one of
// masks; then one register for each dword, 1 to 8 of them.
constexpr unsigned simd8_dwords = 8;

struct Slots {
  unsigned data;                       // first register of data
  std::array<UrbHandle, 8> handles{};  // of the enabled channels, one after the other
  unsigned handle_count = 0;
  std::array<uint8_t, 8> mask{};
  std::array<uint32_t*, 8> at{};
};

// Finds the entries of the enabled channels, `count` dwords in each.
bool find_slots(UrbCall& c, Slots& s, unsigned count, unsigned masks_at, bool reads) {
  const bool offsets = c.field(Role::slot_offsets);
  for (unsigned n = 0; n < 8; ++n) {
    if (!(c.channels() >> n & 1)) continue;
    const uint32_t handle = c.handle(c.dword(0, n));
    s.handles[s.handle_count++].handle = uint16_t(handle);
    s.mask[n] = uint8_t(ones(int(count)));
    if (masks_at) s.mask[n] &= uint8_t(c.dword(masks_at, n) >> 16);
    if (!s.mask[n]) continue;
    const uint64_t offset = uint64_t(c.offset()) + (offsets ? c.dword(1, n) : 0);
    s.at[n] = c.window(handle, offset * c.offset_dw(), unsigned(std::bit_width(s.mask[n])), reads);
    if (!s.at[n]) return false;
  }
  return true;
}

}  // namespace

template <>
Reply act<isa::MessageAction::urb_simd8_write>(UrbCall& c) {
  Slots s;
  s.data = 1u + c.field(Role::slot_offsets);
  const unsigned masks_at = c.field(Role::slot_masks) ? s.data++ : 0;
  if (c.registers() < s.data || c.registers() > s.data + simd8_dwords)
    return c.fault("{} to {} registers of payload, not {}", s.data, s.data + simd8_dwords, c.registers());
  const unsigned count = c.registers() - s.data;
  if (!find_slots(c, s, count, masks_at, false)) return Reply::faulted;
  for (unsigned n = 0; n < 8; ++n)
    for (unsigned j = 0; s.at[n] && j < count; ++j)
      if (s.mask[n] >> j & 1) s.at[n][j] = c.dword(s.data + j, n);
  return finish(c, s.handles, s.handle_count);
}

template <>
Reply act<isa::MessageAction::urb_simd8_read>(UrbCall& c) {
  Slots s;
  s.data = 1u + c.field(Role::slot_offsets);
  const unsigned count = c.response_registers();
  if (c.registers() != s.data) return c.fault("{} registers of payload, not {}", s.data, c.registers());
  if (count > simd8_dwords) return c.fault("at most {} dwords for each channel, not {}", simd8_dwords, count);
  if (!find_slots(c, s, count, 0, true)) return Reply::faulted;
  for (unsigned n = 0; n < 8; ++n)
    for (unsigned j = 0; s.at[n] && j < count; ++j) c.respond(j, n, s.at[n][j]);
  return finish(c, s.handles, s.handle_count);
}

template <>
Reply act<isa::MessageAction::urb_block_write>(UrbCall& c) {
  return block(c, false);
}
template <>
Reply act<isa::MessageAction::urb_block_read>(UrbCall& c) {
  return block(c, true);
}

// One dword of the entry of M0.0, the operand in M1.0, the old value in W0.0.
template <>
Reply act<isa::MessageAction::urb_atomic>(UrbCall& c) {
  const unsigned operands = c.decoded.shape.given();
  if (c.registers() != 1 + operands) return c.fault("{} registers of payload, not {}", 1 + operands, c.registers());
  std::array<UrbHandle, 8> handles{};
  handles[0].handle = uint16_t(c.handle(c.dword(0, 0)));
  if (c.channels() & 1) {
    uint32_t* at = c.window(handles[0].handle, uint64_t(c.offset()) * c.offset_dw(), 1);
    if (!at) return Reply::faulted;
    const uint32_t old =
        atomic_dword(c.decoded.shape.operation, reinterpret_cast<std::byte*>(at), operands ? c.dword(1, 0) : 0, 0);
    if (c.response_registers()) c.respond(0, 0, old);
  }
  return finish(c, handles, 1);
}

constexpr UrbLayout urb_gen8{.messages = isa::messages_gen8, .handle_dw = 16};

}  // namespace vitro::shared
