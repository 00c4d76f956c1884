// Tests of machine code as bytes: it runs after a way through them, and other bytes are refused.
#include "code/image.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "code/compiler.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "jit/compile.h"

namespace vitro::jit {
namespace {

std::vector<std::byte> code_of(const std::string& text) {
  const isa::Assembly a = isa::assemble(gen::gen9(), text, {.validate = false});
  EXPECT_TRUE(a.ok());
  return a.code;
}
Program program_of(const std::string& text) { return Program(gen::gen9(), code_of(text)); }
constexpr const char* adds =
    "add (8|M0) r3.0<1>:d r2.0<8;8,1>:d 7:w\nadd (8|M0) r3.0<1>:d r3.0<8;8,1>:d r3.0<8;8,1>:d\n";

TEST(Image, RunsAfterAWayThroughBytes) {
  const Program program = program_of(adds);
  const std::vector<std::byte> bytes = generate(program);
  ASSERT_FALSE(bytes.empty());
  const std::optional<code::Image> image = code::to_image(bytes);
  ASSERT_TRUE(image);
  EXPECT_EQ(to_bytes(*image), bytes);
  EXPECT_EQ(to_bytes(*to_facts(image->facts)), image->facts);
  const auto compiled = load(program, bytes);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->counts().instructions, 2);
  EXPECT_EQ(compiled->code().size(), image->function_bytes);
  Thread t{};
  t.dispatched = t.active = t.sr[2] = t.sr[3] = 0xFF;
  const uint32_t five = 5;
  std::memcpy(t.grf.data() + 2 * reg_bytes, &five, 4);
  const SharedFunctions none{};
  Executor x{.thread = t, .program = program, .functions = none};
  compiled->run(x, 2);
  uint32_t result;
  std::memcpy(&result, t.grf.data() + 3 * reg_bytes, 4);
  EXPECT_EQ(result, 24u);
}

// In children: LLVM ends the process when it gets no memory.
TEST(Image, WithoutRoomNothingIsGenerated) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers do not work within a limit of the address space";
#endif
  const code::Order order{.device = "kbl", .kernel = code_of(adds)};
  for (const rlim_t mib : {0, 4, 16, 20, 24, 28, 32, 48, 64, 128, 160, 1024}) {
    const pid_t child = fork();
    if (child == 0) {
      unsigned long pages = 0;
      if (FILE* file = std::fopen("/proc/self/statm", "re"); !file || std::fscanf(file, "%lu", &pages) != 1) _exit(2);
      const rlim_t most = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + (mib << 20);
      const rlimit limit{most, most};
      setrlimit(RLIMIT_AS, &limit);
      _exit(code::compile(to_bytes(order)).empty() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << mib;
    EXPECT_EQ(WEXITSTATUS(status), mib < 160 ? 1 : 0) << mib;
  }
}

TEST(Image, OtherBytesAreRefused) {
  const Program program = program_of(adds);
  const std::vector<std::byte> bytes = generate(program);
  EXPECT_FALSE(load(program, {}));
  for (size_t n = 0; n < bytes.size(); n += 7) EXPECT_FALSE(load(program, std::span(bytes).first(n)));
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  EXPECT_FALSE(load(program, longer));
}

// What to_bytes() would never say, and what is said of another program.
TEST(Image, NonsenseIsRefused) {
  const Program program = program_of(adds);
  struct Both : code::Image, CodeFacts {};
  const auto bytes_of = [](const Both& b) {
    code::Image image = b;
    image.facts = to_bytes(static_cast<const CodeFacts&>(b));
    return to_bytes(image);
  };
  const auto refuses = [&](auto change) {
    const std::optional<code::Image> image = code::to_image(generate(program));
    Both b{*image, *to_facts(image->facts)};
    b.sites = {};
    b.labels = {0, 16};
    EXPECT_TRUE(load(program, bytes_of(b)));
    change(b);
    return !load(program, bytes_of(b));
  };
  const auto set = [](auto& member, int value) { std::memset(&member, value, sizeof member); };
  EXPECT_TRUE(refuses([](Both& i) { i.start = uint32_t(i.code.size()); }));
  EXPECT_TRUE(refuses([](Both& i) { i.function_bytes = uint32_t(i.code.size() - i.start + 1); }));
  EXPECT_TRUE(refuses([](Both& i) { i.shared = uint32_t(i.code.size()) + 1; }));
  EXPECT_TRUE(refuses([](Both& i) { i.code.clear(); }));
  EXPECT_TRUE(refuses([](Both& i) { i.labels = {16, 0}; }));
  EXPECT_TRUE(refuses([](Both& i) { i.labels = {16, 16}; }));
  EXPECT_TRUE(refuses([](Both& i) { i.entries.push_back({4, {}}); }));
  EXPECT_TRUE(refuses([](Both& i) { i.entries.push_back({1 << 20, {}}); }));
  EXPECT_TRUE(refuses([](Both& i) { i.counts.instructions = 3; }));
  EXPECT_TRUE(refuses([](Both& i) { i.counts.emitted = -1; }));
  EXPECT_TRUE(refuses([](Both& i) { i.counts.milliseconds = -1; }));
  EXPECT_TRUE(refuses([&](Both& i) { set(i.counts.milliseconds, 0xFF); }));
  EXPECT_TRUE(refuses([](Both& i) { i.sites = {0}; }));  // no message
  EXPECT_TRUE(refuses([](Both& i) { i.sites = {1000}; }));
  EXPECT_TRUE(refuses([](Both& i) { i.fused = {{1, {}}, {1, {}}}; }));
}

// A device that nobody knows, and bytes that are no order.
TEST(Order, OthersAreRefused) {
  const code::Order order{.device = "kbl", .kernel = code_of(adds), .name = "f"};
  const std::vector<std::byte> bytes = to_bytes(order);
  EXPECT_EQ(to_bytes(*code::to_order(bytes)), bytes);
  EXPECT_FALSE(code::compile(bytes).empty());
  for (size_t n = 0; n + 1 < bytes.size(); n += 5) EXPECT_TRUE(code::compile(std::span(bytes).first(n)).empty()) << n;
  code::Order fused = order;
  fused.fused = {{2, {std::byte(1), std::byte(2)}}, {7, {}}};
  EXPECT_EQ(code::to_order(to_bytes(fused))->fused, fused.fused);
  EXPECT_NE(key_of(fused), key_of(order));
  EXPECT_TRUE(code::compile(to_bytes(code::Order{.device = "k", .kernel = order.kernel})).empty());
  EXPECT_TRUE(code::compile(to_bytes(code::Order{.device = "kbl"})).empty());
}

}  // namespace
}  // namespace vitro::jit
