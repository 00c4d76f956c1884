// Eight fragments of a depth and a stencil buffer. PRM: as depth_eights.h.
#include "pipeline/depth_eights.h"

#include <bit>
#include <cstring>

#include "lanes/eight.h"
#include "pipeline/eight_places.h"
#include "shared/compare.h"

namespace vitro::pipeline {

// --- where they are

namespace {

EightsOfBuffer::Tile tile_of(memory::Tiling tiling, unsigned texel_bytes) {
  const memory::TileLayout& layout = memory::tile_layout(tiling);
  const uint32_t pitch = 1u << layout.log2_width;
  EightsOfBuffer::Tile t{.log2_width = uint8_t(layout.log2_width - std::countr_zero(texel_bytes)),
                         .log2_height = layout.log2_height};
  for (uint32_t n = 0; n < t.columns.size() && 4 * n < 1u << t.log2_width; ++n)
    t.columns[n] = uint16_t(memory::tiled_offset(layout, 4 * n * texel_bytes, 0, pitch));
  for (uint32_t n = 0; n < t.rows.size() && 2 * n < 1u << t.log2_height; ++n)
    t.rows[n] = uint16_t(memory::tiled_offset(layout, 0, 2 * n, pitch));
  return t;
}

}  // namespace

bool EightsOfBuffer::find(memory::View& memory, const shared::Image& image, uint32_t level) {
  using memory::Tiling;
  static const Tile tiles[] = {tile_of(Tiling::w, 1), tile_of(Tiling::y, 2), tile_of(Tiling::y, 4)};
  const shared::ImageLevel& l = image.levels[level];
  if (l.slice_shift || (l.slice_x && l.slice_mask) || l.x % 4 || l.y % 4 || l.slice_y % 4) return false;
  tile = &tiles[image.element_bytes / 2];
  x = l.x, y = l.y + image.first_slice * l.slice_y;
  slice_y = l.slice_y, slices = image.slices;
  row_bytes = image.pitch << tile->log2_height;
  const shared::SampleSpread spread =
      image.interleaved ? shared::sample_spreads[image.log2_samples] : shared::SampleSpread{1, 1};
  const uint64_t bottom = y + uint64_t(slices - 1) * slice_y + (l.height + 1ull) / 2 * 2 * spread.y;
  const uint64_t bytes = ((bottom - 1) >> tile->log2_height) * row_bytes + row_bytes;
  if (bottom > UINT32_MAX || slices == 0 || l.height == 0) return false;
  host = memory.at(image.base, bytes, memory::Access::write);
  return host != nullptr;
}

bool DepthEights::find(memory::View& memory, const DepthTests& t, const shared::Image& depth_image,
                       const shared::Image& stencil_image, uint32_t level) {
  if (t.depth && !depth.find(memory, depth_image, level)) return false;
  if (t.stencil && !stencil.find(memory, stencil_image, level)) return false;
  const shared::Image& image = t.depth ? depth_image : stencil_image;
  if (image.samples != t.samples || (t.samples > 1 && !image.interleaved)) return false;
  width = image.levels[level].width, height = image.levels[level].height;
  const shared::SampleSpread spread = shared::sample_spreads[image.log2_samples];
  shift_x = uint8_t(std::countr_zero(spread.x)), shift_y = uint8_t(std::countr_zero(spread.y));
  for (unsigned n = 0; n < t.samples / 2; ++n) {
    Pair& p = pairs[n];
    uint32_t x = 0, y = 0;
    shared::interleave(image.log2_samples, 2 * n, x, y);
    p.x = uint8_t(x), p.y = uint8_t(y);
    for (unsigned k = 0; k < 8; ++k) p.place_x[k] = t.places[2 * n + k / 4].x, p.place_y[k] = t.places[2 * n + k / 4].y;
  }
  return true;
}

// --- testing

namespace {

using lanes::Unsigned8;
using Bytes8 = uint8_t __attribute__((vector_size(8)));
using Words8 = uint16_t __attribute__((vector_size(16)));

// Two subspans side by side as rows of four, and back.
inline void reorder(const Ints8& from, Ints8& to) {
  to = Ints8(__builtin_shufflevector(lanes::Quads4(from), lanes::Quads4(from), 0, 2, 1, 3));
}
inline void load_floats(const float* from, Floats8& to) { std::memcpy(&to, from, sizeof to); }

// z * (2^bits - 1), rounded to even, for z from 0 to 1: z * 2^bits is exact, and so is what is left of it when it is
// rounded, so that comparing that with z says whether one z less rounds to one less.
template <class Host>
inline void to_steps(unsigned bits, const Floats8& z, Ints8& to) {
  const Floats8 scaled = z * float(1u << bits);
  Host::round(to, scaled);
  const Floats8 left = (scaled - __builtin_convertvector(to, Floats8)) + 0.5f;
  to += (left < z) | ((left == z) & -(to & 1));
}

template <class Host, DepthFormat format>
inline void stored(const state::CcViewport& range, const Floats8& depth, Ints8& to) {
  Floats8 z, limit;
  Host::splat(limit, range.minimum_depth);
  Host::max(z, depth, limit);
  Host::splat(limit, range.maximum_depth);
  Host::min(z, limit, z);
  if constexpr (format == DepthFormat::d32_float) {
    to = Ints8(z);
  } else {
    Host::max(z, z, Floats8{});
    Host::splat(limit, 1);
    Host::min(z, z, limit);
    to_steps<Host>(format == DepthFormat::d16_unorm ? 16 : 24, z, to);
  }
}

// Rows of a Y tile are 16 bytes apart.
template <DepthFormat format>
inline void load_depths(const std::byte* from, Ints8& to) {
  Ints8 rows;
  if constexpr (format == DepthFormat::d16_unorm) {
    Words8 words;
    std::memcpy(&words, from, 8), std::memcpy(reinterpret_cast<std::byte*>(&words) + 8, from + 16, 8);
    rows = __builtin_convertvector(words, Ints8);
  } else {
    std::memcpy(&rows, from, sizeof rows);
  }
  reorder(rows, to);
}
template <DepthFormat format>
inline void store_depths(std::byte* to, const Ints8& from) {
  Ints8 rows;
  reorder(from, rows);
  if constexpr (format == DepthFormat::d16_unorm) {
    const Words8 words = __builtin_convertvector(rows, Words8);
    std::memcpy(to, &words, 8), std::memcpy(to + 16, reinterpret_cast<const std::byte*>(&words) + 8, 8);
  } else {
    std::memcpy(to, &rows, sizeof rows);
  }
}

// Values are from 0 to 255; of the result only so many bits count.
inline void change_stencil(unsigned op, const Ints8& v, const Ints8& reference, Ints8& to) {
  switch (op & 7) {
    case 0: to = v; break;              // KEEP
    case 1: to = Ints8{}; break;        // ZERO
    case 2: to = reference; break;      // REPLACE
    case 3: to = v - (v < 255); break;  // INCRSAT
    case 4: to = v + (v > 0); break;    // DECRSAT
    case 5: to = v + 1; break;          // INCR
    case 6: to = v - 1; break;          // DECR
    default: to = ~v; break;            // INVERT
  }
}

// The tests of one primitive: all by value, for what is stored might be anything.
template <class Host, DepthFormat format>
struct Testing {
  struct What {
    bool depth_test, depth_write, stencil, stencil_write;
    uint8_t depth_function;
  };
  const What t;
  const state::CcViewport range;
  const StencilFace face;

