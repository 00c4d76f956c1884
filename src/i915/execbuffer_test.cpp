// Tests of execbuffer2: the order of its checks, placement, relocations, implicit and explicit fences, concurrency.
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Execbuffer : public KernelTest {
 protected:
  drm_i915_gem_execbuffer2 one(std::vector<drm_i915_gem_exec_object2>& list, uint64_t flags = I915_EXEC_NO_RELOC) {
    drm_i915_gem_execbuffer2 e{};
    e.buffers_ptr = uint64_t(list.data());
    e.buffer_count = uint32_t(list.size());
    e.flags = flags;
    return e;
  }
  int submit(drm_i915_gem_execbuffer2 e) { return call(DRM_IOCTL_I915_GEM_EXECBUFFER2, e); }
  static bool is_signalled(int fd, int timeout_ms = 0) {
    pollfd p{fd, POLLIN, 0};
    return poll(&p, 1, timeout_ms) == 1;
  }
  // As the kernel: relocations write where their targets are.
  drm_i915_gem_relocation_entry reloc(uint32_t target, uint64_t offset, uint32_t delta = 0) {
    drm_i915_gem_relocation_entry r{};
    r.target_handle = target;
    r.offset = offset;
    r.delta = delta;
    r.presumed_offset = ~uint64_t{0};
    r.read_domains = I915_GEM_DOMAIN_RENDER;
    return r;
  }
};

TEST_F(Execbuffer, ChecksInOrder) {
  const uint32_t batch = create(4096);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e = one(list);
  EXPECT_EQ(submit(e), 0);
  // Each mistake is added to those before it in reverse, so that the earlier check must win.
  e.rsvd1 = 99;  // context
  EXPECT_EQ(submit(e), -ENOENT);
  e.flags |= I915_EXEC_FENCE_IN;
  e.rsvd2 = 0x7fffffff;
  EXPECT_EQ(submit(e), -EINVAL);
  e.flags |= I915_EXEC_FENCE_ARRAY;
  drm_i915_gem_exec_fence fence{.handle = 99, .flags = I915_EXEC_FENCE_SIGNAL};
  e.cliprects_ptr = uint64_t(&fence), e.num_cliprects = 1;
  EXPECT_EQ(submit(e), -ENOENT);
  fence.flags = 8;
  EXPECT_EQ(submit(e), -EINVAL);
  e.flags |= I915_EXEC_SECURE;
  EXPECT_EQ(submit(e), -EPERM);
  e.buffers_ptr = 8;
  EXPECT_EQ(submit(e), -EFAULT);
  e.batch_start_offset = 4;
  EXPECT_EQ(submit(e), -EINVAL);
  e.buffer_count = 0;
  EXPECT_EQ(submit(e), -EINVAL);
}

TEST_F(Execbuffer, ArgumentErrors) {
  const uint32_t batch = create(4096);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  const auto with = [&](auto&& change) {
    drm_i915_gem_execbuffer2 e = one(list);
    change(e);
    return submit(e);
  };
  EXPECT_EQ(with([](auto& e) { e.flags |= uint64_t{1} << 22; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_CONSTANTS_ABSOLUTE; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_RESOURCE_STREAMER; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.num_cliprects = 1; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.DR1 = 1; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.DR4 = 0xffffffff; }), 0);
  EXPECT_EQ(with([](auto& e) { e.batch_len = 12; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.batch_len = 8192; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.batch_start_offset = 4096; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_GEN7_SOL_RESET; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.flags |= 5; }), -EINVAL) << "no such ring";
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_BLT | I915_EXEC_BSD_RING1; }), -EINVAL);
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_BSD | I915_EXEC_BSD_RING1; }), 0);
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT; }), -EINVAL);
  start("snb");
  list = {pinned(create(4096), batch_address)};
  EXPECT_EQ(with([](auto& e) { e.flags |= I915_EXEC_VEBOX; }), -EINVAL) << "no such engine";
}

