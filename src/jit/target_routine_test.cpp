// Render target writes as routines: compiled code writes what the host's eight lanes do (which shared_test compares
// with the plain way). VITRO_JIT_SECONDS says for how long, VITRO_JIT_SEED from where on. PRM: as
// shared/dataport/target_lanes.h.
#include <gtest/gtest.h>

#include <chrono>

#include "jit/compile.h"
#include "shared/dataport/random_colours_test.h"

namespace vitro::shared::test {
namespace {

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

// As the form over memory takes them.
struct Input {
  std::array<PixelThread::Subspan, 2> corners;
  uint32_t lit, layer, unused[4];
  std::array<std::array<uint32_t, 8>, 8> colours;
};

TEST(TargetRoutine, AgreesWithTheHost) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(from_environment("VITRO_JIT_SECONDS", 2));
  Rng r(uint64_t(from_environment("VITRO_JIT_SEED", 5)));
  Pixels p(dataport_gen9);
  code::Routines routines(
      1, [](code::Routine& routine) { ASSERT_TRUE(load(routine, jit::generate_routine(routine.key))); });
  p.b.environment.routines = &routines;
  int made = 0;
  for (int n = 0; n < 40 || std::chrono::steady_clock::now() < end; ++n) {
    RandomColours c(r, p);
    if (!c.site->found) continue;
    ASSERT_TRUE(c.site->routine);
    const std::vector<std::byte> before = p.b.host;
    c.site->carry_out(nullptr, p.thread, c.out, c.lit[0]);
    const std::vector<std::byte> wanted = p.b.host;
    std::copy(before.begin(), before.end(), p.b.host.begin());
    routines.used(*c.site->routine, 1);
    const code::RoutineCode code = c.site->routine->code;
    ASSERT_TRUE(code) << c.target->image.format->name;
    ++made;
    for (unsigned first = 0; first < 16; first += 8) {
      Input in{};
      in.corners = {p.thread.subspans[first / 4], p.thread.subspans[first / 4 + 1]};
      in.lit = c.lit[0] >> first & 0xFF;
      for (size_t k = 0; k < 4; ++k)
        for (size_t l = 0; l < 8; ++l)
          in.colours[k][l] = c.out.colour[k][first + l], in.colours[4 + k][l] = c.out.second[k][first + l];
      if (in.lit) code(&c.site->facts, reinterpret_cast<const uint32_t*>(&in), nullptr);
    }
    ASSERT_TRUE(wanted == p.b.host) << c.target->image.format->name << " " << n;
  }
  EXPECT_GT(made, 20);
}

}  // namespace
}  // namespace vitro::shared::test
