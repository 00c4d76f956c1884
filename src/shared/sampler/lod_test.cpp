// Tests of levels of detail: what subspans and gradients give, against logarithms in double precision, on surfaces of
// all kinds; helper lanes, the message's smallest LOD, and the probes of anisotropic filters against means in double
// precision. PRM: as level.cpp.
#include <cmath>
#include <random>

#include "shared/sampler/sampler_bench_test.h"

namespace vitro::shared {
namespace {

using state::AddressMode;
using state::MapFilter;
using state::MipFilter;
using state::SurfaceType;

struct Chance {
  std::mt19937 engine{11};
  float between(float a, float b) { return a + (b - a) * float(engine() % 100000) / 100000; }
};

state::Sampler mip_sampler(const SamplerBench& b, MipFilter mip, MapFilter filter = MapFilter::linear) {
  state::Sampler s = linear_sampler();
  s.min_filter = s.mag_filter = filter;
  s.mip_filter = mip;
  s.lod_preclamp = b.generation.column == 0 ? 1 : 2;
  s.max_lod_field = b.generation.column == 0 ? 13 << 6 : 14 << 8;
  return s;
}

using Vector = std::array<double, 3>;
double length(const Vector& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

TEST(Lod, is_the_logarithm_of_the_longer_side) {
  FOR_EACH_GENERATION(b) {
    Chance chance;
    for (const SurfaceType type : {SurfaceType::one_d, SurfaceType::two_d, SurfaceType::three_d}) {
      state::Surface s = plain_2d("R8_UNORM", 64, type == SurfaceType::one_d ? 1 : 32, 512);
      s.type = type, s.depth_less_1 = type == SurfaceType::three_d ? 15 : 0;
      b.guest.set_surface(b.bti, s);
      b.set_sampler(mip_sampler(b, MipFilter::linear));
      const double size[3] = {64, 32, 16};
      const size_t axes = type == SurfaceType::one_d ? 1 : type == SurfaceType::two_d ? 2 : 3;
      const char* names[3] = {"u", "v", "r"};
      for (int n = 0; n < 50; ++n) {
        Parameters p;
        std::array<double, 2> want;
        for (int span = 0; span < 2; ++span) {
          Vector dx{}, dy{};
          const float scale = std::exp2(chance.between(-8, 2));
          for (size_t k = 0; k < 3; ++k) {
            const float at = chance.between(0, 1), x = at + chance.between(-1, 1) * scale,
                        y = at + chance.between(-1, 1) * scale;
            const float values[] = {at, x, y, chance.between(-9, 9)};  // the fourth does not count
            for (int lane = 0; lane < 4; ++lane) p[names[k]][size_t(span * 4 + lane)] = bits_of(values[lane]);
            if (k < axes) dx[k] = double(x - at) * size[k], dy[k] = double(y - at) * size[k];
          }
          want[size_t(span)] = std::log2(std::fmax(length(dx), length(dy)));
        }
        b.channels = 0x88;  // the others are helpers
        b.send("lod", p);
        EXPECT_NEAR(double(b.number(1, 3)), want[0], 1e-5) << b.generation.name << int(type);
        EXPECT_NEAR(double(b.number(1, 7)), want[1], 1e-5) << b.generation.name << int(type);
      }
    }
  }
}

TEST(Lod, of_cubes_is_that_of_the_face) {
  FOR_EACH_GENERATION(b) {
    Chance chance;
    state::Surface s = plain_2d("R8_UNORM", 32, 32, 512);
    s.type = SurfaceType::cube, s.cube_faces = 63, s.qpitch_field = 16;
    b.guest.set_surface(b.bti, s);
    b.set_sampler(mip_sampler(b, MipFilter::linear, MapFilter::linear));
    for (unsigned face = 0; face < 6; ++face)
      for (int n = 0; n < 20; ++n) {
        // Three points of a face, and directions to them that differ in length by little.
        const double step = 1e-3;
        double st[3][2];
        Parameters p;
        const double at[2] = {double(chance.between(-0.9f, 0.9f)), double(chance.between(-0.9f, 0.9f))};
        for (int k = 0; k < 3; ++k) {
          st[k][0] = at[0] + (k ? double(chance.between(-1, 1)) * step : 0);
          st[k][1] = at[1] + (k ? double(chance.between(-1, 1)) * step : 0);
          const double x = st[k][0], y = st[k][1];
          const double all[6][3] = {{1, -y, -x}, {-1, -y, x}, {x, 1, y}, {x, -1, -y}, {x, -y, 1}, {-x, -y, -1}};
          p["u"][size_t(k)] = bits_of(float(all[face][0]) * 3);
          p["v"][size_t(k)] = bits_of(float(all[face][1]) * 3);
          p["r"][size_t(k)] = bits_of(float(all[face][2]) * 3);
        }
        const auto side = [&](int k) { return std::hypot(st[k][0] - st[0][0], st[k][1] - st[0][1]) * 16; };
        b.send("lod", p);
        EXPECT_NEAR(double(b.number(1, 0)), std::log2(std::fmax(side(1), side(2))), 2e-3) << b.generation.name << face;
      }
  }
}

// 64 x 64 with seven levels, each filled with its number.
void set_levels(SamplerBench& b) {
  const uint32_t place[7][2] = {{0, 0}, {0, 64}, {32, 64}, {32, 80}, {32, 88}, {32, 92}, {32, 96}};
  for (uint32_t level = 0; level < 7; ++level)
    for (uint32_t y = 0; y < 64u >> level; ++y)
      for (uint32_t x = 0; x < 64u >> level; ++x)
        b.guest.view.store<float>(texture_base + (place[level][1] + y) * 256 + (place[level][0] + x) * 4, float(level));
  state::Surface s = plain_2d("R32_FLOAT", 64, 64, 256);
  s.mip_count = 6;
  b.guest.set_surface(b.bti, s);
}
// u and v of two subspans, sides in texels of 64.
Parameters subspans(float dudx, float dvdx, float dudy, float dvdy, float at = 0.5f) {
  Parameters p;
  for (size_t n = 0; n < 8; ++n) {
    p["u"][n] = bits_of(at + ((n & 1 ? dudx : 0) + (n & 2 ? dudy : 0)) / 64);
    p["v"][n] = bits_of(at + ((n & 1 ? dvdx : 0) + (n & 2 ? dvdy : 0)) / 64);
  }
  return p;
}

TEST(Lod, messages_may_send_the_smallest_they_want) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    Parameters p = subspans(2, 0, 0, 1);
    p["mlod"] = lanes({0, 3, 1.5f, 0.5f, 9, -1, 2.25f, 1});
    b.send("sample", p);
    const float expected[] = {1, 3, 1.5f, 1, 6, 1, 2.25f, 1};
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), expected[n]) << b.generation.name << n;
  }
}

