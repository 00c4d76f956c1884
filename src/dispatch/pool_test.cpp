// Groups of threads on host threads: every thread runs once with its own payload, groups meet at their barriers, faults
// and endless loops end a dispatch, a forked child goes on. Kernels are assembled text; what they store goes through a
// small shared function in place of a data port.
#include "dispatch/pool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

#include "dispatch/kernels_test.h"

namespace {
std::atomic<int> yields{0};
}
// In place of the library's, here.
extern "C" int sched_yield() noexcept { return ++yields, 0; }

namespace vitro::dispatch {
namespace {

using testing::Bench;

// r0.1 and r0.2 are the numbers of group and thread; the kernel adds seven and stores at group * threads + thread.
std::string store_kernel(int threads) {
  return fmt::format(
             "(W) mul (1|M0) r10.0<1>:d r0.1<0;1,0>:d {}:w\n"
             "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r0.2<0;1,0>:d\n"
             "(W) add (1|M0) r10.1<1>:d r10.0<0;1,0>:d 7:w\n",
             threads) +
         testing::store(10) + testing::end();
}

// Tasks for which others are called at once.
constexpr Pool::TaskTime much{.ns = 1e6};

TEST(Pool, EachTaskIsDoneOnceAndNoTwoWorkersAreTheSame) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    struct {
      std::array<std::atomic<int>, 500> done{};
      std::array<std::atomic<bool>, 4> busy{};
      std::atomic<int> clashes{0};
    } seen;
    const auto task = [](void* context, unsigned worker, uint64_t n) {
      auto& s = *static_cast<decltype(seen)*>(context);
      if (s.busy[worker].exchange(true)) ++s.clashes;
      ++s.done[n];
      s.busy[worker] = false;
    };
    Pool::TaskTime time = much;
    for (int round = 0; round < 20; ++round) b.pool.each(seen.done.size(), task, &seen, time);
    for (const std::atomic<int>& d : seen.done) EXPECT_EQ(d, 20);
    EXPECT_EQ(seen.clashes, 0);
  }
}

