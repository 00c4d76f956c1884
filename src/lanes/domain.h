// What a lane domain is: the words in which fixed functions are written once, for one lane (one.h), for eight lanes of
// the host's vectors (eight.h) and for the values of a compiler. No part of the machine, no PRM.
// A function in these words is a template over a domain D, takes `const D& d`, and computes for each lane by itself.
// Every operation is total: it has a result for every input, and the same one in every domain, to the last bit; only
// which NaN an operation of floats gives is left open. Nothing is contracted, nothing is reassociated, floats round to
// nearest and keep denormals.
//
//   D::F, D::I, D::M         float, 32-bit integer, mask; D::Pointer to memory
//   D::Record<R>             an R in memory with numbers that hold for all lanes and do not change meanwhile
//   d.f(x), d.i(x), d.m(x)   constants
//   + - * / - (sign)         of F; the second operand may be a float of the host
//   + - * - (sign) & | ^ ~   of I, modulo 2^32; the second operand may be an int32_t of the host
//   & | ^ !                  of M
//   < <= > >= == !=          of F and I (signed) give M; with a NaN only != holds
//   d.less_unsigned(a, b)    of I gives M
//   d.select(m, a, b)        a where m holds, else b; of F, I and M
//   d.min(a, b)              a < b ? a : b; of F and I, so a NaN gives b
//   d.max(a, b)              a > b ? a : b
//   d.exact_product_plus(a, b, c)
//                            a * b + c of F, where a * b must be exact: one instruction, if the host has it
//   d.floor(a)
//   d.truncate(a)            F to I, towards zero; INT_MIN where the result would not fit, and of a NaN
//   d.round(a)               F to I, to the nearest, of two the even one; INT_MIN likewise
//   d.to_float(a)            I to F, rounded
//   d.bits(a), d.as_float(a) F to I and I to F by their bits
//   d.shift_left(a, n), d.shift_right(a, n), d.shift_right_signed(a, n)
//                            n is I or a number of the host; from 32 on, and below zero, the bits are all shifted out:
//                            0, or the sign
//   d.of_four(a, n)          lane n of the four lanes that a lane is one of, n a number of the host; of F and I. Where
//   there
//                            are fewer than four lanes, the lane itself
//   d.first(a)               lane 0 in all lanes; of I
//   d.alone()                the domain D::Alone of one lane, for what need not be computed for each; it has D's
//   records d.lane(a, n)             lane n, of I: a D::Alone::I. Where there are fewer lanes, the first one d.splat(a)
//   a D::Alone::I in all lanes d.by_lane({...})         a constant of eight numbers, by the lane's number
//   d.gather_square(p, at, row), d.scatter_square(p, at, row, x)
//                            dwords of lanes that are two subspans side by side: lane 0 is at p + at, the pixel beside
//                            it four bytes further, the one below `row` bytes; fewer than eight lanes: the first of
//                            them
//   d.any(m), d.all(m)       a D::Truth: a bool of the host, or what the compiler knows at run time only
//   d.if_any(m, s, body)     body(s) if any lane of m, else s
//   d.choose(t, body, other) body() if the D::Truth t holds, else other(); both for what they do to memory
//   d.loop(m, s, body)       while any lane of m: {m, s} = body(m, s), a std::pair; gives s
//   d.gather(p, at, m)       dwords at p + at bytes (at is signed); 0 and no access where m does not hold
//   d.scatter(p, at, x, m)   where places overlap the last lane stays
//   d.gather_two(p, at)      two dwords side by side, in all lanes: a std::pair of I
//   d.gather_all(p, at, bytes)
//                           1, 2 or 4 bytes at p + at, in all lanes, with zeros above them
//   d.scatter_low(p, at, x, m, bytes)
//                            the lowest 1, 2 or 4 bytes of x
//   d.fact(r, &R::number)    an int32_t or a float of a record, in all lanes; a std::byte* of it as D::Pointer
//   d.lookup(r, &R::table, n)
//                            element n modulo 16 of an int32_t[16] of a record
//
// State s that goes through if_any and loop is a std::tuple or std::array of lane values, taken and given by value:
// a body must not assign what it captures. Body and state are of the whole vector: a body that must leave lanes alone
// selects by its mask. What holds while code is made (a key) is asked with plain `if`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace vitro::lanes {

// For the concept: any record.
struct SomeRecord {
  int32_t number;
  float real;
  std::byte* memory;
  int32_t table[16];
};