  Testing(const DepthTests& tests, unsigned viewport, bool back_facing)
      : t{tests.depth_test, tests.depth_write, tests.stencil, tests.stencil_write, tests.depth_function},
        range(tests.range(viewport)),
        face(tests.faces[back_facing]) {}

  // Those of the lit that pass. `references` is null where the state has one.
  uint32_t operator()(const Floats8& z, std::byte* depth, std::byte* stencil, const uint8_t* references,
                      uint32_t lit) const {
    Ints8 tested = Ints8{1, 2, 4, 8, 16, 32, 64, 128}, yes{};
    tested = (tested & int32_t(lit)) != 0;
    Ints8 passed = tested, stencil_passed = tested, value{}, reference{};
    if (t.stencil) {
      Bytes8 bytes;
      std::memcpy(&bytes, stencil, sizeof bytes);
      value = __builtin_convertvector(bytes, Ints8);
      Host::splat(reference, face.reference);
      if (references) {
        std::memcpy(&bytes, references, sizeof bytes);
        reference = __builtin_convertvector(bytes, Ints8);
      }
      const int32_t mask = face.test_mask;
      shared::compare(face.function, Ints8(reference & mask), Ints8(value & mask), yes);
      passed = stencil_passed = tested & yes;
    }
    if constexpr (format != DepthFormat::none) {
      Ints8 before, now;
      load_depths<format>(depth, before);
      stored<Host, format>(range, z, now);
      if (t.depth_test) {
        if constexpr (format == DepthFormat::d32_float)
          shared::compare(t.depth_function, Floats8(now), Floats8(before), yes);
        else
          shared::compare(t.depth_function, now, Ints8(before & 0xFFFFFF), yes);
        passed &= yes;
      }
      if (t.depth_write) {
        before = passed ? now : before;
        store_depths<format>(depth, before);
      }
    }
    if (t.stencil_write) {
      Ints8 failed, depth_failed, changed;
      change_stencil(face.fail, value, reference, failed);
      change_stencil(face.depth_fail, value, reference, depth_failed);
      change_stencil(face.pass, value, reference, changed);
      changed = passed ? changed : (stencil_passed ? depth_failed : failed);
      const Ints8 written = tested & int32_t(face.write_mask);
      const Bytes8 bytes = __builtin_convertvector(Ints8((changed & written) | (value & ~written)), Bytes8);
      std::memcpy(stencil, &bytes, sizeof bytes);
    }
    return Host::lanes(passed);
  }
};

// Of the subspan whose corner is there: lanes that are in the buffer.
template <class Extent>
inline uint32_t lanes_inside(const Extent& e, uint32_t x, uint32_t y) {
  if (x + 2 <= e.width && y + 2 <= e.height) return 15;
  if (x >= e.width || y >= e.height) return 0;
  return (x + 1 < e.width ? 3 : 1) * (y + 1 < e.height ? 5 : 1);
}
template <class Extent>
inline uint32_t block_inside(const Extent& e, uint32_t x, uint32_t y) {
  if (x + block_px <= e.width && y + block_px <= e.height) return 0xFFFF;
  return lanes_inside(e, x, y) | lanes_inside(e, x + 2, y) << 4 | lanes_inside(e, x, y + 2) << 8 |
         lanes_inside(e, x + 2, y + 2) << 12;
}

struct EightAt {
  std::byte *depth = nullptr, *stencil = nullptr;
};
template <DepthFormat format, class Buffers>
inline EightAt at(bool stencil, const Buffers& e, uint32_t x, uint32_t y, uint32_t layer) {
  EightAt a;
  if constexpr (format != DepthFormat::none) a.depth = e.depth.at(x, y, layer);
  if (stencil) a.stencil = e.stencil.at(x, y, layer);
  return a;
}

// Of one sample. What blocks have in common is in locals.
template <class Host, DepthFormat format>
inline void run_blocks(const DepthTests& t, const DepthEights& eights, std::span<const Block> all, uint16_t* passed) {
  const Primitive& p = *all[0].primitive;
  const Testing<Host, format> testing(t, p.object.viewport, p.back_facing);
  const struct {
    EightsOfBuffer depth, stencil;
    uint32_t width, height;
  } e{eights.depth, eights.stencil, eights.width, eights.height};
  const Plane plane = p.z;
  const uint32_t layer = p.object.layer;
  const float from_x = t.places[0].x, from_y = t.places[0].y, origin_x = p.origin_x, origin_y = p.origin_y;
  for (const Block& b : all) {
    const uint32_t x = b.x, y = b.y, lit = b.coverage[0], inside = block_inside(e, x, y), tested = lit & inside;
    if (!tested) {
      *passed++ = uint16_t(lit);
      continue;
    }
    // Both halves, whether or not something of them is lit: small triangles leave no pattern in that to go by, and what
    // is not lit is stored as it was. Blocks do not cross levels or slices (EightsOfBuffer::find).
    const EightAt upper = at<format>(testing.t.stencil, e, x, y, layer);
    EightAt lower = upper;
    if constexpr (format != DepthFormat::none) lower.depth += 32;
    if (lower.stencil) lower.stencil += 8;
    Floats8 z[2];
    for (unsigned half = 0; half < 2; ++half) {
      EightPlaces places;
      places.set_block(x, y, half);
      places.x = places.x + from_x - origin_x, places.y = places.y + from_y - origin_y;
      evaluate(plane, places, z[half]);
    }
    const uint32_t yes = testing(z[0], upper.depth, upper.stencil, nullptr, tested & 0xFF) |
                         testing(z[1], lower.depth, lower.stencil, nullptr, tested >> 8) << 8;
    *passed++ = uint16_t(yes | (lit & ~inside));
  }
}

// Of several samples.
template <class Host, DepthFormat format>
inline void run_block(const DepthTests& t, const DepthEights& e, const Block& b, Lit& lit) {
  const Primitive& p = *b.primitive;
  const Testing<Host, format> testing(t, p.object.viewport, p.back_facing);
  const uint32_t inside = block_inside(e, b.x, b.y), layer = p.object.layer;
  for (unsigned n = 0; n < 4; ++n) {
    const uint32_t x = uint32_t(b.x + block_x(int(4 * n))), y = uint32_t(b.y + block_y(int(4 * n)));
    const uint32_t lanes = inside >> (4 * n) & 15;
    const EightPlaces corners{float(x) + Floats8{0, 1, 0, 1, 0, 1, 0, 1}, float(y) + Floats8{0, 0, 1, 1, 0, 0, 1, 1}};
    for (unsigned s = 0; s < t.samples; s += 2) {
      const DepthEights::Pair& pair = e.pairs[s / 2];
      const uint32_t some = (lit[s] >> (4 * n) & lanes) | (lit[s + 1] >> (4 * n) & lanes) << 4;
      if (!some) continue;
      Floats8 place_x, place_y, z;
      load_floats(pair.place_x.data(), place_x), load_floats(pair.place_y.data(), place_y);
      evaluate(p.z, EightPlaces{corners.x + place_x - p.origin_x, corners.y + place_y - p.origin_y}, z);
      const EightAt a = at<format>(t.stencil, e, (x << e.shift_x) + pair.x, (y << e.shift_y) + pair.y, layer);
      const uint32_t failed = some & ~testing(z, a.depth, a.stencil, nullptr, some);
      lit[s] &= ~((failed & 15) << (4 * n)), lit[s + 1] &= ~(failed >> 4 << (4 * n));
    }
  }
}

template <class Host, DepthFormat format>
inline void run_fragments(const DepthTests& t, const DepthEights& e, const Fragments& f, Lit& lit) {
  const Testing<Host, format> testing(t, f.viewport, f.back_facing);
  for (unsigned n = 0; n < f.subspans; ++n) {
    const uint32_t x = f.corners[n].x, y = f.corners[n].y, lanes = lanes_inside(e, x, y);
    // Four references, twice.
    std::array<uint8_t, 8> copies;
    if (f.stencil) std::memcpy(&copies[0], f.stencil + 4 * n, 4), std::memcpy(&copies[4], f.stencil + 4 * n, 4);
    const uint8_t* const references = f.stencil ? copies.data() : nullptr;
    std::array<float, 8> depths;
    Floats8 z;
    if (t.samples == 1) {
      // Half of an eight.
      const unsigned shift = x & 2 ? 4 : 0;
      const uint32_t some = (lit[0] >> (4 * n) & lanes) << shift;
      if (!some) continue;
      std::memcpy(&depths[0], f.depth + 4 * n, 16), std::memcpy(&depths[4], f.depth + 4 * n, 16);
      load_floats(depths.data(), z);
      const EightAt a = at<format>(t.stencil, e, x & ~3u, y, f.layer);
      const uint32_t failed = some & ~testing(z, a.depth, a.stencil, references, some);
      lit[0] &= ~(failed >> shift << (4 * n));
      continue;
    }
    for (unsigned s = 0; s < t.samples; s += 2) {
      const DepthEights::Pair& pair = e.pairs[s / 2];
      const uint32_t some = (lit[s] >> (4 * n) & lanes) | (lit[s + 1] >> (4 * n) & lanes) << 4;
      if (!some) continue;
      std::memcpy(&depths[0], f.depth + 32 * s + 4 * n, 16);
      std::memcpy(&depths[4], f.depth + 32 * (s + 1) + 4 * n, 16);
      load_floats(depths.data(), z);
      const EightAt a = at<format>(t.stencil, e, (x << e.shift_x) + pair.x, (y << e.shift_y) + pair.y, f.layer);
      const uint32_t failed = some & ~testing(z, a.depth, a.stencil, references, some);
      lit[s] &= ~((failed & 15) << (4 * n)), lit[s + 1] &= ~(failed >> 4 << (4 * n));
    }
  }
}

inline void find_depths_of(const DepthTests& t, const Primitive& p, const Fragments& f, float* depth) {
  for (unsigned n = 0; n < f.subspans; n += 2) {
    EightPlaces corners;
    corners.set(f.corners[n], f.corners[n + 1]);
    for (unsigned s = 0; s < t.samples; ++s) {
      Floats8 z;
      evaluate(p.z, EightPlaces{corners.x + t.places[s].x - p.origin_x, corners.y + t.places[s].y - p.origin_y}, z);
      std::memcpy(depth + 32 * s + 4 * n, &z, sizeof z);
    }
  }
}
VITRO_PLAIN_VECTORS void find_depths_plain(const DepthTests& t, const Primitive& p, const Fragments& f, float* to) {
  find_depths_of(t, p, f, to);
}
VITRO_WIDE_VECTORS void find_depths_wide(const DepthTests& t, const Primitive& p, const Fragments& f, float* to) {
  find_depths_of(t, p, f, to);
}

template <DepthFormat format>
VITRO_PLAIN_VECTORS void block_plain(const DepthTests& t, const DepthEights& e, const Block& b, Lit& lit) {
  run_block<lanes::PlainEight, format>(t, e, b, lit);
}
template <DepthFormat format>
VITRO_WIDE_VECTORS void block_wide(const DepthTests& t, const DepthEights& e, const Block& b, Lit& lit) {
  run_block<lanes::WideEight, format>(t, e, b, lit);
}
template <DepthFormat format>
VITRO_PLAIN_VECTORS void blocks_plain(const DepthTests& t, const DepthEights& e, std::span<const Block> all,
                                      uint16_t* passed) {
  run_blocks<lanes::PlainEight, format>(t, e, all, passed);
}
template <DepthFormat format>
VITRO_PLAIN_VECTORS void fragments_plain(const DepthTests& t, const DepthEights& e, const Fragments& f, Lit& lit) {
  run_fragments<lanes::PlainEight, format>(t, e, f, lit);
}
template <DepthFormat format>
VITRO_WIDE_VECTORS void blocks_wide(const DepthTests& t, const DepthEights& e, std::span<const Block> all,
                                    uint16_t* passed) {
  run_blocks<lanes::WideEight, format>(t, e, all, passed);
}
template <DepthFormat format>
VITRO_WIDE_VECTORS void fragments_wide(const DepthTests& t, const DepthEights& e, const Fragments& f, Lit& lit) {
  run_fragments<lanes::WideEight, format>(t, e, f, lit);
}

// By the host, and by format: only stencil is tested, or depth of a format too.
struct Forms {
  void (*block)(const DepthTests&, const DepthEights&, const Block&, Lit&);
  void (*blocks)(const DepthTests&, const DepthEights&, std::span<const Block>, uint16_t*);
  void (*fragments)(const DepthTests&, const DepthEights&, const Fragments&, Lit&);
};
template <DepthFormat format>
constexpr Forms plain{block_plain<format>, blocks_plain<format>, fragments_plain<format>};
template <DepthFormat format>
constexpr Forms wide{block_wide<format>, blocks_wide<format>, fragments_wide<format>};
constexpr Forms forms[2][4] = {{plain<DepthFormat::none>, plain<DepthFormat::d32_float>, plain<DepthFormat::d24_unorm>,
                                plain<DepthFormat::d16_unorm>},
                               {wide<DepthFormat::none>, wide<DepthFormat::d32_float>, wide<DepthFormat::d24_unorm>,
                                wide<DepthFormat::d16_unorm>}};
const Forms& form_of(const DepthTests& t) {
  static const bool is_wide = lanes::host_has_wide_vectors();
  return forms[is_wide][t.depth ? size_t(t.format) : 0];
}

}  // namespace

void run_eights(const DepthTests& t, const DepthEights& e, const Block& b, Lit& lit) { form_of(t).block(t, e, b, lit); }
void run_eights(const DepthTests& t, const DepthEights& e, std::span<const Block> all, uint16_t* passed) {
  form_of(t).blocks(t, e, all, passed);
}
void run_eights(const DepthTests& t, const DepthEights& e, const Fragments& f, Lit& lit) {
  form_of(t).fragments(t, e, f, lit);
}

void find_depths(const DepthTests& t, const Primitive& p, const Fragments& f, float* depth) {
  (lanes::host_has_wide_vectors() ? find_depths_wide : find_depths_plain)(t, p, f, depth);
}

uint8_t stencil_op(unsigned op, uint8_t value, uint8_t reference) {
  Ints8 changed;
  change_stencil(op, Ints8{value}, Ints8{reference}, changed);
  return uint8_t(changed[0]);
}

}  // namespace vitro::pipeline
