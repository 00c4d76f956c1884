// Topologies: every row with both conventions of provoking vertices, against lists written out by hand, and cuts.
#include "pipeline/topology.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace vitro::pipeline {
namespace {

// Vertices are named by letters; a cut is a bar. An object reads as its vertices in order, the provoking one in upper
// case, an edge that is not drawn followed by a dot.
std::array<Slot, 26> letters{};

std::string text(const Object& o) {
  std::string s;
  for (unsigned n = 0; n < vertices_of(o.kind); ++n) {
    const auto letter = char('a' + (o.vertices[n] - letters.data()));
    s += n == o.provoking ? char(letter - 32) : letter;
    if (o.kind == ObjectKind::triangle && !(o.edges >> n & 1)) s += '.';
  }
  EXPECT_EQ(o.flat, o.vertices[o.provoking]);
  return s;
}

std::string assemble(unsigned code, Provoking provoking, std::string_view stream, std::string_view hidden = "") {
  Assembler assembler(**find_topology(code), provoking);
  std::string all;
  bool start = true;
  for (size_t n = 0; n < stream.size(); ++n) {
    if (stream[n] == '|') {
      start = true;
      continue;
    }
    const bool end = n + 1 == stream.size() || stream[n + 1] == '|';
    const Corner corner{&letters[size_t(stream[n] - 'a')], hidden.find(stream[n]) == std::string_view::npos};
    assembler.push(corner, start, end, [&](const Object& o) {
      if (!all.empty()) all += ' ';
      all += text(o);
    });
    start = false;
  }
  return all;
}

constexpr Provoking first{0, 0, 1}, last{1, 2, 2};

struct Case {
  unsigned code;
  const char *stream, *with_first, *with_last;
};
class Topologies : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Rows, Topologies,
                         testing::Values(Case{1, "abc", "A B C", "A B C"},                            //
                                         Case{2, "abcde", "Ab Cd", "aB cD"},                          //
                                         Case{3, "abcd", "Ab Bc Cd", "aB bC cD"},                     //
                                         Case{3, "ab|c|def", "Ab De Ef", "aB dE eF"},                 //
                                         Case{4, "abcdefg", "Abc Def", "abC deF"},                    //
                                         Case{4, "ab|cde", "Cde", "cdE"},                             //
                                         Case{5, "abcde", "Abc Bdc Cde", "abC cbD cdE"},              //
                                         Case{5, "abcd|efgh", "Abc Bdc Efg Fhg", "abC cbD efG gfH"},  //
                                         Case{6, "abcde", "aBc aCd aDe", "abC acD adE"},              //
                                         Case{7, "abcdefgh", "ab.D bcD. ef.H fgH.", "ab.D bcD. ef.H fgH."},
                                         Case{8, "abcdef", "ca.D abD. ec.F cdF.", "ca.D abD. ec.F cdF."},
                                         Case{9, "abcdefgh", "Bc Fg", "bC fG"},            //
                                         Case{10, "abcde", "Bc Cd", "bC cD"},              //
                                         Case{11, "abcdefghijkl", "Ace Gik", "acE giK"},   //
                                         Case{12, "abcdefgh", "Ace Cge", "acE ecG"},       //
                                         Case{13, "abcde", "Acb Bcd Ced", "baC bcD dcE"},  //
                                         Case{14, "abcde", "Abc. A.cd. A.de", "Abc. A.cd. A.de"},
                                         Case{15, "abcdef", "Abc Def", "abC deF"},                //
                                         Case{16, "abcd", "Ab Bc Cd Da", "aB bC cD dA"},          //
                                         Case{16, "ab|cde", "Ab Ba Cd De Ec", "aB bA cD dE eC"},  //
                                         Case{16, "a", "", ""},                                   //
                                         Case{18, "abc", "Ab Bc", "aB bC"},                       //
                                         Case{22, "abcd", "aBc aCd", "abC acD"}));
