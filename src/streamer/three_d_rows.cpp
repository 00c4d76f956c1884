// The rows of the 3D pipeline's commands: state packets are unpacked into state::Pipeline, 3DPRIMITIVE makes a draw of
// it. PRM: Gen8 vol 2a 3DPRIMITIVE, 3DSTATE_*; vol 2c 3DPRIM_*. The topology is that of 3DSTATE_VF_TOPOLOGY: the
// command's own field is ignored. What a packet asks for that is not there shows at the draw, not here. The palettes,
// chroma keys and the packets of the resource streamer are kept and nothing more.
#include "commands/three_d_layout_tables.h"
#include "pipeline/make_draw.h"
#include "pipeline/renderer.h"
#include "pipeline/stream_out.h"
#include "streamer/handlers.h"

#include <fmt/format.h>

namespace vitro::streamer {
namespace {

using namespace commands::three_d;
using commands::render, commands::length8, commands::one_dword, commands::Length;
using state::Group, state::ShaderStage, state::of_stage;
using P = state::Pipeline;
namespace t = commands::three_d::every;
namespace t8 = commands::three_d::gen8;
namespace t9 = commands::three_d::gen9;

constexpr Length length9{0x1FF};

// A member of state::Pipeline for one of the shader stages.
template <auto member, ShaderStage stage>
constexpr auto of = [](P& p) -> auto& {
  return (p.*member)[size_t(stage)];
};

template <const auto& layout, class Struct>
void put(P& p, Group group, Struct& kept, const Struct& s) {
  if (same(layout, kept, s)) return;
  kept = s;
  p.changed(group);
}
template <class T>
void put_value(P& p, Group group, T& kept, T value) {
  if (kept == value) return;
  kept = value;
  p.changed(group);
}

// Unpacked, as it is, into one place.
template <const auto& layout, auto place, Group group>
void latch(Execution& e, const typename std::remove_cvref_t<decltype(layout)>::Struct& s) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  put<layout>(p, group, std::invoke(place, p), s);
}
template <const auto& layout, auto place, Group group>
constexpr Row latched(Length length = length8) {
  return repeatable(row<layout, latch<layout, place, group>>(render, length));
}

// Packets whose only field is a pointer.
template <auto field, auto place, Group group, class Packet>
void point(Execution& e, const Packet& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  put_value(p, group, std::invoke(place, p), uint32_t(c.*field));
}
template <const auto& layout, auto field, auto place, Group group>
constexpr Row pointer() {
  using Packet = typename std::remove_cvref_t<decltype(layout)>::Struct;
  return repeatable(row<layout, point<field, place, group, Packet>>(render, length8));
}
template <const auto& layout, ShaderStage stage>
constexpr Row binding_table() {
  return pointer<layout, &BindingTablePointers::pointer, of<&P::binding_tables, stage>,
                 of_stage(Group::bindings_vs, stage)>();
}
template <const auto& layout, ShaderStage stage>
constexpr Row samplers() {
  return pointer<layout, &SamplerStatePointers::pointer, of<&P::samplers, stage>,
                 of_stage(Group::bindings_vs, stage)>();
}
template <const auto& layout, ShaderStage stage>
constexpr Row constants() {
  return latched<layout, of<&P::constants, stage>, of_stage(Group::constants_vs, stage)>();
}

// A pointer that is not said to be valid leaves the one before.
void blend_state_pointers(Execution& e, const BlendStatePointers& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  if (!c.blend_state_pointer_valid) return;
  put_value(p, Group::colour, p.blend_state, c.blend_state_pointer);
  put_value(p, Group::colour, p.has_blend_state, true);
}
void cc_state_pointers(Execution& e, const CcStatePointers& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  if (!c.color_calc_state_pointer_valid) return;
  put_value(p, Group::colour, p.color_calc_state, c.color_calc_state_pointer);
  put_value(p, Group::colour, p.has_color_calc_state, true);
}

// Each entry says which buffer it is for; without Address Modify Enable the buffer stays where it is.
Outcome vertex_buffers(Execution& e, const VertexBuffers&, Packet packet) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  constexpr size_t dwords = size_t(t::vertex_buffer_state.dwords);
  for (Packet rest = packet.subspan(1); rest.size() >= dwords; rest = rest.subspan(dwords)) {
    VertexBufferState s = unpack(t::vertex_buffer_state, rest.first(dwords));
    if (s.vertex_buffer_index >= p.vertex_buffers.size())
      return failed(fmt::format("reserved vertex buffer {}", s.vertex_buffer_index));
    VertexBufferState& kept = p.vertex_buffers[s.vertex_buffer_index];
    if (!s.address_modify_enable) {
      s.address_modify_enable = kept.address_modify_enable;
      s.buffer_starting_address = kept.buffer_starting_address;
      s.buffer_size = kept.buffer_size;
    }
    put<t::vertex_buffer_state>(p, Group::vertex_buffers, kept, s);
  }
  return {};
}

