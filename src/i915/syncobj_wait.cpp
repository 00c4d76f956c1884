// Waiting for syncobjs, and moving fences between them. Source: drm_syncobj.c of Linux 6.1. Timeouts are absolute times
// of the monotonic clock. Syncobjs of several arenas at once are looked at every millisecond, as one can sleep on one
// arena only; those of the own file, the usual case, are slept on.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "i915/adaptive_wait.h"
#include "i915/ioctls.h"
#include "i915/raw.h"
#include "i915/syncobj.h"

namespace vitro::i915 {
namespace {

struct Wait {
  std::vector<Syncobj> syncobjs;
  std::vector<uint64_t> points;
  bool all = false, for_submit = false, available = false;
};

enum class Look : uint8_t { done, not_yet, no_fence };

Look look(const Wait& w, bool check_owners, uint32_t& first) {
  size_t met = 0;
  for (size_t i = 0; i < w.syncobjs.size(); ++i) {
    const Syncobj& so = w.syncobjs[i];
    const ArenaLock lock(*so.arena);
    std::vector<FenceRef> fences;
    if (fences_at(so, w.points[i], fences) < 0) {
      if (!w.for_submit && !w.available) return Look::no_fence;
      continue;
    }
    if (check_owners)
      for (const FenceRef f : fences) bury_if_owner_is_gone(*so.arena, f);
    if (!fences.empty() && !w.available) continue;
    if (met++ == 0) first = uint32_t(i);
  }
  return met == w.syncobjs.size() || (met > 0 && !w.all) ? Look::done : Look::not_yet;
}

int wait(const Wait& w, int64_t deadline_ns, uint32_t* first) {
  uint32_t index = 0;
  Arena& arena = *w.syncobjs.front().arena;
  uint32_t events = arena.head().events;
  Look seen = look(w, false, index);
  if (seen == Look::not_yet) {
    const bool one_arena =
        std::all_of(w.syncobjs.begin(), w.syncobjs.end(), [&](const Syncobj& s) { return s.arena.get() == &arena; });
    const auto met = [&](bool check) {
      seen = look(w, check, index);
      return seen != Look::not_yet;
    };
    if (one_arena) {
      // As for other fences: what is short is over before a thread has fallen asleep.
      static thread_local AdaptiveWait awake(worth_awaiting_ns);
      const auto told = [&] {
        const uint32_t now = arena.head().events;
        return now != std::exchange(events, now) && met(false);
      };
      if (!awake.until(told, deadline_ns)) {
        wait_until(arena, met, deadline_ns);
        awake.slept();
      }
    } else {
      constexpr int64_t period_ns = 1'000'000;
      for (int round = 1; !met(round % 200 == 0) && raw::monotonic_ns() < deadline_ns; ++round)
        wait_until(arena, met, std::min(deadline_ns, raw::monotonic_ns() + period_ns));
    }
  }
  if (seen == Look::no_fence) return -EINVAL;
  if (seen == Look::not_yet) return -ETIME;
  if (first) *first = index;
  return 0;
}

int64_t deadline_of(int64_t timeout_ns) { return std::max<int64_t>(timeout_ns, 0); }

}  // namespace

int syncobj_wait(Call& call, drm_syncobj_wait& a) {
  constexpr uint32_t known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
  if (a.flags & ~known) return -EINVAL;
  if (a.count_handles == 0) return -EINVAL;
  Wait w{.all = (a.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0,
         .for_submit = (a.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) != 0};
  if (const int error = find_syncobjs(call, a.handles, a.count_handles, w.syncobjs); error < 0) return error;
  w.points.resize(a.count_handles);
  return wait(w, deadline_of(a.timeout_nsec), &a.first_signaled);
}

int syncobj_timeline_wait(Call& call, drm_syncobj_timeline_wait& a) {
  constexpr uint32_t known =
      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
  if (a.flags & ~known) return -EINVAL;
  if (a.count_handles == 0) return -EINVAL;
  Wait w{.all = (a.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0,
         .for_submit = (a.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) != 0,
         .available = (a.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) != 0};
  if (const int error = find_syncobjs(call, a.handles, a.count_handles, w.syncobjs); error < 0) return error;
  w.points.resize(a.count_handles);
  if (a.points != 0 && raw::copy_in(w.points.data(), a.points, w.points.size() * sizeof(uint64_t)) < 0) return -EFAULT;
  return wait(w, deadline_of(a.timeout_nsec), &a.first_signaled);
}

int syncobj_transfer(Call& call, drm_syncobj_transfer& t) {
  if (t.pad != 0) return -EINVAL;
  const Syncobj to = find_syncobj(call, t.dst_handle);
  if (!to) return -ENOENT;
  const Syncobj from = find_syncobj(call, t.src_handle);
  if (!from) return -ENOENT;
  if (t.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) {
    constexpr int64_t patience_ns = 5'000'000'000;
    const Wait w{.syncobjs = {from}, .points = {t.src_point}, .for_submit = true, .available = true};
    if (const int error = wait(w, raw::monotonic_ns() + patience_ns, nullptr); error < 0) return error;
  }
  std::vector<FenceRef> fences;
  {
    const ArenaLock lock(*from.arena);
    if (const int error = fences_at(from, t.src_point, fences); error < 0) return error;
  }
  std::vector<Dependency> waits;
  for (const FenceRef f : fences) waits.push_back({from.arena, f});
  FenceRef fence;
  if (const int error = relay(call.kernel, to.arena, std::move(waits), fence); error < 0) return error;
  const ArenaLock lock(*to.arena);
  if (t.dst_point != 0)
    add_point(to, t.dst_point, fence);
  else
    replace_fence(to, fence);
  return 0;
}

}  // namespace vitro::i915
