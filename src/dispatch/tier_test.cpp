// Tests of the tiers that need no compiler: names, what is interpreted, when compiling pays, and compilers that do not
// come to an end.
#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "code/build.h"
#include "code/order.h"
#include "dispatch/tier_account.h"
#include "dispatch/tiers_test.h"
#include "gen/models.h"

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

// A host whose interpreter takes as long for a thread as it is told, and whose compiler makes nothing, in as long as it
// is told. With one worker, which is the thread that tests.
struct Host {
  uint64_t thread_ns, compile_ns;
  uint64_t tenth = 1;  // every tenth thread takes so many times as long
  uint64_t readings = 0;
  std::thread::id tester = std::this_thread::get_id();
  std::atomic<uint64_t> interpreting{0}, compiling{0};
  std::atomic<int> compiled{0};

  Tier::Compile compile() {
    return [this](std::span<const std::byte>) {
      ++compiled;
      return std::vector<std::byte>();
    };
  }
  // Read at the begin and the end of what is timed: a thread here, a program there.
  Tier::Clock clock() {
    return [this]() -> uint64_t {
      if (std::this_thread::get_id() != tester) return compiling += compile_ns;
      return interpreting += thread_ns * (++readings % 20 == 0 ? tenth : 1);
    };
  }
  // Until so many are compiled; and there has been time for more.
  void settle(int expected) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (compiled < expected && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
};
constexpr uint64_t us = 1000, ms = 1'000'000;

// Ten instructions, at first expected to take 5 ms and 15 ms for the library: for 60 ms it must be interpreted, a
// thread at a time, for nothing is known of what will come.
TEST(Tier, CompilesWhatHasBeenInterpretedForThreeTimesAsLong) {
  Host host{.thread_ns = 20 * us, .compile_ns = 10 * ms};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  t.plain.use(loop_kernel(10));
  for (int n = 0; n < 29; ++n) t.run(100, 10);  // 58 ms
  host.settle(0);
  EXPECT_EQ(host.compiled, 0);
  for (int n = 0; n < 8; ++n) t.run(100, 10);
  host.settle(1);
  EXPECT_EQ(host.compiled, 1);
}

// 5 ms for a routine, and 15 ms for the library before the first one.
TEST(Tier, TheFirstRoutineIsWorthTheLibrary) {
  Host host{.thread_ns = us, .compile_ns = ms};
  Tier tier({.tiering = Tiering::automatic}, host.compile(), host.clock());
  constexpr std::byte keys[] = {std::byte(0), std::byte(1)};
  const auto use = [&](size_t n) { tier.routines()->used(*tier.routines()->find({&keys[n], 1}), 16'384); };
  for (int n = 0; n < 3; ++n) use(0);
  host.settle(0);
  EXPECT_EQ(host.compiled, 0);
  use(0);
  host.settle(1);
  EXPECT_EQ(host.compiled, 1);
  use(1);
  host.settle(2);
  EXPECT_EQ(host.compiled, 2);
}

// A dispatch of 400 ms: it is known from its beginning that most of it is still to come.
TEST(Tier, CompilesWhatIsKnownToRunLong) {
  Host host{.thread_ns = 100 * us, .compile_ns = 10 * ms};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  t.plain.use(loop_kernel(50));
  const auto* slot = &t.plain.stage.state.kernel->tier->slots[0];
  uint64_t ordered_after = 0;
  t.plain.run_with.observer = {.before =
                                   [](void* context, const eu::Thread&, const eu::Plan&, uint32_t) {
                                     auto& [s, after] = *static_cast<std::pair<decltype(slot), uint64_t*>*>(context);
                                     if (s->asked == KernelTier::Wish::code && !*after) *after = s->ended;
                                   },
                               .context = nullptr};
  std::pair<decltype(slot), uint64_t*> watched{slot, &ordered_after};
  t.plain.run_with.observer.context = &watched;
  t.run(4000, 50);
  EXPECT_GT(ordered_after, 0u);
  EXPECT_LT(ordered_after, 1000u);
}

// The same number of threads, each of a kernel of its own: nothing is to be gained.
TEST(Tier, LeavesManySmallKernelsToTheInterpreter) {
  Host host{.thread_ns = 20 * us, .compile_ns = 10 * ms};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  for (int n = 0; n < 140; ++n) {
    t.plain.use(loop_kernel(10, n));
    for (int round = 0; round < 2; ++round) t.run(1000, 10);  // 40 ms
  }
  host.settle(0);
  EXPECT_EQ(host.compiled, 0);
}

// A thread that takes a hundred times as long as others has met a new page or a cold cache, not costly instructions.
TEST(Tier, IsNotMisledByThreadsThatMeetSomethingElse) {
  Host host{.thread_ns = 20 * us, .compile_ns = 10 * ms, .tenth = 100};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  t.plain.use(loop_kernel(10));
  for (int round = 0; round < 2; ++round) t.run(1000, 10);  // 40 ms
  host.settle(0);
  EXPECT_GT(host.readings, 20u);
  EXPECT_EQ(host.compiled, 0);
}

// Whatever they do, compiling takes at most a third of what was interpreted; and when nothing comes of it, ever less.
TEST(Tier, CompilingTakesASmallPartOfTheTime) {
  Host host{.thread_ns = 40 * us, .compile_ns = 30 * ms};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  int before = 0, halfway = 0;
  for (int n = 0; n < 60; ++n) {
    t.plain.use(loop_kernel(10, n));
    for (int round = 0; round < 4; ++round) t.run(1000, 10);  // 160 ms
    host.settle(before);
    before = host.compiled;
    if (n == 29) halfway = before;
  }
  EXPECT_GT(halfway, 0);
  EXPECT_LT(before * 30, 60 * 160 / 3);
  EXPECT_LT(before - halfway, halfway);
}

TEST(TierAccount, LearnsWhatCompilingCosts) {
  TierAccount a;
  EXPECT_EQ(a.compiling_ns(100), 65e6);
  a.compiled(100, 100 * ms);
  EXPECT_EQ(a.compiling_ns(100), 62.5e6);  // (300 * 0.5 + 100) / 400 each, and the library is there
  for (int n = 0; n < 1000; ++n) a.compiled(100, 200 * ms);
  EXPECT_NEAR(a.compiling_ns(100), 200e6, 1e6);
}

TEST(TierAccount, AsksMoreWhenNothingComesBack) {
  TierAccount a;
  const auto price = [&] { return a.compiling_ns(100); };
  EXPECT_TRUE(a.pays(100, 3 * price(), 0, 3));
  EXPECT_TRUE(a.pays(100, 0, 3 * price(), 3));
  EXPECT_FALSE(a.pays(100, 2.9 * price(), 2.9 * price(), 3));
  a.compiled(1000, 900 * ms);
  EXPECT_FALSE(a.pays(100, 29 * price(), 0, 3));  // (900 + 100) / 100
  EXPECT_TRUE(a.pays(100, 31 * price(), 0, 3));
  a.ran(1000e6);
  EXPECT_EQ(a.saved_ns(), 800 * ms);
  EXPECT_TRUE(a.pays(100, 3.5 * price(), 0, 3));
  a.ran(1e12);
  EXPECT_TRUE(a.pays(100, 3 * price(), 0, 3));
  EXPECT_FALSE(a.pays(100, 2.9 * price(), 0, 3));
}

// A kernel with this routine in the place of its first message, of so many messages.
struct OneRoutine {
  std::array<std::byte, 1> key;
  RoutineInUse in_use{.instruction = 9, .key = key};
  FusedCode* of(Tiers& t) {
    const auto& kernel = t.plain.stage.state.kernel;
    return t.tier.fused(kernel, kernel->tier->slots[0], {&in_use, 1});
  }
  void use(Tiers& t, uint64_t messages) {
    const auto& kernel = t.plain.stage.state.kernel;
    t.tier.used(kernel, kernel->tier->slots[0], *of(t), messages);
  }
};

TEST(Tier, FusesTheFirstSetsOfRoutinesThatAreUsedForLong) {
  Host host{.thread_ns = us, .compile_ns = ms};
  Tiers t({.tiering = Tiering::automatic}, 1, host.compile(), host.clock());
  t.plain.use(loop_kernel(10));
  OneRoutine one{{std::byte(1)}};
  ASSERT_TRUE(one.of(t));
  EXPECT_EQ(one.of(t), one.of(t));
  for (int n = 0; n < 3; ++n) one.use(t, 1'000'000);
  host.settle(0);
  EXPECT_EQ(host.compiled, 0);
  for (int n = 0; n < 3; ++n) one.use(t, 1'000'000);
  host.settle(1);
  EXPECT_EQ(host.compiled, 1);
  for (uint8_t n = 2; n <= FusedCodes::most_known; ++n) {
    OneRoutine other{{std::byte(n)}};
    EXPECT_NE(other.of(t), one.of(t));
    other.use(t, 10'000'000);
  }
  EXPECT_EQ(OneRoutine{{std::byte(100)}}.of(t), nullptr);
  host.settle(FusedCodes::most_made);
  EXPECT_EQ(host.compiled, int(FusedCodes::most_made));
}

TEST(Tier, FusesAtOnceOrNever) {
  for (const Fusing fusing : {Fusing::at_once, Fusing::never}) {
    Host host{.thread_ns = us, .compile_ns = ms};
    Tiers t({.tiering = Tiering::automatic, .fusing = fusing}, 1, host.compile(), host.clock());
    t.plain.use(loop_kernel(10));
    OneRoutine one{{std::byte(1)}};
    const bool fuses = fusing == Fusing::at_once;
    for (int n = 0; n < 2; ++n) EXPECT_EQ(one.of(t) != nullptr, fuses);
    EXPECT_EQ(host.compiled, int(fuses));
  }
}

TEST(FusedCodes, AreFoundByAllTheirRoutines) {
  constexpr std::byte a[] = {std::byte(1)}, b[] = {std::byte(2)};
  const RoutineInUse both[] = {{3, a}, {5, b}}, first[] = {{3, a}}, other[] = {{3, b}}, last[] = {{3, b}, {5, b}};
  FusedCodes all;
  FusedCode* const of_both = all.find(both);
  EXPECT_EQ(all.find(both), of_both);
  EXPECT_NE(all.find(first), of_both);
  EXPECT_EQ(all.nearest(both), nullptr);  // there is no code
  EXPECT_EQ(of_both->common(first), 1u);
  EXPECT_EQ(of_both->common(other), 0u);
  EXPECT_EQ(of_both->common(last), 1u);
}

// A compiler that does not come to an end, but with kernels that are told apart by what they begin with.
struct Stuck {
  std::mutex lock{};
  std::condition_variable changed{};
  bool released = false;
  std::atomic<int> begun{0}, ended{0};

  static bool is_meant(std::span<const std::byte> order) {
    return eu::Program(gen::gen9(), code::to_order(order)->kernel).plans()[0].instruction.imm == 0;
  }
  std::vector<std::byte> compile(std::span<const std::byte> order) {
    ++begun;
    if (is_meant(order)) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return released; });
    }
    std::vector<std::byte> bytes = code::compile(order);
    ++ended;
    return bytes;
  }
  Tier::Compile function() {
    return [this](std::span<const std::byte> order) { return compile(order); };
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
    EXPECT_EQ(t.tier.counts().given_up, 1u);
    EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);  // without waiting again
    EXPECT_EQ(stuck.begun, 1);
    // what comes late is taken all the same
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return t.tier.counts().given_up == 0; }));
    EXPECT_EQ(t.run(50, 10).compiled_threads, code::has_compiler ? 50u : 0u);
  }
  EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 1; }));
}

TEST(Tier, OthersTakeTheOrdersOfOneThatDoesNotEnd) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::automatic, .patience = 0, .look_after = 0, .allowed_ms = 20, .allowed_ms_each = 0}, 2,
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
