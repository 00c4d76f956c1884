// The extended math functions.
// PRM: Gen6 vol 4 part 2 I-math, FP-01, FP-20 (special cases, ALT mode), Gen8 vol 2a `math`, Gen9 enumeration FC.
// Quotients and roots are computed in double and rounded once, which is within half a unit in the last place of the
// exact value save for rare double roundings. The others are those of elementary.h, in single precision, also for
// halves; those of doubles, which no generation has, are the host's library's. Logarithm and exponential have base 2.
// The steps of the IEEE macros are in macro.cpp.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include <fmt/format.h>

#include "eu/elementary.h"
#include "eu/handlers.h"
#include "eu/lanes.h"
#include "eu/results.h"
#include "eu/rows.h"

namespace vitro::eu {
namespace {

using isa::MathFunction;

template <class T>
T alt(const Executor& x, T v) {
  return x.thread.has(cr_alt_mode) ? std::fabs(v) : v;
}

double evaluate(const Executor& x, MathFunction f, double a, double b) {
  switch (f) {
    case MathFunction::inv: return 1.0 / a;
    case MathFunction::log: return std::log2(alt(x, a));
    case MathFunction::exp: return std::exp2(a);
    case MathFunction::sqt: return std::sqrt(alt(x, a));
    case MathFunction::rsqt: return 1.0 / std::sqrt(alt(x, a));
    case MathFunction::sin: return std::sin(a);
    case MathFunction::cos: return std::cos(a);
    case MathFunction::fdiv: return a / b;
    case MathFunction::pow: return std::exp2(b * std::log2(std::fabs(a)));
    default: return 0;
  }
}

// Functions round to nearest even whatever cr0 says (I-math).
struct NearestEven {
  int before = std::fegetround();
  NearestEven() {
    if (before != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  NearestEven(const NearestEven&) = delete;
  NearestEven& operator=(const NearestEven&) = delete;
  ~NearestEven() {
    if (before != FE_TONEAREST) std::fesetround(before);
  }
};

template <class T>
void float_math(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Lanes<T> a{}, b{}, r{};
  if (!load(x, p, p.src[0], a.v) || (p.sources == 2 && !load(x, p, p.src[1], b.v))) return;
  const NearestEven rounding;
  const std::optional<int> elementary = elementary_index(p.instruction.math);
  if (elementary && p.src[0].type != isa::Type::df) {
    const bool absolute = p.instruction.math == MathFunction::log;
    for (int c = 0; c < p.lanes; c += chunk) {
      float first[chunk], second[chunk], result[chunk];
      for (int l = 0; l < chunk; ++l) {
        first[l] = float(absolute ? alt(x, a.v[c + l]) : a.v[c + l]);
        second[l] = float(b.v[c + l]);
      }
      elementary_functions()[*elementary](first, second, result);
      for (int l = 0; l < chunk; ++l) r.v[c + l] = T(result[l]);
    }
  } else {
    for (int l = 0; l < p.lanes; ++l) r.v[l] = T(evaluate(x, p.instruction.math, double(a.v[l]), double(b.v[l])));
  }
  finish(x, p, r.v, mask);
}

// The functions that are an operation or two of the host, for the common shape (rows.h). Other rounding modes are rare
// and take the general way.
[[gnu::noinline]] void math_in_another_mode(Executor& x, const Plan& p) { float_math<float>(x, p); }
template <MathFunction f>
void row_math(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  if (t.rounding_mode() != 0) return math_in_another_mode(x, p);
  t.ip = p.next_ip;
  const uint32_t mask = running(t, p) & predicate_mask(t, p);
  if (!mask) return;
  using Row = Eight<float>;
  each_row<float, float>(x, p, mask, [&](int, const Row& a, const Row& b, const Row&, Row& v) {
    for (int l = 0; l < chunk; ++l) v.v[l] = float(evaluate(x, f, double(a.v[l]), double(b.v[l])));
  });
}
template <MathFunction f>
VITRO_PLAIN_VECTORS void plain_row_math(Executor& x, const Plan& p) {
  row_math<f>(x, p);
}
template <MathFunction f>
VITRO_WIDE_VECTORS void wide_row_math(Executor& x, const Plan& p) {
  row_math<f>(x, p);
}
template <MathFunction f>
Handler row_math_handler() {
  return lanes::host_has_wide_vectors() ? wide_row_math<f> : plain_row_math<f>;
}

// Division by zero gives the largest quotient of the sign, as the remainder.
void divide(bool is_signed, int64_t a, int64_t b, int64_t& quotient, int64_t& remainder) {
  if (b == 0) {
    quotient = remainder = !is_signed ? 0xFFFFFFFF : a < 0 ? int64_t(INT32_MIN) : int64_t(INT32_MAX);
    return;
  }
  quotient = a / b;
  remainder = a % b;
}

void integer_division(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Lanes<int64_t> a{}, b{}, q{}, r{};
  if (!load(x, p, p.src[0], a.v) || !load(x, p, p.src[1], b.v)) return;
  for (int l = 0; l < p.lanes; ++l) divide(isa::info(p.src[0].type).is_signed, a.v[l], b.v[l], q.v[l], r.v[l]);
  const MathFunction f = p.instruction.math;
  finish(x, p, f == MathFunction::irem ? r.v : q.v, mask);
  if (f == MathFunction::idiv) {
    // the remainder goes to the register after the quotient's
    Plan second = p;
    const int further = std::max(reg_bytes, p.lanes * isa::size_of(p.dst.type));
    const int registers = p.dst.kind == DestinationPlan::Kind::mrf ? x.program.model().mrf_count : grf_count;
    for (uint16_t& at : second.dst.offset) at = uint16_t(at + further);
    if (second.dst.offset[size_t(p.lanes - 1)] + isa::size_of(p.dst.type) > registers * reg_bytes) {
      x.stop("the remainder's destination reaches past the last register");
      return;
    }
    finish(x, second, r.v, mask);
  }
}

void undefined(Executor& x, const Plan& p) {
  x.stop(fmt::format("math.{} is not defined for :{} sources", isa::info(p.instruction.math).name,
                     isa::info(p.src[0].type).name));
}

}  // namespace

Handler math_handler(const Plan& p) {
  const MathFunction f = p.instruction.math;
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (f == MathFunction::idiv || f == MathFunction::iqot || f == MathFunction::irem)
    return floats ? undefined : integer_division;
  if (!floats) return undefined;
  if (p.rows.possible && f == MathFunction::inv) return row_math_handler<MathFunction::inv>();
  if (p.rows.possible && f == MathFunction::fdiv) return row_math_handler<MathFunction::fdiv>();
  if (p.rows.possible && f == MathFunction::sqt) return row_math_handler<MathFunction::sqt>();
  if (p.rows.possible && f == MathFunction::rsqt) return row_math_handler<MathFunction::rsqt>();
  return p.compute == Compute::f32 ? float_math<float> : float_math<double>;
}

}  // namespace vitro::eu