TEST_F(Execbuffer, ObjectErrors) {
  const uint32_t batch = create(4096), data = create(8192);
  const auto with = [&](auto&& change) {
    std::vector<drm_i915_gem_exec_object2> list{pinned(data, target_address), pinned(batch, batch_address)};
    change(list);
    return execute(list);
  };
  EXPECT_EQ(with([](auto& l) { l[0].handle = 99; }), -ENOENT);
  EXPECT_EQ(with([](auto& l) { l[0].flags |= 1 << 8; }), -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[0].alignment = 12288; }), -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[0].offset = 0x1001; }), -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[0].offset = uint64_t{1} << 47; }), -EINVAL) << "not canonical";
  EXPECT_EQ(with([](auto& l) { l[0].offset = 0xffff'8000'0000'0000; }), 0);
  EXPECT_EQ(with([](auto& l) { l[0].flags |= EXEC_OBJECT_PAD_TO_SIZE, l[0].pad_to_size = 100; }), -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[1].flags |= EXEC_OBJECT_WRITE; }), -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[0].alignment = 1 << 21; }), -EINVAL) << "pinned where it must not be";
  EXPECT_EQ(with([](auto& l) { l[0].flags &= ~uint64_t(EXEC_OBJECT_SUPPORTS_48B_ADDRESS), l[0].offset = 1ull << 32; }),
            -EINVAL);
  EXPECT_EQ(with([](auto& l) { l[0].offset = batch_address - 4096; }), -ENOSPC);
  EXPECT_EQ(with([](auto& l) { l[0].offset = 0xffff'ffff'ffff'f000; }), -EINVAL) << "past the end";
}

TEST_F(Execbuffer, BatchFirstAndStart) {
  const uint32_t batch = create(8192), data = create(4096);
  write(batch, 4096, store(target_address, 3));
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address), pinned(data, target_address)};
  drm_i915_gem_execbuffer2 e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_BATCH_FIRST);
  e.batch_start_offset = 4096;
  EXPECT_EQ(submit(e), 0);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 3u);
  const std::lock_guard guard(gpu_->lock);
  EXPECT_EQ(gpu_->batches.at(0).address, batch_address + 4096);
  EXPECT_EQ(gpu_->batches.at(0).bytes, 4096u);
  EXPECT_EQ(gpu_->batches.at(0).engine, device::Engine::render);
}

TEST_F(Execbuffer, CanonicalAddresses) {
  const uint64_t high = 0xffff'8001'0000'0000;
  const uint32_t batch = create(4096), data = create(4096);
  write(batch, 0, store(high, 0x99));
  std::vector<drm_i915_gem_exec_object2> list{pinned(data, high), pinned(batch, batch_address)};
  EXPECT_EQ(execute(list), 0);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(read(data), 0x99u);
}

TEST_F(Execbuffer, PinnedObjectsPushOthersAside) {
  const uint32_t a = create(4096), b = create(4096);
  EXPECT_EQ(run(store(target_address, 1), a), 0);
  EXPECT_EQ(run(store(target_address, 2), b), 0);
  EXPECT_EQ(read(a), 1u);
  EXPECT_EQ(read(b), 2u);
  // A closed object is not there any more.
  close_object(b);
  const uint32_t batch = create(4096);
  write(batch, 0, store(target_address, 3));
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  EXPECT_EQ(execute(list), 0);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(a), 1u);
}

