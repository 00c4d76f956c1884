// Redirection of names into the tree of the emulated device (see paths.h). The rules are a table of prefixes; all else
// is careful string work on fixed buffers.
#include "i915/preload/paths.h"

#include <dlfcn.h>
#include <fcntl.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "i915/preload/environment.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

struct Rule {
  const char* prefix;
  bool whole;  // ends with a component; otherwise names may go on: "226:" and "226:128"
};
constexpr Rule rules[] = {
    {"/dev/dri", true},
    {"/dev/char/226:", false},
    {"/sys/dev/char/226:", false},
    {"/sys/class/drm", true},
    {"/sys/bus/pci/devices", true},
    {"/sys/bus/pci/drivers/i915", true},
    {"/sys/devices/pci0000:00/0000:00:02.0", true},
    {"/sys/module/i915", true},
    {"/sys/kernel/debug/dri", true},
    {"/proc/sys/dev/i915", true},
    {"/run/udev/data/c226:", false},
    {"/run/udev/data/+drm:", false},
    {"/run/udev/data/+pci:0000:00:02.0", true},
};

struct SpecialFile {
  const char* path;
  Special special;
};
constexpr SpecialFile special_files[] = {
    {"/dev/dri/card0", Special::card},
    {"/dev/dri/renderD128", Special::render},
    {"/sys/devices/pci0000:00/0000:00:02.0/drm/card0/error", Special::error_state},
    {"/sys/kernel/debug/dri/0/i915_error_state", Special::error_state},
    {"/sys/kernel/debug/dri/0/i915_gem_drop_caches", Special::drop_caches},
    {"/sys/module/i915/parameters/reset", Special::reset_parameter},
};
constexpr size_t special_count = std::size(special_files);

// Filled by one thread, read by all. 0: not begun, 1: somebody is at it, 2: done.
std::atomic<int> tree_state{0};
Tree the_tree;
ino_t special_inode[special_count];
char the_library[PATH_MAX + 1];

void copy(char* to, size_t size, const char* from) {
  const size_t length = strnlen(from, size - 1);
  memcpy(to, from, length);
  to[length] = 0;
}

// "/proc/self/fd/N"; `link` holds 32 characters.
void name_descriptor(int fd, char* link) {
  char digits[12];
  size_t count = 0;
  for (int rest = fd; count == 0 || rest; rest /= 10) digits[count++] = char('0' + rest % 10);
  copy(link, 32, "/proc/self/fd/");
  char* end = link + strlen(link);
  while (count) *end++ = digits[--count];
  *end = 0;
}

void find_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&find_library), &info) || !info.dli_fname) return;
  // Canonical, because children may have another working folder.
  const int fd = raw_openat(AT_FDCWD, info.dli_fname, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  char link[32];
  name_descriptor(fd, link);
  const long length = raw_readlinkat(AT_FDCWD, link, the_library, PATH_MAX);
  the_library[length > 0 ? length : 0] = 0;
  raw_close(fd);
}

bool is_there(const char* path) { return raw(SYS_access, path, 0) == 0; }

// Below the library in a build folder (build/share), beside its folder in an installation (lib/vitro, share/vitro).
void find_tree(Tree& tree) {
  const char* device = option("VITRO_DEVICE");
  if (!device || !*device || strchr(device, '/') || strlen(device) > 16) device = "kbl";
  const char* slash = strrchr(the_library, '/');
  if (!slash) return;
  for (const char* relative : {"/share/vitro/tree/", "/../share/vitro/tree/", "/../../share/vitro/tree/"}) {
    const size_t folder = size_t(slash - the_library);
    if (folder + strlen(relative) + strlen(device) >= PATH_MAX) return;
    char path[PATH_MAX + 1];
    memcpy(path, the_library, folder);
    copy(path + folder, sizeof path - folder, relative);
    strcat(path, device);
    const int fd = raw_openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) continue;
    struct stat status;
    const bool known = raw_fstat(fd, &status) == 0;
    raw_close(fd);
    if (!known) continue;
    copy(tree.root, sizeof tree.root, path);
    tree.length = strlen(tree.root);
    tree.device = status.st_dev;
    return;
  }
}

// "/a/lib/../share" to "/a/share": what the kernel will say about files there.
size_t normalise(char* path) {
  char* out = path;
  const char* in = path;
  while (*in) {
    while (*in == '/') ++in;
    const char* end = in;
    while (*end && *end != '/') ++end;
    const size_t length = size_t(end - in);
    if (length == 2 && in[0] == '.' && in[1] == '.') {
      while (out > path && *--out != '/') {
      }
    } else if (length && !(length == 1 && in[0] == '.')) {
      *out++ = '/';
      memmove(out, in, length);
      out += length;
    }
    in = end;
  }
  if (out == path) *out++ = '/';
  *out = 0;
  return size_t(out - path);
}

