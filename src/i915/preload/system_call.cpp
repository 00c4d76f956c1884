// The C library's syscall(): numbers whose functions are interposed take the same way as those; all others go to the
// kernel by the same few instructions as in the C library, without a frame of ours, because a caller may come back on
// another stack (clone) or twice (vfork).
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstring>

#include "i915/preload/calls.h"
#include "i915/preload/files.h"
#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

struct Words {
  long a, b, c, d, e, f;
};
using Handler = long (*)(const Words&);
struct Row {
  int number;
  Handler handler;
};

const char* text(long word) { return reinterpret_cast<const char*>(word); }
template <class T>
T* at(long word) {
  return reinterpret_cast<T*>(word);
}

long call_openat2(const Words& w) {
  Place place;
  const auto* how = at<open_how>(w.c);
  resolve(place, int(w.a), text(w.b), true);
  if (!place.in_tree) return settle(raw(SYS_openat2, w.a, w.b, w.c, w.d));
  return open_file(int(w.a), text(w.b), int(how->flags), unsigned(how->mode));
}

long call_getcwd(const Words& w) {
  char path[PATH_MAX + 1];
  const long got = raw(SYS_getcwd, path, long(PATH_MAX));
  if (is_error(got)) return settle(got);
  const long length = long(translate_back(path, size_t(got) - 1)) + 1;
  if (length > w.b) return settle(-ERANGE);
  memcpy(at<char>(w.a), path, size_t(length));
  return length;
}

// The kernel's pselect takes two words where the C library's takes one.
struct PselectMask {
  const sigset_t* mask;
  size_t bytes;
};

extern "C" int vitro_ppoll(pollfd*, unsigned long, const timespec*, const sigset_t*);
extern "C" int vitro_select(int, fd_set*, fd_set*, fd_set*, timeval*);
extern "C" int vitro_pselect(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*);
extern "C" int vitro_epoll_pwait(int, epoll_event*, int, int, const sigset_t*);
extern "C" int vitro_epoll_pwait2(int, epoll_event*, int, const timespec*, const sigset_t*);
extern "C" long vitro_readv(int, const iovec*, int);
extern "C" long vitro_writev(int, const iovec*, int);
extern "C" long vitro_preadv(int, const iovec*, int, long);
extern "C" long vitro_pwritev(int, const iovec*, int, long);
extern "C" long vitro_preadv2(int, const iovec*, int, long, int);
extern "C" long vitro_pwritev2(int, const iovec*, int, long, int);
extern "C" int vitro_execve(const char*, char* const[], char* const[]);
extern "C" int vitro_execveat(int, const char*, char* const[], char* const[], int);

