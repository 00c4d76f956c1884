// Tests of the tiers: the same results whichever runs a thread, code in the background, kept code, bounds, forks.
#include "dispatch/tier.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "dispatch/kernels_test.h"

namespace vitro::dispatch {
namespace {

using testing::Bench;
namespace fs = std::filesystem;

// Stores 5 * group + loops at the group's number, after so many rounds of a loop.
std::string loop_kernel(int loops, int seed = 0) {
  return fmt::format(
             "(W) mov (8|M0) r10.0<1>:ud {}:ud\n"
             "(W) mov (1|M0) r2.0<1>:ud r0.1<0;1,0>:ud\n"
             "(W) mul (1|M0) r2.1<1>:ud r0.1<0;1,0>:ud 5:uw\n"
             "(W) mov (1|M0) r3.0<1>:d 0:d\n"
             "round:\n"
             "(W) add (1|M0) r3.0<1>:d r3.0<0;1,0>:d 1:w\n"
             "(W) cmp (1|M0) (lt)f0.0 null<1>:d r3.0<0;1,0>:d {}:d\n"
             "(W&f0.0) jmpi round\n"
             "(W) add (1|M0) r2.1<1>:d r2.1<0;1,0>:d r3.0<0;1,0>:d\n",
             seed, loops) +
         testing::store(2) + testing::end();
}

struct Tiers {
  Bench plain{1};
  Tier tier;
  Pool pool;
  explicit Tiers(const TierOptions& options, unsigned workers = 2, Tier::Generate generate = eu::jit::generate)
      : tier(options, {}, std::move(generate)),
        pool({.workers = workers,
              .subslice = {.functions = {&testing::words_row, 1}, .gateway = &shared::gateway_gen9, .tier = &tier}}) {}

  Counts run(uint64_t groups, int loops) {
    plain.stored.assign(plain.stored.size(), 0);
    plain.work.groups = groups;
    const Outcome o = pool.run(plain.work);
    EXPECT_FALSE(o.fault) << o.fault->to_text();
    for (uint64_t g = 0; g < groups; ++g) EXPECT_EQ(plain.stored[g], 5 * g + uint64_t(loops));
    return o.counts;
  }
  // Until the code is there, for 30 s at most.
  bool run_until_compiled(uint64_t groups, int loops) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end)
      if (run(groups, loops).compiled_threads == groups) return true;
    return false;
  }
};

struct Folder {
  std::string path = (fs::temp_directory_path() / "tier_XXXXXX").string();
  Folder() { path = mkdtemp(path.data()); }
  ~Folder() { fs::remove_all(path); }
};

TEST(Tier, NamesOfModes) {
  EXPECT_EQ(parse_tiering("off"), Tiering::off);
  EXPECT_EQ(parse_tiering("on"), Tiering::on);
  EXPECT_EQ(parse_tiering("auto"), Tiering::automatic);
  EXPECT_FALSE(parse_tiering("always"));
}

TEST(Tier, OffInterpretsEverything) {
  Tiers t({.tiering = Tiering::off});
  t.plain.use(loop_kernel(10));
  EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);
  EXPECT_EQ(t.tier.counts().compiled, 0u);
}

// A compiler that does not come to an end, but with kernels that are told apart by what they begin with.
struct Stuck {
  std::mutex lock{};
  std::condition_variable changed{};
  bool released = false;
  std::atomic<int> begun{0}, ended{0};

  static bool is_meant(const eu::Program& program) { return program.plans()[0].instruction.imm == 0; }
  std::vector<std::byte> generate(const eu::Program& program, const eu::jit::Options& options) {
    ++begun;
    if (is_meant(program)) {
      std::unique_lock guard(lock);
      changed.wait(guard, [&] { return released; });
    }
    std::vector<std::byte> bytes = eu::jit::generate(program, options);
    ++ended;
    return bytes;
  }
  Tier::Generate function() {
    return [this](const eu::Program& p, const eu::jit::Options& o) { return generate(p, o); };
  }
  void release() {
    const std::lock_guard guard(lock);
    released = true;
    changed.notify_all();
  }
  // For 30 s at most.
  static bool in_time(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
  }
};

TEST(Tier, OnGivesUpACompilerThatDoesNotEnd) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::on, .allowed_ms = 20, .allowed_ms_each = 0}, 2, stuck.function());
    t.plain.use(loop_kernel(10));
    EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);
    EXPECT_EQ(t.tier.counts().failed, 1u);
    EXPECT_EQ(t.run(50, 10).compiled_threads, 0u);  // without waiting again
    EXPECT_EQ(stuck.begun, 1);
    // what comes late is taken all the same
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return t.tier.counts().failed == (eu::jit::available() ? 0u : 1u); }));
    EXPECT_EQ(t.run(50, 10).compiled_threads, eu::jit::available() ? 50u : 0u);
  }
  EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 1; }));
}

