// Deciding when a kernel is compiled, and the host thread that does it. The list of what is to be compiled does not
// keep kernels alive: one that is forgotten by the time its turn comes needs no code. A host thread that does not come
// to an end with a kernel is left to itself, and another takes the orders; it is noticed by those who wait for code.
// PRM: as tier.h.
#include "dispatch/tier.h"

#include <fmt/format.h>
#include <pthread.h>
#include <time.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <map>
#include <span>
#include <utility>

#include "base/abandon.h"
#include "base/host_thread.h"
#include "code/order.h"
#include "code/store.h"
#include "code/symbols.h"
#include "dispatch/program_cache.h"
#include "dispatch/tier_account.h"
#include "dispatch/work.h"
#include "isa/disassemble.h"

namespace vitro::dispatch {
namespace {

using Wish = KernelTier::Wish;
using Steady = std::chrono::steady_clock;

// So many host threads may be left to themselves; when there are more, nothing is compiled.
constexpr int most_lost = 3;
// The clock is read twice for so many instructions, which take some 0.1 ms, and later for each eighth more: reading
// takes 0.5 us.
constexpr uint64_t timing_interval = 2000, timing_part = 8;
// A run that takes so much longer than those before met something that has nothing to do with its instructions: a page
// of memory that the system had to find, another program's leavings in the caches.
constexpr double outlier = 2;
// Messages that are carried out by the host's form of a routine, in 0.1 us more than its code would take, before 5 ms
// are spent on that: as with kernels, somewhat less than what would pay. The first code of all costs the compiler's
// library, too, so it is made when so much was lost several times.
constexpr uint32_t routine_uses = 16'384;
constexpr double routine_ns = 5'000'000;
constexpr unsigned times_for_library = unsigned(1 + TierAccount::library_ns / routine_ns);
// Messages of a set of routines before its fused code is made, which takes some 30 ms, for some nanoseconds less each:
// as many as sixty pictures of a megapixel have, sixteen pixels in each. Before that kept code is looked for.
constexpr uint64_t fused_uses = 4'000'000, fused_kept_uses = fused_uses / 64;

void write_text(const std::string& path, std::string_view text) {
  if (FILE* file = std::fopen(path.c_str(), "we")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
}

}  // namespace

struct Tier::CompileQueue : std::enable_shared_from_this<Tier::CompileQueue> {
  struct Order {
    std::weak_ptr<const Kernel> kernel;
    KernelTier::Slot* slot;  // of the kernel
    Wish wish;
    FusedCode* fused = nullptr;        // of the slot, instead of its own code
    code::Routine* routine = nullptr;  // instead of a kernel

    PendingCode& code() const { return fused ? static_cast<PendingCode&>(*fused) : *slot; }
    void answer() const {
      if (routine)
        routine->answered = true;
      else if (const auto alive = kernel.lock())
        code().answered = true;
    }
  };
  TierOptions options;
  Compile compile;
  Clock clock;
  code::Store store;
  TierAccount account{};
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Order> orders;
  TierCounts counts{};
  std::atomic<bool> has_compiled{false};                     // so the compiler's library is there
  std::map<const code::Routine*, unsigned> routine_times{};  // that they were worth their own code before it was
  bool staffed = false, closing = false;                     // staffed: a host thread takes orders
  uint64_t shift = 0;                                        // the number of that thread
  int lost = 0;                                              // threads left to themselves
  PendingCode* in_hand = nullptr;
  std::atomic<Steady::time_point> due{Steady::time_point::max()};  // when it is to be done
  code::Routines routines{options.tiering == Tiering::on ? 1 : routine_uses, [this](code::Routine& r) { order(r); }};

  CompileQueue(const TierOptions& o, Compile m, Clock c, const code::Store& s)
      : options(o), compile(std::move(m)), clock(std::move(c)), store(s) {}

