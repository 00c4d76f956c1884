// Draws that nobody has any more, kept for their memory. PRM: none. As many as two scenes may have, one that is filled
// and one that is drawn: where each draw has state of its own, none is allocated once there are so many. Belongs to the
// host thread that runs a context's batch.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pipeline/draw.h"

namespace vitro::pipeline {

class DrawPool {
 public:
  static constexpr size_t most = 2048;  // kept

  // One that nobody has, or a new one. What it held is to be overwritten.
  std::shared_ptr<Draw> take();
  // Lets go of what they refer to, and of those that somebody still has.
  void forget();

 private:
  std::vector<std::shared_ptr<Draw>> draws_{};  // in the order they were taken
  size_t oldest_ = 0;
  size_t taken_ = 0;  // since the last time all was forgotten
};

}  // namespace vitro::pipeline