TEST_F(Execbuffer, Relocations) {
  const uint32_t data = create(8192), batch = create(4096);
  write(batch, 0, store(0, 0x77));
  std::vector<drm_i915_gem_relocation_entry> relocs{reloc(data, 4, 4100)};
  std::vector<drm_i915_gem_exec_object2> list(2);
  list[0].handle = data;
  list[1].handle = batch;
  list[1].relocation_count = 1;
  list[1].relocs_ptr = uint64_t(relocs.data());
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(data, 4100), 0x77u);
  EXPECT_EQ(list[0].offset, 0u);  // where the list believed it to be
  EXPECT_EQ(relocs[0].presumed_offset, list[0].offset);
  EXPECT_EQ(read(batch, 4), uint32_t(list[0].offset + 4100));
  // Presumed right: nothing is written, and nothing else of the entry is looked at.
  write(batch, 4, {123});
  relocs[0].offset = 100000;
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(read(batch, 4), 123u);
  // By index, where nothing moves.
  relocs[0] = reloc(0, 4);
  EXPECT_EQ(execute(list, I915_EXEC_HANDLE_LUT | I915_EXEC_NO_RELOC), 0);
  EXPECT_EQ(read(batch, 4), 123u) << "told that all is up to date";
  EXPECT_EQ(execute(list, I915_EXEC_HANDLE_LUT), 0);
  EXPECT_EQ(read(batch, 4), uint32_t(list[0].offset));
  // With 48 bits, above 4 GiB.
  list[0].flags = EXEC_OBJECT_SUPPORTS_48B_ADDRESS;
  const uint32_t other = create(4096);
  list[0].handle = other, list[0].offset = 0;
  relocs[0] = reloc(other, 4);
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_GE(list[0].offset, uint64_t{1} << 32);
  EXPECT_EQ(read(batch, 8), uint32_t(list[0].offset >> 32));
}

// Where an object is not pinned, its offset is what the caller believes, and 0 is a place like others.
TEST_F(Execbuffer, OffsetsOfOthersAreTriedFirst) {
  const uint32_t target = create(4096), batch = create(4096);
  write(batch, 0, store(0, 8));
  const auto unpinned = [](uint32_t handle, uint64_t offset) {
    drm_i915_gem_exec_object2 o{};
    o.handle = handle;
    o.offset = offset;
    return o;
  };
  std::vector<drm_i915_gem_exec_object2> list{unpinned(target, 0), unpinned(batch, 0x5000)};
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(list[0].offset, 0u);
  EXPECT_EQ(list[1].offset, 0x5000u);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(target), 8u);
  // The place is taken: another one.
  const uint32_t other = create(4096);
  list = {unpinned(target, 0), unpinned(other, 0), unpinned(batch, 0x5000)};
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(list[0].offset, 0u);
  EXPECT_NE(list[1].offset, 0u);
}

// Deltas of its relocations may be negative.
TEST_F(Execbuffer, ABatchWithRelocationsIsNotPlacedLow) {
  const uint32_t target = create(4096), batch = create(4096);
  write(batch, 0, {1, 0, 0, 3, 0});
  drm_i915_gem_relocation_entry r{.target_handle = target, .delta = 0, .offset = 4, .presumed_offset = ~uint64_t{0}};
  std::vector<drm_i915_gem_exec_object2> list(2);
  list[0].handle = target;
  list[1].handle = batch;
  list[1].relocation_count = 1;
  list[1].relocs_ptr = uint64_t(&r);
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(list[0].offset, 0u);
  EXPECT_GE(list[1].offset, 256u << 10);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(read(target), 3u);
  // One that was low already moves.
  const uint32_t second = create(4096);
  write(second, 0, {0});
  std::vector<drm_i915_gem_exec_object2> low(1);
  low[0].handle = second;
  low[0].offset = 0x8000;
  EXPECT_EQ(execute(low, 0), 0);
  EXPECT_EQ(low[0].offset, 0x8000u);
  list[1].handle = second;
  list[1].offset = 0x8000;
  write(second, 0, {1, 0, 0, 4, 0});
  r.presumed_offset = ~uint64_t{0};
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_GE(list[1].offset, 256u << 10);
  EXPECT_EQ(wait(second), 0);
  EXPECT_EQ(read(target), 4u);
}

