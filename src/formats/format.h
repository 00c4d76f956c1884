// Surface formats: how the bits of a texel become the four dwords that shaders see, and back. One table for Gen6 to
// Gen9; PRM: SURFACE_FORMAT, "Surface Formats" of the shared-functions volume, data port and render target conversion
// rules. A texel is decoded before filtering and channel selects; which messages a format is good for is not checked
// (hardware leaves the others undefined), and the bits of unused channels are written as zero.
// Not modelled: palettes, planar formats and ASTC of high dynamic range have rows, for sizes and copies, but no
// decoder; pairs of YCRCB are read as they are, as the sampler does, without a conversion to RGB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vitro::formats {

// Red, green, blue, alpha; bits of floats or integers, as Format::numeric says.
using Rgba = std::array<uint32_t, 4>;

enum class Component : uint8_t { r, g, b, a, l, i, none };
enum class Kind : uint8_t {
  pad,
  raw,
  unorm,
  snorm,
  uint,
  sint,
  sfloat,
  ufloat,
  uscaled,
  sscaled,
  sfixed,
  mantissa,  // of a shared exponent
  exponent,  // the shared one
};
enum class Space : uint8_t { linear, srgb, yuv, none };
enum class Numeric : uint8_t { floats, uints, sints };

struct Channel {
  Component component = Component::none;
  Kind kind = Kind::pad;
  uint8_t width = 0;
  uint8_t lo = 0;  // first bit in the texel
};

// The generations on which a format is good for something: bit 0 Gen6, bit 1 Gen8, bit 2 Gen9, as isa::Generation.
struct Uses {
  uint8_t sampled = 0;
  uint8_t filtered = 0;
  uint8_t compared = 0;  // with a reference: shadow maps
  uint8_t target = 0;    // render target
  uint8_t blended = 0;
  uint8_t vertex = 0;    // fetched from a vertex buffer
  uint8_t streamed = 0;  // written by stream output
  uint8_t typed_write = 0, typed_read = 0, typed_atomic = 0;
};

struct Format {
  uint16_t code = 0;
  std::string_view name{};
  Space space = Space::linear;
  Numeric numeric = Numeric::floats;
  uint16_t bits = 0;  // of a block
  uint8_t block_width = 1, block_height = 1;
  uint8_t channel_count = 0;
  std::array<Channel, 4> channels{};
  Uses uses{};
  // The texel at (x, y) of a block. Null: "unsupported".
  void (*decode)(const std::byte* block, unsigned x, unsigned y, Rgba& texel) = nullptr;
  // All texels of a block of a compressed format, row after row. Null for the others.
  void (*decode_whole)(const std::byte* block, Rgba* texels) = nullptr;
  // The whole block from one texel. Null: cannot be written.
  void (*encode)(std::byte* block, const Rgba& texel) = nullptr;

  unsigned bytes() const { return bits / 8u; }
  unsigned texels() const { return unsigned(block_width) * block_height; }  // of a block
  bool integer() const { return numeric != Numeric::floats; }
  // What a channel that is missing reads as.
  uint32_t one() const { return integer() ? 1 : 0x3F800000; }
  bool has(Component) const;
};

// By code; nullptr for codes that are reserved.
const Format* find(unsigned code);
// By PRM name, for tools and tests.
const Format* find(std::string_view name);
std::span<const Format> all();

// All texels of a block, row after row, of any format that has a decoder.
void decode_block(const Format&, std::span<const std::byte> block, std::span<Rgba> texels);
inline constexpr unsigned most_texels = 12 * 12;  // of a block

// One texel as a vertex fetch delivers it: the four dwords of decode, or, for formats of 64 bits that pass as they are
// (*_PASSTHRU), two dwords for each channel. Returns how many; the format must be good for vertices.
unsigned decode_dwords(const Format&, const std::byte* texel, std::array<uint32_t, 8>& dwords);

}  // namespace vitro::formats
