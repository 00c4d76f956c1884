// Texels by integer coordinates: ld and its kin, multisampled loads, and the multisample control surface.
// PRM: Gen8 vol 7 "ld", "ld2dms", "ld2dss", "ld_mcs"; "Multisample Control Surface". Coordinates, level and offsets are
// checked against the surface; outside of it a texel of zeros is read, whose missing channels are as the format's.
#include <algorithm>

#include "formats/components.h"
#include "shared/sampler/call.h"

namespace vitro::shared {

namespace {

using formats::Component;
using formats::Rgba;

struct Place {
  const ImageLevel* level = nullptr;  // null: outside
  uint32_t x = 0, y = 0, slice = 0;
};

Place place_of(const SamplerCall& c, unsigned lane) {
  const Image& image = c.image;
  const uint32_t lod = image.is_buffer() ? 0 : c.bits(Parameter::lod, lane);
  if (lod >= image.level_count) return {};
  const ImageLevel& l = image.level(lod);
  Place p{&l, c.bits(Parameter::u, lane) + uint32_t(int32_t(c.offsets[0])), 0, 0};
  if (!image.is_buffer() && !image.is_1d()) {
    p.y = c.bits(Parameter::v, lane) + uint32_t(int32_t(c.offsets[1]));
    p.slice = c.bits(Parameter::r, lane) + (image.is_3d() ? uint32_t(int32_t(c.offsets[2])) : 0);
  } else if (image.is_1d()) {
    p.slice = c.bits(Parameter::v, lane);
  }
  const bool layered = image.array || image.is_cube() || image.is_3d();
  if (!layered) p.slice = 0;
  if (p.x >= l.width || p.y >= l.height || p.slice >= (image.is_3d() ? l.depth : image.slices)) return {};
  return p;
}

Rgba load_lane(const SamplerCall& c, unsigned lane, uint32_t sample) {
  const Place p = place_of(c, lane);
  Rgba texel;
  if (p.level && sample < c.image.samples)
    load_texel(c.memory(), c.image, *p.level, p.x, p.y, p.slice, sample, texel);
  else
    texel = texel_outside(*c.image.format);
  return select_channels(c.image, texel);
}

// How a control word says which plane a sample is in; by log2 of the samples.
struct ControlWord {
  uint8_t bytes, bits_per_sample;
  uint64_t clear;  // the value of a texel that has the clear colour
};
constexpr ControlWord control_words[] = {{1, 0, ~0ull}, {1, 1, 0x3}, {1, 2, 0xFF}, {4, 4, 0xFFFFFFFF}, {8, 4, ~0ull}};

}  // namespace

Rgba clear_texel(const Image& image) {
  Rgba texel = image.clear_colour;
  if (!image.format->encode) return texel;
  std::array<std::byte, 64> bytes;
  image.format->encode(bytes.data(), texel);
  image.format->decode(bytes.data(), 0, 0, texel);
  return texel;
}

Rgba texel_outside(const formats::Format& f) {
  const bool has_alpha = f.has(Component::a) || f.has(Component::i) || formats::compressed_components_of(f).mask >> 3;
  return {0, 0, 0, has_alpha ? 0 : f.one()};
}

template <>
eu::Reply act<isa::MessageAction::load>(SamplerCall& c) {
  if (c.image.is_null()) return eu::Reply::done;
  if (!c.image.unsupported.empty()) return c.unsupported("{}", c.image.unsupported);
  c.each_lane([&](unsigned lane) { c.answer(lane, load_lane(c, lane, c.bits(Parameter::si, lane))); });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::load_multisampled>(SamplerCall& c) {
  const Image& image = c.image;
  if (image.is_null()) return eu::Reply::done;
  if (!image.unsupported.empty()) return c.unsupported("{}", image.unsupported);
  const ControlWord& control = control_words[image.log2_samples];
  c.each_lane([&](unsigned lane) {
    const uint32_t si = c.bits(Parameter::si, lane);
    // Without a control surface, samples are in their own planes whatever the message says.
    if (image.mcs_base == 0 || image.samples == 1) return c.answer(lane, load_lane(c, lane, si));
    const uint64_t word = c.bits(Parameter::mcs_low, lane) | uint64_t(c.bits(Parameter::mcs_high, lane)) << 32;
    if ((word & control.clear) == control.clear)
      return c.answer(
          lane, select_channels(image, place_of(c, lane).level ? clear_texel(image) : texel_outside(*image.format)));
    const auto plane = uint32_t(si >= image.samples ? image.samples
                                                    : word >> (control.bits_per_sample * si) &
                                                          ones(control.bits_per_sample) & (image.samples - 1u));
    c.answer(lane, load_lane(c, lane, plane));
  });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::load_mcs>(SamplerCall& c) {
  const Image& image = c.image;
  if (image.is_null() || image.mcs_base == 0) return eu::Reply::done;
  const uint32_t bytes = control_words[image.log2_samples].bytes;
  c.each_lane([&](unsigned lane) {
    const Place p = place_of(c, lane);
    uint64_t word = 0;
    if (p.level)
      c.memory().read(mcs_address(image, p.x, p.y, p.slice, bytes),
                      std::as_writable_bytes(std::span(&word, 1)).first(bytes));
    c.answer(lane, {uint32_t(word), uint32_t(word >> 32), 0, 0});
  });
  return eu::Reply::done;
}

}  // namespace vitro::shared
