// Region checks that the documents of two generations state in the same words. Private to validate*.cpp.
// PRM: Gen6 vol 4 part 2 section 5.3.10; Gen9 vol 6 "Register Region Restrictions".
#pragma once

#include "isa/validate_context.h"

namespace vitro::isa {

inline constexpr uint32_t source_region = t_align1 | t_two_sources | t_source;
inline constexpr uint32_t dst_region = t_align1 | t_two_sources | t_dst;

inline int largest_element(const RuleContext& c) {
  int n = c.dst().operand ? c.dst().size : 1;
  for (int s = 0; s < c.sources; ++s) n = std::max<int>(n, c.src(s).size);
  return n;
}

inline Findings wider_than_exec_size(const RuleContext& c) {
  return sources_where(c, [&](const OperandFacts& s) { return c.inst.exec_size < s.width; });
}
inline Findings one_row_vert_stride(const RuleContext& c) {
  return sources_where(c, [&](const OperandFacts& s) {
    return !s.vxh && s.width == c.inst.exec_size && s.horz != 0 && s.vert != s.width * s.horz;
  });
}
inline Findings width_1_horz_stride(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return s.width == 1 && s.horz != 0; });
}
inline Findings one_element_strides(const RuleContext& c) {
  return sources_where(c, [&](const OperandFacts& s) {
    return !s.vxh && c.inst.exec_size == 1 && s.width == 1 && (s.vert != 0 || s.horz != 0);
  });
}
inline Findings no_strides_width(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return !s.vxh && s.vert == 0 && s.horz == 0 && s.width != 1; });
}

inline bool in_register_file(const OperandFacts& o) { return o.direct && (o.grf || o.mrf); }

inline Findings source_over_two_registers(const RuleContext& c) {
  return sources_where(c, [](const OperandFacts& s) { return in_register_file(s) && s.registers > 2; });
}

// Elements at or above a byte of the destination are neither none, nor all, nor half of them.
inline bool splits_unevenly(const RuleContext& c, int boundary) {
  int upper = 0;
  for (int n = 0; n < c.inst.exec_size; ++n) upper += c.dst().element(n) >= boundary;
  return upper != 0 && upper != c.inst.exec_size && 2 * upper != c.inst.exec_size;
}

inline Findings owords_uneven(const RuleContext& c) {
  const OperandFacts& d = c.dst();
  return dst_if(in_register_file(d) && d.registers == 1 &&
                sources_where(c, [](const OperandFacts& s) { return in_register_file(s) && s.registers == 2; }) &&
                splits_unevenly(c, oword));
}

// Some destination register gets its channels from more than one register of a source.
inline bool is_scattered(const RuleContext& c, const OperandFacts& s) {
  const OperandFacts& d = c.dst();
  int from[4] = {-1, -1, -1, -1};
  for (int n = 0; n < c.inst.exec_size; ++n) {
    int& r = from[d.register_of(n) & 3];
    if (r >= 0 && r != s.register_of(n)) return true;
    r = s.register_of(n);
  }
  return false;
}

inline Findings packed_bytes(const RuleContext& c) { return dst_if(c.dst().horz == 1 && !is_raw_move(c)); }
inline Findings src1_vxh(const RuleContext& c) { return c.sources > 1 && c.src(1).vxh ? in_src(1) : nothing; }
inline Findings dst_vxh(const RuleContext& c) { return dst_if(c.dst().vxh); }

}  // namespace vitro::isa