template <class D>
concept Domain = requires(const D& d, typename D::F f, typename D::I i, typename D::M m, typename D::Pointer p,
                          typename D::template Record<SomeRecord> r) {
  typename D::Truth;
  { d.f(1.0f) } -> std::same_as<typename D::F>;
  { d.i(int32_t(1)) } -> std::same_as<typename D::I>;
  { d.m(true) } -> std::same_as<typename D::M>;
  { -((f + f) - f * (f / f)) } -> std::same_as<typename D::F>;
  { ((f + 1.0f) - 1.0f) * 1.0f / 1.0f } -> std::same_as<typename D::F>;
  { -((i + i) - i * i) } -> std::same_as<typename D::I>;
  { (i + int32_t(1) - int32_t(1)) * int32_t(1) } -> std::same_as<typename D::I>;
  { ~(((i & i) | i) ^ i) } -> std::same_as<typename D::I>;
  { ((i & int32_t(1)) | int32_t(1)) ^ int32_t(1) } -> std::same_as<typename D::I>;
  { !(((m & m) | m) ^ m) } -> std::same_as<typename D::M>;
  { (f < f) & (f <= f) & (f > f) & (f >= f) & (f == f) & (f != f) } -> std::same_as<typename D::M>;
  { (f < 1.0f) & (f <= 1.0f) & (f > 1.0f) & (f >= 1.0f) & (f == 1.0f) & (f != 1.0f) } -> std::same_as<typename D::M>;
  { (i < i) & (i <= i) & (i > i) & (i >= i) & (i == i) & (i != i) } -> std::same_as<typename D::M>;
  { (i < 1) & (i <= 1) & (i > 1) & (i >= 1) & (i == 1) & (i != 1) } -> std::same_as<typename D::M>;
  { d.less_unsigned(i, i) } -> std::same_as<typename D::M>;
  { d.select(m, f, f) } -> std::same_as<typename D::F>;
  { d.select(m, i, i) } -> std::same_as<typename D::I>;
  { d.select(m, m, m) } -> std::same_as<typename D::M>;
  { d.min(d.max(f, f), f) } -> std::same_as<typename D::F>;
  { d.min(d.max(i, i), i) } -> std::same_as<typename D::I>;
  { d.floor(f) } -> std::same_as<typename D::F>;
  { d.truncate(f) } -> std::same_as<typename D::I>;
  { d.round(f) } -> std::same_as<typename D::I>;
  { d.to_float(i) } -> std::same_as<typename D::F>;
  { d.bits(f) } -> std::same_as<typename D::I>;
  { d.as_float(i) } -> std::same_as<typename D::F>;
  { d.shift_left(d.shift_right(d.shift_right_signed(i, i), i), i) } -> std::same_as<typename D::I>;
  { d.shift_left(d.shift_right(d.shift_right_signed(i, 1), 1), 1) } -> std::same_as<typename D::I>;
  { d.of_four(f, 1) } -> std::same_as<typename D::F>;
  { d.of_four(i, 1) } -> std::same_as<typename D::I>;
  { d.first(i) } -> std::same_as<typename D::I>;
  { d.splat(d.lane(i, 4)) } -> std::same_as<typename D::I>;
  { d.alone() } -> std::same_as<typename D::Alone>;
  { d.by_lane({0, 1, 2, 3, 4, 5, 6, 7}) } -> std::same_as<typename D::I>;
  { d.gather_square(p, i, i) } -> std::same_as<typename D::I>;
  d.scatter_square(p, i, i, i);
  d.choose(
      d.any(m), [] {}, [] {});
  { d.any(m) } -> std::same_as<typename D::Truth>;
  { d.all(m) } -> std::same_as<typename D::Truth>;
  {
    d.if_any(m, std::tuple(f, i, m), [](auto s) { return s; })
    } -> std::same_as<decltype(std::tuple(f, i, m))>;
  {
    d.loop(m, std::tuple(f, i), [](auto n, auto s) { return std::pair(n, s); })
    } -> std::same_as<decltype(std::tuple(f, i))>;
  { d.gather(p, i, m) } -> std::same_as<typename D::I>;
  d.scatter(p, i, i, m);
  { d.exact_product_plus(f, f, f) } -> std::same_as<typename D::F>;
  { d.gather_two(p, i) } -> std::same_as<std::pair<typename D::I, typename D::I>>;
  { d.gather_all(p, i, 2) } -> std::same_as<typename D::I>;
  d.scatter_low(p, i, i, m, 2);
  { d.fact(r, &SomeRecord::number) } -> std::same_as<typename D::I>;
  { d.fact(r, &SomeRecord::real) } -> std::same_as<typename D::F>;
  { d.fact(r, &SomeRecord::memory) } -> std::same_as<typename D::Pointer>;
  { d.lookup(r, &SomeRecord::table, i) } -> std::same_as<typename D::I>;
};

// --- words that follow from these

template <class D>
typename D::F magnitude(const D& d, typename D::F x) {
  return d.as_float(d.bits(x) & 0x7FFFFFFF);
}
// The sign of `sign` in place of that of x, which must be positive.
template <class D>
typename D::F with_sign_of(const D& d, typename D::F x, typename D::F sign) {
  return d.as_float(d.bits(x) | (d.bits(sign) & INT32_MIN));
}

}  // namespace vitro::lanes
