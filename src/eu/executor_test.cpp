// Programs of a few instructions, on every generation: arithmetic, masks, flow, indirect registers, faults.
#include <cmath>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

using Floats = std::vector<float>;
using Dwords = std::vector<int32_t>;

class EveryGeneration : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
const isa::Model* gen6() { return &gen::gen6(); }
const isa::Model* gen8() { return &gen::gen8(); }
const isa::Model* gen9() { return &gen::gen9(); }
INSTANTIATE_TEST_SUITE_P(All, EveryGeneration, testing::Values(&gen6, &gen8, &gen9));

TEST_P(EveryGeneration, AddsFloats) {
  Bench b(model());
  b.fill<float>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  b.fill<float>(3, {10, 20, 30, 40, 50, 60, 70, 80});
  b.run("add (8|M0) r4.0<1>:f r2.0<8;8,1>:f -r3.0<8;8,1>:f");
  EXPECT_EQ(b.status, Status::ended);
  EXPECT_EQ(b.lanes<float>(4, 8), (Floats{-9, -18, -27, -36, -45, -54, -63, -72}));
}

// T15, T16: regions by the address generator of RG-01.
TEST_P(EveryGeneration, T15_T16_Regions) {
  Bench b(model());
  std::vector<int16_t> words(32);
  for (int n = 0; n < 32; ++n) words[size_t(n)] = int16_t(n);
  b.fill<int16_t>(4, words);
  b.run("mov (16|M0) r10.0<1>:w r4.1<16;8,2>:w\nmov (16|M0) r11.0<1>:w r4.0<1;8,2>:w");
  std::vector<int16_t> first, second;
  for (int n = 0; n < 16; ++n) {
    first.push_back(int16_t(n < 8 ? 1 + 2 * n : 17 + 2 * (n - 8)));
    second.push_back(int16_t(n < 8 ? 2 * n : 1 + 2 * (n - 8)));
  }
  EXPECT_EQ(b.lanes<int16_t>(10, 16), first);
  EXPECT_EQ(b.lanes<int16_t>(11, 16), second);
}

// T02: a packed vector of signed nibbles.
TEST_P(EveryGeneration, T02_VectorImmediate) {
  Bench b(model());
  b.run("mov (8|M0) r3.0<1>:d 0x76543210:v\nmov (8|M0) r4.0<1>:d 0xFEDCBA98:v");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{-8, -7, -6, -5, -4, -3, -2, -1}));
}

// Narrower than eight channels, dwords read the word that stands where they go: what IGC relies on.
TEST_P(EveryGeneration, T02_VectorImmediateOfFewDwords) {
  Bench b(model());
  b.run("mov (4|M0) r3.0<1>:d 0x8080400:v\nmov (2|M0) r4.0<1>:d 0x400:v\nmov (4|M0) r5.0<1>:w 0x7531:v");
  EXPECT_EQ(b.lanes<int32_t>(3, 4), (Dwords{0, 4, -8, -8}));
  EXPECT_EQ(b.lanes<int32_t>(4, 2), (Dwords{0, 4}));
  EXPECT_EQ(b.lanes<int16_t>(5, 4), (std::vector<int16_t>{1, 3, 5, 7}));
}

// T07, T08: Align16 with swizzles and a write mask; channel 3 of each group stays.
TEST_P(EveryGeneration, T07_Align16WritesOnlyEnabledChannels) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {1, 2, 3, 4, 10, 20, 30, 40});
  b.fill<float>(3, {-1, -1, -1, -1, -1, -1, -1, -1});
  b.run("(W) add (4|M0) r3.0<1>.xyz:f r2.0<4>.yzwx:f r2.4<4>.zwxy:f {Align16}");
  EXPECT_EQ(b.lanes<float>(3, 8), (Floats{32, 43, 14, -1, -1, -1, -1, -1}));
}

// T24: a swizzle over two groups of four.
TEST_P(EveryGeneration, T24_Swizzle) {
  Bench b(model(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  b.run("mov (8|M0) r3.0<1>.xyzw:d r2.0<4>.zywz:d {Align16}");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{2, 1, 3, 2, 6, 5, 7, 6}));
}

