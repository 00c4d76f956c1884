// The parser: statements, controls, and the operands each format takes.
#include "isa/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/cursor.h"
#include "isa/layout.h"
#include "isa/names.h"
#include "isa/operand_text.h"
#include "isa/print.h"

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
    operands();
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

  // --- operands ---

  void set_subreg(OperandText& t, Type type) {
    t.operand.type = type;
    if (!t.subreg) return;
    const uint32_t bytes = t.subreg_in_bytes ? *t.subreg : *t.subreg * uint32_t(size_of(type));
    if (bytes >= 32)
      c_.fail_at(
          t.at, t.length,
          fmt::format("sub-register {} of :{} lies outside the 32 bytes of a register", *t.subreg, info(type).name));
    t.operand.subreg = uint8_t(bytes);
  }
  Type required_type(const OperandText& t, std::string_view what) {
    if (!t.type) c_.fail_at(t.at + t.length, 1, fmt::format("expected ':' and the type of the {}", what));
    if (info(*t.type).is_vector_imm && !t.is_immediate)
      c_.fail_at(t.at, t.length, fmt::format(":{} is a type of immediates only", info(*t.type).name));
    return *t.type;
  }
  uint8_t swizzle_of(const OperandText& t) {
    if (t.channels.empty()) return swizzle_xyzw;
    if (t.channels == "0") c_.fail_at(t.at, t.length, "an empty swizzle selects nothing");
    uint8_t s = 0;
    for (size_t n = 0; n < 4; ++n) {
      const char ch = t.channels[std::min(n, t.channels.size() - 1)];  // .x is .xxxx
      s |= uint8_t(channel_letters.find(ch) << 2 * n);
    }
    return s;
  }
  uint8_t mask_of(const OperandText& t) {
    if (t.channels.empty()) return 0xF;
    uint8_t en = 0;
    for (char ch : t.channels)
      if (ch != '0') en |= uint8_t(1 << channel_letters.find(ch));
    return en;
  }
  void refuse_channels(const OperandText& t) {
    if (!t.channels.empty() || t.mme)
      c_.fail_at(t.at, t.length, "swizzles and write masks need {Align16}, .mme registers a math macro");
  }
  uint8_t stride_in(const RegionText& r, int n, const CodeTable& legal, std::string_view what) {
    if (std::find(legal.begin(), legal.end(), r.n[n]) == legal.end() || r.n[n] == reserved_code)
      c_.fail_at(r.at, r.length, fmt::format("{} is no legal {}", r.n[n], what));
    return r.n[n];
  }

  void destination() {
    if (c_.peek() == '(') {
      const size_t at = c_.at();
      c_.step();
      if (c_.take_word() != "sat") {
        c_.go(at);
        c_.expected("a destination, or (sat) before it");
      }
      c_.expect(')', "after sat");
      i_.saturate = true;
    }
    OperandText t = parse_register_operand(c_, m_, false);
    finish_destination(t, required_type(t, "destination"));
  }

  void finish_destination(OperandText& t, Type type) {
    set_subreg(t, type);
    using enum RegionText::Shape;
    if (t.region.shape != none && t.region.shape != one)
      c_.fail_at(t.region.at, t.region.length, "a destination has only a horizontal stride, as in <1>");
    t.operand.region = {0, 1, 1};
    if (t.region.shape == one) t.operand.region.horz_stride = stride_in(t.region, 0, horz_strides, "horizontal stride");
    if (t.mme && is_math_macro(i_)) {
      t.operand.chan_en = *t.mme;
      t.operand.region.horz_stride = row_->format == Format::ternary ? 1 : 0;
    } else if (i_.access_mode == AccessMode::align16) {
      t.operand.chan_en = mask_of(t);
    } else {
      refuse_channels(t);
    }
    i_.dst = t.operand;
  }

  void source(int n, bool immediate) {
    OperandText t = immediate ? parse_source_operand(c_, m_) : parse_register_operand(c_, m_, true);
    const Type type = required_type(t, "source");
    if (t.is_immediate) {
      i_.src[n] = Operand{};
      i_.src[n].file = RegFile::imm;
      i_.src[n].type = type;
      i_.imm = t.imm;
      return;
    }
    finish_source(t, type, n);
  }

  void finish_source(OperandText& t, Type type, int n) {
    set_subreg(t, type);
    using enum RegionText::Shape;
    Region& r = t.operand.region;
    if (t.mme && is_math_macro(i_)) {
      t.operand.chan_sel = *t.mme;
      r = {macro_vert_stride(type), 1, 0};
    } else if (i_.access_mode == AccessMode::align16) {
      if (t.region.shape != none && t.region.shape != one)
        c_.fail_at(t.region.at, t.region.length, "an Align16 source has only a vertical stride, as in <4>");
      r = {4, 1, 0};
      if (t.region.shape == one) r.vert_stride = stride_in(t.region, 0, vert_strides, "vertical stride");
      t.operand.chan_sel = swizzle_of(t);
    } else {
      refuse_channels(t);
      switch (t.region.shape) {
        // a lone element, or the registers' elements in order
        case none: r = t.subreg || i_.exec_size == 1 ? Region{0, 1, 0} : Region{1, 1, 0}; break;
        case full:
          r.vert_stride = stride_in(t.region, 0, vert_strides, "vertical stride");
          r.width = stride_in(t.region, 1, widths, "width");
          r.horz_stride = stride_in(t.region, 2, horz_strides, "horizontal stride");
          break;
        case indexed:
          r.vert_stride = Region::vxh;
          r.width = stride_in(t.region, 0, widths, "width");
          r.horz_stride = stride_in(t.region, 1, horz_strides, "horizontal stride");
          break;
        default:
          c_.fail_at(t.region.at, t.region.length,
                     "expected a source region <VertStride;Width,HorzStride> or <Width,HorzStride>");
      }
    }
    i_.src[n] = t.operand;
  }

  void ternary_destination() {
    destination();
    if (i_.dst.indirect) c_.fail("a three-source instruction has no indirect operands");
  }

  void ternary_source(int n) {
    OperandText t = parse_register_operand(c_, m_, true);
    const Type type = required_type(t, "source");
    set_subreg(t, type);
    using enum RegionText::Shape;
    const RegionText& r = t.region;
    bool scalar = t.subreg.has_value() && r.shape == none && !t.mme;
    if (r.shape != none) {
      const bool shape_ok = n < 2 ? r.shape == pair : r.shape == one;
      const uint8_t h = n < 2 ? r.n[1] : r.n[0];
      const bool vector = shape_ok && h == 1 && (n == 2 || r.n[0] == 2 || r.n[0] == 4);
      scalar = shape_ok && h == 0 && (n == 2 || r.n[0] == 0);
      if (!vector && !scalar)
        c_.fail_at(r.at, r.length,
                   n < 2 ? "expected <2;1> for a vector or <0;0> for a scalar"
                         : "expected <1> for a vector or <0> for a scalar");
    }
    Operand& o = t.operand;
    if (o.indirect || o.file != RegFile::grf)
      c_.fail_at(t.at, t.length, "a three-source instruction reads only registers r0 to r127, directly");
    o.region = {};
    if (t.mme && is_math_macro(i_)) {
      o.chan_sel = *t.mme;
    } else if (t.mme) {
      c_.fail_at(t.at, t.length, ".mme registers belong to math macros");
    } else if (scalar && size_of(type) == 8 && t.channels.empty()) {
      o.chan_sel = swizzle_xyxy;
    } else {
      o.replicate = scalar;
      o.chan_sel = swizzle_of(t);
    }
    i_.src[n] = o;
  }

  void target() {
    TargetText t;
    c_.peek();
    t.column = column(c_.at());
    const char ch = c_.here();
    if (std::isalpha(static_cast<unsigned char>(ch)) || ch == '_') {
      t.label = std::string(c_.take_word());
    } else if (ch == '\0') {
      c_.expected("a label");
    } else {
      t.number = c_.term();
    }
    p_.targets.push_back(std::move(t));
  }

  // A register with its modifiers, against a label, a number that may be negative, and an expression in parentheses.
  bool at_register_target() {
    c_.peek();
    const size_t save = c_.at();
    c_.take('-');
    bool found = at_register(c_, m_);
    if (!found && c_.take('(')) found = c_.take_word() == "abs";
    c_.go(save);
    return found;
  }

  void register_target() {
    OperandText t = parse_register_operand(c_, m_, true);
    const bool plain = t.region.shape == RegionText::Shape::none && i_.access_mode == AccessMode::align1;
    finish_source(t, t.type.value_or(Type::d), 0);
    if (plain) i_.src[0].region = implied_target_region(row_->format);
  }

  void target_or_register(int targets) {
    if (!at_register_target()) {
      i_.src[0].file = RegFile::imm;
      i_.src[0].type = Type::d;
      for (int n = 0; n < targets; ++n) target();
      return;
    }
    register_target();
    if (targets == 2 && at_register(c_, m_)) {  // brc r3.0 null
      const OperandText second = parse_register_operand(c_, m_, false);
      if (second.operand.file != RegFile::arf || second.operand.reg != 0)
        c_.fail_at(second.at, second.length, "both targets are in the first register; expected null or nothing");
    }
  }

  void payload(int n, bool typed) {
    OperandText t = parse_register_operand(c_, m_, false);
    if (!t.channels.empty() || t.mme || t.region.shape != RegionText::Shape::none)
      c_.fail_at(t.at, t.length, "a payload is whole registers: no region, no swizzle");
    if (!typed && t.type && *t.type != Type::ud) c_.fail_at(t.at, t.length, "this payload has no type");
    set_subreg(t, t.type.value_or(Type::ud));
    i_.src[n] = t.operand;
    i_.src[n].region = {};
  }

  Descriptor descriptor(std::string_view what) {
    Descriptor d;
    c_.peek();
    if (c_.word() == "a0") {
      c_.take_word();
      d.in_register = true;
      if (c_.take_here('.')) d.subreg = uint8_t(c_.number("an address sub-register", m_.address_subregs));
      return d;
    }
    const size_t at = c_.at();
    const int64_t v = c_.expression();
    if (v < 0 || v > int64_t(0xFFFFFFFF))
      c_.fail_at(at, c_.at() - at, fmt::format("the {} does not fit 32 bits", what));
    d.imm = uint32_t(v);
    return d;
  }

  void send() {
    const bool split = row_->format == Format::split_send;
    if (c_.peek() == '(') {
      c_.step();
      if (c_.take_word() != "sat") c_.expected("a destination");
      c_.expect(')', "after sat");
      i_.saturate = true;
    }
    OperandText t = parse_register_operand(c_, m_, false);
    finish_destination(t, t.type.value_or(Type::ud));
    if (split) i_.dst.chan_en = 0;
    payload(0, !split);
    if (split) {
      if (i_.src[0].file != RegFile::grf) c_.fail("the first payload of a split send is in r registers");
      payload(1, false);
    }
    c_.peek();
    const size_t at = c_.at();
    i_.ex_desc = descriptor("extended descriptor");
    if (i_.ex_desc.in_register) {
      if (!split) c_.fail_at(at, c_.at() - at, "only a split send takes its extended descriptor from a register");
    } else {
      i_.sfid = i_.ex_desc.imm & 15;
      if (i_.ex_desc.imm & 0x20) i_.eot = true;
      if (i_.ex_desc.imm & 0x10) c_.fail_at(at, c_.at() - at, "bit 4 of the extended descriptor is reserved");
      i_.ex_desc.imm &= ~uint32_t{0x3F};
    }
    c_.peek();
    const size_t d = c_.at();
    i_.desc = descriptor("descriptor");
    if (i_.desc.in_register && i_.desc.subreg != 0) c_.fail_at(d, c_.at() - d, "a descriptor in a register is in a0.0");
  }

  void operands() {
    switch (row_->format) {
      case Format::nullary: return;
      case Format::unary:
        destination();
        source(0, true);
        return;
      case Format::binary:
        destination();
        source(0, false);
        source(1, true);
        return;
      case Format::math:
        destination();
        source(0, info(i_.math).sources == 1);
        if (info(i_.math).sources == 2) source(1, true);
        return;
      case Format::ternary:
        ternary_destination();
        for (int n = 0; n < 3; ++n) ternary_source(n);
        return;
      case Format::send:
      case Format::split_send: send(); return;
      case Format::wait: source(0, false); return;
      case Format::branch: target(); return;
      case Format::branch_uip:
        target();
        target();
        return;
      case Format::branch_compare:
        if (i_.cond_modifier != CondModifier::none) {
          source(0, false);
          source(1, true);
        }
        target();
        return;
      case Format::branch_reg:
      case Format::jump: target_or_register(1); return;
      case Format::branch_reg_uip: target_or_register(2); return;
      case Format::call:
      case Format::call_absolute: {
        OperandText t = parse_register_operand(c_, m_, false);
        finish_destination(t, t.type.value_or(Type::d));
        target_or_register(1);
        return;
      }
      case Format::ret: register_target(); return;
      case Format::fork:
        source(0, false);
        target();
        return;
    }
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
