// The clipper: tests by hand, and random triangles against a reference that asks for each of many points of the
// original whether it is inside, and whether exactly one part has it, with the attributes it should have there.
#include "pipeline/clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace vitro::pipeline {
namespace {

using Vertex = std::array<Slot, 6>;

uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }
Vertex vertex(float x, float y, float z, float w) {
  Vertex v{};
  v[1] = {bits(x), bits(y), bits(z), bits(w)};
  return v;
}
Object triangle(const std::array<Vertex, 3>& v, uint8_t provoking = 0) {
  Object o{.vertices = {v[0].data(), v[1].data(), v[2].data()}, .slots = 6, .provoking = provoking};
  o.flat = o.vertices[provoking];
  return o;
}
Object line(const std::array<Vertex, 3>& v) {
  Object o = triangle(v);
  o.kind = ObjectKind::line;
  return o;
}
Object point(const Vertex& v) {
  return {.kind = ObjectKind::point, .vertices = {v.data(), nullptr, nullptr}, .flat = v.data(), .slots = 6};
}

Draw drawing() {
  Draw d;
  d.state.clip = {.guardband_clip_test_enable = true,
                  .viewport_xy_clip_test_enable = true,
                  .api_mode = 0,
                  .clip_enable = true,
                  .maximum_point_width = 255 * 8,
                  .minimum_point_width = 1};
  d.state.raster.viewport_z_clip_test_enable = true;
  for (state::SfClipViewport& v : d.objects.viewports)
    v.x_min_clip_guardband = v.y_min_clip_guardband = -4, v.x_max_clip_guardband = v.y_max_clip_guardband = 4;
  return d;
}
unsigned parts(const Draw& d, const Object& o) {
  Arena arena;
  Clipped c;
  clip(make_clip_state(d), o, arena, c);
  return c.count;
}

TEST(Clip, AcceptsAndRejects) {
  const Draw d = drawing();
  EXPECT_EQ(parts(d, triangle({vertex(-1, -1, 0, 1), vertex(1, -1, 0, 1), vertex(0, 1, 0, 1)})), 1u);
  EXPECT_EQ(parts(d, triangle({vertex(-3, -1, 0, 1), vertex(3, -1, 0, 1), vertex(0, 3, 0, 1)})), 1u) << "guard band";
  EXPECT_EQ(parts(d, triangle({vertex(2, -1, 0, 1), vertex(3, -1, 0, 1), vertex(2, 3, 0, 1)})), 0u) << "viewport";
  EXPECT_EQ(parts(d, triangle({vertex(-5, 0, 0, 1), vertex(0, -1, 0, 1), vertex(0, 1, 0, 1)})), 2u);
  EXPECT_EQ(parts(d, triangle({vertex(0, 0, 2, 1), vertex(1, 0, 2, 1), vertex(0, 1, 3, 1)})), 0u) << "far";
  EXPECT_EQ(parts(d, triangle({vertex(0, 0, 0, -1), vertex(1, 0, 0, -1), vertex(0, 1, 0, -1)})), 0u) << "behind";
  EXPECT_EQ(parts(d, triangle({vertex(NAN, 0, 0, 1), vertex(1, 0, 0, 1), vertex(0, 1, 0, 1)})), 0u);
  EXPECT_EQ(parts(d, triangle({vertex(INFINITY, 0, 0, 1), vertex(1, 0, 0, 1), vertex(0, 1, 0, 1)})), 0u);
}

TEST(Clip, DepthTests) {
  Draw d = drawing();
  const Vertex far_vertex = vertex(0, 0, 1.5f, 1);
  const Vertex near_vertex = vertex(0, 0, -0.5f, 1);
  EXPECT_EQ(parts(d, point(near_vertex)), 1u);
  d.state.clip.api_mode = 1;
  EXPECT_EQ(parts(d, point(near_vertex)), 0u);
  EXPECT_EQ(parts(d, point(far_vertex)), 0u);
  d.state.raster.viewport_z_clip_test_enable = false;
  d.state.raster.viewport_z_near_clip_test_enable = true;
  EXPECT_EQ(parts(d, point(near_vertex)), 0u);
  EXPECT_EQ(parts(d, point(far_vertex)), 1u);
  d.state.raster.viewport_z_near_clip_test_enable = false;
  d.state.raster.viewport_z_far_clip_test_enable = true;
  EXPECT_EQ(parts(d, point(near_vertex)), 1u);
  EXPECT_EQ(parts(d, point(far_vertex)), 0u);
}

