// Blending colours into a render target pixel by pixel and sample by sample. PRM: as render_target.h. Targets are read
// in their own number space: sRGB is decoded before blending and encoded after it. Logic operations are of bits, and
// not of floats or sRGB.
#include <bit>
#include <cstring>

#include "lanes/eight.h"
#include "lanes/one.h"
#include "shared/dataport/render_target.h"

namespace vitro::shared {

namespace {

struct Writing {
  const RenderTarget& target;
  const PixelContext& pixels;
  const state::BlendStateEntry& entry;
  const PixelOutputs& out;
  BlendKey key{};
  bool logic = false, some_channels = false;
  TexelBits written{};  // of a texel, if only some channels are

  Writing(const RenderTarget& t, const PixelContext& p, const state::BlendStateEntry& e, const PixelOutputs& o)
      : target(t), pixels(p), entry(e), out(o), key(blend_key(p.blend, e, *t.image.format)) {
    logic = e.logic_op_enable && t.logic;
    const bool off[] = {e.write_disable_red, e.write_disable_green, e.write_disable_blue, e.write_disable_alpha};
    for (size_t c = 0; c < 4; ++c) {
      const TexelBits& bits = t.channels[t.component[c]];
      if (!off[c])
        written[0] |= bits[0], written[1] |= bits[1];
      else
        some_channels |= bits[0] | bits[1];
    }
  }
  bool reads() const { return key.enabled || logic || some_channels; }
  std::array<float, 4> constant() const {
    const state::ColorCalcState& cc = pixels.color_calc;
    return {cc.blend_constant_color_red, cc.blend_constant_color_green, cc.blend_constant_color_blue,
            cc.blend_constant_color_alpha};
  }
};

// --- pixel by pixel

using One = lanes::One;
using OneColour = Blending<One>::Colour;

OneColour one_colour(const formats::Rgba& c) {
  return {One::F{std::bit_cast<float>(c[0])}, One::F{std::bit_cast<float>(c[1])}, One::F{std::bit_cast<float>(c[2])},
          One::F{std::bit_cast<float>(c[3])}};
}
formats::Rgba lane(const std::array<PixelOutputs::Component, 4>& c, unsigned n) {
  return {c[0][n], c[1][n], c[2][n], c[3][n]};
}

TexelBits result(const Writing& w, unsigned n, const TexelBits& before) {
  static constexpr One d{};
  formats::Rgba colour = lane(w.out.colour, n);
  if (!w.target.image.format->integer()) {
    const Blending<One> blending{d, w.key};
    const std::array<float, 4> k = w.constant();
    OneColour there{};
    if (w.key.enabled) there = one_colour(decoded(w.target, before));
    const OneColour blended = blending(one_colour(colour), one_colour(lane(w.out.second, n)), there,
                                       {One::F{k[0]}, One::F{k[1]}, One::F{k[2]}, One::F{k[3]}});
    for (size_t c = 0; c < 4; ++c) colour[c] = std::bit_cast<uint32_t>(blended[c].v);
  }
  TexelBits bits = encoded(w.target, colour);
  for (size_t k = 0; k < 2; ++k) {
    if (w.logic) bits[k] = logic_op(w.entry.logic_op_function, bits[k], before[k]);
    if (w.some_channels) bits[k] = (bits[k] & w.written[k]) | (before[k] & ~w.written[k]);
  }
  return bits;
}

void write_pixel(const Writing& w, TargetPixel& at, unsigned n, uint32_t samples) {
  const Image& image = w.target.image;
  const bool reads = w.reads();
  const auto whole = uint32_t(ones(image.samples));
  if (image.samples == 1) {
    at.store_plane(0, result(w, n, reads ? at.load(0) : TexelBits{}));
    return;
  }
  at.load_code();
  if (w.target.mcs_bytes) {
    const bool alike = at.code == mcs_all_in_first || mcs_is_clear(image.log2_samples, at.code);
    if (samples == whole && (!reads || alike)) {
      at.store_plane(0, result(w, n, reads ? at.load(0) : TexelBits{}));
      at.store_code(mcs_all_in_first);
      return;
    }
    at.spread(reads ? whole : whole & ~samples);
  }
  TexelBits bits{};
  if (!reads) bits = result(w, n, {});
  for (uint32_t left = samples; left; left &= left - 1) {
    const auto s = unsigned(std::countr_zero(left));
    at.store_plane(s, reads ? result(w, n, at.load(s)) : bits);
  }
}

}  // namespace

void write_colours_plainly(memory::View& memory, const RenderTarget& target, const PixelContext& pixels,
                           const state::BlendStateEntry& entry, const PixelOutputs& out, const LitSamples& lit) {
  const Writing w(target, pixels, entry, out);
  const ImageLevel& level = target.at();
  for (unsigned n = 0; n < out.count; ++n) {
    const unsigned l = out.first + n;
    uint32_t samples = 0;
    for (unsigned s = 0; s < pixels.samples; ++s) samples |= (lit[s] >> l & 1) << s;
    if (target.image.samples == 1) samples = samples != 0;
    samples &= uint32_t(ones(target.image.samples));
    if (!samples || pixels.thread->x(l) >= level.width || pixels.thread->y(l) >= level.height) continue;
    TargetPixel at{memory, target, pixels.thread->x(l), pixels.thread->y(l), target.slice(out.layer)};
    write_pixel(w, at, n, samples);
  }
}

}  // namespace vitro::shared
