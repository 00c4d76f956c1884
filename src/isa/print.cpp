// The printer. One pass over the operands of the row's format, appending to one string.
#include "isa/print.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/half.h"
#include "isa/names.h"

namespace vitro::isa {
namespace {

void decimal(std::string& out, int64_t v) {
  char b[24];
  out.append(b, std::to_chars(b, b + sizeof b, v).ptr);
}
void hex(std::string& out, uint64_t v, int digits = 0) {
  char b[24];
  char* end = std::to_chars(b, b + sizeof b, v, 16).ptr;
  out += "0x";
  for (int n = int(end - b); n < digits; ++n) out += '0';
  for (char* p = b; p != end; ++p) out += *p >= 'a' ? char(*p - 32) : *p;
}

// A decimal number that names the same value when it is read as a double and then narrowed, as iga64 reads it.
template <class F, class Same>
bool decimal_float(std::string& out, F v, Same same) {
  char b[40];
  char* end = fmt::format_to(b, "{}", v);
  *end = 0;
  if (!same(std::strtod(b, nullptr))) return false;
  const std::string_view text(b, size_t(end - b));
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
  return true;
}

void special_float(std::string& out, bool negative, uint64_t mantissa, int mantissa_bits) {
  if (negative) out += '-';
  if (mantissa == 0) {
    out += "inf";
    return;
  }
  const uint64_t quiet = uint64_t{1} << (mantissa_bits - 1);
  out += mantissa & quiet ? "qnan(" : "snan(";
  hex(out, mantissa & ~quiet);
  out += ')';
}

class Printer {
 public:
  Printer(std::string& out, const Model& m, const Instruction& i, int64_t offset, const PrintOptions& o,
          const LabelNames& l)
      : out_(out), m_(m), i_(i), row_(*m.row(i.op)), offset_(offset), opts_(o), labels_(l), start_(out.size()) {}

  void run() {
    predicate();
    column(9);
    opcode();
    column(31);
    if (condition()) column(41);
    operands();
    options();
    comment();
  }

 private:
  // To the column, or one blank further when the text is already there.
  void column(size_t at) {
    if (out_.size() > start_ && out_.back() != ' ') out_ += ' ';
    if (opts_.columns && out_.size() - start_ < at) out_.append(at - (out_.size() - start_), ' ');
  }
  void next_operand(size_t width) {
    operand_at_ += width;
    column(operand_at_);
  }

  void flag() {
    out_ += 'f';
    decimal(out_, i_.flag_reg);
    out_ += '.';
    decimal(out_, i_.flag_subreg);
  }

  void predicate() {
    const bool predicated = i_.pred_ctrl != PredCtrl::none;
    if (!i_.no_mask && !predicated) return;
    out_ += '(';
    if (i_.no_mask) out_ += predicated ? "W&" : "W";
    if (predicated) {
      if (i_.pred_inv) out_ += '~';
      flag();
      const auto code = size_t(i_.pred_ctrl);
      const std::string_view mode =
          i_.access_mode == AccessMode::align16 ? pred_names_align16[code] : pred_names_align1[code];
      if (!mode.empty()) out_.append(".").append(mode);
    }
    out_ += ')';
  }

  void opcode() {
    out_ += row_.mnemonic;
    if (row_.format == Format::math) out_.append(".").append(info(i_.math).name);
    if (i_.branch_ctrl) out_ += ".b";
    if (row_.format == Format::nullary) return;
    if (row_.has(attr_scalar) && i_.exec_size == 1 && channel_offset(i_) == 0) return;
    out_ += " (";
    decimal(out_, i_.exec_size);
    out_ += "|M";
    decimal(out_, channel_offset(i_));
    out_ += ')';
  }

  bool condition() {
    if (is_math_macro(i_) && row_.format == Format::math) {
      out_ += "(eo)";
    } else if (i_.cond_modifier != CondModifier::none) {
      out_.append("(").append(cond_names[size_t(i_.cond_modifier)]).append(")");
    } else {
      return false;
    }
    flag();
    return true;
  }

  void type(Type t) { out_.append(":").append(info(t).name); }

  void register_name(RegFile file, uint8_t reg, uint8_t subreg, Type t, bool print_subreg) {
    bool has_subregs = print_subreg;
    if (file == RegFile::arf) {
      const ArfRow* arf = find_arf(m_.arfs, reg);
      out_ += arf->name;
      if (arf->numbered) decimal(out_, (reg & 15) - arf->first);
      has_subregs = has_subregs && arf->has_subregs;
    } else {
      out_ += file == RegFile::mrf ? 'm' : 'r';
      decimal(out_, reg);
    }
    if (!has_subregs && subreg == 0) return;
    out_ += '.';
    const int size = size_of(t);
    decimal(out_, subreg % size ? subreg : subreg / size);
    if (subreg % size) out_ += 'b';  // between elements: in bytes
  }

