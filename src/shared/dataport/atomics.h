// What the atomic operations compute: one expression for each, over values of any domain, and the operation of the host
// that does the same at once, if there is one. The data ports, the URB and compiled code evaluate the same text. An
// operation of isa/atomics.def without an expression does not compile.
// PRM: Gen8 vol 7 "Untyped Atomic Operation"; numbers and operands stand in isa/atomics.def. Operations without
// operands get a 1 for a. In FMAX and FMIN a signalling NaN wins over everything, a quiet one over nothing.
//   old     what stands in memory
//   a b     the operands of the slot
//   & | ^ + -   and these, of values of any domain:
//   select(m, x, y), equal(x, y), less(x, y), less_signed(x, y), and those of floats below, which are made of them
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/message_shape.h"

namespace vitro::shared {

using isa::AtomicOp;

#if defined(__clang__)  // conditions of lanes are joined by |, those of one lane are bool
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif
// Floats are compared by their bits, as numbers in the same order: the host may take denormals for zeros while compiled
// code runs, messages do not.
template <class V>
V float_magnitude(V x) {
  return x & constant(x, 0x7FFFFFFF);
}
template <class V>
V float_order(V x) {
  return select(less_signed(x, constant(x, 0)), -float_magnitude(x), float_magnitude(x));
}
template <class V>
auto float_is_nan(V x) {
  return less(constant(x, 0x7F800000), float_magnitude(x));
}
template <class V>
auto float_signals(V x) {
  return float_is_nan(x) & equal(x & constant(x, 0x00400000), constant(x, 0));
}
template <class V>
auto float_equal(V x, V y) {
  return equal(float_order(x), float_order(y)) & !(float_is_nan(x) | float_is_nan(y));
}
template <class V>
auto float_less(V x, V y) {
  return less_signed(float_order(x), float_order(y)) & !(float_is_nan(x) | float_is_nan(y));
}

enum class HostAtomic : uint8_t { none, and_, or_, xor_, exchange, add, sub };

template <AtomicOp op>
struct AtomicOperation;
#define OPERATION(name, at_once, expression)                                             \
  template <>                                                                            \
  struct AtomicOperation<AtomicOp::name> {                                               \
    static constexpr HostAtomic host = HostAtomic::at_once;                              \
    template <class V>                                                                   \
    static V after([[maybe_unused]] V old, [[maybe_unused]] V a, [[maybe_unused]] V b) { \
      return expression;                                                                 \
    }                                                                                    \
  };
// clang-format off
OPERATION(cmpwr_2w, none,     select(equal(old, a), b, old))
OPERATION(and_,     and_,     old & a)
OPERATION(or_,      or_,      old | a)
OPERATION(xor_,     xor_,     old ^ a)
OPERATION(mov,      exchange, a)
OPERATION(inc,      add,      old + a)
OPERATION(dec,      sub,      old - a)
OPERATION(add,      add,      old + a)
OPERATION(sub,      sub,      old - a)
OPERATION(revsub,   none,     a - old)
OPERATION(imax,     none,     select(less_signed(old, a), a, old))
OPERATION(imin,     none,     select(less_signed(a, old), a, old))
OPERATION(umax,     none,     select(less(old, a), a, old))
OPERATION(umin,     none,     select(less(a, old), a, old))
OPERATION(cmpwr,    none,     select(equal(old, a), b, old))
OPERATION(predec,   sub,      old - a)
OPERATION(fmax,     none,     select(float_signals(old), old, select(float_less(old, a) | float_is_nan(old) | float_signals(a), a, old)))
OPERATION(fmin,     none,     select(float_signals(old), old, select(float_less(a, old) | float_is_nan(old) | float_signals(a), a, old)))
OPERATION(fcmpwr,   none,     select(float_equal(a, old), b, old))
// clang-format on
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#undef OPERATION

// Calls f.template operator()<op>() for an operation.
template <class F>
auto with_operation(AtomicOp op, F f) {
  switch (op) {
    // clang-format off
#define ATOMIC(name, ...) case AtomicOp::name: return f.template operator()<AtomicOp::name>();
#include "isa/atomics.def"
    // clang-format on
    default: return f.template operator()<AtomicOp::mov>();
  }
}
// What the message answers, of what was there before: PREDEC with what it has stored.
template <AtomicOp op, class V>
V atomic_answer(V old, V a, V b) {
  if constexpr (op == AtomicOp::predec) return AtomicOperation<op>::after(old, a, b);
  return old;
}

// The host's numbers.
template <class T>
struct AtomicNumber {
  T v;
  friend AtomicNumber operator&(AtomicNumber x, AtomicNumber y) { return {T(x.v & y.v)}; }
  friend AtomicNumber operator|(AtomicNumber x, AtomicNumber y) { return {T(x.v | y.v)}; }
  friend AtomicNumber operator^(AtomicNumber x, AtomicNumber y) { return {T(x.v ^ y.v)}; }
  friend AtomicNumber operator+(AtomicNumber x, AtomicNumber y) { return {T(x.v + y.v)}; }
  friend AtomicNumber operator-(AtomicNumber x, AtomicNumber y) { return {T(x.v - y.v)}; }
  friend AtomicNumber operator-(AtomicNumber x) { return {T(0 - x.v)}; }
  friend AtomicNumber constant(AtomicNumber, uint32_t n) { return {T(n)}; }
  friend AtomicNumber select(bool m, AtomicNumber x, AtomicNumber y) { return m ? x : y; }
  friend bool equal(AtomicNumber x, AtomicNumber y) { return x.v == y.v; }
  friend bool less(AtomicNumber x, AtomicNumber y) { return x.v < y.v; }
  friend bool less_signed(AtomicNumber x, AtomicNumber y) {
    return std::make_signed_t<T>(x.v) < std::make_signed_t<T>(y.v);
  }
};

// On a dword of host memory that is aligned, so that no other host thread comes between; the result is what the message
// answers.
uint32_t atomic_dword(AtomicOp op, std::byte* host, uint32_t a, uint32_t b);

}  // namespace vitro::shared
