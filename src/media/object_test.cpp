// Media threads: their headers and payloads, groups that are built thread by thread, walks with and without a
// scoreboard, and children.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "gen/models.h"
#include "media/bench_test.h"

namespace vitro::media {
namespace {

using testing::Bench;
using testing::Started;

class Objects : public ::testing::Test {
 protected:
  Bench b{gen::gen8(), traits_gen8};
  commands::MediaObject object{};

  void SetUp() override {
    b.put_recording_kernel(0, 8);
    b.put_descriptor(0, {0, 0, 0, 0, 0, 0x00010000, 0, 0});
    b.put_curbe(0, {0xC0, 0xC1});
  }
  std::vector<Started> run(const std::vector<uint32_t>& inline_data) {
    const Outcome o = start_object(b.state, b.around, object, inline_data);
    EXPECT_TRUE(o) << o.error().reason;
    return b.kept.started;
  }
};

TEST_F(Objects, ConstantsThenInlineThenIndirectData) {
  object.x = 3, object.y = 5, object.color = 2;
  object.data_length = 40, object.data_start = 0x40;
  std::vector<uint32_t> data(10);
  for (uint32_t n = 0; n < 10; ++n) data[n] = 0xD0 + n;
  Bench::put(b.objects, 0x40, data);
  const std::vector<Started> s = run({1, 2, 3, 4, 5, 6, 7, 8, 9});
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s[0].r(0, 1), 5u << 16 | 3);
  EXPECT_EQ(s[0].r(0, 2), 2u);
  EXPECT_EQ(s[0].r(1, 0), 0xC0u);
  EXPECT_EQ(s[0].r(2, 0), 1u);
  EXPECT_EQ(s[0].r(3, 0), 9u);  // a register begun is a register
  EXPECT_EQ(s[0].r(3, 1), 0u);
  EXPECT_EQ(s[0].r(4, 0), 0xD0u);
  EXPECT_EQ(s[0].r(5, 1), 0xD9u);
  EXPECT_EQ(s[0].mask, 0xFFFFFFFFu);
}

TEST_F(Objects, PayloadsMustFit) {
  const Outcome o = start_object(b.state, b.around, object, std::vector<uint32_t>(128 * 8));
  ASSERT_FALSE(o);
  EXPECT_EQ(o.error().reason, "a payload of 130 registers");
}

TEST(MediaObjectGen6, HeaderNamesTheInterfaceDescriptor) {
  Bench b(gen::gen6(), traits_gen6);
  b.put_recording_kernel(0x40, 2);
  b.put_descriptor(2, {0x40, 0, 0, 0, 0});
  commands::MediaObject object{.descriptor = 2, .color = 1};
  const Outcome o = start_object(b.state, b.around, object, std::vector<uint32_t>{7});
  ASSERT_TRUE(o) << o.error().reason;
  ASSERT_EQ(b.kept.started.size(), 1u);
  EXPECT_EQ(b.kept.started[0].r(0, 2), 0x41u);
  EXPECT_EQ(b.kept.started[0].r(1, 0), 7u);
}

// --- groups

TEST_F(Objects, GroupsRunWhenTheyAreComplete) {
  // cross-thread: one register, per thread: one
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0x00010000, 2 | 1 << 21, 1});
  b.put_curbe(0, std::vector<uint32_t>(8, 0xC0));
  b.put_curbe(32, std::vector<uint32_t>(8, 0xA0));
  b.put_curbe(64, std::vector<uint32_t>(8, 0xA1));
  object.group = 9;
  ASSERT_TRUE(start_in_group(b.state, b.around, object, std::vector<uint32_t>{0x11}));
  EXPECT_TRUE(b.kept.started.empty());
  object.group = 8;
  ASSERT_TRUE(start_in_group(b.state, b.around, object, std::vector<uint32_t>{0x33}));
  object.group = 9;
  object.end_of_group = true;
  ASSERT_TRUE(start_in_group(b.state, b.around, object, std::vector<uint32_t>{0x22}));
  ASSERT_EQ(b.kept.started.size(), 2u);
  for (uint32_t t = 0; t < 2; ++t) {
    EXPECT_EQ(b.kept.started[t].r(1, 0), 0xC0u);
    EXPECT_EQ(b.kept.started[t].r(2, 0), 0xA0u + t);
    EXPECT_EQ(b.kept.started[t].r(3, 0), t ? 0x22u : 0x11u);
  }
  ASSERT_TRUE(flush(b.state, b.around));
  ASSERT_EQ(b.kept.started.size(), 3u);
  EXPECT_EQ(b.kept.started[2].r(3, 0), 0x33u);
  EXPECT_TRUE(b.state.pending.empty());
}

