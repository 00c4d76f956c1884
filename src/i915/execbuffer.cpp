// Execbuffer2: the checks in the kernel's order, then placement, relocations, fences and submission. Source:
// gem/i915_gem_execbuffer.c of Linux 6.1. What the command parser has seen is run where it stands: the kernel runs a
// copy of it.
#include "i915/execbuffer.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <set>

#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint64_t unknown_flags = ~((uint64_t{I915_EXEC_USE_EXTENSIONS} << 1) - 1);
constexpr uint64_t illegal_flags = unknown_flags | I915_EXEC_CONSTANTS_MASK | I915_EXEC_RESOURCE_STREAMER;

// Without an engine map: which class a ring number means.
constexpr uint16_t legacy_rings[] = {I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_RENDER, I915_ENGINE_CLASS_VIDEO,
                                     I915_ENGINE_CLASS_COPY, I915_ENGINE_CLASS_VIDEO_ENHANCE};

int check_arguments(drm_i915_gem_execbuffer2& a) {
  if (a.buffer_count < 1 || a.buffer_count > INT_MAX) return -EINVAL;
  if (a.flags & illegal_flags) return -EINVAL;
  if (!(a.flags & (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS)) && (a.num_cliprects || a.cliprects_ptr))
    return -EINVAL;
  if (a.DR4 == 0xffffffff) a.DR4 = 0;
  if (a.DR1 || a.DR4) return -EINVAL;
  if ((a.batch_start_offset | a.batch_len) & 7) return -EINVAL;
  return 0;
}

int copy_list(Exec& e) {
  constexpr size_t step = 1024;  // a count that does not fit the memory fails before it is allocated
  std::vector<drm_i915_gem_exec_object2> block;
  for (size_t done = 0; done < e.args.buffer_count; done += block.size()) {
    block.resize(std::min<size_t>(step, e.args.buffer_count - done));
    if (raw::copy_in(block.data(), e.args.buffers_ptr + done * sizeof block[0], block.size() * sizeof block[0]) < 0)
      return -EFAULT;
    for (const auto& entry : block) {
      e.items.emplace_back();
      e.items.back().entry = entry;
    }
  }
  return 0;
}

int find_fence_fds(Exec& e) {
  constexpr uint64_t both = I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT;
  const uint64_t in = e.args.flags & both;
  if (in == both) return -EINVAL;
  return in ? sync_file_fences(e.call.kernel, int(uint32_t(e.args.rsvd2)), e.waits) : 0;
}

int select_context(Exec& e) {
  const ArenaLock lock(e.call.arena());
  e.context_id = uint32_t(i915_execbuffer2_get_context_id(e.args));
  ContextRecord* const c = find_context(e.call, e.context_id);
  if (!c) return -ENOENT;
  if (const int error = finalise(e.call, *c); error < 0) return error;
  e.context = *c;
  e.vm = e.call.file->vm(e.call.head().vms[c->vm].serial);
  return 0;
}

int select_engine(Exec& e) {
  const uint32_t ring = e.args.flags & I915_EXEC_RING_MASK;
  EngineSlot wanted{};
  if (e.context.has_engine_map) {
    if (ring >= e.context.engine_count) return -EINVAL;
    wanted = e.context.engines[ring];
    e.slot = ring;
  } else {
    if (ring != I915_EXEC_BSD && (e.args.flags & I915_EXEC_BSD_MASK)) return -EINVAL;
    if (ring >= std::size(legacy_rings)) return -EINVAL;
    wanted = {legacy_rings[ring], 0};
    e.slot = wanted.engine_class;
  }
  for (const gen::PlatformEngine& engine : e.call.platform().engines)
    if (engine.engine_class == wanted.engine_class && engine.instance == wanted.instance) e.engine = &engine;
  return e.engine ? 0 : -EINVAL;
}

int check_entry(drm_i915_gem_exec_object2& entry) {
  if (entry.flags & uint64_t(__EXEC_OBJECT_UNKNOWN_FLAGS)) return -EINVAL;
  if (entry.alignment & (entry.alignment - 1)) return -EINVAL;
  if ((entry.flags & EXEC_OBJECT_PINNED) && entry.offset != memory::to_canonical(entry.offset & ~(page_bytes - 1)))
    return -EINVAL;
  if (entry.flags & EXEC_OBJECT_PAD_TO_SIZE) {
    if (entry.pad_to_size % page_bytes) return -EINVAL;
  } else {
    entry.pad_to_size = 0;
  }
  entry.offset = memory::from_canonical(entry.offset);
  return 0;
}

