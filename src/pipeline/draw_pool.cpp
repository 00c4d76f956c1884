// Taking draws in turn. PRM: none.
#include "pipeline/draw_pool.h"

#include <algorithm>

namespace vitro::pipeline {

std::shared_ptr<Draw> DrawPool::take() {
  if (draws_.empty() || draws_[oldest_].use_count() > 1) {
    if (draws_.size() >= most) return std::make_shared<Draw>();
    draws_.insert(draws_.begin() + ptrdiff_t(oldest_), std::make_shared<Draw>());
  }
  std::shared_ptr<Draw> found = draws_[oldest_];
  oldest_ = (oldest_ + 1) % draws_.size();
  ++taken_;
  return found;
}

void DrawPool::forget() {
  for (size_t n = std::min(taken_, draws_.size()), at = oldest_; n > 0; --n) {
    at = (at + draws_.size() - 1) % draws_.size();
    Draw& d = *draws_[at];
    if (draws_[at].use_count() == 1) d.memory.reset(), d.vs.reset(), d.ps = {};
  }
  std::erase_if(draws_, [](const auto& d) { return d.use_count() > 1; });
  oldest_ = taken_ = 0;
}

}  // namespace vitro::pipeline
