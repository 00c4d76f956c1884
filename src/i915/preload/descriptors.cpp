// Functions on descriptors and mappings (ioctl, mmap, lseek, close, dup): those of an open device, a dma-buf, a syncobj
// or a sync_file are answered by the kernel's side, and the few descriptors that it keeps for itself are passed over
// when a program closes everything. Reading, writing and waiting: transfers.cpp, waiting.cpp.
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstring>

#include "i915/preload/calls.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

// The ioctls of DRM, dma-buf and sync_file are told by their type.
constexpr unsigned type_drm = 'd', type_dma_buf = 'b', type_sync_file = '>';

// Calls back with each open descriptor of [first, last].
template <class F>
void for_each_descriptor(unsigned first, unsigned last, F&& visit) {
  const int folder = raw_openat(AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {  // no /proc: try them all
    struct rlimit limit {};
    raw(SYS_prlimit64, 0, long(RLIMIT_NOFILE), 0L, &limit);
    last = unsigned(std::min<rlim_t>(last, limit.rlim_cur));
    for (unsigned fd = first; fd < last; ++fd) visit(int(fd));
    return;
  }
  alignas(8) char entries[4096];
  for (long got = 0; (got = raw(SYS_getdents64, folder, entries, long(sizeof entries))) > 0;) {
    for (long at = 0; at < got;) {
      unsigned short length = 0;
      memcpy(&length, entries + at + 16, sizeof length);
      const char* name = entries + at + 19;
      at += length;
      unsigned fd = 0;
      bool number = *name != 0;
      for (; *name && number; ++name) {
        number = *name >= '0' && *name <= '9';
        fd = fd * 10 + unsigned(*name - '0');
      }
      if (number && fd >= first && fd <= last && int(fd) != folder) visit(int(fd));
    }
  }
  raw_close(folder);
}

}  // namespace

int control(int fd, unsigned long request, void* argument) {
  const unsigned type = (request >> 8) & 0xff;
  const bool memory_file = type == type_drm || type == type_dma_buf;
  // Where there is a kernel it knows its own.
  if ((memory_file && (kernel_is_up() || identify(fd).kind != i915::FdKind::none)) || type == type_sync_file)
    if (const auto result = kernel().ioctl(fd, request, argument)) return int(settle(*result));
  return int(settle(raw(SYS_ioctl, fd, long(request), argument)));
}

void* map(void* address, size_t bytes, int protection, int flags, int fd, long offset) {
  if (kernel_is_up() && (flags & MAP_FIXED)) kernel().note_unmapped(address, bytes);
  if (fd >= 0 && !(flags & MAP_ANONYMOUS) && identify(fd).kind != i915::FdKind::none) {
    const i915::MapPlan plan = kernel().plan_map(fd, uint64_t(offset), bytes, protection, flags);
    if (plan.error) return reinterpret_cast<void*>(settle(plan.error));
    if (!plan.foreign) {
      const long at = raw(SYS_mmap, address, long(bytes), protection, flags, plan.fd, long(plan.offset));
      if (!is_error(at)) kernel().note_mapped(reinterpret_cast<void*>(at), bytes, fd, uint64_t(offset));
      return reinterpret_cast<void*>(settle(at));
    }
  }
  return reinterpret_cast<void*>(settle(raw(SYS_mmap, address, long(bytes), protection, flags, fd, offset)));
}

int unmap(void* address, size_t bytes) {
  if (kernel_is_up()) kernel().note_unmapped(address, bytes);
  return int(settle(raw(SYS_munmap, address, long(bytes))));
}

int protect(void* address, size_t bytes, int protection) {
  if (kernel_is_up()) kernel().note_protected(address, bytes);
  return int(settle(raw(SYS_mprotect, address, long(bytes), protection)));
}

void* move_map(void* address, size_t bytes, size_t new_bytes, int flags, void* new_address) {
  if (kernel_is_up()) {
    kernel().note_unmapped(address, bytes);
    if (flags & MREMAP_FIXED) kernel().note_unmapped(new_address, new_bytes);
  }
  return reinterpret_cast<void*>(settle(raw(SYS_mremap, address, long(bytes), long(new_bytes), flags, new_address)));
}

