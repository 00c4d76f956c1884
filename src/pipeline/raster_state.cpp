// What setup and rasteriser need of a draw's state. PRM: as in the header. The table of modes follows what the APIs
// demand: OpenGL without multisampling covers all samples of a pixel or none; Direct3D's enable decides on lines only.
#include "pipeline/raster_state.h"

#include <algorithm>
#include <cmath>

namespace vitro::pipeline {

namespace td = commands::three_d;

std::array<SamplePosition, most_samples> sample_positions(const td::SamplePattern& p, unsigned samples) {
  std::array<SamplePosition, most_samples> r{};
  for (unsigned s = 0; s < samples && s < most_samples; ++s) {
    const unsigned shift = s % 4 * 8;
    uint32_t dword = 0;
    if (samples == 1) dword = p.samples_1;
    if (samples == 2) dword = p.samples_2;
    if (samples == 4) dword = p.samples_4;
    if (samples == 8) dword = s < 4 ? p.samples_8_low : p.samples_8_high;
    if (samples == 16) dword = p.samples_16[s / 4];
    const uint32_t byte = dword >> shift & 0xFF;
    r[s] = {int16_t((byte >> 4) * 16), int16_t((byte & 15) * 16)};
  }
  return r;
}

namespace {

// By API mode (DX9 and OpenGL, DX10.0, DX10.1 and later), more than one sample, and DX Multisample Rasterization
// Enable.
constexpr RasterMode modes[3][2][2] = {
    {{RasterMode::off_pixel, RasterMode::off_pixel}, {RasterMode::off_pixel, RasterMode::on_pattern}},
    {{RasterMode::off_pixel, RasterMode::on_pixel}, {RasterMode::off_pattern, RasterMode::on_pattern}},
    {{RasterMode::off_pixel, RasterMode::on_pixel}, {RasterMode::off_pattern, RasterMode::on_pattern}},
};
constexpr std::array<float, 4> region_widths = {0.5f, 1, 2, 4};  // of antialiasing, in pixels

// r of the global depth offset, by the depth buffer's format: 1 D32_FLOAT, 3 D24_UNORM_X8, 5 D16_UNORM.
constexpr std::array<double, 8> depth_units = {0, 0, 0, 0x1p-24, 0, 0x1p-16, 0, 0};

// The pixel that a bound of the viewport lies in, for bounds of any value.
int pixel_of(float bound, bool up, int otherwise) {
  if (std::isnan(bound)) return otherwise;
  return int(std::clamp(up ? std::ceil(bound) : std::floor(bound), -32768.f, 32767.f));
}

Rectangle limits_of(const Draw& d, size_t viewport) {
  const td::DrawingRectangle& r = d.state.drawing_rectangle;
  Rectangle limits{r.clipped_drawing_rectangle_x_min, r.clipped_drawing_rectangle_y_min,
                   r.clipped_drawing_rectangle_x_max + 1, r.clipped_drawing_rectangle_y_max + 1};
  limits = overlap(limits, {0, 0, 32768, 32768});
  const int x = r.drawing_rectangle_origin_x, y = r.drawing_rectangle_origin_y;
  if (d.state.raster.scissor_rectangle_enable) {
    const state::ScissorRect& s = d.objects.scissors[viewport];
    limits = overlap(limits, {x + s.scissor_rectangle_x_min, y + s.scissor_rectangle_y_min,
                              x + s.scissor_rectangle_x_max + 1, y + s.scissor_rectangle_y_max + 1});
  }
  // Extents of the viewport are pixels, the last ones included. Without the transform no viewport is in use.
  if (d.state.sf.viewport_transform_enable) {
    const state::SfClipViewport& v = d.objects.viewports[viewport];
    limits = overlap(
        limits, {x + pixel_of(v.x_min_viewport, false, -32768), y + pixel_of(v.y_min_viewport, false, -32768),
                 x + pixel_of(v.x_max_viewport, true, 32767) + 1, y + pixel_of(v.y_max_viewport, true, 32767) + 1});
  }
  return limits;
}

Tests tests_at(const std::array<SamplePosition, most_samples>& at, unsigned count) {
  Tests t{.count = uint8_t(count), .at = at, .least = at[0], .greatest = at[0]};
  for (unsigned n = 1; n < count; ++n) {
    t.least = {std::min(t.least.x, at[n].x), std::min(t.least.y, at[n].y)};
    t.greatest = {std::max(t.greatest.x, at[n].x), std::max(t.greatest.y, at[n].y)};
  }
  return t;
}

bool has_parameters(const td::AaLineParameters& p) {
  return p.aa_coverage_slope || p.aa_coverage_bias || p.aa_coverage_endcap_slope || p.aa_coverage_endcap_bias ||
         p.aa_point_coverage_slope || p.aa_point_coverage_bias || p.aa_point_coverage_endcap_slope ||
         p.aa_point_coverage_endcap_bias;
}

}  // namespace

RasterMode raster_mode(const td::Raster& r, unsigned samples) {
  if (r.force_multisampling) return RasterMode(r.dx_multisample_rasterization_mode & 3);
  return modes[std::min<size_t>(r.api_mode, 2)][samples > 1][r.dx_multisample_rasterization_enable];
}

SamplePlaces sample_places(const Draw& d) {
  const int16_t location = d.state.multisample.pixel_location ? 0 : subpixels / 2;
  const RasterMode mode = raster_mode(d.state.raster, d.samples);
  SamplePlaces p{.pixel = {location, location}};
  p.apart = d.samples > 1 && (mode == RasterMode::off_pattern || mode == RasterMode::on_pattern);
  p.at.fill(p.pixel);
  if (p.apart) p.at = sample_positions(d.state.sample_pattern, d.samples);
  return p;
}

tl::expected<RasterState, Fault> raster_state(const Draw& d) {
  const td::Raster& raster = d.state.raster;
  const td::Sf& sf = d.state.sf;
  const td::Wm& wm = d.state.wm;
  const auto unsupported = [](const char* name) { return tl::unexpected<Fault>(unsupported_fault(name)); };
  const unsigned most = d.traits && d.traits->has_16_samples ? 16 : 8;
  if (!std::has_single_bit(d.samples) || d.samples > most)
    return unsupported("3DSTATE_MULTISAMPLE.NumberofMultisamples");
  if (raster.forced_sample_count) return unsupported("3DSTATE_RASTER.ForcedSampleCount");
  if (raster.front_face_fill_mode > 2 || raster.back_face_fill_mode > 2) return unsupported("3DSTATE_RASTER.FillMode");

  RasterState s;
  s.draw = &d;
  s.samples = uint8_t(d.samples);
  s.mode = raster_mode(raster, d.samples);
  const bool on = s.mode == RasterMode::on_pixel || s.mode == RasterMode::on_pattern;
  const SamplePlaces places = sample_places(d);
  s.location = places.pixel;
  s.interpolated = places.at;
  s.conservative = raster.conservative_rasterization_enable;
  s.tests = tests_at(places.at, places.apart ? d.samples : 1);
  s.polygon_tests = s.tests;
  if (s.conservative) {  // whole pixels, measured from their centres
    std::array<SamplePosition, most_samples> centre{};
    centre.fill({subpixels / 2, subpixels / 2});
    s.polygon_tests = tests_at(centre, 1);
  }
  s.transform = sf.viewport_transform_enable;
  s.divide = !d.state.clip.perspective_divide_disable;
  s.snap = sf.vertex_sub_pixel_precision_select ? 16 : 1;
  const int half = d.state.multisample.pixel_position_offset_enable ? subpixels / 2 : 0;
  s.offset_x = d.state.drawing_rectangle.drawing_rectangle_origin_x * subpixels + half;
  s.offset_y = d.state.drawing_rectangle.drawing_rectangle_origin_y * subpixels + half;

  // A width of raw / 2^f pixels: half of it has raw * 2^(7 - f) parts of 256.
  const unsigned fraction = std::min(d.traits ? d.traits->line_width_fraction_bits : 7, 7u);
  s.half_line_width = int32_t(std::min<uint32_t>(sf.line_width, (1u << 18) - 1) << (7 - fraction));
  s.antialiased_lines = raster.antialiasing_enable && !on && s.half_line_width > 0;
  s.thin_lines = s.half_line_width == 0 || (!on && !s.antialiased_lines && s.half_line_width <= subpixels / 2);
  s.stippled_lines = wm.line_stipple_enable;
  s.stippled_polygons = wm.polygon_stipple_enable;
  s.round_points = raster.smooth_point_enable || sf.smooth_point_enable;
  s.antialiasing_width = region_widths[wm.line_antialiasing_region_width & 3];
  s.end_cap_width = region_widths[wm.line_end_cap_antialiasing_region_width & 3];
  if (s.antialiased_lines && has_parameters(d.state.aa_line_parameters))
    return unsupported("3DSTATE_AA_LINE_PARAMETERS");
  if (s.stippled_lines && d.state.line_stipple.modify_enable) return unsupported("3DSTATE_LINE_STIPPLE.ModifyEnable");
  const size_t viewports = std::min<size_t>(d.state.clip.maximum_vp_index, state::most_viewports - 1) + 1;
  for (size_t v = 0; v < viewports; ++v) s.limits[v] = limits_of(d, v);
  s.depth_unit = depth_units[d.state.depth_buffer.surface_format & 7];
  return s;
}

}  // namespace vitro::pipeline
