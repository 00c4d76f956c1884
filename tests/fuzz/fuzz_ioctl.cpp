// Fuzz target: any bytes as a sequence of requests to the kernel's side, as hostile or confused programs make them:
// contexts, address spaces, execbuffers with odd objects, relocations and fences, syncobjs, userptr, PRIME between two
// files, tiling, mappings, and requests whose argument is made of odd words. Whatever it is, it ends, nothing crashes,
// and when all has been closed all storage is free again. The GPU is one that knows three commands (store, load, hang).
// Pointers are to one block of memory that belongs to the input, or to nothing: others would let it write to the
// fuzzer.
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz.h"
#include "i915/gate.h"
#include "i915/kernel.h"
#include "i915/state.h"
#include "memory/view.h"

using namespace vitro;

namespace {

constexpr size_t scratch_bytes = 64 << 10, user_bytes = 64 << 10;

std::byte* reserve(size_t bytes, void* at = nullptr) {
  return static_cast<std::byte*>(
      mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0));
}

std::optional<Fault> execute(const device::Batch& batch, const std::function<bool()>& stop) {
  memory::View view(batch.ppgtt);
  uint64_t at = batch.address;
  const auto next = [&] {
    const uint32_t v = view.load<uint32_t>(at);
    at += 4;
    return v;
  };
  for (int n = 0; n < 64 && !stop(); ++n) {
    const uint32_t opcode = next() & 3;
    if (opcode == 0) return std::nullopt;
    if (opcode == 3) return Fault{.reason = "told to", .address = at, .batch_offset = at - batch.address};
    const uint64_t low = next(), address = low | uint64_t(next()) << 32;
    if (opcode == 1)
      view.store<uint32_t>(address, next());
    else
      view.load<uint64_t>(address);
  }
  return std::nullopt;
}

struct Input {
  const uint8_t* at;
  size_t left;
  std::byte* scratch;
  std::byte* user;

  uint8_t byte() { return left ? (--left, *at++) : 0; }
  uint32_t below(uint32_t n) { return byte() % n; }
  bool flip() { return byte() & 1; }
  uint64_t raw() {
    uint64_t v = 0;
    for (int n = 0; n < 8; ++n) v = v << 8 | byte();
    return v;
  }
  uint32_t handle() { return below(16) == 0 ? 0x7fffffff : below(10); }
  uint64_t pointer() {
    static constexpr uint64_t bad[] = {0, 8, 4096, uint64_t{1} << 46, ~uint64_t{0}, uint64_t{1} << 63};
    const uint8_t b = byte();
    return b < std::size(bad) ? bad[b] : reinterpret_cast<uint64_t>(scratch) + b * (scratch_bytes / 256);
  }
  // Sizes, offsets, addresses, flags.
  uint64_t number() {
    static constexpr uint64_t odd[] = {0,          1,          2,          3,
                                       4,          8,          63,         512,
                                       4095,       4096,       8192,       12288,
                                       1024,       65536,      1 << 20,    0x7fffffff,
                                       0x80000000, 0xfffff000, ~0u,        1ull << 32,
                                       1ull << 38, 1ull << 46, 1ull << 47, (1ull << 48) - 4096,
                                       1ull << 63, ~0ull,      ~4095ull,   0xffff800000000000};
    const uint8_t b = byte();
    if (b < std::size(odd)) return odd[b];
    if (b < 64) return uint64_t{1} << (b & 63);
    if (b < 200) return b - 64;
    return b < 230 ? uint64_t(b - 200) << 12 : raw();
  }
  uint64_t word() {
    const uint8_t b = byte();
    return b < 100 ? number() : b < 200 ? handle() : pointer();
  }
  uint32_t small_size() { return (1 + below(20)) * 4096; }
};

struct Mapping {
  void* address;
  size_t bytes;
};

