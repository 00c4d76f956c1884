// Tests of the sampler's filtered messages: filters and address modes against a second implementation in double
// precision, levels of detail, comparison, cubes, borders, arrays, volumes and gather4. On every generation that has
// the message.
#include <cmath>
#include <cstdlib>

#include "base/random.h"
#include "shared/sampler/sampler_bench_test.h"

namespace vitro::shared {
namespace {

using state::AddressMode;
using state::MapFilter;
using state::MipFilter;
using state::SurfaceType;

// The message that samples level 0 on this generation.
void sample_base(SamplerBench& b, Parameters p) {
  if (b.knows("sample_lz")) return b.send("sample_lz", p);
  p["lod"] = same(0.0f);
  b.send("sample_l", p);
}

// --- a second implementation, for surfaces of floats

struct Reference {
  int width, height;
  double (*texel)(int x, int y);
  AddressMode mode;
  double border;

  static int resolve(AddressMode mode, long i, int n) {
    const long period = mode == AddressMode::mirror ? 2L * n : n;
    switch (mode) {
      case AddressMode::wrap: return int(((i % period) + period) % period);
      case AddressMode::mirror: {
        const long m = ((i % period) + period) % period;
        return int(m < n ? m : period - 1 - m);
      }
      case AddressMode::mirror_once: return int(std::min<long>(i < 0 ? -1 - i : i, n - 1));
      case AddressMode::clamp_border:
      case AddressMode::half_border: return i < 0 || i >= n ? -1 : int(i);
      default: return int(std::min<long>(std::max<long>(i, 0), n - 1));
    }
  }
  double at(long x, long y) const {
    const int i = resolve(mode, x, width), j = resolve(mode, y, height);
    return i < 0 || j < 0 ? border : texel(i, j);
  }
  double nearest(double x, double y) const { return at(long(std::floor(x)), long(std::floor(y))); }
  double linear(double x, double y) const {
    if (mode == AddressMode::half_border) x = std::fmin(std::fmax(x, 0), width), y = std::fmin(std::fmax(y, 0), height);
    x -= 0.5, y -= 0.5;
    const long i = long(std::floor(x)), j = long(std::floor(y));
    const double fx = x - double(i), fy = y - double(j);
    return (1 - fy) * ((1 - fx) * at(i, j) + fx * at(i + 1, j)) +
           fy * ((1 - fx) * at(i, j + 1) + fx * at(i + 1, j + 1));
  }
};

double pattern(int x, int y) { return ((x * 7 + y * 13) % 16) / 16.0; }

constexpr AddressMode modes[] = {AddressMode::wrap,         AddressMode::mirror,      AddressMode::clamp,
                                 AddressMode::clamp_border, AddressMode::mirror_once, AddressMode::half_border};

TEST(Sampler, sample_lz_nearest_follows_every_address_mode) {
  FOR_EACH_GENERATION(b) {
    Rng rng(21);
    b.set_floats(7, 5, [](uint32_t x, uint32_t y) { return pattern(int(x), int(y)); });
    for (const AddressMode mode : modes) {
      if (mode == AddressMode::half_border) continue;
      b.set_sampler(nearest_sampler(mode), {2, 2, 2, 2});
      const Reference reference{7, 5, pattern, mode, 2};
      for (int n = 0; n < 50; ++n) {
        LaneValues u, v;
        for (unsigned lane = 0; lane < 8; ++lane)
          u[lane] = bits_of(float(rng.below(4000)) / 1000 - 1.5f),
          v[lane] = bits_of(float(rng.below(4000)) / 1000 - 1.5f);
        sample_base(b, {{"u", u}, {"v", v}});
        for (unsigned lane = 0; lane < 8; ++lane)
          ASSERT_EQ(b.number(0, lane), reference.nearest(double(float_of(u[lane]) * 7), double(float_of(v[lane]) * 5)))
              << b.generation.name << " mode " << int(mode) << " " << float_of(u[lane]) << " " << float_of(v[lane]);
      }
    }
  }
}

TEST(Sampler, sample_lz_linear_follows_every_address_mode) {
  FOR_EACH_GENERATION(b) {
    Rng rng(22);
    b.set_floats(7, 5, [](uint32_t x, uint32_t y) { return pattern(int(x), int(y)); });
    for (const AddressMode mode : modes) {
      b.set_sampler(linear_sampler(mode), {2, 2, 2, 2});
      const Reference reference{7, 5, pattern, mode, 2};
      for (int n = 0; n < 50; ++n) {
        LaneValues u, v;
        for (unsigned lane = 0; lane < 8; ++lane)
          u[lane] = bits_of(float(rng.below(4000)) / 1000 - 1.5f),
          v[lane] = bits_of(float(rng.below(4000)) / 1000 - 1.5f);
        sample_base(b, {{"u", u}, {"v", v}});
        // Weights have eight bits, the texels here differ by up to two: half a step on each axis.
        for (unsigned lane = 0; lane < 8; ++lane)
          ASSERT_NEAR(double(b.number(0, lane)),
                      reference.linear(double(float_of(u[lane])) * 7, double(float_of(v[lane])) * 5),
                      2 * 2 / 512.0 + 1e-5)
              << b.generation.name << " mode " << int(mode) << " " << float_of(u[lane]) << " " << float_of(v[lane]);
      }
    }
  }
}

TEST(Sampler, sample_lz_weights_have_eight_bits) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(2, 1, [](uint32_t x, uint32_t) { return x; });
    state::Sampler s = linear_sampler();
    s.non_normalized = true;
    b.set_sampler(s);
    sample_base(b, {{"u", lanes({0.5f, 0.75f, 0.5f + 1 / 256.0f, 0.5f + 1 / 600.0f, 0.5f + 1 / 400.0f, 1.5f})}});
    EXPECT_EQ(b.number(0, 0), 0.0f) << b.generation.name;
    EXPECT_EQ(b.number(0, 1), 0.25f);
    EXPECT_EQ(b.number(0, 2), 1 / 256.0f);
    EXPECT_EQ(b.number(0, 3), 0.0f);  // less than half of a step
    EXPECT_EQ(b.number(0, 4), 1 / 256.0f);
    EXPECT_EQ(b.number(0, 5), 1.0f);
    // Without rounding they are truncated.
    s.u_mag_rounding = s.u_min_rounding = false;
    b.set_sampler(s);
    sample_base(b, {{"u", lanes({0.5f + 1 / 257.0f, 0.5f + 1 / 256.0f})}});
    EXPECT_EQ(b.number(0, 0), 0.0f);
    EXPECT_EQ(b.number(0, 1), 1 / 256.0f);
  }
}

