// The URB of Gen8 and Gen9: blocks, SIMD8 messages and atomics, each by programs on both generations.
#include <thread>

#include "shared/urb_bench_test.h"

namespace vitro::shared {
namespace {

constexpr uint32_t bytes = 192 << 10;
constexpr uint32_t write_hword = 0, write_oword = 1, read_hword = 2, read_oword = 3, atomic_mov = 4, atomic_inc = 5,
                   atomic_add = 6, simd8_write = 7, simd8_read = 8;
constexpr uint32_t interleaved = 1 << 15, channel_masks = 1 << 15, per_slot = 1 << 17;
constexpr uint32_t offset(uint32_t n) { return n << 4; }

class UrbBlocks : public testing::TestWithParam<const isa::Model* (*)()> {
 protected:
  const isa::Model& model() const { return *GetParam()(); }
};
const isa::Model* gen8() { return &gen::gen8(); }
const isa::Model* gen9() { return &gen::gen9(); }
INSTANTIATE_TEST_SUITE_P(All, UrbBlocks, testing::Values(&gen8, &gen9));

struct Sender : UrbBench {
  explicit Sender(const isa::Model& m, uint32_t channels = 0xFF) : UrbBench(m, urb_gen8, bytes, channels) {}
  // Sends from r2 on; the response goes to r20 on.
  Sender& message(uint32_t desc, unsigned mlen, unsigned rlen = 0) {
    run(fmt::format("send (8|M0) {} r2 0x6 0x{:08X}", rlen ? "r20" : "null", desc | lengths(mlen, rlen)));
    return *this;
  }
  Sender& ends_with(uint32_t desc, unsigned mlen) {
    run_as_is(fmt::format("send (8|M0) null r2 0x26 0x{:08X} {{EOT}}", desc | lengths(mlen, 0)));
    return *this;
  }
};

constexpr uint32_t handle_bytes = 64;

// --- SIMD8

// Real descriptors: 0x0A080027 writes 4 dwords at OWord 2, 0x02480018 reads 4 at OWord 1.
TEST_P(UrbBlocks, Simd8WriteAndRead) {
  Sender b(model(), 0xB7);
  for (uint32_t n = 0; n < 8; ++n) b.set<uint32_t>(2, int(n), 0xF8000000 | (100 + 3 * n));  // upper bits are ignored
  b.number(3, 4);
  b.run("send (8|M0) null r2 0x6 0x0A080027\nsend (8|M0) r20 r2 0x6 0x02480018");
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t n = 0; n < 8; ++n) {
    const uint32_t at = (100 + 3 * n) * handle_bytes + 32;
    const Dwords sent{0x300 + n, 0x400 + n, 0x500 + n, 0x600 + n};
    EXPECT_EQ(b.dwords(at, 4), 0xB7 >> n & 1 ? sent : UrbBench::untouched(at, 4)) << n;
    EXPECT_EQ(b.dwords(at - 16, 4), UrbBench::untouched(at - 16, 4));
    EXPECT_EQ(b.dwords(at + 16, 4), UrbBench::untouched(at + 16, 4));
    for (uint32_t j = 0; j < 4; ++j)
      EXPECT_EQ(b.get<uint32_t>(20 + int(j), int(n)), 0xB7 >> n & 1 ? 0xE0000000 + (at - 16) / 4 + j : 0u);
  }
}

TEST_P(UrbBlocks, Simd8PerSlotOffsetsAndChannelMasks) {
  Sender b(model());
  for (uint32_t n = 0; n < 8; ++n) {
    b.set<uint32_t>(2, int(n), 50);
    b.set<uint32_t>(3, int(n), 10 * n);
    b.set<uint32_t>(4, int(n), (0x81 + n) << 16 | 0xFF00FFFF);
  }
  b.number(5, 8);
  b.message(simd8_write | offset(3) | per_slot | channel_masks, 11);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t n = 0; n < 8; ++n)
    for (uint32_t j = 0; j < 8; ++j) {
      const uint32_t at = (50 * handle_bytes + 16 * (3 + 10 * n)) / 4 + j;
      EXPECT_EQ(b.urb.dwords[at], (0x81 + n) >> j & 1 ? (5 + j) * 256 + n : 0xE0000000 + at) << n << ' ' << j;
    }
  // read back through per-slot offsets
  b.message(simd8_read | offset(3) | per_slot, 2, 8);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(b.get<uint32_t>(27, int(n)), 12 * 256 + n);
}

