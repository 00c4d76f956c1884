// The clipper: what of an object may be seen. PRM: Gen8 vol 7 "Clip Stage"; 3DSTATE_CLIP, 3DSTATE_RASTER (Z tests),
// SF_CLIP_VIEWPORT (guard band). An object that lies outside of one plane as a whole is rejected, one that lies inside
// of all is accepted; only what leaves the guard band, the depth range or a user's half space is cut. Objects with a
// position that is no finite number are bad and dropped. W is kept above a very small number wherever anything is
// clipped. Rectangles are never clipped, nor is anything while the perspective divide is off; points are kept or
// dropped by their centre, and the guard band does not concern them.
// New vertices get attributes that are interpolated in clip space; their header is the first vertex's. Constant
// attributes come from Object::flat, and Object::linear takes care of linear barycentrics, where both ends of an edge
// that is cut have a positive W (there is no place in screen space for others, and clip space is used). Edges along a
// user's plane are drawn in wireframe, those along the view volume are not.
// Not modelled: early culling, which setup does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "commands/three_d.h"
#include "pipeline/arena.h"
#include "pipeline/draw.h"
#include "pipeline/object.h"

namespace vitro::pipeline {

// What the clipper of a draw does.
struct ClipState {
  bool passes = false;   // everything, untouched
  bool rejects = false;  // everything
  bool tests = false;    // else only bad objects are dropped
  bool tests_viewport = false, tests_guardband = false, tests_near = false, tests_far = false;
  bool near_is_zero = false;  // 0 <= z instead of -w <= z
  bool linear = false;        // linear barycentrics are needed
  uint8_t clip_distances = 0, cull_distances = 0;
  bool zero_layer = false;
  uint8_t last_viewport = 0;
  bool point_width_from_vertex = false;
  float point_width = 1, least_point_width = 0, most_point_width = 0;
  struct Guardband {
    float x_min = -1, x_max = 1, y_min = -1, y_max = 1;
  };
  std::array<Guardband, state::most_viewports> guardbands{};
};
ClipState make_clip_state(const Draw& draw);

// Planes, as bits: 4 of the sides, near, far, W, and 8 of the user's.
inline constexpr unsigned plane_count = 15, most_corners = 3 + plane_count;

// Objects that one object becomes: a fan.
struct Clipped {
  std::array<Object, most_corners> objects;
  unsigned count = 0;
};
// Fills in what comes from an object's header: layer, viewport and point width.
void read_header(const ClipState& state, Object& object);
// `object` has vertices of object.slots slots, at least four. Reads headers.
void clip(const ClipState& state, Object object, Arena& arena, Clipped& to);

}  // namespace vitro::pipeline
