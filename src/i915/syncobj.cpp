// The records of syncobjs and their ioctls but for waiting. Source: drm_syncobj.c of Linux 6.1. A descriptor of a
// syncobj is an open file description of the arena whose position says which.
#include "i915/syncobj.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

void drop_points(Head& h, SyncobjRecord& s) {
  while (s.first_point) {
    PointRecord& p = h.points[s.first_point];
    const uint32_t next = p.next;
    p.next = h.free_point;
    h.free_point = s.first_point;
    s.first_point = next;
  }
  s.last_point = 0;
}

// Forgets points that have signalled, in order.
void prune(const Syncobj& so) {
  Head& h = so.arena->head();
  SyncobjRecord& s = *so;
  while (s.first_point && is_signalled(*so.arena, h.points[s.first_point].fence)) {
    PointRecord& p = h.points[s.first_point];
    s.signalled_point = std::max(s.signalled_point, p.point);
    const uint32_t next = p.next;
    p.next = h.free_point;
    h.free_point = s.first_point;
    s.first_point = next;
    if (next == 0) s.last_point = 0;
  }
}

bool append(Head& h, SyncobjRecord& s, uint64_t point, FenceRef fence) {
  uint32_t index = h.free_point;
  if (index)
    h.free_point = h.points[index].next;
  else if (h.next_point < max_points)
    index = h.next_point++;
  else
    return false;
  h.points[index] = {point, fence, 0};
  if (s.last_point)
    h.points[s.last_point].next = index;
  else
    s.first_point = index;
  s.last_point = index;
  return true;
}

uint32_t new_handle(Head& h, uint32_t index) {
  for (uint32_t i = h.syncobj_hint; i < max_syncobjs; ++i) {
    if (h.syncobj_handles[i] != 0) continue;
    h.syncobj_handles[i] = index;
    h.syncobj_hint = i + 1;
    ++h.syncobjs[index].handles;
    return i;
  }
  return 0;
}

void free_record(Head& h, uint32_t index) {
  SyncobjRecord& s = h.syncobjs[index];
  drop_points(h, s);
  s = {};
  s.next_free = h.free_syncobj;
  h.free_syncobj = index;
}

uint32_t new_record(Head& h) {
  uint32_t index = h.free_syncobj;
  if (index)
    h.free_syncobj = h.syncobjs[index].next_free;
  else if (h.next_syncobj < max_syncobjs)
    index = h.next_syncobj++;
  else
    return 0;
  h.syncobjs[index] = {};
  h.syncobjs[index].in_use = true;
  return index;
}

// Those that live only as long as a descriptor of theirs does.
void sweep(const Call& call) {
  Head& h = call.head();
  if (h.unhandled_syncobjs == 0) return;
  for (uint32_t i = 1; i < h.next_syncobj; ++i) {
    const SyncobjRecord& s = h.syncobjs[i];
    if (!s.in_use || s.handles != 0 || Arena::is_exported(call.fd, syncobj_tag_start + i)) continue;
    free_record(h, i);
    --h.unhandled_syncobjs;
  }
}

void put_handle(Head& h, uint32_t index) {
  SyncobjRecord& s = h.syncobjs[index];
  if (--s.handles != 0) return;
  if (s.ever_exported)
    ++h.unhandled_syncobjs;  // sweep() looks whether a descriptor is left
  else
    free_record(h, index);
}

}  // namespace

Syncobj find_syncobj(const Call& call, uint32_t handle) {
  const ArenaLock lock(call.arena());
  const uint32_t index = handle < max_syncobjs ? call.head().syncobj_handles[handle] : 0;
  if (index == 0) return {};
  const SyncobjRecord& s = call.head().syncobjs[index];
  if (s.foreign_inode == 0) return {call.file->arena, index};
  const std::lock_guard guard(call.file->lock);
  const auto foreign = call.file->foreign_arenas.find(s.foreign_inode);
  return foreign == call.file->foreign_arenas.end() ? Syncobj{} : Syncobj{foreign->second.arena, s.foreign_syncobj};
}

int find_syncobjs(Call& call, uint64_t handles, uint32_t count, std::vector<Syncobj>& out) {
  constexpr size_t most_bytes = 4 << 20;  // that the kernel allocates at once
  if (count > most_bytes / sizeof(uint32_t)) return -ENOMEM;
  std::vector<uint32_t> list(count);
  if (raw::copy_in(list.data(), handles, count * sizeof(uint32_t)) < 0) return -EFAULT;
  for (const uint32_t handle : list) {
    out.push_back(find_syncobj(call, handle));
    if (!out.back()) return -ENOENT;
  }
  return 0;
}

