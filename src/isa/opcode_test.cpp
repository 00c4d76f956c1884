// The opcode table against the documents, stated a second time and independently: what each document lists, in its
// order and its words. Gen6: tables 7-20..7-25 and the capability matrix of chapter 8. Gen8: the 66 instruction
// sections. Gen9: the enumeration EU_OPCODE. Where a document contradicts itself the cell says what was decided.
#include "isa/opcode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "gen/models.h"
#include "isa/assemble.h"
#include "isa/print.h"

namespace vitro::isa {
namespace {

// Attributes: P predicate, C condition, S saturate, M source modifiers (the four columns of both documents), c the
// condition is mandatory, r it selects and no flag is written, l bitwise, a reads the accumulator, w AccWrEn is
// mandatory, b BranchCtrl, 1 always one channel.
// Types: B W D Q integers of 1, 2, 4, 8 bytes, H F X floats of 2, 4, 8 bytes; destination and sources.
struct Documented {
  std::string_view name;
  uint8_t code;
  Format format;
  std::string_view attributes;
  std::string_view dst, src;
};
using enum Format;

constexpr Documented gen6[] = {
    {"illegal", 0x00, nullary, "", "", ""},
    {"mov", 0x01, unary, "PCSM", "BWDF", "BWDF"},
    {"sel", 0x02, binary, "PCSMr", "BWDF", "BWDF"},
    {"movi", 0x03, unary, "PCSM", "BWDF", "BWDF"},
    {"not", 0x04, unary, "PCMl", "BWD", "BWD"},
    {"and", 0x05, binary, "PCMl", "BWD", "BWD"},
    {"or", 0x06, binary, "PCMl", "BWD", "BWD"},
    {"xor", 0x07, binary, "PCMl", "BWD", "BWD"},
    {"shr", 0x08, binary, "PCSM", "BWD", "BWD"},
    {"shl", 0x09, binary, "PCSM", "BWD", "BWD"},
    {"dim", 0x0A, unary, "PCSM", "F", "F"},  // no reference page
    {"asr", 0x0C, binary, "PCSM", "BWD", "BWD"},
    {"cmp", 0x10, binary, "PCMc", "BWDF", "BWDF"},
    {"cmpn", 0x11, binary, "PCMc", "BWDF", "BWDF"},
    {"jmpi", 0x20, jump, "P1", "", ""},
    {"if", 0x22, branch_compare, "PCMr", "BWDF", "BWDF"},  // the compared sources take modifiers
    {"else", 0x24, branch, "", "", ""},
    {"endif", 0x25, branch, "", "", ""},  // its page says 0x24
    {"case", 0x26, branch_compare, "PCMr", "BWDF", "BWDF"},
    {"while", 0x27, branch_compare, "PCMr", "BWDF", "BWDF"},  // the pseudo code compares
    {"break", 0x28, branch_uip, "P", "", ""},
    {"cont", 0x29, branch_uip, "P", "", ""},
    {"halt", 0x2A, branch_uip, "P", "", ""},
    {"call", 0x2C, Format::call, "P", "", ""},
    {"ret", 0x2D, Format::ret, "P", "", ""},  // "return" in the table, "ret" on its page
    {"fork", 0x2E, Format::fork, "P", "", ""},
    {"wait", 0x30, Format::wait, "1", "D", "D"},
    {"send", 0x31, Format::send, "P", "", ""},
    {"sendc", 0x32, Format::send, "P", "", ""},  // its page says 0x31
    {"math", 0x38, Format::math, "PSM", "DF", "DF"},
    {"add", 0x40, binary, "PCSM", "BWDF", "BWDF"},
    {"mul", 0x41, binary, "PCSM", "BWDF", "BWDF"},
    {"avg", 0x42, binary, "PCSM", "BWD", "BWD"},
    {"frc", 0x43, unary, "PCM", "BWDF", "F"},
    {"rndu", 0x44, unary, "PCSM", "F", "F"},
    {"rndd", 0x45, unary, "PCSM", "F", "F"},
    {"rnde", 0x46, unary, "PCSM", "F", "F"},
    {"rndz", 0x47, unary, "PCSM", "F", "F"},
    {"mac", 0x48, binary, "PCSMa", "BWDF", "BWF"},
    {"mach", 0x49, binary, "PCSMaw", "D", "D"},  // the syntax line has [.cmod] and [.sat]
    {"lzd", 0x4A, unary, "PCSM", "D", "D"},      // (abs) is required for signed sources
    {"sad2", 0x50, binary, "PCSM", "W", "B"},
    {"sada2", 0x51, binary, "PCSMa", "W", "B"},
    {"dp4", 0x54, binary, "PCSM", "F", "F"},
    {"dph", 0x55, binary, "PCSM", "F", "F"},
    {"dp3", 0x56, binary, "PCSM", "F", "F"},
    {"dp2", 0x57, binary, "PCSM", "F", "F"},
    {"line", 0x59, binary, "PCSM", "F", "F"},
    {"pln", 0x5A, binary, "PCSM", "F", "F"},
    {"mad", 0x5B, ternary, "PCSM", "F", "F"},
    {"lrp", 0x5C, ternary, "PCSM", "F", "F"},
    {"nenop", 0x7D, nullary, "", "", ""},
    {"nop", 0x7E, nullary, "", "", ""},
};
static_assert(std::size(gen6) == 53);

constexpr Documented gen8[] = {
    {"illegal", 0x00, nullary, "", "", ""},
    {"mov", 0x01, unary, "PCSM", "BWDQHFX", "BWDQHFX"},
    {"sel", 0x02, binary, "PCSMr", "BWDQHFX", "BWDQHFX"},
    {"movi", 0x03, unary, "PCSM", "BWDF", "BWDF"},  // condition by the syntax line
    {"not", 0x04, unary, "PCMl", "BWDQ", "BWDQ"},
    {"and", 0x05, binary, "PCMl", "BWDQ", "BWDQ"},
    {"or", 0x06, binary, "PCMl", "BWDQ", "BWDQ"},
    {"xor", 0x07, binary, "PCMl", "BWDQ", "BWDQ"},
    {"shr", 0x08, binary, "PCSM", "BWDQ", "BWDQ"},
    {"shl", 0x09, binary, "PCSM", "BWDQ", "BWDQ"},
    {"smov", 0x0A, binary, "P", "WDQHFX", "WDQHFX"},
    {"asr", 0x0C, binary, "PCSM", "BWDQ", "BWDQ"},
    {"cmp", 0x10, binary, "PCMc", "BWDQHFX", "BWDQHFX"},
    {"cmpn", 0x11, binary, "PCMc", "BWDHFX", "BWDHFX"},
    {"csel", 0x12, ternary, "CSMcr", "F", "F"},
    {"bfrev", 0x17, unary, "P", "D", "D"},
    {"bfe", 0x18, ternary, "P", "D", "D"},
    {"bfi1", 0x19, binary, "P", "D", "D"},
    {"bfi2", 0x1A, ternary, "P", "D", "D"},
    {"jmpi", 0x20, jump, "P1", "", ""},
    {"brd", 0x21, branch_reg, "P", "", ""},
    {"if", 0x22, branch_uip, "Pb", "", ""},
    {"brc", 0x23, branch_reg_uip, "P", "", ""},
    {"else", 0x24, branch_uip, "b", "", ""},
    {"endif", 0x25, branch, "", "", ""},
    {"while", 0x27, branch, "P", "", ""},
    {"break", 0x28, branch_uip, "P", "", ""},
    {"cont", 0x29, branch_uip, "P", "", ""},
    {"halt", 0x2A, branch_uip, "P", "", ""},
    {"calla", 0x2B, call_absolute, "P", "", ""},
    {"call", 0x2C, Format::call, "P", "", ""},
    {"ret", 0x2D, Format::ret, "P", "", ""},
    {"goto", 0x2E, branch_uip, "Pb", "", ""},
    {"join", 0x2F, branch, "P", "", ""},
    {"wait", 0x30, Format::wait, "1", "D", "D"},
    {"send", 0x31, Format::send, "P", "", ""},
    {"sendc", 0x32, Format::send, "P", "", ""},
    {"math", 0x38, Format::math, "PSM", "DHFX", "DHFX"},  // its types are lost; the macros take doubles
    {"add", 0x40, binary, "PCSM", "BWDQHFX", "BWDQHFX"},
    {"mul", 0x41, binary, "PCSM", "BWDQHFX", "BWDHFX"},
    {"avg", 0x42, binary, "PCSM", "BWD", "BWD"},
    {"frc", 0x43, unary, "PCM", "BWDF", "F"},
    {"rndu", 0x44, unary, "PCSM", "F", "F"},
    {"rndd", 0x45, unary, "PCSM", "F", "F"},
    {"rnde", 0x46, unary, "PCSM", "F", "F"},
    {"rndz", 0x47, unary, "PCSM", "F", "F"},
    {"mac", 0x48, binary, "PCSMa", "BWDHFX", "BWHFX"},
    {"mach", 0x49, binary, "PCSMaw", "D", "D"},
    {"lzd", 0x4A, unary, "PCSM", "D", "D"},
    {"fbh", 0x4B, unary, "P", "D", "D"},
    {"fbl", 0x4C, unary, "P", "D", "WD"},  // Intel's compiler reads words
    {"cbit", 0x4D, unary, "P", "D", "BWD"},
    {"addc", 0x4E, binary, "PCw", "D", "D"},
    {"subb", 0x4F, binary, "PCSw", "D", "D"},  // condition by the syntax line
    {"sad2", 0x50, binary, "PCSM", "W", "B"},
    {"sada2", 0x51, binary, "PCSMa", "W", "B"},
    {"dp4", 0x54, binary, "PCSM", "F", "F"},
    {"dph", 0x55, binary, "PCSM", "F", "F"},
    {"dp3", 0x56, binary, "PCSM", "F", "F"},
    {"dp2", 0x57, binary, "PCSM", "F", "F"},
    {"line", 0x59, binary, "PCSM", "F", "F"},
    {"pln", 0x5A, binary, "PCSM", "F", "F"},
    {"mad", 0x5B, ternary, "PCSM", "HFX", "HFX"},
    {"lrp", 0x5C, ternary, "PCSM", "F", "F"},
    {"madm", 0x5D, ternary, "PCSM", "FX", "FX"},  // predicate by the format line
    {"nop", 0x7E, nullary, "", "", ""},
};
static_assert(std::size(gen8) == 66);

constexpr Documented gen9_adds[] = {
    {"sends", 0x33, split_send, "P", "", ""},
    {"sendsc", 0x34, split_send, "P", "", ""},
};

std::string attributes_of(const OpcodeRow& r) {
  static constexpr std::pair<char, Attribute> letters[] = {
      {'P', attr_pred},        {'C', attr_cond},       {'S', attr_sat},   {'M', attr_srcmod},
      {'c', attr_needs_cond},  {'r', attr_reads_flag}, {'l', attr_logic}, {'a', attr_acc_source},
      {'w', attr_needs_accwr}, {'b', attr_branchctrl}, {'1', attr_scalar}};
  std::string s;
  for (const auto& [letter, attribute] : letters)
    if (r.has(attribute)) s += letter;
  return s;
}

std::string letters_of(TypeSet s) {
  static constexpr std::pair<char, TypeSet> letters[] = {
      {'B', types(Type::ub, Type::b)}, {'W', types(Type::uw, Type::w)}, {'D', types(Type::ud, Type::d)},
      {'Q', types(Type::uq, Type::q)}, {'H', types(Type::hf)},          {'F', types(Type::f)},
      {'X', types(Type::df)}};
  std::string out;
  for (const auto& [letter, members] : letters)
    if (!(s & members).empty()) out += letter;
  return out;
}

// Union of the rules that have types on this generation at all.
std::pair<std::string, std::string> types_of(const Model& m, const OpcodeRow& r) {
  TypeSet dst, src;
  for (const TypeRule& t : r.types) {
    if ((t.dst & m.types).empty() || (t.src & m.types).empty()) continue;
    dst = dst | (t.dst & m.types);
    src = src | (t.src & m.types);
  }
  return {letters_of(dst), letters_of(src)};
}

std::set<std::string> names(const Model& m) {
  std::set<std::string> s;
  for (const OpcodeRow* r : m.by_op)
    if (r) s.insert(std::string(r->mnemonic));
  return s;
}

void expect_as_documented(const Model& m, std::span<const Documented> list) {
  for (const Documented& d : list) {
    const OpcodeRow* r = m.by_code[d.code];
    ASSERT_TRUE(r) << m.name << " lacks " << d.name;
    EXPECT_EQ(r->mnemonic, d.name) << m.name << fmt::format(" opcode 0x{:02X}", d.code);
    EXPECT_EQ(r, m.row(r->op)) << m.name << ' ' << d.name;
    EXPECT_EQ(int(r->format), int(d.format)) << m.name << ' ' << d.name;
    EXPECT_EQ(attributes_of(*r), d.attributes) << m.name << ' ' << d.name;
    const auto [dst, src] = types_of(m, *r);
    EXPECT_EQ(dst, d.dst) << m.name << ' ' << d.name;
    EXPECT_EQ(src, d.src) << m.name << ' ' << d.name;
    // what computes may write the accumulator as well
    const bool computes = d.format == unary || d.format == binary || d.format == ternary || d.format == Format::math;
    EXPECT_EQ(r->has(attr_accwr), computes) << m.name << ' ' << d.name;
    EXPECT_FALSE(r->title.empty()) << d.name;
  }
}
void expect_nothing_else(const Model& m, std::span<const Documented> a, std::span<const Documented> b = {}) {
  std::set<std::string> documented;
  std::set<int> codes;
  for (std::span<const Documented> list : {a, b})
    for (const Documented& d : list) documented.insert(std::string(d.name)), codes.insert(d.code);
  EXPECT_EQ(names(m), documented);
  for (int code = 0; code < 128; ++code)
    EXPECT_EQ(m.by_code[size_t(code)] != nullptr, codes.contains(code)) << m.name << fmt::format(" 0x{:02X}", code);
}

TEST(OpcodeTable, Gen6HasThe53NamesOfItsTables) {
  expect_as_documented(gen::gen6(), gen6);
  expect_nothing_else(gen::gen6(), gen6);
  EXPECT_EQ(names(gen::gen6()).size(), 53u);
}
TEST(OpcodeTable, Gen8HasThe66InstructionsOfItsVolume) {
  expect_as_documented(gen::gen8(), gen8);
  expect_nothing_else(gen::gen8(), gen8);
  EXPECT_EQ(names(gen::gen8()).size(), 66u);
}
TEST(OpcodeTable, Gen9HasThe68OfItsEnumeration) {
  expect_as_documented(gen::gen9(), gen8);
  expect_as_documented(gen::gen9(), gen9_adds);
  expect_nothing_else(gen::gen9(), gen8, gen9_adds);
  EXPECT_EQ(names(gen::gen9()).size(), 68u);
}

// Types within the letters: where a document says signed or unsigned, the row says it too.
TEST(OpcodeTable, SignednessWhereTheDocumentsNameIt) {
  struct Case {
    const char* name;
    TypeSet dst, src;
  };
  const TypeSet ud = types(Type::ud), d_ud = types(Type::d, Type::ud);
  const Case cases[] = {{"bfrev", ud, ud},
                        {"fbl", ud, types(Type::uw, Type::ud)},
                        {"addc", ud, ud},
                        {"subb", ud, ud},
                        {"wait", ud, ud},
                        {"cbit", ud, types(Type::ub, Type::uw, Type::ud)},
                        {"bfe", d_ud, d_ud},
                        {"bfi1", d_ud, d_ud},
                        {"bfi2", d_ud, d_ud},
                        {"mach", d_ud, d_ud},
                        {"sad2", types(Type::w, Type::uw), types(Type::b, Type::ub)}};
  for (const Case& c : cases)
    for (const OpcodeRow* r : gen::gen9().by_op) {
      if (!r || r->mnemonic != c.name) continue;
      TypeSet dst, src;
      for (const TypeRule& t : r->types) dst = dst | t.dst, src = src | t.src;
      EXPECT_EQ(dst, c.dst) << c.name;
      EXPECT_EQ(src, c.src) << c.name;
    }
}

TEST(OpcodeTable, VectorImmediatesStandForWordsAndFloats) {
  auto sources = [](Op op) {
    TypeSet s;
    for (const TypeRule& t : gen::gen9().row(op)->types) s = s | t.src;
    return s;
  };
  for (Op op : {Op::mov, Op::add, Op::mul, Op::sel, Op::cmp, Op::mac}) {
    EXPECT_TRUE(sources(op).contains(Type::v)) << mnemonic(op);
    EXPECT_TRUE(sources(op).contains(Type::uv)) << mnemonic(op);
    EXPECT_TRUE(sources(op).contains(Type::vf)) << mnemonic(op);
  }
  for (Op op : {Op::and_, Op::or_, Op::xor_, Op::shl, Op::shr, Op::asr, Op::avg})
    EXPECT_TRUE(sources(op).contains(Type::v) && !sources(op).contains(Type::vf)) << mnemonic(op);
}

// One row, another generation: the same mnemonic means another instruction.
TEST(OpcodeTable, RowsOfOneMnemonicDifferByGeneration) {
  EXPECT_EQ(gen::gen6().row(Op::if_)->format, branch_compare);
  EXPECT_EQ(gen::gen8().row(Op::if_)->format, branch_uip);
  EXPECT_EQ(gen::gen6().row(Op::else_)->format, branch);
  EXPECT_EQ(gen::gen8().row(Op::else_)->format, branch_uip);
  EXPECT_EQ(gen::gen6().row(Op::while_)->format, branch_compare);
  EXPECT_EQ(gen::gen9().row(Op::while_)->format, branch);
  EXPECT_EQ(gen::gen6().by_code[0x0A]->op, Op::dim);
  EXPECT_EQ(gen::gen8().by_code[0x0A]->op, Op::smov);
  EXPECT_EQ(gen::gen6().by_code[0x2E]->op, Op::fork);
  EXPECT_EQ(gen::gen9().by_code[0x2E]->op, Op::goto_);
}

// FC: Gen6 table 8-11; Gen9 enumeration FC.
TEST(MathFunctions, CodesNamesAndSources) {
  struct Function {
    int code;
    const char* name;
    int sources;
    bool macro, on_gen6;
  };
  constexpr Function functions[] = {
      {1, "inv", 1, false, true},   {2, "log", 1, false, true},   {3, "exp", 1, false, true},
      {4, "sqt", 1, false, true},   {5, "rsqt", 1, false, true},  {6, "sin", 1, false, true},
      {7, "cos", 1, false, true},   {9, "fdiv", 2, false, true},  {10, "pow", 2, false, true},
      {11, "idiv", 2, false, true}, {12, "iqot", 2, false, true}, {13, "irem", 2, false, true},
      {14, "invm", 2, true, false}, {15, "rsqtm", 1, true, false}};
  std::set<int> codes;
  for (const Function& f : functions) {
    const MathRow& r = math_table[size_t(f.code)];
    EXPECT_EQ(r.name, f.name);
    EXPECT_EQ(r.sources, f.sources) << f.name;
    EXPECT_EQ(r.kind == MathKind::macro, f.macro) << f.name;
    EXPECT_EQ(r.generations.contains(Generation::gen6), f.on_gen6) << f.name;
    EXPECT_TRUE(r.generations.contains(Generation::gen8) && r.generations.contains(Generation::gen9)) << f.name;
    codes.insert(f.code);
  }
  for (int code = 0; code < 16; ++code) EXPECT_EQ(!math_table[size_t(code)].name.empty(), codes.contains(code)) << code;
}

// The row at work: a reserved code is an error by name, a mnemonic of another generation is not an instruction.
TEST(OpcodeTable, ReservedCodesAndForeignMnemonicsAreErrors) {
  EXPECT_EQ(decode(gen::gen8(), Word128{0x33, 0}).error().message, "Opcode: reserved value 0x33");
  EXPECT_EQ(decode(gen::gen6(), Word128{0x17, 0}).error().message, "Opcode: reserved value 0x17");
  EXPECT_EQ(decode(gen::gen9(), Word128{0x7D, 0}).error().message, "Opcode: reserved value 0x7D");
  const Assembly a = assemble(gen::gen6(), "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud\n");
  ASSERT_FALSE(a.ok());
  EXPECT_NE(a.diagnostics[0].message.find("expected an instruction of gen6"), std::string::npos);
}

}  // namespace
}  // namespace vitro::isa
