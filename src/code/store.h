// Machine code of kernels, kept on disk, so that the second start of a program compiles nothing. One file for each
// kernel, found by a hash of its key and valid only if it holds that very key. PRM: none. Files appear whole or not at
// all, by renaming; several processes, also of several builds, may use one folder; a damaged file counts as none and is
// written again. What is found gets executed, so it is taken only from files and folders that nobody else could have
// written (private_folder.h). Whatever goes wrong with files, the store behaves as if it were empty, and says so once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitro::code {

class Descriptor;

class Store {
 public:
  using Report = std::function<void(std::string_view)>;
  // An empty folder's name: nothing is kept. `limit` bytes of files are kept, those least recently used go first.
  // `report` gets a line for people when code cannot be kept or must not be taken, the first time that happens.
  explicit Store(std::string folder, Report report = {}, uint64_t limit = uint64_t(256) << 20)
      : folder_(std::move(folder)), report_(std::move(report)), limit_(limit) {}
  // The same in a forked child, which does not say again what the parent said.
  Store(const Store& parent)
      : folder_(parent.folder_),
        report_(parent.report_),
        limit_(parent.limit_),
        has_complained_(parent.has_complained_.load()) {}
  Store& operator=(const Store&) = delete;

  bool is_on() const { return !folder_.empty(); }
  std::optional<std::vector<std::byte>> find(std::string_view key) const;
  void keep(std::string_view key, std::span<const std::byte> bytes);

 private:
  void tidy(const Descriptor& folder) const;
  void complain(std::string_view what, std::string_view why) const;

  std::string folder_;
  Report report_;
  uint64_t limit_;
  unsigned kept_ = 0;  // since the folder was looked through
  mutable std::atomic<bool> has_complained_{false};
};

// Where code is kept unless somebody says otherwise: $VITRO_CACHE_DIR, else vitro in $XDG_CACHE_HOME or in ~/.cache.
// Empty if there is no such place.
std::string default_store_folder();

}  // namespace vitro::code
