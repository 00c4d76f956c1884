// Kernels that contend run on as many host threads as is faster, and what is faster is asked again.
#include "dispatch/contention.h"

#include <gtest/gtest.h>

namespace vitro::dispatch {
namespace {

unsigned together_of(Contention& c, unsigned dispatches, double alone_ns, double together_ns) {
  unsigned n = 0;
  for (unsigned d = 0; d < dispatches; ++d) {
    const bool together = c.together();
    c.note(together, together ? together_ns : alone_ns);
    n += together;
  }
  return n;
}

TEST(Contention, TakesTheFasterOfBoth) {
  Contention c;
  EXPECT_EQ(together_of(c, Contention::period, 10, 16), 1u);
  EXPECT_EQ(together_of(c, Contention::period, 10, 6), Contention::period - 1);
  EXPECT_EQ(together_of(c, Contention::period, 10, 16), 1u);
}

}  // namespace
}  // namespace vitro::dispatch
