// What the clip tests say of a vertex, as bits: written once for one vertex and for eights of them. PRM: as clip.h. A
// place is outside of a plane if its distance is not zero or more, so one that is no number is outside of all.
// Vectors are passed by reference (lanes/host.h).
#pragma once

#include <cstdint>

#include "pipeline/clip.h"

namespace vitro::pipeline {

struct ClipPlane {
  enum : unsigned { left, right, bottom, top, near, far, positive_w, user };
};
inline constexpr float least_w = 0x1p-100f;

// Bits of a vertex's code.
struct ClipCode {
  static constexpr uint32_t cut = (1u << plane_count) - 1;  // planes that it is outside of, those of the guard band
  static constexpr unsigned view = plane_count;      // sides of the viewport, likewise: apart, for behind W = 0 the
  static constexpr unsigned cull = view + 4;         // guard band does not hold them; the user's cull distances
  static constexpr uint32_t bad = 1u << (cull + 8);  // its position is not finite
  static constexpr uint32_t outside = bad - 1;       // an object all of whose vertices have one of these is not seen
};

// How far inside of a plane; both tests and cuts are made of this.
struct Sides {
  const ClipState& state;
  const ClipState::Guardband& band;

  template <class F>
  inline void inside(unsigned plane, const F& x, const F& y, const F& z, const F& w, F& to) const {
    switch (plane) {
      case ClipPlane::left: to = x - band.x_min * w; break;
      case ClipPlane::right: to = band.x_max * w - x; break;
      case ClipPlane::bottom: to = y - band.y_min * w; break;
      case ClipPlane::top: to = band.y_max * w - y; break;
      case ClipPlane::near: to = state.near_is_zero ? z : z + w; break;
      case ClipPlane::far: to = w - z; break;
      default: to = w - least_w; break;
    }
  }
};

// Which planes concern a draw's objects; the sides are those of the guard band, or of the viewport without one.
inline uint32_t planes_of(const ClipState& s) {
  if (!s.tests) return 0;
  uint32_t planes = 1u << ClipPlane::positive_w | uint32_t(s.clip_distances) << ClipPlane::user;
  if (s.tests_guardband || s.tests_viewport) planes |= 15u;
  if (s.tests_near) planes |= 1u << ClipPlane::near;
  if (s.tests_far) planes |= 1u << ClipPlane::far;
  return planes;
}

// Codes of a position, but for the user's distances. F and I are a float and a number, or as many of both.
template <class F, class I>
inline void position_codes(const ClipState& s, const ClipState::Guardband& band, uint32_t planes, const F& x,
                           const F& y, const F& z, const F& w, I& codes) {
  constexpr ClipState::Guardband viewport{};
  const Sides sides{s, band}, view{s, viewport};
  codes = I{};
  F d;
  for (unsigned n = 0; n < ClipPlane::user; ++n) {
    if (!(planes >> n & 1)) continue;
    sides.inside(n, x, y, z, w, d);
    codes |= d >= 0 ? I{} : I{} + (1u << n);
  }
  for (unsigned n = ClipPlane::left; s.tests && s.tests_viewport && n <= ClipPlane::top; ++n) {
    view.inside(n, x, y, z, w, d);
    codes |= d >= 0 ? I{} : I{} + (1u << (ClipCode::view + n));
  }
  if (s.passes) return;
  d = x - x + (y - y) + (z - z) + (w - w);  // not zero if one is not finite
  codes |= d == 0 ? I{} : I{} + ClipCode::bad;
}

// Codes of the user's distances.
inline float distance_of(const Slot* vue, unsigned n) { return float_of(vue[2 + n / 4][n % 4]); }
inline uint32_t distance_codes(const ClipState& s, const Slot* vue) {
  uint32_t codes = 0;
  for (unsigned n = 0; n < 8; ++n) {
    const bool outside = (s.clip_distances | s.cull_distances) >> n & 1 && !(distance_of(vue, n) >= 0);
    if (outside && s.clip_distances >> n & 1) codes |= 1u << (ClipPlane::user + n);
    if (outside && s.cull_distances >> n & 1) codes |= 1u << (ClipCode::cull + n);
  }
  return codes;
}
inline bool has_distances(const ClipState& s) { return s.tests && (s.clip_distances || s.cull_distances); }

}  // namespace vitro::pipeline
