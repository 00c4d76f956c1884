// Predicates and masks by their requirement ids: PR-01, PR-02 (T21: every mode, both access modes, inversion), MK-01,
// MK-02 (execution sizes, quarters and nibbles), the flags' halves. The reference is the documents' pseudo-code with
// its mistakes mended: "all" begins with true, and inversion comes after the combination.
#include <fmt/format.h>

#include <random>

#include "eu/bench_test.h"
#include "isa/names.h"

namespace vitro::eu {
namespace {

const isa::Model* const generations[] = {&gen::gen6(), &gen::gen8(), &gen::gen9()};

// Bit c: channel c of the flag, counted from where a sub-register begins.
struct Flags {
  uint32_t own, other;  // the register named; the one that anyv and allv add
};

bool channel_predicate(const std::string& mode, bool align16, const Flags& f, int c) {
  auto bit = [](uint32_t bits, int n) { return bool(bits >> n & 1); };
  if (mode.empty()) return bit(f.own, c);
  if (align16 && mode.size() == 1) return bit(f.own, c / 4 * 4 + int(std::string("xyzw").find(mode)));
  if (mode == "anyv") return bit(f.own, c) || bit(f.other, c);
  if (mode == "allv") return bit(f.own, c) && bit(f.other, c);
  const int size = std::stoi(mode.substr(3));
  bool any = false, all = true;
  for (int n = c / size * size; n < c / size * size + size; ++n) {
    any = any || bit(f.own, n);
    all = all && bit(f.own, n);
  }
  return mode.starts_with("any") ? any : all;
}

// The channels of an instruction that wrote, from bit 0. The destination has a word (or a dword) per channel.
uint32_t written(const Bench& b, int lanes, bool dwords) {
  uint32_t mask = 0;
  for (int l = 0; l < lanes; ++l)
    if (dwords ? b.get<uint32_t>(10, l) : b.get<uint16_t>(10, l)) mask |= 1u << l;
  return mask;
}

void check_mode(const isa::Model& m, const std::string& mode, bool align16, std::mt19937& random) {
  const int sizes[] = {1, 2, 4, 8, 16, 32};
  for (int size : sizes) {
    if (align16 && (size < 4 || size > 16)) continue;
    for (int half = 0; half < (size == 32 ? 1 : 2); ++half)
      for (bool inverted : {false, true})
        for (int round = 0; round < 6; ++round) {
          Bench b(m, ~0u);
          for (uint32_t& f : b.thread.flag) f = round == 0 ? 0 : round == 1 ? ~0u : random() | random() << 3;
          if (m.flag_regs == 1) b.thread.flag[1] = 0;
          const uint32_t own = b.thread.flag[0] >> 16 * half;
          const uint32_t other = m.flag_regs > 1 ? b.thread.flag[1] >> 16 * half : b.thread.flag[0] >> 16 * (1 - half);
          const std::string text =
              fmt::format("({}f0.{}{}) mov ({}|M0) {}", inverted ? "~" : "", half, mode.empty() ? "" : "." + mode, size,
                          align16 ? "r10.0<1>.xyzw:ud r30.0<4>.xyzw:ud {Align16}" : "r10.0<1>:uw 1:uw");
          for (int n = 0; n < 16; ++n) b.set<uint32_t>(30, n, 1);
          b.run(text);
          ASSERT_EQ(b.status, Status::ended) << text;
          uint32_t expected = 0;
          for (int c = 0; c < size; ++c)
            if (channel_predicate(mode, align16, {own, other}, c) != inverted) expected |= 1u << c;
          ASSERT_EQ(written(b, size, align16), expected)
              << m.name << ": " << text << fmt::format(" with f0 {:08x}", b.thread.flag[0]);
        }
  }
}

TEST(Predicate, PR01_PR02_T21_EveryModeOfAlign1) {
  std::mt19937 random(1);
  for (const isa::Model* m : generations) {
    check_mode(*m, "", false, random);
    for (std::string_view mode : isa::pred_names_align1) {
      const bool wide = mode.ends_with("32h");
      if (mode.empty() || (wide && m->flag_regs == 1)) continue;
      if (wide) continue;  // has a test of its own: a group of 32 has no halves
      check_mode(*m, std::string(mode), false, random);
    }
  }
}

TEST(Predicate, PR01_PR02_T21_EveryModeOfAlign16) {
  std::mt19937 random(2);
  for (const isa::Model* m : generations)
    for (std::string_view mode : isa::pred_names_align16) check_mode(*m, std::string(mode), true, random);
}

TEST(Predicate, PR02_GroupsOf32) {
  for (const isa::Model* m : {&gen::gen8(), &gen::gen9()})
    for (uint32_t flag : {0u, 1u, 0x80000000u, 0x7FFFFFFFu, ~0u})
      for (bool all : {false, true}) {
        Bench b(*m, ~0u);
        b.thread.flag[0] = flag;
        b.run(fmt::format("(f0.0.{}32h) mov (32|M0) r10.0<1>:uw 1:uw", all ? "all" : "any"));
        EXPECT_EQ(written(b, 32, false), (all ? flag == ~0u : flag != 0) ? ~0u : 0u) << std::hex << flag;
        // the halves of a SIMD32 program see the same group
        Bench h(*m, ~0u);
        h.thread.flag[0] = flag;
        h.run(fmt::format("(f0.0.{}32h) mov (16|M16) r10.0<1>:uw 1:uw", all ? "all" : "any"));
        EXPECT_EQ(written(h, 16, false), (all ? flag == ~0u : flag != 0) ? 0xFFFFu : 0u) << std::hex << flag;
      }
}

// A group is one of the flag's, also for an instruction of fewer channels: compilers test any16h in a scalar jump.
TEST(Predicate, PR02_GroupsAreThoseOfTheFlag) {
  for (const isa::Model* m : generations)
    for (uint32_t flag : {0u, 0x0100u, 0xFFFFu, 0xFEFFu}) {
      Bench b(*m, 0xFFFF);
      b.thread.flag[0] = flag;
      b.run(
          "mov (8|M0) r2.0<1>:ud 0:uw\n"
          "(W&f0.0.any16h) jmpi TAKEN\n"
          "mov (8|M0) r2.0<1>:ud 1:uw\n"
          "TAKEN: (W&f0.0.all16h) jmpi OUT\n"
          "add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 2:uw\n"
          "OUT: nop");
      EXPECT_EQ(b.get<uint32_t>(2, 0), (flag ? 0u : 1u) + (flag == 0xFFFF ? 0u : 2u)) << m->name << " " << flag;
    }
}

TEST(Predicate, PR01_InversionMeansNothingWithoutAPredicate) {
  for (const isa::Model* m : generations) {
    isa::Instruction i;
    i.op = isa::Op::mov;
    i.exec_size = 8;
    i.pred_inv = true;
    Plan p;
    p.instruction = i;
    p.lanes = 8;
    p.lane_mask = 0xFF;
    Thread t;
    t.active = t.dispatched = 0xFF;
    EXPECT_EQ(write_enable(t, p), 0xFFu) << m->name;
  }
}

// MK-01: active channels and predicate; NoMask takes the place of the first, never of the second.
TEST(Predicate, MK01_NoMaskDoesNotOverrideThePredicate) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0x0F);
    b.thread.flag[0] = 0x33;
    b.run(
        "(f0.0) mov (8|M0) r10.0<1>:uw 1:uw\n"
        "(W&f0.0) mov (8|M0) r11.0<1>:uw 1:uw\n"
        "(W) mov (8|M0) r12.0<1>:uw 1:uw\n"
        "mov (8|M0) r13.0<1>:uw 1:uw");
    const uint32_t expected[] = {0x03, 0x33, 0xFF, 0x0F};
    for (int n = 0; n < 4; ++n)
      for (int l = 0; l < 16; ++l)
        EXPECT_EQ(b.get<uint16_t>(10 + n, l), l < 8 ? expected[n] >> l & 1 : 0)
            << m->name << " r" << 10 + n << "." << l;
  }
}

