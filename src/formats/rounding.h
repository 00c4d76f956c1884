// Round to nearest even for as long as this lives: threads may have set another rounding mode for their own arithmetic
// (cr0), which fixed functions and conversions do not follow. No part of the machine by itself.
#pragma once

#include <cfenv>

namespace vitro::formats {

class RoundToNearest {
 public:
  RoundToNearest() : before_(std::fegetround()) {
    if (before_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~RoundToNearest() {
    if (before_ != FE_TONEAREST) std::fesetround(before_);
  }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  int before_;
};

}  // namespace vitro::formats