  void add(Order order) {
    {
      const std::lock_guard guard(lock);
      if (!staffed && lost < most_lost) start();
      if (!staffed) return order.answer();
      // What goes on without is the last to have its turn.
      const auto before = [&] { return std::ranges::find_if(orders, [](const Order& o) { return o.fused; }); };
      orders.insert(order.fused ? orders.end() : before(), std::move(order));
    }
    changed.notify_all();
  }
  void start() {  // under the lock
    using Shared = std::shared_ptr<CompileQueue>;
    const auto run = [](void* given) -> void* {
      const std::unique_ptr<Shared> queue(static_cast<Shared*>(given));
      (*queue)->work();
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
      Order order = std::move(orders.front());
      orders.pop_front();
      if (order.routine) {
        guard.unlock();
        make(*order.routine);
        guard.lock();
        order.answer();
        changed.notify_all();
        continue;
      }
      const std::shared_ptr<const Kernel> kernel = order.kernel.lock();
      if (!kernel) continue;
      reconsider(*kernel, order);
      in_hand = &order.code();
      due = Steady::now() +
            std::chrono::milliseconds(options.allowed_ms + options.allowed_ms_each * kernel->program.plans().size());
      changed.notify_all();
      guard.unlock();
      make(*kernel, *order.slot, order.fused, order.wish);
      guard.lock();
      if (own == shift) {
        hand_over();
      } else {  // given up long ago, and done after all
        --lost, --counts.given_up;
        if (staffed) return;
        staffed = true, own = ++shift;
      }
    }
    staffed = false;
    changed.notify_all();
  }
  // What was worth its price when it was ordered may have come to its end while others had their turn.
  void reconsider(const Kernel& kernel, Order& order) const {
    if (order.wish != Wish::code || order.fused || options.tiering != Tiering::automatic || pays(kernel, *order.slot))
      return;
    order.slot->asked = order.wish = Wish::kept_code;
  }
  bool pays(const Kernel& kernel, const KernelTier::Slot& slot) const {
    const uint64_t interpreted = slot.interpreted, begun = slot.begun, ended = slot.ended, timed = slot.timed;
    const double so_far = timed ? double(interpreted) * double(slot.time) / double(timed) : 0;
    const double rest = ended && begun > ended ? so_far / double(ended) * double(begun - ended) : 0;
    return account.pays(kernel.program.plans().size(), so_far, rest, options.patience);
  }
  void hand_over() {  // under the lock
    in_hand->answered = true;
    in_hand = nullptr;
    due = Steady::time_point::max();
    changed.notify_all();
  }
  // Leaves the host thread to itself if it has taken too long.
  void look_after() {
    if (Steady::now() < due.load(std::memory_order_relaxed)) return;
    const std::lock_guard guard(lock);
    if (!in_hand || Steady::now() < due.load()) return;
    ++lost, ++counts.given_up, ++shift;
    hand_over();
    staffed = false;
    if (lost < most_lost && !closing) start();
    if (staffed) return;
    for (const Order& order : orders) order.answer();
    orders.clear();
    changed.notify_all();
  }
  // Until there is code for the slot, or there will be none.
  void wait_for(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot) {
    if (slot.asked.exchange(Wish::code) != Wish::code) add({kernel, &slot, Wish::code});
    wait_for(slot);
  }
  void wait_for(const PendingCode& code) {
    std::unique_lock guard(lock);
    while (!code.answered)
      if (changed.wait_until(guard, due.load()) == std::cv_status::timeout) {
        guard.unlock();
        look_after();
        guard.lock();
      }
  }
  // Code that was kept costs no library: it is looked for at once.
  bool pays(code::Routine& routine) {
    if (options.tiering != Tiering::automatic || has_compiled) return true;
    unsigned times = 0;
    {
      const std::lock_guard guard(lock);
      times = ++routine_times[&routine];
    }
    if (times >= times_for_library) return true;
    if (times == 1 && find_kept(routine)) {
      routine.answered = true;
      return false;
    }
    routine.uses = 0;
    routine.asked = false;
    return false;
  }
  // Waits for it if everything is to be compiled.
  void order(code::Routine& routine) {
    if (!pays(routine)) return;
    add({{}, nullptr, Wish::code, nullptr, &routine});
    if (options.tiering != Tiering::on) return;
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return routine.answered || closing; });
  }
  bool find_kept(code::Routine& routine) {
    const auto bytes = store.find(code::key_of({.routine = routine.key}));
    return bytes && code::load(routine, *bytes);
  }
  void make(code::Routine& routine) {
    if (find_kept(routine)) return;
    const code::Order o{.routine = routine.key};
    has_compiled = true;
    const std::vector<std::byte> bytes = compile(code::to_bytes(o));
    if (!code::load(routine, bytes)) return;
    const std::lock_guard books(lock);
    store.keep(code::key_of(o), bytes);
  }
  // Makes the code of a slot, or fused code of it, unless somebody did.
  void make(const Kernel& kernel, KernelTier::Slot& slot, FusedCode* fused, Wish wish) {
    PendingCode& code = fused ? static_cast<PendingCode&>(*fused) : slot;
    const std::lock_guard guard(code.making);
    if (code.made || (wish == Wish::kept_code && code.looked)) return;
    code::Order o{.device = options.device,
                  .kernel = kernel.code,
                  .mode = slot.mode,
                  .chain = slot.chain,
                  .fused = fused ? fused->set : code::FusedRoutines(),
                  .all_registers = kernel.sip != 0,
                  .counts_messages = options.counts_messages,
                  .exact_nans = options.exact_nans};
    o.name = fmt::format("eu_{}_{:016x}{}", options.device, XXH3_64bits(kernel.code.data(), kernel.code.size()),
                         &slot == &kernel.tier->slots[0] ? "" : fmt::format("_{}", &slot - kernel.tier->slots.data()));
    if (fused) o.name += fmt::format("_fused_{:08x}", uint32_t(hash_of(fused->set)));
    const std::string key = code::key_of(o);
    if (!std::exchange(code.looked, true) && options.dump.empty())
      if (const auto bytes = store.find(key)) code.compiled = eu::load(kernel.program, *bytes);
    const bool kept = code.compiled != nullptr;
    if (!kept) {
      if (wish == Wish::kept_code) return;
      if (!options.dump.empty()) dump(kernel, o);
      const uint64_t began = clock();
      has_compiled = true;
      const std::vector<std::byte> bytes = compile(code::to_bytes(o));
      code.compiled = eu::load(kernel.program, bytes);
      if (!fused) account.compiled(kernel.program.plans().size(), clock() - began);
      if (code.compiled) {
        const std::lock_guard books(lock);
        store.keep(key, bytes);
      }
    }
    code.made = true;
    note(code.compiled.get(), kept, fused);
    if (!code.compiled || (fused && !code.compiled->can_replace(*slot.ready.load(std::memory_order_acquire)))) return;
    tell(code, o.name, code.compiled->code());
    tell(code, o.name + "_shared", code.compiled->shared_code());
    code.ready.store(code.compiled.get(), std::memory_order_release);
  }
  static uint64_t hash_of(const code::FusedRoutines& set) {
    std::vector<std::byte> bytes;
    code::append_routines(bytes, set);
    return XXH3_64bits(bytes.data(), bytes.size());
  }

