// Conversions between the register types and the types the host computes in, one value at a time.
// PRM: Gen6 vol 4 part 2 chapter 4 (CV-01, CV-02, FP-06); Gen8 `mov`. Floats to integers truncate and always clamp, NaN
// gives zero; integers to narrower ones wrap unless saturating; floats to halves and floats follow the rounding mode.
#pragma once

#include <cstring>

#include "base/half.h"
#include "base/host_floats.h"
#include "eu/modifiers.h"
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

// A double to a half in the host's rounding mode, rounded once. The magnitude is cut to a half and one unit in the last
// place added where the mode and the rest ask for it; denormal halves and overflow follow from the same arithmetic.
inline uint16_t round_to_half(double d) {
  const uint32_t mode = HostFloats::rounding();
  if (mode == HostFloats::nearest || !std::isfinite(d)) return double_to_half(d);
  const bool negative = std::signbit(d);
  const double magnitude = std::fabs(d);
  const uint16_t sign = negative ? 0x8000 : 0;
  const bool away = (mode == HostFloats::up && !negative) || (mode == HostFloats::down && negative);
  if (magnitude > 65504.0) return uint16_t(sign | (away ? 0x7C00 : 0x7BFF));
  // the nearest half, then one step back if it went past, one step on if it must go away from zero
  uint16_t h = double_to_half(magnitude);
  if (double(half_to_float(h)) > magnitude) --h;
  if (away && double(half_to_float(h)) < magnitude) ++h;
  return uint16_t(sign | h);
}

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

// Floats to integers of so many bits: cut, as near as those come to it, and of a NaN zero. What to_whole() makes of
// values that do not fit does not matter.
template <Float V, class ToWhole>
auto truncated(const V& x, int bits, bool is_signed, ToWhole to_whole) {
  const V high = constant(x, std::ldexp(1.0, bits - is_signed));  // one past the largest
  const V low = constant(x, is_signed ? -std::ldexp(1.0, bits - 1) : 0.0);
  const auto whole = to_whole(x);
  const auto most = constant(whole, int64_t(ones(bits - is_signed)));
  const auto least = constant(whole, is_signed ? INT64_MIN >> (64 - bits) : 0);
  return select(x > low, select(x < high, whole, most), select(is_nan(x), constant(whole, 0), least));
}
template <class E, class T>
Num<E> truncated(Num<T> x) {
  using Limits = std::numeric_limits<E>;
  return truncated(x, 8 * sizeof(E), Limits::is_signed, [](Num<T> v) {
    const bool fits = v.v >= T(Limits::min()) && v.v < std::ldexp(T(1), Limits::digits);
    return Num<E>{fits ? E(v.v) : E(0)};
  });
}

template <class E, class T>
E narrow(T x, bool saturate) {
  if constexpr (std::is_floating_point_v<E> || std::is_same_v<E, Half>) {
    if (saturate) x = saturated(Num<T>{x}).v;
    using Wide = std::conditional_t<std::is_same_v<E, Half>, double, E>;
    Wide wide;
    if constexpr (is_int<T>)
      wide = from_integer<Wide>(x);
    else
      wide = Wide(x);
    if constexpr (std::is_same_v<E, Half>)
      return {round_to_half(wide)};
    else
      return wide;
  } else if constexpr (std::is_floating_point_v<T>) {
    return truncated<E>(Num<T>{x}).v;
  } else {
    return E(saturate ? saturated(Num<T>{x}, 8 * sizeof(E), std::is_signed_v<E>).v : x);
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
