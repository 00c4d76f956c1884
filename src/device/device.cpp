// The device: contexts with a state per engine, and the way of a batch through the command streamer to the workers.
// Reading order of the whole machine: run() below, then src/streamer, src/media, src/dispatch, src/eu, src/shared.
#include "device/device.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "device/idle.h"
#include "device/statistics.h"
#include "device/watched_renderer.h"
#include "dispatch/pool.h"
#include "dispatch/program_cache.h"
#include "dispatch/tier.h"
#include "gen/machine.h"
#include "gen/platform.h"
#include "pipeline/depth_stencil.h"
#include "pipeline/scene_renderer.h"
#include "streamer/streamer.h"
#include "visa/dumps.h"

namespace vitro::device {

using Clock = std::chrono::steady_clock;

class Context {
 public:
  explicit Context(const gen::Machine& machine) : machine_(machine) { reset(); }
  void reset() {
    for (size_t i = 0; i < engine_count; ++i)
      states_[i] = std::make_unique<streamer::State>(machine_.commands, commands::Engine(i));
  }
  streamer::State& state(Engine engine) { return *states_[size_t(engine)]; }
  // Of the render engine.
  pipeline::Renderer& renderer(dispatch::Pool& pool, size_t scene_bytes, Watch& watch) {
    if (!scenes_) {
      const size_t bytes = scene_bytes ? scene_bytes : pipeline::Scene::most_bytes;
      scenes_ = std::make_unique<pipeline::SceneRenderer>(pool, machine_.urb, bytes);
      if (watch.wanted()) watched_ = std::make_unique<WatchedRenderer>(*scenes_, watch);
    }
    return watched_ ? static_cast<pipeline::Renderer&>(*watched_) : *scenes_;
  }
  pipeline::SceneCounts take_scene_counts() { return scenes_ ? scenes_->take_scene_counts() : pipeline::SceneCounts{}; }

 private:
  const gen::Machine& machine_;
  std::array<std::unique_ptr<streamer::State>, engine_count> states_;
  std::unique_ptr<pipeline::SceneRenderer> scenes_{};
  std::unique_ptr<WatchedRenderer> watched_{};
};

class Impl {
 public:
  Impl(const gen::Device& kind, const Options& options)
      : kind(kind),
        machine(gen::machine(kind)),
        options(options),
        timestamp_hz(gen::find_platform(kind)->timestamp_hz),
        programs(machine.model),
        tier(for_device(options, kind)),
        dumps(options.visa.empty()
                  ? nullptr
                  : std::make_unique<visa::Dumps>(kind.model(),
                                                  visa::ProgramFacts{.coordinate_mask = machine.media.coordinate_mask,
                                                                     .fftid_mask = machine.media.fftid_mask},
                                                  options.visa, write_trace)),
        pool({.workers = options.workers,
              .subslice = {.functions = machine.functions,
                           .gateway = &machine.gateway,
                           .gateway_clock = {&Impl::gateway_time, this},
                           .tier = &tier,
                           .substitutes = dumps.get()}}) {
    if (!options.execute) idle.emplace(idle_commands(machine.commands));
    watch.tells = options.trace.draws;
    watch.pictures = options.pictures;
  }
  const streamer::CommandSet& commands() const { return idle ? *idle : machine.commands; }

  static dispatch::TierOptions for_device(const Options& options, const gen::Device& kind) {
    dispatch::TierOptions tier = options.tier;
    tier.device = kind.name;
    tier.report = write_trace;
    tier.counts_messages = options.statistics;
    return tier;
  }

