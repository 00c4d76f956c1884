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
using lanes::Quads4;
using Floats4 = float __attribute__((vector_size(16)));
using Ints4 = int32_t __attribute__((vector_size(16)));
constexpr size_t eight = 8, four = 4;

struct Vertices {
  const RasterState& raster;
  const ClipState& clip;
  const Slot* entries;
  size_t entry_slots;
  std::span<ScreenVertex> to;
};

// What is worked out of four vertices.
struct FourPlaces {
  alignas(32) double z[four], inverse_w[four];
  alignas(16) int32_t x[four], y[four], codes[four];
};
inline void place_four(const Vertices& v, const float (&position)[4][eight], size_t half, FourPlaces& to) {
  const RasterState& s = v.raster;
  std::array<Doubles4, 4> clip;
  for (size_t c = 0; c < 4; ++c) {
    Floats4 from;
    std::memcpy(&from, position[c] + half * four, sizeof from);
    clip[c] = __builtin_convertvector(from, Doubles4);
  }
  ScreenPlace<Doubles4> at;
  at.set(s, s.draw->objects.viewports[0], false, clip[0], clip[1], clip[2], clip[3]);
  Doubles4 zero, x, y;
  at.finite(zero);
  snap(s, at.x, s.offset_x, x);
  snap(s, at.y, s.offset_y, y);
  const Quads4 here =
      (zero == 0.0) & (at.x < farthest_px) & (at.x > -farthest_px) & (at.y < farthest_px) & (at.y > -farthest_px);
  const Ints4 fixed_x = __builtin_convertvector(here ? x : Doubles4{}, Ints4);
  const Ints4 fixed_y = __builtin_convertvector(here ? y : Doubles4{}, Ints4);
  const Ints4 codes = __builtin_convertvector(~here, Ints4) & int32_t(ScreenVertex::nowhere);
  std::memcpy(to.z, &at.z, sizeof to.z);
  std::memcpy(to.inverse_w, &at.inverse_w, sizeof to.inverse_w);
  std::memcpy(to.x, &fixed_x, sizeof to.x);
  std::memcpy(to.y, &fixed_y, sizeof to.y);
  std::memcpy(to.codes, &codes, sizeof to.codes);
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
    Unsigned8 tested;
    position_codes(v.clip, v.clip.guardbands[0], planes, lanes[0], lanes[1], lanes[2], lanes[3], tested);
    alignas(32) uint32_t codes[eight];
    std::memcpy(codes, &tested, sizeof codes);
    FourPlaces places[2];
    place_four(v, position, 0, places[0]);
    place_four(v, position, 1, places[1]);
    for (size_t n = 0; n < count; ++n) {
      const FourPlaces& p = places[n / four];
      const size_t k = n % four;
      if (distances) codes[n] |= distance_codes(v.clip, v.entries + (first + n) * v.entry_slots);
      v.to[first + n] = {p.z[k], p.inverse_w[k], p.x[k], p.y[k], codes[n] | uint32_t(p.codes[k])};
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
