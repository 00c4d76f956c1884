// Filling scenes and drawing their bins. PRM: as scene_renderer.h.
#include "pipeline/scene_renderer.h"

#include <algorithm>
#include <utility>

namespace vitro::pipeline {
namespace {

// Bins are sorted by where they are, so that the extent of targets need not be known: the largest there are.
constexpr Extent largest_target{.width = 16384, .height = 16384, .layers = 2048};
// Chunks that are run before somebody looks how full the scene is, at most: fewer if they might not fit.
constexpr uint64_t chunks_at_once = 64;
// There is room for so many, where there are as many host threads to run them.
constexpr size_t most_reserved = 8;

// What a chunk of a draw may take if all of it is seen, in small triangles.
size_t chunk_bytes(const Front& f) {
  const size_t vertices = std::max(f.slice(), chunk_vertices), objects = vertices / f.topology->step;
  return vertices * f.entry_slots * sizeof(Slot) + objects * (sizeof(RasterPrimitive) + 2 * sizeof(void*));
}

// The fault of the first task that has one, of those that several host threads run at a time: that one which a single
// host thread would have met. The batch may also be abandoned, which comes before all others.
class FirstFault {
 public:
  explicit FirstFault(const std::function<bool()>* stop) : stop_(stop) {}
  void keep(uint64_t task, Fault f) {
    const std::lock_guard guard(lock_);
    if (is_behind(task + 1)) return;
    task_.store(task, std::memory_order_relaxed);
    fault_ = std::move(f);
  }
  // Whether the task need not run, or go on: it is behind one with a fault, or all are abandoned. That may be asked
  // only by the host thread that called, which is the first worker.
  bool is_over(unsigned worker, uint64_t task) {
    if (worker == 0 && stop_ && (*stop_)()) keep(0, abandoned_fault());
    return is_behind(task);
  }
  Outcome outcome() {
    if (!fault_) return {};
    return tl::unexpected(std::move(*fault_));
  }

 private:
  bool is_behind(uint64_t task) const { return task > task_.load(std::memory_order_relaxed); }

  const std::function<bool()>* stop_;
  std::mutex lock_;
  std::atomic<uint64_t> task_{~uint64_t(0)};
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

SceneRenderer::SceneRenderer(dispatch::Pool& pool, const shared::UrbLayout& urb, size_t scene_bytes)
    : pool_(pool), urb_(urb), most_bytes_(scene_bytes), workers_(pool.workers()) {
  for (Contents& c : contents_) {
    c.scene.begin(largest_target);
    c.vertices.resize(workers_.size());
  }
}
SceneRenderer::~SceneRenderer() = default;

size_t SceneRenderer::Contents::bytes() const {
  size_t bytes = scene.bytes();
  for (const Arena& a : vertices) bytes += a.bytes();
  return bytes;
}

void SceneRenderer::Contents::clear() {
  scene.begin(largest_target);
  for (size_t n = 0; n < draws; ++n) drawn[n]->draw.reset();
  draws = 0;
  commands = 0;
  places.clear();
  for (Arena& a : vertices) a.clear();
}

// Each is asked for by one host thread at a time: the one that has its number.
SceneRenderer::Worker& SceneRenderer::worker(unsigned number) {
  std::unique_ptr<Worker>& w = workers_[number];
  if (!w) w = std::make_unique<Worker>(pool_.subslice_options(), urb_, number);
  return *w;
}

// --- the front end

std::optional<Fault> SceneRenderer::run_chunk(unsigned number, uint64_t n, Chunk& chunk) {
  const Drawn& drawn = *filled_->drawn[filled_->draws - 1];
  Worker& w = worker(number);
  struct Filling {
    const RasterState& raster;
    Chunk& chunk;
    uint64_t primitives;
  } filling{drawn.raster, chunk, 0};
  const FrontEnd::Sink sink{[](void* context, const Object& object, const ScreenCorners* known) {
                              Filling& f = *static_cast<Filling*>(context);
                              f.primitives += f.chunk.add(f.raster, object, known);
                            },
                            &filling};
  StreamOutState* out = front_.streams_out ? &stream_out_ : nullptr;
  chunk.begin_draw(*place_);
  std::optional<Fault> fault = w.front.run_chunk(*drawn.draw, front_, front_.chunk(n), filled_->vertices[number], sink,
                                                 w.statistics, w.counts, out);
  w.rasterised += filling.primitives;
  ++w.share.chunks;
  return fault;
}

struct SceneRenderer::ChunkTasks {
  SceneRenderer& renderer;
  uint64_t first = 0;
  FirstFault fault;
  std::vector<Chunk*> chunks{};  // of the scene

