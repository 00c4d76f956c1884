// Rectangles of pixels. No part of the machine.
#pragma once

#include <algorithm>

namespace vitro::pipeline {

// Pixels x0 <= x < x1, y0 <= y < y1.
struct Rectangle {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
  bool operator==(const Rectangle&) const = default;
};
inline Rectangle overlap(const Rectangle& a, const Rectangle& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

}  // namespace vitro::pipeline
