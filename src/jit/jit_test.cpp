// Compiled programs do what the interpreter does: arithmetic of every type and width, masks, flags, flow, messages.
// Every program that other tests of this room run is compiled and compared as well (bench_test.h).
#include "jit/compile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "base/host_floats.h"
#include "base/random.h"
#include "eu/bench_test.h"
#include "jit/analysis.h"
#include "jit/twins_test.h"

namespace vitro::jit {
namespace {

const SharedFunctions& ending() {
  static const SharedFunctions all = [] {
    SharedFunctions f{};
    f[2] = {[](void*, Thread&, Message&, std::string&) {
              EXPECT_EQ(HostFloats::now(), HostFloats::plain);
              return Reply::done;
            },
            nullptr};
    f[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
    return f;
  }();
  return all;
}

// Registers full of numbers as programs have them, some of them NaN, infinite or denormal as floats.
Thread random_thread(uint64_t seed, uint32_t channels, uint32_t cr0) {
  Thread t;
  Rng rng(seed);
  for (int n = 0; n < grf_count * reg_bytes; n += 4) {
    uint32_t v = uint32_t(rng.interesting(32));
    if (rng.coin()) v = std::bit_cast<uint32_t>(float(int32_t(rng.below(2000)) - 1000) / 16);
    std::memcpy(t.grf.data() + n, &v, sizeof v);
  }
  t.flag = {uint32_t(rng()), uint32_t(rng())};
  t.dispatched = t.active = t.sr[2] = t.sr[3] = channels;
  t.cr[0] = cr0;
  return t;
}
constexpr uint32_t keep_all = cr_keep_float_denorms | cr_keep_double_denorms | cr_keep_half_denorms;

struct Ran {
  CodeCounts counts;
  Thread thread;
};
Ran same(const isa::Model& model, const std::string& text, uint32_t channels = 0xFFFF, uint32_t cr0 = keep_all,
         size_t section = Options{}.section) {
  const std::string end = "\n(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  const isa::Assembly a = isa::assemble(model, text + end, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
  const Program program(model, a.code);
  const Thread begin = random_thread(1, channels, cr0);
  const auto compiled = compile(program, {.mode = mode_of(begin), .section = section, .exact_nans = true});
  if (!compiled) {
    ADD_FAILURE() << "it does not compile";
    return {};
  }
  const Surroundings around{.functions = ending()};
  const Twins t = run_twins(program, *compiled, begin, around, 10000, 10000);
  EXPECT_EQ(t.difference(), "") << text;
  return {t.counts, t.compiled.thread};
}

// What bench_test.h calls after each program. Compiling takes its time, so of the programs of a test only the first few
// are looked at, and then one of many; VITRO_JIT_ALL asks for all. Left out are programs that did not come to an end,
// which may stand anywhere in a loop, those that look at the clock, and those whose messages a test counts.
[[maybe_unused]] const bool compares_all = [] {
  run_compiled = [](const Program& program, const Thread& begin, const Executor& interpreted, uint64_t budget) {
    static const bool all = std::getenv("VITRO_JIT_ALL") != nullptr;
    static std::map<std::string, int> programs;
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    const int n = programs[std::string(test.test_suite_name()) + "." + test.name()]++;
    if (!all && (n % 64 >= (n < 64 ? 2 : 1) || program.plans().size() > 400)) return;
    if (interpreted.status == Status::running || interpreted.clock.now) return;
    for (size_t f = 0; f < interpreted.functions.size(); ++f)
      if (f != 7 && interpreted.functions[f].handle) return;
    const auto compiled = compile(program, {.mode = mode_of(begin), .exact_nans = true});
    ASSERT_TRUE(compiled);
    const Surroundings around{.functions = interpreted.functions};
    EXPECT_EQ(run_twins(program, *compiled, begin, around, budget, budget, interpreted.sip).difference(), "");
  };
  return true;
}();

TEST(Jit, StraightLinesAreNativeCode) {
  const Ran r = same(gen::gen9(), R"(
    mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f
    add (16|M0) r12.0<1>:f r2.0<8;8,1>:f -r4.0<8;8,1>:f
    mul (16|M0) r14.0<1>:f r12.0<8;8,1>:f (abs)r6.0<8;8,1>:f
    mad (8|M0) r16.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f
    add (16|M0) r18.0<1>:d r2.0<8;8,1>:d r4.0<0;1,0>:d
    add (32|M0) r20.0<1>:uw r2.0<16;16,1>:uw 5:uw
    mul (8|M0) r24.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:w
    shl (8|M0) r25.0<1>:ud r2.0<8;8,1>:ud 3:uw
    asr (8|M0) r26.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d
    shr (8|M0) r27.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud
    cmp (16|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
    (f0.0) sel (16|M0) r28.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
    sel (16|M0) (ge)f0.0 r30.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
    (~f0.0) mov (16|M0) r32.0<1>:d r2.0<8;8,1>:f
    mov (8|M0) r34.0<1>:f r2.0<8;8,1>:ud
    mov (8|M0) r35.0<2>:w r2.0<8;8,1>:d
    (W) mov (1|M0) r36.3<1>:ud r2.5<0;1,0>:ud
    and (8|M0) r37.0<1>:ud r2.0<8;8,1>:ud ~r3.0<8;8,1>:ud
    add (8|M0) (sat)r38.0<1>:w r2.0<16;8,2>:w r3.0<16;8,2>:w
    add (8|M0) (sat)r39.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f)");
  EXPECT_EQ(r.counts.instructions, 21);
  EXPECT_EQ(r.counts.emitted, 20);
  EXPECT_EQ(r.counts.left, 0);
}

// What drivers do although the documents advise against it has one result.
TEST(Jit, LogicalShiftsOfSignedElementsAndSaturatedFractions) {
  const std::string text = R"(
    shr (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d
    shr (8|M0) r11.0<1>:d r2.0<8;8,1>:w 1:d
    shr (8|M0) r12.0<1>:ud r2.0<8;8,1>:w 3:w
    shr (8|M0) r13.0<1>:w r2.0<8;8,1>:b 1:w
    shr (8|M0) r14.0<1>:d -r2.0<8;8,1>:uw 1:w
    shr (8|M0) (sat)r15.0<1>:w r2.0<8;8,1>:w 1:w
    frc (8|M0) (sat)r20.0<1>:f r4.0<8;8,1>:f
    mov (8|M0) r5.0<1>:ud 0xFFC00000:ud
    frc (8|M0) (sat)r21.0<1>:f r5.0<8;8,1>:f
    frc (8|M0) (sat)r22.0<1>:f -(abs)r4.0<8;8,1>:f)";
  for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()}) {
    const Ran r = same(*m, text);
    EXPECT_EQ(r.counts.left, 0);
    std::array<uint32_t, 8> of_nan;
    std::memcpy(of_nan.data(), r.thread.grf.data() + 21 * size_t(reg_bytes), sizeof of_nan);
    EXPECT_EQ(of_nan, (std::array<uint32_t, 8>{}));
  }
}

// The interpreter passes over them, and the rest is machine code again.
TEST(Jit, IllegalOpcodesArePassedOver) {
  const std::string text = R"(
    add (8|M0) r10.0<1>:d r2.0<8;8,1>:d 1:d
    illegal
    illegal
    add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:d
    (W) mov (1|M0) r11.0<1>:ud cr0.1<0;1,0>:ud
    add (8|M0) r12.0<1>:d r10.0<8;8,1>:d r2.0<8;8,1>:d)";
  for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()}) {
    const Ran r = same(*m, text);
    EXPECT_EQ(r.counts.left, 2);
    uint32_t r11 = 0;
    std::memcpy(&r11, r.thread.grf.data() + 11 * size_t(reg_bytes), sizeof r11);
    EXPECT_EQ(r11, 1u << 28);
  }
}

