// What a send hands to a shared function, and what it gets back. The EU knows no shared function, only this.
// PRM: Gen6 vol 4 part 2 tables 8-15 and 8-17 (descriptor, sideband); Gen9 split sends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "eu/thread.h"
#include "eu/window.h"
#include "isa/message_tables.h"

namespace vitro::eu {

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

  unsigned mlen() const { return desc >> 25 & 15; }
  unsigned ex_mlen() const { return ex_desc >> 6 & 15; }
  unsigned rlen() const { return desc >> 20 & 31; }
  bool header() const { return desc >> 19 & 1; }
};

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