TEST_F(Execbuffer, RelocationErrors) {
  const uint32_t data = create(4096), batch = create(4096);
  std::vector<drm_i915_gem_relocation_entry> relocs{reloc(data, 0)};
  std::vector<drm_i915_gem_exec_object2> list(2);
  list[0].handle = data;
  list[1].handle = batch;
  list[1].relocation_count = 1;
  list[1].relocs_ptr = uint64_t(relocs.data());
  const auto with = [&](auto&& change, uint64_t flags = 0) {
    relocs[0] = reloc(data, 0);
    change(relocs[0]);
    return execute(list, flags);
  };
  EXPECT_EQ(with([](auto& r) { r.target_handle = 99; }), -ENOENT);
  EXPECT_EQ(with([](auto& r) { r.target_handle = 2; }, I915_EXEC_HANDLE_LUT), -ENOENT);
  EXPECT_EQ(with([](auto& r) { r.write_domain = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER; }), -EINVAL);
  EXPECT_EQ(with([](auto& r) { r.read_domains = I915_GEM_DOMAIN_CPU; }), -EINVAL);
  EXPECT_EQ(with([](auto& r) { r.offset = 4092; }), -EINVAL) << "eight bytes are written";
  EXPECT_EQ(with([](auto& r) { r.offset = 2; }), -EINVAL);
  EXPECT_EQ(with([](auto&) {}), 0);
  list[1].relocs_ptr = 8;
  EXPECT_EQ(execute(list, 0), -EFAULT);
}

TEST_F(Execbuffer, SandyBridgeRelocatesFourBytesInOneSpace) {
  start("snb");
  const uint32_t data = create(4096), batch = create(4096);
  write(batch, 4092, {0});
  std::vector<drm_i915_gem_relocation_entry> relocs{reloc(data, 4092)};
  std::vector<drm_i915_gem_exec_object2> list(2);
  list[0].handle = data;
  list[1].handle = batch;
  list[1].relocation_count = 1;
  list[1].relocs_ptr = uint64_t(relocs.data());
  EXPECT_EQ(execute(list, 0), 0);
  EXPECT_EQ(read(batch, 4092), uint32_t(list[0].offset));
  // The space is 2 GiB: objects that are not used give way.
  const uint64_t large = 900 << 20;
  for (int i = 0; i < 4; ++i) {
    std::vector<drm_i915_gem_exec_object2> l(2);
    l[0].handle = create(large);
    l[1].handle = batch;
    EXPECT_EQ(execute(l, 0), 0) << i;
    EXPECT_LE(l[0].offset + large, uint64_t{2} << 30);
  }
  std::vector<drm_i915_gem_exec_object2> l(4);
  for (int i = 0; i < 3; ++i) l[size_t(i)].handle = create(large);
  l[3].handle = batch;
  EXPECT_EQ(execute(l, 0), -ENOSPC);
  l[0].handle = create(uint64_t{3} << 30);
  EXPECT_EQ(execute(l, 0), -ENOSPC);
}

TEST_F(Execbuffer, ReturnsAtOnceAndWaits) {
  const uint32_t data = create(4096);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run({2, 200, 1, lo(target_address), hi(target_address), 1, 0}, data), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(150));
  drm_i915_gem_busy b{.handle = data};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_BUSY, b), 0);
  EXPECT_EQ(b.busy, 0x10001u) << "written by the render engine";
  EXPECT_EQ(wait(data, 0), -ETIME);
  drm_i915_gem_wait w{.bo_handle = data, .timeout_ns = 10'000'000};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_WAIT, w), -ETIME);
  EXPECT_EQ(w.timeout_ns, 0);
  w.timeout_ns = 10'000'000'000;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_WAIT, w), 0);
  EXPECT_GT(w.timeout_ns, 0);
  EXPECT_EQ(read(data), 1u);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_BUSY, b), 0);
  EXPECT_EQ(b.busy, 0u);
  b.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_BUSY, b), -ENOENT);
  EXPECT_EQ(wait(99), -ENOENT);
  w.flags = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_WAIT, w), -EINVAL);
  EXPECT_EQ(kernel_->ioctl(fd_, DRM_IOCTL_I915_GEM_THROTTLE, nullptr), 0);
  EXPECT_EQ(kernel_->batches_submitted(), 1u);
}

