// What the jobs of `vitro doctor` have in common; see job.h.
#include "cli/jobs/job.h"

#include <cstdio>
#include <cstdlib>

namespace vitro::cli::jobs {

void end(Exit code, std::string_view line) {
  fmt::print("{}\n", line);
  std::exit(code);
}

Library::Library(const char* name, std::string_view missing_driver) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) end(missing_driver.empty() ? exit_no_loader : exit_neither, dlerror());
  if (!missing_driver.empty()) end(exit_no_driver, missing_driver);
}

void* Library::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (!found) end(exit_failed, dlerror());
  return found;
}

bool can_be_loaded(const char* library) { return dlopen(library, RTLD_LAZY | RTLD_LOCAL) != nullptr; }

std::vector<uint32_t> input() {
  std::vector<uint32_t> data(elements);
  for (uint32_t i = 0; i < elements; ++i) data[i] = 0x9E3779B9u * (i + 1);
  return data;
}

void check(std::span<const uint32_t> output) {
  const std::vector<uint32_t> before = input();
  for (uint32_t i = 0; i < elements; ++i)
    if (const uint32_t expected = before[i] * 3 + i * i; output[i] != expected)
      end(exit_failed, fmt::format("wrong result: element {} is {:#x}, not {:#x}", i, output[i], expected));
}

}  // namespace vitro::cli::jobs
