// The domain of eight lanes: vectors of 32 bytes of the host (domain.h has the words). There are two of it, for every
// host and for one with AVX2, of the same types and results. A function over them is instantiated for both and wrapped
// as host.h says, so that everything is inlined into code for that kind of host.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "lanes/domain.h"
#include "lanes/host.h"
#include "lanes/one.h"

// Vectors are handed from function to function where all are inlined: how that is done on hosts without AVX does not
// matter.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace vitro::lanes {

inline constexpr int eight = 8;

struct EightMask {
  using Vector = int32_t __attribute__((vector_size(32)));
  Vector v{};  // all ones where it holds

  friend EightMask operator&(EightMask a, EightMask b) { return {a.v & b.v}; }
  friend EightMask operator|(EightMask a, EightMask b) { return {a.v | b.v}; }
  friend EightMask operator^(EightMask a, EightMask b) { return {a.v ^ b.v}; }
  friend EightMask operator!(EightMask a) { return {~a.v}; }
};
struct EightInt {
  using Vector = int32_t __attribute__((vector_size(32)));
  using Unsigned = uint32_t __attribute__((vector_size(32)));  // which wrap
  Vector v{};

  EightInt() = default;
  EightInt(Vector x) : v(x) {}
  EightInt(Unsigned x) : v(Vector(x)) {}
  EightInt(std::same_as<int32_t> auto x) : v{x, x, x, x, x, x, x, x} {}
  Unsigned u() const { return Unsigned(v); }

  friend EightInt operator+(EightInt a, EightInt b) { return a.u() + b.u(); }
  friend EightInt operator-(EightInt a, EightInt b) { return a.u() - b.u(); }
  friend EightInt operator*(EightInt a, EightInt b) { return a.u() * b.u(); }
  friend EightInt operator&(EightInt a, EightInt b) { return a.v & b.v; }
  friend EightInt operator|(EightInt a, EightInt b) { return a.v | b.v; }
  friend EightInt operator^(EightInt a, EightInt b) { return a.v ^ b.v; }
  friend EightInt operator-(EightInt a) { return -a.u(); }
  friend EightInt operator~(EightInt a) { return ~a.v; }
  friend EightMask operator<(EightInt a, EightInt b) { return {a.v < b.v}; }
  friend EightMask operator<=(EightInt a, EightInt b) { return {a.v <= b.v}; }
  friend EightMask operator>(EightInt a, EightInt b) { return {a.v > b.v}; }
  friend EightMask operator>=(EightInt a, EightInt b) { return {a.v >= b.v}; }
  friend EightMask operator==(EightInt a, EightInt b) { return {a.v == b.v}; }
  friend EightMask operator!=(EightInt a, EightInt b) { return {a.v != b.v}; }
};
struct EightFloat {
  using Vector = float __attribute__((vector_size(32)));
  Vector v{};

  EightFloat() = default;
  EightFloat(Vector x) : v(x) {}
  EightFloat(std::same_as<float> auto x) : v{x, x, x, x, x, x, x, x} {}
  // From and to memory, at any address.
  static EightFloat load(const float* from) {
    EightFloat x;
    std::memcpy(&x.v, from, sizeof x.v);
    return x;
  }
  void store(float* to) const { std::memcpy(to, &v, sizeof v); }

  friend EightFloat operator+(EightFloat a, EightFloat b) { return a.v + b.v; }
  friend EightFloat operator-(EightFloat a, EightFloat b) { return a.v - b.v; }
  friend EightFloat operator*(EightFloat a, EightFloat b) { return a.v * b.v; }
  friend EightFloat operator/(EightFloat a, EightFloat b) { return a.v / b.v; }
  friend EightFloat operator-(EightFloat a) { return -a.v; }
  friend EightMask operator<(EightFloat a, EightFloat b) { return {a.v < b.v}; }
  friend EightMask operator<=(EightFloat a, EightFloat b) { return {a.v <= b.v}; }
  friend EightMask operator>(EightFloat a, EightFloat b) { return {a.v > b.v}; }
  friend EightMask operator>=(EightFloat a, EightFloat b) { return {a.v >= b.v}; }
  friend EightMask operator==(EightFloat a, EightFloat b) { return {a.v == b.v}; }
  friend EightMask operator!=(EightFloat a, EightFloat b) { return {a.v != b.v}; }
};

