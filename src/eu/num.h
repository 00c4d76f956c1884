// A number of a lane in the host domain: what the expressions of the opcode table, and all that is done around them,
// compute with when the interpreter evaluates them. Integers wrap; floats follow the host's rounding mode, which the
// interpreter sets from cr0. The words here are those of every domain: eight lanes have them in eight.h, the compiler
// in jit/values.h. `constant` gives a value like another one; bit counting looks at the lowest 32 bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace vitro::eu {

// clang++ and g++ both know it; no other integer holds a 65-bit sum or a 128-bit product.
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

template <class T>
inline constexpr bool is_int = std::is_same_v<T, int64_t> || std::is_same_v<T, int128>;
template <class T>
using Unsigned = std::conditional_t<std::is_same_v<T, int128>, uint128, uint64_t>;

// Values of any domain, and what comparing them gives: the truth per lane.
template <class V>
concept Integer = V::is_integer;
template <class V>
concept Float = V::is_float;
template <class V>
using TruthOf = decltype(std::declval<V>() < std::declval<V>());

template <class T>
struct Num {
  static constexpr bool is_float = std::is_floating_point_v<T>, is_integer = !is_float;
  T v;

  // In what neither overflows nor is promoted.
  using W = std::conditional_t<is_float, T, Unsigned<T>>;
  template <class N>
  friend constexpr Num constant(Num, N x) {
    return {T(x)};
  }
  friend constexpr int width_of(Num) { return 8 * int(sizeof(T)); }
  friend constexpr Num operator+(Num a, Num b) { return {T(W(a.v) + W(b.v))}; }
  friend constexpr Num operator-(Num a, Num b) { return {T(W(a.v) - W(b.v))}; }
  friend constexpr Num operator*(Num a, Num b) { return {T(W(a.v) * W(b.v))}; }
  friend constexpr Num operator-(Num a) { return {T(-W(a.v))}; }
  friend constexpr bool operator<(Num a, Num b) { return a.v < b.v; }
  friend constexpr bool operator<=(Num a, Num b) { return a.v <= b.v; }
  friend constexpr bool operator>(Num a, Num b) { return a.v > b.v; }
  friend constexpr bool operator>=(Num a, Num b) { return a.v >= b.v; }
  friend constexpr bool operator==(Num a, Num b) { return a.v == b.v; }
  friend constexpr Num select(bool which, Num a, Num b) { return which ? a : b; }
  friend constexpr bool is_nan(Num a) { return !(a.v == a.v); }

  // Integers. Shifts right are arithmetic: logical if their operand was made unsigned before.
  friend constexpr Num operator&(Num a, Num b) requires is_integer { return {T(a.v & b.v)}; }
  friend constexpr Num operator|(Num a, Num b) requires is_integer { return {T(a.v | b.v)}; }
  friend constexpr Num operator^(Num a, Num b) requires is_integer { return {T(a.v ^ b.v)}; }
  friend constexpr Num operator~(Num a) requires is_integer { return {T(~a.v)}; }
  friend constexpr Num shift_left(Num a, Num n) requires is_integer { return {T(W(a.v) << int(n.v))}; }
  friend constexpr Num shift_right(Num a, Num n) requires is_integer { return {T(a.v >> int(n.v))}; }
  // A number that is not below zero, for domains in which that must be said; the lowest 32 bits as a number.
  friend constexpr Num as_unsigned(Num a) requires is_integer { return a; }
  friend constexpr Num dword(Num a) requires is_integer { return {T(uint32_t(a.v))}; }
  friend constexpr Num signed_dword(Num a) requires is_integer { return {T(int32_t(a.v))}; }
  friend constexpr Num leading_zeros(Num a) requires is_integer { return {T(std::countl_zero(uint32_t(a.v)))}; }
  friend constexpr Num trailing_zeros(Num a) requires is_integer { return {T(std::countr_zero(uint32_t(a.v)))}; }
  friend constexpr Num count_bits(Num a) requires is_integer { return {T(std::popcount(uint32_t(a.v)))}; }
  friend constexpr Num reverse_bits(Num a) requires is_integer {
    uint32_t r = 0;
    for (int n = 0; n < 32; ++n) r |= (uint32_t(a.v) >> n & 1) << (31 - n);
    return {T(r)};
  }
  friend constexpr Num quotient(Num a, Num b) requires is_integer { return {T(a.v / b.v)}; }  // b is not zero

  friend Num operator/(Num a, Num b) requires is_float { return {a.v / b.v}; }
  friend Num absolute(Num a) requires is_float { return {std::fabs(a.v)}; }
  // Whether the magnitude is below a number; a zero of its sign where that or something else holds.
  friend bool is_below(Num a, double least) requires is_float { return std::fabs(a.v) < T(least); }
  friend Num zero_where(bool which, Num a) requires is_float { return {which ? std::copysign(T(0), a.v) : a.v}; }
  friend Num copy_sign(Num a, Num sign) requires is_float { return {std::copysign(a.v, sign.v)}; }
  friend Num fma(Num a, Num b, Num c) requires is_float { return {std::fma(a.v, b.v, c.v)}; }
  friend Num floor(Num a) requires is_float { return {std::floor(a.v)}; }
  friend Num ceiling(Num a) requires is_float { return {std::ceil(a.v)}; }
  friend Num truncate(Num a) requires is_float { return {std::trunc(a.v)}; }
  // Whatever the rounding mode: adding and taking away would follow the mode.
  friend Num nearest_even(Num a) requires is_float {
    const T f = std::floor(a.v), d = a.v - f;
    if (!(d == d)) return a;
    const T half = T(0.5);
    const bool odd = std::floor(f * half) * T(2) != f;
    return {d > half || (d == half && odd) ? f + T(1) : f};
  }
  friend Num below_one(Num) requires is_float { return {T(1) - std::numeric_limits<T>::epsilon() / 2}; }
  friend Num square_root(Num a) requires is_float { return {std::sqrt(a.v)}; }
  friend Num reciprocal_root(Num a) requires is_float { return {T(1.0 / std::sqrt(double(a.v)))}; }
  friend Num quiet(Num nan) requires is_float { return {nan.v + T(0)}; }
  // What the host makes of numbers.
  friend Num own_nan(Num) requires is_float { return {std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1))}; }
};

}  // namespace vitro::eu