class Program {
 public:
  explicit Program(Input in) : in_(in) {
    i915::Options options{.device = std::array{"kbl", "snb", "bdw", "apl"}[in_.below(4)], .report = false};
    kernel_ = std::make_unique<i915::Kernel>(options, [](const gen::Device&, const device::Options&) {
      return i915::Gpu{
          .create_context = [] { return std::shared_ptr<void>(std::make_shared<int>()); },
          .reset = [](void*) {},
          .run = [](void*, const device::Batch& b, const std::function<bool()>& s) { return execute(b, s); },
          .timestamp = [] { return uint64_t{1}; },
          .statistics = [](bool) { return std::string(); }};
    });
    for (int& fd : files_) fd = kernel_->open(in_.flip() ? i915::card_minor : i915::render_minor, O_RDWR | O_CLOEXEC);
  }
  void run();
  void finish();

 private:
  int file() { return files_[in_.below(4) == 0]; }
  int descriptor() {
    return fds_.empty() || in_.below(16) == 0 ? int(in_.below(8)) - 1 : fds_[in_.byte() % fds_.size()];
  }
  template <class T>
  int call(int fd, unsigned long request, T& argument) {
    return kernel_->ioctl(fd, request, &argument).value_or(-ENOTTY);
  }
  void keep(int fd) {
    if (fd > 2) fds_.push_back(fd);
  }

  void generic();
  void create();
  void userptr();
  void change_user_memory();
  void map();
  void unmap();
  void copy();
  void submit();
  void context();
  void context_parameter();
  void space();
  void syncobj();
  void syncobj_wait();
  void syncobj_file();
  void prime();
  void dma_buf();
  void sync_file();
  void close_something();
  void property();
  void access();
  void query();
  void fill_scratch();
  void wait_for_gate();

  Input in_;
  std::unique_ptr<i915::Kernel> kernel_;
  std::array<int, 2> files_{};
  std::vector<int> fds_;
  std::vector<Mapping> mappings_;
};

void Program::generic() {
  std::array<uint64_t, 32> words{};
  for (uint32_t n = in_.below(14), i = 0; i < n; ++i)
    words[i] = in_.flip() ? in_.word() : in_.word() | in_.word() << 32;
  static constexpr uint8_t numbers[] = {0x00, 0x01, 0x05, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x2d, 0x2e};
  const uint32_t number = in_.flip()   ? 0x40 + in_.below(0x40)
                          : in_.flip() ? 0xa0 + in_.below(0x40)
                                       : numbers[in_.below(std::size(numbers))];
  // Waiting for what nobody submits is not what we look for; and these give memory and descriptors that must be kept.
  if (number == 0x2d || number == 0xc1 || number == DRM_COMMAND_BASE + DRM_I915_GEM_EXECBUFFER2) return;
  if (number == 0xc3 || number == 0xca || number == 0xcc || number == DRM_COMMAND_BASE + DRM_I915_GEM_MMAP) return;
  const uint32_t size = in_.flip() ? uint32_t(in_.below(120)) : 64;
  kernel_->ioctl(file(), _IOC(in_.byte() & 3, 'd', number, size), words.data());
}

void Program::create() {
  if (in_.flip()) {
    drm_i915_gem_create c{.size = in_.below(4) ? in_.small_size() : in_.number()};
    call(file(), DRM_IOCTL_I915_GEM_CREATE, c);
    return;
  }
  drm_i915_gem_memory_class_instance region{uint16_t(in_.below(3)), uint16_t(in_.below(2))};
  drm_i915_gem_create_ext_memory_regions regions{};
  regions.base.name = in_.below(3);
  regions.base.next_extension = in_.below(4) ? 0 : in_.pointer();
  regions.num_regions = in_.below(3);
  regions.regions = in_.below(8) ? reinterpret_cast<uint64_t>(&region) : in_.pointer();
  drm_i915_gem_create_ext c{.size = in_.small_size(),
                            .flags = in_.below(3),
                            .extensions = in_.flip() ? reinterpret_cast<uint64_t>(&regions) : in_.pointer()};
  call(file(), DRM_IOCTL_I915_GEM_CREATE_EXT, c);
}