// Only masks: 0x04088017 of a hull shader that writes nothing but the header's first dword.
TEST_P(UrbBlocks, Simd8ChannelMasksWithoutOffsets) {
  Sender b(model(), 1);
  b.set<uint32_t>(2, 0, 7);
  b.set<uint32_t>(3, 0, 0x00020000);
  b.number(4, 2);
  b.message(simd8_write | offset(1) | channel_masks, 4);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(7 * handle_bytes + 16, 3), (Dwords{0xE0000000 + 7 * 16 + 4, 0x500, 0xE0000000 + 7 * 16 + 6}));
}

// The registers of a split send follow one another.
TEST(Urb, SplitSend) {
  Sender b(gen::gen9());
  for (int n = 0; n < 8; ++n) b.set<uint32_t>(2, n, uint32_t(n));
  b.number(40, 2);
  b.run(fmt::format("sends (8|M0) null r2 r40 0x86 0x{:08X}", lengths(1, 0) | simd8_write));
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(b.dwords(n * handle_bytes, 2), (Dwords{40 * 256 + n, 41 * 256 + n}));
}

// The response may lie over the payload: handles are read before anything is written.
TEST_P(UrbBlocks, Simd8ReadOverItsOwnHandles) {
  Sender b(model());
  for (int n = 0; n < 8; ++n) b.set<uint32_t>(2, n, uint32_t(n + 1));
  b.run(fmt::format("send (8|M0) r2 r2 0x6 0x{:08X}", lengths(1, 1) | simd8_read));
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(b.get<uint32_t>(2, int(n)), 0xE0000000 + (n + 1) * 16);
}

TEST_P(UrbBlocks, Simd8Faults) {
  Sender b(model());
  b.own(128, 8);
  for (int n = 0; n < 8; ++n) b.set<uint32_t>(2, n, uint32_t(2 * n));
  b.number(3, 9);
  b.message(simd8_write | offset(6), 9);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  const std::vector<uint32_t> before = b.urb.dwords;
  b.message(simd8_write | offset(7), 9);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB simd8 write: 32 bytes at offset 112 of handle 0 reach past its 128 bytes");
  EXPECT_EQ(b.urb.dwords, before) << "nothing is written";
  b.message(simd8_write, 10);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB simd8 write: 1 to 9 registers of payload, not 10");
  b.message(simd8_write | per_slot | channel_masks, 2);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB simd8 write: 3 to 11 registers of payload, not 2");
  b.message(simd8_read, 2, 1);
  EXPECT_EQ(b.status, Status::faulted);
  b.message(simd8_read, 1, 9);
  EXPECT_EQ(b.status, Status::faulted);
  b.message(9, 1);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB message: opcode 9 is reserved");
  b.set<uint32_t>(2, 5, 0xFFFF);
  b.message(simd8_read, 1, 1);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, fmt::format("URB simd8 read: handle 65535 lies outside the {} bytes of the URB", bytes));
  b.thread.active = b.thread.dispatched = 0xDF;  // but an absent channel's handle may be anything
  b.message(simd8_read, 1, 1);
  EXPECT_EQ(b.status, Status::ended);
}

// A wild per-slot offset does not wrap round.
TEST_P(UrbBlocks, OffsetsDoNotWrap) {
  Sender b(model(), 1);
  b.set<uint32_t>(3, 0, 0xFFFFFFFF);
  b.message(simd8_write | offset(1) | per_slot, 3);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_NE(b.fault->reason.find("at offset 68719476736 of handle 0"), std::string::npos) << b.fault->reason;
}

TEST_P(UrbBlocks, LargestOffset) {
  Sender b(model(), 1);
  b.number(3, 1);
  b.message(simd8_write | offset(2047), 2);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(2047 * 16, 1), (Dwords{0x300}));
}

// --- the end of a thread

TEST_P(UrbBlocks, EndOfThreadCompletesItsEntries) {
  Sender b(model(), 0x0B);
  b.own(64, 8);
  for (int n = 0; n < 8; ++n) b.set<uint32_t>(2, n, uint32_t(n));
  b.unit.held = {0, 1, 3};
  b.message(simd8_write, 2);
  EXPECT_TRUE(b.unit.seen.empty());
  b.ends_with(simd8_write | offset(1), 2);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  ASSERT_EQ(b.unit.seen.size(), 1u);
  EXPECT_TRUE(b.unit.seen[0].eot && b.unit.seen[0].complete && b.unit.seen[0].used);
  EXPECT_EQ(b.unit.output, (std::vector<uint16_t>{0, 1, 3}));
  b.ends_with(simd8_write, 1);  // handles alone: a geometry shader without vertices
  EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.unit.seen.size(), 2u);
  b.urb.owners[fake_ffid].may_end = false;
  b.ends_with(simd8_write, 1);
  EXPECT_EQ(b.status, Status::faulted);
}

