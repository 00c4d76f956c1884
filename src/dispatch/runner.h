// Runs dispatches on the host thread that asks, one after the other: what the chunks and bins of the 3D pipeline run
// their threads with. PRM: none. It keeps a subslice for each of the last few stages, so that coming back to one costs
// nothing. A thread that must wait for others of its group waits for those of the same dispatch.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "dispatch/subslice.h"

namespace vitro::dispatch {

class Runner {
 public:
  explicit Runner(const SubsliceOptions& options) : options_(options) {}

  // All groups. `first_fftid` is this runner's own, of as many as a group has threads. The stage must have a number.
  std::optional<Fault> run(const Stage& stage, const Threads& threads, unsigned first_fftid, Counts& counts);
  // Lets go of everything that belongs to stages.
  void forget();

 private:
  struct Kept {
    std::unique_ptr<Subslice> subslice{};
    uint64_t used = 0;
    // Of its stage: what the tiers have not been told yet.
    unsigned runs = 0;
    ThreadCounts untold{};
  };
  Kept& kept_for(const Stage& stage);

  SubsliceOptions options_;
  std::array<Kept, 8> kept_{};
  uint64_t clock_ = 0;
  std::atomic<bool> cancelled_{false};
};

}  // namespace vitro::dispatch
