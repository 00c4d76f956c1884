// Sampling over a lane domain, as routines: eight lanes of it are what most messages are carried out with, and compiled
// code calls it. The results are those of sample.cpp, which does everything else. PRM: as sample_arithmetic.h; Gen8 vol
// 7 "Cube Surfaces", "Shadow". Here: sample and its variants on 1D and 2D surfaces, cubes and arrays of them, with
// nearest, linear and anisotropic filters and LODs from any source, ld and its kin. Not: volumes, minimum and maximum
// filters, gradients sent for cubes or with a reference.
#pragma once

#include <utility>

#include "shared/compare.h"
#include "shared/sampler/sample_arithmetic.h"

namespace vitro::shared {

// What a routine is given: as many vectors as hosts pass in registers. Those of a message that sends gradients, of one
// that names a sample, and of all others.
inline constexpr size_t sample_input_count = 8;
using SampleInputs = std::array<isa::Parameter, sample_input_count>;
constexpr SampleInputs sample_inputs(const isa::SamplerForm& form) {
  using enum isa::Parameter;
  if (form.lod == isa::LodSource::gradients) return {u, v, r, dudx, mlod, dudy, dvdx, dvdy};
  if (form.position(si) >= 0) return {u, v, r, lod, si, mcs_low, mcs_high, none};
  return {u, v, r, form.lod == isa::LodSource::biased ? bias : lod, mlod, ai, ref, none};
}

// `any_key`: the same code serves all keys, and the less there is of it the better.
template <class D, bool any_key = false>
struct SampleLanes {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  using Components = std::array<I, 4>;
  using Arithmetic = SampleArithmetic<D>;
  const D& d;
  const SampleKey& k;
  typename D::template Record<SampleFacts> f;
  const Arithmetic arithmetic{d, k, f};
  const Texels<D> texels{d, k.surface, f};

  // Parameters as sent, in the order of sample_inputs(), those that were not as zeros.
  using Input = std::array<I, sample_input_count>;
  // The channels of the response.
  Components operator()(const Input& in) const { return k.loads ? load(in) : sample(in); }

 private:
  static constexpr int32_t one_bits = 0x3F800000;
  // Places in the input.
  static constexpr size_t in_u = 0, in_v = 1, in_r = 2, in_lod = 3, in_least = 4, in_layer = 5, in_reference = 6;
  static constexpr size_t in_dudx = 3, in_dudy = 5, in_dvdx = 6, in_dvdy = 7;
  static constexpr size_t in_sample = 4, in_control = 5, in_high_control = 6;

