// Opaque triangles one behind the other, tested by their depths: every pixel is that of the nearest one, and no other
// of them is shaded there. PRM: Gen8 vol 7 "Depth Test"; what each one covers is seen where it is drawn alone.
#include "base/random.h"
#include "bench_test.h"

namespace vitro::drawing {
namespace {

constexpr unsigned triangles = 10;  // as many vertices as there is room for

struct Triangle {
  std::array<Vector, 3> corners{};
  Vector colour{};
};
// Large ones, of different depths.
std::vector<Triangle> some_triangles(Rng& r) {
  std::vector<unsigned> order(triangles);
  for (unsigned n = 0; n < triangles; ++n) std::swap(order[n] = n, order[r.below(n + 1)]);
  const auto at = [&](float from) { return from + float(r.below(60)) / 100; };
  std::vector<Triangle> all;
  for (unsigned n = 0; n < triangles; ++n) {
    const float z = 0.05f + 0.08f * float(order[n]);  // the last one is behind what the buffer is cleared to
    all.push_back({.corners = {{{at(-1.2f), at(-1.2f), z, 1}, {at(.6f), at(-.3f), z, 1}, {at(-.3f), at(.6f), z, 1}}},
                   .colour = {float(n) / triangles, float(r.below(100)) / 100, 1, 1}});
  }
  return all;
}
Drawing drawing_of(const Generation& g, uint8_t depth_format, std::span<const Triangle> all) {
  Drawing d{.device = g.device, .places = roomy, .depth_format = depth_format, .clears = true};
  d.positions.clear(), d.attributes.clear();
  for (const Triangle& t : all) {
    d.positions.insert(d.positions.end(), t.corners.begin(), t.corners.end());
    d.attributes.insert(d.attributes.end(), 3, t.colour);
  }
  return d;
}

TEST(Drawing, OfTrianglesWithDepthTheNearestIsShaded) {
  Rng r(5);
  for (const Generation& g : generations)
    for (const uint8_t format : {uint8_t(1), uint8_t(3), uint8_t(5)})
      for (int round = 0; round < 3; ++round) {
        SCOPED_TRACE(fmt::format("{} {} {}", g.name, format, round));
        const std::vector<Triangle> all = some_triangles(r);
        const Drawing d = drawing_of(g, format, all);
        const Drawn together = draw(d);
        ASSERT_EQ(text(together.fault), "");
        const std::vector<std::byte> before = memory_of(d);
        std::vector<Drawn> alone;
        for (const Triangle& t : all) alone.push_back(draw(drawing_of(g, format, {&t, 1})));
        uint64_t visible = 0, covered = 0;
        for (uint32_t y = 0; y < edge; ++y)
          for (uint32_t x = 0; x < edge; ++x) {
            const uint64_t at = texel_at(d, x, y);
            uint32_t expected;
            std::memcpy(&expected, before.data() + at, sizeof expected);
            const uint32_t nothing = expected;
            float nearest = 1;
            for (unsigned n = 0; n < triangles; ++n) {
              if (alone[n].get(at) == nothing) continue;
              ++covered;
              if (const float z = all[n].corners[0][2]; z < nearest) nearest = z, expected = alone[n].get(at);
            }
            visible += expected != nothing;
            ASSERT_EQ(together.get(at), expected) << x << " " << y;
          }
        EXPECT_GT(covered, 2 * visible);
        EXPECT_EQ(together.pixels, visible);
      }
}

}  // namespace
}  // namespace vitro::drawing
