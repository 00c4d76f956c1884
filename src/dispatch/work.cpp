// Counts of dispatches, added up, and the numbers of stages. PRM: none.
#include "dispatch/work.h"

#include <atomic>

namespace vitro::dispatch {

uint64_t new_stage_number() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Counts& Counts::operator+=(const Counts& c) {
  ThreadCounts::operator+=(c);
  spent += c.spent;
  misses += c.misses;
  for (const auto& [message, count] : c.messages) messages[message] += count;
  for (const auto& [opcode, count] : c.opcodes) opcodes[opcode] += count;
  for (const auto& [what, count] : c.simplified) simplified[what] += count;
  for (const auto& [what, count] : c.illegal) illegal[what] += count;
  return *this;
}

}  // namespace vitro::dispatch
