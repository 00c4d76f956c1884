// A short wait, awake: a thread that sleeps costs the one who calls it a system call, and itself the time until it has
// woken up. How long it stays awake depends on whether that was worth it before. PRM: none.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/awake.h"

namespace vitro::i915 {

class AdaptiveWait {
 public:
  // False: not in time.
  template <class F>
  bool until(F&& done) {
    using Steady = std::chrono::steady_clock;
    const auto until = Steady::now() + patience_;
    const bool came = wait_awake(done, patience_);
    patience_ = came && Steady::now() <= until ? most : std::max(patience_ / 2, least);
    return came;
  }

 private:
  static constexpr std::chrono::nanoseconds most = std::chrono::microseconds(100),
                                            least = std::chrono::microseconds(10);
  std::chrono::nanoseconds patience_ = most;
};

}  // namespace vitro::i915
