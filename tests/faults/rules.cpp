// The kernel's own rules: which calls it refuses, and with what; who is banned after how many hangs; what the error
// state says. Source of the behaviour: Linux 6.1, gem/i915_gem_execbuffer.c, gem/i915_gem_context.c, gt/intel_reset.c,
// i915_gpu_error.c.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "client.h"
#include "memory/view.h"
#include "recording/recording.h"

namespace vitro::faults {

namespace {

constexpr uint64_t here = 0x5000'0000'0000;

struct Refused {
  File file;
  uint32_t batch = file.create(4096), other = file.create(4096), context = file.new_context();
  drm_i915_gem_exec_object2 list[2] = {pinned(other, here + 0x10000), pinned(batch, here)};
  drm_i915_gem_relocation_entry relocation{};
  drm_i915_gem_exec_fence fence{};
  drm_i915_gem_execbuffer2 e{};

  Refused() {
    uint32_t* at = file.map(batch, 4096);
    at[0] = mi_batch_buffer_end;
    munmap(at, 4096);
    e.buffers_ptr = uint64_t(list);
    e.buffer_count = 2;
    e.flags = I915_EXEC_RENDER;
    e.rsvd1 = context;
  }
  void relocate() {
    list[1].relocs_ptr = uint64_t(&relocation);
    list[1].relocation_count = 1;
    relocation.target_handle = other;
    relocation.presumed_offset = ~0ull;
    relocation.offset = 0x100;
  }
  void fences() {
    e.flags |= I915_EXEC_FENCE_ARRAY;
    e.cliprects_ptr = uint64_t(&fence);
    e.num_cliprects = 1;
  }
  uint32_t syncobj() {
    drm_syncobj_create c{};
    file.call(DRM_IOCTL_SYNCOBJ_CREATE, &c);
    return c.handle;
  }
};

// What is wrong with a call of execbuffer2 that would be right without it.
struct Wrong {
  std::string_view name;
  int error;
  void (*make)(Refused&);
};
constexpr Wrong wrongs[] = {
    {"nothing", 0, [](Refused&) {}},
    {"no-buffers", EINVAL, [](Refused& r) { r.e.buffer_count = 0; }},
    {"far-too-many-buffers", EINVAL, [](Refused& r) { r.e.buffer_count = 0xFFFFFFFF; }},
    {"buffer-list-in-no-memory", EFAULT, [](Refused& r) { r.e.buffers_ptr = 16; }},
    {"more-buffers-than-memory", EFAULT, [](Refused& r) { r.e.buffer_count = 0x7FFFFFFF; }},
    {"unknown-handle", ENOENT, [](Refused& r) { r.list[0].handle = 9999; }},
    {"handle-zero", ENOENT, [](Refused& r) { r.list[1].handle = 0; }},
    {"closed-handle", ENOENT, [](Refused& r) { r.file.close(r.other); }},
    {"unknown-context", ENOENT, [](Refused& r) { r.e.rsvd1 = 77; }},
    {"closed-context", ENOENT,
     [](Refused& r) {
       drm_i915_gem_context_destroy d{.ctx_id = r.context};
       r.file.call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d);
     }},
    {"unknown-flags", EINVAL, [](Refused& r) { r.e.flags |= uint64_t{1} << 40; }},
    {"resource-streamer", EINVAL, [](Refused& r) { r.e.flags |= I915_EXEC_RESOURCE_STREAMER; }},
    {"secure-batch", EPERM, [](Refused& r) { r.e.flags |= I915_EXEC_SECURE; }},
    {"unknown-ring", EINVAL, [](Refused& r) { r.e.flags = (r.e.flags & ~uint64_t{I915_EXEC_RING_MASK}) | 9; }},
    {"bsd-choice-for-another-ring", EINVAL, [](Refused& r) { r.e.flags |= I915_EXEC_BSD_RING1; }},
    {"cliprects", EINVAL, [](Refused& r) { r.e.num_cliprects = 1; }},
    {"dr1", EINVAL, [](Refused& r) { r.e.DR1 = 1; }},
    {"misaligned-start", EINVAL, [](Refused& r) { r.e.batch_start_offset = 4; }},
    {"misaligned-length", EINVAL, [](Refused& r) { r.e.batch_len = 12; }},
    {"length-beyond-the-object", EINVAL, [](Refused& r) { r.e.batch_len = 8192; }},
    {"start-beyond-the-object", EINVAL, [](Refused& r) { r.e.batch_start_offset = 8192; }},
    {"batch-that-is-written", EINVAL, [](Refused& r) { r.list[1].flags |= EXEC_OBJECT_WRITE; }},
    {"unknown-object-flags", EINVAL, [](Refused& r) { r.list[0].flags |= uint64_t{1} << 30; }},
    {"alignment-of-three", EINVAL, [](Refused& r) { r.list[0].alignment = 3; }},
    {"odd-padding", EINVAL,
     [](Refused& r) { r.list[0].flags |= EXEC_OBJECT_PAD_TO_SIZE, r.list[0].pad_to_size = 5000; }},
    {"pinned-at-an-odd-address", EINVAL, [](Refused& r) { r.list[0].offset += 8; }},
    {"pinned-at-a-non-canonical-address", EINVAL, [](Refused& r) { r.list[0].offset |= uint64_t{1} << 47; }},
    {"pinned-above-4-gb-without-saying-so", EINVAL,
     [](Refused& r) { r.list[0].flags &= ~uint64_t{EXEC_OBJECT_SUPPORTS_48B_ADDRESS}; }},
    {"pinned-beyond-the-end", EINVAL, [](Refused& r) { r.list[0].offset = ~uint64_t{0} << 49; }},
    {"two-objects-in-one-place", ENOSPC, [](Refused& r) { r.list[0].offset = r.list[1].offset; }},
    {"relocation-to-an-object-that-is-not-listed", ENOENT,
     [](Refused& r) { r.relocate(), r.relocation.target_handle = 4711; }},
    {"relocation-beyond-the-object", EINVAL, [](Refused& r) { r.relocate(), r.relocation.offset = 4096; }},
    {"relocation-across-the-object's-end", EINVAL, [](Refused& r) { r.relocate(), r.relocation.offset = 4092; }},
    {"misaligned-relocation", EINVAL, [](Refused& r) { r.relocate(), r.relocation.offset = 0x102; }},
    {"relocation-with-two-write-domains", EINVAL,
     [](Refused& r) {
       r.relocate();
       r.relocation.write_domain = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_VERTEX;
     }},
    {"relocation-for-the-cpu", EINVAL,
     [](Refused& r) { r.relocate(), r.relocation.read_domains = I915_GEM_DOMAIN_CPU; }},
    {"relocations-in-no-memory", EFAULT, [](Refused& r) { r.relocate(), r.list[1].relocs_ptr = 16; }},
    {"fence-with-an-unknown-syncobj", ENOENT, [](Refused& r) { r.fences(), r.fence.handle = 12345; }},
    {"fence-with-unknown-flags", EINVAL,
     [](Refused& r) {
       r.fences();
       r.fence = {r.syncobj(), 1u << 7};
     }},
    {"wait-for-a-syncobj-without-a-fence", EINVAL,
     [](Refused& r) {
       r.fences();
       r.fence = {r.syncobj(), I915_EXEC_FENCE_WAIT};
     }},
    {"fences-in-no-memory", EFAULT, [](Refused& r) { r.fences(), r.e.cliprects_ptr = 16; }},
    {"in-fence-that-is-none", EINVAL, [](Refused& r) { r.e.flags |= I915_EXEC_FENCE_IN, r.e.rsvd2 = 0; }},
    {"in-fence-and-submit-fence", EINVAL,
     [](Refused& r) { r.e.flags |= I915_EXEC_FENCE_IN | I915_EXEC_FENCE_SUBMIT, r.e.rsvd2 = 0; }},
    {"object-that-was-given-away", EFAULT,
     [](Refused& r) {
       drm_i915_gem_madvise m{.handle = r.other, .madv = I915_MADV_DONTNEED};
       r.file.call(DRM_IOCTL_I915_GEM_MADVISE, &m);
     }},
    {"user-memory-that-is-gone", EFAULT,
     [](Refused& r) {
       // Far below where the kernel puts mappings by itself: no other thread's mapping may take the place.
       void* at = mmap(reinterpret_cast<void*>(0x2000'0000'0000), 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
       drm_i915_gem_userptr u{.user_ptr = uint64_t(at), .user_size = 4096};
       r.file.call(DRM_IOCTL_I915_GEM_USERPTR, &u);
       munmap(at, 4096);
       r.list[0].handle = u.handle;
     }},
};

template <class Argument>
void expect(const File& f, std::string_view what, unsigned long request, Argument argument, int error) {
  begin(what);
  if (const int got = f.call(request, &argument); got != error)
    complain(fmt::format("{} instead of {}", std::strerror(got), std::strerror(error)));
}

void test_other_calls() {
  const File f;
  const uint32_t object = f.create(4096);
  expect(f, "create-nothing", DRM_IOCTL_I915_GEM_CREATE, drm_i915_gem_create{}, EINVAL);
  expect(f, "map-an-unknown-handle", DRM_IOCTL_I915_GEM_MMAP_OFFSET, drm_i915_gem_mmap_offset{.handle = 99}, ENOENT);
  expect(f, "wait-for-an-unknown-handle", DRM_IOCTL_I915_GEM_WAIT, drm_i915_gem_wait{.bo_handle = 99}, ENOENT);
  expect(f, "wait-with-flags", DRM_IOCTL_I915_GEM_WAIT, drm_i915_gem_wait{.bo_handle = object, .flags = 1}, EINVAL);
  expect(f, "is-an-unknown-handle-busy", DRM_IOCTL_I915_GEM_BUSY, drm_i915_gem_busy{.handle = 99}, ENOENT);
  expect(f, "write-beyond-the-object", DRM_IOCTL_I915_GEM_PWRITE,
         drm_i915_gem_pwrite{.handle = object, .offset = 4000, .size = 100, .data_ptr = uint64_t(&f)}, EINVAL);
  expect(f, "read-into-no-memory", DRM_IOCTL_I915_GEM_PREAD,
         drm_i915_gem_pread{.handle = object, .offset = 0, .size = 100, .data_ptr = 16}, EFAULT);
  expect(f, "close-an-unknown-handle", DRM_IOCTL_GEM_CLOSE, drm_gem_close{.handle = 99}, EINVAL);
  expect(f, "destroy-the-default-context", DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, drm_i915_gem_context_destroy{}, ENOENT);
  expect(f, "context-with-unknown-flags", DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
         drm_i915_gem_context_create_ext{.ctx_id = 0, .flags = 1u << 9, .extensions = 0}, EINVAL);
  expect(f, "unknown-context-parameter", DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
         drm_i915_gem_context_param{.ctx_id = 0, .size = 0, .param = 0x7777, .value = 0}, EINVAL);
  expect(f, "statistics-of-an-unknown-context", DRM_IOCTL_I915_GET_RESET_STATS, drm_i915_reset_stats{.ctx_id = 55},
         ENOENT);
  expect(f, "statistics-with-flags", DRM_IOCTL_I915_GET_RESET_STATS, drm_i915_reset_stats{.ctx_id = 0, .flags = 1},
         EINVAL);
  expect(f, "destroy-an-unknown-vm", DRM_IOCTL_I915_GEM_VM_DESTROY, drm_i915_gem_vm_control{.vm_id = 88}, ENOENT);
  expect(f, "unknown-syncobj", DRM_IOCTL_SYNCOBJ_DESTROY, drm_syncobj_destroy{.handle = 66}, EINVAL);
  expect(f, "import-what-is-no-buffer", DRM_IOCTL_PRIME_FD_TO_HANDLE, drm_prime_handle{.fd = 0}, EINVAL);
  expect(f, "export-an-unknown-handle", DRM_IOCTL_PRIME_HANDLE_TO_FD, drm_prime_handle{.handle = 99}, ENOENT);
  expect(f, "user-memory-at-an-odd-address", DRM_IOCTL_I915_GEM_USERPTR,
         drm_i915_gem_userptr{.user_ptr = 0x1001, .user_size = 4096}, EINVAL);
  expect(f, "tiling-of-an-unknown-handle", DRM_IOCTL_I915_GEM_SET_TILING, drm_i915_gem_set_tiling{.handle = 99},
         ENOENT);
  expect(f, "a-call-that-does-not-exist", DRM_IOW(DRM_COMMAND_BASE + 0x5F, uint64_t), uint64_t{0}, EINVAL);
}

// A context whose engine never comes to its end is given up when it is closed, if it is not persistent.
void test_closing(const Dialect& dialect, const isa::Model& model) {
  begin("close-a-context-at-work");
  const File f;
  const uint32_t context = f.new_context();
  drm_i915_gem_context_param p{.ctx_id = context, .size = 0, .param = I915_CONTEXT_PARAM_PERSISTENCE, .value = 0};
  const int error = f.call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p);
  if (error != (dialect.preempts ? 0 : ENODEV)) complain(fmt::format("PERSISTENCE: {}", std::strerror(error)));
  if (error) return;
  Job job = good_job(dialect, model, here, 1);
  Job::Compute c;
  c.walker.x = c.walker.y = 0xFFFFFF;  // would run for days
  job.compute(c);
  Submitted s(f, job, context);
  usleep(50'000);
  const auto began = std::chrono::steady_clock::now();
  drm_i915_gem_context_destroy d{.ctx_id = context};
  if (f.call(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &d)) complain("CONTEXT_DESTROY");
  if (const int status = s.finish(); status != -EIO) complain(fmt::format("its fence says {}", status));
  if (std::chrono::steady_clock::now() - began > std::chrono::seconds(10)) complain("it took more than ten seconds");
}

void hang(const File& f, const Dialect& dialect, const isa::Model& model, uint32_t context) {
  Job bad{.dialect = dialect, .model = model, .base = here};
  bad.put(0, {0xE0000000});
  Submitted s(f, bad, context);
  if (s.error()) return complain(fmt::format("a batch is refused: {}", std::strerror(s.error())));
  if (const int status = s.finish(); status != -EIO) complain(fmt::format("its fence says {}", status));
}
int submit_good(const File& f, const Dialect& dialect, const isa::Model& model, uint32_t context) {
  Submitted s(f, good_job(dialect, model, here, 5), context);
  return s.error() ? s.error() : s.finish() == 1 && is_done(s, 5) ? 0 : -1;
}

}  // namespace

std::string error_file() {
  std::string text;
  const int fd = open("/sys/class/drm/card0/error", O_RDONLY | O_CLOEXEC);
  if (fd < 0) complain("there is no error file");
  char block[4096];
  for (ssize_t n; fd >= 0 && (n = read(fd, block, sizeof block)) > 0;) text.append(block, size_t(n));
  if (fd >= 0) close(fd);
  return text;
}

void test_refusals(const Dialect& dialect, const isa::Model& model) {
  for (const Wrong& w : wrongs) {
    begin(w.name);
    Refused r;
    w.make(r);
    if (const int got = r.file.call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &r.e); got != w.error)
      complain(fmt::format("{} instead of {}", std::strerror(got), std::strerror(w.error)));
    work(r.file, dialect, model, 0, here, 0x300);
    fmt::print("refused {}\n", w.name);
  }
  test_other_calls();
  test_closing(dialect, model);
}

