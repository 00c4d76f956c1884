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

}  // namespace
}  // namespace vitro::i915
