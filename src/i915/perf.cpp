// The perf interface, as an unprivileged process finds it: properties are checked, then access is refused. Source:
// i915_perf.c of Linux 6.1. Observation of counters over time is not modelled; batches read reports themselves.
#include <cerrno>

#include "i915/ioctls.h"

namespace vitro::i915 {
namespace {

constexpr int not_supported = -524;  // the kernel's ENOTSUPP, which is not in errno.h

}  // namespace

int perf_open(Call& call, drm_i915_perf_open_param& p) {
  if (!call.platform().has_perf) return not_supported;
  constexpr uint32_t known = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED;
  if (p.flags & ~known) return -EINVAL;
  if (p.num_properties == 0) return -EINVAL;
  return -EACCES;
}

int perf_add_config(Call& call, drm_i915_perf_oa_config& c) {
  if (!call.platform().has_perf) return not_supported;
  const bool has_registers = (c.mux_regs_ptr && c.n_mux_regs) || (c.boolean_regs_ptr && c.n_boolean_regs) ||
                             (c.flex_regs_ptr && c.n_flex_regs);
  return has_registers ? -EACCES : -EINVAL;
}

int perf_remove_config(Call& call, uint64_t&) { return call.platform().has_perf ? -ENOENT : not_supported; }

}  // namespace vitro::i915
