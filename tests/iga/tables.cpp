// The tables of compaction, entry by entry: compact words that select each entry of each table are disassembled by
// iga64 and assembled again without compaction; our expansion must give the same instruction. The corpus alone uses
// only some of the entries.
// PRM: compact instruction formats of Gen8 and Gen9 (control, data type, sub-register and source tables).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "checks.h"
#include "isa/assemble.h"

namespace vitro::iga {
namespace {

// Instructions with a compact form from which the others are made by changing one index. Several, because an entry
// makes sense only with some opcodes and types.
constexpr std::string_view bases[] = {
    "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
    "add (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
    "(W) and (1|M0) r4.0<1>:ud r2.0<0;1,0>:ud 0x7:ud",
    "mov (8|M0) r4.0<1>:d r2.0<8;8,1>:d",
    "(W) mov (8|M0) r4.0<1>:ud r2.0<8;8,1>:ud",
    "mov (8|M0) r4.0<1>:f 0x0:vf",
    "sel (8|M0) (lt)f0.0 r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
    "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f 0x0:f",
    "cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
    "cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 7:d",
    "mov (8|M0) null<1>:ud r2.0<8;8,1>:ud",
    "add (8|M0) r4.0<1>:f acc0.0<8;8,1>:f r3.0<8;8,1>:f",
    "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f",
    "math.inv (8|M0) r4.0<1>:f r2.0<8;8,1>:f",
    "mad (8|M0) r4.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r5.0<1>:f",
};

struct Subject {
  uint64_t word;
  const isa::CompactForm* form;
};

// The base's compact word and the form its indices belong to.
std::optional<Subject> compact_base(const isa::Model& m, std::string_view text) {
  const isa::Assembly a = isa::assemble(m, text, {.compact = isa::CompactMode::all, .validate = false});
  if (!a.ok() || a.code.size() != 8) return {};
  Subject s{0, &m.compaction->registers};
  std::memcpy(&s.word, a.code.data(), 8);
  const isa::Instruction& i = a.instructions[0].instruction;
  if (m.row(i.op)->format == isa::Format::ternary) s.form = &m.compaction->three_source;
  if (i.src[0].file == isa::RegFile::imm || i.src[1].file == isa::RegFile::imm) s.form = &m.compaction->immediate;
  return s;
}

// What iga64 makes of a compact word: the native one. Nothing if its text does not say all that the word does: it has
// no Align16 but in three-source instructions, and no sub-registers between elements, which only Align16 needs.
std::optional<Bytes> expanded_by_iga(const Run& run, std::span<const std::byte> word) {
  const Result<std::string> text = disassemble(run.iga, word);
  const Result<Bytes> same = text ? assemble(run.iga, *text) : Result<Bytes>{};
  if (!text || !same || !std::equal(same->begin(), same->end(), word.begin(), word.end())) return {};
  const Result<Bytes> native = assemble(run.iga, uncompacted(*text));
  return native && native->size() == 16 ? std::optional(*native) : std::nullopt;
}

}  // namespace

void check_tables(Run& run) {
  const isa::Model& m = run.model;
  std::set<std::string> wanted, confirmed;
  for (const std::string_view text : bases) {
    const std::optional<Subject> base = compact_base(m, text);
    if (!expect(run, base.has_value(), "tables", fmt::format("no compact form: {}", text))) continue;
    for (int k = 0; k < base->form->index_count; ++k) {
      const isa::CompactIndex& index = base->form->indices[size_t(k)];
      for (unsigned entry = 0; entry <= index.last; ++entry) {
        const std::string key =
            fmt::format("{}{} {}", base->form == &m.compaction->three_source ? "three-source " : "", index.name, entry);
        wanted.insert(key);
        if (confirmed.contains(key)) continue;
        Word128 w{base->word, 0};
        deposit(w, index.compact, entry);
        const auto bytes = std::as_bytes(std::span(&w.lo, 1));
        const std::optional<Bytes> theirs = expanded_by_iga(run, bytes);
        if (!theirs) continue;
        Result<isa::Fetched> ours = isa::fetch(m, bytes);
        if (!expect(run, ours.has_value(), key, ours ? "" : ours.error().message)) continue;
        ours->instruction.compacted = false;
        ours->instruction.ignored = {};
        const Result<isa::Stored> s = isa::store(m, ours->instruction);
        const bool same = s && std::memcmp(s->bytes.data(), theirs->data(), 16) == 0;
        expect(
            run, same, key,
            same ? ""
                 : fmt::format("{:016x} expands to another instruction: {}", w.lo, isa::to_text(m, ours->instruction)));
        confirmed.insert(key);
      }
    }
  }
  expect(run, confirmed.size() * 4 > wanted.size() * 3, "tables",
         "iga64 confirms less than three quarters of the entries");
  run.sum.table_entries = wanted.size();
  for (const std::string& key : wanted)
    if (!confirmed.contains(key)) run.sum.unconfirmed_entries.push_back(key);
}

}  // namespace vitro::iga
