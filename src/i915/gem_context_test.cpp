// Tests of contexts: parameters, engine maps, VMs, and what hangs do to them.
#include <linux/capability.h>

#include "i915/kernel_test.h"
#include "memory/view.h"
#include "recording/recording.h"

namespace vitro::i915 {
namespace {

class Contexts : public KernelTest {
 protected:
  struct EngineMap {
    uint64_t extensions = 0;
    i915_engine_class_instance engines[64] = {};
  };
  int set_engines(uint32_t context, const EngineMap& map, uint32_t count) {
    return set_param(context, I915_CONTEXT_PARAM_ENGINES, uint64_t(&map), uint32_t(8 + 4 * count));
  }
  int get_stats(uint32_t context, drm_i915_reset_stats& s) {
    s = {.ctx_id = context};
    return call(DRM_IOCTL_I915_GET_RESET_STATS, s);
  }
};

TEST_F(Contexts, CreateAndDestroy) {
  EXPECT_EQ(new_context(), 1u);
  EXPECT_EQ(new_context(), 2u);
  drm_i915_gem_context_destroy d{.ctx_id = 1, .pad = 1};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), -EINVAL);
  d.pad = 0;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), 0);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), -ENOENT);
  d.ctx_id = 0;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), -ENOENT);
  EXPECT_EQ(new_context(), 1u);
  drm_i915_gem_context_create_ext c{.flags = 4};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), -EINVAL);
  c.flags = I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), 0);
  start("snb");
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), -EINVAL);
}

TEST_F(Contexts, CreateWithParameters) {
  drm_i915_gem_context_create_ext_setparam e{};
  e.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM;
  e.param.param = I915_CONTEXT_PARAM_RECOVERABLE;
  drm_i915_gem_context_create_ext c{.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS, .extensions = uint64_t(&e)};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), 0);
  uint64_t v = 1;
  EXPECT_EQ(get_param(c.ctx_id, I915_CONTEXT_PARAM_RECOVERABLE, v), 0);
  EXPECT_EQ(v, 0u);
  e.param.ctx_id = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), -EINVAL);
  e.param = {.param = I915_CONTEXT_PARAM_PROTECTED_CONTENT, .value = 1};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), -ENODEV);
  e.base.name = 1;  // cloning is gone
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c), -EINVAL);
}

TEST_F(Contexts, Parameters) {
  const uint32_t c = new_context();
  uint64_t v = 0;
  EXPECT_EQ(get_param(c, I915_CONTEXT_PARAM_GTT_SIZE, v), 0);
  EXPECT_EQ(v, uint64_t{1} << 48);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_GTT_SIZE, 1), -EINVAL);
  EXPECT_EQ(get_param(c, I915_CONTEXT_PARAM_BANNABLE, v), 0);
  EXPECT_EQ(v, 1u);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_BANNABLE, 0), has_capability(CAP_SYS_ADMIN) ? 0 : -EPERM);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_BANNABLE, 1, 4), -EINVAL);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, 1), 0);
  EXPECT_EQ(get_param(c, I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, v), 0);
  EXPECT_EQ(v, 1u);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_PRIORITY, uint64_t(-512)), 0);
  EXPECT_EQ(get_param(c, I915_CONTEXT_PARAM_PRIORITY, v), 0);
  EXPECT_EQ(int64_t(v), -512);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_PRIORITY, 1024), -EINVAL);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_PRIORITY, 5), has_capability(CAP_SYS_NICE) ? 0 : -EPERM);
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_PERSISTENCE, 0), 0);
  for (const uint64_t unknown : {1ull, 2ull, 0xaull, 0xcull, 0x80000000ull})
    EXPECT_EQ(get_param(c, unknown, v), -EINVAL) << unknown;
  EXPECT_EQ(get_param(99, I915_CONTEXT_PARAM_GTT_SIZE, v), -ENOENT);
  EXPECT_EQ(set_param(99, 0x80000000, 0), -ENOENT);
  EXPECT_EQ(get_param(0, I915_CONTEXT_PARAM_GTT_SIZE, v), 0);
  start("bdw");
  EXPECT_EQ(set_param(new_context(), I915_CONTEXT_PARAM_PERSISTENCE, 0), -ENODEV);
  start("snb");
  EXPECT_EQ(set_param(0, I915_CONTEXT_PARAM_PRIORITY, 0), -ENODEV);
  EXPECT_EQ(get_param(0, I915_CONTEXT_PARAM_GTT_SIZE, v), 0);
  EXPECT_EQ(v, uint64_t{2} << 30);
  EXPECT_EQ(get_param(0, I915_CONTEXT_PARAM_VM, v), -ENODEV);
}

