// Where the fields of the 3D pipeline's commands stand, generation by generation. PRM: Gen8 vol 2a, 3DSTATE_*. What is
// alike in Gen8 and Gen9 stands in `every`. A table.
#pragma once

#include "base/packet.h"
#include "commands/engine.h"
#include "commands/three_d.h"
#include "commands/three_d_elements.h"

namespace vitro::commands::three_d {

namespace every {
inline constexpr auto primitive = layout<Primitive>(
    "3DPRIMITIVE", gfx(3, 3, 0x00), gfx_mask, 7, field("Predicate Enable", dw(0, 8), &Primitive::predicate_enable),
    field("UAV Coherency Required", dw(0, 9), &Primitive::uav_coherency_required),
    field("Indirect Parameter Enable", dw(0, 10), &Primitive::indirect_parameter_enable),
    field("Primitive Topology Type", dw(1, 5, 0), &Primitive::primitive_topology_type),
    field("Vertex Access Type", dw(1, 8), &Primitive::vertex_access_type),
    field("End Offset Enable", dw(1, 9), &Primitive::end_offset_enable),
    field("Vertex Count Per Instance", dw(2, 31, 0), &Primitive::vertex_count_per_instance),
    field("Start Vertex Location", dw(3, 31, 0), &Primitive::start_vertex_location),
    field("Instance Count", dw(4, 31, 0), &Primitive::instance_count),
    field("Start Instance Location", dw(5, 31, 0), &Primitive::start_instance_location),
    field("Base Vertex Location", dw(6, 31, 0), &Primitive::base_vertex_location));
inline constexpr auto aa_line_parameters = layout<AaLineParameters>(
    "3DSTATE_AA_LINE_PARAMETERS", gfx(3, 1, 0x0A), gfx_mask, 3,
    field("AA Coverage Slope", dw(1, 7, 0), &AaLineParameters::aa_coverage_slope),
    field("AA Point Coverage Slope", dw(1, 15, 8), &AaLineParameters::aa_point_coverage_slope),
    field("AA Coverage Bias", dw(1, 23, 16), &AaLineParameters::aa_coverage_bias),
    field("AA Point Coverage Bias", dw(1, 31, 24), &AaLineParameters::aa_point_coverage_bias),
    field("AA Coverage EndCap Slope", dw(2, 7, 0), &AaLineParameters::aa_coverage_endcap_slope),
    field("AA Point Coverage EndCap Slope", dw(2, 15, 8), &AaLineParameters::aa_point_coverage_endcap_slope),
    field("AA Coverage EndCap Bias", dw(2, 23, 16), &AaLineParameters::aa_coverage_endcap_bias),
    field("AA Point Coverage EndCap Bias", dw(2, 31, 24), &AaLineParameters::aa_point_coverage_endcap_bias));
inline constexpr auto binding_table_edit_ds = layout<BindingTableEdit>(
    "3DSTATE_BINDING_TABLE_EDIT_DS", gfx(3, 0, 0x46), gfx_mask, 2,
    field("Binding Table Edit Target", dw(1, 1, 0), &BindingTableEdit::binding_table_edit_target),
    field("Binding Table Block Clear", dw(1, 31, 16), &BindingTableEdit::binding_table_block_clear));
inline constexpr auto binding_table_edit_gs = layout<BindingTableEdit>(
    "3DSTATE_BINDING_TABLE_EDIT_GS", gfx(3, 0, 0x44), gfx_mask, 2,
    field("Binding Table Edit Target", dw(1, 1, 0), &BindingTableEdit::binding_table_edit_target),
    field("Binding Table Block Clear", dw(1, 31, 16), &BindingTableEdit::binding_table_block_clear));
inline constexpr auto binding_table_edit_hs = layout<BindingTableEdit>(
    "3DSTATE_BINDING_TABLE_EDIT_HS", gfx(3, 0, 0x45), gfx_mask, 2,
    field("Binding Table Edit Target", dw(1, 1, 0), &BindingTableEdit::binding_table_edit_target),
    field("Binding Table Block Clear", dw(1, 31, 16), &BindingTableEdit::binding_table_block_clear));
inline constexpr auto binding_table_edit_ps = layout<BindingTableEdit>(
    "3DSTATE_BINDING_TABLE_EDIT_PS", gfx(3, 0, 0x47), gfx_mask, 2,
    field("Binding Table Edit Target", dw(1, 1, 0), &BindingTableEdit::binding_table_edit_target),
    field("Binding Table Block Clear", dw(1, 31, 16), &BindingTableEdit::binding_table_block_clear));
inline constexpr auto binding_table_edit_vs = layout<BindingTableEdit>(
    "3DSTATE_BINDING_TABLE_EDIT_VS", gfx(3, 0, 0x43), gfx_mask, 2,
    field("Binding Table Edit Target", dw(1, 1, 0), &BindingTableEdit::binding_table_edit_target),
    field("Binding Table Block Clear", dw(1, 31, 16), &BindingTableEdit::binding_table_block_clear));
inline constexpr auto binding_table_pointers_ds = layout<BindingTablePointers>(
    "3DSTATE_BINDING_TABLE_POINTERS_DS", gfx(3, 0, 0x28), gfx_mask, 2,
    field("Pointer to DS Binding Table", address(1, 5, 16), &BindingTablePointers::pointer));
inline constexpr auto binding_table_pointers_gs = layout<BindingTablePointers>(
    "3DSTATE_BINDING_TABLE_POINTERS_GS", gfx(3, 0, 0x29), gfx_mask, 2,
    field("Pointer to GS Binding Table", address(1, 5, 16), &BindingTablePointers::pointer));
inline constexpr auto binding_table_pointers_hs = layout<BindingTablePointers>(
    "3DSTATE_BINDING_TABLE_POINTERS_HS", gfx(3, 0, 0x27), gfx_mask, 2,
    field("Pointer to HS Binding Table", address(1, 5, 16), &BindingTablePointers::pointer));
inline constexpr auto binding_table_pointers_ps = layout<BindingTablePointers>(
    "3DSTATE_BINDING_TABLE_POINTERS_PS", gfx(3, 0, 0x2A), gfx_mask, 2,
    field("Pointer to PS Binding Table", address(1, 5, 16), &BindingTablePointers::pointer));
inline constexpr auto binding_table_pointers_vs = layout<BindingTablePointers>(
    "3DSTATE_BINDING_TABLE_POINTERS_VS", gfx(3, 0, 0x26), gfx_mask, 2,
    field("Pointer to VS Binding Table", address(1, 5, 16), &BindingTablePointers::pointer));
inline constexpr auto binding_table_pool_alloc = layout<BindingTablePoolAlloc>(
    "3DSTATE_BINDING_TABLE_POOL_ALLOC", gfx(3, 1, 0x19), gfx_mask, 4,
    field("MOCS", dw(1, 6, 0), &BindingTablePoolAlloc::mocs),
    field("Binding Table Pool Enable", dw(1, 11), &BindingTablePoolAlloc::binding_table_pool_enable),
    field("Binding Table Pool Base Address", address(1, 12, 64),
          &BindingTablePoolAlloc::binding_table_pool_base_address),
    field("Binding Table Pool Buffer Size", dw(3, 31, 12), &BindingTablePoolAlloc::binding_table_pool_buffer_size));
inline constexpr auto blend_state_pointers = layout<BlendStatePointers>(
    "3DSTATE_BLEND_STATE_POINTERS", gfx(3, 0, 0x24), gfx_mask, 2,
    field("Blend State Pointer Valid", dw(1, 0), &BlendStatePointers::blend_state_pointer_valid),
    field("Blend State Pointer", address(1, 6, 32), &BlendStatePointers::blend_state_pointer));
inline constexpr auto cc_state_pointers = layout<CcStatePointers>(
    "3DSTATE_CC_STATE_POINTERS", gfx(3, 0, 0x0E), gfx_mask, 2,
    field("Color Calc State Pointer Valid", dw(1, 0), &CcStatePointers::color_calc_state_pointer_valid),
    field("Color Calc State Pointer", address(1, 6, 32), &CcStatePointers::color_calc_state_pointer));
inline constexpr auto chroma_key =
    layout<ChromaKey>("3DSTATE_CHROMA_KEY", gfx(3, 1, 0x04), gfx_mask, 4,
                      field("ChromaKey Table Index", dw(1, 31, 30), &ChromaKey::chromakey_table_index),
                      field("ChromaKey Low Value", dw(2, 31, 0), &ChromaKey::chromakey_low_value),
                      field("ChromaKey High Value", dw(3, 31, 0), &ChromaKey::chromakey_high_value));
inline constexpr auto clear_params =
    layout<ClearParams>("3DSTATE_CLEAR_PARAMS", gfx(3, 0, 0x04), gfx_mask, 3,
                        field("Depth Clear Value", dw(1, 31, 0), &ClearParams::depth_clear_value),
                        field("Depth Clear Value Valid", dw(2, 0), &ClearParams::depth_clear_value_valid));
inline constexpr auto clip = layout<Clip>(
    "3DSTATE_CLIP", gfx(3, 0, 0x12), gfx_mask, 4,
    field("User Clip Distance Cull Test Enable Bitmask", dw(1, 7, 0),
          &Clip::user_clip_distance_cull_test_enable_bitmask),
    field("Statistics Enable", dw(1, 10), &Clip::statistics_enable),
    field("Force Clip Mode", dw(1, 16), &Clip::force_clip_mode),
    field("Force User Clip Distance Clip Test Enable Bitmask", dw(1, 17),
          &Clip::force_user_clip_distance_clip_test_enable_bitmask),
    field("Early Cull Enable", dw(1, 18), &Clip::early_cull_enable),
    field("Vertex Sub Pixel Precision Select", dw(1, 19), &Clip::vertex_sub_pixel_precision_select),
    field("Force User Clip Distance Cull Test Enable Bitmask", dw(1, 20),
          &Clip::force_user_clip_distance_cull_test_enable_bitmask),
    field("Triangle Fan Provoking Vertex Select", dw(2, 1, 0), &Clip::triangle_fan_provoking_vertex_select),
    field("Line Strip/List Provoking Vertex Select", dw(2, 3, 2), &Clip::line_strip_list_provoking_vertex_select),
    field("Triangle Strip/List Provoking Vertex Select", dw(2, 5, 4),
          &Clip::triangle_strip_list_provoking_vertex_select),
    field("Non-Perspective Barycentric Enable", dw(2, 8), &Clip::non_perspective_barycentric_enable),
    field("Perspective Divide Disable", dw(2, 9), &Clip::perspective_divide_disable),
    field("Clip Mode", dw(2, 15, 13), &Clip::clip_mode),
    field("User Clip Distance Clip Test Enable Bitmask", dw(2, 23, 16),
          &Clip::user_clip_distance_clip_test_enable_bitmask),
    field("Guardband Clip Test Enable", dw(2, 26), &Clip::guardband_clip_test_enable),
    field("Viewport XY Clip Test Enable", dw(2, 28), &Clip::viewport_xy_clip_test_enable),
    field("API Mode", dw(2, 30), &Clip::api_mode), field("Clip Enable", dw(2, 31), &Clip::clip_enable),
    field("Maximum VP Index", dw(3, 3, 0), &Clip::maximum_vp_index),
    field("Force Zero RTA Index Enable", dw(3, 5), &Clip::force_zero_rta_index_enable),
    field("Maximum Point Width", dw(3, 16, 6), &Clip::maximum_point_width),
    field("Minimum Point Width", dw(3, 27, 17), &Clip::minimum_point_width));
inline constexpr auto drawing_rectangle = layout<DrawingRectangle>(
    "3DSTATE_DRAWING_RECTANGLE", gfx(3, 1, 0x00), gfx_mask, 4,
    field("Core Mode Select", dw(0, 15, 14), &DrawingRectangle::core_mode_select),
    field("Clipped Drawing Rectangle X Min", dw(1, 15, 0), &DrawingRectangle::clipped_drawing_rectangle_x_min),
    field("Clipped Drawing Rectangle Y Min", dw(1, 31, 16), &DrawingRectangle::clipped_drawing_rectangle_y_min),
    field("Clipped Drawing Rectangle X Max", dw(2, 15, 0), &DrawingRectangle::clipped_drawing_rectangle_x_max),
    field("Clipped Drawing Rectangle Y Max", dw(2, 31, 16), &DrawingRectangle::clipped_drawing_rectangle_y_max),
    field("Drawing Rectangle Origin X", dw(3, 15, 0), &DrawingRectangle::drawing_rectangle_origin_x),
    field("Drawing Rectangle Origin Y", dw(3, 31, 16), &DrawingRectangle::drawing_rectangle_origin_y));
inline constexpr auto gather_pool_alloc = layout<GatherPoolAlloc>(
    "3DSTATE_GATHER_POOL_ALLOC", gfx(3, 1, 0x1A), gfx_mask, 4, field("MOCS", dw(1, 6, 0), &GatherPoolAlloc::mocs),
    field("Gather Pool Enable", dw(1, 11), &GatherPoolAlloc::gather_pool_enable),
    field("Gather Pool Base Address", address(1, 12, 64), &GatherPoolAlloc::gather_pool_base_address),
    field("Gather Pool Buffer Size", dw(3, 31, 12), &GatherPoolAlloc::gather_pool_buffer_size));
inline constexpr auto hier_depth_buffer =
    layout<HierDepthBuffer>("3DSTATE_HIER_DEPTH_BUFFER", gfx(3, 0, 0x07), gfx_mask, 5,
                            field("Surface Pitch", dw(1, 16, 0), &HierDepthBuffer::surface_pitch),
                            field("MOCS", dw(1, 31, 25), &HierDepthBuffer::mocs),
                            field("Surface Base Address", dw(2, 63, 0), &HierDepthBuffer::surface_base_address),
                            field("Surface QPitch", dw(4, 14, 0), &HierDepthBuffer::surface_qpitch));
inline constexpr auto index_buffer = layout<IndexBuffer>(
    "3DSTATE_INDEX_BUFFER", gfx(3, 0, 0x0A), gfx_mask, 5, field("MOCS", dw(1, 6, 0), &IndexBuffer::mocs),
    field("Index Format", dw(1, 9, 8), &IndexBuffer::index_format),
    field("Buffer Starting Address", dw(2, 63, 0), &IndexBuffer::buffer_starting_address),
    field("Buffer Size", dw(4, 31, 0), &IndexBuffer::buffer_size));
inline constexpr auto line_stipple = layout<LineStipple>(
    "3DSTATE_LINE_STIPPLE", gfx(3, 1, 0x08), gfx_mask, 3,
    field("Line Stipple Pattern", dw(1, 15, 0), &LineStipple::line_stipple_pattern),
    field("Current Stipple Index", dw(1, 19, 16), &LineStipple::current_stipple_index),
    field("Current Repeat Counter", dw(1, 29, 21), &LineStipple::current_repeat_counter),
    field("Modify Enable (Current Repeat Counter, Current Stipple Index)", dw(1, 31), &LineStipple::modify_enable),
    field("Line Stipple Repeat Count", dw(2, 8, 0), &LineStipple::line_stipple_repeat_count),
    field("Line Stipple Inverse Repeat Count", dw(2, 31, 15), &LineStipple::line_stipple_inverse_repeat_count));
inline constexpr auto monofilter_size =
    layout<MonofilterSize>("3DSTATE_MONOFILTER_SIZE", gfx(3, 1, 0x11), gfx_mask, 2,
                           field("Monochrome Filter Height", dw(1, 2, 0), &MonofilterSize::monochrome_filter_height),
                           field("Monochrome Filter Width", dw(1, 5, 3), &MonofilterSize::monochrome_filter_width));
inline constexpr auto multisample =
    layout<Multisample>("3DSTATE_MULTISAMPLE", gfx(3, 0, 0x0D), gfx_mask, 2,
                        field("Number of Multisamples", dw(1, 3, 1), &Multisample::number_of_multisamples),
                        field("Pixel Location", dw(1, 4), &Multisample::pixel_location),
                        field("Pixel Position Offset Enable", dw(1, 5), &Multisample::pixel_position_offset_enable));
inline constexpr auto poly_stipple_offset = layout<PolyStippleOffset>(
    "3DSTATE_POLY_STIPPLE_OFFSET", gfx(3, 1, 0x06), gfx_mask, 2,
    field("Polygon Stipple Y Offset", dw(1, 4, 0), &PolyStippleOffset::polygon_stipple_y_offset),
    field("Polygon Stipple X Offset", dw(1, 12, 8), &PolyStippleOffset::polygon_stipple_x_offset));
inline constexpr auto poly_stipple_pattern =
    layout<PolyStipplePattern>("3DSTATE_POLY_STIPPLE_PATTERN", gfx(3, 1, 0x07), gfx_mask, 33,
                               fields("Pattern Row", dw(1, 31, 0), 32, &PolyStipplePattern::pattern_row));
inline constexpr auto ps_blend =
    layout<PsBlend>("3DSTATE_PS_BLEND", gfx(3, 0, 0x4D), gfx_mask, 2,
                    field("Independent Alpha Blend Enable", dw(1, 7), &PsBlend::independent_alpha_blend_enable),
                    field("Alpha Test Enable", dw(1, 8), &PsBlend::alpha_test_enable),
                    field("Destination Blend Factor", dw(1, 13, 9), &PsBlend::destination_blend_factor),
                    field("Source Blend Factor", dw(1, 18, 14), &PsBlend::source_blend_factor),
                    field("Destination Alpha Blend Factor", dw(1, 23, 19), &PsBlend::destination_alpha_blend_factor),
                    field("Source Alpha Blend Factor", dw(1, 28, 24), &PsBlend::source_alpha_blend_factor),
                    field("Color Buffer Blend Enable", dw(1, 29), &PsBlend::color_buffer_blend_enable),
                    field("Has Writeable RT", dw(1, 30), &PsBlend::has_writeable_rt),
                    field("Alpha To Coverage Enable", dw(1, 31), &PsBlend::alpha_to_coverage_enable));
inline constexpr auto push_constant_alloc_ds = layout<PushConstantAlloc>(
    "3DSTATE_PUSH_CONSTANT_ALLOC_DS", gfx(3, 1, 0x14), gfx_mask, 2,
    field("Constant Buffer Size", dw(1, 5, 0), &PushConstantAlloc::constant_buffer_size),
    field("Constant Buffer Offset", dw(1, 20, 16), &PushConstantAlloc::constant_buffer_offset));
inline constexpr auto push_constant_alloc_gs = layout<PushConstantAlloc>(
    "3DSTATE_PUSH_CONSTANT_ALLOC_GS", gfx(3, 1, 0x15), gfx_mask, 2,
    field("Constant Buffer Size", dw(1, 5, 0), &PushConstantAlloc::constant_buffer_size),
    field("Constant Buffer Offset", dw(1, 20, 16), &PushConstantAlloc::constant_buffer_offset));
inline constexpr auto push_constant_alloc_hs = layout<PushConstantAlloc>(
    "3DSTATE_PUSH_CONSTANT_ALLOC_HS", gfx(3, 1, 0x13), gfx_mask, 2,
    field("Constant Buffer Size", dw(1, 5, 0), &PushConstantAlloc::constant_buffer_size),
    field("Constant Buffer Offset", dw(1, 20, 16), &PushConstantAlloc::constant_buffer_offset));
inline constexpr auto push_constant_alloc_ps = layout<PushConstantAlloc>(
    "3DSTATE_PUSH_CONSTANT_ALLOC_PS", gfx(3, 1, 0x16), gfx_mask, 2,
    field("Constant Buffer Size", dw(1, 5, 0), &PushConstantAlloc::constant_buffer_size),
    field("Constant Buffer Offset", dw(1, 20, 16), &PushConstantAlloc::constant_buffer_offset));
inline constexpr auto push_constant_alloc_vs = layout<PushConstantAlloc>(
    "3DSTATE_PUSH_CONSTANT_ALLOC_VS", gfx(3, 1, 0x12), gfx_mask, 2,
    field("Constant Buffer Size", dw(1, 5, 0), &PushConstantAlloc::constant_buffer_size),
    field("Constant Buffer Offset", dw(1, 20, 16), &PushConstantAlloc::constant_buffer_offset));
inline constexpr auto sampler_state_pointers_ds = layout<SamplerStatePointers>(
    "3DSTATE_SAMPLER_STATE_POINTERS_DS", gfx(3, 0, 0x2D), gfx_mask, 2,
    field("Pointer to DS Sampler State", address(1, 5, 32), &SamplerStatePointers::pointer));
inline constexpr auto sampler_state_pointers_gs = layout<SamplerStatePointers>(
    "3DSTATE_SAMPLER_STATE_POINTERS_GS", gfx(3, 0, 0x2E), gfx_mask, 2,
    field("Pointer to GS Sampler State", address(1, 5, 32), &SamplerStatePointers::pointer));
inline constexpr auto sampler_state_pointers_hs = layout<SamplerStatePointers>(
    "3DSTATE_SAMPLER_STATE_POINTERS_HS", gfx(3, 0, 0x2C), gfx_mask, 2,
    field("Pointer to HS Sampler State", address(1, 5, 32), &SamplerStatePointers::pointer));
inline constexpr auto sampler_state_pointers_ps = layout<SamplerStatePointers>(
    "3DSTATE_SAMPLER_STATE_POINTERS_PS", gfx(3, 0, 0x2F), gfx_mask, 2,
    field("Pointer to PS Sampler State", address(1, 5, 32), &SamplerStatePointers::pointer));
inline constexpr auto sampler_state_pointers_vs = layout<SamplerStatePointers>(
    "3DSTATE_SAMPLER_STATE_POINTERS_VS", gfx(3, 0, 0x2B), gfx_mask, 2,
    field("Pointer to VS Sampler State", address(1, 5, 32), &SamplerStatePointers::pointer));
inline constexpr auto sample_mask = layout<SampleMask>("3DSTATE_SAMPLE_MASK", gfx(3, 0, 0x18), gfx_mask, 2,
                                                       field("Sample Mask", dw(1, 15, 0), &SampleMask::sample_mask));
inline constexpr auto sbe_swiz = layout<SbeSwiz>(
    "3DSTATE_SBE_SWIZ", gfx(3, 0, 0x51), gfx_mask, 11,
    fields("Source Attribute", dw(1, 4, 0), 16, &SbeSwiz::source_attribute),
    fields("Swizzle Select", dw(1, 7, 6), 16, &SbeSwiz::swizzle_select),
    fields("Constant Source", dw(1, 10, 9), 16, &SbeSwiz::constant_source),
    fields("Swizzle Control Mode", dw(1, 11), 16, &SbeSwiz::swizzle_control_mode),
    fields("Component Override X", dw(1, 12), 16, &SbeSwiz::component_override_x),
    fields("Component Override Y", dw(1, 13), 16, &SbeSwiz::component_override_y),
    fields("Component Override Z", dw(1, 14), 16, &SbeSwiz::component_override_z),
    fields("Component Override W", dw(1, 15), 16, &SbeSwiz::component_override_w),
    fields("Attribute Wrap Shortest Enables", dw(9, 3, 0), 4, &SbeSwiz::attribute_wrap_shortest_enables));
inline constexpr auto scissor_state_pointers = layout<ScissorStatePointers>(
    "3DSTATE_SCISSOR_STATE_POINTERS", gfx(3, 0, 0x0F), gfx_mask, 2,
    field("Scissor Rect Pointer", address(1, 5, 32), &ScissorStatePointers::scissor_rect_pointer));
inline constexpr auto so_buffer = layout<SoBuffer>(
    "3DSTATE_SO_BUFFER", gfx(3, 1, 0x18), gfx_mask, 8,
    field("Stream Output Buffer Offset Address Enable", dw(1, 20),
          &SoBuffer::stream_output_buffer_offset_address_enable),
    field("Stream Offset Write Enable", dw(1, 21), &SoBuffer::stream_offset_write_enable),
    field("MOCS", dw(1, 28, 22), &SoBuffer::mocs), field("SO Buffer Index", dw(1, 30, 29), &SoBuffer::so_buffer_index),
    field("SO Buffer Enable", dw(1, 31), &SoBuffer::so_buffer_enable),
    field("Surface Base Address", address(2, 2, 48), &SoBuffer::surface_base_address),
    field("Surface Size", dw(4, 29, 0), &SoBuffer::surface_size),
    field("Stream Output Buffer Offset Address", address(5, 2, 48), &SoBuffer::stream_output_buffer_offset_address),
    field("Stream Offset", dw(7, 31, 0), &SoBuffer::stream_offset));
inline constexpr auto stencil_buffer =
    layout<StencilBuffer>("3DSTATE_STENCIL_BUFFER", gfx(3, 0, 0x06), gfx_mask, 5,
                          field("Surface Pitch", dw(1, 16, 0), &StencilBuffer::surface_pitch),
                          field("MOCS", dw(1, 28, 22), &StencilBuffer::mocs),
                          field("Stencil Buffer Enable", dw(1, 31), &StencilBuffer::stencil_buffer_enable),
                          field("Surface Base Address", dw(2, 63, 0), &StencilBuffer::surface_base_address),
                          field("Surface QPitch", dw(4, 14, 0), &StencilBuffer::surface_qpitch));
inline constexpr auto streamout =
    layout<Streamout>("3DSTATE_STREAMOUT", gfx(3, 0, 0x1E), gfx_mask, 5,
                      field("Force Rendering", dw(1, 24, 23), &Streamout::force_rendering),
                      field("SO Statistics Enable", dw(1, 25), &Streamout::so_statistics_enable),
                      field("Reorder Mode", dw(1, 26), &Streamout::reorder_mode),
                      field("Render Stream Select", dw(1, 28, 27), &Streamout::render_stream_select),
                      field("Rendering Disable", dw(1, 30), &Streamout::rendering_disable),
                      field("SO Function Enable", dw(1, 31), &Streamout::so_function_enable),
                      fields("Stream Vertex Read Length", dw(2, 4, 0), 8, &Streamout::stream_vertex_read_length),
                      fields("Stream Vertex Read Offset", dw(2, 5), 8, &Streamout::stream_vertex_read_offset),
                      fields("Buffer Surface Pitch", dw(3, 11, 0), 16, &Streamout::buffer_surface_pitch));
inline constexpr auto te =
    layout<Te>("3DSTATE_TE", gfx(3, 0, 0x1C), gfx_mask, 4, field("TE Enable", dw(1, 0), &Te::te_enable),
               field("TE Mode", dw(1, 2, 1), &Te::te_mode), field("TE Domain", dw(1, 5, 4), &Te::te_domain),
               field("Output Topology", dw(1, 9, 8), &Te::output_topology),
               field("Partitioning", dw(1, 13, 12), &Te::partitioning),
               field("Maximum Tessellation Factor Odd", dw(2, 31, 0), &Te::maximum_tessellation_factor_odd),
               field("Maximum Tessellation Factor Not Odd", dw(3, 31, 0), &Te::maximum_tessellation_factor_not_odd));
inline constexpr auto urb_ds =
    layout<Urb>("3DSTATE_URB_DS", gfx(3, 0, 0x32), gfx_mask, 2,
                field("DS Number of URB Entries", dw(1, 15, 0), &Urb::number_of_urb_entries),
                field("DS URB Entry Allocation Size", dw(1, 24, 16), &Urb::urb_entry_allocation_size),
                field("DS URB Starting Address", dw(1, 31, 25), &Urb::urb_starting_address));
inline constexpr auto urb_gs =
    layout<Urb>("3DSTATE_URB_GS", gfx(3, 0, 0x33), gfx_mask, 2,
                field("GS Number of URB Entries", dw(1, 15, 0), &Urb::number_of_urb_entries),
                field("GS URB Entry Allocation Size", dw(1, 24, 16), &Urb::urb_entry_allocation_size),
                field("GS URB Starting Address", dw(1, 31, 25), &Urb::urb_starting_address));
inline constexpr auto urb_hs =
    layout<Urb>("3DSTATE_URB_HS", gfx(3, 0, 0x31), gfx_mask, 2,
                field("HS Number of URB Entries", dw(1, 15, 0), &Urb::number_of_urb_entries),
                field("HS URB Entry Allocation Size", dw(1, 24, 16), &Urb::urb_entry_allocation_size),
                field("HS URB Starting Address", dw(1, 31, 25), &Urb::urb_starting_address));
inline constexpr auto urb_vs =
    layout<Urb>("3DSTATE_URB_VS", gfx(3, 0, 0x30), gfx_mask, 2,
                field("VS Number of URB Entries", dw(1, 15, 0), &Urb::number_of_urb_entries),
                field("VS URB Entry Allocation Size", dw(1, 24, 16), &Urb::urb_entry_allocation_size),
                field("VS URB Starting Address", dw(1, 31, 25), &Urb::urb_starting_address));
inline constexpr auto vertex_buffers = layout<VertexBuffers>("3DSTATE_VERTEX_BUFFERS", gfx(3, 0, 0x08), gfx_mask, 1);
inline constexpr auto vertex_elements = layout<VertexElements>("3DSTATE_VERTEX_ELEMENTS", gfx(3, 0, 0x09), gfx_mask, 1);
inline constexpr auto vf_instancing =
    layout<VfInstancing>("3DSTATE_VF_INSTANCING", gfx(3, 0, 0x49), gfx_mask, 3,
                         field("Vertex Element Index", dw(1, 5, 0), &VfInstancing::vertex_element_index),
                         field("Instancing Enable", dw(1, 8), &VfInstancing::instancing_enable),
                         field("Instance Data Step Rate", dw(2, 31, 0), &VfInstancing::instance_data_step_rate));
inline constexpr auto vf_sgvs =
    layout<VfSgvs>("3DSTATE_VF_SGVS", gfx(3, 0, 0x4A), gfx_mask, 2,
                   field("VertexID Element Offset", dw(1, 5, 0), &VfSgvs::vertexid_element_offset),
                   field("VertexID Component Number", dw(1, 14, 13), &VfSgvs::vertexid_component_number),
                   field("VertexID Enable", dw(1, 15), &VfSgvs::vertexid_enable),
                   field("InstanceID Element Offset", dw(1, 21, 16), &VfSgvs::instanceid_element_offset),
                   field("InstanceID Component Number", dw(1, 30, 29), &VfSgvs::instanceid_component_number),
                   field("InstanceID Enable", dw(1, 31), &VfSgvs::instanceid_enable));
inline constexpr auto vf_statistics =
    layout<VfStatistics>("3DSTATE_VF_STATISTICS", gfx(1, 0, 0x0B), gfx_mask, 1,
                         field("Statistics Enable", dw(0, 0), &VfStatistics::statistics_enable));
inline constexpr auto vf_topology =
    layout<VfTopology>("3DSTATE_VF_TOPOLOGY", gfx(3, 0, 0x4B), gfx_mask, 2,
                       field("Primitive Topology Type", dw(1, 5, 0), &VfTopology::primitive_topology_type));
inline constexpr auto viewport_state_pointers_cc = layout<ViewportStatePointersCc>(
    "3DSTATE_VIEWPORT_STATE_POINTERS_CC", gfx(3, 0, 0x23), gfx_mask, 2,
    field("CC Viewport Pointer", address(1, 5, 32), &ViewportStatePointersCc::cc_viewport_pointer));
inline constexpr auto viewport_state_pointers_sf_clip = layout<ViewportStatePointersSfClip>(
    "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", gfx(3, 0, 0x21), gfx_mask, 2,
    field("SF Clip Viewport Pointer", address(1, 6, 32), &ViewportStatePointersSfClip::sf_clip_viewport_pointer));
inline constexpr auto vs = layout<Vs>(
    "3DSTATE_VS", gfx(3, 0, 0x10), gfx_mask, 9,
    field("Kernel Start Pointer", address(1, 6, 64), &Vs::kernel_start_pointer),
    field("Software Exception Enable", dw(3, 7), &Vs::software_exception_enable),
    field("Accesses UAV", dw(3, 12), &Vs::accesses_uav),
    field("Illegal Opcode Exception Enable", dw(3, 13), &Vs::illegal_opcode_exception_enable),
    field("Floating Point Mode", dw(3, 16), &Vs::floating_point_mode),
    field("Thread Dispatch Priority", dw(3, 17), &Vs::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(3, 25, 18), &Vs::binding_table_entry_count),
    field("Sampler Count", dw(3, 29, 27), &Vs::sampler_count),
    field("Vector Mask Enable", dw(3, 30), &Vs::vector_mask_enable),
    field("Single Vertex Dispatch", dw(3, 31), &Vs::single_vertex_dispatch),
    field("Per-Thread Scratch Space", dw(4, 3, 0), &Vs::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(4, 10, 64), &Vs::scratch_space_base_pointer),
    field("Vertex URB Entry Read Offset", dw(6, 9, 4), &Vs::vertex_urb_entry_read_offset),
    field("Vertex URB Entry Read Length", dw(6, 16, 11), &Vs::vertex_urb_entry_read_length),
    field("Dispatch GRF Start Register For URB Data", dw(6, 24, 20), &Vs::dispatch_grf_start_register_for_urb_data),
    field("Enable", dw(7, 0), &Vs::enable), field("Vertex Cache Disable", dw(7, 1), &Vs::vertex_cache_disable),
    field("SIMD8 Dispatch Enable", dw(7, 2), &Vs::simd8_dispatch_enable),
    field("Statistics Enable", dw(7, 10), &Vs::statistics_enable),
    field("Maximum Number of Threads", dw(7, 31, 23), &Vs::maximum_number_of_threads),
    field("User Clip Distance Cull Test Enable Bitmask", dw(8, 7, 0), &Vs::user_clip_distance_cull_test_enable_bitmask),
    field("User Clip Distance Clip Test Enable Bitmask", dw(8, 15, 8),
          &Vs::user_clip_distance_clip_test_enable_bitmask),
    field("Vertex URB Entry Output Length", dw(8, 20, 16), &Vs::vertex_urb_entry_output_length),
    field("Vertex URB Entry Output Read Offset", dw(8, 26, 21), &Vs::vertex_urb_entry_output_read_offset));
inline constexpr auto wm = layout<Wm>(
    "3DSTATE_WM", gfx(3, 0, 0x14), gfx_mask, 2,
    field("Force Kill Pixel Enable", dw(1, 1, 0), &Wm::force_kill_pixel_enable),
    field("Point Rasterization Rule", dw(1, 2), &Wm::point_rasterization_rule),
    field("Line Stipple Enable", dw(1, 3), &Wm::line_stipple_enable),
    field("Polygon Stipple Enable", dw(1, 4), &Wm::polygon_stipple_enable),
    field("Line Antialiasing Region Width", dw(1, 7, 6), &Wm::line_antialiasing_region_width),
    field("Line End Cap Antialiasing Region Width", dw(1, 9, 8), &Wm::line_end_cap_antialiasing_region_width),
    field("Barycentric Interpolation Mode", dw(1, 16, 11), &Wm::barycentric_interpolation_mode),
    field("Position ZW Interpolation Mode", dw(1, 18, 17), &Wm::position_zw_interpolation_mode),
    field("Force Thread Dispatch Enable", dw(1, 20, 19), &Wm::force_thread_dispatch_enable),
    field("Early Depth/Stencil Control", dw(1, 22, 21), &Wm::early_depth_stencil_control),
    field("Legacy Diamond Line Rasterization", dw(1, 26), &Wm::legacy_diamond_line_rasterization),
    field("Legacy Hierarchical Depth Buffer Resolve Enable", dw(1, 27),
          &Wm::legacy_hierarchical_depth_buffer_resolve_enable),
    field("Legacy Depth Buffer Resolve Enable", dw(1, 28), &Wm::legacy_depth_buffer_resolve_enable),
    field("Legacy Depth Buffer Clear Enable", dw(1, 30), &Wm::legacy_depth_buffer_clear_enable),
    field("Statistics Enable", dw(1, 31), &Wm::statistics_enable));
inline constexpr auto wm_chromakey =
    layout<WmChromakey>("3DSTATE_WM_CHROMAKEY", gfx(3, 0, 0x4C), gfx_mask, 2,
                        field("ChromaKey Kill Enable", dw(1, 31), &WmChromakey::chromakey_kill_enable));
inline constexpr auto wm_hz_op = layout<WmHzOp>(
    "3DSTATE_WM_HZ_OP", gfx(3, 0, 0x52), gfx_mask, 5,
    field("Number of Multisamples", dw(1, 15, 13), &WmHzOp::number_of_multisamples),
    field("Stencil Clear Value", dw(1, 23, 16), &WmHzOp::stencil_clear_value),
    field("Full Surface Depth and Stencil Clear", dw(1, 25), &WmHzOp::full_surface_depth_and_stencil_clear),
    field("Pixel Position Offset Enable", dw(1, 26), &WmHzOp::pixel_position_offset_enable),
    field("Hierarchical Depth Buffer Resolve Enable", dw(1, 27), &WmHzOp::hierarchical_depth_buffer_resolve_enable),
    field("Depth Buffer Resolve Enable", dw(1, 28), &WmHzOp::depth_buffer_resolve_enable),
    field("Scissor Rectangle Enable", dw(1, 29), &WmHzOp::scissor_rectangle_enable),
    field("Depth Buffer Clear Enable", dw(1, 30), &WmHzOp::depth_buffer_clear_enable),
    field("Stencil Buffer Clear Enable", dw(1, 31), &WmHzOp::stencil_buffer_clear_enable),
    field("Clear Rectangle X Min", dw(2, 15, 0), &WmHzOp::clear_rectangle_x_min),
    field("Clear Rectangle Y Min", dw(2, 31, 16), &WmHzOp::clear_rectangle_y_min),
    field("Clear Rectangle X Max", dw(3, 15, 0), &WmHzOp::clear_rectangle_x_max),
    field("Clear Rectangle Y Max", dw(3, 31, 16), &WmHzOp::clear_rectangle_y_max),
    field("Sample Mask", dw(4, 15, 0), &WmHzOp::sample_mask));
inline constexpr auto so_decl_list =
    layout<SoDeclList>("3DSTATE_SO_DECL_LIST", gfx(3, 1, 0x17), gfx_mask, 3,
                       fields("Stream to Buffer Selects", dw(1, 3, 0), 4, &SoDeclList::buffer_selects),
                       fields("Num Entries", dw(2, 7, 0), 8, &SoDeclList::entries));
inline constexpr auto sampler_palette_load0 =
    layout<SamplerPaletteLoad>("3DSTATE_SAMPLER_PALETTE_LOAD0", gfx(3, 1, 0x02), gfx_mask, 1);
inline constexpr auto sampler_palette_load1 =
    layout<SamplerPaletteLoad>("3DSTATE_SAMPLER_PALETTE_LOAD1", gfx(3, 1, 0x0C), gfx_mask, 1);
inline constexpr auto vertex_buffer_state = object_layout<VertexBufferState>(
    "VERTEX_BUFFER_STATE", 4, field("Buffer Pitch", dw(0, 11, 0), &VertexBufferState::buffer_pitch),
    field("Null Vertex Buffer", dw(0, 13), &VertexBufferState::null_vertex_buffer),
    field("Address Modify Enable", dw(0, 14), &VertexBufferState::address_modify_enable),
    field("MOCS", dw(0, 22, 16), &VertexBufferState::mocs),
    field("Vertex Buffer Index", dw(0, 31, 26), &VertexBufferState::vertex_buffer_index),
    field("Buffer Starting Address", dw(1, 63, 0), &VertexBufferState::buffer_starting_address),
    field("Buffer Size", dw(3, 31, 0), &VertexBufferState::buffer_size));
inline constexpr auto vertex_element_state = object_layout<VertexElementState>(
    "VERTEX_ELEMENT_STATE", 2, field("Source Element Offset", dw(0, 11, 0), &VertexElementState::source_element_offset),
    field("Edge Flag Enable", dw(0, 15), &VertexElementState::edge_flag_enable),
    field("Source Element Format", dw(0, 24, 16), &VertexElementState::source_element_format),
    field("Valid", dw(0, 25), &VertexElementState::valid),
    field("Vertex Buffer Index", dw(0, 31, 26), &VertexElementState::vertex_buffer_index),
    field("Component 3 Control", dw(1, 18, 16), &VertexElementState::component_3_control),
    field("Component 2 Control", dw(1, 22, 20), &VertexElementState::component_2_control),
    field("Component 1 Control", dw(1, 26, 24), &VertexElementState::component_1_control),
    field("Component 0 Control", dw(1, 30, 28), &VertexElementState::component_0_control));
inline constexpr auto so_decl = object_layout<SoDecl>(
    "SO_DECL", 1, field("Component Mask", dw(0, 3, 0), &SoDecl::component_mask),
    field("Register Index", dw(0, 9, 4), &SoDecl::register_index), field("Hole Flag", dw(0, 11), &SoDecl::hole_flag),
    field("Output Buffer Slot", dw(0, 13, 12), &SoDecl::output_buffer_slot));
inline constexpr auto binding_table_edit_entry = object_layout<BindingTableEditEntry>(
    "BINDING_TABLE_EDIT_ENTRY", 1,
    field("Surface State Pointer", dw(0, 15, 0), &BindingTableEditEntry::surface_state_pointer),
    field("Binding Table Index", dw(0, 23, 16), &BindingTableEditEntry::binding_table_index));
inline constexpr auto gather_constant_entry = object_layout<GatherConstantEntry>(
    "GATHER_CONSTANT_ENTRY", 1,
    field("Binding Table Index Offset", dw(0, 3, 0), &GatherConstantEntry::binding_table_index_offset),
    field("Channel Mask", dw(0, 7, 4), &GatherConstantEntry::channel_mask),
    field("Constant Buffer Offset", address(0, 8, 16), &GatherConstantEntry::constant_buffer_offset));
}  // namespace every

namespace gen8 {
inline constexpr auto constant_ds = layout<Constant>("3DSTATE_CONSTANT_DS", gfx(3, 0, 0x1A), gfx_mask, 11,
                                                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                                                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_gs = layout<Constant>("3DSTATE_CONSTANT_GS", gfx(3, 0, 0x16), gfx_mask, 11,
                                                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                                                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_hs = layout<Constant>("3DSTATE_CONSTANT_HS", gfx(3, 0, 0x19), gfx_mask, 11,
                                                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                                                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_ps = layout<Constant>("3DSTATE_CONSTANT_PS", gfx(3, 0, 0x17), gfx_mask, 11,
                                                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                                                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_vs = layout<Constant>("3DSTATE_CONSTANT_VS", gfx(3, 0, 0x15), gfx_mask, 11,
                                                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                                                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto depth_buffer = layout<DepthBuffer>(
    "3DSTATE_DEPTH_BUFFER", gfx(3, 0, 0x05), gfx_mask, 8,
    field("Surface Pitch", dw(1, 17, 0), &DepthBuffer::surface_pitch),
    field("Surface Format", dw(1, 20, 18), &DepthBuffer::surface_format),
    field("Hierarchical Depth Buffer Enable", dw(1, 22), &DepthBuffer::hierarchical_depth_buffer_enable),
    field("Stencil Write Enable", dw(1, 27), &DepthBuffer::stencil_write_enable),
    field("Depth Write Enable", dw(1, 28), &DepthBuffer::depth_write_enable),
    field("Surface Type", dw(1, 31, 29), &DepthBuffer::surface_type),
    field("Surface Base Address", dw(2, 63, 0), &DepthBuffer::surface_base_address),
    field("LOD", dw(4, 3, 0), &DepthBuffer::lod), field("Width", dw(4, 17, 4), &DepthBuffer::width),
    field("Height", dw(4, 31, 18), &DepthBuffer::height), field("MOCS", dw(5, 6, 0), &DepthBuffer::mocs),
    field("Minimum Array Element", dw(5, 20, 10), &DepthBuffer::minimum_array_element),
    field("Depth", dw(5, 31, 21), &DepthBuffer::depth),
    field("Surface QPitch", dw(7, 14, 0), &DepthBuffer::surface_qpitch),
    field("Render Target View Extent", dw(7, 31, 21), &DepthBuffer::render_target_view_extent));
inline constexpr auto ds = layout<Ds>(
    "3DSTATE_DS", gfx(3, 0, 0x1D), gfx_mask, 9,
    field("Kernel Start Pointer", address(1, 6, 64), &Ds::kernel_start_pointer),
    field("Software Exception Enable", dw(3, 7), &Ds::software_exception_enable),
    field("Illegal Opcode Exception Enable", dw(3, 13), &Ds::illegal_opcode_exception_enable),
    field("Accesses UAV", dw(3, 14), &Ds::accesses_uav),
    field("Floating Point Mode", dw(3, 16), &Ds::floating_point_mode),
    field("Thread Dispatch Priority", dw(3, 17), &Ds::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(3, 25, 18), &Ds::binding_table_entry_count),
    field("Sampler Count", dw(3, 29, 27), &Ds::sampler_count),
    field("Vector Mask Enable", dw(3, 30), &Ds::vector_mask_enable),
    field("Single Domain Point Dispatch", dw(3, 31), &Ds::single_domain_point_dispatch),
    field("Per-Thread Scratch Space", dw(4, 3, 0), &Ds::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(4, 10, 64), &Ds::scratch_space_base_pointer),
    field("Patch URB Entry Read Offset", dw(6, 9, 4), &Ds::patch_urb_entry_read_offset),
    field("Patch URB Entry Read Length", dw(6, 17, 11), &Ds::patch_urb_entry_read_length),
    field("Dispatch GRF Start Register For URB Data", dw(6, 24, 20), &Ds::dispatch_grf_start_register_for_urb_data),
    field("Enable", dw(7, 0), &Ds::enable), field("Cache Disable", dw(7, 1), &Ds::cache_disable),
    field("Compute W Coordinate Enable", dw(7, 2), &Ds::compute_w_coordinate_enable),
    field("Dispatch Mode", dw(7, 3), &Ds::dispatch_mode), field("Statistics Enable", dw(7, 10), &Ds::statistics_enable),
    field("Maximum Number of Threads", dw(7, 29, 21), &Ds::maximum_number_of_threads),
    field("User Clip Distance Cull Test Enable Bitmask", dw(8, 7, 0), &Ds::user_clip_distance_cull_test_enable_bitmask),
    field("User Clip Distance Clip Test Enable Bitmask", dw(8, 15, 8),
          &Ds::user_clip_distance_clip_test_enable_bitmask),
    field("Vertex URB Entry Output Length", dw(8, 20, 16), &Ds::vertex_urb_entry_output_length),
    field("Vertex URB Entry Output Read Offset", dw(8, 26, 21), &Ds::vertex_urb_entry_output_read_offset));
inline constexpr auto gather_constant_ds = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_DS", gfx(3, 0, 0x37), gfx_mask, 3,
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_gs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_GS", gfx(3, 0, 0x35), gfx_mask, 3,
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_hs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_HS", gfx(3, 0, 0x36), gfx_mask, 3,
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_ps = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_PS", gfx(3, 0, 0x38), gfx_mask, 3,
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("Constant Buffer Dx9 Enable", dw(2, 4), &GatherConstant::constant_buffer_dx9_enable),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_vs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_VS", gfx(3, 0, 0x34), gfx_mask, 3,
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("Constant Buffer Dx9 Enable", dw(2, 4), &GatherConstant::constant_buffer_dx9_enable),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gs = layout<Gs>(
    "3DSTATE_GS", gfx(3, 0, 0x11), gfx_mask, 10,
    field("Kernel Start Pointer", address(1, 6, 64), &Gs::kernel_start_pointer),
    field("Expected Vertex Count", dw(3, 5, 0), &Gs::expected_vertex_count),
    field("Software Exception Enable", dw(3, 7), &Gs::software_exception_enable),
    field("Mask Stack Exception Enable", dw(3, 11), &Gs::mask_stack_exception_enable),
    field("Accesses UAV", dw(3, 12), &Gs::accesses_uav),
    field("Illegal Opcode Exception Enable", dw(3, 13), &Gs::illegal_opcode_exception_enable),
    field("Floating Point Mode", dw(3, 16), &Gs::floating_point_mode),
    field("Thread Dispatch Priority", dw(3, 17), &Gs::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(3, 25, 18), &Gs::binding_table_entry_count),
    field("Sampler Count", dw(3, 29, 27), &Gs::sampler_count),
    field("Vector Mask Enable", dw(3, 30), &Gs::vector_mask_enable),
    field("Single Program Flow", dw(3, 31), &Gs::single_program_flow),
    field("Per-Thread Scratch Space", dw(4, 3, 0), &Gs::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(4, 10, 64), &Gs::scratch_space_base_pointer),
    field("Dispatch GRF Start Register For URB Data", dw(6, 3, 0), &Gs::dispatch_grf_start_register_for_urb_data),
    field("Vertex URB Entry Read Offset", dw(6, 9, 4), &Gs::vertex_urb_entry_read_offset),
    field("Include Vertex Handles", dw(6, 10), &Gs::include_vertex_handles),
    field("Vertex URB Entry Read Length", dw(6, 16, 11), &Gs::vertex_urb_entry_read_length),
    field("Output Topology", dw(6, 22, 17), &Gs::output_topology),
    field("Output Vertex Size", dw(6, 28, 23), &Gs::output_vertex_size), field("Enable", dw(7, 0), &Gs::enable),
    field("Discard Adjacency", dw(7, 1), &Gs::discard_adjacency), field("Reorder Mode", dw(7, 2), &Gs::reorder_mode),
    field("Hint", dw(7, 3), &Gs::hint), field("Include Primitive ID", dw(7, 4), &Gs::include_primitive_id),
    field("Invocations Increment Value", dw(7, 9, 5), &Gs::invocations_increment_value),
    field("Statistics Enable", dw(7, 10), &Gs::statistics_enable),
    field("Dispatch Mode", dw(7, 12, 11), &Gs::dispatch_mode),
    field("Default Stream Id", dw(7, 14, 13), &Gs::default_stream_id),
    field("Instance Control", dw(7, 19, 15), &Gs::instance_control),
    field("Control Data Header Size", dw(7, 23, 20), &Gs::control_data_header_size),
    field("Maximum Number of Threads", dw(7, 31, 24), &Gs::maximum_number_of_threads),
    field("Static Output Vertex Count", dw(8, 26, 16), &Gs::static_output_vertex_count),
    field("Static Output", dw(8, 30), &Gs::static_output),
    field("Control Data Format", dw(8, 31), &Gs::control_data_format),
    field("User Clip Distance Cull Test Enable Bitmask", dw(9, 7, 0), &Gs::user_clip_distance_cull_test_enable_bitmask),
    field("User Clip Distance Clip Test Enable Bitmask", dw(9, 15, 8),
          &Gs::user_clip_distance_clip_test_enable_bitmask),
    field("Vertex URB Entry Output Length", dw(9, 20, 16), &Gs::vertex_urb_entry_output_length),
    field("Vertex URB Entry Output Read Offset", dw(9, 26, 21), &Gs::vertex_urb_entry_output_read_offset));
inline constexpr auto hs = layout<Hs>(
    "3DSTATE_HS", gfx(3, 0, 0x1B), gfx_mask, 9,
    field("Software Exception Enable", dw(1, 12), &Hs::software_exception_enable),
    field("Illegal Opcode Exception Enable", dw(1, 13), &Hs::illegal_opcode_exception_enable),
    field("Floating Point Mode", dw(1, 16), &Hs::floating_point_mode),
    field("Thread Dispatch Priority", dw(1, 17), &Hs::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(1, 25, 18), &Hs::binding_table_entry_count),
    field("Sampler Count", dw(1, 29, 27), &Hs::sampler_count),
    field("Instance Count", dw(2, 3, 0), &Hs::instance_count),
    field("Maximum Number of Threads", dw(2, 16, 8), &Hs::maximum_number_of_threads),
    field("Statistics Enable", dw(2, 29), &Hs::statistics_enable), field("Enable", dw(2, 31), &Hs::enable),
    field("Kernel Start Pointer", address(3, 6, 64), &Hs::kernel_start_pointer),
    field("Per-Thread Scratch Space", dw(5, 3, 0), &Hs::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(5, 10, 64), &Hs::scratch_space_base_pointer),
    field("Vertex URB Entry Read Offset", dw(7, 9, 4), &Hs::vertex_urb_entry_read_offset),
    field("Vertex URB Entry Read Length", dw(7, 16, 11), &Hs::vertex_urb_entry_read_length),
    field("Dispatch GRF Start Register For URB Data", dw(7, 23, 19), &Hs::dispatch_grf_start_register_for_urb_data),
    field("Include Vertex Handles", dw(7, 24), &Hs::include_vertex_handles),
    field("Accesses UAV", dw(7, 25), &Hs::accesses_uav),
    field("Vector Mask Enable", dw(7, 26), &Hs::vector_mask_enable),
    field("Single Program Flow", dw(7, 27), &Hs::single_program_flow));
inline constexpr auto ps =
    layout<Ps>("3DSTATE_PS", gfx(3, 0, 0x20), gfx_mask, 12,
               field("Kernel Start Pointer 0", address(1, 6, 64), &Ps::kernel_start_pointer_0),
               field("Software Exception Enable", dw(3, 7), &Ps::software_exception_enable),
               field("Mask Stack Exception Enable", dw(3, 11), &Ps::mask_stack_exception_enable),
               field("Illegal Opcode Exception Enable", dw(3, 13), &Ps::illegal_opcode_exception_enable),
               field("Rounding Mode", dw(3, 15, 14), &Ps::rounding_mode),
               field("Floating Point Mode", dw(3, 16), &Ps::floating_point_mode),
               field("Thread Dispatch Priority", dw(3, 17), &Ps::thread_dispatch_priority),
               field("Binding Table Entry Count", dw(3, 25, 18), &Ps::binding_table_entry_count),
               field("Single Precision Denormal Mode", dw(3, 26), &Ps::single_precision_denormal_mode),
               field("Sampler Count", dw(3, 29, 27), &Ps::sampler_count),
               field("Vector Mask Enable", dw(3, 30), &Ps::vector_mask_enable),
               field("Single Program Flow", dw(3, 31), &Ps::single_program_flow),
               field("Per Thread Scratch Space", dw(4, 3, 0), &Ps::per_thread_scratch_space),
               field("Scratch Space Base Pointer", address(4, 10, 64), &Ps::scratch_space_base_pointer),
               field("8 Pixel Dispatch Enable", dw(6, 0), &Ps::dispatch_8),
               field("16 Pixel Dispatch Enable", dw(6, 1), &Ps::dispatch_16),
               field("32 Pixel Dispatch Enable", dw(6, 2), &Ps::dispatch_32),
               field("Position XY Offset Select", dw(6, 4, 3), &Ps::position_xy_offset_select),
               field("Render Target Resolve Enable", dw(6, 6), &Ps::render_target_resolve_enable),
               field("Render Target Fast Clear Enable", dw(6, 8), &Ps::render_target_fast_clear_enable),
               field("Push Constant Enable", dw(6, 11), &Ps::push_constant_enable),
               field("Maximum Number of Threads Per PSD", dw(6, 31, 23), &Ps::maximum_number_of_threads_per_psd),
               field("Dispatch GRF Start Register For Constant/Setup Data 2", dw(7, 6, 0),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_2),
               field("Dispatch GRF Start Register For Constant/Setup Data 1", dw(7, 14, 8),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_1),
               field("Dispatch GRF Start Register For Constant/Setup Data 0", dw(7, 22, 16),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_0),
               field("Kernel Start Pointer 1", address(8, 6, 64), &Ps::kernel_start_pointer_1),
               field("Kernel Start Pointer 2", address(10, 6, 64), &Ps::kernel_start_pointer_2));
inline constexpr auto ps_extra = layout<PsExtra>(
    "3DSTATE_PS_EXTRA", gfx(3, 0, 0x4F), gfx_mask, 2,
    field("Pixel Shader Uses Input Coverage Mask", dw(1, 1), &PsExtra::pixel_shader_uses_input_coverage_mask),
    field("Pixel Shader Has UAV", dw(1, 2), &PsExtra::pixel_shader_has_uav),
    field("Pixel Shader Is Per Sample", dw(1, 6), &PsExtra::pixel_shader_is_per_sample),
    field("Pixel Shader Disables Alpha To Coverage", dw(1, 7), &PsExtra::pixel_shader_disables_alpha_to_coverage),
    field("Attribute Enable", dw(1, 8), &PsExtra::attribute_enable),
    field("Pixel Shader Uses Source W", dw(1, 23), &PsExtra::pixel_shader_uses_source_w),
    field("Pixel Shader Uses Source Depth", dw(1, 24), &PsExtra::pixel_shader_uses_source_depth),
    field("Force Computed Depth", dw(1, 25), &PsExtra::force_computed_depth),
    field("Pixel Shader Computed Depth Mode", dw(1, 27, 26), &PsExtra::pixel_shader_computed_depth_mode),
    field("Pixel Shader Kills Pixel", dw(1, 28), &PsExtra::pixel_shader_kills_pixel),
    field("oMask Present to Render Target", dw(1, 29), &PsExtra::omask_present_to_render_target),
    field("Pixel Shader Does not write to RT", dw(1, 30), &PsExtra::pixel_shader_does_not_write_to_rt),
    field("Pixel Shader Valid", dw(1, 31), &PsExtra::pixel_shader_valid));
inline constexpr auto raster = layout<Raster>(
    "3DSTATE_RASTER", gfx(3, 0, 0x50), gfx_mask, 5,
    field("Viewport Z Clip Test Enable", dw(1, 0), &Raster::viewport_z_clip_test_enable),
    field("Scissor Rectangle Enable", dw(1, 1), &Raster::scissor_rectangle_enable),
    field("Antialiasing Enable", dw(1, 2), &Raster::antialiasing_enable),
    field("Back Face Fill Mode", dw(1, 4, 3), &Raster::back_face_fill_mode),
    field("Front Face Fill Mode", dw(1, 6, 5), &Raster::front_face_fill_mode),
    field("Global Depth Offset Enable Point", dw(1, 7), &Raster::global_depth_offset_enable_point),
    field("Global Depth Offset Enable Wireframe", dw(1, 8), &Raster::global_depth_offset_enable_wireframe),
    field("Global Depth Offset Enable Solid", dw(1, 9), &Raster::global_depth_offset_enable_solid),
    field("DX Multisample Rasterization Mode", dw(1, 11, 10), &Raster::dx_multisample_rasterization_mode),
    field("DX Multisample Rasterization Enable", dw(1, 12), &Raster::dx_multisample_rasterization_enable),
    field("Smooth Point Enable", dw(1, 13), &Raster::smooth_point_enable),
    field("Force Multisampling", dw(1, 14), &Raster::force_multisampling),
    field("Cull Mode", dw(1, 17, 16), &Raster::cull_mode),
    field("Forced Sample Count", dw(1, 20, 18), &Raster::forced_sample_count),
    field("Front Winding", dw(1, 21), &Raster::front_winding), field("API Mode", dw(1, 23, 22), &Raster::api_mode),
    field("Global Depth Offset Constant", dw(2, 31, 0), &Raster::global_depth_offset_constant),
    field("Global Depth Offset Scale", dw(3, 31, 0), &Raster::global_depth_offset_scale),
    field("Global Depth Offset Clamp", dw(4, 31, 0), &Raster::global_depth_offset_clamp));
inline constexpr auto sbe = layout<Sbe>(
    "3DSTATE_SBE", gfx(3, 0, 0x1F), gfx_mask, 4,
    field("Primitive ID Override Attribute Select", dw(1, 4, 0), &Sbe::primitive_id_override_attribute_select),
    field("Vertex URB Entry Read Offset", dw(1, 10, 5), &Sbe::vertex_urb_entry_read_offset),
    field("Vertex URB Entry Read Length", dw(1, 15, 11), &Sbe::vertex_urb_entry_read_length),
    field("Primitive ID Override Component X", dw(1, 16), &Sbe::primitive_id_override_component_x),
    field("Primitive ID Override Component Y", dw(1, 17), &Sbe::primitive_id_override_component_y),
    field("Primitive ID Override Component Z", dw(1, 18), &Sbe::primitive_id_override_component_z),
    field("Primitive ID Override Component W", dw(1, 19), &Sbe::primitive_id_override_component_w),
    field("Point Sprite Texture Coordinate Origin", dw(1, 20), &Sbe::point_sprite_texture_coordinate_origin),
    field("Attribute Swizzle Enable", dw(1, 21), &Sbe::attribute_swizzle_enable),
    field("Number of SF Output Attributes", dw(1, 27, 22), &Sbe::number_of_sf_output_attributes),
    field("Force Vertex URB Entry Read Offset", dw(1, 28), &Sbe::force_vertex_urb_entry_read_offset),
    field("Force Vertex URB Entry Read Length", dw(1, 29), &Sbe::force_vertex_urb_entry_read_length),
    field("Point Sprite Texture Coordinate Enable", dw(2, 31, 0), &Sbe::point_sprite_texture_coordinate_enable),
    field("Constant Interpolation Enable", dw(3, 31, 0), &Sbe::constant_interpolation_enable));
inline constexpr auto sf = layout<Sf>(
    "3DSTATE_SF", gfx(3, 0, 0x13), gfx_mask, 4,
    field("Viewport Transform Enable", dw(1, 1), &Sf::viewport_transform_enable),
    field("Statistics Enable", dw(1, 10), &Sf::statistics_enable),
    field("Legacy Global Depth Bias Enable", dw(1, 11), &Sf::legacy_global_depth_bias_enable),
    field("CHV Line Width", dw(1, 29, 12), &Sf::chv_line_width),
    field("Line End Cap Antialiasing Region Width", dw(2, 17, 16), &Sf::line_end_cap_antialiasing_region_width),
    field("Line Width", dw(2, 27, 18), &Sf::line_width), field("Point Width", dw(3, 10, 0), &Sf::point_width),
    field("Point Width Source", dw(3, 11), &Sf::point_width_source),
    field("Vertex Sub Pixel Precision Select", dw(3, 12), &Sf::vertex_sub_pixel_precision_select),
    field("Smooth Point Enable", dw(3, 13), &Sf::smooth_point_enable),
    field("AA Line Distance Mode", dw(3, 14), &Sf::aa_line_distance_mode),
    field("Triangle Fan Provoking Vertex Select", dw(3, 26, 25), &Sf::triangle_fan_provoking_vertex_select),
    field("Line Strip/List Provoking Vertex Select", dw(3, 28, 27), &Sf::line_strip_list_provoking_vertex_select),
    field("Triangle Strip/List Provoking Vertex Select", dw(3, 30, 29),
          &Sf::triangle_strip_list_provoking_vertex_select),
    field("Last Pixel Enable", dw(3, 31), &Sf::last_pixel_enable));
inline constexpr auto vf =
    layout<Vf>("3DSTATE_VF", gfx(3, 0, 0x0C), gfx_mask, 2,
               field("Indexed Draw Cut Index Enable", dw(0, 8), &Vf::indexed_draw_cut_index_enable),
               field("Cut Index", dw(1, 31, 0), &Vf::cut_index));
inline constexpr auto wm_depth_stencil = layout<WmDepthStencil>(
    "3DSTATE_WM_DEPTH_STENCIL", gfx(3, 0, 0x4E), gfx_mask, 3,
    field("Depth Buffer Write Enable", dw(1, 0), &WmDepthStencil::depth_buffer_write_enable),
    field("Depth Test Enable", dw(1, 1), &WmDepthStencil::depth_test_enable),
    field("Stencil Buffer Write Enable", dw(1, 2), &WmDepthStencil::stencil_buffer_write_enable),
    field("Stencil Test Enable", dw(1, 3), &WmDepthStencil::stencil_test_enable),
    field("Double Sided Stencil Enable", dw(1, 4), &WmDepthStencil::double_sided_stencil_enable),
    field("Depth Test Function", dw(1, 7, 5), &WmDepthStencil::depth_test_function),
    field("Stencil Test Function", dw(1, 10, 8), &WmDepthStencil::stencil_test_function),
    field("Backface Stencil Pass Depth Pass Op", dw(1, 13, 11), &WmDepthStencil::backface_stencil_pass_depth_pass_op),
    field("Backface Stencil Pass Depth Fail Op", dw(1, 16, 14), &WmDepthStencil::backface_stencil_pass_depth_fail_op),
    field("Backface Stencil Fail Op", dw(1, 19, 17), &WmDepthStencil::backface_stencil_fail_op),
    field("Backface Stencil Test Function", dw(1, 22, 20), &WmDepthStencil::backface_stencil_test_function),
    field("Stencil Pass Depth Pass Op", dw(1, 25, 23), &WmDepthStencil::stencil_pass_depth_pass_op),
    field("Stencil Pass Depth Fail Op", dw(1, 28, 26), &WmDepthStencil::stencil_pass_depth_fail_op),
    field("Stencil Fail Op", dw(1, 31, 29), &WmDepthStencil::stencil_fail_op),
    field("Backface Stencil Write Mask", dw(2, 7, 0), &WmDepthStencil::backface_stencil_write_mask),
    field("Backface Stencil Test Mask", dw(2, 15, 8), &WmDepthStencil::backface_stencil_test_mask),
    field("Stencil Write Mask", dw(2, 23, 16), &WmDepthStencil::stencil_write_mask),
    field("Stencil Test Mask", dw(2, 31, 24), &WmDepthStencil::stencil_test_mask));
inline constexpr auto sample_pattern =
    layout<SamplePattern>("3DSTATE_SAMPLE_PATTERN", gfx(3, 1, 0x1C), gfx_mask, 9,
                          field("8x Sample 7-4 Offsets", dw(5, 31, 0), &SamplePattern::samples_8_high),
                          field("8x Sample 3-0 Offsets", dw(6, 31, 0), &SamplePattern::samples_8_low),
                          field("4x Sample 3-0 Offsets", dw(7, 31, 0), &SamplePattern::samples_4),
                          field("1x Sample 0 Offset", dw(8, 23, 16), &SamplePattern::samples_1),
                          field("2x Sample 1-0 Offsets", dw(8, 15, 0), &SamplePattern::samples_2));
}  // namespace gen8

namespace gen9 {
inline constexpr auto constant_ds =
    layout<Constant>("3DSTATE_CONSTANT_DS", gfx(3, 0, 0x1A), gfx_mask, 11, field("MOCS", dw(0, 14, 8), &Constant::mocs),
                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_gs =
    layout<Constant>("3DSTATE_CONSTANT_GS", gfx(3, 0, 0x16), gfx_mask, 11, field("MOCS", dw(0, 14, 8), &Constant::mocs),
                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_hs =
    layout<Constant>("3DSTATE_CONSTANT_HS", gfx(3, 0, 0x19), gfx_mask, 11, field("MOCS", dw(0, 14, 8), &Constant::mocs),
                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_ps =
    layout<Constant>("3DSTATE_CONSTANT_PS", gfx(3, 0, 0x17), gfx_mask, 11, field("MOCS", dw(0, 14, 8), &Constant::mocs),
                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto constant_vs =
    layout<Constant>("3DSTATE_CONSTANT_VS", gfx(3, 0, 0x15), gfx_mask, 11, field("MOCS", dw(0, 14, 8), &Constant::mocs),
                     fields("Read Length", dw(1, 15, 0), 16, &Constant::read_length),
                     fields("Buffer", address(3, 5, 64), 64, &Constant::buffer));
inline constexpr auto depth_buffer = layout<DepthBuffer>(
    "3DSTATE_DEPTH_BUFFER", gfx(3, 0, 0x05), gfx_mask, 8,
    field("Surface Pitch", dw(1, 17, 0), &DepthBuffer::surface_pitch),
    field("Surface Format", dw(1, 20, 18), &DepthBuffer::surface_format),
    field("Hierarchical Depth Buffer Enable", dw(1, 22), &DepthBuffer::hierarchical_depth_buffer_enable),
    field("Stencil Write Enable", dw(1, 27), &DepthBuffer::stencil_write_enable),
    field("Depth Write Enable", dw(1, 28), &DepthBuffer::depth_write_enable),
    field("Surface Type", dw(1, 31, 29), &DepthBuffer::surface_type),
    field("Surface Base Address", dw(2, 63, 0), &DepthBuffer::surface_base_address),
    field("LOD", dw(4, 3, 0), &DepthBuffer::lod), field("Width", dw(4, 17, 4), &DepthBuffer::width),
    field("Height", dw(4, 31, 18), &DepthBuffer::height), field("MOCS", dw(5, 6, 0), &DepthBuffer::mocs),
    field("Minimum Array Element", dw(5, 20, 10), &DepthBuffer::minimum_array_element),
    field("Depth", dw(5, 31, 21), &DepthBuffer::depth),
    field("Mip Tail Start LOD", dw(6, 29, 26), &DepthBuffer::mip_tail_start_lod),
    field("Tiled Resource Mode", dw(6, 31, 30), &DepthBuffer::tiled_resource_mode),
    field("Surface QPitch", dw(7, 14, 0), &DepthBuffer::surface_qpitch),
    field("Render Target View Extent", dw(7, 31, 21), &DepthBuffer::render_target_view_extent));
inline constexpr auto ds = layout<Ds>(
    "3DSTATE_DS", gfx(3, 0, 0x1D), gfx_mask, 11,
    field("Kernel Start Pointer", address(1, 6, 64), &Ds::kernel_start_pointer),
    field("Software Exception Enable", dw(3, 7), &Ds::software_exception_enable),
    field("Illegal Opcode Exception Enable", dw(3, 13), &Ds::illegal_opcode_exception_enable),
    field("Accesses UAV", dw(3, 14), &Ds::accesses_uav),
    field("Floating Point Mode", dw(3, 16), &Ds::floating_point_mode),
    field("Thread Dispatch Priority", dw(3, 17), &Ds::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(3, 25, 18), &Ds::binding_table_entry_count),
    field("Sampler Count", dw(3, 29, 27), &Ds::sampler_count),
    field("Vector Mask Enable", dw(3, 30), &Ds::vector_mask_enable),
    field("Per-Thread Scratch Space", dw(4, 3, 0), &Ds::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(4, 10, 64), &Ds::scratch_space_base_pointer),
    field("Patch URB Entry Read Offset", dw(6, 9, 4), &Ds::patch_urb_entry_read_offset),
    field("Patch URB Entry Read Length", dw(6, 17, 11), &Ds::patch_urb_entry_read_length),
    field("Dispatch GRF Start Register For URB Data", dw(6, 24, 20), &Ds::dispatch_grf_start_register_for_urb_data),
    field("Enable", dw(7, 0), &Ds::enable), field("Cache Disable", dw(7, 1), &Ds::cache_disable),
    field("Compute W Coordinate Enable", dw(7, 2), &Ds::compute_w_coordinate_enable),
    field("Dispatch Mode", dw(7, 4, 3), &Ds::dispatch_mode),
    field("Statistics Enable", dw(7, 10), &Ds::statistics_enable),
    field("Maximum Number of Threads", dw(7, 29, 21), &Ds::maximum_number_of_threads),
    field("User Clip Distance Cull Test Enable Bitmask", dw(8, 7, 0), &Ds::user_clip_distance_cull_test_enable_bitmask),
    field("User Clip Distance Clip Test Enable Bitmask", dw(8, 15, 8),
          &Ds::user_clip_distance_clip_test_enable_bitmask),
    field("Vertex URB Entry Output Length", dw(8, 20, 16), &Ds::vertex_urb_entry_output_length),
    field("Vertex URB Entry Output Read Offset", dw(8, 26, 21), &Ds::vertex_urb_entry_output_read_offset),
    field("DUAL_PATCH Kernel Start Pointer", address(9, 6, 64), &Ds::dual_patch_kernel_start_pointer));
inline constexpr auto gather_constant_ds = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_DS", gfx(3, 0, 0x37), gfx_mask, 3,
    field("Update Gather Table Only", dw(1, 1), &GatherConstant::update_gather_table_only),
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("On-Die Table", dw(2, 3), &GatherConstant::on_die_table),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_gs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_GS", gfx(3, 0, 0x35), gfx_mask, 3,
    field("Update Gather Table Only", dw(1, 1), &GatherConstant::update_gather_table_only),
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("On-Die Table", dw(2, 3), &GatherConstant::on_die_table),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_hs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_HS", gfx(3, 0, 0x36), gfx_mask, 3,
    field("Update Gather Table Only", dw(1, 1), &GatherConstant::update_gather_table_only),
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("On-Die Table", dw(2, 3), &GatherConstant::on_die_table),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_ps = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_PS", gfx(3, 0, 0x38), gfx_mask, 3,
    field("DX9 On-Die Register Read Enable", dw(1, 0), &GatherConstant::dx9_on_die_register_read_enable),
    field("Update Gather Table Only", dw(1, 1), &GatherConstant::update_gather_table_only),
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("On-Die Table", dw(2, 3), &GatherConstant::on_die_table),
    field("Constant Buffer Dx9 Enable", dw(2, 4), &GatherConstant::constant_buffer_dx9_enable),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gather_constant_vs = layout<GatherConstant>(
    "3DSTATE_GATHER_CONSTANT_VS", gfx(3, 0, 0x34), gfx_mask, 3,
    field("DX9 On-Die Register Read Enable", dw(1, 0), &GatherConstant::dx9_on_die_register_read_enable),
    field("Update Gather Table Only", dw(1, 1), &GatherConstant::update_gather_table_only),
    field("Constant Buffer Binding Table Block", dw(1, 15, 12), &GatherConstant::constant_buffer_binding_table_block),
    field("Constant Buffer Valid", dw(1, 31, 16), &GatherConstant::constant_buffer_valid),
    field("On-Die Table", dw(2, 3), &GatherConstant::on_die_table),
    field("Constant Buffer Dx9 Enable", dw(2, 4), &GatherConstant::constant_buffer_dx9_enable),
    field("Constant Buffer Dx9 Generate Stall", dw(2, 5), &GatherConstant::constant_buffer_dx9_generate_stall),
    field("Gather Buffer Offset", address(2, 6, 23), &GatherConstant::gather_buffer_offset));
inline constexpr auto gs = layout<Gs>(
    "3DSTATE_GS", gfx(3, 0, 0x11), gfx_mask, 10,
    field("Kernel Start Pointer", address(1, 6, 64), &Gs::kernel_start_pointer),
    field("Expected Vertex Count", dw(3, 5, 0), &Gs::expected_vertex_count),
    field("Software Exception Enable", dw(3, 7), &Gs::software_exception_enable),
    field("Mask Stack Exception Enable", dw(3, 11), &Gs::mask_stack_exception_enable),
    field("Accesses UAV", dw(3, 12), &Gs::accesses_uav),
    field("Illegal Opcode Exception Enable", dw(3, 13), &Gs::illegal_opcode_exception_enable),
    field("Floating Point Mode", dw(3, 16), &Gs::floating_point_mode),
    field("Thread Dispatch Priority", dw(3, 17), &Gs::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(3, 25, 18), &Gs::binding_table_entry_count),
    field("Sampler Count", dw(3, 29, 27), &Gs::sampler_count),
    field("Vector Mask Enable", dw(3, 30), &Gs::vector_mask_enable),
    field("Single Program Flow", dw(3, 31), &Gs::single_program_flow),
    field("Per-Thread Scratch Space", dw(4, 3, 0), &Gs::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(4, 10, 64), &Gs::scratch_space_base_pointer),
    field("Dispatch GRF Start Register For URB Data", dw(6, 3, 0), &Gs::dispatch_grf_start_register_for_urb_data),
    field("Vertex URB Entry Read Offset", dw(6, 9, 4), &Gs::vertex_urb_entry_read_offset),
    field("Include Vertex Handles", dw(6, 10), &Gs::include_vertex_handles),
    field("Vertex URB Entry Read Length", dw(6, 16, 11), &Gs::vertex_urb_entry_read_length),
    field("Output Topology", dw(6, 22, 17), &Gs::output_topology),
    field("Output Vertex Size", dw(6, 28, 23), &Gs::output_vertex_size),
    field("Dispatch GRF Start Register For URB Data [5:4]", dw(6, 30, 29),
          &Gs::dispatch_grf_start_register_for_urb_data_5_4),
    field("Enable", dw(7, 0), &Gs::enable), field("Discard Adjacency", dw(7, 1), &Gs::discard_adjacency),
    field("Reorder Mode", dw(7, 2), &Gs::reorder_mode), field("Hint", dw(7, 3), &Gs::hint),
    field("Include Primitive ID", dw(7, 4), &Gs::include_primitive_id),
    field("Invocations Increment Value", dw(7, 9, 5), &Gs::invocations_increment_value),
    field("Statistics Enable", dw(7, 10), &Gs::statistics_enable),
    field("Dispatch Mode", dw(7, 12, 11), &Gs::dispatch_mode),
    field("Default Stream Id", dw(7, 14, 13), &Gs::default_stream_id),
    field("Instance Control", dw(7, 19, 15), &Gs::instance_control),
    field("Control Data Header Size", dw(7, 23, 20), &Gs::control_data_header_size),
    field("Maximum Number of Threads", dw(8, 8, 0), &Gs::maximum_number_of_threads),
    field("Static Output Vertex Count", dw(8, 26, 16), &Gs::static_output_vertex_count),
    field("Static Output", dw(8, 30), &Gs::static_output),
    field("Control Data Format", dw(8, 31), &Gs::control_data_format),
    field("User Clip Distance Cull Test Enable Bitmask", dw(9, 7, 0), &Gs::user_clip_distance_cull_test_enable_bitmask),
    field("User Clip Distance Clip Test Enable Bitmask", dw(9, 15, 8),
          &Gs::user_clip_distance_clip_test_enable_bitmask),
    field("Vertex URB Entry Output Length", dw(9, 20, 16), &Gs::vertex_urb_entry_output_length),
    field("Vertex URB Entry Output Read Offset", dw(9, 26, 21), &Gs::vertex_urb_entry_output_read_offset));
inline constexpr auto hs = layout<Hs>(
    "3DSTATE_HS", gfx(3, 0, 0x1B), gfx_mask, 9,
    field("Software Exception Enable", dw(1, 12), &Hs::software_exception_enable),
    field("Illegal Opcode Exception Enable", dw(1, 13), &Hs::illegal_opcode_exception_enable),
    field("Floating Point Mode", dw(1, 16), &Hs::floating_point_mode),
    field("Thread Dispatch Priority", dw(1, 17), &Hs::thread_dispatch_priority),
    field("Binding Table Entry Count", dw(1, 25, 18), &Hs::binding_table_entry_count),
    field("Sampler Count", dw(1, 29, 27), &Hs::sampler_count),
    field("Instance Count", dw(2, 3, 0), &Hs::instance_count),
    field("Maximum Number of Threads", dw(2, 16, 8), &Hs::maximum_number_of_threads),
    field("Statistics Enable", dw(2, 29), &Hs::statistics_enable), field("Enable", dw(2, 31), &Hs::enable),
    field("Kernel Start Pointer", address(3, 6, 64), &Hs::kernel_start_pointer),
    field("Per-Thread Scratch Space", dw(5, 3, 0), &Hs::per_thread_scratch_space),
    field("Scratch Space Base Pointer", address(5, 10, 64), &Hs::scratch_space_base_pointer),
    field("Include Primitive ID", dw(7, 0), &Hs::include_primitive_id),
    field("Vertex URB Entry Read Offset", dw(7, 9, 4), &Hs::vertex_urb_entry_read_offset),
    field("Vertex URB Entry Read Length", dw(7, 16, 11), &Hs::vertex_urb_entry_read_length),
    field("Dispatch Mode", dw(7, 18, 17), &Hs::dispatch_mode),
    field("Dispatch GRF Start Register For URB Data", dw(7, 23, 19), &Hs::dispatch_grf_start_register_for_urb_data),
    field("Include Vertex Handles", dw(7, 24), &Hs::include_vertex_handles),
    field("Accesses UAV", dw(7, 25), &Hs::accesses_uav),
    field("Vector Mask Enable", dw(7, 26), &Hs::vector_mask_enable),
    field("Single Program Flow", dw(7, 27), &Hs::single_program_flow),
    field("Dispatch GRF Start Register For URB Data [5]", dw(7, 28), &Hs::dispatch_grf_start_register_for_urb_data_5));
inline constexpr auto ps =
    layout<Ps>("3DSTATE_PS", gfx(3, 0, 0x20), gfx_mask, 12,
               field("Kernel Start Pointer 0", address(1, 6, 64), &Ps::kernel_start_pointer_0),
               field("Software Exception Enable", dw(3, 7), &Ps::software_exception_enable),
               field("Mask Stack Exception Enable", dw(3, 11), &Ps::mask_stack_exception_enable),
               field("Illegal Opcode Exception Enable", dw(3, 13), &Ps::illegal_opcode_exception_enable),
               field("Rounding Mode", dw(3, 15, 14), &Ps::rounding_mode),
               field("Floating Point Mode", dw(3, 16), &Ps::floating_point_mode),
               field("Thread Dispatch Priority", dw(3, 17), &Ps::thread_dispatch_priority),
               field("Binding Table Entry Count", dw(3, 25, 18), &Ps::binding_table_entry_count),
               field("Single Precision Denormal Mode", dw(3, 26), &Ps::single_precision_denormal_mode),
               field("Sampler Count", dw(3, 29, 27), &Ps::sampler_count),
               field("Vector Mask Enable", dw(3, 30), &Ps::vector_mask_enable),
               field("Single Program Flow", dw(3, 31), &Ps::single_program_flow),
               field("Per Thread Scratch Space", dw(4, 3, 0), &Ps::per_thread_scratch_space),
               field("Scratch Space Base Pointer", address(4, 10, 64), &Ps::scratch_space_base_pointer),
               field("8 Pixel Dispatch Enable", dw(6, 0), &Ps::dispatch_8),
               field("16 Pixel Dispatch Enable", dw(6, 1), &Ps::dispatch_16),
               field("32 Pixel Dispatch Enable", dw(6, 2), &Ps::dispatch_32),
               field("Position XY Offset Select", dw(6, 4, 3), &Ps::position_xy_offset_select),
               field("Render Target Resolve Type", dw(6, 7, 6), &Ps::render_target_resolve_type),
               field("Render Target Fast Clear Enable", dw(6, 8), &Ps::render_target_fast_clear_enable),
               field("Push Constant Enable", dw(6, 11), &Ps::push_constant_enable),
               field("Maximum Number of Threads Per PSD", dw(6, 31, 23), &Ps::maximum_number_of_threads_per_psd),
               field("Dispatch GRF Start Register For Constant/Setup Data 2", dw(7, 6, 0),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_2),
               field("Dispatch GRF Start Register For Constant/Setup Data 1", dw(7, 14, 8),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_1),
               field("Dispatch GRF Start Register For Constant/Setup Data 0", dw(7, 22, 16),
                     &Ps::dispatch_grf_start_register_for_constant_setup_data_0),
               field("Kernel Start Pointer 1", address(8, 6, 64), &Ps::kernel_start_pointer_1),
               field("Kernel Start Pointer 2", address(10, 6, 64), &Ps::kernel_start_pointer_2));
inline constexpr auto ps_extra = layout<PsExtra>(
    "3DSTATE_PS_EXTRA", gfx(3, 0, 0x4F), gfx_mask, 2,
    field("Input Coverage Mask State", dw(1, 1, 0), &PsExtra::input_coverage_mask_state),
    field("Pixel Shader Has UAV", dw(1, 2), &PsExtra::pixel_shader_has_uav),
    field("Pixel Shader Pulls Bary", dw(1, 3), &PsExtra::pixel_shader_pulls_bary),
    field("Pixel Shader Computes Stencil", dw(1, 5), &PsExtra::pixel_shader_computes_stencil),
    field("Pixel Shader Is Per Sample", dw(1, 6), &PsExtra::pixel_shader_is_per_sample),
    field("Pixel Shader Disables Alpha To Coverage", dw(1, 7), &PsExtra::pixel_shader_disables_alpha_to_coverage),
    field("Attribute Enable", dw(1, 8), &PsExtra::attribute_enable),
    field("Pixel Shader Uses Source W", dw(1, 23), &PsExtra::pixel_shader_uses_source_w),
    field("Pixel Shader Uses Source Depth", dw(1, 24), &PsExtra::pixel_shader_uses_source_depth),
    field("Force Computed Depth", dw(1, 25), &PsExtra::force_computed_depth),
    field("Pixel Shader Computed Depth Mode", dw(1, 27, 26), &PsExtra::pixel_shader_computed_depth_mode),
    field("Pixel Shader Kills Pixel", dw(1, 28), &PsExtra::pixel_shader_kills_pixel),
    field("oMask Present to Render Target", dw(1, 29), &PsExtra::omask_present_to_render_target),
    field("Pixel Shader Does not write to RT", dw(1, 30), &PsExtra::pixel_shader_does_not_write_to_rt),
    field("Pixel Shader Valid", dw(1, 31), &PsExtra::pixel_shader_valid));
inline constexpr auto raster = layout<Raster>(
    "3DSTATE_RASTER", gfx(3, 0, 0x50), gfx_mask, 5,
    field("Viewport Z Near Clip Test Enable", dw(1, 0), &Raster::viewport_z_near_clip_test_enable),
    field("Scissor Rectangle Enable", dw(1, 1), &Raster::scissor_rectangle_enable),
    field("Antialiasing Enable", dw(1, 2), &Raster::antialiasing_enable),
    field("Back Face Fill Mode", dw(1, 4, 3), &Raster::back_face_fill_mode),
    field("Front Face Fill Mode", dw(1, 6, 5), &Raster::front_face_fill_mode),
    field("Global Depth Offset Enable Point", dw(1, 7), &Raster::global_depth_offset_enable_point),
    field("Global Depth Offset Enable Wireframe", dw(1, 8), &Raster::global_depth_offset_enable_wireframe),
    field("Global Depth Offset Enable Solid", dw(1, 9), &Raster::global_depth_offset_enable_solid),
    field("DX Multisample Rasterization Mode", dw(1, 11, 10), &Raster::dx_multisample_rasterization_mode),
    field("DX Multisample Rasterization Enable", dw(1, 12), &Raster::dx_multisample_rasterization_enable),
    field("Smooth Point Enable", dw(1, 13), &Raster::smooth_point_enable),
    field("Force Multisampling", dw(1, 14), &Raster::force_multisampling),
    field("Cull Mode", dw(1, 17, 16), &Raster::cull_mode),
    field("Forced Sample Count", dw(1, 20, 18), &Raster::forced_sample_count),
    field("Front Winding", dw(1, 21), &Raster::front_winding), field("API Mode", dw(1, 23, 22), &Raster::api_mode),
    field("Conservative Rasterization Enable", dw(1, 24), &Raster::conservative_rasterization_enable),
    field("Viewport Z Far Clip Test Enable", dw(1, 26), &Raster::viewport_z_far_clip_test_enable),
    field("Global Depth Offset Constant", dw(2, 31, 0), &Raster::global_depth_offset_constant),
    field("Global Depth Offset Scale", dw(3, 31, 0), &Raster::global_depth_offset_scale),
    field("Global Depth Offset Clamp", dw(4, 31, 0), &Raster::global_depth_offset_clamp));
inline constexpr auto sbe = layout<Sbe>(
    "3DSTATE_SBE", gfx(3, 0, 0x1F), gfx_mask, 6,
    field("Primitive ID Override Attribute Select", dw(1, 4, 0), &Sbe::primitive_id_override_attribute_select),
    field("Vertex URB Entry Read Offset", dw(1, 10, 5), &Sbe::vertex_urb_entry_read_offset),
    field("Vertex URB Entry Read Length", dw(1, 15, 11), &Sbe::vertex_urb_entry_read_length),
    field("Primitive ID Override Component X", dw(1, 16), &Sbe::primitive_id_override_component_x),
    field("Primitive ID Override Component Y", dw(1, 17), &Sbe::primitive_id_override_component_y),
    field("Primitive ID Override Component Z", dw(1, 18), &Sbe::primitive_id_override_component_z),
    field("Primitive ID Override Component W", dw(1, 19), &Sbe::primitive_id_override_component_w),
    field("Point Sprite Texture Coordinate Origin", dw(1, 20), &Sbe::point_sprite_texture_coordinate_origin),
    field("Attribute Swizzle Enable", dw(1, 21), &Sbe::attribute_swizzle_enable),
    field("Number of SF Output Attributes", dw(1, 27, 22), &Sbe::number_of_sf_output_attributes),
    field("Force Vertex URB Entry Read Offset", dw(1, 28), &Sbe::force_vertex_urb_entry_read_offset),
    field("Force Vertex URB Entry Read Length", dw(1, 29), &Sbe::force_vertex_urb_entry_read_length),
    field("Point Sprite Texture Coordinate Enable", dw(2, 31, 0), &Sbe::point_sprite_texture_coordinate_enable),
    field("Constant Interpolation Enable", dw(3, 31, 0), &Sbe::constant_interpolation_enable),
    fields("Attribute Active Component Format", dw(4, 1, 0), 2, &Sbe::attribute_active_component_format));
inline constexpr auto sf = layout<Sf>(
    "3DSTATE_SF", gfx(3, 0, 0x13), gfx_mask, 4,
    field("Viewport Transform Enable", dw(1, 1), &Sf::viewport_transform_enable),
    field("Statistics Enable", dw(1, 10), &Sf::statistics_enable),
    field("Legacy Global Depth Bias Enable", dw(1, 11), &Sf::legacy_global_depth_bias_enable),
    field("Line Width", dw(1, 29, 12), &Sf::line_width),
    field("Line End Cap Antialiasing Region Width", dw(2, 17, 16), &Sf::line_end_cap_antialiasing_region_width),
    field("Point Width", dw(3, 10, 0), &Sf::point_width),
    field("Point Width Source", dw(3, 11), &Sf::point_width_source),
    field("Vertex Sub Pixel Precision Select", dw(3, 12), &Sf::vertex_sub_pixel_precision_select),
    field("Smooth Point Enable", dw(3, 13), &Sf::smooth_point_enable),
    field("AA Line Distance Mode", dw(3, 14), &Sf::aa_line_distance_mode),
    field("Triangle Fan Provoking Vertex Select", dw(3, 26, 25), &Sf::triangle_fan_provoking_vertex_select),
    field("Line Strip/List Provoking Vertex Select", dw(3, 28, 27), &Sf::line_strip_list_provoking_vertex_select),
    field("Triangle Strip/List Provoking Vertex Select", dw(3, 30, 29),
          &Sf::triangle_strip_list_provoking_vertex_select),
    field("Last Pixel Enable", dw(3, 31), &Sf::last_pixel_enable));
inline constexpr auto vf =
    layout<Vf>("3DSTATE_VF", gfx(3, 0, 0x0C), gfx_mask, 2,
               field("Indexed Draw Cut Index Enable", dw(0, 8), &Vf::indexed_draw_cut_index_enable),
               field("Component Packing Enable", dw(0, 9), &Vf::component_packing_enable),
               field("Sequential Draw Cut Index Enable", dw(0, 10), &Vf::sequential_draw_cut_index_enable),
               field("Cut Index", dw(1, 31, 0), &Vf::cut_index));
inline constexpr auto wm_depth_stencil = layout<WmDepthStencil>(
    "3DSTATE_WM_DEPTH_STENCIL", gfx(3, 0, 0x4E), gfx_mask, 4,
    field("Depth Buffer Write Enable", dw(1, 0), &WmDepthStencil::depth_buffer_write_enable),
    field("Depth Test Enable", dw(1, 1), &WmDepthStencil::depth_test_enable),
    field("Stencil Buffer Write Enable", dw(1, 2), &WmDepthStencil::stencil_buffer_write_enable),
    field("Stencil Test Enable", dw(1, 3), &WmDepthStencil::stencil_test_enable),
    field("Double Sided Stencil Enable", dw(1, 4), &WmDepthStencil::double_sided_stencil_enable),
    field("Depth Test Function", dw(1, 7, 5), &WmDepthStencil::depth_test_function),
    field("Stencil Test Function", dw(1, 10, 8), &WmDepthStencil::stencil_test_function),
    field("Backface Stencil Pass Depth Pass Op", dw(1, 13, 11), &WmDepthStencil::backface_stencil_pass_depth_pass_op),
    field("Backface Stencil Pass Depth Fail Op", dw(1, 16, 14), &WmDepthStencil::backface_stencil_pass_depth_fail_op),
    field("Backface Stencil Fail Op", dw(1, 19, 17), &WmDepthStencil::backface_stencil_fail_op),
    field("Backface Stencil Test Function", dw(1, 22, 20), &WmDepthStencil::backface_stencil_test_function),
    field("Stencil Pass Depth Pass Op", dw(1, 25, 23), &WmDepthStencil::stencil_pass_depth_pass_op),
    field("Stencil Pass Depth Fail Op", dw(1, 28, 26), &WmDepthStencil::stencil_pass_depth_fail_op),
    field("Stencil Fail Op", dw(1, 31, 29), &WmDepthStencil::stencil_fail_op),
    field("Backface Stencil Write Mask", dw(2, 7, 0), &WmDepthStencil::backface_stencil_write_mask),
    field("Backface Stencil Test Mask", dw(2, 15, 8), &WmDepthStencil::backface_stencil_test_mask),
    field("Stencil Write Mask", dw(2, 23, 16), &WmDepthStencil::stencil_write_mask),
    field("Stencil Test Mask", dw(2, 31, 24), &WmDepthStencil::stencil_test_mask),
    field("Backface Stencil Reference Value", dw(3, 7, 0), &WmDepthStencil::backface_stencil_reference_value),
    field("Stencil Reference Value", dw(3, 15, 8), &WmDepthStencil::stencil_reference_value));
inline constexpr auto rs_constant_pointer = layout<RsConstantPointer>(
    "3DSTATE_RS_CONSTANT_POINTER", gfx(3, 0, 0x54), gfx_mask, 4,
    field("Operation Load or Store", dw(1, 12), &RsConstantPointer::operation_load_or_store),
    field("Shader Select", dw(1, 30, 28), &RsConstantPointer::shader_select),
    field("Global Constant Buffer Address", address(2, 6, 32), &RsConstantPointer::global_constant_buffer_address),
    field("Global Constant Buffer Address High", dw(3, 31, 0),
          &RsConstantPointer::global_constant_buffer_address_high));
inline constexpr auto urb_clear = layout<UrbClear>(
    "3DSTATE_URB_CLEAR", gfx(3, 1, 0x1D), gfx_mask, 2, field("URB Address", dw(1, 14, 0), &UrbClear::urb_address),
    field("URB Clear Length", dw(1, 29, 16), &UrbClear::urb_clear_length));
inline constexpr auto vf_component_packing = layout<VfComponentPacking>(
    "3DSTATE_VF_COMPONENT_PACKING", gfx(3, 0, 0x55), gfx_mask, 5,
    fields("Vertex Element Enables", dw(1, 3, 0), 4, &VfComponentPacking::vertex_element_enables));
inline constexpr auto sample_pattern =
    layout<SamplePattern>("3DSTATE_SAMPLE_PATTERN", gfx(3, 1, 0x1C), gfx_mask, 9,
                          fields("16x Sample Offsets", dw(1, 31, 0), 32, &SamplePattern::samples_16),
                          field("8x Sample 7-4 Offsets", dw(5, 31, 0), &SamplePattern::samples_8_high),
                          field("8x Sample 3-0 Offsets", dw(6, 31, 0), &SamplePattern::samples_8_low),
                          field("4x Sample 3-0 Offsets", dw(7, 31, 0), &SamplePattern::samples_4),
                          field("1x Sample 0 Offset", dw(8, 23, 16), &SamplePattern::samples_1),
                          field("2x Sample 1-0 Offsets", dw(8, 15, 0), &SamplePattern::samples_2));
}  // namespace gen9

}  // namespace vitro::commands::three_d
