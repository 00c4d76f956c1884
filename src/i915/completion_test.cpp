// Tests of completion: what one way of waiting was told holds for all other questions at once. Each is asked many
// times, of batches that are over while the question is on its way.
#include "i915/completion.h"

#include <linux/dma-buf.h>
#include <poll.h>

#include <array>
#include <functional>

#include "i915/kernel_test.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

constexpr int many = 20'000, some = 3'000;

class Completion : public KernelTest {
 protected:
  Completion() {
    data_ = create(4096);
    other_fd_ = open(render_minor);
    drm_prime_handle p{.handle = create(4096, other_fd_), .flags = DRM_CLOEXEC | DRM_RDWR};
    EXPECT_EQ(call(other_fd_, DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
    opened_.push_back(foreign_dma_buf_ = p.fd);
    foreign_there_ = p.handle;
    EXPECT_EQ(call(DRM_IOCTL_PRIME_FD_TO_HANDLE, p), 0);
    foreign_ = p.handle;
    drm_syncobj_create c{};
    EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
    syncobj_ = c.handle;
    EXPECT_EQ(call(other_fd_, DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
    follower_ = c.handle;
    batch_ = create(4096);
    write(batch_, 0, {1, lo(target_address), hi(target_address), 5, 0});
  }
  ~Completion() override { drop(); }

  // A batch that writes to two files' objects, with an out fence and a syncobj.
  void submit() {
    drop();
    std::vector<drm_i915_gem_exec_object2> list{pinned(data_, target_address, EXEC_OBJECT_WRITE),
                                                pinned(foreign_, 0x300000, EXEC_OBJECT_WRITE),
                                                pinned(batch_, batch_address)};
    drm_i915_gem_exec_fence fence{.handle = syncobj_, .flags = I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer2 e{};
    e.buffers_ptr = uint64_t(list.data());
    e.buffer_count = uint32_t(list.size());
    e.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT | I915_EXEC_FENCE_ARRAY;
    e.cliprects_ptr = uint64_t(&fence), e.num_cliprects = 1;
    ASSERT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e), 0);
    out_fence_ = int(e.rsvd2 >> 32);
  }
  // And what can be made of its fences: sync_files of the syncobj and of a buffer, a fence in another file's syncobj.
  void submit_with_followers() {
    submit();
    drm_syncobj_handle h{.handle = syncobj_, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
    ASSERT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), 0);
    of_syncobj_ = h.fd;
    dma_buf_export_sync_file s{.flags = DMA_BUF_SYNC_RW, .fd = -1};
    ASSERT_EQ(call(foreign_dma_buf_, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, s), 0);
    of_buffer_ = s.fd;
    drm_syncobj_handle i{
        .handle = follower_, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = of_buffer_};
    ASSERT_EQ(call(other_fd_, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, i), 0);
  }
  void drop() {
    for (int* fd : {&out_fence_, &of_syncobj_, &of_buffer_}) {
      if (*fd >= 0) close(*fd);
      *fd = -1;
    }
  }

  static bool is_ready(int fd, int timeout_ms = 0) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, timeout_ms) == 1;
  }
  bool is_busy(uint32_t handle, int fd) {
    drm_i915_gem_busy b{.handle = handle};
    EXPECT_EQ(call(fd, DRM_IOCTL_I915_GEM_BUSY, b), 0);
    return b.busy != 0;
  }
  bool is_signalled(uint32_t handle, int fd, bool wait = false) {
    drm_syncobj_wait w{};
    w.handles = uint64_t(&handle);
    w.count_handles = 1;
    w.timeout_nsec = wait ? raw::monotonic_ns() + 10'000'000'000 : 0;
    return call(fd, DRM_IOCTL_SYNCOBJ_WAIT, w) == 0;
  }

