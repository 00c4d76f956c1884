// What a message is made of, from its descriptor: where its places stand in the payload, how many elements of which
// size it moves, which registers it reads and answers with. Who carries messages out, who compiles them and who asks
// which registers they read and write see the same shape. Its bytes are the key of compiled code. PRM: Gen8 vol 2a, the
// MSD_* of reads, writes and atomic operations; the rows of the message tables say which fields of a descriptor decide.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vitro::isa {

// Which shared functions carry an action out.
enum class ActionFamily : uint8_t { none, data_port, sampler, gateway, urb, spawner, pixel_interpolator };

enum class MessageAction : uint8_t {
  reserved,     // no message
  unsupported,  // known by name only
  nothing,      // to be done
#define DATA_PORT_ACTION(name, ...) name,
#define SAMPLER_ACTION(name, ...) name,
#define GATEWAY_ACTION(name, ...) name,
#define URB_ACTION(name, ...) name,
#define SPAWNER_ACTION(name, ...) name,
#define PIXEL_INTERPOLATOR_ACTION(name, ...) name,
#include "isa/actions.def"
};

constexpr ActionFamily family_of(MessageAction action) {
  switch (action) {
#define DATA_PORT_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::data_port;
#define SAMPLER_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::sampler;
#define GATEWAY_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::gateway;
#define URB_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::urb;
#define SPAWNER_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::spawner;
#define PIXEL_INTERPOLATOR_ACTION(name, ...) case MessageAction::name:
#include "isa/actions.def"
    return ActionFamily::pixel_interpolator;
    default: return ActionFamily::none;
  }
}

// What actions.def says of them; what is no action may do anything.
struct ActionTraits {
  bool computes_floats = true, writes_memory = true;
};
inline constexpr auto action_traits = [] {
  constexpr bool bits = false, floats = true, keeps = false, writes = true;
  std::array<ActionTraits, 256> all{};
#define DATA_PORT_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#define SAMPLER_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#define GATEWAY_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#define URB_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#define SPAWNER_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#define PIXEL_INTERPOLATOR_ACTION(name, computes, memory) all[size_t(MessageAction::name)] = {computes, memory};
#include "isa/actions.def"
  return all;
}();
constexpr bool computes_floats(MessageAction action) { return action_traits[size_t(action)].computes_floats; }
constexpr bool writes_memory(MessageAction action) { return action_traits[size_t(action)].writes_memory; }

enum class AtomicOp : uint8_t {
#define ATOMIC(name, number, text, operands) name,
#include "isa/atomics.def"
  none
};
inline constexpr uint8_t atomic_operands[] = {
#define ATOMIC(name, number, text, operands) operands,
#include "isa/atomics.def"
    0};

// What places count from.
enum class AddressSpace : uint8_t {
  surface,    // of the binding table
  stateless,  // the general state, and what the header adds
  slm,        // shared local memory
  bindless,   // the surface that the extended descriptor names
  addresses,  // none: places are addresses
};

// Which dwords of a block its channels enable.
enum class BlockEnables : uint8_t {
  dwords,  // each channel one
  owords,  // four, if one of them is enabled
  all,     // all, if any channel is
};

struct MessageShape {
  static constexpr unsigned register_bytes = 32;
  static constexpr uint8_t no_place = 255;
  // Shared local memory looks at 16 bits of an offset: IGC sets bit 28 in pointers to it, to tell them from others.
  static constexpr uint64_t slm_offset_bits = 0xFFFF;

  MessageAction action = MessageAction::reserved;
  uint8_t reserved_field = 0;  // one more than the index of a field whose value it does not define; 0: all are defined
  AddressSpace space = AddressSpace::surface;
  bool header = false;  // the payload begins with one

  // Of slots: the places stand behind the header, the data behind the places.
  uint8_t slots = 0;          // 2: SIMD4x2, of which each has its channels side by side
  uint8_t positions = 0;      // elements of a slot, a bit for each
  uint8_t element = 4;        // bytes in memory; in registers a dword or a qword
  uint8_t unit = 1;           // bytes that offsets count
  uint8_t align = 1;          // low bits of a place that do not count, as bytes
  bool adds_header = false;   // dword 2 of the header is added to all offsets
  bool masks_header = false;  // dword 7 of the header has a bit for each slot
  AtomicOp operation = AtomicOp::none;
  bool answers = false;                   // to an operation
  bool split = false;                     // the low dwords of all qwords, then the high ones
  uint8_t first_slot = 0;                 // of a slot group: 8 or 16 and more are not the lowest
  bool half = false;                      // colours or results have 16 bits
  bool replicated = false, dual = false;  // colours: one for all slots; of two sources
  bool linear = false;                    // barycentrics without perspective

  // Of blocks.
  uint8_t place = no_place;  // which dword of the header has the place
  uint8_t at = 0;            // where in the first register
  BlockEnables enables = BlockEnables::all;
  bool is_write = false;     // of slots or blocks
  bool only_counts = false;  // of a barrier: the sender is counted at it, and no register changes
  bool structured = false;   // on a structured buffer, a place is an index and, behind all of these, an offset

