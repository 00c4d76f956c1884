// The ioctls of the device nodes: one row per request number, with the size of its argument, who may call it and the
// handler. Source: drm_ioctl.c and i915_driver.c of Linux 6.1. The display is fused off, as on a server part: requests
// of mode setting answer as i915 does then (EOPNOTSUPP).
#include <linux/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "device/trace.h"
#include "i915/ioctl_trace.h"
#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

using Handler = int (*)(Call&, void*);
// Each may do what stands before it too; what is not for everyone is for the card only.
enum class Who : uint8_t { everyone, card_only, authenticated, master };

struct Row {
  uint32_t number = 0, size = 0;
  Who who = Who::everyone;
  Handler handler = nullptr;
};

template <auto F>
struct Adapter;
template <class T, int (*F)(Call&, T&)>
struct Adapter<F> {
  static constexpr uint32_t size = sizeof(T);
  static int call(Call& c, void* argument) { return F(c, *static_cast<T*>(argument)); }
};
template <int (*F)(Call&)>
struct Adapter<F> {
  static constexpr uint32_t size = 0;
  static int call(Call& c, void*) { return F(c); }
};
template <auto F>
constexpr Row row(uint32_t number, Who who = Who::everyone) {
  return {number, Adapter<F>::size, who, Adapter<F>::call};
}
template <int Result>
int always(Call&, void*) {
  return Result;
}
template <int Result>
constexpr Row constant(uint32_t number, Who who = Who::card_only) {
  return {number, 0, who, always<Result>};
}
constexpr uint32_t i915(uint32_t number) { return DRM_COMMAND_BASE + number; }

constexpr uint32_t max_argument = 256;

constexpr Row rows[] = {
    row<get_version>(0x00),
    row<get_unique>(0x01, Who::card_only),
    row<get_magic>(0x02, Who::card_only),
    row<get_client>(0x05, Who::card_only),
    constant<0>(0x06),  // GET_STATS
    row<set_version>(0x07, Who::master),
    row<gem_close>(0x09),
    row<gem_flink>(0x0a, Who::authenticated),
    row<gem_open>(0x0b, Who::authenticated),
    row<get_cap>(0x0c),
    row<set_client_cap>(0x0d, Who::card_only),
    row<auth_magic>(0x11, Who::master),
    row<set_master>(0x1e, Who::card_only),
    row<drop_master>(0x1f, Who::card_only),
    row<prime_handle_to_fd>(0x2d),
    row<prime_fd_to_handle>(0x2e),
    constant<-EOPNOTSUPP>(0x3a),  // WAIT_VBLANK
    constant<-EOPNOTSUPP>(0x3b),  // CRTC_GET_SEQUENCE
    constant<-EOPNOTSUPP>(0x3c),  // CRTC_QUEUE_SEQUENCE

    // What user mode setting drivers once asked for.
    constant<0>(i915(DRM_I915_INIT)),
    constant<0>(i915(DRM_I915_FLUSH)),
    constant<0>(i915(DRM_I915_FLIP)),
    constant<0>(i915(DRM_I915_BATCHBUFFER)),
    constant<0>(i915(DRM_I915_IRQ_EMIT)),
    constant<0>(i915(DRM_I915_IRQ_WAIT)),
    row<getparam>(i915(DRM_I915_GETPARAM)),
    constant<0>(i915(DRM_I915_SETPARAM)),
    constant<0>(i915(DRM_I915_ALLOC)),
    constant<0>(i915(DRM_I915_FREE)),
    constant<0>(i915(DRM_I915_INIT_HEAP)),
    constant<0>(i915(DRM_I915_CMDBUFFER)),
    constant<0>(i915(DRM_I915_DESTROY_HEAP)),
    constant<0>(i915(DRM_I915_SET_VBLANK_PIPE)),
    constant<0>(i915(DRM_I915_GET_VBLANK_PIPE)),
    constant<0>(i915(DRM_I915_VBLANK_SWAP)),
    constant<0>(i915(DRM_I915_HWS_ADDR)),
    constant<0>(i915(DRM_I915_GEM_INIT)),
    constant<-EINVAL>(i915(DRM_I915_GEM_EXECBUFFER)),
    constant<-ENODEV>(i915(DRM_I915_GEM_PIN)),
    constant<-ENODEV>(i915(DRM_I915_GEM_UNPIN)),
    row<gem_busy>(i915(DRM_I915_GEM_BUSY)),
    row<gem_throttle>(i915(DRM_I915_GEM_THROTTLE)),
    constant<0>(i915(DRM_I915_GEM_ENTERVT)),
    constant<0>(i915(DRM_I915_GEM_LEAVEVT)),
    row<gem_create>(i915(DRM_I915_GEM_CREATE)),
    row<gem_pread>(i915(DRM_I915_GEM_PREAD)),
    row<gem_pwrite>(i915(DRM_I915_GEM_PWRITE)),
    row<gem_mmap>(i915(DRM_I915_GEM_MMAP)),
    row<gem_set_domain>(i915(DRM_I915_GEM_SET_DOMAIN)),
    row<gem_sw_finish>(i915(DRM_I915_GEM_SW_FINISH)),
    row<gem_set_tiling>(i915(DRM_I915_GEM_SET_TILING)),
    row<gem_get_tiling>(i915(DRM_I915_GEM_GET_TILING)),
    row<gem_get_aperture>(i915(DRM_I915_GEM_GET_APERTURE)),
    row<gem_mmap_offset>(i915(DRM_I915_GEM_MMAP_GTT)),
    constant<-EOPNOTSUPP>(i915(DRM_I915_GET_PIPE_FROM_CRTC_ID)),
    row<gem_madvise>(i915(DRM_I915_GEM_MADVISE)),
    constant<-ENODEV>(i915(DRM_I915_OVERLAY_PUT_IMAGE)),
    constant<-ENODEV>(i915(DRM_I915_OVERLAY_ATTRS)),
    row<execbuffer2>(i915(DRM_I915_GEM_EXECBUFFER2)),
    constant<0>(i915(DRM_I915_GET_SPRITE_COLORKEY)),
    constant<-EOPNOTSUPP>(i915(DRM_I915_SET_SPRITE_COLORKEY)),
    row<gem_wait>(i915(DRM_I915_GEM_WAIT)),
    row<context_create>(i915(DRM_I915_GEM_CONTEXT_CREATE)),
    row<context_destroy>(i915(DRM_I915_GEM_CONTEXT_DESTROY)),
    row<gem_set_caching>(i915(DRM_I915_GEM_SET_CACHING)),
    row<gem_get_caching>(i915(DRM_I915_GEM_GET_CACHING)),
    row<reg_read>(i915(DRM_I915_REG_READ)),
    row<get_reset_stats>(i915(DRM_I915_GET_RESET_STATS)),
    row<gem_userptr>(i915(DRM_I915_GEM_USERPTR)),
    row<context_getparam>(i915(DRM_I915_GEM_CONTEXT_GETPARAM)),
    row<context_setparam>(i915(DRM_I915_GEM_CONTEXT_SETPARAM)),
    row<perf_open>(i915(DRM_I915_PERF_OPEN)),
    row<perf_add_config>(i915(DRM_I915_PERF_ADD_CONFIG)),
    row<perf_remove_config>(i915(DRM_I915_PERF_REMOVE_CONFIG)),
    row<query>(i915(DRM_I915_QUERY)),
    row<vm_create>(i915(DRM_I915_GEM_VM_CREATE)),
    row<vm_destroy>(i915(DRM_I915_GEM_VM_DESTROY)),
    row<gem_create_ext>(i915(DRM_I915_GEM_CREATE_EXT)),

    row<create_dumb>(0xb2, Who::card_only),
    row<map_dumb>(0xb3, Who::card_only),
    row<destroy_dumb>(0xb4, Who::card_only),
    row<syncobj_create>(0xbf),
    row<syncobj_destroy>(0xc0),
    row<syncobj_handle_to_fd>(0xc1),
    row<syncobj_fd_to_handle>(0xc2),
    row<syncobj_wait>(0xc3),
    row<syncobj_reset>(0xc4),
    row<syncobj_signal>(0xc5),
    row<syncobj_timeline_wait>(0xca),
    row<syncobj_query>(0xcb),
    row<syncobj_transfer>(0xcc),
    row<syncobj_timeline_signal>(0xcd),
};

