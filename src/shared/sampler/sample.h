// Sampling one lane: which levels a LOD means, and filtering a level around a point. PRM: Gen8 vol 7 "LOD Computation",
// "Texture Filtering". Only the files of the sampling engine include this.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "shared/sampler/call.h"

namespace vitro::shared {

// What is the same for all lanes of a message.
struct Sampling {
  memory::View& memory;
  const Image& image;
  const state::Sampler& sampler;
  formats::Rgba border;
  std::array<int32_t, 3> offsets{};
  bool compare = false;
  bool flushes = false;   // denormals
  bool seamless = false;  // a cube that is filtered over its edges
  Footprint footprint = Footprint::average;
  std::array<std::array<bool, 3>, 2> rounded{};  // coordinates of each axis: minified, magnified
};

// Where a lane samples: coordinates as sent (of a cube: in its face), and the slice.
struct Point {
  float u = 0, v = 0, r = 0;
  uint32_t slice = 0;
  unsigned face = 0;
  float ref = 0;
};

// --- levels

// Derivatives of u, v and r, along x and y.
struct Gradients {
  std::array<float, 3> dx{}, dy{};
};
// log2 of the larger extent of a pixel, in texels of the first level.
float lod_of(const Image&, bool normalized, const Gradients&);
// The same of a cube: gradients are those of the direction.
float cube_lod_of(const Image&, const std::array<float, 3>& direction, const Gradients&);

// What is added to every LOD.
inline float bias_of(const state::Sampler& s, float sent) { return std::clamp(s.lod_bias + sent, -16.0f, 15.996f); }

struct LevelChoice {
  unsigned first = 0, second = 0;
  uint32_t weight = 0;  // of the second, in 1/256
  bool magnified = false;
  float clamped = 0;
};
// `lod` has its bias; `least` is what message and resource ask for.
LevelChoice choose_levels(const Image&, const state::Sampler&, float lod, float least);

// --- filtering

// The texels of a 2x2 (1D: 2, 3D: 2x2x2) footprint, decoded and compared; x fastest.
struct FootprintTexels {
  std::array<formats::Rgba, 8> texel;
  std::array<uint32_t, 3> weight{};  // of the second on each axis
};
formats::Rgba fetch_nearest(const Sampling&, const ImageLevel&, const Point&, bool magnified);
FootprintTexels fetch_footprint(const Sampling&, const ImageLevel&, const Point&, bool magnified, bool all = false);
formats::Rgba filter(const Sampling&, const FootprintTexels&);

}  // namespace vitro::shared
