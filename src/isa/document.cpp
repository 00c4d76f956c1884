// Writing the reference. One function per chapter; the words for formats and attributes stand in tables here because
// nothing else needs them.
#include "isa/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/layout.h"
#include "isa/names.h"
#include "isa/validate.h"

namespace vitro::isa {
namespace {

using Models = std::span<const DocumentedModel>;

struct FormWords {
  Format format;
  std::string_view name, syntax, meaning;
};
using enum Format;
constexpr FormWords forms[] = {
    {nullary, "nullary", "`op`", "no operands, no controls but Breakpoint and Compacted"},
    {unary, "unary", "`op (size) dst src0`", "src0 is a register or an immediate of up to 64 bits"},
    {binary, "binary", "`op (size) dst src0 src1`", "src1 is a register or an immediate of up to 32 bits"},
    {ternary, "ternary", "`op (size) dst src0 src1 src2`", "registers only, always Align16"},
    {Format::math, "math", "`math.fn (size) dst src0 [src1]`", "the function decides how many sources there are"},
    {Format::send, "send", "`op (size) dst src0 ex_desc desc`", "src0 is the payload; desc is a number or a0.0"},
    {split_send, "split send", "`op (size) dst src0 src1 ex_desc desc`",
     "two payloads; each descriptor is a number or an address register"},
    {Format::wait, "wait", "`wait n0.i`", "the notification register is source and destination"},
    {branch, "branch", "`op (size) JIP`", "one target"},
    {branch_compare, "comparing branch", "`op (size) JIP`, `op (size) (cond)flag src0 src1 JIP`",
     "one target; compares two sources when a condition is given"},
    {branch_uip, "branch with UIP", "`op (size) JIP UIP`", "two targets"},
    {branch_reg, "branch by register", "`op (size) JIP`, `op (size) src0`", "the target is a label or in a register"},
    {branch_reg_uip, "branch with UIP by register", "`op (size) JIP UIP`, `op (size) src0`",
     "the targets are labels, or both in a register"},
    {jump, "jump", "`jmpi JIP`, `jmpi src0`", "counted from the next instruction"},
    {Format::call, "call", "`op (size) dst JIP`, `op (size) dst src0`", "dst takes the return address"},
    {call_absolute, "absolute call", "`op (size) dst JIP`, `op (size) dst src0`", "the target counts from the start"},
    {Format::ret, "return", "`ret (size) src0`", "src0 holds return address and mask"},
    {Format::fork, "fork", "`fork (size) src0 JIP`", "one target and a mask register"},
};
const FormWords& words(Format f) {
  return *std::find_if(std::begin(forms), std::end(forms), [f](const FormWords& w) { return w.format == f; });
}

constexpr std::pair<Attribute, std::string_view> attribute_words[] = {
    {attr_pred, "predicate"},
    {attr_cond, "condition"},
    {attr_sat, "saturate"},
    {attr_srcmod, "source modifiers"},
    {attr_accwr, "AccWrEn"},
    {attr_branchctrl, "BranchCtrl"},
    {attr_needs_cond, "condition required"},
    {attr_needs_accwr, "AccWrEn required"},
    {attr_reads_flag, "flag not written"},
    {attr_acc_source, "reads the accumulator"},
    {attr_logic, "bitwise"},
    {attr_scalar, "one channel"},
    {attr_selects, "predicate chooses"},
    {attr_by_twos, "looks at two channels"},
    {attr_by_fours, "looks at four channels"},
    {attr_plane, "a tuple for all channels"},
    {attr_register_pairs, "pairs of registers"},
    {attr_every_channel, "accumulator whatever the mask"},
};

class Writer {
 public:
  explicit Writer(Models models) : models_(models) {}
  std::string run() {
    opening();
    instructions();
    form_chapter();
    math_functions();
    types();
    controls();
    registers();
    ignored();
    rule_chapter();
    return std::move(out_);
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> f, A&&... a) {
    fmt::format_to(std::back_inserter(out_), f, std::forward<A>(a)...);
    out_ += '\n';
  }
  static std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ") {
    return fmt::format("{}", fmt::join(parts, separator));
  }
  // Text for a table cell.
  static std::string cell(std::string_view s) {
    std::string out;
    for (char c : s) {
      if (c == '|' || c == '<') out += '\\';
      out += c;
    }
    return out;
  }
  std::string where(Generations g) const {
    std::vector<std::string> names;
    for (const DocumentedModel& d : models_)
      if (g.contains(d.model->generation)) names.emplace_back(d.short_title);
    return joined(names, " ");
  }
  static std::string type_names(TypeSet s) {
    std::vector<std::string> names;
    for (int t = 0; t < type_count; ++t)
      if (s.contains(Type(t))) names.emplace_back(info(Type(t)).name);
    return joined(names, " ");
  }

