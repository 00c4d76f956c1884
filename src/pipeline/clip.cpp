// Clip tests, and clipping of triangles and lines by one plane after the other. PRM: as clip.h. Places are computed in
// doubles, always from the inside to the outside, so that neighbours that share an edge cut it at the same place.
#include "pipeline/clip.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pipeline/clip_codes.h"

namespace vitro::pipeline {
namespace {

using Position = std::array<float, 4>;

constexpr uint32_t user_planes = 0xFFu << ClipPlane::user;

Position position_of(const Slot* vue) {
  Position p;
  std::memcpy(p.data(), vue + 1, sizeof p);
  return p;
}

uint32_t codes_of(const ClipState& s, const ClipState::Guardband& band, uint32_t planes, const Slot* vue) {
  const Position p = position_of(vue);
  uint32_t codes;
  position_codes(s, band, planes, p[0], p[1], p[2], p[3], codes);
  return has_distances(s) ? codes | distance_codes(s, vue) : codes;
}

// --- cutting

// A corner of what is left: where it is, and how it is made of the object's vertices.
struct Made {
  std::array<double, 4> position{};
  std::array<double, 2> weight{}, linear{};  // of the second and third vertex
  int original = -1;                         // it is one of them
  bool edge = true;                          // to the next corner, is drawn
};

struct Cutter {
  const ClipState& state;
  const Object& object;
  Sides sides;

  double inside(unsigned plane, const Made& m) const {
    constexpr unsigned user = ClipPlane::user;
    double d;
    if (plane < user) {
      sides.inside(plane, m.position[0], m.position[1], m.position[2], m.position[3], d);
      return d;
    }
    const double d0 = double(distance_of(object.vertices[0], plane - user));
    d = d0;
    for (unsigned n = 1; n < vertices_of(object.kind); ++n)
      d += m.weight[n - 1] * (double(distance_of(object.vertices[n], plane - user)) - d0);
    return m.original >= 0 ? double(distance_of(object.vertices[size_t(m.original)], plane - user)) : d;
  }
  static Made between(const Made& in, const Made& out, double d_in, double d_out) {
    Made m;
    const double t = d_in / (d_in - d_out);
    const auto mix = [](double a, double b, double s) { return a + (b - a) * s; };
    for (unsigned n = 0; n < 4; ++n) m.position[n] = mix(in.position[n], out.position[n], t);
    double u = t;  // the same place in screen space
    if (in.position[3] > 0 && out.position[3] > 0 && m.position[3] > 0) u = t * out.position[3] / m.position[3];
    for (unsigned n = 0; n < 2; ++n) {
      m.weight[n] = mix(in.weight[n], out.weight[n], t);
      m.linear[n] = mix(in.linear[n], out.linear[n], u);
    }
    return m;
  }
  Made original(unsigned n) const {
    Made m;
    const Position p = position_of(object.vertices[n]);
    for (unsigned c = 0; c < 4; ++c) m.position[c] = double(p[c]);
    if (n) m.weight[n - 1] = m.linear[n - 1] = 1;
    m.original = int(n);
    m.edge = object.edges >> n & 1;
    return m;
  }

