// Filling scenes and drawing their bins. PRM: as scene_renderer.h.
#include "pipeline/scene_renderer.h"

#include <algorithm>
#include <utility>

namespace vitro::pipeline {
namespace {

// Bins are sorted by where they are, so that the extent of targets need not be known: the largest there are.
constexpr Extent largest_target{.width = 16384, .height = 16384, .layers = 2048};
// Chunks that are run before somebody looks how full the scene is.
constexpr uint64_t chunks_at_once = 64;

// The fault of the draw that came first, of those that several host threads may meet.
class FirstFault {
 public:
  void keep(uint64_t draw, Fault f) {
    const std::lock_guard guard(lock_);
    if (fault_ && number_ <= draw) return;
    number_ = draw;
    fault_ = std::move(f);
    any_.store(true, std::memory_order_relaxed);
  }
  bool any() const { return any_.load(std::memory_order_relaxed); }
  Outcome outcome() {
    if (!fault_) return {};
    return tl::unexpected(std::move(*fault_));
  }

 private:
  std::mutex lock_;
  std::atomic<bool> any_{false};
  uint64_t number_ = 0;
  std::optional<Fault> fault_;
};

}  // namespace

SceneRenderer::Worker::Worker(const dispatch::SubsliceOptions& options, const shared::UrbLayout& layout,
                              unsigned number)
    : urb(layout),
      runner([&] {
        dispatch::SubsliceOptions own = options;
        own.urb = urb.function();
        return own;
      }()),
      front(runner, urb, number),
      pixels(options, number) {}

SceneRenderer::SceneRenderer(dispatch::Pool& pool, const shared::UrbLayout& urb)
    : pool_(pool), urb_(urb), workers_(pool.workers()) {
  scene_.begin(largest_target);
}
SceneRenderer::~SceneRenderer() = default;

// Each is asked for by one host thread at a time: the one that has its number.
SceneRenderer::Worker& SceneRenderer::worker(unsigned number) {
  std::unique_ptr<Worker>& w = workers_[number];
  if (!w) w = std::make_unique<Worker>(pool_.subslice_options(), urb_, number);
  return *w;
}

// --- the front end

struct SceneRenderer::ChunkTasks {
  SceneRenderer& renderer;
  const Drawn& drawn;
  uint64_t first = 0;
  std::vector<Chunk*> chunks{};  // of the scene
  FirstFault fault{};

  void run(unsigned number, uint64_t n) {
    if (fault.any()) return;
    struct Filling {
      const RasterState& raster;
      Chunk& chunk;
      uint64_t primitives;
    } filling{drawn.raster, *chunks[n], 0};
    const FrontEnd::Sink sink{[](void* context, const Object& object, const ScreenCorners* known) {
                                Filling& f = *static_cast<Filling*>(context);
                                f.primitives += f.chunk.add(f.raster, object, known);
                              },
                              &filling};
    Worker& w = renderer.worker(number);
    StreamOutState* out = drawn.front.streams_out ? &renderer.stream_out_ : nullptr;
    if (auto f = w.front.run_chunk(*drawn.draw, drawn.front, drawn.front.chunk(first + n), w.arena, sink, w.statistics,
                                   w.counts, out))
      fault.keep(first + n, std::move(*f));
    w.rasterised += filling.primitives;
    ++w.share.chunks;
  }
};

Outcome SceneRenderer::run_chunks(const Drawn& drawn) {
  const uint64_t all = drawn.front.chunks();
  for (uint64_t first = 0; first < all; first += chunks_at_once) {
    if (scene_bytes() > Scene::most_bytes) {
      ++statistics_.drains[size_t(DrainReason::arena)];
      if (Outcome done = draw_bins(DrainReason::arena); !done) return done;
    }
    ChunkTasks tasks{*this, drawn, first};
    const uint64_t count = std::min(chunks_at_once, all - first);
    for (uint64_t n = 0; n < count; ++n) tasks.chunks.push_back(&scene_.chunk());
    if (drawn.front.streams_out)  // in order
      for (uint64_t n = 0; n < count; ++n) tasks.run(0, n);
    else
      pool_.each(
          count, [](void* context, unsigned number, uint64_t n) { static_cast<ChunkTasks*>(context)->run(number, n); },
          &tasks);
    if (Outcome done = tasks.fault.outcome(); !done) return tl::unexpected(fault_of(*drawn.draw, done.error()));
  }
  return {};
}

Outcome SceneRenderer::draw(std::shared_ptr<const Draw> draw) {
  auto front = make_front(*draw);
  if (!front) return tl::unexpected(fault_of(*draw, std::move(front.error())));
  auto raster = raster_state(*draw);
  if (!raster) return tl::unexpected(fault_of(*draw, std::move(raster.error())));
  auto first_slice = targets_.add(*draw);
  if (!first_slice) {
    ++statistics_.drains[size_t(DrainReason::targets)];
    if (Outcome done = drain(DrainReason::targets); !done) return done;
    first_slice = targets_.add(*draw);
  }
  raster->first_slice = first_slice.value_or(0);
  raster->plan = pixel_plan(*draw);
  draws_.push_back(std::make_unique<Drawn>(Drawn{std::move(draw), std::move(*front), *raster}));
  Drawn& drawn = *draws_.back();
  drawn.front.raster = &drawn.raster;
  scene_counts_.assembled += drawn.front.objects * drawn.front.instances;
  if (!drawn.front.streams_out) return run_chunks(drawn);
  stream_out_.write_offsets = drawn.draw->so_write_offsets;
  Outcome done = run_chunks(drawn);
  memory::View memory(drawn.draw->memory);
  store_write_offsets(drawn.draw->state, memory, stream_out_);
  return done;
}

// --- the back end

namespace {

// Whether a primitive writes every pixel of a bin, whatever was there.
bool hides(const RasterPrimitive& p, const Rectangle& bin) {
  if (!p.state->plan.covers || p.shape != Shape::edges || p.stippled || p.primitive.drawn_as != ObjectKind::triangle)
    return false;
  const Rectangle r = overlap(p.bounds, bin);
  if (r.x0 != bin.x0 || r.y0 != bin.y0 || r.x1 != bin.x1 || r.y1 != bin.y1) return false;
  for (unsigned k = 0; k < p.edge_count; ++k)
    if (!side(*p.tests, p.edges[k], bin.x0 & ~(bin_px - 1), bin.y0 & ~(bin_px - 1), bin_px).all) return false;
  return true;
}
// The last one that does; 0 if there is none.
size_t hiding(const Scene::Bin& bin) {
  for (size_t k = bin.primitives.size(); k-- > 1;)
    if (hides(*bin.primitives[k], bin.pixels)) return k;
  return 0;
}
// Whether nothing will be left of a primitive under one that hides all before it: both only paint, the same targets.
bool is_hidden(const RasterPrimitive& p, const RasterPrimitive& by) {
  return p.state->plan.paints && (p.state->draw == by.state->draw || p.state->draw->ps == by.state->draw->ps);
}

}  // namespace

struct SceneRenderer::BinTasks {
  SceneRenderer& renderer;
  std::span<const Scene::Bin> bins;
  FirstFault fault{};