// All elements at once: those that are not listed are gone.
Outcome vertex_elements(Execution& e, const VertexElements&, Packet packet) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  constexpr size_t dwords = size_t(t::vertex_element_state.dwords);
  const size_t count = (packet.size() - 1) / dwords;
  if (count > p.vertex_elements.size()) return failed(fmt::format("{} vertex elements", count));
  for (size_t k = 0; k < p.vertex_elements.size(); ++k)
    put<t::vertex_element_state>(
        p, Group::vertex_elements, p.vertex_elements[k],
        k < count ? unpack(t::vertex_element_state, packet.subspan(1 + k * dwords, dwords)) : VertexElementState{});
  put_value(p, Group::vertex_elements, p.vertex_element_count, uint8_t(count));
  return {};
}

Outcome vf_instancing(Execution& e, const VfInstancing& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  if (c.vertex_element_index >= p.instancing.size())
    return failed(fmt::format("reserved vertex element {}", c.vertex_element_index));
  put<t::vf_instancing>(p, Group::vertex_fetch, p.instancing[c.vertex_element_index], c);
  return {};
}

void chroma_key(Execution& e, const ChromaKey& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  put<t::chroma_key>(p, Group::windower, p.chroma_keys[c.chromakey_table_index & 3], c);
}

// Where the stipple pattern stands stays as it is unless the packet says otherwise.
void line_stipple(Execution& e, const LineStipple& c) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  LineStipple s = c;
  if (!s.modify_enable) {
    s.current_stipple_index = p.line_stipple.current_stipple_index;
    s.current_repeat_counter = p.line_stipple.current_repeat_counter;
    s.modify_enable = p.line_stipple.modify_enable;
  }
  put<t::line_stipple>(p, Group::lines, p.line_stipple, s);
}

// Besides the buffer, the packet may set where the stream goes on.
Outcome so_buffer(Execution& e, const SoBuffer& c) {
  P& p = e.state.three_d;
  put<t::so_buffer>(p, Group::stream_out, p.so_buffers[c.so_buffer_index & 3], c);
  if (!c.stream_offset_write_enable) return {};
  if (Outcome done = drain(e, pipeline::DrainReason::memory_command); !done) return done;
  const uint32_t n = c.so_buffer_index & 3, offset = registers::mmio::so_write_offset + 4 * n;
  pipeline::StreamOutState out;
  out.write_offsets[n] = e.state.registers.get(offset);
  pipeline::set_write_offset(c, e.around.ppgtt, out);
  e.state.registers.set(offset, out.write_offsets[n]);
  return {};
}

// Two dwords for each entry of all four streams.
void so_decl_list(Execution& e, const SoDeclList& c, Packet packet) {
  e.keeps_memory = true;
  P& p = e.state.three_d;
  constexpr size_t first = 3, streams = 4;
  const size_t listed = packet.size() > first ? (packet.size() - first) / 2 : 0;
  put<t::so_decl_list>(p, Group::stream_out, p.so_decl_list, c);
  for (size_t s = 0; s < streams; ++s) {
    std::vector<SoDecl>& kept = p.so_decls[s];
    const size_t count = std::min<size_t>(c.entries[s], listed);
    if (kept.size() != count) {
      kept.resize(count);
      p.changed(Group::stream_out);
    }
    for (size_t k = 0; k < count; ++k) {
      const uint32_t dword = packet[first + 2 * k + s / 2] >> 16 * (s % 2) & 0xFFFF;
      put<t::so_decl>(p, Group::stream_out, kept[k], unpack(t::so_decl, std::span(&dword, 1)));
    }
  }
}

