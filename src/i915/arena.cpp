// Making, finding and opening arenas, and the records in them. Records are handed out from free lists, so that the
// sparse head stays small. Storage: arena_storage.cpp. Source of the behaviour: Linux drm_gem.c.
#include "i915/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "i915/raw.h"

namespace vitro::i915 {
namespace {

// Less would hold no program's buffers.
constexpr uint64_t file_bytes_min = uint64_t{4} << 20;

// As large as files of this process may be: making a larger one would end it by a signal.
uint64_t largest_file() {
  rlimit limit{};
  raw::call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, raw::of(&limit));
  return std::min<uint64_t>(arena_bytes_max, limit.rlim_cur / page_bytes * page_bytes);
}

// The file system of files in memory.
dev_t memory_file_system() {
  static std::atomic<dev_t> known{0};
  if (const dev_t device = known) return device;
  const int fd = raw::memfd_create("vitro", MFD_CLOEXEC);
  struct stat s {};
  if (fd >= 0 && raw::fstat(fd, &s) == 0) known = s.st_dev;
  if (fd >= 0) raw::close(fd);
  return known;
}

// An imported object has a place too, though no storage: it is its mmap offset.
bool has_place(const ObjectRecord& o) { return o.storage == Storage::arena || o.storage == Storage::foreign; }

}  // namespace

std::shared_ptr<Arena> Arena::create(int minor, std::string_view device, int& fd, std::string& why) {
  const uint64_t bytes = largest_file();
  if (bytes < file_bytes_min) {
    why = limit_met(Lack::file_size, bytes);
    fd = -ENOMEM;
    return nullptr;
  }
  fd = raw::memfd_create(minor == 0 ? "drm:card0" : "drm:renderD128", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return nullptr;
  if (const int error = raw::ftruncate(fd, bytes); error < 0) {
    raw::close(fd);
    fd = error;
    return nullptr;
  }
  // Whoever has the descriptor may call ftruncate past us; what is mapped must stay.
  raw::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  const long at = raw::mmap(nullptr, sizeof(HeadRecord), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (raw::failed(at)) {
    why = limit_met(Lack::address_space, bytes);
    raw::close(fd);
    fd = int(at);
    return nullptr;
  }
  HeadRecord& h = *reinterpret_cast<HeadRecord*>(at);
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
  h.bytes = bytes;
  h.next_object = h.next_syncobj = h.next_point = h.next_fence = h.handle_hint = h.handle_end = h.syncobj_hint = 1;
  h.fences.first[0].word = signalled_fence.round << fence_round_shift | fence_signalled;
  h.segments[0] = {import_start, import_bytes, 0, 0};
  h.segment_end = 1;
  h.extents.first[0] = {import_start, import_bytes, 0};
  h.extent_count = 1;
  std::atomic_thread_fence(std::memory_order_release);
  h.magic = arena_magic;
  raw::munmap(reinterpret_cast<void*>(at), sizeof(HeadRecord));
  std::shared_ptr<Arena> arena = adopt(fd);
  if (!arena) {
    why = limit_met(Lack::address_space, bytes);
    raw::close(fd);
    fd = -ENOMEM;
  }
  return arena;
}

bool Arena::may_be(int fd, uint64_t& inode) {
  struct stat s {};
  if (raw::fstat(fd, &s) < 0 || !S_ISREG(s.st_mode) || s.st_nlink != 0 || s.st_size < off_t(file_bytes_min) ||
      s.st_dev != memory_file_system())
    return false;
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
  struct stat s {};
  raw::fstat(fd, &s);
  const std::shared_ptr<Arena> arena(new Arena);
  arena->inode_ = inode;
  arena->device_ = s.st_dev;
  arena->remember_descriptor(fd);
  std::byte* const head = arena->map_file(0, sizeof(HeadRecord));
  if (!head) return nullptr;
  arena->record_ = reinterpret_cast<HeadRecord*>(head);
  arena->head_ = std::make_unique<Head>(*arena, *arena->record_);
  return arena;
}

Arena::~Arena() {
  head_.reset();
  for (uint32_t i = 0; i < mapped_.size(); ++i) unmap(i);
  if (record_) raw::munmap(record_, sizeof(HeadRecord));
}

void Arena::lock() {
  // A process that ended inside left the records as they were between two of its steps; they are used as they are.
  if (pthread_mutex_lock(&head_->mutex) == EOWNERDEAD) pthread_mutex_consistent(&head_->mutex);
}
void Arena::unlock() { pthread_mutex_unlock(&head_->mutex); }

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

uint32_t Arena::new_placed(uint64_t bytes, Storage storage) {
  lack_ = Lack::nothing;
  const uint32_t index = new_record();
  if (index == 0) return 0;
  ObjectRecord& o = object(index);
  if (!allocate(bytes, o.offset, o.segment, storage == Storage::foreign)) {
    o.next_free = head_->free_object;
    head_->free_object = index;
    return 0;
  }
  o.storage = storage;
  o.bytes = bytes;
  return index;
}

void Arena::free_object(uint32_t index) {
  ObjectRecord& o = object(index);
  if (o.aperture) release(o.aperture, 2 * o.bytes, o.aperture_segment);
  if (has_place(o)) release(o.offset, o.bytes, o.segment);
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

bool Arena::add_aperture(ObjectRecord& o) {
  uint64_t offset = 0;
  if (!allocate(2 * o.bytes, offset, o.aperture_segment)) return false;
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

void Arena::before_fork() {
  dead_lock_.lock();
  map_lock_.lock();
}
void Arena::after_fork_in_parent() {
  map_lock_.unlock();
  dead_lock_.unlock();
}
void Arena::after_fork_in_child() {
  dead_.clear();  // the parent frees them
  has_dead_ = false;
  after_fork_in_parent();
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
