// Binding and translation of the GPU's address spaces. PRM: "Memory Views". A read takes the part before, in and after
// each mapped piece in turn, so an access may cross objects that happen to lie side by side.
#include "memory/address_space.h"

#include <algorithm>
#include <utility>

#include "memory/view.h"

namespace vitro::memory {

const Range* Table::find(uint64_t address) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address, [](uint64_t a, const Range& r) { return a < r.start; });
  if (after == ranges_.begin()) return nullptr;
  const Range& r = *std::prev(after);
  return address - r.start < r.bytes ? &r : nullptr;
}

namespace {

// `old` without what lies in [start, end).
void append_outside(std::vector<Range>& out, const Range& old, uint64_t start, uint64_t end) {
  if (old.end() <= start || old.start >= end) {
    out.push_back(old);
    return;
  }
  if (old.start < start) {
    Range head = old;
    head.bytes = start - old.start;
    out.push_back(std::move(head));
  }
  if (old.end() > end) {
    Range tail = old;
    tail.start = end, tail.bytes = old.end() - end, tail.host = old.host + (end - old.start);
    out.push_back(std::move(tail));
  }
}

std::vector<Range> without(std::span<const Range> ranges, uint64_t start, uint64_t end) {
  std::vector<Range> out;
  out.reserve(ranges.size() + 1);
  for (const Range& r : ranges) append_outside(out, r, start, end);
  return out;
}

}  // namespace

void AddressSpace::bind(std::span<const Range> added) {
  const std::lock_guard guard(lock_);
  std::vector<Range> ranges(table_->ranges().begin(), table_->ranges().end());
  for (Range r : added) {
    if (r.bytes == 0) continue;
    r.start = from_canonical(r.start);
    const auto at = std::lower_bound(ranges.begin(), ranges.end(), r.start,
                                     [](const Range& x, uint64_t start) { return x.start < start; });
    const bool free_before = at == ranges.begin() || std::prev(at)->end() <= r.start;
    const bool free_after = at == ranges.end() || at->start >= r.end();
    if (free_before && free_after) {
      ranges.insert(at, std::move(r));
    } else {
      ranges = without(ranges, r.start, r.end());
      ranges.insert(std::lower_bound(ranges.begin(), ranges.end(), r.start,
                                     [](const Range& x, uint64_t start) { return x.start < start; }),
                    std::move(r));
    }
  }
  table_ = std::make_shared<Table>(std::move(ranges));
}

void AddressSpace::unbind(uint64_t start, uint64_t bytes) {
  const std::lock_guard guard(lock_);
  start = from_canonical(start);
  table_ = std::make_shared<Table>(without(table_->ranges(), start, start + bytes));
}

std::shared_ptr<const Table> AddressSpace::table() const {
  const std::lock_guard guard(lock_);
  return table_;
}

bool View::seek(uint64_t address) {
  const Range* r = table_ ? table_->find(address) : nullptr;
  if (!r) return false;
  last_ = {r->start, r->bytes, r->host, r->read_only};
  return true;
}

void View::miss(uint64_t address, Access access) {
  ++(access == Access::read ? misses_.reads : misses_.writes);
  if (!misses_.first) misses_.first = address;
}

void View::read(uint64_t address, std::span<std::byte> to) {
  bool missed = false;
  while (!to.empty()) {
    address = from_canonical(address);
    // To the end of the page if nothing is here; else as far as the range goes.
    size_t n = std::min<size_t>(to.size(), page_bytes - address % page_bytes);
    if (const std::byte* p = at(address, 1, Access::read)) {
      n = size_t(std::min<uint64_t>(to.size(), last_.bytes - (address - last_.start)));
      std::memcpy(to.data(), p, n);
    } else {
      if (!std::exchange(missed, true)) miss(address, Access::read);
      std::memset(to.data(), 0, n);
    }
    to = to.subspan(n), address += n;
  }
}

void View::write(uint64_t address, std::span<const std::byte> from) {
  bool missed = false;
  while (!from.empty()) {
    address = from_canonical(address);
    size_t n = std::min<size_t>(from.size(), page_bytes - address % page_bytes);
    if (at(address, 1, Access::read)) {
      n = size_t(std::min<uint64_t>(from.size(), last_.bytes - (address - last_.start)));
      if (!last_.read_only) std::memcpy(last_.host + (address - last_.start), from.data(), n);  // else dropped
    } else if (!std::exchange(missed, true)) {
      miss(address, Access::write);
    }
    from = from.subspan(n), address += n;
  }
}

}  // namespace vitro::memory
