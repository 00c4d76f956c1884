// Requests of the drm core that tell about the driver: version, bus id, capabilities. Source: drm_ioctl.c of Linux 6.1.
// Who is master and authenticated: clients.cpp.
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr int driver_major = 1, driver_minor = 6, interface_major = 1, interface_minor = 4;
constexpr std::string_view bus_id = "pci:0000:00:02.0";

// The length is always that of the whole text; what fits is copied.
int copy_field(char* to, __kernel_size_t& length, std::string_view text) {
  const size_t fits = std::min<size_t>(length, text.size());
  length = text.size();
  return to == nullptr ? 0 : raw::copy_out(reinterpret_cast<uint64_t>(to), text.data(), fits);
}

struct Cap {
  uint64_t capability, value;
};
constexpr Cap caps[] = {
    {DRM_CAP_DUMB_BUFFER, 1},
    {DRM_CAP_VBLANK_HIGH_CRTC, 0},
    {DRM_CAP_DUMB_PREFERRED_DEPTH, 24},
    {DRM_CAP_DUMB_PREFER_SHADOW, 1},
    {DRM_CAP_PRIME, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT},
    {DRM_CAP_TIMESTAMP_MONOTONIC, 1},
    {DRM_CAP_ASYNC_PAGE_FLIP, 0},
    {DRM_CAP_CURSOR_WIDTH, 256},
    {DRM_CAP_CURSOR_HEIGHT, 256},
    {DRM_CAP_ADDFB2_MODIFIERS, 1},
    {DRM_CAP_PAGE_FLIP_TARGET, 0},
    {DRM_CAP_CRTC_IN_VBLANK_EVENT, 1},
    {DRM_CAP_SYNCOBJ, 1},
    {DRM_CAP_SYNCOBJ_TIMELINE, 1},
};

}  // namespace

int get_version(Call&, drm_version& v) {
  v.version_major = driver_major;
  v.version_minor = driver_minor;
  v.version_patchlevel = 0;
  int error = copy_field(v.name, v.name_len, "i915");
  if (!error) error = copy_field(v.date, v.date_len, "20201103");
  if (!error) error = copy_field(v.desc, v.desc_len, "Intel Graphics");
  return error;
}

int get_unique(Call& call, drm_unique& u) {
  const std::string_view id = call.head().has_unique ? bus_id : std::string_view{};
  if (u.unique_len >= id.size() && raw::copy_out(reinterpret_cast<uint64_t>(u.unique), id.data(), id.size()) < 0)
    return -EFAULT;
  u.unique_len = id.size();
  return 0;
}

int set_version(Call& call, drm_set_version& v) {
  int result = 0;
  if (v.drm_di_major != -1) {
    if (v.drm_di_major != interface_major || v.drm_di_minor < 0 || v.drm_di_minor > interface_minor)
      result = -EINVAL;
    else if (v.drm_di_minor >= 1)
      call.head().has_unique = true;
  }
  if (result == 0 && v.drm_dd_major != -1 &&
      (v.drm_dd_major != driver_major || v.drm_dd_minor < 0 || v.drm_dd_minor > driver_minor))
    result = -EINVAL;
  v = {interface_major, interface_minor, driver_major, driver_minor};
  return result;
}

int get_client(Call& call, drm_client& c) {
  if (c.idx != 0) return -EINVAL;
  c.auth = call.head().authenticated;
  c.pid = static_cast<unsigned long>(raw::getpid());
  c.uid = static_cast<unsigned long>(raw::call(SYS_getuid));
  c.magic = c.iocs = 0;
  return 0;
}

int get_cap(Call&, drm_get_cap& c) {
  for (const Cap& known : caps) {
    if (known.capability != c.capability) continue;
    c.value = known.value;
    return 0;
  }
  return -EINVAL;
}

int set_client_cap(Call&, drm_set_client_cap&) { return -EOPNOTSUPP; }

}  // namespace vitro::i915
