// The arena: the shared memory behind one open device file. Its head holds all that the processes which share the file
// must agree on (GEM handles, object records, syncobjs, contexts, VMs, fences); the rest is the storage of buffer
// objects. It is one sparse memfd, so that the descriptor alone suffices to find everything, a plain mmap at an
// object's offset works, and the last close frees all. What is in it: arena_records.h. A process maps of it what it
// uses, piece by piece. Source of the behaviour: drm_file and drm_gem_object of the Linux drm core.
//
// Descriptors of exported objects cannot be counted, since nobody tells us when they are closed or sent elsewhere.
// Instead each one's open file description holds a shared lock on the first byte of what it names (an "open file
// description lock", fcntl(2)), which the kernel drops with the last copy of the descriptor; is_exported() asks.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "i915/arena_records.h"

namespace vitro::i915 {

class Arena;
// A part of a table, mapped into this process. Throws std::bad_alloc if that is impossible.
void* map_part(Arena& arena, std::atomic<uint64_t>& offset, uint64_t bytes);
void unmap_part(void* part, uint64_t bytes);

// A table as this process sees it. Its parts are mapped when one of their records is asked for.
template <class T, uint32_t Max, uint32_t PerPart>
class Table {
 public:
  using Record = TableRecord<T, Max, PerPart>;
  Table(Arena& arena, Record& record) : arena_(arena), record_(record) { mapped_[0] = record.first; }
  ~Table() {
    for (uint32_t n = 1; n < Record::parts; ++n)
      if (mapped_[n]) unmap_part(mapped_[n], Record::part_bytes);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  T& operator[](uint32_t index) const {
    T* const part = mapped_[index / PerPart].load(std::memory_order_acquire);
    return (part ? part : map(index / PerPart))[index % PerPart];
  }

 private:
  T* map(uint32_t n) const {
    T* const part = static_cast<T*>(map_part(arena_, record_.offsets[n], Record::part_bytes));
    T* faster = nullptr;
    if (mapped_[n].compare_exchange_strong(faster, part)) return part;
    unmap_part(part, Record::part_bytes);
    return faster;
  }

  Arena& arena_;
  Record& record_;
  mutable std::atomic<T*> mapped_[Record::parts] = {};
};

template <class Record>
struct TableOf;
template <class T, uint32_t Max, uint32_t PerPart>
struct TableOf<TableRecord<T, Max, PerPart>> {
  using Type = Table<T, Max, PerPart>;
};

// The head as this process sees it: the fields of HeadRecord, and its tables whole.
struct Head {
  Head(Arena& a, HeadRecord& r) : arena(a), record(r) {}
  Arena& arena;
  HeadRecord& record;

#define VITRO_FIELD(name) decltype(HeadRecord::name)& name = record.name
#define VITRO_TABLE(name) \
  TableOf<decltype(HeadRecord::name)>::Type name { arena, record.name }
  VITRO_FIELD(minor);
  VITRO_FIELD(device);
  VITRO_FIELD(bytes);
  VITRO_FIELD(run);
  VITRO_FIELD(mutex);
  VITRO_FIELD(events);
  VITRO_FIELD(waiters);
  VITRO_FIELD(next_serial);
  VITRO_FIELD(free_object);
  VITRO_FIELD(next_object);
  VITRO_FIELD(free_syncobj);
  VITRO_FIELD(next_syncobj);
  VITRO_FIELD(free_point);
  VITRO_FIELD(next_point);
  VITRO_FIELD(free_fence);
  VITRO_FIELD(next_fence);
  VITRO_FIELD(handle_hint);
  VITRO_FIELD(handle_end);
  VITRO_FIELD(syncobj_hint);
  VITRO_FIELD(ban_score);
  VITRO_FIELD(unhandled_syncobjs);
  VITRO_FIELD(has_hung);
  VITRO_FIELD(has_unique);
  VITRO_FIELD(was_master);
  VITRO_FIELD(is_master);
  VITRO_FIELD(authenticated);
  VITRO_FIELD(client_magic);
  VITRO_FIELD(opener);
  VITRO_FIELD(busy_ns);
  VITRO_FIELD(hang_ns);
  VITRO_FIELD(extent_count);
  VITRO_FIELD(segment_end);
  VITRO_FIELD(storage_bytes);
  VITRO_FIELD(segments);
  VITRO_TABLE(extents);
  VITRO_TABLE(handles);
  VITRO_TABLE(syncobj_handles);
  VITRO_TABLE(vm_handles);
  VITRO_TABLE(fences);
  VITRO_TABLE(contexts);
  VITRO_TABLE(vms);
  VITRO_TABLE(syncobjs);
  VITRO_TABLE(points);
  VITRO_TABLE(objects);
#undef VITRO_FIELD
#undef VITRO_TABLE
};

// This process's view of an arena.
class Arena {
 public:
  // A new one; its descriptor is given in `fd`. nullptr and a negative errno in `fd` if that is impossible; if a limit
  // of the process is the reason, `why` says so.
  static std::shared_ptr<Arena> create(int minor, std::string_view device, int& fd, std::string& why);
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
  // Where this process has an object's storage and its copy for the aperture. nullptr: it cannot be mapped. What is
  // given holds as long as the object does.
  std::byte* storage(const ObjectRecord& o) { return at(o.segment, o.offset); }
  std::byte* aperture(const ObjectRecord& o) { return at(o.aperture_segment, o.aperture); }