TEST(Sampler, sample_lz_of_texel_coordinates_and_offsets) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(8, 8, [](uint32_t x, uint32_t y) { return y * 10 + x; });
    state::Sampler s = nearest_sampler();
    s.non_normalized = true;
    b.set_sampler(s);
    sample_base(b, {{"u", lanes({0, 3.9f, 7.99f, 8, -1})}, {"v", same(2.0f)}});
    EXPECT_EQ(b.number(0, 0), 20) << b.generation.name;
    EXPECT_EQ(b.number(0, 1), 23);
    EXPECT_EQ(b.number(0, 2), 27);
    EXPECT_EQ(b.number(0, 3), 27);
    EXPECT_EQ(b.number(0, 4), 20);
    b.set_sampler(nearest_sampler(AddressMode::wrap));
    b.header = {0, 0, 0xE << 8 | 1 << 4, sampler_table, 0, 0, 0, 0};  // u - 2, v + 1
    sample_base(b, {{"u", same(0.5f / 8)}, {"v", same(0.5f / 8)}});
    EXPECT_EQ(b.number(0, 0), 16) << b.generation.name;
  }
}

TEST(Sampler, sample_lz_survives_strange_coordinates) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(8, 8, [](uint32_t, uint32_t) { return 3; });
    const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
    for (const AddressMode mode : modes) {
      for (const bool linear : {false, true}) {
        b.set_sampler(linear ? linear_sampler(mode) : nearest_sampler(mode), {3, 3, 3, 3});
        sample_base(b, {{"u", lanes({inf, -inf, nan, 1e30f, -1e30f, 1e9f, 0, 0})},
                        {"v", lanes({0, 0, 0, 0, 0, 0, nan, -inf})},
                        {"r", lanes({0, nan, inf, -inf})}});
        for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), 3) << b.generation.name << n;
      }
    }
  }
}

