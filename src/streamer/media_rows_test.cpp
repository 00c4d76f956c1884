// The media and GPGPU commands as packets of a batch, on every generation that has them: what they leave in the
// context, and which threads they start with which registers. How threads are made is tested in src/media.
// PRM: Gen8 vol 2a MEDIA_*, GPGPU_*; Gen6 vol 2 part 2.
#include "media/bench_test.h"

#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using bench::Dwords, bench::end, bench::join;
using Heaps = media::testing::Bench;

struct Generation {
  const CommandSet& commands;
  const isa::Model& (*model)();
  const media::Traits& traits;
  bool gen6 = false;
};
const Generation gen6{commands_gen6, gen::gen6, media::traits_gen6, true},
    gen8{commands_gen8, gen::gen8, media::traits_gen8}, gen9{commands_gen9, gen::gen9, media::traits_gen9},
    gen9_lp{commands_gen9, gen::gen9_lp, media::traits_gen9_lp};

// A render engine with a kernel that keeps the first registers of its threads.
struct Engine {
  Heaps heaps;
  const CommandSet& set;
  State state;
  Counts counts{};
  bool gen6;

  explicit Engine(const Generation& g)
      : heaps(g.model(), g.traits),
        set(bench::recording(g.commands).set),
        state(set, commands::Engine::render),
        gen6(g.gen6) {
    state.bases = heaps.bases;
    heaps.put_recording_kernel(0, 2);
    heaps.put_descriptor(0, {0, 0, 0, 0, 0, 0, gen6 ? 0u : 1u, 0});
  }
  std::optional<Fault> run(const Dwords& batch) {
    constexpr size_t at = 0x2000;
    Heaps::put(heaps.objects, at, batch);
    Surroundings around{heaps.view, heaps.view, [] { return uint64_t{1}; }};
    around.counts = &counts;
    around.pool = &heaps.pool;
    around.programs = &heaps.programs;
    around.media = &heaps.around.traits;
    around.thread_counts = &heaps.counts;
    return streamer::run(set, state, around, {Heaps::indirect + at});
  }
  Dwords vfe() const {
    return gen6 ? Dwords{0x70000006, 0, 30 << 16, 0, 0, 0, 0, 0} : Dwords{0x70000007, 0, 0, 30 << 16, 0, 0, 0, 0, 0};
  }
  Dwords set_up() const { return join({vfe(), {0x70010002, 0, 2048, 0x400}, {0x70020002, 0, 128, 0}}); }
  size_t started() const { return heaps.kept.started.size(); }
  uint32_t r1(size_t thread) const { return heaps.kept.started.at(thread).r(1, 0); }
};

template <class Test>
void on(std::initializer_list<const Generation*> generations, Test test) {
  for (const Generation* g : generations) {
    SCOPED_TRACE(std::string(g->commands.name));
    Engine e(*g);
    test(e);
  }
}

