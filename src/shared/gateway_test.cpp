// The Message Gateway, message by message, by its requirement ids (GW-01..GW-60), with the barrier payloads of Gen6,
// Gen8 and Gen9 (B-08..B-10) and the worked examples T47 to T49. Messages are sent by assembled programs.
#include "shared/gateway.h"

#include <fmt/format.h>

#include <memory>

#include "eu/bench_test.h"
#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

using eu::Bench;
using eu::Status;

using Payload = std::array<uint32_t, 8>;

// Descriptors: mlen 1, and with AckReq one register back.
constexpr uint32_t plain = 0x02000000, ack = 0x02104000;
constexpr uint32_t open_gateway = 0, close_gateway = 1, forward = 2, time_stamp = 3, barrier = 4, update = 5;
constexpr uint32_t notify_n0 = 1 << 15, notify_n2 = 2 << 15;
constexpr uint32_t untouched = 0xA5A5A5A5;

struct Generation {
  const isa::Model& (*model)();
  const GatewayLayout* layout;
  const char* name;
};
constexpr Generation gen6_parts{&gen::gen6, &gateway_gen6, "Gen6"}, gen8_parts{&gen::gen8, &gateway_gen8, "Gen8"},
    gen9_parts{&gen::gen9, &gateway_gen9, "Gen9"};

// Threads 0, 1, ... of EU 1 in group 7 behind one gateway. All their registers begin as `untouched`.
struct Party {
  Gateway gateway;
  std::vector<std::unique_ptr<Bench>> threads;
  const char* generation;

  explicit Party(Generation g, int count = 2, const GatewayLayout* layout = nullptr)
      : gateway{.layout = layout ? *layout : *g.layout}, generation(g.name) {
    for (int n = 0; n < count; ++n) {
      Bench& b = *threads.emplace_back(std::make_unique<Bench>(g.model()));
      for (int at = 0; at < eu::grf_count * 8; ++at) b.set(0, at, untouched);
      b.functions[Gateway::sfid] = test::noted(gateway.function(), gateway.layout.messages, Gateway::sfid);
      gateway.attach(b.thread, 1, unsigned(n), 7);
    }
  }
  Party(const Party&) = delete;
  Bench& operator[](size_t n) { return *threads[n]; }

  // Thread n sends the payload from r5 or m1, with the answer to r20, and ends.
  Bench& send(size_t n, uint32_t desc, const Payload& payload = {}, bool eot = false) {
    Bench& b = *threads[n];
    const bool mrf = b.model.mrf_count != 0;
    std::byte* registers = mrf ? b.thread.mrf.data() + eu::reg_bytes : b.thread.grf.data() + 5 * eu::reg_bytes;
    std::memcpy(registers, payload.data(), sizeof payload);
    const std::string text = fmt::format("(W) send (8|M0) {} {} {} {:#x}{}\n", desc >> 20 & 31 ? "r20" : "null",
                                         mrf ? "m1" : "r5", eot ? "0x23" : "0x3", desc, eot ? " {EOT}" : "");
    return eot ? b.run_as_is(text) : b.run(text);
  }
  uint32_t answer(size_t n) { return threads[n]->get<uint32_t>(20, 0); }
  void expect_untouched(size_t n, int reg) {
    for (int k = 0; k < 8; ++k) EXPECT_EQ(threads[n]->get<uint32_t>(reg, k), untouched) << "r" << reg << "." << k;
  }
};

std::string why(const Bench& b) { return b.fault ? b.fault->reason : ""; }
constexpr uint32_t answer_of(uint32_t code) { return 3u << 16 | code; }

Payload forward_to(int tid, int reg, int sub, uint32_t length, std::array<uint32_t, 4> data) {
  return {data[0],
          data[1],
          data[2],
          data[3],
          uint32_t(1 << 24 | tid << 16 | 0xBEEF),  // the key is ignored
          uint32_t(reg << 21 | sub << 16) | length << 8 | 0x99};
}
Payload open_at(uint32_t reg) { return {0, 0, 0, 0, 0, reg << 21}; }

class EveryGateway : public testing::TestWithParam<Generation> {};
INSTANTIATE_TEST_SUITE_P(All, EveryGateway, testing::Values(gen6_parts, gen8_parts, gen9_parts));

