// Stores, loads and copies between memory, registers, URB and status pages. PRM: Gen8 vol 2a; Gen6 vol 1 part 5.
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;
constexpr uint64_t global_data = Bench::ggtt_at + 0x8000;

TEST(Mi, MI_STORE_DATA_IMM_Dword) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.at(data + 4) = 0xAAAAAAAA;
    ASSERT_RUNS(b.run(join({sdi(data, 0x12345678), end()})));
    EXPECT_EQ(b.at(data), 0x12345678u);
    EXPECT_EQ(b.at(data + 4), 0xAAAAAAAAu);
  }
}

TEST(Mi, MI_STORE_DATA_IMM_Qword) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x10200003, uint32_t(data), 0, 1, 2}, end()})));
    EXPECT_EQ(b.qword_at(data), 0x2'0000'0001u);
  }
}

TEST(Mi, MI_STORE_DATA_IMM_ManyDwordsAndQwords) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x10000005, uint32_t(data), 0, 1, 2, 3, 4}, end()})));
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(b.at(data + 4 * i), i + 1);
    ASSERT_RUNS(b.run(join({{0x10200005, uint32_t(data), 0, 5, 6, 7, 8}, end()})));
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(b.at(data + 4 * i), i + 5);
    // As long as the length field allows.
    Dwords big{0x10000000 | 0x201, uint32_t(data), 0};
    for (uint32_t i = 0; i < 0x200; ++i) big.push_back(i);
    ASSERT_RUNS(b.run(join({big, end()})));
    EXPECT_EQ(b.at(data + 4 * 0x1FF), 0x1FFu);
  }
}

TEST(Mi, MI_STORE_DATA_IMM_Gen6) {
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({sdi_gen6(data, 5), {0x10000003, 0, uint32_t(data + 8), 6, 7}, end()})));
  EXPECT_EQ(b.at(data), 5u);
  EXPECT_EQ(b.qword_at(data + 8), 0x7'0000'0006u);
}

TEST(Mi, MI_STORE_DATA_IMM_GlobalGttIsPrivileged) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    Dwords store = sdi(global_data, 5);
    store[0] |= global;
    ASSERT_RUNS(b.run(join({store, end()})));
    EXPECT_EQ(b.global_at(global_data), 0u);
    EXPECT_EQ(b.counts.privileged["MI_STORE_DATA_IMM"], 1u);
    ASSERT_RUNS(b.run_privileged(join({store, end()})));
    EXPECT_EQ(b.global_at(global_data), 5u);
  }
}

TEST(Mi, MI_STORE_DATA_IMM_Gen6UserBatchesReachTheGlobalGtt) {
  Bench b(commands_gen6);
  Dwords store = sdi_gen6(uint32_t(global_data), 5);
  store[0] |= global;
  ASSERT_RUNS(b.run(join({store, end()})));
  EXPECT_EQ(b.global_at(global_data), 5u);
}

TEST(Mi, MI_LOAD_REGISTER_IMM_RegistersThatUsersMayWrite) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({lri(0x2360, 0x55), end()})));  // OACTXCONTROL
    EXPECT_EQ(b.reg(0x2360), 0x55u);
  }
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({lri(0xE400, 0x80), end()})));  // TD_CTL
  EXPECT_EQ(b.reg(0xE400), 0x80u);
}

TEST(Mi, MI_STORE_DATA_INDEX_IntoTheStatusPages) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const uint32_t per_process = 1 << 21;
    ASSERT_RUNS(b.run(join({mi(0x21, per_process, {0x80, 5}), mi(0x21, per_process, {0x88, 6, 7}), end()})));
    EXPECT_EQ(b.state.status_page[0x20], 5u);
    EXPECT_EQ(b.state.status_page[0x22], 6u);
    EXPECT_EQ(b.state.status_page[0x23], 7u);
    // The global page is the kernel's.
    ASSERT_RUNS(b.run(join({mi(0x21, 0, {0x80, 8}), end()})));
    EXPECT_EQ(b.state.global_status_page[0x20], 0u);
    ASSERT_RUNS(b.run_privileged(join({mi(0x21, 0, {0x80, 8}), end()})));
    EXPECT_EQ(b.state.global_status_page[0x20], 8u);
    // With an address of its own the page is in memory.
    ASSERT_RUNS(b.run_privileged(join({lri(0x2080, uint32_t(global_data)), mi(0x21, 0, {0x80, 9}), end()})));
    EXPECT_EQ(b.global_at(global_data + 0x80), 9u);
  }
}

