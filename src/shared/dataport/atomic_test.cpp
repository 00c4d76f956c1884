// Atomic messages on every generation that has them: every operation, with and without return, slots left out, two
// slots at one place, out of bounds, and between host threads. Named after the MSD of the document, where it has one;
// the digit counts operands as MDC_AOP1 to 3 do. Expected values come from a list of its own, by name of the operation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "shared/dataport/atomics.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint32_t slm = 254;
constexpr uint32_t returns = 1 << 13, simd8 = 1 << 12, qword = 1 << 12;

enum Op : uint32_t {
  cmpwr_2w,
  op_and,
  op_or,
  op_xor,
  mov,
  inc,
  dec,
  add,
  sub,
  revsub,
  imax,
  imin,
  umax,
  umin,
  cmpwr,
  predec
};

const std::vector<Op> unary{inc, dec, predec}, ternary{cmpwr},
    binary{op_and, op_or, op_xor, mov, add, sub, revsub, imax, imin, umax, umin};

// What is stored; what is returned is the old value, or for predec the new one.
uint64_t stored(Op op, uint64_t old, uint64_t a, uint64_t b, bool wide) {
  const auto sign = [&](uint64_t v) { return wide ? int64_t(v) : int64_t(int32_t(v)); };
  uint64_t v = 0;
  switch (op) {
    case op_and: v = old & a; break;
    case op_or: v = old | a; break;
    case op_xor: v = old ^ a; break;
    case mov: v = a; break;
    case inc: v = old + 1; break;
    case dec:
    case predec: v = old - 1; break;
    case add: v = old + a; break;
    case sub: v = old - a; break;
    case revsub: v = a - old; break;
    case imax: v = sign(old) >= sign(a) ? old : a; break;
    case imin: v = sign(old) <= sign(a) ? old : a; break;
    case umax: v = std::max(old, a); break;
    case umin: v = std::min(old, a); break;
    case cmpwr:
    case cmpwr_2w: v = old == a ? b : old; break;
  }
  return wide ? v : uint32_t(v);
}
unsigned operands_of(Op op) {
  const auto in = [&](const std::vector<Op>& list) { return std::find(list.begin(), list.end(), op) != list.end(); };
  return in(unary) ? 0 : in(binary) ? 1 : 2;
}

// One kind of message.
struct Kind {
  uint32_t desc = 0;     // without operation and return
  bool a64 = false;      // addresses of 64 bits
  bool wide = false;     // qwords
  unsigned slots = 8;    // 2: SIMD4x2
  bool counter = false;  // no addresses
  bool local = false;
};