int find_objects(Exec& e) {
  for (ExecItem& i : e.items) {
    i.object = find_object(e.call, i.entry.handle);
    if (!i.object) return -ENOENT;
    if (const int error = check_entry(i.entry); error < 0) return error;
    if (i.object->dont_need || i.object->purged || !user_pages_present(i.object)) return -EFAULT;
  }
  e.batch = e.args.flags & I915_EXEC_BATCH_FIRST ? 0 : e.items.size() - 1;
  const ExecItem& batch = e.items[e.batch];
  if (batch.entry.flags & EXEC_OBJECT_WRITE) return -EINVAL;
  const uint64_t start = e.args.batch_start_offset, bytes = batch.object->bytes;
  if (start > bytes || e.args.batch_len > bytes - start) return -EINVAL;
  e.batch_bytes = e.args.batch_len ? e.args.batch_len : bytes - start;
  return e.batch_bytes == 0 ? -EINVAL : 0;
}

// What an engine without protection of its own runs is looked at first.
int parse_batch(Exec& e) {
  if (!e.engine->rules) return 0;
  const ExecItem& batch = e.items[e.batch];
  wait_for_object(*batch.object.arena(), batch.object.index(), false, forever_ns);
  const std::byte* const host = host_memory(batch.object);
  if (!host) return -EFAULT;
  const std::span dwords(reinterpret_cast<const uint32_t*>(host + e.args.batch_start_offset), e.batch_bytes / 4);
  return check_batch(*e.engine->rules, dwords, memory::to_canonical(batch.address + e.args.batch_start_offset));
}

// Locks several arenas, always in the same order.
class AllLocked {
 public:
  explicit AllLocked(const std::map<uint64_t, std::shared_ptr<Arena>>& arenas) : arenas_(arenas) {
    for (const auto& [inode, arena] : arenas_) arena->lock();
  }
  ~AllLocked() {
    for (const auto& [inode, arena] : arenas_) arena->unlock();
  }
  AllLocked(const AllLocked&) = delete;
  AllLocked& operator=(const AllLocked&) = delete;

 private:
  const std::map<uint64_t, std::shared_ptr<Arena>>& arenas_;
};

Request make_request(const Exec& e) {
  const ExecItem& batch = e.items[e.batch];
  Request r;
  r.file = e.call.file;
  r.context = e.context_id;
  r.batch.engine = device::Engine(e.engine->engine_class);
  r.batch.ppgtt = e.vm->space.table();
  r.batch.ggtt = e.call.platform().aliasing_ppgtt ? r.batch.ppgtt : std::make_shared<memory::Table>();
  r.batch.address = batch.address + e.args.batch_start_offset;
  r.batch.bytes = e.batch_bytes;
  if (!e.call.kernel.options.gpu.capture.file.empty())
    for (const ExecItem& i : e.items) r.batch.objects.push_back(i.address);
  r.captures.push_back({"batch", batch.address, batch.object->bytes});
  for (const ExecItem& i : e.items)
    if (i.object->tiling != I915_TILING_NONE || i.object->aperture)
      r.tiled.emplace_back(i.object.arena(), i.object.index());
  for (const ExecItem& i : e.items)
    if ((i.entry.flags & EXEC_OBJECT_CAPTURE) && &i != &batch)
      r.captures.push_back({"user", i.address, i.object->bytes});
  return r;
}

// A batch that never reached the GPU, through no fault of its context. There are drivers that do not look at the result
// of execbuffer and wait for what the batch was to write; they ask for the reset statistics meanwhile.
void count_as_lost(const Exec& e) {
  const ArenaLock lock(e.call.arena());
  ContextRecord& c = e.call.head().contexts[e.context_id];
  if (c.in_use && c.serial == e.context.serial) ++c.hangs_pending;
}

using Arenas = std::map<uint64_t, std::shared_ptr<Arena>>;
using Fences = std::map<uint64_t, FenceRef>;  // by the arena's inode

// Fences that were made for a request, and perhaps entered somewhere, signal if it is not sent after all.
class Promise {
 public:
  Promise(const Arenas& arenas, const Fences& fences) : arenas_(arenas), fences_(fences) {}
  ~Promise() {
    if (kept) return;
    for (const auto& [inode, fence] : fences_) mark_signalled(*arenas_.at(inode), fence, -ENOMEM);
  }
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  bool kept = false;

 private:
  const Arenas& arenas_;
  const Fences& fences_;
};