// What has an instruction of its own on some hosts, by reference: only so may a function without AVX in its name call
// one with it, before both are inlined.
struct PlainEight {
  template <class A, class R, class Operation>
  static void each(R& r, const A& a, Operation f) {
    for (int l = 0; l < eight; ++l) r.v[l] = f(a.v[l]);
  }
  static void min(EightFloat& r, const EightFloat& a, const EightFloat& b) { r = a.v < b.v ? a.v : b.v; }
  static void max(EightFloat& r, const EightFloat& a, const EightFloat& b) { r = a.v > b.v ? a.v : b.v; }
  static void floor(EightFloat& r, const EightFloat& a) {
    each(r, a, [](float x) { return One::floor(x).v; });
  }
  static void truncate(EightInt& r, const EightFloat& a) {
    each(r, a, [](float x) { return One::truncate(x).number(); });
  }
  static void round(EightInt& r, const EightFloat& a) {
    each(r, a, [](float x) { return One::round(x).number(); });
  }
  static void shift_left(EightInt& r, const EightInt& a, const EightInt& n) {
    const EightInt::Unsigned x = a.u() << (n.u() & 31);
    r = n.u() < 32 ? x : EightInt::Unsigned{};
  }
  static void shift_right(EightInt& r, const EightInt& a, const EightInt& n) {
    const EightInt::Unsigned x = a.u() >> (n.u() & 31);
    r = n.u() < 32 ? x : EightInt::Unsigned{};
  }
  static void shift_right_signed(EightInt& r, const EightInt& a, const EightInt& n) {
    r = a.v >> EightInt::Vector(n.u() < 32 ? n.u() : EightInt::Unsigned(EightInt(31).v));
  }
  static uint32_t lanes(const EightMask& m) {
    uint32_t r = 0;
    for (int l = 0; l < eight; ++l) r |= (m.v[l] & 1u) << l;
    return r;
  }
  static void gather(EightInt& r, const std::byte* p, const EightInt& at, const EightMask& m) {
    for (int l = 0; l < eight; ++l) r.v[l] = One::gather(p, at.v[l], {m.v[l] != 0}).number();
  }
};

#if defined(__x86_64__)
#define VITRO_AVX2 __attribute__((target("avx2,fma"))) static inline
struct WideEight {
  VITRO_AVX2 void min(EightFloat& r, const EightFloat& a, const EightFloat& b) { r.v = _mm256_min_ps(a.v, b.v); }
  VITRO_AVX2 void max(EightFloat& r, const EightFloat& a, const EightFloat& b) { r.v = _mm256_max_ps(a.v, b.v); }
  VITRO_AVX2 void floor(EightFloat& r, const EightFloat& a) { r.v = _mm256_floor_ps(a.v); }
  VITRO_AVX2 void truncate(EightInt& r, const EightFloat& a) { r.v = EightInt::Vector(_mm256_cvttps_epi32(a.v)); }
  VITRO_AVX2 void round(EightInt& r, const EightFloat& a) { r.v = EightInt::Vector(_mm256_cvtps_epi32(a.v)); }
  VITRO_AVX2 void shift_left(EightInt& r, const EightInt& a, const EightInt& n) {
    r.v = EightInt::Vector(_mm256_sllv_epi32(__m256i(a.v), __m256i(n.v)));
  }
  VITRO_AVX2 void shift_right(EightInt& r, const EightInt& a, const EightInt& n) {
    r.v = EightInt::Vector(_mm256_srlv_epi32(__m256i(a.v), __m256i(n.v)));
  }
  VITRO_AVX2 void shift_right_signed(EightInt& r, const EightInt& a, const EightInt& n) {
    r.v = EightInt::Vector(_mm256_srav_epi32(__m256i(a.v), __m256i(n.v)));
  }
  VITRO_AVX2 uint32_t lanes(const EightMask& m) { return uint32_t(_mm256_movemask_ps(__m256(m.v))); }
  VITRO_AVX2 void gather(EightInt& r, const std::byte* p, const EightInt& at, const EightMask& m) {
    r.v = EightInt::Vector(_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(p),
                                                       __m256i(at.v), __m256i(m.v), 1));
  }
};
#undef VITRO_AVX2
#else
using WideEight = PlainEight;
#endif

