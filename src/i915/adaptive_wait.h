// A short wait, awake: a thread that sleeps costs the one who calls it a system call, and itself the time until it has
// woken up. How long it stays awake depends on whether that was worth it before. PRM: none.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/awake.h"
#include "i915/fence.h"
#include "i915/raw.h"

namespace vitro::i915 {

class AdaptiveWait {
 public:
  explicit AdaptiveWait(int64_t most_ns) : most_ns_(most_ns), patience_ns_(most_ns) {}
  // False: not in time, of which there is none left at the deadline (of the monotonic clock). Who sleeps then tells
  // when that is over.
  template <class F>
  bool until(F&& done, int64_t deadline_ns = forever_ns) {
    began_ns_ = raw::monotonic_ns();
    if (deadline_ns <= began_ns_) return done();
    const int64_t worth = began_ns_ + patience_ns_;
    const bool came = wait_awake(done, std::chrono::nanoseconds(std::min(worth, deadline_ns) - began_ns_));
    if (came || worth <= deadline_ns) learn(came);
    return came;
  }
  void slept() { learn(true); }

 private:
  static constexpr int64_t least_ns = 10'000;

  void learn(bool came) {
    const bool was_worth = came && raw::monotonic_ns() - began_ns_ <= most_ns_;
    patience_ns_ = was_worth ? most_ns_ : std::max(patience_ns_ / 2, least_ns);
  }

  const int64_t most_ns_;
  int64_t began_ns_ = 0, patience_ns_;
};

}  // namespace vitro::i915
