// Letting go of a value without running its destructor. The child of fork needs it: its copies of what other threads of
// the parent were using may be locked, or half changed, for ever. They stay within reach, because LeakSanitizer reports
// in the program under vitro what is not.
#pragma once

#include <utility>

namespace vitro {

// `value` is as new afterwards. For the child of fork, where there is one thread.
template <class T>
T& abandon(T& value) {
  struct Left {
    T value;
    Left* before;
  };
  static constinit Left* last = nullptr;
  last = new Left{std::move(value), last};
  value = T();
  return last->value;
}

}  // namespace vitro