// Both threads of a group pass a barrier; one alone would wait forever.
TEST_F(Objects, GroupsHaveABarrier) {
  b.put_kernel(0,
               "(W) mov (8|M0) r12.0<1>:ud 0:uw\n"
               "(W) and (1|M0) r12.2<1>:ud r0.2<0;1,0>:ud 0x0F000000:ud\n"
               "(W) send (8|M0) null r12 0x3 0x02000004\n"
               "(W) wait n0.0<0;1,0>:ud\n"
               "(W) send (8|M0) null r0 0xA 0x02000000\n" +
                   dispatch::testing::end());
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0, 2 | 1 << 21, 0});
  ASSERT_TRUE(start_in_group(b.state, b.around, object, {}));
  object.end_of_group = true;
  const Outcome o = start_in_group(b.state, b.around, object, {});
  ASSERT_TRUE(o) << o.error().reason;
  EXPECT_EQ(b.kept.started.size(), 2u);
}

// --- walks

commands::MediaObjectWalker raster(int width, int height) {
  commands::MediaObjectWalker w;
  w.block_x = w.global_x = uint16_t(width);
  w.block_y = w.global_y = uint16_t(height);
  w.local_count = 0x3FF;
  w.local_stride_y = 1;
  w.local_unit_x = 1;
  return w;
}

TEST_F(Objects, AWalkStartsAThreadAtEachPlace) {
  const Outcome o = walk_objects(b.state, b.around, raster(20, 10), std::vector<uint32_t>{0xAB});
  ASSERT_TRUE(o) << o.error().reason;
  std::set<uint32_t> places;
  for (const Started& s : b.kept.started) {
    places.insert(s.r(0, 1));
    EXPECT_EQ(s.r(1, 0), 0xC0u);
    EXPECT_EQ(s.r(2, 0), 0xABu);
  }
  EXPECT_EQ(b.kept.started.size(), 200u);
  EXPECT_EQ(places.size(), 200u);
}

TEST_F(Objects, AScoreboardKeepsTheOrder) {
  b.state.vfe->scoreboard_enable = true;
  b.state.vfe->scoreboard_mask = 0xF;
  commands::MediaObjectWalker w = raster(20, 10);
  w.use_scoreboard = true;
  w.scoreboard_mask = 1;
  ASSERT_TRUE(walk_objects(b.state, b.around, w, {}));
  ASSERT_EQ(b.kept.started.size(), 200u);
  for (uint32_t n = 0; n < 200; ++n) ASSERT_EQ(b.kept.started[n].r(0, 1), n % 20 | (n / 20) << 16);
}

TEST_F(Objects, AWalkMakesGroups) {
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0x00010000, 4 | 1 << 21, 0});
  for (uint32_t t = 0; t < 4; ++t) b.put_curbe(t * 32, {0xE0 + t});
  commands::MediaObjectWalker w = raster(4, 3);
  w.group_loop = 2;  // rows
  const Outcome o = walk_objects(b.state, b.around, w, {});
  ASSERT_TRUE(o) << o.error().reason;
  ASSERT_EQ(b.kept.started.size(), 12u);
  EXPECT_EQ(b.counts.groups, 3u);
  for (const Started& s : b.kept.started) EXPECT_EQ(s.r(1, 0), 0xE0 + (s.r(0, 1) & 0xFFFF));
}

