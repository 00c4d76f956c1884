// The streamer's ALU and its atomics. PRM: Gen8 vol 2a MI_MATH, MI_ATOMIC.
#include <functional>

#include "streamer/batch_test.h"

namespace vitro::streamer {
namespace {

using namespace bench;
constexpr uint64_t data = Bench::data_at;

// ALU instructions.
enum : uint32_t {
  load = 0x080,
  loadinv = 0x480,
  load0 = 0x081,
  load1 = 0x481,
  add = 0x100,
  sub = 0x101,
  and_ = 0x102,
  or_ = 0x103,
  xor_ = 0x104,
  store = 0x180,
  storeinv = 0x580
};
enum : uint32_t { srca = 0x20, srcb = 0x21, accu = 0x31, zf = 0x32, cf = 0x33 };
uint32_t alu(uint32_t opcode, uint32_t operand1 = 0, uint32_t operand2 = 0) {
  return opcode << 20 | operand1 << 10 | operand2;
}
Dwords math(Dwords instructions) { return mi(0x1A, 0, std::move(instructions)); }

TEST(Mi, MI_MATH_EveryOperation) {
  struct Case {
    uint32_t op;
    uint64_t a, b, result;
    bool zero, carry;
  };
  const Case cases[] = {
      {add, 5, 7, 12, false, false},
      {add, ~0ull, 1, 0, true, true},
      {add, 1ull << 63, 1ull << 63, 0, true, true},
      {add, 0xFFFFFFFF, 1, 0x100000000, false, false},
      {sub, 7, 5, 2, false, false},
      {sub, 5, 7, ~1ull, false, true},
      {sub, 5, 5, 0, true, false},
      {and_, 0xF0F0, 0xFF00, 0xF000, false, false},
      {and_, 1, 2, 0, true, false},
      {or_, 0xF0F0, 0xFF00, 0xFFF0, false, false},
      {xor_, 0xF0F0, 0xFF00, 0x0FF0, false, false},
      {xor_, 9, 9, 0, true, false},
  };
  for (const CommandSet* set : later)
    for (size_t engine = 0; engine < commands::engine_count; ++engine)
      for (const Case& c : cases) {
        Bench b(*set, commands::Engine(engine));
        const uint32_t gpr = registers::engine_bases[engine] + 0x600;
        ASSERT_RUNS(b.run(join({lri64(gpr, c.a), lri64(gpr + 8, c.b),
                                math({alu(load, srca, 0), alu(load, srcb, 1), alu(c.op), alu(store, 2, accu),
                                      alu(store, 3, zf), alu(store, 4, cf), alu(storeinv, 15, accu)}),
                                end()})));
        EXPECT_EQ(b.state.registers.gpr(2), c.result) << std::hex << c.op;
        EXPECT_EQ(b.state.registers.gpr(3), c.zero ? ~0ull : 0) << std::hex << c.op;
        EXPECT_EQ(b.state.registers.gpr(4), c.carry ? ~0ull : 0) << std::hex << c.op;
        EXPECT_EQ(b.state.registers.gpr(15), ~c.result);
      }
}

TEST(Mi, MI_MATH_Loads) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    ASSERT_RUNS(b.run(join(
        {lri64(0x2600, 0x1234),
         math({alu(loadinv, srca, 0), alu(load0, srcb), alu(or_), alu(store, 1, accu), alu(load1, srca), alu(add),
               alu(store, 2, accu), alu(0), alu(load, srca, 0), alu(load, srcb, 0), alu(add), alu(store, 3, accu)}),
         end()})));
    EXPECT_EQ(b.state.registers.gpr(1), ~0x1234ull);
    EXPECT_EQ(b.state.registers.gpr(2), ~0ull);
    EXPECT_EQ(b.state.registers.gpr(3), 0x2468u);
  }
}

TEST(Mi, MI_MATH_LongestProgram) {
  Bench b(commands_gen9);
  Dwords program;
  program.push_back(alu(load, srca, 0));
  program.push_back(alu(load1, srcb));
  while (program.size() < 254) program.push_back(alu(sub));
  program.push_back(alu(store, 1, accu));
  ASSERT_RUNS(b.run(join({lri64(0x2600, 4), math(program), end()})));
  EXPECT_EQ(b.state.registers.gpr(1), 5u);
}

