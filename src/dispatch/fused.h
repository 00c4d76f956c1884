// What the tiers know of fused code: a kernel's code with the routines in it that its messages lead to, for each set of
// them that is in use. A few are made, those that are used most; dispatches choose by what their messages lead to. PRM:
// none.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "code/order.h"
#include "eu/compiled.h"

namespace vitro::dispatch {

// Code that there is, or will be. Used by many host threads at once.
struct PendingCode {
  enum class Wish : uint8_t { nothing, kept_code, code };
  std::atomic<const eu::Compiled*> ready{nullptr};
  std::atomic<Wish> asked{Wish::nothing};
  std::atomic<bool> answered{false};  // an order was carried out, or given up
  std::mutex making{};
  // Under the lock.
  bool looked = false, made = false;  // for kept code; or tried in vain
  std::shared_ptr<const eu::Compiled> compiled{};
  std::vector<std::shared_ptr<const void>> symbols{};  // what debuggers were told of it
};

// What a message leads to: the key of its routine.
struct RoutineInUse {
  uint32_t instruction = 0;
  std::span<const std::byte> key{};
  bool is(const code::FusedRoutine& r) const { return r.instruction == instruction && std::ranges::equal(r.key, key); }
};
using RoutinesInUse = std::span<const RoutineInUse>;  // by instruction

// Of a kernel with a set of routines.
struct FusedCode : PendingCode {
  explicit FusedCode(RoutinesInUse in_use) {
    for (const RoutineInUse& u : in_use) set.push_back({u.instruction, {u.key.begin(), u.key.end()}});
  }
  code::FusedRoutines set{};      // stays as it is
  std::atomic<uint64_t> uses{0};  // messages that it could have carried out, while there was none

  // How many of those in use it has.
  size_t common(RoutinesInUse in_use) const {
    size_t count = 0;
    for (const RoutineInUse& u : in_use) count += std::ranges::any_of(set, [&](const auto& r) { return u.is(r); });
    return count;
  }
};

// Of a kernel.
class FusedCodes {
 public:
  static constexpr size_t most_known = 16, most_made = 4;

  // Stays for as long as this. Null: there are too many.
  FusedCode* find(RoutinesInUse in_use) {
    const std::lock_guard guard(lock_);
    for (const std::unique_ptr<FusedCode>& f : all_)
      if (f->set.size() == in_use.size() && f->common(in_use) == in_use.size()) return f.get();
    return all_.size() < most_known ? all_.emplace_back(std::make_unique<FusedCode>(in_use)).get() : nullptr;
  }
  // Code that there is, with most of them. Null: there is none with any.
  const eu::Compiled* nearest(RoutinesInUse in_use) const {
    const std::lock_guard guard(lock_);
    const eu::Compiled* best = nullptr;
    size_t most = 0;
    for (const std::unique_ptr<FusedCode>& f : all_)
      if (const eu::Compiled* code = f->ready.load(std::memory_order_acquire))
        if (const size_t common = f->common(in_use); common > most) best = code, most = common;
    return best;
  }
  // Whether one more may be made.
  bool has_room() { return made_.fetch_add(1, std::memory_order_relaxed) < most_made; }

 private:
  mutable std::mutex lock_{};
  std::vector<std::unique_ptr<FusedCode>> all_{};
  std::atomic<size_t> made_{0};
};

}  // namespace vitro::dispatch
