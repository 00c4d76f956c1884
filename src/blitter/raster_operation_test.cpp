// All 256 raster operations, bit by bit, and those that have names against what the names say. PRM: Gen8 vol 10,
// "Raster Operations".
#include "blitter/raster_operation.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace vitro::blitter {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_bytes(Rng& rng, size_t n) {
  Bytes b(n);
  for (std::byte& v : b) v = std::byte(rng());
  return b;
}

// Of lengths around those of words.
TEST(RasterOperation, All256) {
  Rng rng(256);
  for (unsigned code = 0; code < 256; ++code)
    for (const size_t length : {1, 2, 4, 7, 8, 9, 31, 64, 100}) {
      const Bytes p = random_bytes(rng, length), s = random_bytes(rng, length), d = random_bytes(rng, length);
      Bytes result(length + 1, std::byte{0x5A});
      raster_operation(uint8_t(code), result.data(), p.data(), s.data(), d.data(), length);
      for (size_t n = 0; n < 8 * length; ++n) {
        const auto bit = [&](const Bytes& b) { return unsigned(b[n / 8]) >> n % 8 & 1; };
        ASSERT_EQ(bit(result), code >> (4 * bit(p) + 2 * bit(s) + bit(d)) & 1) << code << " bit " << n;
      }
      EXPECT_EQ(result[length], std::byte{0x5A}) << "one byte too many";
    }
}

TEST(RasterOperation, ByName) {
  struct Named {
    uint8_t code;
    uint8_t (*of)(uint8_t p, uint8_t s, uint8_t d);
  };
  const Named names[] = {
      {0x00, [](uint8_t, uint8_t, uint8_t) { return uint8_t(0); }},                 // BLACKNESS
      {0x11, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(~(s | d)); }},      // NOTSRCERASE
      {0x33, [](uint8_t, uint8_t s, uint8_t) { return uint8_t(~s); }},              // NOTSRCCOPY
      {0x44, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(s & ~d); }},        // SRCERASE
      {0x55, [](uint8_t, uint8_t, uint8_t d) { return uint8_t(~d); }},              // DSTINVERT
      {0x5A, [](uint8_t p, uint8_t, uint8_t d) { return uint8_t(p ^ d); }},         // PATINVERT
      {0x66, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(s ^ d); }},         // SRCINVERT
      {0x88, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(s & d); }},         // SRCAND
      {0xBB, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(~s | d); }},        // MERGEPAINT
      {0xC0, [](uint8_t p, uint8_t s, uint8_t) { return uint8_t(p & s); }},         // MERGECOPY
      {0xCC, [](uint8_t, uint8_t s, uint8_t) { return s; }},                        // SRCCOPY
      {0xEE, [](uint8_t, uint8_t s, uint8_t d) { return uint8_t(s | d); }},         // SRCPAINT
      {0xF0, [](uint8_t p, uint8_t, uint8_t) { return p; }},                        // PATCOPY
      {0xFB, [](uint8_t p, uint8_t s, uint8_t d) { return uint8_t(p | ~s | d); }},  // PATPAINT
      {0xFF, [](uint8_t, uint8_t, uint8_t) { return uint8_t(0xFF); }},              // WHITENESS
  };
  for (const Named& n : names) {
    const uint8_t p = 0xF0, s = 0xCC, d = 0xAA, expected = n.of(p, s, d);
    std::byte result{};
    const std::byte operands[3] = {std::byte(p), std::byte(s), std::byte(d)};
    raster_operation(n.code, &result, &operands[0], &operands[1], &operands[2], 1);
    EXPECT_EQ(uint8_t(result), expected) << int(n.code);
    EXPECT_EQ(expected, n.code) << "a code is what it makes of these three";
  }
}

TEST(RasterOperation, UsesWhatChangesItsResult) {
  for (unsigned code = 0; code < 256; ++code) {
    const auto of = [&](unsigned p, unsigned s, unsigned d) { return code >> (4 * p + 2 * s + d) & 1; };
    bool pattern = false, source = false, destination = false;
    for (unsigned a = 0; a < 2; ++a)
      for (unsigned b = 0; b < 2; ++b) {
        pattern = pattern || of(0, a, b) != of(1, a, b);
        source = source || of(a, 0, b) != of(a, 1, b);
        destination = destination || of(a, b, 0) != of(a, b, 1);
      }
    EXPECT_EQ(uses_pattern(uint8_t(code)), pattern) << code;
    EXPECT_EQ(uses_source(uint8_t(code)), source) << code;
    EXPECT_EQ(uses_destination(uint8_t(code)), destination) << code;
  }
}

TEST(RasterOperation, MasksKeepTheDestination) {
  const std::byte mask[] = {std::byte{0xFF}, std::byte{0}, std::byte{0xF0}},
                  old[] = {std::byte{1}, std::byte{2}, std::byte{3}};
  std::byte result[] = {std::byte{0x11}, std::byte{0x22}, std::byte{0x33}};
  keep_destination(result, mask, old, 3);
  EXPECT_EQ(result[0], std::byte{0x11});
  EXPECT_EQ(result[1], std::byte{2});
  EXPECT_EQ(result[2], std::byte{0x33});
}

}  // namespace
}  // namespace vitro::blitter
