// Tests of how an open device grows and what limits of the process do to it: it takes little at first, its tables and
// its storage grow in parts, what is freed is given back, and a limit is an error and never a signal.
#include <sys/resource.h>

#include <set>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

// A lower limit of this process, for a while.
class Limit {
 public:
  Limit(__rlimit_resource resource, rlim_t value) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit now{value, before_.rlim_max};
    EXPECT_EQ(setrlimit(resource_, &now), 0);
  }
  ~Limit() { setrlimit(resource_, &before_); }

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

uint64_t address_space_bytes() {
  FILE* const file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  EXPECT_EQ(fscanf(file, "%lu", &pages), 1);
  fclose(file);
  return pages * 4096;
}

constexpr uint64_t mib = 1 << 20;

class ArenaTest : public KernelTest {
 protected:
  int create_with_error(uint64_t bytes, uint32_t* handle = nullptr) {
    drm_i915_gem_create c{.size = bytes};
    const int error = call(DRM_IOCTL_I915_GEM_CREATE, c);
    if (handle) *handle = c.handle;
    return error;
  }
  // A batch stores a value into the object, which then is read.
  void use(uint32_t handle, uint32_t value) {
    EXPECT_EQ(run(store(target_address, value), handle), 0);
    EXPECT_EQ(read(handle), value);
  }
};

TEST_F(ArenaTest, TwoThousandOpenDevices) {
  constexpr int count = 2000;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max < count + 200) GTEST_SKIP() << "this process may not have so many descriptors";
  const Limit limit(RLIMIT_NOFILE, files.rlim_max);
  const uint64_t before = address_space_bytes();
  std::set<int> opened;
  for (int i = 0; i < count; ++i) {
    const int fd = kernel_->open(render_minor, O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0) << i;
    opened.insert(fd);
  }
  EXPECT_LT(address_space_bytes() - before, count * 4 * mib);
  const int last = *opened.rbegin();
  const uint32_t h = create(4096, last);
  write(h, 0, {7}, last);
  EXPECT_EQ(read(h, 0, last), 7u);
  for (const int fd : opened) close(fd);
  kernel_->collect();
  EXPECT_LT(address_space_bytes(), before + 64 * mib);
}

TEST_F(ArenaTest, LimitedAddressSpace) {
  const Limit limit(RLIMIT_AS, address_space_bytes() + 256 * mib);
  fd_ = open(render_minor);
  const uint32_t h = create(mib);
  use(h, 5);
  EXPECT_EQ(create_with_error(uint64_t{1} << 30), -ENOMEM);
  EXPECT_EQ(create_with_error(48 * mib), 0);
  use(h, 6);
}

TEST_F(ArenaTest, NoAddressSpaceLeft) {
  const Limit limit(RLIMIT_AS, address_space_bytes());
  EXPECT_EQ(kernel_->open(render_minor, O_RDWR), -ENOMEM);
}

TEST_F(ArenaTest, LimitedFileSize) {
  const Limit limit(RLIMIT_FSIZE, 32 * mib);
  fd_ = open(render_minor);
  const uint32_t h = create(mib);
  use(h, 5);
  EXPECT_EQ(create_with_error(64 * mib), -ENOMEM);
  uint32_t large = 0;
  EXPECT_EQ(create_with_error(16 * mib, &large), 0);
  write(large, 16 * mib - 4, {6});
  EXPECT_EQ(read(large, 16 * mib - 4), 6u);
}

TEST_F(ArenaTest, NoFilesToSpeakOf) {
  const Limit limit(RLIMIT_FSIZE, mib);
  EXPECT_EQ(kernel_->open(render_minor, O_RDWR), -ENOMEM);
}

TEST_F(ArenaTest, AFileOutlivesALowerLimit) {
  const uint32_t h = create(mib);
  const Limit limit(RLIMIT_FSIZE, mib);
  use(h, 5);
  const uint32_t large = create(64 * mib);
  write(large, 64 * mib - 4, {6});
  EXPECT_EQ(read(large, 64 * mib - 4), 6u);
}

