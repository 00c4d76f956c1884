// Levels of detail: from derivatives to a LOD, and from a LOD to the levels that are read. PRM: Gen8 vol 7 "LOD
// Computation Pseudocode"; Gen6 vol 4 part 1 likewise. A pixel's extent is the longer of its two sides; hardware may
// approximate the length.
#include <algorithm>
#include <cmath>

#include "shared/sampler/cube.h"
#include "shared/sampler/sample.h"

namespace vitro::shared {

namespace {

constexpr float least_lod = -16, most_lod = 16;

float log2_of(float extent) {
  if (!(extent > 0)) return least_lod;
  return std::clamp(std::log2(extent), least_lod, most_lod);
}

}  // namespace

float lod_of(const Image& image, bool normalized, const Gradients& g) {
  const ImageLevel& l = image.level(0);
  std::array<float, 3> scale = {float(l.width), float(l.height), float(l.depth)};
  if (!normalized) scale = {1, 1, 1};
  const unsigned axes = image.is_1d() ? 1 : image.is_3d() ? 3 : 2;
  float x = 0, y = 0;
  for (unsigned n = 0; n < axes; ++n) {
    x += g.dx[n] * scale[n] * (g.dx[n] * scale[n]);
    y += g.dy[n] * scale[n] * (g.dy[n] * scale[n]);
  }
  return log2_of(std::sqrt(std::max(x, y)));
}

float cube_lod_of(const Image& image, const std::array<float, 3>& direction, const Gradients& g) {
  // Where the ends of the pixel's sides meet the plane of the face: s and t there, less s and t here.
  const FacePoint here = face_point(direction[0], direction[1], direction[2]);
  static constexpr unsigned axis_of[] = {0, 0, 1, 1, 2, 2};
  const unsigned axis = axis_of[here.face];
  const float size = float(image.level(0).width) / 2, major = std::fabs(direction[axis]);
  const auto extent = [&](const std::array<float, 3>& d) {
    float sum = 0;
    const float sign = direction[axis] < 0 ? -1.0f : 1.0f;
    for (unsigned n = 0; n < 3; ++n) {
      if (n == axis) continue;
      const float change = (d[n] * major - direction[n] * d[axis] * sign) / (major * major) * size;
      sum += change * change;
    }
    return sum;
  };
  return log2_of(std::sqrt(std::max(extent(g.dx), extent(g.dy))));
}

LevelChoice choose_levels(const Sampling& s, float lod, float least) {
  const auto l = s.arithmetic().choose_levels(lod, least);
  return {l.first.v, l.second.v, l.weight.v, l.magnified.v, l.clamped.v};
}

}  // namespace vitro::shared
