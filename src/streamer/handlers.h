// The handlers of the commands that the streamer executes itself, and what they share: which address space a command
// means, the hardware status pages, waiting. PRM: Gen8 vol 2a. Each handler stands with its kin: mi_flow.cpp,
// mi_memory.cpp, mi_math.cpp, mi_atomic.cpp, pipe.cpp; the rows are in commands.cpp.
#pragma once

#include <functional>
#include <span>

#include "commands/mi.h"
#include "commands/pipe.h"
#include "streamer/streamer.h"

namespace vitro::streamer {

using Packet = std::span<const uint32_t>;

// GGTT bits: some commands ignore them in user batches, for others that is a privilege violation, which makes the
// command a NOOP and is counted (then the result is nullptr).
memory::View& own_space(Execution& e, bool global);
memory::View* permitted_space(Execution& e, bool global);
// True if the batch may execute privileged commands; else counts that it tried.
bool permitted(Execution& e);

// A dword or, with a high part, a qword.
struct Datum {
  uint32_t low = 0;
  uint64_t high = commands::absent;
};
Datum qword(uint64_t value);
void store(memory::View& view, uint64_t address, Datum datum);
// Into the global or the per-process hardware status page.
void store_status(Execution& e, bool global, uint32_t offset, Datum datum);

// Sleeps until `holds` does, unless the batch is abandoned or patience ends.
Outcome wait_until(Execution& e, const std::function<bool()>& holds, std::string_view what);
void interrupt(Execution& e);
uint64_t timestamp(Execution& e);
// Own registers by their offset from the engine's base.
uint32_t own_register(const Execution& e, uint32_t offset);
// draining.cpp: everything drawn so far happens now, and is counted in the statistics registers. The second form is for
// those that cannot fail: the command does, when it is done.
Outcome drain(Execution& e, pipeline::DrainReason reason);
void write(Execution& e, const PostSync& p);
void drain_or_note(Execution& e, pipeline::DrainReason reason);
// Statistics counters back to zero.
void reset_statistics(Execution& e);

// mi_flow.cpp
void noop(Execution& e, const commands::MiNoop& c);
void arb_check(Execution& e, const commands::MiArbCheck& c);
void arb_on_off(Execution& e, const commands::MiArbOnOff& c);
void suspend_flush(Execution& e, const commands::MiSuspendFlush& c);
void user_interrupt(Execution& e, const commands::MiUserInterrupt& c);
void wait_for_event(Execution& e, const commands::MiWaitForEvent& c);
void load_scan_lines(Execution& e, const commands::MiLoadScanLines& c);
Outcome display_flip(Execution& e, const commands::MiDisplayFlip& c);
void flush(Execution& e, const commands::MiFlush& c);
void force_wakeup(Execution& e, const commands::MiForceWakeup& c);
void rs_control(Execution& e, const commands::MiRsControl& c);
void rs_context(Execution& e, const commands::MiRsContext& c);
void topology_filter(Execution& e, const commands::MiTopologyFilter& c);
Outcome set_context(Execution& e, const commands::MiSetContext& c);
Outcome batch_buffer_start(Execution& e, const commands::MiBatchBufferStart& c);
Outcome batch_buffer_end(Execution& e, const commands::MiBatchBufferEnd& c);
void conditional_batch_buffer_end(Execution& e, const commands::MiConditionalBatchBufferEnd& c);
void conditional_batch_buffer_end_masked(Execution& e, const commands::MiConditionalBatchBufferEnd& c);

// predication.cpp
void set_predicate(Execution& e, const commands::MiSetPredicate& c);
void predicate_command(Execution& e, const commands::MiPredicate& c);
// Whether MI_SET_PREDICATE makes a NOOP of commands now.
bool predicated_off(const Execution& e);

// semaphore.cpp
Outcome semaphore_mbox(Execution& e, const commands::MiSemaphoreMbox& c);
void semaphore_signal(Execution& e, const commands::MiSemaphoreSignal& c);
Outcome semaphore_wait(Execution& e, const commands::MiSemaphoreWait& c);

// mi_memory.cpp
void store_data_imm(Execution& e, const commands::MiStoreDataImm& c, Packet packet);
void store_data_index(Execution& e, const commands::MiStoreDataIndex& c, Packet packet);
void load_register_imm(Execution& e, const commands::MiLoadRegisterImm& c, Packet packet);
void load_register_mem(Execution& e, const commands::MiLoadRegisterMem& c);
void load_register_reg(Execution& e, const commands::MiLoadRegisterReg& c);
void store_register_mem(Execution& e, const commands::MiStoreRegisterMem& c);
void copy_mem_mem(Execution& e, const commands::MiCopyMemMem& c);
void flush_dw(Execution& e, const commands::MiFlushDw& c);
void clflush(Execution& e, const commands::MiClflush& c);
void report_head(Execution& e, const commands::MiReportHead& c);
void report_perf_count(Execution& e, const commands::MiReportPerfCount& c);
void rs_store_data_imm(Execution& e, const commands::MiRsStoreDataImm& c);
void load_urb_mem(Execution& e, const commands::MiUrbMem& c);
void store_urb_mem(Execution& e, const commands::MiUrbMem& c);
void urb_clear(Execution& e, const commands::MiUrbClear& c);
void urb_atomic_alloc(Execution& e, const commands::MiUrbAtomicAlloc& c);
Outcome update_gtt(Execution& e, const commands::MiUpdateGtt& c);

// mi_math.cpp, mi_atomic.cpp
Outcome math(Execution& e, const commands::MiMath& c, Packet packet);
Outcome atomic(Execution& e, const commands::MiAtomic& c);

// pipe.cpp
Outcome pipe_control(Execution& e, const commands::PipeControl& c);
void state_base_address(Execution& e, const commands::StateBaseAddress& c);
void state_base_address_bounds(Execution& e, const commands::StateBaseAddress& c);
void state_sip(Execution& e, const commands::StateSip& c);
void state_prefetch(Execution& e, const commands::StatePrefetch& c);
Outcome pipeline_select(Execution& e, const commands::PipelineSelect& c);
Outcome pipeline_select_masked(Execution& e, const commands::PipelineSelect& c);

}  // namespace vitro::streamer
