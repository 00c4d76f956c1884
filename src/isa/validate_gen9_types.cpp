// The register region restrictions of Gen9 on 64-bit types (R6.1..R6.6) and on mixed half and single floats
// (R7.1..R7.11).
// PRM: Gen9 vol 6 "Register Region Restrictions", sections 6 and 7. Examples that contradict the rule they stand under
// are read as the requirement list reads them (R6: <8;4,2>; R7.8: <0> is the forbidden form).
#include "isa/validate_context.h"

namespace vitro::isa {
namespace {

// A source element per qword, as the destination's: both have the stride of the 64-bit channel.
Findings wide_strides(const RuleContext& c) {
  if (!c.has(t_several)) return nothing;
  const int stride = c.dst().reg ? c.dst().stride() : qword;
  return sources_where(c, [&](const OperandFacts& s) { return !s.scalar && s.stride() != stride; }) |
         dst_if(stride % qword != 0);
}
Findings wide_not_linear(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return !s.scalar && s.vert != s.width * s.horz; });
}
Findings wide_offsets(const RuleContext& c) {
  if (!c.dst().direct) return nothing;
  return sources_where(c, [&](const OperandFacts& s) { return s.direct && !s.scalar && s->subreg != c.dst()->subreg; });
}
Findings wide_indirect(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return o->indirect; });
}
Findings wide_arf(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return o.direct && o->file == RegFile::arf; });
}
Findings wide_dep_ctrl(const RuleContext& c) { return whole(c.inst.no_dd_chk || c.inst.no_dd_clr); }

bool is_half(const OperandFacts& o) { return o->type == Type::hf; }
bool packs_halves(const RuleContext& c) { return c.dst().reg && is_half(c.dst()) && c.dst().horz == 1; }

Findings mixed_not_packed(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.vert != 4; });
}
Findings halves_not_oword_aligned(const RuleContext& c) {
  return operands_where(c, [](const OperandFacts& o) { return is_half(o) && !o.scalar && o.first % oword != 0; });
}
Findings packed_halves_of_16(const RuleContext& c) { return dst_if(packs_halves(c) && c.inst.exec_size > 8); }
Findings mixed_reads_acc(const RuleContext& c) {
  return whole(c.row.has(attr_acc_source)) | sources_where(c, [](const OperandFacts& s) { return s.acc; });
}
Findings acc_offset(const RuleContext& c) {
  if (!packs_halves(c)) return nothing;
  return sources_where(
      c, [](const OperandFacts& s) { return s.acc && types(Type::f, Type::hf).contains(s->type) && s.first != 0; });
}
Findings acc_implicit_stride(const RuleContext& c) {
  return dst_if(c.row.has(attr_acc_source) && c.dst().reg && is_half(c.dst()) && c.dst().horz != 2);
}
Findings half_vert_stride_0(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return is_half(s) && s.vert == 0; });
}
Findings math_not_packed(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.vert != 4; });
}
Findings math_half_packed(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return is_half(s) && s.stride() < dword && !s.scalar; });
}
Findings packed_halves_alignment(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  return dst_if(packs_halves(c) && d.direct && (d.first % oword != 0 || d.first / oword != d.last / oword));
}

// The document is that of the low-power parts (Apollo Lake). All code of IGC and Mesa for them obeys R6; their code for
// Kaby Lake does not, so the model says which parts are restricted.
constexpr uint32_t wide = t_restricted_wide | t_align1 | t_two_sources | t_dst;
constexpr uint32_t mixed = t_mixed_float | t_dst;

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"R6.1", G9, {}, wide, prohibition,
     "With 64-bit types or a multiplication of dwords, source and destination have the same stride, in qwords.",
     wide_strides},
    {"R6.2", G9, {}, wide, prohibition, "With 64-bit types or a multiplication of dwords, VertStride = Width * HorzStride.",
     wide_not_linear},
    {"R6.3", G9, {}, wide, prohibition,
     "With 64-bit types or a multiplication of dwords, source and destination have the same offset, scalars excepted.",
     wide_offsets},
    {"R6.4", G9, {}, t_restricted_wide | t_indirect, prohibition,
     "With 64-bit types or a multiplication of dwords, nothing is indirect.", wide_indirect},
    {"R6.5", G9, {}, t_restricted_wide | t_arf, prohibition,
     "With 64-bit types or a multiplication of dwords, no architecture register is used.", wide_arf},
    {"R6.6", G9, {}, t_wide, prohibition, "With 64-bit types or a multiplication of dwords, there is no dependency control.",
     wide_dep_ctrl},

    {"R7.1", G9, {}, mixed | t_align16 | t_two_sources, prohibition, "Mixed float in Align16 works on packed data.",
     mixed_not_packed},
    {"R7.2", G9, {}, mixed | t_align16, prohibition,
     "Mixed float in Align16: packed halves begin at an oword and do not cross it.", halves_not_oword_aligned},
    {"R7.3", G9, {}, mixed | t_align16, permission, "Mixed float in Align16 may replicate a component.", never},
    {"R7.4", G9, {}, mixed, prohibition, "Mixed float to packed halves has at most 8 channels.", packed_halves_of_16},
    {"R7.5", G9, {}, mixed | t_align16 | t_acc_read, prohibition,
     "Mixed float in Align16 does not read the accumulator.", mixed_reads_acc},
    {"R7.6", G9, {}, t_half | t_align1 | t_acc, prohibition,
     "A float or half of an accumulator that goes to packed halves comes from offset 0.", acc_offset},
    {"R7.7", G9, {}, mixed | t_align1 | t_acc_read, prohibition,
     "Mixed float to halves with an implicit accumulator source has a destination stride of 2.", acc_implicit_stride},
    {"R7.8", G9, {}, t_half | t_align16 | t_two_sources, prohibition,
     "In Align16 VertStride is never 0 for half floats.", half_vert_stride_0},
    {"R7.9", G9, ops(Op::math), mixed | t_align16, prohibition, "Mixed math in Align16 works on packed data.",
     math_not_packed},
    {"R7.10", G9, ops(Op::math), mixed | t_align1, prohibition, "Mixed math in Align1 has strided half inputs.",
     math_half_packed},
    {"R7.11", G9, {}, mixed | t_align1, prohibition,
     "Mixed float to packed halves stays within one oword and begins at it.", packed_halves_alignment},
};
// clang-format on

}  // namespace

std::span<const Rule> wide_and_mixed_rules_gen9() { return table; }

}  // namespace vitro::isa
