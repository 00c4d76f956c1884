// For tests: entries of the URB as a fixed function of Gen6 hands them out. PRM: Gen6 vol 2 part 1 3DSTATE_URB.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/result.h"
#include "shared/urb.h"

namespace vitro::shared {

// The entries of one fixed function: all of one size, one after the other (3DSTATE_URB_*).
struct UrbPool {
  uint32_t first = 0, stride = 0;  // in handles
  std::vector<bool> taken{};

  std::optional<uint16_t> allocate();
  // False if no entry of the pool with this handle is out.
  bool free(uint16_t handle);
};

// Makes the entries known to the URB, which from then on keeps accesses inside them.
inline Result<UrbPool> make_pool(Urb& urb, uint32_t start_bytes, uint32_t entry_bytes, uint32_t count) {
  const uint32_t unit = urb.layout.handle_dw * 4u;
  if (start_bytes % unit || entry_bytes % unit || entry_bytes == 0)
    return failure(fmt::format("URB entries start and end at multiples of {} bytes", unit));
  if (start_bytes + uint64_t(entry_bytes) * count > urb.bytes())
    return failure(fmt::format("{} URB entries of {} bytes from byte {} do not fit into {} bytes", count, entry_bytes,
                               start_bytes, urb.bytes()));
  UrbPool pool{start_bytes / unit, entry_bytes / unit, std::vector<bool>(count)};
  for (uint32_t n = 0; n < count; ++n) urb.entry_dw[pool.first + n * pool.stride] = entry_bytes / 4;
  return pool;
}

inline std::optional<uint16_t> UrbPool::allocate() {
  const auto at = std::find(taken.begin(), taken.end(), false);
  if (at == taken.end()) return {};
  *at = true;
  return uint16_t(first + uint32_t(at - taken.begin()) * stride);
}

inline bool UrbPool::free(uint16_t handle) {
  if (handle < first || (handle - first) % stride) return false;
  const size_t n = (handle - first) / stride;
  if (n >= taken.size() || !taken[n]) return false;
  taken[n] = false;
  return true;
}

}  // namespace vitro::shared
