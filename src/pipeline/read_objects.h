// The 3D pipeline's state objects in memory, as draws need them: viewports, scissors, blend and colour calculator
// state. PRM: Gen8 vol 2d. What was read last is kept with its bytes: objects that say the same, wherever they stand,
// are not decoded again. Objects that nothing in the state looks at are not read, as drivers leave their pointers
// unset: those are as they begin.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "memory/view.h"
#include "pipeline/draw.h"
#include "state/bases.h"
#include "state/pipeline.h"

namespace vitro::pipeline {

class ObjectReader {
 public:
  // Reads what this state looks at. Whether anything differs from the last time.
  bool read(const Traits& traits, const state::Bases& bases, const state::Pipeline& state, memory::View& memory);
  const Objects& objects() const { return objects_; }

 private:
  struct Kept {
    uint32_t dwords = 0;  // none: was not read
    std::array<uint32_t, 16 * state::most_viewports> content{};
  };
  std::array<Kept, 5> kept_{};  // by the rows of a table
  Objects objects_{};
};

// SCISSOR_RECT 0, for operations that are no draws.
state::ScissorRect read_scissor(uint64_t address, memory::View& memory);

}  // namespace vitro::pipeline
