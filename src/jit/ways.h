// How each instruction is compiled, and which registers it touches.
// PRM: see ways.cpp.
#pragma once

#include "eu/accumulators.h"
#include "jit/analysis.h"

namespace vitro::jit {

constexpr bool is_arf(uint8_t reg, isa::Arf arf) { return reg >> 4 == int(arf); }

// Under a mode. Only single program flow makes a difference to where control goes.
Way way_of(const Program&, const Plan&, Mode, Width&);

// Registers that an instruction reads, writes and overwrites, when it is emitted and when it is called.
void touch_emitted(const Program&, const Plan&, Shape&);
void touch_called(const Program&, const Plan&, Shape&);
// Registers from an operand on.
void add_range(Registers&, const isa::Operand&, unsigned count);

// Whether the interpreter, when an instruction is left to it, may go on elsewhere than at the next.
bool changes_ip(const Plan&);
// Whether an address in a0 says where an operand is.
bool is_indirect(const Plan&);
// Bytes of the register file, and those that elements at these offsets from an address take.
inline constexpr int file_bytes = grf_count * reg_bytes;
inline int reach_of(const std::array<uint16_t, max_channels>& offset, int lanes, int size) {
  return *std::max_element(offset.begin(), offset.begin() + lanes) + size;
}
// Calls f with the index of every instruction that may come next, but after one of way `branch`: there all is stored,
// and the code is as if entered anew.
template <class F>
void each_successor(const Program& program, const std::vector<Shape>& shapes, size_t n, F f) {
  const Plan& p = program.plans()[n];
  switch (shapes[n].way) {
    case Way::left:
      if (n + 1 < shapes.size()) f(n + 1);
      return;
    case Way::jump:
      for (uint32_t ip : jump_targets(program, p))
        if (const int to = plan_index(program, ip); to >= 0) f(size_t(to));
      return;
    case Way::branch: return;
    default:
      if (p.instruction.eot) return;
      if (n + 1 < shapes.size()) f(n + 1);
  }
}

// Whether registers settle on the way from an instruction to another.
inline bool settles(const std::vector<Shape>& shapes, size_t from, size_t to) {
  return shapes[to].settled && !(shapes[to].loops && from >= to);
}
// Decides where registers settle.
void choose_settled(const Program&, const Options&, std::vector<Shape>&);
// And once Shape::modified, as if nothing settled, and Shape::live are known, where else they do.
void settle_where_ways_meet(const Program&, const Options&, std::vector<Shape>&);
// Decides which transfers are done by functions.
void choose_shared(const Program&, const Options&, Analysis&);
// Fills in Shape::modified, as if nothing settled anywhere or as it is.
void find_modified(const Program&, std::vector<Shape>&, bool settled);
// Fills in Shape::fetched; all else must be known.
void find_fetched(const Program&, std::vector<Shape>&);
// Fills in Shape::live; modified must be what it is without settling, for what is needed behind a settled place is
// needed before it.
void find_live(const Program&, const Options&, Analysis&);

}  // namespace vitro::jit
