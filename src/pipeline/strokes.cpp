// Thin lines, antialiased lines, round points, stipple patterns. PRM: as in the header. A thin line draws the pixels
// whose diamond it leaves, as OpenGL says, with the ends moved by (-e, -e^2) for an e as small as can be: so an end on
// a diamond's border is never in doubt. All of it is exact. Antialiased lines have coverage by the distance from the
// line, which falls from full to none over the antialiasing region; ends likewise.
#include "pipeline/strokes.h"

#include <algorithm>
#include <cmath>

namespace vitro::pipeline {

unsigned pixels_within(const Rectangle& r, int x, int y) {
  // By the first column or row that is in, and the first that is not any more.
  constexpr auto from = [](bool rows) {
    std::array<uint16_t, 5> m{};
    for (int n = 0; n < 5; ++n)
      for (int i = 0; i < block_pixels; ++i) m[size_t(n)] |= uint16_t(((rows ? block_y(i) : block_x(i)) >= n) << i);
    return m;
  };
  constexpr std::array<uint16_t, 5> columns = from(false), rows = from(true);
  const auto at = [](int v) { return size_t(std::clamp(v, 0, 4)); };
  return unsigned(columns[at(r.x0 - x)] & ~columns[at(r.x1 - x)] & rows[at(r.y0 - y)] & ~rows[at(r.y1 - y)]);
}

namespace {

constexpr int row_blocks = bin_px / block_px;

// The pixels of a bin, as blocks; and what they are covered with.
struct Grid {
  int x = 0, y = 0;
  std::array<uint16_t, Blocks::most> pixels{};
  static size_t block_at(int dx, int dy) { return size_t(dy / block_px * row_blocks + dx / block_px); }
  static int pixel_at(int dx, int dy) { return (dx & 1) | (dy & 1) << 1 | (dx & 2) << 1 | (dy & 2) << 2; }
  void set(int px, int py) { pixels[block_at(px - x, py - y)] |= uint16_t(1 << pixel_at(px - x, py - y)); }
};

Block& append(const RasterPrimitive& p, Blocks& out, int x, int y) {
  Block& b = out.blocks[out.count++];
  b.primitive = &p.primitive;
  b.x = uint16_t(x), b.y = uint16_t(y);
  b.samples = p.state->samples;
  b.has_antialiasing = false;
  return b;
}

bool in_diamond(int64_t x, int64_t y) {  // from its centre
  const int64_t u = x + y, v = x - y, half = subpixels / 2;
  return u > -half && u <= half && v > -half && v <= half;
}

// Whether the line crosses the diamond around (cx, cy): no axis separates them.
bool crosses(const Stroke& k, int64_t cx, int64_t cy) {
  constexpr int64_t half = subpixels / 2;
  const int64_t x0 = k.x0 - cx, y0 = k.y0 - cy, x1 = k.x1 - cx, y1 = k.y1 - cy, dx = x1 - x0, dy = y1 - y0;
  const auto apart = [](int64_t p, int64_t q) { return std::max(p, q) <= -half || std::min(p, q) > half; };
  if (apart(x0 + y0, x1 + y1) || apart(x0 - y0, x1 - y1)) return false;
  const int64_t reach = half * std::max(std::abs(dx), std::abs(dy)), cross = dx * y0 - dy * x0;
  // Moving the line by (-e, -e^2) adds dy * e - dx * e^2 to the cross product.
  const int sign = dy > 0 || (dy == 0 && dx < 0) ? 1 : -1;
  if (cross == reach) return sign < 0 && reach > 0;
  if (cross == -reach) return sign > 0 && reach > 0;
  return cross > -reach && cross < reach;
}

// Steps through the pixels along the major axis, and calls for those across it that are at most `reach` 1/256 pixels
// from the line, measured across.
template <class Visit>
void along(const RasterState& s, const Stroke& k, const Rectangle& r, double reach, Visit&& visit) {
  const bool x = k.x_major();
  const double from = x ? k.x0 : k.y0, to = x ? k.x1 : k.y1, across_from = x ? k.y0 : k.x0, across_to = x ? k.y1 : k.x1;
  const double slope = to != from ? (across_to - across_from) / (to - from) : 0;
  const int16_t location = s.location.x;  // the same in y
  const int first = x ? r.x0 : r.y0, end = x ? r.x1 : r.y1, across_first = x ? r.y0 : r.x0,
            across_end = x ? r.y1 : r.x1;
  for (int n = first; n < end; ++n) {
    const double centre = double(n) * subpixels + location, at = across_from + (centre - from) * slope;
    const int low = std::max(across_first, int(std::floor((at - reach - location) / subpixels)));
    const int high = std::min(across_end, int(std::ceil((at + reach - location) / subpixels)) + 1);
    for (int m = low; m < high; ++m) x ? visit(n, m) : visit(m, n);
  }
}

void thin_line(const RasterPrimitive& p, const Rectangle& r, Grid& g) {
  const Stroke& k = p.stroke;
  const SamplePosition at = p.state->location;
  along(*p.state, k, r, subpixels, [&](int x, int y) {
    const int64_t cx = int64_t(x) * subpixels + at.x, cy = int64_t(y) * subpixels + at.y;
    const bool ends_here = in_diamond(k.x1 - cx, k.y1 - cy);
    if (ends_here ? k.last_pixel : crosses(k, cx, cy)) g.set(x, y);
  });
}

// One row of pixels after the other would not pay: blocks are made from coverage, zero being outside.
using Coverages = std::array<uint8_t, size_t(bin_px) * bin_px>;  // by block, then by pixel

uint8_t coverage_of(double share) { return uint8_t(std::lrint(std::clamp(share, 0.0, 1.0) * 255)); }

void emit_coverage(const RasterPrimitive& p, const Grid& g, const Coverages& c, Blocks& out) {
  for (size_t n = 0; n < Blocks::most; ++n) {
    if (!g.pixels[n]) continue;
    Block& b = append(p, out, g.x + int(n) % row_blocks * block_px, g.y + int(n) / row_blocks * block_px);
    for (unsigned s = 0; s < b.samples; ++s) b.coverage[s] = g.pixels[n];
    b.has_antialiasing = true;
    for (size_t i = 0; i < block_pixels; ++i)
      b.antialiasing[i] = g.pixels[n] >> i & 1 ? c[n * block_pixels + i] : uint8_t(0);
  }
}

struct Soft {
  Grid& g;
  Coverages& c;
  void set(int x, int y, double share) {
    const uint8_t coverage = coverage_of(share);
    if (!coverage) return;
    g.set(x, y);
    c[Grid::block_at(x - g.x, y - g.y) * block_pixels + size_t(Grid::pixel_at(x - g.x, y - g.y))] = coverage;
  }
};

void antialiased_line(const RasterPrimitive& p, const Rectangle& r, Soft soft) {
  const RasterState& s = *p.state;
  const Stroke& k = p.stroke;
  const double dx = double(k.x1) - k.x0, dy = double(k.y1) - k.y0, length = std::hypot(dx, dy);
  const double region = s.antialiasing_width * subpixels, cap = s.end_cap_width * subpixels;
  const bool true_distance = s.draw->state.sf.aa_line_distance_mode;
  const double scale = true_distance ? length : std::max(std::abs(dx), std::abs(dy));
  const double reach = (s.half_line_width + std::max(region, cap)) * 1.5 + subpixels;
  along(s, k, r, reach, [&](int x, int y) {
    const double px = double(x) * subpixels + s.location.x - k.x0, py = double(y) * subpixels + s.location.y - k.y0;
    const double distance = std::abs(dx * py - dy * px) / scale, from_start = (dx * px + dy * py) / length;
    const double side = (s.half_line_width + region / 2 - distance) / region;
    const double end = (std::min(from_start, length - from_start) + cap / 2) / cap;
    soft.set(x, y, std::clamp(side, 0.0, 1.0) * std::clamp(end, 0.0, 1.0));
  });
}

// Samples in the circle; or, without multisampling, pixels with coverage that falls over a pixel around it.
void disc(const RasterPrimitive& p, const Rectangle& r, Blocks& out) {
  const RasterState& s = *p.state;
  const int64_t square = int64_t(p.stroke.x1) * p.stroke.x1;
  for (int by = r.y0 & ~3; by < r.y1; by += block_px) {
    for (int bx = r.x0 & ~3; bx < r.x1; bx += block_px) {
      const unsigned within = pixels_within(r, bx, by);
      std::array<uint16_t, most_samples> coverage{};
      unsigned any = 0;
      for (unsigned t = 0; t < s.tests.count; ++t) {
        for (int i = 0; i < block_pixels; ++i) {
          const int64_t x = int64_t(bx + block_x(i)) * subpixels + s.tests.at[t].x - p.stroke.x0;
          const int64_t y = int64_t(by + block_y(i)) * subpixels + s.tests.at[t].y - p.stroke.y0;
          if (x * x + y * y <= square) coverage[t] |= uint16_t(1 << i);
        }
        any |= coverage[t] &= uint16_t(within);
      }
      if (!any) continue;
      Block& b = append(p, out, bx, by);
      for (unsigned t = 0; t < b.samples; ++t) b.coverage[t] = coverage[s.tests.count == 1 ? 0 : t];
    }
  }
}

void soft_disc(const RasterPrimitive& p, const Rectangle& r, Soft soft) {
  const RasterState& s = *p.state;
  for (int y = r.y0; y < r.y1; ++y) {
    for (int x = r.x0; x < r.x1; ++x) {
      const double px = double(x) * subpixels + s.location.x - p.stroke.x0;
      const double py = double(y) * subpixels + s.location.y - p.stroke.y0;
      soft.set(x, y, (p.stroke.x1 - std::hypot(px, py)) / subpixels + 0.5);
    }
  }
}

}  // namespace

void stroke(const RasterPrimitive& p, const Rectangle& r, Blocks& out) {
  const bool on = p.state->mode == RasterMode::on_pixel || p.state->mode == RasterMode::on_pattern;
  if (p.shape == Shape::disc && on) return disc(p, r, out);
  Grid g{.x = r.x0 & ~(bin_px - 1), .y = r.y0 & ~(bin_px - 1)};
  if (p.shape == Shape::thin_line) {
    thin_line(p, r, g);
    for (size_t n = 0; n < Blocks::most; ++n) {
      if (!g.pixels[n]) continue;
      Block& b = append(p, out, g.x + int(n) % row_blocks * block_px, g.y + int(n) / row_blocks * block_px);
      for (unsigned s = 0; s < b.samples; ++s) b.coverage[s] = g.pixels[n];
    }
  } else {
    Coverages c;  // read only where a pixel is set
    if (p.shape == Shape::antialiased_line) antialiased_line(p, r, {g, c});
    if (p.shape == Shape::disc) soft_disc(p, r, {g, c});
    emit_coverage(p, g, c, out);
  }
  if (p.stippled) stipple_line(p, out);
}

void stipple_line(const RasterPrimitive& p, Blocks& out) {
  const RasterState& s = *p.state;
  const Stroke& k = p.stroke;
  const commands::three_d::LineStipple& stipple = s.draw->state.line_stipple;
  const uint32_t repeat = std::max<uint32_t>(1, stipple.line_stipple_repeat_count);
  const bool x = k.x_major(), forward = x ? k.x1 >= k.x0 : k.y1 >= k.y0;
  const int first = stipple_pixel(x ? k.x0 : k.y0, s.location.x, forward);
  filter(out, [&](int px, int py) {
    const int steps = ((x ? px : py) - first) * (forward ? 1 : -1);
    const uint32_t counter = k.stipple_counter + uint32_t(std::max(steps, 0));
    return bool(stipple.line_stipple_pattern >> (counter / repeat & 15) & 1);
  });
}

}  // namespace vitro::pipeline
