// Status of files and file systems (the stat family, statx, statfs, name_to_handle_at, inotify_add_watch): names of the
// emulated device lead into the tree, its nodes are character devices of major number 226, its descriptors are what the
// kernel would show, and the tree's parts say they are on sysfs, devtmpfs and so on.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/sysmacros.h>

#include <cstring>

#include "i915/preload/files.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/processes.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

constexpr unsigned drm_major = 226;
constexpr unsigned node_mode = S_IFCHR | 0666;

void make_node(struct stat* status, int minor) {
  status->st_mode = node_mode;
  status->st_rdev = makedev(drm_major, unsigned(minor));
  status->st_uid = status->st_gid = 0;
  status->st_nlink = 1;
  status->st_size = status->st_blocks = 0;
}

void make_node(struct statx* status, int minor) {
  status->stx_mode = node_mode;
  status->stx_rdev_major = drm_major;
  status->stx_rdev_minor = unsigned(minor);
  status->stx_uid = status->stx_gid = 0;
  status->stx_nlink = 1;
  status->stx_size = status->stx_blocks = 0;
}

// A dma-buf has an inode of its own; ours share the arena's and differ in their position.
unsigned long inode_of_buffer(int fd, unsigned long arena) {
  return arena * 0x9e3779b97f4a7c15u ^ static_cast<unsigned long>(raw(SYS_lseek, fd, 0L, long(SEEK_CUR)));
}

int descriptor_status(int fd, struct stat* status) {
  const int result = raw_fstat(fd, status);
  if (result < 0) return result;
  if (const int minor = minor_of(special_of(*status)); minor >= 0) {
    make_node(status, minor);  // opened with O_PATH
    return 0;
  }
  if (!S_ISREG(status->st_mode)) return 0;
  const i915::FdInfo info = identify(fd);
  if (info.kind == i915::FdKind::device) {
    make_node(status, info.minor);
  } else if (info.kind == i915::FdKind::dma_buf || info.kind == i915::FdKind::syncobj) {
    status->st_mode = 0600;  // anonymous inodes have no type
    status->st_size = long(info.bytes);
    status->st_blocks = 0;
    status->st_ino = inode_of_buffer(fd, status->st_ino);
  }
  return 0;
}

struct statx_timestamp time_of(const struct timespec& time) {
  struct statx_timestamp result {};
  result.tv_sec = time.tv_sec;
  result.tv_nsec = unsigned(time.tv_nsec);
  return result;
}

void convert(const struct stat& from, struct statx* to) {
  to->stx_mode = uint16_t(from.st_mode);
  to->stx_size = uint64_t(from.st_size);
  to->stx_ino = from.st_ino;
  to->stx_blocks = uint64_t(from.st_blocks);
  to->stx_rdev_major = major(from.st_rdev);
  to->stx_rdev_minor = minor(from.st_rdev);
  to->stx_uid = from.st_uid;
  to->stx_gid = from.st_gid;
  to->stx_mtime = time_of(from.st_mtim);
}

// Which file system each part of the tree pretends to be.
struct Magic {
  const char* prefix;
  long magic;
};
constexpr Magic magics[] = {{"/sys/kernel/debug", DEBUGFS_MAGIC},
                            {"/sys", SYSFS_MAGIC},
                            {"/proc", PROC_SUPER_MAGIC},
                            {"/dev", TMPFS_MAGIC},
                            {"/run", TMPFS_MAGIC}};

void pretend(const char* path, struct statfs* status) {
  for (const Magic& magic : magics) {
    if (strncmp(path, magic.prefix, strlen(magic.prefix)) != 0) continue;
    status->f_type = magic.magic;
    return;
  }
}

}  // namespace

int get_descriptor_status(int fd, struct stat* status) { return int(settle(descriptor_status(fd, status))); }

int get_status(int folder, const char* path, struct stat* status, int flags) {
  if (path && !*path && (flags & AT_EMPTY_PATH) && folder != AT_FDCWD) return get_descriptor_status(folder, status);
  if (const int named = descriptor_named(path); named >= 0 && !(flags & AT_SYMLINK_NOFOLLOW))
    return get_descriptor_status(named, status);
  const int elsewhere = flags & AT_SYMLINK_NOFOLLOW ? -1 : device_named(folder, path);
  Place place;
  resolve(place, folder, path);
  const int result = raw_fstatat(place.folder, place.path, status, flags);
  if (result == 0 && elsewhere >= 0)
    make_node(status, elsewhere);
  else if (result == 0)
    if (const int minor = minor_of(special_of(*status)); minor >= 0) make_node(status, minor);
  return int(settle(result));
}

