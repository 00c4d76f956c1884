// Choosing code, and counting what for. PRM: as choose_code.h.
#include "dispatch/choose_code.h"

#include "dispatch/work.h"

namespace vitro::dispatch {

const eu::Compiled& CodeChoice::choose(const Of& of, const eu::Compiled& own, std::span<eu::Window> windows,
                                       uint64_t run) {
  const std::span<const uint32_t> sites = own.routine_sites();
  keys_.resize(sites.size());
  bool same = true;
  for (size_t n = 0; n < sites.size(); ++n) same = same && keys_[n] == windows[sites[n]].key.data();
  if (!same) {
    count(of, run);
    find_routines(of, own, windows);
  }
  const eu::Compiled* code = code_ ? code_->ready.load(std::memory_order_acquire) : nullptr;
  if (!code) code = nearest_ ? nearest_ : &own;
  if (windows_are_for_ != code) {
    windows_are_for_ = code;
    for (size_t n = 0; n < code->sites().size(); ++n) windows[n].fused = code->has_fused(n, windows[n]);
  }
  return *code;
}

void CodeChoice::find_routines(const Of& of, const eu::Compiled& own, std::span<const eu::Window> windows) {
  const std::span<const uint32_t> sites = own.routine_sites();
  in_use_.clear();
  for (size_t n = 0; n < sites.size(); ++n) {
    const std::span<const std::byte> key = windows[sites[n]].key;
    keys_[n] = key.data();
    if (!key.empty()) in_use_.push_back({own.sites()[sites[n]], key});
  }
  code_ = of.tier.fused(of.kernel, of.slot, in_use_);
  nearest_ = code_ && code_->ready ? nullptr : of.slot.fused.nearest(in_use_);
}

// About so many messages: a program in a straight line sends each of its own once.
void CodeChoice::count(const Of& of, uint64_t run) {
  const uint64_t instructions = run - std::exchange(counted_, run);
  if (!code_ || code_->ready.load(std::memory_order_relaxed)) return;
  const uint64_t times = instructions / of.kernel->program.plans().size();
  of.tier.used(of.kernel, of.slot, *code_, times * code_->set.size());
}

void CodeChoice::begin_tables() {
  is_new_ = true;
  keys_.clear();
  code_ = nullptr, nearest_ = windows_are_for_ = nullptr;
}

}  // namespace vitro::dispatch
