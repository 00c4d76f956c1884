// Draws by scenes: the front end of a draw runs at once and fills the bins of a scene, and the bins are drawn when the
// scene is drained. PRM: Gen8 vol 7 "3D Pipeline". Chunks and bins are shared out among the pool's host threads, each
// of which has a front end and a pixel back end of its own; a bin is drawn by one of them, in the order of its list, so
// that what is drawn does not depend on how many there are. A scene that is drained because it is full, or because the
// next draw has other targets, is drawn while the next one is filled: no command has been met that could tell.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "dispatch/pool.h"
#include "pipeline/front_end.h"
#include "pipeline/overdraw.h"
#include "pipeline/pixel.h"
#include "pipeline/renderer.h"
#include "pipeline/scene.h"
#include "pipeline/targets.h"

namespace vitro::pipeline {

// What one of the pool's host threads did of the drawing.
struct WorkerShare {
  uint64_t chunks = 0, bins = 0;
  bool operator==(const WorkerShare&) const = default;
};

// What was drawn, whether or not registers count it.
struct SceneCounts {
  uint64_t assembled = 0, rasterised = 0;  // primitives: of the vertices, and those that are left to be drawn
  uint64_t pixels = 0, painted = 0;        // shaded, and those of them that were painted without threads
  std::array<uint64_t, pixel_lanes.size()> pixel_threads{};  // by width
  uint64_t scenes = 0, chunks = 0, bins = 0;
  uint64_t largest_scene = 0;         // in bytes
  std::vector<WorkerShare> shares{};  // by the host thread's number

  void add_share(size_t worker, const WorkerShare& s) {
    if (shares.size() <= worker) shares.resize(worker + 1);
    shares[worker].chunks += s.chunks, shares[worker].bins += s.bins;
    chunks += s.chunks, bins += s.bins;
  }
  SceneCounts& operator+=(const SceneCounts& c) {
    assembled += c.assembled, rasterised += c.rasterised, pixels += c.pixels, painted += c.painted, scenes += c.scenes;
    largest_scene = std::max(largest_scene, c.largest_scene);
    for (size_t w = 0; w < pixel_threads.size(); ++w) pixel_threads[w] += c.pixel_threads[w];
    for (size_t n = 0; n < c.shares.size(); ++n) add_share(n, c.shares[n]);
    return *this;
  }
};

// A scene that was drawn to its end.
struct SceneDrained {
  DrainReason reason{};
  uint64_t draws = 0, bins = 0;
  std::chrono::nanoseconds spent{};  // on its bins
};

class SceneRenderer : public Renderer {
 public:
  // A scene takes so much memory, about, before it is drained.
  SceneRenderer(dispatch::Pool& pool, const shared::UrbLayout& urb, size_t scene_bytes = Scene::most_bytes);
  ~SceneRenderer() override;

  Outcome draw(const DrawCommand& command) override;
  Outcome depth_stencil_operation(const DepthStencilOperation& operation) override;
  Outcome drain(DrainReason reason) override;
  size_t mark() override;
  std::vector<uint64_t> take_marks() override;
  Statistics take_statistics() override;
  dispatch::Counts take_counts() override;
  std::array<uint32_t, 4> write_offsets() const override;
  void end_batch() override;
  SceneCounts take_scene_counts() { return std::exchange(scene_counts_, {}); }

  std::function<void(const SceneDrained&)> watch{};  // is told of every scene; may be empty

 private:
  // What a host thread draws with.
  struct Worker {
    Worker(const dispatch::SubsliceOptions& options, const shared::UrbLayout& layout, unsigned number);
    UrbArena urb;
    dispatch::Runner runner;
    FrontEnd front;
    PixelBackEnd pixels;
    Blocks blocks{};
    TestedBlocks tested{};
    Statistics statistics{};  // of the front end, and its threads
    uint64_t rasterised = 0;  // primitives
    WorkerShare share{};
    dispatch::Counts counts{};
    std::vector<uint64_t> depth_counts{};  // of the scene, behind each mark
    uint64_t depth_counted = 0;            // of the scene so far
    void count_depth(size_t mark);
  };
  // A draw of the scene, of one command or more.
  struct Drawn {
    std::shared_ptr<const Draw> draw;
    RasterState raster;
  };
  // A scene and what its primitives lead to.
  struct Contents {
    Scene scene{};
    std::vector<std::unique_ptr<Drawn>> drawn{};  // the first `draws`; the others are kept for their memory
    size_t draws = 0;
    uint64_t commands = 0;
    Arena places{};                 // of commands
    std::vector<Arena> vertices{};  // by worker
    size_t bytes() const;
    void clear();
  };
  struct ChunkTasks;
  struct BinTasks;
  struct BinRun;

  Worker& worker(unsigned number);
  Outcome set_up(const DrawCommand& command);
  Outcome begin_draw(const DrawCommand& command);
  void add_drawn(std::shared_ptr<const Draw> draw, const RasterState& raster);
  void add_place(const DrawPlace& place);
  Outcome make_room(size_t bytes);
  Outcome run_chunks();
  Outcome run_only_chunk();
  std::optional<Fault> run_chunk(unsigned number, uint64_t n, Chunk& chunk);
  Outcome close_scene(DrainReason reason);
  Outcome pass_on_scene(DrainReason reason);
  Outcome finish_bins();
  void collect(size_t number);

  dispatch::Pool& pool_;
  dispatch::Pool::TaskTime chunk_time_{}, bin_time_{}, row_time_{};
  const shared::UrbLayout& urb_;
  const size_t most_bytes_;                       // of a scene
  std::vector<std::unique_ptr<Worker>> workers_;  // by number; null: has not been needed
  std::array<Contents, 2> contents_{};
  Contents* filled_ = &contents_[0];      // the other one may be what bins_ draw
  std::unique_ptr<BinTasks> bins_;        // null: none are being drawn
  const DrawPlace* place_ = nullptr;      // of the command that is drawn
  size_t marks_ = 0;                      // so far
  std::vector<uint64_t> depth_counts_{};  // of drained scenes, behind each mark
  Front front_{};                         // of the last draw
  std::optional<memory::View> memory_{};
  Chunk* few_ = nullptr;       // the scene's last chunk, if others may add to it
  uint32_t few_vertices_ = 0;  // of it
  TargetPlaces targets_{};
  StreamOutState stream_out_{};
  const std::function<bool()>* stop_ = nullptr;  // of the batch
  Statistics statistics_{};
  dispatch::Counts counts_{};
  SceneCounts scene_counts_{};
};

}  // namespace vitro::pipeline
