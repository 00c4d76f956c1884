// The dwords of r0 that all stages fill alike and that do not depend on where a thread stands in its dispatch.
// PRM: Gen8 vol 7 "Thread Payload". Worked example: scratch space of code 2 (4 KB) at offset 0xFFF1B000 makes r0.5 of
// the thread with FFTID 3 0xFFF1E003.
#pragma once

#include <cstdint>

namespace vitro::dispatch {

struct ThreadHeader {
  uint32_t samplers = 0;                     // r0.3
  uint32_t bindings = 0;                     // r0.4
  uint32_t scratch = 0, scratch_shift = 10;  // r0.5: base, and the size of one thread's as a power of two
  uint32_t fftid_mask = 0;

  uint32_t r0_5(unsigned fftid) const {
    return ((scratch + (fftid << scratch_shift)) & ~0x3FFu) | (fftid & fftid_mask);
  }
  bool operator==(const ThreadHeader&) const = default;
};

}  // namespace vitro::dispatch
