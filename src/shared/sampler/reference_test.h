// What sampler messages answer, one lane at a time and in plain words: the reference for the forms that are made of
// sample_lanes.h, of which nothing is used here. Of 1D and 2D surfaces, cubes, and arrays of them. Texels come through
// doubles or the textbook's formula, tiles through figures of their address bits. PRM: as sample_lanes.h. No part of
// the machine.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "shared/sampler/call.h"

namespace vitro::shared::reference {

using formats::Channel;
using formats::Component;
using formats::Kind;
using formats::Rgba;
using state::AddressMode;

inline uint32_t bits_of_float(double v) { return std::bit_cast<uint32_t>(float(v)); }

// --- texels

inline uint32_t channel(const formats::Format& f, const Channel& c, const std::byte* texel) {
  const auto bits = [&](const Channel& of) {
    uint32_t v = 0;
    for (unsigned n = 0; n < of.width; ++n)
      v |= uint32_t(texel[(of.lo + n) / 8] >> (of.lo + n) % 8 & std::byte{1}) << n;
    return v;
  };
  const uint32_t code = bits(c);
  const double top = std::exp2(c.width) - 1, half = std::exp2(c.width - 1);
  const double s = code >= half ? code - 2 * half : code;
  const auto small = [](uint32_t v, int mantissa_bits) {
    const uint32_t e = v >> mantissa_bits & 31, m = v & ((1u << mantissa_bits) - 1);
    if (e == 31) return m ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    const double fraction = m / std::exp2(mantissa_bits);
    return e ? (1 + fraction) * std::exp2(int(e) - 15) : fraction * std::exp2(-14);
  };
  switch (c.kind) {
    case Kind::unorm: {
      const double v = code / top;
      if (f.space != formats::Space::srgb || c.component == Component::a) return bits_of_float(v);
      return bits_of_float(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    }
    case Kind::snorm: return bits_of_float(std::fmax(-1, s / (half - 1)));
    case Kind::sint: return uint32_t(int32_t(s));
    case Kind::sfloat:
      return c.width == 32 ? code : bits_of_float(code >> 15 ? -small(code & 0x7FFF, 10) : small(code & 0x7FFF, 10));
    case Kind::ufloat: return bits_of_float(small(code, c.width - 5));
    case Kind::uscaled: return bits_of_float(code);
    case Kind::sscaled: return bits_of_float(s);
    case Kind::sfixed: return bits_of_float(s / 65536);
    case Kind::mantissa: return bits_of_float(code * std::exp2(int(bits(f.channels[3])) - 24));
    default: return code;
  }
}
inline Rgba texel(const formats::Format& f, const std::byte* at) {
  Rgba out{0, 0, 0, f.integer() ? 1u : 0x3F800000u};
  for (unsigned n = 0; n < f.channel_count; ++n) {
    const Channel& c = f.channels[n];
    if (c.component == Component::none) continue;
    const uint32_t v = channel(f, c, at);
    if (c.component == Component::l || c.component == Component::i)
      out[0] = out[1] = out[2] = v;
    else
      out[size_t(c.component)] = v;
    if (c.component == Component::i) out[3] = v;
  }
  return out;
}

// The address bits of X and Y tiles from the highest down.
inline uint64_t place(memory::Tiling tiling, uint64_t x, uint64_t y, uint64_t pitch) {
  if (tiling == memory::Tiling::linear) return y * pitch + x;
  const bool is_x = tiling == memory::Tiling::x;
  const unsigned width = is_x ? 512 : 128, height = is_x ? 8 : 32;
  const uint64_t tile = y / height * (pitch / width) + x / width;
  uint64_t inside = 0;
  for (const std::string_view bit :
       is_x ? std::array<std::string_view, 12>{"y2", "y1", "y0", "x8", "x7", "x6", "x5", "x4", "x3", "x2", "x1", "x0"}
            : std::array<std::string_view, 12>{"x6", "x5", "x4", "y4", "y3", "y2", "y1", "y0", "x3", "x2", "x1", "x0"})
    inside = inside << 1 | ((bit[0] == 'x' ? x : y) >> (bit[1] - '0') & 1);
  return tile * 4096 + inside;
}

inline Rgba fetch(memory::View& memory, const Image& image, const ImageLevel& l, uint32_t x, uint32_t y,
                  uint32_t slice) {
  const uint64_t s = uint64_t(slice) + image.first_slice;
  const uint64_t column = l.x + (s & l.slice_mask) * l.slice_x + x, row = l.y + (s >> l.slice_shift) * l.slice_y + y;
  std::array<std::byte, 16> bytes{};
  memory.read(image.base + place(image.tiling, column * image.element_stride, row, image.pitch),
              std::span(bytes).first(image.element_bytes));
  return texel(*image.format, bytes.data());
}

// --- coordinates

inline int64_t to_fixed(float x, bool rounded) {
  const float scaled = x * 256 + (rounded ? 0.5f : 0x1p-80f);
  if (std::isnan(scaled)) return 0;
  if (std::fabs(scaled) >= 0x1p30f) return scaled > 0 ? 1 << 30 : -(1 << 30);
  return int64_t(std::floor(scaled));
}
// Nothing: the border.
inline std::optional<uint32_t> address(AddressMode mode, int64_t i, int64_t n) {
  const auto modulo = [](int64_t a, int64_t b) { return (a % b + b) % b; };
  switch (mode) {
    case AddressMode::wrap: return uint32_t(modulo(i, n));
    case AddressMode::mirror: {
      const int64_t m = modulo(i, 2 * n);
      return uint32_t(m < n ? m : 2 * n - 1 - m);
    }
    case AddressMode::mirror_once: return uint32_t(std::min(i < 0 ? -1 - i : i, n - 1));
    case AddressMode::clamp_border:
    case AddressMode::half_border:
      if (i < 0 || i >= n) return std::nullopt;
      return uint32_t(i);
    default: return uint32_t(std::clamp<int64_t>(i, 0, n - 1));
  }
}

struct Axis {
  std::optional<uint32_t> texel[2];
  float weight = 0;
};
inline Axis axis(float x, uint32_t n, bool linear, bool rounded, int offset, AddressMode mode) {
  if (mode == AddressMode::half_border) {
    x += float(offset), offset = 0;
    if (x < 0) x = 0;
    if (x > float(n)) x = float(n);
    if (!linear) mode = AddressMode::clamp;
  }
  const int64_t fixed = to_fixed(x, rounded) - (linear ? 128 : 0);
  const int64_t i = (fixed >> 8) + offset;
  return {{address(mode, i, n), address(mode, i + 1, n)}, linear ? float(fixed & 255) / 256 : 0};
}

// --- cubes

// Where a direction goes through a cube of two units, by the table that OpenGL has.
struct Face {
  unsigned number = 0;
  float s = 0, t = 0;
};
inline Face face_of(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay) return z >= 0 ? Face{4, x / az, -y / az} : Face{5, -x / az, -y / az};
  if (ay >= ax) return y >= 0 ? Face{2, x / ay, z / ay} : Face{3, x / ay, -z / ay};
  return x >= 0 ? Face{0, -z / ax, -y / ax} : Face{1, z / ax, -y / ax};
}
struct CubeTexel {
  unsigned face;
  int64_t i, j;
};
// The middle of a texel beside a face of n x n, seen from the middle of the cube.
inline CubeTexel seen(const CubeTexel& p, int64_t n) {
  const double s = double(2 * p.i + 1) / double(n) - 1, t = double(2 * p.j + 1) / double(n) - 1;
  const double directions[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  const double* d = directions[p.face];
  const Face f = face_of(float(d[0]), float(d[1]), float(d[2]));
  const auto texel = [&](float x) {
    return std::clamp(int64_t(std::floor((double(x) + 1) * double(n) / 2)), int64_t{0}, n - 1);
  };
  return {f.number, texel(f.s), texel(f.t)};
}

// --- LODs

// Half of log2, as sample_arithmetic.h has its polynomial.
inline float half_log2(float square) {
  if (!(square > 0)) return -16;
  uint32_t bits;
  std::memcpy(&bits, &square, 4);
  const float t = std::bit_cast<float>((bits & 0x7FFFFF) | 0x3F800000) - 1;
  const float c[] = {0.442544937f, -0.275600076f, 0.181948006f, -0.0959551856f, 0.0258408245f};
  float q = c[4];
  for (int n = 3; n >= 0; --n) q = q * t + c[n];
  const float lod = (float(int(bits >> 23) - 127) + t * (1 + (1 - t) * q)) * 0.5f;
  return std::clamp(lod, -16.0f, 32.0f);
}
using Vector = std::array<float, 3>;

// --- one lane of a message

struct Message {
  memory::View& memory;
  const Image& image;
  const state::Sampler& sampler;
  Rgba border;
  bool flushes;
  std::array<int, 2> offsets;
  bool compare = false;

  bool seamless() const { return image.is_cube() && (sampler.cube_override || sampler.tcx == AddressMode::cube); }

  // How a pixel is filtered: one probe, or several along its longer side.
  struct Pixel {
    float lod = 0;
    int probes = 1;
    std::array<float, 2> side{};  // as coordinates have it
  };
  // Gradients of u, v and r, or of a cube's direction.
  Pixel pixel(const Vector& at, const Vector& dx, const Vector& dy) const {
    const ImageLevel& l = image.level(0);
    const auto side_of = [&](const Vector& g) -> std::array<float, 2> {
      if (!image.is_cube() && sampler.non_normalized) return {g[0], g[1]};
      if (!image.is_cube()) return {g[0] * float(l.width), g[1] * float(l.height)};
      const unsigned face = face_of(at[0], at[1], at[2]).number, axis = face / 2;
      const float size = std::fabs(at[axis]), sign = at[axis] < 0 ? -1.0f : 1.0f;
      const float away = g[axis] * sign, there = size + away > 0 ? size + away : size;
      Vector change;
      for (unsigned n = 0; n < 3; ++n) change[n] = (g[n] * size - at[n] * away) / (size * there) * (float(l.width) / 2);
      const std::array<float, 2> on_faces[] = {{-change[2], -change[1]}, {change[2], -change[1]},
                                               {change[0], change[2]},   {change[0], -change[2]},
                                               {change[0], -change[1]},  {-change[0], -change[1]}};
      return on_faces[face];
    };
    const auto square_of = [&](const std::array<float, 2>& s) {
      return image.is_1d() ? s[0] * s[0] : s[0] * s[0] + s[1] * s[1];
    };
    Pixel p{.side = side_of(dx)};
    float longer = square_of(p.side), shorter = square_of(side_of(dy));
    if (!(longer > shorter)) p.side = side_of(dy), std::swap(longer, shorter);
    if (image.is_1d() || sampler.min_filter != state::MapFilter::anisotropic) return {.lod = half_log2(longer)};
    const float most = 2 * float(sampler.maximum_anisotropy + 1);
    const float ratio = longer > 0x1p-80f && longer / shorter > 1 ? std::min(longer / shorter, most * most) : 1;
    while (float(p.probes * p.probes) < ratio) ++p.probes;
    if (image.is_cube() || !sampler.non_normalized) p.side[0] /= float(l.width), p.side[1] /= float(l.height);
    p.lod = half_log2(longer / ratio);
    return p;
  }

  Rgba compared(const Rgba& texel, float ref) const {
    if (!compare) return texel;
    ref = std::bit_cast<float>(flushed(std::bit_cast<uint32_t>(ref)));
    if (image.format->channels[0].kind == Kind::unorm) ref = ref < 0 ? 0 : ref > 1 ? 1 : ref;
    const auto t = std::bit_cast<float>(texel[0]);
    const bool holds[] = {true, false, t<ref, t == ref, t <= ref, t> ref, t != ref, t >= ref};
    return {holds[size_t(sampler.shadow_function)] ? 0 : 0x3F800000u, 0, 0, 0x3F800000};
  }

  // A level of a cube, filtered over its edges.
  Rgba around_edge(const ImageLevel& l, float u, float v, uint32_t slice, unsigned face, bool magnified,
                   float ref) const {
    const state::Sampler& s = sampler;
    const int64_t n = l.width;
    const auto half_before = [&](float at, bool rounded) {
      return std::clamp<int64_t>(to_fixed(at * float(n), rounded), 0, n * 256) - 128;
    };
    const int64_t x = half_before(u, magnified ? s.u_mag_rounding : s.u_min_rounding);
    const int64_t y = half_before(v, magnified ? s.v_mag_rounding : s.v_min_rounding);
    Rgba texels[4];
    int corner = -1;
    for (int k = 0; k < 4; ++k) {
      CubeTexel at{face, (x >> 8) + k % 2, (y >> 8) + k / 2};
      const bool beside = at.i < 0 || at.i >= n, below = at.j < 0 || at.j >= n;
      if (beside && below) corner = k;
      if (beside || below) at = seen(at, n);
      Rgba t = fetch(memory, image, l, uint32_t(at.i), uint32_t(at.j), slice - face + at.face);
      for (uint32_t& c : t) c = flushed(c);
      texels[k] = compared(t, ref);
    }
    Rgba out;
    for (size_t c = 0; c < 4; ++c) {
      if (corner >= 0) {
        float sum = 0;
        for (int k = 0; k < 4; ++k)
          if (k != corner) sum += std::bit_cast<float>(texels[k][c]);
        texels[corner][c] = std::bit_cast<uint32_t>(sum / 3);
      }
      const float wx = float(x & 255) / 256, wy = float(y & 255) / 256;
      const uint32_t top = mix(texels[0][c], texels[1][c], wx);
      out[c] = wy == 0 ? top : mix(top, mix(texels[2][c], texels[3][c], wx), wy);
    }
    return out;
  }

  uint32_t flushed(uint32_t v) const { return flushes && (v & 0x7F800000) == 0 ? v & 0x80000000 : v; }
  static uint32_t mix(uint32_t a, uint32_t b, float weight) {
    if (weight == 0) return a;
    const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    return std::bit_cast<uint32_t>(x + (y - x) * weight);
  }

  Rgba level(const ImageLevel& l, float u, float v, uint32_t slice, bool linear, bool magnified, float ref = 0,
             unsigned face = 0) const {
    state::Sampler s = sampler;
    if (seamless() && linear) return around_edge(l, u, v, slice, face, magnified, ref);
    if (seamless()) s.tcx = s.tcy = AddressMode::clamp;
    const auto scaled = [&](float x, uint32_t n) { return s.non_normalized ? x : x * float(n); };
    const Axis x =
        axis(scaled(u, l.width), l.width, linear, magnified ? s.u_mag_rounding : s.u_min_rounding, offsets[0], s.tcx);
    Axis y{{0u, 0u}, 0};
    if (!image.is_1d())
      y = axis(scaled(v, l.height), l.height, linear, magnified ? s.v_mag_rounding : s.v_min_rounding, offsets[1],
               s.tcy);
    const auto at = [&](int i, int j) {
      Rgba t = x.texel[i] && y.texel[j] ? fetch(memory, image, l, *x.texel[i], *y.texel[j], slice) : border;
      for (uint32_t& c : t) c = flushed(c);
      return compared(t, ref);
    };
    if (!linear) return at(0, 0);
    Rgba out;
    for (size_t c = 0; c < 4; ++c) {
      const uint32_t top = mix(at(0, 0)[c], at(1, 0)[c], x.weight);
      out[c] = y.weight == 0 ? top : mix(top, mix(at(0, 1)[c], at(1, 1)[c], x.weight), y.weight);
    }
    return out;
  }

  uint32_t slice_of(float index, uint32_t count) const {
    if (!image.array || !(index > 0)) return 0;
    return uint32_t(std::nearbyint(std::min(index, float(count - 1))));
  }

  Rgba sample(float u, float v, float r, const Pixel& pixel, float least, float layer = 0, float ref = 0) const {
    const state::Sampler& s = sampler;
    const float lod = std::isnan(pixel.lod) ? 0 : pixel.lod;
    const float most = std::max(s.min_lod, s.max_lod), last = float(image.level_count - 1);
    const float clamped = std::clamp(lod, s.min_lod, most);
    const bool magnified = (s.lod_preclamp ? clamped : lod) <= s.base_mip_level;
    const auto lowest = unsigned(std::clamp(std::ceil(least), 0.0f, last));
    const float chosen = std::clamp(std::max(clamped, least), 0.0f, last);
    unsigned first = lowest, second = lowest, weight = 0;
    if (s.mip_filter != state::MipFilter::none && !(magnified && !s.lod_clamp_magnification && least <= 0)) {
      const auto fixed = unsigned(std::nearbyint(chosen * 256));
      const bool linear = s.mip_filter == state::MipFilter::linear;
      first = linear ? fixed / 256 : std::min((fixed + 128) / 256, unsigned(last));
      second = linear ? std::min(first + 1, unsigned(last)) : first;
      weight = linear ? fixed % 256 : 0;
    }
    const bool integers = image.format->integer();
    const state::MapFilter filter = magnified ? s.mag_filter : s.min_filter;
    const bool linear = !integers && filter != state::MapFilter::nearest;
    uint32_t slice = slice_of(image.is_1d() ? v : r, image.slices);
    unsigned face = 0;
    if (image.is_cube()) {
      const Face f = face_of(u, v, r);
      u = (f.s + 1) / 2, v = (f.t + 1) / 2, face = f.number;
      slice = slice_of(layer, image.slices / 6) * 6 + face;
    }
    const auto around = [&](float x, float y, unsigned on) {
      const uint32_t of = slice - face + on;
      Rgba texel = level(image.level(first), x, y, of, linear, magnified, ref, on);
      if (weight && second != first && !integers) {
        const Rgba other = level(image.level(second), x, y, of, linear, magnified, ref, on);
        for (size_t c = 0; c < 4; ++c) texel[c] = mix(texel[c], other[c], float(weight) / 256);
      }
      return texel;
    };
    const int probes = linear && filter == state::MapFilter::anisotropic ? pixel.probes : 1;
    Rgba out = probes == 1 ? around(u, v, face) : Rgba{};
    if (probes > 1) {
      std::array<float, 4> sum{-0.0f, -0.0f, -0.0f, -0.0f};
      for (int n = 0; n < probes; ++n) {
        const float part = (float(n) + 0.5f) / float(probes) - 0.5f;
        float x = u + pixel.side[0] * part, y = v + pixel.side[1] * part;
        unsigned on = face;
        if (image.is_cube() && !(x >= 0 && x <= 1 && y >= 0 && y <= 1)) {
          const float a = x * 2 - 1, b = y * 2 - 1;
          const float directions[6][3] = {{1, -b, -a}, {-1, -b, a}, {a, 1, b}, {a, -1, -b}, {a, -b, 1}, {-a, -b, -1}};
          const Face there = face_of(directions[face][0], directions[face][1], directions[face][2]);
          x = (there.s + 1) / 2, y = (there.t + 1) / 2, on = there.number;
        }
        const Rgba one = around(x, y, on);
        for (size_t c = 0; c < 4; ++c) sum[c] += std::bit_cast<float>(one[c]);
      }
      for (size_t c = 0; c < 4; ++c) out[c] = std::bit_cast<uint32_t>(sum[c] / float(probes));
    }
    for (uint32_t& c : out) c = flushed(c);
    return out;
  }

  Rgba load(uint32_t u, uint32_t v, uint32_t r, uint32_t lod) const {
    const formats::Format& f = *image.format;
    const bool flat = !image.is_1d() && !image.is_buffer();
    if (image.is_buffer()) lod = 0;
    const uint32_t x = u + uint32_t(offsets[0]), y = flat ? v + uint32_t(offsets[1]) : 0;
    const bool layered = (image.array && !image.is_buffer()) || image.is_cube();
    const uint32_t slice = !layered ? 0 : flat ? r : v;
    if (lod < image.level_count && x < image.level(lod).width && y < image.level(lod).height && slice < image.slices)
      return fetch(memory, image, image.level(lod), x, y, slice);
    return {0, 0, 0, f.has(Component::a) || f.has(Component::i) ? 0 : f.integer() ? 1u : 0x3F800000u};
  }
};

}  // namespace vitro::shared::reference
