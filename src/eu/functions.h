// The functions that the expressions of semantics.def use, and the steps of `math` that are not elementary, for values
// of any domain. PRM: Gen6 vol 4 part 2 chapter 8; Gen8 vol 2a, the pages of the instructions. Repairs of damaged
// pseudo-code are noted at the function. No shift is by more bits than a dword has, as some domains ask.
#pragma once

#include <span>

#include "eu/num.h"
#include "isa/opcode.h"

namespace vitro::eu {

// From the top: the first bit that differs from the sign; none gives all ones. The operand is a zero-extended dword, as
// for first_bit_low().
template <Integer V>
V first_bit_high(V x, bool is_signed) {
  if (is_signed) x = dword(x ^ -shift_right(x, constant(x, 31)));
  return select(x == constant(x, 0), constant(x, 0xFFFFFFFF), leading_zeros(x));
}
auto first_bit_low(Integer auto x) { return select(x == constant(x, 0), constant(x, 0xFFFFFFFF), trailing_zeros(x)); }

// bfe: src0 width, src1 offset, src2 value; a field that reaches past bit 31 is what is left above the offset.
template <Integer V>
V extract_field(V width, V offset, V value, bool is_signed) {
  const V w = width & constant(width, 31), o = offset & constant(offset, 31);
  const V zero = constant(value, 0), all = constant(value, 32);
  const auto inside = w + o < all, empty = w == zero;
  const V up = select(empty, zero, select(inside, all - w - o, zero));
  const V down = select(empty, zero, select(inside, all - w, o));
  const V raised = shift_left(value, up);
  return select(empty, zero, shift_right(is_signed ? signed_dword(raised) : dword(raised), down));
}
template <Integer V>
V field_mask(V width, V offset) {
  const V w = width & constant(width, 31), o = offset & constant(offset, 31), one = constant(width, 1);
  return dword(shift_left(shift_left(one, w) - one, o));
}
// bfi2: src0 is the mask bfi1 made; src1 goes to where it starts (the pseudo-code's offset is off by its own comment).
template <Integer V>
V insert_field(V mask, V value, V into) {
  const V at = select(dword(mask) == constant(mask, 0), constant(mask, 0), trailing_zeros(mask));
  return dword((shift_left(value, at) & mask) | (into & ~mask));
}

template <Integer V>
V abs_difference(V a, V b) {
  return select(a > b, a - b, b - a);
}

// [0, 1); infinities have no fraction; a tiny negative would round up to 1 and stays below it; no fraction is +0 even
// when rounding down
auto fraction(const Float auto& a) {
  const auto r = a - floor(a);
  return select(r == constant(r, 1), below_one(r), absolute(r));
}
// Zeros keep the source's sign; the host's code for these functions may lose it when rounding down or up.
auto round_up(const Float auto& a) { return copy_sign(ceiling(a), a); }
auto round_down(const Float auto& a) { return copy_sign(floor(a), a); }
auto round_even(const Float auto& a) { return copy_sign(nearest_even(a), a); }
auto round_zero(const Float auto& a) { return copy_sign(truncate(a), a); }

// A result with the NaN that comes out of a computation: that of the first source that is one, made quiet, else the
// host's own. Left to the compiler it would depend on the order it gives the operands, which differs from one piece of
// code to another.
template <Float V>
V with_resulting_nan(V r, std::span<const V> sources) {
  V nan = own_nan(r);
  for (size_t n = sources.size(); n-- > 0;) nan = select(is_nan(sources[n]), quiet(sources[n]), nan);
  return select(is_nan(r), nan, r);
}

// Functions of `math` that are a step or two; a and b as they are after ALT mode.
constexpr bool is_quotient_or_root(isa::MathFunction f) {
  return info(f).kind == isa::MathKind::quotient || info(f).kind == isa::MathKind::root;
}
template <Float V>
V quotient_or_root(isa::MathFunction f, V a, V b) {
  switch (f) {
    case isa::MathFunction::inv: return constant(a, 1) / a;
    case isa::MathFunction::fdiv: return a / b;
    case isa::MathFunction::sqt: return square_root(a);
    default: return reciprocal_root(a);
  }
}
// Quotient or remainder of dwords. Division by zero gives the largest quotient of the sign, as the remainder.
template <Integer V>
V divided(bool remainder, bool is_signed, V a, V b) {
  const auto by_zero = b == constant(b, 0);
  const V divisor = select(by_zero, constant(b, 1), b), q = quotient(a, divisor);
  V most = constant(a, 0xFFFFFFFF);
  if (is_signed) most = select(a < constant(a, 0), constant(a, INT32_MIN), constant(a, INT32_MAX));
  return select(by_zero, most, remainder ? a - q * divisor : q);
}

}  // namespace vitro::eu