TEST(Sampler, sample_lz_in_one_and_three_dimensions) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    state::Surface s = b.set_floats(4, 1, [](uint32_t x, uint32_t) { return x; });
    s.type = SurfaceType::one_d;
    b.guest.set_surface(b.bti, s);
    b.set_sampler(linear_sampler());
    sample_base(b, {{"u", lanes({0.5f, 0.25f, 1})}});
    EXPECT_EQ(b.number(0, 0), 1.5f);
    EXPECT_EQ(b.number(0, 1), 0.5f);
    EXPECT_EQ(b.number(0, 2), 3.0f);

    // Four slices of 2 x 2; each has four rows with its padding.
    const uint32_t rows = 4;
    for (uint32_t z = 0; z < 4; ++z)
      for (uint32_t y = 0; y < 2; ++y)
        for (uint32_t x = 0; x < 2; ++x)
          b.guest.view.store<float>(texture_base + (z * rows + y) * 64 + 4 * x, float(z * 100 + y * 10 + x));
    s = plain_2d("R32_FLOAT", 2, 2, 64);
    s.type = SurfaceType::three_d, s.depth_less_1 = 3, s.qpitch_field = 1;
    b.guest.set_surface(b.bti, s);
    sample_base(b, {{"u", same(0.5f)}, {"v", same(0.5f)}, {"r", lanes({0, 0.5f, 0.375f, 1})}});
    EXPECT_EQ(b.number(0, 0), 5.5f);
    EXPECT_EQ(b.number(0, 1), 155.5f);
    EXPECT_EQ(b.number(0, 2), 105.5f);
    EXPECT_EQ(b.number(0, 3), 305.5f);
    b.set_sampler(nearest_sampler());
    sample_base(b, {{"u", same(0.9f)}, {"v", same(0.1f)}, {"r", lanes({0.3f, 0.8f})}});
    EXPECT_EQ(b.number(0, 0), 101.0f);
    EXPECT_EQ(b.number(0, 1), 301.0f);
  }
}

TEST(Sampler, sample_lz_rounds_and_clamps_the_layer) {
  FOR_EACH_GENERATION(b) {
    const uint32_t rows = b.generation.surface.rules.has_qpitch ? 8 : 4 + 4 + 44;
    for (uint32_t z = 0; z < 4; ++z) b.guest.view.store<float>(texture_base + z * rows * 64, float(z));
    state::Surface s = plain_2d("R32_FLOAT", 1, 1, 64);
    s.array = true, s.depth_less_1 = 3, s.qpitch_field = 2;
    b.guest.set_surface(b.bti, s);
    b.set_sampler(nearest_sampler());
    sample_base(b, {{"r", lanes({0, 0.4f, 0.5f, 1.5f, 2.6f, 9, -3, 2})}});
    const float expected[] = {0, 0, 0, 2, 3, 3, 0, 2};
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), expected[n]) << b.generation.name << n;
    s.type = SurfaceType::one_d;
    if (b.generation.surface.rules.linear_1d_in_one_row) s.qpitch_field = rows * 64 / 4 / 4;
    b.guest.set_surface(b.bti, s);
    sample_base(b, {{"v", lanes({3, 1})}});
    EXPECT_EQ(b.number(0, 0), 3) << b.generation.name;
    EXPECT_EQ(b.number(0, 1), 1) << b.generation.name;
  }
}

TEST(Sampler, border_colours_have_the_format_s_channels) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    b.set_sampler(nearest_sampler(AddressMode::clamp_border), {0.25f, 0.5f, -0.75f, 0.125f});
    const auto border_of = [&](const char* format) {
      b.guest.set_surface(b.bti, plain_2d(format, 4, 4, 64));
      sample_base(b, {{"u", same(2.0f)}});
      return b.colour(0);
    };
    EXPECT_EQ(border_of("R32G32B32A32_FLOAT"), (std::array<float, 4>{0.25f, 0.5f, -0.75f, 0.125f}));
    EXPECT_EQ(border_of("R32_FLOAT"), (std::array<float, 4>{0.25f, 0, 0, 1}));
    EXPECT_EQ(border_of("R10G10B10A2_UNORM"), (std::array<float, 4>{0.25f, 0.5f, 0, 0.125f}));
    EXPECT_EQ(border_of("B10G10R10X2_UNORM"), (std::array<float, 4>{0.25f, 0.5f, 0, 1}));
    EXPECT_EQ(border_of("L32_FLOAT"), (std::array<float, 4>{0.25f, 0.25f, 0.25f, 1}));
    EXPECT_EQ(border_of("I32_FLOAT"), (std::array<float, 4>{0.25f, 0.25f, 0.25f, 0.25f}));
    EXPECT_EQ(border_of("A32_FLOAT"), (std::array<float, 4>{0, 0, 0, 0.125f}));
  }
}

