// Deciding when a kernel is compiled, and the host thread that does it. The list of what is to be compiled does not
// keep kernels alive: one that is forgotten by the time its turn comes needs no code. A host thread that does not come
// to an end with a kernel is left to itself, and another takes the orders; it is noticed by those who wait for code.
// PRM: as tier.h.
#include "dispatch/tier.h"

#include <fmt/format.h>
#include <pthread.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <span>
#include <utility>

#include "base/abandon.h"
#include "base/host_thread.h"
#include "dispatch/code_store.h"
#include "dispatch/code_symbols.h"
#include "dispatch/program_cache.h"
#include "isa/disassemble.h"

namespace vitro::dispatch {
namespace {

using Wish = KernelTier::Wish;
using Clock = std::chrono::steady_clock;

// So many host threads may be left to themselves; when there are more, nothing is compiled.
constexpr int most_lost = 3;

void write_text(const std::string& path, std::string_view text) {
  if (FILE* file = std::fopen(path.c_str(), "we")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
}

}  // namespace

struct Tier::Workshop : std::enable_shared_from_this<Tier::Workshop> {
  struct Order {
    std::weak_ptr<const Kernel> kernel;
    KernelTier::Slot* slot;  // of the kernel
    Wish wish;
  };
  TierOptions options;
  Describe describe;
  Generate generate;
  CodeStore store;
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Order> orders;
  TierCounts counts{};
  bool staffed = false, closing = false;  // staffed: a host thread takes orders
  uint64_t shift = 0;                     // the number of that thread
  int lost = 0;                           // threads left to themselves
  KernelTier::Slot* in_hand = nullptr;
  std::atomic<Clock::time_point> due{Clock::time_point::max()};  // when it is to be done

  Workshop(const TierOptions& o, Describe d, Generate g, const CodeStore& s)
      : options(o), describe(std::move(d)), generate(std::move(g)), store(s) {}

  void add(Order order) {
    {
      const std::lock_guard guard(lock);
      if (!staffed && lost < most_lost) start();
      if (!staffed) {
        order.slot->answered = true;
        return;
      }
      orders.push_back(std::move(order));
    }
    changed.notify_all();
  }
  void start() {  // under the lock
    using Shared = std::shared_ptr<Workshop>;
    const auto run = [](void* given) -> void* {
      const std::unique_ptr<Shared> workshop(static_cast<Shared*>(given));
      (*workshop)->work();
      return nullptr;
    };
    auto own = std::make_unique<Shared>(shared_from_this());
    pthread_t thread;
    staffed = start_host_thread(thread, run, own.get()) == 0;
    if (staffed) pthread_detach(thread), static_cast<void>(own.release());
  }
  void work() {
    std::unique_lock guard(lock);
    for (uint64_t own = ++shift;;) {
      changed.wait(guard, [&] { return closing || !orders.empty(); });
      if (closing) break;
      const Order order = std::move(orders.front());
      orders.pop_front();
      const std::shared_ptr<const Kernel> kernel = order.kernel.lock();
      if (!kernel) continue;
      in_hand = order.slot;
      due = Clock::now() +
            std::chrono::milliseconds(options.allowed_ms + options.allowed_ms_each * kernel->program.plans().size());
      changed.notify_all();
      guard.unlock();
      make(*kernel, *order.slot, order.wish);
      guard.lock();
      if (own == shift) {
        hand_over();
      } else {  // given up long ago, and done after all
        --lost, --counts.failed;
        if (staffed) return;
        staffed = true, own = ++shift;
      }
    }
    staffed = false;
    changed.notify_all();
  }
  void hand_over() {  // under the lock
    in_hand->answered = true;
    in_hand = nullptr;
    due = Clock::time_point::max();
    changed.notify_all();
  }
  // Leaves the host thread to itself if it has taken too long.
  void look_after() {
    if (Clock::now() < due.load(std::memory_order_relaxed)) return;
    const std::lock_guard guard(lock);
    if (!in_hand || Clock::now() < due.load()) return;
    ++lost, ++counts.failed, ++shift;
    hand_over();
    staffed = false;
    if (lost < most_lost && !closing) start();
    if (staffed) return;
    for (const Order& order : orders)
      if (const auto kernel = order.kernel.lock()) order.slot->answered = true;
    orders.clear();
  }
  // Until there is code for the slot, or there will be none.
  void wait_for(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot) {
    if (slot.asked.exchange(Wish::code) != Wish::code) add({kernel, &slot, Wish::code});
    std::unique_lock guard(lock);
    while (!slot.answered)
      if (changed.wait_until(guard, due.load()) == std::cv_status::timeout) {
        guard.unlock();
        look_after();
        guard.lock();
      }
  }
  // Makes the code of a slot unless somebody did.
  void make(const Kernel& kernel, KernelTier::Slot& slot, Wish wish) {
    const std::lock_guard guard(slot.making);
    if (slot.made || (wish == Wish::kept_code && slot.looked)) return;
    eu::jit::Options o = compiling_options(describe, options.counts_messages);
    o.mode = slot.mode;
    o.all_registers = kernel.sip != 0;
    o.name = fmt::format("eu_{}_{:016x}{}", options.device, XXH3_64bits(kernel.code.data(), kernel.code.size()),
                         &slot == &kernel.tier->slots[0] ? "" : fmt::format("_{}", &slot - kernel.tier->slots.data()));
    const std::string key = key_of(kernel, o);
    if (!std::exchange(slot.looked, true) && options.dump.empty())
      if (const auto bytes = store.find(key)) slot.compiled = eu::jit::load(kernel.program, *bytes);
    const bool kept = slot.compiled != nullptr;
    if (!kept) {
      if (wish == Wish::kept_code) return;
      if (!options.dump.empty()) dump(kernel, o);
      const std::vector<std::byte> bytes = generate(kernel.program, o);
      slot.compiled = eu::jit::load(kernel.program, bytes);
      if (slot.compiled) {
        const std::lock_guard books(lock);
        store.keep(key, bytes);
      }
    }
    slot.made = true;
    note(slot.compiled.get(), kept);
    if (!slot.compiled) return;
    tell(slot, o.name, slot.compiled->code());
    tell(slot, o.name + "_shared", slot.compiled->shared_code());
    slot.ready.store(slot.compiled.get(), std::memory_order_release);
  }

