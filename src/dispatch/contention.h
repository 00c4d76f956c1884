// Threads that change the same memory hinder each other: for kernels with atomic operations on memory that groups share
// it is measured, now and then, whether several host threads are faster than one. PRM: none.
#pragma once

#include <atomic>
#include <cstdint>

namespace vitro::dispatch {

class Contention {
 public:
  // Whether the next dispatch is for several host threads.
  bool together() {
    const uint32_t n = dispatches_.fetch_add(1, std::memory_order_relaxed) % period;
    if (n < 2) return n == 0;
    return ns_[1].load(std::memory_order_relaxed) <= ns_[0].load(std::memory_order_relaxed);
  }
  // How long a thread took, from the start of a dispatch to its end.
  void note(bool together, double ns) { ns_[together].store(ns, std::memory_order_relaxed); }

  static constexpr uint32_t period = 64;  // dispatches, of which the first two try both

 private:
  std::atomic<uint32_t> dispatches_{0};
  std::atomic<double> ns_[2]{};
};

}  // namespace vitro::dispatch
