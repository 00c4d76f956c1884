// Eight lanes of the host domain as one value, with the words of num.h that moving, comparing and selecting use, and
// what is done around an expression. The rules are those of a single lane: they are written once, over values of any
// domain. PRM: none of its own.
// Vectors have 32 bytes, so wider lanes take several. How one is passed to a function depends on what the caller is
// compiled for: all of this is inlined into the handlers, which are flattened (lanes/host.h).
#pragma once

#include <cstring>

#include "eu/conditions.h"
#include "eu/lanes.h"

namespace vitro::eu {

template <class T>
struct Eight {
  typedef T Vector __attribute__((vector_size(reg_bytes)));
  static constexpr int step = reg_bytes / int(sizeof(T)), count = chunk / step;
  static constexpr bool is_float = std::is_floating_point_v<T>, is_integer = !is_float;
  Vector v[count];

  // From lanes in memory, and back. By vectors: an array of them would be copied in pieces.
  static Eight get(const void* from) {
    Eight r;
    for (int k = 0; k < count; ++k) {
      Vector x;
      std::memcpy(&x, static_cast<const Vector*>(from) + k, sizeof x);
      r.v[k] = x;
    }
    return r;
  }
  void put(void* to) const {
    for (int k = 0; k < count; ++k) {
      const Vector x = v[k];
      std::memcpy(static_cast<Vector*>(to) + k, &x, sizeof x);
    }
  }
};
// Truth per lane is all ones or zero, as wide as the lane.
template <class T>
using EightTruths = Eight<std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
using Bits = Eight<uint32_t>::Vector;
using Floats = Eight<float>::Vector;

template <class T, class N>
Eight<T> constant(const Eight<T>&, N x) {
  Eight<T> r;
  const T n = T(x);
  for (auto& v : r.v) {
    if constexpr (Eight<T>::step == 8)
      v = typename Eight<T>::Vector{n, n, n, n, n, n, n, n};
    else
      v = typename Eight<T>::Vector{n, n, n, n};
  }
  return r;
}
#define VITRO_EIGHT(R, name, expression)                                         \
  template <class T>                                                             \
  R name(const Eight<T>& a, const Eight<T>& b) {                                 \
    R r;                                                                         \
    for (int k = 0; k < Eight<T>::count; ++k) r.v[k] = a.v[k] expression b.v[k]; \
    return r;                                                                    \
  }
VITRO_EIGHT(EightTruths<T>, operator<, <)
VITRO_EIGHT(EightTruths<T>, operator<=, <=)
VITRO_EIGHT(EightTruths<T>, operator>, >)
VITRO_EIGHT(EightTruths<T>, operator>=, >=)
VITRO_EIGHT(EightTruths<T>, differs, !=)
VITRO_EIGHT(Eight<T>, operator&, &)
VITRO_EIGHT(Eight<T>, operator|, |)
VITRO_EIGHT(Eight<T>, operator-, -)
#undef VITRO_EIGHT
template <class T>
Eight<T> operator~(Eight<T> a) {
  for (auto& v : a.v) v = ~v;
  return a;
}
template <class T>
Eight<T> operator!(const Eight<T>& truths) {
  return ~truths;
}
template <class T>
Eight<T> operator-(const Eight<T>& a) {
  return constant(a, 0) - a;
}
template <class T>
EightTruths<T> is_nan(const Eight<T>& a) {
  return differs(a, a);
}
template <class M, class T>
Eight<T> select(const Eight<M>& which, const Eight<T>& a, const Eight<T>& b) {
  using V = typename Eight<M>::Vector;
  Eight<T> r;
  for (int k = 0; k < Eight<T>::count; ++k)
    r.v[k] = typename Eight<T>::Vector((V(a.v[k]) & which.v[k]) | (V(b.v[k]) & ~which.v[k]));
  return r;
}
template <class T>
EightTruths<T> in_relation(unsigned asked, const Eight<T>& a, const Eight<T>& b) {
  using M = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  const auto wanted = [&](unsigned which) { return asked & which ? M(-1) : M(0); };
  // one of the four holds: that of unordered values, or what another one changes about it
  const M otherwise = wanted(relation::unordered);
  EightTruths<T> r;
  for (int k = 0; k < Eight<T>::count; ++k)
    r.v[k] = ((a.v[k] < b.v[k]) & (wanted(relation::less) ^ otherwise)) ^
             ((a.v[k] == b.v[k]) & (wanted(relation::equal) ^ otherwise)) ^
             ((a.v[k] > b.v[k]) & (wanted(relation::greater) ^ otherwise)) ^ otherwise;
  return r;
}

inline Eight<float> absolute(const Eight<float>& a) { return {Floats(Bits(a.v[0]) & 0x7FFFFFFFu)}; }
inline Eight<int32_t> is_below(const Eight<float>& a, float least) {
  return {Eight<int32_t>::Vector(Bits(a.v[0]) & 0x7FFFFFFFu) < std::bit_cast<int32_t>(least)};
}
inline Eight<float> zero_where(const Eight<int32_t>& which, const Eight<float>& a) {
  return {Floats(Bits(a.v[0]) & ~(Bits(which.v[0]) & 0x7FFFFFFFu))};
}
inline Eight<float> copy_sign(const Eight<float>& a, const Eight<float>& sign) {
  return {Floats((Bits(a.v[0]) & 0x7FFFFFFFu) | (Bits(sign.v[0]) & 0x80000000u))};
}

// One bit per lane; whether there is one.
inline uint64_t gathered(const Bits& bits) {
  uint64_t pairs[chunk / 2];
  std::memcpy(pairs, &bits, sizeof pairs);
  return (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
}
inline uint32_t lanes_in(const Eight<int32_t>& truths) {
  const Bits places = {1, 2, 4, 8, 16, 32, 64, 128};
  const uint64_t all = gathered(Bits(truths.v[0]) & places);
  return uint32_t(all | all >> 32);
}
inline bool any(const Eight<int32_t>& truths) { return gathered(Bits(truths.v[0])) != 0; }

}  // namespace vitro::eu