  // Components of a texel that are looked at. Of a comparison's result red alone is no constant.
  unsigned wanted() const {
    if (k.compares) return 1;
    unsigned components = 0;
    for (const uint8_t s : k.source)
      if (s < 4) components |= 1u << s;
    return components;
  }
  Components respond(const Components& texel) const {
    Components out = texel;
    for (size_t n = 0; n < 4; ++n) {
      const uint8_t s = k.source[n];
      if (s < 4)
        out[n] = !k.compares || s == 0 ? texel[s] : d.i(s == 3 ? one_bits : 0);
      else
        out[n] = d.i(s == SampleKey::one ? int32_t(k.surface.texel.one()) : 0);
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
  Components fetch(I place, M is_outside, F reference) const {
    Components texel = texels.load(wanted(), place);
    if (k.border) {
      const Components instead = outside();
      each_wanted([&](unsigned n) { texel[n] = d.select(is_outside, instead[n], texel[n]); });
    }
    texel = flushed(texel);
    if (k.compares) texel[0] = d.select(compares(k.function, d.as_float(texel[0]), reference), d.i(0), d.i(one_bits));
    return texel;
  }
  Components flushed(Components texel) const {
    if (k.flushes) each_wanted([&](unsigned n) { texel[n] = arithmetic.without_denormal(texel[n]); });
    return texel;
  }
  Components mixed(const Components& a, const Components& b, const typename Arithmetic::Weight& w) const {
    Components out = a;
    each_wanted([&](unsigned n) { out[n] = d.bits(arithmetic.mix(d.as_float(a[n]), d.as_float(b[n]), w)); });
    return out;
  }

  // Whether a texel compares so with the reference; the result is zero if it does.
  M compares(state::ShadowFunction function, F texel, F ref) const {
    M holds = d.m(false);
    compare(unsigned(function), texel, ref, holds);
    return holds;
  }

  // --- cubes

  template <class V>
  struct Direction {
    V x, y, z;
  };
  // A face, and what s and t are there before they are divided by the face's own component.
  template <class V>
  struct OnFace {
    I face;
    V s, t, size;
  };
  F magnitude(F x) const { return lanes::magnitude(d, x); }
  I magnitude(I x) const { return d.max(x, -x); }
  // By the axis of the largest component, z before y before x.
  template <class V>
  V by_axis(M is_z, M is_y, V x, V y, V z) const {
    return d.select(is_z, z, d.select(is_y, y, x));
  }
  template <class V>
  V largest(const Direction<V>& p, M& is_z, M& is_y) const {
    const V ax = magnitude(p.x), ay = magnitude(p.y), az = magnitude(p.z);
    is_z = (az >= ax) & (az >= ay), is_y = ay >= ax;
    return by_axis(is_z, is_y, ax, ay, az);
  }
  template <class V>
  OnFace<V> on_face(const Direction<V>& p, V none) const {
    M is_z = d.m(false), is_y = is_z;
    const V size = largest(p, is_z, is_y);
    const M positive = by_axis(is_z, is_y, p.x, p.y, p.z) >= none;
    const auto by_sign = [&](V a) { return d.select(positive, a, -a); };
    const I face = by_axis(is_z, is_y, d.i(0), d.i(2), d.i(4));
    return {d.select(positive, face, face + 1), by_axis(is_z, is_y, -by_sign(p.z), p.x, by_sign(p.x)),
            by_axis(is_z, is_y, -p.y, by_sign(p.z), -p.y), size};
  }
  template <class V>
  Direction<V> direction_of(const OnFace<V>& p) const {
    const M is_z = p.face >= 4, is_y = p.face >= 2, positive = (p.face & 1) == 0;
    const auto by_sign = [&](V a) { return d.select(positive, a, -a); };
    return {by_axis(is_z, is_y, by_sign(p.size), p.s, by_sign(p.s)), by_axis(is_z, is_y, -p.t, by_sign(p.size), -p.t),
            by_axis(is_z, is_y, -by_sign(p.s), by_sign(p.t), by_sign(p.size))};
  }

  struct Point {
    F u, v;
    I slice;
    I face;  // of a cube
    F reference;
  };
  struct Texel {
    I x, y, slice;
  };
  // A texel beside its face is one of the neighbour. In halves of texels, from the middle of the face.
  Texel on_neighbour(const Texel& at, I face, I n) const {
    const auto middle = [&](I i) { return i + i + 1 - n; };
    const OnFace<I> there = on_face(direction_of(OnFace<I>{face, middle(at.x), middle(at.y), n}), d.i(0));
    const auto texel = [&](I x) { return d.shift_right(d.max(d.min(x, n - 1), d.i(1) - n) + n - 1, int32_t(1)); };
    return {texel(there.s), texel(there.t), at.slice - face + there.face};
  }
  // One level of a cube with its neighbours, filtered. At a corner three faces meet, and the fourth texel is their
  // mean.
  Components at_edge(const Point& p, I level, M magnified) const {
    const I n = texels.width(level);
    // On the face, whatever was sent.
    const auto split = [&](F x, unsigned axis) {
      const I fixed = arithmetic.fixed_of(axis, x * d.to_float(n), magnified);
      return d.max(d.min(fixed, d.shift_left(n, int32_t(fraction_bits))), d.i(0)) - (1 << (fraction_bits - 1));
    };
    const I u = split(p.u, 0), v = split(p.v, 1);
    const I i = d.shift_right_signed(u, int32_t(fraction_bits)), j = d.shift_right_signed(v, int32_t(fraction_bits));
    Components texel[4];
    M corner[4];
    for (int32_t t = 0; t < 4; ++t) {
      const Texel at{i + (t & 1), j + (t >> 1), p.slice};
      const M beside = !d.less_unsigned(at.x, n), below = !d.less_unsigned(at.y, n);
      const auto moved = d.if_any(beside | below, std::tuple(at.x, at.y, at.slice), [&](auto) {
        const Texel there = on_neighbour(at, p.face, n);
        const M away = beside | below;
        return std::tuple(d.select(away, there.x, at.x), d.select(away, there.y, at.y),
                          d.select(away, there.slice, at.slice));
      });
      const auto origin = texels.origin(level, std::get<2>(moved));
      texel[t] = fetch(texels.column(origin, std::get<0>(moved)) + texels.row(origin, std::get<1>(moved)), d.m(false),
                       p.reference);
      corner[t] = beside & below;
    }
    if (!k.surface.texel.integer) {
      each_wanted([&](unsigned c) {
        F sum = d.f(0.0f);
        for (int t = 0; t < 4; ++t) sum = d.select(corner[t], sum, sum + d.as_float(texel[t][c]));
        const I mean = d.bits(sum / 3.0f);
        for (int t = 0; t < 4; ++t) texel[t][c] = d.select(corner[t], mean, texel[t][c]);
      });
    }
    const auto w = arithmetic.weight_of(u & 255);
    return mixed(mixed(texel[0], texel[1], w), mixed(texel[2], texel[3], w), arithmetic.weight_of(v & 255));
  }

  // --- sampling

  // One level around a point.
  Components at_level(const Point& p, I level, M magnified) const {
    const bool same = k.filtering[0] == k.filtering[1];
    const Filtering filtering = same ? k.filtering[0] : Filtering::by_lane;
    if (k.seamless && filtering == Filtering::linear) return at_edge(p, level, magnified);
    const bool flat = !k.surface.one_dimension;
    const M linear = k.filtering[1] == Filtering::linear ? magnified : !magnified;
    const I w = texels.width(level), h = texels.height(level);
    const auto along = [&](unsigned number, F x, I n, int32_t SampleFacts::*offset) {
      return arithmetic.axis(number, k.normalized ? x * d.to_float(n) : x, n, d.fact(f, offset), filtering, magnified,
                             linear);
    };
    const auto origin = texels.origin(level, p.slice);
    using Axis = typename Arithmetic::Axis;
    const Axis x = along(0, p.u, w, &SampleFacts::offset_u);
    const Axis y = flat ? along(1, p.v, h, &SampleFacts::offset_v) : Axis{arithmetic.address_of_first(), d.i(0)};
    // Texels of the footprint, x fastest.
    const int across = filtering == Filtering::nearest ? 1 : 2, down = flat ? across : 1;
    const I columns[2] = {texels.column(origin, x.texel.first), texels.column(origin, x.texel.second)};
    const I rows[2] = {texels.row(origin, y.texel.first), texels.row(origin, y.texel.second)};
    const M beside[2] = {x.texel.first_outside, x.texel.second_outside};
    const M below[2] = {y.texel.first_outside, y.texel.second_outside};
    Components texel[4];
    for (int n = 0; n < across * down; ++n) {
      const int i = n % across, j = n / across;
      texel[n] = fetch(columns[i] + rows[j], beside[i] | below[j], p.reference);
    }
    if (across == 1) return texel[0];
    const auto to_right = arithmetic.weight_of(x.weight);
    for (int j = 0; j < down; ++j) texel[j] = mixed(texel[2 * j], texel[2 * j + 1], to_right);
    return down == 1 ? texel[0] : mixed(texel[0], texel[1], arithmetic.weight_of(y.weight));
  }

  // --- LODs

  F number(const Input& in, size_t n) const { return d.as_float(in[n]); }
  static F square(F x) { return x * x; }
  // Differences along the subspan's upper row and left column.
  struct Sides {
    F x, y;
  };
  Sides differences(F x) const {
    const F here = d.of_four(x, 0);
    return {d.of_four(x, 1) - here, d.of_four(x, 2) - here};
  }
  // A pixel in texels of the first level: what its sides along x and y are on the axes u and v. Of a cube: on the face,
  // but for the signs.
  struct PixelSides {
    Sides u, v;
  };
  PixelSides flat_sides(const Input& in) const {
    const bool sent = k.lod == isa::LodSource::gradients;
    const auto scaled = [&](const Sides& s, int32_t SurfaceFacts::*extent) {
      const F n = d.to_float(d.fact(f, extent));
      return k.normalized ? Sides{s.x * n, s.y * n} : s;
    };
    const Sides a = sent ? Sides{number(in, in_dudx), number(in, in_dudy)} : differences(number(in, in_u));
    const Sides b = sent ? Sides{number(in, in_dvdx), number(in, in_dvdy)} : differences(number(in, in_v));
    return {scaled(a, &SurfaceFacts::width), scaled(b, &SurfaceFacts::height)};
  }
  // Where the ends of the pixel's sides meet the plane of the face.
  PixelSides cube_sides(const Input& in) const {
    const Direction<F> p{number(in, in_u), number(in, in_v), number(in, in_r)};
    const Sides dx = differences(p.x), dy = differences(p.y), dz = differences(p.z);
    M is_z = d.m(false), is_y = is_z;
    const F major = largest(p, is_z, is_y);
    const F sign = d.select(by_axis(is_z, is_y, p.x, p.y, p.z) < 0.0f, d.f(-1.0f), d.f(1.0f));
    const F size = d.to_float(d.fact(f, &SurfaceFacts::width)) / 2.0f;
    // The two axes besides the face's own.
    const auto along_s = [&](F x, F, F z) { return by_axis(is_z, is_y, z, x, x); };
    const auto along_t = [&](F, F y, F z) { return by_axis(is_z, is_y, y, z, y); };
    const F s = along_s(p.x, p.y, p.z), t = along_t(p.x, p.y, p.z);
    const auto side = [&](F x, F y, F z) {
      const F away = by_axis(is_z, is_y, x, y, z) * sign, end = major + away;
      const F there = d.select(end > 0.0f, end, major);
      const auto change = [&](F by, F at) { return (by * major - at * away) / (major * there) * size; };
      return std::pair(change(along_s(x, y, z), s), change(along_t(x, y, z), t));
    };
    const auto [s_x, t_x] = side(dx.x, dy.x, dz.x);
    const auto [s_y, t_y] = side(dx.y, dy.y, dz.y);
    return {{s_x, s_y}, {t_x, t_y}};
  }
  PixelSides sides_of(const Input& in) const { return k.cube ? cube_sides(in) : flat_sides(in); }
  // The squares of their lengths.
  Sides squares_of(const PixelSides& p) const {
    if (k.surface.one_dimension) return {square(p.u.x), square(p.u.y)};
    return {square(p.u.x) + square(p.v.x), square(p.u.y) + square(p.v.y)};
  }
  // What is added to a LOD.
  F bias_of(const Input& in) const {
    return k.lod == isa::LodSource::biased ? arithmetic.bias_with(number(in, in_lod))
                                           : d.fact(f, &SampleFacts::lod_bias);
  }

  Point point_of(const Input& in) const {
    Point p{number(in, in_u), number(in, in_v), d.i(0), d.i(0), d.f(0.0f)};
    const auto layer = [&](size_t n, I count) {
      return d.round(d.min(d.max(number(in, n), d.f(0.0f)), d.to_float(count - 1)));
    };
    if (k.cube) {
      const OnFace<F> there = on_face(Direction<F>{p.u, p.v, number(in, in_r)}, d.f(0.0f));
      p.u = (there.s / there.size + 1.0f) / 2.0f, p.v = (there.t / there.size + 1.0f) / 2.0f, p.face = there.face;
      p.slice = k.cube == SampleKey::cube_array ? layer(in_layer, d.fact(f, &SampleFacts::cubes)) * 6 + p.face : p.face;
    } else if (k.surface.layered) {
      p.slice = layer(k.surface.one_dimension ? in_v : in_r, d.fact(f, &SurfaceFacts::slices));
    }
    if (k.compares) {
      p.reference = number(in, in_reference);
      if (k.flushes) p.reference = d.as_float(arithmetic.without_denormal(d.bits(p.reference)));
      if (k.clamps_reference) p.reference = arithmetic.clamp(p.reference, d.f(0.0f), d.f(1.0f));
    }
    return p;
  }

  // The levels around a point.
  using Levels = typename Arithmetic::Levels;
  Components around(const Point& p, const Levels& l) const {
    const Components texel = at_level(p, l.first, l.magnified);
    if (!k.surface.levels || k.mip != state::MipFilter::linear || k.surface.texel.integer) return texel;
    const M two = (l.weight != 0) & (l.second != l.first);
    return d.if_any(two, texel, [&](Components first) {
      const Components both = mixed(first, at_level(p, l.second, l.magnified), arithmetic.weight_of(l.weight));
      each_wanted([&](unsigned n) { first[n] = d.select(two, both[n], first[n]); });
      return first;
    });
  }

  // --- anisotropic filters

  // A probe beside its face is on the neighbour.
  Point on_cube(const Point& p, M moved) const {
    const M inside = (p.u >= 0.0f) & (p.u <= 1.0f) & (p.v >= 0.0f) & (p.v <= 1.0f);
    const M away = moved & !inside;
    const auto [u, v, slice, face] = d.if_any(away, std::tuple(p.u, p.v, p.slice, p.face), [&](auto) {
      const OnFace<F> here{p.face, p.u * 2.0f - 1.0f, p.v * 2.0f - 1.0f, d.f(1.0f)};
      const OnFace<F> there = on_face(direction_of(here), d.f(0.0f));
      return std::tuple(d.select(away, (there.s / there.size + 1.0f) / 2.0f, p.u),
                        d.select(away, (there.t / there.size + 1.0f) / 2.0f, p.v),
                        d.select(away, p.slice - p.face + there.face, p.slice), d.select(away, there.face, p.face));
    });
    return {u, v, slice, face, p.reference};
  }
  // The longer side, as coordinates have it.
  std::pair<F, F> longer_side(const Point& p, const PixelSides& sides, M along_x) const {
    F u = d.select(along_x, sides.u.x, sides.u.y), v = d.select(along_x, sides.v.x, sides.v.y);
    if (k.normalized || k.cube) {
      u = u / d.to_float(d.fact(f, &SurfaceFacts::width));
      v = v / d.to_float(d.fact(f, &SurfaceFacts::height));
    }
    if (!k.cube) return {u, v};
    const M is_z = p.face >= 4, is_y = p.face >= 2, positive = (p.face & 1) == 0;
    const auto by_sign = [&](F a) { return d.select(positive, a, -a); };
    return {by_axis(is_z, is_y, -by_sign(u), u, by_sign(u)), by_axis(is_z, is_y, -v, by_sign(v), -v)};
  }
  // The mean of a pixel's probes. Lanes that have but one take it where they are.
  Components along_side(const Point& p, const PixelSides& sides, const typename Arithmetic::Probes& probes,
                        const Levels& l) const {
    const M spreads = d.select(l.magnified, d.m(k.spreads(1)), d.m(k.spreads(0))) & (probes.count > 1.0f);
    const F count = d.select(spreads, probes.count, d.f(1.0f));
    const auto [side_u, side_v] = longer_side(p, sides, probes.along_x);
    const F u = d.select(spreads, side_u, d.f(0.0f)), v = d.select(spreads, side_v, d.f(0.0f));
    // Sums of components, and the number of the next probe. A number that is added to -0 stays as it is; integers,
    // which are never spread, would not.
    std::array<F, 5> sums{d.f(-0.0f), d.f(-0.0f), d.f(-0.0f), d.f(-0.0f), d.f(0.0f)};
    sums = d.loop(d.m(true), sums, [&](M, std::array<F, 5> s) {
      const F part = arithmetic.part_of_side(s[4], count);
      Point probe = p;
      probe.u = p.u + u * part, probe.v = p.v + v * part;
      const Components texel = around(k.cube ? on_cube(probe, spreads) : probe, l);
      const M counts = s[4] < count;
      each_wanted([&](unsigned n) {
        const F one = d.as_float(texel[n]), sum = s[n] + one;
        s[n] = d.select(counts, any_key ? d.select(spreads, sum, one) : sum, s[n]);
      });
      s[4] = s[4] + 1.0f;
      return std::pair(s[4] < count, s);
    });
    Components mean;
    for (unsigned n = 0; n < 4; ++n) {
      const F all = sums[n] / count;
      mean[n] = d.bits(any_key ? d.select(spreads, all, sums[n]) : all);
    }
    return mean;
  }

  Components sample(const Input& in) const {
    const Point p = point_of(in);
    if (!k.chooses) return respond(flushed(at_level(p, d.i(0), d.m(false))));
    F least = d.fact(f, &SampleFacts::least_lod);
    if (k.sends_least) least = d.select(least < number(in, in_least), number(in, in_least), least);
    const F none = d.f(0.0f);
    PixelSides sides{{none, none}, {none, none}};
    typename Arithmetic::Probes probes{none, d.f(1.0f), d.m(false)};
    if (k.lod == isa::LodSource::explicit_) {
      probes.lod = number(in, in_lod);
    } else if (k.lod != isa::LodSource::zero) {
      sides = sides_of(in);
      const Sides squares = squares_of(sides);
      if (k.anisotropic[0])
        probes = arithmetic.probes_of(squares.x, squares.y);
      else
        probes.lod = arithmetic.lod_of(squares.x, squares.y);
    }
    const Levels l = arithmetic.choose_levels(probes.lod + bias_of(in), least);
    if (any_key || k.spreads()) return respond(flushed(along_side(p, sides, probes, l)));
    return respond(flushed(around(p, l)));
  }

  Components load(const Input& in) const {
    const I u = k.offsets ? in[in_u] + d.fact(f, &SampleFacts::offset_u) : in[in_u];
    // of 1D surfaces v is the slice
    const bool moves = k.offsets && !k.surface.one_dimension;
    const I v = moves ? in[in_v] + d.fact(f, &SampleFacts::offset_v) : in[in_v];
    const I lod = k.sends_lod ? in[in_lod] : d.i(0);
    if (k.log2_samples) return load_sample(in, u, v, lod);
    const auto place = texels.place(u, v, in[in_r], lod);
    const Components instead = outside();
    Components texel = texels.load(wanted(), place.at);
    each_wanted([&](unsigned n) { texel[n] = d.select(place.inside, texel[n], instead[n]); });
    return respond(texel);
  }
  Components load_sample(const Input& in, I u, I v, I lod) const {
    const int32_t samples = 1 << k.log2_samples;
    const I sample = in[in_sample];
    I plane = sample;
    M cleared = d.m(false);
    if (k.controlled) {
      constexpr int8_t bits_of_sample[] = {0, 1, 2, 4, 4};
      constexpr uint32_t clear[] = {0, 0x3, 0xFF, ~0u, ~0u};
      const int32_t all = int32_t(clear[k.log2_samples]), bits = bits_of_sample[k.log2_samples];
      I word = in[in_control];
      cleared = (word & all) == all;
      if (bits * samples > 32) {
        const I high = in[in_high_control];
        cleared = cleared & (high == all);
        word = d.select(d.less_unsigned(sample, d.i(8)), word, high);
      }
      plane = d.shift_right(word, (sample & (32 / bits - 1)) * bits) & (samples - 1);
    }
    const I slices = d.shift_right(d.fact(f, &SurfaceFacts::slices), int32_t(k.log2_samples));
    const I slice = k.layers ? in[in_r] : d.i(0);
    const M there = d.less_unsigned(slice, slices);
    const I first = d.shift_left(d.select(there, slice, d.i(0)), int32_t(k.log2_samples));
    // The plane that such a sample is said to be in is one of the pixel's.
    const auto place = texels.place(u, v, first + (plane & (samples - 1)), lod);
    const M inside = place.inside & there, read = inside & d.less_unsigned(sample, d.i(samples));
    const Components instead = outside(), clear = {d.fact(f, &SampleFacts::clear_r), d.fact(f, &SampleFacts::clear_g),
                                                   d.fact(f, &SampleFacts::clear_b), d.fact(f, &SampleFacts::clear_a)};
    Components texel = texels.load(wanted(), place.at);
    each_wanted([&](unsigned n) {
      texel[n] = d.select(read, texel[n], instead[n]);
      if (k.controlled) texel[n] = d.select(cleared & inside, clear[n], d.select(cleared, instead[n], texel[n]));
    });
    return respond(texel);
  }
};

}  // namespace vitro::shared
