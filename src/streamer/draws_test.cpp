// Draws and what drains them, with a renderer that only writes down what it is told. PRM: Gen8 vol 2a 3DPRIMITIVE,
// 3DSTATE_WM_HZ_OP, PIPE_CONTROL; vol 2c, the statistics registers.
#include "gen/machine.h"

#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
using pipeline::DrainReason;
constexpr uint64_t data = Bench::data_at;

struct Recorder : pipeline::Renderer {
  std::vector<pipeline::DrawCommand> draws;
  std::vector<pipeline::DepthStencilOperation> operations;
  std::vector<DrainReason> drains;
  pipeline::Statistics each{};  // counted by every draw
  pipeline::Statistics counted{}, waiting{};
  bool fails = false;

  pipeline::Outcome draw(const pipeline::DrawCommand& c) override {
    draws.push_back(c);
    waiting += each;
    return {};
  }
  pipeline::Outcome depth_stencil_operation(const pipeline::DepthStencilOperation& o) override {
    operations.push_back(o);
    return {};
  }
  pipeline::Outcome drain(DrainReason reason) override {
    drains.push_back(reason);
    counted += waiting;
    waiting = {};
    if (fails) return tl::unexpected(pipeline::fault_of(draws[0].place, Fault{.reason = "a pixel is missing"}));
    return {};
  }
  pipeline::Statistics take_statistics() override { return std::exchange(counted, {}); }
  size_t mark() override {
    marks.push_back(waiting.ps_depth_count);
    return marks.size();
  }
  std::vector<uint64_t> take_marks() override { return std::exchange(marks, {}); }
  std::vector<uint64_t> marks{};
};

struct Drawing : Bench {
  Recorder recorder{};
  dispatch::ProgramCache cache;
  explicit Drawing(const char* device) : Drawing(gen::machine(*gen::find_device(device))) {}
  explicit Drawing(const gen::Machine& m) : Bench(m.commands), cache(m.model) {
    renderer = &recorder;
    programs = &cache;
    three_d = m.three_d;
  }
  const pipeline::DrawCommand& last() const { return recorder.draws.back(); }
};

template <class Test>
void on_each(Test test) {
  for (const char* device : {"bdw", "kbl", "apl"}) {
    SCOPED_TRACE(device);
    Drawing d(device);
    test(d);
  }
}

Dwords primitive(uint32_t vertices, uint32_t header_bits = 0, uint32_t bits = 0) {
  return {0x7B000005 | header_bits, bits, vertices, 2, 1, 4, 0xFFFFFFFF};
}
const Dwords draw = primitive(3);
constexpr uint32_t predicated = 1 << 8, indirect = 1 << 10, end_offset = 1 << 9;
Dwords topology(uint32_t t) { return {0x784B0000, t}; }
Dwords pipe_control(uint32_t flags, uint64_t address = 0, uint64_t value = 0) {
  return {0x7A000004, flags, uint32_t(address), uint32_t(address >> 32), uint32_t(value), uint32_t(value >> 32)};
}

TEST(Draws, 3DPRIMITIVE_MakesADraw) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({topology(4), draw, draw, end()})));
    ASSERT_EQ(d.recorder.draws.size(), 2u);
    const pipeline::DrawCommand& first = d.recorder.draws[0];
    EXPECT_EQ(first.primitive.primitive_topology_type, 4);
    EXPECT_EQ(first.primitive.vertex_count_per_instance, 3u);
    EXPECT_EQ(first.primitive.start_vertex_location, 2u);
    EXPECT_EQ(first.primitive.start_instance_location, 4u);
    EXPECT_EQ(first.primitive.base_vertex_location, -1);
    EXPECT_EQ(first.place.batch_offset, 8u);
    EXPECT_EQ(first.place.address, Bench::batch_at + 8);
    EXPECT_EQ(first.draw->traits, d.three_d);
    EXPECT_EQ(d.last().place.number, first.place.number + 1);
    EXPECT_EQ(d.counts.draws, 2u);
    EXPECT_EQ(d.recorder.drains, std::vector{DrainReason::batch_end});
    ASSERT_RUNS(d.run(join({draw, end()})));
    EXPECT_EQ(d.last().place.number, 2u);
  });
}