constexpr Row rows[] = {
    {SYS_open, [](const Words& w) -> long { return open_file(AT_FDCWD, text(w.a), int(w.b), unsigned(w.c)); }},
    {SYS_openat, [](const Words& w) -> long { return open_file(int(w.a), text(w.b), int(w.c), unsigned(w.d)); }},
    {SYS_openat2, call_openat2},
    {SYS_creat,
     [](const Words& w) -> long {
       return open_file(AT_FDCWD, text(w.a), O_CREAT | O_WRONLY | O_TRUNC, unsigned(w.b));
     }},
    {SYS_access, [](const Words& w) -> long { return check_access(AT_FDCWD, text(w.a), int(w.b), 0); }},
    {SYS_faccessat, [](const Words& w) -> long { return check_access(int(w.a), text(w.b), int(w.c), 0); }},
    {SYS_faccessat2, [](const Words& w) -> long { return check_access(int(w.a), text(w.b), int(w.c), int(w.d)); }},
    {SYS_stat, [](const Words& w) -> long { return get_status(AT_FDCWD, text(w.a), at<struct stat>(w.b), 0); }},
    {SYS_lstat,
     [](const Words& w) -> long { return get_status(AT_FDCWD, text(w.a), at<struct stat>(w.b), AT_SYMLINK_NOFOLLOW); }},
    {SYS_fstat, [](const Words& w) -> long { return get_descriptor_status(int(w.a), at<struct stat>(w.b)); }},
    {SYS_newfstatat,
     [](const Words& w) -> long { return get_status(int(w.a), text(w.b), at<struct stat>(w.c), int(w.d)); }},
    {SYS_statx,
     [](const Words& w) -> long {
       return get_extended_status(int(w.a), text(w.b), int(w.c), unsigned(w.d), at<struct statx>(w.e));
     }},
    {SYS_statfs, [](const Words& w) -> long { return get_file_system(text(w.a), at<struct statfs>(w.b)); }},
    {SYS_fstatfs, [](const Words& w) -> long { return get_descriptor_file_system(int(w.a), at<struct statfs>(w.b)); }},
    {SYS_readlink, [](const Words& w) { return read_link(AT_FDCWD, text(w.a), at<char>(w.b), size_t(w.c)); }},
    {SYS_readlinkat, [](const Words& w) { return read_link(int(w.a), text(w.b), at<char>(w.c), size_t(w.d)); }},
    {SYS_chdir, [](const Words& w) -> long { return change_folder(text(w.a)); }},
    {SYS_fchdir, [](const Words& w) -> long { return change_folder_to(int(w.a)); }},
    {SYS_getcwd, call_getcwd},
    {SYS_ioctl,
     [](const Words& w) -> long { return control(int(w.a), static_cast<unsigned long>(w.b), at<void>(w.c)); }},
    {SYS_mmap, [](const Words& w) { return word(map(at<void>(w.a), size_t(w.b), int(w.c), int(w.d), int(w.e), w.f)); }},
    {SYS_munmap, [](const Words& w) -> long { return unmap(at<void>(w.a), size_t(w.b)); }},
    {SYS_mprotect, [](const Words& w) -> long { return protect(at<void>(w.a), size_t(w.b), int(w.c)); }},
    {SYS_mremap,
     [](const Words& w) { return word(move_map(at<void>(w.a), size_t(w.b), size_t(w.c), int(w.d), at<void>(w.e))); }},
    {SYS_lseek, [](const Words& w) { return seek(int(w.a), w.b, int(w.c)); }},
    {SYS_read, [](const Words& w) { return read_from(int(w.a), at<void>(w.b), size_t(w.c)); }},
    {SYS_write, [](const Words& w) { return write_to(int(w.a), at<void>(w.b), size_t(w.c)); }},
    {SYS_pread64, [](const Words& w) { return read_at(int(w.a), at<void>(w.b), size_t(w.c), w.d); }},
    {SYS_pwrite64, [](const Words& w) { return write_at(int(w.a), at<void>(w.b), size_t(w.c), w.d); }},
    {SYS_ftruncate, [](const Words& w) -> long { return resize(int(w.a), w.b); }},
    {SYS_poll, [](const Words& w) -> long { return wait_for(at<pollfd>(w.a), size_t(w.b), int(w.c)); }},
    {SYS_epoll_ctl,
     [](const Words& w) -> long { return control_set(int(w.a), int(w.b), int(w.c), at<epoll_event>(w.d)); }},
    {SYS_epoll_wait,
     [](const Words& w) -> long { return wait_for_set(int(w.a), at<epoll_event>(w.b), int(w.c), int(w.d)); }},
    {SYS_epoll_pwait,
     [](const Words& w) -> long {
       return vitro_epoll_pwait(int(w.a), at<epoll_event>(w.b), int(w.c), int(w.d), at<sigset_t>(w.e));
     }},
    {SYS_epoll_pwait2,
     [](const Words& w) -> long {
       return vitro_epoll_pwait2(int(w.a), at<epoll_event>(w.b), int(w.c), at<timespec>(w.d), at<sigset_t>(w.e));
     }},
    {SYS_ppoll,
     [](const Words& w) -> long {
       return vitro_ppoll(at<pollfd>(w.a), size_t(w.b), at<timespec>(w.c), at<sigset_t>(w.d));
     }},
    {SYS_select,
     [](const Words& w) -> long {
       return vitro_select(int(w.a), at<fd_set>(w.b), at<fd_set>(w.c), at<fd_set>(w.d), at<timeval>(w.e));
     }},
    {SYS_pselect6,
     [](const Words& w) -> long {
       const auto* mask = at<PselectMask>(w.f);
       return vitro_pselect(int(w.a), at<fd_set>(w.b), at<fd_set>(w.c), at<fd_set>(w.d), at<timespec>(w.e),
                            mask ? mask->mask : nullptr);
     }},
    {SYS_readv, [](const Words& w) { return vitro_readv(int(w.a), at<iovec>(w.b), int(w.c)); }},
    {SYS_writev, [](const Words& w) { return vitro_writev(int(w.a), at<iovec>(w.b), int(w.c)); }},
    {SYS_preadv, [](const Words& w) { return vitro_preadv(int(w.a), at<iovec>(w.b), int(w.c), w.d); }},
    {SYS_pwritev, [](const Words& w) { return vitro_pwritev(int(w.a), at<iovec>(w.b), int(w.c), w.d); }},
    {SYS_preadv2, [](const Words& w) { return vitro_preadv2(int(w.a), at<iovec>(w.b), int(w.c), w.d, int(w.f)); }},
    {SYS_pwritev2, [](const Words& w) { return vitro_pwritev2(int(w.a), at<iovec>(w.b), int(w.c), w.d, int(w.f)); }},
    {SYS_close, [](const Words& w) -> long { return close_descriptor(int(w.a)); }},
    {SYS_close_range, [](const Words& w) -> long { return close_descriptors(unsigned(w.a), unsigned(w.b), int(w.c)); }},
    {SYS_dup2, [](const Words& w) -> long { return duplicate(int(w.a), int(w.b), 0, true); }},
    {SYS_dup3, [](const Words& w) -> long { return duplicate(int(w.a), int(w.b), int(w.c), false); }},
    {SYS_execve,
     [](const Words& w) -> long { return vitro_execve(text(w.a), at<char* const>(w.b), at<char* const>(w.c)); }},
    {SYS_execveat,
     [](const Words& w) -> long {
       return vitro_execveat(int(w.a), text(w.b), at<char* const>(w.c), at<char* const>(w.d), int(w.e));
     }},
};