TEST_F(ArenaTest, TablesGrow) {
  // More of each than stand in the head of an arena.
  std::vector<uint32_t> handles;
  for (uint32_t i = 0; i < 20000; ++i) handles.push_back(create(4096));
  for (uint32_t i = 0; i < handles.size(); i += 997) write(handles[i], 0, {i});
  std::vector<uint32_t> contexts, syncobjs;
  for (int i = 0; i < 600; ++i) contexts.push_back(new_context());
  for (int i = 0; i < 3000; ++i) {
    drm_syncobj_create c{};
    EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
    syncobjs.push_back(c.handle);
  }
  EXPECT_EQ(run(store(target_address, 1), handles.back(), EXEC_OBJECT_WRITE, contexts.back()), 0);
  EXPECT_EQ(wait(handles.back()), 0);
  // Every second one is freed, and leaves a hole of its own; then all.
  for (uint32_t i = 1; i < handles.size(); i += 2) EXPECT_EQ(close_object(handles[i]), 0);
  for (uint32_t i = 0; i < handles.size(); i += 2 * 997) EXPECT_EQ(read(handles[i]), i);
  for (uint32_t i = 0; i < handles.size(); i += 2) EXPECT_EQ(close_object(handles[i]), 0);
  create(4096);
  EXPECT_LE(kernel_->state().file(fd_)->arena->head().extent_count, 3u);
}

TEST_F(ArenaTest, AnotherKernelFindsWhatHasGrown) {
  std::vector<uint32_t> handles;
  for (uint32_t i = 0; i < 3000; ++i) handles.push_back(create(64 << 10));
  write(handles[10], 0, {10});
  write(handles.back(), 0, {3000});
  Kernel other({.device = "kbl", .report = false}, [](const gen::Device&, const device::Options&) { return Gpu{}; });
  for (const uint32_t h : {handles[10], handles.back()}) {
    uint32_t value = 0;
    drm_i915_gem_pread p{.handle = h, .size = 4, .data_ptr = uint64_t(&value)};
    EXPECT_EQ(other.ioctl(fd_, DRM_IOCTL_I915_GEM_PREAD, &p), 0);
    EXPECT_EQ(value, h == handles[10] ? 10u : 3000u);
  }
}

TEST_F(ArenaTest, RecordsThatCannotBeMapped) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers do not work within a limit of the address space";
#endif
  const uint32_t first = create(4096);
  uint32_t last = 0;
  for (uint32_t i = 0; i < 3000; ++i) last = create(4096);
  drm_i915_gem_mmap_offset m{.handle = last, .flags = I915_MMAP_OFFSET_WB};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, m), 0);
  Kernel other({.device = "kbl", .report = false}, [](const gen::Device&, const device::Options&) { return Gpu{}; });
  drm_i915_gem_busy b{.handle = first};  // it knows the file, and the first part of its tables
  EXPECT_EQ(other.ioctl(fd_, DRM_IOCTL_I915_GEM_BUSY, &b), 0);
  {
    const Limit limit(RLIMIT_AS, address_space_bytes());
    EXPECT_EQ(other.plan_map(fd_, m.offset, 4096, PROT_READ, MAP_SHARED).error, -ENOMEM);
    b.handle = last;
    EXPECT_EQ(other.ioctl(fd_, DRM_IOCTL_I915_GEM_BUSY, &b), -ENOMEM);
  }
  EXPECT_EQ(other.plan_map(fd_, m.offset, 4096, PROT_READ, MAP_SHARED).error, 0);
}

TEST_F(ArenaTest, AddressSpaceIsGivenBack) {
  create(4096);
  const uint64_t before = address_space_bytes();
  for (int i = 1; i <= 20; ++i) {
    const uint32_t h = create(uint64_t(i) * 100 * mib);  // each larger than the hole of the one before
    write(h, 0, {1});
    EXPECT_EQ(close_object(h), 0);
  }
  EXPECT_LT(address_space_bytes(), before + 128 * mib);
}

TEST_F(ArenaTest, StorageThatIsUsedAgainIsZero) {
  for (const uint64_t bytes : {uint64_t{4096}, mib, 100 * mib}) {
    for (int i = 0; i < 4; ++i) {
      const uint32_t h = create(bytes);
      EXPECT_EQ(read(h, bytes - 4), 0u);
      write(h, bytes - 4, {1});
      EXPECT_EQ(close_object(h), 0);
    }
  }
}

}  // namespace
}  // namespace vitro::i915
