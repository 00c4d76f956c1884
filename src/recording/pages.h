// Memory by physical addresses, as a recording fills it: sparse, in pages of 4 KB. Where pages lie side by side in the
// recording's addresses they do so in host memory, but for borders every 64 MiB, so that address spaces made of them
// have few ranges. PRM: "Memory Views", physical addresses.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "base/result.h"
#include "memory/address_space.h"

namespace vitro::recording {

class Pages {
 public:
  static constexpr uint64_t chunk_bytes = uint64_t{64} << 20;
  static constexpr size_t most_chunks = 8192;

  explicit Pages(uint64_t byte_limit) : page_limit_(byte_limit / memory::page_bytes) {}

  Result<void> write(uint64_t address, std::span<const std::byte> bytes);
  // What was never written reads as zero.
  void read(uint64_t address, std::span<std::byte> to) const;
  // Host memory of the page that holds the address, whether it was written or not; nullptr: there are too many.
  std::byte* page(uint64_t address);
  // The same, and nullptr if nothing in its neighbourhood was ever written.
  const std::byte* find(uint64_t address) const;

  // From now on a change of this page shows in `watched_changed`.
  void watch(uint64_t address);
  bool watched_changed = false;

  // Calls `visit` with the first address, the size and the host memory of each run of pages that were written.
  template <class F>
  void for_each_run(F&& visit) const;

 private:
  static constexpr size_t chunk_pages = chunk_bytes / memory::page_bytes;
  struct Chunk {
    std::byte* bytes = nullptr;
    std::bitset<chunk_pages> written{}, watched{};
    Chunk() = default;
    ~Chunk();
    Chunk(const Chunk&) = delete;
    Chunk& operator=(const Chunk&) = delete;
  };
  Chunk* chunk(uint64_t address);

  uint64_t page_limit_, pages_ = 0;
  std::map<uint64_t, Chunk> chunks_;  // by address / chunk_bytes
  uint64_t last_number_ = UINT64_MAX;
  Chunk* last_ = nullptr;
};

template <class F>
void Pages::for_each_run(F&& visit) const {
  for (const auto& [number, c] : chunks_)
    for (size_t first = 0; first < chunk_pages; ++first) {
      if (!c.written[first]) continue;
      size_t end = first + 1;
      while (end < chunk_pages && c.written[end]) ++end;
      visit(number * chunk_bytes + first * memory::page_bytes, (end - first) * memory::page_bytes,
            c.bytes + first * memory::page_bytes);
      first = end;
    }
}

}  // namespace vitro::recording
