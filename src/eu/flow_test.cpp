// Flow control by instruction and worked example, on every generation that has it: I-if .. I-fork of chapter 8, Gen8's
// brd, brc, goto and join, T36, T37, T40 (with JIP and UIP in place of mask stacks), single program flow, calls with
// CallMask. Random programs have a test of their own.
#include <fmt/format.h>

#include <cmath>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

using Dwords = std::vector<int32_t>;
const isa::Model* const generations[] = {&gen::gen6(), &gen::gen8(), &gen::gen9()};
const isa::Model* const later[] = {&gen::gen8(), &gen::gen9()};

// A thread of eight channels whose r2 holds the channel's number. {U:x} in a program is a UIP that only Gen8 has;
// {B:x|y} is where break goes: past the loop on Gen6, to its while later.
struct Flow : Bench {
  explicit Flow(const isa::Model& m, uint32_t channels = 0xFF) : Bench(m, channels) {
    fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
  }
  Flow& go(std::string text, uint64_t budget = 10000) {
    const bool old = model.mrf_count != 0;
    for (size_t at; (at = text.find('{')) != std::string::npos && text.compare(at, 2, "{A") != 0;) {
      const size_t end = text.find('}', at), bar = text.find('|', at);
      const std::string inner = text.substr(at + 3, end - at - 3);
      std::string with;
      if (text[at + 1] == 'U')
        with = old ? "" : inner;
      else
        with = old ? text.substr(at + 3, bar - at - 3) : text.substr(bar + 1, end - bar - 1);
      text.replace(at, end - at + 1, with);
    }
    run(text, budget);
    EXPECT_EQ(status, Status::ended) << model.name << ": " << (fault ? fault->reason : "") << "\n" << text;
    EXPECT_EQ(thread.active, thread.dispatched) << model.name << ": all channels come back";
    return *this;
  }
};

const std::string set_r3 = "mov (8|M0) r3.0<1>:d ";
std::string below(int n, const char* flag = "f0.0") {
  return fmt::format("cmp (8|M0) (lt){} null<1>:d r2.0<8;8,1>:d {}:w\n", flag, n);
}

TEST(Flow, T36_I_if_WithoutElse) {
  for (const isa::Model* m : generations)
    for (int n : {0, 3, 8}) {
      Flow b(*m);
      b.go(below(n) + "(f0.0) if (8|M0) END {U:END}\n" + set_r3 + "1:w\nEND: endif (8|M0) NEXT\nNEXT: nop");
      for (int c = 0; c < 8; ++c) EXPECT_EQ(b.get<int32_t>(3, c), c < n) << m->name << " " << n;
    }
}

// All true and all false: the thread jumps over the part nobody wants.
TEST(Flow, T36_I_if_I_else_SkipsWhatNobodyRuns) {
  for (const isa::Model* m : generations)
    for (int n : {0, 5, 8}) {
      Flow b(*m);
      b.go(below(n) +
           "(f0.0) if (8|M0) OTHER {U:END}\n"
           "(W) add (1|M0) r4.0<1>:d r4.0<0;1,0>:d 1:w\n" +
           set_r3 +
           "1:w\n"
           "else (8|M0) END {U:END}\n"
           "OTHER: (W) add (1|M0) r4.1<1>:d r4.1<0;1,0>:d 1:w\n" +
           set_r3 +
           "2:w\n"
           "END: endif (8|M0) NEXT\nNEXT: nop");
      EXPECT_EQ(b.get<int32_t>(4, 0), n != 0) << m->name << " " << n;
      EXPECT_EQ(b.get<int32_t>(4, 1), n != 8) << m->name << " " << n;
      for (int c = 0; c < 8; ++c) EXPECT_EQ(b.get<int32_t>(3, c), c < n ? 1 : 2);
    }
}