TEST(Sampler, integer_formats_are_never_filtered) {
  FOR_EACH_GENERATION(b) {
    b.guest.set_surface(b.bti, plain_2d("R32_UINT", 2, 1, 64));
    b.guest.put<uint32_t>(texture_base, {0x7F800001, 5});
    b.set_sampler(linear_sampler());
    sample_base(b, {{"u", lanes({0.49f, 0.51f})}});
    EXPECT_EQ(b.lane(0, 0), 0x7F800001u) << b.generation.name;
    EXPECT_EQ(b.lane(0, 1), 5u);
    EXPECT_EQ(b.lane(3, 0), 1u);
  }
}

// --- levels

// 16 x 16 with five levels, each filled with its number.
void set_levels(SamplerBench& b) {
  for (uint32_t at = 0; at < 64 * 64 * 4; at += 4) b.guest.view.store<float>(texture_base + at, 0);
  const uint32_t place[5][2] = {{0, 0}, {0, 16}, {8, 16}, {8, 20}, {8, 24}};
  for (uint32_t level = 0; level < 5; ++level)
    for (uint32_t y = 0; y < 16u >> level; ++y)
      for (uint32_t x = 0; x < 16u >> level; ++x)
        b.guest.view.store<float>(texture_base + (place[level][1] + y) * 256 + (place[level][0] + x) * 4, float(level));
  state::Surface s = plain_2d("R32_FLOAT", 16, 16, 256);
  s.mip_count = 4;
  b.guest.set_surface(b.bti, s);
}
state::Sampler mip_sampler(const SamplerBench& b, MipFilter mip) {
  state::Sampler s = nearest_sampler();
  s.mip_filter = mip;
  s.lod_preclamp = b.generation.column == 0 ? 1 : 2;
  s.max_lod_field = b.generation.column == 0 ? 13 << 6 : 14 << 8;
  return s;
}
uint16_t lod_field(const SamplerBench& b, float lod) { return uint16_t(lod * (b.generation.column == 0 ? 64 : 256)); }

TEST(Sampler, sample_l_chooses_levels) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::nearest));
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({-1, 0, 0.49f, 0.5f, 1.4f, 2, 9, 3.6f})}});
    const float nearest[] = {0, 0, 0, 1, 1, 2, 4, 4};
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), nearest[n]) << n;
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({0, 0.5f, 1.25f, 4, 7, -3, 3.75f, 0})}});
    const float linear[] = {0, 0.5f, 1.25f, 4, 4, 0, 3.75f, 0};
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), linear[n]) << n;
    b.set_sampler(mip_sampler(b, MipFilter::none));
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", same(3.0f)}});
    EXPECT_EQ(b.number(0, 0), 0);
    // The sampler's own limits and bias.
    state::Sampler s = mip_sampler(b, MipFilter::linear);
    s.min_lod_field = lod_field(b, 1), s.max_lod_field = lod_field(b, 2.5f);
    b.set_sampler(s);
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({0, 2, 3})}});
    EXPECT_EQ(b.number(0, 0), 1);
    EXPECT_EQ(b.number(0, 1), 2);
    EXPECT_EQ(b.number(0, 2), 2.5f);
    s = mip_sampler(b, MipFilter::linear);
    s.lod_bias_field = int16_t(-lod_field(b, 1.5f));
    b.set_sampler(s);
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({3})}});
    EXPECT_EQ(b.number(0, 0), 1.5f);
  }
}

TEST(Sampler, sample_l_honours_the_resource_s_least_level) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    set_levels(b);
    state::Surface s = plain_2d("R32_FLOAT", 16, 16, 256);
    s.mip_count = 4, s.resource_min_lod = 3 << 8;
    b.guest.set_surface(b.bti, s);
    b.set_sampler(mip_sampler(b, MipFilter::nearest));
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({0, 4})}});
    EXPECT_EQ(b.number(0, 0), 3) << b.generation.name;
    EXPECT_EQ(b.number(0, 1), 4);
    s.resource_min_lod = 0, s.min_lod = 2, s.mip_count = 2;
    b.guest.set_surface(b.bti, s);
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"lod", lanes({0, 1, 9})}});
    EXPECT_EQ(b.number(0, 0), 2);
    EXPECT_EQ(b.number(0, 1), 3);
    EXPECT_EQ(b.number(0, 2), 4);
  }
}

