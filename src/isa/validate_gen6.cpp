// The register region restrictions of Gen6, numbered as the document numbers them: RG-1 is rule 1, RG-10.1.2 rule
// 10.1.2. Rules 10 and 12 are headings.
// PRM: Gen6 vol 4 part 2 section 5.3.10 (RG-10..12 of the requirement list) and 5.3.10.2 (RG-13).
// Contradictions, resolved as the list says: example 1's first instruction contradicts 10.6 and is legal; example 3
// contradicts 11 and is legal; the maximum execution sizes are those of table 5-24 (16, 32, 32).
#include "isa/validate_regions.h"

namespace vitro::isa {
namespace {

Findings too_wide(const RuleContext& c) { return whole(c.inst.exec_size > (largest_element(c) >= dword ? 16 : 32)); }

// Destinations that hold a dword per channel of SIMD16, packed or in parts, may cover two registers.
bool may_cover_two(const RuleContext& c) { return c.inst.exec_size == 16 && c.dst().stride() == dword; }

Findings dst_crosses(const RuleContext& c) {
  return dst_if(in_register_file(c.dst()) && c.dst().registers > 1 && !may_cover_two(c));
}
Findings dst_not_two_registers(const RuleContext& c) {
  return dst_if(in_register_file(c.dst()) && may_cover_two(c) && c.dst().first >= dword);
}

bool is_byte(const RuleContext& c) { return c.has(t_byte_dst); }
bool stride_too_small(const RuleContext& c) { return c.has(t_several) && c.dst().horz * c.dst().size < c.exec_bytes; }

Findings dst_subregister(const RuleContext& c) {
  return dst_if(!is_byte(c) && !is_raw_move(c) && c.dst().direct && c.dst().first % c.exec_bytes != 0);
}
Findings dst_stride(const RuleContext& c) { return dst_if(!is_byte(c) && !is_raw_move(c) && stride_too_small(c)); }
Findings dst_stride_0(const RuleContext& c) { return dst_if(!c.has(t_several) && c.dst().horz == 0); }

Findings dst_from_two_registers(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  if (!in_register_file(d) || d.registers != 2) return nothing;
  return sources_where(
      c, [&](const OperandFacts& s) { return in_register_file(s) && s.registers == 2 && is_scattered(c, s); });
}

Findings byte_subregister(const RuleContext& c) {
  return dst_if(!is_raw_move(c) && c.dst().direct && c.dst().first % c.exec_bytes > 1);
}
Findings byte_stride(const RuleContext& c) { return dst_if(!is_raw_move(c) && stride_too_small(c)); }

// What can be said without knowing the address: more than 32 bytes of one index cross a register wherever they begin.
Findings index_crosses_register(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s->indirect && s.last - s.first >= grf_bytes; });
}

// Two bytes share a channel, so a channel that is off would keep its neighbour from being written.
Findings packed_bytes_masked(const RuleContext& c) {
  return whole(c.dst().horz == 1 && is_raw_move(c) && c.dst().reg && !c.inst.no_mask);
}

