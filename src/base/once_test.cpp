// Values made once: whoever asks gets the same one, however many host threads ask at the same time.
#include "base/once.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace vitro {
namespace {

// Calls f on several host threads at about the same time.
template <class F>
void together(F f) {
  constexpr int count = 4;
  std::atomic<int> ready{0};
  std::vector<std::jthread> threads;
  for (int n = 0; n < count; ++n)
    threads.emplace_back([&, n] {
      for (++ready; ready < count;) std::this_thread::yield();
      f(n);
    });
}

TEST(Once, IsMadeOnce) {
  for (int round = 0; round < 200; ++round) {
    Once<int> once;
    EXPECT_EQ(once.peek(), nullptr);
    std::array<const int*, 4> got{};
    together([&](int n) { got[size_t(n)] = &once.get([&] { return n; }); });
    for (const int* p : got) EXPECT_EQ(p, once.peek());
  }
}

TEST(OnceMap, GivesEachKeyOneValue) {
  constexpr unsigned keys = 100;
  for (int round = 0; round < 50; ++round) {
    OnceMap<unsigned, unsigned, 8> map(1000);
    std::array<std::array<unsigned*, keys>, 4> got{};
    together([&](int n) {
      std::unique_ptr<unsigned> spare;
      for (unsigned k = 0; k < keys; ++k)
        got[size_t(n)][k] = &map.get(k % 10, k, spare, [&](unsigned& v) { v = k + 7; });
      EXPECT_FALSE(spare);
    });
    for (const auto& of_thread : got) EXPECT_EQ(of_thread, got[0]);
    EXPECT_EQ(std::set(got[0].begin(), got[0].end()).size(), keys);
    for (unsigned k = 0; k < keys; ++k) EXPECT_EQ(*got[0][k], k + 7);
    unsigned count = 0;
    EXPECT_TRUE(map.all([&](unsigned v) { return ++count, v >= 7; }));
    EXPECT_EQ(count, keys);
    EXPECT_FALSE(map.all([](unsigned v) { return v != 50; }));
  }
}

TEST(OnceMap, MakesASpareOneWhenItIsFull) {
  OnceMap<unsigned, unsigned, 4> map(3);
  std::unique_ptr<unsigned> spare;
  const auto get = [&](unsigned k) -> unsigned& { return map.get(k, k, spare, [&](unsigned& v) { v += k; }); };
  for (unsigned k : {1, 2, 3, 1, 2, 3}) EXPECT_EQ(get(k), k);
  EXPECT_TRUE(map.full());
  EXPECT_FALSE(spare);
  const unsigned* const five = &get(5);
  EXPECT_EQ(five, spare.get());
  EXPECT_EQ(get(5), 5u);
  EXPECT_EQ(get(6), 6u);
  EXPECT_EQ(get(2), 2u);
}

}  // namespace
}  // namespace vitro
