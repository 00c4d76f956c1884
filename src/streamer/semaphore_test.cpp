// Semaphores: every comparison, in memory and registers, values that come late and values that never come. PRM: Gen8
// vol 2a MI_SEMAPHORE_WAIT, MI_SEMAPHORE_SIGNAL; Gen6 vol 1 part 5 MI_SEMAPHORE_MBOX.
#include <atomic>
#include <thread>

#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;
constexpr uint32_t poll = 1 << 15;

Dwords wait(uint32_t compare, uint32_t value, uint64_t address, uint32_t bits = poll) {
  return mi(0x1C, compare << 12 | bits, {value, uint32_t(address), uint32_t(address >> 32)});
}

TEST(Mi, MI_SEMAPHORE_WAIT_EveryCompareInBothModes) {
  const std::function<bool(uint32_t, uint32_t)> holds[] = {std::greater<>(),  std::greater_equal<>(),
                                                           std::less<>(),     std::less_equal<>(),
                                                           std::equal_to<>(), std::not_equal_to<>()};
  for (const CommandSet* set : later)
    for (const uint32_t mode : {poll, 0u})
      for (uint32_t compare = 0; compare < 6; ++compare)
        for (const uint32_t memory : {4u, 5u, 6u, 0xFFFFFFFFu}) {
          Bench b(*set);
          b.patience = std::chrono::milliseconds(0);
          b.at(data) = memory;
          const auto fault = b.run(join({wait(compare, 5, data, mode), sdi(data + 4, 1), end()}));
          EXPECT_EQ(!fault, holds[compare](memory, 5)) << compare << " " << memory;
          EXPECT_EQ(b.at(data + 4), fault ? 0u : 1u);
          EXPECT_TRUE(!fault || fault->reason.starts_with("hung")) << text(fault);
        }
}

TEST(Mi, MI_SEMAPHORE_WAIT_ReservedCompareIsAFault) {
  Bench b(commands_gen9);
  EXPECT_TRUE(b.run(join({wait(6, 5, data), end()})));
}

TEST(Mi, MI_SEMAPHORE_WAIT_SeesWhatAnotherContextWrites) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.patience = std::chrono::seconds(20);
    std::atomic<bool> waiting = false;
    b.stop = [&] { return waiting = true, false; };
    std::thread other([&] {
      while (!waiting) std::this_thread::yield();
      std::atomic_ref<uint32_t>(b.at(data)).store(5);
    });
    const auto fault = b.run(join({wait(4, 5, data), sdi(data + 4, 1), end()}));
    other.join();
    ASSERT_RUNS(fault);
    EXPECT_EQ(b.at(data + 4), 1u);
  }
}

TEST(Mi, MI_SEMAPHORE_WAIT_BehindItIsWhatTheOtherContextWroteBefore) {
  const test::Uncounted uncounted;
  for (const CommandSet* set : later) {
    Bench waiter(*set), writer(*set);
    writer.ppgtt_space.bind(std::vector<memory::Range>{{data, 0x1000, reinterpret_cast<std::byte*>(&waiter.at(data))}});
    waiter.patience = std::chrono::seconds(20);
    std::atomic<bool> waiting = false;
    waiter.stop = [&] { return waiting = true, false; };
    std::optional<Fault> written;
    std::thread other([&] {
      while (!waiting) std::this_thread::yield();
      written = writer.run(join({sdi(data + 8, 77), sdi(data, 5), end()}));
    });
    const auto copy = mi(0x2E, 0, {uint32_t(data + 16), 0, uint32_t(data + 8), 0});
    const auto waited = waiter.run(join({wait(4, 5, data), copy, end()}));
    other.join();
    ASSERT_RUNS(written);
    ASSERT_RUNS(waited);
    EXPECT_EQ(waiter.at(data + 16), 77u);
  }
}

TEST(Mi, MI_SEMAPHORE_WAIT_CanBeAbandoned) {
  Bench b(commands_gen9);
  b.patience = std::chrono::seconds(20);
  int asked = 0;
  b.stop = [&] { return ++asked == 3; };
  const auto fault = b.run(join({wait(4, 5, data), end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->command, "MI_SEMAPHORE_WAIT");
  EXPECT_NE(fault->reason.find("abandoned"), std::string::npos);
}

TEST(Mi, MI_SEMAPHORE_WAIT_GlobalGtt) {
  const uint64_t there = Bench::ggtt_at + 0x8000;
  for (const CommandSet* set : later) {
    Bench b(*set);
    b.global_at(there) = 5;
    ASSERT_RUNS(b.run_privileged(join({wait(4, 5, there, poll | global), end()})));
    b.at(data) = 5;  // in a user batch the bit does not count
    ASSERT_RUNS(b.run(join({wait(4, 5, data, poll | global), end()})));
  }
}

TEST(Mi, MI_SEMAPHORE_WAIT_RegisterPoll) {
  Bench b(commands_gen9);
  ASSERT_RUNS(b.run(join({lri(0x2600, 5), wait(4, 5, 0x2600, poll | 1 << 16), end()})));
  EXPECT_TRUE(b.run(join({wait(4, 6, 0x2600, poll | 1 << 16), end()})));
}

TEST(Mi, MI_SEMAPHORE_SIGNAL_IsCounted) {
  for (const CommandSet* set : later)
    for (uint32_t engine = 0; engine < 5; ++engine) {
      Bench b(*set);
      ASSERT_RUNS(b.run(join({mi(0x1B, engine << 15, {3}), sdi(data, 1), end()})));
      EXPECT_EQ(b.counts.signals, 1u);
      EXPECT_EQ(b.at(data), 1u);
    }
}

TEST(Mi, MI_SEMAPHORE_MBOX_ComparesAndUpdates) {
  Bench b(commands_gen6);
  const uint32_t compare = 1 << 20, update = 1 << 21, in_register = 1 << 18;
  ASSERT_RUNS(b.run(join({mi(0x16, update, {5, uint32_t(data)}), end()})));
  EXPECT_EQ(b.at(data), 5u);
  ASSERT_RUNS(b.run(join({mi(0x16, compare, {4, uint32_t(data)}), end()})));
  b.patience = std::chrono::milliseconds(1);
  EXPECT_TRUE(b.run(join({mi(0x16, compare, {5, uint32_t(data)}), end()})));
  b.state.registers.set(0x2044, 8);
  ASSERT_RUNS(b.run(join({mi(0x16, compare | in_register | 2 << 16, {7, 0}), end()})));
  EXPECT_TRUE(b.run(join({mi(0x16, compare | in_register, {7, 0}), end()})));
}

}  // namespace
}  // namespace vitro::streamer