TEST(Flow, T37_Cascade) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.fill<int32_t>(5, {1, 4, 1, 4, 1, 4, 1, 4});
    b.fill<int32_t>(4, {4, 4, 4, 4, 4, 4, 4, 4});
    b.fill<int32_t>(6, {9, 9, 0, 0, 9, 9, 0, 0});
    b.fill<int32_t>(7, {5, 5, 5, 5, 5, 5, 5, 5});
    b.go(
        "cmp (8|M0) (eq)f0.0 null<1>:d r5.0<8;8,1>:d r4.0<8;8,1>:d\n"
        "(f0.0) if (8|M0) ELSE1 {U:HERE_2}\n" +
        set_r3 +
        "1:w\n"
        "else (8|M0) HERE_2 {U:HERE_2}\n"
        "ELSE1: cmp (8|M0) (gt)f0.0 null<1>:d r6.0<8;8,1>:d r7.0<8;8,1>:d\n"
        "(f0.0) if (8|M0) ELSE2 {U:HERE_4}\n" +
        set_r3 +
        "2:w\n"
        "else (8|M0) HERE_4 {U:HERE_4}\n"
        "ELSE2: " +
        set_r3 +
        "3:w\n"
        "HERE_4: endif (8|M0) HERE_2\n"
        "HERE_2: endif (8|M0) NEXT\nNEXT: nop");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{2, 1, 3, 1, 2, 1, 3, 1})) << m->name;
  }
}

// Gen6: if, while and case compare by themselves, and leave the flag alone.
TEST(Flow, I_if_I_while_I_case_CompareInside) {
  Flow b(gen::gen6());
  b.thread.flag[0] = 0xA5A5;
  b.go("if (8|M0) (ge)f0.0 r2.0<8;8,1>:d 5:w END\n" + set_r3 +
       "50:w\n"
       "END: endif (8|M0) LOOP\n"
       "LOOP: add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
       "while (8|M0) (lt)f0.0 r4.0<8;8,1>:d r2.0<8;8,1>:d LOOP\n"
       "case (8|M0) (eq)f0.0 r2.0<8;8,1>:d 6:w OUT\n"
       "mov (8|M0) r5.0<1>:d 1:w\n"
       "OUT: mov (8|M0) r6.0<1>:d 1:w");
  EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{0, 0, 0, 0, 0, 50, 50, 50}));
  EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{1, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(b.lanes<int32_t>(5, 8), (Dwords{0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(b.lanes<int32_t>(6, 8), (Dwords(8, 1)));
  EXPECT_EQ(b.thread.flag[0], 0xA5A5u);
  Flow f(gen::gen6());
  f.fill<float>(2, {-1, 0, 1, 2, NAN, 3, -0.0f, 8});
  f.go("if (8|M0) (gt)f0.0 r2.0<8;8,1>:f 0x0:f END\n" + set_r3 + "1:w\nEND: endif (8|M0) NEXT\nNEXT: nop");
  EXPECT_EQ(f.lanes<int32_t>(3, 8), (Dwords{0, 0, 1, 1, 0, 1, 0, 1}));
}

// T40: a loop that every channel leaves by itself.
TEST(Flow, T40_I_while_I_break_WhileTrue) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go(
        "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (gt)f0.0 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.0) break (8|M0) END {B:OUT|END}\n"
        "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 10:w\n"
        "END: while (8|M0) LOOP\n"
        "OUT: add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 2, 3, 4, 5, 6, 7, 8})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{1, 11, 21, 31, 41, 51, 61, 71}));
  }
}

// T40: break out of three ifs at once, and continue from inside one.
TEST(Flow, T40_I_break_I_cont_InsideIfs) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go(
        "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d 20:w\n" +
        below(6, "f0.1") +
        "(f0.1) if (8|M0) ELSE1 {U:END1}\n"
        "cmp (8|M0) (gt)f0.1 null<1>:d r3.0<8;8,1>:d 1:w\n"
        "(f0.1) if (8|M0) END2 {U:END2}\n"
        "cmp (8|M0) (gt)f0.1 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.1) if (8|M0) END3 {U:END3}\n"
        "break (8|M0) END3 {B:OUT|WHILE}\n"
        "END3: endif (8|M0) END2\n"
        "cont (8|M0) END2 WHILE\n"
        "END2: endif (8|M0) ELSE_1\n"
        "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
        "ELSE_1: else (8|M0) END1 {U:END1}\n"
        "ELSE1: add (8|M0) r5.0<1>:d r5.0<8;8,1>:d 1:w\n"
        "END1: endif (8|M0) WHILE\n"
        "add (8|M0) r6.0<1>:d r6.0<8;8,1>:d 1:w\n"
        "WHILE: (f0.0) while (8|M0) LOOP\n"
        "OUT: nop");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{2, 2, 3, 4, 5, 6, 20, 20})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{1, 1, 1, 1, 1, 1, 0, 0}));
    EXPECT_EQ(b.lanes<int32_t>(5, 8), (Dwords{0, 0, 0, 0, 0, 0, 20, 20}));
    EXPECT_EQ(b.lanes<int32_t>(6, 8), (Dwords{1, 1, 1, 1, 1, 1, 20, 20}));
  }
}

