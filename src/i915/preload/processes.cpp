// Descriptors of other processes (see processes.h). A device is recognised by the name of its file in memory and by its
// position (i915/kernel.h), which /proc tells of every process that this one may look into. Source of the behaviour:
// drm_show_fdinfo of Linux, i915_drm_client.c of 6.1. A path relative to a working folder in /proc is not recognised.
#include "i915/preload/processes.h"

#include <cstring>

#include "i915/preload/inner.h"
#include "i915/preload/paths.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

constexpr size_t name_bytes = 96;  // "/proc/PID/task/TID/fdinfo/N"

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The whole name of what may be a descriptor's entry; false for all others, soon.
bool whole_name(int folder, const char* path, char* name) {
  if (!path || !*path) return false;
  const size_t length = strnlen(path, name_bytes);
  if (length == name_bytes || !is_digit(path[length - 1])) return false;
  if (path[0] == '/') {
    if (strncmp(path, "/proc/", 6) != 0) return false;
    memcpy(name, path, length + 1);
    return true;
  }
  if (folder < 0) return false;
  char base[PATH_MAX + 1];
  const long base_length = path_of(folder, base, sizeof base);
  if (base_length < 5 || strncmp(base, "/proc", 5) != 0 || size_t(base_length) + 1 + length >= name_bytes) return false;
  memcpy(name, base, size_t(base_length));
  name[base_length] = '/';
  memcpy(name + base_length + 1, path, length + 1);
  return true;
}

// Where in ".../fd/N" or ".../fdinfo/N" the last folder's name begins; nullptr if it is neither.
const char* last_folder(const char* name, bool* info) {
  const char* digits = strrchr(name, '/') + 1;
  for (const char* d = digits; *d; ++d)
    if (!is_digit(*d)) return nullptr;
  const auto ends_with = [&](const char* folder) {
    const size_t length = strlen(folder);
    return size_t(digits - name) > length && memcmp(digits - length, folder, length) == 0 ? digits - length : nullptr;
  };
  *info = true;
  if (const char* at = ends_with("/fdinfo/")) return at + 1;
  *info = false;
  const char* at = ends_with("/fd/");
  return at ? at + 1 : nullptr;
}

std::string read_all(const char* path) { return i915::raw::read_text(path, 1 << 16); }

// The same entry in the other folder.
std::string twin(const char* name, const char* at, const char* folder) {
  return std::string(name, size_t(at - name)) + folder + strrchr(name, '/');
}

// The minor of the device whose link and information these are.
int minor_of_device(const std::string& link, const std::string& information) {
  char target[64] = {};
  if (raw_readlinkat(AT_FDCWD, link.c_str(), target, sizeof target - 1) <= 0) return -1;
  const int minor = strncmp(target, "/memfd:drm:renderD128", 21) == 0 ? 128
                    : strncmp(target, "/memfd:drm:card0", 16) == 0    ? 0
                                                                      : -1;
  // Elsewhere than at the start it is a buffer or a syncobj.
  return minor >= 0 && information.compare(0, 7, "pos:\t0\n") == 0 ? minor : -1;
}

}  // namespace

int device_named(int folder, const char* path) {
  char name[name_bytes];
  bool info = false;
  const char* at = whole_name(folder, path, name) ? last_folder(name, &info) : nullptr;
  if (!at || info) return -1;
  char target[16] = {};
  if (raw_readlinkat(AT_FDCWD, name, target, sizeof target - 1) <= 0 || strncmp(target, "/memfd:drm:", 11) != 0)
    return -1;
  return minor_of_device(name, read_all(twin(name, at, "fdinfo").c_str()));
}

std::string device_info(int folder, const char* path) {
  char name[name_bytes];
  bool info = false;
  const char* at = whole_name(folder, path, name) ? last_folder(name, &info) : nullptr;
  if (!at || !info) return {};
  const std::string link = twin(name, at, "fd"), information = read_all(name);
  if (minor_of_device(link, information) < 0) return {};
  const int fd = raw_openat(AT_FDCWD, link.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return {};
  const std::string lines = kernel().client_lines(fd);
  raw_close(fd);
  // Locks on the file are what we count exports by.
  return lines.empty() ? lines : information.substr(0, information.find("lock:")) + lines;
}

}  // namespace vitro::preload
