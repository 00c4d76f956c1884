// Instructions that look past their own channel or into the accumulator: dot products, planes, sums of differences,
// multiply-accumulate chains, carries, indexed and scattered moves.
// PRM: Gen6 vol 4 part 2 chapter 8 and section 9.2 (T29, T31, T32); Gen8 vol 2a. Floats sums are bounded: the documents
// leave their intermediate roundings open (FP-08), so each term may cost one unit in the last place of the magnitudes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "eu/bench_test.h"
#include "reference.h"

namespace vitro::reference {
namespace {

using eu::Bench;
using eu::Status;

class Channels : public testing::TestWithParam<ModelSource> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
  bool old() const { return model().mrf_count != 0; }
};
INSTANTIATE_TEST_SUITE_P(Every, Channels, testing::ValuesIn(every_model), model_name);

// Floats of a few magnitudes, both signs, with full mantissas.
float some_float(uint64_t seed) {
  const uint64_t r = mix(seed);
  const float m = 1.0f + float(r >> 41) * 0x1p-23f;
  return std::ldexp(r & 1 ? m : -m, int(r >> 8 & 15) - 8);
}
void fill_floats(Bench& b, int reg, int count, uint64_t seed) {
  for (int n = 0; n < count; ++n) b.set<float>(reg, n, some_float(seed * 64 + uint64_t(n)));
}

TEST_P(Channels, DotProducts) {
  struct {
    const char* name;
    int terms;
    bool homogeneous;
  } const products[] = {{"dp2", 2, false}, {"dp3", 3, false}, {"dp4", 4, false}, {"dph", 4, true}};
  for (const auto& [name, terms, homogeneous] : products)
    for (uint64_t seed = 0; seed < 200; ++seed) {
      Bench b(model(), 0xFF);
      fill_floats(b, 2, 8, seed * 2);
      fill_floats(b, 3, 8, seed * 2 + 1);
      b.run(fmt::format("{} (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", name));
      ASSERT_EQ(b.status, Status::ended);
      for (int group = 0; group < 8; group += 4) {
        double x[4], y[4];
        for (int n = 0; n < 4; ++n) {
          x[n] = homogeneous && n == 3 ? 1.0 : double(b.get<float>(2, group + n));
          y[n] = double(b.get<float>(3, group + n));
        }
        for (int n = 0; n < 4; ++n) {
          EXPECT_EQ(b.get<uint32_t>(4, group + n), b.get<uint32_t>(4, group)) << name;
          EXPECT_LE(dot_error(terms, x, y, double(b.get<float>(4, group + n))), double(terms)) << name << " " << seed;
        }
      }
    }
}

TEST_P(Channels, DotProductsOfSmallIntegersAreExact) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {1, 2, 3, 4, -5, 6, -7, 8});
  b.fill<float>(3, {9, -8, 7, 6, 5, 4, 3, 2});
  b.run(
      "dp4 (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "dph (8|M0) r5.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "dp3 (8|M0) r6.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "dp2 (8|M0) r7.0<1>:f r2.0<8;8,1>:f -r3.0<8;8,1>:f");
  EXPECT_EQ(b.lanes<float>(4, 8), (std::vector<float>{38, 38, 38, 38, -6, -6, -6, -6}));
  EXPECT_EQ(b.lanes<float>(5, 8), (std::vector<float>{20, 20, 20, 20, -20, -20, -20, -20}));
  EXPECT_EQ(b.lanes<float>(6, 8), (std::vector<float>{14, 14, 14, 14, -22, -22, -22, -22}));
  EXPECT_EQ(b.lanes<float>(7, 8), (std::vector<float>{7, 7, 7, 7, 1, 1, 1, 1}));
}

// T31: four dot products into the four components of one register.
TEST_P(Channels, T31_MatrixTimesVector) {
  Bench b(model(), 0xFF);
  for (int row = 0; row < 4; ++row)
    for (int n = 0; n < 8; ++n) b.set<float>(row, n, float(10 * row + n % 4));
  b.fill<float>(4, {1, 2, 3, 4, -1, -2, -3, -4});
  b.run(
      "dp4 (8|M0) r5.0<1>.x:f r0.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDClr}\n"
      "dp4 (8|M0) r5.0<1>.y:f r1.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDClr,NoDDChk}\n"
      "dp4 (8|M0) r5.0<1>.z:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDClr,NoDDChk}\n"
      "dp4 (8|M0) r5.0<1>.w:f r3.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDChk}");
  EXPECT_EQ(b.lanes<float>(5, 8), (std::vector<float>{20, 120, 220, 320, -20, -120, -220, -320}));
}

