// Fetching a footprint with address modes, borders, cube edges, chroma keys and comparison, and filtering it. PRM: Gen8
// vol 7 "Texture Address Control", "Texture Filtering", "Shadow", "Chroma Key"; Gen9 "Reduction Type"; the key's values
// are those of 3DSTATE_CHROMA_KEY. Integer formats are never filtered. Not modelled: the chrominance of YUV texels that
// have none is their neighbour's, not a mean.
#include <algorithm>
#include <cmath>

#include "shared/compare.h"
#include "shared/sampler/cube.h"
#include "shared/sampler/sample.h"

namespace vitro::shared {

namespace {

using formats::Rgba;

constexpr uint32_t one_bits = 0x3F800000;

// What a fetched texel becomes: its comparison's result if there is one, zero if it holds.
Rgba finished(const Sampling& s, Rgba texel, float ref) {
  if (s.flushes)
    drop_denormals(s, texel), ref = std::bit_cast<float>(without_denormal(s, std::bit_cast<uint32_t>(ref)));
  if (!s.compare) return texel;
  const formats::Channel& c = s.image.format->channels[0];
  if (c.kind == formats::Kind::unorm) ref = std::clamp(ref, 0.0f, 1.0f);
  const bool holds = compares(unsigned(s.sampler.shadow_function), std::bit_cast<float>(texel[0]), ref);
  return {holds ? 0 : one_bits, 0, 0, one_bits};
}

// Keys have eight bits for each component: alpha, red, green, blue from the highest down; with a sign above seven bits
// if any channel has one.
bool matches(const state::ChromaKey& key, const formats::Format& f, const Rgba& texel) {
  bool has_sign = false;
  for (const formats::Channel& c : f.channels) has_sign |= c.kind == formats::Kind::snorm;
  static constexpr unsigned places[] = {16, 8, 0, 24};
  for (size_t n = 0; n < 4; ++n) {
    const auto part = [&](uint32_t v) {
      const auto code = int32_t(v >> places[n] & 255);
      return !has_sign ? code : code & 128 ? -(code & 127) : code;
    };
    const float v = std::nearbyint(std::bit_cast<float>(texel[n]) * (has_sign ? 127.0f : 255.0f));
    if (!(v >= float(part(key.low)) && v <= float(part(key.high)))) return false;
  }
  return true;
}
// Black and transparent.
Rgba black(const formats::Format& f) {
  if (f.space != formats::Space::yuv) return {};
  return {std::bit_cast<uint32_t>(128 / 255.0f), std::bit_cast<uint32_t>(16 / 255.0f),
          std::bit_cast<uint32_t>(128 / 255.0f), 0};
}

Rgba fetch(const Sampling& s, const ImageLevel& level, int32_t x, int32_t y, int32_t slice, float ref) {
  if (x < 0 || y < 0 || slice < 0) return finished(s, s.border, ref);
  Rgba texel;
  load_texel(s.memory, s.image, level, uint32_t(x), uint32_t(y), uint32_t(slice), 0, texel);
  if (s.chroma_key && matches(*s.chroma_key, *s.image.format, texel)) {
    if (s.killed)
      *s.killed = true;
    else
      texel = black(*s.image.format);
  }
  return finished(s, texel, ref);
}

// A texel that may lie beside its face: on the neighbour, then. Both coordinates outside is a corner, where three faces
// meet and there is no texel.
Rgba fetch_cube(const Sampling& s, const ImageLevel& level, int32_t i, int32_t j, const Point& p) {
  const auto n = int32_t(level.width);
  FaceTexel at{p.face, i, j};
  if (i < 0 || i >= n || j < 0 || j >= n) at = on_neighbour(at, n);
  return fetch(s, level, at.i, at.j, int32_t(p.slice - p.face + at.face), p.ref);
}

Rgba average_of_three(const std::array<Rgba, 8>& t, unsigned without) {
  Rgba out{};
  for (size_t n = 0; n < 4; ++n) {
    float sum = 0;
    for (unsigned k = 0; k < 4; ++k)
      if (k != without) sum += std::bit_cast<float>(t[k][n]);
    out[n] = std::bit_cast<uint32_t>(sum / 3);
  }
  return out;
}

void fetch_seamless(const Sampling& s, const ImageLevel& level, const Point& p, bool magnified, bool all,
                    FootprintTexels& out) {
  const auto n = int32_t(level.width);
  // On the face, whatever was sent.
  const auto split = [&](float x, unsigned axis) {
    const int32_t fixed = s.arithmetic().fixed_of(axis, x * float(n), {magnified}).number();
    return std::clamp(fixed, 0, n << fraction_bits) - (1 << (fraction_bits - 1));
  };
  const int32_t u = split(p.u, 0), v = split(p.v, 1);
  const int32_t i = u >> fraction_bits, j = v >> fraction_bits;
  out.weight = {uint32_t(u & 255), uint32_t(v & 255), 0};
  const auto outside = [&](int32_t x) { return x < 0 || x >= n; };
  int corner = -1;
  for (unsigned k = 0; k < 4; ++k) {
    const int32_t x = i + int32_t(k & 1), y = j + int32_t(k >> 1);
    if (outside(x) && outside(y)) corner = int(k);
    // A texel without weight is not read, unless it is asked for by itself.
    const bool wanted = all || (((k & 1) == 0 || out.weight[0]) && ((k >> 1) == 0 || out.weight[1]));
    out.texel[k] = wanted ? fetch_cube(s, level, x, y, p) : Rgba{};
  }
  if (corner >= 0 && !s.image.format->integer())
    out.texel[size_t(corner)] = average_of_three(out.texel, unsigned(corner));
}

}  // namespace

namespace {

// One axis of a footprint: one texel, or two with the second one's weight in 1/256. -1: the border.
struct Axis {
  std::array<int32_t, 2> texel{};
  uint32_t weight = 0;
};
Axis axis_of(const Sampling& s, float x, uint32_t size, unsigned number, bool linear, bool magnified) {
  static constexpr int32_t SampleFacts::*offsets[] = {&SampleFacts::offset_u, &SampleFacts::offset_v,
                                                      &SampleFacts::offset_r};
  const auto n = int32_t(size);
  const auto a = s.arithmetic().axis(number, s.key.normalized ? x * float(n) : x, n, s.facts.*offsets[number],
                                     linear ? Filtering::linear : Filtering::nearest, {magnified}, {linear});
  const auto texel = [](lanes::OneInt t, lanes::OneMask outside) { return outside.v ? -1 : t.number(); };
  return {{texel(a.texel.first, a.texel.first_outside), texel(a.texel.second, a.texel.second_outside)}, a.weight.v};
}

}  // namespace

Rgba fetch_nearest(const Sampling& s, const ImageLevel& level, const Point& p, bool magnified) {
  const auto texel = [&](float x, uint32_t n, unsigned number) {
    return axis_of(s, x, n, number, false, magnified).texel[0];
  };
  const int32_t x = texel(p.u, level.width, 0);
  const int32_t y = s.image.is_1d() ? 0 : texel(p.v, level.height, 1);
  const int32_t z = s.image.is_3d() ? texel(p.r, level.depth, 2) : int32_t(p.slice);
  return fetch(s, level, x, y, z, p.ref);
}

FootprintTexels fetch_footprint(const Sampling& s, const ImageLevel& level, const Point& p, bool magnified, bool all) {
  FootprintTexels out;
  if (s.seamless) {
    fetch_seamless(s, level, p, magnified, all, out);
    return out;
  }
  const Axis x = axis_of(s, p.u, level.width, 0, true, magnified);
  const Axis y = s.image.is_1d() ? Axis{} : axis_of(s, p.v, level.height, 1, true, magnified);
  const bool volume = s.image.is_3d();
  const Axis z = volume ? axis_of(s, p.r, level.depth, 2, true, magnified) : Axis{{int32_t(p.slice), 0}, 0};
  out.weight = {x.weight, y.weight, z.weight};
  // Texels without weight are not read, unless they are asked for by themselves.
  if (all) out.texel.fill({});  // 1D surfaces have no second row
  const unsigned across = x.weight || all ? 2 : 1;
  const unsigned down = !s.image.is_1d() && (y.weight || all) ? 2 : 1;
  const unsigned deep = volume && (z.weight || all) ? 2 : 1;
  for (unsigned k = 0; k < deep; ++k)
    for (unsigned j = 0; j < down; ++j)
      for (unsigned i = 0; i < across; ++i)
        out.texel[k * 4 + j * 2 + i] = fetch(s, level, x.texel[i], y.texel[j], z.texel[k], p.ref);
  return out;
}

float reduce(const Sampling& s, float a, float b, uint32_t weight) {
  if (weight == 0) return a;
  if (s.footprint == Footprint::minimum) return std::min(a, b);
  if (s.footprint == Footprint::maximum) return std::max(a, b);
  const auto arithmetic = s.arithmetic();
  return arithmetic.mix(a, b, arithmetic.weight_of(int32_t(weight))).v;
}

Rgba filter(const Sampling& s, const FootprintTexels& f) {
  const auto wx = f.weight[0], wy = f.weight[1], wz = f.weight[2];
  if ((wx | wy | wz) == 0) return f.texel[0];
  Rgba out;
  for (size_t n = 0; n < 4; ++n) {
    const auto t = [&](unsigned k) { return std::bit_cast<float>(f.texel[k][n]); };
    const auto row = [&](unsigned k) { return wx ? reduce(s, t(k), t(k + 1), wx) : t(k); };
    const auto plane = [&](unsigned k) { return wy ? reduce(s, row(k), row(k + 2), wy) : row(k); };
    out[n] = std::bit_cast<uint32_t>(wz ? reduce(s, plane(0), plane(4), wz) : plane(0));
  }
  return out;
}

}  // namespace vitro::shared
