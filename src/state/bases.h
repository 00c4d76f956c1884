// The base addresses that state pointers, kernels and stateless accesses are relative to, as STATE_BASE_ADDRESS sets
// them. PRM: Gen8 vol 2a STATE_BASE_ADDRESS, STATE_SIP. Sizes bound the accesses relative to a base; without a bound
// they are the whole space. Memory object control (caching) is not modelled.
#pragma once

#include <cstdint>

namespace vitro::state {

struct Base {
  uint64_t address = 0;
  uint64_t bytes = ~uint64_t{0};  // accesses from here on are out of bounds

  bool operator==(const Base&) const = default;
};

struct Bases {
  Base general, surface, dynamic, indirect, instruction, bindless_surface;
  uint64_t sip = 0;  // system instruction pointer, relative to the instruction base

  bool operator==(const Bases&) const = default;
};

}  // namespace vitro::state
