// GPGPU_WALKER against what real drivers submit: Mesa's and NEO's batches as captured, with the registers their kernels
// expect; then what those do not use, number by number.
#include <gtest/gtest.h>

#include <set>

#include "commands/media_layouts.h"
#include "gen/models.h"
#include "media/bench_test.h"

namespace vitro::media {
namespace {

using testing::Bench;
using testing::Started;

commands::GpgpuWalker unpacked(const std::vector<uint32_t>& packet) {
  return unpack(commands::media_fields::gpgpu_walker, packet);
}

// GL compute on Kaby Lake: local size 40, 3 x 2 x 2 groups, SIMD16; the subgroup's number in r1.
TEST(GpgpuWalker, GlComputeOfFortyItems) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(gen::gen9(), traits_gen9, workers);
    b.put_recording_kernel(0x40, 2);
    b.put_descriptor(0, {0x40, 0, 0, 0, 0x23, 0x00010000, 0x00210003, 0});
    for (uint32_t t = 0; t < 3; ++t) b.put_curbe(t * 32, {t, 0x5A5A5A5A});
    const Outcome o = walk(b.state, b.around,
                           unpacked({0x7105000D, 0, 0, 0, 0x40000002, 0, 0, 3, 0, 0, 2, 0, 2, 0xFF, 0xFFFFFFFF}), {});
    ASSERT_TRUE(o) << o.error().reason;
    const std::vector<Started> s = b.by_group();
    ASSERT_EQ(s.size(), 36u);
    for (size_t n = 0; n < s.size(); ++n) {
      const uint32_t group = uint32_t(n / 3);
      EXPECT_EQ(s[n].r(0, 1), group % 3);
      EXPECT_EQ(s[n].r(0, 6), group / 3 % 2);
      EXPECT_EQ(s[n].r(0, 7), group / 6);
      EXPECT_EQ(s[n].r(1, 0), n % 3);
      EXPECT_EQ(s[n].r(1, 1), 0x5A5A5A5Au);
      EXPECT_EQ(s[n].mask, n % 3 == 2 ? 0xFFu : 0xFFFFu);
      EXPECT_EQ(s[n].slm, 1024u);  // code 1
      EXPECT_EQ(s[n].binding_table, 0x20u);
      EXPECT_EQ(s[n].r(0, 4), 0x20u);
    }
    EXPECT_EQ(b.counts.threads, 36u);
    EXPECT_EQ(b.counts.groups, 12u);
    EXPECT_EQ(b.state.invocations, 12u * 40);
  }
}

// Vulkan compute, on all three devices: a register for the group, then one for each thread.
TEST(GpgpuWalker, VulkanComputeTakesTheGroupsConstantsFirst) {
  struct Device {
    const isa::Model& (*model)();
    const Traits* traits;
  };
  for (const Device& d :
       {Device{gen::gen8, &traits_gen8}, {gen::gen9, &traits_gen9}, {gen::gen9_lp, &traits_gen9_lp}}) {
    Bench b(d.model(), *d.traits);
    b.put_recording_kernel(0, 3);
    b.put_descriptor(0, {0, 0, 0, 0, 0, 0x00010000, 4, 1});
    std::vector<uint32_t> curbe(0xC0 / 4);
    for (uint32_t n = 0; n < curbe.size(); ++n) curbe[n] = 0x1000 + n;
    for (uint32_t t = 0; t < 4; ++t) curbe[8 + 8 * t + 1] = t;
    b.put_curbe(0, curbe);
    commands::GpgpuWalker w{.width = 3, .simd = 1, .end_x = 16, .end_y = 1, .end_z = 1};
    w.right_mask = 0xFFFF;
    w.bottom_mask = ~0u;
    const Outcome o = walk(b.state, b.around, w, {});
    ASSERT_TRUE(o) << o.error().reason;
    const std::vector<Started> s = b.by_group();
    ASSERT_EQ(s.size(), 64u);
    for (size_t n = 0; n < s.size(); ++n) {
      EXPECT_EQ(s[n].r(0, 1), n / 4);
      for (int i = 0; i < 8; ++i) EXPECT_EQ(s[n].r(1, i), 0x1000u + uint32_t(i));
      EXPECT_EQ(s[n].r(2, 1), n % 4);
      EXPECT_EQ(s[n].r(2, 0), 0x1008u + 8 * uint32_t(n % 4));
      EXPECT_EQ(s[n].mask, 0xFFFFu);
    }
  }
}

