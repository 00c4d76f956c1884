// A client of the kernel's interface that submits bad work, without libdrm and without a driver. A Job is one object
// that holds a batch, its state, kernels and data at fixed places; a Case says what is in it and what must come of it.
// Each case has an address of its own, by which the error reports on standard error are told apart.
#pragma once

#include <libdrm/i915_drm.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "isa/model.h"

namespace vitro::faults {

// Prints what is wrong, under the name of the case that runs; the program fails at its end.
void complain(const std::string& what);
void begin(std::string_view name);
int complaints();

// Places in a job's object; the bases of STATE_BASE_ADDRESS are these, and the general state's is the object itself.
inline constexpr uint32_t job_bytes = 0x10000, dynamic_at = 0x2000, curbe_at = 0x400, surface_at = 0x3000,
                          kernel_at = 0x4000, data_at = 0x8000;

struct Job {
  const Dialect& dialect;
  const isa::Model& model;
  uint64_t base = 0;  // where the object is
  Words words = Words(job_bytes / 4);
  uint64_t engine = I915_EXEC_RENDER;
  uint32_t start = 0;   // of the batch in the object
  uint32_t bad_at = 0;  // the command that fails, from the start of the batch it stands in

  uint64_t data() const { return base + data_at; }
  void put(uint32_t at, const Words& w);
  void kernel(std::string_view text, uint32_t at = kernel_at);  // with the end of thread, unless the text has one
  // PIPELINE_SELECT and STATE_BASE_ADDRESS.
  Words opening() const;
  // A whole batch: state, descriptor, constants (r1 counts dwords as byte offsets, r2 is 100, 101...), walker. Surface
  // 0 is the data, of 4096 bytes; 1 is a null surface. `changed` may replace commands by others.
  struct Compute {
    Descriptor descriptor{.kernel = 0, .curbe_registers = 2};
    Walker walker{};
    Words vfe = vfe_state();
    Words curbe = curbe_load(256, curbe_at);
    Words loading = descriptor_load(32, 0);
  };
  void compute(const Compute& c);
  void compute(std::string_view text) {
    kernel(text);
    compute(Compute{});
  }
};

struct Case {
  std::string_view name;
  void (*build)(Job&);
  // Of the report; empty for work that must end well.
  std::string_view command{}, reason{};  // a regular expression
  bool in_kernel = false;                // the report names an instruction
  // Of work that must end well: what must be in the data.
  void (*check)(const Job&, std::span<const uint32_t> data) = nullptr;
  bool slow = false;  // submitted once
};
std::span<const Case> hangs();     // the batch hangs
std::span<const Case> harmless();  // the batch must not mind
std::span<const Case> missing();   // harmless, but hangs in strict mode

// An open device with a context; closed at the end.
class File {
 public:
  File();
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

  int call(unsigned long request, void* argument) const;  // 0 or a positive errno
  uint32_t create(uint64_t bytes) const;
  void close(uint32_t handle) const;
  uint32_t* map(uint32_t handle, uint64_t bytes) const;
  uint32_t new_context(bool recoverable = true) const;
  drm_i915_reset_stats reset_stats(uint32_t context) const;

 private:
  int fd_ = -1;
};

drm_i915_gem_exec_object2 pinned(uint32_t handle, uint64_t address, uint64_t flags = 0);

// A job that was submitted.
class Submitted {
 public:
  Submitted(const File& file, const Job& job, uint32_t context);
  ~Submitted();
  Submitted(const Submitted&) = delete;
  Submitted& operator=(const Submitted&) = delete;

  int error() const { return error_; }  // of the ioctl, 0 if it was taken
  // Waits for the end; 1 or the negative errno of its fence.
  int finish();
  std::span<const uint32_t> data() const { return {map_ + data_at / 4, (job_bytes - data_at) / 4}; }
  const uint32_t* words() const { return map_; }

 private:
  const File& file_;
  uint32_t handle_ = 0;
  uint32_t* map_ = nullptr;
  int error_ = 0, fence_ = -1;
};

// Submits work that is right and checks its results: stores by a command and by a kernel.
void work(const File& file, const Dialect& dialect, const isa::Model& model, uint32_t context, uint64_t base,
          uint32_t tag);
Job good_job(const Dialect& dialect, const isa::Model& model, uint64_t base, uint32_t tag);
bool is_done(const Submitted& s, uint32_t tag);

void test_refusals(const Dialect& dialect, const isa::Model& model);  // calls that the kernel refuses
void test_bans(const Dialect& dialect, const isa::Model& model);      // who is banned when
std::string error_file();                                             // what the kernel keeps of the first hang
void test_error_state(const Dialect& dialect, const isa::Model& model);

}  // namespace vitro::faults
