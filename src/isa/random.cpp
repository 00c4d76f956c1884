// The generator: one function per operand kind, and one case per format that says which of them the instruction has.
// It fills the struct directly and asks the layout only for widths, so that a field the encoding walk forgets shows as
// a difference after the round trip.
#include "isa/random.h"

#include <algorithm>
#include <bit>

#include "isa/layout.h"
#include "isa/names.h"

namespace vitro::isa {
namespace {

TypeSet values_of(const CodeTable& t) {
  TypeSet s;
  for (uint8_t v : t)
    if (v != reserved_code) s = s | types(Type(v));
  return s;
}
bool integer_function(MathFunction f) {
  return f == MathFunction::idiv || f == MathFunction::iqot || f == MathFunction::irem;
}
bool has_immediate_target(const Instruction& i) { return i.src[0].file == RegFile::imm; }

class Generator {
 public:
  Generator(const Model& m, const OpcodeRow& row, Rng& rng)
      : m_(m), l_(*m.encoding->layout), row_(row), rng_(rng), immediates_(values_of(l_.immediate_types)) {}

  Instruction run() {
    i_.op = row_.op;
    i_.debug_ctrl = rng_.one_in(16);
    if (row_.format == Format::math) choose_function();
    if (row_.format != Format::nullary) {
      choose_types();
      controls();
    }
    operands();
    settle_return_address(l_, row_.format, i_);
    return i_;
  }

 private:
  Type pick(TypeSet s) {
    uint16_t bits = s.bits;
    for (uint32_t n = rng_.below(uint32_t(std::popcount(bits))); n > 0; --n) bits &= uint16_t(bits - 1);
    return Type(std::countr_zero(bits));
  }
  uint8_t pick(const CodeTable& t) {
    for (;;)
      if (const uint8_t v = rng_.pick(t); v != reserved_code && v != Region::vxh) return v;
  }

  void choose_function() {
    for (;;) {
      i_.math = MathFunction(rng_.below(uint32_t(math_table.size())));
      if (info(i_.math).generations.contains(m_.generation)) return;
    }
  }

  // A rule of the row that has types on this generation; a row without rules takes every type.
  void choose_types() {
    dst_types_ = src_types_ = m_.types;
    if (row_.types.empty()) return;
    const TypeSet sources = row_.format == Format::ternary ? m_.types : m_.types | immediates_;
    TypeSet legal = m_.types;
    if (row_.format == Format::ternary) legal = legal & values_of(l_.ternary_types);
    for (;;) {
      const TypeRule& rule = rng_.pick(row_.types);
      dst_types_ = rule.dst & legal;
      src_types_ = rule.src & sources;
      if (row_.format == Format::ternary) src_types_ = src_types_ & legal;
      if (dst_types_.empty() || (src_types_ & m_.types).empty()) continue;
      if (row_.format != Format::math) return;
      const bool integer = !(dst_types_ & types(Type::d, Type::ud)).empty();
      if (integer == integer_function(i_.math) || !is_integer_possible()) return;
    }
  }
  bool is_integer_possible() const {
    return std::any_of(row_.types.begin(), row_.types.end(),
                       [](const TypeRule& r) { return !(r.dst & types(Type::d, Type::ud)).empty(); });
  }

