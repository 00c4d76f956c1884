// Walking page tables; see page_tables.h. A recording may say anything: tables that lead back to themselves end at the
// limits of tables and pages.
#include "recording/page_tables.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace vitro::recording {
namespace {

using memory::page_bytes;

constexpr unsigned entries = 512, index_bits = 9;
constexpr uint64_t present = 1, writable = 2, large_page = 1 << 7, intermediate_pages = 1 << 11;
constexpr uint64_t address_mask = 0x0000FFFFFFFFF000;
constexpr uint64_t large_page_bytes = uint64_t{2} << 20;
constexpr unsigned intermediate_entries = 16;  // that stand for one page of 64 KB

class Walk {
 public:
  explicit Walk(std::shared_ptr<Pages> physical) : physical_(std::move(physical)) {}

  Result<void> table(uint64_t table, unsigned level, uint64_t start, bool intermediate = false) {
    if (++tables_ > PageTables::most_tables)
      return failure(fmt::format("page tables at {:#x}: more than {}", table, PageTables::most_tables));
    table &= address_mask;
    const std::byte* const bytes = physical_->find(table);
    physical_->watch(table);
    if (!bytes) return {};
    const uint64_t step = page_bytes << (index_bits * (level - 1));
    for (unsigned n = 0; n < entries; ++n) {
      uint64_t entry;
      std::memcpy(&entry, bytes + 8 * (intermediate ? n / intermediate_entries * intermediate_entries : n), 8);
      if (!(entry & present)) continue;
      const uint64_t at = start + n * step;
      Result<void> done;
      if (level == 1)
        done = page(at, (entry & address_mask) + (intermediate ? n % intermediate_entries * page_bytes : 0),
                    !(entry & writable));
      else if (level == 2 && (entry & large_page))
        done = pages(at, entry & address_mask & ~(large_page_bytes - 1), large_page_bytes, !(entry & writable));
      else
        done = this->table(entry, level - 1, at, level == 2 && (entry & intermediate_pages));
      if (!done) return done;
    }
    return {};
  }

  Result<void> page(uint64_t start, uint64_t address, bool read_only) {
    if (++pages_ > PageTables::most_pages)
      return failure(fmt::format("page tables: more than {} pages are mapped", PageTables::most_pages));
    std::byte* const host = physical_->page(address);
    if (!host) return failure(fmt::format("page tables: physical address {:#x} is too far from the others", address));
    if (!ranges_.empty()) {
      memory::Range& last = ranges_.back();
      if (last.end() == start && last.host + last.bytes == host && last.read_only == read_only) {
        last.bytes += page_bytes;
        return {};
      }
    }
    ranges_.push_back({start, page_bytes, host, read_only, physical_});
    return {};
  }

  std::shared_ptr<const memory::Table> take() { return std::make_shared<memory::Table>(std::move(ranges_)); }

 private:
  Result<void> pages(uint64_t start, uint64_t address, uint64_t bytes, bool read_only) {
    Result<void> done;
    for (uint64_t at = 0; done && at < bytes; at += page_bytes) done = page(start + at, address + at, read_only);
    return done;
  }

  std::shared_ptr<Pages> physical_;
  std::vector<memory::Range> ranges_{};
  uint64_t tables_ = 0, pages_ = 0;
};

}  // namespace

Result<std::shared_ptr<const memory::Table>> PageTables::ppgtt(const Root& root) {
  if (physical_->watched_changed) {
    spaces_.clear();
    physical_->watched_changed = false;
  }
  std::shared_ptr<const memory::Table>& space = spaces_[root];
  if (space) return space;
  Walk walk(physical_);
  constexpr unsigned pml4_level = 4, directory_level = 2;
  Result<void> done;
  if (root.four_levels)
    done = walk.table(root.pdp[0], pml4_level, 0);
  else
    for (unsigned n = 0; done && n < root.pdp.size(); ++n)
      if (root.pdp[n]) done = walk.table(root.pdp[n], directory_level, uint64_t{n} << 30);
  if (!done) return failure(done.error().message);
  return space = walk.take();
}

Result<void> PageTables::write_ggtt_entries(uint64_t address, std::span<const std::byte> bytes) {
  if (address > ggtt_pages * ggtt_entry_bytes || bytes.size() > ggtt_pages * ggtt_entry_bytes - address)
    return failure(
        fmt::format("GGTT entries at {:#x}: the table has {} MiB", address, (ggtt_pages * ggtt_entry_bytes) >> 20));
  ggtt_ = nullptr;
  return ggtt_entries_->write(address, bytes);
}

std::optional<uint64_t> PageTables::ggtt_address(uint64_t address) const {
  if (address / page_bytes >= ggtt_pages) return std::nullopt;
  uint64_t entry = 0;
  ggtt_entries_->read(address / page_bytes * ggtt_entry_bytes, std::as_writable_bytes(std::span(&entry, 1)));
  if (!(entry & present)) return std::nullopt;
  return (entry & address_mask) + address % page_bytes;
}

Result<std::shared_ptr<const memory::Table>> PageTables::ggtt() {
  if (ggtt_) return ggtt_;
  Walk walk(physical_);
  Result<void> done;
  ggtt_entries_->for_each_run([&](uint64_t start, uint64_t bytes, const std::byte* host) {
    for (uint64_t at = 0; done && at < bytes; at += ggtt_entry_bytes) {
      uint64_t entry;
      std::memcpy(&entry, host + at, sizeof entry);
      if (entry & present) done = walk.page((start + at) / ggtt_entry_bytes * page_bytes, entry & address_mask, false);
    }
  });
  if (!done) return failure(done.error().message);
  return ggtt_ = walk.take();
}

}  // namespace vitro::recording
