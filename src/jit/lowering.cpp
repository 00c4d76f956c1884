// Deciding how instructions are compiled. Native code is made where operands lie where whole elements lie and where the
// value domain has the expression; what it does not know is called. PRM: as plan.h; rules for computing in fewer bits
// are arithmetic modulo 2^n. Not native: what scatters (smov, movi, strides of zero), steps of the IEEE macros,
// overflow conditions, floats in ALT mode or when rounding otherwise than to nearest.
#include "jit/analysis.h"

#include <algorithm>

#include "eu/elementary.h"
#include "eu/results.h"
#include "eu/semantics.h"

namespace vitro::jit {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

// Elements lie where whole elements of a register lie, so that a register can be seen as a vector of them.
bool aligned(const std::array<uint16_t, max_channels>& offset, int lanes, int size, int limit) {
  for (int l = 0; l < lanes; ++l)
    if (offset[size_t(l)] % size || offset[size_t(l)] + size > limit) return false;
  return true;
}

// Sums over neighbours look at whole groups; a group that the execution size cuts off is the interpreter's.
int group_of(const Plan& p) { return p.row->has(isa::attr_by_fours) ? 4 : p.row->has(isa::attr_by_twos) ? 2 : 1; }

// Rows with addresses of their own have one channel each, which looks at nothing but its own. A region that the
// register file has no room for is nowhere inside of it, whatever its address.
bool emits_address(const Program& program, const Plan& p, const isa::Operand& o,
                   const std::array<uint16_t, max_channels>& offset, int size) {
  const isa::Model& m = program.model();
  if (m.address_subregs != 16 || m.narrow_address_subregs) return false;
  if (o.file != isa::RegFile::grf || p.instruction.access_mode != isa::AccessMode::align1) return false;
  if (reach_of(offset, p.lanes, size) > file_bytes) return false;
  if (o.region.vert_stride != isa::Region::vxh) return true;
  return o.region.width == 1 && o.addr_subreg + p.lanes <= m.address_subregs && group_of(p) == 1 &&
         !p.row->has(isa::attr_every_channel);
}

bool emits_source(const Program& program, const Plan& p, const SourcePlan& s) {
  const int size = isa::size_of(s.type);
  switch (s.kind) {
    case SourcePlan::Kind::immediate:
    case SourcePlan::Kind::accumulator: return true;
    case SourcePlan::Kind::grf: return aligned(s.offset, p.lanes, size, file_bytes);
    case SourcePlan::Kind::indirect: return emits_address(program, p, *s.operand, s.offset, size);
    case SourcePlan::Kind::arf:
      switch (isa::Arf(s.operand->reg >> 4)) {
        case isa::Arf::flag:
        case isa::Arf::channel_enable:
        case isa::Arf::state: return aligned(s.offset, p.lanes, size, reg_bytes);
        case isa::Arf::address:
          return program.model().address_subregs == 16 && aligned(s.offset, p.lanes, size, reg_bytes);
        default: return false;
      }
    default: return false;
  }
}

bool emits_destination(const Program& program, const Plan& p) {
  const DestinationPlan& d = p.dst;
  const int size = isa::size_of(d.type);
  for (int l = 1; l < p.lanes; ++l)  // a stride of zero: the last channel that runs wins
    if (d.offset[size_t(l)] <= d.offset[size_t(l - 1)]) return false;
  switch (d.kind) {
    case DestinationPlan::Kind::null:
    case DestinationPlan::Kind::accumulator: return true;
    case DestinationPlan::Kind::grf: return aligned(d.offset, p.lanes, size, file_bytes);
    case DestinationPlan::Kind::indirect: return emits_address(program, p, p.instruction.dst, d.offset, size);
    case DestinationPlan::Kind::mrf: return aligned(d.offset, p.lanes, size, mrf_count * reg_bytes);
    case DestinationPlan::Kind::arf:
      switch (isa::Arf(p.instruction.dst.reg >> 4)) {
        case isa::Arf::flag: return aligned(d.offset, p.lanes, size, 4);
        case isa::Arf::address:
          return program.model().address_subregs == 16 && !program.model().narrow_address_subregs &&
                 aligned(d.offset, p.lanes, size, reg_bytes);
        case isa::Arf::notification:  // which programs clear before they wait
          return p.lanes == 1 && p.instruction.no_mask && p.predicate == Plan::Predicate::none && size == 4 &&
                 aligned(d.offset, 1, 4, int(sizeof Thread::notify));
        default: return false;
      }
    default: return false;
  }
}

// Bits that hold a source's exact value as a signed number.
int bits_of(const SourcePlan& s) {
  if (s.kind == SourcePlan::Kind::accumulator) return 65;
  const int size = 8 * isa::size_of(s.type);
  return size + (!isa::info(s.type).is_signed || s.abs || s.negate);
}
// Whether a source's exact value is a signed or an unsigned number of so many bits.
bool fits(const SourcePlan& s, int bits, bool is_unsigned) {
  const int size = 8 * isa::size_of(s.type);
  const bool is_signed = isa::info(s.type).is_signed;
  const bool modified = s.abs || s.negate || s.complement;
  if (s.kind == SourcePlan::Kind::accumulator) return bits == 64 && !is_unsigned && !modified;
  if (s.kind == SourcePlan::Kind::immediate && s.imm_count == 1 && size == bits && !modified &&
      is_signed == is_unsigned)
    return !(s.imm[0] >> (bits - 1) & 1);
  if (is_unsigned) return !is_signed && !modified && size <= bits;
  return bits_of(s) <= bits;
}

// Bits that hold the exact result as a signed number; 128: not known to be few.
int result_bits(const Plan& p) {
  int widest = 1, sum = 0;
  for (int n = 0; n < p.sources; ++n) {
    const int bits = bits_of(p.src[n]);
    widest = std::max(widest, bits);
    sum += bits;
  }
  switch (p.instruction.op) {
    case Op::mov:
    case Op::sel:
    case Op::asr: return widest;
    case Op::add: return widest + 1;
    case Op::avg:
    case Op::sad2: return widest + 2;
    case Op::mul: return sum;
    default: return 128;
  }
}

// The low bits of the result depend on nothing but the low bits of the sources; of a choice, if nothing is compared.
bool is_modular(const Plan& p) {
  const bool compares = p.row->has(isa::attr_selects) && p.instruction.cond_modifier != CondModifier::none;
  return p.row->has(isa::attr_dwords) || (p.row->has(isa::attr_low_bits) && !compares);
}

Width integer_width(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  const bool tests = is_test(i.op);
  const Accumulates acc = accumulates(p);
  int widest = tests ? 4 : isa::size_of(p.dst.type);
  bool whole_slot = false;  // of an accumulator more than the low bits count
  for (int n = 0; n < p.sources; ++n) {
    widest = std::max(widest, isa::size_of(p.src[n].type));
    if (p.src[n].kind == SourcePlan::Kind::accumulator) whole_slot = whole_slot || p.src[n].abs;
  }
  const bool whole = !tests && (i.saturate || isa::is_float(p.dst.type));
  if (p.row->has(isa::attr_dwords) && (widest > 4 || whole || acc.writes || whole_slot)) return {};
  // slots hold 64 bits
  if (acc.reads || acc.writes || whole_slot) return p.compute == Compute::i64 ? Width{64, false} : Width{};
  for (int bits : {32, 64}) {
    if (bits < 8 * widest) continue;
    if (is_modular(p) && !whole) return {bits, false};
    if (result_bits(p) <= bits) return {bits, false};
    if (p.row->has(isa::attr_ordered) && !(whole && i.saturate))
      for (bool is_unsigned : {false, true}) {
        bool all = true;
        for (int n = 0; n < p.sources; ++n) all = all && fits(p.src[n], bits, is_unsigned);
        if (all) return {bits, is_unsigned};
      }
  }
  // what the interpreter itself computes in 64 bits
  return p.compute == Compute::i64 ? Width{64, false} : Width{};
}

// Of numbers of 32 bits, which a division of doubles gives exactly.
bool emits_division(const Plan& p, Width& width) {
  if (p.instruction.saturate || isa::size_of(p.dst.type) != 4 || isa::is_float(p.dst.type)) return false;
  for (bool is_unsigned : {false, true})
    if (fits(p.src[0], 32, is_unsigned) && fits(p.src[1], 32, is_unsigned)) {
      width = {32, is_unsigned};
      return true;
    }
  return false;
}

bool emits_math(const Plan& p, Width& width) {
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (accumulates(p).writes) return false;
  const isa::MathFunction f = p.instruction.math;
  if (info(f).kind == isa::MathKind::division) return !floats && emits_division(p, width);
  return floats && (is_quotient_or_root(f) || (elementary_index(f) && p.src[0].type != Type::df));
}

// Whether the instruction's floats are computed as the modes say, and these are what code does: round to nearest, keep
// or flush denormals as is known beforehand. Functions round to nearest in any mode.
bool emits_in(const isa::Model& m, const Plan& p, Mode mode) {
  uint32_t denormals = 0;
  const auto ask = [&](Type t) { denormals |= denormals_kept_by(t); };
  ask(p.dst.type);
  for (int n = 0; n < p.sources; ++n) ask(p.src[n].type);
  if (const Accumulates acc = accumulates(p); acc.reads || acc.writes) ask(acc.type);
  if (!denormals) return true;
  if (!mode.is_clear(cr_alt_mode) || (m.controls_denormals && !mode.knows(denormals))) return false;
  return p.instruction.op == Op::math || mode.is_clear(cr_rounding);
}

// line, pln: the sources stand in registers, which are all there. Which of them are read, dependence() tells, but for
// addresses it cannot know.
bool emits_plane(const Plan& p) {
  const SourcePlan &a = p.src[0], &b = p.src[1];
  if (is_indirect(p) || a.kind != SourcePlan::Kind::grf || p.compute != Compute::f32) return false;
  if (!p.row->has(isa::attr_register_pairs)) return true;
  const int last = p.lanes > 8 ? 4 : 2;
  return b.kind == SourcePlan::Kind::grf && b.offset[0] % 4 == 0 && b.offset[0] + last * reg_bytes <= file_bytes &&
         p.lanes <= 16;
}

// Accumulators whose slots are the lanes', each lane its own, in a type that the slots hold as code computes it.
bool emits_accumulator(const Plan& p) {
  const Accumulates acc = accumulates(p);
  if (!acc.reads && !acc.writes) return true;
  if (p.lanes > 2 * slots_per_register(acc.type)) return false;
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (floats != isa::is_float(acc.type) || p.compute == Compute::i128) return false;
  if (acc.explicit_destination)
    for (int l = 1; l < p.lanes; ++l)
      if (acc.slot(p, l) <= acc.slot(p, l - 1)) return false;
  return true;
}

bool emits(const Program& program, const Plan& p, Mode mode, Width& width) {
  const isa::Instruction& i = p.instruction;
  if (isa::is_math_macro(i) || (i.cond_modifier == CondModifier::o && i.op != Op::math)) return false;
  if (p.row->has(isa::attr_irregular)) return false;
  if (p.channel + p.lanes > max_channels) return false;  // some are none
  if (!isa::has_destination(p.row->format)) return false;
  if (!emits_in(program.model(), p, mode) || p.lanes % group_of(p) || !emits_accumulator(p)) return false;
  for (int n = 0; n < p.sources; ++n)
    if (!emits_source(program, p, p.src[n])) return false;
  if (!emits_destination(program, p)) return false;
  if (i.op == Op::math) return emits_math(p, width);
  if (p.row->has(isa::attr_plane) && !emits_plane(p)) return false;
  const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
  if (!has_expression(i.op, floats)) return false;
  if (floats) return true;
  width = integer_width(p);
  return width.bits != 0;
}

bool emits_jump(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  switch (i.op) {
    case Op::if_:
    case Op::while_: return p.sources == 0;
    case Op::else_:
    case Op::endif:
    case Op::break_:
    case Op::cont:
    case Op::halt:
    case Op::goto_: return true;
    case Op::join: return i.pred_ctrl == isa::PredCtrl::none;
    case Op::jmpi: return i.src[0].file == isa::RegFile::imm;
    default: return false;
  }
}

Lowering lower_flow(const Plan& p, Mode mode) {
  const Op op = p.instruction.op;
  if (op == Op::fork || (op != Op::jmpi && !mode.is_clear(cr_spf))) return Lowering::left;
  return emits_jump(p) ? Lowering::jump : Lowering::branch;
}

}  // namespace

Lowering lower(const Program& program, const Plan& p, Mode mode, Width& width) {
  if (!p.row || !p.fault.empty()) return Lowering::left;
  const isa::Instruction& i = p.instruction;
  if (i.op == Op::nop || i.op == Op::nenop) return Lowering::emitted;
  if (i.op == Op::illegal) return Lowering::left;
  switch (p.row->format) {
    case isa::Format::send:
    case isa::Format::split_send:
    case isa::Format::wait: return Lowering::message;
    default: break;
  }
  if (p.row->format > isa::Format::wait) return lower_flow(p, mode);
  // what it may do to ip or to exceptions is seen to outside
  if (writes_control(p)) return writes_known_mode(p) ? Lowering::called : Lowering::left;
  if (p.dst.kind == DestinationPlan::Kind::arf && is_arf(i.dst.reg, isa::Arf::ip)) return Lowering::left;
  // without a clock the time is the count of instructions, which stands outside
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::arf && is_arf(p.src[n].operand->reg, isa::Arf::timestamp))
      return Lowering::left;
  return emits(program, p, mode, width) ? Lowering::emitted : Lowering::called;
}

}  // namespace vitro::jit