// The while of an outer loop directly after that of an inner one: break from the inner loop goes on in the outer.
TEST(Flow, I_break_BetweenTwoWhiles) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go(
        "OUTER: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "mov (8|M0) r4.0<1>:d 0:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d 3:w\n"
        "INNER: add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
        "add (8|M0) r5.0<1>:d r5.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (ge)f0.1 null<1>:d r4.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.1) break (8|M0) END {B:END2|END}\n"
        "END: while (8|M0) INNER\n"
        "END2: (f0.0) while (8|M0) OUTER\n");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords(8, 3))) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(5, 8), (Dwords{3, 3, 6, 9, 12, 15, 18, 21}));
  }
}

TEST(Flow, I_halt_FromInsideALoop) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go(
        "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (eq)f0.0 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.0) if (8|M0) ENDIF {U:ENDIF}\n"
        "halt (8|M0) ENDIF END\n"
        "ENDIF: endif (8|M0) WHILE\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d 4:w\n"
        "WHILE: (f0.0) while (8|M0) LOOP\n"
        "mov (8|M0) r4.0<1>:d 1:w\n"
        "END: halt (8|M0) LAST LAST\n"
        "LAST: mov (8|M0) r5.0<1>:d 1:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{4, 1, 2, 3, 4, 4, 4, 4})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{1, 0, 0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(b.lanes<int32_t>(5, 8), (Dwords(8, 1)));
  }
}

// Without BranchCtrl the channels the predicate names go on and the others wait at UIP; with it they jump.
TEST(Flow, I_goto_I_join) {
  for (const isa::Model* m : later) {
    Flow b(*m);
    b.go(below(3) +
         "(f0.0) goto (8|M0) FAR FAR\n"
         "mov (8|M0) r3.0<1>:d 1:w\n"
         "FAR: join (8|M0) NEXT\n"
         "NEXT: mov (8|M0) r4.0<1>:d 1:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 1, 1, 0, 0, 0, 0, 0})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 1)));

    Flow loop(*m);
    loop.go(
        "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.0) goto.b (8|M0) OUT LOOP\n"
        "OUT: join (8|M0) NEXT\n"
        "NEXT: mov (8|M0) r4.0<1>:d 1:w");
    EXPECT_EQ(loop.lanes<int32_t>(3, 8), (Dwords{1, 1, 2, 3, 4, 5, 6, 7})) << m->name;
    EXPECT_EQ(loop.lanes<int32_t>(4, 8), (Dwords(8, 1)));
  }
}

// brd sends channels ahead and leaves the others behind; brc collects them, and jumps when all have branched.
TEST(Flow, I_brd_I_brc) {
  for (const isa::Model* m : later)
    for (bool by_register : {false, true})
      for (int n : {0, 3, 8}) {
        Flow b(*m);
        b.fill<int32_t>(9, {0, 48});             // FAR from the brd
        b.fill<int32_t>(10, {64, 64, -48, 32});  // END, END from the first brc; NEAR, END from the second
        b.go(below(n) + (by_register ? "(f0.0) brd (8|M0) r9.1\n" : "(f0.0) brd (8|M0) FAR\n") +
             "NEAR: mov (8|M0) r3.0<1>:d 1:w\n" + (by_register ? "brc (8|M0) r10.0 null\n" : "brc (8|M0) END END\n") +
             "FAR: mov (8|M0) r3.0<1>:d 2:w\n" + (by_register ? "brc (8|M0) r10.2 null\n" : "brc (8|M0) NEAR END\n") +
             "nop\nEND: mov (8|M0) r4.0<1>:d 1:w");
        for (int c = 0; c < 8; ++c) EXPECT_EQ(b.get<int32_t>(3, c), c < n ? 2 : 1) << m->name << " " << n;
        EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 1)));
      }
}

