// Tests of what is shared: PRIME between files, and descriptors, fences and handles between processes (fork, exec's
// inheritance and SCM_RIGHTS, which all hand over nothing but a descriptor).
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "i915/kernel_test.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

class Sharing : public KernelTest {
 protected:
  int export_object(uint32_t handle, uint32_t flags = DRM_CLOEXEC | DRM_RDWR, int fd = -1) {
    drm_prime_handle p{.handle = handle, .flags = flags};
    const int result = call(fd < 0 ? fd_ : fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, p);
    return result < 0 ? result : p.fd;
  }
  int import_object(int dma_buf, uint32_t& handle, int fd = -1) {
    drm_prime_handle p{.fd = dma_buf};
    const int result = call(fd < 0 ? fd_ : fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, p);
    handle = p.handle;
    return result;
  }

  // Runs `body` in a child with a kernel of its own, as another program would have; true if it returns true. The child
  // gets one descriptor over a socket, so nothing but what the descriptor says is known there.
  bool in_another_process(int descriptor, const std::function<bool(int)>& body) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    const pid_t child = ::fork();  // deliberately without telling the kernel: the child abandons its copy
    if (child == 0) {
      close(ends[0]);
      kernel_.release();
      opened_.clear();
      gpu_ = std::make_shared<FakeGpu>();
      const int received = receive(ends[1]);
      start("kbl");
      const bool good = received >= 0 && body(received) && !testing::Test::HasFailure();
      kernel_->shutdown();
      _exit(good ? 0 : 1);
    }
    close(ends[1]);
    send(ends[0], descriptor);
    int status = -1;
    waitpid(child, &status, 0);
    close(ends[0]);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  static void send(int socket, int descriptor) {
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
    iovec data{&byte, 1};
    msghdr m{};
    m.msg_iov = &data, m.msg_iovlen = 1;
    m.msg_control = control, m.msg_controllen = sizeof control;
    cmsghdr* const c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(c), &descriptor, sizeof descriptor);
    EXPECT_EQ(sendmsg(socket, &m, 0), 1);
  }
  static int receive(int socket) {
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
    iovec data{&byte, 1};
    msghdr m{};
    m.msg_iov = &data, m.msg_iovlen = 1;
    m.msg_control = control, m.msg_controllen = sizeof control;
    if (recvmsg(socket, &m, 0) != 1 || CMSG_FIRSTHDR(&m) == nullptr) return -1;
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof descriptor);
    return descriptor;
  }
};

TEST_F(Sharing, ExportAndImportInOneFile) {
  const uint32_t h = create(8192);
  EXPECT_EQ(export_object(h, 1), -EINVAL);
  EXPECT_EQ(export_object(99), -ENOENT);
  const int buffer = export_object(h);
  ASSERT_GE(buffer, 0);
  const FdInfo info = kernel_->identify(buffer);
  EXPECT_EQ(info.kind, FdKind::dma_buf);
  EXPECT_EQ(info.bytes, 8192u);
  EXPECT_EQ(kernel_->seek(buffer, 0, SEEK_END), 8192);
  EXPECT_EQ(kernel_->seek(buffer, 5, SEEK_SET), -EINVAL);
  EXPECT_EQ(fcntl(buffer, F_GETFD), FD_CLOEXEC);
  uint32_t again = 0;
  EXPECT_EQ(import_object(buffer, again), 0);
  EXPECT_EQ(again, h);
  EXPECT_EQ(import_object(fd_, again), -EINVAL);
  EXPECT_EQ(import_object(12345, again), -EBADF);
  // The descriptor alone keeps the object.
  write(h, 0, {0xabcd});
  close_object(h);
  for (int i = 0; i < 4; ++i) write(create(8192), 0, {1});
  EXPECT_EQ(import_object(buffer, again), 0);
  EXPECT_EQ(read(again), 0xabcdu);
  close_object(again);
  close(buffer);
  const Arena& arena = *kernel_->state().file(fd_)->arena;
  create(4096);  // any request lets go of what only the descriptor kept
  uint32_t left = 0;
  for (uint32_t i = 1; i < const_cast<Arena&>(arena).head().next_object; ++i)
    left += const_cast<Arena&>(arena).object(i).storage != Storage::none;
  EXPECT_EQ(left, 5u);
}

TEST_F(Sharing, MapsOfDmaBufs) {
  const uint32_t h = create(8192);
  write(h, 4096, {0x1111});
  const int buffer = export_object(h), read_only = export_object(h, DRM_CLOEXEC);
  const MapPlan plan = kernel_->plan_map(buffer, 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED);
  ASSERT_EQ(plan.error, 0);
  auto* const p =
      static_cast<uint32_t*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, plan.fd, off_t(plan.offset)));
  ASSERT_NE(p, MAP_FAILED);
  kernel_->note_mapped(p, 4096, buffer, 4096);
  EXPECT_EQ(*p, 0x1111u);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, read_only, off_t(plan.offset)), MAP_FAILED);
  EXPECT_EQ(kernel_->plan_map(buffer, 4096, 8192, PROT_READ, MAP_SHARED).error, -EINVAL);
  EXPECT_EQ(kernel_->plan_map(buffer, 1 << 30, 4096, PROT_READ, MAP_SHARED).error, -EINVAL);
  close(buffer);
  close(read_only);
  close_object(h);
  create(8192);
  EXPECT_EQ(*p, 0x1111u);
  kernel_->note_unmapped(p, 4096);
  munmap(p, 4096);
}

