// Tests of the rasteriser's fill rule against every sample looked at one by one. No part of the machine.
#include "pipeline/rasterise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/objects_test.h"

namespace vitro::pipeline {
namespace {

struct Corner {
  int64_t x, y;  // in 1/256 pixels
};

// The top-left rule, spelled out.
bool inside(std::vector<Corner> v, int64_t x, int64_t y) {
  const auto cross = [](Corner s, Corner t, Corner p) { return (t.x - s.x) * (p.y - s.y) - (t.y - s.y) * (p.x - s.x); };
  const int64_t area = cross(v[0], v[1], v[2]);
  if (area == 0) return false;
  if (area < 0) std::reverse(v.begin(), v.end());
  for (size_t k = 0; k < v.size(); ++k) {
    const Corner s = v[k], t = v[(k + 1) % v.size()];
    const int64_t f = cross(s, t, {x, y});
    const bool left = t.y < s.y, top = t.y == s.y && t.x > s.x;
    if (f < 0 || (f == 0 && !left && !top)) return false;
  }
  return true;
}

float px(int64_t fixed) { return float(fixed) / 256; }

Picture reference(const RasterState& s, const std::vector<Corner>& v, int width, int height) {
  Picture r(width, height, s.samples);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (unsigned n = 0; n < s.samples; ++n) {
        const SamplePosition at = s.tests.at[s.tests.count == 1 ? 0 : n];
        r.at(x, y, n) = inside(v, x * 256 + at.x, y * 256 + at.y);
      }
  return r;
}

TEST(Rasterise, RandomTrianglesOfAllSampleCounts) {
  Rng rng(1);
  for (const unsigned samples : {1u, 2u, 4u, 8u, 16u}) {
    const Draw d = screen_draw(samples);
    const RasterState s = raster_state(d).value();
    ASSERT_EQ(s.tests.count, samples);
    for (int round = 0; round < 60; ++round) {
      constexpr int width = 150, height = 100;
      const uint32_t size = rng.pick(std::array{4u, 20u, 100u, 300u, 16000u});
      const int64_t mask = rng.pick(std::array<int64_t, 3>{~0, ~127, ~255});
      const int64_t cx = rng.below(width * 256), cy = rng.below(height * 256);
      std::vector<Corner> v;
      Vertices vertices;
      std::array<const Slot*, 3> slots{};
      for (auto& slot : slots) {
        v.push_back({(cx + int64_t(rng.below(size * 512)) - size * 256) & mask,
                     (cy + int64_t(rng.below(size * 512)) - size * 256) & mask});
        slot = vertices.add(px(v.back().x), px(v.back().y));
      }
      Picture got(width, height, samples);
      got.draw(s, vertices.triangle(slots[0], slots[1], slots[2]));
      ASSERT_EQ(got, reference(s, v, width, height)) << samples << " samples, round " << round;
    }
  }
}

TEST(Rasterise, MeshesAreCoveredOnce) {
  Rng rng(2);
  for (const unsigned samples : {1u, 2u, 4u, 8u, 16u}) {
    for (const bool upper_left : {false, true}) {
      Draw d = screen_draw(samples);
      d.state.multisample.pixel_location = upper_left;
      const RasterState s = raster_state(d).value();
      for (int round = 0; round < 10; ++round) {
        constexpr int cells = 9, cell = 12, size = cells * cell;
        Vertices vertices;
        std::array<std::array<const Slot*, cells + 1>, cells + 1> grid{};
        for (int j = 0; j <= cells; ++j)
          for (int i = 0; i <= cells; ++i) {  // moved by less than half a cell, and not at the borders
            const bool fixed_x = i == 0 || i == cells, fixed_y = j == 0 || j == cells;
            const float dx = fixed_x ? 0 : px(int(rng.below(1000)) - 500),
                        dy = fixed_y ? 0 : px(int(rng.below(1000)) - 500);
            grid[size_t(j)][size_t(i)] = vertices.add(float(i * cell) + dx, float(j * cell) + dy);
          }
        Picture got(size + 20, size + 20, samples);
        for (size_t j = 0; j < cells; ++j)
          for (size_t i = 0; i < cells; ++i) {
            const Slot *a = grid[j][i], *b = grid[j][i + 1], *c = grid[j + 1][i + 1], *e = grid[j + 1][i];
            if (rng.coin()) {
              got.draw(s, vertices.triangle(a, b, c));
              got.draw(s, vertices.triangle(e, c, a));
            } else {
              got.draw(s, vertices.triangle(b, a, e));
              got.draw(s, vertices.triangle(b, c, e));
            }
          }
        for (int y = 0; y < got.height; ++y)
          for (int x = 0; x < got.width; ++x)
            for (unsigned n = 0; n < samples; ++n) ASSERT_EQ(got.at(x, y, n), x < size && y < size) << x << " " << y;
      }
    }
  }
}

TEST(Rasterise, HugeTrianglesOfTheGuardBand) {
  Rng rng(3);
  const Draw d = screen_draw();
  const RasterState s = raster_state(d).value();
  for (int round = 0; round < 300; ++round) {
    Vertices vertices;
    std::vector<Corner> v;
    std::array<const Slot*, 3> slots{};
    for (auto& slot : slots) {
      v.push_back({int64_t(rng.below(65534 * 256)) - 32767 * 256, int64_t(rng.below(65534 * 256)) - 32767 * 256});
      slot = vertices.add(px(v.back().x), px(v.back().y));
      v.back() = {int64_t(std::floor(double(px(v.back().x)) * 256 + 0.5)),
                  int64_t(std::floor(double(px(v.back().y)) * 256 + 0.5))};
    }
    Picture got(128, 128, 1);
    got.draw(s, vertices.triangle(slots[0], slots[1], slots[2]));
    ASSERT_EQ(got, reference(s, v, 128, 128)) << round;
  }
}

TEST(Rasterise, PixelModesCoverAllSamplesOrNone) {
  Rng rng(4);
  Draw d = screen_draw(4);
  d.state.raster.dx_multisample_rasterization_enable = false;
  const RasterState s = raster_state(d).value();
  EXPECT_EQ(s.mode, RasterMode::off_pixel);
  for (int round = 0; round < 50; ++round) {
    Vertices vertices;
    std::vector<Corner> v;
    std::array<const Slot*, 3> slots{};
    for (auto& slot : slots) {
      v.push_back({rng.below(64 * 256), rng.below(64 * 256)});
      slot = vertices.add(px(v.back().x), px(v.back().y));
    }
    Picture got(64, 64, 4);
    got.draw(s, vertices.triangle(slots[0], slots[1], slots[2]));
    ASSERT_EQ(got, reference(s, v, 64, 64));
  }
}

TEST(Rasterise, RectanglesImplyTheirFourthVertex) {
  Draw d = screen_draw();
  d.state.raster.cull_mode = uint8_t(CullMode::both);  // of no concern to rectangles
  const RasterState s = raster_state(d).value();
  Vertices v;
  const Object o{.kind = ObjectKind::rectangle, .vertices = {v.add(70, 80), v.add(10, 80), v.add(10, 20)}};
  Picture got(128, 128, 1);
  got.draw(s, o);
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 128; ++x) ASSERT_EQ(got.at(x, y), x >= 10 && x < 70 && y >= 20 && y < 80);
}

TEST(Rasterise, LimitsCutWithinBlocks) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    Draw d = screen_draw(round % 2 ? 4 : 1);
    auto& r = d.state.drawing_rectangle;
    r.clipped_drawing_rectangle_x_min = uint16_t(rng.below(40)),
    r.clipped_drawing_rectangle_x_max = uint16_t(60 + rng.below(40));
    r.clipped_drawing_rectangle_y_min = uint16_t(rng.below(40)),
    r.clipped_drawing_rectangle_y_max = uint16_t(60 + rng.below(40));
    r.drawing_rectangle_origin_x = int16_t(rng.below(9)) - 4, r.drawing_rectangle_origin_y = int16_t(rng.below(9)) - 4;
    d.state.raster.scissor_rectangle_enable = rng.coin();
    auto& c = d.objects.scissors[0];
    c = {uint16_t(rng.below(50)), uint16_t(rng.below(50)), uint16_t(rng.below(100)), uint16_t(rng.below(100))};
    d.state.sf.viewport_transform_enable = rng.coin();
    d.objects.viewports[0] = {
        .viewport_matrix_element_m00 = 1, .viewport_matrix_element_m11 = 1, .viewport_matrix_element_m22 = 1};
    auto& w = d.objects.viewports[0];
    w.x_min_viewport = float(rng.below(30)), w.x_max_viewport = float(50 + rng.below(50));
    w.y_min_viewport = float(rng.below(30)), w.y_max_viewport = float(50 + rng.below(50));
    const RasterState s = raster_state(d).value();
    Vertices v;
    Picture got(120, 120, d.samples);
    got.draw(s, v.triangle(v.add(-500, -500), v.add(2000, -500), v.add(-500, 2000)));
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 120; ++x) {
        bool in = x >= r.clipped_drawing_rectangle_x_min && x <= r.clipped_drawing_rectangle_x_max &&
                  y >= r.clipped_drawing_rectangle_y_min && y <= r.clipped_drawing_rectangle_y_max;
        const int sx = x - r.drawing_rectangle_origin_x, sy = y - r.drawing_rectangle_origin_y;
        if (d.state.raster.scissor_rectangle_enable)
          in &= sx >= c.scissor_rectangle_x_min && sx <= c.scissor_rectangle_x_max && sy >= c.scissor_rectangle_y_min &&
                sy <= c.scissor_rectangle_y_max;
        if (d.state.sf.viewport_transform_enable)
          in &= float(sx) >= w.x_min_viewport && float(sx) <= w.x_max_viewport && float(sy) >= w.y_min_viewport &&
                float(sy) <= w.y_max_viewport;
        for (unsigned n = 0; n < d.samples; ++n) ASSERT_EQ(got.at(x, y, n), in) << x << " " << y;
      }
  }
}

