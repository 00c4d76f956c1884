// The URB of Gen6: URB_WRITE in three swizzles, entries and their owners, FF_SYNC. The names of tests carry the ids of
// the requirements (URB-01..URB-21) and of the document's worked examples (T44..T46).
#include "shared/urb.h"

#include "shared/urb_bench_test.h"

namespace vitro::shared {
namespace {

constexpr uint32_t complete = 1 << 15, used = 1 << 14, allocate = 1 << 13, composite = 1 << 12;
constexpr uint32_t interleaved = 1 << 10, transpose = 2 << 10;
constexpr uint32_t ff_sync = 1;
constexpr uint32_t rows(uint32_t n) { return n << 4; }

struct Gen6 : UrbBench {
  explicit Gen6(uint32_t channels = 0xFF, uint32_t bytes = urb_bytes_gen6_gt1)
      : UrbBench(gen::gen6(), urb_gen6, bytes, channels) {}
  // A program that moves `count` registers from r2 on to m1 on and sends them; the response goes to r20.
  Gen6& message(uint32_t desc, unsigned count, unsigned rlen = 0, bool eot = false) {
    std::string text;
    for (unsigned n = 0; n < count; ++n)
      text += fmt::format("(W) mov (8|M0) m{}.0<1>:ud r{}.0<8;8,1>:ud\n", 1 + n, 2 + n);
    const uint32_t all = desc | lengths(count, rlen);
    text += fmt::format("send (8|M0) {} m1 0x{}6 0x{:08X}{}\n", rlen ? "r20" : "null", eot ? 2 : 0, all,
                        eot ? " {EOT}" : "");
    eot ? run_as_is(text) : run(text);
    return *this;
  }
};

TEST(Urb, URB_01_SizeIsAParameter) {
  for (const auto& [bytes, count] : {std::pair{urb_bytes_gen6_gt1, 1024u}, {urb_bytes_gen6_gt2, 2048u}}) {
    Gen6 b(0xFF, bytes);
    b.number(3, 1);
    b.set<uint32_t>(2, 0, count - 1);
    EXPECT_EQ(b.send(lengths(2, 0), 2), Reply::done) << b.reason;
    EXPECT_EQ(b.dwords(bytes - 32, 8), b.lanes<uint32_t>(3, 8));
    b.set<uint32_t>(2, 0, count);
    EXPECT_EQ(b.send(lengths(2, 0), 2), Reply::faulted);
    EXPECT_EQ(b.reason, fmt::format("URB write: handle {} lies outside the {} bytes of the URB", count, bytes));
    b.set<uint32_t>(2, 0, count - 1);
    EXPECT_EQ(b.send(lengths(2, 0) | rows(1), 2), Reply::faulted);
    EXPECT_EQ(b.reason,
              fmt::format("URB write: 32 bytes at offset 32 of handle {} reach past its 32 bytes", count - 1));
  }
}

// A fault names the instruction of the program.
TEST(Urb, AccessOutsideAnEntryIsAFault) {
  Gen6 b;
  b.own(128, 4);
  b.set<uint32_t>(2, 0, 4);
  b.message(rows(3), 2);
  EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
  b.message(rows(3), 3);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write: 64 bytes at offset 96 of handle 4 reach past its 128 bytes");
  EXPECT_NE(b.fault->instruction.find("send"), std::string::npos);
  EXPECT_EQ(b.dwords(256, 8), UrbBench::untouched(256, 8));
  // inside no known entry: the URB's end is the limit
  b.set<uint32_t>(2, 0, 5);
  b.message(rows(3), 3);
  EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
}

TEST(Urb, PoolsHandOutEntries) {
  Urb urb(urb_gen6, 1024);
  EXPECT_FALSE(make_pool(urb, 0, 128, 9));
  EXPECT_FALSE(make_pool(urb, 16, 128, 1));
  EXPECT_FALSE(make_pool(urb, 0, 0, 1));
  UrbPool pool = make_pool(urb, 256, 128, 2).value();
  EXPECT_EQ(pool.allocate(), 8);
  EXPECT_EQ(pool.allocate(), 12);
  EXPECT_EQ(pool.allocate(), std::nullopt);
  EXPECT_EQ(urb.entry(12).size(), 32u);
  EXPECT_FALSE(pool.free(9));
  EXPECT_FALSE(pool.free(4));
  EXPECT_FALSE(pool.free(16));
  EXPECT_TRUE(pool.free(8));
  EXPECT_FALSE(pool.free(8));
  EXPECT_EQ(pool.allocate(), 8);
}

// T45, first table: Mi.j goes to dword 8(i-1)+j, whatever the channel enables.
TEST(Urb, T45_URB_11_NoSwizzle) {
  for (uint32_t channels : {0xFFu, 0x00u, 0x5Au}) {
    Gen6 b(channels);
    b.number(3, 3);
    b.set<uint32_t>(2, 0, 0xABCD0010);
    b.message(rows(2), 4);
    ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
    for (uint32_t i = 1; i <= 3; ++i)
      for (uint32_t j = 0; j < 8; ++j)
        EXPECT_EQ(b.urb.dwords[(16 + 2) * 8 + 8 * (i - 1) + j], (2 + i) * 256 + j) << i << '.' << j;
    EXPECT_EQ(b.dwords((16 + 1) * 32, 8), UrbBench::untouched((16 + 1) * 32, 8));
    EXPECT_EQ(b.dwords((16 + 5) * 32, 8), UrbBench::untouched((16 + 5) * 32, 8));
  }
}

TEST(Urb, URB_04_LargestOffset) {
  Gen6 b;
  b.number(3, 1);
  b.set<uint32_t>(2, 0, 100);
  b.message(rows(63), 2);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords((100 + 63) * 32, 8), b.lanes<uint32_t>(3, 8));
}

// T45, second table: Mi[3:0] go to the first handle, Mi[7:4] to the second, for enabled channels; one offset for both.
TEST(Urb, T45_URB_12_Interleaved) {
  for (uint32_t channels : {0xFFu, 0x5Au, 0x0Fu, 0xF0u}) {
    Gen6 b(channels);
    b.number(3, 4);
    b.set<uint32_t>(2, 0, 8);
    b.set<uint32_t>(2, 1, 64);
    b.message(interleaved | rows(1), 5);
    ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
    for (uint32_t i = 1; i <= 4; ++i)
      for (uint32_t j = 0; j < 8; ++j) {
        const uint32_t at = ((j < 4 ? 8 : 64) + 1) * 8 + 4 * (i - 1) + j % 4;
        EXPECT_EQ(b.urb.dwords[at], channels >> j & 1 ? (2 + i) * 256 + j : 0xE0000000 + at) << i << '.' << j;
      }
  }
}

TEST(Urb, URB_12_InterleavedNeeds256BitsForEachVertex) {
  Gen6 b;
  b.message(interleaved, 2);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_NE(b.fault->reason.find("multiples of 256 bits"), std::string::npos) << b.fault->reason;
  EXPECT_EQ(b.dwords(0, 8), UrbBench::untouched(0, 8));
}

TEST(Urb, InterleavedDoesNotTouchTheHandleOfAnAbsentVertex) {
  Gen6 b(0x0F);
  b.number(3, 2);
  b.set<uint32_t>(2, 0, 3);
  b.set<uint32_t>(2, 1, 0xFFFF);
  b.message(interleaved, 3);
  EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(3 * 32, 8), (Dwords{0x300, 0x301, 0x302, 0x303, 0x400, 0x401, 0x402, 0x403}));
}

