// Reading and writing descriptors (read, write and their variants, ftruncate): a device, a dma-buf and a syncobj answer
// as the kernel's do, and what is behind them, which a plain write would destroy, stays as it is. All other descriptors
// go on to the C library's own functions, which can be cancelled. Source of the behaviour: vfs_read and vfs_write in
// fs/read_write.c, drm_read in drm_file.c of Linux 6.1.
// Not interposed: sendfile, splice, copy_file_range and the asynchronous functions (aio_read).
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "i915/preload/calls.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

// Resolved before main: signal handlers and the child of vfork read and write.
auto next_read() { return NEXT(read); }
auto next_write() { return NEXT(write); }
[[gnu::constructor]] void resolve_early() {
  next_read();
  next_write();
}

constexpr int events_to_come = 0;  // a device that is read waits for an event

struct Row {
  i915::FdKind kind;
  int read, write, read_at, write_at;
};
// Anonymous inodes have no offsets, and the descriptor of a syncobj is not open for writing.
constexpr Row rows[] = {
    {i915::FdKind::device, events_to_come, -EINVAL, events_to_come, -EINVAL},
    {i915::FdKind::dma_buf, -EINVAL, -EINVAL, -ESPIPE, -ESPIPE},
    {i915::FdKind::syncobj, -EINVAL, -EBADF, -ESPIPE, -ESPIPE},
};

// A device without a display never has an event: whoever waits for one waits until a signal comes, as at a pipe into
// which nobody writes.
long wait_for_event(int fd, void* to, size_t bytes) {
  if (raw(SYS_fcntl, fd, long(F_GETFL)) & O_NONBLOCK) return settle(-EAGAIN);
  int ends[2];
  if (const long error = raw(SYS_pipe2, ends, long(O_CLOEXEC)); is_error(error)) return settle(error);
  const long result = next_read()(ends[0], to, bytes ? bytes : 1);
  const int saved = errno;
  raw_close(ends[0]);
  raw_close(ends[1]);
  errno = saved;
  return result;
}

enum class Way : uint8_t { read, write, read_at, write_at };

// The answer if the descriptor is one of ours.
std::optional<long> answer(int fd, Way way, void* to = nullptr, size_t bytes = 0, long offset = 0) {
  const i915::FdKind kind = identify(fd).kind;
  for (const Row& row : rows) {
    if (row.kind != kind) continue;
    const bool positioned = way == Way::read_at || way == Way::write_at;
    const bool writes = way == Way::write || way == Way::write_at;
    if (positioned && offset < 0) return settle(-EINVAL);
    const int result = writes ? (positioned ? row.write_at : row.write) : (positioned ? row.read_at : row.read);
    if (result == events_to_come) return wait_for_event(fd, to, bytes);
    const long mode = raw(SYS_fcntl, fd, long(F_GETFL)) & O_ACCMODE;
    const bool open_for_it = mode == O_RDWR || mode == (writes ? O_WRONLY : O_RDONLY);
    return settle(result == -EINVAL && !open_for_it ? -EBADF : result);
  }
  return std::nullopt;
}

std::optional<long> answer_vector(int fd, Way way, const iovec* parts, int count, long offset = 0) {
  // Nothing is ever stored in the parts, so the first serves as well as all.
  return answer(fd, way, count > 0 && parts ? parts->iov_base : nullptr, 0, offset);
}

}  // namespace

long read_from(int fd, void* to, size_t bytes) {
  if (const auto result = answer(fd, Way::read, to, bytes)) return *result;
  return next_read()(fd, to, bytes);
}

long write_to(int fd, const void* from, size_t bytes) {
  if (const auto result = answer(fd, Way::write)) return *result;
  return next_write()(fd, from, bytes);
}

long read_at(int fd, void* to, size_t bytes, long offset) {
  if (const auto result = answer(fd, Way::read_at, to, bytes, offset)) return *result;
  return NEXT(pread64)(fd, to, bytes, offset);
}

long write_at(int fd, const void* from, size_t bytes, long offset) {
  if (const auto result = answer(fd, Way::write_at, nullptr, 0, offset)) return *result;
  return NEXT(pwrite64)(fd, from, bytes, offset);
}

