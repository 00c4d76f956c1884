// `vitro visa compare`: a vISA kernel and EU code that was made of it, run from the same registers and memory.
#pragma once

#include <string>

#include "cli/visa_exec.h"
#include "cli/visa_input.h"

namespace vitro::cli {

// The exit code: 0 if both leave the same; everything is said.
int compare_visa(const VisaInput& input, const std::string& name, const std::string& code,
                 const VisaExecOptions& options);

}  // namespace vitro::cli