  void run(unsigned number, uint64_t n) {
    if (fault.is_over(number, n)) return;
    if (auto f = renderer.run_chunk(number, first + n, *chunks[n])) fault.keep(n, std::move(*f));
  }
};

// For so many bytes more, unless the scene is empty. The draw goes on in the next scene.
Outcome SceneRenderer::make_room(size_t bytes) {
  const size_t taken = filled_->bytes();
  if (!taken || taken + bytes <= most_bytes_) return {};
  ++statistics_.drains[size_t(DrainReason::arena)];
  const Drawn current = *filled_->drawn[filled_->draws - 1];
  const DrawPlace place = *place_;
  if (Outcome done = pass_on_scene(DrainReason::arena); !done) return done;
  add_drawn(current.draw, current.raster);
  add_place(place);
  return {};
}

// A draw of one chunk runs here and at once, and shares the scene's chunk with others like it.
Outcome SceneRenderer::run_only_chunk() {
  const uint32_t vertices = front_.stream.count * front_.instances;
  if (!few_ || few_vertices_ + vertices > chunk_vertices) {
    if (Outcome done = make_room(chunk_bytes(front_)); !done) return done;
    few_ = &filled_->scene.chunk();
    few_vertices_ = 0;
  }
  few_vertices_ += vertices;
  auto fault = run_chunk(0, 0, *few_);
  if (!fault) return {};
  return tl::unexpected(fault_of(*place_, std::move(*fault)));
}

Outcome SceneRenderer::run_chunks() {
  const uint64_t all = front_.chunks();
  if (all == 1) return run_only_chunk();
  few_ = nullptr;
  const size_t each = chunk_bytes(front_), fewest = std::min(2 * workers_.size(), most_reserved);
  for (uint64_t first = 0, count = 0; first < all; first += count) {
    if (Outcome done = make_room(fewest * each); !done) return done;
    ChunkTasks tasks{*this, first, FirstFault(stop_)};
    const size_t room = most_bytes_ - std::min(most_bytes_, filled_->bytes());
    count = std::min(std::clamp<uint64_t>(room / each, fewest, chunks_at_once), all - first);
    for (uint64_t n = 0; n < count; ++n) tasks.chunks.push_back(&filled_->scene.chunk());
    if (front_.streams_out)  // in order
      for (uint64_t n = 0; n < count; ++n) tasks.run(0, n);
    else
      pool_.each(
          count, [](void* context, unsigned number, uint64_t n) { static_cast<ChunkTasks*>(context)->run(number, n); },
          &tasks, chunk_time_);
    if (Outcome done = tasks.fault.outcome(); !done) return tl::unexpected(fault_of(*place_, done.error()));
  }
  return {};
}

namespace {

// Draws that a scene may have: their memory counts, too, and there are as many in the pool.
constexpr size_t most_draws = DrawPool::most / 2 - 24;

// Whether packets of these groups say the same to two draws of a scene, which belong to one context.
bool agree(const Draw& a, const Draw& b, std::initializer_list<state::Group> groups) {
  return std::all_of(groups.begin(), groups.end(),
                     [&](state::Group g) { return a.state.version(g) == b.state.version(g); });
}
bool have_same_input(const Draw& a, const Draw& b) {
  using enum state::Group;
  return a.memory == b.memory && agree(a, b, {vertex_buffers, vertex_elements, vertex_fetch});
}
// Nothing is written between two draws of a scene that could change what their binding tables lead to.
bool have_same_targets(const Draw& a, const Draw& b) {
  using enum state::Group;
  return a.memory == b.memory && a.ps == b.ps && a.samples == b.samples && agree(a, b, {targets, depth_stencil}) &&
         a.state.ps.render_target_fast_clear_enable == b.state.ps.render_target_fast_clear_enable &&
         a.state.clip.force_zero_rta_index_enable == b.state.clip.force_zero_rta_index_enable;
}

}  // namespace

// A draw that the scene's last command did not have.
Outcome SceneRenderer::begin_draw(const DrawCommand& command) {
  const Draw& draw = *command.draw;
  const Drawn* before = filled_->draws ? filled_->drawn[filled_->draws - 1].get() : nullptr;
  if (!memory_ || memory_->table() != draw.memory) memory_.emplace(draw.memory);
  const bool same_input = before && have_same_input(*before->draw, draw);
  if (auto set = set_draw(front_, draw, command.primitive, *memory_, same_input); !set)
    return tl::unexpected(fault_of(command.place, std::move(set.error())));
  auto raster = raster_state(draw);
  if (!raster) return tl::unexpected(fault_of(command.place, std::move(raster.error())));
  const auto begin_scene = [&](DrainReason reason) {
    ++statistics_.drains[size_t(reason)];
    before = nullptr;
    targets_.clear();
    return pass_on_scene(reason);
  };
  if (filled_->draws == most_draws)
    if (Outcome done = begin_scene(DrainReason::arena); !done) return done;
  raster->plan = pixel_plan(draw);
  if (before && have_same_targets(*before->draw, draw) && before->raster.plan.dispatches == raster->plan.dispatches) {
    raster->slices = before->raster.slices;
  } else {
    auto slices = targets_.add(draw);
    if (!slices) {
      if (Outcome done = begin_scene(DrainReason::targets); !done) return done;
      slices = targets_.add(draw);
    }
    raster->slices = slices.value_or(BinSlices{});
  }
  add_drawn(command.draw, *raster);
  return {};
}

void SceneRenderer::add_drawn(std::shared_ptr<const Draw> draw, const RasterState& raster) {
  Contents& c = *filled_;
  if (c.draws == c.drawn.size()) c.drawn.push_back(std::make_unique<Drawn>());
  Drawn& drawn = *c.drawn[c.draws++];
  drawn.draw = std::move(draw);
  drawn.raster = raster;
  front_.raster = &drawn.raster;
}

void SceneRenderer::add_place(const DrawPlace& place) {
  DrawPlace& p = filled_->places.take<DrawPlace>(1)[0];
  p = place;
  place_ = &p;
  ++filled_->commands;
}

Outcome SceneRenderer::set_up(const DrawCommand& command) {
  const Draw& draw = *command.draw;
  if (filled_->draws == 0 || filled_->drawn[filled_->draws - 1]->draw.get() != &draw) {
    if (Outcome done = begin_draw(command); !done) return done;
  } else if (auto set = set_vertices(front_, draw, command.primitive, *memory_); !set) {
    return tl::unexpected(fault_of(command.place, std::move(set.error())));
  }
  stop_ = draw.stop;
  DrawPlace place = command.place;
  place.mark = marks_;
  add_place(place);
  scene_counts_.assembled += front_.objects * front_.instances;
  if (!front_.streams_out) return run_chunks();
  // It writes memory that pixels of the scene before may read.
  if (Outcome done = finish_bins(); !done) return done;
  stream_out_.write_offsets = command.so_write_offsets;
  Outcome done = run_chunks();
  store_write_offsets(draw.state, *memory_, stream_out_);
  return done;
}

// A Fault of an earlier scene comes before one of this draw.
Outcome SceneRenderer::draw(const DrawCommand& command) {
  Outcome done = set_up(command);
  if (done) return done;
  Outcome earlier = finish_bins();
  return earlier ? done : earlier;
}

// --- the back end

namespace {

// Primitives and their vertices lie in the order of chunks, bins take them in theirs: what the next ones need is called
// for while this one is drawn.
void call_for(const void* at, size_t bytes) {
  for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch(static_cast<const std::byte*>(at) + k);
}
constexpr size_t most_called = 128;  // bytes of a vertex
void call_for_next(std::span<const RasterPrimitive* const> primitives, size_t k) {
  if (k + 2 < primitives.size()) call_for(primitives[k + 2], sizeof(RasterPrimitive));
  if (k + 1 == primitives.size()) return;
  const Object& o = primitives[k + 1]->primitive.object;
  for (unsigned n = 0; n < vertices_of(o.kind); ++n) call_for(o.vertices[n], most_called);
}

}  // namespace

constexpr size_t ask_every = 64;  // primitives of a bin, whether they are to be abandoned

// Drawing one bin.
struct SceneRenderer::BinRun {
  Worker& w;
  const Scene::Bin& bin;
  bool marks;     // counts are asked for in between
  bool may_hide;  // some draw of the scene covers what was there
  FirstFault& fault;
  unsigned number;  // the worker's
  uint64_t task;
  const Draw* current = nullptr;
  const DrawPlace* place = nullptr;  // of the primitive