// T44: table 2-2, six rows of payload.
TEST(Urb, T44_URB_13_Transpose) {
  for (uint32_t channels : {0xFFu, 0x00u}) {
    Gen6 b(channels);
    b.number(3, 6);
    b.set<uint32_t>(2, 0, 32);
    b.message(transpose | rows(2), 7);
    ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
    const auto m = [](uint32_t reg, uint32_t n) { return (reg + 2) * 256 + n; };  // m1 came from r3
    for (uint32_t k = 0; k < 8; ++k) {
      const uint32_t a = 2 * (k % 4), r = k / 4 * 3;
      EXPECT_EQ(b.dwords((32 + 2 + k) * 32, 8), (Dwords{m(r + 1, a), m(r + 2, a), 0, m(r + 3, a),  //
                                                        m(r + 1, a + 1), m(r + 2, a + 1), 0, m(r + 3, a + 1)}))
          << k;
    }
    EXPECT_EQ(b.dwords((32 + 10) * 32, 8), UrbBench::untouched((32 + 10) * 32, 8));
  }
}

TEST(Urb, URB_13_TransposeRestrictions) {
  Gen6 b;
  b.message(transpose, 3);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write: transposed data comes in multiples of 3 registers, not 2");
  b.message(transpose | rows(1), 4);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write: the offset of transposed data must be even, not 1");
}

