// When what was drawn has to be there: the renderer puts draws off, and the commands that could tell drain it. PRM:
// Gen8 vol 2a PIPE_CONTROL; vol 2c, the statistics registers. Flushes of caches drain, though only one that is followed
// by a use would have to. A stall alone does not, as drivers have one before most of their state: pixels of targets are
// in order anyway. But if draws before it may write other memory, or read what might be a target now, or if the next
// one writes other memory, that one drains. Immediate writes and counts of pixels alone do not: they wait for the scene
// (PostSync), are written when it is drained, and are not if a draw of it has a Fault.
#include "streamer/handlers.h"

namespace vitro::streamer {

namespace {

using pipeline::Statistics;

// Where the counts of the pipeline are added.
struct Counter {
  uint32_t mmio;
  uint64_t Statistics::*count;
};
constexpr Counter counters[] = {
    {0x2300, &Statistics::hs_invocations},
    {0x2308, &Statistics::ds_invocations},
    {0x2310, &Statistics::ia_vertices},
    {0x2318, &Statistics::ia_primitives},
    {0x2320, &Statistics::vs_invocations},
    {0x2328, &Statistics::gs_invocations},
    {0x2330, &Statistics::gs_primitives},
    {0x2338, &Statistics::cl_invocations},
    {0x2340, &Statistics::cl_primitives},
    {0x2348, &Statistics::ps_invocations},
    {registers::mmio::ps_depth_count, &Statistics::ps_depth_count},
};

void add(registers::File& file, uint32_t mmio, uint64_t count) {
  if (count) file.set64(mmio, file.get64(mmio) + count);
}

void add_statistics(Execution& e) {
  const Statistics s = e.around.renderer->take_statistics();
  registers::File& file = e.state.registers;
  for (const Counter& c : counters) add(file, c.mmio, s.*c.count);
  for (uint32_t stream = 0; stream < s.so_primitives_written.size(); ++stream) {
    add(file, registers::mmio::so_num_prims_written + 8 * stream, s.so_primitives_written[stream]);
    add(file, registers::mmio::so_prim_storage_needed + 8 * stream, s.so_primitives_needed[stream]);
  }
  if (e.around.counts)
    for (size_t k = 0; k < s.drains.size(); ++k) e.around.counts->drains[k] += s.drains[k];
}

}  // namespace

Outcome drain(Execution& e, pipeline::DrainReason reason) {
  if (!e.scene_open) return {};
  e.scene_open = e.scene_uses_memory = e.stalled = false;
  if (e.around.counts) ++e.around.counts->drains[size_t(reason)];
  const uint64_t counted = e.state.registers.get64(registers::mmio::ps_depth_count);
  Outcome done = e.around.renderer->drain(reason);
  add_statistics(e);
  const std::vector<uint64_t> marks = e.around.renderer->take_marks();
  for (PostSync& p : e.post_syncs) {
    if (p.mark) p.value = counted + (p.mark <= marks.size() ? marks[p.mark - 1] : 0);
    if (done) write(e, p);
  }
  e.post_syncs.clear();
  e.post_syncs_change = false;
  return done;
}

void drain_or_note(Execution& e, pipeline::DrainReason reason) {
  Outcome done = drain(e, reason);
  if (!done && !e.drain_fault) e.drain_fault = std::move(done.error());
}

}  // namespace vitro::streamer
