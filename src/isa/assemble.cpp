// Placing instructions and labels.
#include "isa/assemble.h"

#include <fmt/format.h>

#include <unordered_map>

#include "isa/parse.h"
#include "isa/print.h"

namespace vitro::isa {
namespace {

Diagnostic error_at(const ParsedInstruction& p, std::string message) {
  return {Diagnostic::Severity::error, p.line, p.column, p.length, std::move(message), {}};
}

// Distances are not known before sizes are, so a branch keeps the size it was written with.
void choose_size(const Model& m, ParsedInstruction& p, CompactMode mode) {
  Instruction& i = p.instruction;
  if (mode == CompactMode::none) {
    i.compacted = false;
  } else if (mode == CompactMode::all && !i.compacted && !p.no_compact && p.targets.empty()) {
    i.compacted = true;
    if (!store(m, i)) i.compacted = false;
  }
}

struct Places {
  std::vector<size_t> of_instruction;  // one more than there are: the program's end
  std::unordered_map<std::string_view, size_t> of_label;
};

Places place(const ParsedProgram& program, Diagnostics& diagnostics) {
  Places places;
  size_t at = 0;
  for (const ParsedInstruction& p : program.instructions) {
    places.of_instruction.push_back(at);
    at += p.instruction.compacted ? 8 : 16;
  }
  places.of_instruction.push_back(at);
  for (const ParsedLabel& l : program.labels)
    if (!places.of_label.emplace(l.name, places.of_instruction[l.at]).second)
      diagnostics.push_back({Diagnostic::Severity::error,
                             l.line,
                             l.column,
                             int(l.name.size()),
                             fmt::format("the label {} stands at two places", l.name),
                             {}});
  return places;
}

void resolve(const Model& m, ParsedInstruction& p, size_t offset, const Places& places, Diagnostics& diagnostics) {
  Instruction& i = p.instruction;
  const bool absolute = m.row(i.op)->format == Format::call_absolute;
  const int64_t base = absolute ? 0 : int64_t(offset);
  int64_t distance[2]{};
  for (size_t n = 0; n < p.targets.size(); ++n) {
    const TargetText& t = p.targets[n];
    if (t.label.empty()) {
      distance[n] = t.number;
    } else if (const auto l = places.of_label.find(t.label); l != places.of_label.end()) {
      distance[n] = int64_t(l->second) - base;
    } else {
      diagnostics.push_back({Diagnostic::Severity::error,
                             p.line,
                             t.column,
                             int(t.label.size()),
                             fmt::format("the label {} is not defined", t.label),
                             {}});
    }
    if (distance[n] != int32_t(distance[n]))
      diagnostics.push_back(error_at(p, fmt::format("the distance {} does not fit 32 bits", distance[n])));
  }
  // jmpi counts from the next instruction
  if (m.row(i.op)->format == Format::jump && !p.targets.empty()) distance[0] -= i.compacted ? 8 : 16;
  if (p.targets.size() > 0) i.jip = int32_t(distance[0]);
  if (p.targets.size() > 1) i.uip = int32_t(distance[1]);
}

}  // namespace

Assembly assemble(const Model& m, std::string_view text, const AssembleOptions& options) {
  ParsedProgram program = parse(m, text);
  Assembly a;
  a.diagnostics = std::move(program.diagnostics);
  for (ParsedInstruction& p : program.instructions) choose_size(m, p, options.compact);
  const Places places = place(program, a.diagnostics);

  for (size_t n = 0; n < program.instructions.size(); ++n) {
    ParsedInstruction& p = program.instructions[n];
    resolve(m, p, places.of_instruction[n], places, a.diagnostics);
    const Result<Stored> s = store(m, p.instruction);
    if (!s) {
      a.diagnostics.push_back(error_at(p, s.error().message));
      continue;
    }
    a.code.insert(a.code.end(), s->bytes.begin(), s->bytes.begin() + s->size);
    a.instructions.push_back({p.instruction, places.of_instruction[n], s->size, p.line});
  }
  return a;
}

}  // namespace vitro::isa
