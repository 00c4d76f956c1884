// The commands of the media pipeline and of GPGPU, as they mean, and where their fields stand in each generation's
// packets. PRM: Gen6 vol 2 part 2; Gen8 vol 2a MEDIA_*, GPGPU_*; Gen9 the same. MEDIA_POOL_STATE is in no public
// volume: its fields are those the kernel programs. Where threads are to run (slices, subslices, destinations) is kept
// but means nothing to a machine whose EUs are all alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/packet.h"

namespace vitro::commands {

struct MediaVfeState {
  uint8_t scratch_size = 0, stack_size = 0;  // codes: 1 KB << n
  uint64_t scratch_base = 0;                 // offset from the general state base
  bool bypass_gateway = false, reset_gateway_timer = false, fast_preempt = false;
  uint8_t urb_entries = 0;
  uint16_t maximum_threads = 0;  // minus one
  uint8_t slice_disable = 0;
  uint16_t curbe_allocation = 0, urb_entry_size = 0;  // in registers
  uint8_t scoreboard_mask = 0;
  bool scoreboard_non_stalling = false, scoreboard_enable = false;
  uint64_t scoreboard_deltas = 0;  // eight bytes: X in the low nibble, Y in the high one, both signed

  bool operator==(const MediaVfeState&) const = default;
  int delta_x(int n) const { return int(int8_t(uint8_t(scoreboard_deltas >> 8 * n << 4)) >> 4); }
  int delta_y(int n) const { return int(int8_t(uint8_t(scoreboard_deltas >> 8 * n)) >> 4); }
};

struct MediaCurbeLoad {
  uint32_t length = 0;  // bytes
  uint32_t start = 0;   // offset from the dynamic state base
};
struct MediaInterfaceDescriptorLoad {
  uint32_t length = 0;  // bytes
  uint32_t start = 0;   // offset from the dynamic state base
};
struct MediaStateFlush {
  uint8_t descriptor = 0;
  bool watermark = false, flush_to_go = false;
  uint16_t barrier_mask = 0;     // Gen6
  uint8_t thread_watermark = 0;  // Gen6
};
struct MediaPoolState {
  bool enable = false;
  uint32_t configuration = 0;
};
struct GpgpuCsrBaseAddress {
  uint64_t base = 0;
};

struct GpgpuWalker {
  bool predicate = false, indirect = false;
  uint8_t descriptor = 0;
  uint32_t data_length = 0, data_start = 0;  // indirect data: bytes, offset from the indirect object base
  uint8_t width = 0, height = 0, depth = 0;  // thread counters' maxima
  uint8_t simd = 0;                          // 8 << simd channels
  uint32_t start_x = 0, start_y = 0, start_z = 0;
  uint32_t end_x = 0, end_y = 0, end_z = 0;  // "dimensions": the first group id that does not exist
  uint32_t right_mask = 0, bottom_mask = 0;
};

// MEDIA_OBJECT, MEDIA_OBJECT_PRT and MEDIA_OBJECT_GRPID; what a command lacks stays zero.
struct MediaObject {
  uint8_t descriptor = 0;
  uint32_t data_length = 0, data_start = 0;  // indirect data
  bool use_scoreboard = false, force_destination = false, synchronise = false, children = false;
  uint8_t subslice = 0, slice = 0, slice_high = 0;
  uint16_t x = 0, y = 0;  // in the scoreboard
  uint8_t scoreboard_mask = 0, color = 0;
  bool fence_needed = false, fence_type = false;  // _PRT
  bool end_of_group = false;                      // _GRPID
  uint32_t group = 0;
};

struct MediaObjectWalker {
  uint8_t descriptor = 0;
  uint32_t data_length = 0, data_start = 0;
  bool use_scoreboard = false, synchronise = false, children = false, dual_mode = false, repel = false;
  uint8_t masked_dispatch = 0;
  uint8_t scoreboard_mask = 0;
  uint32_t group_loop = 0;  // Group ID Loop Select
  int8_t mid_unit_x = 0, mid_unit_y = 0;
  uint8_t mid_steps = 0;                       // extra ones
  uint8_t colors = 0;                          // minus one
  uint16_t local_count = 0, global_count = 0;  // minus one
  uint16_t block_x = 0, block_y = 0;           // resolutions
  uint16_t local_start_x = 0, local_start_y = 0;
  uint16_t local_end_x = 0, local_end_y = 0;  // Gen6
  int16_t local_stride_x = 0, local_stride_y = 0;
  int16_t local_unit_x = 0, local_unit_y = 0;
  uint16_t global_x = 0, global_y = 0;  // resolutions
  int16_t global_start_x = 0, global_start_y = 0;
  int16_t global_stride_x = 0, global_stride_y = 0;
  int16_t global_unit_x = 0, global_unit_y = 0;
};

// Inline data begins after this many dwords.
inline constexpr size_t media_object_dwords = 6, media_object_prt_dwords = 4, media_object_grpid_dwords = 7,
                        media_object_walker_dwords = 17;

}  // namespace vitro::commands
