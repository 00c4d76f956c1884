// Tests of what happens where no thread, or no memory, is to be had: a request fails with the kernel's error and
// nothing was done, and what can do without a thread does. pthread_create and operator new are this file's own.
#include <dlfcn.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>

#include "i915/gate.h"
#include "i915/kernel_test.h"
#include "i915/raw.h"

namespace {

std::atomic<bool> no_thread{false};
thread_local int allocations_left = -1;  // of this thread, before there is no memory; negative: no limit

struct NoThread {
  NoThread() { no_thread = true; }
  ~NoThread() { no_thread = false; }
};

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const Create next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return no_thread ? EAGAIN : next(thread, attributes, run, argument);
}

// Not inlined: GCC takes malloc and free inside of new and delete for a mismatch.
[[gnu::noinline]] void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  return std::malloc(bytes ? bytes : 1);
}
[[gnu::noinline]] void* operator new(size_t bytes) {
  if (void* const p = operator new(bytes, std::nothrow)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace vitro::i915 {
namespace {

class Shortage : public KernelTest {
 protected:
  uint32_t make_syncobj() {
    drm_syncobj_create c{};
    EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
    return c.handle;
  }
  int wait_for(uint32_t syncobj, bool wait = false) {
    drm_syncobj_wait w{};
    w.handles = uint64_t(&syncobj);
    w.count_handles = 1;
    w.timeout_nsec = wait ? raw::monotonic_ns() + 10'000'000'000 : 0;
    return call(DRM_IOCTL_SYNCOBJ_WAIT, w);
  }
  int export_sync_file(uint32_t syncobj) {
    drm_syncobj_handle h{.handle = syncobj, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
    const int result = call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h);
    return result < 0 ? result : h.fd;
  }
  // A batch with everything that submission can leave behind.
  int submit(std::vector<uint32_t> dwords, uint32_t data, uint32_t syncobj, int& out_fence, uint32_t context = 0) {
    const uint32_t batch = create(4096);
    write(batch, 0, std::move(dwords));
    std::vector<drm_i915_gem_exec_object2> list{pinned(data, target_address, EXEC_OBJECT_WRITE),
                                                pinned(batch, batch_address + 0x1000 * batches_++)};
    drm_i915_gem_exec_fence fence{.handle = syncobj, .flags = I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer2 e{};
    e.buffers_ptr = uint64_t(list.data());
    e.buffer_count = uint32_t(list.size());
    e.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT | I915_EXEC_FENCE_ARRAY;
    e.cliprects_ptr = uint64_t(&fence), e.num_cliprects = 1;
    e.rsvd1 = context;
    const int result = call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e);
    out_fence = result == 0 ? int(e.rsvd2 >> 32) : -1;
    close_object(batch);
    return result;
  }
  size_t descriptors() {
    const std::lock_guard guard(kernel_->state().lock);
    return kernel_->state().internal.size();
  }
  static bool is_ready(int fd, int timeout_ms = 0) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, timeout_ms) == 1;
  }
};

TEST_F(Shortage, ARequestWithoutAThreadFailsAndLeavesNothing) {
  const uint32_t data = create(4096), syncobj = make_syncobj();
  int out_fence = -1;
  const size_t before = descriptors();
  {
    const NoThread none;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(submit(store(target_address, 9), data, syncobj, out_fence), -ENOMEM);
  }
  EXPECT_EQ(wait(data, 0), 0) << "busy with what was never submitted";
  drm_i915_reset_stats lost{.ctx_id = 0};
  EXPECT_EQ(call(DRM_IOCTL_I915_GET_RESET_STATS, lost), 0);
  EXPECT_EQ(lost.batch_pending, 3u) << "whoever waits without having looked at the result finds out";
  EXPECT_EQ(lost.batch_active, 0u);
  EXPECT_EQ(wait_for(syncobj), -EINVAL) << "a fence of what was never submitted";
  EXPECT_EQ(descriptors(), before);
  EXPECT_EQ(kernel_->batches_submitted(), 0u);
  kernel_->shutdown(0.1);
  EXPECT_EQ(kernel_->state().requests, 0);
  EXPECT_EQ(read(data), 0u);
  EXPECT_EQ(submit(store(target_address, 9), data, syncobj, out_fence), 0);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 9u);
  EXPECT_TRUE(is_ready(out_fence));
  close(out_fence);
}

TEST_F(Shortage, AQueueThatHasAThreadGoesOn) {
  const uint32_t data = create(4096), syncobj = make_syncobj();
  int out_fence = -1;
  EXPECT_EQ(run({2, 50, 0}, data), 0);
  const NoThread none;
  EXPECT_EQ(submit(store(target_address, 3), data, syncobj, out_fence), 0);
  EXPECT_EQ(submit(store(target_address, 4), data, syncobj, out_fence, new_context()), -ENOMEM) << "another queue";
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 3u);
}

