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

namespace vitro::lanes {

inline constexpr int eight = 8;

using Floats8 = float __attribute__((vector_size(32)));
using Ints8 = int32_t __attribute__((vector_size(32)));
using Unsigned8 = uint32_t __attribute__((vector_size(32)));  // which wrap
using Quads4 = int64_t __attribute__((vector_size(32)));

// What has an instruction of its own on some hosts. By reference: only so may a function that is compiled for every
// host call one for AVX2, before both are inlined.
struct PlainEight {
  static void splat(Floats8& r, float x) { r = x - Floats8{}; }  // keeps the sign of zero
  static void splat(Ints8& r, int32_t x) { r = x - Ints8{}; }
  static void min(Floats8& r, const Floats8& a, const Floats8& b) { r = a < b ? a : b; }
  static void max(Floats8& r, const Floats8& a, const Floats8& b) { r = a > b ? a : b; }
  static void exact_product_plus(Floats8& r, const Floats8& a, const Floats8& b, const Floats8& c) { r = a * b + c; }
  static void floor(Floats8& r, const Floats8& a) {
    const Ints8 sign = Ints8(a) & INT32_MIN;
    const Floats8 size = Floats8(Ints8(a) ^ sign);
    const Ints8 small = size < 0x1p23f;  // others are integers already, or no numbers
    const Floats8 t = __builtin_convertvector(__builtin_convertvector(small ? size : Floats8{}, Ints8), Floats8);
    const Floats8 towards_zero = Floats8(Ints8(t) | sign);
    r = small ? (towards_zero > a ? towards_zero - 1.0f : towards_zero) : a;
  }
  static void truncate(Ints8& r, const Floats8& a) {
    const Ints8 fits = Floats8(Ints8(a) & INT32_MAX) < 0x1p31f;
    r = fits ? __builtin_convertvector(fits ? a : Floats8{}, Ints8) : INT32_MIN - Ints8{};
  }
  static void round(Ints8& r, const Floats8& a) {
    // Adding 2^23 rounds what is smaller than that.
    const Floats8 size = Floats8(Ints8(a) & INT32_MAX), sum = size + 0x1p23f;
    const Floats8 rounded = Floats8(Ints8(sum - 0x1p23f) | (Ints8(a) & INT32_MIN));
    truncate(r, size < 0x1p23f ? rounded : a);
  }
  static void shift_left(Ints8& r, const Ints8& a, const Ints8& n) {
    const Unsigned8 count = Unsigned8(n), x = Unsigned8(a) << (count & 31);
    r = Ints8(count < 32 ? x : Unsigned8{});
  }
  static void shift_right(Ints8& r, const Ints8& a, const Ints8& n) {
    const Unsigned8 count = Unsigned8(n), x = Unsigned8(a) >> (count & 31);
    r = Ints8(count < 32 ? x : Unsigned8{});
  }
  static void shift_right_signed(Ints8& r, const Ints8& a, const Ints8& n) {
    const Unsigned8 count = Unsigned8(n), most = 31 - Unsigned8{};
    r = a >> Ints8(count < 32 ? count : most);
  }
  static uint32_t lanes(const Ints8& m) {
    constexpr Ints8 places = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t pairs[4];
    const Ints8 all = m & places;
    std::memcpy(pairs, &all, sizeof pairs);
    const uint64_t both = (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
    return uint32_t(both | both >> 32);
  }
  static void gather(Ints8& r, const std::byte* p, const Ints8& at, const Ints8& m) {
    for (int l = 0; l < eight; ++l) r[l] = One::gather(p, at[l], {m[l] != 0}).number();
  }
  static void lookup(Ints8& r, const int32_t* table, const Ints8& n) {
    for (int l = 0; l < eight; ++l) r[l] = table[n[l] & 15];
  }
};

#if defined(__x86_64__)
#define VITRO_AVX2 __attribute__((target("avx2,fma"))) static inline
struct WideEight {
  VITRO_AVX2 void splat(Floats8& r, float x) { r = _mm256_set1_ps(x); }
  VITRO_AVX2 void splat(Ints8& r, int32_t x) { r = Ints8(_mm256_set1_epi32(x)); }
  VITRO_AVX2 void min(Floats8& r, const Floats8& a, const Floats8& b) { r = _mm256_min_ps(a, b); }
  VITRO_AVX2 void max(Floats8& r, const Floats8& a, const Floats8& b) { r = _mm256_max_ps(a, b); }
  VITRO_AVX2 void exact_product_plus(Floats8& r, const Floats8& a, const Floats8& b, const Floats8& c) {
    r = _mm256_fmadd_ps(a, b, c);
  }
  VITRO_AVX2 void floor(Floats8& r, const Floats8& a) { r = _mm256_floor_ps(a); }
  VITRO_AVX2 void truncate(Ints8& r, const Floats8& a) { r = Ints8(_mm256_cvttps_epi32(a)); }
  VITRO_AVX2 void round(Ints8& r, const Floats8& a) { r = Ints8(_mm256_cvtps_epi32(a)); }
  VITRO_AVX2 void shift_left(Ints8& r, const Ints8& a, const Ints8& n) {
    r = Ints8(_mm256_sllv_epi32(__m256i(a), __m256i(n)));
  }
  VITRO_AVX2 void shift_right(Ints8& r, const Ints8& a, const Ints8& n) {
    r = Ints8(_mm256_srlv_epi32(__m256i(a), __m256i(n)));
  }
  VITRO_AVX2 void shift_right_signed(Ints8& r, const Ints8& a, const Ints8& n) {
    r = Ints8(_mm256_srav_epi32(__m256i(a), __m256i(n)));
  }
  VITRO_AVX2 uint32_t lanes(const Ints8& m) { return uint32_t(_mm256_movemask_ps(__m256(m))); }
  VITRO_AVX2 void gather(Ints8& r, const std::byte* p, const Ints8& at, const Ints8& m) {
    r = Ints8(_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(p), __m256i(at),
                                          __m256i(m), 1));
  }
  VITRO_AVX2 void lookup(Ints8& r, const int32_t* table, const Ints8& n) {
    const auto half = [&](int first) __attribute__((target("avx2,fma"))) {
      const auto* at = reinterpret_cast<const __m256i*>(table + first);
      return Ints8(_mm256_permutevar8x32_epi32(_mm256_loadu_si256(at), __m256i(n)));
    };
    r = (n & 8) != 0 ? half(8) : half(0);
  }
};
#undef VITRO_AVX2
#else
using WideEight = PlainEight;
#endif

template <class Host>
struct EightMask {
  Ints8 v{};  // all ones where it holds

