// Data port messages described as transfers, and the memory behind their places. PRM: as scattered.cpp, atomic.cpp and
// block.cpp, whose handlers stay the definition: what is described here does the same as they while all places are in
// bounds and mapped in one range, and all channels of a block run. Left to the handlers: SIMD4x2, structured buffers,
// bindless surfaces, dual blocks, stateless scattered messages with a base in their header, CMPWR_2W, append counters.
#include "shared/dataport/transfer.h"

#include <algorithm>

#include "shared/dataport/descriptor.h"
#include "shared/dataport/lanes.h"
#include "shared/dataport/messages.h"

namespace vitro::shared {
namespace {

using eu::Transfer;
using Kind = Transfer::Kind;

constexpr uint8_t no_place = 255;

uint32_t field(uint32_t desc, Bits b) { return uint32_t(extract(Word128{desc, 0}, b)); }
bool has_header(uint32_t desc) { return desc >> 19 & 1; }

enum class Space : uint8_t { surface, stateless, slm, unknown };
Space space_of(const DataPortLayout& l, uint32_t desc) {
  switch (desc & 255) {
    case bti_stateless: return Space::stateless;
    case bti_stateless_non_coherent: return l.has_non_coherent ? Space::stateless : Space::surface;
    case bti_slm: return l.has_slm ? Space::slm : Space::surface;
    case bti_bindless: return l.has_bindless ? Space::unknown : Space::surface;
    default: return Space::surface;
  }
}

// --- scattered

Transfer scattered(uint32_t desc, bool writes, unsigned slots, unsigned element, unsigned positions, unsigned aligned) {
  return {.kind = Kind::scattered,
          .writes = writes,
          .header = has_header(desc),
          .slots = uint8_t(slots),
          .positions = uint8_t(positions),
          .element = uint8_t(element),
          .place_bits = ~uint64_t(aligned - 1)};
}
Transfer with_offsets(const DataPortLayout& l, uint32_t desc, Transfer t) {
  const Space space = space_of(l, desc);
  if (space == Space::unknown || (space == Space::stateless && t.header)) return {};
  if (space == Space::slm) t.place_bits &= slm_offset_bits, t.alone = true;
  return t;
}
Transfer with_addresses(Transfer t) {
  t.wide = true;
  return t;
}
unsigned count(uint32_t desc, Bits simd16_bit) { return field(desc, simd16_bit) ? 16 : 8; }
unsigned positions(uint32_t desc) { return (1u << (1u << field(desc, elements))) - 1; }

Transfer dwords(const DataPortLayout& l, uint32_t desc, bool writes) {
  Transfer t = scattered(desc, writes, count(desc, simd16), 4, 1, 1);
  t.unit = 4;
  t.header_adds = t.header;
  return with_offsets(l, desc, t);
}
Transfer bytes(const DataPortLayout& l, uint32_t desc, bool writes) {
  if (field(desc, byte_size) > 2) return {};
  Transfer t = scattered(desc, writes, count(desc, simd16), 1u << field(desc, byte_size), 1, 1);
  t.header_adds = t.header;
  return with_offsets(l, desc, t);
}
Transfer qwords(const DataPortLayout& l, uint32_t desc, bool writes) {
  Transfer t = scattered(desc, writes, count(desc, simd16), 8, positions(desc), 4);
  t.header_adds = t.header;
  return with_offsets(l, desc, t);
}
Transfer a64_bytes(uint32_t desc, bool writes) {
  return with_addresses(scattered(desc, writes, count(desc, a64_simd16), 1u << field(desc, elements), 1, 1));
}
Transfer a64_elements(uint32_t desc, bool writes, unsigned element) {
  return with_addresses(scattered(desc, writes, count(desc, a64_simd16), element, positions(desc), 4));
}
Transfer untyped(uint32_t desc, bool writes) {
  const uint32_t mode = field(desc, untyped_mode);
  if (mode != simd16_mode && mode != simd8_mode) return {};
  return scattered(desc, writes, mode == simd16_mode ? 16 : 8, 4, ~field(desc, disabled_channels) & 15, 4);
}
Transfer untyped_offsets(const DataPortLayout& l, uint32_t desc, bool writes) {
  Transfer t = untyped(desc, writes);
  t.header_masks = t.header;
  return t.kind == Kind::none ? t : with_offsets(l, desc, t);
}
Transfer untyped_addresses(uint32_t desc, bool writes) {
  const Transfer t = untyped(desc, writes);
  return t.kind == Kind::none ? t : with_addresses(t);
}

// --- atomic operations

using Operation = Transfer::Operation;

Transfer atomic(uint32_t desc, unsigned slots, unsigned element, Operation operation) {
  if (operation == Operation::none) return {};
  Transfer t = scattered(desc, true, slots, element, 1, element);
  t.operation = operation;
  t.answers = field(desc, atomic_answers);
  return t;
}
Operation int_operation(uint32_t desc) { return Operation(field(desc, atomic_op)); }
Operation float_operation(uint32_t desc) {
  const uint32_t op = field(desc, float_atomic_op);
  return op == 0 || op > 3 ? Operation::none : Operation(uint32_t(Operation::float_most) + op - 1);
}
Transfer atomic_at_offsets(const DataPortLayout& l, uint32_t desc, Operation operation) {
  Transfer t = atomic(desc, field(desc, atomic_simd8) ? 8 : 16, 4, operation);
  t.header_masks = t.header;
  return t.kind == Kind::none ? t : with_offsets(l, desc, t);
}
Transfer atomic_at_addresses(uint32_t desc, unsigned element, Operation operation) {
  const Transfer t = atomic(desc, 8, element, operation);
  return t.kind == Kind::none ? t : with_addresses(t);
}

// --- blocks

Transfer block(bool writes, const Block& b, uint8_t place) {
  return {.kind = Kind::block,
          .writes = writes,
          .header = true,
          .place = place,
          .at = uint8_t(b.at),
          .bytes = uint16_t(b.bytes)};
}
// The offset is in dword 2 of the header, in OWords or bytes.
Transfer oword_block(const DataPortLayout& l, uint32_t desc, bool writes, unsigned unit) {
  const uint32_t code = field(desc, oword_blocks);
  const Space space = space_of(l, desc);
  if (code >= owords.size() || !has_header(desc) || space == Space::unknown) return {};
  Transfer t = block(writes, owords[code], 2);
  t.unit = uint8_t(unit);
  if (unit == 1) t.place_bits = ~uint64_t(3);
  if (space == Space::slm) t.place_bits &= slm_offset_bits;
  if (space == Space::stateless) t.base_bits = scratch_base;
  return t;
}
Transfer a64_block(uint32_t desc, bool writes, const Block& b, uint64_t aligned) {
  if (!has_header(desc)) return {};
  Transfer t = block(writes, b, 0);
  t.wide = true;
  t.place_bits = ~(aligned - 1);
  return t;
}
Transfer a64_oword_block(uint32_t desc, bool writes, uint64_t aligned) {
  const uint32_t code = field(desc, oword_blocks);
  return code < owords.size() ? a64_block(desc, writes, owords[code], aligned) : Transfer{};
}
Transfer a64_hword_block(uint32_t desc, bool writes) {
  const uint32_t size = field(desc, hword_blocks);
  return size <= 3 ? a64_block(desc, writes, {hword << size}, hword) : Transfer{};
}
Transfer scratch_block(uint32_t desc, bool writes) {
  if (!has_header(desc)) return {};
  Transfer t = block(writes, {hword << field(desc, scratch_blocks)}, no_place);
  t.distance = field(desc, scratch_offset) * hword;
  t.base_bits = scratch_base;
  return t;
}

Target target_of(DataPort& port, uint32_t desc, const Transfer& t) {
  const Environment& e = port.environment;
  if (t.wide) return whole_memory;
  const Space space = t.place == no_place ? Space::stateless : space_of(port.layout, desc);
  if (space == Space::stateless) return {e.bases.general.address, e.bases.general.bytes & ~3ull, nullptr};
  if (space == Space::slm) return {0, e.slm.size() & ~size_t{3}, e.slm.data()};
  const state::Surface& s = port.surfaces.bound(desc & 255);
  if (s.type == state::SurfaceType::structured_buffer) return {};
  return {s.base, s.bytes() & ~3ull, nullptr};
}

}  // namespace

namespace transfer {

Transfer dword_scattered_read(const DataPortLayout& l, uint32_t desc) { return dwords(l, desc, false); }
Transfer dword_scattered_write(const DataPortLayout& l, uint32_t desc) { return dwords(l, desc, true); }
Transfer byte_scattered_read(const DataPortLayout& l, uint32_t desc) { return bytes(l, desc, false); }
Transfer byte_scattered_write(const DataPortLayout& l, uint32_t desc) { return bytes(l, desc, true); }
Transfer qword_scattered_read(const DataPortLayout& l, uint32_t desc) { return qwords(l, desc, false); }
Transfer qword_scattered_write(const DataPortLayout& l, uint32_t desc) { return qwords(l, desc, true); }
Transfer a64_byte_scattered_read(const DataPortLayout&, uint32_t desc) { return a64_bytes(desc, false); }
Transfer a64_byte_scattered_write(const DataPortLayout&, uint32_t desc) { return a64_bytes(desc, true); }
Transfer a64_dword_scattered_read(const DataPortLayout&, uint32_t desc) { return a64_elements(desc, false, 4); }
Transfer a64_dword_scattered_write(const DataPortLayout&, uint32_t desc) { return a64_elements(desc, true, 4); }
Transfer a64_qword_scattered_read(const DataPortLayout&, uint32_t desc) { return a64_elements(desc, false, 8); }
Transfer a64_qword_scattered_write(const DataPortLayout&, uint32_t desc) { return a64_elements(desc, true, 8); }
Transfer untyped_read(const DataPortLayout& l, uint32_t desc) { return untyped_offsets(l, desc, false); }
Transfer untyped_write(const DataPortLayout& l, uint32_t desc) { return untyped_offsets(l, desc, true); }
Transfer a64_untyped_read(const DataPortLayout&, uint32_t desc) { return untyped_addresses(desc, false); }
Transfer a64_untyped_write(const DataPortLayout&, uint32_t desc) { return untyped_addresses(desc, true); }
Transfer untyped_atomic(const DataPortLayout& l, uint32_t desc) {
  return atomic_at_offsets(l, desc, int_operation(desc));
}
Transfer untyped_float_atomic(const DataPortLayout& l, uint32_t desc) {
  return atomic_at_offsets(l, desc, float_operation(desc));
}
Transfer a64_dword_atomic(const DataPortLayout&, uint32_t desc) {
  return atomic_at_addresses(desc, 4, int_operation(desc));
}
Transfer a64_qword_atomic(const DataPortLayout&, uint32_t desc) {
  return atomic_at_addresses(desc, 8, int_operation(desc));
}
Transfer a64_float_atomic(const DataPortLayout&, uint32_t desc) {
  return atomic_at_addresses(desc, 4, float_operation(desc));
}
Transfer oword_block_read(const DataPortLayout& l, uint32_t desc) { return oword_block(l, desc, false, oword); }
Transfer oword_block_write(const DataPortLayout& l, uint32_t desc) { return oword_block(l, desc, true, oword); }
Transfer unaligned_oword_block_read(const DataPortLayout& l, uint32_t desc) { return oword_block(l, desc, false, 1); }
Transfer scratch_block_read(const DataPortLayout&, uint32_t desc) { return scratch_block(desc, false); }
Transfer scratch_block_write(const DataPortLayout&, uint32_t desc) { return scratch_block(desc, true); }
Transfer a64_oword_block_read(const DataPortLayout&, uint32_t desc) { return a64_oword_block(desc, false, oword); }
Transfer a64_oword_block_write(const DataPortLayout&, uint32_t desc) { return a64_oword_block(desc, true, oword); }
Transfer a64_unaligned_oword_block_read(const DataPortLayout&, uint32_t desc) {
  return a64_oword_block(desc, false, 4);
}
Transfer a64_hword_block_read(const DataPortLayout&, uint32_t desc) { return a64_hword_block(desc, false); }
Transfer a64_hword_block_write(const DataPortLayout&, uint32_t desc) { return a64_hword_block(desc, true); }
Transfer memory_fence(const DataPortLayout&, uint32_t) { return {.kind = Kind::nothing}; }

}  // namespace transfer

eu::Window locate(void* context, uint32_t desc, const Transfer& t, uint64_t place) {
  DataPort& port = *static_cast<DataPort*>(context);
  const Target target = target_of(port, desc, t);
  // code reads small elements as dwords
  const uint64_t reach = t.writes ? t.reach() : std::max(t.reach(), 4u);
  const auto window = [&](std::byte* host, uint64_t start, uint64_t bytes) {
    // what is done at once must be aligned in the host's memory, too
    const bool crooked = t.operation != Operation::none && (reinterpret_cast<uintptr_t>(host) - start) % t.element;
    return bytes < reach || crooked ? eu::Window{} : eu::Window{host, start, bytes - reach + 1};
  };
  if (target.slm) return window(target.slm, 0, target.limit);
  if (!t.wide && place >= target.limit) return {};
  const uint64_t address = memory::from_canonical(target.base + place);
  const memory::Table* table = port.environment.memory->table().get();
  const memory::Range* range = table ? table->find(address) : nullptr;
  if (!range || (range->read_only && t.writes)) return {};
  // How far it goes down and up from the place, within the range and the surface.
  uint64_t down = address - range->start, up = range->end() - address;
  if (!t.wide) down = std::min(down, place), up = std::min(up, target.limit - place);
  down = std::min(down, eu::most_window_bytes / 2);
  up = std::min(up, eu::most_window_bytes / 2);
  return window(range->host + (address - range->start) - down, place - down, down + up);
}

}  // namespace vitro::shared
