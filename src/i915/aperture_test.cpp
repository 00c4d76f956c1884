// Tests of mappings of tiled objects through the aperture: the order of bytes, and at which calls what was written on
// one side is seen on the other.
#include "i915/aperture.h"

#include <linux/dma-buf.h>
#include <sys/wait.h>

#include "i915/kernel_test.h"
#include "memory/tiling.h"

namespace vitro::i915 {
namespace {

class Aperture : public KernelTest {
 protected:
  static constexpr uint32_t stride = 1024, rows = 64, bytes = stride * rows;

  uint32_t create_tiled(uint32_t tiling, uint64_t size = bytes) {
    const uint32_t h = create(size);
    EXPECT_EQ(set_tiling(h, tiling), 0);
    return h;
  }
  int set_tiling(uint32_t h, uint32_t tiling) {
    drm_i915_gem_set_tiling t{.handle = h, .tiling_mode = tiling, .stride = tiling ? stride : 0};
    return call(DRM_IOCTL_I915_GEM_SET_TILING, t);
  }
  uint64_t offset_of(uint32_t h, int fd) {
    drm_i915_gem_mmap_gtt m{.handle = h};
    EXPECT_EQ(call(fd, DRM_IOCTL_I915_GEM_MMAP_GTT, m), 0);
    return m.offset;
  }
  uint32_t* map(uint32_t h, int fd = -1, uint64_t size = bytes) {
    if (fd < 0) fd = fd_;
    const uint64_t offset = offset_of(h, fd);
    const MapPlan plan = kernel_->plan_map(fd, offset, size, PROT_READ | PROT_WRITE, MAP_SHARED);
    EXPECT_EQ(plan.error, 0);
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, plan.fd, off_t(plan.offset));
    EXPECT_NE(at, MAP_FAILED);
    kernel_->note_mapped(at, size, fd, offset);
    return static_cast<uint32_t*>(at);
  }
  void unmap(uint32_t* at) {
    kernel_->note_unmapped(at, bytes);
    munmap(at, bytes);
  }
  // The memory itself.
  uint32_t* raw_map(uint32_t h) {
    drm_i915_gem_mmap m{.handle = h, .size = bytes};
    EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
    return reinterpret_cast<uint32_t*>(m.addr_ptr);
  }
  int set_domain(uint32_t h) {
    drm_i915_gem_set_domain d{.handle = h, .read_domains = I915_GEM_DOMAIN_GTT, .write_domain = I915_GEM_DOMAIN_GTT};
    return call(DRM_IOCTL_I915_GEM_SET_DOMAIN, d);
  }
  static size_t place(memory::Tiling tiling, uint32_t x, uint32_t y) {
    return memory::tiled_offset(tiling, x * 4, y, stride) / 4;
  }
};

struct Kind {
  uint32_t number;
  memory::Tiling tiling;
};
constexpr Kind kinds[] = {{I915_TILING_X, memory::Tiling::x}, {I915_TILING_Y, memory::Tiling::y}};

TEST_F(Aperture, LooksLinear) {
  for (const Kind& k : kinds) {
    const uint32_t h = create_tiled(k.number);
    uint32_t* const memory = raw_map(h);
    for (uint32_t y = 0; y < rows; ++y)
      for (uint32_t x = 0; x < stride / 4; ++x) memory[place(k.tiling, x, y)] = y << 16 | x;
    uint32_t* const view = map(h);
    for (uint32_t y = 0; y < rows; ++y)
      for (uint32_t x = 0; x < stride / 4; ++x) ASSERT_EQ(view[y * stride / 4 + x], y << 16 | x);
    view[3 * stride / 4 + 200] = 0xabcd;
    EXPECT_EQ(set_domain(h), 0);
    EXPECT_EQ(memory[place(k.tiling, 200, 3)], 0xabcdu);
    EXPECT_EQ(memory[place(k.tiling, 201, 3)], (3u << 16 | 201));
    unmap(view);
    unmap(memory);
  }
}

TEST_F(Aperture, BatchesSeeWhatWasWrittenAndAreSeen) {
  const uint32_t h = create_tiled(I915_TILING_Y);
  uint32_t* const view = map(h);
  view[5 * stride / 4 + 9] = 77;
  // The batch goes on when it finds the value in the tile, and answers beside it.
  const uint64_t in = target_address + 4 * place(memory::Tiling::y, 9, 5);
  const uint64_t out = target_address + 4 * place(memory::Tiling::y, 40, 33);
  EXPECT_EQ(run({4, lo(in), hi(in), 77, 1, lo(out), hi(out), 88, 0}, h), 0);
  // No call that names the object: another one that the same queue finishes later is waited for.
  const uint32_t other = create(4096);
  EXPECT_EQ(run({0}, other), 0);
  EXPECT_EQ(wait(other), 0);
  EXPECT_EQ(view[33 * stride / 4 + 40], 88u);
  EXPECT_EQ(view[5 * stride / 4 + 9], 77u);
  unmap(view);
}

TEST_F(Aperture, EveryCallThatNamesTheObjectSettlesIt) {
  const uint32_t h = create_tiled(I915_TILING_X);
  uint32_t* const view = map(h);
  uint32_t* const memory = raw_map(h);
  const size_t in_tile = place(memory::Tiling::x, 1, 9), in_view = 9 * stride / 4 + 1;
  uint32_t value = 100;
  const auto both_ways = [&](const char* name, const std::function<void()>& settle) {
    view[in_view] = ++value;
    settle();
    EXPECT_EQ(memory[in_tile], value) << name;
    memory[in_tile] = ++value;
    settle();
    EXPECT_EQ(view[in_view], value) << name;
  };
  drm_prime_handle p{.handle = h, .flags = DRM_RDWR | DRM_CLOEXEC};
  ASSERT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
  both_ways("set_domain", [&] { set_domain(h); });
  both_ways("sw_finish", [&] {
    drm_i915_gem_sw_finish s{.handle = h};
    call(DRM_IOCTL_I915_GEM_SW_FINISH, s);
  });
  both_ways("busy", [&] {
    drm_i915_gem_busy b{.handle = h};
    call(DRM_IOCTL_I915_GEM_BUSY, b);
  });
  both_ways("wait", [&] { wait(h); });
  both_ways("pread", [&] { read(h); });
  both_ways("pwrite", [&] { write(h, 0, {1}); });
  both_ways("mmap", [&] { unmap(raw_map(h)); });
  both_ways("dma-buf", [&] {
    dma_buf_sync s{.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW};
    call(p.fd, DMA_BUF_IOCTL_SYNC, s);
  });
  view[in_view] = ++value;
  unmap(view);
  EXPECT_EQ(memory[in_tile], value);
  ::close(p.fd);
  unmap(memory);
}

TEST_F(Aperture, BothSidesKeepTheirWrites) {
  const uint32_t h = create_tiled(I915_TILING_Y);
  uint32_t* const view = map(h);
  uint32_t* const memory = raw_map(h);
  // In the same 16 bytes.
  view[0] = 1;
  memory[1] = 2;
  EXPECT_EQ(set_domain(h), 0);
  EXPECT_EQ(memory[0], 1u);
  EXPECT_EQ(view[1], 2u);
  unmap(view);
  unmap(memory);
}

TEST_F(Aperture, TilingThatChanges) {
  const uint32_t h = create_tiled(I915_TILING_X);
  uint32_t* const view = map(h);
  view[stride / 4] = 5;  // the second row
  EXPECT_EQ(set_tiling(h, I915_TILING_Y), 0);
  uint32_t* const memory = raw_map(h);
  EXPECT_EQ(memory[place(memory::Tiling::x, 0, 1)], 5u);
  // The same byte in Y's order.
  EXPECT_EQ(view[stride / 4], memory[place(memory::Tiling::y, 0, 1)]);
  view[stride / 4] = 6;
  EXPECT_EQ(set_tiling(h, I915_TILING_NONE), 0);
  EXPECT_EQ(memory[place(memory::Tiling::y, 0, 1)], 6u);
  EXPECT_EQ(std::memcmp(view, memory, bytes), 0);
  view[77] = 9;
  EXPECT_EQ(set_domain(h), 0);
  EXPECT_EQ(memory[77], 9u);
  unmap(view);
  unmap(memory);
}

TEST_F(Aperture, OffsetBeforeTiling) {
  const uint32_t h = create(bytes);
  offset_of(h, fd_);
  EXPECT_EQ(set_tiling(h, I915_TILING_X), 0);
  uint32_t* const view = map(h);
  view[stride / 4] = 5;
  EXPECT_EQ(set_domain(h), 0);
  EXPECT_EQ(read(h, 4 * place(memory::Tiling::x, 0, 1)), 5u);
  unmap(view);
}

TEST_F(Aperture, LinearObjectsAreMappedThemselves) {
  const uint32_t h = create(bytes);
  uint32_t* const view = map(h);
  uint32_t* const memory = raw_map(h);
  view[3] = 4;
  EXPECT_EQ(memory[3], 4u);
  EXPECT_EQ(kernel_->state().file(fd_)->arena->object(1).aperture, 0u);
  unmap(view);
  unmap(memory);
}

// A last row of tiles that is cut off: what is not there takes nothing and gives nothing.
TEST_F(Aperture, CutOff) {
  const uint32_t h = create_tiled(I915_TILING_Y, 5 * 4096);
  uint32_t* const view = map(h, -1, 5 * 4096);
  for (uint32_t i = 0; i < 5 * 1024; ++i) view[i] = i + 1;
  EXPECT_EQ(set_domain(h), 0);
  for (uint32_t x = 0; x < stride / 4; ++x) {
    // Of the single row of tiles, 32 rows high, 20 are in view and 5 of 8 tiles are there.
    const size_t at = place(memory::Tiling::y, x, 19);
    if (at >= 5 * 1024) continue;
    EXPECT_EQ(read(h, at * 4), 19 * stride / 4 + x + 1);
  }
  kernel_->note_unmapped(view, 5 * 4096);
  munmap(view, 5 * 4096);
}

TEST_F(Aperture, ImportedObjects) {
  const uint32_t h = create_tiled(I915_TILING_X);
  drm_prime_handle p{.handle = h, .flags = DRM_RDWR | DRM_CLOEXEC};
  ASSERT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
  const int second = open(render_minor);
  drm_prime_handle q{.fd = p.fd};
  ASSERT_EQ(call(second, DRM_IOCTL_PRIME_FD_TO_HANDLE, q), 0);
  uint32_t* const theirs = map(q.handle, second);
  uint32_t* const mine = map(h);
  theirs[stride / 4] = 11;
  EXPECT_EQ(mine[stride / 4], 11u);  // one copy
  EXPECT_EQ(set_domain(h), 0);
  EXPECT_EQ(read(h, 4 * place(memory::Tiling::x, 0, 1)), 11u);
  unmap(theirs);
  unmap(mine);
  ::close(p.fd);
}

TEST_F(Aperture, StorageIsGivenBack) {
  const uint32_t h = create_tiled(I915_TILING_Y);
  uint32_t* const view = map(h);
  view[0] = 1;
  unmap(view);
  EXPECT_EQ(close_object(h), 0);
  EXPECT_EQ(kernel_->state().file(fd_)->arena->head().extent_count, 2u);  // the other is for imports
  uint32_t* const again = map(create_tiled(I915_TILING_Y));
  EXPECT_EQ(again[0], 0u);
  unmap(again);
}

}  // namespace
}  // namespace vitro::i915