  void controls() {
    i_.access_mode = implied_access_mode(row_, i_);
    if (i_.access_mode == AccessMode::align1 && rng_.one_in(4)) i_.access_mode = AccessMode::align16;
    i_.no_mask = rng_.one_in(3);
    i_.no_dd_clr = rng_.one_in(8);
    i_.no_dd_chk = rng_.one_in(8);
    i_.thread_ctrl = ThreadCtrl(rng_.one_in(4) ? rng_.below(3) : 0);
    if (!row_.has(attr_scalar)) {
      i_.exec_size = pick(exec_sizes);
      i_.qtr_ctrl = uint8_t(rng_.below(4));
      i_.nib_ctrl = m_.has_nib_ctrl && rng_.coin();
    }
    if (row_.has(attr_pred) && rng_.coin()) {
      const bool align16 = i_.access_mode == AccessMode::align16;
      i_.pred_ctrl = PredCtrl(pick(align16 ? l_.pred_ctrls_align16 : l_.pred_ctrls_align1));
      i_.pred_inv = i_.pred_ctrl != PredCtrl::none && rng_.coin();
    }
    if (row_.has(attr_cond) && (row_.has(attr_needs_cond) || rng_.coin())) {
      do i_.cond_modifier = CondModifier(pick(cond_modifiers));
      while (i_.cond_modifier == CondModifier::none);
    }
    if (i_.pred_ctrl != PredCtrl::none || i_.cond_modifier != CondModifier::none ||
        info(i_.math).kind == MathKind::macro) {
      i_.flag_reg = uint8_t(rng_.below(m_.flag_regs));
      i_.flag_subreg = uint8_t(rng_.below(2));
    }
    i_.saturate = row_.has(attr_sat) && rng_.one_in(4);
    i_.acc_wr_ctrl = row_.has(attr_accwr) && (row_.has(attr_needs_accwr) || rng_.one_in(4));
    i_.branch_ctrl = row_.has(attr_branchctrl) && rng_.one_in(4);
  }

  bool align16() const { return i_.access_mode == AccessMode::align16; }

  // A register of the architecture file; null most often, as in programs.
  void architecture_register(Operand& o) {
    o.file = RegFile::arf;
    if (rng_.coin()) return;
    const ArfRow& a = rng_.pick(m_.arfs);
    o.reg = arf_reg(a.kind, a.first + int(rng_.below(a.count)));
    if (a.has_subregs) subregister(o);
  }
  void subregister(Operand& o) {
    const int step = align16() ? 16 : std::max(1, size_of(o.type));
    o.subreg = uint8_t(step * int(rng_.below(uint32_t(32 / step))));
    if (!align16() && rng_.one_in(16)) o.subreg = uint8_t(rng_.below(32));  // between elements
  }
  void general_register(Operand& o) {
    o.file = RegFile::grf;
    o.reg = uint8_t(rng_.below(m_.grf_count));
    subregister(o);
  }
  void message_register(Operand& o) {
    o.file = RegFile::mrf;
    o.reg = uint8_t(rng_.below(m_.mrf_count));
    subregister(o);
  }
  void indirect(Operand& o, int step, bool may_be_mrf = false) {
    o.file = may_be_mrf && m_.mrf_count && rng_.one_in(4) ? RegFile::mrf : RegFile::grf;
    o.indirect = true;
    o.addr_subreg = uint8_t(rng_.below(m_.address_subregs));
    if (rng_.coin()) o.addr_imm = int16_t(step * (int(rng_.below(uint32_t(1024 / step))) - 512 / step));
  }

  void place(Operand& o, bool may_be_mrf) {
    const uint32_t kind = rng_.below(8);
    if (kind == 0)
      architecture_register(o);
    else if (kind == 1)
      indirect(o, align16() ? 16 : 1, may_be_mrf);
    else if (kind == 2 && may_be_mrf && m_.mrf_count)
      message_register(o);
    else
      general_register(o);
  }

  void destination() {
    Operand& d = i_.dst;
    d.type = pick(dst_types_);
    if (is_math_macro(i_) && rng_.below(4)) {
      macro_register(d);
      d.chan_en = uint8_t(rng_.below(no_mme + 1));
      return;
    }
    place(d, true);
    d.region.horz_stride = pick(horz_strides);
    if (align16()) d.chan_en = uint8_t(rng_.below(16));
  }
  void macro_register(Operand& o) {
    o.file = RegFile::grf;
    o.reg = uint8_t(rng_.below(m_.grf_count));
  }

  void modifiers(Operand& s) {
    if (!row_.has(attr_srcmod)) return;
    s.negate = rng_.one_in(4);
    s.abs = !(row_.has(attr_logic) && m_.logic_negate_is_not) && rng_.one_in(4);
  }

