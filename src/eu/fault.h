// A Fault: the program did something undefined or unsupported. It names the instruction, its place and the reason; the
// thread stops, and its context is for the layers above to reset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vitro::eu {

struct Fault {
  uint32_t ip = 0;
  std::string instruction;  // as text; empty if there is none at this place
  std::string reason;
};

}  // namespace vitro::eu