constexpr uint32_t surface_at = 0x400, counter_page = 0x2000;
const std::array<uint64_t, 4> interesting{0x8000'0000'8000'0000, 0x7FFF'FFFF'7FFF'FFFF, 0xFFFF'FFFF'FFFF'FFFF, 5};

// Memory as the message sees it.
struct Memory {
  Bench& b;
  const Kind& k;
  std::byte* at(unsigned place) {
    if (k.counter) return b.host.data() + counter_page;
    if (k.local) return b.slm.data() + place * 8;
    return b.host.data() + surface_at + place * 8;
  }
  uint64_t get(unsigned place, bool wide) {
    uint64_t v = 0;
    std::memcpy(&v, at(place), wide ? 8 : 4);
    return v;
  }
  void set(unsigned place, uint64_t v) { std::memcpy(at(place), &v, k.counter ? 4 : 8); }
};

void check(Bench& b, const Kind& k, Op op, bool answers) {
  SCOPED_TRACE(testing::Message() << "op " << op << ", slots " << k.slots << ", returns " << answers);
  const bool wide = k.wide || op == cmpwr_2w, pair = k.slots == 2;
  state::Surface s = b.buffer(surface_at, 0x1000);
  s.aux_mode = state::AuxMode::append;
  s.aux_base = home + counter_page;
  b.bind(1, s);
  b.environment.bases.general.address = home;
  Memory m{b, k};
  for (unsigned round = 0; round < interesting.size(); ++round) {
    // slot i works at place i, but the last two share one; slot 1 is left out
    std::vector<unsigned> place;
    for (unsigned i = 0; i < k.slots; ++i) place.push_back(k.counter ? 0 : i + 1 == k.slots && !pair ? i - 1 : i);
    std::vector<uint64_t> a, c;
    for (unsigned i = 0; i < k.slots; ++i) {
      m.set(i, interesting[(i + round) % 4] + i / 4);
      a.push_back(op == cmpwr || op == cmpwr_2w ? (i % 2 ? 12345 : interesting[(i + round) % 4] + i / 4)
                                                : interesting[(i * 3 + 1) % 4] - i);
      c.push_back(uint64_t{0x1111'2222'3333'4444} * (i + 1));
      if (!wide) a[i] = uint32_t(a[i]), c[i] = uint32_t(c[i]);
    }
    const uint32_t enabled = pair ? 0b10 : uint32_t(ones(int(k.slots))) & ~2u;
    b.channels = pair ? 0xF0 : enabled;
    b.exec_size = pair ? 8 : k.slots;

    // --- expectations
    std::vector<uint64_t> expected(k.slots), results(k.slots);
    for (unsigned i = 0; i < k.slots; ++i) expected[i] = m.get(i, wide);
    for (unsigned i = 0; i < k.slots; ++i) {
      if (!(enabled >> i & 1)) continue;
      uint64_t& v = expected[place[i]];
      const uint64_t next = stored(op, v, a[i], c[i], wide);
      results[i] = op == predec ? next : v;
      v = next;
      if (k.counter) std::fill(expected.begin(), expected.end(), v);
    }

    // --- payload
    Payload p;
    const uint32_t base = k.local               ? 0x1000'0000  // IGC's mark of pointers to local memory
                          : k.desc % 256 == 255 ? surface_at
                                                : 0;
    if (k.counter) {
      p.header({0, 0, 0, 0, 0, 0, 0, 0xFFFF});
    } else if (k.a64) {
      std::vector<uint64_t> at;
      for (unsigned i = 0; i < k.slots; ++i) {
        at.push_back(home + surface_at + place[i] * 8);
        if (pair) at.push_back(0);
      }
      p.qwords(at);
    } else {
      std::vector<uint32_t> at;
      for (unsigned i = 0; i < k.slots; ++i) {
        at.push_back(base + place[i] * 8);
        if (pair) at.insert(at.end(), 3, 0xBAD);
      }
      p.dwords(at);
    }
    const unsigned operands = operands_of(op);
    if (pair && operands) {
      std::vector<uint32_t> v(8);
      for (unsigned i = 0; i < 2; ++i) {
        v[4 * i] = uint32_t(a[i]);
        v[4 * i + 1] = uint32_t(wide ? a[i] >> 32 : c[i]);
        if (wide) v[4 * i + 2] = uint32_t(c[i]), v[4 * i + 3] = uint32_t(c[i] >> 32);
      }
      p.dwords(v);
    } else if (!pair) {
      for (unsigned n = 0; n < operands; ++n) {
        const std::vector<uint64_t>& from = n ? c : a;
        if (k.wide) {
          p.qwords(from);
          continue;
        }
        std::vector<uint32_t> low, high;
        for (uint64_t v : from) low.push_back(uint32_t(v)), high.push_back(uint32_t(v >> 32));
        p.dwords(low);
        if (wide) p.dwords(high);
      }
    }

    // --- and what comes of it
    const unsigned rlen = !answers ? 0 : pair ? 1 : k.slots / 8 * (wide ? 2 : 1);
    b.ok(dc1, k.desc | op << 8 | (answers ? returns : 0) | (k.counter ? header_present : 0), p, rlen);
    for (unsigned i = 0; i < k.slots; ++i) {
      EXPECT_EQ(m.get(i, wide), expected[i]) << "place " << i;
      if (!answers) continue;
      uint64_t got;
      if (pair)
        got = wide ? b.out_qword(2 * i) : b.out(0, 4 * i);
      else if (k.wide)
        got = b.out_qword(i);
      else
        got = wide ? uint64_t(b.out(k.slots / 8, i)) << 32 | b.out(0, i) : b.out(0, i);
      const uint64_t nothing = wide ? uint64_t{untouched} << 32 | untouched : untouched;
      EXPECT_EQ(got, enabled >> i & 1 ? results[i] : nothing) << "slot " << i;
    }
  }
}

void all(const Kind& k, const std::vector<Op>& ops, bool answers, const std::vector<const DataPortLayout*>& layouts) {
  for (const DataPortLayout* l : layouts) {
    Bench b(*l);
    for (Op op : ops) check(b, k, op, answers);
  }
}
const std::vector<const DataPortLayout*> both{&dataport_gen8, &dataport_gen9};

std::vector<Op> with_2w(std::vector<Op> ops) {
  ops.push_back(cmpwr_2w);
  return ops;
}

// --- surfaces, stateless and shared local memory

void untyped(const std::vector<Op>& ops, bool answers) {
  for (uint32_t bti : {1u, 255u, slm})
    for (unsigned slots : {8u, 16u})
      all({.desc = type5(2) | (slots == 8 ? simd8 : 0) | bti, .slots = slots, .local = bti == slm}, ops, answers, both);
}
void untyped_pair(const std::vector<Op>& ops, bool answers) {
  for (uint32_t bti : {1u, 255u, slm})
    all({.desc = type5(3) | bti, .slots = 2, .local = bti == slm}, ops, answers, both);
}
TEST(DataPort, MSD1R_DWAI1) { untyped(unary, true); }
TEST(DataPort, MSD1W_DWAI1) { untyped(unary, false); }
TEST(DataPort, MSD1R_DWAI2) { untyped(binary, true); }
TEST(DataPort, MSD1W_DWAI2) { untyped(binary, false); }
TEST(DataPort, MSD1R_DWAI3) { untyped(with_2w(ternary), true); }
TEST(DataPort, MSD1W_DWAI3) { untyped(with_2w(ternary), false); }
TEST(DataPort, MSD1R_DWAI1_4x2) { untyped_pair(unary, true); }
TEST(DataPort, MSD1W_DWAI1_4x2) { untyped_pair(unary, false); }
TEST(DataPort, MSD1R_DWAI2_4x2) { untyped_pair(binary, true); }
TEST(DataPort, MSD1W_DWAI2_4x2) { untyped_pair(binary, false); }
TEST(DataPort, MSD1R_DWAI3_4x2) { untyped_pair(with_2w(ternary), true); }
TEST(DataPort, MSD1W_DWAI3_4x2) { untyped_pair(with_2w(ternary), false); }

// --- append counters

void counters(const std::vector<Op>& ops, bool answers) {
  for (unsigned slots : {8u, 16u})
    all({.desc = type5(0xB) | (slots == 8 ? simd8 : 0) | 1, .slots = slots, .counter = true}, ops, answers, both);
}
void counter_pair(const std::vector<Op>& ops, bool answers) {
  all({.desc = type5(0xC) | 1, .slots = 2, .counter = true}, ops, answers, both);
}
TEST(DataPort, MSD1R_DWAC1) { counters(unary, true); }
TEST(DataPort, MSD1W_DWAC1) { counters(unary, false); }
TEST(DataPort, MSD1R_DWAC2) { counters(binary, true); }
TEST(DataPort, MSD1W_DWAC2) { counters(binary, false); }
TEST(DataPort, MSD1R_DWAC1_4x2) { counter_pair(unary, true); }
TEST(DataPort, MSD1W_DWAC1_4x2) { counter_pair(unary, false); }
TEST(DataPort, MSD1R_DWAC2_4x2) { counter_pair(binary, true); }
TEST(DataPort, MSD1W_DWAC2_4x2) { counter_pair(binary, false); }

TEST(DataPort, CountersNeedAnAppendSurface) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0, 64);
    const Bench before(b.layout);
    b.ok(dc1, type5(0xB) | simd8 | inc << 8 | returns | header_present | 1,
         Payload{}.header({0, 0, 0, 0, 0, 0, 0, 0xFFFF}), 1);
    EXPECT_EQ(b.out(0, 3), 0u);
    EXPECT_EQ(b.get(0), before.get(0));
    EXPECT_EQ(b.send(dc1, type5(0xB) | simd8 | cmpwr << 8 | header_present | 1,
                     Payload{}.header({}).dwords(std::vector<uint32_t>(16))),
              eu::Reply::unsupported);
  });
}

