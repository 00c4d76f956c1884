// goto, join and the BranchCtrl bit of if, else and goto, on the generations that have them. PRM: Gen8 vol 2a `goto`,
// `join`, `if`, `else`. Programs have eight channels; r2 holds their numbers, r3 and r4 what they have done.
#include <fmt/format.h>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

using Dwords = std::vector<int32_t>;

struct Channels : Bench {
  explicit Channels(const isa::Model& m, uint32_t channels = 0xFF) : Bench(m, channels) {
    fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  }
  Channels& go(const std::string& text) {
    run(text, 1000);
    EXPECT_EQ(status, Status::ended) << model.name << ": " << (fault ? fault->reason : "") << "\n" << text;
    return *this;
  }
};

// Channels below n in a flag.
std::string below(int n, const char* flag = "f0.0") {
  return fmt::format("cmp (8|M0) (lt){} null<1>:d r2.0<8;8,1>:d {}:w\n", flag, n);
}
std::string add(int reg, int n) { return fmt::format("add (8|M0) r{0}.0<1>:d r{0}.0<8;8,1>:d {1}:w\n", reg, n); }
Dwords counts(int first, int a, int b) {
  Dwords d(8, b);
  std::fill(d.begin(), d.begin() + first, a);
  return d;
}

class Goto : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
INSTANTIATE_TEST_SUITE_P(All, Goto,
                         testing::Values(
                             +[] { return &gen::gen8(); }, +[] { return &gen::gen9(); }));

// "activated (qualified with predicates at join)": those the predicate leaves out wait on, here for the same join
// again.
TEST_P(Goto, I_join_WakesWhomThePredicateNames) {
  Channels b(model());
  b.go(below(3) + below(6, "f1.0") +
       "(f0.0) goto (8|M0) JOIN JOIN\n"  // 3 to 7 wait
       "JOIN: (f1.0) join (8|M0) NEXT\n"
       "NEXT: " +
       add(3, 1));
  EXPECT_EQ(b.lanes<int32_t>(3, 8), counts(6, 1, 0));
  EXPECT_EQ(b.thread.active, 0x3Fu);

  Channels twice(model());
  twice.go(below(3) + below(6, "f1.0") +
           "(f0.0) goto (8|M0) JOIN JOIN\n"
           "JOIN: (f1.0) join (8|M0) NEXT\n"
           "NEXT: " +
           add(3, 1) +
           "(W) cmp (1|M0) (eq)f0.0 null<1>:d r5.0<0;1,0>:d 0:w\n"
           "(W) mov (1|M0) r5.0<1>:d 1:w\n"
           "(W) mov (1|M0) f1.0<1>:uw 0xC0:uw\n"
           "(W&f0.0) jmpi JOIN");
  EXPECT_EQ(twice.lanes<int32_t>(3, 8), counts(6, 2, 1)) << "channels that run go on whatever the predicate says";
  EXPECT_EQ(twice.thread.active, 0xFFu);
}

TEST_P(Goto, I_join_PredicatesOfEveryKind) {
  const struct {
    const char* predicate;
    uint32_t flag, active;
  } cases[] = {{"(~f1.0)", 0x3F, 0xC7},      {"(f1.0)", 0xF0, 0xF7},       {"(f1.0.any4h)", 0x10, 0xF7},
               {"(f1.0.any4h)", 0x01, 0x0F}, {"(f1.0.all8h)", 0xFF, 0xFF}, {"(f1.0.all8h)", 0xFE, 0x07}};
  for (const auto& c : cases) {
    Channels b(model());
    b.thread.flag[1] = c.flag;
    b.go(below(3) + "(f0.0) goto (8|M0) JOIN JOIN\nJOIN: " + c.predicate + " join (8|M0) NEXT\nNEXT: nop");
    EXPECT_EQ(b.thread.active, c.active) << c.predicate << " " << c.flag;
  }
}

// A predicate says nothing about channels outside the instruction.
TEST_P(Goto, I_join_OfTheUpperChannels) {
  Channels b(model(), 0xFFFF);
  b.thread.flag[0] = 0x0101;
  b.thread.flag[1] = 0x3000;
  b.go(
      "(f0.0) goto (16|M0) JOIN JOIN\n"
      "JOIN: (f1.0) join (8|M8) NEXT\n"
      "NEXT: nop");
  EXPECT_EQ(b.thread.active, 0x31FFu);
}

