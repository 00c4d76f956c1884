// What a send hands to a shared function, and what it gets back. The EU knows no shared function, only this.
// PRM: Gen6 vol 4 part 2 tables 8-15 and 8-17 (descriptor, sideband); Gen9 split sends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "eu/thread.h"
#include "isa/message_tables.h"

namespace vitro::eu {

// A field of a dword, of a payload or header.
constexpr uint32_t field(uint32_t dword, Bits b) { return uint32_t(extract({dword, 0}, b)); }
constexpr int32_t signed_field(uint32_t dword, Bits b) { return int32_t(sign_extend(field(dword, b), b.width())); }
// Register n of a send's payload: those of the second part follow those of the first.
constexpr unsigned payload_register(const isa::Instruction& send, unsigned n) {
  const unsigned first = isa::mlen(send.desc.imm);
  return n < first ? send.src[0].reg + n : send.src[1].reg + n - first;
}

struct Message {
  uint8_t sfid = 0;
  uint32_t desc = 0, ex_desc = 0;
  bool eot = false;
  uint8_t exec_size = 8;
  uint32_t channels = 0;  // channel enables, from bit 0
  bool alt_mode = false;
  std::span<const std::byte> payload, second_payload;  // whole registers
  std::span<std::byte> response;                       // rlen registers of the destination
  const isa::DecodedMessage* decoded = nullptr;        // what the descriptor says, if that is known already

  unsigned mlen() const { return isa::mlen(desc); }
  unsigned ex_mlen() const { return isa::ex_mlen(ex_desc); }
  unsigned rlen() const { return isa::rlen(desc); }
  bool header() const { return isa::has_header(desc); }

  // The payload's registers, those of the second behind those of the first, and a dword of one.
  unsigned registers() const { return unsigned((payload.size() + second_payload.size()) / reg_bytes); }
  const std::byte* reg(unsigned n) const {
    const size_t at = size_t(n) * reg_bytes;
    return at < payload.size() ? payload.data() + at : second_payload.data() + (at - payload.size());
  }
  uint32_t dword(unsigned n, unsigned i) const {
    uint32_t v;
    std::memcpy(&v, reg(n) + 4 * i, sizeof v);
    return v;
  }
};

// The two slots of a SIMD4x2 message: one takes part if one of its four channels does.
constexpr uint32_t slots_4x2(uint32_t channels) { return (channels & 0xF ? 1u : 0) | (channels & 0xF0 ? 2u : 0); }

// What compiled code has asked a shared function for: host memory, in which it carries messages out by itself while all
// their places lie inside, or a routine that it calls; the shared function does the rest.
// Memory behind places from `start` on. All that a message reaches from a place p on lies inside if
//     p - start < limit    (unsigned)
// For a barrier it is what the gateway keeps of the one that is called `start`. Of a routine `host` are the facts, and
// `start` is what dwords 2 and 3 of the message's header must be.
struct Window {
  std::byte* host = nullptr;
  uint64_t start = 0;
  uint64_t limit = 0;             // 0: there is none
  uint64_t row_limit = 0;         // the same for all of a message's slots in a row
  uint64_t carried = 0;           // messages that code has carried out through it
  const void* routine = nullptr;  // code::Routine::vectors; null: there is none
  const void* context = nullptr;  // of a render target: where the record of the thread is told
  // The routine's key, if it is short enough to stand in code itself; and whether in the code that runs it does.
  std::span<const std::byte> key{};
  uint32_t fused = 0;
};
// What compiled code reads at once is never further away than this.
inline constexpr uint64_t most_window_bytes = uint64_t(1) << 31;

enum class Reply : uint8_t {
  done,         //
  blocked,      // not now, and nothing has changed: the message is sent again when something has
  accepted,     // carried out, but its answer is outstanding: the message is sent again, to ask for it
  faulted,      // `reason` says why
  unsupported,  // `reason` says what
};

// A shared function: a plain function and its context, looked up by SFID.
struct SharedFunction {
  Reply (*handle)(void* context, Thread& sender, Message& message, std::string& reason) = nullptr;
  void* context = nullptr;
  // The thread sends no more: it has ended, faulted or been taken away. Null: the function keeps nothing about threads.
  void (*gone)(void* context, Thread& thread) = nullptr;
  // The window that holds a place of a message, for as long as the dispatch lasts; without a limit if there is none.
  // Null: the function gives none away.
  Window (*locate)(void* context, uint32_t desc, const isa::MessageShape& shape, uint64_t place) = nullptr;
  // A plain message without a response, from its payload's registers. False: nothing has happened, it must be sent.
  bool (*quick)(void* context, Thread& sender, uint32_t desc, const std::byte* payload) = nullptr;
};
using SharedFunctions = std::array<SharedFunction, 16>;

// Whoever runs threads says so, once for each.
inline void thread_is_gone(const SharedFunctions& functions, Thread& thread) {
  for (const SharedFunction& f : functions)
    if (f.gone) f.gone(f.context, thread);
}

}  // namespace vitro::eu
