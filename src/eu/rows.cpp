// Which instructions have the common shape that rows.h computes, decided once, when a plan is made. PRM: as
// rows.h.
#include "eu/rows.h"

#include "eu/semantics.h"

namespace vitro::eu {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

bool plan_row_source(const Plan& p, const SourcePlan& s, RowSource& r) {
  const bool floats = p.compute == Compute::f32;
  const bool fits = floats ? s.type == Type::f : s.type == Type::d || s.type == Type::ud;
  const auto modified = [&](float x) {
    modify(s, [&](auto f) { x = f(Num<float>{x}).v; });
    return std::bit_cast<uint32_t>(x);
  };
  r.keep = (modified(1) ^ modified(-1)) | 0x7FFFFFFF;
  r.flip = modified(1) & 0x80000000;
  r.modified = s.abs || s.negate || s.complement;
  r.sign = s.type == Type::d ? 0x80000000 : 0;
  if (s.kind == SourcePlan::Kind::immediate) {
    if (s.imm_count != 1 || (floats && !fits)) return false;
    r.same = r.given = true;
    r.value = int64_t(s.imm[0]);
    if (!floats)
      with_element<int64_t>(s.type, [&]<class E>() {
        E e;
        std::memcpy(&e, s.imm.data(), sizeof e);
        r.value = widen<int64_t>(e);
      });
    return true;
  }
  r.offset = s.offset[0];
  r.same = s.scalar;
  return fits && s.kind == SourcePlan::Kind::grf && (s.scalar || s.contiguous);
}

bool plan_row_destination(const Plan& p, RowPlan& r) {
  const DestinationPlan& d = p.dst;
  r.dst = d.offset[0];
  r.nowhere = d.kind == DestinationPlan::Kind::null;
  if (isa::size_of(d.type) != 4) return false;
  return r.nowhere ||
         (d.kind == DestinationPlan::Kind::grf && d.contiguous && (d.channel_enable & p.lane_mask) == p.lane_mask);
}

}  // namespace

void plan_rows(const isa::Model& m, Plan& p) {
  RowPlan& r = p.rows;
  const isa::Instruction& i = p.instruction;
  const bool floats = p.compute == Compute::f32;
  if (!isa::has_destination(p.row->format) || (!floats && p.compute != Compute::i64)) return;
  if (p.lanes % chunk || i.acc_wr_ctrl || p.row->has(isa::attr_acc_source)) return;
  for (int n = 0; n < p.sources; ++n)
    if (!plan_row_source(p, p.src[n], r.src[n])) return;
  if (!plan_row_destination(p, r)) return;
  // the truth a comparison writes has no type; else only mov converts between floats and integers here
  const bool compares = is_test(i.op);
  const bool converts = floats != (p.dst.type == Type::f);
  if (converts && !compares && i.op != Op::mov) return;
  if (!compares && i.saturate && p.dst.type != Type::f && !floats) return;
  if (i.cond_modifier == CondModifier::o) return;
  r.writes_condition = i.cond_modifier != CondModifier::none && !compares && !p.row->has(isa::attr_reads_flag);
  r.saturate = i.saturate;
  r.least = keeps_denormals(p, m, p.src[0]) ? 0 : float(least_normal(Type::f));
  r.keep_denormals = m.controls_denormals ? uint32_t(cr_keep_float_denorms) : 0;
  r.possible = true;
}

}  // namespace vitro::eu