void test_bans(const Dialect& dialect, const isa::Model& model) {
  begin("bans");
  const File f;
  const uint32_t context = f.new_context(), strict = f.new_context(false), beside = f.new_context();
  for (uint32_t n = 1; n <= 3; ++n) {
    hang(f, dialect, model, context);
    const drm_i915_reset_stats s = f.reset_stats(context);
    if (s.batch_active != n || s.batch_pending != 0)
      complain(fmt::format("after hang {} batch_active is {}, batch_pending {}", n, s.batch_active, s.batch_pending));
    const int got = submit_good(f, dialect, model, context);
    if (got != (n < 3 ? 0 : EIO)) complain(fmt::format("after hang {} a good batch gives {}", n, got));
  }
  hang(f, dialect, model, strict);
  if (submit_good(f, dialect, model, strict) != EIO) complain("a context that is not recoverable survives a hang");
  if (f.reset_stats(beside).batch_active != 0) complain("a context beside them is guilty");
  if (submit_good(f, dialect, model, beside) != 0) complain("a context beside them does not work");

  // Three banned contexts within a minute ban their file, but nobody else.
  begin("file-ban");
  const File culprit, other;
  for (int n = 0; n < 3; ++n) hang(culprit, dialect, model, culprit.new_context(false));
  drm_i915_gem_context_create c{};
  if (const int got = culprit.call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c); got != EIO)
    complain(fmt::format("a file with three bans gets a context: {}", std::strerror(got)));
  if (submit_good(other, dialect, model, other.new_context()) != 0) complain("another file does not work");
  fmt::print("bans\n");
}