TEST_F(Sharing, BetweenFiles) {
  const uint32_t h = create(4096);
  const int buffer = export_object(h), other = open(render_minor);
  uint32_t there = 0, twice = 0;
  ASSERT_EQ(import_object(buffer, there, other), 0);
  EXPECT_EQ(import_object(buffer, twice, other), 0);
  EXPECT_EQ(there, twice);
  close(buffer);
  write(h, 0, {5});
  EXPECT_EQ(read(there, 0, other), 5u);
  // Work of one file orders that of the other.
  EXPECT_EQ(run({2, 60, 1, lo(target_address), hi(target_address), 6, 0}, h), 0);
  EXPECT_EQ(wait(there, 0, other), -ETIME);
  EXPECT_EQ(run({4, lo(target_address), hi(target_address), 6, 1, lo(target_address), hi(target_address), 7, 0}, there,
                EXEC_OBJECT_WRITE, 0, other),
            0);
  EXPECT_EQ(read(h), 7u);
  // It is mapped from where it lives.
  drm_i915_gem_mmap_offset m{.handle = there, .flags = I915_MMAP_OFFSET_WB};
  ASSERT_EQ(call(other, DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), 0);
  const MapPlan plan = kernel_->plan_map(other, m.offset, 4096, PROT_READ, MAP_SHARED);
  ASSERT_EQ(plan.error, 0);
  EXPECT_TRUE(kernel_->is_internal(plan.fd));
  void* const p = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, plan.fd, off_t(plan.offset));
  ASSERT_NE(p, MAP_FAILED);
  EXPECT_EQ(*static_cast<uint32_t*>(p), 7u);
  munmap(p, 4096);
  EXPECT_EQ(peek(there, other), 7u);
  // Exported again by the other file, it is the same object.
  const int again = export_object(there, DRM_RDWR, other);
  uint32_t back = 0;
  EXPECT_EQ(import_object(again, back), 0);
  EXPECT_EQ(back, h);
  close(again);
  close_object(h);
  EXPECT_EQ(read(there, 0, other), 7u);
  EXPECT_EQ(close_object(there, other), 0);
}

TEST_F(Sharing, ImplicitFencesAsSyncFiles) {
  const uint32_t h = create(4096), slow = create(4096);
  const int buffer = export_object(h);
  EXPECT_EQ(run({2, 80, 0}, h), 0);
  dma_buf_export_sync_file e{};
  EXPECT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &e), -EINVAL);
  e.flags = DMA_BUF_SYNC_READ;
  ASSERT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &e), 0);
  pollfd p{e.fd, POLLIN, 0};
  EXPECT_EQ(poll(&p, 1, 0), 0);
  EXPECT_EQ(poll(&p, 1, 5000), 1);
  close(e.fd);
  dma_buf_sync s{.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW};
  EXPECT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_SYNC, &s), 0);
  s.flags = 64;
  EXPECT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_SYNC, &s), -EINVAL);
  // The fence of one object becomes that of another.
  const int other = export_object(slow);
  EXPECT_EQ(run({2, 80, 0}, slow, EXEC_OBJECT_WRITE, new_context()), 0);
  e.flags = DMA_BUF_SYNC_RW;
  ASSERT_EQ(kernel_->ioctl(other, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &e), 0);
  dma_buf_import_sync_file i{.flags = DMA_BUF_SYNC_WRITE, .fd = e.fd};
  EXPECT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &i), 0);
  EXPECT_EQ(wait(h, 0), -ETIME);
  EXPECT_EQ(wait(h), 0);
  EXPECT_EQ(wait(slow, 0), 0);
  i.fd = fd_;
  EXPECT_EQ(kernel_->ioctl(buffer, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &i), -EINVAL);
  EXPECT_EQ(kernel_->ioctl(buffer, _IOW('b', 9, int), &i), -ENOTTY);
  EXPECT_EQ(kernel_->ioctl(buffer, DRM_IOCTL_VERSION, &i), -ENOTTY);
  close(e.fd);
  close(buffer);
  close(other);
}

TEST_F(Sharing, DmaBufInAnotherProcess) {
  const uint32_t h = create(4096);
  write(h, 0, {0x1234});
  const int buffer = export_object(h);
  // The other process writes after 100 ms; while it is alive and busy, this one's view says so.
  EXPECT_TRUE(in_another_process(buffer, [&](int received) {
    uint32_t mine = 0;
    if (kernel_->identify(received).kind != FdKind::dma_buf || import_object(received, mine) != 0) return false;
    close(received);
    if (read(mine) != 0x1234) return false;
    return run({2, 100, 1, lo(target_address), hi(target_address), 0x4321, 0}, mine) == 0 && read(mine) == 0x4321;
  }));
  EXPECT_EQ(read(h), 0x4321u);
  EXPECT_EQ(wait(h, 0), 0);
  close(buffer);
}

