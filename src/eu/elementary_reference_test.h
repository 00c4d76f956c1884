// What the library of the host says of the functions of elementary.h, in double, and how far apart floats lie there:
// for tests. PRM: as elementary.h.
#pragma once

#include <cmath>

#include "isa/opcode.h"

namespace vitro::eu {

inline double of_library(isa::MathFunction f, double a, double b) {
  switch (f) {
    case isa::MathFunction::exp: return std::exp2(a);
    case isa::MathFunction::log: return std::log2(a);
    case isa::MathFunction::pow: return b == 0 && !std::isnan(a) ? 1 : std::exp2(b * std::log2(std::fabs(a)));
    case isa::MathFunction::sin: return std::sin(a);
    default: return std::cos(a);
  }
}
// The distance between floats next to x.
inline double ulp(double x) {
  if (std::fabs(x) < 0x1p-126) return 0x1p-149;
  int exponent;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 24);
}

}  // namespace vitro::eu
