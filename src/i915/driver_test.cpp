// Tests of what the driver tells about itself: version, capabilities, parameters, queries, registers, perf.
#include <fcntl.h>
#include <linux/capability.h>

#include <string>

#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

class Driver : public KernelTest {
 protected:
  int getparam(int param, int& value) {
    drm_i915_getparam g{.param = param, .value = &value};
    return call(DRM_IOCTL_I915_GETPARAM, g);
  }
  int32_t query(uint64_t id, void* data = nullptr, int32_t length = 0, uint32_t flags = 0) {
    drm_i915_query_item item{.query_id = id, .length = length, .flags = flags, .data_ptr = uint64_t(data)};
    drm_i915_query q{.num_items = 1, .items_ptr = uint64_t(&item)};
    const int result = call(DRM_IOCTL_I915_QUERY, q);
    return result < 0 ? result - 10000 : item.length;
  }
};

TEST_F(Driver, Version) {
  char name[3] = {}, description[64] = {};
  drm_version v{.name_len = 2, .name = name, .desc_len = 64, .desc = description};
  ASSERT_EQ(call(DRM_IOCTL_VERSION, v), 0);
  EXPECT_EQ(v.version_major, 1);
  EXPECT_EQ(v.version_minor, 6);
  EXPECT_STREQ(name, "i9");
  EXPECT_EQ(v.name_len, 4u);
  EXPECT_EQ(v.date_len, 8u);
  EXPECT_STREQ(description, "Intel Graphics");
}

TEST_F(Driver, Capabilities) {
  const auto cap = [&](uint64_t c) {
    drm_get_cap g{.capability = c};
    const int result = call(DRM_IOCTL_GET_CAP, g);
    return result < 0 ? result : int(g.value);
  };
  EXPECT_EQ(cap(DRM_CAP_PRIME), 3);
  EXPECT_EQ(cap(DRM_CAP_SYNCOBJ), 1);
  EXPECT_EQ(cap(DRM_CAP_SYNCOBJ_TIMELINE), 1);
  EXPECT_EQ(cap(DRM_CAP_TIMESTAMP_MONOTONIC), 1);
  EXPECT_EQ(cap(0x77), -EINVAL);
  drm_set_client_cap s{.capability = DRM_CLIENT_CAP_ATOMIC, .value = 1};
  EXPECT_EQ(call(DRM_IOCTL_SET_CLIENT_CAP, s), -EACCES);
  EXPECT_EQ(call(open(card_minor), DRM_IOCTL_SET_CLIENT_CAP, s), -EOPNOTSUPP);
}

TEST_F(Driver, CardNode) {
  const int card = open(card_minor);
  char text[32] = {};
  drm_unique u{.unique_len = 32, .unique = text};
  EXPECT_EQ(call(DRM_IOCTL_GET_UNIQUE, u), -EACCES);
  EXPECT_EQ(call(card, DRM_IOCTL_GET_UNIQUE, u), 0);
  EXPECT_EQ(u.unique_len, 0u);
  drm_set_version v{1, 4, -1, -1};
  EXPECT_EQ(call(card, DRM_IOCTL_SET_VERSION, v), 0);
  EXPECT_EQ(v.drm_dd_minor, 6);
  u.unique_len = 32;
  EXPECT_EQ(call(card, DRM_IOCTL_GET_UNIQUE, u), 0);
  EXPECT_STREQ(text, "pci:0000:00:02.0");
  v = {2, 0, -1, -1};
  EXPECT_EQ(call(card, DRM_IOCTL_SET_VERSION, v), -EINVAL);
  drm_auth a{};
  EXPECT_EQ(call(card, DRM_IOCTL_GET_MAGIC, a), 0);
  EXPECT_NE(a.magic, 0u);
  EXPECT_EQ(call(card, DRM_IOCTL_AUTH_MAGIC, a), 0);
  a.magic = 0;
  EXPECT_EQ(call(card, DRM_IOCTL_AUTH_MAGIC, a), -EINVAL);
  drm_client c{};
  EXPECT_EQ(call(card, DRM_IOCTL_GET_CLIENT, c), 0);
  EXPECT_EQ(c.auth, 1);
  c.idx = 1;
  EXPECT_EQ(call(card, DRM_IOCTL_GET_CLIENT, c), -EINVAL);
}

TEST_F(Driver, UnknownAndForeignRequests) {
  uint64_t x = 0;
  EXPECT_EQ(call(_IOWR('d', 0x9f, uint64_t), x), -EINVAL);
  EXPECT_EQ(call(_IOWR('d', 0xff, uint64_t), x), -EINVAL);
  EXPECT_EQ(kernel_->ioctl(fd_, 0x5401, &x), std::nullopt);           // TCGETS
  EXPECT_EQ(kernel_->ioctl(0, DRM_IOCTL_VERSION, &x), std::nullopt);  // not ours
  EXPECT_EQ(kernel_->ioctl(fd_, DRM_IOCTL_VERSION, reinterpret_cast<void*>(8)), -EFAULT);
  drm_i915_gem_execbuffer e{};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_EXECBUFFER, e), -EACCES);
  EXPECT_EQ(call(open(card_minor), DRM_IOCTL_I915_GEM_EXECBUFFER, e), -EINVAL);
}

