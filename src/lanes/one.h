// The domain of one lane: plain numbers of the host, the readable reference of the others (domain.h has the words).
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "lanes/domain.h"

namespace vitro::lanes {

// An integer that wraps.
struct OneInt {
  uint32_t v = 0;

  constexpr OneInt() = default;
  constexpr OneInt(std::same_as<int32_t> auto x) : v(uint32_t(x)) {}
  static constexpr OneInt of(uint32_t bits) { return OneInt(int32_t(bits)); }
  constexpr int32_t number() const { return int32_t(v); }

  friend constexpr OneInt operator+(OneInt a, OneInt b) { return of(a.v + b.v); }
  friend constexpr OneInt operator-(OneInt a, OneInt b) { return of(a.v - b.v); }
  friend constexpr OneInt operator*(OneInt a, OneInt b) { return of(a.v * b.v); }
  friend constexpr OneInt operator&(OneInt a, OneInt b) { return of(a.v & b.v); }
  friend constexpr OneInt operator|(OneInt a, OneInt b) { return of(a.v | b.v); }
  friend constexpr OneInt operator^(OneInt a, OneInt b) { return of(a.v ^ b.v); }
  friend constexpr OneInt operator-(OneInt a) { return of(-a.v); }
  friend constexpr OneInt operator~(OneInt a) { return of(~a.v); }
};
// Not simply a bool, which would be a number, too.
struct OneMask {
  bool v = false;

  friend constexpr OneMask operator&(OneMask a, OneMask b) { return {a.v && b.v}; }
  friend constexpr OneMask operator|(OneMask a, OneMask b) { return {a.v || b.v}; }
  friend constexpr OneMask operator^(OneMask a, OneMask b) { return {a.v != b.v}; }
  friend constexpr OneMask operator!(OneMask a) { return {!a.v}; }
};
struct OneFloat {
  float v = 0;

  constexpr OneFloat() = default;
  constexpr OneFloat(std::same_as<float> auto x) : v(x) {}

  friend constexpr OneFloat operator+(OneFloat a, OneFloat b) { return a.v + b.v; }
  friend constexpr OneFloat operator-(OneFloat a, OneFloat b) { return a.v - b.v; }
  friend constexpr OneFloat operator*(OneFloat a, OneFloat b) { return a.v * b.v; }
  friend constexpr OneFloat operator/(OneFloat a, OneFloat b) { return a.v / b.v; }
  friend constexpr OneFloat operator-(OneFloat a) { return -a.v; }
};
constexpr OneMask operator<(OneFloat a, OneFloat b) { return {a.v < b.v}; }
constexpr OneMask operator<=(OneFloat a, OneFloat b) { return {a.v <= b.v}; }
constexpr OneMask operator>(OneFloat a, OneFloat b) { return {a.v > b.v}; }
constexpr OneMask operator>=(OneFloat a, OneFloat b) { return {a.v >= b.v}; }
constexpr OneMask operator==(OneFloat a, OneFloat b) { return {a.v == b.v}; }
constexpr OneMask operator!=(OneFloat a, OneFloat b) { return {a.v != b.v}; }
constexpr OneMask operator<(OneInt a, OneInt b) { return {a.number() < b.number()}; }
constexpr OneMask operator<=(OneInt a, OneInt b) { return {a.number() <= b.number()}; }
constexpr OneMask operator>(OneInt a, OneInt b) { return {a.number() > b.number()}; }
constexpr OneMask operator>=(OneInt a, OneInt b) { return {a.number() >= b.number()}; }
constexpr OneMask operator==(OneInt a, OneInt b) { return {a.v == b.v}; }
constexpr OneMask operator!=(OneInt a, OneInt b) { return {a.v != b.v}; }

// Records of domains whose lanes are the host's.
template <class F, class I>
struct HostRecords {
  template <class R>
  using Record = const R*;
  template <class R>
  static I fact(const R* r, int32_t std::type_identity_t<R>::*m) {
    return r->*m;
  }
  template <class R>
  static F fact(const R* r, float std::type_identity_t<R>::*m) {
    return r->*m;
  }
  template <class R>
  static std::byte* fact(const R* r, std::byte* std::type_identity_t<R>::*m) {
    return r->*m;
  }
};

struct One : HostRecords<OneFloat, OneInt> {
  using F = OneFloat;
  using I = OneInt;
  using M = OneMask;
  using Truth = bool;
  using Alone = One;
  using Pointer = std::byte*;

