// Levels of detail: from derivatives to a LOD, and from a LOD to the levels that are read. PRM: Gen8 vol 7 "LOD
// Computation Pseudocode"; Gen6 vol 4 part 1 likewise. A pixel's extent is the longer of its two sides; hardware may
// approximate the length.
#include <algorithm>
#include <cmath>

#include "shared/sampler/coordinates.h"
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

LevelChoice choose_levels(const Image& image, const state::Sampler& s, float lod, float least) {
  LevelChoice c;
  if (std::isnan(lod)) lod = 0;
  const float most = std::max(s.min_lod, s.max_lod);
  const float clamped = std::clamp(lod, s.min_lod, most);
  if (s.lod_preclamp) lod = clamped;
  c.magnified = lod <= s.base_mip_level;
  const auto last = float(image.level_count - 1);
  c.clamped = std::clamp(std::max(clamped, least), 0.0f, last);
  if (s.mip_filter == state::MipFilter::none || (c.magnified && !s.lod_clamp_magnification && least <= 0)) {
    // One level only, but none below what the resource has.
    c.first = c.second = unsigned(std::clamp(std::ceil(least), 0.0f, last));
    if (s.mip_filter == state::MipFilter::none) c.clamped = float(c.first);
    return c;
  }
  const auto fixed = unsigned(std::nearbyint(c.clamped * fraction_one));
  if (s.mip_filter == state::MipFilter::nearest) {
    c.first = c.second = std::min((fixed + 128) >> fraction_bits, unsigned(last));
  } else {
    c.first = fixed >> fraction_bits;
    c.weight = fixed & 255;
    c.second = std::min(c.first + 1, unsigned(last));
  }
  return c;
}

}  // namespace vitro::shared
