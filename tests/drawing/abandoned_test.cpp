// Draws of more instances than anybody waits for, seen and unseen: whoever submitted them may abandon them in their
// midst.
#include <chrono>

#include "bench_test.h"

namespace vitro::drawing {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Abandoned, ADrawEndsInItsMidst) {
  constexpr float outside = 8;
  for (const Generation& g : generations)
    for (const unsigned workers : {1u, 3u})
      for (const float to : {0.0f, outside}) {
        SCOPED_TRACE(fmt::format("{}, {} workers, moved by {}", g.name, workers, to));
        Drawing d{.device = g.device, .instances = 1u << 30, .blends = true};
        for (Vector& v : d.positions) v[0] += to;
        device::Device device(*gen::find_device(g.device), device::Options{.workers = workers, .statistics = true});
        const Clock::time_point began = Clock::now();
        const Drawn out = draw_on(
            device, d, [](std::vector<std::byte>&) {},
            [&] { return Clock::now() - began > std::chrono::milliseconds(50); });
        ASSERT_TRUE(out.fault);
        EXPECT_EQ(out.fault->reason, "abandoned");
        EXPECT_EQ(out.fault->command, "3DPRIMITIVE");
        EXPECT_LT(Clock::now() - began, std::chrono::seconds(20));
      }
}

}  // namespace
}  // namespace vitro::drawing
