// The slots of a scattered data port message and what their offsets mean: offsets into a surface, into stateless
// memory or into shared local memory, within their bounds. PRM: Gen8 vol 7 "Data Port", bounds checking and address
// computation. Out of bounds is decided for each dword: what is read there is zero, what is written is dropped. Only
// the files of the data ports include this.
//
// The usual case is quick: all slots lie inside one mapped range, so one translation serves the whole message
// (`window`); else each slot goes its own way (`read_bytes`, `write_bytes`).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "shared/dataport/call.h"

namespace vitro::shared {

inline constexpr unsigned max_slots = 16;

// What offsets count from.
struct Target {
  uint64_t base = 0;         // address of offset 0
  uint64_t limit = 0;        // offsets from here on are out of bounds; a multiple of four
  std::byte* slm = nullptr;  // shared local memory instead of addresses
  uint32_t added = 0;        // to every offset: the buffer base of a stateless message
  uint64_t bits = ~0ull;     // of an offset that count

  uint64_t at(uint64_t offset) const { return (offset & bits) + added; }
};
// Shared local memory looks at 16 bits of an offset: IGC sets bit 28 in pointers to it, to tell them from others.
inline constexpr uint64_t slm_offset_bits = 0xFFFF;

// By the binding table index. `base_mask` are the bits of M0.5 that a stateless message adds.
inline Target target_of(const DataPortCall& c, uint32_t base_mask = ~0u) {
  const Environment& e = c.environment();
  if (c.stateless())
    return {e.bases.general.address, e.bases.general.bytes & ~3ull, nullptr, c.header_dword(5) & base_mask};
  if (c.slm()) return {0, e.slm.size() & ~size_t{3}, e.slm.data(), 0, slm_offset_bits};
  const state::Surface& s = c.surface();
  return {s.base, s.bytes() & ~3ull, nullptr};
}
inline constexpr Target whole_memory{0, ~3ull, nullptr};  // for messages with 64-bit addresses

struct Slots {
  std::array<uint64_t, max_slots> at{};  // offset or address of each
  uint32_t mask = 0;
  unsigned count = 8;

  bool all() const { return mask == uint32_t(ones(int(count))); }
  template <class Do>
  void each(Do&& run) const {
    for (uint32_t m = mask; m; m &= m - 1) run(unsigned(std::countr_zero(m)));
  }
};

// From 32-bit offsets, one for each slot, from register n on: the offset and a global one count units of bytes.
inline Slots slots_a32(const DataPortCall& c, unsigned n, unsigned count, uint32_t mask, const Target& t,
                       uint32_t global, unsigned unit) {
  Slots s{.mask = mask, .count = count};
  std::array<uint32_t, max_slots> raw;
  c.copy(n, count / 8, raw.data());
  for (unsigned i = 0; i < count; ++i) s.at[i] = t.at(uint64_t(raw[i] + global) * unit);
  return s;
}
// From 64-bit addresses, four in a register.
inline Slots slots_a64(const DataPortCall& c, unsigned n, unsigned count, uint32_t mask) {
  Slots s{.mask = mask, .count = count};
  c.copy(n, count / 4, s.at.data());
  return s;
}
// The two slots of a SIMD4x2 message; a slot takes part if one of its four channels does.
inline uint32_t slots_4x2(uint32_t channels) { return (channels & 0xF ? 1u : 0) | (channels & 0xF0 ? 2u : 0); }

// --- memory

// Host memory that holds every slot's `bytes`; a slot's are at `host + (offset - lowest)`.
struct Window {
  std::byte* host = nullptr;
  uint64_t lowest = 0;
  std::byte* operator()(uint64_t offset) const { return host + (offset - lowest); }
};
// Null host: not all in bounds, or not all in one range.
inline Window window(memory::View& memory, const Target& t, Slots& s, uint64_t bytes, memory::Access access) {
  if (s.mask == 0) return {};
  // Slots that are left out stand where another one stands, so that loops need not ask.
  if (!s.all()) {
    const uint64_t one = s.at[size_t(std::countr_zero(s.mask))];
    for (unsigned i = 0; i < s.count; ++i) s.at[i] = s.mask >> i & 1 ? s.at[i] : one;
  }
  uint64_t low = s.at[0], high = s.at[0];
  for (unsigned i = 1; i < s.count; ++i) low = std::min(low, s.at[i]), high = std::max(high, s.at[i]);
  if (high > t.limit || t.limit - high < bytes) return {};
  if (t.slm) return {t.slm, 0};
  return {memory.at(t.base + low, high - low + bytes, access), low};
}

// How many of `bytes` at an offset are in bounds.
inline size_t inside(const Target& t, uint64_t offset, size_t bytes) {
  return offset >= t.limit ? 0 : size_t(std::min<uint64_t>(bytes, t.limit - offset));
}
inline void read_bytes(memory::View& memory, const Target& t, uint64_t offset, std::span<std::byte> to) {
  const size_t n = inside(t, offset, to.size());
  if (t.slm)
    std::memcpy(to.data(), t.slm + offset, n);
  else if (n)
    memory.read(t.base + offset, to.first(n));
  if (n < to.size()) std::memset(to.data() + n, 0, to.size() - n);
}
inline void write_bytes(memory::View& memory, const Target& t, uint64_t offset, std::span<const std::byte> from) {
  const size_t n = inside(t, offset, from.size());
  if (t.slm && n)
    std::memcpy(t.slm + offset, from.data(), n);
  else if (n)
    memory.write(t.base + offset, from.first(n));
}

}  // namespace vitro::shared