  MaybeFault run() {
    const size_t cover = may_hide ? last_hiding(bin) : 0, all = bin.primitives.size();
    for (size_t k = 0, ask = ask_every; k < all;) {
      if (k >= ask && fault.is_over(number, task)) break;
      if (k >= ask) ask = k + ask_every;
      const RasterPrimitive& p = *bin.primitives[k];
      call_for_next(bin.primitives, k);
      if (k < cover && is_hidden(p, *bin.primitives[cover])) {
        if (auto f = enter(p)) return f;
        if (w.pixels.counts_hidden(*current)) w.pixels.count_hidden(*current, pixels_of(p, bin.pixels, w.blocks));
        ++k;
        continue;
      }
      if (const size_t count = tested_row_from(bin, k); count > 1) {
        if (auto f = tested_row(k, k + count)) return f;
        k += count;
        continue;
      }
      const size_t count = row_from(bin, k);
      if (auto f = count > 1 ? row(k, k + count) : draw(p, nullptr)) return f;
      k += count;
    }
    return current ? end() : std::nullopt;
  }
  // Those in a row, the last one first.
  MaybeFault row(size_t first, size_t behind) {
    Painted painted;
    while (behind-- > first)
      if (auto f = draw(*bin.primitives[behind], &painted)) return f;
    return std::nullopt;
  }
  // Those are tested in order, and then shaded the last one first.
  MaybeFault tested_row(size_t first, size_t behind) {
    w.tested.clear();
    for (size_t k = first; k < behind; ++k) {
      if (auto f = enter(*bin.primitives[k])) return f;
      rasterise(*bin.primitives[k], bin.pixels, w.blocks);
      w.pixels.test({w.blocks.blocks.data(), w.blocks.count});
      w.tested.add(w.blocks);
    }
    Painted painted;
    while (behind-- > first) {
      const RasterPrimitive& p = *bin.primitives[behind];
      if (auto f = enter(p)) return f;
      w.tested.take_last(p, bin.pixels, w.blocks);
      painted.paint(w.blocks);
      if (auto f = w.pixels.tested_blocks({w.blocks.begin(), w.blocks.end()})) return f;
    }
    return std::nullopt;
  }
  MaybeFault draw(const RasterPrimitive& p, Painted* painted) {
    if (auto f = enter(p)) return f;
    if (MaybeFault f; !painted && w.pixels.paint(p, bin.pixels, f)) return f;
    rasterise(p, bin.pixels, w.blocks);
    if (painted) w.pixels.count_hidden(*current, painted->paint(w.blocks));
    return w.pixels.blocks({w.blocks.begin(), w.blocks.end()});
  }
  // Commands that share a draw go on with its threads, unless it must be known whose access missed or who counted.
  MaybeFault enter(const RasterPrimitive& p) {
    const Draw* draw = p.state->draw;
    const DrawPlace* of = p.primitive.place;
    if (draw == current && (of == place || (!draw->strict && of->mark == place->mark))) {
      place = of;
      return std::nullopt;
    }
    if (current)
      if (auto f = end()) return f;
    current = draw, place = of;
    return w.pixels.begin(*draw);
  }
  MaybeFault end() {
    MaybeFault f = w.pixels.end();
    if (marks) w.count_depth(place->mark);
    return f;
  }
};

struct SceneRenderer::BinTasks {
  SceneRenderer& renderer;
  Contents& contents;
  const DrainReason reason;
  const bool marks;     // counts are asked for within the scene
  const bool may_hide;  // there is a draw whose primitives could hide others
  FirstFault fault;
  std::chrono::steady_clock::time_point closed = std::chrono::steady_clock::now();
  std::shared_ptr<dispatch::Pool::TaskList> begun{};

