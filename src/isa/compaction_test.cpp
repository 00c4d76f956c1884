// Tests of instruction compaction (compaction.h): T22, CP-01, CP-02, CP-03 for Gen6 and the same for Gen8 and Gen9.
// The pairs of Gen8 and Gen9 were recorded from an independent assembler. Deliberately not tested here: whether a
// compiler's choice of instructions to compact agrees with ours.
#include "isa/compaction.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace vitro::isa {
namespace {

constexpr uint64_t cmpt_ctrl = uint64_t{1} << 29;

constexpr OpcodeSet opcodes(std::initializer_list<unsigned> list) {
  OpcodeSet result;
  for (unsigned opcode : list) result.insert(opcode);
  return result;
}

struct Generation {
  const char* name;
  const Compaction& compaction;
  OpcodeSet three_source;
};
const Generation gen6{"Gen6", compaction_gen6, opcodes({0x5b, 0x5c})};
const Generation gen8{"Gen8", compaction_gen8, opcodes({0x12, 0x18, 0x1a, 0x5b, 0x5c, 0x5d})};
const Generation gen9{"Gen9", compaction_gen9, opcodes({0x12, 0x18, 0x1a, 0x5b, 0x5c, 0x5d})};

Result<Word128> expand(const Generation& g, uint64_t word) { return expand(g.compaction, g.three_source, word); }
std::optional<uint64_t> compact(const Generation& g, Word128 word, Word128 ignored = {}) {
  return compact(g.compaction, g.three_source, word, ignored);
}

// A compact two-source instruction with plain registers.
struct TwoSource {
  unsigned opcode = 0x40, control = 2, data_type = 18, sub_reg = 0, source0 = 0, source1 = 0;
  unsigned dst = 10, src0 = 20, src1 = 30;
  uint64_t word() const {
    return cmpt_ctrl | opcode | control << 8 | data_type << 13 | sub_reg << 18 | uint64_t{source0} << 30 |
           uint64_t{source1} << 35 | uint64_t{dst} << 40 | uint64_t{src0} << 48 | uint64_t{src1} << 56;
  }
};

std::string hex(Word128 w) {
  char text[40];
  snprintf(text, sizeof text, "%016llx %016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
  return text;
}

// Word after word: compact, expand and compact again. Returns those that come back as another word.
std::vector<unsigned> not_canonical(const Generation& g, TwoSource base, unsigned TwoSource::*index) {
  std::vector<unsigned> others;
  for (unsigned i = 0; i < 32; ++i) {
    base.*index = i;
    const auto native = expand(g, base.word());
    EXPECT_TRUE(native) << g.name << " entry " << i;
    if (!native) continue;
    EXPECT_EQ(extract(*native, {29, 29}), 0u);
    const auto again = compact(g, *native);
    EXPECT_TRUE(again) << g.name << " entry " << i << ": " << hex(*native);
    if (!again) continue;
    EXPECT_EQ(hex(*expand(g, *again)), hex(*native)) << g.name << " entry " << i;
    if (*again != base.word()) others.push_back(i);
  }
  return others;
}

TEST(Compaction, T22_every_entry_round_trips) {
  const std::vector<unsigned> none;
  for (const Generation* g : {&gen6, &gen8, &gen9}) {
    TwoSource base;
    // With registers in all operands; Gen6 calls "three floats in GRFs" 23.
    if (g == &gen6) base.data_type = 23;
    EXPECT_EQ(not_canonical(*g, base, &TwoSource::control), none);
    EXPECT_EQ(not_canonical(*g, base, &TwoSource::sub_reg), none);
    EXPECT_EQ(not_canonical(*g, base, &TwoSource::source0), none);
    EXPECT_EQ(not_canonical(*g, base, &TwoSource::source1), none);
  }
  // Entries 23 and 25 of the Gen6 DataType table are the same; the first is chosen.
  EXPECT_EQ(not_canonical(gen6, {}, &TwoSource::data_type), std::vector<unsigned>{25});
  EXPECT_EQ(not_canonical(gen8, {}, &TwoSource::data_type), none);
  EXPECT_EQ(not_canonical(gen9, {}, &TwoSource::data_type), none);
}

// The meanings that the PRM prints beside the entries of the Gen6 tables, in one notation. (It prints 0 for the
// vertical stride of Source 16 and 17, whose bits are 1111, VxH.) Data types and sub-registers: dst, src0, src1.
// clang-format off
const char* const gen6_control[] = {
    "Align1 (1)", "Align1 (16)", "Align1 (8)", "Align1 +f (1)", "Align1 (2)", "Align1 -f (1)",
    "Align1 NoMask +f (1)", "Align1 NoMask (1)", "Align1 +f (16)", "Align1 (32)", "Align1 (8) sat", "Align1 (4)",
    "Align1 (32) sat", "Align1 (16) sat", "Align1 -f (16)", "Align1 NoDDChk (16)", "Align1 NoDDClr (16)",
    "Align1 NoDDChk (1)", "Align1 NoDDClr (1)", "Align1 -f (8)", "Align1 NoMask -f (1)", "Align1 +f (8)",
    "Align16 (8)", "Align16 (4)", "Align1 NoMask (8)", "Align16 NoDDClr (8)", "Align16 NoDDChk (8)",
    "Align1 SecHalf (8)", "Align16 NoMask (8)", "Align1 NoDDClr (8)", "Align1 NoDDChk +f (8)", "Align16 NoDDChk (4)"};
const char* const gen6_data_type[] = {
    "aud aud id", "aud rud iud", "rud aud id", "aud iud aud", "ruw ruw iuw", "rw rw aud", "aw rub rub", "rw rw iw",
    "aw iw aud", "rud iud aud", "rd rd iud", "rud mud aud", "rub rub aud", "ruw rub aud", "aud rud aud",
    "mub rub aud", "ruw ruw ruw", "rd rd rw", "rd rw aud", "ruw rub rub", "aw rub rw", "rd rw rw", "rd rw iw",
    "rf rf rf", "af rf rf", "rf rf rf", "rf af rf", "mf rf rf", "rud rud aud", "mud rud aud", "rf mf id",
    "mf rf aud"};
const char* const gen6_source[] = {
    "<0;1,0>", "<16;16,1>", "<8;8,1>", "<2;2,1>", "<32;16,2>", "<1;2,0>", "indirect <8;8,1>", "<16;8,2>",
    "<32;8,4>", "<4;2,1>", "indirect <16;16,1>", "<2;2,0>", "- <16;16,1>", "- <0;1,0>", "<16;4,2>", "<16;8,1>",
    "indirect <V;4,1>", "indirect <V;2,1>", "<32;8,2>", "(abs) <16;16,1>", "<16;4,4>", "<4;4,1>",
    "indirect <8;2,1>", "<8;1,0>", "<4;8,2>", "<4;1,2>", "<4;1,0>", "- <8;8,1>", "<4;8,4>", "<0;8,2>", "<4;2,0>",
    "<4;4,2>"};
const char* const gen6_sub_reg[] = {
    "0 0 0", "4 0 0", "0 12 0", "0 0 28", "8 0 15", "0 0 1", "16 0 0", "12 0 3", "0 0 4", "0 16 0", "20 20 0",
    "22 2 0", "0 0 8", "0 0 24", "0 0 2", "0 4 0", "8 0 0", "0 0 16", "0 20 0", "0 0 5", "0 0 6", "20 2 0",
    "20 20 22", "0 0 10", "15 4 0", "0 0 12", "0 0 31", "0 0 20", "15 0 0", "15 4 2", "15 4 4", "0 0 3"};
// clang-format on

std::string gen6_control_text(Word128 w) {
  const auto bits = [&](int hi, int lo) { return extract(w, {uint8_t(hi), uint8_t(lo)}); };
  return std::string(bits(8, 8) ? "Align16" : "Align1") + (bits(9, 9) ? " NoMask" : "") +
         (bits(10, 10) ? " NoDDClr" : "") + (bits(11, 11) ? " NoDDChk" : "") + (bits(13, 12) == 1 ? " SecHalf" : "") +
         (bits(19, 16) == 0 ? ""
          : bits(20, 20)    ? " -f"
                            : " +f") +
         " (" + std::to_string(1 << bits(23, 21)) + ")" + (bits(31, 31) ? " sat" : "");
}

std::string gen6_data_type_text(Word128 w) {
  EXPECT_EQ(extract(w, {63, 61}), 1u);  // direct, <1>
  const auto operand = [&](Bits file, Bits type) {
    const char* const names[] = {"ud", "d", "uw", "w", "ub", "b", "?", "f"};
    return "armi"[extract(w, file)] + std::string(names[extract(w, type)]);
  };
  // File code 1 is a GRF, 2 an MRF: "r" and "m".
  return operand({33, 32}, {36, 34}) + " " + operand({38, 37}, {41, 39}) + " " + operand({43, 42}, {46, 44});
}

std::string gen6_source_text(Word128 w) {
  const auto bits = [&](int hi, int lo) { return extract(w, {uint8_t(hi), uint8_t(lo)}); };
  const auto stride = [](uint64_t code) { return code == 15 ? "V" : std::to_string(code ? 1 << (code - 1) : 0); };
  const char* const modifiers[] = {"", "(abs) ", "- ", "-(abs) "};
  return std::string(modifiers[bits(78, 77)]) + (bits(79, 79) ? "indirect " : "") + "<" + stride(bits(88, 85)) + ";" +
         std::to_string(1 << bits(84, 82)) + "," + stride(bits(81, 80)) + ">";
}

std::string gen6_sub_reg_text(Word128 w) {
  return std::to_string(extract(w, {52, 48})) + " " + std::to_string(extract(w, {68, 64})) + " " +
         std::to_string(extract(w, {100, 96}));
}

TEST(Compaction, T22_entries_of_gen6_mean_what_the_prm_prints) {
  for (unsigned i = 0; i < 32; ++i) {
    const TwoSource base{.data_type = 23};
    const auto with = [&](unsigned TwoSource::*index) {
      TwoSource word = base;
      word.*index = i;
      return *expand(gen6, word.word());
    };
    EXPECT_EQ(gen6_control_text(with(&TwoSource::control)), gen6_control[i]) << i;
    EXPECT_EQ(gen6_data_type_text(with(&TwoSource::data_type)), gen6_data_type[i]) << i;
    EXPECT_EQ(gen6_source_text(with(&TwoSource::source0)), gen6_source[i]) << i;
    EXPECT_EQ(gen6_sub_reg_text(with(&TwoSource::sub_reg)), gen6_sub_reg[i]) << i;
    // Source1 uses the same table, 32 bits further up.
    EXPECT_EQ(extract(with(&TwoSource::source1), {120, 109}), extract(with(&TwoSource::source0), {88, 77})) << i;
  }
}

TEST(Compaction, tables_are_as_recorded) {
  // FNV-1a over all entries at their native places and the places themselves. The values were recorded after every
  // entry had been compared with an independent description: a failure means that a table has changed since.
  const auto fingerprint = [](const Compaction& compaction) {
    uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](Word128 word) {
      for (uint64_t half : {word.lo, word.hi})
        for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (half >> 8 * byte & 0xff)) * 0x100000001b3;
    };
    for (const CompactForm* form : {&compaction.registers, &compaction.immediate, &compaction.three_source})
      for (int i = 0; i < form->index_count; ++i) {
        add(form->indices[i].native);
        for (const Word128& entry : form->indices[i].entries) add(entry);
      }
    return hash;
  };
  EXPECT_EQ(fingerprint(compaction_gen6), 0x85d30efaa7ee1a7bu);
  EXPECT_EQ(fingerprint(compaction_gen8), 0x4717517f0d85c002u);
  EXPECT_EQ(fingerprint(compaction_gen9), 0x3c5996d2ee02e010u);
}

