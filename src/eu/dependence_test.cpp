// Reads and writes of instructions, as lists for some and against the interpreter for random ones: what is not in the
// read set does not matter, what is not in the write set does not change.
#include "eu/dependence.h"

#include "eu/bench_test.h"
#include "isa/print.h"
#include "isa/random.h"

namespace vitro::eu {
namespace {

const Thread without_addresses{};

struct Subject {
  Program program;
  std::optional<Dependence> d;

  Subject(const isa::Model& m, const std::string& text) : program(m, code(m, text)) {
    d = dependence(program, program.plans()[0], &without_addresses);
  }
  static std::vector<std::byte> code(const isa::Model& m, const std::string& text) {
    const isa::Assembly a = isa::assemble(m, text, {.validate = false});
    for (const isa::Diagnostic& e : a.diagnostics) ADD_FAILURE() << isa::render("test", text, e, false);
    return a.code;
  }
};

// The dwords of a set of bytes, as register.dword; "?" for a dword that is there in part.
template <size_t n>
std::string dwords(const std::bitset<n>& set) {
  std::string out;
  for (size_t at = 0; at < n; at += 4) {
    const int bytes = int(set[at]) + set[at + 1] + set[at + 2] + set[at + 3];
    if (bytes == 0) continue;
    if (!out.empty()) out += ' ';
    out += std::to_string(at / 32) + '.' + std::to_string(at % 32 / 4) + (bytes < 4 ? "?" : "");
  }
  return out;
}

TEST(Dependence, ReadsFollowRegionsAndWritesStrides) {
  const Subject s(gen::gen9(), "mov (4|M0) r10.0<2>:d r2.1<0;2,4>:d");
  ASSERT_TRUE(s.d);
  EXPECT_EQ(dwords(s.d->reads.grf), "2.1 2.5");
  EXPECT_EQ(dwords(s.d->writes.grf), "10.0 10.2 10.4 10.6");
  EXPECT_EQ(s.d->reads.flag[0] | s.d->writes.flag[0], 0u);
}

TEST(Dependence, Align16WritesOnlyEnabledChannels) {
  const Subject s(gen::gen8(), "(W) add (4|M0) r3.0<1>.xw:f r2.0<4>.yyzz:f r2.4<4>.xxxx:f {Align16}");
  ASSERT_TRUE(s.d);
  EXPECT_EQ(dwords(s.d->reads.grf), "2.1 2.2 2.4");
  EXPECT_EQ(dwords(s.d->writes.grf), "3.0 3.3");
}

TEST(Dependence, MultiplyAccumulateReadsTheAccumulatorAndAddDoesNot) {
  const Subject mac(gen::gen9(), "mac (8|M0) r3.0<1>:f r4.0<0;1,0>:f r5.0<0;1,0>:f");
  EXPECT_EQ(mac.d->reads.acc[0], 0xFFu);
  EXPECT_EQ(mac.d->writes.acc[0], 0u);
  const Subject add(gen::gen9(), "add (8|M0) r3.0<1>:f r4.0<0;1,0>:f r5.0<0;1,0>:f {AccWrEn}");
  EXPECT_EQ(add.d->reads.acc[0], 0u);
  EXPECT_EQ(add.d->writes.acc[0], 0xFFu);
  const Subject carry(gen::gen9(), "addc (8|M0) r3.0<1>:ud r4.0<0;1,0>:ud r5.0<0;1,0>:ud {AccWrEn}");
  EXPECT_EQ(carry.d->writes.acc[0], 0xFFu);
}

TEST(Dependence, LineReadsTwoComponentsOfItsTupleAndPlaneThree) {
  const Subject line(gen::gen8(), "line (4|M0) r3.0<1>:f r6.4<0;1,0>:f r8.0<4;4,1>:f");
  EXPECT_EQ(dwords(line.d->reads.grf), "6.4 6.7 8.0 8.1 8.2 8.3");
  const Subject pln(gen::gen8(), "pln (8|M0) r3.0<1>:f r6.0<0;1,0>:f r8.0<8;8,1>:f");
  EXPECT_EQ(dwords(pln.d->reads.grf), "6.0 6.1 6.3 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 9.0 9.1 9.2 9.3 9.4 9.5 9.6 9.7");
}

TEST(Dependence, DotProductsReadAsManyComponentsAsTheyMultiply) {
  const Subject dp2(gen::gen8(), "dp2 (4|M0) r3.0<1>.xyzw:f r6.0<4>.xyzw:f r8.0<4>.xyzw:f {Align16}");
  EXPECT_EQ(dwords(dp2.d->reads.grf), "6.0 6.1 8.0 8.1");
  const Subject dph(gen::gen8(), "dph (4|M0) r3.0<1>.xyzw:f r6.0<4>.xyzw:f r8.0<4>.xyzw:f {Align16}");
  EXPECT_EQ(dwords(dph.d->reads.grf), "6.0 6.1 6.2 8.0 8.1 8.2 8.3");
}

TEST(Dependence, FlagsOfPredicatesConditionsAndSelection) {
  const Subject sel(gen::gen9(), "(f0.1) sel (8|M8) r3.0<1>:d r4.0<0;1,0>:d r5.0<0;1,0>:d");
  EXPECT_EQ(sel.d->reads.flag[0], 0xFF000000u);
  EXPECT_EQ(sel.d->writes.flag[0], 0u);
  const Subject min(gen::gen9(), "sel (8|M0) (lt)f0.0 r3.0<1>:d r4.0<0;1,0>:d r5.0<0;1,0>:d");
  EXPECT_EQ(min.d->reads.flag[0], 0u);
  EXPECT_EQ(min.d->writes.flag[0], 0u);
  const Subject cmp(gen::gen9(), "cmp (16|M0) (lt)f1.0 null<1>:d r4.0<0;1,0>:d r5.0<0;1,0>:d");
  EXPECT_EQ(cmp.d->writes.flag[1], 0xFFFFu);
  const Subject any(gen::gen9(), "(f0.0.anyv) mov (4|M0) r3.0<1>:d r4.0<0;1,0>:d");
  EXPECT_EQ(any.d->reads.flag[0], 0xFu);
  EXPECT_EQ(any.d->reads.flag[1], 0xFu);
  const Subject old(gen::gen6(), "(f0.0.anyv) mov (4|M0) r3.0<1>:d r4.0<0;1,0>:d");
  EXPECT_EQ(old.d->reads.flag[0], 0x000F000Fu);
}

TEST(Dependence, ArchitectureRegistersAndMessages) {
  const Subject a0(gen::gen9(), "(W) mov (2|M0) a0.2<1>:uw r4.0<1;1,0>:uw");
  EXPECT_EQ(a0.d->writes.a0, 0xF0u);
  const Subject indirect(gen::gen9(), "mov (8|M0) r3.0<1>:d r[a0.0,64]<8;8,1>:d");
  EXPECT_EQ(indirect.d->reads.a0, ~0u);
  EXPECT_EQ(dwords(indirect.d->reads.grf), "2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7");
  const Subject send(gen::gen9(), "send (8|M0) r20:f r6 0xC 0x04306E00");
  EXPECT_EQ(send.d->reads.grf.count(), 64u);
  EXPECT_EQ(send.d->writes.grf.count(), 96u);
  EXPECT_TRUE(send.d->writes.grf[20 * 32]);
}

// --- random instructions

bool is_plain(const isa::Operand& o) {
  if (o.file != isa::RegFile::arf || o.indirect) return true;
  switch (isa::Arf(o.reg >> 4)) {
    case isa::Arf::null:
    case isa::Arf::address:
    case isa::Arf::flag: return true;
    case isa::Arf::accumulator: return (o.reg & 15) < 2;
    default: return false;  // control, state, time: they change more than themselves
  }
}

// Everything that a set can name, with random contents; addresses within the register file.
void randomise(Thread& t, const UseSet* except, const isa::Model& m, Rng& rng) {
  for (size_t n = 0; n < t.grf.size(); ++n)
    if (!except || !except->grf[n]) t.grf[n] = std::byte(rng());
  for (size_t n = 0; n < t.mrf.size(); ++n)
    if (!except || !except->mrf[n]) t.mrf[n] = std::byte(rng());
  for (size_t f = 0; f < m.flag_regs; ++f) {
    const uint32_t keep = except ? except->flag[f] : 0;
    t.flag[f] = (t.flag[f] & keep) | (uint32_t(rng()) & ~keep);
  }
  for (size_t a = 0; a < 2; ++a)
    for (size_t n = 0; n < 16; ++n)
      if (!except || !(except->acc[a] >> n & 1)) t.acc[a][n] = int64_t(rng());
  for (size_t n = 0; n < m.address_subregs; ++n)
    if (!except || !(except->a0 >> 2 * n & 3)) t.a0[n] = uint16_t(16 * (40 + rng.below(150)));
}

// What is written is the same in both runs, or was not written in either; what is not, stays.
template <class T>
void compare(const T& before1, const T& after1, const T& before2, const T& after2, bool written, bool& ok) {
  const bool kept = before1 == after1 && before2 == after2;
  if (!kept && !(written && after1 == after2)) ok = false;
}

struct Runs {
  Thread before1, after1, before2, after2;