// u and v of two subspans whose pixels are `du` and `dv` texels of 16 apart.
Parameters subspans(float du, float dv) {
  return {{"u", lanes({0, du / 16, 0, du / 16, 0, du / 16, 0, du / 16})},
          {"v", lanes({0, 0, dv / 16, dv / 16, 0, 0, dv / 16, dv / 16})}};
}

TEST(Sampler, sample_takes_the_level_from_differences) {
  FOR_EACH_GENERATION(b) {
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    const struct {
      float du, dv, lod;
    } cases[] = {{1, 1, 0}, {2, 1, 1}, {1, 4, 2}, {0.25f, 0.5f, 0}, {-8, 2, 3}, {32, 0, 4}, {0, 0, 0}};
    for (const auto& c : cases) {
      b.send("sample", subspans(c.du, c.dv));
      for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(b.number(0, n), c.lod) << b.generation.name << " " << c.du << " " << c.dv;
    }
    // Lanes that are off still serve their neighbours; each subspan has its own.
    b.channels = 0x18;
    b.send("sample", {{"u", lanes({0, 2 / 16.0f, 0, 2 / 16.0f, 0, 4 / 16.0f, 0, 4 / 16.0f})}});
    EXPECT_EQ(b.number(0, 3), 1) << b.generation.name;
    EXPECT_EQ(b.number(0, 4), 2);
  }
}

TEST(Sampler, sample_b_adds_its_bias) {
  FOR_EACH_GENERATION(b) {
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    Parameters p = subspans(2, 2);
    p["bias"] = lanes({0, 1, -1, 2.5f, 10, -16, 0.25f, 0});
    b.send("sample_b", p);
    const float expected[] = {1, 2, 0, 3.5f, 4, 0, 1.25f, 1};
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.number(0, n), expected[n]) << b.generation.name << n;
  }
}

TEST(Sampler, sample_d_takes_gradients) {
  FOR_EACH_GENERATION(b) {
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    b.send("sample_d", {{"u", same(0.5f)},
                        {"v", same(0.5f)},
                        {"dudx", lanes({1 / 16.0f, 2 / 16.0f, 0, 0})},
                        {"dudy", lanes({0, 0, 4 / 16.0f, 0})},
                        {"dvdx", lanes({0, 0, 0, 0})},
                        {"dvdy", lanes({0, 0, 0, 8 / 16.0f})}});
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(b.number(0, n), n) << b.generation.name;
  }
}

TEST(Sampler, sample_magnifies_and_minifies_with_their_own_filters) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(16, 16, [](uint32_t x, uint32_t) { return x; });
    state::Sampler s = linear_sampler();
    s.mag_filter = MapFilter::nearest, s.min_mag_differ = true;
    b.set_sampler(s);
    Parameters p = subspans(0.5f, 0.5f);
    for (uint32_t& u : p["u"]) u = bits_of(float_of(u) + 4 / 16.0f);
    b.send("sample", p);
    EXPECT_EQ(b.number(0, 0), 4.0f) << b.generation.name;
    p = subspans(2, 2);
    for (uint32_t& u : p["u"]) u = bits_of(float_of(u) + 4 / 16.0f);
    b.send("sample", p);
    EXPECT_EQ(b.number(0, 0), 3.5f) << b.generation.name;
  }
}

