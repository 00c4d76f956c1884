// The rasteriser's walk over polygons. PRM: as in the header. An edge's value at a test of a pixel is needed in whole
// pixels only: shifted by the bits behind the point it keeps its sign, and what is left of it within a bin fits 32 bits
// unless the whole bin is on one side. Values may wrap on the way there, never where they are looked at.
#include "pipeline/rasterise.h"

#include <algorithm>
#include <bit>

#include "lanes/eight.h"
#include "pipeline/strokes.h"

namespace vitro::pipeline {

namespace {

using lanes::Ints8;
using lanes::Unsigned8;

constexpr Unsigned8 block_xs[2] = {{0, 1, 0, 1, 2, 3, 2, 3}, {0, 1, 0, 1, 2, 3, 2, 3}};
constexpr Unsigned8 block_ys[2] = {{0, 0, 1, 1, 0, 0, 1, 1}, {2, 2, 3, 3, 2, 2, 3, 3}};

// Lanes with the sign bit, by the host's kind.
struct PlainSigns {
  static unsigned lanes(const Unsigned8& v) {
    unsigned r = 0;
    for (unsigned l = 0; l < 8; ++l) r |= (v[l] >> 31) << l;
    return r;
  }
};
#if defined(__x86_64__)
struct WideSigns {
  __attribute__((target("avx2,fma"))) static inline unsigned lanes(const Unsigned8& v) {
    return unsigned(_mm256_movemask_ps(__m256(v)));
  }
};
#else
using WideSigns = PlainSigns;
#endif

// An edge within a bin: steps in x and y, and its value at every test of the bin's first pixel. Not initialised: there
// is more of it than a small triangle uses.
struct BinEdge {
  Unsigned8 steps[2];
  uint32_t a, b;
  uint32_t up, down;         // what moves its value up or down most, for a pixel of distance
  uint32_t greatest, least;  // over the tests
  std::array<uint32_t, most_samples> at;
};

struct Walk {
  const RasterPrimitive& p;
  Rectangle r;      // the pixels of the bin that the primitive may touch
  Rectangle drawn;  // and those that blocks are cut to
  int x, y;         // of the bin
  unsigned tested;
  Blocks& out;
  unsigned edges = 0;
  std::array<BinEdge, 4> edge;
  Walk(const RasterPrimitive& primitive, const Rectangle& pixels, const Rectangle& bin, Blocks& blocks)
      : p(primitive),
        r(pixels),
        drawn(primitive.cut ? pixels : bin),
        x(bin.x0 & ~(bin_px - 1)),
        y(bin.y0 & ~(bin_px - 1)),
        tested(primitive.tests->count),
        out(blocks) {}
};

// False if the bin is outside. Edges that hold for the whole bin are left out. Of a small primitive neither is likely,
// and its edges' values fit 32 bits all over the bin.
inline bool enter(Walk& w, bool small) {
  const Tests& tests = *w.p.tests;
  for (unsigned k = 0; k < w.p.edge_count; ++k) {
    const Edge& e = w.p.edges[k];
    if (!small) {
      const Side t = side(tests, e, w.x, w.y, bin_px);
      if (t.none) return false;
      if (t.all) continue;
    }
    BinEdge& n = w.edge[w.edges++];
    n.a = uint32_t(e.a), n.b = uint32_t(e.b);
    n.up = uint32_t(std::max(e.a, 0)) + uint32_t(std::max(e.b, 0));
    n.down = uint32_t(std::min(e.a, 0)) + uint32_t(std::min(e.b, 0));
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (unsigned i = 0; i < w.tested; ++i) {
      const int64_t at = (e.c + int64_t(e.a) * (int64_t(w.x) * subpixels + tests.at[i].x) +
                          int64_t(e.b) * (int64_t(w.y) * subpixels + tests.at[i].y)) >>
                         subpixel_bits;
      n.at[i] = uint32_t(at);
      least = std::min(least, int32_t(at));
      greatest = std::max(greatest, int32_t(at));
    }
    n.least = uint32_t(least), n.greatest = uint32_t(greatest);
    for (int h = 0; h < 2; ++h) n.steps[h] = n.a * block_xs[h] + n.b * block_ys[h];
  }
  return true;
}

// Sixteen squares of 1 << shift pixels: touched at all, wholly inside. x and y are from the bin's corner.
struct Found {
  unsigned some = 0xFFFF, all = 0xFFFF;
};
template <class Signs>
inline Found look(const Walk& w, uint32_t x, uint32_t y, int shift) {
  Unsigned8 none[2]{}, part[2]{};
  const uint32_t far = (1u << shift) - 1;
  for (unsigned k = 0; k < w.edges; ++k) {
    const BinEdge& e = w.edge[k];
    const uint32_t at = e.a * x + e.b * y;
    for (int h = 0; h < 2; ++h) {
      const Unsigned8 steps = e.steps[h] << uint32_t(shift);
      none[h] |= steps + (at + e.greatest + e.up * far);
      part[h] |= steps + (at + e.least + e.down * far);
    }
  }
  return {~(Signs::lanes(none[0]) | Signs::lanes(none[1]) << 8) & 0xFFFF,
          ~(Signs::lanes(part[0]) | Signs::lanes(part[1]) << 8) & 0xFFFF};
}

template <class Signs>
inline unsigned cover(const Walk& w, uint32_t x, uint32_t y, unsigned test) {
  Unsigned8 outside[2]{};
  for (unsigned k = 0; k < w.edges; ++k) {
    const BinEdge& e = w.edge[k];
    const uint32_t at = e.at[test] + e.a * x + e.b * y;
    for (int h = 0; h < 2; ++h) outside[h] |= e.steps[h] + at;
  }
  return ~(Signs::lanes(outside[0]) | Signs::lanes(outside[1]) << 8) & 0xFFFF;
}

// Four by four pixels at (x, y) from the bin's corner.
template <class Signs>
inline void block(Walk& w, int x, int y, bool whole) {
  const int bx = w.x + x, by = w.y + y;
  unsigned within = 0xFFFF;
  if (bx < w.drawn.x0 || by < w.drawn.y0 || bx + block_px > w.drawn.x1 || by + block_px > w.drawn.y1) {
    within = pixels_within(w.drawn, bx, by);
    if (!within) return;
  }
  Block& b = w.out.blocks[w.out.count];
  const unsigned samples = w.p.state->samples;
  if (whole || w.tested == 1) {
    const unsigned mask = whole ? within : cover<Signs>(w, uint32_t(x), uint32_t(y), 0) & within;
    if (!mask) return;
    for (unsigned s = 0; s < samples; ++s) b.coverage[s] = uint16_t(mask);
  } else {
    unsigned any = 0;
    for (unsigned s = 0; s < samples; ++s) {
      const unsigned mask = cover<Signs>(w, uint32_t(x), uint32_t(y), s) & within;
      b.coverage[s] = uint16_t(mask);
      any |= mask;
    }
    if (!any) return;
  }
  b.primitive = &w.p.primitive;
  b.x = uint16_t(bx), b.y = uint16_t(by);
  b.samples = uint8_t(samples);
  b.has_antialiasing = false;
  ++w.out.count;
}

// Up to 16 x 16 pixels at (x, y) from the bin's corner.
template <class Signs>
inline void square(Walk& w, int x, int y, bool whole) {
  const Found f = whole ? Found{} : look<Signs>(w, uint32_t(x), uint32_t(y), 2);
  for (unsigned m = f.some; m; m &= m - 1) {
    const int n = std::countr_zero(m);
    block<Signs>(w, x + block_x(n) * 4, y + block_y(n) * 4, f.all >> n & 1);
  }
}

template <class Signs>
inline void walk(Walk& w) {
  const Rectangle& all = w.p.bounds;
  if (!enter(w, !w.p.cut && all.x1 - all.x0 <= 16 && all.y1 - all.y0 <= 16)) return;
  // Small ones: one square at a multiple of four pixels, and no upper level.
  const int x = std::min((w.r.x0 - w.x) & ~3, bin_px - 16), y = std::min((w.r.y0 - w.y) & ~3, bin_px - 16);
  if (w.r.x1 - w.x <= x + 16 && w.r.y1 - w.y <= y + 16) return square<Signs>(w, x, y, w.edges == 0);
  const Found f = w.edges == 0 ? Found{} : look<Signs>(w, 0, 0, 4);
  for (unsigned m = f.some; m; m &= m - 1) {
    const int n = std::countr_zero(m);
    square<Signs>(w, block_x(n) * 16, block_y(n) * 16, f.all >> n & 1);
  }
}

VITRO_PLAIN_VECTORS void walk_plain(Walk& w) { walk<PlainSigns>(w); }
VITRO_WIDE_VECTORS void walk_wide(Walk& w) { walk<WideSigns>(w); }

void stipple_polygon(const RasterState& s, Blocks& out) {
  const auto& rows = s.draw->state.poly_stipple_pattern.pattern_row;
  const unsigned ox = s.draw->state.poly_stipple_offset.polygon_stipple_x_offset;
  const unsigned oy = s.draw->state.poly_stipple_offset.polygon_stipple_y_offset;
  filter(out,
         [&](int x, int y) { return (rows[(unsigned(y) + oy) & 31] << ((unsigned(x) + ox) & 31) & 0x80000000) != 0; });
}

}  // namespace

void rasterise(const RasterPrimitive& p, const Rectangle& bin, Blocks& out) {
  out.count = 0;
  const Rectangle r = overlap(p.bounds, bin);
  if (r.empty()) return;
  if (p.shape != Shape::edges) return stroke(p, r, out);
  Walk w(p, r, bin, out);
  static const auto run = lanes::host_has_wide_vectors() ? walk_wide : walk_plain;
  run(w);
  if (!p.stippled) return;
  if (p.primitive.drawn_as == ObjectKind::line) {
    stipple_line(p, out);
  } else {
    stipple_polygon(*p.state, out);
  }
}

bool covers(const RasterPrimitive& p, const Rectangle& r) {
  const bool polygon = p.primitive.drawn_as == ObjectKind::triangle || p.primitive.drawn_as == ObjectKind::rectangle;
  if (r.empty() || p.shape != Shape::edges || p.stippled || !polygon) return false;
  for (unsigned k = 0; k < p.edge_count; ++k)
    if (!side(*p.tests, p.edges[k], r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0).all) return false;
  return true;
}

}  // namespace vitro::pipeline
