// Rules on architecture registers: what exists, address registers as operands and as indices, the accumulators, the
// control register.
// PRM: Gen6 vol 4 part 2 section 5.3.4 (ARF-00 and the rows of its table), CR-01; Gen9 vol 6 "Accumulator Registers"
// (B-34, B-37). Not modelled: reading an accumulator with another type than it was written with (a matter of sequence).
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

bool is_macro_register(const OperandFacts& o) { return o.acc && (o->reg & 15) >= 2; }
bool is_plain_acc(const OperandFacts& o) { return o.acc && (o->reg & 15) < 2; }
bool is_word(Type t) { return size_of(t) == 2 && !is_float(t); }

Findings no_such_register(const RuleContext& c) {
  return operands_where(
      c, [&](const OperandFacts& o) { return o.direct && o->file == RegFile::arf && !find_arf(c.model.arfs, o->reg); });
}

// Both accumulators together take the 16 floats of one instruction; every other register ends where it ends.
Findings crosses_register(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) {
    return o.direct && o->file == RegFile::arf && o.registers > (is_plain_acc(o) && (o->reg & 15) == 0 ? 2 : 1);
  });
}

Findings outside_address_register(const RuleContext& c) {
  return operands_where(c, [&](const OperandFacts& o) {
    return o.direct && o->file == RegFile::arf && o.arf == Arf::address && o.last >= 2 * c.model.address_subregs;
  });
}

// Rows of a VxH or Vx1 source: one address sub-register each.
Findings too_many_indices(const RuleContext& c) {
  return sources_where(
      c, [&](const OperandFacts& s) { return s.vxh && s->addr_subreg + s.rows > c.model.address_subregs; });
}
Findings indices_not_grouped(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.vxh && s->addr_subreg % s.rows != 0; });
}

Findings control_without_switch(const RuleContext& c) {
  const Findings f = operands_where(c, [](const OperandFacts& o) { return o.arf == Arf::control; });
  return c.inst.thread_ctrl == ThreadCtrl::switch_ ? nothing : f;
}

Findings acc_not_src0(const RuleContext& c) {
  return sources_where(c, [&](const OperandFacts& s) { return is_plain_acc(s) && &s != &c.src(0); });
}

Findings two_accumulators(const RuleContext& c) {
  return is_plain_acc(c.dst())
             ? sources_where(c, [&](const OperandFacts& s) { return is_plain_acc(s) && s->reg != c.dst()->reg; })
             : nothing;
}

// Sixteen dwords or floats begin in acc0.
Findings acc1_for_16(const RuleContext& c) {
  if (c.inst.exec_size != 16 || c.exec_bytes != 4) return nothing;
  return operands_where(c, [](const OperandFacts& o) { return is_plain_acc(o) && (o->reg & 15) != 0; });
}

Findings acc_of_bytes(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return is_plain_acc(o) && o.size == 1; });
}
Findings acc_of_bytes_or_qwords(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) {
    return is_plain_acc(o) && (o.size == 1 || o->type == Type::q || o->type == Type::uq);
  });
}

bool is_swizzled(const OperandFacts& s) { return s->chan_sel != swizzle_xyzw; }
Findings acc_swizzled(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return is_plain_acc(s) && is_swizzled(s); });
}
Findings swizzled_with_implicit_acc(const RuleContext& c) {
  return c.row.has(attr_acc_source) ? sources_where(c, is_swizzled) : nothing;
}

// Channels of source and destination stand at the same place of their registers: same stride and same offset.
Findings acc_region_differs(const RuleContext& c) {
  if (!c.dst().reg || !c.has(t_several)) return nothing;
  return sources_where(c, [&](const OperandFacts& s) {
    return is_plain_acc(s) && !s.scalar && (s.stride() != c.dst().stride() || s.first / dword != c.dst().first / dword);
  });
}

Findings odd_word_in_acc(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  return dst_if(is_plain_acc(d) && is_word(d->type) && d.horz == 2 && d.first % dword != 0);
}

// D and UD have acc0 alone, and eight channels of it.
Findings dwords_beyond_acc0(const RuleContext& c) {
  return operands_where(c, [&](const OperandFacts& o) {
    return is_plain_acc(o) && o.size == 4 && !is_float(o->type) && ((o->reg & 15) != 0 || c.inst.exec_size > 8);
  });
}

// The list notes that an example with HF in acc1 contradicts this.
Findings acc1_of_words(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return is_plain_acc(o) && (o->reg & 15) == 1 && o.size == 2; });
}

