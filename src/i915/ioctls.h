// The handlers of ioctls, one per row of the table in ioctl_table.cpp. A handler gets the argument as the drm core
// copies it, zero-extended to the kernel's size, and returns 0 or a negative errno; the argument is copied back.
// Source: the ioctl tables of Linux drm_ioctl.c and i915_driver.c.
#pragma once

#include <libdrm/i915_drm.h>

#include "i915/state.h"

namespace vitro::i915 {

// drm core
int get_version(Call&, drm_version&);
int get_unique(Call&, drm_unique&);
int get_client(Call&, drm_client&);
int get_cap(Call&, drm_get_cap&);
int set_client_cap(Call&, drm_set_client_cap&);
int set_version(Call&, drm_set_version&);
int get_magic(Call&, drm_auth&);
int auth_magic(Call&, drm_auth&);
int set_master(Call&);
int drop_master(Call&);
int gem_close(Call&, drm_gem_close&);
int gem_flink(Call&, drm_gem_flink&);
int gem_open(Call&, drm_gem_open&);
int prime_handle_to_fd(Call&, drm_prime_handle&);
int prime_fd_to_handle(Call&, drm_prime_handle&);
int create_dumb(Call&, drm_mode_create_dumb&);
int map_dumb(Call&, drm_mode_map_dumb&);
int destroy_dumb(Call&, drm_mode_destroy_dumb&);

int syncobj_create(Call&, drm_syncobj_create&);
int syncobj_destroy(Call&, drm_syncobj_destroy&);
int syncobj_handle_to_fd(Call&, drm_syncobj_handle&);
int syncobj_fd_to_handle(Call&, drm_syncobj_handle&);
int syncobj_transfer(Call&, drm_syncobj_transfer&);
int syncobj_wait(Call&, drm_syncobj_wait&);
int syncobj_timeline_wait(Call&, drm_syncobj_timeline_wait&);
int syncobj_reset(Call&, drm_syncobj_array&);
int syncobj_signal(Call&, drm_syncobj_array&);
int syncobj_timeline_signal(Call&, drm_syncobj_timeline_array&);
int syncobj_query(Call&, drm_syncobj_timeline_array&);

// i915
int getparam(Call&, drm_i915_getparam&);
int reg_read(Call&, drm_i915_reg_read&);
int query(Call&, drm_i915_query&);
int get_reset_stats(Call&, drm_i915_reset_stats&);
int perf_open(Call&, drm_i915_perf_open_param&);
int perf_add_config(Call&, drm_i915_perf_oa_config&);
int perf_remove_config(Call&, uint64_t&);

int gem_create(Call&, drm_i915_gem_create&);
int gem_create_ext(Call&, drm_i915_gem_create_ext&);
int gem_userptr(Call&, drm_i915_gem_userptr&);
int gem_pread(Call&, drm_i915_gem_pread&);
int gem_pwrite(Call&, drm_i915_gem_pwrite&);
int gem_mmap(Call&, drm_i915_gem_mmap&);
int gem_mmap_offset(Call&, drm_i915_gem_mmap_offset&);
int gem_set_domain(Call&, drm_i915_gem_set_domain&);
int gem_sw_finish(Call&, drm_i915_gem_sw_finish&);
int gem_busy(Call&, drm_i915_gem_busy&);
int gem_wait(Call&, drm_i915_gem_wait&);
int gem_throttle(Call&);
int gem_set_tiling(Call&, drm_i915_gem_set_tiling&);
int gem_get_tiling(Call&, drm_i915_gem_get_tiling&);
int gem_set_caching(Call&, drm_i915_gem_caching&);
int gem_get_caching(Call&, drm_i915_gem_caching&);
int gem_madvise(Call&, drm_i915_gem_madvise&);
int gem_get_aperture(Call&, drm_i915_gem_get_aperture&);

int context_create(Call&, drm_i915_gem_context_create_ext&);
int context_destroy(Call&, drm_i915_gem_context_destroy&);
int context_getparam(Call&, drm_i915_gem_context_param&);
int context_setparam(Call&, drm_i915_gem_context_param&);
int vm_create(Call&, drm_i915_gem_vm_control&);
int vm_destroy(Call&, drm_i915_gem_vm_control&);
int execbuffer2(Call&, drm_i915_gem_execbuffer2&);

// On other descriptors.
int device_ioctl(Call&, unsigned long request, void* argument);
int dma_buf_ioctl(KernelState&, const std::shared_ptr<Arena>&, int fd, unsigned long request, void* argument);
// nullopt: no sync_file request, or no sync_file.
std::optional<int> sync_file_ioctl(KernelState&, int fd, unsigned long request, void* argument);

int set_context_param(Call&, ContextRecord&, const drm_i915_gem_context_param&);
// References to VMs. Both need the lock.
void put_vm(File& file, uint32_t vm);
int new_vm_handle(Arena& arena, uint32_t vm, uint32_t& handle);

// i915_user_extensions(): calls `handle(name, address)` along the chain.
int walk_extensions(uint64_t first, const std::function<int(uint32_t name, uint64_t address)>& handle);

}  // namespace vitro::i915
