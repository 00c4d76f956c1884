// Filling the registers of pixel threads. PRM: as pixel_payload.h. A thread of 32 lanes has everything that belongs to
// lanes twice, for the first sixteen and then for the others.
#include "pipeline/pixel_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bits.h"
#include "pipeline/eight_places.h"
#include "pipeline/raster_state.h"
#include "pipeline/slots_read.h"

namespace vitro::pipeline {

namespace {

using shared::PixelContext;
using shared::PixelPlace;

enum InputCoverage : uint8_t { coverage_none, coverage_normal, coverage_inner, coverage_tested };

}  // namespace

namespace {

// The part of a layout that the state says by itself.
void lay_out(const state::Pipeline& state, unsigned width, PixelLayout& l) {
  const commands::three_d::Ps& ps = state.ps;
  const commands::three_d::PsExtra& extra = state.ps_extra;
  const commands::three_d::Wm& wm = state.wm;
  l.width = width;
  l.barycentrics = wm.barycentric_interpolation_mode & 63;
  l.depth = extra.pixel_shader_uses_source_depth;
  l.w = extra.pixel_shader_uses_source_w;
  l.zw = InterpolationPlace(wm.position_zw_interpolation_mode & 3);
  l.offsets = ps.position_xy_offset_select & 3;
  l.coverage = extra.pixel_shader_uses_input_coverage_mask || extra.input_coverage_mask_state != coverage_none;
  l.tested_coverage = extra.input_coverage_mask_state == coverage_tested;
  if (ps.push_constant_enable)
    for (const uint16_t length : state.constants[size_t(state::ShaderStage::ps)].read_length)
      l.push_registers += length;
  const unsigned lists = l.lanes() == 32 ? 2 : 1, eights = l.lanes() == 8 ? 1 : 2;
  const unsigned list = unsigned(std::popcount(l.barycentrics)) * 2 * eights + l.depth * eights + l.w * eights +
                        (l.offsets != 0) + l.coverage * eights;
  l.own = 1 + lists + lists * list;
}

}  // namespace

code::ChainForm pixel_chain(const state::Pipeline& state, unsigned width, unsigned start) {
  PixelLayout l;
  lay_out(state, width, l);
  l.start = start;
  if (l.own > start || l.setup_at() > unsigned(eu::grf_count)) return {};
  return {uint8_t(l.own), uint8_t(l.setup_at())};
}

std::optional<Fault> find_pixel_layout(const Draw& draw, unsigned width, PixelLayout& l) {
  const commands::three_d::PsExtra& extra = draw.state.ps_extra;
  l = {};
  lay_out(draw.state, width, l);
  l.start = draw.ps_grf_start[width];
  if (extra.input_coverage_mask_state == coverage_inner)
    return unsupported_fault("input coverage of inner conservative rasterization");
  if (draw.state.ps.push_constant_enable)
    l.push_registers = unsigned(draw.push[size_t(state::ShaderStage::ps)].size() / eu::reg_bytes);
  l.attributes = std::min<unsigned>(draw.state.sbe.number_of_sf_output_attributes, most_attributes);
  l.r0_0 = (draw.state.topology.primitive_topology_type & 31u) | uint32_t(extra.omask_present_to_render_target) << 12 |
           uint32_t(extra.pixel_shader_computed_depth_mode != 0) << 13;
  l.header = draw.headers[size_t(state::ShaderStage::ps)];
  l.color_calc = draw.state.color_calc_state;
  // All that a thread gets must have room.
  const unsigned end = std::max(l.own, l.setup_at() + 2 * l.attributes);
  if (end > unsigned(eu::grf_count))
    return Fault{.reason = fmt::format("a payload of {} registers for a pixel shader", end)};
  return std::nullopt;
}

void find_sample_places(const Draw& draw, PixelContext& to) {
  const SamplePlaces places = sample_places(draw);
  to.samples = draw.samples;
  to.pixel = in_pixels(places.pixel);
  for (size_t s = 0; s < places.at.size(); ++s) to.places[s] = in_pixels(places.at[s]);
}

// --- setup

namespace {

// Where a primitive's attributes are in its VUEs.
struct Source {
  unsigned first = 0, end = 0;  // slots