  friend EightMask operator&(EightMask a, EightMask b) { return {a.v & b.v}; }
  friend EightMask operator|(EightMask a, EightMask b) { return {a.v | b.v}; }
  friend EightMask operator^(EightMask a, EightMask b) { return {a.v ^ b.v}; }
  friend EightMask operator!(EightMask a) { return {~a.v}; }
};
template <class Host>
struct EightInt {
  Ints8 v{};

  EightInt() = default;
  EightInt(Ints8 x) : v(x) {}
  EightInt(Unsigned8 x) : v(Ints8(x)) {}
  EightInt(std::same_as<int32_t> auto x) { Host::splat(v, x); }
  Unsigned8 u() const { return Unsigned8(v); }

  friend EightInt operator+(EightInt a, EightInt b) { return a.u() + b.u(); }
  friend EightInt operator-(EightInt a, EightInt b) { return a.u() - b.u(); }
  friend EightInt operator*(EightInt a, EightInt b) { return a.u() * b.u(); }
  friend EightInt operator&(EightInt a, EightInt b) { return a.v & b.v; }
  friend EightInt operator|(EightInt a, EightInt b) { return a.v | b.v; }
  friend EightInt operator^(EightInt a, EightInt b) { return a.v ^ b.v; }
  friend EightInt operator-(EightInt a) { return -a.u(); }
  friend EightInt operator~(EightInt a) { return ~a.v; }
  friend EightMask<Host> operator<(EightInt a, EightInt b) { return {a.v < b.v}; }
  friend EightMask<Host> operator<=(EightInt a, EightInt b) { return {a.v <= b.v}; }
  friend EightMask<Host> operator>(EightInt a, EightInt b) { return {a.v > b.v}; }
  friend EightMask<Host> operator>=(EightInt a, EightInt b) { return {a.v >= b.v}; }
  friend EightMask<Host> operator==(EightInt a, EightInt b) { return {a.v == b.v}; }
  friend EightMask<Host> operator!=(EightInt a, EightInt b) { return {a.v != b.v}; }
};
template <class Host>
struct EightFloat {
  Floats8 v{};

  EightFloat() = default;
  EightFloat(Floats8 x) : v(x) {}
  EightFloat(std::same_as<float> auto x) { Host::splat(v, x); }

