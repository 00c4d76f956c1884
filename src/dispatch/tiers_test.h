// For tests of the tiers: a pool whose kernels a Tier may compile, and a kernel that loops.
#pragma once

#include <chrono>

#include "dispatch/kernels_test.h"
#include "dispatch/tier.h"

namespace vitro::dispatch::testing {

// Stores 5 * group + loops at the group's number, after so many rounds of a loop.
inline std::string loop_kernel(int loops, int seed = 0) {
  return fmt::format(
             "(W) mov (8|M0) r10.0<1>:ud {}:ud\n"
             "(W) mov (1|M0) r2.0<1>:ud r0.1<0;1,0>:ud\n"
             "(W) mul (1|M0) r2.1<1>:ud r0.1<0;1,0>:ud 5:uw\n"
             "(W) mov (1|M0) r3.0<1>:d 0:d\n"
             "round:\n"
             "(W) add (1|M0) r3.0<1>:d r3.0<0;1,0>:d 1:w\n"
             "(W) cmp (1|M0) (lt)f0.0 null<1>:d r3.0<0;1,0>:d {}:d\n"
             "(W&f0.0) jmpi round\n"
             "(W) add (1|M0) r2.1<1>:d r2.1<0;1,0>:d r3.0<0;1,0>:d\n",
             seed, loops) +
         store(2) + end();
}

// Kernels of these tests are Gen9's, unless they say otherwise.
inline TierOptions for_gen9(TierOptions options) {
  if (options.device.empty()) options.device = "kbl";
  return options;
}

struct Tiers {
  Bench plain{1};
  Tier tier;
  Pool pool;
  explicit Tiers(const TierOptions& options, unsigned workers = 2, Tier::Compile compile = code::compile,
                 Tier::Clock clock = Tier::processor_time)
      : tier(for_gen9(options), std::move(compile), std::move(clock)),
        pool({.workers = workers,
              .subslice = {.functions = {&words_row, 1}, .gateway = &shared::gateway_gen9, .tier = &tier}}) {}

  Counts run(uint64_t groups, int loops) {
    plain.stored.assign(plain.stored.size(), 0);
    plain.threads.groups = groups;
    const Outcome o = dispatch::run(pool, plain.stage, plain.threads);
    EXPECT_FALSE(o.fault) << o.fault->text();
    for (uint64_t g = 0; g < groups; ++g) EXPECT_EQ(plain.stored[g], 5 * g + uint64_t(loops));
    return o.counts;
  }
  // Until the code is there, for 30 s at most.
  bool run_until_compiled(uint64_t groups, int loops) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end)
      if (run(groups, loops).compiled_threads == groups) return true;
    return false;
  }
};

}  // namespace vitro::dispatch::testing
