// Where a byte of a tiled surface lies. PRM: "Memory Data Formats / Surface Tiling": X, Y and W tiles of 4 KB; Gen9's
// Yf (4 KB) and Ys (64 KB) for 2D surfaces. A tile is a rectangle of bytes by rows; tiles follow each other row by row.
// Addresses are written once over a lane domain, as bits of column and row that go to places of their own: the two
// parts of an address are computed by themselves, and added.
// Not modelled: the swizzling of address bit 6 (no device reports it), mip tails, and the 3D and multisampled shapes of
// Yf and Ys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lanes/domain.h"

namespace vitro::memory {

enum class Tiling : uint8_t { linear, w, x, y, yf, ys };

// Bits of a coordinate, from bit `from` on, that stand together in the offset, from bit `to` on.
struct TileBits {
  uint8_t from = 0, to = 0;
  uint32_t mask = 0;  // of the offset; 0: all bits from there on
};
struct TileLayout {
  uint8_t log2_width = 0, log2_height = 0;  // bytes, rows
  uint8_t columns = 0, rows = 0;            // how many parts there are
  std::array<TileBits, 6> column{}, row{};
};
// `bits_per_element` matters to Yf and Ys only.
const TileLayout& tile_layout(Tiling tiling, unsigned bits_per_element = 32);

struct TileShape {
  uint32_t width = 1;   // bytes
  uint32_t height = 1;  // rows
  uint32_t bytes = 1;
};
TileShape tile_shape(Tiling tiling, unsigned bits_per_element = 32);

// --- parts of an address: column x in bytes, row y

template <class D>
typename D::I tile_bits(const D& d, const TileBits& b, typename D::I v) {
  if (b.mask == 0) return b.to == 0 ? v : d.shift_left(d.shift_right(v, int32_t(b.from)), int32_t(b.to));
  return (b.to == b.from ? v : d.shift_left(v, int32_t(b.to - b.from))) & int32_t(b.mask);
}
template <class D>
typename D::I tile_column(const D& d, const TileLayout& t, typename D::I x) {
  typename D::I at = tile_bits(d, t.column[0], x);
  for (unsigned n = 1; n < t.columns; ++n) at = at + tile_bits(d, t.column[n], x);
  return at;
}
template <class D>
typename D::I tile_row_inside(const D& d, const TileLayout& t, typename D::I y) {
  typename D::I at = d.i(0);
  for (unsigned n = 0; n < t.rows; ++n) at = at + tile_bits(d, t.row[n], y);
  return at;
}
// `pitch`: the bytes of a row of tiles.
template <class D>
typename D::I tile_row(const D& d, const TileLayout& t, typename D::I y, typename D::I pitch) {
  if (t.rows == 0) return y * pitch;
  return d.shift_right(y, int32_t(t.log2_height)) * pitch + tile_row_inside(d, t, y);
}

// --- in a surface: `pitch` is the bytes of a row of texels, a multiple of the tile's width. (The surface state of W
// tiles stores twice that.)

uint64_t tiled_offset(const TileLayout& layout, uint64_t x, uint64_t y, uint32_t pitch);
inline uint64_t tiled_offset(Tiling tiling, uint32_t x, uint32_t y, uint32_t pitch, unsigned bits_per_element = 32) {
  return tiled_offset(tile_layout(tiling, bits_per_element), x, y, pitch);
}

// Copies a rectangle of bytes by rows between a tiled surface, which begins at `tiled`, and rows `linear_pitch` apart.
struct TileRectangle {
  uint32_t x = 0, y = 0;           // bytes, rows: in the tiled surface
  uint32_t width = 0, height = 0;  // bytes, rows
};
void copy_from_tiled(Tiling tiling, const std::byte* tiled, uint32_t pitch, TileRectangle rectangle, std::byte* linear,
                     size_t linear_pitch, unsigned bits_per_element = 32);
void copy_to_tiled(Tiling tiling, std::byte* tiled, uint32_t pitch, TileRectangle rectangle, const std::byte* linear,
                   size_t linear_pitch, unsigned bits_per_element = 32);

}  // namespace vitro::memory