TEST_P(Channels, LinesAndPlanes) {
  for (uint64_t seed = 0; seed < 200; ++seed)
    for (int start : {0, 4}) {
      Bench b(model(), 0xFFFF);
      fill_floats(b, 2, 8, seed * 5);
      for (int n = 0; n < 4; ++n) fill_floats(b, 10 + n, 8, seed * 5 + 1 + uint64_t(n));
      b.run(
          fmt::format("line (16|M0) r20.0<1>:f r2.{0}<0;1,0>:f r10.0<8;8,1>:f\n"
                      "pln (16|M0) r30.0<1>:f r2.{0}<0;1,0>:f r10.0<8;8,1>:f\n"
                      "pln (8|M0) r40.0<1>:f r2.{0}<0;1,0>:f r10.0<8;8,1>:f",
                      start));
      ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
      const auto tuple = [&](int n) { return double(b.get<float>(2, start + n)); };
      for (int n = 0; n < 16; ++n) {
        const double line_a[] = {tuple(0), tuple(3)}, line_b[] = {double(b.get<float>(10, n)), 1};
        EXPECT_LE(dot_error(2, line_a, line_b, double(b.get<float>(20, n))), 2.0);
        const int pair = 10 + n / 8 * 2;
        const double plane_a[] = {tuple(0), tuple(1), tuple(3)},
                     plane_b[] = {double(b.get<float>(pair, n % 8)), double(b.get<float>(pair + 1, n % 8)), 1};
        EXPECT_LE(dot_error(3, plane_a, plane_b, double(b.get<float>(30, n))), 3.0);
        EXPECT_TRUE(n >= 8 || b.get<uint32_t>(40, n) == b.get<uint32_t>(30, n));
      }
    }
}

TEST_P(Channels, PlanesFlushDenormalsAndTakeModifiers) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {2, 3, 99, 5, -2, -3, 99, 0x1p-130f});
  for (int n = 0; n < 8; ++n) b.set<float>(10, n, float(n)), b.set<float>(11, n, float(10 * n));
  b.run(
      "line (8|M0) r20.0<1>:f r2.0<0;1,0>:f -r10.0<8;8,1>:f\n"
      "line (8|M0) r21.0<1>:f r2.4<0;1,0>:f r10.0<8;8,1>:f\n"
      "pln (8|M0) r22.0<1>:f r2.0<0;1,0>:f r10.0<8;8,1>:f");
  for (int n = 0; n < 8; ++n) {
    EXPECT_EQ(b.get<float>(20, n), float(5 - 2 * n));
    EXPECT_EQ(b.get<uint32_t>(21, n), n ? std::bit_cast<uint32_t>(float(-2 * n)) : 0u);
    EXPECT_EQ(b.get<float>(22, n), float(32 * n + 5));
  }
}

TEST_P(Channels, PlanesPastTheLastRegisterAreAFault) {
  Bench b(model(), 0xFF);
  b.run("pln (8|M0) r20.0<1>:f r2.0<0;1,0>:f r127.0<8;8,1>:f");
  ASSERT_TRUE(b.fault);
}

// T32: a homogeneous dot product for eight points, by line and two mac.
TEST_P(Channels, T32_HomogeneousDotProduct) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {2, -3, 5, 7});
  for (int n = 0; n < 8; ++n)
    b.set<float>(12, n, float(n)), b.set<float>(13, n, float(2 * n - 5)), b.set<float>(14, n, float(n * n));
  b.run(
      "line (8|M0) acc0.0<1>:f r2.0<0;1,0>:f r12.0<8;8,1>:f\n"
      "mac (8|M0) acc0.0<1>:f r2.1<0;1,0>:f r13.0<8;8,1>:f\n"
      "mac (8|M0) r16.0<1>:f r2.2<0;1,0>:f r14.0<8;8,1>:f");
  for (int n = 0; n < 8; ++n) EXPECT_EQ(b.get<float>(16, n), float(2 * n - 3 * (2 * n - 5) + 5 * n * n + 7));
}

