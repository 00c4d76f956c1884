// Rules that hold on every generation: what the opcode table's row allows (OP-*), immediates (IMM-*), access modes
// (AM-*), execution type (ET-01) and natural alignment (DT-01, OP-SUBREG).
// PRM: Gen6 vol 4 part 2 sections 4.1, 5.3.5, 5.3.8, 5.3.9 and chapter 8; the Gen8 instruction pages.
#include "isa/layout.h"
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

constexpr TypeSet without_sign(TypeSet s) {
  constexpr TypeSet pairs[] = {types(Type::ub, Type::b), types(Type::uw, Type::w), types(Type::ud, Type::d),
                               types(Type::uq, Type::q)};
  for (TypeSet p : pairs)
    if (!(s & p).empty()) s = s | p;
  return s;
}

// Some row has the combination, if signed and unsigned are the same.
bool allowed_but_for_sign(const RuleContext& c) {
  const TypeSet dst = c.dst().reg ? without_sign(types(c.dst()->type)) : TypeSet{};
  for (const TypeRule& t : c.row.types)
    if ((dst.empty() || !(t.dst & dst).empty()) && (c.source_types.bits & ~without_sign(t.src).bits) == 0) return true;
  return false;
}

// A type the generation lacks is legal in no row.
Findings missing_types(const RuleContext& c) {
  return operands_where(c, [&](const OperandFacts& o) { return !c.model.types.contains(o->type); });
}
Findings illegal_types(const RuleContext& c) { return whole(!allowed_but_for_sign(c)); }
Findings illegal_sign(const RuleContext& c) { return whole(allowed_but_for_sign(c)); }

Findings predicated(const RuleContext& c) { return whole(!c.row.has(attr_pred)); }
Findings conditional(const RuleContext& c) { return whole(!c.row.has(attr_cond)); }
Findings saturated(const RuleContext& c) { return whole(!c.row.has(attr_sat) && c.inst.op != Op::frc); }
Findings saturated_fraction(const RuleContext& c) { return whole(!c.row.has(attr_sat)); }
Findings accumulator_written(const RuleContext& c) { return whole(!c.row.has(attr_accwr)); }

// Where negate means NOT, the bits of a logic operand have no absolute value.
Findings modified(const RuleContext& c) {
  const bool no_abs = c.row.has(attr_logic) && c.model.logic_negate_is_not;
  Findings f = nothing;
  for (int n = 0; n < c.sources; ++n) {
    const Operand& s = c.inst.src[n];
    if ((s.abs || s.negate) && (!c.row.has(attr_srcmod) || (s.abs && no_abs))) f |= in_src(n);
  }
  return f;
}

// Flags, masks and per-channel places have 32 bits; what a 33rd channel would be, no document says.
Findings past_last_channel(const RuleContext& c) { return whole(channel_offset(c.inst) + c.inst.exec_size > 32); }

Findings outside_register_file(const RuleContext& c) {
  return operands_where(c, [&](const OperandFacts& o) {
    if (!o.direct || !(o.grf || o.mrf)) return false;
    const int count = o.grf ? c.model.grf_count : c.model.mrf_count;
    return o->reg + (c.has(t_execute) ? o.registers : 1) > count;
  });
}

Findings read_message_register(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.mrf; });
}

// A flow-control register operand has a type as well; a message has none that matters to its payload.
Findings misaligned(const RuleContext& c) {
  if (c.has(t_align16)) return nothing;
  return operands_where(c, [](const OperandFacts& o) { return o.direct && o->subreg % o.size != 0; });
}

Findings byte_immediate(const RuleContext& c) {
  for (int n = 0; n < c.sources; ++n)
    if (c.src(n).immediate && size_of(c.src(n)->type) == 1) return in_src(n);
  return nothing;
}

// Only the low half is read (the list's resolution of the contradiction), so this is a rule for software. The codec
// keeps a deviating high half among the ignored bits; a compacted immediate has its sign extended instead.
Findings word_not_replicated(const RuleContext& c) {
  for (int n = 0; n < c.sources; ++n)
    if (c.src(n).immediate && c.src(n).size == 2 && !info(c.src(n)->type).is_vector_imm) {
      const int lo = c.model.encoding->layout->imm32.part[0].lo;
      if (extract(c.inst.ignored, Bits{uint8_t(lo + 31), uint8_t(lo + 16)})) return in_src(n);
    }
  return nothing;
}

Type vector_type(const RuleContext& c) {
  for (int n = 0; n < c.sources; ++n)
    if (c.src(n).immediate && info(c.src(n)->type).is_vector_imm) return c.src(n)->type;
  return Type::none;
}
Findings vector_alignment(const RuleContext& c) {
  return dst_if(vector_type(c) != Type::none && c.dst().direct && c.dst().first % oword != 0);
}
Findings vector_stride(const RuleContext& c) {
  const Type t = vector_type(c);
  return dst_if(t != Type::none && c.dst().reg && c.dst().horz * c.dst().size != size_of(t));
}

Findings origin_not_16_bytes(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return o.direct && o->subreg % oword != 0; });
}

Findings vert_stride_not_0_4(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.vert != 0 && s.vert != 4; });
}
// Four dwords or two qwords make an oword: later generations have a stride of two for the latter.
Findings vert_stride_not_0_2_4(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.vert != 0 && s.vert != 2 && s.vert != 4; });
}

