// The table of topologies, and assembling. PRM: as topology.h. Worked example: with the last vertex provoking, strip
// 0 1 2 3 4 gives triangles 012, 213, 234: the odd one is turned so that its last vertex stays the last; with the first
// one provoking, 012, 132, 234.
#include "pipeline/topology.h"

#include "pipeline/topology_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace vitro::pipeline {
namespace {

using enum ObjectKind;
using Rule = ProvokingRule;

constexpr Topology rows[] = {
    {.code = 1, .name = "POINTLIST", .kind = point, .first = 1, .step = 1, .corners = 1, .back = {0}},
    {.code = 2,
     .name = "LINELIST",
     .kind = line,
     .first = 2,
     .step = 2,
     .corners = 2,
     .back = {1, 0},
     .provoking = Rule::line},
    {.code = 3,
     .name = "LINESTRIP",
     .kind = line,
     .first = 2,
     .step = 1,
     .corners = 2,
     .back = {1, 0},
     .provoking = Rule::line},
    {.code = 4,
     .name = "TRILIST",
     .first = 3,
     .step = 3,
     .corners = 3,
     .back = {2, 1, 0},
     .has_edge_flags = true,
     .provoking = Rule::strip_or_list},
    {.code = 5,
     .name = "TRISTRIP",
     .first = 3,
     .step = 1,
     .corners = 3,
     .back = {2, 1, 0},
     .alternates = true,
     .provoking = Rule::strip_or_list},
    {.code = 6,
     .name = "TRIFAN",
     .first = 3,
     .step = 1,
     .corners = 3,
     .back = {0, 1, 0},
     .hub = true,
     .provoking = Rule::fan},
    {.code = 7,
     .name = "QUADLIST",
     .first = 4,
     .step = 4,
     .corners = 4,
     .back = {3, 2, 1, 0},
     .has_edge_flags = true,
     .provoking = Rule::quad},
    {.code = 8,
     .name = "QUADSTRIP",
     .first = 4,
     .step = 2,
     .corners = 4,
     .back = {1, 3, 2, 0},
     .provoking = Rule::quad},
    {.code = 9,
     .name = "LINELIST_ADJ",
     .kind = line,
     .first = 4,
     .step = 4,
     .corners = 2,
     .back = {2, 1},
     .provoking = Rule::line},
    {.code = 10,
     .name = "LINESTRIP_ADJ",
     .kind = line,
     .first = 4,
     .step = 1,
     .corners = 2,
     .back = {2, 1},
     .provoking = Rule::line},
    {.code = 11,
     .name = "TRILIST_ADJ",
     .first = 6,
     .step = 6,
     .corners = 3,
     .back = {5, 3, 1},
     .provoking = Rule::strip_or_list},
    {.code = 12,
     .name = "TRISTRIP_ADJ",
     .first = 6,
     .step = 2,
     .corners = 3,
     .back = {5, 3, 1},
     .alternates = true,
     .provoking = Rule::strip_or_list},
    {.code = 13,
     .name = "TRISTRIP_REVERSE",
     .first = 3,
     .step = 1,
     .corners = 3,
     .back = {2, 1, 0},
     .alternates = true,
     .reversed = true,
     .provoking = Rule::strip_or_list},
    {.code = 14,
     .name = "POLYGON",
     .first = 3,
     .step = 1,
     .corners = 3,
     .back = {0, 1, 0},
     .hub = true,
     .has_edge_flags = true,
     .is_polygon = true},
    {.code = 15,
     .name = "RECTLIST",
     .kind = rectangle,
     .first = 3,
     .step = 3,
     .corners = 3,
     .back = {2, 1, 0},
     .provoking = Rule::strip_or_list},
    {.code = 16,
     .name = "LINELOOP",
     .kind = line,
     .first = 2,
     .step = 1,
     .corners = 2,
     .back = {1, 0},
     .closes = true,
     .provoking = Rule::line},
    {.code = 17,
     .name = "POINTLIST_BF",
     .kind = point,
     .first = 1,
     .step = 1,
     .corners = 1,
     .back = {0},
     .back_facing = true},
    {.code = 18,
     .name = "LINESTRIP_CONT",
     .kind = line,
     .first = 2,
     .step = 1,
     .corners = 2,
     .back = {1, 0},
     .continues = true,
     .provoking = Rule::line},
    {.code = 19,
     .name = "LINESTRIP_BF",
     .kind = line,
     .first = 2,
     .step = 1,
     .corners = 2,
     .back = {1, 0},
     .back_facing = true,
     .provoking = Rule::line},
    {.code = 20,
     .name = "LINESTRIP_CONT_BF",
     .kind = line,
     .first = 2,
     .step = 1,
     .corners = 2,
     .back = {1, 0},
     .continues = true,
     .back_facing = true,
     .provoking = Rule::line},
    {.code = 22,
     .name = "TRIFAN_NOSTIPPLE",
     .first = 3,
     .step = 1,
     .corners = 3,
     .back = {0, 1, 0},
     .hub = true,
     .provoking = Rule::fan},
};

constexpr unsigned first_patch_list = 32;

}  // namespace