TEST(Compaction, T22_sub_reg_beside_an_immediate) {
  // The immediate replaces the sub-register of src1, so entries that differ only there expand alike. Chosen is the one
  // with 0 there; only where there is none (as in Gen6's 7: dst 12, src0 0, src1 3), another.
  const auto gen6_others = not_canonical(gen6, {.data_type = 1}, &TwoSource::sub_reg);
  EXPECT_EQ(gen6_others, (std::vector<unsigned>{3, 4, 5, 8, 12, 13, 14, 17, 19, 20, 22, 23, 25, 26, 27, 29, 30, 31}));
  const auto gen8_others = not_canonical(gen8, {.data_type = 14}, &TwoSource::sub_reg);
  EXPECT_EQ(gen8_others, (std::vector<unsigned>{11, 12, 21, 23, 24, 25, 26, 27, 28, 29, 30}));
  EXPECT_EQ(not_canonical(gen9, {.data_type = 14}, &TwoSource::sub_reg), gen8_others);
}

TEST(Compaction, CP_01_fields_of_gen6) {
  // mov (8) m2<1>:f g12<8;8,1>:f
  const TwoSource mov{.opcode = 1, .control = 2, .data_type = 31, .source0 = 2, .dst = 2, .src0 = 12, .src1 = 0};
  const Word128 native{0x204003be'00600001, 0x00000000'008d0180};
  EXPECT_EQ(hex(*expand(gen6, mov.word())), hex(native));
  EXPECT_EQ(compact(gen6, native), mov.word());

  // add.sat.nz.f0.1 (8) g1.8<1>:f -g2<8;8,1>:f g3.0<0;1,0>:f {AccWrEnable, Breakpoint}
  const TwoSource add{.control = 10, .data_type = 23, .sub_reg = 16, .source0 = 27, .dst = 1, .src0 = 2, .src1 = 3};
  const uint64_t word = add.word() | 1 << 7 | 1 << 23 | 2 << 24 | 1 << 28;
  const Word128 add_native{0x202877bd'd2600040, 0x00000060'028d4040};
  EXPECT_EQ(hex(*expand(gen6, word)), hex(add_native));
  EXPECT_EQ(compact(gen6, add_native), word);
}