long seek(int fd, long offset, int whence) {
  const i915::FdKind kind = identify(fd).kind;
  // A device has no position; ours tells what the descriptor is and must not move.
  if (kind == i915::FdKind::device) return 0;
  if (kind == i915::FdKind::syncobj) return settle(-ESPIPE);
  if (kind == i915::FdKind::dma_buf) return settle(kernel().seek(fd, offset, whence));
  return settle(raw(SYS_lseek, fd, offset, whence));
}

int close_descriptor(int fd) {
  if (!kernel_is_up()) return int(settle(raw_close(fd)));
  if (is_internal(fd)) return int(settle(-EBADF));
  kernel().forget_watches(fd);
  const bool ours = identify(fd).kind != i915::FdKind::none;
  const int result = raw_close(fd);
  if (ours) {
    const int saved = errno;
    kernel().collect();
    errno = saved;
  }
  return int(settle(result));
}

int close_descriptors(unsigned first, unsigned last, int flags) {
  if (first > last || (flags & ~int(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC))) return int(settle(-EINVAL));
  if (!kernel_is_up() || last < unsigned(kernel().lowest_internal()))
    return int(settle(raw(SYS_close_range, long(first), long(last), flags)));
  if (flags & CLOSE_RANGE_UNSHARE) {
    const long result = raw(SYS_unshare, long(0x400));  // CLONE_FILES
    if (is_error(result)) return int(settle(result));
  }
  for_each_descriptor(first, last, [&](int fd) {
    if (kernel().is_internal(fd)) return;
    if (flags & CLOSE_RANGE_CLOEXEC) {
      raw(SYS_fcntl, fd, long(F_SETFD), long(FD_CLOEXEC));
    } else {
      kernel().forget_watches(fd);
      raw_close(fd);
    }
  });
  if (!(flags & CLOSE_RANGE_CLOEXEC)) kernel().collect();
  return 0;
}

int duplicate(int from, int to, int flags, bool equal_is_fine) {
  if (is_internal(to) || is_internal(from)) return int(settle(is_internal(from) ? -EBADF : -EBUSY));
  if (kernel_is_up() && from != to) kernel().forget_watches(to);
  const bool collect = kernel_is_up() && from != to && identify(to).kind != i915::FdKind::none;
  const long result = equal_is_fine && from == to ? raw(SYS_dup2, from, to) : raw(SYS_dup3, from, to, flags);
  if (collect) kernel().collect();
  return int(settle(result));
}

extern "C" {

int vitro_ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return control(fd, request, argument);
}
INTERPOSE(ioctl, vitro_ioctl);

void* vitro_mmap(void* address, size_t bytes, int protection, int flags, int fd, long offset) {
  return map(address, bytes, protection, flags, fd, offset);
}
INTERPOSE(mmap, vitro_mmap);
INTERPOSE(mmap64, vitro_mmap);

int vitro_munmap(void* address, size_t bytes) { return unmap(address, bytes); }
INTERPOSE(munmap, vitro_munmap);

int vitro_mprotect(void* address, size_t bytes, int protection) { return protect(address, bytes, protection); }
INTERPOSE(mprotect, vitro_mprotect);

void* vitro_mremap(void* address, size_t bytes, size_t new_bytes, int flags, ...) {
  void* new_address = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list rest;
    va_start(rest, flags);
    new_address = va_arg(rest, void*);
    va_end(rest);
  }
  return move_map(address, bytes, new_bytes, flags, new_address);
}
INTERPOSE(mremap, vitro_mremap);

long vitro_lseek(int fd, long offset, int whence) { return seek(fd, offset, whence); }
INTERPOSE(lseek, vitro_lseek);
INTERPOSE(lseek64, vitro_lseek);

int vitro_close(int fd) { return close_descriptor(fd); }
INTERPOSE(close, vitro_close);

int vitro_close_range(unsigned first, unsigned last, int flags) { return close_descriptors(first, last, flags); }
INTERPOSE(close_range, vitro_close_range);

void vitro_closefrom(int first) { close_descriptors(unsigned(std::max(first, 0)), UINT_MAX, 0); }
INTERPOSE(closefrom, vitro_closefrom);

int vitro_dup2(int from, int to) { return duplicate(from, to, 0, true); }
INTERPOSE(dup2, vitro_dup2);

int vitro_dup3(int from, int to, int flags) { return duplicate(from, to, flags, false); }
INTERPOSE(dup3, vitro_dup3);

}  // extern "C"

}  // namespace vitro::preload