TEST(Lod, anisotropic_filters_take_levels_for_the_shorter_side) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    set_levels(b);
    state::Sampler s = mip_sampler(b, MipFilter::linear, MapFilter::anisotropic);
    const struct {
      float dudx, dvdx, dudy, dvdy;
      uint8_t most;
      float lod;
    } cases[] = {
        {8, 0, 0, 2, 7, 1},   // four times as long
        {8, 0, 0, 2, 0, 2},   // but not more than twice
        {0, 16, 1, 0, 7, 0},  // 16 times
        {0, 16, 1, 0, 1, 2},   {4, 4, -4, 4, 7, 2.5f}, {32, 0, 0, 0, 7, 1},
        {0.5f, 0, 0, 4, 7, 0}, {0, 0, 0, 0, 7, 0},     {4, 0, 0, 4, 3, 2},
    };
    for (const auto& c : cases) {
      s.maximum_anisotropy = c.most;
      b.set_sampler(s);
      b.send("sample", subspans(c.dudx, c.dvdx, c.dudy, c.dvdy));
      for (unsigned n = 0; n < 8; ++n) EXPECT_NEAR(b.number(0, n), c.lod, 1e-6f) << c.dudx << " " << c.dvdy;
      const auto gradient = [](float x) { return same(x / 64); };
      b.send("sample_d", {{"u", same(0.5f)},
                          {"v", same(0.5f)},
                          {"dudx", gradient(c.dudx)},
                          {"dudy", gradient(c.dudy)},
                          {"dvdx", gradient(c.dvdx)},
                          {"dvdy", gradient(c.dvdy)}});
      EXPECT_NEAR(b.number(0, 0), c.lod, 1e-6f) << c.dudx << " " << c.dvdy;
    }
    // A LOD that is sent has no sides.
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({3, 1.5f})}});
    EXPECT_EQ(b.number(0, 0), 3);
    EXPECT_EQ(b.number(0, 1), 1.5f);
  }
}

