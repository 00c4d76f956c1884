// Every operation of a lane domain as a function of three dwords, and inputs worth trying: what the tests of the
// domains compare them with. No part of the machine.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "lanes/domain.h"

namespace vitro::lanes {

template <class Function>
struct Operation {
  const char* name;
  bool gives_float;
  Function of;  // (d, a, b, c) to I
};
template <class Function>
Operation(const char*, bool, Function) -> Operation<Function>;

template <class D>
auto truth(const D& d, typename D::M m) {
  return d.select(m, d.i(1), d.i(0));
}

#define OF_FLOATS(name, expression)                                     \
  Operation {                                                           \
    name, true, [](const auto& d, auto a, auto b, auto) {               \
      [[maybe_unused]] const auto x = d.as_float(a), y = d.as_float(b); \
      return d.bits(expression);                                        \
    }                                                                   \
  }
#define OF_INTS(name, expression)                                                              \
  Operation {                                                                                  \
    name, false, [](const auto& d, auto a, [[maybe_unused]] auto b, [[maybe_unused]] auto c) { \
      [[maybe_unused]] const auto x = d.as_float(a), y = d.as_float(b);                        \
      return expression;                                                                       \
    }                                                                                          \
  }

inline const auto operations = std::tuple{
    OF_FLOATS("x + y", x + y),
    OF_FLOATS("x - y", x - y),
    OF_FLOATS("x * y", x* y),
    OF_FLOATS("x / y", x / y),
    OF_FLOATS("-x", -x),
    OF_FLOATS("exact_product_plus", d.exact_product_plus(d.to_float(a & 0xFFF), d.to_float(b & 0xFFF), x)),
    OF_FLOATS("x + 0.1", x + 0.1f),
    OF_FLOATS("(x - -0) * 3 / 7", (x - -0.0f) * 3.0f / 7.0f),
    OF_FLOATS("min x", d.min(x, y)),
    OF_FLOATS("max x", d.max(x, y)),
    OF_FLOATS("floor", d.floor(x)),
    OF_FLOATS("to_float", d.to_float(a)),
    OF_FLOATS("select x", d.select(x < y, x, d.f(-0.0f))),
    OF_FLOATS("magnitude", magnitude(d, x)),
    OF_FLOATS("with_sign_of", with_sign_of(d, magnitude(d, x), y)),
    OF_INTS("a + b", a + b),
    OF_INTS("a - b", a - b),
    OF_INTS("a * b", a * b),
    OF_INTS("-a", -a),
    OF_INTS("a & b", a & b),
    OF_INTS("a | b", a | b),
    OF_INTS("a ^ b", a ^ b),
    OF_INTS("~a", ~a),
    OF_INTS("numbers of the host", ((((a + 7) - INT32_MIN) * 5 & 0x7FFF00FF) | 3) ^ -16),
    OF_INTS("x < y", truth(d, x < y)),
    OF_INTS("x <= y", truth(d, x <= y)),
    OF_INTS("x > y", truth(d, x > y)),
    OF_INTS("x >= y", truth(d, x >= y)),
    OF_INTS("x == y", truth(d, x == y)),
    OF_INTS("x != y", truth(d, x != y)),
    OF_INTS("x < 1", truth(d, (x < 1.0f) ^ (x == 0.0f))),
    OF_INTS("a < b", truth(d, a < b)),
    OF_INTS("a <= b", truth(d, a <= b)),
    OF_INTS("a > b", truth(d, a > b)),
    OF_INTS("a >= b", truth(d, a >= b)),
    OF_INTS("a == b", truth(d, a == b)),
    OF_INTS("a != b", truth(d, a != b)),
    OF_INTS("a < 1", truth(d, (a < 1) ^ (b == 0))),
    OF_INTS("less_unsigned", truth(d, d.less_unsigned(a, b))),
    OF_INTS("masks", truth(d, ((a < b) & (b < c)) | ((x < y) ^ !(y != y)))),
    OF_INTS("constant masks", truth(d, d.select(a < b, d.m(true), d.m(false)))),
    OF_INTS("select a", d.select(a < b, b, c)),
    OF_INTS("select m", truth(d, d.select(a < b, b < c, x < y))),
    OF_INTS("min a", d.min(a, b)),
    OF_INTS("max a", d.max(a, b)),
    OF_INTS("truncate", d.truncate(x)),
    OF_INTS("round", d.round(x)),
    OF_INTS("bits", d.bits(x)),
    OF_INTS("shift_left", d.shift_left(a, c)),
    OF_INTS("shift_right", d.shift_right(a, c)),
    OF_INTS("shift_right_signed", d.shift_right_signed(a, c)),
    OF_INTS("shift_left by a number", d.shift_left(a, 0) + d.shift_left(a, 31) + d.shift_left(b, 32) - d.shift_left(b, 5)),
    OF_INTS("shift_right by a number", d.shift_right(a, 0) + d.shift_right(a, 31) + d.shift_right(b, 32) - d.shift_right(b, -1)),
    OF_INTS("shift_right_signed by a number", d.shift_right_signed(a, 0) + d.shift_right_signed(a, 31) * 3 + d.shift_right_signed(b, 40) - d.shift_right_signed(b, -1)),
    // The lanes that want more steps than others go on alone; those done stay as they are.
    Operation{"loop", false, [](const auto& d, auto a, auto b, auto) {
      const auto steps = b & 7;
      const auto [number, sum] = d.loop(steps > 0, std::tuple(d.i(0), a), [&](auto running, auto s) {
        const auto [n, r] = s;
        const std::tuple next(d.select(running, n + 1, n), d.select(running, r * 3 + n, r));
        return std::pair(running & (std::get<0>(next) < steps), next);
      });
      return sum ^ number;
    }},
};
// Operations whose result depends on the other lanes: they are compared between vectors of as many lanes only.
inline const auto operations_across = std::tuple{
    Operation{"if_any", false,
              [](const auto& d, auto a, auto b, auto c) {
                const auto [first, second] = d.if_any((b & 0xF0) == 0, std::tuple(a, d.to_float(c)), [&](auto s) {
                  return std::tuple(std::get<0>(s) + b, -std::get<1>(s));
                });
                return first ^ d.bits(second);
              }},
    Operation{"if_any inside", false,
              [](const auto& d, auto a, auto b, auto c) {
                using State = std::array<decltype(a), 2>;
                const State s = d.if_any(a < b, State{a, b}, [&](State s) {
                  return d.if_any(b < c, State{s[1], s[0] + 1}, [&](State t) { return State{t[0] * 5, t[1] - c}; });
                });
                return s[0] + s[1] * 7;
              }},
    Operation{"of_four", false,
              [](const auto& d, auto a, auto b, auto c) {
                return d.of_four(a, 0) + d.of_four(b, 1) * 3 + (d.of_four(c, 2) ^ d.of_four(a, 3)) +
                       d.bits(d.of_four(d.to_float(a), 2));
              }},
};
#undef OF_FLOATS
#undef OF_INTS

// A record, and what its words and bytes of memory give together.
inline SomeRecord some_record(std::byte* memory) {
  SomeRecord r{.number = -77, .real = 0.375f, .memory = memory, .table = {}};
  for (int n = 0; n < 16; ++n) r.table[n] = 1000 * n - 5;
  return r;
}
template <class D>
typename D::I facts_and_bytes(const D& d, typename D::template Record<SomeRecord> r, typename D::I at, int bytes) {
  const auto sum = d.gather_all(d.fact(r, &SomeRecord::memory), at, bytes) * d.fact(r, &SomeRecord::number);
  const auto two = d.gather_two(d.fact(r, &SomeRecord::memory), at & -8);
  return (sum ^ d.bits(d.fact(r, &SomeRecord::real))) + d.lookup(r, &SomeRecord::table, at) + two.first +
         two.second * 3;
}

// Dwords as floats and integers have them.
inline std::vector<uint32_t> special_dwords() {
  std::vector<uint32_t> all = {0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0xFFFFFFFF};  // NaNs
  for (const float x : {0.0f, 0x1p-149f, 0x1p-126f, 0x1.fffffcp-127f, 0.5f, 0.49999997f, 1.0f, 1.5f, 2.5f,
                        0x1.fffffep22f, 0x1p23f, 0x1.000002p23f, 0x1.fffffep30f, 0x1p31f, 0x1p32f, 3e38f,
                        std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()})
    for (const float s : {x, -x}) all.push_back(std::bit_cast<uint32_t>(s));
  for (int32_t n = -33; n <= 64; ++n) all.push_back(uint32_t(n));
  for (const uint32_t n : {0x7FFFFFFEu, 0x80000001u, 0xFFFFu, 0x10000u}) all.push_back(n);
  return all;
}
inline uint32_t some_dword(Rng& rng, const std::vector<uint32_t>& special) {
  switch (rng.below(4)) {
    case 0: return rng.pick(special);
    case 1: return std::bit_cast<uint32_t>(float(int32_t(rng())) * (rng.coin() ? 0x1p-8f : 0x1p-24f));
    default: return uint32_t(rng());
  }
}
// Equal, or both a NaN where the result is a float.
inline bool agree(bool are_floats, uint32_t a, uint32_t b) {
  const auto is_nan = [](uint32_t x) { return (x & 0x7FFFFFFF) > 0x7F800000; };
  return a == b || (are_floats && is_nan(a) && is_nan(b));
}

}  // namespace vitro::lanes
