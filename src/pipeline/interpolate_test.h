// Values of a primitive at the pixels of a block: barycentrics, depth, w, at the pixel's location, at its centroid or
// at a sample. PRM: Gen8 vol 7 "Windower", "Barycentric Attribute Interpolation". A plain
// form for tests of planes; payloads have their own. The centroid of a pixel is its location if that is tested or all
// samples are covered; else the position of the first covered sample; of a pixel without any it is the location too.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/raster_state.h"

namespace vitro::pipeline {

using PixelFloats = std::array<float, block_pixels>;  // in the order of a block

// Places of a block's pixels, in pixels from the primitive's origin.
struct PixelPlaces {
  PixelFloats x, y;
};

// All pixels at the same place in themselves, in pixels from the upper left corner.
inline PixelPlaces places_at(const Primitive& p, int x, int y, float dx, float dy) {
  PixelPlaces r;
  const float at_x = float(x) - p.origin_x, at_y = float(y) - p.origin_y;  // whole numbers: exact
  for (int n = 0; n < block_pixels; ++n) {
    r.x[size_t(n)] = at_x + float(block_x(n)) + dx;
    r.y[size_t(n)] = at_y + float(block_y(n)) + dy;
  }
  return r;
}
inline float in_pixels(int16_t subpixel) { return float(subpixel) / subpixels; }
inline PixelPlaces places_at(const Primitive& p, int x, int y, SamplePosition s) {
  return places_at(p, x, y, in_pixels(s.x), in_pixels(s.y));
}
inline PixelPlaces pixel_places(const RasterState& s, const Block& b) {
  return places_at(*b.primitive, b.x, b.y, s.location);
}
inline PixelPlaces sample_places(const RasterState& s, const Block& b, unsigned sample) {
  return places_at(*b.primitive, b.x, b.y, s.interpolated[sample % most_samples]);
}
// A sample for each pixel: for threads that run once per sample.
inline PixelPlaces sample_places(const RasterState& s, const Block& b,
                                 const std::array<uint8_t, block_pixels>& sample) {
  PixelPlaces r = places_at(*b.primitive, b.x, b.y, 0, 0);
  for (size_t n = 0; n < block_pixels; ++n) {
    r.x[n] += in_pixels(s.interpolated[sample[n] % most_samples].x);
    r.y[n] += in_pixels(s.interpolated[sample[n] % most_samples].y);
  }
  return r;
}
inline PixelPlaces centroid_places(const RasterState& s, const Block& b) {
  PixelPlaces r = pixel_places(s, b);
  if (b.samples == 1) return r;
  uint16_t all = 0xFFFF, left = 0;
  for (unsigned n = 0; n < b.samples; ++n) all &= b.coverage[n], left |= b.coverage[n];
  left &= uint16_t(~all);
  if (!left) return r;
  const PixelPlaces corner = places_at(*b.primitive, b.x, b.y, 0, 0);
  for (unsigned n = 0; n < b.samples && left; ++n) {
    for (size_t i = 0; i < block_pixels; ++i) {
      if (!(b.coverage[n] & left) || !((b.coverage[n] & left) >> i & 1)) continue;
      r.x[i] = corner.x[i] + in_pixels(s.interpolated[n].x);
      r.y[i] = corner.y[i] + in_pixels(s.interpolated[n].y);
    }
    left &= uint16_t(~b.coverage[n]);
  }
  return r;
}

inline void evaluate(const Plane& p, const PixelPlaces& at, PixelFloats& r) {
  for (size_t n = 0; n < block_pixels; ++n) r[n] = p.at(at.x[n], at.y[n]);
}
inline void linear_barycentrics(const Primitive& p, const PixelPlaces& at, PixelFloats& b1, PixelFloats& b2) {
  evaluate(p.l1, at, b1);
  evaluate(p.l2, at, b2);
}
inline void perspective_barycentrics(const Primitive& p, const PixelPlaces& at, PixelFloats& b1, PixelFloats& b2) {
  const float w1 = p.inverse_ws[1], w2 = p.inverse_ws[2];
  for (size_t n = 0; n < block_pixels; ++n) {
    const float w = 1 / p.inverse_w.at(at.x[n], at.y[n]);
    b1[n] = p.l1.at(at.x[n], at.y[n]) * w1 * w;
    b2[n] = p.l2.at(at.x[n], at.y[n]) * w2 * w;
  }
}
inline void depths(const Primitive& p, const PixelPlaces& at, PixelFloats& z) { evaluate(p.z, at, z); }
inline void ws(const Primitive& p, const PixelPlaces& at, PixelFloats& w) {
  for (size_t n = 0; n < block_pixels; ++n) w[n] = 1 / p.inverse_w.at(at.x[n], at.y[n]);
}

}  // namespace vitro::pipeline