constexpr size_t numbers = 512;
constexpr auto make_table() {
  std::array<unsigned char, numbers> table{};
  for (size_t i = 0; i < std::size(rows); ++i) table[size_t(rows[i].number)] = static_cast<unsigned char>(i + 1);
  return table;
}

}  // namespace

extern "C" {

// Which row answers a number; 0: the kernel. Read by the instructions below.
extern const std::array<unsigned char, numbers> vitro_system_call_table;
constinit const std::array<unsigned char, numbers> vitro_system_call_table = make_table();

__attribute__((used)) long vitro_system_call(long number, long a, long b, long c, long d, long e, long f) {
  const Words words{a, b, c, d, e, f};
  return rows[vitro_system_call_table[size_t(number)] - 1].handler(words);
}

}  // extern "C"

// long syscall(long number, ...): number in rdi, then rsi, rdx, rcx, r8, r9 and the stack.
asm(R"(
  .text
  .globl syscall
  .type syscall, @function
syscall:
  .cfi_startproc
  cmp $512, %rdi
  jae 1f
  lea vitro_system_call_table(%rip), %rax
  cmpb $0, (%rax,%rdi)
  jne vitro_system_call
1:
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  mov %r8, %r10
  mov %r9, %r8
  mov 8(%rsp), %r9
  syscall
  cmp $-4095, %rax
  jae 2f
  ret
2:
  neg %eax
  push %rax
  .cfi_adjust_cfa_offset 8
  call __errno_location@PLT
  pop %rcx
  .cfi_adjust_cfa_offset -8
  mov %ecx, (%rax)
  mov $-1, %rax
  ret
  .cfi_endproc
  .size syscall, . - syscall
)");

}  // namespace vitro::preload
