// Bit fields of hardware words: the numbering of the PRMs ("127:96"), inclusive at both ends.
// No part of the machine; everything that decodes or encodes stands on this.
#pragma once

#include <cstdint>

namespace vitro {

// A field `hi:lo` of a word of up to 128 bits. Absent fields have hi < lo.
struct Bits {
  uint8_t hi = 0, lo = 1;
  constexpr bool present() const { return hi >= lo; }
  constexpr int width() const { return hi - lo + 1; }
  bool operator==(const Bits&) const = default;
};
inline constexpr Bits no_bits{};

// The same field `by` bits further up.
constexpr Bits operator+(Bits b, int by) { return {uint8_t(b.hi + by), uint8_t(b.lo + by)}; }

// How many bits are set. In place: hosts of the first kind have no instruction for it, and std::popcount is a call.
constexpr unsigned count_ones(uint32_t v) {
  v -= v >> 1 & 0x55555555;
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  return ((v + (v >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

constexpr uint64_t ones(int width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

struct Word128 {
  uint64_t lo = 0, hi = 0;
  bool operator==(const Word128&) const = default;
  constexpr explicit operator bool() const { return (lo | hi) != 0; }
  constexpr Word128 operator~() const { return {~lo, ~hi}; }
  friend constexpr Word128 operator&(Word128 a, Word128 b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend constexpr Word128 operator|(Word128 a, Word128 b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend constexpr Word128 operator^(Word128 a, Word128 b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  constexpr Word128& operator|=(Word128 b) { return *this = *this | b; }
  constexpr Word128& operator&=(Word128 b) { return *this = *this & b; }
  constexpr Word128& operator^=(Word128 b) { return *this = *this ^ b; }
};

// Value of the field; at most 64 bits wide, may cross the middle of the word.
constexpr uint64_t extract(const Word128& w, Bits b) {
  if (!b.present()) return 0;
  const uint64_t m = ones(b.width());
  if (b.lo >= 64) return w.hi >> (b.lo - 64) & m;
  if (b.hi < 64) return w.lo >> b.lo & m;
  return (w.lo >> b.lo | w.hi << (64 - b.lo)) & m;
}

constexpr Word128 mask(Bits b) {
  if (!b.present()) return {};
  const uint64_t m = ones(b.width());
  if (b.lo >= 64) return {0, m << (b.lo - 64)};
  if (b.hi < 64) return {m << b.lo, 0};
  return {m << b.lo, m >> (64 - b.lo)};
}

constexpr void deposit(Word128& w, Bits b, uint64_t value) {
  if (!b.present()) return;
  value &= ones(b.width());
  w &= ~mask(b);
  if (b.lo >= 64)
    w.hi |= value << (b.lo - 64);
  else if (b.hi < 64)
    w.lo |= value << b.lo;
  else
    w |= Word128{value << b.lo, value >> (64 - b.lo)};
}

constexpr int64_t sign_extend(uint64_t value, int width) {
  const int up = 64 - width;
  return int64_t(value << up) >> up;
}

}  // namespace vitro
