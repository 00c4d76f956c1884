// Tests of lines, points and their patterns against the words of the OpenGL specification. No part of the machine.
#include "pipeline/strokes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/objects_test.h"
#include "pipeline/scene.h"

namespace vitro::pipeline {
namespace {

// OpenGL 4.6 (compatibility) 14.5.1: the line is moved by (-e, -e^2); a pixel is drawn if the line meets its open
// diamond and does not end in it. In numbers of 128 bits with an e of 2^-20 of 1/256 pixel, walking the line's
// crossings with the diamond's four sides.
struct Exact {
  using Big = __int128;
  static constexpr int bits = 34;
  struct Place {
    Big x, y;
  };
  static Place moved(int64_t x, int64_t y) {
    return {(Big(x) << bits << 2) - (Big(1) << (bits / 2)), (Big(y) << bits << 2) - 1};
  }
  static Big abs(Big v) { return v < 0 ? -v : v; }
  static constexpr Big half = Big(128) << bits << 2;
  static bool in(Place p, Place c) { return abs(p.x - c.x) + abs(p.y - c.y) < half; }
  // The smallest |x| + |y| along the line is at an end or where x or y is the centre's.
  static bool meets(Place a, Place b, Place c) {
    if (in(a, c) || in(b, c)) return true;
    const Place u{a.x - c.x, a.y - c.y}, v{b.x - c.x, b.y - c.y}, d{v.x - u.x, v.y - u.y};
    if ((u.x < 0) != (v.x < 0) && d.x != 0) {  // at x = 0: y = u.y - u.x * d.y / d.x
      if (abs((u.y >> 8) * (d.x >> 8) - (u.x >> 8) * (d.y >> 8)) < (half >> 8) * abs(d.x >> 8)) return true;
    }
    if ((u.y < 0) != (v.y < 0) && d.y != 0) {
      if (abs((u.x >> 8) * (d.y >> 8) - (u.y >> 8) * (d.x >> 8)) < (half >> 8) * abs(d.y >> 8)) return true;
    }
    return false;
  }
};

TEST(Strokes, ThinLinesLeaveDiamonds) {
  Rng rng(1);
  const Draw d = screen_draw();
  const RasterState s = raster_state(d).value();
  for (int round = 0; round < 1500; ++round) {
    constexpr int size = 80;
    const int64_t mask = rng.pick(std::array<int64_t, 4>{~0, ~15, ~127, ~255});
    const int64_t range = rng.pick(std::array<int64_t, 3>{3, 20, size}) * 256;
    const auto at = [&] { return int64_t(rng.below(uint32_t(range))) & mask; };
    const int64_t x0 = at(), y0 = at(), x1 = rng.one_in(8) ? x0 : at(), y1 = rng.one_in(8) ? y0 : at();
    Vertices v;
    Picture got(size, size, 1), expected(size, size, 1);
    got.draw(s, v.line(float(x0) / 256, float(y0) / 256, float(x1) / 256, float(y1) / 256));
    const Exact::Place a = Exact::moved(x0, y0), b = Exact::moved(x1, y1);
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        const Exact::Place c{Exact::Big(x * 256 + 128) << Exact::bits << 2, Exact::Big(y * 256 + 128)
                                                                                << Exact::bits << 2};
        expected.at(x, y) = Exact::meets(a, b, c) && !Exact::in(b, c);
      }
    ASSERT_EQ(got, expected) << "round " << round << ": " << x0 << " " << y0 << " to " << x1 << " " << y1;
  }
}

TEST(Strokes, LastPixel) {
  Draw d = screen_draw();
  d.state.sf.last_pixel_enable = true;
  const RasterState s = raster_state(d).value();
  Vertices v;
  Picture got(16, 16, 1);
  Object o = v.line(2.5f, 3.5f, 6.5f, 3.5f);
  got.draw(s, o);
  for (int x = 0; x < 16; ++x) EXPECT_EQ(got.at(x, 3), x >= 2 && x <= 6);
  o.strip_ends = false;
  Picture inner(16, 16, 1);
  inner.draw(s, o);
  for (int x = 0; x < 16; ++x) EXPECT_EQ(inner.at(x, 3), x >= 2 && x < 6);
}

// Without multisampling: so many pixels across the minor axis. With it: a rectangle.
TEST(Strokes, WideLines) {
  Draw d = screen_draw();
  d.state.sf.line_width = 3 * 128;
  const RasterState s = raster_state(d).value();
  Vertices v;
  Picture got(40, 40, 1);
  got.draw(s, v.line(5, 10.5f, 20, 15.5f));
  for (int x = 0; x < 40; ++x) {
    int count = 0;
    for (int y = 0; y < 40; ++y) count += got.at(x, y);
    EXPECT_EQ(count, x >= 5 && x < 20 ? 3 : 0) << x;
  }
  Draw four = screen_draw(4);
  four.state.sf.line_width = 4 * 128;
  const RasterState f = raster_state(four).value();
  Picture rectangle(40, 40, 4);
  rectangle.draw(f, v.line(8, 8, 24, 24));
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x)
      for (unsigned n = 0; n < 4; ++n) {
        const double px = x + f.tests.at[n].x / 256.0 - 8, py = y + f.tests.at[n].y / 256.0 - 8;
        const double along = (px + py) / std::sqrt(2), across = std::abs(px - py) / std::sqrt(2);
        const double margin = std::min({along, 16 * std::sqrt(2) - along, 2 - across});
        if (std::abs(margin) > 0.01) {
          EXPECT_EQ(rectangle.at(x, y, n), margin > 0) << x << " " << y;
        }
      }
}