Findings macro_register_without_mov(const RuleContext& c) {
  const bool plain =
      c.inst.op == Op::mov && !c.inst.saturate && c.inst.cond_modifier == CondModifier::none && !c.has(t_modifier);
  return plain ? nothing : operands_where(c, is_macro_register);
}
// The text says D, its example UD: both are taken.
Findings macro_register_type(const RuleContext& c) {
  return operands_where(
      c, [](const OperandFacts& o) { return is_macro_register(o) && !types(Type::d, Type::ud).contains(o->type); });
}
Findings macro_in_align1(const RuleContext& c) { return whole(is_math_macro(c.inst) && !c.has(t_align16)); }
Findings no_such_macro_register(const RuleContext& c) {
  if (!is_math_macro(c.inst)) return nothing;
  return sources_where(c, [](const OperandFacts& s) { return s->chan_sel > no_mme; }) |
         dst_if(c.inst.dst.chan_en > no_mme);
}

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"ARF-00", G689, {}, t_arf, prohibition, "An architecture register exists on the generation (table 5-5).",
     no_such_register},
    {"ARF-00.cross", G689, {}, t_arf | t_spans, prohibition,
     "A region does not cross the end of an architecture register (section 5.3.4).", crosses_register},
    {"ARF-a0", G689, {}, t_arf, prohibition, "An explicit a0 operand stays within the sub-registers that exist.",
     outside_address_register},
    {"ARF-a0.count", G689, {}, t_vxh, prohibition,
     "Indices of the rows of a Vx1 or VxH source exist: on Gen6 at most 8 channels have one each (section 5.3.4.4).",
     too_many_indices},
    {"ARF-a0.group", G6, {}, t_vxh, prohibition,
     "Several address sub-registers used as indices are aligned as a group (section 5.3.4.4, T13).",
     indices_not_grouped},
    {"CR-01", G689, {}, t_arf, prohibition,
     "An instruction with cr0 as explicit operand has ThreadCtrl Switch (section 5.3.4.9).", control_without_switch},

    {"ARF-acc.src0", G6, {}, t_acc, prohibition, "An accumulator is an explicit source only as src0.", acc_not_src0},
    {"ARF-acc.same", G6, {}, t_acc, prohibition, "Source and destination do not name different accumulators.",
     two_accumulators},
    {"ARF-acc.simd16", G6, {}, t_acc | t_execute, prohibition,
     "An explicit accumulator of 16 dwords or floats is acc0.", acc1_for_16},
    {"ARF-acc.byte", G6, {}, t_acc | t_execute, prohibition, "Accumulators have no bytes (table 5-9).", acc_of_bytes},
    {"ARF-acc.swizzle", G6, {}, t_acc | t_align16 | t_two_sources, prohibition, "No swizzle on an accumulator source.",
     acc_swizzled},
    {"ARF-acc.implicit", G6, {}, t_acc_read | t_align16 | t_two_sources, advice,
     "No swizzle in an instruction that reads the accumulator by nature.", swizzled_with_implicit_acc,
     "Mesa (crocus): mach (8|M0) r30.0<1>.x:ud r28.0<4>.xxxx:ud 0x49249249:ud {Align16,AccWrEn}. The accumulator is "
     "not what is swizzled."},
    {"ARF-acc.region", G6, {}, t_acc | t_align1 | t_two_sources, prohibition,
     "The region of an accumulator source matches that of the destination.", acc_region_differs},

    {"B-34.same", G89, {}, t_acc, prohibition, "Source and destination do not name different accumulators.",
     two_accumulators},
    {"B-34.src0", G89, {}, t_acc, prohibition, "An accumulator is an explicit source only as src0.", acc_not_src0},
    {"B-34.swizzle", G89, {}, t_acc | t_align16 | t_two_sources, prohibition, "No swizzle on an accumulator source.",
     acc_swizzled},
    {"B-34.implicit", G89, {}, t_acc_read | t_align16 | t_two_sources, advice,
     "No swizzle in an instruction that reads the accumulator by nature.", swizzled_with_implicit_acc,
     "Mesa (crocus): mach (8|M0) r30.0<1>.x:ud r28.0<4>.xxxx:ud 0x49249249:ud {Align16,AccWrEn}. The accumulator is "
     "not what is swizzled."},
    {"B-34.word", G89, {}, t_acc, prohibition, "Words are not written to odd words of an accumulator with stride 2.",
     odd_word_in_acc},
    {"B-34.dword", G89, {}, t_acc | t_execute, prohibition,
     "Dword integers have 8 channels of accumulator, in acc0 alone.", dwords_beyond_acc0},
    {"B-34.type", G89, {}, t_acc | t_execute, prohibition, "Accumulators have neither bytes nor qwords (B-35).",
     acc_of_bytes_or_qwords},
    {"B-34.region", G89, {}, t_acc | t_align1 | t_two_sources, prohibition,
     "The region of an accumulator source matches that of the destination.", acc_region_differs},
    {"B-34.acc1", G89, {}, t_acc | t_execute, prohibition, "acc1 is not used with words and half floats.",
     acc1_of_words},
    {"B-37.mov", G89, {}, t_acc, prohibition,
     "acc2..acc9 (mme0..mme7) are explicit operands only of a mov without modifiers, condition or saturation.",
     macro_register_without_mov},
    {"B-37.type", G89, {}, t_acc, prohibition, "acc2..acc9 (mme0..mme7) have the type D or UD.", macro_register_type},
    {"B-37.align16", G89, ops(Op::math, Op::madm), 0, prohibition,
     "The macro instructions (invm, rsqtm, madm) are Align16.", macro_in_align1},
    {"B-37.number", G89, ops(Op::math, Op::madm), 0, prohibition,
     "A macro instruction names mme0..mme7 or none for each operand.", no_such_macro_register},
};
// clang-format on

}  // namespace

std::span<const Rule> register_rules() { return table; }

}  // namespace vitro::isa
