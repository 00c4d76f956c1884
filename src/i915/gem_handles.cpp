// Handles of objects: closing, names, PRIME. Source: drm_gem.c, drm_prime.c, i915_gem_dmabuf.c of Linux 6.1. A buffer
// of another file is an object like one's own, as in the kernel, where all files are of one device; here it is a record
// that names the other arena. Names (FLINK) hold among the clients of one run (clients.h). Dma-bufs of other drivers
// cannot be imported.
#include <fcntl.h>

#include <cerrno>

#include "i915/aperture.h"
#include "i915/clients.h"
#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

uint32_t record_of(const Call& call, uint32_t handle) {
  return handle > 0 && handle < max_handles ? call.head().handles[handle] : 0;
}

// The handle that a file has already given to an object of its arena. Needs the lock.
uint32_t handle_of(Arena& arena, uint32_t index) {
  for (uint32_t h = 1; h < arena.head().handle_end; ++h)
    if (arena.head().handles[h] == index) return h;
  return 0;
}

// The record that stands for an object of another arena. Needs the lock.
uint32_t record_of_foreign(Arena& arena, uint64_t inode, uint32_t object) {
  for (uint32_t i = 1; i < arena.head().next_object; ++i) {
    const ObjectRecord& o = arena.object(i);
    if (o.storage == Storage::foreign && o.foreign_inode == inode && o.foreign_object == object) return i;
  }
  return 0;
}

int own_handle(const Call& call, uint32_t index, uint32_t& handle) {
  handle = handle_of(call.arena(), index);
  if (handle == 0) handle = call.arena().new_handle(index);
  return handle == 0 ? -ENOSPC : 0;
}

// The record that stands for an object of another arena, made if there is none. Needs the lock. 0: no memory.
uint32_t import_record(const Call& call, Arena& home, uint32_t object) {
  Arena& mine = call.arena();
  uint32_t index = record_of_foreign(mine, home.inode(), object);
  if (index == 0) {
    index = mine.new_import(home.object(object).bytes);
    if (index == 0) return 0;
    ObjectRecord& o = mine.object(index);
    o.foreign_inode = home.inode();
    o.foreign_object = object;
    home.ref(object);
    ++home.object(object).imports;
  }
  return index;
}

int import_foreign(const Call& call, const std::shared_ptr<Arena>& home, int fd, uint32_t object, uint32_t& handle) {
  if (const int error = remember_foreign(call, home, fd); error < 0) return error;
  const ArenaLock lock(call.arena());
  const uint32_t index = import_record(call, *home, object);
  return index == 0 ? -ENOMEM : own_handle(call, index, handle);
}

// The object of an arena that has a name; it has one as long as there are handles of it. Needs the lock.
uint32_t find_named(Arena& arena, uint32_t name) {
  for (uint32_t i = 1; i < arena.head().next_object; ++i) {
    const ObjectRecord& o = arena.object(i);
    if (o.storage != Storage::none && o.name == name && (o.handles != 0 || o.imports != 0)) return i;
  }
  return 0;
}

}  // namespace

int remember_foreign(const Call& call, const std::shared_ptr<Arena>& home, int fd) {
  {
    const std::lock_guard guard(call.file->lock);
    if (call.file->foreign_arenas.contains(home->inode())) return 0;
  }
  const int copy = fd < 0 ? home->reopen() : raw::reopen(fd, O_RDWR | O_CLOEXEC);
  if (copy < 0) return copy;
  const int kept = call.kernel.add_internal(copy);
  bool is_new = false;
  {
    const std::lock_guard guard(call.file->lock);
    is_new = call.file->foreign_arenas.try_emplace(home->inode(), ForeignArena{home, kept}).second;
  }
  if (!is_new) call.kernel.remove_internal(kept);  // another thread was faster
  return 0;
}

ObjectRef find_object(const Call& call, uint32_t handle) {
  const ArenaLock lock(call.arena());
  const uint32_t index = record_of(call, handle);
  if (index == 0) return {};
  const ObjectRecord& o = call.arena().object(index);
  if (o.storage != Storage::foreign) return ObjectRef(call.file->arena, index);
  const std::lock_guard guard(call.file->lock);
  const auto foreign = call.file->foreign_arenas.find(o.foreign_inode);
  return foreign == call.file->foreign_arenas.end() ? ObjectRef() : ObjectRef(foreign->second.arena, o.foreign_object);
}

uint64_t mmap_offset(const Call& call, uint32_t handle) {
  const ArenaLock lock(call.arena());
  return call.arena().object(record_of(call, handle)).offset;
}

std::byte* host_memory(const ObjectRef& object) {
  if (object->storage == Storage::arena) return object.arena()->storage(*object);
  return object->storage == Storage::user && object->user_process == raw::process()
             ? reinterpret_cast<std::byte*>(object->user_address)
             : nullptr;
}