  void source_register(Operand& s) {
    if (is_math_macro(i_) && rng_.below(4)) {
      macro_register(s);
      s.chan_sel = uint8_t(rng_.below(no_mme + 1));
      s.region.vert_stride = size_of(s.type) == 8 ? 2 : 4;
      return;
    }
    place(s, false);
    if (align16()) {
      s.chan_sel = rng_.coin() ? swizzle_xyzw : uint8_t(rng_.below(256));
      s.region.vert_stride = pick(vert_strides_align16);
    } else {
      s.region = {pick(vert_strides), pick(widths), pick(horz_strides)};
      if (s.indirect && rng_.coin()) {
        s.region.vert_stride = Region::vxh;
        if (rng_.coin()) s.region.width = 1;
      }
    }
  }

  void source(int n, bool may_be_immediate) {
    Operand& s = i_.src[n];
    TypeSet as_immediate = src_types_ & immediates_;
    if (n > 0) as_immediate = as_immediate & narrow_;  // 64 bits need the room of both sources
    if (may_be_immediate && !is_math_macro(i_) && !as_immediate.empty() && rng_.one_in(3)) {
      s.file = RegFile::imm;
      s.type = pick(as_immediate);
      const int bits = info(s.type).is_vector_imm ? 32 : 8 * size_of(s.type);
      i_.imm = rng_.interesting(bits);
      return;
    }
    s.type = pick(src_types_ & m_.types);
    source_register(s);
    modifiers(s);
  }

  void ternary() {
    Operand& d = i_.dst;
    d.type = pick(dst_types_);
    const int mrf_code = RegFile(l_.ternary_files[1]) == RegFile::mrf;
    d.file = mrf_code && rng_.one_in(4) ? RegFile::mrf : RegFile::grf;
    d.reg = uint8_t(rng_.below(d.file == RegFile::mrf ? m_.mrf_count : m_.grf_count));
    d.region.horz_stride = 1;
    const bool macro = is_math_macro(i_) && rng_.below(4);
    d.chan_en = uint8_t(macro ? rng_.below(no_mme + 1) : rng_.coin() ? 0xF : rng_.below(16));
    if (!macro) d.subreg = uint8_t(4 * rng_.below(8));
    const bool mixes = l_.ternary_src1_half.present();
    for (Operand& s : i_.src) {
      s.type = pick(src_types_);
      const bool free = mixes && !(types(s.type) & types(Type::hf, Type::f)).empty() && i_.src[0].type != Type::df;
      if (&s != &i_.src[0] && !free) s.type = i_.src[0].type;
      s.file = RegFile::grf;
      s.reg = uint8_t(rng_.below(m_.grf_count));
      modifiers(s);
      if (macro) {
        s.chan_sel = uint8_t(rng_.below(no_mme + 1));
        continue;
      }
      const int step = 1 << l_.ternary_src[0].subreg.shift;
      s.subreg = uint8_t(step * int(rng_.below(uint32_t(32 / step))));
      s.replicate = rng_.one_in(3);
      s.chan_sel = rng_.coin() ? swizzle_xyzw : rng_.one_in(4) ? swizzle_xyxy : uint8_t(rng_.below(256));
    }
  }

  uint32_t descriptor_bits(const Field& f) { return uint32_t(rng_.interesting(f.width())) << f.shift; }

  void send() {
    i_.sfid = uint8_t(rng_.below(16));
    i_.eot = rng_.one_in(8);
    i_.no_src_dep_set = l_.no_src_dep_set.present() && rng_.one_in(8);
    i_.desc.in_register = rng_.one_in(4);
    const Field& f = i_.desc.in_register ? l_.desc_beside_register : l_.desc;
    if (f.present()) i_.desc.imm = descriptor_bits(f);
  }

  void plain_send() {
    send();
    destination();
    Operand& s = i_.src[0];
    s.type = pick(m_.types);
    const uint32_t kind = rng_.below(8);
    if (kind == 0) {
      indirect(s, 1);
      return;
    }
    const int step = i_.access_mode == AccessMode::align16 ? 16 : 1 << l_.send_src0_subreg.shift;
    if (kind == 1) {
      s.file = RegFile::arf;  // null
    } else if (m_.mrf_count && rng_.coin()) {
      s.file = RegFile::mrf;
      s.reg = uint8_t(rng_.below(m_.mrf_count));
    } else {
      s.file = RegFile::grf;
      s.reg = uint8_t(rng_.below(m_.grf_count));
      if (rng_.one_in(4)) s.subreg = uint8_t(step * int(rng_.below(uint32_t(32 / step))));
    }
    if (l_.send_ex_desc.present()) i_.ex_desc.imm = descriptor_bits(l_.send_ex_desc);
  }