TEST_F(Driver, ShorterArgumentsAreExtended) {
  // CONTEXT_CREATE with the structure of old: 8 bytes.
  drm_i915_gem_context_create c{};
  EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, c), 0);
  EXPECT_EQ(c.ctx_id, 1u);
}

TEST_F(Driver, Parameters) {
  int v = 0;
  EXPECT_EQ(getparam(I915_PARAM_CHIPSET_ID, v), 0);
  EXPECT_EQ(v, 0x5916);
  EXPECT_EQ(getparam(I915_PARAM_HAS_EXEC_SOFTPIN, v), 0);
  EXPECT_EQ(v, 1);
  EXPECT_EQ(getparam(I915_PARAM_HAS_CONTEXT_ISOLATION, v), 0);
  EXPECT_EQ(v, 0xf);
  EXPECT_EQ(getparam(I915_PARAM_IRQ_ACTIVE, v), -ENODEV);
  EXPECT_EQ(getparam(I915_PARAM_HUC_STATUS, v), -EOPNOTSUPP);
  EXPECT_EQ(getparam(9999, v), -EINVAL);
  drm_i915_getparam g{.param = I915_PARAM_CHIPSET_ID, .value = nullptr};
  EXPECT_EQ(call(DRM_IOCTL_I915_GETPARAM, g), -EFAULT);
  start("snb");
  EXPECT_EQ(getparam(I915_PARAM_CHIPSET_ID, v), 0);
  EXPECT_EQ(v, 0x126);
  EXPECT_EQ(getparam(I915_PARAM_SUBSLICE_TOTAL, v), -ENODEV);
  start("apl");
  EXPECT_EQ(getparam(I915_PARAM_HAS_LLC, v), 0);
  EXPECT_EQ(v, 0);
  EXPECT_EQ(getparam(I915_PARAM_CS_TIMESTAMP_FREQUENCY, v), 0);
  EXPECT_EQ(v, 19200000);
}

TEST_F(Driver, EveryPlatformAnswersTheSameParameters) {
  for (const gen::Platform& p : gen::platforms()) {
    EXPECT_NE(gen::find_device(p.device), nullptr);
    EXPECT_EQ(p.params.size(), gen::platforms()[0].params.size());
    for (const gen::PlatformParam& a : p.params)
      for (const gen::PlatformParam& b : p.params) EXPECT_TRUE(&a == &b || a.param != b.param) << a.param;
  }
}

TEST_F(Driver, Queries) {
  uint8_t data[512] = {};
  EXPECT_EQ(query(DRM_I915_QUERY_TOPOLOGY_INFO), 32);
  EXPECT_EQ(query(DRM_I915_QUERY_TOPOLOGY_INFO, data, 31), -EINVAL);
  EXPECT_EQ(query(DRM_I915_QUERY_TOPOLOGY_INFO, data, 512, 1), -EINVAL);
  EXPECT_EQ(query(DRM_I915_QUERY_TOPOLOGY_INFO, data, 512), 32);
  const auto* const t = reinterpret_cast<drm_i915_query_topology_info*>(data);
  EXPECT_EQ(t->max_subslices, 4);
  EXPECT_EQ(t->data[t->subslice_offset], 7);
  EXPECT_EQ(t->data[t->eu_offset], 0xff);
  std::memset(data, 0, sizeof data);
  EXPECT_EQ(query(DRM_I915_QUERY_ENGINE_INFO), 240);
  EXPECT_EQ(query(DRM_I915_QUERY_ENGINE_INFO, data, 512), 240);
  const auto* const e = reinterpret_cast<drm_i915_query_engine_info*>(data);
  ASSERT_EQ(e->num_engines, 4u);
  EXPECT_EQ(e->engines[2].engine.engine_class, uint16_t(I915_ENGINE_CLASS_VIDEO));
  EXPECT_EQ(e->engines[2].capabilities, 3u);
  EXPECT_EQ(query(DRM_I915_QUERY_ENGINE_INFO, data, 512), -EINVAL);  // its header is not zero any more
  std::memset(data, 0, sizeof data);
  EXPECT_EQ(query(DRM_I915_QUERY_MEMORY_REGIONS), 104);
  EXPECT_EQ(query(DRM_I915_QUERY_MEMORY_REGIONS, data, 512), 104);
  const auto* const m = reinterpret_cast<drm_i915_query_memory_regions*>(data);
  ASSERT_EQ(m->num_regions, 1u);
  EXPECT_GT(m->regions[0].probed_size, 1u << 20);
  EXPECT_EQ(query(DRM_I915_QUERY_PERF_CONFIG, nullptr, 0, DRM_I915_QUERY_PERF_CONFIG_LIST),
            int(sizeof(drm_i915_query_perf_config)));
  EXPECT_EQ(query(DRM_I915_QUERY_HWCONFIG_BLOB), -ENODEV);
  EXPECT_EQ(query(6), -ENODEV);
  EXPECT_EQ(query(7), -EINVAL);
  EXPECT_EQ(query(0), -EINVAL - 10000);
  drm_i915_query q{.num_items = 1, .items_ptr = 8};
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), -EFAULT);
  q.flags = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), -EINVAL);
  start("snb");
  EXPECT_EQ(query(DRM_I915_QUERY_TOPOLOGY_INFO), -ENODEV);
  EXPECT_EQ(query(DRM_I915_QUERY_ENGINE_INFO), 184);
}

