// Tests of the tiers that need no compiler: names, what is interpreted, and compilers that do not come to an end.
#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "dispatch/tiers_test.h"

namespace vitro::dispatch {
namespace {

using testing::loop_kernel;
using testing::Tiers;

TEST(Tier, NamesOfModes) {
  EXPECT_EQ(parse_tiering("off"), Tiering::off);
  EXPECT_EQ(parse_tiering("on"), Tiering::on);
  EXPECT_EQ(parse_tiering("auto"), Tiering::automatic);
  EXPECT_FALSE(parse_tiering("always"));
}

TEST(Tier, OffInterpretsEverything) {
  Tiers t({.tiering = Tiering::off});
  t.plain.use(loop_kernel(10));
  EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);
  EXPECT_EQ(t.tier.counts().compiled, 0u);
}

// A compiler that does not come to an end, but with kernels that are told apart by what they begin with.
struct Stuck {
  std::mutex lock{};
  std::condition_variable changed{};
  bool released = false;
  std::atomic<int> begun{0}, ended{0};

  static bool is_meant(const eu::Program& program) { return program.plans()[0].instruction.imm == 0; }
  std::vector<std::byte> generate(const eu::Program& program, const eu::jit::Options& options) {
    ++begun;
    if (is_meant(program)) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return released; });
    }
    std::vector<std::byte> bytes = eu::jit::generate(program, options);
    ++ended;
    return bytes;
  }
  Tier::Generate function() {
    return [this](const eu::Program& p, const eu::jit::Options& o) { return generate(p, o); };
  }
  void release() {
    const std::lock_guard guard(lock);
    released = true;
    changed.notify_all();
  }
  // For 30 s at most.
  static bool in_time(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
  }
};

TEST(Tier, OnGivesUpACompilerThatDoesNotEnd) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::on, .allowed_ms = 20, .allowed_ms_each = 0}, 2, stuck.function());
    t.plain.use(loop_kernel(10));
    EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);
    EXPECT_EQ(t.tier.counts().failed, 1u);
    EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);  // without waiting again
    EXPECT_EQ(stuck.begun, 1);
    // what comes late is taken all the same
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return t.tier.counts().failed == (eu::jit::available() ? 0u : 1u); }));
    EXPECT_EQ(t.run(50, 10).compiled_threads, eu::jit::available() ? 50u : 0u);
  }
  EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 1; }));
}

TEST(Tier, OthersTakeTheOrdersOfOneThatDoesNotEnd) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::automatic, .patience = 1, .allowed_ms = 20, .allowed_ms_each = 0}, 2,
            stuck.function());
    t.plain.use(loop_kernel(10, 0));
    t.run(50, 10);
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.begun == 1; }));
    t.plain.use(loop_kernel(10, 1));
    EXPECT_TRUE(Stuck::in_time([&] { return t.run(50, 10).compiled_threads > 0 || stuck.ended == 1; }));
    EXPECT_EQ(stuck.begun, 2);
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 2; }));
  }
}

// Not without end: at some point the machine belongs to the program.
TEST(Tier, FewAreLeftToThemselves) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::on, .allowed_ms = 5, .allowed_ms_each = 0}, 2, stuck.function());
    for (int n = 0; n < 10; ++n) {
      t.plain.use(loop_kernel(10 + n));
      EXPECT_EQ(t.run(20, 10 + n).compiled_threads, 0u);
    }
    EXPECT_EQ(stuck.begun, 3);
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 3; }));
  }
}

}  // namespace
}  // namespace vitro::dispatch
