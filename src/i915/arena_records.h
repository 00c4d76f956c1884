// The records in an arena (arena.h), as all processes that share it find them: no pointers, only indices and offsets;
// index 0 never names anything. The head holds what every file needs and the first part of each table, so that an open
// file takes little; the rest of the file is divided into segments as storage and records are needed. Source of the
// behaviour: drm_file, drm_gem_object, drm_syncobj and i915_gem_context of Linux 6.1.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace vitro::i915 {

inline constexpr uint64_t arena_magic = 0x41726f7274697631;
inline constexpr uint32_t arena_version = 4;
inline constexpr uint64_t page_bytes = 4096;

inline constexpr uint32_t max_objects = 1 << 18, max_handles = 1 << 20, max_syncobjs = 1 << 16, max_points = 1 << 18;
inline constexpr uint32_t max_fences = 1 << 16, max_contexts = 1 << 15, max_vms = 1 << 15, max_extents = 1 << 18;
inline constexpr uint32_t max_readers = 16, max_engine_slots = 64, max_segments = 2048;
inline constexpr uint32_t max_engine_classes = 8;

// Names one use of a fence slot. A slot is used again once it has signalled; a reference with another round than
// the slot's is to a fence that has signalled long ago.
struct FenceRef {
  uint32_t slot = 0, round = 0;
  explicit operator bool() const { return round != 0; }
  bool operator==(const FenceRef&) const = default;
};
// A fence that has always been signalled.
inline constexpr FenceRef signalled_fence{0, 1};

// The word of a fence slot: its round, above two bits. It is a futex for those who wait for this fence only.
inline constexpr uint32_t fence_signalled = 1, fence_waited = 2, fence_round_shift = 2;

// Written under the lock; what is atomic is also read without it.
struct FenceSlot {
  std::atomic<uint32_t> word;
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
  std::atomic<uint32_t> imports;   // other files that have handles of it
  uint64_t offset, bytes;          // arena: where the storage is
  std::atomic<uint64_t> aperture;  // where the linear copy for the aperture is, if there is one (aperture.h)
  uint32_t segment, aperture_segment;
  uint64_t user_address;  // user: in the address space of process user_process
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

// A part of the file that a process maps as a whole: storage for objects, of which none lies in two segments, or
// records of a table. Segment 0 is no part of the file: what has its place there is an imported object, and the place
// is its mmap offset.
struct Segment {
  uint64_t offset, bytes;  // 0 bytes: the record is free
  uint64_t serial;         // never used twice in an arena
  uint32_t objects;
};

// Free storage.
struct Extent {
  uint64_t offset, bytes;
  uint32_t segment;
};

// A table in the file: its first part stands in the head, the others in segments that are added as they are needed.
template <class T, uint32_t Max, uint32_t PerPart>
struct TableRecord {
  static_assert(Max % PerPart == 0);
  static constexpr uint32_t parts = Max / PerPart, per_part = PerPart;
  static constexpr uint64_t part_bytes = (sizeof(T) * PerPart + page_bytes - 1) / page_bytes * page_bytes;
  std::atomic<uint64_t> offsets[parts];  // 0: not there yet; that of the first part is not used
  T first[PerPart];
};

struct HeadRecord {
  uint64_t magic;
  uint32_t version, minor;
  char device[16];
  uint64_t bytes;  // of the file
  uint64_t run;    // the `vitro run` it was opened in; 0: none
  pthread_mutex_t mutex;
  std::atomic<uint32_t> events;   // changes whenever a fence signals or a syncobj gets another fence
  std::atomic<uint32_t> waiters;  // of changes
  uint64_t next_serial;
  uint32_t free_object, next_object, free_syncobj, next_syncobj, free_point, next_point, free_fence, next_fence;
  uint32_t handle_hint, handle_end, syncobj_hint;
  uint32_t ban_score, unhandled_syncobjs;
  bool has_hung, has_unique;
  bool was_master;
  std::atomic<bool> is_master, authenticated;  // of the card
  std::atomic<uint32_t> client_magic;          // by which a master may authenticate it; 0: not asked for
  int32_t opener;                              // the process that opened it
  std::atomic<uint64_t> busy_ns[max_engine_classes];
  int64_t hang_ns;
  uint32_t extent_count, segment_end;
  uint64_t storage_bytes;  // of all segments with objects

  Segment segments[max_segments];
  TableRecord<Extent, max_extents, 1 << 12> extents;    // sorted
  TableRecord<uint32_t, max_handles, 1 << 14> handles;  // of objects
  TableRecord<uint32_t, max_syncobjs, 1 << 14> syncobj_handles;
  TableRecord<uint32_t, max_vms, 1 << 13> vm_handles;
  TableRecord<FenceSlot, max_fences, 1 << 10> fences;
  TableRecord<ContextRecord, max_contexts, 1 << 8> contexts;
  TableRecord<VmRecord, max_vms, 1 << 12> vms;
  TableRecord<SyncobjRecord, max_syncobjs, 1 << 10> syncobjs;
  TableRecord<PointRecord, max_points, 1 << 12> points;
  TableRecord<ObjectRecord, max_objects, 1 << 10> objects;
};

inline constexpr uint64_t arena_bytes_max = uint64_t{256} << 30;
// The places of imported objects, below the flag of the aperture's view (aperture.h).
inline constexpr uint64_t import_start = uint64_t{1} << 45, import_bytes = uint64_t{1} << 45;

// Positions of descriptors: a syncobj's is in the head, an object's in the storage.
inline constexpr uint64_t syncobj_tag_start = page_bytes;
inline constexpr uint64_t storage_start = uint64_t{2} << 20;
static_assert(syncobj_tag_start + max_syncobjs < storage_start && sizeof(HeadRecord) <= storage_start);

}  // namespace vitro::i915
