// Explicit fences of execbuffer2: the array of binary syncobjs and the extension with timelines. Source:
// gem/i915_gem_execbuffer.c (add_fence_array, add_timeline_fence_array) of Linux 6.1.
#include <cerrno>

#include "i915/execbuffer.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint32_t known_fence_flags = I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL;

int add_waits(Exec& e, const Syncobj& so, uint64_t point) {
  const ArenaLock lock(*so.arena);
  std::vector<FenceRef> fences;
  if (const int error = fences_at(so, point, fences); error < 0) return error;
  for (const FenceRef f : fences) e.waits.push_back({so.arena, f});
  return 0;
}

int add_array(Exec& e) {
  for (uint64_t n = 0; n < e.args.num_cliprects; ++n) {
    drm_i915_gem_exec_fence fence{};
    if (raw::get(fence, e.args.cliprects_ptr + n * sizeof fence) < 0) return -EFAULT;
    if (fence.flags & ~known_fence_flags) return -EINVAL;
    const Syncobj so = find_syncobj(e.call, fence.handle);
    if (!so) return -ENOENT;
    if (fence.flags & I915_EXEC_FENCE_WAIT)
      if (const int error = add_waits(e, so, 0); error < 0) return error;
    if (fence.flags & I915_EXEC_FENCE_SIGNAL) e.signals.push_back({so, 0});
  }
  return 0;
}

int add_timelines(Exec& e, uint64_t address) {
  drm_i915_gem_execbuffer_ext_timeline_fences list{};
  if (raw::get(list, address) < 0) return -EFAULT;
  for (uint64_t n = 0; n < list.fence_count; ++n) {
    drm_i915_gem_exec_fence fence{};
    uint64_t point = 0;
    if (raw::get(fence, list.handles_ptr + n * sizeof fence) < 0) return -EFAULT;
    if (fence.flags & ~known_fence_flags) return -EINVAL;
    if (raw::get(point, list.values_ptr + n * sizeof point) < 0) return -EFAULT;
    const Syncobj so = find_syncobj(e.call, fence.handle);
    if (!so) return -ENOENT;
    const bool wait = fence.flags & I915_EXEC_FENCE_WAIT, signal = fence.flags & I915_EXEC_FENCE_SIGNAL;
    if (wait) {
      // Waiting for what is not there is an error, unless the same entry puts a fence there.
      if (const int error = add_waits(e, so, point); error < 0 && !signal) return error;
      if (signal && point != 0) return -EINVAL;
    }
    if (signal) e.signals.push_back({so, point});
  }
  return 0;
}

}  // namespace

int parse_fences(Exec& e) {
  if (e.args.flags & I915_EXEC_USE_EXTENSIONS) {
    if (e.args.flags & I915_EXEC_FENCE_ARRAY) return -EINVAL;
    if (e.args.num_cliprects != 0) return -EINVAL;
    return walk_extensions(e.args.cliprects_ptr, [&](uint32_t name, uint64_t address) {
      return name == DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES ? add_timelines(e, address) : -EINVAL;
    });
  }
  return e.args.flags & I915_EXEC_FENCE_ARRAY ? add_array(e) : 0;
}

}  // namespace vitro::i915
