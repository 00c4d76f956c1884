// Tests of the pragma pass, named by requirement (PG-01..PG-03) and worked example (T31 .. T41) of the Gen6 document.
#include "isa/pragmas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "gen/models.h"
#include "isa/assemble.h"
#include "isa/disassemble.h"

namespace vitro::isa {
namespace {

// The lines that say something, without the blanks around them.
std::string lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (!line.empty()) out.append(line).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string messages(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    out += std::to_string(d.line) + ":" + std::to_string(d.column) + "+" + std::to_string(d.length) + " " + d.message;
    out += "\n";
  }
  return out;
}

std::string expand(std::string_view source, const Model& m = gen::gen6()) {
  const Expanded e = expand_pragmas(m, source);
  EXPECT_EQ(messages(e.diagnostics), "");
  EXPECT_EQ(std::count(e.text.begin(), e.text.end(), '\n'), std::count(source.begin(), source.end(), '\n'));
  return lines(e.text);
}

// Expands, and checks that the result assembles; `rules`: also that it breaks no rule.
std::string assembled(std::string_view source, const Model& m = gen::gen6(), bool rules = true) {
  const Assembly a = assemble(m, source, {.validate = rules});
  EXPECT_TRUE(a.ok()) << messages(a.diagnostics);
  EXPECT_FALSE(a.code.empty());
  return expand(source, m);
}

// Bytes of plain text, to compare with.
std::vector<std::byte> bytes(std::string_view source, const Model& m = gen::gen6()) {
  const Assembly a = assemble(m, source, {.validate = false});
  EXPECT_TRUE(a.ok()) << messages(a.diagnostics);
  return a.code;
}

std::string errors(std::string_view source, const Model& m = gen::gen6()) {
  return messages(assemble(m, source).diagnostics);
}

TEST(Pragmas, TextWithoutPragmasComesOutUnchanged) {
  for (std::string_view text :
       {"", "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Compacted}\n", "// .declare in a comment\n nop",
        "/* several\n.kernel lines\n*/ nop\n", "nop // .x\nL: jmpi L"}) {
    const Expanded e = expand_pragmas(gen::gen9(), text);
    EXPECT_EQ(e.text, text);
    EXPECT_TRUE(e.origins.empty());
    EXPECT_TRUE(e.diagnostics.empty());
  }
}

TEST(Pragmas, ConveniencesNeedAPragma) {
  EXPECT_NE(errors("mov r1:f r2:f\n"), "");
  EXPECT_NE(errors("jmp 4\n"), "");
  EXPECT_NE(errors("endif (8)\n"), "");
}

TEST(Pragmas, PlainSyntaxPassesThrough) {
  const std::string_view plain =
      "(W&~f0.1) add (16|M0) (ge)f0.1 (sat)r1.0<1>:f -(abs)r2.0<8;8,1>:f 1.5:f {AccWrEn}\n"
      "math.pow (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"
      "send (8|M0) r10 r2 0xA 0x02106E02 {EOT}\n"
      "mad (8|M0) r1.0<1>:f r2.0<2;1>:f r3.0<0;0>:f -r4.0<1>:f\n"
      "mov (1|M0) r1.0<1>:d (1 << 4) + 2:d; mov (1|M0) r1.0<1>:d 2 * 3:d\n"
      "L: if (8|M0) L M; M: endif (8|M0) L\n"
      "jmpi -32\njmpi (16*2)\njmpi (1|M0) 32\n"
      "wait n0.0<0;1,0>:ud\n";
  EXPECT_EQ(bytes(plain, gen::gen9()), bytes(".define unused 1\n" + std::string(plain), gen::gen9()));
}

// --- PG-01 ---

TEST(Pragmas, PG_01_DirectUse) {
  const std::string head = ".declare S Base=r10.2 ElementSize=4 Type=f SrcRegion=<8;8,1> DstRegion=<2>\n";
  EXPECT_EQ(expand(head + "mov (8) S(1,3) S(2)"), "mov (8) r11.5<2>:f r12.2<8;8,1>:f\n");
  EXPECT_EQ(expand(head + "mov (8) S( 0 , 1 )<1>:d -(abs)S(1)<0;1,0>:d"), "mov (8) r10.3<1>:d -(abs)r11.2<0;1,0>:d\n");
  EXPECT_EQ(expand(head + "mov (8) S(0) S(3-2,1)"), "mov (8) r10.2<2>:f r11.3<8;8,1>:f\n");
  EXPECT_EQ(expand(".declare M ElementSize=4 Type=ud Base=m1\nmov (8) M(2) r1<8;8,1>:ud"),
            "mov (8) m3:ud r1<8;8,1>:ud\n");
  EXPECT_EQ(expand(".declare A ElementSize=4 Type=f Base=acc0\nmov (8) A(1) r1<8;8,1>:f"),
            "mov (8) acc1:f r1<8;8,1>:f\n");
}

TEST(Pragmas, PG_01_SubRegisterCountsElementsOfElementSize) {
  const std::string head = ".declare S Base=r10 ElementSize=4 Type=f\n";
  EXPECT_EQ(expand(head + "mov (8) r1:b S(0,2)<32;8,4>:b"), "mov (8) r1:b r10.8<32;8,4>:b\n");
  EXPECT_EQ(expand(".declare S Base=r10 ElementSize=1\nmov (8) r1:w S(0,3)<8;8,1>:w"),
            "mov (8) r1:w r10.3b<8;8,1>:w\n");
}

TEST(Pragmas, PG_01_IndirectUse) {
  const std::string head = ".declare S Base=r2.1 ElementSize=4 Type=f SrcRegion=<8;8,1>\n";
  EXPECT_EQ(expand(head + "mov (8) r1:f S[a0.0,1,2]"), "mov (8) r1:f r[a0.0,108]<8;8,1>:f\n");  // (2+1)*32+(1+2)*4
  EXPECT_EQ(expand(head + "mov (8) r1:f S[ a0.3 , 1 ]"), "mov (8) r1:f r[a0.3,96]<8;8,1>:f\n");
  EXPECT_EQ(expand(head + "mov (8) r1:f S[a0.1]"), "mov (8) r1:f r[a0.1,64]<8;8,1>:f\n");
  EXPECT_EQ(expand(head + "mov (8) S[a0.1]<1>:d r1:d"), "mov (8) r[a0.1,64]<1>:d r1:d\n");
  EXPECT_EQ(expand(".declare Z Base=r0 ElementSize=4 Type=f\nmov (8) r1:f Z[a0.0]<1,0>"),
            "mov (8) r1:f r[a0.0]<1,0>:f\n");
  EXPECT_EQ(assembled(".declare M Base=m1 ElementSize=4 Type=f\nmov (8) M[a0.0,1] r2:f"),
            "mov (8) m[a0.0,64]:f r2:f\n");
  EXPECT_EQ(assembled(".default_register_type f\nmov (8) m[a0.0] r[a0.0]<1,0>"), "mov (8) m[a0.0]:f r[a0.0]<1,0>:f\n");
}

TEST(Pragmas, PG_01_WithoutRegionAsARegisterIsWritten) {
  const std::string head = ".declare S Base=r2 ElementSize=4 Type=f\n";
  EXPECT_EQ(expand(head + "mov (8) r1:f S(1)"), "mov (8) r1:f r3:f\n");
  EXPECT_EQ(expand(head + "mov (8) r1:f S(1,0)"), "mov (8) r1:f r3.0:f\n");
}

TEST(Pragmas, PG_01_InMessagesBranchesAndThreeSourceInstructions) {
  const std::string head = ".declare S Base=r2 ElementSize=4 Type=f Region=<8;8,1>\n";
  EXPECT_EQ(assembled(head + "send (8) S(6) S(1) 0x2 0x02106E02", gen::gen9()), "send (8) r8 r3 0x2 0x02106E02\n");
  EXPECT_EQ(assembled(head + "(W) jmpi S(1)"), "(W) jmpi r3\n");
  const std::string scalar = ".declare C Base=r9 ElementSize=4 Type=f Region=<0;1,0>\n";
  EXPECT_EQ(assembled(head + scalar + "mad S(0) S(1) C(0,2) S(3)", gen::gen9()),
            "mad (8) r2:f r3.0<2;1>:f r9.2<0;0>:f r5.0<1>:f\n");
}

// --- PG-02 ---

TEST(Pragmas, PG_02_BuiltInExecutionSizes) {
  const std::string head = ".define unused\n";
  for (const auto& [type, size] :
       {std::pair{"ub", 16}, {"b", 16}, {"uw", 16}, {"w", 16}, {"ud", 8}, {"d", 8}, {"f", 8}}) {
    const std::string operands = "r1:" + std::string(type) + " r2:" + type;
    EXPECT_EQ(expand(head + "mov " + operands), "mov (" + std::to_string(size) + ") " + operands + "\n");
  }
  EXPECT_EQ(expand(head + "mov r1:hf r2:hf", gen::gen9()), "mov (16) r1:hf r2:hf\n");
  EXPECT_NE(errors(head + "mov r1:df r2:df", gen::gen9()).find("expected the execution size"), std::string::npos);
}

TEST(Pragmas, PG_02_DefaultExecutionSizes) {
  const std::string head = ".default_execution_size (4)\n.default_execution_size_W ( 2 )\n";
  EXPECT_EQ(expand(head + "mov r1:f r2:f\nmov r1:w r2:w\nmov (1) r1:w r2:w\nnop\njmpi 16"),
            "mov (4) r1:f r2:f\nmov (2) r1:w r2:w\nmov (1) r1:w r2:w\nnop\njmpi 16\n");
}

TEST(Pragmas, PG_02_DefaultTypes) {
  const std::string head = ".default_register_type d\n.default_register_type_acc f\n.default_register_type_m ud\n";
  EXPECT_EQ(expand(head + "mov (8) r1 r2:w\nmov (8) acc0 r2\nmov (8) m3 acc0\nmov (8) r1 7\nadd (1) IP ip 32"),
            "mov (8) r1:d r2:w\nmov (8) acc0:f r2:d\nmov (8) m3:ud acc0:f\nmov (8) r1:d 7:d\nadd (1) ip:d ip:d 32:d\n");
  EXPECT_EQ(expand(".default_register_type_arf uw\nmov (1) f0.0 r1:uw"), "mov (1) f0.0:uw r1:uw\n");
}

TEST(Pragmas, PG_02_DefaultRegionsAreForSymbols) {
  const std::string head =
      ".declare S Base=r2 ElementSize=4\n"
      ".default_register_type f\n"
      ".default_source_register_region < 8; 8, 1 >\n"
      ".default_source_register_region_d <4,4,1>\n"
      ".default_destination_register_region <1>\n"
      ".default_destination_register_region_D <2>\n";
  EXPECT_EQ(expand(head + "mov S(0) S(1)"), "mov (8) r2.0<1>:f r3.0<8;8,1>:f\n");
  EXPECT_EQ(expand(head + "mov S(0):d S(1):d"), "mov (8) r2.0<2>:d r3.0<4;4,1>:d\n");
  EXPECT_EQ(expand(head + "mov r5 r6"), "mov (8) r5:f r6:f\n");
}

TEST(Pragmas, PG_02_DefineNestsAndReplacesWords) {
  EXPECT_EQ(expand(".define SIZE (8)\n.define DST r1.0<1>:f\n.define SRC r2.0 REGION :f\n"
                   ".define REGION\nmov SIZE DST r2.0<0;1,0>:f"),
            "mov (8) r1.0<1>:f r2.0<0;1,0>:f\n");
  EXPECT_EQ(expand(".define A B\n.define B C\n.define C 3\nmov (1) r1.A:d 0xA:d"), "mov (1) r1.3:d 0xA:d\n");
  EXPECT_EQ(expand(".define N 4\n.default_execution_size (N)\nmov r1:f r2:f"), "mov (4) r1:f r2:f\n");
  EXPECT_EQ(expand(".define K 2\n.declare S Base=r1 ElementSize=4 Type=f\nmov (8) S(K+1) S(K)"), "mov (8) r4:f r3:f\n");
}

// --- PG-03 ---

std::string kernel(std::string_view name, std::string_view code, std::string_view pragmas = "") {
  return ".kernel " + std::string(name) + "\n.reg_count_total 64\n.reg_count_payload 2\n" + std::string(pragmas) +
         ".code\n" + std::string(code) + ".end_code\n.end_kernel\n";
}

TEST(Pragmas, PG_03_KernelsHaveScopesOfTheirOwn) {
  const std::string source =
      ".default_register_type w\n" +
      kernel("one", "mov S(0) r2\n", ".declare S Base=r1 ElementSize=4 Type=f\n.default_register_type f\n") +
      kernel("two", "mov S(0) r2\n", ".declare S Base=r9 ElementSize=2\n.define unused 1\n") + "mov (8) r1 r2\n";
  EXPECT_EQ(expand(source), "mov (8) r1:f r2:f\nmov (16) r9:w r2:w\nmov (8) r1:w r2:w\n");
  const Expanded e = expand_pragmas(gen::gen6(), source);
  ASSERT_EQ(e.kernels.size(), 2u);
  EXPECT_EQ(e.kernels[0].name, "one");
  EXPECT_EQ(e.kernels[1].reg_count_total, 64u);
  EXPECT_EQ(e.kernels[1].reg_count_payload, 2u);
  EXPECT_NE(errors(source + "mov (8) S(0) r1\n"), "");
}

TEST(Pragmas, PG_03_LabelsAreCodeBlockScope) {
  const std::string code = "nop\nHERE: nop\n(W) jmpi HERE\n";
  const std::string source = kernel("one", code) + kernel("two", code);
  EXPECT_EQ(assembled(source), "nop\nHERE: nop\n(W) jmpi HERE\nnop\nHERE_2: nop\n(W) jmpi HERE_2\n");
  EXPECT_EQ(bytes(source), bytes("nop;A: nop;(W) jmpi A;nop;B:nop; (W) jmpi B"));
  EXPECT_EQ(errors(kernel("one", code) + kernel("two", "(W) jmpi HERE\n")),
            "14:10+4 the label HERE is not defined in this code block\n");
  EXPECT_EQ(errors(kernel("one", "A: nop\nA: nop\n")), "6:1+1 the label A stands at two places of this code block\n");
}

TEST(Pragmas, PG_03_Comments) {
  EXPECT_EQ(expand("/* x\n*/ .define A /* 1 */ 2 // 3\nmov (8) r1:d /* ; */ A:d // .y\n"), "mov (8) r1:d 2:d\n");
}

TEST(Pragmas, PG_03_Jmp) {
  const std::string head = ".define unused\n";
  EXPECT_EQ(assembled(head + "jmp 3\njmp -2\njmp 2*3\n(f0.0) jmp 1"),
            "add (1) ip:d ip:d 48:d\nadd (1) ip:d ip:d -32:d\nadd (1) ip:d ip:d 96:d\n(f0.0) add (1) ip:d ip:d 16:d\n");
  EXPECT_EQ(assembled(head + "jmp L\n(f0.0) jmp L\nL: nop"), "(W) jmpi L\n(W&f0.0) jmpi L\nL: nop\n");
}

TEST(Pragmas, PG_03_SuffixesOfTheGrammar) {
  const std::string head = ".define unused\n";
  EXPECT_EQ(assembled(head + "cmp.l.f0.1 (8) null:d r1:d r2:d"), "cmp (8) (lt)f0.1 null:d r1:d r2:d\n");
  EXPECT_EQ(assembled(head + "add.nz.f0.sat (8) r1:d r1:d r2:d"), "add (8) (ne)f0 (sat)r1:d r1:d r2:d\n");
  EXPECT_EQ(assembled(head + "sel.ge (8) r1:f r1:f r2:f"), "sel (8) (ge)f0.0 r1:f r1:f r2:f\n");
  EXPECT_EQ(assembled(head + "math.sqt.sat (8) r1:f r2:f"), "math.sqt (8) (sat)r1:f r2:f\n");
  EXPECT_EQ(assembled(head + "(+f0.0) mov (8) r1:f r2:f\n(-f0.1.any4h) MOV (8) r1:f r2:f"),
            "(f0.0) mov (8) r1:f r2:f\n(~f0.1.any4h) mov (8) r1:f r2:f\n");
}

// Targets of the matching instructions, per generation, against the same program with labels.
TEST(Pragmas, PG_03_TargetsOfIfElseEndif) {
  const std::string source =
      ".define unused\n(f0) if (8)\nnop\n(f0) if (8)\nnop\nendif\nelse\nnop\nendif\nnop\n(f0) if (16)\nendif (16)\n";
  EXPECT_EQ(bytes(source), bytes("(f0) if (8) ELSE_BODY\nnop\n(f0) if (8) E1\nnop\nE1: endif (8) ELSE\n"
                                 "ELSE: else (8) E0\nELSE_BODY: nop\nE0: endif (8) N0\nN0: nop\n"
                                 "(f0) if (16) E2\nE2: endif (16) N2\nN2:"));
  for (const Model* m : {&gen::gen8(), &gen::gen9()})
    EXPECT_EQ(bytes(source, *m), bytes("(f0) if (8) ELSE_BODY E0\nnop\n(f0) if (8) E1 E1\nnop\nE1: endif (8) ELSE\n"
                                       "ELSE: else (8) E0 E0\nELSE_BODY: nop\nE0: endif (8) N0\nN0: nop\n"
                                       "(f0) if (16) E2 E2\nE2: endif (16) N2\nN2:",
                                       *m));
}

TEST(Pragmas, PG_03_TargetsInLoops) {
  const std::string source =
      ".define unused\ndo\nnop\n(f0) break (8)\n(f0) if (8)\n(f0) break (8)\nelse\n(f0) cont (8)\nendif\ndo\nnop\n"
      "(f0) break (8)\n(f0) while (8)\n(f0) cont (8)\n(f0) while (8)\nnop\n";
  const std::string_view gen6 =
      "L: nop\n(f0) break (8) W A\n(f0) if (8) ELSE_BODY\n(f0) break (8) ELSE A\nELSE: else (8) E\n"
      "ELSE_BODY: (f0) cont (8) E W\nE: endif (8) W\nL2: nop\n(f0) break (8) W2 A2\nW2: (f0) while (8) L2\n"
      "A2: (f0) cont (8) W W\nW: (f0) while (8) L\nA: nop\n";
  const std::string_view gen8 =
      "L: nop\n(f0) break (8) W W\n(f0) if (8) ELSE_BODY E\n(f0) break (8) ELSE W\nELSE: else (8) E E\n"
      "ELSE_BODY: (f0) cont (8) E W\nE: endif (8) W\nL2: nop\n(f0) break (8) W2 W2\nW2: (f0) while (8) L2\n"
      "(f0) cont (8) W W\nW: (f0) while (8) L\nnop\n";
  EXPECT_EQ(bytes(source), bytes(gen6));
  EXPECT_EQ(bytes(source, gen::gen8()), bytes(gen8, gen::gen8()));
  EXPECT_EQ(bytes(source, gen::gen9()), bytes(gen8, gen::gen9()));
}

TEST(Pragmas, PG_03_LoopsByLabelNeedNoDo) {
  EXPECT_EQ(bytes(".define unused\nL: nop\n(f0) break (8)\n(f0) while (8) L\n"),
            bytes("L: nop\n(f0) break (8) W A\nW: (f0) while (8) L\nA:"));
  EXPECT_EQ(bytes(".define unused\ndo\nL:\nnop\nM: nop\n(f0) while (8) M\n(f0) break (8)\n(f0) while (8) L\n"),
            bytes("L: nop\nM: nop\n(f0) while (8) M\n(f0) break (8) W A\nW: (f0) while (8) L\nA:"));
}

TEST(Pragmas, PG_03_ComparingBranchesOfGen6) {
  EXPECT_EQ(bytes(".default_register_type d\ndo\nif.l (8) r1 r2\nnop\nendif\nwhile.ge.f0 (8) r1 r2\n"),
            bytes("L: if (8) (lt)f0.0 r1:d r2:d E\nnop\nE: endif (8) W\nW: while (8) (ge)f0.0 r1:d r2:d L"));
}

TEST(Pragmas, PG_03_TargetsOfHalt) {
  const std::string source = ".define unused\n(f0) if (8)\nhalt (8)\nendif\n(f0) halt (8)\nnop\nhalt (8)\nnop\n";
  EXPECT_EQ(bytes(source), bytes("(f0) if (8) E\nhalt (8) E END\nE: endif (8) N\nN: (f0) halt (8) END END\nnop\n"
                                 "halt (8) END END\nnop\nEND:"));
  EXPECT_EQ(bytes(source, gen::gen9()), bytes("(f0) if (8) E E\nhalt (8) E H\nE: endif (8) H\n(f0) halt (8) H H\nnop\n"
                                              "H: halt (8) N N\nN: nop\n",
                                              gen::gen9()));
  EXPECT_EQ(errors(".define unused\n(f0) halt (8)\nnop\n", gen::gen9()),
            "2:6+4 this halt has no matching halt further down, outside all blocks and without predicate; expected "
            "one, or labels\n");
}

// --- worked examples ---

// `<1>` for the destination that the document leaves open as "?". The first example's size of 32 is not the default for
// bytes; `<0;8,1>` breaks the document's own region rules, so the rules are not checked.
TEST(Pragmas, T33_Example1_Block) {
  const std::string_view source =
      ".declare Block Base=r0 ElementSize=1 Region=<32;8,1> Type=b\n"
      ".default_execution_size_b (32)\n"
      "Mov r20.0<1>:b Block(0,16)     // (0,16): RegNum=0, SubRegNum=16\n";
  EXPECT_EQ(assembled(source, gen::gen6(), false), "mov (32) r20.0<1>:b r0.16<32;8,1>:b\n");
  EXPECT_EQ(bytes(source), bytes("mov(32)  r20.0<1>:b  r0.16<32;8,1>:b"));
}
constexpr std::string_view trans = ".declare Trans Base=r5 ElementSize=4 Region=<0;8,1> Type=f\n";
TEST(Pragmas, T33_Example2_Trans) {
  EXPECT_EQ(assembled(std::string(trans) + "mov   r20.0<1>:f  Trans(1)", gen::gen6(), false),
            "mov (8) r20.0<1>:f r6.0<0;8,1>:f\n");
}
TEST(Pragmas, T33_Example3_Indirect) {
  EXPECT_EQ(assembled(std::string(trans) + "mov   r20.0<1>:f  Trans[a0.0,2]", gen::gen6(), false),
            "mov (8) r20.0<1>:f r[a0.0,224]<0;8,1>:f\n");
}
TEST(Pragmas, T33_Example4_VxH) {
  EXPECT_EQ(assembled(std::string(trans) + "mov   r20.0<1>:f  Trans[a0.0,2]<1,0>"),
            "mov (8) r20.0<1>:f r[a0.0,224]<1,0>:f\n");
}
// The document prints 244 here and explains 224, which is (5+2)*32.
TEST(Pragmas, T33_Example5_Vx1) {
  EXPECT_EQ(assembled(std::string(trans) + "mov   r20.0<1>:f  Trans[a0.0,2]<4,1>"),
            "mov (8) r20.0<1>:f r[a0.0,224]<4,1>:f\n");
}

TEST(Pragmas, T34_DefaultExecutionSizes) {
  const std::string_view source =
      ".define unused\n"
      "mov r1.0<2>:b r2.0<8;8,1>:b\nmov r1.0<1>:w r2.0<8;8,1>:w\nmov r1.0<1>:f r2.0<8;8,1>:f\n"
      ".default_execution_size_f (4)\nmov r1.0<1>:f r2.0<4;4,1>:f\nmov r1.0<1>:d r2.0<8;8,1>:d\n"
      ".default_execution_size (2)\nmov r1.0<1>:f r2.0<4;4,1>:f\nmov r1.0<1>:d r2.0<2;2,1>:d\n";
  EXPECT_EQ(assembled(source, gen::gen6(), false),
            "mov (16) r1.0<2>:b r2.0<8;8,1>:b\nmov (16) r1.0<1>:w r2.0<8;8,1>:w\nmov (8) r1.0<1>:f r2.0<8;8,1>:f\n"
            "mov (4) r1.0<1>:f r2.0<4;4,1>:f\nmov (8) r1.0<1>:d r2.0<8;8,1>:d\n"
            "mov (4) r1.0<1>:f r2.0<4;4,1>:f\nmov (2) r1.0<1>:d r2.0<2;2,1>:d\n");
}

// With NoDDChk for the printed NoDDCChk. Write masks say Align16, where <4;4,1> is <4>.
TEST(Pragmas, T31_DestinationMaskForDp4) {
  const std::string_view source =
      ".define unused\n"
      "dp4 (8) r5.0<1>.x:f r0.0<4;4,1>:f r4.0<4;4,1>:f  {NoDDClr}\n"
      "dp4 (8) r5.0<1>.y:f r1.0<4;4,1>:f r4.0<4;4,1>:f  {NoDDClr, NoDDChk}\n"
      "dp4 (8) r5.0<1>.z:f r2.0<4;4,1>:f r4.0<4;4,1>:f  {NoDDClr, NoDDChk}\n"
      "dp4 (8) r5.0<1>.w:f r3.0<4;4,1>:f r4.0<4;4,1>:f  {NoDDChk}\n";
  assembled(source);
  EXPECT_EQ(bytes(source), bytes("dp4 (8|M0) r5.0<1>.x:f r0.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDClr}\n"
                                 "dp4 (8|M0) r5.0<1>.y:f r1.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDChk,NoDDClr}\n"
                                 "dp4 (8|M0) r5.0<1>.z:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDChk,NoDDClr}\n"
                                 "dp4 (8|M0) r5.0<1>.w:f r3.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16,NoDDChk}\n"));
}

// Example 9-2. The printed HERE_1 is the else itself; on Gen6 an if goes behind it, which is what omitting targets
// gives.
TEST(Pragmas, T36_IfElseEndif) {
  const std::string_view source =
      ".default_register_type d\n"
      "  cmp.e.f0 (8)  null r5 r4 // does r5 == r4?\n"
      "  (f0) if (8)\n"
      "  add (8) r1 r1 1\n"
      "  else (8)   // invert\n"
      "  add (8) r1 r1 2\n"
      "  endif    // restore\n"
      "  mov (8) r2 r1\n";
  assembled(source);
  EXPECT_EQ(bytes(source), bytes("cmp (8) (eq)f0.0 null:d r5:d r4:d\n(f0) if (8) HERE_1\nadd (8) r1:d r1:d 1:d\n"
                                 "else (8) HERE_2\nHERE_1: add (8) r1:d r1:d 2:d\nHERE_2: endif (8) HERE_3\n"
                                 "HERE_3: mov (8) r2:d r1:d"));
}

// Example 9-4, with its labels moved behind the else.
TEST(Pragmas, T37_CascadeWithTwoEndifs) {
  const std::string_view source =
      ".default_register_type d\n"
      "  cmp.e.f0 (8)  null r5 r4 // does r5 == r4?\n"
      " (f0) if (8)\n"
      "  mov (8) r1 1\n"
      "  else (8)\n"
      "  cmp.g.f0 (8)  null r6 r7 // is r6 > r7?\n"
      " (f0) if (8)\n"
      "  mov (8) r1 2\n"
      "  else (8)\n"
      "  mov (8) r1 3\n"
      "  endif     // for elseif\n"
      "  endif     // for if\n";
  assembled(source);
  EXPECT_EQ(bytes(source),
            bytes("cmp (8) (eq)f0.0 null:d r5:d r4:d\n(f0) if (8) HERE_1\nmov (8) r1:d 1:d\nelse (8) HERE_2\n"
                  "HERE_1: cmp (8) (gt)f0.0 null:d r6:d r7:d\n(f0) if (8) HERE_3\nmov (8) r1:d 2:d\nelse (8) HERE_4\n"
                  "HERE_3: mov (8) r1:d 3:d\nHERE_4: endif (8) HERE_2\nHERE_2: endif (8) END\nEND:"));
}

// Example 9-5, with f0.1 for the printed f1 (Gen6 has one flag register) and the endif's size left out as printed.
TEST(Pragmas, T38_CompoundBranch) {
  const std::string_view source =
      ".default_register_type d\n"
      "  cmp.g.f0 (8)  null r0:d  r1:d  // r0 > r1?\n"
      "  cmp.le.f0.1 (8) null r2:d  r3:d  // r2 <= r3?\n"
      "  or (1) f0:w f0:w  f0.1:w   // combine\n"
      " (f0) if (8) HERE_1\n"
      "  mov (8) r4 1\n"
      "HERE_1:  endif\n";
  EXPECT_EQ(assembled(source),
            "cmp (8) (gt)f0 null:d r0:d r1:d\ncmp (8) (le)f0.1 null:d r2:d r3:d\nor (1) f0:w f0:w f0.1:w\n"
            "(f0) if (8) HERE_1\nmov (8) r4:d 1:d\nHERE_1: endif (8) _0; _0:\n");
  // without any default a null destination has its first source's type
  EXPECT_EQ(expand(".define unused\ncmp.g.f0 (8)  null r0:d  r1:d"), "cmp (8) (gt)f0 null:d r0:d r1:d\n");
}

// Example 9-11; jmpi has to be NoMask, which the example leaves out. jmp to a label is jmpi too.
TEST(Pragmas, T41_IndexedJump) {
  const std::string_view source =
      " .default_execution_size  8\n"
      " .default_register_type d\n"
      " jmpi r0<0,1,0> {NoMask}  // jump relative\n"
      " jmp HERE_0\n jmp HERE_1\n jmp HERE_2\n jmp HERE_3\n"
      "HERE_0: mov r1 0\n jmp DONE\n"
      "HERE_1: mov r1 1\n jmp DONE\n"
      "HERE_2: mov r1 2\n jmp DONE\n"
      "HERE_3: mov r1 3\n"
      "DONE:\n nop\n";
  EXPECT_EQ(assembled(source),
            "jmpi r0<0;1,0> {NoMask}\n(W) jmpi HERE_0\n(W) jmpi HERE_1\n(W) jmpi HERE_2\n(W) jmpi HERE_3\n"
            "HERE_0: mov (8) r1:d 0:d\n(W) jmpi DONE\nHERE_1: mov (8) r1:d 1:d\n(W) jmpi DONE\n"
            "HERE_2: mov (8) r1:d 2:d\n(W) jmpi DONE\nHERE_3: mov (8) r1:d 3:d\nDONE:\nnop\n");
}

// --- errors ---

TEST(Pragmas, ErrorsOfPragmas) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {".foo 1", "1:1+4 found '.foo', expected a pragma (.declare .define .default_execution_size "},
      {".", "1:1+1 found '.', expected a pragma"},
      {"  #define A 1", "1:3+7 found the preprocessor directive #define: directives are not supported"},
      {"#include \"x\"", "1:1+8 found the preprocessor directive #include"},
      {".declare", "1:1+8 found the end of the line, expected a symbol to declare"},
      {".declare 5", "1:10+1 found '5', expected a symbol to declare"},
      {".declare r5 Base=r1 ElementSize=1", "1:10+2 r5 is a register"},
      {".declare S ElementSize=4", "1:25+1 found the end of the line, expected Base= of the symbol S"},
      {".declare S Base=r1", "1:19+1 found the end of the line, expected ElementSize= of the symbol S"},
      {".declare S Base=q1 ElementSize=4", "1:17+2 found 'q1', expected a register (r5, m1, acc0 ...)"},
      {".declare S Base=r128 ElementSize=4", "1:17+4 found r128, expected a number below 128"},
      {".declare S Base=r1 ElementSize=3", "1:32+1 found 3, expected a size of 1, 2, 4 or 8 bytes"},
      {".declare S Base=r1 Base=r2 ElementSize=4", "1:20+4 Base is given twice"},
      {".declare S Base r1 ElementSize=4", "1:17+2 found 'r1', expected '=' after Base"},
      {".declare S Base=r1 ElementSize=4 Type=df", "1:39+2 found 'df', expected a type of gen6 (ub b uw w ud d f)"},
      {".declare S Base=r1 ElementSize=4 Size=4", "1:34+4 found 'Size', expected one of Base= ElementSize= SrcRegion="},
      {".declare S Base=r1 ElementSize=4 DstRegion=<8;8,1>", "1:44+7 a destination has only <HorzStride>"},
      {".declare S Base=r1 ElementSize=4 Region=<8;8,1", "1:47+1 found the end of the line, expected '>' closing"},
      {".declare S Base=r1 ElementSize=4\n.declare S Base=r1 ElementSize=4", "2:10+1 S is declared already, on line 1"},
      {".define A 1\n.define A 2", "2:9+1 A is defined already, on line 1"},
      {".define A B\n.define B A\nmov (8) r1:d A", "3:14+1 A is defined by itself, on line 1"},
      {".default_execution_size", "1:1+23 found the end of the line, expected an execution size"},
      {".default_execution_size (3)", "1:26+1 found 3, expected an execution size of 1, 2, 4, 8, 16 or 32"},
      {".default_execution_size (8", "1:27+1 found the end of the line, expected ')'"},
      {".default_execution_size (8) x", "1:29+1 found 'x', expected the end of the line"},
      {".default_execution_size_type (8)", "1:25+4 found 'type', expected a type of gen6"},
      {".default_register_type q", "1:24+1 found 'q', expected a type of gen6"},
      {".default_register_type_x d", "1:24+1 found 'x', expected a register file"},
      {".default_source_register_region 8", "1:33+1 found '8', expected a region <VertStride;Width,HorzStride>"},
      {".default_destination_register_region <1;1,0>", "1:38+7 a destination has only <HorzStride>"},
      {".kernel", "1:1+7 found the end of the line, expected the kernel's name"},
      {".kernel k\n.code\n.end_code\n.end_kernel",
       "1:1+7 the kernel k has no .reg_count_total\n1:1+7 the kernel k has "},
      {".kernel k\n.reg_count_total 1\n.reg_count_payload 2\n.code\n.end_code\n.end_kernel",
       "1:1+7 the kernel k has a payload of 2 registers, more than its total of 1"},
      {".kernel k\n.reg_count_total 129", "1:1+7 the kernel k has no .reg_count_total"},
      {".kernel k\n.reg_count_total 1\n.reg_count_total 1\n.reg_count_payload 1\n.code\n.end_code\n.end_kernel",
       "3:1+16 this count is given twice"},
      {".kernel k\n.reg_count_total 9\n.reg_count_payload 1\n.code\nnop", "1:1+7 the kernel k has no .end_code"},
      {".kernel k\n.reg_count_total 9\n.reg_count_payload 1\n nop\n.code\n.end_code\n.end_kernel",
       "4:2+3 found an instruction outside the kernel's code, expected .code before it"},
      {".code", "1:1+5 this pragma belongs into a kernel, expected .kernel before it"},
      {".reg_count_total", "1:1+16 this pragma belongs into a kernel"},
      {".end_code", "1:1+9 found .end_code, but no .code is open"},
      {".end_kernel", "1:1+11 found .end_kernel, but no .kernel is open"},
  };
  for (const auto& [source, expected] : cases) {
    const std::string found = errors(source);
    EXPECT_EQ(found.substr(0, expected.size()), expected) << source << "\n" << found;
  }
}

