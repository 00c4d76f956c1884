// The tables of instruction compaction for Gen6, Gen8 and Gen9, and where their bits stand in the native word.
// Gen6: the four tables of the Gen6 PRM's section on compact instructions (CP-01, CP-02, T22). Gen8 and Gen9: as the
// hardware of these generations has them; Gen8's and Gen9's differ only in the width of the three-source entries.
// Deliberately not modelled: the Gen6 PRM's note that a 16-bit immediate is replicated into both words, which
// contradicts its own rule of sign extension; the latter is what compilers emit.
#include <initializer_list>
#include <span>

#include "isa/compaction.h"

namespace vitro::isa {

namespace {

// Saturate, ExecSize, PredInv, PredCtrl, ThreadCtrl, QtrCtrl, DepCtrl, WECtrl (NoMask), AccessMode.
constexpr uint32_t control_gen6[] = {
    0b0'000'0'0000'00'00'00'0'0,  // 0
    0b0'100'0'0000'00'00'00'0'0,  // 1
    0b0'011'0'0000'00'00'00'0'0,  // 2
    0b0'000'0'0001'00'00'00'0'0,  // 3
    0b0'001'0'0000'00'00'00'0'0,  // 4
    0b0'000'1'0001'00'00'00'0'0,  // 5
    0b0'000'0'0001'00'00'00'1'0,  // 6
    0b0'000'0'0000'00'00'00'1'0,  // 7
    0b0'100'0'0001'00'00'00'0'0,  // 8
    0b0'101'0'0000'00'00'00'0'0,  // 9
    0b1'011'0'0000'00'00'00'0'0,  // 10
    0b0'010'0'0000'00'00'00'0'0,  // 11
    0b1'101'0'0000'00'00'00'0'0,  // 12
    0b1'100'0'0000'00'00'00'0'0,  // 13
    0b0'100'1'0001'00'00'00'0'0,  // 14
    0b0'100'0'0000'00'00'10'0'0,  // 15
    0b0'100'0'0000'00'00'01'0'0,  // 16
    0b0'000'0'0000'00'00'10'0'0,  // 17
    0b0'000'0'0000'00'00'01'0'0,  // 18
    0b0'011'1'0001'00'00'00'0'0,  // 19
    0b0'000'1'0001'00'00'00'1'0,  // 20
    0b0'011'0'0001'00'00'00'0'0,  // 21
    0b0'011'0'0000'00'00'00'0'1,  // 22
    0b0'010'0'0000'00'00'00'0'1,  // 23
    0b0'011'0'0000'00'00'00'1'0,  // 24
    0b0'011'0'0000'00'00'01'0'1,  // 25
    0b0'011'0'0000'00'00'10'0'1,  // 26
    0b0'011'0'0000'00'01'00'0'0,  // 27
    0b0'011'0'0000'00'00'00'1'1,  // 28
    0b0'011'0'0000'00'00'01'0'0,  // 29
    0b0'011'0'0001'00'00'10'0'0,  // 30
    0b0'010'0'0000'00'00'10'0'1,  // 31
};

// Dst.AddrMode, Dst.HorzStride; type and file of src1, src0, dst. Named here: dst, src0, src1.
constexpr uint32_t data_type_gen6[] = {
    0b0'01'001'11'000'00'000'00,  // 0: arf:ud, arf:ud, imm:d
    0b0'01'000'11'000'01'000'00,  // 1: arf:ud, grf:ud, imm:ud
    0b0'01'001'11'000'00'000'01,  // 2: grf:ud, arf:ud, imm:d
    0b0'01'000'00'000'11'000'00,  // 3: arf:ud, imm:ud, arf:ud
    0b0'01'010'11'010'01'010'01,  // 4: grf:uw, grf:uw, imm:uw
    0b0'01'000'00'011'01'011'01,  // 5: grf:w, grf:w, arf:ud
    0b0'01'100'01'100'01'011'00,  // 6: arf:w, grf:ub, grf:ub
    0b0'01'011'11'011'01'011'01,  // 7: grf:w, grf:w, imm:w
    0b0'01'000'00'011'11'011'00,  // 8: arf:w, imm:w, arf:ud
    0b0'01'000'00'000'11'000'01,  // 9: grf:ud, imm:ud, arf:ud
    0b0'01'000'11'001'01'001'01,  // 10: grf:d, grf:d, imm:ud
    0b0'01'000'00'000'10'000'01,  // 11: grf:ud, mrf:ud, arf:ud
    0b0'01'000'00'100'01'100'01,  // 12: grf:ub, grf:ub, arf:ud
    0b0'01'000'00'100'01'010'01,  // 13: grf:uw, grf:ub, arf:ud
    0b0'01'000'00'000'01'000'00,  // 14: arf:ud, grf:ud, arf:ud
    0b0'01'000'00'100'01'100'10,  // 15: mrf:ub, grf:ub, arf:ud
    0b0'01'010'01'010'01'010'01,  // 16: grf:uw, grf:uw, grf:uw
    0b0'01'011'01'001'01'001'01,  // 17: grf:d, grf:d, grf:w
    0b0'01'000'00'011'01'001'01,  // 18: grf:d, grf:w, arf:ud
    0b0'01'100'01'100'01'010'01,  // 19: grf:uw, grf:ub, grf:ub
    0b0'01'011'01'100'01'011'00,  // 20: arf:w, grf:ub, grf:w
    0b0'01'011'01'011'01'001'01,  // 21: grf:d, grf:w, grf:w
    0b0'01'011'11'011'01'001'01,  // 22: grf:d, grf:w, imm:w
    0b0'01'111'01'111'01'111'01,  // 23: grf:f, grf:f, grf:f
    0b0'01'111'01'111'01'111'00,  // 24: arf:f, grf:f, grf:f
    0b0'01'111'01'111'01'111'01,  // 25: grf:f, grf:f, grf:f
    0b0'01'111'01'111'00'111'01,  // 26: grf:f, arf:f, grf:f
    0b0'01'111'01'111'01'111'10,  // 27: mrf:f, grf:f, grf:f
    0b0'01'000'00'000'01'000'01,  // 28: grf:ud, grf:ud, arf:ud
    0b0'01'000'00'000'01'000'10,  // 29: mrf:ud, grf:ud, arf:ud
    0b0'01'001'11'111'10'111'01,  // 30: grf:f, mrf:f, imm:d
    0b0'01'000'00'111'01'111'10,  // 31: mrf:f, grf:f, arf:ud
};

// Sub-register of src1, src0, dst (bytes).
constexpr uint32_t sub_reg_gen6[] = {
    0b00000'00000'00000,  // 0
    0b00000'00000'00100,  // 1
    0b00000'01100'00000,  // 2
    0b11100'00000'00000,  // 3
    0b01111'00000'01000,  // 4
    0b00001'00000'00000,  // 5
    0b00000'00000'10000,  // 6
    0b00011'00000'01100,  // 7
    0b00100'00000'00000,  // 8
    0b00000'10000'00000,  // 9
    0b00000'10100'10100,  // 10
    0b00000'00010'10110,  // 11
    0b01000'00000'00000,  // 12
    0b11000'00000'00000,  // 13
    0b00010'00000'00000,  // 14
    0b00000'00100'00000,  // 15
    0b00000'00000'01000,  // 16
    0b10000'00000'00000,  // 17
    0b00000'10100'00000,  // 18
    0b00101'00000'00000,  // 19
    0b00110'00000'00000,  // 20
    0b00000'00010'10100,  // 21
    0b10110'10100'10100,  // 22
    0b01010'00000'00000,  // 23
    0b00000'00100'01111,  // 24
    0b01100'00000'00000,  // 25
    0b11111'00000'00000,  // 26
    0b10100'00000'00000,  // 27
    0b00000'00000'01111,  // 28
    0b00010'00100'01111,  // 29
    0b00100'00100'01111,  // 30
    0b00011'00000'00000,  // 31
};

// VertStride, Width, HorzStride, AddrMode, SrcMod; in Align16 the same bits hold parts of the channel selects.
constexpr uint32_t source_gen6[] = {
    0b0000'000'00'0'00,  // 0
    0b0101'100'01'0'00,  // 1
    0b0100'011'01'0'00,  // 2
    0b0010'001'01'0'00,  // 3
    0b0110'100'10'0'00,  // 4
    0b0001'001'00'0'00,  // 5
    0b0100'011'01'1'00,  // 6
    0b0101'011'10'0'00,  // 7
    0b0110'011'11'0'00,  // 8
    0b0011'001'01'0'00,  // 9
    0b0101'100'01'1'00,  // 10
    0b0010'001'00'0'00,  // 11
    0b0101'100'01'0'10,  // 12
    0b0000'000'00'0'10,  // 13
    0b0101'010'10'0'00,  // 14
    0b0101'011'01'0'00,  // 15
    0b1111'010'01'1'00,  // 16
    0b1111'001'01'1'00,  // 17
    0b0110'011'10'0'00,  // 18
    0b0101'100'01'0'01,  // 19
    0b0101'010'11'0'00,  // 20
    0b0011'010'01'0'00,  // 21
    0b0100'001'01'1'00,  // 22
    0b0100'000'00'0'00,  // 23
    0b0011'011'10'0'00,  // 24
    0b0011'000'10'0'00,  // 25
    0b0011'000'00'0'00,  // 26
    0b0100'011'01'0'10,  // 27
    0b0011'011'11'0'00,  // 28
    0b0000'011'10'0'00,  // 29
    0b0011'001'00'0'00,  // 30
    0b0011'010'10'0'00,  // 31
};

// FlagReg, FlagSubReg, Saturate, ExecSize, PredInv, PredCtrl, ThreadCtrl, QtrCtrl, DepCtrl, MaskCtrl, AccessMode.
constexpr uint32_t control_gen8[] = {
    0b0'0'0'000'0'0000'00'00'00'1'0,  // 0
    0b0'0'0'010'0'0000'00'00'00'0'0,  // 1
    0b0'0'0'010'0'0000'00'00'00'0'1,  // 2
    0b0'0'0'010'0'0000'00'00'00'1'0,  // 3
    0b0'0'0'010'0'0000'00'00'00'1'1,  // 4
    0b0'0'0'010'0'0000'00'00'01'0'0,  // 5
    0b0'0'0'010'0'0000'00'00'01'0'1,  // 6
    0b0'0'0'010'0'0000'00'00'01'1'1,  // 7
    0b0'0'0'010'0'0000'00'00'10'0'0,  // 8
    0b0'0'0'010'0'0000'00'00'10'0'1,  // 9
    0b0'0'0'010'0'0000'00'00'11'0'1,  // 10
    0b0'0'0'011'0'0000'00'00'00'0'0,  // 11
    0b0'0'0'011'0'0000'00'00'00'0'1,  // 12
    0b0'0'0'011'0'0000'00'00'00'1'0,  // 13
    0b0'0'0'011'0'0000'00'00'00'1'1,  // 14
    0b0'0'0'011'0'0000'00'00'01'0'0,  // 15
    0b0'0'0'011'0'0000'00'00'01'0'1,  // 16
    0b0'0'0'011'0'0000'00'00'01'1'1,  // 17
    0b0'0'0'011'0'0000'00'00'10'0'1,  // 18
    0b0'0'0'011'0'0000'00'00'11'0'1,  // 19
    0b0'0'0'011'0'0000'00'01'00'0'0,  // 20
    0b0'0'0'011'0'0001'00'00'00'0'0,  // 21
    0b0'0'0'100'0'0000'00'00'00'0'0,  // 22
    0b0'0'0'100'0'0000'00'00'00'1'0,  // 23
    0b0'0'0'100'0'0000'00'00'01'0'0,  // 24
    0b0'0'0'100'0'0001'00'00'00'0'0,  // 25
    0b0'0'1'011'0'0000'00'00'00'0'0,  // 26
    0b0'0'1'011'0'0000'00'01'00'0'0,  // 27
    0b0'0'1'100'0'0000'00'00'00'0'0,  // 28
    0b0'0'1'100'0'0001'00'00'00'0'0,  // 29
    0b0'1'0'100'0'0000'00'00'00'0'0,  // 30
    0b0'1'0'100'0'0001'00'00'00'0'0,  // 31
};

// As on Gen6, with types of four bits.
constexpr uint32_t data_type_gen8[] = {
    0b0'01'0000'00'0000'00'0000'01,  // 0: grf:ud, arf:ud, arf:ud
    0b0'01'0000'00'0000'01'0000'00,  // 1: arf:ud, grf:ud, arf:ud
    0b0'01'0000'00'0000'01'0000'01,  // 2: grf:ud, grf:ud, arf:ud
    0b0'01'0000'00'0000'11'0000'01,  // 3: grf:ud, imm:ud, arf:ud
    0b0'01'0000'00'0001'01'0111'01,  // 4: grf:f, grf:d, arf:ud
    0b0'01'0000'00'0101'11'0111'01,  // 5: grf:f, imm:vf, arf:ud
    0b0'01'0000'00'0111'01'0000'01,  // 6: grf:ud, grf:f, arf:ud
    0b0'01'0000'00'0111'01'0001'01,  // 7: grf:d, grf:f, arf:ud
    0b0'01'0000'00'0111'01'0111'01,  // 8: grf:f, grf:f, arf:ud
    0b0'01'0000'01'0000'01'0000'01,  // 9: grf:ud, grf:ud, grf:ud
    0b0'01'0000'11'0000'01'0000'00,  // 10: arf:ud, grf:ud, imm:ud
    0b0'01'0000'11'0000'01'0000'01,  // 11: grf:ud, grf:ud, imm:ud
    0b0'01'0001'01'0001'01'0001'01,  // 12: grf:d, grf:d, grf:d
    0b0'01'0001'11'0001'01'0001'00,  // 13: arf:d, grf:d, imm:d
    0b0'01'0001'11'0001'01'0001'01,  // 14: grf:d, grf:d, imm:d
    0b0'01'0111'00'0111'01'0111'01,  // 15: grf:f, grf:f, arf:f
    0b0'01'0111'01'0111'00'0111'01,  // 16: grf:f, arf:f, grf:f
    0b0'01'0111'01'0111'01'0111'00,  // 17: arf:f, grf:f, grf:f
    0b0'01'0111'01'0111'01'0111'01,  // 18: grf:f, grf:f, grf:f
    0b0'01'0111'11'0111'01'0111'00,  // 19: arf:f, grf:f, imm:f
    0b0'00'0000'00'0100'00'0011'00,  // 20: arf:w, arf:ub, arf:ud
    0b0'01'0000'00'0000'01'0111'01,  // 21: grf:f, grf:ud, arf:ud
    0b0'01'0000'00'0001'01'0001'01,  // 22: grf:d, grf:d, arf:ud
    0b0'01'0000'01'0000'01'0000'00,  // 23: arf:ud, grf:ud, grf:ud
    0b0'01'0001'01'0001'01'0001'00,  // 24: arf:d, grf:d, grf:d
    0b0'01'0001'11'0001'00'0001'00,  // 25: arf:d, arf:d, imm:d
    0b0'01'0010'01'0010'00'0010'01,  // 26: grf:uw, arf:uw, grf:uw
    0b0'01'0101'11'0111'01'0111'01,  // 27: grf:f, grf:f, imm:vf
    0b0'01'0111'11'0111'01'0111'01,  // 28: grf:f, grf:f, imm:f
    0b0'01'0011'11'0011'01'0011'00,  // 29: arf:w, grf:w, imm:w
    0b0'01'0010'01'0010'01'0010'00,  // 30: arf:uw, grf:uw, grf:uw
    0b0'01'0010'11'0010'01'0010'00,  // 31: arf:uw, grf:uw, imm:uw
};

// Sub-register of src1, src0, dst (bytes).
constexpr uint32_t sub_reg_gen8[] = {
    0b00000'00000'00000,  // 0
    0b00000'00000'00001,  // 1
    0b00000'00000'01000,  // 2
    0b00000'00000'01111,  // 3
    0b00000'00000'10000,  // 4
    0b00000'00100'00000,  // 5
    0b00000'01000'00000,  // 6
    0b00000'01100'00000,  // 7
    0b00000'10000'00000,  // 8
    0b00000'10000'10000,  // 9
    0b00000'10100'00000,  // 10
    0b00100'00000'00000,  // 11
    0b00100'00000'00001,  // 12
    0b00100'00100'00001,  // 13
    0b00100'00100'00010,  // 14
    0b00100'00100'00011,  // 15
    0b00100'00100'00100,  // 16
    0b00100'00100'00111,  // 17
    0b00100'00100'01000,  // 18
    0b00100'00100'01110,  // 19
    0b00100'00100'01111,  // 20
    0b00100'01100'00000,  // 21
    0b00100'01111'01000,  // 22
    0b01000'00000'00000,  // 23
    0b01000'01100'00000,  // 24
    0b01100'00000'00000,  // 25
    0b01111'00100'00111,  // 26
    0b10000'00000'00000,  // 27
    0b10100'00000'00000,  // 28
    0b11000'00000'00000,  // 29
    0b11100'00000'00000,  // 30
    0b11100'00000'11100,  // 31
};

// As on Gen6.
constexpr uint32_t source_gen8[] = {
    0b0000'000'00'0'00,  // 0
    0b0000'000'00'0'10,  // 1
    0b0000'000'10'0'00,  // 2
    0b0000'000'10'0'10,  // 3
    0b0000'000'11'0'00,  // 4
    0b0000'001'00'0'00,  // 5
    0b0000'001'01'0'00,  // 6
    0b0000'010'01'0'00,  // 7
    0b0000'010'10'0'00,  // 8
    0b0000'011'10'0'00,  // 9
    0b0000'011'11'0'00,  // 10
    0b0011'000'00'0'00,  // 11
    0b0011'000'00'0'10,  // 12
    0b0011'000'01'0'00,  // 13
    0b0011'000'10'0'00,  // 14
    0b0011'000'10'0'10,  // 15
    0b0011'001'00'0'00,  // 16
    0b0011'001'01'0'00,  // 17
    0b0011'001'11'0'00,  // 18
    0b0011'010'00'0'00,  // 19
    0b0011'010'00'0'10,  // 20
    0b0011'010'01'0'00,  // 21
    0b0011'010'10'0'00,  // 22
    0b0011'011'00'0'00,  // 23
    0b0011'011'01'0'00,  // 24
    0b0011'011'10'0'00,  // 25
    0b0011'011'10'0'01,  // 26
    0b0011'011'11'0'00,  // 27
    0b0100'011'01'0'00,  // 28
    0b0100'011'01'0'01,  // 29
    0b0100'011'01'0'10,  // 30
    0b0101'100'01'0'00,  // 31
};

// Src1Type, Src2Type (Gen9); MaskCtrl, FlagReg, FlagSubReg; AccWrCtrl, CondModifier, ExecSize, PredInv, PredCtrl,
// ThreadCtrl, QtrCtrl, NibCtrl, DepCtrl, AccessMode. Gen8 has the same values without the two zero bits in front.
constexpr uint32_t control_three_source[] = {
    0b00'1'0'0'0'0000'011'0'0000'00'00'0'00'1,  // 0
    0b00'0'0'0'0'0000'011'0'0000'00'00'0'00'1,  // 1
    0b00'0'0'0'0'0000'100'0'0000'00'00'0'00'1,  // 2
    0b00'0'0'0'0'0000'100'0'0000'00'10'0'00'1,  // 3
};

// Src2, src1, src0: on Gen9 the sub-register's half-word bit, then on both the register number's highest bit; ChanSel
// of src2, src1, src0; Dst.SubReg, Dst.ChanEn, Dst.Type, Src.Type; SrcMod of src2, src1, src0. The bits of Gen9 alone
// are 0 in all entries, so the values serve Gen8 as well.
constexpr uint64_t source_three_source[] = {
    0b00'00'00'11100100'11100100'11100100'000'1111'000'000'00'00'00,  // 0
    0b00'00'00'11100100'11100100'11100100'000'1111'000'000'00'00'10,  // 1
    0b00'00'00'11100100'11100100'11100100'000'1111'000'000'00'10'00,  // 2
    0b00'00'00'11100100'11100100'11100100'000'1111'000'000'10'00'00,  // 3
};

// The last doubleword: all of src1, or the immediate of either source.
constexpr Bits last_doubleword{127, 96};
constexpr uint8_t immediate_file = 3;

// Spreads the table over the native word. `pieces` are the places of an entry's bits, most significant first; bits
// within `dropped` are not written in this form, so that entries may expand alike. Of those the compactor chooses one
// that loses nothing, then the first: what other compactors emit.
template <class T>
consteval CompactIndex index(std::string_view name, Bits compact, std::initializer_list<Bits> pieces,
                             std::span<const T> table, Word128 dropped = {}) {
  CompactIndex result{name, compact, uint8_t(ones(compact.width())), {}, 0, {}};
  int width = 0;
  for (Bits piece : pieces) {
    result.native |= mask(piece);
    width += piece.width();
  }
  result.native &= ~dropped;
  if (table.size() != size_t(result.last) + 1) throw "a table must have an entry for every value of its index";
  std::array<bool, 32> lossless{};
  for (size_t i = 0; i < table.size(); ++i) {
    uint64_t rest = table[i];
    if (rest & ~ones(width)) throw "a table entry must fit its pieces";
    Word128 all;
    for (auto piece = std::rbegin(pieces); piece != std::rend(pieces); ++piece) {
      deposit(all, *piece, rest);
      rest >>= piece->width();
    }
    result.entries[i] = all & ~dropped;
    lossless[i] = !(all & dropped);
  }
  for (size_t i = 0; i < table.size(); ++i) {
    bool best = true;
    for (size_t j = 0; j < table.size(); ++j)
      if (result.entries[j] == result.entries[i]) best &= lossless[j] == lossless[i] ? j >= i : bool(lossless[i]);
    if (best) result.canonical |= uint32_t{1} << i;
  }
  return result;
}

// Adds what a field amounts to; fields that move by the same distance move together.
consteval void add_move(std::span<CompactMove> moves, uint8_t& count, CompactMove move) {
  int i = 0;
  while (i < count && moves[i].rotate != move.rotate) ++i;
  if (i == count) moves[count++].rotate = move.rotate;
  moves[i].bits |= move.bits;
}

consteval void add_move(CompactForm& form, const CompactField& field) {
  const Bits carried{uint8_t(field.native.lo + field.compact.width() - 1), field.native.lo};
  const Word128 bits = mask(carried);
  const uint8_t rotate = (field.native.lo - field.compact.lo) & 63;
  if (bits.lo && bits.hi) throw "a field must lie in one half of the native word";
  if (bits.lo)
    add_move(form.low, form.low_count, {bits.lo, rotate});
  else
    add_move(form.high, form.high_count, {bits.hi, rotate});
  if (const Word128 extension = mask(field.native) & ~bits) {
    if (form.sign || extension.lo) throw "a form extends one field at most, in the upper half";
    form.sign = uint64_t{1} << field.compact.hi;
    form.extension = extension.hi;
  }
}

consteval CompactForm form(std::initializer_list<CompactIndex> indices, std::initializer_list<CompactField> fields) {
  CompactForm result;
  uint64_t compact = uint64_t{1} << 29;  // CmptCtrl, which is in both forms but says only which form it is
  Word128 native;
  const auto use = [&](Bits bits, Word128 native_bits) {
    if ((mask(bits).lo & compact) || (native_bits & native)) throw "no bit may belong to two fields";
    compact |= mask(bits).lo;
    native |= native_bits;
  };
  for (const CompactIndex& i : indices) {
    use(i.compact, i.native);
    result.indices[result.index_count++] = i;
  }
  for (const CompactField& f : fields) {
    use(f.compact, mask(f.native));
    result.fields[result.field_count++] = f;
    add_move(result, f);
  }
  result.reserved = ~compact;
  result.unmapped = ~native;
  return result;
}

consteval Compaction compaction(CompactForm registers, CompactForm immediate, CompactForm three_source, Bits src0_file,
                                Bits src1_file) {
  Compaction result{registers, immediate, three_source, src0_file, src1_file, immediate_file, 0};
  for (int i = 0; i < 32; ++i) {
    const Word128 types = registers.indices[1].entries[i];
    if (extract(types, src0_file) == immediate_file || extract(types, src1_file) == immediate_file)
      result.immediate_types |= uint32_t{1} << i;
  }
  // The entry tells the expander which form it reads, so each form may use its own only.
  result.registers.indices[1].canonical &= ~result.immediate_types;
  result.immediate.indices[1].canonical &= result.immediate_types;
  return result;
}

// Where the compact one- and two-source forms have their fields, in all three generations.
constexpr Bits control_index{12, 8}, data_type_index{17, 13}, sub_reg_index{22, 18}, source0_index{34, 30},
    source1_index{39, 35};
constexpr CompactField opcode{"Opcode", {6, 0}, {6, 0}}, debug_ctrl{"DebugCtrl", {7, 7}, {30, 30}},
    acc_wr_ctrl{"AccWrCtrl", {23, 23}, {28, 28}}, cond_modifier{"CondModifier", {27, 24}, {27, 24}},
    dst_reg_num{"Dst.RegNum", {47, 40}, {60, 53}}, src0_reg_num{"Src0.RegNum", {55, 48}, {76, 69}},
    src1_reg_num{"Src1.RegNum", {63, 56}, {108, 101}};
// CP-02: thirteen bits in the places of Src1.RegNum and Source1; the highest is repeated upwards.
constexpr CompactField immediate_low{"Imm[7:0]", {63, 56}, {103, 96}},
    immediate_high{"Imm[12:8]", {39, 35}, {127, 104}};

constexpr CompactField flag_sub_reg_gen6{"FlagSubRegNum", {28, 28}, {89, 89}};
constexpr CompactIndex control_gen6_index =
    index<uint32_t>("Control", control_index, {{31, 31}, {23, 8}}, control_gen6);
constexpr CompactIndex data_type_gen6_index =
    index<uint32_t>("DataType", data_type_index, {{63, 61}, {46, 32}}, data_type_gen6);
constexpr CompactIndex source0_gen6_index = index<uint32_t>("Source0", source0_index, {{88, 77}}, source_gen6);

constexpr CompactIndex control_gen8_index =
    index<uint32_t>("Control", control_index, {{33, 31}, {23, 12}, {10, 9}, {34, 34}, {8, 8}}, control_gen8);
constexpr CompactIndex data_type_gen8_index =
    index<uint32_t>("DataType", data_type_index, {{63, 61}, {94, 89}, {46, 35}}, data_type_gen8);
constexpr CompactIndex source0_gen8_index = index<uint32_t>("Source0", source0_index, {{88, 77}}, source_gen8);

constexpr CompactForm registers_gen8 =
    form({control_gen8_index, data_type_gen8_index,
          index<uint32_t>("SubReg", sub_reg_index, {{100, 96}, {68, 64}, {52, 48}}, sub_reg_gen8), source0_gen8_index,
          index<uint32_t>("Source1", source1_index, {{120, 109}}, source_gen8)},
         {opcode, debug_ctrl, acc_wr_ctrl, cond_modifier, dst_reg_num, src0_reg_num, src1_reg_num});
constexpr CompactForm immediate_gen8 = form(
    {control_gen8_index, data_type_gen8_index,
     index<uint32_t>("SubReg", sub_reg_index, {{100, 96}, {68, 64}, {52, 48}}, sub_reg_gen8, mask(last_doubleword)),
     source0_gen8_index},
    {opcode, debug_ctrl, acc_wr_ctrl, cond_modifier, dst_reg_num, src0_reg_num, immediate_low, immediate_high});

consteval CompactForm three_source(std::initializer_list<Bits> control, std::initializer_list<Bits> source) {
  return form({index<uint32_t>("Control", {9, 8}, control, control_three_source),
               index<uint64_t>("Source", {11, 10}, source, source_three_source)},
              {opcode,
               {"Dst.RegNum", {18, 12}, {62, 56}},
               {"Src0.RepCtrl", {28, 28}, {64, 64}},
               {"DebugCtrl", {30, 30}, {30, 30}},
               {"Saturate", {31, 31}, {31, 31}},
               {"Src1.RepCtrl", {32, 32}, {85, 85}},
               {"Src2.RepCtrl", {33, 33}, {106, 106}},
               {"Src0.SubRegNum", {36, 34}, {75, 73}},
               {"Src1.SubRegNum", {39, 37}, {96, 94}},
               {"Src2.SubRegNum", {42, 40}, {117, 115}},
               {"Src0.RegNum", {49, 43}, {82, 76}},
               {"Src1.RegNum", {56, 50}, {103, 97}},
               {"Src2.RegNum", {63, 57}, {124, 118}}});
}

}  // namespace

constexpr Compaction compaction_gen6 = compaction(
    form({control_gen6_index, data_type_gen6_index,
          index<uint32_t>("SubReg", sub_reg_index, {{100, 96}, {68, 64}, {52, 48}}, sub_reg_gen6), source0_gen6_index,
          index<uint32_t>("Source1", source1_index, {{120, 109}}, source_gen6)},
         {opcode, debug_ctrl, acc_wr_ctrl, cond_modifier, flag_sub_reg_gen6, dst_reg_num, src0_reg_num, src1_reg_num}),
    form(
        {control_gen6_index, data_type_gen6_index,
         index<uint32_t>("SubReg", sub_reg_index, {{100, 96}, {68, 64}, {52, 48}}, sub_reg_gen6, mask(last_doubleword)),
         source0_gen6_index},
        {opcode, debug_ctrl, acc_wr_ctrl, cond_modifier, flag_sub_reg_gen6, dst_reg_num, src0_reg_num, immediate_low,
         immediate_high}),
    {}, {38, 37}, {43, 42});

constexpr Compaction compaction_gen8 = compaction(
    registers_gen8, immediate_gen8,
    three_source({{34, 32}, {28, 8}}, {{125, 125}, {104, 104}, {83, 83}, {114, 107}, {93, 86}, {72, 65}, {55, 37}}),
    {42, 41}, {90, 89});

constexpr Compaction compaction_gen9 = compaction(
    registers_gen8, immediate_gen8,
    three_source({{36, 32}, {28, 8}}, {{126, 125}, {105, 104}, {84, 83}, {114, 107}, {93, 86}, {72, 65}, {55, 37}}),
    {42, 41}, {90, 89});

}  // namespace vitro::isa