void replace_fence(const Syncobj& so, FenceRef fence) {
  drop_points(so.arena->head(), *so);
  so->timeline = false;
  so->fence = fence;
  so->signalled_point = so->newest_point = 0;
  announce(*so.arena);
}

void add_point(const Syncobj& so, uint64_t point, FenceRef fence) {
  SyncobjRecord& s = *so;
  Head& h = so.arena->head();
  if (!s.timeline) {
    if (s.fence) append(h, s, 0, s.fence);
    s.timeline = true;
    s.fence = {};
  }
  // An unordered point takes the number of the newest, so that numbers never fall.
  s.newest_point = std::max(s.newest_point, point);
  append(h, s, s.newest_point, fence);
  announce(*so.arena);
}

int fences_at(const Syncobj& so, uint64_t point, std::vector<FenceRef>& out) {
  SyncobjRecord& s = *so;
  if (!s.timeline) {
    if (!s.fence || point != 0) return -EINVAL;
    if (!is_signalled(*so.arena, s.fence)) out.push_back(s.fence);
    return 0;
  }
  if (point > s.newest_point) return -EINVAL;
  prune(so);
  const Head& h = so.arena->head();
  for (uint32_t i = s.first_point; i; i = h.points[i].next) {
    if (point != 0 && s.signalled_point >= point) break;
    if (!is_signalled(*so.arena, h.points[i].fence)) out.push_back(h.points[i].fence);
    if (point != 0 && h.points[i].point >= point) break;
  }
  return 0;
}

int syncobj_create(Call& call, drm_syncobj_create& c) {
  if (c.flags & ~uint32_t(DRM_SYNCOBJ_CREATE_SIGNALED)) return -EINVAL;
  const ArenaLock lock(call.arena());
  sweep(call);
  const uint32_t index = new_record(call.head());
  if (index == 0) return -ENOMEM;
  if (c.flags & DRM_SYNCOBJ_CREATE_SIGNALED) call.head().syncobjs[index].fence = signalled_fence;
  c.handle = new_handle(call.head(), index);
  return c.handle == 0 ? -ENOSPC : 0;
}

int syncobj_destroy(Call& call, drm_syncobj_destroy& d) {
  if (d.pad != 0) return -EINVAL;
  const Syncobj so = find_syncobj(call, d.handle);
  Head& h = call.head();
  {
    const ArenaLock lock(call.arena());
    const uint32_t index = d.handle < max_syncobjs ? h.syncobj_handles[d.handle] : 0;
    if (index == 0) return -EINVAL;
    h.syncobj_handles[d.handle] = 0;
    h.syncobj_hint = std::min(h.syncobj_hint, d.handle);
    put_handle(h, index);
  }
  if (so && so.arena != call.file->arena) {
    const ArenaLock lock(*so.arena);
    put_handle(so.arena->head(), so.index);
  }
  return 0;
}

int syncobj_handle_to_fd(Call& call, drm_syncobj_handle& a) {
  if (a.pad != 0) return -EINVAL;
  if (a.flags != 0 && a.flags != DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) return -EINVAL;
  const Syncobj so = find_syncobj(call, a.handle);
  int fd = -1;
  if (a.flags != 0) {
    if (!so) return -ENOENT;
    std::vector<FenceRef> fences;
    {
      const ArenaLock lock(*so.arena);
      if (const int error = fences_at(so, 0, fences); error < 0) return error;
    }
    std::vector<Dependency> waits;
    for (const FenceRef f : fences) waits.push_back({so.arena, f});
    fd = make_sync_file(call.kernel, std::move(waits));
  } else {
    if (!so) return -EINVAL;
    int from = call.fd;
    if (so.arena != call.file->arena) {
      const std::lock_guard guard(call.file->lock);
      from = call.file->foreign_arenas[so.arena->inode()].fd;
    }
    const ArenaLock lock(*so.arena);
    so->ever_exported = true;
    fd = so.arena->export_at(from, syncobj_tag_start + so.index, O_RDWR | O_CLOEXEC);
  }
  if (fd < 0) return fd;
  a.fd = fd;
  return 0;
}

