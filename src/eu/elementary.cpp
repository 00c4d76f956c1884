// The functions in double, to within a few units of its last place, for arguments that were floats or halves: rounded
// to those they are within half a unit in the last place save for rare double roundings. PRM: Gen6 vol 4 part 2 I-math,
// Gen8 vol 2a `math`: one unit in the last place. Logarithm and exponential have base 2.
// No branches and no operation whose result depends on the host: fused multiplications are not used, so that every host
// computes the same. Sines of numbers beyond a million go to the library.
#include "eu/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "lanes/host.h"

// Vectors are handed from function to function in this file only, where all are inlined: how that is done on hosts
// without AVX does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace vitro::eu {
namespace {

// Four numbers, and their bits.
using Four = double __attribute__((vector_size(32)));
using Bits = uint64_t __attribute__((vector_size(32)));

Four four(double x) { return Four{x, x, x, x}; }
Bits bits_of(Four x) { return std::bit_cast<Bits>(x); }
Four number_of(Bits x) { return std::bit_cast<Four>(x); }
Four magnitude(Four x) { return number_of(bits_of(x) & ~(uint64_t{1} << 63)); }

constexpr double no_number = -std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
// Adding it rounds a number below 2^51 to a whole one, which then stands in the sum's lowest bits.
constexpr double rounder = 0x1.8p52;
constexpr uint64_t rounder_bits = std::bit_cast<uint64_t>(rounder);

// Coefficients from the highest power down.
template <size_t n>
Four polynomial(const double (&c)[n], Four x) {
  Four r = four(c[0]);
  for (size_t k = 1; k < n; ++k) r = r * x + c[k];
  return r;
}

// 2^x: x is a whole number and a rest r of at most a half; the terms are (r ln 2)^k / k!.
Four exponential(Four x) {
  constexpr double terms[] = {0x1.e8cac7351bb25p-32, 0x1.e4cf5158b8ecap-28, 0x1.b5253d395e7c4p-24,
                              0x1.62c0223a5c824p-20, 0x1.ffcbfc588b0c7p-17, 0x1.430912f86c787p-13,
                              0x1.5d87fe78a6731p-10, 0x1.3b2ab6fba4e77p-7,  0x1.c6b08d704a0c0p-5,
                              0x1.ebfbdff82c58fp-3,  0x1.62e42fefa39efp-1,  1.0};
  const Four low = x < -2000.0 ? four(-2000.0) : x, in = low > 2000.0 ? four(2000.0) : low;
  const Four shifted = in + rounder;
  const Bits whole = bits_of(shifted) - rounder_bits;
  const Four r = in - (shifted - rounder);
  // two steps, as the power may lie below the normal numbers
  const Bits half = ((whole + 8192) >> 1) - 4096, rest = whole - half;
  return polynomial(terms, r) * number_of((half + 1023) << 52) * number_of((rest + 1023) << 52);
}

// log2 x: x is 2^k m with m around 1; log m is 2 atanh f with f = (m - 1) / (m + 1).
Four logarithm(Four x) {
  constexpr double terms[] = {2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11,
                              2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3,  2.0};
  constexpr double per_ln2 = 0x1.71547652b82fep0;
  constexpr uint64_t least = 0x3FE6A09E667F3BCD;  // of m: the root of a half
  const Bits above = bits_of(x) - least;
  const Bits k = ((above + (uint64_t{1024} << 52)) >> 52) - 1024;
  const Four m = number_of(bits_of(x) - (above & (uint64_t{0xFFF} << 52)));
  const Four exponent = number_of(k + rounder_bits) - rounder;
  const Four f = (m - 1.0) / (m + 1.0);
  Four r = exponent + f * polynomial(terms, f * f) * per_ln2;
  r = x == 0.0 ? four(-infinity) : r;
  r = x < 0.0 ? four(no_number) : r;
  r = x == infinity ? x : r;
  return x == x ? r : x + 0.0;
}

constexpr double sine_limit = 1e6;
// Quarter turns are taken off in three parts, of which the first two multiply without an error.
template <bool cosine>
Four circular(Four x) {
  constexpr double sines[] = {-0x1.ae7f3e733b81fp-41, 0x1.6124613a86d09p-33,  -0x1.ae64567f544e4p-26,
                              0x1.71de3a556c734p-19,  -0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,
                              -0x1.5555555555555p-3};
  constexpr double cosines[] = {0x1.ae7f3e733b81fp-45,
                                -0x1.93974a8c07c9dp-37,
                                0x1.1eed8eff8d898p-29,
                                -0x1.27e4fb7789f5cp-22,
                                0x1.a01a01a01a01ap-16,
                                -0x1.6c16c16c16c17p-10,
                                0x1.5555555555555p-5,
                                -0.5,
                                1.0};
  const Four shifted = x * 0x1.45f306dc9c883p-1 + rounder;
  const Bits quarter = bits_of(shifted) + uint64_t(cosine);
  const Four k = shifted - rounder;
  const Four r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  const Four s = r * r, sin = r * (s * polynomial(sines, s) + 1.0), cos = polynomial(cosines, s);
  const Four v = (quarter & 1) != 0 ? cos : sin;
  return number_of(bits_of(v) ^ ((quarter & 2) << 62));
}
template <bool cosine>
[[gnu::noinline]] void circular_far(const double* a, double* r) {
  for (int l = 0; l < 8; ++l) {
    if (std::fabs(a[l]) < sine_limit) continue;
    r[l] = a[l] != a[l] ? a[l] + 0.0 : std::isinf(a[l]) ? no_number : cosine ? std::cos(a[l]) : std::sin(a[l]);
  }
}

Four read(const double* from) {
  Four x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
void write(double* to, Four x) { std::memcpy(to, &x, sizeof x); }

void all_exponentials(const double* a, const double*, double* r) {
  for (int l = 0; l < 8; l += 4) {
    const Four x = read(a + l);
    write(r + l, x == x ? exponential(x) : x + 0.0);
  }
}
void all_logarithms(const double* a, const double*, double* r) {
  for (int l = 0; l < 8; l += 4) write(r + l, logarithm(read(a + l)));
}
void all_powers(const double* a, const double* b, double* r) {
  for (int l = 0; l < 8; l += 4) {
    const Four x = read(a + l), y = read(b + l), e = y * logarithm(magnitude(x));
    const Four v = e == e ? exponential(e) : four(no_number), second = y == y ? v : y + 0.0;
    write(r + l, x == x ? second : x + 0.0);
  }
}
template <bool cosine>
void all_circular(const double* a, const double*, double* r) {
  bool far = false;
  for (int l = 0; l < 8; ++l) far |= !(std::fabs(a[l]) < sine_limit);
  for (int l = 0; l < 8; l += 4) {
    const Four x = read(a + l);
    write(r + l, circular<cosine>(magnitude(x) < sine_limit ? x : four(0.0)));
  }
  if (far) [[unlikely]]
    circular_far<cosine>(a, r);
}

template <EightFunction f>
VITRO_PLAIN_VECTORS void plain(const double* a, const double* b, double* r) {
  f(a, b, r);
}
template <EightFunction f>
VITRO_WIDE_VECTORS void wide(const double* a, const double* b, double* r) {
  f(a, b, r);
}

constexpr EightFunction plain_functions[elementary_count] = {plain<all_exponentials>, plain<all_logarithms>,
                                                             plain<all_powers>, plain<all_circular<false>>,
                                                             plain<all_circular<true>>};
constexpr EightFunction wide_functions[elementary_count] = {wide<all_exponentials>, wide<all_logarithms>,
                                                            wide<all_powers>, wide<all_circular<false>>,
                                                            wide<all_circular<true>>};

}  // namespace

std::optional<int> elementary_index(isa::MathFunction f) {
  switch (f) {
    case isa::MathFunction::exp: return 0;
    case isa::MathFunction::log: return 1;
    case isa::MathFunction::pow: return 2;
    case isa::MathFunction::sin: return 3;
    case isa::MathFunction::cos: return 4;
    default: return std::nullopt;
  }
}

const EightFunction* elementary_functions() {
  static const EightFunction* const all = lanes::host_has_wide_vectors() ? wide_functions : plain_functions;
  return all;
}

}  // namespace vitro::eu
