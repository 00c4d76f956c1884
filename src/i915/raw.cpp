// The less trivial system calls: copies that survive bad pointers, futexes, and what /proc tells about processes. The
// copies go through the kernel, which reports an unmapped or protected page instead of raising a signal: with
// process_vm_writev and process_vm_readv on the own process, in which the program's memory is the local side. That side
// is accessed as copy_from_user does it, so that memory which may only be written can be read, as the processor has it;
// the remote side would be refused. Where a sandbox forbids these calls, they are plain copies; so are those of what
// stands on the calling thread's stack, as the arguments of most ioctls do. No part of the machine by itself.
#include "i915/raw.h"

#include <dirent.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace vitro::i915::raw {
namespace {

// The part of the calling thread's stack that is in use is mapped, and may be read and written.
bool is_on_own_stack(uint64_t at, size_t bytes) {
  struct Stack {
    uint64_t first = 0, end = 0;  // none, if it is not known
  };
  static thread_local const Stack stack = [] {
    Stack s;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return s;
    void* first = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &first, &size) == 0) s = {uint64_t(of(first)), uint64_t(of(first)) + size};
    pthread_attr_destroy(&attributes);
    return s;
  }();
  const auto here = uint64_t(of(__builtin_frame_address(0)));  // elsewhere in a signal handler, or a coroutine
  return here >= stack.first && here <= at && at < stack.end && bytes <= stack.end - at;
}

// `number` moves bytes between the program's memory and ours.
int copy(long number, uint64_t program, void* ours, size_t bytes) {
  if (bytes == 0) return 0;
  iovec local{reinterpret_cast<void*>(program), bytes}, remote{ours, bytes};
  if (!is_on_own_stack(program, bytes)) {
    const long done = call(number, getpid(), of(&local), 1, of(&remote), 1, 0);
    if (done == long(bytes)) return 0;
    if ((done != -ENOSYS && done != -EPERM) || local.iov_base == nullptr) return -EFAULT;
  }
  if (number == SYS_process_vm_writev)
    std::memcpy(ours, local.iov_base, bytes);
  else
    std::memcpy(local.iov_base, ours, bytes);
  return 0;
}

}  // namespace

int copy_in(void* to, uint64_t from, size_t bytes) { return copy(SYS_process_vm_writev, from, to, bytes); }
int copy_out(uint64_t to, const void* from, size_t bytes) {
  return copy(SYS_process_vm_readv, to, const_cast<void*>(from), bytes);
}

int futex_wait(const void* word, uint32_t value, int64_t timeout_ns) {
  timespec t{timeout_ns / 1000000000, timeout_ns % 1000000000};
  return int(call(SYS_futex, of(word), FUTEX_WAIT, value, timeout_ns < 0 ? 0 : of(&t), 0, 0));
}
void futex_wake(const void* word) { call(SYS_futex, of(word), FUTEX_WAKE, 0x7fffffff, 0, 0, 0); }

int64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

int reopen(int fd, int flags) {
  char path[32];
  *fmt::format_to_n(path, sizeof path - 1, "/proc/self/fd/{}", fd).out = 0;
  return open(path, flags);
}

void for_each_entry(const char* folder, const std::function<void(const char*)>& visit) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  alignas(dirent64) char block[4096];
  for (int n; (n = getdents(fd, block, sizeof block)) > 0;) {
    for (int at = 0; at < n;) {
      const dirent64* const entry = reinterpret_cast<const dirent64*>(block + at);
      at += entry->d_reclen;
      visit(entry->d_name);
    }
  }
  close(fd);
}

void for_each_descriptor(const std::function<void(int)>& visit) {
  for_each_entry("/proc/self/fd", [&](const char* name) {
    if (name[0] != '.') visit(std::atoi(name));
  });
}

std::string read_text(const char* path, size_t limit) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text;
  char block[4096];
  for (long n = 0; text.size() < limit && (n = read(fd, block, sizeof block)) > 0;) text.append(block, size_t(n));
  close(fd);
  return text;
}

uint32_t unique_number() {
  const int fd = memfd_create("vitro", MFD_CLOEXEC);
  struct stat s {};
  if (fd < 0) return 0;
  raw::fstat(fd, &s);
  close(fd);
  return uint32_t(s.st_ino);
}

uint64_t start_time(int pid) {
  char path[32];
  *fmt::format_to_n(path, sizeof path - 1, "/proc/{}/stat", pid).out = 0;
  const std::string text = read_text(path, 4096);
  size_t at = text.rfind(')');  // the name before it may hold anything
  if (at != std::string::npos && at + 2 < text.size() && (text[at + 2] == 'Z' || text[at + 2] == 'X')) return 0;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at, nullptr, 10);
}

}  // namespace vitro::i915::raw