std::string topology_name(unsigned code) {
  for (const Topology& t : rows)
    if (t.code == code) return std::string(t.name);
  if (code >= first_patch_list && code < 64) return fmt::format("PATCHLIST_{}", code - first_patch_list + 1);
  return {};
}

tl::expected<const Topology*, Fault> find_topology(unsigned code) {
  for (const Topology& t : rows)
    if (t.code == code) return &t;
  if (const std::string name = topology_name(code); !name.empty())
    return tl::unexpected(unsupported_fault(fmt::format("topology {}", name)));
  return tl::unexpected(Fault{.reason = fmt::format("topology {} is reserved", code)});
}

Provoking provoking_of(const commands::three_d::Sf& sf) {
  const auto at_most = [](uint8_t v, uint8_t most) { return std::min(v, most); };
  return {.line = at_most(sf.line_strip_list_provoking_vertex_select, 1),
          .strip_or_list = at_most(sf.triangle_strip_list_provoking_vertex_select, 2),
          .fan = at_most(sf.triangle_fan_provoking_vertex_select, 2)};
}

uint8_t provoking_corner(const Topology& t, const Provoking& p) {
  return t.provoking == Rule::fan ? p.fan : p.strip_or_list;
}

Object Assembler::line(const Corner& from, const Corner& to, bool begins) const {
  Object o{.kind = ObjectKind::line, .vertices = {from.vue, to.vue, nullptr}, .primitive_id = primitive_id_};
  o.provoking = provoking_.line;
  o.flat = o.vertices[o.provoking];
  o.strip_begins = begins, o.back_facing = topology_->back_facing;
  return o;
}

unsigned Assembler::complete(bool end, std::array<Object, 3>& objects) {
  const Topology& t = *topology_;
  const uint32_t number = number_ - 1;
  unsigned count = 0;
  if (t.completes(number)) {
    const uint32_t nth = (number_ - t.first) / t.step;
    if (t.kind == ObjectKind::point) {
      const Slot* v = corner(0).vue;
      objects[count++] = {.kind = t.kind,
                          .vertices = {v, nullptr, nullptr},
                          .flat = v,
                          .primitive_id = primitive_id_,
                          .back_facing = t.back_facing};
    } else if (t.kind == ObjectKind::line) {
      objects[count++] = line(corner(0), corner(1), t.is_list() || (nth == 0 && !t.continues));
    } else if (t.corners == 4) {
      // The way round is 0 1 2 3; the diagonal 1 3 is not drawn.
      const Corner a = corner(0), b = corner(1), c = corner(2), d = corner(3);
      objects[count++] = triangle({a, {b.vue, false}, d}, false, 2);
      objects[count++] = triangle({b, c, {d.vue, false}}, false, 2);
      if (!t.has_edge_flags) objects[0].edges = 0b101, objects[1].edges = 0b011;
    } else if (t.is_polygon) {
      const Corner hub{corner(0).vue, corner(0).edge && nth == 0}, last{corner(2).vue, corner(2).edge && end};
      objects[count++] = triangle({hub, corner(1), last}, false, 0);
    } else {
      objects[count++] = triangle({corner(0), corner(1), corner(2)}, t.turns(nth), provoking_corner(t, provoking_));
    }
    if (!t.is_polygon || end) ++primitive_id_, ++counted_;
  }
  if (t.closes && end && number_ >= 2) {
    objects[count++] = line(recent(0), hub_, false);
    ++primitive_id_, ++counted_;
  }
  return count;
}

uint64_t objects_of(const Topology& t, uint64_t vertices) {
  if (vertices < t.first) return 0;
  if (t.is_polygon) return 1;
  return (vertices - t.first) / t.step + 1 + t.closes;
}

}  // namespace vitro::pipeline
