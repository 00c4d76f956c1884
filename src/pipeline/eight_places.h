// Places of two subspans as eight lanes, and planes there. PRM: as pixel_payload.h. Vectors are passed by reference:
// only so may functions for every host and for those with AVX2 (lanes/host.h) share this text. The arithmetic is that
// of Plane::at, lane by lane.
#pragma once

#include "lanes/eight.h"

namespace vitro::pipeline {

using lanes::Floats8;
using lanes::Ints8;

struct EightPlaces {
  Floats8 x{}, y{};

  // Their pixels' corners; the subspans have x and y.
  template <class Subspan>
  void set(const Subspan& a, const Subspan& b) {
    using Words4 = uint16_t __attribute__((vector_size(8)));
    using Ints4 = int32_t __attribute__((vector_size(16)));
    static_assert(sizeof(Subspan) == 4);  // x, then y
    Words4 words;
    std::memcpy(&words, &a, 4), std::memcpy(reinterpret_cast<std::byte*>(&words) + 4, &b, 4);
    const Ints4 corners = __builtin_convertvector(words, Ints4);
    x = __builtin_convertvector(Ints8(__builtin_shufflevector(corners, corners, 0, 0, 0, 0, 2, 2, 2, 2)), Floats8) +
        Floats8{0, 1, 0, 1, 0, 1, 0, 1};
    y = __builtin_convertvector(Ints8(__builtin_shufflevector(corners, corners, 1, 1, 1, 1, 3, 3, 3, 3)), Floats8) +
        Floats8{0, 0, 1, 1, 0, 0, 1, 1};
  }
  // Two rows of subspans of a block whose corner is there, the upper or the lower one.
  void set_block(unsigned block_x, unsigned block_y, bool lower) {
    x = float(block_x) + Floats8{0, 1, 0, 1, 2, 3, 2, 3};
    y = float(block_y) + (lower ? Floats8{2, 2, 3, 3, 2, 2, 3, 3} : Floats8{0, 0, 1, 1, 0, 0, 1, 1});
  }
};

template <class P>
inline void evaluate(const P& plane, const EightPlaces& at, Floats8& to) {
  to = plane.c + plane.dx * at.x + plane.dy * at.y;
}

}  // namespace vitro::pipeline
