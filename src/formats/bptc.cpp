// BC6H and BC7, also named BPTC. PRM: SURFACE_FORMAT (BC6H_SF16, BC6H_UF16, BC7_UNORM). The format descriptions define
// every bit of the result. Reserved modes give zero: black for BC6H, black and clear for BC7.
#include "formats/blocks.h"
#include "formats/bptc_table.h"

namespace vitro::formats {

namespace {

constexpr uint8_t weights_2[] = {0, 21, 43, 64}, weights_3[] = {0, 9, 18, 27, 37, 46, 55, 64},
                  weights_4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
constexpr const uint8_t* weights[] = {nullptr, nullptr, weights_2, weights_3, weights_4};

constexpr int mixed(int first, int second, int weight) { return (first * (64 - weight) + second * weight + 32) >> 6; }

unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel) {
  if (subsets == 1) return 0;
  return subsets == 2 ? two_subsets[partition] >> texel & 1 : three_subsets[partition] >> 2 * texel & 3;
}

// The indices of a block: `bits` for each texel from bit `at` up, and one less for the first of each subset.
struct Indices {
  const Word128& block;
  unsigned at, bits, subsets, partition;

  unsigned operator()(unsigned texel) const {
    unsigned before = 0;  // shorter ones
    bool is_short = texel == 0;
    const auto anchor = [&](unsigned where) { before += where < texel, is_short |= where == texel; };
    anchor(0);
    if (subsets == 2) anchor(anchors[0][partition]);
    if (subsets == 3) anchor(anchors[1][partition]), anchor(anchors[2][partition]);
    return field(block, at + texel * bits - before, bits - is_short);
  }
};

// --- BC7

struct Bc7Mode {
  uint8_t subsets, partition_bits, rotation_bits, selection_bits, colour_bits, alpha_bits;
  uint8_t low_bits;  // of an endpoint's channels: 0 none, 1 one for each endpoint, 2 one for each subset
  uint8_t index_bits, other_index_bits;
};
constexpr Bc7Mode bc7_modes[8] = {{3, 4, 0, 0, 4, 0, 1, 3, 0}, {2, 6, 0, 0, 6, 0, 2, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 2, 0},
                                  {2, 6, 0, 0, 7, 0, 1, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 2, 2},
                                  {1, 0, 0, 0, 7, 7, 1, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 2, 0}};

// --- BC6H

// The bits of a header behind the mode, in the order they are stored: a field is a colour (r g b) of an endpoint (w x
// of the first subset, y z of the second), `high:low`, stored from the right number to the left one.
struct Bc6Mode {
  uint8_t mode_bits, mode;
  bool transformed;  // endpoints but the first are differences
  uint8_t subsets, endpoint_bits;
  std::array<uint8_t, 3> delta_bits;
  const char* fields;
};
constexpr Bc6Mode bc6_modes[] = {
    {2,
     0,
     true,
     2,
     10,
     {5, 5, 5},
     "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {2,
     1,
     true,
     2,
     7,
     {6, 6, 6},
     "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0"},
    {5,
     0x02,
     true,
     2,
     11,
     {5, 4, 4},
     "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {5,
     0x06,
     true,
     2,
     11,
     {4, 5, 4},
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"},
    {5,
     0x0A,
     true,
     2,
     11,
     {4, 4, 5},
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"},
    {5,
     0x0E,
     true,
     2,
     9,
     {5, 5, 5},
     "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {5,
     0x12,
     true,
     2,
     8,
     {6, 5, 5},
     "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"},
    {5,
     0x16,
     true,
     2,
     8,
     {5, 6, 5},
     "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {5,
     0x1A,
     true,
     2,
     8,
     {5, 5, 6},
     "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {5,
     0x1E,
     false,
     2,
     6,
     {6, 6, 6},
     "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0"},
    {5, 0x03, false, 1, 10, {10, 10, 10}, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"},
    {5, 0x07, true, 1, 11, {9, 9, 9}, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"},
    {5, 0x0B, true, 1, 12, {8, 8, 8}, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11"},
    {5, 0x0F, true, 1, 16, {4, 4, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15"},
};

// The text above as a place for each bit: endpoint, colour and bit.
struct HeaderBit {
  uint8_t endpoint = 0, colour = 0, bit = 0;
};
struct Header {
  std::array<HeaderBit, 80> bits{};
  unsigned count = 0;
};
constexpr Header header_of(const char* text) {
  Header h;
  const auto number = [&] {
    unsigned v = 0;
    while (*text >= '0' && *text <= '9') v = v * 10 + unsigned(*text++ - '0');
    return v;
  };
  while (*text) {
    const auto colour = uint8_t(*text == 'r' ? 0 : *text == 'g' ? 1 : 2);
    const auto endpoint = uint8_t(text[1] - 'w');
    text += 2;
    const unsigned last = number();
    unsigned bit = last;
    if (*text == ':') ++text, bit = number();
    for (;; bit = bit < last ? bit + 1 : bit - 1) {
      h.bits[h.count++] = {endpoint, colour, uint8_t(bit)};
      if (bit == last) break;
    }
    if (*text == ' ') ++text;
  }
  return h;
}
constexpr auto bc6_headers = [] {
  std::array<Header, std::size(bc6_modes)> all{};
  for (size_t n = 0; n < all.size(); ++n) all[n] = header_of(bc6_modes[n].fields);
  return all;
}();
static_assert([] {
  for (size_t n = 0; n < std::size(bc6_modes); ++n)
    if (bc6_modes[n].mode_bits + bc6_headers[n].count != (bc6_modes[n].subsets == 2 ? 77 : 65)) return false;
  return true;
}());

int unquantised(int v, int bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || v == 0) return v;
    return v == (1 << bits) - 1 ? 0xFFFF : ((v << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || v == 0) return v;
  const int magnitude = std::abs(v);
  const int out = magnitude >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return v < 0 ? -out : out;
}

// The bits of a half float.
uint32_t finished(int v, bool is_signed) {
  if (!is_signed) return uint32_t(v * 31 >> 6);
  return v < 0 ? uint32_t(-v * 31 >> 5) | 0x8000 : uint32_t(v * 31 >> 5);
}

void bc6h(const std::byte* from, bool is_signed, const Window& w, Rgba* out) {
  const Word128 block = block_word(from, 16);
  size_t n = 0;
  while (n < std::size(bc6_modes) && field(block, 0, bc6_modes[n].mode_bits) != bc6_modes[n].mode) ++n;
  if (n == std::size(bc6_modes)) return fill(w, out, [](unsigned, unsigned) { return Rgba{0, 0, 0, float_one}; });
  const Bc6Mode& mode = bc6_modes[n];
  const Header& header = bc6_headers[n];

  std::array<std::array<int, 3>, 4> ends{};
  for (unsigned k = 0; k < header.count; ++k) {
    const HeaderBit& b = header.bits[k];
    ends[b.endpoint][b.colour] |= int(field(block, mode.mode_bits + k, 1) << b.bit);
  }
  const unsigned bits = mode.endpoint_bits;
  for (size_t c = 0; c < 3; ++c) {
    const auto extended = [](int v, unsigned width) { return int(sign_extend(uint32_t(v), int(width))); };
    for (size_t e = 1; e < 4 && mode.transformed; ++e)
      ends[e][c] = (ends[0][c] + extended(ends[e][c], mode.delta_bits[c])) & int(ones(int(bits)));
    for (auto& end : ends) end[c] = unquantised(is_signed ? extended(end[c], bits) : end[c], int(bits), is_signed);
  }

  const unsigned partition = mode.subsets == 2 ? field(block, 77, 5) : 0;
  const unsigned index_bits = mode.subsets == 2 ? 3 : 4;
  const Indices index{block, mode.subsets == 2 ? 82u : 65u, index_bits, mode.subsets, partition};
  constexpr Channel half{Component::r, Kind::sfloat, 16};
  fill(w, out, [&](unsigned x, unsigned y) {
    const unsigned texel = 4 * y + x, subset = subset_of(mode.subsets, partition, texel);
    const int weight = weights[index_bits][index(texel)];
    Rgba v{0, 0, 0, float_one};
    for (size_t c = 0; c < 3; ++c)
      v[c] = widened_channel(half, finished(mixed(ends[2 * subset][c], ends[2 * subset + 1][c], weight), is_signed));
    return v;
  });
}

}  // namespace

void bc6h_unsigned(const Format&, const std::byte* block, const Window& w, Rgba* out) { bc6h(block, false, w, out); }
void bc6h_signed(const Format&, const std::byte* block, const Window& w, Rgba* out) { bc6h(block, true, w, out); }

void bc7(const Format& f, const std::byte* from, const Window& w, Rgba* out) {
  const Word128 block = block_word(from, 16);
  const auto number = unsigned(std::countr_zero(uint32_t(from[0])));
  if (number > 7) return fill(w, out, [](unsigned, unsigned) { return Rgba{}; });
  const Bc7Mode& mode = bc7_modes[number];
  BitReader next{block, number + 1};
  const unsigned partition = next(mode.partition_bits), rotation = next(mode.rotation_bits),
                 selection = next(mode.selection_bits);

  unsigned ends[6][4];
  const unsigned count = 2u * mode.subsets;
  const auto bits = [&](unsigned c) -> unsigned { return c == 3 ? mode.alpha_bits : mode.colour_bits; };
  for (unsigned c = 0; c < 4; ++c)
    for (unsigned e = 0; e < count; ++e) ends[e][c] = next(bits(c));
  for (unsigned e = 0; mode.low_bits && e < count; e += mode.low_bits) {
    const unsigned low = next(1);
    for (unsigned k = e; k < e + mode.low_bits; ++k)
      for (unsigned& v : ends[k]) v = v << 1 | low;
  }
  for (unsigned e = 0; e < count; ++e)
    for (unsigned c = 0; c < 4; ++c) {
      const unsigned all = bits(c) + (mode.low_bits != 0);
      ends[e][c] = bits(c) ? widened(ends[e][c], all) : 255;
    }

  const Indices index{block, next.at, mode.index_bits, mode.subsets, partition};
  const Indices other{block, next.at + 16u * mode.index_bits - mode.subsets, mode.other_index_bits, 1, 0};
  fill(w, out, [&](unsigned x, unsigned y) {
    const unsigned texel = 4 * y + x, subset = subset_of(mode.subsets, partition, texel);
    int colour = weights[mode.index_bits][index(texel)], alpha = colour;
    if (mode.other_index_bits) alpha = weights[mode.other_index_bits][other(texel)];
    if (selection) std::swap(colour, alpha);
    const auto at = [&](unsigned c) {
      return mixed(int(ends[2 * subset][c]), int(ends[2 * subset + 1][c]), c == 3 ? alpha : colour);
    };
    Colour v{{at(0), at(1), at(2)}, at(3)};
    if (rotation) std::swap(v.rgb[rotation - 1], v.alpha);
    return rgba(f, v);
  });
}

}  // namespace vitro::formats