TEST(Mi, MI_MATH_InvalidInstructionsAreFaults) {
  for (const uint32_t word : {alu(0x7FF), alu(load, srca, 0x16), alu(store, accu, 0), alu(load, 0x40, 0)}) {
    Bench b(commands_gen9);
    const auto fault = b.run(join({math({word}), end()}));
    ASSERT_TRUE(fault) << std::hex << word;
    EXPECT_EQ(fault->command, "MI_MATH");
    EXPECT_NE(fault->reason.find("invalid"), std::string::npos);
  }
}

// Operands of a MI_ATOMIC of 11 dwords, interleaved.
Dwords atomic(uint32_t opcode, uint32_t bits, uint64_t address, std::array<uint32_t, 4> a, std::array<uint32_t, 4> b) {
  return mi(0x2F, opcode << 8 | bits,
            {uint32_t(address), uint32_t(address >> 32), a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]});
}
constexpr uint32_t inline_data = 1 << 18, return_data = 1 << 16 | 1 << 17, post_sync = 1 << 21, qwords = 1 << 19,
                   octwords = 2 << 19;

struct Operation {
  uint32_t opcode;
  uint64_t (*result)(uint64_t m, uint64_t a, uint64_t b, unsigned bits);
};
int64_t signed_of(uint64_t v, unsigned bits) { return int64_t(v << (64 - bits)) >> (64 - bits); }
const Operation operations[] = {
    {1, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m & a; }},
    {2, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m | a; }},
    {3, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m ^ a; }},
    {4, [](uint64_t, uint64_t a, uint64_t, unsigned) { return a; }},
    {5, [](uint64_t m, uint64_t, uint64_t, unsigned) { return m + 1; }},
    {6, [](uint64_t m, uint64_t, uint64_t, unsigned) { return m - 1; }},
    {7, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m + a; }},
    {8, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m - a; }},
    {9, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return a - m; }},
    {10, [](uint64_t m, uint64_t a, uint64_t, unsigned n) { return signed_of(m, n) > signed_of(a, n) ? m : a; }},
    {11, [](uint64_t m, uint64_t a, uint64_t, unsigned n) { return signed_of(m, n) < signed_of(a, n) ? m : a; }},
    {12, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m > a ? m : a; }},
    {13, [](uint64_t m, uint64_t a, uint64_t, unsigned) { return m < a ? m : a; }},
    {14, [](uint64_t m, uint64_t a, uint64_t b, unsigned) { return m == a ? b : m; }},
    {15, [](uint64_t m, uint64_t, uint64_t, unsigned) { return m - 1; }},
};
struct Values {
  uint64_t m, a, b;
};
const Values values[] = {{5, 3, 9},
                         {3, 3, 9},
                         {0, 1, 2},
                         {0xFFFFFFFF, 1, 2},
                         {0x80000000, 0x7FFFFFFF, 2},
                         {0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 2},
                         {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x123456789}};

TEST(Mi, MI_ATOMIC_EveryOperationOnDwordsAndQwords) {
  for (const CommandSet* set : later)
    for (const Operation& op : operations)
      for (const Values& v : values)
        for (const bool wide : {false, true})
          for (const bool from_registers : {false, true}) {
            Bench b(*set);
            const unsigned bits = wide ? 64 : 32;
            const uint64_t mask = wide ? ~0ull : 0xFFFFFFFF;
            const uint64_t m = v.m & mask, a = v.a & mask, c = v.b & mask;
            b.qword_at(data) = wide ? m : m | 0xABCD000000000000;
            const uint32_t opcode = op.opcode + (wide ? 0x20 : 0), size = wide ? qwords : 0;
            if (from_registers) {
              ASSERT_RUNS(b.run(join({lri64(0x2600, v.a), lri64(0x2610, v.b),
                                      mi(0x2F, opcode << 8 | size | return_data, {uint32_t(data), 0}), end()})));
            } else {
              ASSERT_RUNS(b.run(
                  join({atomic(opcode, size | inline_data | return_data, data,
                               {uint32_t(v.a), uint32_t(v.a >> 32), 0, 0}, {uint32_t(v.b), uint32_t(v.b >> 32), 0, 0}),
                        end()})));
            }
            const uint64_t result = op.result(m, a, c, bits) & mask;
            EXPECT_EQ(b.qword_at(data), wide ? result : result | 0xABCD000000000000) << op.opcode << wide;
            EXPECT_EQ(b.state.registers.gpr(4), op.opcode == 15 ? result : m) << op.opcode << wide;
          }
}

