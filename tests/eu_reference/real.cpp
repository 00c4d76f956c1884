// The reference's real arithmetic, by MPFR: one operation at the format's precision, then range and denormals with the
// rounding MPFR remembers (mpfr_check_range, mpfr_subnormalize). Signs of zeros follow the rounding mode, as IEEE says.
#include "real.h"

#include <mpfr.h>

#include <bit>
#include <cmath>

namespace vitro::reference {
namespace {

struct Format {
  int precision, emin, emax;
};
Format format_of(isa::Type t) {
  switch (t) {
    case isa::Type::hf: return {11, -23, 16};
    case isa::Type::f: return {24, -148, 128};
    default: return {53, -1073, 1024};
  }
}
constexpr mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

struct Float {
  mpfr_t v;
  explicit Float(int precision) { mpfr_init2(v, precision); }
  Float(int precision, double d) : Float(precision) { mpfr_set_d(v, d, MPFR_RNDN); }
  Float(const Float&) = delete;
  Float& operator=(const Float&) = delete;
  ~Float() { mpfr_clear(v); }
};

double into_range(Format f, mpfr_rnd_t mode, mpfr_t r, int inexact) {
  const mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(f.emin);
  mpfr_set_emax(f.emax);
  inexact = mpfr_check_range(r, inexact, mode);
  mpfr_subnormalize(r, inexact, mode);
  const double d = mpfr_get_d(r, MPFR_RNDN);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return d;
}

}  // namespace

double compute(RealOp op, isa::Type type, Rounds rounds, double a, double b, double c) {
  const Format f = format_of(type);
  const mpfr_rnd_t mode = modes[rounds.mode];
  thread_local Float x(53), y(53), z(53), r(53);
  mpfr_set_d(x.v, a, MPFR_RNDN);
  mpfr_set_d(y.v, b, MPFR_RNDN);
  mpfr_set_d(z.v, c, MPFR_RNDN);
  mpfr_set_prec(r.v, f.precision);
  int t = 0;
  switch (op) {
    case RealOp::set: t = mpfr_set(r.v, x.v, mode); break;
    case RealOp::add: t = mpfr_add(r.v, x.v, y.v, mode); break;
    case RealOp::mul: t = mpfr_mul(r.v, x.v, y.v, mode); break;
    case RealOp::fma: t = mpfr_fma(r.v, x.v, y.v, z.v, mode); break;
    case RealOp::fraction: {
      if (!std::isfinite(a)) return NAN;
      Float down(1100);
      mpfr_floor(down.v, x.v);
      t = mpfr_sub(r.v, x.v, down.v, mode);
      if (mpfr_zero_p(r.v)) return 0.0;
      if (mpfr_cmp_ui(r.v, 1) == 0) {  // the range is [0, 1)
        mpfr_nextbelow(r.v);
        t = -1;
      }
      break;
    }
    case RealOp::ceil: t = mpfr_rint_ceil(r.v, x.v, mode); break;
    case RealOp::floor: t = mpfr_rint_floor(r.v, x.v, mode); break;
    case RealOp::even: t = mpfr_rint_roundeven(r.v, x.v, mode); break;
    case RealOp::trunc: t = mpfr_rint_trunc(r.v, x.v, mode); break;
    case RealOp::inv: t = mpfr_ui_div(r.v, 1, x.v, mode); break;
    case RealOp::log2: t = mpfr_log2(r.v, x.v, mode); break;
    case RealOp::exp2: t = mpfr_exp2(r.v, x.v, mode); break;
    case RealOp::sqrt: t = mpfr_sqrt(r.v, x.v, mode); break;
    case RealOp::rsqrt: t = mpfr_rec_sqrt(r.v, x.v, mode); break;
    case RealOp::sin: t = mpfr_sin(r.v, x.v, mode); break;
    case RealOp::cos: t = mpfr_cos(r.v, x.v, mode); break;
    case RealOp::div: t = mpfr_div(r.v, x.v, y.v, mode); break;
    case RealOp::pow: t = mpfr_pow(r.v, x.v, y.v, mode); break;
  }
  if (rounds.flushes && type != isa::Type::hf && mpfr_regular_p(r.v) && mpfr_get_exp(r.v) < f.emin + f.precision - 1)
    return mpfr_signbit(r.v) ? -0.0 : 0.0;
  return into_range(f, mode, r.v, t);
}

double round_integer(isa::Type type, int rounding, int128 v) {
  const Format f = format_of(type);
  Float wide(160), low(64), r(f.precision);
  const bool negative = v < 0;
  __extension__ unsigned __int128 u = negative ? -static_cast<unsigned __int128>(v) : static_cast<unsigned __int128>(v);
  mpfr_set_ui(wide.v, static_cast<unsigned long>(u >> 64), MPFR_RNDN);
  mpfr_mul_2ui(wide.v, wide.v, 64, MPFR_RNDN);
  mpfr_set_ui(low.v, static_cast<unsigned long>(u), MPFR_RNDN);
  mpfr_add(wide.v, wide.v, low.v, MPFR_RNDN);
  if (negative) mpfr_neg(wide.v, wide.v, MPFR_RNDN);
  const int t = mpfr_set(r.v, wide.v, modes[rounding]);
  return into_range(f, modes[rounding], r.v, t);
}

double dot_error(int terms, const double* a, const double* b, double result) {
  Float sum(1200), magnitude(1200), term(1200), x(53), y(53);
  mpfr_set_zero(sum.v, 1);
  mpfr_set_zero(magnitude.v, 1);
  for (int n = 0; n < terms; ++n) {
    mpfr_set_d(x.v, a[n], MPFR_RNDN);
    mpfr_set_d(y.v, b[n], MPFR_RNDN);
    mpfr_mul(term.v, x.v, y.v, MPFR_RNDN);
    mpfr_add(sum.v, sum.v, term.v, MPFR_RNDN);
    mpfr_abs(term.v, term.v, MPFR_RNDN);
    mpfr_add(magnitude.v, magnitude.v, term.v, MPFR_RNDN);
  }
  mpfr_sub_d(sum.v, sum.v, result, MPFR_RNDN);
  mpfr_abs(sum.v, sum.v, MPFR_RNDN);
  if (mpfr_zero_p(sum.v)) return 0;
  if (mpfr_zero_p(magnitude.v)) return HUGE_VAL;
  mpfr_div(sum.v, sum.v, magnitude.v, MPFR_RNDN);
  return mpfr_get_d(sum.v, MPFR_RNDN) * 0x1p24;
}

double value_of(isa::Type type, uint64_t bits) {
  switch (type) {
    case isa::Type::hf: {
      const int exponent = int(bits >> 10 & 31), mantissa = int(bits & 0x3FF);
      double v = exponent == 31  ? (mantissa ? NAN : HUGE_VAL)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(mantissa + 1024, exponent - 25);
      return std::copysign(v, bits >> 15 & 1 ? -1.0 : 1.0);
    }
    case isa::Type::f: return double(std::bit_cast<float>(uint32_t(bits)));
    default: return std::bit_cast<double>(bits);
  }
}

uint64_t bits_of(isa::Type type, double v) {
  switch (type) {
    case isa::Type::hf: {
      const uint64_t sign = std::signbit(v) ? 0x8000 : 0;
      const double m = std::fabs(v);
      if (std::isnan(v)) return sign | 0x7E00;
      if (std::isinf(v)) return sign | 0x7C00;
      if (m < 0x1p-14) return sign | uint64_t(std::ldexp(m, 24));
      const int e = std::ilogb(m);
      return sign | uint64_t(e + 15) << 10 | (uint64_t(std::ldexp(m, 10 - e)) - 1024);
    }
    case isa::Type::f: return std::bit_cast<uint32_t>(float(v));
    default: return std::bit_cast<uint64_t>(v);
  }
}

double least_normal(isa::Type t) {
  return std::ldexp(1.0, t == isa::Type::hf ? -14 : t == isa::Type::f ? -126 : -1022);
}

double ulp_of(isa::Type t, double v) {
  const Format f = format_of(t);
  if (v == 0 || !std::isfinite(v)) return std::ldexp(1.0, f.emin - 1);
  const int e = std::ilogb(v);
  return std::ldexp(1.0, std::max(e - f.precision + 1, f.emin - 1));
}

}  // namespace vitro::reference
