// Making, finding and mapping arenas, and the records and storage in them. Records are handed out from free lists, so
// that the sparse head stays small; storage comes first-fit from a sorted list of free extents and is given back as a
// hole, so that it reads as zero again. Source of the behaviour: Linux drm_gem.c and shmem. Storage is not accounted
// against a limit: the host's memory is the limit.
#include "i915/arena.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint64_t arena_bytes = uint64_t{256} << 30;

// An imported object has a place in the arena too, of which nothing is ever touched: it is its mmap offset.
bool has_place(const ObjectRecord& o) { return o.storage == Storage::arena || o.storage == Storage::foreign; }

}  // namespace

std::shared_ptr<Arena> Arena::create(int minor, std::string_view device, int& fd) {
  fd = raw::memfd_create(minor == 0 ? "drm:card0" : "drm:renderD128", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return nullptr;
  if (const int error = raw::ftruncate(fd, arena_bytes); error < 0) {
    raw::close(fd);
    fd = error;
    return nullptr;
  }
  // Whoever has the descriptor may call ftruncate past us; what is mapped must stay.
  raw::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  const long at = raw::mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (raw::failed(at)) {
    raw::close(fd);
    fd = int(at);
    return nullptr;
  }
  Head& h = *reinterpret_cast<Head*>(at);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&h.mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  h.version = arena_version;
  h.minor = uint32_t(minor);
  std::memcpy(h.device, device.data(), std::min(device.size(), sizeof h.device - 1));
  h.bytes = arena_bytes;
  h.next_object = h.next_syncobj = h.next_point = h.next_fence = h.handle_hint = h.handle_end = h.syncobj_hint = 1;
  h.fences[0].word = signalled_fence.round << 1 | 1;
  h.extents[0] = {storage_start, arena_bytes - storage_start};
  h.extent_count = 1;
  std::atomic_thread_fence(std::memory_order_release);
  h.magic = arena_magic;
  raw::munmap(reinterpret_cast<void*>(at), arena_bytes);
  return adopt(fd);
}

bool Arena::may_be(int fd, uint64_t& inode) {
  struct stat s {};
  if (raw::fstat(fd, &s) < 0 || !S_ISREG(s.st_mode) || s.st_nlink != 0 || s.st_size != off_t(arena_bytes)) return false;
  inode = s.st_ino;
  return true;
}

bool Arena::recognise(int fd, uint64_t& inode) {
  if (!may_be(fd, inode)) return false;
  struct {
    uint64_t magic;
    uint32_t version;
  } start{};
  int from = fd;
  long n = raw::pread(fd, &start, sizeof start, 0);
  if (n == -EBADF && (from = raw::reopen(fd, O_RDONLY | O_CLOEXEC)) >= 0) {  // opened for writing only
    n = raw::pread(from, &start, sizeof start, 0);
    raw::close(from);
  }
  return n == long(sizeof start) && start.magic == arena_magic && start.version == arena_version;
}

std::shared_ptr<Arena> Arena::adopt(int fd) {
  uint64_t inode = 0;
  if (!recognise(fd, inode)) return nullptr;
  const int writable = raw::reopen(fd, O_RDWR | O_CLOEXEC);
  const long at = raw::mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                            writable >= 0 ? writable : fd, 0);
  if (writable >= 0) raw::close(writable);
  if (raw::failed(at)) return nullptr;
  const std::shared_ptr<Arena> arena(new Arena);
  arena->base_ = reinterpret_cast<std::byte*>(at);
  arena->head_ = reinterpret_cast<Head*>(at);
  arena->bytes_ = arena_bytes;
  arena->inode_ = inode;
  raw::madvise(arena->base_, arena_bytes, MADV_DONTDUMP);
  return arena;
}

Arena::~Arena() { raw::munmap(base_, bytes_); }

void Arena::lock() {
  // A process that ended inside left the records as they were between two of its steps; they are used as they are.
  if (pthread_mutex_lock(&head_->mutex) == EOWNERDEAD) pthread_mutex_consistent(&head_->mutex);
}
void Arena::unlock() { pthread_mutex_unlock(&head_->mutex); }

bool Arena::allocate(uint64_t bytes, uint64_t& offset) {
  Head& h = *head_;
  for (uint32_t i = 0; i < h.extent_count; ++i) {
    Extent& e = h.extents[i];
    if (e.bytes < bytes) continue;
    offset = e.offset;
    e.offset += bytes, e.bytes -= bytes;
    if (e.bytes == 0) {
      std::memmove(&h.extents[i], &h.extents[i + 1], (h.extent_count - i - 1) * sizeof(Extent));
      --h.extent_count;
    }
    return true;
  }
  return false;
}