TEST(Jit, MasksAndChannelsThatDoNotRun) {
  same(gen::gen9(), R"(
    add (16|M0) (nz)f0.0 r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d
    (f0.0) add (8|M8) r12.0<1>:w r2.0<16;8,2>:w r3.0<8;8,1>:w
    mov (16|M16) r14.0<1>:ub r2.0<16;8,2>:ub
    (W) mov (1|M0) f1.0<1>:uw r2.4<0;1,0>:uw
    (f1.0) mov (8|M0) r16.0<1>:q r2.0<4;4,1>:q
    (W) mov (1|M0) a0.0<1>:uw 64:uw
    mov (8|M0) r18.0<1>:ud r[a0.0]<8;8,1>:ud)",
       0x0F0F35A5);
}

// Registers that addresses name, among others that were changed just before and are looked at afterwards.
TEST(Jit, IndirectRegistersAreNativeCode) {
  const std::string text = R"(
    (W) mov (8|M0) a0.0<1>:uw 0x76543210:uv
    (W) shl (8|M0) a0.0<1>:uw a0.0<8;8,1>:uw 6:uw
    (W) mov (8|M0) a0.8<1>:uw 0x31313131:uv
    (W) shl (8|M0) a0.8<1>:uw a0.8<8;8,1>:uw 7:uw
    mov (16|M0) r2.0<1>:ud r20.0<8;8,1>:ud
    mov (16|M0) r4.0<1>:ud r22.0<8;8,1>:ud
    add (16|M0) r10.0<1>:d r[a0.1]<8;8,1>:d r2.0<8;8,1>:d
    mov (16|M0) r12.0<1>:ud r[a0.0,4]<1,0>:ud
    mov (8|M0) r14.0<1>:w r[a0.2,2]<16;8,2>:w
    add (16|M0) r16.0<1>:f r[a0.2]<0;1,0>:f r10.0<8;8,1>:f
    mov (16|M0) r[a0.3]<1>:ud r10.0<8;8,1>:ud
    (f0.0) mov (16|M0) r[a0.3,32]<2>:uw r12.0<8;8,1>:ud
    (W) mov (1|M0) r[a0.4,16]<1>:uq r[a0.1,8]<0;1,0>:uq
    add (16|M0) r24.0<1>:d r6.0<8;8,1>:d r[a0.3,64]<8;8,1>:d
    add (16|M0) r26.0<1>:d r8.0<8;8,1>:d r2.0<8;8,1>:d)";
  for (const uint32_t channels : {0xFFFFu, 0x35A5u, 0xFF00u}) {
    const Ran r = same(gen::gen9(), text, channels);
    EXPECT_EQ(r.counts.emitted, r.counts.instructions - 1);
    EXPECT_TRUE(r.thread.ended);
  }
}