TEST_P(EveryGateway, GW_01_BypassNeedsNoOpenAndTheBaseIsZero) {
  Party p(GetParam());
  p.send(1, plain | open_gateway, open_at(40));  // without effect
  p.send(0, ack | forward, forward_to(1, 30, 4, 2, {0x11223344}));
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(p[1].get<uint32_t>(30, 1), 0x11223344u);
  p.expect_untouched(1, 70);
}

TEST_P(EveryGateway, GW_02_DescriptorRules) {
  Party p(GetParam());
  const Payload good = forward_to(1, 30, 0, 2, {1});
  EXPECT_EQ(why(p.send(0, plain | forward | 1 << 19, good)), "message gateway: a message must not have a header");
  EXPECT_EQ(why(p.send(0, plain | forward | 3 << 15, good)), "message gateway: notify 3 is reserved");
  EXPECT_EQ(why(p.send(0, plain | forward | 1 << 14, good)),
            "message gateway: AckReq needs a destination and a response length of 1");
  EXPECT_EQ(why(p.send(0, plain | forward | 1 << 20, good)),
            "message gateway: without AckReq the response length must be 0");
  EXPECT_EQ(why(p.send(0, ack | forward, good, true)), "message gateway: AckReq cannot be set at the end of a thread");
  p.expect_untouched(1, 30);
  EXPECT_EQ(p.send(0, plain | forward | 3 << 17, good).status, Status::ended);  // 18:17 are ignored
  EXPECT_EQ(p[1].get<uint32_t>(30, 0), 1u);
  // notify counts for ForwardMsg only
  EXPECT_EQ(p.send(0, plain | close_gateway | notify_n2).status, Status::ended);
  EXPECT_EQ(p[0].thread.notify, (std::array<uint32_t, 3>{}));
  EXPECT_EQ(why(p.send(0, plain | 6)), "unsupported: message gateway: mmio read/write");
}

TEST_P(EveryGateway, GW_03_WithoutAckReqNothingComesBack) {
  Party p(GetParam());
  EXPECT_EQ(p.send(0, plain | 7).status, Status::ended);                                      // opcode error
  EXPECT_EQ(p.send(0, plain | forward, forward_to(1, 30, 0, 5, {1})).status, Status::ended);  // too long
  EXPECT_EQ(p.send(0, plain | barrier).status, Status::ended);                                // inactive
  p.expect_untouched(0, 20);
  p.expect_untouched(1, 30);
}

TEST_P(EveryGateway, GW_04_OneRegisterOfPayload) {
  Party p(GetParam());
  EXPECT_EQ(why(p.send(0, 0x04000000 | close_gateway)), "message gateway: a message is one register of payload");
}

TEST_P(EveryGateway, ThreadsAreKnownByPlace) {
  Party p(GetParam());
  EXPECT_THROW(p.gateway.attach(p[0].thread, 1, 1, 7), std::invalid_argument);
  EXPECT_THROW(p.gateway.attach(p[0].thread, 16, 0, 7), std::invalid_argument);
  EXPECT_THROW(p.gateway.start_barrier(7, 32, 2), std::invalid_argument);
  p.gateway.detach(p[0].thread);
  EXPECT_EQ(why(p.send(0, plain | barrier)), "message gateway: the sending thread is not in the gateway's table");
  p.send(1, ack | forward, forward_to(0, 30, 0, 2, {1}));
  EXPECT_EQ(p.answer(1), answer_of(2));
}

TEST(Gateway, GW_10_OpenSetsTheBase) {
  Party p(gen6_parts);
  p.gateway.bypass = false;
  p.send(0, ack | forward, forward_to(1, 30, 0, 2, {1}));
  EXPECT_EQ(p.answer(0), answer_of(2));
  p.expect_untouched(1, 30);
  EXPECT_EQ(p.send(1, ack | open_gateway, {0, 0, 0, 0, 0xFFFF, 40u << 21 | 7 << 8 | 0xFF}).status, Status::ended);
  EXPECT_EQ(p.answer(1), answer_of(0));
  p.send(0, ack | forward, forward_to(1, 30, 0, 2, {0x1234}));
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(p[1].get<uint32_t>(70, 0), 0x1234u);
  p.expect_untouched(1, 30);
}

TEST(Gateway, WhereNoControlExistsGatewaysNeedNoOpening) {
  Party p(gen9_parts);
  p.gateway.bypass = false;
  p.send(0, ack | forward, forward_to(1, 30, 0, 2, {1}));
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(p[1].get<uint32_t>(30, 0), 1u);
}

