// Opening files and device nodes (open, openat, creat, fopen, freopen and their variants), and asking whether one may
// (access). A name of the emulated device is opened in the tree; a device node becomes an open device of the kernel's
// side; the error state, and what /proc tells of a device's descriptor, become files in memory with the state of this
// moment. The tree is read-only for everybody: to open a file of it for writing fails with EACCES, as sysfs does for
// users, but for the parameter `reset`, which root may write. It is kept and changes nothing: a hang always resets.
// What was written is known to the process that wrote it.
#include "i915/preload/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "base/quiet_writes.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/processes.h"
#include "i915/preload/raw.h"
#include "i915/state.h"

namespace vitro::preload {

namespace {

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

// A file with the given content that is nowhere but in memory. What the program writes to it is forgotten. Where files
// may not be so large (ulimit -f), it is a pipe with the content in it.
int serve(const std::string& content, int flags) {
  const int close_on_exec = flags & O_CLOEXEC;
  const int fd = int(raw(SYS_memfd_create, "sysfs", long(close_on_exec ? MFD_CLOEXEC : 0)));
  if (fd < 0) return fd;
  {
    const QuietWrites quiet;
    if (raw(SYS_pwrite64, fd, content.data(), long(content.size()), 0L) == long(content.size())) return fd;
  }
  raw_close(fd);
  int ends[2];
  if (const long error = raw(SYS_pipe2, ends, long(close_on_exec | O_NONBLOCK)); is_error(error)) return int(error);
  const bool fits = raw(SYS_write, ends[1], content.data(), long(content.size())) == long(content.size());
  raw_close(ends[1]);
  raw(SYS_fcntl, ends[0], long(F_SETFL), 0L);
  if (fits) return ends[0];
  raw_close(ends[0]);
  return -ENOMEM;
}

// The parameter `reset` after somebody wrote it: a file in memory.
std::atomic<int> written_parameter{-1};

int open_parameter(int flags) {
  int kept = written_parameter.load();
  if (kept >= 0 && !kernel().is_internal(kept)) kept = -1;  // the parent of a fork wrote it
  char text[16] = "3";
  if (!writes(flags)) {
    if (kept >= 0) text[std::max(0L, raw(SYS_pread64, kept, text, long(sizeof text - 1), 0L))] = 0;
    return serve(std::to_string(strtoul(text, nullptr, 10)) + "\n", flags);
  }
  if (raw(SYS_geteuid) != 0) return -EACCES;
  const int fd = serve("", flags);
  if (fd < 0) return fd;
  const int copy = int(raw(SYS_fcntl, fd, long(F_DUPFD_CLOEXEC), 0L));
  if (copy >= 0) {
    written_parameter = kernel().state().add_internal(copy);
    kernel().state().remove_internal(kept);
  }
  return fd;
}

int open_special(Special special, int flags) {
  if (special == Special::reset_parameter) return open_parameter(flags);
  if (minor_of(special) >= 0) return kernel().open(minor_of(special), flags);
  if (special == Special::error_state) {
    if (writes(flags)) kernel().clear_error_state();
    return serve(kernel().error_state(), flags);
  }
  return serve("0x0\n", flags);
}

int open_in_tree(const Place& place, int flags) {
  const int harmless = flags & ~(O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY));
  const int fd = raw_openat(AT_FDCWD, place.path, harmless | O_RDONLY);
  if (fd < 0) return fd == -ENOENT && (flags & O_CREAT) ? -EACCES : fd;
  if (flags & O_PATH) return fd;
  struct stat status;
  const Special special = raw_fstat(fd, &status) == 0 ? special_of(status) : Special::none;
  const bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
  if (!exclusive && special == Special::none && !writes(flags)) return fd;
  // Before anything else is opened: the program gets the lowest free number, as from the kernel.
  raw_close(fd);
  if (exclusive) return -EEXIST;
  if (special != Special::none) return open_special(special, flags);
  return S_ISDIR(status.st_mode) ? -EISDIR : -EACCES;
}

// Names in /proc that mean one of our devices: its entry in fdinfo, and the descriptor itself, which opened once more
// is another open device. nullopt: another name.
std::optional<int> open_in_proc(int folder, const char* path, int flags) {
  if (flags & O_PATH) return std::nullopt;
  if (const std::string text = device_info(folder, path); !text.empty())
    return writes(flags) ? -EACCES : serve(text, flags);
  const int named = descriptor_named(path);
  if (named >= 0) {
    const i915::FdInfo info = identify(named);
    if (info.kind == i915::FdKind::device) return kernel().open(info.minor, flags);
  } else if (const int minor = device_named(folder, path); minor >= 0) {
    return kernel().open(minor, flags);
  }
  return std::nullopt;
}

auto next_openat() { return NEXT(openat); }
// Before main, because open is allowed in signal handlers and the loader is not.
[[gnu::constructor]] void resolve_early() { next_openat(); }

int flags_of_mode(const char* mode) {
  const bool both = strchr(mode, '+') != nullptr;
  int flags = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  if (strchr(mode, 'e')) flags |= O_CLOEXEC;
  if (strchr(mode, 'x')) flags |= O_EXCL;
  return flags;
}

int access_in_tree(const Place& place, int mode, int flags) {
  struct stat status;
  const long found = raw_fstatat(AT_FDCWD, place.path, &status, flags & AT_SYMLINK_NOFOLLOW);
  if (found < 0) return int(found);
  const Special special = special_of(status);
  if (special == Special::reset_parameter && (mode & W_OK) && raw(SYS_geteuid) != 0) return -EACCES;
  if (special != Special::none) return mode & X_OK ? -EACCES : 0;
  if ((mode & W_OK) || ((mode & X_OK) && !S_ISDIR(status.st_mode))) return -EACCES;
  return 0;
}

}  // namespace

