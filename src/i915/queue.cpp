// Request queues: a submission returns at once, and the thread of its queue waits for what the request depends on, runs
// the batch and signals its fences. Requests of one engine slot run in order, those of different slots side by side.
// Source of the behaviour: Linux i915_request.c. Priorities are kept but do not order anything: host threads are
// scheduled by the host.
#include <fcntl.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "i915/adaptive_wait.h"
#include "i915/aperture.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {
namespace {

constexpr size_t ring_requests = 512;
// So long at most a queue's thread waits awake for the next request: what drivers take between two batches if they wait
// for each.
constexpr int64_t worth_expecting_ns = 200'000;

bool is_banned(const Request& r) {
  const ArenaLock lock(*r.file->arena);
  return r.file->arena->head().contexts[r.context].banned;
}

// 0 or the error of its fences.
int execute(KernelState& kernel, Queue& q, Request& r) {
  constexpr int64_t slice_ns = 200'000'000;
  for (const Dependency& d : r.waits) {
    while (!q.cancelled && !wait_for(d, raw::monotonic_ns() + slice_ns)) {
    }
    kernel.remove_internal(d.fd);
  }
  if (q.cancelled || is_banned(r)) return -EIO;
  const std::shared_ptr<Gpu> gpu = kernel.gpu(std::string(r.file->platform->device));
  if (!q.hardware) q.hardware = gpu->create_context();
  for (const ObjectRef& o : r.tiled) settle_aperture(o);
  const int64_t begin_ns = raw::monotonic_ns();
  const std::optional<Fault> fault = gpu->run(q.hardware.get(), r.batch, [&] { return q.cancelled.load(); });
  r.file->arena->head().busy_ns[size_t(r.batch.engine)] += uint64_t(raw::monotonic_ns() - begin_ns);
  for (const ObjectRef& o : r.tiled) settle_aperture(o);
  if (!fault) return 0;
  if (!q.cancelled) kernel.hang(q, r, *fault);
  gpu->reset(q.hardware.get());
  return -EIO;
}

// Until there is a request, or none has come for a while. Called and left with the lock held.
void wait_for_request(Queue& q, AdaptiveWait& awake, std::unique_lock<std::mutex>& guard) {
  const auto is_called = [&] { return !q.requests.empty() || (q.cancelled && q.expected == 0); };
  if (is_called()) return;
  const uint32_t seen = q.arrivals;
  guard.unlock();
  const bool came = awake.until([&] { return q.arrivals.load(std::memory_order_acquire) != seen; });
  guard.lock();
  if (came) return;
  q.asleep = true;
  do q.called.wait_for(guard, std::chrono::seconds(1), is_called);
  while (q.requests.empty() && q.expected != 0);
  q.asleep = false;
  awake.slept();
}

void run(KernelState& kernel, Queue& q) {
  pthread_setname_np(pthread_self(), ("vitro " + q.engine_name).c_str());
  AdaptiveWait awake(worth_expecting_ns);
  std::unique_lock guard(q.lock);
  for (;;) {
    wait_for_request(q, awake, guard);
    if (q.requests.empty()) {
      q.has_thread = false;
      return;
    }
    Request& r = q.requests.front();  // stays where it is while others are added behind it
    guard.unlock();
    const int error = execute(kernel, q, r);
    complete(kernel, r.signals, error);
    kernel.note_end();
    guard.lock();
    {
      Request done = std::move(q.requests.front());
      q.requests.pop_front();
      if (q.requests.size() == ring_requests / 2) q.room.notify_all();
      guard.unlock();
      {
        const ArenaLock lock(*done.file->arena);
        release_context(*done.file, done.context);
      }
      std::vector<std::shared_ptr<Arena>> arenas;
      for (const Signal& s : done.signals)
        if (s.fence.arena) arenas.push_back(s.fence.arena);
      done = {};  // lets go of the objects that it used
      for (const auto& arena : arenas) arena->reap(-1);
    }
    {
      const std::lock_guard work_guard(kernel.work_lock);
      --kernel.requests;
      kernel.work_changed.notify_all();
    }
    guard.lock();
  }
}

}  // namespace

void KernelState::submit(Queue& queue, Request request) {
  request.submitted_ns = raw::monotonic_ns();
  bool asleep = false;
  {
    const std::lock_guard guard(queue.lock);
    queue.requests.push_back(std::move(request));  // the last that may find no memory
    ++queue.arrivals;
    asleep = queue.asleep;
    const std::lock_guard work_guard(work_lock);
    ++requests;
    ++submitted, ++own_submissions;
  }
  if (asleep) queue.called.notify_one();
}

std::shared_ptr<Queue> queue_of(File& file, const ContextRecord& c, uint32_t slot, const gen::PlatformEngine& engine) {
  const std::shared_ptr<Context> context = file.context(c.serial);
  const std::lock_guard guard(file.lock);
  std::shared_ptr<Queue>& q = context->queues[c.single_timeline ? 0 : slot];
  if (!q) {
    q = std::make_shared<Queue>();
    q->kernel = file.kernel;
    q->timeline = file.kernel->new_timeline();
    q->engine_name = engine.name;
    const std::lock_guard work_guard(file.kernel->work_lock);
    std::erase_if(file.kernel->queues, [](const auto& weak) { return weak.expired(); });
    file.kernel->queues.push_back(q);
  }
  return q;
}

int RingSpace::take(const std::shared_ptr<Queue>& queue, int fd) {
  Queue& q = *queue;
  std::unique_lock guard(q.lock);
  if (q.requests.size() + q.expected >= ring_requests) {
    if (raw::fcntl(fd, F_GETFL) & O_NONBLOCK) return -EWOULDBLOCK;
    // As the kernel, until half of the ring is free: so that nobody is woken for each request.
    q.room.wait(guard, [&] { return q.requests.size() + q.expected <= ring_requests / 2; });
  }
  if (!q.has_thread) {
    q.has_thread = q.kernel->spawn([kernel = q.kernel, queue] { run(*kernel, *queue); });
    if (!q.has_thread) {
      guard.unlock();
      q.kernel->report_once("no thread can be had to run batches: a limit of processes, or of memory");
      return -ENOMEM;
    }
  }
  ++q.expected;
  queue_ = queue;
  return 0;
}

RingSpace::~RingSpace() {
  if (!queue_) return;
  const std::lock_guard guard(queue_->lock);
  --queue_->expected;
  if (queue_->cancelled) queue_->called.notify_one();
  if (queue_->requests.size() + queue_->expected <= ring_requests / 2) queue_->room.notify_all();
}

}  // namespace vitro::i915
