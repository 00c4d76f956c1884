// Blend factors, functions, clamps, logic operations and comparisons, each against a plain reference that is written
// by name, and lanes of all domains against each other.
#include "shared/dataport/blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/random.h"
#include "lanes/eight.h"
#include "lanes/one.h"
#include "shared/compare.h"

namespace vitro::shared {
namespace {

using Colour = std::array<double, 4>;

// By what the names of OpenGL's and Vulkan's blend factors say.
double factor_of(const std::string& name, int c, const Colour& s, const Colour& t, const Colour& v, const Colour& k) {
  if (name.rfind("inv_", 0) == 0) return 1 - factor_of(name.substr(4), c, s, t, v, k);
  if (name == "one") return 1;
  if (name == "zero") return 0;
  if (name == "src_alpha_saturate") return c == 3 ? 1 : std::fmin(s[3], 1 - v[3]);
  const std::map<std::string, const Colour*> sources{{"src", &s}, {"src1", &t}, {"dst", &v}, {"const", &k}};
  const Colour& from = *sources.at(name.substr(0, name.find('_')));
  return name.find("_alpha") != std::string::npos ? from[3] : from[size_t(c)];
}

struct NamedFactor {
  unsigned code;
  const char* name;
};
// 3D_Color_Buffer_Blend_Factor.
constexpr NamedFactor factors[] = {{1, "one"},
                                   {2, "src_color"},
                                   {3, "src_alpha"},
                                   {4, "dst_alpha"},
                                   {5, "dst_color"},
                                   {6, "src_alpha_saturate"},
                                   {7, "const_color"},
                                   {8, "const_alpha"},
                                   {9, "src1_color"},
                                   {10, "src1_alpha"},
                                   {17, "zero"},
                                   {18, "inv_src_color"},
                                   {19, "inv_src_alpha"},
                                   {20, "inv_dst_alpha"},
                                   {21, "inv_dst_color"},
                                   {23, "inv_const_color"},
                                   {24, "inv_const_alpha"},
                                   {25, "inv_src1_color"},
                                   {26, "inv_src1_alpha"}};

Colour random_colour(Rng& r) {
  Colour c;
  for (double& x : c) x = double(float(r.below(1025)) / 1024);
  return c;
}
template <class D>
typename Blending<D>::Colour as(const Colour& c) {
  return {D::f(float(c[0])), D::f(float(c[1])), D::f(float(c[2])), D::f(float(c[3]))};
}

TEST(Blend, FactorsAreWhatTheirNamesSay) {
  Rng r(1);
  static constexpr lanes::One d{};
  const BlendKey key{};
  for (const NamedFactor& f : factors) {
    EXPECT_TRUE(is_blend_factor(f.code));
    for (int n = 0; n < 20; ++n) {
      const Colour s = random_colour(r), t = random_colour(r), v = random_colour(r), k = random_colour(r);
      for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(Blending<lanes::One>({d, key})
                      .factor(f.code, c, as<lanes::One>(s), as<lanes::One>(t), as<lanes::One>(v), as<lanes::One>(k))
                      .v,
                  float(factor_of(f.name, int(c), s, t, v, k)))
            << f.name << " " << c;
    }
  }
  unsigned known = 0;
  for (unsigned code = 0; code < 32; ++code) known += is_blend_factor(code);
  EXPECT_EQ(known, std::size(factors));
}

TEST(Blend, FunctionsCombineSourceAndTarget) {
  static constexpr lanes::One d{};
  Rng r(2);
  const auto reference = [](unsigned code, double s, double v, double fs, double fv) {
    switch (code) {
      case 0: return s * fs + v * fv;
      case 1: return s * fs - v * fv;
      case 2: return v * fv - s * fs;
      case 3: return std::fmin(s, v);
      default: return std::fmax(s, v);
    }
  };
  for (unsigned code = 0; code < 5; ++code)
    for (int n = 0; n < 50; ++n) {
      EXPECT_TRUE(is_blend_function(code));
      const Colour s = random_colour(r), v = random_colour(r);
      const BlendKey key{.enabled = true,
                         .color_function = uint8_t(code),
                         .alpha_function = uint8_t((code + 1) % 5),
                         .source_factor = 3,
                         .target_factor = 19,
                         .source_alpha_factor = 4,
                         .target_alpha_factor = 1};
      const auto out =
          Blending<lanes::One>{d, key}(as<lanes::One>(s), as<lanes::One>({}), as<lanes::One>(v), as<lanes::One>({}));
      for (unsigned c = 0; c < 3; ++c) EXPECT_NEAR(out[c].v, reference(code, s[c], v[c], s[3], 1 - s[3]), 1e-6) << code;
      EXPECT_NEAR(out[3].v, reference((code + 1) % 5, s[3], v[3], v[3], 1), 1e-6) << code;
    }
  for (unsigned code = 5; code < 8; ++code) EXPECT_FALSE(is_blend_function(code));
}

TEST(Blend, LanesAgreeWithOneLane) {
  static constexpr lanes::One one{};
  using D = lanes::Eight<lanes::PlainEight>;
  static constexpr D eight{};
  Rng r(3);
  for (int n = 0; n < 500; ++n) {
    const auto some = [&] { return uint8_t(factors[r.below(std::size(factors))].code); };
    const BlendKey key{.enabled = true,
                       .color_function = uint8_t(r.below(5)),
                       .alpha_function = uint8_t(r.below(5)),
                       .source_factor = some(),
                       .target_factor = some(),
                       .source_alpha_factor = some(),
                       .target_alpha_factor = some(),
                       .source_clamp = ClampRange(r.below(3)),
                       .target_clamp = ClampRange(r.below(3)),
                       .result_clamp = ClampRange(r.below(3))};
    Colour s = random_colour(r), t = random_colour(r), v = random_colour(r), k = random_colour(r);
    for (Colour* c : {&s, &t, &v, &k})
      for (double& x : *c) x = x * 4 - 2;
    const auto a =
        Blending<lanes::One>{one, key}(as<lanes::One>(s), as<lanes::One>(t), as<lanes::One>(v), as<lanes::One>(k));
    const auto b = Blending<D>{eight, key}(as<D>(s), as<D>(t), as<D>(v), as<D>(k));
    for (unsigned c = 0; c < 4; ++c) {
      EXPECT_EQ(a[c].v, b[c].v[0]);
      const float least = key.result_clamp == ClampRange::unorm ? 0 : -1;
      EXPECT_TRUE(key.result_clamp == ClampRange::none || (a[c].v >= least && a[c].v <= 1));
    }
  }
}

TEST(Blend, StateAndFormatMakeTheKey) {
  const formats::Format &unorm = *formats::find("R8G8B8A8_UNORM"), &floats = *formats::find("R16G16B16A16_FLOAT"),
                        &snorm = *formats::find("R8G8B8A8_SNORM"), &ints = *formats::find("R8G8B8A8_UINT");
  state::BlendState blend;
  state::BlendStateEntry e{.alpha_blend_function = 3,
                           .destination_alpha_blend_factor = 4,
                           .source_alpha_blend_factor = 5,
                           .color_blend_function = 1,
                           .destination_blend_factor = 6,
                           .source_blend_factor = 7,
                           .color_buffer_blend_enable = true,
                           .post_blend_color_clamp_enable = true,
                           .pre_blend_color_clamp_enable = true,
                           .color_clamp_range = 2};
  BlendKey k = blend_key(blend, e, unorm);
  EXPECT_TRUE(k.enabled);
  EXPECT_EQ(k.alpha_function, 1);
  EXPECT_EQ(k.source_alpha_factor, 7);
  EXPECT_EQ(k.source_clamp, ClampRange::unorm);
  EXPECT_EQ(k.target_clamp, ClampRange::none);  // it is in the range of the format already
  EXPECT_EQ(k.result_clamp, ClampRange::none);  // and will be brought there
  EXPECT_EQ(blend_key(blend, e, floats).result_clamp, ClampRange::none);
  EXPECT_EQ(blend_key(blend, e, snorm).target_clamp, ClampRange::snorm);
  EXPECT_FALSE(blend_key(blend, e, ints).enabled);
  blend.independent_alpha_blend_enable = true;
  k = blend_key(blend, e, unorm);
  EXPECT_EQ(k.alpha_function, 3);
  EXPECT_EQ(k.source_alpha_factor, 5);
  EXPECT_EQ(k.target_alpha_factor, 4);
  e.pre_blend_source_only_clamp_enable = true, e.color_clamp_range = 0;
  k = blend_key(blend, e, floats);
  EXPECT_EQ(k.source_clamp, ClampRange::unorm);
  EXPECT_EQ(k.target_clamp, ClampRange::none);
  e.logic_op_enable = true;
  EXPECT_FALSE(blend_key(blend, e, unorm).enabled);
}

TEST(Blend, LogicOpsAreTruthTables) {
  // Bit 0 of a code is the result for source and target 0, then source 0 and target 1, source 1 and target 0...
  for (unsigned code = 0; code < 16; ++code)
    for (unsigned s = 0; s < 2; ++s)
      for (unsigned v = 0; v < 2; ++v) {
        const uint64_t expected = code >> (2 * s + v) & 1 ? ~uint64_t(0) : 0;
        EXPECT_EQ(logic_op<uint64_t>(code, s ? ~uint64_t(0) : 0, v ? ~uint64_t(0) : 0), expected) << code;
      }
}

TEST(Blend, ComparisonsByName) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const bool expected[] = {true, false, a<b, a == b, a <= b, a> b, a != b, a >= b};
      for (unsigned f = 0; f < 8; ++f) EXPECT_EQ(compares(f, a, b), expected[f]) << f;
    }
}

}  // namespace
}  // namespace vitro::shared
