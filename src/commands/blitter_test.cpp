// The layouts of the blitter's commands against packets as drivers write them, and against the lengths of the
// documents. PRM: Gen8 vol 2a XY_*; Gen6's lengths are those of libdrm's decoder.
#include <gtest/gtest.h>

#include <vector>

#include "commands/blitter_layout_tables.h"

namespace vitro::commands::blitter {
namespace {

using Packet = std::vector<uint32_t>;

template <class g>
consteval bool all_well_formed() {
  return well_formed(g::color_blt) && well_formed(g::src_copy_blt) && well_formed(g::setup) &&
         well_formed(g::setup_mono_pattern_sl) && well_formed(g::setup_clip) && well_formed(g::pixel) &&
         well_formed(g::scanlines) && well_formed(g::text) && well_formed(g::text_immediate) &&
         well_formed(g::xy_color) && well_formed(g::pat) && well_formed(g::pat_immediate) &&
         well_formed(g::pat_chroma) && well_formed(g::pat_chroma_immediate) && well_formed(g::mono_pat) &&
         well_formed(g::mono_pat_fixed) && well_formed(g::src_copy) && well_formed(g::src_copy_chroma) &&
         well_formed(g::mono_src_copy) && well_formed(g::mono_src_copy_immediate) && well_formed(g::full) &&
         well_formed(g::full_immediate_pattern) && well_formed(g::full_mono_src) &&
         well_formed(g::full_mono_src_immediate_pattern) && well_formed(g::full_mono_pattern) &&
         well_formed(g::full_mono_pattern_mono_src);
}
static_assert(all_well_formed<gen6>() && all_well_formed<gen8>() && well_formed(gen9::xy_fast_copy));

// Dwords without immediate data.
TEST(BlitterLayouts, LengthsAreThoseOfTheDocuments) {
  struct Length {
    int opcode, gen6, gen8;
  };
  const auto dwords = [](const auto&... layouts) {
    return std::vector<std::pair<int, int>>{{int(layouts.header >> 22 & 0x7F), layouts.dwords}...};
  };
  const auto of = [&]<class g>(g) {
    return dwords(g::color_blt, g::src_copy_blt, g::setup, g::setup_mono_pattern_sl, g::setup_clip, g::pixel,
                  g::scanlines, g::text, g::text_immediate, g::xy_color, g::pat, g::pat_immediate, g::pat_chroma,
                  g::pat_chroma_immediate, g::mono_pat, g::mono_pat_fixed, g::src_copy, g::src_copy_chroma,
                  g::mono_src_copy, g::mono_src_copy_immediate, g::full, g::full_immediate_pattern, g::full_mono_src,
                  g::full_mono_src_immediate_pattern, g::full_mono_pattern, g::full_mono_pattern_mono_src);
  };
  const Length lengths[] = {
      {0x40, 5, 6},  {0x43, 6, 8},  {0x01, 8, 10}, {0x11, 9, 10},  {0x03, 3, 3},   {0x24, 2, 2},  {0x25, 3, 3},
      {0x26, 4, 5},  {0x31, 3, 3},  {0x50, 6, 7},  {0x51, 6, 8},   {0x72, 5, 6},   {0x76, 8, 10}, {0x77, 7, 8},
      {0x52, 9, 10}, {0x59, 7, 8},  {0x53, 8, 10}, {0x73, 10, 12}, {0x54, 8, 10},  {0x71, 7, 8},  {0x55, 9, 12},
      {0x74, 8, 10}, {0x56, 9, 12}, {0x75, 8, 10}, {0x57, 12, 14}, {0x58, 12, 14},
  };
  const auto first = of(gen6{}), second = of(gen8{});
  ASSERT_EQ(first.size(), std::size(lengths));
  for (size_t n = 0; n < first.size(); ++n) {
    EXPECT_EQ(first[n], std::pair(lengths[n].opcode, lengths[n].gen6));
    EXPECT_EQ(second[n], std::pair(lengths[n].opcode, lengths[n].gen8));
  }
}

// libdrm's sample of a copy between buffers, of the old form.
TEST(BlitterLayouts, SourceCopyOfGen6) {
  const Blt b = unpack(gen6::src_copy, Packet{0x54F08006, 0x03CC0190, 0, 0x00640064, 0x122E9000, 0, 0x80, 0x02FF1000});
  EXPECT_EQ(b.byte_mask, 3);
  EXPECT_TRUE(b.source_tiled);
  EXPECT_FALSE(b.destination_tiled);
  EXPECT_EQ(b.depth, 3);
  EXPECT_EQ(b.raster_operation, 0xCC);
  EXPECT_EQ(b.destination_pitch, 400);
  EXPECT_EQ(std::tuple(b.x1, b.y1, b.x2, b.y2), std::tuple(0, 0, 100, 100));
  EXPECT_EQ(b.destination, 0x122E9000u);
  EXPECT_EQ(b.source_pitch, 128);
  EXPECT_EQ(b.source, 0x02FF1000u);
}

TEST(BlitterLayouts, LongAddressesAndSigns) {
  const Blt b = unpack(gen8::full, Packet{0x557FFF0A, 0x42AA8000, 0xFFFE8000, 0x7FFF0003, 0x89ABCDC0, 0xFFFF1234,
                                          0x0000FF00, 0x80007FFF, 0x11112222, 0x3333, 0x12345678, 0xABCD});
  EXPECT_EQ(std::tuple(b.horizontal_seed, b.vertical_seed), std::tuple(7, 7));
  EXPECT_TRUE(b.clipping);
  EXPECT_EQ(b.depth, 2);
  EXPECT_EQ(b.destination_pitch, 0x8000);
  EXPECT_EQ(std::tuple(b.x1, b.y1, b.x2, b.y2), std::tuple(-32768, -2, 3, 32767));
  EXPECT_EQ(b.destination, 0x123489ABCDC0u);
  EXPECT_EQ(b.source_pitch, 0xFF00);
  EXPECT_EQ(std::tuple(b.source_x, b.source_y), std::tuple(32767, -32768));
  EXPECT_EQ(b.source, 0x333311112222u);
  EXPECT_EQ(b.pattern, 0xABCD12345640u);  // of a cache line
}

// The kernel's copy of pages.
TEST(BlitterLayouts, FastCopy) {
  const XyFastCopyBlt c =
      unpack(gen9::xy_fast_copy, Packet{0x50800008, 0x03001000, 0, 0x00100400, 0x10000, 1, 0, 0x1000, 0x20000, 2});
  EXPECT_EQ(std::tuple(c.depth, c.destination_pitch, c.source_pitch), std::tuple(3, 4096, 4096));
  EXPECT_EQ(std::tuple(c.x2, c.y2), std::tuple(1024, 16));
  EXPECT_EQ(std::tuple(c.destination, c.source), std::tuple(0x100010000u, 0x200020000u));
  EXPECT_EQ(std::tuple(c.source_tiling, c.destination_tiling), std::tuple(0, 0));
}

}  // namespace
}  // namespace vitro::commands::blitter