  static F f(float x) { return x; }
  static I i(int32_t x) { return x; }
  static M m(bool x) { return {x}; }

  static M less_unsigned(I a, I b) { return {a.v < b.v}; }
  template <class V>
  static V select(M which, V a, V b) {
    return which.v ? a : b;
  }
  static F min(F a, F b) { return a.v < b.v ? a : b; }
  static F max(F a, F b) { return a.v > b.v ? a : b; }
  static I min(I a, I b) { return a.number() < b.number() ? a : b; }
  static I max(I a, I b) { return a.number() > b.number() ? a : b; }

  static F exact_product_plus(F a, F b, F c) { return a * b + c; }
  static F floor(F a) { return std::floor(a.v); }
  static I truncate(F a) { return std::fabs(a.v) < 0x1p31f ? int32_t(a.v) : INT32_MIN; }
  static I round(F a) { return truncate(std::nearbyint(a.v)); }
  static F to_float(I a) { return float(a.number()); }
  static I bits(F a) { return I::of(std::bit_cast<uint32_t>(a.v)); }
  static F as_float(I a) { return std::bit_cast<float>(a.v); }

  static I shift_left(I a, I n) { return I::of(n.v < 32 ? a.v << n.v : 0); }
  static I shift_right(I a, I n) { return I::of(n.v < 32 ? a.v >> n.v : 0); }
  static I shift_right_signed(I a, I n) { return a.number() >> (n.v < 32 ? n.v : 31); }

  template <class V>
  static V of_four(V a, int) {
    return a;
  }

  static I first(I a) { return a; }
  static One alone() { return {}; }
  static I lane(I a, int) { return a; }
  static I splat(I a) { return a; }
  static I by_lane(const std::array<int32_t, 8>& numbers) { return numbers[0]; }
  static I gather_square(const std::byte* p, I at, I) { return gather_all(p, at, 4); }
  static void scatter_square(std::byte* p, I at, I, I x) { scatter(p, at, x, {true}); }

  static bool any(M m) { return m.v; }
  static bool all(M m) { return m.v; }
  template <class S, class Body>
  static S if_any(M m, S s, Body body) {
    return m.v ? body(s) : s;
  }
  template <class Body, class Other>
  static void choose(bool truth, Body body, Other other) {
    truth ? body() : other();
  }
  template <class S, class Body>
  static S loop(M m, S s, Body body) {
    while (m.v) std::tie(m, s) = body(m, s);
    return s;
  }

  static I gather(const std::byte* p, I at, M m) {
    int32_t r = 0;
    if (m.v) std::memcpy(&r, p + at.number(), sizeof r);
    return r;
  }
  static void scatter(std::byte* p, I at, I x, M m) {
    if (m.v) std::memcpy(p + at.number(), &x.v, sizeof x.v);
  }
  static I gather_all(const std::byte* p, I at, int bytes) {
    uint32_t r = 0;
    std::memcpy(&r, p + at.number(), size_t(bytes));
    return I::of(r);
  }
  static std::pair<I, I> gather_two(const std::byte* p, I at) {
    return {gather_all(p, at, 4), gather_all(p + 4, at, 4)};
  }
  static void scatter_low(std::byte* p, I at, I x, M m, int bytes) {
    if (m.v) std::memcpy(p + at.number(), &x.v, size_t(bytes));
  }

  template <class R>
  static I lookup(const R* r, int32_t (std::type_identity_t<R>::*m)[16], I n) {
    return (r->*m)[n.v & 15];
  }
};
static_assert(Domain<One>);

}  // namespace vitro::lanes
