// What was read of a state object in memory, so that what was derived from it can be used again for as long as it says
// the same. PRM: state objects are cached by the hardware until a state or sampler cache invalidation; here nothing of
// them is ever stale, as they are compared instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "memory/view.h"

namespace vitro::state {

class Reads {
 public:
  void note(memory::View& memory, uint64_t address, std::span<const std::byte> content) {
    // What is not in one piece of memory is read, and its misses counted, again and again.
    if (count_ == places_.size() || bytes_ + content.size() > content_.size() ||
        !memory.at(address, content.size(), memory::Access::read))
      lost_ = true;
    if (lost_) return;
    places_[count_++] = {address, content.size()};
    std::memcpy(content_.data() + bytes_, content.data(), content.size());
    bytes_ += content.size();
  }
  // Whether all of it would be read again as it was.
  bool hold(memory::View& memory) const {
    const std::byte* was = content_.data();
    for (size_t n = 0; n < count_; was += places_[n++].bytes) {
      const std::byte* is = memory.at(places_[n].address, places_[n].bytes, memory::Access::read);
      if (!is || std::memcmp(is, was, places_[n].bytes) != 0) return false;
    }
    return !lost_;
  }

 private:
  struct Place {
    uint64_t address;
    size_t bytes;
  };
  // An entry of a binding table and a surface state, or a sampler state and a border colour.
  std::array<Place, 2> places_{};
  std::array<std::byte, 4 + 64> content_{};
  size_t count_ = 0, bytes_ = 0;
  bool lost_ = false;
};

}  // namespace vitro::state
