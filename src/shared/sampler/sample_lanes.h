// Sampling over a lane domain: coordinates to fixed point, address modes, levels and weights, nearest and linear
// filters between texels and between levels. Eight lanes of it are what most messages are carried out with, compiled
// code calls it as a routine, and one lane of it does the arithmetic of all other messages (sample.cpp, filter.cpp).
// What decides which instructions run is the key; numbers are facts. PRM: Gen8 vol 7 "Texture Address Control Modes",
// "Texture Filtering", "LOD Computation Pseudocode".
// As a routine: sample and its variants without comparison on 1D and 2D surfaces and arrays of them, and ld. Not:
// volumes, cubes, minimum and maximum filters, LODs from derivatives.
#pragma once

#include <utility>

#include "isa/sampler_message.h"
#include "shared/image/texels.h"
#include "state/sampler.h"

namespace vitro::shared {

// Texel coordinates, LODs and weights have eight bits behind the point.
inline constexpr int fraction_bits = 8;
inline constexpr float fraction_one = 1 << fraction_bits;

// What a routine is given.
inline constexpr std::array sample_inputs{isa::Parameter::u, isa::Parameter::v, isa::Parameter::r, isa::Parameter::lod,
                                          isa::Parameter::mlod};

enum class Filtering : uint8_t { nearest, linear, by_lane };

// Plain bytes. Axes are u, v, r.
struct SampleKey {
  SurfaceKey surface{};
  uint8_t loads = 0;  // ld: integer coordinates, and nothing of what follows but `source`
  std::array<state::AddressMode, 3> mode{};
  std::array<uint8_t, 2> power_of_2{};     // extents of the surface
  std::array<uint8_t, 2> rounded{};        // a bit for each axis; minified, magnified
  std::array<Filtering, 2> filtering{};    // minified, magnified
  uint8_t normalized = 0;                  // coordinates are parts of the surface
  uint8_t offsets = 0;                     // there are any
  uint8_t sends_lod = 0, sends_least = 0;  // lanes have a LOD; the smallest one they want
  state::MipFilter mip = state::MipFilter::none;
  uint8_t preclamp = 0, clamp_magnified = 0;  // fields of the sampler
  uint8_t chooses = 0;                        // lanes choose levels or filters
  uint8_t border = 0;                         // texels may be of the border
  uint8_t regular = 0;                        // all texels are finite, and none is -0
  uint8_t flushes = 0;                        // denormals
  // What the response has: components of the texel, or constants.
  static constexpr uint8_t zero = 4, one = 5, nothing = 255;
  std::array<uint8_t, 4> source{0, 1, 2, 3};
  bool operator==(const SampleKey&) const = default;
};

struct SampleFacts : SurfaceFacts {
  int32_t offset_u = 0, offset_v = 0, offset_r = 0;  // in texels
  // Border colour, or what ld reads outside.
  int32_t outside_r = 0, outside_g = 0, outside_b = 0, outside_a = 0;
  float lod_bias = 0, min_lod = 0, most_lod = 0, base_mip_level = 0, least_lod = 0;
};

template <class D>
struct SampleLanes {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  using Components = std::array<I, 4>;
  const D& d;
  const SampleKey& k;
  typename D::template Record<SampleFacts> f;
  const Texels<D> texels{d, k.surface, f};

  // --- one axis

  // Truncated, or rounded to nearest; what is no number is zero, what is too large stays large.
  I to_fixed(F x, bool rounded) const {
    const F scaled = rounded ? x * fraction_one + 0.5f : x * fraction_one;
    const F inside = d.max(d.min(scaled, d.f(0x1p30f)), d.f(-0x1p30f));
    return d.select(scaled == scaled, d.truncate(d.floor(inside)), d.i(0));
  }
  F clamp(F x, F least, F most) const { return d.select(x < least, least, d.select(most < x, most, x)); }

