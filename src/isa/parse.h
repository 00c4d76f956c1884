// From text to instructions. The grammar is that of print.h; labels stay names here, the assembler gives them places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/diagnostic.h"
#include "isa/model.h"

namespace vitro::isa {

// A branch target as written: a label, or a number of bytes from the branch (from the program's start for calla).
struct TargetText {
  std::string label;
  int64_t number = 0;
  int column = 1;
};

struct ParsedInstruction {
  Instruction instruction;
  std::vector<TargetText> targets;  // JIP, then UIP
  bool no_compact = false;          // {NoCompact}
  bool may_grow = false;            // compacted by the assembler's choice, not the text's
  Word128 ignored_as_written;       // and what it had instead before
  int line = 1, column = 1, length = 1;
};
struct ParsedLabel {
  std::string name;
  size_t at;  // index of the instruction it stands before
  int line, column;
};
struct ParsedProgram {
  std::vector<ParsedInstruction> instructions;
  std::vector<ParsedLabel> labels;
  Diagnostics diagnostics;
};

ParsedProgram parse(const Model&, std::string_view text);

// Comments become spaces, so that every other character keeps its place.
std::string without_comments(std::string_view text, Diagnostics& diagnostics);

}  // namespace vitro::isa
