// One sampler message under way: what its descriptor and header say, its parameters by name, the surface and sampler it
// goes to, and the results of its lanes. PRM: as sampler.h. Only the files of the sampling engine include this.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "shared/sampler/sampler.h"

namespace vitro::shared {

// Fields of M0.2.
inline constexpr uint32_t m0_2_pixel_null_mask = 1u << 23, m0_2_simd4x2 = 1u << 22;
inline constexpr int m0_2_masks = 12;  // of channels
inline constexpr Bits m0_2_u{11, 8}, m0_2_v{7, 4}, m0_2_r{3, 0};

using Lanes = std::array<uint32_t, max_sampler_lanes>;

struct SamplerCall {
  SamplingEngine& engine;
  const isa::MessageRow& row;
  const Image& image;
  std::string& reason;
  uint64_t sampler_address = 0;
  unsigned lane_count = 8;
  uint32_t lanes = 0;               // that are wanted
  bool subspans = true;             // four lanes each are a 2x2 group of pixels
  std::array<int8_t, 3> offsets{};  // of u, v, r, in texels
  uint8_t gather_channel = 0;

  uint32_t sent = 0;                                          // bit n: Parameter n is in the payload
  std::array<const uint32_t*, parameter_count> parameters{};  // zeros for those that are not
  std::array<Lanes, 4> result{};
  uint32_t killed = 0;  // lanes whose texels match a chroma key

  memory::View& memory() const { return *engine.environment.memory; }
  bool has(Parameter p) const { return sent >> unsigned(p) & 1; }
  uint32_t bits(Parameter p, unsigned lane) const { return parameters[size_t(p)][lane]; }
  int32_t integer(Parameter p, unsigned lane) const { return int32_t(bits(p, lane)); }
  float number(Parameter p, unsigned lane) const { return std::bit_cast<float>(bits(p, lane)); }

  void answer(unsigned lane, const formats::Rgba& v) {
    for (size_t n = 0; n < 4; ++n) result[n][lane] = v[n];
  }
  template <class Do>
  void each_lane(Do&& run) const {
    for (uint32_t m = lanes; m; m &= m - 1) run(unsigned(std::countr_zero(m)));
  }
  template <class... Args>
  eu::Reply unsupported(fmt::format_string<Args...> what, Args&&... args) {
    reason = fmt::format(what, std::forward<Args>(args)...);
    return eu::Reply::unsupported;
  }
};

// Texels of 32-bit floats lose their denormals where they are filtered: all messages that sample or gather, whatever
// the filter, but not ld. No document says so; it is inferred from IGC, which flushes what ld gives it and takes what
// sample gives it as flushed. Halves and smaller floats are normal numbers by then.
bool flushes_denormals(const SamplerEngineLayout&, const formats::Format&);

// Shader Channel Selects, applied to a texel.
formats::Rgba permute_channels(const Image&, const formats::Rgba&);
inline formats::Rgba select_channels(const Image& image, const formats::Rgba& texel) {
  return image.plain_selects ? texel : permute_channels(image, texel);
}

// What ld reads outside of a surface.
formats::Rgba texel_outside(const formats::Format&);
// The clear colour, as a texel that has it reads.
formats::Rgba clear_texel(const Image&);

}  // namespace vitro::shared