TEST_P(Channels, FloatMacAddsToTheAccumulator) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Bench b(model(), 0xFF);
    for (int n = 0; n < 3; ++n) fill_floats(b, 2 + n, 8, seed * 3 + uint64_t(n));
    b.run(
        "mov (8|M0) acc0.0<1>:f r2.0<8;8,1>:f\n"
        "mac (8|M0) r5.0<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f");
    for (int n = 0; n < 8; ++n) {
      const double x[] = {double(b.get<float>(2, n)), double(b.get<float>(3, n))},
                   y[] = {1, double(b.get<float>(4, n))};
      EXPECT_LE(dot_error(2, x, y, double(b.get<float>(5, n))), 2.0);
    }
  }
}

// Words are accumulated in 33 bits; sixteen at a time.
TEST_P(Channels, WordMacAccumulates) {
  Bench b(model(), 0xFFFF);
  std::vector<int16_t> x, y, z;
  for (int n = 0; n < 16; ++n) {
    x.push_back(int16_t(mix(uint64_t(n))));
    y.push_back(int16_t(mix(uint64_t(n) + 100)));
    z.push_back(int16_t(mix(uint64_t(n) + 200)));
  }
  b.fill(2, x);
  b.fill(3, y);
  b.fill(4, z);
  b.run(
      "mul (16|M0) acc0.0<1>:w r2.0<16;16,1>:w r3.0<16;16,1>:w\n"
      "mac (16|M0) acc0.0<1>:w r3.0<16;16,1>:w r4.0<16;16,1>:w\n"
      "mac (16|M0) (sat)r5.0<1>:w r2.0<16;16,1>:w r4.0<16;16,1>:w\n"
      "mac (16|M0) r6.0<1>:w r2.0<16;16,1>:w r4.0<16;16,1>:w");
  for (size_t n = 0; n < 16; ++n) {
    const int64_t sum = int64_t(x[n]) * y[n] + int64_t(y[n]) * z[n] + int64_t(x[n]) * z[n];
    EXPECT_EQ(b.get<int16_t>(5, int(n)), int16_t(std::clamp<int64_t>(sum, -32768, 32767)));
    EXPECT_EQ(b.get<int16_t>(6, int(n)), int16_t(sum));
  }
}

// mul, mach: all 64 bits of signed and unsigned products of corner values.
TEST_P(Channels, MachMakesWholeProducts) {
  for (const bool is_signed : {true, false}) {
    const isa::Type type = is_signed ? isa::Type::d : isa::Type::ud;
    const std::vector<uint64_t> corners = corner_values(type);
    const std::string t = is_signed ? "d" : "ud";
    for (uint64_t x : corners)
      for (size_t at = 0; at + 8 <= corners.size(); at += 8) {
        Bench b(model(), 0xFF);
        for (int n = 0; n < 8; ++n) {
          b.set(2, n, uint32_t(x));
          b.set(3, n, uint32_t(corners[at + size_t(n)]));
        }
        b.run(
            fmt::format("mul (8|M0) acc0.0<1>:{0} r2.0<8;8,1>:{0} r3.0<{1}\n"
                        "mach (8|M0) r4.0<1>:{0} r2.0<8;8,1>:{0} r3.0<8;8,1>:{0} {{AccWrEn}}\n"
                        "mov (8|M0) r5.0<1>:{0} acc0.0<8;8,1>:{0}",
                        t, old() ? "8;8,1>:" + t : "16;8,2>:uw"));
        for (int n = 0; n < 8; ++n) {
          const uint64_t y = corners[at + size_t(n)];
          const uint64_t product = is_signed ? uint64_t(int64_t(int32_t(x)) * int64_t(int32_t(y))) : x * y;
          EXPECT_EQ(b.get<uint32_t>(4, n), uint32_t(product >> 32)) << t << x << " * " << y;
          EXPECT_EQ(b.get<uint32_t>(5, n), uint32_t(product)) << t << x << " * " << y;
        }
      }
  }
}

// mach updates the accumulator of every channel, the destination only of enabled ones.
TEST_P(Channels, MachIgnoresTheMaskForTheAccumulator) {
  Bench b(model(), 0x0F);
  for (int n = 0; n < 8; ++n) b.set(2, n, 0x10000), b.set(3, n, 0x30000), b.set(4, n, -1);
  b.run(
      "(W) mov (8|M0) acc0.0<1>:d 0:w\n"
      "mach (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}");
  for (int n = 0; n < 8; ++n) {
    EXPECT_EQ(b.thread.acc[0][size_t(n)], int64_t(0x300000000));
    EXPECT_EQ(b.get<int32_t>(4, n), n < 4 ? 3 : -1);
  }
}

