// The statements of the Gen6 document's chapter 4 about types, floats and conversion, by their ids, on every
// generation. The exhaustive comparisons with an independent reference are in tests/eu_reference.
#include <fmt/format.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "eu/bench_test.h"
#include "eu/convert.h"

namespace vitro::eu {
namespace {

using Floats = std::vector<float>;
using Dwords = std::vector<int32_t>;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float denormal = 1e-40f;
constexpr float largest = std::numeric_limits<float>::max();

class Chapter4 : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
  Floats run(const std::string& operation, const Floats& a, const Floats& b = {}, uint32_t cr0 = 0) {
    Bench t(model(), 0xFF);
    t.thread.cr[0] |= cr0;
    t.fill(2, a);
    t.fill(3, b);
    t.run(operation + " (8|M0) r4.0<1>:f r2.0<8;8,1>:f" + (b.empty() ? "" : " r3.0<8;8,1>:f"));
    EXPECT_EQ(t.status, Status::ended) << operation << (t.fault ? t.fault->reason : "");
    return t.lanes<float>(4, int(a.size()));
  }
  uint32_t flags(const std::string& operation, const std::string& condition, const Floats& a, const Floats& b) {
    Bench t(model(), 0xFF);
    t.fill(2, a);
    t.fill(3, b);
    t.run(operation + " (8|M0) (" + condition + ")f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f");
    return t.thread.flag[0] & 0xFF;
  }
};
const isa::Model* snb() { return &gen::gen6(); }
const isa::Model* bdw() { return &gen::gen8(); }
const isa::Model* kbl() { return &gen::gen9(); }
INSTANTIATE_TEST_SUITE_P(All, Chapter4, testing::Values(&snb, &bdw, &kbl));

TEST_P(Chapter4, DT_02_TypesAndRanges) {
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {-1, 255, 128, -128, 65535, 32768, -32768, 300});
  t.run(
      "mov (8|M0) r10.0<4>:ub r2.0<8;8,1>:d\nmov (8|M0) r11.0<1>:d r10.0<32;8,4>:ub\n"
      "mov (8|M0) r12.0<4>:b r2.0<8;8,1>:d\nmov (8|M0) r13.0<1>:d r12.0<32;8,4>:b\n"
      "mov (8|M0) r14.0<2>:uw r2.0<8;8,1>:d\nmov (8|M0) r15.0<1>:d r14.0<16;8,2>:uw\n"
      "mov (8|M0) r16.0<2>:w r2.0<8;8,1>:d\nmov (8|M0) r17.0<1>:d r16.0<16;8,2>:w");
  for (int n = 0; n < 8; ++n) {
    const int32_t v = t.get<int32_t>(2, n);
    EXPECT_EQ(t.get<int32_t>(11, n), uint8_t(v));
    EXPECT_EQ(t.get<int32_t>(13, n), int8_t(v));
    EXPECT_EQ(t.get<int32_t>(15, n), uint16_t(v));
    EXPECT_EQ(t.get<int32_t>(17, n), int16_t(v));
  }
}

TEST_P(Chapter4, DT_03_DT_04_VectorImmediates) {
  Bench t(model(), 0xFF);
  t.run("mov (8|M0) r3.0<1>:w 0x7F80EDC1:v\nmov (4|M0) r4.0<1>:f 0x70B00001:vf");
  EXPECT_EQ(t.lanes<int16_t>(3, 8), (std::vector<int16_t>{1, -4, -3, -2, 0, -8, -1, 7}));
  EXPECT_EQ(t.lanes<float>(4, 4), (Floats{0.1328125f, 0, -1, 16}));
}

