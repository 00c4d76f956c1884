// Making objects and telling their properties: create, tiling, caching, madvise, aperture, dumb buffers.
// Source: i915_gem_create.c, i915_gem_tiling.c, i915_gem_domain.c, i915_gem.c of Linux 6.1. No
// swizzling of tiles by the memory controller is reported, as with one DIMM.
#include <cerrno>
#include <climits>

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
  if (index == 0) {
    if (const std::string why = arena.shortage(); !why.empty())
      call.kernel.report_once("no memory for a buffer: " + why);
    return -ENOMEM;
  }
  arena.object(index).caching = call.platform().llc ? I915_CACHING_CACHED : I915_CACHING_NONE;
  handle = arena.new_handle(index);
  if (handle == 0) {
    arena.free_object(index);
    return -ENOSPC;
  }
  bytes = rounded;
  return 0;
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
  if (pixel_bytes != 1 && pixel_bytes != 2 && pixel_bytes != 4) return -EINVAL;  // C8, RGB565, XRGB8888
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
