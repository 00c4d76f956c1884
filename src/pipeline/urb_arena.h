// The URB as the vertices of a scene see it: entries are taken from the scene's arena and stay where they are until it
// is drained, so nothing is ever full, and nothing is copied on the way to setup. PRM: Gen8 vol 7 "Unified Return
// Buffer"; 3DSTATE_URB_VS. A handle is the number of an entry among those of the dispatch that runs. One for each host
// thread, and no locks: it stands behind the options of that thread's Runner. Where an entry would stand in the real
// URB (3DSTATE_URB's starting address, how many there are) is not modelled.
#pragma once

#include <cstring>
#include <span>

#include "pipeline/arena.h"
#include "pipeline/object.h"
#include "shared/urb.h"

namespace vitro::pipeline {

class UrbArena {
 public:
  static constexpr uint32_t most_entries = 1 << 16;  // handles have 16 bits

  explicit UrbArena(const shared::UrbLayout& layout) : entries_(layout) {}
  UrbArena(const UrbArena&) = delete;
  UrbArena& operator=(const UrbArena&) = delete;

  // For dispatch::SubsliceOptions.
  eu::SharedFunction function() { return entries_.function(); }

  // Entries 0 to count - 1 of the next dispatch, all zero.
  std::span<Slot> begin(Arena& arena, uint32_t count, uint32_t slots) {
    const std::span<Slot> all = arena.take<Slot>((size_t(count) + 1) * slots);
    std::memset(all.data(), 0, all.size_bytes());
    entries_.written = {reinterpret_cast<uint32_t*>(all.data()), slots * 4, count};
    entries_.read = {};
    return all;
  }
  // What threads read, if it is something else than what they write: their input.
  void set_input(std::span<Slot> all, uint32_t slots) {
    entries_.read = {reinterpret_cast<uint32_t*>(all.data()), slots * 4, uint32_t(all.size() / slots)};
  }
  void end() { entries_.written = entries_.read = {}; }

 private:
  shared::UrbEntries entries_;
};

}  // namespace vitro::pipeline