// The budget ends in a loop at whose beginning registers settle: what is written there before it is read is seen too.
TEST(Jit, AllRegistersAreSeenWhereALoopIsLeft) {
  const Ran r = same(gen::gen9(), R"(
    (W) mov (8|M0) r48.0<1>:ud r2.0<8;8,1>:ud
    (W) mov (8|M0) r49.0<1>:ud r3.0<8;8,1>:ud
    again:
    (W) mov (8|M0) r50.0<1>:ud r2.0<8;8,1>:ud
    (W) mov (8|M0) r51.0<1>:ud r3.0<8;8,1>:ud
    (W) mov (8|M0) r52.0<1>:ud r4.0<8;8,1>:ud
    (W) mov (8|M0) r53.0<1>:ud r5.0<8;8,1>:ud
    (W) mov (8|M0) r54.0<1>:ud r6.0<8;8,1>:ud
    (W) mov (8|M0) r55.0<1>:ud r7.0<8;8,1>:ud
    (W) mov (8|M0) r56.0<1>:ud r8.0<8;8,1>:ud
    (W) while (1|M0) again)",
                     0xFFFF, keep_all, 5);
  EXPECT_FALSE(r.thread.ended);
}

// Planes read more registers than their regions name, and are left to their handler.
TEST(Jit, PlanesAtAnAddress) {
  const Ran r = same(gen::gen8(), R"(
    (W) mov (1|M0) a0.1<1>:uw 0x340:uw
    (W) mov (1|M0) a0.2<1>:uw 0x80:uw
    pln (16|M0) r[a0.1]<1>:f r2.0<0;1,0>:f r6.0<8;8,1>:f
    line (16|M0) r[a0.1,64]<1>:f r2.4<0;1,0>:f r6.0<8;8,1>:f
    line (16|M0) r30.0<1>:f r2.0<0;1,0>:f r[a0.2]<8;8,1>:f)");
  EXPECT_TRUE(r.thread.ended);
}

