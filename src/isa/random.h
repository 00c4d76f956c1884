// Random legal instructions, driven by the opcode table: an instruction is what its row allows (operand shape, types,
// attributes), with every operand form and control the model has. For the round-trip properties of encoding and text,
// for the fuzzers' seeds, and later for comparing executions.
// Legal here means: the row allows it and the layout can hold it. Restrictions that tie operands together (regions,
// alignment, accumulator use) are those of validate.h and are not asked.
#pragma once

#include "base/random.h"
#include "isa/model.h"

namespace vitro::isa {

struct RandomOptions {
  bool compacted = true;  // some instructions in their compact form
  bool ignored = true;    // some instructions with bits set that the hardware ignores
};

// The result is canonical: every field that has no meaning in it has its default value, so that it equals what
// decoding its encoding and parsing its text give.
Instruction random_instruction(const Model&, Rng&, const RandomOptions& = {});
Instruction random_instruction(const Model&, const OpcodeRow&, Rng&, const RandomOptions& = {});

// Whether attributes and types of the row allow what the instruction says. Operand files and values are not looked at.
bool row_allows(const Model&, const OpcodeRow&, const Instruction&);

}  // namespace vitro::isa
