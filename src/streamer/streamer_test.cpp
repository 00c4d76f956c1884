// What goes wrong in batches and what is said about it; state of fixed functions that is kept; commands as text.
// PRM: Gen8 vol 2a.
#include "base/random.h"
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;

TEST(Streamer, InvalidCommandIsAFaultWithItsPlace) {
  for (const CommandSet* set : every)
    for (const uint32_t header : {0x20000000u, 0xFFFFFFFFu, 0x1F000000u, 0x7FFF0000u, 0x5FC00000u, 0x80000000u}) {
      Bench b(*set);
      const auto fault = b.run({0, 0, header});
      ASSERT_TRUE(fault) << std::hex << header;
      EXPECT_EQ(fault->address, Bench::batch_at + 8);
      EXPECT_EQ(fault->batch_offset, 8u);
      EXPECT_EQ(fault->command, "");
      EXPECT_EQ(fault->reason.rfind("invalid command 0x", 0), 0u) << fault->reason;
    }
}

TEST(Streamer, OffsetCountsFromTheBatchTheCommandStandsIn) {
  Bench b(commands_gen9);
  constexpr uint64_t other = Bench::batch_at + 0x4000;
  b.place(other, {0, 0, 0, 0xFFFFFFFF});
  const auto fault = b.run(bbs(other));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->address, other + 12);
  EXPECT_EQ(fault->batch_offset, 12u);
}

