// mutants OUT SEED COUNT: COUNT programs, each one of our samples with one or two small changes, to OUT/N/k.visaasm,
// and what we say of it to OUT/N/ours: "accepted", or the first reason. The same seed gives the same programs.
// mutants.py compares with GenX_IR.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <span>
#include <sstream>

#include "visa/check.h"
#include "visa/read_text.h"
#include "visa/samples.h"

using namespace vitro;
namespace fs = std::filesystem;

namespace {

class Mutator {
  struct Span {
    size_t begin, length;
  };
  uint32_t below(uint32_t n) { return random_() % n; }
  template <class T>
  const auto& pick(const T& list) {
    return list[below(uint32_t(std::size(list)))];
  }

 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  // Of one of these texts, or of a sample.
  std::string program(std::span<const std::string> texts) {
    std::string text = texts.empty() ? visa::sample_kernel(pick(visa::sample_instructions)) : pick(texts);
    names_.clear();
    std::vector<size_t> declarations, instructions;
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
      if (line.starts_with(".decl ")) names_.emplace_back(line.substr(6, line.find(' ', 6) - 6));
      if (line.starts_with(".decl ") || line.starts_with(".input ")) declarations.push_back(at);
      if (line.starts_with("    ") && line.size() > 4) instructions.push_back(at);
    }
    for (const std::string_view name : {"%r0", "%null"}) names_.emplace_back(name);
    if (texts.empty()) instructions.resize(1);  // those behind it are the same everywhere
    const uint32_t changes = 1 + below(4) / 3;
    std::vector<std::pair<size_t, bool>> places;
    for (uint32_t n = 0; n < changes; ++n)
      places.emplace_back(below(5) == 0 ? std::pair(pick(declarations), false) : std::pair(pick(instructions), true));
    std::ranges::sort(places, std::greater{});  // the last first, so that the others stay where they are
    for (const auto& [at, instruction] : places) change_line(text, line_at(text, at), instruction);
    return text;
  }

 private:
  static Span line_at(const std::string& text, size_t at) { return {at, text.find('\n', at) - at}; }

  // Where tokens that `is` accepts begin and end.
  template <class F>
  static std::vector<Span> tokens(std::string_view line, F is) {
    std::vector<Span> found;
    for (size_t n = 0; n < line.size();) {
      size_t end = n;
      const auto in_word = [](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '%'; };
      while (end < line.size() && in_word(line[end])) ++end;
      if (end > n && is(line.substr(n, end - n), n ? line[n - 1] : ' ')) found.push_back({n, end - n});
      n = std::max(end, n + 1);
    }
    return found;
  }

  void change_line(std::string& text, Span where, bool instruction) {
    std::string line = text.substr(where.begin, where.length);
    for (int tries = 0; tries < 20; ++tries) {
      const std::string before = line;
      instruction ? change_instruction(line) : change_declaration(line);
      if (line != before) break;
    }
    text.replace(where.begin, where.length, line);
  }

  template <class F, class T>
  void replace(std::string& line, F is, const T& choices) {
    const std::vector<Span> found = tokens(line, is);
    if (found.empty()) return;
    const Span s = pick(found);
    line.replace(s.begin, s.length, pick(choices));
  }

  static bool is_type(std::string_view t) {
    for (const visa::TypeRow& r : visa::type_rows)
      if (r.name == t && t != "bf") return true;
    return false;
  }
  static constexpr std::string_view types[] = {"ud", "d", "uw", "w", "ub", "b", "df", "f", "uq", "q", "hf", "bool"};
  static constexpr std::string_view numbers[] = {"0", "1", "2",  "3",  "4",  "5",  "7",
                                                 "8", "9", "16", "31", "32", "33", "64"};
  static constexpr std::string_view masks[] = {"M1", "M2", "M3", "M5", "M8", "M1_NM", "M4_NM", "M5_NM"};
  static constexpr std::string_view sizes[] = {"1", "2", "4", "8", "16", "32"};
  static constexpr std::string_view modifiers[] = {"(-)", "(abs)", "(-abs)", "(~)"};
  static constexpr std::string_view predicates[] = {"(P1) ", "(!P2) ", "(P3.any) ", "(P1.all) "};