// Only channels that run need an address; a wrong one of those that do is a Fault.
TEST(Jit, AddressesOutsideOfTheRegisters) {
  const std::string far = "(W) mov (8|M0) a0.0<1>:uw 64:uw\n(W) mov (1|M0) a0.3<1>:uw 5000:uw\n";
  for (const uint32_t channels : {0xFFu, 0xF7u}) {
    const Ran r = same(gen::gen9(), far + "add (8|M0) r10.0<1>:d r[a0.0]<1,0>:d r4.0<8;8,1>:d", channels);
    EXPECT_EQ(r.thread.ended, channels == 0xF7);
  }
  for (const std::string_view address : {"a0.0,6", "a0.3", "a0.0,-96"})
    EXPECT_FALSE(same(gen::gen9(), far + fmt::format("mov (8|M0) r[{}]<1>:d r4.0<8;8,1>:d", address)).thread.ended);
  EXPECT_TRUE(same(gen::gen9(), far + "mov (8|M0) r[a0.3]<1>:d r4.0<8;8,1>:d", 0xFF00).thread.ended);
}

TEST(Jit, DenormalsAreFlushedWhereCr0SaysSo) {
  same(gen::gen9(), "add (16|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\nmul (16|M0) r12.0<1>:f r2.0<8;8,1>:f 0.5:f",
       0xFFFF, 0);
}

