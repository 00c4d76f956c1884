// Making objects and telling their properties: create, userptr, tiling, caching, madvise, aperture, dumb buffers.
// Source: i915_gem_create.c, i915_gem_userptr.c, i915_gem_tiling.c, i915_gem_domain.c, i915_gem.c of Linux 6.1. No
// swizzling of tiles by the memory controller is reported, as with one DIMM.
#include <sys/mman.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "i915/aperture.h"
#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

int create(Call& call, uint64_t& bytes, uint32_t& handle) {
  if (bytes == 0 || bytes > UINT64_MAX - page_bytes) return -EINVAL;
  const uint64_t rounded = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  if (rounded / page_bytes > INT_MAX) return -E2BIG;
  Arena& arena = call.arena();
  const ArenaLock lock(arena);
  const uint32_t index = arena.new_object(rounded);
  if (index == 0) return -ENOMEM;
  arena.object(index).caching = call.platform().llc ? I915_CACHING_CACHED : I915_CACHING_NONE;
  handle = arena.new_handle(index);
  if (handle == 0) {
    arena.free_object(index);
    return -ENOSPC;
  }
  bytes = rounded;
  return 0;
}

// Whether the whole range is mapped with at least these rights, as get_user_pages finds it.
bool is_accessible(uint64_t address, uint64_t bytes, bool write) {
  const std::string maps = raw::read_text("/proc/self/maps", 64 << 20);
  uint64_t covered = address;
  for (size_t at = 0; at < maps.size() && covered < address + bytes;) {
    char* rest = nullptr;
    const uint64_t start = std::strtoull(maps.c_str() + at, &rest, 16);
    const uint64_t end = std::strtoull(rest + 1, &rest, 16);
    if (start <= covered && covered < end && rest[1] == 'r' && (rest[2] == 'w' || !write)) covered = end;
    const size_t newline = maps.find('\n', at);
    at = newline == std::string::npos ? maps.size() : newline + 1;
  }
  return covered >= address + bytes;
}

int create_regions(uint64_t address) {
  drm_i915_gem_create_ext_memory_regions e{};
  if (raw::get(e, address) < 0) return -EFAULT;
  if (e.pad != 0) return -EINVAL;
  if (e.num_regions == 0) return -EINVAL;
  if (e.num_regions > 1) return -EINVAL;  // there is only one region
  drm_i915_gem_memory_class_instance region{};
  if (raw::get(region, e.regions) < 0) return -EFAULT;
  return region.memory_class == I915_MEMORY_CLASS_SYSTEM && region.memory_instance == 0 ? 0 : -EINVAL;
}

int create_protected(uint64_t address) {
  drm_i915_gem_create_ext_protected_content e{};
  if (raw::get(e, address) < 0) return -EFAULT;
  if (e.flags != 0) return -EINVAL;
  return -ENODEV;  // no PXP before Gen12
}

using CreateExtension = int (*)(uint64_t address);
constexpr CreateExtension create_extensions[] = {create_regions, create_protected};

}  // namespace

int gem_create(Call& call, drm_i915_gem_create& c) {
  uint64_t bytes = c.size;
  const int error = create(call, bytes, c.handle);
  if (error == 0) c.size = bytes;
  return error;
}

int gem_create_ext(Call& call, drm_i915_gem_create_ext& c) {
  if (c.flags & ~uint32_t(I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS)) return -EINVAL;
  const int error = walk_extensions(c.extensions, [](uint32_t name, uint64_t address) {
    return name < std::size(create_extensions) ? create_extensions[name](address) : -EINVAL;
  });
  if (error) return error;
  if (c.flags) return -EINVAL;  // needs a second, CPU-visible placement
  uint64_t bytes = c.size;
  const int result = create(call, bytes, c.handle);
  if (result == 0) c.size = bytes;
  return result;
}

int gem_userptr(Call& call, drm_i915_gem_userptr& u) {
  constexpr uint32_t known = I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | uint32_t(I915_USERPTR_UNSYNCHRONIZED);
  if (u.flags & ~known) return -EINVAL;
  if (u.user_size / page_bytes > INT_MAX) return -E2BIG;
  if (u.user_size == 0 || (u.user_ptr | u.user_size) % page_bytes) return -EINVAL;
  constexpr uint64_t user_end = (uint64_t{1} << 47) - page_bytes;
  if (u.user_ptr > user_end || u.user_size > user_end - u.user_ptr) return -EFAULT;
  if (u.flags & uint32_t(I915_USERPTR_UNSYNCHRONIZED)) return -ENODEV;
  const bool read_only = u.flags & I915_USERPTR_READ_ONLY;
  if (read_only && !call.platform().read_only_pages) return -ENODEV;
  if ((u.flags & I915_USERPTR_PROBE) &&
      raw::msync(reinterpret_cast<void*>(u.user_ptr), u.user_size, MS_ASYNC) == -ENOMEM)
    return -EFAULT;
  ObjectRef object;
  {
    const ArenaLock lock(call.arena());
    const uint32_t index = call.arena().new_record();
    if (index == 0) return -ENOMEM;
    ObjectRecord& o = call.arena().object(index);
    o.storage = Storage::user;
    o.bytes = u.user_size;
    o.user_address = u.user_ptr;
    o.user_process = raw::getpid();
    o.read_only = read_only;
    o.caching = I915_CACHING_CACHED;
    u.handle = call.arena().new_handle(index);
    if (u.handle == 0) {
      call.arena().free_object(index);
      return -ENOSPC;
    }
    object = ObjectRef(call.file->arena, index);
  }
  call.kernel.add_userptr(object);
  return 0;
}