void Program::userptr() {
  drm_i915_gem_userptr u{.user_ptr = reinterpret_cast<uint64_t>(in_.user) + in_.below(18) * 4096,
                         .user_size = (in_.below(4) + uint64_t{in_.below(8) != 0}) * 4096,
                         .flags = in_.below(4)};
  if (in_.below(8) == 0) u.user_ptr = in_.number();
  if (in_.below(8) == 0) u.user_size = in_.number();
  call(file(), DRM_IOCTL_I915_GEM_USERPTR, u);
}

void Program::change_user_memory() {
  std::byte* const at = in_.user + in_.below(16) * 4096;
  const size_t bytes = std::min<size_t>((1 + in_.below(4)) * 4096, size_t(in_.user + user_bytes - at));
  static constexpr int protections[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};
  const uint32_t what = in_.below(4);
  if (what < 3) {
    kernel_->note_protected(at, bytes);
    mprotect(at, bytes, protections[what]);
  } else {
    kernel_->note_unmapped(at, bytes);
    reserve(bytes, at);
  }
}

void Program::map() {
  const int fd = file();
  uint64_t offset = in_.number(), bytes = in_.below(6) ? in_.small_size() : in_.number();
  int from = fd;
  if (in_.below(6) == 0) {
    from = descriptor();
  } else if (in_.below(8)) {
    drm_i915_gem_mmap_offset m{.handle = in_.handle(), .flags = in_.below(6), .extensions = in_.below(8) ? 0 : 1u};
    if (call(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, m) == 0) offset = m.offset;
  } else {
    drm_i915_gem_mmap m{.handle = in_.handle(), .offset = in_.number(), .size = bytes, .flags = in_.below(3)};
    if (call(fd, DRM_IOCTL_I915_GEM_MMAP, m) == 0) mappings_.push_back({reinterpret_cast<void*>(m.addr_ptr), bytes});
    return;
  }
  if (in_.below(4) == 0) offset += in_.number();
  const i915::MapPlan plan = kernel_->plan_map(from, offset, bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (plan.error || plan.foreign) return;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, plan.fd, off_t(plan.offset));
  if (at == MAP_FAILED) return;
  kernel_->note_mapped(at, bytes, from, offset);
  mappings_.push_back({at, bytes});
  std::memset(at, in_.byte(), std::min<size_t>(bytes, 64 << 10));
}

void Program::unmap() {
  if (mappings_.empty()) return;
  const size_t i = in_.byte() % mappings_.size();
  const Mapping m = mappings_[i];
  mappings_.erase(mappings_.begin() + long(i));
  kernel_->note_unmapped(m.address, m.bytes);
  munmap(m.address, m.bytes);
}

void Program::copy() {
  drm_i915_gem_pread p{.handle = in_.handle(), .offset = in_.number(), .size = in_.number(), .data_ptr = in_.pointer()};
  call(file(), in_.flip() ? DRM_IOCTL_I915_GEM_PREAD : DRM_IOCTL_I915_GEM_PWRITE, p);
}

