// The faces of a cube: +x, -x, +y, -y, +z, -z. PRM: Gen8 vol 7 "Cube Surfaces". Only the files of the sampling engine
// include this.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace vitro::shared {

struct FacePoint {
  unsigned face = 0;
  float s = 0, t = 0;  // -1 .. 1
};
inline FacePoint face_point(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (az >= ax && az >= ay) return z >= 0 ? FacePoint{4, x / az, -y / az} : FacePoint{5, -x / az, -y / az};
  if (ay >= ax) return y >= 0 ? FacePoint{2, x / ay, z / ay} : FacePoint{3, x / ay, -z / ay};
  return x >= 0 ? FacePoint{0, -z / ax, -y / ax} : FacePoint{1, z / ax, -y / ax};
}
// Which components of a direction are s and t on a face, before they are divided by the face's own, and their signs.
struct FaceAxes {
  uint8_t major, s, t;
  float s_sign, t_sign;
};
inline constexpr FaceAxes face_axes[] = {{0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1},
                                         {1, 0, 2, 1, -1},  {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1}};
// The direction of a point of a face; also of one beside it.
inline std::array<float, 3> face_direction(const FacePoint& p) {
  switch (p.face) {
    case 0: return {1, -p.t, -p.s};
    case 1: return {-1, -p.t, p.s};
    case 2: return {p.s, 1, p.t};
    case 3: return {p.s, -1, -p.t};
    case 4: return {p.s, -p.t, 1};
    default: return {-p.s, -p.t, -1};
  }
}

// The texel that one beside a face of n x n stands for, on the neighbour; counted in halves from the middle of the
// face.
struct FaceTexel {
  unsigned face;
  int32_t i, j;
};
inline FaceTexel on_neighbour(const FaceTexel& p, int32_t n) {
  const FaceAxes& from = face_axes[p.face];
  std::array<int32_t, 3> d{};
  d[from.major] = p.face % 2 ? -n : n;
  d[from.s] = (2 * p.i + 1 - n) * int32_t(from.s_sign), d[from.t] = (2 * p.j + 1 - n) * int32_t(from.t_sign);
  const unsigned face = face_point(float(d[0]), float(d[1]), float(d[2])).face;
  const FaceAxes& to = face_axes[face];
  const auto texel = [&](int32_t x) { return (std::clamp(x, 1 - n, n - 1) + n - 1) / 2; };
  return {face, texel(d[to.s] * int32_t(to.s_sign)), texel(d[to.t] * int32_t(to.t_sign))};
}

}  // namespace vitro::shared