TEST(Mi, MI_STORE_DATA_INDEX_Gen6) {
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({mi(0x21, 0, {0x80, 5}), end()})));
  EXPECT_EQ(b.state.global_status_page[0x20], 5u);
}

TEST(Mi, MI_LOAD_REGISTER_IMM_Pairs) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x11000005, 0x2310, 1, 0x2318, 2, 0x2320, 3}, end()})));
    EXPECT_EQ(b.reg(0x2310), 1u);
    EXPECT_EQ(b.reg(0x2318), 2u);
    EXPECT_EQ(b.reg(0x2320), 3u);
  }
}

TEST(Mi, MI_LOAD_REGISTER_IMM_ByteWriteDisables) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    for (uint32_t disables = 0; disables < 16; ++disables) {
      Dwords load = lri(0x2310, 0x11223344);
      load[0] |= disables << 8;
      ASSERT_RUNS(b.run(join({lri(0x2310, 0xAABBCCDD), load, end()})));
      uint32_t expected = 0;
      for (int i = 0; i < 4; ++i) expected |= ((disables >> i & 1 ? 0xAABBCCDD : 0x11223344) >> 8 * i & 0xFFu) << 8 * i;
      EXPECT_EQ(b.reg(0x2310), expected) << disables;
    }
  }
}

TEST(Mi, MI_LOAD_REGISTER_IMM_MaskedRegister) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({lri(0x7004, 0x02120212), lri(0x7004, 0x02000000), srm(0x7004, data), end()})));
    EXPECT_EQ(b.at(data), 0x0012u);
  }
}

TEST(Mi, MI_LOAD_REGISTER_IMM_KernelRegistersAreNotTheUsers) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({lri(0x2080, 0x1000), end()})));
    EXPECT_EQ(b.reg(0x2080), 0u);
    EXPECT_EQ(b.counts.privileged["HWS_PGA"], 1u);
    ASSERT_RUNS(b.run_privileged(join({lri(0x2080, 0x1000), end()})));
    EXPECT_EQ(b.reg(0x2080), 0x1000u);
  }
}

TEST(Mi, MI_LOAD_REGISTER_IMM_UnknownRegistersHoldTheirValueAndAreCounted) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({lri(0x6ABC, 5), srm(0x6ABC, data), end()})));
    EXPECT_EQ(b.at(data), 5u);
    EXPECT_EQ(b.counts.unknown_registers[0x6ABC], 2u);
  }
}

TEST(Mi, MI_LOAD_REGISTER_MEM_MI_STORE_REGISTER_MEM_RoundTrip) {
  for (const CommandSet* set : later)
    for (size_t engine = 0; engine < commands::engine_count; ++engine) {
      Bench b(*set, commands::Engine(engine));
      const uint32_t gpr3 = registers::engine_bases[engine] + 0x618;
      b.at(data) = 0xCAFE;
      ASSERT_RUNS(b.run(join({mi(0x29, 0, {gpr3, uint32_t(data), 0}), srm(gpr3, data + 4), end()})));
      EXPECT_EQ(b.at(data + 4), 0xCAFEu);
      EXPECT_EQ(b.state.registers.gpr(3), 0xCAFEu);
    }
}

