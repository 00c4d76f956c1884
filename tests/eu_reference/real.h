// Correctly rounded results from MPFR: an operation is done once with the target's precision, then brought into its
// exponent range with the one rounding MPFR remembers. Every register float fits a double exactly, so values are
// doubles. Rounding modes are cr0's: nearest even, up, down, to zero.
#pragma once

#include <cstdint>

#include "isa/types.h"

namespace vitro::reference {

__extension__ using int128 = __int128;

enum class RealOp {
  set,
  add,
  mul,
  fma,
  fraction,
  ceil,
  floor,
  even,
  trunc,
  inv,
  log2,
  exp2,
  sqrt,
  rsqrt,
  sin,
  cos,
  div,
  pow
};

// How a result is rounded, and whether one is a zero of its sign that is less than the least normal number once it is
// rounded as if exponents had no end. Halves are rounded before it is asked.
struct Rounds {
  int mode;
  bool flushes = false;
  Rounds(int rounding, bool flush = false) : mode(rounding), flushes(flush) {}
};
// a, b, c as the operation needs them (fma: a * b + c), rounded to `format` (hf, f or df).
double compute(RealOp op, isa::Type format, Rounds rounds, double a, double b = 0, double c = 0);
double round_integer(isa::Type format, int rounding, int128 v);
// | result - exact a0*b0 + ... + an*bn | in units of 2^-24 of the sum of magnitudes.
double dot_error(int terms, const double* a, const double* b, double result);

double value_of(isa::Type type, uint64_t bits);  // a float's bits as a double
uint64_t bits_of(isa::Type type, double value);  // exact: the value is one of the type's
double least_normal(isa::Type type);
double ulp_of(isa::Type type, double value);  // the distance to the next value of the type

}  // namespace vitro::reference