TEST(Gateway, GW_11_OpenAtTheEndOfAThreadCloses) {
  Party p(gen6_parts);
  p.gateway.bypass = false;
  p.send(1, plain | open_gateway, open_at(40));
  EXPECT_TRUE(p.gateway.entries[9].open);
  EXPECT_EQ(p.send(1, plain | open_gateway, open_at(50), true).status, Status::ended);
  EXPECT_FALSE(p.gateway.entries[9].open);
  EXPECT_EQ(p.send(1, plain | open_gateway, open_at(50), true).status, Status::ended);  // whatever the state was
  EXPECT_FALSE(p.gateway.entries[9].open);
}

TEST_P(EveryGateway, GW_12_OnlyTheFirstDwordIsAnswered) {
  Party p(GetParam());
  p.send(0, ack | open_gateway);
  EXPECT_EQ(p.answer(0), 0x00030000u);
  for (int n = 1; n < 8; ++n) EXPECT_EQ(p[0].get<uint32_t>(20, n), untouched);
  p.send(0, ack | 7);
  EXPECT_EQ(p.answer(0), answer_of(5));
}

TEST(Gateway, GW_12_SizeExceeded) {
  Party p(gen6_parts);
  p.gateway.bypass = false;
  p.send(0, ack | open_gateway, open_at(128));
  EXPECT_EQ(p.answer(0), answer_of(1));
  EXPECT_FALSE(p.gateway.entries[8].open);
}

TEST(Gateway, GW_20_CloseShutsTheGateway) {
  Party p(gen6_parts);
  p.gateway.bypass = false;
  p.send(1, plain | open_gateway, open_at(40));
  p.send(1, ack | close_gateway);
  EXPECT_EQ(p.answer(1), answer_of(0));
  p.send(0, ack | forward, forward_to(1, 30, 0, 2, {1}));
  EXPECT_EQ(p.answer(0), answer_of(2));
  p.expect_untouched(1, 70);
}

// T47: every length at every place it may have; nothing else of the register file changes.
TEST_P(EveryGateway, GW_30_GW_32_T47_ForwardWritesOnlyItsBytes) {
  constexpr int sizes[] = {1, 2, 4, 8, 16};
  const std::array<uint32_t, 4> words{0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C};
  for (uint32_t length = 0; length < 5; ++length) {
    for (int at = 0; at < 32; at += sizes[length]) {
      Party p(GetParam());
      auto expected = p[1].thread.grf;
      const std::array<uint32_t, 4> data = length == 0 ? std::array<uint32_t, 4>{0x77777777} : words;
      std::memcpy(expected.data() + 127 * 32 + at, data.data(), size_t(sizes[length]));
      EXPECT_EQ(p.send(0, plain | forward, forward_to(1, 127, at, length, data)).status, Status::ended);
      EXPECT_TRUE(p[1].thread.grf == expected) << "length " << length << " at " << at;
      EXPECT_EQ(p[1].thread.notify, (std::array<uint32_t, 3>{}));
    }
  }
}

TEST_P(EveryGateway, GW_30_MisalignedOrUnreplicatedDataIsAFault) {
  Party p(GetParam());
  EXPECT_EQ(why(p.send(0, plain | forward, forward_to(1, 30, 1, 1, {1}))),
            "message gateway: offset 1 is not aligned to 2 bytes");
  EXPECT_EQ(why(p.send(0, plain | forward, forward_to(1, 30, 8, 4, {1}))),
            "message gateway: offset 8 is not aligned to 16 bytes");
  EXPECT_EQ(why(p.send(0, plain | forward, forward_to(1, 30, 0, 0, {0x11111112}))),
            "message gateway: the byte to forward must stand in all four bytes of M0.0");
  EXPECT_EQ(why(p.send(0, plain | forward, forward_to(1, 128, 0, 2, {1}))),
            "message gateway: ForwardMsg to r128, past the last register");
  p.expect_untouched(1, 30);
}

TEST_P(EveryGateway, GW_31_RegisterZeroIsForbidden) {
  Party p(GetParam());
  EXPECT_EQ(why(p.send(0, plain | forward, forward_to(1, 0, 0, 2, {1}))),
            "message gateway: r0 cannot be written by ForwardMsg");
}