  // An entry has no more than is allocated for it.
  Source(SlotsRead read, unsigned slots) : first(read.first), end(std::min(read.end, slots)) {}
  Slot slot(const Slot* vue, unsigned n) const { return first + n < end ? vue[first + n] : Slot{}; }
};

enum SwizzleSelect : uint8_t { input, input_facing, input_w, input_facing_w };
enum ConstantSource : uint8_t { const_0000, const_0001_float, const_1111_float, const_primitive_id };

uint32_t constant_of(uint8_t source, unsigned component, uint32_t primitive_id) {
  constexpr uint32_t one = 0x3F800000;
  const uint32_t rows[] = {0, component == 3 ? one : 0, one, primitive_id};
  return rows[source & 3];
}

// The four dwords of a component: value = d0 * b1 + d1 * b2 + c.
struct Tuple {
  uint32_t d0 = 0, d1 = 0, none = 0, c = 0;
};
uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

}  // namespace

void set_up_attributes(const Draw& draw, const Primitive& p, unsigned attributes, SetupData& to) {
  const commands::three_d::Sbe& sbe = draw.state.sbe;
  const commands::three_d::SbeSwiz& swiz = draw.state.sbe_swiz;
  const Object& o = p.object;
  const Source source(slots_read(draw.state), o.slots);
  const unsigned vertices = vertices_of(o.kind);
  const bool sixteen_up = swiz.swizzle_control_mode[0];
  const bool ids[] = {sbe.primitive_id_override_component_x, sbe.primitive_id_override_component_y,
                      sbe.primitive_id_override_component_z, sbe.primitive_id_override_component_w};
  for (unsigned a = 0; a < attributes; ++a) {
    const bool swizzled = sbe.attribute_swizzle_enable && (a >= 16) == sixteen_up;
    const unsigned n = a & 15;
    unsigned from = swizzled ? swiz.source_attribute[n] : a;
    const uint8_t select = swizzled ? swiz.swizzle_select[n] & 3 : uint8_t(input);
    if (p.back_facing && (select == input_facing || select == input_facing_w)) ++from;
    std::array<Slot, 3> at{};
    for (unsigned v = 0; v < vertices; ++v) at[v] = source.slot(o.vertices[v], from);
    const bool flat = sbe.constant_interpolation_enable >> a & 1;
    const bool sprite = o.kind == ObjectKind::point && (sbe.point_sprite_texture_coordinate_enable >> a & 1);
    const std::array<bool, 4> constant = {
        swizzled && swiz.component_override_x[n], swizzled && swiz.component_override_y[n],
        swizzled && swiz.component_override_z[n], swizzled && swiz.component_override_w[n]};
    for (unsigned c = 0; c < 4; ++c) {
      const unsigned k = select == input_w || select == input_facing_w ? 3 : c;
      Tuple t;
      if (ids[c] && sbe.primitive_id_override_attribute_select == a) {
        t.c = o.primitive_id;
      } else if (sprite) {
        // s and t are the weights of a point.
        const bool lower_left = sbe.point_sprite_texture_coordinate_origin;
        if (c == 0) t = {bits(1), 0, 0, 0};
        if (c == 1) t = lower_left ? Tuple{0, bits(-1), 0, bits(1)} : Tuple{0, bits(1), 0, 0};
        if (c == 3) t.c = bits(1);
      } else if (constant[c]) {
        t.c = constant_of(swiz.constant_source[n], c, o.primitive_id);
      } else if (flat) {
        t.c = source.slot(o.flat, from)[k];
      } else {
        const float v0 = float_of(at[0][k]);
        t = {vertices > 1 ? bits(float_of(at[1][k]) - v0) : 0, vertices > 2 ? bits(float_of(at[2][k]) - v0) : 0, 0,
             at[0][k]};
      }
      std::memcpy(&to[a * setup_dwords + c * 4], &t, sizeof t);
    }
  }
}

void set_barycentrics(const Primitive& p, shared::Barycentrics& b) {
  const auto plane = [](const Plane& from) { return shared::ScreenPlane{from.dx, from.dy, from.c}; };
  b = {.origin_x = p.origin_x, .origin_y = p.origin_y};
  if (p.object.kind == ObjectKind::point) {
    b.l1 = b.n1 = plane(p.sprite_s), b.l2 = b.n2 = plane(p.sprite_t);
    b.inverse_w = {0, 0, 1}, b.inverse_ws = {1, 1, 1};
    return;
  }
  b.l1 = plane(p.l1), b.n1 = plane(p.n1), b.inverse_w = plane(p.inverse_w), b.inverse_ws = p.inverse_ws;
  if (p.object.kind != ObjectKind::line) b.l2 = plane(p.l2), b.n2 = plane(p.n2);
}

// --- registers

namespace {

// Else 1/w is one all over the primitive, and a division by it changes nothing.
bool divides(const shared::Barycentrics& b) {
  return b.inverse_w.dx != 0 || b.inverse_w.dy != 0 || b.inverse_w.c != 1 || b.inverse_ws[1] != 1 ||
         b.inverse_ws[2] != 1;
}

// Sixteen or eight lanes of a thread, and where their registers go.
struct LaneList {
  const PixelLayout& layout;
  const Primitive& primitive;
  const PixelContext& pixels;
  const shared::PixelThread& thread;
  unsigned first, lanes;
  std::byte* to;

