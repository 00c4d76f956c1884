// Each instruction of the Gen6 document's chapter 8 by its id, on every generation that has it: a few channels with
// results worked out by hand. The sweeps over types and modes are in tests/eu_reference.
#include <cmath>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

using Floats = std::vector<float>;
using Dwords = std::vector<int32_t>;
using Words = std::vector<int16_t>;

class Instructions : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
  bool gen6() const { return model().mrf_count != 0; }

  // r2 = a, r3 = b, one instruction into r4.
  Dwords integers(const std::string& text, const Dwords& a, const Dwords& b = {}) {
    Bench t(model(), 0xFF);
    t.fill(2, a);
    t.fill(3, b);
    t.run(text);
    EXPECT_EQ(t.status, Status::ended) << text << (t.fault ? t.fault->reason : "");
    return t.lanes<int32_t>(4, int(a.size()));
  }
  Floats floats(const std::string& text, const Floats& a, const Floats& b = {}, const Floats& c = {}) {
    Bench t(model(), 0xFF);
    t.fill(2, a);
    t.fill(3, b);
    t.fill(5, c);
    t.run(text);
    EXPECT_EQ(t.status, Status::ended) << text << (t.fault ? t.fault->reason : "");
    return t.lanes<float>(4, int(a.size()));
  }
};
const isa::Model* snb() { return &gen::gen6(); }
const isa::Model* bdw() { return &gen::gen8(); }
const isa::Model* kbl() { return &gen::gen9(); }
INSTANTIATE_TEST_SUITE_P(All, Instructions, testing::Values(&snb, &bdw, &kbl));

constexpr const char* r2_r3_d = " (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d";
constexpr const char* r2_d = " (8|M0) r4.0<1>:d r2.0<8;8,1>:d";
constexpr const char* r2_r3_f = " (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f";
constexpr const char* r2_f = " (8|M0) r4.0<1>:f r2.0<8;8,1>:f";

TEST_P(Instructions, I_not_I_and_I_or_I_xor_AreBitwise) {
  const Dwords a{0, -1, 0x0F0F0F0F, 5, INT32_MIN, 1, 2, 3}, b{-1, -1, 0x00FF00FF, 3, 1, 1, 4, 5};
  Dwords no, both, either, one;
  for (size_t n = 0; n < 8; ++n) {
    no.push_back(~a[n]);
    both.push_back(a[n] & b[n]);
    either.push_back(a[n] | b[n]);
    one.push_back(a[n] ^ b[n]);
  }
  EXPECT_EQ(integers(std::string("not") + r2_d, a), no);
  EXPECT_EQ(integers(std::string("and") + r2_r3_d, a, b), both);
  EXPECT_EQ(integers(std::string("or") + r2_r3_d, a, b), either);
  EXPECT_EQ(integers(std::string("xor") + r2_r3_d, a, b), one);
}

// Negation of a source is arithmetic on Gen6 and NOT from Gen8 on.
TEST_P(Instructions, I_and_SourceModifier) {
  const Dwords r = integers("and (8|M0) r4.0<1>:d -r2.0<8;8,1>:d r3.0<8;8,1>:d", {1, 2, 3, 4, 5, 6, 7, 8},
                            {-1, -1, -1, -1, -1, -1, -1, -1});
  EXPECT_EQ(r[0], gen6() ? -1 : ~1);
  EXPECT_EQ(r[7], gen6() ? -8 : ~8);
}

TEST_P(Instructions, I_asr_T27_FloorsAndKeepsMinusOne) {
  EXPECT_EQ(integers(std::string("asr") + r2_r3_d, {-1, -1, -8, -7, 7, 100, INT32_MIN, 1}, {0, 31, 1, 1, 1, 3, 31, 32}),
            (Dwords{-1, -1, -4, -4, 3, 12, -1, 1}));
}