template <size_t which>
void palette(Execution& e, const SamplerPaletteLoad&, Packet packet) {
  e.keeps_memory = true;
  e.state.palettes[which].assign(packet.begin() + 1, packet.end());
}

void clear_urb(Execution& e, const UrbClear& c) {
  urb_clear(e, {.address = c.urb_address, .rows = c.urb_clear_length});
}

pipeline::DrawMaker* draw_maker(Execution& e) {
  Surroundings& a = e.around;
  if (!a.renderer || !a.programs || !a.three_d) return nullptr;
  if (!e.draws)
    e.draws.emplace(pipeline::DrawMaker{.traits = *a.three_d,
                                        .programs = *a.programs,
                                        .memory = a.ppgtt,
                                        .bases = e.state.bases,
                                        .run = a.run,
                                        .pool = a.renderer->pool});
  return &*e.draws;
}
pipeline::DrawPlace place_of(Execution& e) {
  return {e.state.draws, e.command_address, e.command_address - e.place().start};
}

// Works when it arrives; without an operation it resets what a later one would use.
Outcome wm_hz_op(Execution& e, const WmHzOp& c) {
  P& p = e.state.three_d;
  put<t::wm_hz_op>(p, Group::windower, p.wm_hz_op, c);
  const bool asked = c.depth_buffer_clear_enable || c.stencil_buffer_clear_enable || c.depth_buffer_resolve_enable ||
                     c.hierarchical_depth_buffer_resolve_enable || c.full_surface_depth_and_stencil_clear;
  if (!asked) return {};
  pipeline::DrawMaker* maker = draw_maker(e);
  if (!maker) return unsupported(e.row->name);
  if (Outcome done = drain(e, pipeline::DrainReason::depth_stencil_operation); !done) return done;
  const auto operation = pipeline::make_operation(*maker, p, c, place_of(e));
  if (!operation) return tl::unexpected(operation.error());
  return e.around.renderer->depth_stencil_operation(*operation);
}

// The vertices of the first buffer that are there whole.
uint32_t vertices_before(const VertexBufferState& b, uint32_t end_offset) {
  return b.buffer_pitch ? end_offset / b.buffer_pitch : 0;
}

Outcome primitive(Execution& e, const Primitive& c) {
  // Threads may write there, too: then a flush must follow.
  e.keeps_memory = !e.state.three_d.streamout.so_function_enable;
  if (c.predicate_enable && !predicate(e)) return {};
  pipeline::DrawMaker* maker = draw_maker(e);
  if (!maker) return unsupported(e.row->name);
  const P& p = e.state.three_d;
  Primitive final = c;
  final.primitive_topology_type = p.topology.primitive_topology_type;
  if (e.state.topology_filter && e.state.topology_filter != final.primitive_topology_type) return {};
  namespace m = registers::mmio;
  if (c.indirect_parameter_enable) {
    final.vertex_count_per_instance = read_register(e, m::prim_vertex_count);
    final.start_vertex_location = read_register(e, m::prim_start_vertex);
    final.instance_count = read_register(e, m::prim_instance_count);
    final.start_instance_location = read_register(e, m::prim_start_instance);
    final.base_vertex_location = int32_t(read_register(e, m::prim_base_vertex));
  }
  if (c.end_offset_enable) {
    final.vertex_count_per_instance = vertices_before(p.vertex_buffers[0], read_register(e, m::prim_end_offset));
    final.end_offset_enable = false;  // the count says it
  }
  if (!final.vertex_count_per_instance || !final.instance_count) return {};
  // After a stall draws drain those whose writes they could read, or that could read theirs.
  const auto drain_if = [&](bool wanted) { return wanted ? drain(e, pipeline::DrainReason::flush) : Outcome{}; };
  if (Outcome done = drain_if(e.stalled && e.scene_uses_memory); !done) return done;
  const pipeline::Traits& traits = *e.around.three_d;
  const bool is_address = own_register(e, traits.constant_address_register) & traits.constant_address_bit;
  const auto made = pipeline::make_draw(*maker, p, final, place_of(e), is_address);
  if (!made) return tl::unexpected(made.error());
  const bool writes = (*made)->draw->writes_memory;
  if (Outcome done = drain_if(e.stalled && writes); !done) return done;
  ++e.state.draws;
  if (e.around.counts) ++e.around.counts->draws;
  e.scene_open = true;
  e.scene_uses_memory = e.scene_uses_memory || writes || (*made)->draw->pixels_read_memory;
  if (!p.streamout.so_function_enable) return e.around.renderer->draw(**made);
  const auto offset = [](uint32_t n) { return m::so_write_offset + 4 * n; };
  pipeline::DrawCommand command = **made;
  for (uint32_t n = 0; n < 4; ++n) command.so_write_offsets[n] = e.state.registers.get(offset(n));
  Outcome done = e.around.renderer->draw(command);
  const std::array<uint32_t, 4> after = e.around.renderer->write_offsets();
  for (uint32_t n = 0; n < 4; ++n) e.state.registers.set(offset(n), after[n]);
  return done;
}