TEST(Mi, MI_LOAD_REGISTER_MEM_MI_STORE_REGISTER_MEM_GlobalGtt) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.global_at(global_data) = 3;
    const Dwords both =
        join({mi(0x29, global, {0x2600, uint32_t(global_data), 0}), srm(0x2600, global_data + 4, global), end()});
    ASSERT_RUNS(b.run(both));
    EXPECT_EQ(b.global_at(global_data + 4), 0u);
    EXPECT_EQ(b.counts.privileged["MI_LOAD_REGISTER_MEM"], 1u);
    EXPECT_EQ(b.counts.privileged["MI_STORE_REGISTER_MEM"], 1u);
    ASSERT_RUNS(b.run_privileged(both));
    EXPECT_EQ(b.global_at(global_data + 4), 3u);
  }
}

TEST(Mi, MI_STORE_REGISTER_MEM_Gen6) {
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({lri(0x2350, 4), {0x12000001, 0x2350, uint32_t(data)}, end()})));
  EXPECT_EQ(b.at(data), 4u);
}

TEST(Mi, MI_STORE_REGISTER_MEM_Timestamp) {
  for (const CommandSet* set : later)
    for (size_t engine = 0; engine < commands::engine_count; ++engine) {
      Bench b(*set, commands::Engine(engine));
      b.clock = 0xFFFF'FFF9'1234'5678;  // 36 bits of it count
      // The same clock at every engine's address, and no write changes it.
      for (const uint32_t base : registers::engine_bases) {
        ASSERT_RUNS(b.run(join({lri(base + 0x358, 1), srm(base + 0x358, data), srm(base + 0x35C, data + 4), end()})));
        EXPECT_EQ(b.qword_at(data), 0x9'1234'5678u);
      }
    }
}

TEST(Mi, MI_STORE_REGISTER_MEM_ContextTimestampRunsOnlyInBatches) {
  Bench b(commands_gen9);
  b.stop = [&b] { return b.clock += 10, false; };
  b.clock = 1000;
  Dwords noops(2048, 0);
  ASSERT_RUNS(b.run(join({noops, end()})));
  b.clock = 5000;
  ASSERT_RUNS(b.run(join({srm(0x23A8, data), end()})));
  EXPECT_EQ(b.at(data), 20u);
}

TEST(Mi, MI_LOAD_REGISTER_REG_Copies) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({lri(0x2600, 5), {0x15000001, 0x2600, 0x2430}, end()})));
    EXPECT_EQ(b.reg(0x2430), 5u);
  }
}

TEST(Mi, MI_COPY_MEM_MEM_OneDword) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.at(data) = 5;
    b.at(data + 4) = 6;
    ASSERT_RUNS(b.run(join({mi(0x2E, 0, {uint32_t(data + 8), 0, uint32_t(data), 0}), end()})));
    EXPECT_EQ(b.at(data + 8), 5u);
    EXPECT_EQ(b.at(data + 12), 0u);
  }
}

TEST(Mi, MI_COPY_MEM_MEM_SpacesOfSourceAndDestination) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.at(data) = 5;
    b.global_at(global_data) = 7;
    const uint32_t from_global = 1 << 22, to_global = 1 << 21;
    ASSERT_RUNS(
        b.run_privileged(join({mi(0x2E, from_global, {uint32_t(data + 8), 0, uint32_t(global_data), 0}),
                               mi(0x2E, to_global, {uint32_t(global_data + 8), 0, uint32_t(data), 0}), end()})));
    EXPECT_EQ(b.at(data + 8), 7u);
    EXPECT_EQ(b.global_at(global_data + 8), 5u);
    // In a user batch the bits do not count.
    ASSERT_RUNS(b.run(join({mi(0x2E, from_global | to_global, {uint32_t(data + 16), 0, uint32_t(data), 0}), end()})));
    EXPECT_EQ(b.at(data + 16), 5u);
  }
}

