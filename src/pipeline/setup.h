// Setup: from an object's vertices to edges and planes on the screen. PRM: Gen8 vol 7 "Strips and Fans (SF) Stage".
// Facing and culling, fill modes, global depth offset, the shapes of lines and points; places come from screen.h.
// Objects with a vertex that is not finite, or whose w is zero, are dropped.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "pipeline/screen.h"

namespace vitro::pipeline {

// A place (x, y), in 1/256 pixels, is inside where a * x + b * y + c >= 0; the fill rule is in c.
struct Edge {
  int32_t a = 0, b = 0;
  int64_t c = 0;
  bool operator==(const Edge&) const = default;
};

enum class Shape : uint8_t { edges, thin_line, antialiased_line, disc };

// The ends of a line in 1/256 pixels; of a disc the centre and, as x1, the radius.
struct Stroke {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool last_pixel = false;       // the pixel it ends in is drawn too
  bool stipple_anew = true;      // the pattern's counter begins at zero; else it goes on from the line before
  uint32_t stipple_counter = 0;  // at its start; set by Chunk and Scene
  bool x_major() const { return std::abs(int64_t(x1) - x0) >= std::abs(int64_t(y1) - y0); }
};

struct RasterPrimitive {
  Primitive primitive{};
  const RasterState* state = nullptr;
  const Tests* tests = nullptr;  // of the state
  Rectangle bounds{};            // the pixels it may touch, within the limits of its viewport
  Shape shape = Shape::edges;
  uint8_t edge_count = 0;
  bool cut = false;       // by the bounds: they say more than the edges do
  bool stippled = false;  // by the polygon's or line's pattern
  std::array<Edge, 4> edges{};
  Stroke stroke{};
};

// --- what is to be seen of a triangle

struct ScreenPoint {
  int32_t x = 0, y = 0;  // in 1/256 pixels
};

// Above zero if they go round clockwise, on a screen with y downwards.
inline int64_t doubled_area(ScreenPoint u, ScreenPoint v, ScreenPoint w) {
  return (int64_t(v.x) - u.x) * (int64_t(w.y) - u.y) - (int64_t(v.y) - u.y) * (int64_t(w.x) - u.x);
}
inline bool is_back_facing(const commands::three_d::Raster& r, int64_t area) {
  return (area > 0) != (r.front_winding == 0);
}
inline bool is_culled(const commands::three_d::Raster& r, int64_t area) {
  const CullMode cull = CullMode(r.cull_mode & 3);
  return cull == CullMode::both || cull == (is_back_facing(r, area) ? CullMode::back : CullMode::front);
}

// First pixel whose last test is at or behind `at`, and the first whose first test is behind it.
inline int first_pixel(int32_t at, int16_t greatest) { return (at - greatest + subpixels - 1) >> subpixel_bits; }
inline int end_pixel(int32_t at, int16_t least) { return ((at - least) >> subpixel_bits) + 1; }

// Pixels with a test between the points, or `margin` around them.
inline Rectangle bounds_of(const Tests& t, std::span<const ScreenPoint> points, int32_t margin) {
  int32_t left = points[0].x, top = points[0].y, right = left, bottom = top;
  for (const ScreenPoint& q : points.subspan(1)) {
    left = std::min(left, q.x), top = std::min(top, q.y);
    right = std::max(right, q.x), bottom = std::max(bottom, q.y);
  }
  return {first_pixel(left - margin, t.greatest.x), first_pixel(top - margin, t.greatest.y),
          end_pixel(right + margin, t.least.x), end_pixel(bottom + margin, t.least.y)};
}

// Of a solid triangle. The many that cover nothing should cost no more than this.
inline bool covers_nothing(const RasterState& s, size_t viewport, int64_t area,
                           const std::array<ScreenPoint, 3>& corners) {
  return area == 0 || overlap(bounds_of(s.polygon_tests, corners, 0), s.limits[viewport]).empty();
}

// --- setup

// The vertices of an object of a chunk, if they are known; all have places.
using ScreenCorners = std::array<const ScreenVertex*, 3>;

// Of a triangle that is solid and seen: it is not culled and covers something. Its vertices are known; else as the
// other.
unsigned set_up(const RasterState&, const Object&, const ScreenCorners&, std::span<RasterPrimitive, 3> out);
// How many of `out` it made: none where nothing is to be drawn, more than one for polygons that are drawn as lines or
// points.
unsigned set_up(const RasterState&, const Object&, std::span<RasterPrimitive, 3> out);

// How far a line moves the counter of its stipple pattern: the pixels along its major axis.
uint32_t stipple_steps(const RasterState&, const Stroke&);
// The pixel along the major axis that the counter stands for at the line's start, for `at` in 1/256 pixels.
int stipple_pixel(int32_t at, int16_t location, bool forward);

}  // namespace vitro::pipeline
