// What of a bin's primitives nobody will see: where all that comes of pixels is colours (PixelPlan::paints), those that
// a later primitive paints over need not be shaded, only counted. PRM: none; nothing of it can be seen but in time.
// One that covers the whole bin hides all before it. Primitives in a row that take the place of whatever is there
// (PixelPlan::covers) are drawn the last one first, each only where none of the others has been. Where there are depth
// and stencil tests (PixelPlan::covers_passed), all of a row are tested before the first of them is shaded.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline/rasterise.h"
#include "pipeline/scene.h"

namespace vitro::pipeline {

// Whether a primitive writes every pixel of a bin, whatever was there.
bool hides(const RasterPrimitive&, const Rectangle& bin);
// The last one that does; 0 if there is none, or the first.
size_t last_hiding(const Scene::Bin&);
// Whether nothing will be left of a primitive where another one covers it: both only paint, the same targets.
bool is_hidden(const RasterPrimitive&, const RasterPrimitive& by);
// How many primitives from this one on are in a row.
size_t row_from(const Scene::Bin&, size_t first);
// Likewise, of such that are tested: of one draw, and what they count belongs together.
size_t tested_row_from(const Scene::Bin&, size_t first);

// The pixels of a bin that primitives of a row have painted.
class Painted {
 public:
  // Takes those that are painted out of the blocks, and blocks that have none left; the others count as painted from
  // now on. How many it took.
  uint64_t paint(Blocks&);

 private:
  std::array<uint16_t, Blocks::most> pixels_{};  // by block
};

// What is left of the blocks of a row's primitives when they have been tested.
class TestedBlocks {
 public:
  void clear() { blocks_.clear(), ends_.clear(); }
  void add(const Blocks&);  // of the next primitive
  void take_last(const RasterPrimitive&, const Rectangle& bin, Blocks&);

 private:
  struct Passed {
    uint16_t place = 0, pixels = 0;  // in the bin
  };
  std::vector<Passed> blocks_{};
  std::vector<size_t> ends_{};  // by primitive
};

// All that a primitive covers in a bin, whether or not anybody sees it.
uint64_t pixels_of(const RasterPrimitive&, const Rectangle& bin, Blocks& room);

}  // namespace vitro::pipeline
