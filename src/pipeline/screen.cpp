// Places and clip codes of a chunk's vertices, eight at a time. PRM: as screen.h and clip.h.
#include "pipeline/screen.h"

#include <algorithm>
#include <array>

#include "lanes/eight.h"
#include "pipeline/clip_codes.h"

namespace vitro::pipeline {
namespace {

using lanes::Floats8;
using lanes::Unsigned8;
using Doubles4 = double __attribute__((vector_size(32)));
using Quads4 = int64_t __attribute__((vector_size(32)));
constexpr size_t eight = 8, four = 4;

struct Vertices {
  const RasterState& raster;
  const ClipState& clip;
  const Slot* entries;
  size_t entry_slots;
  std::span<ScreenVertex> to;
};

// Four of the eight whose positions these are.
inline void place_four(const Vertices& v, const float (&position)[4][eight], size_t half, ScreenVertex* to) {
  const RasterState& s = v.raster;
  std::array<Doubles4, 4> clip;
  for (size_t c = 0; c < 4; ++c)
    for (size_t n = 0; n < four; ++n) clip[c][n] = double(position[c][half * four + n]);
  ScreenPlace<Doubles4> at;
  at.set(s, s.draw->objects.viewports[0], false, clip[0], clip[1], clip[2], clip[3]);
  Doubles4 zero, x, y;
  at.finite(zero);
  snap(s, at.x, s.offset_x, x);
  snap(s, at.y, s.offset_y, y);
  const Quads4 here =
      (zero == 0.0) & (at.x < farthest_px) & (at.x > -farthest_px) & (at.y < farthest_px) & (at.y > -farthest_px);
  for (size_t n = 0; n < four; ++n) {
    to[n].z = at.z[n], to[n].inverse_w = at.inverse_w[n];
    to[n].x = here[n] ? int32_t(x[n]) : 0;
    to[n].y = here[n] ? int32_t(y[n]) : 0;
    to[n].codes = here[n] ? 0 : ScreenVertex::nowhere;
  }
}

inline void place_all(const Vertices& v) {
  const uint32_t planes = planes_of(v.clip);
  const bool distances = has_distances(v.clip);
  for (size_t first = 0; first < v.to.size(); first += eight) {
    const size_t count = std::min(eight, v.to.size() - first);
    alignas(32) float position[4][eight];
    for (size_t n = 0; n < eight; ++n) {  // the last one stands for those that are not there
      const Slot& from = v.entries[(first + std::min(n, count - 1)) * v.entry_slots + 1];
      for (size_t c = 0; c < 4; ++c) position[c][n] = float_of(from[c]);
    }
    std::array<Floats8, 4> lanes;
    for (size_t c = 0; c < 4; ++c) std::memcpy(&lanes[c], position[c], sizeof lanes[c]);
    Unsigned8 codes;
    position_codes(v.clip, v.clip.guardbands[0], planes, lanes[0], lanes[1], lanes[2], lanes[3], codes);
    std::array<ScreenVertex, eight> made;
    place_four(v, position, 0, made.data());
    place_four(v, position, 1, made.data() + four);
    for (size_t n = 0; n < count; ++n) {
      made[n].codes |= codes[n];
      if (distances) made[n].codes |= distance_codes(v.clip, v.entries + (first + n) * v.entry_slots);
      v.to[first + n] = made[n];
    }
  }
}

VITRO_PLAIN_VECTORS void place_plain(const Vertices& v) { place_all(v); }
VITRO_WIDE_VECTORS void place_wide(const Vertices& v) { place_all(v); }

}  // namespace

void find_places(const RasterState& raster, const ClipState& clip, const Slot* entries, size_t entry_slots,
                 std::span<ScreenVertex> to) {
  static const auto place = lanes::host_has_wide_vectors() ? place_wide : place_plain;
  place({raster, clip, entries, entry_slots, to});
}

}  // namespace vitro::pipeline
