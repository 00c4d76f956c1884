// The layouts of the 3D pipeline's commands against packets as drivers write them, and against bits set by hand.
// PRM: Gen8 vol 2a 3DSTATE_*.
#include <gtest/gtest.h>

#include <vector>

#include "commands/three_d_layout_tables.h"

namespace vitro::commands::three_d {
namespace {

using Packet = std::vector<uint32_t>;

template <class... L>
consteval bool all_well_formed(const L&... l) {
  return (well_formed(l) && ...);
}
static_assert(all_well_formed(
    every::primitive, every::aa_line_parameters, every::binding_table_edit_ds, every::binding_table_edit_gs,
    every::binding_table_edit_hs, every::binding_table_edit_ps, every::binding_table_edit_vs,
    every::binding_table_pointers_ds, every::binding_table_pointers_gs, every::binding_table_pointers_hs,
    every::binding_table_pointers_ps, every::binding_table_pointers_vs, every::binding_table_pool_alloc,
    every::blend_state_pointers, every::cc_state_pointers, every::chroma_key, every::clear_params, every::clip,
    every::drawing_rectangle, every::gather_pool_alloc, every::hier_depth_buffer, every::index_buffer,
    every::line_stipple, every::monofilter_size, every::multisample, every::poly_stipple_offset,
    every::poly_stipple_pattern, every::ps_blend, every::push_constant_alloc_ds, every::push_constant_alloc_gs,
    every::push_constant_alloc_hs, every::push_constant_alloc_ps, every::push_constant_alloc_vs,
    every::sampler_state_pointers_ds, every::sampler_state_pointers_gs, every::sampler_state_pointers_hs,
    every::sampler_state_pointers_ps, every::sampler_state_pointers_vs, every::sample_mask, every::sbe_swiz,
    every::scissor_state_pointers, every::so_buffer, every::stencil_buffer, every::streamout, every::te, every::urb_ds,
    every::urb_gs, every::urb_hs, every::urb_vs, every::vertex_buffers, every::vertex_elements, every::vf_instancing,
    every::vf_sgvs, every::vf_statistics, every::vf_topology, every::viewport_state_pointers_cc,
    every::viewport_state_pointers_sf_clip, every::vs, every::wm, every::wm_chromakey, every::wm_hz_op,
    every::so_decl_list, every::sampler_palette_load0, every::sampler_palette_load1, every::vertex_buffer_state,
    every::vertex_element_state, every::so_decl, every::binding_table_edit_entry, every::gather_constant_entry));
static_assert(all_well_formed(gen8::constant_ds, gen8::constant_gs, gen8::constant_hs, gen8::constant_ps,
                              gen8::constant_vs, gen8::depth_buffer, gen8::ds, gen8::gather_constant_ds,
                              gen8::gather_constant_gs, gen8::gather_constant_hs, gen8::gather_constant_ps,
                              gen8::gather_constant_vs, gen8::gs, gen8::hs, gen8::ps, gen8::ps_extra, gen8::raster,
                              gen8::sbe, gen8::sf, gen8::vf, gen8::wm_depth_stencil, gen8::sample_pattern));
static_assert(all_well_formed(gen9::constant_ds, gen9::constant_gs, gen9::constant_hs, gen9::constant_ps,
                              gen9::constant_vs, gen9::depth_buffer, gen9::ds, gen9::gather_constant_ds,
                              gen9::gather_constant_gs, gen9::gather_constant_hs, gen9::gather_constant_ps,
                              gen9::gather_constant_vs, gen9::gs, gen9::hs, gen9::ps, gen9::ps_extra, gen9::raster,
                              gen9::sbe, gen9::sf, gen9::vf, gen9::wm_depth_stencil, gen9::rs_constant_pointer,
                              gen9::urb_clear, gen9::vf_component_packing, gen9::sample_pattern));

TEST(ThreeDLayouts, PrimitiveOfAnInstancedDraw) {
  const Primitive p = unpack(every::primitive, Packet{0x7B000505, 0x305, 6, 2, 3, 1, 0xFFFFFFFE});
  EXPECT_TRUE(p.predicate_enable && p.indirect_parameter_enable && p.end_offset_enable);
  EXPECT_FALSE(p.uav_coherency_required);
  EXPECT_EQ(p.vertex_access_type, 1);
  EXPECT_EQ(p.primitive_topology_type, 5);
  EXPECT_EQ(std::tuple(p.vertex_count_per_instance, p.start_vertex_location), std::tuple(6u, 2u));
  EXPECT_EQ(std::tuple(p.instance_count, p.start_instance_location), std::tuple(3u, 1u));
  EXPECT_EQ(p.base_vertex_location, -2);
}

// A Kaby Lake vertex shader: SIMD8, data from r2 on, one pair of elements.
TEST(ThreeDLayouts, VertexShader) {
  const Vs v = unpack(every::vs, Packet{0x78100007, 0x1240, 0, 0, 0x8003, 0, 0x00200800, 0xA7800405, 0x00210000});
  EXPECT_EQ(v.kernel_start_pointer, 0x1240u);
  EXPECT_EQ(v.per_thread_scratch_space, 3);
  EXPECT_EQ(v.scratch_space_base_pointer, 0x8000u);
  EXPECT_EQ(v.dispatch_grf_start_register_for_urb_data, 2);
  EXPECT_EQ(v.vertex_urb_entry_read_length, 1);
  EXPECT_EQ(v.vertex_urb_entry_read_offset, 0);
  EXPECT_TRUE(v.enable && v.simd8_dispatch_enable && v.statistics_enable);
  EXPECT_FALSE(v.vertex_cache_disable);
  EXPECT_EQ(v.maximum_number_of_threads, 335);
  EXPECT_EQ(v.vertex_urb_entry_output_length, 1);
  EXPECT_EQ(v.vertex_urb_entry_output_read_offset, 1);
}

// Four instances, from handles, with primitive ids.
TEST(ThreeDLayouts, GeometryShader) {
  const Gs g = unpack(gen9::gs, Packet{0x78110008, 0, 0, 3, 0, 0, 0x018A0C06, 0x00119C15, 0x0000014F, 0x00210000});
  EXPECT_EQ(g.expected_vertex_count, 3);
  EXPECT_EQ(g.dispatch_grf_start_register_for_urb_data, 6);
  EXPECT_TRUE(g.include_vertex_handles && g.include_primitive_id && g.enable && g.statistics_enable);
  EXPECT_EQ(g.vertex_urb_entry_read_length, 1);
  EXPECT_EQ(g.output_topology, 5);
  EXPECT_EQ(g.output_vertex_size, 3);
  EXPECT_EQ(g.dispatch_mode, 3);
  EXPECT_EQ(g.instance_control, 3);
  EXPECT_EQ(g.control_data_header_size, 1);
  EXPECT_EQ(g.maximum_number_of_threads, 0x14F);
  EXPECT_FALSE(g.static_output);
}

// The clears of Mesa: 16 pixels, the first kernel, data from r2 on, a fast clear.
TEST(ThreeDLayouts, PixelShaderOfAClear) {
  const Packet packet{0x7820000A, 0x40, 0, 0, 0, 0, 0x1F800102, 0x00020000, 0x80, 0, 0xC0, 0};
  for (const Ps& p : {unpack(gen8::ps, packet), unpack(gen9::ps, packet)}) {
    EXPECT_EQ(std::tuple(p.dispatch_8, p.dispatch_16, p.dispatch_32), std::tuple(false, true, false));
    EXPECT_TRUE(p.render_target_fast_clear_enable);
    EXPECT_FALSE(p.push_constant_enable);
    EXPECT_EQ(p.maximum_number_of_threads_per_psd, 63);
    EXPECT_EQ(p.dispatch_grf_start_register_for_constant_setup_data_0, 2);
    EXPECT_EQ(p.dispatch_grf_start_register_for_constant_setup_data_2, 0);
    EXPECT_EQ(std::tuple(p.kernel_start_pointer_0, p.kernel_start_pointer_1, p.kernel_start_pointer_2),
              std::tuple(0x40u, 0x80u, 0xC0u));
  }
  const PsExtra x = unpack(gen9::ps_extra, Packet{0x784F0000, 0x80000100});
  EXPECT_TRUE(x.pixel_shader_valid && x.attribute_enable);
  EXPECT_FALSE(x.pixel_shader_uses_source_depth || x.pixel_shader_uses_source_w || x.pixel_shader_kills_pixel);
  const Sbe s = unpack(gen9::sbe, Packet{0x781F0004, 0x30400820, 0, 1, 0, 0});
  EXPECT_TRUE(s.force_vertex_urb_entry_read_offset && s.force_vertex_urb_entry_read_length);
  EXPECT_EQ(s.number_of_sf_output_attributes, 1);
  EXPECT_EQ(s.vertex_urb_entry_read_offset, 1);
  EXPECT_EQ(s.vertex_urb_entry_read_length, 1);
  EXPECT_EQ(s.constant_interpolation_enable, 1u);
}

TEST(ThreeDLayouts, PixelShaderOfEightAndSixteen) {
  Packet packet(12);
  packet[6] = 0x1F800803;
  packet[7] = 0x00040006;
  const Ps p = unpack(gen9::ps, packet);
  EXPECT_TRUE(p.dispatch_8 && p.dispatch_16 && p.push_constant_enable);
  EXPECT_EQ(p.dispatch_grf_start_register_for_constant_setup_data_0, 4);
  EXPECT_EQ(p.dispatch_grf_start_register_for_constant_setup_data_2, 6);
}

// Four samples, a thread for each: where Gen8 and Gen9 say that they want the coverage.
TEST(ThreeDLayouts, PixelShaderForEachSample) {
  const PsExtra x9 = unpack(gen9::ps_extra, Packet{0x784F0000, 0x91800141});
  EXPECT_EQ(x9.input_coverage_mask_state, 1);
  EXPECT_TRUE(x9.pixel_shader_is_per_sample && x9.pixel_shader_uses_source_w && x9.pixel_shader_uses_source_depth &&
              x9.pixel_shader_kills_pixel && x9.attribute_enable);
  const PsExtra x8 = unpack(gen8::ps_extra, Packet{0x784F0000, 0x91800142});
  EXPECT_TRUE(x8.pixel_shader_uses_input_coverage_mask && x8.pixel_shader_is_per_sample);
  const Wm w = unpack(every::wm, Packet{0x78140000, 0x80107844});
  EXPECT_TRUE(w.statistics_enable);
  EXPECT_EQ(w.barycentric_interpolation_mode, 0xF);
  EXPECT_EQ(w.force_thread_dispatch_enable, 2);
  EXPECT_EQ(w.line_antialiasing_region_width, 1);
  EXPECT_EQ(w.point_rasterization_rule, 1);
  Packet ps(12);
  ps[6] = 0x1F80081A, ps[7] = 0x00190000;
  EXPECT_EQ(unpack(gen9::ps, ps).position_xy_offset_select, 3);
  EXPECT_EQ(unpack(gen9::ps, ps).dispatch_grf_start_register_for_constant_setup_data_0, 25);
}

// An attribute that is the primitive's number.
TEST(ThreeDLayouts, SetupOfThePrimitiveId) {
  const Sbe s = unpack(gen8::sbe, Packet{0x781F0002, 0x30BF0820, 0, 0});
  EXPECT_EQ(s.number_of_sf_output_attributes, 2);
  EXPECT_TRUE(s.attribute_swizzle_enable && s.primitive_id_override_component_x &&
              s.primitive_id_override_component_y && s.primitive_id_override_component_z &&
              s.primitive_id_override_component_w);
  EXPECT_EQ(s.primitive_id_override_attribute_select, 0);
  Packet swiz(11);
  swiz[1] = 0x0041F200;
  const SbeSwiz z = unpack(every::sbe_swiz, swiz);
  EXPECT_EQ(z.constant_source[0], 1);
  EXPECT_TRUE(z.component_override_x[0] && z.component_override_y[0] && z.component_override_z[0] &&
              z.component_override_w[0]);
  EXPECT_EQ(z.source_attribute[1], 1);
  EXPECT_EQ(z.swizzle_select[1], 1);
  EXPECT_FALSE(z.component_override_x[1]);
}

TEST(ThreeDLayouts, Constants) {
  const Packet packet{0x78150009, 0x00020001, 0x00040003, 0x20, 0, 0x40, 0, 0x60, 0, 0x80, 0x7F};
  for (const Constant& c : {unpack(gen8::constant_vs, packet), unpack(gen9::constant_vs, packet)}) {
    EXPECT_EQ(c.read_length, (std::array<uint16_t, 4>{1, 2, 3, 4}));
    EXPECT_EQ(c.buffer, (std::array<uint64_t, 4>{0x20, 0x40, 0x60, 0x7F'0000'0080}));
  }
}

TEST(ThreeDLayouts, VertexBuffersAndElements) {
  const VertexBufferState b = unpack(every::vertex_buffer_state, Packet{31u << 26 | 1 << 14 | 48, 0x1000, 1, 0x300});
  EXPECT_EQ(b.vertex_buffer_index, 31);
  EXPECT_TRUE(b.address_modify_enable);
  EXPECT_FALSE(b.null_vertex_buffer);
  EXPECT_EQ(b.buffer_pitch, 48);
  EXPECT_EQ(b.buffer_starting_address, 0x1'0000'1000u);
  EXPECT_EQ(b.buffer_size, 0x300u);
  // R32G32B32_FLOAT (0x40), the fourth component 1.0.
  const VertexElementState v = unpack(every::vertex_element_state, Packet{0x06400010, 0x11130000});
  EXPECT_TRUE(v.valid);
  EXPECT_EQ(v.vertex_buffer_index, 1);
  EXPECT_EQ(v.source_element_format, 0x40);
  EXPECT_EQ(v.source_element_offset, 16);
  EXPECT_EQ(std::tuple(v.component_0_control, v.component_1_control, v.component_2_control, v.component_3_control),
            std::tuple(1, 1, 1, 3));
  const SoDecl d = unpack(every::so_decl, Packet{0x2000 | 0x12 << 4 | 7});
  EXPECT_EQ(std::tuple(d.output_buffer_slot, d.register_index, d.component_mask, d.hole_flag),
            std::tuple(2, 0x12, 7, false));
}

TEST(ThreeDLayouts, DepthStencil) {
  const DepthBuffer d =
      unpack(gen8::depth_buffer, Packet{0x78050006, 0x3044007F, 0x2000, 1, 0x0FFC7FF2, 0x00200178, 0, 0x00200010});
  EXPECT_EQ(d.surface_type, 1);
  EXPECT_TRUE(d.depth_write_enable && d.hierarchical_depth_buffer_enable);
  EXPECT_FALSE(d.stencil_write_enable);
  EXPECT_EQ(d.surface_format, 1);
  EXPECT_EQ(d.surface_pitch, 0x7Fu);
  EXPECT_EQ(d.surface_base_address, 0x1'0000'2000u);
  EXPECT_EQ(std::tuple(d.width, d.height, d.lod), std::tuple(0x7FF, 0x3FF, 2));
  const WmDepthStencil w = unpack(gen9::wm_depth_stencil, Packet{0x784E0002, 0x00000043, 0xFF00FF00, 0x0000AB12});
  EXPECT_TRUE(w.depth_buffer_write_enable && w.depth_test_enable);
  EXPECT_EQ(w.depth_test_function, 2);
  EXPECT_EQ(w.stencil_test_mask, 0xFF);
  EXPECT_EQ(w.stencil_reference_value, 0xAB);
  EXPECT_EQ(w.backface_stencil_reference_value, 0x12);
  const WmHzOp h = unpack(every::wm_hz_op, Packet{0x78520003, 0xC0FF4000, 0, 0x01000200, 0xFFFF});
  EXPECT_TRUE(h.depth_buffer_clear_enable && h.stencil_buffer_clear_enable);
  EXPECT_FALSE(h.depth_buffer_resolve_enable || h.full_surface_depth_and_stencil_clear);
  EXPECT_EQ(h.stencil_clear_value, 0xFF);
  EXPECT_EQ(h.number_of_multisamples, 2);
  EXPECT_EQ(std::tuple(h.clear_rectangle_x_max, h.clear_rectangle_y_max), std::tuple(0x200, 0x100));
}

TEST(ThreeDLayouts, SamplePatternsGrewByFourDwords) {
  const SamplePattern p8 = unpack(gen8::sample_pattern, Packet{0x791C0007, 0, 0, 0, 0, 5, 6, 7, 0x00880040});
  const SamplePattern p9 = unpack(gen9::sample_pattern, Packet{0x791C0007, 1, 2, 3, 4, 5, 6, 7, 0x00880040});
  for (const SamplePattern& p : {p8, p9}) {
    EXPECT_EQ(std::tuple(p.samples_8_high, p.samples_8_low, p.samples_4), std::tuple(5u, 6u, 7u));
    EXPECT_EQ(std::tuple(p.samples_2, p.samples_1), std::tuple(0x40, 0x88));
  }
  EXPECT_EQ(p9.samples_16, (std::array<uint32_t, 4>{1, 2, 3, 4}));
}

TEST(ThreeDLayouts, Same) {
  Raster a, b;
  EXPECT_TRUE(same(gen8::raster, a, b));
  a.global_depth_offset_scale = -0.0f;
  EXPECT_FALSE(same(gen8::raster, a, b));
  a = b;
  a.viewport_z_near_clip_test_enable = true;  // no field of Gen8
  EXPECT_TRUE(same(gen8::raster, a, b));
  EXPECT_FALSE(same(gen9::raster, a, b));
  PolyStipplePattern p, q;
  p.pattern_row[31] = 1;
  EXPECT_FALSE(same(every::poly_stipple_pattern, p, q));
}

}  // namespace
}  // namespace vitro::commands::three_d
