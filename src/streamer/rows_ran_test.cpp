// Every row that executes must be run by some test of the streamer, on each engine that has it.
#include "streamer/rows_ran_test.h"

namespace vitro::streamer {
namespace {

class EveryCommandRuns : public test::EveryRowRuns {
 public:
  void SetUp() override {
    for (const CommandSet* set : {&commands_gen6, &commands_gen8, &commands_gen9})
      for (const Row& row : set->rows())
        for (size_t engine = 0; engine < commands::engine_count; ++engine)
          if (row.effect == Effect::execute && row.engines & commands::set_of(commands::Engine(engine)))
            test::ledger().promise(bench::table_row(*set, row, commands::Engine(engine)), {});
  }
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new EveryCommandRuns);

}  // namespace
}  // namespace vitro::streamer