  void split_payload(Operand& o, bool may_be_indirect, bool has_subreg) {
    o.file = RegFile::grf;
    if (may_be_indirect && rng_.one_in(8)) {
      indirect(o, 16);
      return;
    }
    o.reg = uint8_t(rng_.below(m_.grf_count));
    if (has_subreg) o.subreg = uint8_t(16 * rng_.below(2));
  }
  void split_send() {
    send();
    i_.dst.type = pick(m_.types);
    i_.dst.region.horz_stride = 1;
    if (!rng_.one_in(4)) split_payload(i_.dst, true, true);
    split_payload(i_.src[0], true, true);
    if (!rng_.one_in(4)) split_payload(i_.src[1], false, false);
    i_.ex_desc.in_register = rng_.one_in(4);
    if (i_.ex_desc.in_register) {
      i_.sfid = 0;  // stands in the register
      i_.ex_desc.subreg = uint8_t(rng_.below(uint32_t(ones(l_.split_ex_desc_subreg.width())) + 1));
    } else {
      i_.ex_desc.imm = descriptor_bits(l_.split_ex_desc_mlen) | descriptor_bits(l_.split_ex_desc_high);
    }
  }

  int32_t distance(const Field& f) {
    const int unit_bits = std::countr_zero(unsigned(l_.jump_unit));
    const int bits = std::min(f.width(), 32 - unit_bits);
    return int32_t(sign_extend(rng_.interesting(bits), bits)) * l_.jump_unit;
  }
  // The target in a register, or as an immediate.
  void target() {
    Operand& s = i_.src[0];
    if (rng_.coin()) {
      s.file = RegFile::imm;
      s.type = Type::d;
      return;
    }
    s.type = rng_.coin() ? Type::d : pick(m_.types);
    source_register(s);
    if (!align16() && rng_.coin()) s.region = implied_target_region(row_.format);
  }

  void operands() {
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
      case Format::ternary: ternary(); return;
      case Format::send: plain_send(); return;
      case Format::split_send: split_send(); return;
      case Format::wait: {
        Operand& s = i_.src[0];
        s.reg = arf_reg(Arf::notification);
        s.subreg = uint8_t(4 * rng_.below(align16() ? 1 : 3));
        if (align16()) s.chan_sel = swizzle_xyzw;
        return;
      }
      case Format::branch:
      case Format::fork:
        i_.jip = distance(l_.jip_branch);
        if (row_.format == Format::fork) source(0, false);
        return;
      case Format::branch_compare:
        i_.jip = distance(l_.jip_branch);
        if (i_.cond_modifier == CondModifier::none) return;
        source(0, false);
        source(1, true);
        return;
      case Format::branch_uip:
        i_.jip = distance(l_.jip);
        i_.uip = distance(l_.uip);
        return;
      case Format::branch_reg:
      case Format::branch_reg_uip:
        target();
        if (!has_immediate_target(i_)) return;
        i_.jip = distance(l_.jip);
        if (row_.format == Format::branch_reg_uip) i_.uip = distance(l_.uip);
        return;
      case Format::jump:
        target();
        if (has_immediate_target(i_)) i_.jip = distance(l_.jip_imm);
        return;
      case Format::call:
      case Format::call_absolute:
        destination();
        target();
        if (has_immediate_target(i_)) i_.jip = distance(l_.jip_imm);
        return;
      case Format::ret:
        i_.src[0].type = rng_.coin() ? Type::d : pick(m_.types);
        source_register(i_.src[0]);
        return;
    }
  }

