// Finding a subslice for a stage, and running it to the end. PRM: as runner.h.
#include "dispatch/runner.h"

#include <algorithm>
#include <utility>

namespace vitro::dispatch {

namespace {
constexpr uint64_t patience = 1 << 20;  // instructions between two looks at the clock
// The tiers' account is one for all host threads: a stage that runs again and again is put down several runs at a time.
constexpr unsigned runs_at_once = 16;

ThreadCounts since(const ThreadCounts& before, const ThreadCounts& now) {
  return {.groups = now.groups - before.groups,
          .threads = now.threads - before.threads,
          .instructions = now.instructions - before.instructions,
          .compiled_threads = now.compiled_threads - before.compiled_threads,
          .substituted_threads = now.substituted_threads - before.substituted_threads};
}
}  // namespace

Runner::Kept& Runner::kept_for(const Stage& stage) {
  Kept* oldest = kept_.data();
  for (Kept& k : kept_) {
    if (k.subslice && k.subslice->stage() == stage.number) {
      k.used = ++clock_;
      return k;
    }
    if (k.used < oldest->used) oldest = &k;
  }
  if (!oldest->subslice) oldest->subslice = std::make_unique<Subslice>(options_);
  oldest->used = ++clock_;
  oldest->runs = 0, oldest->untold = {};
  return *oldest;
}

std::optional<Fault> Runner::run(const Stage& stage, const Threads& threads, unsigned first_fftid, Counts& counts) {
  if (threads.groups == 0) return std::nullopt;
  const Kernel& kernel = *stage.state.kernel;
  const unsigned seats = kernel.waits || threads.threads_of ? std::max(1u, threads.threads) : 1;
  const uint64_t all_threads = threads.groups * std::max(1u, threads.threads);
  const ThreadCounts before = counts;
  const KernelTier::Slot* slot =
      options_.tier ? options_.tier->begin(stage.state.kernel, stage.state.cr0, all_threads, stage.state.chain)
                    : nullptr;
  Kept& kept = kept_for(stage);
  Subslice& s = *kept.subslice;
  s.prepare(stage, threads, 1, first_fftid, seats, 0, cancelled_);
  s.begin(0, threads.groups);
  std::optional<Fault> fault;
  for (Subslice::Progress p; (p = s.advance(patience)) != Subslice::Progress::done;)
    if (p == Subslice::Progress::faulted) {
      fault = s.fault();
      break;
    }
  s.finish(counts);
  if (!slot) return fault;
  kept.untold += since(before, counts);
  if (++kept.runs > runs_at_once && kept.runs % runs_at_once) return fault;
  options_.tier->end(*slot, {}, std::exchange(kept.untold, {}));
  return fault;
}

void Runner::forget() {
  for (Kept& k : kept_)
    if (k.subslice) k.subslice->forget();
}

}  // namespace vitro::dispatch
