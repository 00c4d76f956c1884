// Instructions as text: the syntax of Intel's iga64 for Gen8 and Gen9, the same extended by what it lacks (Align16
// swizzles and write masks, message registers, Gen6's comparing branches, ignored bits). docs/assembly.md is the
// reference.
#pragma once

#include <cstdint>
#include <string>

#include "isa/model.h"

namespace vitro::isa {

struct PrintOptions {
  bool iga = false;       // leave out what iga64 cannot read: ignored bits
  bool messages = true;   // name what a send does in a comment
  bool columns = true;    // align operands
  bool compacted = true;  // say {Compacted}
};

// Writes the name of the branch target at `target` (bytes from the program's start) and returns true, or returns false
// to have the distance printed.
struct LabelNames {
  bool (*write)(const void* context, int64_t target, std::string& out) = nullptr;
  const void* context = nullptr;
};

// Appends one instruction, standing at `offset`, without a line end.
void print(std::string& out, const Model&, const Instruction&, int64_t offset = 0, const PrintOptions& = {},
           const LabelNames& = {});
std::string to_text(const Model&, const Instruction&, const PrintOptions& = {});

// Branch targets as bytes from the program's start. `size`: bytes of the instruction.
struct Targets {
  int count = 0;
  int64_t at[2]{};
};
Targets branch_targets(const Model&, const Instruction&, int64_t offset);

// Floats as text that reads back to the same bits, hexadecimal where decimal would not.
void print_float(std::string& out, float v);
void print_double(std::string& out, double v);
void print_half(std::string& out, uint16_t bits);

}  // namespace vitro::isa
