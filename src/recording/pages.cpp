// Chunks of host memory behind physical addresses; see pages.h. A chunk is reserved whole, and the host provides its
// pages as they are touched.
#include "recording/pages.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace vitro::recording {

Pages::Chunk::~Chunk() {
  if (bytes) munmap(bytes, chunk_bytes);
}

Pages::Chunk* Pages::chunk(uint64_t address) {
  const uint64_t number = address / chunk_bytes;
  if (number == last_number_) return last_;
  auto at = chunks_.find(number);
  if (at == chunks_.end()) {
    if (chunks_.size() == most_chunks) return nullptr;
    void* const bytes =
        mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) return nullptr;
    at = chunks_.try_emplace(number).first;
    at->second.bytes = static_cast<std::byte*>(bytes);
  }
  last_number_ = number;
  return last_ = &at->second;
}

Result<void> Pages::write(uint64_t address, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    Chunk* const c = chunk(address);
    if (!c) return failure(fmt::format("memory at {:#x} and elsewhere: addresses are scattered too widely", address));
    const uint64_t inside = address % chunk_bytes;
    const size_t page = inside / memory::page_bytes;
    const size_t n = std::min<size_t>(bytes.size(), memory::page_bytes - address % memory::page_bytes);
    if (!c->written[page]) {
      if (pages_ == page_limit_) return failure(fmt::format("more than {} MiB of memory", page_limit_ >> 8));
      ++pages_;
      c->written[page] = true;
    }
    if (c->watched[page] && std::memcmp(c->bytes + inside, bytes.data(), n) != 0) watched_changed = true;
    std::memcpy(c->bytes + inside, bytes.data(), n);
    bytes = bytes.subspan(n), address += n;
  }
  return {};
}

const std::byte* Pages::find(uint64_t address) const {
  const auto at = chunks_.find(address / chunk_bytes);
  if (at == chunks_.end()) return nullptr;
  return at->second.bytes + address % chunk_bytes / memory::page_bytes * memory::page_bytes;
}

std::byte* Pages::page(uint64_t address) {
  Chunk* const c = chunk(address);
  return c ? c->bytes + address % chunk_bytes / memory::page_bytes * memory::page_bytes : nullptr;
}

void Pages::read(uint64_t address, std::span<std::byte> to) const {
  while (!to.empty()) {
    const uint64_t inside = address % memory::page_bytes;
    const size_t n = std::min<size_t>(to.size(), memory::page_bytes - inside);
    if (const std::byte* const p = find(address))
      std::memcpy(to.data(), p + inside, n);
    else
      std::memset(to.data(), 0, n);
    to = to.subspan(n), address += n;
  }
}

void Pages::watch(uint64_t address) {
  if (Chunk* const c = chunk(address)) c->watched[address % chunk_bytes / memory::page_bytes] = true;
}

}  // namespace vitro::recording