// Each draw has the state as it was.
TEST(Draws, StateIsACopy) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({topology(4), draw, topology(5), draw, end()})));
    EXPECT_EQ(d.recorder.draws[0].draw->state.topology.primitive_topology_type, 4);
    EXPECT_EQ(d.recorder.draws[1].draw->state.topology.primitive_topology_type, 5);
  });
}

TEST(Draws, NothingToDraw) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({primitive(0), {0x7B000005, 0, 3, 0, 0, 0, 0}, end()})));
    EXPECT_TRUE(d.recorder.draws.empty());
    EXPECT_TRUE(d.recorder.drains.empty());
  });
}

TEST(Draws, PredicateEnable) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({lri(0x2418, 0), primitive(3, predicated), end()})));
    EXPECT_TRUE(d.recorder.draws.empty());
    ASSERT_RUNS(d.run(join({lri(0x2418, 1), primitive(3, predicated), end()})));
    EXPECT_EQ(d.recorder.draws.size(), 1u);
  });
}

TEST(Draws, TopologyFilter) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(
        d.run(join({mi(0x0D, 4), topology(5), draw, topology(4), draw, mi(0x0D, 0), topology(5), draw, end()})));
    ASSERT_EQ(d.recorder.draws.size(), 2u);
    EXPECT_EQ(d.recorder.draws[0].primitive.primitive_topology_type, 4);
  });
}

TEST(Draws, IndirectParameters) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({lri(0x2430, 11), lri(0x2434, 12), lri(0x2438, 13), lri(0x243C, 14), lri(0x2440, 0xFFFFFFF0),
                            primitive(3, indirect), end()})));
    const commands::three_d::Primitive& p = d.last().primitive;
    EXPECT_EQ(std::tuple(p.start_vertex_location, p.vertex_count_per_instance, p.instance_count,
                         p.start_instance_location, p.base_vertex_location),
              std::tuple(11u, 12u, 13u, 14u, -16));
    ASSERT_RUNS(d.run(join({lri(0x2438, 0), primitive(3, indirect), end()})));
    EXPECT_EQ(d.recorder.draws.size(), 1u);
  });
}

// So many vertices as are whole in the first buffer.
TEST(Draws, EndOffset) {
  on_each([](Drawing& d) {
    const Dwords buffer{0x78080003, 1 << 14 | 16, 0x1000, 0, 0x1000};
    ASSERT_RUNS(d.run(join({buffer, lri(0x2420, 16 * 5 + 7), primitive(3, 0, end_offset), end()})));
    EXPECT_EQ(d.last().primitive.vertex_count_per_instance, 5u);
  });
}

// Buffer 0 of constants is an offset unless a register says that it is an address.
TEST(Draws, ConstantAddresses) {
  const auto run = [](Drawing& d, uint32_t reg, uint32_t value) {
    const auto fault = d.run(join({lri(reg, value), draw, end()}));
    EXPECT_FALSE(fault) << text(fault);
    return d.last().draw->constant_0_is_address;
  };
  Drawing bdw("bdw"), kbl("kbl");
  EXPECT_TRUE(run(bdw, 0x20C0, 0x00400040));
  EXPECT_FALSE(run(bdw, 0x20C0, 0x00400000));
  EXPECT_TRUE(run(kbl, 0x20D8, 0x00100010));
  EXPECT_FALSE(run(kbl, 0x20D8, 0x00100000));
  EXPECT_FALSE(run(kbl, 0x20C0, 0x00400040));
}

