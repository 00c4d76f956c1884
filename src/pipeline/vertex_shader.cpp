// Payloads of vertex shader threads. PRM: as vertex_shader.h.
#include "pipeline/vertex_shader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace vitro::pipeline {
namespace {

struct Batch {
  const VertexShader& shader;
  const Slot* inputs;
  unsigned input_slots, count;
};

void start(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  const Batch& b = *static_cast<const Batch*>(context);
  const VertexShader& s = b.shader;
  const auto first = unsigned(seat.group) * vertices_per_thread;
  const unsigned lanes = std::min(b.count - first, vertices_per_thread);

  uint32_t header[2][8] = {};
  header[0][3] = s.header.samplers;
  header[0][4] = s.header.bindings;
  header[0][5] = s.header.r0_5(seat.fftid);
  for (unsigned n = 0; n < vertices_per_thread; ++n) header[1][n] = n < lanes ? first + n : 0;
  std::memcpy(thread.grf.data(), header, sizeof header);

  std::byte* to = thread.grf.data() + s.grf_start * eu::reg_bytes;
  to = std::copy(s.push.begin(), s.push.end(), to);
  const Slot* from = b.inputs + size_t(first) * b.input_slots;
  for (unsigned n = 0; n < s.slot_count; ++n) {
    const unsigned slot = s.first_slot + n;
    uint32_t transposed[4][vertices_per_thread] = {};
    if (slot < b.input_slots)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const Slot& v = from[size_t(lane) * b.input_slots + slot];
        for (unsigned c = 0; c < 4; ++c) transposed[c][lane] = v[c];
      }
    std::memcpy(to, transposed, sizeof transposed);
    to += sizeof transposed;
  }
  thread.sr[2] = (1u << lanes) - 1;
}

}  // namespace

tl::expected<VertexShader, Fault> make_vertex_shader(const Draw& draw) {
  const commands::three_d::Vs& vs = draw.state.vs;
  if (!vs.simd8_dispatch_enable) return tl::unexpected(unsupported_fault("SIMD4x2 dispatch of vertex shaders"));
  if (!draw.vs) return tl::unexpected(Fault{.reason = "a vertex shader without a kernel"});
  VertexShader s;
  s.stage = draw.vs.get();
  s.push = draw.push[size_t(state::ShaderStage::vs)];
  s.grf_start = vs.dispatch_grf_start_register_for_urb_data;
  s.first_slot = 2u * vs.vertex_urb_entry_read_offset;
  s.slot_count = 2u * vs.vertex_urb_entry_read_length;
  s.header = draw.headers[size_t(state::ShaderStage::vs)];
  const size_t registers = s.grf_start + s.push.size() / eu::reg_bytes + 4 * s.slot_count;
  if (s.push.size() % eu::reg_bytes || registers > eu::grf_count)
    return tl::unexpected(Fault{.reason = fmt::format("a vertex shader's payload of {} registers", registers)});
  return s;
}

std::optional<Fault> shade_vertices(const VertexShader& shader, std::span<const Slot> inputs, unsigned input_slots,
                                    unsigned count, dispatch::Runner& runner, unsigned fftid,
                                    dispatch::Counts& counts) {
  const Batch batch{shader, inputs.data(), input_slots, count};
  dispatch::Threads threads;
  threads.groups = (count + vertices_per_thread - 1) / vertices_per_thread;
  threads.start = start;
  threads.context = &batch;
  return runner.run(*shader.stage, threads, fftid, counts);
}

}  // namespace vitro::pipeline