namespace {

int import_syncobj(Call& call, drm_syncobj_handle& a) {
  const std::shared_ptr<Arena> home = call.kernel.arena(a.fd);
  if (!home) return -EINVAL;
  const int64_t position = raw::lseek(a.fd, 0, SEEK_CUR);
  if (position < int64_t(syncobj_tag_start) || position >= int64_t(syncobj_tag_start + max_syncobjs)) return -EINVAL;
  const Syncobj so{home, uint32_t(uint64_t(position) - syncobj_tag_start)};
  if (home == call.file->arena) {
    const ArenaLock lock(*home);
    if (!so->in_use) return -EINVAL;
    if (so->handles == 0) --home->head().unhandled_syncobjs;
    a.handle = new_handle(home->head(), so.index);
    return a.handle == 0 ? -ENOSPC : 0;
  }
  {
    const ArenaLock lock(*home);
    if (!so->in_use) return -EINVAL;
    if (so->handles == 0) --home->head().unhandled_syncobjs;
    ++so->handles;
  }
  if (const int error = remember_foreign(call, home, a.fd); error < 0) return error;
  const ArenaLock lock(call.arena());
  const uint32_t index = new_record(call.head());
  if (index == 0) return -ENOMEM;
  call.head().syncobjs[index].foreign_inode = home->inode();
  call.head().syncobjs[index].foreign_syncobj = so.index;
  a.handle = new_handle(call.head(), index);
  return a.handle == 0 ? -ENOSPC : 0;
}

}  // namespace

int syncobj_fd_to_handle(Call& call, drm_syncobj_handle& a) {
  if (a.pad != 0) return -EINVAL;
  if (a.flags != 0 && a.flags != DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE) return -EINVAL;
  if (a.flags == 0) return import_syncobj(call, a);
  std::vector<Dependency> waits;
  if (const int error = sync_file_fences(call.kernel, a.fd, waits); error < 0) return error;
  const Syncobj so = find_syncobj(call, a.handle);
  if (!so) {
    for (const Dependency& d : waits) call.kernel.remove_internal(d.fd);
    return -ENOENT;
  }
  FenceRef fence;
  if (const int error = relay(call.kernel, so.arena, std::move(waits), fence); error < 0) return error;
  const ArenaLock lock(*so.arena);
  replace_fence(so, fence);
  return 0;
}

namespace {

int replace_all(Call& call, const drm_syncobj_array& a, FenceRef fence) {
  if (a.pad != 0) return -EINVAL;
  if (a.count_handles == 0) return -EINVAL;
  std::vector<Syncobj> all;
  if (const int error = find_syncobjs(call, a.handles, a.count_handles, all); error < 0) return error;
  for (const Syncobj& so : all) {
    const ArenaLock lock(*so.arena);
    replace_fence(so, fence);
  }
  return 0;
}

}  // namespace

int syncobj_reset(Call& call, drm_syncobj_array& a) { return replace_all(call, a, {}); }
int syncobj_signal(Call& call, drm_syncobj_array& a) { return replace_all(call, a, signalled_fence); }

int syncobj_timeline_signal(Call& call, drm_syncobj_timeline_array& a) {
  if (a.flags != 0) return -EINVAL;
  if (a.count_handles == 0) return -EINVAL;
  std::vector<Syncobj> all;
  if (const int error = find_syncobjs(call, a.handles, a.count_handles, all); error < 0) return error;
  std::vector<uint64_t> points(a.count_handles);
  if (a.points != 0 && raw::copy_in(points.data(), a.points, points.size() * sizeof(uint64_t)) < 0) return -EFAULT;
  for (size_t i = 0; i < all.size(); ++i) {
    const ArenaLock lock(*all[i].arena);
    add_point(all[i], points[i], signalled_fence);
  }
  return 0;
}

int syncobj_query(Call& call, drm_syncobj_timeline_array& a) {
  if (a.flags & ~uint32_t(DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)) return -EINVAL;
  if (a.count_handles == 0) return -EINVAL;
  std::vector<Syncobj> all;
  if (const int error = find_syncobjs(call, a.handles, a.count_handles, all); error < 0) return error;
  std::vector<uint64_t> points;
  for (const Syncobj& so : all) {
    const ArenaLock lock(*so.arena);
    if (so->timeline) prune(so);
    const bool newest = a.flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
    points.push_back(!so->timeline ? 0 : newest ? so->newest_point : so->signalled_point);
  }
  return raw::copy_out(a.points, points.data(), points.size() * sizeof(uint64_t));
}

}  // namespace vitro::i915
