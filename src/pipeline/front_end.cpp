// Chunks of a draw, and running one. PRM: as front_end.h.
#include "pipeline/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pipeline/clip_codes.h"
#include "pipeline/slots_read.h"

namespace vitro::pipeline {
namespace {

constexpr size_t vs_stage = size_t(state::ShaderStage::vs);

// Numbers of strips and objects at the start of each slice, where a cut may be anywhere. False: told to stop, which is
// asked between slices.
bool find_starts(Front& f, memory::View& memory, const std::function<bool()>* stop) {
  uint64_t number = 0, objects = 0;
  uint32_t id = 0;
  const Topology& t = *f.topology;
  const auto end_strip = [&] {
    if (t.closes && number >= 2) ++objects, ++id;
    if (t.is_polygon && number >= t.first) ++objects, ++id;
    number = 0;
  };
  std::vector<uint32_t> ids(f.slice());
  for (uint64_t p = 0; p < f.stream.count; ++p) {
    const size_t nth = p % ids.size();
    if (nth == 0) {
      if (p && stop && *stop && (*stop)()) return false;
      f.starts.push_back({uint32_t(number), id});
      f.stream.read(memory, uint32_t(p), std::span(ids).first(std::min<size_t>(ids.size(), f.stream.count - p)));
    }
    if (f.stream.is_cut(ids[nth])) {
      end_strip();
      continue;
    }
    if (t.completes(number) && !t.is_polygon) ++objects, ++id;
    ++number;
  }
  end_strip();
  f.objects = objects;
  return true;
}

struct Stages {
  bool enabled;
  const char* name;
};

}  // namespace

uint64_t Front::chunks() const {
  if (stream.count == 0 || instances == 0) return 0;
  if (stream.count <= chunk_vertices) {
    const uint64_t each = chunk_vertices / stream.count;
    return (instances + each - 1) / each;
  }
  return (uint64_t(stream.count) + slice() - 1) / slice() * instances;
}

VertexChunk Front::chunk(uint64_t n) const {
  VertexChunk c;
  if (stream.count <= chunk_vertices) {
    const uint32_t each = chunk_vertices / stream.count;
    c.instance = uint32_t(n * each);
    c.instances = std::min(each, instances - c.instance);
    c.count = stream.count;
    return c;
  }
  const uint64_t slices = (uint64_t(stream.count) + slice() - 1) / slice();
  const uint64_t nth = n % slices;
  c.instance = uint32_t(n / slices);
  c.first = uint32_t(nth * slice());
  c.count = std::min(slice(), stream.count - c.first);
  if (stream.has_cut) {
    c.number = starts[nth].number;
    c.primitive_id = starts[nth].primitive_id;
  } else {
    c.number = c.first;
    // of the objects that are complete; a loop is closed and a polygon ends only at the end
    if (c.first >= topology->first && !topology->is_polygon)
      c.primitive_id = (c.first - topology->first) / topology->step + 1;
  }
  return c;
}

tl::expected<void, Fault> set_vertices(Front& f, const Draw& draw, const commands::three_d::Primitive& primitive,
                                       memory::View& memory) {
  auto stream = make_vertex_stream(draw.state, primitive, memory);
  if (!stream) return tl::unexpected(std::move(stream.error()));
  f.stream = *stream;
  f.caches = f.stream.random && !draw.state.vs.vertex_cache_disable;
  f.input.start_instance = primitive.start_instance_location;
  f.instances = primitive.instance_count;
  f.objects = 0;
  f.starts.clear();
  if (!f.instances || !f.stream.count) return {};
  if (!f.stream.has_cut)
    f.objects = objects_of(*f.topology, f.stream.count);
  else if (!find_starts(f, memory, draw.stop))
    return tl::unexpected(abandoned_fault());
  return {};
}

tl::expected<void, Fault> set_draw(Front& f, const Draw& draw, const commands::three_d::Primitive& primitive,
                                   memory::View& memory, bool same_input) {
  const state::Pipeline& s = draw.state;
  const Stages refused[] = {{s.hs.enable, "hull shader"},
                            {s.te.te_enable, "tessellator"},
                            {s.ds.enable, "domain shader"},
                            {s.gs.enable, "geometry shader"}};
  for (const Stages& r : refused)
    if (r.enabled) return tl::unexpected(unsupported_fault(r.name));
  const auto topology = find_topology(s.topology.primitive_topology_type);
  if (!topology) return tl::unexpected(topology.error());
  f.topology = *topology;
  if (!same_input) {
    auto input = make_vertex_input(s, primitive, memory);
    if (!input) return tl::unexpected(std::move(input.error()));
    f.input = *input;
  }
  f.provoking = provoking_of(s.sf);
  f.shader.reset();
  if (s.vs.enable) {
    auto shader = make_vertex_shader(draw);
    if (!shader) return tl::unexpected(std::move(shader.error()));
    f.shader = *shader;
  }
  // As large as what is read of an entry, so that what nobody has written is zero.
  f.entry_slots = std::max(
      {4u, 4u * (s.urb[vs_stage].urb_entry_allocation_size + 1u), slots_read(s).end, s.vs.enable ? 0 : f.input.slots});
  f.clip = make_clip_state(draw);
  f.renders = renders(s.streamout);
  f.streams_out = s.streamout.so_function_enable;
  return set_vertices(f, draw, primitive, memory);
}

// The vertex that is called so: a known one, or a new one. Entries of the table that were made for other instances and
// chunks have stamps that are too small.
inline uint32_t FrontEnd::vertex_of(const Front& front, uint32_t id, uint32_t instance) {
  if (front.stream.is_cut(id)) return is_cut;
  const auto n = uint32_t(vertices_.size());
  if (front.caches) {
    size_t at = (id * 0x9E3779B1u) >> (32 - known_bits);
    for (; known_[at].stamp >= first_stamp_; at = (at + 1) & ((size_t(1) << known_bits) - 1))
      if (known_[at].id == id) return known_[at].stamp - stamp_;
    known_[at] = {id, stamp_ + n};
  }
  vertices_.push_back({.index = front.stream.index_of(id), .id = id, .instance = instance});
  return n;
}

// Vertices of an instance that are needed and not the chunk's: the strip's first one, unless it stands there anyway,
// and the last ones.
uint32_t FrontEnd::places_before(const Front& f, const VertexChunk& c) {
  const uint32_t lead = f.topology->lead(c.number);
  return lead + ((f.topology->hub || f.topology->closes) && c.number > lead);
}

// For each instance: vertices before the chunk that are needed, the chunk.
void FrontEnd::list_places(const Front& f, const VertexChunk& c, memory::View& memory) {
  const uint32_t lead = f.topology->lead(c.number), before = places_before(f, c);
  stamp_ += uint32_t(vertices_.size());
  if (stamp_ > ~uint32_t(0) - 2 * c.count * c.instances) std::fill(known_.begin(), known_.end(), Known{}), stamp_ = 1;
  vertices_.clear();
  counted_ = 0;
  ids_.resize(before + c.count);
  places_.resize(ids_.size() * c.instances);
  uint32_t* to = places_.data();
  if (before > lead) f.stream.read(memory, c.first - c.number, std::span(ids_).first(1));
  f.stream.read(memory, c.first - lead, std::span(ids_).subspan(before - lead));
  for (uint32_t i = 0; i < c.instances; ++i) {
    first_stamp_ = stamp_ + uint32_t(vertices_.size());
    const std::span<const uint32_t> all = ids_;
    for (const uint32_t id : all.first(before)) *to++ = vertex_of(f, id, c.instance + i);
    const size_t known = vertices_.size();
    for (const uint32_t id : all.subspan(before)) *to++ = vertex_of(f, id, c.instance + i);
    counted_ += vertices_.size() - known;
  }
}

// Vertices whose shader asks the URB for what they are made of find it there too.
std::optional<Fault> FrontEnd::shade(const Front& f, memory::View& memory, Arena& arena, dispatch::Counts& counts) {
  const auto count = uint32_t(vertices_.size());
  const std::span<Slot> entries = urb_->begin(arena, count, f.entry_slots);
  corners_.resize(count);
  for (uint32_t n = 0; n < count; ++n) corners_[n].vue = entries.data() + size_t(n) * f.entry_slots;
  const unsigned slots = std::max(1u, f.input.slots);
  const bool reads = f.shader && f.shader->stage->state.kernel->reads_urb;
  if (f.shader) threads_.begin(*f.shader, count);
  if (reads || !f.shader) inputs_.resize(size_t(reads ? count : vertices_at_once) * slots);
  for (uint32_t n = 0; n < count; n += vertices_at_once) {
    const std::span<const VertexKey> keys =
        std::span(vertices_).subspan(n, std::min<size_t>(vertices_at_once, count - n));
    unsigned edges = 0;
    if (f.shader)
      edges = fetch_registers(f.input, memory, keys, f.shader->first_slot, f.shader->slot_count,
                              threads_.input(n / vertices_at_once));
    if (reads) {
      fetch_entries(f.input, memory, keys, inputs_.data() + size_t(n) * slots);
    } else if (!f.shader) {
      edges = fetch_entries(f.input, memory, keys, inputs_.data());
      for (size_t k = 0; k < keys.size(); ++k)
        std::copy_n(inputs_.data() + k * slots, f.input.slots, entries.data() + (n + k) * f.entry_slots);
    }
    for (size_t k = 0; k < keys.size(); ++k) corners_[n + k].edge = edges >> k & 1;
  }
  if (reads) urb_->set_input(inputs_, slots);
  std::optional<Fault> fault = f.shader ? threads_.run(*runner_, fftid_, counts) : std::nullopt;
  urb_->end();
  return fault;
}

struct FrontEnd::Passage {
  const Draw& draw;
  const Front& front;
  Arena& arena;
  Sink sink;
  Statistics& statistics;
  Clipped& clipped;
};

void FrontEnd::render(const Passage& p, const Object& o) {
  const bool counts = p.draw.state.clip.statistics_enable;
  p.statistics.cl_invocations += counts;
  clip(p.front.clip, o, p.arena, p.clipped);
  if (counts) p.statistics.cl_primitives += p.clipped.count;
  for (unsigned n = 0; n < p.clipped.count; ++n) p.sink.take(p.sink.context, p.clipped.objects[n], nullptr);
}

// Whether triangles may be assembled without looking at one vertex after the other, and most of them be seen not to
// cover anything before they are objects: there are no cuts, and the state is the usual one.
bool Front::has_plain_triangles() const {
  if (!raster || !renders || streams_out || stream.has_cut || !topology->is_triangles()) return false;
  const commands::three_d::Raster& r = raster->draw->state.raster;
  return !clip.rejects && clip.last_viewport == 0 && !raster->conservative &&
         FillMode(r.front_face_fill_mode) == FillMode::solid && FillMode(r.back_face_fill_mode) == FillMode::solid;
}

// Of a vertex that an object needs beyond the chunk.
inline void FrontEnd::keep(uint32_t vertex, const Passage& p) {
  if (std::exchange(kept_[vertex], true)) return;
  Slot* const to = p.arena.take<Slot>(p.front.entry_slots).data();
  std::memcpy(to, corners_[vertex].vue, p.front.entry_slots * sizeof(Slot));
  corners_[vertex].vue = to;
}

// Most vertices of fine meshes are needed by no object that is seen: those that are, are moved to the scene's arena.
void FrontEnd::assemble_triangles(const Passage& p, const VertexChunk& c) {
  const Front& f = p.front;
  const Topology& t = *f.topology;
  const RasterState& raster = *f.raster;
  const commands::three_d::Raster& r = p.draw.state.raster;
  screen_.resize(corners_.size());
  kept_.assign(corners_.size(), false);
  find_places(raster, f.clip, corners_.empty() ? nullptr : corners_[0].vue, f.entry_slots, screen_);
  const uint8_t provoking = provoking_corner(t, f.provoking);
  const CornerOrder orders[2] = {corner_order(false, provoking), corner_order(true, provoking)};
  const auto slots = uint16_t(std::min(f.entry_slots, 0xFFFFu));
  const uint32_t before = places_before(f, c), end = c.number + c.count;
  uint64_t invocations = 0, primitives = 0;
  for (uint32_t i = 0; i < c.instances; ++i) {
    const uint32_t* const first = places_.data() + size_t(i) * (before + c.count);
    uint32_t nth = c.number < t.first ? 0 : (c.number - t.first) / t.step + 1;
    for (uint32_t number = t.first - 1u + nth * t.step; number < end; number += t.step, ++nth) {
      const uint32_t* const newest = first + before + (int64_t(number) - c.number);
      const std::array<uint32_t, 3> stream = {t.hub ? *first : newest[-int(t.back[0])], newest[-int(t.back[1])],
                                              newest[-int(t.back[2])]};
      const CornerOrder& order = orders[t.turns(nth)];
      const ScreenCorners at = {&screen_[stream[order.at[0]]], &screen_[stream[order.at[1]]],
                                &screen_[stream[order.at[2]]]};
      const uint32_t any = at[0]->codes | at[1]->codes | at[2]->codes;
      const auto object = [&] {
        for (const uint32_t v : stream) keep(v, p);
        Object o = triangle_of(t, {corners_[stream[0]], corners_[stream[1]], corners_[stream[2]]}, order, nth);
        o.slots = slots;
        return o;
      };
      if (any & (ClipCode::cut | ScreenVertex::nowhere)) {
        render(p, object());
        continue;
      }
      ++invocations;
      if (any & ClipCode::bad || at[0]->codes & at[1]->codes & at[2]->codes & ClipCode::outside) continue;
      ++primitives;
      const std::array<ScreenPoint, 3> points = {{{at[0]->x, at[0]->y}, {at[1]->x, at[1]->y}, {at[2]->x, at[2]->y}}};
      const int64_t area = doubled_area(points[0], points[1], points[2]);
      if (is_culled(r, area) || covers_nothing(raster, 0, area, points)) continue;
      Object o = object();
      read_header(f.clip, o);
      p.sink.take(p.sink.context, o, &at);
    }
  }
  if (!p.draw.state.clip.statistics_enable) return;
  p.statistics.cl_invocations += invocations;
  p.statistics.cl_primitives += primitives;
}

void FrontEnd::assemble(const Passage& p, const VertexChunk& c, memory::View& memory, StreamOutState* out) {
  const Front& f = p.front;
  const Topology& t = *f.topology;
  const state::Pipeline& s = p.draw.state;
  const uint32_t lead = t.lead(c.number);
  const bool hub = places_before(f, c) > lead;
  // Both assemblers see the same vertices; the other order of strips is stream output's own.
  Assembler assembler(t, f.provoking);
  const uint8_t reorder = s.streamout.reorder_mode ? 2 : 0;
  Assembler written(t, {.line = 0, .strip_or_list = reorder, .fan = 0});
  const auto take = [&](const Object& o) {
    Object object = o;
    object.slots = uint16_t(std::min(f.entry_slots, 0xFFFFu));
    render(p, object);
  };
  const auto write = [&](const Object& o) {
    stream_out(s, std::span(o.vertices).first(vertices_of(o.kind)), f.entry_slots, memory, *out, p.statistics);
  };
  const bool writes = f.streams_out && out;
  const auto remember = [&](uint32_t vertex) {
    assembler.remember(corners_[vertex]);
    if (writes) written.remember(corners_[vertex]);
  };
  const auto resume = [&](uint32_t number) {
    assembler.resume(number);
    if (writes) written.resume(number);
  };
  const uint32_t* place = places_.data();
  for (uint32_t i = 0; i < c.instances; ++i) {
    assembler.set_primitive_id(c.primitive_id);
    resume(0);
    if (hub) remember(*place++);
    resume(c.number - lead);
    for (uint32_t n = 0; n < lead; ++n) remember(*place++);
    bool start = c.number == 0;
    for (uint32_t n = 0; n < c.count; ++n, ++place) {
      if (*place == is_cut) {
        start = true;
        continue;
      }
      const uint64_t next = uint64_t(c.first) + n + 1;
      const bool end = next == f.stream.count ||
                       (n + 1 < c.count ? place[1] == is_cut
                                        : f.stream.has_cut && f.stream.is_cut(f.stream.id_at(memory, uint32_t(next))));
      if (f.renders) assembler.push(corners_[*place], start, end, take);
      if (writes) written.push(corners_[*place], start, end, write);
      start = false;
    }
  }
}

std::optional<Fault> FrontEnd::run_chunk(const Draw& draw, const Front& f, const VertexChunk& c, Arena& arena,
                                         Sink sink, Statistics& statistics, dispatch::Counts& counts,
                                         StreamOutState* out) {
  memory::View memory(draw.memory, draw.strict);
  list_places(f, c, memory);
  if (vertices_.size() > UrbArena::most_entries) return Fault{.reason = "a chunk of too many vertices"};
  const bool plain = f.has_plain_triangles();
  passing_.clear();
  std::optional<Fault> fault = shade(f, memory, plain ? passing_ : arena, counts);
  if (!fault && memory.must_fault())
    fault = Fault{.reason = fmt::format("vertex fetch from unmapped address {:#x}", *memory.misses().first)};
  if (fault) return fault;

  const state::Pipeline& s = draw.state;
  if (s.vs.enable && s.vs.statistics_enable) statistics.vs_invocations += counted_;
  const Passage passage{draw, f, arena, sink, statistics, clipped_};
  if (plain)
    assemble_triangles(passage, c);
  else
    assemble(passage, c, memory, out);
  if (s.vf_statistics.statistics_enable) {
    const auto cuts = uint64_t(f.stream.has_cut ? std::count(places_.begin(), places_.end(), is_cut) : 0);
    statistics.ia_vertices += uint64_t(c.count) * c.instances - cuts;
    if (c.first == 0) statistics.ia_primitives += f.objects * c.instances;
  }
  counts.misses += memory.take_misses();
  return std::nullopt;
}

}  // namespace vitro::pipeline