  void change_instruction(std::string& line) {
    const auto number = [](std::string_view t, char before) {
      return std::isdigit(uint8_t(t[0])) && before != ':' && !t.starts_with("0x");
    };
    switch (below(12)) {
      case 0:
      case 1: return replace(line, number, numbers);
      case 2:
        return replace(
            line, [](std::string_view t, char before) { return before == ':' && is_type(t); }, types);
      case 3:
      case 4:
      case 5:
        return replace(
            line,
            [&](std::string_view t, char before) {
              return before != '(' && std::ranges::find(names_, t) != names_.end();
            },
            names_);
      case 6:
        return replace(
            line, [](std::string_view t, char) { return t[0] == 'M' && t.size() < 6; }, masks);
      case 7:
        return replace(
            line, [&](std::string_view t, char before) { return before == ' ' && number(t, ' ') && t.size() < 3; },
            sizes);
      case 8: {  // a modifier in front of a source
        const size_t source = line.find(">", line.find(") ")) + 2;
        if (source < line.size() && std::isalpha(uint8_t(line[source]))) line.insert(source, pick(modifiers));
        return;
      }
      case 9: {
        const size_t end = line.find(' ', 4);
        if (end != std::string::npos) line.insert(end, ".sat");
        return;
      }
      case 10:
        if (line[4] != '(') line.insert(4, pick(predicates));
        return;
      default: {  // another instruction of the same shape
        const size_t end = line.find_first_of(". ", 4);
        const visa::Row* row = visa::find_mnemonic(line.substr(4, end - 4));
        if (!row || end == std::string::npos) return;
        std::vector<std::string_view> alike;  // of those that GenX_IR's parser takes
        for (const std::string_view sample : visa::sample_instructions) {
          const std::string_view name = sample.substr(sample.starts_with('(') ? sample.find(' ') + 1 : 0);
          const visa::Row* r = visa::find_mnemonic(name.substr(0, name.find_first_of(". ")));
          if (r && r->items.size() == row->items.size() && r->has_execution == row->has_execution &&
              !(r->traits & (visa::media | visa::flow)))
            alike.push_back(r->mnemonic);
        }
        if (!alike.empty()) line.replace(4, end - 4, pick(alike));
      }
    }
  }

  void change_declaration(std::string& line) {
    static constexpr std::string_view counts[] = {"0", "1", "2", "3", "8", "16", "17", "32", "64", "129", "5000"};
    static constexpr std::string_view offsets[] = {"0", "4", "31", "32", "33", "40", "48", "60", "4092", "8200"};
    static constexpr std::string_view alignments[] = {"byte", "word", "dword", "qword", "oword", "GRF", "hword"};
    static constexpr std::string_view all_types[] = {"ud", "w", "ub", "df", "q", "hf", "v", "vf", "uv", "bool"};
    const auto behind = [&](std::string_view key, const auto& choices) {
      const size_t at = line.find(key);
      if (at == std::string::npos) return;
      size_t end = at + key.size();
      while (end < line.size() && std::isalnum(uint8_t(line[end]))) ++end;
      line.replace(at + key.size(), end - at - key.size(), pick(choices));
    };
    switch (below(7)) {
      case 0: return behind("num_elts=", counts);
      case 1: return behind(" type=", all_types);
      case 2: return behind("align=", alignments);
      case 3: return behind("offset=", offsets);
      case 4: return behind("size=", offsets);
      case 5: return behind("alias=<D0, ", offsets);
      default:
        if (line.find("v_type=G") != std::string::npos && line.find("alias") == std::string::npos &&
            line.find("F0") == std::string::npos)
          line += fmt::format(" alias=<{}, {}>", below(4) ? "F0" : "%r0", pick(offsets));
    }
  }

  std::mt19937 random_;
  std::vector<std::string> names_{};  // of the program's variables
};

std::string opinion(const std::string& text) {
  const visa::TextResult read = visa::read_text(text);
  if (!read.ok()) return "rejected when read: " + read.diagnostics[0].message;
  for (const visa::Finding& f : visa::check(read.object, visa::kbl))
    if (f.rule->verdict != visa::Verdict::differs) return fmt::format("rejected by {}: {}", f.rule->id, f.message);
  return "accepted";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::vector<std::string> texts;
  for (int n = 4; n < argc; ++n) {
    std::stringstream text;
    text << std::ifstream(argv[n], std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  const fs::path out = argv[1];
  Mutator mutator(uint32_t(std::atoi(argv[2])));
  for (int n = 0; n < std::atoi(argv[3]); ++n) {
    const std::string text = mutator.program(texts);
    const fs::path folder = out / std::to_string(n);
    fs::create_directories(folder);
    std::ofstream(folder / "k.visaasm", std::ios::binary) << text;
    std::ofstream(folder / "ours", std::ios::binary) << opinion(text);
  }
  return 0;
}
