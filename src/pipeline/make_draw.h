// From packets to a Draw: the state is copied, objects in memory are read, stages are made or used again. PRM: Gen8
// vol 2a 3DPRIMITIVE, 3DSTATE_PS (Kernel Start Pointers), 3DSTATE_CONSTANT_*. A stage is used again for as long as the
// packet, the base addresses and the kernel's bytes are the same; kernels are compared again after every command but
// those that leave memory alone (kernels_may_have_changed).
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

// Makes the draws of one batch. Belongs to the host thread that runs it.
struct DrawMaker {
  const Traits& traits;
  dispatch::ProgramCache& programs;
  memory::View& memory;
  const state::Bases& bases;
  const dispatch::Run& run;

  struct Kept {
    StageSource source{};
    std::shared_ptr<const dispatch::Stage> stage{};
    uint64_t compared = 0;  // when the kernel was last seen in memory
    uint64_t used = 0;
  };
  std::array<Kept, 32> kept{};  // the last ones
  uint64_t clock = 0;
  uint64_t epoch = 1;  // begins anew with each command that could have changed a kernel

  void kernels_may_have_changed() { ++epoch; }
};

// Of the command in its batch and context.
struct DrawPlace {
  uint64_t number = 0, address = 0, batch_offset = 0;
};

// `primitive` has its final values: those of indirect registers, and the topology that rules. What a packet asks for
// that is not there is refused here, by name.
tl::expected<std::shared_ptr<Draw>, Fault> make_draw(DrawMaker& maker, const state::Pipeline& state,
                                                     const commands::three_d::Primitive& primitive,
                                                     const DrawPlace& place, bool constant_0_is_address);
tl::expected<DepthStencilOperation, Fault> make_operation(DrawMaker& maker, const state::Pipeline& state,
                                                          const commands::three_d::WmHzOp& operation,
                                                          const DrawPlace& place);

// The constants of a stage as its threads get them: the four buffers one after the other.
tl::expected<std::vector<std::byte>, Fault> push_constants(const Draw& draw, state::ShaderStage stage,
                                                           memory::View& memory);

// Which of the three kernels of 3DSTATE_PS runs 8, 16 and 32 pixels; none: -1.
using KernelSlots = std::array<int8_t, 3>;
KernelSlots kernel_slots(const commands::three_d::Ps& ps);

}  // namespace vitro::pipeline