double pattern(long x, long y) { return double((x * 7 + y * 13 + x * y) % 32) / 32; }
double bilinear(double x, double y) {
  x -= 0.5, y -= 0.5;
  const long i = long(std::floor(x)), j = long(std::floor(y));
  const double fx = x - double(i), fy = y - double(j);
  const auto at = [](long a, long c) { return pattern(a & 63, c & 63); };
  return (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i + 1, j)) + fy * ((1 - fx) * at(i, j + 1) + fx * at(i + 1, j + 1));
}

TEST(Lod, anisotropic_filters_average_probes_along_the_longer_side) {
  FOR_EACH_GENERATION(b) {
    Chance chance;
    b.set_floats(64, 64, [](uint32_t x, uint32_t y) { return pattern(x, y); });
    state::Sampler s = linear_sampler(AddressMode::wrap);
    s.min_filter = s.mag_filter = MapFilter::anisotropic;
    for (int n = 0; n < 60; ++n) {
      s.maximum_anisotropy = uint8_t(n % 8);
      b.set_sampler(s);
      const double angle = double(chance.between(0, 6)), longer = double(chance.between(1, 20)),
                   shorter = double(chance.between(0.5f, 1)) * longer / double(chance.between(1, 16));
      const double side[2] = {longer * std::cos(angle), longer * std::sin(angle)};
      const double other[2] = {-shorter * std::sin(angle), shorter * std::cos(angle)};
      const bool swapped = n % 2;
      const auto& x = swapped ? other : side;
      const auto& y = swapped ? side : other;
      const float u = chance.between(0, 1), v = chance.between(0, 1);
      b.send("sample_d", {{"u", same(u)},
                          {"v", same(v)},
                          {"dudx", same(float(x[0] / 64))},
                          {"dudy", same(float(y[0] / 64))},
                          {"dvdx", same(float(x[1] / 64))},
                          {"dvdy", same(float(y[1] / 64))}});
      const double ratio = std::fmin(longer / shorter, 2 * (s.maximum_anisotropy + 1));
      if (std::fabs(ratio - std::round(ratio)) < 1e-4 && ratio < 2 * (s.maximum_anisotropy + 1)) continue;
      const int count = int(std::ceil(ratio - 1e-9));
      double sum = 0;
      for (int k = 0; k < count; ++k) {
        const double part = (k + 0.5) / count - 0.5;
        sum += bilinear(double(u) * 64 + side[0] * part, double(v) * 64 + side[1] * part);
      }
      EXPECT_NEAR(double(b.number(0, 0)), sum / count, 1 / 128.0) << b.generation.name << " " << ratio;
    }
  }
}

TEST(Lod, anisotropic_probes_leave_the_face_of_a_cube) {
  FOR_EACH_GENERATION(b) {
    // Faces of one colour each.
    const uint32_t rows = b.generation.surface.rules.has_qpitch ? 8 : 8 + 4 + 44;
    for (uint32_t f = 0; f < 6; ++f)
      for (uint32_t y = 0; y < 8; ++y)
        for (uint32_t x = 0; x < 8; ++x)
          b.guest.view.store<float>(texture_base + (f * rows + y) * 64 + 4 * x, float(f * 100));
    state::Surface surface = plain_2d("R32_FLOAT", 8, 8, 64);
    surface.type = SurfaceType::cube, surface.qpitch_field = 2, surface.cube_faces = 63;
    b.guest.set_surface(b.bti, surface);
    state::Sampler s = linear_sampler(AddressMode::cube);
    s.min_filter = s.mag_filter = MapFilter::anisotropic, s.maximum_anisotropy = 0;
    b.set_sampler(s);
    // On +z at the edge to +x; the longer side goes over it: two probes, two texels away on both faces.
    b.send("sample", {{"u", lanes({1, 3, 1, 3})}, {"v", lanes({0, 0, 0.1f, 0.1f})}, {"r", same(1.0f)}});
    EXPECT_EQ(b.number(0, 0), 200) << b.generation.name;
  }
}

}  // namespace
}  // namespace vitro::shared