  PixelPlace place(InterpolationPlace where, unsigned lane) const {
    if (where == InterpolationPlace::centroid) return pixels.centroid(lane);
    if (where == InterpolationPlace::sample && pixels.samples > 1)
      return pixels.places[size_t(std::max(thread.sample, 0))];
    return pixels.pixel;
  }
  void places(InterpolationPlace where, unsigned n, EightPlaces& p) const {
    const shared::PixelThread::Subspan* const s = &thread.subspans[(first + n) / shared::lanes_of_subspan];
    p.set(s[0], s[1]);
    if (where != InterpolationPlace::centroid) {
      const PixelPlace at = place(where, first + n);
      p.x += at.x, p.y += at.y;
    } else {
      for (unsigned k = 0; k < 8; ++k) {
        const PixelPlace at = pixels.centroid(first + n + k);
        p.x[k] += at.x, p.y[k] += at.y;
      }
    }
    p.x -= primitive.origin_x, p.y -= primitive.origin_y;
  }
  template <class T>
  void row(const T* values) {  // of all lanes
    std::memcpy(to, values, lanes * sizeof(T));
    to += std::max<size_t>(lanes * sizeof(T), eu::reg_bytes);
  }
  void put(const Floats8& values) {
    std::memcpy(to, &values, sizeof values);
    to += sizeof values;
  }
  void barycentrics(unsigned mode) {
    constexpr InterpolationPlace places_of[] = {InterpolationPlace::pixel, InterpolationPlace::centroid,
                                                InterpolationPlace::sample};
    const shared::Barycentrics& b = *thread.barycentrics;
    for (unsigned n = 0; n < lanes; n += 8) {
      EightPlaces p;
      places(places_of[mode % 3], n, p);
      Floats8 b1, b2, inverse;
      evaluate(mode >= 3 ? b.n1 : b.l1, p, b1);
      evaluate(mode >= 3 ? b.n2 : b.l2, p, b2);
      if (mode < 3) {
        evaluate(b.inverse_w, p, inverse);
        b1 = b1 * b.inverse_ws[1] / inverse, b2 = b2 * b.inverse_ws[2] / inverse;
      }
      put(b1), put(b2);
    }
  }
  void depth_and_w() {
    if (!layout.depth && !layout.w) return;
    std::array<Floats8, 2> z, w;
    for (unsigned n = 0; n < lanes; n += 8) {
      EightPlaces p;
      places(layout.zw, n, p);
      evaluate(primitive.z, p, z[n / 8]);
      evaluate(primitive.inverse_w, p, w[n / 8]);
      w[n / 8] = 1 / w[n / 8];
    }
    for (unsigned n = 0; layout.depth && n < lanes; n += 8) put(z[n / 8]);
    for (unsigned n = 0; layout.w && n < lanes; n += 8) put(w[n / 8]);
  }
  void offsets() {
    if (!layout.offsets) return;
    std::array<uint16_t, eu::reg_bytes / 2> pairs{};  // a whole register, also for eight lanes
    for (unsigned n = 0; n < lanes; ++n) {
      const PixelPlace at = place(InterpolationPlace(layout.offsets), first + n);
      pairs[n] = uint16_t(uint8_t(at.x * 16) | uint8_t(at.y * 16) << 8);
    }
    std::memcpy(to, pairs.data(), eu::reg_bytes);
    to += eu::reg_bytes;
  }
  void coverage() {
    if (!layout.coverage) return;
    const auto& from = layout.tested_coverage ? thread.lit : thread.covered;
    std::array<uint32_t, 16> masks{};
    for (unsigned s = 0; s < pixels.samples; ++s)
      for (unsigned n = 0; n < lanes; ++n) masks[n] |= (from[s] >> (first + n) & 1) << s;
    row(masks.data());
  }
  void fill() {
    for (unsigned mode = 0; mode < 6; ++mode)
      if (layout.barycentrics >> mode & 1) barycentrics(mode);
    depth_and_w();
    offsets();
    coverage();
  }
};

// Positions and masks of sixteen lanes.
inline void fill_positions(const shared::PixelThread& thread, unsigned first, uint32_t mask, std::byte* to) {
  static_assert(sizeof(shared::PixelThread::Subspan) == 4);  // x, and y above it
  const uint32_t own = mask >> first & 0xFFFF, samples = thread.sample > 0 ? uint32_t(thread.sample & 15) * 0x1111 : 0;
  const uint32_t start[2] = {samples, 0}, end[2] = {0, own | own << 16};
  std::memcpy(to, start, sizeof start);
  std::memcpy(to + 8, &thread.subspans[first / shared::lanes_of_subspan], 16);
  std::memcpy(to + 24, end, sizeof end);
}

// r0, the same of all; made in a register.
using Header = lanes::Unsigned8;
inline void header_of(const PixelThreads& all, Header& to) {
  const PixelLayout& l = all.layout;
  const Primitive& p = all.primitive;
  const uint32_t r0_0 =
      l.r0_0 | uint32_t(p.back_facing) << 15 | (p.object.layer & 0x7FF) << 16 | uint32_t(p.object.viewport & 15) << 27;
  to = Header{r0_0, l.color_calc, 0, l.header.samplers, l.header.bindings, l.header.r0_5(all.fftid), 0, 0};
}

inline void fill_any(const PixelThreads& all, std::byte* to) {
  const PixelLayout& l = all.layout;
  Header r0;
  header_of(all, r0);
  const unsigned lanes = l.lanes();
  const size_t bytes = l.own * eu::reg_bytes;
  const uint32_t* mask = all.masks;
  for (shared::PixelThread& t : all.threads) {
    all.pixels.thread = &t;
    std::memcpy(to, &r0, sizeof r0);
    std::byte* at = to + eu::reg_bytes;
    for (unsigned first = 0; first < lanes; first += 16, at += eu::reg_bytes) fill_positions(t, first, *mask, at);
    for (unsigned first = 0; first < lanes; first += 16) {
      LaneList list{l, all.primitive, all.pixels, t, first, std::min(lanes, 16u), at};
      list.fill();
      at = list.to;
    }
    to += bytes, ++mask;
  }
}

// Most threads have sixteen lanes, and nothing of their own but weights at their pixels.
bool is_common(const PixelLayout& l) {
  constexpr unsigned at_pixels = 0b001001;
  return l.lanes() == 16 && !(l.barycentrics & ~at_pixels) && !l.depth && !l.w && !l.offsets && !l.coverage;
}

// Two subspans of a thread, by the corners of all four.
template <unsigned first, class Floats4>
inline void set_places(const Floats4& xs, const Floats4& ys, EightPlaces& p) {
  constexpr int a = first, b = first + 1;
  p.x = Floats8(__builtin_shufflevector(xs, xs, a, a, a, a, b, b, b, b)) + Floats8{0, 1, 0, 1, 0, 1, 0, 1};
  p.y = Floats8(__builtin_shufflevector(ys, ys, a, a, a, a, b, b, b, b)) + Floats8{0, 0, 1, 1, 0, 0, 1, 1};
}

// The same arithmetic, with what threads have in common in registers. Places are sums of few bits, exact in whatever
// order.
template <bool divided>
inline void fill_common(const PixelThreads& all, std::byte* to) {
  using Ints4 = int32_t __attribute__((vector_size(16)));
  using Floats4 = float __attribute__((vector_size(16)));
  Header r0;
  header_of(all, r0);
  const shared::Barycentrics b = *all.threads[0].barycentrics;
  const float from_x = all.pixels.pixel.x - all.primitive.origin_x,
              from_y = all.pixels.pixel.y - all.primitive.origin_y;
  const bool perspective = all.layout.barycentrics & 1, linear = all.layout.barycentrics & 8;
  const uint32_t* mask = all.masks;
  for (const shared::PixelThread& t : all.threads) {
    std::memcpy(to, &r0, sizeof r0);
    fill_positions(t, 0, *mask++, to + eu::reg_bytes);
    to += 2 * eu::reg_bytes;
    Ints4 corners;
    std::memcpy(&corners, t.subspans.data(), sizeof corners);
    const Floats4 xs = __builtin_convertvector(corners & 0xFFFF, Floats4) + from_x;
    const Floats4 ys = __builtin_convertvector((corners >> 16) & 0xFFFF, Floats4) + from_y;
    EightPlaces p[2];
    set_places<0>(xs, ys, p[0]);
    set_places<2>(xs, ys, p[1]);
    if (perspective)
      for (const EightPlaces& at : p) {
        Floats8 b1, b2, inverse;
        evaluate(b.l1, at, b1);
        evaluate(b.l2, at, b2);
        if (divided) {
          evaluate(b.inverse_w, at, inverse);
          b1 = b1 * b.inverse_ws[1] / inverse, b2 = b2 * b.inverse_ws[2] / inverse;
        }
        std::memcpy(to, &b1, sizeof b1);
        std::memcpy(to + eu::reg_bytes, &b2, sizeof b2);
        to += 2 * eu::reg_bytes;
      }
    if (linear)
      for (const EightPlaces& at : p) {
        Floats8 b1, b2;
        evaluate(b.n1, at, b1);
        evaluate(b.n2, at, b2);
        std::memcpy(to, &b1, sizeof b1);
        std::memcpy(to + eu::reg_bytes, &b2, sizeof b2);
        to += 2 * eu::reg_bytes;
      }
  }
}

inline void fill(const PixelThreads& all, std::byte* to) {
  if (!is_common(all.layout)) return fill_any(all, to);
  divides(*all.threads[0].barycentrics) ? fill_common<true>(all, to) : fill_common<false>(all, to);
}
VITRO_PLAIN_VECTORS void fill_plain(const PixelThreads& all, std::byte* to) { fill(all, to); }
VITRO_WIDE_VECTORS void fill_wide(const PixelThreads& all, std::byte* to) { fill(all, to); }

}  // namespace

void fill_own_registers(const PixelThreads& all, std::byte* to) {
  (lanes::host_has_wide_vectors() ? fill_wide : fill_plain)(all, to);
}

void fill_common_registers(const PixelLayout& l, std::span<const std::byte> push, const SetupData& setup,
                           std::byte* grf) {
  std::byte* const common = grf + l.start * eu::reg_bytes;
  std::copy_n(push.begin(), size_t(l.push_registers) * eu::reg_bytes, common);
  std::memcpy(common + size_t(l.push_registers) * eu::reg_bytes, setup.data(), l.attributes * setup_dwords * 4);
}

}  // namespace vitro::pipeline
