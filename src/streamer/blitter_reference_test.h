// The blitter, pixel by pixel, for tests: written straight from the documents and with nothing of src/blitter in it.
// PRM: Gen8 vol 2a XY_*. Pixels go in the order that the rules for overlaps say, one after the other.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include "memory/tiling.h"

namespace vitro::streamer::reference {

struct Surface {
  uint64_t base = 0;
  int64_t pitch = 0;  // bytes
  char tiling = 'L';  // L, X, Y; F and S: Yf and Ys

  uint64_t at(int64_t x, int64_t y, unsigned bits) const {  // of a byte
    using memory::Tiling;
    if (tiling == 'L') return base + uint64_t(y * pitch + x);
    if (tiling == 'X') return base + uint64_t(y / 8 * pitch * 8 + x / 512 * 4096 + y % 8 * 512 + x % 512);
    if (tiling == 'Y')
      return base + uint64_t(y / 32 * pitch * 32 + x / 128 * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16);
    return base + memory::tiled_offset(tiling == 'F' ? Tiling::yf : Tiling::ys, uint32_t(x), uint32_t(y),
                                       uint32_t(pitch), bits);
  }
};

struct Memory {
  uint64_t start = 0;
  std::vector<std::byte> bytes;

  uint64_t get(uint64_t at, unsigned n) const {
    uint64_t v = 0;
    std::memcpy(&v, bytes.data() + (at - start), n);
    return v;
  }
  void put(uint64_t at, unsigned n, uint64_t v) { std::memcpy(bytes.data() + (at - start), &v, n); }
};

// A colour and whether it is drawn.
struct Pixel {
  uint32_t color = 0;
  bool drawn = true;
};

struct Blit {
  Surface destination, source;
  unsigned depth = 3;
  int x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  struct Clip {
    int x1, y1, x2, y2;
  };
  std::optional<Clip> clip{};
  uint8_t operation = 0;
  unsigned byte_mask = 3;
  // By coordinates of the destination; with neither, the source is a surface.
  std::function<Pixel(int x, int y)> pattern{}, mono{};
  bool color_source = false;
  int source_x = 0, source_y = 0;
  unsigned key_mode = 0;
  uint32_t key_low = 0, key_high = 0;

  unsigned bytes() const { return depth == 0 ? 1 : depth == 3 ? 4 : 2; }
};

inline bool between(uint32_t pixel, uint32_t low, uint32_t high, unsigned depth, bool alpha) {
  struct Component {
    unsigned shift, bits;
    bool is_alpha;
  };
  static const std::vector<Component> components[4] = {
      {{0, 8, false}},
      {{0, 5, false}, {5, 6, false}, {11, 5, false}},
      {{0, 5, false}, {5, 5, false}, {10, 5, false}, {15, 1, true}},
      {{0, 8, false}, {8, 8, false}, {16, 8, false}, {24, 8, true}},
  };
  for (const Component& c : components[depth]) {
    if (c.is_alpha && !alpha) continue;
    const auto part = [&](uint32_t v) { return v >> c.shift & ((1u << c.bits) - 1); };
    if (part(pixel) < part(low) || part(pixel) > part(high)) return false;
  }
  return true;
}

inline void draw_pixel(Memory& m, const Blit& b, int x, int y) {
  const unsigned bytes = b.bytes();
  if (b.clip && (x < b.clip->x1 || x >= b.clip->x2 || y < b.clip->y1 || y >= b.clip->y2)) return;
  const uint64_t to = b.destination.at(int64_t(x) * bytes, y, 8 * bytes);
  const auto d = uint32_t(m.get(to, bytes));
  Pixel s{}, p{};
  if (b.mono) s = b.mono(x, y);
  if (b.color_source)
    s.color =
        uint32_t(m.get(b.source.at(int64_t(x - b.x1 + b.source_x) * bytes, y - b.y1 + b.source_y, 8 * bytes), bytes));
  if (b.pattern) p = b.pattern(x, y);
  if (!s.drawn || !p.drawn) return;
  if (b.key_mode == 1 && between(s.color, b.key_low, b.key_high, b.depth, false)) return;
  if (b.key_mode == 3 && between(s.color, b.key_low, b.key_high, b.depth, true)) return;
  if (b.key_mode == 5 && !between(d, b.key_low, b.key_high, b.depth, false)) return;
  if (b.key_mode == 7 && !between(d, b.key_low, b.key_high, b.depth, true)) return;
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 8 * bytes; ++bit) {
    const unsigned row = (p.color >> bit & 1) * 4 + (s.color >> bit & 1) * 2 + (d >> bit & 1);
    result |= uint32_t(b.operation >> row & 1) << bit;
  }
  if (bytes == 4 && !(b.byte_mask & 1)) result = (result & 0xFF000000) | (d & 0xFFFFFF);
  if (bytes == 4 && !(b.byte_mask & 2)) result = (result & 0xFFFFFF) | (d & 0xFF000000);
  m.put(to, bytes, result);
}

inline void draw(Memory& m, const Blit& b) {
  const bool same = b.color_source && b.source.base == b.destination.base;
  const bool left = same && b.source_x < b.x1, up = same && b.source_y < b.y1;
  for (int row = b.y1; row < b.y2; ++row)
    for (int column = b.x1; column < b.x2; ++column)
      draw_pixel(m, b, left ? b.x2 - 1 - (column - b.x1) : column, up ? b.y2 - 1 - (row - b.y1) : row);
}

}  // namespace vitro::streamer::reference