bool user_pages_present(const ObjectRef& object) {
  if (object->storage != Storage::user) return true;
  if (object->user_process != raw::getpid()) return false;
  if (!object->pages_seen) {
    if (!is_accessible(object->user_address, object->bytes, !object->read_only)) return false;
    object->pages_seen = 1;
  }
  // Holes that came later: looks at the mappings only, writes nothing back.
  return raw::msync(reinterpret_cast<void*>(object->user_address), object->bytes, MS_ASYNC) != -ENOMEM;
}

int gem_set_tiling(Call& call, drm_i915_gem_set_tiling& t) {
  const ObjectRef object = find_object(call, t.handle);
  if (!object) return -ENOENT;
  if (object->storage != Storage::arena) return -ENXIO;
  constexpr uint32_t tile_bytes[] = {0, 512, 128};  // none, X, Y
  if (t.tiling_mode >= std::size(tile_bytes)) return -EINVAL;
  if (t.tiling_mode == I915_TILING_NONE) {
    t.stride = 0;
  } else if (t.stride == 0 || t.stride % tile_bytes[t.tiling_mode] ||
             t.stride > call.platform().fence_stride_bytes_max) {
    return -EINVAL;
  }
  t.swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
  const ArenaLock lock(*object.arena());
  change_tiling(*object.arena(), object.index(), uint8_t(t.tiling_mode), t.stride);
  return 0;
}

int gem_get_tiling(Call& call, drm_i915_gem_get_tiling& t) {
  const ObjectRef object = find_object(call, t.handle);
  if (!object) return -ENOENT;
  t.tiling_mode = object->tiling;
  t.swizzle_mode = t.phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
  return 0;
}

int gem_set_caching(Call& call, drm_i915_gem_caching& c) {
  if (c.caching > I915_CACHING_DISPLAY) return -EINVAL;
  const ObjectRef object = find_object(call, c.handle);
  if (!object) return -ENOENT;
  if (object->storage == Storage::user && c.caching != I915_CACHING_CACHED) return -ENXIO;
  // No embedded DRAM to write through to: what is displayed is not cached.
  object->caching = uint8_t(c.caching == I915_CACHING_DISPLAY ? I915_CACHING_NONE : c.caching);
  return 0;
}

int gem_get_caching(Call& call, drm_i915_gem_caching& c) {
  const ObjectRef object = find_object(call, c.handle);
  if (!object) return -ENOENT;
  c.caching = object->caching;
  return 0;
}

int gem_madvise(Call& call, drm_i915_gem_madvise& m) {
  if (m.madv != I915_MADV_WILLNEED && m.madv != I915_MADV_DONTNEED) return -EINVAL;
  const ObjectRef object = find_object(call, m.handle);
  if (!object) return -ENOENT;
  const ArenaLock lock(*object.arena());
  // Memory is never so short that we purge: what is not needed stays until it is closed.
  if (!object->purged) object->dont_need = m.madv == I915_MADV_DONTNEED;
  m.retained = !object->purged;
  return 0;
}

int gem_get_aperture(Call& call, drm_i915_gem_get_aperture& a) {
  a.aper_size = call.platform().ggtt_bytes;
  constexpr uint64_t pinned = 16 << 20;  // rings, contexts and the like
  a.aper_available_size = a.aper_size - pinned;
  return 0;
}

int create_dumb(Call& call, drm_mode_create_dumb& d) {
  if (d.width == 0 || d.height == 0 || d.bpp == 0 || d.bpp > UINT32_MAX - 8) return -EINVAL;
  const uint64_t pixel_bytes = (uint64_t(d.bpp) + 7) / 8;
  if (pixel_bytes > UINT32_MAX / d.width) return -EINVAL;
  const uint64_t pitch = (pixel_bytes * d.width + 63) / 64 * 64;
  if (pitch > UINT32_MAX || d.height > UINT32_MAX / pitch) return -EINVAL;
  uint64_t bytes = pitch * d.height;
  const int error = create(call, bytes, d.handle);
  if (error) return error;
  d.pitch = uint32_t(pitch);
  d.size = bytes;
  return 0;
}

int map_dumb(Call& call, drm_mode_map_dumb& m) {
  if (!find_object(call, m.handle)) return -ENOENT;
  m.offset = mmap_offset(call, m.handle);
  return 0;
}

int destroy_dumb(Call& call, drm_mode_destroy_dumb& d) { return close_handle(call, d.handle); }

}  // namespace vitro::i915
