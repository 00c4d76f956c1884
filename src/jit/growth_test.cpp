// The time that compiling takes must grow as the program does: processor time of a program is compared with that of one
// four times as long, for straight code, for branches and loops, and for calls. VITRO_JIT_LONGEST sets the length of
// the longer one, to see how long something like 20,000 instructions takes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "jit/compile.h"

namespace vitro::jit {
namespace {

double seconds_used() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

struct Text {
  Rng rng{5};
  std::string lines{};
  int count = 0;
  int labels = 0;

  void line(const std::string& s) { lines += s + "\n", ++count; }
  int reg() { return 10 + 2 * int(rng.below(50)); }
  void arithmetic(int n) {
    static constexpr const char* ops[] = {"add", "mul", "add", "sel"};
    for (int k = 0; k < n; ++k) {
      const char* op = ops[rng.below(4)];
      line(fmt::format("{}{} (16|M0) r{}.0<1>:f r{}.0<8;8,1>:f r{}.0<8;8,1>:f", op[0] == 's' ? "(f0.0) " : "", op,
                       reg(), reg(), reg()));
    }
  }
  void compare() { line(fmt::format("cmp (16|M0) (lt)f0.0 null<1>:f r{}.0<8;8,1>:f r{}.0<8;8,1>:f", reg(), reg())); }
  void branch() {
    const int n = labels++;
    compare();
    line(fmt::format("(f0.0) if (16|M0) else{} endif{}", n, n));
    arithmetic(4);
    lines += fmt::format("else{}:\n", n);
    line(fmt::format("else (16|M0) endif{} endif{}", n, n));
    arithmetic(3);
    lines += fmt::format("endif{}:\n", n);
    line(fmt::format("endif (16|M0) after{}", n));
    lines += fmt::format("after{}:\n", n);
  }
  void loop() {
    const int n = labels++;
    lines += fmt::format("loop{}:\n", n);
    arithmetic(6);
    compare();
    line(fmt::format("(f0.0) while (16|M0) loop{}", n));
  }
  // Over the function that follows, and into it from a place behind it.
  void function() {
    const int n = labels++;
    line(fmt::format("(W) jmpi behind{}", n));
    lines += fmt::format("function{}:\n", n);
    arithmetic(8);
    line("(W) ret (16|M0) r126.0");
    lines += fmt::format("behind{}:\n", n);
    line(fmt::format("(W) call (16|M0) r126.0 function{}", n));
    arithmetic(3);
  }
};

void straight(Text& t) { t.arithmetic(20); }
void branches(Text& t) { t.rng.coin() ? t.branch() : t.loop(); }
void functions(Text& t) { t.function(); }

struct Kind {
  const char* name;
  void (*piece)(Text&);
};
class Growth : public testing::TestWithParam<Kind> {};

std::vector<std::byte> code_of(const Kind& kind, int length) {
  Text t;
  while (t.count < length) kind.piece(t);
  t.lines += "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  const isa::Assembly a = isa::assemble(gen::gen9(), t.lines, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", t.lines, d, false);
  return a.code;
}
double seconds_for(const Program& program) {
  const double before = seconds_used();
  EXPECT_TRUE(compile(program, {.all_wait = false, .all_registers = false}));
  return seconds_used() - before;
}

TEST_P(Growth, IsThatOfTheProgram) {
  const char* longest = std::getenv("VITRO_JIT_LONGEST");
  const int length = longest ? std::atoi(longest) : 2400;
  const Program small(gen::gen9(), code_of(GetParam(), length / 4)), large(gen::gen9(), code_of(GetParam(), length));
  // in turns, since others may be using the processor's caches
  double times[2] = {1e9, 1e9};
  for (int n = 0; n < 3; ++n)
    times[0] = std::min(times[0], seconds_for(small)), times[1] = std::min(times[1], seconds_for(large));
  fmt::print("{} instructions in {:.2f} s, {} in {:.2f} s\n", length / 4, times[0], length, times[1]);
  EXPECT_LT(times[1] / times[0], 8);  // in proportion it is 4, and what grows with the square takes 16 times as long
}
INSTANTIATE_TEST_SUITE_P(Jit, Growth,
                         testing::Values(Kind{"straight", straight}, Kind{"branches", branches},
                                         Kind{"functions", functions}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace vitro::jit
