// What the checker of vISA finds, as messages or JSON; see visa_check.h.
#include "cli/visa_check.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

// The line, and where in it; a caret under the whole word or, without a column, the statement.
struct Spot {
  const VisaSource::File* file = nullptr;
  int line = 1, column = 1, length = 1;
};
Spot spot_of(const VisaSource& source, const visa::Place& p) {
  Spot s{.line = int(p.line)};
  s.file = &source.file_of(s.line);
  const std::string& text = s.file->text;
  size_t begin = 0;
  for (int n = 1; n < s.line; ++n) begin = text.find('\n', begin) + 1;
  const std::string_view line = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
  size_t at = p.column ? p.column - 1u : line.find_first_not_of(" \t");
  if (at > line.size()) at = 0;
  const size_t end = line.find_first_of(" \t\r", at);
  s.column = int(at) + 1;
  s.length = p.length > 1 ? p.length : int(std::max<size_t>((end == line.npos ? line.size() : end) - at, 1));
  return s;
}

Json to_json(const visa::Finding& f, const VisaInput& input, const std::string& name) {
  const visa::Routine& r = input.object.routines[f.routine];
  Json j{{"rule", f.rule->id}, {"verdict", verdict(*f.rule)}, {"message", f.message}, {"routine", r.text(r.name)}};
  if (input.object.from_text) {
    const Spot s = spot_of(input.source, f.place);
    j["file"] = s.file->name, j["line"] = s.line, j["column"] = s.column;
  } else {
    j["file"] = name, j["offset"] = f.place.line;
  }
  return j;
}

void print(const visa::Finding& f, const VisaInput& input, const std::string& name) {
  const bool error = f.rule->verdict == visa::Verdict::error;
  std::string message = error ? f.message : fmt::format("{}: {}", verdict(*f.rule), f.message);
  if (!input.object.from_text) {
    fmt::print(stderr, "{}: at 0x{:X}: {}: {} [{}]\n", name, f.place.line, is_wrong(f) ? "error" : "warning", message,
               f.rule->id);
    return;
  }
  const Spot s = spot_of(input.source, f.place);
  report(s.file->name, s.file->text,
         {{.severity = is_wrong(f) ? isa::Diagnostic::Severity::error : isa::Diagnostic::Severity::warning,
           .line = s.line,
           .column = s.column,
           .length = s.length,
           .message = std::move(message),
           .rule = std::string(f.rule->id)}});
}

}  // namespace

int check_visa(const VisaInput& input, const std::string& name, const CheckOptions& o) {
  uint8_t device = 0;
  for (const DeviceBit& d : devices)
    if (d.name == o.device) device = d.bit;
  std::vector<visa::Finding> found = visa::check(input.object, device);
  if (o.errors) std::erase_if(found, [](const visa::Finding& f) { return !is_wrong(f); });
  bool wrong = false;
  Json json = Json::array();
  for (const visa::Finding& f : found) {
    wrong |= is_wrong(f);
    if (o.json)
      json.push_back(to_json(f, input, name));
    else
      print(f, input, name);
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
