// Threads in one another's place: compiled code makes the next thread of a group out of the one before while the image
// is clean, and starts it anew where it is not. Either way each has its own data and masks, the common data, and
// registers as they are at the start; and everything is counted as the interpreter does.
#include <gtest/gtest.h>

#include "dispatch/kernels_test.h"
#include "dispatch/tier.h"
#include "dispatch/tiers_test.h"
#include "gen/models.h"
#include "jit/compile.h"

namespace vitro::dispatch {
namespace {

constexpr unsigned threads = 7;
constexpr uint64_t groups = 40, columns = 5;

// r0 as the group's header, r1 and r2 the thread's own data, r3 the common ones.
struct Payloads {
  static constexpr size_t own_bytes = 2 * eu::reg_bytes;
  std::vector<std::byte> own = std::vector<std::byte>(threads * own_bytes);
  std::vector<uint32_t> masks;
  Payloads() {
    for (uint32_t t = 0; t < threads; ++t) {
      const uint32_t number = t, message[] = {3000 + t, 7000 + t};
      std::memcpy(own.data() + t * own_bytes, &number, sizeof number);
      std::memcpy(own.data() + t * own_bytes + eu::reg_bytes, message, sizeof message);
      masks.push_back(t % 3 == 2 ? 0xFFF7 : 0xFFFF);  // without the fourth channel
    }
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
    const uint32_t common[8] = {1000};
    std::memcpy(t.grf.data() + 3 * eu::reg_bytes, common, sizeof common);
    t.sr[2] = p.masks[seat.thread];
  }
};

// Stores at group * threads + thread: the common number, 100 times the fourth channel's mask and the flag it began
// with; and its own r2 as it is. Each changes what else it has read. Threads whose number has `bit` set do so without
// touching the image: they end at once.
std::string kernel(int bit) {
  return fmt::format(
             "(W) mov (1|M0) r10.0<1>:ud f1.0<0;1,0>:uw\n"
             "(W) mov (1|M0) f1.0<1>:uw 0xFFFF:uw\n"
             "(W) mov (16|M0) r12.0<1>:ud 0:ud\n"
             "mov (16|M0) r12.0<1>:ud 100:ud\n"
             "(W) mul (1|M0) r4.0<1>:ud r0.6<0;1,0>:ud {}:uw\n"
             "(W) add (1|M0) r4.0<1>:ud r4.0<0;1,0>:ud r0.1<0;1,0>:ud\n"
             "(W) mul (1|M0) r4.0<1>:ud r4.0<0;1,0>:ud {}:uw\n"
             "(W) add (1|M0) r4.0<1>:ud r4.0<0;1,0>:ud r1.0<0;1,0>:ud\n"
             "(W) add (1|M0) r4.1<1>:ud r3.0<0;1,0>:ud r12.3<0;1,0>:ud\n"
             "(W) add (1|M0) r4.1<1>:ud r4.1<0;1,0>:ud r10.0<0;1,0>:ud\n"
             "(W) add (8|M0) r3.0<1>:ud r3.0<8;8,1>:ud 7:uw\n"
             "(W) and (1|M0) (nz)f0.0 null<1>:ud r1.0<0;1,0>:ud {}:uw\n"
             "(W) add (8|M0) r1.0<1>:ud r1.0<8;8,1>:ud 1500:uw\n"
             "(W&f0.0) jmpi last\n",
             columns, threads, bit) +
         testing::store(2) + testing::store(4) + testing::store(3) + testing::store(1) + "last:\n" + testing::end();
}

struct Done {
  Counts counts;
  std::vector<uint32_t> stored;
};
// `short_program` is that of the compiler's Options: threads of longer programs are calls.
template <class F>
Done run(const std::string& text, Tiering tiering, unsigned workers, F set_up, size_t short_program = 0) {
  testing::Bench bench(1);
  Tier tier(testing::for_gen9({.tiering = tiering}), [short_program](std::span<const std::byte> bytes) {
    const code::Order order = *code::to_order(bytes);
    jit::Options options = jit::options_of(order);
    options.short_program = short_program;
    return jit::generate(eu::Program(gen::gen9(), order.kernel), options);
  });
  Pool pool({.workers = workers,
             .subslice = {.functions = {&testing::words_row, 1}, .gateway = &shared::gateway_gen9, .tier = &tier}});
  bench.stored.assign(4000, 0);
  bench.use(text);
  bench.threads.groups = groups;
  set_up(bench.stage, bench.threads);
  const Outcome o = dispatch::run(pool, bench.stage, bench.threads);
  EXPECT_FALSE(o.fault) << o.fault->text();
  return {o.counts, bench.stored};
}

void expect_same(const Done& compiled, const Done& interpreted) {
  EXPECT_EQ(compiled.stored, interpreted.stored);
  EXPECT_EQ(compiled.counts.groups, groups);
  EXPECT_EQ(compiled.counts.threads, interpreted.counts.threads);
  EXPECT_EQ(compiled.counts.instructions, interpreted.counts.instructions);
  EXPECT_EQ(compiled.counts.compiled_threads, interpreted.counts.threads);
}

class ThreadChain : public ::testing::TestWithParam<int> {};

TEST_P(ThreadChain, EveryThreadHasWhatItWasStartedWith) {
  const Payloads payloads;
  enum Tells { nothing, own, rows };
  const auto set_up = [&](Tells tells) {
    return [&payloads, tells](Stage&, Threads& all) {
      all.threads = threads;
      all.start = Payloads::start;
      all.context = &payloads;
      if (tells != nothing)
        all.own = {.group = Payloads::header,
                   .in_row = tells == rows ? Payloads::in_row : nullptr,
                   .counter = 1,
                   .data = payloads.own.data(),
                   .bytes = Payloads::own_bytes,
                   .at = eu::reg_bytes,
                   .masks = payloads.masks.data()};
    };
  };
  const std::string text = kernel(GetParam());
  const Done interpreted = run(text, Tiering::off, 1, set_up(nothing));
  for (uint64_t g = 0; g < groups; ++g)
    for (uint32_t t = 0; t < threads; ++t)
      if (!(t & uint32_t(GetParam()))) {
        EXPECT_EQ(interpreted.stored[g * threads + t], t % 3 == 2 ? 1000u : 1100u) << g << " " << t;
      }
  EXPECT_EQ(interpreted.counts.threads, groups * threads);
  for (const unsigned workers : {1u, 2u, 16u})  // so many have parts of groups
    for (const Tells tells : {nothing, own, rows})
      for (const size_t short_program : {0, 1000})
        expect_same(run(text, Tiering::on, workers, set_up(tells), short_program), interpreted);
}
// None, every second, runs of two and of four that touch nothing, and all of them.
INSTANTIATE_TEST_SUITE_P(Untouched, ThreadChain, ::testing::Values(0, 1, 2, 4, 7));

// Threads pass a number on in shared local memory, from each to the next, and meet after every step.
std::string relay_kernel(unsigned count, int steps) {
  const std::string meet =
      "(W) mov (8|M0) r12.0<1>:ud 0:uw\n"
      "(W) mov (1|M0) r12.2<1>:ud r0.3<0;1,0>:ud\n"
      "(W) send (8|M0) null r12 0x3 0x02000004\n"
      "(W) wait n0.0<0;1,0>:ud\n";
  return fmt::format(
             "(W) mul (1|M0) r10.1<1>:d r0.2<0;1,0>:d 3:w\n"
             "(W) add (1|M0) r10.1<1>:d r10.1<0;1,0>:d r0.1<0;1,0>:d\n"
             "(W) mov (1|M0) r30.0<1>:d 0:w\n"
             "(W) add (1|M0) r14.0<1>:d r0.2<0;1,0>:d 1:w\n"
             "(W) cmp (1|M0) (ge)f0.0 null<1>:d r14.0<0;1,0>:d {}:d\n"
             "(W&f0.0) mov (1|M0) r14.0<1>:d 0:w\n"
             "step:\n"
             "(W) mov (1|M0) r10.0<1>:d r0.2<0;1,0>:d\n",
             count) +
         testing::store_local(10) + meet + testing::load_local(15, 14) +
         "(W) add (1|M0) r10.1<1>:d r15.0<0;1,0>:d 1:w\n" + meet +
         fmt::format(
             "(W) add (1|M0) r30.0<1>:d r30.0<0;1,0>:d 1:w\n"
             "(W) cmp (1|M0) (lt)f0.0 null<1>:d r30.0<0;1,0>:d {}:d\n"
             "(W&f0.0) jmpi step\n"
             "(W) mul (1|M0) r10.0<1>:d r0.1<0;1,0>:d {}:w\n"
             "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r0.2<0;1,0>:d\n",
             steps, count) +
         testing::store(10) + testing::end();
}

TEST(Turns, ThreadsMeetAtEveryBarrier) {
  constexpr int steps = 5;
  for (const unsigned count : {1u, 2u, 8u, 70u}) {
    const auto set_up = [count](Stage& stage, Threads& all) {
      all.threads = count;
      stage.barrier = true;
      stage.slm_bytes = 4096;
      stage.thread_limit = 200;
    };
    const std::string text = relay_kernel(count, steps);
    const Done interpreted = run(text, Tiering::off, 1, set_up);
    for (uint64_t g = 0; g < groups; ++g)
      for (unsigned t = 0; t < count; ++t)
        EXPECT_EQ(interpreted.stored[g * count + t], 3 * ((t + steps) % count) + g + steps) << count;
    for (const unsigned workers : {1u, 2u, 16u})  // so many have parts of groups
      for (const size_t short_program : {0, 1000})
        expect_same(run(text, Tiering::on, workers, set_up, short_program), interpreted);
  }
}

}  // namespace
}  // namespace vitro::dispatch
