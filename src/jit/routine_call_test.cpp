// Compiled code calls the routines of sampler messages, and what it then has in its registers is what the handler puts
// there: messages of eight and sixteen slots, with and without headers, with short responses and some channels off, on
// surfaces and samplers by chance; with headers that change, routines that come late, and surfaces that change between
// dispatches. PRM: as shared/sampler/sample_lanes.h.
#include <gtest/gtest.h>

#include "dispatch/tiers_test.h"
#include "jit/campaign_test.h"
#include "jit/compile.h"
#include "shared/sampler/random_message_test.h"

namespace vitro::shared {
namespace {

using test::Chance;

constexpr int payload_at[] = {2, 18}, response_at[] = {64, 78};

class RoutineCalls : public testing::Test {
 protected:
  const isa::Model& model = gen::gen9();
  const SamplerEngineLayout& layout = sampler_engine_gen9;
  Guest guest{layout.surface};
  bool compiles = true;
  std::vector<code::Routine*> late{};  // were not compiled
  code::Routines routines{1, [this](code::Routine& r) {
                            if (compiles)
                              make(r);
                            else
                              late.push_back(&r);
                          }};
  SamplingEngine engine{layout, guest.environment};
  jit::Surroundings around{.carries_messages = true};

  static void make(code::Routine& r) { EXPECT_TRUE(load(r, jit::generate_routine(r.key))); }
  void SetUp() override {
    guest.environment.routines = &routines;
    engine.install(around.functions);
    around.functions[7] = {[](void*, eu::Thread&, eu::Message&, std::string&) { return eu::Reply::done; }, nullptr};
  }
  eu::Program assembled(const std::string& text) {
    isa::Assembly a = isa::assemble(model, text + dispatch::testing::end(), {.validate = false});
    EXPECT_TRUE(a.diagnostics.empty()) << text;
    return eu::Program(model, a.code);
  }
  jit::Run run(const eu::Program& program, const eu::Compiled& compiled, const eu::Thread& t, std::span<eu::Window> w) {
    return run_one(program, t, around, 100, 100, 0, w,
                   [&](eu::Executor& x, uint64_t rest) { return compiled.run(x, rest); });
  }
  jit::Run interpret(const eu::Program& program, const eu::Thread& t) {
    return run_one(program, t, around, 100, 100, 0, {}, [](eu::Executor& x, uint64_t rest) { return x.run(rest); });
  }
  static void put(eu::Thread& t, int reg, unsigned lane, uint32_t v) {
    std::memcpy(t.grf.data() + reg * eu::reg_bytes + 4 * lane, &v, sizeof v);
  }
  // Empty: they have the same registers.
  static std::string difference(const jit::Run& a, const jit::Run& b) { return jit::Twins{a, b, a}.difference(); }

  // A checkerboard of two texels that is sampled in its middle.
  void set_checkers(float a, float b) {
    for (uint32_t n = 0; n < 4; ++n) guest.view.store<float>(texture_base + n % 2 * 4 + n / 2 * 64, n % 3 ? b : a);
    guest.set_surface(1, plain_2d("R32_FLOAT", 2, 2, 64));
    state::Sampler s;
    s.min_filter = s.mag_filter = state::MapFilter::linear;
    guest.set_sampler(layout.sampler, 0, s);
  }

