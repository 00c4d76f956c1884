// The operands each format takes, with their regions, swizzles, write masks and types.
// PRM: Gen6 vol 4 part 2 section 7.3; docs/assembly.md is the reference of the language.
#include "isa/parse_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/layout.h"
#include "isa/names.h"
#include "isa/operand_text.h"

namespace vitro::isa {
namespace {

class OperandReader {
 public:
  OperandReader(const Model& m, const OpcodeRow& row, Cursor& c, size_t line_start, ParsedInstruction& p)
      : m_(m), row_(row), c_(c), line_start_(line_start), p_(p) {}

  void run() {
    switch (row_.format) {
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

 private:
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
      t.operand.region.horz_stride = row_.format == Format::ternary ? 1 : 0;
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
    t.column = int(c_.at() - line_start_) + 1;
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
    if (plain) i_.src[0].region = implied_target_region(row_.format);
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
      if (c_.peek() != '|') return d;
      c_.step();  // bits of the instruction beside it
      c_.peek();
    }
    const size_t at = c_.at();
    const int64_t v = c_.expression();
    if (v < 0 || v > int64_t(0xFFFFFFFF))
      c_.fail_at(at, c_.at() - at, fmt::format("the {} does not fit 32 bits", what));
    d.imm = uint32_t(v);
    return d;
  }

  void send() {
    const bool split = row_.format == Format::split_send;
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
      if (i_.ex_desc.imm) c_.fail_at(at, c_.at() - at, "an extended descriptor in a register has nothing beside it");
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

  const Model& m_;
  const OpcodeRow& row_;
  Cursor& c_;
  size_t line_start_;
  ParsedInstruction& p_;
  Instruction& i_ = p_.instruction;
};

}  // namespace

void parse_operands(const Model& m, const OpcodeRow& row, Cursor& c, size_t line_start, ParsedInstruction& p) {
  OperandReader(m, row, c, line_start, p).run();
}

}  // namespace vitro::isa
