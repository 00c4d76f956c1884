// The seeds of the fuzzer draw: no Fault, and pixels.
#include "seeds.h"

#include "bench_test.h"

namespace vitro::drawing {
namespace {

// Adjacency is for geometry shaders, patches are for hull shaders.
TEST(Seeds, AllOfThemDraw) {
  for (const faults::Dialect& dialect : faults::dialects)
    for (const auto& [name, d] : seeds(dialect.device)) {
      SCOPED_TRACE(fmt::format("{} {}", dialect.device, name));
      const Drawn drawn = draw(d);
      EXPECT_EQ(text(drawn.fault), "");
      EXPECT_EQ(drawn.draws, 1u);
      EXPECT_GT(drawn.primitives, 0u);
      EXPECT_GT(drawn.pixels, 0u);
    }
}

}  // namespace
}  // namespace vitro::drawing