TEST_P(Chapter4, FP_01_InfinitiesAndZeros) {
  const Floats sum = run("add", {inf, -inf, inf, 1, 0, 0, 0, 0}, {-inf, inf, inf, inf, 0, 0, 0, 0});
  EXPECT_TRUE(std::isnan(sum[0]) && std::isnan(sum[1]));
  EXPECT_EQ(sum[2], inf);
  EXPECT_EQ(sum[3], inf);
  EXPECT_TRUE(std::isnan(run("mul", {0, inf, 1, 1, 1, 1, 1, 1}, {inf, 0, 1, 1, 1, 1, 1, 1})[0]));
  const Floats inv = run("math.inv", {inf, -inf, 0.0f, -0.0f, 1, 2, 4, 8});
  EXPECT_EQ(inv[2], inf);
  EXPECT_EQ(inv[3], -inf);
  EXPECT_TRUE(inv[0] == 0 && !std::signbit(inv[0]) && std::signbit(inv[1]));
  const Floats root = run("math.sqt", {-0.0f, -1, -inf, 4, 0, 1, 9, inf});
  EXPECT_TRUE(root[0] == 0 && std::signbit(root[0]));
  EXPECT_TRUE(std::isnan(root[1]) && std::isnan(root[2]));
  const Floats log = run("math.log", {0.0f, -0.0f, -1, -inf, 1, 2, 4, inf});
  EXPECT_TRUE(log[0] == -inf && log[1] == -inf && std::isnan(log[2]) && std::isnan(log[3]) && log[7] == inf);
}

TEST_P(Chapter4, FP_02_NaNsSpread) {
  for (const char* op : {"add", "mul"}) {
    const Floats r = run(op, {nan, 1, nan, inf, 0, 0, 0, 0}, {1, nan, nan, nan, 0, 0, 0, 0});
    for (int n = 0; n < 4; ++n) EXPECT_TRUE(std::isnan(r[size_t(n)])) << op;
  }
}

TEST_P(Chapter4, FP_03_FP_10_Comparisons) {
  const Floats a{1, 2, nan, 1, nan, inf, -0.0f, denormal}, b{2, 1, 1, nan, nan, inf, 0.0f, 0};
  EXPECT_EQ(flags("cmp", "eq", a, b) & 0x7F, 0b01100000u);
  EXPECT_EQ(flags("cmp", "ne", a, b) & 0x7F, 0b00011111u);
  EXPECT_EQ(flags("cmp", "lt", a, b) & 0x7F, 0b00000001u);
  EXPECT_EQ(flags("cmp", "gt", a, b) & 0x7F, 0b00000010u);
  EXPECT_EQ(flags("cmp", "le", a, b) & 0x7F, 0b01100001u);
  EXPECT_EQ(flags("cmp", "ge", a, b) & 0x7F, 0b01100010u);
}

TEST_P(Chapter4, FP_04_ComparisonsForMinimumAndMaximum) {
  const Floats a{1, nan, 1, 5, 0, 0, 0, 0}, b{nan, 1, 2, 2, 0, 0, 0, 0};
  EXPECT_EQ(flags("cmpn", "lt", a, b) & 0xF, 0b0101u);
  EXPECT_EQ(flags("cmpn", "ge", a, b) & 0xF, 0b1001u);
}

TEST_P(Chapter4, FP_05_FP_07_RoundingAndIdentities) {
  EXPECT_EQ(run("add", {16777216.0f, 16777218.0f, 1, -0.0f, 5, 0, 0, 0}, {1, 1, 0, 0.0f, -0.0f, 0, 0, 0}),
            (Floats{16777216.0f, 16777220.0f, 1, 0, 5, 0, 0, 0}));
  EXPECT_FALSE(std::signbit(run("add", {-0.0f}, {0.0f})[0]));
  EXPECT_EQ(run("mul", {3.5f, -inf, largest, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1})[0], 3.5f);
}

TEST_P(Chapter4, FP_06_DenormalsAreFlushedButRawMovesKeepThem) {
  EXPECT_EQ(run("add", {denormal, -denormal, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0})[0], 0.0f);
  EXPECT_EQ(run("mov", {denormal, -denormal, 0, 0, 0, 0, 0, 0})[0], denormal);
  if (model().controls_denormals) {
    EXPECT_EQ(run("add", {denormal}, {0}, cr_keep_float_denorms)[0], denormal);
  }
}

