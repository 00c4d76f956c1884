// Render target messages: what a pixel thread's outputs become. PRM: Gen8 vol 2a MSD_RTW_*, vol 7 "Render Target
// Write", "Color Calculator"; Gen9 "Render Target Read". The payload is taken apart here, tests that waited for it are
// made, and colours are blended and written; target.h has the targets, blend.h the arithmetic. A message is carried out
// at once and threads run in order, so `sendc` and Last Render Target have nothing to add. Not modelled: dithering, of
// colours and of alpha to coverage.
#pragma once

#include <array>
#include <cstdint>

#include "shared/dataport/blend.h"
#include "shared/dataport/target.h"
#include "shared/pixel_context.h"

namespace vitro::shared {

inline constexpr unsigned most_message_lanes = 16;

// What a message has, from the thread's lane `first` on.
struct PixelOutputs {
  using Component = std::array<uint32_t, most_message_lanes>;
  unsigned first = 0, count = 0;
  std::array<Component, 4> colour{}, second{};  // as their target takes them: bits of floats, or integers
  uint32_t layer = 0;
};

// Samples of the message's lanes, by sample, a bit for each lane of the thread.
using LitSamples = std::array<uint32_t, most_pixel_samples>;

// Blends and writes pixel by pixel, whatever the target is. It must be supported, and no null surface.
void write_colours_plainly(memory::View&, const RenderTarget&, const PixelContext&, const state::BlendStateEntry&,
                           const PixelOutputs&, const LitSamples&);

}  // namespace vitro::shared