TEST_F(Driver, LengthsOfQueriesHaveNoSign) {
  uint8_t answer[1024] = {};
  drm_i915_query_item item{
      .query_id = DRM_I915_QUERY_ENGINE_INFO, .length = -1, .flags = 0, .data_ptr = uint64_t(answer)};
  drm_i915_query q{.num_items = 1, .flags = 0, .items_ptr = uint64_t(&item)};
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), 0);
  const int needed = item.length;
  EXPECT_GT(needed, 0);
  std::memset(answer, 0, sizeof answer);
  item.length = needed - 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), 0);
  EXPECT_EQ(item.length, -EINVAL);
  item.length = -5;
  item.data_ptr = 4096;
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), 0);
  EXPECT_EQ(item.length, -EFAULT);
  // A length that is right is not written: the item may be where nothing can be.
  auto* const page = static_cast<drm_i915_query_item*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *page = {.query_id = DRM_I915_QUERY_ENGINE_INFO, .length = needed, .flags = 0, .data_ptr = uint64_t(answer)};
  mprotect(page, 4096, PROT_READ);
  q.items_ptr = uint64_t(page);
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), 0);
  std::memset(answer, 0, sizeof answer);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  page->length = needed + 1;
  mprotect(page, 4096, PROT_READ);
  EXPECT_EQ(call(DRM_IOCTL_I915_QUERY, q), -EFAULT);
  munmap(page, 4096);
}

TEST_F(Driver, Registers) {
  drm_i915_reg_read r{.offset = 0x2358 | I915_REG_READ_8B_WA};
  EXPECT_EQ(call(DRM_IOCTL_I915_REG_READ, r), 0);
  EXPECT_EQ(r.val, 12345u);
  r.offset = 0x2358;
  EXPECT_EQ(call(DRM_IOCTL_I915_REG_READ, r), 0);
  r.offset = 0x235a;
  EXPECT_EQ(call(DRM_IOCTL_I915_REG_READ, r), -EINVAL);
  r.offset = 0x2360;
  EXPECT_EQ(call(DRM_IOCTL_I915_REG_READ, r), -EINVAL);
}

TEST_F(Driver, Perf) {
  drm_i915_perf_open_param p{.flags = 1u << 30};
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_OPEN, p), -EINVAL);
  p.flags = 0;
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_OPEN, p), -EINVAL);
  p.num_properties = 1;
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_OPEN, p), -EACCES);
  uint64_t id = 3;
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_REMOVE_CONFIG, id), -ENOENT);
  drm_i915_perf_oa_config c{};
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_ADD_CONFIG, c), -EINVAL);
  start("snb");
  EXPECT_EQ(call(DRM_IOCTL_I915_PERF_OPEN, p), -524);
}

TEST_F(Driver, DescriptorsAreToldApart) {
  EXPECT_EQ(kernel_->identify(fd_).kind, FdKind::device);
  EXPECT_EQ(kernel_->identify(fd_).minor, render_minor);
  const int copy = dup(fd_);
  EXPECT_EQ(kernel_->identify(copy).kind, FdKind::device);
  close(copy);
  EXPECT_EQ(kernel_->identify(copy).kind, FdKind::none);
  const int other = memfd_create("other", 0);
  EXPECT_FALSE(kernel_->owns(other));
  close(other);
  EXPECT_EQ(fcntl(fd_, F_GETFD), FD_CLOEXEC);
  const int inherited = kernel_->open(render_minor, O_RDWR | O_NONBLOCK);
  EXPECT_EQ(fcntl(inherited, F_GETFD), 0);
  EXPECT_TRUE(fcntl(inherited, F_GETFL) & O_NONBLOCK);
  close(inherited);
}

TEST_F(Driver, ClosedFilesAreCollected) {
  const int before = kernel_->open(render_minor, O_RDWR);
  create(1 << 20, before);
  EXPECT_EQ(kernel_->state().files.size(), 2u);
  close(before);
  kernel_->collect();
  EXPECT_EQ(kernel_->state().files.size(), 1u);
  EXPECT_EQ(kernel_->state().arenas.size(), 1u);
  create(4096);
}

}  // namespace
}  // namespace vitro::i915
