// Text that remembers where it was written, and statements taken apart: the material of the pragma pass (pragmas.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cursor.h"
#include "isa/model.h"
#include "isa/pragmas.h"

namespace vitro::isa {

// A piece of one source line, possibly rewritten: each character knows its origin.
class TracedText {
 public:
  TracedText() = default;
  TracedText(std::string_view text, Origin all) { put(text, all); }
  // Characters as they stand, from this column on.
  static TracedText verbatim(std::string_view text, int column);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  size_t size() const { return text_.size(); }
  const std::vector<Origin>& origins() const { return origins_; }

  void put(std::string_view text, Origin all);
  void put(const TracedText& other);
  TracedText part(size_t begin, size_t end) const;
  TracedText without_blanks() const;
  // What the characters from begin to end were written as; past the end, the place after the last.
  Origin span(size_t begin, size_t end) const;
  Origin span() const { return span(0, size()); }

 private:
  std::string text_;
  std::vector<Origin> origins_;
};

// An error about a piece of text, already placed in its line.
struct PlacedError {
  Origin at;
  std::string message;
};

// One statement in parts. Rewriting changes the parts; `joined` puts them together again.
struct StatementText {
  int line = 1;
  TracedText raw;
  std::vector<TracedText> labels;  // names
  TracedText predicate;            // in its parentheses
  TracedText mnemonic;             // with the suffixes plain syntax knows (math.inv, if.b)
  TracedText exec_size;            // in its parentheses
  TracedText condition;            // (eq)f0.0
  bool saturate = false;           // suffix .sat
  std::vector<TracedText> operands;
  TracedText options;              // in braces
  const OpcodeRow* row = nullptr;  // of the mnemonic; null for a label alone, a pseudo-instruction, an unknown word
  enum class Kind {
    instruction,
    label_only,
    unknown,  // not understood: handed on as written, for the parser to complain about
    loop,     // `do`
    jump,     // `jmp`
    dropped,  // already reported
  } kind = Kind::label_only;
  TracedText size_default;                // of else and endif, should their `if` have none
  std::string label_before, label_after;  // made up for branches without targets
};

// Takes a statement apart. Throws SyntaxError with a place in `text`.
void take_apart(const Model&, StatementText& s, const TracedText& text);
void join(const StatementText& s, TracedText& out);

// Position after the bracket that closes the one at `at`, or npos.
size_t closing(std::string_view text, size_t at);
// The condition's name in plain syntax, or empty: z and e become eq.
std::string_view plain_condition(std::string_view name);
bool is_word(char c);
std::string lower_case(std::string_view s);

}  // namespace vitro::isa
