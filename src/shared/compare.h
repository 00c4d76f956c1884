// The eight comparisons, of numbers or of lanes of them. PRM: Gen8 vol 2d 3D_Compare_Function, and the sampler's
// PREFILTEROP, which has the same codes.
#pragma once

namespace vitro::shared {

template <class T, class Truth>
constexpr void compare(unsigned function, const T& x, const T& y, Truth& to) {
  switch (function & 7) {
    case 0: to = (x == x) | (x != x); break;
    case 1: to = (x == x) & (x != x); break;
    case 2: to = x < y; break;
    case 3: to = x == y; break;
    case 4: to = x <= y; break;
    case 5: to = x > y; break;
    case 6: to = x != y; break;
    case 7: to = x >= y; break;
  }
}
template <class T>
constexpr bool compares(unsigned function, T a, T b) {
  bool yes = false;
  compare(function, a, b, yes);
  return yes;
}

}  // namespace vitro::shared
