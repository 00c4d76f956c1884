// Which of a kernel's images a subslice runs: its own code, or fused code for the routines that its messages lead to.
// PRM: none; nothing of this can be seen by a program but in time. What messages lead to is known by the windows that
// the first thread with some tables leaves behind.
#include <algorithm>
#include <utility>

#include "dispatch/subslice.h"

namespace vitro::dispatch {

// The code with the routines in it that messages lead to, if there is such; else the kernel's own.
const eu::Compiled& Subslice::choose_code(const eu::Compiled& plain) {
  const std::span<const uint32_t> sites = plain.routine_sites();
  fused_.keys.resize(sites.size());
  bool same = true;
  for (size_t n = 0; n < sites.size(); ++n) same = same && fused_.keys[n] == windows_[sites[n]].key.data();
  if (!same) find_routines(plain);
  const eu::Compiled* code = fused_.code ? fused_.code->ready.load(std::memory_order_acquire) : nullptr;
  if (!code) code = fused_.nearest ? fused_.nearest : &plain;
  if (fused_.windows_are_for != code) {
    fused_.windows_are_for = code;
    for (size_t n = 0; n < code->sites().size(); ++n) windows_[n].fused = code->has_fused(n, windows_[n]);
  }
  return *code;
}

void Subslice::find_routines(const eu::Compiled& plain) {
  count_messages_to_fuse();
  const std::span<const uint32_t> sites = plain.routine_sites();
  fused_.in_use.clear();
  for (size_t n = 0; n < sites.size(); ++n) {
    const std::span<const std::byte> key = windows_[sites[n]].key;
    fused_.keys[n] = key.data();
    if (!key.empty()) fused_.in_use.push_back({plain.sites()[sites[n]], key});
  }
  fused_.code = options_.tier->fused(stage_->state.kernel, *native_, fused_.in_use);
  fused_.nearest = fused_.code && fused_.code->ready ? nullptr : native_->fused.nearest(fused_.in_use);
}

// About so many: a program in a straight line sends each of its messages once.
void Subslice::count_messages_to_fuse() {
  const uint64_t instructions = run_.instructions - std::exchange(fused_.counted, run_.instructions);
  if (!fused_.code || fused_.code->ready.load(std::memory_order_relaxed)) return;
  const uint64_t times = instructions / stage_->state.kernel->program.plans().size();
  options_.tier->used(stage_->state.kernel, *native_, *fused_.code, times * fused_.code->set.size());
}

}  // namespace vitro::dispatch