// There are those who take a program's sched_yield for something else.
TEST(Pool, GivesWayWithoutTheProgramsFunction) {
  Bench b(2);
  const auto task = [](void*, unsigned, uint64_t n) {
    if (n == 1) std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  const int before = yields;
  for (int round = 0; round < 20; ++round) {
    Pool::TaskTime time = much;
    b.pool.each(2, task, nullptr, time);
  }
  EXPECT_EQ(yields, before);
}

TEST(Pool, CallsNobodyForTasksThatAreLittleWork) {
  Bench b(2);
  std::atomic<unsigned> others{0};
  const auto task = [](void* context, unsigned worker, uint64_t) {
    *static_cast<std::atomic<unsigned>*>(context) += worker;
  };
  Pool::TaskTime time;
  int little = 0;
  for (int round = 0; round < 100; ++round) {
    time = {};
    others = 0;
    b.pool.each(10, task, &others, time);
    EXPECT_GT(time.ns, 0);
    if (time.ns >= 2'000) continue;  // somebody else had the processor
    ++little;
    EXPECT_EQ(others, 0u);
  }
  EXPECT_GT(little, 0);
}

// When the first ones have taken long, be they expected to or not.
TEST(Pool, CallsOthersForTasksThatAreMuchWork) {
  for (double expected : {0.0, 1e6}) {
    Bench b(2);
    struct {
      std::mutex lock;
      std::set<unsigned> workers;
    } seen;
    const auto task = [](void* context, unsigned worker, uint64_t) {
      auto& s = *static_cast<decltype(seen)*>(context);
      {
        const std::lock_guard guard(s.lock);
        s.workers.insert(worker);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    Pool::TaskTime time{.ns = expected};
    for (int round = 0; round < 100 && seen.workers.size() < 2; ++round) {
      time.ns = expected;
      b.pool.each(50, task, &seen, time);
    }
    EXPECT_EQ(seen.workers.size(), 2u);
    EXPECT_GT(time.ns, 500'000);
    const double before = time.ns;
    b.pool.each(
        2, [](void*, unsigned, uint64_t) {}, nullptr, time);
    EXPECT_GE(time.ns, before / 2);
  }
}

// Others do the tasks while the one who has begun them does something else.
TEST(Pool, EachInTwoSteps) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    struct {
      std::array<std::atomic<int>, 100> done{};
      std::atomic<int> all{0};
      std::atomic<bool> finishing{false};
      std::atomic<int> too_early{0};
    } seen;
    const auto task = [](void* context, unsigned worker, uint64_t n) {
      auto& s = *static_cast<decltype(seen)*>(context);
      if (worker == 0 && !s.finishing) ++s.too_early;
      ++s.done[n], ++s.all;
    };
    Pool::TaskTime time = much;
    const auto begun = b.pool.begin_each(seen.done.size(), task, &seen, time);
    ASSERT_EQ(bool(begun), workers > 1);
    if (!begun) continue;
    while (seen.all < int(seen.done.size())) std::this_thread::yield();
    seen.finishing = true;
    b.pool.finish_each(*begun, time);
    EXPECT_GE(time.ns, much.ns / 2);
    Pool::TaskTime little{.ns = 1};
    EXPECT_FALSE(b.pool.begin_each(seen.done.size(), task, &seen, little));
    for (const std::atomic<int>& d : seen.done) EXPECT_EQ(d, 1);
    EXPECT_EQ(seen.too_early, 0);
  }
}

// So that what one left in its caches, it finds there the next time.
TEST(Pool, EachBeginsWithAShareOfItsOwn) {
  Bench b(2);
  struct {
    std::array<std::atomic<int64_t>, 2> first{-1, -1};
    bool both() const { return first[0] >= 0 && first[1] >= 0; }
  } seen;
  const auto task = [](void* context, unsigned worker, uint64_t n) {
    auto& s = *static_cast<decltype(seen)*>(context);
    int64_t none = -1;
    s.first[worker].compare_exchange_strong(none, int64_t(n));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!s.both() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  };
  for (int round = 0; round < 3; ++round) {
    seen.first[0] = seen.first[1] = -1;
    Pool::TaskTime time = much;
    b.pool.each(100, task, &seen, time);
    EXPECT_EQ(seen.first[0], 0);
    EXPECT_EQ(seen.first[1], 50);
  }
}

TEST(Pool, RunsEveryThreadOnce) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    b.threads.groups = 1000;
    b.threads.threads = 3;
    b.use(store_kernel(3));
    const Outcome o = b.run();
    ASSERT_FALSE(o.fault) << o.fault->text();
    EXPECT_EQ(o.counts.groups, 1000u);
    EXPECT_EQ(o.counts.threads, 3000u);
    EXPECT_EQ(o.counts.instructions, 3000u * 5);
    for (uint32_t n = 0; n < 3000; ++n) ASSERT_EQ(b.stored[n], n + 7);
  }
}

// Every thread begins without the status of the one before it, in both tiers.
TEST(Pool, CountsIllegalOpcodesThatArePassedOver) {
  Bench b(2);
  b.threads.groups = 100;
  b.threads.threads = 2;
  b.use("(W) mov (1|M0) r10.2<1>:ud cr0.1<0;1,0>:ud\nillegal\nillegal\n" +
        fmt::format("(W) mul (1|M0) r10.0<1>:d r0.1<0;1,0>:d 2:w\n"
                    "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r0.2<0;1,0>:d\n"
                    "(W) add (1|M0) r10.1<1>:d r10.2<0;1,0>:d 7:w\n") +
        testing::store(10) + testing::end());
  const Outcome o = b.run();
  ASSERT_FALSE(o.fault) << o.fault->text();
  for (uint32_t n = 0; n < 200; ++n) ASSERT_EQ(b.stored[n], 7u);
  ASSERT_EQ(o.counts.illegal.size(), 1u);
  EXPECT_EQ(o.counts.illegal.begin()->first, "kernel at 0x1000: illegal opcode 0x00 at 0x10");
  EXPECT_EQ(o.counts.illegal.begin()->second, 400u);
}

// One group is shared among host threads if its own threads share nothing.
TEST(Pool, DividesAGroupAmongWorkers) {
  for (unsigned threads : {1u, 2u, 7u, 56u}) {
    Bench b(4);
    b.threads.groups = 1;
    b.threads.threads = threads;
    b.use(store_kernel(int(threads)));
    b.check_fftids = true;
    ASSERT_TRUE(divisible(b.stage, b.threads));
    const Outcome o = b.run();
    ASSERT_FALSE(o.fault) << o.fault->text();
    EXPECT_EQ(o.counts.groups, 1u);
    EXPECT_EQ(o.counts.threads, threads);
    for (uint32_t n = 0; n < threads; ++n) ASSERT_EQ(b.stored[n], n + 7);
    EXPECT_FALSE(b.fftid_clash);
  }
}

TEST(Pool, DividesNoGroupWithSharedLocalMemory) {
  Bench b(4);
  b.threads.groups = 1;
  b.threads.threads = 8;
  b.stage.slm_bytes = 1024;
  b.use(store_kernel(8));
  EXPECT_FALSE(divisible(b.stage, b.threads));
  b.check_fftids = true;
  ASSERT_FALSE(b.run().fault);
  EXPECT_EQ(b.largest_fftid, 0u);
}

// All but number 5 spin until that one has stored, of what r0 has in this dword: 1 groups, 2 threads.
std::string spin_kernel(int dword) {
  return fmt::format(
             "(W) mov (1|M0) r14.0<1>:d 500:w\n(W) mov (1|M0) r14.1<1>:d 1:w\n"
             "(W) cmp (1|M0) (eq)f0.0 null<1>:d r0.{}<0;1,0>:d 5:w\n(W&~f0.0) jmpi SPIN\n",
             dword) +
         testing::store(14) + "SPIN:\n" + testing::load(15, 14) +
         "(W) cmp (1|M0) (eq)f0.0 null<1>:d r15.0<0;1,0>:d 0:w\n(W&f0.0) jmpi SPIN\n" + testing::end();
}

// Threads of a group run side by side, as on hardware.
TEST(Pool, LetsThreadsInBesideOnesThatSpin) {
  Bench b(1, 1000);
  b.threads.groups = 1;
  b.threads.threads = 6;
  b.use(spin_kernel(2));
  const Outcome o = b.run();
  ASSERT_FALSE(o.fault) << o.fault->text();
  EXPECT_EQ(o.counts.threads, 6u);
}

// Every thread stores its number + 1 in SLM, meets the others and stores the sum over all of them.
std::string barrier_kernel(int threads) {
  std::string text =
      "(W) mov (1|M0) r10.0<1>:d r0.2<0;1,0>:d\n"
      "(W) add (1|M0) r10.1<1>:d r0.2<0;1,0>:d 1:w\n" +
      testing::store_local(10) + "(W) mov (8|M0) r12.0<1>:ud 0:uw\n" +
      "(W) mov (1|M0) r12.2<1>:ud r0.3<0;1,0>:ud\n"
      "(W) send (8|M0) null r12 0x3 0x02000004\n"
      "(W) wait n0.0<0;1,0>:ud\n"
      "(W) mov (1|M0) r20.1<1>:d 0:w\n";
  for (int n = 0; n < threads; ++n)
    text += fmt::format("(W) mov (1|M0) r14.0<1>:d {}:w\n", n) + testing::load_local(15, 14) +
            "(W) add (1|M0) r20.1<1>:d r20.1<0;1,0>:d r15.0<0;1,0>:d\n";
  return text +
         fmt::format(
             "(W) mul (1|M0) r20.0<1>:d r0.1<0;1,0>:d {}:w\n"
             "(W) add (1|M0) r20.0<1>:d r20.0<0;1,0>:d r0.2<0;1,0>:d\n",
             threads) +
         testing::store(20) + testing::end();
}

TEST(Pool, GroupsMeetAtTheirBarriers) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    b.threads.groups = 100;
    b.threads.threads = 8;
    b.stage.barrier = true;
    b.stage.slm_bytes = 4096;
    b.use(barrier_kernel(8));
    ASSERT_TRUE(b.stage.state.kernel->waits);
    const Outcome o = b.run();
    ASSERT_FALSE(o.fault) << o.fault->text();
    for (uint32_t n = 0; n < 800; ++n) ASSERT_EQ(b.stored[n], 36u) << n;
  }
}

