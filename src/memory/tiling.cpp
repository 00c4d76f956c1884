// Tile shapes and copies between tiled and linear memory. PRM: "Memory Data Formats / Surface Tiling". Yf and Ys are
// given by their patterns: which coordinate each address bit comes from; the bits of a coordinate stay in order.
#include "memory/tiling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <string_view>

namespace vitro::memory {

namespace {

// Bits of the offset, highest first.
struct Pattern {
  unsigned bits_per_element;  // up to
  std::string_view yf;
};
constexpr Pattern patterns[] = {
    {8, "xyxyyyyyxxxx"},
    {32, "xyxyxyyyxxxx"},
    {128, "xyxyxxyyxxxx"},
};
constexpr std::string_view ys_prefix = "xyxy";

constexpr std::string_view pattern_of(unsigned bits_per_element) {
  for (const Pattern& p : patterns)
    if (bits_per_element <= p.bits_per_element) return p.yf;
  return patterns[std::size(patterns) - 1].yf;
}

struct Interleave {
  uint32_t offset = 0, x, y;
  unsigned at = 0;
  constexpr void take(std::string_view pattern) {
    for (size_t n = pattern.size(); n-- > 0; ++at) {
      uint32_t& from = pattern[n] == 'x' ? x : y;
      offset |= (from & 1) << at;
      from >>= 1;
    }
  }
};

TileShape shape_of(std::string_view low, std::string_view high) {
  TileShape s;
  for (const std::string_view part : {low, high})
    for (const char c : part) (c == 'x' ? s.width : s.height) *= 2, s.bytes *= 2;
  return s;
}

}  // namespace

TileShape tile_shape(Tiling tiling, unsigned bits_per_element) {
  static constexpr std::array<TileShape, 4> fixed = {
      {{1, 1, 1}, {64, 64, 4096}, {512, 8, 4096}, {128, 32, 4096}}};  // linear, W, X, Y
  if (tiling == Tiling::yf) return shape_of(pattern_of(bits_per_element), "");
  if (tiling == Tiling::ys) return shape_of(pattern_of(bits_per_element), ys_prefix);
  return fixed[size_t(tiling)];
}

uint32_t yf_tile_offset(uint32_t x, uint32_t y, unsigned bits_per_element) {
  Interleave i{.x = x, .y = y};
  i.take(pattern_of(bits_per_element));
  return i.offset;
}

uint32_t ys_tile_offset(uint32_t x, uint32_t y, unsigned bits_per_element) {
  Interleave i{.x = x, .y = y};
  i.take(pattern_of(bits_per_element));
  i.take(ys_prefix);
  return i.offset;
}

uint64_t tiled_offset(Tiling tiling, uint32_t x, uint32_t y, uint32_t pitch, unsigned bits_per_element) {
  if (tiling == Tiling::linear) return uint64_t(y) * pitch + x;
  const TileShape s = tile_shape(tiling, bits_per_element);
  const uint64_t tile = (uint64_t(y / s.height) * (pitch / s.width) + x / s.width) * s.bytes;
  x %= s.width, y %= s.height;
  switch (tiling) {
    case Tiling::x: return tile + x_tile_offset(x, y);
    case Tiling::y: return tile + y_tile_offset(x, y);
    case Tiling::w: return tile + w_tile_offset(x, y);
    case Tiling::yf: return tile + yf_tile_offset(x, y, bits_per_element);
    case Tiling::ys: return tile + ys_tile_offset(x, y, bits_per_element);
    case Tiling::linear: break;
  }
  return tile;
}

namespace {

// Calls visit(offset in the tiled surface, offset in the linear rows, bytes) for pieces that are contiguous in both.
template <class Visit>
void for_each_piece(Tiling tiling, uint32_t pitch, const TileRectangle& r, size_t linear_pitch, unsigned bpe,
                    Visit&& visit) {
  // How many bytes of a row follow each other: all of it, a tile's row of X, 16 bytes of Y and its kin, 2 of W.
  static constexpr std::array<uint32_t, 6> runs = {~0u, 2, 512, 16, 16, 16};
  const uint32_t run = runs[size_t(tiling)];
  for (uint32_t row = 0; row < r.height; ++row) {
    for (uint32_t done = 0; done < r.width;) {
      const uint32_t x = r.x + done;
      const uint32_t n = tiling == Tiling::linear ? r.width : std::min(run - x % run, r.width - done);
      visit(tiled_offset(tiling, x, r.y + row, pitch, bpe), row * linear_pitch + done, n);
      done += n;
    }
  }
}

}  // namespace

void copy_from_tiled(Tiling tiling, const std::byte* tiled, uint32_t pitch, TileRectangle rectangle, std::byte* linear,
                     size_t linear_pitch, unsigned bits_per_element) {
  for_each_piece(tiling, pitch, rectangle, linear_pitch, bits_per_element,
                 [&](uint64_t at, size_t to, size_t n) { std::memcpy(linear + to, tiled + at, n); });
}

void copy_to_tiled(Tiling tiling, std::byte* tiled, uint32_t pitch, TileRectangle rectangle, const std::byte* linear,
                   size_t linear_pitch, unsigned bits_per_element) {
  for_each_piece(tiling, pitch, rectangle, linear_pitch, bits_per_element,
                 [&](uint64_t at, size_t from, size_t n) { std::memcpy(tiled + at, linear + from, n); });
}

}  // namespace vitro::memory
