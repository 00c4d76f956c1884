// What a device tells of its work while it works, on standard error: `vitro run --trace TOPICS`. Off, it costs a test
// of a pointer per command and nothing per EU instruction. No part of the machine by itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "eu/executor.h"

namespace vitro::device {

struct Topics {
  bool ioctls = false;    // every request to the kernel's side, with its result
  bool batches = false;   // where each begins, on which engine, and how it ended
  bool commands = false;  // every command with the fields that are not zero
  bool draws = false;     // every draw with its targets and kernels, and every scene that was drained
  bool eu = false;        // every EU instruction with its channels
  bool any() const { return ioctls || batches || commands || draws || eu; }
};
// From names separated by commas; "all" is all of them.
Result<Topics> parse_topics(std::string_view names);

// The render target after a draw, counted through the process as the topic `draws` tells, to be kept as a PNG file.
struct Picture {
  uint64_t draw = 0;
  std::string file;
};
// From lines NUMBER=FILE.
Result<std::vector<Picture>> parse_pictures(std::string_view lines);

// One line, written at once, so that lines of several threads do not mix.
void write_trace(std::string_view line);

// Writes every instruction before it runs; `program_model` must outlive it.
eu::Observer instruction_observer(const isa::Model& model);

}  // namespace vitro::device