TEST(Mi, MI_FLUSH_DW_PostSync) {
  for (const CommandSet* set : later)
    for (const auto engine : {commands::Engine::copy, commands::Engine::video, commands::Engine::video_enhance}) {
      Bench b(*set, engine);
      const uint32_t to = uint32_t(data);
      ASSERT_RUNS(b.run(join({{0x13000003 | 1 << 14, to, 0, 5, 6}, end()})));
      EXPECT_EQ(b.qword_at(data), 0x6'0000'0005u);
      b.qword_at(data) = 0;
      ASSERT_RUNS(b.run(join({{0x13000002 | 1 << 14, to, 0, 7}, end()})));  // a dword
      EXPECT_EQ(b.qword_at(data), 7u);
      ASSERT_RUNS(b.run(join({{0x13000003 | 3 << 14, to, 0, 0, 0}, end()})));
      EXPECT_EQ(b.qword_at(data), b.clock);
      b.qword_at(data) = 0;
      ASSERT_RUNS(b.run(join({{0x13000003, to, 0, 5, 6}, end()})));
      EXPECT_EQ(b.qword_at(data), 0u);
      EXPECT_EQ(b.interrupts, 0u);
      ASSERT_RUNS(b.run(join({{0x13000003 | 1 << 8 | 1 << 7, to, 0, 0, 0}, end()})));
      EXPECT_EQ(b.interrupts, 1u);
    }
}

TEST(Mi, MI_FLUSH_DW_IndexAndGlobalGtt) {
  for (const CommandSet* set : later) {
    Bench b(*set, commands::Engine::copy);
    const uint32_t index = 1 << 21, imm = 1 << 14, ggtt = 4;  // the last in the address dword
    ASSERT_RUNS(b.run(join({{0x13000003 | imm | index, 0x80, 0, 5, 6}, end()})));
    EXPECT_EQ(b.state.status_page[0x20], 5u);
    EXPECT_EQ(b.state.status_page[0x21], 6u);
    ASSERT_RUNS(b.run_privileged(join({{0x13000003 | imm | index, 0x80 | ggtt, 0, 7, 8}, end()})));
    EXPECT_EQ(b.state.global_status_page[0x20], 7u);
    ASSERT_RUNS(b.run_privileged(join({{0x13000003 | imm, uint32_t(global_data) | ggtt, 0, 9, 0}, end()})));
    EXPECT_EQ(b.global_at(global_data), 9u);
    // In a user batch it means the PPGTT.
    ASSERT_RUNS(b.run(join({{0x13000003 | imm, uint32_t(data) | ggtt, 0, 10, 0}, end()})));
    EXPECT_EQ(b.at(data), 10u);
  }
}

TEST(Mi, MI_FLUSH_DW_Gen6) {
  Bench b(commands_gen6, commands::Engine::copy);
  ASSERT_RUNS(b.run(join({{0x13000002 | 1 << 14, uint32_t(data), 5, 6}, end()})));
  EXPECT_EQ(b.qword_at(data), 0x6'0000'0005u);
  ASSERT_RUNS(b.run(join({{0x13000001 | 1 << 14, uint32_t(data), 7}, end()})));
  EXPECT_EQ(b.qword_at(data), 0x6'0000'0007u);
}

TEST(Mi, MI_CLFLUSH_IsPassedWithItsLength) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    Dwords flush{0x13800000 | 0x81, uint32_t(data), 0};
    flush.resize(0x83);
    ASSERT_RUNS(b.run(join({flush, sdi(data, 1), end()})));
    EXPECT_EQ(b.at(data), 1u);
  }
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({{0x13800002, uint32_t(data), 0, 0}, sdi_gen6(data, 1), end()})));
  EXPECT_EQ(b.at(data), 1u);
}

TEST(Mi, MI_REPORT_HEAD_WritesTheRingsHead) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    const Dwords ring = join({{0}, mi(0x07), {0}});
    std::memcpy(b.ggtt_bytes.data(), ring.data(), 4 * ring.size());
    ASSERT_RUNS(b.start({Bench::ggtt_at, true, Level::ring, 4 * ring.size()}));
    EXPECT_EQ(b.state.status_page[4], Bench::ggtt_at + 8);
  }
}

