// Where the fields of the blitter's commands stand. PRM: Gen8 vol 2a XY_*. The forms differ in one thing only: from
// Gen8 on an address has a second dword, and what follows it moves on; so each layout is written once, over the number
// of dwords of an address. What that volume lacks: the short forms are those of Gen6 vol 1 part 5 and of the kernel;
// COLOR_BLT and SRC_COPY_BLT are the kernel's, with long addresses in their place from Gen8 on; XY_FAST_COPY_BLT is as
// the kernel and IGT write it. XY_FULL_MONO_PATTERN_BLT's bit 28 is called the source's transparency there and is the
// pattern's; XY_MONO_SRC_COPY_IMMEDIATE_BLT's bit 29 has its two values exchanged there, as drivers show.
// XY_SETUP_BLT's Mono Source Transparency Mode is bit 29, as that volume says and the X driver writes for the text that
// follows it, on Gen6 as on Gen8; Mesa's gen5.xml has it at bit 28, which only patterns have. A table.
#pragma once

#include <tuple>

#include "base/packet.h"
#include "commands/blitter.h"
#include "commands/engine.h"

namespace vitro::commands::blitter {

// --- groups of fields

inline constexpr auto byte_mask = std::tuple(field("32bpp Byte Mask", dw(0, 21, 20), &Blt::byte_mask));
inline constexpr auto source_bit = std::tuple(field("Mono Source Data Bit Position", dw(0, 19, 17), &Blt::source_bit));
inline constexpr auto range_mode =
    std::tuple(field("Transparency Range Mode", dw(0, 19, 17), &Blt::transparency_range_mode));
inline constexpr auto packing = std::tuple(field("Bit/Byte Packed", dw(0, 16), &Blt::byte_packed));
inline constexpr auto source_tiled = std::tuple(field("Src Tiling Enable", dw(0, 15), &Blt::source_tiled));
inline constexpr auto tiled = std::tuple(field("Dest Tiling Enable", dw(0, 11), &Blt::destination_tiled));
inline constexpr auto seeds = std::tuple(field("Pattern Horizontal Seed", dw(0, 14, 12), &Blt::horizontal_seed),
                                         field("Pattern Vertical Seed", dw(0, 10, 8), &Blt::vertical_seed));
inline constexpr auto raster = std::tuple(field("Color Depth", dw(1, 25, 24), &Blt::depth),
                                          field("Raster Operation", dw(1, 23, 16), &Blt::raster_operation),
                                          field("Destination Pitch", dw(1, 15, 0), &Blt::destination_pitch));
inline constexpr auto clipping = std::tuple(field("Clipping Enabled", dw(1, 30), &Blt::clipping));
inline constexpr auto solid = std::tuple(field("Solid Pattern Select", dw(1, 31), &Blt::solid_pattern));
inline constexpr auto source_transparency =
    std::tuple(field("Mono Source Transparency Mode", dw(1, 29), &Blt::source_transparency));
inline constexpr auto pattern_transparency =
    std::tuple(field("Mono Pattern Transparency Mode", dw(1, 28), &Blt::pattern_transparency));

constexpr auto corner(int n) {
  return std::tuple(field("Destination Y1 Coordinate", dw(n, 31, 16), &Blt::y1),
                    field("Destination X1 Coordinate", dw(n, 15, 0), &Blt::x1));
}
constexpr auto rectangle(int n) {
  return std::tuple_cat(corner(n), std::tuple(field("Destination Y2 Coordinate", dw(n + 1, 31, 16), &Blt::y2),
                                              field("Destination X2 Coordinate", dw(n + 1, 15, 0), &Blt::x2)));
}
constexpr auto clip_rectangle(int n) {
  return std::tuple(field("ClipRect Y1 Coordinate", dw(n, 30, 16), &Blt::clip_y1),
                    field("ClipRect X1 Coordinate", dw(n, 14, 0), &Blt::clip_x1),
                    field("ClipRect Y2 Coordinate", dw(n + 1, 30, 16), &Blt::clip_y2),
                    field("ClipRect X2 Coordinate", dw(n + 1, 14, 0), &Blt::clip_x2));
}
constexpr auto source_corner(int n) {
  return std::tuple(field("Source Y1 Coordinate", dw(n, 31, 16), &Blt::source_y),
                    field("Source X1 Coordinate", dw(n, 15, 0), &Blt::source_x));
}
constexpr auto source_pitch(int n) { return std::tuple(field("Source Pitch", dw(n, 15, 0), &Blt::source_pitch)); }
constexpr auto source_colors(int n) {
  return std::tuple(field("Source Background Color", dw(n, 31, 0), &Blt::source_background),
                    field("Source Foreground Color", dw(n + 1, 31, 0), &Blt::source_foreground));
}
constexpr auto key(int n) {
  return std::tuple(field("Transparency Color Low", dw(n, 31, 0), &Blt::source_background),
                    field("Transparency Color High", dw(n + 1, 31, 0), &Blt::source_foreground));
}
constexpr auto pattern_colors(int n) {
  return std::tuple(field("Pattern Background Color", dw(n, 31, 0), &Blt::pattern_background),
                    field("Pattern Foreground Color", dw(n + 1, 31, 0), &Blt::pattern_foreground));
}
constexpr auto setup_colors(int n) {
  return std::tuple(field("Setup Background Color", dw(n, 31, 0), &Blt::pattern_background),
                    field("Setup Foreground Color", dw(n + 1, 31, 0), &Blt::pattern_foreground));
}
constexpr auto pattern_data(int n) { return std::tuple(fields("Pattern Data", dw(n, 31, 0), 32, &Blt::pattern_data)); }
constexpr auto color(int n) { return std::tuple(field("Solid Pattern Color", dw(n, 31, 0), &Blt::pattern_background)); }

template <class... F>
constexpr PacketLayout<Blt, F...> of_fields(std::string_view name, uint32_t opcode, int dwords, std::tuple<F...> f) {
  return {name, blt(opcode), blt_mask, dwords, f};
}
template <class... Group>
constexpr auto command(std::string_view name, uint32_t opcode, int dwords, Group... groups) {
  return of_fields(name, opcode, dwords, std::tuple_cat(groups...));
}

// --- the commands; `a` is the dwords of an address

template <int a>
struct Layouts {
  static constexpr int bits = a == 2 ? 48 : 32;
  static constexpr auto destination(int n) {
    return std::tuple(field("Destination Base Address", address(n, 0, bits), &Blt::destination));
  }
  static constexpr auto source(int n) {
    return std::tuple(field("Source Base Address", address(n, 0, bits), &Blt::source));
  }
  static constexpr auto pattern(int n) {
    return std::tuple(field("Pattern Base Address", address(n, 6, bits), &Blt::pattern));
  }
  // What all commands with a rectangle begin with.
  template <class... Group>
  static constexpr auto xy(std::string_view name, uint32_t opcode, int dwords, Group... groups) {
    return command(name, opcode, dwords, byte_mask, tiled, raster, clipping, rectangle(2), destination(4), groups...);
  }

