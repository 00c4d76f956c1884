// Tests of waiting by yielding: it costs little while a batch is under way, ends when the batch does, and is no wait at
// all without one.
#include <ctime>

#include "i915/kernel_test.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

int64_t processor_time_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

class Resting : public KernelTest {
 protected:
  // Yields until the dword is there, as a driver does. Gives how often it slept.
  int poll_for(const volatile uint32_t* word, uint32_t value) {
    int rests = 0;
    while (*word != value) rests += kernel_->yield();
    return rests;
  }
};

TEST_F(Resting, NothingIsUnderWay) {
  EXPECT_FALSE(kernel_->yield());
  const uint32_t data = create(4096);
  EXPECT_EQ(run(store(target_address, 1), data), 0);
  EXPECT_EQ(wait(data), 0);
  for (int64_t until = raw::monotonic_ns() + 1'000'000; raw::monotonic_ns() < until;) kernel_->yield();
  EXPECT_FALSE(kernel_->yield());
}

TEST_F(Resting, CostsLittleAndEndsWithTheBatch) {
  const uint32_t data = create(4096);
  drm_i915_gem_mmap m{.handle = data, .size = 4096};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
  const auto* const word = reinterpret_cast<const volatile uint32_t*>(m.addr_ptr);
  EXPECT_EQ(run({2, 300, 1, lo(target_address), hi(target_address), 7, 0}, data), 0);
  const int64_t spent = processor_time_ns(), began = raw::monotonic_ns();
  const int rests = poll_for(word, 7);
  EXPECT_GE(raw::monotonic_ns() - began, 200'000'000);
  EXPECT_LT(processor_time_ns() - spent, 100'000'000) << "spins";
  EXPECT_GT(rests, 0);
  EXPECT_LT(rests, 3000);
  kernel_->note_unmapped(reinterpret_cast<void*>(m.addr_ptr), 4096);
  munmap(reinterpret_cast<void*>(m.addr_ptr), 4096);
}

// A batch may go on, or wait for the program, after it has written what is polled for.
TEST_F(Resting, SeesWhatABatchWritesBeforeItsEnd) {
  const uint32_t data = create(4096);
  drm_i915_gem_mmap m{.handle = data, .size = 4096};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
  auto* const words = reinterpret_cast<volatile uint32_t*>(m.addr_ptr);
  EXPECT_EQ(
      run({2, 50, 1, lo(target_address), hi(target_address), 7, 4, lo(target_address + 4), hi(target_address), 9, 0},
          data),
      0);
  poll_for(words, 7);
  EXPECT_EQ(wait(data, 0), -ETIME) << "it waits for us";
  words[1] = 9;
  EXPECT_EQ(wait(data), 0);
  kernel_->note_unmapped(reinterpret_cast<void*>(m.addr_ptr), 4096);
  munmap(reinterpret_cast<void*>(m.addr_ptr), 4096);
}

}  // namespace
}  // namespace vitro::i915
