// Every opcode of every generation must be run by some test of the EU. Asked when all tests are done; with a filter on
// the command line the question makes no sense and is not asked.
#include <fmt/format.h>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

class EveryOpcodeRuns : public testing::Environment {
 public:
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*") return;
    for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()}) {
      size_t ran = 0, all = 0;
      std::string missing;
      for (const isa::OpcodeRow* row : m->by_op) {
        if (!row) continue;
        ++all;
        if (executed_opcodes().contains({m->generation, row->op}))
          ++ran;
        else
          missing += fmt::format(" {}", row->mnemonic);
      }
      fmt::print("{}: {} of {} opcodes were executed{}{}\n", m->name, ran, all,
                 missing.empty() ? "" : "; not:", missing);
      EXPECT_TRUE(missing.empty()) << m->name << " never ran" << missing;
    }
  }
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new EveryOpcodeRuns);

}  // namespace
}  // namespace vitro::eu