TEST_P(Topologies, GiveObjects) {
  EXPECT_EQ(assemble(GetParam().code, first, GetParam().stream), GetParam().with_first);
  EXPECT_EQ(assemble(GetParam().code, last, GetParam().stream), GetParam().with_last);
}
TEST_P(Topologies, CountObjects) {
  const Case& c = GetParam();
  if (std::string_view(c.stream).find('|') != std::string_view::npos) return;
  const Topology& t = **find_topology(c.code);
  Assembler assembler(t, first);
  const size_t count = std::string_view(c.stream).size();
  for (size_t n = 0; n < count; ++n) assembler.push({letters.data()}, n == 0, n + 1 == count, [](const Object&) {});
  EXPECT_EQ(assembler.counted(), objects_of(t, count));
}
// Going on in the middle gives what would have come there.
TEST_P(Topologies, Resume) {
  const Case& c = GetParam();
  const std::string_view stream = c.stream;
  if (stream.find('|') != std::string_view::npos) return;
  const Topology& t = **find_topology(c.code);
  for (size_t cut = 1; cut < stream.size(); ++cut) {
    std::string all;
    const auto take = [&](const Object& o) {
      if (!all.empty()) all += ' ';
      all += text(o);
    };
    const auto corner = [&](size_t n) { return Corner{&letters[size_t(stream[n] - 'a')]}; };
    Assembler before(t, last), after(t, last);
    for (size_t n = 0; n < cut; ++n) before.push(corner(n), n == 0, false, take);
    const unsigned lead = t.lead(uint32_t(cut));
    after.remember(corner(0));
    after.resume(uint32_t(cut) - lead);
    for (size_t n = cut - lead; n < cut; ++n) after.remember(corner(n));
    for (size_t n = cut; n < stream.size(); ++n) after.push(corner(n), false, n + 1 == stream.size(), take);
    EXPECT_EQ(all, c.with_last) << cut;
  }
}

TEST(Topology, EdgeFlags) {
  EXPECT_EQ(assemble(4, last, "abcdef", "bf"), "ab.C deF.");
  EXPECT_EQ(assemble(7, last, "abcd", "ac"), "a.b.D bc.D.");
  EXPECT_EQ(assemble(14, last, "abcde", "ad"), "A.bc. A.cd. A.d.e");
  EXPECT_EQ(assemble(5, last, "abcd", "abcd"), "abC cbD") << "strips draw all edges";
}

TEST(Topology, PrimitiveIdsCountThroughCuts) {
  Assembler a(**find_topology(5), last);
  std::vector<uint32_t> ids;
  const auto take = [&](const Object& o) { ids.push_back(o.primitive_id); };
  for (int strip = 0; strip < 2; ++strip)
    for (int n = 0; n < 4; ++n) a.push({letters.data()}, n == 0, n == 3, take);
  EXPECT_EQ(ids, (std::vector<uint32_t>{0, 1, 2, 3}));
  Assembler quads(**find_topology(7), last);
  ids.clear();
  for (int n = 0; n < 8; ++n) quads.push({letters.data()}, n == 0, n == 7, take);
  EXPECT_EQ(ids, (std::vector<uint32_t>{0, 0, 1, 1}));
}

TEST(Topology, StippleBeginsWithStrips) {
  const auto begins = [](unsigned code) {
    Assembler a(**find_topology(code), last);
    std::string s;
    for (int n = 0; n < 4; ++n)
      a.push({letters.data()}, n == 0, n == 3, [&](const Object& o) { s += o.strip_begins ? 'b' : '-'; });
    return s;
  };
  EXPECT_EQ(begins(2), "bb");
  EXPECT_EQ(begins(3), "b--");
  EXPECT_EQ(begins(16), "b---");
  EXPECT_EQ(begins(18), "---");
  EXPECT_EQ(begins(19), "b--");
  EXPECT_EQ(begins(20), "---");
}

TEST(Topology, RefusedByName) {
  EXPECT_EQ(find_topology(34).error().unsupported, "topology PATCHLIST_3");
  EXPECT_EQ(find_topology(0).error().reason, "topology 0 is reserved");
  EXPECT_EQ(find_topology(31).error().reason, "topology 31 is reserved");
}

}  // namespace
}  // namespace vitro::pipeline
