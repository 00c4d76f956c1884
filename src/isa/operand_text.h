// Operands as they are written, before the rest of the statement says how to read them.
#pragma once

#include <optional>

#include "isa/cursor.h"
#include "isa/model.h"

namespace vitro::isa {

// <h>, <v;h>, <w,h>, <v;w,h>: numbers in the order written.
struct RegionText {
  enum class Shape { none, one, pair, indexed, full } shape = Shape::none;
  uint8_t n[3]{};
  size_t at = 0, length = 0;
};

struct OperandText {
  Operand operand;
  std::optional<uint32_t> subreg;  // as written: elements, or bytes with the suffix b
  bool subreg_in_bytes = false;
  RegionText region;
  std::string_view channels;   // letters of a swizzle or write mask, "0" for the empty mask
  std::optional<uint8_t> mme;  // .mme0 .. .mme7, .nomme
  std::optional<Type> type;    //
  bool is_immediate = false;   //
  uint64_t imm = 0;            // in the type's width
  size_t at = 0, length = 0;   // for messages
};

// A register operand with its modifiers: [-|~][(abs)]reg[.sub][<region>][.channels][:type]
OperandText parse_register_operand(Cursor&, const Model&, bool modifiers);
// The same, or an immediate with its type.
OperandText parse_source_operand(Cursor&, const Model&);
// True if a register, not a label or a number, starts here.
bool at_register(Cursor&, const Model&);
// f0.0
void parse_flag(Cursor&, const Model&, Instruction&);

}  // namespace vitro::isa