  void lock();
  void unlock();

  // The following need the lock.
  // 0: no memory. An import has a place, but no storage.
  uint32_t new_object(uint64_t bytes) { return new_placed(bytes, Storage::arena); }
  uint32_t new_import(uint64_t bytes) { return new_placed(bytes, Storage::foreign); }
  uint32_t new_record();  // of any storage; 0: too many
  void free_object(uint32_t index);
  uint32_t find_by_offset(uint64_t offset);  // the object whose storage holds the offset, or 0
  uint32_t new_handle(uint32_t object);      // 0: too many
  bool add_aperture(ObjectRecord& o);        // false: no memory
  uint64_t new_serial() { return ++head_->next_serial; }
  // Which limit of the process is the reason that storage or records are not to be had; empty if it is none.
  std::string shortage() const { return limit_met(lack_, head_->bytes); }

  // References are counted without the lock. The object is freed by a later reap().
  void ref(uint32_t object) { head_->objects[object].refs.fetch_add(1); }
  void unref(uint32_t object);
  // Frees objects that lost their last reference here. `fd`: any descriptor of the arena, to ask for exports; without
  // one (-1), objects that were ever exported stay for a later call.
  void reap(int fd);

  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();

  // A descriptor by which more of the file can be mapped; it may be closed at any time.
  void remember_descriptor(int fd) { descriptor_.store(fd, std::memory_order_relaxed); }
  // A new descriptor of the arena, or a negative errno.
  int reopen();
  uint64_t resident_bytes();  // of the host's memory, as far as it can be told

  // Descriptors.
  int export_at(int fd, uint64_t position, int flags);
  static bool is_exported(int fd, uint64_t position);

 private:
  friend void* map_part(Arena&, std::atomic<uint64_t>&, uint64_t);
  enum class Lack : uint8_t { nothing, address_space, file_size };
  struct Mapped {
    std::byte* base = nullptr;
    uint64_t bytes = 0, serial = 0;
  };

  Arena() = default;
  static std::string limit_met(Lack lack, uint64_t file_bytes);
  uint32_t new_placed(uint64_t bytes, Storage storage);
  bool allocate(uint64_t bytes, uint64_t& offset, uint32_t& segment, bool import = false);
  bool take(uint64_t bytes, uint64_t& offset, uint32_t& segment, bool import);
  void release(uint64_t offset, uint64_t bytes, uint32_t segment);
  void give_back(uint64_t offset, uint64_t bytes, uint32_t segment);
  uint32_t add_segment(uint64_t bytes);
  bool add_storage(uint64_t bytes);
  void drop_segment(uint32_t segment);
  void drop_if_unused(uint32_t segment);
  std::byte* at(uint32_t segment, uint64_t offset);
  void unmap(uint32_t segment);
  std::byte* map_file(uint64_t offset, uint64_t bytes);
  int find_descriptor() const;
  bool is_own(int fd) const;

  HeadRecord* record_ = nullptr;
  std::unique_ptr<Head> head_;
  uint64_t inode_ = 0;
  dev_t device_ = 0;
  std::atomic<int> descriptor_{-1};
  std::atomic<Lack> lack_{Lack::nothing};  // what was missing last
  std::mutex map_lock_;
  std::vector<Mapped> mapped_;  // by segment
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
