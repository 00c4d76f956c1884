// The memory-interface commands of the command streamers, as meant: one struct per command, whatever generation.
// PRM: Gen8 vol 2a MI_*; Gen6 vol 1 part 5 "MI commands". Where the bits stand is in commands/mi_layouts.h. Dwords of
// commands whose length varies (register pairs, immediate data, ALU instructions, PTEs) are read from the packet by the
// handler. Fields that only say how to wait or cache are kept for printing.
#pragma once

#include <cstdint>

namespace vitro::commands {

// What a field of 32 bits holds if the packet ends before it.
inline constexpr uint64_t absent = ~uint64_t{0};

// Commands without fields.
struct MiArbCheck {};
struct MiBatchBufferEnd {};
struct MiReportHead {};
struct MiUserInterrupt {};

struct MiNoop {
  uint32_t id;
  bool write_id;
};
struct MiSetPredicate {
  uint8_t enable;
};
struct MiWaitForEvent {
  uint32_t events;
};
struct MiFlush {  // Gen6, and the blitter of Gen9
  bool invalidate_state, inhibit_render_flush, reset_snapshot, clear_media_state, disable_state_pointers;
};
struct MiRsControl {
  bool start;
};
struct MiRsContext {
  bool save;
};
struct MiArbOnOff {
  bool enable;
};
struct MiUrbAtomicAlloc {
  uint32_t offset, size;  // in 128 bytes
};
struct MiSuspendFlush {
  bool suspend;
};
struct MiPredicate {
  uint8_t compare, combine, load;
};
struct MiTopologyFilter {
  uint8_t topology;
};
struct MiLoadScanLines {
  uint8_t display, done_forward;
  uint16_t first, last;
};
struct MiDisplayFlip {
  uint8_t plane;
  bool async, stereo;
  uint8_t tiling, type;
  uint32_t pitch, address, left_address;
};
struct MiSemaphoreMbox {  // Gen6
  uint8_t which;
  bool global_gtt, update, compare_semaphore, compare_register;
  uint32_t data, address;
};
struct MiSetContext {
  bool restore_inhibit, force_restore, extended_restore, extended_save, core_mode;
  uint32_t address;
};
struct MiUrbClear {
  uint32_t address, rows;  // in 32 bytes
};
struct MiMath {};
struct MiSemaphoreSignal {
  uint8_t engine;
  bool post_sync;
  uint32_t context;
};
struct MiSemaphoreWait {
  uint8_t compare;
  bool poll, register_poll, global_gtt;
  uint32_t data;
  uint64_t address;
};
struct MiForceWakeup {  // Gen9
  bool media, render;
  uint16_t mask;
};
struct MiStoreDataImm {
  bool qword, global_gtt, core_mode;
  uint64_t address;
};
struct MiStoreDataIndex {
  bool per_process;
  uint32_t offset;  // into the hardware status page
};
struct MiLoadRegisterImm {
  uint8_t byte_write_disables;
};
struct MiUpdateGtt {
  bool global_gtt;  // Gen6: which table
  uint32_t entry;   // address of the page whose entry is the first to be written
};
struct MiStoreRegisterMem {
  bool predicate, global_gtt;
  uint32_t offset;
  uint64_t address;
};
struct MiFlushDw {
  bool invalidate_video, notify, flush_llc, invalidate_tlb, store_index, sync_gfdt, global_gtt;
  uint8_t post_sync;
  uint64_t address;
  uint32_t data_low;
  uint64_t data_high = absent;  // without it the write is a dword
};
struct MiClflush {
  bool global_gtt;
  uint8_t first_line;
  uint64_t page;
};
struct MiReportPerfCount {
  bool global_gtt, core_mode;
  uint64_t address;
  uint32_t id;
};
struct MiLoadRegisterMem {
  bool async, global_gtt;
  uint32_t offset;
  uint64_t address;
};
struct MiLoadRegisterReg {
  uint32_t source, destination;
};
struct MiRsStoreDataImm {
  bool core_mode;
  uint64_t address;
  uint32_t data;
};
struct MiUrbMem {
  uint32_t urb;
  uint64_t address;
};
struct MiCopyMemMem {
  bool global_destination, global_source;
  uint64_t destination, source;
};
struct MiAtomic {
  uint8_t opcode, size;
  bool return_data, cs_stall, inline_data, post_sync, global_gtt;
  uint64_t address;
  // Inline operands, dword by dword; those of both interleave in the packet.
  uint32_t operand1_0, operand2_0, operand1_1, operand2_1, operand1_2, operand2_2, operand1_3, operand2_3;
};
struct MiBatchBufferStart {
  bool ppgtt, second_level, predicate, add_offset, resource_streamer, clear_command_buffer;
  uint64_t address;
};
struct MiConditionalBatchBufferEnd {
  bool global_gtt, compare, mask_mode;
  uint32_t data;
  uint64_t address;
};

}  // namespace vitro::commands
