// Tests of objects: making, properties, CPU access, userptr, and the errors of each request.
#include <fcntl.h>

#include "i915/arena.h"
#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Objects : public KernelTest {};
class ObjectsSnb : public KernelTest {
 protected:
  ObjectsSnb() : KernelTest("snb") {}
};

TEST_F(Objects, CreateRoundsUpAndGivesZeros) {
  drm_i915_gem_create c{.size = 5000};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_CREATE, c), 0);
  EXPECT_EQ(c.size, 8192u);
  EXPECT_EQ(c.handle, 1u);
  EXPECT_EQ(read(c.handle, 8188), 0u);
  drm_i915_gem_create none{};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE, none), -EINVAL);
  drm_i915_gem_create large{.size = uint64_t{1} << 60};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE, large), -E2BIG);
}

TEST_F(Objects, HandlesAreTheLowestFree) {
  EXPECT_EQ(create(4096), 1u);
  EXPECT_EQ(create(4096), 2u);
  EXPECT_EQ(create(4096), 3u);
  EXPECT_EQ(close_object(2), 0);
  EXPECT_EQ(close_object(2), -EINVAL);
  EXPECT_EQ(close_object(0), -EINVAL);
  EXPECT_EQ(create(4096), 2u);
}

TEST_F(Objects, StorageIsZeroAgainAfterItWasFreed) {
  const uint32_t a = create(1 << 20);
  write(a, 4096, {0xdeadbeef});
  EXPECT_EQ(read(a, 4096), 0xdeadbeefu);
  close_object(a);
  for (int i = 0; i < 100; ++i) {
    const uint32_t b = create(1 << 20);
    EXPECT_EQ(read(b, 4096), 0u);
    write(b, 4096, {1});
    close_object(b);
  }
  // All of it was given back: one free extent, and that of the places of imports.
  EXPECT_EQ(kernel_->state().file(fd_)->arena->head().extent_count, 2u);
}

TEST_F(Objects, TheFileBehindADescriptorKeepsItsSize) {
  const uint32_t h = create(4096);
  write(h, 0, {5});
  drm_prime_handle p{.handle = h, .flags = DRM_RDWR | DRM_CLOEXEC};
  ASSERT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
  for (const int fd : {fd_, p.fd}) {
    EXPECT_EQ(ftruncate(fd, 0), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
  }
  ::close(p.fd);
  EXPECT_EQ(read(h), 5u);
}

TEST_F(Objects, CreateExtKnowsOneRegion) {
  drm_i915_gem_memory_class_instance system{.memory_class = I915_MEMORY_CLASS_SYSTEM, .memory_instance = 0};
  drm_i915_gem_create_ext_memory_regions regions{};
  regions.base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS;
  regions.num_regions = 1;
  regions.regions = uint64_t(&system);
  drm_i915_gem_create_ext c{.size = 4096, .extensions = uint64_t(&regions)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), 0);
  system.memory_class = I915_MEMORY_CLASS_DEVICE;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -EINVAL);
  system.memory_class = I915_MEMORY_CLASS_SYSTEM;
  c.flags = I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -EINVAL);
  c.flags = 0;
  regions.base.name = 77;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -EINVAL);
  c.extensions = 8;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -EFAULT);
  regions.base = {.next_extension = uint64_t(&regions), .name = I915_GEM_CREATE_EXT_MEMORY_REGIONS};
  c.extensions = uint64_t(&regions);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -E2BIG);
  drm_i915_gem_create_ext_protected_content secret{};
  secret.base.name = I915_GEM_CREATE_EXT_PROTECTED_CONTENT;
  c.extensions = uint64_t(&secret);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE_EXT, c), -ENODEV);
}

TEST_F(Objects, ReadAndWriteCheckTheirRange) {
  const uint32_t h = create(4096);
  uint32_t v = 7;
  drm_i915_gem_pwrite w{.handle = h, .offset = 4092, .size = 4, .data_ptr = uint64_t(&v)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), 0);
  EXPECT_EQ(read(h, 4092), 7u);
  w.offset = 4093;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), -EINVAL);
  w.offset = ~uint64_t{0};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), -EINVAL);
  w.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), -ENOENT);
  w.size = 0;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), 0);
  drm_i915_gem_pread r{.handle = h, .size = 4, .data_ptr = 16};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PREAD, r), -EFAULT);
  r.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PREAD, r), -ENOENT);
}

