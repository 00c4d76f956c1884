// PIPE_CONTROL and the commands that set what the pipelines have in common: base addresses, the system routine and the
// pipeline itself, with their layouts. PRM: Gen8 vol 2a PIPE_CONTROL, STATE_BASE_ADDRESS, STATE_SIP, STATE_PREFETCH,
// PIPELINE_SELECT; Gen6 vol 1 part 5 and vol 2 part 1. Memory object control is kept for printing.
#pragma once

#include "base/packet.h"
#include "commands/engine.h"
#include "commands/mi.h"

namespace vitro::commands {

struct PipeControl {
  bool flush_depth, stall_at_scoreboard, invalidate_state, invalidate_constants, invalidate_vf, flush_dc, flush_pipe,
      notify, disable_state_pointers, invalidate_texture, invalidate_instructions, flush_render_target, stall_depth,
      clear_media_state, sync_gfdt, invalidate_tlb, reset_snapshot, stall_cs, store_index, lri_post_sync, global_gtt,
      flush_llc;
  uint8_t post_sync;
  uint64_t address;
  uint32_t data_low;
  uint64_t data_high = absent;  // without it the write is a dword
};

// A base address or the size of what is behind it, and whether the command sets it.
struct StateBaseAddress {
  bool general_modify, surface_modify, dynamic_modify, indirect_modify, instruction_modify, bindless_modify;
  uint8_t general_mocs, surface_mocs, dynamic_mocs, indirect_mocs, instruction_mocs, bindless_mocs, stateless_mocs;
  uint64_t general, surface, dynamic, indirect, instruction, bindless;
  bool general_size_modify, dynamic_size_modify, indirect_size_modify, instruction_size_modify;
  // Bytes; on Gen6 these are upper bounds, addresses.
  uint64_t general_size, dynamic_size, indirect_size, instruction_size;
  uint32_t bindless_size;  // entries of 64 bytes, minus one
};

struct StateSip {
  uint64_t pointer;
};
struct StatePrefetch {
  uint8_t count;
  uint32_t pointer;
};
struct PipelineSelect {
  uint8_t pipeline, mask;
  bool clock_gate, force_awake;
};

namespace gen6 {
using PC = PipeControl;
inline constexpr auto pipe_control = layout<PipeControl>(
    "PIPE_CONTROL", gfx(3, 2, 0), gfx_mask, 5, field("Depth Cache Flush Enable", dw(1, 0), &PC::flush_depth),
    field("Stall At Pixel Scoreboard", dw(1, 1), &PC::stall_at_scoreboard),
    field("State Cache Invalidation Enable", dw(1, 2), &PC::invalidate_state),
    field("Constant Cache Invalidation Enable", dw(1, 3), &PC::invalidate_constants),
    field("VF Cache Invalidation Enable", dw(1, 4), &PC::invalidate_vf), field("Notify Enable", dw(1, 8), &PC::notify),
    field("Indirect State Pointers Disable", dw(1, 9), &PC::disable_state_pointers),
    field("Texture Cache Invalidation Enable", dw(1, 10), &PC::invalidate_texture),
    field("Instruction Cache Invalidate Enable", dw(1, 11), &PC::invalidate_instructions),
    field("Render Target Cache Flush Enable", dw(1, 12), &PC::flush_render_target),
    field("Depth Stall Enable", dw(1, 13), &PC::stall_depth),
    field("Post Sync Operation", dw(1, 15, 14), &PC::post_sync),
    field("Generic Media State Clear", dw(1, 16), &PC::clear_media_state),
    field("Synchronize GFDT Surface", dw(1, 17), &PC::sync_gfdt),
    field("TLB Invalidate", dw(1, 18), &PC::invalidate_tlb),
    field("Global Snapshot Count Reset", dw(1, 19), &PC::reset_snapshot),
    field("Command Streamer Stall Enable", dw(1, 20), &PC::stall_cs),
    field("Store Data Index", dw(1, 21), &PC::store_index),
    field("Destination Address Type", dw(2, 2), &PC::global_gtt), field("Address", address(2, 3, 32), &PC::address),
    field("Immediate Data", dw(3, 31, 0), &PC::data_low), field("Immediate Data High", dw(4, 31, 0), &PC::data_high));
using SBA = StateBaseAddress;
inline constexpr auto state_base_address = layout<StateBaseAddress>(
    "STATE_BASE_ADDRESS", gfx(0, 1, 1), gfx_mask, 10,
    field("General State Base Address Modify Enable", dw(1, 0), &SBA::general_modify),
    field("Stateless Data Port Access MOCS", dw(1, 7, 4), &SBA::stateless_mocs),
    field("General State MOCS", dw(1, 11, 8), &SBA::general_mocs),
    field("General State Base Address", address(1, 12, 32), &SBA::general),
    field("Surface State Base Address Modify Enable", dw(2, 0), &SBA::surface_modify),
    field("Surface State MOCS", dw(2, 11, 8), &SBA::surface_mocs),
    field("Surface State Base Address", address(2, 12, 32), &SBA::surface),
    field("Dynamic State Base Address Modify Enable", dw(3, 0), &SBA::dynamic_modify),
    field("Dynamic State MOCS", dw(3, 11, 8), &SBA::dynamic_mocs),
    field("Dynamic State Base Address", address(3, 12, 32), &SBA::dynamic),
    field("Indirect Object Base Address Modify Enable", dw(4, 0), &SBA::indirect_modify),
    field("Indirect Object MOCS", dw(4, 11, 8), &SBA::indirect_mocs),
    field("Indirect Object Base Address", address(4, 12, 32), &SBA::indirect),
    field("Instruction Base Address Modify Enable", dw(5, 0), &SBA::instruction_modify),
    field("Instruction MOCS", dw(5, 11, 8), &SBA::instruction_mocs),
    field("Instruction Base Address", address(5, 12, 32), &SBA::instruction),
    field("General State Access Upper Bound Modify Enable", dw(6, 0), &SBA::general_size_modify),
    field("General State Access Upper Bound", address(6, 12, 32), &SBA::general_size),
    field("Dynamic State Access Upper Bound Modify Enable", dw(7, 0), &SBA::dynamic_size_modify),
    field("Dynamic State Access Upper Bound", address(7, 12, 32), &SBA::dynamic_size),
    field("Indirect Object Access Upper Bound Modify Enable", dw(8, 0), &SBA::indirect_size_modify),
    field("Indirect Object Access Upper Bound", address(8, 12, 32), &SBA::indirect_size),
    field("Instruction Access Upper Bound Modify Enable", dw(9, 0), &SBA::instruction_size_modify),
    field("Instruction Access Upper Bound", address(9, 12, 32), &SBA::instruction_size));
inline constexpr auto state_sip = layout<StateSip>(
    "STATE_SIP", gfx(0, 1, 2), gfx_mask, 2, field("System Instruction Pointer", address(1, 4, 32), &StateSip::pointer));
inline constexpr auto state_prefetch = layout<StatePrefetch>(
    "STATE_PREFETCH", gfx(0, 0, 3), gfx_mask, 2, field("Prefetch Count", dw(1, 2, 0), &StatePrefetch::count),
    field("Prefetch Pointer", address(1, 6, 32), &StatePrefetch::pointer));
inline constexpr auto pipeline_select = layout<PipelineSelect>(
    "PIPELINE_SELECT", gfx(1, 1, 4), gfx_mask, 1, field("Pipeline Selection", dw(0, 1, 0), &PipelineSelect::pipeline));
}  // namespace gen6

namespace gen8 {
using gen6::PC, gen6::SBA;
using gen6::pipeline_select, gen6::state_prefetch;
template <class... F>
constexpr auto pipe_control_with(F... more) {
  return layout<PipeControl>(
      "PIPE_CONTROL", gfx(3, 2, 0), gfx_mask, 6, field("Depth Cache Flush Enable", dw(1, 0), &PC::flush_depth),
      field("Stall At Pixel Scoreboard", dw(1, 1), &PC::stall_at_scoreboard),
      field("State Cache Invalidation Enable", dw(1, 2), &PC::invalidate_state),
      field("Constant Cache Invalidation Enable", dw(1, 3), &PC::invalidate_constants),
      field("VF Cache Invalidation Enable", dw(1, 4), &PC::invalidate_vf),
      field("DC Flush Enable", dw(1, 5), &PC::flush_dc), field("Pipe Control Flush Enable", dw(1, 7), &PC::flush_pipe),
      field("Notify Enable", dw(1, 8), &PC::notify),
      field("Indirect State Pointers Disable", dw(1, 9), &PC::disable_state_pointers),
      field("Texture Cache Invalidation Enable", dw(1, 10), &PC::invalidate_texture),
      field("Instruction Cache Invalidate Enable", dw(1, 11), &PC::invalidate_instructions),
      field("Render Target Cache Flush Enable", dw(1, 12), &PC::flush_render_target),
      field("Depth Stall Enable", dw(1, 13), &PC::stall_depth),
      field("Post Sync Operation", dw(1, 15, 14), &PC::post_sync),
      field("Generic Media State Clear", dw(1, 16), &PC::clear_media_state),
      field("TLB Invalidate", dw(1, 18), &PC::invalidate_tlb),
      field("Global Snapshot Count Reset", dw(1, 19), &PC::reset_snapshot),
      field("Command Streamer Stall Enable", dw(1, 20), &PC::stall_cs),
      field("Store Data Index", dw(1, 21), &PC::store_index),
      field("LRI Post Sync Operation", dw(1, 23), &PC::lri_post_sync),
      field("Destination Address Type", dw(1, 24), &PC::global_gtt), field("Address", address(2, 2), &PC::address),
      field("Immediate Data", dw(4, 31, 0), &PC::data_low), field("Immediate Data High", dw(5, 31, 0), &PC::data_high),
      more...);
}
inline constexpr auto pipe_control = pipe_control_with();
template <class... F>
constexpr auto state_base_address_with(int dwords, F... more) {
  return layout<StateBaseAddress>(
      "STATE_BASE_ADDRESS", gfx(0, 1, 1), gfx_mask, dwords,
      field("General State Base Address Modify Enable", dw(1, 0), &SBA::general_modify),
      field("General State MOCS", dw(1, 10, 4), &SBA::general_mocs),
      field("General State Base Address", address(1, 12, 64), &SBA::general),
      field("Stateless Data Port Access MOCS", dw(3, 22, 16), &SBA::stateless_mocs),
      field("Surface State Base Address Modify Enable", dw(4, 0), &SBA::surface_modify),
      field("Surface State MOCS", dw(4, 10, 4), &SBA::surface_mocs),
      field("Surface State Base Address", address(4, 12, 64), &SBA::surface),
      field("Dynamic State Base Address Modify Enable", dw(6, 0), &SBA::dynamic_modify),
      field("Dynamic State MOCS", dw(6, 10, 4), &SBA::dynamic_mocs),
      field("Dynamic State Base Address", address(6, 12, 64), &SBA::dynamic),
      field("Indirect Object Base Address Modify Enable", dw(8, 0), &SBA::indirect_modify),
      field("Indirect Object MOCS", dw(8, 10, 4), &SBA::indirect_mocs),
      field("Indirect Object Base Address", address(8, 12, 64), &SBA::indirect),
      field("Instruction Base Address Modify Enable", dw(10, 0), &SBA::instruction_modify),
      field("Instruction MOCS", dw(10, 10, 4), &SBA::instruction_mocs),
      field("Instruction Base Address", address(10, 12, 64), &SBA::instruction),
      field("General State Buffer Size Modify Enable", dw(12, 0), &SBA::general_size_modify),
      field("General State Buffer Size", address(12, 12, 32), &SBA::general_size),
      field("Dynamic State Buffer Size Modify Enable", dw(13, 0), &SBA::dynamic_size_modify),
      field("Dynamic State Buffer Size", address(13, 12, 32), &SBA::dynamic_size),
      field("Indirect Object Buffer Size Modify Enable", dw(14, 0), &SBA::indirect_size_modify),
      field("Indirect Object Buffer Size", address(14, 12, 32), &SBA::indirect_size),
      field("Instruction Buffer size Modify Enable", dw(15, 0), &SBA::instruction_size_modify),
      field("Instruction Buffer Size", address(15, 12, 32), &SBA::instruction_size), more...);
}
inline constexpr auto state_base_address = state_base_address_with(16);
inline constexpr auto state_sip = layout<StateSip>(
    "STATE_SIP", gfx(0, 1, 2), gfx_mask, 3, field("System Instruction Pointer", address(1, 4, 64), &StateSip::pointer));
}  // namespace gen8

namespace gen9 {
using gen8::PC, gen8::SBA;
using gen8::state_prefetch, gen8::state_sip;
inline constexpr auto pipe_control = gen8::pipe_control_with(field("Flush LLC", dw(1, 26), &PC::flush_llc));
inline constexpr auto state_base_address = gen8::state_base_address_with(
    19, field("Bindless Surface State Base Address Modify Enable", dw(16, 0), &SBA::bindless_modify),
    field("Bindless Surface State MOCS", dw(16, 10, 4), &SBA::bindless_mocs),
    field("Bindless Surface State Base Address", address(16, 12, 64), &SBA::bindless),
    field("Bindless Surface State Size", dw(18, 31, 12), &SBA::bindless_size));
inline constexpr auto pipeline_select = layout<PipelineSelect>(
    "PIPELINE_SELECT", gfx(1, 1, 4), gfx_mask, 1, field("Pipeline Selection", dw(0, 1, 0), &PipelineSelect::pipeline),
    field("Media Sampler DOP Clock Gate Enable", dw(0, 4), &PipelineSelect::clock_gate),
    field("Force Media Awake", dw(0, 5), &PipelineSelect::force_awake),
    field("Mask Bits", dw(0, 15, 8), &PipelineSelect::mask));
}  // namespace gen9

}  // namespace vitro::commands
