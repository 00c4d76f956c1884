// The front end of the 3D pipeline: vertex fetch, vertex shader, assembly, stream output and clipper, a chunk at a
// time. PRM: Gen8 vol 7 "3D Pipeline". A chunk is about a thousand vertices, however many host threads there are: a
// slice of an instance's vertices, or several small instances. It owns the objects that its vertices complete; vertices
// before it that they need too are shaded again, which is not counted. Shaded vertices are found again by their index
// within a chunk and an instance, unless the vertex cache is disabled. Tessellation and geometry shaders are refused by
// name.
#pragma once

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
#include "pipeline/statistics.h"
#include "pipeline/stream_out.h"
#include "pipeline/topology.h"
#include "pipeline/urb_arena.h"
#include "pipeline/vertex_fetch.h"
#include "pipeline/vertex_shader.h"

namespace vitro::pipeline {

inline constexpr uint32_t chunk_vertices = 1020;  // a multiple of what an object of any list has

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

  uint32_t instances = 0;
  struct Start {  // of a slice
    uint32_t number = 0, primitive_id = 0;
  };
  std::vector<Start> starts{};  // if cuts decide it
  uint64_t objects = 0;         // of an instance

  // Chunks are independent of each other, unless there is stream output: then they must run in order, by one.
  uint64_t chunks() const;
  VertexChunk chunk(uint64_t n) const;
};
tl::expected<Front, Fault> make_front(const Draw& draw, const commands::three_d::Primitive& primitive);
// For another command with the same draw: only its vertices are others.
tl::expected<void, Fault> set_vertices(Front& front, const Draw& draw, const commands::three_d::Primitive& primitive,
                                       memory::View& memory);

// One for each host thread. `urb` must be the one that the runner's options lead to.
class FrontEnd {
 public:
  FrontEnd(dispatch::Runner& runner, UrbArena& urb, unsigned fftid) : runner_(&runner), urb_(&urb), fftid_(fftid) {}

  // Takes objects, in the order of the stream. Their vertices stay in the arena.
  struct Sink {
    void (*take)(void* context, const Object& object) = nullptr;
    void* context = nullptr;
  };
  // `out` is where stream output goes on from; without it nothing is written, whatever the state says.
  std::optional<Fault> run_chunk(const Draw& draw, const Front& front, const VertexChunk& chunk, Arena& arena,
                                 Sink sink, Statistics& statistics, dispatch::Counts& counts,
                                 StreamOutState* out = nullptr);

 private:
  static constexpr uint32_t is_cut = ~0u;
  struct Known {
    uint64_t epoch = 0;
    uint32_t index = 0, vertex = 0;
  };
  uint32_t vertex_of(const Front& front, const VertexStream::Place& place, uint32_t instance, bool counts);
  void list_places(const Front& front, const VertexChunk& chunk, memory::View& memory);
  std::optional<Fault> shade(const Front& front, memory::View& memory, Arena& arena, dispatch::Counts& counts);

  dispatch::Runner* runner_;
  UrbArena* urb_;
  unsigned fftid_;

  // Of the chunk that runs
  std::vector<VertexKey> vertices_{};  // to be fetched and shaded
  std::vector<uint32_t> places_{};     // of the stream: which of them, or a cut
  std::vector<Corner> corners_{};      // of them
  std::vector<Slot> inputs_{};
  std::vector<Known> known_ = std::vector<Known>(4096);
  uint64_t epoch_ = 0, counted_ = 0;
};

}  // namespace vitro::pipeline
