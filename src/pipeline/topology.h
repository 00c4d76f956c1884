// Topologies: how a stream of vertices becomes objects. PRM: Gen8 vol 7 "3D Primitives Overview", 3D_Prim_Topo_Type;
// provoking vertices: 3DSTATE_SF. One table says for each topology when an object is complete, which vertices it has
// and in which order; the assembler walks it. A strip begins anew after a cut; vertices that do not complete an object
// are dropped. Of topologies with adjacency the adjacent vertices are left out, as the clipper does; patches need a
// hull shader and are refused. Quads are drawn as two triangles that share the provoking vertex, which is the last one
// whatever the state says; a polygon's is the first one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "base/fault.h"
#include "commands/three_d.h"
#include "pipeline/object.h"

namespace vitro::pipeline {

enum class ProvokingRule : uint8_t { first, line, strip_or_list, fan, quad };

struct Topology {
  uint8_t code = 0;
  std::string_view name{};
  ObjectKind kind = ObjectKind::triangle;
  uint8_t first = 0, step = 0;  // vertices up to the first object, and for each further one
  uint8_t corners = 0;
  std::array<uint8_t, 4> back{};  // which vertices: so many before the newest one, or...
  bool hub = false;               // ...the strip's first one as the first corner
  bool alternates = false;        // every other triangle is the wrong way round
  bool reversed = false;          // and it is the even ones
  bool closes = false;            // the last vertex is joined with the first
  bool has_edge_flags = false;
  bool is_polygon = false;   // all triangles are one object, with no edges inside
  bool continues = false;    // the stipple pattern goes on from the strip before
  bool back_facing = false;  // points and lines of polygons that face back
  ProvokingRule provoking = ProvokingRule::first;

  bool is_list() const { return first == step; }
  // Each object is a triangle of its own, whatever follows.
  bool is_triangles() const { return kind == ObjectKind::triangle && corners == 3 && !is_polygon; }
  // The one that the vertex with this number in its strip completes: whether its corners are the wrong way round.
  bool turns(uint32_t nth) const { return alternates && (nth % 2 == 1) != reversed; }
  // How many vertices before the newest an object may need.
  unsigned lead(uint32_t number) const { return is_list() ? number % step : number < first ? number : first - 1u; }
  // Whether the vertex with this number in its strip completes an object.
  bool completes(uint64_t number) const { return number + 1 >= first && (number + 1 - first) % step == 0; }
};
// Refused by name: patches.
tl::expected<const Topology*, Fault> find_topology(unsigned code);

// Which corner, in the order of the stream, is provoking.
struct Provoking {
  uint8_t line = 0, strip_or_list = 0, fan = 0;
};
Provoking provoking_of(const commands::three_d::Sf& sf);
// Of a triangle, in the order of the stream.
uint8_t provoking_corner(const Topology& topology, const Provoking& provoking);

// How a triangle's corners, which come in the order of the stream, go round. Of one that is the wrong way round, two
// corners that are not provoking change places.
struct CornerOrder {
  std::array<uint8_t, 3> at{0, 1, 2};
  uint8_t provoking = 0;  // which of them is
};
constexpr CornerOrder corner_order(bool turned, uint8_t provoking) {
  CornerOrder o;
  if (turned) o.at = provoking == 2 ? std::array<uint8_t, 3>{1, 0, 2} : std::array<uint8_t, 3>{0, 2, 1};
  for (uint8_t n = 0; n < 3; ++n)
    if (o.at[n] == provoking) o.provoking = n;
  return o;
}

// A vertex of the stream.
struct Corner {
  const Slot* vue = nullptr;
  bool edge = true;  // to the next one, is drawn
};

// A triangle, without what the clipper adds.
inline Object triangle_of(const Topology& topology, const std::array<Corner, 3>& c, const CornerOrder& order,
                          uint32_t primitive_id) {
  Object o{.kind = topology.kind, .primitive_id = primitive_id};
  for (unsigned n = 0; n < 3; ++n) o.vertices[n] = c[order.at[n]].vue;
  o.provoking = order.provoking;
  o.flat = o.vertices[o.provoking];
  if (topology.has_edge_flags) o.edges = uint8_t(c[0].edge | c[1].edge << 1 | c[2].edge << 2);
  return o;
}

class Assembler {
 public:
  Assembler(const Topology& topology, Provoking provoking) : topology_(&topology), provoking_(provoking) {}

  // The next vertex; `start` begins a strip and `end` ends it. Objects go to sink(const Object&), without what the
  // clipper adds.
  template <class Sink>
  void push(const Corner& corner, bool start, bool end, Sink&& sink) {
    if (start) number_ = 0;
    remember(corner);
    std::array<Object, 3> objects;
    const unsigned count = complete(end, objects);
    for (unsigned n = 0; n < count; ++n) sink(static_cast<const Object&>(objects[n]));
  }
  // A vertex whose objects others have seen to.
  void remember(const Corner& corner) {
    if (number_ == 0) hub_ = corner;
    recent_[number_++ % recent_.size()] = corner;
  }
  // Goes on in the middle of a strip: behind its first vertex, before that with the given number.
  void resume(uint32_t number) { number_ = number; }
  void set_primitive_id(uint32_t id) { primitive_id_ = id; }
  // Of objects so far, a quad or a polygon being one.
  uint64_t counted() const { return counted_; }

 private:
  unsigned complete(bool end, std::array<Object, 3>& objects);
  Object triangle(const std::array<Corner, 3>& corners, bool turned, uint8_t provoking) const {
    return triangle_of(*topology_, corners, corner_order(turned, provoking), primitive_id_);
  }
  Object line(const Corner& from, const Corner& to, bool begins) const;
  const Corner& recent(unsigned back) const { return recent_[(number_ - 1 - back) % recent_.size()]; }
  const Corner& corner(unsigned n) const { return n == 0 && topology_->hub ? hub_ : recent(topology_->back[n]); }

  const Topology* topology_;
  Provoking provoking_;
  std::array<Corner, 8> recent_{};
  Corner hub_{};
  uint32_t number_ = 0;  // of vertices in the strip
  uint32_t primitive_id_ = 0;
  uint64_t counted_ = 0;
};

// How many objects a strip of so many vertices has.
uint64_t objects_of(const Topology& topology, uint64_t vertices);

}  // namespace vitro::pipeline
