// How the host computes floats: which way it rounds, and whether denormals count as zeros, as operands and as results.
// C's fenv.h has no word for the latter, and is slower to ask. No part of the machine by itself.
#pragma once

#include <xmmintrin.h>

#include <cstdint>

namespace vitro {

// In other modes for as long as this lives, and then as before.
class HostFloats {
 public:
  enum : uint32_t { nearest = 0, down = 0x2000, up = 0x4000, to_zero = 0x6000 };
  static constexpr uint32_t flush = 0x8040;  // what is a denormal, or tiny once it is rounded, is a zero of its sign
  static constexpr uint32_t plain = nearest;

  explicit HostFloats(uint32_t modes) : before_(now()) { change(before_, modes); }
  ~HostFloats() { change(now(), before_); }
  HostFloats(const HostFloats&) = delete;
  HostFloats& operator=(const HostFloats&) = delete;

  static uint32_t now() { return _mm_getcsr() & all; }
  static uint32_t rounding() { return now() & to_zero; }
  static void change(uint32_t from, uint32_t to) {
    if (from == to) return;
    _mm_setcsr((_mm_getcsr() & ~all) | to);
    asm volatile("" ::: "memory");  // the compiler knows nothing of modes
  }

 private:
  static constexpr uint32_t all = to_zero | flush;
  uint32_t before_;
};

}  // namespace vitro
