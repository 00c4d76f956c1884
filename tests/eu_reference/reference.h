// What the documents say an instruction computes, for one channel.
// PRM: Gen6 vol 4 part 2 chapter 4 (FP-01..FP-11, CV-01, CV-02), section 5.9 (CF-01) and chapter 8; Gen8 vol 2a.
// Sums whose intermediate roundings the documents leave open (dp*, line, pln, lrp) are not here: their tests bound
// them.
#pragma once

#include <vector>

#include "machine.h"
#include "real.h"

namespace vitro::reference {

struct Expected {
  uint64_t bits = 0;
  bool nan = false;      // any NaN of the destination's type
  bool flag = false;     // the condition
  bool has_flag = true;  // false: the documents leave the condition open
  bool defined = true;   // false: the documents leave the result open
};

// `predicate` is the channel's flag before the instruction.
Expected expected(const Trial&, const std::array<uint64_t, 3>& sources, bool predicate);
bool matches(isa::Type type, const Expected&, uint64_t bits);

std::vector<uint64_t> corner_values(isa::Type type);
uint64_t random_value(isa::Type type, uint64_t seed);
uint64_t mix(uint64_t x);  // a hash: the sweep's only source of chance

}  // namespace vitro::reference
