// Completion: the one moment at which a piece of work is over, for everybody who may ask. Its fences in all arenas, its
// sync_files, and whatever was made of these here (followers) signal together, under the locks of all arenas
// concerned: a waiter that was told by one of them gets the same answer from all the others, as each "not yet" is
// given under such a lock. Source of the behaviour: Linux dma_fence_signal, of which a request has one (dma-fence.c).
// Not modelled: followers of other processes' fences signal a little later, by a thread that waits for them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "i915/fence.h"

namespace vitro::i915 {

class KernelState;

// What shall signal when fences have: a fence of any arena, or a sync_file by its write end (internal).
struct Signal {
  Dependency fence{};
  int pipe = -1;
};

// A signal that waits for fences which this process will complete.
struct Follower {
  Signal signal;
  size_t left = 0;  // of these fences
  int error = 0;    // the first of theirs
};

struct Followers {
  std::mutex lock;
  std::multimap<std::tuple<uint64_t, uint32_t, uint32_t>, std::shared_ptr<Follower>> by_fence;  // inode, slot, round
};

// `error`: 0 or the negative errno that the work ended with.
void complete(KernelState& kernel, std::span<const Signal> signals, int error);
// Completes `signal` after all the fences, with the first of their errors. Takes their descriptors over. -ENOMEM if a
// thread is needed and cannot be had; then nothing was done.
int follow(KernelState& kernel, std::vector<Dependency> fences, const Signal& signal);

}  // namespace vitro::i915