TEST(Flow, I_brd_Backwards) {
  for (const isa::Model* m : later) {
    Flow b(*m);
    b.go(
        "LOOP: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d r2.0<8;8,1>:d\n"
        "(f0.0) brd (8|M0) LOOP\n"
        "mov (8|M0) r4.0<1>:d 1:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 1, 2, 3, 4, 5, 6, 7})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 1)));
  }
}

// jmpi moves the whole thread, whatever its channels do; its predicate is that of channel 0.
TEST(Flow, I_jmpi_PredicateOfChannelZero) {
  for (const isa::Model* m : generations)
    for (bool inverted : {false, true})
      for (uint32_t flag : {0u, 1u, 0xFEu, 0xFFu}) {
        Flow b(*m, 0xF0);
        b.thread.flag[0] = flag;
        b.go(fmt::format("(W&{}f0.0) jmpi OVER\n(W) mov (8|M0) r3.0<1>:d 1:w\nOVER: nop", inverted ? "~" : ""));
        EXPECT_EQ(b.get<int32_t>(3, 0), bool(flag & 1) == inverted) << m->name << " " << flag;
      }
}

// The distance counts from the next instruction: 0 goes there, and -1 instruction is the jump itself.
TEST(Flow, I_jmpi_DistancesInRegisters) {
  for (const isa::Model* m : generations) {
    const int one = 16 / m->jump_unit;
    Flow b(*m);
    b.fill<int32_t>(9, {0, one, -5 * one});
    b.go(
        "(W) jmpi r9.0<0;1,0>:d\n"
        "(W) add (1|M0) r3.0<1>:d r3.0<0;1,0>:d 1:w\n"
        "(W) jmpi r9.1<0;1,0>:d\n"
        "(W) add (1|M0) r3.1<1>:d r3.1<0;1,0>:d 1:w\n"
        "(W) cmp (1|M0) (lt)f0.0 null<1>:d r3.0<0;1,0>:d 3:w\n"
        "(W&f0.0) jmpi r9.2<0;1,0>:d\n");
    EXPECT_EQ(b.get<int32_t>(3, 0), 3) << m->name;
    EXPECT_EQ(b.get<int32_t>(3, 1), 0) << m->name;
  }
}

constexpr const char* end_of_thread(bool old) {
  return old ? "(W) send (8|M0) null m0 0x27 0x02000010 {EOT}\n" : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
}
std::string call(const isa::Model& m) { return m.mrf_count ? "call (2|M0) " : "call (8|M0) "; }
std::string ret(const isa::Model& m) { return m.mrf_count ? "ret (2|M0) " : "ret (8|M0) "; }

void run_calls(Flow& b, const std::string& program) {
  b.run_as_is(program);
  EXPECT_EQ(b.status, Status::ended) << b.model.name << ": " << (b.fault ? b.fault->reason : "");
  EXPECT_EQ(b.thread.active, b.thread.dispatched) << b.model.name;
  EXPECT_EQ(b.thread.call_mask, 0u) << b.model.name;
}

// The destination gets the return address and the caller's CallMask.
TEST(Flow, I_call_I_ret_DivergentCallers) {
  for (const isa::Model* m : generations)
    for (int n : {0, 3, 8}) {
      Flow b(*m);
      b.set<uint32_t>(5, 0, 0xAAAA);
      run_calls(b, below(n) + "(f0.0) " + call(*m) + "r5.0 F\n" + "mov (8|M0) r4.0<1>:d 1:w\n" +
                       end_of_thread(m->mrf_count) + "F: mov (8|M0) r3.0<1>:d 41:w\n" +
                       "(W) add (1|M0) r6.0<1>:d r6.0<0;1,0>:d 1:w\n" + ret(*m) + "r5.0");
      for (int c = 0; c < 8; ++c) EXPECT_EQ(b.get<int32_t>(3, c), c < n ? 41 : 0) << m->name << " " << n;
      EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 1)));
      EXPECT_EQ(b.get<int32_t>(6, 0), n ? 1 : 0) << "without a caller it is a nop";
      EXPECT_EQ(b.get<uint32_t>(5, 0), n ? 32u : 0xAAAAu);
    }
}