// T46: the eight rows, spelled out for all sixteen combinations.
TEST(Urb, T46_URB_06_Validity) {
  using enum UrbValidity;
  for (bool u : {false, true}) {
    EXPECT_EQ(urb_write_validity(false, u, false, false), valid);
    EXPECT_EQ(urb_write_validity(false, u, false, true), if_all_complete);
    EXPECT_EQ(urb_write_validity(false, u, true, false), if_all_complete);
    EXPECT_EQ(urb_write_validity(false, u, true, true), invalid);
    EXPECT_EQ(urb_write_validity(true, u, true, true), invalid);
    for (bool a : {false, true}) EXPECT_EQ(urb_write_validity(true, u, a, false), valid);
    EXPECT_EQ(urb_write_validity(true, u, false, true), valid);
  }
}

// The same by messages of a thread that holds one entry.
TEST(Urb, T46_URB_06_MessagesWithAnOpenEntry) {
  struct Case {
    uint32_t desc;
    bool eot;
    std::string_view reason;
  };
  const Case cases[] = {
      {0, false, ""},
      {0, true, "URB write: end of thread with 1 of the thread's entries not complete"},
      {allocate, false, "URB write: Allocate with 1 of the thread's entries not complete"},
      {allocate, true, "URB write: a thread cannot end with an Allocate outstanding"},
      {allocate | complete, true, "URB write: a thread cannot end with an Allocate outstanding"},
      {complete, false, ""},
      {complete | allocate, false, ""},
      {complete, true, ""},
      {complete | used, false, ""},
      {complete | used | allocate, false, ""},
      {complete | used, true, ""},
  };
  for (const Case& c : cases) {
    Gen6 b;
    b.own(64, 4);
    b.unit.held.push_back(*b.unit.pool.allocate());
    b.message(c.desc, 1, c.desc & allocate ? 1 : 0, c.eot);
    EXPECT_EQ(b.status, c.reason.empty() ? Status::ended : Status::faulted) << c.desc << c.eot;
    EXPECT_EQ(b.fault ? b.fault->reason : "", c.reason);
  }
  // with all entries complete, ending and allocating without a write are valid
  for (const auto& [desc, eot] : {std::pair{0u, true}, {allocate, false}}) {
    Gen6 b;
    b.own(64, 4);
    b.message(desc, 1, desc & allocate ? 1 : 0, eot);
    EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
  }
}

TEST(Urb, URB_03_OnlySomeFixedFunctionsEndThreadsHere) {
  Gen6 b;
  b.own(64, 1);
  b.urb.owners[fake_ffid].may_end = false;
  b.message(0, 1, 0, true);
  ASSERT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "URB write: threads of fixed function 4 may not end with it");
}

TEST(Urb, URB_04_Descriptor) {
  Gen6 b;
  EXPECT_EQ(b.send(1 << 25, 2), Reply::faulted);
  EXPECT_EQ(b.reason, "URB write: needs a header");
  EXPECT_EQ(b.send(lengths(0, 0), 2), Reply::faulted);
  EXPECT_EQ(b.send(lengths(1, 0) | 3 << 10, 2), Reply::faulted);
  EXPECT_EQ(b.reason, "URB write: swizzle 3 is reserved");
  EXPECT_EQ(b.send(lengths(1, 0) | 2, 2), Reply::faulted);
  EXPECT_EQ(b.reason, "URB message: opcode 2 is reserved");
  EXPECT_EQ(b.send(lengths(1, 0) | 7 << 16, 2), Reply::done) << "18:16 are ignored";
  // Allocate needs an owner and a register
  EXPECT_EQ(b.send(lengths(1, 1) | allocate, 2, 20), Reply::faulted);
  EXPECT_EQ(b.reason, "URB write: no fixed function owns the thread and could allocate an entry");
  b.own(64, 1);
  EXPECT_EQ(b.send(lengths(1, 0) | allocate, 2), Reply::faulted);
  EXPECT_EQ(b.reason, "URB write: Allocate needs a register for the handle");
  // Used may be cleared by some owners only, and means nothing without Complete
  b.urb.owners[fake_ffid].may_discard = false;
  EXPECT_EQ(b.send(lengths(1, 0), 2), Reply::done);
  EXPECT_EQ(b.send(lengths(1, 0) | complete, 2), Reply::faulted);
  EXPECT_EQ(b.reason, "URB write: only the geometry shader and the clipper may clear Used");
}