  size_t count() const { return contents.scene.bins().size(); }
  static void task(void* context, unsigned number, uint64_t n) { static_cast<BinTasks*>(context)->run(number, n); }
  void run(unsigned number, uint64_t n) {
    if (fault.is_over(number, n)) return;
    Worker& w = renderer.worker(number);
    ++w.share.bins;
    BinRun bin{w, contents.scene.bins()[n], marks, may_hide, fault, number, n};
    if (MaybeFault f = bin.run())
      fault.keep(n, f->command.empty() ? fault_of(*bin.place, std::move(*f)) : std::move(*f));
  }
};

// What passed since the last time belongs to draws behind this mark.
void SceneRenderer::Worker::count_depth(size_t mark) {
  const uint64_t now = pixels.counters().statistics.ps_depth_count;
  if (depth_counts.size() <= mark) depth_counts.resize(mark + 1);
  depth_counts[mark] += now - std::exchange(depth_counted, now);
}

size_t SceneRenderer::mark() { return ++marks_; }

std::vector<uint64_t> SceneRenderer::take_marks() {
  std::vector<uint64_t> before(std::exchange(marks_, 0));
  uint64_t sum = 0;
  for (size_t n = 0; n < before.size(); ++n) before[n] = sum += n < depth_counts_.size() ? depth_counts_[n] : 0;
  depth_counts_.clear();
  return before;
}

// Its bins are to be drawn, and what is drawn from now on belongs to the next scene. The one before is over.
Outcome SceneRenderer::close_scene(DrainReason reason) {
  Outcome earlier = finish_bins();
  Contents& c = *filled_;
  if (!earlier) c.clear();
  scene_counts_.largest_scene = std::max<uint64_t>(scene_counts_.largest_scene, c.bytes());
  c.scene.close();
  const bool may_hide = std::any_of(c.drawn.begin(), c.drawn.begin() + ptrdiff_t(c.draws),
                                    [](const auto& drawn) { return drawn->raster.plan.covers; });
  bins_.reset(new BinTasks{*this, c, reason, marks_ != 0, may_hide, FirstFault(stop_)});
  filled_ = &contents_[filled_ == &contents_[0]];
  few_ = nullptr;
  place_ = nullptr;
  return earlier;
}

// Others may draw the scene while this host thread fills the next one.
Outcome SceneRenderer::pass_on_scene(DrainReason reason) {
  if (Outcome earlier = close_scene(reason); !earlier) return earlier;
  bins_->begun = pool_.begin_each(bins_->count(), BinTasks::task, bins_.get(), bin_time_);
  return bins_->begun ? Outcome() : finish_bins();
}

Outcome SceneRenderer::finish_bins() {
  if (!bins_) return {};
  const std::unique_ptr<BinTasks> bins = std::move(bins_);
  if (bins->begun)
    pool_.finish_each(*bins->begun, bin_time_);
  else
    pool_.each(bins->count(), BinTasks::task, bins.get(), bin_time_);
  for (size_t n = 0; n < workers_.size(); ++n)
    if (workers_[n]) collect(n);
  Contents& c = bins->contents;
  if (c.commands) ++scene_counts_.scenes;
  if (watch) watch({bins->reason, c.commands, bins->count(), std::chrono::steady_clock::now() - bins->closed});
  c.clear();
  return bins->fault.outcome();
}

Outcome SceneRenderer::drain(DrainReason reason) {
  Outcome earlier = close_scene(reason), done = finish_bins();
  targets_.clear();
  return earlier ? done : earlier;
}

namespace {

// Rows of an operation that any host thread may run.
struct RowTasks {
  const DepthStencilOperation& operation;
  int first = 0;  // row of tiles
  FirstFault fault;

