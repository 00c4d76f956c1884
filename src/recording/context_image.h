// A logical ring context as execlists find it: the registers in its image, and what its ring has to be executed.
// PRM: "Logical Ring Context Format" and "Ring Buffer" of the device programming interface; Linux intel_lrc.c. The
// image is a list of MI_LOAD_REGISTER_IMM: registers are found by their offsets, since writers of recordings misplace
// some. Other state in an image (pipelines, URB) is not restored: contexts begin with the default state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "commands/engine.h"
#include "memory/address_space.h"
#include "recording/page_tables.h"
#include "recording/recording.h"

namespace vitro::recording {

// Where an engine's registers are.
inline constexpr uint32_t engine_bases[commands::engine_count] = {0x2000, 0x22000, 0x12000, 0x1A000};
// Offsets of registers from there.
inline constexpr uint32_t ring_tail = 0x30, ring_head = 0x34, ring_start = 0x38, ring_control = 0x3C;
inline constexpr uint32_t execlist_submit_port = 0x230, execlist_status = 0x234, execlist_queue = 0x510,
                          execlist_control = 0x550, pdp0_low = 0x270;

// The low half of a context descriptor.
inline constexpr uint32_t descriptor_valid = 1, descriptor_four_levels = 1 << 4;
inline constexpr uint64_t context_page_mask = 0xFFFFF000;

struct ContextImage {
  uint32_t head = 0, tail = 0;  // in the ring
  uint64_t ring = 0;            // in the GGTT
  uint32_t ring_bytes = 0;
  Root root{};
  uint64_t head_address = 0;  // in the GGTT: where the head is kept
};
// `descriptor`: as it was written to the submit port.
Result<ContextImage> read_context_image(const std::shared_ptr<const memory::Table>& ggtt, uint64_t descriptor);

// What is between head and tail, in parts that begin a batch each. `submission` has what they have in common.
Result<std::vector<Submission>> ring_submissions(const ContextImage& image, const Submission& submission);
// A piece of a ring that does not wrap.
Result<void> split_ring(uint64_t address, uint64_t bytes, const Submission& submission, std::vector<Submission>& out);

}  // namespace vitro::recording
