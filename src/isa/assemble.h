// The assembler: text to a program's bytes. Pragmas are expanded, statements parsed, sizes chosen (compaction), labels
// placed, and every instruction checked against the rules of its generation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/diagnostic.h"
#include "isa/model.h"

namespace vitro::isa {

enum class CompactMode {
  as_written,  // {Compacted} decides
  all,         // whatever has a compact form, unless {NoCompact}
  none,
};
struct AssembleOptions {
  CompactMode compact = CompactMode::as_written;
  bool validate = true;
};

struct PlacedInstruction {
  Instruction instruction;
  size_t offset;  // bytes from the program's start
  int size;
  int line;
};
struct PlacedLabel {
  std::string name;
  size_t offset;
};
struct Assembly {
  std::vector<std::byte> code;
  std::vector<PlacedInstruction> instructions;
  std::vector<PlacedLabel> labels;
  Diagnostics diagnostics;
  bool ok() const { return !has_errors(diagnostics); }
};

Assembly assemble(const Model&, std::string_view text, const AssembleOptions& = {});

}  // namespace vitro::isa
