// The common shape of an instruction computes what the general way computes: random instructions of that shape, run
// both ways on the same thread, must leave the same thread. The suite runs a second time with VITRO_VECTORS=plain, so
// that both compilations of the row loops are held against the general way and thereby against each other. Not here:
// what the results should be, which is for tests/eu_reference.
#include <fmt/format.h>

#include <cfenv>
#include <random>

#include "eu/bench_test.h"
#include "eu/handlers.h"
#include "eu/rows.h"
#include "isa/print.h"

namespace vitro::eu {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : rng_(seed) {}
  uint32_t operator()() { return rng_(); }
  int below(int n) { return int(rng_() % unsigned(n)); }
  const char* one_of(std::initializer_list<const char*> all) { return all.begin()[below(int(all.size()))]; }

  uint32_t value() {
    static constexpr uint32_t special[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x00000001,
                                           0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
                                           0x7FC00000, 0xFF800001, 0x4F000000, 0xCF000000, 0x4F800000, 0xCF000001,
                                           0x4EFFFFFF, 0x40200000, 0xC0600000, 0xFFFFFFFF, 0x7FFFFFFF, 0x3FC00000};
    switch (below(3)) {
      case 0: return special[below(int(std::size(special)))];
      case 1: return rng_();
      default: return std::bit_cast<uint32_t>(float(below(2001) - 1000) / 64);
    }
  }

  std::string source(const char* type, bool modifiers) {
    const char* modifier = modifiers ? one_of({"", "", "-", "(abs)", "-(abs)"}) : "";
    const bool same = below(3) == 0;
    return fmt::format(" {}r{}.{}{}:{}", modifier, 2 + below(6), below(8), same ? "<0;1,0>" : "<8;8,1>", type);
  }
  std::string ternary_source(bool last) {
    const char* modifier = one_of({"", "", "-", "(abs)", "-(abs)"});
    const bool same = below(3) == 0;
    return fmt::format(" {}r{}.{}{}:f", modifier, 2 + below(6), same ? below(8) : 4 * below(2),
                       same ? (last ? "<0>" : "<0;0>") : (last ? "<1>" : "<2;1>"));
  }

  std::string instruction() {
    const int size = 8 << below(2);
    const std::string predicate = one_of({"", "", "(f0.0) ", "(~f0.0) ", "(f0.0.any4h) ", "(W) "});
    const std::string condition = fmt::format(" ({})f0.0", one_of({"eq", "ne", "gt", "ge", "lt", "le", "un"}));
    const std::string maybe = below(3) ? "" : condition;
    const std::string sat = below(4) ? " " : " (sat)";
    const auto dst = [&](const char* type) { return fmt::format("r{}.0<1>:{}", 2 + below(6), type); };
    const auto head = [&](const char* op) { return fmt::format("{}{} ({}|M0)", predicate, op, size); };
    const char* whole = one_of({"d", "ud"});
    switch (below(14)) {
      case 0: return head(one_of({"add", "mul"})) + maybe + sat + dst("f") + source("f", true) + source("f", true);
      case 1:
        return head(one_of({"mov", "frc", "rndu", "rndd", "rnde", "rndz"})) + maybe + sat + dst("f") +
               source("f", true);
      case 2:
        return head("mad") + maybe + sat + dst("f") + ternary_source(false) + ternary_source(false) +
               ternary_source(true);
      case 3: {
        const char* type = one_of({"f", "d", "ud"});
        return head(one_of({"cmp", "cmpn"})) + condition + " " +
               (below(2) ? "null<1>:" + std::string(type) : dst(type)) + source(type, true) + source(type, true);
      }
      case 4: {
        const char* type = one_of({"f", "d", "ud"});
        return fmt::format("sel ({}|M0)", size) + condition + " " + dst(type) + source(type, true) + source(type, true);
      }
      case 5: {
        const char* type = one_of({"f", "d", "ud"});
        const bool raw = below(2);
        return fmt::format("(f0.0) sel ({}|M0) ", size) + dst(type) + source(type, !raw) + source(type, !raw);
      }
      case 6: return head("mov") + maybe + " " + dst(one_of({"d", "ud"})) + source("f", true);
      case 7: return head("mov") + maybe + sat + dst("f") + source(whole, true);
      case 8: return head(one_of({"math.inv", "math.sqt", "math.rsqt"})) + sat + dst("f") + source("f", true);
      case 9: return head("math.fdiv") + sat + dst("f") + source("f", true) + source("f", true);
      case 10:
        return head(one_of({"math.log", "math.exp", "math.sin", "math.cos"})) + sat + dst("f") + source("f", true);
      case 11: return head("math.pow") + sat + dst("f") + source("f", true) + source("f", true);
      case 12:
        return head("pln") + maybe + sat + dst("f") +
               fmt::format(" {}r{}.{}<0;1,0>:f {}r{}.0<8;8,1>:f", one_of({"", "-", "(abs)"}), 2 + below(6), below(8),
                           one_of({"", "-", "(abs)"}), 2 + below(6));
      default:
        return head(one_of({"add", "mul", "and", "or", "xor", "shl", "shr", "asr", "avg"})) + maybe + " " + dst(whole) +
               source(whole, below(3) == 0) + (below(4) ? source(whole, false) : " 3:w");
    }
  }

