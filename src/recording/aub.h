// The records of AUB files, and which numbers their fields have. A record begins with a dword: type 31:29 (7), opcode
// 28:23, sub-opcode 22:16, length 15:0. Sources: Mesa's intel_aub.h; Intel's aub_services.h (compute-runtime).
#pragma once

#include <cstdint>

namespace vitro::recording::aub {

constexpr uint32_t header(uint32_t opcode, uint32_t sub) { return 7u << 29 | opcode << 23 | sub << 16; }
inline constexpr uint32_t header_mask = 0xFFFF0000, opcode_mask = 0xFF800000, length_mask = 0xFFFF;

// The old form: a record has its length plus two dwords, and a block as many bytes more as it says.
inline constexpr uint32_t old_form = header(0x01, 0);
inline constexpr uint32_t old_header = header(0x01, 0x05), old_block = header(0x01, 0x41);
// The memory-trace form: a record has its length plus one dwords.
inline constexpr uint32_t trace_form = header(0x2E, 0);
inline constexpr uint32_t version = header(0x2E, 0x00), register_compare = header(0x2E, 0x01),
                          register_poll = header(0x2E, 0x02), register_write = header(0x2E, 0x03),
                          memory_compare = header(0x2E, 0x04), memory_poll = header(0x2E, 0x05),
                          memory_write = header(0x2E, 0x06), frame_begin = header(0x2E, 0x07),
                          comment = header(0x2E, 0x08), trace_delay = header(0x2E, 0x09),
                          memory_dump = header(0x2E, 0x0A), memory_write_scattered = header(0x2E, 0x0B),
                          test_phase = header(0x2E, 0x0C), memory_region = header(0x2E, 0x0D),
                          version_extended = header(0x2E, 0x0E), predicate = header(0x2E, 0x0F),
                          dump_compress = header(0x2E, 0x10);

// Address spaces of the memory-trace form, in bits 31:28 of a control dword. Page tables have numbers of their own, but
// lie in the physical space.
enum Space : uint32_t {
  ggtt = 0,
  local = 1,
  physical = 2,
  ggtt_entry = 4,
  ppgtt = 5,
  ppgtt_pt = 6,
  ppgtt_pdp = 8,
  ppgtt_pd = 9,
  ppgtt_pml4 = 10,
};
inline constexpr uint32_t space_shift = 28;

// Control of memory_compare, memory_poll and register_poll.
inline constexpr uint32_t no_read_expect = 1 << 0, repeat = 1 << 1, crc_compare = 1 << 6, compare_not_equal = 1 << 7;
inline constexpr uint32_t poll_not_equal = 1 << 0, poll_ignores_timeout = 1 << 8;
inline constexpr uint32_t register_poll_ignores_timeout = 1 << 1, register_poll_not_equal = 1 << 2;
inline constexpr uint32_t register_size_dword = 2 << 16;
// What data is, in bits 27:20: for people who look at files.
inline constexpr uint32_t hint_shift = 20, hint_ring = 38, hint_batch = 42, hint_context = 48;

// Of version_extended: file version, and in the next dword the device and how memory was recorded.
inline constexpr uint32_t file_version = 1, device_shift = 8, device_mask = 0xFF, method_physical = 1 << 18;

// Of old_block, dword 1.
inline constexpr uint32_t old_operation_mask = 0xFF, old_data_write = 1, old_command_write = 2;
inline constexpr uint32_t old_type_shift = 8, old_space_shift = 16, old_byte_mask = 0xFF;
enum OldRing : uint32_t { ring_render = 2, ring_video = 3, ring_copy = 4 };
enum OldSpace : uint32_t { old_gtt = 0, old_local = 1, old_nonlocal = 2, old_gtt_entry = 4 };

}  // namespace vitro::recording::aub