// MK-02: an instruction of n channels at Mk works on channels k .. k + n - 1 of the masks and the flag.
TEST(Predicate, MK02_QuartersAndNibbles) {
  const uint32_t active = 0xC35A96F1, flag = 0x5F36E81D;
  for (const isa::Model* m : generations)
    for (int size : {1, 2, 4, 8, 16, 32})
      for (int at = 0; at + size <= 32; at += std::max(size, m->has_nib_ctrl ? 4 : 8)) {
        if (size == 16 && at == 8) continue;
        for (bool predicated : {false, true}) {
          Bench b(*m, active);
          b.thread.flag[0] = flag;
          const std::string text =
              fmt::format("{}mov ({}|M{}) r10.0<1>:uw 1:uw", predicated ? "(f0.0) " : "", size, at);
          b.run(text);
          ASSERT_EQ(b.status, Status::ended) << text;
          const uint32_t mask = (predicated ? active & flag : active) >> at;
          EXPECT_EQ(written(b, size, false), mask & uint32_t(ones(size))) << m->name << ": " << text;
        }
      }
}

TEST(Predicate, MK02_ComparesSetTheFlagBitsOfTheirChannels) {
  for (const isa::Model* m : generations)
    for (int at = 0; at < 32; at += m->has_nib_ctrl ? 4 : 8)
      for (int size : {4, 8, 16}) {
        if (at % size || (size == 4 && !m->has_nib_ctrl && at % 8)) continue;
        Bench b(*m, ~0u);
        b.thread.flag[0] = 0xA5A5A5A5;
        for (int n = 0; n < 16; ++n) b.set<int16_t>(20, n, int16_t(n % 3));
        const std::string text = fmt::format("cmp ({}|M{}) (eq)f0.0 null<1>:w r20.0<8;8,1>:w 0:w", size, at);
        b.run(size == 4 ? fmt::format("cmp (4|M{}) (eq)f0.0 null<1>:w r20.0<4;4,1>:w 0:w", at) : text);
        uint32_t expected = 0xA5A5A5A5;
        for (int l = 0; l < size; ++l) expected = (expected & ~(1u << (at + l))) | uint32_t(l % 3 == 0) << (at + l);
        EXPECT_EQ(b.thread.flag[0], expected) << m->name << ": " << text;
      }
}

