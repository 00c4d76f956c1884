// What the rasteriser hands to the pixel back end: a primitive that is set up, and blocks of 4 x 4 pixels with the
// samples of it that are covered. PRM: Gen8 vol 7 "Windower". Pixels of a block are counted in the order of subspans,
// so that a block is a SIMD16 thread: pixel n is at
//     x = (n & 1) | (n >> 1 & 2),   y = (n >> 1 & 1) | (n >> 2 & 2)
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/object.h"

namespace vitro::pipeline {

inline constexpr int block_px = 4, block_pixels = 16, bin_px = 64, most_samples = 16;
constexpr int block_x(int n) { return (n & 1) | (n >> 1 & 2); }
constexpr int block_y(int n) { return (n >> 1 & 1) | (n >> 2 & 2); }

// A value that is linear in screen space: at (x, y), in pixels from the primitive's origin.
struct Plane {
  float dx = 0, dy = 0, c = 0;
  float at(float x, float y) const { return c + dx * x + dy * y; }
};

// Everything about a primitive that its pixels need. Barycentrics b1 and b2 are the weights of the second and third
// vertex; a point has none, a line has one. In perspective b_i = l_i * inverse_w_i / (inverse_w at the place).
struct Primitive {
  Object object{};                          // its vertices stay where they are until the scene is drained
  const struct DrawPlace* place = nullptr;  // of the command it comes from; null: of no batch
  // As what it is drawn: a triangle may be drawn as lines, and barycentrics are those of its vertices even then. What
  // is drawn as a point has become a point of one vertex.
  ObjectKind drawn_as = ObjectKind::triangle;
  bool back_facing = false;
  float origin_x = 0, origin_y = 0;   // of the planes, in pixels
  Plane l1{}, l2{};                   // linear barycentrics
  Plane n1{}, n2{};                   // those for attributes without perspective: others where an object was clipped
  Plane z{};                          // depth behind the viewport transform, with the offset of polygons
  Plane inverse_w{};                  // 1/w, linear in screen space
  std::array<float, 3> inverse_ws{};  // 1/w of the vertices
  // Of a point: the sprite's coordinates, 0 to 1 from the left and from the top.
  Plane sprite_s{}, sprite_t{};
};

struct Block {
  const Primitive* primitive = nullptr;
  uint16_t x = 0, y = 0;                             // of its upper left pixel, multiples of four
  uint8_t samples = 1;                               // of a pixel
  std::array<uint16_t, most_samples> coverage{};     // by sample, `samples` of them: a bit for each pixel
  std::array<uint8_t, block_pixels> antialiasing{};  // coverage of lines' pixels, 0 to 255; only if has_antialiasing
  bool has_antialiasing = false;

  uint16_t pixels() const {  // with any sample covered
    uint16_t any = 0;
    for (int s = 0; s < samples; ++s) any |= coverage[size_t(s)];
    return any;
  }
};

}  // namespace vitro::pipeline
