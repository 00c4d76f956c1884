// What the stages before the rasteriser hand on: objects (points, lines, triangles, rectangles) made of vertices in the
// URB. PRM: Gen8 vol 7 "3D Pipeline", "Vertex URB Entry (VUE) Formats". A VUE is a row of slots of four dwords: slot 0
// is the header (render target array index, viewport index, point width), slot 1 the position in clip space, slots 2
// and 3 may be clip and cull distances, and the rest are attributes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace vitro::pipeline {

using Slot = std::array<uint32_t, 4>;

// Dwords of slot 0.
inline constexpr size_t vue_layer = 1, vue_viewport = 2, vue_point_width = 3;
inline float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

enum class ObjectKind : uint8_t { point, line, triangle, rectangle };
constexpr unsigned vertices_of(ObjectKind k) { return k == ObjectKind::point ? 1 : k == ObjectKind::line ? 2 : 3; }

// Where the linear barycentrics of a clipped object begin: those of its three vertices, in terms of its own vertices.
// Attributes of new vertices are interpolated in clip space, which is right with perspective. Without it they would
// have to be taken in screen space; but all attributes stand in one VUE and only the pixel shader knows which is which.
// So what differs is put into the barycentrics: at vertex k they are at[k], instead of (0, 0), (1, 0) and (0, 1).
struct LinearWeights {
  std::array<std::array<float, 2>, 3> at{};
};

// Three vertices of a rectangle (RECTLIST): the fourth is implied, v0 - v1 + v2.
struct Object {
  ObjectKind kind = ObjectKind::triangle;
  std::array<const Slot*, 3> vertices{};  // their VUEs, in the order that gives the winding
  const Slot* flat = nullptr;  // the VUE constant attributes come from: the provoking vertex, before clipping
  const LinearWeights* linear = nullptr;  // of a clipped object, if the clipper is to see to linear barycentrics
  uint16_t slots = 0;                     // that may be read of each VUE
  uint8_t provoking = 0;                  // which of the vertices is provoking; if it was cut off, any of them
  uint8_t edges = 7;                      // bit k: the edge from vertex k to the next is drawn in wireframe
  uint32_t primitive_id = 0;
  uint16_t layer = 0;    // render target array index; already zero where state or a header that is not written says so
  uint8_t viewport = 0;  // already clamped
  float point_width = 1;
  bool back_facing = false;   // of a point or line: the polygon that it stands for does
  bool strip_begins = false;  // of a line: the stipple pattern begins anew
  bool strip_ends = true;     // of a line: no other follows in its strip, so that it may have a last pixel
};

}  // namespace vitro::pipeline
