// The modes a program runs in, as far as they are known before it runs: bits of cr0.0 that decide how floats are
// computed and how channels flow.
// PRM: Gen6 vol 4 part 2 section 5.3, Gen8 vol 7 (cr0.0).
#pragma once

#include <optional>

#include "code/order.h"
#include "eu/plan.h"
#include "eu/thread.h"

namespace vitro::eu {

using code::FloatMode;

inline constexpr uint32_t cr_rounding = 3u << cr_rounding_shift;

// Bits of cr0.0 whose value is known, and the value.
struct Mode {
  uint32_t bits = 0, known = 0;

  bool knows(uint32_t which) const { return (known & which) == which; }
  bool is_clear(uint32_t which) const { return knows(which) && !(bits & which); }
  bool keeps(uint32_t which) const { return bits & which; }
  bool operator==(const Mode&) const = default;
};

// The bits of cr0.0 that mean something to compiled code. All others count as known to be zero.
uint32_t mode_bits(const isa::Model&);
Mode initial_mode(const isa::Model&, const FloatMode&);
// What holds on either of two ways.
Mode joined(Mode, Mode);
Mode mode_after(const isa::Model&, const Plan&, Mode before);

// Whether the destination is cr0; and whether just its modes are changed, to what is known before.
bool writes_control(const Plan&);
bool writes_known_mode(const Plan&);
// cr0.0 is combined with this by the instruction's operation, and nothing but modes changes. Nothing: more happens.
std::optional<uint32_t> changes_only_modes(const isa::Model&, const Plan&);

}  // namespace vitro::eu