int open_file(int folder, const char* path, int flags, unsigned mode) {
  if (const auto opened = open_in_proc(folder, path, flags)) return int(settle(*opened));
  Place place;
  resolve(place, folder, path, writes(flags));
  if (!place.in_tree) {
    struct stat status;
    if ((flags & O_TRUNC) && kernel_is_up() && raw_fstatat(place.folder, place.path, &status, 0) == 0)
      kernel().note_truncated(status.st_ino);
    return next_openat()(place.folder, place.path, flags, mode);
  }
  return int(settle(open_in_tree(place, flags)));
}

int check_access(int folder, const char* path, int mode, int flags) {
  if (const int named = descriptor_named(path); named >= 0 && identify(named).kind != i915::FdKind::none)
    return mode & X_OK ? int(settle(-EACCES)) : 0;
  Place place;
  resolve(place, folder, path);
  if (!place.in_tree) return NEXT(faccessat)(place.folder, place.path, mode, flags);
  return int(settle(access_in_tree(place, mode, flags)));
}

extern "C" {

#define MODE_AFTER(flags)                                 \
  unsigned mode = 0;                                      \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode = va_arg(rest, unsigned);                        \
    va_end(rest);                                         \
  }

int vitro_open(const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_file(AT_FDCWD, path, flags, mode);
}
INTERPOSE(open, vitro_open);
INTERPOSE(open64, vitro_open);
INTERPOSE(__open, vitro_open);
INTERPOSE(__open64, vitro_open);

int vitro_openat(int folder, const char* path, int flags, ...) {
  MODE_AFTER(flags);
  return open_file(folder, path, flags, mode);
}
INTERPOSE(openat, vitro_openat);
INTERPOSE(openat64, vitro_openat);

int vitro_open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
INTERPOSE(__open_2, vitro_open_2);
INTERPOSE(__open64_2, vitro_open_2);

int vitro_openat_2(int folder, const char* path, int flags) { return open_file(folder, path, flags, 0); }
INTERPOSE(__openat_2, vitro_openat_2);
INTERPOSE(__openat64_2, vitro_openat_2);

int vitro_creat(const char* path, unsigned mode) {
  return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
INTERPOSE(creat, vitro_creat);
INTERPOSE(creat64, vitro_creat);

FILE* vitro_fopen(const char* path, const char* mode) {
  Place place;
  resolve(place, AT_FDCWD, path, mode && (mode[0] != 'r' || strchr(mode, '+')));
  const bool known = mode && *mode && strchr("rwa", mode[0]);
  const auto in_proc = known && !place.in_tree ? open_in_proc(AT_FDCWD, path, flags_of_mode(mode)) : std::nullopt;
  if (!place.in_tree && !in_proc) return NEXT_AS(fopen, FILE * (*)(const char*, const char*))(place.path, mode);
  if (!known) return settle(-EINVAL), nullptr;
  const int fd = int(settle(in_proc ? *in_proc : open_in_tree(place, flags_of_mode(mode))));
  if (fd < 0) return nullptr;
  FILE* file = fdopen(fd, mode);
  if (!file) raw_close(fd);
  return file;
}
INTERPOSE(fopen, vitro_fopen);
INTERPOSE(fopen64, vitro_fopen);

FILE* vitro_freopen(const char* path, const char* mode, FILE* file) {
  const auto next = NEXT_AS(freopen, FILE * (*)(const char*, const char*, FILE*));
  Place place;
  resolve(place, AT_FDCWD, path, mode && (mode[0] != 'r' || strchr(mode, '+')));
  if (!place.in_tree) return next(place.path, mode, file);
  if (!mode || !strchr("rwa", mode[0])) return settle(-EINVAL), nullptr;
  const int fd = int(settle(open_in_tree(place, flags_of_mode(mode) | O_CLOEXEC)));
  if (fd < 0) {
    const int error = errno;
    fclose(file);  // freopen closes its stream even if it fails
    errno = error;
    return nullptr;
  }
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  FILE* opened = next(name, mode, file);
  raw_close(fd);
  return opened;
}
INTERPOSE(freopen, vitro_freopen);
INTERPOSE(freopen64, vitro_freopen);

int vitro_access(const char* path, int mode) { return check_access(AT_FDCWD, path, mode, 0); }
INTERPOSE(access, vitro_access);

int vitro_euidaccess(const char* path, int mode) { return check_access(AT_FDCWD, path, mode, AT_EACCESS); }
INTERPOSE(euidaccess, vitro_euidaccess);
INTERPOSE(eaccess, vitro_euidaccess);

int vitro_faccessat(int folder, const char* path, int mode, int flags) {
  return check_access(folder, path, mode, flags);
}
INTERPOSE(faccessat, vitro_faccessat);

}  // extern "C"

}  // namespace vitro::preload
