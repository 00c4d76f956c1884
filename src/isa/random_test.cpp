// Properties of random instructions and random words in every generation, and that the generator reaches everything:
// each opcode in each operand form its row allows, each enumerator the generation has. "Gen6: every opcode assembles
// and disassembles to itself in every operand form its table row allows" is asked here of all generations.
#include "isa/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "gen/models.h"
#include "isa/layout.h"
#include "isa/print.h"
#include "isa/random_properties.h"

namespace vitro::isa {
namespace {

constexpr int per_opcode = 1000;
constexpr int words = 40'000;

class RandomInstructions : public testing::TestWithParam<const Model* (*)()> {
 protected:
  const Model& m = *GetParam()();
};
INSTANTIATE_TEST_SUITE_P(EveryGeneration, RandomInstructions,
                         testing::Values([] { return &gen::gen6(); }, [] { return &gen::gen8(); },
                                         [] { return &gen::gen9(); }),
                         [](const auto& p) { return std::string(p.param()->name); });

template <class F>
void for_each_instruction(const Model& m, F f) {
  Rng rng(20'260'101);
  for (const OpcodeRow* row : m.by_op)
    for (int n = 0; row && n < per_opcode; ++n) f(*row, random_instruction(m, *row, rng));
}

TEST_P(RandomInstructions, EveryOpcodeInEveryFormDecodesAndReadsBackToItself) {
  int failures = 0;
  for_each_instruction(m, [&](const OpcodeRow&, const Instruction& i) {
    if (const std::string broken = broken_round_trip(m, i); !broken.empty() && ++failures <= 10)
      ADD_FAILURE() << m.name << ": " << broken;
  });
  EXPECT_EQ(failures, 0);
}

TEST_P(RandomInstructions, RowsAllowThem) {
  for_each_instruction(m, [&](const OpcodeRow& row, const Instruction& i) {
    EXPECT_EQ(i.op, row.op);
    EXPECT_TRUE(row_allows(m, row, i)) << to_text(m, i);
  });
}

TEST_P(RandomInstructions, RandomWordsAreErrorsOrGiveTheirBitsBack) {
  Rng rng(20'260'102);
  int failures = 0, decoded = 0;
  for (int n = 0; n < words; ++n) {
    bool decodable = false;
    if (const std::string broken = broken_word(m, random_word(m, rng), &decodable); !broken.empty() && ++failures <= 10)
      ADD_FAILURE() << m.name << ": " << broken;
    decoded += decodable;
  }
  EXPECT_EQ(failures, 0);
  EXPECT_GT(decoded, words / 10);
}

TEST_P(RandomInstructions, SameSeedSameInstructions) {
  Rng a(7), b(7), c(8);
  bool all_alike = true;
  for (int n = 0; n < 100; ++n) {
    const Instruction i = random_instruction(m, a);
    EXPECT_EQ(i, random_instruction(m, b));
    all_alike = all_alike && i == random_instruction(m, c);
  }
  EXPECT_FALSE(all_alike);
}

TEST_P(RandomInstructions, OptionsLeaveOutCompactFormsAndIgnoredBits) {
  Rng rng(9);
  for (int n = 0; n < 5000; ++n) {
    const Instruction i = random_instruction(m, rng, {.compacted = false, .ignored = false});
    EXPECT_FALSE(i.compacted);
    EXPECT_FALSE(i.ignored);
    EXPECT_FALSE(random_instruction(m, rng, {.compacted = true, .ignored = false}).ignored);
  }
}

// --- coverage ---

using Forms = std::set<std::string>;

std::string place_of(const Model& m, const Instruction& i, const Operand& o) {
  if (o.file == RegFile::imm) return fmt::format("imm:{}", info(o.type).name);
  std::string s = i.access_mode == AccessMode::align16 ? "align16 " : "";
  if (o.indirect) {
    s += o.file == RegFile::mrf ? "m[]" : "r[]";
    if (o.region.vert_stride == Region::vxh) s += o.region.width == 1 ? " VxH" : " Vx1";
  } else {
    s += o.file == RegFile::grf ? "grf" : o.file == RegFile::mrf ? "mrf" : "";
    if (o.file == RegFile::arf) s += find_arf(m.arfs, o.reg)->has_subregs && o.subreg ? "arf.n" : "arf";
  }
  return s;
}

// What an instruction is an example of.
void note_forms(const Model& m, const OpcodeRow& row, const Instruction& i, Forms& forms) {
  auto note = [&](const std::string& form) { forms.insert(fmt::format("{} {}", row.mnemonic, form)); };
  const bool is_send = row.format == Format::send || row.format == Format::split_send;
  if (has_destination(row.format)) note("dst " + place_of(m, i, i.dst));
  for (int n = 0; n < source_count(row, i); ++n) {
    const Operand& s = i.src[size_t(n)];
    note(fmt::format("src{} {}", n, place_of(m, i, s)));
    if (s.negate) note("-src");
    if (s.abs) note("(abs)src");
    if (s.replicate) note("scalar src");
  }
  if (i.pred_ctrl != PredCtrl::none) note(i.pred_inv ? "inverse predicate" : "predicate");
  if (i.cond_modifier != CondModifier::none) note("condition");
  if (i.saturate) note("saturate");
  if (i.acc_wr_ctrl) note("AccWrEn");
  if (i.branch_ctrl) note("BranchCtrl");
  if (i.jip < 0) note("backwards");
  if (i.jip > 0) note("forwards");
  if (i.uip != 0) note("UIP");
  if (row.format == Format::math) note(std::string(info(i.math).name));
  if (is_send) {
    note(i.desc.in_register ? "descriptor in a0" : "descriptor");
    note(i.ex_desc.in_register ? "extended descriptor in a0" : "extended descriptor");
    note(i.eot ? "EOT" : "no EOT");
  }
}

// What the row and the generation allow, said independently of the generator.
void expect_forms(const Model& m, const OpcodeRow& row, Forms& forms) {
  auto expect = [&](const std::string& form) { forms.insert(fmt::format("{} {}", row.mnemonic, form)); };
  const bool has_mrf = m.mrf_count > 0;
  auto anywhere = [&](const std::string& operand, bool destination) {
    for (const char* form : {"grf", "arf", "arf.n", "r[]", "align16 grf", "align16 arf", "align16 r[]"})
      expect(operand + " " + form);
    if (destination && has_mrf)
      for (const char* form : {"mrf", "m[]", "align16 mrf", "align16 m[]"}) expect(operand + " " + form);
    if (!destination)
      for (const char* form : {"r[] Vx1", "r[] VxH"}) expect(operand + " " + form);
  };
  auto immediates = [&](int n) {
    const CodeTable& legal = m.encoding->layout->immediate_types;
    for (int t = 0; t < type_count; ++t) {
      bool in_rule = false;
      for (const TypeRule& r : row.types)
        in_rule = in_rule || (r.src.contains(Type(t)) && !(r.dst & m.types).empty() && !(r.src & m.types).empty());
      const bool encodable = std::find(legal.begin(), legal.end(), uint8_t(t)) != legal.end();
      if (in_rule && encodable && (n == 0 || size_of(Type(t)) < 8))
        expect(fmt::format("src{} imm:{}", n, info(Type(t)).name));
    }
  };
  auto jumps = [&](bool uip) {
    expect("backwards");
    expect("forwards");
    if (uip) expect("UIP");
  };

  if (row.has(attr_pred)) expect("predicate"), expect("inverse predicate");
  if (row.has(attr_cond)) expect("condition");
  if (row.has(attr_sat)) expect("saturate");
  if (row.has(attr_accwr)) expect("AccWrEn");
  if (row.has(attr_branchctrl)) expect("BranchCtrl");
  if (row.has(attr_srcmod)) {
    expect("-src");
    if (!(row.has(attr_logic) && m.logic_negate_is_not)) expect("(abs)src");
  }
  switch (row.format) {
    case Format::nullary: return;
    case Format::unary:
      anywhere("dst", true);
      anywhere("src0", false);
      return immediates(0);
    case Format::binary:
      anywhere("dst", true);
      anywhere("src0", false);
      anywhere("src1", false);
      return immediates(1);
    case Format::math:
      anywhere("dst", true);
      anywhere("src0", false);
      anywhere("src1", false);
      for (const MathRow& f : math_table)
        if (f.generations.contains(m.generation)) expect(std::string(f.name));
      return;
    case Format::ternary:
      for (const char* operand : {"dst", "src0", "src1", "src2"}) expect(std::string(operand) + " align16 grf");
      if (has_mrf) expect("dst align16 mrf");
      return expect("scalar src");
    case Format::send:
      anywhere("dst", true);
      for (const char* form : {"src0 grf", "src0 arf", "src0 r[]", "src0 align16 grf", "descriptor", "descriptor in a0",
                               "EOT", "no EOT", "extended descriptor"})
        expect(form);
      if (has_mrf) expect("src0 mrf"), expect("src0 align16 mrf");
      return;
    case Format::split_send:
      for (const char* form :
           {"dst grf", "dst arf", "dst r[]", "src0 grf", "src0 r[]", "src1 grf", "src1 arf", "descriptor",
            "descriptor in a0", "extended descriptor", "extended descriptor in a0", "EOT", "no EOT"})
        expect(form);
      return;
    case Format::wait: expect("src0 arf"); return expect("src0 arf.n");
    case Format::branch: return jumps(false);
    case Format::branch_uip: return jumps(true);
    case Format::branch_compare:
      anywhere("src0", false);
      anywhere("src1", false);
      immediates(1);
      return jumps(false);
    case Format::branch_reg:
    case Format::branch_reg_uip:
    case Format::jump: anywhere("src0", false); return jumps(row.format == Format::branch_reg_uip);
    case Format::call:
    case Format::call_absolute:
      anywhere("dst", true);
      anywhere("src0", false);
      return jumps(false);
    case Format::ret:
      // where the region is ignored, it cannot be Vx1 or VxH
      if (!is_ignored(*m.encoding->layout, row.format, m.encoding->layout->src[0].vert_stride))
        return anywhere("src0", false);
      for (const char* form : {"grf", "arf", "arf.n", "r[]", "align16 grf", "align16 arf", "align16 r[]"})
        expect(std::string("src0 ") + form);
      return;
    case Format::fork: anywhere("src0", false); return jumps(false);
  }
}

TEST_P(RandomInstructions, CoverEveryOperandFormOfEveryRow) {
  Forms seen, expected;
  for_each_instruction(m, [&](const OpcodeRow& row, const Instruction& i) { note_forms(m, row, i, seen); });
  for (const OpcodeRow* row : m.by_op)
    if (row) expect_forms(m, *row, expected);
  EXPECT_GT(expected.size(), 1000u);
  for (const std::string& form : expected) EXPECT_TRUE(seen.contains(form)) << "never generated: " << form;
}

TEST_P(RandomInstructions, CoverEveryEnumerator) {
  std::set<std::string> seen, expected;
  std::set<Op> compacted, with_ignored;
  for_each_instruction(m, [&](const OpcodeRow& row, const Instruction& i) {
    const bool align16 = i.access_mode == AccessMode::align16;
    if (row.format == Format::nullary) return;
    seen.insert(fmt::format("{}predicate {}", align16 ? "align16 " : "", int(i.pred_ctrl)));
    seen.insert(fmt::format("condition {}", int(i.cond_modifier)));
    seen.insert(fmt::format("size {}", i.exec_size));
    seen.insert(fmt::format("offset {}", channel_offset(i)));
    seen.insert(fmt::format("flag {}.{}", i.flag_reg, i.flag_subreg));
    seen.insert(fmt::format("thread {}", int(i.thread_ctrl)));
    if (i.no_mask) seen.insert("NoMask");
    if (i.no_dd_clr) seen.insert("NoDDClr");
    if (i.no_dd_chk) seen.insert("NoDDChk");
    if (i.debug_ctrl) seen.insert("debug");
    if (i.no_src_dep_set) seen.insert("NoSrcDepSet");
    if (row.format == Format::send) seen.insert(fmt::format("sfid {}", i.sfid));
    if (i.compacted) compacted.insert(i.op);
    if (i.ignored) with_ignored.insert(i.op);
    auto note_register = [&](const char* side, const Operand& o) {
      if (o.file == RegFile::imm) return;
      if (o.file == RegFile::arf && !o.indirect) seen.insert(fmt::format("{} arf {:02x}", side, o.reg));
      seen.insert(fmt::format("{} :{}", side, info(o.type).name));
    };
    if (has_destination(row.format)) {
      note_register("dst", i.dst);
      seen.insert(fmt::format("dst <{}>", i.dst.region.horz_stride));
      if (align16) seen.insert(fmt::format("mask {}", i.dst.chan_en));
    }
    for (int n = 0; n < source_count(row, i); ++n) {
      const Operand& s = i.src[size_t(n)];
      note_register("src", s);
      if (s.file == RegFile::imm || row.format == Format::send) continue;
      if (align16) seen.insert(fmt::format("swizzle {}", s.chan_sel));
      seen.insert(fmt::format("vert stride {}", s.region.vert_stride));
      seen.insert(fmt::format("width {}", s.region.width));
      seen.insert(fmt::format("horz stride {}", s.region.horz_stride));
    }
  });

  const Layout& l = *m.encoding->layout;
  auto values = [&](std::string_view what, const CodeTable& table) {
    for (uint8_t v : table)
      if (v != reserved_code) expected.insert(fmt::format("{} {}", what, v));
  };
  values("predicate", l.pred_ctrls_align1);
  values("align16 predicate", l.pred_ctrls_align16);
  values("condition", cond_modifiers);
  values("size", exec_sizes);
  values("vert stride", vert_strides);
  values("width", widths);
  values("horz stride", horz_strides);
  values("thread", thread_ctrls);
  for (int n = 0; n < 32; n += m.has_nib_ctrl ? 4 : 8) expected.insert(fmt::format("offset {}", n));
  for (int n = 0; n < 2 * m.flag_regs; ++n) expected.insert(fmt::format("flag {}.{}", n / 2, n % 2));
  for (int n = 0; n < 16; ++n) expected.insert(fmt::format("sfid {}", n));
  for (int n = 0; n < 16; ++n) expected.insert(fmt::format("mask {}", n));
  for (int n = 0; n < 256; ++n) expected.insert(fmt::format("swizzle {}", n));
  for (int h : {0, 1, 2, 4}) expected.insert(fmt::format("dst <{}>", h));
  expected.insert({"NoMask", "NoDDClr", "NoDDChk", "debug"});
  if (l.no_src_dep_set.present()) expected.insert("NoSrcDepSet");
  for (const char* side : {"dst", "src"}) {
    for (const ArfRow& a : m.arfs)
      for (int n = 0; n < a.count; ++n)
        expected.insert(fmt::format("{} arf {:02x}", side, arf_reg(a.kind, a.first + n)));
    for (int t = 0; t < type_count; ++t)
      if (m.types.contains(Type(t))) expected.insert(fmt::format("{} :{}", side, info(Type(t)).name));
  }
  for (const std::string& e : expected) EXPECT_TRUE(seen.contains(e)) << "never generated: " << e;
  EXPECT_GT(compacted.size(), 40u);
  EXPECT_GT(with_ignored.size(), 40u);
}

}  // namespace
}  // namespace vitro::isa
