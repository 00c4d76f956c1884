// The view of a tiled object through the aperture. On the machine a fence register makes an X- or Y-tiled object look
// linear to the CPU where it is mapped through the GTT (I915_GEM_MMAP_GTT). PRM: "Memory Views / GTT, Tiled Fences";
// source of the interface: i915_gem_mman.c, i915_gem_tiling.c, i915_ggtt_fencing.c of Linux 6.1.
// Here nothing stands between the CPU and memory, so the program maps a linear copy, and copy and object are made equal
// at the points where the interface lets one ask for that: set_domain, sw_finish, pread, pwrite, wait, busy, mmap,
// munmap, close, set_tiling, export, the ioctl of a dma-buf, and before and after each batch that names the object.
// Not modelled: the number of fence registers, and what the CPU writes being seen between these points.
#pragma once

#include <cstdint>

#include "i915/arena.h"

namespace vitro::i915 {

// Offsets for mmap that mean the aperture's view of an object; the others mean the memory itself.
inline constexpr uint64_t aperture_flag = uint64_t{1} << 46;

// Where in the arena the linear copy of an object is that is mapped through the aperture, or the object itself if it is
// linear and always was. 0: no memory. Needs the lock.
uint64_t aperture_view(Arena& arena, uint32_t object);

// Makes copy and object equal, if there is a copy: what changed in one since the last time is changed in the other.
// What changed in both is as in the copy. Takes the lock.
void settle_aperture(Arena& arena, uint32_t object);
inline void settle_aperture(const ObjectRef& object) { settle_aperture(*object.arena(), object.index()); }

// Gives the object another tiling; the copy then shows the memory in that order. Needs the lock.
void change_tiling(Arena& arena, uint32_t object, uint8_t tiling, uint32_t stride);

}  // namespace vitro::i915
