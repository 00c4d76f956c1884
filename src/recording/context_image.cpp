// Context images and rings; see context_image.h.
#include "recording/context_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "memory/view.h"

namespace vitro::recording {
namespace {

using commands::mi;
using memory::page_bytes;

constexpr uint32_t load_register_imm = mi(0x22), batch_buffer_start = mi(0x31), batch_buffer_end = mi(0x0A);
constexpr uint64_t largest_image = 32 * page_bytes;
constexpr uint32_t ring_pages_mask = 0x1FF000;
constexpr unsigned engine_register_bits = 12;  // of an offset, that count from the engine's base

// The one-dword commands are those with an opcode below 0x10; all others have their length in the low bits.
uint32_t mi_dwords(uint32_t header) {
  constexpr uint32_t first_longer = 0x10;
  return (header >> 23 & 0x3F) < first_longer ? 1 : (header & 0xFF) + 2;
}

}  // namespace

Result<ContextImage> read_context_image(const std::shared_ptr<const memory::Table>& ggtt, uint64_t descriptor) {
  const uint64_t state = (descriptor & context_page_mask) + page_bytes;
  const memory::Range* const range = ggtt->find(state);
  if (!range) return failure(fmt::format("no context image at {:#x} of the GGTT", state));
  memory::View view(ggtt);
  ContextImage image;
  image.root.four_levels = descriptor & descriptor_four_levels;
  bool has_start = false, has_tail = false;
  const uint64_t end = std::min(state + largest_image, range->end());
  for (uint64_t at = state; at + 4 <= end;) {
    const uint32_t header = view.load<uint32_t>(at);
    if ((header & commands::mi_mask) == batch_buffer_end) break;
    if ((header & commands::mi_mask) != load_register_imm) {
      at += 4;
      continue;
    }
    const uint32_t dwords = mi_dwords(header);
    for (uint32_t n = 1; n + 1 < dwords; n += 2) {
      const uint32_t offset = view.load<uint32_t>(at + 4 * n) & ((1u << engine_register_bits) - 1);
      const uint32_t value = view.load<uint32_t>(at + 4 * n + 4);
      if (offset == ring_head) image.head = value & 0x1FFFFC, image.head_address = at + 4 * n + 4;
      if (offset == ring_tail) image.tail = value & 0x1FFFF8, has_tail = true;
      if (offset == ring_start) image.ring = value & context_page_mask, has_start = true;
      if (offset == ring_control) image.ring_bytes = (value & ring_pages_mask) + uint32_t(page_bytes);
      if (offset >= pdp0_low && offset < pdp0_low + 32) {
        uint64_t& pdp = image.root.pdp[(offset - pdp0_low) / 8];
        pdp = offset % 8 ? (pdp & 0xFFFFFFFF) | uint64_t(value) << 32 : (pdp & ~uint64_t{0xFFFFFFFF}) | value;
      }
    }
    at += 4 * dwords;
  }
  if (!has_start || !has_tail) return failure(fmt::format("no ring in the context image at {:#x} of the GGTT", state));
  return image;
}

Result<void> split_ring(uint64_t address, uint64_t bytes, const Submission& submission, std::vector<Submission>& out) {
  memory::View view(submission.ggtt);
  const size_t first = out.size();
  const auto add = [&](uint64_t at) {
    out.push_back(submission);
    out.back().ring = Submission::Ring{at, 0};
  };
  uint64_t began = address;
  for (uint64_t at = address; at < address + bytes;) {
    const uint32_t header = view.load<uint32_t>(at);
    const uint32_t type = header >> 29;
    const uint64_t dwords = type == 0 ? mi_dwords(header) : (header & 0xFF) + 2;
    if (4 * dwords > address + bytes - at)
      return failure(fmt::format("the command {:#010x} at {:#x} of the ring goes beyond its tail", header, at));
    if ((header & commands::mi_mask) == batch_buffer_start) {
      add(began);
      constexpr uint32_t in_ppgtt = 1 << 8;
      Submission& s = out.back();
      s.address = view.load<uint32_t>(at + 4) & ~uint64_t{3};
      if (dwords > 2) s.address |= uint64_t(view.load<uint32_t>(at + 8) & 0xFFFF) << 32;
      if (!(header & in_ppgtt)) s.memory = s.ggtt;
      began = at + 4 * dwords;
      s.ring->bytes = began - s.ring->address;
    }
    at += 4 * dwords;
  }
  if (began == address + bytes) return {};
  if (out.size() > first) {  // what follows the last batch goes with it
    out.back().ring->bytes = address + bytes - out.back().ring->address;
    return {};
  }
  add(address);
  Submission& s = out.back();
  s.ring->bytes = s.bytes = bytes;
  s.address = address;
  s.memory = s.ggtt;
  return {};
}

Result<std::vector<Submission>> ring_submissions(const ContextImage& image, const Submission& submission) {
  std::vector<Submission> out;
  const uint32_t size = std::max(image.ring_bytes, uint32_t(page_bytes));
  Result<void> done;
  if (image.tail < image.head) {
    if (image.head < size) done = split_ring(image.ring + image.head, size - image.head, submission, out);
    if (done && image.tail) done = split_ring(image.ring, image.tail, submission, out);
  } else if (image.tail > image.head) {
    done = split_ring(image.ring + image.head, image.tail - image.head, submission, out);
  }
  if (!done) return failure(done.error().message);
  return out;
}

}  // namespace vitro::recording