  const Model& m_;
  const Layout& l_;
  const OpcodeRow& row_;
  Rng& rng_;
  const TypeSet immediates_;
  TypeSet dst_types_, src_types_;
  static constexpr TypeSet narrow_{uint16_t(~types(Type::uq, Type::q, Type::df).bits)};
  Instruction i_;
};

// Compact forms exist for few of all instructions, so they are drawn from the compact side.
bool draw_compact(const Model& m, const OpcodeRow& row, Rng& rng, bool ignored, Instruction& result) {
  const CompactForm& form = row.format == Format::ternary ? m.compaction->three_source : m.compaction->registers;
  if (!form.present()) return false;
  constexpr uint64_t opcode = 0x7F, cmpt_ctrl = uint64_t{1} << 29;
  for (int attempt = 0; attempt < 32; ++attempt) {
    const uint64_t word = (rng() & ~(opcode | form.reserved)) | row.code | cmpt_ctrl;
    std::array<std::byte, 8> bytes;
    for (int n = 0; n < 8; ++n) bytes[size_t(n)] = std::byte(word >> 8 * n);
    const Result<Fetched> f = fetch(m, bytes);
    if (!f || !row_allows(m, row, f->instruction) || (f->instruction.ignored && !ignored)) continue;
    result = f->instruction;
    return true;
  }
  return false;
}

}  // namespace

bool row_allows(const Model& m, const OpcodeRow& row, const Instruction& i) {
  if (row.format == Format::nullary) return true;
  if (i.pred_ctrl != PredCtrl::none && !row.has(attr_pred)) return false;
  if (i.cond_modifier != CondModifier::none && !row.has(attr_cond)) return false;
  if (i.cond_modifier == CondModifier::none && row.has(attr_needs_cond)) return false;
  if (i.saturate && !row.has(attr_sat)) return false;
  if (i.acc_wr_ctrl ? !row.has(attr_accwr) : row.has(attr_needs_accwr)) return false;
  if (i.branch_ctrl && !row.has(attr_branchctrl)) return false;
  if (row.has(attr_scalar) && (i.exec_size != 1 || channel_offset(i) != 0)) return false;
  if (row.format == Format::math && !info(i.math).generations.contains(m.generation)) return false;
  if (is_math_macro(i) && i.access_mode != AccessMode::align16) return false;
  if (!row.has(attr_srcmod))
    for (const Operand& s : i.src)
      if (s.abs || s.negate) return false;
  if (row.types.empty()) return true;

  const bool compares = row.format == Format::branch_compare;
  if (compares && i.cond_modifier == CondModifier::none) return true;
  const bool has_dst = !compares && row.format != Format::wait;
  int sources = row.format == Format::ternary ? 3 : row.format == Format::binary || compares ? 2 : 1;
  if (row.format == Format::math) sources = info(i.math).sources;
  return std::any_of(row.types.begin(), row.types.end(), [&](const TypeRule& r) {
    bool ok = !has_dst || r.dst.contains(i.dst.type);
    for (int n = 0; n < sources; ++n) ok = ok && r.src.contains(i.src[size_t(n)].type);
    return ok;
  });
}

Instruction random_instruction(const Model& m, const OpcodeRow& row, Rng& rng, const RandomOptions& options) {
  Instruction i;
  if (options.compacted && rng.one_in(8) && draw_compact(m, row, rng, options.ignored, i)) return i;
  i = Generator(m, row, rng).run();
  if (options.ignored && rng.one_in(8)) {
    i.ignored = Word128{rng() & rng(), rng() & rng()} & ignored_mask(m, i);
    // the upper half of a 16-bit immediate, which should repeat the lower
    for (const Operand& s : i.src)
      if (s.file == RegFile::imm && size_of(s.type) == 2 && !info(s.type).is_vector_imm && row.format != Format::send)
        deposit(i.ignored, m.encoding->layout->imm32, rng() << 16);
  }
  return i;
}

Instruction random_instruction(const Model& m, Rng& rng, const RandomOptions& options) {
  for (;;)
    if (const OpcodeRow* row = rng.pick(m.by_op)) return random_instruction(m, *row, rng, options);
}

}  // namespace vitro::isa
