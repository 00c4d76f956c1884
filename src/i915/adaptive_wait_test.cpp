// Waiting awake as long as that has been worth it: the patience shrinks where nothing comes and is back where something
// does, and a deadline is kept.
#include "i915/adaptive_wait.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <thread>

namespace vitro::i915 {
namespace {

int64_t time_of_a_wait_in_vain(AdaptiveWait& wait) {
  const int64_t began = raw::monotonic_ns();
  EXPECT_FALSE(wait.until([] { return false; }));
  return raw::monotonic_ns() - began;
}

int64_t processor_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

// The least processor time that a call takes: by the clock it may be anything, on a machine that others want, too.
template <class F>
int64_t least_processor_ns(F&& call) {
  int64_t least = 1'000'000'000;
  for (int n = 0; n < 100; ++n) {
    const int64_t before = processor_ns();
    call();
    least = std::min(least, processor_ns() - before);
  }
  return least;
}

TEST(AdaptiveWait, IsShorterAfterWaitsInVain) {
  AdaptiveWait wait(200'000);
  EXPECT_GE(time_of_a_wait_in_vain(wait), 200'000);
  for (int n = 0; n < 10; ++n) time_of_a_wait_in_vain(wait);
  EXPECT_LT(least_processor_ns([&] { time_of_a_wait_in_vain(wait); }), 100'000);
  EXPECT_TRUE(wait.until([] { return true; }));
  EXPECT_GE(time_of_a_wait_in_vain(wait), 200'000);
}

// A sleep that was short would have been worth waiting awake for.
TEST(AdaptiveWait, LearnsFromSleeps) {
  AdaptiveWait wait(200'000);
  int longer = 0;
  for (int n = 0; n < 100; ++n) {
    for (int k = 0; k < 10; ++k) time_of_a_wait_in_vain(wait);
    wait.slept();
    if (time_of_a_wait_in_vain(wait) >= 200'000) ++longer;
  }
  EXPECT_GT(longer, 0);
  for (int k = 0; k < 10; ++k) time_of_a_wait_in_vain(wait);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  wait.slept();
  EXPECT_LT(least_processor_ns([&] { time_of_a_wait_in_vain(wait); }), 100'000);
}

TEST(AdaptiveWait, KeepsADeadline) {
  AdaptiveWait wait(200'000);
  int looks = 0;
  const auto never = [&] { return ++looks, false; };
  EXPECT_FALSE(wait.until(never, 0));
  EXPECT_EQ(looks, 1);
  EXPECT_LT(least_processor_ns([&] { EXPECT_FALSE(wait.until(never, raw::monotonic_ns() + 20'000)); }), 100'000);
  EXPECT_GE(time_of_a_wait_in_vain(wait), 200'000);  // what a deadline cut short says nothing
}

}  // namespace
}  // namespace vitro::i915
