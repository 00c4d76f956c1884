// Surfaces as pictures for people. No part of the machine by itself.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/result.h"
#include "memory/view.h"
#include "shared/dataport/target.h"
#include "state/surface.h"

namespace vitro::device {

// The part of a surface that is shown: the level and the slices that it has as a target.
Result<shared::RenderTarget> part_of(const state::Surface& surface);

struct Pixels {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba{};
};
// The level and the first slice that a render target is, in the order of memory, rows from the top. Of several samples
// the mean. Numbers are clamped to 0 and 1, integers to 0 and 255; sRGB stays sRGB.
Result<Pixels> pixels_of(memory::View& memory, const state::Surface& surface);
// As a PNG file.
Result<void> write_picture(memory::View& memory, const state::Surface& surface, const std::string& file);

}  // namespace vitro::device
