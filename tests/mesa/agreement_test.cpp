// That the comparison with Mesa's text sees a difference when there is one: instructions as Mesa prints them, and the
// same with one word changed, which must be reported under the field's name.
#include "agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "gen/models.h"

namespace vitro::mesa {
namespace {

// `from` in the text is replaced by `to`; then the difference must be reported as one of `field`.
struct Change {
  std::string_view from, to, field;
};
struct Sample {
  std::string_view device, bytes, text;
  std::vector<Change> changes;
};

const Sample samples[] = {
    {"snb",
     "01 02 00 00 62 00 28 22 00 00 00 00 00 00 00 00",
     "mov(1)          m17.2<1>UD      0x00000000UD                    { align1 WE_all 1N };",
     {{"mov(", "not(", "opcode"},
      {"(1)", "(2)", "exec_size"},
      {"m17", "g17", "dst.file"},
      {"m17", "m16", "dst.reg"},
      {".2<", ".1<", "dst.subreg"},
      {"<1>", "<2>", "dst.stride"},
      {"0x00000000", "0x00000001", "src0.imm"},
      {"WE_all ", "", "WE_all"},
      {"1N", "2N", "channel group"},
      {"1N", "1N compacted", "compacted"}}},
    {"snb",
     "40 01 60 00 a5 14 8f 26 24 06 6e 00 04 62 6e 00",
     "add(8)          g52<1>D         g49<4>D         -(abs)g16<4>D   { align16 1Q };",
     {{"<1>D", "<1>.xyD", "dst.channels"},
      {"g49<4>D", "g49<4>.xxyyD", "src0.channels"},
      {"g49<4>", "g49<0>", "src0.region"},
      {"-(abs)", "(abs)", "src1.negate"},
      {"(abs)", "", "src1.abs"},
      {"g16<4>D", "g16<4>UD", "src1.type"},
      {"1Q", "2Q", "channel group"},
      {"1Q", "NoDDClr 1Q", "NoDDClr"},
      {"1Q", "1Q switch", "switch"}}},
    {"snb",
     "5b 11 60 05 00 00 1e 6a 01 26 27 80 e4 20 47 1a",
     "mad.l.f0.0(8)   g106<1>F        g114.3<0,1,0>F  g114.2<0,1,0>F  g105<4,4,1>F { align16 2Q };",
     {{".l.f0.0", ".le.f0.0", "condition"},
      {".l.f0.0", ".l.f0.1", "condition.flag"},
      {"mad.l", "mad.sat.l", "saturate"},
      {"114.3", "114.1", "src0.subreg"},
      {"g105<4,4,1>", "g105.0<0,1,0>", "src2.region"}}},
    {"snb",
     "02 01 66 00 21 04 ef 25 e4 01 6e 00 84 02 6e 00",
     "(+f0.0.any4h) sel(8) g47<1>UD   g15<4>UD        g20<4>UD        { align16 1Q };",
     {{"+f", "-f", "predicate.inverse"}, {"f0.0", "f0.1", "predicate.flag"}, {"any4h", "all4h", "predicate.mode"}}},
    {"snb",
     "38 10 60 04 bd 73 a0 21 00 0f 8d 00 00 00 8d 00",
     "math sqrt(8)    g13<1>F         g120<8,8,1>F    null<8,8,1>F    { align1 2Q };",
     {{"sqrt", "rsq", "math"}, {"<8,8,1>F    null", "<4,4,1>F    null", "src0.region"}}},
    {"snb",
     "32 00 60 05 c8 0f 00 20 20 00 8d 00 00 94 01 88",
     "sendc(8)        null<1>UW       m1<8,8,1>F      0x88019400\n"
     "                            render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 4 rlen 0 { align1 1Q EOT };",
     {{"null", "g0", "dst.file"},
      {"render", "sampler", "sfid"},
      {"mlen 4", "mlen 3", "mlen"},
      {"rlen 0", "rlen 1", "rlen"},
      {" EOT", "", "EOT"},
      {"0x88019400", "0x88019401", "desc"}}},
    {"kbl",
     "34 00 60 05 10 90 07 00 a4 0f 00 00 00 14 0b 84",
     "sendsc(8)       nullUD          g125UD          g121UD          0x040b1400                0x00000100\n"
     "                            render MsgDesc: RT write SIMD8 LastRT Surface = 0 mlen 2 ex_mlen 4 rlen 0 { align1 "
     "1Q "
     "EOT };",
     {{"g125", "g124", "src0.reg"},
      {"g121", "g122", "src1.reg"},
      {"ex_mlen 4", "ex_mlen 5", "ex_mlen"},
      {"0x00000100", "0x00000140", "ex_desc"},
      {"0x00000100", "a0.2<0>UD", "ex_desc.in_register"}}},
    {"bdw",
     "01 00 00 00 0c 02 a0 27 20 81 00 00 00 00 00 00",
     "mov(1)          g61<1>UD        g[a0 288]<0,1,0>UD              { align1 WE_all 1N };",
     {{"288", "256", "src0.addr_imm"},
      {"a0 288", "a0.1 288", "src0.addr_subreg"},
      {"g[a0 288]", "g0", "src0.indirect"},
      {"<0,1,0>", "<VxH,1,0>", "src0.region"}}},
};

std::vector<std::byte> bytes_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::vector<std::byte> out;
  for (unsigned value; words >> std::hex >> value;) out.push_back(std::byte(value));
  return out;
}

std::vector<std::string> differing_fields(const Sample& sample, const std::string& text) {
  const isa::Model& model = gen::find_device(sample.device)->model();
  const Line line{.offset = 0, .bytes = bytes_of(sample.bytes), .text = text};
  const Result<isa::Fetched> fetched = fetch(model, line.bytes);
  if (!fetched) return {fetched.error().message};
  const Result<Instruction> mesa = parse_instruction(text);
  if (!mesa) return {mesa.error().message};
  ExceptionUse used(exceptions().size());
  std::vector<std::string> fields;
  for (const Mismatch& m : disagreements(model, {}, line, *mesa, fetched->instruction, used)) fields.push_back(m.field);
  return fields;
}

TEST(MesaAgreement, TextAsPrintedAgrees) {
  for (const Sample& s : samples)
    EXPECT_EQ(differing_fields(s, std::string(s.text)), std::vector<std::string>{}) << s.text;
}

TEST(MesaAgreement, EveryChangedWordIsReported) {
  for (const Sample& s : samples)
    for (const Change& change : s.changes) {
      std::string text(s.text);
      const size_t at = text.find(change.from);
      ASSERT_NE(at, std::string::npos) << change.from << " in " << text;
      text.replace(at, change.from.size(), change.to);
      const std::vector<std::string> fields = differing_fields(s, text);
      EXPECT_TRUE(std::ranges::find(fields, change.field) != fields.end()) << change.field << " in " << text;
    }
}

TEST(MesaAgreement, BranchesAreMeasuredFromLabels) {
  const isa::Model& model = gen::find_device("snb")->model();
  const Line line{.offset = 64,
                  .bytes = bytes_of("28 01 62 00 84 1c 0f 20 04 00 6e 00 14 00 16 00"),
                  .text = "(+f0.0.x) break(8) JIP:  LABEL1       UIP:  LABEL0              { align16 1Q };"};
  const Result<isa::Fetched> fetched = fetch(model, line.bytes);
  ASSERT_TRUE(fetched) << fetched.error().message;
  const Instruction mesa = *parse_instruction(line.text);
  ExceptionUse used(exceptions().size());
  // Gen6 counts branch distances in units of 8 bytes: 0x14 and 0x16.
  Program program{.name = "", .lines = {}, .labels = {{"LABEL1", 64 + 160}, {"LABEL0", 64 + 176}}};
  EXPECT_TRUE(disagreements(model, program, line, mesa, fetched->instruction, used).empty());
  program.labels["LABEL0"] += 8;
  const std::vector<Mismatch> wrong = disagreements(model, program, line, mesa, fetched->instruction, used);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].field, "uip");
}

}  // namespace
}  // namespace vitro::mesa
