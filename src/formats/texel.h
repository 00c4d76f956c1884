// One channel of a texel as the dword that shaders see, and back, written once over a lane domain: decoders and
// encoders of single texels (format.cpp) use one lane of it, sampler and data port eight, compiled code its own. PRM:
// data port typed writes and render targets: round to nearest even, clamp to the range, NaN becomes zero in normalised
// formats. Not here, since nothing but single texels needs them: channels that take doubles (convert.h), and texels
// whose size is none of the host's. The host must round to nearest.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"
#include "formats/format.h"
#include "lanes/domain.h"

namespace vitro::formats {

// What decides how a texel is read and written; plain bytes.
struct TexelLayout {
  static constexpr uint8_t missing = 255;
  std::array<Channel, 4> channels{};
  std::array<uint8_t, 4> component{missing, missing, missing, missing};  // the channel of red, green, blue and alpha
  uint8_t channel_count = 0;
  uint8_t bytes = 0;
  uint8_t srgb = 0, integer = 0;
  bool operator==(const TexelLayout&) const = default;

  bool has(unsigned c) const { return component[c] != missing; }
  const Channel& of(unsigned c) const { return channels[component[c]]; }
  uint32_t one() const { return integer ? 1 : 0x3F800000; }
  // What a component that is missing reads as.
  uint32_t instead(unsigned c) const { return c == 3 ? one() : 0; }
  bool table(const Channel& c) const { return srgb && c.kind == Kind::unorm && c.component != Component::a; }
};
TexelLayout texel_layout(const Format&);

// Whether the functions below know all of a format's channels.
bool decodes_in_lanes(const Format&);
bool encodes_in_lanes(const Format&);

// IEC 61966-2-1 as floats, for the codes of a channel: code n of w bits is number 2^w + n.
const std::byte* srgb_table();
inline constexpr int most_srgb_bits = 10;

// --- reading

constexpr bool widens_in_lanes(const Channel& c) {
  switch (c.kind) {
    case Kind::unorm:
    case Kind::snorm: return c.width <= 24;
    case Kind::sfloat: return c.width <= 32;
    case Kind::uscaled: return c.width < 32;
    case Kind::raw: return c.width <= 32;
    default: return true;
  }
}

// A division by 2^n - 1 as two products, the first of which is exact: to the last bit what the division gives, for all
// numbers of up to 23 bits.
struct Reciprocal {
  float upper = 0, lower = 0;
};
inline constexpr auto reciprocals = [] {
  std::array<Reciprocal, 24> all{};
  for (int n = 1; n < 24; ++n) {
    const double exact = 1 / double(ones(n));
    const auto upper = std::bit_cast<double>(std::bit_cast<uint64_t>(exact) & ~ones(53 - (24 - n)));
    all[size_t(n)] = {float(upper), float(exact - upper)};
  }
  return all;
}();

template <class D>
struct Widening {
  using F = typename D::F;
  using I = typename D::I;
  const D& d;

