// The parser: programs, statements and controls. Operands are read by parse_operands.cpp.
// PRM: Gen6 vol 4 part 2 section 7.3 (the grammar it grew from), AS-01 (what that grammar lacks).
#include "isa/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/cursor.h"
#include "isa/layout.h"
#include "isa/names.h"
#include "isa/operand_text.h"
#include "isa/parse_operands.h"

namespace vitro::isa {
namespace {

// One statement: [label:]* [(predicate)] mnemonic[.function] [(size|Mn)] [(cond)flag] operands [{options}]
class Statement {
 public:
  Statement(const Model& m, std::string_view text, size_t begin, size_t end, ParsedProgram& program, int line,
            size_t line_start)
      : m_(m), c_(text, begin, end), text_(text), end_(end), program_(program), line_(line), line_start_(line_start) {}

  void run() {
    try {
      labels();
      if (c_.done()) return;
      p_.line = line_;
      const size_t start = c_.at();
      p_.column = column(start);
      instruction();
      if (!c_.done()) c_.expected("the end of the instruction");
      p_.length = int(std::max<size_t>(1, last_used() - start));
      program_.instructions.push_back(std::move(p_));
    } catch (const SyntaxError& e) {
      program_.diagnostics.push_back({Diagnostic::Severity::error, line_, column(e.at), int(e.length), e.message, {}});
    }
  }

 private:
  int column(size_t at) const { return int(at - line_start_) + 1; }
  size_t last_used() const {
    size_t e = end_;
    while (e > line_start_ && std::isspace(static_cast<unsigned char>(text_[e - 1]))) --e;
    return e;
  }

  void labels() {
    for (;;) {
      c_.peek();
      const size_t at = c_.at();
      const std::string_view w = c_.take_word();
      if (w.empty() || std::isdigit(static_cast<unsigned char>(w[0])) || c_.peek() != ':') {
        c_.go(at);
        return;
      }
      c_.step();
      program_.labels.push_back({std::string(w), program_.instructions.size(), line_, column(at)});
    }
  }

  void instruction() {
    if (c_.peek() == '(') predicate_text_ = c_.at(), skip_parentheses();
    mnemonic_text();
    find_options();
    exec_size();
    i_.access_mode = implied_access_mode(*row_, i_);
    options();
    if (predicate_text_) predicate();
    condition();
    parse_operands(m_, *row_, c_, line_start_, p_);
    settle_return_address(*m_.encoding->layout, row_->format, i_);
  }

  void skip_parentheses() {
    c_.step();
    while (!c_.done() && c_.here() != ')') c_.step();
    c_.expect(')', "closing the predicate");
  }

  void mnemonic_text() {
    c_.peek();
    const size_t at = c_.at();
    const std::string_view w = c_.take_word();
    for (const OpcodeRow* r : m_.by_op)
      if (r && r->mnemonic == w) row_ = r;
    if (!row_) {
      c_.go(at);
      const bool elsewhere = std::any_of(opcode_table().begin(), opcode_table().end(),
                                         [&](const OpcodeRow& r) { return r.mnemonic == w; });
      c_.expected(elsewhere ? fmt::format("an instruction of {}", m_.name) : "an instruction");
    }
    i_.op = row_->op;
    if (row_->format == Format::math) {
      if (!c_.take_here('.')) c_.expected("'.' and a math function, as in math.inv");
      const size_t f = c_.at();
      const std::string_view name = c_.take_word();
      for (size_t k = 0; k < math_table.size(); ++k)
        if (!name.empty() && math_table[k].name == name && math_table[k].generations.contains(m_.generation))
          i_.math = MathFunction(k);
      if (i_.math == MathFunction::reserved0) {
        c_.go(f);
        c_.expected("a math function (inv log exp sqt rsqt sin cos fdiv pow idiv iqot irem invm rsqtm)");
      }
    } else if (c_.here() == '.') {
      const size_t f = c_.at();
      c_.step();
      const std::string_view name = c_.take_word();
      if (name == "b" && row_->has(attr_branchctrl)) {
        i_.branch_ctrl = true;
      } else {
        std::string hint = "the execution size";
        if (name == "sat") hint = "(sat) before the destination";
        if (std::find(cond_names.begin(), cond_names.end(), name) != cond_names.end() || name == "z" || name == "nz")
          hint = "the condition after the execution size, as in (8|M0) (eq)f0.0";
        c_.fail_at(f, name.size() + 1, fmt::format("found '.{}', expected {}", name, hint));
      }
    }
  }

