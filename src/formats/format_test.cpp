// Tests of the surface formats: the table itself, every code of the 8-bit and 16-bit formats against formulas written
// down here a second time from the documents, and round trips and limits of the wider ones.
#include "formats/format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/random.h"

namespace vitro::formats {
namespace {

float as_float(uint32_t v) { return std::bit_cast<float>(v); }
uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

Rgba decode(std::string_view name, uint64_t low, uint64_t high = 0, unsigned x = 0) {
  const Format* f = find(name);
  const uint64_t words[2] = {low, high};
  Rgba out{};
  f->decode(reinterpret_cast<const std::byte*>(words), x, 0, out);
  return out;
}
uint64_t encode(std::string_view name, const Rgba& texel) {
  uint64_t words[5] = {};
  find(name)->encode(reinterpret_cast<std::byte*>(words), texel);
  return words[0];
}
Rgba floats(float r, float g, float b, float a) { return {bits(r), bits(g), bits(b), bits(a)}; }

// The value of one channel by its textbook formula, in double and rounded once.
double expected(const Channel& c, uint64_t code, bool srgb) {
  const double top = std::exp2(c.width) - 1, half = std::exp2(c.width - 1);
  const double s = double(code) >= half ? double(code) - 2 * half : double(code);
  switch (c.kind) {
    case Kind::unorm: {
      const double v = double(code) / top;
      if (!srgb || c.component == Component::a) return v;
      return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    case Kind::snorm: return std::fmax(-1, s / (half - 1));
    case Kind::uint:
    case Kind::uscaled: return double(code);
    case Kind::sint:
    case Kind::sscaled: return s;
    case Kind::sfloat: {
      const int e = int(code >> 10 & 31), m = int(code & 1023);
      const double sign = code >> 15 ? -1 : 1;
      if (e == 31) return m ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
      return sign * (e ? (1 + m / 1024.0) * std::exp2(e - 15) : m / 1024.0 * std::exp2(-14));
    }
    default: ADD_FAILURE() << "no formula for this kind"; return 0;
  }
}

bool all_kinds_known(const Format& f) {
  for (unsigned n = 0; n < f.channel_count; ++n)
    if (f.channels[n].kind == Kind::raw || f.channels[n].kind == Kind::ufloat) return false;
  return true;
}

TEST(Formats, every_code_of_the_small_formats_reads_as_its_formula) {
  int tested = 0;
  for (const Format& f : all()) {
    if (f.bits > 16 || f.channel_count == 0 || !all_kinds_known(f)) continue;
    ++tested;
    for (uint32_t code = 0; code < 1u << f.bits; ++code) {
      Rgba want{0, 0, 0, f.one()}, got{};
      for (unsigned n = 0; n < f.channel_count; ++n) {
        const Channel& c = f.channels[n];
        if (c.component == Component::none) continue;
        const double v = expected(c, code >> c.lo & ((1u << c.width) - 1), f.space == Space::srgb);
        const uint32_t word = f.integer() ? uint32_t(int64_t(v)) : bits(float(v));
        if (c.component == Component::l || c.component == Component::i) want[0] = want[1] = want[2] = word;
        if (c.component == Component::i) want[3] = word;
        if (c.component <= Component::a) want[size_t(c.component)] = word;
      }
      f.decode(reinterpret_cast<const std::byte*>(&code), 0, 0, got);
      for (int n = 0; n < 4; ++n) {
        if (!f.integer() && std::isnan(as_float(want[size_t(n)]))) {
          ASSERT_TRUE(std::isnan(as_float(got[size_t(n)]))) << f.name << " " << code;
        } else {
          ASSERT_EQ(got[size_t(n)], want[size_t(n)]) << f.name << " code " << code << " channel " << n;
        }
      }
    }
  }
  EXPECT_GE(tested, 45);
}

TEST(Formats, every_code_of_the_small_formats_survives_being_written_again) {
  int tested = 0;
  for (const Format& f : all()) {
    if (f.bits > 16 || !f.encode || !f.decode || !all_kinds_known(f)) continue;
    ++tested;
    uint32_t used = 0;
    for (unsigned n = 0; n < f.channel_count; ++n)
      if (f.channels[n].component != Component::none) used |= ((1u << f.channels[n].width) - 1) << f.channels[n].lo;
    for (uint32_t code = 0; code < 1u << f.bits; ++code) {
      Rgba texel{}, again{};
      f.decode(reinterpret_cast<const std::byte*>(&code), 0, 0, texel);
      uint32_t back = 0;
      f.encode(reinterpret_cast<std::byte*>(&back), texel);
      f.decode(reinterpret_cast<const std::byte*>(&back), 0, 0, again);
      // A NaN may become a quiet one on its way.
      if (!f.integer() && std::isnan(as_float(texel[0]) + as_float(texel[3]))) {
        ASSERT_TRUE(std::isnan(as_float(again[0]) + as_float(again[3]))) << f.name << " " << code;
        continue;
      }
      ASSERT_EQ(texel, again) << f.name << " " << code;
      const bool snorm = f.name.find("SNORM") != f.name.npos, half = f.name.find("FLOAT") != f.name.npos;
      if (!snorm && !half) {
        ASSERT_EQ(back, code & used) << f.name;
      }
    }
  }
  EXPECT_GE(tested, 40);
}

TEST(Formats, wide_formats_survive_a_round_trip) {
  Rng rng(4);
  int tested = 0;
  for (const Format& f : all()) {
    if (f.bits <= 16 || f.bits > 128 || !f.encode || !f.decode) continue;
    ++tested;
    for (int n = 0; n < 2000; ++n) {
      uint64_t words[2] = {rng(), rng()}, back[2] = {};
      Rgba texel{}, again{};
      f.decode(reinterpret_cast<const std::byte*>(words), 0, 0, texel);
      f.encode(reinterpret_cast<std::byte*>(back), texel);
      f.decode(reinterpret_cast<const std::byte*>(back), 0, 0, again);
      for (size_t k = 0; k < 4; ++k) {
        const bool nan = !f.integer() && std::isnan(as_float(texel[k]));
        if (nan)
          ASSERT_TRUE(std::isnan(as_float(again[k]))) << f.name;
        else
          ASSERT_EQ(texel[k], again[k]) << f.name << " channel " << k;
      }
    }
  }
  EXPECT_GE(tested, 60);
}

TEST(Formats, the_table_is_sound) {
  std::set<unsigned> codes;
  std::set<std::string_view> names;
  for (const Format& f : all()) {
    EXPECT_TRUE(codes.insert(f.code).second) << f.name;
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_EQ(find(f.code), &f);
    EXPECT_EQ(find(f.name), &f);
    EXPECT_EQ(f.bits % 8, 0) << f.name;
    EXPECT_GT(f.bits, 0) << f.name;
    // Palettes, planar YUV, MONO8, ASTC that no generation samples, and texels of more than four dwords.
    const bool may_lack = f.name.find("PALETTE") != f.name.npos || f.name.starts_with("PLANAR") || f.name == "MONO8" ||
                          f.name.starts_with("ASTC_HDR") || f.name.ends_with("PASSTHRU");
    EXPECT_TRUE(f.decode || may_lack) << f.name;
  }
  EXPECT_EQ(codes.size(), 266u);
  EXPECT_EQ(find(9u), nullptr);
  EXPECT_EQ(find(100000u), nullptr);
  EXPECT_EQ(find("R9_UNORM"), nullptr);
  EXPECT_EQ(find("P8_UNORM_PALETTE0")->decode, nullptr);
  EXPECT_EQ(find("BC1_UNORM")->bytes(), 8u);
  EXPECT_EQ(find("ASTC_LDR_2D_10X6_U8SRGB")->block_width, 10);
  EXPECT_EQ(find("R64G64B64_FLOAT")->bits, 192);
}

TEST(Formats, channels_stand_where_the_names_say) {
  EXPECT_EQ(decode("B8G8R8A8_UNORM", 0xFF0000FF), floats(0, 0, 1, 1));
  EXPECT_EQ(decode("R8G8B8A8_UINT", 0x04030201), (Rgba{1, 2, 3, 4}));
  EXPECT_EQ(decode("R8G8B8A8_SINT", 0xFC030201), (Rgba{1, 2, 3, uint32_t(-4)}));
  EXPECT_EQ(decode("R10G10B10A2_UINT", 1u | 2u << 10 | 3u << 20 | 2u << 30), (Rgba{1, 2, 3, 2}));
  EXPECT_EQ(decode("B10G10R10A2_UINT", 1u | 2u << 10 | 3u << 20 | 2u << 30), (Rgba{3, 2, 1, 2}));
  EXPECT_EQ(decode("R32G32_FLOAT", 0x40000000'3F800000), floats(1, 2, 0, 1));
  EXPECT_EQ(decode("R32G32B32A32_UINT", 0x00000002'00000001, 0x00000004'00000003), (Rgba{1, 2, 3, 4}));
  EXPECT_EQ(decode("R32G32B32X32_FLOAT", 0x40000000'3F800000, 0x12345678'40400000), floats(1, 2, 3, 1));
  EXPECT_EQ(decode("R24_UNORM_X8_TYPELESS", 0xABFFFFFF), floats(1, 0, 0, 1));
  EXPECT_EQ(decode("X24_TYPELESS_G8_UINT", 0xAB123456), (Rgba{0, 0xAB, 0, 1}));
  EXPECT_EQ(decode("X32_TYPELESS_G8X24_UINT", 0x000000CD'12345678), (Rgba{0, 0xCD, 0, 1}));
  EXPECT_EQ(decode("L16A16_FLOAT", 0x40003C00), floats(1, 1, 1, 2));
  EXPECT_EQ(decode("I32_FLOAT", 0x40000000), floats(2, 2, 2, 2));
  EXPECT_EQ(decode("A32X32_FLOAT", 0x40000000), floats(0, 0, 0, 2));
  EXPECT_EQ(decode("R64_FLOAT", std::bit_cast<uint64_t>(1.5)), floats(1.5f, 0, 0, 1));
  EXPECT_EQ(decode("R64_PASSTHRU", 0x01234567'89ABCDEF), (Rgba{0x89ABCDEF, 0x01234567, 0, 1}));
  EXPECT_EQ(decode("R32_SFIXED", uint32_t(-3 << 15)), floats(-1.5f, 0, 0, 1));
  EXPECT_EQ(decode("R32_UNORM", 0xFFFFFFFF), floats(1, 0, 0, 1));
  EXPECT_EQ(decode("R32_SNORM", 0x80000000), floats(-1, 0, 0, 1));
  EXPECT_EQ(decode("R10G10B10A2_SNORM", 0x201u | 1u << 30), floats(-1, 0, 0, 1));
  EXPECT_EQ(decode("X8B8_UNORM_G8R8_SNORM", 0x7F81FF00), floats(1, -1, 1, 1));
}

TEST(Formats, shared_exponent) {
  // 256/512 * 2^(16-15): the mantissa counts 2^-9.
  EXPECT_EQ(decode("R9G9B9E5_SHAREDEXP", 256u | 128u << 9 | 511u << 18 | 16u << 27), floats(1, 0.5f, 511 / 256.0f, 1));
  EXPECT_EQ(decode("R9G9B9E5_SHAREDEXP", 1), floats(std::ldexp(1.0f, -24), 0, 0, 1));
  EXPECT_EQ(find("R9G9B9E5_SHAREDEXP")->encode, nullptr);
}

TEST(Formats, small_floats_without_a_sign) {
  const auto pack = [](float f) { return encode("R11G11B10_FLOAT", floats(f, f, f, 0)); };
  const uint64_t one = 15u << 6 | uint64_t(15u << 6) << 11 | uint64_t(15u << 5) << 22;
  EXPECT_EQ(pack(1), one);
  EXPECT_EQ(decode("R11G11B10_FLOAT", one), floats(1, 1, 1, 1));
  EXPECT_EQ(pack(-2), 0u);
  EXPECT_EQ(pack(-std::numeric_limits<float>::infinity()), 0u);
  // The largest finite ones, 65024 and 64512; infinity stays.
  EXPECT_EQ(decode("R11G11B10_FLOAT", pack(1e9f)), floats(65024, 65024, 64512, 1));
  EXPECT_TRUE(std::isinf(as_float(decode("R11G11B10_FLOAT", pack(std::numeric_limits<float>::infinity()))[0])));
  EXPECT_TRUE(std::isnan(as_float(decode("R11G11B10_FLOAT", pack(std::nanf("")))[1])));
  // Truncated: 1 + 127/128 has one bit more than six.
  EXPECT_EQ(decode("R11G11B10_FLOAT", pack(1 + 127 / 128.0f)),
            floats(1 + 63 / 64.0f, 1 + 63 / 64.0f, 1 + 31 / 32.0f, 1));
  for (uint32_t v = 0; v < 31u << 6; ++v) {
    const auto f = as_float(decode("R11G11B10_FLOAT", v)[0]);
    const double e = v >> 6, m = v & 63;
    ASSERT_EQ(double(f), e != 0 ? (1 + m / 64) * std::exp2(e - 15) : m / 64 * std::exp2(-14)) << v;
    ASSERT_EQ(encode("R11G11B10_FLOAT", floats(f, 0, 0, 0)), v);
  }
}

TEST(Formats, normalised_writes_clamp_and_round_to_even) {
  EXPECT_EQ(encode("R8G8B8A8_UNORM", floats(-1, 2, std::nanf(""), 1)), 0xFF00FF00u);
  EXPECT_EQ(encode("R8_UNORM", floats(0.5f, 0, 0, 0)), 128u);      // 127.5 is between 127 and 128
  EXPECT_EQ(encode("R8_UNORM", floats(2.5f / 255, 0, 0, 0)), 2u);  // and 2.5 between 2 and 3
  EXPECT_EQ(encode("R8_SNORM", floats(-2, 0, 0, 0)), 0x81u);
  EXPECT_EQ(encode("R8_SNORM", floats(std::nanf(""), 0, 0, 0)), 0u);
  EXPECT_EQ(encode("R16G16_UNORM", floats(1, 0.5f, 0, 0)), 0x8000FFFFu);
  EXPECT_EQ(encode("R24_UNORM_X8_TYPELESS", floats(1, 0, 0, 0)), 0xFFFFFFu);
  EXPECT_EQ(encode("R32_UNORM", floats(1, 0, 0, 0)), 0xFFFFFFFFu);
  EXPECT_EQ(encode("A8_UNORM", floats(1, 1, 1, 0)), 0u);
  EXPECT_EQ(encode("L8A8_UNORM", floats(1, 0, 0, 0)), 0xFFu);
  EXPECT_EQ(encode("R8G8B8A8_UNORM_SRGB", floats(0.5f, 0, 1, 0.5f)), 0x80FF00BCu);
  EXPECT_EQ(encode("B5G6R5_UNORM", floats(1, 0, 0, 0)), 0xF800u);
}

TEST(Formats, integer_writes_clamp) {
  EXPECT_EQ(encode("R8G8B8A8_UINT", {300, 255, 256, 0xFFFFFFFF}), 0xFFFFFFFFu);
  EXPECT_EQ(encode("R8G8B8A8_SINT", {300, uint32_t(-300), uint32_t(-1), 5}), 0x05FF807Fu);
  EXPECT_EQ(encode("R16_SINT", {uint32_t(-40000), 0, 0, 0}), 0x8000u);
  EXPECT_EQ(encode("R32_UINT", {0xFFFFFFFF, 0, 0, 0}), 0xFFFFFFFFu);
  EXPECT_EQ(encode("R10G10B10A2_UINT", {2000, 1, 0, 9}), 0x3FFu | 1u << 10 | 3u << 30);
}

TEST(Formats, half_floats_round_to_nearest) {
  EXPECT_EQ(encode("R16_FLOAT", floats(1 + 1 / 2048.0f, 0, 0, 0)), 0x3C00u);
  EXPECT_EQ(encode("R16_FLOAT", floats(1 + 3 / 2048.0f, 0, 0, 0)), 0x3C02u);
  EXPECT_EQ(encode("R16_FLOAT", floats(1e6f, 0, 0, 0)), 0x7C00u);
  EXPECT_EQ(encode("R16_FLOAT", floats(std::ldexp(1.0f, -24), 0, 0, 0)), 1u);
}

TEST(Formats, what_a_format_is_good_for_can_be_done) {
  for (const Format& f : all()) {
    const bool yuv = f.space == Space::yuv, palette = f.name.find("PALETTE") != f.name.npos;
    EXPECT_TRUE(f.decode || !f.uses.sampled || palette || f.name == "MONO8") << f.name;
    EXPECT_TRUE((f.decode && f.encode) || !f.uses.target || yuv) << f.name;
    EXPECT_TRUE(f.encode || !f.uses.typed_write) << f.name;
    EXPECT_TRUE(f.decode || !f.uses.vertex || f.name.ends_with("PASSTHRU")) << f.name;
    // A use never comes without the one that it is a part of.
    EXPECT_EQ(f.uses.filtered & ~f.uses.sampled, 0) << f.name;
    EXPECT_EQ(f.uses.blended & ~f.uses.target, 0) << f.name;
  }
  const Uses& depth = find("R24_UNORM_X8_TYPELESS")->uses;
  EXPECT_EQ(depth.compared, 7);
  EXPECT_EQ(depth.target, 0);
  EXPECT_EQ(find("B8G8R8X8_UNORM")->uses.target, 6);
  EXPECT_EQ(find("R32_SFIXED")->uses.vertex, 6);
  EXPECT_EQ(find("ASTC_LDR_2D_4X4_FLT16")->uses.sampled, 4);
  EXPECT_EQ(find("R8G8B8A8_UINT")->uses.typed_read, 6);
}

TEST(Formats, vertices_of_64_bits_pass_as_they_are) {
  const uint64_t words[4] = {0x0000000200000001, 0x0000000400000003, 0x0000000600000005, 0x0000000800000007};
  const auto* texel = reinterpret_cast<const std::byte*>(words);
  std::array<uint32_t, 8> out{};
  EXPECT_EQ(decode_dwords(*find("R64G64B64_PASSTHRU"), texel, out), 6u);
  EXPECT_EQ(out, (std::array<uint32_t, 8>{1, 2, 3, 4, 5, 6, 0, 0}));
  EXPECT_EQ(decode_dwords(*find("R64G64B64A64_PASSTHRU"), texel, out), 8u);
  EXPECT_EQ(out[7], 8u);
  EXPECT_EQ(decode_dwords(*find("R8G8B8A8_UINT"), texel, out), 4u);
  EXPECT_EQ(out[0], 1u);
  const double doubles[4] = {1.5, -2.25, 1e300, 0.1};
  Rgba floats_of{};
  find("R64G64B64A64_FLOAT")->decode(reinterpret_cast<const std::byte*>(doubles), 0, 0, floats_of);
  EXPECT_EQ(floats_of, floats(1.5f, -2.25f, std::numeric_limits<float>::infinity(), 0.1f));
}

// Floats as shaders write them: in and around the range, and any bits.
float some_float(Rng& rng) {
  const auto fraction = float(double(rng() >> 11) * 0x1p-53);
  switch (rng.below(5)) {
    case 0: return as_float(uint32_t(rng()));
    case 1: return fraction * 4 - 2;
    case 2: return float(rng.below(1025)) / 1024;
    default: return fraction;
  }
}

TEST(Formats, every_channel_is_written_as_its_formula) {
  Rng rng(12);
  for (const Format& f : all()) {
    if (!f.encode || f.integer() || f.bits > 128) continue;
    for (int n = 0; n < 4000; ++n) {
      const Rgba in = floats(some_float(rng), some_float(rng), some_float(rng), some_float(rng));
      uint64_t words[2] = {};
      f.encode(reinterpret_cast<std::byte*>(words), in);
      for (unsigned k = 0; k < f.channel_count; ++k) {
        const Channel& c = f.channels[k];
        if (c.component == Component::none || (c.kind != Kind::unorm && c.kind != Kind::snorm)) continue;
        const uint64_t word = words[c.lo / 64] >> c.lo % 64;
        const uint64_t got = word & (c.width == 64 ? ~uint64_t{0} : (uint64_t{1} << c.width) - 1);
        const float x = as_float(in[c.component >= Component::l ? 0 : size_t(c.component)]);
        const bool is_signed = c.kind == Kind::snorm;
        const double most = std::exp2(c.width - is_signed) - 1;
        double v = std::isnan(x) ? 0 : std::fmin(std::fmax(double(x), is_signed ? -1 : 0), 1);
        if (f.space == Space::srgb && c.component != Component::a)
          v = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
        // To the nearest; lanes multiply in single precision, so that a value that is almost between two is between.
        const double value = is_signed && double(got) > most ? double(got) - std::exp2(c.width) : double(got);
        const double slack = c.width <= 16 ? most * 0x1p-24 : 1e-9;
        ASSERT_LE(std::fabs(v * most - value), 0.5 + slack) << f.name << " " << x;
      }
    }
  }
}

TEST(Formats, srgb_is_the_curve_rounded_once) {
  const Format& f = *find("R8G8B8A8_UNORM_SRGB");
  for (uint32_t code = 0; code < 256; ++code) {
    // The float at which the code begins, by bisection with the inverse curve.
    const long double edge = (code - 0.5L) / 255;
    const long double linear = edge <= 0.04045L ? edge / 12.92L : std::pow((edge + 0.055L) / 1.055L, 2.4L);
    if (code == 0) continue;
    const auto begin = float(linear);
    EXPECT_EQ(encode(f.name, floats(std::nextafter(begin, 1.0f), 0, 0, 0)) & 255, code);
    EXPECT_EQ(encode(f.name, floats(std::nextafter(begin, 0.0f), 0, 0, 0)) & 255, code - 1);
  }
  EXPECT_EQ(encode(f.name, floats(std::nanf(""), -1, 7, 0.5f)), 0x80FF0000u);
}

TEST(Formats, yuv_pairs_share_their_chroma) {
  // Y0 = 51, Cb = 102, Y1 = 153, Cr = 204: fifths of 255. Red is Cr, green Y, blue Cb.
  const auto fifths = [](int r, int g, int b) {
    return floats(float(r * 51) / 255, float(g * 51) / 255, float(b * 51) / 255, 1);
  };
  const auto bytes = [](int b0, int b1, int b2, int b3) {
    return uint64_t(b0 * 51) | uint64_t(b1 * 51) << 8 | uint64_t(b2 * 51) << 16 | uint64_t(b3 * 51) << 24;
  };
  const struct {
    const char* name;
    uint64_t pair;
  } orders[] = {{"YCRCB_NORMAL", bytes(1, 2, 3, 4)},
                {"YCRCB_SWAPUV", bytes(1, 4, 3, 2)},
                {"YCRCB_SWAPY", bytes(2, 1, 4, 3)},
                {"YCRCB_SWAPUVY", bytes(4, 1, 2, 3)}};
  for (const auto& o : orders) {
    EXPECT_EQ(decode(o.name, o.pair, 0, 0), fifths(4, 1, 2)) << o.name;
    EXPECT_EQ(decode(o.name, o.pair, 0, 1), fifths(4, 3, 2)) << o.name;
  }
  EXPECT_EQ(decode("R1_UNORM", 0x40, 0, 1), floats(1, 0, 0, 1));
  EXPECT_EQ(decode("R1_UNORM", 0x40, 0, 2), floats(0, 0, 0, 1));
}

}  // namespace
}  // namespace vitro::formats
