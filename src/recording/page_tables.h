// From page tables in physical memory to an address space. PRM: "Memory Views": the 48-bit PPGTT of Gen8 and Gen9 (four
// levels of 512 entries), its 32-bit form (four page directories), and the entries of the GGTT. Caching and access
// rights but "read only" are not modelled.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "memory/address_space.h"
#include "recording/pages.h"

namespace vitro::recording {

// What a context image says of its PPGTT.
struct Root {
  std::array<uint64_t, 4> pdp{};  // the first is the PML4 where there are four levels
  bool four_levels = true;
  auto operator<=>(const Root&) const = default;
};

// Address spaces over a physical memory, each made once while its tables stay as they are.
class PageTables {
 public:
  static constexpr uint64_t most_pages = uint64_t{4} << 20, most_tables = uint64_t{64} << 10;
  static constexpr uint64_t ggtt_entry_bytes = 8, ggtt_pages = uint64_t{1} << 20;

  explicit PageTables(std::shared_ptr<Pages> physical, uint64_t byte_limit)
      : physical_(std::move(physical)), ggtt_entries_(std::make_shared<Pages>(byte_limit)) {}

  Result<std::shared_ptr<const memory::Table>> ppgtt(const Root& root);
  Result<std::shared_ptr<const memory::Table>> ggtt();
  // By the address of an entry in the table of the GGTT.
  Result<void> write_ggtt_entries(uint64_t address, std::span<const std::byte> bytes);
  // The physical address behind one in the GGTT; nullopt: none.
  std::optional<uint64_t> ggtt_address(uint64_t address) const;

 private:
  std::shared_ptr<Pages> physical_, ggtt_entries_;
  std::map<Root, std::shared_ptr<const memory::Table>> spaces_{};
  std::shared_ptr<const memory::Table> ggtt_{};
};

}  // namespace vitro::recording
