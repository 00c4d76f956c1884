// Places of two subspans as eight lanes, and planes there. PRM: as pixel_payload.h. Vectors are passed by reference:
// only so may functions for every host and for those with AVX2 (lanes/host.h) share this text. The arithmetic is that
// of Plane::at, lane by lane.
#pragma once

#include "lanes/eight.h"

namespace vitro::pipeline {

using lanes::Floats8;

struct EightPlaces {
  Floats8 x{}, y{};

  // Their pixels' corners; the subspans have x and y.
  template <class Subspan>
  void set(const Subspan& a, const Subspan& b) {
    const auto x0 = float(a.x), x1 = float(b.x), y0 = float(a.y), y1 = float(b.y);
    x = Floats8{x0, x0, x0, x0, x1, x1, x1, x1} + Floats8{0, 1, 0, 1, 0, 1, 0, 1};
    y = Floats8{y0, y0, y0, y0, y1, y1, y1, y1} + Floats8{0, 0, 1, 1, 0, 0, 1, 1};
  }
};

template <class P>
inline void evaluate(const P& plane, const EightPlaces& at, Floats8& to) {
  to = plane.c + plane.dx * at.x + plane.dy * at.y;
}

}  // namespace vitro::pipeline
