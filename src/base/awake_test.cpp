// Waiting awake: what comes is seen, what does not come is given up in time.
#include "base/awake.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace vitro {
namespace {

using namespace std::chrono_literals;

TEST(Awake, SeesWhatComes) {
  std::atomic<bool> came{false};
  std::thread other([&] {
    std::this_thread::sleep_for(2ms);
    came = true;
  });
  EXPECT_TRUE(wait_awake([&] { return came.load(); }, 1h));
  other.join();
}

TEST(Awake, GivesUpInTime) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(wait_awake([] { return false; }, 2ms));
  EXPECT_GE(std::chrono::steady_clock::now() - began, 2ms);
}

TEST(Awake, LooksOnceMoreWhenTheTimeIsOver) {
  int looks = 0;
  EXPECT_TRUE(wait_awake([&] { return ++looks == 33; }, 0ms));
}

}  // namespace
}  // namespace vitro
