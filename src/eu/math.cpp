// The extended math functions.
// PRM: Gen6 vol 4 part 2 I-math, FP-01, FP-20 (special cases, ALT mode), Gen8 vol 2a `math`, Gen9 enumeration FC.
// Quotients and roots are computed in double and rounded once, which is within half a unit in the last place of the
// exact value save for rare double roundings. The others are those of elementary.h, in single precision, also for
// halves; those of doubles, which no generation has, are the host's library's. Logarithm and exponential have base 2.
// The steps of the IEEE macros are in macro.cpp.
#include <algorithm>
#include <cmath>

#include "base/host_floats.h"
#include "eu/elementary.h"
#include "eu/functions.h"
#include "eu/handlers.h"
#include "eu/lanes.h"
#include "eu/results.h"
#include "eu/rows.h"

namespace vitro::eu {
namespace {

using isa::MathFunction;

// In ALT mode there are no NaNs: logarithms and roots are those of the magnitude.
template <class T>
Num<T> argument(const Executor& x, MathFunction f, T v) {
  return info(f).of_magnitude && x.thread.has(cr_alt_mode) ? absolute(Num<T>{v}) : Num<T>{v};
}

double of_library(MathFunction f, double a, double b) {
  switch (f) {
    case MathFunction::log: return std::log2(a);
    case MathFunction::exp: return std::exp2(a);
    case MathFunction::sin: return std::sin(a);
    case MathFunction::cos: return std::cos(a);
    case MathFunction::pow: return std::exp2(b * std::log2(std::fabs(a)));
    default: return 0;
  }
}

template <class T>
void float_math(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Lanes<T> a{}, b{}, r{};
  if (!load(x, p, p.src[0], a.v) || (p.sources == 2 && !load(x, p, p.src[1], b.v))) return;
  // functions round to nearest even whatever cr0 says (I-math)
  const HostFloats rounding(HostFloats::now() & HostFloats::flush);
  const MathFunction f = p.instruction.math;
  for (int l = 0; l < padded(p.lanes); ++l) a.v[l] = argument(x, f, a.v[l]).v;
  if (is_quotient_or_root(f)) {
    for (int l = 0; l < p.lanes; ++l) r.v[l] = quotient_or_root(f, Num<T>{a.v[l]}, Num<T>{b.v[l]}).v;
  } else if (p.src[0].type != isa::Type::df) {
    for (int c = 0; c < p.lanes; c += chunk) {
      float first[chunk], second[chunk], result[chunk];
      for (int l = 0; l < chunk; ++l) first[l] = float(a.v[c + l]), second[l] = float(b.v[c + l]);
      elementary_functions()[*elementary_index(f)](first, second, result);
      for (int l = 0; l < chunk; ++l) r.v[c + l] = T(result[l]);
    }
  } else {
    for (int l = 0; l < p.lanes; ++l) r.v[l] = T(of_library(f, double(a.v[l]), double(b.v[l])));
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
  each_row<float, float>(x, p, mask, [&](int, const Row& a, const Row& b, const Row&) {
    float sa[chunk], sb[chunk], r[chunk];
    a.put(sa), b.put(sb);
    for (int l = 0; l < chunk; ++l) r[l] = quotient_or_root(f, argument(x, f, sa[l]), Num<float>{sb[l]}).v;
    return Row::get(r);
  });
}
// The same for the functions of elementary.h, which take eight lanes.
void row_elementary(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  if (t.rounding_mode() != 0) return math_in_another_mode(x, p);
  t.ip = p.next_ip;
  const uint32_t mask = running(t, p) & predicate_mask(t, p);
  if (!mask) return;
  const MathFunction f = p.instruction.math;
  const auto function = elementary_functions()[*elementary_index(f)];
  using Row = Eight<float>;
  each_row<float, float>(x, p, mask, [&](int, const Row& a, const Row& b, const Row&) {
    float first[chunk], second[chunk] = {}, result[chunk];
    a.put(first);
    if (p.sources == 2) b.put(second);
    for (int l = 0; l < chunk; ++l) first[l] = argument(x, f, first[l]).v;
    function(first, second, result);
    return Row::get(result);
  });
}
void integer_division(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  const uint32_t mask = write_enable(x.thread, p);
  if (!mask) return;
  Lanes<int64_t> a{}, b{}, q{}, r{};
  if (!load(x, p, p.src[0], a.v) || !load(x, p, p.src[1], b.v)) return;
  const auto divide = [&](bool remainder, int l) {
    return divided(remainder, isa::info(p.src[0].type).is_signed, Num<int64_t>{a.v[l]}, Num<int64_t>{b.v[l]}).v;
  };
  for (int l = 0; l < p.lanes; ++l) q.v[l] = divide(false, l), r.v[l] = divide(true, l);
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

}  // namespace

Handler math_handler(const Plan& p) {
  const MathFunction f = p.instruction.math;
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (info(f).kind == isa::MathKind::division || info(f).kind == isa::MathKind::divisions)
    return floats ? undefined : integer_division;
  if (!floats) return undefined;
  if (p.rows.possible && f == MathFunction::inv) return with_vectors<row_math<MathFunction::inv>>();
  if (p.rows.possible && f == MathFunction::fdiv) return with_vectors<row_math<MathFunction::fdiv>>();
  if (p.rows.possible && f == MathFunction::sqt) return with_vectors<row_math<MathFunction::sqt>>();
  if (p.rows.possible && f == MathFunction::rsqt) return with_vectors<row_math<MathFunction::rsqt>>();
  if (p.rows.possible && p.compute == Compute::f32 && elementary_index(f)) return with_vectors<row_elementary>();
  return p.compute == Compute::f32 ? float_math<float> : float_math<double>;
}

}  // namespace vitro::eu
