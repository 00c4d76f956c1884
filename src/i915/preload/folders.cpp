// Listing folders (opendir, readdir, scandir, glob). A folder of the tree is a real folder and lists itself; only the
// nodes in it must be shown as character devices. A folder of the system above the tree's names (/dev, /sys/class) is
// listed with the tree's names in place of the system's.
// Not interposed: nftw and fts of the C library, which list folders behind our back, and raw getdents.
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "i915/preload/interpose.h"
#include "i915/preload/paths.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

// A stream that needs care, kept beside the C library's own.
struct Stream {
  DIR* stream = nullptr;
  DIR* added = nullptr;  // the same folder of the tree, listed after the system's; null: the stream is of the tree
  bool at_added = false;
  char folder[PATH_MAX + 1];
  size_t length = 0;
  Stream* next = nullptr;
};

std::mutex mutex;
Stream* streams = nullptr;
std::atomic<size_t> stream_count{0};

Stream* find(DIR* stream) {
  if (stream_count.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(mutex);
  for (Stream* s = streams; s; s = s->next)
    if (s->stream == stream) return s;
  return nullptr;
}

DIR* next_fdopendir(int fd) { return NEXT_AS(fdopendir, DIR * (*)(int))(fd); }
dirent* next_readdir(DIR* stream) { return NEXT_AS(readdir, dirent * (*)(DIR*))(stream); }
int next_closedir(DIR* stream) { return NEXT_AS(closedir, int (*)(DIR*))(stream); }

// Notes a stream whose entries differ from what the system says.
DIR* adopt(DIR* stream) {
  if (!stream || !tree().length) return stream;
  const int saved = errno;
  char path[PATH_MAX + 1];
  bool in_tree = false;
  const long length = path_of(dirfd(stream), path, sizeof path, &in_tree);
  const bool nodes = in_tree && strcmp(path, "/dev/dri") == 0;
  const bool merged = length > 0 && !in_tree && is_above(path, size_t(length));
  if (!nodes && !merged) return errno = saved, stream;

  auto* s = new (std::nothrow) Stream;
  if (!s) return errno = saved, stream;
  s->stream = stream;
  s->length = length == 1 ? 0 : size_t(length);
  memcpy(s->folder, path, s->length);
  s->folder[s->length] = 0;
  if (merged) {
    char twin[PATH_MAX + 1];
    if (tree().length + s->length < sizeof twin) {
      memcpy(twin, tree().root, tree().length);
      memcpy(twin + tree().length, s->folder, s->length + 1);
      const int fd = raw_openat(AT_FDCWD, twin, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (fd >= 0) s->added = next_fdopendir(fd);
    }
    if (!s->added) {
      delete s;
      return errno = saved, stream;
    }
  }
  const std::lock_guard lock(mutex);
  s->next = streams;
  streams = s;
  stream_count.fetch_add(1, std::memory_order_release);
  errno = saved;
  return stream;
}

bool is_dots(const char* name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

// Whether the tree answers for this name in a merged folder: an entry of the system by this name is hidden.
bool is_ours(const Stream& s, const char* name) {
  char path[PATH_MAX + 256 + 2];
  memcpy(path, s.folder, s.length);
  path[s.length] = '/';
  strcpy(path + s.length + 1, name);
  return is_replaced(path, strlen(path));
}

// A name of the tree's twin folder that the system's folder has too: a folder above a rule's prefix.
bool is_system_too(const Stream& s, const char* name) {
  struct stat status;
  return raw_fstatat(dirfd(s.stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

dirent* read_merged(Stream& s) {
  while (!s.at_added) {
    dirent* entry = next_readdir(s.stream);
    if (!entry) {
      s.at_added = true;
      break;
    }
    if (!is_ours(s, entry->d_name)) return entry;
  }
  while (dirent* entry = next_readdir(s.added)) {
    if (is_dots(entry->d_name)) continue;
    if (is_ours(s, entry->d_name) || !is_system_too(s, entry->d_name)) return entry;
  }
  return nullptr;
}

dirent* read_entry(DIR* stream) {
  Stream* s = find(stream);
  if (!s) return next_readdir(stream);
  if (s->added) return read_merged(*s);
  dirent* entry = next_readdir(stream);
  if (entry && entry->d_type == DT_REG) entry->d_type = DT_CHR;
  return entry;
}

DIR* open_folder(int folder, const char* path) {
  Place place;
  resolve(place, folder, path);
  const int fd = int(settle(raw_openat(place.folder, place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)));
  if (fd < 0) return nullptr;
  DIR* stream = next_fdopendir(fd);
  if (!stream) raw_close(fd);
  return adopt(stream);
}

int close_folder(DIR* stream) {
  if (stream_count.load(std::memory_order_acquire)) {
    Stream* found = nullptr;
    {
      const std::lock_guard lock(mutex);
      for (Stream** link = &streams; *link; link = &(*link)->next) {
        if ((*link)->stream != stream) continue;
        found = *link;
        *link = found->next;
        stream_count.fetch_sub(1, std::memory_order_release);
        break;
      }
    }
    if (found && found->added) next_closedir(found->added);
    delete found;
  }
  return next_closedir(stream);
}

using Filter = int (*)(const dirent*);
using Compare = int (*)(const dirent**, const dirent**);

// The C library's scandir would list the system's folder, so this is one of our own.
int scan(int folder, const char* path, dirent*** list, Filter filter, Compare compare) {
  DIR* stream = open_folder(folder, path);
  if (!stream) return -1;
  const int saved = errno;
  dirent** entries = nullptr;
  size_t count = 0, space = 0;
  int error = 0;
  errno = 0;
  while (dirent* entry = read_entry(stream)) {
    if (filter && !filter(entry)) {
      errno = 0;
      continue;
    }
    if (count == space) {
      space = space ? space * 2 : 16;
      auto* grown = static_cast<dirent**>(realloc(entries, space * sizeof(dirent*)));
      if (!grown) {
        error = ENOMEM;
        break;
      }
      entries = grown;
    }
    auto* copy = static_cast<dirent*>(malloc(entry->d_reclen));
    if (!copy) {
      error = ENOMEM;
      break;
    }
    memcpy(copy, entry, entry->d_reclen);
    entries[count++] = copy;
    errno = 0;
  }
  if (!error) error = errno;
  close_folder(stream);
  if (error) {
    while (count) free(entries[--count]);
    free(entries);
    errno = error;
    return -1;
  }
  if (compare && count)
    qsort(entries, count, sizeof *entries, reinterpret_cast<int (*)(const void*, const void*)>(compare));
  *list = entries;
  errno = saved;
  return int(count);
}

}  // namespace

extern "C" {

DIR* vitro_opendir(const char* path) { return open_folder(AT_FDCWD, path); }
INTERPOSE(opendir, vitro_opendir);

DIR* vitro_fdopendir(int fd) { return adopt(next_fdopendir(fd)); }
INTERPOSE(fdopendir, vitro_fdopendir);

int vitro_closedir(DIR* stream) { return close_folder(stream); }
INTERPOSE(closedir, vitro_closedir);

dirent* vitro_readdir(DIR* stream) { return read_entry(stream); }
INTERPOSE(readdir, vitro_readdir);
INTERPOSE(readdir64, vitro_readdir);

int vitro_readdir_r(DIR* stream, dirent* entry, dirent** result) {
  const int saved = errno;
  errno = 0;
  dirent* found = read_entry(stream);
  const int error = errno;
  errno = saved;
  *result = nullptr;
  if (!found) return error;
  memcpy(entry, found, std::min<size_t>(found->d_reclen, sizeof *entry));
  *result = entry;
  return 0;
}
INTERPOSE(readdir_r, vitro_readdir_r);
INTERPOSE(readdir64_r, vitro_readdir_r);

void vitro_rewinddir(DIR* stream) {
  const auto next = NEXT_AS(rewinddir, void (*)(DIR*));
  if (Stream* s = find(stream); s && s->added) {
    s->at_added = false;
    next(s->added);
  }
  next(stream);
}
INTERPOSE(rewinddir, vitro_rewinddir);

int vitro_scandir(const char* path, dirent*** list, Filter filter, Compare compare) {
  return scan(AT_FDCWD, path, list, filter, compare);
}
INTERPOSE(scandir, vitro_scandir);
INTERPOSE(scandir64, vitro_scandir);

int vitro_scandirat(int folder, const char* path, dirent*** list, Filter filter, Compare compare) {
  return scan(folder, path, list, filter, compare);
}
INTERPOSE(scandirat, vitro_scandirat);
INTERPOSE(scandirat64, vitro_scandirat);

int vitro_stat(const char* path, struct stat* status);
int vitro_lstat(const char* path, struct stat* status);

// The C library's glob can be told which functions list folders.
int vitro_glob(const char* pattern, int flags, int (*on_error)(const char*, int), glob_t* result) {
  const auto next = NEXT_VERSION(glob, int (*)(const char*, int, int (*)(const char*, int), glob_t*), "GLIBC_2.27");
  if (!result || (flags & GLOB_ALTDIRFUNC)) return next(pattern, flags, on_error, result);
  glob_t ours = *result;
  ours.gl_opendir = [](const char* path) { return static_cast<void*>(vitro_opendir(path)); };
  ours.gl_readdir = [](void* stream) { return vitro_readdir(static_cast<DIR*>(stream)); };
  ours.gl_closedir = [](void* stream) { vitro_closedir(static_cast<DIR*>(stream)); };
  ours.gl_stat = vitro_stat;
  ours.gl_lstat = vitro_lstat;
  const int code = next(pattern, flags | GLOB_ALTDIRFUNC, on_error, &ours);
  result->gl_pathc = ours.gl_pathc;
  result->gl_pathv = ours.gl_pathv;
  result->gl_offs = ours.gl_offs;
  result->gl_flags = ours.gl_flags & ~GLOB_ALTDIRFUNC;
  return code;
}
INTERPOSE(glob, vitro_glob);
INTERPOSE(glob64, vitro_glob);

}  // extern "C"

}  // namespace vitro::preload