  static constexpr auto color_blt = command("COLOR_BLT", 0x40, 4 + a, byte_mask, raster,
                                            std::tuple(field("Destination Height", dw(2, 31, 16), &Blt::height),
                                                       field("Destination Width", dw(2, 15, 0), &Blt::width_bytes)),
                                            destination(3), color(3 + a));
  static constexpr auto src_copy_blt = command("SRC_COPY_BLT", 0x43, 4 + 2 * a, byte_mask, raster,
                                               std::tuple(field("X Direction", dw(1, 30), &Blt::backwards),
                                                          field("Destination Height", dw(2, 31, 16), &Blt::height),
                                                          field("Destination Width", dw(2, 15, 0), &Blt::width_bytes)),
                                               destination(3), blitter::source_pitch(3 + a), source(4 + a));

  static constexpr auto setup =
      command("XY_SETUP_BLT", 0x01, 6 + 2 * a, byte_mask, tiled, raster, clipping, source_transparency,
              clip_rectangle(2), destination(4), setup_colors(4 + a), pattern(6 + a));
  static constexpr auto setup_mono_pattern_sl =
      command("XY_SETUP_MONO_PATTERN_SL_BLT", 0x11, 8 + a, byte_mask, tiled, raster, solid, clipping,
              pattern_transparency, clip_rectangle(2), destination(4), setup_colors(4 + a), pattern_data(6 + a));
  static constexpr auto setup_clip = command("XY_SETUP_CLIP_BLT", 0x03, 3, tiled, clip_rectangle(1));
  static constexpr auto pixel = command("XY_PIXEL_BLT", 0x24, 2, tiled, corner(1));
  static constexpr auto scanlines = command("XY_SCANLINES_BLT", 0x25, 3, seeds, tiled, rectangle(1));
  static constexpr auto text = command("XY_TEXT_BLT", 0x26, 3 + a, packing, tiled, rectangle(1), source(3));
  static constexpr auto text_immediate = command("XY_TEXT_IMMEDIATE_BLT", 0x31, 3, packing, tiled, rectangle(1));