using enum RuleKind;
// clang-format off
constexpr Rule table[] = {
    {"RG-1", G6, {}, t_execute, prohibition, "ExecSize is at most 16 if an operand has dwords, else 32 (table 5-24).",
     too_wide},
    {"RG-2", G6, {}, source_region, permission, "Elements of a source region map to channels row by row.", never},
    {"RG-3", G6, {}, source_region, prohibition, "ExecSize is at least Width.", wider_than_exec_size},
    {"RG-4", G6, {}, source_region, prohibition,
     "If ExecSize = Width and HorzStride is not 0, VertStride = Width * HorzStride.", one_row_vert_stride},
    {"RG-5", G6, {}, source_region, permission, "If ExecSize = Width and HorzStride = 0, VertStride is free.", never},
    {"RG-6", G6, {}, source_region, prohibition, "If Width = 1, HorzStride = 0.", width_1_horz_stride},
    {"RG-7", G6, {}, source_region, prohibition, "If ExecSize = Width = 1, both strides are 0.", one_element_strides},
    {"RG-8", G6, {}, source_region, prohibition, "If both strides are 0, Width = 1.", no_strides_width},
    {"RG-9", G6, {}, dst_region | t_spans, prohibition,
     "A destination stays in one register, unless it has 16 channels of dwords.", dst_crosses},
    {"RG-9.1", G6, {}, dst_region | t_spans, prohibition,
     "A destination of 16 channels of dwords covers exactly two registers.", dst_not_two_registers},
    {"RG-10.1", G6, {}, dst_region, permission,
     "Destination elements are aligned to the execution type, which means 10.1.1 and 10.1.2; exceptions are 10.3 and "
     "10.6.", never},
    {"RG-10.1.1", G6, {}, dst_region | t_dst_register, prohibition,
     "The destination's sub-register is aligned to the execution type.", dst_subregister},
    {"RG-10.1.2", G6, {}, dst_region | t_dst_register, prohibition,
     "The destination's stride in bytes is at least the size of the execution type.", dst_stride},
    {"RG-10.2", G6, {}, dst_region, prohibition, "If ExecSize = 1, the destination's HorzStride is still not 0.",
     dst_stride_0},
    {"RG-10.3", G6, {}, dst_region | t_byte_dst | t_dst_register | t_several, prohibition,
     "Only a raw mov writes packed bytes.", packed_bytes},
    {"RG-10.4", G6, {}, dst_region | t_spans, prohibition,
     "If a source spans two registers and the destination one, the destination lies in one oword or is split evenly "
     "between both.", owords_uneven},
    {"RG-10.4.1", G6, {}, dst_region | t_spans, permission, "10.4 allows a destination within the lower oword.", never},
    {"RG-10.4.2", G6, {}, dst_region | t_spans, permission, "10.4 allows a destination within the upper oword.", never},
    {"RG-10.4.3", G6, {}, dst_region | t_spans, permission, "10.4 allows a destination split evenly between owords.",
     never},
    {"RG-10.5", G6, {}, dst_region | t_spans, prohibition,
     "If source and destination span two registers, each destination register comes from one source register.",
     dst_from_two_registers},
    {"RG-10.6", G6, {}, dst_region | t_byte_dst, permission,
     "Bytes may be written to the lowest or the second lowest byte of their channels.", never},
    {"RG-10.6.1", G6, {}, dst_region | t_byte_dst | t_dst_register, prohibition,
     "A byte destination's sub-register is aligned to the execution type, or one byte above.", byte_subregister},
    {"RG-10.6.2", G6, {}, dst_region | t_byte_dst | t_dst_register, prohibition,
     "A byte destination's stride in bytes is at least the size of the execution type.", byte_stride},
    {"RG-11", G6, {}, source_region | t_spans, prohibition, "A source stays within two adjacent registers.",
     source_over_two_registers},
    {"RG-12.1", G6, {}, t_vxh, prohibition, "An indirect src1 has a single index.", src1_vxh},
    {"RG-12.2", G6, {}, t_vxh, prohibition, "An indirect destination has a single index.", dst_vxh},
    {"RG-12.3", G6, {}, source_region | t_indirect, prohibition, "The elements of one index do not cross a register.",
     index_crosses_register},
    {"RG-12.3.1", G6, {}, source_region | t_indirect, permission,
     "The rows of several indices may lie in as many registers (T19).", never},
    {"RG-13", G6, {}, dst_region | t_byte_dst | t_several, advice,
     "A packed-byte raw move is NoMask when channels may be off (section 5.3.10.2).", packed_bytes_masked,
     "Not broken by a driver: whether channels are off is not to be seen in the instruction."},
};
// clang-format on

}  // namespace

std::span<const Rule> region_rules_gen6() { return table; }

}  // namespace vitro::isa
