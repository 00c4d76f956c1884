// How everything that a piece of work signals is gathered, locked and signalled (see completion.h). Sync_files go
// first: they are asked without a lock.
#include "i915/completion.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/quiet_writes.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {
namespace {

struct Due {
  Signal signal;
  int error;
  bool waited = false;  // somebody waits for this fence
};

auto key_of(const Dependency& d) { return std::tuple(d.arena->inode(), d.fence.slot, d.fence.round); }

// What signals now, followers of followers included. Needs the followers' lock.
std::vector<Due> gather(Followers& followers, std::span<const Signal> signals, int error) {
  std::vector<Due> due;
  due.reserve(signals.size());
  for (const Signal& s : signals) due.push_back({.signal = s, .error = error});
  if (followers.by_fence.empty()) return due;
  for (size_t n = 0; n < due.size(); ++n) {
    if (!due[n].signal.fence.arena) continue;
    const auto [first, last] = followers.by_fence.equal_range(key_of(due[n].signal.fence));
    for (auto f = first; f != last; ++f) {
      Follower& follower = *f->second;
      if (follower.error == 0) follower.error = due[n].error;
      if (--follower.left == 0) due.push_back({.signal = follower.signal, .error = follower.error});
    }
    followers.by_fence.erase(first, last);
  }
  return due;
}

void signal_pipes(std::span<const Due> due) {
  if (std::none_of(due.begin(), due.end(), [](const Due& d) { return d.signal.pipe >= 0; })) return;
  const QuietWrites quiet;  // nobody may be left to read
  for (const Due& d : due) {
    if (d.signal.pipe < 0) continue;
    const std::string bytes(size_t(1 - d.error), '\0');
    raw::write(d.signal.pipe, bytes.data(), bytes.size());
  }
}

void close_pipe(KernelState& kernel, int write_end) {
  struct stat s {};
  if (raw::fstat(write_end, &s) == 0) {
    const std::lock_guard guard(kernel.lock);
    kernel.sync_files.erase(s.st_ino);
  }
  kernel.remove_internal(write_end);
}

// Waits for fences that others signal.
void wait_and_complete(KernelState& kernel, const std::vector<Dependency>& fences, const Signal& signal) {
  int error = 0;
  for (const Dependency& d : fences) {
    wait_for(d, forever_ns);
    if (error == 0) error = std::min(status_of(d), 0);
    kernel.remove_internal(d.fd);
  }
  complete(kernel, {&signal, 1}, error);
  const std::lock_guard guard(kernel.work_lock);
  --kernel.requests;
  kernel.work_changed.notify_all();
}

}  // namespace

void complete(KernelState& kernel, std::span<const Signal> signals, int error) {
  std::vector<Due> due;
  std::vector<std::shared_ptr<Arena>> arenas;
  {
    const std::lock_guard guard(kernel.followers.lock);
    due = gather(kernel.followers, signals, error);
    for (const Due& d : due)
      if (d.signal.fence.arena) arenas.push_back(d.signal.fence.arena);
    // Locked in the order in which everybody locks several.
    std::sort(arenas.begin(), arenas.end(), [](const auto& a, const auto& b) { return a->inode() < b->inode(); });
    arenas.erase(std::unique(arenas.begin(), arenas.end()), arenas.end());
    for (const auto& arena : arenas) arena->lock();
    signal_pipes(due);
    for (Due& d : due)
      if (d.signal.fence.arena) d.waited = mark_signalled(*d.signal.fence.arena, d.signal.fence.fence, d.error);
    for (const auto& arena : arenas) arena->unlock();
  }
  for (const auto& arena : arenas) announce(*arena);
  for (const Due& d : due) {
    if (d.waited) wake_waiters(*d.signal.fence.arena, d.signal.fence.fence);
    if (d.signal.pipe >= 0) close_pipe(kernel, d.signal.pipe);
  }
}

int follow(KernelState& kernel, std::vector<Dependency> fences, const Signal& signal) {
  const bool own = std::all_of(fences.begin(), fences.end(),
                               [](const Dependency& d) { return d.fd < 0 && is_own(*d.arena, d.fence); });
  if (own) {
    int error = 0;
    {
      const std::lock_guard guard(kernel.followers.lock);
      const auto follower = std::make_shared<Follower>(Follower{.signal = signal});
      for (const Dependency& d : fences) {
        if (const int status = fence_status(*d.arena, d.fence)) {  // completed meanwhile
          if (follower->error == 0) follower->error = std::min(status, 0);
          continue;
        }
        kernel.followers.by_fence.emplace(key_of(d), follower);
        ++follower->left;
      }
      if (follower->left != 0) return 0;
      error = follower->error;
    }
    complete(kernel, {&signal, 1}, error);
    return 0;
  }
  {
    const std::lock_guard guard(kernel.work_lock);
    ++kernel.requests;
  }
  if (kernel.spawn([&kernel, fences, signal] { wait_and_complete(kernel, fences, signal); })) return 0;
  const std::lock_guard guard(kernel.work_lock);
  --kernel.requests;
  kernel.work_changed.notify_all();
  return -ENOMEM;
}

}  // namespace vitro::i915
