// What the tests of the kernel's side share: a kernel with a GPU that knows four commands of its own instead of
// Intel's, and short ways to make calls. The commands, in dwords:
//   1, address low, address high, value   store a dword
//   2, milliseconds                       take some time
//   3                                     hang
//   4, address low, address high, value   wait until the dword has the value (it hangs after ten seconds)
//   0                                     end
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <libdrm/i915_drm.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "i915/kernel.h"
#include "i915/state.h"
#include "memory/view.h"

namespace vitro::i915 {

struct FakeGpu {
  std::mutex lock;
  std::vector<device::Batch> batches;  // without their tables
  std::atomic<int> contexts{0}, resets{0}, running{0}, most_running{0};

  std::optional<Fault> run(const device::Batch& batch, const std::function<bool()>& stop) {
    {
      const std::lock_guard guard(lock);
      device::Batch b = batch;
      b.ppgtt = b.ggtt = nullptr;
      batches.push_back(b);
    }
    const int now = ++running;
    for (int most = most_running; now > most && !most_running.compare_exchange_weak(most, now);) {
    }
    const auto fault = interpret(batch, stop);
    --running;
    return fault;
  }

 private:
  static std::optional<Fault> interpret(const device::Batch& batch, const std::function<bool()>& stop) {
    memory::View view(batch.ppgtt);
    uint64_t at = batch.address;
    const auto next = [&] {
      const uint32_t v = view.load<uint32_t>(at);
      at += 4;
      return v;
    };
    const auto next_address = [&] {
      const uint64_t low = next();
      return low | uint64_t(next()) << 32;
    };
    for (;;) {
      const uint64_t command = at;
      const Fault fault{
          .reason = "told to", .address = command, .batch_offset = command - batch.address, .command = "TEST_HANG"};
      const uint32_t opcode = next();
      if (opcode == 0) return std::nullopt;
      if (opcode == 1) {
        const uint64_t to = next_address();
        view.store<uint32_t>(to, next());
      } else if (opcode == 2) {
        std::this_thread::sleep_for(std::chrono::milliseconds(next()));
      } else if (opcode == 4) {
        const uint64_t from = next_address();
        const uint32_t value = next();
        for (int ms = 0; view.load<uint32_t>(from) != value; ++ms) {
          if (ms == 10000 || stop()) return fault;
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      } else {
        return fault;
      }
    }
  }
};

// An address as the commands take it.
inline uint32_t lo(uint64_t a) { return uint32_t(a); }
inline uint32_t hi(uint64_t a) { return uint32_t(a >> 32); }

class KernelTest : public testing::Test {
 protected:
  explicit KernelTest(const char* device = "kbl") { start(device); }
  ~KernelTest() override {
    for (const int f : opened_) close(f);
  }

  void start(const char* device) {
    kernel_.reset();
    Options options{.device = device, .report = false};
    kernel_ = std::make_unique<Kernel>(options, [this](const gen::Device&, const device::Options&) {
      const auto gpu = gpu_;
      return Gpu{
          .create_context = [gpu] { return std::shared_ptr<void>(std::make_shared<int>(++gpu->contexts)); },
          .reset = [gpu](void*) { ++gpu->resets; },
          .run = [gpu](void*, const device::Batch& b, const std::function<bool()>& s) { return gpu->run(b, s); },
          .timestamp = [] { return uint64_t{12345}; },
          .statistics = [](bool) { return std::string("statistics"); },
      };
    });
    fd_ = open(render_minor);
  }
  int open(int minor) {
    const int fd = kernel_->open(minor, O_RDWR | O_CLOEXEC);
    EXPECT_GE(fd, 0);
    opened_.push_back(fd);
    return fd;
  }

  template <class T>
  int call(int fd, unsigned long request, T& argument) {
    return kernel_->ioctl(fd, request, &argument).value_or(-ENOTTY);
  }
  template <class T>
  int call(unsigned long request, T& argument) {
    return call(fd_, request, argument);
  }

