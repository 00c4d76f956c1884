// The rasteriser: which samples of which pixels of a bin a primitive covers. PRM: Gen8 vol 7 "Windower", "Scan
// conversion". From the bin to squares of 16 x 16 and of 4 x 4 pixels, leaving out what no edge lets through and not
// looking further where all do. Edges are exact: what lies between two triangles is covered by one of them. The sample
// mask is left to the back end.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/setup.h"

namespace vitro::pipeline {

// The blocks of one primitive in one bin; it may be used again and again. Of a block only `samples` entries of
// coverage, and antialiasing where it has any, are valid.
struct Blocks {
  static constexpr size_t most = size_t(bin_px / block_px) * (bin_px / block_px);
  std::array<Block, most> blocks;
  size_t count = 0;
  const Block* begin() const { return blocks.data(); }
  const Block* end() const { return blocks.data() + count; }
};

// `bin` lies within one bin's 64 x 64 pixels; only those of the primitive's pixels are drawn that are in it.
void rasterise(const RasterPrimitive&, const Rectangle& bin, Blocks& out);

template <class Sink>
void rasterise(const RasterPrimitive& p, const Rectangle& bin, Blocks& out, Sink&& sink) {
  rasterise(p, bin, out);
  for (const Block& b : out) sink(b);
}

// What an edge says about the tests of all pixels of a rectangle: none is inside, or all are.
struct Side {
  bool none = false, all = false;
};
inline Side side(const Tests& t, const Edge& e, int x, int y, int width, int height) {
  const int64_t x0 = int64_t(x) * subpixels + t.least.x, y0 = int64_t(y) * subpixels + t.least.y;
  const int64_t x1 = int64_t(x + width - 1) * subpixels + t.greatest.x;
  const int64_t y1 = int64_t(y + height - 1) * subpixels + t.greatest.y;
  const int64_t greatest = e.c + e.a * (e.a > 0 ? x1 : x0) + e.b * (e.b > 0 ? y1 : y0);
  const int64_t least = e.c + e.a * (e.a > 0 ? x0 : x1) + e.b * (e.b > 0 ? y0 : y1);
  return {greatest < 0, least >= 0};
}
inline Side side(const Tests& t, const Edge& e, int x, int y, int size) { return side(t, e, x, y, size, size); }

// Whether a primitive covers all of these pixels, which lie in its bounds: what is inside of edges at the corners is so
// in between.
bool covers(const RasterPrimitive&, const Rectangle& pixels);

}  // namespace vitro::pipeline
