// The rules by which one channel of a texel is widened to a float and narrowed again, where lanes do not do it
// (texel.h): through doubles, or seldom. PRM: data port typed writes and render targets: round to nearest even, clamp
// to the range, NaN becomes zero in normalised formats; sRGB as IEC 61966-2-1. Callers make sure that the host rounds
// to nearest.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/bits.h"

namespace vitro::formats {

constexpr float unorm_to_float(uint32_t v, int width) { return float(double(v) / double(ones(width))); }
// The lowest code is one too many: it too means -1.
constexpr float snorm_to_float(uint32_t v, int width) {
  return float(std::max(double(sign_extend(v, width)) / double(ones(width - 1)), -1.0));
}
inline uint32_t float_to_unorm(float f, int width) {
  if (!(f > 0)) return 0;
  if (f >= 1) return uint32_t(ones(width));
  return uint32_t(std::nearbyint(double(f) * double(ones(width))));
}
inline uint32_t float_to_snorm(float f, int width) {
  if (std::isnan(f)) return 0;
  return uint32_t(uint64_t(int64_t(std::nearbyint(double(std::clamp(f, -1.0f, 1.0f)) * double(ones(width - 1))))) &
                  ones(width));
}
// Floats without a sign: five bits of exponent with bias 15, the rest mantissa. The widths are 10 and 11.
// Truncates, as the conversion of drivers does; too large becomes the largest finite one, below zero becomes zero.
constexpr uint32_t float_to_ufloat(float f, int width) {
  const int mantissa_bits = width - 5, drop = 23 - mantissa_bits;
  const uint32_t bits = std::bit_cast<uint32_t>(f), infinity = 31u << mantissa_bits;
  const uint32_t exponent = bits >> 23 & 255, mantissa = bits & 0x7FFFFF;
  if (exponent == 255 && mantissa) return infinity | 1;
  if (bits >> 31) return 0;
  if (exponent == 255) return infinity;
  if (exponent > 127 + 15) return infinity - 1;
  if (exponent >= 113) return (exponent - 112) << mantissa_bits | mantissa >> drop;
  const uint32_t shift = uint32_t(drop) + 113 - exponent;  // denormal
  return exponent == 0 || shift > 24 ? 0 : (mantissa | 0x800000) >> shift;
}

inline double srgb_to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
// Rounded once, from the curve in double.
inline uint32_t float_to_srgb(float c, int width) {
  if (!(c > 0)) return 0;
  if (c >= 1) return uint32_t(ones(width));
  const double curve = c <= 0.0031308f ? 12.92 * double(c) : 1.055 * std::pow(double(c), 1 / 2.4) - 0.055;
  return uint32_t(std::nearbyint(curve * double(ones(width))));
}

}  // namespace vitro::formats
