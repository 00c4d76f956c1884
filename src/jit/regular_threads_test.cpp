// Threads whose words count up: compiled code takes places that are a progression for one without looking at them, and
// all else as before. Memory is as the interpreter leaves it: with words that count up, that stay the same, that do so
// in some threads only or not at all; with places in a row, at one place, further apart, at the end of memory and
// around the end of all addresses; and with threads that lack channels.
#include <gtest/gtest.h>

#include "base/random.h"
#include "dispatch/kernels_test.h"
#include "dispatch/tier.h"
#include "dispatch/tiers_test.h"
#include "gen/models.h"
#include "jit/compile.h"
#include "shared/dataport/dataport.h"

namespace vitro::dispatch {
namespace {

constexpr uint64_t home = 0x10'0000;
constexpr uint32_t memory_bytes = 0x4000;
constexpr unsigned threads = 6;
constexpr uint64_t groups = 12, columns = 5;

// r0: the group's header; r1 and r2, r3 and r4: words of the thread's own; r5: common dwords.
struct Payloads {
  static constexpr size_t own_bytes = 4 * eu::reg_bytes;
  std::vector<std::byte> own = std::vector<std::byte>(threads * own_bytes);
  std::vector<uint32_t> masks;
  std::array<uint32_t, 8> common{};

