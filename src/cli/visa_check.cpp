// What the checker of vISA finds, as messages or JSON; see visa_check.h.
#include "cli/visa_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "visa/check.h"

namespace vitro::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DeviceBit {
  std::string_view name;
  uint8_t bit;
};
constexpr DeviceBit devices[] = {{"bdw", visa::bdw}, {"kbl", visa::kbl}, {"apl", visa::apl}};

std::string_view verdict(const visa::Rule& r) { return visa::verdict_names[size_t(r.verdict)]; }
bool is_wrong(const visa::Finding& f) { return f.rule->verdict != visa::Verdict::differs; }

// The lines of the whole text.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The line, and where in it; a caret under the whole word or, without a column, the begin of the statement.
struct Spot {
  const VisaSource::File* file = nullptr;
  std::string_view text{};
  int line = 1, column = 1, length = 1;
};
Spot spot_of(const VisaSource& source, std::span<const std::string_view> lines, const visa::Place& p) {
  Spot s{.text = lines[p.line - 1], .line = int(p.line)};
  s.file = &source.file_of(s.line);
  size_t at = p.column ? p.column - 1u : s.text.find_first_not_of(" \t");
  if (at > s.text.size()) at = 0;
  const size_t end = std::min(s.text.find_first_of(" \t\r", at), s.text.size());
  s.column = int(at) + 1;
  s.length = p.length > 1 ? p.length : int(std::max<size_t>(end - at, 1));
  return s;
}

Json to_json(const visa::Finding& f, const VisaInput& input, std::span<const std::string_view> lines,
             const std::string& name) {
  const visa::Routine& r = input.object.routines[f.routine];
  Json j{{"rule", f.rule->id}, {"verdict", verdict(*f.rule)}, {"message", f.message}, {"routine", r.text(r.name)}};
  if (input.object.from_text) {
    const Spot s = spot_of(input.source, lines, f.place);
    j["file"] = s.file->name, j["line"] = s.line, j["column"] = s.column;
  } else {
    j["file"] = name, j["offset"] = f.place.line;
  }
  return j;
}

void print(const visa::Finding& f, const VisaInput& input, std::span<const std::string_view> lines,
           const std::string& name) {
  const bool error = f.rule->verdict == visa::Verdict::error;
  std::string message = error ? f.message : fmt::format("{}: {}", verdict(*f.rule), f.message);
  if (!input.object.from_text) {
    fmt::print(stderr, "{}: at 0x{:X}: {}: {} [{}]\n", name, f.place.line, is_wrong(f) ? "error" : "warning", message,
               f.rule->id);
    return;
  }
  const Spot s = spot_of(input.source, lines, f.place);
  const isa::Diagnostic d{
      .severity = is_wrong(f) ? isa::Diagnostic::Severity::error : isa::Diagnostic::Severity::warning,
      .line = s.line,
      .column = s.column,
      .length = s.length,
      .message = std::move(message),
      .rule = std::string(f.rule->id)};
  const std::string_view file = s.file->name == "-" ? "<stdin>" : std::string_view(s.file->name);
  fmt::print(stderr, "{}", isa::render_line(file, s.text, d, colour_on(STDERR_FILENO)));
}

}  // namespace

int check_visa(const VisaInput& input, const std::string& name, const CheckOptions& o) {
  uint8_t device = 0;
  for (const DeviceBit& d : devices)
    if (d.name == o.device) device = d.bit;
  std::vector<visa::Finding> found = visa::check(input.object, device);
  if (o.errors) std::erase_if(found, [](const visa::Finding& f) { return !is_wrong(f); });
  const std::vector<std::string_view> lines = lines_of(input.source.text);
  bool wrong = false;
  Json json = Json::array();
  for (const visa::Finding& f : found) {
    wrong |= is_wrong(f);
    if (o.json)
      json.push_back(to_json(f, input, lines, name));
    else
      print(f, input, lines, name);
  }
  if (o.json)
    fmt::print("{}\n",
               Json{{"device", o.device}, {"findings", json}}.dump(2, ' ', false, Json::error_handler_t::replace));
  return wrong ? exit_bad_input : exit_ok;
}

int print_visa_rules(const CheckOptions& o) {
  Json json = Json::array();
  for (const visa::Rule* r : visa::rules())
    if (o.json)
      json.push_back({{"rule", r->id},
                      {"verdict", verdict(*r)},
                      {"by", r->by_readers() ? "readers" : "check"},
                      {"statement", r->statement}});
    else
      fmt::print("{:9} {:16} {}{}\n", r->id, verdict(*r), r->statement, r->by_readers() ? " (refused when read)" : "");
  if (o.json) fmt::print("{}\n", json.dump(2));
  return exit_ok;
}

}  // namespace vitro::cli
