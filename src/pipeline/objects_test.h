// Draws, objects and a plain picture of what was covered, for tests of setup and rasteriser. No part of the machine.
#pragma once

#include <bit>
#include <deque>
#include <vector>

#include "base/random.h"
#include "pipeline/rasterise.h"

namespace vitro::pipeline {

inline constexpr Traits test_traits{.has_16_samples = true};

// A draw whose vertices are screen coordinates, over a target of 32K pixels.
inline Draw screen_draw(unsigned samples = 1) {
  Draw d;
  d.traits = &test_traits;
  d.samples = samples;
  d.state.clip.perspective_divide_disable = true;
  d.state.drawing_rectangle.clipped_drawing_rectangle_x_max = 0xFFFF;
  d.state.drawing_rectangle.clipped_drawing_rectangle_y_max = 0xFFFF;
  d.state.raster.cull_mode = uint8_t(CullMode::none);
  d.state.raster.dx_multisample_rasterization_enable = samples > 1;
  d.state.depth_buffer.surface_format = 1;
  // The patterns of the APIs.
  d.state.sample_pattern = {.samples_16 = {0xC75A7599, 0xB3DBAD36, 0x2C42816E, 0x10E0FE02},
                            .samples_8_high = 0x7FD51B93,
                            .samples_8_low = 0x5B5D3B95,
                            .samples_4 = 0xAE2AE662,
                            .samples_2 = 0x44CC,
                            .samples_1 = 0x88};
  return d;
}

// Vertices of objects, which stay where they are.
class Vertices {
 public:
  const Slot* add(float x, float y, float z = 0, float w = 1, float point_width = 1) {
    auto& v = all_.emplace_back();
    v[0][vue_point_width] = std::bit_cast<uint32_t>(point_width);
    v[1] = {std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
            std::bit_cast<uint32_t>(w)};
    return v.data();
  }
  Object triangle(const Slot* a, const Slot* b, const Slot* c) {
    return {.kind = ObjectKind::triangle, .vertices = {a, b, c}};
  }
  Object line(float x0, float y0, float x1, float y1) {
    return {.kind = ObjectKind::line, .vertices = {add(x0, y0), add(x1, y1), nullptr}, .strip_begins = true};
  }
  Object point(float x, float y, float width) {
    return {.kind = ObjectKind::point, .vertices = {add(x, y), nullptr, nullptr}, .point_width = width};
  }

 private:
  std::deque<std::array<Slot, 4>> all_{};
};

// How often each sample was covered.
struct Picture {
  int width = 0, height = 0;
  unsigned samples = 1;
  std::vector<uint8_t> counts{};
  Picture(int w, int h, unsigned s) : width(w), height(h), samples(s), counts(size_t(w) * size_t(h) * s) {}
  uint8_t& at(int x, int y, unsigned s = 0) { return counts[(size_t(y) * size_t(width) + size_t(x)) * samples + s]; }
  bool operator==(const Picture&) const = default;
  void draw(const RasterPrimitive& p) {
    static Blocks blocks;
    for (int y = 0; y < height; y += bin_px)
      for (int x = 0; x < width; x += bin_px)
        rasterise(p, overlap({x, y, x + bin_px, y + bin_px}, {0, 0, width, height}), blocks, [&](const Block& b) {
          for (unsigned s = 0; s < samples; ++s)
            for (int n = 0; n < block_pixels; ++n)
              if (b.coverage[s] >> n & 1) ++at(b.x + block_x(n), b.y + block_y(n), s);
        });
  }
  unsigned draw(const RasterState& s, const Object& o) {
    std::array<RasterPrimitive, 3> p;
    const unsigned made = set_up(s, o, p);
    for (unsigned n = 0; n < made; ++n) draw(p[n]);
    return made;
  }
};

}  // namespace vitro::pipeline