// T08: the same in two groups; channels that were not dispatched keep their values.
TEST_P(EveryGeneration, T08_DispatchMask) {
  for (uint32_t channels : {0xFFu, 0x0Fu}) {
    Bench b(model(), channels);
    b.fill<float>(2, {1, 2, 3, 4, 10, 20, 30, 40});
    b.run("add (8|M0) r3.0<1>.xyz:f r2.0<4>.xyzw:f r2.0<4>.xyzw:f {Align16}");
    const float high = channels == 0xFF ? 1.0f : 0.0f;
    EXPECT_EQ(b.lanes<float>(3, 8), (Floats{2, 4, 6, 0, 20 * high, 40 * high, 60 * high, 0}));
  }
}

// T09: vertical stride 0 shares a constant between the groups.
TEST_P(EveryGeneration, T09_SharedConstant) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  b.run("mov (8|M0) r3.0<1>.xyzw:f r2.0<0>.xyzw:f {Align16}");
  EXPECT_EQ(b.lanes<float>(3, 8), (Floats{1, 2, 3, 4, 1, 2, 3, 4}));
}

// T10, T11: sixteen channels in one instruction, or eight and the second half; scalars repeat.
TEST_P(EveryGeneration, T10_T11_SixteenChannels) {
  Bench whole(model()), halves(model());
  for (Bench* b : {&whole, &halves})
    for (int n = 0; n < 16; ++n) {
      b->set(2 + n / 8, n % 8, float(n));
      b->set(4 + n / 8, n % 8, float(100 * n));
    }
  whole.run("add (16|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\nmov (16|M0) r8.0<1>:f r2.3<0;1,0>:f");
  halves.run(
      "add (8|M0) r6.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n"
      "add (8) r7.0<1>:f r3.0<8;8,1>:f r5.0<8;8,1>:f {SecHalf}\n"
      "mov (8|M0) r8.0<1>:f r2.3<0;1,0>:f\n"
      "mov (8|M8) r9.0<1>:f r2.3<0;1,0>:f");
  EXPECT_EQ(whole.lanes<float>(6, 16), halves.lanes<float>(6, 16));
  EXPECT_EQ(whole.lanes<float>(8, 16), halves.lanes<float>(8, 16));
  EXPECT_EQ(whole.get<float>(7, 7), 1515.0f);
  EXPECT_EQ(whole.get<float>(9, 7), 3.0f);
}

TEST_P(EveryGeneration, ComparisonsSetFlagsOfActiveChannels) {
  Bench b(model(), 0x0F);
  b.fill<int32_t>(2, {5, -5, 5, -5, 5, -5, 5, -5});
  b.thread.flag[0] = 0xF0;
  b.run("cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 0:w");
  EXPECT_EQ(b.thread.flag[0], 0xF5u);
}

TEST_P(EveryGeneration, PredicatedMovesAndSelect) {
  Bench b(model());
  b.thread.flag[0] = 0b10100101;
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  b.fill<int32_t>(3, {9, 9, 9, 9, 9, 9, 9, 9});
  b.run(
      "mov (8|M0) r4.0<1>:d r3.0<8;8,1>:d\n"
      "(f0.0) mov (8|M0) r4.0<1>:d r2.0<8;8,1>:d\n"
      "(~f0.0) sel (8|M0) r5.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d");
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{0, 9, 2, 9, 9, 5, 9, 7}));
  EXPECT_EQ(b.lanes<int32_t>(5, 8), (Dwords{9, 1, 9, 3, 4, 9, 6, 9}));
}

// T36: both sides of an if run, each for its channels.
TEST_P(EveryGeneration, T36_I_if_I_else_I_endif_BothSides) {
  Bench b(model(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  const bool old = model().mrf_count != 0;
  b.run(std::string("cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\n") +
        (old ? "(f0.0) if (8|M0) ELSE_PART\n" : "(f0.0) if (8|M0) ELSE_PART END\n") +
        "add (8|M0) r3.0<1>:d r2.0<8;8,1>:d 100:w\n" + (old ? "else (8|M0) END\n" : "else (8|M0) END END\n") +
        "ELSE_PART: add (8|M0) r3.0<1>:d r2.0<8;8,1>:d 200:w\n"
        "END: endif (8|M0) AFTER\n"
        "AFTER: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{101, 102, 103, 204, 205, 206, 207, 208}));
}

// A divergent loop: channel n runs n + 1 times; a break leaves early for one of them.
TEST_P(EveryGeneration, T40_I_while_I_break_DivergentLoop) {
  Bench b(model(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  const bool old = model().mrf_count != 0;
  b.run(std::string("mov (8|M0) r3.0<1>:d 0:w\n"
                    "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
                    "cmp (8|M0) (eq)f0.1 null<1>:d r3.0<8;8,1>:d 5:w\n"
                    "(f0.1) break (8|M0) END ") +
        (old ? "OUT\n" : "END\n") +
        "cmp (8|M0) (le)f0.0 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "END: (f0.0) while (8|M0) LOOP\n"
        "OUT: add (8|M0) r4.0<1>:d r3.0<8;8,1>:d 1000:w");
  EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 2, 3, 4, 5, 5, 5, 5}));
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{1001, 1002, 1003, 1004, 1005, 1005, 1005, 1005}));
}

