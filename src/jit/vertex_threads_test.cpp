// Threads of vertex shaders in compiled code: each writes its eight entries of the URB, ends in place and is followed
// by the next. Entries are as the interpreter leaves them, whatever the messages' lengths and masks, and where they
// would lie outside; and everything is counted as the interpreter does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dispatch/kernels_test.h"
#include "dispatch/tier.h"
#include "dispatch/tiers_test.h"
#include "gen/models.h"
#include "jit/compile.h"
#include "pipeline/vertex_shader.h"

namespace vitro::pipeline {
namespace {

constexpr unsigned slots = 5;  // of an entry

// A message that writes so many dwords from r20 on, at an offset in slots.
std::string write(unsigned dwords, unsigned slot, bool last = false, const char* predicate = "") {
  const uint32_t desc = (1 + dwords) << 25 | 1u << 19 | slot << 4 | 7;
  return fmt::format("{}send (8|M0) null r20 {:#x} {:#x}{}\n", predicate, last ? 0x26 : 0x6, desc,
                     last ? " {EOT}" : "");
}
// r20: handles; then eight registers made of the push constants in r2 and of the vertex in r3 to r10.
std::string registers() {
  std::string text = "mov (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud\n";
  for (int n = 0; n < 8; ++n)
    text += fmt::format("add (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud r2.{}<0;1,0>:ud\n", 21 + n, 3 + n, n);
  return text;
}

struct Shaded {
  std::vector<Slot> entries;
  dispatch::Counts counts;
};
Shaded shade(const std::string& text, dispatch::Tiering tiering, unsigned count, size_t short_program) {
  dispatch::Tier tier(dispatch::testing::for_gen9({.tiering = tiering}), [&](std::span<const std::byte> bytes) {
    const code::Order order = *code::to_order(bytes);
    jit::Options options = jit::options_of(order);
    options.short_program = short_program;
    return jit::generate(eu::Program(gen::gen9(), order.kernel), options);
  });
  UrbArena urb(shared::urb_gen8);
  dispatch::Runner runner({.gateway = &shared::gateway_gen9, .tier = &tier, .urb = urb.function()});
  const std::vector<std::byte> code = dispatch::testing::assembled(gen::gen9(), text);
  dispatch::Stage stage;
  rebind(stage);
  stage.memory = std::make_shared<memory::Table>(std::vector<memory::Range>{});
  stage.state.kernel = std::make_shared<const dispatch::Kernel>(
      dispatch::Kernel{.code = code, .program = eu::Program(gen::gen9(), code), .unclean = false, .reads_urb = false});
  std::array<uint32_t, 8> push{};
  for (uint32_t n = 0; n < 8; ++n) push[n] = 1000 * n;
  const VertexShader shader{.stage = &stage, .push = std::as_bytes(std::span(push)), .grf_start = 2, .slot_count = 2};
  Arena arena;
  VertexThreads threads;
  Shaded s;
  for (unsigned round = 0; round < 3; ++round) {  // each with entries of its own
    const std::span<Slot> entries = urb.begin(arena, count, slots);
    threads.begin(shader, count);
    for (uint32_t t = 0; t < (count + 7) / 8; ++t)
      for (uint32_t n = 0; n < 64; ++n) threads.input(t)[n] = round << 24 | t << 12 | n;
    const auto fault = threads.run(runner, 3, s.counts);
    EXPECT_FALSE(fault) << fault->text();
    s.entries.insert(s.entries.end(), entries.begin(), entries.begin() + count * slots);
  }
  return s;
}

void expect_same(const std::string& text) {
  for (const unsigned count : {1u, 8u, 19u, 400u}) {
    const Shaded interpreted = shade(text, dispatch::Tiering::off, count, 0);
    for (const size_t short_program : {0, 1000}) {
      const Shaded compiled = shade(text, dispatch::Tiering::on, count, short_program);
      EXPECT_EQ(compiled.entries, interpreted.entries) << count;
      EXPECT_EQ(compiled.counts.threads, interpreted.counts.threads);
      EXPECT_EQ(compiled.counts.instructions, interpreted.counts.instructions);
      EXPECT_EQ(compiled.counts.compiled_threads, interpreted.counts.threads);
    }
  }
}

TEST(VertexThreads, WriteSoManyDwords) {
  for (unsigned dwords = 1; dwords <= 8; ++dwords)
    expect_same(registers() + write(8, 0) + write(dwords, slots - (dwords + 3) / 4, true));
  const Shaded s = shade(registers() + write(8, 1, true), dispatch::Tiering::on, 9, 1000);
  EXPECT_EQ(s.entries[slots + 1], (Slot{1, 8 + 1 + 1000, 16 + 1 + 2000, 24 + 1 + 3000}));
  EXPECT_EQ(s.entries[8 * slots + 2][0], (1u << 12 | 32) + 4000);
}

TEST(VertexThreads, WriteWhatTheirChannelsSay) {
  const std::string odd = registers() +
                          "and (8|M0) (nz)f0.0 null<1>:ud r1.0<8;8,1>:ud 1:uw\n"
                          "mov (8|M0) r21.0<1>:ud r1.0<8;8,1>:ud\n";
  expect_same(odd + write(3, 1, false, "(f0.0) ") + write(4, 3, false, "(~f0.0) ") + write(1, 4, true));
  expect_same(odd + write(3, 1, true, "(f0.0) "));
}

TEST(VertexThreads, WriteNothingOutside) {
  expect_same(registers() + write(8, slots - 1) + write(4, slots) + write(4, 1, true));
  // handles that are none, of some channels
  expect_same(registers() + "mul (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 11:uw\n" + write(4, 0) + write(4, 1, true));
}

}  // namespace
}  // namespace vitro::pipeline