void load() {
  find_library();
  find_tree(the_tree);
  if (!the_tree.length) return;
  the_tree.length = normalise(the_tree.root);
  for (size_t i = 0; i < special_count; ++i) {
    char path[PATH_MAX + 1];
    if (the_tree.length + strlen(special_files[i].path) > PATH_MAX) continue;
    memcpy(path, the_tree.root, the_tree.length);
    copy(path + the_tree.length, sizeof path - the_tree.length, special_files[i].path);
    struct stat status;
    if (raw_fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0) special_inode[i] = status.st_ino;
  }
}

void ensure_loaded() {
  if (tree_state.load(std::memory_order_acquire) == 2) return;
  int expected = 0;
  if (tree_state.compare_exchange_strong(expected, 1)) {
    const int saved = errno;
    load();
    errno = saved;
    tree_state.store(2, std::memory_order_release);
    return;
  }
  // dladdr and option do not come back here, so this is another thread, and it will be done soon.
  while (tree_state.load(std::memory_order_acquire) != 2) raw(SYS_sched_yield);
}

bool begins(const char* path, size_t length, const char* prefix, size_t prefix_length) {
  return length >= prefix_length && memcmp(path, prefix, prefix_length) == 0;
}

// The first components that a rule or a special file can have: a cheap answer for nearly all names.
constexpr const char* first_components[] = {"dev", "sys", "run", "proc"};
bool is_one_of(const char* const* names, size_t count, const char* name, size_t length) {
  for (size_t i = 0; i < count; ++i)
    if (strncmp(names[i], name, length) == 0 && names[i][length] == 0) return true;
  return false;
}

const char* skip_slashes(const char* path) {
  for (;;) {
    while (*path == '/') ++path;
    if (path[0] == '.' && path[1] == '/')
      path += 2;
    else
      return path;
  }
}

bool may_concern_absolute(const char* path) {
  const char* name = skip_slashes(path);
  const size_t length = strcspn(name, "/");
  if (is_one_of(first_components, std::size(first_components), name, length)) return true;
  return strstr(name, "/../") != nullptr || strncmp(name, "../", 3) == 0;
}

// The components of rules and of special files: a path relative to a folder can only be ours if it begins with one.
bool may_concern_relative(const char* path) {
  const char* name = skip_slashes(path);
  const size_t length = strcspn(name, "/");
  if (length == 2 && name[0] == '.' && name[1] == '.') return true;
  if (strchr(name, ':')) return true;
  static constexpr const char* names[] = {"dev",    "sys",     "run",  "proc",    "char",  "class",     "bus",
                                          "kernel", "devices", "pci",  "debug",   "dri",   "drm",       "udev",
                                          "data",   "module",  "i915", "drivers", "card0", "renderD128"};
  return is_one_of(names, std::size(names), name, length);
}

// What the tree must not be asked: a path of the working folder that cannot lead to us. -1 unknown, 0 no, 1 yes.
std::atomic<int> working_folder_matters{-1};

bool concerns(const char* path, size_t length) {
  if (length == 1) return true;
  const char* name = path + 1;
  return is_one_of(first_components, std::size(first_components), name, strcspn(name, "/")) ||
         (the_tree.length && begins(path, length, the_tree.root, the_tree.length));
}

// The folder that a relative path starts from, translated back; false: it cannot lead to us.
bool base_of(int folder, const char* path, bool writes, char* text, size_t* length) {
  if (folder == AT_FDCWD) {
    const int matters = working_folder_matters.load(std::memory_order_relaxed);
    const bool climbs = strncmp(skip_slashes(path), "..", 2) == 0;
    if (matters == 0 && !climbs) return false;
    const long got = raw(SYS_getcwd, text, long(PATH_MAX));
    if (got <= 1 || text[0] != '/') return false;
    *length = size_t(got - 1);
    const bool does = concerns(text, *length);
    working_folder_matters.store(does, std::memory_order_relaxed);
    if (!does && !climbs) return false;
    *length = translate_back(text, *length);
    return true;
  }
  if (!writes && !may_concern_relative(path)) return false;
  const long got = path_of(folder, text, PATH_MAX);
  if (got <= 0 || text[0] != '/') return false;
  *length = size_t(got);
  return true;
}

// Joins base and path into `out`, resolving "." and "..", until the result is below a rule's prefix: from there on the
// path stays as it is, because below the prefix ".." must follow the tree's own links. Returns whether it is ours, or
// -1 if the result is too long.
int join(const char* base, size_t base_length, const char* path, char* out, size_t* out_length) {
  size_t length = base_length == 1 ? 0 : base_length;
  memcpy(out, base, length);
  out[length] = 0;
  bool ours = length && is_replaced(out, length);
  const char* in = path;
  while (!ours && *in) {
    while (*in == '/') ++in;
    if (!*in) break;
    const size_t part = strcspn(in, "/");
    if (part == 2 && in[0] == '.' && in[1] == '.') {
      while (length && out[--length] != '/') {
      }
      out[length] = 0;
    } else if (!(part == 1 && in[0] == '.')) {
      if (length + part + 1 >= PATH_MAX) return -1;
      out[length++] = '/';
      memcpy(out + length, in, part);
      length += part;
      out[length] = 0;
      ours = is_replaced(out, length);
    }
    in += part;
  }
  if (ours) {
    const size_t rest = strlen(in);
    if (rest && *in != '/') out[length++] = '/';
    if (length + rest >= PATH_MAX) return -1;
    memcpy(out + length, in, rest + 1);
    length += rest;
  } else if (!length) {
    out[length++] = '/';
    out[length] = 0;
  }
  *out_length = length;
  return ours;
}

}  // namespace