// The five stages, in the order of ShaderStage.
#define VITRO_STAGE_ROWS(make, ns, name)                                              \
  make<ns::name##_vs, ShaderStage::vs>(), make<ns::name##_hs, ShaderStage::hs>(),     \
      make<ns::name##_ds, ShaderStage::ds>(), make<ns::name##_gs, ShaderStage::gs>(), \
      make<ns::name##_ps, ShaderStage::ps>()

template <const auto& layout, ShaderStage stage>
constexpr Row push_constant_alloc() {
  return latched<layout, of<&P::push_constant_allocs, stage>, Group::urb>();
}
template <const auto& layout, ShaderStage stage>
constexpr Row urb() {
  return latched<layout, of<&P::urb, stage>, Group::urb>();
}
template <const auto& layout, ShaderStage stage>
constexpr Row binding_table_edit() {
  return latched<layout, of<&P::binding_table_edits, stage>, Group::resource_streamer>(length9);
}
template <const auto& layout, ShaderStage stage>
constexpr Row gather_constant() {
  return latched<layout, of<&P::gather_constants, stage>, Group::resource_streamer>();
}

// What is alike from Gen8 on.
template <class... More>
constexpr auto with_every(More... more) {
  return std::array{
      row<t::primitive, primitive>(render, length8),
      repeatable(row<t::vertex_buffers, vertex_buffers>(render, length8)),
      repeatable(row<t::vertex_elements, vertex_elements>(render, length8)),
      repeatable(row<t::vf_instancing, vf_instancing>(render, length8)),
      latched<t::index_buffer, &P::index_buffer, Group::index_buffer>(),
      latched<t::vf_topology, &P::topology, Group::vertex_fetch>(),
      latched<t::vf_sgvs, &P::sgvs, Group::vertex_fetch>(),
      latched<t::vf_statistics, &P::vf_statistics, Group::vertex_fetch>(one_dword),
      latched<t::vs, &P::vs, Group::vs>(),
      latched<t::te, &P::te, Group::te>(),
      latched<t::ps_blend, &P::ps_blend, Group::ps>(),
      VITRO_STAGE_ROWS(binding_table, t, binding_table_pointers),
      VITRO_STAGE_ROWS(samplers, t, sampler_state_pointers),
      VITRO_STAGE_ROWS(push_constant_alloc, t, push_constant_alloc),
      VITRO_STAGE_ROWS(binding_table_edit, t, binding_table_edit),
      urb<t::urb_vs, ShaderStage::vs>(),
      urb<t::urb_hs, ShaderStage::hs>(),
      urb<t::urb_ds, ShaderStage::ds>(),
      urb<t::urb_gs, ShaderStage::gs>(),
      latched<t::binding_table_pool_alloc, &P::binding_table_pool, Group::resource_streamer>(),
      latched<t::gather_pool_alloc, &P::gather_pool, Group::resource_streamer>(),
      latched<t::streamout, &P::streamout, Group::stream_out>(),
      row<t::so_buffer, so_buffer>(render, length8),
      row<t::so_decl_list, so_decl_list>(render, length9),
      latched<t::clip, &P::clip, Group::clip>(),
      latched<t::sbe_swiz, &P::sbe_swiz, Group::setup>(),
      latched<t::drawing_rectangle, &P::drawing_rectangle, Group::targets>(),
      latched<t::multisample, &P::multisample, Group::samples>(),
      latched<t::sample_mask, &P::sample_mask, Group::samples>(),
      latched<t::aa_line_parameters, &P::aa_line_parameters, Group::lines>(),
      repeatable(row<t::line_stipple, line_stipple>(render, length8)),
      latched<t::poly_stipple_offset, &P::poly_stipple_offset, Group::lines>(),
      latched<t::poly_stipple_pattern, &P::poly_stipple_pattern, Group::lines>(),
      latched<t::wm, &P::wm, Group::windower>(),
      latched<t::wm_chromakey, &P::wm_chromakey, Group::windower>(),
      row<t::wm_hz_op, wm_hz_op>(render, length8),
      repeatable(row<t::chroma_key, chroma_key>(render, length8)),
      latched<t::monofilter_size, &P::monofilter_size, Group::windower>(),
      latched<t::hier_depth_buffer, &P::hier_depth_buffer, Group::targets>(),
      latched<t::stencil_buffer, &P::stencil_buffer, Group::targets>(),
      latched<t::clear_params, &P::clear_params, Group::targets>(),
      repeatable(row<t::blend_state_pointers, blend_state_pointers>(render, length8)),
      repeatable(row<t::cc_state_pointers, cc_state_pointers>(render, length8)),
      pointer<t::scissor_state_pointers, &ScissorStatePointers::scissor_rect_pointer, &P::scissors, Group::viewports>(),
      pointer<t::viewport_state_pointers_cc, &ViewportStatePointersCc::cc_viewport_pointer, &P::cc_viewports,
              Group::viewports>(),
      pointer<t::viewport_state_pointers_sf_clip, &ViewportStatePointersSfClip::sf_clip_viewport_pointer,
              &P::sf_clip_viewports, Group::viewports>(),
      row<t::sampler_palette_load0, palette<0>>(render, length8),
      row<t::sampler_palette_load1, palette<1>>(render, length8),
      more...,
  };
}

