// What a tool has to say about a place in its input: file:line:column, what was found, what was expected, the source
// line and a caret. Errors are collected, so that one run shows them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitro::isa {

struct Diagnostic {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  int line = 1, column = 1, length = 1;  // counted from 1
  std::string message;                   // "found X, expected Y"
  std::string rule;                      // id of the violated rule, if it is one
};

using Diagnostics = std::vector<Diagnostic>;
bool has_errors(const Diagnostics& d);

// `file:line:column: error: message [rule]`, the line and a caret under the place.
std::string render(std::string_view file, std::string_view source, const Diagnostic& d, bool colour);
// The same with the line itself, for those who know where it is.
std::string render_line(std::string_view file, std::string_view line, const Diagnostic& d, bool colour);

}  // namespace vitro::isa