int close_handle(const Call& call, uint32_t handle) {
  ObjectRef object = find_object(call, handle);
  if (!object) return -EINVAL;
  settle_aperture(object);
  Arena& arena = call.arena();
  bool last = false;
  {
    const ArenaLock lock(arena);
    const uint32_t index = record_of(call, handle);
    if (index == 0) return -EINVAL;
    Head& h = arena.head();
    h.handles[handle] = 0;
    h.handle_hint = std::min(h.handle_hint, handle);
    ObjectRecord& o = arena.object(index);
    last = --o.handles == 0;
    if (last && o.storage == Storage::foreign) {
      --object->imports;
      object.arena()->unref(object.index());
      o.refs.fetch_sub(1);
      arena.free_object(index);
    } else {
      arena.unref(index);
    }
  }
  if (!last) return 0;
  const ObjectKey key = key_of(object);
  call.kernel.remove_userptr(key);
  std::vector<std::shared_ptr<Vm>> vms;
  {
    const std::lock_guard guard(call.file->lock);
    for (const auto& [serial, vm] : call.file->vms) vms.push_back(vm);
  }
  for (const auto& vm : vms) {
    const std::lock_guard guard(vm->lock);
    vm->unbind(key);
  }
  return 0;
}

int gem_close(Call& call, drm_gem_close& c) { return close_handle(call, c.handle); }

int gem_flink(Call& call, drm_gem_flink& f) {
  const ObjectRef object = find_object(call, f.handle);
  if (!object) return -ENOENT;
  const ArenaLock lock(*object.arena());
  if (object->name == 0) object->name = raw::unique_number();
  f.name = object->name;
  return f.name == 0 ? -ENOMEM : 0;
}

// Every time another handle.
int gem_open(Call& call, drm_gem_open& o) {
  ObjectRef object;
  int error = -ENOENT;
  find_client(call.kernel, [&](const std::shared_ptr<Arena>& arena, int fd) {
    {
      const ArenaLock lock(*arena);
      const uint32_t index = o.name == 0 ? 0 : find_named(*arena, o.name);
      if (index == 0) return false;
      object = ObjectRef(arena, index);
    }
    error = arena->inode() == call.arena().inode() ? 0 : remember_foreign(call, arena, fd);
    return true;
  });
  if (error < 0) return error;
  const ArenaLock lock(call.arena());
  const bool is_own = object.arena()->inode() == call.arena().inode();
  const uint32_t index = is_own ? object.index() : import_record(call, *object.arena(), object.index());
  if (index == 0) return -ENOMEM;
  o.handle = call.arena().new_handle(index);
  o.size = object->bytes;
  return o.handle == 0 ? -ENOSPC : 0;
}

int prime_handle_to_fd(Call& call, drm_prime_handle& p) {
  if (p.flags & ~uint32_t(DRM_CLOEXEC | DRM_RDWR)) return -EINVAL;
  const ObjectRef object = find_object(call, p.handle);
  if (!object) return -ENOENT;
  if (object->storage != Storage::arena) {
    call.kernel.report("unsupported: export of a userptr object");
    return -EINVAL;
  }
  settle_aperture(object);
  int fd = call.fd;
  if (object.arena() != call.file->arena) {
    const std::lock_guard guard(call.file->lock);
    fd = call.file->foreign_arenas[object.arena()->inode()].fd;
  }
  const ArenaLock lock(*object.arena());
  object->ever_exported = 1;
  const int exported = object.arena()->export_at(
      fd, object->offset, (p.flags & DRM_RDWR ? O_RDWR : O_RDONLY) | (p.flags & DRM_CLOEXEC ? O_CLOEXEC : 0));
  if (exported < 0) return exported;
  p.fd = exported;
  return 0;
}

uint32_t dma_buf_object(Arena& arena, int fd) {
  const int64_t position = raw::lseek(fd, 0, SEEK_CUR);
  if (position < int64_t(storage_start)) return 0;
  const uint32_t index = arena.find_by_offset(uint64_t(position));
  return index && arena.object(index).offset == uint64_t(position) ? index : 0;
}

int prime_fd_to_handle(Call& call, drm_prime_handle& p) {
  struct stat s {};
  if (const int error = raw::fstat(p.fd, &s); error < 0) return -EBADF;
  const std::shared_ptr<Arena> home = call.kernel.arena(p.fd);
  if (!home) return -EINVAL;
  ObjectRef object;
  {
    const ArenaLock lock(*home);
    const uint32_t index = dma_buf_object(*home, p.fd);
    if (index == 0) return -EINVAL;
    object = ObjectRef(home, index);
  }
  if (home->inode() != call.arena().inode()) return import_foreign(call, home, p.fd, object.index(), p.handle);
  const ArenaLock lock(*home);
  return own_handle(call, object.index(), p.handle);
}

}  // namespace vitro::i915
