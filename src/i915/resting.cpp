// Programs that wait without asking the kernel: Intel's compute runtime looks at a word that the batch will write, and
// yields between its looks. On hardware that takes a core nobody needs; here it would take it from the workers that
// run the batch. So a thread that goes on yielding while batches are under way sleeps in between, the longer the longer
// it has waited, and is woken when a batch ends. A sleep is a small part of the time already waited, so that threads
// which yield for other reasons, or see their word before the batch ends, lose little.
#include <algorithm>

#include "base/awake.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {

thread_local uint32_t KernelState::own_submissions = 0;

bool Kernel::yield() {
  constexpr int64_t patience_ns = 50'000;    // a short batch is over sooner than a thread falls asleep and wakes up
  constexpr int64_t apart_ns = 1'000'000;    // between yields: a new wait begins, as it does with each batch submitted
  constexpr int64_t longest_ns = 2'000'000;  // asleep at once
  constexpr int64_t part = 8;                // of the time waited
  static thread_local int64_t began_ns = 0, last_ns = 0;
  static thread_local uint32_t last_own = 0;
  const uint32_t ended = state_->ended;
  if (uint32_t(state_->submitted) == ended) {
    give_way();
    return false;
  }
  const int64_t now = raw::monotonic_ns();
  if (now - last_ns > apart_ns || KernelState::own_submissions != last_own) began_ns = now;
  last_own = KernelState::own_submissions;
  const int64_t waited = now - began_ns;
  if (waited < patience_ns) {
    give_way();
  } else {
    ++state_->resting;
    raw::futex_wait(&state_->ended, ended, std::min(waited / part, longest_ns));
    --state_->resting;
  }
  last_ns = raw::monotonic_ns();  // how long the others run is not what the caller does
  return waited >= patience_ns;
}

void KernelState::note_end() {
  ++ended;
  if (resting != 0) raw::futex_wake(&ended);
}

}  // namespace vitro::i915
