// The arena: the shared memory behind one open device file. Its head holds all that the processes which share the file
// must agree on (GEM handles, object records, syncobjs, contexts, VMs, fences); the rest is the storage of buffer
// objects. It is one sparse memfd, so that the descriptor alone suffices to find everything, a plain mmap at an
// object's offset works, and the last close frees all. The head holds no pointers, only indices and offsets; index 0
// never names anything. Source of the behaviour: drm_file and drm_gem_object of the Linux drm core.
//
// Descriptors of exported objects cannot be counted, since nobody tells us when they are closed or sent elsewhere.
// Instead each one's open file description holds a shared lock on the first byte of what it names (an "open file
// description lock", fcntl(2)), which the kernel drops with the last copy of the descriptor; is_exported() asks.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace vitro::i915 {

inline constexpr uint64_t arena_magic = 0x41726f7274697631;
inline constexpr uint32_t arena_version = 2;
inline constexpr uint64_t page_bytes = 4096;

inline constexpr uint32_t max_objects = 1 << 18, max_handles = 1 << 20, max_syncobjs = 1 << 16, max_points = 1 << 18;
inline constexpr uint32_t max_fences = 1 << 16, max_contexts = 1 << 15, max_vms = 1 << 15, max_extents = 1 << 18;
inline constexpr uint32_t max_readers = 16, max_engine_slots = 64;

// Names one use of a fence slot. A slot is used again once it has signalled; a reference with another round than
// the slot's is to a fence that has signalled long ago.
struct FenceRef {
  uint32_t slot = 0, round = 0;
  explicit operator bool() const { return round != 0; }
  bool operator==(const FenceRef&) const = default;
};
// A fence that has always been signalled.
inline constexpr FenceRef signalled_fence{0, 1};

// Written under the lock; what is atomic is also read without it.
struct FenceSlot {
  std::atomic<uint32_t> word;  // round << 1 | signalled
  uint32_t next_free;
  std::atomic<int32_t> owner;  // the process that will signal it, and when that began
  std::atomic<int32_t> error;
  std::atomic<uint64_t> owner_start;
  uint64_t timeline;
  int64_t signalled_ns;
  uint32_t engine_class;
};

enum class Storage : uint8_t { none, arena, user, foreign };

struct Reader {
  FenceRef fence;
  uint64_t timeline;
};

// Written under the lock, but for what is atomic.
struct ObjectRecord {
  Storage storage;
  std::atomic<uint8_t> tiling, caching, dont_need, purged, pages_seen;
  uint8_t read_only, ever_exported;
  uint32_t stride, name;
  // Handles, client mappings, bindings, imports by other files. Storage goes when it is 0 and nothing is exported.
  std::atomic<uint32_t> refs;
  uint32_t handles;
  uint64_t offset, bytes;          // arena: where the storage is
  std::atomic<uint64_t> aperture;  // where the linear copy for the aperture is, if there is one (aperture.h)
  uint64_t user_address;           // user: in the address space of process user_process
  int32_t user_process;
  uint32_t foreign_object;  // foreign: the object of another arena
  uint64_t foreign_inode;
  FenceRef writer;
  uint32_t reader_count;
  Reader readers[max_readers];
  uint32_t next_free;
};

// A point of a timeline. Points stand in the order in which they were added.
struct PointRecord {
  uint64_t point;
  FenceRef fence;
  uint32_t next;
};

struct SyncobjRecord {
  bool in_use, timeline, ever_exported;
  uint32_t handles;  // also handles of other files
  FenceRef fence;    // if no timeline
  uint32_t first_point, last_point;
  uint64_t signalled_point, newest_point;
  uint32_t foreign_syncobj;
  uint64_t foreign_inode;
  uint32_t next_free;
};

struct EngineSlot {
  uint16_t engine_class, instance;
};

struct ContextRecord {
  bool in_use, closed, finalised, banned, has_engine_map, single_timeline;
  bool bannable, recoverable, no_error_capture, persistent;
  int32_t priority;
  uint32_t vm, engine_count;
  uint64_t serial;  // never used twice in an arena
  uint32_t hangs_active, hangs_pending;
  int64_t hang_ns[2];
  EngineSlot engines[max_engine_slots];
};

struct VmRecord {
  uint32_t refs;
  uint64_t serial;
};

struct Extent {
  uint64_t offset, bytes;
};

struct Head {
  uint64_t magic;
  uint32_t version, minor;
  char device[16];
  uint64_t bytes;
  pthread_mutex_t mutex;
  std::atomic<uint32_t> events;   // changes whenever a fence signals or a syncobj gets another fence
  std::atomic<uint32_t> waiters;  // of changes
  uint64_t next_serial;
  uint32_t free_object, next_object, free_syncobj, next_syncobj, free_point, next_point, free_fence, next_fence;
  uint32_t handle_hint, handle_end, syncobj_hint, next_name;
  uint32_t ban_score, unhandled_syncobjs;
  bool has_hung, has_unique;
  int64_t hang_ns;
  uint32_t extent_count;

