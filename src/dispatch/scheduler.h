// Running many interpreted threads on one host thread: turns, waiting, end of thread, deadlock.
// PRM: Gen6 vol 4 part 2 I-wait, I-sendc and section 5.3 (tdr: end of thread clears dependencies). The order in which
// the hardware runs threads is not documented and not modelled: every thread gets its turn, in order of arrival, or in
// a random order that a seed names. A program whose result depends on the order is not synchronised.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "eu/compiled.h"
#include "eu/executor.h"

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

}  // namespace vitro::dispatch
