// Which modes a program runs in. Compilers set the float modes of cr0.0 in a program's first instructions, once for
// all; code is made for what holds from then on. PRM: control register; Gen8 vol 7 cr0.0 (rounding and denormal modes).
// Writes behind a branch, or of values that are not immediate, are not followed: the interpreter does what comes then.
#include <optional>

#include "eu/jit/jit.h"

namespace vitro::eu::jit {
namespace {

bool is_control(const isa::Operand& o) {
  return o.file == isa::RegFile::arf && !o.indirect && o.reg >> 4 == int(isa::Arf::control) && o.subreg == 0;
}

std::optional<uint32_t> written(const isa::Instruction& i, uint32_t cr0) {
  const uint32_t imm = uint32_t(i.imm);
  switch (i.op) {
    case isa::Op::mov: return i.src[0].file == isa::RegFile::imm ? std::optional(imm) : std::nullopt;
    case isa::Op::or_: return cr0 | imm;
    case isa::Op::and_: return cr0 & imm;
    case isa::Op::xor_: return cr0 ^ imm;
    default: return std::nullopt;
  }
}

bool goes_straight_on(const Plan& p) {
  using isa::Format;
  switch (p.row->format) {
    case Format::nullary:
    case Format::unary:
    case Format::binary:
    case Format::ternary:
    case Format::math: return true;
    case Format::send:
    case Format::split_send: return !p.instruction.eot;
    default: return false;
  }
}

}  // namespace

uint32_t settled_control(const Program& program, uint32_t cr0) {
  for (const Plan& p : program.plans()) {
    if (!p.row || !goes_straight_on(p)) break;
    const isa::Instruction& i = p.instruction;
    if (!has_destination(p.row->format) || !is_control(i.dst)) continue;
    const bool from_itself = i.src[1].file == isa::RegFile::imm && is_control(i.src[0]);
    const bool simple = i.op == isa::Op::mov || from_itself;
    const std::optional<uint32_t> value = simple ? written(i, cr0) : std::nullopt;
    if (!value || i.pred_ctrl != isa::PredCtrl::none) break;
    cr0 = *value;
  }
  return cr0;
}

}  // namespace vitro::eu::jit
