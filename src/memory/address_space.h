// What the GPU's virtual addresses mean: which host memory stands behind which range of a GGTT or a PPGTT.
// PRM: "Memory Views", 48-bit and 32-bit PPGTT, GGTT. Page tables are not modelled: a space is a sorted list of ranges,
// as the kernel binds whole objects, and translation gives host memory that is contiguous as far as the range goes. As
// under i915, an address that nothing is bound to reads as zero and drops what is written, and is counted.
// Binding makes a new Table; work that runs keeps the one it began with, and with it the memory behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace vitro::memory {

inline constexpr uint64_t page_bytes = 4096;
inline constexpr int ppgtt_bits = 48;

struct Range {
  uint64_t start = 0, bytes = 0;  // in the space, not sign extended
  std::byte* host = nullptr;
  bool read_only = false;
  std::shared_ptr<const void> owner{};  // what keeps the host memory

  uint64_t end() const { return start + bytes; }
};

// Never changes once made.
class Table {
 public:
  Table() = default;
  explicit Table(std::vector<Range> sorted) : ranges_(std::move(sorted)) {}
  // The range that holds the address; nullptr if none does.
  const Range* find(uint64_t address) const;
  std::span<const Range> ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

class AddressSpace {
 public:
  // Binds all of them at once; what they overlap is cut away. Addresses may be canonical.
  void bind(std::span<const Range> ranges);
  void unbind(uint64_t start, uint64_t bytes);
  std::shared_ptr<const Table> table() const;

 private:
  mutable std::mutex lock_;
  std::shared_ptr<const Table> table_ = std::make_shared<Table>();
};

constexpr uint64_t from_canonical(uint64_t address) { return address & ((uint64_t(1) << ppgtt_bits) - 1); }
constexpr uint64_t to_canonical(uint64_t address) {
  return uint64_t(int64_t(address << (64 - ppgtt_bits)) >> (64 - ppgtt_bits));
}

}  // namespace vitro::memory