  I signed_number(I v, int width) const {
    return width == 32 ? v : d.shift_right_signed(d.shift_left(v, int32_t(32 - width)), int32_t(32 - width));
  }
  F quotient(I v, int bits) const {
    const F x = d.to_float(v);
    if (bits > 23) return x / float(ones(bits));
    return d.exact_product_plus(x, d.f(reciprocals[size_t(bits)].upper), x * reciprocals[size_t(bits)].lower);
  }
  // Five bits of exponent with bias 15, below them the mantissa.
  I small_float(I v, int mantissa_bits) const {
    const I normal = d.bits(d.as_float(d.shift_left(v, int32_t(23 - mantissa_bits))) * 0x1p112f);
    return d.select(v >= int32_t(31u << mantissa_bits), normal | 0x7F800000, normal);
  }
  // v: the channel's bits, with zeros above.
  I channel(const Channel& c, I v) const {
    switch (c.kind) {
      case Kind::unorm: return d.bits(quotient(v, c.width));
      // The lowest code is one too many: it too means -1.
      case Kind::snorm: return d.bits(d.max(quotient(signed_number(v, c.width), c.width - 1), d.f(-1.0f)));
      case Kind::sint: return signed_number(v, c.width);
      case Kind::sfloat:
        if (c.width == 32) return v;
        return small_float(v & 0x7FFF, 10) | d.shift_left(v & 0x8000, int32_t(16));
      case Kind::ufloat: return small_float(v, c.width - 5);
      case Kind::uscaled: return d.bits(d.to_float(v));
      case Kind::sscaled: return d.bits(d.to_float(signed_number(v, c.width)));
      case Kind::sfixed: return d.bits(d.to_float(v) * 0x1p-16f);
      default: return v;
    }
  }
  // Nine bits stand behind the point of the mantissa; the exponent's bias is 15.
  I shared_exponent(I mantissa, I exponent) const {
    return d.bits(d.to_float(mantissa) * d.as_float(d.shift_left(exponent + (127 - 15 - 9), int32_t(23))));
  }
};

// Component c from the dword of the texel that holds its channel. `srgb` is the table above.
template <class D>
typename D::I decode_component(const D& d, const TexelLayout& t, unsigned c, typename D::I dword,
                               typename D::Pointer srgb) {
  const Widening<D> widening{d};
  const auto field = [&](const Channel& from) {
    const int shift = from.lo % 32;
    const auto v = shift ? d.shift_right(dword, int32_t(shift)) : dword;
    return shift + from.width == 32 ? v : v & int32_t(ones(from.width));
  };
  const Channel& channel = t.of(c);
  const auto v = field(channel);
  if (t.table(channel)) return d.gather_all(srgb, d.shift_left(v + int32_t(1 << channel.width), int32_t(2)), 4);
  if (channel.kind == Kind::mantissa) return widening.shared_exponent(v, field(t.channels[3]));
  return widening.channel(channel, v);
}

// --- writing

constexpr bool narrows_in_lanes(const Channel& c) {
  switch (c.kind) {
    case Kind::pad:
    case Kind::uint:
    case Kind::sint: return true;
    case Kind::raw:
    case Kind::sfloat: return c.width <= 32;
    case Kind::unorm:
    case Kind::snorm: return c.width <= 16;
    default: return false;
  }
}

template <class D>
struct Narrowing {
  using F = typename D::F;
  using I = typename D::I;
  const D& d;

  I half(I v) const {
    const I magnitude = v & 0x7FFFFFFF, sign = d.shift_right(v, int32_t(16)) & 0x8000;
    const I odd = d.shift_right(magnitude, int32_t(13)) & 1;
    const I normal = d.shift_right(magnitude + (0xFFF - (112 << 23)) + odd, int32_t(13));
    // Adding a half rounds to the smallest denormal.
    const I denormal = d.bits(d.as_float(magnitude) + 0.5f) - 0x3F000000;
    const I number = d.select(magnitude < 0x38800000, denormal, d.select(magnitude < 0x47800000, normal, d.i(0x7C00)));
    const I nan = (d.shift_right(magnitude, int32_t(13)) & 0x3FF) | 0x7E00;
    return sign | d.select(magnitude > 0x7F800000, nan, number);
  }
  // The channel's bits, with zeros above.
  I channel(const Channel& c, I v) const {
    const auto mask = int32_t(ones(c.width));
    const F f = d.as_float(v);
    switch (c.kind) {
      case Kind::unorm: return d.round(d.min(d.max(f, d.f(0.0f)), d.f(1.0f)) * float(mask));
      case Kind::snorm: {
        const F inside = d.min(d.max(f, d.f(-1.0f)), d.f(1.0f));
        return d.select(f == f, d.round(inside * float(mask >> 1)), d.i(0)) & mask;
      }
      case Kind::uint:
      case Kind::raw: return c.width == 32 ? v : d.select(d.less_unsigned(d.i(mask), v), d.i(mask), v);
      case Kind::sint: {
        if (c.width == 32) return v;
        const int32_t most = mask >> 1;
        return d.max(d.min(v, d.i(most)), d.i(-most - 1)) & mask;
      }
      case Kind::sfloat: return c.width == 32 ? v : half(v);
      default: return d.i(0);
    }
  }
};

// Dword n of a texel. Unused bits are zero.
template <class D>
typename D::I encode_dword(const D& d, const TexelLayout& t, unsigned n, const std::array<typename D::I, 4>& rgba) {
  const Narrowing<D> narrowing{d};
  auto dword = d.i(0);
  for (unsigned k = 0; k < t.channel_count; ++k) {
    const Channel& c = t.channels[k];
    if (c.component == Component::none || c.lo / 32 != n) continue;
    // luminance and intensity are red's
    const auto v = narrowing.channel(c, rgba[c.component >= Component::l ? 0 : size_t(c.component)]);
    dword = dword | (c.lo % 32 ? d.shift_left(v, int32_t(c.lo % 32)) : v);
  }
  return dword;
}

}  // namespace vitro::formats
