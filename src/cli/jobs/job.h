// The small jobs of `vitro doctor`, one per programming interface. Each runs in a process of its own on the emulated
// GPU
// (`vitro doctor-job NAME` under `vitro run`): finds the loader, Intel's driver and the device, has every element of a
// buffer computed, looks at the result, and prints one line. Loaders are opened at run time, so that one which is not
// there can be told of. No part of the machine.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitro::cli::jobs {

// How a job ends; the line on standard output has the words.
enum Exit { exit_done = 0, exit_failed = 1, exit_no_loader = 10, exit_no_driver = 11, exit_neither = 12 };
[[noreturn]] void end(Exit code, std::string_view line);
inline void require(bool fine, std::string_view what) {
  if (!fine) end(exit_failed, fmt::format("{} failed", what));
}
// Of interfaces whose functions return 0 for success.
inline void require_zero(long code, std::string_view what) {
  if (code != 0) end(exit_failed, fmt::format("{} failed ({})", what, code));
}

class Library {
 public:
  // The loader; ends the job if it is not there, or if `missing_driver` says which driver is not.
  Library(const char* name, std::string_view missing_driver);
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  void* handle_;
};
bool can_be_loaded(const char* library);

// What is computed: data[i] = data[i] * 3 + i * i. The two sources, and the same as SPIR-V.
inline constexpr uint32_t elements = 1024, group_size = 64;
extern const char* const opencl_source;
extern const char* const glsl_source;
std::span<const uint32_t> opencl_module();
std::span<const uint32_t> glsl_module();

std::vector<uint32_t> input();
void check(std::span<const uint32_t> output);  // ends the job if an element is wrong

// Each ends with the line "DEVICE; DRIVER".
void opencl();
void level_zero();
void vulkan();
void gl();

}  // namespace vitro::cli::jobs