void Arena::release(uint64_t offset, uint64_t bytes) {
  Head& h = *head_;
  raw::madvise(base_ + offset, bytes, MADV_REMOVE);
  Extent* const begin = h.extents;
  Extent* const end = begin + h.extent_count;
  Extent* const next = std::lower_bound(begin, end, offset, [](const Extent& e, uint64_t o) { return e.offset < o; });
  Extent* const previous = next == begin ? nullptr : next - 1;
  const bool joins_previous = previous && previous->offset + previous->bytes == offset;
  const bool joins_next = next != end && offset + bytes == next->offset;
  if (joins_previous && joins_next) {
    previous->bytes += bytes + next->bytes;
    std::memmove(next, next + 1, size_t(end - next - 1) * sizeof(Extent));
    --h.extent_count;
  } else if (joins_previous) {
    previous->bytes += bytes;
  } else if (joins_next) {
    next->offset = offset, next->bytes += bytes;
  } else if (h.extent_count < max_extents) {
    std::memmove(next + 1, next, size_t(end - next) * sizeof(Extent));
    *next = {offset, bytes};
    ++h.extent_count;
  }
}

uint32_t Arena::new_record() {
  Head& h = *head_;
  uint32_t index = h.free_object;
  if (index)
    h.free_object = h.objects[index].next_free;
  else if (h.next_object < max_objects)
    index = h.next_object++;
  else
    return 0;
  ObjectRecord& o = h.objects[index];
  std::memset(static_cast<void*>(&o), 0, sizeof o);
  return index;
}

uint32_t Arena::new_object(uint64_t bytes) {
  const uint32_t index = new_record();
  if (index == 0) return 0;
  ObjectRecord& o = object(index);
  if (!allocate(bytes, o.offset)) {
    o.next_free = head_->free_object;
    head_->free_object = index;
    return 0;
  }
  o.storage = Storage::arena;
  o.bytes = bytes;
  return index;
}

void Arena::free_object(uint32_t index) {
  ObjectRecord& o = object(index);
  if (o.aperture) release(o.aperture, 2 * o.bytes);
  if (has_place(o)) release(o.offset, o.bytes);
  o.storage = Storage::none;
  o.next_free = head_->free_object;
  head_->free_object = index;
}

uint32_t Arena::find_by_offset(uint64_t offset) {
  for (uint32_t i = 1; i < head_->next_object; ++i) {
    const ObjectRecord& o = object(i);
    if (has_place(o) && offset - o.offset < o.bytes) return i;
  }
  return 0;
}

uint32_t Arena::new_handle(uint32_t index) {
  Head& h = *head_;
  for (uint32_t i = h.handle_hint; i < max_handles; ++i) {
    if (h.handles[i] != 0) continue;
    h.handles[i] = index;
    h.handle_hint = i + 1;
    h.handle_end = std::max(h.handle_end, i + 1);
    ++object(index).handles;
    ref(index);
    return i;
  }
  return 0;
}

void Arena::purge(ObjectRecord& o) {
  o.purged = 1;
  if (o.storage == Storage::arena) raw::madvise(base_ + o.offset, o.bytes, MADV_REMOVE);
}

bool Arena::add_aperture(ObjectRecord& o) {
  uint64_t offset = 0;
  if (!allocate(2 * o.bytes, offset)) return false;
  o.aperture = offset;
  return true;
}

void Arena::unref(uint32_t index) {
  if (object(index).refs.fetch_sub(1) != 1) return;
  const std::lock_guard guard(dead_lock_);
  dead_.push_back(index);
  has_dead_ = true;
}

void Arena::reap(int fd) {
  if (!has_dead_) return;
  const ArenaLock lock(*this);
  std::vector<uint32_t> dead, kept;
  {
    const std::lock_guard guard(dead_lock_);
    dead.swap(dead_);
  }
  for (const uint32_t index : dead) {
    const ObjectRecord& o = object(index);
    if (o.refs != 0 || o.storage == Storage::none) continue;
    if (o.ever_exported && (fd < 0 || is_exported(fd, o.offset)))
      kept.push_back(index);
    else
      free_object(index);
  }
  const std::lock_guard guard(dead_lock_);
  dead_.insert(dead_.end(), kept.begin(), kept.end());
  has_dead_ = !dead_.empty();
}

void Arena::after_fork_in_child() {
  dead_.clear();  // the parent frees them
  has_dead_ = false;
  dead_lock_.unlock();
}

int Arena::export_at(int fd, uint64_t position, int flags) {
  const int copy = raw::reopen(fd, flags & (O_CLOEXEC | O_ACCMODE));
  if (copy < 0) return copy;
  struct flock l {};
  l.l_type = F_RDLCK;
  l.l_start = off_t(position);
  l.l_len = 1;
  if (const int error = raw::fcntl(copy, F_OFD_SETLK, raw::of(&l)); error < 0) {
    raw::close(copy);
    return error;
  }
  raw::lseek(copy, int64_t(position), SEEK_SET);
  return copy;
}

bool Arena::is_exported(int fd, uint64_t position) {
  struct flock l {};
  l.l_type = F_WRLCK;
  l.l_start = off_t(position);
  l.l_len = 1;
  return raw::fcntl(fd, F_OFD_GETLK, raw::of(&l)) == 0 && l.l_type != F_UNLCK;
}

}  // namespace vitro::i915
