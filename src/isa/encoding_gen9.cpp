// Gen9 (Kaby Lake, Apollo Lake): Gen8's layout with split sends, a 31-bit descriptor, extended descriptors in plain
// sends, and word sub-registers of three-source operands.
#include "isa/encoding.h"
#include "isa/layout_gen8.h"

namespace vitro::isa {
namespace {

constexpr IgnoredField ignored_gen9_only[] = {
    {formats(split_send), "Desc[28:0]", {124, 96}, 0, "the descriptor is in a0.0"},
    {formats(split_send), "SFID", {27, 24}, 0, "the extended descriptor is in a register"},
    {formats(split_send), "ExDesc", {67, 64}, 0, "the extended descriptor is in a register"},
    {formats(split_send), "ExDesc", {95, 83}, 0, "the extended descriptor is in a register"},
};

// Unlike on Gen8, Intel's assembler writes the absent source of a call with a region, <2;2,1>.
constexpr uint64_t call_src0 = 0x450000;

constexpr auto ignored_gen9 = [] {
  std::array<IgnoredField, std::size(ignored_gen8) + std::size(ignored_gen9_only)> rows{};
  size_t n = 0;
  for (const IgnoredField& r : ignored_gen8) {
    rows[n] = r;
    if (r.formats == formats(call) && r.bits == Bits{88, 64}) rows[n].canonical = call_src0;
    ++n;
  }
  for (const IgnoredField& r : ignored_gen9_only) rows[n++] = r;
  return rows;
}();

constexpr Layout gen9 = [] {
  Layout l = layout_gen8();
  l.name = "Gen9";
  l.desc = field("Desc", 126, 96);
  // Hardware copies 28:0 of a0.0 only; IGC sets bit 30 here (half floats).
  l.desc_beside_register = field("Desc[30:29]", 126, 125, 29);
  l.send_ex_desc = {"ExDesc", {Bits{67, 64}, Bits{83, 80}, Bits{88, 85}, Bits{94, 91}}, 16};
  l.send_src0_subreg = field("Src0.SubRegNum[4]", 68, 68, 4);
  l.no_src_dep_set = field("NoSrcDepSet", 28, 28);
  // bit 1 of the sub-register, for halves: beside each source in a place of its own
  for (int n = 0; n < 3; ++n) {
    const uint8_t low = uint8_t(84 + 21 * n), sub = uint8_t(73 + 21 * n);
    l.ternary_src[n].subreg = {"SubRegNum", {Bits{low, low}, Bits{uint8_t(sub + 2), sub}}, 1};
  }
  l.split_dst_file = field("Dst.RegFile", 35, 35);
  l.split_src1_file = field("Src1.RegFile", 36, 36);
  l.split_src1_reg = field("Src1.RegNum", 51, 44);
  l.split_dst_subreg16 = field("Dst.SubRegNum[4]", 52, 52, 4);
  l.split_dst_addr_imm = {"Dst.AddrImm[9:4]", {Bits{56, 52}, Bits{62, 62}}, 4, true};
  l.split_ex_desc_in_register = field("SelReg32ExDesc", 61, 61);
  l.split_ex_desc_mlen = field("ExDesc[9:6]", 67, 64, 6);
  l.split_src0_subreg16 = field("Src0.SubRegNum[4]", 68, 68, 4);
  l.split_src0_addr_imm = {"Src0.AddrImm[9:4]", {Bits{72, 68}, Bits{78, 78}}, 4, true};
  l.split_desc_in_register = field("SelReg32Desc", 77, 77);
  l.split_ex_desc_high = field("ExDesc[31:16]", 95, 80, 16);
  l.split_ex_desc_subreg = field("ExDescAddrSubRegNum", 82, 80);
  l.ignored = ignored_gen9;
  return l;
}();

}  // namespace
constinit const Encoding encoding_gen9 = encoding_of<gen9>();
}  // namespace vitro::isa
