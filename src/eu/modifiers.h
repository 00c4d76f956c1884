// What is done to values before and after the expression, for values of any domain: denormals, source modifiers,
// saturation. PRM: Gen6 vol 4 part 2 chapter 4 (FM-02 saturation, FP-06 denormals, FP-20 ALT mode), 5.5 (modifiers);
// Gen8 `mov`. Conversions between types are in convert.h.
#pragma once

#include <algorithm>

#include "base/bits.h"
#include "eu/plan.h"

namespace vitro::eu {

// The bit of cr0.0 that keeps denormals of a type; none: the type has no denormals.
constexpr uint32_t denormals_kept_by(isa::Type t) {
  return t == isa::Type::f    ? uint32_t(cr_keep_float_denorms)
         : t == isa::Type::df ? uint32_t(cr_keep_double_denorms)
         : t == isa::Type::hf ? uint32_t(cr_keep_half_denorms)
                              : 0;
}
// Denormals of a type are flushed unless cr0.0 keeps them.
inline bool flushes(uint32_t cr, const isa::Model& m, isa::Type t) {
  return denormals_kept_by(t) && !(m.controls_denormals && cr & denormals_kept_by(t));
}
// A mov within a type keeps denormals even with modifiers or saturation, where cr0 controls them (Gen8 `mov`). A mov
// between half and single precision keeps those of the half: it took the place of f16to32 and f32to16, which know no
// mode.
inline bool keeps_denormals(const Plan& p, const isa::Model& m, const SourcePlan& s) {
  const isa::Type to = p.dst.type;
  return p.row->has(isa::attr_keeps_denorms) && m.controls_denormals &&
         (s.type == to || (s.type == isa::Type::hf && to == isa::Type::f));
}
inline bool keeps_denormal_results(const Plan& p, const isa::Model& m) {
  return keeps_denormals(p, m, p.src[0]) || (p.row->has(isa::attr_keeps_denorms) && m.controls_denormals &&
                                             p.dst.type == isa::Type::hf && p.src[0].type == isa::Type::f);
}
constexpr double least_normal(isa::Type type) {
  return type == isa::Type::hf ? 0x1p-14 : type == isa::Type::f ? 0x1p-126 : std::numeric_limits<double>::min();
}
// Denormals become zeros of their sign.
template <Float V>
V flushed(const V& v, double least) {
  return zero_where(is_below(v, least), v);
}
// The same of a half's bits.
template <Integer V>
V flushed_half(V bits) {
  return select((bits & constant(bits, 0x7C00)) == constant(bits, 0), bits & constant(bits, 0x8000), bits);
}
// ALT mode has no infinities: they become the largest number.
template <Float V>
V without_infinity(const V& v) {
  const V most = constant(v, std::numeric_limits<float>::max());
  return select(absolute(v) > most, copy_sign(most, v), v);
}

template <Integer V>
V absolute(const V& v) {
  return select(v < constant(v, 0), -v, v);
}
// Whether a source's numbers may be below zero: slots of accumulators may, whatever the type says.
inline bool is_signed(const SourcePlan& s) {
  return isa::info(s.type).is_signed || s.kind == SourcePlan::Kind::accumulator;
}
// Calls apply(f) for each modifier of a source; f turns a value into the modified one.
template <class Apply>
void modify(const SourcePlan& s, Apply apply) {
  if (s.abs && (isa::is_float(s.type) || is_signed(s))) apply([](const auto& v) { return absolute(v); });
  if (s.negate) apply([](const auto& v) { return -v; });
  if (s.complement)
    apply([](const auto& v) {
      if constexpr (std::remove_cvref_t<decltype(v)>::is_integer)
        return ~v;
      else
        return v;
    });
}

// To [0, 1]; NaN fails both comparisons and becomes 0.
template <class V>
V saturated(const V& v) {
  return select(v > constant(v, 0), select(v < constant(v, 1), v, constant(v, 1)), constant(v, 0));
}
// To what an integer type of so many bits holds, as far as the value is wider.
template <Integer V>
V saturated(V v, int bits, bool is_signed) {
  const int width = width_of(v);
  if (is_signed && bits >= width) return v;
  const V most = constant(v, ones(std::min(bits - is_signed, width - 1)));
  v = select(v > most, most, v);
  const V least = is_signed ? -most - constant(v, 1) : constant(v, 0);
  return select(v < least, least, v);
}

}  // namespace vitro::eu