int resize(int fd, long bytes) {
  if (identify(fd).kind != i915::FdKind::none) return int(settle(-EINVAL));
  struct stat status;
  if (kernel_is_up() && raw_fstat(fd, &status) == 0) kernel().note_truncated(status.st_ino);
  return int(settle(raw(SYS_ftruncate, fd, bytes)));
}

extern "C" {

long vitro_read(int fd, void* to, size_t bytes) { return read_from(fd, to, bytes); }
INTERPOSE(read, vitro_read);

long vitro_write(int fd, const void* from, size_t bytes) { return write_to(fd, from, bytes); }
INTERPOSE(write, vitro_write);

long vitro_pread(int fd, void* to, size_t bytes, long offset) { return read_at(fd, to, bytes, offset); }
INTERPOSE(pread, vitro_pread);
INTERPOSE(pread64, vitro_pread);

long vitro_pwrite(int fd, const void* from, size_t bytes, long offset) { return write_at(fd, from, bytes, offset); }
INTERPOSE(pwrite, vitro_pwrite);
INTERPOSE(pwrite64, vitro_pwrite);

// What programs call that were built with checks of buffer sizes; the C library ends those that fail.
long vitro_read_chk(int fd, void* to, size_t bytes, size_t space) {
  if (const auto result = answer(fd, Way::read, to, bytes)) return *result;
  return NEXT_AS(__read_chk, long (*)(int, void*, size_t, size_t))(fd, to, bytes, space);
}
INTERPOSE(__read_chk, vitro_read_chk);

long vitro_pread_chk(int fd, void* to, size_t bytes, long offset, size_t space) {
  if (const auto result = answer(fd, Way::read_at, to, bytes, offset)) return *result;
  return NEXT_AS(__pread64_chk, long (*)(int, void*, size_t, long, size_t))(fd, to, bytes, offset, space);
}
INTERPOSE(__pread_chk, vitro_pread_chk);
INTERPOSE(__pread64_chk, vitro_pread_chk);

long vitro_readv(int fd, const iovec* parts, int count) {
  if (const auto result = answer_vector(fd, Way::read, parts, count)) return *result;
  return NEXT(readv)(fd, parts, count);
}
INTERPOSE(readv, vitro_readv);

long vitro_writev(int fd, const iovec* parts, int count) {
  if (const auto result = answer_vector(fd, Way::write, parts, count)) return *result;
  return NEXT(writev)(fd, parts, count);
}
INTERPOSE(writev, vitro_writev);

long vitro_preadv(int fd, const iovec* parts, int count, long offset) {
  if (const auto result = answer_vector(fd, Way::read_at, parts, count, offset)) return *result;
  return NEXT(preadv64)(fd, parts, count, offset);
}
INTERPOSE(preadv, vitro_preadv);
INTERPOSE(preadv64, vitro_preadv);

long vitro_pwritev(int fd, const iovec* parts, int count, long offset) {
  if (const auto result = answer_vector(fd, Way::write_at, parts, count, offset)) return *result;
  return NEXT(pwritev64)(fd, parts, count, offset);
}
INTERPOSE(pwritev, vitro_pwritev);
INTERPOSE(pwritev64, vitro_pwritev);

// Offset -1: at the descriptor's position.
long vitro_preadv2(int fd, const iovec* parts, int count, long offset, int flags) {
  if (const auto result = answer_vector(fd, offset == -1 ? Way::read : Way::read_at, parts, count, offset))
    return *result;
  return NEXT(preadv64v2)(fd, parts, count, offset, flags);
}
INTERPOSE(preadv2, vitro_preadv2);
INTERPOSE(preadv64v2, vitro_preadv2);

long vitro_pwritev2(int fd, const iovec* parts, int count, long offset, int flags) {
  if (const auto result = answer_vector(fd, offset == -1 ? Way::write : Way::write_at, parts, count, offset))
    return *result;
  return NEXT(pwritev64v2)(fd, parts, count, offset, flags);
}
INTERPOSE(pwritev2, vitro_pwritev2);
INTERPOSE(pwritev64v2, vitro_pwritev2);

int vitro_ftruncate(int fd, long bytes) { return resize(fd, bytes); }
INTERPOSE(ftruncate, vitro_ftruncate);
INTERPOSE(ftruncate64, vitro_ftruncate);

}  // extern "C"

}  // namespace vitro::preload