struct Pair {
  uint64_t compact;
  Word128 native;
};

const Pair pairs_gen8_gen9[] = {
    {0x001e110724090338, {0x22283aec04400038, 0x00000000008d03c0}},  // (W) math.sqt (4) r17.2:f r30.0<8;8,1>:f
    {0x2d5d6dffe0018d06, {0x2da00a2c00600006, 0x00b105a00ab10ba0}},  // (W) or (8) r109:d r93<16;16,1>:d r45<16;16,1>:d
    {0x00713f80201f8141, {0x27e03ae800400041, 0xfffff0003e000e2c}},  // mul (4) r63:f r113.3<0;1,0>:f 0xfffff000:f
    {0x3a4d67e7a0753605, {0x2ce0020800800005, 0x008d0758028d49a0}},  // and (16) r103:ud -r77<8;8,1>:ud r58.6<8;8,1>:ud
    {0xff6200386521b410, {0x20000a2005601010, 0x000007ff0e004c50}},  // cmp (8|M8) (lt)f0.0 null:d -r98.4<0;1,0>:d 2047
    {0x3f5500ed605f1502, {0x20000a2000610002, 0x008d27e80a690aa0}},  // (f0.0) sel (8) null:d r85<4;4,1> (abs)r63.2
    {0xff45427fa011d940, {0x28500a2800810040, 0x00000fff0e8d48a0}},  // (f0.0) add (16) r66.4:d -r69<8;8,1>:d 4095:d
    {0x00225e0760184b4a, {0x2bc002080060004a, 0x00000000008d2448}},  // lzd (8) r94:ud (abs)r34.2<8;8,1>:ud
    {0x007876002016c004, {0x2ec00a2c00000004, 0x0000000000000f04}},  // (W) not (1) r118:d r120.1<0;1,0>:d
    {0x075f530720297709, {0x2a60020c00800009, 0x00000007068d0bf4}},  // (W) shl (16) r83:ud r95.5<8;8,1>:ud 7:ud
    {0x613c13f7e0725f40, {0x22603ae900810040, 0x008d4c343ab10780}},  // (f0.1) add (16) r19:f r60<16;16,1> -r97.5
    {0x01004300207c6b01, {0x287c060800600001, 0x0000000100000000}},  // mov (8) r67.7:ud 1:ud
    {0x00267800251b7e10, {0x2f003ae905800010, 0x000000002e0004c8}},  // cmp (16) (lt)f0.1 r120:f r38.2<0;1,0>:f 0:vf
    {0x96c750022006245b, {0x621e00440060015b, 0x12c724623906a1c8}},  // (W) mad (8) r98:f -r106 r49 r75.0<0>
    {0x2643d8993006625b, {0x661e00000080015b, 0x04c720213927bdc9}},  // mad (16) r102:f r123.6<0> r16.4<0> r19
    {0x87d51beb3007c95b, {0x7c1e01000060015b, 0x10df24ebf92235c9}},  // mad (8) r124:f r35.2<0> -r117.7<0> r67.3<0>
    {0xe15ca52320045c5b, {0x451e04040060015b, 0x1c2f24ae792141c8}},  // (W) mad (8) r69:f r20 r87.1<0> -r112.5<0>
    {0x9aa468cd3007805b, {0x781e00040060015b, 0x13472053b920d7c9}},  // (W) mad (8) r120:f r13.3<0> r41.6<0> r77
};

