// The Gen8 layout, which Gen9 extends by split sends, a longer descriptor and half-precision sub-registers.
// PRM: Gen8 vol 2a prints the Gen7 places of the three-source fields; these are the ones the drivers emit and Intel's
// assembler writes. All ignored fields were found in real driver output, with Intel's assembler as the judge of the
// canonical value.
#pragma once

#include "isa/layout_common.h"

namespace vitro::isa {

constexpr void place_source_gen8(SourceLayout& s, uint8_t base, Field file, Field type, Bits addr_imm_sign) {
  s.file = file;
  s.type = type;
  s.addr_subreg = field("SrcAddrSubRegNum", base + 12, base + 9);
  s.addr_imm = {"SrcAddrImm", {Bits{uint8_t(base + 8), base}, addr_imm_sign}, 0, true};
  s.addr_imm16 = {"SrcAddrImm[9:4]", {Bits{uint8_t(base + 8), uint8_t(base + 4)}, addr_imm_sign}, 4, true};
}

using enum Format;
inline constexpr uint32_t formats_all_but_nullary = ~formats(nullary) & 0x7FFFFFFF;

inline constexpr IgnoredField ignored_gen8[] = {
    {formats(nullary), "all but opcode", {28, 8}, 0, "no operands, no controls"},
    {formats(nullary), "all but opcode", {31, 31}, 0, "no operands, no controls"},
    {formats(nullary), "operands", {63, 32}, 0, "no operands"},
    {formats(nullary), "operands", {127, 64}, 0, "no operands"},
    {formats_all_but_nullary, "PredInv", {20, 20}, 0, "inverts nothing without a predicate"},
    {formats_all_but_nullary, "FlagRegNum", {33, 32}, 0, "no predicate and no condition name a flag"},
    {formats(unary, math), "Src0 register", {88, 64}, 0, "src0 is an immediate"},
    {formats(unary), "Src1.RegFile, Src1.Type", {94, 89}, 0, "absent operand"},
    {formats(unary), "Src1", {127, 96}, 0, "absent operand"},
    {formats(math), "Src1.RegFile, Src1.Type", {94, 89}, 0, "absent operand of a one-source function"},
    {formats(math), "Src1", {127, 96}, 0, "absent operand of a one-source function"},
    {formats(ternary), "Src1Type, Src2Type", {36, 35}, 0, "only floats mix their sizes"},
    {formats(send, split_send, branch, branch_reg, branch_reg_uip, jump, call, call_absolute, ret, wait),
     "AccWrCtrl",
     {28, 28},
     0,
     "the accumulator is not written"},
    {formats(branch_uip), "AccWrCtrl", {28, 28}, 0, "BranchCtrl only on if, else and goto"},
    {formats(send), "Src0 region", {88, 80}, 0, "a payload is whole registers"},
    {formats(send), "Src0.SrcMod", {78, 77}, 0, "a payload has no modifiers"},
    {formats(send), "Src1.Type", {94, 91}, 0, "the descriptor is always :ud"},
    {formats(send), "Src1 register", {126, 109}, 0, "the descriptor is a0.0<0;1,0>:ud"},
    {formats(send), "Src1.SubRegNum", {100, 96}, 0, "the descriptor is a0.0<0;1,0>:ud"},
    {formats(wait), "Src1.RegFile, Src1.Type", {94, 89}, 0, "there is no second source"},
    {formats(wait), "Src1", {127, 96}, 0, "there is no second source"},
    {formats(wait), "Dst.RegFile, Dst.Type", {40, 35}, 0, "the destination is the source"},
    {formats(branch, branch_uip, ret), "Dst.RegFile, Dst.Type", {40, 35}, 0, "a branch writes no register"},
    {formats(branch, branch_uip, ret), "Dst", {63, 47}, 0x2000 << 1, "a branch writes no register"},
    {formats(branch), "Src0.RegFile, Src0.Type", {46, 41}, 0, "no source"},
    {formats(branch), "Src0", {88, 64}, 0, "no source"},
    {formats(branch), "Src1.RegFile, Src1.Type", {94, 89}, 0x07, "JIP stands for src1, an immediate :d"},
    {formats(branch_uip), "Src0.RegFile, Src0.Type", {46, 41}, 0x07, "JIP and UIP stand for an immediate :d"},
    {formats(branch_reg, branch_reg_uip), "Dst.RegFile, Dst.Type", {40, 35}, 0x04, "the destination is ip"},
    {formats(branch_reg, branch_reg_uip), "Dst", {63, 47}, 0x3400 << 1, "the destination is ip"},
    {formats(branch_reg, branch_reg_uip), "Src0.Type", {46, 43}, 1, "an immediate target is :d"},
    {formats(branch_reg), "Src0", {95, 64}, 0, "the target is the immediate"},
    {formats(branch_reg, branch_reg_uip), "Src1.RegFile, Src1.Type", {94, 89}, 0, "no second source"},
    {formats(branch_reg, branch_reg_uip), "Src1", {127, 96}, 0, "no second source"},
    {formats(jump), "Dst.RegFile, Dst.Type", {40, 35}, 0, "the destination is ip"},
    {formats(jump), "Dst", {63, 47}, 0x3400 << 1, "the destination is ip"},
    {formats(jump), "Src0.RegFile, Src0.Type", {46, 41}, 0, "src0 is ip"},
    {formats(jump), "Src0", {88, 64}, 0x1400, "src0 is ip"},
    {formats(jump, call, call_absolute), "Src1.Type", {94, 91}, 1, "an immediate target is :d"},
    {formats(call, call_absolute), "Src0.RegFile, Src0.Type", {46, 41}, 0, "no first source"},
    {formats(call), "Src0", {88, 64}, 0, "no first source"},
    {formats(call_absolute), "Src0", {88, 64}, 0x450000, "no first source, written with the region <2;2,1>"},
    {formats(call, call_absolute), "Dst.Type", {40, 37}, 1, "the return address and the mask are dwords"},
    {formats(ret), "Src0.Type", {46, 43}, 1, "the return address and the mask are dwords"},
    {formats(ret), "Src0 region", {88, 80}, 0x45, "the return address and the mask are two dwords in a row"},
    {formats(ret), "Src1.RegFile, Src1.Type", {94, 89}, 0, "no second source"},
    {formats(ret), "Src1", {127, 96}, 0, "no second source"},
};

constexpr Layout layout_gen8() {
  Layout l = layout_common();
  l.name = "Gen8";
  l.no_dd_clr = field("DepCtrl.NoDDClr", 9, 9);
  l.no_dd_chk = field("DepCtrl.NoDDChk", 10, 10);
  l.nib_ctrl = field("NibCtrl", 11, 11);
  l.flag_subreg = field("FlagSubRegNum", 32, 32);
  l.flag_reg = field("FlagRegNum", 33, 33);
  l.mask_ctrl = field("MaskCtrl", 34, 34);

  l.dst_file = field("Dst.RegFile", 36, 35);
  l.dst_type = field("Dst.Type", 40, 37);
  l.dst_addr_subreg = field("Dst.AddrSubRegNum", 60, 57);
  l.dst_addr_imm = {"Dst.AddrImm", {Bits{56, 48}, Bits{47, 47}}, 0, true};
  l.dst_addr_imm16 = {"Dst.AddrImm[9:4]", {Bits{56, 52}, Bits{47, 47}}, 4, true};
  place_source_gen8(l.src[0], 64, field("Src0.RegFile", 42, 41), field("Src0.Type", 46, 43), {95, 95});
  place_source_gen8(l.src[1], 96, field("Src1.RegFile", 90, 89), field("Src1.Type", 94, 91), {121, 121});
  l.imm64 = field("Imm", 127, 64);

  l.ternary_flag_subreg = l.flag_subreg;
  l.ternary_flag_reg = l.flag_reg;
  l.ternary_src2_half = field("Src2Type", 35, 35);
  l.ternary_src1_half = field("Src1Type", 36, 36);
  l.ternary_src_type = field("SrcType", 45, 43);
  l.ternary_dst_type = field("DstType", 48, 46);
  for (int n = 0; n < 3; ++n) {
    TernarySourceLayout& s = l.ternary_src[n];
    s.abs = field("SrcMod.abs", 37 + 2 * n, 37 + 2 * n);
    s.negate = field("SrcMod.negate", 38 + 2 * n, 38 + 2 * n);
  }

  l.jip_branch = l.jip = l.jip_imm;
  l.uip = field("UIP", 95, 64);
  l.jump_unit = 1;

  using enum Type;
  l.reg_files = code_table(RegFile::arf, RegFile::grf, reserved_code, RegFile::imm);
  l.register_types = code_table(ud, d, uw, w, ub, b, df, f, uq, q, hf);
  l.immediate_types = code_table(ud, d, uw, w, uv, vf, v, f, uq, q, df, hf);
  l.ternary_types = code_table(f, d, ud, df, hf);
  l.ternary_files = code_table(RegFile::grf);
  l.pred_ctrls_align1 = code_table(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  l.ignored = ignored_gen8;
  return l;
}

}  // namespace vitro::isa
