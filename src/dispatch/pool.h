// The host threads that stand in for the EU array: they share the groups of a dispatch among them. PRM: none; how the
// hardware distributes groups over its subslices is not documented and cannot be seen by a program, except through what
// it does with atomics. Groups are handed out in order, several at a time, with one atomic addition, or in parts where
// there are few and their threads share nothing; the calling thread works, too, and alone if
// there is little to do. What runs long without an end (it may
// spin until another group does something) makes room for others, as it would beside them on hardware.
#pragma once

#include <memory>

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

  // May be called by several host threads at once.
  Outcome run(const Work& work);
  unsigned workers() const { return workers_; }
  // In a forked child: its parent's host threads do not exist here. No dispatch of the parent's can be finished.
  void restart_after_fork();

 private:
  struct Hall;
  PoolOptions options_;
  unsigned workers_;
  Hall* hall_;
};

}  // namespace vitro::dispatch
