// Writing colours into a render target over a lane domain, as routines: eight lanes, which are two subspans, of a
// target with one sample, or all samples of pixels where a control surface says in which planes those are. Compiled
// code calls them, and the render target messages that are carried out one by one use
// the host's form; what is not of this kind is written pixel by pixel (colours.cpp), with the same results. PRM: as
// render_target.h. What decides which instructions run is the key; numbers are facts.
// Pixels of two subspans side by side stand in two rows of four: those are read and written as rows, also where only
// some of them are lit, since nobody else draws there meanwhile. All others go their own ways.
#pragma once

#include <array>
#include <cstdint>

#include "code/routines.h"
#include "shared/dataport/blend.h"
#include "shared/image/texels.h"

namespace vitro::shared {

// Plain bytes.
struct TargetKey {
  code::RoutineKind kind = code::RoutineKind::target;
  SurfaceKey surface{};
  BlendKey blend{};
  uint8_t channels = 15;  // red to alpha, that are written
  uint8_t logic = 0;      // one more than the logic operation; 0: none
  uint8_t log2_samples = 0;
  bool operator==(const TargetKey&) const = default;

  bool writes(const formats::Channel& c) const {
    // luminance and intensity are red's
    return channels >> (c.component >= formats::Component::l ? 0u : unsigned(c.component)) & 1;
  }
  // Bits of dword n of a texel that are written, if not all of them are.
  uint32_t written(unsigned n) const {
    uint32_t some = 0;
    bool all = true;
    for (unsigned k = 0; k < surface.texel.channel_count; ++k) {
      const formats::Channel& c = surface.texel.channels[k];
      if (c.component == formats::Component::none) continue;
      all = all && writes(c);
      if (c.lo / 32 == n && writes(c)) some |= uint32_t(ones(c.width) << c.lo % 32);
    }
    return all ? ~0u : some;
  }
  bool reads() const {
    for (unsigned n = 0; n < 4; ++n)
      if (~written(n)) return true;
    return blend.enabled || logic;
  }
  // Whether pixels of two subspans side by side may be read and written as two rows of four.
  bool has_squares() const {
    using memory::Tiling;
    const Tiling t = surface.tiling;
    return surface.texel.bytes == 4 && !surface.strided && (t == Tiling::linear || t == Tiling::x || t == Tiling::y);
  }
  // Reading as many samples as this takes more code than it is worth.
  bool in_lanes() const { return log2_samples <= 2 || !reads(); }
  // Whether it is done in few instructions.
  bool is_short() const { return !log2_samples; }
  // Whether results depend on how the host treats denormals: in floats of 32 bits that are computed, in smaller ones
  // that are read (denormals of theirs are made of the host's), and wherever one may meet an infinity, since zero times
  // that is no number.
  bool keeps_denormals() const {
    if (!blend.enabled && blend.source_clamp == ClampRange::none && blend.result_clamp == ClampRange::none)
      return false;
    if (blend.enabled && blend.source_clamp == ClampRange::none) return true;
    for (unsigned k = 0; k < surface.texel.channel_count; ++k) {
      const formats::Channel& c = surface.texel.channels[k];
      const bool floats = c.kind == formats::Kind::sfloat || c.kind == formats::Kind::ufloat;
      if (floats && (c.width == 32 || blend.enabled)) return true;
    }
    return false;
  }
};

struct TargetFacts : SurfaceFacts {
  float constant_r = 0, constant_g = 0, constant_b = 0, constant_a = 0;
  int32_t layers = 0;  // that there are: others mean the first one
  // Of a control surface, which is Y tiled: host memory, bytes of a row of tiles, row of the first layer, rows of a
  // layer; and the bits of the clear colour.
  std::byte* control = nullptr;
  int32_t control_pitch = 0, control_y = 0, control_step = 0;
  int32_t clear_0 = 0, clear_1 = 0, clear_2 = 0, clear_3 = 0;
};

template <class D>
struct TargetLanes {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  using Components = std::array<I, 4>;
  using Dwords = std::array<I, 4>;
  using Colour = typename Blending<D>::Colour;
  const D& d;
  const TargetKey& k;
  typename D::template Record<TargetFacts> f;
  const Texels<D> texels{d, k.surface, f};

  // Red to alpha, as the shader gives them, and its second colour.
  void operator()(I x, I y, I layer, M lit, const Components& colour, const Components& second) const {
    const I slice = slice_of(layer);
    if (k.log2_samples) return write_samples(x, y, slice, lit, colour, second);
    const auto any = [&] { write(texels.place(x, y, slice, d.i(0)), lit, d.m(false), colour, second); };
    if (!k.has_squares()) return any();
    const Square q = square_at(x, y, slice);
    d.choose(
        q.whole, [&] { square(d.splat(q.at), row_distance(), lit, d.m(false), colour, second); }, any);
  }

