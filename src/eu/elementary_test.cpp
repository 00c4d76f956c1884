// The elementary functions against the host's library, which is exact to a unit of a double's last place: rounded to
// float both must agree but where the library's own value lies next to the middle of two floats.
#include "eu/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace vitro::eu {
namespace {

using isa::MathFunction;

constexpr MathFunction all[] = {MathFunction::exp, MathFunction::log, MathFunction::pow, MathFunction::sin,
                                MathFunction::cos};

double of_library(MathFunction f, double a, double b) {
  switch (f) {
    case MathFunction::exp: return std::exp2(a);
    case MathFunction::log: return std::log2(a);
    case MathFunction::pow: return std::exp2(b * std::log2(std::fabs(a)));
    case MathFunction::sin: return std::sin(a);
    default: return std::cos(a);
  }
}

double one(MathFunction f, double a, double b = 0) {
  const double first[8] = {a}, second[8] = {b};
  double r[8];
  elementary_functions()[*elementary_index(f)](first, second, r);
  return r[0];
}

TEST(Elementary, AgreesWithTheLibrary) {
  Rng rng(5);
  for (MathFunction f : all)
    for (int n = 0; n < 20000; ++n) {
      // any float, or one of a size that occurs
      float a = std::bit_cast<float>(uint32_t(rng())), b = float(int32_t(rng.below(4000)) - 2000) / 64;
      if (n % 2) a = float(int64_t(rng.below(1 << 24)) - (1 << 23)) / (n % 4 == 1 ? 65536.0f : 4194304.0f);
      const double want = of_library(f, a, b), got = one(f, a, b);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << int(f) << " of " << a << ", " << b;
      } else if (std::isinf(float(want)) || std::fabs(want) < 1e-300) {
        EXPECT_EQ(float(got), float(want)) << int(f) << " of " << a << ", " << b;
      } else {
        EXPECT_LE(std::fabs(got - want), 1e-12 * std::fabs(want)) << int(f) << " of " << a << ", " << b;
      }
    }
}

TEST(Elementary, SpecialCases) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (MathFunction f : all) EXPECT_TRUE(std::isnan(one(f, nan, 1)));
  EXPECT_TRUE(std::isnan(one(MathFunction::pow, 2, nan)));
  EXPECT_EQ(one(MathFunction::exp, infinity), infinity);
  EXPECT_EQ(one(MathFunction::exp, -infinity), 0);
  EXPECT_EQ(one(MathFunction::exp, -149), 0x1p-149);
  EXPECT_EQ(one(MathFunction::exp, 10), 1024);
  EXPECT_EQ(one(MathFunction::log, infinity), infinity);
  EXPECT_EQ(one(MathFunction::log, 0), -infinity);
  EXPECT_EQ(one(MathFunction::log, -0.0), -infinity);
  EXPECT_EQ(one(MathFunction::log, 1), 0);
  EXPECT_EQ(one(MathFunction::log, 0x1p-149), -149);
  EXPECT_TRUE(std::isnan(one(MathFunction::log, -1)));
  EXPECT_TRUE(std::isnan(one(MathFunction::pow, 0, 0)));
  EXPECT_EQ(one(MathFunction::pow, -3, 0), 1);
  EXPECT_TRUE(std::signbit(one(MathFunction::sin, -0.0)));
  EXPECT_EQ(one(MathFunction::cos, 0), 1);
  EXPECT_TRUE(std::isnan(one(MathFunction::sin, infinity)));
  EXPECT_EQ(one(MathFunction::sin, 1e30), std::sin(1e30));
}

}  // namespace
}  // namespace vitro::eu
