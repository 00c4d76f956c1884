// Every message that a table of the shared functions carries out must be sent by some test, and every one that a table
// names without carrying it out must be refused by its name, on each generation that has it.
#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

class EveryMessageRuns : public vitro::test::EveryRowRuns {
 public:
  void SetUp() override {
    using test::ledger, test::table_row;
    for (const DataPortLayout* l : {&dataport_gen6, &dataport_gen8, &dataport_gen9})
      for (size_t sfid = 0; sfid < l->functions.size(); ++sfid)
        for (const DataPortMessage& m : l->functions[sfid].messages)
          ledger().promise(table_row(*l, sfid, m), {test::executes(m), m.mask, m.value});
    for (const SamplerEngineLayout* l : {&sampler_engine_gen6, &sampler_engine_gen8, &sampler_engine_gen9})
      for (const SamplerMessage& m : l->messages)
        if (!m.name.empty()) ledger().promise(table_row(*l, m), {m.run != nullptr});
    for (const char* generation : {"Gen6", "Gen8", "Gen9"}) {
      const UrbLayout& urb = std::string_view(generation) == "Gen6" ? urb_gen6 : urb_gen8;
      for (const UrbMessage& m : urb.messages)
        if (m.run) ledger().promise(table_row(generation, m), {});
      for (const char* name : test::gateway_messages)
        ledger().promise({"gateway", generation, "3 gateway", name}, {std::string_view(name) != "MMIOReadWrite"});
    }
    for (const char* name : test::spawner_messages) ledger().promise({"spawner", "all", "7 spawner", name}, {});
  }
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new EveryMessageRuns);

}  // namespace
}  // namespace vitro::shared