TEST_P(EveryGateway, GW_33_Errors) {
  Party p(GetParam());
  for (uint32_t length : {5, 6, 7}) {
    p.send(0, ack | forward, forward_to(1, 30, 0, length, {1}));
    EXPECT_EQ(p.answer(0), answer_of(6));
  }
  p.send(0, ack | forward, forward_to(5, 30, 0, 2, {1}));  // nobody there
  EXPECT_EQ(p.answer(0), answer_of(2));
  p.expect_untouched(1, 30);
}

TEST_P(EveryGateway, GW_34_T49_NotificationsAreCountedAndTakenByWait) {
  Party p(GetParam());
  const std::string twice = "(W) wait n0.0<0;1,0>:ud\n(W) wait n0.0<0;1,0>:ud\n(W) wait n0.2<0;1,0>:ud";
  EXPECT_EQ(p[1].run("(W) wait n0.0<0;1,0>:ud").status, Status::waiting);
  EXPECT_EQ(p[1].thread.ip, 0u);
  for (int n = 0; n < 3; ++n) p.send(0, plain | forward | notify_n0, forward_to(1, 30 + n, 0, 2, {1}));
  p.send(0, plain | forward | notify_n2, forward_to(1, 40, 0, 2, {1}));
  p.send(0, plain | forward, forward_to(1, 41, 0, 2, {1}));
  EXPECT_EQ(p[1].thread.notify, (std::array<uint32_t, 3>{3, 0, 1}));
  EXPECT_EQ(p[1].run(twice).status, Status::ended);
  EXPECT_EQ(p[1].thread.notify, (std::array<uint32_t, 3>{1, 0, 0}));
  EXPECT_EQ(p[1].run(twice).status, Status::waiting);
  EXPECT_EQ(p[1].thread.ip, 16u);  // the first wait took one, the second found none
  p[1].thread.notify[0] = 0xFFFF;  // the count has 16 bits
  p.send(0, plain | forward | notify_n0, forward_to(1, 30, 0, 2, {1}));
  EXPECT_EQ(p[1].thread.notify[0], 0xFFFFu);
}

TEST_P(EveryGateway, GW_40_GW_41_GW_42_TimeStampsGoToOneHalf) {
  Party p(GetParam());
  GatewayTimes now{.absolute = 0xDCBA9876'432, .relative = 0x00000001'801};
  p.gateway.clock = {[](void* t) { return *static_cast<GatewayTimes*>(t); }, &now};
  const std::vector<uint32_t> stamp{0x43200000, 0xDCBA9876, 0x80100000, 1};
  p.send(0, ack | time_stamp);
  EXPECT_EQ(p[0].lanes<uint32_t>(20, 4), stamp);
  for (int n = 4; n < 8; ++n) EXPECT_EQ(p[0].get<uint32_t>(20, n), untouched);

  Party high(GetParam());
  high.gateway.clock = p.gateway.clock;
  now.absolute |= uint64_t{1} << 44;  // wraps
  high.send(0, ack | time_stamp, {0, 0, 0, 0, 0, 0x80000000});
  for (int n = 0; n < 4; ++n) EXPECT_EQ(high[0].get<uint32_t>(20, n), untouched);
  for (int n = 0; n < 4; ++n) EXPECT_EQ(high[0].get<uint32_t>(20, 4 + n), stamp[size_t(n)]);

  EXPECT_EQ(why(p.send(0, plain | time_stamp)), "message gateway: GetTimeStamp needs AckReq");
}

// T48: the byte goes to the register each thread named, the notification to each; nobody gets anything before.
TEST(Gateway, GW_50_GW_51_T48_Gen6BarrierWritesAByteAndNotifies) {
  for (int count : {1, 2, 5}) {
    Party p(gen6_parts, count + 1);
    p.gateway.start_barrier(7, 9, unsigned(count), 0x5C);
    p.gateway.start_barrier(7, 8, 1, 0x11);
    p.gateway.start_barrier(6, 9, 1, 0x11);
    for (int round = 0; round < 2; ++round) {
      for (int n = 0; n < count; ++n) {
        for (int k = 0; k < count; ++k) EXPECT_EQ(p[size_t(k)].thread.notify[0], uint32_t(round));
        // the lowest bit of the offset is ignored, and so is everything around
        const uint32_t m2 = 0xF0000000u | 9u << 24 | uint32_t(31 + 2 * n) << 16 | 0xFFFF;
        p.send(size_t(n), plain | barrier, {~0u, ~0u, m2, ~0u, ~0u, ~0u, ~0u, ~0u});
      }
      for (int k = 0; k < count; ++k) {
        EXPECT_EQ(p[size_t(k)].thread.notify, (std::array<uint32_t, 3>{uint32_t(round) + 1, 0, 0}));
        EXPECT_EQ(p[size_t(k)].get<uint32_t>(30 + 2 * k, 0), 0xA5A5A55Cu);
        for (int n = 1; n < 8; ++n) EXPECT_EQ(p[size_t(k)].get<uint32_t>(30 + 2 * k, n), untouched);
      }
    }
    EXPECT_EQ(p[size_t(count)].thread.notify[0], 0u);  // it never arrived
  }
}

