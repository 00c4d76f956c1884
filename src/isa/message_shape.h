// What a message is made of, from its descriptor: where its places stand in the payload, how many elements of which
// size it moves, which registers it reads and answers with. Who carries messages out, who compiles them and who asks
// which registers they read and write see the same shape. Its bytes are the key of compiled code. PRM: Gen8 vol 2a, the
// MSD_* of reads, writes and atomic operations; the rows of the message tables say which fields of a descriptor decide.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace vitro::isa {

enum class MessageAction : uint8_t {
  reserved,     // no message
  unsupported,  // known by name only
  nothing,      // to be done
#define DATA_PORT_ACTION(name) name,
#define SAMPLER_ACTION(name) name,
#define GATEWAY_ACTION(name) name,
#define URB_ACTION(name) name,
#define SPAWNER_ACTION(name) name,
#define PIXEL_INTERPOLATOR_ACTION(name) name,
#include "isa/actions.def"
};

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
  bool answers = false;    // to an operation
  bool split = false;      // the low dwords of all qwords, then the high ones
  uint8_t first_slot = 0;  // of a typed message: 8 is the high slot group

  // Of blocks.
  uint8_t place = no_place;  // which dword of the header has the place
  uint8_t at = 0;            // where in the first register
  BlockEnables enables = BlockEnables::all;
  bool is_write = false;     // of slots or blocks
  bool only_counts = false;  // of a barrier: the sender is counted at it, and no register changes
  bool structured = false;   // on a structured buffer, a place is an index and, behind all of these, an offset
  bool waits = false;        // it may take time until the message is taken, or what it does depends on other threads
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
  unsigned block_registers() const { return (at + bytes + register_bytes - 1) / register_bytes; }
  unsigned rows(unsigned elements) const { return pair() ? elements > 0 : elements * row_registers(); }
  unsigned payload_registers() const {
    if (is_block()) return header + (is_write ? block_registers() : 0);
    return is_scattered() ? header + place_registers() + rows(given()) : header;
  }
  unsigned response_registers() const {
    if (is_block()) return is_write ? 0 : block_registers();
    return is_scattered() ? rows(answered()) : 0;
  }
  // From the lowest byte of a slot to behind the highest.
  unsigned reach() const {
    return is_block() ? bytes : is_atomic() ? element : unsigned(std::bit_width(positions)) * element;
  }
};
static_assert(std::has_unique_object_representations_v<MessageShape>);

}  // namespace vitro::isa
