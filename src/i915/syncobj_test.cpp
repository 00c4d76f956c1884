// Tests of syncobjs, binary and timelines, alone and with execbuffer2.
#include <poll.h>

#include "i915/kernel_test.h"
#include "i915/raw.h"

namespace vitro::i915 {
namespace {

class Syncobjs : public KernelTest {
 protected:
  uint32_t make(uint32_t flags = 0, int fd = -1) {
    drm_syncobj_create c{.flags = flags};
    EXPECT_EQ(call(fd < 0 ? fd_ : fd, DRM_IOCTL_SYNCOBJ_CREATE, c), 0);
    return c.handle;
  }
  int wait_for(std::vector<uint32_t> handles, uint32_t flags = 0, int64_t timeout_ms = 0, uint32_t* first = nullptr) {
    drm_syncobj_wait w{};
    w.handles = uint64_t(handles.data());
    w.count_handles = uint32_t(handles.size());
    w.flags = flags;
    w.timeout_nsec = timeout_ms ? raw::monotonic_ns() + timeout_ms * 1'000'000 : 0;
    w.first_signaled = 77;
    const int result = call(DRM_IOCTL_SYNCOBJ_WAIT, w);
    if (first) *first = w.first_signaled;
    return result;
  }
  int wait_point(uint32_t handle, uint64_t point, uint32_t flags = 0, int64_t timeout_ms = 0) {
    drm_syncobj_timeline_wait w{};
    w.handles = uint64_t(&handle);
    w.points = uint64_t(&point);
    w.count_handles = 1;
    w.flags = flags;
    w.timeout_nsec = timeout_ms ? raw::monotonic_ns() + timeout_ms * 1'000'000 : 0;
    return call(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, w);
  }
  int array(unsigned long request, uint32_t handle) {
    drm_syncobj_array a{.handles = uint64_t(&handle), .count_handles = 1};
    return call(request, a);
  }
  int signal_point(uint32_t handle, uint64_t point) {
    drm_syncobj_timeline_array a{.handles = uint64_t(&handle), .points = uint64_t(&point), .count_handles = 1};
    return call(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, a);
  }
  uint64_t point_of(uint32_t handle, uint32_t flags = 0) {
    uint64_t point = ~uint64_t{0};
    drm_syncobj_timeline_array a{
        .handles = uint64_t(&handle), .points = uint64_t(&point), .count_handles = 1, .flags = flags};
    EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_QUERY, a), 0);
    return point;
  }
  // A batch with a fence array, or with timeline points.
  int submit(std::vector<uint32_t> dwords, std::vector<drm_i915_gem_exec_fence> fences,
             std::vector<uint64_t> points = {}, uint32_t context = 0) {
    const uint32_t batch = create(4096);
    write(batch, 0, std::move(dwords));
    std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address + 0x1000 * (batches_++ % 64))};
    drm_i915_gem_execbuffer2 e{};
    e.buffers_ptr = uint64_t(list.data());
    e.buffer_count = 1;
    e.rsvd1 = context;
    e.flags = I915_EXEC_NO_RELOC;
    drm_i915_gem_execbuffer_ext_timeline_fences timeline{};
    if (points.empty()) {
      e.flags |= I915_EXEC_FENCE_ARRAY;
      e.cliprects_ptr = uint64_t(fences.data());
      e.num_cliprects = uint32_t(fences.size());
    } else {
      e.flags |= I915_EXEC_USE_EXTENSIONS;
      e.cliprects_ptr = uint64_t(&timeline);
      timeline.base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES;
      timeline.fence_count = fences.size();
      timeline.handles_ptr = uint64_t(fences.data());
      timeline.values_ptr = uint64_t(points.data());
    }
    const int result = call(DRM_IOCTL_I915_GEM_EXECBUFFER2, e);
    close_object(batch);
    return result;
  }
  static constexpr uint32_t all = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, for_submit = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
                            available = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
};

TEST_F(Syncobjs, CreateAndDestroy) {
  EXPECT_EQ(make(), 1u);
  EXPECT_EQ(make(DRM_SYNCOBJ_CREATE_SIGNALED), 2u);
  drm_syncobj_create c{.flags = 2};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_CREATE, c), -EINVAL);
  drm_syncobj_destroy d{.handle = 1, .pad = 1};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_DESTROY, d), -EINVAL);
  d.pad = 0;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_DESTROY, d), 0);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_DESTROY, d), -EINVAL);
  EXPECT_EQ(make(), 1u);
}

