// Draws in one scene and in many, which are drawn by other host threads while the next one is filled: the same pixels,
// and the same Fault.
#include "bench_test.h"

namespace vitro::drawing {
namespace {

struct Way {
  unsigned workers;
  size_t scene_bytes;
};
constexpr Way ways[] = {{1, 0}, {1, 1}, {2, 1}, {3, 1}};

std::unique_ptr<device::Device> device_of(const Generation& g, const Way& w) {
  return std::make_unique<device::Device>(
      *gen::find_device(g.device),
      device::Options{.workers = w.workers, .statistics = true, .scene_bytes = w.scene_bytes});
}
uint64_t scenes(const device::Device& device) { return nlohmann::json::parse(device.statistics(true)).at("scenes"); }
Drawn draw_on(device::Device& device, const Drawing& d) {
  return draw_on(device, d, [](std::vector<std::byte>&) {});
}

// Of more vertices than a chunk has.
TEST(Scenes, OfOneDrawAreDrawnWhole) {
  for (const Generation& g : generations) {
    const Drawing d{.device = g.device,
                    .positions = {{-.5f, -.5f, .5f, 1}, {0, -.5f, .5f, 1}, {-.5f, 0, .5f, 1}},
                    .instances = 30000,
                    .blends = true};
    std::optional<Drawn> first;
    for (const Way& way : ways) {
      SCOPED_TRACE(fmt::format("{}, {} workers, scenes of {} bytes", g.name, way.workers, way.scene_bytes));
      const auto device = device_of(g, way);
      const Drawn drawn = draw_on(*device, d);
      ASSERT_EQ(text(drawn.fault), "");
      EXPECT_GT(drawn.pixels, 30000u);
      if (way.scene_bytes)
        EXPECT_GT(scenes(*device), 3u);
      else
        EXPECT_EQ(scenes(*device), 1u);
      if (!first) first = drawn;
      EXPECT_EQ(drawn.pixels, first->pixels);
      EXPECT_EQ(drawn.memory, first->memory);
    }
  }
}

// Pixels come later than commands, but a Fault of theirs before one of a later command.
TEST(Scenes, TellTheFirstFault) {
  for (const Generation& g : generations) {
    // blended ones are drawn in order
    Drawing d{
        .device = g.device, .instances = 3000, .kernel = "send (8|M0) null r0 0x8 0x02000000 {EOT}\n", .blends = true};
    constexpr uint8_t patches = 0x20;
    d.last = packet<packets::every::vf_topology>({patches}) +
             packet<packets::every::primitive>({.vertex_count_per_instance = 3, .instance_count = 1});
    std::string first;
    for (const Way& way : ways) {
      SCOPED_TRACE(fmt::format("{}, {} workers, scenes of {} bytes", g.name, way.workers, way.scene_bytes));
      const Drawn drawn = draw_on(*device_of(g, way), d);
      ASSERT_TRUE(drawn.fault);
      EXPECT_TRUE(drawn.fault->pixel);
      if (first.empty()) first = text(drawn.fault);
      EXPECT_EQ(text(drawn.fault), first);
    }
  }
}

}  // namespace
}  // namespace vitro::drawing
