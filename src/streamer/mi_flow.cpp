// Where the streamer reads next, and the commands that only arbitrate, flush or concern a display.
// PRM: Gen8 vol 2a MI_BATCH_BUFFER_START, _END, MI_CONDITIONAL_BATCH_BUFFER_END, MI_NOOP, MI_ARB_*, MI_RS_*,
// MI_WAIT_FOR_EVENT, MI_LOAD_SCAN_LINES_*, MI_DISPLAY_FLIP, MI_SET_CONTEXT; Gen6 vol 1 part 5 MI_FLUSH.
// There is no display: its events are never pending, so waiting for them ends at once, and flips are unsupported.
// Switching contexts is the caller's business.
#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

void noop(Execution& e, const MiNoop& c) {
  if (c.write_id) e.state.registers.set(e.state.registers.base() + registers::cs::nopid, c.id);
}

// Batches are not preempted here, and caches are coherent.
void arb_check(Execution&, const MiArbCheck&) {}
void suspend_flush(Execution&, const MiSuspendFlush&) {}
void force_wakeup(Execution&, const MiForceWakeup&) {}

void arb_on_off(Execution& e, const MiArbOnOff& c) {
  if (permitted(e)) e.state.arbitration = c.enable;
}

void user_interrupt(Execution& e, const MiUserInterrupt&) { interrupt(e); }

void wait_for_event(Execution&, const MiWaitForEvent&) {}
void load_scan_lines(Execution&, const MiLoadScanLines&) {}

Outcome display_flip(Execution& e, const MiDisplayFlip&) {
  if (!permitted(e)) return {};
  return unsupported(e.row->name);
}

void flush(Execution& e, const MiFlush& c) {
  if (c.clear_media_state) e.state.media = {};
  if (c.reset_snapshot) reset_statistics(e);
}

void rs_control(Execution& e, const MiRsControl& c) { e.state.resource_streamer = c.start; }
// Its state is saved with everything else.
void rs_context(Execution&, const MiRsContext&) {}
void topology_filter(Execution& e, const MiTopologyFilter& c) { e.state.topology_filter = c.topology; }

Outcome set_context(Execution& e, const MiSetContext&) {
  if (!permitted(e)) return {};
  return unsupported(e.row->name);
}

namespace {

// The hardware keeps one address per level: a batch of the second level returns to the first, that one to the ring.
void leave(Execution& e) {
  e.state.resource_streamer = true;
  if (e.level == Level::second)
    e.level = Level::first;
  else if (e.from_ring)
    e.level = Level::ring;
  else
    e.ended = true;
}

}  // namespace

Outcome batch_buffer_start(Execution& e, const MiBatchBufferStart& c) {
  if (c.predicate && !(own_register(e, registers::cs::predicate_result_1) & 1)) return {};
  Place to;
  to.address = c.address + (c.add_offset ? own_register(e, registers::cs::bb_offset) : 0);
  to.start = to.address;
  to.ggtt = !c.ppgtt && e.privileged();  // what begins in the PPGTT stays there
  to.resource_streamer = c.resource_streamer;
  // From the ring there is nothing yet that a second level could return to.
  e.level = c.second_level && e.level != Level::ring ? Level::second : Level::first;
  e.place() = to;
  e.state.resource_streamer = true;
  return {};
}

Outcome batch_buffer_end(Execution& e, const MiBatchBufferEnd&) {
  if (e.level == Level::ring) return failed("the ring holds no batch that could end");
  leave(e);
  return {};
}

namespace {

void end_unless_greater(Execution& e, const MiConditionalBatchBufferEnd& c, bool masked) {
  if (!c.compare) return;
  memory::View* view = permitted_space(e, c.global_gtt);
  if (!view) return;
  const uint32_t first = view->load<uint32_t>(c.address);
  const uint32_t value = masked ? first & view->load<uint32_t>(c.address + 4) : first;
  if (value > c.data) return;
  // Ends the parent as well.
  if (e.level == Level::second) leave(e);
  if (e.level == Level::first) leave(e);
}

}  // namespace

void conditional_batch_buffer_end(Execution& e, const MiConditionalBatchBufferEnd& c) {
  end_unless_greater(e, c, c.mask_mode);
}
// The qword holds mask and data: so on the video engine, before there was a bit that says so.
void conditional_batch_buffer_end_masked(Execution& e, const MiConditionalBatchBufferEnd& c) {
  end_unless_greater(e, c, true);
}

}  // namespace vitro::streamer
