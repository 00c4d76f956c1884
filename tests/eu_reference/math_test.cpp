// The extended math functions against MPFR: quotients and roots correctly rounded or one unit in the last place away,
// the others within the errors of docs/decisions/0010, special values by the documents, integer division exact. Also
// the two-register division and the macros' first steps. PRM: Gen6 vol 4 part 2 I-math, FP-01, FP-20; Gen9 enumeration
// FC. Functions round to nearest whatever cr0 says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "reference.h"

namespace vitro::reference {
namespace {

using isa::MathFunction;
using isa::Op;
using isa::Type;

class Math : public testing::TestWithParam<ModelSource> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
INSTANTIATE_TEST_SUITE_P(Every, Math, testing::ValuesIn(every_model), model_name);

struct Function {
  MathFunction code;
  RealOp op;
  int sources;
  double units = 1;     // in the last place of a float, of which half precision has one in any case
  double absolute = 0;  // or so much
};
constexpr Function functions[] = {
    {MathFunction::inv, RealOp::inv, 1},
    {MathFunction::log, RealOp::log2, 1, 2},
    {MathFunction::exp, RealOp::exp2, 1},
    {MathFunction::sqt, RealOp::sqrt, 1},
    {MathFunction::rsqt, RealOp::rsqrt, 1},
    {MathFunction::sin, RealOp::sin, 1, 1, 0x1p-21},
    {MathFunction::cos, RealOp::cos, 1, 1, 0x1p-21},
    {MathFunction::fdiv, RealOp::div, 2},
    {MathFunction::pow, RealOp::pow, 2, 16},
};

double flushed(Type t, double v) { return std::fabs(v) < least_normal(t) ? std::copysign(0.0, v) : v; }

// What the function gives before the destination: the documents' special cases where they differ from MPFR's.
double wanted(const Function& f, const Trial& s, double a, double b) {
  if (s.alt && (f.op == RealOp::log2 || f.op == RealOp::sqrt || f.op == RealOp::rsqrt)) a = std::fabs(a);
  if (f.op == RealOp::rsqrt && a == 0) return std::copysign(HUGE_VAL, a);
  if (f.op == RealOp::log2 && a == 0) return -HUGE_VAL;
  if (f.op == RealOp::pow) {
    a = std::fabs(a);
    if (b == 0 && !std::isnan(a)) return 1;
    // 2^(y log x): where log x or y is not finite, the product decides
    if (a == 0 || std::isinf(a) || !std::isfinite(b) || std::isnan(a)) return std::exp2(b * std::log2(a));
  }
  return compute(f.op, s.dst, 0, a, b);
}

void expect_function(const Function& f, Trial s) {
  s.op = Op::math;
  s.math = f.code;
  Machine m(s);
  const std::vector<uint64_t> first = corner_values(s.src[0]), second = corner_values(s.src[1]);
  std::vector<std::array<uint64_t, 2>> inputs;
  for (uint64_t a : first)
    if (f.sources == 1)
      inputs.push_back({a, 0});
    else
      for (size_t n = a % 3; n < second.size(); n += 3) inputs.push_back({a, second[n]});
  for (uint64_t n = 0; n < 1000; ++n)
    inputs.push_back({random_value(s.src[0], n * 2), random_value(s.src[1], n * 2 + 1)});
  while (inputs.size() % lanes) inputs.push_back(inputs.back());
  const bool keeps = s.model->controls_denormals && s.keep_denormals;
  int failures = 0;
  for (size_t at = 0; at < inputs.size(); at += lanes) {
    std::array<Row, 3> rows{};
    for (size_t l = 0; l < lanes; ++l) rows[0][l] = inputs[at + l][0], rows[1][l] = inputs[at + l][1];
    const Row out = m.run(rows);
    ASSERT_EQ(m.fault, "") << describe(s);
    for (size_t l = 0; l < lanes; ++l) {
      double a = value_of(s.src[0], rows[0][l]), b = value_of(s.src[1], rows[1][l]);
      if (s.alt && (!std::isfinite(a) || !std::isfinite(b))) continue;  // undefined
      if (!keeps) a = flushed(s.src[0], a), b = flushed(s.src[1], b);
      if (s.abs[0]) a = std::fabs(a);
      if (s.negate[0]) a = -a;
      double r = wanted(f, s, a, b);
      if (s.saturate) r = std::isnan(r) || !(r > 0) ? 0 : std::min(r, 1.0);
      if (!keeps) r = flushed(s.dst, r);
      if (s.alt && std::isinf(r)) r = std::copysign(0x1.fffffep127, r);
      const double got = value_of(s.dst, out[l]);
      const bool same = std::isnan(r) ? std::isnan(got) : got == r && std::signbit(got) == std::signbit(r);
      const double units = s.dst == Type::hf ? 1 : f.units;
      const double allowed = std::max(units * ulp_of(s.dst, r), f.absolute);
      const bool near = std::isfinite(r) && std::isfinite(got) && std::fabs(got - r) <= allowed;
      if (!same && !near && ++failures < 8)
        ADD_FAILURE() << describe(s) << fmt::format(" of {:a}, {:a}: {:a}, expected {:a}", a, b, got, r);
    }
  }
}

TEST_P(Math, FunctionsAreWithinTheirErrors) {
  for (const Function& f : functions) {
    const bool controls = model().controls_denormals;
    for (int rounding = 0; rounding < (controls ? 4 : 1); ++rounding)
      for (bool keep : {false, true})
        for (bool saturate : {false, true}) {
          if (keep && !controls) continue;
          Trial s{.model = &model(),
                  .src = {Type::f, Type::f, Type::f},
                  .saturate = saturate,
                  .rounding = rounding,
                  .keep_denormals = keep};
          expect_function(f, s);
          s.abs[0] = saturate;
          s.negate[0] = true;
          expect_function(f, s);
          if (controls) {
            s.abs = s.negate = {};
            s.dst = Type::hf;
            s.src = {Type::hf, Type::hf, Type::hf};
            expect_function(f, s);
          }
        }
    if (f.code != MathFunction::fdiv)  // not in ALT mode
      expect_function(f, {.model = &model(), .src = {Type::f, Type::f, Type::f}, .alt = true});
  }
}

TEST_P(Math, SpecialValues) {
  const double inf = HUGE_VAL;
  struct {
    MathFunction f;
    double a, b, r;
  } const cases[] = {
      {MathFunction::inv, 0.0, 0, inf},   {MathFunction::inv, -0.0, 0, -inf}, {MathFunction::inv, inf, 0, 0.0},
      {MathFunction::inv, -inf, 0, -0.0}, {MathFunction::rsqt, 0.0, 0, inf},  {MathFunction::rsqt, -0.0, 0, -inf},
      {MathFunction::rsqt, -2, 0, NAN},   {MathFunction::sqt, -0.0, 0, -0.0}, {MathFunction::sqt, -2, 0, NAN},
      {MathFunction::sqt, inf, 0, inf},   {MathFunction::log, 0.0, 0, -inf},  {MathFunction::log, -0.0, 0, -inf},
      {MathFunction::log, -2, 0, NAN},    {MathFunction::log, -inf, 0, NAN},  {MathFunction::log, 8, 0, 3},
      {MathFunction::exp, 3, 0, 8},       {MathFunction::exp, -inf, 0, 0},    {MathFunction::exp, inf, 0, inf},
      {MathFunction::sin, inf, 0, NAN},   {MathFunction::cos, 0, 0, 1},       {MathFunction::fdiv, inf, inf, NAN},
      {MathFunction::fdiv, 1, 0, inf},    {MathFunction::fdiv, 0, 0, NAN},    {MathFunction::pow, 2, 10, 1024},
      {MathFunction::pow, -2, 3, 8},      {MathFunction::pow, 0, 2, 0},       {MathFunction::pow, NAN, 2, NAN},
  };
  for (const auto& [f, a, b, r] : cases) {
    const Trial s{.model = &model(), .op = Op::math, .src = {Type::f, Type::f, Type::f}, .math = f};
    Machine m(s);
    std::array<Row, 3> rows{};
    rows[0].fill(bits_of(Type::f, a));
    rows[1].fill(bits_of(Type::f, b));
    const double got = value_of(Type::f, m.run(rows)[3]);
    if (std::isnan(r))
      EXPECT_TRUE(std::isnan(got)) << describe(s) << a;
    else
      EXPECT_EQ(bits_of(Type::f, got), bits_of(Type::f, r)) << describe(s) << a;
  }
}

TEST_P(Math, IntegerDivision) {
  for (Type t : {Type::d, Type::ud}) {
    const std::vector<uint64_t> corners = corner_values(t);
    for (MathFunction f : {MathFunction::idiv, MathFunction::iqot, MathFunction::irem}) {
      Machine m({.model = &model(), .op = Op::math, .dst = t, .src = {t, t, t}, .math = f});
      for (uint64_t a : corners)
        for (uint64_t b : corners) {
          std::array<Row, 3> rows{};
          rows[0].fill(a);
          rows[1].fill(b);
          const uint64_t got = m.run(rows)[6];
          ASSERT_EQ(m.fault, "");
          uint32_t after;  // the remainder of idiv stands one register on
          std::memcpy(&after, m.thread.grf.data() + 41 * eu::reg_bytes + 6 * 4, 4);
          const int64_t x = t == Type::d ? int64_t(int32_t(a)) : int64_t(a);
          const int64_t y = t == Type::d ? int64_t(int32_t(b)) : int64_t(b);
          // by zero: all ones, or the end of the range on the dividend's side
          const int64_t most = t == Type::ud ? -1 : x < 0 ? INT32_MIN : INT32_MAX;
          const int64_t quotient = y ? x / y : most, remainder = y ? x % y : most;
          EXPECT_EQ(got, uint32_t(f == MathFunction::irem ? remainder : quotient)) << x << ", " << y;
          EXPECT_TRUE(f != MathFunction::idiv || after == uint32_t(remainder)) << x << ", " << y;
        }
    }
  }
}

class MacroSteps : public Math {};
INSTANTIATE_TEST_SUITE_P(Every, MacroSteps, testing::ValuesIn(models_with(Op::madm)), model_name);

// The macros' first step gives an estimate of 1/b or 1/sqrt(a), or, with the flag set, the end result. Whole sequences
// are in the EU's own tests.
TEST_P(MacroSteps, MacrosBeginWithAnEstimate) {
  for (Type t : {Type::f, Type::df})
    for (int rounding = 0; rounding < 4; ++rounding)
      for (bool root : {false, true}) {
        const Trial s{.model = &model(),
                      .op = Op::math,
                      .dst = t,
                      .src = {t, t, t},
                      .math = root ? MathFunction::rsqtm : MathFunction::invm,
                      .rounding = rounding,
                      .keep_denormals = true};
        Machine m(s);
        for (uint64_t n = 0; n < 500; ++n) {
          std::array<Row, 3> rows{};
          rows[0].fill(random_value(t, n * 2));
          rows[1].fill(random_value(t, n * 2 + 1));
          m.thread.flag[0] = 0x3C;
          const double got = value_of(t, m.run(rows)[2]);
          ASSERT_EQ(m.fault, "");
          const double a = value_of(t, rows[0][0]), b = root ? a : value_of(t, rows[1][0]);
          const auto special = [](double v) { return v == 0 || !std::isfinite(v); };
          const bool ends = special(a) || special(b) || (root && a < 0);
          EXPECT_EQ(m.thread.flag[0] & 0xFF, ends ? 0xFFu : 0u) << a << ", " << b;
          const double r = ends ? root ? std::sqrt(a) : a / b : compute(root ? RealOp::rsqrt : RealOp::inv, t, 0, b);
          if (std::isnan(r))
            EXPECT_TRUE(std::isnan(got));
          else if (ends || !root)
            EXPECT_EQ(bits_of(t, got), bits_of(t, r)) << describe(s) << a << " / " << b;
          else
            EXPECT_TRUE(got < r && got > r * (1 - 0x1p-21)) << a;
        }
      }
}

TEST_P(MacroSteps, MacroMultiplyAddIsFused) {
  for (Type t : {Type::f, Type::df})
    for (int rounding = 0; rounding < 4; ++rounding) {
      Machine m({.model = &model(),
                 .op = Op::madm,
                 .dst = t,
                 .src = {t, t, t},
                 .rounding = rounding,
                 .keep_denormals = true});
      for (uint64_t n = 0; n < 500; ++n) {
        std::array<Row, 3> rows{};
        for (size_t k = 0; k < 3; ++k) rows[k].fill(random_value(t, n * 3 + k));
        const double got = value_of(t, m.run(rows)[1]);
        ASSERT_EQ(m.fault, "");
        const double r = compute(RealOp::fma, t, rounding, value_of(t, rows[1][0]), value_of(t, rows[2][0]),
                                 value_of(t, rows[0][0]));
        EXPECT_TRUE(std::isnan(r) ? std::isnan(got) : bits_of(t, got) == bits_of(t, r)) << n;
      }
    }
}

}  // namespace
}  // namespace vitro::reference