TEST_F(Execbuffer, ContextsRunSideBySide) {
  const uint32_t data = create(4096), other = create(4096);
  // One waits for what the other stores.
  EXPECT_EQ(run({4, lo(target_address), hi(target_address), 8, 0}, data, 0, new_context()), 0);
  EXPECT_EQ(run({2, 30, 1, lo(target_address), hi(target_address), 8, 0}, data, 0, new_context()), 0);
  EXPECT_EQ(run({0}, other, 0, new_context()), 0);
  EXPECT_EQ(wait(data), 0);
  kernel_->shutdown();
  EXPECT_GE(gpu_->most_running, 2);
  EXPECT_EQ(kernel_->state().hangs, 0);
}

TEST_F(Execbuffer, ImplicitOrder) {
  const uint32_t data = create(4096), a = new_context(), b = new_context();
  // A writer, then a reader of another context that must see what was written.
  EXPECT_EQ(run({2, 60, 1, lo(target_address), hi(target_address), 8, 0}, data, EXEC_OBJECT_WRITE, a), 0);
  const uint32_t out = create(4096), batch = create(4096);
  write(batch, 0, {4, lo(target_address), hi(target_address), 8, 1, lo(0x900000), 0, 1, 0});
  std::vector<drm_i915_gem_exec_object2> list{pinned(data, target_address), pinned(out, 0x900000, EXEC_OBJECT_WRITE),
                                              pinned(batch, batch_address + 0x200000)};
  const auto before = gpu_->batches.size();
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, b), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  {
    const std::lock_guard guard(gpu_->lock);
    EXPECT_LE(gpu_->batches.size(), before + 1) << "it has begun before the writer ended";
  }
  EXPECT_EQ(read(out), 1u);
  // Without waiting, if told so.
  EXPECT_EQ(run({2, 200, 0}, data, EXEC_OBJECT_WRITE, a), 0);
  list[0].flags |= EXEC_OBJECT_ASYNC;
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC, b), 0);
  EXPECT_EQ(wait(out, 100'000'000), 0);
  EXPECT_EQ(wait(data, 0), -ETIME);
}

TEST_F(Execbuffer, ManyReadersAtOnce) {
  const uint32_t data = create(4096);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(run({2, 5, 0}, data, 0, new_context()), 0);
  EXPECT_EQ(wait(data), 0);
  kernel_->shutdown();
  const std::lock_guard guard(gpu_->lock);
  EXPECT_EQ(gpu_->batches.size(), 40u);
}

TEST_F(Execbuffer, ManyThreadsSubmit) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const uint32_t context = new_context(), data = create(4096), batch = create(4096);
      for (uint32_t i = 1; i <= 100; ++i) {
        const uint64_t at = 0x1000000 + 0x100000 * uint64_t(t);
        write(batch, 0, store(at, i));
        std::vector<drm_i915_gem_exec_object2> list{pinned(data, at, EXEC_OBJECT_WRITE), pinned(batch, at + 0x10000)};
        if (execute(list, I915_EXEC_NO_RELOC, context) != 0 || read(data) != i) ++failures;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(Execbuffer, FullRing) {
  const uint32_t data = create(4096), batch = create(4096);
  fcntl(fd_, F_SETFL, O_NONBLOCK);
  EXPECT_EQ(run({4, lo(target_address), hi(target_address), 1, 0}, data, 0), 0);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, 0x900000)};
  int result = 0;
  for (int i = 0; i < 2000 && result == 0; ++i) result = execute(list);
  EXPECT_EQ(result, -EWOULDBLOCK);
  EXPECT_EQ(run(store(target_address, 1), data, 0, new_context()), 0);
  EXPECT_EQ(wait(batch), 0);
  EXPECT_EQ(execute(list), 0);
}

