// The elementary functions against the host's library in double, to within the errors that docs/decisions/0010 states;
// their special cases by bits; and their forms of one lane, of eight and of eight with AVX2 against each other. All
// floats, and compiled code, are the business of tests/eu_reference/elementary.cpp.
#include "eu/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "eu/elementary_reference_test.h"
#include "lanes/one.h"

namespace vitro::eu {
namespace {

using isa::MathFunction;

constexpr MathFunction all[] = {MathFunction::exp, MathFunction::log, MathFunction::pow, MathFunction::sin,
                                MathFunction::cos};
constexpr float infinity = std::numeric_limits<float>::infinity();

double allowed(MathFunction f, double want) {
  switch (f) {
    case MathFunction::exp: return ulp(want);
    case MathFunction::log: return 2 * ulp(want);
    case MathFunction::pow: return 16 * ulp(want);
    default: return 0x1p-21;
  }
}

float host(MathFunction f, float a, float b = 0) {
  const float first[8] = {0, 0, a}, second[8] = {0, 0, b};
  float r[8];
  elementary_functions()[*elementary_index(f)](first, second, r);
  return r[2];
}
float single(MathFunction f, float a, float b = 0) {
  return elementary(lanes::One{}, *elementary_index(f), lanes::OneFloat(a), lanes::OneFloat(b)).v;
}
uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
float of_bits(uint32_t x) { return std::bit_cast<float>(x); }

void check(MathFunction f, float a, float b) {
  const double want = of_library(f, a, b);
  const float got = host(f, a, b);
  EXPECT_EQ(bits(got), bits(single(f, a, b))) << int(f) << " of " << a << ", " << b;
  EXPECT_EQ(std::isnan(want), std::isnan(got)) << int(f) << " of " << a << ", " << b;
  const bool finite = std::isfinite(float(want)) && std::isfinite(got);
  EXPECT_LE(finite ? std::fabs(double(got) - want) : 0, allowed(f, want)) << int(f) << " of " << a << ", " << b;
  // what is too large for a float may be the largest one, within the error
  const bool too_large = std::fabs(want) >= 0x1.0002p128, fits = std::fabs(want) < 0x1.fffdp127;
  EXPECT_TRUE(!too_large || got == float(want)) << int(f) << " of " << a << ", " << b;
  EXPECT_TRUE(!fits || std::isfinite(got)) << int(f) << " of " << a << ", " << b;
  EXPECT_FALSE((f == MathFunction::sin || f == MathFunction::cos) && std::fabs(got) > 1) << a;
}

TEST(Elementary, StaysWithinItsError) {
  Rng rng(5);
  for (MathFunction f : all)
    for (int n = 0; n < 40000; ++n) {
      // any float, or one of a size that occurs, or one next to 1
      float a = of_bits(uint32_t(rng())), b = float(int32_t(rng.below(4000)) - 2000) / 64;
      if (n % 3 == 1) a = float(int64_t(rng.below(1 << 24)) - (1 << 23)) / (n % 2 ? 65536.0f : 4194304.0f);
      if (n % 3 == 2) a = 1 + float(int32_t(rng())) * 0x1p-32f;
      // powers of any size, by any first argument
      if (n % 2) b = float(double(int64_t(rng())) * 0x1p-63 * 150 / std::log2(std::fabs(double(a))));
      if (HasFailure()) return;
      check(f, a, b);
    }
}

TEST(Elementary, SpecialCases) {
  const float special[] = {0,
                           0x1p-149f,
                           0x1.fffffcp-127f,
                           0x1p-126f,
                           0.5f,
                           1 - 0x1p-24f,
                           1,
                           1 + 0x1p-23f,
                           2,
                           126,
                           127,
                           128,
                           149,
                           150,
                           151,
                           200,
                           0x1p23f,
                           0x1p24f,
                           102943,
                           102944,
                           0x1p31f,
                           0x1.fffffep127f,
                           infinity};
  for (MathFunction f : all)
    for (float a : special)
      for (float b : special)
        for (float x : {a, -a})
          for (float y : {b, -b}) check(f, x, y);
}

TEST(Elementary, ExactResults) {
  for (int n = -149; n < 128; ++n) {
    EXPECT_EQ(host(MathFunction::exp, float(n)), float(std::ldexp(1.0, n))) << n;
    EXPECT_EQ(host(MathFunction::log, float(std::ldexp(1.0, n))), float(n)) << n;
    EXPECT_EQ(host(MathFunction::pow, 2, float(n)), float(std::ldexp(1.0, n))) << n;
  }
  EXPECT_EQ(host(MathFunction::exp, -150), 0);
  EXPECT_EQ(host(MathFunction::exp, 128), infinity);
  EXPECT_EQ(bits(host(MathFunction::log, 1)), 0u);
  EXPECT_EQ(host(MathFunction::log, 0), -infinity);
  EXPECT_EQ(host(MathFunction::log, -0.0f), -infinity);
  EXPECT_EQ(host(MathFunction::log, infinity), infinity);
  for (float x : {-3.0f, 0.0f, -0.0f, infinity}) EXPECT_EQ(host(MathFunction::pow, x, 0), 1);
  EXPECT_EQ(host(MathFunction::pow, 1, 1e30f), 1);
  EXPECT_EQ(host(MathFunction::pow, 0, 2), 0);
  EXPECT_EQ(host(MathFunction::pow, -0.0f, -2), infinity);
  EXPECT_EQ(host(MathFunction::pow, infinity, -1), 0);
  EXPECT_EQ(host(MathFunction::cos, 0), 1);
  EXPECT_EQ(bits(host(MathFunction::sin, 0.0f)), 0u);
  EXPECT_EQ(bits(host(MathFunction::sin, -0.0f)), 0x80000000u);
  EXPECT_EQ(host(MathFunction::sin, 0x1p-149f), 0x1p-149f);
}

// A NaN of the first argument, else of the second, comes back quiet; one of the function's own is negative.
TEST(Elementary, WhatIsNoNumber) {
  for (uint32_t nan : {0x7F800001u, 0xFFC12345u, 0x7FFFFFFFu}) {
    for (MathFunction f : all) {
      EXPECT_EQ(bits(host(f, of_bits(nan), 1)), nan | 0x00400000) << int(f);
      EXPECT_EQ(bits(host(f, of_bits(nan), of_bits(0x7FC00007))), nan | 0x00400000) << int(f);
    }
    for (float x : {2.0f, 0.0f, infinity}) EXPECT_EQ(bits(host(MathFunction::pow, x, of_bits(nan))), nan | 0x00400000);
  }
  constexpr uint32_t own = 0xFFC00000;
  for (float x : {infinity, -infinity}) {
    EXPECT_EQ(bits(host(MathFunction::sin, x)), own);
    EXPECT_EQ(bits(host(MathFunction::cos, x)), own);
    EXPECT_EQ(bits(host(MathFunction::pow, 1, x)), own);
  }
  for (float x : {-1.0f, -0x1p-149f, -infinity}) EXPECT_EQ(bits(host(MathFunction::log, x)), own);
}

}  // namespace
}  // namespace vitro::eu
