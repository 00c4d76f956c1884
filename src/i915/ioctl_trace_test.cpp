// Tests of the trace of requests: names, fields as the call leaves them, results; and that it is silent unless asked.
#include "i915/ioctl_trace.h"

#include <linux/sync_file.h>

#include <functional>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class IoctlTrace : public KernelTest {
 protected:
  static std::string told(const std::function<void()>& work) {
    testing::internal::CaptureStderr();
    work();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(IoctlTrace, OneLineForEachRequest) {
  EXPECT_EQ(told([&] { create(5000); }), "");
  kernel_->state().options.gpu.trace.ioctls = true;
  const std::string me = "vitro: ioctl " + std::to_string(fd_) + " ";
  EXPECT_EQ(told([&] { create(5000); }), me + "I915_GEM_CREATE size=0x2000 handle=2: 0\n");
  EXPECT_EQ(told([&] { close_object(2); }), me + "GEM_CLOSE handle=2: 0\n");
  EXPECT_EQ(told([&] { close_object(2); }), me + "GEM_CLOSE handle=2: EINVAL\n");
  EXPECT_EQ(told([&] { wait(9, -1); }), me + "I915_GEM_WAIT bo_handle=9 timeout_ns=-1: ENOENT\n");
  std::vector<drm_i915_gem_exec_object2> list{pinned(1, batch_address)};
  EXPECT_EQ(told([&] { execute(list); }),
            me + "I915_GEM_EXECBUFFER2 buffer_count=1 batch_start_offset=0x0 batch_len=0x0 flags=0x800 context=0 "
                 "fences=0x0: 0\n");
  uint64_t none = 0;
  EXPECT_EQ(told([&] { call(_IOWR('d', 0x9f, uint64_t), none); }), me + "0xc008649f (type 'd', number 0x9f): EINVAL\n");
  EXPECT_EQ(told([&] { kernel_->ioctl(fd_, DRM_IOCTL_I915_GEM_CREATE, nullptr); }),
            me + "I915_GEM_CREATE size=0x0 handle=0: EFAULT\n");
}

TEST_F(IoctlTrace, DescriptorsOfBuffersAndFences) {
  const uint32_t h = create(4096);
  drm_prime_handle p{.handle = h, .flags = DRM_CLOEXEC};
  ASSERT_EQ(call(DRM_IOCTL_PRIME_HANDLE_TO_FD, p), 0);
  kernel_->state().options.gpu.trace.ioctls = true;
  uint64_t flags = 0;
  EXPECT_EQ(told([&] { call(p.fd, _IOW('b', 0, uint64_t), flags); }),
            "vitro: ioctl " + std::to_string(p.fd) + " DMA_BUF_SYNC: EINVAL\n");
  close(p.fd);
  // A descriptor that is none of ours says nothing.
  sync_file_info info{};
  EXPECT_EQ(told([&] { kernel_->ioctl(0, SYNC_IOC_FILE_INFO, &info); }), "");
}

}  // namespace
}  // namespace vitro::i915