// The initial mask is the dispatch mask, or the vector mask where cr0 says so.
TEST(Predicate, MK02_DispatchAndVectorMask) {
  Thread t;
  t.sr[2] = 0x1248;
  t.sr[3] = 0xFFFF;
  EXPECT_EQ(t.initial_mask(), 0x1248u);
  t.cr[0] |= cr_vector_mask;
  EXPECT_EQ(t.initial_mask(), 0xFFFFu);
}

// The halves of f0 are written apart, and f1 stands by itself where there is one.
TEST(Predicate, ARF_FlagHalves) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFFFF);
    for (int n = 0; n < 16; ++n) b.set<int16_t>(20, n, int16_t(n));
    b.run(
        "cmp (16|M0) (lt)f0.0 null<1>:w r20.0<16;16,1>:w 4:w\n"
        "cmp (16|M0) (ge)f0.1 null<1>:w r20.0<16;16,1>:w 12:w\n");
    EXPECT_EQ(b.thread.flag[0], 0xF000000Fu) << m->name;
    EXPECT_EQ(b.thread.flag[1], 0u);
    if (m->flag_regs < 2) continue;
    b.run("cmp (16|M0) (gt)f1.1 null<1>:w r20.0<16;16,1>:w 14:w\n(f1.1) mov (16|M0) r10.0<1>:uw 1:uw");
    EXPECT_EQ(b.thread.flag[0], 0xF000000Fu);
    EXPECT_EQ(b.thread.flag[1], 0x80000000u);
    EXPECT_EQ(written(b, 16, false), 0x8000u);
  }
}

// sel takes its predicate as a choice, not as a mask, and writes no flag.
TEST(Predicate, MK01_SelWritesEveryActiveChannel) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0x3F);
    b.thread.flag[0] = 0x15;
    b.fill<int32_t>(2, {1, 1, 1, 1, 1, 1, 1, 1});
    b.fill<int32_t>(3, {2, 2, 2, 2, 2, 2, 2, 2});
    b.run("(f0.0) sel (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d");
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (std::vector<int32_t>{1, 2, 1, 2, 1, 2, 0, 0})) << m->name;
    EXPECT_EQ(b.thread.flag[0], 0x15u);
  }
}

// T38: two conditions in the two halves of a flag, combined by or.
TEST(Predicate, T38_CompoundOr) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
    b.run(
        "cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 2:w\n"
        "cmp (8|M0) (gt)f0.1 null<1>:d r2.0<8;8,1>:d 5:w\n"
        "(W) or (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw f0.1<0;1,0>:uw\n"
        "(f0.0) mov (8|M0) r3.0<1>:d 1:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (std::vector<int32_t>{1, 1, 0, 0, 0, 0, 1, 1})) << m->name;
  }
}

// T39, mended: two flags combined by allv.
TEST(Predicate, T39_AllOfTwoFlags) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
    const char* second = m->flag_regs > 1 ? "f1.0" : "f0.1";
    b.run(
        fmt::format("cmp (8|M0) (ge)f0.0 null<1>:d r2.0<8;8,1>:d 2:w\n"
                    "cmp (8|M0) (le){} null<1>:d r2.0<8;8,1>:d 5:w\n"
                    "(f0.0.allv) mov (8|M0) r3.0<1>:d 1:w\n"
                    "(~f0.0.anyv) mov (8|M0) r3.0<1>:d 2:w",
                    second));
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (std::vector<int32_t>{0, 0, 1, 1, 1, 1, 0, 0})) << m->name;
  }
}

}  // namespace
}  // namespace vitro::eu
