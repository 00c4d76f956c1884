// State objects of the 3D pipeline in memory: blending, colour calculator, viewports, scissors, with their layouts.
// PRM: Gen8 vol 2d, BLEND_STATE, COLOR_CALC_STATE, CC_VIEWPORT, SF_CLIP_VIEWPORT, SCISSOR_RECT. Members have the PRM's
// names of the fields. A table.
#pragma once

#include <array>
#include <cstdint>

#include "base/packet.h"

namespace vitro::state {

struct BlendState {
  uint8_t y_dither_offset = 0;
  uint8_t x_dither_offset = 0;
  bool color_dither_enable = false;
  uint8_t alpha_test_function = 0;
  bool alpha_test_enable = false;
  bool alpha_to_coverage_dither_enable = false;
  bool alpha_to_one_enable = false;
  bool independent_alpha_blend_enable = false;
  bool alpha_to_coverage_enable = false;
  bool operator==(const BlendState&) const = default;
};

struct BlendStateEntry {
  bool write_disable_blue = false;
  bool write_disable_green = false;
  bool write_disable_red = false;
  bool write_disable_alpha = false;
  uint8_t alpha_blend_function = 0;
  uint8_t destination_alpha_blend_factor = 0;
  uint8_t source_alpha_blend_factor = 0;
  uint8_t color_blend_function = 0;
  uint8_t destination_blend_factor = 0;
  uint8_t source_blend_factor = 0;
  bool color_buffer_blend_enable = false;
  bool post_blend_color_clamp_enable = false;
  bool pre_blend_color_clamp_enable = false;
  uint8_t color_clamp_range = 0;
  bool pre_blend_source_only_clamp_enable = false;
  uint8_t logic_op_function = 0;
  bool logic_op_enable = false;
  bool operator==(const BlendStateEntry&) const = default;
};

struct ColorCalcState {
  uint8_t alpha_test_format = 0;
  bool round_disable_function_disable = false;
  uint8_t backface_stencil_reference_value = 0;  // Gen8
  uint8_t stencil_reference_value = 0;           // Gen8
  uint32_t alpha_reference_value = 0;            // UNORM8 or the bits of a float
  float blend_constant_color_red = 0;
  float blend_constant_color_green = 0;
  float blend_constant_color_blue = 0;
  float blend_constant_color_alpha = 0;
  bool operator==(const ColorCalcState&) const = default;
};

struct CcViewport {
  float minimum_depth = 0;
  float maximum_depth = 0;
};

struct SfClipViewport {
  float viewport_matrix_element_m00 = 0;
  float viewport_matrix_element_m11 = 0;
  float viewport_matrix_element_m22 = 0;
  float viewport_matrix_element_m30 = 0;
  float viewport_matrix_element_m31 = 0;
  float viewport_matrix_element_m32 = 0;
  float x_min_clip_guardband = 0;
  float x_max_clip_guardband = 0;
  float y_min_clip_guardband = 0;
  float y_max_clip_guardband = 0;
  float x_min_viewport = 0;
  float x_max_viewport = 0;
  float y_min_viewport = 0;
  float y_max_viewport = 0;
};

struct ScissorRect {
  uint16_t scissor_rectangle_x_min = 0;
  uint16_t scissor_rectangle_y_min = 0;
  uint16_t scissor_rectangle_x_max = 0;
  uint16_t scissor_rectangle_y_max = 0;
};

namespace every {
inline constexpr auto blend_state = object_layout<BlendState>(
    "BLEND_STATE", 1, field("Y Dither Offset", dw(0, 20, 19), &BlendState::y_dither_offset),
    field("X Dither Offset", dw(0, 22, 21), &BlendState::x_dither_offset),
    field("Color Dither Enable", dw(0, 23), &BlendState::color_dither_enable),
    field("Alpha Test Function", dw(0, 26, 24), &BlendState::alpha_test_function),
    field("Alpha Test Enable", dw(0, 27), &BlendState::alpha_test_enable),
    field("Alpha To Coverage Dither Enable", dw(0, 28), &BlendState::alpha_to_coverage_dither_enable),
    field("Alpha To One Enable", dw(0, 29), &BlendState::alpha_to_one_enable),
    field("Independent Alpha Blend Enable", dw(0, 30), &BlendState::independent_alpha_blend_enable),
    field("Alpha To Coverage Enable", dw(0, 31), &BlendState::alpha_to_coverage_enable));
inline constexpr auto blend_state_entry = object_layout<BlendStateEntry>(
    "BLEND_STATE_ENTRY", 2, field("Write Disable Blue", dw(0, 0), &BlendStateEntry::write_disable_blue),
    field("Write Disable Green", dw(0, 1), &BlendStateEntry::write_disable_green),
    field("Write Disable Red", dw(0, 2), &BlendStateEntry::write_disable_red),
    field("Write Disable Alpha", dw(0, 3), &BlendStateEntry::write_disable_alpha),
    field("Alpha Blend Function", dw(0, 7, 5), &BlendStateEntry::alpha_blend_function),
    field("Destination Alpha Blend Factor", dw(0, 12, 8), &BlendStateEntry::destination_alpha_blend_factor),
    field("Source Alpha Blend Factor", dw(0, 17, 13), &BlendStateEntry::source_alpha_blend_factor),
    field("Color Blend Function", dw(0, 20, 18), &BlendStateEntry::color_blend_function),
    field("Destination Blend Factor", dw(0, 25, 21), &BlendStateEntry::destination_blend_factor),
    field("Source Blend Factor", dw(0, 30, 26), &BlendStateEntry::source_blend_factor),
    field("Color Buffer Blend Enable", dw(0, 31), &BlendStateEntry::color_buffer_blend_enable),
    field("Post-Blend Color Clamp Enable", dw(1, 0), &BlendStateEntry::post_blend_color_clamp_enable),
    field("Pre-Blend Color Clamp Enable", dw(1, 1), &BlendStateEntry::pre_blend_color_clamp_enable),
    field("Color Clamp Range", dw(1, 3, 2), &BlendStateEntry::color_clamp_range),
    field("Pre-Blend Source Only Clamp Enable", dw(1, 4), &BlendStateEntry::pre_blend_source_only_clamp_enable),
    field("Logic Op Function", dw(1, 30, 27), &BlendStateEntry::logic_op_function),
    field("Logic Op Enable", dw(1, 31), &BlendStateEntry::logic_op_enable));
inline constexpr auto cc_viewport =
    object_layout<CcViewport>("CC_VIEWPORT", 2, field("Minimum Depth", dw(0, 31, 0), &CcViewport::minimum_depth),
                              field("Maximum Depth", dw(1, 31, 0), &CcViewport::maximum_depth));
inline constexpr auto sf_clip_viewport = object_layout<SfClipViewport>(
    "SF_CLIP_VIEWPORT", 16,
    field("Viewport Matrix Element m00", dw(0, 31, 0), &SfClipViewport::viewport_matrix_element_m00),
    field("Viewport Matrix Element m11", dw(1, 31, 0), &SfClipViewport::viewport_matrix_element_m11),
    field("Viewport Matrix Element m22", dw(2, 31, 0), &SfClipViewport::viewport_matrix_element_m22),
    field("Viewport Matrix Element m30", dw(3, 31, 0), &SfClipViewport::viewport_matrix_element_m30),
    field("Viewport Matrix Element m31", dw(4, 31, 0), &SfClipViewport::viewport_matrix_element_m31),
    field("Viewport Matrix Element m32", dw(5, 31, 0), &SfClipViewport::viewport_matrix_element_m32),
    field("X Min Clip Guardband", dw(8, 31, 0), &SfClipViewport::x_min_clip_guardband),
    field("X Max Clip Guardband", dw(9, 31, 0), &SfClipViewport::x_max_clip_guardband),
    field("Y Min Clip Guardband", dw(10, 31, 0), &SfClipViewport::y_min_clip_guardband),
    field("Y Max Clip Guardband", dw(11, 31, 0), &SfClipViewport::y_max_clip_guardband),
    field("X Min ViewPort", dw(12, 31, 0), &SfClipViewport::x_min_viewport),
    field("X Max ViewPort", dw(13, 31, 0), &SfClipViewport::x_max_viewport),
    field("Y Min ViewPort", dw(14, 31, 0), &SfClipViewport::y_min_viewport),
    field("Y Max ViewPort", dw(15, 31, 0), &SfClipViewport::y_max_viewport));
inline constexpr auto scissor_rect = object_layout<ScissorRect>(
    "SCISSOR_RECT", 2, field("Scissor Rectangle X Min", dw(0, 15, 0), &ScissorRect::scissor_rectangle_x_min),
    field("Scissor Rectangle Y Min", dw(0, 31, 16), &ScissorRect::scissor_rectangle_y_min),
    field("Scissor Rectangle X Max", dw(1, 15, 0), &ScissorRect::scissor_rectangle_x_max),
    field("Scissor Rectangle Y Max", dw(1, 31, 16), &ScissorRect::scissor_rectangle_y_max));
}  // namespace every

namespace gen8 {
inline constexpr auto color_calc_state = object_layout<ColorCalcState>(
    "COLOR_CALC_STATE", 6, field("Alpha Test Format", dw(0, 0), &ColorCalcState::alpha_test_format),
    field("Round Disable Function Disable", dw(0, 15), &ColorCalcState::round_disable_function_disable),
    field("Backface Stencil Reference Value", dw(0, 23, 16), &ColorCalcState::backface_stencil_reference_value),
    field("Stencil Reference Value", dw(0, 31, 24), &ColorCalcState::stencil_reference_value),
    field("Alpha Reference Value", dw(1, 31, 0), &ColorCalcState::alpha_reference_value),
    field("Blend Constant Color Red", dw(2, 31, 0), &ColorCalcState::blend_constant_color_red),
    field("Blend Constant Color Green", dw(3, 31, 0), &ColorCalcState::blend_constant_color_green),
    field("Blend Constant Color Blue", dw(4, 31, 0), &ColorCalcState::blend_constant_color_blue),
    field("Blend Constant Color Alpha", dw(5, 31, 0), &ColorCalcState::blend_constant_color_alpha));
}  // namespace gen8

namespace gen9 {
inline constexpr auto color_calc_state = object_layout<ColorCalcState>(
    "COLOR_CALC_STATE", 6, field("Alpha Test Format", dw(0, 0), &ColorCalcState::alpha_test_format),
    field("Round Disable Function Disable", dw(0, 15), &ColorCalcState::round_disable_function_disable),
    field("Alpha Reference Value", dw(1, 31, 0), &ColorCalcState::alpha_reference_value),
    field("Blend Constant Color Red", dw(2, 31, 0), &ColorCalcState::blend_constant_color_red),
    field("Blend Constant Color Green", dw(3, 31, 0), &ColorCalcState::blend_constant_color_green),
    field("Blend Constant Color Blue", dw(4, 31, 0), &ColorCalcState::blend_constant_color_blue),
    field("Blend Constant Color Alpha", dw(5, 31, 0), &ColorCalcState::blend_constant_color_alpha));
}  // namespace gen9

}  // namespace vitro::state