TEST(Clip, Modes) {
  Draw d = drawing();
  const std::array<Vertex, 3> v{vertex(-9, 0, 0, 1), vertex(0, 0, 0, 1), vertex(0, 1, 0, 1)};
  EXPECT_EQ(parts(d, triangle(v)), 2u);
  d.state.clip.perspective_divide_disable = true;
  EXPECT_EQ(parts(d, triangle(v)), 1u);
  d = drawing();
  d.state.clip.clip_mode = 4;
  EXPECT_EQ(parts(d, triangle(v)), 1u);
  d.state.clip.clip_mode = 3;
  EXPECT_EQ(parts(d, triangle(v)), 0u);
  d.state.clip.clip_enable = false;
  EXPECT_EQ(parts(d, triangle(v)), 1u);
  d = drawing();
  Object r = triangle(v);
  r.kind = ObjectKind::rectangle;
  EXPECT_EQ(parts(d, r), 1u);
}

TEST(Clip, PointsGoByTheirCentre) {
  Draw d = drawing();
  const Vertex outside = vertex(1.5f, 0, 0, 1), far_outside = vertex(50, 0, 0, 1);
  EXPECT_EQ(parts(d, point(outside)), 0u);
  d.state.clip.viewport_xy_clip_test_enable = false;
  EXPECT_EQ(parts(d, point(outside)), 1u);
  EXPECT_EQ(parts(d, point(far_outside)), 1u) << "the guard band does not concern points";
}

TEST(Clip, HeaderFields) {
  Draw d = drawing();
  d.state.clip.maximum_vp_index = 3;
  d.state.sf.point_width = 20;
  d.state.sf.point_width_source = 1;
  Vertex v = vertex(0, 0, 0, 1);
  v[0] = {0, 5, 3, bits(1000)};
  Arena arena;
  Clipped c;
  clip(make_clip_state(d), point(v), arena, c);
  EXPECT_EQ(c.objects[0].layer, 5);
  EXPECT_EQ(c.objects[0].viewport, 3);
  EXPECT_EQ(c.objects[0].point_width, 2.5f);
  d.state.sf.point_width_source = 0;
  d.state.clip.force_zero_rta_index_enable = true;
  v[0][2] = 4;
  clip(make_clip_state(d), point(v), arena, c);
  EXPECT_EQ(c.objects[0].layer, 0);
  EXPECT_EQ(c.objects[0].viewport, 0);
  EXPECT_EQ(c.objects[0].point_width, 255.0f);
  v[0][3] = bits(NAN);
  clip(make_clip_state(d), point(v), arena, c);
  EXPECT_EQ(c.objects[0].point_width, 0.125f);
}

TEST(Clip, UserDistances) {
  Draw d = drawing();
  d.state.vs = {.enable = true,
                .user_clip_distance_cull_test_enable_bitmask = 0b10,
                .user_clip_distance_clip_test_enable_bitmask = 0b1};
  std::array<Vertex, 3> v{vertex(-1, -1, 0, 1), vertex(1, -1, 0, 1), vertex(0, 1, 0, 1)};
  const auto set = [&](unsigned n, float clip, float cull) { v[n][2] = {bits(clip), bits(cull), 0, 0}; };
  set(0, 1, 1), set(1, 1, -1), set(2, 1, -1);
  EXPECT_EQ(parts(d, triangle(v)), 1u);
  set(0, 1, -1);
  EXPECT_EQ(parts(d, triangle(v)), 0u) << "culled";
  set(0, -1, 1);
  EXPECT_EQ(parts(d, triangle(v)), 2u);
  set(0, NAN, 1);
  EXPECT_EQ(parts(d, triangle(v)), 0u);
  d.state.clip.force_user_clip_distance_clip_test_enable_bitmask = true;
  EXPECT_EQ(parts(d, triangle(v)), 1u);
  set(0, -1, 1), set(1, -1, 1), set(2, -1, 1);
  d.state.clip.user_clip_distance_clip_test_enable_bitmask = 0b1;
  EXPECT_EQ(parts(d, triangle(v)), 0u);
}

