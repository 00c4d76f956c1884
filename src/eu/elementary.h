// Exponential, logarithm, power, sine and cosine in single precision, written once over a lane domain: the interpreter
// runs them on eight lanes of the host's vectors, the compiler emits them in place, and both give the same bits.
// PRM: Gen6 vol 4 part 2 I-math, Gen8 vol 2a `math`: no document states an error; docs/decisions/0010 has the choice.
// Logarithm and exponential have base 2; a power is that of the first argument's magnitude. No fused multiplications
// and no doubles. Largest errors found (tests/eu_reference/elementary.cpp --all), in units of the last place:
// exponential 0.89, logarithm 1.77, power 3.28; sine and cosine 2^-23.5 absolute up to 2^15 pi, 2^-23.1 beyond.
// Denormals are what the host's modes make of them; who has to flush them does so before and after. A NaN comes back
// quiet; other results that are no number are negative.
#pragma once

#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "isa/opcode.h"
#include "lanes/domain.h"

namespace vitro::eu {

template <class D>
struct Elementary {
  using F = typename D::F;
  using I = typename D::I;
  using M = typename D::M;
  const D& d;

  F exponential(F x) const {
    const F inside = d.min(d.max(x, d.f(-200.0f)), d.f(200.0f));
    const I whole = d.round(inside);
    return quiet(x, two_to(whole, inside - d.to_float(whole)));
  }

  F logarithm(F x) const {
    const F r = d.select(x == infinity, x, d.select(x == 0.0f, d.f(-infinity), parts(x).sum));
    return quiet(x, d.select(x < 0.0f, no_number(), r));
  }

  // 2^(y log2 |x|), whose product has to be known to 31 bits. Log is head + tail, of which the head has 12 bits, and
  // so has the upper part of y: their product is exact. For the tail, f - f f / 2 is taken apart in the same way.
  F power(F x, F y) const {
    const F size = lanes::magnitude(d, x);
    const Log log = parts(size);
    const F f = log.f, f_upper = upper(f), f_lower = f - f_upper;
    const F u = f - log.square * 0.5f, u_upper = upper(u);
    const F u_lower = ((f - u_upper) - f_upper * f_upper * 0.5f) - (f + f_upper) * f_lower * 0.5f;
    const F head = upper(log.sum);
    const F tail =
        ((log.whole - head) + u_upper * per_ln2_upper) + (u_lower * per_ln2_upper + u * per_ln2_lower + log.rest);
    const F y_upper = upper(y), product = y_upper * head, small = (y - y_upper) * head + y * tail;
    const F e = product + small, inside = d.min(d.max(e, d.f(-200.0f)), d.f(200.0f));
    const I whole = d.round(inside);
    const F rest = d.select(inside == e, (product - d.to_float(whole)) + small, d.f(0.0f));
    // Where an argument is zero, infinite or no number, the logarithm's product with y is infinite or no number.
    const M ordinary = d.less_unsigned(d.bits(size) - 1, d.i(0x7F7FFFFF)) & (lanes::magnitude(d, y) < infinity);
    const auto [r] = d.if_any(!ordinary, std::tuple(two_to(whole, rest)), [&](auto power) {
      const F limit = d.select(size == 0.0f, d.f(-infinity), d.select(size == infinity, size, log.sum)),
              way = y * limit;
      const F neither = d.select(y == 0.0f, d.f(1.0f), no_number());
      const F end = d.select(way > 0.0f, d.f(infinity), d.select(way < 0.0f, d.f(0.0f), neither));
      return std::tuple(d.select(ordinary, std::get<0>(power), quiet(x, quiet(y, end))));
    });
    return r;
  }

  F sine(F x) const { return circular(x, 0); }
  F cosine(F x) const { return circular(x, 1); }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  // 1 / ln 2, its first eleven bits, and the others
  static constexpr float per_ln2 = 0x1.715476p+0f, per_ln2_upper = 0x1.714p+0f, per_ln2_lower = 0x1.47652cp-12f;