// Rounded to 24 bits, the first product is still less than the least normal number, though no denormal is as near to it
// as that; the second is not.
TEST_P(Chapter4, FP_06_WhatIsTinyOnceItIsRoundedIsFlushed) {
  const Floats a{0x1.fffffep-1f, 0x1.fffp-1f, -0x1.fffffep-1f, 0, 0, 0, 0, 0};
  const Floats b{0x1p-126f, 0x1.0008p-126f, 0x1p-126f, 0, 0, 0, 0, 0};
  const Floats flushed = run("mul", a, b);
  EXPECT_EQ(flushed[0], 0.0f);
  EXPECT_EQ(flushed[1], 0x1p-126f);
  EXPECT_TRUE(std::signbit(flushed[2]) && flushed[2] == 0);
  if (model().controls_denormals) {
    EXPECT_EQ(run("mul", a, b, cr_keep_float_denorms)[0], 0x1p-126f);
  }
}

// But a double that is nearer to the least normal number, or as near, than to any denormal becomes that number.
TEST_P(Chapter4, FP_06_DoublesThatRoundUpToTheLeastNormalNumberStay) {
  if (!model().controls_denormals) return;  // Gen6 does not convert doubles
  Bench t(model(), 0xF);
  t.fill<double>(2, {0x1.fffffep-127, -0x1.fffffep-127, 0x1.fffffcp-127, 0x1p-126});
  t.run("mov (4|M0) r4.0<2>:f r2.0<4;4,1>:df");
  const auto bits = [&](int lane) { return std::bit_cast<uint32_t>(t.get<float>(4, 2 * lane)); };
  EXPECT_EQ(bits(0), 0x00800000u);
  EXPECT_EQ(bits(1), 0x80800000u);
  EXPECT_EQ(bits(2), 0u);
  EXPECT_EQ(bits(3), 0x00800000u);
}

// FP-08 leaves it open; multiply-add is fused, as the compilers take it to be.
TEST_P(Chapter4, FP_08_FusedMultiplyAdd) {
  Bench t(model(), 0xFF);
  const float x = 1.0f + 0x1p-12f;
  t.fill<float>(2, {-(x * x), 0, 0, 0, 0, 0, 0, 0});
  t.fill<float>(3, {x, 0, 0, 0, 0, 0, 0, 0});
  t.run("mad (8|M0) r4.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r3.0<1>:f");
  EXPECT_EQ(t.get<float>(4, 0), std::fma(x, x, -(x * x)));
  EXPECT_NE(t.get<float>(4, 0), 0.0f);
}

TEST_P(Chapter4, FP_09_Division) {
  const Floats r = run("math.fdiv", {1, 7, inf, 1, -6, 0, 5, 1}, {3, 2, inf, inf, 2, 1, 4, 0});
  EXPECT_NEAR(r[0], 1.0f / 3, 0x1p-24f);
  EXPECT_EQ(r[1], 3.5f);
  EXPECT_TRUE(std::isnan(r[2]));
  EXPECT_EQ(r[3], 0.0f);
  EXPECT_EQ(r[7], inf);
}

TEST_P(Chapter4, FP_11_MinimumAndMaximumLeaveTheFlag) {
  Bench t(model(), 0xFF);
  t.thread.flag[0] = 0xA5;
  t.fill<float>(2, {1, 5, nan, 2, 0, 0, 0, 0});
  t.fill<float>(3, {2, 3, 7, nan, 0, 0, 0, 0});
  t.run(
      "sel (8|M0) (lt)f0.0 r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\nsel (8|M0) (ge)f0.0 r5.0<1>:f r2.0<8;8,1>:f "
      "r3.0<8;8,1>:f");
  EXPECT_EQ(t.lanes<float>(4, 4), (Floats{1, 3, 7, 2}));
  EXPECT_EQ(t.lanes<float>(5, 4), (Floats{2, 5, 7, 2}));
  EXPECT_EQ(t.thread.flag[0], 0xA5u);
}