TEST_F(Execbuffer, OutFenceAndInFence) {
  const uint32_t data = create(4096), batch = create(4096);
  write(batch, 0, {2, 100, 0});
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT);
  e.rsvd2 = 5;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e), 0);
  const int fence = int(e.rsvd2 >> 32);
  EXPECT_EQ(uint32_t(e.rsvd2), 5u);
  EXPECT_FALSE(is_signalled(fence));
  EXPECT_NE(kernel_->lowest_internal(), INT_MAX);
  EXPECT_TRUE(kernel_->is_internal(kernel_->lowest_internal()));
  sync_file_info info{};
  EXPECT_EQ(kernel_->ioctl(fence, SYNC_IOC_FILE_INFO, &info), 0);
  EXPECT_EQ(info.status, 0);
  EXPECT_EQ(info.num_fences, 1u);
  // Another context waits for it.
  const uint32_t second = create(4096);
  write(second, 0, store(target_address, 4));
  list = {pinned(data, target_address), pinned(second, batch_address)};
  e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_FENCE_IN);
  e.rsvd1 = new_context(), e.rsvd2 = uint64_t(fence);
  EXPECT_EQ(submit(e), 0);
  EXPECT_EQ(peek(data), 0u);
  EXPECT_EQ(wait(data), 0);
  EXPECT_EQ(peek(data), 4u);
  EXPECT_TRUE(is_signalled(fence));
  EXPECT_EQ(kernel_->ioctl(fence, SYNC_IOC_FILE_INFO, &info), -EFAULT) << "one fence, but nowhere to put it";
  sync_fence_info detail{};
  info.sync_fence_info = uint64_t(&detail);
  EXPECT_EQ(kernel_->ioctl(fence, SYNC_IOC_FILE_INFO, &info), 0);
  EXPECT_STREQ(detail.driver_name, "i915");
  EXPECT_EQ(detail.status, 1);
  EXPECT_EQ(info.status, 1);
  kernel_->shutdown();
  EXPECT_EQ(kernel_->lowest_internal(), INT_MAX);
  uint64_t none = 0;
  EXPECT_EQ(kernel_->ioctl(fence, _IOWR('>', 9, uint64_t), &none), -ENOTTY);
  close(fence);
}

TEST_F(Execbuffer, MergedSyncFiles) {
  const uint32_t batch = create(4096), slow = create(4096);
  write(slow, 0, {2, 100, 0});
  const auto fence_of = [&](uint32_t b) {
    std::vector<drm_i915_gem_exec_object2> list{pinned(b, batch_address)};
    drm_i915_gem_execbuffer2 e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT);
    e.rsvd1 = new_context();
    EXPECT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e), 0);
    return int(e.rsvd2 >> 32);
  };
  const int a = fence_of(batch), b = fence_of(slow);
  sync_merge_data m{};
  m.fd2 = b;
  EXPECT_EQ(kernel_->ioctl(a, SYNC_IOC_MERGE, &m), 0);
  close(a);
  close(b);
  EXPECT_FALSE(is_signalled(m.fence));
  EXPECT_TRUE(is_signalled(m.fence, 5000));
  const int merged = m.fence;
  m.fd2 = fd_;
  EXPECT_EQ(kernel_->ioctl(merged, SYNC_IOC_MERGE, &m), -ENOENT);
  m.flags = 1;
  EXPECT_EQ(kernel_->ioctl(merged, SYNC_IOC_MERGE, &m), -EINVAL);
  EXPECT_EQ(kernel_->ioctl(fd_, SYNC_IOC_MERGE, &m), std::nullopt);
  // A pipe of the program's own is no sync_file, though that is what a sync_file is made of.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(kernel_->ioctl(ends[0], SYNC_IOC_MERGE, &m), std::nullopt);
  m.flags = 0, m.fd2 = ends[0];
  EXPECT_EQ(kernel_->ioctl(merged, SYNC_IOC_MERGE, &m), -ENOENT);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_FENCE_IN);
  e.rsvd2 = uint32_t(ends[0]);
  EXPECT_EQ(submit(e), -EINVAL);
  close(merged);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(Execbuffer, AClosedOutFenceDoesNotKill) {
  const uint32_t batch = create(4096);
  write(batch, 0, {2, 20, 0});
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_execbuffer2 e = one(list, I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e), 0);
  close(int(e.rsvd2 >> 32));
  kernel_->shutdown();
  EXPECT_EQ(wait(batch), 0);
}

}  // namespace
}  // namespace vitro::i915