  F no_number() const { return d.as_float(d.i(int32_t(0xFFC00000))); }
  // r, but what x has if it is no number.
  F quiet(F x, F r) const { return d.select(x == x, r, d.as_float(d.bits(x) | 0x00400000)); }
  F upper(F x) const { return d.as_float(d.bits(x) & int32_t(0xFFFFF000)); }

  // Coefficients from the lowest power up, the square of x given. Pairs of terms are summed up at once: one after the
  // other they would take as long as all the rest.
  template <size_t n>
  F polynomial(const float (&c)[n], F x, F square) const {
    const auto pair = [&](size_t k) { return k + 1 < n ? x * c[k + 1] + c[k] : d.f(c[k]); };
    size_t k = (n - 1) / 2 * 2;
    F r = pair(k);
    while (k > 0) r = r * square + pair(k -= 2);
    return r;
  }

  // 2^(whole + r) for |r| up to about a half and |whole| up to 250; in two steps, as the result may be a denormal.
  F two_to(I whole, F r) const {
    static constexpr float terms[] = {0x1.ebfbe0p-3f, 0x1.c6af7ap-5f, 0x1.3b2a3ep-7f, 0x1.5f0958p-10f, 0x1.442f9ap-13f};
    const F square = r * r, linear = r * 0x1.62e430p-1f, sum = linear + 1.0f, lost = linear - (sum - 1.0f);
    const F m = sum + (square * polynomial(terms, r, square) + lost);
    const I first = d.shift_right_signed(whole, 1), second = whole - first;
    return d.as_float(d.bits(m) + d.shift_left(first, 23)) * d.as_float(d.shift_left(second, 23) + 0x3F800000);
  }

  // x is 2^k m with m around 1, and m c = 1 + f, where c is 5/4, 1 or 3/4, whatever gives the smallest f: no bit of it
  // is lost. So log x is k - log c, of which `whole` has few bits, and log (1 + f).
  struct Log {
    F whole, f, square, rest;  // the logarithm is whole + (f - f f / 2) / ln 2 + rest
    F sum;
  };
  Log parts(F x) const {
    static constexpr float terms[] = {0x1.ec70a8p-2f,  -0x1.7154a4p-2f, 0x1.276702p-2f,
                                      -0x1.ec9bc4p-3f, 0x1.b1f976p-3f,  -0x1.6be5b0p-3f};
    const M denormal = x < 0x1p-126f;
    const I above = d.bits(d.select(denormal, x * 0x1p24f, x)) - half_root;
    const I k = d.shift_right_signed(above, 23) + d.select(denormal, d.i(-24), d.i(0));
    const F m = d.as_float((above & 0x007FFFFF) + half_root);
    const M low = m < 0x1.c9f25cp-1f, high = m >= 0x1.279a74p+0f;
    const auto of = [&](float if_low, float if_high) {
      return d.select(low, d.f(if_low), d.select(high, d.f(if_high), d.f(0.0f)));
    };
    const F f = (m - 1.0f) + m * of(0.25f, -0.25f), square = f * f;
    Log l{.whole = d.to_float(k) + of(-0x1.49a000p-2f, 0x1.a90000p-2f), .f = f, .square = square};
    l.rest = square * f * polynomial(terms, f, square) + of(-0x1.e12f34p-16f, -0x1.a39fbep-20f);
    l.sum = l.whole + (f * per_ln2 + (square * (per_ln2 * -0.5f) + l.rest));
    return l;
  }
  static constexpr int32_t half_root = 0x3F3504F3;  // the root of a half

  // --- sine and cosine: quarter turns are taken off, the rest is at most an eighth of a turn

  static constexpr float far = 102943.7f;  // 2^15 pi

