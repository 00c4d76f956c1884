// Tests of what becomes of a userptr object when its memory is protected or unmapped: the process and its workers
// survive, and a submission looks at the memory anew.
#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Userptr : public KernelTest {
 protected:
  Userptr() {
    memory_ = static_cast<uint32_t*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    drm_i915_gem_userptr u{.user_ptr = uint64_t(memory_), .user_size = bytes};
    EXPECT_EQ(call(DRM_IOCTL_I915_GEM_USERPTR, u), 0);
    handle_ = u.handle;
  }
  ~Userptr() override { unmap(); }
  void unmap() {
    kernel_->note_unmapped(memory_, bytes);
    munmap(memory_, bytes);
  }
  void protect(int protection) {
    kernel_->note_protected(memory_, bytes);
    ASSERT_EQ(mprotect(memory_, bytes, protection), 0);
  }
  // Stores to the memory without naming the object.
  void store_unnamed(uint32_t value) {
    const uint32_t batch = create(4096);
    write(batch, 0, store(target_address, value));
    std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
    EXPECT_EQ(execute(list), 0);
    EXPECT_EQ(wait(batch), 0);
    close_object(batch);
  }

  static constexpr size_t bytes = 8192;
  uint32_t* memory_ = nullptr;
  uint32_t handle_ = 0;
};

TEST_F(Userptr, ProtectedLater) {
  EXPECT_EQ(run(store(target_address, 1), handle_), 0);
  EXPECT_EQ(wait(handle_), 0);
  EXPECT_EQ(*memory_, 1u);
  protect(PROT_READ);
  EXPECT_EQ(run(store(target_address, 2), handle_), -EFAULT);
  store_unnamed(3);
  EXPECT_EQ(*memory_, 1u);
  protect(PROT_READ | PROT_WRITE);
  EXPECT_EQ(run(store(target_address, 4), handle_), 0);
  EXPECT_EQ(wait(handle_), 0);
  EXPECT_EQ(*memory_, 4u);
}

TEST_F(Userptr, UnmappedLater) {
  EXPECT_EQ(run(store(target_address, 1), handle_), 0);
  unmap();  // waits for the work
  store_unnamed(2);
  EXPECT_EQ(run(store(target_address, 3), handle_), -EFAULT);
  void* const again =
      mmap(memory_, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(again, memory_);
  EXPECT_EQ(run(store(target_address, 4), handle_), 0);
  EXPECT_EQ(wait(handle_), 0);
  EXPECT_EQ(*memory_, 4u);
}

TEST_F(Userptr, WorkEndsBeforeTheMemoryGoes) {
  EXPECT_EQ(run({2, 50, 1, lo(target_address), hi(target_address), 7, 0}, handle_), 0);
  protect(PROT_READ);
  EXPECT_EQ(*memory_, 7u);
}

TEST_F(Userptr, FileThatIsCutOff) {
  const int file = memfd_create("userptr", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, bytes), 0);
  auto* const mapped = static_cast<uint32_t*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  drm_i915_gem_userptr u{.user_ptr = uint64_t(mapped), .user_size = bytes};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_USERPTR, u), 0);
  EXPECT_EQ(run({2, 30, 1, lo(target_address + 4096), hi(target_address + 4096), 7, 0}, u.handle), 0);
  struct stat status {};
  ASSERT_EQ(fstat(file, &status), 0);
  kernel_->note_truncated(status.st_ino);  // waits for the work
  EXPECT_EQ(mapped[1024], 7u);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  EXPECT_EQ(run(store(target_address + 4096, 8), u.handle), -EFAULT);
  store_unnamed(9);
  EXPECT_EQ(mapped[0], 0u);
  ASSERT_EQ(ftruncate(file, bytes), 0);
  EXPECT_EQ(run(store(target_address + 4096, 10), u.handle), 0);
  EXPECT_EQ(wait(u.handle), 0);
  EXPECT_EQ(mapped[1024], 10u);
  // A file that was too short from the beginning.
  EXPECT_EQ(close_object(u.handle), 0);
  ASSERT_EQ(ftruncate(file, 4096), 0);
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_USERPTR, u), 0);
  EXPECT_EQ(run(store(target_address + 4096, 11), u.handle), -EFAULT);
  EXPECT_EQ(close_object(u.handle), 0);
  kernel_->note_unmapped(mapped, bytes);
  munmap(mapped, bytes);
  ::close(file);
}