// cont skips the rest of the body for its channels, which come back at the while.
TEST_P(EveryGeneration, T40_I_cont_SkipsTheRestOfTheBody) {
  Bench b(model(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  b.run(
      "mov (8|M0) r3.0<1>:d 0:w\n"
      "mov (8|M0) r4.0<1>:d 0:w\n"
      "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
      "cmp (8|M0) (gt)f0.1 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
      "(f0.1) cont (8|M0) END END\n"
      "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 10:w\n"
      "END: cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d 5:w\n"
      "(f0.0) while (8|M0) LOOP");
  EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{0, 10, 20, 30, 40, 50, 50, 50}));
}

// halt takes channels to the end of the program; the others go on.
TEST_P(EveryGeneration, I_halt_LeavesForTheEnd) {
  Bench b(model(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  b.run(
      "mov (8|M0) r3.0<1>:d 1:w\n"
      "cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\n"
      "(f0.0) halt (8|M0) END END\n"
      "mov (8|M0) r3.0<1>:d 2:w\n"
      "END: halt (8|M0) AFTER AFTER\n"
      "AFTER: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 100:w");
  EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{101, 101, 101, 102, 102, 102, 102, 102}));
}

// Gen6: a branch with a comparison of its own; case works as if.
TEST(Executor, I_case_ComparesBySelf) {
  for (const char* branch : {"if", "case"}) {
    Bench b(gen::gen6(), 0xFF);
    b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
    b.run(std::string("mov (8|M0) r3.0<1>:d 1:w\n") + branch +
          " (8|M0) (ge)f0.0 r2.0<8;8,1>:d r2.4<0;1,0>:d END\n"
          "mov (8|M0) r3.0<1>:d 2:w\n"
          "END: endif (8|M0) AFTER\n"
          "AFTER: nop");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 1, 1, 1, 2, 2, 2, 2})) << branch;
    EXPECT_EQ(b.thread.flag[0], 0u);
  }
}

// T41: a jump table, jmpi by a register.
TEST_P(EveryGeneration, T41_JumpTable) {
  for (int index = 0; index < 4; ++index) {
    Bench b(model(), 0xFF);
    b.set<int32_t>(2, 0, index * 32 / model().jump_unit);
    b.run(
        "(W) jmpi r2.0<0;1,0>:d\n"
        "mov (8|M0) r3.0<1>:d 10:w\n(W) jmpi OUT\n"
        "mov (8|M0) r3.0<1>:d 11:w\n(W) jmpi OUT\n"
        "mov (8|M0) r3.0<1>:d 12:w\n(W) jmpi OUT\n"
        "mov (8|M0) r3.0<1>:d 13:w\n"
        "OUT: nop");
    EXPECT_EQ(b.get<int32_t>(3, 0), 10 + index);
  }
}

// T28: mul, mach and mov make a 64-bit product.
TEST_P(EveryGeneration, T28_SixtyFourBitProduct) {
  const int32_t pairs[][2] = {{-5, 7}, {0x12345678, -0x7FFFFFFF}, {INT32_MIN, INT32_MIN}, {-1, -1}};
  for (const auto& [x, y] : pairs) {
    Bench b(model(), 0xFF);
    for (int n = 0; n < 8; ++n) b.set(2, n, x), b.set(3, n, y);
    const bool old = model().mrf_count != 0;
    b.run(std::string(old ? "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
                          : "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw\n") +
          "mach (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n"
          "mov (8|M0) r5.0<1>:d acc0.0<8;8,1>:d");
    const int64_t product = int64_t(x) * y;
    EXPECT_EQ(b.get<int32_t>(4, 3), int32_t(product >> 32)) << x << " * " << y;
    EXPECT_EQ(b.get<int32_t>(5, 3), int32_t(product)) << x << " * " << y;
  }
}