TEST_F(Syncobjs, Wait) {
  const uint32_t empty = make(), signalled = make(DRM_SYNCOBJ_CREATE_SIGNALED);
  uint32_t first = 0;
  EXPECT_EQ(wait_for({signalled}), 0);
  EXPECT_EQ(wait_for({empty}), -EINVAL);
  EXPECT_EQ(wait_for({empty}, for_submit), -ETIME);
  EXPECT_EQ(wait_for({empty}, for_submit, 20), -ETIME);
  EXPECT_EQ(wait_for({empty, signalled}, for_submit, 0, &first), 0);
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(wait_for({empty, signalled}, for_submit | all, 0, &first), -ETIME);
  EXPECT_EQ(first, 77u);
  EXPECT_EQ(wait_for({99}), -ENOENT);
  EXPECT_EQ(wait_for({}), -EINVAL);
  EXPECT_EQ(wait_for({signalled}, available), -EINVAL);
  EXPECT_EQ(array(DRM_IOCTL_SYNCOBJ_SIGNAL, empty), 0);
  EXPECT_EQ(wait_for({empty, signalled}, all), 0);
  EXPECT_EQ(array(DRM_IOCTL_SYNCOBJ_RESET, empty), 0);
  EXPECT_EQ(wait_for({empty}), -EINVAL);
  EXPECT_EQ(array(DRM_IOCTL_SYNCOBJ_RESET, 99), -ENOENT);
}

TEST_F(Syncobjs, ListsThatNobodyHasMemoryFor) {
  uint32_t none = 0;
  drm_syncobj_array a{.handles = uint64_t(&none), .count_handles = 0x7fffffff};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_RESET, a), -ENOMEM);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_SIGNAL, a), -ENOMEM);
  drm_syncobj_timeline_array t{.handles = uint64_t(&none), .count_handles = ~0u};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_QUERY, t), -ENOMEM);
  a.count_handles = 2, a.handles = 8;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_RESET, a), -EFAULT);
}

TEST_F(Syncobjs, AWaiterSeesWhatIsSubmittedLater) {
  const uint32_t s = make();
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(submit({2, 30, 0}, {{s, I915_EXEC_FENCE_SIGNAL}}), 0);
  });
  EXPECT_EQ(wait_for({s}, for_submit, 5000), 0);
  later.join();
}

TEST_F(Syncobjs, FenceArrays) {
  const uint32_t s = make(), data = create(4096);
  EXPECT_EQ(run({0}, data, 0), 0);  // binds the data
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT}}), -EINVAL) << "nothing to wait for";
  EXPECT_EQ(submit({2, 60, 1, lo(target_address), hi(target_address), 1, 0}, {{s, I915_EXEC_FENCE_SIGNAL}}), 0);
  EXPECT_EQ(wait_for({s}), -ETIME);
  // Another context, which waits for the first and is waited for itself.
  drm_i915_gem_vm_control vm{};
  ASSERT_EQ(call(DRM_IOCTL_I915_GEM_VM_CREATE, vm), 0);
  const uint32_t c = new_context();
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL}}, {}, c), 0);
  EXPECT_EQ(wait_for({s}, 0, 5000), 0);
  EXPECT_EQ(peek(data), 1u);
  EXPECT_EQ(submit({0}, {{s, 8}}), -EINVAL);
  EXPECT_EQ(submit({0}, {{99, I915_EXEC_FENCE_SIGNAL}}), -ENOENT);
  // After an error nothing is signalled.
  const uint32_t t = make();
  EXPECT_EQ(submit({0}, {{t, I915_EXEC_FENCE_SIGNAL}}, {}, 99), -ENOENT);
  EXPECT_EQ(wait_for({t}), -EINVAL);
}

TEST_F(Syncobjs, Timelines) {
  const uint32_t s = make();
  EXPECT_EQ(point_of(s), 0u);
  EXPECT_EQ(wait_point(s, 1), -EINVAL);
  EXPECT_EQ(signal_point(s, 3), 0);
  EXPECT_EQ(point_of(s), 3u);
  EXPECT_EQ(wait_point(s, 2), 0);
  EXPECT_EQ(wait_point(s, 3), 0);
  EXPECT_EQ(wait_point(s, 4), -EINVAL);
  EXPECT_EQ(wait_point(s, 4, for_submit), -ETIME);
  EXPECT_EQ(wait_point(s, 0), 0);
  EXPECT_EQ(submit({2, 100, 0}, {{s, I915_EXEC_FENCE_SIGNAL}}, {5}), 0);
  EXPECT_EQ(point_of(s), 3u);
  EXPECT_EQ(point_of(s, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 5u);
  EXPECT_EQ(wait_point(s, 4), -ETIME);
  EXPECT_EQ(wait_point(s, 4, available), 0);
  // A later point that has signalled waits for those before it.
  EXPECT_EQ(signal_point(s, 7), 0);
  EXPECT_EQ(wait_point(s, 7), -ETIME);
  EXPECT_EQ(point_of(s), 3u);
  EXPECT_EQ(wait_point(s, 7, 0, 5000), 0);
  EXPECT_EQ(point_of(s), 7u);
  drm_syncobj_timeline_array a{.handles = uint64_t(&s), .points = 0, .count_handles = 1, .flags = 2};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_QUERY, a), -EINVAL);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, a), -EINVAL);
}