// URB-05: without an owner Complete and Used change nothing.
TEST(Urb, URB_05_ControlBitsAreForTheOwner) {
  Gen6 b;
  b.number(3, 1);
  b.set<uint32_t>(2, 0, 1);
  b.message(complete, 2);
  EXPECT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.dwords(32, 8), b.lanes<uint32_t>(3, 8));
}

TEST(Urb, URB_10_HeaderReachesTheOwner) {
  Gen6 b;
  b.own(64, 4);
  b.fill<uint32_t>(2, {0x00120002, 0x00340004, 5u << 16 | 0x15 << 2 | 2 | 1, 0, 0, 0xFFFFFF42});
  b.message(complete | used | interleaved, 3);
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  ASSERT_EQ(b.unit.seen.size(), 1u);
  const UrbSnoop& s = b.unit.seen[0];
  EXPECT_TRUE(s.complete && s.used && !s.allocate && !s.eot && !s.composite_check_pass && !s.ff_sync);
  EXPECT_EQ(s.fftid, 0x42);
  EXPECT_EQ(s.so_prims_written, 5);
  EXPECT_EQ(s.prim_type, 0x15);
  EXPECT_TRUE(s.prim_start && s.prim_end);
  ASSERT_EQ(s.handle_count, 2);
  EXPECT_EQ(s.handles[0], (UrbHandle{2, 0x12}));
  EXPECT_EQ(s.handles[1], (UrbHandle{4, 0x34}));
  // a partial write has no primitive, and one swizzle names one handle; the check counts only at the end
  b.message(composite, 2);
  EXPECT_EQ(b.unit.seen[1].handle_count, 1);
  EXPECT_EQ(b.unit.seen[1].prim_type, 0);
  EXPECT_TRUE(!b.unit.seen[1].complete && b.unit.seen[1].used && !b.unit.seen[1].composite_check_pass);
  b.message(complete | used | composite, 1, 0, true);
  EXPECT_TRUE(b.unit.seen[2].eot && b.unit.seen[2].composite_check_pass);
}

