// A short wait, awake: a thread that sleeps costs the one who calls it a system call, and itself the time until it has
// woken up. It gives way to whoever else wants the processor, and how long it stays depends on whether that was worth
// it before. PRM: none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "i915/raw.h"

namespace vitro::i915 {

class AdaptiveWait {
 public:
  // False: not in time.
  template <class F>
  bool until(F&& done) {
    const int64_t until = raw::monotonic_ns() + patience_ns_;
    const bool came = raw::yield_until(done, patience_ns_);
    patience_ns_ = came && raw::monotonic_ns() <= until ? most_ns : std::max(patience_ns_ / 2, least_ns);
    return came;
  }

 private:
  static constexpr int64_t most_ns = 100'000, least_ns = 10'000;
  int64_t patience_ns_ = most_ns;
};

}  // namespace vitro::i915
