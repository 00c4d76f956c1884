// Accumulators as a source for every type, and the modes of cr0 one bit at a time.
// PRM: B-32 to B-36 (accumulators), Gen8 cr0.0 bits 5:4, 6, 7 and 10.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference.h"

namespace vitro::reference {
namespace {

using isa::Op;
using isa::Type;

class Modes : public testing::TestWithParam<ModelSource> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
INSTANTIATE_TEST_SUITE_P(Every, Modes, testing::ValuesIn(every_model), model_name);

// Where channel `lane` of a type stands: four doubles, eight floats or sixteen halves to an accumulator.
int64_t& slot(eu::Thread& t, Type type, size_t lane) {
  const size_t per = type == Type::df ? 4 : type == Type::f ? 8 : 16;
  return t.acc[lane / per][lane % per];
}

TEST_P(Modes, FloatMacIsFused) {
  for (Type t : {Type::hf, Type::f, Type::df}) {
    if (!model().types.contains(t)) continue;
    for (int rounding = 0; rounding < (model().controls_denormals ? 4 : 1); ++rounding) {
      const Trial s{
          .model = &model(), .op = Op::mac, .dst = t, .src = {t, t, t}, .rounding = rounding, .keep_denormals = true};
      Machine m(s);
      const std::vector<uint64_t> corners = corner_values(t);
      for (uint64_t n = 0; n < 600; ++n) {
        std::array<Row, 3> rows{};
        for (size_t k = 0; k < 3; ++k)
          for (size_t l = 0; l < lanes; ++l) {
            const uint64_t seed = (n * 3 + k) * lanes + l;
            rows[k][l] = n % 2 ? random_value(t, seed) : corners[mix(seed) % corners.size()];
            if (k == 2) slot(m.thread, t, l) = int64_t(rows[k][l]);
          }
        const Row out = m.run(rows);
        ASSERT_EQ(m.fault, "");
        for (size_t l = 0; l < lanes; ++l) {
          double v[3];
          for (size_t k = 0; k < 3; ++k) v[k] = value_of(t, rows[k][l]);
          double r;
          if (model().controls_denormals) {
            r = compute(RealOp::fma, t, rounding, v[0], v[1], v[2]);
          } else {
            for (double& x : v) x = std::fabs(x) < least_normal(t) ? std::copysign(0.0, x) : x;
            r = compute(RealOp::fma, t, {rounding, true}, v[0], v[1], v[2]);
            if (std::fabs(r) < least_normal(t)) r = std::copysign(0.0, r);
          }
          const double got = value_of(t, out[l]);
          EXPECT_TRUE(std::isnan(r) ? std::isnan(got) : bits_of(t, got) == bits_of(t, r))
              << describe(s) << fmt::format(": {:a} * {:a} + {:a} is {:a}, expected {:a}", v[0], v[1], v[2], got, r);
        }
      }
    }
  }
}

TEST_P(Modes, IntegerMacKeepsThirtyThreeBits) {
  for (Type source : {Type::b, Type::ub, Type::w, Type::uw})
    for (Type dst : {Type::w, Type::uw, Type::d, Type::ud})
      for (bool saturate : {false, true}) {
        const Trial s{
            .model = &model(), .op = Op::mac, .dst = dst, .src = {source, source, source}, .saturate = saturate};
        Machine m(s);
        for (uint64_t n = 0; n < 100; ++n) {
          std::array<Row, 3> rows{};
          int64_t acc[lanes];
          for (size_t l = 0; l < lanes; ++l) {
            rows[0][l] = random_value(source, n * 24 + l);
            rows[1][l] = random_value(source, n * 24 + 8 + l);
            acc[l] = int64_t(int32_t(mix(n * 24 + 16 + l))) >> (n % 24);
            m.thread.acc[0][l] = acc[l];
          }
          const Row out = m.run(rows);
          for (size_t l = 0; l < lanes; ++l) {
            const auto value = [&](uint64_t bits) {
              return source == Type::b   ? int64_t(int8_t(bits))
                     : source == Type::w ? int64_t(int16_t(bits))
                                         : int64_t(bits);
            };
            int64_t r = value(rows[0][l]) * value(rows[1][l]) + acc[l];
            const bool is_signed = isa::info(dst).is_signed;
            const int width = 8 * isa::size_of(dst);
            const int64_t low = is_signed ? -(int64_t(1) << (width - 1)) : 0;
            const int64_t high = (int64_t(1) << (width - is_signed)) - 1;
            if (saturate) r = std::clamp(r, low, high);
            EXPECT_EQ(out[l], uint64_t(r) & ((uint64_t(1) << width) - 1)) << describe(s);
          }
        }
      }
}

std::vector<ModelSource> controlled_models() {
  std::vector<ModelSource> controlled;
  for (ModelSource m : every_model)
    if (m()->controls_denormals && m()->controls_rounding) controlled.push_back(m);
  return controlled;
}
class ControlledModes : public Modes {};
INSTANTIATE_TEST_SUITE_P(Every, ControlledModes, testing::ValuesIn(controlled_models()), model_name);

// Each type has its own bit for denormals; the others do not move it.
TEST_P(ControlledModes, DenormalBitsAreSeparate) {
  const std::pair<Type, uint32_t> bits[] = {{Type::df, 1u << 6}, {Type::f, 1u << 7}, {Type::hf, 1u << 10}};
  for (const auto& [t, own] : bits)
    for (const auto& [other, bit] : bits) {
      Machine m({.model = &model(), .op = Op::add, .dst = t, .src = {t, t, t}});
      m.thread.cr[0] = bit;
      std::array<Row, 3> rows{};
      rows[0].fill(3);  // a denormal of any type
      EXPECT_EQ(m.run(rows)[0], bit == own ? 3u : 0u) << int(t) << " " << int(other);
    }
}

TEST_P(ControlledModes, RoundingModesOfAddition) {
  const auto add = [&](int rounding, float a, float b) {
    Machine m({.model = &model(), .op = Op::add, .src = {Type::f, Type::f, Type::f}, .rounding = rounding});
    std::array<Row, 3> rows{};
    rows[0].fill(bits_of(Type::f, a));
    rows[1].fill(bits_of(Type::f, b));
    return float(value_of(Type::f, m.run(rows)[0]));
  };
  const float up = 0x1.000002p0f;
  EXPECT_EQ(add(0, 1, 0x1p-30f), 1.0f);  // nearest even
  EXPECT_EQ(add(1, 1, 0x1p-30f), up);    // up
  EXPECT_EQ(add(2, 1, 0x1p-30f), 1.0f);  // down
  EXPECT_EQ(add(3, 1, 0x1p-30f), 1.0f);  // to zero
  EXPECT_EQ(add(1, -1, -0x1p-30f), -1.0f);
  EXPECT_EQ(add(2, -1, -0x1p-30f), -up);
  EXPECT_EQ(add(3, -1, -0x1p-30f), -1.0f);
}

}  // namespace
}  // namespace vitro::reference