class Carries : public Channels {};
INSTANTIATE_TEST_SUITE_P(Every, Carries, testing::ValuesIn(models_with(isa::Op::addc)), model_name);

TEST_P(Carries, CarriesAndBorrows) {
  const std::vector<uint64_t> corners = corner_values(isa::Type::ud);
  for (uint64_t x : corners)
    for (uint64_t y : corners) {
      Bench b(model(), 0xFF);
      for (int n = 0; n < 8; ++n) b.set(2, n, uint32_t(x)), b.set(3, n, uint32_t(y));
      b.run(
          "addc (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}\n"
          "mov (8|M0) r5.0<1>:ud acc0.0<8;8,1>:ud\n"
          "subb (8|M0) r6.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}\n"
          "mov (8|M0) r7.0<1>:ud acc0.0<8;8,1>:ud");
      EXPECT_EQ(b.get<uint32_t>(4, 5), uint32_t(x + y));
      EXPECT_EQ(b.get<uint32_t>(5, 5), uint32_t((x + y) >> 32));
      EXPECT_EQ(b.get<uint32_t>(6, 5), uint32_t(x - y));
      EXPECT_EQ(b.get<uint32_t>(7, 5), uint32_t(x < y));
    }
}

TEST_P(Channels, SumsOfAbsoluteDifferences) {
  for (const bool is_signed : {false, true}) {
    Bench b(model(), 0xFFFF);
    std::vector<uint8_t> x, y;
    for (int n = 0; n < 16; ++n) x.push_back(uint8_t(mix(uint64_t(n)))), y.push_back(uint8_t(mix(uint64_t(n) + 50)));
    x[0] = 0, y[0] = 255, x[1] = 128, y[1] = 127;
    b.fill(2, x);
    b.fill(3, y);
    const char* t = is_signed ? "b" : "ub";
    b.run(
        fmt::format("sad2 (16|M0) r4.0<1>:w r2.0<16;16,1>:{0} r3.0<16;16,1>:{0} {{AccWrEn}}\n"
                    "sada2 (16|M0) r5.0<1>:w r3.0<16;16,1>:{0} r2.0<16;16,1>:{0}",
                    t));
    const auto value = [&](uint8_t v) { return is_signed ? int(int8_t(v)) : int(v); };
    for (size_t n = 0; n < 16; n += 2) {
      const int sum = std::abs(value(x[n]) - value(y[n])) + std::abs(value(x[n + 1]) - value(y[n + 1]));
      EXPECT_EQ(b.get<int16_t>(4, int(n)), sum);
      EXPECT_EQ(b.get<int16_t>(5, int(n)), 2 * sum);
    }
  }
}

TEST_P(Channels, LinearInterpolation) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Bench b(model(), 0xFF);
    for (int n = 0; n < 3; ++n) fill_floats(b, 2 + n, 8, seed * 3 + uint64_t(n));
    for (int n = 0; n < 8; ++n) b.set<float>(2, n, float(mix(seed * 8 + uint64_t(n)) >> 40) * 0x1p-24f);
    b.run("lrp (8|M0) r5.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f");
    ASSERT_EQ(b.status, Status::ended);
    for (int n = 0; n < 8; ++n) {
      const double a = double(b.get<float>(2, n));
      const double x[] = {a, 1 - a}, y[] = {double(b.get<float>(3, n)), double(b.get<float>(4, n))};
      EXPECT_LE(dot_error(2, x, y, double(b.get<float>(5, n))), 3.0) << a;
    }
  }
}

// T29: bytes, words and dwords shuffled within the register a0.0 names.
TEST_P(Channels, T29_IndexedMoves) {
  constexpr uint8_t place[8] = {31, 0, 17, 6, 12, 29, 3, 8};
  for (int size : {1, 2, 4})
    for (int offset : {0, 16}) {
      Bench b(model(), 0xFF);
      for (int n = 0; n < 64; ++n) b.set<uint8_t>(10, n, uint8_t(100 + n));
      // the register comes from a0.0 alone; the others name another one, which does not matter
      for (size_t n = 0; n < 8; ++n) b.thread.a0[n] = uint16_t((n == 0 ? 10 : 40) * 32 + place[n]);
      const char* t = size == 1 ? "ub" : size == 2 ? "uw" : "ud";
      b.run(fmt::format("movi ({}|M0) r20.{}<1>:{} r[a0.0,32]<8;8,1>:{}", offset && size == 4 ? 4 : 8, offset / size, t,
                        t));
      ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
      for (int n = 0; n < (offset && size == 4 ? 4 : 8); ++n) {
        const int index = (offset / size + n) % 8;
        for (int byte = 0; byte < size; ++byte)
          EXPECT_EQ(b.get<uint8_t>(20, offset + n * size + byte), 100 + 32 + (place[index] & ~(size - 1)) + byte)
              << t << " " << offset << " " << n;
      }
    }
}

