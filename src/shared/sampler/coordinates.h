// From coordinates to texels: fixed point, address modes, and the faces of a cube. PRM: Gen8 vol 7 "Texture Address
// Control Modes", "Cube Surfaces". Only the files of the sampling engine include this.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "state/sampler.h"

namespace vitro::shared {

// Texel coordinates have eight bits behind the point.
inline constexpr int fraction_bits = 8;
inline constexpr float fraction_one = 1 << fraction_bits;

// Truncated, or rounded to nearest; what is no number is zero, what is too large stays large.
inline int32_t to_fixed(float x, bool rounded) {
  const float scaled = x * fraction_one + (rounded ? 0.5f : 0.0f);
  if (!(std::fabs(scaled) < 0x1p30f)) return std::isnan(scaled) ? 0 : scaled > 0 ? 1 << 30 : -(1 << 30);
  const auto towards_zero = int32_t(scaled);
  return towards_zero - (float(towards_zero) > scaled);
}

// The texel that coordinate i stands for on an axis of n texels; -1: the border.
inline int32_t address_texel(state::AddressMode mode, int32_t i, int32_t n) {
  switch (mode) {
    case state::AddressMode::wrap: {
      const int32_t m = i % n;
      return m < 0 ? m + n : m;
    }
    case state::AddressMode::mirror: {
      int32_t m = i % (2 * n);
      if (m < 0) m += 2 * n;
      return m < n ? m : 2 * n - 1 - m;
    }
    case state::AddressMode::mirror_once: return std::min(i < 0 ? -1 - i : i, n - 1);
    case state::AddressMode::clamp_border:
    case state::AddressMode::half_border: return i < 0 || i >= n ? -1 : i;
    case state::AddressMode::clamp:
    case state::AddressMode::cube: break;
  }
  return std::clamp(i, 0, n - 1);
}

// One axis of a footprint: one texel, or two with the second one's weight in 1/256.
struct Axis {
  std::array<int32_t, 2> texel{};
  uint32_t weight = 0;
};

// `x` in texels. Half border stops half a texel outside of the surface.
inline Axis footprint_axis(float x, int32_t n, bool linear, bool rounded, int32_t offset, state::AddressMode mode) {
  if (mode == state::AddressMode::half_border) {
    x = std::clamp(x, 0.0f, float(n));
    if (!linear) mode = state::AddressMode::clamp;
  }
  int32_t fixed = to_fixed(x, rounded);
  if (!linear) return {{address_texel(mode, (fixed >> fraction_bits) + offset, n), 0}, 0};
  fixed -= 1 << (fraction_bits - 1);
  const int32_t i = (fixed >> fraction_bits) + offset;
  return {{address_texel(mode, i, n), address_texel(mode, i + 1, n)}, uint32_t(fixed & ((1 << fraction_bits) - 1))};
}

// --- cubes: faces are +x, -x, +y, -y, +z, -z

struct FacePoint {
  unsigned face = 0;
  float s = 0, t = 0;  // -1 .. 1
};
inline FacePoint face_point(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay) return z >= 0 ? FacePoint{4, x / az, -y / az} : FacePoint{5, -x / az, -y / az};
  if (ay >= ax) return y >= 0 ? FacePoint{2, x / ay, z / ay} : FacePoint{3, x / ay, -z / ay};
  return x >= 0 ? FacePoint{0, -z / ax, -y / ax} : FacePoint{1, z / ax, -y / ax};
}
// The direction of a point of a face; also of one beside it.
inline std::array<float, 3> face_direction(const FacePoint& p) {
  switch (p.face) {
    case 0: return {1, -p.t, -p.s};
    case 1: return {-1, -p.t, p.s};
    case 2: return {p.s, 1, p.t};
    case 3: return {p.s, -1, -p.t};
    case 4: return {p.s, -p.t, 1};
    default: return {-p.s, -p.t, -1};
  }
}

}  // namespace vitro::shared