  void run(unsigned worker, uint64_t n) {
    if (fault.is_over(worker, n)) return;
    memory::View memory(operation.memory);
    const int row = (first + int(n)) * rows_of_tiles;
    if (auto f = run_hz_op(operation, memory, {row, row + rows_of_tiles})) fault.keep(n, std::move(*f));
  }
};

}  // namespace

Outcome SceneRenderer::depth_stencil_operation(const DepthStencilOperation& operation) {
  const Rectangle r = overlap(hz_op_rectangle(operation), {0, 0, largest_target.width, largest_target.height});
  if (r.empty()) return {};
  RowTasks tasks{operation, r.y0 / rows_of_tiles, FirstFault(operation.stop)};
  const int end = (r.y1 + rows_of_tiles - 1) / rows_of_tiles;
  pool_.each(
      uint64_t(end - tasks.first),
      [](void* context, unsigned worker, uint64_t n) { static_cast<RowTasks*>(context)->run(worker, n); }, &tasks,
      row_time_);
  return tasks.fault.outcome();
}

// --- what was counted

void SceneRenderer::collect(size_t number) {
  Worker& w = *workers_[number];
  statistics_ += std::exchange(w.statistics, {});
  counts_ += std::exchange(w.counts, {});
  w.pixels.forget_primitives();
  const PixelCounters p = w.pixels.take_counters();
  statistics_ += p.statistics;
  counts_ += p.counts;
  scene_counts_.pixels += p.pixels, scene_counts_.painted += p.painted;
  for (size_t n = 0; n < p.threads.size(); ++n) scene_counts_.pixel_threads[n] += p.threads[n];
  scene_counts_.rasterised += std::exchange(w.rasterised, 0);
  scene_counts_.add_share(number, std::exchange(w.share, {}));
  if (depth_counts_.size() < w.depth_counts.size()) depth_counts_.resize(w.depth_counts.size());
  for (size_t n = 0; n < w.depth_counts.size(); ++n) depth_counts_[n] += w.depth_counts[n];
  w.depth_counts.clear();
  w.depth_counted = 0;
}

Statistics SceneRenderer::take_statistics() { return std::exchange(statistics_, {}); }
dispatch::Counts SceneRenderer::take_counts() { return std::exchange(counts_, {}); }
std::array<uint32_t, 4> SceneRenderer::write_offsets() const { return stream_out_.write_offsets; }

void SceneRenderer::end_batch() {
  static_cast<void>(finish_bins());  // after a Fault; it was the first one
  for (Contents& c : contents_) c.clear();
  stop_ = nullptr;
  place_ = nullptr;
  few_ = nullptr;
  Renderer::end_batch();
  targets_.forget();
  memory_.reset();
  for (const std::unique_ptr<Worker>& w : workers_)
    if (w) w->runner.forget(), w->pixels.forget();
}

}  // namespace vitro::pipeline