// OpenCL's `add` of 1024 items in SIMD32: six registers of local ids, then the group's, from indirect data.
TEST(GpgpuWalker, OpenClTakesItsOwnDataFirst) {
  Bench b(gen::gen9(), traits_gen9);
  b.put_recording_kernel(0x1C0, 10);
  b.put_descriptor(0, {0x1C0, 0, 0x80000, 0, 0, 0x00060000, 8, 3});
  Bench::put(b.objects, 0x40, {0, 0, 0, 256, 1, 1, 0, 0, 0xA0, 1, 0xB0, 1, 0xC0, 1, 0, 0});
  for (uint32_t t = 0; t < 8; ++t) {
    std::vector<uint32_t> ids(48);
    for (uint32_t n = 0; n < 16; ++n) ids[n] = (32 * t + 2 * n) | (32 * t + 2 * n + 1) << 16;
    Bench::put(b.objects, 0x40 + 0x60 + t * 0xC0, ids);
  }
  commands::GpgpuWalker w =
      unpacked({0x7105000D, 0, 0x680, 0x40, 0x80000007, 0, 0, 4, 0, 0, 1, 0, 1, 0xFFFFFFFF, 0xFFFFFFFF});
  const Outcome o = walk(b.state, b.around, w, {});
  ASSERT_TRUE(o) << o.error().reason;
  const std::vector<Started> s = b.by_group();
  ASSERT_EQ(s.size(), 32u);
  for (size_t n = 0; n < s.size(); ++n) {
    const uint32_t t = uint32_t(n % 8);
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(s[n].r(1, int(lane / 2)) >> 16 * (lane % 2) & 0xFFFF, 32 * t + lane);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(s[n].r(3, i), 0u);
    const uint32_t header[8] = {0, 0, 0, 256, 1, 1, 0, 0};
    for (int i = 0; i < 8; ++i) EXPECT_EQ(s[n].r(7, i), header[i]);
    EXPECT_EQ(s[n].r(8, 0), 0xA0u);
    EXPECT_EQ(s[n].r(8, 4), 0xC0u);
    EXPECT_EQ(s[n].mask, 0xFFFFFFFFu);
  }
}

class Walk : public ::testing::Test {
 protected:
  Bench b{gen::gen9(), traits_gen9, 1};  // threads in the order of their numbers
  commands::GpgpuWalker w{.simd = 0, .end_x = 1, .end_y = 1, .end_z = 1, .right_mask = ~0u, .bottom_mask = ~0u};

  void SetUp() override {
    b.put_recording_kernel(0, 1);
    b.put_descriptor(0, {0, 0, 0, 0, 0, 0, 1, 0});
  }
  std::vector<Started> run(IndirectDimensions dimensions = {}) {
    const Outcome o = walk(b.state, b.around, w, dimensions);
    EXPECT_TRUE(o) << o.error().reason;
    return b.by_group();
  }
  std::string refusal() {
    const Outcome o = walk(b.state, b.around, w, {});
    return o ? "" : o.error().reason;
  }
};

TEST_F(Walk, DimensionsAreEnds) {
  w.start_x = 2, w.end_x = 5, w.start_y = 1, w.end_y = 3, w.start_z = 7, w.end_z = 8;
  const std::vector<Started> s = run();
  ASSERT_EQ(s.size(), 6u);
  for (size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(s[n].r(0, 1), 2 + n % 3);
    EXPECT_EQ(s[n].r(0, 6), 1 + n / 3);
    EXPECT_EQ(s[n].r(0, 7), 7u);
  }
}

TEST_F(Walk, NoGroupsIfAnyDimensionIsEmpty) {
  w.end_x = 1'000'000;
  w.start_y = 4, w.end_y = 4;
  EXPECT_TRUE(run().empty());
  w.indirect = true;
  EXPECT_TRUE(run({3, 0, 1}).empty());
}

TEST_F(Walk, TakesIndirectDimensions) {
  w.indirect = true;
  w.end_x = 100;
  EXPECT_EQ(run({3, 2, 1}).size(), 6u);
}

TEST_F(Walk, MasksTheRightAndTheBottomThreads) {
  w.width = 2, w.height = 1, w.simd = 1;
  w.right_mask = 0x0FFF, w.bottom_mask = 0xF0FF;
  const std::vector<Started> s = run();
  ASSERT_EQ(s.size(), 6u);
  const uint32_t expected[] = {0xFFFF, 0xFFFF, 0x0FFF, 0xF0FF, 0xF0FF, 0x00FF};
  for (size_t n = 0; n < 6; ++n) EXPECT_EQ(s[n].mask, expected[n]) << n;
}

TEST_F(Walk, HeaderTellsScratchSamplersAndFftid) {
  b.state.vfe->scratch_size = 2;
  b.state.vfe->scratch_base = 0xFFF1B000;
  b.state.vfe->stack_size = 3;
  b.put_descriptor(0, {0, 0, 0, 0x120 | 1 << 2, 0x40, 0, 1, 0});
  w.end_x = 50;
  std::set<uint32_t> fftids;
  for (const Started& s : run()) {
    EXPECT_EQ(s.r(0, 3), 0x122u);
    EXPECT_EQ(s.r(0, 4), 0x43u);
    const uint32_t fftid = s.r(0, 5) & 0x1FF;
    EXPECT_LE(fftid, 167u);
    EXPECT_EQ(s.r(0, 5) & ~0x3FFu, 0xFFF1B000 + (fftid << 12));
    EXPECT_EQ(s.sampler_table, 0x120u);
  }
}

