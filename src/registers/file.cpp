// Storage of the registers and the search in their tables. PRM: Gen8 vol 2c. Registers of other engines' windows have
// their rows there too, so that a clock reads the same wherever it is read; their other values are this file's own.
#include "registers/file.h"

#include <algorithm>

namespace vitro::registers {

Found find(const Table& table, uint32_t mmio) {
  const auto matches = [&](const Register& r, uint32_t start) { return mmio >= start && mmio < start + 4u * r.dwords; };
  for (const std::span<const Register>& part : table.parts)
    for (const Register& r : part) {
      if (!r.per_engine) {
        if (matches(r, r.offset)) return {&r, (mmio - r.offset) / 4};
        continue;
      }
      for (const uint32_t base : engine_bases)
        if (matches(r, base + r.offset)) return {&r, (mmio - base - r.offset) / 4};
    }
  return {};
}

File::File(const Table& table, uint32_t engine_base) : base_(engine_base) {
  for (const std::span<const Register>& part : table.parts)
    for (const Register& r : part)
      if (r.reset) set(r.offset + (r.per_engine ? base_ : 0), r.reset);
}

uint32_t File::get(uint32_t mmio) const {
  const uint32_t at = mmio - base_;
  if (at < 4 * window_.size()) return window_[at / 4];
  const auto found = rest_.find(mmio);
  return found == rest_.end() ? 0 : found->second;
}

void File::set(uint32_t mmio, uint32_t value) {
  const uint32_t at = mmio - base_;
  if (at < 4 * window_.size())
    window_[at / 4] = value;
  else
    rest_[mmio] = value;
}

uint32_t merged(const Register& r, uint32_t old, uint32_t value, uint32_t bits) {
  if (r.access == Access::read_only) return old;
  if (r.access == Access::masked) {
    const uint32_t chosen = (value & bits) >> 16;
    return (old & ~chosen & 0xFFFF) | (value & chosen);
  }
  return (old & ~bits) | (value & bits);
}

}  // namespace vitro::registers
