// Atomic operations of the data ports, MDC_AOP1, 2 and 3: what each computes, and carrying it out on host memory so
// that no other host thread comes between. PRM: Gen8 vol 7 "Untyped Atomic Operation", "Typed Atomic Operation".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vitro::shared {

struct AtomicOperation {
  uint8_t operands = 0;      // 0xFF: reserved
  bool returns_new = false;  // else what was there before
};
inline constexpr uint8_t reserved_operation = 0xFF;

// By opcode: 0 is CMPWR_2W, on qwords.
const AtomicOperation& atomic_operation(unsigned op);
inline constexpr unsigned atomic_cmpwr_2w = 0;

// On a dword of host memory that is aligned; the result is what the message returns. Not for CMPWR_2W.
uint32_t atomic_dword(unsigned op, std::byte* host, uint32_t source0, uint32_t source1);

}  // namespace vitro::shared