TEST_F(Walk, ControlRegisterComesFromTheDescriptor) {
  b.put_descriptor(0, {0, 0, 1 << 16 | 1 << 18, 0, 0, 0, 1 | 2 << 22, 0});
  ASSERT_EQ(run().size(), 1u);
  EXPECT_EQ(b.kept.started[0].cr0, uint32_t(eu::cr_alt_mode | eu::cr_spf | 2u << eu::cr_rounding_shift));
}

TEST_F(Walk, ChoosesTheDescriptor) {
  b.put_recording_kernel(0x200, 1);
  b.put_descriptor(3, {0x200, 0, 0, 0, 0x60, 0, 1, 0});
  w.descriptor = 3;
  ASSERT_EQ(run().size(), 1u);
  EXPECT_EQ(b.kept.started[0].binding_table, 0x60u);
  w.descriptor = 4;
  EXPECT_EQ(refusal(), "interface descriptor 4 is not loaded (128 bytes are)");
}

TEST_F(Walk, WhatWasNotLoadedOfTheConstantsIsZero) {
  b.put_recording_kernel(0, 3);
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0x00020001, 1, 0});
  b.put_curbe(0, std::vector<uint32_t>(32, 0x77));
  b.state.curbe.length = 64;
  ASSERT_EQ(run().size(), 1u);
  EXPECT_EQ(b.kept.started[0].r(1, 0), 0x77u);
  EXPECT_EQ(b.kept.started[0].r(2, 0), 0u);
}

TEST_F(Walk, RefusesWhatIsReserved) {
  w.simd = 3;
  EXPECT_EQ(refusal(), "reserved SIMD size in GPGPU_WALKER");
  w.simd = 0;
  b.put_descriptor(0, {0, 0, 0, 0, 0, 200u << 16, 1, 0});
  EXPECT_EQ(refusal(), "a payload of 201 registers");
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0, 1 | 9 << 16, 0});
  EXPECT_EQ(refusal(), "reserved shared local memory size 9 in the interface descriptor");
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0, 1 | 1 << 15, 0});
  EXPECT_EQ(refusal(), "unsupported: global barrier");
  b.put_descriptor(0, {0, 0, 0, 0, 0, 0, 1, 0});
  w.width = w.height = 63;
  EXPECT_NE(refusal().find("a thread group of more threads than a subslice has"), std::string::npos);
  b.state.vfe.reset();
  EXPECT_EQ(refusal(), "threads are dispatched before MEDIA_VFE_STATE");
}

TEST_F(Walk, AFaultNamesThreadAndInstruction) {
  b.put_kernel(0, "(W) send (8|M0) null r0 0xE 0x02000000\n" + dispatch::testing::end());
  const Outcome o = walk(b.state, b.around, w, {});
  ASSERT_FALSE(o);
  ASSERT_TRUE(o.error().thread);
  EXPECT_NE(o.error().text().find("thread 0 of group 0: "), std::string::npos) << o.error().text();
  EXPECT_EQ(o.error().ip, 0u);
  EXPECT_EQ(o.error().instruction.find("(W) send"), 0u) << o.error().instruction;
}

TEST_F(Walk, SeesARewrittenKernel) {
  ASSERT_EQ(run().size(), 1u);
  b.put_recording_kernel(0, 2);
  b.around.prepared.kernel_is_current = false;  // as after any command that could have done that
  ASSERT_EQ(run().size(), 2u);
  EXPECT_EQ(b.kept.started[1].registers.size(), 16u);
  EXPECT_EQ(b.programs.kernels(), 2u);
}

TEST(MediaTraits, DecodeSharedLocalMemorySizes) {
  for (auto [code, bytes] : std::initializer_list<std::pair<uint32_t, uint32_t>>{
           {0, 0}, {1, 4096}, {2, 8192}, {4, 16384}, {8, 32768}, {16, 65536}})
    EXPECT_EQ(traits_gen8.slm_bytes(code), bytes);
  EXPECT_FALSE(traits_gen8.slm_bytes(3));
  EXPECT_FALSE(traits_gen8.slm_bytes(17));
  for (uint32_t code = 1; code <= 7; ++code) EXPECT_EQ(traits_gen9.slm_bytes(code), 512u << code);
  EXPECT_EQ(traits_gen9.slm_bytes(0), 0u);
  EXPECT_FALSE(traits_gen9.slm_bytes(8));
  EXPECT_FALSE(traits_gen6.slm_bytes(1));
}

}  // namespace
}  // namespace vitro::media
