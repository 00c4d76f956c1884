// Names that the system tells (readlink, realpath, getcwd) and the working folder (chdir): answers about the tree of
// the emulated device come back without its root, and the link in /proc of a device's descriptor names its node.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "i915/preload/files.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/processes.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

// The name of one of our descriptors, as the link in /proc/self/fd shows it; nullptr if it is not ours.
const char* name_of(int fd) {
  const i915::FdInfo info = identify(fd);
  switch (info.kind) {
    case i915::FdKind::device: return node_path(info.minor);
    case i915::FdKind::dma_buf: return "/dmabuf:";
    case i915::FdKind::syncobj: return "anon_inode:syncobj_file";
    default: return nullptr;
  }
}

long hand_out(const char* name, size_t length, char* text, size_t size) {
  if (length > size) length = size;
  memcpy(text, name, length);
  return long(length);
}

char* canonical(const char* path, char* resolved) {
  const auto next = NEXT_VERSION(realpath, char* (*)(const char*, char*), "GLIBC_2.3");
  if (const int named = descriptor_named(path); named >= 0)
    if (const char* name = name_of(named); name && name[0] == '/')
      return resolved ? strcpy(resolved, name) : strdup(name);
  Place place;
  resolve(place, AT_FDCWD, path);
  // A descriptor's link leads into the tree without a name of ours in the path.
  const bool translate = place.in_tree || descriptor_named(path) >= 0;
  if (!translate) return next(place.path, resolved);
  char found[PATH_MAX + 1];
  if (!next(place.path, found)) return nullptr;
  translate_back(found, strlen(found));
  return resolved ? strcpy(resolved, found) : strdup(found);
}

}  // namespace

long read_link(int folder, const char* path, char* text, size_t size) {
  int named = descriptor_named(path);
  if (named < 0 && folder >= 0 && path && path[0] >= '0' && path[0] <= '9') {  // readlinkat(open("/proc/self/fd"), "7")
    char base[PATH_MAX + 1], own[64], whole[64];
    snprintf(own, sizeof own, "/proc/%d/fd", raw_getpid());
    snprintf(whole, sizeof whole, "/proc/self/fd/%.20s", path);
    if (path_of(folder, base, sizeof base) > 0 && strcmp(base, own) == 0) named = descriptor_named(whole);
  }
  if (const int elsewhere = named < 0 ? device_named(folder, path) : -1; elsewhere >= 0)
    return hand_out(node_path(elsewhere), strlen(node_path(elsewhere)), text, size);
  if (named >= 0) {
    if (const char* name = name_of(named)) return hand_out(name, strlen(name), text, size);
    char found[PATH_MAX + 1];
    bool in_tree = false;
    const long length = path_of(named, found, sizeof found, &in_tree);
    if (length > 0 && in_tree) return hand_out(found, size_t(length), text, size);
  }
  Place place;
  resolve(place, folder, path);
  return settle(raw_readlinkat(place.folder, place.path, text, size));
}

int change_folder(const char* path) {
  Place place;
  resolve(place, AT_FDCWD, path);
  const long result = raw(SYS_chdir, place.path);
  forget_working_folder();
  return int(settle(result));
}

int change_folder_to(int fd) {
  const long result = raw(SYS_fchdir, fd);
  forget_working_folder();
  return int(settle(result));
}

extern "C" {

ssize_t vitro_readlink(const char* path, char* text, size_t size) { return read_link(AT_FDCWD, path, text, size); }
INTERPOSE(readlink, vitro_readlink);

ssize_t vitro_readlinkat(int folder, const char* path, char* text, size_t size) {
  return read_link(folder, path, text, size);
}
INTERPOSE(readlinkat, vitro_readlinkat);

[[noreturn]] void __chk_fail();

ssize_t vitro_readlink_chk(const char* path, char* text, size_t size, size_t space) {
  if (size > space) __chk_fail();
  return read_link(AT_FDCWD, path, text, size);
}
INTERPOSE(__readlink_chk, vitro_readlink_chk);

ssize_t vitro_readlinkat_chk(int folder, const char* path, char* text, size_t size, size_t space) {
  if (size > space) __chk_fail();
  return read_link(folder, path, text, size);
}
INTERPOSE(__readlinkat_chk, vitro_readlinkat_chk);

char* vitro_realpath(const char* path, char* resolved) { return canonical(path, resolved); }
INTERPOSE(realpath, vitro_realpath);

char* vitro_realpath_chk(const char* path, char* resolved, size_t space) {
  if (space < PATH_MAX) __chk_fail();
  return canonical(path, resolved);
}
INTERPOSE(__realpath_chk, vitro_realpath_chk);

char* vitro_canonicalize_file_name(const char* path) { return canonical(path, nullptr); }
INTERPOSE(canonicalize_file_name, vitro_canonicalize_file_name);

int vitro_chdir(const char* path) { return change_folder(path); }
INTERPOSE(chdir, vitro_chdir);

int vitro_fchdir(int fd) { return change_folder_to(fd); }
INTERPOSE(fchdir, vitro_fchdir);

char* vitro_getcwd(char* text, size_t size) {
  char* found = NEXT_AS(getcwd, char* (*)(char*, size_t))(text, size);
  if (found) {
    translate_back(found, strlen(found));
    return found;
  }
  // The tree's root may be what does not fit.
  if (errno != ERANGE || !text || size == 0) return nullptr;
  char whole[PATH_MAX + 1];
  const long length = raw(SYS_getcwd, whole, long(PATH_MAX));
  if (length <= 0) return settle(length), nullptr;
  if (translate_back(whole, size_t(length) - 1) + 1 > size) return settle(-ERANGE), nullptr;
  return strcpy(text, whole);
}
INTERPOSE(getcwd, vitro_getcwd);

char* vitro_getcwd_chk(char* text, size_t size, size_t space) {
  if (size > space) __chk_fail();
  return vitro_getcwd(text, size);
}
INTERPOSE(__getcwd_chk, vitro_getcwd_chk);

char* vitro_get_current_dir_name() { return vitro_getcwd(nullptr, 0); }
INTERPOSE(get_current_dir_name, vitro_get_current_dir_name);

}  // extern "C"

}  // namespace vitro::preload