// What leaves a number as it is flushes it nevertheless, whether the other operand is known or not; so does what is
// computed of numbers that are known.
TEST(Jit, NothingIsDoneOnlyToNormalNumbers) {
  const Ran r = same(gen::gen9(), R"(
      shr (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud 9:uw
      or (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud 1:uw
      mov (8|M0) r11.0<1>:ud 0x12345:ud
      mov (8|M0) r12.0<1>:f 1.0:f
      mov (8|M0) r13.0<1>:ud 0x80000000:ud
      mul (8|M0) r20.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f
      mul (8|M0) r21.0<1>:f r10.0<8;8,1>:f 1.0:f
      add (8|M0) r22.0<1>:f r10.0<8;8,1>:f r13.0<8;8,1>:f
      mul (8|M0) r23.0<1>:f r11.0<8;8,1>:f r12.0<8;8,1>:f
      add (8|M0) r24.0<1>:f r11.0<8;8,1>:f r13.0<8;8,1>:f
      mul (8|M0) r25.0<1>:f r11.0<8;8,1>:f 0x7F000000:f
      math.fdiv (8|M0) r26.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f
      cmp (8|M0) (ne)f0.0 r27.0<1>:f r10.0<8;8,1>:f 0.0:f
      cmp (8|M0) (gt)f0.1 r28.0<1>:f r11.0<8;8,1>:f 0.0:f
      mul (1|M0) r29.0<1>:f r10.0<0;1,0>:f r12.0<0;1,0>:f)",
                     0xFF, 0);
  EXPECT_EQ(r.counts.called, 1);  // the end
  const auto bits = [&](int reg, int lane) {
    uint32_t v;
    std::memcpy(&v, r.thread.grf.data() + reg * reg_bytes + 4 * lane, sizeof v);
    return v;
  };
  for (int reg = 20; reg < 29; ++reg)
    for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(bits(reg, lane), 0u) << reg;
  EXPECT_EQ(bits(29, 0), 0u);
}

// A mov within a type does not flush, however it is done; nor does the condition take a denormal for a zero.
TEST(Jit, MovesKeepDenormalsWhileTheHostFlushes) {
  const Ran r = same(gen::gen9(), R"(
      shr (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud 9:uw
      or (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud 1:uw
      mul (8|M0) r11.0<1>:f r2.0<8;8,1>:f 0.5:f
      mov (8|M0) (sat)r12.0<1>:f r10.0<8;8,1>:f
      mov (8|M0) (sat)r13.0<1>:f r11.0<8;8,1>:f
      mov (8|M0) (ne)f0.0 r14.0<1>:f -r10.0<8;8,1>:f)",
                     0xFF, 0);
  EXPECT_EQ(std::memcmp(r.thread.grf.data() + 10 * reg_bytes, r.thread.grf.data() + 12 * reg_bytes, reg_bytes), 0);
  EXPECT_EQ(r.thread.flag[0] & 0xFF, 0xFFu);
}

// Messages whose functions compute floats are carried out in plain modes, and those of which nobody knows that they do
// not; and whoever runs threads finds the modes that were, even after a fault.
TEST(Jit, TheModesOfTheHostAreItsOwn) {
  for (const uint32_t modes : {uint32_t(HostFloats::plain), HostFloats::flush | HostFloats::up}) {
    const HostFloats host(modes);
    for (const uint32_t cr0 : {0u, 0x10u, keep_all}) {
      const std::string mul = "mul (16|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n";
      EXPECT_TRUE(same(gen::gen9(), mul, 0xFFFF, cr0).thread.ended);
      EXPECT_EQ(HostFloats::now(), modes);
      for (const char* desc : {"0x02100000", "0x0211E000", "a0.0"}) {  // a sample, a reserved message, any
        const std::string message = fmt::format("send (8|M0) r20:f r2:f 0x2 {}", desc);
        EXPECT_TRUE(same(gen::gen9(), mul + message, 0xFFFF, cr0).thread.ended);
      }
      EXPECT_TRUE(same(gen::gen9(), mul + "send (8|M0) r20:f r2:f 0x7 0x02100000", 0xFFFF, cr0).thread.ended);
      EXPECT_FALSE(same(gen::gen9(), mul + "send (8|M0) r20:ud r2 0x5 0x02100000", 0xFFFF, cr0).thread.ended);
      EXPECT_EQ(HostFloats::now(), modes);
    }
  }
}

// The host is fenced where something was written since its last fence that another host thread may read.
TEST(Jit, FencesAreForWhatOthersMayRead) {
  const struct {
    const char* text;
    bool writes;
  } messages[] = {
      {"send (8|M0) r20 r10 0xC 0x02106E00", false},         // read
      {"sends (8|M0) null r10 r12 0x4C 0x02026E01", true},   // write
      {"sends (8|M0) null r10 r12 0x4C 0x02026EFE", false},  // to shared local memory
      {"send (8|M0) null r10 0xC 0x02009501", true},         // atomic operation
      {"send (8|M0) null r10 0xC 0x020095FE", false},        // on shared local memory
      {"send (8|M0) null r10 0xA 0x040A0205", true},         // block write
      {"send (8|M0) r20 r10 0xA 0x0219E000", false},         // fence
      {"send (8|M0) null r10 0x3 0x02000004", false},        // barrier
      {"send (8|M0) null r10 0xC a0.0", true},               // anything
      {"sends (8|M0) null r10 r12 0x10C 0x02035001", true},  // typed write
  };
  for (const auto& [text, writes] : messages) {
    const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
    const Program program(gen::gen9(), a.code);
    ASSERT_EQ(program.plans().size(), 1u) << text;
    EXPECT_EQ(may_write_for_others(program.plans()[0]), writes) << text;
  }
}

TEST(Jit, CodeFollowsTheModes) {
  for (uint32_t cr0 : {0u, keep_all}) {
    const Ran r = same(gen::gen9(), R"(
      mul (16|M0) r10.0<1>:f r2.0<8;8,1>:f 0.5:f
      (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw {Switch}
      mul (16|M0) r12.0<1>:f r2.0<8;8,1>:f 0.5:f
      mov (8|M0) r14.0<2>:hf r2.0<8;8,1>:f
      (W) xor (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:uw {Switch}
      add (16|M0) r16.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
      (W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud {Switch}
      add (16|M0) r18.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
      (W) mov (1|M0) cr0.0<1>:ud 1:ud {Switch}
      mul (16|M0) r20.0<1>:f r2.0<8;8,1>:f r2.0<8;8,1>:f)",
                       0xFFFF, cr0);
    EXPECT_EQ(r.counts.left, 0);
    // four writes of cr0, two sums in another mode, the end; and what flushes denormals where most keep them
    EXPECT_EQ(r.counts.called, cr0 ? 7 : 8);
    EXPECT_EQ(r.counts.emitted, cr0 ? 4 : 3);
  }
}

// Where two ways meet with different modes, only what holds on both is known.
TEST(Jit, ModesThatDifferWhereWaysMeet) {
  const Ran r = same(gen::gen9(), R"(
      (W) jmpi other
      (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:uw {Switch}
    other:
      (f0.0) jmpi there
      (W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x10:uw {Switch}
    there:
      mul (16|M0) r12.0<1>:f r2.0<8;8,1>:f 0.3:f
      mul (16|M0) r14.0<1>:d r2.0<8;8,1>:d 3:w)");
  EXPECT_EQ(r.counts.left, 0);
}

TEST(Jit, AccumulatorsAreNativeCode) {
  const Ran r = same(gen::gen9(), R"(
    mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw
    mach (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}
    mov (8|M0) r11.0<1>:d acc0.0<8;8,1>:d
    mul (8|M0) acc0.0<1>:ud r4.0<8;8,1>:ud r5.0<16;8,2>:uw
    mach (8|M0) r12.0<1>:ud r4.0<8;8,1>:ud r5.0<8;8,1>:ud {AccWrEn}
    mov (8|M0) r13.0<1>:ud acc0.0<8;8,1>:ud
    addc (8|M0) r14.0<1>:ud r4.0<8;8,1>:ud r5.0<8;8,1>:ud {AccWrEn}
    mov (8|M0) r15.0<1>:ud acc0.0<8;8,1>:ud
    subb (8|M0) r16.0<1>:ud r4.0<8;8,1>:ud r5.0<8;8,1>:ud {AccWrEn}
    add (8|M0) r17.0<1>:ud acc0.0<8;8,1>:ud r4.0<8;8,1>:ud
    mul (16|M0) acc0.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
    mac (16|M0) r18.0<1>:f r6.0<8;8,1>:f r4.0<8;8,1>:f
    add (8|M8) r20.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {AccWrEn}
    mov (8|M0) r21.0<1>:f acc1.0<8;8,1>:f
    add (16|M0) r22.0<1>:w r2.0<16;16,1>:w r3.0<16;16,1>:w {AccWrEn}
    asr (16|M0) r23.0<1>:w acc0.0<16;16,1>:w 2:w
    avg (16|M0) r24.0<1>:ub r2.0<32;16,2>:ub r3.0<32;16,2>:ub)",
                     0xA5F3);
  EXPECT_EQ(r.counts.emitted, 17);
}

TEST(Jit, HalvesAreNativeCode) {
  for (uint32_t cr0 : {0u, keep_all}) {
    const Ran r = same(gen::gen9(), R"(
      mov (8|M0) r10.0<2>:hf r2.0<8;8,1>:f
      mov (8|M0) r11.0<1>:f r2.0<16;8,2>:hf
      add (16|M0) r12.0<1>:hf r2.0<16;16,1>:hf r3.0<16;16,1>:hf
      mul (16|M0) (sat)r13.0<1>:hf r2.0<16;16,1>:hf r4.0<16;16,1>:hf
      mad (8|M0) r14.0<1>:hf r2.0<2;1>:hf r3.0<2;1>:hf r4.0<1>:hf
      cmp (16|M0) (lt)f0.0 null<1>:hf r2.0<16;16,1>:hf r3.0<16;16,1>:hf
      (f0.0) sel (16|M0) r15.0<1>:hf r2.0<16;16,1>:hf r3.0<16;16,1>:hf
      sel (16|M0) (l)f0.0 r16.0<1>:hf r2.0<16;16,1>:hf r3.0<16;16,1>:hf
      mov (8|M0) r17.0<2>:hf r2.0<8;8,1>:d
      mov (8|M0) r18.0<1>:d r2.0<16;8,2>:hf
      add (8|M0) (nz)f1.0 r19.0<2>:hf r2.0<16;8,2>:hf r3.0<8;8,1>:f
      math.inv (8|M0) r20.0<1>:hf r2.0<8;8,1>:hf
      math.rsqt (8|M0) r21.0<1>:hf r2.0<8;8,1>:hf)",
                       0xFFFF, cr0);
    EXPECT_EQ(r.counts.emitted, 13);
  }
}

TEST(Jit, GroupsOfLanesAndPlanes) {
  const Ran r = same(gen::gen9(), R"(
    dp4 (8|M0) r10.0<1>:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Align16}
    dph (8|M0) r11.0<1>:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Align16}
    dp3 (8|M0) r12.0<1>:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Align16}
    dp2 (8|M0) r13.0<1>:f r2.0<4>.xyzw:f r3.0<4>.xyzw:f {Align16}
    line (8|M0) r14.0<1>:f r2.4<0;1,0>:f r3.0<8;8,1>:f
    pln (16|M0) r16.0<1>:f r2.0<0;1,0>:f r4.0<8;8,1>:f
    sad2 (16|M0) r18.0<1>:uw r2.0<16;16,1>:ub r3.0<16;16,1>:ub
    (f0.0.any4h) mov (16|M0) r20.0<1>:d r2.0<8;8,1>:d
    (f0.0.all2h) mov (16|M0) r22.0<1>:d r2.0<8;8,1>:d
    (~f0.0.any16h) mov (16|M0) r24.0<1>:d r2.0<8;8,1>:d
    mov (1|M0) r26.0<1>:ud ce0.0<0;1,0>:ud
    mov (1|M0) r27.0<1>:ud sr0.0<0;1,0>:ud
    (W) mov (1|M0) n0.0<1>:ud 0:ud)",
                     0x3FFF);
  EXPECT_EQ(r.counts.emitted, 13);
}