TEST(Streamer, CommandsOfOtherEnginesAreFaultsThatNameThem) {
  struct Case {
    commands::Engine engine;
    Dwords command;
    const char* name;
  };
  const Case cases[] = {
      {commands::Engine::copy, mi(0x0C), "MI_PREDICATE"},
      {commands::Engine::copy, {0x7A000004, 0, 0, 0, 0, 0}, "PIPE_CONTROL"},
      {commands::Engine::render, {0x13000003, 0, 0, 0, 0}, "MI_FLUSH_DW"},
      {commands::Engine::render, {0x54F00008, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "XY_SRC_COPY_BLT"},
      {commands::Engine::video, {0x78300000, 0}, "3DSTATE_URB_VS"},
      {commands::Engine::video_enhance, mi(0x03), "MI_WAIT_FOR_EVENT"},
  };
  for (const CommandSet* set : later)
    for (const Case& c : cases) {
      Bench b(*set, c.engine);
      const auto fault = b.run(join({c.command, end()}));
      ASSERT_TRUE(fault) << c.name;
      EXPECT_EQ(fault->reason, std::string(c.name) + " is no command of the " +
                                   std::string(commands::engine_names[size_t(c.engine)]) + " engine");
    }
}

TEST(Streamer, CommandsOfLaterGenerationsAreInvalid) {
  for (const Dwords& command : {mi(0x1A, 0, {0}), mi(0x0C), mi(0x2F, 0x500, {0, 0}), mi(0x29, 0, {0, 0, 0})}) {
    Bench b(commands_gen6);
    const auto fault = b.run(join({command, end()}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason.rfind("invalid command", 0), 0u);
  }
}

TEST(Streamer, TruncatedCommandIsAFault) {
  Bench b(commands_gen9);
  const uint64_t last = Bench::batch_at + Bench::bytes - 8;
  b.place(last, {0x10000002, uint32_t(data)});
  const auto fault = b.run(bbs(last));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->command, "MI_STORE_DATA_IMM");
  EXPECT_EQ(fault->reason.rfind("truncated", 0), 0u) << fault->reason;
}

TEST(Streamer, CommandsMayCrossRanges) {
  Bench b(commands_gen9);
  std::vector<std::byte> more(0x1000);
  const uint64_t seam = Bench::batch_at + Bench::bytes;
  b.ppgtt_space.bind(std::vector<memory::Range>{{seam, more.size(), more.data()}});
  const Dwords store = join({sdi(data, 5), end()});
  b.place(seam - 8, {store[0], store[1]});
  std::memcpy(more.data(), &store[2], 12);
  ASSERT_RUNS(b.run(bbs(seam - 8)));
  EXPECT_EQ(b.at(data), 5u);
}

TEST(Streamer, UnmappedBatchIsAFault) {
  Bench b(commands_gen9);
  const auto fault = b.start({0x7000'0000});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->address, 0x7000'0000u);
  EXPECT_NE(fault->reason.find("no memory"), std::string::npos);
  // Also where it runs on without an end.
  Bench c(commands_gen9);
  const auto end_of_memory = c.run(Dwords(16, 0));
  ASSERT_TRUE(end_of_memory);
  EXPECT_EQ(end_of_memory->address, Bench::batch_at + Bench::bytes);
}

TEST(Streamer, EndlessLoopHangs) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const auto fault = b.run(join({{0}, bbs(Bench::batch_at)}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason.rfind("hung", 0), 0u);
  }
}

TEST(Streamer, BatchesCanBeAbandoned) {
  Bench b(commands_gen9);
  b.command_budget = ~0ull;
  int asked = 0;
  b.stop = [&] { return ++asked == 4; };
  const auto fault = b.run(join({{0}, bbs(Bench::batch_at)}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "abandoned");
}

TEST(Streamer, MissesCountAndAreFaultsInStrictMode) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({sdi(0x7000'0000, 5), sdi(data, 1), end()})));
  EXPECT_EQ(b.at(data), 1u);
  b.strict = true;
  const auto fault = b.run(join({sdi(0x7000'0000, 5), end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->command, "MI_STORE_DATA_IMM");
  EXPECT_NE(fault->reason.find("0x70000000"), std::string::npos) << fault->reason;
}

TEST(Streamer, WorkOfMissingFunctionsIsUnsupportedByName) {
  struct Case {
    commands::Engine engine;
    Dwords command;
    const char* name;
  };
  const Case cases[] = {
      {commands::Engine::render, {0x7B000005, 0, 0, 0, 0, 0, 0}, "3DPRIMITIVE"},
      {commands::Engine::render, {0x78520003, 1u << 30, 0, 0, 0}, "3DSTATE_WM_HZ_OP"},
      {commands::Engine::video, {0x71280004, 0, 0, 0, 0, 0}, "MFD_AVC_BSD_OBJECT"},
      {commands::Engine::video_enhance, Dwords{0x74030012}, "VEB_DI_IECP"},
  };
  for (const CommandSet* set : later)
    for (const Case& c : cases) {
      Bench b(*set, c.engine);
      Dwords batch = c.command;
      batch.resize(64);
      const auto fault = b.run(batch);
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->reason, std::string("unsupported: ") + c.name);
      EXPECT_EQ(fault->command, c.name);
      EXPECT_EQ(b.counts.unsupported[c.name], 1u);
    }
}

TEST(Streamer, Gen6WorkOfMissingFunctionsIsUnsupportedByName) {
  Bench b(commands_gen6);
  const auto fault = b.run(join({mi(0x28, 0, {uint32_t(data), 5}), end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "unsupported: MI_REPORT_PERF_COUNT");
}

TEST(Streamer, StateOfFixedFunctionsSurvivesBatches) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x78300000, 0x11}, {0x680B0001}, {0x78300000, 0x22}, end()})));
    ASSERT_RUNS(b.run(end()));
    EXPECT_EQ(b.state.three_d.urb[0].number_of_urb_entries, 0x22);
    EXPECT_TRUE(b.state.three_d.vf_statistics.statistics_enable);
  }
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({{0x78050001, 1, 2}, end()})));
  EXPECT_EQ(b.state.packets["3DSTATE_URB"], (Dwords{0x78050001, 1, 2}));
}

// One header means different commands to different engines.
TEST(Streamer, EnginesReadTheSameHeaderDifferently) {
  Bench b(commands_gen9, commands::Engine::video);
  ASSERT_RUNS(b.run(join({{0x70000003, 1, 2, 3, 4}, end()})));
  EXPECT_EQ(b.state.packets["MFX_PIPE_MODE_SELECT"].size(), 5u);
  EXPECT_EQ(commands_gen9.find(0x70000003, commands::Engine::render)->name, "MEDIA_VFE_STATE");
}

