// ETC1, ETC2 and EAC. PRM: SURFACE_FORMAT (ETC1_RGB8 to ETC2_EAC_SRGB8_A8, Gen8 up). The format descriptions define
// every bit of the result. Bytes are stored from the highest down, and texels by columns. What ETC1 leaves undefined,
// a second colour out of range, wraps around.
#include "formats/blocks.h"

namespace vitro::formats {

namespace {

// The distances of a half's four colours: indices 0 and 1 above the base, 2 and 3 below it.
constexpr int16_t distances[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
// Of the modes T and H.
constexpr int16_t paint_distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
// EAC: what indices 0 to 3 subtract; 4 to 7 add one less.
constexpr uint8_t subtrahends[16][4] = {{3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13},
                                        {3, 6, 8, 12}, {3, 7, 9, 11},  {4, 7, 8, 11}, {3, 5, 8, 11},
                                        {2, 6, 8, 10}, {2, 5, 8, 10},  {2, 4, 8, 10}, {2, 5, 7, 10},
                                        {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9}};

enum class Variant : uint8_t { etc1, etc2, punch_through };

uint64_t big_endian(const std::byte* from) {
  uint64_t v = 0;
  for (int n = 0; n < 8; ++n) v = v << 8 | uint64_t(from[n]);
  return v;
}
constexpr int bits(uint64_t v, int hi, int lo) { return int(v >> lo & ones(hi - lo + 1)); }
int byte(int v) { return std::clamp(v, 0, 255); }

struct ColourBlock {
  enum class Mode : uint8_t { halves, paints, planar };
  Mode mode = Mode::halves;
  uint64_t word;
  bool opaque = true;
  std::array<int, 3> base[2]{};  // of halves: the two colours
  std::array<int, 3> paint[4]{};
  std::array<int, 3> origin{}, across{}, down{};  // planar

  ColourBlock(uint64_t v, Variant kind) : word(v) {
    const bool differences = kind == Variant::punch_through || bits(v, 33, 33);
    if (kind == Variant::punch_through) opaque = bits(v, 33, 33);
    for (int c = 0; c < 3; ++c) {
      const int lo = 56 - 8 * c;
      const auto n = size_t(c);
      if (!differences) {
        base[0][n] = bits(v, lo + 7, lo + 4) * 17, base[1][n] = bits(v, lo + 3, lo) * 17;
        continue;
      }
      const int first = bits(v, lo + 7, lo + 3), second = first + int(sign_extend(uint64_t(bits(v, lo + 2, lo)), 3));
      if (kind != Variant::etc1 && (second < 0 || second > 31)) {
        c == 0 ? t_mode() : c == 1 ? h_mode() : planar();
        return;
      }
      base[0][n] = int(widened(unsigned(first), 5)), base[1][n] = int(widened(unsigned(second) & 31, 5));
    }
  }
  void paints(const std::array<int, 3>& x, int x_by, const std::array<int, 3>& y, int y_by, const std::array<int, 3>& z,
              int z_by, const std::array<int, 3>& w, int w_by) {
    mode = Mode::paints;
    for (size_t c = 0; c < 3; ++c)
      paint[0][c] = byte(x[c] + x_by), paint[1][c] = byte(y[c] + y_by), paint[2][c] = byte(z[c] + z_by),
      paint[3][c] = byte(w[c] + w_by);
  }
  void t_mode() {
    const std::array first{(bits(word, 60, 59) << 2 | bits(word, 57, 56)) * 17, bits(word, 55, 52) * 17,
                           bits(word, 51, 48) * 17};
    const std::array second{bits(word, 47, 44) * 17, bits(word, 43, 40) * 17, bits(word, 39, 36) * 17};
    const int d = paint_distances[bits(word, 35, 34) << 1 | bits(word, 32, 32)];
    paints(first, 0, second, d, second, 0, second, -d);
  }
  void h_mode() {
    const std::array first{bits(word, 62, 59) * 17, (bits(word, 58, 56) << 1 | bits(word, 52, 52)) * 17,
                           (bits(word, 51, 51) << 3 | bits(word, 49, 47)) * 17};
    const std::array second{bits(word, 46, 43) * 17, bits(word, 42, 39) * 17, bits(word, 38, 35) * 17};
    // The order of the colours is the lowest bit.
    const int d = paint_distances[bits(word, 34, 34) << 2 | bits(word, 32, 32) << 1 | (first >= second)];
    paints(first, d, first, -d, second, d, second, -d);
  }
  void planar() {
    mode = Mode::planar;
    const auto six = [](int v) { return int(widened(unsigned(v), 6)); };
    const auto seven = [](int v) { return int(widened(unsigned(v), 7)); };
    origin = {six(bits(word, 62, 57)), seven(bits(word, 56, 56) << 6 | bits(word, 54, 49)),
              six(bits(word, 48, 48) << 5 | bits(word, 44, 43) << 3 | bits(word, 41, 39))};
    across = {six(bits(word, 38, 34) << 1 | bits(word, 32, 32)), seven(bits(word, 31, 25)), six(bits(word, 24, 19))};
    down = {six(bits(word, 18, 13)), seven(bits(word, 12, 6)), six(bits(word, 5, 0))};
  }

  Colour at(unsigned column, unsigned row) const {
    Colour out;
    if (mode == Mode::planar) {
      const auto x = int(column), y = int(row);
      for (size_t c = 0; c < 3; ++c)
        out.rgb[c] = byte((x * (across[c] - origin[c]) + y * (down[c] - origin[c]) + 4 * origin[c] + 2) >> 2);
      return out;
    }
    const auto texel = int(4 * column + row);
    const int index = bits(word, 16 + texel, 16 + texel) << 1 | bits(word, texel, texel);
    if (!opaque && index == 2) return {.alpha = 0};
    if (mode == Mode::paints) return {paint[index]};
    const unsigned half = bits(word, 32, 32) ? row / 2 : column / 2;
    const int size = distances[half ? bits(word, 36, 34) : bits(word, 39, 37)][index & 1];
    const int by = !opaque && index == 0 ? 0 : index & 2 ? -size : size;
    for (size_t c = 0; c < 3; ++c) out.rgb[c] = byte(base[half][c] + by);
    return out;
  }
};

// EAC: a value, a factor, a row of the table and indices of three bits.
struct ValueBlock {
  uint64_t word;
  int base, factor;
  const uint8_t* row;
  explicit ValueBlock(uint64_t v)
      : word(v), base(bits(v, 63, 56)), factor(bits(v, 55, 52)), row(subtrahends[bits(v, 51, 48)]) {}
  int modifier(unsigned x, unsigned y) const {
    const int lo = int(45 - 3 * (4 * x + y)), index = bits(word, lo + 2, lo);
    return index < 4 ? -row[index] : row[index - 4] - 1;
  }
  int alpha(unsigned x, unsigned y) const { return byte(base + factor * modifier(x, y)); }
  uint32_t eleven_bits(unsigned x, unsigned y, bool is_signed) const {
    const int by = modifier(x, y) * (factor ? factor * 8 : 1);
    if (!is_signed) return std::bit_cast<uint32_t>(float(std::clamp(base * 8 + 4 + by, 0, 2047)) / 2047);
    const int centre = std::max(int(int8_t(base)), -127) * 8;
    return std::bit_cast<uint32_t>(float(std::clamp(centre + by, -1023, 1023)) / 1023);
  }
};

void colours(const Format& f, const std::byte* from, Variant kind, const Window& w, Rgba* out) {
  const ColourBlock block(big_endian(from), kind);
  fill(w, out, [&](unsigned x, unsigned y) { return rgba(f, block.at(x, y)); });
}
void one_value(const std::byte* from, bool is_signed, const Window& w, Rgba* out) {
  const ValueBlock red(big_endian(from));
  fill(w, out, [&](unsigned x, unsigned y) { return Rgba{red.eleven_bits(x, y, is_signed), 0, 0, float_one}; });
}
void two_values(const std::byte* from, bool is_signed, const Window& w, Rgba* out) {
  const ValueBlock red(big_endian(from)), green(big_endian(from + 8));
  fill(w, out, [&](unsigned x, unsigned y) {
    return Rgba{red.eleven_bits(x, y, is_signed), green.eleven_bits(x, y, is_signed), 0, float_one};
  });
}

}  // namespace

void etc1(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  colours(f, block, Variant::etc1, w, out);
}
void etc2(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  colours(f, block, Variant::etc2, w, out);
}
void etc2_punch_through(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  colours(f, block, Variant::punch_through, w, out);
}
void etc2_eac(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  const ValueBlock alpha(big_endian(block));
  const ColourBlock colour(big_endian(block + 8), Variant::etc2);
  fill(w, out, [&](unsigned x, unsigned y) { return rgba(f, {colour.at(x, y).rgb, alpha.alpha(x, y)}); });
}
void eac_r11(const Format&, const std::byte* block, const Window& w, Rgba* out) { one_value(block, false, w, out); }
void eac_rg11(const Format&, const std::byte* block, const Window& w, Rgba* out) { two_values(block, false, w, out); }
void eac_signed_r11(const Format&, const std::byte* block, const Window& w, Rgba* out) {
  one_value(block, true, w, out);
}
void eac_signed_rg11(const Format&, const std::byte* block, const Window& w, Rgba* out) {
  two_values(block, true, w, out);
}

}  // namespace vitro::formats
