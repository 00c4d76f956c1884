// Threads that change the same memory hinder each other: for kernels with atomic operations on memory that groups share
// it is measured, now and then, whether several host threads are faster than one. PRM: none.
#pragma once

#include <atomic>
#include <cstdint>

namespace vitro::dispatch {

class Contention {
 public:
  // Whether the next dispatch is for several host threads. Both ways are tried first, and again now and then.
  bool together() {
    const double alone = ns_[0].load(std::memory_order_relaxed), shared = ns_[1].load(std::memory_order_relaxed);
    if (shared == 0 || alone == 0) return shared == 0;
    const uint32_t n = dispatches_.fetch_add(1, std::memory_order_relaxed) % period;
    return n >= period - 2 ? n == period - 1 : shared <= alone;
  }
  // How long a thread took, from the start of a dispatch to its end: of dispatches whose threads all ran in one tier.
  void note(bool together, double ns) { ns_[together].store(ns, std::memory_order_relaxed); }

  static constexpr uint32_t period = 64;  // dispatches, of which the last two try both

 private:
  std::atomic<uint32_t> dispatches_{0};
  std::atomic<double> ns_[2]{};
};

}  // namespace vitro::dispatch