TEST(Sampler, lod_says_what_sample_would_use) {
  FOR_EACH_GENERATION(b) {
    set_levels(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    b.send("lod", subspans(4, 1));
    EXPECT_EQ(b.number(0, 0), 2) << b.generation.name;
    EXPECT_EQ(b.number(1, 0), 2);
    b.send("lod", subspans(0.25f, 0.25f));
    EXPECT_EQ(b.number(0, 0), 0);
    EXPECT_EQ(b.number(1, 0), -2);
    b.send("lod", subspans(64, 0));
    EXPECT_EQ(b.number(0, 0), 4);
    EXPECT_EQ(b.number(1, 0), 6);
  }
}

// --- comparison

TEST(Sampler, sample_l_c_compares_with_every_function) {
  // By code: always, never, less, equal, lequal, greater, notequal, gequal; texel 0.5 with references .25, .5, .75. The
  // result is zero where the comparison holds.
  const float expected[8][3] = {{0, 0, 0}, {1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {1, 0, 0}, {0, 1, 1}, {0, 1, 0}, {0, 0, 1}};
  FOR_EACH_GENERATION(b) {
    b.set_floats(4, 4, [](uint32_t, uint32_t) { return 0.5; });
    for (unsigned f = 0; f < 8; ++f) {
      state::Sampler s = nearest_sampler();
      s.shadow_function = state::ShadowFunction(f);
      b.set_sampler(s);
      b.send("sample_l_c",
             {{"u", same(0.5f)}, {"v", same(0.5f)}, {"ref", lanes({0.25f, 0.5f, 0.75f})}, {"lod", same(0.0f)}});
      for (unsigned n = 0; n < 3; ++n) EXPECT_EQ(b.number(0, n), expected[f][n]) << b.generation.name << " " << f << n;
      EXPECT_EQ(b.number(3, 0), 1);
    }
  }
}

TEST(Sampler, sample_c_filters_the_results_of_comparisons) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(2, 1, [](uint32_t x, uint32_t) { return x; });
    state::Sampler s = linear_sampler();
    s.shadow_function = state::ShadowFunction::less;  // lit where the texel is not below the reference
    b.set_sampler(s);
    const Parameters p = {{"u", lanes({0.5f, 0.375f, 0.5f, 0.375f})}, {"v", same(0.5f)}, {"ref", same(0.5f)}};
    for (const char* message : {"sample_c", "sample_c_lz", "sample_b_c", "sample_d_c", "sample_l_c"}) {
      if (!b.knows(message)) continue;
      Parameters q = p;
      if (std::string_view(message) == "sample_b_c") q["bias"] = same(0.0f);
      if (std::string_view(message) == "sample_l_c") q["lod"] = same(0.0f);
      if (std::string_view(message) == "sample_d_c") q["dvdy"] = same(0.0f);
      b.send(message, q);
      EXPECT_EQ(b.number(0, 0), 0.5f) << b.generation.name << " " << message;
      EXPECT_EQ(b.number(0, 1), 0.25f) << b.generation.name << " " << message;
    }
    // References of normalised depth are clamped.
    b.guest.set_surface(b.bti, plain_2d("R16_UNORM", 2, 1, 64));
    b.guest.put<uint16_t>(texture_base, {0xFFFF, 0xFFFF});
    b.send("sample_c", {{"u", same(0.5f)}, {"ref", same(7.0f)}});
    EXPECT_EQ(b.number(0, 0), 1) << b.generation.name;
  }
}

// --- gather4

TEST(Sampler, gather4_returns_four_texels_of_a_channel) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_UINT", 4, 4, 64));
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 4; ++x)
        b.guest.put<uint8_t>(texture_base + y * 64 + 4 * x, {uint8_t(y * 10 + x), uint8_t(100 + y * 10 + x), 0, 0});
    b.set_sampler(nearest_sampler(AddressMode::wrap));
    b.send("gather4", {{"u", lanes({0.5f, 0})}, {"v", lanes({0.5f, 0})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{21, 22, 12, 11}));
    EXPECT_EQ(b.texel(1), (std::array<uint32_t, 4>{3, 0, 30, 33}));
    if (b.generation.column == 0) continue;                          // red only
    b.header = {0, 0, 1 << 16 | 1 << 8, sampler_table, 0, 0, 0, 0};  // green, u + 1
    b.send("gather4", {{"u", same(0.25f)}, {"v", same(0.5f)}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{121, 122, 112, 111}));
    b.header.clear();
    b.send("gather4_po",
           {{"u", same(0.25f)}, {"v", same(0.25f)}, {"offu", lanes_of({1, -31})}, {"offv", lanes_of({1, 33})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{21, 22, 12, 11}));
    EXPECT_EQ(b.texel(1), (std::array<uint32_t, 4>{21, 22, 12, 11}));  // 33 has six bits and is -31; both wrap
  }
}

