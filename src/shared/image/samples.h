// Where the samples of multisampled surfaces lie. PRM: Gen8 vol 5 "Multisampled Surface Storage Formats", "Multisample
// Control Surface". Samples are interleaved, in groups of 2x2 pixels, or in planes, which are slices.
#pragma once

#include <cstdint>

#include "shared/image/image.h"

namespace vitro::shared {

// Interleaved samples: texels of a row and rows of texels that those of a pixel are spread over, by log2 of the
// samples.
struct SampleSpread {
  uint8_t x, y;
};
inline constexpr SampleSpread sample_spreads[] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 4}};

// From the texel of a pixel to that of one of its samples, among those of the 2x2 group.
inline void interleave(unsigned log2_samples, uint32_t s, uint32_t& x, uint32_t& y) {
  const uint32_t x1 = x & 1, y1 = y & 1, xh = x & ~1u, yh = y & ~1u;
  switch (log2_samples) {
    case 1: x = xh << 1 | (s & 1) << 1 | x1; break;
    case 2: x = xh << 1 | (s & 1) << 1 | x1, y = yh << 1 | (s & 2) | y1; break;
    case 3: x = xh << 2 | (s & 4) | (s & 1) << 1 | x1, y = yh << 1 | (s & 2) | y1; break;
    case 4: x = xh << 2 | (s & 4) | (s & 1) << 1 | x1, y = yh << 2 | (s & 8) >> 1 | (s & 2) | y1; break;
    default: break;
  }
}

// Samples in planes: the same image, whose planes are slices, those of a pixel's samples one after the other.
Image planes_of(Image);

// The control surface of a multisampled one as an image: red and green are the codes of pixels.
Image control_image(const Image&);

}  // namespace vitro::shared