  void indirect(const Operand& o) {
    out_ += o.file == RegFile::mrf ? "m[a0." : "r[a0.";
    decimal(out_, o.addr_subreg);
    if (o.addr_imm) {
      out_ += ',';
      decimal(out_, o.addr_imm);
    }
    out_ += ']';
  }

  void where(const Operand& o, bool print_subreg = true) {
    if (o.indirect)
      indirect(o);
    else
      register_name(o.file, o.reg, o.subreg, o.type, print_subreg);
  }

  void horz_stride(int n) {
    out_ += '<';
    decimal(out_, n);
    out_ += '>';
  }
  void region(const Region& r) {
    out_ += '<';
    if (r.vert_stride != Region::vxh) {
      decimal(out_, r.vert_stride);
      out_ += ';';
    }
    decimal(out_, r.width);
    out_ += ',';
    decimal(out_, r.horz_stride);
    out_ += '>';
  }
  void swizzle(uint8_t sel) {
    out_ += '.';
    for (int n = 0; n < 4; ++n) out_ += channel_letters[sel >> 2 * n & 3];
  }
  void write_mask(uint8_t en) {
    out_ += '.';
    for (int n = 0; n < 4; ++n)
      if (en >> n & 1) out_ += channel_letters[n];
    if (en == 0) out_ += '0';
  }
  void mme(uint8_t n) {
    if (n == no_mme) {
      out_ += ".nomme";
    } else {
      out_ += ".mme";
      decimal(out_, n);
    }
  }

  // A macro operand in its usual form: a whole register and an mme register.
  bool is_mme_operand(const Operand& o, bool destination) const {
    if (!is_math_macro(i_) || o.indirect || o.subreg || o.replicate || i_.access_mode != AccessMode::align16)
      return false;
    if (destination) return o.chan_en <= no_mme && (row_.format == Format::ternary || o.region.horz_stride == 0);
    return o.chan_sel <= no_mme &&
           (row_.format == Format::ternary || o.region.vert_stride == macro_vert_stride(o.type));
  }

  void destination() {
    const Operand& d = i_.dst;
    if (i_.saturate) out_ += "(sat)";
    if (is_mme_operand(d, true)) {
      where(d, false);
      mme(d.chan_en);
    } else {
      where(d);
      horz_stride(d.region.horz_stride);
      if (i_.access_mode == AccessMode::align16 && (row_.format != Format::ternary || d.chan_en != 0xF))
        write_mask(d.chan_en);
    }
    type(d.type);
  }

  // Destinations that are written without their stride when it is 1. Before a write mask it always stands, or the
  // empty mask .0 would read as a sub-register.
  void optional_stride(bool has_mask) {
    if (has_mask || i_.dst.region.horz_stride != 1) horz_stride(i_.dst.region.horz_stride);
    if (has_mask) write_mask(i_.dst.chan_en);
  }

  void modifiers(const Operand& s) {
    if (s.negate) out_ += m_.logic_negate_is_not && row_.has(attr_logic) && !s.abs ? '~' : '-';
    if (s.abs) out_ += "(abs)";
  }

  void source(int n) {
    const Operand& s = i_.src[n];
    if (s.file == RegFile::imm) {
      immediate(s.type);
      return;
    }
    modifiers(s);
    if (is_mme_operand(s, false)) {
      where(s, false);
      mme(s.chan_sel);
    } else {
      where(s);
      if (i_.access_mode == AccessMode::align16) {
        horz_stride(s.region.vert_stride);
        swizzle(s.chan_sel);
      } else {
        region(s.region);
      }
    }
    type(s.type);
  }

  // Three-source operands: <2;1> and <1> step through channels, <0;0> and <0> repeat the first.
  void ternary_source(int n) {
    const Operand& s = i_.src[n];
    modifiers(s);
    if (is_mme_operand(s, false)) {
      where(s, false);
      mme(s.chan_sel);
    } else {
      where(s);
      const bool wide_scalar = size_of(s.type) == 8 && !s.replicate && s.chan_sel == swizzle_xyxy;
      const bool scalar = s.replicate || wide_scalar;
      out_ += n < 2 ? (scalar ? "<0;0>" : "<2;1>") : (scalar ? "<0>" : "<1>");
      // said also where it is the usual one if leaving it out would mean something else: a wide scalar, an mme register
      const bool ambiguous = is_math_macro(i_) || (size_of(s.type) == 8 && s.replicate);
      if (!wide_scalar && (s.chan_sel != swizzle_xyzw || ambiguous)) swizzle(s.chan_sel);
    }
    type(s.type);
  }