TEST(Sampler, gather4_c_compares_each_texel) {
  FOR_EACH_GENERATION(b) {
    if (!b.knows("gather4_c")) continue;
    b.set_floats(2, 2, [](uint32_t x, uint32_t y) { return (y * 2 + x) / 4.0; });
    state::Sampler s = nearest_sampler();
    s.shadow_function = state::ShadowFunction::less;
    b.set_sampler(s);
    b.send("gather4_c", {{"u", same(0.5f)}, {"v", same(0.5f)}, {"ref", lanes({0.5f, 0.75f, 0})}});
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{1, 1, 0, 0})) << b.generation.name;
    EXPECT_EQ(b.colour(1), (std::array<float, 4>{0, 1, 0, 0}));
    EXPECT_EQ(b.colour(2), (std::array<float, 4>{1, 1, 1, 1}));
    b.send("gather4_po_c",
           {{"u", same(0.0f)}, {"v", same(0.0f)}, {"ref", same(0.5f)}, {"offu", same(1u)}, {"offv", same(1u)}});
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{1, 1, 0, 0})) << b.generation.name;
  }
}

// --- minimum and maximum (Gen9)

TEST(Sampler, sample_min_and_sample_max_take_the_extremes) {
  SamplerBench b(sampler_generations[2]);
  b.set_floats(2, 2, [](uint32_t x, uint32_t y) { return y * 2 + x + 1; });
  b.set_sampler(linear_sampler());
  const Parameters p = {{"u", lanes({0.5f, 0.25f, 0.5f, 0.25f})}, {"v", lanes({0.5f, 0.5f, 0.5f, 0.5f})}};
  b.send("sample_min", p);
  EXPECT_EQ(b.number(0, 0), 1);
  EXPECT_EQ(b.number(0, 1), 1);
  b.send("sample_max", p);
  EXPECT_EQ(b.number(0, 0), 4);
  EXPECT_EQ(b.number(0, 1), 3);  // the right column has no weight
  // The same by the sampler's reduction.
  state::Sampler s = linear_sampler();
  s.reduction_enable = true, s.reduction = state::Reduction::maximum;
  b.set_sampler(s);
  b.send("sample_lz", p);
  EXPECT_EQ(b.number(0, 0), 4);
  s.reduction = state::Reduction::minimum;
  b.set_sampler(s);
  b.send("sample_lz", p);
  EXPECT_EQ(b.number(0, 0), 1);
}

// --- cubes

// Faces of 4 x 4; texel (x, y) of face f holds f * 100 + y * 10 + x.
void set_cube(SamplerBench& b, uint32_t cubes = 1) {
  const uint32_t rows = b.generation.surface.rules.has_qpitch ? 4 : 4 + 4 + 44;
  for (uint32_t f = 0; f < 6 * cubes; ++f)
    for (uint32_t y = 0; y < 4; ++y)
      for (uint32_t x = 0; x < 4; ++x)
        b.guest.view.store<float>(texture_base + (f * rows + y) * 64 + 4 * x, float(f * 100 + y * 10 + x));
  state::Surface s = plain_2d("R32_FLOAT", 4, 4, 64);
  s.type = SurfaceType::cube, s.depth_less_1 = cubes - 1, s.array = cubes > 1, s.qpitch_field = 1, s.cube_faces = 63;
  b.guest.set_surface(b.bti, s);
}

TEST(Sampler, sample_lz_of_cubes_chooses_faces) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    set_cube(b);
    b.set_sampler(nearest_sampler(AddressMode::cube));
    // Near the middle of each face, a little to the right and down on it: texel (2, 2).
    const float d = 0.2f;
    sample_base(b, {{"u", lanes({1, -1, d, d, d, -d})},
                    {"v", lanes({-d, -d, 1, -1, -d, -d})},
                    {"r", lanes({-d, d, d, -d, 1, -1})}});
    for (unsigned f = 0; f < 6; ++f) EXPECT_EQ(b.number(0, f), float(f * 100 + 22)) << f;
    // And a corner of each: s = t = -0.9, texel (0, 0).
    const float c = 0.9f;
    sample_base(
        b,
        {{"u", lanes({1, -1, -c, -c, -c, c})}, {"v", lanes({c, c, 1, -1, c, c})}, {"r", lanes({c, -c, -c, c, 1, -1})}});
    for (unsigned f = 0; f < 6; ++f) EXPECT_EQ(b.number(0, f), float(f * 100)) << f;
    set_cube(b, 2);
    sample_base(b, {{"u", same(1.0f)}, {"v", same(-d)}, {"r", same(-d)}, {"ai", lanes({0, 1, 5})}});
    EXPECT_EQ(b.number(0, 0), 22);
    EXPECT_EQ(b.number(0, 1), 622);
    EXPECT_EQ(b.number(0, 2), 622);
  }
}

