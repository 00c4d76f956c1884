// The layouts of tiles, and copies between tiled and linear memory. PRM: "Memory Data Formats / Surface Tiling". A tile
// is given by its pattern: which coordinate each address bit comes from; the bits of a coordinate stay in order.
#include "memory/tiling.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "lanes/one.h"

namespace vitro::memory {

namespace {

// Bits of the offset, highest first.
struct Pattern {
  Tiling tiling;
  unsigned bits_per_element;  // up to
  std::string_view bits;
};
constexpr unsigned any = ~0u;
constexpr Pattern patterns[] = {
    {Tiling::linear, any, ""},
    {Tiling::w, any, "xxxyyyyxyxyx"},
    {Tiling::x, any, "yyyxxxxxxxxx"},
    {Tiling::y, any, "xxxyyyyyxxxx"},
    {Tiling::yf, 8, "xyxyyyyyxxxx"},
    {Tiling::yf, 32, "xyxyxyyyxxxx"},
    {Tiling::yf, any, "xyxyxxyyxxxx"},
    {Tiling::ys, 8, "xyxyxyxyyyyyxxxx"},
    {Tiling::ys, 32, "xyxyxyxyxyyyxxxx"},
    {Tiling::ys, any, "xyxyxyxyxxyyxxxx"},
};

// The parts of one coordinate. Behind the highest bit of a column are those of the tile's number.
constexpr uint8_t take_apart(std::string_view pattern, char which, std::array<TileBits, 6>& parts) {
  uint8_t count = 0, bit = 0;
  const size_t top = pattern.size();
  for (size_t at = 0; at <= top; ++at) {
    const bool number = at == top && which == 'x';
    if (!number && (at == top || pattern[top - 1 - at] != which)) continue;
    const bool follows = count > 0 && parts[count - 1u].to + (bit - parts[count - 1u].from) == int(at);
    if (!follows) parts[count++] = {bit, uint8_t(at), 0};
    parts[count - 1u].mask |= number ? 0 : 1u << at;
    if (number) parts[count - 1u].mask = 0;
    ++bit;
  }
  return count;
}

constexpr auto layouts = [] {
  std::array<TileLayout, std::size(patterns)> all{};
  for (size_t n = 0; n < all.size(); ++n) {
    TileLayout& t = all[n];
    for (const char c : patterns[n].bits) ++(c == 'x' ? t.log2_width : t.log2_height);
    t.columns = take_apart(patterns[n].bits, 'x', t.column), t.rows = take_apart(patterns[n].bits, 'y', t.row);
  }
  return all;
}();

}  // namespace

const TileLayout& tile_layout(Tiling tiling, unsigned bits_per_element) {
  size_t n = 0;
  while (patterns[n].tiling != tiling || bits_per_element > patterns[n].bits_per_element) ++n;
  return layouts[n];
}

TileShape tile_shape(Tiling tiling, unsigned bits_per_element) {
  const TileLayout& t = tile_layout(tiling, bits_per_element);
  return {1u << t.log2_width, 1u << t.log2_height, 1u << (t.log2_width + t.log2_height)};
}

uint64_t tiled_offset(const TileLayout& t, uint64_t x, uint64_t y, uint32_t pitch) {
  if (t.rows == 0) return y * pitch + x;
  constexpr lanes::One d;
  const uint64_t tiles = (y >> t.log2_height) * (uint64_t(pitch) << t.log2_height);
  return tiles + tile_column(d, t, lanes::OneInt::of(uint32_t(x))).v +
         tile_row_inside(d, t, lanes::OneInt::of(uint32_t(y))).v;
}

namespace {

// Calls visit(offset in the tiled surface, offset in the linear rows, bytes) for pieces that are contiguous in both.
template <class Visit>
void for_each_piece(Tiling tiling, uint32_t pitch, const TileRectangle& r, size_t linear_pitch, unsigned bpe,
                    Visit&& visit) {
  const TileLayout& layout = tile_layout(tiling, bpe);
  const uint32_t run = layout.column[0].mask + 1;  // so many bytes of a row follow each other
  for (uint32_t row = 0; row < r.height; ++row) {
    for (uint32_t done = 0; done < r.width;) {
      const uint32_t x = r.x + done;
      const uint32_t n = tiling == Tiling::linear ? r.width : std::min(run - x % run, r.width - done);
      visit(tiled_offset(layout, x, r.y + row, pitch), row * linear_pitch + done, n);
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
