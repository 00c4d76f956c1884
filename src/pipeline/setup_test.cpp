// Tests of setup: culling, fill modes, depth offsets, planes, positions of any kind. No part of the machine.
#include "pipeline/setup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pipeline/interpolate_test.h"
#include "pipeline/objects_test.h"

namespace vitro::pipeline {
namespace {

TEST(Setup, CullsByWinding) {
  struct Row {
    CullMode cull;
    bool draws_front, draws_back;
  };
  for (const Row row : {Row{CullMode::both, false, false}, Row{CullMode::none, true, true},
                        Row{CullMode::front, false, true}, Row{CullMode::back, true, false}})
    for (const bool front_is_counter_clockwise : {false, true})
      for (const bool counter_clockwise : {false, true}) {
        Draw d = screen_draw();
        d.state.raster.cull_mode = uint8_t(row.cull);
        d.state.raster.front_winding = front_is_counter_clockwise;
        const RasterState s = raster_state(d).value();
        Vertices v;
        // On a screen with y downwards: right, then down.
        const Slot *a = v.add(0, 0), *b = v.add(20, 0), *c = v.add(0, 20);
        const Object o = counter_clockwise ? v.triangle(a, c, b) : v.triangle(a, b, c);
        const bool front = counter_clockwise == front_is_counter_clockwise;
        std::array<RasterPrimitive, 3> p;
        ASSERT_EQ(set_up(s, o, p), unsigned(front ? row.draws_front : row.draws_back));
        if (front ? row.draws_front : row.draws_back) {
          EXPECT_EQ(p[0].primitive.back_facing, !front);
        }
      }
}

// Widths that are read back from vertices are clamped, those of a polygon's corners too.
TEST(Setup, PointsOfPolygonsAreClamped) {
  Draw d = screen_draw();
  d.state.raster.front_face_fill_mode = d.state.raster.back_face_fill_mode = uint8_t(FillMode::point);
  d.state.clip.clip_enable = true, d.state.clip.minimum_point_width = 2 << 3, d.state.clip.maximum_point_width = 6 << 3;
  const RasterState s = raster_state(d).value();
  Vertices v;
  const Object o = v.triangle(v.add(10, 10, 0, 1, .5f), v.add(40, 10, 0, 1, 4), v.add(10, 40, 0, 1, 100));
  std::array<RasterPrimitive, 3> p;
  ASSERT_EQ(set_up(s, o, p), 3u);
  for (size_t n = 0; n < 3; ++n) {
    Picture got(64, 64, 1);
    got.draw(p[n]);
    EXPECT_EQ(std::count(got.counts.begin(), got.counts.end(), 1), (std::array{4, 16, 36})[n]);
  }
}

TEST(Setup, FillModesDrawFlaggedEdges) {
  for (unsigned edges = 0; edges < 8; ++edges)
    for (const FillMode fill : {FillMode::wireframe, FillMode::point}) {
      Draw d = screen_draw();
      d.state.raster.front_face_fill_mode = uint8_t(fill);
      const RasterState s = raster_state(d).value();
      Vertices v;
      Object o = v.triangle(v.add(4.5f, 4.5f, 0.25f), v.add(40.5f, 4.5f, 0.5f), v.add(4.5f, 40.5f, 1));
      o.edges = uint8_t(edges);
      std::array<RasterPrimitive, 3> p;
      const unsigned made = set_up(s, o, p);
      ASSERT_EQ(made, unsigned(std::popcount(edges)));
      Picture got(64, 64, 1), expected(64, 64, 1);
      for (unsigned n = 0; n < made; ++n) got.draw(p[n]);
      const bool lines = fill == FillMode::wireframe;
      const std::array<std::array<int, 2>, 3> corners = {{{4, 4}, {40, 4}, {4, 40}}};
      for (size_t k = 0; k < 3; ++k) {
        if (!(edges >> k & 1)) continue;
        const auto from = corners[k], to = corners[(k + 1) % 3];
        const int dx = (to[0] > from[0]) - (to[0] < from[0]), dy = (to[1] > from[1]) - (to[1] < from[1]);
        for (int i = 0; i < (lines ? 36 : 1); ++i) ++expected.at(from[0] + i * dx, from[1] + i * dy);
      }
      EXPECT_EQ(got, expected) << edges;
      // Barycentrics are the triangle's, so that depth at an end is the vertex's.
      unsigned n = 0;
      for (size_t k = 0; k < 3; ++k) {
        if (!(edges >> k & 1)) continue;
        const Primitive& q = p[n++].primitive;
        const float x = float(corners[k][0]) + 0.5f - q.origin_x, y = float(corners[k][1]) + 0.5f - q.origin_y;
        EXPECT_NEAR(q.z.at(x, y), (std::array{0.25f, 0.5f, 1.0f})[k], 1e-6);
        EXPECT_NEAR(q.l1.at(x, y), k == 1, 1e-6);
        EXPECT_NEAR(q.l2.at(x, y), k == 2, 1e-6);
        EXPECT_EQ(q.object.kind, lines ? ObjectKind::triangle : ObjectKind::point);
        EXPECT_EQ(q.object.vertices[0], o.vertices[lines ? 0 : k]);
      }
    }
}

// Planes against the same in double, at the pixels that are drawn, for triangles that reach into the guard band.
TEST(Setup, PlanesArePreciseInTheGuardBand) {
  Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    Draw d = screen_draw();
    d.state.drawing_rectangle.clipped_drawing_rectangle_x_max = 399;
    d.state.drawing_rectangle.clipped_drawing_rectangle_y_max = 399;
    const float reach = rng.pick(std::array{10.f, 300.f, 16000.f});
    const auto at = [&] { return std::floor((float(rng.below(1 << 20)) / (1 << 19) - 1) * reach * 256) / 256 + 200; };
    const RasterState s = raster_state(d).value();
    Vertices v;
    std::array<double, 3> x{}, y{}, z{}, iw{};
    std::array<const Slot*, 3> slots{};
    for (size_t k = 0; k < 3; ++k) {
      const float px = at(), py = at(), pz = float(rng.below(1000)) / 1000, pw = 0.01f + float(rng.below(1000)) / 1000;
      x[k] = px, y[k] = py, z[k] = pz, iw[k] = pw;
      slots[k] = v.add(px, py, pz, pw);
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    std::array<RasterPrimitive, 3> p;
    if (!set_up(s, v.triangle(slots[0], slots[1], slots[2]), p)) continue;
    const Primitive& q = p[0].primitive;
    // The change of a barycentric over the drawn area says how much of a float's mantissa is left.
    const double spread =
        std::max<double>(1, 400 * (std::abs(q.l1.dx) + std::abs(q.l1.dy) + std::abs(q.l2.dx) + std::abs(q.l2.dy)));
    Blocks blocks;
    for (int by = 0; by < 400; by += 64)
      for (int bx = 0; bx < 400; bx += 64)
        rasterise(p[0], {bx, by, bx + 64, by + 64}, blocks, [&](const Block& b) {
          PixelFloats l1, l2, p1, p2, depth, w;
          const PixelPlaces places = pixel_places(s, b);
          linear_barycentrics(q, places, l1, l2);
          perspective_barycentrics(q, places, p1, p2);
          depths(q, places, depth);
          ws(q, places, w);
          for (size_t n = 0; n < 16; ++n) {
            if (!(b.coverage[0] >> n & 1)) continue;
            const double px = b.x + block_x(int(n)) + 0.5, py = b.y + block_y(int(n)) + 0.5;
            const double e1 = ((px - x[0]) * (y[2] - y[0]) - (py - y[0]) * (x[2] - x[0])) / area;
            const double e2 = ((py - y[0]) * (x[1] - x[0]) - (px - x[0]) * (y[1] - y[0])) / area;
            const double ew = iw[0] + e1 * (iw[1] - iw[0]) + e2 * (iw[2] - iw[0]);
            const double error = spread * 0x1p-22;
            ASSERT_NEAR(l1[n], e1, error);
            ASSERT_NEAR(l2[n], e2, error);
            ASSERT_NEAR(depth[n], z[0] + e1 * (z[1] - z[0]) + e2 * (z[2] - z[0]), 2 * error);
            ASSERT_NEAR(1 / w[n], ew, 2 * error);
            ASSERT_NEAR(p1[n] * ew, e1 * iw[1], 4 * error);
            ASSERT_NEAR(p2[n] * ew, e2 * iw[2], 4 * error);
          }
        });
  }
}

TEST(Setup, TransformsByTheViewport) {
  Draw d = screen_draw();
  d.state.clip.perspective_divide_disable = false;
  d.state.clip.maximum_vp_index = 3;
  d.state.sf.viewport_transform_enable = true;
  auto& m = d.objects.viewports[2];
  m = {.viewport_matrix_element_m00 = 50,
       .viewport_matrix_element_m11 = -25,
       .viewport_matrix_element_m22 = 0.5f,
       .viewport_matrix_element_m30 = 60.5f,
       .viewport_matrix_element_m31 = 30,
       .viewport_matrix_element_m32 = 0.5f};
  m.x_max_viewport = m.y_max_viewport = 1000;
  const RasterState s = raster_state(d).value();
  Vertices v;
  Object o{.kind = ObjectKind::point, .vertices = {v.add(-1, 1, 0.5f, 2)}};
  o.viewport = 2;
  o.point_width = 1;
  std::array<RasterPrimitive, 3> p;
  ASSERT_EQ(set_up(s, o, p), 1u);
  EXPECT_EQ(p[0].bounds, (Rectangle{35, 17, 36, 18}));  // at 35.5, 17.5
  EXPECT_FLOAT_EQ(p[0].primitive.z.at(0, 0), 0.625f);
  EXPECT_FLOAT_EQ(p[0].primitive.inverse_ws[0], 0.5f);
}

TEST(Setup, SnapsToEightOrFourBits) {
  for (const bool four : {false, true}) {
    Draw d = screen_draw();
    d.state.sf.vertex_sub_pixel_precision_select = four;
    const RasterState s = raster_state(d).value();
    Vertices v;
    std::array<RasterPrimitive, 3> p;
    ASSERT_EQ(set_up(s, v.line(1.03f, 2.97f, 9.5f, 4.03125f), p), 1u);
    EXPECT_EQ(p[0].stroke.x0, four ? 256 : 264);
    EXPECT_EQ(p[0].stroke.y0, four ? 768 : 760);
    EXPECT_EQ(p[0].stroke.x1, 9 * 256 + 128);
    EXPECT_EQ(p[0].stroke.y1, four ? 4 * 256 + 16 : 4 * 256 + 8);
  }
}

TEST(Setup, GlobalDepthOffset) {
  struct Row {
    uint8_t format;
    bool legacy;
    float constant, scale, clamp;
    double expected;
  };
  // Depth rises by 1/64 for a pixel in x, by 1/128 in y, up to 0.75.
  for (const Row r : {Row{5, false, 3, 0, 0, 3 * 0x1p-16}, Row{3, false, 4096, 0, 0, 4096 * 0x1p-24},
                      Row{1, false, 65536, 0, 0, 65536 * 0x1p-24}, Row{5, true, 0.125f, 0, 0, 0.125},
                      Row{3, false, 0, 2, 0, 2.0 / 64}, Row{3, false, 0, 8, 0.0625f, 0.0625},
                      Row{3, false, 0, -8, -0.03125f, -0.03125}, Row{3, false, 256, 1, 0, 256 * 0x1p-24 + 1.0 / 64}}) {
    Draw d = screen_draw();
    d.state.raster.global_depth_offset_enable_solid = true;
    d.state.raster.global_depth_offset_constant = r.constant;
    d.state.raster.global_depth_offset_scale = r.scale;
    d.state.raster.global_depth_offset_clamp = r.clamp;
    d.state.sf.legacy_global_depth_bias_enable = r.legacy;
    d.state.depth_buffer.surface_format = r.format;
    Vertices v;
    const Object o = v.triangle(v.add(0, 0, 0.25f), v.add(32, 0, 0.75f), v.add(0, 32, 0.5f));
    std::array<RasterPrimitive, 3> p;
    for (const bool enable : {false, true}) {
      d.state.raster.global_depth_offset_enable_solid = enable;
      const RasterState s = raster_state(d).value();
      ASSERT_EQ(set_up(s, o, p), 1u);
      const Primitive& q = p[0].primitive;
      EXPECT_NEAR(q.z.at(-q.origin_x, -q.origin_y), 0.25 + (enable ? r.expected : 0), 1e-7);
    }
  }
}

TEST(Setup, AnyBitsArePositions) {
  Rng rng(2);
  Blocks blocks;
  for (int round = 0; round < 4000; ++round) {
    Draw d = screen_draw(1u << rng.below(5));
    d.state.clip.perspective_divide_disable = rng.coin();
    d.state.sf.viewport_transform_enable = rng.coin();
    d.state.raster.front_face_fill_mode = uint8_t(rng.below(3)),
    d.state.raster.back_face_fill_mode = uint8_t(rng.below(3));
    d.state.raster.antialiasing_enable = rng.coin(), d.state.raster.smooth_point_enable = rng.coin();
    d.state.raster.conservative_rasterization_enable = rng.coin();
    d.state.raster.global_depth_offset_enable_solid = rng.coin();
    d.state.raster.global_depth_offset_scale = float_of(uint32_t(rng()));
    d.state.raster.dx_multisample_rasterization_enable = rng.coin();
    d.state.wm.line_stipple_enable = rng.coin(), d.state.wm.polygon_stipple_enable = rng.coin();
    d.state.sf.line_width = uint32_t(rng.interesting(18));
    auto& m = d.objects.viewports[0];
    m.viewport_matrix_element_m00 = m.viewport_matrix_element_m11 = float_of(uint32_t(rng.interesting(32)));
    m.x_max_viewport = float_of(uint32_t(rng.interesting(32))), m.y_max_viewport = 300;
    const auto number = [&] {
      switch (rng.below(4)) {
        case 0: return float_of(uint32_t(rng()));
        case 1: return std::array{0.f, -0.f, INFINITY, -INFINITY, NAN, 1e38f, 1e-40f, 32768.f}[rng.below(8)];
        default: return float(rng.below(4000)) / 16 - 60;
      }
    };
    Vertices v;
    Object o{.kind = ObjectKind(rng.below(4))};
    for (auto& slot : o.vertices) slot = v.add(number(), number(), number(), number(), number());
    o.point_width = number();
    const auto s = raster_state(d);
    ASSERT_TRUE(s);
    std::array<RasterPrimitive, 3> p;
    const unsigned made = set_up(*s, o, p);
    for (unsigned n = 0; n < made; ++n)
      rasterise(p[n], {64, 0, 128, 50}, blocks,
                [&](const Block& b) { ASSERT_TRUE(b.x >= 64 && b.x < 128 && b.y < 50 && b.pixels()); });
  }
}

TEST(Setup, RefusesByName) {
  Draw d = screen_draw();
  d.state.raster.forced_sample_count = 2;
  EXPECT_EQ(raster_state(d).error().unsupported, "3DSTATE_RASTER.ForcedSampleCount");
  d = screen_draw(3);
  EXPECT_EQ(raster_state(d).error().unsupported, "3DSTATE_MULTISAMPLE.NumberofMultisamples");
}

TEST(Setup, SamplePositions) {
  const auto p = screen_draw().state.sample_pattern;
  EXPECT_EQ(sample_positions(p, 1)[0], (SamplePosition{128, 128}));
  EXPECT_EQ(sample_positions(p, 2)[0], (SamplePosition{192, 192}));
  EXPECT_EQ(sample_positions(p, 4)[0], (SamplePosition{96, 32}));
  EXPECT_EQ(sample_positions(p, 8)[7], (SamplePosition{112, 240}));
}

TEST(Setup, CentroidIsTheFirstCoveredSample) {
  const Draw d = screen_draw(4);
  const RasterState s = raster_state(d).value();
  Primitive p;
  Block b{.primitive = &p, .x = 8, .y = 4, .samples = 4};
  b.coverage = {0b0001, 0b0011, 0b0001, 0b0111};
  const PixelPlaces at = centroid_places(s, b);
  EXPECT_EQ(at.x[0], 8.5f);  // all of them: the centre
  EXPECT_EQ(at.x[1], 9 + 14 / 16.f);
  EXPECT_EQ(at.y[1], 4 + 6 / 16.f);
  EXPECT_EQ(at.x[2], 8 + 10 / 16.f);
  EXPECT_EQ(at.y[2], 5 + 14 / 16.f);
  EXPECT_EQ(at.x[3], 9.5f);
}

}  // namespace
}  // namespace vitro::pipeline
