// The 3D pipeline's state of one context: what its packets have set, unpacked. PRM: Gen8 vol 2a, 3DSTATE_*. It is part
// of the context image and survives batches. A draw takes a copy, so that nothing moves under its later stages. Objects
// in memory (three_d_objects.h, surface.h, sampler.h) are read when something is drawn, not when a packet points to
// them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "commands/three_d.h"
#include "commands/three_d_elements.h"

namespace vitro::state {

enum class ShaderStage : uint8_t { vs, hs, ds, gs, ps };
inline constexpr size_t shader_stage_count = 5;
inline constexpr size_t most_vertex_buffers = 33, most_vertex_elements = 34, most_viewports = 16;

// Packets that belong together. Each group counts the changes of what its packets say, so that whoever derives
// something from them can tell whether it still holds. Of those with five members, the others follow in the order of
// ShaderStage.
enum class Group : uint8_t {
  vertex_buffers,
  vertex_elements,
  index_buffer,
  vertex_fetch,  // cut index, topology, instancing, generated values, component packing, statistics
  vs,
  hs,
  te,
  ds,
  gs,
  ps,  // with PS_EXTRA and PS_BLEND
  constants_vs,
  constants_ps = constants_vs + 4,
  bindings_vs,  // binding table and sampler pointers
  bindings_ps = bindings_vs + 4,
  urb,  // with the allocation of push constants
  stream_out,
  clip,
  setup,    // SF, RASTER, SBE, SBE_SWIZ
  samples,  // MULTISAMPLE, SAMPLE_PATTERN, SAMPLE_MASK
  lines,    // antialiasing and stipple of lines and polygons
  windower,
  depth_stencil,  // tests
  targets,        // depth, stencil and hierarchical depth buffers, clear values, drawing rectangle
  viewports,      // pointers to viewports and scissors
  colour,         // pointers to blend and colour calculator state
  resource_streamer,
};
inline constexpr size_t group_count = size_t(Group::resource_streamer) + 1;
constexpr Group of_stage(Group vs, ShaderStage s) { return Group(uint8_t(vs) + uint8_t(s)); }

struct Pipeline {
  std::array<uint32_t, group_count> versions{};  // by Group
  uint64_t changes = 0;                          // of all groups
  uint32_t version(Group g) const { return versions[size_t(g)]; }
  void changed(Group g) { ++versions[size_t(g)], ++changes; }

  // Vertex fetch
  std::array<commands::three_d::VertexBufferState, most_vertex_buffers> vertex_buffers{};
  std::array<commands::three_d::VertexElementState, most_vertex_elements> vertex_elements{};
  uint8_t vertex_element_count = 0;
  std::array<commands::three_d::VfInstancing, most_vertex_elements> instancing{};
  commands::three_d::IndexBuffer index_buffer{};
  commands::three_d::Vf vf{};
  commands::three_d::VfTopology topology{};
  commands::three_d::VfSgvs sgvs{};
  commands::three_d::VfStatistics vf_statistics{};
  commands::three_d::VfComponentPacking component_packing{};

  // Shader stages
  commands::three_d::Vs vs{};
  commands::three_d::Hs hs{};
  commands::three_d::Te te{};
  commands::three_d::Ds ds{};
  commands::three_d::Gs gs{};
  commands::three_d::Ps ps{};
  commands::three_d::PsExtra ps_extra{};
  commands::three_d::PsBlend ps_blend{};
  std::array<commands::three_d::Constant, shader_stage_count> constants{};  // by ShaderStage, as all of these
  std::array<commands::three_d::PushConstantAlloc, shader_stage_count> push_constant_allocs{};
  std::array<uint32_t, shader_stage_count> binding_tables{}, samplers{};
  std::array<commands::three_d::Urb, shader_stage_count> urb{};  // the pixel shader has none

  // What the resource streamer would do with these is not there: draws that need it are refused.
  commands::three_d::BindingTablePoolAlloc binding_table_pool{};
  std::array<commands::three_d::BindingTableEdit, shader_stage_count> binding_table_edits{};
  commands::three_d::GatherPoolAlloc gather_pool{};
  std::array<commands::three_d::GatherConstant, shader_stage_count> gather_constants{};
  commands::three_d::RsConstantPointer rs_constant_pointer{};

  // Stream output
  commands::three_d::Streamout streamout{};
  std::array<commands::three_d::SoBuffer, 4> so_buffers{};
  commands::three_d::SoDeclList so_decl_list{};
  std::array<std::vector<commands::three_d::SoDecl>, 4> so_decls{};  // by stream

  // Clipping, setup, rasterising
  commands::three_d::Clip clip{};
  commands::three_d::Sf sf{};
  commands::three_d::Raster raster{};
  commands::three_d::Sbe sbe{};
  commands::three_d::SbeSwiz sbe_swiz{};
  commands::three_d::DrawingRectangle drawing_rectangle{};
  commands::three_d::Multisample multisample{};
  commands::three_d::SamplePattern sample_pattern{};
  commands::three_d::SampleMask sample_mask{};
  commands::three_d::AaLineParameters aa_line_parameters{};
  commands::three_d::LineStipple line_stipple{};
  commands::three_d::PolyStippleOffset poly_stipple_offset{};
  commands::three_d::PolyStipplePattern poly_stipple_pattern{};

  // Windower, depth and stencil
  commands::three_d::Wm wm{};
  commands::three_d::WmDepthStencil wm_depth_stencil{};
  commands::three_d::WmChromakey wm_chromakey{};
  commands::three_d::WmHzOp wm_hz_op{};
  std::array<commands::three_d::ChromaKey, 4> chroma_keys{};
  commands::three_d::MonofilterSize monofilter_size{};
  commands::three_d::DepthBuffer depth_buffer{};
  commands::three_d::HierDepthBuffer hier_depth_buffer{};
  commands::three_d::StencilBuffer stencil_buffer{};
  commands::three_d::ClearParams clear_params{};

  // Where objects stand, as offsets from the dynamic state base
  uint32_t sf_clip_viewports = 0, cc_viewports = 0, scissors = 0, blend_state = 0, color_calc_state = 0;
  bool has_blend_state = false, has_color_calc_state = false;  // a packet pointed to one
};

}  // namespace vitro::state
