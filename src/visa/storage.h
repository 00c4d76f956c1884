// Where the variables of a routine stand when it runs: each root has bytes of its own, an alias a place in its root's.
// Predefined variables stand first, since kernels and functions share them; those of a routine behind them, once for
// each time it is entered. Documents: vISA "Header", variables and aliases; nothing is allocated to registers here.
#pragma once

#include <cstdint>
#include <vector>

#include "visa/object.h"

namespace vitro::visa {

// Bytes of a variable, counted from the begin of the predefined ones or of the routine's own.
struct VariablePlace {
  uint32_t at = 0, bytes = 0;
  uint32_t root_at = 0, root_bytes = 0;
  uint32_t root = 0;    // its id
  bool shared = false;  // predefined, or an alias of one
  bool null = false;
};

class Storage {
 public:
  explicit Storage(const Routine& routine);

  const VariablePlace& operator[](uint32_t id) const { return places_[id]; }
  bool knows(uint32_t id) const { return id < places_.size(); }
  // Of the routine's own variables.
  uint32_t bytes() const { return bytes_; }
  // Of the predefined ones.
  static uint32_t shared_bytes();

 private:
  std::vector<VariablePlace> places_{};
  uint32_t bytes_ = 0;
};

// Roots begin at multiples of this, so that the bits of what was written (machine.h) are whole words.
inline constexpr uint32_t root_alignment = 64;

}  // namespace vitro::visa
