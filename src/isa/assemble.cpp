// The assembler's second half: sizes, places, labels and rules. Parsing is done before (parse.cpp).
// PRM: Gen6 vol 4 part 2 section 5.8 (CP-03): distances count stored bytes, so compaction comes before them.
#include "isa/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "isa/parse.h"
#include "isa/pragmas.h"
#include "isa/print.h"
#include "isa/validate.h"

namespace vitro::isa {
namespace {

Diagnostic error_at(const ParsedInstruction& p, std::string message) {
  return {Diagnostic::Severity::error, p.line, p.column, p.length, std::move(message), {}};
}

// A jump is compact as long as its distance allows; that shows only when everything is placed.
void choose_size(const Model& m, ParsedInstruction& p, CompactMode mode) {
  Instruction& i = p.instruction;
  if (mode == CompactMode::none) i.compacted = false;
  // Bits that mean nothing may take any value for a compact form, unless the text says which they have.
  if (i.compacted && !i.ignored) i = compacted_form(m, i).value_or(i);
  if (mode != CompactMode::all || i.compacted || p.no_compact) return;
  p.ignored_as_written = i.ignored;
  p.may_grow = !p.targets.empty();
  if (const std::optional<Instruction> c = compacted_form(m, i)) i = *c;
}

// Bytes from the program's start at which each instruction stands; one more than there are: the program's end.
std::vector<size_t> place(const ParsedProgram& program) {
  std::vector<size_t> places;
  size_t at = 0;
  for (const ParsedInstruction& p : program.instructions) {
    places.push_back(at);
    at += p.instruction.compacted ? 8 : 16;
  }
  places.push_back(at);
  return places;
}

using LabelIndex = std::unordered_map<std::string_view, size_t>;

LabelIndex index_labels(const ParsedProgram& program, Diagnostics& diagnostics) {
  LabelIndex index;
  for (const ParsedLabel& l : program.labels)
    if (!index.emplace(l.name, l.at).second)
      diagnostics.push_back({Diagnostic::Severity::error,
                             l.line,
                             l.column,
                             int(l.name.size()),
                             fmt::format("the label {} stands at two places", l.name),
                             {}});
  return index;
}

void resolve(const Model& m, ParsedInstruction& p, size_t offset, const std::vector<size_t>& places,
             const LabelIndex& labels, Diagnostics& diagnostics) {
  Instruction& i = p.instruction;
  const bool absolute = m.row(i.op)->format == Format::call_absolute;
  const int64_t base = absolute ? 0 : int64_t(offset);
  int64_t distance[2]{};
  for (size_t n = 0; n < p.targets.size(); ++n) {
    const TargetText& t = p.targets[n];
    if (t.label.empty()) {
      distance[n] = t.number;
    } else if (const auto l = labels.find(t.label); l != labels.end()) {
      distance[n] = int64_t(places[l->second]) - base;
    } else {
      diagnostics.push_back({Diagnostic::Severity::error,
                             p.line,
                             t.column,
                             int(t.label.size()),
                             fmt::format("the label {} is not defined", t.label),
                             {}});
    }
    // jmpi counts from the next instruction
    if (m.row(i.op)->format == Format::jump) distance[n] -= i.compacted ? 8 : 16;
    if (distance[n] != int32_t(distance[n]))
      diagnostics.push_back(error_at(p, fmt::format("the distance {} does not fit 32 bits", distance[n])));
  }
  if (p.targets.size() > 0) i.jip = int32_t(distance[0]);
  if (p.targets.size() > 1) i.uip = int32_t(distance[1]);
}

// Takes back compaction where the distance turned out too long. Each round only makes instructions longer, so it ends.
bool grow_far_jumps(const Model& m, ParsedProgram& program, const std::vector<size_t>& places,
                    const LabelIndex& labels) {
  bool grown = false;
  Diagnostics reported_later;
  for (size_t n = 0; n < program.instructions.size(); ++n) {
    ParsedInstruction& p = program.instructions[n];
    if (!p.may_grow || !p.instruction.compacted) continue;
    resolve(m, p, places[n], places, labels, reported_later);
    if (store(m, p.instruction)) continue;
    p.instruction.compacted = false;
    p.instruction.ignored = p.ignored_as_written;
    grown = true;
  }
  return grown;
}

void check_rules(const Model& m, const ParsedInstruction& p, Diagnostics& diagnostics) {
  for (const Violation& v : validate(m, p.instruction)) {
    static constexpr std::string_view places[] = {"", "dst: ", "src0: ", "src1: ", "src2: "};
    Diagnostic d = error_at(p, fmt::format("{}{}", places[v.operand + 1], v.rule->statement));
    d.rule = v.rule->id;
    if (!is_error(v)) d.severity = Diagnostic::Severity::warning;
    diagnostics.push_back(std::move(d));
  }
}

void sort_by_place(Diagnostics& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& x, const Diagnostic& y) {
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
}

Assembly assemble_plain(const Model& m, std::string_view text, const AssembleOptions& options) {
  ParsedProgram program = parse(m, text);
  Assembly a;
  a.diagnostics = std::move(program.diagnostics);
  for (ParsedInstruction& p : program.instructions) choose_size(m, p, options.compact);
  const LabelIndex labels = index_labels(program, a.diagnostics);
  std::vector<size_t> places = place(program);
  while (grow_far_jumps(m, program, places, labels)) places = place(program);

  for (const ParsedLabel& l : program.labels) a.labels.push_back({std::string(l.name), places[l.at]});
  for (size_t n = 0; n < program.instructions.size(); ++n) {
    ParsedInstruction& p = program.instructions[n];
    resolve(m, p, places[n], places, labels, a.diagnostics);
    const Result<Stored> s = store(m, p.instruction);
    if (!s) {
      a.diagnostics.push_back(error_at(p, s.error().message));
      continue;
    }
    a.code.insert(a.code.end(), s->bytes.begin(), s->bytes.begin() + s->size);
    a.instructions.push_back({p.instruction, places[n], s->size, p.line});
    if (options.validate) check_rules(m, p, a.diagnostics);
  }
  sort_by_place(a.diagnostics);
  return a;
}

}  // namespace

Assembly assemble(const Model& m, std::string_view text, const AssembleOptions& options) {
  const Expanded source = expand_pragmas(m, text);
  Assembly a = assemble_plain(m, source.text, options);
  if (source.origins.empty()) return a;
  for (Diagnostic& d : a.diagnostics) d = in_source(source, std::move(d));
  a.diagnostics.insert(a.diagnostics.begin(), source.diagnostics.begin(), source.diagnostics.end());
  sort_by_place(a.diagnostics);
  return a;
}

}  // namespace vitro::isa