TEST(MediaRows, MEDIA_VFE_STATE) {
  on({&gen6, &gen8, &gen9}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.vfe(), end()})));
    ASSERT_TRUE(e.state.media.vfe);
    EXPECT_EQ(e.state.media.vfe->maximum_threads, 30u);
  });
}
TEST(MediaRows, MEDIA_CURBE_LOAD_MEDIA_INTERFACE_DESCRIPTOR_LOAD) {
  on({&gen6, &gen8, &gen9}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.set_up(), end()})));
    EXPECT_EQ(e.state.media.curbe.length, 2048u);
    EXPECT_EQ(e.state.media.curbe.start, 0x400u);
    EXPECT_EQ(e.state.media.descriptors.length, 128u);
    EXPECT_EQ(e.state.media.descriptors.start, 0u);
  });
}
TEST(MediaRows, MEDIA_OBJECT) {
  on({&gen6, &gen8, &gen9}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.set_up(), {0x71000005, 0, 0, 0, 5 << 16 | 3, 0, 0xAB}, end()})));
    ASSERT_EQ(e.started(), 1u);
    EXPECT_EQ(e.r1(0), 0xABu);
  });
}
TEST(MediaRows, MEDIA_OBJECT_PRT) {
  on({&gen6, &gen8, &gen9}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.set_up(), {0x7102000E, 0, 0, 0, 0xAB, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, end()})));
    ASSERT_EQ(e.started(), 1u);
    EXPECT_EQ(e.r1(0), 0xABu);
  });
}
Dwords in_group(uint32_t group, bool last, uint32_t data) {
  return {0x71060006, 0, last ? 1u << 23 : 0, 0, 0, 0, group, data};
}
TEST(MediaRows, MEDIA_OBJECT_GRPID) {
  on({&gen8, &gen9}, [](Engine& e) {
    e.heaps.put_descriptor(0, {0, 0, 0, 0, 0, 0, 2, 0});
    ASSERT_RUNS(e.run(join({e.set_up(), in_group(5, false, 0xA0), in_group(5, true, 0xA1), end()})));
    ASSERT_EQ(e.started(), 2u);
    EXPECT_EQ(e.r1(0) + e.r1(1), 0xA0u + 0xA1u);
  });
}
// Threads of a group that is not complete run at the flush; without it a Fault would leave them out.
TEST(MediaRows, MEDIA_STATE_FLUSH) {
  const Dwords invalid{0xFFFFFFFF};
  on({&gen8, &gen9}, [&](Engine& e) {
    EXPECT_TRUE(e.run(join({e.set_up(), in_group(5, false, 0xA0), invalid})));
    EXPECT_EQ(e.started(), 0u);
  });
  on({&gen8, &gen9}, [&](Engine& e) {
    EXPECT_TRUE(e.run(join({e.set_up(), in_group(5, false, 0xA0), {0x70040000, 0}, invalid})));
    EXPECT_EQ(e.started(), 1u);
  });
  on({&gen6}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({{0x70040000, 0}, {0x00400123}, end()})));
    EXPECT_EQ(e.state.registers.get(0x2094), 0x123u);
  });
}
TEST(MediaRows, MEDIA_OBJECT_WALKER) {
  on({&gen6, &gen8, &gen9}, [](Engine& e) {
    Dwords walk(18);
    walk[0] = 0x71030010;
    walk[7] = 0x3FF;                   // local loop count
    walk[8] = walk[13] = 2 << 16 | 4;  // block and global resolution
    walk[11] = 1 << 16;                // down by one
    walk[12] = 1;                      // right by one
    walk[17] = 0xAB;
    ASSERT_RUNS(e.run(join({e.set_up(), walk, end()})));
    ASSERT_EQ(e.started(), 8u);
    EXPECT_EQ(e.r1(7), 0xABu);
  });
}
TEST(MediaRows, MEDIA_POOL_STATE) {
  on({&gen9_lp}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({{0x70050004, 1u << 31, 0x00777000, 0, 0, 0}, end()})));
    EXPECT_TRUE(e.state.media.pool.enable);
    EXPECT_EQ(e.state.media.pool.configuration, 0x00777000u);
  });
}
TEST(MediaRows, GPGPU_CSR_BASE_ADDRESS) {
  on({&gen8, &gen9}, [](Engine& e) {
    ASSERT_RUNS(e.run(join({{0x61040001, 0x5000, 1}, end()})));
    EXPECT_EQ(e.state.media.csr_base, 0x1'0000'5000u);
  });
}
TEST(MediaRows, GPGPU_WALKER) {
  constexpr uint32_t predicated = 1 << 8, indirect = 1 << 10;
  const auto walk = [](uint32_t bits) {
    return Dwords{0x7105000D | bits, 0, 0, 0, 0x40000000, 0, 0, 3, 0, 0, 2, 0, 2, 0xFFFF, 0xFFFFFFFF};
  };
  on({&gen8, &gen9}, [&](Engine& e) {
    ASSERT_RUNS(e.run(join({e.set_up(), walk(0), end()})));
    EXPECT_EQ(e.started(), 12u);
    EXPECT_EQ(e.heaps.by_group().back().r(0, 1), 2u);
    EXPECT_EQ(e.heaps.by_group().back().r(0, 7), 1u);
    EXPECT_EQ(e.state.registers.get64(0x2290), 12u * 16);  // CS_INVOCATION_COUNT
    ASSERT_RUNS(e.run(join({bench::lri(0x2418, 0), walk(predicated), end()})));
    EXPECT_EQ(e.started(), 12u);
    ASSERT_RUNS(
        e.run(join({bench::lri(0x2500, 2), bench::lri(0x2504, 1), bench::lri(0x2508, 1), walk(indirect), end()})));
    EXPECT_EQ(e.started(), 14u);
  });
}

}  // namespace
}  // namespace vitro::streamer
