// The rasteriser's shapes that are no polygons: thin lines, antialiased lines, round points; and the stipple pattern of
// lines. PRM: Gen8 vol 7 "Line rasterization", "Point rasterization"; OpenGL 4.6 (compatibility) 14.4, 14.5.
#pragma once

#include "pipeline/rasterise.h"

namespace vitro::pipeline {

// The pixels of the block at (x, y) that are in a rectangle.
unsigned pixels_within(const Rectangle&, int x, int y);

// Thin lines, antialiased lines and discs, in the pixels of `r`, which lie in one bin.
void stroke(const RasterPrimitive&, const Rectangle& r, Blocks& out);

// Takes pixels away where the line's pattern has no bit.
void stipple_line(const RasterPrimitive&, Blocks& out);

// Takes away the pixels for which `keep(x, y)` is false, and blocks that have none left.
template <class Keep>
void filter(Blocks& out, Keep&& keep) {
  size_t kept = 0;
  for (size_t n = 0; n < out.count; ++n) {
    Block& b = out.blocks[n];
    uint16_t mask = 0, any = 0;
    for (int i = 0; i < block_pixels; ++i) mask |= uint16_t(keep(b.x + block_x(i), b.y + block_y(i)) << i);
    for (int s = 0; s < b.samples; ++s) any |= b.coverage[size_t(s)] &= mask;
    if (any) {
      if (kept != n) out.blocks[kept] = b;
      ++kept;
    }
  }
  out.count = kept;
}

}  // namespace vitro::pipeline