  // The VUE of a corner.
  const Slot* vue(const Made& m, Arena& arena) const {
    if (m.original >= 0) return object.vertices[size_t(m.original)];
    Slot* to = arena.take<Slot>(object.slots).data();
    const unsigned vertices = vertices_of(object.kind);
    to[0] = object.vertices[0][0];
    for (unsigned c = 0; c < 4; ++c) to[1][c] = std::bit_cast<uint32_t>(float(m.position[c]));
    for (unsigned s = 2; s < object.slots; ++s)
      for (unsigned c = 0; c < 4; ++c) {
        const double a = double(float_of(object.vertices[0][s][c]));
        double v = a;
        for (unsigned n = 1; n < vertices; ++n) v += m.weight[n - 1] * (double(float_of(object.vertices[n][s][c])) - a);
        to[s][c] = std::bit_cast<uint32_t>(float(v));
      }
    return to;
  }
};

using Polygon = std::array<Made, most_corners>;

// What of a polygon is inside of a plane. Edges along the plane are drawn if it is a user's.
unsigned cut(const Cutter& cutter, unsigned plane, const Polygon& from, unsigned count, Polygon& to) {
  unsigned made = 0;
  for (unsigned n = 0; n < count; ++n) {
    const Made &a = from[n], &b = from[n + 1 == count ? 0 : n + 1];
    const double da = cutter.inside(plane, a), db = cutter.inside(plane, b);
    const bool a_in = da >= 0, b_in = db >= 0;
    if (made + 2 > to.size()) return 0;  // no convex polygon gets there
    if (a_in) to[made++] = a;
    if (a_in == b_in) continue;
    Made& m = to[made++];
    m = a_in ? Cutter::between(a, b, da, db) : Cutter::between(b, a, db, da);
    m.edge = a_in ? plane >= ClipPlane::user : a.edge;
  }
  return made < 3 ? 0 : made;
}

// Linear barycentrics of a part, in terms of its own corners.
const LinearWeights* linear_weights(const Made& a, const Made& b, const Made& c, bool is_line, Arena& arena) {
  LinearWeights w{{{{0, 0}, {1, 0}, {0, 1}}}};
  const double ux = b.weight[0] - a.weight[0], uy = b.weight[1] - a.weight[1];
  const double vx = c.weight[0] - a.weight[0], vy = c.weight[1] - a.weight[1];
  const std::array<const Made*, 3> corners{&a, &b, &c};
  if (is_line) {
    if (ux != 0)
      for (unsigned n = 0; n < 2; ++n) w.at[n] = {float((corners[n]->linear[0] - a.weight[0]) / ux), 0};
  } else if (const double area = ux * vy - uy * vx; area != 0) {
    for (unsigned n = 0; n < 3; ++n) {
      const double px = corners[n]->linear[0] - a.weight[0], py = corners[n]->linear[1] - a.weight[1];
      w.at[n] = {float((px * vy - py * vx) / area), float((ux * py - uy * px) / area)};
    }
  }
  LinearWeights* to = arena.take<LinearWeights>(1).data();
  *to = w;
  return to;
}

void clip_triangle(const Cutter& cutter, uint32_t planes, Arena& arena, Clipped& to) {
  const Object& object = cutter.object;
  std::array<Polygon, 2> polygons;
  unsigned count = 3, which = 0;
  for (unsigned n = 0; n < 3; ++n) polygons[0][n] = cutter.original(n);
  for (unsigned plane = 0; plane < plane_count && count; ++plane)
    if (planes >> plane & 1) {
      count = cut(cutter, plane, polygons[which], count, polygons[1 - which]);
      which = 1 - which;
    }
  const Polygon& p = polygons[which];
  std::array<const Slot*, most_corners> vues{};
  for (unsigned n = 0; n < count; ++n) vues[n] = cutter.vue(p[n], arena);
  for (unsigned n = 1; n + 1 < count; ++n) {
    Object& o = to.objects[to.count++];
    o = object;
    o.vertices = {vues[0], vues[n], vues[n + 1]};
    o.edges = uint8_t((n == 1 && p[0].edge) | p[n].edge << 1 | (n + 2 == count && p[n + 1].edge) << 2);
    o.provoking = 0;
    const std::array<unsigned, 3> corners{0, n, n + 1};
    for (unsigned k = 0; k < 3; ++k)
      if (p[corners[k]].original == object.provoking) o.provoking = uint8_t(k);
    if (cutter.state.linear) o.linear = linear_weights(p[0], p[n], p[n + 1], false, arena);
  }
}

void clip_line(const Cutter& cutter, uint32_t planes, Arena& arena, Clipped& to) {
  std::array<Made, 2> ends{cutter.original(0), cutter.original(1)};
  for (unsigned plane = 0; plane < plane_count; ++plane) {
    if (!(planes >> plane & 1)) continue;
    const double d0 = cutter.inside(plane, ends[0]), d1 = cutter.inside(plane, ends[1]);
    if (!(d0 >= 0) && !(d1 >= 0)) return;
    if (!(d0 >= 0)) ends[0] = Cutter::between(ends[1], ends[0], d1, d0);
    if (!(d1 >= 0)) ends[1] = Cutter::between(ends[0], ends[1], d0, d1);
  }
  Object& o = to.objects[to.count++];
  o = cutter.object;
  for (unsigned n = 0; n < 2; ++n) o.vertices[n] = cutter.vue(ends[n], arena);
  if (cutter.state.linear) o.linear = linear_weights(ends[0], ends[1], ends[0], true, arena);
}

}  // namespace

ClipState make_clip_state(const Draw& draw) {
  const commands::three_d::Clip& c = draw.state.clip;
  const commands::three_d::Raster& r = draw.state.raster;
  const commands::three_d::Vs& vs = draw.state.vs;
  constexpr uint8_t normal = 0, accept_all = 4;
  ClipState s;
  s.passes = !c.clip_enable;
  s.rejects = c.clip_enable && c.clip_mode != normal && c.clip_mode != accept_all;
  s.tests = c.clip_enable && c.clip_mode == normal && !c.perspective_divide_disable;
  s.tests_viewport = c.viewport_xy_clip_test_enable;
  s.tests_guardband = c.guardband_clip_test_enable;
  s.tests_near = r.viewport_z_clip_test_enable || r.viewport_z_near_clip_test_enable;
  s.tests_far = r.viewport_z_clip_test_enable || r.viewport_z_far_clip_test_enable;
  s.near_is_zero = c.api_mode != 0;
  s.linear = c.non_perspective_barycentric_enable;
  s.clip_distances = c.force_user_clip_distance_clip_test_enable_bitmask || !vs.enable
                         ? c.user_clip_distance_clip_test_enable_bitmask
                         : vs.user_clip_distance_clip_test_enable_bitmask;
  s.cull_distances = c.force_user_clip_distance_cull_test_enable_bitmask || !vs.enable
                         ? c.user_clip_distance_cull_test_enable_bitmask
                         : vs.user_clip_distance_cull_test_enable_bitmask;
  s.zero_layer = c.force_zero_rta_index_enable;
  s.last_viewport = std::min<uint8_t>(c.maximum_vp_index, state::most_viewports - 1);
  s.point_width_from_vertex = draw.state.sf.point_width_source == 0;
  s.point_width = float(draw.state.sf.point_width) / 8;
  s.least_point_width = float(c.minimum_point_width) / 8;
  s.most_point_width = float(c.maximum_point_width) / 8;
  if (s.tests_guardband)
    for (size_t n = 0; n < s.guardbands.size(); ++n) {
      const state::SfClipViewport& v = draw.objects.viewports[n];
      s.guardbands[n] = {v.x_min_clip_guardband, v.x_max_clip_guardband, v.y_min_clip_guardband,
                         v.y_max_clip_guardband};
    }
  return s;
}

void read_header(const ClipState& s, Object& o) {
  const Slot& header = o.flat[0];
  o.layer = s.zero_layer ? 0 : uint16_t(header[vue_layer] & 0x7FF);
  o.viewport = header[vue_viewport] > s.last_viewport ? uint8_t(0) : uint8_t(header[vue_viewport]);
  if (o.kind != ObjectKind::point) return;
  o.point_width = s.point_width;
  if (!s.point_width_from_vertex) return;
  o.point_width = float_of(header[vue_point_width]);
  if (s.passes) return;
  if (!(o.point_width >= s.least_point_width)) o.point_width = s.least_point_width;
  if (o.point_width > s.most_point_width) o.point_width = s.most_point_width;
}

void clip(const ClipState& s, Object o, Arena& arena, Clipped& to) {
  to.count = 0;
  if (s.rejects) return;
  read_header(s, o);
  const unsigned vertices = vertices_of(o.kind);
  const ClipState::Guardband& band = s.guardbands[o.viewport];
  uint32_t planes = planes_of(s);
  if (o.kind == ObjectKind::point) planes &= ~15u;  // the viewport's sides are tested all the same
  uint32_t any = 0, all = ~0u;
  for (unsigned n = 0; n < vertices; ++n) {
    const uint32_t codes = codes_of(s, band, planes, o.vertices[n]);
    any |= codes;
    all &= codes;
  }
  if (any & ClipCode::bad) return;
  const bool cuts = s.tests && o.kind != ObjectKind::rectangle;
  if (cuts && all & ClipCode::outside) return;
  if (!cuts || !(any & ClipCode::cut)) {
    to.objects[to.count++] = o;
    return;
  }
  if (any & user_planes) {
    // A distance that is no number cannot be cut at: the vertex is outside, and with it the object.
    for (unsigned n = 0; n < vertices; ++n)
      for (unsigned k = 0; k < 8; ++k)
        if (s.clip_distances >> k & 1 && !std::isfinite(distance_of(o.vertices[n], k))) return;
  }
  const Cutter cutter{s, o, {s, band}};
  if (o.kind == ObjectKind::line)
    clip_line(cutter, any & ClipCode::cut, arena, to);
  else
    clip_triangle(cutter, any & ClipCode::cut, arena, to);
}

}  // namespace vitro::pipeline