// Dwords have one accumulator: whichever channels follow, IGC leaves the first half of a product in its eight slots.
TEST_P(EveryGeneration, DwordsOfEveryQuarterUseTheFirstAccumulator) {
  for (const char* quarter : {"M8", "M16", "M24"}) {
    Bench b(model(), ~0u);
    for (int n = 0; n < 8; ++n) b.set(2, n, 0x12345678 + n), b.set(3, n, -0x7FFFFFFF + n);
    const bool old = model().mrf_count != 0;
    b.run(std::string(old ? "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n"
                          : "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw\n") +
          "mach (8|" + quarter + ") r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\n" +
          "mov (8|M0) r5.0<1>:d acc0.0<8;8,1>:d");
    for (int n = 0; n < 8; ++n) {
      const int64_t product = int64_t(0x12345678 + n) * (-0x7FFFFFFF + n);
      EXPECT_EQ(b.get<int32_t>(4, n), int32_t(product >> 32)) << quarter << ", channel " << n;
      EXPECT_EQ(b.get<int32_t>(5, n), int32_t(product)) << quarter << ", channel " << n;
    }
  }
}
// Floats have two: each eighth of channels multiplies into its own.
TEST_P(EveryGeneration, FloatsOfTheSecondQuarterUseTheSecondAccumulator) {
  Bench b(model(), 0xFFFF);
  b.fill<float>(2, {1, 2, 3, 4, 5, 6, 7, 8});
  b.run(
      "mul (8|M0) r3.0<1>:f r2.0<8;8,1>:f r2.0<8;8,1>:f {AccWrEn}\n"
      "mul (8|M8) r4.0<1>:f r2.0<8;8,1>:f 2.0:f {AccWrEn}\n"
      "mac (8|M0) r5.0<1>:f r2.0<8;8,1>:f 1.0:f\n"
      "mac (8|M8) r6.0<1>:f r2.0<8;8,1>:f 1.0:f");
  EXPECT_EQ(b.lanes<float>(5, 8), (Floats{2, 6, 12, 20, 30, 42, 56, 72}));
  EXPECT_EQ(b.lanes<float>(6, 8), (Floats{3, 6, 9, 12, 15, 18, 21, 24}));
}

// Which bits of a descriptor come from a0.0: bits 29 and 30 say to the sampler how it answers. Gen6 has none there,
// Gen8 has no other place for them, Gen9 takes them from the instruction.
TEST(Executor, DescriptorInARegister) {
  const auto descriptor = [](const isa::Model& m, const std::string& beside) {
    Bench b(m, 0xFF);
    uint32_t seen = 0;
    b.functions[2] = {[](void* to, Thread&, Message& message, std::string&) {
                        *static_cast<uint32_t*>(to) = message.desc;
                        return Reply::done;
                      },
                      &seen};
    b.run("(W) mov (1|M0) a0.0<1>:ud 0xE2100123:ud\nsend (8|M0) r10 " + std::string(m.mrf_count ? "m1" : "r2") +
          " 0x2 a0.0" + beside);
    EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    return seen;
  };
  EXPECT_EQ(descriptor(gen::gen6(), ""), 0x02100123u);
  EXPECT_EQ(descriptor(gen::gen8(), ""), 0x62100123u);
  EXPECT_EQ(descriptor(gen::gen9(), ""), 0x02100123u);
  EXPECT_EQ(descriptor(gen::gen9(), "|0x40000000"), 0x42100123u);
}