 private:
  std::mt19937 rng_;
};

void leave_the_same_thread(const isa::Model& m, unsigned seed, uint32_t modes) {
  Generator g(seed);
  std::string text;
  for (int n = 0; n < 4000; ++n) text += g.instruction() + "\n";
  const isa::Assembly a = isa::assemble(m, text, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) FAIL() << isa::render("rows", text, d, false);
  const Program program(m, a.code);
  const SharedFunctions functions{};
  constexpr int host_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int in_rows = 0;
  for (const Plan& p : program.plans()) {
    Plan general = p;
    general.rows = {};
    general.run = handler_for(general);
    if (general.run == p.run) continue;
    ++in_rows;
    Thread before{};
    for (size_t at = 0; at < before.grf.size(); at += 4) {
      const uint32_t v = g.value();
      std::memcpy(before.grf.data() + at, &v, 4);
    }
    before.flag = {g(), g()};
    before.dispatched = 0xFFFF;
    before.active = g.below(3) ? 0xFFFF : g() & 0xFFFF;
    before.cr[0] = g() & modes;
    Thread one = before, other = before;
    Executor x{one, program, functions}, y{other, program, functions};
    std::fesetround(host_modes[before.rounding_mode()]);
    p.run(x, p);
    general.run(y, general);
    std::fesetround(FE_TONEAREST);
    const std::string what = isa::to_text(m, p.instruction, {.messages = false, .columns = false});
    EXPECT_FALSE(x.fault || y.fault) << what;
    EXPECT_EQ(one.ip, other.ip) << what;
    EXPECT_EQ(one.flag, other.flag) << what;
    EXPECT_EQ(one.acc, other.acc) << what;
    for (size_t at = 0; at < one.grf.size(); at += 4) {
      uint32_t u, v;
      std::memcpy(&u, one.grf.data() + at, 4);
      std::memcpy(&v, other.grf.data() + at, 4);
      ASSERT_EQ(u, v) << what << "\nr" << at / 32 << "." << at % 32 / 4 << fmt::format(", cr0.0 {:#x}", before.cr[0]);
    }
  }
  EXPECT_GT(in_rows, 3600);  // the rest: shapes the general way alone knows
}

TEST(Rows, LeaveTheSameThreadAsTheGeneralWay) {
  const uint32_t rounding = 3u << cr_rounding_shift;
  leave_the_same_thread(gen::gen6(), 1, cr_alt_mode);
  leave_the_same_thread(gen::gen8(), 2, cr_alt_mode | cr_keep_float_denorms | rounding);
  leave_the_same_thread(gen::gen9(), 3, cr_alt_mode | cr_keep_float_denorms | rounding);
}

}  // namespace
}  // namespace vitro::eu