TEST(Rasterise, PolygonStipple) {
  Rng rng(6);
  Draw d = screen_draw();
  d.state.wm.polygon_stipple_enable = true;
  for (uint32_t& row : d.state.poly_stipple_pattern.pattern_row) row = uint32_t(rng());
  d.state.poly_stipple_offset = {.polygon_stipple_y_offset = 5, .polygon_stipple_x_offset = 3};
  const RasterState s = raster_state(d).value();
  Vertices v;
  Picture got(100, 100, 1);
  got.draw(s, v.triangle(v.add(-500, -500), v.add(2000, -500), v.add(-500, 2000)));
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x)
      ASSERT_EQ(got.at(x, y), d.state.poly_stipple_pattern.pattern_row[size_t(y + 5) % 32] >> (31 - (x + 3) % 32) & 1);
}

// A pixel is drawn if its square and the triangle have a place in common: the square, cut by the edges, is not empty.
TEST(Rasterise, ConservativeTouchesPixels) {
  Rng rng(7);
  Draw d = screen_draw();
  d.state.raster.conservative_rasterization_enable = true;
  const RasterState s = raster_state(d).value();
  for (int round = 0; round < 60; ++round) {
    Vertices vertices;
    std::vector<Corner> v;
    // Every third one is a line, or, now and then, a place: those touch pixels too.
    for (int k = 0; k < 3; ++k) v.push_back({rng.below(40 * 256), rng.below(40 * 256)});
    if (round % 3 == 0) v[2] = {2 * (v[0].x / 2), 2 * (v[0].y / 2)}, v[0] = v[2];
    if (round % 9 == 0) v[1] = v[0];
    if (round % 6 == 3) v[1] = {v[0].x + 2 * rng.below(900), v[0].y + 2 * rng.below(900)};
    if (round % 6 == 3) v[2] = {(v[0].x + v[1].x) / 2, (v[0].y + v[1].y) / 2};
    std::array<const Slot*, 3> slots{};
    for (size_t k = 0; k < 3; ++k) slots[k] = vertices.add(px(v[k].x), px(v[k].y));
    Picture got(48, 48, 1);
    got.draw(s, vertices.triangle(slots[0], slots[1], slots[2]));
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x) {
        struct Place {
          double x, y;
        };
        std::vector<Place> poly;
        for (const Corner& c : v) poly.push_back({double(c.x), double(c.y)});
        const auto cut = [&](auto value) {
          std::vector<Place> r;
          for (size_t k = 0; k < poly.size(); ++k) {
            const Place a = poly[k], b = poly[(k + 1) % poly.size()];
            const double fa = value(a), fb = value(b);
            if (fa >= 0) r.push_back(a);
            if ((fa > 0 && fb < 0) || (fa < 0 && fb > 0))
              r.push_back({a.x + (b.x - a.x) * fa / (fa - fb), a.y + (b.y - a.y) * fa / (fa - fb)});
          }
          poly = r;
        };
        cut([&](Place p) { return p.x - x * 256; });
        cut([&](Place p) { return (x + 1) * 256 - p.x; });
        cut([&](Place p) { return p.y - y * 256; });
        cut([&](Place p) { return (y + 1) * 256 - p.y; });
        ASSERT_EQ(got.at(x, y), !poly.empty()) << x << " " << y << " round " << round;
      }
  }
}

}  // namespace
}  // namespace vitro::pipeline
