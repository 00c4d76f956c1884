// Gen6 (Sandy Bridge): the encoding walk over its layout.
// PRM: vol 4 part 2 tables 7-4..7-19 (1 and 2 sources), FM-01 (3 sources). Distances count 8 bytes. The endif page puts
// JIP into src1, the format table into dst: the drivers write dst.
#include "isa/encoding.h"
#include "isa/layout_common.h"

namespace vitro::isa {
namespace {

using enum Format;
constexpr uint32_t branches = formats(branch, branch_compare, branch_uip, jump, call, ret, fork);
constexpr uint32_t all_but_nullary = ~formats(nullary) & 0x7FFFFFFF;

// What Mesa's crocus emits is canonical where the document leaves a choice.
constexpr IgnoredField ignored[] = {
    {formats(nullary), "all but opcode", {28, 8}, 0, "no operands, no controls"},
    {formats(nullary), "all but opcode", {31, 31}, 0, "no operands, no controls"},
    {formats(nullary), "operands", {63, 32}, 0, "no operands"},
    {formats(nullary), "operands", {127, 64}, 0, "no operands"},
    {all_but_nullary, "PredInv", {20, 20}, 0, "inverts nothing without a predicate"},
    {all_but_nullary & ~formats(ternary), "FlagSubRegNum", {89, 89}, 0, "no predicate and no condition name a flag"},
    {formats(ternary), "FlagSubRegNum", {33, 33}, 0, "no predicate and no condition name a flag"},
    {formats(unary, math), "Src0 register", {88, 64}, 0, "src0 is an immediate"},
    {formats(unary, math), "Src1.RegFile, Src1.Type", {46, 42}, 0, "absent operand"},
    {formats(unary, math), "Src1", {127, 96}, 0, "absent operand"},
    {branches | formats(send, wait), "AccWrCtrl", {28, 28}, 0, "the accumulator is not written"},
    {formats(send), "Src0 region", {88, 80}, 0, "a payload is whole registers"},
    {formats(send), "Src0.ChanSel[3:0]", {67, 64}, 0, "a payload has no swizzle (Align16)"},
    {formats(send), "Src0.SrcMod", {78, 77}, 0, "a payload has no modifiers"},
    {formats(send), "Src1.Type", {46, 44}, 0, "the descriptor is always :ud"},
    {formats(send), "Src1.SubRegNum", {100, 96}, 0, "the descriptor is a0.0<0;1,0>:ud"},
    {formats(send), "Src1 register", {126, 109}, 0, "the descriptor is a0.0<0;1,0>:ud"},
    {formats(wait), "Dst.RegFile, Dst.Type", {36, 32}, 0, "the destination is the source"},
    {formats(branch, branch_compare, fork),
     "Dst.RegFile, Dst.Type",
     {36, 32},
     0xF,
     "JIP stands for dst, an immediate :w"},
    {formats(branch, branch_compare), "Src0.RegFile, Src0.Type", {41, 37}, 1 << 2, "no source: null:d"},
    {formats(branch, branch_compare), "Src1.RegFile, Src1.Type", {46, 42}, 1 << 2, "no source: null:d"},
    {formats(branch, branch_compare), "Src0", {88, 64}, 0, "no source: null:d"},
    {formats(branch, branch_compare), "Src1", {127, 96}, 0, "no source: null:d"},
    {formats(fork), "Src1.RegFile, Src1.Type", {46, 42}, 0, "no second source"},
    {formats(fork), "Src1", {127, 96}, 0, "no second source"},
    {formats(branch_uip), "Dst.RegFile, Dst.Type", {36, 32}, 0, "the destination is ip, or null"},
    {formats(branch_uip), "Dst", {63, 48}, 0x3400, "the destination is ip, or null"},
    {formats(branch_uip), "Src0.RegFile, Src0.Type", {41, 37}, 0, "src0 is ip, or null"},
    {formats(branch_uip), "Src0", {88, 64}, 0x1400, "src0 is ip, or null"},
    {formats(branch_uip), "Src1.RegFile, Src1.Type", {46, 42}, 0x07, "JIP and UIP stand for an immediate :d"},
    {formats(jump), "Dst.RegFile, Dst.Type", {36, 32}, 0, "the destination is ip"},
    {formats(jump), "Dst", {63, 48}, 0x3400, "the destination is ip"},
    {formats(jump), "Src0.RegFile, Src0.Type", {41, 37}, 0, "src0 is ip"},
    {formats(jump), "Src0", {88, 64}, 0x1400, "src0 is ip"},
    {formats(jump, call), "Src1.Type", {46, 44}, 1, "an immediate target is :d"},
    {formats(call), "Src0.RegFile, Src0.Type", {41, 37}, 0, "no first source"},
    {formats(call), "Src0", {88, 64}, 0x450000, "no first source, written with region <2;2,1>"},
    {formats(ret), "Dst.RegFile, Dst.Type", {36, 32}, 0, "ret writes no register"},
    {formats(ret), "Dst", {63, 48}, 0x2000, "ret writes no register"},
    {formats(ret), "Src1.RegFile, Src1.Type", {46, 42}, 0, "no second source"},
    {formats(ret), "Src1", {127, 96}, 0, "no second source"},
};

constexpr void place_source(SourceLayout& s, uint8_t base, Field file, Field type) {
  s.file = file;
  s.type = type;
  s.addr_subreg = field("SrcAddrSubRegNum", base + 12, base + 10);
  s.addr_imm = {"SrcAddrImm", {Bits{uint8_t(base + 9), base}}, 0, true};
  s.addr_imm16 = {"SrcAddrImm[9:4]", {Bits{uint8_t(base + 9), uint8_t(base + 4)}}, 4, true};
}

constexpr Layout gen6 = [] {
  Layout l = layout_common();
  l.name = "Gen6";
  l.mask_ctrl = field("WECtrl", 9, 9);
  l.no_dd_clr = field("DepCtrl.NoDDClr", 10, 10);
  l.no_dd_chk = field("DepCtrl.NoDDChk", 11, 11);
  l.nib_ctrl = {"NibCtrl", {}};
  l.flag_subreg = field("FlagSubRegNum", 89, 89);
  l.flag_reg = {"FlagRegNum", {}};

  l.dst_file = field("Dst.RegFile", 33, 32);
  l.dst_type = field("Dst.Type", 36, 34);
  l.dst_addr_subreg = field("Dst.AddrSubRegNum", 60, 58);
  l.dst_addr_imm = {"Dst.AddrImm", {Bits{57, 48}}, 0, true};
  l.dst_addr_imm16 = {"Dst.AddrImm[9:4]", {Bits{57, 52}}, 4, true};
  place_source(l.src[0], 64, field("Src0.RegFile", 38, 37), field("Src0.Type", 41, 39));
  place_source(l.src[1], 96, field("Src1.RegFile", 43, 42), field("Src1.Type", 46, 44));
  l.imm64 = {"Imm", {}};

  l.ternary_dst_file = field("Dst.RegFile", 32, 32);
  l.ternary_flag_subreg = field("FlagSubRegNum", 33, 33);
  l.ternary_flag_reg = {"FlagRegNum", {}};
  for (int n = 0; n < 3; ++n) {
    l.ternary_src[n].abs = field("SrcMod.abs", 36 + 2 * n, 36 + 2 * n);
    l.ternary_src[n].negate = field("SrcMod.negate", 37 + 2 * n, 37 + 2 * n);
  }

  l.jip_branch = field("JIP", 63, 48);
  l.jip = field("JIP", 111, 96);
  l.uip = field("UIP", 127, 112);
  l.jump_unit = 8;

  using enum Type;
  l.reg_files = code_table(RegFile::arf, RegFile::grf, RegFile::mrf, RegFile::imm);
  l.register_types = code_table(ud, d, uw, w, ub, b, reserved_code, f);
  l.immediate_types = code_table(ud, d, uw, w, uv, vf, v, f);
  l.ternary_types = code_table(f);  // no type fields: always float
  l.ternary_files = code_table(RegFile::grf, RegFile::mrf);
  l.pred_ctrls_align1 = code_table(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  l.ignored = ignored;
  return l;
}();

}  // namespace
constinit const Encoding encoding_gen6 = encoding_of<gen6>();
}  // namespace vitro::isa
