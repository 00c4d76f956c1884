// The functions the expressions of semantics.def use, for the host's numbers.
// PRM: Gen6 vol 4 part 2 chapter 8; Gen8 vol 2a, the pages of the instructions. Repairs of damaged pseudo-code are
// noted at the function.
#pragma once

#include <bit>

#include "eu/num.h"

namespace vitro::eu {

template <class T>
constexpr Num<T> select(bool which, Num<T> a, Num<T> b) {
  return which ? a : b;
}

template <class T>
requires is_int<T>
constexpr Num<T> shift_left(Num<T> a, Num<T> n) { return wrap<T>(Unsigned<T>(a.v) << int(n.v)); }
// Arithmetic on what it is given: logical if that was made unsigned before (floor of a / 2^n).
template <class T>
requires is_int<T>
constexpr Num<T> shift_right(Num<T> a, Num<T> n) { return {a.v >> int(n.v)}; }

// Bit counting works on 32 bits; the operand is a zero-extended dword.
template <class T>
requires is_int<T>
constexpr Num<T> reverse_bits(Num<T> a) {
  uint32_t x = uint32_t(a.v), r = 0;
  for (int n = 0; n < 32; ++n) r |= (x >> n & 1) << (31 - n);
  return {T(r)};
}
template <class T>
requires is_int<T>
constexpr Num<T> leading_zeros(Num<T> a) { return {T(std::countl_zero(uint32_t(a.v)))}; }
template <class T>
requires is_int<T>
constexpr Num<T> count_bits(Num<T> a) { return {T(std::popcount(uint32_t(a.v)))}; }
// From the top: the first bit that differs from the sign; none gives all ones.
template <class T>
requires is_int<T>
constexpr Num<T> first_bit_high(Num<T> a, bool is_signed) {
  uint32_t x = uint32_t(a.v);
  if (is_signed && x >> 31) x = ~x;
  return {T(x ? uint32_t(std::countl_zero(x)) : 0xFFFFFFFFu)};
}
template <class T>
requires is_int<T>
constexpr Num<T> first_bit_low(Num<T> a) {
  const uint32_t x = uint32_t(a.v);
  return {T(x ? uint32_t(std::countr_zero(x)) : 0xFFFFFFFFu)};
}

// bfe: src0 width, src1 offset, src2 value; a field that reaches past bit 31 is what is left above the offset.
template <class T>
requires is_int<T>
constexpr Num<T> extract_field(Num<T> width, Num<T> offset, Num<T> value, bool is_signed) {
  const unsigned w = unsigned(width.v) & 31, o = unsigned(offset.v) & 31;
  if (w == 0) return {T(0)};
  const uint32_t x = uint32_t(value.v);
  const unsigned up = w + o < 32 ? 32 - w - o : 0, down = w + o < 32 ? 32 - w : o;
  return is_signed ? Num<T>{T(int32_t(x << up) >> down)} : Num<T>{T((x << up) >> down)};
}
template <class T>
requires is_int<T>
constexpr Num<T> field_mask(Num<T> width, Num<T> offset) {
  const unsigned w = unsigned(width.v) & 31, o = unsigned(offset.v) & 31;
  return {T(uint32_t(((uint32_t{1} << w) - 1) << o))};
}
// bfi2: src0 is the mask bfi1 made; src1 goes to where it starts (the pseudo-code's offset is off by its own comment).
template <class T>
requires is_int<T>
constexpr Num<T> insert_field(Num<T> mask, Num<T> value, Num<T> into) {
  const uint32_t m = uint32_t(mask.v);
  const unsigned at = m ? unsigned(std::countr_zero(m)) : 0;
  return {T(uint32_t((uint32_t(value.v) << at & m) | (uint32_t(into.v) & ~m)))};
}

template <class T>
requires is_int<T>
constexpr Num<T> abs_difference(Num<T> a, Num<T> b) { return a.v > b.v ? a - b : b - a; }

// The NaN that comes out of a computation: that of the first source that is one, made quiet, else the host's own. Left
// to the compiler it would depend on the order it gives the operands, which differs from one piece of code to another.
template <class T>
T resulting_nan(const T* a, const T* b, const T* c, int sources) {
  const T* const all[] = {a, b, c};
  for (int n = 0; n < sources; ++n)
    if (std::isnan(*all[n])) return *all[n] + T(0);
  return std::copysign(std::numeric_limits<T>::quiet_NaN(), T(-1));
}

template <class T>
requires(!is_int<T>) Num<T> fma(Num<T> a, Num<T> b, Num<T> c) { return {std::fma(a.v, b.v, c.v)}; }
// [0, 1); infinities have no fraction; a tiny negative would round up to 1 and stays below it; no fraction is +0 even
// when rounding down
template <class T>
requires(!is_int<T>) Num<T> fraction(Num<T> a) {
  const T r = a.v - std::floor(a.v);
  return {r == T(1) ? std::nextafter(T(1), T(0)) : std::fabs(r)};
}
// Zeros keep the source's sign; the host's code for these functions may lose it when rounding down or up.
template <class T>
requires(!is_int<T>) Num<T> round_up(Num<T> a) { return {std::copysign(std::ceil(a.v), a.v)}; }
template <class T>
requires(!is_int<T>) Num<T> round_down(Num<T> a) { return {std::copysign(std::floor(a.v), a.v)}; }
// Nearest even whatever the rounding mode: adding and taking away would follow the mode.
template <class T>
requires(!is_int<T>) Num<T> round_even(Num<T> a) {
  const T f = std::floor(a.v), d = a.v - f;
  if (!(d == d)) return {a.v};
  const T half = T(0.5);
  const bool odd = std::floor(f * half) * T(2) != f;
  const T r = d > half || (d == half && odd) ? f + T(1) : f;
  return {std::copysign(r, a.v)};
}
template <class T>
requires(!is_int<T>) Num<T> round_zero(Num<T> a) { return {std::copysign(std::trunc(a.v), a.v)}; }

}  // namespace vitro::eu