  friend EightFloat operator+(EightFloat a, EightFloat b) { return a.v + b.v; }
  friend EightFloat operator-(EightFloat a, EightFloat b) { return a.v - b.v; }
  friend EightFloat operator*(EightFloat a, EightFloat b) { return a.v * b.v; }
  friend EightFloat operator/(EightFloat a, EightFloat b) { return a.v / b.v; }
  friend EightFloat operator-(EightFloat a) { return -a.v; }
  friend EightMask<Host> operator<(EightFloat a, EightFloat b) { return {a.v < b.v}; }
  friend EightMask<Host> operator<=(EightFloat a, EightFloat b) { return {a.v <= b.v}; }
  friend EightMask<Host> operator>(EightFloat a, EightFloat b) { return {a.v > b.v}; }
  friend EightMask<Host> operator>=(EightFloat a, EightFloat b) { return {a.v >= b.v}; }
  friend EightMask<Host> operator==(EightFloat a, EightFloat b) { return {a.v == b.v}; }
  friend EightMask<Host> operator!=(EightFloat a, EightFloat b) { return {a.v != b.v}; }
};

template <class Host>
struct Eight : HostRecords<EightFloat<Host>, EightInt<Host>> {
  using F = EightFloat<Host>;
  using I = EightInt<Host>;
  using M = EightMask<Host>;
  using Truth = bool;
  using Alone = One;
  using Pointer = std::byte*;

  static F f(float x) { return x; }
  static I i(int32_t x) { return x; }
  static M m(bool x) { return {i(-int32_t(x)).v}; }
  // Lanes from bit 0 on, and back.
  static M mask(uint32_t lanes) { return (I(Ints8{1, 2, 4, 8, 16, 32, 64, 128}) & int32_t(lanes)) != 0; }
  static uint32_t lanes(M m) { return Host::lanes(m.v); }
  // From and to memory, at any address.
  static F load(const float* from) {
    F x;
    std::memcpy(&x.v, from, sizeof x.v);
    return x;
  }
  static void store(float* to, F x) { std::memcpy(to, &x.v, sizeof x.v); }
  static I load(const uint32_t* from) {
    I x;
    std::memcpy(&x.v, from, sizeof x.v);
    return x;
  }
  static void store(uint32_t* to, I x) { std::memcpy(to, &x.v, sizeof x.v); }

  static M less_unsigned(I a, I b) { return {a.u() < b.u()}; }
  static F select(M which, F a, F b) { return which.v ? a.v : b.v; }
  static I select(M which, I a, I b) { return which.v ? a.v : b.v; }
  static M select(M which, M a, M b) { return {which.v ? a.v : b.v}; }
  static F min(F a, F b) { return of<F>(Host::min, a.v, b.v); }
  static F max(F a, F b) { return of<F>(Host::max, a.v, b.v); }
  static I min(I a, I b) { return a.v < b.v ? a.v : b.v; }
  static I max(I a, I b) { return a.v > b.v ? a.v : b.v; }

  static F exact_product_plus(F a, F b, F c) { return of<F>(Host::exact_product_plus, a.v, b.v, c.v); }
  static F floor(F a) { return of<F>(Host::floor, a.v); }
  static I truncate(F a) { return of<I>(Host::truncate, a.v); }
  static I round(F a) { return of<I>(Host::round, a.v); }
  static F to_float(I a) { return __builtin_convertvector(a.v, Floats8); }
  static I bits(F a) { return std::bit_cast<Ints8>(a.v); }
  static F as_float(I a) { return std::bit_cast<Floats8>(a.v); }

  static I shift_left(I a, I n) { return of<I>(Host::shift_left, a.v, n.v); }
  static I shift_right(I a, I n) { return of<I>(Host::shift_right, a.v, n.v); }
  static I shift_right_signed(I a, I n) { return of<I>(Host::shift_right_signed, a.v, n.v); }
  static I shift_left(I a, int32_t n) { return uint32_t(n) < 32 ? I(a.u() << n) : i(0); }
  static I shift_right(I a, int32_t n) { return uint32_t(n) < 32 ? I(a.u() >> n) : i(0); }
  static I shift_right_signed(I a, int32_t n) { return a.v >> (uint32_t(n) < 32 ? n : 31); }