TEST_P(Instructions, I_shr_I_shl_UseFiveBitsOfTheCount) {
  EXPECT_EQ(integers("shr (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud", {-1, -1, 16, 1, 2, 4, 8, 16},
                     {1, 31, 4, 32, 33, 2, 3, 4}),
            (Dwords{INT32_MAX, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(integers(std::string("shl") + r2_r3_d, {1, 1, 3, 1, 2, 4, 8, -1}, {1, 31, 4, 32, 33, 2, 3, 4}),
            (Dwords{2, INT32_MIN, 48, 1, 4, 16, 64, -16}));
}

// What is signed shifts as the bits it has, whatever the widths beside it.
TEST_P(Instructions, I_shr_OfSignedElementsIsLogical) {
  EXPECT_EQ(
      integers(std::string("shr") + r2_r3_d, {-1, -1, INT32_MIN, -16, 16, -1, -1, 0}, {1, 31, 4, 28, 4, 0, 32, 5}),
      (Dwords{INT32_MAX, 1, 0x08000000, 15, 1, -1, -1, 0}));
  const Words a{-1, -1, INT16_MIN, -16, 16, -1, 7, 0};
  const Dwords expected{0x7FFF, 0x7FFF, 0x4000, 0x7FF8, 8, 0x7FFF, 3, 0};
  for (const char* to : {"r4.0<1>:d", "r4.0<1>:ud"})
    for (const char* count : {"1:w", "1:ud"}) {
      Bench t(model(), 0xFF);
      t.fill(2, a);
      t.run(std::string("shr (8|M0) ") + to + " r2.0<8;8,1>:w " + count);
      EXPECT_EQ(t.lanes<int32_t>(4, 8), expected) << to << ' ' << count;
    }
  Bench t(model(), 0xFF);
  t.fill(2, std::vector<int8_t>{-1, -128, 127, -2, 0, 1, -64, 64});
  t.run("shr (8|M0) r4.0<1>:w r2.0<8;8,1>:b 1:w");
  EXPECT_EQ(t.lanes<int16_t>(4, 8), (Words{127, 64, 63, 127, 0, 0, 96, 32}));
}

TEST_P(Instructions, I_frc_SaturatesAndMakesZeroOfNan) {
  const float nan = std::nanf(""), infinite = INFINITY;
  EXPECT_EQ(floats("frc (8|M0) (sat)r4.0<1>:f r2.0<8;8,1>:f", {1.5f, -1.5f, nan, -nan, infinite, -infinite, 3, -0.25f}),
            (Floats{0.5f, 0.5f, 0, 0, 0, 0, 0, 0.75f}));
  EXPECT_TRUE(std::isnan(floats("frc (8|M0) r4.0<1>:f r2.0<8;8,1>:f", Floats(8, nan))[0]));
}

TEST_P(Instructions, I_add_I_avg) {
  EXPECT_EQ(integers(std::string("add") + r2_r3_d, {1, INT32_MAX, -5, 0, 1, 1, 1, 1}, {2, 1, 5, 0, 1, 1, 1, 1}),
            (Dwords{3, INT32_MIN, 0, 0, 2, 2, 2, 2}));
  EXPECT_EQ(integers("add (8|M0) (sat)r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d", {1, INT32_MAX, INT32_MIN, 0, 1, 1, 1, 1},
                     {2, 1, -1, 0, 1, 1, 1, 1}),
            (Dwords{3, INT32_MAX, INT32_MIN, 0, 2, 2, 2, 2}));
  EXPECT_EQ(
      integers(std::string("avg") + r2_r3_d, {1, 2, -1, -2, INT32_MAX, 0, 5, 7}, {2, 2, -2, -3, INT32_MAX, 1, 6, 8}),
      (Dwords{2, 2, -1, -2, INT32_MAX, 1, 6, 8}));
}

TEST_P(Instructions, I_frc_I_rndu_I_rndd_I_rnde_I_rndz) {
  const Floats a{1.5f, -1.5f, 2.5f, -0.25f, 0.0f, 3.0f, 0.75f, -2.5f};
  EXPECT_EQ(floats(std::string("frc") + r2_f, a), (Floats{0.5f, 0.5f, 0.5f, 0.75f, 0, 0, 0.75f, 0.5f}));
  EXPECT_EQ(floats(std::string("rndu") + r2_f, a), (Floats{2, -1, 3, 0, 0, 3, 1, -2}));
  EXPECT_EQ(floats(std::string("rndd") + r2_f, a), (Floats{1, -2, 2, -1, 0, 3, 0, -3}));
  EXPECT_EQ(floats(std::string("rnde") + r2_f, a), (Floats{2, -2, 2, 0, 0, 3, 1, -2}));
  EXPECT_EQ(floats(std::string("rndz") + r2_f, a), (Floats{1, -1, 2, 0, 0, 3, 0, -2}));
}

TEST_P(Instructions, I_dp4_I_dph_I_dp3_I_dp2_ReplicateTheirSum) {
  const Floats a{1, 2, 3, 4, 5, 6, 7, 8}, b{1, 10, 100, 1000, 1, 1, 1, 1};
  EXPECT_EQ(floats(std::string("dp4") + r2_r3_f, a, b), (Floats{4321, 4321, 4321, 4321, 26, 26, 26, 26}));
  EXPECT_EQ(floats(std::string("dph") + r2_r3_f, a, b), (Floats{1321, 1321, 1321, 1321, 19, 19, 19, 19}));
  EXPECT_EQ(floats(std::string("dp3") + r2_r3_f, a, b), (Floats{321, 321, 321, 321, 18, 18, 18, 18}));
  EXPECT_EQ(floats(std::string("dp2") + r2_r3_f, a, b), (Floats{21, 21, 21, 21, 11, 11, 11, 11}));
}

// URB-13's order: Cx, Cy, nothing, Co.
TEST_P(Instructions, I_line_I_pln_EvaluatePlanes) {
  Bench t(model(), 0xFF);
  t.fill<float>(2, {2, 3, 99, 10});
  t.fill<float>(6, {0, 1, 2, 3, 4, 5, 6, 7});
  t.fill<float>(7, {10, 10, 10, 10, 20, 20, 20, 20});
  t.run(
      "line (8|M0) r4.0<1>:f r2.0<0;1,0>:f r6.0<8;8,1>:f\n"
      "pln (8|M0) r5.0<1>:f r2.0<0;1,0>:f r6.0<8;8,1>:f");
  EXPECT_EQ(t.lanes<float>(4, 8), (Floats{10, 12, 14, 16, 18, 20, 22, 24}));
  EXPECT_EQ(t.lanes<float>(5, 8), (Floats{40, 42, 44, 46, 78, 80, 82, 84}));
}

TEST_P(Instructions, PlanesOfIntegersAreNotDefined) {
  for (const std::string op : {"line", "pln"}) {
    Bench t(model(), 0xFF);
    t.run_as_is(op + " (8|M0) r5.0<1>:d r2.0<0;1,0>:d r6.0<8;8,1>:d");
    ASSERT_TRUE(t.fault) << op;
    EXPECT_EQ(t.fault->reason, op + " is not defined for :d sources");
  }
}

TEST_P(Instructions, I_mad_I_lrp_FM_01_ThreeSources) {
  EXPECT_EQ(floats("mad (8|M0) r4.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r5.0<1>:f", {1, 2, 3, 4, 5, 6, 7, 8},
                   {2, 2, 2, 2, 3, 3, 3, 3}, {10, 10, 10, 10, 10, 10, 10, 10}),
            (Floats{21, 22, 23, 24, 35, 36, 37, 38}));
  EXPECT_EQ(floats("lrp (8|M0) r4.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r5.0<0>:f", {0, 1, 0.5f, 0.25f, 0, 1, 0.5f, 0.25f},
                   {8, 8, 8, 8, 16, 16, 16, 16}, {4, 0, 0, 0, 0, 0, 0, 0}),
            (Floats{4, 8, 6, 5, 4, 16, 10, 7}));
}

TEST_P(Instructions, I_sad2_I_sada2_AddPairsOfDifferences) {
  Bench t(model(), 0xFFFF);
  t.fill<uint8_t>(2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  t.fill<uint8_t>(3, {0, 0, 10, 10, 5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255});
  t.run(
      "sad2 (16|M0) r4.0<1>:uw r2.0<16;16,1>:ub r3.0<16;16,1>:ub {AccWrEn}\n"
      "sada2 (16|M0) r5.0<1>:uw r2.0<16;16,1>:ub r3.0<16;16,1>:ub");
  EXPECT_EQ(t.get<uint16_t>(4, 0), 3);
  EXPECT_EQ(t.get<uint16_t>(4, 2), 13);
  EXPECT_EQ(t.get<uint16_t>(4, 4), 1);
  EXPECT_EQ(t.get<uint16_t>(4, 14), 15 + 239);
  EXPECT_EQ(t.get<uint16_t>(5, 2), 26);
}

TEST_P(Instructions, I_lzd_CountsLeadingZeros) {
  EXPECT_EQ(integers("lzd (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud", {0, 1, -1, 0x10000, 2, 4, 8, 16}),
            (Dwords{32, 31, 0, 15, 30, 29, 28, 27}));
}

TEST_P(Instructions, I_cmp_I_cmpn_I_sel_DecideAndChoose) {
  Bench t(model(), 0xFF);
  const float nan = std::nanf("");
  t.fill<float>(2, {1, 2, nan, 4, nan, 6, 7, -0.0f});
  t.fill<float>(3, {1, 1, 3, nan, nan, 7, 7, 0.0f});
  t.run(
      "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "sel (8|M0) (lt)f0.1 r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "sel (8|M0) (ge)f0.1 r5.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "cmpn (8|M0) (ge)f0.1 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f");
  EXPECT_EQ(t.thread.flag[0] & 0xFF, 0b00100000u);
  EXPECT_EQ(t.get<float>(4, 2), 3.0f);
  EXPECT_EQ(t.get<float>(4, 3), 4.0f);
  EXPECT_TRUE(std::isnan(t.get<float>(4, 4)));
  EXPECT_EQ(t.get<float>(5, 1), 2.0f);
  // src1 NaN decides for src0, src0 NaN against it
  EXPECT_EQ(t.thread.flag[0] >> 16 & 0b01101111, 0b01001011u);
}

TEST_P(Instructions, I_mul_I_mac_I_mach_UseTheAccumulator) {
  Bench t(model(), 0xFF);
  t.fill<int16_t>(2, {3, -4, 5, 6, 7, 8, 9, 10});
  t.fill<int16_t>(3, {2, 2, 2, 2, 2, 2, 2, 2});
  t.run(
      "mul (8|M0) acc0.0<1>:w r2.0<8;8,1>:w r3.0<8;8,1>:w\n"
      "mac (8|M0) r4.0<1>:w r2.0<8;8,1>:w r3.0<8;8,1>:w");
  EXPECT_EQ(t.lanes<int16_t>(4, 4), (Words{12, -16, 20, 24}));
}

TEST_P(Instructions, I_math_ComputesItsFunctions) {
  const Floats a{1, 4, 16, 0.25f, 2, 8, 64, 0.5f};
  auto math = [&](const std::string& f) { return floats("math." + f + r2_f, a); };
  EXPECT_EQ(math("inv"), (Floats{1, 0.25f, 0.0625f, 4, 0.5f, 0.125f, 0.015625f, 2}));
  EXPECT_EQ(math("sqt"), (Floats{1, 2, 4, 0.5f, std::sqrt(2.0f), std::sqrt(8.0f), 8, std::sqrt(0.5f)}));
  EXPECT_EQ(math("log"), (Floats{0, 2, 4, -2, 1, 3, 6, -1}));
  EXPECT_EQ(floats("math.pow" + std::string(r2_r3_f), a, {2, 2, 2, 2, 3, 3, 0, 1}),
            (Floats{1, 16, 256, 0.0625f, 8, 512, 1, 0.5f}));
  EXPECT_EQ(integers("math.iqot" + std::string(r2_r3_d), {7, -7, 7, -7, 100, 5, 6, 9}, {2, 2, -2, -2, 10, 5, 7, 4}),
            (Dwords{3, -3, -3, 3, 10, 1, 0, 2}));
  EXPECT_EQ(integers("math.irem" + std::string(r2_r3_d), {7, -7, 7, -7, 100, 5, 6, 9}, {2, 2, -2, -2, 10, 5, 7, 4}),
            (Dwords{1, -1, 1, -1, 0, 0, 6, 1}));
}

// Direct3D demands all ones of unsigned quotients and remainders by zero; signed ones go to the end of the range.
TEST_P(Instructions, I_math_IntegerDivisionByZero) {
  const Dwords zeros(8, 0), a{7, -7, 0, 1, -1, INT32_MAX, INT32_MIN, 100};
  const std::string ud = " (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud";
  Dwords ends;
  for (int32_t v : a) ends.push_back(v < 0 ? INT32_MIN : INT32_MAX);
  for (const char* f : {"math.iqot", "math.irem"}) {
    EXPECT_EQ(integers(f + ud, a, zeros), Dwords(8, -1)) << f;
    EXPECT_EQ(integers(f + std::string(r2_r3_d), a, zeros), ends) << f;
  }
  // the one quotient that does not fit wraps, as every integer does
  EXPECT_EQ(integers("math.iqot" + std::string(r2_r3_d), {INT32_MIN}, {-1}), Dwords{INT32_MIN});
  EXPECT_EQ(integers("math.irem" + std::string(r2_r3_d), {INT32_MIN}, {-1}), Dwords{0});
}

TEST_P(Instructions, I_nop_I_illegal) {
  Bench t(model());
  t.run("nop");
  EXPECT_EQ(t.status, Status::ended);
  EXPECT_EQ(t.executed, 2u);
  Bench u(model());
  u.run("illegal\nmov (1|M0) r4.0<1>:ud cr0.1<0;1,0>:ud");
  EXPECT_EQ(u.status, Status::ended);
  EXPECT_EQ(u.get<uint32_t>(4, 0), 1u << 28);
}

// EOT-01: only a send with EOT ends a thread.
TEST_P(Instructions, EOT_01_SendEndsTheThread) {
  Bench t(model());
  t.run_as_is("nop\nnop");
  EXPECT_EQ(t.status, Status::faulted);
  EXPECT_FALSE(t.thread.ended);
  Bench u(model());
  u.run("nop");
  EXPECT_TRUE(u.thread.ended);
}

TEST_P(Instructions, I_sendc_WaitsForDependentThreads) {
  Bench t(model());
  t.thread.tdr[3] = 0x8005;
  const std::string text =
      gen6() ? "sendc (8|M0) null m0 0x27 0x02000010 {EOT}" : "sendc (8|M0) null r127 0x27 0x02000010 {EOT}";
  t.run_as_is(text);
  EXPECT_EQ(t.status, Status::waiting);
  t.thread.tdr[3] = 5;
  t.run_as_is(text);
  EXPECT_EQ(t.status, Status::ended);
}

// PG-04, NP-01: a null destination writes nothing but the flags.
TEST_P(Instructions, PG_04_NP_01_NullDestinationUpdatesFlags) {
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {1, 0, -1, 0, 1, 0, -1, 0});
  const auto before = t.thread.grf;
  t.run("mov (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d");
  EXPECT_EQ(t.thread.flag[0], 0b00010001u);
  EXPECT_EQ(t.thread.grf, before);
}

// FM-02: floats saturate to [0, 1] with NaN to 0, integers to their range.
TEST_P(Instructions, FM_02_Saturate) {
  EXPECT_EQ(floats("add (8|M0) (sat)r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
                   {0.5f, 0.75f, -1, std::nanf(""), 1, 0, 2, 0.25f}, {0.25f, 0.75f, 0, 0, 0, 0, 0, 0}),
            (Floats{0.75f, 1, 0, 0, 1, 0, 1, 0.25f}));
}

// IMM-01, CNV-01: a word immediate is read from the low half; bytes stand low first.
TEST_P(Instructions, IMM_01_CNV_01_ImmediatesAndByteOrder) {
  Bench t(model(), 0xFF);
  t.run("mov (8|M0) r4.0<1>:ud 0x04030201:ud\nmov (8|M0) r5.0<1>:d -2:w");
  for (int n = 0; n < 4; ++n) EXPECT_EQ(t.get<uint8_t>(4, n), n + 1);
  EXPECT_EQ(t.get<int32_t>(5, 7), -2);
}

// T23, CF-01: the condition sees the value the destination gets.
TEST_P(Instructions, T23_CF_01_ConditionsOfResults) {
  const struct {
    const char* cond;
    uint32_t bits;
  } table[] = {{"eq", 0b0010}, {"ne", 0b1101}, {"gt", 0b0001}, {"ge", 0b0011}, {"lt", 0b1100}, {"le", 0b1110}};
  for (const auto& [cond, bits] : table) {
    Bench t(model(), 0xF);
    t.fill<int32_t>(2, {5, 0, -5, -1});
    t.run(std::string("add (4|M0) (") + cond + ")f0.0 r4.0<1>:d r2.0<4;4,1>:d 0:w");
    EXPECT_EQ(t.thread.flag[0], bits) << cond;
  }
}

// T14, B-36: the accumulator keeps the carry of a sum of unsigned dwords.
TEST_P(Instructions, T14_B_36_AccumulatorKeepsMoreBits) {
  Bench t(model(), 0xFF);
  t.fill<uint32_t>(2, {0xFFFFFFFF, 1, 2, 3, 4, 5, 6, 7});
  t.run("add (8|M0) acc0.0<1>:ud r2.0<8;8,1>:ud r2.0<8;8,1>:ud");
  EXPECT_EQ(t.thread.acc[0][0], 0x1FFFFFFFE);
}

// T18, RG-01, RG-02, RG-03: every legal region reads what the address generator says.
TEST_P(Instructions, T18_RG_01_RG_02_RG_03_AddressGenerator) {
  for (int vs : {0, 1, 2, 4, 8, 16, 32})
    for (int w : {1, 2, 4, 8})
      for (int hs : {0, 1, 2, 4}) {
        Bench t(model(), 0xFF);
        for (int n = 0; n < 512; ++n) t.set<int16_t>(20, n, int16_t(n));
        t.run("mov (8|M0) r4.0<1>:w r20.1<" + std::to_string(vs) + ";" + std::to_string(w) + "," + std::to_string(hs) +
              ">:w");
        for (int l = 0; l < 8; ++l)
          ASSERT_EQ(t.get<int16_t>(4, l), 1 + l / w * vs + l % w * hs)
              << vs << ";" << w << "," << hs << " channel " << l;
      }
}

// GRF-01, MRF-01: registers are bytes in a row; message registers are written, not computed with.
TEST_P(Instructions, GRF_01_MRF_01_Registers) {
  Bench t(model(), 0xFF);
  t.run("(W) mov (1|M0) r127.31<1>:ub 7:uw\n(W) mov (1|M0) r0.0<1>:ub 9:uw");
  EXPECT_EQ(t.get<uint8_t>(127, 31), 7);
  EXPECT_EQ(t.get<uint8_t>(0, 0), 9);
  if (gen6()) {
    Bench m(model(), 0xFF);
    m.run("mov (8|M0) m23.0<1>:f 2.5:f");
    float v;
    std::memcpy(&v, m.thread.mrf.data() + 23 * reg_bytes + 28, 4);
    EXPECT_EQ(v, 2.5f);
  }
}

// B-31, B-32, B-33: AccWrEn updates the accumulator of the quarter; a disabled channel keeps its value.
TEST_P(Instructions, B_31_B_32_B_33_ImplicitUpdate) {
  Bench t(model(), 0xFEFF);
  for (int n = 0; n < 16; ++n) t.set(2 + n / 8, n % 8, float(n));
  t.run(
      "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f 1.0:f {AccWrEn}\n"
      "add (8|M8) r5.0<1>:f r3.0<8;8,1>:f 1.0:f {AccWrEn}\n"
      "mov (8|M0) r6.0<1>:f acc0.0<8;8,1>:f\n"
      "mov (8|M0) r7.0<1>:f acc1.0<8;8,1>:f");
  EXPECT_EQ(t.lanes<float>(6, 8), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(t.lanes<float>(7, 8), (Floats{0, 10, 11, 12, 13, 14, 15, 16}));
}

// movi: the register comes from a0.0, each channel's place in it from its own address.
TEST_P(Instructions, I_movi_ShufflesARegister) {
  Bench t(model(), 0xFF);
  t.fill<uint16_t>(2, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  for (int n = 0; n < 8; ++n) t.thread.a0[size_t(n)] = uint16_t(2 * 32 + 2 * (7 - n));
  t.run("movi (8|M0) r4.0<1>:uw r[a0.0]<8;8,1>:uw");
  EXPECT_EQ(t.lanes<uint16_t>(4, 8), (std::vector<uint16_t>{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST_P(Instructions, SpecialOpcodesOfGen6) {
  if (!gen6()) return;
  Bench t(model(), 0xFF);
  t.fill<float>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  t.run("nenop\ndim (8|M0) r4.0<1>:f r2.0<8;8,1>:f");
  EXPECT_EQ(t.lanes<float>(4, 8), (Floats{1, 2, 3, 4, 5, 6, 7, 8}));
}

class Gen8Instructions : public Instructions {};
INSTANTIATE_TEST_SUITE_P(All, Gen8Instructions, testing::Values(&bdw, &kbl));

TEST_P(Gen8Instructions, BitFields) {
  EXPECT_EQ(integers("bfrev (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud", {1, 2, -1, 0, INT32_MIN, 3, 4, 8}),
            (Dwords{INT32_MIN, 0x40000000, -1, 0, 1, int32_t(0xC0000000), 0x20000000, 0x10000000}));
  EXPECT_EQ(integers("cbit (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud", {0, 1, -1, 7, 8, 15, 255, INT32_MIN}),
            (Dwords{0, 1, 32, 3, 1, 4, 8, 1}));
  EXPECT_EQ(integers("fbl (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud", {0, 1, 8, -1, INT32_MIN, 12, 6, 2}),
            (Dwords{-1, 0, 3, 0, 31, 2, 1, 1}));
  EXPECT_EQ(integers("fbh (8|M0) r4.0<1>:ud r2.0<8;8,1>:d", {0, 1, -1, -2, INT32_MIN, INT32_MAX, 256, -256}),
            (Dwords{-1, 31, -1, 31, 1, 1, 23, 24}));
  EXPECT_EQ(integers("bfi1 (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud", {4, 1, 0, 8, 31, 3, 2, 1},
                     {0, 31, 5, 8, 0, 2, 4, 0}),
            (Dwords{15, INT32_MIN, 0, 0xFF00, INT32_MAX, 28, 48, 1}));
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {4, 8, 0, 4, 8, 31, 1, 16});
  t.fill<int32_t>(3, {4, 0, 3, 28, 24, 0, 31, 8});
  t.fill<int32_t>(5, {0xAB, -1, -1, int32_t(0x80000000), 0x7F000000, -1, INT32_MIN, 0x00FFFF00});
  t.run(
      "bfe (8|M0) r4.0<1>:d r2.0<2;1>:d r3.0<2;1>:d r5.0<1>:d\n"
      "bfe (8|M0) r6.0<1>:ud r2.0<2;1>:ud r3.0<2;1>:ud r5.0<1>:ud\n"
      "bfi2 (8|M0) r7.0<1>:ud r5.0<2;1>:ud r2.0<2;1>:ud r3.0<1>:ud");
  EXPECT_EQ(t.lanes<int32_t>(4, 8), (Dwords{-6, -1, 0, -8, 127, -1, -1, -1}));
  EXPECT_EQ(t.lanes<int32_t>(6, 8), (Dwords{10, 255, 0, 8, 127, INT32_MAX, 1, 0xFFFF}));
  EXPECT_EQ(t.get<int32_t>(7, 0), (4 & 0xAB) | (4 & ~0xAB));
  EXPECT_EQ(t.get<int32_t>(7, 7), (16 << 8 & 0x00FFFF00) | (8 & ~0x00FFFF00));
}

TEST_P(Gen8Instructions, CarryBorrowAndChoice) {
  Bench t(model(), 0xFF);
  t.fill<uint32_t>(2, {0xFFFFFFFF, 1, 0, 5, 5, 5, 5, 5});
  t.fill<uint32_t>(3, {1, 1, 1, 5, 5, 5, 5, 5});
  t.fill<float>(6, {1, -1, 0, 2, -2, 3, -3, 0});
  t.fill<float>(7, {10, 10, 10, 10, 10, 10, 10, 10});
  t.fill<float>(8, {20, 20, 20, 20, 20, 20, 20, 20});
  t.run(
      "addc (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}\n"
      "mov (8|M0) r10.0<1>:ud acc0.0<8;8,1>:ud\n"
      "subb (8|M0) r5.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}\n"
      "mov (8|M0) r11.0<1>:ud acc0.0<8;8,1>:ud\n"
      "csel (8|M0) (gt)f0.0 r12.0<1>:f r7.0<2;1>:f r8.0<2;1>:f r6.0<1>:f");
  EXPECT_EQ(t.lanes<int32_t>(4, 4), (Dwords{0, 2, 1, 10}));
  EXPECT_EQ(t.lanes<int32_t>(10, 4), (Dwords{1, 0, 0, 0}));
  EXPECT_EQ(t.lanes<int32_t>(5, 4), (Dwords{-2, 0, -1, 0}));
  EXPECT_EQ(t.lanes<int32_t>(11, 4), (Dwords{0, 0, 1, 0}));
  EXPECT_EQ(t.lanes<float>(12, 8), (Floats{10, 20, 20, 10, 20, 10, 20, 20}));
  EXPECT_EQ(t.thread.flag[0], 0u);
}

TEST_P(Gen8Instructions, ScatteredMoveAndMacroStep) {
  Bench t(model(), 0xFF);
  t.fill<int32_t>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  t.fill<float>(6, {1, 1, 1, 1, 1, 1, 1, 1});
  t.fill<float>(7, {2, 2, 2, 2, 3, 3, 3, 3});
  t.run(
      "smov (8|M0) r4.0<1>:d r2.0<8;8,1>:d 0x55:ud\n"
      "madm (8|M0) r5.nomme:f r6.nomme:f r7.nomme:f r7.nomme:f");
  EXPECT_EQ(t.lanes<int32_t>(4, 8), (Dwords{1, 0, 3, 0, 5, 0, 7, 0}));
  EXPECT_EQ(t.lanes<float>(5, 8), (Floats{5, 5, 5, 5, 10, 10, 10, 10}));
}

// Both payloads of a split send reach the shared function; the conditional form waits as sendc does.
TEST(SplitSends, SplitSendsCarryTwoPayloads) {
  for (const char* op : {"sends", "sendsc"}) {
    Bench t(gen::gen9(), 0xFF);
    t.fill<int32_t>(10, {1, 2, 3, 4, 5, 6, 7, 8});
    t.fill<int32_t>(20, {10, 20, 30, 40, 50, 60, 70, 80});
    t.functions[5] = {[](void*, Thread&, Message& m, std::string&) {
                        for (size_t n = 0; n < reg_bytes; ++n)
                          m.response[n] = std::byte(unsigned(m.payload[n]) + unsigned(m.second_payload[n]));
                        return Reply::done;
                      },
                      nullptr};
    t.run(std::string(op) + " (8|M0) r30:d r10 r20 0x45 0x02100000");
    EXPECT_EQ(t.status, Status::ended) << (t.fault ? t.fault->reason : "");
    EXPECT_EQ(t.lanes<int32_t>(30, 8), (Dwords{11, 22, 33, 44, 55, 66, 77, 88})) << op;
  }
}

}  // namespace
}  // namespace vitro::eu
