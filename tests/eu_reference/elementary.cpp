// The elementary functions of all floats: how far they are from the host's library in double, and whether the plain
// reference of one lane, the interpreter's form and compiled code give the same bits.
//   eu_elementary [--all] [exp|log|sin|cos|pow]...
// With --all every float is tried, which takes about an hour of processor time; without it one in a thousand. Of
// powers, which have two arguments, pairs are drawn at random. PRM: none states an error; docs/decisions/0010 has the
// limits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "code/build.h"
#include "eu/compiled.h"
#include "eu/elementary.h"
#include "eu/elementary_reference_test.h"
#include "eu/executor.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "lanes/one.h"
#if VITRO_JIT
#include "jit/compile.h"
#endif

using namespace vitro;

namespace {

struct Function {
  std::string_view name;
  isa::MathFunction code;
  double units, absolute;  // of error that is allowed: in the last place, or so much
};
constexpr Function functions[] = {
    {"exp", isa::MathFunction::exp, 1, 0},       {"log", isa::MathFunction::log, 2, 0},
    {"sin", isa::MathFunction::sin, 0, 0x1p-21}, {"cos", isa::MathFunction::cos, 0, 0x1p-21},
    {"pow", isa::MathFunction::pow, 16, 0},
};

// As many numbers as one run of compiled code takes.
constexpr int registers = 40, first = 2, second = first + registers, result = second + registers;
constexpr size_t numbers = registers * 8;
using Numbers = std::array<float, numbers>;

// Compiled code that computes a function of all registers; without a compiler there is none.
class Code {
 public:
  explicit Code(const Function& f) : program_(gen::gen9(), assembled(f)) {
#if VITRO_JIT
    compiled_ = jit::compile(program_, {.exact_nans = true});
#endif
  }
  bool is_made() const { return compiled_ != nullptr; }
  void run(const Numbers& a, const Numbers& b, Numbers& r) const {
    eu::Thread t{};
    t.dispatched = t.active = t.sr[2] = t.sr[3] = 0xFFFF;
    t.cr[0] = eu::cr_keep_float_denorms | eu::cr_keep_double_denorms;
    std::memcpy(t.grf.data() + first * eu::reg_bytes, a.data(), sizeof a);
    std::memcpy(t.grf.data() + second * eu::reg_bytes, b.data(), sizeof b);
    eu::SharedFunctions functions{};
    functions[7] = {[](void*, eu::Thread&, eu::Message&, std::string&) { return eu::Reply::done; }};
    eu::Executor x{t, program_, functions};
    compiled_->run(x, 1000);
    std::memcpy(r.data(), t.grf.data() + result * eu::reg_bytes, sizeof r);
  }

 private:
  static std::vector<std::byte> assembled(const Function& f) {
    std::string text;
    for (int n = 0; n < registers; n += 2) {
      text += fmt::format("math.{} (16|M0) r{}.0<1>:f r{}.0<8;8,1>:f", f.name, result + n, first + n);
      text += f.code == isa::MathFunction::pow ? fmt::format(" r{}.0<8;8,1>:f\n", second + n) : "\n";
    }
    return isa::assemble(gen::gen9(), text + "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n", {.validate = false})
        .code;
  }
  eu::Program program_;
  std::shared_ptr<const eu::Compiled> compiled_;
};

class Trial {
 public:
  explicit Trial(const Function& f) : f_(f), index_(*eu::elementary_index(f.code)), code_(f) {}

  void check(const Numbers& a, const Numbers& b) {
    Numbers host, compiled;
    for (size_t n = 0; n < numbers; n += 8)
      eu::elementary_functions()[index_](a.data() + n, b.data() + n, host.data() + n);
    compiled = host;
    if (code_.is_made()) code_.run(a, b, compiled);
    for (size_t n = 0; n < numbers; ++n) {
      const float one = eu::elementary(lanes::One{}, index_, lanes::OneFloat(a[n]), lanes::OneFloat(b[n])).v;
      const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
      if (bits(host[n]) != bits(one) || bits(host[n]) != bits(compiled[n]))
        fail(a[n], b[n], fmt::format("one lane {:a}, eight {:a}, compiled {:a}", one, host[n], compiled[n]));
      judge(a[n], b[n], host[n]);
    }
    tried_ += numbers;
  }
  bool report() const {
    fmt::print("{}: {} tried, {} wrong; at most {:.3f} units in the last place at {:a} {:a}, 2^{:.2f} at {:a}{}\n",
               f_.name, tried_, wrong_, units_, units_at_, units_second_, std::log2(absolute_), absolute_at_,
               code_.is_made() ? "" : "; not compiled");
    return wrong_ == 0 && code_.is_made() == code::has_compiler;
  }

