// Quotients and roots as compilers make them of invm, rsqtm and madm, compared bit for bit with the host's division and
// square root. The sequences have the steps and mme registers of those that IGC emits for Broadwell and Kaby Lake:
// under the early-out flag by if and endif, by predicates, and by goto and join; with cr0 set to round to nearest on
// the way and restored before the last step. B-37.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <random>

#include "eu/bench_test.h"
#include "eu/extended.h"

namespace vitro::eu {
namespace {

// Registers of the sequences: the operands, the constants, the result.
constexpr int reg_a = 10, reg_b = 12, reg_result = 20;

// One step: madm dst src0 src1 src2, in the text's own spelling.
struct Sequence {
  const char* name;
  const char* type;
  bool root;
  const char* first;
  std::vector<const char*> steps;
};
// r2, r3, r4, r5: 0, 0.5, 1, 1.5
const Sequence float_quotient{
    "F quotient",
    "f",
    false,
    "math.invm {} (eo)f0.0 r20.mme0:f r10.nomme:f r12.nomme:f",
    {"r22.mme1:f r2.nomme:f r10.nomme:f r20.mme0:f", "r24.mme2:f r4.nomme:f -r12.nomme:f r20.mme0:f",
     "r26.mme3:f r20.mme0:f r24.mme2:f r20.mme0:f", "r28.mme4:f r10.nomme:f -r12.nomme:f r22.mme1:f",
     "r22.mme5:f r22.mme1:f r28.mme4:f r26.mme3:f", "r30.mme6:f r10.nomme:f -r12.nomme:f r22.mme5:f",
     "r20.nomme:f r22.mme5:f r30.mme6:f r26.mme3:f"}};
const Sequence float_root{
    "F root",
    "f",
    true,
    "math.rsqtm {} (eo)f0.0 r20.mme0:f r10.nomme:f",
    {"r22.mme1:f r2.nomme:f r3.nomme:f r20.mme0:f", "r24.mme2:f r2.nomme:f r10.nomme:f r20.mme0:f",
     "r26.mme3:f r3.nomme:f -r24.mme2:f r22.mme1:f", "r22.mme4:f r22.mme1:f r26.mme3:f r22.mme1:f",
     "r20.mme5:f r24.mme2:f r26.mme3:f r24.mme2:f", "r26.mme6:f r10.nomme:f -r20.mme5:f r20.mme5:f",
     "r20.nomme:f r20.mme5:f r22.mme4:f r26.mme6:f"}};
const Sequence double_quotient{
    "DF quotient",
    "df",
    false,
    "math.invm {} (eo)f0.0 r20.mme0:df r10.nomme:df r12.nomme:df",
    {"r22.mme1:df r2.nomme:df r10.nomme:df r20.mme0:df", "r24.mme2:df r4.nomme:df -r12.nomme:df r20.mme0:df",
     "r26.mme3:df r10.nomme:df -r12.nomme:df r22.mme1:df", "r28.mme4:df r20.mme0:df r24.mme2:df r20.mme0:df",
     "r30.mme5:df r4.nomme:df -r12.nomme:df r28.mme4:df", "r20.mme6:df r20.mme0:df r24.mme2:df r28.mme4:df",
     "r22.mme7:df r22.mme1:df r26.mme3:df r28.mme4:df", "r28.mme0:df r28.mme4:df r20.mme6:df r30.mme5:df",
     "r26.mme1:df r10.nomme:df -r12.nomme:df r22.mme7:df", "r20.nomme:df r22.mme7:df r26.mme1:df r28.mme0:df"}};
const Sequence double_root{
    "DF root",
    "df",
    true,
    "math.rsqtm {} (eo)f0.0 r20.mme0:df r10.nomme:df",
    {"r22.mme1:df r2.nomme:df r3.nomme:df r20.mme0:df", "r24.mme2:df r2.nomme:df r10.nomme:df r20.mme0:df",
     "r26.mme3:df r3.nomme:df -r24.mme2:df r22.mme1:df", "r28.mme5:df r4.nomme:df r5.nomme:df r26.mme3:df",
     "r20.mme6:df r2.nomme:df r26.mme3:df r24.mme2:df", "r26.mme7:df r2.nomme:df r26.mme3:df r22.mme1:df",
     "r20.mme6:df r24.mme2:df r28.mme5:df r20.mme6:df", "r28.mme5:df r22.mme1:df r28.mme5:df r26.mme7:df",
     "r22.mme1:df r10.nomme:df -r20.mme6:df r20.mme6:df", "r20.nomme:df r20.mme6:df r22.mme1:df r28.mme5:df"}};
// The short form for divisions that may be one unit in the last place off.
const Sequence double_fast_quotient{
    "fast DF quotient",
    "df",
    false,
    "math.invm {} (eo)f0.0 r20.mme0:df r10.nomme:df r12.nomme:df",
    {"r22.mme1:df r2.nomme:df r10.nomme:df r20.mme0:df", "r24.mme2:df r4.nomme:df -r12.nomme:df r20.mme0:df",
     "r26.mme3:df r24.mme2:df r24.mme2:df r24.mme2:df", "r28.mme4:df r2.nomme:df r22.mme1:df r26.mme3:df",
     "r20.nomme:df r28.mme4:df r10.nomme:df r20.mme0:df"}};

enum class Form { if_endif, predicated, goto_join, rounding };

std::string text_of(const Sequence& s, Form form, const std::string& size) {
  const std::string flag = form == Form::predicated ? "(~f0.0) " : "";
  std::string text;
  if (form == Form::rounding)
    text += "(W) mov (1|M0) r8.0<1>:ud cr0.0<0;1,0>:ud\n(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud\n";
  if (form == Form::goto_join) text += "(W) mov (1|M0) f0.0<1>:uw 0xFFFF:uw\n";
  text += fmt::format(fmt::runtime(s.first), size) + "\n";
  if (form == Form::if_endif || form == Form::rounding) text += fmt::format("(~f0.0) if {} ELSE ELSE\n", size);
  if (form == Form::goto_join) text += "(~f0.0) goto (16|M0) ELSE ELSE\n";
  for (const char* step : s.steps) {
    if (form == Form::rounding && step == s.steps.back()) text += "(W) mov (1|M0) cr0.0<1>:ud r8.0<0;1,0>:ud\n";
    text += fmt::format("{}madm {} {}\n", flag, size, step);
  }
  if (form == Form::if_endif || form == Form::rounding) text += fmt::format("ELSE: endif {} END\nEND:\n", size);
  if (form == Form::goto_join) text += "ELSE: join (16|M0) END\nEND:\n";
  if (form == Form::rounding) text += "(W) mov (1|M0) cr0.0<1>:ud r8.0<0;1,0>:ud\n";
  return text + "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
}

// A sequence made ready, to be run for many operands.
template <class T>
struct Divider {
  const Sequence& sequence;
  Program program;
  Thread thread{};
  SharedFunctions functions{};
  int lanes = reg_bytes / int(sizeof(T));
  uint32_t cr0;

