// Draws: a Draw is a self-contained copy of all that the stages of 3DPRIMITIVE need, however late they run, and is
// shared by commands between which nothing of it changed; a DrawCommand is what belongs to one of them. PRM: Gen8 vol
// 2a 3DPRIMITIVE. State objects in memory are decoded when the draw is made. What it refers to (kernels, memory,
// programs) stays for as long as the draw does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "dispatch/thread_header.h"
#include "dispatch/work.h"
#include "memory/view.h"
#include "pipeline/block.h"
#include "shared/pixel_context.h"
#include "state/bases.h"
#include "state/pipeline.h"
#include "state/surface.h"
#include "state/three_d_objects.h"

namespace vitro::pipeline {

// What differs between generations and devices.
struct Traits {
  bool has_16_samples = false;               // Gen9
  unsigned ps_invocation_factor = 1;         // PS_INVOCATION_COUNT counts so many for a pixel (4 on Broadwell)
  bool stencil_reference_in_packet = false;  // Gen9: 3DSTATE_WM_DEPTH_STENCIL; else COLOR_CALC_STATE
  unsigned line_width_fraction_bits = 7;
  state::ColorCalcState (*color_calc)(std::span<const uint32_t>) = nullptr;
  unsigned ps_threads = 64;     // FFTIDs of pixel shader threads: drivers allocate scratch space for so many
  uint32_t fftid_mask = 0x1FF;  // in r0.5
  // Where constant buffer 0 is said to be an address instead of an offset from the dynamic state base: a register of
  // the render engine, by its offset from the engine's base, and the bit.
  uint32_t constant_address_register = 0, constant_address_bit = 0;
  const state::SurfaceLayout* surfaces = nullptr;
  unsigned fast_clear_rows = 8;  // a pixel of a fast clear stands for so many rows of control elements (16 on Gen8)
};

// Objects in memory, as they were when the draw was made.
struct Objects {
  std::array<state::SfClipViewport, state::most_viewports> viewports{};
  std::array<state::CcViewport, state::most_viewports> depth_ranges{};
  std::array<state::ScissorRect, state::most_viewports> scissors{};
  state::ColorCalcState color_calc{};
  state::BlendState blend{};
  std::array<state::BlendStateEntry, 8> blend_entries{};
};
inline shared::ColourState colour_state(const Objects& o) { return {o.blend, o.blend_entries, o.color_calc}; }

// Of a command in its batch and context.
struct DrawPlace {
  uint64_t number = 0;  // draws are counted through the context
  uint64_t address = 0, batch_offset = 0;
  size_t mark = 0;  // the renderer's last one before it
};

struct Draw {
  uint64_t number = 0;  // of the first command it was made for: no other has it
  const Traits* traits = nullptr;
  state::Pipeline state{};
  Objects objects{};
  state::Bases bases{};
  std::shared_ptr<const memory::Table> memory{};
  bool strict = false;                          // an access to nothing is a Fault
  const std::function<bool()>* stop = nullptr;  // of the batch: asked now and then; true abandons the draw
  // Shared by draws for as long as what they are made of does not change.
  std::shared_ptr<const dispatch::Stage> vs{};                 // if state.vs.enable
  std::array<std::shared_ptr<const dispatch::Stage>, 3> ps{};  // for 8, 16 and 32 pixels, where there is a kernel
  std::array<uint8_t, 3> ps_grf_start{};                       // of constants and setup data, likewise
  std::array<dispatch::ThreadHeader, state::shader_stage_count> headers{};  // by ShaderStage, as what follows
  std::array<std::vector<std::byte>, state::shader_stage_count> push{};     // constants, whole registers
  // Memory other than targets: what threads may do, and stream output.
  bool pixels_read_memory = true, writes_memory = true;
  bool constant_0_is_address = false;  // of the buffers of 3DSTATE_CONSTANT_*; else an offset
  unsigned samples = 1;
};

struct DrawCommand {
  DrawPlace place{};
  commands::three_d::Primitive primitive{};    // with what indirect registers say already in it
  std::array<uint32_t, 4> so_write_offsets{};  // where stream output goes on in its buffers, in bytes
  std::shared_ptr<const Draw> draw{};
};

// A clear or resolve that 3DSTATE_WM_HZ_OP asks for, with the state that it was given under.
struct DepthStencilOperation {
  uint64_t address = 0, batch_offset = 0;  // of the command
  const Traits* traits = nullptr;
  commands::three_d::WmHzOp operation{};
  state::Pipeline state{};
  std::array<state::ScissorRect, state::most_viewports> scissors{};
  state::Bases bases{};
  std::shared_ptr<const memory::Table> memory{};
  bool strict = false;
  unsigned samples = 1;
  const std::function<bool()>* stop = nullptr;  // as a draw's
};

// A Fault that comes of a draw, however late, names its command.
inline Fault fault_of(const DrawPlace& place, Fault f) {
  f.command = "3DPRIMITIVE";
  f.address = place.address;
  f.batch_offset = place.batch_offset;
  return f;
}

}  // namespace vitro::pipeline
