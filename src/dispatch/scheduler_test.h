// For tests of what threads do to each other through shared functions: many threads on one host thread, which take
// turns in order of arrival or in a random order that a seed names; waiting, end of thread, deadlock.
// PRM: Gen6 vol 4 part 2 I-wait, I-sendc and section 5.3 (tdr: end of thread clears dependencies). The order in which
// the hardware runs threads is not documented: a program whose result depends on it is not synchronised.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "eu/compiled.h"
#include "eu/executor.h"
#include "isa/print.h"

namespace vitro::dispatch {

struct SchedulerOptions {
  uint64_t turn = 256;             // instructions a thread may run before the next one's turn
  uint64_t limit = 1'000'000'000;  // instructions of one thread; more are an endless loop
  std::optional<uint64_t> seed{};  // random order and random turns
};

// What is known about a thread besides its registers.
struct ThreadStart {
  uint32_t sip = 0;                 // the system routine
  std::optional<uint16_t> fftid{};  // by this number the thread dependency registers of others know it
  eu::Observer observer{};
  const eu::Compiled* code = nullptr;  // runs as this, if there is some
};

// A thread that waits for something that will not come.
struct Stuck {
  size_t id = 0;
  uint32_t ip = 0;
  std::string instruction, waits_for;
};
struct Report {
  std::vector<Stuck> stuck;     // not empty: deadlock
  std::vector<size_t> faulted;  // since the scheduler was made, in this order
  bool finished() const { return stuck.empty() && faulted.empty(); }
};
std::string to_text(const Report&);

class Scheduler {
 public:
  // What the functions' contexts point at must outlive the scheduler, which tells them of every thread that is gone.
  explicit Scheduler(const eu::SharedFunctions& functions, SchedulerOptions options = {});
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler();

  // The program must outlive the thread. May be called by a shared function while threads run.
  size_t add(const eu::Thread& initial, const eu::Program& program, const ThreadStart& start = {});
  size_t add(const eu::Thread&, eu::Program&&, const ThreadStart& = {}) = delete;
  // Forgets a thread that has ended, faulted or is stuck; ids are not used again.
  void remove(size_t id);

  // Runs until every thread has ended, faulted or waits in vain. Can be called again after something has changed.
  Report run();

  // Called after a thread has ended or faulted; may add threads and remove this one.
  void on_end(void (*ended)(void* context, size_t id), void* context) { ended_ = ended, ended_context_ = context; }

  eu::Thread& thread(size_t id);  // stays where it is until removed
  eu::Status status(size_t id) const;
  const std::optional<Fault>& fault(size_t id) const;
  uint64_t instructions(size_t id) const;
  uint64_t turns() const { return turns_; }  // given so far, to all threads
  static size_t bytes_per_thread();

 private:
  struct Slot;
  struct Watched {  // a shared function, and whose messages are counted
    eu::SharedFunction function;
    Scheduler* scheduler;
  };

  bool can_run(const Slot& slot) const;
  void take_turn(size_t id);
  void retire(Slot& slot);
  void say_gone(Slot& slot);
  Stuck describe(size_t id) const;

  SchedulerOptions options_;
  std::array<Watched, 16> watched_{};
  eu::SharedFunctions functions_{};
  std::vector<std::unique_ptr<Slot>> slots_;  // by id
  std::vector<size_t> live_, order_;
  std::vector<size_t> faulted_;
  std::optional<Rng> random_{};
  uint64_t changes_ = 0;  // messages carried out and threads gone: what may let a blocked one through
  uint64_t turns_ = 0;
  void (*ended_)(void*, size_t) = nullptr;
  void* ended_context_ = nullptr;
};

// Turns in sweeps over the threads that have not ended. A waiting thread gets none until what it waits for may have
// happened: its notification counter moved, or, for a message that was not taken, some other message was carried out,
// even if its own sender still waits for the answer, or a thread is gone. A sweep in which nobody could run is a
// deadlock: only other threads could have changed anything. PRM: Gen6 vol 4 part 2 I-wait, I-sendc, section 5.3 (tdr).

using eu::Plan;
using eu::Status;
using eu::Thread;

struct Scheduler::Slot {
  Thread thread;
  eu::Executor executor;
  std::optional<uint16_t> fftid;
  const eu::Compiled* code;
  bool poll = true;                   // try once, whatever it waits for
  const uint32_t* awaited = nullptr;  // waiting: the notification counter; nullptr: for a message to be taken
  uint64_t changes_seen = 0;          // when the message was last tried
  uint64_t vain = 0;                  // instructions tried that had to wait

