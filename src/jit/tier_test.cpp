// Tests of the tiers with a compiler: the same results whichever runs a thread, code in the background, kept code,
// bounds, forks.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/folder_test.h"
#include "dispatch/tiers_test.h"

namespace vitro::dispatch {
namespace {

using testing::loop_kernel;
using testing::Tiers;
namespace fs = std::filesystem;

TEST(CompilingTier, OnCompilesBeforeTheFirstThread) {
  Tiers t({.tiering = Tiering::on});
  t.plain.use(loop_kernel(10));
  const Counts c = t.run(50, 10);
  EXPECT_EQ(c.compiled_threads, 50u);
  const TierCounts k = t.tier.counts();
  EXPECT_EQ(k.compiled, 1u);
  EXPECT_EQ(k.failed, 0u);
  EXPECT_EQ(k.native + k.called + k.left, 10u);
  EXPECT_GT(k.milliseconds, 0);
  EXPECT_GT(k.code_bytes, 0u);
  t.run(50, 10);
  EXPECT_EQ(t.tier.counts().compiled, 1u);
}

TEST(CompilingTier, BothCountTheSameInstructions) {
  uint64_t instructions[2];
  for (const bool compiles : {false, true}) {
    Tiers t({.tiering = compiles ? Tiering::on : Tiering::off});
    t.plain.use(loop_kernel(100));
    instructions[compiles] = t.run(10, 100).instructions;
  }
  EXPECT_EQ(instructions[0], instructions[1]);
}

TEST(CompilingTier, BothPassOverTheSameIllegalOpcodes) {
  for (bool compiles : {false, true}) {
    Tiers t({.tiering = compiles ? Tiering::on : Tiering::off});
    t.plain.use("illegal\n" + testing::loop_kernel(100));
    const Counts c = t.run(10, 100);
    EXPECT_EQ(c.compiled_threads, compiles ? 10u : 0u);
    EXPECT_EQ(c.instructions, 10u * (1 + 4 + 3 * 100 + 3));
    EXPECT_EQ(c.illegal, (std::map<std::string, uint64_t>{{"kernel at 0x1000: illegal opcode 0x00 at 0x0", 10}}));
  }
}

// Code stops at what it leaves to the interpreter, and goes on behind it. What it has in registers by then may be read
// only in the thread's image: by a handler, here of an operand that lies misaligned, or at an address.
TEST(CompilingTier, TheImageHasWhatWasWrittenBeforeCodeStopped) {
  const char* const readers[] = {
      "(W) bfi2 (8|M0) r22.0<1>.xyzw:ud r24.0<2;1>:ud r20.2b<0;0>.xyzw:ud r24.0<1>:ud\n",
      "(W) mov (1|M0) a0.0<1>:uw 640:uw\n(W) shl (8|M0) r22.0<1>:ud r[a0.0]<8;8,1>:ud 16:uw\n"};
  for (const char* reader : readers)
    for (const bool compiles : {false, true}) {
      Tiers t({.tiering = compiles ? Tiering::on : Tiering::off});
      t.plain.use(std::string("(W) mov (8|M0) r24.0<1>:ud 0xFFFFFFFF:ud\n"
                              "(W) mul (8|M0) r20.0<1>:ud r0.1<0;1,0>:ud 5:uw\n"
                              "(W) mov (1|M0) r21.0<1>:ud tm0.0<0;1,0>:ud\n") +
                  reader +
                  "(W) mov (1|M0) r2.0<1>:ud r0.1<0;1,0>:ud\n"
                  "(W) shr (1|M0) r2.1<1>:ud r22.0<0;1,0>:ud 16:uw\n"
                  "(W) add (1|M0) r2.1<1>:ud r2.1<0;1,0>:ud 10:uw\n" +
                  testing::store(2) + testing::end());
      EXPECT_EQ(t.run(20, 10).compiled_threads, compiles ? 20u : 0u);
    }
}

TEST(CompilingTier, AutomaticBeginsInterpretedAndChangesOver) {
  Tiers t({.tiering = Tiering::automatic, .patience = 0, .look_after = 0});
  t.plain.use(loop_kernel(10));
  EXPECT_EQ(t.run(1, 10).compiled_threads, 0u);
  EXPECT_TRUE(t.run_until_compiled(100, 10));
  EXPECT_EQ(t.tier.counts().compiled, 1u);
}

TEST(CompilingTier, AutomaticLeavesWhatRunsSeldom) {
  Tiers t({.tiering = Tiering::automatic});
  t.plain.use(loop_kernel(10));
  t.run(100, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(t.tier.counts().compiled, 0u);
}

// One thread that runs long is not interpreted to its end.
TEST(CompilingTier, ChangesOverInTheMiddleOfAThread) {
  Tiers t({.tiering = Tiering::automatic}, 1);
  t.plain.use(loop_kernel(10'000'000));
  EXPECT_EQ(t.run(1, 10'000'000).compiled_threads, 1u);
}

TEST(CompilingTier, KeptCodeNeedsNoCompiler) {
  const TemporaryFolder f;
  {
    Tiers t({.tiering = Tiering::on, .device = "kbl", .store = f.path});
    t.plain.use(loop_kernel(10));
    t.run(50, 10);
    EXPECT_EQ(t.tier.counts().compiled, 1u);
  }
  for (const Tiering tiering : {Tiering::on, Tiering::automatic}) {
    Tiers t({.tiering = tiering, .patience = 1'000'000, .look_after = 100, .device = "kbl", .store = f.path});
    t.plain.use(loop_kernel(10));
    EXPECT_TRUE(t.run_until_compiled(100, 10));
    EXPECT_EQ(t.tier.counts().compiled, 0u);
    EXPECT_EQ(t.tier.counts().loaded, 1u);
  }
  Tiers other({.tiering = Tiering::on, .device = "bdw", .store = f.path});
  other.plain.use(loop_kernel(10));
  other.run(50, 10);
  EXPECT_EQ(other.tier.counts().compiled, 1u);
}

// Bytes of memory that may be run and belong to no file.
size_t code_in_memory() {
  size_t bytes = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(" r-xp 00000000 00:00 0 ") != std::string::npos && line.find('[') == std::string::npos) {
      const size_t dash = line.find('-');
      bytes += std::stoull(line.substr(dash + 1), nullptr, 16) - std::stoull(line, nullptr, 16);
    }
  return bytes;
}

// A program that builds kernels without end keeps as many in memory as the cache of programs does.
TEST(CompilingTier, CodeGoesWithItsKernel) {
  Tiers t({.tiering = Tiering::on});
  ProgramCache programs(gen::gen9(), 100);
  std::vector<std::byte> page(memory::page_bytes);
  const memory::Table table({{.start = 0x1000, .bytes = page.size(), .host = page.data()}});
  memory::View view(std::make_shared<memory::Table>(table));
  const size_t before = code_in_memory();
  for (int n = 0; n < 40; ++n) {
    const std::vector<std::byte> code = testing::assembled(gen::gen9(), loop_kernel(10, n));
    std::copy(code.begin(), code.end(), page.begin());
    t.plain.stage.state.kernel = programs.find(view, 0x1000);
    EXPECT_EQ(t.run(3, 10).compiled_threads, 3u);
  }
  EXPECT_EQ(t.tier.counts().compiled, 40u);
  EXPECT_LE(programs.instructions(), 100u);
  EXPECT_LE(code_in_memory() - before, t.tier.counts().code_bytes / 40 * (programs.kernels() + 1));
}

TEST(CompilingTier, DumpsWhatItMakes) {
  const TemporaryFolder f;
  Tiers t({.tiering = Tiering::on, .device = "kbl", .dump = f.path});
  t.plain.use(loop_kernel(10));
  t.run(1, 10);
  std::map<std::string, std::string> text;
  for (const auto& e : fs::directory_iterator(f.path)) {
    std::ifstream in(e.path());
    text[e.path().extension()].assign(std::istreambuf_iterator<char>(in), {});
    EXPECT_TRUE(e.path().filename().string().starts_with("eu_kbl_"));
  }
  EXPECT_NE(text[".eu"].find("jmpi"), std::string::npos);
  EXPECT_NE(text[".ll"].find("define"), std::string::npos);
  EXPECT_NE(text[".s"].find("eu_kbl_"), std::string::npos);
}

TEST(CompilingTier, TellsPerfAndDebuggers) {
  const std::string map = fmt::format(P_tmpdir "/perf-{}.map", getpid());
  fs::remove(map);
  {
    Tiers t({.tiering = Tiering::on, .device = "kbl", .tell_perf = true, .tell_gdb = true});
    t.plain.use(loop_kernel(10));
    t.run(1, 10);
    std::ifstream in(map);
    std::string address, size, name;
    in >> address >> size >> name;
    EXPECT_TRUE(name.starts_with("eu_kbl_")) << name;
    const auto* slot = &t.plain.stage.state.kernel->tier->slots[0];
    EXPECT_EQ(std::stoull(address, nullptr, 16), reinterpret_cast<uintptr_t>(slot->compiled->code().data()));
    EXPECT_FALSE(slot->compiled->shared_code().empty());  // for its message
    EXPECT_EQ(slot->symbols.size(), 2u);
  }
  fs::remove(map);
}

#ifndef __SANITIZE_THREAD__  // its list of threads does not survive a fork: an id that comes back ends the child
TEST(CompilingTier, RestartsInAForkedChild) {
  Tiers t({.tiering = Tiering::automatic, .patience = 0, .look_after = 0});
  t.plain.use(loop_kernel(10));
  EXPECT_TRUE(t.run_until_compiled(100, 10));
  const pid_t child = fork();
  if (child == 0) {
    t.pool.restart_after_fork();
    t.tier.restart_after_fork();
    t.plain.use(loop_kernel(11));
    _exit(t.run_until_compiled(100, 11) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

// A process that ends while its compiler works does so in peace.
TEST(CompilingTier, MayBeAtWorkWhenTheProcessExits) {
  for (int n = 0; n < 5; ++n) {
    const pid_t child = fork();
    if (child == 0) {
      auto* t =
          new Tiers({.tiering = Tiering::automatic, .patience = 0, .look_after = 0});  // lives as long as the process
      t->plain.use(loop_kernel(10, n));
      t->run(10, 10);
      std::this_thread::sleep_for(std::chrono::milliseconds(n * 5));
      std::exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

}  // namespace
}  // namespace vitro::dispatch
