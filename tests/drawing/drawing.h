// Small draws as whole batches: state packets, kernels, surfaces and vertices in one stretch of memory, for tests that
// look at pixels of a device and for the seeds of the fuzzer. PRM: Gen8 vol 2a, 3DSTATE_*. Packets are made by the
// layouts of src/commands, so a mistake there shows in the tests over real drivers, not here.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../faults/commands.h"
#include "commands/three_d_layout_tables.h"
#include "formats/format.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "state/sampler.h"
#include "state/surface.h"
#include "state/three_d_objects.h"

namespace vitro::drawing {

using faults::Words, faults::operator+, faults::operator+=;
using Vector = std::array<float, 4>;

// Where things are: offsets from the address of the memory.
inline constexpr uint64_t home = 0x10000;
inline constexpr uint32_t dynamic_at = 0x900, surfaces_at = 0xC00, bindings_at = 0xF00, vs_at = 0x1000, ps_at = 0x1200,
                          vertices_at = 0x1800, attributes_at = 0x1A00, indices_at = 0x1C00;
struct Places {  // these are larger than a seed
  uint32_t target = 0x4000, depth = 0x8000, stencil = 0xA000, texture = 0x1000, bytes = 0x10000;
};
inline constexpr Places roomy{
    .target = 0x10000, .depth = 0x80000, .stencil = 0xC0000, .texture = 0xE0000, .bytes = 0x100000};
inline constexpr uint32_t edge = 32;  // pixels of the targets

enum class Shade { smooth, flat, textured };

struct Drawing {
  std::string_view device = "kbl";
  Places places{};
  uint8_t topology = 4;  // TRILIST
  std::vector<Vector> positions{{-1, -1, .5f, 1}, {3, -1, .5f, 1}, {-1, 3, .5f, 1}};
  // One for each vertex; r, g, b, a, or u, v. The bytes of another format instead of them:
  std::vector<Vector> attributes{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
  std::vector<std::byte> raw_attributes{};  // the same for all vertices
  std::string_view attribute_format = "R32G32B32A32_FLOAT";
  std::vector<uint16_t> indices{};
  uint32_t instances = 1;
  Shade shade = Shade::smooth;
  unsigned lanes = 16;
  std::string kernel{};  // instead of the one for `shade`
  unsigned samples = 1;
  std::string_view target_format = "R8G8B8A8_UNORM";
  uint8_t depth_format = 0;  // of 3DSTATE_DEPTH_BUFFER, from 1 on; 0: none
  bool stencil = false, clears = false, blends = false;
  uint8_t source_factor = 3;  // of blending: source alpha
  std::string_view texture_format = "R8G8B8A8_UNORM";
  bool texture_linear = true;  // else tile Y
  uint32_t texture_edge = 16;
  uint8_t fill_mode = 0;  // 0 solid, 1 wireframe, 2 points
  uint32_t line_width = 1 << 7, point_width = 1 << 3;
  bool line_stipple = false, polygon_stipple = false, antialiased = false;
  state::MapFilter filter = state::MapFilter::nearest;
  Words before{}, last{};  // commands between the state and the draw, and behind it
};

inline std::vector<std::byte> assembled(const isa::Model& model, const std::string& text) {
  const isa::Assembly a = isa::assemble(model, text, {.validate = false});
  if (!a.ok()) {
    fmt::print(stderr, "{}\n", isa::render("kernel", text, a.diagnostics.front(), false));
    std::abort();
  }
  return a.code;
}

// Slot 1 is the first element, slot 2 the second.
inline std::string vertex_kernel() {
  std::string text = "mov (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud\nmov (8|M0) r30.0<1>:ud r1.0<8;8,1>:ud\n";
  for (int c = 0; c < 4; ++c)
    text += fmt::format("mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud\nmov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud\n", 21 + c,
                        2 + c, 31 + c, 6 + c);
  return text + "send (8|M0) null r20 0x6 0x0A080017\nsend (8|M0) null r30 0x26 0x0A080027 {EOT}\n";
}
// Where setup data begins in a pixel thread.
inline unsigned setup_register(const Drawing& d) { return d.lanes == 8 ? 4 : d.lanes == 16 ? 6 : 16; }
inline std::string pixel_kernel(const Drawing& d) {
  const unsigned setup = setup_register(d), width = std::min(d.lanes, 16u), registers = width / 8;
  std::string text;
  const auto attribute = [&](unsigned c, unsigned to) {  // flat where the plane's slopes are not there
    if (d.shade == Shade::flat || d.lanes == 32)
      text += fmt::format("mov ({0}|M0) r{1}.0<1>:ud r{2}.{3}<0;1,0>:ud\n", width, to, setup + c / 2, c % 2 * 4 + 3);
    else
      text += fmt::format("pln ({0}|M0) r{1}.0<1>:f r{2}.{3}<0;1,0>:f r2.0<8;8,1>:f\n", width, to, setup + c / 2,
                          c % 2 * 4);
  };
  if (d.shade == Shade::textured) {
    for (unsigned c = 0; c < 2; ++c) attribute(c, 60 + c * registers);
    text += fmt::format("send ({}|M0) r112 r60 0x2 {:#x}\n", width, width == 16 ? 0x08840001 : 0x04420001);
  } else {
    for (unsigned c = 0; c < 4; ++c) attribute(c, 112 + c * registers);
  }
  if (d.lanes == 32) text += "sendc (16|M0) null r112 0x5 0x10030000\nsendc (16|M16) null r112 0x5 0x10031800 {EOT}\n";
  if (d.lanes == 16) text += "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n";
  if (d.lanes == 8) text += "sendc (8|M0) null r112 0x5 0x08031400 {EOT}\n";
  return text;
}

namespace packets = commands::three_d;
template <const auto& layout>
Words packet(const typename std::remove_cvref_t<decltype(layout)>::Struct& s) {
  Words w(size_t(layout.dwords));
  pack(layout, s, w);
  return w;
}
// Of the device's generation.
template <const auto& eight, const auto& nine, class S>
Words packet_of(const Drawing& d, const S& s) {
  return d.device == "bdw" ? packet<eight>(s) : packet<nine>(s);
}
inline const state::SurfaceLayout& surfaces(const Drawing& d) {
  return d.device == "bdw" ? state::surface_gen8 : state::surface_gen9;
}
inline const state::SamplerLayout& samplers(const Drawing& d) {
  return d.device == "bdw" ? state::sampler_gen8 : state::sampler_gen9;
}
inline uint32_t log2_samples(const Drawing& d) { return uint32_t(std::countr_zero(d.samples)); }
inline uint32_t target_pitch(const Drawing& d) {  // whole tiles
  const formats::Format& f = *formats::find(d.target_format);
  return (edge * uint32_t(f.bytes()) + 127) / 128 * 128;
}

inline state::Surface target_surface(const Drawing& d) {
  state::Surface s;
  s.type = state::SurfaceType::two_d;
  s.format = formats::find(d.target_format)->code;
  s.base = home + d.places.target;
  s.width_less_1 = s.height_less_1 = edge - 1, s.pitch_less_1 = target_pitch(d) - 1;
  s.horizontal_alignment = 1, s.vertical_alignment = 1, s.tile_mode = 3;
  s.log2_samples = uint8_t(log2_samples(d)), s.qpitch_field = edge >> 2;
  return s;
}
inline state::Surface texture_surface(const Drawing& d) {
  const formats::Format& f = *formats::find(d.texture_format);
  state::Surface s;
  s.type = state::SurfaceType::two_d;
  s.format = f.code;
  s.base = home + d.places.texture;
  s.width_less_1 = s.height_less_1 = d.texture_edge - 1;
  const uint32_t row = (d.texture_edge + f.block_width - 1) / f.block_width * uint32_t(f.bytes());
  s.pitch_less_1 = (d.texture_linear ? row : (row + 127) / 128 * 128) - 1;
  s.horizontal_alignment = 1, s.vertical_alignment = 1, s.tile_mode = d.texture_linear ? 0 : 3;
  return s;
}

struct Image {
  std::vector<std::byte> bytes{};
  void put(uint32_t at, const void* from, size_t size) {
    if (size && at < bytes.size()) std::memcpy(bytes.data() + at, from, std::min(size, bytes.size() - at));
  }
  void put(uint32_t at, const Words& w) { put(at, w.data(), w.size() * 4); }
};

inline void put_objects(const Drawing& d, Image& image) {
  constexpr float half = edge / 2;
  image.put(dynamic_at, packet<state::every::sf_clip_viewport>(
                            {half, half, 1, half, half, 0, -8, 8, -8, 8, 0, edge - 1, 0, edge - 1}));
  image.put(dynamic_at + 64, packet<state::every::cc_viewport>({0, 1}));
  image.put(dynamic_at + 96, packet<state::every::scissor_rect>({0, 0, edge - 1, edge - 1}));
  image.put(dynamic_at + 128, packet_of<state::gen8::color_calc_state, state::gen9::color_calc_state>(
                                  d, state::ColorCalcState{.stencil_reference_value = 0x5A}));
  const state::BlendStateEntry entry{.destination_alpha_blend_factor = 0x13,
                                     .source_alpha_blend_factor = 3,
                                     .destination_blend_factor = 0x13,  // 1 - source alpha
                                     .source_blend_factor = d.source_factor,
                                     .color_buffer_blend_enable = d.blends,
                                     .post_blend_color_clamp_enable = true,
                                     .pre_blend_color_clamp_enable = true,
                                     .color_clamp_range = 2};
  image.put(dynamic_at + 192, packet<state::every::blend_state>({}) + packet<state::every::blend_state_entry>(entry));
  Words sampler(state::sampler_dwords);
  state::Sampler how;
  how.min_filter = how.mag_filter = d.filter;
  samplers(d).encode(how, sampler);
  image.put(dynamic_at + 256, sampler);
  const state::Surface bound[] = {target_surface(d), texture_surface(d)};
  for (uint32_t n = 0; n < 2; ++n) {
    Words packed(state::surface_dwords);
    surfaces(d).encode(bound[n], std::span(packed).first(surfaces(d).rules.dwords));
    image.put(surfaces_at + 64 * n, packed);
    image.put(bindings_at + 4 * n, {surfaces_at + 64 * n});
  }
}

// What packets of the pipeline say, for tests that change one of their fields.
inline packets::Vs vertex_shader() {
  return {.kernel_start_pointer = vs_at,
          .vertex_urb_entry_read_length = 1,
          .dispatch_grf_start_register_for_urb_data = 2,
          .enable = true,
          .simd8_dispatch_enable = true,
          .statistics_enable = true,
          .maximum_number_of_threads = 15,
          .vertex_urb_entry_output_length = 1};
}
inline packets::Clip clipper() {
  return {.statistics_enable = true,
          .guardband_clip_test_enable = true,
          .viewport_xy_clip_test_enable = true,
          .clip_enable = true,
          .maximum_point_width = 0x7FF,
          .minimum_point_width = 1};
}
inline packets::Raster rasteriser(const Drawing& d) {
  return {.antialiasing_enable = d.antialiased,
          .back_face_fill_mode = d.fill_mode,
          .front_face_fill_mode = d.fill_mode,
          .dx_multisample_rasterization_enable = d.samples > 1,
          .cull_mode = 1};
}
inline packets::Sf setup(const Drawing& d) {
  return {.viewport_transform_enable = true,
          .statistics_enable = true,
          .line_width = d.line_width,
          .point_width = uint16_t(d.point_width),
          .point_width_source = 1};
}
inline packets::Sbe setup_attributes(const Drawing& d) {
  packets::Sbe sbe{.vertex_urb_entry_read_offset = 1,
                   .vertex_urb_entry_read_length = 1,
                   .number_of_sf_output_attributes = 1,
                   .force_vertex_urb_entry_read_offset = true,
                   .force_vertex_urb_entry_read_length = true,
                   .constant_interpolation_enable = d.shade == Shade::flat || d.lanes == 32 ? 1u : 0u};
  sbe.attribute_active_component_format.fill(3);
  return sbe;
}
inline packets::Wm windower(const Drawing& d) {
  return {.line_stipple_enable = d.line_stipple,
          .polygon_stipple_enable = d.polygon_stipple,
          .barycentric_interpolation_mode = uint8_t(d.shade == Shade::flat ? 0 : 1),
          .statistics_enable = true};
}
inline packets::Ps pixel_shader(const Drawing& d) {
  return {.kernel_start_pointer_0 = ps_at,
          .binding_table_entry_count = 2,
          .dispatch_8 = d.lanes == 8,
          .dispatch_16 = d.lanes == 16,
          .dispatch_32 = d.lanes == 32,
          .maximum_number_of_threads_per_psd = 63,
          .dispatch_grf_start_register_for_constant_setup_data_0 = uint8_t(setup_register(d))};
}
inline packets::DepthBuffer depth_buffer(const Drawing& d) {
  packets::DepthBuffer depth{.surface_type = 7};
  if (d.depth_format || d.stencil)
    depth = {.surface_pitch = (d.depth_format == 5 ? edge * 2 : edge * 4) * (d.samples > 1 ? 4 : 1) - 1,
             .surface_format = uint8_t(d.depth_format ? d.depth_format : 1),
             .stencil_write_enable = d.stencil,
             .depth_write_enable = d.depth_format != 0,
             .surface_type = 1,
             .surface_base_address = d.depth_format ? home + d.places.depth : 0,
             .width = edge - 1,
             .height = edge - 1};
  if (depth.surface_type == 1) depth.surface_pitch = std::max(depth.surface_pitch, 127u);
  return depth;
}
inline packets::StencilBuffer stencil_buffer(const Drawing& d) {
  return {.surface_pitch = 127, .stencil_buffer_enable = d.stencil, .surface_base_address = home + d.places.stencil};
}
inline packets::WmDepthStencil depth_tests(const Drawing& d) {
  return {.depth_buffer_write_enable = d.depth_format != 0,
          .depth_test_enable = d.depth_format != 0,
          .stencil_buffer_write_enable = d.stencil,
          .stencil_test_enable = d.stencil,
          .depth_test_function = uint8_t(d.clears ? 2 : 0),  // less, or always
          .stencil_pass_depth_pass_op = 2,                   // replace
          .stencil_write_mask = 0xFF,
          .stencil_test_mask = 0xFF,
          .stencil_reference_value = 0x5A};
}
inline constexpr packets::SamplePattern standard_pattern{.samples_16 = {0xC75A7599, 0xB3DBAD36, 0x2C42816E, 0x10E0FE02},
                                                         .samples_8_high = 0x7FD51B93,
                                                         .samples_8_low = 0x5B5D3B95,
                                                         .samples_4 = 0xAE2AE662,
                                                         .samples_2 = 0x44CC,
                                                         .samples_1 = 0x88};

// What comes before the draw.
inline Words state_commands(const Drawing& d) {
  using namespace commands::three_d;
  const faults::Dialect* dialect = nullptr;
  for (const faults::Dialect& one : faults::dialects)
    if (one.device == d.device) dialect = &one;
  Words w = Words{dialect->select_gpgpu & ~3u} + faults::base_addresses(*dialect, {home, home, home, home, home});
  w += packet<every::push_constant_alloc_vs>({1, 0}) + packet<every::push_constant_alloc_ps>({1, 1});
  w += packet<every::urb_vs>({.number_of_urb_entries = 64, .urb_entry_allocation_size = 1, .urb_starting_address = 4});
  w += packet<every::vs>(vertex_shader());
  // vertices
  const uint32_t count = uint32_t(d.positions.size()), raw = uint32_t(d.raw_attributes.size());
  w += Words{every::vertex_buffers.header | 7};
  w += packet<every::vertex_buffer_state>({.buffer_pitch = 16,
                                           .address_modify_enable = true,
                                           .vertex_buffer_index = 0,
                                           .buffer_starting_address = home + vertices_at,
                                           .buffer_size = count * 16});
  w += packet<every::vertex_buffer_state>({.buffer_pitch = uint16_t(raw ? 0 : 16),
                                           .address_modify_enable = true,
                                           .vertex_buffer_index = 1,
                                           .buffer_starting_address = home + attributes_at,
                                           .buffer_size = raw ? raw : count * 16});
  w += Words{every::vertex_elements.header | 3};
  const auto element = [](uint8_t buffer, std::string_view format) {
    return packet<every::vertex_element_state>({.source_element_format = formats::find(format)->code,
                                                .valid = true,
                                                .vertex_buffer_index = buffer,
                                                .component_3_control = 1,
                                                .component_2_control = 1,
                                                .component_1_control = 1,
                                                .component_0_control = 1});
  };
  w += element(0, "R32G32B32A32_FLOAT") + element(1, raw ? d.attribute_format : "R32G32B32A32_FLOAT");
  w += packet_of<gen8::vf, gen9::vf>(d, Vf{.indexed_draw_cut_index_enable = true, .cut_index = 0xFFFF});
  w += packet<every::vf_statistics>({true}) + packet<every::vf_topology>({d.topology});
  if (!d.indices.empty())
    w += packet<every::index_buffer>({.index_format = 1,
                                      .buffer_starting_address = home + indices_at,
                                      .buffer_size = uint32_t(d.indices.size() * 2)});
  // clipper, setup
  w += packet<every::clip>(clipper());
  w += packet_of<gen8::raster, gen9::raster>(d, rasteriser(d));
  w += packet_of<gen8::sf, gen9::sf>(d, setup(d));
  w += packet_of<gen8::sbe, gen9::sbe>(d, setup_attributes(d));
  w += packet<every::viewport_state_pointers_sf_clip>({dynamic_at}) +
       packet<every::viewport_state_pointers_cc>({dynamic_at + 64}) +
       packet<every::scissor_state_pointers>({dynamic_at + 96}) +
       packet<every::cc_state_pointers>({true, dynamic_at + 128}) +
       packet<every::blend_state_pointers>({true, dynamic_at + 192}) +
       packet<every::sampler_state_pointers_ps>({dynamic_at + 256}) +
       packet<every::binding_table_pointers_ps>({bindings_at}) +
       packet<every::drawing_rectangle>(
           {.clipped_drawing_rectangle_x_max = edge - 1, .clipped_drawing_rectangle_y_max = edge - 1});
  w += packet<every::multisample>({.number_of_multisamples = uint8_t(log2_samples(d))}) +
       packet<every::sample_mask>({0xFFFF});
  w += packet_of<gen8::sample_pattern, gen9::sample_pattern>(d, standard_pattern);
  if (d.line_stipple)
    w += packet<every::line_stipple>(
        {.line_stipple_pattern = 0xF0CC, .line_stipple_repeat_count = 2, .line_stipple_inverse_repeat_count = 1 << 15});
  if (d.polygon_stipple) {
    PolyStipplePattern rows;
    rows.pattern_row.fill(0xAAAA5555);
    w += packet<every::poly_stipple_pattern>(rows);
  }
  // pixels
  w += packet<every::wm>(windower(d));
  w += packet_of<gen8::ps, gen9::ps>(d, pixel_shader(d));
  w += packet_of<gen8::ps_extra, gen9::ps_extra>(d, PsExtra{.attribute_enable = true, .pixel_shader_valid = true});
  w += packet<every::ps_blend>({.destination_blend_factor = 0x13,
                                .source_blend_factor = 3,
                                .color_buffer_blend_enable = d.blends,
                                .has_writeable_rt = true});
  // depth and stencil
  w += packet_of<gen8::depth_buffer, gen9::depth_buffer>(d, depth_buffer(d));
  w += packet<every::stencil_buffer>(stencil_buffer(d));
  w += packet<every::clear_params>({.depth_clear_value = 0.75f, .depth_clear_value_valid = true});
  w += packet_of<gen8::wm_depth_stencil, gen9::wm_depth_stencil>(d, depth_tests(d));
  if (d.clears)
    w += packet<every::wm_hz_op>({.number_of_multisamples = uint8_t(log2_samples(d)),
                                  .stencil_clear_value = 0x33,
                                  .depth_buffer_clear_enable = d.depth_format != 0,
                                  .stencil_buffer_clear_enable = d.stencil,
                                  .clear_rectangle_x_max = edge,
                                  .clear_rectangle_y_max = edge,
                                  .sample_mask = 0xFFFF}) +
         Words{0x7A000004, 0, 0, 0, 0, 0} + packet<every::wm_hz_op>({});
  return w;
}

// The memory, with a batch at its start.
inline std::vector<std::byte> memory_of(const Drawing& d) {
  Image image{std::vector<std::byte>(d.places.bytes)};
  const isa::Model& model = gen::find_device(d.device)->model();
  const uint32_t vertices = uint32_t(d.indices.empty() ? d.positions.size() : d.indices.size());
  const Words batch = state_commands(d) + d.before +
                      packet<commands::three_d::every::primitive>({.primitive_topology_type = d.topology,
                                                                   .vertex_access_type = uint8_t(!d.indices.empty()),
                                                                   .vertex_count_per_instance = vertices,
                                                                   .instance_count = d.instances}) +
                      d.last + Words{0x7A000004, 1 << 12 | 1 << 0, 0, 0, 0, 0} + faults::end();
  if (batch.size() * 4 > dynamic_at) std::abort();
  image.put(0, batch);
  put_objects(d, image);
  const auto vs = assembled(model, vertex_kernel()),
             ps = assembled(model, d.kernel.empty() ? pixel_kernel(d) : d.kernel);
  image.put(vs_at, vs.data(), vs.size());
  image.put(ps_at, ps.data(), ps.size());
  image.put(vertices_at, d.positions.data(), d.positions.size() * sizeof(Vector));
  if (d.raw_attributes.empty())
    for (uint32_t n = 0; n < d.positions.size(); ++n)
      image.put(attributes_at + n * 16, &d.attributes[n % d.attributes.size()], sizeof(Vector));
  else
    image.put(attributes_at, d.raw_attributes.data(), d.raw_attributes.size());
  image.put(indices_at, d.indices.data(), d.indices.size() * 2);
  return image.bytes;
}

}  // namespace vitro::drawing