TEST_F(Objects, MapByOffset) {
  const uint32_t h = create(8192);
  write(h, 4096, {42});
  drm_i915_gem_mmap_offset m{.handle = h, .flags = I915_MMAP_OFFSET_WB};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), 0);
  MapPlan plan = kernel_->plan_map(fd_, m.offset, 8192, PROT_READ, MAP_SHARED);
  ASSERT_EQ(plan.error, 0);
  void* const p = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, plan.fd, off_t(plan.offset));
  ASSERT_NE(p, MAP_FAILED);
  kernel_->note_mapped(p, 8192, fd_, m.offset);
  EXPECT_EQ(static_cast<uint32_t*>(p)[1024], 42u);
  // The mapping keeps the object when its handle is gone.
  close_object(h);
  for (int i = 0; i < 10; ++i) write(create(8192), 4096, {1});
  EXPECT_EQ(static_cast<uint32_t*>(p)[1024], 42u);
  kernel_->note_unmapped(p, 4096);
  EXPECT_EQ(kernel_->state().mapping_count, 1u);
  kernel_->note_unmapped(static_cast<char*>(p) + 4096, 4096);
  EXPECT_EQ(kernel_->state().mapping_count, 0u);
  munmap(p, 8192);
  create(4096);
  EXPECT_EQ(kernel_->plan_map(fd_, m.offset + (1 << 30), 4096, PROT_READ, MAP_SHARED).error, -EINVAL);
  EXPECT_EQ(kernel_->plan_map(fd_, 0, 4096, PROT_READ, MAP_SHARED).error, -EINVAL);
  EXPECT_TRUE(kernel_->plan_map(0, 0, 4096, PROT_READ, MAP_SHARED).foreign);
}

TEST_F(Objects, MapErrors) {
  const uint32_t h = create(4096);
  drm_i915_gem_mmap_offset m{.handle = h, .flags = I915_MMAP_OFFSET_FIXED};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), -ENODEV);
  m.flags = 5;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), -EINVAL);
  m.flags = I915_MMAP_OFFSET_GTT, m.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), -ENOENT);
  drm_i915_gem_mmap v1{.handle = h, .size = 8192};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, v1), -EINVAL);
  v1.size = 4096, v1.flags = 2;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, v1), -EINVAL);
  drm_i915_gem_mmap_gtt gtt{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_GTT, gtt), 0);
  EXPECT_NE(gtt.offset, 0u);
  MapPlan plan = kernel_->plan_map(fd_, gtt.offset, 4097, PROT_READ, MAP_SHARED);
  EXPECT_EQ(plan.error, -EINVAL);
  drm_i915_gem_set_tiling t{.handle = h, .tiling_mode = I915_TILING_X, .stride = 512};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_TILING, t), 0);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_GTT, gtt), 0);
}

TEST_F(Objects, Tiling) {
  const uint32_t h = create(1 << 20);
  const auto set = [&](uint32_t mode, uint32_t stride) {
    drm_i915_gem_set_tiling t{.handle = h, .tiling_mode = mode, .stride = stride, .swizzle_mode = 9};
    const int result = call(DRM_IOCTL_I915_GEM_SET_TILING, t);
    if (result == 0) {
      EXPECT_EQ(t.swizzle_mode, uint32_t(I915_BIT_6_SWIZZLE_NONE));
    }
    return result;
  };
  EXPECT_EQ(set(I915_TILING_X, 1024), 0);
  EXPECT_EQ(set(I915_TILING_X, 640), -EINVAL);
  EXPECT_EQ(set(I915_TILING_Y, 640), 0);
  EXPECT_EQ(set(I915_TILING_Y, 600), -EINVAL);
  EXPECT_EQ(set(I915_TILING_X, 0), -EINVAL);
  EXPECT_EQ(set(I915_TILING_Y, 256 << 10), 0);
  EXPECT_EQ(set(I915_TILING_Y, (256 << 10) + 128), -EINVAL);
  EXPECT_EQ(set(3, 512), -EINVAL);
  drm_i915_gem_get_tiling g{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_TILING, g), 0);
  EXPECT_EQ(g.tiling_mode, uint32_t(I915_TILING_Y));
  g.handle = 9;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_TILING, g), -ENOENT);
  drm_i915_gem_set_tiling t{.handle = 9, .tiling_mode = 77};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_TILING, t), -ENOENT);
}

