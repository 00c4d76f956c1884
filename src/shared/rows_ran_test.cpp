// Every message that a table of the shared functions carries out must be sent by some test, and every one that a table
// names without carrying it out must be refused by its name, on each generation that has it.
#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

class EveryMessageRuns : public vitro::test::EveryRowRuns {
 public:
  void SetUp() override {
    using test::ledger, test::table_row;
    constexpr unsigned others =
        1u << sampler_sfid | 1u << Gateway::sfid | 1u << urb_sfid | 1u << Spawner::sfid | 1u << pixel_interpolator_sfid;
    for (const DataPortLayout* l : {&dataport_gen6, &dataport_gen8, &dataport_gen9})
      for (size_t sfid = 0; sfid < l->messages.functions.size(); ++sfid)
        if ((l->sfids | others) >> sfid & 1)
          for (const isa::MessageRow& row : l->messages.functions[sfid].rows)
            if (!row.name.empty())
              ledger().promise(table_row(l->messages, sfid, row),
                               {row.shape.action != isa::MessageAction::unsupported, uint32_t(row.match.mask),
                                uint32_t(row.match.value)});
  }
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new EveryMessageRuns);

}  // namespace
}  // namespace vitro::shared
