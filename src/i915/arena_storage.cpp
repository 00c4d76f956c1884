// The storage of an arena: segments of its file, what of them is free, and where this process has them. The file is
// divided as storage is needed, in steps that grow with what there is, and a process maps a segment when it uses it
// first, so that an open device takes little address space and a limit of it (ulimit -v) leaves room for a program.
// Storage comes first-fit from a sorted list of free extents and is given back as a hole, so that it reads as zero
// again. Source of the behaviour: Linux drm_gem.c and shmem. Storage is not accounted against a limit: the host's
// memory is the limit.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "i915/arena.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint64_t step_bytes_min = uint64_t{2} << 20, step_bytes_max = uint64_t{256} << 20;
// An empty segment up to this size is kept for the next object.
constexpr uint64_t spare_bytes_max = uint64_t{64} << 20;
constexpr uint32_t import_segment = 0;

}  // namespace

bool Arena::is_own(int fd) const {
  struct stat s {};
  return raw::fstat(fd, &s) == 0 && s.st_ino == inode_ && s.st_dev == device_;
}

int Arena::find_descriptor() const {
  int found = -1;
  raw::for_each_descriptor([&](int fd) {
    if (found < 0 && is_own(fd)) found = fd;
  });
  return found;
}

int Arena::reopen() {
  int error = -EBADF;
  for (const bool searched : {false, true}) {
    const int fd = searched ? find_descriptor() : descriptor_.load(std::memory_order_relaxed);
    if (fd < 0) continue;
    const int copy = raw::reopen(fd, O_RDWR | O_CLOEXEC);
    if (copy >= 0 && is_own(copy)) {
      remember_descriptor(fd);
      return copy;
    }
    if (copy >= 0) raw::close(copy);
    if (copy < 0) error = copy;
  }
  return error;
}

uint64_t Arena::resident_bytes() {
  struct stat s {};
  const int fd = reopen();
  if (fd < 0) return 0;
  raw::fstat(fd, &s);
  raw::close(fd);
  return uint64_t(s.st_blocks) * 512;
}

std::byte* Arena::map_file(uint64_t offset, uint64_t bytes) {
  // By a descriptor of our own, that nobody else closes meanwhile. Where no number is left for one, the program's has
  // to do.
  const int copy = reopen(), from = copy >= 0 ? copy : descriptor_.load(std::memory_order_relaxed);
  const long at =
      copy >= 0 || is_own(from) ? raw::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, from, offset) : -EBADF;
  if (copy >= 0) raw::close(copy);
  if (raw::failed(at)) {
    lack_ = Lack::address_space;
    return nullptr;
  }
  raw::madvise(reinterpret_cast<void*>(at), bytes, MADV_DONTDUMP);
  return reinterpret_cast<std::byte*>(at);
}

std::byte* Arena::at(uint32_t segment, uint64_t offset) {
  if (segment == import_segment) return nullptr;
  const std::lock_guard guard(map_lock_);
  const Segment& s = record_->segments[segment];
  if (mapped_.size() <= segment) mapped_.resize(segment + 1);
  Mapped& m = mapped_[segment];
  if (m.serial != s.serial) {
    // What another process has given up: no object of it is left.
    if (m.base) raw::munmap(m.base, m.bytes);
    m = {};
    std::byte* const base = map_file(s.offset, s.bytes);
    if (!base) return nullptr;
    m = {base, s.bytes, s.serial};
  }
  return m.base + (offset - s.offset);
}

void Arena::unmap(uint32_t segment) {
  const std::lock_guard guard(map_lock_);
  if (segment >= mapped_.size()) return;
  if (mapped_[segment].base) raw::munmap(mapped_[segment].base, mapped_[segment].bytes);
  mapped_[segment] = {};
}

void* map_part(Arena& arena, std::atomic<uint64_t>& offset, uint64_t bytes) {
  if (offset == 0) {
    const ArenaLock lock(arena);
    if (offset == 0) {
      const uint32_t segment = arena.add_segment(bytes);
      if (segment == 0) throw std::bad_alloc();
      arena.record_->segments[segment].objects = 1;  // for good
      offset = arena.record_->segments[segment].offset;
    }
  }
  void* const part = arena.map_file(offset, bytes);
  if (!part) throw std::bad_alloc();
  return part;
}

void unmap_part(void* part, uint64_t bytes) { raw::munmap(part, bytes); }

uint32_t Arena::add_segment(uint64_t bytes) {
  Head& h = *head_;
  uint32_t index = 1;
  while (index < h.segment_end && h.segments[index].bytes != 0) ++index;
  std::vector<Segment> used;
  for (uint32_t i = 1; i < h.segment_end; ++i)
    if (h.segments[i].bytes != 0) used.push_back(h.segments[i]);
  std::sort(used.begin(), used.end(), [](const Segment& a, const Segment& b) { return a.offset < b.offset; });
  uint64_t start = storage_start;
  for (const Segment& s : used) {
    if (s.offset - start >= bytes) break;
    start = s.offset + s.bytes;
  }
  if (index == max_segments || bytes > h.bytes - start) {
    lack_ = Lack::file_size;
    return 0;
  }
  h.segments[index] = {start, bytes, new_serial(), 0};
  h.segment_end = std::max(h.segment_end, index + 1);
  return index;
}

