// Text and bits of every format. The Gen8 and Gen9 words were written by Intel's assembler from the same text; the Gen6
// words are worked out by hand from the document's tables (vol 4 part 2 section 7.2), DW3 first.
#include "isa/assemble.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "gen/models.h"
#include "isa/disassemble.h"

namespace vitro::isa {
namespace {

std::string words(const Assembly& a) {
  std::string s;
  for (size_t at = 0; at + 8 <= a.code.size();) {
    const bool compact = unsigned(a.code[at + 3]) >> 5 & 1;
    if (at) s += ' ';
    for (int dw = compact ? 1 : 3; dw >= 0; --dw) {
      uint32_t v = 0;
      std::memcpy(&v, a.code.data() + at + 4 * size_t(dw), 4);
      s += fmt::format("{}{:08X}", dw == (compact ? 1 : 3) ? "" : "`", v);
    }
    at += compact ? 8 : 16;
  }
  return s;
}

std::string messages(const Assembly& a) {
  std::string s;
  for (const Diagnostic& d : a.diagnostics) s += fmt::format("{}:{}: {}\n", d.line, d.column, d.message);
  return s;
}

struct Golden {
  std::string_view text, bits;
};

void expect_golden(const Model& m, std::span<const Golden> table) {
  for (const Golden& g : table) {
    const Assembly a = assemble(m, g.text, {.validate = false});
    EXPECT_TRUE(a.ok()) << g.text << "\n" << messages(a);
    EXPECT_EQ(words(a), g.bits) << g.text;
    // and back: the text of the bits gives the bits
    const std::string again = disassemble(m, a.code);
    EXPECT_EQ(words(assemble(m, again, {.validate = false})), g.bits) << again;
  }
}

TEST(Assemble, Gen9WordsAreIntelsOwn) {
  static constexpr Golden table[] = {
      {"(W) jmpi r2.3<0;1,0>:d", "0000004C`0A001400`34000004`00000020"},
      {"call (4|M0) r5.0 r7.0<0;1,0>:d", "000000E0`0A450000`20A00028`0040002C"},
      {"ret (16|M0) r5.0", "00000000`004500A0`20000A00`0080002D"},
      {"brd (16|M0) r3.1", "00000000`00000064`34000A20`00800021"},
      {"brc (16|M0) r3.0 null", "00000000`00450060`34000A20`00800023"},
      {"nop", "00000000`00000000`00000000`0000007E"},
      {"illegal", "00000000`00000000`00000000`00000000"},
      {"send (8|M0) null r112 0x27 0x02000010 {EOT}", "82000010`06000E00`20000200`07600031"},
      {"send (8|M0) r5 r112 0xA a0.0", "00000200`00000E00`20A00208`0A600031"},
      {"(f0.0.any16h) sendc (8|M0) null r112 0x25 0x02000010 {EOT}", "82000010`06000E00`20000200`056A0032"},
      {"sends (8|M0) r5:ud r112 r10 0x4A 0x02000010", "02000010`00000E01`00A0A018`0A600033"},
      {"sends (8|M0) r5 r112 r10 a0.2 a0.0", "00000000`00022E00`20A0A018`00600033"},
      {"sends (8|M0) r5 r[a0.2,-16] r10 0x4A a0.0", "00000000`0000E5F1`00A0A018`0A600033"},
      {"sends (8|M0) r[a0.3,-16] r5 r10 0x4A a0.0", "00000000`000020A1`C7F0A018`0A600033"},
      {"send (8|M0) r5 r112 0xA 0x02000010 {NoSrcDepSet}", "02000010`06000E00`20A00208`1A600031"},
      {"send (8|M0) r5 r112 0x1234000A 0x02000010", "02000010`0E430E04`20A00208`0A600031"},
      {"send (8|M0) r5 r[a0.1,32] 0xA a0.0", "00000200`00008220`20A00208`0A600031"},
      // bits 30:29 of the descriptor stand beside a0.0 in the instruction
      {"send (8|M0) r5:hf r112 0x2 a0.0|0x40000000", "40000200`00000E00`20A00348`02600031"},
      {"sends (8|M0) r5:hf r112 r10 0x42 a0.0|0x40000000", "40000000`00002E01`00A0A158`02600033"},
      {"mad (8|M0) r1.0<1>:f r2.0<2;1>:f r3.0<2;1>:f -r4.0<1>:f", "01072006`390021C8`011E0400`0060015B"},
      {"mad (8|M0) r1.0<1>:f r2.0<0;0>:f r3.1<0;0>:f (abs)r4.1<0>:f", "010F2406`792021C9`011E0200`0060015B"},
      {"mad (8|M0) r1.0<1>:hf r2.0<0;0>:hf r3.3<0;0>:hf r4.1<0>:hf", "41072606`792021C9`011F2018`0060015B"},
      {"mad (8|M0) r1.0<1>:df r2.0<2;1>:df r3.0<0;0>:df r4.0<1>:df", "01072006`110021C8`011ED800`0060015B"},
      {"madm (4|M0) r1.mme0:f r2.nomme:f r3.mme2:f r4.mme7:f", "01003806`00802010`01000000`0040015D"},
      {"math.invm (4|M0) (eo)f0.0 r1.mme0:f r2.mme1:f r3.nomme:f", "00600068`3A600041`00203AE8`0E400138"},
      {"math.rsqtm (4|M0) (eo)f0.0 r1.mme0:f r2.mme1:f", "00000000`00600041`00203AE8`0F400138"},
      {"math.inv (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "00000000`008D0040`20203AE8`01600038"},
      {"math.iqot (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d", "008D0060`0A8D0040`20200A28`0C600038"},
      {"mov (8|M0) r1.0<1>:f r[a0.3,-16]<8;8,1>:f", "00000000`808D87F0`20203AE8`00600001"},
      {"mov (8|M0) r[a0.3,17]<1>:f r[a0.0]<1,0>:f", "00000000`01E08000`A6113AE8`00600001"},
      {"mov (8|M0) r[a0.3,17]<1>:ub r[a0.15,511]<4,1>:ub", "00000000`01E99FFF`A6112288`00600001"},
      {"mov (1|M0) r1.0<1>:df 1.5:df", "3FF80000`00000000`202056C8`00000001"},
      {"mov (1|M0) r1.0<1>:q -5:q", "FFFFFFFF`FFFFFFFB`20204F28`00000001"},
      {"mov (1|M0) r1.0<1>:uq 0xFFFFFFFFFFFF:uq", "0000FFFF`FFFFFFFF`20204708`00000001"},
      {"mov (8|M0) r1.0<1>:w 0x76543210:v", "76543210`00000000`20203668`00600001"},
      {"mov (8|M0) r1.0<1>:f 0x76543210:vf", "76543210`00000000`20202EE8`00600001"},
      {"mov (1|M0) r1.0<1>:hf 1.5:hf", "3E003E00`00000000`20205F48`00000001"},
      {"mov (1|M0) r1.0<1>:w -5:w", "FFFBFFFB`00000000`20201E68`00000001"},
      {"movi (8|M0) r1.0<1>:uw r[a0.0]<8;8,1>:uw", "00000000`008D8000`20201248`00600003"},
      {"smov (8|M0) r1.0<1>:f r2.0<8;8,1>:f 0x55:ud", "00000055`068D0040`20203AE8`0060000A"},
      {"not (8|M0) r1.0<1>:d ~r2.0<8;8,1>:d", "00000000`008D4040`20200A28`00600004"},
      {"and (8|M0) (ne)f0.1 r1.0<1>:d -(abs)r2.0<8;8,1>:d 0x55:uw", "00550055`168D6040`20200A29`02600005"},
      {"(~f1.1.all8h) sel (8|M8) (sat)r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f "
       "{NoDDClr,NoDDChk,AccWrEn,Atomic,Breakpoint}",
       "008D0060`3A8D0040`20203AEB`D0795602"},
      {"(W) mov (1|M0) sr0.0<1>:ud sr1.2<0;1,0>:ud", "00000000`00000E28`2E000004`00000001"},
      {"(W) mov (1|M0) ce<1>:ud tm0.2<0;1,0>:ud", "00000000`00001808`28000004`00000001"},
      {"(W) mov (1|M0) ip<1>:ud tdr0.2<0;1,0>:uw", "00000000`00001604`34001004`00000001"},
      {"(W) mov (1|M0) dbg0.1<1>:ud fc1.0<0;1,0>:ud", "00000000`00001A20`3E040004`00000001"},
      {"(W) mov (1|M0) sp.0<1>:uq msg3.0<0;1,0>:ud", "00000000`00000A60`2C000104`00000001"},
      {"(W) mov (4|M4) f1.1<1>:uw a0.15<0;1,0>:uw", "00000000`0000021E`26221044`00400801"},
      {"wait n0.1<0;1,0>:ud", "00000000`00001204`32040000`00000030"},
      {"(W) wait n0.0<0;1,0>:ud {Switch}", "00000000`00001200`32000004`00008030"},
      {"mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw", "00AE0060`128D0040`24000A20`00600041"},
      {"(W) mov (1|M0) r1.0<1>:f -inf:f", "FF800000`00000000`20203EEC`00000001"},
      {"(W) mov (1|M0) r1.0<1>:f qnan(0x5):f", "7FC00005`00000000`20203EEC`00000001"},
  };
  expect_golden(gen::gen9(), table);
}

// Distances are bytes from the branch, jmpi's from the next instruction, calla's from the program's start.
TEST(Assemble, Gen8BranchesAreIntelsOwn) {
  static constexpr std::string_view after = "\nnop\nA: nop\nB: nop\nC: nop\nnop";
  static constexpr Golden table[] = {
      {"(W&f0.0) jmpi C", "00000030`0E001400`34000004`00010020"},
      {"calla (16|M0) r5.0 C", "00000040`0E450000`20A00028`0080002B"},
      {"brd (16|M0) A", "00000020`00000000`34000E20`00800021"},
      {"brc (16|M0) A B", "00000020`00000030`34000E20`00800023"},
      {"(f0.0) if (16|M0) A C", "00000020`00000040`20000E00`00810022"},
      {"if.b (16|M0) A C", "00000020`00000040`20000E00`10800022"},
      {"else.b (16|M0) A C", "00000020`00000040`20000E00`10800024"},
      {"endif (16|M0) A", "00000020`0E000000`20000000`00800025"},
      {"break (16|M0) A C", "00000020`00000040`20000E00`00800028"},
      {"cont (16|M0) A C", "00000020`00000040`20000E00`00800029"},
      {"halt (16|M0) A C", "00000020`00000040`20000E00`0080002A"},
      {"goto.b (16|M0) A C", "00000020`00000040`20000E00`1080002E"},
      {"join (16|M0) A", "00000020`0E000000`20000000`0080002F"},
  };
  for (const Golden& g : table) {
    const std::string program = std::string(g.text) + std::string(after);
    const Assembly a = assemble(gen::gen8(), program, {.validate = false});
    ASSERT_TRUE(a.ok()) << g.text << "\n" << messages(a);
    EXPECT_EQ(words(a).substr(0, 35), g.bits) << g.text;
    EXPECT_EQ(words(assemble(gen::gen8(), disassemble(gen::gen8(), a.code), {.validate = false})), words(a));
  }
}

TEST(Assemble, Gen6Words) {
  static constexpr Golden table[] = {
      // opcode 1, exec 8 (3 << 21); dst grf f r3: file 1, type 7 << 2; src0 grf 1 << 5, type f 7 << 7
      {"mov (8|M0) r3.0<1>:f r2.0<8;8,1>:f", "00000000`008D0040`206003BD`00600001"},
      // destination in the message register file: file 2
      {"mov (8|M0) m3.0<1>:f r2.0<8;8,1>:f", "00000000`008D0040`206003BE`00600001"},
      // WECtrl is bit 9; the immediate :ud has file 3 << 5
      {"(W) mov (1|M0) m1.2<1>:ud 0x5:ud", "00000005`00000000`20280062`00000201"},
      // Align16 bit 8; ChanEn xyz = 7; swizzles yzwx = 0x39: low nibble 9, high nibble 3 at 83:80; VertStride 4 = code
      // 3
      {"(W) add (4|M0) r3.0<1>.xyz:f r2.0<4>.yzwx:f r2.4<4>.zwxy:f {Align16}", "0064005E`00630049`206777BD`00400340"},
      // predicate f0.1: FlagSubRegNum is bit 89; any4h = 6, inverted
      {"(~f0.1.any4h) mov (8|M0) r3.0<1>:f r2.0<8;8,1>:f", "00000000`028D0040`206003BD`00760001"},
      // NoDDClr bit 10, NoDDChk bit 11
      {"dp4 (8|M0) r5.0<1>.x:f r1.0<4>.xyzw:f r2.0<4>.xyzw:f {Align16,NoDDChk,NoDDClr}",
       "006E0044`006E0024`20A177BD`00600D54"},
      // three sources: RepCtrl 106 for the scalar, types implied
      {"mad (8|M0) r10.0<1>:f r10.0<2;1>:f r2.0<2;1>:f r6.1<0>:f", "018F2404`3900A1C8`0A1E0000`0060015B"},
      {"lrp (8|M0) m2.0<1>:f r1.0<2;1>:f r2.0<2;1>:f r3.0<1>.xxxx:f", "00C00004`390011C8`021E0001`0060015C"},
      // send: SFID in 27:24, descriptor in DW3, payload in m1
      {"send (8|M0) null m1 0x27 0x02000010 {EOT}", "82000010`00000020`20000C40`07600031"},
  };
  expect_golden(gen::gen6(), table);
}

// JIP of if, else, endif and while stands in the destination, in units of 8 bytes; break's two targets in DW3.
TEST(Assemble, Gen6BranchesCountEightBytes) {
  static constexpr std::string_view after = "\nnop\nA: nop\nB: nop\nC: nop\nnop";
  static constexpr Golden table[] = {
      {"(f0.0) if (8|M0) A", "00000000`00000000`0004108F`00610022"},
      {"endif (8|M0) A", "00000000`00000000`0004108F`00600025"},
      {"break (8|M0) A C", "00080004`00001400`34001C00`00600028"},
      {"(W) jmpi C", "00000006`00001400`34001C00`00000220"},
      {"if (8|M0) (lt)f0.0 r1.0<8;8,1>:f r2.0<8;8,1>:f A", "008D0040`008D0020`000477AF`05600022"},
  };
  for (const Golden& g : table) {
    const std::string program = std::string(g.text) + std::string(after);
    const Assembly a = assemble(gen::gen6(), program, {.validate = false});
    ASSERT_TRUE(a.ok()) << g.text << "\n" << messages(a);
    EXPECT_EQ(words(a).substr(0, 35), g.bits) << g.text;
    EXPECT_EQ(words(assemble(gen::gen6(), disassemble(gen::gen6(), a.code), {.validate = false})), words(a));
  }
}

TEST(Assemble, CompactsWhatHasACompactForm) {
  const std::string_view text = "mul (1|M0) r2.0<1>:d r6.0<0;1,0>:d r41.1<0;1,0>:d {Compacted}\n";
  const Assembly a = assemble(gen::gen9(), "(W) " + std::string(text));
  ASSERT_TRUE(a.ok()) << messages(a);
  EXPECT_EQ(a.code.size(), 8u);
  EXPECT_EQ(assemble(gen::gen9(), "(W) " + std::string(text), {.compact = CompactMode::none}).code.size(), 16u);
  const std::string plain = "(W) mul (1|M0) r2.0<1>:d r6.0<0;1,0>:d r41.1<0;1,0>:d";
  EXPECT_EQ(assemble(gen::gen9(), plain).code.size(), 16u);
  EXPECT_EQ(assemble(gen::gen9(), plain, {.compact = CompactMode::all}).code, a.code);
  EXPECT_EQ(assemble(gen::gen9(), plain + " {NoCompact}", {.compact = CompactMode::all}).code.size(), 16u);
  const Assembly no = assemble(gen::gen9(), "mov (8|M0) r1.0<1>:f 1.5:f {Compacted}");
  ASSERT_EQ(no.diagnostics.size(), 1u);
  EXPECT_EQ(no.diagnostics[0].message, "mov: no compact form exists for this instruction");
}

// A jump over more than 4 KiB does not fit the compact form's 13 bits, and making it longer moves everything after it.
TEST(Assemble, FarJumpsGrow) {
  std::string near = "(W) jmpi END\n", far = near;
  for (int n = 0; n < 100; ++n) near += "nop\n";
  for (int n = 0; n < 300; ++n) far += "nop\n";
  near += "END: nop\n";
  far += "END: nop\n";
  const Assembly a = assemble(gen::gen9(), near, {.compact = CompactMode::all});
  const Assembly b = assemble(gen::gen9(), far, {.compact = CompactMode::all});
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(b.instructions[0].size, 16);
  for (const Assembly* x : {&a, &b})
    EXPECT_EQ(x->instructions[0].instruction.jip, int(x->instructions.back().offset) - x->instructions[0].size);
}

TEST(Assemble, ReportsEveryErrorWithItsPlace) {
  const std::string_view text =
      "mov (8|M0) r1.0<1>:f r2.0<8;8,1:f\n"
      "add (8|M0) r1.0<1>:f r200.0<8;8,1>:f 1.0:f\n"
      "foo\n"
      "if (8|M0) L1 L2\n"
      "mov (7) r1:f r2:f\n"
      "mov (8|M0) r1.0<1>:f 1:f\n"
      "mov (8|M0) r1.0<1>:w 70000:w\n"
      "L3: nop\n"
      "L3: nop\n"
      "mov (8|M0) r10.0<1>:b r11.0<8;8,1>:d\n";
  const Assembly a = assemble(gen::gen8(), text);
  EXPECT_FALSE(a.ok());
  std::vector<std::pair<int, int>> places;
  for (const Diagnostic& d : a.diagnostics)
    if (places.empty() || places.back() != std::pair(d.line, d.column)) places.emplace_back(d.line, d.column);
  const std::vector<std::pair<int, int>> expected{{1, 32}, {2, 22}, {3, 1},  {4, 11}, {4, 14},
                                                  {5, 6},  {6, 22}, {7, 22}, {9, 1},  {10, 1}};
  EXPECT_EQ(places, expected) << messages(a);
  bool has_rule = false;
  for (const Diagnostic& d : a.diagnostics) has_rule = has_rule || d.rule == "R1.2";
  EXPECT_TRUE(has_rule);
  EXPECT_EQ(render("k.asm", text, a.diagnostics[0], false),
            "k.asm:1:32: error: found ':', expected '>' closing the region\n"
            "  mov (8|M0) r1.0<1>:f r2.0<8;8,1:f\n"
            "                                 ^\n");
}

TEST(Assemble, AnInstructionOfAnotherGenerationIsNamedAsSuch) {
  const Assembly a = assemble(gen::gen8(), "sends (8|M0) r1 r2 r3 0x4A 0x0");
  ASSERT_EQ(a.diagnostics.size(), 1u);
  EXPECT_EQ(a.diagnostics[0].message, "found 'sends', expected an instruction of gen8");
}

// AS-02: what older generations had is not read.
TEST(Assemble, AS_02_DefeaturedInstructions) {
  for (const Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()})
    for (const char* name :
         {"sad4", "sada4", "aac", "min", "max", "next", "swz", "dpa2", "rsl", "rsr", "iff", "msave"}) {
      const Assembly a = assemble(*m, std::string(name) + " (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f");
      EXPECT_FALSE(a.ok()) << name;
    }
}

TEST(Disassemble, ReservedEncodingsNameTheField) {
  auto error = [](const Model& m, uint64_t lo, uint64_t hi = 0) {
    const Result<Instruction> r = decode(m, {lo, hi});
    return r ? std::string("decoded") : r.error().message;
  };
  EXPECT_EQ(error(gen::gen8(), 0x33), "Opcode: reserved value 0x33");
  EXPECT_EQ(error(gen::gen6(), 0x0B), "Opcode: reserved value 0x0B");
  const uint64_t mov = 0x20203AE800600001;  // mov (8|M0) r1:f, with the source in the upper half
  const uint64_t src = 0x008D0040;
  EXPECT_EQ(error(gen::gen8(), mov, src), "decoded");
  EXPECT_EQ(error(gen::gen8(), mov | 7 << 21, src), "mov: ExecSize: reserved value 0x7");
  EXPECT_EQ(error(gen::gen8(), mov | 7 << 24, src), "mov: CondModifier: reserved value 0x7");
  EXPECT_EQ(error(gen::gen8(), mov | 3 << 14, src), "mov: ThreadCtrl: reserved value 0x3");
  EXPECT_EQ(error(gen::gen8(), mov | 15 << 16, src), "mov: PredCtrl: reserved value 0xF");
  EXPECT_EQ(error(gen::gen8(), mov | uint64_t{0xF} << 37, src), "mov: Dst.Type: reserved value 0xF");
  EXPECT_EQ(error(gen::gen8(), mov, src | 7 << 18), "mov: SrcWidth: reserved value 0x7");
  EXPECT_EQ(error(gen::gen8(), mov | 0x80, src), "mov: reserved bits of DW0: 0x80 where zero is required");
  EXPECT_EQ(error(gen::gen6(), 0x00000038), "math: FC: reserved value 0x0");
}

TEST(Disassemble, GoesOnAfterWhatIsNoInstruction) {
  std::vector<std::byte> code(48);
  code[0] = std::byte{0x7E};
  code[16] = std::byte{0x0B};
  code[32] = std::byte{0x7E};
  int errors = 0;
  EXPECT_EQ(disassemble(gen::gen9(), code, {.print = {.columns = false}}, &errors),
            "nop\n// error: Opcode: reserved value 0x0B: 00000000 00000000 00000000 0000000b\nnop\n");
  EXPECT_EQ(errors, 1);
}

TEST(Disassemble, PaddingIsLeftOutAndTruncationIsSaid) {
  std::vector<std::byte> code(64);
  code[0] = std::byte{0x7E};
  EXPECT_EQ(disassemble(gen::gen9(), code, {.print = {.columns = false}, .skip_padding = true}), "nop\n");
  EXPECT_EQ(disassemble(gen::gen9(), code, {.print = {.columns = false}}), "nop\nillegal\nillegal\nillegal\n");
  code.resize(12);
  int errors = 0;
  EXPECT_NE(disassemble(gen::gen9(), code, {}, &errors).find("truncated"), std::string::npos);
  EXPECT_EQ(errors, 1);
}

}  // namespace
}  // namespace vitro::isa