 private:
  void judge(float a, float b, float got) {
    const double want = eu::of_library(f_.code, a, b);
    if (std::isnan(want) || std::isnan(got)) {
      if (std::isnan(want) != std::isnan(got)) fail(a, b, fmt::format("{:a}, not {:a}", got, want));
      return;
    }
    if (std::isinf(float(want)) || std::isinf(got)) {
      // within the error of what is still a number, either may be meant
      const bool either = std::fabs(std::fabs(want) - 0x1p128) <= (f_.units + 1) * 0x1p104;
      if (float(want) != got && !either) fail(a, b, fmt::format("{:a}, not {:a}", got, want));
      return;
    }
    const double error = std::fabs(got - want), units = error / eu::ulp(want);
    if (units > units_ && f_.units > 0) units_ = units, units_at_ = a, units_second_ = b;
    if (error > absolute_) absolute_ = error, absolute_at_ = a;
    if (units > f_.units && error > f_.absolute) fail(a, b, fmt::format("{:a}, not {:a}", got, want));
    if (f_.units == 0 && std::fabs(got) > 1) fail(a, b, "larger than 1");
  }
  void fail(float a, float b, const std::string& why) {
    if (++wrong_ < 20) fmt::print("{} of {:a}, {:a}: {}\n", f_.name, a, b, why);
  }

  const Function& f_;
  int index_;
  Code code_;
  size_t tried_ = 0, wrong_ = 0;
  double units_ = 0, absolute_ = 0;
  float units_at_ = 0, units_second_ = 0, absolute_at_ = 0;
};

bool try_all(const Function& f, uint64_t step) {
  Trial trial(f);
  uint64_t next = 0;
  for (Numbers a; next < uint64_t(1) << 32;) {
    for (float& x : a) x = std::bit_cast<float>(uint32_t(next)), next += step;
    trial.check(a, a);
  }
  return trial.report();
}
// Second arguments that give powers of every size, and any others.
bool try_pairs(const Function& f, size_t count) {
  constexpr float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, HUGE_VALF, -HUGE_VALF, NAN, -NAN};
  Trial trial(f);
  Rng rng(1);
  for (size_t n = 0; n < count; ++n) {
    Numbers a, b;
    for (size_t l = 0; l < numbers; ++l) {
      a[l] = std::bit_cast<float>(uint32_t(rng()));
      if (l % 3 == 1) a[l] = std::exp2(float(int32_t(rng())) * 0x1p-29f);
      if (l % 3 == 2) a[l] = 1 + float(int32_t(rng())) * 0x1p-31f * std::exp2(-float(rng.below(20)));
      b[l] = float(double(int64_t(rng())) * 0x1p-63 * 150 / std::log2(std::fabs(double(a[l]))));
      if (l % 16 == 0) b[l] = std::bit_cast<float>(uint32_t(rng()));
      if (l % 16 == 5) a[l] = rng.pick(special);
      if (l % 16 == 5 && rng.coin()) b[l] = rng.pick(special);
    }
    trial.check(a, b);
  }
  return trial.report();
}

}  // namespace

int main(int argc, char** argv) {
  bool all = false, good = true;
  std::vector<std::string_view> chosen;
  for (int n = 1; n < argc; ++n) {
    const std::string_view a = argv[n];
    if (a == "--all")
      all = true;
    else if (std::any_of(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == a; }))
      chosen.push_back(a);
    else
      return fmt::print(stderr, "usage: eu_elementary [--all] [exp|log|sin|cos|pow]...\n"), 2;
  }
  for (const Function& f : functions) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), f.name) == chosen.end()) continue;
    good &= f.code == isa::MathFunction::pow ? try_pairs(f, all ? 1'000'000 : 5'000) : try_all(f, all ? 1 : 1021);
  }
  return good ? 0 : 1;
}
