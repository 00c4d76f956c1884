// The host's domains against each other: one lane is the reference, and is itself compared with what the words say
// where it is not obvious. No part of the machine.
#include <gtest/gtest.h>

#include <array>

#include "lanes/eight.h"
#include "lanes/one.h"
#include "lanes/operations_test.h"

namespace vitro::lanes {
namespace {

using Dwords = std::array<uint32_t, eight>;

Ints8 of(const Dwords& x) { return std::bit_cast<Ints8>(x); }

template <class Host, class O>
void compute(const O& operation, const Dwords& a, const Dwords& b, const Dwords& c, Dwords& r) {
  r = std::bit_cast<Dwords>(
      operation.of(Eight<Host>{}, EightInt<Host>(of(a)), EightInt<Host>(of(b)), EightInt<Host>(of(c))).v);
}
template <class O>
VITRO_PLAIN_VECTORS void plain(const O& o, const Dwords& a, const Dwords& b, const Dwords& c, Dwords& r) {
  compute<PlainEight>(o, a, b, c, r);
}
template <class O>
VITRO_WIDE_VECTORS void wide(const O& o, const Dwords& a, const Dwords& b, const Dwords& c, Dwords& r) {
  compute<WideEight>(o, a, b, c, r);
}

template <class F>
void with_inputs(F f) {
  Rng rng(15);
  const std::vector<uint32_t> special = special_dwords();
  Dwords a, b, c;
  for (int n = 0; n < 20000; ++n) {
    for (size_t l = 0; l < eight; ++l) {
      a[l] = some_dword(rng, special), b[l] = some_dword(rng, special), c[l] = some_dword(rng, special);
      if (n % 2) c[l] = rng.below(65);
    }
    f(a, b, c);
  }
}

TEST(Lanes, ALaneAlone) {
  using D = Eight<PlainEight>;
  const D d;
  const D::I a = d.by_lane({7, -2, 3, 4, -5, 6, 1, 8});
  EXPECT_EQ(d.lane(a, 0).number(), 7);
  EXPECT_EQ(d.lane(a, 4).number(), -5);
  EXPECT_TRUE(d.all(d.splat(d.lane(a, 4) + 3) == d.i(-2)));
  EXPECT_EQ(One::lane(One::i(9), 4).number(), 9);  // where there are fewer
}

TEST(Lanes, EightLanesGiveWhatOneGives) {
  const bool has_wide = host_has_wide_vectors();
  std::apply(
      [&](const auto&... operation) {
        (with_inputs([&](const Dwords& a, const Dwords& b, const Dwords& c) {
           Dwords p, w;
           plain(operation, a, b, c, p);
           w = p;
           if (has_wide) wide(operation, a, b, c, w);
           for (size_t l = 0; l < eight; ++l) {
             const uint32_t want = operation.of(One{}, OneInt::of(a[l]), OneInt::of(b[l]), OneInt::of(c[l])).v;
             ASSERT_TRUE(agree(operation.gives_float, p[l], want))
                 << operation.name << std::hex << " " << a[l] << " " << b[l] << " " << c[l] << ": " << p[l] << " "
                 << want;
             ASSERT_TRUE(agree(operation.gives_float, w[l], want))
                 << operation.name << std::hex << " " << a[l] << " " << b[l] << " " << c[l] << ": " << w[l] << " "
                 << want;
           }
         }),
         ...);
      },
      operations);
}

TEST(Lanes, PlainAndWideAgreeAcrossLanes) {
  if (!host_has_wide_vectors()) GTEST_SKIP() << "the host has no AVX2";
  std::apply(
      [&](const auto&... operation) {
        (with_inputs([&](const Dwords& a, const Dwords& b, const Dwords& c) {
           Dwords p, w;
           plain(operation, a, b, c, p);
           wide(operation, a, b, c, w);
           ASSERT_EQ(p, w) << operation.name;
         }),
         ...);
      },
      operations_across);
}

TEST(Lanes, OneLaneIsWhatTheWordsSay) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(One::truncate(nan).number(), INT32_MIN);
  EXPECT_EQ(One::truncate(0x1p31f).number(), INT32_MIN);
  EXPECT_EQ(One::truncate(-0x1p31f).number(), INT32_MIN);
  EXPECT_EQ(One::truncate(-1.9f).number(), -1);
  EXPECT_EQ(One::round(2.5f).number(), 2);
  EXPECT_EQ(One::round(-3.5f).number(), -4);
  EXPECT_EQ(One::round(1e30f).number(), INT32_MIN);
  EXPECT_EQ(One::min(nan, 1.0f).v, 1.0f);
  EXPECT_TRUE(std::isnan(One::min(1.0f, nan).v));
  EXPECT_TRUE(std::signbit(One::min(0.0f, -0.0f).v));
  EXPECT_FALSE(std::signbit(One::max(-0.0f, 0.0f).v));
  EXPECT_TRUE(std::signbit(One::floor(-0.0f).v));
  EXPECT_EQ(One::shift_left(1, 32).number(), 0);
  EXPECT_EQ(One::shift_right(-1, -1).number(), 0);
  EXPECT_EQ(One::shift_right_signed(-5, 64).number(), -1);
  EXPECT_EQ((OneInt(INT32_MAX) + 1).number(), INT32_MIN);
  EXPECT_EQ((-OneInt(INT32_MIN)).number(), INT32_MIN);
}

TEST(Lanes, MasksAreLanes) {
  using D = Eight<PlainEight>;
  for (uint32_t n = 0; n < 256; ++n) {
    EXPECT_EQ(D::lanes(D::mask(n)), n);
    EXPECT_EQ(D::any(D::mask(n)), n != 0);
    EXPECT_EQ(D::all(D::mask(n)), n == 255);
  }
}

// if_any goes into the body for all lanes or for none.
TEST(Lanes, IfAnyAsksAllLanes) {
  using D = Eight<PlainEight>;
  const auto one = [](auto s) { return std::tuple(std::get<0>(s) + 1); };
  for (uint32_t n : {0u, 1u, 128u, 255u}) {
    const auto [r] = D::if_any(D::mask(n), std::tuple(D::i(5)), one);
    for (int l = 0; l < eight; ++l) EXPECT_EQ(r.v[l], n ? 6 : 5);
  }
}

TEST(Lanes, OfFourGivesALaneToItsNeighbours) {
  using D = Eight<PlainEight>;
  const Ints8 all = {10, 11, 12, 13, 14, 15, 16, 17};
  for (int n = 0; n < 4; ++n)
    for (int l = 0; l < eight; ++l) {
      EXPECT_EQ(D::of_four(D::I(all), n).v[l], 10 + l / 4 * 4 + n);
      EXPECT_EQ(D::of_four(D::to_float(D::I(all)), n).v[l], float(10 + l / 4 * 4 + n));
    }
  EXPECT_EQ(One::of_four(OneInt(5), 3).number(), 5);
}

// --- memory: a guard on either side shows an access that the mask forbids

struct Memory {
  std::array<uint32_t, 32> words;
  std::byte* at() { return reinterpret_cast<std::byte*>(words.data()); }
};

template <class D>
void move(const Dwords& at, const Dwords& value, uint32_t lanes, Memory& memory, Dwords& r) {
  const typename D::M m = D::mask(lanes);
  D::scatter(memory.at() + 64, of(at), of(value), m);
  r = std::bit_cast<Dwords>(D::gather(memory.at() + 64, of(at), m).v);
}
// The words that move 1, 2 or 4 bytes, and those of records.
template <class D>
void move_bytes(const Dwords& at, const Dwords& value, uint32_t lanes, int bytes, Memory& memory, Dwords& r) {
  D::scatter_low(memory.at() + 64, of(at), of(value), D::mask(lanes), bytes);
  const SomeRecord record = some_record(memory.at() + 64);
  r = std::bit_cast<Dwords>(facts_and_bytes(D{}, &record, typename D::I(of(at)), bytes).v);
}
VITRO_PLAIN_VECTORS void plain_move(const Dwords& at, const Dwords& value, uint32_t lanes, Memory& m, Dwords& r) {
  move<Eight<PlainEight>>(at, value, lanes, m, r);
}
VITRO_WIDE_VECTORS void wide_move(const Dwords& at, const Dwords& value, uint32_t lanes, Memory& m, Dwords& r) {
  move<Eight<WideEight>>(at, value, lanes, m, r);
}

VITRO_PLAIN_VECTORS void plain_bytes(const Dwords& at, const Dwords& value, uint32_t lanes, int bytes, Memory& m,
                                     Dwords& r) {
  move_bytes<Eight<PlainEight>>(at, value, lanes, bytes, m, r);
}
VITRO_WIDE_VECTORS void wide_bytes(const Dwords& at, const Dwords& value, uint32_t lanes, int bytes, Memory& m,
                                   Dwords& r) {
  move_bytes<Eight<WideEight>>(at, value, lanes, bytes, m, r);
}

TEST(Lanes, BytesAndRecords) {
  Rng rng(4);
  for (int n = 0; n < 3000; ++n) {
    Memory want, plain, wide;
    for (uint32_t& w : want.words) w = uint32_t(rng());
    plain = wide = want;
    Dwords at, value, expected{}, r;
    const uint32_t lanes = rng.below(256);
    const int bytes = 1 << n % 3;
    for (size_t l = 0; l < eight; ++l) value[l] = uint32_t(rng()), at[l] = uint32_t(int32_t(rng.below(124)) - 64);
    for (size_t l = 0; l < eight; ++l)
      One::scatter_low(want.at() + 64, OneInt::of(at[l]), OneInt::of(value[l]), {(lanes >> l & 1) != 0}, bytes);
    const SomeRecord record = some_record(want.at() + 64);
    for (size_t l = 0; l < eight; ++l) expected[l] = facts_and_bytes(One{}, &record, OneInt::of(at[l]), bytes).v;
    uint32_t alone = 0;
    std::memcpy(&alone, want.at() + 64 + int32_t(at[3]), size_t(bytes));
    EXPECT_EQ(One::gather_all(want.at() + 64, OneInt::of(at[3]), bytes).v, alone);
    plain_bytes(at, value, lanes, bytes, plain, r);
    EXPECT_EQ(r, expected);
    EXPECT_EQ(plain.words, want.words);
    if (!host_has_wide_vectors()) continue;
    wide_bytes(at, value, lanes, bytes, wide, r);
    EXPECT_EQ(r, expected);
    EXPECT_EQ(wide.words, want.words);
  }
}

TEST(Lanes, GatherAndScatter) {
  Rng rng(3);
  for (int n = 0; n < 5000; ++n) {
    Memory want, plain, wide;
    for (uint32_t& w : want.words) w = uint32_t(rng());
    plain = wide = want;
    Dwords at, value, expected{}, p, w;
    const uint32_t lanes = rng.below(256);
    for (size_t l = 0; l < eight; ++l) {
      value[l] = uint32_t(rng());
      at[l] = uint32_t(int32_t(rng.below(124)) - 64);             // at any byte, on both sides of the pointer
      if (!(lanes >> l & 1)) at[l] = 0x7FFFFFF0 + rng.below(16);  // must not be looked at
    }
    for (size_t l = 0; l < eight; ++l)
      One::scatter(want.at() + 64, int32_t(at[l]), int32_t(value[l]), {(lanes >> l & 1) != 0});
    for (size_t l = 0; l < eight; ++l)
      expected[l] = One::gather(want.at() + 64, int32_t(at[l]), {(lanes >> l & 1) != 0}).v;
    plain_move(at, value, lanes, plain, p);
    EXPECT_EQ(p, expected);
    EXPECT_EQ(plain.words, want.words);
    if (!host_has_wide_vectors()) continue;
    wide_move(at, value, lanes, wide, w);
    EXPECT_EQ(w, expected);
    EXPECT_EQ(wide.words, want.words);
  }
}

}  // namespace
}  // namespace vitro::lanes
