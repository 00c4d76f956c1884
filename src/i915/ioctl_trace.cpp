// What the requests to device nodes, dma-bufs and sync files are called and which of their fields tell something:
// a row per request, a column per field. Names and structures: drm.h, drm_mode.h, i915_drm.h, dma-buf.h, sync_file.h of
// Linux 6.1. Lists behind pointers (objects, relocations, extensions) are not followed.
#include "i915/ioctl_trace.h"

#include <fmt/format.h>
#include <libdrm/i915_drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

namespace vitro::i915 {
namespace {

enum class Form : uint8_t { decimal, hex };

struct Field {
  std::string_view name{};
  uint16_t offset = 0, bytes = 0;
  Form form = Form::decimal;
};

struct Row {
  unsigned type = 0, number = 0;
  std::string_view name{};
  std::array<Field, 6> fields{};
};

#define NUMBER(T, f) \
  Field { #f, uint16_t(offsetof(T, f)), uint16_t(sizeof(T::f)), Form::decimal }
#define HEX(T, f) \
  Field { #f, uint16_t(offsetof(T, f)), uint16_t(sizeof(T::f)), Form::hex }
#define DRM(name, ...)                                     \
  Row {                                                    \
    'd', _IOC_NR(DRM_IOCTL_##name), #name, { __VA_ARGS__ } \
  }
#define OTHER(request, name, ...)                               \
  Row {                                                         \
    _IOC_TYPE(request), _IOC_NR(request), name, { __VA_ARGS__ } \
  }

constexpr Row rows[] = {
    DRM(VERSION, NUMBER(drm_version, version_major), NUMBER(drm_version, version_minor)),
    DRM(GET_UNIQUE, NUMBER(drm_unique, unique_len)),
    DRM(GET_MAGIC, NUMBER(drm_auth, magic)),
    DRM(GET_CLIENT, NUMBER(drm_client, idx)),
    DRM(GET_STATS),
    DRM(SET_VERSION, NUMBER(drm_set_version, drm_di_major), NUMBER(drm_set_version, drm_di_minor)),
    DRM(GEM_CLOSE, NUMBER(drm_gem_close, handle)),
    DRM(GEM_FLINK, NUMBER(drm_gem_flink, handle), NUMBER(drm_gem_flink, name)),
    DRM(GEM_OPEN, NUMBER(drm_gem_open, name), NUMBER(drm_gem_open, handle), HEX(drm_gem_open, size)),
    DRM(GET_CAP, HEX(drm_get_cap, capability), NUMBER(drm_get_cap, value)),
    DRM(SET_CLIENT_CAP, NUMBER(drm_set_client_cap, capability), NUMBER(drm_set_client_cap, value)),
    DRM(AUTH_MAGIC, NUMBER(drm_auth, magic)),
    DRM(SET_MASTER),
    DRM(DROP_MASTER),
    DRM(PRIME_HANDLE_TO_FD, NUMBER(drm_prime_handle, handle), HEX(drm_prime_handle, flags),
        NUMBER(drm_prime_handle, fd)),
    DRM(PRIME_FD_TO_HANDLE, NUMBER(drm_prime_handle, fd), NUMBER(drm_prime_handle, handle)),
    DRM(MODE_CREATE_DUMB, NUMBER(drm_mode_create_dumb, width), NUMBER(drm_mode_create_dumb, height),
        NUMBER(drm_mode_create_dumb, bpp), NUMBER(drm_mode_create_dumb, handle), NUMBER(drm_mode_create_dumb, pitch),
        HEX(drm_mode_create_dumb, size)),
    DRM(MODE_MAP_DUMB, NUMBER(drm_mode_map_dumb, handle), HEX(drm_mode_map_dumb, offset)),
    DRM(MODE_DESTROY_DUMB, NUMBER(drm_mode_destroy_dumb, handle)),
    DRM(SYNCOBJ_CREATE, HEX(drm_syncobj_create, flags), NUMBER(drm_syncobj_create, handle)),
    DRM(SYNCOBJ_DESTROY, NUMBER(drm_syncobj_destroy, handle)),
    DRM(SYNCOBJ_HANDLE_TO_FD, NUMBER(drm_syncobj_handle, handle), HEX(drm_syncobj_handle, flags),
        NUMBER(drm_syncobj_handle, fd)),
    DRM(SYNCOBJ_FD_TO_HANDLE, NUMBER(drm_syncobj_handle, fd), HEX(drm_syncobj_handle, flags),
        NUMBER(drm_syncobj_handle, handle)),
    DRM(SYNCOBJ_WAIT, NUMBER(drm_syncobj_wait, count_handles), NUMBER(drm_syncobj_wait, timeout_nsec),
        HEX(drm_syncobj_wait, flags), NUMBER(drm_syncobj_wait, first_signaled)),
    DRM(SYNCOBJ_RESET, NUMBER(drm_syncobj_array, count_handles)),
    DRM(SYNCOBJ_SIGNAL, NUMBER(drm_syncobj_array, count_handles)),
    DRM(SYNCOBJ_TIMELINE_WAIT, NUMBER(drm_syncobj_timeline_wait, count_handles),
        NUMBER(drm_syncobj_timeline_wait, timeout_nsec), HEX(drm_syncobj_timeline_wait, flags),
        NUMBER(drm_syncobj_timeline_wait, first_signaled)),
    DRM(SYNCOBJ_QUERY, NUMBER(drm_syncobj_timeline_array, count_handles), HEX(drm_syncobj_timeline_array, flags)),
    DRM(SYNCOBJ_TRANSFER, NUMBER(drm_syncobj_transfer, src_handle), NUMBER(drm_syncobj_transfer, src_point),
        NUMBER(drm_syncobj_transfer, dst_handle), NUMBER(drm_syncobj_transfer, dst_point),
        HEX(drm_syncobj_transfer, flags)),
    DRM(SYNCOBJ_TIMELINE_SIGNAL, NUMBER(drm_syncobj_timeline_array, count_handles)),

    DRM(I915_GETPARAM, NUMBER(drm_i915_getparam, param)),
    DRM(I915_GEM_BUSY, NUMBER(drm_i915_gem_busy, handle), HEX(drm_i915_gem_busy, busy)),
    DRM(I915_GEM_THROTTLE),
    DRM(I915_GEM_CREATE, HEX(drm_i915_gem_create, size), NUMBER(drm_i915_gem_create, handle)),
    DRM(I915_GEM_CREATE_EXT, HEX(drm_i915_gem_create_ext, size), HEX(drm_i915_gem_create_ext, flags),
        NUMBER(drm_i915_gem_create_ext, handle)),
    DRM(I915_GEM_PREAD, NUMBER(drm_i915_gem_pread, handle), HEX(drm_i915_gem_pread, offset),
        HEX(drm_i915_gem_pread, size)),
    DRM(I915_GEM_PWRITE, NUMBER(drm_i915_gem_pwrite, handle), HEX(drm_i915_gem_pwrite, offset),
        HEX(drm_i915_gem_pwrite, size)),
    DRM(I915_GEM_MMAP, NUMBER(drm_i915_gem_mmap, handle), HEX(drm_i915_gem_mmap, offset), HEX(drm_i915_gem_mmap, size),
        HEX(drm_i915_gem_mmap, flags), HEX(drm_i915_gem_mmap, addr_ptr)),
    DRM(I915_GEM_MMAP_OFFSET, NUMBER(drm_i915_gem_mmap_offset, handle), NUMBER(drm_i915_gem_mmap_offset, flags),
        HEX(drm_i915_gem_mmap_offset, offset)),
    DRM(I915_GEM_SET_DOMAIN, NUMBER(drm_i915_gem_set_domain, handle), HEX(drm_i915_gem_set_domain, read_domains),
        HEX(drm_i915_gem_set_domain, write_domain)),
    DRM(I915_GEM_SW_FINISH, NUMBER(drm_i915_gem_sw_finish, handle)),
    DRM(I915_GEM_SET_TILING, NUMBER(drm_i915_gem_set_tiling, handle), NUMBER(drm_i915_gem_set_tiling, tiling_mode),
        NUMBER(drm_i915_gem_set_tiling, stride)),
    DRM(I915_GEM_GET_TILING, NUMBER(drm_i915_gem_get_tiling, handle), NUMBER(drm_i915_gem_get_tiling, tiling_mode)),
    DRM(I915_GEM_GET_APERTURE, HEX(drm_i915_gem_get_aperture, aper_size)),
    DRM(I915_GEM_MADVISE, NUMBER(drm_i915_gem_madvise, handle), NUMBER(drm_i915_gem_madvise, madv),
        NUMBER(drm_i915_gem_madvise, retained)),
    DRM(I915_GEM_EXECBUFFER2, NUMBER(drm_i915_gem_execbuffer2, buffer_count),
        HEX(drm_i915_gem_execbuffer2, batch_start_offset), HEX(drm_i915_gem_execbuffer2, batch_len),
        HEX(drm_i915_gem_execbuffer2, flags), Field{"context", offsetof(drm_i915_gem_execbuffer2, rsvd1), 8},
        Field{"fences", offsetof(drm_i915_gem_execbuffer2, rsvd2), 8, Form::hex}),
    DRM(I915_GEM_WAIT, NUMBER(drm_i915_gem_wait, bo_handle), NUMBER(drm_i915_gem_wait, timeout_ns)),
    DRM(I915_GEM_CONTEXT_CREATE, NUMBER(drm_i915_gem_context_create_ext, ctx_id),
        HEX(drm_i915_gem_context_create_ext, flags)),
    DRM(I915_GEM_CONTEXT_DESTROY, NUMBER(drm_i915_gem_context_destroy, ctx_id)),
    DRM(I915_GEM_CONTEXT_GETPARAM, NUMBER(drm_i915_gem_context_param, ctx_id), HEX(drm_i915_gem_context_param, param),
        NUMBER(drm_i915_gem_context_param, size), HEX(drm_i915_gem_context_param, value)),
    DRM(I915_GEM_CONTEXT_SETPARAM, NUMBER(drm_i915_gem_context_param, ctx_id), HEX(drm_i915_gem_context_param, param),
        NUMBER(drm_i915_gem_context_param, size), HEX(drm_i915_gem_context_param, value)),
    DRM(I915_GEM_SET_CACHING, NUMBER(drm_i915_gem_caching, handle), NUMBER(drm_i915_gem_caching, caching)),
    DRM(I915_GEM_GET_CACHING, NUMBER(drm_i915_gem_caching, handle), NUMBER(drm_i915_gem_caching, caching)),
    DRM(I915_REG_READ, HEX(drm_i915_reg_read, offset), HEX(drm_i915_reg_read, val)),
    DRM(I915_GET_RESET_STATS, NUMBER(drm_i915_reset_stats, ctx_id), NUMBER(drm_i915_reset_stats, reset_count),
        NUMBER(drm_i915_reset_stats, batch_active), NUMBER(drm_i915_reset_stats, batch_pending)),
    DRM(I915_GEM_USERPTR, HEX(drm_i915_gem_userptr, user_ptr), HEX(drm_i915_gem_userptr, user_size),
        HEX(drm_i915_gem_userptr, flags), NUMBER(drm_i915_gem_userptr, handle)),
    DRM(I915_PERF_OPEN, HEX(drm_i915_perf_open_param, flags), NUMBER(drm_i915_perf_open_param, num_properties)),
    DRM(I915_PERF_ADD_CONFIG),
    DRM(I915_PERF_REMOVE_CONFIG),
    DRM(I915_QUERY, NUMBER(drm_i915_query, num_items), HEX(drm_i915_query, flags)),
    DRM(I915_GEM_VM_CREATE, NUMBER(drm_i915_gem_vm_control, vm_id)),
    DRM(I915_GEM_VM_DESTROY, NUMBER(drm_i915_gem_vm_control, vm_id)),

    OTHER(DMA_BUF_IOCTL_SYNC, "DMA_BUF_SYNC"),
    OTHER(DMA_BUF_SET_NAME, "DMA_BUF_SET_NAME"),
    OTHER(DMA_BUF_IOCTL_EXPORT_SYNC_FILE, "DMA_BUF_EXPORT_SYNC_FILE"),
    OTHER(DMA_BUF_IOCTL_IMPORT_SYNC_FILE, "DMA_BUF_IMPORT_SYNC_FILE"),
    OTHER(SYNC_IOC_MERGE, "SYNC_MERGE"),
    OTHER(SYNC_IOC_FILE_INFO, "SYNC_FILE_INFO"),
};

const Row* find_row(unsigned long request) {
  for (const Row& r : rows)
    if (r.type == _IOC_TYPE(request) && r.number == _IOC_NR(request)) return &r;
  return nullptr;
}

void append_field(std::string& out, const Field& f, const std::byte* argument) {
  uint64_t value = 0;
  std::memcpy(&value, argument + f.offset, f.bytes);
  // Descriptors and times may be negative.
  const int64_t number = f.bytes == 4 ? int64_t(int32_t(uint32_t(value))) : int64_t(value);
  out += f.form == Form::hex ? fmt::format(" {}={:#x}", f.name, value) : fmt::format(" {}={}", f.name, number);
}

}  // namespace

std::string describe_ioctl(int fd, unsigned long request, const std::byte* argument, int result) {
  const Row* const row = find_row(request);
  std::string text = row ? fmt::format("ioctl {} {}", fd, row->name)
                         : fmt::format("ioctl {} {:#x} (type '{}', number {:#x})", fd, request,
                                       char(_IOC_TYPE(request)), _IOC_NR(request));
  for (size_t i = 0; row && argument && i < std::size(row->fields) && row->fields[i].bytes; ++i)
    append_field(text, row->fields[i], argument);
  const char* const error = result < 0 ? strerrorname_np(-result) : nullptr;
  return text + (error ? fmt::format(": {}", error) : fmt::format(": {}", result));
}

}  // namespace vitro::i915
