// Where a byte of a tiled surface lies. PRM: "Memory Data Formats / Surface Tiling": X, Y and W tiles of 4 KB; Gen9's
// Yf (4 KB) and Ys (64 KB) for 2D surfaces. A tile is a rectangle of bytes by rows; tiles follow each other row by row.
// Not modelled: the swizzling of address bit 6 (no device reports it), mip tails, and the 3D and multisampled shapes of
// Yf and Ys.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vitro::memory {

enum class Tiling : uint8_t { linear, w, x, y, yf, ys };

struct TileShape {
  uint32_t width = 1;   // bytes
  uint32_t height = 1;  // rows
  uint32_t bytes = 1;
};
// `bits_per_element` matters to Yf and Ys only.
TileShape tile_shape(Tiling tiling, unsigned bits_per_element = 32);

// --- inside a tile: x in bytes, y in rows

constexpr uint32_t x_tile_offset(uint32_t x, uint32_t y) { return y * 512 + x; }
constexpr uint32_t y_tile_offset(uint32_t x, uint32_t y) { return (x >> 4) * 512 + y * 16 + (x & 15); }
constexpr uint32_t w_tile_offset(uint32_t x, uint32_t y) {
  return (x >> 3) * 512 + (y >> 2) * 32 + (x >> 2 & 1) * 16 + (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 + (y & 1) * 2 +
         (x & 1);
}
uint32_t yf_tile_offset(uint32_t x, uint32_t y, unsigned bits_per_element);
uint32_t ys_tile_offset(uint32_t x, uint32_t y, unsigned bits_per_element);

// --- in a surface: `pitch` is the bytes of a row of texels, a multiple of the tile's width. (The surface state of W
// tiles stores twice that.)

uint64_t tiled_offset(Tiling tiling, uint32_t x, uint32_t y, uint32_t pitch, unsigned bits_per_element = 32);

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