TEST(Tier, OthersTakeTheOrdersOfOneThatDoesNotEnd) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::automatic, .patience = 1, .allowed_ms = 20, .allowed_ms_each = 0}, 2,
            stuck.function());
    t.plain.use(loop_kernel(10, 0));
    t.run(50, 10);
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.begun == 1; }));
    t.plain.use(loop_kernel(10, 1));
    EXPECT_TRUE(Stuck::in_time([&] { return t.run(50, 10).compiled_threads > 0 || stuck.ended == 1; }));
    EXPECT_EQ(stuck.begun, 2);
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 2; }));
  }
}

// Not without end: at some point the machine belongs to the program.
TEST(Tier, FewAreLeftToThemselves) {
  Stuck stuck;
  {
    Tiers t({.tiering = Tiering::on, .allowed_ms = 5, .allowed_ms_each = 0}, 2, stuck.function());
    for (int n = 0; n < 10; ++n) {
      t.plain.use(loop_kernel(10 + n));
      EXPECT_EQ(t.run(20, 10 + n).compiled_threads, 0u);
    }
    EXPECT_EQ(stuck.begun, 3);
    stuck.release();
    EXPECT_TRUE(Stuck::in_time([&] { return stuck.ended == 3; }));
  }
}

class Compiling : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!eu::jit::available()) GTEST_SKIP() << "built without the JIT";
  }
};

TEST_F(Compiling, OnCompilesBeforeTheFirstThread) {
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

TEST_F(Compiling, BothCountTheSameInstructions) {
  uint64_t instructions[2];
  for (const bool compiles : {false, true}) {
    Tiers t({.tiering = compiles ? Tiering::on : Tiering::off});
    t.plain.use(loop_kernel(100));
    instructions[compiles] = t.run(10, 100).instructions;
  }
  EXPECT_EQ(instructions[0], instructions[1]);
}

TEST_F(Compiling, AutomaticBeginsInterpretedAndChangesOver) {
  Tiers t({.tiering = Tiering::automatic, .patience = 100});
  t.plain.use(loop_kernel(10));
  EXPECT_EQ(t.run(1, 10).compiled_threads, 0u);
  EXPECT_TRUE(t.run_until_compiled(100, 10));
  EXPECT_EQ(t.tier.counts().compiled, 1u);
}

TEST_F(Compiling, AutomaticLeavesWhatRunsSeldom) {
  Tiers t({.tiering = Tiering::automatic, .patience = 1'000'000});
  t.plain.use(loop_kernel(10));
  t.run(100, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(t.tier.counts().compiled, 0u);
}

// One thread that runs long is not interpreted to its end.
TEST_F(Compiling, ChangesOverInTheMiddleOfAThread) {
  Tiers t({.tiering = Tiering::automatic, .patience = 100}, 1);
  t.plain.use(loop_kernel(10'000'000));
  EXPECT_EQ(t.run(1, 10'000'000).compiled_threads, 1u);
}

TEST_F(Compiling, KeptCodeNeedsNoCompiler) {
  const Folder f;
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
TEST_F(Compiling, CodeGoesWithItsKernel) {
  Tiers t({.tiering = Tiering::on});
  ProgramCache programs(gen::gen9(), 100);
  std::vector<std::byte> page(memory::page_bytes);
  const memory::Table table({{.start = 0x1000, .bytes = page.size(), .host = page.data()}});
  memory::View view(std::make_shared<memory::Table>(table));
  const size_t before = code_in_memory();
  for (int n = 0; n < 40; ++n) {
    const std::vector<std::byte> code = testing::assembled(gen::gen9(), loop_kernel(10, n));
    std::copy(code.begin(), code.end(), page.begin());
    t.plain.work.state.kernel = programs.find(view, 0x1000);
    EXPECT_EQ(t.run(3, 10).compiled_threads, 3u);
  }
  EXPECT_EQ(t.tier.counts().compiled, 40u);
  EXPECT_LE(programs.instructions(), 100u);
  EXPECT_LE(code_in_memory() - before, t.tier.counts().code_bytes / 40 * (programs.kernels() + 1));
}

TEST_F(Compiling, DumpsWhatItMakes) {
  const Folder f;
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

TEST_F(Compiling, TellsPerfAndDebuggers) {
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
    const auto* slot = &t.plain.work.state.kernel->tier->slots[0];
    EXPECT_EQ(std::stoull(address, nullptr, 16), reinterpret_cast<uintptr_t>(slot->compiled->code().data()));
    EXPECT_TRUE(slot->symbols);
  }
  fs::remove(map);
}

TEST_F(Compiling, RestartsInAForkedChild) {
  Tiers t({.tiering = Tiering::automatic, .patience = 100});
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

// A process that ends while its compiler works does so in peace.
TEST_F(Compiling, MayBeAtWorkWhenTheProcessExits) {
  for (int n = 0; n < 5; ++n) {
    const pid_t child = fork();
    if (child == 0) {
      auto* t = new Tiers({.tiering = Tiering::automatic, .patience = 1});  // lives as long as the process
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
