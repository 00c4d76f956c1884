// A renderer that is looked at: it tells of every draw and every scene that was drained (`--trace draws`), and keeps
// render targets as pictures after the draws that were asked for (`--png-after`). No part of the machine by itself: a
// device without either has none.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "device/trace.h"
#include "pipeline/scene_renderer.h"

namespace vitro::device {

// What all contexts of a device share.
struct Watch {
  bool tells = false;  // lines, by write_trace
  std::vector<Picture> pictures{};
  std::atomic<uint64_t> draws{0};  // so far

  bool wanted() const { return tells || !pictures.empty(); }
};

class WatchedRenderer : public pipeline::Renderer {
 public:
  WatchedRenderer(pipeline::SceneRenderer& scenes, Watch& watch);

  pipeline::Outcome draw(const pipeline::DrawCommand& command) override;
  pipeline::Outcome depth_stencil_operation(const pipeline::DepthStencilOperation& operation) override;
  pipeline::Outcome drain(pipeline::DrainReason reason) override { return scenes_.drain(reason); }
  size_t mark() override { return scenes_.mark(); }
  std::vector<uint64_t> take_marks() override { return scenes_.take_marks(); }
  pipeline::Statistics take_statistics() override { return scenes_.take_statistics(); }
  dispatch::Counts take_counts() override { return scenes_.take_counts(); }
  std::array<uint32_t, 4> write_offsets() const override { return scenes_.write_offsets(); }
  void end_batch() override { scenes_.end_batch(), Renderer::end_batch(); }

 private:
  pipeline::SceneRenderer& scenes_;
  Watch& watch_;
  bool for_a_picture_ = false;  // a scene is drained because of one
};

std::string describe(uint64_t number, const pipeline::DrawCommand& command);

}  // namespace vitro::device