TEST(Draws, WhatIsNotThereIsRefusedAtTheDraw) {
  struct Case {
    Dwords packet;
    const char* name;
  };
  const Case cases[] = {
      {{0x78110008, 0, 0, 0, 0, 0, 0, 1, 0, 0}, "geometry shader"},
      {{0x781B0007, 0, 1u << 31, 0, 0, 0, 0, 0, 0}, "hull shader"},
      {{0x781C0002, 1, 0, 0}, "tessellator"},
      {{0x781D0009, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "domain shader"},
      {{0x79190002, 1 << 11, 0, 0}, "hardware binding tables"},
      {{0x78510009, 0, 0, 0, 0, 0, 0, 0, 0, 1 << 4, 0}, "3DSTATE_SBE_SWIZ.WrapShortest"},
      {{0x791A0002, 1 << 11, 0, 0}, "gather constants"},
  };
  on_each([&](Drawing& d) {
    for (const Case& c : cases) {
      d.state.three_d = {};
      ASSERT_RUNS(d.run(join({c.packet, end()})));
      const auto fault = d.run(join({draw, end()}));
      ASSERT_TRUE(fault) << c.name;
      EXPECT_EQ(fault->reason, std::string("unsupported: ") + c.name);
      EXPECT_EQ(fault->command, "3DPRIMITIVE");
    }
  });
}

TEST(Draws, ConstantsOfTheResourceStreamerAreRefused) {
  Drawing d("kbl");
  const auto fault = d.run(join({{0x78540002, 1 << 12, 0x1000, 0}, draw, end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "unsupported: 3DSTATE_RS_CONSTANT_POINTER");
}

TEST(Draws, WithoutARendererTheyAreUnsupported) {
  pipeline::Renderer refusing;
  on_each([&](Drawing& d) {
    for (pipeline::Renderer* r : {&refusing, static_cast<pipeline::Renderer*>(nullptr)}) {
      d.renderer = r;
      const auto fault = d.run(join({draw, end()}));
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->reason, "unsupported: 3DPRIMITIVE");
      const auto operation = d.run(join({{0x78520003, 1u << 30, 0, 0, 0}, end()}));
      ASSERT_TRUE(operation);
      EXPECT_EQ(operation->reason, "unsupported: 3DSTATE_WM_HZ_OP");
    }
  });
}

TEST(Draws, 3DSTATE_WM_HZ_OP) {
  on_each([](Drawing& d) {
    ASSERT_RUNS(d.run(join({draw,
                            {0x78040001, 0x3F000000, 1},
                            {0x78520003, 1u << 30 | 2 << 13, 0, 0x00200010, 0xFFFF},
                            {0x78520003, 0, 0, 0, 0},
                            end()})));
    ASSERT_EQ(d.recorder.operations.size(), 1u);
    const pipeline::DepthStencilOperation& o = d.recorder.operations[0];
    EXPECT_TRUE(o.operation.depth_buffer_clear_enable);
    EXPECT_EQ(o.operation.clear_rectangle_y_max, 0x20);
    EXPECT_EQ(o.state.clear_params.depth_clear_value, 0.5f);
    EXPECT_EQ(o.samples, 4u);
    EXPECT_EQ(d.recorder.drains, std::vector{DrainReason::depth_stencil_operation});
    EXPECT_FALSE(d.state.three_d.wm_hz_op.depth_buffer_clear_enable);
  });
}

TEST(Draws, WhatDrains) {
  struct Case {
    Dwords command;
    std::optional<DrainReason> reason;
  };
  const Case cases[] = {
      {pipe_control(1 << 12), DrainReason::flush},           // render target cache
      {pipe_control(1 << 0), DrainReason::flush},            // depth cache
      {pipe_control(1 << 5), DrainReason::flush},            // data cache
      {pipe_control(1 << 20), std::nullopt},                 // command streamer stall
      {pipe_control(1 << 13), std::nullopt},                 // depth stall
      {pipe_control(1 << 14, data, 5), std::nullopt},        // a write
      {pipe_control(2 << 14, data, 5), std::nullopt},        // of the depth count
      {pipe_control(3 << 14, data, 5), DrainReason::flush},  // of the time
      {pipe_control(1 << 8), DrainReason::flush},            // an interrupt
      {pipe_control(0xC1C), std::nullopt},                   // invalidations
      {sdi(data, 1), DrainReason::memory_command},
      {srm(0x2600, data), DrainReason::memory_command},
      {mi(0x29, 0, {0x2600, uint32_t(data), 0}), DrainReason::memory_command},
      {mi(0x2E, 0, {uint32_t(data), 0, uint32_t(data), 0}), DrainReason::memory_command},
      {mi(0x1C, 0x4000, {5, uint32_t(data + 64), 0}), DrainReason::memory_command},
      {mi(0x2A, 0, {0x2310, 0x2600}), DrainReason::register_read},
      {mi(0x2A, 0, {0x2604, 0x2600}), std::nullopt},
      {lri(0x2350, 0), DrainReason::register_read},
      {lri(0x2600, 0), std::nullopt},
      {{0x69040300}, DrainReason::pipeline_select},
      {topology(3), std::nullopt},
      {{0}, std::nullopt},
  };
  on_each([&](Drawing& d) {
    for (const Case& c : cases) {
      SCOPED_TRACE(c.command[0]);
      d.recorder.drains.clear();
      d.counts.drains = {};
      d.at(data + 64) = 5;
      ASSERT_RUNS(d.run(join({c.command, draw, c.command, c.command, end()})));
      EXPECT_EQ(d.recorder.drains, std::vector{c.reason.value_or(DrainReason::batch_end)});
      EXPECT_EQ(d.counts.drains[size_t(c.reason.value_or(DrainReason::batch_end))], 1u);
    }
  });
}

TEST(Draws, StatisticsAreAddedToTheRegisters) {
  on_each([](Drawing& d) {
    d.recorder.each = {.hs_invocations = 1,
                       .ds_invocations = 2,
                       .ia_vertices = 3,
                       .ia_primitives = 4,
                       .vs_invocations = 5,
                       .gs_invocations = 6,
                       .gs_primitives = 7,
                       .cl_invocations = 8,
                       .cl_primitives = 9,
                       .ps_invocations = 10,
                       .ps_depth_count = 11,
                       .so_primitives_written = {12, 13, 14, 15},
                       .so_primitives_needed = {16, 17, 18, 19}};
    ASSERT_RUNS(d.run(join({draw, lri64(0x2310, 0xFFFFFFFF), draw, end()})));
    for (uint32_t k = 0; k < 11; ++k) {
      const uint64_t expected = k == 2 ? 0xFFFFFFFFull + 3 : 2 * (k + 1);
      EXPECT_EQ(d.state.registers.get64(0x2300 + 8 * k), expected) << k;
    }
    for (uint32_t k = 0; k < 4; ++k) {
      EXPECT_EQ(d.state.registers.get64(0x5200 + 8 * k), 2 * (12 + k));
      EXPECT_EQ(d.state.registers.get64(0x5240 + 8 * k), 2 * (16 + k));
    }
  });
}

TEST(Draws, CountsAreWrittenWhenAsked) {
  on_each([](Drawing& d) {
    d.recorder.each = {.ps_invocations = 5, .ps_depth_count = 0x1'0000'0001};
    ASSERT_RUNS(d.run(join({pipe_control(2 << 14, data), draw, draw, pipe_control(2 << 14, data + 8), draw,
                            srm(0x2348, data + 16), end()})));
    EXPECT_EQ(d.qword_at(data), 0u);
    EXPECT_EQ(d.qword_at(data + 8), 0x2'0000'0002u);
    EXPECT_EQ(d.at(data + 16), 15u);
    ASSERT_RUNS(d.run(join({draw, pipe_control(1 << 19), end()})));  // Global Snapshot Count Reset
    EXPECT_EQ(d.state.registers.get64(0x2350), 0u);
  });
}

// What waits for a scene is written when it is drained, in order, and before anybody could read it.
TEST(Draws, WritesWaitForTheScene) {
  const Dwords first = pipe_control(1 << 14, data, 0x1'0000'0005), second = pipe_control(1 << 14, data, 6);
  on_each([&](Drawing& d) {
    d.recorder.each = {.ps_depth_count = 3};
    ASSERT_RUNS(d.run(join({draw, first, draw, pipe_control(2 << 14, data + 8), second, draw,
                            mi(0x29, 0, {0x2600, uint32_t(data), 0}), end()})));
    EXPECT_EQ(d.qword_at(data), 6u);
    EXPECT_EQ(d.qword_at(data + 8), 6u);
    EXPECT_EQ(d.reg(0x2600), 6u);
    EXPECT_EQ(d.recorder.drains, std::vector{DrainReason::memory_command});
    // What invalidates a cache is about to read.
    d.recorder.drains.clear();
    ASSERT_RUNS(d.run(join({draw, first, pipe_control(1 << 4), draw, end()})));
    EXPECT_EQ(d.recorder.drains, (std::vector{DrainReason::flush, DrainReason::batch_end}));
    EXPECT_EQ(d.qword_at(data), 0x1'0000'0005u);
    // It would find there what is there now: drivers write so beside invalidations, to no purpose but the waiting.
    d.recorder.drains.clear();
    ASSERT_RUNS(d.run(join({draw, first, pipe_control(1 << 4), draw, second, end()})));
    EXPECT_EQ(d.recorder.drains, std::vector{DrainReason::batch_end});
    EXPECT_EQ(d.qword_at(data), 6u);
  });
}

// After a stall a draw may see, or change, what threads and stream output of those before wrote, or read.
TEST(Draws, StallsOrderWrites) {
  const Dwords stall = pipe_control(1 << 20);
  const auto stream_out = [](bool on) { return Dwords{0x781E0003, uint32_t(on) << 31, 0, 0, 0}; };
  const auto both = std::vector{DrainReason::flush, DrainReason::batch_end}, once = std::vector{DrainReason::batch_end};
  struct Case {
    Dwords commands;
    std::vector<DrainReason> drains;
  };
  const Case cases[] = {{join({draw, stall, draw, stall, draw}), once},
                        {join({stream_out(true), draw, draw}), once},
                        {join({stall, stream_out(true), draw}), once},
                        {join({stream_out(true), draw, stream_out(false), stall, draw}), both},
                        {join({draw, stall, draw, stream_out(true), draw}), both},
                        {join({draw, stall, stream_out(true), draw, draw}), both}};
  on_each([&](Drawing& d) {
    for (const Case& c : cases) {
      d.recorder.drains.clear();
      ASSERT_RUNS(d.run(join({c.commands, stream_out(false), end()})));
      EXPECT_EQ(d.recorder.drains, c.drains) << &c - cases;
    }
  });
}

// A Fault that shows late names the draw it comes from.
TEST(Draws, LateFaults) {
  const Dwords after[] = {end(),
                          join({pipe_control(1 << 14, data, 7), end()}),
                          join({sdi(data, 7), end()}),
                          join({mi(0x2A, 0, {0x2310, 0x2600}), sdi(data, 7), end()}),
                          {0xFFFFFFFF}};
  on_each([&](Drawing& d) {
    for (const Dwords& rest : after) {
      d.recorder.fails = true;
      d.recorder.draws.clear();
      const auto fault = d.run(join({topology(4), draw, {0}, rest}));
      ASSERT_TRUE(fault);
      EXPECT_EQ(fault->reason, "a pixel is missing");
      EXPECT_EQ(fault->command, "3DPRIMITIVE");
      EXPECT_EQ(fault->batch_offset, 8u);
      EXPECT_EQ(d.at(data), 0u);
    }
  });
}

}  // namespace
}  // namespace vitro::streamer
