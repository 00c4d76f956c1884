// What the stages count, and why scenes were drained. PRM: Gen8 vol 2c, the statistics registers from
// HS_INVOCATION_COUNT to PS_DEPTH_COUNT, SO_NUM_PRIMS_WRITTEN, SO_PRIM_STORAGE_NEEDED. Stages count only where their
// packet's Statistics Enable says so; the registers themselves belong to the streamer, which adds these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vitro::pipeline {

// What makes a scene be drawn to its end.
enum class DrainReason : uint8_t {
  targets,  // other targets, or another number of samples
  flush,    // PIPE_CONTROL
  depth_stencil_operation,
  memory_command,  // reads, writes or waits on memory
  register_read,   // a statistics or stream-out register
  pipeline_select,
  arena,  // full
  batch_end,
};
inline constexpr std::array<std::string_view, 8> drain_reason_names{
    "targets", "flush",    "depth and stencil operation", "memory command", "register read", "pipeline select",
    "arena",   "batch end"};
inline constexpr size_t drain_reason_count = drain_reason_names.size();
using DrainCounts = std::array<uint64_t, drain_reason_count>;

struct Statistics {
  uint64_t hs_invocations = 0, ds_invocations = 0;
  uint64_t ia_vertices = 0, ia_primitives = 0;
  uint64_t vs_invocations = 0;
  uint64_t gs_invocations = 0, gs_primitives = 0;
  uint64_t cl_invocations = 0, cl_primitives = 0;
  uint64_t ps_invocations = 0, ps_depth_count = 0;
  std::array<uint64_t, 4> so_primitives_written{}, so_primitives_needed{};  // by stream
  DrainCounts drains{};  // that the pipeline decided by itself, by reason

  // Calls visit(a member of this, the same of another).
  template <class Visit>
  void with_each_of(const Statistics& other, Visit&& visit) {
    constexpr uint64_t Statistics::*members[] = {
        &Statistics::hs_invocations, &Statistics::ds_invocations, &Statistics::ia_vertices,
        &Statistics::ia_primitives,  &Statistics::vs_invocations, &Statistics::gs_invocations,
        &Statistics::gs_primitives,  &Statistics::cl_invocations, &Statistics::cl_primitives,
        &Statistics::ps_invocations, &Statistics::ps_depth_count};
    for (const auto m : members) visit(this->*m, other.*m);
    for (size_t k = 0; k < so_primitives_written.size(); ++k) {
      visit(so_primitives_written[k], other.so_primitives_written[k]);
      visit(so_primitives_needed[k], other.so_primitives_needed[k]);
    }
    for (size_t k = 0; k < drains.size(); ++k) visit(drains[k], other.drains[k]);
  }
  Statistics& operator+=(const Statistics& s) {
    with_each_of(s, [](uint64_t& a, uint64_t b) { a += b; });
    return *this;
  }
  bool operator==(const Statistics&) const = default;
};

}  // namespace vitro::pipeline