// Mode setting has the rest of its range, but for numbers that were never given to anything.
constexpr Row mode_setting = constant<-EOPNOTSUPP>(0xa0);

constexpr std::array<Row, 256> by_number = [] {
  std::array<Row, 256> table{};
  for (uint32_t n = 0xa0; n <= 0xd0; ++n) table[n] = mode_setting;
  for (const Row& r : rows) table[r.number] = r;
  return table;
}();

}  // namespace

namespace {

bool is_permitted(const Head& h, Who who) {
  if (who == Who::everyone) return true;
  if (h.minor >= uint32_t(render_minor)) return false;
  return who == Who::card_only || (who == Who::authenticated ? h.authenticated : h.is_master);
}

int handle(Call& call, unsigned long request, uint64_t user, std::byte* copy) {
  const Row& r = by_number[_IOC_NR(request)];
  if (r.handler == nullptr) return -EINVAL;
  const uint32_t size = _IOC_SIZE(request), direction = _IOC_DIR(request);
  const uint32_t in = direction & _IOC_WRITE ? std::min(size, max_argument) : 0;
  const uint32_t out = direction & _IOC_READ ? std::min(size, max_argument) : 0;
  if (raw::copy_in(copy, user, in) < 0) return -EFAULT;
  if (!is_permitted(call.head(), r.who)) return -EACCES;
  const int result = r.handler(call, copy);
  if (raw::copy_out(user, copy, out) < 0) return -EFAULT;
  return result;
}

}  // namespace

int device_ioctl(Call& call, unsigned long request, void* argument) {
  alignas(16) std::byte copy[max_argument] = {};
  const int result = handle(call, request, reinterpret_cast<uint64_t>(argument), copy);
  if (call.kernel.options.gpu.trace.ioctls) device::write_trace(describe_ioctl(call.fd, request, copy, result));
  return result;
}

int walk_extensions(uint64_t next, const std::function<int(uint32_t, uint64_t)>& handle) {
  for (int links = 0; next != 0; ++links) {
    if (links >= 512) return -E2BIG;
    i915_user_extension e{};
    if (raw::get(e, next) < 0) return -EFAULT;
    if (e.flags != 0) return -EINVAL;
    for (const uint32_t reserved : e.rsvd)
      if (reserved != 0) return -EINVAL;
    if (const int error = handle(e.name, next); error < 0) return error;
    next = e.next_extension;
  }
  return 0;
}

}  // namespace vitro::i915