TEST(Jit, FunctionsAndDivisionsAreNativeCode) {
  for (uint32_t cr0 : {0u, keep_all}) {
    const Ran r = same(gen::gen9(), R"(
      math.exp (16|M0) r10.0<1>:f r2.0<8;8,1>:f
      math.log (16|M0) r12.0<1>:f r4.0<8;8,1>:f
      math.pow (16|M0) r14.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f
      math.sin (16|M0) r16.0<1>:f r2.0<8;8,1>:f
      math.cos (8|M0) (sat)r18.0<1>:f (abs)r3.0<8;8,1>:f
      math.exp (1|M0) r19.0<1>:f r5.3<0;1,0>:f
      math.log (8|M0) r20.0<1>:hf r5.0<8;8,1>:hf
      math.iqot (8|M0) r21.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d
      math.irem (8|M0) r22.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d
      math.iqot (8|M0) r23.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud
      math.irem (8|M0) r24.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud
      math.iqot (8|M0) r25.0<1>:d r2.0<8;8,1>:d 0:d
      math.irem (8|M0) r26.0<1>:ud r2.0<8;8,1>:ud 7:ud
      math.iqot (8|M0) r27.0<1>:d r2.0<8;8,1>:d -1:d)",
                       0xA5FF, cr0);
    EXPECT_EQ(r.counts.emitted, 14);
  }
}

