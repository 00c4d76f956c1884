// How instructions change the modes. Compilers set them with an or, and, xor or mov of an immediate: once at the start,
// and around conversions that round in another way. Such a write is followed; after any other nothing is known.
// PRM: as control.h; write rules of cr0 as arf.cpp.
#include "eu/float_mode.h"

namespace vitro::eu {
namespace {

bool is_control(const isa::Operand& o) {
  return o.file == isa::RegFile::arf && !o.indirect && o.reg >> 4 == int(isa::Arf::control);
}

uint32_t written_value(const Plan& p) {
  const SourcePlan& last = p.src[p.sources - 1];
  return uint32_t(isa::info(last.type).is_signed ? sign_extend(last.imm[0], 8 * isa::size_of(last.type)) : last.imm[0]);
}

}  // namespace

uint32_t mode_bits(const isa::Model& m) {
  uint32_t bits = cr_alt_mode | cr_spf;
  if (m.controls_rounding) bits |= cr_rounding;
  if (m.controls_denormals) bits |= cr_keep_float_denorms | cr_keep_double_denorms | cr_keep_half_denorms;
  return bits;
}

Mode initial_mode(const isa::Model& m, const FloatMode& mode) {
  Mode r{.known = ~0u};
  if (mode.keep_float_denormals) r.bits |= cr_keep_float_denorms;
  if (mode.keep_double_denormals) r.bits |= cr_keep_double_denorms;
  if (mode.keep_half_denormals.value_or(false)) r.bits |= cr_keep_half_denorms;
  if (!mode.keep_half_denormals && m.controls_denormals) r.known &= ~uint32_t(cr_keep_half_denorms);
  r.bits &= mode_bits(m);
  return r;
}

Mode joined(Mode a, Mode b) {
  const uint32_t known = a.known & b.known & ~(a.bits ^ b.bits);
  return {a.bits & known, known};
}

bool writes_control(const Plan& p) {
  return p.row && isa::has_destination(p.row->format) && is_control(p.instruction.dst);
}

bool writes_known_mode(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  const int size = isa::size_of(i.dst.type);
  if (!writes_control(p) || !p.fault.empty() || p.lanes != 1 || !i.no_mask || i.pred_ctrl != isa::PredCtrl::none ||
      i.saturate || i.dst.subreg != 0 || (size != 2 && size != 4) || isa::is_float(i.dst.type))
    return false;
  const int last = p.sources - 1;
  if (last < 0 || p.src[last].kind != SourcePlan::Kind::immediate || isa::is_float(p.src[last].type)) return false;
  switch (i.op) {
    case isa::Op::mov: return true;
    case isa::Op::or_:
    case isa::Op::and_:
    case isa::Op::xor_: {
      const SourcePlan& s = p.src[0];
      return last == 1 && is_control(i.src[0]) && s.kind == SourcePlan::Kind::arf && s.offset[0] == 0 && !s.abs &&
             !s.negate && !s.complement && !isa::is_float(s.type) && isa::size_of(s.type) >= size;
    }
    default: return false;
  }
}

std::optional<uint32_t> changes_only_modes(const isa::Model& m, const Plan& p) {
  if (!writes_known_mode(p) || p.instruction.op == isa::Op::mov || !m.controls_rounding || !m.controls_denormals)
    return {};
  const uint32_t reached = uint32_t(ones(8 * isa::size_of(p.instruction.dst.type)));
  const bool keeps = p.instruction.op == isa::Op::and_;
  const uint32_t value = keeps ? written_value(p) | ~reached : written_value(p) & reached;
  return (keeps ? ~value : value) & ~mode_bits(m) ? std::nullopt : std::optional(value);
}

Mode mode_after(const isa::Model& m, const Plan& p, Mode before) {
  if (p.row && p.instruction.op == isa::Op::fork) {
    before.known &= ~uint32_t(cr_spf);
    return {before.bits & before.known, before.known};
  }
  if (!writes_control(p)) return before;
  Mode after{0, ~mode_bits(m)};
  if (!writes_known_mode(p)) return after;
  const uint32_t value = written_value(p);
  const uint32_t reached = uint32_t(ones(8 * isa::size_of(p.instruction.dst.type)));
  switch (p.instruction.op) {
    case isa::Op::or_: after = {before.bits | value, before.known | value}; break;
    case isa::Op::and_: after = {before.bits & value, before.known | ~value}; break;
    case isa::Op::xor_: after = {before.bits ^ (value & before.known), before.known}; break;
    default: after = {value, ~0u}; break;
  }
  after = {(after.bits & reached) | (before.bits & ~reached), (after.known & reached) | (before.known & ~reached)};
  return {after.bits & mode_bits(m), after.known | ~mode_bits(m)};
}

}  // namespace vitro::eu
