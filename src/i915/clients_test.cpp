// Tests of what the clients of one device share: names of objects, the master, and what fdinfo tells of each. Here in
// one process; tests/run has several.
#include "i915/clients.h"

#include <algorithm>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Clients : public KernelTest {
 protected:
  int plain(int fd, unsigned long request) { return kernel_->ioctl(fd, request, nullptr).value_or(-ENOTTY); }
  uint32_t flink(int fd, uint32_t handle) {
    drm_gem_flink f{.handle = handle};
    EXPECT_EQ(call(fd, DRM_IOCTL_GEM_FLINK, f), 0);
    return f.name;
  }
  int open_name(int fd, uint32_t name, uint32_t& handle) {
    drm_gem_open o{.name = name};
    const int error = call(fd, DRM_IOCTL_GEM_OPEN, o);
    handle = o.handle;
    return error;
  }
  uint64_t number_after(const std::string& text, const std::string& key) {
    const size_t at = text.find(key + ":\t");
    EXPECT_NE(at, std::string::npos) << key << " in " << text;
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + key.size() + 2));
  }

  int first_ = open(card_minor), second_ = open(card_minor);
};

TEST_F(Clients, NamesHoldInOtherFiles) {
  const uint32_t h = create(8192, first_);
  write(h, 0, {0x1234}, first_);
  const uint32_t name = flink(first_, h);
  EXPECT_EQ(flink(first_, h), name);
  EXPECT_NE(flink(first_, create(4096, first_)), name);
  uint32_t seen = 0, again = 0;
  ASSERT_EQ(open_name(second_, name, seen), 0);
  EXPECT_EQ(read(seen, 0, second_), 0x1234u);
  write(seen, 4, {0x5678}, second_);
  EXPECT_EQ(read(h, 4, first_), 0x5678u);
  ASSERT_EQ(open_name(second_, name, again), 0);
  EXPECT_NE(again, seen);
  EXPECT_EQ(flink(second_, again), name);
  // A name lasts as long as any file has a handle.
  EXPECT_EQ(close_object(h, first_), 0);
  uint32_t back = 0;
  EXPECT_EQ(open_name(first_, name, back), 0);
  EXPECT_EQ(read(back, 0, first_), 0x1234u);
  EXPECT_EQ(close_object(back, first_), 0);
  EXPECT_EQ(close_object(seen, second_), 0);
  EXPECT_EQ(close_object(again, second_), 0);
  EXPECT_EQ(open_name(second_, name, seen), -ENOENT);
  EXPECT_EQ(open_name(second_, 0, seen), -ENOENT);
}

