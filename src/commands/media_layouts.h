// Where the fields of the media and GPGPU commands stand, generation by generation. PRM: Gen6 vol 2 part 2; Gen8 vol 2a
// MEDIA_* and GPGPU_*; Gen9 the same. Inline data follows the last dword of a layout and is not part of it. The length
// field of these commands has 16 bits, of which a layout knows eight: no other packet of theirs is longer.
#pragma once

#include "commands/media.h"

namespace vitro::commands::media_fields {

inline constexpr uint32_t header_mask = 0xFFFF0000;

using Vfe = MediaVfeState;
inline constexpr auto vfe_gen6 = layout<Vfe>(
    "MEDIA_VFE_STATE", 0x70000000, header_mask, 8, field("Per Thread Scratch Space", dw(1, 3, 0), &Vfe::scratch_size),
    field("Scratch Space Base Pointer", address(1, 10, 32), &Vfe::scratch_base),
    field("Fast Preempt", dw(2, 5), &Vfe::fast_preempt),
    field("Bypass Gateway Control", dw(2, 6), &Vfe::bypass_gateway),
    field("Reset Gateway Timer", dw(2, 7), &Vfe::reset_gateway_timer),
    field("Number of URB Entries", dw(2, 15, 8), &Vfe::urb_entries),
    field("Maximum Number of Threads", dw(2, 31, 16), &Vfe::maximum_threads),
    field("CURBE Allocation Size", dw(4, 15, 0), &Vfe::curbe_allocation),
    field("URB Entry Allocation Size", dw(4, 31, 16), &Vfe::urb_entry_size),
    field("Scoreboard Mask", dw(5, 7, 0), &Vfe::scoreboard_mask),
    field("Scoreboard Type", dw(5, 30), &Vfe::scoreboard_non_stalling),
    field("Scoreboard Enable", dw(5, 31), &Vfe::scoreboard_enable),
    field("Scoreboard 0-7 Delta X, Y", dw(6, 63, 0), &Vfe::scoreboard_deltas));
template <class... More>
consteval auto vfe_since_gen8(More... more) {
  return layout<Vfe>("MEDIA_VFE_STATE", 0x70000000, header_mask, 9,
                     field("Per Thread Scratch Space", dw(1, 3, 0), &Vfe::scratch_size),
                     field("Stack Size", dw(1, 7, 4), &Vfe::stack_size),
                     field("Scratch Space Base Pointer", address(1, 10, 48), &Vfe::scratch_base),
                     field("Reset Gateway Timer", dw(3, 7), &Vfe::reset_gateway_timer),
                     field("Number of URB Entries", dw(3, 15, 8), &Vfe::urb_entries),
                     field("Maximum Number of Threads", dw(3, 31, 16), &Vfe::maximum_threads),
                     field("Slice Disable", dw(4, 1, 0), &Vfe::slice_disable),
                     field("CURBE Allocation Size", dw(5, 15, 0), &Vfe::curbe_allocation),
                     field("URB Entry Allocation Size", dw(5, 31, 16), &Vfe::urb_entry_size),
                     field("Scoreboard Mask", dw(6, 7, 0), &Vfe::scoreboard_mask),
                     field("Scoreboard Type", dw(6, 30), &Vfe::scoreboard_non_stalling),
                     field("Scoreboard Enable", dw(6, 31), &Vfe::scoreboard_enable),
                     field("Scoreboard 0-7 Delta X, Y", dw(7, 63, 0), &Vfe::scoreboard_deltas), more...);
}
inline constexpr auto vfe_gen8 = vfe_since_gen8(field("Bypass Gateway Control", dw(3, 6), &Vfe::bypass_gateway));
inline constexpr auto vfe_gen9 = vfe_since_gen8();

inline constexpr auto curbe_load =
    layout<MediaCurbeLoad>("MEDIA_CURBE_LOAD", 0x70010000, header_mask, 4,
                           field("CURBE Total Data Length", dw(2, 16, 0), &MediaCurbeLoad::length),
                           field("CURBE Data Start Address", dw(3, 31, 0), &MediaCurbeLoad::start));
inline constexpr auto interface_descriptor_load = layout<MediaInterfaceDescriptorLoad>(
    "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 0x70020000, header_mask, 4,
    field("Interface Descriptor Total Length", dw(2, 16, 0), &MediaInterfaceDescriptorLoad::length),
    field("Interface Descriptor Data Start Address", dw(3, 31, 0), &MediaInterfaceDescriptorLoad::start));
inline constexpr auto state_flush_gen6 =
    layout<MediaStateFlush>("MEDIA_STATE_FLUSH", 0x70040000, header_mask, 2,
                            field("Barrier Mask", dw(1, 15, 0), &MediaStateFlush::barrier_mask),
                            field("Thread Count WaterMark", dw(1, 23, 16), &MediaStateFlush::thread_watermark));
inline constexpr auto state_flush_gen8 =
    layout<MediaStateFlush>("MEDIA_STATE_FLUSH", 0x70040000, header_mask, 2,
                            field("Interface Descriptor Offset", dw(1, 5, 0), &MediaStateFlush::descriptor),
                            field("Watermark Required", dw(1, 6), &MediaStateFlush::watermark),
                            field("Flush to GO", dw(1, 7), &MediaStateFlush::flush_to_go));
inline constexpr auto pool_state = layout<MediaPoolState>(
    "MEDIA_POOL_STATE", 0x70050000, header_mask, 6, field("Pool Enable", dw(1, 31), &MediaPoolState::enable),
    field("EU Pool Configuration", dw(2, 31, 0), &MediaPoolState::configuration));
inline constexpr auto csr_base_address =
    layout<GpgpuCsrBaseAddress>("GPGPU_CSR_BASE_ADDRESS", 0x61040000, header_mask, 3,
                                field("GPGPU CSR Base Address", address(1, 12, 64), &GpgpuCsrBaseAddress::base));

using Walker = GpgpuWalker;
inline constexpr auto gpgpu_walker =
    layout<Walker>("GPGPU_WALKER", 0x71050000, header_mask, 15, field("Predicate Enable", dw(0, 8), &Walker::predicate),
                   field("Indirect Parameter Enable", dw(0, 10), &Walker::indirect),
                   field("Interface Descriptor Offset", dw(1, 5, 0), &Walker::descriptor),
                   field("Indirect Data Length", dw(2, 16, 0), &Walker::data_length),
                   field("Indirect Data Start Address", address(3, 6, 32), &Walker::data_start),
                   field("Thread Width Counter Maximum", dw(4, 5, 0), &Walker::width),
                   field("Thread Height Counter Maximum", dw(4, 13, 8), &Walker::height),
                   field("Thread Depth Counter Maximum", dw(4, 21, 16), &Walker::depth),
                   field("SIMD Size", dw(4, 31, 30), &Walker::simd),
                   field("Thread Group ID Starting X", dw(5, 31, 0), &Walker::start_x),
                   field("Thread Group ID X Dimension", dw(7, 31, 0), &Walker::end_x),
                   field("Thread Group ID Starting Y", dw(8, 31, 0), &Walker::start_y),
                   field("Thread Group ID Y Dimension", dw(10, 31, 0), &Walker::end_y),
                   field("Thread Group ID Starting/Resume Z", dw(11, 31, 0), &Walker::start_z),
                   field("Thread Group ID Z Dimension", dw(12, 31, 0), &Walker::end_z),
                   field("Right Execution Mask", dw(13, 31, 0), &Walker::right_mask),
                   field("Bottom Execution Mask", dw(14, 31, 0), &Walker::bottom_mask));

using Object = MediaObject;
template <class... More>
consteval auto object_with(int descriptor_bits, More... more) {
  return layout<Object>("MEDIA_OBJECT", 0x71000000, header_mask, 6,
                        field("Interface Descriptor Offset", dw(1, descriptor_bits - 1, 0), &Object::descriptor),
                        field("Indirect Data Length", dw(2, 16, 0), &Object::data_length),
                        field("Use Scoreboard", dw(2, 21), &Object::use_scoreboard),
                        field("Thread Synchronization", dw(2, 24), &Object::synchronise),
                        field("Children Present", dw(2, 31), &Object::children),
                        field("Indirect Data Start Address", dw(3, 31, 0), &Object::data_start),
                        field("Scoreboard X", dw(4, 8, 0), &Object::x),
                        field("Scoreboard Y", dw(4, 24, 16), &Object::y),
                        field("Scoreboard Mask", dw(5, 7, 0), &Object::scoreboard_mask),
                        field("Scoreboard Color", dw(5, 19, 16), &Object::color), more...);
}
inline constexpr auto destination = field("SubSlice Destination Select", dw(2, 18, 17), &Object::subslice);
inline constexpr auto destination_slice = field("Slice Destination Select", dw(2, 20, 19), &Object::slice);
inline constexpr auto destination_forced = field("Force Destination", dw(2, 22), &Object::force_destination);
inline constexpr auto object_gen6 = object_with(5);
inline constexpr auto object_gen8 = object_with(6, destination, destination_slice, destination_forced);
inline constexpr auto object_gen9 =
    object_with(6, destination, destination_slice, destination_forced,
                field("Slice Destination Select MSBs", dw(2, 26, 25), &Object::slice_high));

consteval auto object_prt_with(int descriptor_bits) {
  return layout<Object>("MEDIA_OBJECT_PRT", 0x71020000, header_mask, 16,
                        field("Interface Descriptor Offset", dw(1, descriptor_bits - 1, 0), &Object::descriptor),
                        field("PRT_Fence Type", dw(2, 22), &Object::fence_type),
                        field("PRT_Fence Needed", dw(2, 23), &Object::fence_needed),
                        field("Children Present", dw(2, 31), &Object::children));
}
inline constexpr auto object_prt_gen6 = object_prt_with(5);
inline constexpr auto object_prt_gen8 = object_prt_with(6);

template <class... More>
consteval auto object_grpid_with(More... more) {
  return layout<Object>("MEDIA_OBJECT_GRPID", 0x71060000, header_mask, 7,
                        field("Interface Descriptor Offset", dw(1, 5, 0), &Object::descriptor),
                        field("Indirect Data Length", dw(2, 16, 0), &Object::data_length), destination,
                        destination_slice, field("Use Scoreboard", dw(2, 21), &Object::use_scoreboard),
                        destination_forced, field("End of Thread Group", dw(2, 23), &Object::end_of_group),
                        field("Indirect Data Start Address", dw(3, 31, 0), &Object::data_start),
                        field("Scoreboard X", dw(4, 8, 0), &Object::x),
                        field("Scoreboard Y", dw(4, 24, 16), &Object::y),
                        field("Scoreboard Mask", dw(5, 7, 0), &Object::scoreboard_mask),
                        field("Scoreboard Color", dw(5, 19, 16), &Object::color),
                        field("GroupID", dw(6, 31, 0), &Object::group), more...);
}
inline constexpr auto object_grpid_gen8 = object_grpid_with();
inline constexpr auto object_grpid_gen9 =
    object_grpid_with(field("Slice Destination Select MSB", dw(2, 24), &Object::slice_high));

// `bits`: of a place; distances have one more.
using Loops = MediaObjectWalker;
template <class... More>
consteval auto object_walker_with(int descriptor_bits, int bits, More... more) {
  const int top = bits - 1;
  return layout<Loops>("MEDIA_OBJECT_WALKER", 0x71030000, header_mask, 17,
                       field("Interface Descriptor Offset", dw(1, descriptor_bits - 1, 0), &Loops::descriptor),
                       field("Indirect Data Length", dw(2, 16, 0), &Loops::data_length),
                       field("Use Scoreboard", dw(2, 21), &Loops::use_scoreboard),
                       field("Thread Synchronization", dw(2, 24), &Loops::synchronise),
                       field("Indirect Data Start Address", dw(3, 31, 0), &Loops::data_start),
                       field("Scoreboard Mask", dw(5, 7, 0), &Loops::scoreboard_mask),
                       field("Mid-Loop Unit X", dw(6, 9, 8), &Loops::mid_unit_x),
                       field("Local Mid-Loop Unit Y", dw(6, 13, 12), &Loops::mid_unit_y),
                       field("Middle Loop Extra Steps", dw(6, 20, 16), &Loops::mid_steps),
                       field("Color Count Minus One", dw(6, 27, 24), &Loops::colors),
                       field("Local Loop Exec Count", dw(7, top + 1, 0), &Loops::local_count),
                       field("Global Loop Exec Count", dw(7, 17 + top, 16), &Loops::global_count),
                       field("Block Resolution X", dw(8, top, 0), &Loops::block_x),
                       field("Block Resolution Y", dw(8, 16 + top, 16), &Loops::block_y),
                       field("Local Start X", dw(9, top, 0), &Loops::local_start_x),
                       field("Local Start Y", dw(9, 16 + top, 16), &Loops::local_start_y),
                       field("Local Outer Loop Stride X", dw(11, top + 1, 0), &Loops::local_stride_x),
                       field("Local Outer Loop Stride Y", dw(11, 17 + top, 16), &Loops::local_stride_y),
                       field("Local Inner Loop Unit X", dw(12, top + 1, 0), &Loops::local_unit_x),
                       field("Local Inner Loop Unit Y", dw(12, 17 + top, 16), &Loops::local_unit_y),
                       field("Global Resolution X", dw(13, top, 0), &Loops::global_x),
                       field("Global Resolution Y", dw(13, 16 + top, 16), &Loops::global_y),
                       field("Global Start X", dw(14, top + 1, 0), &Loops::global_start_x),
                       field("Global Start Y", dw(14, 17 + top, 16), &Loops::global_start_y),
                       field("Global Outer Loop Stride X", dw(15, top + 1, 0), &Loops::global_stride_x),
                       field("Global Outer Loop Stride Y", dw(15, 17 + top, 16), &Loops::global_stride_y),
                       field("Global Inner Loop Unit X", dw(16, top + 1, 0), &Loops::global_unit_x),
                       field("Global Inner Loop Unit Y", dw(16, 17 + top, 16), &Loops::global_unit_y), more...);
}
inline constexpr auto walker_children = field("Children Present", dw(2, 31), &Loops::children);
inline constexpr auto walker_groups = field("Group ID Loop Select", dw(5, 31, 8), &Loops::group_loop);
inline constexpr auto object_walker_gen6 = object_walker_with(
    5, 9, walker_children, field("Repel", dw(6, 30), &Loops::repel), field("Dual Mode", dw(6, 31), &Loops::dual_mode),
    field("Local End X", dw(10, 8, 0), &Loops::local_end_x), field("Local End Y", dw(10, 24, 16), &Loops::local_end_y));
inline constexpr auto object_walker_gen8 = object_walker_with(6, 9, walker_children, walker_groups);
inline constexpr auto object_walker_gen9 =
    object_walker_with(6, 11, walker_groups, field("Masked Dispatch", dw(2, 23, 22), &Loops::masked_dispatch));

static_assert(well_formed(vfe_gen6) && well_formed(vfe_gen8) && well_formed(vfe_gen9) && well_formed(curbe_load) &&
              well_formed(interface_descriptor_load) && well_formed(state_flush_gen6) &&
              well_formed(state_flush_gen8) && well_formed(pool_state) && well_formed(csr_base_address) &&
              well_formed(gpgpu_walker) && well_formed(object_gen6) && well_formed(object_gen8) &&
              well_formed(object_gen9) && well_formed(object_prt_gen6) && well_formed(object_prt_gen8) &&
              well_formed(object_grpid_gen8) && well_formed(object_grpid_gen9) && well_formed(object_walker_gen6) &&
              well_formed(object_walker_gen8) && well_formed(object_walker_gen9));

}  // namespace vitro::commands::media_fields