  Extent extents[max_extents];    // free storage, sorted
  uint32_t handles[max_handles];  // of objects
  uint32_t syncobj_handles[max_syncobjs];
  uint32_t vm_handles[max_vms];
  FenceSlot fences[max_fences];
  ContextRecord contexts[max_contexts];
  VmRecord vms[max_vms];
  SyncobjRecord syncobjs[max_syncobjs];
  PointRecord points[max_points];
  ObjectRecord objects[max_objects];
};

// Positions of descriptors: a syncobj's is in the head, an object's in the storage.
inline constexpr uint64_t syncobj_tag_start = page_bytes;
inline constexpr uint64_t storage_start = (sizeof(Head) + (uint64_t{1} << 21) - 1) >> 21 << 21;
static_assert(syncobj_tag_start + max_syncobjs < storage_start);

// This process's mapping of an arena.
class Arena {
 public:
  // A new one; its descriptor is given in `fd`. nullptr and a negative errno in `fd` if memory is short.
  static std::shared_ptr<Arena> create(int minor, std::string_view device, int& fd);
  // The arena behind a descriptor; nullptr if it is not one.
  static std::shared_ptr<Arena> adopt(int fd);
  // Whether a descriptor looks like one of an arena; `inode` is then set. Enough to know one again.
  static bool may_be(int fd, uint64_t& inode);
  // Whether it is one.
  static bool recognise(int fd, uint64_t& inode);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint64_t inode() const { return inode_; }
  Head& head() { return *head_; }
  ObjectRecord& object(uint32_t index) { return head_->objects[index]; }
  std::byte* storage(const ObjectRecord& o) { return base_ + o.offset; }
  std::byte* at(uint64_t offset) { return base_ + offset; }

  void lock();
  void unlock();

  // The following need the lock.
  uint32_t new_object(uint64_t bytes);  // with storage; 0: no memory
  uint32_t new_record();                // of any storage; 0: too many
  void free_object(uint32_t index);
  uint32_t find_by_offset(uint64_t offset);  // the object whose storage holds the offset, or 0
  uint32_t new_handle(uint32_t object);      // 0: too many
  void purge(ObjectRecord& o);
  bool add_aperture(ObjectRecord& o);  // false: no memory
  uint64_t new_serial() { return ++head_->next_serial; }

  // References are counted without the lock. The object is freed by a later reap().
  void ref(uint32_t object) { head_->objects[object].refs.fetch_add(1); }
  void unref(uint32_t object);
  // Frees objects that lost their last reference here. `fd`: any descriptor of the arena, to ask for exports; without
  // one (-1), objects that were ever exported stay for a later call.
  void reap(int fd);

  void before_fork() { dead_lock_.lock(); }
  void after_fork_in_parent() { dead_lock_.unlock(); }
  void after_fork_in_child();

  // Descriptors.
  int export_at(int fd, uint64_t position, int flags);
  static bool is_exported(int fd, uint64_t position);

 private:
  Arena() = default;
  bool allocate(uint64_t bytes, uint64_t& offset);
  void release(uint64_t offset, uint64_t bytes);

  std::byte* base_ = nullptr;
  Head* head_ = nullptr;
  uint64_t bytes_ = 0, inode_ = 0;
  std::mutex dead_lock_;
  std::vector<uint32_t> dead_;
  std::atomic<bool> has_dead_{false};
};

using ArenaLock = std::lock_guard<Arena>;

// A counted reference to an object of an arena.
class ObjectRef {
 public:
  ObjectRef() = default;
  ObjectRef(std::shared_ptr<Arena> arena, uint32_t object) : arena_(std::move(arena)), object_(object) {
    arena_->ref(object_);
  }
  ~ObjectRef() {
    if (arena_) arena_->unref(object_);
  }
  ObjectRef(ObjectRef&& other) noexcept : arena_(std::move(other.arena_)), object_(other.object_) {}
  ObjectRef& operator=(ObjectRef&& other) noexcept {
    std::swap(arena_, other.arena_);
    std::swap(object_, other.object_);
    return *this;
  }

  explicit operator bool() const { return arena_ != nullptr; }
  const std::shared_ptr<Arena>& arena() const { return arena_; }
  uint32_t index() const { return object_; }
  ObjectRecord& operator*() const { return arena_->object(object_); }
  ObjectRecord* operator->() const { return &arena_->object(object_); }
  bool same(const ObjectRef& other) const {
    return arena_->inode() == other.arena_->inode() && object_ == other.object_;
  }

 private:
  std::shared_ptr<Arena> arena_;
  uint32_t object_ = 0;
};

}  // namespace vitro::i915