  void opening() {
    line("# The EU instruction set");
    line("");
    line(
        "Written by the program `isa_document` from the tables in `src/isa` (opcodes.def, registers.cpp, the layouts, "
        "the");
    line("rules of the validator). Do not edit: change the table, build, and run `isa_document docs/isa.md`. The test");
    line("`docs_fresh` fails when this file is stale.");
    line("");
    line("Syntax is that of `docs/assembly.md`.");
    line("");
    line("| generation | instructions | math functions | GRF | MRF | flags | address sub-registers |");
    line("|---|---|---|---|---|---|---|");
    for (const DocumentedModel& d : models_) {
      const Model& m = *d.model;
      const auto count = std::count_if(m.by_op.begin(), m.by_op.end(), [](const OpcodeRow* r) { return r != nullptr; });
      const auto functions = std::count_if(math_table.begin(), math_table.end(),
                                           [&](const MathRow& r) { return r.generations.contains(m.generation); });
      line("| {} | {} | {} | {} | {} | {} | {} |", d.title, count, functions, m.grf_count, m.mrf_count, m.flag_regs,
           m.address_subregs);
    }
    line("");
  }

  // The rules of a row that exist on some generation of it, with the types that some of them has.
  std::string rules_of(const OpcodeRow& row) const {
    TypeSet known;
    for (const DocumentedModel& d : models_) {
      if (!row.generations.contains(d.model->generation)) continue;
      known = known | d.model->types;
      for (uint8_t t : d.model->encoding->layout->immediate_types)
        if (t != reserved_code && row.format != ternary) known = known | isa::types(Type(t));
    }
    std::vector<std::string> parts;
    for (const TypeRule& r : row.types) {
      const TypeSet dst = r.dst & known, src = r.src & known;
      if (dst.empty() || src.empty()) continue;
      parts.push_back(row.format == branch_compare || row.format == Format::wait
                          ? type_names(src)
                          : fmt::format("{} ← {}", type_names(dst), type_names(src)));
    }
    return joined(parts, "; ");
  }

  void instructions() {
    line("## Instructions");
    line("");
    line(
        "Types read `destination ← sources`: every type on the left with every type on the right, where the "
        "generation");
    line(
        "has them (see Types). `uv`, `v` and `vf` are immediates. Instructions without types take operands of any "
        "type.");
    line("");
    line("| code | instruction | name | generations | form | controls | types |");
    line("|---|---|---|---|---|---|---|");
    for (const OpcodeRow& r : opcode_table()) {
      std::vector<std::string> attributes;
      for (const auto& [attribute, word] : attribute_words)
        if (r.has(attribute)) attributes.emplace_back(word);
      line("| {:02X} | `{}` | {} | {} | {} | {} | {} |", r.code, r.mnemonic, r.title, where(r.generations),
           words(r.format).name, joined(attributes), rules_of(r));
    }
    line("");
  }

  void form_chapter() {
    line("## Forms");
    line("");
    line("| form | text | |");
    line("|---|---|---|");
    for (const FormWords& f : forms) line("| {} | {} | {} |", f.name, f.syntax, f.meaning);
    line("");
  }

  void math_functions() {
    line("## Math functions");
    line("");
    line("| FC | function | name | generations | sources | macro |");
    line("|---|---|---|---|---|---|");
    for (size_t n = 0; n < math_table.size(); ++n)
      if (const MathRow& r = math_table[n]; !r.name.empty())
        line("| {:X} | `math.{}` | {} | {} | {} | {} |", n, r.name, r.title, where(r.generations), r.sources,
             r.kind == MathKind::macro ? "yes" : "");
    line("");
  }

  static std::string code_of(const CodeTable& t, Type type) {
    for (size_t n = 0; n < t.size(); ++n)
      if (t[n] == uint8_t(type)) return fmt::format("{}", n);
    return "-";
  }
  void types() {
    line("## Types");
    line("");
    line("Codes as register / immediate / three-source operand; `-` where there is none.");
    line("");
    std::string head = "| type | bytes | |", rule = "|---|---|---|";
    for (const DocumentedModel& d : models_) head += fmt::format(" {} |", d.short_title), rule += "---|";
    line("{}", head);
    line("{}", rule);
    for (int n = 0; n < type_count; ++n) {
      const TypeInfo& t = info(Type(n));
      std::string row = fmt::format("| `{}` | {} | {} |", t.name, t.is_vector_imm ? 4 : t.size,
                                    t.is_vector_imm ? "packed immediate"
                                    : t.is_float    ? "float"
                                    : t.is_signed   ? "signed"
                                                    : "unsigned");
      for (const DocumentedModel& d : models_) {
        const Layout& l = *d.model->encoding->layout;
        row += fmt::format(" {} / {} / {} |", code_of(l.register_types, Type(n)), code_of(l.immediate_types, Type(n)),
                           code_of(l.ternary_types, Type(n)));
      }
      line("{}", row);
    }
    line("");
  }

