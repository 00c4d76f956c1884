// Fence slots, waiting, and the fences of objects. A slot's word holds its round and whether it has signalled, so
// that one load answers; see arena.h. A reservation keeps one writer and one fence per timeline of readers, as a later
// fence of a timeline implies the earlier ones. Source of the behaviour: Linux dma-fence.c, dma-resv.c.
#include "i915/fence.h"

#include <poll.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "i915/adaptive_wait.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr int64_t owner_check_ns = 200'000'000;

struct Self {
  int pid = 0;
  uint64_t start = 0;
};
const Self& self() {
  static thread_local Self s;
  if (const int pid = raw::getpid(); s.pid != pid) s = {pid, raw::start_time(pid)};  // also after a fork
  return s;
}

bool is_active(uint32_t word, FenceRef fence) { return (word & ~fence_waited) == fence.round << fence_round_shift; }

}  // namespace

FenceRef new_fence(Arena& arena, uint64_t timeline, uint32_t engine_class) {
  Head& h = arena.head();
  uint32_t slot = h.free_fence;
  if (slot)
    h.free_fence = h.fences[slot].next_free;
  else if (h.next_fence < max_fences)
    slot = h.next_fence++;
  else
    return {};
  FenceSlot& s = h.fences[slot];
  uint32_t round = ((s.word.load() >> fence_round_shift) + 1) & (~0u >> fence_round_shift);
  if (round == 0) round = 1;
  s.owner.store(self().pid, std::memory_order_relaxed);
  s.owner_start.store(self().start, std::memory_order_relaxed);
  s.timeline = timeline;
  s.engine_class = engine_class;
  s.error.store(0, std::memory_order_relaxed);
  s.word.store(round << fence_round_shift);
  return {slot, round};
}

bool is_signalled(Arena& arena, FenceRef fence) {
  return !fence || !is_active(arena.head().fences[fence.slot].word.load(), fence);
}

int fence_status(Arena& arena, FenceRef fence) {
  FenceSlot& s = arena.head().fences[fence.slot];
  if (!is_signalled(arena, fence)) return 0;
  // Before the word is looked at again: an error of the slot's next round then comes with that round.
  const int error = s.error.load(std::memory_order_acquire);
  return s.word.load() == (fence.round << fence_round_shift | fence_signalled) && error < 0 ? error : 1;
}

bool mark_signalled(Arena& arena, FenceRef fence, int error) {
  if (is_signalled(arena, fence)) return false;
  FenceSlot& s = arena.head().fences[fence.slot];
  s.error.store(error, std::memory_order_release);
  s.signalled_ns = raw::monotonic_ns();
  const uint32_t before = s.word.exchange(fence.round << fence_round_shift | fence_signalled);
  s.next_free = arena.head().free_fence;
  arena.head().free_fence = fence.slot;
  return before & fence_waited;
}

void wake_waiters(Arena& arena, FenceRef fence) { raw::futex_wake(&arena.head().fences[fence.slot].word); }

bool is_own(Arena& arena, FenceRef fence) {
  const FenceSlot& s = arena.head().fences[fence.slot];
  const bool own = s.owner.load(std::memory_order_relaxed) == self().pid &&
                   s.owner_start.load(std::memory_order_relaxed) == self().start;
  return own || is_signalled(arena, fence);  // what is read of another round counts for nothing
}

void bury_if_owner_is_gone(Arena& arena, FenceRef fence) {
  if (is_signalled(arena, fence)) return;
  // If the slot gets another round meanwhile, this fence has signalled and is not signalled again.
  FenceSlot& s = arena.head().fences[fence.slot];
  const int owner = s.owner.load(std::memory_order_relaxed);
  const uint64_t start = s.owner_start.load(std::memory_order_relaxed);
  if (owner == self().pid && start == self().start) return;
  if (raw::start_time(owner) == start) return;
  bool waited = false;
  {
    const ArenaLock lock(arena);
    waited = mark_signalled(arena, fence, -EIO);
  }
  if (waited) wake_waiters(arena, fence);
  announce(arena);
}

void announce(Arena& arena) {
  Head& h = arena.head();
  h.events.fetch_add(1);
  if (h.waiters.load() != 0) raw::futex_wake(&h.events);
}

