// Parameters of contexts, one row per I915_CONTEXT_PARAM_*: how it is read, and how it is set on a context that is
// still a proposal and on one that is final. Source: gem/i915_gem_context.c of Linux 6.1. Slices cannot be switched off
// on these devices (SSEU), and bonded or parallel engines do not exist.
#include <linux/capability.h>

#include <cerrno>
#include <cstddef>

#include "i915/ioctls.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

using Param = drm_i915_gem_context_param;
using Get = int (*)(Call&, ContextRecord&, Param&);
using Set = int (*)(Call&, ContextRecord&, const Param&);

const gen::PlatformEngine* find_engine(const Call& call, uint16_t engine_class, uint16_t instance) {
  for (const gen::PlatformEngine& e : call.platform().engines)
    if (e.engine_class == engine_class && e.instance == instance) return &e;
  return nullptr;
}

template <bool ContextRecord::*Flag>
int get_flag(Call&, ContextRecord& c, Param& p) {
  p.size = 0;
  p.value = c.*Flag;
  return 0;
}
template <bool ContextRecord::*Flag>
int set_flag(Call&, ContextRecord& c, const Param& p) {
  if (p.size != 0) return -EINVAL;
  c.*Flag = p.value != 0;
  return 0;
}

int set_bannable(Call&, ContextRecord& c, const Param& p) {
  if (p.size != 0) return -EINVAL;
  if (p.value == 0 && !has_capability(CAP_SYS_ADMIN)) return -EPERM;
  c.bannable = p.value != 0;
  return 0;
}

int get_gtt_size(Call& call, ContextRecord&, Param& p) {
  p.size = 0;
  p.value = call.platform().ppgtt_bytes;
  return 0;
}

int get_priority(Call&, ContextRecord& c, Param& p) {
  p.size = 0;
  p.value = uint64_t(int64_t(c.priority));
  return 0;
}
int set_priority(Call& call, ContextRecord& c, const Param& p) {
  if (p.size != 0) return -EINVAL;
  if (!call.platform().scheduler) return -ENODEV;
  const int64_t priority = int64_t(p.value);
  if (priority > I915_CONTEXT_MAX_USER_PRIORITY || priority < I915_CONTEXT_MIN_USER_PRIORITY) return -EINVAL;
  if (priority > I915_CONTEXT_DEFAULT_PRIORITY && !has_capability(CAP_SYS_NICE)) return -EPERM;
  c.priority = int32_t(priority);
  return 0;
}

int get_sseu(Call& call, ContextRecord& c, Param& p) {
  drm_i915_gem_context_param_sseu s{};
  if (p.size == 0) {
    p.size = sizeof s;
    return 0;
  }
  if (p.size < sizeof s) return -EINVAL;
  if (raw::get(s, p.value) < 0) return -EFAULT;
  if (s.rsvd != 0 || (s.flags & ~uint32_t(I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX)) != 0) return -EINVAL;
  const bool by_index = s.flags & I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX;
  if (by_index != c.has_engine_map) return -EINVAL;
  if (by_index ? s.engine.engine_instance >= c.engine_count
               : !find_engine(call, s.engine.engine_class, s.engine.engine_instance))
    return -EINVAL;
  const uint8_t* const masks = call.platform().sseu;
  s.slice_mask = masks[0], s.subslice_mask = masks[1];
  s.min_eus_per_subslice = masks[2], s.max_eus_per_subslice = masks[3];
  if (raw::put(p.value, s) < 0) return -EFAULT;
  p.size = sizeof s;
  return 0;
}
int set_sseu(Call&, ContextRecord&, const Param& p) {
  return p.size < sizeof(drm_i915_gem_context_param_sseu) ? -EINVAL : -ENODEV;
}

int get_vm(Call& call, ContextRecord& c, Param& p) {
  if (call.platform().aliasing_ppgtt) return -ENODEV;
  uint32_t handle = 0;
  if (const int error = new_vm_handle(call.arena(), c.vm, handle); error < 0) return error;
  p.size = 0;
  p.value = handle;
  return 0;
}
int set_vm(Call& call, ContextRecord& c, const Param& p) {
  if (p.size != 0) return -EINVAL;
  if (call.platform().aliasing_ppgtt) return -ENODEV;
  if (p.value == 0 || p.value >= max_vms || call.head().vm_handles[p.value] == 0) return -ENOENT;
  const uint32_t vm = call.head().vm_handles[p.value];
  ++call.head().vms[vm].refs;
  put_vm(*call.file, c.vm);
  c.vm = vm;
  return 0;
}

constexpr EngineSlot no_engine{uint16_t(I915_ENGINE_CLASS_INVALID), uint16_t(I915_ENGINE_CLASS_INVALID_NONE)};
bool is_none(const EngineSlot& s) {
  return s.engine_class == no_engine.engine_class && s.instance == no_engine.instance;
}

