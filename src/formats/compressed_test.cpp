// Tests of the decoders of compressed formats: blocks made by hand whose texels are known, BC1 to BC5 and EAC against
// formulas in double, and random blocks, of which any must give texels in range, the same alone and together.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "formats/format.h"

namespace vitro::formats {
namespace {

using Bytes = std::vector<unsigned>;

std::vector<Rgba> decode(std::string_view name, const Bytes& bytes) {
  const Format& f = *find(name);
  std::vector<std::byte> block(f.bytes());
  for (size_t n = 0; n < bytes.size(); ++n) block[n] = std::byte(bytes[n]);
  std::vector<Rgba> out(f.texels());
  decode_block(f, block, out);
  return out;
}
float as_float(uint32_t v) { return std::bit_cast<float>(v); }
Rgba floats(float r, float g, float b, float a) {
  return {std::bit_cast<uint32_t>(r), std::bit_cast<uint32_t>(g), std::bit_cast<uint32_t>(b),
          std::bit_cast<uint32_t>(a)};
}
Rgba bytes(int r, int g, int b, int a = 255) {
  const auto f = [](int v) { return float(double(v) / 255); };
  return floats(f(r), f(g), f(b), f(a));
}
const Rgba magenta = floats(1, 0, 1, 1);

bool compressed(const Format& f) { return f.decode_whole != nullptr; }

TEST(Compressed, any_block_gives_texels_in_range_alone_and_together) {
  Rng rng(3);
  int tested = 0;
  for (const Format& f : all()) {
    if (!compressed(f)) continue;
    ++tested;
    const bool wide = f.name.starts_with("BC6H");
    for (int round = 0; round < 3000; ++round) {
      // At its exact size, so that a sanitizer sees what is read behind it.
      std::vector<std::byte> block(f.bytes());
      for (auto& b : block) b = std::byte(round % 4 == 0 ? rng.interesting(8) : rng());
      if (round % 16 == 1) block[0] = std::byte(0xFC), block[1] |= std::byte(1);
      std::vector<Rgba> together(f.texels());
      decode_block(f, block, together);
      for (unsigned n = 0; n < f.texels(); ++n) {
        if (round % 8 == 0) {
          Rgba alone{};
          f.decode(block.data(), n % f.block_width, n / f.block_width, alone);
          ASSERT_EQ(alone, together[n]) << f.name;
        }
        for (const uint32_t v : together[n]) {
          const float x = as_float(v);
          ASSERT_TRUE(std::isfinite(x)) << f.name;
          ASSERT_TRUE(wide || (x >= -1 && x <= 1)) << f.name << " " << x;
        }
      }
    }
  }
  EXPECT_EQ(tested, 56);
}

TEST(Compressed, other_formats_are_blocks_too) {
  const uint32_t pair = 0x40302010;
  std::array<Rgba, 2> out{};
  decode_block(*find("YCRCB_NORMAL"), std::as_bytes(std::span(&pair, 1)), out);
  EXPECT_EQ(out[0], bytes(0x40, 0x10, 0x20));
  EXPECT_EQ(out[1], bytes(0x40, 0x30, 0x20));
}

TEST(Compressed, bc1_has_four_colours_or_three) {
  // Red 31 and blue 31; codes 0 1 2 3 in each row.
  auto t = decode("BC1_UNORM", {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0xE4, 0xE4, 0xE4});
  EXPECT_EQ(t[0], bytes(255, 0, 0));
  EXPECT_EQ(t[5], bytes(0, 0, 255));
  EXPECT_EQ(t[10], bytes(170, 0, 85));
  EXPECT_EQ(t[15], bytes(85, 0, 170));
  t = decode("BC1_UNORM", {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0xE4, 0xE4, 0xE4});
  EXPECT_EQ(t[0], bytes(0, 0, 255));
  EXPECT_EQ(t[2], bytes(127, 0, 127));
  EXPECT_EQ(t[3], bytes(0, 0, 0, 0));
  EXPECT_EQ(decode("DXT1_RGB", {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0})[3], bytes(0, 0, 0, 255));
  // The others always have four.
  EXPECT_EQ(decode("BC2_UNORM", {0x40, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0})[3],
            bytes(170, 0, 85, 0));
  EXPECT_EQ(decode("BC2_UNORM", {0x40, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0})[1],
            bytes(255, 0, 0, 68));
  // Colours are decoded from sRGB after they are mixed, alpha is not.
  const Rgba srgb = decode("BC1_UNORM_SRGB", {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0})[2];
  EXPECT_FLOAT_EQ(as_float(srgb[0]), float(std::pow((170 / 255.0 + 0.055) / 1.055, 2.4)));
  EXPECT_EQ(srgb[3], 0x3F800000u);
}

TEST(Compressed, bc1_to_bc3_are_mixed_in_eight_bits) {
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    uint64_t words[2] = {rng(), rng()};
    std::array<Rgba, 16> got{};
    decode_block(*find("BC3_UNORM"), std::as_bytes(std::span(words)), got);
    const auto wide = [](uint64_t v, int lo, int bits) {
      const double top = std::exp2(bits) - 1;
      const auto x = uint32_t(v >> lo & uint32_t(top));
      return std::floor((x << (8 - bits)) + (x >> (2 * bits - 8)));  // repeated
    };
    const uint64_t c = words[1], a = words[0];
    const double first[3] = {wide(c, 11, 5), wide(c, 5, 6), wide(c, 0, 5)};
    const double second[3] = {wide(c, 27, 5), wide(c, 21, 6), wide(c, 16, 5)};
    const double shares[4] = {0, 1, 1 / 3.0, 2 / 3.0};
    for (int n = 0; n < 16; ++n) {
      const double share = shares[c >> (32 + 2 * n) & 3];
      for (size_t k = 0; k < 3; ++k) {
        const double want = std::floor(first[k] * (1 - share) + second[k] * share + 1e-9);
        ASSERT_EQ(as_float(got[size_t(n)][k]), float(want / 255));
      }
      const auto code = int(a >> (16 + 3 * n) & 7);
      const double a0 = double(a & 255), a1 = double(a >> 8 & 255);
      double alpha = code == 0 ? a0 : a1;
      if (code > 1 && a0 > a1) alpha = std::floor(((8 - code) * a0 + (code - 1) * a1) / 7 + 1e-9);
      if (code > 1 && a0 <= a1)
        alpha = code == 6 ? 0 : code == 7 ? 255 : std::floor(((6 - code) * a0 + (code - 1) * a1) / 5 + 1e-9);
      ASSERT_EQ(as_float(got[size_t(n)][3]), float(alpha / 255));
    }
  }
}

TEST(Compressed, bc4_and_bc5_are_quotients) {
  Rng rng(6);
  for (const bool is_signed : {false, true})
    for (int round = 0; round < 2000; ++round) {
      uint64_t words[2] = {rng(), rng()};
      if (round % 5 == 0) words[0] = (words[0] & ~uint64_t{255}) | 0x80;
      std::array<Rgba, 16> got{};
      decode_block(*find(is_signed ? "BC5_SNORM" : "BC5_UNORM"), std::as_bytes(std::span(words)), got);
      for (int n = 0; n < 16; ++n)
        for (size_t k = 0; k < 2; ++k) {
          const uint64_t w = words[k];
          const double top = is_signed ? 127 : 255, low = is_signed ? -127 : 0;
          const auto value = [&](uint64_t v) { return is_signed ? double(int8_t(v)) : double(uint8_t(v)); };
          const bool seven = value(w) > value(w >> 8);
          const double first = std::fmax(value(w), low), second = std::fmax(value(w >> 8), low);
          const auto code = int(w >> (16 + 3 * n) & 7);
          const double parts = seven ? 7 : 5;
          double v = code == 0   ? first
                     : code == 1 ? second
                                 : ((parts + 1 - code) * first + (code - 1) * second) / parts;
          if (!seven && code > 5) v = code == 6 ? low : top;
          ASSERT_NEAR(as_float(got[size_t(n)][k]), v / top, 1e-7);
          ASSERT_EQ(got[size_t(n)][2], 0u);
          ASSERT_EQ(got[size_t(n)][3], 0x3F800000u);
        }
    }
}

TEST(Compressed, bc6h) {
  // Mode 11 (00011): endpoints of ten bits, here zero and the largest, 65535 before the last step: 31743, the largest
  // half.
  Bytes b(16);
  b[0] = 0x03;
  const auto put = [&](unsigned lo, unsigned width, unsigned v) {
    for (unsigned n = 0; n < width; ++n) b[(lo + n) / 8] |= (v >> n & 1) << (lo + n) % 8;
  };
  put(35, 10, 1023), put(45, 10, 1023), put(55, 10, 1023);
  put(65, 3, 0), put(68, 4, 15), put(72, 4, 8);
  const auto t = decode("BC6H_UF16", b);
  EXPECT_EQ(t[0], floats(0, 0, 0, 1));
  EXPECT_EQ(t[1], floats(65504, 65504, 65504, 1));
  // Weight 34 of 64: (65535 * 34 + 32) >> 6 = 34815, times 31 / 64 cut: 16863 = 0x41DF.
  EXPECT_EQ(t[2][0], std::bit_cast<uint32_t>(float((1 + 0x1DF / 1024.0) * 2)));
  EXPECT_EQ(decode("BC6H_UF16", {0x13})[7], floats(0, 0, 0, 1));  // reserved
}

TEST(Compressed, bc7) {
  // Mode 6: one subset, seven bits and a low one for each endpoint, four bits of index.
  Bytes b(16);
  const auto put = [&](unsigned lo, unsigned width, unsigned v) {
    for (unsigned n = 0; n < width; ++n) b[(lo + n) / 8] |= (v >> n & 1) << (lo + n) % 8;
  };
  put(6, 1, 1);
  put(7, 7, 0), put(14, 7, 127), put(21, 7, 10), put(28, 7, 10), put(35, 7, 127), put(42, 7, 0), put(49, 7, 127),
      put(56, 7, 127);
  put(63, 1, 0), put(64, 1, 1);
  put(65, 3, 0), put(68, 4, 15), put(72, 4, 8);
  const auto t = decode("BC7_UNORM", b);
  EXPECT_EQ(t[0], bytes(0, 20, 254, 254));
  EXPECT_EQ(t[1], bytes(255, 21, 1, 255));
  EXPECT_EQ(t[2], bytes((255 * 34 + 32) / 64, (20 * 30 + 21 * 34 + 32) / 64, (254 * 30 + 34 + 32) / 64,
                        (254 * 30 + 255 * 34 + 32) / 64));
  EXPECT_EQ(decode("BC7_UNORM", {0, 0xFF, 0xFF, 0xFF})[9], bytes(0, 0, 0, 0));  // reserved
}

TEST(Compressed, etc1_and_etc2) {
  // Individual colours of four bits: red 15 left, blue 15 right; tables 0; all indices 0: two more.
  auto t = decode("ETC1_RGB8", {0xF0, 0x00, 0x0F, 0x00, 0, 0, 0, 0});
  EXPECT_EQ(t[0], bytes(255, 2, 2));
  EXPECT_EQ(t[2], bytes(2, 2, 255));
  t = decode("ETC2_RGB8", {0xF0, 0x00, 0x0F, 0x01, 0, 0, 0, 0});  // one above the other
  EXPECT_EQ(t[3], bytes(255, 2, 2));
  EXPECT_EQ(t[12], bytes(2, 2, 255));
  // Texels go by columns: the last index bits are of texel (0, 0) and (0, 1).
  t = decode("ETC2_RGB8", {0x88, 0x88, 0x88, 0x00, 0x00, 0x02, 0x00, 0x03});
  EXPECT_EQ(t[0], bytes(136 + 8, 136 + 8, 136 + 8));
  EXPECT_EQ(t[4], bytes(136 - 8, 136 - 8, 136 - 8));
  EXPECT_EQ(t[1], bytes(136 + 2, 136 + 2, 136 + 2));
  // Planar: blue overflows. Origin, across and down are all zero but red's across: 63.
  t = decode("ETC2_RGB8", {0x00, 0x00, 0x04, 0x7F, 0, 0, 0, 0});
  EXPECT_EQ(t[0], bytes(0, 0, 0));
  EXPECT_EQ(t[2], bytes(128, 0, 0));
  EXPECT_EQ(t[3], bytes(191, 0, 0));
  // Without the bit for opaque, index 2 is clear and index 0 is the base itself.
  t = decode("ETC2_RGB8_PTA", {0x80, 0x80, 0x80, 0x00, 0x00, 0x01, 0x00, 0x00});
  EXPECT_EQ(t[0], bytes(0, 0, 0, 0));
  EXPECT_EQ(t[1], bytes(132, 132, 132));
  t = decode("ETC2_RGB8_PTA", {0x80, 0x80, 0x80, 0x02, 0x00, 0x01, 0x00, 0x00});
  EXPECT_EQ(t[0], bytes(130, 130, 130));
}

TEST(Compressed, eac) {
  // Base 100, factor 2, row 0, the first index 7 (+14), the others 0 (-3).
  auto t = decode("ETC2_EAC_RGBA8", {100, 0x20, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(t[0], bytes(2, 2, 2, 128));
  EXPECT_EQ(t[4], bytes(2, 2, 2, 94));
  t = decode("EAC_R11", {100, 0x20, 0xE0, 0, 0, 0, 0, 0});
  EXPECT_EQ(t[0], floats(float((804 + 2 * 14 * 8) / 2047.0), 0, 0, 1));
  t = decode("EAC_R11", {100, 0x00, 0xE0, 0, 0, 0, 0, 0});
  EXPECT_EQ(t[0], floats(float((804 + 14) / 2047.0), 0, 0, 1));
  t = decode("EAC_SIGNED_RG11", {0x80, 0x10, 0, 0, 0, 0, 0, 0, 0x7F, 0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
  EXPECT_EQ(t[0], floats(-1, 1, 0, 1));
}

TEST(Compressed, astc) {
  // A constant colour, everywhere.
  const Bytes constant{0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x80, 0x01, 0x00, 0x34, 0x12};
  auto t = decode("ASTC_LDR_2D_12X12_FLT16", constant);
  EXPECT_EQ(t[143], floats(1, 0.5f, 0x1p-16f, 0x1234 / 65536.0f));
  t = decode("ASTC_LDR_2D_5X4_U8SRGB", constant);
  EXPECT_EQ(t[19][3], bytes(0, 0, 0, 0x12)[3]);
  EXPECT_FLOAT_EQ(as_float(t[0][1]), float(std::pow((128 / 255.0 + 0.055) / 1.055, 2.4)));
  // With a range that is none, of high dynamic range, or without the reserved bits, it is an error.
  for (const auto& [at, v] : {std::pair<size_t, unsigned>{3, 0}, {1, 0xFF}, {1, 0xF5}}) {
    Bytes wrong = constant;
    wrong[at] = v;
    EXPECT_EQ(decode("ASTC_LDR_2D_4X4_FLT16", wrong)[0], magenta);
  }
  // A grid of 4 x 4, weights of two bits, luminance: mode bits 1:0 = 10, 4 = 0 (range 4), 6:5 = 10.
  Bytes b(16);
  b[0] = 0x42;
  b[2] |= 0x00;
  const auto put = [&](unsigned lo, unsigned width, unsigned v) {
    for (unsigned n = 0; n < width; ++n) b[(lo + n) / 8] |= (v >> n & 1) << (lo + n) % 8;
  };
  put(17, 8, 10), put(25, 8, 250);
  put(126, 2, 3);  // the first weight stands highest, its bits in turn
  put(124, 2, 1);  // the second: its lowest bit is the higher one
  t = decode("ASTC_LDR_2D_4X4_FLT16", b);
  const auto sixteen = [](int v) { return std::floor(v / 32.0) * 32 / 65536; };  // eleven bits of those from 32768 up
  EXPECT_NEAR(as_float(t[0][0]), sixteen(250 * 257), 0);
  EXPECT_EQ(t[0][3], 0x3F800000u);
  EXPECT_NEAR(as_float(t[2][0]), 10 * 257 / 65536.0, 2e-5);
  EXPECT_NEAR(as_float(t[1][0]), (10 * 257 * (64 - 43) + 250 * 257 * 43) / 64 / 65536.0, 5e-4);
  // Reserved modes, and grids that are larger than the block.
  EXPECT_EQ(decode("ASTC_LDR_2D_4X4_FLT16", {0x00, 0x00})[5], magenta);
  EXPECT_EQ(decode("ASTC_LDR_2D_4X4_U8SRGB", {0x62, 0x00})[5], magenta);
  // Endpoints of high dynamic range.
  b[1] |= 0x40;
  EXPECT_EQ(decode("ASTC_LDR_2D_4X4_FLT16", b)[5], magenta);
}

TEST(Compressed, fxt1) {
  // CC_CHROMA (010): four colours of five bits, two bits for each texel; the right half's come second.
  Bytes b(16);
  b[15] = 0x40;
  b[8] = 0x1F;  // blue of colour 0
  b[4] = 0x01;  // texel (4, 0) is colour 1: black
  const auto t = decode("FXT1", b);
  EXPECT_EQ(t[0], bytes(0, 0, 255));
  EXPECT_EQ(t[4], bytes(0, 0, 0));
  EXPECT_EQ(t[5], bytes(0, 0, 255));
}

}  // namespace
}  // namespace vitro::formats