TEST(Strokes, AntialiasedLinesFallOffAcross) {
  Draw d = screen_draw();
  d.state.sf.line_width = 2 * 128;
  d.state.sf.aa_line_distance_mode = 1;
  d.state.raster.antialiasing_enable = true;
  d.state.wm.line_antialiasing_region_width = d.state.wm.line_end_cap_antialiasing_region_width = 1;
  const RasterState s = raster_state(d).value();
  Vertices v;
  std::array<RasterPrimitive, 3> p;
  ASSERT_EQ(set_up(s, v.line(4, 10.25f, 30, 10.25f), p), 1u);
  Blocks blocks;
  std::array<std::array<int, 64>, 64> coverage{};
  rasterise(p[0], {0, 0, 64, 64}, blocks, [&](const Block& b) {
    ASSERT_TRUE(b.has_antialiasing);
    for (size_t n = 0; n < 16; ++n)
      if (b.coverage[0] >> n & 1)
        coverage[size_t(b.y + block_y(int(n)))][size_t(b.x + block_x(int(n)))] = b.antialiasing[n];
  });
  // From 9.25 to 11.25: a quarter less of row 9, a quarter of row 11.
  EXPECT_EQ(coverage[8][10], 0);
  EXPECT_EQ(coverage[9][10], 191);
  EXPECT_EQ(coverage[10][10], 255);
  EXPECT_EQ(coverage[11][10], 64);
  EXPECT_EQ(coverage[12][10], 0);
  EXPECT_EQ(coverage[10][3], 0);
  EXPECT_EQ(coverage[10][4], 255);
  EXPECT_EQ(coverage[10][29], 255);
  EXPECT_EQ(coverage[10][30], 0);
}

TEST(Strokes, Points) {
  for (const bool right : {false, true}) {
    Draw d = screen_draw();
    d.state.wm.point_rasterization_rule = right;
    const RasterState s = raster_state(d).value();
    Vertices v;
    Rng rng(2);
    for (int round = 0; round < 200; ++round) {
      const int x = int(rng.below(60 * 256)) & (rng.coin() ? ~127 : ~0),
                y = int(rng.below(60 * 256)) & (rng.coin() ? ~127 : ~0);
      const int eighths = 1 + int(rng.below(80)), half = eighths * 16;
      Picture got(64, 64, 1);
      got.draw(s, v.point(float(x) / 256, float(y) / 256, float(eighths) / 8));
      for (int py = 0; py < 64; ++py)
        for (int px = 0; px < 64; ++px) {
          const int dx = px * 256 + 128 - x, dy = py * 256 + 128 - y;
          const bool in_x = right ? dx > -half && dx <= half : dx >= -half && dx < half;
          ASSERT_EQ(got.at(px, py), in_x && dy >= -half && dy < half) << round;
        }
    }
  }
}

