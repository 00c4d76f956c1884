// One 3DPRIMITIVE: a self-contained copy of all that its stages need, however late they run. PRM: Gen8 vol 2a
// 3DPRIMITIVE. State objects in memory are decoded when the draw is made. What it refers to (kernels, memory, programs)
// stays for as long as the draw does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dispatch/work.h"
#include "memory/view.h"
#include "pipeline/block.h"
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

struct Draw {
  uint64_t number = 0;  // counted through the context
  uint64_t batch_offset = 0;
  const Traits* traits = nullptr;
  commands::three_d::Primitive primitive{};  // with what indirect registers say already in it
  state::Pipeline state{};
  Objects objects{};
  state::Bases bases{};
  std::shared_ptr<const memory::Table> memory{};
  // Shared by draws for as long as what they are made of does not change.
  std::shared_ptr<const dispatch::Stage> vs{};                 // if state.vs.enable
  std::array<std::shared_ptr<const dispatch::Stage>, 3> ps{};  // for 8, 16 and 32 pixels, where there is a kernel
  std::array<std::vector<std::byte>, state::shader_stage_count> push{};  // constants, by state::ShaderStage
  unsigned samples = 1;
};

}  // namespace vitro::pipeline