TEST_F(Syncobjs, TimelineFencesOfExecbuffer) {
  const uint32_t s = make(), b = make();
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT}}, {1}), -EINVAL);
  EXPECT_EQ(signal_point(s, 1), 0);
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT}}, {1}), 0);
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT}}, {2}), -EINVAL);
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_WAIT | I915_EXEC_FENCE_SIGNAL}}, {2}), -EINVAL);
  EXPECT_EQ(submit({0}, {{s, 8}}, {2}), -EINVAL);
  EXPECT_EQ(submit({0}, {{99, I915_EXEC_FENCE_WAIT}}, {2}), -ENOENT);
  EXPECT_EQ(submit({0}, {{s, I915_EXEC_FENCE_SIGNAL}, {b, I915_EXEC_FENCE_SIGNAL}}, {2, 0}), 0);
  EXPECT_EQ(wait_point(s, 2, 0, 5000), 0);
  EXPECT_EQ(wait_for({b}, 0, 5000), 0) << "point 0 is binary";
}

TEST_F(Syncobjs, Transfer) {
  const uint32_t from = make(), to = make();
  drm_syncobj_transfer t{.src_handle = from, .dst_handle = to, .src_point = 0, .dst_point = 9};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), -EINVAL);
  EXPECT_EQ(submit({2, 50, 0}, {{from, I915_EXEC_FENCE_SIGNAL}}), 0);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), 0);
  EXPECT_EQ(wait_point(to, 9), -ETIME);
  EXPECT_EQ(wait_point(to, 9, 0, 5000), 0);
  t = {.src_handle = to, .dst_handle = from, .src_point = 9, .dst_point = 0};
  EXPECT_EQ(array(DRM_IOCTL_SYNCOBJ_RESET, from), 0);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), 0);
  EXPECT_EQ(wait_for({from}), 0);
  t.src_handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), -ENOENT);
  t.pad = 1;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_TRANSFER, t), -EINVAL);
}

TEST_F(Syncobjs, SyncFiles) {
  const uint32_t s = make(), t = make();
  drm_syncobj_handle h{.handle = s, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), -EINVAL) << "empty";
  EXPECT_EQ(submit({2, 60, 0}, {{s, I915_EXEC_FENCE_SIGNAL}}), 0);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), 0);
  pollfd p{h.fd, POLLIN, 0};
  EXPECT_EQ(poll(&p, 1, 0), 0);
  h.handle = t;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), 0);
  EXPECT_EQ(wait_for({t}), -ETIME);
  EXPECT_EQ(wait_for({t}, 0, 5000), 0);
  EXPECT_EQ(poll(&p, 1, 5000), 1);
  EXPECT_EQ(array(DRM_IOCTL_SYNCOBJ_RESET, t), 0);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), 0) << "signalled";
  EXPECT_EQ(wait_for({t}), 0);
  close(h.fd);
  h.fd = fd_;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), -EINVAL);
  h.handle = 99;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), -ENOENT);
  h.flags = 4;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), -EINVAL);
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), -EINVAL);
}

TEST_F(Syncobjs, DescriptorsKeepThem) {
  const uint32_t s = make(DRM_SYNCOBJ_CREATE_SIGNALED);
  drm_syncobj_handle h{.handle = s};
  ASSERT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), 0);
  EXPECT_EQ(kernel_->identify(h.fd).kind, FdKind::syncobj);
  drm_syncobj_destroy d{.handle = s};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_DESTROY, d), 0);
  EXPECT_EQ(make(), s) << "a new one in its place";
  drm_syncobj_handle again{.fd = h.fd};
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, again), 0);
  EXPECT_EQ(wait_for({again.handle}), 0);
  d.handle = again.handle;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_DESTROY, d), 0);
  Head& head = kernel_->state().file(fd_)->arena->head();
  EXPECT_EQ(head.unhandled_syncobjs, 1u);
  close(h.fd);
  make();
  EXPECT_EQ(head.unhandled_syncobjs, 0u);
  again.fd = fd_;
  EXPECT_EQ(call(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, again), -EINVAL);
}

TEST_F(Syncobjs, OfAnotherFile) {
  const uint32_t s = make();
  drm_syncobj_handle h{.handle = s};
  ASSERT_EQ(call(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h), 0);
  const int other = open(render_minor);
  ASSERT_EQ(call(other, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h), 0);
  close(h.fd);
  // The other file's work signals it; this file waits.
  const uint32_t batch = create(4096, other);
  write(batch, 0, {2, 50, 0}, other);
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  drm_i915_gem_exec_fence fence{.handle = h.handle, .flags = I915_EXEC_FENCE_SIGNAL};
  drm_i915_gem_execbuffer2 e{};
  e.buffers_ptr = uint64_t(list.data()), e.buffer_count = 1;
  e.flags = I915_EXEC_NO_RELOC | I915_EXEC_FENCE_ARRAY;
  e.cliprects_ptr = uint64_t(&fence), e.num_cliprects = 1;
  EXPECT_EQ(call(other, DRM_IOCTL_I915_GEM_EXECBUFFER2, e), 0);
  EXPECT_EQ(wait_for({s}), -ETIME);
  EXPECT_EQ(wait_for({s}, 0, 5000), 0);
  drm_syncobj_destroy d{.handle = h.handle};
  EXPECT_EQ(call(other, DRM_IOCTL_SYNCOBJ_DESTROY, d), 0);
}

}  // namespace
}  // namespace vitro::i915
