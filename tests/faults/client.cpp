// The client's ways to the device, and the work that is right (see client.h).
#include "client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "isa/assemble.h"

namespace vitro::faults {

namespace {

std::atomic<int> count{0};
thread_local std::string_view current;

void demand(bool condition, const char* what) {
  if (condition) return;
  fmt::print("FAILED {}: {}: {}\n", current, what, std::strerror(errno));
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

void begin(std::string_view name) { current = name; }
void complain(const std::string& what) {
  ++count;
  fmt::print("FAILED {}: {}\n", current, what);
}
int complaints() { return count; }

void Job::put(uint32_t at, const Words& w) { std::copy(w.begin(), w.end(), words.begin() + at / 4); }

void Job::kernel(std::string_view text, uint32_t at) {
  std::string all(text);
  if (all.find("EOT") == std::string::npos) all += end_of_thread;
  const isa::Assembly a = isa::assemble(model, all, {.validate = false});
  if (!a.ok()) complain(isa::render("kernel", all, a.diagnostics.front(), false));
  std::memcpy(words.data() + at / 4, a.code.data(), a.code.size());
}

Words Job::opening() const {
  return Words{dialect.select_gpgpu} + base_addresses(dialect, {.general = base,
                                                                .surface = base + surface_at,
                                                                .dynamic = base + dynamic_at,
                                                                .indirect = base,
                                                                .instruction = base + kernel_at});
}

void Job::compute(const Compute& c) {
  put(dynamic_at, interface_descriptor(c.descriptor));
  for (uint32_t n = 0; n < 64; ++n) words[(dynamic_at + curbe_at) / 4 + n] = n % 16 < 8 ? n % 16 * 4 : 100 + n % 8;
  put(surface_at, {0x100, 0x140});
  put(surface_at + 0x100, raw_buffer(data(), 4096));
  put(surface_at + 0x140, null_surface());
  const Words before = opening() + c.vfe + c.curbe + c.loading;
  bad_at = uint32_t(before.size()) * 4;
  put(start, before + walker(c.walker) + media_flush() + store_dword(data() + 0x2000, 0xD09E) + end());
}

File::File() : fd_(open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)) { demand(fd_ >= 0, "open"); }
File::~File() { ::close(fd_); }

int File::call(unsigned long request, void* argument) const { return ioctl(fd_, request, argument) == 0 ? 0 : errno; }
uint32_t File::create(uint64_t bytes) const {
  drm_i915_gem_create c{.size = bytes};
  demand(call(DRM_IOCTL_I915_GEM_CREATE, &c) == 0, "GEM_CREATE");
  return c.handle;
}
void File::close(uint32_t handle) const {
  drm_gem_close c{.handle = handle};
  demand(call(DRM_IOCTL_GEM_CLOSE, &c) == 0, "GEM_CLOSE");
}
uint32_t* File::map(uint32_t handle, uint64_t bytes) const {
  drm_i915_gem_mmap_offset get{.handle = handle, .flags = I915_MMAP_OFFSET_WB};
  demand(call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &get) == 0, "MMAP_OFFSET");
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, off_t(get.offset));
  demand(at != MAP_FAILED, "mmap");
  return static_cast<uint32_t*>(at);
}
uint32_t File::new_context(bool recoverable) const {
  drm_i915_gem_context_create c{};
  demand(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &c) == 0, "CONTEXT_CREATE");
  if (!recoverable) {
    drm_i915_gem_context_param p{.ctx_id = c.ctx_id, .param = I915_CONTEXT_PARAM_RECOVERABLE, .value = 0};
    demand(call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &p) == 0, "RECOVERABLE");
  }
  return c.ctx_id;
}
drm_i915_reset_stats File::reset_stats(uint32_t context) const {
  drm_i915_reset_stats s{.ctx_id = context};
  demand(call(DRM_IOCTL_I915_GET_RESET_STATS, &s) == 0, "GET_RESET_STATS");
  return s;
}

drm_i915_gem_exec_object2 pinned(uint32_t handle, uint64_t address, uint64_t flags) {
  drm_i915_gem_exec_object2 o{};
  o.handle = handle;
  o.offset = address;
  o.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | flags;
  return o;
}

Submitted::Submitted(const File& file, const Job& job, uint32_t context) : file_(file) {
  handle_ = file.create(job_bytes);
  map_ = file.map(handle_, job_bytes);
  std::memcpy(map_, job.words.data(), job_bytes);
  drm_i915_gem_exec_object2 object = pinned(handle_, job.base);
  drm_i915_gem_execbuffer2 e{};
  e.buffers_ptr = uint64_t(&object);
  e.buffer_count = 1;
  e.batch_start_offset = job.start;
  e.flags = job.engine | I915_EXEC_NO_RELOC | I915_EXEC_FENCE_OUT;
  e.rsvd1 = context;
  error_ = file.call(DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &e);
  if (!error_) fence_ = int(e.rsvd2 >> 32);
}
Submitted::~Submitted() {
  if (fence_ >= 0) ::close(fence_);
  munmap(map_, job_bytes);
  file_.close(handle_);
}
int Submitted::finish() {
  if (fence_ < 0) return -error_;
  constexpr int64_t seconds = 40;
  drm_i915_gem_wait w{.bo_handle = handle_, .flags = 0, .timeout_ns = seconds * 1'000'000'000};
  if (const int error = file_.call(DRM_IOCTL_I915_GEM_WAIT, &w)) {
    complain(fmt::format("GEM_WAIT: {}", std::strerror(error)));
    return -error;
  }
  pollfd p{.fd = fence_, .events = POLLIN, .revents = 0};
  if (poll(&p, 1, 1000) != 1) complain("the fence is not signalled");
  sync_fence_info one{};
  sync_file_info info{};
  info.num_fences = 1;
  info.sync_fence_info = uint64_t(&one);
  if (ioctl(fence_, SYNC_IOC_FILE_INFO, &info) != 0) complain("SYNC_IOC_FILE_INFO");
  return info.status;
}

Job good_job(const Dialect& dialect, const isa::Model& model, uint64_t base, uint32_t tag) {
  Job job{.dialect = dialect, .model = model, .base = base};
  job.compute("send (8|M0) null r1 0xC 0x04026E00\n");  // stores r2 at the offsets in r1
  for (uint32_t n = 0; n < 8; ++n) job.words[(dynamic_at + curbe_at) / 4 + 8 + n] = tag + n;
  return job;
}
bool is_done(const Submitted& s, uint32_t tag) {
  for (uint32_t n = 0; n < 8; ++n)
    if (s.data()[n] != tag + n) return false;
  return s.data()[8] == 0 && s.data()[0x800] == 0xD09E;
}
void work(const File& file, const Dialect& dialect, const isa::Model& model, uint32_t context, uint64_t base,
          uint32_t tag) {
  Submitted s(file, good_job(dialect, model, base, tag), context);
  const int status = s.finish();
  if (status != 1) complain(fmt::format("good work ends with {}", status));
  if (!is_done(s, tag)) complain(fmt::format("good work gives {:#x}, {:#x}", s.data()[0], s.data()[0x800]));
}

}  // namespace vitro::faults
