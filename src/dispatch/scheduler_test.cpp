// Many threads at once: 64 of them meet at barriers, forward, spin and wait in hundreds of orders with one result;
// deadlocks are named; bad programs fault without harm to others. Programs are assembled text for every generation.
#include "dispatch/scheduler_test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "gen/models.h"
#include "isa/assemble.h"
#include "shared/gateway.h"
#include "shared/urb_pool_test.h"

namespace vitro::dispatch {
namespace {

using shared::Gateway;

struct Generation {
  const isa::Model& (*model)();
  const shared::GatewayLayout* layout;
};
constexpr Generation gen6{&gen::gen6, &shared::gateway_gen6}, gen8{&gen::gen8, &shared::gateway_gen8},
    gen9{&gen::gen9, &shared::gateway_gen9};

eu::Program assembled(const isa::Model& model, const std::string& text) {
  const isa::Assembly a = isa::assemble(model, text, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
  return eu::Program(model, a.code);
}

Thread fresh_thread() {
  Thread t;
  t.dispatched = t.active = 0xFF;
  t.sr[2] = t.sr[3] = 0xFF;
  return t;
}
void put(Thread& t, int reg, int n, uint32_t value) { std::memcpy(&t.grf[size_t(reg * 32 + n * 4)], &value, 4); }
uint32_t get(const Thread& t, int reg, int n) {
  uint32_t v;
  std::memcpy(&v, &t.grf[size_t(reg * 32 + n * 4)], 4);
  return v;
}

// A message from a GRF; where messages come from the MRF, through m2.
std::string send(const isa::Model& m, int reg, const char* sfid, const char* desc, const char* op = "send") {
  if (m.mrf_count == 0) return fmt::format("(W) {} (8|M0) null r{} {} {}\n", op, reg, sfid, desc);
  return fmt::format("(W) mov (8|M0) m2.0<1>:ud r{}.0<8;8,1>:ud\n(W) {} (8|M0) null m2 {} {}\n", reg, op, sfid, desc);
}
std::string end(const isa::Model& m) {
  return fmt::format("(W) send (8|M0) null {} 0x27 0x02000010 {{EOT}}\n", m.mrf_count ? "m0" : "r127");
}

eu::SharedFunctions only_the_end() {
  eu::SharedFunctions f{};
  f[7] = {[](void*, Thread&, eu::Message&, std::string&) { return eu::Reply::done; }, nullptr};
  return f;
}

// --- 64 threads in four groups. In each round a thread
//   adds its number to five times its value and forwards that to the next thread of its group, which waits for n0.2,
//   tells its partner in the neighbouring group the round, and spins until the partner has told it the same,
//   and meets its group at a barrier.
constexpr int thread_count = 64, group_size = 16, rounds = 6;

int successor(int id) { return id / group_size * group_size + (id + 1) % group_size; }
int partner(int id) { return id ^ group_size; }

std::string ring_program(const isa::Model& m) {
  return "(W) mov (1|M0) r20.0<1>:d 0:w\n"
         "ROUND:\n"
         "(W) mul (1|M0) r11.0<1>:d r10.0<0;1,0>:d 5:w\n"
         "(W) add (1|M0) r10.0<1>:d r11.0<0;1,0>:d r1.0<0;1,0>:d\n"
         "(W) mov (1|M0) r2.0<1>:d r10.0<0;1,0>:d\n" +
         send(m, 2, "0x3", "0x02010002") +
         "(W) wait n0.2<0;1,0>:ud\n"
         "(W) add (1|M0) r10.0<1>:d r10.0<0;1,0>:d r40.0<0;1,0>:d\n"
         "(W) add (1|M0) r20.0<1>:d r20.0<0;1,0>:d 1:w\n"
         "(W) mov (1|M0) r3.0<1>:d r20.0<0;1,0>:d\n" +
         send(m, 3, "0x3", "0x02000002") +
         "SPIN:\n"
         "(W) cmp (1|M0) (ge)f0.0 null<1>:d r41.0<0;1,0>:d r20.0<0;1,0>:d\n"
         "(W&~f0.0) jmpi SPIN\n" +
         send(m, 4, "0x3", "0x02000004") + "(W) wait n0.0<0;1,0>:ud\n" +
         fmt::format("(W) cmp (1|M0) (lt)f0.0 null<1>:d r20.0<0;1,0>:d {}:w\n", rounds) + "(W&f0.0) jmpi ROUND\n" +
         end(m);
}

std::vector<uint32_t> ring_result() {
  std::vector<uint32_t> value(thread_count);
  for (int id = 0; id < thread_count; ++id) value[size_t(id)] = uint32_t(id * id);
  for (int round = 0; round < rounds; ++round) {
    std::vector<uint32_t> sent(thread_count);
    for (int id = 0; id < thread_count; ++id)
      sent[size_t(id)] = value[size_t(id)] = value[size_t(id)] * 5 + uint32_t(id);
    for (int id = 0; id < thread_count; ++id) value[size_t(successor(id))] += sent[size_t(id)];
  }
  return value;
}

struct Ring {
  Gateway gateway;
  eu::SharedFunctions functions = only_the_end();
  Scheduler scheduler;

  Ring(const Generation& g, const eu::Program& program, const SchedulerOptions& options)
      : gateway{.layout = *g.layout}, scheduler((functions[Gateway::sfid] = gateway.function(), functions), options) {
    for (int id = 0; id < thread_count; ++id) {
      Thread t = fresh_thread();
      put(t, 1, 0, uint32_t(id));
      put(t, 10, 0, uint32_t(id * id));
      const auto forward = [&](int reg, int to, int their_reg) {
        put(t, reg, 4, uint32_t(to / 8) << 24 | uint32_t(to % 8) << 16);
        put(t, reg, 5, uint32_t(their_reg) << 21 | 2 << 8);  // one dword
      };
      forward(2, successor(id), 40);
      forward(3, partner(id), 41);
      put(t, 4, 2, uint32_t(id / group_size) << 24 | 60 << 16);
      const size_t n = scheduler.add(t, program);
      gateway.attach(scheduler.thread(n), unsigned(id / 8), unsigned(id % 8), uint32_t(id / group_size));
    }
    for (unsigned group = 0; group < thread_count / group_size; ++group)
      gateway.start_barrier(group, group, group_size);
  }
  std::vector<uint32_t> result() {
    std::vector<uint32_t> values;
    for (size_t id = 0; id < thread_count; ++id) values.push_back(get(scheduler.thread(id), 10, 0));
    return values;
  }
};

class EveryScheduler : public testing::TestWithParam<Generation> {
 protected:
  const isa::Model& model() const { return GetParam().model(); }
};
INSTANTIATE_TEST_SUITE_P(All, EveryScheduler, testing::Values(gen6, gen8, gen9));

TEST_P(EveryScheduler, SixtyFourThreadsFinishInAnyOrderWithOneResult) {
  const eu::Program program = assembled(model(), ring_program(model()));
  const std::vector<uint32_t> expected = ring_result();
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Ring ring(GetParam(), program, {.turn = 1 + seed % 40, .limit = 1'000'000, .seed = seed});
    const Report report = ring.scheduler.run();
    ASSERT_TRUE(report.finished()) << "seed " << seed << "\n" << to_text(report);
    ASSERT_EQ(ring.result(), expected) << "seed " << seed;
  }
  for (uint64_t turn : {1, 2, 3, 7, 100, 100'000}) {  // in order of arrival
    Ring ring(GetParam(), program, {.turn = turn, .limit = 1'000'000});
    const Report report = ring.scheduler.run();
    ASSERT_TRUE(report.finished()) << "turn " << turn << "\n" << to_text(report);
    ASSERT_EQ(ring.result(), expected) << "turn " << turn;
  }
}

TEST_P(EveryScheduler, TheSameSeedIsTheSameRun) {
  const eu::Program program = assembled(model(), ring_program(model()));
  const auto run = [&](uint64_t seed) {
    Ring ring(GetParam(), program, {.turn = 20, .seed = seed});
    ring.scheduler.run();
    std::vector<uint64_t> lengths{ring.scheduler.turns()};
    for (size_t id = 0; id < thread_count; ++id) lengths.push_back(ring.scheduler.instructions(id));
    return lengths;
  };
  EXPECT_EQ(run(5), run(5));
  EXPECT_NE(run(5), run(6));
}

// One thread of a group does not come: everybody who waits for it, directly or not, is named with place and reason.
TEST_P(EveryScheduler, AMissingThreadIsADeadlockThatNamesEachThread) {
  const eu::Program program = assembled(model(), ring_program(model()));
  Ring ring(GetParam(), program, {.limit = 10'000});
  ring.gateway.start_barrier(2, 2, group_size + 1);
  const Report report = ring.scheduler.run();
  // the partners in group 3 spin on values that never come: that is an endless loop, not a wait
  ASSERT_EQ(report.faulted.size(), size_t{group_size});
  for (size_t id : report.faulted) {
    EXPECT_EQ(int(id) / group_size, 3);
    EXPECT_EQ(ring.scheduler.fault(id)->reason, "endless loop: no end of thread after 10000 instructions");
  }
  ASSERT_EQ(report.stuck.size(), size_t{group_size});
  uint32_t wait_ip = 0;
  for (const eu::Plan& p : program.plans())
    if (p.row && p.row->format == isa::Format::wait) wait_ip = p.ip;
  for (const Stuck& s : report.stuck) {
    EXPECT_EQ(int(s.id) / group_size, 2);
    EXPECT_EQ(s.ip, wait_ip);
    EXPECT_EQ(s.waits_for, "a notification in n0.0");
    EXPECT_EQ(s.instruction.find("(W) wait"), 0u) << s.instruction;
  }
  EXPECT_EQ(to_text(report).find("deadlock: 16 threads wait in vain\n  thread 32 at IP "), 0u) << to_text(report);
}

TEST_P(EveryScheduler, WhatTheCallerChangesEndsADeadlock) {
  const eu::Program program = assembled(model(), "(W) wait n0.1<0;1,0>:ud\n" + end(model()));
  Scheduler s(only_the_end());
  for (int n = 0; n < 3; ++n) s.add(fresh_thread(), program);
  EXPECT_EQ(s.run().stuck.size(), 3u);
  s.thread(1).notify[1] = 1;
  const Report report = s.run();
  ASSERT_EQ(report.stuck.size(), 2u);
  EXPECT_EQ(report.stuck[0].id, 0u);
  EXPECT_EQ(report.stuck[1].id, 2u);
  EXPECT_EQ(s.status(1), Status::ended);
  EXPECT_EQ(s.instructions(1), 2u);
}

TEST_P(EveryScheduler, BadProgramsFaultAndOthersGoOn) {
  const eu::Program endless = assembled(model(), "nop\nLOOP: (W) jmpi LOOP\n" + end(model()));
  const eu::Program no_end = assembled(model(), "(W) mov (1|M0) r5.0<1>:d 1:w\n");
  const eu::Program good = assembled(model(),
                                     "LOOP: (W) add (1|M0) r5.0<1>:d r5.0<0;1,0>:d 1:w\n"
                                     "(W) cmp (1|M0) (lt)f0.0 null<1>:d r5.0<0;1,0>:d 1000:w\n"
                                     "(W&f0.0) jmpi LOOP\n" +
                                         end(model()));
  for (const std::optional<uint64_t> seed : {std::optional<uint64_t>{}, std::optional<uint64_t>{3}}) {
    Scheduler s(only_the_end(), {.turn = 10, .limit = 5000, .seed = seed});
    s.add(fresh_thread(), endless);
    s.add(fresh_thread(), no_end);
    s.add(fresh_thread(), good);
    const Report report = s.run();
    EXPECT_TRUE(report.stuck.empty());
    EXPECT_EQ(report.faulted, (std::vector<size_t>{1, 0}));
    EXPECT_EQ(s.fault(0)->reason, "endless loop: no end of thread after 5000 instructions");
    EXPECT_EQ(s.fault(0)->ip, 16u);
    EXPECT_NE(s.fault(0)->instruction.find("jmpi"), std::string::npos);
    EXPECT_EQ(s.fault(1)->reason, "the program ran off its end");
    EXPECT_EQ(s.fault(1)->ip, 16u);
    EXPECT_EQ(s.status(2), Status::ended);
    EXPECT_EQ(get(s.thread(2), 5, 0), 1000u);
    EXPECT_EQ(s.instructions(2), 3001u);
  }
}

// A spinning thread and 20 that need time: each is served within every sweep.
TEST_P(EveryScheduler, SpinningThreadsStarveNobody) {
  const eu::Program spin = assembled(model(),
                                     "SPIN: (W) cmp (1|M0) (ne)f0.0 null<1>:d r41.0<0;1,0>:d 0:w\n"
                                     "(W&~f0.0) jmpi SPIN\n" +
                                         end(model()));
  const eu::Program work = assembled(model(),
                                     "LOOP: (W) add (1|M0) r5.0<1>:d r5.0<0;1,0>:d 1:w\n"
                                     "(W) cmp (1|M0) (lt)f0.0 null<1>:d r5.0<0;1,0>:d 1000:w\n"
                                     "(W&f0.0) jmpi LOOP\n" +
                                         send(model(), 2, "0x3", "0x02000002") + end(model()));
  Gateway gateway{.layout = *GetParam().layout};
  eu::SharedFunctions functions = only_the_end();
  functions[Gateway::sfid] = gateway.function();
  Scheduler s(functions, {.turn = 30, .limit = 20'000});
  for (unsigned n = 0; n < 40; ++n) {
    Thread t = fresh_thread();
    put(t, 2, 0, 1);
    put(t, 2, 4, (n - 20) / 8 << 24 | (n - 20) % 8 << 16);  // worker n wakes spinner n - 20
    put(t, 2, 5, 41u << 21 | 2 << 8);
    const size_t id = s.add(t, n < 20 ? spin : work);
    gateway.attach(s.thread(id), n / 8, n % 8, 0);
  }
  const Report report = s.run();
  EXPECT_TRUE(report.finished()) << to_text(report);
  for (size_t n = 0; n < 20; ++n) EXPECT_LT(s.instructions(n), 3200u);  // as long as the worker, and one turn more
}

// A message that is not taken is tried again when another was taken or a thread has ended, and not before.
TEST_P(EveryScheduler, BlockedMessagesAreRetriedOnlyAfterAChange) {
  struct Door {
    int tries = 0, open = 0;
  } door;
  eu::SharedFunctions functions = only_the_end();
  functions[5] = {[](void* d, Thread&, eu::Message&, std::string&) {
                    Door& door = *static_cast<Door*>(d);
                    ++door.tries;
                    return door.open ? eu::Reply::done : eu::Reply::blocked;
                  },
                  &door};
  functions[4] = {[](void* d, Thread&, eu::Message&, std::string&) {
                    static_cast<Door*>(d)->open = 1;
                    return eu::Reply::done;
                  },
                  &door};
  const eu::Program knocks = assembled(model(), send(model(), 1, "0x5", "0x02000000") + end(model()));
  const std::string work =
      "LOOP: (W) add (1|M0) r5.0<1>:d r5.0<0;1,0>:d 1:w\n"
      "(W) cmp (1|M0) (lt)f0.0 null<1>:d r5.0<0;1,0>:d 1000:w\n"
      "(W&f0.0) jmpi LOOP\n";
  const eu::Program opens = assembled(model(), work + send(model(), 1, "0x4", "0x02000000") + end(model()));
  {
    Scheduler s(functions, {.turn = 1, .limit = 4000});
    s.add(fresh_thread(), knocks);
    s.add(fresh_thread(), opens);
    EXPECT_TRUE(s.run().finished());
    EXPECT_EQ(door.tries, 2);
    EXPECT_EQ(s.instructions(0), model().mrf_count ? 3u : 2u);
  }
  door = {};
  {
    const eu::Program ends = assembled(model(), end(model()));
    Scheduler s(functions);
    s.add(fresh_thread(), knocks);
    s.add(fresh_thread(), ends);
    const Report report = s.run();
    ASSERT_EQ(report.stuck.size(), 1u);
    EXPECT_EQ(report.stuck[0].waits_for, "a message to be taken (SFID 5)");
    EXPECT_EQ(door.tries, 2);  // the second thread's end was a change
    door.open = 1;             // and so is what the caller does
    EXPECT_TRUE(s.run().finished());
    EXPECT_EQ(door.tries, 3);
  }
  door = {};
  {
    // the message that opens is enough: its sender never ends
    const eu::Program stays =
        assembled(model(), work + send(model(), 1, "0x4", "0x02000000") + "(W) wait n0.0<0;1,0>:ud\n" + end(model()));
    Scheduler s(functions, {.turn = 1});
    s.add(fresh_thread(), knocks);
    s.add(fresh_thread(), stays);
    const Report report = s.run();
    ASSERT_EQ(report.stuck.size(), 1u);
    EXPECT_EQ(report.stuck[0].id, 1u);
    EXPECT_EQ(door.tries, 2);
  }
}

// A message that is carried out but has to wait for its answer may be what another thread waits for.
TEST_P(EveryScheduler, WhatAWaitingMessageDoesIsAChange) {
  struct Exchange {
    bool given = false, returned = false;
  };
  eu::SharedFunctions functions = only_the_end();
  Exchange exchange;
  functions[4] = {.handle =
                      [](void* e, Thread&, eu::Message&, std::string&) {  // gives, and waits for the return
                        Exchange& x = *static_cast<Exchange*>(e);
                        if (x.returned) return eu::Reply::done;
                        return std::exchange(x.given, true) ? eu::Reply::blocked : eu::Reply::accepted;
                      },
                  .context = &exchange};
  functions[5] = {.handle =
                      [](void* e, Thread&, eu::Message&, std::string&) {  // waits for the gift, and returns it
                        Exchange& x = *static_cast<Exchange*>(e);
                        if (!x.given) return eu::Reply::blocked;
                        x.returned = true;
                        return eu::Reply::done;
                      },
                  .context = &exchange};
  const eu::Program takes = assembled(model(), send(model(), 1, "0x5", "0x02000000") + end(model()));
  const eu::Program gives = assembled(model(), send(model(), 1, "0x4", "0x02000000") + end(model()));
  for (const bool taker_first : {true, false}) {
    exchange = {};
    Scheduler s(functions);
    s.add(fresh_thread(), taker_first ? takes : gives);
    s.add(fresh_thread(), taker_first ? gives : takes);
    const Report report = s.run();
    EXPECT_TRUE(report.finished()) << to_text(report);
  }
  exchange = {};  // accepted once and never answered: a deadlock, not an endless retry
  Scheduler s(functions);
  s.add(fresh_thread(), gives);
  EXPECT_EQ(s.run().stuck.size(), 1u);
  EXPECT_EQ(s.turns(), 1u);
}

// Functions hear of every thread that will send no more, once: at its end, its fault, its removal, and when the
// scheduler goes.
TEST_P(EveryScheduler, FunctionsHearThatAThreadIsGone) {
  struct Heard {
    std::vector<const Thread*> threads;
    bool open = false;
  } heard;
  eu::SharedFunctions functions = only_the_end();
  functions[5] = {
      .handle = [](void* h, Thread&, eu::Message&,
                   std::string&) { return static_cast<Heard*>(h)->open ? eu::Reply::done : eu::Reply::blocked; },
      .context = &heard,
      .gone = [](void* h, Thread& t) { static_cast<Heard*>(h)->threads.push_back(&t); }};
  const eu::Program ends = assembled(model(), end(model()));
  const eu::Program faults = assembled(model(), "nop\n");
  const eu::Program endless = assembled(model(), "LOOP: (W) jmpi LOOP\n" + end(model()));
  const eu::Program waits = assembled(model(), send(model(), 1, "0x5", "0x02000000") + end(model()));
  const Thread* last = nullptr;
  {
    Scheduler s(functions, {.turn = 10, .limit = 100});
    for (const eu::Program* p : {&ends, &faults, &endless, &waits, &waits}) s.add(fresh_thread(), *p);
    std::vector<const Thread*> expected{&s.thread(0), &s.thread(1), &s.thread(2)};
    EXPECT_EQ(s.run().stuck.size(), 2u);
    EXPECT_EQ(heard.threads, expected);
    for (size_t id : {size_t{0}, size_t{1}}) s.remove(id);  // known already
    EXPECT_EQ(heard.threads, expected);
    expected.push_back(&s.thread(3));
    s.remove(3);
    EXPECT_EQ(heard.threads, expected);
    last = &s.thread(4);
  }
  ASSERT_EQ(heard.threads.size(), 5u);
  EXPECT_EQ(heard.threads.back(), last);
}

// What a function does when it hears it can be what others wait for, a fault's included.
TEST_P(EveryScheduler, AThreadThatIsGoneIsAChange) {
  bool open = false;
  eu::SharedFunctions functions = only_the_end();
  functions[5] = {.handle = [](void* o, Thread&, eu::Message&,
                               std::string&) { return *static_cast<bool*>(o) ? eu::Reply::done : eu::Reply::blocked; },
                  .context = &open,
                  .gone = [](void* o, Thread&) { *static_cast<bool*>(o) = true; }};
  const eu::Program waits = assembled(model(), send(model(), 1, "0x5", "0x02000000") + end(model()));
  const eu::Program faults = assembled(model(), "nop\n");
  Scheduler s(functions);
  s.add(fresh_thread(), waits);
  s.add(fresh_thread(), faults);
  const Report report = s.run();
  EXPECT_TRUE(report.stuck.empty()) << to_text(report);
  EXPECT_EQ(s.status(0), Status::ended);
}

// A place at the gateway is free again when its thread has ended.
TEST_P(EveryScheduler, TheGatewayForgetsThreadsThatAreGone) {
  const eu::Program program = assembled(model(), end(model()));
  Gateway gateway{.layout = *GetParam().layout};
  eu::SharedFunctions functions = only_the_end();
  functions[Gateway::sfid] = gateway.function();
  Scheduler s(functions);
  for (int n = 0; n < 3; ++n) {
    const size_t id = s.add(fresh_thread(), program);
    gateway.attach(s.thread(id), 2, 3, 0);
    EXPECT_TRUE(s.run().finished());
    EXPECT_EQ(gateway.entries[2 * 8 + 3].thread, nullptr);
    s.remove(id);
  }
}

// --- the URB of Gen6: one entry, and threads that complete it and want it back

struct OneEntry {
  shared::Urb urb{shared::urb_gen6, 64};
  shared::UrbPool pool = shared::make_pool(urb, 0, 64, 1).value();
  int completed = 0;
  bool answers = true;

  OneEntry() {
    urb.owners[0] = {.snoop = [](void* o, Thread&,
                                 const shared::UrbSnoop& s) { static_cast<OneEntry*>(o)->completed += s.complete; },
                     .grant =
                         [](void* o, Thread&, const shared::UrbSnoop&, shared::UrbGrant& g) {
                           OneEntry& e = *static_cast<OneEntry*>(o);
                           const auto handle = e.answers ? e.pool.allocate() : std::nullopt;
                           g.entry.handle = handle.value_or(0);
                           return handle.has_value();
                         },
                     .context = this};
  }
  // The reader of the entry: waits until there is one to read, then frees it.
  eu::SharedFunction reader() {
    return {.handle =
                [](void* o, Thread&, eu::Message&, std::string&) {
                  OneEntry& e = *static_cast<OneEntry*>(o);
                  if (e.completed == 0) return eu::Reply::blocked;
                  e.pool.free(0);
                  return eu::Reply::done;
                },
            .context = this};
  }
};
// URB_WRITE of one register with Complete, Used and Allocate; the new handle goes to r20.
constexpr const char* write_and_allocate =
    "(W) mov (8|M0) m1.0<1>:ud r2.0<8;8,1>:ud\n"
    "(W) mov (8|M0) m2.0<1>:ud r3.0<8;8,1>:ud\n"
    "(W) send (8|M0) r20 m1 0x6 0x0418E000\n";

TEST(Scheduler, AReaderRunsWhenTheWriterWaitsForANewEntry) {
  const isa::Model& model = gen::gen6();
  OneEntry entry;
  entry.pool.allocate();
  eu::SharedFunctions functions = only_the_end();
  functions[shared::urb_sfid] = entry.urb.function();
  functions[5] = entry.reader();
  const eu::Program reads = assembled(model, send(model, 1, "0x5", "0x02000000") + end(model));
  const eu::Program writes = assembled(model, write_and_allocate + end(model));
  Scheduler s(functions);
  s.add(fresh_thread(), reads);
  s.add(fresh_thread(), writes);
  const Report report = s.run();
  EXPECT_TRUE(report.finished()) << to_text(report);
  EXPECT_EQ(entry.completed, 1);
}

TEST(Scheduler, TheUrbForgetsAThreadThatIsTakenAwayWhileItWaits) {
  const isa::Model& model = gen::gen6();
  OneEntry entry;
  entry.answers = false;
  eu::SharedFunctions functions = only_the_end();
  functions[shared::urb_sfid] = entry.urb.function();
  const eu::Program writes = assembled(model, write_and_allocate + end(model));
  {
    Scheduler s(functions);
    s.add(fresh_thread(), writes);
    s.add(fresh_thread(), writes);
    EXPECT_EQ(s.run().stuck.size(), 2u);
    EXPECT_EQ(entry.urb.waiting.size(), 2u);
    s.remove(0);
    EXPECT_EQ(entry.urb.waiting, std::vector<const Thread*>{&s.thread(1)});
  }
  EXPECT_TRUE(entry.urb.waiting.empty());
}

TEST_P(EveryScheduler, SendcWaitsForTheEndOfTheThreadsItDependsOn) {
  const eu::Program last = assembled(model(), send(model(), 1, "0x7", "0x02000000", "sendc") + end(model()));
  std::vector<size_t> order;
  Scheduler s(only_the_end(), {.turn = 5});
  s.on_end([](void* o, size_t id) { static_cast<std::vector<size_t>*>(o)->push_back(id); }, &order);
  const auto depends_on = [](std::initializer_list<uint16_t> fftids) {
    Thread t = fresh_thread();
    size_t n = 0;
    for (uint16_t f : fftids) t.tdr[n++] = uint16_t(0x8000 | f);
    return t;
  };
  s.add(depends_on({11, 12}), last, {.fftid = 10});
  s.add(depends_on({12}), last, {.fftid = 11});
  s.add(depends_on({}), last, {.fftid = 12});
  EXPECT_TRUE(s.run().finished());
  EXPECT_EQ(order, (std::vector<size_t>{2, 1, 0}));

  s.add(depends_on({21}), last, {.fftid = 20});
  s.add(depends_on({20, 7}), last, {.fftid = 21});
  const Report report = s.run();
  ASSERT_EQ(report.stuck.size(), 2u);
  EXPECT_EQ(report.stuck[0].waits_for, "the end of the threads with FFTID 21");
  EXPECT_EQ(report.stuck[1].waits_for, "the end of the threads with FFTID 20, 7");
}

// A dispatcher with few places: each thread that ends makes room for the next.
TEST_P(EveryScheduler, EndedThreadsMakeRoom) {
  struct Dispatcher {
    Scheduler scheduler{only_the_end(), {.turn = 3}};
    const eu::Program& program;
    int left = 500, ended = 0;
    uint32_t sum = 0;
    void next() {
      Thread t = fresh_thread();
      put(t, 5, 0, uint32_t(left--));
      scheduler.add(t, program);
    }
  };
  const eu::Program program =
      assembled(model(), "(W) add (1|M0) r6.0<1>:d r5.0<0;1,0>:d r5.0<0;1,0>:d\nnop\nnop\nnop\n" + end(model()));
  Dispatcher d{.program = program};
  d.scheduler.on_end(
      [](void* context, size_t id) {
        Dispatcher& d = *static_cast<Dispatcher*>(context);
        d.sum += get(d.scheduler.thread(id), 6, 0);
        ++d.ended;
        d.scheduler.remove(id);
        if (d.left > 0) d.next();
      },
      &d);
  for (int n = 0; n < 8; ++n) d.next();
  EXPECT_TRUE(d.scheduler.run().finished());
  EXPECT_EQ(d.ended, 500);
  EXPECT_EQ(d.sum, 500u * 501u);
}

TEST(Scheduler, AResidentThreadIsSmall) { EXPECT_LE(Scheduler::bytes_per_thread(), 16u * 1024); }

TEST(Scheduler, NothingToRunIsFinished) {
  Scheduler s(only_the_end());
  EXPECT_TRUE(s.run().finished());
}

}  // namespace
}  // namespace vitro::dispatch
