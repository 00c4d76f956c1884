// What setup and rasteriser need of a draw's state, worked out once per draw: where coverage is sampled, which area may
// be drawn to, how lines and points look. PRM: Gen8 vol 7 "Strips and Fans", "Windower", "Multisample Rasterization
// Modes"; vol 2a 3DSTATE_RASTER, 3DSTATE_SF, 3DSTATE_WM, 3DSTATE_MULTISAMPLE. Refused by name, since no driver here
// reaches it: target-independent rasterisation (Forced Sample Count), 3DSTATE_AA_LINE_PARAMETERS other than zero, a
// line stipple's counters that are set by the packet.
#pragma once

#include <array>
#include <cstdint>
#include <tl/expected.hpp>

#include "base/fault.h"
#include "pipeline/draw.h"
#include "pipeline/pixel_plan.h"
#include "pipeline/rectangle.h"
#include "pipeline/targets.h"

namespace vitro::pipeline {

inline constexpr int subpixel_bits = 8, subpixels = 1 << subpixel_bits;

// A place in a pixel, in 1/256 of it from the upper left corner.
struct SamplePosition {
  int16_t x = 0, y = 0;
  bool operator==(const SamplePosition&) const = default;
};
inline shared::PixelPlace in_pixels(SamplePosition p) { return {float(p.x) / subpixels, float(p.y) / subpixels}; }

// 3DSTATE_SAMPLE_PATTERN's positions for pixels of 1, 2, 4, 8 or 16 samples; others have none.
std::array<SamplePosition, most_samples> sample_positions(const commands::three_d::SamplePattern&, unsigned samples);

// Whether lines are rectangles (ON) or the older shapes (OFF), and whether samples are taken where the pattern says or
// all at the pixel's location.
enum class RasterMode : uint8_t { off_pixel, off_pattern, on_pixel, on_pattern };
RasterMode raster_mode(const commands::three_d::Raster&, unsigned samples);

// Of a draw's pixels, for the rasteriser, depth tests, payloads and the pixel interpolator alike.
struct SamplePlaces {
  SamplePosition pixel{};  // its centre or upper left corner
  bool apart = false;      // the samples are where the pattern says, not all at the pixel's place
  std::array<SamplePosition, most_samples> at{};
};
SamplePlaces sample_places(const Draw&);

enum class FillMode : uint8_t { solid, wireframe, point };
enum class CullMode : uint8_t { both, none, front, back };

// Where coverage is tested: at one place for each sample of a pixel, or at one for all of them.
struct Tests {
  uint8_t count = 1;
  std::array<SamplePosition, most_samples> at{};
  SamplePosition least{}, greatest{};  // over all, in x and in y
};

struct RasterState {
  const Draw* draw = nullptr;  // must stay where it is while the state is used
  uint8_t samples = 1;         // of a pixel of the target
  BinSlices slices{};          // of the targets
  PixelPlan plan{};            // what its pixels do
  RasterMode mode = RasterMode::off_pixel;
  bool conservative = false;
  bool transform = false, divide = true;
  SamplePosition location{};                                // of pixels: their centre or upper left corner
  std::array<SamplePosition, most_samples> interpolated{};  // where sample values are interpolated, `samples` of them
  Tests tests{}, polygon_tests{};                           // these differ if polygons are drawn conservatively
  int32_t snap = 1;                                         // positions are multiples of so many 1/256 pixels
  int32_t offset_x = 0, offset_y = 0;                       // added to positions, in 1/256 pixels
  int32_t half_line_width = 0;                              // in 1/256 pixels; 0: thinnest lines
  bool thin_lines = true, antialiased_lines = false, stippled_lines = false, round_points = false;
  bool stippled_polygons = false;
  float antialiasing_width = 1, end_cap_width = 1;        // in pixels
  std::array<Rectangle, state::most_viewports> limits{};  // by viewport: the pixels that may be drawn to
  double depth_unit = 0;                                  // r of the global depth offset; 0: by the primitive's depth
};

// Of a draw with a number of samples that the device has; else, and for what is not modelled, a Fault.
tl::expected<RasterState, Fault> raster_state(const Draw&);

}  // namespace vitro::pipeline
