// The front end of the 3D pipeline: vertex fetch, vertex shader, assembly, stream output and clipper, a chunk at a
// time. PRM: Gen8 vol 7 "3D Pipeline". A chunk is some thousand vertices, however many host threads there are: a slice
// of an instance's vertices, or several small instances. It owns the objects that its vertices complete; vertices
// before it that they need too are shaded again, which is not counted. Shaded vertices are found again by their index
// within a chunk and an instance, unless the vertex cache is disabled. Tessellation and geometry shaders are refused by
// name.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "dispatch/runner.h"
#include "pipeline/arena.h"
#include "pipeline/clip.h"
#include "pipeline/draw.h"
#include "pipeline/setup.h"
#include "pipeline/statistics.h"
#include "pipeline/stream_out.h"
#include "pipeline/topology.h"
#include "pipeline/urb_arena.h"
#include "pipeline/vertex_fetch.h"
#include "pipeline/vertex_shader.h"

namespace vitro::pipeline {

// Multiples of what an object of any list has. Where shaded vertices are found again there are fewer of them, and the
// more so the longer a chunk is: rows of a mesh share what is between them.
inline constexpr uint32_t chunk_vertices = 1020, long_chunk_vertices = 4 * chunk_vertices;

struct VertexChunk {
  uint32_t instance = 0, instances = 1;
  uint32_t first = 0, count = 0;  // places in the stream of vertices
  uint32_t number = 0;            // vertices of the strip before the first
  uint32_t primitive_id = 0;
};

// What the front end of a draw runs with, made once and given the vertices of each command. Refers to the draw, which
// must stay.
struct Front {
  VertexInput input{};
  VertexStream stream{};
  const Topology* topology = nullptr;
  Provoking provoking{};
  std::optional<VertexShader> shader{};
  bool caches = false;       // shaded vertices, by index
  unsigned entry_slots = 0;  // of a VUE
  ClipState clip{};
  bool renders = true, streams_out = false;
  // If it is there, triangles of which nothing is seen need not go to the sink. Must stay.
  const RasterState* raster = nullptr;

  uint32_t instances = 0;
  struct Start {  // of a slice
    uint32_t number = 0, primitive_id = 0;
  };
  std::vector<Start> starts{};  // if cuts decide it
  uint64_t objects = 0;         // of an instance

  // Chunks are independent of each other, unless there is stream output: then they must run in order, by one.
  uint64_t chunks() const;
  uint32_t slice() const { return caches ? long_chunk_vertices : chunk_vertices; }  // of an instance's vertices
  VertexChunk chunk(uint64_t n) const;
  bool has_plain_triangles() const;
};
// For a draw; its input may be known to be that of the front's draw before.
tl::expected<void, Fault> set_draw(Front& front, const Draw& draw, const commands::three_d::Primitive& primitive,
                                   memory::View& memory, bool same_input);
// For another command with the same draw: only its vertices are others.
tl::expected<void, Fault> set_vertices(Front& front, const Draw& draw, const commands::three_d::Primitive& primitive,
                                       memory::View& memory);

// One for each host thread. `urb` must be the one that the runner's options lead to.
class FrontEnd {
 public:
  FrontEnd(dispatch::Runner& runner, UrbArena& urb, unsigned fftid) : runner_(&runner), urb_(&urb), fftid_(fftid) {}

  // Takes objects, in the order of the stream. Their vertices stay in the arena; where they are on the screen may be
  // known until the chunk is done.
  struct Sink {
    void (*take)(void* context, const Object& object, const ScreenCorners* known) = nullptr;
    void* context = nullptr;
  };
  // `out` is where stream output goes on from; without it nothing is written, whatever the state says.
  std::optional<Fault> run_chunk(const Draw& draw, const Front& front, const VertexChunk& chunk, Arena& arena,
                                 Sink sink, Statistics& statistics, dispatch::Counts& counts,
                                 StreamOutState* out = nullptr);

 private:
  static constexpr uint32_t is_cut = ~0u;
  // Shaded vertices by what they are called. A chunk fills half of the table at most.
  struct Known {
    uint32_t id = 0, stamp = 0;
  };
  static constexpr int known_bits = std::bit_width(2 * long_chunk_vertices);
  uint32_t vertex_of(const Front& front, uint32_t id, uint32_t instance);
  static uint32_t places_before(const Front& front, const VertexChunk& chunk);
  void list_places(const Front& front, const VertexChunk& chunk, memory::View& memory);
  std::optional<Fault> shade(const Front& front, memory::View& memory, Arena& arena, dispatch::Counts& counts);
  // What all objects of a chunk have in common on their way to the sink.
  struct Passage;
  static void render(const Passage& passage, const Object& object);
  void assemble(const Passage& passage, const VertexChunk& chunk, memory::View& memory, StreamOutState* out);
  void assemble_triangles(const Passage& passage, const VertexChunk& chunk);
  void keep(uint32_t vertex, const Passage& passage);

  dispatch::Runner* runner_;
  UrbArena* urb_;
  unsigned fftid_;

  // Of the chunk that runs
  std::vector<uint32_t> ids_{};         // of the stream's vertices, for one instance
  std::vector<VertexKey> vertices_{};   // to be fetched and shaded
  std::vector<uint32_t> places_{};      // of the stream: which of them, or a cut
  std::vector<Corner> corners_{};       // of them
  std::vector<ScreenVertex> screen_{};  // likewise, if triangles are assembled at once
  std::vector<uint8_t> kept_{};         // likewise: moved from where they were shaded
  Arena passing_{};                     // has entries that nobody needs when the chunk is done
  std::vector<Slot> inputs_{};
  VertexThreads threads_{};
  Clipped clipped_{};
  std::vector<Known> known_ = std::vector<Known>(size_t(1) << known_bits);
  uint32_t stamp_ = 1, first_stamp_ = 1;  // of the chunk's first vertex, and of the instance's
  uint64_t counted_ = 0;
};

}  // namespace vitro::pipeline