TEST_F(Contexts, Sseu) {
  drm_i915_gem_context_param_sseu s{};
  drm_i915_gem_context_param p{.ctx_id = 0, .param = I915_CONTEXT_PARAM_SSEU, .value = uint64_t(&s)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p), 0);
  EXPECT_EQ(p.size, sizeof s);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p), 0);
  EXPECT_EQ(s.subslice_mask, 7u);
  EXPECT_EQ(s.max_eus_per_subslice, 8u);
  s.engine.engine_class = 9;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p), -EINVAL);
  p.size = 4;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p), -EINVAL);
  EXPECT_EQ(set_param(0, I915_CONTEXT_PARAM_SSEU, uint64_t(&s), 4), -EINVAL);
  EXPECT_EQ(set_param(0, I915_CONTEXT_PARAM_SSEU, uint64_t(&s), sizeof s), -ENODEV);
}

TEST_F(Contexts, EngineMaps) {
  const uint32_t c = new_context();
  EngineMap map;
  map.engines[0] = {I915_ENGINE_CLASS_COPY, 0};
  map.engines[1] = {I915_ENGINE_CLASS_RENDER, 0};
  map.engines[2] = {uint16_t(I915_ENGINE_CLASS_INVALID), uint16_t(I915_ENGINE_CLASS_INVALID_NONE)};
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_ENGINES, uint64_t(&map), 10), -EINVAL);
  EXPECT_EQ(set_engines(c, map, 65), -EINVAL);
  map.engines[1].engine_instance = 1;
  EXPECT_EQ(set_engines(c, map, 3), -ENOENT);
  map.engines[1].engine_instance = 0;
  EXPECT_EQ(set_param(c, I915_CONTEXT_PARAM_ENGINES, 8, 12), -EFAULT);
  EXPECT_EQ(set_engines(c, map, 3), 0);
  EXPECT_EQ(set_engines(c, map, 3), -EINVAL);
  const uint32_t batch = create(4096);
  write(batch, 0, {0, 0x05000000});  // the command parser wants MI_BATCH_BUFFER_END
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC | 0, c), 0);
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC | 1, c), 0);
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC | 2, c), -EINVAL);
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC | 3, c), -EINVAL);
  wait(batch);
  kernel_->shutdown();
  const std::lock_guard guard(gpu_->lock);
  ASSERT_EQ(gpu_->batches.size(), 2u);
  EXPECT_EQ(gpu_->contexts, 2) << "one hardware state per engine slot";
}

TEST_F(Contexts, BalancedEngines) {
  struct {
    i915_user_extension base{};
    uint16_t index = 0, siblings = 1;
    uint32_t flags = 0;
    uint64_t mbz = 0;
    i915_engine_class_instance engines[1] = {{I915_ENGINE_CLASS_VIDEO, 0}};
  } e;
  e.base.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE;
  EngineMap map;
  map.extensions = uint64_t(&e);
  map.engines[0] = {I915_ENGINE_CLASS_RENDER, 0};
  const uint32_t c = new_context();
  EXPECT_EQ(set_engines(c, map, 1), -EEXIST);
  map.engines[0] = {uint16_t(I915_ENGINE_CLASS_INVALID), uint16_t(I915_ENGINE_CLASS_INVALID_NONE)};
  e.flags = 1;
  EXPECT_EQ(set_engines(c, map, 1), -EINVAL);
  e.flags = 0, e.index = 1;
  EXPECT_EQ(set_engines(c, map, 1), -EINVAL);
  e.index = 0;
  EXPECT_EQ(set_engines(c, map, 1), 0);
  const uint32_t batch = create(4096);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, c), 0);
  wait(batch);
  const std::lock_guard guard(gpu_->lock);
  EXPECT_EQ(gpu_->batches.at(0).engine, device::Engine::video);
}

TEST_F(Contexts, Vms) {
  drm_i915_gem_vm_control vm{.flags = 1};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_VM_CREATE, vm), -EINVAL);
  vm.flags = 0;
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_VM_CREATE, vm), 0);
  const uint32_t a = new_context(), b = new_context();
  EXPECT_EQ(set_param(a, I915_CONTEXT_PARAM_VM, 77), -ENOENT);
  EXPECT_EQ(set_param(a, I915_CONTEXT_PARAM_VM, vm.vm_id, 8), -EINVAL);
  EXPECT_EQ(set_param(a, I915_CONTEXT_PARAM_VM, vm.vm_id), 0);
  EXPECT_EQ(set_param(b, I915_CONTEXT_PARAM_VM, vm.vm_id), 0);
  // What one context bound, the other finds.
  const uint32_t data = create(4096), batch = create(4096);
  EXPECT_EQ(run({0}, data, 0, a), 0);
  write(batch, 0, store(target_address, 0x55));
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address + 0x100000)};
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, b), 0);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(data), 0x55u);
  EXPECT_EQ(set_param(a, I915_CONTEXT_PARAM_VM, vm.vm_id), -EINVAL) << "after its first use";
  uint64_t again = 0;
  EXPECT_EQ(get_param(a, I915_CONTEXT_PARAM_VM, again), 0);
  EXPECT_NE(again, vm.vm_id);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_VM_DESTROY, vm), 0);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_VM_DESTROY, vm), -ENOENT);
  vm.extensions = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_VM_DESTROY, vm), -EINVAL);
  // Another context's own VM does not have it.
  const uint32_t c = new_context();
  write(batch, 0, store(target_address, 0x66));
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, c), 0);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(data), 0x55u);
  start("snb");
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_VM_CREATE, vm), -ENODEV);
}

