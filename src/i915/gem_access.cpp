// Access of the CPU to objects: pread, pwrite, mmap, domains, waiting and busyness. Source: i915_gem.c,
// i915_gem_mman.c, i915_gem_domain.c, i915_gem_wait.c, i915_gem_busy.c of Linux 6.1. CPU and GPU see one memory, so
// domains only wait, but for objects that are mapped through the aperture (aperture.h).
#include <sys/mman.h>

#include <cerrno>

#include "i915/aperture.h"
#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint32_t gpu_domains = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER | I915_GEM_DOMAIN_COMMAND |
                                 I915_GEM_DOMAIN_INSTRUCTION | I915_GEM_DOMAIN_VERTEX;

bool in_range(const ObjectRef& object, uint64_t offset, uint64_t bytes) {
  return offset <= object->bytes && bytes <= object->bytes - offset;
}

}  // namespace

int gem_pread(Call& call, drm_i915_gem_pread& p) {
  if (p.size == 0) return 0;
  const ObjectRef object = find_object(call, p.handle);
  if (!object) return -ENOENT;
  if (!in_range(object, p.offset, p.size)) return -EINVAL;
  wait_for_object(*object.arena(), object.index(), false, forever_ns);
  settle_aperture(object);
  const std::byte* const host = host_memory(object);
  return host == nullptr || !user_pages_present(object) ? -EFAULT : raw::copy_out(p.data_ptr, host + p.offset, p.size);
}

int gem_pwrite(Call& call, drm_i915_gem_pwrite& p) {
  if (p.size == 0) return 0;
  const ObjectRef object = find_object(call, p.handle);
  if (!object) return -ENOENT;
  if (!in_range(object, p.offset, p.size)) return -EINVAL;
  if (object->read_only) return -EINVAL;
  wait_for_object(*object.arena(), object.index(), true, forever_ns);
  settle_aperture(object);
  std::byte* const host = host_memory(object);
  if (host == nullptr || !user_pages_present(object)) return -EFAULT;
  const int error = raw::copy_in(host + p.offset, p.data_ptr, p.size);
  settle_aperture(object);
  return error;
}

int gem_mmap(Call& call, drm_i915_gem_mmap& m) {
  if (m.flags & ~uint64_t(I915_MMAP_WC)) return -EINVAL;
  const ObjectRef object = find_object(call, m.handle);
  if (!object) return -ENOENT;
  if (object->storage != Storage::arena) return -ENXIO;
  if (!in_range(object, m.offset, m.size)) return -EINVAL;
  int fd = call.fd;
  if (object.arena() != call.file->arena) {
    const std::lock_guard guard(call.file->lock);
    fd = call.file->foreign_arenas[object.arena()->inode()].fd;
  }
  const long at = raw::mmap(nullptr, m.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, object->offset + m.offset);
  if (raw::failed(at)) return int(at);
  settle_aperture(object);
  call.kernel.map_client(uint64_t(at), (m.size + page_bytes - 1) / page_bytes * page_bytes, object);
  m.addr_ptr = uint64_t(at);
  return 0;
}

int gem_mmap_offset(Call& call, drm_i915_gem_mmap_offset& m) {
  if (m.extensions != 0) return walk_extensions(m.extensions, [](uint32_t, uint64_t) { return -EINVAL; });
  if (m.flags == I915_MMAP_OFFSET_FIXED) return -ENODEV;
  if (m.flags > I915_MMAP_OFFSET_FIXED) return -EINVAL;
  const ObjectRef object = find_object(call, m.handle);
  if (!object) return -ENOENT;
  if (object->storage == Storage::user) return -ENODEV;
  m.offset = mmap_offset(call, m.handle) | (m.flags == I915_MMAP_OFFSET_GTT ? aperture_flag : 0);
  return 0;
}

int gem_set_domain(Call& call, drm_i915_gem_set_domain& d) {
  if ((d.write_domain | d.read_domains) & gpu_domains) return -EINVAL;
  if (d.write_domain && d.read_domains != d.write_domain) return -EINVAL;
  if (d.read_domains == 0) return 0;
  const ObjectRef object = find_object(call, d.handle);
  if (!object) return -ENOENT;
  wait_for_object(*object.arena(), object.index(), d.write_domain != 0, forever_ns);
  settle_aperture(object);
  return user_pages_present(object) ? 0 : -EFAULT;
}

int gem_sw_finish(Call& call, drm_i915_gem_sw_finish& s) {
  const ObjectRef object = find_object(call, s.handle);
  if (!object) return -ENOENT;
  settle_aperture(object);
  return 0;
}

int gem_busy(Call& call, drm_i915_gem_busy& b) {
  const ObjectRef object = find_object(call, b.handle);
  if (!object) return -ENOENT;
  settle_aperture(object);
  Arena& arena = *object.arena();
  const ArenaLock lock(arena);
  b.busy = 0;
  const auto class_of = [&](FenceRef f) { return arena.head().fences[f.slot].engine_class; };
  for (uint32_t i = 0; i < object->reader_count; ++i) {
    bury_if_owner_is_gone(arena, object->readers[i].fence);
    if (!is_signalled(arena, object->readers[i].fence)) b.busy |= 1u << (16 + class_of(object->readers[i].fence));
  }
  bury_if_owner_is_gone(arena, object->writer);
  if (!is_signalled(arena, object->writer))
    b.busy |= (class_of(object->writer) + 1) | 1u << (16 + class_of(object->writer));
  return 0;
}

int gem_wait(Call& call, drm_i915_gem_wait& w) {
  if (w.flags != 0) return -EINVAL;
  const ObjectRef object = find_object(call, w.bo_handle);
  if (!object) return -ENOENT;
  const int64_t begin = raw::monotonic_ns();
  const int64_t deadline = w.timeout_ns < 0 || w.timeout_ns > forever_ns - begin ? forever_ns : begin + w.timeout_ns;
  const bool idle = wait_for_object(*object.arena(), object.index(), true, deadline);
  settle_aperture(object);
  if (w.timeout_ns > 0) {
    w.timeout_ns -= raw::monotonic_ns() - begin;
    if (w.timeout_ns < 0) w.timeout_ns = 0;
  }
  return idle ? 0 : -ETIME;
}

int gem_throttle(Call& call) {
  // Not further ahead than what was there when it was called; the kernel leaves the last 20 ms out.
  std::vector<std::shared_ptr<Context>> contexts;
  {
    const std::lock_guard guard(call.file->lock);
    for (const auto& [serial, context] : call.file->contexts) contexts.push_back(context);
  }
  const int64_t recent = raw::monotonic_ns() - 20'000'000;
  for (const auto& context : contexts) {
    std::vector<std::shared_ptr<Queue>> queues;
    {
      const std::lock_guard guard(call.file->lock);
      for (const auto& [slot, queue] : context->queues) queues.push_back(queue);
    }
    for (const auto& queue : queues) {
      std::vector<Dependency> old;
      {
        const std::lock_guard guard(queue->lock);
        for (const Request& r : queue->requests)
          if (r.submitted_ns < recent) old.push_back(r.signals.front().fence);
      }
      for (const Dependency& d : old) wait_for(d, forever_ns);
    }
  }
  return 0;
}

}  // namespace vitro::i915