  // What it does besides.
  bool waits = false;         // it may take time until the message is taken, or what it does depends on other threads
  bool ends_thread = false;   // nothing but that
  bool holds_anyway = false;  // nothing is left to be done of it: a fence between what was carried out at once
  bool reads_urb = false;
  bool reads_target = false;

  uint16_t bytes = 0;
  uint32_t distance = 0;   // added to the place
  uint32_t base_bits = 0;  // of dword 5 of the header, added to places of stateless blocks
  uint32_t name_bits = 0;  // of dword 2 of the payload: the barrier's name

  bool operator==(const MessageShape&) const = default;

  bool is_scattered() const {
    return action == MessageAction::scattered_read || action == MessageAction::scattered_write ||
           action == MessageAction::atomic;
  }
  bool is_block() const { return action == MessageAction::block_read || action == MessageAction::block_write; }
  bool is_dual_block() const {
    return action == MessageAction::dual_block_read || action == MessageAction::dual_block_write;
  }
  bool is_typed() const {
    return action == MessageAction::typed_read || action == MessageAction::typed_write ||
           action == MessageAction::typed_atomic;
  }
  // Fixed-function work on eights of slots, for which there may be machine code of its own.
  bool has_routine() const {
    return action == MessageAction::sample || action == MessageAction::load ||
           action == MessageAction::load_multisampled || action == MessageAction::load_mcs || colours();
  }
  bool colours() const { return action == MessageAction::render_target_write; }
  bool is_atomic() const { return operation != AtomicOp::none; }
  bool wide() const { return space == AddressSpace::addresses; }  // places have 64 bits
  bool pair() const { return slots == 2; }
  // Bits of a place that count.
  uint64_t place_bits() const {
    return (space == AddressSpace::slm ? slm_offset_bits : ~uint64_t(0)) & ~uint64_t(align - 1);
  }
  // Elements of a slot in the payload and in the response.
  unsigned given() const {
    return is_atomic() ? atomic_operands[size_t(operation)] : is_write ? unsigned(std::popcount(positions)) : 0;
  }
  unsigned answered() const { return is_atomic() ? answers : is_write ? 0 : unsigned(std::popcount(positions)); }

  // --- registers
  // Of an element of each slot; of the places; of a block.
  unsigned row_registers() const { return pair() ? 1 : slots * (element == 8 ? 8u : 4u) / register_bytes; }
  unsigned place_registers() const { return pair() ? 1 : slots * (wide() ? 8u : 4u) / register_bytes; }
  unsigned dual_registers() const { return bytes / 16u; }  // of a pair of blocks, side by side
  unsigned block_registers() const { return (at + bytes + register_bytes - 1) / register_bytes; }
  unsigned rows(unsigned elements) const { return pair() ? elements > 0 : elements * row_registers(); }
  // Of a component of colours.
  unsigned colour_registers() const { return half ? slots != 0 : slots / 8u; }
  // Where a parameter of the sampler begins, of row_registers().
  unsigned parameter_register(unsigned n) const { return header + (pair() ? n / 4 : n * row_registers()); }
  // How many there are at least; of the response, if it is wanted.
  unsigned payload_registers() const {
    using enum MessageAction;
    if (is_block()) return header + (is_write ? block_registers() : 0);
    if (is_dual_block()) return std::max(1u, unsigned(header + !wide()) + (is_write ? dual_registers() : 0));
    if (is_scattered()) return header + place_registers() + rows(given());
    if (is_typed()) return header + 1 + rows(given());
    switch (action) {
      case atomic_counter: return header + rows(given());
      case render_target_write: return 2 * header + (replicated ? 1 : 4 * colour_registers() * (1u + dual));
      case render_target_read: return 2 * header;
      case urb_atomic: return header + given();
      case interpolate_slot_offsets: return 2 * slots / 8u;
      case media_block_read:
      case media_block_write:
      case transpose_read:
      case vertex_buffer_write: return 1;
      default: break;
    }
    const ActionFamily family = family_of(action);
    const bool others = family == ActionFamily::gateway || family == ActionFamily::urb ||
                        family == ActionFamily::spawner || family == ActionFamily::pixel_interpolator;
    return others ? 1 : header;
  }
  unsigned response_registers() const {
    if (is_block()) return is_write ? 0 : block_registers();
    if (is_dual_block()) return is_write ? 0 : dual_registers();
    if (is_scattered() || is_typed() || action == MessageAction::atomic_counter) return rows(answered());
    if (action == MessageAction::render_target_read) return 4 * slots / 8u;
    if (family_of(action) == ActionFamily::pixel_interpolator) return 2 * slots / 8u;
    return action == MessageAction::surface_info;
  }
  // From the lowest byte of a slot to behind the highest.
  unsigned reach() const {
    return is_block() ? bytes : is_atomic() ? element : unsigned(std::bit_width(positions)) * element;
  }
};
static_assert(std::has_unique_object_representations_v<MessageShape>);

}  // namespace vitro::isa