void test_error_state(const Dialect& dialect, const isa::Model& model) {
  begin("error-state");
  const std::string nothing = error_file();
  if (nothing.find("GPU HANG") != std::string::npos) complain("there is an error state before the first hang");
  const File f;
  Job bad{.dialect = dialect, .model = model, .base = here};
  bad.put(0, {mi_noop, mi_noop, mi_noop, 0xE0000001, 0x12345678, 0, 0xFFFFFFFF, 85, 0x80000000});
  Submitted s(f, bad, f.new_context());
  s.finish();
  hang(f, dialect, model, f.new_context());  // only the first is kept
  const std::string text = error_file();
  for (const std::string_view wanted :
       {"GPU HANG: rcs0", "Kernel: ", "Time: ", "PCI ID: 0x", "rcs0 command stream:", "ACTHD: 0x00005000 0000000c",
        "IPEHR: 0xe0000001", "batch: [0x00005000_00000000, 0x00005000_00010000]", "hung: 1", "Active context: "})
    if (text.find(wanted) == std::string::npos) complain(fmt::format("the error state lacks '{}':\n{}", wanted, text));
  const auto reader = recording::Reader::from_bytes(text);
  if (!reader) return complain("the error state cannot be read: " + reader.error().message);
  const auto submission = (*reader)->next();
  if (!submission || !*submission) return complain("the error state has no batch:\n" + text);
  Words read(bad.words.size());
  memory::View((*submission)->memory).read(here, std::as_writable_bytes(std::span(read)));
  if ((*submission)->address != here || read != bad.words)
    complain("the batch in the error state is not the one that hung");
  if ((*submission)->active_head != here + 12) complain("the error state does not say where the batch hung");

  const int fd = open("/sys/class/drm/card0/error", O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, "1", 1) != 1) complain("the error state cannot be cleared");
  if (fd >= 0) close(fd);
  if (error_file() != nothing) complain("the error state is there after it was cleared");
  fmt::print("error-state\n");
}

}  // namespace vitro::faults
