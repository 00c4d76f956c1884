// Tests of tiling: each tile's offsets against the address bits the documents draw, surfaces of several tiles, and
// copies there and back.
#include "memory/tiling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace vitro::memory {
namespace {

// Address bits from the highest down, "y2 y1 y0 x8 ..." as in the figures.
uint32_t from_bits(std::string_view figure, uint32_t x, uint32_t y) {
  uint32_t offset = 0;
  for (size_t at = 0; at < figure.size(); at += 3) {
    const uint32_t from = figure[at] == 'x' ? x : y;
    offset = offset << 1 | (from >> (figure[at + 1] - '0') & 1);
  }
  return offset;
}

struct Figure {
  const char* name;
  Tiling tiling;
  unsigned bits_per_element;
  uint32_t width, height;
  std::string_view bits;
};
constexpr Figure figures[] = {
    {"X", Tiling::x, 32, 512, 8, "y2 y1 y0 x8 x7 x6 x5 x4 x3 x2 x1 x0"},
    {"Y", Tiling::y, 32, 128, 32, "x6 x5 x4 y4 y3 y2 y1 y0 x3 x2 x1 x0"},
    {"W", Tiling::w, 8, 64, 64, "x5 x4 x3 y5 y4 y3 y2 x2 y1 x1 y0 x0"},
    {"Yf 8", Tiling::yf, 8, 64, 64, "x5 y5 x4 y4 y3 y2 y1 y0 x3 x2 x1 x0"},
    {"Yf 16", Tiling::yf, 16, 128, 32, "x6 y4 x5 y3 x4 y2 y1 y0 x3 x2 x1 x0"},
    {"Yf 32", Tiling::yf, 32, 128, 32, "x6 y4 x5 y3 x4 y2 y1 y0 x3 x2 x1 x0"},
    {"Yf 64", Tiling::yf, 64, 256, 16, "x7 y3 x6 y2 x5 x4 y1 y0 x3 x2 x1 x0"},
    {"Yf 128", Tiling::yf, 128, 256, 16, "x7 y3 x6 y2 x5 x4 y1 y0 x3 x2 x1 x0"},
    {"Ys 8", Tiling::ys, 8, 256, 256, "x7 y7 x6 y6 x5 y5 x4 y4 y3 y2 y1 y0 x3 x2 x1 x0"},
    {"Ys 32", Tiling::ys, 32, 512, 128, "x8 y6 x7 y5 x6 y4 x5 y3 x4 y2 y1 y0 x3 x2 x1 x0"},
    {"Ys 128", Tiling::ys, 128, 1024, 64, "x9 y5 x8 y4 x7 y3 x6 y2 x5 x4 y1 y0 x3 x2 x1 x0"},
};

TEST(Tiling, every_byte_of_a_tile_lies_where_the_figure_says) {
  for (const Figure& f : figures) {
    const TileShape s = tile_shape(f.tiling, f.bits_per_element);
    EXPECT_EQ(s.width, f.width) << f.name;
    EXPECT_EQ(s.height, f.height) << f.name;
    EXPECT_EQ(s.bytes, f.width * f.height) << f.name;
    for (uint32_t y = 0; y < f.height; ++y)
      for (uint32_t x = 0; x < f.width; ++x)
        ASSERT_EQ(tiled_offset(f.tiling, x, y, f.width, f.bits_per_element), from_bits(f.bits, x, y))
            << f.name << " " << x << "," << y;
  }
}

TEST(Tiling, tiles_follow_each_other_row_by_row) {
  for (const Figure& f : figures) {
    const uint32_t pitch = f.width * 3, bytes = f.width * f.height;
    EXPECT_EQ(tiled_offset(f.tiling, f.width, 0, pitch, f.bits_per_element), bytes) << f.name;
    EXPECT_EQ(tiled_offset(f.tiling, 0, f.height, pitch, f.bits_per_element), 3 * bytes) << f.name;
    EXPECT_EQ(tiled_offset(f.tiling, 2 * f.width + 1, f.height * 2, pitch, f.bits_per_element), 8 * bytes + 1)
        << f.name;
  }
  EXPECT_EQ(tiled_offset(Tiling::linear, 5, 7, 100), 705u);
}

TEST(Tiling, copies_match_the_offsets) {
  Rng rng(5);
  for (const Figure& f : figures) {
    const uint32_t pitch = f.width * 2, rows = f.height * 2;
    std::vector<std::byte> tiled(size_t(pitch) * rows), linear(size_t(pitch) * rows), back(linear.size());
    for (std::byte& b : linear) b = std::byte(rng());
    const TileRectangle all{0, 0, pitch, rows};
    copy_to_tiled(f.tiling, tiled.data(), pitch, all, linear.data(), pitch, f.bits_per_element);
    for (uint32_t y = 0; y < rows; ++y)
      for (uint32_t x = 0; x < pitch; ++x)
        ASSERT_EQ(tiled[tiled_offset(f.tiling, x, y, pitch, f.bits_per_element)], linear[size_t(y) * pitch + x]);
    copy_from_tiled(f.tiling, tiled.data(), pitch, all, back.data(), pitch, f.bits_per_element);
    EXPECT_EQ(back, linear) << f.name;
  }
}

TEST(Tiling, a_part_is_copied_alone) {
  for (const Figure& f : figures) {
    const uint32_t pitch = f.width * 2, rows = f.height * 2;
    std::vector<std::byte> tiled(size_t(pitch) * rows);
    const TileRectangle part{f.width - 3, f.height - 1, 7, 3};
    const std::vector<std::byte> ones(21, std::byte{1});
    copy_to_tiled(f.tiling, tiled.data(), pitch, part, ones.data(), 7, f.bits_per_element);
    size_t changed = 0;
    for (const std::byte b : tiled) changed += b == std::byte{1};
    EXPECT_EQ(changed, 21u) << f.name;
    std::vector<std::byte> read(21);
    copy_from_tiled(f.tiling, tiled.data(), pitch, part, read.data(), 7, f.bits_per_element);
    EXPECT_EQ(read, ones) << f.name;
  }
  std::vector<std::byte> rows(64), out(4);
  rows[33] = std::byte{9};
  copy_from_tiled(Tiling::linear, rows.data(), 16, {1, 2, 2, 2}, out.data(), 2);
  EXPECT_EQ(out[0], std::byte{9});
}

// Large copies go past the caches: whole lines of tiles in strips, the rest piece by piece.
TEST(Tiling, large_copies_match_the_offsets) {
  Rng rng(6);
  constexpr uint32_t pitch = 8192, rows = 768;
  constexpr TileRectangle parts[] = {{0, 0, pitch, rows}, {37, 3, pitch - 50, rows - 8}};
  std::vector<std::byte> space(size_t(pitch) * rows + 64), linear(size_t(pitch) * rows);
  std::byte* const tiled = space.data() + (64 - reinterpret_cast<uintptr_t>(space.data()) % 64);
  for (std::byte& b : linear) b = std::byte(rng());
  for (const Figure& f : figures)
    for (const TileRectangle& r : parts) {
      std::fill(space.begin(), space.end(), std::byte{});
      copy_to_tiled(f.tiling, tiled, pitch, r, linear.data(), pitch, f.bits_per_element);
      for (uint32_t y = 0; y < rows; ++y)
        for (uint32_t x = 0; x < pitch; ++x) {
          const bool inside = x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
          const std::byte wanted = inside ? linear[size_t(y - r.y) * pitch + (x - r.x)] : std::byte{};
          ASSERT_EQ(tiled[tiled_offset(f.tiling, x, y, pitch, f.bits_per_element)], wanted)
              << f.name << " " << x << "," << y;
        }
    }
}

}  // namespace
}  // namespace vitro::memory