TEST(Mi, MI_REPORT_PERF_COUNT_WritesAReport) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    for (uint64_t i = 0; i < 260; i += 4) b.at(data + i) = 0x80808080;
    ASSERT_RUNS(b.run(join({{0x14000002, uint32_t(data), 0, 1000}, end()})));
    EXPECT_EQ(b.at(data), 1000u);
    EXPECT_EQ(b.at(data + 4), uint32_t(b.clock));
    EXPECT_EQ(b.at(data + 8), 77u);
    EXPECT_EQ(b.at(data + 252), 0u);
    EXPECT_EQ(b.at(data + 256), 0x80808080u);
    // The GGTT bit stands in the address.
    ASSERT_RUNS(b.run_privileged(join({{0x14000002, uint32_t(global_data) | 1, 0, 1002}, end()})));
    EXPECT_EQ(b.global_at(global_data), 1002u);
    ASSERT_RUNS(b.run(join({{0x14000002, uint32_t(global_data) | 1, 0, 1003}, end()})));
    EXPECT_EQ(b.global_at(global_data), 1002u);
  }
}

TEST(Mi, MI_RS_STORE_DATA_IMM_MI_RS_CONTROL_OnlyWhereTheResourceStreamerRuns) {
  constexpr uint64_t other = Bench::batch_at + 0x4000;
  for (const CommandSet* set : later) {
    Bench b(*set);
    const auto store = [](uint64_t to) { return Dwords{0x15800002, uint32_t(to), 0, 5}; };
    ASSERT_RUNS(b.run(join({store(data), end()})));
    EXPECT_EQ(b.at(data), 0u);
    b.place(other, join({store(data), mi(0x06, 0), store(data + 4), mi(0x06, 1), store(data + 8), end()}));
    ASSERT_RUNS(b.run(bbs(other, 1 << 8 | 1 << 10)));
    EXPECT_EQ(b.at(data), 5u);
    EXPECT_EQ(b.at(data + 4), 0u);
    EXPECT_EQ(b.at(data + 8), 5u);
    // A new batch starts it again.
    b.at(data) = 0;
    b.place(other, join({store(data), mi(0x06, 0), end()}));
    ASSERT_RUNS(b.run(bbs(other, 1 << 8 | 1 << 10)));
    ASSERT_RUNS(b.run(bbs(other, 1 << 8 | 1 << 10)));
    EXPECT_TRUE(b.state.resource_streamer);
  }
}

TEST(Mi, MI_LOAD_URB_MEM_MI_STORE_URB_MEM_RoundTrip) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.at(data) = 5;
    ASSERT_RUNS(b.run(join({mi(0x2C, 0, {0x7FFC, uint32_t(data), 0}), mi(0x2D, 0, {0x7FFC, uint32_t(data + 64), 0}),
                            mi(0x2D, 0, {0x7FF8, uint32_t(data + 128), 0}), end()})));
    EXPECT_EQ(b.at(data + 64), 5u);
    EXPECT_EQ(b.at(data + 128), 0u);
  }
}

TEST(Mi, MI_URB_CLEAR_ZeroesRows) {
  for (const CommandSet* set : {&commands_gen6, &commands_gen8}) {
    Bench b(*set);
    b.state.urb.assign(64, 0xFFFFFFFF);
    // Two rows of 32 bytes from the third on.
    ASSERT_RUNS(b.run(join({mi(0x19, 0, {2 << 16 | 2}), end()})));
    for (size_t i = 0; i < 64; ++i) EXPECT_EQ(b.state.urb[i], i >= 16 && i < 32 ? 0 : 0xFFFFFFFF) << i;
    // Beyond what was ever written there are only zeros.
    ASSERT_RUNS(b.run(join({mi(0x19, 0, {0x1FFF << 16 | 0x3FFF}), end()})));
  }
}

TEST(Mi, MI_URB_ATOMIC_ALLOC_IsKept) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({mi(0x09, 3 << 12 | 5), end()})));
    EXPECT_EQ(b.state.urb_atomic_offset, 3 * 128u);
    EXPECT_EQ(b.state.urb_atomic_bytes, 5 * 128u);
  }
}

}  // namespace
}  // namespace vitro::streamer