TEST_P(Chapter4, FP_20_FP_21_AltMode) {
  const Floats big{largest, -largest, 1, 1, 1, 1, 1, 1}, two{2, 2, 2, 2, 2, 2, 2, 2};
  EXPECT_EQ(run("mul", big, two, cr_alt_mode)[0], largest);
  EXPECT_EQ(run("mul", big, two, cr_alt_mode)[1], -largest);
  EXPECT_EQ(run("mul", big, two)[0], inf);
  EXPECT_EQ(run("math.sqt", {-4, 4, 1, 1, 1, 1, 1, 1}, {}, cr_alt_mode)[0], 2.0f);
  // a raw move does not clamp
  EXPECT_EQ(run("mov", {inf, 1, 1, 1, 1, 1, 1, 1}, {}, cr_alt_mode)[0], inf);
}

TEST_P(Chapter4, CV_01_FloatsToIntegers) {
  Bench t(model(), 0xFF);
  t.fill<float>(2, {1.9f, -1.9f, nan, denormal, inf, -inf, 3e9f, -3e9f});
  t.run("mov (8|M0) r4.0<1>:d r2.0<8;8,1>:f\nmov (8|M0) r5.0<1>:ud r2.0<8;8,1>:f\nmov (8|M0) r6.0<2>:w r2.0<8;8,1>:f");
  EXPECT_EQ(t.lanes<int32_t>(4, 8), (Dwords{1, -1, 0, 0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN}));
  EXPECT_EQ(t.lanes<uint32_t>(5, 8), (std::vector<uint32_t>{1, 0, 0, 0, 0xFFFFFFFF, 0, 3000000000u, 0}));
  EXPECT_EQ(t.get<int16_t>(6, 8), 32767);
}

TEST_P(Chapter4, CV_02_IntegersToWiderAndToFloats) {
  Bench t(model(), 0xFF);
  t.fill<int16_t>(2, {-1, 1, -32768, 32767, 0, 5, 6, 7});
  t.fill<int32_t>(3, {16777217, -16777217, INT32_MAX, INT32_MIN, 0, 1, 2, 3});
  t.run("mov (8|M0) r4.0<1>:ud r2.0<8;8,1>:w\nmov (8|M0) r5.0<1>:f r3.0<8;8,1>:d\nmov (8|M0) r6.0<1>:f r3.0<8;8,1>:ud");
  EXPECT_EQ(t.get<uint32_t>(4, 0), 0xFFFFFFFFu);
  EXPECT_EQ(t.get<uint32_t>(4, 2), 0xFFFF8000u);
  EXPECT_EQ(t.lanes<float>(5, 4), (Floats{16777216.0f, -16777216.0f, 2147483648.0f, -2147483648.0f}));
  EXPECT_EQ(t.get<float>(6, 3), 2147483648.0f);
}

// B-35: what a slot of the accumulator holds per type.
TEST_P(Chapter4, B_35_AccumulatorPrecision) {
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {INT32_MAX, INT32_MIN, 3, 4, 5, 6, 7, 8});
  t.run("add (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r2.0<8;8,1>:d\nmov (8|M0) (sat)r4.0<1>:d acc0.0<8;8,1>:d");
  EXPECT_EQ(t.thread.acc[0][0], int64_t(INT32_MAX) * 2);
  EXPECT_EQ(t.lanes<int32_t>(4, 4), (Dwords{INT32_MAX, INT32_MIN, 6, 8}));
}

// RG-07: destination and both sources may be indirect.
TEST_P(Chapter4, RG_07_IndirectOperands) {
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  t.fill<int32_t>(3, {10, 20, 30, 40, 50, 60, 70, 80});
  t.thread.a0[0] = 64;
  t.thread.a0[1] = 96;
  t.thread.a0[2] = 128;
  t.run("add (8|M0) r[a0.2]<1>:d r[a0.0]<8;8,1>:d r[a0.1]<8;8,1>:d");
  EXPECT_EQ(t.lanes<int32_t>(4, 8), (Dwords{11, 22, 33, 44, 55, 66, 77, 88}));
}