// The math macros carry a register number in place of the write mask and are written without a stride.
Findings align16_dst_stride(const RuleContext& c) {
  return dst_if(c.inst.dst.region.horz_stride != 1 && !is_math_macro(c.inst));
}

Findings swizzle_in_align1(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s->chan_sel != 0; }) | dst_if(c.inst.dst.chan_en != 0);
}

// The document forbids any mixture here and allows words beside floats on the pages of add, mul and cmp; the opcode
// table has no row of mixed sources, so the general rule stands.
Findings mixed_float_and_integer(const RuleContext& c) {
  constexpr TypeSet floats = types(Type::hf, Type::f, Type::df, Type::vf);
  return whole(!(c.source_types & floats).empty() && (c.source_types.bits & ~floats.bits) != 0);
}

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"OP-TYPES", G689, {}, t_unlisted_types, prohibition,
     "Destination and source types are a combination that the instruction's row lists.", illegal_types},
    {"OP-TYPES.sign", G689, {}, t_unlisted_types, advice,
     "Integers are signed or unsigned as the instruction's row lists them.", illegal_sign,
     "IGC (kbl): fbl (16|M0) r13.0<1>:d r19.0<8;8,1>:d; Mesa (kbl): bfi1 (16|M0) r95.0<1>:ud r71.0<8;8,1>:d "
     "r13.0<8;8,1>:d. The bits are the same."},
    {"OP-TYPE", G689, {}, t_execute, prohibition, "A register has a type that the generation knows.", missing_types},
    {"OP-PRED", G689, {}, t_predicate, prohibition, "Only instructions that allow it may be predicated.", predicated},
    {"OP-COND", G689, {}, t_condition, prohibition, "Only instructions that allow it take a conditional modifier.",
     conditional},
    {"OP-SAT", G689, {}, t_saturate, prohibition, "Only instructions that allow it may saturate.", saturated},
    {"OP-SAT.frc", G689, ops(Op::frc), t_saturate, advice, "frc does not saturate.", saturated_fraction,
     "Mesa (crocus): frc.sat (8) m4<1>:f g3<4,4,1>:f in Align16. A fraction is in range; of a NaN, saturation makes 0 "
     "as everywhere."},
    {"OP-SRCMOD", G689, {}, t_modifier, prohibition,
     "Only instructions that allow it take source modifiers; none an absolute value of logic operands.", modified},
    {"OP-ACCWR", G689, {}, t_acc_write, prohibition, "Only instructions that compute may update the accumulator (AccWrCtrl).",
     accumulator_written},
    {"OP-CHANNELS", G689, {}, 0, prohibition,
     "Quarter and nibble control name channels 0 to 31 only: the first one and ExecSize add up to 32 at most.",
     past_last_channel},
    {"OP-GRF", G689, {}, 0, prohibition,
     "Operands stay within the register file: r0..r127 (GRF-01), m0..m23 on Gen6 (MRF-01; the 16 registers of other "
     "passages are older).", outside_register_file},
    {"MRF-01", G6, {}, t_execute | t_source, prohibition, "Message registers are write-only.", read_message_register},
    {"DT-01", G6, {}, t_execute, prohibition, "A sub-register is aligned to its type (section 4.1).", misaligned},
    {"OP-SUBREG", G89, {}, t_execute, prohibition, "A sub-register is aligned to its type.", misaligned},
    {"IMM-01.byte", G689, {}, t_immediate, prohibition, "An immediate is a word or wider (section 5.3.5).",
     byte_immediate},
    {"IMM-01.word", G689, {}, t_immediate, prohibition,
     "A word immediate stands in both halves of its dword (section 5.3.5).", word_not_replicated},
    {"IMM-02", G689, {}, t_immediate | t_dst, prohibition,
     "With a vector immediate the destination is aligned to 16 bytes (section 5.3.5).", vector_alignment},
    {"IMM-02.stride", G689, {}, t_immediate | t_dst, advice,
     "With a vector immediate the destination is strided by a word (V, UV) or a dword (VF) (section 5.3.5).",
     vector_stride,
     "IGC (bdw): add (2|M0) r62.0<1>:ud r60.0<0;1,0>:uw 0x400:uv. The Gen6 document's own mov (8) r3:d 0x76543210:v "
     "(T02) has dwords as well: elements convert like those of any other source."},
    {"AM-01.origin", G689, {}, t_align16 | t_two_sources, prohibition,
     "In Align16 operands begin at multiples of 16 bytes (section 5.3.8).", origin_not_16_bytes},
    {"AM-01.vstride", G6, {}, t_align16 | t_two_sources, prohibition,
     "In Align16 VertStride is 0 or 4 (section 7, RG-02).", vert_stride_not_0_4},
    {"AM-01.vstride", G89, {}, t_align16 | t_two_sources, prohibition,
     "In Align16 VertStride is 0 or 4, or 2 for rows of two qwords.", vert_stride_not_0_2_4},
    {"AM-01.hstride", G689, {}, t_align16 | t_two_sources | t_dst, prohibition,
     "In Align16 the destination's HorzStride is coded as 1.", align16_dst_stride},
    {"AM-01.swizzle", G689, {}, t_align1 | t_two_sources, prohibition,
     "Align1 has neither swizzles nor write masks (section 5.3.8).", swizzle_in_align1},
    {"ET-01", G689, {}, t_execute, prohibition, "Float and integer sources are not mixed (section 5.3.9).",
     mixed_float_and_integer},
};
// clang-format on

}  // namespace

std::span<const Rule> common_rules() { return table; }

}  // namespace vitro::isa