// Two levels; the inner function is called by some of the channels of the outer one, and returns early for some.
TEST(Flow, I_call_I_ret_NestedWithCallMask) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    run_calls(b, below(6) + "(f0.0) " + call(*m) + "r5.0 F\n" + "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1000:w\n" +
                     end_of_thread(m->mrf_count) +                                      //
                     "F: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n" + below(4) +         //
                     "(f0.0) " + call(*m) + "r5.2 G\n" +                                //
                     "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 2:w\n" + ret(*m) + "r5.0\n" +  //
                     "G: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 10:w\n" + below(2) +        //
                     "(f0.0) " + ret(*m) + "r5.2\n" +                                   //
                     "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 20:w\n" +                      //
                     ret(*m) + "r5.2");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1013, 1013, 1033, 1033, 1003, 1003, 1000, 1000})) << m->name;
    EXPECT_EQ(b.get<uint32_t>(5, 1), 0u) << "the outermost caller has no CallMask";
    EXPECT_EQ(b.get<uint32_t>(5, 3), 0x3Fu) << "the outer function's";
  }
}

TEST(Flow, I_ret_InsideAnIf) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    const bool old = m->mrf_count != 0;
    run_calls(b, call(*m) + "r5.0 F\n" + "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 100:w\n" + end_of_thread(old) +
                     "F: " + below(3) + (old ? "(f0.0) if (8|M0) OTHER\n" : "(f0.0) if (8|M0) OTHER END\n") +
                     "mov (8|M0) r3.0<1>:d 1:w\n" + ret(*m) + "r5.0\n" +
                     (old ? "else (8|M0) END\n" : "else (8|M0) END END\n") +
                     "OTHER: mov (8|M0) r3.0<1>:d 2:w\n"
                     "END: endif (8|M0) NEXT\n"
                     "NEXT: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 10:w\n" +
                     ret(*m) + "r5.0");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{101, 101, 101, 112, 112, 112, 112, 112})) << m->name;
  }
}

// Targets in registers, relative and absolute; the exec size of ret may be smaller than a register pair.
TEST(Flow, I_calla_I_call_ByRegister) {
  for (const isa::Model* m : later) {
    const std::string after = "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n" + std::string(end_of_thread(false)) +
                              "F: mov (8|M0) r3.0<1>:d 41:w\nret (8|M0) r5.0";
    for (const char* instruction : {"call (8|M0) r5.0 r9.1<0;1,0>:d\n", "calla (8|M0) r5.0 r9.2<0;1,0>:d\n",
                                    "calla (8|M0) r5.0 F\n", "call (8|M0) r5.0 F\n"}) {
      Flow b(*m);
      b.fill<int32_t>(9, {0, 48, 64});
      run_calls(b, std::string("nop\n") + instruction + after);
      EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords(8, 42))) << m->name << " " << instruction;
      Flow partial(*m);
      partial.fill<int32_t>(9, {0, 48, 64});
      partial.thread.flag[0] = 0x0F;
      run_calls(partial, std::string("nop\n(f0.0) ") + instruction + after);
      EXPECT_EQ(partial.lanes<int32_t>(3, 8), (Dwords{42, 42, 42, 42, 1, 1, 1, 1})) << m->name << " " << instruction;
    }
  }
}