  bool agree(const UseSet& w) const {
    bool ok = true;
    for (size_t n = 0; n < before1.grf.size(); ++n)
      compare(before1.grf[n], after1.grf[n], before2.grf[n], after2.grf[n], w.grf[n], ok);
    for (size_t n = 0; n < before1.mrf.size(); ++n)
      compare(before1.mrf[n], after1.mrf[n], before2.mrf[n], after2.mrf[n], w.mrf[n], ok);
    for (size_t f = 0; f < 2; ++f)
      for (int b = 0; b < 32; ++b)
        compare(before1.flag[f] >> b & 1, after1.flag[f] >> b & 1, before2.flag[f] >> b & 1, after2.flag[f] >> b & 1,
                w.flag[f] >> b & 1, ok);
    for (size_t a = 0; a < 2; ++a)
      for (size_t n = 0; n < 16; ++n)
        compare(before1.acc[a][n], after1.acc[a][n], before2.acc[a][n], after2.acc[a][n], w.acc[a] >> n & 1, ok);
    auto byte = [](const Thread& t, size_t n) { return uint8_t(t.a0[n / 2] >> 8 * (n % 2)); };
    for (size_t n = 0; n < 32; ++n)
      compare(byte(before1, n), byte(after1, n), byte(before2, n), byte(after2, n), w.a0 >> n & 1, ok);
    return ok;
  }
};

bool run(const Program& program, Thread& t) {
  const SharedFunctions none{};
  Executor x{t, program, none};
  x.run(1);
  return !x.fault;
}

TEST(Dependence, WhatIsNotReadDoesNotMatterAndWhatIsNotWrittenStays) {
  for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()}) {
    Rng rng(1);
    int compared = 0;
    for (const isa::OpcodeRow* row : m->by_op) {
      if (!row || row->format < isa::Format::unary || row->format > isa::Format::math) continue;
      int of_row = 0;
      for (int n = 0; n < 150; ++n) {
        const isa::Instruction i = isa::random_instruction(*m, *row, rng, {.compacted = false, .ignored = false});
        if (!is_plain(i.dst) || !is_plain(i.src[0]) || !is_plain(i.src[1]) || i.debug_ctrl) continue;
        const Result<isa::Stored> stored = isa::store(*m, i);
        ASSERT_TRUE(stored);
        const Program program(*m, std::span(stored->bytes).first(size_t(stored->size)));
        Runs r;
        randomise(r.before1, nullptr, *m, rng);
        r.before1.dispatched = r.before1.active = rng.coin() ? ~0u : uint32_t(rng());
        const std::optional<Dependence> d = dependence(program, program.plans()[0], &r.before1);
        if (!d) continue;
        r.before2 = r.before1;
        randomise(r.before2, &d->reads, *m, rng);
        r.after1 = r.before1;
        r.after2 = r.before2;
        const bool first = run(program, r.after1), second = run(program, r.after2);
        ASSERT_EQ(first, second) << isa::to_text(*m, i);
        if (!first) continue;
        ASSERT_TRUE(r.agree(d->writes)) << m->name << ": " << isa::to_text(*m, i);
        ++of_row;
      }
      EXPECT_GT(of_row, 0) << m->name << ": " << row->mnemonic;
      compared += of_row;
    }
    EXPECT_GT(compared, 1000) << m->name;
    RecordProperty(std::string("compared_") + std::string(m->name), compared);
  }
}

}  // namespace
}  // namespace vitro::eu
