// The documents' own tables of special values, cell by cell, on every generation.
// PRM: Gen6 vol 4 part 2 tables 4-2 (T01), 4-3 to 4-8 (T03), 4-9 to 4-11 (T04), FP-11 (T05), CV-01 (T06), 8-1, 8-2,
// 8-5, 8-6 (T25), 8-3, 8-4, 8-7 to 8-14 (T26). Repaired cells: 4-11 (-0, +0) is T; 8-2 is symmetric in sign; 8-6 row
// -fmax has the signs of row -finite.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "eu/bench_test.h"
#include "reference.h"

namespace vitro::reference {
namespace {

using eu::Bench;
using isa::CondModifier;
using isa::Op;
using isa::Type;

class Tables : public testing::TestWithParam<ModelSource> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
INSTANTIATE_TEST_SUITE_P(Every, Tables, testing::ValuesIn(every_model), model_name);

uint64_t bits(float f) { return std::bit_cast<uint32_t>(f); }

// One channel's result and flag; all eight get the same sources.
struct Outcome {
  uint64_t bits;
  bool flag;
};
Outcome run(const Trial& s, uint64_t a, uint64_t b = 0, uint32_t flags = 0) {
  Machine m(s);
  std::array<Row, 3> rows{};
  rows[0].fill(a);
  rows[1].fill(b);
  m.thread.flag[0] = flags;
  const Row out = m.run(rows);
  EXPECT_EQ(m.fault, "") << describe(s);
  for (uint64_t o : out) EXPECT_EQ(o, out[0]);
  EXPECT_TRUE((m.thread.flag[0] & 0xFF) == 0 || (m.thread.flag[0] & 0xFF) == 0xFF);
  return {out[0], bool(m.thread.flag[0] & 1)};
}

// A class of values as the tables' columns name them, with two members where it has more than one.
constexpr float denormal = 0x1p-130f;
const float classes[9][2] = {
    {-HUGE_VALF, -HUGE_VALF}, {-3.5f, -0.25f}, {-denormal, -denormal}, {-0.0f, -0.0f}, {0.0f, 0.0f},
    {denormal, denormal},     {0.25f, 3.5f},   {HUGE_VALF, HUGE_VALF}, {NAN, NAN}};

// 'T', 'F', or '?' where the two finite values decide.
void expect_table(const isa::Model& m, Op op, CondModifier c, const char* const (&rows)[9]) {
  const Trial s{.model = &m, .op = op, .dst = Type::f, .src = {Type::f, Type::f}, .cond = c};
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 9; ++column)
      for (float a : classes[row])
        for (float b : classes[column]) {
          const char cell = rows[row][column];
          bool wanted = cell == 'T';
          if (cell == '?') {
            const int sign = (a > b) - (a < b);
            wanted = c == CondModifier::z    ? sign == 0
                     : c == CondModifier::nz ? sign != 0
                     : c == CondModifier::g  ? sign > 0
                     : c == CondModifier::ge ? sign >= 0
                     : c == CondModifier::l  ? sign < 0
                                             : sign <= 0;
          }
          const Outcome o = run(s, bits(a), bits(b));
          EXPECT_EQ(o.flag, wanted) << describe(s) << ": " << a << ", " << b;
          EXPECT_EQ(o.bits & 1, uint64_t(wanted)) << describe(s) << ": " << a << ", " << b;
        }
}

TEST_P(Tables, T01_RestrictedFloats) {
  constexpr struct {
    uint8_t byte;
    float value;
  } printed[] = {{0x70, 16},   {0x7F, 31},    {0x60, 8},          {0x6F, 15.5f},      {0x30, 1.0f}, {0x3F, 1.9375f},
                 {0x20, 0.5f}, {0x10, 0.25f}, {0x01, 0.1328125f}, {0x0F, 0.2421875f}, {0x00, 0.0f}};
  float of[256];
  for (int first = 0; first < 256; first += 4) {
    Bench b(model(), 0xF);
    b.run(fmt::format("(W) mov (4|M0) r4.0<1>:f {:#010x}:vf", uint32_t(first) * 0x01010101u + 0x03020100u));
    for (int n = 0; n < 4; ++n) of[first + n] = b.get<float>(4, n);
  }
  for (const auto& [byte, value] : printed) {
    EXPECT_EQ(bits(of[byte]), bits(value)) << int(byte);
    EXPECT_EQ(bits(of[byte | 0x80]), bits(-value)) << int(byte);
  }
  for (int n = 1; n < 128; ++n) {
    EXPECT_EQ(of[n], std::ldexp(1.0f + float(n % 16) / 16, n / 16 - 3)) << n;
    EXPECT_EQ(of[n + 128], -of[n]) << n;
  }
}

TEST_P(Tables, T03_Comparisons) {
  expect_table(model(), Op::cmp, CondModifier::g,
               {"FFFFFFFFF", "T?FFFFFFF", "TTFFFFFFF", "TTFFFFFFF", "TTFFFFFFF", "TTFFFFFFF", "TTTTTT?FF", "TTTTTTTFF",
                "FFFFFFFFF"});
  expect_table(model(), Op::cmp, CondModifier::l,
               {"FTTTTTTTF", "F?TTTTTTF", "FFFFFFTTF", "FFFFFFTTF", "FFFFFFTTF", "FFFFFFTTF", "FFFFFF?TF", "FFFFFFFFF",
                "FFFFFFFFF"});
  expect_table(model(), Op::cmp, CondModifier::z,
               {"TFFFFFFFF", "F?FFFFFFF", "FFTTTTFFF", "FFTTTTFFF", "FFTTTTFFF", "FFTTTTFFF", "FFFFFF?FF", "FFFFFFFTF",
                "FFFFFFFFF"});
  expect_table(model(), Op::cmp, CondModifier::nz,
               {"FTTTTTTTT", "T?TTTTTTT", "TTFFFFTTT", "TTFFFFTTT", "TTFFFFTTT", "TTFFFFTTT", "TTTTTT?TT", "TTTTTTTFT",
                "TTTTTTTTT"});
  expect_table(model(), Op::cmp, CondModifier::le,
               {"TTTTTTTTF", "F?TTTTTTF", "FFTTTTTTF", "FFTTTTTTF", "FFTTTTTTF", "FFTTTTTTF", "FFFFFF?TF", "FFFFFFFTF",
                "FFFFFFFFF"});
  expect_table(model(), Op::cmp, CondModifier::ge,
               {"TFFFFFFFF", "T?FFFFFFF", "TTTTTTFFF", "TTTTTTFFF", "TTTTTTFFF", "TTTTTTFFF", "TTTTTT?FF", "TTTTTTTTF",
                "FFFFFFFFF"});
}

TEST_P(Tables, T04_ComparisonsWithNan) {
  expect_table(model(), Op::cmpn, CondModifier::l,
               {"FTTTTTTTT", "F?TTTTTTT", "FFFFFFTTT", "FFFFFFTTT", "FFFFFFTTT", "FFFFFFTTT", "FFFFFF?TT", "FFFFFFFFT",
                "FFFFFFFFF"});
  expect_table(model(), Op::cmpn, CondModifier::ge,
               {"TFFFFFFFT", "T?FFFFFFT", "TTTTTTFFT", "TTTTTTFFT", "TTTTTTFFT", "TTTTTTFFT", "TTTTTT?FT", "TTTTTTTTT",
                "FFFFFFFFF"});
}

TEST_P(Tables, T05_MinimumAndMaximumLeaveNansAndFlags) {
  for (CondModifier c : {CondModifier::l, CondModifier::ge}) {
    const Trial s{.model = &model(), .op = Op::sel, .src = {Type::f, Type::f}, .cond = c};
    for (uint32_t flags : {0u, 0xFFu}) {
      EXPECT_EQ(run(s, bits(NAN), bits(2), flags).bits, bits(2));
      EXPECT_EQ(run(s, bits(2), bits(NAN), flags).bits, bits(2));
      EXPECT_EQ(run(s, bits(2), bits(NAN), flags).flag, flags != 0);
      EXPECT_TRUE(std::isnan(value_of(Type::f, run(s, bits(NAN), bits(NAN)).bits)));
      EXPECT_EQ(run(s, bits(2), bits(3), flags).bits, bits(c == CondModifier::l ? 2 : 3));
      EXPECT_EQ(run(s, bits(2), bits(3), flags).flag, flags != 0);
    }
  }
}

TEST_P(Tables, T06_FloatsToIntegers) {
  struct {
    float from;
    uint64_t to[6];
  } const rows[] = {
      {0.0f, {0, 0, 0, 0, 0, 0}},
      {-0.0f, {0, 0, 0, 0, 0, 0}},
      {denormal, {0, 0, 0, 0, 0, 0}},
      {-denormal, {0, 0, 0, 0, 0, 0}},
      {NAN, {0, 0, 0, 0, 0, 0}},
      {-NAN, {0, 0, 0, 0, 0, 0}},
      {HUGE_VALF, {0xFFFFFFFF, 0x7FFFFFFF, 0xFFFF, 0x7FFF, 0xFF, 0x7F}},
      {-HUGE_VALF, {0, 0x80000000, 0, 0x8000, 0, 0x80}},
      {0x1p32f, {0xFFFFFFFF, 0x7FFFFFFF, 0xFFFF, 0x7FFF, 0xFF, 0x7F}},
      {-0x1.000002p32f, {0, 0x80000000, 0, 0x8000, 0, 0x80}},
  };
  constexpr Type types[] = {Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b};
  for (const auto& row : rows)
    for (size_t n = 0; n < 6; ++n)
      for (bool saturate : {false, true}) {
        const Trial s{.model = &model(), .op = Op::mov, .dst = types[n], .src = {Type::f}, .saturate = saturate};
        EXPECT_EQ(run(s, bits(row.from)).bits, row.to[n]) << describe(s) << " of " << row.from;
      }
}

constexpr float most = 0x1.fffffep127f;

// T25: what each cell of the addition and multiplication tables stands for, by name.
struct Cell {
  float a, b, sum, product;
};
void expect_cells(const isa::Model& m, bool alt, std::initializer_list<Cell> cells) {
  for (const Cell& c : cells)
    for (bool swapped : {false, true}) {
      const uint64_t a = bits(swapped ? c.b : c.a), b = bits(swapped ? c.a : c.b);
      for (Op op : {Op::add, Op::mul}) {
        const Trial s{.model = &m, .op = op, .src = {Type::f, Type::f}, .alt = alt};
        const float wanted = op == Op::add ? c.sum : c.product;
        const uint64_t got = run(s, a, b).bits;
        if (std::isnan(wanted))
          EXPECT_TRUE(std::isnan(value_of(Type::f, got))) << describe(s) << ": " << c.a << ", " << c.b;
        else
          EXPECT_EQ(got, bits(wanted)) << describe(s) << ": " << c.a << ", " << c.b;
      }
    }
}

TEST_P(Tables, T25_SpecialValuesOfAddAndMul) {
  const float inf = HUGE_VALF, d = denormal;
  expect_cells(model(), false,
               {{-inf, -inf, -inf, inf},
                {-inf, -2, -inf, inf},
                {-inf, -1, -inf, inf},
                {-inf, -d, -inf, NAN},
                {-inf, -0.0f, -inf, NAN},
                {-inf, 0, -inf, NAN},
                {-inf, d, -inf, NAN},
                {-inf, 1, -inf, -inf},
                {-inf, 2, -inf, -inf},
                {-inf, inf, NAN, -inf},
                {-inf, NAN, NAN, NAN},
                {-2, -d, -2, 0},
                {-2, -0.0f, -2, 0},
                {-2, 0, -2, -0.0f},
                {-2, d, -2, -0.0f},
                {-2, 2, 0, -4},
                {-2, inf, inf, -inf},
                {-2, NAN, NAN, NAN},
                {-2, -1, -3, 2},
                {-2, 1, -1, -2},
                {-1, -1, -2, 1},
                {-1, 1, 0, -1},
                {-d, -d, -0.0f, 0},
                {-d, -0.0f, -0.0f, 0},
                {-d, 0, 0, -0.0f},
                {-d, d, 0, -0.0f},
                {-d, 2, 2, -0.0f},
                {-d, inf, inf, NAN},
                {-d, NAN, NAN, NAN},
                {-0.0f, -0.0f, -0.0f, 0},
                {-0.0f, 0, 0, -0.0f},
                {-0.0f, d, 0, -0.0f},
                {-0.0f, 1, 1, -0.0f},
                {-0.0f, inf, inf, NAN},
                {0, 0, 0, 0},
                {0, d, 0, 0},
                {0, 2, 2, 0},
                {0, inf, inf, NAN},
                {d, d, 0, 0},
                {d, 2, 2, 0},
                {d, inf, inf, NAN},
                {1, 1, 2, 1},
                {1, inf, inf, inf},
                {2, inf, inf, inf},
                {inf, inf, inf, inf},
                {inf, NAN, NAN, NAN},
                {NAN, NAN, NAN, NAN},
                {most, most, inf, inf},
                {-most, most, 0, -inf},
                {-most, -most, -inf, inf}});
  expect_cells(model(), true,
               {{-most, -most, -most, most},
                {-most, -2, -most, most},
                {-most, -1, -most, most},
                {-most, -d, -most, 0},
                {-most, -0.0f, -most, 0},
                {-most, 0, -most, -0.0f},
                {-most, d, -most, -0.0f},
                {-most, 1, -most, -most},
                {-most, 2, -most, -most},
                {-most, most, 0, -most},
                {2, most, most, most},
                {most, most, most, most},
                {most, 0, most, 0},
                {most, d, most, 0},
                {most, -d, most, -0.0f},
                {-2, 2, 0, -4},
                {-0.0f, -0.0f, -0.0f, 0},
                {-0.0f, 0, 0, -0.0f},
                {0, 0, 0, 0}});
}

TEST_P(Tables, T26_FractionsAndRounding) {
  struct {
    float from, fraction, up, down, even, zero;
  } const rows[] = {
      {-HUGE_VALF, NAN, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF},
      {-2.5f, 0.5f, -2, -3, -2, -2},
      {-1.75f, 0.25f, -1, -2, -2, -1},
      {-1.5f, 0.5f, -1, -2, -2, -1},
      {-0.5f, 0.5f, -0.0f, -1, -0.0f, -0.0f},
      {-0x1p-30f, 0x1.fffffep-1f, -0.0f, -1, -0.0f, -0.0f},
      {-denormal, 0, -0.0f, -0.0f, -0.0f, -0.0f},
      {-0.0f, 0, -0.0f, -0.0f, -0.0f, -0.0f},
      {0.0f, 0, 0, 0, 0, 0},
      {denormal, 0, 0, 0, 0, 0},
      {0.5f, 0.5f, 1, 0, 0, 0},
      {1.5f, 0.5f, 2, 1, 2, 1},
      {2.5f, 0.5f, 3, 2, 2, 2},
      {3.25f, 0.25f, 4, 3, 3, 3},
      {most, 0, most, most, most, most},
      {-most, 0, -most, -most, -most, -most},
      {HUGE_VALF, NAN, HUGE_VALF, HUGE_VALF, HUGE_VALF, HUGE_VALF},
      {NAN, NAN, NAN, NAN, NAN, NAN},
  };
  for (const auto& row : rows)
    for (bool alt : {false, true}) {
      if (alt && !std::isfinite(row.from)) continue;
      const std::pair<Op, float> wanted[] = {{Op::frc, row.fraction},
                                             {Op::rndu, row.up},
                                             {Op::rndd, row.down},
                                             {Op::rnde, row.even},
                                             {Op::rndz, row.zero}};
      for (const auto& [op, value] : wanted) {
        const Trial s{.model = &model(), .op = op, .src = {Type::f}, .alt = alt};
        const uint64_t got = run(s, bits(row.from)).bits;
        if (std::isnan(value))
          EXPECT_TRUE(std::isnan(value_of(Type::f, got))) << describe(s) << " of " << row.from;
        else
          EXPECT_EQ(got, bits(value)) << describe(s) << " of " << row.from;
      }
    }
}

TEST_P(Tables, T27_MinusOneShiftedRightStays) {
  const Trial s{.model = &model(), .op = Op::asr, .dst = Type::d, .src = {Type::d, Type::d}};
  for (uint64_t n = 0; n < 64; ++n) EXPECT_EQ(run(s, 0xFFFFFFFF, n).bits, 0xFFFFFFFFu) << n;
}

}  // namespace
}  // namespace vitro::reference
