// Where the fields of the MI commands stand. `gen6`, `gen8` and `gen9` each name every command the generation has;
// what is alike is named once, in `gen8` or, if Gen6 has it too, in `every`.
// PRM: Gen8 vol 2a MI_*; Gen6 vol 1 part 5. Addresses of Gen8 and later are 48 bits, kept whole as they are written.
#pragma once

#include "base/packet.h"
#include "commands/engine.h"
#include "commands/mi.h"

namespace vitro::commands {

template <class S, class... F>
constexpr auto mi_layout(std::string_view name, uint32_t opcode, int dwords, F... fields) {
  return layout<S>(name, mi(opcode), mi_mask, dwords, fields...);
}

namespace every {
inline constexpr auto mi_noop =
    mi_layout<MiNoop>("MI_NOOP", 0x00, 1, field("Identification Number", dw(0, 21, 0), &MiNoop::id),
                      field("Identification Number Register Write Enable", dw(0, 22), &MiNoop::write_id));
inline constexpr auto mi_user_interrupt = mi_layout<MiUserInterrupt>("MI_USER_INTERRUPT", 0x02, 1);
inline constexpr auto mi_wait_for_event =
    mi_layout<MiWaitForEvent>("MI_WAIT_FOR_EVENT", 0x03, 1, field("Events", dw(0, 22, 0), &MiWaitForEvent::events));
inline constexpr auto mi_arb_check = mi_layout<MiArbCheck>("MI_ARB_CHECK", 0x05, 1);
inline constexpr auto mi_report_head = mi_layout<MiReportHead>("MI_REPORT_HEAD", 0x07, 1);
inline constexpr auto mi_arb_on_off =
    mi_layout<MiArbOnOff>("MI_ARB_ON_OFF", 0x08, 1, field("Arbitration Enable", dw(0, 0), &MiArbOnOff::enable));
inline constexpr auto mi_batch_buffer_end = mi_layout<MiBatchBufferEnd>("MI_BATCH_BUFFER_END", 0x0A, 1);
inline constexpr auto mi_suspend_flush =
    mi_layout<MiSuspendFlush>("MI_SUSPEND_FLUSH", 0x0B, 1, field("Suspend Flush", dw(0, 0), &MiSuspendFlush::suspend));
inline constexpr auto mi_load_scan_lines_incl =
    mi_layout<MiLoadScanLines>("MI_LOAD_SCAN_LINES_INCL", 0x12, 2,
                               field("Scan Line Event Done Forward", dw(0, 18, 17), &MiLoadScanLines::done_forward),
                               field("Display (Plane) Select", dw(0, 21, 19), &MiLoadScanLines::display),
                               field("End Scan Line Number", dw(1, 12, 0), &MiLoadScanLines::last),
                               field("Start Scan Line Number", dw(1, 28, 16), &MiLoadScanLines::first));
inline constexpr auto mi_load_scan_lines_excl = mi_layout<MiLoadScanLines>(
    "MI_LOAD_SCAN_LINES_EXCL", 0x13, 2, field("Display (Plane) Select", dw(0, 21, 19), &MiLoadScanLines::display),
    field("End Scan Line Number", dw(1, 12, 0), &MiLoadScanLines::last),
    field("Start Scan Line Number", dw(1, 28, 16), &MiLoadScanLines::first));
// Pairs of offset and data follow.
inline constexpr auto mi_load_register_imm =
    mi_layout<MiLoadRegisterImm>("MI_LOAD_REGISTER_IMM", 0x22, 3,
                                 field("Byte Write Disables", dw(0, 11, 8), &MiLoadRegisterImm::byte_write_disables));
}  // namespace every

namespace gen6 {
using namespace every;
inline constexpr auto mi_flush = mi_layout<MiFlush>(
    "MI_FLUSH", 0x04, 1, field("State/Instruction Cache Invalidate", dw(0, 1), &MiFlush::invalidate_state),
    field("Render Cache Flush Inhibit", dw(0, 2), &MiFlush::inhibit_render_flush),
    field("Global Snapshot Count Reset", dw(0, 3), &MiFlush::reset_snapshot),
    field("Generic Media State Clear", dw(0, 4), &MiFlush::clear_media_state),
    field("Indirect State Pointers Disable", dw(0, 5), &MiFlush::disable_state_pointers));
inline constexpr auto mi_display_flip = mi_layout<MiDisplayFlip>(
    "MI_DISPLAY_FLIP", 0x14, 3, field("Async Flip Indicator", dw(0, 22), &MiDisplayFlip::async),
    field("Display (Plane) Select", dw(0, 21, 19), &MiDisplayFlip::plane),
    field("Tile Parameter", dw(1, 0), &MiDisplayFlip::tiling),
    field("Display Buffer Pitch", PacketBits{32 + 15, 32 + 6, 6}, &MiDisplayFlip::pitch),
    field("Flip Type", dw(2, 1, 0), &MiDisplayFlip::type),
    field("Display Buffer Base Address", address(2, 12, 32), &MiDisplayFlip::address));
inline constexpr auto mi_semaphore_mbox = mi_layout<MiSemaphoreMbox>(
    "MI_SEMAPHORE_MBOX", 0x16, 3, field("Register Select", dw(0, 17, 16), &MiSemaphoreMbox::which),
    field("Compare Register", dw(0, 18), &MiSemaphoreMbox::compare_register),
    field("Compare Semaphore", dw(0, 20), &MiSemaphoreMbox::compare_semaphore),
    field("Update Semaphore", dw(0, 21), &MiSemaphoreMbox::update),
    field("Use Global GTT", dw(0, 22), &MiSemaphoreMbox::global_gtt),
    field("Semaphore Data Dword", dw(1, 31, 0), &MiSemaphoreMbox::data),
    field("Semaphore Address", address(2, 2, 32), &MiSemaphoreMbox::address));
inline constexpr auto mi_set_context = mi_layout<MiSetContext>(
    "MI_SET_CONTEXT", 0x18, 2, field("Restore Inhibit", dw(1, 0), &MiSetContext::restore_inhibit),
    field("Force Restore", dw(1, 1), &MiSetContext::force_restore),
    field("Extended State Restore Enable", dw(1, 2), &MiSetContext::extended_restore),
    field("Extended State Save Enable", dw(1, 3), &MiSetContext::extended_save),
    field("Logical Context Address", address(1, 12, 32), &MiSetContext::address));
inline constexpr auto mi_urb_clear =
    mi_layout<MiUrbClear>("MI_URB_CLEAR", 0x19, 2, field("URB Address", dw(1, 13, 0), &MiUrbClear::address),
                          field("URB Clear Length", dw(1, 28, 16), &MiUrbClear::rows));
inline constexpr auto mi_store_data_imm = mi_layout<MiStoreDataImm>(
    "MI_STORE_DATA_IMM", 0x20, 4, field("Use Global GTT", dw(0, 22), &MiStoreDataImm::global_gtt),
    field("Core Mode Enable", dw(2, 0), &MiStoreDataImm::core_mode),
    field("Address", address(2, 2, 32), &MiStoreDataImm::address));
inline constexpr auto mi_store_data_index = mi_layout<MiStoreDataIndex>(
    "MI_STORE_DATA_INDEX", 0x21, 3, field("Offset", PacketBits{32 + 11, 32 + 2, 2}, &MiStoreDataIndex::offset));
inline constexpr auto mi_update_gtt =
    mi_layout<MiUpdateGtt>("MI_UPDATE_GTT", 0x23, 3, field("Use Global GTT", dw(0, 22), &MiUpdateGtt::global_gtt),
                           field("Entry Address", address(1, 12, 32), &MiUpdateGtt::entry));
inline constexpr auto mi_store_register_mem = mi_layout<MiStoreRegisterMem>(
    "MI_STORE_REGISTER_MEM", 0x24, 3, field("Use Global GTT", dw(0, 22), &MiStoreRegisterMem::global_gtt),
    field("Register Address", PacketBits{32 + 22, 32 + 2, 2}, &MiStoreRegisterMem::offset),
    field("Memory Address", address(2, 2, 32), &MiStoreRegisterMem::address));
inline constexpr auto mi_flush_dw = mi_layout<MiFlushDw>(
    "MI_FLUSH_DW", 0x26, 4, field("Video Pipeline Cache Invalidate", dw(0, 7), &MiFlushDw::invalidate_video),
    field("Notify Enable", dw(0, 8), &MiFlushDw::notify),
    field("Post-Sync Operation", dw(0, 15, 14), &MiFlushDw::post_sync),
    field("Synchronize GFDT Surface", dw(0, 17), &MiFlushDw::sync_gfdt),
    field("TLB Invalidate", dw(0, 18), &MiFlushDw::invalidate_tlb),
    field("Store Data Index", dw(0, 21), &MiFlushDw::store_index),
    field("Destination Address Type", dw(1, 2), &MiFlushDw::global_gtt),
    field("Address", address(1, 3, 32), &MiFlushDw::address),
    field("Immediate Data", dw(2, 31, 0), &MiFlushDw::data_low),
    field("Immediate Data High", dw(3, 31, 0), &MiFlushDw::data_high));
inline constexpr auto mi_clflush =
    mi_layout<MiClflush>("MI_CLFLUSH", 0x27, 2, field("Use Global GTT", dw(0, 22), &MiClflush::global_gtt),
                         field("Starting Cacheline Offset", dw(1, 11, 6), &MiClflush::first_line),
                         field("Page Base Address", address(1, 12, 32), &MiClflush::page));
inline constexpr auto mi_batch_buffer_start = mi_layout<MiBatchBufferStart>(
    "MI_BATCH_BUFFER_START", 0x31, 2, field("Address Space Indicator", dw(0, 8), &MiBatchBufferStart::ppgtt),
    field("Clear Command Buffer Enable", dw(0, 11), &MiBatchBufferStart::clear_command_buffer),
    field("Batch Buffer Start Address", address(1, 2, 32), &MiBatchBufferStart::address));
inline constexpr auto mi_conditional_batch_buffer_end = mi_layout<MiConditionalBatchBufferEnd>(
    "MI_CONDITIONAL_BATCH_BUFFER_END", 0x36, 3,
    field("Compare Semaphore", dw(0, 21), &MiConditionalBatchBufferEnd::compare),
    field("Use Global GTT", dw(0, 22), &MiConditionalBatchBufferEnd::global_gtt),
    field("Compare Data Dword", dw(1, 31, 0), &MiConditionalBatchBufferEnd::data),
    field("Compare Address", address(2, 3, 32), &MiConditionalBatchBufferEnd::address));
}  // namespace gen6

namespace gen8 {
using namespace every;
inline constexpr auto mi_set_predicate = mi_layout<MiSetPredicate>(
    "MI_SET_PREDICATE", 0x01, 1, field("PREDICATE ENABLE", dw(0, 3, 0), &MiSetPredicate::enable));
inline constexpr auto mi_rs_control =
    mi_layout<MiRsControl>("MI_RS_CONTROL", 0x06, 1, field("Resource Streamer Control", dw(0, 0), &MiRsControl::start));
inline constexpr auto mi_urb_atomic_alloc = mi_layout<MiUrbAtomicAlloc>(
    "MI_URB_ATOMIC_ALLOC", 0x09, 1, field("URB Atomic Storage Size", dw(0, 8, 0), &MiUrbAtomicAlloc::size),
    field("URB Atomic Storage Offset", dw(0, 19, 12), &MiUrbAtomicAlloc::offset));
inline constexpr auto mi_predicate =
    mi_layout<MiPredicate>("MI_PREDICATE", 0x0C, 1, field("Compare Operation", dw(0, 1, 0), &MiPredicate::compare),
                           field("Combine Operation", dw(0, 4, 3), &MiPredicate::combine),
                           field("Load Operation", dw(0, 7, 6), &MiPredicate::load));
inline constexpr auto mi_topology_filter = mi_layout<MiTopologyFilter>(
    "MI_TOPOLOGY_FILTER", 0x0D, 1, field("Topology Filter Value", dw(0, 5, 0), &MiTopologyFilter::topology));
inline constexpr auto mi_rs_context =
    mi_layout<MiRsContext>("MI_RS_CONTEXT", 0x0F, 1, field("Resource Streamer Save", dw(0, 0), &MiRsContext::save));
inline constexpr auto mi_display_flip = gen6::mi_display_flip;
inline constexpr auto mi_set_context = mi_layout<MiSetContext>(
    "MI_SET_CONTEXT", 0x18, 2, field("Restore Inhibit", dw(1, 0), &MiSetContext::restore_inhibit),
    field("Force Restore", dw(1, 1), &MiSetContext::force_restore),
    field("Resource Streamer State Restore Enable", dw(1, 2), &MiSetContext::extended_restore),
    field("Resource Streamer State Save Enable", dw(1, 3), &MiSetContext::extended_save),
    field("Core Mode Enable", dw(1, 4), &MiSetContext::core_mode),
    field("Logical Context Address", address(1, 12, 32), &MiSetContext::address));
inline constexpr auto mi_urb_clear =
    mi_layout<MiUrbClear>("MI_URB_CLEAR", 0x19, 2, field("URB Address", dw(1, 14, 0), &MiUrbClear::address),
                          field("URB Clear Length", dw(1, 29, 16), &MiUrbClear::rows));
// ALU instructions follow.
inline constexpr auto mi_math = mi_layout<MiMath>("MI_MATH", 0x1A, 1);
inline constexpr auto mi_semaphore_signal = mi_layout<MiSemaphoreSignal>(
    "MI_SEMAPHORE_SIGNAL", 0x1B, 2, field("Target Engine Select", dw(0, 17, 15), &MiSemaphoreSignal::engine),
    field("Post-Sync Operation", dw(0, 21), &MiSemaphoreSignal::post_sync),
    field("Target Context ID", dw(1, 31, 0), &MiSemaphoreSignal::context));
inline constexpr auto mi_semaphore_wait = mi_layout<MiSemaphoreWait>(
    "MI_SEMAPHORE_WAIT", 0x1C, 4, field("Compare Operation", dw(0, 14, 12), &MiSemaphoreWait::compare),
    field("Wait Mode", dw(0, 15), &MiSemaphoreWait::poll),
    field("Memory Type", dw(0, 22), &MiSemaphoreWait::global_gtt),
    field("Semaphore Data Dword", dw(1, 31, 0), &MiSemaphoreWait::data),
    field("Semaphore Address", address(2, 2), &MiSemaphoreWait::address));
// Immediate data follow.
inline constexpr auto mi_store_data_imm =
    mi_layout<MiStoreDataImm>("MI_STORE_DATA_IMM", 0x20, 4, field("Store Qword", dw(0, 21), &MiStoreDataImm::qword),
                              field("Use Global GTT", dw(0, 22), &MiStoreDataImm::global_gtt),
                              field("Core Mode Enable", dw(1, 0), &MiStoreDataImm::core_mode),
                              field("Address", address(1, 2), &MiStoreDataImm::address));
inline constexpr auto mi_store_data_index = mi_layout<MiStoreDataIndex>(
    "MI_STORE_DATA_INDEX", 0x21, 3,
    field("Use Per-Process Hardware Status Page", dw(0, 21), &MiStoreDataIndex::per_process),
    field("Offset", PacketBits{32 + 11, 32 + 2, 2}, &MiStoreDataIndex::offset));
inline constexpr auto mi_update_gtt =
    mi_layout<MiUpdateGtt>("MI_UPDATE_GTT", 0x23, 4, field("Entry Address", address(1, 12, 32), &MiUpdateGtt::entry));
inline constexpr auto mi_store_register_mem = mi_layout<MiStoreRegisterMem>(
    "MI_STORE_REGISTER_MEM", 0x24, 4, field("Predicate Enable", dw(0, 21), &MiStoreRegisterMem::predicate),
    field("Use Global GTT", dw(0, 22), &MiStoreRegisterMem::global_gtt),
    field("Register Address", PacketBits{32 + 22, 32 + 2, 2}, &MiStoreRegisterMem::offset),
    field("Memory Address", address(2, 2, 64), &MiStoreRegisterMem::address));
inline constexpr auto mi_flush_dw = mi_layout<MiFlushDw>(
    "MI_FLUSH_DW", 0x26, 5, field("Video Pipeline Cache Invalidate", dw(0, 7), &MiFlushDw::invalidate_video),
    field("Notify Enable", dw(0, 8), &MiFlushDw::notify),
    field("Post-Sync Operation", dw(0, 15, 14), &MiFlushDw::post_sync),
    field("TLB Invalidate", dw(0, 18), &MiFlushDw::invalidate_tlb),
    field("Store Data Index", dw(0, 21), &MiFlushDw::store_index),
    field("Destination Address Type", dw(1, 2), &MiFlushDw::global_gtt),
    field("Address", address(1, 3), &MiFlushDw::address), field("Immediate Data", dw(3, 31, 0), &MiFlushDw::data_low),
    field("Immediate Data High", dw(4, 31, 0), &MiFlushDw::data_high));
inline constexpr auto mi_clflush =
    mi_layout<MiClflush>("MI_CLFLUSH", 0x27, 3, field("Use Global GTT", dw(0, 22), &MiClflush::global_gtt),
                         field("Starting Cacheline Offset", dw(1, 11, 6), &MiClflush::first_line),
                         field("Page Base Address", address(1, 12), &MiClflush::page));
inline constexpr auto mi_report_perf_count = mi_layout<MiReportPerfCount>(
    "MI_REPORT_PERF_COUNT", 0x28, 4, field("Use Global GTT", dw(1, 0), &MiReportPerfCount::global_gtt),
    field("Core Mode Enable", dw(1, 4), &MiReportPerfCount::core_mode),
    field("Memory Address", address(1, 6, 64), &MiReportPerfCount::address),
    field("Report ID", dw(3, 31, 0), &MiReportPerfCount::id));
inline constexpr auto mi_load_register_mem = mi_layout<MiLoadRegisterMem>(
    "MI_LOAD_REGISTER_MEM", 0x29, 4, field("Async Mode Enable", dw(0, 21), &MiLoadRegisterMem::async),
    field("Use Global GTT", dw(0, 22), &MiLoadRegisterMem::global_gtt),
    field("Register Address", PacketBits{32 + 22, 32 + 2, 2}, &MiLoadRegisterMem::offset),
    field("Memory Address", address(2, 2, 64), &MiLoadRegisterMem::address));
inline constexpr auto mi_load_register_reg = mi_layout<MiLoadRegisterReg>(
    "MI_LOAD_REGISTER_REG", 0x2A, 3,
    field("Source Register Address", PacketBits{32 + 22, 32 + 2, 2}, &MiLoadRegisterReg::source),
    field("Destination Register Address", PacketBits{64 + 22, 64 + 2, 2}, &MiLoadRegisterReg::destination));
inline constexpr auto mi_rs_store_data_imm = mi_layout<MiRsStoreDataImm>(
    "MI_RS_STORE_DATA_IMM", 0x2B, 4, field("Core Mode Enable", dw(1, 0), &MiRsStoreDataImm::core_mode),
    field("Destination Address", address(1, 2, 64), &MiRsStoreDataImm::address),
    field("Data DWord 0", dw(3, 31, 0), &MiRsStoreDataImm::data));
inline constexpr auto mi_load_urb_mem = mi_layout<MiUrbMem>(
    "MI_LOAD_URB_MEM", 0x2C, 4, field("URB Address", PacketBits{32 + 14, 32 + 2, 2}, &MiUrbMem::urb),
    field("Memory Address", address(2, 6, 64), &MiUrbMem::address));
inline constexpr auto mi_store_urb_mem = mi_layout<MiUrbMem>(
    "MI_STORE_URB_MEM", 0x2D, 4, field("URB Address", PacketBits{32 + 14, 32 + 2, 2}, &MiUrbMem::urb),
    field("Memory Address", address(2, 6, 64), &MiUrbMem::address));
inline constexpr auto mi_copy_mem_mem = mi_layout<MiCopyMemMem>(
    "MI_COPY_MEM_MEM", 0x2E, 5, field("Use Global GTT Destination", dw(0, 21), &MiCopyMemMem::global_destination),
    field("Use Global GTT Source", dw(0, 22), &MiCopyMemMem::global_source),
    field("Destination Memory Address", address(1, 2, 64), &MiCopyMemMem::destination),
    field("Source Memory Address", address(3, 2, 64), &MiCopyMemMem::source));
inline constexpr auto mi_atomic = mi_layout<MiAtomic>(
    "MI_ATOMIC", 0x2F, 11, field("ATOMIC OPCODE", dw(0, 15, 8), &MiAtomic::opcode),
    field("Return Data Control", dw(0, 16), &MiAtomic::return_data), field("CS STALL", dw(0, 17), &MiAtomic::cs_stall),
    field("Inline Data", dw(0, 18), &MiAtomic::inline_data), field("Data Size", dw(0, 20, 19), &MiAtomic::size),
    field("Post-Sync Operation", dw(0, 21), &MiAtomic::post_sync),
    field("Memory Type", dw(0, 22), &MiAtomic::global_gtt), field("Memory Address", address(1, 2), &MiAtomic::address),
    field("Operand1 Data Dword 0", dw(3, 31, 0), &MiAtomic::operand1_0),
    field("Operand2 Data Dword 0", dw(4, 31, 0), &MiAtomic::operand2_0),
    field("Operand1 Data Dword 1", dw(5, 31, 0), &MiAtomic::operand1_1),
    field("Operand2 Data Dword 1", dw(6, 31, 0), &MiAtomic::operand2_1),
    field("Operand1 Data Dword 2", dw(7, 31, 0), &MiAtomic::operand1_2),
    field("Operand2 Data Dword 2", dw(8, 31, 0), &MiAtomic::operand2_2),
    field("Operand1 Data Dword 3", dw(9, 31, 0), &MiAtomic::operand1_3),
    field("Operand2 Data Dword 3", dw(10, 31, 0), &MiAtomic::operand2_3));
inline constexpr auto mi_batch_buffer_start = mi_layout<MiBatchBufferStart>(
    "MI_BATCH_BUFFER_START", 0x31, 3, field("Address Space Indicator", dw(0, 8), &MiBatchBufferStart::ppgtt),
    field("Resource Streamer Enable", dw(0, 10), &MiBatchBufferStart::resource_streamer),
    field("Predication Enable", dw(0, 15), &MiBatchBufferStart::predicate),
    field("Add Offset Enable", dw(0, 16), &MiBatchBufferStart::add_offset),
    field("Second Level Batch Buffer", dw(0, 22), &MiBatchBufferStart::second_level),
    field("Batch Buffer Start Address", address(1, 2, 64), &MiBatchBufferStart::address));
inline constexpr auto mi_conditional_batch_buffer_end = mi_layout<MiConditionalBatchBufferEnd>(
    "MI_CONDITIONAL_BATCH_BUFFER_END", 0x36, 4,
    field("Compare Semaphore", dw(0, 21), &MiConditionalBatchBufferEnd::compare),
    field("Use Global GTT", dw(0, 22), &MiConditionalBatchBufferEnd::global_gtt),
    field("Compare Data Dword", dw(1, 31, 0), &MiConditionalBatchBufferEnd::data),
    field("Compare Address", address(2, 3), &MiConditionalBatchBufferEnd::address));
}  // namespace gen8

namespace gen9 {
using namespace every;
using gen6::mi_flush;  // of the blitter: the kernel lets it through
using gen8::mi_atomic, gen8::mi_batch_buffer_start, gen8::mi_clflush, gen8::mi_copy_mem_mem, gen8::mi_load_register_mem,
    gen8::mi_load_register_reg, gen8::mi_load_urb_mem, gen8::mi_math, gen8::mi_predicate, gen8::mi_report_perf_count,
    gen8::mi_rs_context, gen8::mi_rs_control, gen8::mi_rs_store_data_imm, gen8::mi_semaphore_signal,
    gen8::mi_set_context, gen8::mi_set_predicate, gen8::mi_store_data_imm, gen8::mi_store_data_index,
    gen8::mi_store_register_mem, gen8::mi_store_urb_mem, gen8::mi_topology_filter, gen8::mi_update_gtt,
    gen8::mi_urb_atomic_alloc;
inline constexpr auto mi_display_flip = mi_layout<MiDisplayFlip>(
    "MI_DISPLAY_FLIP", 0x14, 4, field("Display Plane Select", dw(0, 12, 8), &MiDisplayFlip::plane),
    field("Async Flip Indicator", dw(0, 22), &MiDisplayFlip::async),
    field("Tile Parameter", dw(1, 2, 0), &MiDisplayFlip::tiling),
    field("Display Buffer Pitch", PacketBits{32 + 15, 32 + 6, 6}, &MiDisplayFlip::pitch),
    field("Stereoscopic 3D Mode", dw(1, 31), &MiDisplayFlip::stereo),
    field("Flip Type", dw(2, 1, 0), &MiDisplayFlip::type),
    field("Display Buffer Base Address", address(2, 12, 32), &MiDisplayFlip::address),
    field("Left Eye Display Buffer Base Address", address(3, 12, 32), &MiDisplayFlip::left_address));
inline constexpr auto mi_semaphore_wait = mi_layout<MiSemaphoreWait>(
    "MI_SEMAPHORE_WAIT", 0x1C, 4, field("Compare Operation", dw(0, 14, 12), &MiSemaphoreWait::compare),
    field("Wait Mode", dw(0, 15), &MiSemaphoreWait::poll),
    field("Register Poll Mode", dw(0, 16), &MiSemaphoreWait::register_poll),
    field("Memory Type", dw(0, 22), &MiSemaphoreWait::global_gtt),
    field("Semaphore Data Dword", dw(1, 31, 0), &MiSemaphoreWait::data),
    field("Semaphore Address", address(2, 2, 64), &MiSemaphoreWait::address));
inline constexpr auto mi_force_wakeup =
    mi_layout<MiForceWakeup>("MI_FORCE_WAKEUP", 0x1D, 2, field("Force Media Awake", dw(1, 0), &MiForceWakeup::media),
                             field("Force Render Awake", dw(1, 1), &MiForceWakeup::render),
                             field("Mask Bits", dw(1, 31, 16), &MiForceWakeup::mask));
inline constexpr auto mi_flush_dw = mi_layout<MiFlushDw>(
    "MI_FLUSH_DW", 0x26, 5, field("Video Pipeline Cache Invalidate", dw(0, 7), &MiFlushDw::invalidate_video),
    field("Notify Enable", dw(0, 8), &MiFlushDw::notify), field("Flush LLC", dw(0, 9), &MiFlushDw::flush_llc),
    field("Post-Sync Operation", dw(0, 15, 14), &MiFlushDw::post_sync),
    field("TLB Invalidate", dw(0, 18), &MiFlushDw::invalidate_tlb),
    field("Store Data Index", dw(0, 21), &MiFlushDw::store_index),
    field("Destination Address Type", dw(1, 2), &MiFlushDw::global_gtt),
    field("Address", address(1, 3), &MiFlushDw::address), field("Immediate Data", dw(3, 31, 0), &MiFlushDw::data_low),
    field("Immediate Data High", dw(4, 31, 0), &MiFlushDw::data_high));
inline constexpr auto mi_conditional_batch_buffer_end = mi_layout<MiConditionalBatchBufferEnd>(
    "MI_CONDITIONAL_BATCH_BUFFER_END", 0x36, 4,
    field("Compare Mask Mode", dw(0, 19), &MiConditionalBatchBufferEnd::mask_mode),
    field("Compare Semaphore", dw(0, 21), &MiConditionalBatchBufferEnd::compare),
    field("Use Global GTT", dw(0, 22), &MiConditionalBatchBufferEnd::global_gtt),
    field("Compare Data Dword", dw(1, 31, 0), &MiConditionalBatchBufferEnd::data),
    field("Compare Address", address(2, 3, 64), &MiConditionalBatchBufferEnd::address));
}  // namespace gen9

}  // namespace vitro::commands