TEST_F(Clients, AWorkingObjectByName) {
  const uint32_t h = create(4096, first_);
  uint32_t seen = 0;
  ASSERT_EQ(open_name(second_, flink(first_, h), seen), 0);
  EXPECT_EQ(run(store(target_address, 9), seen, EXEC_OBJECT_WRITE, 0, second_), 0);
  EXPECT_EQ(wait(h, 10'000'000'000, first_), 0);
  EXPECT_EQ(read(h, 0, first_), 9u);
}

TEST_F(Clients, OneIsMaster) {
  drm_set_version v{.drm_di_major = 1, .drm_di_minor = 4, .drm_dd_major = -1, .drm_dd_minor = -1};
  EXPECT_EQ(call(second_, DRM_IOCTL_SET_VERSION, v), -EACCES);
  if (has_capability(21)) {  // CAP_SYS_ADMIN: may ask at all
    EXPECT_EQ(plain(second_, DRM_IOCTL_DROP_MASTER), -EINVAL);
    EXPECT_EQ(plain(second_, DRM_IOCTL_SET_MASTER), -EBUSY);
  } else {
    EXPECT_EQ(plain(second_, DRM_IOCTL_DROP_MASTER), -EACCES);
    EXPECT_EQ(plain(second_, DRM_IOCTL_SET_MASTER), -EACCES);
  }
  EXPECT_EQ(call(first_, DRM_IOCTL_SET_VERSION, v), 0);
  EXPECT_EQ(plain(first_, DRM_IOCTL_SET_MASTER), 0);  // it is
  EXPECT_EQ(plain(first_, DRM_IOCTL_DROP_MASTER), 0);
  EXPECT_EQ(plain(first_, DRM_IOCTL_DROP_MASTER), -EINVAL);
  const int third = open(card_minor);  // the next that is opened has it
  EXPECT_EQ(plain(first_, DRM_IOCTL_SET_MASTER), -EBUSY);
  EXPECT_EQ(plain(third, DRM_IOCTL_DROP_MASTER), 0);
  EXPECT_EQ(plain(first_, DRM_IOCTL_SET_MASTER), 0);
  // And it goes with the last descriptor.
  close(first_);
  opened_.erase(std::find(opened_.begin(), opened_.end(), first_));
  kernel_->collect();
  EXPECT_EQ(plain(third, DRM_IOCTL_SET_MASTER), 0);
  EXPECT_EQ(plain(fd_, DRM_IOCTL_SET_MASTER), -EACCES);
}

TEST_F(Clients, MasterAuthenticates) {
  drm_auth a{};
  EXPECT_EQ(call(second_, DRM_IOCTL_GET_MAGIC, a), 0);
  const uint32_t magic = a.magic;
  EXPECT_NE(magic, 0u);
  EXPECT_EQ(call(second_, DRM_IOCTL_AUTH_MAGIC, a), -EACCES);
  kernel_->state().file(second_)->arena->head().authenticated = false;  // as for one who is not root
  drm_gem_flink f{.handle = create(4096, second_)};
  EXPECT_EQ(call(second_, DRM_IOCTL_GEM_FLINK, f), -EACCES);
  EXPECT_EQ(call(first_, DRM_IOCTL_AUTH_MAGIC, a), 0);
  EXPECT_EQ(call(second_, DRM_IOCTL_GEM_FLINK, f), 0);
  EXPECT_EQ(call(first_, DRM_IOCTL_AUTH_MAGIC, a), -EINVAL);
}

TEST_F(Clients, LinesOfFdinfo) {
  const std::string before = kernel_->client_lines(fd_);
  EXPECT_NE(before.find("drm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\n"), std::string::npos) << before;
  EXPECT_NE(number_after(before, "drm-client-id"), number_after(kernel_->client_lines(first_), "drm-client-id"));
  EXPECT_EQ(number_after(before, "drm-client-id"), number_after(kernel_->client_lines(fd_), "drm-client-id"));
  EXPECT_EQ(number_after(before, "drm-engine-render"), 0u);
  EXPECT_EQ(number_after(before, "drm-total-system0"), 0u);
  const uint32_t h = create(2 << 20);
  EXPECT_EQ(run({2, 30, 4, lo(target_address), hi(target_address), 7, 0}, h), 0);
  EXPECT_NE(kernel_->client_lines(fd_).find("drm-active-system0:\t2 MiB\n"), std::string::npos);
  drm_i915_gem_mmap m{.handle = h, .size = 4096};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_MMAP, m), 0);
  *reinterpret_cast<volatile uint32_t*>(m.addr_ptr) = 7;  // which the batch waits for
  EXPECT_EQ(wait(h), 0);
  write(h, 0, {1});
  const std::string after = kernel_->client_lines(fd_);
  EXPECT_GE(number_after(after, "drm-engine-render"), 30'000'000u);
  EXPECT_LT(number_after(after, "drm-engine-render"), 30'000'000'000u);
  EXPECT_EQ(number_after(after, "drm-engine-copy"), 0u);
  EXPECT_NE(after.find("drm-total-system0:\t2 MiB\n"), std::string::npos) << after;
  EXPECT_NE(after.find("drm-resident-system0:\t"), std::string::npos);
  EXPECT_EQ(kernel_->client_lines(0), "");
}

TEST_F(Clients, SandyBridgeMeasuresNoEngines) {
  start("snb");
  const std::string lines = kernel_->client_lines(fd_);
  EXPECT_NE(lines.find("drm-client-id"), std::string::npos);
  EXPECT_EQ(lines.find("drm-engine"), std::string::npos);
}

}  // namespace
}  // namespace vitro::i915
