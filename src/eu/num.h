// A number of a lane in the host domain: what the expressions of the opcode table compute with when the interpreter
// evaluates them. Integers wrap; floats follow the host's rounding mode, which the interpreter sets from cr0.
// The JIT has a type of its own with the same operations.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vitro::eu {

// clang++ and g++ both know it; no other integer holds a 65-bit sum or a 128-bit product.
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

template <class T>
inline constexpr bool is_int = std::is_same_v<T, int64_t> || std::is_same_v<T, int128>;
template <class T>
using Unsigned = std::conditional_t<std::is_same_v<T, int128>, uint128, uint64_t>;

template <class T>
struct Num {
  T v;
};

template <class T>
constexpr Num<T> wrap(Unsigned<T> u) {
  return {T(u)};
}

#define VITRO_ARITHMETIC(op)                                \
  template <class T>                                        \
  constexpr Num<T> operator op(Num<T> a, Num<T> b) {        \
    if constexpr (is_int<T>)                                \
      return wrap<T>(Unsigned<T>(a.v) op Unsigned<T>(b.v)); \
    else                                                    \
      return {a.v op b.v};                                  \
  }
VITRO_ARITHMETIC(+)
VITRO_ARITHMETIC(-)
VITRO_ARITHMETIC(*)
#undef VITRO_ARITHMETIC

#define VITRO_BITWISE(op) \
  template <class T>      \
  requires is_int<T>      \
  constexpr Num<T> operator op(Num<T> a, Num<T> b) { return {a.v op b.v}; }
VITRO_BITWISE(&)
VITRO_BITWISE(|)
VITRO_BITWISE(^)
#undef VITRO_BITWISE

template <class T>
requires is_int<T>
constexpr Num<T> operator~(Num<T> a) { return {~a.v}; }
template <class T>
constexpr Num<T> operator-(Num<T> a) {
  if constexpr (is_int<T>)
    return wrap<T>(-Unsigned<T>(a.v));
  else
    return {-a.v};
}

}  // namespace vitro::eu