TEST(Compaction, CP_01_recorded_pairs_of_gen8_and_gen9) {
  for (const Generation* g : {&gen8, &gen9})
    for (const Pair& pair : pairs_gen8_gen9) {
      const auto native = expand(*g, pair.compact);
      ASSERT_TRUE(native);
      EXPECT_EQ(hex(*native), hex(pair.native));
      EXPECT_EQ(compact(*g, pair.native), pair.compact) << hex(pair.native);
    }
}

TEST(Compaction, CP_02_immediates_of_thirteen_bits) {
  struct Case {
    const Generation& generation;
    unsigned data_type;
  };
  // DataType entries with an immediate as src1 and as src0, in each generation.
  for (const auto& [g, data_type] :
       {Case{gen6, 0}, Case{gen6, 3}, Case{gen8, 14}, Case{gen8, 3}, Case{gen9, 14}, Case{gen9, 3}}) {
    Word128 native = *expand(g, TwoSource{.data_type = data_type}.word());
    for (int64_t value : {0, 1, 255, 256, 4095, -1, -256, -257, -4095, -4096}) {
      deposit(native, {127, 96}, uint64_t(value));
      const auto word = compact(g, native);
      ASSERT_TRUE(word) << g.name << " " << value;
      EXPECT_EQ(*word >> 56, uint64_t(value) & 0xff);
      EXPECT_EQ(*word >> 35 & 0x1f, uint64_t(value) >> 8 & 0x1f);
      EXPECT_EQ(hex(*expand(g, *word)), hex(native));
    }
    for (int64_t value : {4096, 8191, -4097, -8192, 0x10001, 0x3f800000, int(0x80000000), 0x7fffffff}) {
      deposit(native, {127, 96}, uint64_t(value));
      EXPECT_FALSE(compact(g, native)) << g.name << " " << value;
    }
  }
}

