// PIPE_CONTROL's post-sync operations and the state that pipelines share. PRM: Gen8 vol 2a PIPE_CONTROL,
// STATE_BASE_ADDRESS, STATE_SIP, PIPELINE_SELECT; Gen6 vol 1 part 5, vol 2 part 1.
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;
constexpr uint64_t global_data = Bench::ggtt_at + 0x8000;

Dwords pipe_control(uint32_t flags, uint64_t address, uint64_t value) {
  return {0x7A000004, flags, uint32_t(address), uint32_t(address >> 32), uint32_t(value), uint32_t(value >> 32)};
}

TEST(PipeControl, PIPE_CONTROL_PostSyncOperations) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.state.registers.set64(0x2350, 0x7'0000'0008);
    ASSERT_RUNS(b.run(join({pipe_control(0x101021, data, 5), pipe_control(1 << 14, data + 8, 0x6'0000'0005),
                            pipe_control(2 << 14, data + 16, 0), pipe_control(3 << 14, data + 24, 0), end()})));
    EXPECT_EQ(b.qword_at(data), 0u);
    EXPECT_EQ(b.qword_at(data + 8), 0x6'0000'0005u);
    EXPECT_EQ(b.qword_at(data + 16), 0x7'0000'0008u);
    EXPECT_EQ(b.qword_at(data + 24), b.clock);
  }
}

TEST(PipeControl, PIPE_CONTROL_LriPostSync) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({pipe_control(1 << 23, 0x2600, 5), end()})));
    EXPECT_EQ(b.reg(0x2600), 5u);
  }
}

TEST(PipeControl, PIPE_CONTROL_GlobalGttAndIndex) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const uint32_t imm = 1 << 14, ggtt = 1 << 24, index = 1 << 21;
    ASSERT_RUNS(b.run(join({pipe_control(imm | ggtt, global_data, 5), end()})));
    EXPECT_EQ(b.global_at(global_data), 0u);
    EXPECT_EQ(b.counts.privileged["PIPE_CONTROL"], 1u);
    ASSERT_RUNS(b.run_privileged(
        join({pipe_control(imm | ggtt, global_data, 5), pipe_control(imm | ggtt | index, 0x88, 6), end()})));
    EXPECT_EQ(b.global_at(global_data), 5u);
    EXPECT_EQ(b.state.global_status_page[0x22], 6u);
    ASSERT_RUNS(b.run(join({pipe_control(imm | index, 0x90, 7), end()})));
    EXPECT_EQ(b.state.status_page[0x24], 7u);
  }
}

// Bit 2 of the address counts for a register only.
TEST(PipeControl, PIPE_CONTROL_AddressIsOneOfQuadwords) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const uint32_t imm = 1 << 14, index = 1 << 21, time = 3 << 14;
    for (uint64_t at = data; at < data + 32; at += 8) b.qword_at(at) = ~0ull;
    ASSERT_RUNS(b.run(join({{0x7A000003, imm, uint32_t(data) | 4, uint32_t(data >> 32), 5},
                            pipe_control(imm, data + 8 + 4, 0x7'0000'0006),
                            pipe_control(time, data + 16 + 4, 0),
                            {0x7A000003, imm | index, 0x98 | 4, 0, 8},
                            pipe_control(1 << 23, 0x2604, 9),
                            end()})));
    EXPECT_EQ(b.qword_at(data), 0xFFFFFFFF'00000005u);
    EXPECT_EQ(b.qword_at(data + 8), 0x7'0000'0006u);
    EXPECT_EQ(b.qword_at(data + 16), b.clock);
    EXPECT_EQ(b.qword_at(data + 24), ~0ull);
    EXPECT_EQ(b.state.status_page[0x26], 8u);
    EXPECT_EQ(b.state.status_page[0x27], 0u);
    EXPECT_EQ(b.reg(0x2604), 9u);
  }
}

TEST(PipeControl, PIPE_CONTROL_NotifyAndSnapshotReset) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.state.registers.set64(0x2350, 5);
    ASSERT_RUNS(b.run(join({pipe_control(1 << 8, 0, 0), end()})));
    EXPECT_EQ(b.interrupts, 1u);
    EXPECT_EQ(b.reg(0x2350), 5u);
    ASSERT_RUNS(b.run(join({pipe_control(1 << 19, 0, 0), end()})));
    EXPECT_EQ(b.reg(0x2350), 0u);
  }
}

TEST(PipeControl, PIPE_CONTROL_GenericMediaStateClear) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.state.media.vfe.emplace();
    ASSERT_RUNS(b.run(join({pipe_control(0, 0, 0), end()})));
    EXPECT_TRUE(b.state.media.vfe);
    ASSERT_RUNS(b.run(join({pipe_control(1 << 16, 0, 0), end()})));
    EXPECT_FALSE(b.state.media.vfe);
  }
}

