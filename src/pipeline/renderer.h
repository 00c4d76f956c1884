// Where draws go. PRM: Gen8 vol 7 "3D Pipeline". A renderer may put off what it is given, up to the next drain; memory
// and counts are as the commands say only then. It belongs to one context and to the host thread that runs its batch.
#pragma once

#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "base/fault.h"
#include "pipeline/draw.h"
#include "pipeline/draw_pool.h"
#include "pipeline/statistics.h"

namespace vitro::pipeline {

using Outcome = tl::expected<void, Fault>;

class Renderer {
 public:
  Renderer() = default;
  virtual ~Renderer() = default;
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // The command is gone when it returns. A Fault may belong to an earlier draw: then it names its place (fault_of).
  virtual Outcome draw(const DrawCommand& command);
  // Everything drawn before is drained by whoever calls.
  virtual Outcome depth_stencil_operation(const DepthStencilOperation& operation);
  // Everything that was put off happens now. After a Fault nothing is left either.
  virtual Outcome drain(DrainReason reason);
  // Pixels of draws from now on are counted apart from those before it (PS_DEPTH_COUNT): a number, counted from 1 on.
  virtual size_t mark();
  // What had been counted at each mark since the last time, of all draws before it; marks begin anew.
  virtual std::vector<uint64_t> take_marks();
  // What was counted since the last time, and what threads have done.
  virtual Statistics take_statistics();
  virtual dispatch::Counts take_counts();
  // SO_WRITE_OFFSET0 to 3 after a draw with stream output.
  virtual std::array<uint32_t, 4> write_offsets() const;
  // The batch is over, by a Fault or not: memory and draws are let go of. Also of those in the pool: to be called.
  virtual void end_batch();

  DrawPool pool{};  // where the draws come from that it is given
};

}  // namespace vitro::pipeline
