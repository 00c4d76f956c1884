// Sampler messages carried out as wholes: where surface and sampler are of the common kinds, a message is eights of
// lanes through the same few steps, and what the steps need is found once for a descriptor and a dispatch. The results
// are those of sample() and load(), which do everything else. PRM: as sampler.h. Of this kind are: sample and its
// variants without comparison on 1D and 2D surfaces and arrays of them, where all lanes read one level; nearest and
// linear filters and all address modes; ld likewise, on buffers too. Not: headers, SIMD4x2, results in 16 bits, minimum
// and maximum filters, levels that lanes choose, memory that is strictly checked.
#pragma once

#include <array>
#include <cstdint>

#include "shared/image/plane.h"

namespace vitro::shared {

struct SamplingEngine;
struct SamplerRequest;

// One axis: from a coordinate to a texel.
struct AxisRule {
  enum class Mode : uint8_t { clamp, border, wrap, mirror, mirror_once };
  Mode mode = Mode::clamp;
  bool confined = false;  // coordinates are first brought to the surface
  float scale = 1;        // texels for each unit
  float rounding = 0;     // added to the 1/256 of a texel
  float size = 0;
  int32_t offset = 0;  // in texels
  int32_t texels = 1, period = 1;
  float by_period = 1;  // 1 / period
};

// By what a whole message is known. Only some bits of the header count.
struct WholeKey {
  static constexpr uint32_t header_bits = 0xC0FFFF;  // offsets, channel masks, null mask, SIMD4x2
  uint32_t desc = 0, ex_desc = 0, header = 0, sampler_table = 0;
  bool operator==(const WholeKey&) const = default;
};

struct WholeMessage {
  static constexpr uint64_t no_dispatch = ~uint64_t{0};
  uint64_t dispatch = no_dispatch;
  WholeKey key{};
  void (*run)(const WholeMessage&, const SamplerRequest&) = nullptr;  // null: this message is none

  uint8_t first = 0;                                // register of the parameters, behind the header
  uint8_t eights = 1;                               // of lanes, and registers of a parameter
  bool one_dimension = true;                        // v is no coordinate
  std::array<int8_t, 4> parameter{-1, -1, -1, -1};  // which one is u, v, slice, LOD; -1: none
  Plane plane{};
  TexelRules rules{};
  std::array<AxisRule, 2> axes{};
  formats::Rgba outside{};  // border colour, or what ld reads there
  bool flushes = false;     // denormals
  // The channels of the result: each a component of the texel, or a constant.
  uint8_t channels = 4;
  std::array<int8_t, 4> source{0, 1, 2, 3};
  std::array<uint32_t, 4> constant{};
};

// Fills in what follows from the key.
void find_whole_message(SamplingEngine&, WholeMessage&);

}  // namespace vitro::shared
