// Compressed formats: what their decoders (bc.cpp, bptc.cpp, etc.cpp, astc.cpp, fxt1.cpp) have in common. A codec is a
// function that decodes a window of a block's texels, all of them or a single one; any bytes are a block. PRM:
// SURFACE_FORMAT; the layouts are those of the public format descriptions. Lanes do not decode blocks.
#pragma once

#include <array>
#include <bit>
#include <cstring>

#include "base/bits.h"
#include "formats/convert.h"
#include "formats/format.h"
#include "formats/texel.h"
#include "lanes/one.h"

namespace vitro::formats {

struct Window {
  unsigned x = 0, y = 0, width = 1, height = 1;
};

// Writes the texels of the window row after row. The window is inside the block.
using Codec = void(const Format&, const std::byte* block, const Window&, Rgba* texels);
Codec bc1, dxt1_rgb, bc2, bc3, bc4_unorm, bc4_snorm, bc5_unorm, bc5_snorm, bc6h_unsigned, bc6h_signed, bc7;
Codec etc1, etc2, etc2_punch_through, etc2_eac, eac_r11, eac_rg11, eac_signed_r11, eac_signed_rg11;
Codec astc_ldr, fxt1;

// texel(x, y) gives a texel.
template <class Texel>
void fill(const Window& w, Rgba* out, const Texel& texel) {
  for (unsigned y = w.y; y < w.y + w.height; ++y)
    for (unsigned x = w.x; x < w.x + w.width; ++x) *out++ = texel(x, y);
}

inline Word128 block_word(const std::byte* block, unsigned bytes) {
  Word128 w;
  std::memcpy(&w.lo, block, 8);
  if (bytes > 8) std::memcpy(&w.hi, block + 8, 8);
  return w;
}
// `width` bits from bit `lo` up. Bits behind the block are zero.
constexpr uint32_t field(const Word128& w, unsigned lo, unsigned width) {
  if (width == 0 || lo > 127) return 0;
  return uint32_t(extract(w, {uint8_t(std::min(lo + width - 1, 127u)), uint8_t(lo)}));
}
// Reads fields one after the other.
struct BitReader {
  const Word128& word;
  unsigned at = 0;
  constexpr uint32_t operator()(unsigned width) {
    at += width;
    return field(word, at - width, width);
  }
};

// A number of few bits, its highest bits repeated below it until it has eight.
constexpr unsigned widened(unsigned v, unsigned bits) {
  unsigned out = v << (8 - bits);
  for (unsigned have = bits; have < 8; have += bits) out |= v << (8 - bits) >> have;
  return out & 255;
}

inline constexpr auto unorm8 = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t n = 0; n < 256; ++n) table[n] = std::bit_cast<uint32_t>(unorm_to_float(n, 8));
  return table;
}();
// The channel of one texel, as a float.
inline uint32_t widened_channel(const Channel& c, uint32_t v) {
  constexpr lanes::One d;
  return Widening<lanes::One>{d}.channel(c, lanes::OneInt::of(v)).v;
}
inline constexpr uint32_t float_one = 0x3F800000;

// Colours of eight bits, 0 to 255.
struct Colour {
  std::array<int, 3> rgb{};
  int alpha = 255;
};
inline Rgba rgba(const Format& f, const Colour& c) {
  Rgba out{0, 0, 0, unorm8[size_t(c.alpha)]};
  for (size_t n = 0; n < 3; ++n) {
    if (f.space == Space::srgb)
      std::memcpy(&out[n], srgb_table() + 4 * size_t(256 + c.rgb[n]), 4);
    else
      out[n] = unorm8[size_t(c.rgb[n])];
  }
  return out;
}

}  // namespace vitro::formats
