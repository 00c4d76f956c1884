// What draws and packets cost the streamer: batches of draws of tiny triangles with compiled kernels, run without a
// driver:
//   bench_draws [-n DRAWS] [-r RUNS] [-w WORKERS] [ROW]
// A row says what stands before each draw. Printed is the mean of the best run in nanoseconds of the streamer's host
// thread, of processor time, which hardly depends on what else the machine does: all but that spent on draining scenes,
// so with packets and the front end of small draws; that of draining apart; and what each packet adds to a row of
// nothing but draws. With the name of a row only this one runs, for a profiler. Exits with 1 if a draw takes more than
// a microsecond, or a packet more than 40 ns.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "../tests/drawing/drawing.h"
#include "dispatch/tier.h"
#include "gen/machine.h"
#include "pipeline/scene_renderer.h"
#include "streamer/streamer.h"

using namespace vitro;
using drawing::Words, faults::operator+, faults::operator+=;

namespace {

constexpr uint64_t batch_at = 0x1000000;
constexpr unsigned packets = 50;
constexpr double most_draw_ns = 1000, most_packet_ns = 40;

// What stands before draw n.
using Before = Words (*)(const drawing::Drawing& d, unsigned n);

// The state once more, packet by packet, as often as there are packets to be.
Words same_state(const drawing::Drawing& d, unsigned) {
  const streamer::CommandSet& commands = gen::machine(*gen::find_device(d.device)).commands;
  const Words all = drawing::state_commands(d);
  std::vector<Words> state;
  for (size_t at = 0; at < all.size();) {
    const streamer::Row& row = *commands.find(all[at], commands::Engine::render);
    const size_t dwords = row.length.dwords(all[at]);
    if (row.name.starts_with("3DSTATE_"))
      state.emplace_back(all.begin() + ptrdiff_t(at), all.begin() + ptrdiff_t(at + dwords));
    at += dwords;
  }
  Words some;
  for (unsigned k = 0; k < packets; ++k) some += state[k % state.size()];
  return some;
}
// The same, with values that change from draw to draw where drivers change most: pointers, constants, buffers.
Words other_state(const drawing::Drawing& d, unsigned n) {
  namespace t = commands::three_d;
  Words some = same_state(d, n);
  const uint8_t odd = n & 1;
  const auto replace = [&](const Words& w) {
    for (size_t at = 0; at + w.size() <= some.size(); ++at)
      if (some[at] == w[0]) std::copy(w.begin(), w.end(), some.begin() + ptrdiff_t(at));
  };
  replace(drawing::packet<t::every::viewport_state_pointers_cc>({drawing::dynamic_at + 64u + 32u * odd}));
  replace(drawing::packet<t::every::blend_state_pointers>({true, drawing::dynamic_at + 192u + 0u * odd}));
  replace(drawing::packet<t::every::sample_mask>({uint16_t(odd ? 0xFFFF : 1)}));
  replace(drawing::packet<t::every::ps_blend>({.source_blend_factor = uint8_t(1 + odd), .has_writeable_rt = true}));
  return some;
}

struct Row {
  std::string_view name;
  Before before;
  bool is_draw;  // the limit of a draw is for this one
};
constexpr Row rows[] = {
    {"draws", [](const drawing::Drawing&, unsigned) { return Words{}; }, true},
    {"stalls", [](const drawing::Drawing&, unsigned) { return Words{0x7A000004, 1 << 20 | 1 << 1, 0, 0, 0, 0}; },
     false},
    {"same-packets", same_state, false},
    {"other-packets", other_state, false},
};

// Triangles of a few pixels, one for each draw in turn.
drawing::Drawing small_triangles() {
  drawing::Drawing d;
  d.places = drawing::roomy;
  d.positions.clear();
  d.attributes = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
  for (unsigned n = 0; n < 8; ++n) {
    const float x = -0.9f + 0.2f * float(n), y = -0.8f + 0.15f * float(n), size = 3.f / drawing::edge * 2;
    d.positions.insert(d.positions.end(), {{x, y, .5f, 1}, {x + size, y, .5f, 1}, {x, y + size, .5f, 1}});
  }
  return d;
}

struct Times {
  double streamer = std::numeric_limits<double>::infinity(), draining = streamer;
};

// Of this host thread, in ns.
double processor_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

// Knows how long scenes were drained.
struct TimedRenderer : pipeline::SceneRenderer {
  using SceneRenderer::SceneRenderer;
  pipeline::Outcome drain(pipeline::DrainReason reason) override {
    const double began = processor_ns();
    pipeline::Outcome done = SceneRenderer::drain(reason);
    draining += processor_ns() - began;
    return done;
  }
  double draining = 0;
};

class Bench {
 public:
  Bench(unsigned draws, unsigned runs, unsigned workers) : draws_(draws), runs_(runs), workers_(workers) {}