bool Arena::add_storage(uint64_t bytes) {
  Head& h = *head_;
  const uint64_t step =
      std::clamp(h.storage_bytes / 4 / step_bytes_min * step_bytes_min, step_bytes_min, step_bytes_max);
  for (const uint64_t size : {std::max(bytes, step), bytes}) {
    const uint32_t segment = add_segment(size);
    if (segment == 0) continue;
    const uint64_t offset = h.segments[segment].offset;
    h.storage_bytes += size;
    if (at(segment, offset)) {
      give_back(offset, size, segment);
      return true;
    }
    drop_segment(segment);
  }
  return false;
}

void Arena::drop_segment(uint32_t segment) {
  Head& h = *head_;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h.extent_count; ++i)
    if (h.extents[i].segment != segment) h.extents[kept++] = h.extents[i];
  h.extent_count = kept;
  h.storage_bytes -= h.segments[segment].bytes;
  unmap(segment);
  h.segments[segment] = {};
  while (h.segment_end > 1 && h.segments[h.segment_end - 1].bytes == 0) --h.segment_end;
}

void Arena::drop_if_unused(uint32_t segment) {
  Head& h = *head_;
  if (segment == import_segment || h.segments[segment].objects != 0) return;
  bool is_only_spare = h.segments[segment].bytes <= spare_bytes_max;
  for (uint32_t i = 1; i < h.segment_end; ++i)
    if (i != segment && h.segments[i].bytes != 0 && h.segments[i].objects == 0) is_only_spare = false;
  if (!is_only_spare) drop_segment(segment);
}

bool Arena::take(uint64_t bytes, uint64_t& offset, uint32_t& segment, bool import) {
  Head& h = *head_;
  for (uint32_t i = 0; i < h.extent_count; ++i) {
    Extent& e = h.extents[i];
    if (e.bytes < bytes || (e.segment == import_segment) != import) continue;
    offset = e.offset;
    segment = e.segment;
    e.offset += bytes, e.bytes -= bytes;
    if (e.bytes == 0) {
      for (uint32_t n = i + 1; n < h.extent_count; ++n) h.extents[n - 1] = h.extents[n];
      --h.extent_count;
    }
    ++h.segments[segment].objects;
    return true;
  }
  return false;
}

bool Arena::allocate(uint64_t bytes, uint64_t& offset, uint32_t& segment, bool import) {
  if (!take(bytes, offset, segment, import) && (import || !add_storage(bytes) || !take(bytes, offset, segment, import)))
    return false;
  // Storage that another process has divided must be mapped here too.
  if (import || at(segment, offset)) return true;
  release(offset, bytes, segment);
  return false;
}

void Arena::give_back(uint64_t offset, uint64_t bytes, uint32_t segment) {
  Head& h = *head_;
  uint32_t next = 0;
  for (uint32_t count = h.extent_count; count > 0;) {  // the first behind the offset
    const uint32_t half = count / 2;
    if (h.extents[next + half].offset < offset)
      next += half + 1, count -= half + 1;
    else
      count = half;
  }
  Extent* const before = next == 0 ? nullptr : &h.extents[next - 1];
  Extent* const behind = next == h.extent_count ? nullptr : &h.extents[next];
  const bool joins_before = before && before->segment == segment && before->offset + before->bytes == offset;
  const bool joins_behind = behind && behind->segment == segment && offset + bytes == behind->offset;
  if (joins_before) {
    before->bytes += bytes;
    if (!joins_behind) return;
    before->bytes += behind->bytes;
    for (uint32_t n = next + 1; n < h.extent_count; ++n) h.extents[n - 1] = h.extents[n];
    --h.extent_count;
  } else if (joins_behind) {
    behind->offset = offset, behind->bytes += bytes;
  } else if (h.extent_count < max_extents) {
    for (uint32_t n = h.extent_count; n > next; --n) h.extents[n] = h.extents[n - 1];
    h.extents[next] = {offset, bytes, segment};
    ++h.extent_count;
  }
}

void Arena::release(uint64_t offset, uint64_t bytes, uint32_t segment) {
  // What cannot be made a hole, or noted, stays unused: it may hold what was written there.
  if (segment != import_segment) {
    std::byte* const start = at(segment, offset);
    if (!start || raw::madvise(start, bytes, MADV_REMOVE) < 0) return;
  }
  try {
    give_back(offset, bytes, segment);
  } catch (const std::bad_alloc&) {
    return;
  }
  --head_->segments[segment].objects;
  drop_if_unused(segment);
}

std::string Arena::limit_met(Lack lack, uint64_t file_bytes) {
  if (lack == Lack::address_space) {
    rlimit limit{};
    raw::call(SYS_prlimit64, 0, RLIMIT_AS, 0, raw::of(&limit));
    if (limit.rlim_cur == RLIM_INFINITY) return "the process has no address space left, or too many mappings";
    return fmt::format("address space is limited to {} KiB (ulimit -v)", limit.rlim_cur / 1024);
  }
  if (lack == Lack::file_size && file_bytes < arena_bytes_max)
    return fmt::format("files, in which its memory is, are limited to {} KiB (ulimit -f)", file_bytes / 1024);
  return {};
}

}  // namespace vitro::i915
