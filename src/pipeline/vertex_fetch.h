// Vertex fetch: which vertices a draw has, and how vertex elements are read from buffers, converted and laid out in the
// VUE. PRM: Gen8 vol 7 "Vertex Fetch (VF) Stage"; 3DSTATE_VERTEX_BUFFERS, _VERTEX_ELEMENTS, _VF_INSTANCING, _VF_SGVS,
// _VF_COMPONENT_PACKING (Gen9), _INDEX_BUFFER, _VF. State is decoded once for a draw; fetching then is a walk over a
// short list. Whatever does not lie inside its buffer as a whole reads as an element of zero bits, which are then
// converted like others: so (0, 0, 0, 0) if the format has four components; a component that the format lacks reads as
// 0, the fourth as 1. Not modelled: VFCOMP_STORE_PID, which Gen8 no longer has, and cut indices in sequential draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>

#include "base/fault.h"
#include "commands/three_d.h"
#include "formats/format.h"
#include "memory/view.h"
#include "pipeline/object.h"
#include "state/pipeline.h"

namespace vitro::pipeline {

// 34 elements may have 256 bits each; values that the system generates may stand further out.
inline constexpr unsigned most_input_slots = 2 * state::most_vertex_elements + 64;

// Elements of one draw.
struct VertexInput {
  enum class From : uint8_t { nothing, zero, one_float, one_int, source, vertex_id, instance_id };
  enum class Conversion : uint8_t { none, copy, copy_64, decode };
  struct Component {
    From from = From::nothing;
    uint8_t source = 0;  // component of the source
    uint16_t to = 0;     // dword of the VUE
  };
  struct Element {
    const formats::Format* format = nullptr;
    Conversion conversion = Conversion::none;
    bool wide = false;  // components have 64 bits
    bool instanced = false;
    uint32_t step_rate = 0;
    std::array<Component, 4> components{};
    // Where it is read
    uint64_t address = 0, bytes = 0;  // of the buffer; no bytes: nothing is inside
    const std::byte* host = nullptr;  // the whole buffer, if it stands in one piece
    uint32_t pitch = 0, offset = 0;
  };

  std::array<Element, state::most_vertex_elements + 2> elements{};
  unsigned element_count = 0;
  bool has_edge_flag = false;
  Element edge_flag{};
  unsigned slots = 0;  // of the VUE
  uint32_t start_instance = 0;
};
tl::expected<VertexInput, Fault> make_vertex_input(const state::Pipeline& state,
                                                   const commands::three_d::Primitive& primitive, memory::View& memory);

// One vertex: the structure's index in vertex buffers, and what it is called.
struct VertexKey {
  uint32_t index = 0, id = 0, instance = 0;
};
// Vertices are fetched by eights, element by element. Of those that are fetched: a bit for each whose edge to the next
// one is drawn.
inline constexpr unsigned vertices_at_once = 8;
// Fills `to`, of which each vertex has input.slots slots.
unsigned fetch_entries(const VertexInput& input, memory::View& memory, std::span<const VertexKey> keys, Slot* to);
// Fills registers of eight lanes, a vertex in each: one for every dword of so many slots of a vertex.
unsigned fetch_registers(const VertexInput& input, memory::View& memory, std::span<const VertexKey> keys,
                         unsigned first_slot, unsigned slots, uint32_t* to);

// The order in which a draw takes its vertices, the same for each instance.
struct VertexStream {
  bool random = false;
  bool has_cut = false;
  uint32_t cut = 0;
  uint32_t start = 0, base = 0, count = 0;
  uint64_t address = 0, bytes = 0;
  unsigned index_bytes = 1;
  const std::byte* host = nullptr;

  // What vertices are called, from a position on.
  void read(memory::View& memory, uint32_t position, std::span<uint32_t> ids) const;
  uint32_t id_at(memory::View& memory, uint32_t position) const {
    uint32_t id;
    read(memory, position, {&id, 1});
    return id;
  }
  bool is_cut(uint32_t id) const { return has_cut && id == cut; }
  uint32_t index_of(uint32_t id) const { return id + (random ? base : start); }
};
tl::expected<VertexStream, Fault> make_vertex_stream(const state::Pipeline& state,
                                                     const commands::three_d::Primitive& primitive,
                                                     memory::View& memory);

}  // namespace vitro::pipeline
