// Vertices on the screen: perspective divide, viewport transform and snapping, written once for one vertex and for
// several. PRM: Gen8 vol 7 "Strips and Fans (SF) Stage". Positions beyond +-32K pixels are moved to that bound, since
// the PRM leaves them undefined. Vectors are passed by reference (lanes/host.h).
#pragma once

#include <cstdint>
#include <span>

#include "pipeline/clip.h"
#include "pipeline/raster_state.h"

namespace vitro::pipeline {

inline constexpr double farthest_px = 32767;

// A vertex of a chunk, worked out once for all its objects.
struct ScreenVertex {
  double z = 0, inverse_w = 1;
  int32_t x = 0, y = 0;                          // in 1/256 pixels, as snapped
  uint32_t codes = 0;                            // of clip tests (clip_codes.h), and...
  static constexpr uint32_t nowhere = 1u << 31;  // ...that it has no place in fixed numbers
};

// Of vertices in entries of so many slots, that are drawn to the first viewport.
void find_places(const RasterState&, const ClipState&, const Slot* entries, size_t entry_slots,
                 std::span<ScreenVertex> to);

// In pixels, before they are snapped. D is a double, or some of them.
template <class D>
struct ScreenPlace {
  D x, y, z, inverse_w;

  // From clip space. What is `as_is` is on the screen already.
  inline void set(const RasterState& s, const state::SfClipViewport& m, bool as_is, const D& cx, const D& cy,
                  const D& cz, const D& cw) {
    x = cx, y = cy, z = cz;
    inverse_w = D{} + 1.0;
    if (as_is) return;
    inverse_w = cw;  // without the divide positions come divided, and with the inverse of w
    if (s.divide) {
      inverse_w = 1.0 / cw;
      x = x * inverse_w, y = y * inverse_w, z = z * inverse_w;
    }
    if (s.transform) {
      x = x * double(m.viewport_matrix_element_m00) + double(m.viewport_matrix_element_m30);
      y = y * double(m.viewport_matrix_element_m11) + double(m.viewport_matrix_element_m31);
      z = z * double(m.viewport_matrix_element_m22) + double(m.viewport_matrix_element_m32);
    }
  }
  // Zero where all of it is finite.
  inline void finite(D& zero) const { zero = x - x + (y - y) + (z - z) + (inverse_w - inverse_w); }
};

// A place in 1/256 pixels, a whole number, with the drawing rectangle's offset.
template <class D>
inline void snap(const RasterState& s, const D& px, int32_t offset, D& fixed) {
  constexpr double far = 0x1p40, farthest = farthest_px * subpixels;
  constexpr double whole = 0x1.8p52;  // added to a smaller number it leaves no room for a fraction
  const auto limit = [](D& v, double bound) {
    v = v < -bound ? D{} - bound : v;
    v = v > bound ? D{} + bound : v;
  };
  D at = px * double(subpixels / s.snap) + 0.5;
  limit(at, far);
  const D rounded = (at + whole) - whole;
  fixed = (rounded > at ? rounded - 1.0 : rounded) * double(s.snap) + double(offset);
  limit(fixed, farthest);
}

}  // namespace vitro::pipeline
