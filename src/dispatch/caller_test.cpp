// One dispatch after the other by the same caller: what stays ready for a stage gives the same results and counts as
// what is made anew, also where threads meet at barriers, after Faults and with other numbers of threads; and nothing
// keeps the memory of a stage when its caller is gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dispatch/kernels_test.h"
#include "dispatch/pool.h"

namespace vitro::dispatch {
namespace {

using testing::Bench;

// Stores the group's number and seven more at the number of group and thread, eight threads of a group at most.
std::string store_kernel() {
  return "(W) mul (1|M0) r10.0<1>:d r0.1<0;1,0>:d 8:w\n"
         "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r0.2<0;1,0>:d\n"
         "(W) add (1|M0) r10.1<1>:d r0.1<0;1,0>:d 7:w\n" +
         testing::store(10) + testing::end();
}
// The same with a barrier before the end.
std::string barrier_kernel() {
  return "(W) mul (1|M0) r10.0<1>:d r0.1<0;1,0>:d 8:w\n"
         "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r0.2<0;1,0>:d\n"
         "(W) add (1|M0) r10.1<1>:d r0.1<0;1,0>:d 7:w\n"
         "(W) mov (8|M0) r12.0<1>:ud 0:uw\n"
         "(W) mov (1|M0) r12.2<1>:ud r0.3<0;1,0>:ud\n"
         "(W) send (8|M0) null r12 0x3 0x02000004\n"
         "(W) wait n0.0<0;1,0>:ud\n" +
         testing::store(10) + testing::end();
}

// Dispatches of all sizes, of the same stage.
void run_sizes(Bench& b, Caller& caller) {
  for (uint64_t groups : {1, 40, 3, 400, 2})
    for (unsigned threads : {1u, 8u, 2u}) {
      b.stored.assign(b.stored.size(), 0);
      b.threads.groups = groups;
      b.threads.threads = threads;
      Counts counts;
      const auto fault = caller.run(b.stage, b.threads, counts);
      ASSERT_FALSE(fault) << fault->text();
      EXPECT_EQ(counts.groups, groups);
      EXPECT_EQ(counts.threads, groups * threads);
      for (uint64_t g = 0; g < groups; ++g)
        for (unsigned t = 0; t < 8; ++t) ASSERT_EQ(b.stored[g * 8 + t], t < threads ? g + 7 : 0u) << g << " " << t;
    }
}

TEST(Caller, RunsOneDispatchAfterTheOther) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    b.use(store_kernel());
    Caller caller(b.pool);
    b.stage.number = new_stage_number();
    run_sizes(b, caller);
  }
}

TEST(Caller, RunsOneDispatchAfterTheOtherWithBarriers) {
  for (unsigned workers : {1u, 2u, 4u}) {
    Bench b(workers);
    b.use(barrier_kernel());
    b.stage.barrier = true;
    Caller caller(b.pool);
    b.stage.number = new_stage_number();
    run_sizes(b, caller);
  }
}

TEST(Caller, ChangesStages) {
  Bench b(2);
  b.use(store_kernel());
  b.stage.number = new_stage_number();
  Stage with_barrier = b.stage;
  b.use(barrier_kernel());
  with_barrier.state = b.stage.state;
  with_barrier.barrier = true;
  with_barrier.number = new_stage_number();
  b.use(store_kernel());
  Caller caller(b.pool);
  b.threads.groups = 30;
  b.threads.threads = 4;
  for (int n = 0; n < 20; ++n) {
    Counts counts;
    b.stored.assign(b.stored.size(), 0);
    ASSERT_FALSE(caller.run(n % 3 ? with_barrier : b.stage, b.threads, counts));
    EXPECT_EQ(counts.threads, 120u);
    EXPECT_EQ(b.stored[29 * 8 + 3], 36u);
  }
}

TEST(Caller, CountsEachDispatch) {
  Bench b(2);
  b.use(store_kernel());
  b.run_with.wanted = {.messages = true, .opcodes = true};
  b.stage.number = new_stage_number();
  b.threads.groups = 10;
  Caller caller(b.pool);
  Counts counts;
  for (int n = 0; n < 3; ++n) ASSERT_FALSE(caller.run(b.stage, b.threads, counts));
  EXPECT_EQ(counts.opcodes.at("mul"), 30u);
  EXPECT_EQ(counts.messages.at({7, "dereference resource"}), 30u);
  EXPECT_EQ(counts.groups, 30u);
}

TEST(Caller, GoesOnAfterAFault) {
  for (unsigned workers : {1u, 2u}) {
    Bench b(workers);
    // the dword is beyond what there is if there are many groups
    b.use(store_kernel());
    b.stage.number = new_stage_number();
    Caller caller(b.pool);
    for (int n = 0; n < 4; ++n) {
      Counts counts;
      b.threads.groups = n % 2 ? 1000 : 20;
      const auto fault = caller.run(b.stage, b.threads, counts);
      ASSERT_EQ(fault.has_value(), n % 2 == 1);
      if (fault)
        EXPECT_EQ(fault->thread->group, 512u);
      else
        EXPECT_EQ(counts.threads, 20u);
    }
  }
}

TEST(Caller, KeepsNoMemoryWhenItIsGone) {
  Bench b(3);
  b.use(store_kernel());
  auto table = std::make_shared<memory::Table>();
  const std::weak_ptr<memory::Table> memory = table;
  {
    Caller caller(b.pool);
    Counts counts;
    b.stage.memory = std::move(table);
    b.stage.number = new_stage_number();
    b.threads.threads = 8;
    for (uint64_t groups : {500, 1, 500}) {
      b.threads.groups = groups;
      ASSERT_FALSE(caller.run(b.stage, b.threads, counts));
    }
    b.stage.memory = b.nothing;
    EXPECT_FALSE(memory.expired());
  }
  EXPECT_TRUE(memory.expired());
}

}  // namespace
}  // namespace vitro::dispatch
