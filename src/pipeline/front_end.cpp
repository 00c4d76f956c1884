// Chunks of a draw, and running one. PRM: as front_end.h.
#include "pipeline/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pipeline/slots_read.h"

namespace vitro::pipeline {
namespace {

constexpr size_t vs_stage = size_t(state::ShaderStage::vs);

// Numbers of strips and objects at the start of each slice, where a cut may be anywhere.
void find_starts(Front& f, memory::View& memory) {
  uint64_t number = 0, objects = 0;
  uint32_t id = 0;
  const Topology& t = *f.topology;
  const auto end_strip = [&] {
    if (t.closes && number >= 2) ++objects, ++id;
    if (t.is_polygon && number >= t.first) ++objects, ++id;
    number = 0;
  };
  for (uint64_t p = 0; p < f.stream.count; ++p) {
    if (p % chunk_vertices == 0) f.starts.push_back({uint32_t(number), id});
    if (f.stream.at(memory, uint32_t(p)).cut) {
      end_strip();
      continue;
    }
    if (t.completes(number) && !t.is_polygon) ++objects, ++id;
    ++number;
  }
  end_strip();
  f.objects = objects;
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
  return (uint64_t(stream.count) + chunk_vertices - 1) / chunk_vertices * instances;
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
  const uint64_t slices = (uint64_t(stream.count) + chunk_vertices - 1) / chunk_vertices;
  const uint64_t slice = n % slices;
  c.instance = uint32_t(n / slices);
  c.first = uint32_t(slice * chunk_vertices);
  c.count = std::min(chunk_vertices, stream.count - c.first);
  if (stream.has_cut) {
    c.number = starts[slice].number;
    c.primitive_id = starts[slice].primitive_id;
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
  if (f.stream.has_cut)
    find_starts(f, memory);
  else
    f.objects = objects_of(*f.topology, f.stream.count);
  return {};
}

tl::expected<Front, Fault> make_front(const Draw& draw, const commands::three_d::Primitive& primitive) {
  const state::Pipeline& s = draw.state;
  const Stages refused[] = {{s.hs.enable, "hull shader"},
                            {s.te.te_enable, "tessellator"},
                            {s.ds.enable, "domain shader"},
                            {s.gs.enable, "geometry shader"}};
  for (const Stages& r : refused)
    if (r.enabled) return tl::unexpected(unsupported_fault(r.name));
  memory::View memory(draw.memory);
  Front f;
  const auto topology = find_topology(s.topology.primitive_topology_type);
  if (!topology) return tl::unexpected(topology.error());
  f.topology = *topology;
  auto input = make_vertex_input(s, primitive, memory);
  if (!input) return tl::unexpected(std::move(input.error()));
  f.input = *input;
  f.provoking = provoking_of(s.sf);
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
  if (auto set = set_vertices(f, draw, primitive, memory); !set) return tl::unexpected(std::move(set.error()));
  return f;
}

// The vertex at a place of the stream: a known one, or a new one.
uint32_t FrontEnd::vertex_of(const Front& front, const VertexStream::Place& place, uint32_t instance, bool counts) {
  if (place.cut) return is_cut;
  Known* known = nullptr;
  if (front.caches) {
    size_t at = (place.index * 0x9E3779B1u) >> 20;
    for (; known_[at].epoch == epoch_; at = (at + 1) % known_.size())
      if (known_[at].index == place.index) return known_[at].vertex;
    known = &known_[at];
  }
  const auto n = uint32_t(vertices_.size());
  vertices_.push_back({.index = place.index, .id = place.id, .instance = instance});
  counted_ += counts;
  if (known) *known = {epoch_, place.index, n};
  return n;
}

// For each instance: the strip's first vertex if it is needed, vertices before the chunk, the chunk.
void FrontEnd::list_places(const Front& f, const VertexChunk& c, memory::View& memory) {
  vertices_.clear();
  places_.clear();
  counted_ = 0;
  const uint32_t lead = f.topology->lead(c.number);
  const bool hub = (f.topology->hub || f.topology->closes) && c.number > lead;
  for (uint32_t i = 0; i < c.instances; ++i) {
    ++epoch_;
    const auto add = [&](uint32_t place, bool counts) {
      places_.push_back(vertex_of(f, f.stream.at(memory, place), c.instance + i, counts));
    };
    if (hub) add(c.first - c.number, false);
    for (uint32_t n = lead; n > 0; --n) add(c.first - n, false);
    for (uint32_t n = 0; n < c.count; ++n) add(c.first + n, true);
  }
}

std::optional<Fault> FrontEnd::shade(const Front& f, memory::View& memory, Arena& arena, dispatch::Counts& counts) {
  const auto count = uint32_t(vertices_.size());
  const std::span<Slot> entries = urb_->begin(arena, count, f.entry_slots);
  corners_.resize(count);
  for (uint32_t n = 0; n < count; ++n) corners_[n].vue = entries.data() + size_t(n) * f.entry_slots;
  if (!f.shader) {
    for (uint32_t n = 0; n < count; ++n)
      corners_[n].edge = fetch_vertex(f.input, memory, vertices_[n], entries.data() + size_t(n) * f.entry_slots);
    urb_->end();
    return std::nullopt;
  }
  const unsigned slots = std::max(1u, f.input.slots);
  inputs_.resize(size_t(count) * slots);
  for (uint32_t n = 0; n < count; ++n)
    corners_[n].edge = fetch_vertex(f.input, memory, vertices_[n], inputs_.data() + size_t(n) * slots);
  urb_->set_input(inputs_, slots);
  std::optional<Fault> fault = shade_vertices(*f.shader, inputs_, slots, count, *runner_, fftid_, counts);
  urb_->end();
  return fault;
}

std::optional<Fault> FrontEnd::run_chunk(const Draw& draw, const Front& f, const VertexChunk& c, Arena& arena,
                                         Sink sink, Statistics& statistics, dispatch::Counts& counts,
                                         StreamOutState* out) {
  memory::View memory(draw.memory, draw.strict);
  list_places(f, c, memory);
  if (vertices_.size() > UrbArena::most_entries) return Fault{.reason = "a chunk of too many vertices"};
  std::optional<Fault> fault = shade(f, memory, arena, counts);
  if (!fault && memory.must_fault())
    fault = Fault{.reason = fmt::format("vertex fetch from unmapped address {:#x}", *memory.misses().first)};
  if (fault) return fault;

  const state::Pipeline& s = draw.state;
  const Topology& t = *f.topology;
  if (s.vs.enable && s.vs.statistics_enable) statistics.vs_invocations += counted_;
  const uint32_t lead = t.lead(c.number);
  const bool hub = (t.hub || t.closes) && c.number > lead;
  // Both assemblers see the same vertices; the other order of strips is stream output's own.
  Assembler assembler(t, f.provoking);
  const uint8_t reorder = s.streamout.reorder_mode ? 2 : 0;
  Assembler written(t, {.line = 0, .strip_or_list = reorder, .fan = 0});
  Clipped clipped;
  const auto render = [&](const Object& o) {
    Object object = o;
    object.slots = uint16_t(std::min(f.entry_slots, 0xFFFFu));
    statistics.cl_invocations += s.clip.statistics_enable;
    clip(f.clip, object, arena, clipped);
    if (s.clip.statistics_enable) statistics.cl_primitives += clipped.count;
    for (unsigned n = 0; n < clipped.count; ++n) sink.take(sink.context, clipped.objects[n]);
  };
  const auto write = [&](const Object& o) {
    stream_out(s, std::span(o.vertices).first(vertices_of(o.kind)), f.entry_slots, memory, *out, statistics);
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
  uint64_t vertices = 0;
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
      ++vertices;
      const uint64_t next = uint64_t(c.first) + n + 1;
      const bool end =
          next == f.stream.count ||
          (n + 1 < c.count ? place[1] == is_cut : f.stream.has_cut && f.stream.at(memory, uint32_t(next)).cut);
      if (f.renders) assembler.push(corners_[*place], start, end, render);
      if (writes) written.push(corners_[*place], start, end, write);
      start = false;
    }
  }
  if (s.vf_statistics.statistics_enable) {
    statistics.ia_vertices += vertices;
    if (c.first == 0) statistics.ia_primitives += f.objects * c.instances;
  }
  counts.misses += memory.take_misses();
  return std::nullopt;
}

}  // namespace vitro::pipeline
