// Round to nearest even for as long as this lives: threads may have set another rounding mode for their own arithmetic
// (cr0), which fixed functions and conversions do not follow. No part of the machine by itself.
#pragma once

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace vitro::formats {

class RoundToNearest {
 public:
  RoundToNearest() : before_(mode()) {
    if (before_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~RoundToNearest() {
    if (before_ != FE_TONEAREST) std::fesetround(before_);
  }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  static int mode() {
#if defined(__x86_64__)
    if ((_mm_getcsr() & _MM_ROUND_MASK) == _MM_ROUND_NEAREST) return FE_TONEAREST;  // as a rule, and faster to ask
#endif
    return std::fegetround();
  }
  int before_;
};

}  // namespace vitro::formats
