// System calls made directly, past every libc function that a preloaded library may interpose, so that the kernel's
// side never calls itself. Results are those of the system call: negative errno values on failure, errno is untouched.
// No part of the machine by itself.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace vitro::i915::raw {

#if !defined(__x86_64__)
#error "vitro's kernel side makes x86-64 system calls"
#endif

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
inline long of(const void* p) { return reinterpret_cast<long>(p); }

inline int open(const char* path, int flags, unsigned mode = 0) {
  return int(call(SYS_openat, AT_FDCWD, of(path), flags, mode));
}
inline int close(int fd) { return int(call(SYS_close, fd)); }
inline long read(int fd, void* to, size_t n) { return call(SYS_read, fd, of(to), long(n)); }
inline long pread(int fd, void* to, size_t n, uint64_t at) { return call(SYS_pread64, fd, of(to), long(n), long(at)); }
inline long write(int fd, const void* from, size_t n) { return call(SYS_write, fd, of(from), long(n)); }
inline int64_t lseek(int fd, int64_t offset, int whence) { return call(SYS_lseek, fd, offset, whence); }
inline int fstat(int fd, struct stat* s) { return int(call(SYS_fstat, fd, of(s))); }
inline int fcntl(int fd, int command, long argument = 0) { return int(call(SYS_fcntl, fd, command, argument)); }
inline int memfd_create(const char* name, unsigned flags) { return int(call(SYS_memfd_create, of(name), flags)); }
inline int ftruncate(int fd, uint64_t bytes) { return int(call(SYS_ftruncate, fd, long(bytes))); }
inline int pipe2(int ends[2], int flags) { return int(call(SYS_pipe2, of(ends), flags)); }
inline int dup3(int from, int to, int flags) { return int(call(SYS_dup3, from, to, flags)); }
inline int getpid() { return int(call(SYS_getpid)); }
// The same without a system call, for where the pid of a parent that forked past us does no harm.
inline std::atomic<int> known_process{0};
inline int process() {
  int pid = known_process.load(std::memory_order_relaxed);
  if (pid == 0) known_process.store(pid = getpid(), std::memory_order_relaxed);
  return pid;
}
inline void forget_process() { known_process = 0; }
inline int kill(int pid, int signal) { return int(call(SYS_kill, pid, signal)); }
inline int msync(const void* address, size_t bytes, int flags) {
  return int(call(SYS_msync, of(address), long(bytes), flags));
}
inline int madvise(const void* address, size_t bytes, int advice) {
  return int(call(SYS_madvise, of(address), long(bytes), advice));
}
// The address, or a negative errno (failed() tells).
inline long mmap(const void* address, size_t bytes, int protection, int flags, int fd, uint64_t offset) {
  return call(SYS_mmap, of(address), long(bytes), protection, flags, fd, long(offset));
}
inline int munmap(const void* address, size_t bytes) { return int(call(SYS_munmap, of(address), long(bytes))); }
inline bool failed(long result) { return result < 0 && result >= -4095; }
inline int ppoll(pollfd* fds, unsigned n, const timespec* timeout) {
  timespec t{};
  if (timeout) t = *timeout;
  return int(call(SYS_ppoll, of(fds), n, timeout ? of(&t) : 0, 0, 0));
}
inline int getdents(int fd, void* to, size_t n) { return int(call(SYS_getdents64, fd, of(to), long(n))); }

// Copies that give -EFAULT instead of a crash, as the kernel's copy_from_user and copy_to_user.
int copy_in(void* to, uint64_t from, size_t bytes);
int copy_out(uint64_t to, const void* from, size_t bytes);
template <class T>
int get(T& to, uint64_t from) {
  return copy_in(&to, from, sizeof(T));
}
template <class T>
int put(uint64_t to, const T& from) {
  return copy_out(to, &from, sizeof(T));
}

// Futexes between processes. `timeout` is relative, in nanoseconds; negative: none.
int futex_wait(const void* word, uint32_t value, int64_t timeout_ns);
void futex_wake(const void* word);

int64_t monotonic_ns();
// "/proc/self/fd/N" opened again: a new open file description of the same file.
int reopen(int fd, int flags);
// A number that no other call gives, in any process: those of inodes of files in memory are used once. 0: none to be
// had.
uint32_t unique_number();
// The time at which a process began, in the kernel's ticks; 0 if there is no such process or it has
// ended and only waits for its parent.
uint64_t start_time(int pid);
// Calls `visit` with the name of each entry of a folder.
void for_each_entry(const char* folder, const std::function<void(const char* name)>& visit);
// Calls `visit` with each descriptor of this process, as far as /proc tells.
void for_each_descriptor(const std::function<void(int fd)>& visit);
// A whole small file, empty if it cannot be read.
std::string read_text(const char* path, size_t limit = 1 << 20);

}  // namespace vitro::i915::raw