TEST(Compaction, CP_03_far_jumps_stay_native) {
  // jmpi on Gen6 (src1 is the distance): thirteen bits are the reach of its compact form.
  Word128 jmpi = *expand(gen6, TwoSource{.opcode = 0x20, .control = 0, .data_type = 0}.word());
  deposit(jmpi, {127, 96}, 4095);
  EXPECT_TRUE(compact(gen6, jmpi));
  deposit(jmpi, {127, 96}, 4096);
  EXPECT_FALSE(compact(gen6, jmpi));
}

TEST(Compaction, three_source_entries_round_trip) {
  for (const Generation* g : {&gen8, &gen9})
    for (uint64_t control = 0; control < 4; ++control)
      for (uint64_t source = 0; source < 4; ++source)
        for (uint64_t rest : {uint64_t{0}, uint64_t{0xffffffff'd007f000}, uint64_t{0x5a5a5a5a'5005a000}}) {
          const uint64_t word = rest | cmpt_ctrl | 0x5b | control << 8 | source << 10;
          const auto native = expand(*g, word);
          ASSERT_TRUE(native);
          EXPECT_EQ(compact(*g, *native), word);
        }
}

TEST(Compaction, three_source_bits_of_gen9_are_unmapped_on_gen8) {
  const Word128 mad = pairs_gen8_gen9[13].native;
  // Src1Type and Src2Type, and the half-word bits of the sub-registers, are part of Gen9's table entries, all zero
  // there.
  for (uint8_t bit : {35, 36, 84, 105, 126}) {
    Word128 other = mad;
    deposit(other, {bit, bit}, 1);
    EXPECT_FALSE(compact(gen8, other));
    EXPECT_FALSE(compact(gen9, other));
    EXPECT_EQ(extract(compaction_gen8.three_source.unmapped, {bit, bit}), 1u);
    EXPECT_EQ(extract(compaction_gen9.three_source.unmapped, {bit, bit}), 0u);
  }
}

TEST(Compaction, errors_name_what_is_wrong) {
  const auto message = [](const Result<Word128>& result) { return result ? "no error" : result.error().message; };
  const uint64_t add = TwoSource{}.word();
  const uint64_t mad = cmpt_ctrl | 0x5b;
  EXPECT_NE(message(expand(gen9, add & ~cmpt_ctrl)).find("CmptCtrl (bit 29)"), std::string::npos);
  EXPECT_NE(message(expand(gen6, mad)).find("three-source"), std::string::npos);
  for (const Generation* g : {&gen8, &gen9}) {
    EXPECT_NE(message(expand(*g, add | 1 << 28)).find("reserved bit 28"), std::string::npos);
    EXPECT_TRUE(expand(*g, mad));
    for (int bit : {7, 19, 20, 21, 22, 23, 24, 25, 26, 27})
      EXPECT_NE(message(expand(*g, mad | 1 << bit)).find("reserved bit " + std::to_string(bit)), std::string::npos);
  }
  // On Gen6 the one- and two-source form has no reserved bit: 28 is FlagSubRegNum there.
  EXPECT_EQ(compaction_gen6.registers.reserved, 0u);
  EXPECT_EQ(compaction_gen6.immediate.reserved, 0u);
}

