// One level of an image as host memory, and eight of its texels at a time: from coordinates to places, and from bits to
// components and back. Sampler and typed messages whose surface has this shape are carried out as wholes; the results
// are those of the general way through image.h, texel by texel. PRM: as image.h and formats/format.h.
// Not here, and therefore left to the general way: volumes, several samples, blocks of texels, W, Yf and Ys tiles, and
// levels that are not behind each other in host memory. Formats of unusual channels are decoded one by one.
// Eights go in and out by reference: how a vector is passed depends on what a caller is compiled for.
#pragma once

#include <cstring>

#include "lanes/host.h"
#include "shared/image/image.h"

namespace vitro::shared {

inline constexpr unsigned eight = 8;
typedef uint32_t Bits8 __attribute__((vector_size(32)));
typedef int32_t Integers8 __attribute__((vector_size(32)));
typedef float Floats8 __attribute__((vector_size(32)));

template <class Vector>
void get_eight(Vector& to, const void* from) {
  std::memcpy(&to, from, sizeof to);
}
template <class Vector>
void put_eight(void* to, const Vector& from) {
  std::memcpy(to, &from, sizeof from);
}

struct Plane {
  std::byte* host = nullptr;  // of the image's base
  memory::Tiling tiling = memory::Tiling::linear;
  bool layered = false;                        // the slice counts
  uint32_t width = 0, height = 0, slices = 0;  // that coordinates are checked against
  int32_t pitch = 0;                           // bytes of a row of texels, or of tiles
  int32_t stride = 0;                          // bytes from texel to texel
  int32_t x = 0, y = 0;                        // the first texel; if layered, without the slice
  int32_t first_slice = 0, slice_x = 0, slice_y = 0;
};
// Level `lod` of an image, if it can be had with this access; `host` is null if not.
Plane find_plane(memory::View&, const Image&, unsigned lod, memory::Access);

// How one component of a texel stands in it.
struct ComponentRule {
  enum class Kind : uint8_t { constant, bits, unorm, snorm, sint, half };
  Kind kind = Kind::constant;
  uint8_t dword = 0, shift = 0, width = 0;
  uint32_t mask = 0;
  uint32_t value = 0;  // of a constant
  float most = 0;      // what stands for one
};
struct TexelRules {
  const formats::Format* format = nullptr;
  bool decodes = false;  // the rules say all about reading; else the format's function does
  bool encodes = false;  // likewise writing
  uint8_t bytes = 0;
  std::array<ComponentRule, 4> components{};
};
TexelRules rules_of(const formats::Format&);

// The first level of an image with its format's rules, kept for a dispatch by those who send it messages.
struct KeptPlane {
  uint64_t dispatch = ~uint64_t{0};
  uint32_t name = 0;  // which image, and with which access
  bool one_level = false, one_dimension = false, buffer = false;
  Plane plane{};
  TexelRules rules{};
};
using KeptPlanes = std::array<KeptPlane, 16>;

// --- places

inline void places_of(const Plane& p, const Integers8& x, const Integers8& y, const Integers8& slice,
                      Integers8& places) {
  Integers8 column = x + p.x, row = y + p.y;
  if (p.layered) {
    const Integers8 s = slice + p.first_slice;
    column += s * p.slice_x;
    row += s * p.slice_y;
  }
  column *= p.stride;
  if (p.tiling == memory::Tiling::linear)
    places = row * p.pitch + column;
  else if (p.tiling == memory::Tiling::y)
    places = (row >> 5) * p.pitch + ((column >> 4) << 9) + ((row & 31) << 4) + (column & 15);
  else
    places = (row >> 3) * p.pitch + ((column >> 9) << 12) + ((row & 7) << 9) + (column & 511);
}

// --- reading

inline void take_dwords(const Plane& p, const TexelRules& rules, unsigned dword, const int32_t (&places)[eight],
                        Bits8& raw) {
  uint32_t v[eight];
  const std::byte* from = p.host + 4 * size_t(dword);
  if (rules.bytes == 1) {
    for (unsigned n = 0; n < eight; ++n) v[n] = uint32_t(from[places[n]]);
  } else if (rules.bytes == 2) {
    for (unsigned n = 0; n < eight; ++n) {
      uint16_t half;
      std::memcpy(&half, from + places[n], sizeof half);
      v[n] = half;
    }
  } else {
    for (unsigned n = 0; n < eight; ++n) std::memcpy(&v[n], from + places[n], sizeof v[n]);
  }
  get_eight(raw, v);
}

inline void decode_component(const ComponentRule& r, const Bits8& raw, Bits8& out) {
  const Bits8 field = (raw >> r.shift) & r.mask;
  const Integers8 top = Integers8{} + (32 - r.width);
  switch (r.kind) {
    case ComponentRule::Kind::bits: out = field; break;
    case ComponentRule::Kind::unorm: out = Bits8(__builtin_convertvector(Integers8(field), Floats8) / r.most); break;
    case ComponentRule::Kind::snorm: {
      const Floats8 f = __builtin_convertvector((Integers8(field) << top) >> top, Floats8) / r.most;
      out = Bits8(f < -1.0f ? Floats8{} - 1.0f : f);
      break;
    }
    case ComponentRule::Kind::sint: out = Bits8((Integers8(field) << top) >> top); break;
    case ComponentRule::Kind::half: {
      const Bits8 sign = (field >> 15) << 31, exponent = field & 0x7C00, mantissa = field & 0x3FF;
      const Bits8 small = Bits8(__builtin_convertvector(Integers8(mantissa), Floats8) * 0x1p-24f);
      const Bits8 normal = ((field & 0x7FFF) << 13) + (112u << 23);
      const Bits8 special = 0x7F800000u | mantissa << 13;
      out = sign | (exponent == 0 ? small : exponent == 0x7C00 ? special : normal);
      break;
    }
    case ComponentRule::Kind::constant:
    default: out = Bits8{} + r.value; break;
  }
}

// Components `wanted` of the texels at eight places, all of which must be in the plane; where `outside` is all ones,
// those of `instead`.
inline void take_texels(const Plane& p, const TexelRules& rules, unsigned wanted, const Integers8& places,
                        const Integers8& outside, const formats::Rgba& instead, Bits8 (&out)[4]) {
  int32_t at[eight];
  put_eight(at, places);
  if (rules.decodes) {
    unsigned dword = ~0u;
    Bits8 raw{};
    for (unsigned c = 0; c < 4; ++c) {
      if (!(wanted >> c & 1)) continue;
      const ComponentRule& r = rules.components[c];
      if (r.dword != dword && r.kind != ComponentRule::Kind::constant) take_dwords(p, rules, dword = r.dword, at, raw);
      Bits8 v;
      decode_component(r, raw, v);
      out[c] = outside ? Bits8{} + instead[c] : v;
    }
    return;
  }
  uint32_t v[4][eight];
  for (unsigned n = 0; n < eight; ++n) {
    formats::Rgba texel;
    rules.format->decode(p.host + at[n], 0, 0, texel);
    for (unsigned c = 0; c < 4; ++c) v[c][n] = texel[c];
  }
  for (unsigned c = 0; c < 4; ++c) {
    Bits8 all;
    get_eight(all, v[c]);
    out[c] = outside ? Bits8{} + instead[c] : all;
  }
}

// --- writing

inline void encode_component(const ComponentRule& r, const Bits8& in, Bits8& field) {
  const Floats8 f = Floats8(in);
  switch (r.kind) {
    case ComponentRule::Kind::unorm: {
      // Adding 2^23 rounds to nearest even, and leaves the number in the lowest bits.
      const Bits8 rounded = Bits8(f * r.most + 0x1p23f) & 0x7FFFFFu;
      field = Bits8(f > 0.0f) & (f >= 1.0f ? Bits8{} + r.mask : rounded);
      break;
    }
    case ComponentRule::Kind::sint: {
      const Integers8 v = Integers8(in), most = Integers8{} + int32_t(r.mask >> 1), least = -most - 1;
      field = Bits8(v > most ? most : v < least ? least : v) & r.mask;
      break;
    }
    default: field = in > r.mask ? Bits8{} + r.mask : in; break;
  }
}

// Writes those of eight texels that `slots` names, in their order.
inline void put_texels(const Plane& p, const TexelRules& rules, uint32_t slots, const Integers8& places,
                       const Bits8 (&in)[4]) {
  int32_t at[eight];
  put_eight(at, places);
  if (!rules.encodes) {
    uint32_t v[4][eight];
    for (unsigned c = 0; c < 4; ++c) put_eight(v[c], in[c]);
    for (uint32_t m = slots; m; m &= m - 1) {
      const auto n = unsigned(__builtin_ctz(m));
      rules.format->encode(p.host + at[n], {v[0][n], v[1][n], v[2][n], v[3][n]});
    }
    return;
  }
  uint32_t words[4][eight];
  Bits8 word{};
  unsigned dword = 0;
  // In the order of the texel's dwords: components of one are neighbours.
  for (unsigned c = 0; c < 4; ++c) {
    const ComponentRule& r = rules.components[c];
    if (r.kind == ComponentRule::Kind::constant) continue;
    if (r.dword != dword) put_eight(words[dword], word), word = Bits8{}, dword = r.dword;
    Bits8 field;
    encode_component(r, in[c], field);
    word |= field << r.shift;
  }
  put_eight(words[dword], word);
  const unsigned bytes = rules.bytes;
  for (uint32_t m = slots; m; m &= m - 1) {
    const auto n = unsigned(__builtin_ctz(m));
    std::byte* to = p.host + at[n];
    if (bytes == 4) {
      std::memcpy(to, &words[0][n], 4);
    } else if (bytes < 4) {
      std::memcpy(to, &words[0][n], bytes == 1 ? 1 : 2);
    } else {
      for (unsigned d = 0; d < bytes / 4; ++d) std::memcpy(to + 4 * d, &words[d][n], 4);
    }
  }
}

// --- registers: eight dwords, of which those of `slots` are written

inline void put_slots(std::byte* to, uint32_t slots, const Bits8& v) {
  if (slots == 0xFF) {
    put_eight(to, v);
    return;
  }
  const Bits8 places = {1, 2, 4, 8, 16, 32, 64, 128};
  Bits8 before;
  get_eight(before, to);
  put_eight(to, (places & slots) != 0 ? v : before);
}

inline uint32_t slots_where(const Integers8& truths) {
  const Bits8 places = {1, 2, 4, 8, 16, 32, 64, 128};
  uint64_t pairs[4];
  put_eight(pairs, Bits8(truths) & places);
  const uint64_t all = (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
  return uint32_t(all | all >> 32);
}

}  // namespace vitro::shared
