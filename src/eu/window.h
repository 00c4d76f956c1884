// What compiled code has asked a shared function for: host memory, in which it carries messages out by itself while all
// their places lie inside, or a routine that it calls; the shared function does the rest. PRM: none of its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vitro::eu {

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
};
// What compiled code reads at once is never further away than this.
inline constexpr uint64_t most_window_bytes = uint64_t(1) << 31;

}  // namespace vitro::eu
