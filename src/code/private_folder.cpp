// The way to a folder, one name after the other, and what is asked of each. PRM: none.
#include "code/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <climits>
#include <deque>
#include <string_view>
#include <system_error>

namespace vitro::code {
namespace {

constexpr int most_links = 40;  // as many as the kernel follows
constexpr mode_t others_write = S_IWGRP | S_IWOTH;

bool is_ours(const struct stat& s) { return s.st_uid == geteuid() || s.st_uid == 0; }

// Why it cannot be trusted; empty: it can.
std::string objection(const struct stat& s, bool may_be_sticky) {
  if (!is_ours(s)) return fmt::format("belongs to user {}", s.st_uid);
  const bool keeps_to_owners = may_be_sticky && (s.st_mode & S_ISVTX);
  // A link's bits mean nothing.
  if (!S_ISLNK(s.st_mode) && (s.st_mode & others_write) && !keeps_to_owners) return "can be written by other users";
  return {};
}

void put_names_first(std::deque<std::string>& names, std::string_view path) {
  while (!path.empty()) {
    const size_t slash = path.rfind('/');
    const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
    if (!name.empty() && name != ".") names.emplace_front(name);
    path = slash == path.npos ? std::string_view{} : path.substr(0, slash);
  }
}

class PathWalk {
 public:
  PathWalk(const std::string& path, bool make) : make_(make) { put_names_first(names_, path); }

  Result<Descriptor> go() {
    if (Result<bool> there = start(); !there) return failure(there.error().message);
    while (!names_.empty()) {
      const Result<bool> there = step();
      if (!there) return failure(there.error().message);
      if (!*there) return Descriptor();
    }
    return std::move(at_);
  }

 private:
  Result<bool> start() {
    at_ = Descriptor(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    path_.clear();
    struct stat s {};
    if (!at_ || fstat(at_.get(), &s) != 0) return failure(fmt::format("cannot open /: {}", system_words(errno)));
    if (const std::string why = objection(s, true); !why.empty()) return failure("/ " + why);
    return true;
  }

  // To the next name. False: there is none of that name.
  Result<bool> step() {
    const std::string name = std::move(names_.front());
    names_.pop_front();
    const bool is_last = names_.empty();
    const std::string path = fmt::format("{}/{}", path_, name);
    Descriptor next = open_next(name, is_last);
    if (!next && errno == ENOENT && make_) {
      if (mkdirat(at_.get(), name.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return failure(fmt::format("cannot make {}: {}", path, system_words(errno)));
      fchmodat(at_.get(), name.c_str(), S_IRWXU, 0);  // whatever the umask left
      next = open_next(name, is_last);
    }
    if (!next && errno == ENOENT) return false;
    struct stat s {};
    if (!next || fstat(next.get(), &s) != 0)
      return failure(fmt::format("cannot open {}: {}", path, system_words(errno)));
    if (const std::string why = objection(s, !is_last); !why.empty()) return failure(fmt::format("{} {}", path, why));
    if (S_ISLNK(s.st_mode)) return follow(next, path, is_last);
    if (!S_ISDIR(s.st_mode)) return failure(fmt::format("{} is not a folder", path));
    at_ = std::move(next), path_ = path;
    return true;
  }

  // The last one is opened to be listed, if it is a folder.
  Descriptor open_next(const std::string& name, bool is_last) const {
    constexpr int flags = O_NOFOLLOW | O_CLOEXEC;
    if (is_last) {
      const int fd = openat(at_.get(), name.c_str(), flags | O_RDONLY | O_DIRECTORY);
      if (fd >= 0 || errno == ENOENT || errno == EMFILE || errno == ENFILE) return Descriptor(fd);
    }
    return Descriptor(openat(at_.get(), name.c_str(), flags | O_PATH));
  }

  Result<bool> follow(const Descriptor& link, const std::string& path, bool is_last) {
    if (is_last) return failure(path + " is a symbolic link");
    char target[PATH_MAX];
    const ssize_t length = readlinkat(link.get(), "", target, sizeof target);
    if (length <= 0 || size_t(length) == sizeof target || ++links_ > most_links)
      return failure(path + " is a symbolic link that leads nowhere");
    put_names_first(names_, {target, size_t(length)});
    return target[0] == '/' ? start() : Result<bool>(true);
  }

  std::deque<std::string> names_;  // still to go
  bool make_;
  int links_ = 0;
  Descriptor at_;
  std::string path_;  // as people know it
};

}  // namespace

std::string system_words(int error) { return std::generic_category().message(error); }

Result<Descriptor> open_private_folder(const std::string& path, bool make) {
  if (path.empty() || path[0] != '/') return failure(fmt::format("{} is not an absolute path", path));
  return PathWalk(path, make).go();
}

Result<Descriptor> open_private_file(const Descriptor& folder, const std::string& name) {
  Descriptor file(openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file && errno == ENOENT) return file;
  if (!file && errno == ELOOP) return failure(name + " is a symbolic link");
  struct stat s {};
  if (!file || fstat(file.get(), &s) != 0) return failure(fmt::format("cannot open {}: {}", name, system_words(errno)));
  if (!S_ISREG(s.st_mode)) return failure(name + " is not a regular file");
  if (const std::string why = objection(s, false); !why.empty()) return failure(fmt::format("{} {}", name, why));
  return file;
}

}  // namespace vitro::code
