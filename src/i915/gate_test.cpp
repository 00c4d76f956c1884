// Tests of gates: what a program that polls a device or a dma-buf sees, and of its epoll sets.
#include "i915/gate.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Gates : public KernelTest {
 protected:
  int export_object(uint32_t handle) {
    drm_prime_handle p{.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    EXPECT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
    opened_.push_back(p.fd);
    return p.fd;
  }
  short ready(int fd, int timeout_ms = 0) {
    const auto gate = kernel_->gate(fd);
    if (!gate) return -1;
    pollfd p{gate->end(), POLLIN | POLLOUT, 0};
    poll(&p, 1, timeout_ms);
    return p.revents;
  }
  // A batch that uses the object until the latch opens.
  void keep_busy(uint32_t handle, uint32_t latch, bool write) {
    const uint64_t at = 0x200000;
    const uint32_t batch = create(4096);
    KernelTest::write(batch, 0, {4, lo(at), hi(at), 1, 0});
    std::vector<drm_i915_gem_exec_object2> list{pinned(handle, target_address, write ? EXEC_OBJECT_WRITE : 0),
                                                pinned(latch, at, EXEC_OBJECT_ASYNC),
                                                pinned(batch, batch_address + 0x1000 * batches_++)};
    ASSERT_EQ(execute(list), 0);
  }
  // By the CPU, without waiting for the work that waits for it.
  void set_latch(uint32_t latch, uint32_t value) {
    drm_i915_gem_mmap m{.handle = latch, .size = 4096};
    ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
    __atomic_store_n(reinterpret_cast<uint32_t*>(m.addr_ptr), value, __ATOMIC_SEQ_CST);
    kernel_->note_unmapped(reinterpret_cast<void*>(m.addr_ptr), 4096);
    munmap(reinterpret_cast<void*>(m.addr_ptr), 4096);
  }
  int events(int set, int timeout_ms, epoll_event& e) {
    kernel_->refresh_gates();
    return epoll_wait(set, &e, 1, timeout_ms);
  }
};

TEST_F(Gates, AnIdleBufferIsReady) {
  const int buffer = export_object(create(4096));
  EXPECT_EQ(ready(buffer), POLLIN | POLLOUT);
  EXPECT_TRUE(kernel_->is_internal(kernel_->gate(buffer)->end()));
}

TEST_F(Gates, ADeviceNeverIs) { EXPECT_EQ(ready(fd_), 0); }

TEST_F(Gates, OthersHaveNone) {
  EXPECT_EQ(kernel_->gate(0), nullptr);
  drm_syncobj_create c{};
  ASSERT_EQ(call(DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
  drm_syncobj_handle h{.handle = c.handle};
  ASSERT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), 0);
  EXPECT_EQ(kernel_->gate(h.fd), nullptr);
  opened_.push_back(h.fd);
}

TEST_F(Gates, AReaderLetsOthersRead) {
  const uint32_t h = create(4096), latch = create(4096);
  const int buffer = export_object(h);
  keep_busy(h, latch, false);
  EXPECT_EQ(ready(buffer), POLLIN);
  set_latch(latch, 1);
  const auto gate = kernel_->gate(buffer);
  pollfd p{gate->end(), POLLOUT, 0};
  EXPECT_EQ(poll(&p, 1, 10000), 1);
  EXPECT_EQ(ready(buffer), POLLIN | POLLOUT);
}

TEST_F(Gates, AWriterLetsNobody) {
  const uint32_t h = create(4096), latch = create(4096);
  const int buffer = export_object(h);
  for (int round = 0; round < 3; ++round) {
    set_latch(latch, 0);
    keep_busy(h, latch, true);
    EXPECT_EQ(ready(buffer), 0);
    EXPECT_EQ(ready(buffer, 20), 0);
    set_latch(latch, 1);
    EXPECT_NE(ready(buffer, 10000) & POLLIN, 0);
    EXPECT_EQ(wait(h), 0);
    EXPECT_EQ(ready(buffer), POLLIN | POLLOUT);
  }
}

TEST_F(Gates, EpollFollowsABuffer) {
  const uint32_t h = create(4096), latch = create(4096);
  const int buffer = export_object(h), set = epoll_create1(EPOLL_CLOEXEC);
  opened_.push_back(set);
  epoll_event e{.events = EPOLLIN | EPOLLPRI, .data = {.u64 = 42}};
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_MOD, buffer, &e), -ENOENT);
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, buffer, &e), 0);
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, buffer, &e), -EEXIST);
  EXPECT_EQ(kernel_->epoll_control(-1, EPOLL_CTL_ADD, buffer, &e), -EBADF);
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, buffer, reinterpret_cast<epoll_event*>(8)), -EFAULT);
  for (int round = 0; round < 2; ++round) {
    epoll_event got{};
    EXPECT_EQ(events(set, 0, got), 1);
    EXPECT_EQ(got.events, uint32_t(EPOLLIN));
    EXPECT_EQ(got.data.u64, 42u);
    set_latch(latch, 0);
    keep_busy(h, latch, true);
    EXPECT_EQ(events(set, 10, got), 0);
    set_latch(latch, 1);
    EXPECT_EQ(events(set, 10000, got), 1);
    EXPECT_EQ(wait(h), 0);
  }
  e.events = EPOLLOUT;
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_MOD, buffer, &e), 0);
  epoll_event got{};
  EXPECT_EQ(events(set, 0, got), 1);
  EXPECT_EQ(got.events, uint32_t(EPOLLOUT));
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_DEL, buffer, nullptr), 0);
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_DEL, buffer, nullptr), -ENOENT);
  EXPECT_EQ(events(set, 0, got), 0);
}

TEST_F(Gates, WatchesGoWithTheirDescriptors) {
  const int buffer = export_object(create(4096)), set = epoll_create1(EPOLL_CLOEXEC), other = dup(buffer);
  epoll_event e{.events = EPOLLIN, .data = {.u64 = 1}}, got{};
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, buffer, &e), 0);
  e.data.u64 = 2;
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, other, &e), 0);
  EXPECT_EQ(kernel_->epoll_control(set, EPOLL_CTL_ADD, fd_, &e), 0);
  EXPECT_EQ(kernel_->state().watch_count, 3u);
  kernel_->forget_watches(buffer);
  EXPECT_EQ(events(set, 0, got), 1);
  EXPECT_EQ(got.data.u64, 2u);
  kernel_->forget_watches(other);
  close(other);
  EXPECT_EQ(events(set, 0, got), 0);
  kernel_->forget_watches(set);
  close(set);
  EXPECT_EQ(kernel_->state().watch_count, 0u);
  const std::lock_guard guard(kernel_->state().lock);
  EXPECT_TRUE(kernel_->state().internal.empty());
}

TEST_F(Gates, NotTheChildsBusiness) {
  const uint32_t h = create(4096), latch = create(4096);
  const int buffer = export_object(h);
  keep_busy(h, latch, true);
  const auto gate = kernel_->gate(buffer);
  kernel_->before_fork();
  const pid_t child = fork();
  if (child == 0) {
    kernel_->after_fork_in_child();
    const bool good = ready(buffer) == 0 && kernel_->gate(buffer) != gate;
    set_latch(latch, 1);
    _exit(good && (ready(buffer, 10000) & POLLIN) ? 0 : 1);
  }
  kernel_->after_fork_in_parent();
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(ready(buffer, 10000) & POLLIN, 0);
}

}  // namespace
}  // namespace vitro::i915
