// Half floats (IEEE binary16) in software: exact widening, narrowing with round to nearest even.
#pragma once

#include <bit>
#include <cstdint>

#include "base/bits.h"

namespace vitro {

constexpr float half_to_float(uint16_t h) {
  const uint32_t sign = uint32_t(h >> 15) << 31, exponent = h >> 10 & 31, mantissa = h & 0x3FF;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = float(mantissa) * 0x1p-24f;  // zero and denormals, exact
  return sign ? -magnitude : magnitude;
}

// Rounds once, from the double's own bits; NaN keeps its quiet bit and the top of its payload.
constexpr uint16_t double_to_half(double d) {
  const uint64_t bits = std::bit_cast<uint64_t>(d);
  const uint16_t sign = uint16_t(bits >> 63 << 15);
  const int exponent = int(bits >> 52 & 0x7FF) - 1023;
  const uint64_t mantissa = bits & ones(52);
  if (exponent == 1024) {
    if (mantissa == 0) return sign | 0x7C00;
    const uint16_t payload = uint16_t(mantissa >> 42);
    return uint16_t(sign | 0x7C00 | (payload ? payload : 1));
  }
  if (exponent < -25) return sign;  // below half of the smallest denormal
  const uint64_t full = mantissa | (exponent == -1023 ? 0 : uint64_t{1} << 52);
  const int dropped = exponent >= -14 ? 42 : 42 + (-14 - exponent);
  const uint64_t kept = full >> dropped, rest = full & ones(dropped), middle = uint64_t{1} << (dropped - 1);
  uint64_t rounded = kept + (rest > middle || (rest == middle && (kept & 1)));
  if (exponent >= -14) rounded += uint64_t(exponent + 14) << 10;  // the implied one carries into the exponent
  return rounded >= 0x7C00 ? uint16_t(sign | 0x7C00) : uint16_t(sign | rounded);
}

}  // namespace vitro
