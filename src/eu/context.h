// What the expressions of semantics.def call k, for values V of any domain. How a domain gets at numbers, neighbours,
// accumulators and the predicate, it says itself: number(n), predicate(), acc(), a4(n) and so on.
// PRM: Gen6 vol 4 part 2 chapter 8 (counts of shifts, mac, mach, subb); Gen8 vol 2a `mul`, `mach`.
#pragma once

#include "eu/conditions.h"
#include "eu/functions.h"

namespace vitro::eu {

template <class Domain, class V>
struct Context {
  const Plan& p;
  const isa::Model& m;

  V one() const { return domain().number(1); }
  V thirty_two() const { return domain().number(32); }
  bool is_signed() const { return isa::info(p.src[p.sources - 1].type).is_signed; }
  V raw(const V& a) const requires Integer<V> {
    return as_unsigned(a & constant(a, ones(8 * isa::size_of(p.src[0].type))));
  }
  // Six bits when src0 or the destination is 64 bits wide, else five.
  V count(const V& b) const requires Integer<V> {
    const bool wide = isa::size_of(p.src[0].type) == 8 || isa::size_of(p.dst.type) == 8;
    return b & constant(b, wide ? 63 : 31);
  }

  TruthOf<V> chooses(const V& a, const V& b) const {
    return p.condition == isa::CondModifier::none ? domain().predicate() : eu::chooses(p.condition, a, b);
  }
  TruthOf<V> holds(const V& a, const V& b) const { return in_relation(p.asked, a, b); }
  TruthOf<V> holds(const V& c) const { return holds(c, constant(c, 0)); }
  TruthOf<V> holds_unless_nan(const V& a, const V& b) const { return eu::holds_unless_nan(p.condition, a, b); }

  V product(const V& a, const V& b) const {
    if constexpr (V::is_integer)
      if (m.dword_multiply_is_partial && isa::size_of(p.src[0].type) == 4 && isa::size_of(p.src[1].type) == 4)
        return (a & constant(a, 0xFFFF)) * b;
    return a * b;
  }
  V multiply_accumulate(const V& a, const V& b) const {
    if constexpr (V::is_integer)
      return a * b + domain().acc();
    else
      return fma(a, b, domain().acc());
  }
  // The rest of the product, on top of what mul left in the accumulator: it took the low word of one source, which of
  // the two depends on the generation.
  V multiply_high(const V& a, const V& b) const requires Integer<V> {
    const V sixteen = constant(a, 16);
    const bool first = m.dword_multiply_is_partial;
    return domain().acc() + shift_left(shift_right(first ? a : b, sixteen) * (first ? b : a), sixteen);
  }
  V borrow(const V& r) const requires Integer<V> { return select(r < constant(r, 0), constant(r, 1), constant(r, 0)); }

 private:
  const Domain& domain() const { return static_cast<const Domain&>(*this); }
};

}  // namespace vitro::eu
