// Batch levels, chains, conditional ends, and the commands that change only the streamer itself. PRM: Gen8 vol 2a.
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at, other = Bench::batch_at + 0x4000, third = Bench::batch_at + 0x8000;

TEST(Mi, MI_NOOP_WritesItsIdOnlyIfAsked) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x00000123}, end()})));
    EXPECT_EQ(b.reg(0x2094), 0u);
    ASSERT_RUNS(b.run(join({{0x00400123}, end()})));
    EXPECT_EQ(b.reg(0x2094), 0x123u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_END_EndsTheBatch) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({sdi(data, 1), end(), sdi(data, 2), end()})));
    EXPECT_EQ(b.at(data), 1u);
    EXPECT_EQ(b.counts.commands["MI_BATCH_BUFFER_END"], 1u);
    EXPECT_EQ(b.counts.commands["MI_STORE_DATA_IMM"], 1u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_ChainDoesNotReturn) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data, 7), end()}));
    ASSERT_RUNS(b.run(join({bbs(other), sdi(data + 4, 8), end()})));
    EXPECT_EQ(b.at(data), 7u);
    EXPECT_EQ(b.at(data + 4), 0u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_Gen6Chain) {
  Bench b(commands_gen6);
  b.place(other, join({sdi_gen6(data, 7), end()}));
  ASSERT_RUNS(b.run(join({{0x18800100, uint32_t(other)}, end()})));
  EXPECT_EQ(b.at(data), 7u);
}

TEST(Mi, MI_BATCH_BUFFER_START_SecondLevelReturns) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data, 7), end()}));
    ASSERT_RUNS(b.run(join({bbs(other, 1 << 8 | second_level), sdi(data + 4, 8), end()})));
    EXPECT_EQ(b.at(data), 7u);
    EXPECT_EQ(b.at(data + 4), 8u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_SecondLevelChainsWithinItself) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({bbs(third, 1 << 8 | second_level), sdi(data, 99), end()}));
    b.place(third, join({sdi(data + 4, 8), end()}));
    ASSERT_RUNS(b.run(join({bbs(other, 1 << 8 | second_level), sdi(data + 8, 9), end()})));
    EXPECT_EQ(b.at(data), 0u);
    EXPECT_EQ(b.at(data + 4), 8u);
    EXPECT_EQ(b.at(data + 8), 9u);
  }
}

// There is no stack: a jump of the first level forgets where the second would return to.
TEST(Mi, MI_BATCH_BUFFER_START_FirstLevelOutOfSecond) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, bbs(third));
    b.place(third, join({sdi(data + 4, 8), end()}));
    ASSERT_RUNS(b.run(join({bbs(other, 1 << 8 | second_level), sdi(data + 8, 9), end()})));
    EXPECT_EQ(b.at(data + 4), 8u);
    EXPECT_EQ(b.at(data + 8), 0u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_Predicate) {
  for (const CommandSet* set : later)
    for (const uint32_t result : {0u, 1u}) {
      Bench b(*set);
      b.place(other, join({sdi(data, 7), end()}));
      ASSERT_RUNS(b.run(join({lri(0x241C, result), bbs(other, 1 << 8 | 1 << 15), sdi(data, 8), end()})));
      EXPECT_EQ(b.at(data), result ? 7u : 8u);
    }
}

TEST(Mi, MI_BATCH_BUFFER_START_AddOffset) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data, 7), end()}));
    ASSERT_RUNS(b.run(join({lri(0x2158, 0x4000), bbs(Bench::batch_at, 1 << 8 | 1 << 16)})));
    EXPECT_EQ(b.at(data), 7u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_UserBatchesStayInThePpgtt) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data, 7), end()}));
    ASSERT_RUNS(b.run(bbs(other, 0)));  // asks for the GGTT
    EXPECT_EQ(b.at(data), 7u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_FromTheGgttIntoThePpgttAndBack) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data, 7), end()}));
    ASSERT_RUNS(b.run_privileged(join({bbs(other, 1 << 8 | second_level), sdi(data + 4, 8), end()})));
    EXPECT_EQ(b.at(data), 7u);
    EXPECT_EQ(b.at(data + 4), 8u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_START_ThreeLevelsFromTheRing) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({bbs(third, 1 << 8 | second_level), sdi(data + 4, 2), end()}));
    b.place(third, join({sdi(data, 1), end()}));
    const Dwords ring = join({bbs(other), sdi(data + 8, 3)});
    std::memcpy(b.ggtt_bytes.data(), ring.data(), 4 * ring.size());
    ASSERT_RUNS(b.start({Bench::ggtt_at, true, Level::ring, 4 * ring.size()}));
    EXPECT_EQ(b.at(data), 1u);
    EXPECT_EQ(b.at(data + 4), 2u);
    EXPECT_EQ(b.at(data + 8), 3u);
  }
}

