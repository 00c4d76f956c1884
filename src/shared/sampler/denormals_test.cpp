// Denormals of 32-bit floats in the sampler: signed zeros where texels are filtered, kept by ld; by the general way and
// by routines alike. Gen6 keeps them everywhere.
#include "shared/sampler/sampler_bench_test.h"

namespace vitro::shared {
namespace {

constexpr uint32_t least = 1, most = 0x007FFFFF, least_normal = 0x00800000, sign = 0x80000000;

bool flushes(const SamplerBench& b) { return b.generation.column != 0; }

// Both ways of carrying a message out.
template <class Test>
void both_ways(Test&& test) {
  FOR_EACH_GENERATION(b)
  for (const bool routines : {false, true}) {
    SCOPED_TRACE(std::string(b.generation.name) + (routines ? ", routines" : ""));
    b.engine.routines = routines;
    test(b);
  }
}

// One row of four texels.
void set_row(SamplerBench& b, const char* format, std::array<uint32_t, 4> texels) {
  b.guest.put<uint32_t>(texture_base, {texels[0], texels[1], texels[2], texels[3]});
  b.guest.set_surface(b.bti, plain_2d(format, 4, 1, 64));
}
const Parameters centres = {{"u", lanes({0.125f, 0.375f, 0.625f, 0.875f})}, {"v", same(0.5f)}};

std::array<uint32_t, 4> red(const SamplerBench& b) { return {b.lane(0, 0), b.lane(0, 1), b.lane(0, 2), b.lane(0, 3)}; }

TEST(SamplerDenormals, SampleFlushesAndLdKeeps) {
  both_ways([](SamplerBench& b) {
    const std::array<uint32_t, 4> texels{least, sign | most, least_normal, sign | least_normal};
    const std::array<uint32_t, 4> flushed{0, sign, least_normal, sign | least_normal};
    set_row(b, "R32_FLOAT", texels);
    b.set_sampler(nearest_sampler());
    for (const unsigned simd : {8u, 16u}) {
      b.simd = simd;
      for (const char* message : {"sample", "sample_b", "sample_l", "sample_d", "sample_lz"}) {
        if (!b.knows(message)) continue;
        Parameters p = centres;
        p["bias"] = p["lod"] = p["dudx"] = same(0.0f);
        b.send(message, p);
        EXPECT_EQ(red(b), flushes(b) ? flushed : texels) << message;
      }
      for (const char* message : {"ld", "ld_lz"}) {
        if (!b.knows(message)) continue;
        b.send(message, {{"u", lanes_of({0, 1, 2, 3})}, {"v", same(0u)}});
        EXPECT_EQ(red(b), texels) << message;
      }
    }
    b.simd = 8;
    b.send("gather4", {{"u", same(0.25f)}, {"v", same(0.5f)}});
    EXPECT_EQ(b.lane(3, 0), flushes(b) ? 0 : least);
    EXPECT_EQ(b.lane(2, 0), flushes(b) ? sign : sign | most);
  });
}

TEST(SamplerDenormals, EveryFormatOf32BitFloats) {
  both_ways([](SamplerBench& b) {
    b.set_sampler(nearest_sampler());
    for (const char* format : {"R32G32B32A32_FLOAT", "R32G32_FLOAT", "L32_FLOAT", "A32_FLOAT", "I32_FLOAT"}) {
      set_row(b, format, {sign | least, sign | least, sign | least, sign | least});
      b.send("sample", centres);
      for (unsigned c = 0; c < 4; ++c) {
        const uint32_t kept = sign | least, is = b.lane(c, 0);
        EXPECT_NE(is, flushes(b) ? kept : sign) << format << c;
      }
      EXPECT_EQ(b.lane(format[0] == 'A' ? 3 : 0, 0), flushes(b) ? sign : sign | least) << format;
    }
  });
}

// What filtering makes is flushed, too, and its sources are flushed before it.
TEST(SamplerDenormals, FilteredResults) {
  both_ways([](SamplerBench& b) {
    set_row(b, "R32_FLOAT", {least_normal, 0, most, most});
    b.set_sampler(linear_sampler());
    b.send("sample", {{"u", lanes({0.25f, 0.75f, 0.125f})}, {"v", same(0.5f)}});
    EXPECT_EQ(b.lane(0, 0), flushes(b) ? 0 : least_normal / 2);
    EXPECT_EQ(b.lane(0, 1), flushes(b) ? 0 : most);
    EXPECT_EQ(b.lane(0, 2), least_normal);
  });
}

TEST(SamplerDenormals, BorderColours) {
  both_ways([](SamplerBench& b) {
    set_row(b, "R32G32B32A32_FLOAT", {0, 0, 0, 0});
    b.set_sampler(nearest_sampler(state::AddressMode::clamp_border),
                  {float_of(least), float_of(sign | most), float_of(least_normal), 1});
    b.send("sample", {{"u", same(2.0f)}, {"v", same(0.5f)}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{flushes(b) ? 0 : least, flushes(b) ? sign : sign | most,
                                                   least_normal, 0x3F800000}));
  });
}

// Texel and reference are compared as they are filtered.
TEST(SamplerDenormals, Comparisons) {
  both_ways([](SamplerBench& b) {
    set_row(b, "R32_FLOAT", {least, most, 0, least_normal});
    state::Sampler s = nearest_sampler();
    s.shadow_function = state::ShadowFunction::equal;  // zero where it holds
    b.set_sampler(s);
    Parameters p = centres;
    p["ref"] = same(most), p["lod"] = same(0.0f);
    b.send("sample_l_c", p);
    EXPECT_EQ(red(b), flushes(b) ? (std::array<uint32_t, 4>{0, 0, 0, 0x3F800000})
                                 : (std::array<uint32_t, 4>{0x3F800000, 0, 0x3F800000, 0x3F800000}));
  });
}

// Denormal halves are normal floats; integers are no floats.
TEST(SamplerDenormals, OtherFormatsKeepTheirNumbers) {
  both_ways([](SamplerBench& b) {
    b.set_sampler(nearest_sampler());
    set_row(b, "R16G16_FLOAT", {0x8001'0001, 1, 1, 1});
    b.send("sample", centres);
    EXPECT_EQ(b.number(0, 0), 0x1p-24f);
    EXPECT_EQ(b.number(1, 0), -0x1p-24f);
    set_row(b, "R32_UINT", {least, most, sign | least, 3});
    b.send("sample", centres);
    EXPECT_EQ(red(b), (std::array<uint32_t, 4>{least, most, sign | least, 3}));
  });
}

}  // namespace
}  // namespace vitro::shared