// Bit 2 of the address selects the GGTT; four dwords write one.
TEST(PipeControl, PIPE_CONTROL_Gen6) {
  Bench b(commands_gen6);
  b.qword_at(data) = ~0ull;
  ASSERT_RUNS(b.run(join({{0x7A000002, 1 << 14, uint32_t(data), 5},
                          {0x7A000003, 1 << 14, uint32_t(data + 8), 6, 7},
                          {0x7A000003, 1 << 14, uint32_t(global_data) | 4, 8, 9},
                          {0x7A000003, 3 << 14, uint32_t(data + 16), 0, 0},
                          {0x7A000002, 0x100002, 0, 0},
                          end()})));
  EXPECT_EQ(b.qword_at(data), 0xFFFFFFFF'00000005u);
  EXPECT_EQ(b.qword_at(data + 8), 0x7'0000'0006u);
  EXPECT_EQ(b.global_at(global_data), 8u);
  EXPECT_EQ(b.qword_at(data + 16), b.clock);
}

TEST(State, STATE_BASE_ADDRESS_Gen8) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    Dwords sba(16);
    sba[0] = 0x6101000E;
    sba[1] = 0x10001, sba[2] = 1;     // general
    sba[4] = 0x20001;                 // surface
    sba[6] = 0x30001, sba[7] = 0x7F;  // dynamic
    sba[8] = 0x40000;                 // indirect: not modified
    sba[10] = 0x50781;                // instruction, with MOCS
    sba[12] = 0x2001;
    sba[13] = 0x3000;  // not modified
    sba[14] = 0xFFFFF001;
    sba[15] = 0x5001;
    ASSERT_RUNS(b.run(join({sba, end()})));
    const state::Bases& bases = b.state.bases;
    EXPECT_EQ(bases.general.address, 0x1'0001'0000u);
    EXPECT_EQ(bases.general.bytes, 0x2000u);
    EXPECT_EQ(bases.surface.address, 0x20000u);
    EXPECT_EQ(bases.dynamic.address, 0x7F'0003'0000u);
    EXPECT_EQ(bases.dynamic.bytes, ~0ull);
    EXPECT_EQ(bases.indirect.address, 0u);
    EXPECT_EQ(bases.indirect.bytes, 0xFFFFF000u);
    EXPECT_EQ(bases.instruction.address, 0x50000u);
    EXPECT_EQ(bases.instruction.bytes, 0x5000u);
    EXPECT_EQ(bases.bindless_surface.address, 0u);
  }
}

TEST(State, STATE_BASE_ADDRESS_Gen9Bindless) {
  Bench b(commands_gen9);
  Dwords sba(19);
  sba[0] = 0x61010011;
  sba[16] = 0x60001, sba[17] = 2, sba[18] = 99 << 12;
  ASSERT_RUNS(b.run(join({sba, end()})));
  EXPECT_EQ(b.state.bases.bindless_surface.address, 0x2'0006'0000u);
  EXPECT_EQ(b.state.bases.bindless_surface.bytes, 6400u);
}

TEST(State, STATE_BASE_ADDRESS_Gen6Bounds) {
  Bench b(commands_gen6);
  ASSERT_RUNS(
      b.run(join({{0x61010008, 0x10001, 0x20001, 0x30001, 1, 0x50001, 1, 0x38001, 0xFFFFF001, 0x40001}, end()})));
  const state::Bases& bases = b.state.bases;
  EXPECT_EQ(bases.general.address, 0x10000u);
  EXPECT_EQ(bases.general.bytes, ~0ull);
  EXPECT_EQ(bases.surface.address, 0x20000u);
  EXPECT_EQ(bases.dynamic.bytes, 0x8000u);
  EXPECT_EQ(bases.indirect.bytes, 0xFFFFF000u);
  EXPECT_EQ(bases.instruction.bytes, 0u);  // its bound lies below it
}

TEST(State, STATE_BASE_ADDRESS_SurvivesBatches) {
  Bench b(commands_gen9);
  Dwords sba(19);
  sba[0] = 0x61010011;
  sba[4] = 0x20001;
  ASSERT_RUNS(b.run(join({sba, end()})));
  ASSERT_RUNS(b.run(end()));
  EXPECT_EQ(b.state.bases.surface.address, 0x20000u);
}

TEST(State, STATE_SIP_IsKept) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x61020001, 0x1230, 0}, end()})));
    EXPECT_EQ(b.state.bases.sip, 0x1230u);
  }
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({{0x61020000, 0x1230}, end()})));
  EXPECT_EQ(b.state.bases.sip, 0x1230u);
}

TEST(State, STATE_PREFETCH_IsPassed) {
  for (const CommandSet* set : every) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join({{0x60030000, 0x40}, {0x00400007}, end()})));
    EXPECT_EQ(b.reg(0x2094), 7u);
  }
}

TEST(State, PIPELINE_SELECT_Gen6) {
  Bench b(commands_gen6);
  ASSERT_RUNS(b.run(join({{0x69040001}, end()})));
  EXPECT_EQ(b.state.pipeline, Pipeline::media);
  ASSERT_RUNS(b.run(join({{0x69040000}, end()})));
  EXPECT_EQ(b.state.pipeline, Pipeline::three_d);
}

TEST(State, PIPELINE_SELECT_Selects) {
  Bench b8(commands_gen8);
  ASSERT_RUNS(b8.run(join({{0x69040002}, end()})));
  EXPECT_EQ(b8.state.pipeline, Pipeline::gpgpu);
  ASSERT_RUNS(b8.run(join({{0x69040001}, end()})));
  EXPECT_EQ(b8.state.pipeline, Pipeline::media);
  EXPECT_TRUE(b8.run(join({{0x69040003}, end()})));

  Bench b9(commands_gen9);
  ASSERT_RUNS(b9.run(join({{0x69040302}, end()})));
  EXPECT_EQ(b9.state.pipeline, Pipeline::gpgpu);
  ASSERT_RUNS(b9.run(join({{0x69040000}, end()})));  // masked out
  EXPECT_EQ(b9.state.pipeline, Pipeline::gpgpu);
  ASSERT_RUNS(b9.run(join({{0x69041310}, end()})));
  EXPECT_EQ(b9.state.pipeline, Pipeline::three_d);
}

}  // namespace
}  // namespace vitro::streamer