TEST(Clip, EdgesAndProvokingVertex) {
  const Draw d = drawing();
  const std::array<Vertex, 3> v{vertex(-8, 0, 0, 1), vertex(0, -1, 0, 1), vertex(0, 1, 0, 1)};
  Arena arena;
  Clipped c;
  const Object whole = triangle(v, 0);
  clip(make_clip_state(d), whole, arena, c);
  ASSERT_EQ(c.count, 2u);
  unsigned drawn = 0;
  for (unsigned n = 0; n < c.count; ++n) {
    EXPECT_EQ(c.objects[n].flat, v[0].data()) << "which was cut off";
    drawn += unsigned(std::popcount(c.objects[n].edges));
  }
  EXPECT_EQ(drawn, 3u) << "neither the cut nor the diagonal";
}

TEST(Clip, Lines) {
  Draw d = drawing();
  d.state.clip.non_perspective_barycentric_enable = true;
  std::array<Vertex, 3> v{vertex(0, 0, 0, 1), vertex(32, 0, 0, 4), vertex(0, 0, 0, 1)};
  v[0][4][0] = bits(10), v[1][4][0] = bits(20);
  Arena arena;
  Clipped c;
  clip(make_clip_state(d), line(v), arena, c);
  ASSERT_EQ(c.count, 1u);
  const Object& o = c.objects[0];
  EXPECT_EQ(o.vertices[0], v[0].data());
  // x = 4 w: 32 t = 4 (1 + 3 t)
  EXPECT_NEAR(float_of(o.vertices[1][4][0]), 12, 1e-5);
  EXPECT_NEAR(float_of(o.vertices[1][1][0]) / float_of(o.vertices[1][1][3]), 4, 1e-6);
  // In screen space it is half way from 0 to 8: 15, which of 10 to 12 is 2.5.
  ASSERT_TRUE(o.linear);
  EXPECT_NEAR(o.linear->at[0][0], 0, 1e-6);
  EXPECT_NEAR(o.linear->at[1][0], 2.5, 1e-5);
}

// --- against points

double number(Rng& random, double least, double most) {
  return least + (most - least) * double(random() >> 11) / double(uint64_t(1) << 53);
}
using Weights = std::array<double, 3>;

