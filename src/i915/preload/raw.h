// System calls for the library that stands in front of the C library (LD_PRELOAD), on top of those of the kernel's
// side. The interposed functions must not come through their own door, must work before any constructor ran, in signal
// handlers and in the child of vfork: so what they need from Linux they ask Linux. Results are the kernel's: negative
// error numbers; `settle` turns one into the C library's convention.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

#include "i915/raw.h"

namespace vitro::preload {

inline long word(long value) { return value; }
inline long word(const void* pointer) { return reinterpret_cast<long>(pointer); }

template <class A = long, class B = long, class C = long, class D = long, class E = long, class F = long>
long raw(long number, A a = {}, B b = {}, C c = {}, D d = {}, E e = {}, F f = {}) {
  return i915::raw::call(number, word(a), word(b), word(c), word(d), word(e), word(f));
}

inline bool is_error(long result) { return result < 0 && result >= -4095; }

// The C library's convention: -1 and errno.
inline long settle(long result) {
  if (!is_error(result)) return result;
  errno = int(-result);
  return -1;
}

inline int raw_openat(int folder, const char* path, int flags, unsigned mode = 0) {
  return int(raw(SYS_openat, folder, path, flags, mode));
}
inline int raw_close(int fd) { return int(raw(SYS_close, fd)); }
inline int raw_fstat(int fd, struct stat* status) { return int(raw(SYS_fstat, fd, status)); }
inline int raw_fstatat(int folder, const char* path, struct stat* status, int flags) {
  return int(raw(SYS_newfstatat, folder, path, status, flags));
}
inline long raw_readlinkat(int folder, const char* path, char* text, size_t size) {
  return raw(SYS_readlinkat, folder, path, text, long(size));
}
inline int raw_getpid() { return int(raw(SYS_getpid)); }

}  // namespace vitro::preload
