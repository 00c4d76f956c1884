// The loops of MEDIA_OBJECT_WALKER. A place outside its range is walked through as long as the step can bring it back:
// diagonals begin beyond the right edge. PRM: as walker.h.
#include "media/walker.h"

#include <algorithm>

namespace vitro::media {
namespace {

constexpr size_t most_visits = size_t(1) << 22;

struct Vector {
  int x = 0, y = 0;
  Vector operator+(Vector v) const { return {x + v.x, y + v.y}; }
  Vector operator*(int n) const { return {x * n, y * n}; }
  bool zero() const { return x == 0 && y == 0; }
};

bool can_enter(int at, int low, int high, int unit) { return !(at < low && unit <= 0) && !(at >= high && unit >= 0); }
// Of places in [low, high), which steps of `unit` may still reach.
bool can_enter(Vector at, Vector low, Vector high, Vector unit) {
  return can_enter(at.x, low.x, high.x, unit.x) && can_enter(at.y, low.y, high.y, unit.y);
}
bool inside(Vector at, Vector low, Vector high) {
  return at.x >= low.x && at.x < high.x && at.y >= low.y && at.y < high.y;
}

class Walk {
 public:
  Walk(const commands::MediaObjectWalker& w, std::vector<Visit>& out) : w_(w), out_(out) {}

  bool run() {
    const Vector start{w_.global_start_x, w_.global_start_y}, stride{w_.global_stride_x, w_.global_stride_y};
    for (int n = 0; n <= w_.global_count && !full_; ++n) {
      enter(5);
      blocks(start + stride * n);
      if (stride.zero()) break;
    }
    return !full_;
  }

 private:
  // A block counts as long as a part of it is in the picture.
  void blocks(Vector at) {
    const Vector unit{w_.global_unit_x, w_.global_unit_y}, size{w_.global_x, w_.global_y};
    const Vector low{1 - w_.block_x, 1 - w_.block_y};
    for (; can_enter(at, low, size, unit) && !full_; at = at + unit) {
      enter(4);
      if (inside(at, low, size))
        block(at, {std::min<int>(w_.block_x, size.x - at.x), std::min<int>(w_.block_y, size.y - at.y)});
      if (unit.zero()) break;
    }
  }

  void block(Vector at, Vector size) {
    const Vector start{w_.local_start_x, w_.local_start_y}, stride{w_.local_stride_x, w_.local_stride_y};
    const Vector mid{w_.mid_unit_x, w_.mid_unit_y}, unit{w_.local_unit_x, w_.local_unit_y};
    for (int n = 0; n <= w_.local_count && !full_; ++n) {
      enter(3);
      for (int k = 0; k <= w_.mid_steps; ++k) {
        enter(2);
        for (Vector p = start + stride * n + mid * k; can_enter(p, {}, size, unit) && !full_; p = p + unit) {
          enter(1);
          if (inside(p, {}, size)) visit(at + p);
          if (unit.zero()) break;
        }
      }
      if (stride.zero()) break;
    }
  }

  void visit(Vector at) {
    if (at.x < 0 || at.y < 0) return;
    for (int color = 0; color <= w_.colors; ++color) {
      if (out_.size() >= most_visits) full_ = true;
      if (full_) return;
      if (w_.group_loop == 0 || fresh_) group_ = groups_++;
      fresh_ = false;
      out_.push_back({uint16_t(at.x), uint16_t(at.y), uint8_t(color), group_});
    }
  }

  // An iteration of a loop, the innermost but that of colors being 1. Select 1 makes a group of the colors of a place,
  // 2 of an inner local loop, and so on to 5, an inner global loop.
  void enter(unsigned loop) {
    if (loop >= w_.group_loop) fresh_ = true;
  }

  const commands::MediaObjectWalker& w_;
  std::vector<Visit>& out_;
  bool full_ = false, fresh_ = true;
  uint32_t group_ = 0, groups_ = 0;
};

}  // namespace

bool visits(const commands::MediaObjectWalker& walker, std::vector<Visit>& out) { return Walk(walker, out).run(); }

}  // namespace vitro::media
