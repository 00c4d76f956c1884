// What was read of state objects in memory, so that what was derived from it can be used again for as long as they say
// the same. PRM: state objects are cached by the hardware until a state or sampler cache invalidation; here nothing of
// them is ever stale, as they are compared instead. Belongs to one host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "memory/view.h"

namespace vitro::state {

class Reads {
 public:
  void note(memory::View& memory, uint64_t address, std::span<const std::byte> content) {
    // What is not in one piece of memory is read, and its misses counted, again and again; so is more than is worth it.
    if (places_.size() == most || !memory.at(address, content.size(), memory::Access::read)) lost_ = true;
    if (lost_) return;
    places_.push_back({address, content.size()});
    content_.insert(content_.end(), content.begin(), content.end());
  }
  // Whether all of it would be read again as it was.
  bool hold(memory::View& memory) const {
    const std::byte* was = content_.data();
    for (const Place& p : places_) {
      const std::byte* is = memory.at(p.address, p.bytes, memory::Access::read);
      if (!is || std::memcmp(is, was, p.bytes) != 0) return false;
      was += p.bytes;
    }
    return !lost_;
  }
  void forget() {
    places_.clear();
    content_.clear();
    lost_ = false;
  }

 private:
  static constexpr size_t most = 256;
  struct Place {
    uint64_t address;
    size_t bytes;
  };
  std::vector<Place> places_{};
  std::vector<std::byte> content_{};
  bool lost_ = false;
};

}  // namespace vitro::state