TEST_F(Sharing, WorkOfAProcessOrdersThatOfAnother) {
  const uint32_t h = create(4096);
  const int buffer = export_object(h);
  EXPECT_EQ(run({2, 300, 1, lo(target_address), hi(target_address), 1, 0}, h), 0);
  EXPECT_TRUE(in_another_process(buffer, [&](int received) {
    uint32_t mine = 0;
    if (import_object(received, mine) != 0 || wait(mine, 0) != -ETIME) return false;
    return run({1, lo(target_address), hi(target_address), 2, 0}, mine) == 0 && wait(mine) == 0;
  }));
  EXPECT_EQ(read(h), 2u) << "the later writer won";
}

TEST_F(Sharing, FencesOfADeadProcessSignal) {
  const uint32_t h = create(4096);
  const int buffer = export_object(h);
  EXPECT_TRUE(in_another_process(buffer, [&](int received) {
    uint32_t mine = 0;
    if (import_object(received, mine) != 0) return false;
    if (run({2, 60000, 0}, mine) != 0 || wait(mine, 0) != -ETIME) return false;
    _exit(0);  // without finishing
  }));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(wait(h), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  close(buffer);
}

TEST_F(Sharing, DeviceInAnotherProcess) {
  const uint32_t h = create(4096);
  EXPECT_TRUE(in_another_process(fd_, [&](int received) {
    if (kernel_->identify(received).kind != FdKind::device) return false;
    write(h, 0, {0x77}, received);
    return create(4096, received) == h + 1 &&
           run(store(target_address + 4, 0x78), h, EXEC_OBJECT_WRITE, 0, received) == 0 &&
           wait(h, 10'000'000'000, received) == 0;
  }));
  EXPECT_EQ(read(h), 0x77u);
  EXPECT_EQ(read(h, 4), 0x78u);
  EXPECT_EQ(close_object(h + 1), 0) << "handles are shared";
}

TEST_F(Sharing, SyncFileInAnotherProcess) {
  const uint32_t batch = create(4096);
  write(batch, 0, {2, 200, 0});
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e{};
  e.buffers_ptr = uint64_t(list.data()), e.buffer_count = 1;
  e.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT;
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e), 0);
  const int fence = int(e.rsvd2 >> 32);
  EXPECT_TRUE(in_another_process(fence, [&](int received) {
    const uint32_t mine = create(4096);
    std::vector<drm_i915_gem_exec_object2> l{pinned(mine, batch_address)};
    drm_i915_gem_execbuffer2 x{};
    x.buffers_ptr = uint64_t(l.data()), x.buffer_count = 1;
    x.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_IN;
    x.rsvd2 = uint64_t(received);
    if (call(DRM_IOCTL_I915_GEM_EXECBUFFER2, x) != 0) return false;
    close(received);
    return wait(mine, 20'000'000) == -ETIME && wait(mine) == 0;
  }));
  close(fence);
}

TEST_F(Sharing, Fork) {
  const uint32_t h = create(4096);
  EXPECT_EQ(run({2, 150, 1, lo(target_address), hi(target_address), 1, 0}, h), 0);
  kernel_->before_fork();
  const pid_t child = ::fork();
  if (child == 0) {
    kernel_->after_fork_in_child();
    // The parent's work is seen as pending, and new work follows it.
    const bool good = wait(h, 0) == -ETIME && run({1, lo(target_address), hi(target_address), 2, 0}, h) == 0 &&
                      read(h) == 2 && create(4096) != 0;
    kernel_->shutdown();
    _exit(good ? 0 : 1);
  }
  kernel_->after_fork_in_parent();
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read(h), 2u);
  EXPECT_EQ(run(store(target_address, 3), h), 0);
  EXPECT_EQ(read(h), 3u);
}

TEST_F(Sharing, MappingsOfAForkedChildKeepTheObject) {
  const uint32_t h = create(4096);
  drm_i915_gem_mmap m{.handle = h, .size = 4096};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
  auto* const p = reinterpret_cast<volatile uint32_t*>(m.addr_ptr);
  *p = 9;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  kernel_->before_fork();
  const pid_t child = ::fork();
  if (child == 0) {
    kernel_->after_fork_in_child();
    char byte = 0;
    const bool told = ::read(ends[0], &byte, 1) == 1;
    _exit(told && *p == 9 ? 0 : 1);
  }
  kernel_->after_fork_in_parent();
  kernel_->note_unmapped(reinterpret_cast<void*>(m.addr_ptr), 4096);
  munmap(reinterpret_cast<void*>(m.addr_ptr), 4096);
  close_object(h);
  for (int i = 0; i < 4; ++i) write(create(4096), 0, {1});
  EXPECT_EQ(::write(ends[1], "", 1), 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace vitro::i915
