// The layouts of tiles, and copies between tiled and linear memory. PRM: "Memory Data Formats / Surface Tiling". A tile
// is given by its pattern: which coordinate each address bit comes from; the bits of a coordinate stay in order.
#include "memory/tiling.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "lanes/host.h"
#include "lanes/one.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

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

// Calls move(offset in the tiled surface, offset in the linear rows, bytes) for pieces that are contiguous in both.
template <class Move>
void for_each_piece(const TileLayout& t, uint32_t pitch, const TileRectangle& r, size_t linear_pitch, Move move) {
  const uint32_t run = t.rows == 0 ? ~0u : t.column[0].mask + 1;  // so many bytes of a row follow each other
  for (uint32_t row = 0; row < r.height; ++row) {
    for (uint32_t done = 0; done < r.width;) {
      const uint32_t x = r.x + done;
      const uint32_t n = std::min(run - (t.rows == 0 ? 0 : x % run), r.width - done);
      move(tiled_offset(t, x, r.y + row, pitch), row * linear_pitch + done, n);
      done += n;
    }
  }
}

// Tiles of OWords: all of Y, Yf and Ys have in a cache line the OWords of four rows, one below the other.
constexpr uint32_t oword = 16, line_rows = 4;
bool has_owords(const TileLayout& t) { return t.rows != 0 && t.column[0].mask == oword - 1; }

// The same, and lines(offset, offset, offset) for two whole cache lines that are side by side: of each in the tiled
// surface, and of both in the linear rows. Rows go four by four through the whole width, so that linear memory is read
// and written as four streams, or through `strip` tiles, to their last row.
constexpr uint32_t whole_width = 0;
template <class Lines, class Move>
void for_each_line(const TileLayout& t, uint32_t pitch, const TileRectangle& r, size_t linear_pitch, uint32_t strip,
                   Lines lines, Move move) {
  constexpr lanes::One d;
  const uint32_t width = 1u << t.log2_width, tile = width << t.log2_height;
  std::array<uint32_t, 64> columns{};  // of a tile's OWords
  for (uint32_t n = 0; n < width / oword; ++n) columns[n] = uint32_t(tile_column(d, t, lanes::OneInt::of(n * oword)).v);
  const uint32_t end_x = r.x + r.width, end_y = r.y + r.height;
  const auto four_rows = [&](uint32_t y, uint32_t rows, uint32_t from_x, uint32_t to_x) {
    const uint64_t row_at = uint64_t(y >> t.log2_height) * (uint64_t(pitch) << t.log2_height) +
                            uint32_t(tile_row_inside(d, t, lanes::OneInt::of(y)).v);
    const auto at = [&](uint32_t x) {
      return row_at + uint64_t(x >> t.log2_width) * tile + columns[(x & (width - 1)) / oword] + x % oword;
    };
    const size_t row = (y - r.y) * linear_pitch;
    for (uint32_t x = from_x, n = 0; x < to_x; x += n) {
      const size_t place = row + (x - r.x);
      if (rows == line_rows && x % (2 * oword) == 0 && x + 2 * oword <= to_x) {
        // Up to the tile's end.
        const uint64_t tile_at = row_at + uint64_t(x >> t.log2_width) * tile;
        const uint32_t* const column = &columns[(x & (width - 1)) / oword];
        const uint32_t count = std::min(width - (x & (width - 1)), to_x - x) / (2 * oword);
        for (uint32_t k = 0; k < count; ++k)
          lines(tile_at + column[2 * k], tile_at + column[2 * k + 1], place + k * 2 * oword);
        n = count * 2 * oword;
        continue;
      }
      n = std::min(oword - x % oword, to_x - x);
      for (uint32_t k = 0; k < rows; ++k) move(at(x) + k * oword, place + k * linear_pitch, n);
    }
  };
  for (uint32_t y = r.y, to_y = 0; y < end_y; y = to_y) {
    to_y = strip == whole_width ? end_y : std::min(((y >> t.log2_height) + 1) << t.log2_height, end_y);
    for (uint32_t x = r.x, to_x = 0; x < end_x; x = to_x) {
      to_x = strip == whole_width ? end_x : std::min(((x >> t.log2_width) + strip) << t.log2_width, end_x);
      for (uint32_t line = y, rows = 0; line < to_y; line += rows) {
        rows = line % line_rows == 0 && line + line_rows <= to_y ? line_rows : 1;
        four_rows(line, rows, x, to_x);
      }
    }
  }
}

// Two OWords. Functions with wide vectors and without give each other values in different ways: so those that both call
// are taken in by each, or told where the value is.
using Owords = long long __attribute__((vector_size(2 * oword)));
[[gnu::always_inline]] inline Owords load(const std::byte* from) {
  Owords v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(std::byte* to, const Owords& v) { std::memcpy(to, &v, sizeof v); }
[[gnu::always_inline]] inline Owords firsts(Owords a, Owords b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
[[gnu::always_inline]] inline Owords seconds(Owords a, Owords b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }

// What is larger than caches goes past them: lines that are written as a whole need not be read first. Then it goes
// tile by tile, so that few pages are written at a time.
constexpr uint64_t streamed_bytes = 4 << 20;
constexpr uint32_t streamed_strip = 8;
#ifdef __SSE2__
void stream(std::byte* to, const Owords& v) {
  __m128i parts[2];
  std::memcpy(parts, &v, sizeof v);
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), parts[0]);
  _mm_stream_si128(reinterpret_cast<__m128i*>(to) + 1, parts[1]);
}
// One store: halves of it reach a line's end too late.
VITRO_WIDE_VECTORS void stream_wide(std::byte* to, const Owords& v) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(v));
}
#endif

