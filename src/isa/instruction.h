// One EU instruction, as it means: the same struct on every generation. Where its fields stand in the 128 bits is the
// business of a layout (layout.h); what they are called in text that of the printer and the parser.
// PRM: Gen6 vol 4 part 2 chapter 7 (field encodings); Gen8/9 EU instruction formats.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"
#include "isa/opcode.h"
#include "isa/types.h"

namespace vitro::isa {

enum class RegFile : uint8_t { arf, grf, mrf, imm };
enum class AccessMode : uint8_t { align1, align16 };
enum class ThreadCtrl : uint8_t { normal, atomic, switch_ };
enum class CondModifier : uint8_t { none, z, nz, g, ge, l, le, reserved7, o, u };

// Predicate control. The code's meaning depends on the access mode (PR-02): 2..5 replicate one component in Align16 and
// combine vertically or by pairs in Align1.
enum class PredCtrl : uint8_t {
  none,
  sequential,
  any_v,  // Align16: .x
  all_v,  // Align16: .y
  any2h,  // Align16: .z
  all2h,  // Align16: .w
  any4h,
  all4h,
  any8h,
  all8h,
  any16h,
  all16h,
  any32h,
  all32h
};

// Strides and width in elements. `vert_stride == vxh`: one address sub-register per row (VxH, Vx1).
struct Region {
  static constexpr uint8_t vxh = 0xFF;
  uint8_t vert_stride = 0, width = 1, horz_stride = 0;
  bool operator==(const Region&) const = default;
};

inline constexpr uint8_t swizzle_xyzw = 0xE4;
inline constexpr uint8_t no_mme = 8;

struct Operand {
  RegFile file = RegFile::arf;
  Type type = Type::ud;
  bool indirect = false;    // AddrMode: register number comes from a0
  uint8_t reg = 0;          // RegNum; an ARF has its kind in bits 7:4
  uint8_t subreg = 0;       // SubRegNum, in bytes
  uint8_t addr_subreg = 0;  // indirect: a0.n
  int16_t addr_imm = 0;     // indirect: bytes added to a0.n
  Region region;            // a destination uses only horz_stride; Align16 only vert_stride
  uint8_t chan_sel = 0;     // Align16 source: swizzle, two bits per channel; math macros: mme register
  uint8_t chan_en = 0;      // Align16 destination: write mask; math macros: mme register
  bool abs = false, negate = false;
  bool replicate = false;  // three-source RepCtrl: one component for all channels
  bool operator==(const Operand&) const = default;
};

// A message descriptor stands in the instruction or in an address register.
struct Descriptor {
  bool in_register = false;
  uint8_t subreg = 0;  // a0.n as text writes it: even for a split send's extended descriptor, else 0
  uint32_t imm = 0;    // with one in a register: bits that take part beside it
  bool operator==(const Descriptor&) const = default;
};

struct Instruction {
  Op op = Op::illegal;

  AccessMode access_mode = AccessMode::align1;
  bool no_mask = false;  // MaskCtrl (WECtrl on Gen6)
  bool no_dd_clr = false, no_dd_chk = false;
  uint8_t qtr_ctrl = 0;
  bool nib_ctrl = false;
  ThreadCtrl thread_ctrl = ThreadCtrl::normal;
  PredCtrl pred_ctrl = PredCtrl::none;
  bool pred_inv = false;
  uint8_t exec_size = 1;  // channels
  CondModifier cond_modifier = CondModifier::none;
  MathFunction math = MathFunction::reserved0;
  bool acc_wr_ctrl = false;
  bool branch_ctrl = false;
  bool no_src_dep_set = false;  // Gen9 send
  bool compacted = false;       // CmptCtrl: stands in the program as 64 bits
  bool debug_ctrl = false;
  bool saturate = false;
  uint8_t flag_reg = 0, flag_subreg = 0;

  Operand dst;
  std::array<Operand, 3> src;
  uint64_t imm = 0;  // the immediate of the source whose file is imm, in its type's width

  int32_t jip = 0, uip = 0;  // bytes from this instruction (jmpi: from the next one; calla: absolute)

  uint8_t sfid = 0;
  bool eot = false;
  Descriptor desc, ex_desc;  // ex_desc.imm without its bits 5:0, which are eot and sfid

  // Bits the hardware does not look at in this instruction, as the difference from their canonical value: kept so that
  // encoding gives back the bytes that were decoded.
  Word128 ignored;

  bool operator==(const Instruction&) const = default;
};

// First channel the instruction works on: QtrCtrl counts eights, NibCtrl adds four (1N..8N).
constexpr int channel_offset(const Instruction& i) { return 8 * i.qtr_ctrl + 4 * i.nib_ctrl; }
constexpr bool is_math_macro(const Instruction& i) {
  return i.op == Op::madm || (i.op == Op::math && (i.math == MathFunction::invm || i.math == MathFunction::rsqtm));
}

// How many of src[] mean something; an immediate target of a branch stands in jip, not in src[0].
inline int source_count(const OpcodeRow& row, const Instruction& i) {
  switch (row.format) {
    case Format::unary:
    case Format::send:
    case Format::wait:
    case Format::ret:
    case Format::fork: return 1;
    case Format::binary:
    case Format::split_send: return 2;
    case Format::ternary: return 3;
    case Format::math: return info(i.math).sources;
    case Format::branch_compare: return i.cond_modifier != CondModifier::none ? 2 : 0;
    case Format::branch_reg:
    case Format::branch_reg_uip:
    case Format::jump:
    case Format::call:
    case Format::call_absolute: return i.src[0].file == RegFile::imm ? 0 : 1;
    case Format::nullary:
    case Format::branch:
    case Format::branch_uip: return 0;
  }
  return 0;
}

}  // namespace vitro::isa