void Program::submit() {
  std::array<drm_i915_gem_exec_object2, 4> objects{};
  std::array<drm_i915_gem_relocation_entry, 3> relocations{};
  std::array<drm_i915_gem_exec_fence, 3> fences{};
  std::array<uint64_t, 3> points{};
  drm_i915_gem_execbuffer_ext_timeline_fences timeline{};
  for (auto& r : relocations) {
    r.target_handle = in_.handle();
    r.delta = uint32_t(in_.number());
    r.offset = in_.number();
    r.presumed_offset = in_.number();
    r.read_domains = uint32_t(in_.below(4) ? I915_GEM_DOMAIN_RENDER : in_.number());
    r.write_domain = in_.flip() ? I915_GEM_DOMAIN_RENDER : 0;
  }
  const uint32_t count = 1 + in_.below(4);
  for (uint32_t i = 0; i < count; ++i) {
    auto& o = objects[i];
    o.handle = in_.handle();
    o.offset = in_.number();
    o.flags = in_.below(8) ? in_.byte() : in_.number();
    o.alignment = in_.below(4) ? 0 : in_.number();
    o.pad_to_size = in_.below(4) ? 0 : in_.number();
    if (in_.flip()) {
      o.relocation_count = in_.below(8) ? in_.below(4) : uint32_t(in_.number());
      o.relocs_ptr = in_.below(8) ? reinterpret_cast<uint64_t>(relocations.data()) : in_.pointer();
      // Beyond the three there is the stack.
      if (o.relocs_ptr == reinterpret_cast<uint64_t>(relocations.data())) o.relocation_count &= 3;
    }
  }
  for (auto& f : fences) f = {.handle = in_.handle(), .flags = in_.below(5)};
  for (auto& p : points) p = in_.below(4);
  drm_i915_gem_execbuffer2 e{.buffers_ptr = in_.below(16) ? reinterpret_cast<uint64_t>(objects.data()) : in_.pointer(),
                             .buffer_count = count,
                             .flags = in_.below(5)};
  if (in_.below(4) == 0) e.batch_start_offset = uint32_t(in_.number()), e.batch_len = uint32_t(in_.number());
  static constexpr uint64_t options[] = {0,
                                         I915_EXEC_NO_RELOC,
                                         I915_EXEC_HANDLE_LUT,
                                         I915_EXEC_BATCH_FIRST,
                                         I915_EXEC_FENCE_OUT,
                                         I915_EXEC_FENCE_IN,
                                         I915_EXEC_FENCE_SUBMIT,
                                         I915_EXEC_SECURE,
                                         I915_EXEC_BSD_RING1};
  for (uint32_t n = in_.below(4); n > 0; --n) e.flags |= options[in_.below(std::size(options))];
  if (in_.below(3) == 0) {
    e.flags |= I915_EXEC_FENCE_ARRAY;
    e.num_cliprects = in_.below(8) ? in_.below(4) : uint32_t(in_.number());
    e.cliprects_ptr = in_.below(8) && e.num_cliprects < 4 ? reinterpret_cast<uint64_t>(fences.data()) : in_.pointer();
  } else if (in_.below(3) == 0) {
    e.flags |= I915_EXEC_USE_EXTENSIONS;
    timeline.base.name = in_.below(8) == 0;
    timeline.base.next_extension = in_.below(8) ? 0 : in_.pointer();
    timeline.fence_count = in_.below(8) ? in_.below(4) : in_.number();
    timeline.handles_ptr = timeline.fence_count < 4 ? reinterpret_cast<uint64_t>(fences.data()) : in_.pointer();
    timeline.values_ptr = timeline.fence_count < 4 ? reinterpret_cast<uint64_t>(points.data()) : in_.pointer();
    e.cliprects_ptr = reinterpret_cast<uint64_t>(&timeline);
  }
  if (in_.below(16) == 0) e.flags |= in_.number();
  e.rsvd1 = in_.below(16) ? in_.below(4) : in_.number();
  e.rsvd2 = uint32_t(descriptor());
  const bool out = e.flags & I915_EXEC_FENCE_OUT;
  if (call(file(), DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, e) == 0 && out) keep(int(e.rsvd2 >> 32));
}

void Program::context() {
  if (in_.flip()) {
    drm_i915_gem_context_destroy d{.ctx_id = in_.below(5)};
    call(file(), DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, d);
    return;
  }
  drm_i915_gem_context_create_ext_setparam set{};
  set.base.name = in_.below(8) == 0;
  set.base.next_extension = in_.below(8) ? 0 : in_.pointer();
  set.param = {.ctx_id = in_.below(8) ? 0 : 1u,
               .size = in_.below(4) * 4,
               .param = in_.below(18),
               .value = in_.flip() ? in_.below(5) : in_.pointer()};
  drm_i915_gem_context_create_ext c{.flags = in_.below(8), .extensions = reinterpret_cast<uint64_t>(&set)};
  call(file(), DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, c);
}