  enum Kind { all_count, one_does_not, rows_of_twelve, too_large };
  Payloads(Kind kind, Rng& rng) {
    for (unsigned t = 0; t < threads; ++t) {
      std::array<uint16_t, own_bytes / 2> words{};
      for (unsigned n = 0; n < 32; ++n) {
        const unsigned item = 32 * t + n, width = kind == rows_of_twelve ? 12 : 4096;
        words[n] = uint16_t(item % width + (kind == too_large ? 0xFFB0 : 0));
        words[32 + n] = uint16_t(kind == rows_of_twelve ? item / width : t * 3 + n / 16);
      }
      if (kind == one_does_not && t == 3) words[17] ^= 5;
      std::memcpy(own.data() + t * own_bytes, words.data(), own_bytes);
      masks.push_back(rng.one_in(8) ? 0xFFFFFFF7 : ~0u);
    }
    const uint32_t places[] = {0, memory_bytes - 1000, uint32_t(-400), 0x40000000};
    common = {rng.below(4) * 128, 0x100, rng.pick(places) + rng.below(8) * 4, rng.below(3) * 64};
  }
  static void header(const void*, const Seat& seat, eu::Thread& t) {
    const uint32_t r0[8] = {0, uint32_t(seat.group % columns), 0, 0, 0, 0, uint32_t(seat.group / columns)};
    std::memcpy(t.grf.data(), r0, sizeof r0);
  }
  static uint64_t in_row(const void*, uint64_t group) { return columns - 1 - group % columns; }
  static void start(const void* context, const Seat& seat, eu::Thread& t) {
    const Payloads& p = *static_cast<const Payloads*>(context);
    header(context, seat, t);
    std::memcpy(t.grf.data() + eu::reg_bytes, p.own.data() + seat.thread * own_bytes, own_bytes);
    std::memcpy(t.grf.data() + eu::reg_bytes + own_bytes, p.common.data(), sizeof p.common);
    t.sr[2] = p.masks[seat.thread];
  }
};

// Places of either half made of its words in some steps, of which a read and a write at another distance follow.
std::string kernel(Rng& rng) {
  const char* const scales[] = {"shl", "shl", "shl", "mul"};
  const char *scale = rng.pick(scales), *type = rng.coin() ? "uw" : "w";
  const unsigned by = scale[0] == 's' ? (rng.coin() ? 2 : rng.below(4)) : rng.below(4) * 4;
  const bool second = rng.coin(), turned = rng.one_in(4), header = rng.one_in(4);
  const uint32_t distance = rng.below(4) * 4;
  std::string text = "(W) mul (1|M0) r6.0<1>:d r5.0<0;1,0>:d r0.1<0;1,0>:d\n";
  for (int half = 0; half < 2; ++half) {
    const std::string wide = fmt::format("(16|M{})", 16 * half);
    const int at = 10 + 10 * half;
    text += fmt::format("add {} r{}.0<1>:d r6.0<0;1,0>:d r{}.0<16;16,1>:{}\n", wide, at, 1 + half, type);
    if (second) {
      text += fmt::format("mul {} r{}.0<1>:d r{}.0<16;16,1>:uw r5.3<0;1,0>:d\n", wide, at + 2, 3 + half);
      text += fmt::format("add {} r{}.0<1>:d r{}.0<8;8,1>:d r{}.0<8;8,1>:d\n", wide, at, at, at + 2);
    }
    text += fmt::format("{} {} r{}.0<1>:d r{}.0<8;8,1>:d {}:w\n", scale, wide, at, at, by);
    text += fmt::format("add {} r{}.0<1>:d {}r{}.0<8;8,1>:d r5.2<0;1,0>:d\n", wide, at, turned ? "-" : "", at);
    text += fmt::format("send {} r{} r{} 0xC 0x04205EFF\n", wide, at + 4, at);
    text += fmt::format("add {} r{}.0<1>:d r{}.0<8;8,1>:d r{}.0<8;8,1>:d\n", wide, at + 4, at + 4, at);
    text += fmt::format("add {} r{}.0<1>:d r{}.0<8;8,1>:d {}:w\n", wide, at + 6, at, distance);
    text += fmt::format("sends {} null r{} r{} 0x8C 0x04025EFF\n", wide, at + 6, at + 4);
    if (header) text += fmt::format("add {} r{}.0<1>:d r{}.0<8;8,1>:d 64:w\n", wide, at, at + 6);
    if (header) text += fmt::format("sends {} null r{} r{} 0x8C 0x04025EFF\n", wide, at, at + 6);
  }
  return text + testing::end();
}

std::vector<std::byte> run(const std::string& text, const Payloads& payloads, Tiering tiering, bool tells) {
  Tier tier(testing::for_gen9({.tiering = tiering}), [](std::span<const std::byte> bytes) {
    const code::Order order = *code::to_order(bytes);
    return jit::generate(eu::Program(gen::gen9(), order.kernel), jit::options_of(order));
  });
  static constexpr FunctionRow port = function_row<shared::DataPort, shared::dataport_gen9>();
  Pool pool({.workers = 1, .subslice = {.functions = {&port, 1}, .gateway = &shared::gateway_gen9, .tier = &tier}});
  std::vector<std::byte> memory(memory_bytes);
  for (size_t n = 0; n < memory.size(); ++n) memory[n] = std::byte(n * n >> 3);
  testing::Bench bench(1);
  bench.use(text);
  bench.stage.memory =
      std::make_shared<memory::Table>(memory::Table({{.start = home, .bytes = memory.size(), .host = memory.data()}}));
  bench.stage.bases.general.address = home;
  bench.stage.bases.general.bytes = memory_bytes;
  bench.threads.groups = groups;
  bench.threads.threads = threads;
  bench.threads.start = Payloads::start;
  bench.threads.context = &payloads;
  if (tells)
    bench.threads.own = {.group = Payloads::header,
                         .in_row = Payloads::in_row,
                         .counter = 1,
                         .data = payloads.own.data(),
                         .bytes = Payloads::own_bytes,
                         .at = eu::reg_bytes,
                         .masks = payloads.masks.data()};
  const Outcome o = dispatch::run(pool, bench.stage, bench.threads);
  EXPECT_FALSE(o.fault) << o.fault->text();
  EXPECT_EQ(o.counts.threads, groups * threads);
  if (tiering == Tiering::on) {
    EXPECT_EQ(o.counts.compiled_threads, groups * threads);
  }
  return memory;
}

TEST(RegularThreads, LeaveMemoryAsTheInterpreterDoes) {
  constexpr uint64_t first = 20'261'118;
  for (uint64_t seed = first; seed < first + 40 && !HasFailure(); ++seed) {
    Rng rng(seed);
    const std::string text = kernel(rng);
    const Payloads payloads(Payloads::Kind(seed % 4), rng);
    const std::vector<std::byte> interpreted = run(text, payloads, Tiering::off, false);
    EXPECT_TRUE(run(text, payloads, Tiering::on, true) == interpreted) << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace vitro::dispatch
