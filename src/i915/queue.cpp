// Request queues: a submission returns at once, and the thread of its queue waits for what the request depends on, runs
// the batch and signals its fences. Requests of one engine slot run in order, those of different slots side by side.
// Source of the behaviour: Linux i915_request.c. Priorities are kept but do not order anything: host threads are
// scheduled by the host.
#include <pthread.h>

#include <cerrno>
#include <chrono>

#include "i915/aperture.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {
namespace {

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
  const std::optional<device::Fault> fault = gpu->run(q.hardware.get(), r.batch, [&] { return q.cancelled.load(); });
  r.file->arena->head().busy_ns[size_t(r.batch.engine)] += uint64_t(raw::monotonic_ns() - begin_ns);
  for (const ObjectRef& o : r.tiled) settle_aperture(o);
  if (!fault) return 0;
  if (!q.cancelled) kernel.hang(q, r, *fault);
  gpu->reset(q.hardware.get());
  return -EIO;
}

void run(KernelState& kernel, Queue& q) {
  pthread_setname_np(pthread_self(), ("vitro " + q.engine_name).c_str());
  std::unique_lock guard(q.lock);
  for (;;) {
    const bool called =
        q.changed.wait_for(guard, std::chrono::seconds(1), [&] { return !q.requests.empty() || q.cancelled; });
    if (!called || q.requests.empty()) {
      q.has_thread = false;
      return;
    }
    Request& r = q.requests.front();  // stays where it is while others are added behind it
    guard.unlock();
    const int error = execute(kernel, q, r);
    // Whoever has seen the fence shall find the sync_file signalled too.
    for (const int pipe : r.pipes) signal_pipe(kernel, pipe, error);
    for (const Dependency& s : r.signals) signal_fence(*s.arena, s.fence, error);
    kernel.note_end();
    guard.lock();
    {
      Request done = std::move(q.requests.front());
      q.requests.pop_front();
      q.changed.notify_all();
      guard.unlock();
      {
        const ArenaLock lock(*done.file->arena);
        release_context(*done.file, done.context);
      }
      std::vector<std::shared_ptr<Arena>> arenas;
      for (const Dependency& s : done.signals) arenas.push_back(s.arena);
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

void KernelState::submit(const std::shared_ptr<Queue>& queue, Request request) {
  {
    const std::lock_guard guard(work_lock);
    ++requests;
  }
  ++submitted;
  request.submitted_ns = raw::monotonic_ns();
  const std::lock_guard guard(queue->lock);
  queue->requests.push_back(std::move(request));
  if (queue->has_thread) {
    queue->changed.notify_all();
  } else {
    queue->has_thread = true;
    spawn([this, queue] { run(*this, *queue); });
  }
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

bool has_room(Queue& q, bool wait) {
  constexpr size_t ring_requests = 512;
  std::unique_lock guard(q.lock);
  if (q.requests.size() < ring_requests) return true;
  if (!wait) return false;
  q.changed.wait(guard, [&] { return q.requests.size() < ring_requests; });
  return true;
}

}  // namespace vitro::i915
