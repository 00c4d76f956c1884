// A layout says where the fields of an instruction stand in the 128-bit word of one generation, in which codes their
// values are written, and which bits a format leaves without meaning. Decode, encode and the audit of ignored bits are
// one generic walk over it (encoding.h).
// PRM: Gen6 vol 4 part 2 tables 7-4..7-19; Gen8/9 EU_INSTRUCTION_* structures as the drivers emit them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bits.h"
#include "isa/instruction.h"

namespace vitro::isa {

// A field by its PRM name. Its value is the concatenation of up to four fragments, least significant first, shifted
// left by `shift` (sub-registers and offsets that are stored without their low zero bits).
struct Field {
  std::string_view name;
  std::array<Bits, 4> part{};
  uint8_t shift = 0;
  bool is_signed = false;
  constexpr bool present() const { return part[0].present(); }
  constexpr int width() const {
    int n = 0;
    for (Bits b : part) n += b.present() ? b.width() : 0;
    return n;
  }
};

constexpr Field field(std::string_view name, int hi, int lo, int shift = 0) {
  return {name, {Bits{uint8_t(hi), uint8_t(lo)}}, uint8_t(shift)};
}
constexpr Field operator+(Field f, int by) {
  for (Bits& b : f.part)
    if (b.present()) b = b + by;
  return f;
}

constexpr uint64_t extract(const Word128& w, const Field& f) {
  uint64_t v = 0;
  int at = 0;
  for (Bits b : f.part)
    if (b.present()) v |= extract(w, b) << at, at += b.width();
  v <<= f.shift;
  return f.is_signed ? uint64_t(sign_extend(v, f.width() + f.shift)) : v;
}
constexpr void deposit(Word128& w, const Field& f, uint64_t v) {
  v >>= f.shift;
  for (Bits b : f.part)
    if (b.present()) deposit(w, b, v), v = b.width() < 64 ? v >> b.width() : 0;
}
constexpr Word128 mask(const Field& f) {
  Word128 m;
  for (Bits b : f.part) m |= mask(b);
  return m;
}

inline constexpr uint8_t reserved_code = 0xFE;
using CodeTable = std::array<uint8_t, 16>;  // code -> value, reserved_code where the PRM reserves it

template <class... V>
constexpr CodeTable code_table(V... v) {
  CodeTable t{};
  t.fill(reserved_code);
  size_t n = 0;
  ((t[n++] = uint8_t(v)), ...);
  return t;
}

// One register source of the one- and two-source formats.
struct SourceLayout {
  Field file, type;
  Field subreg, reg, abs, negate, addr_mode, horz_stride, width, vert_stride;
  Field subreg16, chan_sel;                 // Align16
  Field addr_subreg, addr_imm, addr_imm16;  // indirect
};
struct TernarySourceLayout {
  Field abs, negate, replicate, chan_sel, subreg, reg;
};

// Bits a format does not use. A different value from the canonical one changes nothing on the hardware.
struct IgnoredField {
  uint32_t formats;  // set of Format
  std::string_view name;
  Bits bits;
  uint64_t canonical;
  std::string_view reason;
};
template <class... F>
constexpr uint32_t formats(F... f) {
  return ((1u << int(f)) | ... | 0u);
}

struct Layout {
  std::string_view name;

  Field opcode, access_mode, mask_ctrl, no_dd_clr, no_dd_chk, nib_ctrl, qtr_ctrl, thread_ctrl, pred_ctrl, pred_inv,
      exec_size, cond_modifier, acc_wr_ctrl, cmpt_ctrl, debug_ctrl, saturate, flag_subreg, flag_reg;

  // one and two sources
  Field dst_file, dst_type, dst_subreg, dst_reg, dst_horz_stride, dst_addr_mode, dst_subreg16, dst_chan_en,
      dst_addr_subreg, dst_addr_imm, dst_addr_imm16;
  SourceLayout src[2];
  Field imm32, imm64;

  // three sources
  Field ternary_flag_subreg, ternary_flag_reg, ternary_dst_file, ternary_dst_type, ternary_src_type, ternary_src1_half,
      ternary_src2_half, ternary_dst_subreg, ternary_dst_reg, ternary_dst_chan_en;
  TernarySourceLayout ternary_src[3];

  // messages
  Field sfid, eot, desc, send_ex_desc, send_src0_subreg, no_src_dep_set;
  Field desc_beside_register;  // bits that the instruction gives even if the descriptor is in a register
  // split send: its operands have their own places
  Field split_dst_file, split_dst_subreg16, split_dst_addr_imm, split_src1_file, split_src1_reg, split_src0_subreg16,
      split_src0_addr_imm, split_desc_in_register, split_ex_desc_in_register, split_ex_desc_subreg, split_ex_desc_mlen,
      split_ex_desc_high;

  // branches
  Field jip_branch;  // branch, branch_compare and fork
  Field jip, uip;    // both targets of branch_uip and branch_reg_uip
  Field jip_imm;     // jump, call, branch_reg
  int jump_unit;     // bytes per unit of JIP and UIP

  CodeTable reg_files, register_types, immediate_types, ternary_types, ternary_files;
  CodeTable pred_ctrls_align1, pred_ctrls_align16;
  std::span<const IgnoredField> ignored;
};

inline constexpr CodeTable exec_sizes = code_table(1, 2, 4, 8, 16, 32);
inline constexpr CodeTable horz_strides = code_table(0, 1, 2, 4);
inline constexpr CodeTable widths = code_table(1, 2, 4, 8, 16);
inline constexpr CodeTable vert_strides = [] {
  CodeTable t = code_table(0, 1, 2, 4, 8, 16, 32);
  t[15] = Region::vxh;
  return t;
}();
inline constexpr CodeTable vert_strides_align16 = code_table(0, 1, 2, 4, 8, 16, 32);
inline constexpr CodeTable cond_modifiers = code_table(0, 1, 2, 3, 4, 5, 6, reserved_code, 8, 9);
inline constexpr CodeTable thread_ctrls = code_table(0, 1, 2);
inline constexpr CodeTable booleans = code_table(0, 1);

constexpr Word128 canonical_bits(const Layout& l, Format f) {
  Word128 w;
  for (const IgnoredField& i : l.ignored)
    if (i.formats >> int(f) & 1) deposit(w, i.bits, i.canonical);
  return w;
}
constexpr Word128 ignorable_bits(const Layout& l, Format f) {
  Word128 w;
  for (const IgnoredField& i : l.ignored)
    if (i.formats >> int(f) & 1) w |= mask(i.bits);
  return w;
}

// Whether a format leaves the whole field without meaning.
constexpr bool is_ignored(const Layout& l, Format f, const Field& field) {
  return !(mask(field) & ~ignorable_bits(l, f));
}

// The return address and the mask of channels are two dwords in a row. A layout that ignores type and region there has
// them that way whatever is written.
constexpr void settle_return_address(const Layout& l, Format f, Instruction& i) {
  if ((f == Format::call || f == Format::call_absolute) && is_ignored(l, f, l.dst_type)) i.dst.type = Type::d;
  if (f != Format::ret || !is_ignored(l, f, l.src[0].type)) return;
  i.src[0].type = Type::d;
  if (i.access_mode == AccessMode::align1) i.src[0].region = {2, 2, 1};
}

}  // namespace vitro::isa