  // Two texels that follow each other, and where they are none but the border.
  struct Pair {
    I first, second;
    M first_outside, second_outside;
  };
  // Those that i and i + 1 stand for on an axis of n texels.
  Pair address(state::AddressMode mode, bool power_of_2, I i, I n) const {
    using state::AddressMode;
    const M nowhere = d.m(false);
    const I last = n - 1, next = i + 1;
    const auto inside = [&](I x) { return d.max(d.min(x, last), d.i(0)); };
    switch (mode) {
      case AddressMode::wrap:
      case AddressMode::mirror: {
        const bool mirrors = mode == AddressMode::mirror;
        const I period = mirrors ? n + n : n;
        // Coordinates have 23 bits: the quotient, rounded, does not reach the next integer.
        const auto remainder = [&] { return i - d.truncate(d.floor(d.to_float(i) / d.to_float(period))) * period; };
        const I a = power_of_2 ? i & (period - 1) : remainder();
        const I b = power_of_2 ? next & (period - 1) : d.select(a + 1 == period, d.i(0), a + 1);
        if (!mirrors) return {a, b, nowhere, nowhere};
        return {d.min(a, period - 1 - a), d.min(b, period - 1 - b), nowhere, nowhere};
      }
      case AddressMode::mirror_once: {
        const auto once = [&](I x) { return d.min(d.select(x < 0, -x - 1, x), last); };
        return {once(i), once(next), nowhere, nowhere};
      }
      case AddressMode::clamp_border:
      case AddressMode::half_border:
        return {inside(i), inside(next), !d.less_unsigned(i, n), !d.less_unsigned(next, n)};
      case AddressMode::clamp:
      case AddressMode::cube: break;
    }
    return {inside(i), inside(next), nowhere, nowhere};
  }

  struct Axis {
    Pair texel;
    I weight;  // of the second, in 1/256
  };
  Pair address_of_first() const { return {d.i(0), d.i(0), d.m(false), d.m(false)}; }
  // `x` in texels. Half border stops half a texel outside of the surface.
  Axis axis(unsigned number, F x, I n, I offset, Filtering filtering, M magnified, M linear) const {
    state::AddressMode mode = k.mode[number];
    if (mode == state::AddressMode::half_border) {
      x = clamp(x, d.f(0.0f), d.to_float(n));
      if (filtering == Filtering::nearest) mode = state::AddressMode::clamp;
    }
    const bool minified = k.rounded[0] >> number & 1, enlarged = k.rounded[1] >> number & 1;
    I fixed = minified == enlarged ? to_fixed(x, minified)
                                   : d.select(magnified, to_fixed(x, enlarged), to_fixed(x, minified));
    I weight = d.i(0);
    if (filtering != Filtering::nearest) {
      const I before = fixed - (1 << (fraction_bits - 1));
      const bool all = filtering == Filtering::linear;
      weight = before & ((1 << fraction_bits) - 1);
      if (!all) weight = d.select(linear, weight, d.i(0));
      fixed = all ? before : d.select(linear, before, fixed);
    }
    const I i = d.shift_right_signed(fixed, int32_t(fraction_bits));
    const bool power_of_2 = number < k.power_of_2.size() && k.power_of_2[number];
    return {address(mode, power_of_2, k.offsets ? i + offset : i, n), weight};
  }

  // --- levels