// Recursion works while all channels go along and the program keeps its return addresses: here in r20 and up, by index.
TEST(Flow, I_call_Recursion) {
  for (const isa::Model* m : later) {
    Flow b(*m);
    b.thread.a0[0] = 20 * 32;
    run_calls(b, "call (8|M0) r5.0 F\n" + std::string(end_of_thread(false)) +
                     "F: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
                     "(W) mov (2|M0) r[a0.0]<1>:ud r5.0<2;2,1>:ud\n"
                     "(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw 32:uw\n"
                     "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d 6:w\n"
                     "(f0.0) call (8|M0) r5.0 F\n"
                     "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
                     "(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw -32:w\n"
                     "(W) mov (2|M0) r5.0<1>:ud r[a0.0]<2;2,1>:ud\n"
                     "ret (8|M0) r5.0");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords(8, 6))) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 6))) << "as many returns as calls";
    EXPECT_EQ(b.thread.call_depth, 0u);
  }
}

TEST(Flow, I_call_RecursionWithoutEndIsAFault) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.run("F: " + call(*m) + "r5.0 F", 1000000);
    ASSERT_EQ(b.status, Status::faulted) << m->name;
    EXPECT_NE(b.fault->reason.find("recursion without end"), std::string::npos) << b.fault->reason;
    EXPECT_EQ(b.fault->ip, 0u);
  }
}

// Single program flow: one IP for all, and no channel waits anywhere.
TEST(Flow, SingleProgramFlow_BranchesMoveTheThread) {
  for (const isa::Model* m : generations)
    for (int n : {0, 8}) {
      Flow b(*m);
      b.thread.cr[0] |= cr_spf;
      b.go(below(n) + "(f0.0) if (8|M0) OTHER {U:END}\n" + set_r3 +
           "1:w\n"
           "else (8|M0) END {U:END}\n"
           "OTHER: " +
           set_r3 +
           "2:w\n"
           "END: endif (8|M0) LOOP\n"
           "LOOP: add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
           "cmp (8|M0) (eq)f0.0 null<1>:d r4.0<8;8,1>:d 3:w\n"
           "(f0.0) break (8|M0) WHILE {B:OUT|WHILE}\n"
           "cmp (8|M0) (lt)f0.0 null<1>:d r4.0<8;8,1>:d 10:w\n"
           "WHILE: (f0.0) while (8|M0) LOOP\n"
           "OUT: nop");
      EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords(8, n ? 1 : 2))) << m->name;
      EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords(8, 3)));
    }
}

TEST(Flow, SingleProgramFlow_GotoAndCall) {
  for (const isa::Model* m : later) {
    Flow b(*m);
    b.thread.cr[0] |= cr_spf;
    run_calls(b, "mov (8|M0) r3.0<1>:d 1:w\n" + below(0) +
                     "(f0.0) goto (8|M0) FAR FAR\n"  // the predicate is false everywhere: to UIP
                     "mov (8|M0) r3.0<1>:d 2:w\n"
                     "FAR: join (8|M0) NEXT\n"
                     "NEXT: call (8|M0) r5.0 F\n" +
                     end_of_thread(false) +
                     "F: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 40:w\n"
                     "ret (8|M0) r5.0");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords(8, 41))) << m->name;
  }
}