TEST(Strokes, PointSprites) {
  Draw d = screen_draw();
  d.state.sf.point_width_source = 1;
  d.state.sf.point_width = 8 * 8;
  const RasterState s = raster_state(d).value();
  Vertices v;
  std::array<RasterPrimitive, 3> p;
  ASSERT_EQ(set_up(s, v.point(20, 30, 1), p), 1u);
  const Primitive& q = p[0].primitive;
  EXPECT_FLOAT_EQ(q.sprite_s.at(16 - q.origin_x, 0), 0);
  EXPECT_FLOAT_EQ(q.sprite_s.at(24 - q.origin_x, 0), 1);
  EXPECT_FLOAT_EQ(q.sprite_t.at(0, 26 - q.origin_y), 0);
  EXPECT_FLOAT_EQ(q.sprite_t.at(0, 32 - q.origin_y), 0.75f);
}

TEST(Strokes, RoundPoints) {
  Draw d = screen_draw(8);
  d.state.sf.smooth_point_enable = true;
  const RasterState s = raster_state(d).value();
  Vertices v;
  Picture got(64, 64, 8);
  got.draw(s, v.point(30.25f, 20.5f, 11));
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      for (unsigned n = 0; n < 8; ++n) {
        const double dx = x + s.tests.at[n].x / 256.0 - 30.25, dy = y + s.tests.at[n].y / 256.0 - 20.5;
        ASSERT_EQ(got.at(x, y, n), dx * dx + dy * dy <= 5.5 * 5.5);
      }
}

// A strip's pattern goes on from line to line, wherever chunks begin; lines that are not in a strip begin anew.
TEST(Strokes, StippleGoesOnAlongStrips) {
  Draw d = screen_draw();
  d.state.wm.line_stipple_enable = true;
  d.state.line_stipple = {.line_stipple_pattern = 0x2F1B, .line_stipple_repeat_count = 3};
  const RasterState s = raster_state(d).value();
  std::vector<std::array<float, 2>> strip;
  for (int n = 0; n < 12; ++n) strip.push_back({0.5f + float(n * 37), 0.5f + float(n % 3 * 11)});
  std::vector<Picture> pictures;
  for (const size_t per_chunk : {100u, 5u, 1u}) {
    Vertices v;
    Scene scene;
    scene.begin({.width = 512, .height = 64, .layers = 1});
    Chunk* chunk = nullptr;
    for (size_t n = 0; n + 1 < strip.size(); ++n) {
      if (n % per_chunk == 0) chunk = &scene.chunk();
      Object o = v.line(strip[n][0], strip[n][1], strip[n + 1][0], strip[n + 1][1]);
      o.strip_begins = n == 0;
      chunk->add(s, o);
    }
    scene.close();
    Picture got(512, 64, 1);
    for (const Scene::Bin& b : scene.bins()) {
      Blocks blocks;
      for (const RasterPrimitive* p : b.primitives)
        rasterise(*p, b.pixels, blocks, [&](const Block& block) {
          for (int i = 0; i < block_pixels; ++i)
            if (block.coverage[0] >> i & 1) ++got.at(block.x + block_x(i), block.y + block_y(i));
        });
    }
    pictures.push_back(got);
    for (int x = 0; x < 11 * 37; ++x) {  // every line is longer in x: a pixel of each column
      int count = 0;
      for (int y = 0; y < 64; ++y) count += got.at(x, y);
      ASSERT_EQ(count, 0x2F1B >> (x / 3 % 16) & 1) << x;
    }
  }
}

}  // namespace
}  // namespace vitro::pipeline
