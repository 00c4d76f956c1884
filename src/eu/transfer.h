// What a message does to memory, where that can be said in a few words: it moves elements between registers and places
// that its payload names, as they stand, or makes new elements of those that stand there. Compiled code carries such
// messages out by itself while all places lie inside a window that it asked for once; the shared function does the
// rest. PRM: Gen8 vol 2a, the MSD_* of reads, writes and atomic operations; which message is which, the tables of the
// shared functions say.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "eu/thread.h"

namespace vitro::eu {

struct Transfer {
  enum class Kind : uint8_t {
    none,       // only the shared function knows
    scattered,  // each slot has a place of its own, and elements one behind the other
    block,      // bytes in a row, to registers in a row
    arrival,    // the sender is counted at the barrier that dword 2 of the payload names: see Arrivals
    nothing,    // nothing to be done: fences between what was carried out at once anyway, and mere ends of threads
  };
  // What becomes of an element `old` with the operands a and b of its slot; one slot after the other, each at once
  // towards other host threads. Numbers as in MDC_AOP*, and from FMAX on for floats.
  enum class Operation : uint8_t {
    none,           // the element is moved
    both,           // old & a
    either,         // old | a
    differing,      // old ^ a
    replacement,    // a
    increment,      // old + 1
    decrement,      // old - 1
    sum,            // old + a
    difference,     // old - a
    reverse,        // a - old
    signed_most,    //
    signed_least,   //
    most,           //
    least,          //
    exchange,       // b where old is a
    predecrement,   // old - 1, which is also the answer; the others answer with old
    float_most,     // these three of dwords; NaNs give way
    float_least,    //
    float_exchange  //
  };
  Kind kind = Kind::none;
  uint8_t sfid = 0;          // of the message
  bool ends_thread = false;  // and only then is this what it does
  bool plain = false;        // the function is needed, but answers at once and touches no register but the response
  bool writes = false;
  bool header = false;  // the payload begins with one
  bool wide = false;    // places are addresses of 64 bits, else offsets of 32

  // scattered: the places stand behind the header, the data behind the places.
  uint8_t slots = 0;
  uint8_t positions = 0;      // elements of a slot, a bit for each
  uint8_t element = 4;        // bytes in memory; in registers a dword or a qword
  uint8_t unit = 1;           // bytes that offsets count
  bool header_adds = false;   // dword 2 of the header is added to all offsets
  bool header_masks = false;  // dword 7 of the header has a bit for each slot
  Operation operation = Operation::none;
  bool answers = false;  // to an operation
  bool alone = false;    // no other host thread sees the memory

  // block
  uint8_t place = 0;  // which dword of the header has the place; 255: none
  uint8_t at = 0;     // where in the first register
  uint16_t bytes = 0;
  uint32_t distance = 0;  // added to the place

  uint64_t place_bits = ~uint64_t(0);  // of a place that count
  uint32_t base_bits = 0;              // of dword 5 of the header, added to the place
  uint32_t desc = 0;                   // of the message

  // scattered: elements of a slot in the payload and in the response
  unsigned given() const {
    switch (operation) {
      case Operation::none: return writes ? unsigned(std::popcount(positions)) : 0;
      case Operation::increment:
      case Operation::decrement:
      case Operation::predecrement: return 0;
      case Operation::exchange:
      case Operation::float_exchange: return 2;
      default: return 1;
    }
  }
  unsigned answered() const {
    if (operation != Operation::none) return answers;
    return writes ? 0 : unsigned(std::popcount(positions));
  }
  // Registers of the payload and of the response.
  unsigned payload_registers() const {
    switch (kind) {
      case Kind::scattered: return header + slots * (wide ? 8u : 4u) / reg_bytes + given() * row_registers();
      case Kind::block: return header + (writes ? block_registers() : 0);
      default: return header;
    }
  }
  unsigned response_registers() const {
    switch (kind) {
      case Kind::scattered: return answered() * row_registers();
      case Kind::block: return writes ? 0 : block_registers();
      default: return 0;
    }
  }
  // Of an element of each slot, and of a block.
  unsigned row_registers() const { return slots * (element == 8 ? 8u : 4u) / reg_bytes; }
  unsigned block_registers() const { return (at + bytes + reg_bytes - 1u) / reg_bytes; }
  // From the lowest byte of a slot to behind the highest.
  unsigned reach() const {
    unsigned n = 0;
    while (positions >> n) ++n;
    return kind == Kind::block ? bytes : n * element;
  }
  bool operator==(const Transfer&) const = default;
};

static_assert(std::has_unique_object_representations_v<Transfer>);  // it is kept in files

// Threads that have come to a barrier: how many, and which by their place in the gateway's table.
struct Arrivals {
  uint32_t count = 0;  // threads that must arrive
  uint32_t arrived = 0;
  std::array<uint64_t, 2> marked{};

  // Where a thread stands whose sr0.0 is this.
  static constexpr uint32_t eus = 16, threads_per_eu = 8;
  static constexpr uint32_t place(uint32_t sr) {
    return (sr >> 8 & (eus - 1)) * threads_per_eu + (sr & (threads_per_eu - 1));
  }
};

// Host memory behind places from `start` on. The transfer's whole reach may begin at a place p of
//     p - start < limit    (numbers without signs)
// For an arrival it is the Arrivals of the barrier that is called `start`.
struct Window {
  std::byte* host = nullptr;
  uint64_t start = 0;
  uint64_t limit = 0;      // 0: there is none
  uint64_t row_limit = 0;  // the same for all of a message's slots in a row
  uint64_t carried = 0;    // messages that code has carried out through it
};
// What compiled code reads at once is never further away than this.
inline constexpr uint64_t most_window_bytes = uint64_t(1) << 31;

}  // namespace vitro::eu