TEST_F(Objects, RefusesWhatWalksLack) {
  commands::MediaObjectWalker w = raster(2, 2);
  const auto refusal = [&] {
    const Outcome o = walk_objects(b.state, b.around, w, {});
    return o ? "" : o.error().reason;
  };
  w.data_length = 4;
  EXPECT_EQ(refusal(), "MEDIA_OBJECT_WALKER with indirect data");
  w.data_length = 0, w.masked_dispatch = 1;
  EXPECT_EQ(refusal(), "unsupported: masked dispatch of MEDIA_OBJECT_WALKER");
  w.masked_dispatch = 0, w.dual_mode = true;
  EXPECT_EQ(refusal(), "unsupported: dual mode of MEDIA_OBJECT_WALKER");
  w.dual_mode = false, w.group_loop = 6;
  EXPECT_EQ(refusal(), "reserved Group ID Loop Select in MEDIA_OBJECT_WALKER");
}

// --- children

// The parent writes a register to the URB and spawns three children, each with the next descriptor and a number in
// r0.6.
TEST_F(Objects, ChildrenGetTheirHeaderAndWhatIsInTheUrb) {
  std::string parent =
      "(W) mov (8|M0) r20.0<1>:ud 0:uw\n"          // URB handle 0
      "(W) mov (1|M0) r20.5<1>:ud 0xFF00:uw\n"     // all dwords
      "(W) mov (8|M0) r21.0<1>:ud 0x77:uw\n"       // data
      "(W) send (8|M0) null r20 0x6 0x04080000\n"  // HWord write of one register
      "(W) mov (8|M0) r10.0<1>:ud r0.0<8;8,1>:ud\n"
      "(W) mov (1|M0) r10.2<1>:ud 0x20:uw\n"    // the second descriptor
      "(W) mov (1|M0) r10.4<1>:ud 0x400:uw\n";  // one register of handle 0
  for (int n = 0; n < 3; ++n)
    parent += fmt::format("(W) mov (1|M0) r10.6<1>:ud {}:uw\n", n + 1) + "(W) send (8|M0) null r10 0x7 0x02000001\n";
  b.put_kernel(0x800, parent + dispatch::testing::end());
  b.put_descriptor(0, {0x800, 0, 0, 0, 0x20, 0, 0, 0});
  b.put_descriptor(1, {0, 0, 0, 0, 0x40, 0x00010000, 0, 0});
  object.children = true;
  const Outcome o = start_object(b.state, b.around, object, {});
  ASSERT_TRUE(o) << o.error().reason;
  ASSERT_EQ(b.kept.started.size(), 3u);
  EXPECT_EQ(b.counts.threads, 4u);
  std::set<uint32_t> numbers, fftids;
  for (const Started& s : b.kept.started) {
    numbers.insert(s.r(0, 6));
    fftids.insert(s.r(0, 5) & 0x1FF);
    EXPECT_EQ(s.r(1, 0), 0xC0u);
    EXPECT_EQ(s.r(2, 3), 0x77u);
    EXPECT_EQ(s.binding_table, 0x40u);
  }
  EXPECT_EQ(numbers, (std::set<uint32_t>{1, 2, 3}));
  EXPECT_EQ(fftids.size(), 3u);
}

TEST_F(Objects, OnlyParentsHaveChildren) {
  b.put_kernel(0, "(W) send (8|M0) null r0 0x7 0x02000001\n" + dispatch::testing::end());
  const Outcome o = start_object(b.state, b.around, object, {});
  ASSERT_FALSE(o);
  EXPECT_NE(o.error().reason.find("cannot spawn threads"), std::string::npos) << o.error().reason;
}

// --- state

TEST(MediaPools, AreCheckedAndKept) {
  Bench with(gen::gen9_lp(), traits_gen9_lp), without(gen::gen9(), traits_gen9);
  const commands::MediaPoolState pool{.enable = true, .configuration = 0x00777000};
  EXPECT_TRUE(set_pool(with.state, with.around, pool));
  EXPECT_TRUE(with.state.pool.enable);
  EXPECT_FALSE(set_pool(with.state, with.around, {.enable = true, .configuration = 0x80000000}));
  EXPECT_FALSE(set_pool(without.state, without.around, pool));
}

}  // namespace
}  // namespace vitro::media