  struct Levels {
    I first, second;
    I weight;  // of the second, in 1/256
    M magnified;
    F clamped;
  };
  // `lod` has its bias; `least` is what message and resource ask for.
  Levels choose_levels(F lod, F least) const {
    lod = d.select(lod == lod, lod, d.f(0.0f));
    const F clamped = clamp(lod, d.fact(f, &SampleFacts::min_lod), d.fact(f, &SampleFacts::most_lod));
    if (k.preclamp) lod = clamped;
    const I last_level = d.fact(f, &SurfaceFacts::last_level);
    const F last = d.to_float(last_level), none = d.f(0.0f);
    Levels l{.magnified = lod <= d.fact(f, &SampleFacts::base_mip_level),
             .clamped = clamp(d.select(clamped < least, least, clamped), none, last)};
    // One level only, but none below what the resource has.
    const I lowest = d.truncate(clamp(-d.floor(-least), none, last));
    l.weight = d.i(0);
    if (k.mip == state::MipFilter::none) {
      l.first = l.second = lowest, l.clamped = d.to_float(lowest);
      return l;
    }
    const I fixed = d.round(l.clamped * fraction_one);
    const M single = k.clamp_magnified ? d.m(false) : l.magnified & (least <= 0.0f);
    if (k.mip == state::MipFilter::nearest) {
      const I nearest = d.min(d.shift_right(fixed + (1 << (fraction_bits - 1)), int32_t(fraction_bits)), last_level);
      l.first = l.second = d.select(single, lowest, nearest);
      return l;
    }
    const I first = d.shift_right(fixed, int32_t(fraction_bits));
    l.first = d.select(single, lowest, first), l.second = d.select(single, lowest, d.min(first + 1, last_level));
    l.weight = d.select(single, d.i(0), fixed & ((1 << fraction_bits) - 1));
    return l;
  }

  // --- filters

  struct Weight {
    F part;  // of the second
    M none;
  };
  Weight weight_of(I weight) const { return {d.to_float(weight) * (1 / fraction_one), weight == 0}; }
  F mix(F a, F b, const Weight& w) const {
    const F sum = a + (b - a) * w.part;
    return k.regular ? sum : d.select(w.none, a, sum);
  }
  // See flushes_denormals().
  I without_denormal(I v) const { return d.select((v & 0x7F800000) == 0, v & INT32_MIN, v); }

  // --- routines

  // Parameters as sent, those that were not as zeros.
  struct Input {
    I u, v, r, lod, least;
  };
  // The channels of the response.
  Components operator()(const Input& in) const { return k.loads ? load(in) : sample(in); }

 private:
  unsigned wanted() const {
    unsigned components = 0;
    for (const uint8_t s : k.source)
      if (s < 4) components |= 1u << s;
    return components;
  }
  Components respond(const Components& texel) const {
    Components out = texel;
    for (size_t n = 0; n < 4; ++n) {
      const uint8_t s = k.source[n];
      out[n] = s < 4 ? texel[s] : d.i(s == SampleKey::one ? int32_t(k.surface.texel.one()) : 0);
    }
    return out;
  }
  Components outside() const {
    return {d.fact(f, &SampleFacts::outside_r), d.fact(f, &SampleFacts::outside_g), d.fact(f, &SampleFacts::outside_b),
            d.fact(f, &SampleFacts::outside_a)};
  }
  template <class Do>
  void each_wanted(Do run) const {
    for (unsigned n = 0; n < 4; ++n)
      if (wanted() >> n & 1) run(n);
  }
  Components fetch(I place, M is_outside) const {
    Components texel = texels.load(wanted(), place);
    if (k.border) {
      const Components instead = outside();
      each_wanted([&](unsigned n) { texel[n] = d.select(is_outside, instead[n], texel[n]); });
    }
    return flushed(texel);
  }
  Components flushed(Components texel) const {
    if (k.flushes) each_wanted([&](unsigned n) { texel[n] = without_denormal(texel[n]); });
    return texel;
  }
  Components mixed(const Components& a, const Components& b, const Weight& w) const {
    Components out = a;
    each_wanted([&](unsigned n) { out[n] = d.bits(mix(d.as_float(a[n]), d.as_float(b[n]), w)); });
    return out;
  }

