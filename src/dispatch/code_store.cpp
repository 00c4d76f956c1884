// Files of kept code: a head, the key, the bytes. PRM: none.
#include "dispatch/code_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace vitro::dispatch {
namespace {

constexpr std::string_view file_ending = ".code", unfinished_ending = ".new";
constexpr time_t unfinished_seconds = 3600;  // a process that writes for longer is gone
constexpr unsigned tidy_interval = 64;       // files

struct Head {
  char magic[8] = {'v', 'i', 't', 'r', 'o', 'j', 'i', 't'};
  uint64_t key_bytes = 0, bytes = 0;
  uint64_t sum = 0;  // of key and bytes
};

// FNV-1a.
uint64_t hash(std::string_view text, uint64_t h = 0xCBF29CE484222325) {
  for (char c : text) h = (h ^ uint8_t(c)) * 0x100000001B3;
  return h;
}
std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return fd_ >= 0; }

  bool read(void* to, size_t bytes) const {
    for (char* at = static_cast<char*>(to); bytes > 0;) {
      const ssize_t n = ::read(fd_, at, bytes);
      if (n <= 0) return false;
      at += n, bytes -= size_t(n);
    }
    return true;
  }
  bool write(const void* from, size_t bytes) const {
    for (const char* at = static_cast<const char*>(from); bytes > 0;) {
      const ssize_t n = ::write(fd_, at, bytes);
      if (n <= 0) return false;
      at += n, bytes -= size_t(n);
    }
    return true;
  }
  uint64_t size() const {
    struct stat s {};
    return fstat(fd_, &s) == 0 ? uint64_t(s.st_size) : 0;
  }
  void note_use() const { futimens(fd_, nullptr); }

 private:
  int fd_;
};

bool make_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  const size_t slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) return false;
  return make_folder(path.substr(0, slash)) && (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

std::string path_in(const std::string& folder, std::string_view key) {
  return fmt::format("{}/{:016x}{}", folder, hash(key), file_ending);
}

}  // namespace

std::optional<std::vector<std::byte>> CodeStore::find(std::string_view key) const {
  if (!is_on()) return std::nullopt;
  const File file(path_in(folder_, key), O_RDONLY);
  Head head;
  const Head expected;
  if (!file || !file.read(&head, sizeof head) || std::memcmp(head.magic, expected.magic, sizeof head.magic) != 0 ||
      head.key_bytes != key.size() || head.bytes > limit_ || file.size() != sizeof head + head.key_bytes + head.bytes)
    return std::nullopt;
  std::string own_key(key.size(), 0);
  std::vector<std::byte> bytes(head.bytes);
  if (!file.read(own_key.data(), own_key.size()) || own_key != key || !file.read(bytes.data(), bytes.size()))
    return std::nullopt;
  if (hash(text_of(bytes), hash(key)) != head.sum) return std::nullopt;
  file.note_use();
  return bytes;
}

void CodeStore::keep(std::string_view key, std::span<const std::byte> bytes) {
  if (!is_on() || bytes.size() > limit_ / 4 || !make_folder(folder_)) return;
  static std::atomic<unsigned> number{0};
  const std::string path = path_in(folder_, key),
                    unfinished = fmt::format("{}.{}.{}{}", path, getpid(), number++, unfinished_ending);
  Head head;
  head.key_bytes = key.size(), head.bytes = bytes.size(), head.sum = hash(text_of(bytes), hash(key));
  bool whole = false;
  {
    const File file(unfinished, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) return;
    whole =
        file.write(&head, sizeof head) && file.write(key.data(), key.size()) && file.write(bytes.data(), bytes.size());
  }
  if (!whole || rename(unfinished.c_str(), path.c_str()) != 0) unlink(unfinished.c_str());
  if (kept_++ % tidy_interval == 0) tidy();
}

// Removes the files least recently used until a quarter of the room is free, if there are too many, and what processes
// left behind that ended while they wrote.
void CodeStore::tidy() const {
  struct Entry {
    time_t used;
    uint64_t bytes;
    std::string path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  DIR* folder = opendir(folder_.c_str());
  if (!folder) return;
  while (const dirent* e = readdir(folder)) {
    const std::string_view name = e->d_name;
    const bool unfinished = name.ends_with(unfinished_ending);
    if (!unfinished && !name.ends_with(file_ending)) continue;
    std::string path = fmt::format("{}/{}", folder_, name);
    struct stat s {};
    if (stat(path.c_str(), &s) != 0) continue;
    if (!unfinished)
      entries.push_back({s.st_mtime, uint64_t(s.st_size), std::move(path)}), total += uint64_t(s.st_size);
    else if (s.st_mtime + unfinished_seconds < std::time(nullptr))
      unlink(path.c_str());
  }
  closedir(folder);
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& e : entries) {
    if (total <= limit_ / 4 * 3) break;
    if (unlink(e.path.c_str()) == 0) total -= e.bytes;
  }
}

std::string default_store_folder() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return text && text[0] == '/' ? std::string(text) : std::string();
  };
  if (const std::string own = value("VITRO_CACHE_DIR"); !own.empty()) return own;
  if (const std::string cache = value("XDG_CACHE_HOME"); !cache.empty()) return cache + "/vitro";
  const std::string home = value("HOME");
  return home.empty() ? home : home + "/.cache/vitro";
}

}  // namespace vitro::dispatch