TEST(Streamer, EveryRowIsFoundByItsHeader) {
  for (const CommandSet* set : every)
    for (const Row& row : set->rows()) {
      EXPECT_EQ(row.mask, commands::header_mask(row.header)) << row.name;
      EXPECT_EQ(row.header & ~row.mask, 0u) << row.name;
      for (size_t engine = 0; engine < commands::engine_count; ++engine) {
        const Row* found = set->find(row.header | 0x2, commands::Engine(engine));
        if (row.engines >> engine & 1) {
          ASSERT_TRUE(found) << row.name;
          EXPECT_EQ(found->name, row.name);
        } else if (found) {
          EXPECT_NE(found, &row);
        }
      }
    }
}

TEST(Streamer, DescribesCommands) {
  EXPECT_EQ(describe(commands_gen9, mi(0x0A)), "MI_BATCH_BUFFER_END");
  EXPECT_EQ(describe(commands_gen9, mi(0x0C, 3 << 6 | 2)),
            "MI_PREDICATE: Compare Operation = SRCS_EQUAL (2), Load Operation = LOADINV (3)");
  EXPECT_EQ(describe(commands_gen9, lri(0x2600, 5)),
            "MI_LOAD_REGISTER_IMM: {Register Offset = CS_GPR (0x2600), Data DWord = 0x5}");
  EXPECT_EQ(describe(commands_gen8, bbs(0x123456780000)),
            "MI_BATCH_BUFFER_START: Address Space Indicator = PPGTT (1), Batch Buffer Start Address = 0x123456780000");
  EXPECT_EQ(describe(commands_gen6, Dwords{0x78050001, 0, 0}), "3DSTATE_URB");
  EXPECT_EQ(describe(commands_gen8, Dwords{0x10000002, 0x40}), "MI_STORE_DATA_IMM [only 2 of 4 dwords]");
  EXPECT_EQ(describe(commands_gen8, Dwords{0xFFFFFFFF}), "invalid command 0xffffffff");
  EXPECT_EQ(describe(commands_gen8, Dwords{0x70000000, 0}, commands::Engine::video), "MFX_PIPE_MODE_SELECT");
  EXPECT_EQ(describe(commands_gen8, Dwords{}), "nothing");
}

// Whatever a program submits, the engine survives it and comes back.
TEST(Streamer, RandomCommandsEndByThemselvesOrInAFault) {
  const test::Uncounted uncounted;
  Rng random(1);
  for (const CommandSet* set : every)
    for (size_t engine = 0; engine < commands::engine_count; ++engine) {
      Bench b(*set, commands::Engine(engine));
      b.patience = std::chrono::milliseconds(0);
      b.command_budget = 200;
      std::vector<const Row*> rows;
      for (const Row& row : set->rows())
        if (row.engines >> engine & 1) rows.push_back(&row);
      unsigned ended = 0;
      for (int i = 0; i < 300; ++i) {
        Dwords batch;
        for (int j = 0; j < 4; ++j) {
          const Row& row = *rows[random.below(uint32_t(rows.size()))];
          batch.push_back(row.header | (uint32_t(random()) & ~row.mask & 0x00FFFF1F));
          const uint32_t dwords = row.length.dwords(batch.back());
          for (uint32_t k = 1; k < std::min(dwords, 0x400u); ++k)
            batch.push_back(random.below(4) ? uint32_t(data) + 8 * random.below(64) : uint32_t(random()));
        }
        batch.push_back(0x05000000);
        batch.resize(std::min<size_t>(batch.size(), 0x4000));
        const auto fault = b.run(batch);
        ended += !fault;
        EXPECT_TRUE(!fault || !fault->reason.empty());
      }
      EXPECT_GT(ended, 0u);
    }
}

TEST(Streamer, CountsBatches) {
  Bench b(commands_gen8);
  ASSERT_RUNS(b.run(end()));
  ASSERT_RUNS(b.run(end()));
  EXPECT_EQ(b.counts.batches, 2u);
}

}  // namespace
}  // namespace vitro::streamer
