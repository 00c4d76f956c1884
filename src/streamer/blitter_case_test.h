// Random blits for tests: as packets, whose dwords are put together by hand, and as what the reference draws.
// PRM: Gen8 vol 2a XY_*; on Gen6 an address has one dword.
#pragma once

#include <array>
#include <string>

#include "base/random.h"
#include "streamer/batch_test.h"
#include "streamer/blitter_reference_test.h"

namespace vitro::streamer::blits {

using bench::Dwords;
using reference::Blit;
using reference::Pixel;

inline constexpr uint64_t surface_bytes = 0x10000, destination_at = 0x20000, source_at = 0x30000, pattern_at = 0x40000,
                          mono_at = 0x41000;
inline constexpr uint32_t swctrl = 0x22200;

struct Packet {
  bool gen6 = false;
  Dwords dwords{};

  Packet& add(uint32_t v) {
    dwords.push_back(v);
    return *this;
  }
  Packet& add(const Dwords& v) {
    dwords.insert(dwords.end(), v.begin(), v.end());
    return *this;
  }
  Packet& address(uint64_t v) {
    add(uint32_t(v));
    if (!gen6) add(uint32_t(v >> 32));
    return *this;
  }
  Dwords done() const {
    Dwords d = dwords;
    d[0] |= uint32_t(d.size() - 2);
    return d;
  }
};

inline uint32_t pair(int x, int y) { return uint32_t(uint16_t(y)) << 16 | uint16_t(x); }

// All that a command may say; each takes what it has.
struct Case {
  bool gen6 = false;
  Blit b{};
  unsigned horizontal_seed = 0, vertical_seed = 0;
  std::array<uint32_t, 64> pattern{};
  std::array<uint32_t, 2> bits{};
  uint32_t pattern_background = 0, pattern_foreground = 0, source_background = 0, source_foreground = 0;
  bool solid = false, pattern_transparent = false, source_transparent = false, byte_packed = false;
  unsigned source_bit = 0;
  std::vector<std::byte> mono{};  // immediate, or what is at mono_at

  uint32_t color(uint32_t v) const { return b.bytes() == 4 ? v : v & ((1u << 8 * b.bytes()) - 1); }
  Dwords pattern_dwords() const {
    Dwords d(16 * b.bytes());
    for (unsigned n = 0; n < 64; ++n)
      std::memcpy(reinterpret_cast<char*>(d.data()) + n * b.bytes(), &pattern[n], b.bytes());
    return d;
  }
  Dwords mono_dwords() const {
    Dwords d(mono.size() / 4);
    std::memcpy(d.data(), mono.data(), mono.size());
    return d;
  }
  static uint32_t field_pitch(const reference::Surface& s) { return uint16_t(s.tiling == 'L' ? s.pitch : s.pitch / 4); }

  // --- dwords

  uint32_t br00(uint32_t opcode) const { return 2u << 29 | opcode << 22 | (b.destination.tiling != 'L') << 11; }
  uint32_t seeds() const { return horizontal_seed << 12 | vertical_seed << 8; }
  uint32_t source_tiled() const { return (b.source.tiling != 'L') << 15; }
  uint32_t br13(uint32_t more = 0) const {
    return more | (b.clip ? 1u << 30 : 0) | b.depth << 24 | b.operation << 16 | field_pitch(b.destination);
  }
  // Header, raster operation, rectangle, destination.
  Packet xy(uint32_t opcode, uint32_t more00 = 0, uint32_t more13 = 0) const {
    Packet p{gen6};
    p.add(br00(opcode) | b.byte_mask << 20 | more00).add(br13(more13));
    return p.add(pair(b.x1, b.y1)).add(pair(b.x2, b.y2)).address(b.destination.base);
  }
  Dwords setup_clip() const {
    if (!b.clip) return {};
    return Packet{gen6}.add(br00(0x03)).add(pair(b.clip->x1, b.clip->y1)).add(pair(b.clip->x2, b.clip->y2)).done();
  }
  Packet setup(uint32_t opcode, uint32_t more13) const {
    const Blit::Clip c = b.clip.value_or(Blit::Clip{1, 2, 3, 4});
    Packet p{gen6};
    p.add(br00(opcode) | b.byte_mask << 20).add(br13(more13)).add(pair(c.x1, c.y1)).add(pair(c.x2, c.y2));
    return p.address(b.destination.base);
  }
  Dwords tiles() const {
    return bench::lri(swctrl, 3u << 16 | uint32_t(b.source.tiling == 'Y') | uint32_t(b.destination.tiling == 'Y') << 1);
  }

  // --- what the reference takes