// --- 64-bit addresses

void a64(const std::vector<Op>& ops, bool answers, bool wide, bool pair) {
  all({.desc = type5(pair ? 0x13 : 0x12) | (wide ? qword : 0) | 255,
       .a64 = true,
       .wide = wide,
       .slots = pair ? 2u : 8u},
      ops, answers, both);
}
TEST(DataPort, MSD1R_A64_DWAI1) { a64(unary, true, false, false); }
TEST(DataPort, MSD1W_A64_DWAI1) { a64(unary, false, false, false); }
TEST(DataPort, MSD1R_A64_DWAI2) { a64(binary, true, false, false); }
TEST(DataPort, MSD1W_A64_DWAI2) { a64(binary, false, false, false); }
TEST(DataPort, MSD1R_A64_DWAI3) { a64(with_2w(ternary), true, false, false); }
TEST(DataPort, MSD1W_A64_DWAI3) { a64(with_2w(ternary), false, false, false); }
TEST(DataPort, MSD1R_A64_QWAI1) { a64(unary, true, true, false); }
TEST(DataPort, MSD1W_A64_QWAI1) { a64(unary, false, true, false); }
TEST(DataPort, MSD1R_A64_QWAI2) { a64(binary, true, true, false); }
TEST(DataPort, MSD1W_A64_QWAI2) { a64(binary, false, true, false); }
TEST(DataPort, MSD1R_A64_QWAI3) { a64(ternary, true, true, false); }
TEST(DataPort, MSD1W_A64_QWAI3) { a64(ternary, false, true, false); }
TEST(DataPort, MSD1R_A64_DWAI1_4x2) { a64(unary, true, false, true); }
TEST(DataPort, MSD1W_A64_DWAI1_4x2) { a64(unary, false, false, true); }
TEST(DataPort, MSD1R_A64_DWAI2_4x2) { a64(binary, true, false, true); }
TEST(DataPort, MSD1W_A64_DWAI2_4x2) { a64(binary, false, false, true); }
TEST(DataPort, MSD1R_A64_DWAI3_4x2) { a64(ternary, true, false, true); }
TEST(DataPort, MSD1W_A64_DWAI3_4x2) { a64(ternary, false, false, true); }
TEST(DataPort, MSD1R_A64_QWAI1_4x2) { a64(unary, true, true, true); }
TEST(DataPort, MSD1W_A64_QWAI1_4x2) { a64(unary, false, true, true); }
TEST(DataPort, MSD1R_A64_QWAI2_4x2) { a64(binary, true, true, true); }
TEST(DataPort, MSD1W_A64_QWAI2_4x2) { a64(binary, false, true, true); }
TEST(DataPort, MSD1R_A64_QWAI3_4x2) { a64(ternary, true, true, true); }
TEST(DataPort, MSD1W_A64_QWAI3_4x2) { a64(ternary, false, true, true); }