  static F of_four(F a, int n) { return Floats8(of_four(I(Ints8(a.v)), n).v); }
  static I of_four(I a, int n) {
    switch (n & 3) {
      case 0: return Ints8(__builtin_shufflevector(a.v, a.v, 0, 0, 0, 0, 4, 4, 4, 4));
      case 1: return Ints8(__builtin_shufflevector(a.v, a.v, 1, 1, 1, 1, 5, 5, 5, 5));
      case 2: return Ints8(__builtin_shufflevector(a.v, a.v, 2, 2, 2, 2, 6, 6, 6, 6));
      default: return Ints8(__builtin_shufflevector(a.v, a.v, 3, 3, 3, 3, 7, 7, 7, 7));
    }
  }

  static I first(I a) { return int32_t(a.v[0]); }
  static One alone() { return {}; }
  static One::I lane(I a, int n) { return int32_t(a.v[n]); }
  static I splat(One::I a) { return a.number(); }
  static I by_lane(const std::array<int32_t, 8>& n) { return Ints8{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]}; }
  // Rows of four pixels are the two upper, or lower, halves of both subspans.
  static I gather_square(const std::byte* p, I at, I row) {
    Quads4 v;
    std::memcpy(&v, p + at.v[0], 16);
    std::memcpy(reinterpret_cast<std::byte*>(&v) + 16, p + at.v[0] + row.v[0], 16);
    return Ints8(__builtin_shufflevector(v, v, 0, 2, 1, 3));
  }
  static void scatter_square(std::byte* p, I at, I row, I x) {
    const Quads4 v = __builtin_shufflevector(Quads4(x.v), Quads4(x.v), 0, 2, 1, 3);
    std::memcpy(p + at.v[0], &v, 16);
    std::memcpy(p + at.v[0] + row.v[0], reinterpret_cast<const std::byte*>(&v) + 16, 16);
  }

  static bool any(M m) { return lanes(m) != 0; }
  static bool all(M m) { return lanes(m) == 0xFF; }
  template <class S, class Body>
  static S if_any(M m, S s, Body body) {
    return any(m) ? body(s) : s;
  }
  template <class Body, class Other>
  static void choose(bool truth, Body body, Other other) {
    truth ? body() : other();
  }
  template <class S, class Body>
  static S loop(M m, S s, Body body) {
    while (any(m)) std::tie(m, s) = body(m, s);
    return s;
  }

  static I gather(const std::byte* p, I at, M m) {
    I r;
    Host::gather(r.v, p, at.v, m.v);
    return r;
  }
  static void scatter(std::byte* p, I at, I x, M m) {
    for (int l = 0; l < eight; ++l) One::scatter(p, at.v[l], x.v[l], {m.v[l] != 0});
  }
  // One load after the other: where all lanes take part, hosts' gathers are no faster.
  static I gather_all(const std::byte* p, I at, int bytes) {
    if (bytes == 4) return each_of<int32_t>(p, at.v);
    return bytes == 2 ? each_of<uint16_t>(p, at.v) : each_of<uint8_t>(p, at.v);
  }
  static std::pair<I, I> gather_two(const std::byte* p, I at) {
    const auto one = [&](int l) {
      int64_t v;
      std::memcpy(&v, p + at.v[l], sizeof v);
      return v;
    };
    const auto a = Ints8(Quads4{one(0), one(1), one(4), one(5)}), b = Ints8(Quads4{one(2), one(3), one(6), one(7)});
    return {I(__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14)),
            I(__builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15))};
  }
  static void scatter_low(std::byte* p, I at, I x, M m, int bytes) {
    for (uint32_t left = lanes(m); left; left &= left - 1) {
      const int l = std::countr_zero(left);
      One::scatter_low(p, at.v[l], x.v[l], {true}, bytes);
    }
  }

  template <class R>
  static I lookup(const R* r, int32_t (std::type_identity_t<R>::*m)[16], I n) {
    I x;
    Host::lookup(x.v, r->*m, n.v);
    return x;
  }

 private:
  template <class R, class V, class... A>
  static R of(void (*operation)(V&, const A&...), A... a) {
    R r;
    operation(r.v, a...);
    return r;
  }
  template <class T>
  static I each_of(const std::byte* p, const Ints8& at) {
    const auto one = [&](int l) {
      T v;
      std::memcpy(&v, p + at[l], sizeof v);
      return int32_t(v);
    };
    return Ints8{one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7)};
  }
};
static_assert(Domain<Eight<PlainEight>> && Domain<Eight<WideEight>>);

}  // namespace vitro::lanes