TEST_F(ObjectsSnb, ShorterStridesAndNoReadOnlyPages) {
  const uint32_t h = create(1 << 20);
  drm_i915_gem_set_tiling t{.handle = h, .tiling_mode = I915_TILING_X, .stride = (128 << 10) + 512};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_TILING, t), -EINVAL);
  alignas(4096) static char page[4096];
  drm_i915_gem_userptr u{.user_ptr = uint64_t(page), .user_size = 4096, .flags = I915_USERPTR_READ_ONLY};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_USERPTR, u), -ENODEV);
  drm_i915_gem_get_aperture a{};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_APERTURE, a), 0);
  EXPECT_EQ(a.aper_size, uint64_t{2} << 30);
  EXPECT_LT(a.aper_available_size, a.aper_size);
}

TEST_F(Objects, CachingAndAdvice) {
  const uint32_t h = create(4096);
  drm_i915_gem_caching c{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_CACHING, c), 0);
  EXPECT_EQ(c.caching, uint32_t(I915_CACHING_CACHED));
  c.caching = I915_CACHING_DISPLAY;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_CACHING, c), 0);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_CACHING, c), 0);
  EXPECT_EQ(c.caching, uint32_t(I915_CACHING_NONE));
  c.caching = 3, c.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_CACHING, c), -EINVAL);
  c.caching = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_CACHING, c), -ENOENT);
  drm_i915_gem_madvise m{.handle = h, .madv = I915_MADV_DONTNEED};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MADVISE, m), 0);
  EXPECT_EQ(m.retained, 1u);
  std::vector<drm_i915_gem_exec_object2> list{pinned(h, 0x10000)};
  EXPECT_EQ(execute(list), -EFAULT);
  m.madv = I915_MADV_WILLNEED;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MADVISE, m), 0);
  EXPECT_EQ(execute(list), 0);
  m.madv = 2;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MADVISE, m), -EINVAL);
  start("apl");
  c = {.handle = create(4096)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_GET_CACHING, c), 0);
  EXPECT_EQ(c.caching, uint32_t(I915_CACHING_NONE));
}

TEST_F(Objects, Domains) {
  const uint32_t h = create(4096);
  const auto set = [&](uint32_t handle, uint32_t read, uint32_t write) {
    drm_i915_gem_set_domain d{.handle = handle, .read_domains = read, .write_domain = write};
    return call(DRM_IOCTL_I915_GEM_SET_DOMAIN, d);
  };
  EXPECT_EQ(set(h, I915_GEM_DOMAIN_CPU, 0), 0);
  EXPECT_EQ(set(h, I915_GEM_DOMAIN_CPU, I915_GEM_DOMAIN_CPU), 0);
  EXPECT_EQ(set(h, I915_GEM_DOMAIN_GTT, I915_GEM_DOMAIN_CPU), -EINVAL);
  EXPECT_EQ(set(99, I915_GEM_DOMAIN_RENDER, 0), -EINVAL);
  EXPECT_EQ(set(99, 0, 0), 0);
  EXPECT_EQ(set(99, I915_GEM_DOMAIN_CPU, 0), -ENOENT);
  drm_i915_gem_sw_finish s{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SW_FINISH, s), 0);
  s.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SW_FINISH, s), -ENOENT);
}