TEST(Mi, MI_ATOMIC_OctwordCompareAndWrite) {
  for (const CommandSet* set : later)
    for (const bool equal : {false, true})
      for (const bool from_registers : {false, true}) {
        Bench b(*set);
        b.qword_at(data) = 0x2'0000'0001;
        b.qword_at(data + 8) = equal ? 0x4'0000'0003 : 0x5'0000'0003;
        const Dwords command =
            from_registers
                ? join({lri64(0x2600, 0x2'0000'0001), lri64(0x2608, 0x4'0000'0003), lri64(0x2610, 0x12'0000'0011),
                        lri64(0x2618, 0x14'0000'0013),
                        mi(0x2F, 0x4E << 8 | octwords | return_data, {uint32_t(data), 0})})
                : atomic(0x4E, octwords | inline_data | return_data, data, {1, 2, 3, 4}, {0x11, 0x12, 0x13, 0x14});
        ASSERT_RUNS(b.run(join({command, end()})));
        EXPECT_EQ(b.qword_at(data), equal ? 0x12'0000'0011u : 0x2'0000'0001u);
        EXPECT_EQ(b.qword_at(data + 8), equal ? 0x14'0000'0013u : 0x5'0000'0003u);
        EXPECT_EQ(b.state.registers.gpr(4), 0x2'0000'0001u);
        EXPECT_EQ(b.state.registers.gpr(5), equal ? 0x4'0000'0003u : 0x5'0000'0003u);
      }
}

TEST(Mi, MI_ATOMIC_ReturnsOnlyIfAsked) {
  Bench b(commands_gen9);
  b.at(data) = 5;
  ASSERT_RUNS(b.run(join({mi(0x2F, 5 << 8, {uint32_t(data), 0}), end()})));
  EXPECT_EQ(b.at(data), 6u);
  EXPECT_EQ(b.state.registers.gpr(4), 0u);
}

// The post-sync form has its operand in consecutive dwords.
TEST(Mi, MI_ATOMIC_PostSync) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const auto command = [](uint32_t opcode, uint32_t bits, uint32_t dw3, uint32_t dw4) {
      return mi(0x2F, opcode << 8 | bits | inline_data | post_sync, {uint32_t(data), 0, dw3, dw4, 0, 0, 0, 0, 0, 0});
    };
    b.qword_at(data) = 1;
    ASSERT_RUNS(b.run(join({command(0x27, qwords, 1, 2), end()})));  // add 8B
    EXPECT_EQ(b.qword_at(data), 0x2'0000'0002u);
    ASSERT_RUNS(b.run(join({command(0x07, 0, 3, 99), end()})));  // add 4B
    EXPECT_EQ(b.qword_at(data), 0x2'0000'0005u);
    ASSERT_RUNS(b.run(join({command(0x0E, 0, 5, 6), end()})));  // compare and write 4B
    EXPECT_EQ(b.qword_at(data), 0x2'0000'0006u);
    EXPECT_TRUE(b.run(join({command(0x2E, qwords, 5, 6), end()})));
  }
}

TEST(Mi, MI_ATOMIC_GlobalGtt) {
  for (const CommandSet* set : later) {
    Bench b(*set);
    const uint64_t there = Bench::ggtt_at + 0x8000;
    ASSERT_RUNS(b.run_privileged(join({mi(0x2F, 5 << 8 | global, {uint32_t(there), 0}), end()})));
    EXPECT_EQ(b.global_at(there), 1u);
    // In a user batch the bit does not count.
    ASSERT_RUNS(b.run(join({mi(0x2F, 5 << 8 | global, {uint32_t(data), 0}), end()})));
    EXPECT_EQ(b.at(data), 1u);
  }
}

TEST(Mi, MI_ATOMIC_ReservedOpcodesAreFaults) {
  for (const uint32_t opcode : {0x00u, 0x10u, 0x20u, 0x40u, 0x41u, 0x4Fu, 0x60u}) {
    Bench b(commands_gen8);
    const auto fault = b.run(join({mi(0x2F, opcode << 8, {uint32_t(data), 0}), end()}));
    ASSERT_TRUE(fault) << opcode;
    EXPECT_EQ(fault->command, "MI_ATOMIC");
  }
}

}  // namespace
}  // namespace vitro::streamer
