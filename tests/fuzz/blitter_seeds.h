// Batches of the blitter as seeds: every command in the form of a generation, with surfaces inside the object of
// batch.h, several depths, operations and tilings, and a few that reach beyond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "batch.h"
#include "commands/blitter_layout_tables.h"

namespace vitro::fuzz {

using Words = std::vector<uint32_t>;

template <class Layout>
void append(Words& batch, const Layout& l, const typename Layout::Struct& s, size_t immediate = 0) {
  Words packet(size_t(l.dwords) + immediate);
  pack(l, s, packet);
  packet[0] = (packet[0] & ~0xFFu) | uint32_t(packet.size() - 2);
  for (size_t n = size_t(l.dwords); n < packet.size(); ++n) packet[n] = uint32_t(n * 2654435761u);
  batch.insert(batch.end(), packet.begin(), packet.end());
}

struct BlitSeed {
  std::string name;
  Words batch;
};

// One batch for each command, after a setup and a clip.
template <class g>
std::vector<BlitSeed> blits(bool has_fast_copy) {
  std::vector<BlitSeed> seeds;
  constexpr uint8_t operations[] = {0xF0, 0xCC, 0x5A, 0x66, 0xB8, 0x55};
  for (uint32_t variant = 0; variant < 6; ++variant) {
    const bool tiled = variant & 1;
    commands::Blt c{};
    c.byte_mask = 3, c.depth = uint8_t(variant % 4), c.raster_operation = operations[variant];
    c.source_tiled = c.destination_tiled = tiled;
    c.destination_pitch = c.source_pitch = tiled ? 128 : 512;
    c.horizontal_seed = 3, c.vertical_seed = 5, c.source_bit = 2, c.clipping = variant == 4;
    c.transparency_range_mode = uint8_t(variant == 5 ? 7 : 2 * variant + 1), c.fixed_pattern = uint8_t(variant);
    c.source_transparency = variant == 3, c.pattern_transparency = variant == 2, c.solid_pattern = variant == 4;
    c.x1 = 3, c.y1 = 2, c.x2 = 20, c.y2 = 12, c.source_x = 5, c.source_y = 1;
    c.clip_x1 = 4, c.clip_y1 = 4, c.clip_x2 = 16, c.clip_y2 = 8;
    c.height = 10, c.width_bytes = 64;
    c.destination = base + data_at, c.source = base + data_at + (variant == 2 ? 0 : 0x4000), c.pattern = base + 0x1000;
    c.pattern_background = c.source_background = 0x01020304, c.pattern_foreground = c.source_foreground = 0xF0E0D0C0;
    c.pattern_data = {0x55AA33CC, 0x0F0F1234};
    if (variant == 5) c.x1 = -32768, c.y2 = 32767, c.destination = 0x7FFFFFFF000;
    const size_t pattern = size_t(16) << (c.depth == 0 ? 0 : c.depth == 3 ? 2 : 1);
    const auto with = [&](std::string_view name, auto&&... parts) {
      Words batch{0x11000001, 0x22200, 0x00030000 | (variant / 2 & 3)};
      append(batch, g::setup_clip, c);
      (parts(batch), ...);
      batch.push_back(0x05000000);
      seeds.push_back({std::string(name) + "-" + std::to_string(variant), batch});
    };
    const auto one = [&](const auto& layout, size_t immediate = 0) {
      with(layout.name, [&](Words& b) { append(b, layout, c, immediate); });
    };
    const auto set_up = [&](Words& b) { append(b, g::setup, c); };
    const auto set_up_mono = [&](Words& b) { append(b, g::setup_mono_pattern_sl, c); };
    one(g::color_blt), one(g::src_copy_blt), one(g::xy_color), one(g::pat), one(g::pat_immediate, pattern);
    one(g::pat_chroma), one(g::pat_chroma_immediate, pattern), one(g::mono_pat), one(g::mono_pat_fixed);
    one(g::src_copy), one(g::src_copy_chroma), one(g::mono_src_copy), one(g::mono_src_copy_immediate, 10);
    one(g::full), one(g::full_immediate_pattern, pattern), one(g::full_mono_src);
    one(g::full_mono_src_immediate_pattern, pattern), one(g::full_mono_pattern), one(g::full_mono_pattern_mono_src);
    with("XY_PIXEL_BLT", set_up, [&](Words& b) { append(b, g::pixel, c); });
    with("XY_SCANLINES_BLT", set_up, [&](Words& b) { append(b, g::scanlines, c); });
    with("XY_SCANLINES_BLT-mono", set_up_mono, [&](Words& b) { append(b, g::scanlines, c); });
    with("XY_TEXT_BLT", set_up, [&](Words& b) { append(b, g::text, c); });
    with("XY_TEXT_IMMEDIATE_BLT", set_up, [&](Words& b) { append(b, g::text_immediate, c, 6); });
    if (!has_fast_copy) continue;
    commands::XyFastCopyBlt f{};
    f.source_tiling = uint8_t(variant & 3), f.destination_tiling = uint8_t((variant + 2) & 3);
    f.source_yf = variant == 2, f.destination_yf = variant == 4, f.depth = variant;
    f.destination_pitch = f.source_pitch = 1024;
    f.x2 = 20, f.y2 = 12, f.source_x = 1;
    f.destination = c.destination, f.source = c.source;
    with("XY_FAST_COPY_BLT", [&](Words& b) { append(b, commands::blitter::gen9::xy_fast_copy, f); });
  }
  return seeds;
}

}  // namespace vitro::fuzz
