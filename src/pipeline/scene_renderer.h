// Draws by scenes: the front end of a draw runs at once and fills the bins of a scene, and the bins are drawn when the
// scene is drained. PRM: Gen8 vol 7 "3D Pipeline". Chunks and bins are shared out among the pool's host threads, each
// of which has a front end and a pixel back end of its own; a bin is drawn by one of them, in the order of its list, so
// that what is drawn does not depend on how many there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "dispatch/pool.h"
#include "pipeline/front_end.h"
#include "pipeline/pixel.h"
#include "pipeline/renderer.h"
#include "pipeline/scene.h"

namespace vitro::pipeline {

class SceneRenderer : public Renderer {
 public:
  SceneRenderer(dispatch::Pool& pool, const shared::UrbLayout& urb);
  ~SceneRenderer() override;

  Outcome draw(std::shared_ptr<const Draw> draw) override;
  Outcome depth_stencil_operation(const DepthStencilOperation& operation) override;
  Outcome drain(DrainReason reason) override;
  Statistics take_statistics() override;
  dispatch::Counts take_counts() override;
  std::array<uint32_t, 4> write_offsets() const override;
  void end_batch() override;

 private:
  // What a host thread draws with.
  struct Worker {
    Worker(const dispatch::SubsliceOptions& options, const shared::UrbLayout& layout, unsigned number);
    UrbArena urb;
    dispatch::Runner runner;
    FrontEnd front;
    PixelBackEnd pixels;
    Arena arena{};  // vertices, until the scene is drained
    Blocks blocks{};
    Statistics statistics{};  // of the front end, and its threads
    dispatch::Counts counts{};
  };
  // A draw of the scene.
  struct Drawn {
    std::shared_ptr<const Draw> draw;
    Front front;
    RasterState raster;
  };
  struct ChunkTasks;
  struct BinTasks;

  Worker& worker(unsigned number);
  Outcome run_chunks(const Drawn& drawn);
  Outcome draw_bins();
  void collect(Worker& worker);
  size_t scene_bytes() const;

  dispatch::Pool& pool_;
  const shared::UrbLayout& urb_;
  std::vector<std::unique_ptr<Worker>> workers_;  // by number; null: has not been needed
  Scene scene_{};
  std::vector<std::unique_ptr<Drawn>> draws_{};  // of the scene
  StreamOutState stream_out_{};
  Statistics statistics_{};
  dispatch::Counts counts_{};
};

}  // namespace vitro::pipeline
