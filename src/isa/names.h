// Words of the assembly language that printer and parser share, indexed by code.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/instruction.h"

namespace vitro::isa {

inline constexpr std::array<std::string_view, 10> cond_names{"", "eq", "ne", "gt", "ge", "lt", "le", "", "ov", "un"};
// PredCtrl 2 and up; the first four differ by access mode.
inline constexpr std::array<std::string_view, 14> pred_names_align1{"",       "",       "anyv",   "allv",  "any2h",
                                                                    "all2h",  "any4h",  "all4h",  "any8h", "all8h",
                                                                    "any16h", "all16h", "any32h", "all32h"};
inline constexpr std::array<std::string_view, 8> pred_names_align16{"", "", "x", "y", "z", "w", "any4h", "all4h"};
inline constexpr std::string_view channel_letters = "xyzw";

// {options}: a flag of the instruction, or a value of ThreadCtrl.
struct OptionName {
  std::string_view name;
  bool Instruction::*flag;
  ThreadCtrl thread;
};
inline constexpr OptionName option_names[] = {
    {"AccWrEn", &Instruction::acc_wr_ctrl, ThreadCtrl::normal},
    {"Atomic", nullptr, ThreadCtrl::atomic},
    {"Breakpoint", &Instruction::debug_ctrl, ThreadCtrl::normal},
    {"Compacted", &Instruction::compacted, ThreadCtrl::normal},
    {"EOT", &Instruction::eot, ThreadCtrl::normal},
    {"NoDDChk", &Instruction::no_dd_chk, ThreadCtrl::normal},
    {"NoDDClr", &Instruction::no_dd_clr, ThreadCtrl::normal},
    {"NoSrcDepSet", &Instruction::no_src_dep_set, ThreadCtrl::normal},
    {"Switch", nullptr, ThreadCtrl::switch_},
};

// Three-source instructions and math macros exist only in Align16, so text does not say it.
constexpr AccessMode implied_access_mode(const OpcodeRow& row, const Instruction& i) {
  return row.format == Format::ternary || is_math_macro(i) ? AccessMode::align16 : AccessMode::align1;
}

// Region a register target of a branch has when none is written.
constexpr Region implied_target_region(Format f) {
  return f == Format::ret || f == Format::branch_reg_uip ? Region{2, 2, 1} : Region{0, 1, 0};
}

// A 64-bit scalar of a three-source instruction is not replicated but swizzled: RepCtrl knows only 32-bit channels.
inline constexpr uint8_t swizzle_xyxy = 0x44;

// Vertical stride of a math macro's source that names an mme register: four dwords, or two quadwords.
constexpr uint8_t macro_vert_stride(Type t) { return size_of(t) == 8 ? 2 : 4; }

}  // namespace vitro::isa