  uint32_t create(uint64_t bytes, int fd = -1) {
    drm_i915_gem_create c{.size = bytes};
    EXPECT_EQ(call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_CREATE, c), 0);
    return c.handle;
  }
  int close_object(uint32_t handle, int fd = -1) {
    drm_gem_close c{.handle = handle};
    return call(fd < 0 ? fd_ : fd, DRM_IOCTL_GEM_CLOSE, c);
  }
  void write(uint32_t handle, uint64_t offset, std::vector<uint32_t> dwords, int fd = -1) {
    drm_i915_gem_pwrite p{
        .handle = handle, .offset = offset, .size = dwords.size() * 4, .data_ptr = uint64_t(dwords.data())};
    ASSERT_EQ(call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_PWRITE, p), 0);
  }
  uint32_t read(uint32_t handle, uint64_t offset = 0, int fd = -1) {
    uint32_t value = 0;
    drm_i915_gem_pread p{.handle = handle, .offset = offset, .size = 4, .data_ptr = uint64_t(&value)};
    EXPECT_EQ(call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_PREAD, p), 0);
    return value;
  }
  // Looks at the memory without waiting for work.
  uint32_t peek(uint32_t handle, int fd = -1) {
    drm_i915_gem_mmap m{.handle = handle, .size = 4096};
    if (call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_MMAP, m) != 0) return ~0u;
    uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<void*>(m.addr_ptr), 4);
    kernel_->note_unmapped(reinterpret_cast<void*>(m.addr_ptr), 4096);
    munmap(reinterpret_cast<void*>(m.addr_ptr), 4096);
    return value;
  }
  int wait(uint32_t handle, int64_t timeout_ns = 10'000'000'000, int fd = -1) {
    drm_i915_gem_wait w{.bo_handle = handle, .timeout_ns = timeout_ns};
    return call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_WAIT, w);
  }
  // What every softpinned object has.
  static drm_i915_gem_exec_object2 pinned(uint32_t handle, uint64_t address, uint64_t flags = 0) {
    drm_i915_gem_exec_object2 o{};
    o.handle = handle;
    o.offset = address;
    o.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | flags;
    return o;
  }
  int execute(std::vector<drm_i915_gem_exec_object2>& list, uint64_t flags = I915_EXEC_NO_RELOC, uint32_t context = 0,
              int fd = -1) {
    drm_i915_gem_execbuffer2 e{};
    e.buffers_ptr = uint64_t(list.data());
    e.buffer_count = uint32_t(list.size());
    e.flags = flags;
    e.rsvd1 = context;
    return call(fd < 0 ? fd_ : fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, e);
  }
  // A batch of its own that uses `target` at target_address and runs these dwords.
  int run(std::vector<uint32_t> dwords, uint32_t target, uint64_t flags = EXEC_OBJECT_WRITE, uint32_t context = 0,
          int fd = -1) {
    const int file = fd < 0 ? fd_ : fd;
    const uint32_t batch = create(4096, file);
    write(batch, 0, std::move(dwords), file);
    std::vector<drm_i915_gem_exec_object2> list{pinned(target, target_address, flags),
                                                pinned(batch, batch_address + 0x1000 * (batches_++ % 64))};
    const int result = execute(list, I915_EXEC_NO_RELOC, context, file);
    close_object(batch, file);
    return result;
  }
  static std::vector<uint32_t> store(uint64_t address, uint32_t value) {
    return {1, lo(address), hi(address), value, 0};
  }

  uint32_t new_context(bool recoverable = true) {
    drm_i915_gem_context_create c{};
    EXPECT_EQ(call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, c), 0);
    if (!recoverable) {
      EXPECT_EQ(set_param(c.ctx_id, I915_CONTEXT_PARAM_RECOVERABLE, 0), 0);
    }
    return c.ctx_id;
  }
  int set_param(uint32_t context, uint64_t param, uint64_t value, uint32_t size = 0) {
    drm_i915_gem_context_param p{.ctx_id = context, .size = size, .param = param, .value = value};
    return call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, p);
  }
  int get_param(uint32_t context, uint64_t param, uint64_t& value) {
    drm_i915_gem_context_param p{.ctx_id = context, .param = param, .value = value};
    const int result = call(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, p);
    value = p.value;
    return result;
  }

  static constexpr uint64_t target_address = 0x100000, batch_address = 0x800000;
  std::shared_ptr<FakeGpu> gpu_ = std::make_shared<FakeGpu>();
  std::unique_ptr<Kernel> kernel_;
  int fd_ = -1;
  unsigned batches_ = 0;
  std::vector<int> opened_;
};

}  // namespace vitro::i915