  F circular(F x, int32_t ahead) const {
    const F size = lanes::magnitude(d, x);
    const I sign = ahead ? d.i(0) : d.bits(x) & INT32_MIN;
    // The first two parts of a quarter turn have so few bits that nothing is lost.
    const I quarters = d.round(size * 0x1.45f306p-1f);
    const F k = d.to_float(quarters);
    const F r = ((size - k * 0x1.92p+0f) - k * 0x1.fap-12f) - k * 0x1.54442ep-20f;
    const M is_far = !(size < far);
    const auto [rest, count] = d.if_any(is_far, std::tuple(r, quarters), [&](auto near) {
      auto [there, turns] = far_turns(size);
      // A NaN goes through all that follows as it is, but for the sign.
      const F nan = d.as_float(d.bits(quiet(x, no_number())) ^ sign);
      there = d.select(size < infinity, there, nan), turns = d.select(size < infinity, turns, d.i(0));
      return std::tuple(d.select(is_far, there, std::get<0>(near)), d.select(is_far, turns, std::get<1>(near)));
    });
    return turned(rest, count + ahead, sign);
  }

  // The sine of r and so many quarter turns more; its sign is turned over with that of `sign`.
  F turned(F r, I quarters, I sign) const {
    static constexpr float sines[] = {-0x1.55553ep-3f, 0x1.110512p-7f, -0x1.98a84cp-13f};
    static constexpr float cosines[] = {0x1.55554ap-5f, -0x1.6c0c16p-10f, 0x1.99deecp-16f};
    const F s = r * r;
    const F sine = r + r * s * polynomial(sines, s, s * s);
    const F cosine = (s * s * polynomial(cosines, s, s * s) - s * 0.5f) + 1.0f;
    const F v = d.select((quarters & 1) == 0, sine, cosine);
    return d.as_float(d.bits(v) ^ sign ^ (d.shift_left(quarters, 30) & INT32_MIN));
  }

  // Of numbers from 2^16 on: M 2^t, with M of 24 bits, times 2^-7 / 2 pi, of which the bits before the t-th make whole
  // turns. 64 bits from there on give the turn's fraction in 32 bits, to within a few hundreds of the last one.
  std::pair<F, I> far_turns(F size) const {
    static constexpr uint32_t turns[] = {0x00517CC1, 0xB727220A, 0x94FE13AB, 0xE8FA9A6E, 0xE06DB14A, 0xCC9E21C8};
    const I bits = d.bits(size), t = d.shift_right(bits, 23) - 143, number = (bits & 0x007FFFFF) | 0x00800000;
    const I word = d.shift_right(t, 5), shift = t & 31;
    const auto pick = [&](size_t n) {
      const auto of = [&](size_t k) { return d.i(int32_t(turns[n + k])); };
      return d.select(word == 0, of(0), d.select(word == 1, of(1), d.select(word == 2, of(2), of(3))));
    };
    const auto window = [&](I a, I b) { return d.shift_left(a, shift) | d.shift_right(b, d.i(32) - shift); };
    const I a = pick(0), b = pick(1), c = pick(2), first = window(a, b), second = window(b, c);
    // the product's bits 32 to 63 of number * (first << 32 | second)
    const I turn = number * first + d.shift_right(number * d.shift_right(second, 24), 8) +
                   d.shift_right(d.shift_right(number, 8) * (d.shift_right(second, 8) & 0xFFFF), 16);
    const I quarters = d.shift_right(turn + (1 << 29), 30);
    return {d.to_float(turn - d.shift_left(quarters, 30)) * 0x1.921fb6p-30f, quarters};
  }
};

// The functions by their places in a table. Nothing: the function is none of these.
inline constexpr int elementary_count = 5;
std::optional<int> elementary_index(isa::MathFunction);
// Function number `index` of the lanes of x, and of y where it takes two arguments.
template <class D>
typename D::F elementary(const D& d, int index, typename D::F x, typename D::F y) {
  const Elementary<D> e{d};
  switch (index) {
    case 0: return e.exponential(x);
    case 1: return e.logarithm(x);
    case 2: return e.power(x, y);
    case 3: return e.sine(x);
    default: return e.cosine(x);
  }
}

// The same for eight numbers in memory, with the best code for the host; the arrays do not overlap. To be called while
// the host rounds to nearest.
using EightFunction = void (*)(const float* a, const float* b, float* r);
const EightFunction* elementary_functions();

}  // namespace vitro::eu