TEST(Compaction, native_words_without_a_compact_form) {
  const Word128 add6 = *expand(gen6, TwoSource{.data_type = 23}.word());
  // MBZ bits 7, 47 and 95:90, CmptCtrl, and what lies above src1.
  for (uint8_t bit : {7, 29, 47, 90, 91, 92, 93, 94, 95, 121, 127}) {
    Word128 other = add6;
    deposit(other, {bit, bit}, 1);
    EXPECT_FALSE(compact(gen6, other)) << int(bit);
  }
  const Word128 add8 = *expand(gen8, TwoSource{}.word());
  // NibCtrl (11), CmptCtrl, the highest bit of the address immediates of dst, src0 and src1 (47, 95, 121).
  for (uint8_t bit : {7, 11, 29, 47, 95, 121, 127}) {
    Word128 other = add8;
    deposit(other, {bit, bit}, 1);
    EXPECT_FALSE(compact(gen8, other)) << int(bit);
    EXPECT_FALSE(compact(gen9, other)) << int(bit);
  }
  Word128 mad6 = add6;
  deposit(mad6, {6, 0}, 0x5b);
  EXPECT_FALSE(compact(gen6, mad6));
  // The highest bit of a three-source destination's register number has no place; those of the sources are 0 in all
  // table entries.
  for (uint8_t bit : {63, 83, 104, 125}) {
    Word128 other = pairs_gen8_gen9[13].native;
    deposit(other, {bit, bit}, 1);
    EXPECT_FALSE(compact(gen9, other)) << int(bit);
  }
}

TEST(Compaction, ignored_bits_widen_the_choice) {
  // (W) mov (1) r1.7<1>:ud r48.0<0;1,0>:ud: the only table entry with dst 28 and src0 0 has 28 for src1.
  const Word128 mov{0x203c020c00000001, 0x0000000000000600};
  const Word128 src1 = mask({127, 96});
  EXPECT_FALSE(compact(gen9, mov));
  const auto word = compact(gen9, mov, src1);
  ASSERT_TRUE(word);
  EXPECT_EQ(*word, 0x00300100207c4001u);
  EXPECT_EQ(hex(*expand(gen9, *word) & ~src1), hex(mov));
  // An exact entry is preferred, so ignoring changes nothing where there is one.
  for (const Pair& pair : pairs_gen8_gen9) EXPECT_EQ(compact(gen9, pair.native, mask({100, 96})), pair.compact);
}

TEST(Compaction, compact_refuses_or_expands_back_exactly) {
  std::mt19937_64 random(1);
  int found = 0, refused = 0;
  for (const Generation* g : {&gen6, &gen8, &gen9})
    for (int i = 0; i < 20000; ++i) {
      Word128 native{random(), random()};
      if (i % 4) {
        // Near a compactable word: a random one with up to three bits changed.
        uint64_t word = random() | cmpt_ctrl;
        const bool three_source = g != &gen6 && i % 8 == 1;
        word = three_source ? (word & ~uint64_t{0xff000ff}) | 0x5b : (word & ~uint64_t{0x7f}) | 0x40;
        const CompactForm& form = three_source ? g->compaction.three_source : g->compaction.registers;
        native = *expand(*g, word & ~form.reserved);
        for (int flips = i % 4 - 1; flips > 0; --flips) {
          const uint8_t bit = random() % 128;
          native ^= mask({bit, bit});
        }
      }
      const auto word = compact(*g, native);
      ++(word ? found : refused);
      if (!word) continue;
      const auto back = expand(*g, *word);
      ASSERT_TRUE(back) << back.error().message;
      ASSERT_EQ(hex(*back), hex(native)) << g->name;
    }
  EXPECT_GT(found, 15000);
  EXPECT_GT(refused, 15000);
}

}  // namespace
}  // namespace vitro::isa