TEST(Mi, MI_BATCH_BUFFER_END_InTheRingIsAFault) {
  Bench b(commands_gen9);
  const Dwords ring = end();
  std::memcpy(b.ggtt_bytes.data(), ring.data(), 4);
  const auto fault = b.start({Bench::ggtt_at, true, Level::ring, 8});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->command, "MI_BATCH_BUFFER_END");
}

// Commands are read when they are executed, not before.
TEST(Mi, MI_STORE_DATA_IMM_RewritesTheBatchItStandsIn) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const uint64_t operand = Bench::batch_at + 4 * (4 + 3);  // of the second store
    ASSERT_RUNS(b.run(join({sdi(operand, 42), sdi(data, 1), end()})));
    EXPECT_EQ(b.at(data), 42u);
  }
}

Dwords conditional_end(uint64_t address, uint32_t value, uint32_t bits = 1 << 21) {
  return {0x1B000002 | bits, value, uint32_t(address), uint32_t(address >> 32)};
}

TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_ContinuesWhileMemoryIsGreater) {
  for (const CommandSet* set : later)
    for (const uint32_t memory : {4u, 5u, 6u}) {
      Bench b(*set);
      b.at(data + 8) = memory;
      ASSERT_RUNS(b.run(join({conditional_end(data + 8, 5), sdi(data, 1), end()})));
      EXPECT_EQ(b.at(data), memory > 5 ? 1u : 0u);
    }
}

TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_Gen6) {
  for (const uint32_t memory : {5u, 6u}) {
    Bench b(commands_gen6);
    b.at(data + 8) = memory;
    ASSERT_RUNS(b.run(join({{0x1B200001, 5, uint32_t(data + 8)}, sdi_gen6(data, 1), end()})));
    EXPECT_EQ(b.at(data), memory > 5 ? 1u : 0u);
  }
}

TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_ComparesUnsigned) {
  Bench b(commands_gen9);
  b.at(data + 8) = 0x80000000;
  ASSERT_RUNS(b.run(join({conditional_end(data + 8, 5), sdi(data, 1), end()})));
  EXPECT_EQ(b.at(data), 1u);
}

TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_WithoutCompareDoesNothing) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({conditional_end(data + 8, 5, 0), sdi(data, 1), end()})));
    EXPECT_EQ(b.at(data), 1u);
  }
}

TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_InLevelTwoEndsTheParentToo) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.place(other, join({sdi(data + 4, 1), conditional_end(data + 8, 0), sdi(data, 1), end()}));
    ASSERT_RUNS(b.run(join({bbs(other, 1 << 8 | second_level), sdi(data, 2), end()})));
    EXPECT_EQ(b.at(data), 0u);
    EXPECT_EQ(b.at(data + 4), 1u);
  }
}

// On Gen8's video engine the qword is mask and data; Gen9 has a bit for that.
TEST(Mi, MI_CONDITIONAL_BATCH_BUFFER_END_Mask) {
  const auto stored = [](const CommandSet& set, commands::Engine engine, uint32_t bits) {
    Bench b(set, engine);
    b.qword_at(data + 8) = 0x00000007'000000F8;  // 7 & 0xF8 is 0; 0xF8 is greater than 5
    EXPECT_FALSE(b.run(join({conditional_end(data + 8, 5, 1 << 21 | bits), sdi(data, 1), end()})));
    return b.at(data);
  };
  EXPECT_EQ(stored(commands_gen8, commands::Engine::video, 0), 0u);
  EXPECT_EQ(stored(commands_gen8, commands::Engine::video_enhance, 0), 1u);
  EXPECT_EQ(stored(commands_gen9, commands::Engine::video, 0), 1u);
  EXPECT_EQ(stored(commands_gen9, commands::Engine::video, 1 << 19), 0u);
  EXPECT_EQ(stored(commands_gen9, commands::Engine::render, 1 << 19), 0u);
}

