// MI_PREDICATE's truth table, MI_SET_PREDICATE's conditions, and the commands that ask for the predicate. PRM: Gen8 vol
// 2a MI_PREDICATE, MI_SET_PREDICATE.
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;

Dwords predicate_dword(uint32_t load, uint32_t combine, uint32_t compare) {
  return mi(0x0C, load << 6 | combine << 3 | compare);
}

// The documents' words, spelled out once more: load x combine x compare over old predicate and registers.
bool expected(uint32_t load, uint32_t combine, uint32_t compare, bool old, uint64_t a, uint64_t b, uint64_t d) {
  bool c = true;
  if (compare == 1) c = false;
  if (compare == 2) c = a == b;
  if (compare == 3) c = a - b == d;
  bool x = c;
  if (combine == 1) x = old & c;
  if (combine == 2) x = old | c;
  if (combine == 3) x = old ^ c;
  if (load == 2) return x;
  if (load == 3) return !x;
  return old;
}

TEST(Mi, MI_PREDICATE_TruthTable) {
  struct Sources {
    uint64_t a, b, d;
  };
  const Sources sources[] = {{5, 5, 0}, {5, 5, 1}, {7, 5, 2}, {7, 5, 3}, {1ull << 40, 0, 1ull << 40}, {5, 7, ~1ull}};
  for (const CommandSet* set : later) {
    Bench b(*set);
    for (const uint32_t load : {0u, 2u, 3u})
      for (uint32_t combine = 0; combine < 4; ++combine)
        for (uint32_t compare = 0; compare < 4; ++compare)
          for (const bool old : {false, true})
            for (const Sources& s : sources) {
              ASSERT_RUNS(b.run(join({lri(0x2418, old), lri64(0x2400, s.a), lri64(0x2408, s.b), lri64(0x2410, s.d),
                                      predicate_dword(load, combine, compare), end()})));
              EXPECT_EQ(b.reg(0x2418) & 1, expected(load, combine, compare, old, s.a, s.b, s.d))
                  << load << combine << compare << old;
            }
  }
}

// Drivers store all ones: only bit 0 counts, and a kept predicate is left alone.
TEST(Mi, MI_PREDICATE_KeepLeavesTheRegister) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({lri(0x2418, 0xFFFFFFFF), predicate_dword(0, 0, 1), end()})));
  EXPECT_EQ(b.reg(0x2418), 0xFFFFFFFFu);
}

TEST(Mi, MI_STORE_REGISTER_MEM_Predicate) {
  for (const CommandSet* set : later)
    for (const uint32_t p : {0u, 1u, 2u, 0xFFFFFFFFu}) {
      Bench b(*set);
      ASSERT_RUNS(b.run(join({lri(0x2600, 9), lri(0x2418, p), srm(0x2600, data, 1 << 21), end()})));
      EXPECT_EQ(b.at(data), p & 1 ? 9u : 0u);
    }
}

TEST(Mi, MI_SET_PREDICATE_Conditions) {
  struct Case {
    uint32_t enable, result, result_2;
    unsigned slices;
    bool executes;
  };
  const Case cases[] = {{0, 0, 0, 1, true},  {0, 1, 1, 1, true},  {1, 1, 0, 1, false}, {1, 0, 1, 1, true},
                        {2, 0, 1, 1, false}, {2, 1, 0, 1, true},  {3, 0, 1, 1, false}, {3, 1, 0, 1, true},
                        {4, 1, 0, 1, false}, {4, 0, 1, 1, true},  {5, 0, 0, 1, true},  {5, 0, 0, 2, false},
                        {6, 0, 0, 2, true},  {6, 0, 0, 1, false}, {7, 0, 0, 3, true},  {7, 0, 0, 1, false},
                        {15, 1, 1, 1, false}};
  for (const CommandSet* set : later)
    for (const Case& c : cases) {
      Bench b(*set);
      b.slices = c.slices;
      ASSERT_RUNS(b.run(join({lri(0x2418, c.result), lri(0x2214, c.result_2), mi(0x01, c.enable), sdi(data, 1),
                              mi(0x01, 0), sdi(data + 4, 1), end()})));
      EXPECT_EQ(b.at(data), c.executes) << c.enable;
      EXPECT_EQ(b.at(data + 4), 1u);
    }
}

TEST(Mi, MI_SET_PREDICATE_SurvivesTheBatchAndLetsItEnd) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({mi(0x01, 15), sdi(data, 1), end()})));
  ASSERT_RUNS(b.run(join({sdi(data, 1), mi(0x01, 0), sdi(data + 4, 1), end()})));
  EXPECT_EQ(b.at(data), 0u);
  EXPECT_EQ(b.at(data + 4), 1u);
}

TEST(Mi, MI_SET_PREDICATE_SkipsStateOfTheFixedFunctions) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({{0x78300000, 0x11}, mi(0x01, 15), {0x78300000, 0x22}, mi(0x01, 0), end()})));
  EXPECT_EQ(b.state.three_d.urb[0].number_of_urb_entries, 0x11);
}

}  // namespace
}  // namespace vitro::streamer