const Tree& tree() {
  ensure_loaded();
  return the_tree;
}

const char* library_path() {
  ensure_loaded();
  return the_library;
}

bool is_replaced(const char* path, size_t length) {
  for (const Rule& rule : rules) {
    const size_t prefix = strlen(rule.prefix);
    if (begins(path, length, rule.prefix, prefix) && (!rule.whole || length == prefix || path[prefix] == '/'))
      return true;
  }
  return false;
}

bool is_above(const char* path, size_t length) {
  if (length == 1 && path[0] == '/') return true;
  for (const Rule& rule : rules) {
    if (strlen(rule.prefix) <= length || memcmp(path, rule.prefix, length) != 0) continue;
    if (rule.prefix[length] == '/') return true;
  }
  return false;
}

void resolve(Place& place, int folder, const char* path, bool writes) {
  place.in_tree = false;
  place.folder = folder;
  place.path = path;
  if (!path || !*path) return;
  const bool absolute = path[0] == '/';
  if (absolute && !may_concern_absolute(path)) return;
  if (!tree().length) return;

  char base[PATH_MAX + 1], joined[PATH_MAX + 1];
  size_t base_length = 1, length = 0;
  copy(base, sizeof base, "/");
  bool base_in_tree = false;
  if (!absolute) {
    if (!base_of(folder, path, writes, base, &base_length)) return;
    base_in_tree = is_replaced(base, base_length);
  }
  const int ours = join(base, base_length, path, joined, &length);
  if (ours < 0) return;
  if (!ours) {
    // A folder above a prefix that this machine does not have, such as /sys/bus/pci where there is no PCI.
    if (!is_above(joined, length) || is_there(joined)) {
      if (!absolute && base_in_tree) {  // out of the tree, back into the system
        memcpy(place.buffer, joined, length + 1);
        place.folder = AT_FDCWD;
        place.path = place.buffer;
      }
      return;
    }
  }
  if (the_tree.length + length > PATH_MAX) return;
  memcpy(place.buffer, the_tree.root, the_tree.length);
  memcpy(place.buffer + the_tree.length, joined, length + 1);
  place.in_tree = true;
  place.folder = AT_FDCWD;
  place.path = place.buffer;
}

Special special_of(const struct stat& status) {
  if (!tree().length || status.st_dev != the_tree.device) return Special::none;
  for (size_t i = 0; i < special_count; ++i)
    if (special_inode[i] && special_inode[i] == status.st_ino) return special_files[i].special;
  return Special::none;
}

int minor_of(Special special) { return special == Special::card ? 0 : special == Special::render ? 128 : -1; }

const char* node_path(int minor) { return minor ? "/dev/dri/renderD128" : "/dev/dri/card0"; }

int descriptor_named(const char* path) {
  if (!path) return -1;
  static constexpr const char* folders[] = {"/proc/self/fd/", "/dev/fd/", "/proc/thread-self/fd/"};
  for (const char* folder : folders) {
    const size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) continue;
    const char* digits = path + length;
    int fd = 0;
    if (!*digits) return -1;
    for (; *digits; ++digits) {
      if (*digits < '0' || *digits > '9' || fd > 100'000'000) return -1;
      fd = fd * 10 + (*digits - '0');
    }
    return fd;
  }
  return -1;
}

long path_of(int fd, char* text, size_t size, bool* in_tree) {
  if (fd < 0) return -1;
  char link[32];
  name_descriptor(fd, link);
  const long length = raw_readlinkat(AT_FDCWD, link, text, size - 1);
  if (length < 0) return -1;
  text[length] = 0;
  const size_t translated = translate_back(text, size_t(length));
  if (in_tree) *in_tree = translated != size_t(length);
  return long(translated);
}

size_t translate_back(char* path, size_t length) {
  const Tree& t = tree();
  if (!t.length || !begins(path, length, t.root, t.length)) return length;
  if (length == t.length) {
    path[0] = '/';
    path[1] = 0;
    return 1;
  }
  if (path[t.length] != '/') return length;
  memmove(path, path + t.length, length - t.length);
  path[length - t.length] = 0;
  return length - t.length;
}

void forget_working_folder() { working_folder_matters.store(-1, std::memory_order_relaxed); }

}  // namespace vitro::preload
