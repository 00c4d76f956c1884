// The register region restrictions of Gen9: general ones, spans, bytes, indirect addressing and the special ones
// (R1.1..R5.1, R8.1..R9.6 of the requirement list; R6 and R7 stand in validate_gen9_types.cpp). Most of the text is
// older than Gen9 and holds for Gen8 as well.
// PRM: Gen9 vol 6 "Register Region Restrictions", sections 1-5, 8 and "Special Restrictions".
// The table that R3.3 refers to is lost: what is known of it from other documents is checked, see there.
#include "isa/layout.h"
#include "isa/validate_regions.h"

namespace vitro::isa {
namespace {

Findings over_64_bytes(const RuleContext& c) { return whole(c.inst.exec_size * largest_element(c) > 64); }

// The text wants a stride equal to the ratio of the sizes. R9.4 wants more (mov (8) r6.0<4>:ub r5.0<8;8,1>:hf), and IGC
// writes more elsewhere (mov (16|M0) r3.1<4>:b r6.1<2;1,0>:w): what matters is that channels do not share their space.
// R4.2 and R5.1 relax the alignment: a byte may stand in either of the channel's two low bytes, a word in either of its
// two low words.
bool dst_conversion_illegal(const RuleContext& c, int relaxed_word) {
  const OperandFacts& d = c.dst();
  if (d.size >= c.exec_bytes || is_raw_move(c)) return false;
  if (c.has(t_several) && d.horz * d.size < c.exec_bytes) return true;
  const int slack = d.size == 1 ? 1 : d.size == 2 ? relaxed_word : 0;
  return d.direct && d.first % c.exec_bytes != 0 && d.first % c.exec_bytes != slack;
}
// Packed halves are a matter of R7.11 (mixed float), packed bytes of R4.1.
Findings conversion_gen9(const RuleContext& c) { return dst_if(!c.has(t_mixed_float) && dst_conversion_illegal(c, 2)); }
Findings conversion_gen8(const RuleContext& c) { return dst_if(dst_conversion_illegal(c, 0)); }

Findings dst_stride_0(const RuleContext& c) { return dst_if(c.inst.dst.region.horz_stride == 0); }

Findings row_crosses_register(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) {
    if (!in_register_file(s) || s.registers < 2) return false;
    for (int row = 0; row < s.rows; ++row) {
      const int begin = s.element(row * s.width), end = begin + (s.width - 1) * s.horz * s.size;
      if (begin / grf_bytes != end / grf_bytes) return true;
    }
    return false;
  });
}

Findings dst_over_two_registers(const RuleContext& c) {
  return dst_if(in_register_file(c.dst()) && c.dst().registers > 2);
}

Findings dst_registers_uneven(const RuleContext& c) {
  return dst_if(in_register_file(c.dst()) && c.dst().registers == 2 && splits_unevenly(c, grf_bytes));
}

// The destination covers two registers; an indirect one is taken to begin at a register's origin.
bool compressed(const RuleContext& c) { return c.dst().reg && c.dst().registers == 2; }

// Without the address: the elements that go to one destination register must fit one source register.
Findings indirect_halves(const RuleContext& c) {
  if (!compressed(c)) return nothing;
  return sources_where(c, [&](const OperandFacts& s) {
    if (!s->indirect || s.vxh || s.scalar) return false;
    int low[2] = {1 << 20, 1 << 20}, high[2] = {0, 0};
    for (int n = 0; n < c.inst.exec_size; ++n) {
      const int half = c.dst().register_of(n) & 1;
      low[half] = std::min(low[half], s.element(n));
      high[half] = std::max(high[half], s.element(n) + s.size);
    }
    return high[0] - low[0] > grf_bytes || high[1] - low[1] > grf_bytes;
  });
}
Findings vxh_32(const RuleContext& c) { return whole(c.inst.exec_size == 32); }

Findings branch_in_align16(const RuleContext& c) {
  constexpr uint32_t flow =
      formats(Format::branch, Format::branch_compare, Format::branch_uip, Format::branch_reg, Format::branch_reg_uip,
              Format::jump, Format::call, Format::call_absolute, Format::ret);
  return whole(flow >> int(c.row.format) & 1);
}

Findings align16_conversion(const RuleContext& c) {
  const bool converts =
      sources_where(c, [&](const OperandFacts& s) { return s.size != c.dst().size; }) != nothing && c.dst().reg;
  return converts ? operands_where(c, [](const OperandFacts& o) { return in_register_file(o) && o.registers > 1; })
                  : nothing;
}

Findings align16_scattered(const RuleContext& c) {
  if (!in_register_file(c.dst())) return nothing;
  return sources_where(
      c, [&](const OperandFacts& s) { return in_register_file(s) && s.registers > 1 && is_scattered(c, s); });
}

Findings integer_and_half(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  const bool from_integer = d->type == Type::hf && is_integer(c.exec_type);
  const bool to_integer = is_integer(d->type) && c.exec_type == Type::hf;
  if (!from_integer && !to_integer) return nothing;
  return dst_if((c.has(t_several) && d.horz * d.size != dword && d.size <= dword) ||
                (d.direct && d.first % dword != 0));
}

// A compressed instruction runs as two: the second half must not read what the first has overwritten. A source that
// lies in one register has no second half to speak of: IGC widens in place, mov (8) r2.0<1>:q r2.0<8;8,1>:ud.
Findings halves_overlap(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  if (!in_register_file(d) || d.registers != 2) return nothing;
  return sources_where(c, [&](const OperandFacts& s) {
    if (!in_register_file(s) || s.registers < 2 || s->reg + s.registers <= d->reg || s->reg > d->reg) return false;
    for (int n = 0; n < c.inst.exec_size; ++n)
      if (d.register_of(n) == 1 && s->reg + s.register_of(n) == d->reg) return true;
    return false;
  });
}