  static Program assembled(const isa::Model& m, const std::string& text) {
    const isa::Assembly a = isa::assemble(m, text, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
    return Program(m, a.code);
  }
  Divider(const isa::Model& m, const Sequence& s, Form form = Form::if_endif, uint32_t control = 0x4C0)
      : sequence(s), program(assembled(m, text_of(s, form, sizeof(T) == 4 ? "(8|M8)" : "(4|M4)"))), cr0(control) {
    functions[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
    fill(2, T(0)), fill(3, T(0.5)), fill(4, T(1)), fill(5, T(1.5));
  }
  void fill(int reg, T v) {
    for (int l = 0; l < lanes; ++l) put(reg, l, v);
  }
  void put(int reg, int lane, T v) {
    std::memcpy(thread.grf.data() + reg * reg_bytes + lane * int(sizeof v), &v, sizeof v);
  }
  T result(int lane) const {
    T v;
    std::memcpy(&v, thread.grf.data() + reg_result * reg_bytes + lane * int(sizeof v), sizeof v);
    return v;
  }
  void run() {
    thread.ip = 0;
    thread.cr[0] = cr0;
    thread.dispatched = thread.active = 0xFFFF;
    Executor x{thread, program, functions};
    ASSERT_EQ(x.run(1000), Status::ended) << (x.fault ? x.fault->reason : "");
  }
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T>
std::vector<T> corners() {
  using L = std::numeric_limits<T>;
  const T one_up = std::nextafter(T(1), T(2)), one_down = std::nextafter(T(1), T(0));
  std::vector<T> v{0,
                   L::infinity(),
                   L::quiet_NaN(),
                   L::denorm_min(),
                   L::denorm_min() * 3,
                   std::nextafter(L::min(), T(0)),
                   L::min() / 2,
                   L::min(),
                   std::nextafter(L::min(), T(1)),
                   L::min() * 3,
                   L::max(),
                   L::max() / 2,
                   std::nextafter(L::max(), T(0)),
                   1,
                   one_up,
                   one_down,
                   T(2) - L::epsilon(),
                   2,
                   3,
                   5,
                   7,
                   10,
                   T(0.1),
                   T(1) / 3,
                   std::sqrt(T(2)),
                   std::ldexp(one_up, L::max_exponent / 2),
                   std::ldexp(one_down, L::max_exponent / 2),
                   std::ldexp(one_up, L::min_exponent / 2),
                   std::ldexp(one_down, L::min_exponent / 2),
                   std::ldexp(T(1.5), L::max_exponent - 1),
                   std::ldexp(T(1.25), L::min_exponent - 12)};
  for (size_t n = 0, count = v.size(); n < count; ++n) v.push_back(-v[n]);
  return v;
}

// Pairs that come near a rounding boundary or the ends of the range, and any bits at all.
template <class T>
std::pair<T, T> random_pair(std::mt19937_64& rng, size_t n) {
  using L = std::numeric_limits<T>;
  const auto any = [&] { return std::bit_cast<T>(Bits<T>(rng())); };
  const auto within = [&](int low, int high) {
    const T mantissa = T(1) + std::ldexp(T(rng() >> 11), -53);
    return std::ldexp(std::min(mantissa, T(2) - L::epsilon()), low + int(rng() % unsigned(high - low)));
  };
  switch (n % 4) {
    case 0: return {any(), any()};
    case 1: return {within(-1, 1), within(-1, 1)};
    case 2: {  // the quotient is a denormal, or nearly one
      const T b = within(-20, 20), q = within(L::min_exponent - L::digits - 2, L::min_exponent + 2);
      return {b * q, b};
    }
    default: {  // the quotient is next to the middle between two numbers
      const T b = within(-2, 2), q = within(-2, 2);
      return {std::nextafter(b * q, rng() % 2 ? T(100) : T(0)), b};
    }
  }
}

// --- The cases that come closest to the middle between two numbers of p digits. In integers: the middle is an odd N of
// p + 1 digits, and the exact result misses it by the least that is possible.

// a / b with a * 2^s = b * N + c for a small c.
template <class T>
std::vector<std::pair<T, T>> hard_quotients(size_t count) {
  constexpr int p = std::numeric_limits<T>::digits;
  std::vector<std::pair<T, T>> pairs;
  std::mt19937_64 rng(3);
  for (uint64_t n = 0; pairs.size() < count; ++n) {
    const uint64_t top = uint64_t{1} << (p - 1);
    const uint64_t b = n % 3 == 0   ? 2 * top - 1 - 2 * (n / 3 % 500)  // divisors just below a power of two
                       : n % 3 == 1 ? top + 1 + 2 * (n / 3 % 500)      // and just above
                                    : top | rng() % top | 1;
    const uint128 c = (n & 1 ? uint128(0) - 1 : uint128(1)) * (2 * (rng() % 50) + 1);
    const int s = p + int(rng() & 1);
    const uint128 mask = (uint128(1) << s) - 1;
    uint128 inverse = b;
    for (int k = 0; k < 7; ++k) inverse *= 2 - b * inverse;
    const uint128 middle = ((0 - c * inverse) & mask) | (s == p ? uint128(1) << p : 0);
    const uint128 a = (b * middle + c) >> s;
    if ((middle >> p & 1) && a >= top && a < 2 * top)
      pairs.push_back({std::ldexp(T(uint64_t(a)), int(rng() % 40) - 20), T(b)});
  }
  return pairs;
}

// sqrt(a) with a * 2^j = N * N - c for a small c: odd squares are 1 modulo 8, and each such c has roots modulo 2^j.
template <class T>
std::vector<std::pair<T, T>> hard_roots(size_t count) {
  constexpr int p = std::numeric_limits<T>::digits;
  std::vector<std::pair<T, T>> pairs;
  for (int64_t n = 0; pairs.size() < count; ++n) {
    const uint128 c = uint128(int128(1 + 8 * (n % 2 ? -(n / 2) - 1 : n / 2)));
    for (int j = p + 1; j <= p + 2; ++j) {
      uint128 root = 1;
      for (int k = 3; k < j; ++k)
        if ((root * root - c) << (127 - k)) root += uint128(1) << (k - 1);
      const uint128 mask = (uint128(1) << j) - 1, half = uint128(1) << (j - 1);
      for (const uint128 r : {root & mask, (0 - root) & mask, (root + half) & mask, (half - root) & mask}) {
        const uint128 middle = r & ((uint128(1) << (p + 1)) - 1), square = middle * middle - c;
        if (!(middle >> p & 1) || (square & mask) || square >> j >> p) continue;
        for (const int even : {-2, 0, 20}) pairs.push_back({std::ldexp(T(uint64_t(square >> j)), j + even), T(1)});
      }
    }
  }
  return pairs;
}

template <class T>
bool same(T a, T b) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
T expected(const Sequence& s, T a, T b) {
  const volatile T x = a, y = b;  // in the host's present rounding mode
  const volatile T r = s.root ? std::sqrt(x) : x / y;
  return r;
}

// Runs all pairs through and counts those for which `good` does not hold.
template <class T, class Good>
void check(Divider<T>& d, const std::vector<std::pair<T, T>>& pairs, Good good) {
  int wrong = 0;
  for (size_t n = 0; n < pairs.size() && wrong < 5; n += size_t(d.lanes)) {
    const auto pair = [&](int l) { return pairs[std::min(n + size_t(l), pairs.size() - 1)]; };
    for (int l = 0; l < d.lanes; ++l) d.put(reg_a, l, pair(l).first), d.put(reg_b, l, pair(l).second);
    ASSERT_NO_FATAL_FAILURE(d.run());
    for (int l = 0; l < d.lanes; ++l) {
      const auto [a, b] = pair(l);
      if (good(a, b, d.result(l))) continue;
      ++wrong;
      ADD_FAILURE() << fmt::format("{}: {:a}, {:a}: {:a}, not {:a}", d.sequence.name, a, b, d.result(l),
                                   expected(d.sequence, a, b));
    }
  }
}

template <class T>
std::vector<std::pair<T, T>> crossed() {
  std::vector<std::pair<T, T>> pairs;
  for (T a : corners<T>())
    for (T b : corners<T>()) pairs.push_back({a, b});
  return pairs;
}
template <class T>
std::vector<std::pair<T, T>> with_random(size_t count) {
  auto pairs = crossed<T>();
  for (const auto& more : {hard_quotients<T>(count / 4), hard_roots<T>(count / 4)})
    pairs.insert(pairs.end(), more.begin(), more.end());
  std::mt19937_64 rng(1);
  for (size_t n = 0; n < count; ++n) pairs.push_back(random_pair<T>(rng, n));
  return pairs;
}

template <class T>
void is_correctly_rounded(const isa::Model& m, const Sequence& s) {
  Divider<T> d(m, s);
  check<T>(d, with_random<T>(100'000), [&](T a, T b, T r) { return same(r, expected(s, a, b)); });
  for (const Form form : {Form::predicated, Form::goto_join}) {
    Divider<T> other(m, s, form);
    check<T>(other, with_random<T>(1000), [&](T a, T b, T r) { return same(r, expected(s, a, b)); });
  }
}

class Macros : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
INSTANTIATE_TEST_SUITE_P(All, Macros,
                         testing::Values(
                             +[] { return &gen::gen8(); }, +[] { return &gen::gen9(); }));

TEST_P(Macros, FloatQuotientsAreCorrectlyRounded) { is_correctly_rounded<float>(model(), float_quotient); }
TEST_P(Macros, FloatRootsAreCorrectlyRounded) { is_correctly_rounded<float>(model(), float_root); }
TEST_P(Macros, DoubleQuotientsAreCorrectlyRounded) { is_correctly_rounded<double>(model(), double_quotient); }
TEST_P(Macros, DoubleRootsAreCorrectlyRounded) { is_correctly_rounded<double>(model(), double_root); }

// The last step rounds as cr0 says, the ones before to nearest.
template <class T>
void follows_rounding_mode(const isa::Model& m, const Sequence& s) {
  constexpr int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (uint32_t mode = 0; mode < 4; ++mode) {
    Divider<T> d(m, s, Form::rounding, 0x4C0 | mode << 4);
    check<T>(d, with_random<T>(2000), [&](T a, T b, T r) {
      std::fesetround(host[mode]);
      const T e = expected(s, a, b);
      std::fesetround(FE_TONEAREST);
      return same(r, e);
    });
  }
}
TEST_P(Macros, TheLastStepFollowsTheRoundingMode) {
  follows_rounding_mode<float>(model(), float_quotient);
  follows_rounding_mode<float>(model(), float_root);
  follows_rounding_mode<double>(model(), double_quotient);
  follows_rounding_mode<double>(model(), double_root);
}

// The short form is at most one unit off; numbers too large or small are as the long form has them.
TEST_P(Macros, FastDoubleQuotientsAreOneUnitOffAtMost) {
  Divider<double> d(model(), double_fast_quotient, Form::predicated);
  check<double>(d, with_random<double>(20'000), [&](double a, double b, double r) {
    const double e = expected(double_fast_quotient, a, b);
    return same(r, e) || r == std::nextafter(e, INFINITY) || r == std::nextafter(e, -INFINITY);
  });
}

// Where cr0 flushes denormals, operands and results are flushed, whatever the steps between.
TEST_P(Macros, DenormalsAreFlushedAtBothEnds) {
  const auto flush = [](float v) { return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v; };
  for (const Sequence* s : {&float_quotient, &float_root}) {
    Divider<float> d(model(), *s, Form::if_endif, 0);
    check<float>(d, with_random<float>(2000),
                 [&](float a, float b, float r) { return same(r, flush(expected(*s, flush(a), flush(b)))); });
  }
}

// The flag is set where the first step knows the end result, and only for channels that run.
TEST_P(Macros, EarlyOutIsForZerosInfinitiesAndNaNs) {
  const float inf = INFINITY, nan = NAN;
  Bench t(model(), 0xBF);  // channel 6 does not run
  t.thread.cr[0] = 0x4C0;
  t.thread.flag[0] = 0xFFFF;
  t.fill<float>(10, {1, 0, 6, inf, nan, 3, 0, 0x1p-140f});
  t.fill<float>(12, {0, 0, 3, 2, 1, inf, 0, 1});
  t.fill<float>(20, std::vector<float>(8, 99));
  t.run("math.invm (8|M0) (eo)f0.0 r20.mme0:f r10.nomme:f r12.nomme:f");
  EXPECT_EQ(t.thread.flag[0], 0xFF7Bu);
  EXPECT_EQ(t.get<float>(20, 0), inf);
  EXPECT_TRUE(std::isnan(t.get<float>(20, 1)));
  EXPECT_EQ(t.get<float>(20, 2), 1.0f / 3) << "the estimate of 1/b";
  EXPECT_EQ(t.get<float>(20, 3), inf);
  EXPECT_TRUE(std::isnan(t.get<float>(20, 4)));
  EXPECT_EQ(t.get<float>(20, 5), 0);
  EXPECT_EQ(t.get<float>(20, 6), 99);
  EXPECT_EQ(t.get<float>(20, 7), 1);
  t.thread.flag[0] = 0;
  t.fill<float>(10, {-1, -0.0f, 0, inf, -inf, nan, -0x1p-149f, 4});
  t.run("math.rsqtm (8|M0) (eo)f0.0 r20.mme0:f r10.nomme:f");
  EXPECT_EQ(t.thread.flag[0], 0x3Fu);
  EXPECT_TRUE(std::isnan(t.get<float>(20, 0)));
  EXPECT_TRUE(std::signbit(t.get<float>(20, 1)) && t.get<float>(20, 1) == 0) << "the root, not its reciprocal";
  EXPECT_EQ(t.get<float>(20, 3), inf);
  EXPECT_TRUE(std::isnan(t.get<float>(20, 4)));
  EXPECT_EQ(t.get<float>(20, 7), 0.5f - 0x1p-25f) << "the estimate, from below";
}

// Each channel has bits of its own in the register named, acc2 to acc9 are those registers, and a number goes through a
// register whole although its float part cannot hold it.
TEST_P(Macros, B_37_ExponentBitsGoThroughTheRegisterNamed) {
  Bench t(model(), 0xFF);
  t.thread.cr[0] = 0x4C0;
  t.fill<float>(2, std::vector<float>(8, 0));
  t.fill<float>(10, {1, 0x1p100f, 0x1p-100f, 0x1p127f, 0x1p-149f, 0x1p-127f, -0x1p64f, 3});
  t.run(
      "madm (8|M0) r20.mme3:f r2.nomme:f r10.nomme:f r10.nomme:f\n"
      "madm (8|M0) r21.mme7:f r2.nomme:f r20.mme3:f r20.mme3:f\n"
      "mov (8|M0) r30.0<1>:ud mme3.0<8;8,1>:ud\n"
      "mov (8|M0) r31.0<1>:ud mme7.0<8;8,1>:ud\n"
      "madm (8|M0) r22.nomme:f r2.nomme:f r20.mme3:f r10.nomme:f\n"
      "madm (8|M0) r23.nomme:f r2.nomme:f r20.nomme:f r10.nomme:f\n");
  // a square lies in the range of floats, above it, or below: one step down for 2^-200, two for 2^-298 * 2^-298
  EXPECT_EQ(t.lanes<uint32_t>(30, 8), (std::vector<uint32_t>{0, 1, 3, 1, 3, 3, 1, 0}));
  EXPECT_EQ(t.get<uint32_t>(31, 2), 2u);
  for (int l = 0; l < 8; ++l) {
    const double a = t.get<float>(10, l), bits = t.get<uint32_t>(30, l), count = bits < 2 ? bits : bits - 4;
    EXPECT_EQ(std::ldexp(double(t.get<float>(20, l)), int(count) * 192), a * a) << l;
    EXPECT_EQ(t.get<float>(22, l), float(a * a * a)) << l;
    EXPECT_EQ(t.get<float>(23, l), float(double(t.get<float>(20, l)) * a)) << l;
  }
}

TEST_P(Macros, FaultsAreNamed) {
  Bench t(model(), 0xFFFF);
  t.run("madm (16|M0) r20.mme3:f r2.nomme:f r10.nomme:f r10.nomme:f");
  ASSERT_EQ(t.status, Status::faulted);
  EXPECT_EQ(t.fault->reason, "mme registers serve 8 channels, not 16");
  t.fill<float>(2, std::vector<float>(16, 1));
  t.run("madm (16|M0) r20.nomme:f r2.nomme:f r2.nomme:f r2.nomme:f");
  EXPECT_EQ(t.lanes<float>(20, 16), std::vector<float>(16, 2));
}

// Sums of exact products, rounded once: with the exponents of floats this is the host's own fma, in every mode.
template <class T>
void agrees_with_fma() {
  std::mt19937_64 rng(2);
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    for (size_t n = 0; n < 20'000; ++n) {
      const auto [a, b] = random_pair<T>(rng, n);
      const T c = n % 3 ? -a * b : random_pair<T>(rng, n).first;
      const volatile T sum = std::fma(a, b, c);
      // through the exponents: as much up as down
      const auto split = [](T v, int up) {
        if (v == 0 || !std::isfinite(v)) return Extended<T>{v};
        return Extended<T>{std::ldexp(v, -up * Extended<T>::step), up};
      };
      const bool large = std::isnormal(a) && std::ilogb(a) > Extended<T>::step + Extended<T>::least_exponent;
      const Extended<T> r = fused(split(a, large ? 1 : 0), Extended<T>{b}, Extended<T>{c}, false);
      const Extended<T> whole = fused(Extended<T>{a}, Extended<T>{b}, Extended<T>{c}, true);
      EXPECT_TRUE(same<T>(r.value, sum)) << fmt::format("{:a} * {:a} + {:a}", a, b, c);
      if (whole.count == 0 && std::isnormal(whole.value)) {
        EXPECT_EQ(whole.value, sum) << fmt::format("{:a} * {:a} + {:a}", a, b, c);
      }
    }
  }
  std::fesetround(FE_TONEAREST);
}
TEST(Extended, SumsOfProductsAreRoundedOnce) {
  agrees_with_fma<float>();
  agrees_with_fma<double>();
}

TEST(Extended, BeyondTheExtendedRange) {
  const Extended<float> huge{0x1p127f, 1}, tiny{0x1p-126f, -2};
  for (const auto& [mode, up, down] : {std::tuple{FE_TONEAREST, INFINITY, 0.0f}, {FE_TOWARDZERO, FLT_MAX, 0.0f}}) {
    std::fesetround(mode);
    EXPECT_EQ(fused<float>(huge, huge, {0}, true).value, up);
    EXPECT_EQ(fused<float>(huge, {-1}, {0}, false).value, -up);
    EXPECT_EQ(fused<float>(tiny, tiny, {0}, true).value, down);
    EXPECT_EQ(fused<float>(tiny, {1}, {0}, false).value, down);
  }
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(fused<float>(huge, {1}, {-0x1p127f, 1}, true).value, 0);
  EXPECT_FALSE(std::signbit(fused<float>(huge, {1}, {-0x1p127f, 1}, true).value));
}

}  // namespace
}  // namespace vitro::eu