  void tell(PendingCode& of, const std::string& name, std::span<const std::byte> code) const {
    if (code.empty()) return;
    if (options.tell_perf) code::tell_perf(name, code);
    if (options.tell_gdb) of.symbols.push_back(code::tell_gdb(name, code));
  }

  void dump(const Kernel& kernel, code::Order& o) const {
    o.dump_path = options.dump + "/" + o.name;
    write_text(o.dump_path + ".eu", isa::disassemble(kernel.program.model(), kernel.code, {.offsets = true}));
  }

  void note(const eu::Compiled* code, bool kept, bool fused) {
    const std::lock_guard books(lock);
    if (!code)
      ++counts.failed;
    else if (fused)
      ++(kept ? counts.fused_loaded : counts.fused);
    else
      ++(kept ? counts.loaded : counts.compiled);
    if (!code) return;
    const eu::CodeCounts& c = code->counts();
    counts.code_bytes += c.code_bytes;
    if (kept) return;
    counts.milliseconds += c.milliseconds;
    if (fused) return;  // they are the same instructions
    counts.native += uint64_t(c.emitted), counts.called += uint64_t(c.called), counts.left += uint64_t(c.left);
  }

  // What is in hand is finished, unless it takes too long.
  void close() {
    std::unique_lock guard(lock);
    closing = true;
    changed.notify_all();
    changed.wait_until(guard, due.load(), [&] { return !staffed; });
  }
};

Tier::Tier(const TierOptions& options, Compile compile, Clock clock)
    : queue_(std::make_shared<CompileQueue>(options, std::move(compile), std::move(clock),
                                            code::Store(options.store, options.report))) {}

Tier::~Tier() { queue_->close(); }

// The old one is left as it is: its lock may be held by a thread that does not exist here.
void Tier::restart_after_fork() {
  const std::shared_ptr<CompileQueue>& old = abandon(queue_);
  queue_ = std::make_shared<CompileQueue>(old->options, old->compile, old->clock, old->store);
}

code::Routines* Tier::routines() const { return queue_->options.tiering == Tiering::off ? nullptr : &queue_->routines; }