// A geometry shader as Mesa makes it: FF_SYNC with an entry, a vertex with Complete and Allocate, the spare entry given
// back at the end.
TEST(Urb, URB_14_URB_21_AGeometryShader) {
  Gen6 b;
  b.own(64, 3);
  b.unit.svbi = {11, 12, 13, 14};
  b.fill<uint32_t>(2, {6u << 16 | 2, 3, 0, 0, 0, 9, 0, 0});
  b.fill<uint32_t>(20, Dwords(16, 0xDEAD));
  b.number(3, 2);
  b.run_as_is(fmt::format(
      "(W) mov (8|M0) m1.0<1>:ud r2.0<8;8,1>:ud\n"
      "send (8|M0) r20 m1 0x6 0x{:08X}\n"
      "(W) mov (1|M0) m1.0<1>:ud r20.0<0;1,0>:ud\n"
      "(W) mov (8|M0) m2.0<1>:ud r3.0<8;8,1>:ud\n"
      "(W) mov (8|M0) m3.0<1>:ud r4.0<8;8,1>:ud\n"
      "send (8|M0) r21 m1 0x6 0x{:08X}\n"
      "(W) mov (1|M0) m1.0<1>:ud r21.0<0;1,0>:ud\n"
      "send (8|M0) null m1 0x26 0x{:08X} {{EOT}}\n",
      lengths(1, 1) | allocate | ff_sync, lengths(3, 1) | complete | used | allocate, lengths(1, 0) | complete));
  ASSERT_EQ(b.status, Status::ended) << b.fault->reason;
  EXPECT_EQ(b.lanes<uint32_t>(20, 8), (Dwords{0x00410000, 11, 12, 13, 14, 0, 0, 0}));
  EXPECT_EQ(b.lanes<uint32_t>(21, 8), (Dwords{0x00410002, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(b.dwords(0, 8), b.lanes<uint32_t>(3, 8));
  EXPECT_EQ(b.dwords(32, 8), b.lanes<uint32_t>(4, 8));
  ASSERT_EQ(b.unit.seen.size(), 3u);
  ASSERT_TRUE(b.unit.seen[0].ff_sync);
  EXPECT_EQ(b.unit.seen[0].ff_sync->so_verts_to_write, 6);
  EXPECT_EQ(b.unit.seen[0].ff_sync->so_prims_needed, 2);
  EXPECT_EQ(b.unit.seen[0].ff_sync->gs_prims_generated, 3);
  EXPECT_EQ(b.unit.seen[0].fftid, 9);
  EXPECT_EQ(b.unit.output, (std::vector<uint16_t>{0}));
  EXPECT_TRUE(b.unit.held.empty());
  EXPECT_EQ(b.unit.pool.allocate(), 2) << "the spare entry is free again";
}

// The only entry is completed, and a new one is wanted: the unit must see the completion before the thread waits, and
// see it once.
TEST(Urb, AnAllocateWaitsForAFreeEntry) {
  Gen6 b;
  b.own(64, 1);
  b.unit.held.push_back(*b.unit.pool.allocate());
  b.number(3, 1);
  b.message(complete | used | allocate, 2, 1);
  EXPECT_EQ(b.status, Status::waiting);
  EXPECT_EQ(b.unit.output, (std::vector<uint16_t>{0}));
  b.urb.dwords[0] = 77;  // the unit uses the entry
  b.message(complete | used | allocate, 2, 1);
  EXPECT_EQ(b.status, Status::waiting);
  EXPECT_EQ(b.unit.seen.size(), 1u);
  EXPECT_EQ(b.urb.dwords[0], 77u) << "the data is written once";
  b.unit.pool.free(0);
  b.message(complete | used | allocate, 2, 1);
  EXPECT_EQ(b.status, Status::ended);
  EXPECT_EQ(b.unit.asked, 3);
  EXPECT_EQ(b.unit.seen.size(), 1u);
  EXPECT_EQ(b.get<uint32_t>(20, 0), 0x00410000u);
  EXPECT_TRUE(b.urb.waiting.empty());
}

TEST(Urb, URB_20_FfSyncWaitsForItsTurn) {
  Gen6 b;
  b.own(64, 1);
  b.unit.its_turn = false;
  b.message(ff_sync, 1, 1);
  EXPECT_EQ(b.status, Status::waiting);
  b.unit.its_turn = true;
  b.message(ff_sync, 1, 1);
  EXPECT_EQ(b.status, Status::ended);
  EXPECT_EQ(b.unit.seen.size(), 1u);
  // without a response nobody waits
  b.unit.its_turn = false;
  b.message(ff_sync, 1, 0);
  EXPECT_EQ(b.status, Status::ended);
  EXPECT_EQ(b.unit.seen.size(), 2u);
  EXPECT_EQ(b.unit.asked, 2);
  // a thread that is taken away while it waits leaves nothing behind
  b.message(ff_sync, 1, 1);
  EXPECT_EQ(b.status, Status::waiting);
  eu::thread_is_gone(b.functions, b.thread);
  EXPECT_TRUE(b.urb.waiting.empty());
}

TEST(Urb, URB_20_FfSyncFaults) {
  Gen6 b;
  EXPECT_EQ(b.send(lengths(1, 1) | ff_sync, 2, 20), Reply::faulted);
  EXPECT_EQ(b.reason, "URB ff_sync: no fixed function owns the thread and could answer");
  b.own(64, 1);
  EXPECT_EQ(b.send(lengths(1, 0) | ff_sync | allocate, 2), Reply::faulted);
  EXPECT_EQ(b.send(lengths(1, 1) | ff_sync, 2, 20, true), Reply::faulted);
  EXPECT_EQ(b.reason, "URB ff_sync: a thread cannot end with a writeback outstanding");
}

}  // namespace
}  // namespace vitro::shared
