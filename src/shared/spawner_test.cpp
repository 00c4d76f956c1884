// The thread spawner's two messages, bit by bit, and what it refuses.
#include "shared/spawner.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

struct Bench {
  Spawner spawner{};
  eu::Thread thread{};
  std::array<uint32_t, 8> payload{};
  SpawnRequest seen{};
  int spawned = 0;
  std::string reason;

  eu::Reply send(uint32_t desc, bool eot = false) {
    eu::Message m{.sfid = 7, .desc = desc | 1u << 25, .eot = eot};
    m.payload = std::as_bytes(std::span(payload));
    const eu::SharedFunction f = spawner.function();
    const HostFloats floats(test::modes_for(isa::messages_gen9, Spawner::sfid, m.desc));
    const eu::Reply reply = f.handle(f.context, thread, m, reason);
    for (const isa::MessageTables* t : {&isa::messages_gen6, &isa::messages_gen8, &isa::messages_gen9})
      test::note(*t, Spawner::sfid, m.desc, reply);
    return reply;
  }
  void allow() {
    spawner.context = this;
    spawner.spawn = [](void* context, eu::Thread&, const SpawnRequest& request, std::string&) {
      Bench& b = *static_cast<Bench*>(context);
      b.seen = request;
      ++b.spawned;
      return eu::Reply::done;
    };
  }
};

TEST(Spawner, EndsThreads) {
  Bench b;
  EXPECT_EQ(b.send(0x10, true), eu::Reply::done);
  EXPECT_EQ(b.send(0x12, true), eu::Reply::done);
  EXPECT_EQ(b.send(0x00, true), eu::Reply::done);
  EXPECT_EQ(b.send(0x10), eu::Reply::faulted);
  EXPECT_EQ(b.reason, "thread spawner: resources are dereferenced at the end of a thread only");
}

TEST(Spawner, AsksForThreads) {
  Bench b;
  b.allow();
  b.payload = {0, 1, 0x1234560F, 3, 0xFFFF0802, 5, 6, 7};
  EXPECT_EQ(b.send(0x01), eu::Reply::done);
  EXPECT_EQ(b.seen.descriptor, 0x12345600u);
  EXPECT_EQ(b.seen.urb_registers, 2u);
  EXPECT_EQ(b.seen.urb_handle, 2u);
  EXPECT_FALSE(b.seen.of_child);
  EXPECT_FALSE(b.seen.root);
  EXPECT_EQ(std::memcmp(b.seen.header.data(), b.payload.data(), 32), 0);
  EXPECT_EQ(b.send(0x13), eu::Reply::done);
  EXPECT_TRUE(b.seen.of_child);
  EXPECT_TRUE(b.seen.root);
  EXPECT_EQ(b.spawned, 2);
}

TEST(Spawner, RefusesWhatItCannotDo) {
  Bench b;
  EXPECT_EQ(b.send(0x01), eu::Reply::faulted);
  EXPECT_NE(b.reason.find("cannot spawn threads"), std::string::npos);
  EXPECT_EQ(b.send(0x10 | 1u << 20, true), eu::Reply::faulted);
  EXPECT_EQ(b.reason, "thread spawner: no message has a response");
}

}  // namespace
}  // namespace vitro::shared