  void exec_size() {
    const bool none = row_->format == Format::nullary;
    // (8|M0) against (eq)f0.0 or (sat)r1: a number follows the parenthesis
    size_t save = c_.at();
    if (c_.take('(')) {
      c_.peek();
      if (!std::isdigit(static_cast<unsigned char>(c_.here())) || (row_->has(attr_scalar) && !at_lone_size())) {
        c_.go(save);
      } else {
        const size_t at = c_.at();
        const uint32_t n = c_.number("an execution size", 64);
        if (!std::has_single_bit(n) || n > 32)
          c_.fail_at(at, c_.at() - at, fmt::format("found {}, expected an execution size of 1, 2, 4, 8, 16 or 32", n));
        i_.exec_size = uint8_t(n);
        if (c_.take('|')) {
          c_.peek();
          if (!c_.take_here('M')) c_.expected("the channel offset M0, M4, ... M28");
          const size_t m = c_.at();
          const uint32_t offset = c_.number("a channel offset", 32);
          if (offset % 8 && !(offset % 4 == 0 && m_.has_nib_ctrl))
            c_.fail_at(m, c_.at() - m,
                       fmt::format("found M{}, expected a multiple of {}", offset, m_.has_nib_ctrl ? 4 : 8));
          i_.qtr_ctrl = uint8_t(offset / 8);
          i_.nib_ctrl = offset % 8 != 0;
        }
        c_.expect(')', "after the execution size");
        if (none) i_.exec_size = 1, i_.qtr_ctrl = 0, i_.nib_ctrl = false;  // nop (16): sizes mean nothing to it
        return;
      }
    }
    if (!none && !row_->has(attr_scalar)) c_.expected("the execution size, as in (8|M0)");
  }

  // jmpi (16*2) has a target in parentheses, jmpi (1|M0) a size.
  bool at_lone_size() {
    Cursor ahead = c_;
    while (std::isdigit(static_cast<unsigned char>(ahead.here()))) ahead.step();
    return ahead.peek() == '|' || ahead.here() == ')';
  }

  // Options stand last but decide how operands are read, so they are found first.
  void find_options() {
    const size_t open = text_.substr(0, end_).find('{', c_.at());
    if (open == std::string_view::npos) return;
    options_at_ = open;
  }

  void options() {
    if (!options_at_) return;
    const size_t resume = c_.at();
    Cursor o(text_, *options_at_ + 1, end_);
    while (o.peek() != '}') {
      if (o.take(',')) continue;
      o.peek();
      const size_t at = o.at();
      const std::string_view w = o.take_word();
      if (!option(o, w)) {
        o.go(at);
        o.expected(
            "an instruction option (AccWrEn Align1 Align16 Atomic Breakpoint Compacted EOT Ignored NoCompact NoDDChk "
            "NoDDClr NoMask NoSrcDepSet Saturate Switch)");
      }
    }
    o.step();
    if (!o.done()) o.expected("the end of the instruction");
    c_ = Cursor(text_, resume, *options_at_);
  }

  bool option(Cursor& o, std::string_view w) {
    for (const OptionName& n : option_names)
      if (w == n.name) {
        if (n.flag)
          i_.*n.flag = true;
        else
          i_.thread_ctrl = n.thread;
        return true;
      }
    if (w == "Align1") return i_.access_mode = AccessMode::align1, true;
    if (w == "Align16") return i_.access_mode = AccessMode::align16, true;
    if (w == "NoMask") return i_.no_mask = true;
    if (w == "AccWrCtrl") return i_.acc_wr_ctrl = true;
    if (w == "Saturate") return i_.saturate = true;
    if (w == "NoCompact") return p_.no_compact = true;
    if (w == "SecHalf") return i_.qtr_ctrl = i_.exec_size == 16 ? 2 : 1, true;
    if (w == "Ignored") return ignored(o), true;
    // 1Q..4Q, 1H 2H, 1N..8N and their older spellings Q1, H2
    if (w.size() == 2) {
      const bool digit_first = std::isdigit(static_cast<unsigned char>(w[0]));
      const char unit = digit_first ? w[1] : w[0], number = digit_first ? w[0] : w[1];
      const int n = number - '1';
      if (unit == 'Q' && n >= 0 && n < 4) return i_.qtr_ctrl = uint8_t(n), true;
      if (unit == 'H' && n >= 0 && n < 2) return i_.qtr_ctrl = uint8_t(2 * n), true;
      if (unit == 'N' && n >= 0 && n < 8 && m_.has_nib_ctrl)
        return i_.qtr_ctrl = uint8_t(n / 2), i_.nib_ctrl = n % 2, true;
    }
    return false;
  }

  // Ignored=0x...: up to 32 hexadecimal digits, the difference from the canonical bits.
  void ignored(Cursor& o) {
    o.expect('=', "and the ignored bits");
    o.peek();
    const std::string_view w = o.word();
    const bool hex = w.size() > 2 && w.size() <= 34 && w.substr(0, 2) == "0x" &&
                     w.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
    if (!hex) o.expected("up to 32 hexadecimal digits after 0x");
    for (char ch : w.substr(2)) {
      const uint64_t d = uint64_t(ch <= '9' ? ch - '0' : (ch | 32) - 'a' + 10);
      i_.ignored = {i_.ignored.lo << 4 | d, i_.ignored.hi << 4 | i_.ignored.lo >> 60};
    }
    o.step(w.size());
  }