TEST(Sampler, sample_lz_filters_over_the_edges_of_cubes) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    set_cube(b);
    b.set_sampler(linear_sampler(AddressMode::cube));
    // The edge between +z (right column) and +x (left column), in the middle of row 2 (y = -0.25).
    sample_base(b, {{"u", lanes({1})}, {"v", lanes({-0.25f})}, {"r", lanes({1})}});
    EXPECT_EQ(b.number(0, 0), (423 + 20) / 2.0f);
    // The edge between +z (upper row) and +y (lower row).
    sample_base(b, {{"u", lanes({0.25f})}, {"v", lanes({1})}, {"r", lanes({1})}});
    EXPECT_EQ(b.number(0, 0), (402 + 232) / 2.0f);
    // A corner: three texels.
    sample_base(b, {{"u", lanes({1})}, {"v", lanes({1})}, {"r", lanes({1})}});
    EXPECT_NEAR(b.number(0, 0), (403 + 0 + 233) / 3.0f, 1e-3);
    // Without seamless filtering, faces are clamped.
    b.set_sampler(linear_sampler(AddressMode::clamp));
    sample_base(b, {{"u", lanes({0.999f})}, {"v", lanes({-0.25f})}, {"r", lanes({1})}});
    EXPECT_EQ(b.number(0, 0), 423);
  }
}

TEST(Sampler, sample_of_cubes_projects_derivatives) {
  FOR_EACH_GENERATION(b) {
    set_cube(b);
    b.set_sampler(mip_sampler(b, MipFilter::linear));
    // On +z at z = 1, s moves by 0.5 texels of 4 (2 / 4 of the face each): 0.25 is half a texel.
    b.send("lod", {{"u", lanes({0, 0.25f, 0, 0.25f})}, {"v", lanes({0, 0, 0.25f, 0.25f})}, {"r", same(1.0f)}});
    EXPECT_EQ(b.number(1, 0), -1) << b.generation.name;
    b.send("lod", {{"u", lanes({0, 2, 0, 2})}, {"v", lanes({0, 0, 0.25f, 0.25f})}, {"r", same(2.0f)}});
    EXPECT_EQ(b.number(1, 0), 1) << b.generation.name;
  }
}

// --- formats

TEST(Sampler, srgb_is_decoded_before_it_is_filtered) {
  FOR_EACH_GENERATION(b) {
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_UNORM_SRGB", 2, 1, 64));
    b.guest.put<uint8_t>(texture_base, {0, 0, 0, 0, 255, 188, 0, 255});
    b.set_sampler(linear_sampler());
    sample_base(b, {{"u", same(0.5f)}});
    EXPECT_EQ(b.number(0, 0), 0.5f);
    EXPECT_NEAR(b.number(1, 0), std::pow((188 / 255.0 + 0.055) / 1.055, 2.4) / 2, 1e-6);
    EXPECT_EQ(b.number(3, 0), 0.5f);
  }
}

TEST(Sampler, sampler_states_are_found_by_index_and_by_the_header_s_pointer) {
  FOR_EACH_GENERATION(b) {
    b.set_floats(2, 1, [](uint32_t x, uint32_t) { return x; });
    b.sampler = 5;
    b.set_sampler(linear_sampler());
    b.sampler = 0;
    b.set_sampler(nearest_sampler());
    sample_base(b, {{"u", same(0.5f)}});
    EXPECT_EQ(b.number(0, 0), 1);
    b.sampler = 5;
    sample_base(b, {{"u", same(0.5f)}});
    EXPECT_EQ(b.number(0, 0), 0.5f) << b.generation.name;
    b.sampler = 1;
    b.header = {0, 0, 0, sampler_table + 4 * 16 + 7, 0, 0, 0, 0};  // the low bits are not the pointer's
    sample_base(b, {{"u", same(0.5f)}});
    EXPECT_EQ(b.number(0, 0), 0.5f) << b.generation.name;
  }
}

}  // namespace
}  // namespace vitro::shared