TEST(Jit, LoopsAndBranches) {
  for (uint32_t channels : {0xFFFFu, 0xA5u, 1u})
    same(gen::gen9(), R"(
      mov (16|M0) r10.0<1>:d 0:w
    head:
      add (16|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w
      and (16|M0) r12.0<1>:d r2.0<8;8,1>:d 15:w
      cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d
      (f0.0) if (16|M0) other end
      add (16|M0) r14.0<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d
      (f0.0) break (16|M0) other after
    other: else (16|M0) end end
      add (16|M0) r16.0<1>:d r16.0<8;8,1>:d 3:w
    end: endif (16|M0) after
    after: while (16|M0) head)",
         channels);
}

// Half of the messages are not taken at first: the thread leaves, comes back, and finds its registers.
TEST(Jit, AThreadThatWaitsComesBack) {
  static int asked;
  SharedFunctions functions = ending();
  functions[5] = {[](void*, Thread&, Message& m, std::string&) {
                    if (++asked % 2) return Reply::blocked;
                    for (std::byte& b : m.response) b = std::byte(asked);
                    return Reply::done;
                  },
                  nullptr};
  const std::string text = R"(
    add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f
    send (8|M0) r20:ud r10 0x5 0x02100000
    add (8|M0) r11.0<1>:f r10.0<8;8,1>:f r3.0<8;8,1>:f
    send (8|M0) r21:ud r11 0x5 0x02100000
    (W) send (8|M0) null r127 0x27 0x02000010 {EOT})";
  const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
  ASSERT_TRUE(a.diagnostics.empty());
  const Program program(gen::gen9(), a.code);
  const auto compiled = compile(program, {.exact_nans = true});
  ASSERT_TRUE(compiled);
  const Thread begin = random_thread(3, 0xFF, keep_all);
  Thread threads[2];
  for (size_t n = 0; n < 2; ++n) {
    asked = 0;
    std::memcpy(&threads[n], &begin, sizeof begin);
    Executor x{threads[n], program, functions};
    int waited = 0;
    for (;;) {
      const Status s = n ? compiled->run(x, 1000) : x.run(1000);
      if (s != Status::waiting) {
        EXPECT_EQ(s, Status::ended);
        break;
      }
      ++waited;
    }
    EXPECT_EQ(waited, 2);
    EXPECT_EQ(x.executed, 7u);
  }
  EXPECT_EQ(std::memcmp(&threads[0], &threads[1], sizeof threads[0]), 0);
}