int balance(Call& call, ContextRecord& c, uint64_t address) {
  if (!call.platform().scheduler) return -ENODEV;
  struct {
    i915_user_extension base;
    uint16_t engine_index, num_siblings;
    uint32_t flags;
    uint64_t mbz64;
  } e{};
  static_assert(sizeof e == sizeof(i915_context_engines_load_balance));
  if (raw::get(e, address) < 0) return -EFAULT;
  if (e.engine_index >= c.engine_count) return -EINVAL;
  EngineSlot& slot = c.engines[e.engine_index];
  if (!is_none(slot)) return -EEXIST;
  if (e.flags != 0 || e.mbz64 != 0) return -EINVAL;
  for (uint32_t i = 0; i < e.num_siblings; ++i) {
    i915_engine_class_instance sibling{};
    if (raw::get(sibling, address + sizeof e + i * sizeof sibling) < 0) return -EFAULT;
    if (!find_engine(call, sibling.engine_class, sibling.engine_instance)) return -EINVAL;
    if (i != 0 && sibling.engine_class != slot.engine_class) return -EINVAL;
    if (i == 0) slot = {sibling.engine_class, sibling.engine_instance};
  }
  return 0;
}

int set_engines(Call& call, ContextRecord& c, const Param& p) {
  constexpr uint32_t header = sizeof(uint64_t), entry = sizeof(i915_engine_class_instance);
  if (c.has_engine_map) return -EINVAL;
  if (p.size < header || (p.size - header) % entry != 0) return -EINVAL;
  const uint32_t count = (p.size - header) / entry;
  if (count > max_engine_slots) return -EINVAL;
  ContextRecord next = c;
  next.has_engine_map = true;
  next.engine_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    i915_engine_class_instance ci{};
    if (raw::get(ci, p.value + header + i * entry) < 0) return -EFAULT;
    next.engines[i] = {ci.engine_class, ci.engine_instance};
    if (!is_none(next.engines[i]) && !find_engine(call, ci.engine_class, ci.engine_instance)) return -ENOENT;
  }
  uint64_t extensions = 0;
  if (raw::get(extensions, p.value) < 0) return -EFAULT;
  const int error = walk_extensions(extensions, [&](uint32_t name, uint64_t address) {
    if (name == I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE) return balance(call, next, address);
    return name == I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT ? -ENODEV : -EINVAL;
  });
  if (error) return error;
  c = next;
  return 0;
}

int set_persistence(Call& call, ContextRecord& c, const Param& p) {
  if (p.size != 0) return -EINVAL;
  if (p.value == 0 && !call.platform().preempts) return -ENODEV;
  c.persistent = p.value != 0;
  return 0;
}

int get_protected(Call&, ContextRecord&, Param& p) {
  p.size = 0;
  p.value = 0;
  return 0;
}
int set_protected(Call&, ContextRecord&, const Param& p) { return p.value == 0 ? 0 : -ENODEV; }

struct Row {
  uint64_t param;
  Get get;
  Set set_proposal, set_final;
};
constexpr Row rows[] = {
    {I915_CONTEXT_PARAM_GTT_SIZE, get_gtt_size, nullptr, nullptr},
    {I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, get_flag<&ContextRecord::no_error_capture>,
     set_flag<&ContextRecord::no_error_capture>, set_flag<&ContextRecord::no_error_capture>},
    {I915_CONTEXT_PARAM_BANNABLE, get_flag<&ContextRecord::bannable>, set_bannable, set_bannable},
    {I915_CONTEXT_PARAM_PRIORITY, get_priority, set_priority, set_priority},
    {I915_CONTEXT_PARAM_SSEU, get_sseu, set_sseu, set_sseu},
    {I915_CONTEXT_PARAM_RECOVERABLE, get_flag<&ContextRecord::recoverable>, set_flag<&ContextRecord::recoverable>,
     set_flag<&ContextRecord::recoverable>},
    {I915_CONTEXT_PARAM_VM, get_vm, set_vm, nullptr},
    {I915_CONTEXT_PARAM_ENGINES, nullptr, set_engines, nullptr},
    {I915_CONTEXT_PARAM_PERSISTENCE, get_flag<&ContextRecord::persistent>, set_persistence, set_persistence},
    {I915_CONTEXT_PARAM_PROTECTED_CONTENT, get_protected, set_protected, nullptr},
};

const Row* find_row(uint64_t param) {
  for (const Row& r : rows)
    if (r.param == param) return &r;
  return nullptr;
}

}  // namespace

int set_context_param(Call& call, ContextRecord& c, const Param& p) {
  const Row* const r = find_row(p.param);
  const Set set = !r ? nullptr : c.finalised ? r->set_final : r->set_proposal;
  if (!set) return -EINVAL;
  const ArenaLock lock(call.arena());
  return set(call, c, p);
}

int context_getparam(Call& call, Param& p) {
  const ArenaLock lock(call.arena());
  ContextRecord* const c = find_context(call, p.ctx_id);
  if (!c) return -ENOENT;
  if (const int error = finalise(call, *c); error < 0) return error;
  const Row* const r = find_row(p.param);
  return r && r->get ? r->get(call, *c, p) : -EINVAL;
}

int context_setparam(Call& call, Param& p) {
  const ArenaLock lock(call.arena());
  ContextRecord* const c = find_context(call, p.ctx_id);
  return c ? set_context_param(call, *c, p) : -ENOENT;
}

}  // namespace vitro::i915
