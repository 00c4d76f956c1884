// Random programs, interpreted and compiled, on every generation: arithmetic of every row of the opcode table, then
// with flow control around it. Programs with messages to real data ports stand in
// src/shared/dataport/differential_test.cpp. campaign_test.h tells how to have more of them.
#include "gen/models.h"
#include "jit/campaign_test.h"

namespace vitro::jit {
namespace {

class Differential : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  Campaign campaign(bool flow) {
    Campaign c{.model = *GetParam()(), .around = {}, .options = {}};
    c.options.flow = flow;
    c.options.statements = flow ? 10 : 14;
    c.around.functions[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
    return c;
  }
};
INSTANTIATE_TEST_SUITE_P(EveryGeneration, Differential,
                         testing::Values([] { return &gen::gen6(); }, [] { return &gen::gen8(); },
                                         [] { return &gen::gen9(); }),
                         [](const auto& p) { return std::string(p.param()->name); });

TEST_P(Differential, Arithmetic) {
  Campaign c = campaign(false);
  c.run();
  EXPECT_GT(c.emitted, c.instructions / 3);
}
TEST_P(Differential, Flow) { campaign(true).run(); }

}  // namespace
}  // namespace vitro::jit
