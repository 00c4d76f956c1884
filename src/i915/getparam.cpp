// GETPARAM and REG_READ. Source: i915_getparam.c, i915_ioctl.c of Linux 6.1; the values are facts of the platform.
#include <cerrno>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {

int getparam(Call& call, drm_i915_getparam& g) {
  for (const gen::PlatformParam& p : call.platform().params) {
    if (p.param != g.param) continue;
    if (p.value < 0) return p.value;
    return raw::put(reinterpret_cast<uint64_t>(g.value), p.value);
  }
  return -EINVAL;
}

int reg_read(Call& call, drm_i915_reg_read& r) {
  constexpr uint64_t render_timestamp = 0x2358;
  // Bit 0 asks for two reads of half the register; ours is read whole either way.
  if ((r.offset & ~uint64_t(I915_REG_READ_8B_WA)) != render_timestamp) return -EINVAL;
  r.val = call.kernel.gpu(std::string(call.platform().device))->timestamp();
  return 0;
}

}  // namespace vitro::i915