// --- blocks

// Both entries at their own offsets; dwords where the header's mask and the channel enables agree.
TEST_P(UrbBlocks, MSD_UW_HWDB_MSD_UR_HWDB_InterleavedWriteAndRead) {
  Sender b(model(), 0xFE);
  b.fill<uint32_t>(2, {0xABCD0010, 0x40, 0, 4, 6, 0x7F00});
  b.number(3, 4);
  b.message(write_hword | interleaved | per_slot | offset(1), 5);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t j = 0; j < 8; ++j) {
      const uint32_t at = (j < 4 ? 0x10 * 64 + 5 * 32 : 0x40 * 64 + 7 * 32) / 4 + 4 * i + j % 4;
      EXPECT_EQ(b.urb.dwords[at], 0x7E >> j & 1 ? (3 + i) * 256 + j : 0xE0000000 + at) << i << ' ' << j;
    }
  b.message(read_hword | interleaved | per_slot | offset(1), 1, 4);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t j = 0; j < 8; ++j)
      EXPECT_EQ(b.get<uint32_t>(20 + int(i), int(j)), 0x7E >> j & 1 ? (3 + i) * 256 + j : 0) << i << ' ' << j;
}

TEST_P(UrbBlocks, HwordNoSwizzle) {
  Sender b(model());
  b.fill<uint32_t>(2, {5, 0xFFFF, 0, 99, 99, 0xFF00});  // without per-slot offsets M0.3 and M0.4 mean nothing
  b.number(3, 2);
  b.message(write_hword | offset(2), 3);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(5 * 64 + 64, 8), b.lanes<uint32_t>(3, 8));
  EXPECT_EQ(b.dwords(5 * 64 + 96, 8), b.lanes<uint32_t>(4, 8));
  b.message(read_hword | offset(2), 1, 2);
  EXPECT_EQ(b.lanes<uint32_t>(20, 16), b.lanes<uint32_t>(3, 16));
}

TEST_P(UrbBlocks, MSD_UW_OWDB_MSD_UR_OWDB_InterleavedWriteAndRead) {
  Sender b(model());
  b.fill<uint32_t>(2, {8, 9, 0, 1, 2, 0xFF00});
  b.number(3, 1);
  b.message(write_oword | interleaved | per_slot | offset(3), 2);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(8 * 64 + 4 * 16, 4), (Dwords{0x300, 0x301, 0x302, 0x303}));
  EXPECT_EQ(b.dwords(9 * 64 + 5 * 16, 4), (Dwords{0x304, 0x305, 0x306, 0x307}));
  EXPECT_EQ(b.dwords(8 * 64 + 5 * 16, 4), UrbBench::untouched(8 * 64 + 5 * 16, 4));
  b.message(read_oword | interleaved | per_slot | offset(3), 1, 1);
  EXPECT_EQ(b.lanes<uint32_t>(20, 8), b.lanes<uint32_t>(3, 8));
}

// The end of a hull shader of Mesa's vec4 compiler: one dword of one entry.
TEST_P(UrbBlocks, MSD_UW_OWB_NoSwizzleWritesOneOword) {
  Sender b(model());
  b.own(64, 4);
  b.unit.held = {2};
  b.fill<uint32_t>(2, {2, 0xFFFF, 0, 0, 0, 0x0100});
  b.number(3, 1);
  b.ends_with(write_oword | offset(1), 2);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(2 * 64 + 16, 2), (Dwords{0x300, 0xE0000000 + 2 * 16 + 5}));
  EXPECT_EQ(b.unit.output, (std::vector<uint16_t>{2}));
  // all channels: still only the low half of the register
  b.set<uint32_t>(2, 5, 0xFF00);
  b.message(write_oword | offset(1), 2);
  EXPECT_EQ(b.dwords(2 * 64 + 16, 8), (Dwords{0x300, 0x301, 0x302, 0x303, 0xE0000000 + 40, 0xE0000000 + 41,  //
                                              0xE0000000 + 42, 0xE0000000 + 43}));
  b.fill<uint32_t>(20, Dwords(8, 5));
  b.message(read_oword | offset(1), 1, 1);
  EXPECT_EQ(b.lanes<uint32_t>(20, 8), (Dwords{0x300, 0x301, 0x302, 0x303, 5, 5, 5, 5}));
}

