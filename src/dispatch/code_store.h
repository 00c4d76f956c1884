// Machine code of kernels, kept on disk, so that the second start of a program compiles nothing. One file for each
// kernel, found by a hash of its key and valid only if it holds that very key. PRM: none. Files appear whole or not at
// all, by renaming; several processes may use one folder; a damaged file counts as none and is written again. Whatever
// goes wrong with files, the store behaves as if it were empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitro::dispatch {

class CodeStore {
 public:
  // An empty folder's name: nothing is kept. `limit` bytes of files are kept, those least recently used go first.
  explicit CodeStore(std::string folder, uint64_t limit = uint64_t(256) << 20)
      : folder_(std::move(folder)), limit_(limit) {}

  bool is_on() const { return !folder_.empty(); }
  std::optional<std::vector<std::byte>> find(std::string_view key) const;
  void keep(std::string_view key, std::span<const std::byte> bytes);

 private:
  void tidy() const;

  std::string folder_;
  uint64_t limit_;
  unsigned kept_ = 0;  // since the folder was looked through
};

// Where code is kept unless somebody says otherwise: $VITRO_CACHE_DIR, else vitro in $XDG_CACHE_HOME or in ~/.cache.
// Empty if there is no such place.
std::string default_store_folder();

}  // namespace vitro::dispatch
