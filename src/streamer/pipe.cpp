// PIPE_CONTROL and the state that all pipelines share. PRM: Gen8 vol 2a PIPE_CONTROL, STATE_BASE_ADDRESS, STATE_SIP,
// STATE_PREFETCH, PIPELINE_SELECT. Memory is coherent, and only draws are put off: flushes drain them (draining.cpp),
// invalidations do if something waits to be written, which what follows could read and would find changed, stalls may,
// and for the rest only the post-sync operation is seen. A timestamp says when work was done, and so has it done.
// "Indirect State Pointers Disable" concerns what a context image holds, not what this context does next.
#include <fmt/format.h>

#include <cstring>

#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

namespace {

// What is written.
enum Operation : uint8_t { no_write, immediate, depth_count, time_of_day };

bool invalidates(const PipeControl& c) {
  return c.invalidate_state || c.invalidate_constants || c.invalidate_vf || c.invalidate_texture ||
         c.invalidate_instructions;
}

// Whether an immediate value is another one than memory has.
bool changes_memory(Execution& e, const PostSync& p) {
  const size_t bytes = p.is_dword ? sizeof(uint32_t) : sizeof p.value;
  const std::byte* now = p.to_status_page ? nullptr : own_space(e, p.global).at(p.address, bytes, memory::Access::read);
  return !now || std::memcmp(now, &p.value, bytes) != 0;
}

}  // namespace

void write(Execution& e, const PostSync& p) {
  const Datum datum = p.is_dword ? Datum{uint32_t(p.value)} : qword(p.value);
  if (p.to_status_page)
    store_status(e, p.global, uint32_t(p.address), datum);
  else
    store(own_space(e, p.global), p.address, datum);
}

Outcome pipe_control(Execution& e, const PipeControl& c) {
  const bool drains = c.flush_render_target || c.flush_depth || c.flush_dc || c.flush_pipe || c.lri_post_sync ||
                      c.notify || c.reset_snapshot || c.post_sync == time_of_day ||
                      (invalidates(c) && e.post_syncs_change);
  if (drains)
    if (Outcome done = drain(e, pipeline::DrainReason::flush); !done) return done;
  e.stalled = e.stalled || (c.stall_cs && e.scene_open);
  if (c.lri_post_sync) {
    write_register(e, uint32_t(c.address) & 0x7FFFFC, c.data_low);
  } else if (c.post_sync && permitted_space(e, c.global_gtt)) {
    PostSync p{.to_status_page = c.store_index,
               .global = c.global_gtt,
               .address = c.address & ~uint64_t{7},  // of a quadword, even where a dword is written
               .is_dword = c.post_sync == immediate && c.data_high == absent};
    if (c.post_sync == immediate)
      p.value = c.data_low | (p.is_dword ? 0 : c.data_high << 32);
    else if (c.post_sync == time_of_day)
      p.value = timestamp(e);
    else if (e.scene_open)
      p.mark = e.around.renderer->mark();
    else
      p.value = e.state.registers.get64(registers::mmio::ps_depth_count);
    if (!e.scene_open) {
      write(e, p);
    } else {
      if (c.post_sync != immediate || changes_memory(e, p)) e.post_syncs_change = true;
      if (e.post_syncs.empty() || e.post_syncs.back() != p) e.post_syncs.push_back(p);
    }
  }
  if (c.clear_media_state) e.state.media = {};
  if (c.reset_snapshot) reset_statistics(e);
  if (c.notify) interrupt(e);
  return {};
}

namespace {

void set_bases(state::Bases& bases, const StateBaseAddress& c) {
  if (c.general_modify) bases.general.address = c.general;
  if (c.surface_modify) bases.surface.address = c.surface;
  if (c.dynamic_modify) bases.dynamic.address = c.dynamic;
  if (c.indirect_modify) bases.indirect.address = c.indirect;
  if (c.instruction_modify) bases.instruction.address = c.instruction;
}

}  // namespace

void state_base_address(Execution& e, const StateBaseAddress& c) {
  state::Bases& bases = e.state.bases;
  set_bases(bases, c);
  if (c.general_size_modify) bases.general.bytes = c.general_size;
  if (c.dynamic_size_modify) bases.dynamic.bytes = c.dynamic_size;
  if (c.indirect_size_modify) bases.indirect.bytes = c.indirect_size;
  if (c.instruction_size_modify) bases.instruction.bytes = c.instruction_size;
  if (c.bindless_modify) bases.bindless_surface = {c.bindless, (uint64_t{c.bindless_size} + 1) * 64};
}

// Before there were sizes there were upper bounds: addresses; none is set by zero.
void state_base_address_bounds(Execution& e, const StateBaseAddress& c) {
  state::Bases& bases = e.state.bases;
  set_bases(bases, c);
  const auto bound = [](state::Base& base, uint64_t end) {
    base.bytes = end == 0 ? ~uint64_t{0} : end > base.address ? end - base.address : 0;
  };
  if (c.general_size_modify) bound(bases.general, c.general_size);
  if (c.dynamic_size_modify) bound(bases.dynamic, c.dynamic_size);
  if (c.indirect_size_modify) bound(bases.indirect, c.indirect_size);
  if (c.instruction_size_modify) bound(bases.instruction, c.instruction_size);
}

void state_sip(Execution& e, const StateSip& c) { e.state.bases.sip = c.pointer; }
void state_prefetch(Execution&, const StatePrefetch&) {}

Outcome pipeline_select(Execution& e, const PipelineSelect& c) {
  if (c.pipeline > uint8_t(Pipeline::gpgpu)) return failed(fmt::format("reserved pipeline {}", c.pipeline));
  e.state.pipeline = Pipeline(c.pipeline);
  return {};
}
// Mask bit n lets bit n through.
Outcome pipeline_select_masked(Execution& e, const PipelineSelect& c) {
  if ((c.mask & 3) != 3) return {};
  return pipeline_select(e, c);
}

}  // namespace vitro::streamer