  struct Point {
    F u, v;
    I slice;
  };
  // One level around a point.
  Components at_level(const Point& p, I level, M magnified) const {
    const bool flat = !k.surface.one_dimension;
    const bool same = k.filtering[0] == k.filtering[1];
    const Filtering filtering = same ? k.filtering[0] : Filtering::by_lane;
    const M linear = k.filtering[1] == Filtering::linear ? magnified : !magnified;
    const I w = texels.width(level), h = texels.height(level);
    const auto along = [&](unsigned number, F x, I n, int32_t SampleFacts::*offset) {
      return axis(number, k.normalized ? x * d.to_float(n) : x, n, d.fact(f, offset), filtering, magnified, linear);
    };
    const auto origin = texels.origin(level, p.slice);
    const Axis x = along(0, p.u, w, &SampleFacts::offset_u);
    const Axis y = flat ? along(1, p.v, h, &SampleFacts::offset_v) : Axis{address_of_first(), d.i(0)};
    // Texels of the footprint, x fastest.
    const int across = filtering == Filtering::nearest ? 1 : 2, down = flat ? across : 1;
    const I columns[2] = {texels.column(origin, x.texel.first), texels.column(origin, x.texel.second)};
    const I rows[2] = {texels.row(origin, y.texel.first), texels.row(origin, y.texel.second)};
    const M beside[2] = {x.texel.first_outside, x.texel.second_outside};
    const M below[2] = {y.texel.first_outside, y.texel.second_outside};
    Components texel[4];
    for (int n = 0; n < across * down; ++n) {
      const int i = n % across, j = n / across;
      texel[n] = fetch(columns[i] + rows[j], beside[i] | below[j]);
    }
    if (across == 1) return texel[0];
    const Weight to_right = weight_of(x.weight);
    for (int j = 0; j < down; ++j) texel[j] = mixed(texel[2 * j], texel[2 * j + 1], to_right);
    return down == 1 ? texel[0] : mixed(texel[0], texel[1], weight_of(y.weight));
  }

  Components sample(const Input& in) const {
    Point p{d.as_float(in.u), d.as_float(in.v), d.i(0)};
    if (k.surface.layered) {
      const F index = d.as_float(k.surface.one_dimension ? in.v : in.r);
      const F most = d.to_float(d.fact(f, &SurfaceFacts::slices) - 1);
      p.slice = d.round(d.min(d.max(index, d.f(0.0f)), most));
    }
    if (!k.chooses) return respond(flushed(at_level(p, d.i(0), d.m(false))));
    const F bias = d.fact(f, &SampleFacts::lod_bias);
    F least = d.fact(f, &SampleFacts::least_lod);
    if (k.sends_least) least = d.select(least < d.as_float(in.least), d.as_float(in.least), least);
    const Levels l = choose_levels(k.sends_lod ? d.as_float(in.lod) + bias : bias, least);
    Components texel = at_level(p, l.first, l.magnified);
    if (k.surface.levels && k.mip == state::MipFilter::linear && !k.surface.texel.integer) {
      const M two = (l.weight != 0) & (l.second != l.first);
      texel = d.if_any(two, texel, [&](Components first) {
        const Components both = mixed(first, at_level(p, l.second, l.magnified), weight_of(l.weight));
        each_wanted([&](unsigned n) { first[n] = d.select(two, both[n], first[n]); });
        return first;
      });
    }
    return respond(flushed(texel));
  }

  Components load(const Input& in) const {
    const I u = k.offsets ? in.u + d.fact(f, &SampleFacts::offset_u) : in.u;
    // of 1D surfaces v is the slice
    const bool moves = k.offsets && !k.surface.one_dimension;
    const auto place =
        texels.place(u, moves ? in.v + d.fact(f, &SampleFacts::offset_v) : in.v, in.r, k.sends_lod ? in.lod : d.i(0));
    const Components instead = outside();
    Components texel = texels.load(wanted(), place.at);
    each_wanted([&](unsigned n) { texel[n] = d.select(place.inside, texel[n], instead[n]); });
    return respond(texel);
  }
};

}  // namespace vitro::shared
