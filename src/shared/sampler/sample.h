// Sampling one lane: the LOD of a pixel, which levels it means, how many probes an anisotropic filter takes, and
// filtering a level around a point. PRM: Gen8 vol 7 "LOD Computation", "Texture Filtering". Only the files of the
// sampling engine include this.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "lanes/one.h"
#include "shared/sampler/call.h"
#include "shared/sampler/sample_arithmetic.h"

namespace vitro::shared {

// What is the same for all lanes of a message.
struct Sampling {
  memory::View& memory;
  const Image& image;
  const state::Sampler& sampler;
  formats::Rgba border;
  SampleKey key{};
  SampleFacts facts{};
  bool compare = false;
  bool flushes = false;   // denormals
  bool seamless = false;  // a cube that is filtered over its edges
  Footprint footprint = Footprint::average;
  const state::ChromaKey* chroma_key = nullptr;  // null: texels are not compared with one
  bool* killed = nullptr;                        // set by a texel that matches; null: it becomes black

  // The arithmetic of one lane.
  SampleArithmetic<lanes::One> arithmetic() const { return {one_lane, key, &facts}; }
  static constexpr lanes::One one_lane{};
};

// Why a sampler cannot be used; empty if it can.
std::string_view obstacle(const state::Sampler&);

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
// A pixel in texels of the first level: its sides along x and y, on the axes u, v and r. Of a cube: on the face.
struct PixelSides {
  std::array<float, 3> x{}, y{};
};
PixelSides sides_of(const Image&, bool normalized, const Gradients&);
// The same of a cube: gradients are those of the direction.
PixelSides cube_sides_of(const Image&, const std::array<float, 3>& direction, const Gradients&);

// How a pixel is filtered that is longer than wide: probes along its longer side, and levels for its width.
struct Probes {
  float lod = 0;
  unsigned count = 1;
  std::array<float, 2> side{};  // the longer one, as coordinates have it
};
Probes probes_of(const Sampling&, const PixelSides&);
// The one of `count` probes, on a pixel around a point.
Point probe_at(const Sampling&, const Point&, const Probes&, unsigned number);
// log2 of the longer side.
float lod_of(const Sampling&, const PixelSides&);

// What is added to every LOD.
inline float bias_of(const state::Sampler& s, float sent) {
  using Arithmetic = SampleArithmetic<lanes::One>;
  return std::clamp(s.lod_bias + sent, Arithmetic::smallest_lod, Arithmetic::largest_bias);
}

struct LevelChoice {
  unsigned first = 0, second = 0;
  uint32_t weight = 0;  // of the second, in 1/256
  bool magnified = false;
  float clamped = 0;
};
// `lod` has its bias; `least` is what message and resource ask for.
LevelChoice choose_levels(const Sampling&, float lod, float least);

// --- filtering

inline uint32_t without_denormal(const Sampling& s, uint32_t v) {
  return s.arithmetic().without_denormal(lanes::OneInt::of(v)).v;
}
inline void drop_denormals(const Sampling& s, formats::Rgba& texel) {
  for (uint32_t& v : texel) v = without_denormal(s, v);
}

// The texels of a 2x2 (1D: 2, 3D: 2x2x2) footprint, decoded and compared; x fastest.
struct FootprintTexels {
  std::array<formats::Rgba, 8> texel;
  std::array<uint32_t, 3> weight{};  // of the second on each axis
};
formats::Rgba fetch_nearest(const Sampling&, const ImageLevel&, const Point&, bool magnified);
FootprintTexels fetch_footprint(const Sampling&, const ImageLevel&, const Point&, bool magnified, bool all = false);
formats::Rgba filter(const Sampling&, const FootprintTexels&);
// Two numbers, of which the second has a weight in 1/256.
float reduce(const Sampling&, float a, float b, uint32_t weight);

}  // namespace vitro::shared
