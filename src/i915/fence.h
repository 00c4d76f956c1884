// Fences: what tells that a piece of work has ended, in this process or another. A fence lives in the arena of what it
// guards; the process that will signal it is written beside it, so that a waiter notices when that process is gone.
// Source of the behaviour: Linux dma_fence and dma_resv (drivers/dma-buf). Nobody spins for
// long: who waits for one fence sleeps on its word, who waits for anything else on the arena's event word.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "i915/arena.h"

namespace vitro::i915 {

inline constexpr int64_t forever_ns = std::numeric_limits<int64_t>::max();
// So long at most one waits awake for a fence: on a machine of few processors it takes one from those who work.
inline constexpr int64_t worth_awaiting_ns = 100'000;

// A fence as this process holds it, or a sync_file of another process (`fd`, owned by the holder of the Dependency).
struct Dependency {
  std::shared_ptr<Arena> arena{};
  FenceRef fence{};
  int fd = -1;
};

// Needs the lock. An unset reference if there are too many.
FenceRef new_fence(Arena& arena, uint64_t timeline, uint32_t engine_class);
// Signals the fence unless it has. Tells whether somebody waits for it, who is then to be woken by wake_waiters();
// announce() is for all others. error: 0 or a negative errno, which fence_status() then gives. Needs the lock.
bool mark_signalled(Arena& arena, FenceRef fence, int error);
void wake_waiters(Arena& arena, FenceRef fence);
bool is_signalled(Arena& arena, FenceRef fence);
// Whether this process signals it, if it has not.
bool is_own(Arena& arena, FenceRef fence);
// 0: active, 1: signalled, negative: signalled with an error.
int fence_status(Arena& arena, FenceRef fence);
// Signals a fence whose process is gone.
void bury_if_owner_is_gone(Arena& arena, FenceRef fence);

// Tells those who wait by wait_until() that something has changed.
void announce(Arena& arena);
// Sleeps until `done` holds; false if the deadline (monotonic clock) came first. `done` is asked whether owners of
// fences shall be checked, which happens now and then.
bool wait_until(Arena& arena, const std::function<bool(bool check_owners)>& done, int64_t deadline_ns);
bool wait_for_fence(Arena& arena, FenceRef fence, int64_t deadline_ns);
// All of them, those of other processes too.
bool wait_for(const Dependency& dependency, int64_t deadline_ns);

// The fences that an access must wait for: a reader waits for the last writer, a writer for everybody. Needs the lock.
void fences_of(Arena& arena, ObjectRecord& object, bool write, std::vector<FenceRef>& out);
// A reader to wait for before publish() has room for another fence; unset if there is room. Forgets the readers of the
// own timeline. Needs the lock.
FenceRef blocking_reader(Arena& arena, ObjectRecord& object, uint64_t timeline);
// Enters a fence as that of the last writer or of one more reader. Needs the lock, and room.
void publish(Arena& arena, ObjectRecord& object, FenceRef fence, uint64_t timeline, bool write);
// Waits until the object can be read (or written) by the CPU.
bool wait_for_object(Arena& arena, uint32_t object, bool write, int64_t deadline_ns);

}  // namespace vitro::i915