TEST(Jit, ABudgetEndsALoopAndTheInterpreterMayGoOn) {
  const std::string text = "head: add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n(W) jmpi head";
  const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
  const Program program(gen::gen9(), a.code);
  const auto compiled = compile(program);
  ASSERT_TRUE(compiled);
  Thread t = random_thread(4, 0xFF, keep_all);
  std::memset(t.grf.data(), 0, t.grf.size());
  Executor x{t, program, ending()};
  EXPECT_EQ(compiled->run(x, 1000), Status::running);
  EXPECT_GE(x.executed, 1000u);
  EXPECT_LE(x.executed, 1002u);
  x.run(1000);
  compiled->run(x, 1000);
  int32_t counted;
  std::memcpy(&counted, t.grf.data() + 10 * reg_bytes, sizeof counted);
  EXPECT_EQ(uint64_t(counted), (x.executed + 1) / 2);
}

// Compiled code refines a float where the interpreter computes in double. All numbers from 1 to 4 stand for those of
// other sizes, of which some are tried.
TEST(Jit, ReciprocalRootsAreThoseOfDoubles) {
  constexpr int first = 2, count = 60, result = 64;
  std::string text;
  for (int r = 0; r < count; r += 2)
    text += fmt::format("math.rsqt (16|M0) r{}.0<1>:f r{}.0<8;8,1>:f\n", result + r, first + r);
  text += "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
  const Program program(gen::gen9(), a.code);
  const auto compiled = compile(program, {.mode = mode_of(random_thread(1, 0xFFFF, keep_all))});
  ASSERT_TRUE(compiled);
  constexpr uint32_t one = 0x3F800000, four = 0x40800000, numbers = count * 8;
  const auto check = [&](uint32_t from, uint32_t step) {
    Thread t{};
    t.dispatched = t.active = t.sr[2] = t.sr[3] = 0xFFFF;
    t.cr[0] = keep_all;
    uint32_t bits[numbers];
    for (uint32_t n = 0; n < numbers; ++n) bits[n] = from + n * step;
    std::memcpy(t.grf.data() + first * reg_bytes, bits, sizeof bits);
    Executor x{t, program, ending()};
    ASSERT_EQ(compiled->run(x, 1000), Status::ended);
    for (uint32_t n = 0; n < numbers; ++n) {
      const float expected = float(1.0 / std::sqrt(double(std::bit_cast<float>(bits[n]))));
      float got;
      std::memcpy(&got, t.grf.data() + result * reg_bytes + n * 4, sizeof got);
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(got) : got == expected) << std::hex << bits[n];
    }
  };
  for (uint32_t x = one; x < four && !HasFatalFailure(); x += numbers) check(x, 1);
  for (uint32_t x = 0; x < 20000 && !HasFatalFailure(); ++x) check(x * 977, 0x7FFFFFu + x);  // all exponents and signs
  check(0, 1);
  check(0x7F800000 - numbers / 2, 1);
}

// A return may go where no call was, and wake channels there: at the start, for one.
TEST(Jit, AReturnGoesWhereItsRegisterSays) {
  const isa::Assembly a =
      isa::assemble(gen::gen9(), "(W) mov (8|M0) r3.0<1>:ud 0:ud\nret (8|M0) r3.0<0;1,0>:d\n", {.validate = false});
  const Program program(gen::gen9(), a.code);
  const auto compiled = compile(program, {.all_registers = false});
  ASSERT_TRUE(compiled);
  Thread t{};
  t.dispatched = t.active = t.sr[2] = t.sr[3] = 0xFF;
  const SharedFunctions none{};
  Executor x{t, program, none};
  for (int turn = 0; turn < 50; ++turn) EXPECT_EQ(compiled->run(x, 7), Status::running) << turn;
  EXPECT_FALSE(x.fault);
}

}  // namespace
}  // namespace vitro::jit
