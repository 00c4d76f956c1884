// What never moved between Gen6 and Gen9: the places every layout starts from.
// PRM: Gen6 vol 4 part 2 tables 7-4..7-19 and FM-01, confirmed for Gen8 and Gen9 by what the drivers emit.
#pragma once

#include "isa/layout.h"

namespace vitro::isa {

// A source at bit `base`, without its file, type and the split of an indirect address.
constexpr SourceLayout source_common(int base) {
  SourceLayout s{};
  s.subreg = field("SrcSubRegNum", base + 4, base);
  s.reg = field("SrcRegNum", base + 12, base + 5);
  s.abs = field("SrcMod.abs", base + 13, base + 13);
  s.negate = field("SrcMod.negate", base + 14, base + 14);
  s.addr_mode = field("SrcAddrMode", base + 15, base + 15);
  s.horz_stride = field("SrcHorzStride", base + 17, base + 16);
  s.width = field("SrcWidth", base + 20, base + 18);
  s.vert_stride = field("SrcVertStride", base + 24, base + 21);
  s.subreg16 = field("SrcSubRegNum[4]", base + 4, base + 4, 4);
  s.chan_sel = {"SrcChanSel", {Bits{uint8_t(base + 3), uint8_t(base)}, Bits{uint8_t(base + 19), uint8_t(base + 16)}}};
  return s;
}

constexpr Layout layout_common() {
  Layout l{};
  l.opcode = field("Opcode", 6, 0);
  l.access_mode = field("AccessMode", 8, 8);
  l.qtr_ctrl = field("QtrCtrl", 13, 12);
  l.thread_ctrl = field("ThreadCtrl", 15, 14);
  l.pred_ctrl = field("PredCtrl", 19, 16);
  l.pred_inv = field("PredInv", 20, 20);
  l.exec_size = field("ExecSize", 23, 21);
  l.cond_modifier = field("CondModifier", 27, 24);
  l.acc_wr_ctrl = field("AccWrCtrl", 28, 28);
  l.cmpt_ctrl = field("CmptCtrl", 29, 29);
  l.debug_ctrl = field("DebugCtrl", 30, 30);
  l.saturate = field("Saturate", 31, 31);

  l.dst_subreg = field("Dst.SubRegNum", 52, 48);
  l.dst_reg = field("Dst.RegNum", 60, 53);
  l.dst_horz_stride = field("Dst.HorzStride", 62, 61);
  l.dst_addr_mode = field("Dst.AddrMode", 63, 63);
  l.dst_subreg16 = field("Dst.SubRegNum[4]", 52, 52, 4);
  l.dst_chan_en = field("Dst.ChanEn", 51, 48);
  l.src[0] = source_common(64);
  l.src[1] = source_common(96);
  l.imm32 = field("Imm", 127, 96);

  l.ternary_dst_chan_en = field("Dst.ChanEn", 52, 49);
  l.ternary_dst_subreg = field("Dst.SubRegNum", 55, 53, 2);
  l.ternary_dst_reg = field("Dst.RegNum", 63, 56);
  for (int n = 0; n < 3; ++n) {
    TernarySourceLayout& s = l.ternary_src[n];
    s.replicate = field("RepCtrl", 64 + 21 * n, 64 + 21 * n);
    s.chan_sel = field("ChanSel", 72 + 21 * n, 65 + 21 * n);
    s.subreg = field("SubRegNum", 75 + 21 * n, 73 + 21 * n, 2);
    s.reg = field("RegNum", 83 + 21 * n, 76 + 21 * n);
  }

  l.sfid = field("SFID", 27, 24);
  l.eot = field("EOT", 127, 127);
  l.desc = field("Desc", 124, 96);
  l.send_src0_subreg = field("Src0.SubRegNum", 68, 64);
  l.send_ex_desc = {"ExDesc", {}};
  l.no_src_dep_set = {"NoSrcDepSet", {}};
  l.jip_imm = field("JIP", 127, 96);
  l.pred_ctrls_align16 = code_table(0, 1, 2, 3, 4, 5, 6, 7);
  return l;
}

}  // namespace vitro::isa