TEST_F(Contexts, NonRecoverableIsBannedAtOnce) {
  const uint32_t bad = new_context(false), good = new_context(), data = create(4096);
  drm_i915_reset_stats s{};
  EXPECT_EQ(get_stats(bad, s), 0);
  EXPECT_EQ(s.batch_active, 0u);
  EXPECT_EQ(kernel_->error_state(), "No error state collected\n");
  EXPECT_EQ(run({3}, data, 0, bad), 0);
  EXPECT_EQ(wait(data), 0);
  kernel_->shutdown();
  EXPECT_EQ(run({0}, data, 0, bad), -EIO);
  EXPECT_EQ(get_stats(bad, s), 0);
  EXPECT_EQ(s.batch_active, 1u);
  EXPECT_EQ(s.batch_pending, 0u);
  EXPECT_EQ(gpu_->resets, 1);
  EXPECT_EQ(run(store(target_address, 9), data, EXEC_OBJECT_WRITE, good), 0);
  EXPECT_EQ(read(data), 9u);
  EXPECT_EQ(get_stats(good, s), 0);
  EXPECT_EQ(s.batch_active, 0u);
  const std::string text = kernel_->error_state();
  EXPECT_NE(text.find("PCI ID: 0x5916\n"), std::string::npos);
  EXPECT_NE(text.find("rcs0 command stream:\n"), std::string::npos);
  const auto reader = recording::Reader::from_bytes(text);
  ASSERT_TRUE(reader) << text;
  EXPECT_EQ((*reader)->device(), "0x5916");
  const auto submission = (*reader)->next();
  ASSERT_TRUE(submission && *submission) << text;
  EXPECT_EQ((*submission)->address, 0x800000u);
  memory::View memory((*submission)->memory);
  EXPECT_EQ(memory.load<uint32_t>(0x800000), 3u);
  EXPECT_EQ(memory.load<uint32_t>(0x800004), 0u);
  EXPECT_NE(text.find("TEST_HANG: told to"), std::string::npos);
  kernel_->clear_error_state();
  EXPECT_EQ(kernel_->error_state(), "No error state collected\n");
  s.flags = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_GET_RESET_STATS, s), -EINVAL);
  EXPECT_EQ(get_stats(99, s), -ENOENT);
}

TEST_F(Contexts, RecoverableIsBannedAtTheThirdHang) {
  const uint32_t c = new_context(), data = create(4096);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run({3}, data, 0, c), 0) << i;
    kernel_->shutdown();
  }
  EXPECT_EQ(run({0}, data, 0, c), -EIO);
  drm_i915_reset_stats s{};
  EXPECT_EQ(get_stats(c, s), 0);
  EXPECT_EQ(s.batch_active, 3u);
}

TEST_F(Contexts, QueuedWorkOfABannedContextIsDropped) {
  const uint32_t c = new_context(false), data = create(4096);
  EXPECT_EQ(run({2, 50, 3}, data, 0, c), 0);
  EXPECT_EQ(run(store(target_address, 1), data, EXEC_OBJECT_WRITE, c), 0);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 0u);
}

TEST_F(Contexts, TooManyBansCloseTheFile) {
  const uint32_t data = create(4096);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run({3}, data, 0, new_context(false)), 0);
    kernel_->shutdown();
  }
  drm_i915_gem_context_create c{};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, c), -EIO);
  EXPECT_EQ(call(open(render_minor), DRM_IOCTL_I915_GEM_CONTEXT_CREATE, c), 0);
}

TEST_F(Contexts, DestroyedContextsFinishTheirWorkUnlessToldNotTo) {
  const uint32_t data = create(4096);
  drm_i915_gem_context_destroy d{.ctx_id = new_context()};
  EXPECT_EQ(run({2, 50, 1, lo(target_address), hi(target_address), 5, 0}, data, EXEC_OBJECT_WRITE, d.ctx_id), 0);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), 0);
  EXPECT_EQ(read(data), 5u);
  d.ctx_id = new_context();
  EXPECT_EQ(set_param(d.ctx_id, I915_CONTEXT_PARAM_PERSISTENCE, 0), 0);
  // Waits for a value that never comes: only the end of the context ends it.
  EXPECT_EQ(run({4, lo(target_address), hi(target_address), 77, 0}, data, 0, d.ctx_id), 0);
  EXPECT_EQ(wait(data, 10'000'000), -ETIME);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d), 0);
  EXPECT_EQ(wait(data, 5'000'000'000), 0);
}

}  // namespace
}  // namespace vitro::i915
