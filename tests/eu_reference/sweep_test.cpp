// Every arithmetic opcode with an expression of one channel: each legal combination of types, the modes of cr0,
// saturation, modifiers and conditions, over corner values crossed pairwise and random ones.
// Vector immediates, accumulators and the instructions that combine channels have tests of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reference.h"

namespace vitro::reference {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

constexpr Op swept[] = {Op::mov, Op::sel, Op::not_, Op::and_, Op::or_,   Op::xor_, Op::shr,  Op::shl,
                        Op::asr, Op::cmp, Op::cmpn, Op::csel, Op::bfrev, Op::bfe,  Op::bfi1, Op::bfi2,
                        Op::add, Op::mul, Op::avg,  Op::frc,  Op::rndu,  Op::rndd, Op::rnde, Op::rndz,
                        Op::lzd, Op::fbh, Op::fbl,  Op::cbit, Op::addc,  Op::subb, Op::mad};

struct Counts {
  uint64_t seen = 0, setups = 0, channels = 0, failures = 0;
};

void try_setup(const Trial& s, int sources, uint64_t seed, Counts& counts) {
  if (is_compiled_tier() && counts.seen++ % 16) return;
  Machine m(s);
  std::vector<uint64_t> corners[3];
  for (int n = 0; n < sources; ++n) corners[n] = corner_values(s.src[size_t(n)]);
  const size_t width = sources > 1 ? corners[1].size() : 1;
  const size_t pairs = corners[0].size() * width;
  // large products are thinned out; which pairs remain depends on the setup, so that together all are met
  const size_t limit = sources == 3 ? 1200 : isa::is_float(s.src[0]) ? 900 : 400;
  const size_t step = std::max<size_t>(1, pairs / limit);
  std::vector<std::array<uint64_t, 3>> inputs;
  for (size_t p = mix(seed) % step; p < pairs; p += step) {
    std::array<uint64_t, 3> in{corners[0][p / width]};
    if (sources > 1) in[1] = corners[1][p % width];
    if (sources > 2) in[2] = corners[2][mix(seed + p) % corners[2].size()];
    inputs.push_back(in);
  }
  for (uint64_t k = 0; k < 64; ++k) {
    std::array<uint64_t, 3> in{};
    for (size_t n = 0; n < size_t(sources); ++n) in[n] = random_value(s.src[n], seed * 1000003 + k * 8 + n);
    inputs.push_back(in);
  }
  if (s.alt)
    std::erase_if(inputs, [&](const auto& in) {
      for (size_t n = 0; n < size_t(sources); ++n)
        if (!std::isfinite(value_of(s.src[n], in[n]))) return true;
      return false;
    });
  while (inputs.size() % lanes) inputs.push_back(inputs.back());

  ++counts.setups;
  for (size_t at = 0; at < inputs.size(); at += lanes) {
    std::array<Row, 3> rows{};
    for (size_t l = 0; l < lanes; ++l)
      for (size_t n = 0; n < 3; ++n) rows[n][l] = inputs[at + l][n];
    const uint32_t before = uint32_t(mix(seed + at)) & 0xFF;
    m.thread.flag[0] = before;
    const Row out = m.run(rows);
    ASSERT_EQ(m.fault, "") << describe(s);
    const bool reads = s.model->row(s.op)->has(isa::attr_reads_flag);
    for (size_t l = 0; l < lanes; ++l) {
      Expected e = expected(s, inputs[at + l], before >> l & 1);
      uint64_t got = out[l];
      // Gen6 promises only the lowest bit of a comparison's destination
      const bool test = s.op == Op::cmp || s.op == Op::cmpn;
      if (test && !s.model->controls_denormals) got &= 1, e.bits &= 1;
      const bool flag = m.thread.flag[0] >> l & 1;
      const bool wanted = reads || s.cond == CondModifier::none ? bool(before >> l & 1) : e.flag;
      const bool flag_right = flag == wanted || !e.has_flag || !e.defined;
      ++counts.channels;
      if (matches(s.dst, e, got) && flag_right) continue;
      if (++counts.failures > 12) continue;
      ADD_FAILURE() << fmt::format("{}\n  of {:#x}, {:#x}, {:#x}: {:#x}, flag {}; expected {:#x}{}, flag {}",
                                   describe(s), inputs[at + l][0], inputs[at + l][1], inputs[at + l][2], got, flag,
                                   e.bits, e.nan ? " (NaN)" : "", wanted);
    }
  }
}

// Which variations an instruction is tried with: conditions, saturation, modifiers, modes.
void vary(Trial s, const isa::OpcodeRow& row, int sources, uint64_t seed, Counts& counts) {
  const bool floats = isa::is_float(s.src[0]) || isa::is_float(s.dst);
  const bool controls = s.model->controls_denormals;
  const int roundings = floats && controls ? 4 : 1;
  constexpr CondModifier all[] = {CondModifier::none, CondModifier::z,  CondModifier::nz,
                                  CondModifier::g,    CondModifier::ge, CondModifier::l,
                                  CondModifier::le,   CondModifier::o,  CondModifier::u};
  uint64_t chance = mix(seed);
  auto roll = [&](uint64_t n) { return (chance = mix(chance)) % n; };
  for (int rounding = 0; rounding < roundings; ++rounding)
    for (int keep = 0; keep < (floats && controls ? 2 : 1); ++keep)
      for (int saturate = 0; saturate < (row.has(isa::attr_sat) ? 2 : 1); ++saturate) {
        s.rounding = rounding;
        s.keep_denormals = keep;
        s.saturate = saturate;
        // dword shifts left saturate unpredictably (I-shl); truncating products have no saturation or condition (I-mul)
        if (s.op == Op::shl && isa::size_of(s.src[0]) >= 4) s.saturate = false;
        const bool truncating = s.op == Op::mul && isa::is_integer(s.src[0]) &&
                                (isa::size_of(s.src[0]) >= 4 || isa::size_of(s.src[1]) >= 4);
        if (truncating && !controls) s.saturate = false;
        for (int turn = 0; turn < 3; ++turn) {
          s.abs = s.negate = {};
          s.cond = CondModifier::none;
          if (turn > 0 && row.has(isa::attr_srcmod))
            for (size_t n = 0; n < size_t(sources); ++n) s.abs[n] = roll(2), s.negate[n] = roll(2);
          if (turn == 2 && row.has(isa::attr_cond) && !truncating) s.cond = all[roll(9)];
          if (row.has(isa::attr_logic) && s.cond != CondModifier::none)
            s.cond = roll(2) ? CondModifier::z : CondModifier::nz;
          if (s.op == Op::cmp || s.op == Op::csel) s.cond = all[1 + roll(6)];
          if (s.op == Op::cmpn) s.cond = roll(2) ? CondModifier::l : CondModifier::ge;
          if (s.op == Op::sel) s.cond = turn == 0 ? CondModifier::none : all[1 + roll(6)];
          if (s.op == Op::shl && s.cond == CondModifier::o) s.cond = CondModifier::z;
          // ALT mode is one of floats and says nothing of infinities and NaNs; a mov copies them
          s.alt = turn == 1 && s.op != Op::mov && s.dst == Type::f && s.src[0] == Type::f;
          s.predicated = s.op == Op::sel && s.cond == CondModifier::none;
          s.acc_wr_ctrl = row.has(isa::attr_needs_accwr);
          try_setup(s, sources, mix(chance), counts);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
}

std::vector<Type> members(isa::TypeSet set, isa::TypeSet known) {
  std::vector<Type> out;
  for (int t = 0; t < isa::type_count; ++t)
    if (const Type type = Type(t); set.contains(type) && known.contains(type) && !isa::info(type).is_vector_imm)
      out.push_back(type);
  return out;
}

class Sweep : public testing::TestWithParam<std::tuple<ModelSource, Op>> {};

TEST_P(Sweep, AgreesWithTheReference) {
  const isa::Model& model = *std::get<0>(GetParam())();
  const isa::OpcodeRow* row = model.row(std::get<1>(GetParam()));
  isa::Instruction shape;
  shape.op = row->op;
  const int sources = isa::source_count(*row, shape);
  Counts counts;
  uint64_t seed = uint64_t(row->op) << 32;
  std::vector<std::array<Type, 4>> done;
  for (const isa::TypeRule& rule : row->types)
    for (Type dst : members(rule.dst, model.types)) {
      const std::vector<Type> types = members(rule.src, model.types);
      for (Type a : types)
        for (Type b : sources > 1 ? types : std::vector<Type>{Type::ud})
          for (Type c : sources > 2 ? types : std::vector<Type>{Type::ud}) {
            const std::array<Type, 4> combination{dst, a, b, c};
            if (std::find(done.begin(), done.end(), combination) != done.end()) continue;
            done.push_back(combination);
            // three-source operands: only what the generation can encode
            if (sources == 3 && !can_encode({.model = &model, .op = row->op, .dst = dst, .src = {a, b, c}})) continue;
            vary({.model = &model, .op = row->op, .dst = dst, .src = {a, b, c}}, *row, sources, ++seed, counts);
            if (HasFatalFailure()) return;
          }
    }
  EXPECT_EQ(counts.failures, 0u);
  RecordProperty("setups", int(counts.setups));
  RecordProperty("channels", int(counts.channels));
}

std::vector<std::tuple<ModelSource, Op>> every_row() {
  std::vector<std::tuple<ModelSource, Op>> rows;
  for (Op op : swept)
    for (ModelSource m : models_with(op)) rows.emplace_back(m, op);
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Every, Sweep, testing::ValuesIn(every_row()), [](const auto& info) {
  const isa::Model* m = std::get<0>(info.param)();
  return fmt::format("{}_{}", m->name, isa::mnemonic(std::get<1>(info.param)));
});

}  // namespace
}  // namespace vitro::reference