  Times measure(const Row& row) const {
    const gen::Device& kind = *gen::find_device(drawing_.device);
    const gen::Machine& machine = gen::machine(kind);
    dispatch::Tier tier({.tiering = dispatch::Tiering::on, .device = std::string(kind.name), .counts_messages = false});
    dispatch::ProgramCache programs(machine.model);
    dispatch::Pool pool({.workers = workers_,
                         .subslice = {.functions = machine.functions, .gateway = &machine.gateway, .tier = &tier}});
    TimedRenderer renderer(pool, machine.urb);
    streamer::State state(machine.commands, commands::Engine::render);

    std::vector<std::byte> memory = drawing::memory_of(drawing_);
    Words batch = drawing::state_commands(drawing_);
    for (unsigned n = 0; n < draws_; ++n)
      batch += row.before(drawing_, n) +
               drawing::packet<commands::three_d::every::primitive>({.primitive_topology_type = drawing_.topology,
                                                                     .vertex_count_per_instance = 3,
                                                                     .start_vertex_location = 3 * (n % 8),
                                                                     .instance_count = 1});
    batch += faults::end();
    const auto table = std::make_shared<memory::Table>(std::vector<memory::Range>{
        {.start = drawing::home, .bytes = memory.size(), .host = memory.data()},
        {.start = batch_at, .bytes = batch.size() * 4, .host = reinterpret_cast<std::byte*>(batch.data())}});

    Times best;
    for (unsigned run = 0; run <= runs_; ++run) {  // the first one compiles the kernels
      memory::View view(table), global(table);
      streamer::Surroundings around{view, global, [] { return uint64_t(0); }};
      around.pool = &pool, around.programs = &programs, around.media = &machine.media;
      around.renderer = &renderer, around.three_d = machine.three_d;
      renderer.draining = 0;
      const double began = processor_ns();
      const auto fault = streamer::run(machine.commands, state, around, {.address = batch_at});
      const double all = processor_ns() - began;
      const dispatch::Counts threads = renderer.take_counts();
      renderer.end_batch();
      if (fault) fail(fault->command + ": " + fault->text());
      if (renderer.take_scene_counts().rasterised < draws_) fail("nothing was drawn");
      if (run == 0) continue;
      if (threads.compiled_threads != threads.threads) fail("a kernel was not compiled");
      best.streamer = std::min(best.streamer, (all - renderer.draining) / draws_);
      best.draining = std::min(best.draining, renderer.draining / draws_);
    }
    return best;
  }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    fmt::print(stderr, "bench_draws: {}\n", why);
    std::exit(1);
  }

  unsigned draws_, runs_, workers_;
  drawing::Drawing drawing_ = small_triangles();
};

}  // namespace

int main(int argc, char** argv) {
  unsigned draws = 10'000, runs = 10, workers = 1;
  std::string_view only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if ((a == "-n" || a == "-r" || a == "-w") && i + 1 < argc)
      (a == "-n" ? draws : a == "-r" ? runs : workers) = unsigned(std::strtoul(argv[++i], nullptr, 10));
    else
      only = a;
  }
  const Bench bench(std::max(1u, draws), runs, workers);
  fmt::print("{:<18}{:>12}{:>12}{:>12}\n", "ns", "streamer", "draining", "a packet");
  bool slow = false;
  double alone = 0;
  for (const Row& row : rows) {
    if (!only.empty() && only != row.name) continue;
    const Times t = bench.measure(row);
    const size_t words = row.before(small_triangles(), 0).size();
    const bool has_packets = words > packets;
    const double each = has_packets && alone ? (t.streamer - alone) / packets : 0;
    if (row.is_draw) alone = t.streamer;
    slow = slow || (row.is_draw && t.streamer > most_draw_ns) || each > most_packet_ns;
    fmt::print("{:<18}{:>12.1f}{:>12.1f}{:>12}\n", row.name, t.streamer, t.draining,
               each != 0 ? fmt::format("{:.1f}", each) : "");
  }
  return slow;
}
