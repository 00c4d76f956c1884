// Operands of a statement: what the format of its opcode takes, read after the controls are known.
#pragma once

#include "isa/cursor.h"
#include "isa/parse.h"

namespace vitro::isa {

// Reads the operands from `c` into `p`. `line_start`: where the statement's line begins, for columns of labels.
void parse_operands(const Model&, const OpcodeRow&, Cursor& c, size_t line_start, ParsedInstruction& p);

}  // namespace vitro::isa
