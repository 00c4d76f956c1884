// Folders and files that nobody but this user, and root, can have put there or can change: what is read from them may
// be run. PRM: none. Every folder on the way is looked at through its descriptor, so nothing can be exchanged between
// the look and the use. Access lists need no look of their own: what they allow to others shows in the group's bits.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include "base/result.h"

namespace vitro::code {

// An open file or folder, or none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& d) noexcept : fd_(d.release()) {}
  Descriptor& operator=(Descriptor&& d) noexcept {
    const int fd = d.release();
    reset();
    fd_ = fd;
    return *this;
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  bool reset() { return fd_ < 0 || close(release()) == 0; }

 private:
  int fd_ = -1;
};

// The folder of this name, or none if there is none. It must belong to this user or to root and be writable by its
// owner alone, and must not be a link. So must the folders above it, but links of this user or of root are followed
// there, and others may write to folders like /tmp, where the sticky bit keeps them from touching what is not theirs.
// With `make`, folders that are missing are made, for this user alone.
Result<Descriptor> open_private_folder(const std::string& path, bool make);

// A file of such a folder, to be read; none if there is none. It must be a regular file, not a link, and the same holds
// for its owner and mode. Does not wait, whatever is there instead.
Result<Descriptor> open_private_file(const Descriptor& folder, const std::string& name);

// What the system says of an error, for people.
std::string system_words(int error);

}  // namespace vitro::code