// By value: nothing that is stored could change it.
struct Copy {
  const TileLayout& layout;
  std::byte *tiled, *linear;  // one of them is not written
  uint32_t pitch;
  TileRectangle rectangle;
  size_t linear_pitch;
};
// Rows 0 and 1, 2 and 3 of two lines side by side are those of four rows.
template <class Store>
void to_lines(const Copy c, uint32_t strip, Store put) {
  const auto lines = [=](uint64_t left, uint64_t right, size_t place) {
    const std::byte* from = c.linear + place;
    const Owords rows[] = {load(from), load(from + c.linear_pitch), load(from + 2 * c.linear_pitch),
                           load(from + 3 * c.linear_pitch)};
    put(c.tiled + left, firsts(rows[0], rows[1])), put(c.tiled + left + 2 * oword, firsts(rows[2], rows[3]));
    put(c.tiled + right, seconds(rows[0], rows[1])), put(c.tiled + right + 2 * oword, seconds(rows[2], rows[3]));
  };
  const auto move = [=](uint64_t at, size_t from, size_t n) { std::memcpy(c.tiled + at, c.linear + from, n); };
  for_each_line(c.layout, c.pitch, c.rectangle, c.linear_pitch, strip, lines, move);
}
void from_lines(const Copy c) {
  const auto lines = [=](uint64_t left, uint64_t right, size_t place) {
    std::byte* to = c.linear + place;
    for (uint32_t k = 0; k < line_rows; k += 2) {
      const Owords a = load(c.tiled + left + k * oword), b = load(c.tiled + right + k * oword);
      store(to + k * c.linear_pitch, firsts(a, b)), store(to + (k + 1) * c.linear_pitch, seconds(a, b));
    }
  };
  const auto move = [=](uint64_t at, size_t to, size_t n) { std::memcpy(c.linear + to, c.tiled + at, n); };
  for_each_line(c.layout, c.pitch, c.rectangle, c.linear_pitch, whole_width, lines, move);
}
// These take in all that they call: vectors are in registers there.
VITRO_PLAIN_VECTORS void to_lines_plain(const Copy& c) { to_lines(c, whole_width, store); }
VITRO_WIDE_VECTORS void to_lines_wide(const Copy& c) { to_lines(c, whole_width, store); }
#ifdef __SSE2__
VITRO_PLAIN_VECTORS void stream_lines_plain(const Copy& c) { to_lines(c, streamed_strip, stream); }
VITRO_WIDE_VECTORS void stream_lines_wide(const Copy& c) { to_lines(c, streamed_strip, stream_wide); }
#endif
VITRO_PLAIN_VECTORS void from_lines_plain(const Copy& c) { from_lines(c); }
VITRO_WIDE_VECTORS void from_lines_wide(const Copy& c) { from_lines(c); }

}  // namespace

void copy_from_tiled(Tiling tiling, const std::byte* tiled, uint32_t pitch, TileRectangle r, std::byte* linear,
                     size_t linear_pitch, unsigned bits_per_element) {
  const TileLayout& t = tile_layout(tiling, bits_per_element);
  const auto move = [=](uint64_t at, size_t to, size_t n) { std::memcpy(linear + to, tiled + at, n); };
  if (!has_owords(t)) return for_each_piece(t, pitch, r, linear_pitch, move);
  const Copy c{t, const_cast<std::byte*>(tiled), linear, pitch, r, linear_pitch};
  (lanes::host_has_wide_vectors() ? from_lines_wide : from_lines_plain)(c);
}

void copy_to_tiled(Tiling tiling, std::byte* tiled, uint32_t pitch, TileRectangle r, const std::byte* linear,
                   size_t linear_pitch, unsigned bits_per_element) {
  const TileLayout& t = tile_layout(tiling, bits_per_element);
  const auto move = [=](uint64_t at, size_t from, size_t n) { std::memcpy(tiled + at, linear + from, n); };
  if (!has_owords(t)) return for_each_piece(t, pitch, r, linear_pitch, move);
  const Copy c{t, tiled, const_cast<std::byte*>(linear), pitch, r, linear_pitch};
#ifdef __SSE2__
  if (uint64_t(r.width) * r.height >= streamed_bytes && reinterpret_cast<uintptr_t>(tiled) % sizeof(Owords) == 0) {
    (lanes::host_has_wide_vectors() ? stream_lines_wide : stream_lines_plain)(c);
    _mm_sfence();
    return;
  }
#endif
  (lanes::host_has_wide_vectors() ? to_lines_wide : to_lines_plain)(c);
}

}  // namespace vitro::memory
