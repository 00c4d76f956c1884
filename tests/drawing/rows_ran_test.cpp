// Which packets, topologies, formats and numbers of samples were drawn, for docs/coverage.md.
#include "base/rows_ran_test.h"

namespace vitro::drawing {
namespace {

[[maybe_unused]] testing::Environment* const asks = testing::AddGlobalTestEnvironment(new test::EveryRowRuns);

}  // namespace
}  // namespace vitro::drawing
