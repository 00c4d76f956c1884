// The arithmetic of sampling over a lane domain: coordinates to fixed point, address modes, LODs, levels and weights,
// the probes of anisotropic filters, and the mixing of texels. Routines are made of it (sample_lanes.h), and one lane
// of it serves all other messages (sample.cpp, filter.cpp, level.cpp). What decides which instructions run is the key;
// numbers are facts. PRM: Gen8 vol 7 "Texture Address Control Modes", "Texture Filtering", "LOD Computation
// Pseudocode", "Anisotropic Filtering". A pixel's extent is the longer of its two sides, and its logarithm a
// polynomial, exact at powers of two and within 1/2^18 elsewhere; hardware approximates both, and LODs have eight bits
// behind the point. An anisotropic filter takes its levels for a pixel that is shorter by the ratio of the sides, but
// not more than the sampler allows, and averages that many probes, rounded up, spread evenly over the longer side;
// where hardware puts its probes, and how it weighs them, no document says.
#pragma once

#include <utility>

#include "code/routines.h"
#include "isa/sampler_message.h"
#include "shared/image/texels.h"
#include "state/sampler.h"

namespace vitro::shared {

// Texel coordinates, LODs and weights have eight bits behind the point.
inline constexpr int fraction_bits = 8;
inline constexpr float fraction_one = 1 << fraction_bits;

enum class Filtering : uint8_t { nearest, linear, by_lane };

// Plain bytes. Axes are u, v, r.
struct SampleKey {
  code::RoutineKind kind = code::RoutineKind::sample;
  SurfaceKey surface{};
  uint8_t loads = 0;         // ld: integer coordinates, and nothing of what follows but samples and `source`
  uint8_t log2_samples = 0;  // of a pixel: planes are slices, those of a pixel's samples one after the other...
  uint8_t controlled = 0;    // ...and control words say which one a sample is in
  uint8_t layers = 0;        // there are several slices of pixels
  std::array<state::AddressMode, 3> mode{};
  std::array<uint8_t, 2> power_of_2{};        // extents of the surface
  std::array<uint8_t, 2> rounded{};           // a bit for each axis; minified, magnified
  std::array<Filtering, 2> filtering{};       // minified, magnified
  uint8_t normalized = 0;                     // coordinates are parts of the surface
  uint8_t offsets = 0;                        // there are any
  isa::LodSource lod = isa::LodSource::zero;  // where that of a lane comes from
  uint8_t sends_lod = 0, sends_least = 0;     // lanes have a LOD (of ld); the smallest one they want
  state::MipFilter mip = state::MipFilter::none;
  uint8_t preclamp = 0, clamp_magnified = 0;  // fields of the sampler
  uint8_t chooses = 0;                        // lanes choose levels or filters
  std::array<uint8_t, 2> anisotropic{};       // LODs are for the shorter side; minified and magnified probes
  uint8_t border = 0;                         // texels may be of the border
  uint8_t regular = 0;                        // all texels are finite, and none is -0
  uint8_t flushes = 0;                        // denormals
  static constexpr uint8_t one_cube = 1, cube_array = 2;
  uint8_t cube = 0, seamless = 0;              // the surface is one, or several; it is filtered over its edges
  uint8_t compares = 0, clamps_reference = 0;  // texels with a reference; that is clamped to 0 .. 1 at first
  state::ShadowFunction function = state::ShadowFunction::always;
  // What the response has: components of the texel, or constants.
  static constexpr uint8_t zero = 4, one = 5, nothing = 255;
  std::array<uint8_t, 4> source{0, 1, 2, 3};
  bool operator==(const SampleKey&) const = default;

  // Whether lanes of one filter take several probes; whether any do.
  bool spreads(size_t magnified) const { return anisotropic[magnified] && filtering[magnified] == Filtering::linear; }
  bool spreads() const { return spreads(0) || spreads(1); }
  // Whether it is done in few instructions: one texel for each lane, that is not looked for long. Others gain nothing
  // by standing in code, where registers are fewer.
  bool is_short() const {
    const bool nearest = filtering[0] == Filtering::nearest && filtering[1] == Filtering::nearest;
    return nearest && !chooses && !cube && !compares && !log2_samples;
  }
  // Whether results depend on how the host treats denormals, of which there are none where neither parameters nor
  // texels bring any: LODs, references and directions that are sent do, floats and borders do. Filtering unorm and
  // short snorm texels makes none, as three steps of it leave numbers far above them; coordinates and derivatives that
  // are so small come to the same texels and levels as zeros do (to_fixed, half_log2, probes_of).
  bool keeps_denormals() const {
    if (cube || compares || border || sends_least || lod == isa::LodSource::explicit_ || lod == isa::LodSource::biased)
      return true;
    for (unsigned n = 0; n < surface.texel.channel_count; ++n) {
      const formats::Channel& c = surface.texel.channels[n];
      const bool small = (c.kind == formats::Kind::unorm && c.width <= 16) ||
                         (c.kind == formats::Kind::snorm && c.width <= 10) || c.kind == formats::Kind::uint ||
                         c.kind == formats::Kind::sint || c.kind == formats::Kind::pad;
      if (!small) return true;
    }
    return false;
  }
};

struct SampleFacts : SurfaceFacts {
  int32_t offset_u = 0, offset_v = 0, offset_r = 0;  // in texels
  // Border colour, or what ld reads outside.
  int32_t outside_r = 0, outside_g = 0, outside_b = 0, outside_a = 0;
  int32_t clear_r = 0, clear_g = 0, clear_b = 0, clear_a = 0;  // of pixels whose control word says so
  int32_t cubes = 0;                                           // of an array
  float lod_bias = 0, min_lod = 0, most_lod = 0, base_mip_level = 0, least_lod = 0;
  float anisotropy_square = 1;  // of the largest ratio of a pixel's sides
};

template <class D>
struct SampleArithmetic {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  using Components = std::array<I, 4>;
  const D& d;
  const SampleKey& k;
  typename D::template Record<SampleFacts> f;

