// `vitro visa exec`: runs a vISA kernel by itself, on its variables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/execution.h"
#include "cli/visa_input.h"

namespace vitro::cli {

struct VisaExecOptions {
  std::string device = "kbl", kernel{};
  std::vector<std::string> set{}, dump{};
  ExecutionOptions execution{};
  bool json = false;
};
// The line that a thread stands at.
using VisaPlace = std::function<uint32_t(unsigned thread)>;
// Runs a kernel and says what became of it, but without variables and memory; `prepared` is called before threads
// start.
int run_visa(const VisaInput& input, const std::string& name, const VisaExecOptions& options,
             const std::function<void(Execution&, const VisaPlace&)>& prepared);
// The exit code; everything is said.
int execute_visa(const VisaInput& input, const std::string& name, const VisaExecOptions& options);

}  // namespace vitro::cli
