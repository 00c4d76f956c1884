// Contexts and VMs: create, destroy, reset statistics. Source: gem/i915_gem_context.c of Linux 6.1. A context is first
// a proposal (its engines and VM can be chosen) and becomes final at its first use.
#include <linux/capability.h>

#include <cerrno>
#include <cstring>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr uint32_t client_ban_score = 9;

uint32_t new_vm(Arena& arena) {
  Head& h = arena.head();
  for (uint32_t i = 2; i < max_vms; ++i) {
    if (h.vms[i].refs != 0) continue;
    h.vms[i] = {1, arena.new_serial()};
    return i;
  }
  return 0;
}

}  // namespace

void put_vm(File& file, uint32_t index) {
  if (index == 0) return;
  VmRecord& vm = file.arena->head().vms[index];
  if (--vm.refs != 0) return;
  std::shared_ptr<Vm> last;
  const std::lock_guard guard(file.lock);
  const auto found = file.vms.find(vm.serial);
  if (found == file.vms.end()) return;
  last = std::move(found->second);
  file.vms.erase(found);
}

int new_vm_handle(Arena& arena, uint32_t vm, uint32_t& handle) {
  Head& h = arena.head();
  for (handle = 1; handle < max_vms; ++handle) {
    if (h.vm_handles[handle] != 0) continue;
    h.vm_handles[handle] = vm;
    ++h.vms[vm].refs;
    return 0;
  }
  return -ENOMEM;
}

bool has_capability(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (raw::call(SYS_capget, raw::of(&header), raw::of(data)) < 0) return false;
  return data[capability / 32].effective >> capability % 32 & 1;
}

ContextRecord* find_context(const Call& call, uint32_t id) {
  if (id >= max_contexts) return nullptr;
  ContextRecord& c = call.head().contexts[id];
  return c.in_use && !c.closed ? &c : nullptr;
}

int finalise(const Call& call, ContextRecord& c) {
  if (c.finalised) return 0;
  if (c.vm == 0) {
    if (call.platform().aliasing_ppgtt) {
      c.vm = 1;
      ++call.head().vms[1].refs;
    } else {
      c.vm = new_vm(call.arena());
      if (c.vm == 0) return -ENOMEM;
    }
  }
  c.finalised = true;
  return 0;
}

void release_context(File& file, uint32_t id) {
  ContextRecord& c = file.arena->head().contexts[id];
  if (!c.in_use || !c.closed) return;
  std::shared_ptr<Context> last;
  {
    const std::lock_guard guard(file.lock);
    const auto found = file.contexts.find(c.serial);
    if (found != file.contexts.end()) {
      for (const auto& [slot, queue] : found->second->queues) {
        const std::lock_guard queue_guard(queue->lock);
        if (!queue->requests.empty()) return;
      }
      last = std::move(found->second);
      file.contexts.erase(found);
    }
  }
  put_vm(file, c.vm);
  c.in_use = false;
}

int context_create(Call& call, drm_i915_gem_context_create_ext& a) {
  constexpr uint32_t known = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS | I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
  if (a.flags & ~known) return -EINVAL;
  Head& h = call.head();
  const bool single_timeline = a.flags & I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
  ContextRecord c{};
  {
    const ArenaLock lock(call.arena());
    if (h.ban_score >= client_ban_score) return -EIO;
  }
  if (single_timeline && !call.platform().single_timeline) return -EINVAL;
  c.in_use = c.bannable = c.recoverable = c.persistent = true;
  c.single_timeline = single_timeline;
  if (a.flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) {
    const int error = walk_extensions(a.extensions, [&](uint32_t name, uint64_t address) {
      if (name != I915_CONTEXT_CREATE_EXT_SETPARAM) return -EINVAL;
      drm_i915_gem_context_create_ext_setparam e{};
      if (raw::get(e, address) < 0) return -EFAULT;
      if (e.param.ctx_id != 0) return -EINVAL;
      return set_context_param(call, c, e.param);
    });
    if (error) {
      const ArenaLock lock(call.arena());
      put_vm(*call.file, c.vm);
      return error;
    }
  }
  const ArenaLock lock(call.arena());
  for (uint32_t id = 1; id < max_contexts; ++id) {
    if (h.contexts[id].in_use) continue;
    c.serial = call.arena().new_serial();
    h.contexts[id] = c;
    a.ctx_id = id;
    return 0;
  }
  put_vm(*call.file, c.vm);
  return -ENOMEM;
}

int context_destroy(Call& call, drm_i915_gem_context_destroy& a) {
  if (a.pad != 0) return -EINVAL;
  if (a.ctx_id == 0) return -ENOENT;
  const ArenaLock lock(call.arena());
  ContextRecord* const c = find_context(call, a.ctx_id);
  if (!c) return -ENOENT;
  c->closed = true;
  if (!c->persistent) {
    const std::shared_ptr<Context> local = call.file->context(c->serial);
    const std::lock_guard guard(call.file->lock);
    for (const auto& [slot, queue] : local->queues) queue->cancelled = true;
  }
  release_context(*call.file, a.ctx_id);
  return 0;
}

int get_reset_stats(Call& call, drm_i915_reset_stats& s) {
  if (s.flags != 0 || s.pad != 0) return -EINVAL;
  const ArenaLock lock(call.arena());
  ContextRecord* const c = find_context(call, s.ctx_id);
  if (!c) return -ENOENT;
  if (const int error = finalise(call, *c); error < 0) return error;
  s.reset_count = has_capability(CAP_SYS_ADMIN) ? uint32_t(call.kernel.hangs) : 0;
  s.batch_active = c->hangs_active;
  s.batch_pending = c->hangs_pending;
  return 0;
}

int vm_create(Call& call, drm_i915_gem_vm_control& a) {
  if (call.platform().aliasing_ppgtt) return -ENODEV;
  if (a.flags != 0) return -EINVAL;
  const int error = walk_extensions(a.extensions, [](uint32_t, uint64_t) { return -EINVAL; });
  if (error) return error;
  const ArenaLock lock(call.arena());
  const uint32_t vm = new_vm(call.arena());
  if (vm == 0) return -ENOMEM;
  const int result = new_vm_handle(call.arena(), vm, a.vm_id);
  put_vm(*call.file, vm);  // the handle's reference stays
  return result;
}

int vm_destroy(Call& call, drm_i915_gem_vm_control& a) {
  if (a.flags != 0 || a.extensions != 0) return -EINVAL;
  const ArenaLock lock(call.arena());
  if (a.vm_id == 0 || a.vm_id >= max_vms || call.head().vm_handles[a.vm_id] == 0) return -ENOENT;
  const uint32_t vm = call.head().vm_handles[a.vm_id];
  call.head().vm_handles[a.vm_id] = 0;
  put_vm(*call.file, vm);
  return 0;
}

}  // namespace vitro::i915