// Nobody runs and the predicate admits nobody: on to JIP, where the others wait.
TEST_P(Goto, I_join_JumpsWhenNobodyRuns) {
  Channels b(model());
  b.thread.flag[1] = 0;
  b.go(below(3) +
       "(f0.0) goto (8|M0) FIRST SECOND\n"   // 3 to 7 wait at SECOND
       "(f1.0) goto (8|M0) FIRST FIRST\n" +  // 0 to 2 wait at FIRST
       add(3, 1) +
       "FIRST: (f1.0) join (8|M0) SECOND\n" + add(3, 2) +
       "SECOND: join (8|M0) NEXT\n"
       "NEXT: " +
       add(4, 1));
  EXPECT_EQ(b.lanes<int32_t>(3, 8), Dwords(8, 0));
  EXPECT_EQ(b.lanes<int32_t>(4, 8), counts(3, 0, 1));
}

// BranchCtrl set: the channels named jump at once and the others wait for them at the next instruction.
TEST_P(Goto, I_goto_BranchCtrl) {
  for (int n : {0, 3, 8}) {
    Channels b(model());
    b.go(below(n) +
         "(f0.0) goto.b (8|M0) NEAR FAR\n"
         "NEAR: join (8|M0) NEXT\n"
         "NEXT: " +
         add(3, 1) + "goto (8|M0) END END\n" +  // unpredicated: all go on, and the end of the block is next
         "jmpi END\n"
         "FAR: join (8|M0) AFTER\n"
         "AFTER: " +
         add(3, 2) + "goto.b (8|M0) NEAR NEAR\n" +  // back to those that wait
         "END: join (8|M0) LAST\n"
         "LAST: " +
         add(4, 1));
    EXPECT_EQ(b.lanes<int32_t>(3, 8), counts(n, 3, 1)) << n;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), Dwords(8, 1)) << n;
  }
}

// if with BranchCtrl: who is left out waits at the endif, and when nobody runs the thread goes to JIP, a join inside
// the block at which channels wait since before it.
TEST_P(Goto, I_if_BranchCtrl) {
  for (int n : {0, 2, 5, 8}) {
    Channels b(model());
    b.go(below(5) + below(n, "f1.0") +
         "(f0.0) goto (8|M0) JOIN JOIN\n"  // 5 to 7 wait inside the block
         "(f1.0) if.b (8|M0) JOIN END\n" +
         add(3, 1) +
         "JOIN: join (8|M0) INSIDE\n"
         "INSIDE: " +
         add(3, 2) +
         "END: endif (8|M0) NEXT\n"
         "NEXT: " +
         add(4, 1));
    Dwords expected(8, 0);
    for (int c = 0; c < 8; ++c) expected[size_t(c)] = c >= 5 ? 2 : c < n ? 3 : 0;
    EXPECT_EQ(b.lanes<int32_t>(3, 8), expected) << n;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), Dwords(8, 1)) << n;
  }
}

TEST_P(Goto, I_if_BranchCtrlInSingleProgramFlow) {
  for (int n : {0, 1, 8}) {
    Channels b(model());
    b.thread.cr[0] |= cr_spf;
    b.go(below(n) + "(f0.0) if.b (8|M0) JOIN END\n" + add(3, 1) + "JOIN: join (8|M0) INSIDE\nINSIDE: " + add(3, 2) +
         "END: endif (8|M0) NEXT\nNEXT: nop");
    EXPECT_EQ(b.get<int32_t>(3, 0), n ? 3 : 0) << n;
  }
}

// else with BranchCtrl: the channels of the if part wait at UIP, the endif; when the else part has none, the thread
// goes to JIP, a join inside it.
TEST_P(Goto, I_else_BranchCtrl) {
  for (int n : {0, 2, 5, 8}) {
    Channels b(model());
    b.go(below(5) + below(n, "f1.0") +
         "(f0.0) goto (8|M0) JOIN JOIN\n"  // 5 to 7 wait inside the else part
         "(f1.0) if (8|M0) OTHER END\n" +
         add(3, 1) +
         "else.b (8|M0) JOIN END\n"
         "OTHER: " +
         add(3, 2) +
         "JOIN: join (8|M0) INSIDE\n"
         "INSIDE: " +
         add(3, 4) +
         "END: endif (8|M0) NEXT\n"
         "NEXT: " +
         add(4, 1));
    Dwords expected(8, 0);
    for (int c = 0; c < 8; ++c) expected[size_t(c)] = c >= 5 ? 4 : c < n ? 1 : 6;
    EXPECT_EQ(b.lanes<int32_t>(3, 8), expected) << n;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), Dwords(8, 1)) << n;
  }
}

}  // namespace
}  // namespace vitro::eu