template <class Host>
struct Eight {
  using F = EightFloat;
  using I = EightInt;
  using M = EightMask;
  using Truth = bool;
  using Pointer = std::byte*;

  static F f(float x) { return x; }
  static I i(int32_t x) { return x; }
  static M m(bool x) { return {I(-int32_t(x)).v}; }
  // Lanes from bit 0 on, and back.
  static M mask(uint32_t lanes) { return {((EightInt::Vector{1, 2, 4, 8, 16, 32, 64, 128} & int32_t(lanes)) != 0)}; }
  static uint32_t lanes(M m) { return Host::lanes(m); }

  static M less_unsigned(I a, I b) { return {a.u() < b.u()}; }
  static F select(M which, F a, F b) { return which.v ? a.v : b.v; }
  static I select(M which, I a, I b) { return which.v ? a.v : b.v; }
  static M select(M which, M a, M b) { return {which.v ? a.v : b.v}; }
  static F min(F a, F b) { return of<F>(Host::min, a, b); }
  static F max(F a, F b) { return of<F>(Host::max, a, b); }
  static I min(I a, I b) { return a.v < b.v ? a.v : b.v; }
  static I max(I a, I b) { return a.v > b.v ? a.v : b.v; }

  static F floor(F a) { return of<F>(Host::floor, a); }
  static I truncate(F a) { return of<I>(Host::truncate, a); }
  static I round(F a) { return of<I>(Host::round, a); }
  static F to_float(I a) { return __builtin_convertvector(a.v, EightFloat::Vector); }
  static I bits(F a) { return std::bit_cast<EightInt::Vector>(a.v); }
  static F as_float(I a) { return std::bit_cast<EightFloat::Vector>(a.v); }

  static I shift_left(I a, I n) { return of<I>(Host::shift_left, a, n); }
  static I shift_right(I a, I n) { return of<I>(Host::shift_right, a, n); }
  static I shift_right_signed(I a, I n) { return of<I>(Host::shift_right_signed, a, n); }
  static I shift_left(I a, int32_t n) { return uint32_t(n) < 32 ? I(a.u() << n) : I(0); }
  static I shift_right(I a, int32_t n) { return uint32_t(n) < 32 ? I(a.u() >> n) : I(0); }
  static I shift_right_signed(I a, int32_t n) { return a.v >> (uint32_t(n) < 32 ? n : 31); }

  static bool any(M m) { return lanes(m) != 0; }
  static bool all(M m) { return lanes(m) == 0xFF; }
  template <class S, class Body>
  static S if_any(M m, S s, Body body) {
    return any(m) ? body(s) : s;
  }
  template <class S, class Body>
  static S loop(M m, S s, Body body) {
    while (any(m)) std::tie(m, s) = body(m, s);
    return s;
  }

  static I gather(const std::byte* p, I at, M m) {
    I r;
    Host::gather(r, p, at, m);
    return r;
  }
  static void scatter(std::byte* p, I at, I x, M m) {
    for (int l = 0; l < eight; ++l) One::scatter(p, at.v[l], x.v[l], {m.v[l] != 0});
  }

 private:
  template <class R, class... A>
  static R of(void (*operation)(R&, const A&...), A... a) {
    R r;
    operation(r, a...);
    return r;
  }
};
static_assert(Domain<Eight<PlainEight>> && Domain<Eight<WideEight>>);

}  // namespace vitro::lanes

#pragma GCC diagnostic pop
