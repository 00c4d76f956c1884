// The two spellings: what is read is written again, samples of every row both ways; errors have their place.
#include <gtest/gtest.h>

#include <set>

#include "visa/names.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/row.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

namespace vitro::visa {
namespace {

constexpr TextOptions plain{.numbers = false, .predefined = false};

std::string first_error(const std::string& text) {
  const TextResult r = read_text(text);
  return r.ok() ? "" : isa::render("t", text, r.diagnostics.front(), false);
}

// A kernel with these lines behind the samples' declarations.
std::string kernel(std::string_view lines) {
  return std::string(".version 4.1\n.kernel k\n") + std::string(sample_declarations) + std::string(lines);
}
const Operand& operand(const TextResult& r, size_t instruction, size_t n) {
  const Routine& k = r.object.routines.at(0);
  return k.operands_of(k.instructions.at(instruction))[n];
}
void expect_error(std::string_view line, std::string_view message, int column) {
  const std::string text = kernel(line);
  const TextResult r = read_text(text);
  ASSERT_FALSE(r.ok()) << line;
  EXPECT_NE(r.diagnostics[0].message.find(message), std::string::npos) << r.diagnostics[0].message;
  EXPECT_EQ(r.diagnostics[0].column, column) << line;
}

TEST(VisaText, EverySampleComesBackFromTextAndBytes) {
  for (const std::string_view sample : all_samples()) {
    const std::string text = sample_kernel(sample);
    const TextResult read = read_text(text);
    ASSERT_TRUE(read.ok()) << first_error(text);
    EXPECT_EQ(write_text(read.object, plain), text);
    for (const uint32_t v : {0x300u, 0x301u, 0x302u, 0x303u, 0x304u, 0x305u, 0x306u, 0x307u, 0x400u, 0x401u}) {
      Object object = read.object;
      object.major = uint8_t(v >> 8), object.minor = uint8_t(v);
      const BytesResult made = write_bytes(object);
      if (v >= 0x306u) {
        ASSERT_TRUE(made.ok()) << sample << ": " << made.diagnostics[0].message;
      }
      if (!made.ok()) continue;
      const Result<Object> again = read_bytes(made.bytes);
      ASSERT_TRUE(again) << sample << ": " << again.error().message;
      EXPECT_EQ(write_bytes(*again).bytes, made.bytes) << sample;
      Object as_before = *again;
      as_before.major = 4, as_before.minor = 1;
      EXPECT_EQ(write_text(as_before, plain), text) << v;
    }
  }
}

TEST(VisaText, SamplesHaveEveryRow) {
  std::set<std::string_view> missing;
  for (const Row& r : rows()) missing.insert(r.mnemonic);
  for (const std::string_view sample : all_samples()) {
    const TextResult read = read_text(sample_kernel(sample));
    ASSERT_TRUE(read.ok());
    for (const Instruction& i : read.object.routines[0].instructions) missing.erase(i.row->mnemonic);
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

TEST(VisaText, OneLayoutOfIgc) {
  const std::string text =
      ".version 4.1\n.kernel \"k\"\n.decl V0032 v_type=G type=d num_elts=8 align=hword\nmov (8) V0032<1> 3:d\n";
  const TextResult r = read_text(text);
  ASSERT_TRUE(r.ok()) << first_error(text);
  EXPECT_EQ(write_text(r.object, {.numbers = true, .predefined = false}),
            ".version 4.1\n.kernel \"k\"\n\n.decl V0032 v_type=G type=d num_elts=8 align=hword\n"
            "    mov (M1, 8) V0032(0,0)<1> 0x3:d                                              /// $0\n");
}

TEST(VisaText, NumbersAreExpressionsAndFloatsAreBits) {
  struct Case {
    std::string_view text;
    Type type;
    uint64_t value;
  };
  for (const Case& c :
       {Case{"-3:d", Type::d, 0xfffffffd}, Case{"(2*8+1):d", Type::d, 17},
        Case{"(7 & 3 | 4):d", Type::d, 7 & (3 | 4)},  // | is stronger than & here
        Case{"(1 << 4 >> 2 == 4 ? 5 : 6):d", Type::d, 0}, Case{"%sizeof(GRF):ud", Type::ud, 32},
        Case{"%sizeof D0:ud", Type::ud, 256}, Case{"%DispatchSimd:uw", Type::uw, 16},
        Case{"~0:ud", Type::ud, 0xffffffff}, Case{"1.5:f", Type::f, 0x3fc00000}, Case{"-1.5e+3:f", Type::f, 0xc4bb8000},
        Case{"2.5:df", Type::df, 0x4004000000000000}, Case{"1:f", Type::f, 1}, Case{"-1:f", Type::f, 0x80000001},
        Case{"0x3c00:hf", Type::hf, 0x3c00}, Case{"0xffffffffffffffff:uq", Type::uq, UINT64_MAX}}) {
    const std::string text = kernel("mov (M1, 8) D0(0,0)<1> " + std::string(c.text) + "\n");
    const TextResult r = read_text(text);
    if (c.value == 0) {
      EXPECT_FALSE(r.ok()) << c.text;  // shifts do not chain
      continue;
    }
    ASSERT_TRUE(r.ok()) << first_error(text);
    EXPECT_EQ(operand(r, 0, 1).type, c.type) << c.text;
    EXPECT_EQ(operand(r, 0, 1).value, c.value) << c.text;
  }
}

TEST(VisaText, VI_209_BothSpellingsOfMultiAddressRegions) {
  const TextResult a = read_text(kernel("mov (M1, 8) D0<1> r[A1(0),0]<1,0>:d\n"));
  const TextResult b = read_text(kernel("mov (M1, 8) D0<1> r[A1(0)]<;1,0>:d\n"));
  ASSERT_TRUE(a.ok());
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(operand(a, 0, 1).region, 0x120);
  EXPECT_EQ(operand(b, 0, 1).region, 0x120);
}

TEST(VisaText, MasksHaveOtherNames) {
  const TextResult r = read_text(kernel("mov (NoMask, 8) D0<1> 1:d\nmov (16) D0<1> 1:d\n"));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.object.routines[0].instructions[0].execution, 0x83);
  EXPECT_EQ(r.object.routines[0].instructions[1].execution, 0x04);
}

TEST(VisaText, CommentsAndLines) {
  const TextResult r = read_text(kernel("/* two\nlines */ mov (M1, 8) \\\n D0<1> /* here */ 1:d // end\n mo\n"));
  ASSERT_EQ(r.diagnostics.size(), 1u);
  EXPECT_EQ(r.diagnostics[0].column, 2);
  EXPECT_EQ(r.diagnostics[0].line, read_text(kernel("\n\n\n mo\n")).diagnostics[0].line);
}

TEST(VisaText, ScopesHideNames) {
  const std::string text =
      kernel("{\n.decl D0 v_type=G type=f num_elts=8\nmov (M1, 8) D0(0,0)<1> 1.0:f\n}\nmov (M1, 8) D0(0,0)<1> 1:d\n");
  const TextResult r = read_text(text);
  ASSERT_TRUE(r.ok()) << first_error(text);
  EXPECT_NE(operand(r, 0, 0).id, operand(r, 1, 0).id);
  EXPECT_TRUE(read_text(write_text(r.object)).ok());  // the names are made different
  expect_error("{\n", "the scope has no end", 1);
  expect_error("}\n", "no scope is open", 1);
}

TEST(VisaText, FunctionsBehindTheirKernel) {
  const std::string text =
      ".version 4.1\n.kernel \"k\"\n.funcdecl \"f\"\n    \n.function \"main\"\n\nmain:\n    fcall (M1, 16) f 1 2\n"
      ".version 4.1\n.global_function \"f\"\n.kernel_attr ArgSize=1\n.kernel_attr RetValSize=2\nfret (M1, 16)\n";
  const TextResult r = read_text(text);
  ASSERT_TRUE(r.ok()) << first_error(text);
  ASSERT_EQ(r.object.routines.size(), 2u);
  const Result<Object> again = read_bytes(write_bytes(r.object).bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->routines[1].is_kernel);
  EXPECT_EQ(again->routines[1].input_registers, 1);
  EXPECT_EQ(again->routines[1].return_registers, 2);
}

TEST(VisaText, ErrorsHaveTheirColumn) {
  expect_error("mov (M1, 3) D0<1> 1:d\n", "execution size", 10);
  expect_error("mov (M9, 8) D0<1> 1:d\n", "is no mask", 6);
  expect_error("mov (M1, 8) D9<1> 1:d\n", "not declared", 13);
  expect_error("mov (M1, 8) D0<3> 1:d\n", "horizontal stride", 16);
  expect_error("mov (M1, 8) D0<1> D1(0,0)<3;1,0>\n", "no stride is 3", 27);
  expect_error("mov (M1, 8) D0<1> D1(0,0)<1;32,0>\n", "no width is 32", 29);
  expect_error("mov (M1, 8) D0<1> D1(0,0)<;1,0>\n", "only indirect", 27);
  expect_error("mov (M1, 8) D0<1> 1:x\n", "is no type", 21);
  expect_error("mov (M1, 8) D0<1> 0x100000000:d\n", "32 bits", 19);
  expect_error("mov (M1, 8) D0<1>\n", "the line ends", 18);
  expect_error("mov (M1, 8) D0<1> 1:d 2:d\n", "end of the line", 23);
  expect_error("cmp.eq (M1, 16) P1 D0(0,0)<1;1,0> P1\n", "cmp takes here", 35);
  expect_error("(P1) cmp.eq (M1, 16) P1 D0(0,0)<1;1,0> 1:d\n", "takes no predicate", 1);
  expect_error("(D0) mov (M1, 8) D0<1> 1:d\n", "is no predicate", 2);
  expect_error("add (M1, 8) D0<1> (abs)1:d 1:d\n", "modifiers", 19);
  expect_error("svm_gather.3.1 (M1, 8) UQ0.0 D0.0\n", "size of a block", 12);
  expect_error("sample4.RG (M1, 8) 0:uw S0 T6 U2.0 F0.0\n", "one channel", 9);
  expect_error("dword_atomic.nand (M1, 8) T6 U0.0 U1.0 %null.0 U2.0\n", "atomic operation", 14);
  expect_error("(P1 mov (M1, 8) D0<1> 1:d\n", "')' behind the predicate", 9);
  expect_error("() mov (M1, 8) D0<1> 1:d\n", "expected a predicate", 2);
  expect_error("mov (M1, 8) D0<1> 1:\n", "expected a type", 21);
  expect_error("sample_lz.R (M1, 8) 0:uw S0\n", "expected a surface", 28);
  expect_error("va.erode T6 S0 0:f 0:f VA_ED_16x4 U2.0\n", "expected VA_ED_64x4, VA_ED_32x4, VA_ED_64x1 or VA_ED_32x1",
               24);
  expect_error("va.nothing T6 U2.0\n", "there is no instruction va", 1);
  expect_error("goto (M1, 16) nowhere\n", "is nowhere", 15);
  expect_error("x:\nx:\n", "stands twice", 1);
  expect_error(".decl D0 v_type=G type=d num_elts=8\n", "declared twice", 7);
  expect_error(".decl N v_type=G type=d num_elts=70000\n", "num_elts goes", 34);
  expect_error(".decl N v_type=G type=d num_elts=8 align=3\n", "aligned", 42);
  expect_error(".decl N v_type=G type=d num_elts=8 alias=<P1, 0>\n", "no general variable", 43);
  expect_error(".kernel_attr Colour=3\n", "no attribute", 14);
  expect_error(".version 3.9\n", "text began with", 1);
  expect_error(".banana\n", "no directive", 1);
  expect_error("/* no end", "no end", 1);
  expect_error("FILE \"no end\n", "no end", 6);
  expect_error("mov (M1, 8) D0<1> " + std::string(200, '(') + "\n", "nest", 19 + 32);
}

TEST(VisaText, VI_419_ObjectsHave4095Predicates) {
  std::string lines;
  for (int n = 0; n < 4092; ++n) lines += ".decl N" + std::to_string(n) + " v_type=P num_elts=1\n";  // and three
  const TextResult most = read_text(kernel(lines));
  ASSERT_TRUE(most.ok());
  EXPECT_TRUE(write_bytes(most.object).ok());
  const TextResult more = read_text(kernel(lines + ".decl ONE v_type=P num_elts=1\n"));
  ASSERT_TRUE(more.ok());
  const BytesResult b = write_bytes(more.object);
  ASSERT_FALSE(b.ok());
  EXPECT_NE(b.diagnostics[0].message.find("4095 predicates"), std::string::npos);
}

TEST(VisaText, BytesRefuseWhatTheyCannotSay) {
  struct Case {
    std::string_view line, message;
    int column;
  };
  for (const Case& c : {Case{"mov (M1_NM, 1) A0(0)<1> &D0\n", "only addr_add", 25},
                        Case{"addr_add (M1_NM, 1) A0(0)<1> &D0[3] 0x10:uw\n", "whole elements", 30}}) {
    const TextResult r = read_text(kernel(c.line));
    ASSERT_TRUE(r.ok());
    const BytesResult b = write_bytes(r.object);
    ASSERT_FALSE(b.ok());
    EXPECT_NE(b.diagnostics[0].message.find(c.message), std::string::npos) << b.diagnostics[0].message;
    EXPECT_EQ(b.diagnostics[0].column, c.column);
  }
}

}  // namespace
}  // namespace vitro::visa