void Program::context_parameter() {
  struct {
    uint64_t extensions;
    i915_engine_class_instance engines[6];
  } map{};
  map.extensions = in_.below(8) ? 0 : in_.pointer();
  for (auto& e : map.engines) e = {uint16_t(in_.below(6) - in_.below(2)), uint16_t(in_.below(3) - in_.below(2))};
  drm_i915_gem_context_param p{.ctx_id = in_.below(5), .size = 0, .param = in_.below(18), .value = in_.number()};
  if (in_.flip()) p.param = I915_CONTEXT_PARAM_ENGINES;
  if (p.param == I915_CONTEXT_PARAM_ENGINES) {
    p.size = in_.below(8) ? 8 + 4 * in_.below(7) : uint32_t(in_.number());
    p.value = in_.below(8) && p.size <= sizeof map ? reinterpret_cast<uint64_t>(&map) : in_.pointer();
  } else if (in_.flip()) {
    p.size = uint32_t(in_.number());
    p.value = in_.pointer();
  }
  call(file(), in_.flip() ? DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM : DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p);
}

void Program::space() {
  drm_i915_gem_vm_control v{
      .extensions = in_.below(8) ? 0 : in_.pointer(), .flags = in_.below(8) == 0, .vm_id = in_.below(5)};
  call(file(), in_.flip() ? DRM_IOCTL_I915_GEM_VM_CREATE : DRM_IOCTL_I915_GEM_VM_DESTROY, v);
}

void Program::syncobj() {
  std::array<uint32_t, 3> handles{};
  std::array<uint64_t, 3> points{};
  for (auto& h : handles) h = in_.handle();
  for (auto& p : points) p = in_.below(6);
  const auto list = reinterpret_cast<uint64_t>(handles.data());
  drm_syncobj_create c{.handle = in_.handle(), .flags = in_.below(3)};
  drm_syncobj_array a{.handles = in_.below(8) ? list : in_.pointer(), .count_handles = in_.below(4)};
  drm_syncobj_timeline_array t{.handles = list,
                               .points = in_.below(8) ? reinterpret_cast<uint64_t>(points.data()) : in_.pointer(),
                               .count_handles = in_.below(4),
                               .flags = in_.below(3)};
  drm_syncobj_transfer x{
      .src_handle = in_.handle(), .dst_handle = in_.handle(), .src_point = in_.below(4), .dst_point = in_.below(4)};
  switch (in_.below(7)) {
    case 0: call(file(), DRM_IOCTL_SYNCOBJ_CREATE, c); break;
    case 1: call(file(), DRM_IOCTL_SYNCOBJ_DESTROY, c); break;
    case 2: call(file(), DRM_IOCTL_SYNCOBJ_RESET, a); break;
    case 3: call(file(), DRM_IOCTL_SYNCOBJ_SIGNAL, a); break;
    case 4: call(file(), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, t); break;
    case 5: call(file(), DRM_IOCTL_SYNCOBJ_QUERY, t); break;
    default: call(file(), DRM_IOCTL_SYNCOBJ_TRANSFER, x);
  }
}

void Program::syncobj_wait() {
  std::array<uint32_t, 3> handles{};
  std::array<uint64_t, 3> points{};
  for (auto& h : handles) h = in_.handle();
  for (auto& p : points) p = in_.below(6);
  drm_syncobj_timeline_wait w{.handles = reinterpret_cast<uint64_t>(handles.data()),
                              .points = in_.below(8) ? reinterpret_cast<uint64_t>(points.data()) : in_.pointer(),
                              .timeout_nsec = in_.below(3) - 1,
                              .count_handles = in_.below(4),
                              .flags = in_.below(16)};
  if (in_.flip()) {
    call(file(), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, w);
    return;
  }
  drm_syncobj_wait old{.handles = w.handles, .timeout_nsec = 1, .count_handles = w.count_handles, .flags = w.flags};
  call(file(), DRM_IOCTL_SYNCOBJ_WAIT, old);
}