  // Two messages, to a surface and a sampler by chance.
  std::string random_program(Chance& chance, bool multiplies) {
    guest.set_surface(1, test::random_surface(chance, true));
    guest.set_sampler(layout.sampler, 0, test::random_sampler(chance), {0.5f, 0.25f, 0, 1});
    // A multiplication, for which the host flushes denormals; routines do not.
    std::string text = multiplies ? "mul (8|M0) r120.0<1>:f r121.0<8;8,1>:f r122.0<8;8,1>:f\n" : "";
    for (int m = 0; m < 2; ++m) {
      const unsigned lanes = chance.one_in(2) ? 16 : 8, eights = lanes / 8, header = chance.below(2);
      const uint32_t mlen = header + eights * (1 + chance.below(5)), rlen = eights * (1 + chance.below(4));
      const uint32_t desc =
          test::descriptor_of(layout, test::random_row(chance, layout), lanes) | header << 19 | mlen << 25 | rlen << 20;
      const unsigned first = chance.one_in(3) ? 1 + chance.below(mlen) : mlen;
      const char* off = chance.one_in(4) ? "(W)" : chance.one_in(4) ? "(f0.0)" : "";
      // the payload in one part, or in two; what is answered may stand where it stood
      const int to = chance.one_in(3) ? payload_at[m] : response_at[m];
      if (first < mlen)
        text += fmt::format("{} sends ({}|M0) r{}:ud r{} r{} {:#x} {:#x}\n", off, lanes, to, payload_at[m],
                            payload_at[m] + int(first), 2 | (mlen - first) << 6, (desc & ~(15u << 25)) | first << 25);
      else
        text += fmt::format("{} send ({}|M0) r{} r{} 0x2 {:#x}\n", off, lanes, to, payload_at[m], desc);
    }
    return text;
  }
  eu::Thread random_thread(Chance& chance, Rng& rng) const {
    eu::Thread begin = jit::random_thread(model, rng);
    begin.cr[0] = 0;
    // headers: offsets, and now and then channels that are masked out
    for (const int at : payload_at) {
      put(begin, at, 2, (chance.bits() & 0xFF0) | (chance.one_in(4) ? chance.bits() & 0xF000 : 0));
      put(begin, at, 3, sampler_table);
    }
    return begin;
  }
  // What a program's messages lead to, once it has run with these windows.
  static code::FusedRoutines routines_of(const eu::Compiled& compiled, std::span<const eu::Window> windows) {
    code::FusedRoutines all;
    for (size_t n = 0; n < windows.size(); ++n)
      if (const auto key = windows[n].key; !key.empty()) all.push_back({compiled.sites()[n], {key.begin(), key.end()}});
    return all;
  }
};

TEST_F(RoutineCalls, GiveWhatTheHandlerGives) {
  Chance chance(11);
  Rng rng(5);
  test::fill_texture(chance, guest);
  uint64_t carried = 0, messages = 0;
  for (unsigned n = 0; n < 60; ++n) {
    const std::string text = random_program(chance, n % 2 == 0);
    const eu::Program program = assembled(text);
    const eu::Thread begin = random_thread(chance, rng);
    around.careful = chance.one_in(4) ? 0 : jit::Options{}.careful;
    around.short_program = chance.one_in(4) ? 0 : jit::Options{}.short_program;
    const auto compiled = jit::compile(program, options_for(begin, around));
    ASSERT_TRUE(compiled);
    const jit::Twins twins = run_twins(program, *compiled, begin, around, 100, 100);
    if (twins.interpreted.status == eu::Status::faulted) continue;  // not supported
    ASSERT_EQ(twins.difference(), "") << n << "\n" << text;
    EXPECT_EQ(twins.compiled.carried, 0u);
    carried += twins.again.carried, messages += 2;
  }
  fmt::print("{} messages, {} of them by calls\n", messages, carried);
  EXPECT_GT(carried, messages / 4);
}

TEST_F(RoutineCalls, LookAtTheHeader) {
  set_checkers(1, 2);
  const eu::Program program = assembled("send (8|M0) r64 r2 0x2 0x061B8001\n");  // sample_lz with a header, red alone
  eu::Thread begin{};
  begin.dispatched = begin.active = 0xFF;
  put(begin, 2, 3, sampler_table);
  for (unsigned lane = 0; lane < 8; ++lane) put(begin, 3, lane, bits_of(float(lane) / 8));
  const auto compiled = jit::compile(program, options_for(begin, around));
  std::vector<eu::Window> windows(compiled->sites().size());
  for (const uint32_t offsets : {0u, 0u, 0x100u, 0x100u, 0u, 0x8000u, 0xE000u, 0xE000u}) {
    put(begin, 2, 2, offsets);
    const bool before = windows[0].routine && windows[0].start == (offsets | uint64_t(sampler_table) << 32);
    const jit::Run r = run(program, *compiled, begin, windows);
    EXPECT_EQ(difference(interpret(program, begin), r), "") << offsets;
    EXPECT_EQ(r.carried, before) << offsets;
  }
  EXPECT_TRUE(windows[0].routine);
}

TEST_F(RoutineCalls, BeginWhenThereIsARoutine) {
  set_checkers(3, 5);
  const eu::Program program = assembled("send (16|M0) r64 r2 0x2 0x08858001\n");
  eu::Thread begin{};
  begin.dispatched = begin.active = 0x5FFF;
  for (unsigned lane = 0; lane < 16; ++lane) put(begin, 2, lane, bits_of(float(lane) / 16));
  const auto compiled = jit::compile(program, options_for(begin, around));
  std::vector<eu::Window> windows(compiled->sites().size());
  compiles = false;
  const auto runs = [&] {
    const jit::Run r = run(program, *compiled, begin, windows);
    EXPECT_EQ(difference(interpret(program, begin), r), "");
    return r.carried;
  };
  EXPECT_EQ(runs(), 0u);
  EXPECT_EQ(runs(), 0u);
  ASSERT_EQ(late.size(), 1u);
  make(*late[0]);
  EXPECT_EQ(runs(), 0u);  // finds it
  EXPECT_EQ(runs(), 1u);
}

// None is compiled by itself, so what is carried out is so by routines that stand in the code.
TEST_F(RoutineCalls, StandInTheCode) {
  Chance chance(17);
  Rng rng(7);
  test::fill_texture(chance, guest);
  compiles = false;
  uint64_t carried = 0, fused = 0;
  for (unsigned n = 0; n < 100; ++n) {
    const std::string text = random_program(chance, n % 2 == 0);
    const eu::Program program = assembled(text);
    const eu::Thread begin = random_thread(chance, rng);
    jit::Options options = options_for(begin, around);
    const auto plain = jit::compile(program, options);
    ASSERT_TRUE(plain);
    std::vector<eu::Window> windows(plain->sites().size());
    if (run(program, *plain, begin, windows).status == eu::Status::faulted) continue;
    options.fused = routines_of(*plain, windows);
    const auto compiled = jit::compile(program, options);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(compiled->can_replace(*plain));
    const jit::Twins twins = run_twins(program, *compiled, begin, around, 100, 100);
    ASSERT_EQ(twins.difference(), "") << n << "\n" << text;
    for (size_t k = 0; k < windows.size(); ++k) fused += compiled->has_fused(k, windows[k]);
    carried += twins.again.carried;
    EXPECT_EQ(run(program, *plain, begin, windows).carried, 0u);
  }
  fmt::print("{} messages carried out, {} routines in code\n", carried, fused);
  EXPECT_GT(carried, 10u);
  EXPECT_EQ(carried, fused);
}

// Where a message leads to another routine than the one in the code, that one is called.
TEST_F(RoutineCalls, GiveWayToOthers) {
  set_checkers(3, 5);
  const eu::Program program = assembled("send (16|M0) r64 r2 0x2 0x08858001\n");
  eu::Thread begin{};
  begin.dispatched = begin.active = 0x5FFF;
  for (unsigned lane = 0; lane < 16; ++lane) put(begin, 2, lane, bits_of(float(lane) / 16));
  const auto set_filter = [&](state::MapFilter filter) {
    state::Sampler s;
    s.min_filter = s.mag_filter = filter;
    guest.set_sampler(layout.sampler, 0, s);
  };
  set_filter(state::MapFilter::nearest);
  jit::Options options = options_for(begin, around);
  const auto plain = jit::compile(program, options);
  std::vector<eu::Window> windows(plain->sites().size());
  run(program, *plain, begin, windows);
  options.fused = routines_of(*plain, windows);
  ASSERT_EQ(options.fused.size(), 1u);
  const auto compiled = jit::compile(program, options);
  // Filters and bindings change: the windows are found anew.
  for (const state::MapFilter filter : {state::MapFilter::linear, state::MapFilter::nearest}) {
    set_filter(filter);
    windows.assign(windows.size(), {});
    for (const uint64_t carries : {0u, 1u}) {
      const jit::Run r = run(program, *compiled, begin, windows);
      EXPECT_EQ(difference(interpret(program, begin), r), "");
      EXPECT_EQ(r.carried, carries);
      EXPECT_EQ(windows[0].fused, filter == state::MapFilter::nearest);
      EXPECT_TRUE(windows[0].routine);
    }
  }
}

// More sites than bindings keep: those without room go to the handler, and none has another's facts.
TEST_F(RoutineCalls, KeepTheirFactsApart) {
  constexpr unsigned sites = 70, first = 40, room = 60;
  std::string text;
  for (unsigned n = 0; n < sites; ++n) {
    state::Surface s = plain_2d("R32_UINT", 1, 1, 64);
    s.base = texture_base + 64 * n;
    guest.view.store<uint32_t>(s.base, 100 + n);
    guest.set_surface(n, s);
    text += fmt::format("send (8|M0) r{} r2 0x2 {:#x}\n", first + n, 0x0413A000 + n);  // ld_lz
  }
  std::unique_ptr<SamplerSite> spare;
  for (uint32_t n = room; n < Bindings::most; ++n) guest.bindings->sites.get(n, {.room = n}, spare, [](auto&) {});
  const eu::Program program = assembled(text);
  eu::Thread begin{};
  begin.dispatched = begin.active = 0xFF;
  jit::Options options = options_for(begin, around);
  options.all_wait = false;  // takes the compiler less time
  const auto compiled = jit::compile(program, options);
  const jit::Twins twins = run_twins(program, *compiled, begin, around, 100, 100);
  EXPECT_EQ(twins.difference(), "");
  for (unsigned n = 0; n < sites; ++n) {
    uint32_t v;
    std::memcpy(&v, twins.again.thread.grf.data() + (first + n) * eu::reg_bytes, sizeof v);
    EXPECT_EQ(v, 100 + n);
  }
  EXPECT_EQ(twins.again.carried, room);
}

// Windows stay from dispatch to dispatch as long as the state does that they were found by.
TEST(RoutineCallsOfDispatches, SurfacesMayChange) {
  using namespace dispatch;
  namespace kernels = dispatch::testing;
  static const FunctionRow rows[] = {function_row<SamplingEngine, sampler_engine_gen9>(), kernels::words_row};
  kernels::Bench bench{1};
  Tier tier(kernels::for_gen9({.tiering = Tiering::on}));
  Pool pool({.workers = 1, .subslice = {.functions = rows, .gateway = &gateway_gen9, .tier = &tier}});
  Guest guest(state::surface_gen9);
  state::Surface s = plain_2d("R32_UINT", 2, 2, 64);
  guest.view.store<uint32_t>(texture_base, 7);
  guest.view.store<uint32_t>(texture_base + 0x100, 9);
  bench.use(
      "(W) mov (8|M0) r4.0<1>:ud 0:ud\n(W) mov (8|M0) r5.0<1>:ud 0:ud\n"
      "(W) send (8|M0) r6 r4 0x2 0x0413A001\n"  // ld_lz
      "(W) mov (1|M0) r2.0<1>:ud r0.1<0;1,0>:ud\n(W) mov (1|M0) r2.1<1>:ud r6.0<0;1,0>:ud\n" +
      kernels::store(2) + kernels::end());
  rebind(bench.stage);
  bench.stage.memory = guest.space.table();
  bench.stage.bases = guest.environment.bases;
  bench.stage.state.binding_table = binding_table;
  bench.threads.groups = 200;
  for (const uint32_t at : {0u, 0u, 0x100u, 0x100u, 0u}) {
    s.base = texture_base + at;
    guest.set_surface(1, s);
    if (!bench.stage.state.bindings->hold(guest.view)) rebind(bench.stage);
    bench.stored.assign(bench.stored.size(), 0);
    const Outcome o = dispatch::run(pool, bench.stage, bench.threads);
    ASSERT_FALSE(o.fault) << o.fault->text();
    EXPECT_EQ(o.counts.compiled_threads, bench.threads.groups);
    for (size_t n = 0; n < bench.threads.groups; ++n) ASSERT_EQ(bench.stored[n], at ? 9u : 7u) << n;
  }
}

}  // namespace
}  // namespace vitro::shared
