// Setup: from an object's vertices to edges and planes on the screen. PRM: Gen8 vol 7 "Strips and Fans (SF) Stage".
// Perspective divide, viewport transform, snapping, facing and culling, fill modes, global depth offset, the shapes of
// lines and points. Positions beyond +-32K pixels are moved to that bound, since the PRM leaves them undefined; objects
// with a vertex that is not finite, or whose w is zero, are dropped.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pipeline/raster_state.h"

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

// How many of `out` it made: none where nothing is to be drawn, more than one for polygons that are drawn as lines or
// points.
unsigned set_up(const RasterState&, const Object&, std::span<RasterPrimitive, 3> out);

// How far a line moves the counter of its stipple pattern: the pixels along its major axis.
uint32_t stipple_steps(const RasterState&, const Stroke&);
// The pixel along the major axis that the counter stands for at the line's start, for `at` in 1/256 pixels.
int stipple_pixel(int32_t at, int16_t location, bool forward);

}  // namespace vitro::pipeline
