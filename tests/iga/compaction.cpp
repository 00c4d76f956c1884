// Compaction: what has a compact form expands to itself again, and our compactor finds every instruction that iga64's
// does.
#include <fmt/format.h>

#include <algorithm>

#include "checks.h"
#include "isa/assemble.h"

namespace vitro::iga {
namespace {

// Targets as numbers of instructions, which compaction does not change.
std::vector<size_t> targets(const isa::Model& m, std::span<const isa::DecodedInstruction> program, size_t n) {
  const isa::Targets t = isa::branch_targets(m, program[n].instruction, int64_t(program[n].offset));
  std::vector<size_t> out;
  for (int k = 0; k < t.count; ++k) {
    const auto p =
        std::lower_bound(program.begin(), program.end(), t.at[k],
                         [](const isa::DecodedInstruction& d, int64_t at) { return int64_t(d.offset) < at; });
    out.push_back(size_t(p - program.begin()));
  }
  return out;
}

// What an instruction means, without where it stands and how it is written.
isa::Instruction meaning(isa::Instruction i) {
  i.compacted = false;
  i.ignored = {};
  i.jip = i.uip = 0;
  return i;
}

// expand(compact(x)) == x on the canonical word: exactly, and outside the ignored bits when those are free.
void check_expansion(Run& run, std::string_view kernel, const isa::DecodedInstruction& d) {
  const isa::Model& m = run.model;
  isa::Instruction i = d.instruction;
  i.compacted = false;
  i.ignored = {};
  const Result<Word128> word = isa::encode(m, i);
  if (!expect(run, word.has_value(), kernel, word ? "" : word.error().message)) return;
  for (const Word128 free : {Word128{}, isa::ignored_mask(m, i)}) {
    const std::optional<uint64_t> c = isa::compact(*m.compaction, m.three_source, *word, free);
    if (!c) continue;
    const Result<Word128> back = isa::expand(*m.compaction, m.three_source, *c);
    const bool same = back && !((*back ^ *word) & ~free);
    expect(run, same, kernel,
           same ? "" : fmt::format("compacted and expanded at {:#x}: {}", d.offset, isa::to_text(m, i)));
  }
}

}  // namespace

std::string uncompacted(std::string_view text) {
  constexpr std::string_view option = "Compacted";
  std::string out(text);
  for (size_t at = 0; (at = out.find(option, at)) != std::string::npos;) {
    size_t end = at + option.size();
    if (out[at - 1] == '{' && out[end] == '}')
      --at, ++end;
    else if (out[end] == ',')
      ++end;
    else
      at = out.rfind(',', at);
    out.erase(at, end - at);
  }
  return out;
}

void check_compaction(Run& run, std::string_view name, std::span<const isa::DecodedInstruction> program,
                      std::string_view text) {
  const isa::Model& m = run.model;
  for (const isa::DecodedInstruction& d : program) check_expansion(run, name, d);

  const std::string plain = uncompacted(text);
  const Result<Bytes> theirs = assemble(run.iga, plain, Compact::automatic);
  if (!expect(run, theirs.has_value(), name, theirs ? "" : "iga64 -Xautocompact: " + theirs.error().message)) return;
  const isa::Assembly ours = isa::assemble(m, plain, {.compact = isa::CompactMode::all, .validate = false});
  if (!expect(run, ours.ok(), name, ours.ok() ? "" : "our compaction: " + ours.diagnostics.front().message)) return;

  const auto a = isa::decode_program(m, *theirs), b = isa::decode_program(m, ours.code);
  if (!expect(run, a.size() == program.size() && b.size() == program.size(), name,
              "compaction changes the number of instructions"))
    return;
  for (size_t n = 0; n < program.size(); ++n) {
    const bool we = b[n].size == 8, they = a[n].size == 8;
    run.sum.compacted_by_us += we;
    run.sum.compacted_by_iga += they;
    auto say = [&](bool holds, std::string_view what) {
      expect(run, holds, name,
             holds ? std::string{}
                   : fmt::format("{} at {:#x}: {}", what, program[n].offset, isa::to_text(m, program[n].instruction)));
    };
    say(we || !they, "compacted by iga64, not by us");
    say(we || program[n].size != 8, "compact in the corpus, not by us");
    say(b[n].error.empty() && meaning(b[n].instruction) == meaning(program[n].instruction) &&
            targets(m, b, n) == targets(m, program, n),
        "compaction changes the meaning");
  }
}

}  // namespace vitro::iga