  void with_solid() {
    b.pattern = [c = color(pattern_background)](int, int) { return Pixel{c, true}; };
  }
  void with_pattern() {
    b.pattern = [this](int x, int y) {
      const unsigned row = unsigned(y + int(vertical_seed)) % 8, column = unsigned(x + int(horizontal_seed)) % 8;
      return Pixel{pattern[row * 8 + column], true};
    };
  }
  void with_mono_pattern() {
    b.pattern = [this](int x, int y) {
      const unsigned row = unsigned(y + int(vertical_seed)) % 8, column = unsigned(x + int(horizontal_seed)) % 8;
      const uint8_t byte = uint8_t(bits[row / 4] >> row % 4 * 8);
      const bool set = !solid && (byte & 0x80 >> column);
      return Pixel{color(set ? pattern_foreground : pattern_background), set || !pattern_transparent};
    };
  }
  // Rows of words, of bytes, or without any gap.
  void with_mono(unsigned align, Rng& rng) {
    const int width = b.x2 - b.x1, height = b.y2 - b.y1;
    const int line = (int(source_bit) + width + int(align) - 1) / int(align) * int(align);
    mono.resize(size_t(line * height + 63) / 64 * 8);
    for (std::byte& m : mono) m = std::byte(rng());
    b.mono = [this, line](int x, int y) {
      const int bit = (y - b.y1) * line + x - b.x1 + int(source_bit);
      const bool set = (uint8_t(mono[size_t(bit / 8)]) & 0x80 >> bit % 8) != 0;
      return Pixel{color(set ? source_foreground : source_background), set || !source_transparent};
    };
  }
};

inline int between(Rng& rng, int low, int high) { return low + int(rng.below(uint32_t(high - low + 1))); }

struct Shape {
  int64_t pitch;
  char tiling;
};
inline reference::Surface random_surface(Rng& rng, uint64_t at, bool may_be_negative) {
  static constexpr Shape shapes[] = {{512, 'L'},  {620, 'L'},  {1024, 'L'}, {8192, 'L'}, {512, 'X'},
                                     {1024, 'X'}, {8192, 'X'}, {128, 'Y'},  {512, 'Y'},  {1024, 'Y'}};
  const Shape s = rng.pick(shapes);
  if (s.tiling != 'L' || !may_be_negative || !rng.one_in(5))
    return {at + (s.tiling == 'L' ? 64 * rng.below(4) : 0), s.pitch, s.tiling};
  const int64_t rows = std::min<int64_t>(64, int64_t(surface_bytes) / s.pitch - 1);
  return {at + uint64_t((rows - 1) * s.pitch), -s.pitch, 'L'};
}
inline int rows_of(const reference::Surface& s) {
  return int(std::min<int64_t>(64, int64_t(surface_bytes) / std::abs(s.pitch) - (s.tiling == 'L')));
}
inline int columns_of(const reference::Surface& s, unsigned bytes) { return int(std::abs(s.pitch) / bytes); }

struct Wanted {
  bool mono = false, color_source = false, small = false;
};
// Rectangles in the destination, or further than that and clipped.
inline Case random_case(Rng& rng, bool gen6, Wanted w) {
  Case c;
  Blit& b = c.b;
  c.gen6 = gen6;
  b.depth = rng.below(4);
  b.destination = random_surface(rng, destination_at, !w.mono);
  b.operation = uint8_t(rng());
  b.byte_mask = rng.one_in(3) ? rng.below(4) : 3;
  const int columns = columns_of(b.destination, b.bytes()), rows = rows_of(b.destination);
  const auto rectangle = [&](int left, int top, int right, int bottom) {
    b.x1 = between(rng, left, right - 1), b.y1 = between(rng, top, bottom - 1);
    b.x2 = between(rng, b.x1 + 1, right), b.y2 = between(rng, b.y1 + 1, bottom);
    if (w.small) b.x2 = std::min(b.x2, b.x1 + 40), b.y2 = std::min(b.y2, b.y1 + 20);
  };
  if (!w.color_source && rng.coin()) {
    rectangle(-40, -20, columns + 40, rows + 20);
    const int x = between(rng, 0, columns), y = between(rng, 0, rows);
    b.clip = Blit::Clip{x, y, between(rng, 0, columns), between(rng, 0, rows)};
  } else {
    rectangle(0, 0, columns, rows);
    if (rng.coin())
      b.clip = Blit::Clip{between(rng, 0, columns), between(rng, 0, rows), between(rng, 0, columns + 5),
                          between(rng, 0, rows + 5)};
  }
  if (w.color_source) {
    b.color_source = true;
    // On itself, or from elsewhere.
    b.source = rng.coin() ? b.destination : random_surface(rng, source_at, true);
    const int source_columns = columns_of(b.source, b.bytes()), source_rows = rows_of(b.source);
    b.x2 = std::min(b.x2, b.x1 + source_columns), b.y2 = std::min(b.y2, b.y1 + source_rows);
    b.source_x = between(rng, 0, source_columns - (b.x2 - b.x1)),
    b.source_y = between(rng, 0, source_rows - (b.y2 - b.y1));
  }
  c.horizontal_seed = rng.below(8), c.vertical_seed = rng.below(8);
  for (uint32_t& p : c.pattern) p = c.color(uint32_t(rng()));
  for (uint32_t& v : c.bits) v = uint32_t(rng());
  for (uint32_t* v : {&c.pattern_background, &c.pattern_foreground, &c.source_background, &c.source_foreground})
    *v = uint32_t(rng());
  c.pattern_transparent = rng.coin(), c.source_transparent = rng.coin(), c.solid = rng.one_in(4);
  c.source_bit = rng.below(8);
  return c;
}

inline std::string shown(const Case& c) {
  const Blit& b = c.b;
  std::string s = fmt::format("depth {} rop {:02x} mask {} dst {}{} ({},{})-({},{})", b.depth, b.operation, b.byte_mask,
                              b.destination.tiling, b.destination.pitch, b.x1, b.y1, b.x2, b.y2);
  if (b.clip) s += fmt::format(" clip ({},{})-({},{})", b.clip->x1, b.clip->y1, b.clip->x2, b.clip->y2);
  if (b.color_source)
    s += fmt::format(" src {}{} ({},{}){}", b.source.tiling, b.source.pitch, b.source_x, b.source_y,
                     b.source.base == b.destination.base ? " same" : "");
  return s;
}

}  // namespace vitro::streamer::blits