  void controls() {
    line("## Controls");
    line("");
    line("Conditions: {}.", codes(cond_names, 1, cond_names.size()));
    line("Predicate modes in Align1: none (`(f0.0)`) 1, {}; in Align16: {}.", codes(pred_names_align1, 2, 14),
         codes(pred_names_align16, 2, 8));
    std::vector<std::string> reach;
    for (const DocumentedModel& d : models_) {
      const CodeTable& t = d.model->encoding->layout->pred_ctrls_align1;
      const auto last = std::find_if(t.rbegin(), t.rend(), [](uint8_t v) { return v != reserved_code; });
      reach.push_back(fmt::format("{} up to `{}`", d.short_title, pred_names_align1[*last]));
    }
    line("Align1 modes reach: {}.", joined(reach));
    std::vector<std::string> options;
    for (const OptionName& o : option_names) options.push_back(fmt::format("`{}`", o.name));
    line("Options: {}, `Align1`, `Align16`, `Ignored=0x...`.", joined(options));
    line("");
  }
  template <class Names>
  static std::string codes(const Names& names, size_t from, size_t to) {
    std::vector<std::string> parts;
    for (size_t n = from; n < to; ++n)
      if (!names[n].empty()) parts.push_back(fmt::format("`{}` {}", names[n], n));
    return joined(parts);
  }

  void registers() {
    line("## Architecture registers");
    line("");
    for (const DocumentedModel& d : models_) {
      line("### {}", d.title);
      line("");
      line("| register | number | name |");
      line("|---|---|---|");
      for (const ArfRow& a : d.model->arfs) {
        const std::string first = fmt::format("{}{}", a.name, a.numbered ? "0" : "");
        const std::string last = a.count > 1 ? fmt::format("` to `{}{}", a.name, a.count - 1) : "";
        const uint8_t code = arf_reg(a.kind, a.first);
        line("| `{}{}` | {:02X}{} | {} |", first, last, code,
             a.count > 1 ? fmt::format(" to {:02X}", code + a.count - 1) : "", a.title);
      }
      line("");
    }
  }

  void ignored() {
    line("## Ignored fields");
    line("");
    line(
        "Bits that mean nothing in an instruction of the form, or nothing under the condition given as the reason. "
        "They");
    line("are kept when decoding, and printed as `Ignored=` when they differ from the canonical value.");
    line("");
    for (const DocumentedModel& d : models_) {
      line("### {}", d.title);
      line("");
      line("| bits | field | canonical | forms | reason |");
      line("|---|---|---|---|---|");
      for (const IgnoredField& f : d.model->encoding->layout->ignored) {
        std::vector<std::string> names;
        bool all = true;
        for (const FormWords& w : forms) {
          if (f.formats >> int(w.format) & 1)
            names.emplace_back(w.name);
          else if (w.format != nullary)
            all = false;
        }
        line("| {}:{} | {} | {:X} | {} | {} |", f.bits.hi, f.bits.lo, f.name, f.canonical,
             all ? "all but nullary" : joined(names), f.reason);
      }
      line("");
    }
  }

  void rule_chapter() {
    line("## Rules");
    line("");
    line(
        "What the validator knows. Prohibitions are errors; advice is broken by real drivers or cannot be judged from "
        "the");
    line("instruction alone, and is only remarked; permissions cannot be broken.");
    line("");
    line("| rule | generations | kind | statement | broken by |");
    line("|---|---|---|---|---|");
    static constexpr std::string_view kinds[] = {"prohibition", "advice", "permission"};
    for (const Rule& r : rules())
      line("| {} | {} | {} | {} | {} |", r.id, where(r.generations), kinds[size_t(r.kind)], cell(r.statement),
           cell(r.broken_by));
  }

  Models models_;
  std::string out_;
};

}  // namespace

std::string document(std::span<const DocumentedModel> models) { return Writer(models).run(); }

}  // namespace vitro::isa
