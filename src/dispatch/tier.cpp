// Deciding when a kernel is compiled, and the host thread that does it. The list of what is to be compiled does not
// keep kernels alive: one that is forgotten by the time its turn comes needs no code. PRM: as tier.h.
#include "dispatch/tier.h"

#include <pthread.h>
#include <signal.h>

#include <condition_variable>
#include <deque>
#include <utility>

#include "dispatch/program_cache.h"

namespace vitro::dispatch {
namespace {

// Makes the code of a slot unless somebody did.
void make(const Kernel& kernel, KernelTier::Slot& slot, const Tier::Describe& describe) {
  const std::lock_guard guard(slot.making);
  if (std::exchange(slot.made, true)) return;
  slot.compiled = eu::jit::compile(kernel.program, {.mode = slot.mode,
                                                    .may_block = waiting_functions,
                                                    .may_block_at_end = waiting_functions & ~spawner_function,
                                                    .describe = describe,

                                                    .all_registers = kernel.sip != 0});
  slot.ready.store(slot.compiled.get(), std::memory_order_release);
}

}  // namespace

struct Tier::Workshop {
  const Describe& describe;
  struct Order {
    std::weak_ptr<const Kernel> kernel;
    KernelTier::Slot* slot;  // of the kernel
  };
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Order> orders;
  bool open = false, closing = false;
  pthread_t thread{};

  void add(Order order) {
    {
      const std::lock_guard guard(lock);
      orders.push_back(std::move(order));
      if (!open) start();
    }
    changed.notify_one();
  }
  void start() {  // under the lock
    // Signals are the program's business.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto run = [](void* workshop) -> void* {
      static_cast<Workshop*>(workshop)->work();
      return nullptr;
    };
    open = pthread_create(&thread, nullptr, run, this) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void work() {
    std::unique_lock guard(lock);
    for (;;) {
      changed.wait(guard, [&] { return closing || !orders.empty(); });
      if (closing) return;
      const Order order = std::move(orders.front());
      orders.pop_front();
      guard.unlock();
      if (const std::shared_ptr<const Kernel> kernel = order.kernel.lock()) make(*kernel, *order.slot, describe);
      guard.lock();
    }
  }
  void close() {
    {
      const std::lock_guard guard(lock);
      closing = true;
    }
    changed.notify_all();
    if (open) pthread_join(thread, nullptr);
  }
};

Tier::Tier(const TierOptions& options, Describe describe)
    : options_(options), describe_(std::move(describe)), workshop_(new Workshop{describe_}) {}

Tier::~Tier() {
  workshop_->close();
  delete workshop_;
}

// The old one is left as it is: its lock may be held by a thread that does not exist here.
void Tier::restart_after_fork() { workshop_ = new Workshop{describe_}; }

std::optional<Tiering> parse_tiering(std::string_view text) {
  constexpr std::pair<std::string_view, Tiering> names[] = {
      {"off", Tiering::off}, {"on", Tiering::on}, {"auto", Tiering::automatic}};
  for (const auto& [name, tiering] : names)
    if (text == name) return tiering;
  return std::nullopt;
}

KernelTier::KernelTier() {
  for (size_t n = 0; n < modes; ++n)
    slots[n].mode = {.keep_float_denormals = (n & 1) != 0, .keep_double_denormals = (n & 2) != 0};
}

KernelTier::Slot* Tier::slot(const Kernel& kernel, uint32_t cr0) {
  if (options_.tiering == Tiering::off) return nullptr;
  KernelTier::Slot& slot =
      kernel.tier->slots[((cr0 & eu::cr_keep_float_denorms) != 0) | ((cr0 & eu::cr_keep_double_denorms) != 0) << 1];
  if (options_.tiering == Tiering::on) make(kernel, slot, describe_);
  return &slot;
}

void Tier::interpreted(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t instructions) {
  if (options_.tiering != Tiering::automatic || slot.asked.load(std::memory_order_relaxed)) return;
  const uint64_t so_far = kernel->tier->interpreted.fetch_add(instructions, std::memory_order_relaxed) + instructions;
  if (so_far < options_.patience * kernel->program.plans().size()) return;
  if (!slot.asked.exchange(true)) workshop_->add({kernel, &slot});
}

}  // namespace vitro::dispatch
