// What sampler messages answer, one lane at a time and in plain words: the reference for the forms that are made of
// sample_lanes.h, of which nothing is used here. Of 1D and 2D surfaces and arrays of them. Texels come through doubles
// or the textbook's formula, tiles through figures of their address bits. PRM: as sample_lanes.h. No part of the
// machine.
#pragma once

#include <cmath>
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
  const float scaled = x * 256 + (rounded ? 0.5f : 0.0f);
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
    if (x < 0) x = 0;
    if (x > float(n)) x = float(n);
    if (!linear) mode = AddressMode::clamp;
  }
  const int64_t fixed = to_fixed(x, rounded) - (linear ? 128 : 0);
  const int64_t i = (fixed >> 8) + offset;
  return {{address(mode, i, n), address(mode, i + 1, n)}, linear ? float(fixed & 255) / 256 : 0};
}

// --- one lane of a message

struct Message {
  memory::View& memory;
  const Image& image;
  const state::Sampler& sampler;
  Rgba border;
  bool flushes;
  std::array<int, 2> offsets;

  uint32_t flushed(uint32_t v) const { return flushes && (v & 0x7F800000) == 0 ? v & 0x80000000 : v; }
  static uint32_t mix(uint32_t a, uint32_t b, float weight) {
    if (weight == 0) return a;
    const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    return std::bit_cast<uint32_t>(x + (y - x) * weight);
  }

  Rgba level(const ImageLevel& l, float u, float v, uint32_t slice, bool linear, bool magnified) const {
    const state::Sampler& s = sampler;
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
      return t;
    };
    if (!linear) return at(0, 0);
    Rgba out;
    for (size_t c = 0; c < 4; ++c) {
      const uint32_t top = mix(at(0, 0)[c], at(1, 0)[c], x.weight);
      out[c] = y.weight == 0 ? top : mix(top, mix(at(0, 1)[c], at(1, 1)[c], x.weight), y.weight);
    }
    return out;
  }

  uint32_t slice_of(float index) const {
    if (!image.array || !(index > 0)) return 0;
    return uint32_t(std::nearbyint(std::min(index, float(image.slices - 1))));
  }

  Rgba sample(float u, float v, float r, float lod, float least) const {
    const state::Sampler& s = sampler;
    if (std::isnan(lod)) lod = 0;
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
    const bool linear = !integers && (magnified ? s.mag_filter : s.min_filter) == state::MapFilter::linear;
    const uint32_t slice = slice_of(image.is_1d() ? v : r);
    Rgba out = level(image.level(first), u, v, slice, linear, magnified);
    if (weight && second != first && !integers) {
      const Rgba other = level(image.level(second), u, v, slice, linear, magnified);
      for (size_t c = 0; c < 4; ++c) out[c] = mix(out[c], other[c], float(weight) / 256);
    }
    for (uint32_t& c : out) c = flushed(c);
    return out;
  }

  Rgba load(uint32_t u, uint32_t v, uint32_t r, uint32_t lod) const {
    const formats::Format& f = *image.format;
    const bool flat = !image.is_1d() && !image.is_buffer();
    if (image.is_buffer()) lod = 0;
    const uint32_t x = u + uint32_t(offsets[0]), y = flat ? v + uint32_t(offsets[1]) : 0;
    const uint32_t slice = !image.array || image.is_buffer() ? 0 : flat ? r : v;
    if (lod < image.level_count && x < image.level(lod).width && y < image.level(lod).height && slice < image.slices)
      return fetch(memory, image, image.level(lod), x, y, slice);
    return {0, 0, 0, f.has(Component::a) || f.has(Component::i) ? 0 : f.integer() ? 1u : 0x3F800000u};
  }
};

}  // namespace vitro::shared::reference