TEST(Gateway, GW_50_TheOffsetCountsFromTheBase) {
  Party p(gen6_parts, 1);
  p.gateway.bypass = false;
  p.gateway.start_barrier(7, 0, 1, 0x5C);
  p.send(0, plain | open_gateway, open_at(40));
  p.send(0, plain | barrier, {0, 0, 10 << 16});
  EXPECT_EQ(p[0].get<uint8_t>(50, 0), 0x5C);
  EXPECT_EQ(why(p.send(0, plain | barrier, {0, 0, 100 << 16})), "message gateway: a barrier cannot write r140");
  p.gateway.bypass = true;
  EXPECT_EQ(why(p.send(0, plain | barrier, {0, 0, 1 << 16})), "message gateway: a barrier cannot write r0");
}

TEST(Gateway, GW_52_TheByteIsZeroIfTheLastMessageBroughtTheCount) {
  // No generation has both fields.
  isa::MessageTables tables = isa::messages_gen6;
  tables.barrier = {.offset = {23, 16}, .count_enable = {15, 15}, .count = {14, 9}};
  const GatewayLayout layout{tables};
  Party p(gen6_parts, 2, &layout);
  p.gateway.start_barrier(7, 0, 2, 0x5C);
  const Payload bare{0, 0, 30 << 16}, with_count{0, 0, 30 << 16 | 1 << 15 | 2 << 9};
  p.send(0, plain | barrier, with_count);
  p.send(1, plain | barrier, bare);
  EXPECT_EQ(p[0].get<uint8_t>(30, 0), 0x5C);
  p.send(1, plain | barrier, bare);
  p.send(0, plain | barrier, with_count);
  EXPECT_EQ(p[0].get<uint8_t>(30, 0), 0);
}

TEST_P(EveryGateway, GW_53_BarriersAnswerOnDemand) {
  Party p(GetParam());
  const Payload payload{0, 0, 3u << 24 | 30 << 16};
  p.send(0, ack | barrier, payload);
  EXPECT_EQ(p.answer(0), answer_of(1));
  p.gateway.start_barrier(7, 3, 2);
  p.send(0, ack | barrier, payload);
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(p[0].thread.notify[0], 0u);  // an answer is not the notification
  p.send(1, plain | barrier, payload);
  EXPECT_EQ(p[0].thread.notify[0], 1u);
  p.gateway.barriers.erase({7, 3});
  p.send(0, ack | barrier, payload);
  EXPECT_EQ(p.answer(0), answer_of(1));
}

TEST_P(EveryGateway, GW_10_GW_20_OpenAndClose) {
  Party p(GetParam(), 1);
  p.gateway.bypass = false;
  const GatewayEntry& entry = p.gateway.entries[Gateway::threads_per_eu];  // EU 1, thread 0
  p.send(0, ack | open_gateway, open_at(40));
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(entry.open, !p.gateway.layout.always_bypassed);
  p.send(0, ack | close_gateway);
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_FALSE(entry.open);
}

TEST_P(EveryGateway, GW_60_UpdateGatewayStateNeedsABarrier) {
  Party p(GetParam(), 1);
  const Payload update_byte{0x3A, 0, 2u << 24};
  p.send(0, ack | update, update_byte);
  EXPECT_EQ(p.answer(0), answer_of(1));
  p.gateway.start_barrier(7, 2, 1, 0x5C);
  p.send(0, ack | update, update_byte);
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ((p.gateway.barriers.at({7, 2}).byte), 0x3A);
  EXPECT_EQ(p[0].thread.notify[0], 0u);
}