TEST(Pool, OneThreadMeetsItselfWithoutABarrierEnabled) {
  Bench b(1);
  b.threads.groups = 5;
  b.use(barrier_kernel(1));
  b.stage.slm_bytes = 1024;
  const Outcome o = b.run();
  ASSERT_FALSE(o.fault) << o.fault->text();
  EXPECT_EQ(b.stored[4], 1u);
}

TEST(Pool, NamesADeadlock) {
  Bench b(2);
  b.threads.groups = 3;
  b.threads.threads = 2;
  b.use("(W) wait n0.0<0;1,0>:ud\n" + testing::end());
  const Outcome o = b.run();
  ASSERT_TRUE(o.fault);
  EXPECT_TRUE(o.fault->hung);
  EXPECT_NE(o.fault->text().find("deadlock: 2 of 2 threads of the group wait in vain"), std::string::npos)
      << o.fault->text();
  EXPECT_NE(o.fault->instruction.find("wait"), std::string::npos);
}

TEST(Pool, EndsAnEndlessLoop) {
  Bench b(2);
  b.threads.groups = 8;
  b.run_with.instruction_limit = 50'000;
  b.use("HERE:\n(W) jmpi HERE\n" + testing::end());
  const Outcome o = b.run();
  ASSERT_TRUE(o.fault);
  EXPECT_TRUE(o.fault->hung);
  EXPECT_NE(o.fault->reason.find("endless loop"), std::string::npos);
  EXPECT_NE(o.fault->instruction.find("jmpi"), std::string::npos);
}

