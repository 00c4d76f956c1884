// Every MI command on every engine that has it, on every generation: what it does to memory and registers there. The
// finer points of each command are in the other tests. PRM: Gen8 vol 2a MI_*, the "Source" lines; Gen6 vol 1 part 5.
#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;
constexpr uint32_t low = uint32_t(data);

// A bench for each generation and engine that executes the command. Gen6's addresses have one dword.
struct Engine : Bench {
  Engine(const CommandSet& set, commands::Engine e)
      : Bench(set, e), gen6(&set == &commands_gen6), base(registers::engine_bases[size_t(e)]) {
    command_budget = 100;
  }
  bool gen6;
  uint32_t base;  // of its registers

  Dwords store(uint64_t address, uint32_t value) const {
    return gen6 ? sdi_gen6(uint32_t(address), value) : sdi(address, value);
  }
  uint32_t own(uint32_t offset) const { return reg(base + offset); }
};

template <class Test>
void on_every_engine(std::string_view name, Test test) {
  unsigned found = 0;
  for (const CommandSet* set : every)
    for (size_t n = 0; n < commands::engine_count; ++n) {
      const auto engine = commands::Engine(n);
      const bool has = std::any_of(set->rows().begin(), set->rows().end(), [&](const Row& r) {
        return r.name == name && r.effect == Effect::execute && r.engines & commands::set_of(engine);
      });
      if (!has) continue;
      ++found;
      SCOPED_TRACE(fmt::format("{} {}", set->name, commands::engine_names[n]));
      Engine e(*set, engine);
      test(e);
    }
  EXPECT_GT(found, 0u) << name;
}
// The command is passed with its right length: the next one runs.
void passes(Engine& e, const Dwords& command) {
  ASSERT_RUNS(e.run(join({command, {0x00400155}, end()})));
  EXPECT_EQ(e.own(0x94), 0x155u);
}

