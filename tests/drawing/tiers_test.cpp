// Draws that the fuzzer of draws (fuzz/) found to differ between interpreter and machine code, as small as they are.
#include "bench_test.h"

namespace vitro::drawing {
namespace {

Drawn compiled(const Drawing& d) {
  return draw(
      d, [](std::vector<std::byte>&) {}, dispatch::Tiering::on);
}
Drawn interpreted(const Drawing& d) {
  return draw(
      d, [](std::vector<std::byte>&) {}, dispatch::Tiering::off);
}

#if VITRO_JIT
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
        const bool inverse = factor > 16;
        EXPECT_EQ(one.get(texel_at(d, 7, 5)) != 0, inverse);
      }
}
#endif

}  // namespace
}  // namespace vitro::drawing