  void immediate(Type t) {
    const uint64_t v = i_.imm;
    switch (t) {
      case Type::w: decimal(out_, int16_t(v)); break;
      case Type::d: decimal(out_, int32_t(v)); break;
      case Type::q: decimal(out_, int64_t(v)); break;
      case Type::hf: print_half(out_, uint16_t(v)); break;
      case Type::f: print_float(out_, std::bit_cast<float>(uint32_t(v))); break;
      case Type::df: print_double(out_, std::bit_cast<double>(v)); break;
      default: hex(out_, v); break;
    }
    type(t);
  }

  void target(int64_t at) {
    if (labels_.write && labels_.write(labels_.context, at, out_)) return;
    decimal(out_, at - (row_.format == Format::call_absolute ? 0 : offset_));
  }

  void register_target() {
    const Operand& s = i_.src[0];
    modifiers(s);
    where(s);
    if (i_.access_mode == AccessMode::align16) {
      horz_stride(s.region.vert_stride);
      swizzle(s.chan_sel);
    } else if (s.region != implied_target_region(row_.format)) {
      region(s.region);
    }
    if (s.type != Type::d) type(s.type);
  }

  void send_operand(const Operand& o, Type implied) {
    where(o, false);
    if (o.type != implied) type(o.type);
  }

  void descriptor(const Descriptor& d, uint32_t low, int digits) {
    if (d.in_register) {
      out_ += "a0.";
      decimal(out_, d.subreg);
      if (d.imm == 0) return;
      out_ += '|';
      hex(out_, d.imm, digits);
    } else {
      hex(out_, d.imm | low, digits);
    }
  }

  void operands() {
    const Targets t = branch_targets(m_, i_, offset_);
    operand_at_ = out_.size() - start_;
    if (opts_.columns && operand_at_ < 41 && row_.format != Format::nullary) column(operand_at_ = 41);
    switch (row_.format) {
      case Format::nullary: return;
      case Format::unary:
      case Format::binary:
      case Format::math:
        destination();
        next_operand(18);
        source(0);
        if (row_.format == Format::binary || (row_.format == Format::math && info(i_.math).sources == 2)) {
          next_operand(22);
          source(1);
        }
        return;
      case Format::ternary:
        destination();
        for (int n = 0; n < 3; ++n) {
          next_operand(n ? 22 : 18);
          ternary_source(n);
        }
        return;
      case Format::send:
      case Format::split_send: send(); return;
      case Format::wait: source(0); return;
      case Format::branch:
      case Format::branch_uip:
        for (int n = 0; n < t.count; ++n) {
          if (n) next_operand(18);
          target(t.at[n]);
        }
        return;
      case Format::branch_compare:
        if (i_.cond_modifier != CondModifier::none) {
          source(0);
          next_operand(18);
          source(1);
          next_operand(22);
        }
        target(t.at[0]);
        return;
      case Format::branch_reg:
      case Format::branch_reg_uip:
      case Format::jump:
        if (t.count == 0) register_target();
        for (int n = 0; n < t.count; ++n) {
          if (n) next_operand(18);
          target(t.at[n]);
        }
        return;
      case Format::call:
      case Format::call_absolute:
        where(i_.dst);
        optional_stride(i_.access_mode == AccessMode::align16);
        if (i_.dst.type != Type::d) type(i_.dst.type);
        next_operand(18);
        if (t.count)
          target(t.at[0]);
        else
          register_target();
        return;
      case Format::ret: register_target(); return;
      case Format::fork:
        source(0);
        next_operand(18);
        target(t.at[0]);
        return;
    }
  }

  void send() {
    const bool split = row_.format == Format::split_send;
    if (i_.saturate) out_ += "(sat)";
    where(i_.dst, false);
    optional_stride(i_.access_mode == AccessMode::align16 && !split);
    if (split || i_.dst.type != Type::ud) type(i_.dst.type);
    next_operand(10);
    send_operand(i_.src[0], Type::ud);
    if (split) {
      next_operand(8);
      where(i_.src[1], false);
    }
    next_operand(8);
    descriptor(i_.ex_desc, uint32_t(i_.sfid) | (i_.eot ? 0x20u : 0u), 0);
    next_operand(8);
    descriptor(i_.desc, 0, 8);
  }