  static constexpr auto xy_color = xy("XY_COLOR_BLT", 0x50, 5 + a, color(4 + a));
  static constexpr auto pat = xy("XY_PAT_BLT", 0x51, 4 + 2 * a, seeds, pattern(4 + a));
  static constexpr auto pat_immediate = xy("XY_PAT_BLT_IMMEDIATE", 0x72, 4 + a, seeds);
  static constexpr auto pat_chroma =
      xy("XY_PAT_CHROMA_BLT", 0x76, 6 + 2 * a, range_mode, seeds, pattern(4 + a), key(4 + 2 * a));
  static constexpr auto pat_chroma_immediate =
      xy("XY_PAT_CHROMA_BLT_IMMEDIATE", 0x77, 6 + a, range_mode, seeds, key(4 + a));
  static constexpr auto mono_pat =
      xy("XY_MONO_PAT_BLT", 0x52, 8 + a, seeds, pattern_transparency, pattern_colors(4 + a), pattern_data(6 + a));
  static constexpr auto mono_pat_fixed = xy("XY_MONO_PAT_FIXED_BLT", 0x59, 6 + a, seeds,
                                            std::tuple(field("Fixed Pattern", dw(0, 18, 15), &Blt::fixed_pattern)),
                                            pattern_transparency, pattern_colors(4 + a));
  static constexpr auto src_copy = xy("XY_SRC_COPY_BLT", 0x53, 6 + 2 * a, source_tiled, source_corner(4 + a),
                                      blitter::source_pitch(5 + a), source(6 + a));
  static constexpr auto src_copy_chroma =
      xy("XY_SRC_COPY_CHROMA_BLT", 0x73, 8 + 2 * a, range_mode, source_tiled, source_corner(4 + a),
         blitter::source_pitch(5 + a), source(6 + a), key(6 + 2 * a));
  static constexpr auto mono_src_copy = xy("XY_MONO_SRC_COPY_BLT", 0x54, 6 + 2 * a, source_bit, source_transparency,
                                           source(4 + a), source_colors(4 + 2 * a));
  static constexpr auto mono_src_copy_immediate =
      xy("XY_MONO_SRC_COPY_IMMEDIATE_BLT", 0x71, 6 + a, source_bit, source_transparency, source_colors(4 + a));
  static constexpr auto full = xy("XY_FULL_BLT", 0x55, 6 + 3 * a, source_tiled, seeds, blitter::source_pitch(4 + a),
                                  source_corner(5 + a), source(6 + a), pattern(6 + 2 * a));
  static constexpr auto full_immediate_pattern =
      xy("XY_FULL_IMMEDIATE_PATTERN_BLT", 0x74, 6 + 2 * a, source_tiled, seeds, blitter::source_pitch(4 + a),
         source_corner(5 + a), source(6 + a));
  static constexpr auto full_mono_src =
      xy("XY_FULL_MONO_SRC_BLT", 0x56, 6 + 3 * a, source_bit, seeds, source_transparency, source(4 + a),
         source_colors(4 + 2 * a), pattern(6 + 2 * a));
  static constexpr auto full_mono_src_immediate_pattern =
      xy("XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT", 0x75, 6 + 2 * a, source_bit, seeds, source_transparency,
         source(4 + a), source_colors(4 + 2 * a));
  static constexpr auto full_mono_pattern = xy("XY_FULL_MONO_PATTERN_BLT", 0x57, 10 + 2 * a, source_tiled, seeds, solid,
                                               pattern_transparency, blitter::source_pitch(4 + a), source_corner(5 + a),
                                               source(6 + a), pattern_colors(6 + 2 * a), pattern_data(8 + 2 * a));
  static constexpr auto full_mono_pattern_mono_src =
      xy("XY_FULL_MONO_PATTERN_MONO_SRC_BLT", 0x58, 10 + 2 * a, source_bit, seeds, solid, source_transparency,
         pattern_transparency, source(4 + a), source_colors(4 + 2 * a), pattern_colors(6 + 2 * a),
         pattern_data(8 + 2 * a));
};
using gen6 = Layouts<1>;
using gen8 = Layouts<2>;

namespace gen9 {
using X = XyFastCopyBlt;
inline constexpr auto xy_fast_copy = layout<X>(
    "XY_FAST_COPY_BLT", blt(0x42), blt_mask, 10, field("Source Tiling Method", dw(0, 21, 20), &X::source_tiling),
    field("Source Horizontal Alignment", dw(0, 19, 17), &X::source_horizontal_alignment),
    field("Source Vertical Alignment", dw(0, 16, 15), &X::source_vertical_alignment),
    field("Destination Tiling Method", dw(0, 14, 13), &X::destination_tiling),
    field("Destination Horizontal Alignment", dw(0, 12, 10), &X::destination_horizontal_alignment),
    field("Destination Vertical Alignment", dw(0, 9, 8), &X::destination_vertical_alignment),
    field("Tile Y Type of Source", dw(1, 31), &X::source_yf),
    field("Tile Y Type of Destination", dw(1, 30), &X::destination_yf), field("Color Depth", dw(1, 26, 24), &X::depth),
    field("Destination Pitch", dw(1, 15, 0), &X::destination_pitch),
    field("Destination Y1 Coordinate", dw(2, 31, 16), &X::y1), field("Destination X1 Coordinate", dw(2, 15, 0), &X::x1),
    field("Destination Y2 Coordinate", dw(3, 31, 16), &X::y2), field("Destination X2 Coordinate", dw(3, 15, 0), &X::x2),
    field("Destination Base Address", address(4, 0), &X::destination),
    field("Source Y1 Coordinate", dw(6, 31, 16), &X::source_y),
    field("Source X1 Coordinate", dw(6, 15, 0), &X::source_x), field("Source Pitch", dw(7, 15, 0), &X::source_pitch),
    field("Source Base Address", address(8, 0), &X::source));
}  // namespace gen9

}  // namespace vitro::commands::blitter
