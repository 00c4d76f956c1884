// Conversions between the register types and the types the host computes in, one value at a time.
// PRM: Gen6 vol 4 part 2 chapter 4 (CV-01, CV-02, FP-06); Gen8 `mov`. Floats to integers truncate and always clamp, NaN
// gives zero; integers to narrower ones wrap unless saturating; floats to halves and floats follow the rounding mode.
#pragma once

#include <cstring>

#include "base/half.h"
#include "eu/num.h"
#include "isa/types.h"

namespace vitro::eu {

// Storage of a register element: what stands in the bytes.
template <isa::Type t>
struct ElementOf;
struct Half {
  uint16_t bits;
};
#define VITRO_ELEMENT(t, c)        \
  template <>                      \
  struct ElementOf<isa::Type::t> { \
    using type = c;                \
  };
VITRO_ELEMENT(ub, uint8_t)
VITRO_ELEMENT(b, int8_t)
VITRO_ELEMENT(uw, uint16_t)
VITRO_ELEMENT(w, int16_t)
VITRO_ELEMENT(ud, uint32_t)
VITRO_ELEMENT(d, int32_t)
VITRO_ELEMENT(uq, uint64_t)
VITRO_ELEMENT(q, int64_t)
VITRO_ELEMENT(hf, Half)
VITRO_ELEMENT(f, float)
VITRO_ELEMENT(df, double)
#undef VITRO_ELEMENT

template <class T, class E>
T widen(E e) {
  if constexpr (std::is_same_v<E, Half>)
    return T(half_to_float(e.bits));
  else
    return T(e);
}

// Denormals become zeros of their sign.
template <class T>
T flushed(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
  else
    return x;
}
inline uint16_t flushed_half(uint16_t h) { return (h & 0x7C00) ? h : uint16_t(h & 0x8000); }

// Halves round once from the wider value; the mode is the host's current one.
uint16_t round_to_half(double d);

// Integers to floats in the host's rounding mode, rounded once. Beyond 64 bits the compiler's own conversion knows only
// one mode: the low bits are folded into one that still decides the rounding.
template <class E, class T>
E from_integer(T x) {
  if constexpr (std::is_same_v<T, int128>) {
    if (x != T(int64_t(x))) {
      int dropped = 0;
      bool rest = false;
      for (; x != T(int64_t(x)); x >>= 1, ++dropped) rest = rest || (x & 1);
      return std::ldexp(E(int64_t(x) | int64_t(rest)), dropped);
    }
    return E(int64_t(x));
  } else {
    return E(x);
  }
}

template <class E, class T>
E narrow(T x, bool saturate) {
  if constexpr (std::is_same_v<E, Half>) {
    if (saturate) x = x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
    if constexpr (is_int<T>)
      return {round_to_half(from_integer<double>(x))};
    else
      return {round_to_half(double(x))};
  } else if constexpr (std::is_floating_point_v<E>) {
    if constexpr (std::is_floating_point_v<T>) {
      if (saturate) x = x > T(0) ? (x < T(1) ? x : T(1)) : T(0);  // NaN fails both comparisons and becomes 0
      return E(x);
    } else {
      E e = from_integer<E>(x);
      if (saturate) e = e > E(0) ? (e < E(1) ? e : E(1)) : E(0);
      return e;
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr T low = T(std::numeric_limits<E>::min());
    // one past the largest: a power of two, so exact in any float
    const T high = std::ldexp(T(1), std::numeric_limits<E>::digits);
    if (!(x == x)) return 0;
    if (x >= high) return std::numeric_limits<E>::max();
    if (x <= low) return std::numeric_limits<E>::min();
    return E(x);
  } else {
    if (saturate) {
      if (x > T(std::numeric_limits<E>::max())) return std::numeric_limits<E>::max();
      if (x < T(std::numeric_limits<E>::min())) return std::numeric_limits<E>::min();
    }
    return E(x);
  }
}

// Whether a result lies outside the destination type's range (.o): before saturation, after rounding.
template <class E, class T>
bool overflows(T x) {
  if constexpr (std::is_same_v<E, Half>) {
    return (narrow<Half>(x, false).bits & 0x7FFF) == 0x7C00;
  } else if constexpr (std::is_floating_point_v<E>) {
    return std::isinf(narrow<E>(x, false));
  } else if constexpr (std::is_floating_point_v<T>) {
    const T whole = std::trunc(x);
    return whole < T(std::numeric_limits<E>::min()) || whole >= std::ldexp(T(1), std::numeric_limits<E>::digits);
  } else {
    return int128(x) < int128(std::numeric_limits<E>::min()) || int128(x) > int128(std::numeric_limits<E>::max());
  }
}

}  // namespace vitro::eu
