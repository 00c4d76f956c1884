// Syncobjs: named places for fences, binary or timelines of points. Source of the behaviour: Linux drm_syncobj.c and
// dma-fence-chain.c: a point has signalled when it and all points added before it have.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "i915/state.h"

namespace vitro::i915 {

// A syncobj in the arena it lives in.
struct Syncobj {
  std::shared_ptr<Arena> arena;
  uint32_t index = 0;
  explicit operator bool() const { return index != 0; }
  SyncobjRecord& operator*() const { return arena->head().syncobjs[index]; }
  SyncobjRecord* operator->() const { return &**this; }
};
Syncobj find_syncobj(const Call& call, uint32_t handle);
// The syncobjs of an array of handles in user memory.
int find_syncobjs(Call& call, uint64_t handles, uint32_t count, std::vector<Syncobj>& out);

// These need the lock of the syncobj's arena; the fence is one of that arena.
// Replaces what is there; an unset fence empties it.
void replace_fence(const Syncobj& syncobj, FenceRef fence);
void add_point(const Syncobj& syncobj, uint64_t point, FenceRef fence);
// 0 and the unsignalled fences to wait for, or -EINVAL if there is no such fence yet.
int fences_at(const Syncobj& syncobj, uint64_t point, std::vector<FenceRef>& out);

}  // namespace vitro::i915
