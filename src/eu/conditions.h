// Conditions and predicates, for values of any domain: which relation of two values a conditional modifier asks for,
// what NaNs do to it, and how bits of the flags make a predicate.
// PRM: Gen6 vol 4 part 2 sections 5.6 (PR-01, PR-02), 5.9 (CF-01), FP-03, FP-04 and tables 4-9 to 4-11.
#pragma once

#include "base/bits.h"
#include "eu/plan.h"

namespace vitro::eu {

// Two values stand in one of four relations. NaN fails every modifier but "not equal"; .u asks for it (FP-03). A domain
// says with in_relation() which of its lanes stand in one of those that are asked for.
namespace relation {
inline constexpr unsigned equal = 1, greater = 2, less = 4, unordered = 8;
inline constexpr uint8_t asked[16] = {
    0,                           // none
    equal,                       // z
    less | greater | unordered,  // nz
    greater,                     // g
    greater | equal,             // ge
    less,                        // l
    less | equal,                // le
    0,                           // reserved
    0,                           // o: asks the result, not a relation
    unordered,                   // u
};
}  // namespace relation
constexpr unsigned relations(isa::CondModifier c) { return relation::asked[size_t(c)]; }

// Without branches: they would be taken lane by lane.
template <class T>
bool in_relation(unsigned asked, Num<T> a, Num<T> b) {
  const unsigned ordered =
      (a < b ? relation::less : 0u) | (a == b ? relation::equal : 0u) | (a > b ? relation::greater : 0u);
  return (asked & (ordered ? ordered : relation::unordered)) != 0;
}

// sel: whether a is chosen. One NaN gives the other operand of min and max; the condition itself does not hold for one.
template <class V>
TruthOf<V> chooses(isa::CondModifier c, const V& a, const V& b) {
  const TruthOf<V> holds = in_relation(relations(c), a, b);
  if constexpr (V::is_float)
    if (c == isa::CondModifier::l || c == isa::CondModifier::ge) return holds | is_nan(b);
  return holds;
}
// cmpn: a NaN in src1 decides for src0 (FP-04), unless src0 is one too (tables 4-9 to 4-11).
template <class V>
TruthOf<V> holds_unless_nan(isa::CondModifier c, const V& a, const V& b) {
  const TruthOf<V> holds = in_relation(relations(c), a, b);
  if constexpr (V::is_float) {
    const TruthOf<V> first = is_nan(a), second = is_nan(b), decides = second & !first;
    return c == isa::CondModifier::nz ? holds & !decides : holds | decides;
  }
  return holds;
}

// Each group of `width` of 32 bits one value: any of them, or all.
template <class V>
V grouped(V bits, int width, bool all) {
  uint32_t lowest = 0;
  for (int at = 0; at < 32; at += width) lowest |= 1u << at;
  V any = all ? ~bits : bits;
  for (int step = 1; step < width; step *= 2) any = any | shift_right(any, constant(any, step));
  any = (any & constant(any, lowest)) * constant(any, ones(width));
  return all ? ~any : any;
}

// A predicate that is not just the flag's bits, from bit 0 on and before it is inverted; flag(n) gives 32 bits.
template <class F>
auto combined_predicate(const Plan& p, F flag) {
  using isa::PredCtrl;
  const PredCtrl c = p.instruction.pred_ctrl;
  auto f = flag(p.flag_reg);
  const auto down = [](auto bits, int n) { return shift_right(bits, constant(bits, n)); };
  if (p.instruction.access_mode == isa::AccessMode::align16 && c >= PredCtrl::any_v && c <= PredCtrl::all2h)
    // one component of each four channels, for all of them
    return (down(down(f, p.flag_shift), int(c) - int(PredCtrl::any_v)) & constant(f, 0x11111111)) * constant(f, 15);
  if (c == PredCtrl::any_v || c == PredCtrl::all_v) {
    // the same channel of the two flag halves, or of the two flag registers where there are two
    const auto own = down(f, p.flag_shift);
    const auto other = p.two_flags ? down(flag(p.flag_reg ^ 1), p.flag_shift) : down(f, (p.flag_shift + 16) % 32);
    return c == PredCtrl::any_v ? own | other : own & other;
  }
  // groups are those of the flag, whatever the execution size: jmpi tests any16h with one channel
  const int code = int(c) - int(PredCtrl::any2h);
  return down(grouped(f, 2 << code / 2, code % 2), p.flag_shift);
}

}  // namespace vitro::eu
