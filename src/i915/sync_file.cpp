// Sync files, and fences made of several others. Source: drivers/dma-buf/sync_file.c of Linux 6.1. A sync_file is the
// read end of a pipe: poll works natively, also in processes that know nothing of vitro; the process that made it
// writes a byte when the fences have signalled, and as many more as the error's number if there was one, or its end
// hangs up when that process is gone. Its flag O_DIRECT, which means nothing to a read end, tells it from the program's
// own pipes. Names and timestamps of fences are not carried: a sync_file tells of one fence.
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

bool is_pipe(int fd, uint64_t& inode) {
  struct stat s {};
  if (raw::fstat(fd, &s) < 0 || !S_ISFIFO(s.st_mode)) return false;
  inode = s.st_ino;
  return true;
}

bool is_sync_file(int fd, uint64_t& inode) {
  const int flags = raw::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_DIRECT) && (flags & O_ACCMODE) == O_RDONLY && is_pipe(fd, inode);
}

bool has_signalled(int fd) {
  pollfd p{fd, POLLIN, 0};
  const timespec at_once{};
  return raw::ppoll(&p, 1, &at_once) > 0;
}

// 0: active, 1: signalled, negative: signalled with an error.
int status_of(int fd) {
  if (!has_signalled(fd)) return 0;
  int bytes = 0;
  raw::call(SYS_ioctl, fd, FIONREAD, raw::of(&bytes));
  return bytes > 1 ? 1 - bytes : 1;
}

// Drops what has signalled, and doubles.
void reduce(std::vector<Dependency>& fences) {
  std::erase_if(fences, [](const Dependency& d) { return d.arena && d.fd < 0 && is_signalled(*d.arena, d.fence); });
  for (size_t i = 0; i < fences.size(); ++i)
    for (size_t j = fences.size() - 1; j > i; --j)
      if (fences[i].fd < 0 && fences[j].fd < 0 && fences[i].arena == fences[j].arena &&
          fences[i].fence == fences[j].fence)
        fences.erase(fences.begin() + long(j));
}

int merge(KernelState& kernel, int fd, uint64_t argument) {
  sync_merge_data m{};
  if (raw::get(m, argument) < 0) return -EFAULT;
  if (m.flags != 0 || m.pad != 0) return -EINVAL;
  std::vector<Dependency> fences;
  if (sync_file_fences(kernel, m.fd2, fences) < 0) return -ENOENT;
  if (const int error = sync_file_fences(kernel, fd, fences); error < 0) {
    for (const Dependency& d : fences) kernel.remove_internal(d.fd);
    return error;
  }
  const int made = make_sync_file(kernel, std::move(fences));
  if (made < 0) return made;
  m.fence = made;
  if (raw::put(argument, m) == 0) return 0;
  raw::close(made);
  return -EFAULT;
}

int file_info(int fd, uint64_t argument) {
  sync_file_info i{};
  if (raw::get(i, argument) < 0) return -EFAULT;
  if (i.flags != 0 || i.pad != 0) return -EINVAL;
  i.status = status_of(fd);
  std::strncpy(i.name, "vitro", sizeof i.name - 1);
  if (i.num_fences != 0) {
    sync_fence_info f{};
    std::strncpy(f.obj_name, "timeline", sizeof f.obj_name - 1);
    std::strncpy(f.driver_name, "i915", sizeof f.driver_name - 1);
    f.status = i.status;
    f.timestamp_ns = i.status ? uint64_t(raw::monotonic_ns()) : 0;
    if (raw::put(i.sync_fence_info, f) < 0) return -EFAULT;
  }
  i.num_fences = 1;
  return raw::put(argument, i);
}

}  // namespace

int sync_file_fences(KernelState& kernel, int fd, std::vector<Dependency>& out) {
  uint64_t inode = 0;
  if (!is_sync_file(fd, inode)) return -EINVAL;
  if (has_signalled(fd)) return 0;
  {
    const std::lock_guard guard(kernel.lock);
    const auto known = kernel.sync_files.find(inode);
    if (known != kernel.sync_files.end()) {
      out.insert(out.end(), known->second.begin(), known->second.end());
      return 0;
    }
  }
  const int copy = raw::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return -EINVAL;
  out.push_back({.fd = kernel.add_internal(copy)});
  return 0;
}

int make_pipe(KernelState& kernel, int& write_end) {
  int ends[2] = {-1, -1};
  if (const int error = raw::pipe2(ends, O_CLOEXEC); error < 0) return error;
  raw::fcntl(ends[0], F_SETFL, O_DIRECT);
  write_end = kernel.add_internal(ends[1]);
  return ends[0];
}

void name_pipe(KernelState& kernel, int sync_file, const std::vector<Dependency>& fences) {
  uint64_t inode = 0;
  if (!is_pipe(sync_file, inode)) return;
  if (std::any_of(fences.begin(), fences.end(), [](const Dependency& d) { return d.fd >= 0; })) return;
  const std::lock_guard guard(kernel.lock);
  kernel.sync_files[inode] = fences;
}

int status_of(const Dependency& d) { return d.fd >= 0 ? status_of(d.fd) : fence_status(*d.arena, d.fence); }

int make_sync_file(KernelState& kernel, std::vector<Dependency> fences) {
  reduce(fences);
  Signal signal;
  const int fd = make_pipe(kernel, signal.pipe);
  if (fd >= 0) name_pipe(kernel, fd, fences);
  const int error = fd < 0 ? fd : follow(kernel, fences, signal);
  if (error == 0) return fd;
  for (const Dependency& d : fences) kernel.remove_internal(d.fd);
  if (fd < 0) return error;
  complete(kernel, {&signal, 1}, error);  // lets go of it; nobody has seen it
  raw::close(fd);
  return error;
}

int relay(KernelState& kernel, const std::shared_ptr<Arena>& arena, std::vector<Dependency> fences, FenceRef& out) {
  reduce(fences);
  out = signalled_fence;
  if (fences.empty()) return 0;
  if (fences.size() == 1 && fences[0].fd < 0 && fences[0].arena->inode() == arena->inode()) {
    out = fences[0].fence;
    return 0;
  }
  {
    const ArenaLock lock(*arena);
    out = new_fence(*arena, kernel.new_timeline(), 0);
  }
  const Signal signal{.fence = {arena, out}};
  const int error = out ? follow(kernel, fences, signal) : -ENOMEM;
  if (error == 0) return 0;
  for (const Dependency& d : fences) kernel.remove_internal(d.fd);
  if (out) complete(kernel, {&signal, 1}, error);
  return error;
}

std::optional<int> sync_file_ioctl(KernelState& kernel, int fd, unsigned long request, void* argument) {
  uint64_t inode = 0;
  if (!is_sync_file(fd, inode)) return std::nullopt;
  const uint64_t user = reinterpret_cast<uint64_t>(argument);
  if (request == SYNC_IOC_MERGE) return merge(kernel, fd, user);
  if (request == SYNC_IOC_FILE_INFO) return file_info(fd, user);
  return -ENOTTY;
}

}  // namespace vitro::i915