TEST(Engines, MI_NOOP) {
  on_every_engine("MI_NOOP", [](Engine& e) {
    ASSERT_RUNS(e.run(join({{0x00400123}, {0x00000124}, end()})));
    EXPECT_EQ(e.own(0x94), 0x123u);
  });
}
TEST(Engines, MI_FLUSH) {
  on_every_engine("MI_FLUSH", [](Engine& e) { passes(e, mi(0x04)); });
  Engine blitter(commands_gen9, commands::Engine::copy);
  passes(blitter, mi(0x04));
}
TEST(Engines, MI_USER_INTERRUPT) {
  on_every_engine("MI_USER_INTERRUPT", [](Engine& e) {
    ASSERT_RUNS(e.run(join({mi(0x02), end()})));
    EXPECT_EQ(e.interrupts, 1u);
  });
}
TEST(Engines, MI_ARB_CHECK) {
  on_every_engine("MI_ARB_CHECK", [](Engine& e) { passes(e, mi(0x05)); });
}
TEST(Engines, MI_SUSPEND_FLUSH) {
  on_every_engine("MI_SUSPEND_FLUSH", [](Engine& e) { passes(e, mi(0x0B, 1)); });
}
TEST(Engines, MI_WAIT_FOR_EVENT) {
  on_every_engine("MI_WAIT_FOR_EVENT", [](Engine& e) { passes(e, mi(0x03, 1 << 3)); });
}
TEST(Engines, MI_FORCE_WAKEUP) {
  on_every_engine("MI_FORCE_WAKEUP", [](Engine& e) { passes(e, mi(0x1D, 0, {0x00030003})); });
}
TEST(Engines, MI_LOAD_SCAN_LINES_INCL) {
  on_every_engine("MI_LOAD_SCAN_LINES_INCL", [](Engine& e) { passes(e, mi(0x12, 0, {0x00100020})); });
}
TEST(Engines, MI_LOAD_SCAN_LINES_EXCL) {
  on_every_engine("MI_LOAD_SCAN_LINES_EXCL", [](Engine& e) { passes(e, mi(0x13, 0, {0x00100020})); });
}
TEST(Engines, MI_ARB_ON_OFF) {
  on_every_engine("MI_ARB_ON_OFF", [](Engine& e) {
    ASSERT_RUNS(e.run(join({mi(0x08, 0), end()})));
    EXPECT_TRUE(e.state.arbitration);
    ASSERT_RUNS(e.run_privileged(join({mi(0x08, 0), end()})));
    EXPECT_FALSE(e.state.arbitration);
  });
}
// In a user batch NOOPs that are counted.
void refuses_users(Engine& e, const char* name, const Dwords& command) {
  passes(e, command);
  EXPECT_EQ(e.counts.privileged[name], 1u);
  const auto fault = e.run_privileged(join({command, end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, std::string("unsupported: ") + name);
}
TEST(Engines, MI_DISPLAY_FLIP) {
  on_every_engine("MI_DISPLAY_FLIP", [](Engine& e) {
    refuses_users(e, "MI_DISPLAY_FLIP", mi(0x14, 0, {0x40, 0x1000}));
  });
}
TEST(Engines, MI_UPDATE_GTT) {
  on_every_engine("MI_UPDATE_GTT", [](Engine& e) { refuses_users(e, "MI_UPDATE_GTT", mi(0x23, 0, {0x1000, 1, 0})); });
}
TEST(Engines, MI_REPORT_HEAD) {
  on_every_engine("MI_REPORT_HEAD", [](Engine& e) {
    const Dwords ring = join({{0}, mi(0x07), {0}});
    std::memcpy(e.ggtt_bytes.data(), ring.data(), 4 * ring.size());
    ASSERT_RUNS(e.start({Bench::ggtt_at, true, Level::ring, 4 * ring.size()}));
    EXPECT_EQ(e.state.status_page[4], Bench::ggtt_at + 8);
  });
}
TEST(Engines, MI_BATCH_BUFFER_END) {
  on_every_engine("MI_BATCH_BUFFER_END", [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.store(data, 1), end(), e.store(data, 2), end()})));
    EXPECT_EQ(e.at(data), 1u);
  });
}
TEST(Engines, MI_BATCH_BUFFER_START) {
  on_every_engine("MI_BATCH_BUFFER_START", [](Engine& e) {
    const uint64_t other = Bench::batch_at + 0x4000;
    e.place(other, join({e.store(data, 7), end()}));
    const Dwords start = e.gen6 ? Dwords{0x18800100, uint32_t(other)} : bbs(other);
    ASSERT_RUNS(e.run(join({start, e.store(data + 4, 8), end()})));
    EXPECT_EQ(e.at(data), 7u);
    EXPECT_EQ(e.at(data + 4), 0u);
  });
}
TEST(Engines, MI_CONDITIONAL_BATCH_BUFFER_END) {
  on_every_engine("MI_CONDITIONAL_BATCH_BUFFER_END", [](Engine& e) {
    for (const uint32_t memory : {5u, 6u}) {
      e.at(data) = 0;
      e.qword_at(data + 8) = 0xFFFFFFFF'00000000u | memory;  // Gen8's video engine takes the high dword as a mask
      const Dwords condition =
          e.gen6 ? Dwords{0x1B200001, 5, low + 8} : Dwords{0x1B000002 | 1 << 21, 5, low + 8, uint32_t(data >> 32)};
      ASSERT_RUNS(e.run(join({condition, e.store(data, 1), end()})));
      EXPECT_EQ(e.at(data), memory > 5 ? 1u : 0u);
    }
  });
}
TEST(Engines, MI_STORE_DATA_IMM) {
  on_every_engine("MI_STORE_DATA_IMM", [](Engine& e) {
    ASSERT_RUNS(e.run(join({e.store(data + 4, 5), end()})));
    EXPECT_EQ(e.qword_at(data), 0x5'0000'0000u);
    EXPECT_EQ(e.at(data + 8), 0u);
  });
}
TEST(Engines, MI_STORE_DATA_INDEX) {
  on_every_engine("MI_STORE_DATA_INDEX", [](Engine& e) {
    const uint32_t per_process = e.gen6 ? 0 : 1 << 21;
    ASSERT_RUNS(e.run(join({mi(0x21, per_process, {0x88, 6, 7}), end()})));
    const auto& page = e.gen6 ? e.state.global_status_page : e.state.status_page;
    EXPECT_EQ(page[0x22], 6u);
    EXPECT_EQ(page[0x23], 7u);
  });
}
TEST(Engines, MI_LOAD_REGISTER_IMM) {
  on_every_engine("MI_LOAD_REGISTER_IMM", [](Engine& e) {
    ASSERT_RUNS(e.run(join({lri64(e.base + 0x600, 0x6'0000'0005), end()})));
    EXPECT_EQ(e.own(0x600), 5u);
    EXPECT_EQ(e.own(0x604), 6u);
  });
}
TEST(Engines, MI_STORE_REGISTER_MEM) {
  on_every_engine("MI_STORE_REGISTER_MEM", [](Engine& e) {
    const uint32_t reg = e.base + 0x600;
    const Dwords store = e.gen6 ? Dwords{0x12000001, reg, low} : srm(reg, data);
    ASSERT_RUNS(e.run(join({lri(reg, 5), store, end()})));
    EXPECT_EQ(e.qword_at(data), 5u);
  });
}
TEST(Engines, MI_LOAD_REGISTER_MEM) {
  on_every_engine("MI_LOAD_REGISTER_MEM", [](Engine& e) {
    e.at(data) = 5;
    ASSERT_RUNS(e.run(join({mi(0x29, 0, {e.base + 0x600, low, 0}), end()})));
    EXPECT_EQ(e.own(0x600), 5u);
  });
}
TEST(Engines, MI_LOAD_REGISTER_REG) {
  on_every_engine("MI_LOAD_REGISTER_REG", [](Engine& e) {
    ASSERT_RUNS(e.run(join({lri(e.base + 0x600, 5), mi(0x2A, 0, {e.base + 0x600, e.base + 0x610}), end()})));
    EXPECT_EQ(e.own(0x610), 5u);
  });
}
TEST(Engines, MI_COPY_MEM_MEM) {
  on_every_engine("MI_COPY_MEM_MEM", [](Engine& e) {
    e.qword_at(data) = 0x6'0000'0005;
    ASSERT_RUNS(e.run(join({mi(0x2E, 0, {low + 8, 0, low, 0}), end()})));
    EXPECT_EQ(e.qword_at(data + 8), 5u);
  });
}
TEST(Engines, MI_MATH) {
  on_every_engine("MI_MATH", [](Engine& e) {
    const uint32_t gpr = e.base + 0x600;
    // R2 = R0 + R1
    const Dwords sum =
        mi(0x1A, 0,
           {0x080u << 20 | 0x20 << 10, 0x080u << 20 | 0x21 << 10 | 1, 0x100u << 20, 0x180u << 20 | 2 << 10 | 0x31});
    ASSERT_RUNS(e.run(join({lri64(gpr, 0xFFFFFFFF), lri64(gpr + 8, 6), sum, end()})));
    EXPECT_EQ(e.state.registers.gpr(2), 0x1'0000'0005u);
  });
}
TEST(Engines, MI_ATOMIC) {
  on_every_engine("MI_ATOMIC", [](Engine& e) {
    e.qword_at(data) = 0x7'0000'0005;
    const uint32_t increment = 5 << 8, returned = 1 << 16;
    ASSERT_RUNS(e.run(join({mi(0x2F, increment | returned, {low, 0}), end()})));
    EXPECT_EQ(e.qword_at(data), 0x7'0000'0006u);
    EXPECT_EQ(e.state.registers.gpr(4), 5u);
  });
}
TEST(Engines, MI_SEMAPHORE_SIGNAL) {
  on_every_engine("MI_SEMAPHORE_SIGNAL", [](Engine& e) {
    passes(e, mi(0x1B, 0, {3}));
    EXPECT_EQ(e.counts.signals, 1u);
  });
}
TEST(Engines, MI_SEMAPHORE_WAIT) {
  on_every_engine("MI_SEMAPHORE_WAIT", [](Engine& e) {
    e.patience = std::chrono::milliseconds(0);
    e.at(data) = 5;
    const auto equal = [](uint32_t value) { return mi(0x1C, 4 << 12 | 1 << 15, {value, low, 0}); };
    passes(e, equal(5));
    EXPECT_TRUE(e.run(join({equal(6), end()})));
  });
}
TEST(Engines, MI_SEMAPHORE_MBOX) {
  on_every_engine("MI_SEMAPHORE_MBOX", [](Engine& e) {
    ASSERT_RUNS(e.run(join({mi(0x16, 1 << 21, {5, low}), end()})));
    EXPECT_EQ(e.at(data), 5u);
  });
}
TEST(Engines, MI_FLUSH_DW) {
  on_every_engine("MI_FLUSH_DW", [](Engine& e) {
    const Dwords flush = e.gen6 ? Dwords{0x13000002 | 1 << 14, low, 5, 6} : Dwords{0x13000003 | 1 << 14, low, 0, 5, 6};
    ASSERT_RUNS(e.run(join({flush, end()})));
    EXPECT_EQ(e.qword_at(data), 0x6'0000'0005u);
  });
}
// Work is refused by its name, and state is kept by its name, whatever the fixed function.
TEST(Engines, EveryCommandWithoutAHandlerIsKeptOrRefused) {
  for (const CommandSet* set : every)
    for (const Row& row : set->rows())
      for (size_t n = 0; n < commands::engine_count; ++n) {
        const uint32_t header = row.header | (row.length.field & 3);
        if (row.effect == Effect::execute || set->find(header, commands::Engine(n)) != &row) continue;
        Bench b(*set, commands::Engine(n));
        Dwords packet(row.length.dwords(header));
        packet[0] = header;
        const auto fault = b.run(join({packet, end()}));
        if (row.effect == Effect::keep) {
          EXPECT_FALSE(fault) << row.name << " " << text(fault);
          EXPECT_EQ(b.state.packets[row.name], packet) << row.name;
        } else {
          ASSERT_TRUE(fault) << row.name;
          EXPECT_EQ(fault->reason, fmt::format("unsupported: {}", row.name));
        }
      }
}

}  // namespace
}  // namespace vitro::streamer
