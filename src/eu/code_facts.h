// What the executor must know of a kernel's machine code to enter it: the facts of its code::Image. PRM: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "code/order.h"
#include "eu/float_mode.h"

namespace vitro::eu {

// How a kernel was compiled.
struct CodeCounts {
  int instructions = 0;
  int emitted = 0;  // native code
  int called = 0;   // native code that calls the interpreter's handler
  int left = 0;     // the function returns, the interpreter does it
  double milliseconds = 0;
  double emit_milliseconds = 0, optimise_milliseconds = 0;
  size_t code_bytes = 0;
};

struct CodeFacts {
  uint32_t mode_mask = 0;     // of cr0.0: what matters
  bool host_flushes = false;  // the code is for a host that flushes denormals
  code::ChainForm chain{};    // where threads that follow others have their registers
  struct Entry {
    uint32_t ip;
    Mode mode;
  };
  std::vector<Entry> entries;        // where the function can be entered, and in which modes
  std::vector<uint32_t> labels;      // ips at which channels may wait, in order
  std::vector<uint32_t> sites;       // messages that code carries out through windows: which instructions they are
  std::array<uint64_t, 2> needed{};  // general registers that threads are to be started with, a bit for each
  code::FusedRoutines fused{};       // that stand in the code, by instruction
  CodeCounts counts{};
};

std::vector<std::byte> to_bytes(const CodeFacts& facts);
// Nothing: these are not the bytes of such facts.
std::optional<CodeFacts> to_facts(std::span<const std::byte> bytes);

}  // namespace vitro::eu