  void options() {
    bool any = false;
    auto option = [&](std::string_view name) {
      out_ += any ? "," : " {";
      any = true;
      out_ += name;
    };
    if (row_.format != Format::nullary && i_.access_mode != implied_access_mode(row_, i_))
      option(i_.access_mode == AccessMode::align16 ? "Align16" : "Align1");
    for (const OptionName& o : option_names)
      if (o.flag == &Instruction::compacted && !opts_.compacted)
        continue;
      else if (o.flag ? i_.*o.flag : i_.thread_ctrl != ThreadCtrl::normal && i_.thread_ctrl == o.thread)
        option(o.name);
    if (i_.saturate && !prints_saturate()) option("Saturate");
    if (i_.ignored && !opts_.iga) {
      option("Ignored=");
      if (i_.ignored.hi) {
        hex(out_, i_.ignored.hi);
        fmt::format_to(std::back_inserter(out_), "{:016X}", i_.ignored.lo);
      } else {
        hex(out_, i_.ignored.lo);
      }
    }
    if (any) out_ += '}';
  }
  // Formats whose destination is written in text carry (sat) there.
  bool prints_saturate() const {
    switch (row_.format) {
      case Format::unary:
      case Format::binary:
      case Format::ternary:
      case Format::math:
      case Format::send:
      case Format::split_send: return true;
      default: return false;
    }
  }

  void comment() {
    if (!opts_.messages || (row_.format != Format::send && row_.format != Format::split_send)) return;
    out_ += "  // ";
    if (i_.desc.in_register || i_.ex_desc.in_register)
      out_ += message_comment_indirect(*m_.messages, i_.sfid);
    else
      out_ += message_comment(*m_.messages, i_.sfid, i_.ex_desc.imm | i_.sfid | (i_.eot ? 0x20u : 0u), i_.desc.imm);
  }

  std::string& out_;
  const Model& m_;
  const Instruction& i_;
  const OpcodeRow& row_;
  int64_t offset_;
  const PrintOptions& opts_;
  const LabelNames& labels_;
  size_t start_, operand_at_ = 0;
};

}  // namespace

void print_float(std::string& out, float v) {
  const uint32_t bits = std::bit_cast<uint32_t>(v);
  if (!std::isfinite(v))
    special_float(out, std::signbit(v), bits & ones(23), 23);
  else if (!decimal_float(out, v, [&](double d) { return std::bit_cast<uint32_t>(float(d)) == bits; }))
    hex(out, bits, 8);
}
void print_double(std::string& out, double v) {
  const uint64_t bits = std::bit_cast<uint64_t>(v);
  if (!std::isfinite(v))
    special_float(out, std::signbit(v), bits & ones(52), 52);
  else if (!decimal_float(out, v, [&](double d) { return std::bit_cast<uint64_t>(d) == bits; }))
    hex(out, bits, 16);
}
void print_half(std::string& out, uint16_t bits) {
  const float v = half_to_float(bits);
  if (!std::isfinite(v))
    special_float(out, bits >> 15, bits & ones(10), 10);
  else if (!decimal_float(out, v, [&](double d) { return double_to_half(d) == bits; }))
    hex(out, bits, 4);
}

Targets branch_targets(const Model& m, const Instruction& i, int64_t offset) {
  const OpcodeRow* row = m.row(i.op);
  const int64_t size = i.compacted ? 8 : 16;
  Targets t;
  switch (row ? row->format : Format::nullary) {
    case Format::branch_uip: t = {2, {offset + i.jip, offset + i.uip}}; break;
    case Format::branch_reg_uip:
      if (i.src[0].file == RegFile::imm) t = {2, {offset + i.jip, offset + i.uip}};
      break;
    case Format::branch:
    case Format::branch_compare:
    case Format::fork: t = {1, {offset + i.jip}}; break;
    case Format::branch_reg:
    case Format::call:
      if (i.src[0].file == RegFile::imm) t = {1, {offset + i.jip}};
      break;
    case Format::jump:
      if (i.src[0].file == RegFile::imm) t = {1, {offset + size + i.jip}};
      break;
    case Format::call_absolute:
      if (i.src[0].file == RegFile::imm) t = {1, {i.jip}};
      break;
    default: break;
  }
  return t;
}

void print(std::string& out, const Model& m, const Instruction& i, int64_t offset, const PrintOptions& o,
           const LabelNames& l) {
  Printer(out, m, i, offset, o, l).run();
}

std::string to_text(const Model& m, const Instruction& i, const PrintOptions& o) {
  std::string s;
  print(s, m, i, 0, o);
  return s;
}

}  // namespace vitro::isa
