// Which of the two tiers runs a thread: the interpreter, at once, or machine code (the room jit) once a kernel has
// proved to be worth it. Code is made by one host thread in the background; whoever starts or continues a thread takes
// what is ready by then, so a long dispatch changes over while it runs. PRM: none; nothing of this can be seen by a
// program but in time. Deliberately not done: giving code up again other than with its kernel.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "code/compiler.h"
#include "code/routines.h"
#include "dispatch/contention.h"
#include "dispatch/fused.h"
#include "dispatch/tiering.h"
#include "eu/compiled.h"

namespace vitro::dispatch {

struct Kernel;

// What the tiers know of a kernel. It is used by many host threads at once and belongs to its kernel.
struct KernelTier {
  using Wish = PendingCode::Wish;
  // Code is made for one setting of the float modes; a kernel seldom runs in more than one.
  struct Slot : PendingCode {
    code::FloatMode mode{};
    std::atomic<code::ChainForm> chain{};  // of the first dispatch: kernels are seldom dispatched in two ways
    // While there is no code.
    std::atomic<uint64_t> interpreted{0};      // instructions
    std::atomic<uint64_t> begun{0}, ended{0};  // threads: of all dispatches up to this one, and those that have ended
    std::atomic<uint64_t> timed{0}, time{0};   // instructions whose processor time was taken, and that time, in ns
    std::atomic<uint64_t> next_timed{0};       // when so many are interpreted
    FusedCodes fused{};
  };
  static constexpr size_t modes = 4;
  KernelTier();
  Contention contention{};
  // How long its threads took when it was last run. Not known: counts as long, for its first portion alone may take
  // long.
  std::atomic<double> thread_ns{std::numeric_limits<double>::infinity()};
  std::array<Slot, modes> slots{};
};

class Tier {
 public:
  // What makes an image for an order; tests have others.
  using Compile = std::function<std::vector<std::byte>(std::span<const std::byte> order)>;
  // Processor time of the calling host thread in ns; likewise.
  using Clock = std::function<uint64_t()>;
  static uint64_t processor_time();
  explicit Tier(const TierOptions& options, Compile compile = code::compile, Clock clock = processor_time);
  ~Tier();
  Tier(const Tier&) = delete;
  Tier& operator=(const Tier&) = delete;

  // For threads that start with this cr0.0: where code is when there is some; nullptr: there will be none. Waits for
  // the code if everything is to be compiled, as long as that may take.
  KernelTier::Slot* slot(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0, code::ChainForm chain = {});
  // The same at the beginning of a dispatch of so many threads; and its end, with what was counted before and then.
  KernelTier::Slot* begin(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0, uint64_t threads,
                          code::ChainForm chain = {});
  void end(const KernelTier::Slot& slot, const struct ThreadCounts& before, const ThreadCounts& after);
  // Around what is interpreted because the slot has no code: now and then the time is taken, which is what begin_run()
  // answers then.
  uint64_t begin_run(const KernelTier::Slot& slot) const;
  void end_run(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t began,
               uint64_t instructions, bool thread_ended);
  // Where the code of a kernel with these routines is, once there is some. Null: there will be none. Waits for the code
  // if everything is to be fused at once.
  FusedCode* fused(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, RoutinesInUse in_use);
  // While there is none: it could have carried out so many messages.
  void used(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, FusedCode& fused, uint64_t messages);
  bool fuses() const;
  // Machine code of what messages do. Null: there will be none.
  code::Routines* routines() const;
  TierCounts counts() const;
  // In a forked child: the host thread of the parent does not exist here.
  void restart_after_fork();

 private:
  struct CompileQueue;
  std::shared_ptr<CompileQueue> queue_;  // host threads may outlive this
};

}  // namespace vitro::dispatch