  // How many questions were answered with "not yet".
  int late(bool followers) {
    int n = 0;
    n += is_busy(data_, fd_);
    n += is_busy(foreign_there_, other_fd_);
    n += is_busy(foreign_, fd_);
    n += !is_ready(out_fence_);
    n += !is_signalled(syncobj_, fd_);
    n += wait(batch_, 0) != 0;
    if (!followers) return n;
    n += !is_ready(of_syncobj_);
    n += !is_ready(of_buffer_);
    n += !is_signalled(follower_, other_fd_);
    return n;
  }

  uint32_t data_ = 0, foreign_ = 0, foreign_there_ = 0, syncobj_ = 0, follower_ = 0, batch_ = 0;
  int other_fd_ = -1, foreign_dma_buf_ = -1, out_fence_ = -1, of_syncobj_ = -1, of_buffer_ = -1;
};

TEST_F(Completion, BuffersAreIdleWhenTheOutFenceSignals) {
  int wrong = 0;
  for (int i = 0; i < many; ++i) {
    submit();
    ASSERT_TRUE(is_ready(out_fence_, 10'000));
    wrong += is_busy(data_, fd_);
  }
  EXPECT_EQ(wrong, 0) << "of " << many;
}

// Each way of waiting in turn, then all questions.
TEST_F(Completion, WhatOneIsToldHoldsForAll) {
  struct Named {
    const char* name;
    std::function<bool()> wait;
  };
  constexpr int64_t long_ns = 10'000'000'000;
  const std::array<Named, 8> ways{{
      {"out fence", [&] { return is_ready(out_fence_, 10'000); }},
      {"syncobj", [&] { return is_signalled(syncobj_, fd_, true); }},
      {"wait", [&] { return wait(data_) == 0; }},
      {"wait in the other file", [&] { return wait(foreign_there_, long_ns, other_fd_) == 0; }},
      {"busy",
       [&] {
         while (is_busy(foreign_there_, other_fd_)) {
         }
         return true;
       }},
      {"sync_file of the syncobj", [&] { return is_ready(of_syncobj_, 10'000); }},
      {"sync_file of the buffer", [&] { return is_ready(of_buffer_, 10'000); }},
      {"syncobj of the other file", [&] { return is_signalled(follower_, other_fd_, true); }},
  }};
  for (const Named& way : ways) {
    int wrong = 0;
    for (int i = 0; i < some / int(ways.size()); ++i) {
      submit_with_followers();
      ASSERT_TRUE(way.wait()) << way.name;
      wrong += late(true);
    }
    EXPECT_EQ(wrong, 0) << "after " << way.name;
  }
}

TEST_F(Completion, ResetStatisticsAreThereWithTheError) {
  const uint32_t context = new_context(false);
  write(batch_, 0, {3});
  std::vector<drm_i915_gem_exec_object2> list{pinned(data_, target_address, EXEC_OBJECT_WRITE),
                                              pinned(batch_, batch_address)};
  ASSERT_EQ(execute(list, I915_EXEC_NO_RELOC, context), 0);
  while (is_busy(data_, fd_)) {
  }
  drm_i915_reset_stats s{.ctx_id = context};
  ASSERT_EQ(call(DRM_IOCTL_I915_GET_RESET_STATS, s), 0);
  EXPECT_EQ(s.batch_active, 1u);
  EXPECT_EQ(s.batch_pending, 0u);
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, context), -EIO);
  EXPECT_EQ(gpu_->resets, 1);
}

TEST_F(Completion, FollowersCarryTheFirstError) {
  write(batch_, 0, {2, 30, 3});
  submit_with_followers();
  ASSERT_TRUE(is_ready(of_buffer_, 10'000));
  EXPECT_EQ(late(true), 0);
  for (const int fd : {out_fence_, of_syncobj_, of_buffer_})
    EXPECT_EQ(status_of(Dependency{.arena = {}, .fence = {}, .fd = fd}), -EIO);
}

}  // namespace
}  // namespace vitro::i915