TEST(Mi, MI_USER_INTERRUPT_Interrupts) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({mi(0x02), mi(0x02), end()})));
    EXPECT_EQ(b.interrupts, 2u);
    EXPECT_EQ(b.counts.interrupts, 2u);
  }
}

// Nothing but the next command shows that these were passed with the right length.
TEST(Mi, MI_ARB_CHECK_MI_SUSPEND_FLUSH_MI_WAIT_FOR_EVENT_MI_RS_CONTEXT_GoOn) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({mi(0x05), mi(0x0B, 1), mi(0x03, 1 << 3), mi(0x0F, 1), sdi(data, 1), end()})));
    EXPECT_EQ(b.at(data), 1u);
    for (const char* name : {"MI_ARB_CHECK", "MI_SUSPEND_FLUSH", "MI_WAIT_FOR_EVENT", "MI_RS_CONTEXT"})
      EXPECT_EQ(b.counts.commands[name], 1u) << name;
  }
}

TEST(Mi, MI_LOAD_SCAN_LINES_INCL_MI_LOAD_SCAN_LINES_EXCL_GoOn) {
  for (const CommandSet* set : every) {
    Bench b(*set, commands::Engine::copy);
    ASSERT_RUNS(b.run(join({mi(0x12, 0, {0x00100020}), mi(0x13, 0, {0x00100020}), {0x00400055}, end()})));
    EXPECT_EQ(b.reg(0x22094), 0x55u);
  }
}

TEST(Mi, MI_FORCE_WAKEUP_GoesOn) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({mi(0x1D, 0, {0x00030003}), sdi(data, 1), end()})));
  EXPECT_EQ(b.at(data), 1u);
}

TEST(Mi, MI_FLUSH_ResetsStatisticsIfAsked) {
  Bench b(commands_gen6);
  b.state.registers.set64(0x2350, 5);
  ASSERT_RUNS(b.run(join({mi(0x04), end()})));
  EXPECT_EQ(b.reg(0x2350), 5u);
  ASSERT_RUNS(b.run(join({mi(0x04, 1 << 3), end()})));
  EXPECT_EQ(b.reg(0x2350), 0u);
}

TEST(Mi, MI_ARB_ON_OFF_IsPrivileged) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({mi(0x08, 0), end()})));
    EXPECT_TRUE(b.state.arbitration);
    EXPECT_EQ(b.counts.privileged["MI_ARB_ON_OFF"], 1u);
    ASSERT_RUNS(b.run_privileged(join({mi(0x08, 0), end()})));
    EXPECT_FALSE(b.state.arbitration);
    ASSERT_RUNS(b.run_privileged(join({mi(0x08, 1), end()})));
    EXPECT_TRUE(b.state.arbitration);
  }
}

TEST(Mi, MI_TOPOLOGY_FILTER_IsKept) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({mi(0x0D, 0x21), end()})));
    EXPECT_EQ(b.state.topology_filter, 0x21);
  }
}

// In a user batch they are NOOPs; elsewhere they would need what is not here.
TEST(Mi, MI_SET_CONTEXT_MI_DISPLAY_FLIP_MI_UPDATE_GTT_ArePrivileged) {
  struct Case {
    const char* name;
    Dwords command;
  };
  const Case cases[] = {{"MI_SET_CONTEXT", mi(0x18, 0, {0x100})},
                        {"MI_DISPLAY_FLIP", mi(0x14, 0, {0x40, 0x1000})},
                        {"MI_UPDATE_GTT", mi(0x23, 0, {0x1000, 1, 0})}};
  for (const CommandSet* set : every)
    for (const Case& c : cases) {
      Bench b(*set);
      ASSERT_RUNS(b.run(join({c.command, {0x00400077}, end()})));
      EXPECT_EQ(b.reg(0x2094), 0x77u) << c.name;
      EXPECT_EQ(b.counts.privileged[c.name], 1u);
      const auto fault = b.run_privileged(join({c.command, end()}));
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->reason, std::string("unsupported: ") + c.name);
      EXPECT_EQ(b.counts.unsupported[c.name], 1u);
    }
}

}  // namespace
}  // namespace vitro::streamer