TEST(DataPort, CompareAndWriteOfTwoWordsIsNotEverywhere) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t desc : {type5(0x12) | qword, type5(0x13), type5(0x13) | qword}) {
      EXPECT_EQ(b.send(dc1, desc | cmpwr_2w << 8 | 255, Payload{}.dwords(std::vector<uint32_t>(80))),
                eu::Reply::unsupported);
      EXPECT_NE(b.reason.find("reserved atomic op"), std::string::npos) << b.reason;
    }
  });
}

// As compilers emit them.
TEST(DataPort, AtomicDescriptorsOfCompilers) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (unsigned i = 0; i < 3; ++i) b.ok(dc1, 0x040085FE, Payload{}.dwords(std::vector<uint32_t>(16, 0x20)));
    EXPECT_EQ(b.local(0x20), 48u);  // SLM INC SIMD16
    std::vector<uint32_t> at(16, 0x20), compare(16, 48), value(16, 7);
    b.ok(dc1, 0x0C20AEFE, Payload{}.dwords(at).dwords(compare).dwords(value), 2);  // SLM CMPWR SIMD16
    EXPECT_EQ(b.local(0x20), 7u);
    EXPECT_EQ(b.out(0, 0), 48u);  // the first slot wins
    EXPECT_EQ(b.out(1, 7), 7u);
    b.set(0x80, 99u);
    b.exec_size = 8, b.channels = 1;
    const Payload p = Payload{}.qwords(std::vector<uint64_t>(8, home + 0x80)).dwords({99}).dwords({1000});
    b.ok(dc1, 0x0414AEFF, p, 1, 2);  // A64 CMPWR, split
    EXPECT_EQ(b.get(0x80), 1000u);
    EXPECT_EQ(b.out(0, 0), 99u);
    b.ok(dc1, 0x0814AEFF, p, 1);
    EXPECT_EQ(b.out(0, 0), 1000u);
  });
}