TEST_F(Objects, Userptr) {
  char* const memory =
      static_cast<char*>(mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const auto make = [&](uint64_t address, uint64_t bytes, uint32_t flags, uint32_t* handle = nullptr) {
    drm_i915_gem_userptr u{.user_ptr = address, .user_size = bytes, .flags = flags};
    const int result = call(DRM_IOCTL_I915_GEM_USERPTR, u);
    if (handle) *handle = u.handle;
    return result;
  };
  const uint64_t at = uint64_t(memory);
  EXPECT_EQ(make(at, 4096, 8), -EINVAL);
  EXPECT_EQ(make(at, 0, 0), -EINVAL);
  EXPECT_EQ(make(at + 1, 4096, 0), -EINVAL);
  EXPECT_EQ(make(uint64_t{1} << 62, 4096, 0), -EFAULT);
  EXPECT_EQ(make(at, 4096, uint32_t(I915_USERPTR_UNSYNCHRONIZED)), -ENODEV);
  uint32_t h = 0;
  ASSERT_EQ(make(at, 4096, 0, &h), 0);
  std::memset(memory, 0x11, 4096);
  EXPECT_EQ(read(h), 0x11111111u);
  EXPECT_EQ(run(store(target_address + 8, 0x1234), h), 0);
  EXPECT_EQ(wait(h), 0);
  EXPECT_EQ(reinterpret_cast<uint32_t*>(memory)[2], 0x1234u);
  drm_i915_gem_mmap_offset m{.handle = h, .flags = I915_MMAP_OFFSET_WB};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), -ENODEV);
  drm_i915_gem_mmap v1{.handle = h, .size = 4096};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, v1), -ENXIO);
  drm_i915_gem_set_tiling t{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_SET_TILING, t), -ENXIO);
  // Unmapping waits for the work that writes there.
  EXPECT_EQ(run({2, 50, 1, lo(target_address), hi(target_address), 0x77, 0}, h), 0);
  kernel_->note_unmapped(memory, 4096);
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(memory), 0x77u);
  // Memory that cannot be written, or is not there.
  uint32_t fixed = 0, ro = 0, gone = 0;
  mprotect(memory + 4096, 4096, PROT_READ);
  ASSERT_EQ(make(at + 4096, 4096, 0, &fixed), 0);
  EXPECT_EQ(run({0}, fixed), -EFAULT);
  ASSERT_EQ(make(at + 4096, 4096, I915_USERPTR_READ_ONLY, &ro), 0);
  EXPECT_EQ(run(store(target_address, 5), ro, 0), 0);
  EXPECT_EQ(wait(ro), 0);
  EXPECT_EQ(reinterpret_cast<uint32_t*>(memory)[1024], 0u);
  uint32_t v = 1;
  drm_i915_gem_pwrite w{.handle = ro, .size = 4, .data_ptr = uint64_t(&v)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), -EINVAL);
  ASSERT_EQ(make(at + 8192, 4096, 0, &gone), 0);
  EXPECT_EQ(run({0}, gone), 0);
  munmap(memory + 8192, 4096);
  EXPECT_EQ(run({0}, gone), -EFAULT);
  EXPECT_EQ(make(at + 8192, 4096, I915_USERPTR_PROBE), -EFAULT);
  EXPECT_EQ(make(at, 4096, I915_USERPTR_PROBE), 0);
  munmap(memory, 8192);
}

TEST_F(Objects, CardNodeOnly) {
  const uint32_t h = create(4096);
  drm_gem_flink f{.handle = h};
  EXPECT_EQ(call(DRM_IOCTL_GEM_FLINK, f), -EACCES);
  drm_mode_create_dumb d{.height = 10, .width = 100, .bpp = 32};
  EXPECT_EQ(call(DRM_IOCTL_MODE_CREATE_DUMB, d), -EACCES);
  const int card = open(card_minor);
  EXPECT_EQ(kernel_->identify(card).minor, card_minor);
  EXPECT_EQ(call(card, DRM_IOCTL_MODE_CREATE_DUMB, d), 0);
  EXPECT_EQ(d.pitch, 448u);
  EXPECT_EQ(d.size, 8192u);
  for (const uint32_t depth : {1u, 8u, 15u, 16u, 30u, 32u}) {
    drm_mode_create_dumb known{.height = 10, .width = 100, .bpp = depth};
    EXPECT_EQ(call(card, DRM_IOCTL_MODE_CREATE_DUMB, known), 0) << depth;
  }
  for (const uint32_t depth : {0u, 17u, 24u, 33u, 64u, 128u, UINT32_MAX}) {
    drm_mode_create_dumb unknown{.height = 10, .width = 100, .bpp = depth};
    EXPECT_EQ(call(card, DRM_IOCTL_MODE_CREATE_DUMB, unknown), -EINVAL) << depth;
  }
  drm_mode_map_dumb m{.handle = d.handle};
  EXPECT_EQ(call(card, DRM_IOCTL_MODE_MAP_DUMB, m), 0);
  EXPECT_EQ(kernel_->plan_map(card, m.offset, 8192, PROT_READ, MAP_SHARED).error, 0);
  f.handle = d.handle;
  EXPECT_EQ(call(card, DRM_IOCTL_GEM_FLINK, f), 0);
  drm_gem_open o{.name = f.name};
  EXPECT_EQ(call(card, DRM_IOCTL_GEM_OPEN, o), 0);
  EXPECT_EQ(o.size, 8192u);
  EXPECT_NE(o.handle, d.handle);
  o.name = 1234;
  EXPECT_EQ(call(card, DRM_IOCTL_GEM_OPEN, o), -ENOENT);
  drm_mode_destroy_dumb x{.handle = d.handle};
  EXPECT_EQ(call(card, DRM_IOCTL_MODE_DESTROY_DUMB, x), 0);
  drm_mode_card_res r{};
  EXPECT_EQ(call(card, DRM_IOCTL_MODE_GETRESOURCES, r), -EOPNOTSUPP);
  EXPECT_EQ(call(DRM_IOCTL_MODE_GETRESOURCES, r), -EACCES);
}

}  // namespace
}  // namespace vitro::i915
