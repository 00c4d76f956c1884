// What compiled code and its surroundings say to each other. Compiled code refers to nothing by address: all it needs
// stands in a Call, so that an object file could be kept and loaded again.
// PRM: none; see compiled.h.
#pragma once

#include <cstdint>
#include <span>

#include "eu/executor.h"

namespace vitro::eu {

struct Call {
  Thread* thread = nullptr;
  Executor* executor = nullptr;
  const Plan* plans = nullptr;
  // Run the handler of an instruction on the thread's image. Not zero: the executor's status is no longer `running`.
  uint32_t (*handle)(Call*, const Plan*) = nullptr;
  uint32_t (*branch)(Call*, const Plan*) = nullptr;                   // may move channels
  uint32_t (*plain)(Call*, const Plan*) = nullptr;                    // for messages that are
  uint32_t (*transfer)(Call*, const Plan*, uint32_t site) = nullptr;  // may find a window
  // The thread has ended, and what follows is not simply another one of its group.
  uint32_t (*next)(Call*) = nullptr;  // a Next
  // The thread waits. Not zero: another one stands in its place.
  uint32_t (*turn)(Call*) = nullptr;
  uint32_t* waiting = nullptr;  // channels, by label: at entry and at exit
  Window* windows = nullptr;    // by site
  ThreadChain* chain = nullptr;
  const class Compiled* compiled = nullptr;
  uint64_t budget = 0;
  uint64_t executed = 0;
  uint64_t before = 0;    // of these, instructions of threads that have ended
  uint32_t unfenced = 1;  // since the last fence memory may have been written that others than the group may read
  uint32_t dirty = 1;     // the image may differ from what the thread was started with, beyond active, ip and cr0.0
};

// What stands in the place of a thread that has ended.
enum class Next : uint32_t {
  none,
  thread,  // one at its start
  group,   // the first of those that are left
};

// Why compiled code returned.
enum class Left : uint32_t {
  stopped,    // the executor's status says it, or the budget is used up
  interpret,  // the instruction at thread.ip is for the interpreter
};
using Code = uint32_t (*)(Call*);

// The index of a label; -1: no channel waits there.
int label_index(std::span<const uint32_t> labels, uint32_t ip);

}  // namespace vitro::eu