TEST_F(Shortage, WhatFollowsOwnWorkNeedsNoThread) {
  const uint32_t data = create(4096), syncobj = make_syncobj(), copy = make_syncobj();
  int out_fence = -1;
  EXPECT_EQ(submit({2, 50, 0}, data, syncobj, out_fence), 0);
  const NoThread none;
  const int exported = export_sync_file(syncobj);
  ASSERT_GE(exported, 0);
  EXPECT_FALSE(is_ready(exported));
  drm_syncobj_transfer t{.src_handle = syncobj, .dst_handle = copy, .dst_point = 7};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), 0);
  sync_merge_data m{};
  m.fd2 = exported;
  EXPECT_EQ(call(out_fence, SYNC_IOC_MERGE, m), 0);
  EXPECT_TRUE(is_ready(m.fence, 10'000));
  EXPECT_TRUE(is_ready(exported));
  EXPECT_EQ(wait_for(copy), 0);
  close(m.fence), close(exported), close(out_fence);
}

// A sync_file of which this process knows nothing, as one of another process.
TEST_F(Shortage, FollowingOthersFailsWithoutAThread) {
  const uint32_t data = create(4096), syncobj = make_syncobj(), copy = make_syncobj();
  int foreign = -1;
  EXPECT_EQ(submit({2, 100, 0}, data, syncobj, foreign), 0);
  {
    const std::lock_guard guard(kernel_->state().lock);
    kernel_->state().sync_files.clear();
  }
  const size_t before = descriptors();
  drm_syncobj_handle h{.handle = copy, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = foreign};
  {
    const NoThread none;
    EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), -ENOMEM);
    sync_merge_data m{};
    m.fd2 = foreign;
    EXPECT_EQ(call(foreign, SYNC_IOC_MERGE, m), -ENOMEM);
  }
  EXPECT_EQ(descriptors(), before);
  EXPECT_EQ(wait_for(copy), -EINVAL) << "it has no fence";
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), 0);
  EXPECT_EQ(wait_for(copy, true), 0);
  EXPECT_TRUE(is_ready(foreign));
  close(foreign);
}

TEST_F(Shortage, AGateSaysThatNobodyFollowsIt) {
  const uint32_t data = create(4096);
  drm_prime_handle p{.handle = data, .flags = DRM_CLOEXEC | DRM_RDWR};
  ASSERT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
  opened_.push_back(p.fd);
  EXPECT_EQ(run({2, 50, 0}, data), 0);
  const NoThread none;
  const auto gate = kernel_->gate(p.fd);
  ASSERT_TRUE(gate);
  EXPECT_FALSE(gate->refresh());
  EXPECT_FALSE(is_ready(gate->end()));
  EXPECT_EQ(wait(data), 0);
  EXPECT_TRUE(gate->refresh()) << "it is idle";
  EXPECT_TRUE(is_ready(gate->end()));
}

TEST_F(Shortage, NoDescriptorForTheOutFenceLeavesNothing) {
  const uint32_t data = create(4096), syncobj = make_syncobj(), batch = create(4096);
  write(batch, 0, store(target_address, 8));
  std::vector<drm_i915_gem_exec_object2> list{pinned(data, target_address, EXEC_OBJECT_WRITE),
                                              pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e{};
  e.buffers_ptr = uint64_t(list.data());
  e.buffer_count = uint32_t(list.size());
  e.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{3, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const int result = call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(result, -EMFILE);
  EXPECT_EQ(kernel_->batches_submitted(), 0u) << "it would run twice if it is submitted again";
  EXPECT_EQ(wait(data, 0), 0);
  int out_fence = -1;
  EXPECT_EQ(submit(store(target_address, 9), data, syncobj, out_fence), 0);
  EXPECT_TRUE(is_ready(out_fence, 10'000));
  close(out_fence);
}

TEST_F(Shortage, NoMemoryIsAnErrorAndNoException) {
  const uint32_t data = create(4096), batch = create(4096);
  write(batch, 0, store(target_address, 6));
  std::vector<drm_i915_gem_exec_object2> list{pinned(data, target_address, EXEC_OBJECT_WRITE),
                                              pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e{};
  e.buffers_ptr = uint64_t(list.data());
  e.buffer_count = uint32_t(list.size());
  e.flags = I915_EXEC_NO_RELOC;
  EXPECT_EQ(execute(list), 0);  // makes what is made once
  EXPECT_EQ(wait(data), 0);
  int result = -ENOMEM, failures = 0;
  for (int n = 0; n < 1000 && result == -ENOMEM; ++n) {
    write(data, 0, {0});
    allocations_left = n;
    result = call(DRM_IOCTL_I915_GEM_EXECBUFFER2, e);
    allocations_left = -1;
    if (result == 0) break;
    ++failures;
    EXPECT_EQ(result, -ENOMEM);
    EXPECT_EQ(wait(data, 0), 0) << "busy with what was never submitted, after " << n << " allocations";
    EXPECT_EQ(kernel_->batches_submitted(), 1u);
  }
  EXPECT_EQ(result, 0);
  EXPECT_GT(failures, 5);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 6u);
}

}  // namespace
}  // namespace vitro::i915
