// The host threads that stand in for the EU array: they share the groups of a dispatch among them. PRM: none; how the
// hardware distributes groups over its subslices is not documented and cannot be seen by a program, except through what
// it does with atomics. Groups are handed out in order, several at a time, with one atomic addition, or in parts where
// there are few and their threads share nothing; those of a kernel without loops in as many orders as there are host
// threads, so that each finds in its caches what it left there. The calling thread works, too: it begins at once, and
// nobody else hears of a dispatch that is expected to be over sooner than others could begin. What runs long without an
// end (it may spin until another group does something) makes room for others, as it would beside them on hardware.
#pragma once

#include <memory>
#include <optional>

#include "dispatch/subslice.h"
#include "dispatch/work.h"

namespace vitro::dispatch {

struct PoolOptions {
  unsigned workers = 0;  // host threads at work on one dispatch, the caller included; 0: one per processor
  SubsliceOptions subslice{};
  uint64_t patience = 4'000'000;  // instructions a group may run before others are let in beside it
};

class Pool {
 public:
  explicit Pool(const PoolOptions& options = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned workers() const { return workers_; }
  const SubsliceOptions& subslice_options() const { return options_.subslice; }
  // Calls task(context, worker, n) for each n below `count`, on this host thread and on those that have nothing to do.
  // Each begins with a share of its own, in order of n: those who come back to the same n find in their caches what
  // they left there. `worker` is below workers(), and no two host threads have the same at a time. Returns when all of
  // them have. Others are called at once if that is worth it, going by what such tasks took lately, or when it turns
  // out to be.
  using Task = void (*)(void* context, unsigned worker, uint64_t n);
  struct TaskTime {
    double ns = 0;  // of one task, lately
  };
  void each(uint64_t count, Task task, void* context, TaskTime& time);
  // The same in two steps: between them the other host threads do tasks, and this one, which is to take both steps,
  // does what it likes. Null: that is not worth it.
  struct TaskList;
  std::shared_ptr<TaskList> begin_each(uint64_t count, Task task, void* context, const TaskTime& time);
  void finish_each(TaskList& list, TaskTime& time);
  // In a forked child: its parent's host threads do not exist here. No dispatch of the parent's can be finished.
  void restart_after_fork();

 private:
  friend class Caller;
  struct WorkQueue;
  PoolOptions options_;
  unsigned workers_;
  WorkQueue* queue_;
};

// A host thread that starts one dispatch after the other, of stages that live as long. The subslices that it and those
// who helped it ran on stay ready for the stage that they ran last, until the caller is gone.
class Caller {
 public:
  explicit Caller(Pool& pool) : pool_(pool) {}
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  // What was executed is added to `counts`. nullopt: all threads have ended.
  std::optional<Fault> run(const Stage& stage, const Threads& threads, Counts& counts);

 private:
  Subslice& subslice(const Stage& stage);

  Pool& pool_;
  std::unique_ptr<Subslice> subslice_{};
  const memory::Table* memory_ = nullptr;  // what the subslices of its stages may keep
};

}  // namespace vitro::dispatch
