// From packets to a Draw: the state is copied, objects in memory are read, stages are made or used again. PRM: Gen8
// vol 2a 3DPRIMITIVE, 3DSTATE_PS (Kernel Start Pointers), 3DSTATE_CONSTANT_*. A command has the draw of the one before
// it as long as no packet changed anything (state::Pipeline counts) and memory says the same: that is looked at again
// after every command but those that leave it alone (memory_may_have_changed). Of a new draw, what depends on unchanged
// groups of packets is taken from the last one; stages are used again for as long as their packet, the base addresses,
// the kernel's bytes and what bindings were read from are the same, and also with another binding table if those of its
// entries that the kernel names say the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "base/fault.h"
#include "dispatch/program_cache.h"
#include "memory/view.h"
#include "pipeline/draw.h"
#include "pipeline/draw_pool.h"
#include "pipeline/read_objects.h"
#include "shared/pixel_context.h"

namespace vitro::pipeline {

// What a stage is made of, besides the kernel's bytes.
struct StageSource {
  uint64_t kernel = 0, system_routine = 0;  // addresses
  uint32_t binding_table = 0, sampler_table = 0;
  uint32_t cr0 = 0, cr1 = 0;
  uint8_t ffid = 0;
  unsigned thread_limit = 0;
  state::Bases bases{};
  std::array<state::ChromaKey, 4> chroma_keys{};
  // Of pixel shaders: what their render target messages do, and how their threads follow each other.
  shared::ColourState colours{};
  code::ChainForm chain{};

  bool operator==(const StageSource&) const = default;
};

// Which entries of its binding table a kernel's messages name.
struct TableUse {
  bool known = false;  // all of them, as they stand in descriptors
  std::vector<uint8_t> entries{};
};
TableUse table_use(const dispatch::Kernel& kernel);

// Makes the draws of one batch. Belongs to the host thread that runs it.
struct DrawMaker {
  const Traits& traits;
  dispatch::ProgramCache& programs;
  memory::View& memory;
  const state::Bases& bases;
  const dispatch::Run& run;
  DrawPool& pool;

  struct Kept {
    StageSource source{};
    std::shared_ptr<const dispatch::Stage> stage{};
    std::shared_ptr<const TableUse> uses{};
    uint64_t compared = 0;  // when the kernel and what bindings were read from were last seen in memory
    uint64_t used = 0;
  };
  std::array<Kept, 32> kept{};  // the last ones
  uint64_t clock = 0;
  uint64_t epoch = 1;  // begins anew with each command that could have changed memory

  ObjectReader objects{};
  DrawCommand last{};                    // that was made
  uint64_t made_after = 0, made_in = 0;  // changes of the state, and the epoch, that its draw holds for
  std::unique_ptr<Draw> again{};         // what it would be now

  void memory_may_have_changed() { ++epoch; }
};

// `primitive` has its final values: those of indirect registers, and the topology that rules. What a packet asks for
// that is not there is refused here, by name. What it gives is the maker's, until the next is made.
tl::expected<const DrawCommand*, Fault> make_draw(DrawMaker& maker, const state::Pipeline& state,
                                                  const commands::three_d::Primitive& primitive, const DrawPlace& place,
                                                  bool constant_0_is_address);
tl::expected<DepthStencilOperation, Fault> make_operation(DrawMaker& maker, const state::Pipeline& state,
                                                          const commands::three_d::WmHzOp& operation,
                                                          const DrawPlace& place);

// Which of the three kernels of 3DSTATE_PS runs 8, 16 and 32 pixels; none: -1.
using KernelSlots = std::array<int8_t, 3>;
KernelSlots kernel_slots(const commands::three_d::Ps& ps);

}  // namespace vitro::pipeline