// Halves are computed in float: as if in double, which holds every sum and product of them whole, in every rounding
// mode.
class Halves : public Chapter4 {};  // Gen6 has no arithmetic of them
INSTANTIATE_TEST_SUITE_P(All, Halves, testing::Values(&bdw, &kbl));

// Between half and single precision a mov keeps the half's denormals, whatever cr0 says of them; arithmetic does not.
TEST_P(Halves, FP_06_ConversionsKeepDenormalHalves) {
  Bench t(model(), 0xFF);
  t.fill<uint16_t>(2, {0x0001, 0, 0x8002, 0, 0x03FF, 0, 0x0400, 0, 0x0001, 0, 0x0001, 0, 0x0001, 0, 0x0001, 0});
  t.fill<float>(4, {0x1p-24f, -0x1p-15f, 0x1p-14f, 0x1p-26f, 0, 1, 2, 3});
  t.run(
      "mov (8|M0) r10.0<1>:f r2.0<16;8,2>:hf\n"
      "mov (8|M0) r11.0<2>:hf r4.0<8;8,1>:f");
  EXPECT_EQ(t.get<float>(10, 0), 0x1p-24f);
  EXPECT_EQ(t.get<float>(10, 1), -0x1p-23f);
  EXPECT_EQ(t.get<float>(10, 2), 0x3FFp-24f);
  EXPECT_EQ(t.get<float>(10, 3), 0x1p-14f);
  EXPECT_EQ(t.get<uint16_t>(11, 0), 0x0001);
  EXPECT_EQ(t.get<uint16_t>(11, 2), 0x8200);
  EXPECT_EQ(t.get<uint16_t>(11, 4), 0x0400);
  EXPECT_EQ(t.get<uint16_t>(11, 6), 0x0000);
}

TEST_P(Halves, SumsAndProductsAreRoundedOnce) {
  constexpr int first = 10, count = 40, lanes = 16;
  constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};  // as cr0.0 numbers them
  std::mt19937 random(11);
  for (const char* op : {"add", "mul"})
    for (uint32_t mode = 0; mode < 4; ++mode) {
      Bench t(model());
      t.thread.cr[0] |= mode << 4 | cr_keep_half_denorms;
      std::string text;
      for (int r = first; r < first + count; ++r) {
        for (int l = 0; l < lanes; ++l) {
          t.set<uint16_t>(r, l, uint16_t(random()));
          t.set<uint16_t>(r + count, l, uint16_t(random()));
        }
        text += fmt::format("{} (16|M0) r{}.0<1>:hf r{}.0<16;16,1>:hf r{}.0<16;16,1>:hf\n", op, r, r, r + count);
      }
      const Thread before = t.thread;
      t.run(text);
      for (int n = 0; n < count * lanes; ++n) {
        const auto half = [&](const Thread& thread, int reg) {
          uint16_t h;
          std::memcpy(&h, thread.grf.data() + reg * reg_bytes + 2 * n, 2);
          return h;
        };
        const double a = half_to_float(half(before, first)), b = half_to_float(half(before, first + count));
        const double whole = op[0] == 'a' ? a + b : a * b;
        std::fesetround(modes[mode]);
        const uint16_t expected = round_to_half(whole);
        std::fesetround(FE_TONEAREST);
        if (std::isnan(whole)) {
          EXPECT_TRUE(std::isnan(half_to_float(half(t.thread, first)))) << op << " " << a << " " << b;
        } else if (whole != 0) {  // the sign of a sum that is zero depends on the mode
          EXPECT_EQ(half(t.thread, first), expected) << op << " " << a << " " << b << " mode " << mode;
        }
      }
    }
}

}  // namespace
}  // namespace vitro::eu