TEST(Pragmas, ErrorsOfStatementsPointAtWhatWasWritten) {
  const std::string head = ".declare S Base=r120 ElementSize=4 Type=f Region=<8;8,1>\n.define LONG r2.0<8;8,1>\n";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"mov r1:f S(8)", "3:10+4 found register 128 of r, expected a number from 0 to 127"},
      {"mov r1:f S(0,-1)", "3:10+7 found sub-register -1, expected none below 0"},
      {"mov r1:f S", "3:10+1 S is a declared symbol, expected S(RegOff,SubRegOff) or S[a0.n,RegOff,SubRegOff]"},
      {"mov r1:f S()", "3:12+1 found the end of the line, expected a register offset"},
      {"mov r1:f S(1,2,3)", "3:16+1 found '3', expected ')' after two offsets"},
      {"mov r1:f S(x)", "3:12+1 found 'x', expected a number"},
      {"mov r1:f S[a0.0,1", "3:11+1 this bracket is never closed"},
      {"mov r1:f S[a0.0]", "3:10+7 found the offset 3840, expected -512 to 511"},
      {"mov r1:f S(0,9)", "3:10+6 sub-register 9 of :f lies outside the 32 bytes of a register"},
      {"mov (8) r1:f LONG", "3:18+1 expected ':' and the type of the source"},
      {"mov (8) r1:f LONG:q7", "3:19+2 found 'q7', expected a type"},
      {"frobnicate (8) r1:f", "3:1+10 found 'frobnicate', expected an instruction"},
      {"mov r1:df r2:df", "3:5+2 found 'r1', expected the execution size"},
      {"nop; nop; mov (8) r1:f S(0):zz", "3:29+2 found 'zz', expected a type"},
      {"(f0) if (8)", "3:6+2 this if has no matching endif; expected one, or labels"},
      {"else (8)", "3:1+4 this else has no matching if and endif"},
      {"endif (8)", "3:1+5 this endif has no matching if"},
      {"while (8)", "3:1+5 this while has no matching do"},
      {"break (8)", "3:1+5 this break has no matching while"},
      {"do", "3:1+2 this do has no matching while"},
      {"do 4", "3:4+1 found an operand, but do has none"},
      {"jmp", "3:1+3 expected a number of instructions or a label after jmp"},
      {"jmp 5x", "3:5+2 found '5x', expected a number"},
      {"if.sat (8) 16", "3:1+2 found .sat, but if has no destination to saturate"},
      {"(W) jmpi NOWHERE", "3:10+7 the label NOWHERE is not defined"},
  };
  for (const auto& [source, expected] : cases) {
    const std::string found = errors(head + std::string(source));
    EXPECT_EQ(found.substr(0, expected.size()), expected) << source << "\n" << found;
  }
}

