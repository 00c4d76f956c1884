// Rendering of diagnostics the way compilers do it, so that editors can jump to the place.
// No part of the machine; used by the assembler and the program.
#include "isa/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace vitro::isa {

bool has_errors(const Diagnostics& d) {
  return std::any_of(d.begin(), d.end(), [](const Diagnostic& x) { return x.severity == Diagnostic::Severity::error; });
}

namespace {

std::string headline(std::string_view file, const Diagnostic& d, bool colour) {
  const bool error = d.severity == Diagnostic::Severity::error;
  const std::string_view bold = colour ? "\033[1m" : "", reset = colour ? "\033[0m" : "";
  const std::string_view tint = colour ? (error ? "\033[1;31m" : "\033[1;35m") : "";
  std::string out = fmt::format("{}{}:{}:{}:{} {}{}:{} {}", bold, file, d.line, d.column, reset, tint,
                                error ? "error" : "warning", reset, d.message);
  if (!d.rule.empty()) out += fmt::format(" [{}]", d.rule);
  return out += '\n';
}

}  // namespace

std::string render_line(std::string_view file, std::string_view source_line, const Diagnostic& d, bool colour) {
  const bool error = d.severity == Diagnostic::Severity::error;
  const std::string_view tint = colour ? (error ? "\033[1;31m" : "\033[1;35m") : "", reset = colour ? "\033[0m" : "";
  std::string out = headline(file, d, colour), line(source_line);
  while (!line.empty() && line.back() == '\r') line.pop_back();
  for (char& c : line)
    if (c == '\t') c = ' ';  // one column each, so that the caret stands right
  out += "  " + line + "\n  " + std::string(size_t(std::max(0, d.column - 1)), ' ');
  out += fmt::format("{}^{}{}\n", tint, std::string(size_t(std::max(0, d.length - 1)), '~'), reset);
  return out;
}

std::string render(std::string_view file, std::string_view source, const Diagnostic& d, bool colour) {
  size_t begin = 0;
  for (int n = 1; n < d.line && begin != std::string_view::npos; ++n) {
    begin = source.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  if (begin == std::string_view::npos || begin > source.size()) return headline(file, d, colour);
  return render_line(file, source.substr(begin, source.find('\n', begin) - begin), d, colour);
}

}  // namespace vitro::isa
