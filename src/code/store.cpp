// Files of kept code: a head, the key, the bytes. PRM: none. The sum and the names of files are XXH3, 128 bits: it
// finds damage, and keeps nobody out, which is what owners and modes are for.
#include "code/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/quiet_writes.h"
#include "code/private_folder.h"

namespace vitro::code {
namespace {

constexpr std::string_view file_ending = ".code", unfinished_ending = ".new";
constexpr time_t unfinished_seconds = 3600;  // a process that writes for longer is gone
constexpr unsigned tidy_interval = 64;       // files

struct Head {
  char magic[8] = {'v', 'i', 't', 'r', 'o', 'j', 'i', '2'};
  XXH128_canonical_t sum{};  // of everything behind it
  uint64_t key_bytes = 0, bytes = 0;
};
static_assert(sizeof(Head) == 40);
constexpr size_t summed_from = offsetof(Head, key_bytes);

XXH128_canonical_t sum_of(std::string_view bytes) {
  XXH128_canonical_t sum;
  XXH128_canonicalFromHash(&sum, XXH3_128bits(bytes.data(), bytes.size()));
  return sum;
}

std::string name_of(std::string_view key) {
  std::string name;
  for (const unsigned char byte : sum_of(key).digest) name += fmt::format("{:02x}", byte);
  return name.append(file_ending);
}

// The whole file; a longer one than `limit` is none of ours.
std::optional<std::string> content_of(const Descriptor& file, uint64_t limit) {
  struct stat s {};
  if (fstat(file.get(), &s) != 0 || uint64_t(s.st_size) > limit) return std::nullopt;
  std::string content(size_t(s.st_size), 0);
  for (size_t done = 0; done < content.size();) {
    const ssize_t n = read(file.get(), content.data() + done, content.size() - done);
    if (n <= 0) return std::nullopt;
    done += size_t(n);
  }
  return content;
}

// 0 or the error.
int write_new(const Descriptor& folder, const std::string& name, std::string_view content) {
  Descriptor file(openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file || fchmod(file.get(), 0600) != 0) return errno;  // whatever the umask left
  const QuietWrites quiet;
  while (!content.empty()) {
    const ssize_t n = write(file.get(), content.data(), content.size());
    if (n < 0) return errno;
    content.remove_prefix(size_t(n));
  }
  return file.reset() ? 0 : errno;
}

}  // namespace

void Store::complain(std::string_view what, std::string_view why) const {
  if (report_ && !has_complained_.exchange(true)) report_(fmt::format("compiled code is not {}: {}", what, why));
}

std::optional<std::vector<std::byte>> Store::find(std::string_view key) const {
  if (!is_on()) return std::nullopt;
  const Result<Descriptor> folder = open_private_folder(folder_, false);
  if (!folder) complain("kept", folder.error().message);
  if (!folder || !*folder) return std::nullopt;
  const Result<Descriptor> file = open_private_file(*folder, name_of(key));
  if (!file) complain("taken", fmt::format("in {}, {}", folder_, file.error().message));
  if (!file || !*file) return std::nullopt;

  const std::optional<std::string> content = content_of(*file, sizeof(Head) + key.size() + limit_);
  if (!content || content->size() < sizeof(Head) + key.size()) return std::nullopt;
  Head head;
  std::memcpy(&head, content->data(), sizeof head);
  const std::string_view rest = std::string_view(*content).substr(sizeof head);
  const XXH128_canonical_t sum = sum_of(std::string_view(*content).substr(summed_from));
  if (std::memcmp(head.magic, Head{}.magic, sizeof head.magic) != 0 || std::memcmp(&head.sum, &sum, sizeof sum) != 0 ||
      head.key_bytes != key.size() || head.bytes != rest.size() - key.size() || !rest.starts_with(key))
    return std::nullopt;
  futimens(file->get(), nullptr);  // used just now
  const auto* bytes = reinterpret_cast<const std::byte*>(rest.data()) + key.size();
  return std::vector<std::byte>(bytes, bytes + head.bytes);
}

void Store::keep(std::string_view key, std::span<const std::byte> bytes) {
  if (!is_on() || bytes.size() > limit_ / 4) return;
  const Result<Descriptor> folder = open_private_folder(folder_, true);
  if (!folder || !*folder) return complain("kept", folder ? folder_ + " is gone" : folder.error().message);

  Head head;
  head.key_bytes = key.size(), head.bytes = bytes.size();
  std::string content(reinterpret_cast<const char*>(&head), sizeof head);
  content.append(key).append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  head.sum = sum_of(std::string_view(content).substr(summed_from));
  content.replace(0, sizeof head, reinterpret_cast<const char*>(&head), sizeof head);

  static std::atomic<unsigned> number{0};
  const std::string name = name_of(key),
                    unfinished = fmt::format("{}.{}.{}{}", name, getpid(), number++, unfinished_ending);
  int error = write_new(*folder, unfinished, content);
  if (!error && renameat(folder->get(), unfinished.c_str(), folder->get(), name.c_str()) != 0) error = errno;
  if (error) {
    if (error != EEXIST) unlinkat(folder->get(), unfinished.c_str(), 0);
    complain("kept", fmt::format("cannot write to {}: {}", folder_, system_words(error)));
  }
  if (kept_++ % tidy_interval == 0) tidy(*folder);
}

// Removes the files least recently used until a quarter of the room is free, if there are too many, and what processes
// left behind that ended while they wrote.
void Store::tidy(const Descriptor& folder) const {
  struct Entry {
    time_t used;
    uint64_t bytes;
    std::string name;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  Descriptor again(openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* list = again ? fdopendir(again.get()) : nullptr;
  if (!list) return;
  again.release();
  while (const dirent* e = readdir(list)) {
    const std::string_view name = e->d_name;
    const bool unfinished = name.ends_with(unfinished_ending);
    struct stat s {};
    if ((!unfinished && !name.ends_with(file_ending)) || fstatat(folder.get(), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!unfinished)
      entries.push_back({s.st_mtime, uint64_t(s.st_size), std::string(name)}), total += uint64_t(s.st_size);
    else if (s.st_mtime + unfinished_seconds < std::time(nullptr))
      unlinkat(folder.get(), e->d_name, 0);
  }
  closedir(list);
  if (total <= limit_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& e : entries) {
    if (total <= limit_ / 4 * 3) break;
    if (unlinkat(folder.get(), e.name.c_str(), 0) == 0) total -= e.bytes;
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

}  // namespace vitro::code