  // Denormals are far below this.
  static constexpr float tiny = 0x1p-80f;

  // --- one axis

  // Rounded down, or to nearest; what is no number is zero, what is too large stays large, and what is next to nothing
  // below zero is zero.
  I to_fixed(F x, bool rounded) const {
    const F scaled = x * fraction_one + (rounded ? 0.5f : tiny);
    const F inside = d.max(d.min(scaled, d.f(0x1p30f)), d.f(-0x1p30f));
    return d.select(scaled == scaled, d.truncate(d.floor(inside)), d.i(0));
  }
  // As the axis has it.
  I fixed_of(unsigned number, F x, M magnified) const {
    const bool minified = k.rounded[0] >> number & 1, enlarged = k.rounded[1] >> number & 1;
    if (minified == enlarged) return to_fixed(x, minified);
    return d.select(magnified, to_fixed(x, enlarged), to_fixed(x, minified));
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
  // `x` in texels. Half border stops half a texel outside of the surface, with the offset.
  Axis axis(unsigned number, F x, I n, I offset, Filtering filtering, M magnified, M linear) const {
    state::AddressMode mode = k.mode[number];
    if (mode == state::AddressMode::half_border) {
      x = clamp(k.offsets ? x + d.to_float(offset) : x, d.f(0.0f), d.to_float(n));
      if (filtering == Filtering::nearest) mode = state::AddressMode::clamp;
    }
    I fixed = fixed_of(number, x, magnified);
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
    const bool moves = k.offsets && k.mode[number] != state::AddressMode::half_border;
    return {address(mode, power_of_2, moves ? i + offset : i, n), weight};
  }

  // --- LODs

  // Before its bias a LOD may be larger than any level, and the bias can bring it back.
  static constexpr float smallest_lod = -16, largest_lod = 32, largest_bias = 15.996f;

  // What is added to every LOD: the sampler's bias with what a message sends.
  F bias_with(F sent) const {
    return clamp(d.fact(f, &SampleFacts::lod_bias) + sent, d.f(smallest_lod), d.f(largest_bias));
  }
  // Half of the logarithm to base 2: the LOD of a length whose square this is.
  F half_log2(F square) const {
    const I bits = d.bits(square);
    const F t = d.as_float((bits & 0x7FFFFF) | 0x3F800000) - 1.0f;
    F q = t * 0.0258408245f - 0.0959551856f;
    q = q * t + 0.181948006f;
    q = q * t - 0.275600076f;
    q = q * t + 0.442544937f;
    const F whole = d.to_float(d.shift_right(bits, int32_t(23)) - 127);
    const F lod = (whole + t * (d.f(1.0f) + (d.f(1.0f) - t) * q)) * 0.5f;
    return d.select(square > 0.0f, clamp(lod, d.f(smallest_lod), d.f(largest_lod)), d.f(smallest_lod));
  }
  // Of a pixel whose sides have these squares of lengths.
  F lod_of(F along_x, F along_y) const { return half_log2(d.max(along_x, along_y)); }

  // --- anisotropic filters

  static constexpr int most_probes = 16;  // of three bits of the sampler
  // How such a pixel is filtered that is longer than wide.
  struct Probes {
    F lod;      // for its width
    F count;    // a whole number
    M along_x;  // the longer side is
  };
  Probes probes_of(F along_x, F along_y) const {
    const M by_x = along_x > along_y;
    const F longer = d.select(by_x, along_x, along_y), shorter = d.select(by_x, along_y, along_x);
    const F one = d.f(1.0f), ratio = longer / shorter;
    const F square =
        d.select((longer > tiny) & (ratio > one), d.min(ratio, d.fact(f, &SampleFacts::anisotropy_square)), one);
    // The ratio's root, rounded up.
    I count = d.i(1);
    for (int n = 1; n < most_probes; ++n) count = count + d.select(square > float(n * n), d.i(1), d.i(0));
    return {half_log2(longer / square), d.to_float(count), by_x};
  }
  // Where a probe is on the longer side, from its middle on.
  F part_of_side(F number, F count) const { return (number + 0.5f) / count - 0.5f; }

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
};

}  // namespace vitro::shared
