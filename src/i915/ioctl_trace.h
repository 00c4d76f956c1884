// The lines of `vitro run --trace ioctls`. No part of the machine by itself.
#pragma once

#include <cstddef>
#include <string>

namespace vitro::i915 {

// "ioctl 5 I915_GEM_CREATE size=0x1000 handle=1: 0", with the fields as the call leaves them; `argument` may be
// nullptr. `result`: 0 or a negative errno.
std::string describe_ioctl(int fd, unsigned long request, const std::byte* argument, int result);

}  // namespace vitro::i915