// Where a point (in clip space, up to a factor) is in a part, by weights; nothing if outside by more than a little.
std::optional<Weights> weights_in(const Object& part, const std::array<double, 4>& p, double little = 0) {
  // solve sum w_k * (x, y, w)_k = (x, y, w) of the point
  std::array<std::array<double, 3>, 3> m;
  for (size_t k = 0; k < 3; ++k)
    m[k] = {double(float_of(part.vertices[k][1][0])), double(float_of(part.vertices[k][1][1])),
            double(float_of(part.vertices[k][1][3]))};
  const auto det = [](const auto& a, const auto& b, const auto& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  const std::array<double, 3> q{p[0], p[1], p[3]};
  const double all = det(m[0], m[1], m[2]);
  Weights w{det(q, m[1], m[2]) / all, det(m[0], q, m[2]) / all, det(m[0], m[1], q) / all};
  for (double x : w)
    if (!(x >= -little)) return std::nullopt;
  return w;
}

TEST(Clip, TrianglesAgainstPoints) {
  Rng random(11);
  unsigned clipped = 0, tested = 0;
  for (int round = 0; round < 3000; ++round) {
    Draw d = drawing();
    d.state.clip.non_perspective_barycentric_enable = true;
    d.state.clip.api_mode = uint8_t(random.coin());
    d.state.clip.guardband_clip_test_enable = random.coin();
    d.state.clip.force_user_clip_distance_clip_test_enable_bitmask = true;
    d.state.clip.user_clip_distance_clip_test_enable_bitmask = random.coin() ? 0b00100001 : 0;
    const bool in_front = random.coin();
    std::array<Vertex, 3> v;
    for (Vertex& x : v) {
      const double w = number(random, in_front ? 0.2 : -2, 3);
      x = vertex(float(number(random, -9, 9)), float(number(random, -9, 9)), float(number(random, -2, 3)), float(w));
      for (unsigned s = 2; s < 6; ++s)
        for (unsigned c = 0; c < 4; ++c) x[s][c] = bits(float(number(random, -1, 2)));
    }
    const Object whole = triangle(v, 1);
    Arena arena;
    Clipped parts;
    clip(make_clip_state(d), whole, arena, parts);
    clipped += parts.count > 1;
    const double side = d.state.clip.guardband_clip_test_enable ? 4 : 1;
    for (int sample = 0; sample < 20; ++sample) {
      Weights b{number(random, 0, 1), number(random, 0, 1), 0};
      if (b[0] + b[1] > 1) b[0] = 1 - b[0], b[1] = 1 - b[1];
      b[2] = 1 - b[0] - b[1];
      const auto mixed = [&](unsigned slot, unsigned c) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) sum += b[k] * double(float_of(v[k][slot][c]));
        return sum;
      };
      const std::array<double, 4> p{mixed(1, 0), mixed(1, 1), mixed(1, 2), mixed(1, 3)};
      double inside = std::min({p[0] + side * p[3], side * p[3] - p[0], p[1] + side * p[3], side * p[3] - p[1],
                                d.state.clip.api_mode ? p[2] : p[2] + p[3], p[3] - p[2], p[3]});
      if (d.state.clip.user_clip_distance_clip_test_enable_bitmask)
        inside = std::min({inside, mixed(2, 0), mixed(3, 1)});
      if (std::abs(inside) < 1e-4) continue;
      ++tested;
      unsigned found = 0, almost = 0;
      for (unsigned n = 0; n < parts.count; ++n) {
        const Object& part = parts.objects[n];
        EXPECT_EQ(part.flat, v[1].data());
        almost += weights_in(part, p, 1e-4).has_value();
        const auto w = weights_in(part, p);
        if (!w) continue;
        ++found;
        const double scale = (*w)[0] + (*w)[1] + (*w)[2];
        // Attributes, with perspective: the weights are in clip space.
        for (unsigned s = 2; s < 6; ++s) {
          double value = 0;
          for (size_t k = 0; k < 3; ++k) value += (*w)[k] / scale * double(float_of(part.vertices[k][s][2]));
          EXPECT_NEAR(value, mixed(s, 2), 1e-3);
        }
        // Without perspective, where all of the original has a place in screen space.
        if (in_front && part.linear) {
          double value = 0, expected = 0, all = 0;
          std::array<double, 2> l{};
          for (size_t k = 0; k < 3; ++k) {
            const double screen = (*w)[k] * double(float_of(part.vertices[k][1][3])) / p[3];
            for (size_t c = 0; c < 2; ++c) l[c] += screen * double(part.linear->at[k][c]);
          }
          const auto at = [&](size_t k) { return double(float_of(part.vertices[k][5][3])); };
          value = at(0) + l[0] * (at(1) - at(0)) + l[1] * (at(2) - at(0));
          for (size_t k = 0; k < 3; ++k) {
            const double screen = b[k] * double(float_of(v[k][1][3])) / p[3];
            expected += screen * double(float_of(v[k][5][3]));
            all += screen;
          }
          EXPECT_NEAR(all, 1, 1e-6);
          // slivers lose digits
          const double most = std::abs(l[0]) + std::abs(l[1]);
          if (most < 100) {
            EXPECT_NEAR(value, expected, 1e-3 * (1 + most));
          }
        }
      }
      // A triangle may be rejected by the viewport although the guard band has it.
      const bool seen = std::abs(p[0]) < p[3] && std::abs(p[1]) < p[3];
      if (inside > 0 && (parts.count || seen)) {
        EXPECT_LE(found, 1u);
        EXPECT_GE(almost, 1u);
      }
      if (inside < 0) {
        EXPECT_EQ(found, 0u);
      }
    }
  }
  EXPECT_GT(clipped, 500u);
  EXPECT_GT(tested, 20000u);
}

// The area of what is left, against a sum over a fine grid.
TEST(Clip, KeepsTheArea) {
  Draw d = drawing();
  const std::array<Vertex, 3> v{vertex(-10, -3, 0, 1), vertex(9, -8, 0, 1), vertex(1, 12, 0, 1)};
  Arena arena;
  Clipped c;
  clip(make_clip_state(d), triangle(v), arena, c);
  double area = 0;
  for (unsigned n = 0; n < c.count; ++n) {
    const auto at = [&](size_t k, size_t i) { return double(float_of(c.objects[n].vertices[k][1][i])); };
    const double part =
        ((at(1, 0) - at(0, 0)) * (at(2, 1) - at(0, 1)) - (at(2, 0) - at(0, 0)) * (at(1, 1) - at(0, 1))) / 2;
    EXPECT_GT(part, 0) << "the winding stays";
    area += part;
  }
  constexpr int grid = 800;
  int inside = 0;
  for (int y = 0; y < grid; ++y)
    for (int x = 0; x < grid; ++x)
      inside += weights_in(triangle(v), {8.0 * (x + 0.5) / grid - 4, 8.0 * (y + 0.5) / grid - 4, 0, 1}).has_value();
  EXPECT_NEAR(area, 64.0 * inside / grid / grid, 0.05);
}

}  // namespace
}  // namespace vitro::pipeline
