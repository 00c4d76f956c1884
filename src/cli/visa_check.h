// `vitro visa check`: what the checker of vISA finds, as messages or JSON.
#pragma once

#include <string>

#include "cli/visa_input.h"

namespace vitro::cli {

struct CheckOptions {
  std::string device = "kbl";
  bool errors = false, rules = false, json = false;
};

// Exit codes.
int check_visa(const VisaInput&, const std::string& name, const CheckOptions&);
int print_visa_rules(const CheckOptions&);

}  // namespace vitro::cli