// Gen6 fork: from single program flow to the channels of one mask, and back.
TEST(Flow, I_fork) {
  Bench b(gen::gen6(), 0xFFF0FFFF);
  b.thread.sr[2] = 0xFF00FF0F;
  b.thread.cr[0] |= cr_spf;
  b.run(
      "fork (16|M0) sr0.4<0;1,0>:uw LOW\n"
      "mov (16|M0) r3.0<1>:w 1:w\n"
      "mov (16|M16) r4.0<1>:w 1:w\n"
      "(W) mov (1|M0) r7.0<1>:ud cr0.0<0;1,0>:ud {Switch}\n"
      "LOW: fork (16|M0) sr0.5<0;1,0>:uw HIGH\n"
      "mov (16|M0) r5.0<1>:w 1:w\n"
      "mov (16|M16) r6.0<1>:w 1:w\n"
      "HIGH: fork (16|M0) null<0;1,0>:ud NEXT\n"
      "NEXT: mov (16|M0) r8.0<1>:w 1:w\n"
      "mov (16|M16) r9.0<1>:w 1:w");
  ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  auto mask = [&](int reg) {
    uint32_t bits = 0;
    for (int n = 0; n < 16; ++n) bits |= uint32_t(b.get<int16_t>(reg, n)) << n;
    return bits;
  };
  EXPECT_EQ(mask(3), 0xFF0Fu);
  EXPECT_EQ(mask(4), 0u);
  EXPECT_EQ(mask(5), 0u);
  EXPECT_EQ(mask(6), 0xFF00u);
  EXPECT_EQ(mask(8), 0xFFFFu);
  EXPECT_EQ(mask(9), 0xFFF0u);
  EXPECT_EQ(b.get<uint32_t>(7, 0) & cr_spf, 0u);
  EXPECT_TRUE(b.thread.single_program_flow());
}

// A branch with NoMask moves the channels that run; those that wait elsewhere stay there.
TEST(Flow, MK01_NoMaskOnABranchWakesNobody) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go(below(4) + "(f0.0) if (8|M0) END {U:END}\n" + below(2) + "(W&f0.0) if (8|M0) END2 {U:END2}\n" + set_r3 +
         "1:w\n"
         "END2: endif (8|M0) END\n"
         "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
         "END: endif (8|M0) NEXT\n"
         "NEXT: add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 10:w");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{1, 1, 0, 0, 0, 0, 0, 0})) << m->name;
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{11, 11, 11, 11, 10, 10, 10, 10}));
  }
}

TEST(Flow, MK01_NoMaskBreakLeavesWaitingChannels) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    b.go("LOOP: " + below(4) +
         "(f0.0) if (8|M0) END {U:END}\n"
         "(W) break (8|M0) END {B:OUT|WHILE}\n"
         "END: endif (8|M0) WHILE\n"
         "add (8|M0) r4.0<1>:d r4.0<8;8,1>:d 1:w\n"
         "WHILE: (f0.1) while (8|M0) LOOP\n"
         "OUT: nop");
    EXPECT_EQ(b.lanes<int32_t>(4, 8), (Dwords{0, 0, 0, 0, 1, 1, 1, 1})) << m->name;
  }
}

// When all channels have left, endif jumps on to the end of the block around it: NoMask instructions on the way are not
// run.
TEST(Flow, I_endif_JumpsWhenNobodyIsLeft) {
  for (const isa::Model* m : generations)
    for (int n : {5, 8}) {
      Flow b(*m);
      b.go("LOOP: " + below(n) +
           "(f0.0) if (8|M0) END {U:END}\n"
           "break (8|M0) END {B:OUT|WHILE}\n"
           "END: endif (8|M0) WHILE\n"
           "(W) add (1|M0) r4.0<1>:d r4.0<0;1,0>:d 1:w\n"
           "WHILE: (f0.1) while (8|M0) LOOP\n"
           "OUT: nop");
      EXPECT_EQ(b.get<int32_t>(4, 0), n != 8) << m->name << " " << n;
    }
}

// After an inner call the outer function's CallMask holds again: its channels return in two groups.
TEST(Flow, I_ret_RestoresTheCallMask) {
  for (const isa::Model* m : generations) {
    Flow b(*m);
    run_calls(b, call(*m) + "r5.0 F\nadd (8|M0) r3.0<1>:d r3.0<8;8,1>:d 100:w\n" + end_of_thread(m->mrf_count) +
                     "F: " + call(*m) + "r5.2 G\n" + below(3) + "(f0.0) " + ret(*m) + "r5.0\n" +
                     "add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 20:w\n" + ret(*m) + "r5.0\n" +
                     "G: add (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n" + ret(*m) + "r5.2");
    EXPECT_EQ(b.lanes<int32_t>(3, 8), (Dwords{101, 101, 101, 121, 121, 121, 121, 121})) << m->name;
  }
}

}  // namespace
}  // namespace vitro::eu
