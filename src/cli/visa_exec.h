// `vitro visa exec`: runs a vISA kernel by itself, on its variables.
#pragma once

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
// The exit code; everything is said.
int execute_visa(const VisaInput& input, const std::string& name, const VisaExecOptions& options);

}  // namespace vitro::cli