  Slot(const Thread& t, const eu::Program& program, const eu::SharedFunctions& functions, const ThreadStart& start)
      : thread(t),
        executor{
            .thread = thread, .program = program, .functions = functions, .sip = start.sip, .observer = start.observer},
        fftid(start.fftid),
        code(start.code) {}

  bool over() const { return executor.status == Status::ended || executor.status == Status::faulted; }
  uint64_t instructions() const { return executor.executed - vain; }
  const Plan* plan() const { return executor.program.at(thread.ip); }
};

constexpr uint16_t dependency_valid = 0x8000;

// The notification counter that a wait names; nullptr for other instructions.
inline const uint32_t* awaited_counter(const Thread& t, const Plan& p) {
  if (!p.row || p.row->format != isa::Format::wait) return nullptr;
  const size_t which = p.instruction.src[0].subreg / 4;
  return which < t.notify.size() ? &t.notify[which] : nullptr;
}

inline std::string text_of(const eu::Program& program, const Plan* p) {
  return p && p->row ? isa::to_text(program.model(), p->instruction, {.messages = false, .columns = false}) : "";
}

inline std::string reason_to_wait(const Thread& t, const Plan& p) {
  if (const uint32_t* counter = awaited_counter(t, p))
    return fmt::format("a notification in n0.{}", counter - t.notify.data());
  std::string threads;
  for (uint16_t d : t.tdr)
    if (d & dependency_valid) threads += fmt::format("{}{}", threads.empty() ? "" : ", ", d & ~dependency_valid);
  const isa::Op op = p.instruction.op;
  if (!threads.empty() && (op == isa::Op::sendc || op == isa::Op::sendsc))
    return fmt::format("the end of the threads with FFTID {}", threads);
  return fmt::format("a message to be taken (SFID {})", p.instruction.sfid & 15);
}

inline size_t Scheduler::bytes_per_thread() {
  static_assert(sizeof(Slot) <= 16 * 1024, "a resident thread must stay small");
  return sizeof(Slot) + sizeof(std::unique_ptr<Slot>) + 2 * sizeof(size_t);
}

inline Scheduler::Scheduler(const eu::SharedFunctions& functions, SchedulerOptions options) : options_(options) {
  options_.turn = std::max<uint64_t>(options_.turn, 1);
  if (options.seed) random_.emplace(*options.seed);
  for (size_t n = 0; n < functions.size(); ++n) {
    if (!functions[n].handle) continue;
    watched_[n] = {functions[n], this};
    functions_[n] = {[](void* context, Thread& sender, eu::Message& message, std::string& reason) {
                       const Watched& w = *static_cast<Watched*>(context);
                       const eu::Reply reply = w.function.handle(w.function.context, sender, message, reason);
                       if (reply == eu::Reply::done || reply == eu::Reply::accepted) ++w.scheduler->changes_;
                       return reply;
                     },
                     &watched_[n],
                     [](void* context, Thread& thread) {
                       const eu::SharedFunction& f = static_cast<Watched*>(context)->function;
                       if (f.gone) f.gone(f.context, thread);
                     }};
  }
}

inline Scheduler::~Scheduler() {
  for (size_t id : live_) say_gone(*slots_[id]);
}

inline size_t Scheduler::add(const Thread& initial, const eu::Program& program, const ThreadStart& start) {
  slots_.push_back(std::make_unique<Slot>(initial, program, functions_, start));
  live_.push_back(slots_.size() - 1);
  return slots_.size() - 1;
}

inline void Scheduler::remove(size_t id) {
  if (!slots_[id]->over()) say_gone(*slots_[id]);
  slots_[id].reset();
  std::erase(live_, id);
}

inline Thread& Scheduler::thread(size_t id) { return slots_[id]->thread; }
inline Status Scheduler::status(size_t id) const { return slots_[id]->executor.status; }
inline const std::optional<Fault>& Scheduler::fault(size_t id) const { return slots_[id]->executor.fault; }
inline uint64_t Scheduler::instructions(size_t id) const { return slots_[id]->instructions(); }

inline bool Scheduler::can_run(const Slot& s) const {
  if (s.executor.status != Status::waiting || s.poll) return true;
  return s.awaited ? *s.awaited != 0 : s.changes_seen != changes_;
}

inline void Scheduler::take_turn(size_t id) {
  Slot& s = *slots_[id];
  const uint64_t wanted = random_ ? 1 + (*random_)() % options_.turn : options_.turn;
  const uint64_t left = options_.limit - std::min(options_.limit, s.instructions());
  ++turns_;
  s.poll = false;
  const uint64_t turn = std::min(wanted, left);
  Status status = s.code ? s.code->run(s.executor, turn) : s.executor.run(turn);
  if (status == Status::waiting) {
    ++s.vain;
    const Plan* p = s.plan();
    s.awaited = p ? awaited_counter(s.thread, *p) : nullptr;
    s.changes_seen = changes_;
  } else if (status == Status::running && s.instructions() >= options_.limit) {
    s.executor.stop(fmt::format("endless loop: no end of thread after {} instructions", s.instructions()));
    s.executor.fault->instruction = text_of(s.executor.program, s.plan());
    status = Status::faulted;
  }
  if (status == Status::faulted) faulted_.push_back(id);
  if (status == Status::ended) retire(s);
  if (s.over()) {
    std::erase(live_, id);
    say_gone(s);
    if (ended_) ended_(ended_context_, id);  // may remove the slot
  }
}

// Functions may let go of what they held for the thread, which may be what others wait for.
inline void Scheduler::say_gone(Slot& s) {
  eu::thread_is_gone(functions_, s.thread);
  ++changes_;
}

// The end of a thread is announced to all that depend on it.
inline void Scheduler::retire(Slot& ended) {
  if (!ended.fftid) return;
  for (size_t id : live_)
    for (uint16_t& d : slots_[id]->thread.tdr)
      if (d == (dependency_valid | *ended.fftid)) d = uint16_t(d & ~dependency_valid);
}

inline Report Scheduler::run() {
  for (size_t id : live_) slots_[id]->poll = true;  // the caller may have changed anything
  for (bool anyone = true; anyone && !live_.empty();) {
    anyone = false;
    order_ = live_;
    if (random_)
      for (size_t n = order_.size(); n > 1; --n) std::swap(order_[n - 1], order_[random_->below(uint32_t(n))]);
    for (size_t n = 0; n < order_.size(); ++n) {
      const size_t id = order_[n];
      if (!slots_[id] || slots_[id]->over() || !can_run(*slots_[id])) continue;
      anyone = true;
      if (!random_ || !random_->one_in(4)) take_turn(id);
    }
  }
  Report report;
  report.faulted = faulted_;
  for (size_t id : live_) report.stuck.push_back(describe(id));
  return report;
}

inline Stuck Scheduler::describe(size_t id) const {
  const Slot& s = *slots_[id];
  const Plan* p = s.plan();
  return {id, s.thread.ip, text_of(s.executor.program, p), p && p->row ? reason_to_wait(s.thread, *p) : ""};
}

inline std::string to_text(const Report& report) {
  std::string text;
  if (!report.stuck.empty()) text += fmt::format("deadlock: {} threads wait in vain\n", report.stuck.size());
  for (const Stuck& s : report.stuck)
    text += fmt::format("  thread {} at IP {:#x} ({}) waits for {}\n", s.id, s.ip, s.instruction, s.waits_for);
  for (size_t id : report.faulted) text += fmt::format("thread {} faulted\n", id);
  return text;
}

}  // namespace vitro::dispatch