TEST(Pool, CanBeStopped) {
  for (unsigned workers : {1u, 2u}) {
    Bench b(workers);
    b.threads.groups = 64;
    b.use("HERE:\n(W) jmpi HERE\n" + testing::end());
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    const std::function<bool()> stop = [&] {
      return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(50);
    };
    b.run_with.stop = &stop;
    const Outcome o = b.run();
    ASSERT_TRUE(o.fault);
    EXPECT_EQ(o.fault->reason, "abandoned");
    EXPECT_LT(std::clock() - used, 10 * CLOCKS_PER_SEC);  // not by the wall clock: others may keep the processor
  }
}

TEST(Pool, ReportsTheFirstFaultAndGoesOnWithTheNextDispatch) {
  Bench b(2);
  b.threads.groups = 500;
  b.threads.threads = 2;
  // group 40 sends to a shared function that is not there
  b.use(
      "(W) cmp (1|M0) (eq)f0.0 null<1>:d r0.1<0;1,0>:d 40:w\n(W&~f0.0) jmpi FINE\n"
      "(W) send (8|M0) null r0 0xF 0x02000000\nFINE:\n" +
      testing::end());
  const Outcome o = b.run();
  ASSERT_TRUE(o.fault);
  EXPECT_FALSE(o.fault->hung);
  EXPECT_EQ(o.fault->thread->group, 40u);
  EXPECT_EQ(o.fault->ip, 32u);
  EXPECT_NE(o.fault->text().find("of group 40"), std::string::npos) << o.fault->text();

  b.use(store_kernel(2));
  EXPECT_FALSE(b.run().fault);
  EXPECT_EQ(b.stored[999], 1006u);
}

TEST(Pool, LetsGroupsInBesideOnesThatSpin) {
  Bench b(1, 1000);
  b.threads.groups = 6;
  b.use(spin_kernel(1));
  const Outcome o = b.run();
  ASSERT_FALSE(o.fault) << o.fault->text();
  EXPECT_EQ(o.counts.groups, 6u);
}

TEST(Pool, GivesLiveThreadsDifferentFftids) {
  Bench b(4);
  b.threads.groups = 200;
  b.threads.threads = 8;
  b.stage.thread_limit = 20;  // two subslices of eight
  b.stage.barrier = true;
  b.stage.slm_bytes = 1024;
  b.use(barrier_kernel(8));
  b.check_fftids = true;
  for (int n = 0; n < 100; ++n) {  // others are called at once only after the first
    const Outcome o = b.run();
    ASSERT_FALSE(o.fault) << o.fault->text();
    ASSERT_FALSE(b.fftid_clash);
    ASSERT_LT(b.largest_fftid, 20u);
  }
}