TEST(Pragmas, DefinesThatGrowWithoutEndAreAnError) {
  std::string source = ".define A0 xxxxxxxxxxxxxxxx\n";
  for (int n = 1; n < 64; ++n) {
    const std::string before = "A" + std::to_string(n - 1);
    source += ".define A" + std::to_string(n) + " " + before + " " + before + "\n";
  }
  EXPECT_NE(errors(source + "A63").find("defines expand to more than"), std::string::npos);
  std::string deep = ".define B0 1\n";
  for (int n = 1; n < 1000; ++n) deep += ".define B" + std::to_string(n) + " B" + std::to_string(n - 1) + "\n";
  EXPECT_NE(errors(deep + "B999").find("defines nest more than"), std::string::npos);
}

// Whatever comes in, nothing crashes, lines stay lines and every diagnostic has a place in the source.
TEST(Pragmas, RandomInputIsHarmless) {
  const std::string seed =
      ".define N 4\n.declare S Base=r5.2 ElementSize=4 Region=<0;8,1> DstRegion=<1> Type=f\n.default_register_type "
      "d\n" +
      kernel("k",
             "L: cmp.l.f0.1 (8) null S(N,1) r2.0<8;8,1>\ndo\n(f0) if (8); break (8)\nelse\nhalt (8)\nendif\n"
             "mov.sat S[a0.0, 2, N]<1,0>:d -(abs)r[a0.1,16]<4,1>:f {NoDDChk, Align1}\n(-f0) while (8)\njmp L\n"
             "jmp N*2\nmad S(0) S(1) S(2)<0;0> S(3)\nmul (8) r1.0<1>.xy:f r2.0<4;4,1>.zwxy 1.5:f\n");
  const std::string_view words[] = {".kernel k\n",
                                    ".define N N\n",
                                    "S(",
                                    "S[",
                                    ")",
                                    "]",
                                    "<",
                                    ">",
                                    "\n",
                                    ";",
                                    ":",
                                    ".",
                                    "{",
                                    "}",
                                    "N",
                                    "(",
                                    "[",
                                    "-",
                                    "#",
                                    "do",
                                    "while (8)\n",
                                    "endif\n",
                                    "if (8)\n",
                                    "<<",
                                    ">>",
                                    "/*",
                                    "*/",
                                    "//",
                                    "\t",
                                    ",",
                                    "="};
  std::mt19937 random(6);
  for (int round = 0; round < 1500; ++round) {
    std::string text = seed;
    for (int edits = int(random() % 8) + 1; edits > 0; --edits) {
      const size_t at = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0: text.erase(at, random() % 12); break;
        case 1: text.insert(at, words[random() % std::size(words)]); break;
        default: text.insert(at, 1, char(random() % 256)); break;
      }
    }
    for (const Model* m : {&gen::gen6(), &gen::gen9()}) {
      const Expanded e = expand_pragmas(*m, text);
      ASSERT_EQ(std::count(e.text.begin(), e.text.end(), '\n'), std::count(text.begin(), text.end(), '\n')) << text;
      for (const Diagnostic& d : assemble(*m, text).diagnostics) {
        ASSERT_GE(d.line, 1);
        ASSERT_LE(d.line, std::count(text.begin(), text.end(), '\n') + 1);
        ASSERT_GE(d.column, 1) << text;
        ASSERT_GE(d.length, 1) << d.message << "\n" << text;
      }
    }
  }
}

}  // namespace
}  // namespace vitro::isa
