// Assembler pragmas: the language of the Gen6 document's programming guide (vol 4 part 2 chapter 9; PG-01..PG-03),
// rewritten into the plain syntax of parse.h before anything else looks at the text. A pragma is a line that starts
// with a full stop; a file without one comes out as it went in. With one, the guide's other conveniences hold too:
// built-in execution sizes, conditions and saturation as suffixes of the mnemonic, `jmp`, `do`, branches without
// targets. Every line of the result stands for the line of the same number, so only columns need a map.
// docs/assembly.md is the reference. Not modelled: preprocessor directives (#define, #include), which the document only
// mentions, and its memory block descriptors, which it calls a placeholder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/diagnostic.h"
#include "isa/model.h"

namespace vitro::isa {

// Where a character of the expanded text comes from, in its line: one character, or the whole word it replaces.
struct Origin {
  int column = 1, length = 1;
};

// What a .kernel says about itself.
struct Kernel {
  std::string name;
  int line;
  uint32_t reg_count_total = 0, reg_count_payload = 0;
};

struct Expanded {
  std::string text;
  Diagnostics diagnostics;
  std::vector<std::vector<Origin>> origins;  // by line, one per character; none if the text is as it was
  std::vector<Kernel> kernels;
};

Expanded expand_pragmas(const Model&, std::string_view source);

// Moves a diagnostic about the expanded text to what the user wrote.
Diagnostic in_source(const Expanded&, Diagnostic);

}  // namespace vitro::isa
