// The blitter's commands as meant. PRM: Gen8 vol 2a XY_*; the engine's own volume (Gen8 vol 10) for COLOR_BLT,
// SRC_COPY_BLT and the registers BR00..BR29, which one struct stands for: every command but the last sets some of them.
// Where the bits stand is in blitter_layout_tables.h. Immediate data follows a packet's last field.
#pragma once

#include <array>
#include <cstdint>

namespace vitro::commands {

struct Blt {
  // BR00
  uint8_t byte_mask;  // 32bpp Byte Mask: bit 0 lets red, green and blue be written, bit 1 alpha
  uint8_t source_bit;
  uint8_t transparency_range_mode;
  uint8_t fixed_pattern;
  bool byte_packed;
  bool source_tiled, destination_tiled;
  uint8_t horizontal_seed, vertical_seed;
  // BR13, of setup commands BR01
  bool solid_pattern, clipping, source_transparency, pattern_transparency;
  bool backwards;  // of commands without coordinates, where the bit of clipping has another meaning
  uint8_t depth;
  uint8_t raster_operation;
  uint16_t destination_pitch;  // bytes, 2's complement; of tiled surfaces dwords
  // BR14: of commands without coordinates
  uint16_t height, width_bytes;
  // BR22..BR26
  int16_t x1, y1, x2, y2;
  uint16_t clip_x1, clip_y1, clip_x2, clip_y2;
  int16_t source_x, source_y;
  uint16_t source_pitch;
  // BR09, BR12, BR15 and the upper halves BR27..BR29
  uint64_t destination, source, pattern;
  // BR16..BR21
  uint32_t pattern_background, pattern_foreground;
  uint32_t source_background, source_foreground;  // also the bounds of colour keys
  std::array<uint32_t, 2> pattern_data;
};

// Gen9.
struct XyFastCopyBlt {
  uint8_t source_tiling, destination_tiling;
  uint8_t source_horizontal_alignment, source_vertical_alignment;
  uint8_t destination_horizontal_alignment, destination_vertical_alignment;
  bool source_yf, destination_yf;  // of the tilings that are Y or Yf
  uint8_t depth;
  uint16_t destination_pitch, source_pitch;
  int16_t x1, y1, x2, y2, source_x, source_y;
  uint64_t destination, source;
};

}  // namespace vitro::commands
