// Memory as one host thread sees it while it runs a batch: a table, the range that was used last, and a count of what
// missed. Not shared between host threads, so nothing here locks. PRM: "Memory Views"; i915's scratch page.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "memory/address_space.h"

namespace vitro::memory {

enum class Access : uint8_t { read, write };

// Accesses to addresses behind which there is nothing.
struct Misses {
  uint64_t reads = 0, writes = 0;
  std::optional<uint64_t> first{};

  Misses& operator+=(const Misses& m) {
    reads += m.reads, writes += m.writes;
    if (!first) first = m.first;
    return *this;
  }
};

class View {
 public:
  explicit View(std::shared_ptr<const Table> table, bool strict = false) : table_(std::move(table)), strict_(strict) {}

  // Contiguous host memory for the whole span, or nullptr: unmapped, split between ranges, or read-only and to be
  // written. Does not count a miss: fall back on read() or write(), which do.
  std::byte* at(uint64_t address, uint64_t bytes, Access access) {
    address = from_canonical(address);
    if (address - last_.start >= last_.bytes && !seek(address)) return nullptr;
    if (bytes > last_.bytes - (address - last_.start) || (access == Access::write && last_.read_only)) return nullptr;
    return last_.host + (address - last_.start);
  }
  // Any range; what is unmapped reads as zero.
  void read(uint64_t address, std::span<std::byte> to);
  void write(uint64_t address, std::span<const std::byte> from);

  // Other host threads may watch a word that is stored here, or store one that is watched here: a dword or qword that
  // is aligned goes whole, and who sees it sees what was written before it.
  template <class T>
  T load(uint64_t address) {
    T v{};
    if (std::byte* p = at(address, sizeof v, Access::read))
      get(p, v);
    else
      read(address, std::as_writable_bytes(std::span(&v, 1)));
    return v;
  }
  template <class T>
  void store(uint64_t address, const T& v) {
    if (std::byte* p = at(address, sizeof v, Access::write))
      put(p, v);
    else
      write(address, std::as_bytes(std::span(&v, 1)));
  }

  const Misses& misses() const { return misses_; }
  Misses take_misses() { return std::exchange(misses_, {}); }
  // In strict mode a miss is a Fault: whoever runs the batch asks after each message and each command.
  bool must_fault() const { return strict_ && misses_.first; }
  const std::shared_ptr<const Table>& table() const { return table_; }
  bool strict() const { return strict_; }

 private:
  struct Window {
    uint64_t start = 1, bytes = 0;
    std::byte* host = nullptr;
    bool read_only = false;
  };
  template <class T>
  static constexpr bool is_word = std::is_integral_v<T> && sizeof(T) >= 4;
  template <class T>
  static void get(std::byte* p, T& v) {
    if constexpr (is_word<T>)
      if (reinterpret_cast<uintptr_t>(p) % sizeof v == 0) {
        v = std::atomic_ref(*reinterpret_cast<T*>(p)).load(std::memory_order_acquire);
        return;
      }
    std::memcpy(&v, p, sizeof v);
  }
  template <class T>
  static void put(std::byte* p, const T& v) {
    if constexpr (is_word<T>)
      if (reinterpret_cast<uintptr_t>(p) % sizeof v == 0)
        return std::atomic_ref(*reinterpret_cast<T*>(p)).store(v, std::memory_order_release);
    std::memcpy(p, &v, sizeof v);
  }
  bool seek(uint64_t address);
  void miss(uint64_t address, Access access);

  std::shared_ptr<const Table> table_;
  Window last_{};
  Misses misses_{};
  bool strict_ = false;
};

}  // namespace vitro::memory
