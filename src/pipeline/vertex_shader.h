// The vertex shader stage: threads of eight vertices each. PRM: Gen8 vol 7 "Vertex Shader (VS) Stage"; 3DSTATE_VS.
// Payload: r0 header, r1 the URB handles, and from the GRF start push constants, then vertex elements, a register for
// each component. Threads are full but for the last one of a dispatch. A thread that reads its entry sees its input,
// wherever its output has gone: the PRM lets both share an entry, and forbids programs to tell the difference. SIMD4x2
// dispatch is refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/fault.h"
#include "dispatch/runner.h"
#include "pipeline/draw.h"
#include "pipeline/urb_arena.h"

namespace vitro::pipeline {

inline constexpr unsigned vertices_per_thread = 8;

// What threads of a draw's vertex shader are started with; refers to the draw.
struct VertexShader {
  const dispatch::Stage* stage = nullptr;
  std::span<const std::byte> push{};  // whole registers
  unsigned grf_start = 0;
  unsigned first_slot = 0, slot_count = 0;  // of the input that goes into the payload
  dispatch::ThreadHeader header{};
};
tl::expected<VertexShader, Fault> make_vertex_shader(const Draw& draw);

// Shades `count` vertices: their input, `input_slots` each, becomes the entries of `urb` with the same number.
std::optional<Fault> shade_vertices(const VertexShader& shader, std::span<const Slot> inputs, unsigned input_slots,
                                    unsigned count, dispatch::Runner& runner, unsigned fftid, dispatch::Counts& counts);

}  // namespace vitro::pipeline