Findings half_with_one_index(const RuleContext& c) {
  return compressed(c) && c.src(0).vxh && c.src(0).rows < 4 ? in_src(0) : nothing;
}

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"R1.1", G89, {}, t_execute, prohibition, "ExecSize times the largest element is at most 64 bytes.", over_64_bytes},
    {"R1.2", G9, {}, dst_region | t_dst_register, prohibition,
     "If the execution type is wider than the destination's, the destination is aligned to it and strided by at "
     "least it.", conversion_gen9},
    {"R1.2", G8, {}, dst_region | t_dst_register, prohibition,
     "If the execution type is wider than the destination's, the destination is aligned to it and strided by at "
     "least it.", conversion_gen8},
    {"R2.1", G89, {}, source_region, prohibition, "ExecSize is at least Width.", wider_than_exec_size},
    {"R2.2", G89, {}, source_region, prohibition,
     "If ExecSize = Width and HorzStride is not 0, VertStride = Width * HorzStride.", one_row_vert_stride},
    {"R2.3", G89, {}, source_region, permission, "If ExecSize = Width and HorzStride = 0, VertStride is free.", never},
    {"R2.4", G89, {}, source_region, advice, "If Width = 1, HorzStride = 0.", width_1_horz_stride,
     "IGC (bdw): mov (16|M16) r6.0<1>:ub r6.0<4;1,4>:ub. A row of one element has no use for the stride."},
    {"R2.5", G89, {}, source_region, prohibition, "If ExecSize = Width = 1, both strides are 0.", one_element_strides},
    {"R2.6", G89, {}, source_region, prohibition, "If both strides are 0, Width = 1.", no_strides_width},
    {"R2.7", G89, {}, dst_region, prohibition, "The destination's HorzStride is not 0.", dst_stride_0},
    {"R2.8", G89, {}, source_region | t_spans, prohibition, "The elements of a row do not cross a register.",
     row_crosses_register},
    {"R3.1", G89, {}, source_region | t_spans, prohibition, "A source stays within two adjacent registers.",
     source_over_two_registers},
    {"R3.2", G89, {}, dst_region | t_spans, prohibition, "A destination stays within two adjacent registers.",
     dst_over_two_registers},
    {"R3.3", G9, ops(Op::math), dst_region | t_spans, prohibition,
     "Spans of two registers obey a table, which is lost; of Gen9 it is known that math splits its destination evenly.",
     dst_registers_uneven},
    {"R3.3", G8, {}, dst_region | t_spans, prohibition,
     "Spans of two registers obey a table, which is lost; of Gen8 it is known that a destination is split evenly "
     "between its registers.", dst_registers_uneven},
    {"BDW-oword", G8, {}, dst_region | t_spans, prohibition,
     "If a source spans two registers and the destination one, the destination lies in one oword or is split evenly "
     "between both.", owords_uneven},
    {"R4.1", G89, {}, dst_region | t_byte_dst | t_dst_register | t_several, prohibition,
     "Only a raw mov writes packed bytes.", packed_bytes},
    {"R4.2", G89, {}, dst_region | t_byte_dst, permission,
     "Bytes may be written to the lowest or the second lowest byte of their channels.", never},
    {"R5.1", G9, {}, dst_region, permission,
     "Words may be written to the lowest or the second lowest word of their channels.", never},

    {"R8.1", G89, {}, t_indirect, permission, "An indirect destination of two registers has one index.", never},
    {"R8.2", G89, {}, source_region | t_indirect, prohibition,
     "If the destination covers two registers, each comes from one register of an indirect source, scalars excepted.",
     indirect_halves},
    {"R8.3", G89, {}, t_vxh, prohibition, "An indirect src1 has a single index.", src1_vxh},
    {"R8.4", G89, {}, t_vxh, permission,
     "With an index per row on src0 the destination may cover one or two registers.", never},
    {"R8.5", G89, {}, t_vxh, prohibition, "An indirect destination has a single index.", dst_vxh},
    {"R8.6", G89, {}, t_vxh, prohibition, "There is no ExecSize of 32 with an index per row.", vxh_32},
    {"R9.1", G89, {}, t_align16, prohibition, "Flow control is Align1.", branch_in_align16},
    {"R9.2", G89, {}, t_align16 | t_execute | t_spans, prohibition,
     "An Align16 conversion between sizes has one register for source and destination each.", align16_conversion},
    {"R9.3", G89, {}, t_align16 | t_execute | t_spans, prohibition,
     "In Align16 a destination register gets its data from one register of each source.", align16_scattered},
    {"R9.4", G89, {}, dst_region | t_half | t_dst_register, prohibition,
     "A conversion between integer and half float is aligned to dwords and strided by them.", integer_and_half},
    {"R9.5", G89, {}, t_execute | t_spans, advice,
     "The second half of an instruction over two registers does not read what its first half wrote.", halves_overlap,
     "IGC (kbl): add (8|M0) r3.0<1>:q r2.0<4;4,1>:q 4:w. It takes both halves to be read before either is written."},
    {"R9.6", G9, {}, t_vxh | t_dst, advice,
     "Where threads are preempted, the second half of an instruction with an index per row uses several indices "
     "(B-22).", half_with_one_index, "Not broken by a driver: whether the context is preemptible is not to be seen."},
};
// clang-format on

}  // namespace

std::span<const Rule> region_rules_gen9() { return table; }

}  // namespace vitro::isa
