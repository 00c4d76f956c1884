// Payloads of vertex shader threads. PRM: as vertex_shader.h.
#include "pipeline/vertex_shader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pipeline/vertex_fetch.h"

namespace vitro::pipeline {

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
  if (s.grf_start == 0) return tl::unexpected(Fault{.reason = "a vertex shader's URB data at r0"});
  const unsigned registers = 1 + s.registers();
  if (s.push.size() % eu::reg_bytes || registers > eu::grf_count)
    return tl::unexpected(Fault{.reason = fmt::format("a vertex shader's payload of {} registers", registers)});
  return s;
}

void VertexThreads::begin(const VertexShader& shader, unsigned count) {
  shader_ = &shader;
  threads_ = (count + vertices_at_once - 1) / vertices_at_once;
  const size_t registers = shader.registers();
  payloads_.resize(threads_ * registers);
  masks_.assign(threads_, (1u << vertices_at_once) - 1);
  if (count % vertices_at_once) masks_.back() = (1u << count % vertices_at_once) - 1;
  for (unsigned t = 0; t < threads_; ++t) {
    Register* to = payloads_.data() + t * registers;
    for (unsigned n = 0; n < vertices_at_once; ++n) to->dwords[n] = masks_[t] >> n & 1 ? t * vertices_at_once + n : 0;
    std::copy(shader.push.begin(), shader.push.end(), reinterpret_cast<std::byte*>(to + shader.grf_start - 1));
  }
}

uint32_t* VertexThreads::input(unsigned thread) {
  // Past the last register where a shader reads no attribute.
  return (payloads_.data() + thread * shader_->registers() + shader_->input_at())->dwords.data();
}

void VertexThreads::header(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  const dispatch::ThreadHeader& h = static_cast<const VertexThreads*>(context)->shader_->header;
  const uint32_t r0[8] = {0, 0, 0, h.samplers, h.bindings, h.r0_5(seat.fftid), 0, 0};
  std::memcpy(thread.grf.data(), r0, sizeof r0);
}

void VertexThreads::start(const void* context, const dispatch::Seat& seat, eu::Thread& thread) {
  header(context, seat, thread);
  const VertexThreads& all = *static_cast<const VertexThreads*>(context);
  const size_t registers = all.shader_->registers(), number = size_t(seat.group) + seat.thread;
  std::memcpy(thread.grf.data() + eu::reg_bytes, all.payloads_.data() + number * registers, registers * eu::reg_bytes);
  thread.sr[2] = all.masks_[number];
}

std::optional<Fault> VertexThreads::run(dispatch::Runner& runner, unsigned fftid, dispatch::Counts& counts) {
  if (threads_ == 0) return std::nullopt;
  dispatch::Threads threads;
  threads.start = start;
  threads.context = this;
  if (shader_->stage->state.kernel->waits) {  // for nobody: each is a group, so that not all are there at once
    threads.groups = threads_;
  } else {
    threads.groups = 1;
    threads.threads = threads_;
    threads.own = {.group = header,
                   .data = reinterpret_cast<const std::byte*>(payloads_.data()),
                   .bytes = shader_->registers() * eu::reg_bytes,
                   .at = eu::reg_bytes,
                   .masks = masks_.data()};
  }
  return runner.run(*shader_->stage, threads, fftid, counts);
}

}  // namespace vitro::pipeline
