// The disassembler: a program's bytes to text, with labels where branches go.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isa/model.h"
#include "isa/print.h"

namespace vitro::isa {

struct DisassembleOptions {
  PrintOptions print;
  bool offsets = false;       // each line starts with /* [0010] */
  bool labels = true;         // else targets are distances
  bool skip_padding = false;  // zero bytes after the last instruction are not shown as illegal
};

// One instruction of a program, or the reason why there is none at this place.
struct DecodedInstruction {
  size_t offset;
  int size;
  Instruction instruction;
  std::string error;  // not empty: what the bytes say instead
};

// A reserved encoding becomes an element with an error, and decoding goes on after it.
std::vector<DecodedInstruction> decode_program(const Model&, std::span<const std::byte> code);

// Without the zero bytes after the last instruction. A program's last `illegal` cannot be told from padding.
std::span<const std::byte> without_padding(std::span<const std::byte> code);

// Text of a whole program. Elements with an error become comments; `errors` counts them.
std::string disassemble(const Model&, std::span<const std::byte> code, const DisassembleOptions& = {},
                        int* errors = nullptr);

}  // namespace vitro::isa
