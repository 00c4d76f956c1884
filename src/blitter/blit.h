// A blit: what all of the blitter's commands come down to. Each pixel of a rectangle becomes what a raster operation
// makes of pattern, source and destination, unless clipping, a mask of channels, a transparent bit or a colour key keep
// it. PRM: Gen8 vol 10, "BLT Engine"; vol 2a XY_*.
// Order: rows go downwards, and upwards if source and destination have the same base and the source begins further up;
// of a row all of the source is read before any of the destination is written. This is what the documents' rules for
// overlaps come to. Not modelled: bytes that are kept are written again as they are, which other engines could notice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "blitter/surface.h"

namespace vitro::blitter {

// The first pixels are inside, the last outside.
struct Rectangle {
  int32_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  bool empty() const { return x2 <= x1 || y2 <= y1; }
  int32_t width() const { return x2 - x1; }
  int32_t height() const { return y2 - y1; }
};
Rectangle intersection(const Rectangle& a, const Rectangle& b);

// Pixels where they are, with the one that goes to the rectangle's first.
struct ColorSource {
  Surface surface;
  int32_t x = 0, y = 0;
};
// Bits, the leftmost pixel's is the highest of its byte. In memory, or in the command itself.
struct MonoSource {
  uint64_t address = 0;
  std::span<const std::byte> data{};
  bool immediate = false;
  uint64_t first_bit = 0;  // of the rectangle's first pixel
  uint64_t line_bits = 0;  // from one row to the next
  uint32_t background = 0, foreground = 0;
  bool transparent = false;  // zeros are not drawn
};
// Eight by eight pixels, which repeat from the surface's first pixel on.
struct Pattern {
  std::array<uint32_t, 64> pixels{};
  uint64_t drawn = ~uint64_t{0};  // by pixel
  uint8_t horizontal_seed = 0, vertical_seed = 0;
};
// Pixels whose source's colour is between two others are kept, or those whose destination's is not: each component by
// itself. PRM: BR00, "Transparency Range Mode".
struct ColorKey {
  uint32_t low = 0, high = 0;
  bool of_destination = false, with_alpha = false;
};

// How a pixel is divided.
struct Depth {
  uint8_t bytes = 1;
  uint32_t alpha = 0;
  std::array<uint32_t, 3> colors{0xFF, 0, 0};
};
const Depth& depth(unsigned code);  // Color Depth: 8, 565, 1555, 8888

struct Blit {
  Surface destination;
  Rectangle rectangle;
  std::optional<Rectangle> clip{};
  unsigned bytes_per_pixel = 1;
  uint8_t raster_operation = 0;
  uint32_t written = ~0u;  // bits of a pixel of up to four bytes
  std::optional<ColorSource> color_source{};
  std::optional<MonoSource> mono_source{};
  std::optional<Pattern> pattern{};
  std::optional<ColorKey> key{};
  const Depth* depth = nullptr;  // of the key
};

// `stop`, which may be empty, is asked now and then; if it holds, the blit is abandoned, which is a Fault.
Outcome run(const Blit& blit, memory::View& view, const std::function<bool()>& stop);

}  // namespace vitro::blitter