  void run(unsigned number, uint64_t n) {
    if (fault.any()) return;
    const Scene::Bin& bin = bins[n];
    Worker& w = renderer.worker(number);
    ++w.share.bins;
    const Draw* current = nullptr;
    const auto stop = [&](Fault f) { fault.keep(current->number, fault_of(*current, std::move(f))); };
    const size_t cover = hiding(bin);
    for (size_t k = 0; k < bin.primitives.size(); ++k) {
      const RasterPrimitive* const p = bin.primitives[k];
      if (k < cover && is_hidden(*p, *bin.primitives[cover])) {
        rasterise(*p, bin.pixels, w.blocks);
        for (const Block& b : w.blocks) w.pixels.count_hidden(*p->state->draw, b);
        continue;
      }
      if (const Draw* draw = p->state->draw; draw != current) {
        if (current)
          if (auto f = w.pixels.end()) return stop(std::move(*f));
        current = draw;
        if (auto f = w.pixels.begin(*draw)) return stop(std::move(*f));
      }
      rasterise(*p, bin.pixels, w.blocks);
      for (const Block& b : w.blocks)
        if (auto f = w.pixels.block(b)) return stop(std::move(*f));
    }
    if (current)
      if (auto f = w.pixels.end()) return stop(std::move(*f));
  }
};

Outcome SceneRenderer::draw_bins(DrainReason reason) {
  const auto began = std::chrono::steady_clock::now();
  scene_.close();
  BinTasks tasks{*this, scene_.bins()};
  pool_.each(
      tasks.bins.size(),
      [](void* context, unsigned number, uint64_t n) { static_cast<BinTasks*>(context)->run(number, n); }, &tasks);
  Outcome done = tasks.fault.outcome();
  for (size_t n = 0; n < workers_.size(); ++n)
    if (workers_[n]) collect(n);
  const size_t bins = tasks.bins.size();
  if (!draws_.empty()) ++scene_counts_.scenes;
  if (watch) watch({reason, draws_.size(), bins, std::chrono::steady_clock::now() - began});
  scene_.begin(largest_target);
  return done;
}

Outcome SceneRenderer::drain(DrainReason reason) {
  Outcome done = draw_bins(reason);
  draws_.clear();
  targets_.clear();
  return done;
}

Outcome SceneRenderer::depth_stencil_operation(const DepthStencilOperation& operation) {
  memory::View memory(operation.memory);
  if (auto fault = run_hz_op(operation, memory)) return tl::unexpected(std::move(*fault));
  return {};
}

// --- what was counted

void SceneRenderer::collect(size_t number) {
  Worker& w = *workers_[number];
  statistics_ += std::exchange(w.statistics, {});
  counts_ += std::exchange(w.counts, {});
  const PixelCounters p = w.pixels.take_counters();
  statistics_ += p.statistics;
  counts_ += p.counts;
  scene_counts_.pixels += p.pixels;
  for (size_t n = 0; n < p.threads.size(); ++n) scene_counts_.pixel_threads[n] += p.threads[n];
  scene_counts_.rasterised += std::exchange(w.rasterised, 0);
  scene_counts_.add_share(number, std::exchange(w.share, {}));
  w.arena.clear();
}

Statistics SceneRenderer::take_statistics() { return std::exchange(statistics_, {}); }
dispatch::Counts SceneRenderer::take_counts() { return std::exchange(counts_, {}); }
std::array<uint32_t, 4> SceneRenderer::write_offsets() const { return stream_out_.write_offsets; }

void SceneRenderer::end_batch() {
  draws_.clear();
  targets_.forget();
  scene_.begin(largest_target);
  for (const std::unique_ptr<Worker>& w : workers_)
    if (w) w->runner.forget(), w->pixels.forget();
}

size_t SceneRenderer::scene_bytes() const {
  size_t bytes = scene_.bytes();
  for (const std::unique_ptr<Worker>& w : workers_)
    if (w) bytes += w->arena.bytes();
  return bytes;
}

}  // namespace vitro::pipeline