TEST_P(UrbBlocks, BlockFaults) {
  Sender b(model());
  b.own(64, 4);
  b.fill<uint32_t>(2, {1, 2, 0, 0, 0, 0xFF00});
  b.message(write_oword | interleaved, 3);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write oword: one register of data, not 2");
  b.message(read_hword, 2, 1);
  EXPECT_EQ(b.status, Status::faulted);
  b.message(write_hword | interleaved | offset(1), 4);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write hword: 48 bytes at offset 32 of handle 1 reach past its 64 bytes");
  b.message(read_hword | offset(2), 1, 1);
  EXPECT_EQ(b.status, Status::faulted);
  b.run(fmt::format("send (8|M0) null r2 0x6 0x{:08X}", 1 << 25 | read_hword));
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB read hword: needs a header");
}

// --- atomics

TEST_P(UrbBlocks, Atomics) {
  Sender b(model());
  b.set<uint32_t>(2, 0, 3);
  b.set<uint32_t>(3, 0, 1000);
  const uint32_t at = 3 * 16 + 5;
  b.message(atomic_mov | offset(5), 2, 1);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.get<uint32_t>(20, 0), 0xE0000000 + at);
  EXPECT_EQ(b.urb.dwords[at], 1000u);
  b.message(atomic_inc | offset(5), 1, 1);
  EXPECT_EQ(b.get<uint32_t>(20, 0), 1000u);
  EXPECT_EQ(b.urb.dwords[at], 1001u);
  b.set<uint32_t>(3, 0, uint32_t(-2));
  b.message(atomic_add | offset(5), 2, 1);
  EXPECT_EQ(b.get<uint32_t>(20, 0), 1001u);
  EXPECT_EQ(b.urb.dwords[at], 999u);
  b.message(atomic_inc | offset(5), 1);
  EXPECT_EQ(b.urb.dwords[at], 1000u);
  EXPECT_EQ(b.dwords(4 * (at - 1), 1), UrbBench::untouched(4 * (at - 1), 1));
  EXPECT_EQ(b.dwords(4 * (at + 1), 1), UrbBench::untouched(4 * (at + 1), 1));
  b.message(atomic_inc, 2);
  EXPECT_EQ(b.status, Status::faulted);
  b.message(atomic_add, 1);
  EXPECT_EQ(b.status, Status::faulted);
  b.thread.active = b.thread.dispatched = 0xFE;
  b.message(atomic_inc | offset(5), 1);
  EXPECT_EQ(b.urb.dwords[at], 1000u) << "channel 0 is off";
  EXPECT_EQ(b.get<uint32_t>(20, 1), 0u);
}

// Threads on several host threads count with one dword: every number is given out once.
TEST_P(UrbBlocks, AtomicsOfThreadsThatRunAtOnce) {
  constexpr int threads = 4, rounds = 500;
  Urb urb(urb_gen8, 4096);
  std::vector<std::vector<uint32_t>> got(threads);
  const auto work = [&](std::vector<uint32_t>& numbers) {
    Sender b(model());
    b.functions[urb_sfid] = urb.function();
    b.set<uint32_t>(2, 0, 1);
    for (int n = 0; n < rounds; ++n) {
      b.send(lengths(1, 1) | atomic_inc | offset(2), 2, 20);
      numbers.push_back(b.get<uint32_t>(20, 0));
    }
  };
  {
    std::vector<std::jthread> running;
    for (auto& numbers : got) running.emplace_back(work, std::ref(numbers));
  }
  std::vector<uint32_t> all;
  for (const auto& numbers : got) all.insert(all.end(), numbers.begin(), numbers.end());
  std::sort(all.begin(), all.end());
  for (uint32_t n = 0; n < all.size(); ++n) ASSERT_EQ(all[n], n);
  EXPECT_EQ(urb.dwords[16 + 2], uint32_t(threads * rounds));
}

TEST_P(UrbBlocks, AtomicOutsideItsEntry) {
  Sender b(model());
  b.own(64, 1);
  b.message(atomic_inc | offset(16), 1);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB atomic inc: 4 bytes at offset 64 of handle 0 reach past its 64 bytes");
}

}  // namespace
}  // namespace vitro::shared