// Packets that differ in their layouts.
#define VITRO_ROWS_OF(g)                                                                                             \
  VITRO_STAGE_ROWS(constants, g, constant), VITRO_STAGE_ROWS(gather_constant, g, gather_constant),                   \
      latched<g::vf, &P::vf, Group::vertex_fetch>(), latched<g::hs, &P::hs, Group::hs>(),                            \
      latched<g::ds, &P::ds, Group::ds>(), latched<g::gs, &P::gs, Group::gs>(), latched<g::ps, &P::ps, Group::ps>(), \
      latched<g::ps_extra, &P::ps_extra, Group::ps>(), latched<g::raster, &P::raster, Group::setup>(),               \
      latched<g::sbe, &P::sbe, Group::setup>(), latched<g::sf, &P::sf, Group::setup>(),                              \
      latched<g::wm_depth_stencil, &P::wm_depth_stencil, Group::depth_stencil>(),                                    \
      latched<g::depth_buffer, &P::depth_buffer, Group::targets>(),                                                  \
      latched<g::sample_pattern, &P::sample_pattern, Group::samples>()

constexpr auto rows_of_gen8 = with_every(VITRO_ROWS_OF(t8));
constexpr auto rows_of_gen9 =
    with_every(VITRO_ROWS_OF(t9), latched<t9::vf_component_packing, &P::component_packing, Group::vertex_fetch>(),
               latched<t9::rs_constant_pointer, &P::rs_constant_pointer, Group::resource_streamer>(),
               row<t9::urb_clear, clear_urb>(render, length8));

}  // namespace

constinit const std::span<const Row> three_d_rows_gen8{rows_of_gen8};
constinit const std::span<const Row> three_d_rows_gen9{rows_of_gen9};

}  // namespace vitro::streamer
