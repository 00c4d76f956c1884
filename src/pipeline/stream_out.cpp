// The walk over SO_DECLs. PRM: as stream_out.h.
#include "pipeline/stream_out.h"

#include <bit>

namespace vitro::pipeline {
namespace {

constexpr uint32_t append = 0xFFFFFFFF;

uint64_t bytes_of(const commands::three_d::SoBuffer& b) {
  return b.so_buffer_enable ? (uint64_t(b.surface_size) + 1) * 4 : 0;
}

}  // namespace

void set_write_offset(const commands::three_d::SoBuffer& b, memory::View& memory, StreamOutState& out) {
  if (!b.stream_offset_write_enable) return;
  uint32_t& offset = out.write_offsets[b.so_buffer_index & 3];
  offset = b.stream_offset == append ? memory.load<uint32_t>(b.stream_output_buffer_offset_address) : b.stream_offset;
}

void store_write_offsets(const state::Pipeline& state, memory::View& memory, const StreamOutState& out) {
  for (size_t n = 0; n < state.so_buffers.size(); ++n)
    if (state.so_buffers[n].stream_output_buffer_offset_address_enable)
      memory.store(state.so_buffers[n].stream_output_buffer_offset_address, out.write_offsets[n]);
}

bool renders(const commands::three_d::Streamout& s) {
  constexpr uint8_t force_off = 2, force_on = 3;
  if (s.force_rendering == force_off) return false;
  if (s.force_rendering == force_on) return true;
  return !s.rendering_disable && (!s.so_function_enable || s.render_stream_select == 0);
}

void stream_out(const state::Pipeline& state, std::span<const Slot* const> vertices, unsigned slots,
                memory::View& memory, StreamOutState& out, Statistics& statistics) {
  constexpr size_t stream = 0;
  const commands::three_d::Streamout& s = state.streamout;
  const uint8_t selected = state.so_decl_list.buffer_selects[stream];
  if (s.so_statistics_enable) ++statistics.so_primitives_needed[stream];
  for (size_t n = 0; n < state.so_buffers.size(); ++n) {
    if (!(selected >> n & 1) || s.buffer_surface_pitch[n] == 0) continue;
    if (out.write_offsets[n] + uint64_t(s.buffer_surface_pitch[n]) * vertices.size() > bytes_of(state.so_buffers[n]))
      return;
  }
  const unsigned first = 2u * s.stream_vertex_read_offset[stream];
  for (const Slot* vertex : vertices) {
    std::array<uint64_t, 4> at{};
    for (size_t n = 0; n < at.size(); ++n) at[n] = out.write_offsets[n];
    for (const commands::three_d::SoDecl& d : state.so_decls[stream]) {
      const size_t n = d.output_buffer_slot & 3;
      const commands::three_d::SoBuffer& b = state.so_buffers[n];
      const unsigned slot = first + d.register_index;
      for (unsigned c = 0; c < 4; ++c) {
        if (!(d.component_mask >> c & 1)) continue;
        if (!d.hole_flag && s.buffer_surface_pitch[n] && at[n] + 4 <= bytes_of(b))
          memory.store<uint32_t>(b.surface_base_address + at[n], slot < slots ? vertex[slot][c] : 0);
        at[n] += 4;
      }
    }
    for (size_t n = 0; n < at.size(); ++n)
      if (selected >> n & 1) out.write_offsets[n] += s.buffer_surface_pitch[n];
  }
  if (s.so_statistics_enable) ++statistics.so_primitives_written[stream];
}

}  // namespace vitro::pipeline