TierCounts Tier::counts() const {
  const std::lock_guard guard(queue_->lock);
  return queue_->counts;
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

KernelTier::Slot* Tier::slot(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0, code::ChainForm chain) {
  const Tiering tiering = queue_->options.tiering;
  if (tiering == Tiering::off) return nullptr;
  KernelTier::Slot& slot =
      kernel->tier->slots[((cr0 & eu::cr_keep_float_denorms) != 0) | ((cr0 & eu::cr_keep_double_denorms) != 0) << 1];
  if (chain.apart() && slot.chain.load(std::memory_order_relaxed) != chain) {
    code::ChainForm none{};
    slot.chain.compare_exchange_strong(none, chain);
  }
  if (tiering == Tiering::on && !slot.answered.load(std::memory_order_acquire)) queue_->wait_for(kernel, slot);
  return &slot;
}

KernelTier::Slot* Tier::begin(const std::shared_ptr<const Kernel>& kernel, uint32_t cr0, uint64_t threads,
                              code::ChainForm chain) {
  KernelTier::Slot* slot = this->slot(kernel, cr0, chain);
  // Those of dispatches that were abandoned will not come. Once there is code nobody asks: what is only read stays in
  // the caches of all.
  if (slot && !slot->ready.load(std::memory_order_relaxed))
    slot->begun.store(slot->ended.load(std::memory_order_relaxed) + threads, std::memory_order_relaxed);
  return slot;
}

void Tier::end(const KernelTier::Slot& slot, const ThreadCounts& before, const ThreadCounts& after) {
  const uint64_t timed = slot.timed.load(std::memory_order_relaxed), threads = after.threads - before.threads,
                 compiled_threads = after.compiled_threads - before.compiled_threads,
                 instructions = after.instructions - before.instructions;
  if (!compiled_threads || !timed) return;
  queue_->account.ran(double(slot.time) / double(timed) * double(instructions) * double(compiled_threads) /
                      double(threads));
}

uint64_t Tier::processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000 + uint64_t(t.tv_nsec);
}

uint64_t Tier::begin_run(const KernelTier::Slot& slot) const {
  const TierOptions& o = queue_->options;
  if (o.tiering != Tiering::automatic) return 0;
  // The first ones find everything cold.
  const uint64_t next =
      std::max(slot.next_timed.load(std::memory_order_relaxed), std::min(timing_interval, o.look_after));
  return slot.interpreted.load(std::memory_order_relaxed) < next ? 0 : queue_->clock();
}

void Tier::end_run(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, uint64_t began,
                   uint64_t instructions, bool thread_ended) {
  const TierOptions& o = queue_->options;
  if (o.tiering != Tiering::automatic) return;
  const uint64_t so_far = slot.interpreted.fetch_add(instructions, std::memory_order_relaxed) + instructions;
  if (thread_ended) slot.ended.fetch_add(1, std::memory_order_relaxed);
  if (!began) return;
  const uint64_t ns = queue_->clock() - began, timed = slot.timed;
  const double most = double(slot.time) / double(timed) * double(instructions) * outlier;
  slot.timed += instructions, slot.time += timed && double(ns) > most ? uint64_t(most) : ns;
  slot.next_timed = so_far + std::max(timing_interval, so_far / timing_part);
  Wish asked = slot.asked.load(std::memory_order_relaxed);
  if (asked == Wish::code) return queue_->look_after();  // it waits for its turn
  if (so_far < o.look_after) return;
  const Wish wish = queue_->pays(*kernel, slot) ? Wish::code : queue_->store.is_on() ? Wish::kept_code : Wish::nothing;
  while (asked < wish)
    if (slot.asked.compare_exchange_weak(asked, wish)) {
      queue_->make(*kernel, slot, nullptr, Wish::kept_code);  // sooner than another host thread would begin to
      if (wish == Wish::code && !slot.ready) queue_->add({kernel, &slot, wish});
      return;
    }
}

bool Tier::fuses() const { return queue_->options.fusing != Fusing::never; }

FusedCode* Tier::fused(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, RoutinesInUse in_use) {
  FusedCode* const fused = fuses() && !in_use.empty() ? slot.fused.find(in_use) : nullptr;
  if (!fused || queue_->options.fusing != Fusing::at_once) return fused;
  if (fused->asked.exchange(Wish::code) != Wish::code) queue_->add({kernel, &slot, Wish::code, fused});
  queue_->wait_for(*fused);
  return fused;
}

void Tier::used(const std::shared_ptr<const Kernel>& kernel, KernelTier::Slot& slot, FusedCode& fused,
                uint64_t messages) {
  if (fused.asked.load(std::memory_order_relaxed) == Wish::code) return;
  const uint64_t uses = fused.uses.fetch_add(messages, std::memory_order_relaxed) + messages;
  Wish asked = Wish::nothing;
  if (uses >= fused_kept_uses && fused.asked.compare_exchange_strong(asked, Wish::kept_code)) {
    if (queue_->store.is_on()) queue_->make(*kernel, slot, &fused, Wish::kept_code);
    if (fused.ready) fused.asked = Wish::code;
  }
  if (uses < fused_uses || fused.asked.exchange(Wish::code) == Wish::code) return;
  if (slot.fused.has_room()) queue_->add({kernel, &slot, Wish::code, &fused});
}

}  // namespace vitro::dispatch