  void tell(KernelTier::Slot& slot, const std::string& name, std::span<const std::byte> code) const {
    if (code.empty()) return;
    if (options.tell_perf) tell_perf(name, code);
    if (options.tell_gdb) slot.symbols.push_back(tell_gdb(name, code));
  }

  // Everything that the code depends on.
  std::string key_of(const Kernel& kernel, const eu::jit::Options& o) const {
    // never destroyed: code may be made while the process exits
    static const std::string& made_by =
        *new std::string(fmt::format("{}\n{}\n", eu::jit::build_name(), eu::jit::host_name()));
    return fmt::format("{}{} {} {} {} {} {} {} {:x} {:x}\n{}", made_by, options.device, kernel.program.model().name,
                       o.mode.keep_float_denormals, o.mode.keep_double_denormals, bool(o.describe), o.all_registers,
                       o.counts_carried, o.may_block, o.may_block_at_end,
                       std::string_view(reinterpret_cast<const char*>(kernel.code.data()), kernel.code.size()));
  }

  void dump(const Kernel& kernel, eu::jit::Options& o) const {
    o.dump_path = options.dump + "/" + o.name;
    write_text(o.dump_path + ".eu", isa::disassemble(kernel.program.model(), kernel.code, {.offsets = true}));
  }

  void note(const eu::jit::Compiled* code, bool kept) {
    const std::lock_guard books(lock);
    ++(!code ? counts.failed : kept ? counts.loaded : counts.compiled);
    if (!code) return;
    const eu::jit::Counts& c = code->counts();
    counts.code_bytes += c.code_bytes;
    if (kept) return;
    counts.native += uint64_t(c.emitted), counts.called += uint64_t(c.called), counts.left += uint64_t(c.left);
    counts.milliseconds += c.milliseconds;
  }

  // What is in hand is finished, unless it takes too long.
  void close() {
    std::unique_lock guard(lock);
    closing = true;
    changed.notify_all();
    changed.wait_until(guard, due.load(), [&] { return !staffed; });
  }
};

eu::jit::Options compiling_options(Tier::Describe describe, bool counts_messages) {
  return {.may_block = waiting_functions,
          .may_block_at_end = waiting_functions & ~spawner_function,
          .describe = std::move(describe),
          .all_registers = false,
          .counts_carried = counts_messages};
}

Tier::Tier(const TierOptions& options, Describe describe, Generate generate)
    : workshop_(std::make_shared<Workshop>(options, std::move(describe), std::move(generate),
                                           CodeStore(options.store, options.report))) {}

Tier::~Tier() { workshop_->close(); }

// The old one is left as it is: its lock may be held by a thread that does not exist here.
void Tier::restart_after_fork() {
  const std::shared_ptr<Workshop>& old = abandon(workshop_);
  workshop_ = std::make_shared<Workshop>(old->options, old->describe, old->generate, old->store);
}

TierCounts Tier::counts() const {
  const std::lock_guard guard(workshop_->lock);
  return workshop_->counts;
}

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

KernelTier::Slot* Tier::slot(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0) {
  const Tiering tiering = workshop_->options.tiering;
  if (tiering == Tiering::off) return nullptr;
  KernelTier::Slot& slot =
      kernel->tier->slots[((cr0 & eu::cr_keep_float_denorms) != 0) | ((cr0 & eu::cr_keep_double_denorms) != 0) << 1];
  if (tiering == Tiering::on && !slot.answered.load(std::memory_order_acquire)) workshop_->wait_for(kernel, slot);
  return &slot;
}

void Tier::interpreted(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t instructions) {
  const TierOptions& o = workshop_->options;
  Wish asked = slot.asked.load(std::memory_order_relaxed);
  if (o.tiering != Tiering::automatic) return;
  if (asked == Wish::code) return workshop_->look_after();  // it waits for its turn
  const uint64_t so_far = kernel->tier->interpreted.fetch_add(instructions, std::memory_order_relaxed) + instructions;
  const Wish wish = so_far >= o.patience * kernel->program.plans().size() ? Wish::code
                    : so_far >= o.look_after && workshop_->store.is_on()  ? Wish::kept_code
                                                                          : Wish::nothing;
  while (asked < wish)
    if (slot.asked.compare_exchange_weak(asked, wish)) return workshop_->add({kernel, &slot, wish});
}

}  // namespace vitro::dispatch