int get_extended_status(int folder, const char* path, int flags, unsigned mask, struct statx* status) {
  int fd = path && !*path && (flags & AT_EMPTY_PATH) ? folder : -1;
  if (const int named = descriptor_named(path); named >= 0 && !(flags & AT_SYMLINK_NOFOLLOW)) fd = named;
  const int elsewhere = flags & AT_SYMLINK_NOFOLLOW ? -1 : device_named(folder, path);
  Place place;
  resolve(place, folder, path);
  const long result = raw(SYS_statx, place.folder, place.path, flags, long(mask), status);
  struct stat known;
  if (result == 0 && fd >= 0) {
    if (descriptor_status(fd, &known) == 0 && !S_ISREG(known.st_mode) && !S_ISDIR(known.st_mode))
      convert(known, status);
  } else if (result == 0 && elsewhere >= 0) {
    make_node(status, elsewhere);
  } else if (result == 0 && place.in_tree) {
    if (raw_fstatat(place.folder, place.path, &known, flags & AT_SYMLINK_NOFOLLOW) == 0)
      if (const int minor = minor_of(special_of(known)); minor >= 0) make_node(status, minor);
  }
  return int(settle(result));
}

int get_file_system(const char* path, struct statfs* status) {
  Place place;
  resolve(place, AT_FDCWD, path);
  const long result = raw(SYS_statfs, place.path, status);
  if (result == 0 && place.in_tree) pretend(place.path + tree().length, status);
  return int(settle(result));
}

int get_descriptor_file_system(int fd, struct statfs* status) {
  const long result = raw(SYS_fstatfs, fd, status);
  if (result != 0) return int(settle(result));
  struct stat known;
  if (tree().length && raw_fstat(fd, &known) == 0 && known.st_dev == tree().device) {
    char path[PATH_MAX + 1];
    bool in_tree = false;
    if (path_of(fd, path, sizeof path, &in_tree) > 0 && in_tree) pretend(path, status);
  }
  return 0;
}

extern "C" {

int vitro_stat(const char* path, struct stat* status) { return get_status(AT_FDCWD, path, status, 0); }
INTERPOSE(stat, vitro_stat);
INTERPOSE(stat64, vitro_stat);

int vitro_lstat(const char* path, struct stat* status) {
  return get_status(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
INTERPOSE(lstat, vitro_lstat);
INTERPOSE(lstat64, vitro_lstat);

int vitro_fstat(int fd, struct stat* status) { return get_descriptor_status(fd, status); }
INTERPOSE(fstat, vitro_fstat);
INTERPOSE(fstat64, vitro_fstat);

int vitro_fstatat(int folder, const char* path, struct stat* status, int flags) {
  return get_status(folder, path, status, flags);
}
INTERPOSE(fstatat, vitro_fstatat);
INTERPOSE(fstatat64, vitro_fstatat);

// What programs built before glibc 2.33 call; the first argument is a version of struct stat that has one value.
int vitro_xstat(int, const char* path, struct stat* status) { return get_status(AT_FDCWD, path, status, 0); }
INTERPOSE(__xstat, vitro_xstat);
INTERPOSE(__xstat64, vitro_xstat);

int vitro_lxstat(int, const char* path, struct stat* status) {
  return get_status(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
INTERPOSE(__lxstat, vitro_lxstat);
INTERPOSE(__lxstat64, vitro_lxstat);

int vitro_fxstat(int, int fd, struct stat* status) { return get_descriptor_status(fd, status); }
INTERPOSE(__fxstat, vitro_fxstat);
INTERPOSE(__fxstat64, vitro_fxstat);

int vitro_fxstatat(int, int folder, const char* path, struct stat* status, int flags) {
  return get_status(folder, path, status, flags);
}
INTERPOSE(__fxstatat, vitro_fxstatat);
INTERPOSE(__fxstatat64, vitro_fxstatat);

int vitro_statx(int folder, const char* path, int flags, unsigned mask, struct statx* status) {
  return get_extended_status(folder, path, flags, mask, status);
}
INTERPOSE(statx, vitro_statx);

int vitro_statfs(const char* path, struct statfs* status) { return get_file_system(path, status); }
INTERPOSE(statfs, vitro_statfs);
INTERPOSE(statfs64, vitro_statfs);

int vitro_fstatfs(int fd, struct statfs* status) { return get_descriptor_file_system(fd, status); }
INTERPOSE(fstatfs, vitro_fstatfs);
INTERPOSE(fstatfs64, vitro_fstatfs);

int vitro_name_to_handle_at(int folder, const char* path, struct file_handle* handle, int* mount, int flags) {
  Place place;
  resolve(place, folder, path);
  return int(settle(raw(SYS_name_to_handle_at, place.folder, place.path, handle, mount, flags)));
}
INTERPOSE(name_to_handle_at, vitro_name_to_handle_at);

int vitro_inotify_add_watch(int fd, const char* path, unsigned mask) {
  Place place;
  resolve(place, AT_FDCWD, path);
  return int(settle(raw(SYS_inotify_add_watch, fd, place.path, long(mask))));
}
INTERPOSE(inotify_add_watch, vitro_inotify_add_watch);

}  // extern "C"

}  // namespace vitro::preload
