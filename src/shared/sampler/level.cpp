// Levels of detail: from derivatives to a LOD, and from a LOD to the levels that are read; and the probes of
// anisotropic filters. PRM: Gen8 vol 7 "LOD Computation Pseudocode", "Anisotropic Filtering"; Gen6 vol 4 part 1
// likewise. The arithmetic is in sample_arithmetic.h.
#include <cmath>

#include "shared/sampler/cube.h"
#include "shared/sampler/sample.h"

namespace vitro::shared {

PixelSides sides_of(const Image& image, bool normalized, const Gradients& g) {
  const ImageLevel& l = image.level(0);
  std::array<float, 3> scale = {float(l.width), float(l.height), float(l.depth)};
  if (!normalized) scale = {1, 1, 1};
  const unsigned axes = image.is_1d() ? 1 : image.is_3d() ? 3 : 2;
  PixelSides sides;
  for (unsigned n = 0; n < axes; ++n) sides.x[n] = g.dx[n] * scale[n], sides.y[n] = g.dy[n] * scale[n];
  return sides;
}

PixelSides cube_sides_of(const Image& image, const std::array<float, 3>& direction, const Gradients& g) {
  // Where the ends of the pixel's sides meet the plane of the face: s and t there, less s and t here.
  const FaceAxes& axes = face_axes[face_point(direction[0], direction[1], direction[2]).face];
  const float size = float(image.level(0).width) / 2, major = std::fabs(direction[axes.major]);
  const float sign = direction[axes.major] < 0 ? -1.0f : 1.0f;
  const auto side = [&](const std::array<float, 3>& d) {
    // An end that never meets it is taken as far away as this one.
    const float away = d[axes.major] * sign, there = major + away > 0 ? major + away : major;
    const auto change = [&](unsigned n) { return (d[n] * major - direction[n] * away) / (major * there) * size; };
    return std::array<float, 3>{axes.s_sign * change(axes.s), axes.t_sign * change(axes.t), 0};
  };
  return {side(g.dx), side(g.dy)};
}

namespace {

float square_of(const std::array<float, 3>& side) { return side[0] * side[0] + side[1] * side[1] + side[2] * side[2]; }

}  // namespace

float lod_of(const Sampling& s, const PixelSides& sides) {
  return s.arithmetic().lod_of(square_of(sides.x), square_of(sides.y)).v;
}

Probes probes_of(const Sampling& s, const PixelSides& sides) {
  const auto probes = s.arithmetic().probes_of(square_of(sides.x), square_of(sides.y));
  const std::array<float, 3>& side = probes.along_x.v ? sides.x : sides.y;
  const ImageLevel& l = s.image.level(0);
  const bool parts = s.key.normalized || s.image.is_cube();
  return {probes.lod.v,
          unsigned(probes.count.v),
          {side[0] / (parts ? float(l.width) : 1), side[1] / (parts ? float(l.height) : 1)}};
}

Point probe_at(const Sampling& s, const Point& p, const Probes& probes, unsigned number) {
  const float part = s.arithmetic().part_of_side(float(number), float(probes.count)).v;
  Point out = p;
  out.u += probes.side[0] * part, out.v += probes.side[1] * part;
  if (!s.image.is_cube() || (out.u >= 0 && out.u <= 1 && out.v >= 0 && out.v <= 1)) return out;
  const auto d = face_direction({p.face, out.u * 2 - 1, out.v * 2 - 1});
  const FacePoint there = face_point(d[0], d[1], d[2]);
  out.u = (there.s + 1) / 2, out.v = (there.t + 1) / 2, out.face = there.face;
  out.slice = p.slice - p.face + there.face;
  return out;
}

LevelChoice choose_levels(const Sampling& s, float lod, float least) {
  const auto l = s.arithmetic().choose_levels(lod, least);
  return {l.first.v, l.second.v, l.weight.v, l.magnified.v, l.clamped.v};
}

}  // namespace vitro::shared
