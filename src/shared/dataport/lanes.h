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
  uint64_t stride = 0;       // of a structured buffer, whose places are an index and an offset
};
// What a shape says of it, without what a header adds.
inline Target target_of(DataPort& port, uint32_t desc, const isa::MessageShape& s, uint32_t ex_desc = 0) {
  const Environment& e = port.environment;
  switch (s.space) {
    case isa::AddressSpace::addresses: return {0, ~3ull};
    case isa::AddressSpace::stateless: return {e.bases.general.address, e.bases.general.bytes & ~3ull};
    case isa::AddressSpace::slm: return {0, e.slm.size() & ~size_t{3}, e.slm.data()};
    default: break;
  }
  const state::Surface& surface = port.surfaces.of(s, desc, ex_desc).state;
  const bool structured = s.structured && surface.type == state::SurfaceType::structured_buffer;
  return {.base = surface.base, .limit = surface.bytes() & ~3ull, .stride = structured ? surface.pitch() : 0};
}
inline Target target_of(const DataPortCall& c) {
  Target t = target_of(c.port, c.desc, c.shape, c.ex_desc);
  if (c.shape.space == isa::AddressSpace::stateless)
    t.added = c.header_dword(5) & (c.shape.base_bits ? c.shape.base_bits : ~0u);
  return t;
}
// Where an offset, or an address, of the payload leads.
inline uint64_t place_of(const isa::MessageShape& s, const Target& t, uint64_t offset) {
  const uint64_t space = s.space == isa::AddressSpace::slm ? isa::MessageShape::slm_offset_bits : ~0ull;
  return ((offset * s.unit & space) + t.added) & ~uint64_t(s.align - 1);
}

struct Slots {
  std::array<uint64_t, max_slots> at{};  // offset or address of each
  uint32_t mask = 0;
  unsigned count = 8;
  unsigned data = 0;  // the register behind the places

  bool all() const { return mask == uint32_t(ones(int(count))); }
  template <class Do>
  void each(Do&& run) const {
    for (uint32_t m = mask; m; m &= m - 1) run(unsigned(std::countr_zero(m)));
  }
};
// The slots of a message, and their places: 32-bit offsets or 64-bit addresses, of SIMD4x2 each at the beginning of
// half a register. False: on a structured buffer the payload would have to be longer; the Fault is set.
inline bool find_slots(const DataPortCall& c, const Target& t, Slots& s) {
  const isa::MessageShape& shape = c.shape;
  const unsigned n = c.body(), registers = shape.place_registers(), twice = t.stride ? 2 : 1;
  s.count = shape.slots;
  s.mask = shape.pair() ? eu::slots_4x2(c.enabled(8)) : c.enabled(s.count);
  s.data = n + registers * (shape.pair() ? 1 : twice);
  if (twice == 2 && !c.has(s.data + shape.rows(shape.given()))) return false;
  const uint32_t global = shape.adds_header ? c.dword(0, 2) : 0;
  if (shape.wide() && !shape.pair()) {
    c.copy(n, registers, s.at.data());
    for (unsigned i = 0; i < s.count; ++i) s.at[i] = place_of(shape, t, s.at[i]);
    return true;
  }
  std::array<uint32_t, 2 * max_slots> raw;
  c.copy(n, s.data - n, raw.data());
  for (unsigned i = 0; i < s.count; ++i) {
    const uint32_t* const first = raw.data() + (shape.pair() ? 4 * i : i);
    const uint64_t place = shape.wide() ? uint64_t(first[1]) << 32 | first[0] : first[0] + global;
    s.at[i] = place_of(shape, t, t.stride ? place * t.stride + first[shape.pair() ? 1 : s.count] : place);
  }
  return true;
}

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