  uint64_t timestamp() const {
    // One clock for everyone: programs compare the GPU's time with CLOCK_MONOTONIC.
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    return uint64_t(__uint128_t(ns) * timestamp_hz / 1'000'000'000) & ones(36);
  }

  static uint64_t eu_time(void* device) { return static_cast<const Impl*>(device)->timestamp(); }

  static shared::GatewayTimes gateway_time(void*) {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    return {uint64_t(ns) * 4, uint64_t(ns) * 4};
  }

  const gen::Device& kind;
  const gen::Machine& machine;
  const Options options;
  const uint32_t timestamp_hz;
  dispatch::ProgramCache programs;
  dispatch::Tier tier;
  std::unique_ptr<visa::Dumps> dumps;
  dispatch::Pool pool;
  Statistics statistics{};
  std::optional<streamer::CommandSet> idle{};
  Watch watch{};
};

Device::Device(const gen::Device& device, const Options& options) : impl_(std::make_unique<Impl>(device, options)) {}
Device::~Device() = default;

const gen::Device& Device::kind() const { return impl_->kind; }
std::shared_ptr<Context> Device::create_context() { return std::make_shared<Context>(impl_->machine); }
void Device::reset(Context& context) { context.reset(); }
uint64_t Device::timestamp() const { return impl_->timestamp(); }
uint64_t Device::draws() const { return impl_->watch.draws; }

std::string Device::statistics(bool json) const {
  const Statistics& s = impl_->statistics;
  const dispatch::TierCounts tier = impl_->tier.counts();
  std::optional<visa::DumpCounts> dumps;
  if (impl_->dumps) dumps = impl_->dumps->counts();
  return json ? s.json(impl_->kind.name, impl_->pool.workers(), tier, dumps)
              : s.text(impl_->kind.name, impl_->pool.workers(), tier, dumps);
}
void Device::restart_after_fork() {
  impl_->pool.restart_after_fork();
  impl_->programs.restart_after_fork();
  impl_->tier.restart_after_fork();
}

namespace {

// A clock that stands still between the looks at it.
struct CountingClock {
  std::atomic<uint64_t> next{0};
  uint64_t look() { return next.fetch_add(1, std::memory_order_relaxed) & ones(36); }
  static uint64_t look_at(void* clock) { return static_cast<CountingClock*>(clock)->look(); }
};

}  // namespace

std::optional<Fault> Device::run(Context& context, const Batch& batch, const std::function<bool()>& stop) {
  return run(context, batch, stop, {});
}

std::optional<Fault> Device::run(Context& context, const Batch& batch, const std::function<bool()>& stop,
                                 const Observer& observer) {
  const auto began = Clock::now();
  CountingClock counting{batch.timestamp.value_or(0)};
  Tally tally{};
  memory::View ppgtt(batch.ppgtt, impl_->options.strict), ggtt(batch.ggtt ? batch.ggtt : batch.ppgtt);
  streamer::Surroundings around{
      .ppgtt = ppgtt,
      .ggtt = ggtt,
      .clock = [this] { return impl_->timestamp(); },
      .stop = stop,
      .counts = impl_->options.statistics ? &tally.commands : nullptr,
  };
  around.pool = &impl_->pool;
  around.programs = &impl_->programs;
  around.media = &impl_->machine.media;
  if (batch.engine == Engine::render)
    around.renderer = &context.renderer(impl_->pool, impl_->options.scene_bytes, impl_->watch);
  around.three_d = impl_->machine.three_d;
  // Opcodes can be counted in the interpreter only, which sees each of them.
  around.run.wanted = {.messages = impl_->options.statistics,
                       .opcodes = impl_->options.statistics && impl_->options.tier.tiering == dispatch::Tiering::off};
  around.thread_counts = &tally.threads;
  around.run.clock = {&Impl::eu_time, impl_.get()};
  if (batch.timestamp) {
    around.clock = [&] { return counting.look(); };
    around.run.clock = {&CountingClock::look_at, &counting};
  }
  if (impl_->options.hang_instructions)
    around.command_budget = around.run.instruction_limit = impl_->options.hang_instructions;
  if (impl_->options.semaphore_patience.count()) around.patience = impl_->options.semaphore_patience;

  const Topics& trace = impl_->options.trace;
  if (trace.eu) around.run.observer = instruction_observer(impl_->machine.model);
  if (trace.commands)
    around.trace = [&](uint64_t address, std::span<const uint32_t> packet) {
      write_trace(fmt::format("{:#014x} {}", address,
                              streamer::describe(impl_->machine.commands, packet, commands::Engine(batch.engine))));
    };
  std::optional<Fault> put_off;  // of a draw, met before its own command would have met it
  if (observer)
    around.trace = [&, told = around.trace](uint64_t address, std::span<const uint32_t> packet) {
      if (around.renderer && !put_off)
        if (pipeline::Outcome drained = around.renderer->drain(pipeline::DrainReason::flush); !drained)
          put_off = std::move(drained.error());
      if (told) told(address, packet);
      observer(address, packet);
    };
  if (trace.batches)
    write_trace(
        fmt::format("batch at {:#x} on the {} engine", batch.address, commands::engine_names[size_t(batch.engine)]));

  std::optional<Fault> fault =
      streamer::run(impl_->commands(), context.state(batch.engine), around,
                    batch.ring ? streamer::Start{batch.address, true, streamer::Level::ring, batch.bytes}
                               : streamer::Start{.address = batch.address});

  if (put_off) fault = std::move(put_off);
  if (around.renderer) {
    tally.threads += around.renderer->take_counts();
    around.renderer->end_batch();
    tally.scenes = context.take_scene_counts();
  }
  ++tally.batches[size_t(batch.engine)];
  tally.misses = ppgtt.misses();
  tally.streaming = Clock::now() - began;
  if (fault) ++tally.faults, ++tally.fault_reasons[fault->command + ": " + fault->text()];
  if (impl_->options.statistics) impl_->statistics.add(tally);
  if (impl_->options.remark)
    for (const std::string& line : impl_->statistics.untold(tally)) impl_->options.remark(line);
  if (trace.batches)
    write_trace(fmt::format("batch at {:#x} {} after {:.6f} s", batch.address, fault ? "failed" : "ended",
                            std::chrono::duration<double>(tally.streaming).count()));
  return fault;
}

uint32_t Device::register_value(Context& context, Engine engine, uint32_t mmio) const {
  return uint32_t(context.state(engine).registers.get(mmio));
}

Result<state::Surface> Device::depth_surface(Context& context, bool stencil) const {
  const state::Pipeline& s = context.state(Engine::render).three_d;
  pipeline::DepthSurfaces surfaces;
  const unsigned samples = 1u << s.multisample.number_of_multisamples;
  if (auto fault = pipeline::find_depth_surfaces(impl_->machine.surfaces.rules, s, samples, surfaces))
    return failure(fault->text());
  const state::Surface& surface = stencil ? surfaces.stencil : surfaces.depth;
  if (surface.is_null()) return failure(stencil ? "there is no stencil buffer" : "there is no depth buffer");
  return surface;
}

std::string to_text(const Fault& f) {
  std::string text = fmt::format("{} at {:#x} (batch offset {:#x})", f.command.empty() ? "command" : f.command,
                                 f.address, f.batch_offset);
  if (f.ip) text += fmt::format(", EU IP {:#x}: {}", *f.ip, f.instruction);
  return text + ": " + f.text();
}

}  // namespace vitro::device
