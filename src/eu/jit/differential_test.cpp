// Random programs, interpreted and compiled, on every generation: instructions come from the opcode table, all operand
// forms and types, whether the validator likes them or not, as long as they do not fault. A difference is shrunk:
// first to the shortest prefix that shows it, then instruction by instruction, and printed.
// Not here: flow control (flow_random_test.cpp, whose programs run both ways too) and messages.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "eu/bench_test.h"
#include "eu/jit/analysis.h"
#include "eu/jit/twins_test.h"
#include "isa/random.h"

namespace vitro::eu::jit {
namespace {

using Instructions = std::vector<isa::Instruction>;

std::vector<std::byte> encode(const isa::Model& model, const Instructions& all) {
  std::vector<std::byte> code;
  for (const isa::Instruction& i : all)
    if (const auto stored = isa::store(model, i))
      code.insert(code.end(), stored->bytes.begin(), stored->bytes.begin() + stored->size);
  const isa::Assembly end = isa::assemble(model,
                                          model.mrf_count ? "(W) send (8|M0) null m0 0x27 0x02000010 {EOT}"
                                                          : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}",
                                          {.validate = false});
  code.insert(code.end(), end.code.begin(), end.code.end());
  return code;
}

class Differential : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& m = *GetParam()();
  SharedFunctions functions{};
  void SetUp() override {
    functions[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
  }

  Thread random_thread(Rng& rng) {
    Thread t;
    for (int n = 0; n < grf_count * reg_bytes; n += 4) {
      uint32_t v = uint32_t(rng.interesting(32));
      if (rng.coin()) v = std::bit_cast<uint32_t>(float(int32_t(rng.below(2000)) - 1000) / 16);
      std::memcpy(t.grf.data() + n, &v, sizeof v);
    }
    for (uint16_t& a : t.a0) a = uint16_t(rng.below(120) * 32);
    for (size_t n = 0; n < m.flag_regs; ++n) t.flag[n] = uint32_t(rng());
    t.dispatched = t.sr[2] = t.sr[3] = rng.coin() ? ~0u : uint32_t(rng()) | 1;
    t.active = t.dispatched;
    if (m.controls_denormals && rng.coin()) t.cr[0] = cr_keep_float_denorms | cr_keep_double_denorms;
    return t;
  }

  std::string difference(const Instructions& all, const Thread& begin, Counts* counts = nullptr) {
    const std::vector<std::byte> code = encode(m, all);
    const Program program(m, code);
    const Twins t = run_twins(program, begin, functions, 10000, 10000);
    if (counts) *counts = t.counts;
    return t.difference();
  }

  // Instructions that run without a fault one after the other.
  Instructions random_program(Rng& rng, const Thread& begin, int wanted) {
    Instructions all;
    Thread t = begin;
    for (int tries = 0; int(all.size()) < wanted && tries < 500 * wanted; ++tries) {
      const isa::Instruction i = isa::random_instruction(m, rng);
      const isa::OpcodeRow& row = *m.row(i.op);
      if (row.format >= isa::Format::send || i.op == isa::Op::illegal || i.debug_ctrl) continue;
      if (isa::channel_offset(i) + i.exec_size > max_channels) continue;  // no such channels
      if (i.dst.file == isa::RegFile::arf &&
          (i.dst.reg >> 4 == int(isa::Arf::ip) || i.dst.reg >> 4 == int(isa::Arf::control)))
        continue;
      const auto stored = isa::store(m, i);
      if (!stored) continue;
      const Program one(m, std::span(stored->bytes).first(size_t(stored->size)));
      // most instructions the table allows are called: they would say little of the code
      if (analyse(one, {}).shapes[0].way != Way::emitted && !rng.one_in(20)) continue;
      Thread after = t;
      after.ip = 0;
      Executor x{after, one, functions};
      if (x.run(1) != Status::running) continue;
      t = after;
      all.push_back(i);
    }
    return all;
  }

  void report(Instructions all, const Thread& begin, uint64_t seed) {
    size_t length = 1;
    while (length < all.size() && difference({all.begin(), all.begin() + int(length)}, begin).empty()) ++length;
    all.resize(length);
    for (size_t n = all.size(); n-- > 0;) {
      Instructions without = all;
      without.erase(without.begin() + int(n));
      if (!difference(without, begin).empty()) all = without;
    }
    std::string text;
    for (const isa::Instruction& i : all) text += isa::to_text(m, i) + "\n";
    ADD_FAILURE() << m.name << ", seed " << seed << ": " << difference(all, begin) << "\n" << text;
  }
};
INSTANTIATE_TEST_SUITE_P(EveryGeneration, Differential,
                         testing::Values([] { return &gen::gen6(); }, [] { return &gen::gen8(); },
                                         [] { return &gen::gen9(); }),
                         [](const auto& p) { return std::string(p.param()->name); });

// VITRO_JIT_PROGRAMS asks for more of them.
TEST_P(Differential, RandomProgramsDoTheSame) {
  const char* wanted = std::getenv("VITRO_JIT_PROGRAMS");
  const int programs = wanted ? std::atoi(wanted) : 8;
  int failures = 0, emitted = 0, instructions = 0;
  for (int n = 0; n < programs && failures < 5; ++n) {
    const uint64_t seed = 20'261'115 + uint64_t(n);
    Rng rng(seed);
    const Thread begin = random_thread(rng);
    const Instructions all = random_program(rng, begin, 20);
    Counts counts;
    if (!difference(all, begin, &counts).empty()) ++failures, report(all, begin, seed);
    emitted += counts.emitted;
    instructions += counts.instructions;
  }
  RecordProperty("instructions", instructions);
  RecordProperty("emitted", emitted);
  EXPECT_GT(emitted, instructions / 2);
}

}  // namespace
}  // namespace vitro::eu::jit