// --- floats

constexpr uint32_t fmax_op = 1, fmin_op = 2, fcmpwr_op = 3;
uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

void floats(uint32_t desc, bool a64, bool pair) {
  on({&dataport_gen9}, [&](Bench& b) {
    b.bind_buffer(1, surface_at, 0x1000);
    b.exec_size = 8, b.channels = 0xFF;
    const float nan = std::numeric_limits<float>::quiet_NaN(), loud = std::bit_cast<float>(0x7F800001);
    struct Case {
      uint32_t op;
      float old, a, b, expected;
    };
    const Case cases[] = {{fmax_op, 1, 2, 0, 2},        {fmax_op, -1, -2, 0, -1},     {fmax_op, nan, 3, 0, 3},
                          {fmax_op, 3, nan, 0, 3},      {fmin_op, 1, 2, 0, 1},        {fmin_op, -1, -2, 0, -2},
                          {fmin_op, nan, 3, 0, 3},      {fmin_op, 3, nan, 0, 3},      {fcmpwr_op, 1, 1, 5, 5},
                          {fcmpwr_op, 1, 2, 5, 1},      {fcmpwr_op, 0.f, -0.f, 5, 5}, {fmax_op, -INFINITY, -8, 0, -8},
                          {fmax_op, 3, loud, 0, loud},  {fmax_op, loud, 3, 0, loud},  {fmin_op, nan, loud, 0, loud},
                          {fmin_op, loud, nan, 0, loud}};
    for (const Case& t : cases) {
      SCOPED_TRACE(testing::Message() << t.op << ' ' << t.old << ' ' << t.a);
      const unsigned slots = pair ? 2 : 8;
      Payload p;
      std::vector<uint64_t> wide;
      std::vector<uint32_t> narrow;
      for (unsigned i = 0; i < slots; ++i) {
        b.set(surface_at + i * 4, t.old);
        wide.push_back(home + surface_at + i * 4), narrow.push_back(i * 4);
        if (pair) wide.push_back(0), narrow.insert(narrow.end(), 3, 0);
      }
      a64 ? p.qwords(wide) : p.dwords(narrow);
      if (pair)
        p.dwords({bits(t.a), bits(t.b), 0, 0, bits(t.a), bits(t.b), 0, 0});
      else
        p.dwords(std::vector<uint32_t>(8, bits(t.a))).dwords(std::vector<uint32_t>(8, bits(t.b)));
      b.ok(dc1, desc | t.op << 8 | returns, p, 1);
      for (unsigned i = 0; i < slots; ++i) {
        EXPECT_EQ(b.get<uint32_t>(surface_at + i * 4), bits(t.expected));
        EXPECT_EQ(b.out(0, pair ? 4 * i : i), bits(t.old));
      }
    }
    EXPECT_EQ(b.send(dc1, desc | 4 << 8, Payload{}.dwords(std::vector<uint32_t>(64))), eu::Reply::unsupported);
  });
}
TEST(DataPort, UntypedFloatAtomic) { floats(type5(0x1B) | simd8 | 1, false, false); }
TEST(DataPort, UntypedFloatAtomic_4x2) { floats(type5(0x1C) | 1, false, true); }
TEST(DataPort, A64FloatAtomic) { floats(type5(0x1D) | 255, true, false); }
TEST(DataPort, A64FloatAtomic_4x2) { floats(type5(0x1E) | 255, true, true); }

// --- bounds, odd places, host threads