// Enters the request's fences everywhere and queues it, in one step for all processes.
int submit(Exec& e, Queue& queue, int out_fence) {
  KernelState& kernel = e.call.kernel;
  Arenas arenas{{e.call.arena().inode(), e.call.file->arena}};
  for (const ExecItem& i : e.items) arenas.emplace(i.object.arena()->inode(), i.object.arena());
  for (const ExecSignal& s : e.signals) arenas.emplace(s.syncobj.arena->inode(), s.syncobj.arena);
  Request request = make_request(e);
  for (;;) {
    std::shared_ptr<Arena> crowded;
    FenceRef blocking;
    {
      const AllLocked locks(arenas);
      for (const ExecItem& i : e.items) {
        blocking = blocking_reader(*i.object.arena(), *i.object, queue.timeline);
        if (!blocking) continue;
        crowded = i.object.arena();
        break;
      }
      if (!blocking) {
        Fences fences;
        Promise promise(arenas, fences);
        for (const auto& [inode, arena] : arenas) {
          FenceRef& fence = fences[inode];
          fence = new_fence(*arena, queue.timeline, e.engine->engine_class);
          if (!fence) return -ENOMEM;
          request.signals.push_back({.fence = {arena, fence}});
        }
        std::vector<FenceRef> before;
        for (const ExecItem& i : e.items) {
          Arena& arena = *i.object.arena();
          const bool write = i.entry.flags & EXEC_OBJECT_WRITE;
          before.clear();
          if (!(i.entry.flags & EXEC_OBJECT_ASYNC)) fences_of(arena, *i.object, write, before);
          for (const FenceRef f : before)
            if (arena.head().fences[f.slot].timeline != queue.timeline) request.waits.push_back({i.object.arena(), f});
        }
        for (const ExecItem& i : e.items)
          publish(*i.object.arena(), *i.object, fences[i.object.arena()->inode()], queue.timeline,
                  i.entry.flags & EXEC_OBJECT_WRITE);
        request.waits.insert(request.waits.end(), e.waits.begin(), e.waits.end());
        for (const ExecSignal& s : e.signals) {
          const FenceRef fence = fences[s.syncobj.arena->inode()];
          if (s.point)
            add_point(s.syncobj, s.point, fence);
          else
            replace_fence(s.syncobj, fence);
        }
        if (out_fence >= 0) {
          name_pipe(kernel, out_fence, {{e.call.file->arena, fences[e.call.arena().inode()]}});
          request.signals.push_back({.pipe = e.out_pipe});
        }
        kernel.submit(queue, std::move(request));
        promise.kept = e.submitted = true;
        return 0;
      }
    }
    wait_for_fence(*crowded, blocking, forever_ns);
  }
}

// Tells the caller where things are, as far as that is not what it believed.
void write_back(const Exec& e) {
  if (!e.moved) return;
  for (size_t n = 0; n < e.items.size(); ++n) {
    const ExecItem& i = e.items[n];
    if (i.address == i.entry.offset) continue;
    const uint64_t at = e.args.buffers_ptr + n * sizeof(drm_i915_gem_exec_object2);
    raw::put(at + offsetof(drm_i915_gem_exec_object2, offset), memory::to_canonical(i.address));
  }
}

}  // namespace

namespace {

int check_and_submit(Exec& e) {
  Call& call = e.call;
  drm_i915_gem_execbuffer2& args = e.args;
  int error = check_arguments(args);
  if (!error) error = copy_list(e);
  if (!error && (args.flags & I915_EXEC_SECURE)) error = -EPERM;
  if (!error) error = parse_fences(e);
  if (!error) error = find_fence_fds(e);
  if (!error) error = select_context(e);
  if (!error) error = select_engine(e);
  if (!error) error = find_objects(e);
  if (!error && e.context.banned) error = -EIO;
  if (error) return error;
  const std::shared_ptr<Queue> queue = queue_of(*call.file, e.context, e.slot, *e.engine);
  RingSpace space;
  error = space.take(queue, call.fd);
  if (error == -ENOMEM) count_as_lost(e);
  if (error) return error;
  const std::lock_guard guard(e.vm->lock);
  error = place(e);
  if (!error) error = relocate(e);
  if (!error) error = parse_batch(e);
  if (!error && (args.flags & I915_EXEC_GEN7_SOL_RESET)) error = -EINVAL;
  int out_fence = -1;
  if (!error && (args.flags & I915_EXEC_FENCE_OUT)) {
    out_fence = make_pipe(call.kernel, e.out_pipe);
    if (out_fence < 0) return out_fence;
  }
  if (!error) error = submit(e, *queue, out_fence);
  if (error) {
    if (out_fence >= 0) raw::close(out_fence);
    return error;
  }
  write_back(e);
  if (out_fence >= 0) args.rsvd2 = (args.rsvd2 & 0xffffffff) | uint64_t(uint32_t(out_fence)) << 32;
  return 0;
}

}  // namespace

int execbuffer2(Call& call, drm_i915_gem_execbuffer2& args) {
  Exec e{.call = call, .args = args};
  const int error = check_and_submit(e);
  if (!e.submitted) {
    for (const Dependency& d : e.waits) call.kernel.remove_internal(d.fd);
    call.kernel.remove_internal(e.out_pipe);
  }
  return error;
}

}  // namespace vitro::i915