TEST_F(Userptr, OthersAreNotDisturbed) {
  const uint32_t h = create(4096);
  EXPECT_EQ(run({2, 300, 0}, h), 0);
  kernel_->note_protected(memory_ + 4096, 4096);  // beside it
  EXPECT_EQ(wait(h, 0), -ETIME);
  EXPECT_EQ(wait(h), 0);
}

// x86 has no pages that can be written and not read.
TEST_F(Userptr, MemoryThatMayOnlyBeWritten) {
  protect(PROT_WRITE);
  EXPECT_EQ(run(store(target_address, 5), handle_), 0);
  EXPECT_EQ(wait(handle_), 0);
  auto* const memory = reinterpret_cast<volatile uint32_t*>(memory_);
  EXPECT_EQ(*memory, 5u);
  // Arguments of requests there, and what they point to.
  auto* const argument = reinterpret_cast<drm_i915_gem_create*>(memory_);
  *argument = {.size = 5000};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CREATE, *argument), 0);
  EXPECT_EQ(argument->size, 8192u);
  memory_[64] = 0xabcd;
  drm_i915_gem_pwrite w{.handle = argument->handle, .size = 4, .data_ptr = uint64_t(memory_ + 64)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), 0);
  EXPECT_EQ(read(argument->handle), 0xabcdu);
  drm_i915_gem_pread r{.handle = argument->handle, .size = 4, .data_ptr = uint64_t(memory_ + 65)};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PREAD, r), 0);
  EXPECT_EQ(memory_[65], 0xabcdu);
  // A batch in it, and one that reads it.
  protect(PROT_READ | PROT_WRITE);
  const std::vector<uint32_t> dwords = store(target_address, 6);
  std::copy(dwords.begin(), dwords.end(), memory_);
  protect(PROT_WRITE);
  const uint32_t target = create(4096);
  std::vector<drm_i915_gem_exec_object2> list{pinned(target, target_address, EXEC_OBJECT_WRITE),
                                              pinned(handle_, batch_address)};
  EXPECT_EQ(execute(list), 0);
  EXPECT_EQ(read(target), 6u);
  protect(PROT_NONE);
  EXPECT_EQ(run(store(target_address, 5), handle_), -EFAULT);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PWRITE, w), -EFAULT);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PREAD, r), -EFAULT);
  protect(PROT_READ);
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_PREAD, r), -EFAULT);
}

TEST_F(Userptr, AProbeLooksAtMappings) {
  const auto probe = [&](uint64_t address, uint64_t size) {
    drm_i915_gem_userptr u{.user_ptr = address, .user_size = size, .flags = I915_USERPTR_PROBE};
    return call(DRM_IOCTL_I915_GEM_USERPTR, u);
  };
  const uint64_t at = uint64_t(memory_);
  EXPECT_EQ(probe(at, bytes), 0);
  protect(PROT_NONE);  // is mapped
  EXPECT_EQ(probe(at, bytes), 0);
  char* const three =
      static_cast<char*>(mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(three + 4096, 4096);
  EXPECT_EQ(probe(uint64_t(three), 3 * 4096), -EFAULT);
  EXPECT_EQ(probe(uint64_t(three + 4096), 4096), -EFAULT);
  EXPECT_EQ(probe(uint64_t(three + 4096), 2 * 4096), -EFAULT);
  EXPECT_EQ(probe(uint64_t(three), 4096), 0);
  munmap(three, 3 * 4096);
  // What the kernel shows of its clocks is no memory of the program.
  unsigned long start = 0, end = 0;
  FILE* const maps = fopen("/proc/self/maps", "r");
  for (char line[512]; fgets(line, sizeof line, maps);)
    if (strstr(line, "[vvar]") && sscanf(line, "%lx-%lx", &start, &end) != 2) FAIL() << line;
  fclose(maps);
  if (end > start) {
    EXPECT_EQ(probe(start, end - start), -EFAULT);
  }
}

}  // namespace
}  // namespace vitro::i915
