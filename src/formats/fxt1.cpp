// FXT1: blocks of 8 x 4 texels. PRM: SURFACE_FORMAT (FXT1); the layout is that of 3DFX_texture_compression_FXT1.
// Colours of five and six bits are widened to the nearest of eight bits, and those between two are rounded to the
// nearest.
#include "formats/blocks.h"

namespace vitro::formats {

namespace {

struct Block {
  const Word128 word;

  int five(unsigned lo) const { return int(field(word, lo, 5) * 510 + 31) / 62; }
  int six(unsigned lo, unsigned lowest) const { return int((field(word, lo, 5) << 1 | lowest) * 510 + 63) / 126; }
  // Blue, green and red from bit lo up.
  Colour colour(unsigned lo) const { return {{five(lo + 10), five(lo + 5), five(lo)}}; }
  static Colour mixed(const Colour& x, const Colour& y, int at, int parts, int add) {
    const auto mix = [&](int v, int w) { return ((parts - at) * v + at * w + add) / parts; };
    Colour out{.alpha = mix(x.alpha, y.alpha)};
    for (size_t c = 0; c < 3; ++c) out.rgb[c] = mix(x.rgb[c], y.rgb[c]);
    return out;
  }

  // Texels of the left half come first, then the right half's.
  Colour at(unsigned x, unsigned y) const {
    const unsigned half = x / 4, texel = 16 * half + 4 * y + x % 4;
    const unsigned code = field(word, 2 * texel, 2);
    const bool flag = field(word, 124, 1);  // CC_MIXED: clear texels; CC_ALPHA: colours in between
    switch (field(word, 125, 3)) {
      case 0:
      case 1: {  // CC_HI: seven colours between two, and none
        const unsigned wide = field(word, 3 * texel, 3);
        return wide == 7 ? Colour{.alpha = 0} : mixed(colour(96), colour(111), int(wide), 6, 3);
      }
      case 2: return colour(64 + 15 * code);  // CC_CHROMA
      case 3: return flag ? two_alphas(half, code) : three_alphas(code);
      default: return mixed_mode(half, code, flag);
    }
  }
  Colour two_alphas(unsigned half, unsigned code) const {
    Colour first = colour(half ? 94 : 64), second = colour(79);
    first.alpha = five(half ? 119 : 109), second.alpha = five(114);
    return mixed(first, second, int(code), 3, 1);
  }
  Colour three_alphas(unsigned code) const {
    if (code == 3) return {.alpha = 0};
    return {colour(64 + 15 * code).rgb, five(109 + 5 * code)};
  }
  // Green has a sixth bit, the first colour's from the halves' first codes.
  Colour mixed_mode(unsigned half, unsigned code, bool clear) const {
    const unsigned lo = half ? 94 : 64, green = field(word, half ? 126 : 125, 1),
                   code_bit = field(word, half ? 33 : 1, 1);
    Colour first = colour(lo), second = colour(lo + 15);
    second.rgb[1] = six(lo + 20, green);
    if (clear) return code == 3 ? Colour{.alpha = 0} : mixed(first, second, int(code), 2, 0);
    first.rgb[1] = six(lo + 5, green ^ code_bit);
    return mixed(first, second, int(code), 3, 1);
  }
};

}  // namespace

void fxt1(const Format& f, const std::byte* from, const Window& w, Rgba* out) {
  const Block block{block_word(from, 16)};
  fill(w, out, [&](unsigned x, unsigned y) { return rgba(f, block.at(x, y)); });
}

}  // namespace vitro::formats
