// Setup. PRM: as in the header. Planes are computed in double and stored as floats around an origin in the middle of
// the pixels that may be drawn, so that their error does not grow with the distance of vertices in the guard band: at a
// pixel d away from the origin it is a few 2^-24 of the value's range over d pixels.
#include "pipeline/setup.h"

#include <algorithm>
#include <cmath>

namespace vitro::pipeline {

namespace {

struct Vertex {
  double x = 0, y = 0;  // in pixels, as snapped
  double z = 0, inverse_w = 1;
  int32_t fixed_x = 0, fixed_y = 0;
};

int32_t within(int64_t at) {
  constexpr int64_t farthest = int64_t(farthest_px) * subpixels;
  return int32_t(std::clamp(at, -farthest, farthest));
}

bool transform(const RasterState& s, const Object& o, unsigned n, Vertex& v) {
  const Slot& p = o.vertices[n][1];
  ScreenPlace<double> at;
  at.set(s, s.draw->objects.viewports[o.viewport % state::most_viewports], o.kind == ObjectKind::rectangle,
         double(float_of(p[0])), double(float_of(p[1])), double(float_of(p[2])), double(float_of(p[3])));
  double zero, x, y;
  at.finite(zero);
  if (!(zero == 0)) return false;
  snap(s, at.x, s.offset_x, x);
  snap(s, at.y, s.offset_y, y);
  v.fixed_x = int32_t(x), v.fixed_y = int32_t(y);
  const auto place = [](double px, double fixed, int32_t offset) {
    return std::abs(px) < farthest_px ? fixed / subpixels : px + double(offset) / subpixels;
  };
  v.x = place(at.x, x, s.offset_x);
  v.y = place(at.y, y, s.offset_y);
  v.z = at.z;
  v.inverse_w = at.inverse_w;
  return true;
}
Vertex vertex_of(const ScreenVertex& v) {
  return {double(v.x) / subpixels, double(v.y) / subpixels, v.z, v.inverse_w, v.x, v.y};
}

using Point = ScreenPoint;

// An edge of a polygon whose inside is to the right of it, seen on a screen with y downwards. Places on it belong to
// the polygon if the rule says so: left and upper edges do.
Edge edge(Point s, Point t) {
  const int32_t a = s.y - t.y, b = t.x - s.x;
  const bool belongs = a > 0 || (a == 0 && b > 0);
  return {a, b, -(int64_t(a) * s.x + int64_t(b) * s.y) - !belongs};
}

// False if none is left within the limits.
bool bound(const RasterState& s, std::span<const Point> points, int32_t margin, RasterPrimitive& p) {
  const Rectangle r = bounds_of(*p.tests, points, margin);
  p.bounds = overlap(r, s.limits[p.primitive.object.viewport % state::most_viewports]);
  p.cut = !(p.bounds == r);
  p.primitive.origin_x = float((p.bounds.x0 + p.bounds.x1) / 2);
  p.primitive.origin_y = float((p.bounds.y0 + p.bounds.y1) / 2);
  return !p.bounds.empty();
}

// A value's plane in double, at the origin of the screen.
struct Linear {
  double dx = 0, dy = 0, c = 0;
};
Linear operator*(const Linear& l, double k) { return {l.dx * k, l.dy * k, l.c * k}; }
Linear operator+(const Linear& l, const Linear& m) { return {l.dx + m.dx, l.dy + m.dy, l.c + m.c}; }
Linear operator+(const Linear& l, double k) { return {l.dx, l.dy, l.c + k}; }

// c is measured at the vertex (x, y), and becomes the value at the origin of the primitive.
Plane plane(const Primitive& p, const Linear& l, double x, double y) {
  return {float(l.dx), float(l.dy), float(l.c + l.dx * (p.origin_x - x) + l.dy * (p.origin_y - y))};
}

// Planes of a primitive from those of its barycentrics, whose c are measured at (x, y).
void set_planes(Primitive& p, std::span<const Vertex, 3> v, const Linear& l1, const Linear& l2, double x, double y,
                double depth_offset) {
  const Plane p1 = plane(p, l1, x, y), p2 = plane(p, l2, x, y);
  p.l1 = p.n1 = p1, p.l2 = p.n2 = p2;
  if (const LinearWeights* w = p.object.linear) {
    const auto weight = [&](size_t n) {
      const double at0 = w->at[0][n];
      return plane(p, l1 * (w->at[1][n] - at0) + l2 * (w->at[2][n] - at0) + at0, x, y);
    };
    p.n1 = weight(0), p.n2 = weight(1);
  }
  p.z = plane(p, l1 * (v[1].z - v[0].z) + l2 * (v[2].z - v[0].z) + (v[0].z + depth_offset), x, y);
  p.inverse_w =
      plane(p, l1 * (v[1].inverse_w - v[0].inverse_w) + l2 * (v[2].inverse_w - v[0].inverse_w) + v[0].inverse_w, x, y);
  p.inverse_ws = {float(v[0].inverse_w), float(v[1].inverse_w), float(v[2].inverse_w)};
}

struct Slopes {
  Linear l1{}, l2{};  // with c measured at the first vertex
};
Slopes slopes(std::span<const Vertex, 3> v) {
  const double x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y, x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y;
  const double area = x1 * y2 - y1 * x2;
  if (area == 0) return {};
  const double k = 1 / area;
  return {{y2 * k, -x2 * k, 0}, {-y1 * k, x1 * k, 0}};
}

// The global depth offset of 3DSTATE_RASTER: constant * r + scale * slope, clamped.
double depth_offset(const RasterState& s, std::span<const Vertex, 3> v, const Slopes& l, FillMode fill) {
  const commands::three_d::Raster& r = s.draw->state.raster;
  const std::array<bool, 3> enables = {r.global_depth_offset_enable_solid, r.global_depth_offset_enable_wireframe,
                                       r.global_depth_offset_enable_point};
  if (!enables[size_t(fill)]) return 0;
  const double z1 = v[1].z - v[0].z, z2 = v[2].z - v[0].z;
  const double slope = std::max(std::abs(l.l1.dx * z1 + l.l2.dx * z2), std::abs(l.l1.dy * z1 + l.l2.dy * z2));
  double unit = s.depth_unit;
  if (s.draw->state.sf.legacy_global_depth_bias_enable) {
    unit = 1;
  } else if (unit == 0) {  // of floats: a step of the mantissa at the greatest depth
    const double z = std::max({std::abs(v[0].z), std::abs(v[1].z), std::abs(v[2].z)});
    unit = z > 0 ? std::ldexp(1.0, std::max(std::ilogb(z), -126) - 23) : 0x1p-149;
  }
  double offset = r.global_depth_offset_constant * unit + r.global_depth_offset_scale * slope;
  const double clamp = r.global_depth_offset_clamp;
  if (clamp > 0) offset = std::min(offset, clamp);
  if (clamp < 0) offset = std::max(offset, clamp);
  return std::isfinite(offset) ? offset : 0;
}

// All but the object. Member by member: what a triangle has not, and nobody looks at, is more than what it has.
void begin(RasterPrimitive& p, const RasterState& s, ObjectKind drawn_as, bool back_facing) {
  p.shape = Shape::edges;
  p.edge_count = 0;
  p.cut = p.stippled = false;
  if (drawn_as == ObjectKind::line) p.stroke = {};
  p.primitive.drawn_as = drawn_as;
  p.primitive.back_facing = back_facing;
  p.state = &s;
  p.tests = drawn_as == ObjectKind::triangle || drawn_as == ObjectKind::rectangle ? &s.polygon_tests : &s.tests;
}

// A polygon of three or four corners, in either order.
bool polygon(RasterPrimitive& p, const RasterState& s, std::span<const Point> corners, bool conservative) {
  if (!bound(s, corners, conservative ? subpixels / 2 : 0, p)) return false;
  const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
  if (area == 0 && !conservative) return false;  // else it touches pixels all the same
  p.cut |= conservative;
  const size_t n = corners.size();
  p.edge_count = uint8_t(n);
  for (size_t k = 0; k < n; ++k) {
    const Point s0 = corners[k], t0 = corners[(k + 1) % n];
    Edge e = area > 0 ? edge(s0, t0) : edge(t0, s0);
    // A pixel that the polygon touches at all: the edge moves by half a pixel in both directions.
    if (conservative) {
      const bool belongs = e.a > 0 || (e.a == 0 && e.b > 0);
      e.c += !belongs + (std::abs(int64_t(e.a)) + std::abs(int64_t(e.b))) * (subpixels / 2);
    }
    p.edges[k] = e;
  }
  return true;
}

// A line between two vertices of an object; first and second say which. Barycentrics go along the line, and are
// constant across it. With a stipple pattern it is kept even if nothing of it is to be seen, for the pattern's counter.
bool line(RasterPrimitive& p, const RasterState& s, std::span<const Vertex, 3> v, unsigned first, unsigned second,
          double offset) {
  const Vertex &from = v[first], &to = v[second];
  Stroke& k = p.stroke;
  k.x0 = from.fixed_x, k.y0 = from.fixed_y, k.x1 = to.fixed_x, k.y1 = to.fixed_y;
  p.stippled = s.stippled_lines;
  const Point ends[2] = {{k.x0, k.y0}, {k.x1, k.y1}};
  const double dx = double(k.x1) - k.x0, dy = double(k.y1) - k.y0, length = std::hypot(dx, dy);
  const int32_t half = s.half_line_width;
  if (s.thin_lines) {
    p.shape = Shape::thin_line;
    if (!bound(s, ends, subpixels, p)) return p.stippled;
  } else if (length == 0) {
    return false;
  } else if (s.antialiased_lines) {
    p.shape = Shape::antialiased_line;
    const float region = std::max(s.antialiasing_width, s.end_cap_width);
    if (!bound(s, ends, half + int32_t(region * subpixels) + subpixels, p)) return p.stippled;
  } else {
    // With multisampling a rectangle; without, ends are parallel to the minor axis.
    const bool on = s.mode == RasterMode::on_pixel || s.mode == RasterMode::on_pattern;
    int64_t across_x = k.x_major() ? 0 : half, across_y = k.x_major() ? half : 0;
    if (on) across_x = std::llround(-dy / length * half), across_y = std::llround(dx / length * half);
    const auto corner = [&](const Point& q, int side) {
      return Point{within(q.x + side * across_x), within(q.y + side * across_y)};
    };
    const Point corners[4] = {corner(ends[0], -1), corner(ends[1], -1), corner(ends[1], 1), corner(ends[0], 1)};
    if (!polygon(p, s, corners, false)) return p.stippled;
  }
  const double x = to.x - from.x, y = to.y - from.y, square = x * x + y * y;
  const Linear t = square > 0 ? Linear{x / square, y / square, 0} : Linear{};
  const Linear weights[3] = {{}, t, t * -1 + 1.0};
  const auto weight = [&](unsigned n) { return weights[n == second ? 1 : n == first ? 2 : 0]; };
  set_planes(p.primitive, v, weight(1), weight(2), from.x, from.y, offset);
  return true;
}

bool point(RasterPrimitive& p, const RasterState& s, std::span<const Vertex, 3> v, unsigned vertex, float width,
           double offset) {
  if (!(width > 0)) return false;
  const int32_t half = std::max(1, int32_t(std::min(width, 255.875f) * (subpixels / 2)));
  const int32_t x = v[vertex].fixed_x, y = v[vertex].fixed_y;
  if (s.round_points) {
    p.shape = Shape::disc;
    p.stroke = {.x0 = x, .y0 = y, .x1 = half, .y1 = 0};
    const Point centre[1] = {{x, y}};
    if (!bound(s, centre, half + subpixels, p)) return false;
  } else {
    const Point corners[4] = {{within(x - half), within(y - half)},
                              {within(x + half), within(y - half)},
                              {within(x + half), within(y + half)},
                              {within(x - half), within(y + half)}};
    if (!polygon(p, s, corners, false)) return false;
    if (s.draw->state.wm.point_rasterization_rule)
      p.edges[1].c += 1, p.edges[3].c -= 1;  // the right edge, not the left
  }
  const Linear l1{0, 0, vertex == 1 ? 1.0 : 0}, l2{0, 0, vertex == 2 ? 1.0 : 0};
  set_planes(p.primitive, v, l1, l2, v[vertex].x, v[vertex].y, offset);
  const double size = 2.0 * half / subpixels;
  p.primitive.sprite_s = plane(p.primitive, {1 / size, 0, 0.5}, v[vertex].x, v[vertex].y);
  p.primitive.sprite_t = plane(p.primitive, {0, 1 / size, 0.5}, v[vertex].x, v[vertex].y);
  return true;
}

float point_width(const RasterState& s, float of_vertex) {
  const commands::three_d::Sf& sf = s.draw->state.sf;
  return sf.point_width_source ? float(sf.point_width) / 8 : of_vertex;
}
// Of a polygon's corner, which the clipper did not see as a point.
float corner_width(const RasterState& s, float of_vertex) {
  const commands::three_d::Clip& c = s.draw->state.clip;
  const float least = float(c.minimum_point_width) / 8, most = float(c.maximum_point_width) / 8;
  return point_width(s, c.clip_enable ? std::min(of_vertex >= least ? of_vertex : least, most) : of_vertex);
}

using Corners = std::array<Point, 3>;
Corners corners_of(std::span<const Vertex, 3> v) {
  return {{{v[0].fixed_x, v[0].fixed_y}, {v[1].fixed_x, v[1].fixed_y}, {v[2].fixed_x, v[2].fixed_y}}};
}

bool solid_triangle(RasterPrimitive& p, const RasterState& s, const Object& o, std::span<const Vertex, 3> v,
                    const Corners& corners, bool back) {
  begin(p, s, ObjectKind::triangle, back);
  p.primitive.object.viewport = o.viewport, p.primitive.object.linear = o.linear;
  if (!polygon(p, s, corners, s.conservative)) return false;
  p.stippled = s.stippled_polygons;
  const Slopes l = slopes(v);
  set_planes(p.primitive, v, l.l1, l.l2, v[0].x, v[0].y, depth_offset(s, v, l, FillMode::solid));
  p.primitive.object = o;  // late: it has only just been written, member by member, and reading all of it would wait
  return true;
}

unsigned triangle(const RasterState& s, const Object& o, std::span<const Vertex, 3> v,
                  std::span<RasterPrimitive, 3> out) {
  const commands::three_d::Raster& r = s.draw->state.raster;
  const Corners corners = corners_of(v);
  const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
  if (is_culled(r, area)) return 0;
  const bool back = is_back_facing(r, area);
  const FillMode fill = FillMode(back ? r.back_face_fill_mode : r.front_face_fill_mode);
  if (fill == FillMode::solid && !s.conservative &&
      covers_nothing(s, o.viewport % state::most_viewports, area, corners))
    return 0;
  if (fill == FillMode::solid) return solid_triangle(out[0], s, o, v, corners, back);
  const Slopes l = slopes(v);
  const double offset = depth_offset(s, v, l, fill);
  unsigned made = 0;
  bool first = true;
  for (unsigned k = 0; k < 3; ++k) {
    if (!(o.edges >> k & 1)) continue;  // a point is drawn where an edge begins
    RasterPrimitive& p = out[made];
    begin(p, s, fill == FillMode::wireframe ? ObjectKind::line : ObjectKind::point, back);
    p.primitive.object = o;
    if (fill == FillMode::wireframe) {
      p.stroke.stipple_anew = first;
      if (line(p, s, v, k, (k + 1) % 3, offset)) ++made;
      first = false;
    } else {
      // From here on it is a point, with a sprite's coordinates and all; only constant attributes stay the triangle's.
      p.primitive.object.kind = ObjectKind::point;
      p.primitive.object.vertices = {o.vertices[k], o.vertices[k], o.vertices[k]};
      if (point(p, s, v, k, corner_width(s, float_of(o.vertices[k][0][vue_point_width])), offset)) ++made;
    }
  }
  return made;
}

}  // namespace

int stipple_pixel(int32_t at, int16_t location, bool forward) {
  return forward ? (at - location + subpixels - 1) >> subpixel_bits : (at - location) >> subpixel_bits;
}

uint32_t stipple_steps(const RasterState& s, const Stroke& k) {
  const bool x = k.x_major();
  const int32_t from = x ? k.x0 : k.y0, to = x ? k.x1 : k.y1;
  const int16_t location = x ? s.location.x : s.location.y;
  const bool forward = to >= from;
  return uint32_t(std::abs(stipple_pixel(to, location, forward) - stipple_pixel(from, location, forward)));
}

unsigned set_up(const RasterState& s, const Object& o, const ScreenCorners& at, std::span<RasterPrimitive, 3> out) {
  const std::array<Vertex, 3> v = {vertex_of(*at[0]), vertex_of(*at[1]), vertex_of(*at[2])};
  const Corners corners = corners_of(v);
  const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
  return solid_triangle(out[0], s, o, v, corners, is_back_facing(s.draw->state.raster, area));
}

unsigned set_up(const RasterState& s, const Object& o, std::span<RasterPrimitive, 3> out) {
  std::array<Vertex, 3> v{};
  const unsigned vertices = vertices_of(o.kind);
  for (unsigned n = 0; n < vertices; ++n)
    if (!transform(s, o, n, v[n])) return 0;
  for (unsigned n = vertices; n < 3; ++n) v[n] = v[0];
  switch (o.kind) {
    case ObjectKind::triangle: return triangle(s, o, v, out);
    case ObjectKind::rectangle: {  // never culled, faces forward
      begin(out[0], s, o.kind, false);
      out[0].primitive.object = o;
      const Point implied{within(int64_t(v[0].fixed_x) - v[1].fixed_x + v[2].fixed_x),
                          within(int64_t(v[0].fixed_y) - v[1].fixed_y + v[2].fixed_y)};
      const Point corners[4] = {
          {v[0].fixed_x, v[0].fixed_y}, {v[1].fixed_x, v[1].fixed_y}, {v[2].fixed_x, v[2].fixed_y}, implied};
      if (!polygon(out[0], s, corners, s.conservative)) return 0;
      out[0].stippled = s.stippled_polygons;
      const Slopes l = slopes(v);
      set_planes(out[0].primitive, v, l.l1, l.l2, v[0].x, v[0].y, 0);
      return 1;
    }
    case ObjectKind::line:
      begin(out[0], s, o.kind, o.back_facing);
      out[0].primitive.object = o;
      out[0].stroke.stipple_anew = o.strip_begins;
      out[0].stroke.last_pixel = s.draw->state.sf.last_pixel_enable && o.strip_ends;
      return line(out[0], s, v, 0, 1, 0);
    case ObjectKind::point:
      begin(out[0], s, o.kind, o.back_facing);
      out[0].primitive.object = o;
      return point(out[0], s, v, 0, point_width(s, o.point_width), 0);
  }
  return 0;
}

}  // namespace vitro::pipeline
