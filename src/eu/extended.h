// Numbers of the IEEE macros: floats with two more bits of exponent, which stand in mme0..mme7 (acc2..acc9) beside the
// register that holds the rest. With them the refinement of a quotient or root neither overflows nor underflows on its
// way, whatever its operands.
// PRM: Gen8 vol 2a `madm`; Gen9 "Accumulator Registers" (B-37). How the bits extend the exponent is not documented, and
// no program can tell as long as it only hands numbers from one step to the next. Here they are a signed count: a
// number is the register's value times a power of two for each. Numbers that the register holds by itself have a count
// of zero.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "base/host_floats.h"
#include "eu/num.h"

namespace vitro::eu {

template <class T>
struct Extended {
  using Limits = std::numeric_limits<T>;
  static constexpr int digits = Limits::digits;
  static constexpr int least_exponent = Limits::min_exponent - 1, greatest_exponent = Limits::max_exponent - 1;
  static constexpr int step = Limits::max_exponent * 3 / 2;  // ranges overlap: 192 for F, 1536 for DF

  T value = 0;
  int count = 0;  // -2 .. 1

  static int count_of(uint32_t bits) { return int((bits & 3) ^ 2) - 2; }
  uint32_t bits() const { return uint32_t(count) & 3; }
  bool finite() const { return std::isfinite(value); }
};

// Beyond the largest number of a format: infinity, unless the rounding mode turns toward zero.
template <class T>
T overflowed(bool negative) {
  const uint32_t mode = HostFloats::rounding();
  const bool stays =
      mode == HostFloats::to_zero || (mode == HostFloats::up && negative) || (mode == HostFloats::down && !negative);
  const T v = stays ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
  return negative ? -v : v;
}

// A magnitude that is mantissa * 2^exponent and not zero; the lowest bit may stand for a rest below it.
struct Magnitude {
  uint128 mantissa;
  int exponent;

  int width() const {
    const uint64_t high = uint64_t(mantissa >> 64);
    return high ? 64 + int(std::bit_width(high)) : int(std::bit_width(uint64_t(mantissa)));
  }
  int top() const { return exponent + width() - 1; }  // exponent of the highest bit
  Magnitude shifted_up(int to_width) const {
    const int n = to_width - width();
    return {mantissa << n, exponent - n};
  }
  Magnitude shifted_down(int n) const {
    if (n == 0) return *this;
    if (n > 126) return {1, exponent + n};
    const uint128 rest = mantissa & ((uint128(1) << n) - 1);
    return {mantissa >> n | uint128(rest != 0), exponent + n};
  }
};

template <class T>
Magnitude magnitude(const Extended<T>& x) {
  int e;
  const T m = std::frexp(std::fabs(x.value), &e);
  return {uint128(std::ldexp(m, Extended<T>::digits)), e - Extended<T>::digits + x.count * Extended<T>::step};
}

// Rounded once, in the host's mode: to a number with an extended exponent, or to one of the format itself.
template <class T>
Extended<T> rounded(bool negative, Magnitude m, bool extended) {
  using X = Extended<T>;
  int unit = m.top() - X::digits + 1;  // exponent of the last bit that stays
  if (!extended) unit = std::max(unit, X::least_exponent - X::digits + 1);
  if (const int drop = unit - m.exponent; drop > 0) {
    const uint32_t mode = HostFloats::rounding();
    const Magnitude kept = m.shifted_down(drop > 2 ? drop - 2 : 0);  // two more bits decide: half, and any rest
    const int more = drop > 2 ? 2 : drop;
    const uint128 rest = kept.mantissa & ((1u << more) - 1), half = uint128(1) << (more - 1);
    m = {kept.mantissa >> more, unit};
    const bool up = mode == HostFloats::nearest ? rest > half || (rest == half && (m.mantissa & 1))
                    : mode == HostFloats::up    ? rest != 0 && !negative
                                                : mode == HostFloats::down && rest != 0 && negative;
    m.mantissa += up;
  }
  const T sign = negative ? T(-1) : T(1);
  if (m.mantissa == 0) return {sign * T(0)};
  int count = 0;
  if (extended) {
    if (m.top() > X::greatest_exponent) count = 1;
    if (m.top() < X::least_exponent) count = m.top() < X::least_exponent - X::step ? -2 : -1;
    if (m.top() < X::least_exponent - 2 * X::step) return {sign * T(0)};
  }
  if (m.top() > X::greatest_exponent + count * X::step) return {overflowed<T>(negative)};
  return {sign * std::ldexp(T(uint64_t(m.mantissa)), m.exponent - count * X::step), count};
}

// b * c + a, exact and then rounded once.
template <class T>
Extended<T> fused(const Extended<T>& b, const Extended<T>& c, const Extended<T>& a, bool extended) {
  if (b.count == 0 && c.count == 0 && a.count == 0) {
    const T r = std::fma(b.value, c.value, a.value);
    if (!extended || (std::fabs(r) >= 2 * std::numeric_limits<T>::min() && std::isfinite(r))) return {r};
  }
  if (!b.finite() || !c.finite() || !a.finite()) {  // of finite numbers only the sign and being zero matter
    const auto plain = [](const Extended<T>& x) {
      return x.finite() && x.value != 0 ? std::copysign(T(1), x.value) : x.value;
    };
    return {std::fma(plain(b), plain(c), plain(a))};
  }
  const bool negative = std::signbit(b.value) != std::signbit(c.value);
  if (b.value == 0 || c.value == 0)
    return a.value == 0 ? Extended<T>{b.value * c.value + a.value}
                        : rounded<T>(std::signbit(a.value), magnitude(a), extended);
  const Magnitude mb = magnitude(b), mc = magnitude(c);
  const Magnitude product{mb.mantissa * mc.mantissa, mb.exponent + mc.exponent};
  if (a.value == 0) return rounded<T>(negative, product, extended);
  // both with their highest bit at the same place: far above what either's last bit needs
  Magnitude x = product.shifted_up(125), y = magnitude(a).shifted_up(125);
  bool x_negative = negative, y_negative = std::signbit(a.value);
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.mantissa < y.mantissa)) {
    std::swap(x, y);
    std::swap(x_negative, y_negative);
  }
  y = y.shifted_down(x.exponent - y.exponent);
  x.mantissa = x_negative == y_negative ? x.mantissa + y.mantissa : x.mantissa - y.mantissa;
  if (x.mantissa == 0) return {HostFloats::rounding() == HostFloats::down ? T(-0.0) : T(0)};
  return rounded<T>(x_negative, x, extended);
}

}  // namespace vitro::eu
