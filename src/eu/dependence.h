// The use sets of an instruction: the bytes and bits it may read and may write. The expressions of semantics.def are
// evaluated over a second domain, in which a value is the set of operand lanes, accumulator slots and flag bits it was
// made of; no opcode has code of its own here. For schedulers and compilers, and as the proof that the expressions
// depend on nothing but their domain.
// Masks are not looked at: a set holds what some mask would let through. The control register decides about rounding
// and denormals of everything and is named only where an operand names it; so is the execution mask.
#pragma once

#include <bitset>
#include <optional>

#include "eu/plan.h"

namespace vitro::eu {

struct UseSet {
  std::bitset<grf_count * reg_bytes> grf;  // bytes
  std::bitset<mrf_count * reg_bytes> mrf;
  std::array<uint32_t, 2> flag{};  // bits
  std::array<uint16_t, 2> acc{};   // slots
  uint32_t a0 = 0;                 // bytes
  uint16_t arf = 0;                // other architecture registers, by isa::Arf; that of the accumulator means mme
};
struct Dependence {
  UseSet reads, writes;
};

// The thread is asked for its address registers only; without one, operands that those name are left out. Nothing: the
// instruction cannot run or has no meaning, or an address leaves the register file.
std::optional<Dependence> dependence(const Program&, const Plan&, const Thread*);

}  // namespace vitro::eu
