// The vertex shader stage: threads of eight vertices each. PRM: Gen8 vol 7 "Vertex Shader (VS) Stage"; 3DSTATE_VS.
// Payload: r0 header, r1 the URB handles, and from the GRF start push constants, then vertex elements, a register for
// each component. Threads are full but for the last one of a dispatch, and all of a dispatch are one group, whose
// threads differ in nothing but the registers from r1 on. A thread that reads its entry sees its input,
// wherever its output has gone: the PRM lets both share an entry, and forbids programs to tell the difference. SIMD4x2
// dispatch is refused by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "dispatch/runner.h"
#include "pipeline/draw.h"
#include "pipeline/urb_arena.h"

namespace vitro::pipeline {

// What threads of a draw's vertex shader are started with; refers to the draw.
struct VertexShader {
  const dispatch::Stage* stage = nullptr;
  std::span<const std::byte> push{};  // whole registers
  unsigned grf_start = 0;
  unsigned first_slot = 0, slot_count = 0;  // of the input that goes into the payload
  dispatch::ThreadHeader header{};

  // Of a thread's own registers, from r1 on: where those of the input stand, and how many there are.
  unsigned input_at() const { return grf_start - 1 + unsigned(push.size() / eu::reg_bytes); }
  unsigned registers() const { return input_at() + 4 * slot_count; }
};
tl::expected<VertexShader, Fault> make_vertex_shader(const Draw& draw);

// Shades vertices in threads of eight, and has room for their payloads.
class VertexThreads {
 public:
  // For so many vertices, whose entries of the URB have their numbers.
  void begin(const VertexShader& shader, unsigned count);
  // Where a thread's input is to be put: a register of eight lanes for each dword of the slots.
  uint32_t* input(unsigned thread);
  std::optional<Fault> run(dispatch::Runner& runner, unsigned fftid, dispatch::Counts& counts);

 private:
  static void header(const void* context, const dispatch::Seat& seat, eu::Thread& thread);
  static void start(const void* context, const dispatch::Seat& seat, eu::Thread& thread);

  struct alignas(eu::reg_bytes) Register {
    std::array<uint32_t, 8> dwords;
  };
  const VertexShader* shader_ = nullptr;
  unsigned threads_ = 0;
  std::vector<Register> payloads_{};  // from r1 on, of one thread after the other
  std::vector<uint32_t> masks_{};
};

}  // namespace vitro::pipeline