void Program::syncobj_file() {
  drm_syncobj_handle h{.handle = in_.handle(), .flags = in_.below(3), .fd = descriptor()};
  if (in_.flip()) {
    if (call(file(), DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, h) == 0) keep(h.fd);
  } else {
    call(file(), DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, h);
  }
}

void Program::prime() {
  drm_prime_handle p{
      .handle = in_.handle(), .flags = in_.flip() ? uint32_t(DRM_CLOEXEC | DRM_RDWR) : in_.byte(), .fd = descriptor()};
  if (in_.flip()) {
    if (call(file(), DRM_IOCTL_PRIME_HANDLE_TO_FD, p) == 0) keep(p.fd);
  } else {
    call(file(), DRM_IOCTL_PRIME_FD_TO_HANDLE, p);
  }
}

void Program::dma_buf() {
  const int fd = descriptor();
  dma_buf_sync s{.flags = in_.below(9)};
  dma_buf_export_sync_file e{.flags = in_.below(5), .fd = -1};
  switch (in_.below(3)) {
    case 0: call(fd, DMA_BUF_IOCTL_SYNC, s); break;
    case 1:
      if (call(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, e) == 0) keep(e.fd);
      break;
    default: e.fd = descriptor(); call(fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, e);
  }
}

void Program::sync_file() {
  const int fd = descriptor();
  if (fd < 3) return;
  if (in_.flip()) {
    sync_merge_data m{.fd2 = descriptor(), .flags = in_.below(8) == 0, .pad = in_.below(8) == 0};
    if (call(fd, SYNC_IOC_MERGE, m) == 0) keep(m.fence);
    return;
  }
  std::array<struct sync_fence_info, 4> fences{};
  sync_file_info i{.num_fences = in_.below(5)};
  i.sync_fence_info = in_.below(8) ? reinterpret_cast<uint64_t>(fences.data()) : in_.pointer();
  if (i.sync_fence_info != reinterpret_cast<uint64_t>(fences.data())) i.num_fences = uint32_t(in_.number());
  call(fd, SYNC_IOC_FILE_INFO, i);
}

void Program::close_something() {
  if (in_.flip()) {
    drm_gem_close c{.handle = in_.handle()};
    call(file(), DRM_IOCTL_GEM_CLOSE, c);
  } else if (!fds_.empty()) {
    const size_t i = in_.byte() % fds_.size();
    close(fds_[i]);
    fds_.erase(fds_.begin() + long(i));
    kernel_->collect();
  }
}

void Program::property() {
  drm_i915_gem_set_tiling t{.handle = in_.handle(),
                            .tiling_mode = in_.below(4),
                            .stride = in_.below(4) ? 128 * in_.below(12) : uint32_t(in_.number())};
  drm_i915_gem_caching c{.handle = in_.handle(), .caching = in_.below(4)};
  drm_i915_gem_madvise m{.handle = in_.handle(), .madv = in_.below(3)};
  switch (in_.below(5)) {
    case 0: call(file(), DRM_IOCTL_I915_GEM_SET_CACHING, c); break;
    case 1: call(file(), DRM_IOCTL_I915_GEM_MADVISE, m); break;
    default: call(file(), DRM_IOCTL_I915_GEM_SET_TILING, t);
  }
}

void Program::access() {
  drm_i915_gem_set_domain d{.handle = in_.handle(), .read_domains = in_.below(4) ? 0x40u : uint32_t(in_.number())};
  if (in_.flip()) d.write_domain = d.read_domains;
  drm_i915_gem_wait w{.bo_handle = in_.handle(), .flags = in_.below(8) == 0, .timeout_ns = in_.below(3) - 1};
  drm_i915_gem_busy b{.handle = in_.handle()};
  switch (in_.below(4)) {
    case 0: call(file(), DRM_IOCTL_I915_GEM_SET_DOMAIN, d); break;
    case 1: call(file(), DRM_IOCTL_I915_GEM_WAIT, w); break;
    case 2: call(file(), DRM_IOCTL_I915_GEM_BUSY, b); break;
    default: kernel_->ioctl(file(), DRM_IOCTL_I915_GEM_THROTTLE, nullptr);
  }
}