bool wait_until(Arena& arena, const std::function<bool(bool)>& done, int64_t deadline_ns) {
  Head& h = arena.head();
  bool check = false;
  for (;;) {
    // Counted before the word is read: whoever signals after that either changes the word or sees the waiter.
    h.waiters.fetch_add(1);
    const uint32_t seen = h.events.load();
    const bool is_done = done(check);
    const int64_t left = is_done || deadline_ns == 0 ? 0 : deadline_ns - raw::monotonic_ns();
    if (!is_done && left > 0) check = raw::futex_wait(&h.events, seen, std::min(left, owner_check_ns)) == -ETIMEDOUT;
    h.waiters.fetch_sub(1);
    if (is_done) return true;
    if (left <= 0) return false;
  }
}

namespace {

bool sleep_on_fence(Arena& arena, FenceRef fence, int64_t deadline_ns) {
  std::atomic<uint32_t>& word = arena.head().fences[fence.slot].word;
  for (;;) {
    uint32_t seen = word.load();
    if (!is_active(seen, fence)) return true;
    const int64_t left = deadline_ns - raw::monotonic_ns();
    if (left <= 0) return false;
    if (!(seen & fence_waited) && !word.compare_exchange_strong(seen, seen | fence_waited)) continue;
    if (raw::futex_wait(&word, seen | fence_waited, std::min(left, owner_check_ns)) == -ETIMEDOUT)
      bury_if_owner_is_gone(arena, fence);
  }
}

}  // namespace

bool wait_for_fence(Arena& arena, FenceRef fence, int64_t deadline_ns) {
  if (is_signalled(arena, fence)) return true;
  if (deadline_ns == 0) return false;
  // As the kernel: what is short is over before a thread has fallen asleep.
  static thread_local AdaptiveWait awake(worth_awaiting_ns);
  if (awake.until([&] { return is_signalled(arena, fence); }, deadline_ns)) return true;
  const bool came = sleep_on_fence(arena, fence, deadline_ns);
  awake.slept();
  return came;
}

bool wait_for(const Dependency& d, int64_t deadline_ns) {
  if (d.arena && !wait_for_fence(*d.arena, d.fence, deadline_ns)) return false;
  while (d.fd >= 0) {
    pollfd p{d.fd, POLLIN, 0};
    const int64_t left = deadline_ns == forever_ns ? -1 : std::max<int64_t>(deadline_ns - raw::monotonic_ns(), 0);
    const timespec t{left / 1000000000, left % 1000000000};
    const int n = raw::ppoll(&p, 1, left < 0 ? nullptr : &t);
    if (n > 0) break;
    if (n == 0) return false;
    if (n != -EINTR && n != -EAGAIN) break;  // not a descriptor any more: nothing to wait for
  }
  return true;
}

void fences_of(Arena& arena, ObjectRecord& o, bool write, std::vector<FenceRef>& out) {
  if (!is_signalled(arena, o.writer)) out.push_back(o.writer);
  if (!write) return;
  for (uint32_t i = 0; i < o.reader_count; ++i)
    if (!is_signalled(arena, o.readers[i].fence)) out.push_back(o.readers[i].fence);
}

FenceRef blocking_reader(Arena& arena, ObjectRecord& o, uint64_t timeline) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o.reader_count; ++i)
    if (o.readers[i].timeline != timeline && !is_signalled(arena, o.readers[i].fence)) o.readers[kept++] = o.readers[i];
  o.reader_count = kept;
  return kept + 2 <= max_readers ? FenceRef{} : o.readers[0].fence;
}

void publish(Arena& arena, ObjectRecord& o, FenceRef fence, uint64_t timeline, bool write) {
  blocking_reader(arena, o, timeline);
  assert(o.reader_count < max_readers);
  if (!write) {
    o.readers[o.reader_count++] = {fence, timeline};
    return;
  }
  // A writer that did not wait (EXEC_OBJECT_ASYNC) does not imply the earlier ones, so they stay.
  const uint64_t before = arena.head().fences[o.writer.slot].timeline;
  if (!is_signalled(arena, o.writer) && before != timeline) o.readers[o.reader_count++] = {o.writer, before};
  o.writer = fence;
}

bool wait_for_object(Arena& arena, uint32_t object, bool write, int64_t deadline_ns) {
  std::vector<FenceRef> fences;
  {
    const ArenaLock lock(arena);
    fences_of(arena, arena.object(object), write, fences);
  }
  return std::all_of(fences.begin(), fences.end(), [&](FenceRef f) { return wait_for_fence(arena, f, deadline_ns); });
}

}  // namespace vitro::i915
