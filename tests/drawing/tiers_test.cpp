// Draws that the fuzzer of draws (fuzz/) found to differ between interpreter and machine code, as small as they are.
#include "bench_test.h"

namespace vitro::drawing {
namespace {

#if VITRO_JIT
Drawn compiled(const Drawing& d) {
  return draw(
      d, [](std::vector<std::byte>&) {}, dispatch::Tiering::on);
}
Drawn interpreted(const Drawing& d) {
  return draw(
      d, [](std::vector<std::byte>&) {}, dispatch::Tiering::off);
}

// A blend factor asks for the second colour of a message that has one colour: it is zero.
TEST(DrawingTiers, ASecondColourThatIsMissingIsZero) {
  for (const Generation& g : generations)
    for (const uint8_t factor : {uint8_t(9), uint8_t(10), uint8_t(25), uint8_t(26)})  // of the second source
      for (const char* format : {"R8G8B8A8_UNORM", "R32G32B32A32_FLOAT"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", g.name, factor, format));
        const Drawing d{.device = g.device,
                        .places = roomy,
                        .attributes = {{.25f, .5f, .75f, 1}},
                        .target_format = format,
                        .blends = true,
                        .source_factor = factor};
        const Drawn one = interpreted(d), other = compiled(d);
        ASSERT_EQ(text(one.fault) + text(other.fault), "");
        EXPECT_TRUE(one.memory == other.memory);
        EXPECT_TRUE(!one.compiled_threads && other.compiled_threads);
        const bool inverse = factor > 16;
        EXPECT_EQ(one.get(texel_at(d, 7, 5)) != 0, inverse);
      }
}

// A denormal times an infinite alpha of the target is infinite; were it flushed, it would be no number.
TEST(DrawingTiers, DenormalsMeetInfinities) {
  constexpr uint8_t one_less_target_alpha = 20;
  const uint32_t denormal = 0x280;
  std::vector<std::byte> colour(16);
  for (size_t c = 0; c < 4; ++c) std::memcpy(colour.data() + 4 * c, &denormal, 4);
  for (const Generation& g : generations) {
    SCOPED_TRACE(g.name);
    const Drawing d{.device = g.device,
                    .places = roomy,
                    .raw_attributes = colour,
                    .shade = Shade::flat,
                    .target_format = "R16G16B16A16_FLOAT",
                    .blends = true,
                    .source_factor = one_less_target_alpha};
    const auto put = [&](std::vector<std::byte>& memory) {
      const std::array<uint16_t, 4> infinite{0, 0, 0, 0x7C00};
      for (uint64_t at = 0; at < edge * target_pitch(d); at += sizeof infinite)
        std::memcpy(memory.data() + d.places.target + at, &infinite, sizeof infinite);
    };
    const Drawn one = draw(d, put, dispatch::Tiering::off), other = draw(d, put, dispatch::Tiering::on);
    ASSERT_EQ(text(one.fault) + text(other.fault), "");
    EXPECT_TRUE(!one.compiled_threads && other.compiled_threads);
    EXPECT_EQ(one.get<uint16_t>(texel_at(d, 7, 5)), 0xFC00);
    EXPECT_EQ(other.get<uint16_t>(texel_at(d, 7, 5)), 0xFC00);
  }
}

// Routines that are called, and such that stand in the kernel, write the same; and there the kernel's own constants
// meet the factors of blending.
TEST(DrawingTiers, FusedCodeDrawsTheSame) {
  const char* formats[] = {"R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "R16G16B16A16_FLOAT", "R10G10B10A2_UNORM"};
  const auto put = [](const Drawing& d) {
    return [&d](std::vector<std::byte>& memory) {
      for (size_t at = d.places.target; at < memory.size(); ++at) memory[at] = std::byte(at * 37 >> 3);
    };
  };
  for (const Generation& g : generations)
    for (const char* format : formats)
      for (const unsigned lanes : {8u, 16u})
        for (const Shade shade : {Shade::smooth, Shade::flat, Shade::textured}) {
          SCOPED_TRACE(fmt::format("{} {} {} lanes, shade {}", g.name, format, lanes, int(shade)));
          const Drawing d{.device = g.device,
                          .places = roomy,
                          .attributes = {{.25f, .5f, .75f, 1}, {1, .125f, 0, 1}, {0, 2, .5f, 1}},
                          .shade = shade,
                          .lanes = lanes,
                          .target_format = format,
                          .blends = true,
                          .filter = state::MapFilter::linear};
          const Drawn one = draw(d, put(d), dispatch::Tiering::off);
          const Drawn other = draw(d, put(d), dispatch::Tiering::on, dispatch::Fusing::never);
          const Drawn third = draw(d, put(d), dispatch::Tiering::on, dispatch::Fusing::at_once);
          ASSERT_EQ(text(one.fault) + text(other.fault) + text(third.fault), "");
          EXPECT_TRUE(one.memory == other.memory);
          EXPECT_TRUE(one.memory == third.memory);
          EXPECT_EQ(other.fused, 0u);
          EXPECT_EQ(third.fused, 1u);
        }
}
#endif

}  // namespace
}  // namespace vitro::drawing
