// BC1 to BC5, also named DXT1, DXT3, DXT5 and RGTC. PRM: SURFACE_FORMAT (BC1_UNORM to BC5_SNORM, DXT1_RGB).
// The documents leave open how colours between the endpoints are rounded. BC1 to BC3 are interpolated here in integers
// of eight bits, endpoints widened by repeating their bits and quotients cut, as Direct3D 10 describes and as software
// decoders do. BC4 and BC5 give more than eight bits: the quotient of the integers is rounded once, to a float.
#include "formats/blocks.h"

namespace vitro::formats {

namespace {

enum class Fourth : uint8_t { interpolated, clear, black };

Colour of_565(uint32_t v) {
  return {{int(widened(v >> 11 & 31, 5)), int(widened(v >> 5 & 63, 6)), int(widened(v & 31, 5))}};
}
Colour mixed(const Colour& x, int of_x, const Colour& y, int of_y) {
  Colour out;
  for (size_t n = 0; n < 3; ++n) out.rgb[n] = (of_x * x.rgb[n] + of_y * y.rgb[n]) / (of_x + of_y);
  return out;
}

// Eight bytes: two colours and codes of two bits.
struct ColourBlock {
  std::array<Colour, 4> colours;
  uint32_t codes;
  ColourBlock(uint64_t bits, Fourth fourth) : codes(uint32_t(bits >> 32)) {
    const uint32_t first = bits & 0xFFFF, second = bits >> 16 & 0xFFFF;
    const Colour x = of_565(first), y = of_565(second);
    colours = {x, y, mixed(x, 2, y, 1), mixed(x, 1, y, 2)};
    if (fourth == Fourth::interpolated || first > second) return;
    colours[2] = mixed(x, 1, y, 1);
    colours[3] = {.alpha = fourth == Fourth::clear ? 0 : 255};
  }
  const Colour& at(unsigned x, unsigned y) const { return colours[codes >> 2 * (4 * y + x) & 3]; }
};

// Eight bytes: two values, codes of three bits. Values between are sums over a divisor.
struct ValueBlock {
  int first, second, lowest, highest;
  bool seven;
  uint64_t codes;
  struct Quotient {
    int dividend, divisor;
  };
  ValueBlock(uint64_t bits, bool is_signed) : codes(bits >> 16) {
    const auto value = [&](uint64_t v) { return is_signed ? int(int8_t(v)) : int(uint8_t(v)); };
    first = value(bits & 255), second = value(bits >> 8 & 255);
    seven = first > second;
    highest = is_signed ? 127 : 255, lowest = is_signed ? -127 : 0;
    first = std::max(first, lowest), second = std::max(second, lowest);  // -128 too means -1
  }
  Quotient at(unsigned x, unsigned y) const {
    const int code = int(codes >> 3 * (4 * y + x) & 7), parts = seven ? 7 : 5;
    if (code == 0) return {first, 1};
    if (code == 1) return {second, 1};
    if (code > parts) return {code == 6 ? lowest : highest, 1};
    return {first * (parts + 1 - code) + second * (code - 1), parts};
  }
  int byte(unsigned x, unsigned y) const {
    const Quotient q = at(x, y);
    return q.dividend / q.divisor;
  }
  uint32_t normalised(unsigned x, unsigned y) const {
    const Quotient q = at(x, y);
    return std::bit_cast<uint32_t>(float(double(q.dividend) / (q.divisor * highest)));
  }
};

void colours(const Format& f, uint64_t bits, Fourth fourth, const Window& w, Rgba* out) {
  const ColourBlock block(bits, fourth);
  fill(w, out, [&](unsigned x, unsigned y) { return rgba(f, block.at(x, y)); });
}
void one_value(const std::byte* from, bool is_signed, const Window& w, Rgba* out) {
  const ValueBlock block(block_word(from, 8).lo, is_signed);
  fill(w, out, [&](unsigned x, unsigned y) { return Rgba{block.normalised(x, y), 0, 0, float_one}; });
}
void two_values(const std::byte* from, bool is_signed, const Window& w, Rgba* out) {
  const Word128 words = block_word(from, 16);
  const ValueBlock red(words.lo, is_signed), green(words.hi, is_signed);
  fill(w, out, [&](unsigned x, unsigned y) {
    return Rgba{red.normalised(x, y), green.normalised(x, y), 0, float_one};
  });
}

}  // namespace

void bc1(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  colours(f, block_word(block, 8).lo, Fourth::clear, w, out);
}
void dxt1_rgb(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  colours(f, block_word(block, 8).lo, Fourth::black, w, out);
}
void bc2(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  const Word128 words = block_word(block, 16);
  const ColourBlock colour(words.hi, Fourth::interpolated);
  fill(w, out, [&](unsigned x, unsigned y) {
    return rgba(f, {colour.at(x, y).rgb, int(words.lo >> 4 * (4 * y + x) & 15) * 17});
  });
}
void bc3(const Format& f, const std::byte* block, const Window& w, Rgba* out) {
  const Word128 words = block_word(block, 16);
  const ColourBlock colour(words.hi, Fourth::interpolated);
  const ValueBlock alpha(words.lo, false);
  fill(w, out, [&](unsigned x, unsigned y) { return rgba(f, {colour.at(x, y).rgb, alpha.byte(x, y)}); });
}
void bc4_unorm(const Format&, const std::byte* block, const Window& w, Rgba* out) { one_value(block, false, w, out); }
void bc4_snorm(const Format&, const std::byte* block, const Window& w, Rgba* out) { one_value(block, true, w, out); }
void bc5_unorm(const Format&, const std::byte* block, const Window& w, Rgba* out) { two_values(block, false, w, out); }
void bc5_snorm(const Format&, const std::byte* block, const Window& w, Rgba* out) { two_values(block, true, w, out); }

}  // namespace vitro::formats