TEST(Pool, CountsWhatItIsAskedFor) {
  Bench b(2);
  b.threads.groups = 10;
  b.use(store_kernel(1));
  EXPECT_TRUE(b.run().counts.messages.empty());
  b.run_with.wanted = {.messages = true, .opcodes = true};
  const Counts c = b.run().counts;
  EXPECT_EQ(c.opcodes.at("add"), 20u);
  EXPECT_EQ(c.opcodes.at("mul"), 10u);
  EXPECT_EQ(c.opcodes.at("send"), 20u);
  EXPECT_EQ(c.messages.at({7, "dereference resource"}), 10u);
}

TEST(Pool, ServesSeveralCallersAtOnce) {
  Bench one(2);
  std::vector<std::unique_ptr<Bench>> benches;
  for (int n = 0; n < 4; ++n) benches.push_back(std::make_unique<Bench>(1));
  testing::store_target = &one.stored;
  std::vector<std::thread> callers;
  for (auto& b : benches) {
    b->threads.groups = 2000;
    b->use(store_kernel(1));
    callers.emplace_back([&b, &one] {
      // the same pool for all, with payloads that name where to store
      for (int n = 0; n < 5; ++n) EXPECT_FALSE(dispatch::run(one.pool, b->stage, b->threads).fault);
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(one.stored[1999], 2006u);
}

// The host threads that a dispatch's threads started on, and how often threads of this process fell asleep meanwhile.
struct Observed {
  std::set<std::thread::id> threads{};
  long sleeps = 0;
};
Observed observe(Bench& b, int runs) {
  static std::mutex lock;
  static std::set<std::thread::id> seen;
  seen.clear();
  b.threads.start = [](const void*, const Seat& seat, eu::Thread& t) {
    const uint32_t r0[3] = {0, uint32_t(seat.group), seat.thread};
    std::memcpy(t.grf.data(), r0, sizeof r0);
    t.sr[2] = 0xFFFF;
    const std::lock_guard guard(lock);
    seen.insert(std::this_thread::get_id());
  };
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  for (int n = 0; n < runs; ++n) EXPECT_FALSE(b.run().fault);
  getrusage(RUSAGE_SELF, &after);
  return {seen, after.ru_nvcsw - before.ru_nvcsw};
}

// A helper that is woken for each of many small dispatches costs more than it does.
TEST(Pool, CallsNobodyForLittleWork) {
  Bench b(2);
  b.threads.groups = 2;
  b.use(store_kernel(1));
  observe(b, 10);
  constexpr int runs = 4000;
  EXPECT_LT(observe(b, runs).sleeps, runs / 2);
}

TEST(Pool, CallsOthersForMuchWork) {
  Bench b(2);
  b.threads.groups = 4000;
  b.use(store_kernel(1));
  EXPECT_EQ(observe(b, 20).threads.size(), 2u);
}

// Nobody else comes, however long it takes.
TEST(Pool, KernelsThatAreFasterAloneStayAlone) {
  Bench b(2);
  b.threads.groups = 4000;
  b.use(store_kernel(1), true);
  observe(b, 2);  // how long its threads take is known then
  for (int n = 0; n < 20; ++n) {
    Contention& c = b.stage.state.kernel->tier->contention;
    c.note(false, 1), c.note(true, 2);
    EXPECT_EQ(observe(b, 1).threads.size(), 1u);
  }
}

TEST(Pool, RestartsInAForkedChild) {
  Bench b(3);
  b.threads.groups = 300;
  b.use(store_kernel(1));
  EXPECT_FALSE(b.run().fault);
  const pid_t child = fork();
  if (child == 0) {
    b.pool.restart_after_fork();
    b.stored.assign(b.stored.size(), 0);
    const Outcome o = b.run();
    _exit(!o.fault && b.stored[299] == 306 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_FALSE(b.run().fault);
}

}  // namespace
}  // namespace vitro::dispatch