  void predicate() {
    const size_t resume = c_.at();
    Cursor after = c_;
    c_.go(*predicate_text_ + 1);
    bool mask_only = false;
    c_.peek();
    if (c_.word() == "W") {
      c_.take_word();
      i_.no_mask = true;
      mask_only = !c_.take('&');
    }
    if (!mask_only) {
      if (c_.take('~')) i_.pred_inv = true;
      parse_flag(c_, m_, i_);
      i_.pred_ctrl = PredCtrl::sequential;
      if (c_.take_here('.')) {
        const size_t at = c_.at();
        const std::string_view w = c_.take_word();
        const bool align16 = i_.access_mode == AccessMode::align16;
        bool known = false;
        for (size_t k = 2; k < (align16 ? pred_names_align16.size() : pred_names_align1.size()); ++k)
          if (w == (align16 ? pred_names_align16[k] : pred_names_align1[k])) i_.pred_ctrl = PredCtrl(k), known = true;
        if (!known) {
          c_.go(at);
          c_.expected(align16 ? "a predicate mode (x y z w any4h all4h)"
                              : "a predicate mode (anyv allv any2h all2h ... any32h all32h)");
        }
      }
    }
    c_.expect(')', "closing the predicate");
    c_ = after;
    c_.go(resume);
  }

  void condition() {
    const size_t save = c_.at();
    if (!c_.take('(')) return;
    const std::string_view w = c_.take_word();
    CondModifier cond = CondModifier::none;
    for (size_t k = 1; k < cond_names.size(); ++k)
      if (!cond_names[k].empty() && w == cond_names[k]) cond = CondModifier(k);
    static constexpr std::pair<std::string_view, CondModifier> also[] = {
        {"z", CondModifier::z}, {"e", CondModifier::z}, {"nz", CondModifier::nz}, {"g", CondModifier::g},
        {"l", CondModifier::l}, {"o", CondModifier::o}, {"u", CondModifier::u}};
    for (const auto& [name, value] : also)
      if (w == name) cond = value;
    const bool early_out =
        row_->format == Format::math && (w == "eo" || cond != CondModifier::none) && is_math_macro(i_);
    if (cond == CondModifier::none && !early_out) {
      c_.go(save);
      return;
    }
    c_.expect(')', "after the condition");
    Instruction f;
    parse_flag(c_, m_, f);
    if (i_.pred_ctrl != PredCtrl::none && (f.flag_reg != i_.flag_reg || f.flag_subreg != i_.flag_subreg))
      c_.fail_at(save, c_.at() - save, "the condition names another flag than the predicate; an instruction has one");
    i_.flag_reg = f.flag_reg;
    i_.flag_subreg = f.flag_subreg;
    if (!early_out) i_.cond_modifier = cond;
  }

  const Model& m_;
  Cursor c_;
  std::string_view text_;
  size_t end_;
  ParsedProgram& program_;
  int line_;
  size_t line_start_;
  ParsedInstruction p_;
  Instruction& i_ = p_.instruction;
  const OpcodeRow* row_ = nullptr;
  std::optional<size_t> predicate_text_, options_at_;
};

}  // namespace

std::string without_comments(std::string_view text, Diagnostics& diagnostics) {
  std::string s(text);
  int line = 1;
  size_t line_start = 0;
  for (size_t n = 0; n < s.size(); ++n) {
    if (s[n] == '\n') {
      ++line;
      line_start = n + 1;
    } else if (s[n] == '/' && n + 1 < s.size() && s[n + 1] == '/') {
      while (n < s.size() && s[n] != '\n') s[n++] = ' ';
      --n;
    } else if (s[n] == '/' && n + 1 < s.size() && s[n + 1] == '*') {
      const int open_line = line, open_column = int(n - line_start) + 1;
      bool closed = false;
      s[n] = s[n + 1] = ' ';
      for (n += 2; n < s.size(); ++n) {
        if (s[n] == '*' && n + 1 < s.size() && s[n + 1] == '/') {
          s[n] = s[n + 1] = ' ';
          ++n;
          closed = true;
          break;
        }
        if (s[n] == '\n')
          ++line, line_start = n + 1;
        else
          s[n] = ' ';
      }
      if (!closed)
        diagnostics.push_back(
            {Diagnostic::Severity::error, open_line, open_column, 2, "this comment is never closed", {}});
    }
  }
  return s;
}

ParsedProgram parse(const Model& m, std::string_view text) {
  ParsedProgram program;
  const std::string s = without_comments(text, program.diagnostics);
  int line = 1;
  size_t line_start = 0, begin = 0;
  // A statement ends at a line end, or at a semicolon outside a region.
  bool in_region = false;
  for (size_t n = 0; n <= s.size(); ++n) {
    const char ch = n < s.size() ? s[n] : '\n';
    if (ch == '<' && !(n + 1 < s.size() && s[n + 1] == '<') && !(n > 0 && s[n - 1] == '<')) in_region = true;
    if (ch == '>') in_region = false;
    if (ch != '\n' && (ch != ';' || in_region)) continue;
    in_region = false;
    Statement(m, s, begin, std::min(n, s.size()), program, line, line_start).run();
    begin = n + 1;
    if (ch == '\n') {
      ++line;
      line_start = n + 1;
    }
  }
  return program;
}

}  // namespace vitro::isa