  I slice_of(I layer) const { return d.select(d.less_unsigned(layer, d.fact(f, &TargetFacts::layers)), layer, d.i(0)); }
  // Where eight pixels are. Most are two subspans side by side, inside, and at a multiple of four pixels, where it can
  // be told from the first one.
  struct Square {
    typename D::Truth whole;
    typename D::Alone::I at;
  };
  Square square_at(I x, I y, I slice) const {
    const auto one = d.alone();
    const Texels<typename D::Alone> alone{one, k.surface, f};
    const auto left = d.lane(x, 0), upper = d.lane(y, 0);
    const auto corner = alone.place(left, upper, d.lane(slice, 0), one.i(0));
    const auto whole = corner.inside & (d.lane(x, 4) == left + 2) & (d.lane(y, 4) == upper) &
                       ((corner.at & unaligned()) == 0) & one.less_unsigned(left + 3, alone.width(one.i(0))) &
                       one.less_unsigned(upper + 1, alone.height(one.i(0)));
    return {one.all(whole), corner.at};
  }
  // Of two pixels one below the other, the upper in an even row. Tiles have rows of 512 bytes, or columns of 16.
  I row_distance() const {
    if (k.surface.tiling == memory::Tiling::linear) return d.fact(f, &SurfaceFacts::pitch);
    return d.i(k.surface.tiling == memory::Tiling::x ? 512 : 16);
  }
  typename D::Pointer host() const { return d.fact(f, &SurfaceFacts::host); }
  // The bits that pixels have after these colours, and had before.
  Dwords result(const Components& colour, const Components& second, const Dwords& before) const {
    const Components c = k.surface.texel.integer ? colour : blended(colour, second, before);
    Dwords out{d.i(0), d.i(0), d.i(0), d.i(0)};
    for (unsigned n = 0; n < dwords(); ++n) {
      I bits = formats::encode_dword(d, k.surface.texel, n, c);
      if (k.logic) bits = logic_op(k.logic - 1u, bits, before[n]);
      if (const uint32_t written = k.written(n); ~written)
        bits = (bits & int32_t(written)) | (before[n] & int32_t(~written));
      out[n] = bits;
    }
    return out;
  }

 private:
  // Lanes that are `cleared` have the clear colour, whatever is in memory.
  void write(const typename Texels<D>::Place& place, M lit, M cleared, const Components& colour,
             const Components& second) const {
    const I at = place.at;
    const M written = place.inside & lit;
    const auto apart = [&] {
      Dwords before{d.i(0), d.i(0), d.i(0), d.i(0)};
      if (k.reads())
        for (unsigned n = 0; n < dwords(); ++n)
          before[n] = unless_cleared(cleared, n, d.gather_all(host(), moved(at, n), dword_bytes()));
      const Dwords after = result(colour, second, before);
      for (unsigned n = 0; n < dwords(); ++n) d.scatter_low(host(), moved(at, n), after[n], written, dword_bytes());
    };
    if (!k.has_squares()) return apart();
    const I row = row_distance();
    const M beside =
        at == d.first(at) + (d.by_lane({0, 4, 0, 4, 8, 12, 8, 12}) + (row & d.by_lane({0, 0, -1, -1, 0, 0, -1, -1})));
    d.choose(
        d.all(beside & place.inside), [&] { square(at, row, lit, cleared, colour, second); }, apart);
  }
  // Of two subspans side by side that are inside: the first lane says where.
  void square(I at, I row, M lit, M cleared, const Components& colour, const Components& second) const {
    Dwords before{d.i(0), d.i(0), d.i(0), d.i(0)};
    const auto load = [&] { return d.gather_square(host(), at, row); };
    const I there = k.reads() ? load() : d.i(0);
    if (k.reads()) before[0] = unless_cleared(cleared, 0, there);
    const I after = result(colour, second, before)[0];
    if (k.reads()) return d.scatter_square(host(), at, row, d.select(lit, after, there));
    d.choose(
        d.all(lit), [&] { d.scatter_square(host(), at, row, after); },
        [&] { d.scatter_square(host(), at, row, d.select(lit, after, load())); });
  }

  // --- all samples of pixels