TEST(DataPort, AtomicsOutOfBoundsReturnZero) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0x100, 18);  // four whole dwords
    const Bench before(b.layout);
    b.exec_size = 8, b.channels = 0xFF;
    b.ok(dc1, type5(2) | simd8 | inc << 8 | returns | 1, Payload{}.dwords({0, 4, 8, 12, 16, 20, 0x80000000, 3}), 1);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(b.out(0, i), before.get(0x100 + 4 * i));
    for (unsigned i = 4; i < 7; ++i) EXPECT_EQ(b.out(0, i), 0u);
    EXPECT_EQ(b.out(0, 7), before.get(0x100) + 1);  // the low bits do not count
    EXPECT_EQ(b.get(0x100), before.get(0x100) + 2);
    EXPECT_EQ(b.get(0x110), before.get(0x110));
    b.ok(dc1, type5(2) | simd8 | predec << 8 | returns | 1, Payload{}.dwords({16, 16, 16, 16, 16, 16, 16, 16}), 1);
    EXPECT_EQ(b.out(0, 0), 0u);
  });
}
TEST(DataPort, AtomicsAtUnalignedHostMemory) {
  on({&dataport_gen9}, [](Bench& b) {
    const memory::Range odd{0x900000, 4096, b.host.data() + 1};
    b.space.bind({&odd, 1});
    *b.view = memory::View(b.space.table());
    b.set(1, 41u);
    b.exec_size = 8, b.channels = 3;
    b.ok(dc1, type5(0x12) | inc << 8 | returns | 255, Payload{}.qwords(std::vector<uint64_t>(8, 0x900000)), 1);
    EXPECT_EQ(b.get(1), 43u);
    EXPECT_EQ(b.out(0, 1), 42u);
    // nothing is mapped: counted, and zero
    b.ok(dc1, type5(0x12) | inc << 8 | returns | 255, Payload{}.qwords(std::vector<uint64_t>(8, 0xA00000)), 1);
    EXPECT_EQ(b.out(0, 0), 0u);
    EXPECT_EQ(b.view->misses().reads, 2u);
  });
}
TEST(DataPort, AtomicsOfHostThreads) {
  Bench b(dataport_gen9);
  b.set(0x40, 0u), b.set(0x48, uint64_t{0});
  const auto work = [&] {
    memory::View view(b.space.table());
    Environment e = b.environment;
    e.memory = &view;
    DataPort port(dataport_gen9, e);
    const Payload p = Payload{}.qwords(std::vector<uint64_t>(8, home + 0x40)).dwords(std::vector<uint32_t>(8, 3));
    const Payload q =
        Payload{}.qwords(std::vector<uint64_t>(8, home + 0x48)).qwords(std::vector<uint64_t>(8, 1ull << 32));
    std::string reason;
    for (int n = 0; n < 2000; ++n)
      for (const auto& [payload, desc] :
           {std::pair(&p, type5(0x12) | add << 8), {&q, type5(0x12) | qword | add << 8}}) {
        eu::Message m;
        m.desc = desc | 255, m.channels = 0xFF;
        m.payload = std::as_bytes(std::span(payload->dw));
        if (carry_out(port, dc1, m, reason) != eu::Reply::done) return;
      }
  };
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < 4; ++n) threads.emplace_back(work);
  }
  EXPECT_EQ(b.get(0x40), 4u * 2000 * 8 * 3);
  EXPECT_EQ(b.get<uint64_t>(0x48), uint64_t{4} * 2000 * 8 << 32);
}
TEST(DataPort, AtomicOperationsForTypedMessages) {
  alignas(4) std::array<std::byte, 4> place{};
  for (uint32_t op = 1; op < 16; ++op) {
    const uint32_t old = 0x80000005, a = op == cmpwr ? old : 17, c = 99;
    std::memcpy(place.data(), &old, 4);
    const uint32_t result = atomic_dword(AtomicOp(op), place.data(), a, c);
    uint32_t now;
    std::memcpy(&now, place.data(), 4);
    EXPECT_EQ(now, stored(Op(op), old, a, c, false)) << op;
    EXPECT_EQ(result, op == predec ? now : old) << op;
    EXPECT_EQ(isa::atomic_operands[op], operands_of(Op(op))) << op;
  }
}

}  // namespace
}  // namespace vitro::shared::test