void Program::query() {
  std::array<drm_i915_query_item, 2> items{};
  for (auto& i : items)
    i = {.query_id = in_.below(8), .length = int32_t(in_.number()), .flags = in_.below(3), .data_ptr = in_.pointer()};
  drm_i915_query q{
      .num_items = in_.below(3), .flags = in_.below(8) == 0, .items_ptr = reinterpret_cast<uint64_t>(items.data())};
  call(file(), DRM_IOCTL_I915_QUERY, q);
}

void Program::fill_scratch() {
  const size_t at = in_.byte() * (scratch_bytes / 256);
  for (size_t i = 0, n = 1 + in_.below(12); i < n && at + i * 8 + 8 <= scratch_bytes; ++i) {
    const uint64_t v = in_.word();
    std::memcpy(in_.scratch + at + i * 8, &v, 8);
  }
}

void Program::wait_for_gate() {
  if (const auto gate = kernel_->gate(in_.flip() ? file() : descriptor())) kernel_->refresh_gates();
}

void Program::run() {
  using Step = void (Program::*)();
  static constexpr Step steps[] = {&Program::generic,
                                   &Program::create,
                                   &Program::create,
                                   &Program::userptr,
                                   &Program::map,
                                   &Program::map,
                                   &Program::unmap,
                                   &Program::copy,
                                   &Program::copy,
                                   &Program::submit,
                                   &Program::submit,
                                   &Program::submit,
                                   &Program::context,
                                   &Program::space,
                                   &Program::context_parameter,
                                   &Program::syncobj,
                                   &Program::syncobj,
                                   &Program::prime,
                                   &Program::syncobj_file,
                                   &Program::dma_buf,
                                   &Program::sync_file,
                                   &Program::access,
                                   &Program::close_something,
                                   &Program::property,
                                   &Program::query,
                                   &Program::fill_scratch,
                                   &Program::wait_for_gate,
                                   &Program::change_user_memory,
                                   &Program::syncobj_wait,
                                   &Program::submit,
                                   &Program::prime,
                                   &Program::access};
  for (int n = 0; n < 300 && in_.left; ++n) (this->*steps[in_.below(std::size(steps))])();
}

// Closes all that there is, handles last made first, and looks whether anything is left.
void Program::finish() {
  while (!mappings_.empty()) unmap();
  for (const int fd : fds_) close(fd);
  kernel_->shutdown();
  for (const int fd : files_) {
    for (uint32_t h = 1; h < 400; ++h) {
      drm_gem_close c{.handle = h};
      call(fd, DRM_IOCTL_GEM_CLOSE, c);
    }
  }
  for (int again = 0; again < 2; ++again) {
    for (const int fd : files_) {
      drm_gem_close c{.handle = 0};
      call(fd, DRM_IOCTL_GEM_CLOSE, c);
    }
  }
  for (const int fd : files_) {
    const i915::Head& h = kernel_->state().file(fd)->arena->head();
    uint64_t free = 0;
    for (uint32_t i = 0; i < h.extent_count; ++i)
      if (h.extents[i].segment != 0) free += h.extents[i].bytes;  // 0: places of imported objects
    fuzz::must_hold(free == h.storage_bytes, gen::gen9(), "all storage is free when all is closed",
                    std::to_string(h.storage_bytes - free) + " bytes are not");
    close(fd);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::byte* const scratch = reserve(scratch_bytes);
  static std::byte* const user = reserve(user_bytes);
  std::memset(scratch, 0, scratch_bytes);
  reserve(user_bytes, user);
  Program program(Input{data, size, scratch, user});
  program.run();
  program.finish();
  return 0;
}