class ImmediateMoves : public Channels {};
INSTANTIATE_TEST_SUITE_P(Every, ImmediateMoves, testing::ValuesIn(models_with(isa::Op::dim)), model_name);

// dim has no reference page: it is taken for a mov of its one legal type here.
TEST_P(ImmediateMoves, DoublePrecisionImmediateMove) {
  Bench b(model(), 0xFF);
  fill_floats(b, 2, 8, 3);
  b.run("dim (8|M0) r4.0<1>:f r2.0<8;8,1>:f");
  EXPECT_EQ(b.lanes<float>(4, 8), b.lanes<float>(2, 8));
}

TEST_P(Channels, VectorImmediates) {
  for (uint32_t packed : {0x76543210u, 0xFEDCBA98u, 0x80000007u}) {
    Bench b(model(), 0xFFFF);
    b.run(fmt::format("mov (16|M0) r4.0<1>:w {0:#010x}:v\nmov (16|M0) r5.0<1>:uw {0:#010x}:uv", packed));
    for (int n = 0; n < 16; ++n) {
      const int nibble = int(packed >> 4 * (n % 8) & 15);
      EXPECT_EQ(b.get<int16_t>(4, n), nibble < 8 ? nibble : nibble - 16);
      EXPECT_EQ(b.get<uint16_t>(5, n), nibble);
    }
  }
}

class Scattering : public Channels {};
INSTANTIATE_TEST_SUITE_P(Every, Scattering, testing::ValuesIn(models_with(isa::Op::smov)), model_name);

TEST_P(Scattering, ScatteredMoves) {
  const auto run = [&](const char* text, uint32_t channels) {
    Bench b(model(), channels);
    for (int n = 0; n < 8; ++n) b.set<float>(2, n, float(n + 1)), b.set<float>(3, n, -1.0f);
    b.run(text);
    uint32_t written = 0;
    for (int n = 0; n < 8; ++n) {
      if (b.get<float>(3, n) == float(n + 1))
        written |= 1u << n;
      else
        EXPECT_EQ(b.get<float>(3, n), -1.0f);
    }
    return written;
  };
  EXPECT_EQ(run("smov (8|M0) r3.0<1>:f r2.0<8;8,1>:f 0x55:ud", 0xFF), 0x55u);
  EXPECT_EQ(run("smov (8|M0) r3.0<1>:f r2.0<8;8,1>:f 0x55:ud", 0x0F), 0x05u);
  EXPECT_EQ(run("(W) smov (8|M0) r3.0<1>:f r2.0<8;8,1>:f 0xA0:ud", 0x0F), 0xA0u);
  EXPECT_EQ(run("(f0.0) smov (8|M0) r3.0<1>:f r2.0<8;8,1>:f 0x04:ud", 0x0F), 0xFFu);
  EXPECT_EQ(run("(f0.0) smov (8|M0) r3.0<1>:f r2.0<8;8,1>:f 0xF0:ud", 0x0F), 0x00u);
}

TEST_P(Channels, ResultsGoToTheAccumulatorWhenAskedFor) {
  Bench b(model(), 0x0F);
  for (int n = 0; n < 8; ++n) b.set(2, n, n - 3), b.set(3, n, 100), b.set(4, n, 7);
  b.run(
      "(W) mov (8|M0) acc0.0<1>:d r4.0<8;8,1>:d\n"
      "add (8|M0) r5.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n"
      "(W) mov (8|M0) r6.0<1>:d acc0.0<8;8,1>:d");
  for (int n = 0; n < 8; ++n) EXPECT_EQ(b.get<int32_t>(6, n), n < 4 ? 97 + n : 7);
}

}  // namespace
}  // namespace vitro::reference
