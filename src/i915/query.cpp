// QUERY: topology, engines, perf configurations, memory regions. One row per item. Source: i915_query.c of Linux 6.1.
// No OA configurations are known: observation needs the perf interface, which refuses (perf.cpp).
#include <sys/sysinfo.h>

#include <cerrno>
#include <cstring>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

using Item = drm_i915_query_item;
using Answer = int (*)(Call&, const Item&);

// The item's length 0 asks for the size; a buffer that is too small is an error. The kernel compares without a sign: a
// negative length is large.
template <class Header>
int open_answer(const Item& item, uint64_t needed, Header& header) {
  if (item.length == 0) return int(needed);
  if (uint32_t(item.length) < needed) return -EINVAL;
  return raw::get(header, item.data_ptr) < 0 ? -EFAULT : 0;
}

int topology(Call& call, const Item& item) {
  const std::span<const uint8_t> answer = call.platform().topology;
  if (item.flags != 0) return -EINVAL;
  if (answer.empty()) return -ENODEV;
  drm_i915_query_topology_info header{};
  if (const int n = open_answer(item, answer.size(), header); n != 0) return n;
  if (header.flags != 0) return -EINVAL;
  return raw::copy_out(item.data_ptr, answer.data(), answer.size()) < 0 ? -EFAULT : int(answer.size());
}

int engines(Call& call, const Item& item) {
  if (item.flags != 0) return -EINVAL;
  const auto all = call.platform().engines;
  const uint64_t needed = sizeof(drm_i915_query_engine_info) + all.size() * sizeof(drm_i915_engine_info);
  drm_i915_query_engine_info header{};
  if (const int n = open_answer(item, needed, header); n != 0) return n;
  if (header.num_engines || header.rsvd[0] || header.rsvd[1] || header.rsvd[2]) return -EINVAL;
  uint64_t at = item.data_ptr + sizeof header;
  for (const gen::PlatformEngine& e : all) {
    drm_i915_engine_info info{};
    info.engine = {e.engine_class, e.instance};
    info.flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
    info.capabilities = e.capabilities;
    if (raw::put(at, info) < 0) return -EFAULT;
    at += sizeof info;
  }
  header.num_engines = uint32_t(all.size());
  return raw::put(item.data_ptr, header) < 0 ? -EFAULT : int(needed);
}

int perf_config(Call& call, const Item& item) {
  if (!call.platform().has_perf) return -ENODEV;
  if (item.flags != DRM_I915_QUERY_PERF_CONFIG_LIST)
    return item.flags == DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID ||
                   item.flags == DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID
               ? -ENOENT
               : -EINVAL;
  constexpr uint64_t needed = sizeof(drm_i915_query_perf_config);
  drm_i915_query_perf_config header{};
  if (const int n = open_answer(item, needed, header); n != 0) return n;
  if (header.flags != 0) return -EINVAL;
  header.n_configs = 0;
  return raw::put(item.data_ptr, header) < 0 ? -EFAULT : int(needed);
}

int memory_regions(Call&, const Item& item) {
  if (item.flags != 0) return -EINVAL;
  constexpr uint64_t needed = sizeof(drm_i915_query_memory_regions) + sizeof(drm_i915_memory_region_info);
  drm_i915_query_memory_regions header{};
  if (const int n = open_answer(item, needed, header); n != 0) return n;
  if (header.num_regions || header.rsvd[0] || header.rsvd[1] || header.rsvd[2]) return -EINVAL;
  struct sysinfo host {};
  sysinfo(&host);
  drm_i915_memory_region_info region{};
  region.region = {I915_MEMORY_CLASS_SYSTEM, 0};
  region.probed_size = region.unallocated_size = uint64_t(host.totalram) * host.mem_unit;
  if (raw::put(item.data_ptr + sizeof header, region) < 0) return -EFAULT;
  header.num_regions = 1;
  return raw::put(item.data_ptr, header) < 0 ? -EFAULT : int(needed);
}

int not_here(Call&, const Item&) { return -ENODEV; }

// By item number, from 1: topology, engines, perf configurations, memory regions, hwconfig, geometry subslices.
constexpr Answer answers[] = {topology, engines, perf_config, memory_regions, not_here, not_here};

}  // namespace

int query(Call& call, drm_i915_query& q) {
  if (q.flags != 0) return -EINVAL;
  for (uint32_t n = 0; n < q.num_items; ++n) {
    const uint64_t at = q.items_ptr + n * sizeof(Item);
    Item item{};
    if (raw::get(item, at) < 0) return -EFAULT;
    if (item.query_id == 0) return -EINVAL;
    const int32_t length = item.query_id <= std::size(answers) ? answers[item.query_id - 1](call, item) : -EINVAL;
    if (length != item.length && raw::put(at + offsetof(Item, length), length) < 0) return -EFAULT;
  }
  return 0;
}

}  // namespace vitro::i915