  int control_bytes() const { return k.log2_samples <= 2 ? 1 : 4 << (k.log2_samples - 3); }
  I unless_cleared(M cleared, unsigned n, I bits) const {
    if (!k.log2_samples) return bits;
    constexpr int32_t TargetFacts::*clear[] = {&TargetFacts::clear_0, &TargetFacts::clear_1, &TargetFacts::clear_2,
                                               &TargetFacts::clear_3};
    return d.select(cleared, d.fact(f, clear[n]), bits);
  }
  // Codes of the control surface, for lanes; only the low bits of a code are to be had.
  void store_codes(I at, I code, M which) const {
    const typename D::Pointer control = d.fact(f, &TargetFacts::control);
    const int bytes = control_bytes();
    const auto apart = [&] {
      d.scatter_low(control, at, code, which, bytes < 4 ? bytes : 4);
      if (bytes == 8) d.scatter_low(control, at + 4, code, which, 4);
    };
    if (bytes != 1) return apart();
    // Those of pixels side by side are two rows of four bytes.
    const M beside = at == d.first(at) + d.by_lane({0, 1, 16, 17, 2, 3, 18, 19});
    const M rows = d.by_lane({1, 0, 1, 0, 0, 0, 0, 0}) != 0;
    d.choose(
        d.all(beside & which), [&] { d.scatter_low(control, at, code * 0x01010101, rows, 4); }, apart);
  }
  // Pixels whose samples are alike stay so: they are in the first plane, and their code says that. What is read of
  // others is in several planes, and so are they.
  void write_samples(I x, I y, I slice, M lit, const Components& colour, const Components& second) const {
    const auto plane = [&](I n) {
      return texels.place(x, y, d.shift_left(slice, int32_t(k.log2_samples)) + n, d.i(0));
    };
    const auto place = plane(d.i(0));
    const M written = place.inside & lit;
    const auto inside = [&](I v) { return d.select(place.inside, v, d.i(0)); };
    const memory::TileLayout& tiles = memory::tile_layout(memory::Tiling::y);
    const I row = inside(y) + d.fact(f, &TargetFacts::control_y) + slice * d.fact(f, &TargetFacts::control_step);
    const I at = memory::tile_column(d, tiles, inside(x) * int32_t(control_bytes())) +
                 memory::tile_row(d, tiles, row, d.fact(f, &TargetFacts::control_pitch));
    if (!k.reads()) {
      write(place, lit, d.m(false), colour, second);
      return store_codes(at, d.i(0), written);
    }
    constexpr uint8_t clear_codes[] = {0, 0x3, 0xFF}, identities[] = {0, 0x2, 0xE4};
    const I code = d.gather_all(d.fact(f, &TargetFacts::control), at, 1);
    const int32_t all = clear_codes[k.log2_samples];
    const M cleared = (code & all) == all, alike = cleared | (code == 0);
    d.choose(
        d.any(written & alike),
        [&] {
          write(place, lit & alike, cleared, colour, second);
          store_codes(at, d.i(0), written & alike);
        },
        [] {});
    const auto apart = [&] {
      const int32_t samples = 1 << k.log2_samples, bits = k.log2_samples;  // of a code, for a sample
      std::array<Dwords, 4> before;
      for (int32_t s = 0; s < samples; ++s) {
        before[size_t(s)].fill(d.i(0));
        const I from = plane(d.shift_right(code, s * bits) & (samples - 1)).at;
        for (unsigned n = 0; n < dwords(); ++n)
          before[size_t(s)][n] = d.gather_all(host(), moved(from, n), dword_bytes());
      }
      for (int32_t s = 0; s < samples; ++s) {
        const I to = plane(d.i(s)).at;
        const Dwords after = result(colour, second, before[size_t(s)]);
        for (unsigned n = 0; n < dwords(); ++n)
          d.scatter_low(host(), moved(to, n), after[n], written & !alike, dword_bytes());
      }
      store_codes(at, d.i(identities[k.log2_samples]), written & !alike);
    };
    d.choose(d.any(written & !alike), apart, [] {});
  }

  unsigned dwords() const { return (k.surface.texel.bytes + 3u) / 4; }
  int dword_bytes() const { return k.surface.texel.bytes < 4 ? k.surface.texel.bytes : 4; }
  static I moved(I at, unsigned dword) { return dword ? at + int32_t(4 * dword) : at; }

  // Bits of a place that are not zero where rows of four texels, or two of them one below the other, may not be side by
  // side as below.
  int32_t unaligned() const {
    if (k.surface.tiling == memory::Tiling::linear) return 0;
    return 15 | (k.surface.tiling == memory::Tiling::x ? 512 : 16);
  }

  Colour floats(const Components& c) const {
    return {d.as_float(c[0]), d.as_float(c[1]), d.as_float(c[2]), d.as_float(c[3])};
  }
  Components blended(const Components& colour, const Components& second, const Dwords& before) const {
    const formats::TexelLayout& t = k.surface.texel;
    Components there{d.i(0), d.i(0), d.i(0), d.i(0)};
    if (k.blend.enabled)
      for (unsigned c = 0; c < 4; ++c)
        there[c] = t.has(c)
                       ? formats::decode_component(d, t, c, before[t.of(c).lo / 32], d.fact(f, &SurfaceFacts::srgb))
                       : d.i(int32_t(t.instead(c)));
    const Colour constant{d.fact(f, &TargetFacts::constant_r), d.fact(f, &TargetFacts::constant_g),
                          d.fact(f, &TargetFacts::constant_b), d.fact(f, &TargetFacts::constant_a)};
    const Colour c = Blending<D>{d, k.blend}(floats(colour), floats(second), floats(there), constant);
    return {d.bits(c[0]), d.bits(c[1]), d.bits(c[2]), d.bits(c[3])};
  }
};

}  // namespace vitro::shared
