// The 3D pipeline's commands as structs: 3DPRIMITIVE and every 3DSTATE packet.
// PRM: Gen8 vol 2a, 3DSTATE_*; members have the PRM's names of the fields. Numbers in fixed point are kept as the
// packet has them, and the comment tells the format. Packets that differ in nothing but the stage they are for (VS, HS,
// DS, GS, PS) share a struct. A table; where the fields stand is in three_d_layout_tables.h.
#pragma once

#include <array>
#include <cstdint>

namespace vitro::commands::three_d {

struct Primitive {
  bool predicate_enable = false;
  bool uav_coherency_required = false;
  bool indirect_parameter_enable = false;
  uint8_t primitive_topology_type = 0;
  uint8_t vertex_access_type = 0;
  bool end_offset_enable = false;
  uint32_t vertex_count_per_instance = 0;
  uint32_t start_vertex_location = 0;
  uint32_t instance_count = 0;
  uint32_t start_instance_location = 0;
  int32_t base_vertex_location = 0;
};

struct AaLineParameters {
  uint8_t aa_coverage_slope = 0;               // U0.8
  uint8_t aa_point_coverage_slope = 0;         // U0.8
  uint8_t aa_coverage_bias = 0;                // U0.8
  uint8_t aa_point_coverage_bias = 0;          // U0.8
  uint8_t aa_coverage_endcap_slope = 0;        // U0.8
  uint8_t aa_point_coverage_endcap_slope = 0;  // U0.8
  uint8_t aa_coverage_endcap_bias = 0;         // U0.8
  uint8_t aa_point_coverage_endcap_bias = 0;   // U0.8
};

struct BindingTableEdit {
  uint8_t binding_table_edit_target = 0;
  uint16_t binding_table_block_clear = 0;
};

struct BindingTablePointers {
  uint16_t pointer = 0;
};

struct BindingTablePoolAlloc {
  uint8_t mocs = 0;
  bool binding_table_pool_enable = false;
  uint64_t binding_table_pool_base_address = 0;
  uint32_t binding_table_pool_buffer_size = 0;
};

struct BlendStatePointers {
  bool blend_state_pointer_valid = false;
  uint32_t blend_state_pointer = 0;
};

struct CcStatePointers {
  bool color_calc_state_pointer_valid = false;
  uint32_t color_calc_state_pointer = 0;
};

struct ChromaKey {
  uint8_t chromakey_table_index = 0;
  uint32_t chromakey_low_value = 0;
  uint32_t chromakey_high_value = 0;
};

struct ClearParams {
  float depth_clear_value = 0;
  bool depth_clear_value_valid = false;
};

struct Clip {
  uint8_t user_clip_distance_cull_test_enable_bitmask = 0;
  bool statistics_enable = false;
  bool force_clip_mode = false;
  bool force_user_clip_distance_clip_test_enable_bitmask = false;
  bool early_cull_enable = false;
  uint8_t vertex_sub_pixel_precision_select = 0;
  bool force_user_clip_distance_cull_test_enable_bitmask = false;
  uint8_t triangle_fan_provoking_vertex_select = 0;
  uint8_t line_strip_list_provoking_vertex_select = 0;
  uint8_t triangle_strip_list_provoking_vertex_select = 0;
  bool non_perspective_barycentric_enable = false;
  bool perspective_divide_disable = false;
  uint8_t clip_mode = 0;
  uint8_t user_clip_distance_clip_test_enable_bitmask = 0;
  bool guardband_clip_test_enable = false;
  bool viewport_xy_clip_test_enable = false;
  uint8_t api_mode = 0;
  bool clip_enable = false;
  uint8_t maximum_vp_index = 0;
  bool force_zero_rta_index_enable = false;
  uint16_t maximum_point_width = 0;  // U8.3
  uint16_t minimum_point_width = 0;  // U8.3
};

struct Constant {
  std::array<uint16_t, 4> read_length{};
  std::array<uint64_t, 4> buffer{};
  uint8_t mocs = 0;  // Gen9
};

struct DepthBuffer {
  uint32_t surface_pitch = 0;
  uint8_t surface_format = 0;
  bool hierarchical_depth_buffer_enable = false;
  bool stencil_write_enable = false;
  bool depth_write_enable = false;
  uint8_t surface_type = 0;
  uint64_t surface_base_address = 0;
  uint8_t lod = 0;
  uint16_t width = 0;
  uint16_t height = 0;
  uint8_t mocs = 0;
  uint16_t minimum_array_element = 0;
  uint16_t depth = 0;
  uint16_t surface_qpitch = 0;
  uint16_t render_target_view_extent = 0;
  uint8_t mip_tail_start_lod = 0;   // Gen9
  uint8_t tiled_resource_mode = 0;  // Gen9
};

struct DrawingRectangle {
  uint8_t core_mode_select = 0;
  uint16_t clipped_drawing_rectangle_x_min = 0;
  uint16_t clipped_drawing_rectangle_y_min = 0;
  uint16_t clipped_drawing_rectangle_x_max = 0;
  uint16_t clipped_drawing_rectangle_y_max = 0;
  int16_t drawing_rectangle_origin_x = 0;
  int16_t drawing_rectangle_origin_y = 0;
};

struct Ds {
  uint64_t kernel_start_pointer = 0;
  bool software_exception_enable = false;
  bool illegal_opcode_exception_enable = false;
  bool accesses_uav = false;
  uint8_t floating_point_mode = 0;
  uint8_t thread_dispatch_priority = 0;
  uint8_t binding_table_entry_count = 0;
  uint8_t sampler_count = 0;
  bool vector_mask_enable = false;
  uint8_t single_domain_point_dispatch = 0;  // Gen8
  uint8_t per_thread_scratch_space = 0;
  uint64_t scratch_space_base_pointer = 0;
  uint8_t patch_urb_entry_read_offset = 0;
  uint8_t patch_urb_entry_read_length = 0;
  uint8_t dispatch_grf_start_register_for_urb_data = 0;
  bool enable = false;
  bool cache_disable = false;
  bool compute_w_coordinate_enable = false;
  uint8_t dispatch_mode = 0;
  bool statistics_enable = false;
  uint16_t maximum_number_of_threads = 0;
  uint8_t user_clip_distance_cull_test_enable_bitmask = 0;
  uint8_t user_clip_distance_clip_test_enable_bitmask = 0;
  uint8_t vertex_urb_entry_output_length = 0;
  uint8_t vertex_urb_entry_output_read_offset = 0;
  uint64_t dual_patch_kernel_start_pointer = 0;  // Gen9
};

struct GatherConstant {
  uint8_t constant_buffer_binding_table_block = 0;
  uint16_t constant_buffer_valid = 0;
  bool constant_buffer_dx9_generate_stall = false;
  uint32_t gather_buffer_offset = 0;
  bool constant_buffer_dx9_enable = false;
  uint8_t update_gather_table_only = 0;          // Gen9
  uint8_t on_die_table = 0;                      // Gen9
  bool dx9_on_die_register_read_enable = false;  // Gen9
};

struct GatherPoolAlloc {
  uint8_t mocs = 0;
  bool gather_pool_enable = false;
  uint64_t gather_pool_base_address = 0;
  uint32_t gather_pool_buffer_size = 0;
};

struct Gs {
  uint64_t kernel_start_pointer = 0;
  uint8_t expected_vertex_count = 0;
  bool software_exception_enable = false;
  bool mask_stack_exception_enable = false;
  bool accesses_uav = false;
  bool illegal_opcode_exception_enable = false;
  uint8_t floating_point_mode = 0;
  uint8_t thread_dispatch_priority = 0;
  uint8_t binding_table_entry_count = 0;
  uint8_t sampler_count = 0;
  bool vector_mask_enable = false;
  bool single_program_flow = false;
  uint8_t per_thread_scratch_space = 0;
  uint64_t scratch_space_base_pointer = 0;
  uint8_t dispatch_grf_start_register_for_urb_data = 0;
  uint8_t vertex_urb_entry_read_offset = 0;
  bool include_vertex_handles = false;
  uint8_t vertex_urb_entry_read_length = 0;
  uint8_t output_topology = 0;
  uint8_t output_vertex_size = 0;
  bool enable = false;
  bool discard_adjacency = false;
  uint8_t reorder_mode = 0;
  uint8_t hint = 0;
  bool include_primitive_id = false;
  uint8_t invocations_increment_value = 0;
  bool statistics_enable = false;
  uint8_t dispatch_mode = 0;
  uint8_t default_stream_id = 0;
  uint8_t instance_control = 0;
  uint8_t control_data_header_size = 0;
  uint16_t maximum_number_of_threads = 0;
  uint16_t static_output_vertex_count = 0;
  bool static_output = false;
  uint8_t control_data_format = 0;
  uint8_t user_clip_distance_cull_test_enable_bitmask = 0;
  uint8_t user_clip_distance_clip_test_enable_bitmask = 0;
  uint8_t vertex_urb_entry_output_length = 0;
  uint8_t vertex_urb_entry_output_read_offset = 0;
  uint8_t dispatch_grf_start_register_for_urb_data_5_4 = 0;  // Gen9
};

struct HierDepthBuffer {
  uint32_t surface_pitch = 0;
  uint8_t mocs = 0;
  uint64_t surface_base_address = 0;
  uint16_t surface_qpitch = 0;
};

struct Hs {
  bool software_exception_enable = false;
  bool illegal_opcode_exception_enable = false;
  uint8_t floating_point_mode = 0;
  uint8_t thread_dispatch_priority = 0;
  uint8_t binding_table_entry_count = 0;
  uint8_t sampler_count = 0;
  uint8_t instance_count = 0;
  uint16_t maximum_number_of_threads = 0;
  bool statistics_enable = false;
  bool enable = false;
  uint64_t kernel_start_pointer = 0;
  uint8_t per_thread_scratch_space = 0;
  uint64_t scratch_space_base_pointer = 0;
  uint8_t vertex_urb_entry_read_offset = 0;
  uint8_t vertex_urb_entry_read_length = 0;
  uint8_t dispatch_grf_start_register_for_urb_data = 0;
  bool include_vertex_handles = false;
  bool accesses_uav = false;
  bool vector_mask_enable = false;
  bool single_program_flow = false;
  bool include_primitive_id = false;                       // Gen9
  uint8_t dispatch_mode = 0;                               // Gen9
  uint8_t dispatch_grf_start_register_for_urb_data_5 = 0;  // Gen9
};

struct IndexBuffer {
  uint8_t mocs = 0;
  uint8_t index_format = 0;
  uint64_t buffer_starting_address = 0;
  uint32_t buffer_size = 0;
};

struct LineStipple {
  uint16_t line_stipple_pattern = 0;
  uint8_t current_stipple_index = 0;
  uint16_t current_repeat_counter = 0;
  bool modify_enable = false;
  uint16_t line_stipple_repeat_count = 0;
  uint32_t line_stipple_inverse_repeat_count = 0;  // U1.16
};

struct MonofilterSize {
  uint8_t monochrome_filter_height = 0;
  uint8_t monochrome_filter_width = 0;
};

struct Multisample {
  uint8_t number_of_multisamples = 0;
  uint8_t pixel_location = 0;
  bool pixel_position_offset_enable = false;
};

struct PolyStippleOffset {
  uint8_t polygon_stipple_y_offset = 0;
  uint8_t polygon_stipple_x_offset = 0;
};

struct PolyStipplePattern {
  std::array<uint32_t, 32> pattern_row{};
};

struct Ps {
  uint64_t kernel_start_pointer_0 = 0;
  bool software_exception_enable = false;
  bool mask_stack_exception_enable = false;
  bool illegal_opcode_exception_enable = false;
  uint8_t rounding_mode = 0;
  uint8_t floating_point_mode = 0;
  uint8_t thread_dispatch_priority = 0;
  uint8_t binding_table_entry_count = 0;
  uint8_t single_precision_denormal_mode = 0;
  uint8_t sampler_count = 0;
  bool vector_mask_enable = false;
  bool single_program_flow = false;
  uint8_t per_thread_scratch_space = 0;
  uint64_t scratch_space_base_pointer = 0;
  bool dispatch_8 = false;
  bool dispatch_16 = false;
  bool dispatch_32 = false;
  uint8_t position_xy_offset_select = 0;
  bool render_target_resolve_enable = false;  // Gen8
  bool render_target_fast_clear_enable = false;
  bool push_constant_enable = false;
  uint16_t maximum_number_of_threads_per_psd = 0;
  uint8_t dispatch_grf_start_register_for_constant_setup_data_2 = 0;
  uint8_t dispatch_grf_start_register_for_constant_setup_data_1 = 0;
  uint8_t dispatch_grf_start_register_for_constant_setup_data_0 = 0;
  uint64_t kernel_start_pointer_1 = 0;
  uint64_t kernel_start_pointer_2 = 0;
  uint8_t render_target_resolve_type = 0;  // Gen9
};

struct PsBlend {
  bool independent_alpha_blend_enable = false;
  bool alpha_test_enable = false;
  uint8_t destination_blend_factor = 0;
  uint8_t source_blend_factor = 0;
  uint8_t destination_alpha_blend_factor = 0;
  uint8_t source_alpha_blend_factor = 0;
  bool color_buffer_blend_enable = false;
  bool has_writeable_rt = false;
  bool alpha_to_coverage_enable = false;
};

struct PsExtra {
  bool pixel_shader_uses_input_coverage_mask = false;  // Gen8
  bool pixel_shader_has_uav = false;
  bool pixel_shader_is_per_sample = false;
  bool pixel_shader_disables_alpha_to_coverage = false;
  bool attribute_enable = false;
  bool pixel_shader_uses_source_w = false;
  bool pixel_shader_uses_source_depth = false;
  bool force_computed_depth = false;
  uint8_t pixel_shader_computed_depth_mode = 0;
  bool pixel_shader_kills_pixel = false;
  bool omask_present_to_render_target = false;
  bool pixel_shader_does_not_write_to_rt = false;
  bool pixel_shader_valid = false;
  uint8_t input_coverage_mask_state = 0;       // Gen9
  bool pixel_shader_pulls_bary = false;        // Gen9
  bool pixel_shader_computes_stencil = false;  // Gen9
};

struct PushConstantAlloc {
  uint8_t constant_buffer_size = 0;
  uint8_t constant_buffer_offset = 0;
};

struct Raster {
  bool viewport_z_clip_test_enable = false;  // Gen8
  bool scissor_rectangle_enable = false;
  bool antialiasing_enable = false;
  uint8_t back_face_fill_mode = 0;
  uint8_t front_face_fill_mode = 0;
  bool global_depth_offset_enable_point = false;
  bool global_depth_offset_enable_wireframe = false;
  bool global_depth_offset_enable_solid = false;
  uint8_t dx_multisample_rasterization_mode = 0;
  bool dx_multisample_rasterization_enable = false;
  bool smooth_point_enable = false;
  uint8_t force_multisampling = 0;
  uint8_t cull_mode = 0;
  uint8_t forced_sample_count = 0;
  uint8_t front_winding = 0;
  uint8_t api_mode = 0;
  float global_depth_offset_constant = 0;
  float global_depth_offset_scale = 0;
  float global_depth_offset_clamp = 0;
  bool viewport_z_near_clip_test_enable = false;   // Gen9
  bool conservative_rasterization_enable = false;  // Gen9
  bool viewport_z_far_clip_test_enable = false;    // Gen9
};

struct SamplerStatePointers {
  uint32_t pointer = 0;
};

struct SampleMask {
  uint16_t sample_mask = 0;
};

struct Sbe {
  uint8_t primitive_id_override_attribute_select = 0;
  uint8_t vertex_urb_entry_read_offset = 0;
  uint8_t vertex_urb_entry_read_length = 0;
  bool primitive_id_override_component_x = false;
  bool primitive_id_override_component_y = false;
  bool primitive_id_override_component_z = false;
  bool primitive_id_override_component_w = false;
  uint8_t point_sprite_texture_coordinate_origin = 0;
  bool attribute_swizzle_enable = false;
  uint8_t number_of_sf_output_attributes = 0;
  bool force_vertex_urb_entry_read_offset = false;
  bool force_vertex_urb_entry_read_length = false;
  uint32_t point_sprite_texture_coordinate_enable = 0;
  uint32_t constant_interpolation_enable = 0;
  std::array<uint8_t, 32> attribute_active_component_format{};  // Gen9
};

struct SbeSwiz {
  std::array<uint8_t, 16> source_attribute{};
  std::array<uint8_t, 16> swizzle_select{};
  std::array<uint8_t, 16> constant_source{};
  std::array<uint8_t, 16> swizzle_control_mode{};
  std::array<bool, 16> component_override_x{};
  std::array<bool, 16> component_override_y{};
  std::array<bool, 16> component_override_z{};
  std::array<bool, 16> component_override_w{};
  std::array<uint8_t, 16> attribute_wrap_shortest_enables{};
};

struct ScissorStatePointers {
  uint32_t scissor_rect_pointer = 0;
};

struct Sf {
  bool viewport_transform_enable = false;
  bool statistics_enable = false;
  bool legacy_global_depth_bias_enable = false;
  uint32_t chv_line_width = 0;  // U11.7, Gen8
  uint8_t line_end_cap_antialiasing_region_width = 0;
  uint32_t line_width = 0;   // U3.7, Gen9 U11.7
  uint16_t point_width = 0;  // U8.3
  uint8_t point_width_source = 0;
  uint8_t vertex_sub_pixel_precision_select = 0;
  bool smooth_point_enable = false;
  uint8_t aa_line_distance_mode = 0;
  uint8_t triangle_fan_provoking_vertex_select = 0;
  uint8_t line_strip_list_provoking_vertex_select = 0;
  uint8_t triangle_strip_list_provoking_vertex_select = 0;
  bool last_pixel_enable = false;
};

struct SoBuffer {
  bool stream_output_buffer_offset_address_enable = false;
  bool stream_offset_write_enable = false;
  uint8_t mocs = 0;
  uint8_t so_buffer_index = 0;
  bool so_buffer_enable = false;
  uint64_t surface_base_address = 0;
  uint32_t surface_size = 0;
  uint64_t stream_output_buffer_offset_address = 0;
  uint32_t stream_offset = 0;
};

struct StencilBuffer {
  uint32_t surface_pitch = 0;
  uint8_t mocs = 0;
  bool stencil_buffer_enable = false;
  uint64_t surface_base_address = 0;
  uint16_t surface_qpitch = 0;
};

struct Streamout {
  uint8_t force_rendering = 0;
  bool so_statistics_enable = false;
  uint8_t reorder_mode = 0;
  uint8_t render_stream_select = 0;
  bool rendering_disable = false;
  bool so_function_enable = false;
  std::array<uint8_t, 4> stream_vertex_read_length{};
  std::array<uint8_t, 4> stream_vertex_read_offset{};
  std::array<uint16_t, 4> buffer_surface_pitch{};
};

struct Te {
  bool te_enable = false;
  uint8_t te_mode = 0;
  uint8_t te_domain = 0;
  uint8_t output_topology = 0;
  uint8_t partitioning = 0;
  float maximum_tessellation_factor_odd = 0;
  float maximum_tessellation_factor_not_odd = 0;
};

struct Urb {
  uint16_t number_of_urb_entries = 0;
  uint16_t urb_entry_allocation_size = 0;
  uint8_t urb_starting_address = 0;
};

struct VertexBuffers {};

struct VertexElements {};

struct Vf {
  bool indexed_draw_cut_index_enable = false;
  uint32_t cut_index = 0;
  bool component_packing_enable = false;          // Gen9
  bool sequential_draw_cut_index_enable = false;  // Gen9
};

struct VfInstancing {
  uint8_t vertex_element_index = 0;
  bool instancing_enable = false;
  uint32_t instance_data_step_rate = 0;
};

struct VfSgvs {
  uint8_t vertexid_element_offset = 0;
  uint8_t vertexid_component_number = 0;
  bool vertexid_enable = false;
  uint8_t instanceid_element_offset = 0;
  uint8_t instanceid_component_number = 0;
  bool instanceid_enable = false;
};

struct VfStatistics {
  bool statistics_enable = false;
};

struct VfTopology {
  uint8_t primitive_topology_type = 0;
};

struct ViewportStatePointersCc {
  uint32_t cc_viewport_pointer = 0;
};

struct ViewportStatePointersSfClip {
  uint32_t sf_clip_viewport_pointer = 0;
};

struct Vs {
  uint64_t kernel_start_pointer = 0;
  bool software_exception_enable = false;
  bool accesses_uav = false;
  bool illegal_opcode_exception_enable = false;
  uint8_t floating_point_mode = 0;
  uint8_t thread_dispatch_priority = 0;
  uint8_t binding_table_entry_count = 0;
  uint8_t sampler_count = 0;
  bool vector_mask_enable = false;
  bool single_vertex_dispatch = false;
  uint8_t per_thread_scratch_space = 0;
  uint64_t scratch_space_base_pointer = 0;
  uint8_t vertex_urb_entry_read_offset = 0;
  uint8_t vertex_urb_entry_read_length = 0;
  uint8_t dispatch_grf_start_register_for_urb_data = 0;
  bool enable = false;
  bool vertex_cache_disable = false;
  bool simd8_dispatch_enable = false;
  bool statistics_enable = false;
  uint16_t maximum_number_of_threads = 0;
  uint8_t user_clip_distance_cull_test_enable_bitmask = 0;
  uint8_t user_clip_distance_clip_test_enable_bitmask = 0;
  uint8_t vertex_urb_entry_output_length = 0;
  uint8_t vertex_urb_entry_output_read_offset = 0;
};

struct Wm {
  uint8_t force_kill_pixel_enable = 0;
  uint8_t point_rasterization_rule = 0;
  bool line_stipple_enable = false;
  bool polygon_stipple_enable = false;
  uint8_t line_antialiasing_region_width = 0;
  uint8_t line_end_cap_antialiasing_region_width = 0;
  uint8_t barycentric_interpolation_mode = 0;
  uint8_t position_zw_interpolation_mode = 0;
  uint8_t force_thread_dispatch_enable = 0;
  uint8_t early_depth_stencil_control = 0;
  bool legacy_diamond_line_rasterization = false;
  bool legacy_hierarchical_depth_buffer_resolve_enable = false;
  bool legacy_depth_buffer_resolve_enable = false;
  bool legacy_depth_buffer_clear_enable = false;
  bool statistics_enable = false;
};

struct WmChromakey {
  bool chromakey_kill_enable = false;
};

struct WmDepthStencil {
  bool depth_buffer_write_enable = false;
  bool depth_test_enable = false;
  bool stencil_buffer_write_enable = false;
  bool stencil_test_enable = false;
  bool double_sided_stencil_enable = false;
  uint8_t depth_test_function = 0;
  uint8_t stencil_test_function = 0;
  uint8_t backface_stencil_pass_depth_pass_op = 0;
  uint8_t backface_stencil_pass_depth_fail_op = 0;
  uint8_t backface_stencil_fail_op = 0;
  uint8_t backface_stencil_test_function = 0;
  uint8_t stencil_pass_depth_pass_op = 0;
  uint8_t stencil_pass_depth_fail_op = 0;
  uint8_t stencil_fail_op = 0;
  uint8_t backface_stencil_write_mask = 0;
  uint8_t backface_stencil_test_mask = 0;
  uint8_t stencil_write_mask = 0;
  uint8_t stencil_test_mask = 0;
  uint8_t backface_stencil_reference_value = 0;  // Gen9
  uint8_t stencil_reference_value = 0;           // Gen9
};

struct WmHzOp {
  uint8_t number_of_multisamples = 0;
  uint8_t stencil_clear_value = 0;
  bool full_surface_depth_and_stencil_clear = false;
  bool pixel_position_offset_enable = false;
  bool hierarchical_depth_buffer_resolve_enable = false;
  bool depth_buffer_resolve_enable = false;
  bool scissor_rectangle_enable = false;
  bool depth_buffer_clear_enable = false;
  bool stencil_buffer_clear_enable = false;
  uint16_t clear_rectangle_x_min = 0;
  uint16_t clear_rectangle_y_min = 0;
  uint16_t clear_rectangle_x_max = 0;
  uint16_t clear_rectangle_y_max = 0;
  uint16_t sample_mask = 0;
};

struct RsConstantPointer {
  uint8_t operation_load_or_store = 0;
  uint8_t shader_select = 0;
  uint32_t global_constant_buffer_address = 0;
  uint32_t global_constant_buffer_address_high = 0;
};

struct UrbClear {
  uint16_t urb_address = 0;
  uint16_t urb_clear_length = 0;
};

struct VfComponentPacking {
  std::array<uint8_t, 32> vertex_element_enables{};
};

// Positions of samples in a pixel, a byte each: X in the high nibble, Y in the low one, U0.4. In each dword the sample
// with the lowest number stands in the lowest byte.
struct SamplePattern {
  std::array<uint32_t, 4> samples_16{};  // Gen9
  uint32_t samples_8_high = 0;           // 7 to 4
  uint32_t samples_8_low = 0;            // 3 to 0
  uint32_t samples_4 = 0;
  uint16_t samples_2 = 0;
  uint8_t samples_1 = 0;
};

// The entries follow: SoDecl for each stream.
struct SoDeclList {
  std::array<uint8_t, 4> buffer_selects{};  // by stream: a bit for each buffer
  std::array<uint8_t, 4> entries{};         // by stream
};

struct SamplerPaletteLoad {};

}  // namespace vitro::commands::three_d