TEST_P(EveryGeneration, IndirectRegisters) {
  Bench b(model(), 0xFF);
  for (int n = 0; n < 16; ++n) b.set(10 + n / 8, n % 8, n);
  for (int n = 0; n < 8; ++n) b.thread.a0[size_t(n)] = uint16_t(10 * 32 + 4 * (15 - n));
  b.run(
      "mov (8|M0) r20.0<1>:d r[a0.0]<1,0>:d\n"        // VxH: one address a channel
      "mov (8|M0) r21.0<1>:d r[a0.7,-32]<8;8,1>:d\n"  // 1x1
      "(W) mov (1|M0) a0.0<1>:uw 704:uw\n"
      "mov (8|M0) r[a0.0]<1>:d r10.0<8;8,1>:d");
  EXPECT_EQ(b.lanes<int32_t>(20, 8), (Dwords{15, 14, 13, 12, 11, 10, 9, 8}));
  EXPECT_EQ(b.lanes<int32_t>(21, 8), (Dwords{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(b.lanes<int32_t>(22, 8), (Dwords{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_P(EveryGeneration, SaturationAndConversion) {
  Bench b(model(), 0xFF);
  b.fill<float>(2, {-1.5f, 0.25f, 1.5f, NAN, 300.7f, -300.7f, 1e20f, -1e20f});
  b.run(
      "mov (8|M0) (sat)r3.0<1>:f r2.0<8;8,1>:f\n"
      "mov (8|M0) r4.0<1>:d r2.0<8;8,1>:f\n"
      "mov (8|M0) (sat)r5.0<4>:ub r4.0<8;8,1>:d\n"
      "mov (8|M0) r6.0<1>:f -r4.0<8;8,1>:d");
  EXPECT_EQ(b.lanes<float>(3, 8), (Floats{0, 0.25f, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{-1, 0, 1, 0, 300, -300, INT32_MAX, INT32_MIN}));
  EXPECT_EQ(b.get<uint8_t>(5, 16), 255);
  EXPECT_EQ(b.get<uint8_t>(5, 20), 0);
  EXPECT_EQ(b.get<float>(6, 7), 2147483648.0f);
}

TEST_P(EveryGeneration, BadProgramsEndInAFaultThatNamesTheInstruction) {
  {
    Bench b(model());
    b.run_as_is("nop\nmov (8|M0) r1.0<1>:d 0:w");
    ASSERT_TRUE(b.fault);
    EXPECT_EQ(b.fault->reason, "the program ran off its end");
    EXPECT_EQ(b.fault->ip, 32u);
  }
  {
    Bench b(model());
    b.thread.a0[0] = 4096;
    b.run("mov (8|M0) r1.0<1>:d r[a0.0]<8;8,1>:d");
    ASSERT_TRUE(b.fault);
    EXPECT_EQ(b.fault->ip, 0u);
    EXPECT_NE(b.fault->reason.find("the address 4096"), std::string::npos) << b.fault->reason;
    EXPECT_NE(b.fault->instruction.find("r[a0.0]"), std::string::npos);
  }
  {
    Bench b(model());
    b.run_as_is(model().mrf_count ? "send (8|M0) null m1 0x5 0x02000000" : "send (8|M0) null r1 0x5 0x02000000");
    ASSERT_TRUE(b.fault);
    EXPECT_EQ(b.fault->reason, "message to an absent shared function (SFID 5)");
  }
  {
    Bench b(model());
    b.run_as_is("illegal");
    ASSERT_TRUE(b.fault);
    EXPECT_EQ(b.fault->reason, "the program ran off its end");
  }
}

TEST_P(EveryGeneration, I_wait_WithoutNotificationWaits) {
  Bench b(model());
  b.run("wait n0.0<0;1,0>:ud");
  EXPECT_EQ(b.status, Status::waiting);
  b.thread.notify[0] = 1;
  b.run("wait n0.0<0;1,0>:ud");
  EXPECT_EQ(b.status, Status::ended);
  EXPECT_EQ(b.thread.notify[0], 0u);
}

TEST(Executor, GotoJoin) {
  Bench b(gen::gen9(), 0xFF);
  b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  b.run(
      "cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\n"
      "(~f0.0) goto (8|M0) FAR FAR\n"  // channels the predicate leaves out jump
      "mov (8|M0) r3.0<1>:d 200:w\n"
      "(f1.0) goto (8|M0) FAR DONE\n"
      "FAR: join (8|M0) DONE\n"
      "mov (8|M0) r3.0<1>:d 100:w\n"
      "DONE: join (8|M0) NEXT\n"
      "NEXT: nop");
  EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{100, 100, 100, 200, 200, 200, 200, 200}));
}

TEST(Executor, CallAndReturn) {
  Bench b(gen::gen9(), 0xFF);
  b.run_as_is(
      "call (8|M0) r5.0 F\n"
      "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
      "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
      "F: mov (8|M0) r3.0<1>:d 41:w\n"
      "ret (8|M0) r5.0");
  EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.get<int32_t>(3, 7), 42);
}

}  // namespace
}  // namespace vitro::eu