TEST(Gateway, GW_60_UpdateGatewayStateChangesTheByte) {
  Party p(gen6_parts, 1);
  const Payload update_byte{0xFFFFFF3A, 0, 2u << 24};
  p.send(0, ack | update, update_byte);
  EXPECT_EQ(p.answer(0), answer_of(1));
  p.gateway.start_barrier(7, 2, 1, 0x5C);
  p.send(0, ack | update, update_byte);
  EXPECT_EQ(p.answer(0), answer_of(0));
  EXPECT_EQ(p[0].thread.notify[0], 0u);
  p.send(0, plain | barrier, {0, 0, 2u << 24 | 30 << 16});
  EXPECT_EQ(p[0].get<uint8_t>(30, 0), 0x3A);
}

TEST(Gateway, B_08_B_09_Gen9BarrierIdsHaveFiveBits) {
  Party p(gen9_parts, 2);
  p.gateway.start_barrier(7, 5, 2);
  p.gateway.start_barrier(7, 21, 2);
  const Payload low{~0u, ~0u, 0x75FF01FF, ~0u, ~0u, ~0u}, high{~0u, ~0u, 0xF5FF01FF, ~0u, ~0u, ~0u};
  p.send(0, plain | barrier, low);
  p.send(1, plain | barrier, high);
  EXPECT_EQ(p[0].thread.notify[0] + p[1].thread.notify[0], 0u);
  p.send(1, plain | barrier, low);
  EXPECT_EQ(p[0].thread.notify[0], 1u);
  EXPECT_EQ(p[1].thread.notify[0], 1u);
  p.send(0, plain | barrier, high);
  EXPECT_EQ(p[0].thread.notify[0], 2u);
  EXPECT_EQ(p[1].thread.notify[0], 2u);
  p.expect_untouched(0, 127);
}

TEST(Gateway, Gen8BarrierIdsHaveFourBits) {
  Party p(gen8_parts, 1);
  p.gateway.start_barrier(7, 5, 1);
  EXPECT_THROW(p.gateway.start_barrier(7, 16, 1), std::invalid_argument);
  p.send(0, plain | barrier, {0, 0, 0xF5FF01FF});
  EXPECT_EQ(p[0].thread.notify[0], 1u);
}

class CountingGateway : public testing::TestWithParam<Generation> {};
INSTANTIATE_TEST_SUITE_P(All, CountingGateway, testing::Values(gen8_parts, gen9_parts));

// The dispatcher's count is replaced and stays replaced; everyone must bring the same.
TEST_P(CountingGateway, B_09_B_10_MessagesMayBringTheCount) {
  Party p(GetParam(), 3);
  p.gateway.start_barrier(7, 4, 1);
  const Payload three{0, 0, 4u << 24 | 1 << 15 | 3 << 9}, two{0, 0, 4u << 24 | 1 << 15 | 2 << 9}, bare{0, 0, 4u << 24};
  for (size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(p[0].thread.notify[0], 0u);
    p.send(n, plain | barrier, three);
  }
  for (size_t n = 0; n < 3; ++n) EXPECT_EQ(p[n].thread.notify[0], 1u);
  for (size_t n = 0; n < 3; ++n) p.send(n, plain | barrier, bare);
  for (size_t n = 0; n < 3; ++n) EXPECT_EQ(p[n].thread.notify[0], 2u);
  p.send(0, plain | barrier, two);
  EXPECT_EQ(why(p.send(1, plain | barrier, three)), "message gateway: barrier count 3 after 2 in the same round");
  EXPECT_EQ(why(p.send(1, plain | barrier, {0, 0, 4u << 24 | 1 << 15})), "message gateway: a barrier of no threads");
  p.send(1, plain | barrier, two);
  EXPECT_EQ(p[0].thread.notify[0], 3u);
  EXPECT_EQ(p[2].thread.notify[0], 2u);
}

// The sequence Intel's compiler makes: clear n0.0, take the id from r0.2, send, wait.
TEST(Gateway, CompiledBarrierSequence) {
  Party p(gen9_parts, 2);
  p.gateway.start_barrier(7, 17, 2);
  const std::string text =
      "(W) mov (1|M0) n0.0<1>:ud 0x0:ud\n"
      "(W) and (8|M0) r28.0<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud\n"
      "(W) send (8|M0) null r28 0x3 0x02000004\n"
      "(W) wait n0.0<0;1,0>:ud";
  for (size_t n = 0; n < 2; ++n) p[n].set<uint32_t>(0, 2, 0x81FF00FF);
  EXPECT_EQ(p[0].run(text).status, Status::waiting);
  EXPECT_EQ(p[1].run(text).status, Status::ended);
  EXPECT_EQ(p[0].thread.notify[0], 1u);
}

}  // namespace
}  // namespace vitro::shared
