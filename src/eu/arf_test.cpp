// Architecture registers and indirect addressing by their requirement ids: ARF-00 and the table of section 5.2, cr0 of
// section 5.3, T12, T13, T35; RG-04..RG-06 and R8.1..R8.6 for addresses in a0.
#include <fmt/format.h>

#include "eu/arf.h"
#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

using Dwords = std::vector<uint32_t>;
const isa::Model* const generations[] = {&gen::gen6(), &gen::gen8(), &gen::gen9()};
const isa::Model* const later[] = {&gen::gen8(), &gen::gen9()};

// T12: a0 as words, as a dword, several at once; on Gen6 a0.2 and up keep 12 bits.
TEST(Arf, T12_ARF00_AddressRegisters) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.run(
        "(W) mov (1|M0) a0.0<1>:uw 0xF123:uw\n"
        "(W) mov (1|M0) a0.1<1>:uw 0xFFFF:uw\n"
        "(W) mov (1|M0) a0.2<1>:uw 0xF123:uw\n"
        "(W) mov (1|M0) a0.7<1>:uw 0xFFFF:uw\n"
        "(W) mov (1|M0) r2.0<1>:ud a0.0<0;1,0>:ud\n"
        "(W) mov (8|M0) r3.0<1>:uw a0.0<8;8,1>:uw");
    const uint16_t high = m->narrow_address_subregs ? 0x0FFF : 0xFFFF;
    EXPECT_EQ(b.get<uint32_t>(2, 0), 0xFFFFF123u) << m->name;
    EXPECT_EQ(b.lanes<uint16_t>(3, 8),
              (std::vector<uint16_t>{0xF123, 0xFFFF, uint16_t(0xF123 & high), 0, 0, 0, 0, high}));
  }
}

TEST(Arf, T12_SixteenAddressSubRegistersFromGen8) {
  for (const isa::Model* m : later) {
    Bench b(*m, 0xFFFF);
    for (int n = 0; n < 16; ++n) b.set<uint16_t>(2, n, uint16_t(0xF000 + n));
    b.run("mov (16|M0) a0.0<1>:uw r2.0<16;16,1>:uw\nmov (16|M0) r3.0<1>:uw a0.0<16;16,1>:uw");
    EXPECT_EQ(b.lanes<uint16_t>(3, 16), b.lanes<uint16_t>(2, 16)) << m->name;
  }
}

TEST(Arf, ARF00_UnpopulatedSubRegistersDropWritesAndReadZero) {
  Thread t;
  const uint32_t ones32 = ~0u;
  const auto bytes = std::as_bytes(std::span(&ones32, 1));
  for (int offset = 16; offset < 32; offset += 4)
    write_arf(t, gen::gen6(), isa::arf_reg(isa::Arf::address), offset, bytes);
  write_arf(t, gen::gen6(), isa::arf_reg(isa::Arf::flag), 4, bytes);
  write_arf(t, gen::gen6(), isa::arf_reg(isa::Arf::control), 12, bytes);
  write_arf(t, gen::gen6(), isa::arf_reg(isa::Arf::notification), 12, bytes);
  const Thread untouched;
  EXPECT_EQ(t.a0, untouched.a0);
  EXPECT_EQ(t.flag, untouched.flag);
  EXPECT_EQ(t.cr, untouched.cr);
  EXPECT_EQ(t.notify, untouched.notify);
  for (isa::Arf a : {isa::Arf::null, isa::Arf::address, isa::Arf::control, isa::Arf::notification, isa::Arf::ip}) {
    ArfImage image;
    image.fill(std::byte{0xFF});
    read_arf(t, gen::gen6(), isa::arf_reg(a), image);
    for (std::byte x : image) EXPECT_EQ(x, std::byte{}) << int(a);
  }
}

TEST(Arf, StateRegisterIsReadOnly) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0x1234);
    b.thread.sr[0] = 0x502;
    b.thread.sr[1] = 0x11000000;
    b.thread.sr[3] = 0xFFFF;
    b.run(
        "(W) mov (4|M0) sr0.0<1>:ud 0xFFFFFFFF:ud {Switch}\n"
        "(W) mov (4|M0) r2.0<1>:ud sr0.0<4;4,1>:ud");
    EXPECT_EQ(b.lanes<uint32_t>(2, 4), (Dwords{0x502, 0x11000000, 0x1234, 0xFFFF})) << m->name;
    EXPECT_EQ(b.thread.active, 0x1234u);
  }
}

TEST(Arf, CR01_ControlRegister) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.run(
        "(W) mov (1|M0) cr0.2<1>:ud 0xFFFFFFFF:ud {Switch}\n"
        "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xF1:ud {Switch}\n"
        "(W) mov (4|M0) r2.0<1>:ud cr0.0<4;4,1>:ud {Switch}");
    EXPECT_EQ(b.get<uint32_t>(2, 0), m->controls_denormals ? 0xF1u : 1u) << m->name;
    EXPECT_EQ(b.get<uint32_t>(2, 2), 0xFFFFFFF8u) << "AIP has no low bits";
    EXPECT_EQ(b.get<uint32_t>(2, 3), 0u);
  }
}

// Compilers set n0.0 to zero before they go into a barrier; wait takes one notification.
// Where cr0 does not control rounding its bits are reserved: neither a program nor whoever starts the thread changes
// the mode with them.
TEST(Arf, CR01_RoundingIsControlledWhereTheModelSaysSo) {
  for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()})
    for (const bool by_program : {false, true})
      for (uint32_t mode = 0; mode < 4; ++mode) {
        Bench t(*m, 0xFF);
        if (!by_program) t.thread.cr[0] = mode << 4;
        t.fill<float>(2, {1, -1, 1, -1, 1, 1, 1, 1});
        t.fill<float>(3, {0x1p-30f, -0x1p-30f, 0x1.8p-24f, -0x1.8p-24f, 0, 0, 0, 0});
        t.run(
            (by_program ? fmt::format("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {}:ud {{Switch}}\n", mode << 4) : "") +
            "add (8|M0) r4.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n"    // a row
            "add (4|M0) r5.0<1>:f r2.0<4;4,1>:f r3.0<4;4,1>:f\n");  // and another shape
        const uint32_t effect = m->controls_rounding ? mode : 0;    // nearest even, up, down, to zero
        const float up = 1 + 0x1p-23f;
        const std::vector<std::vector<float>> expected{
            {1, -1, up, -up}, {up, -1, up, -1}, {1, -up, 1, -up}, {1, -1, 1, -1}};
        EXPECT_EQ(t.lanes<float>(4, 4), expected[effect]) << m->name << " " << mode;
        EXPECT_EQ(t.lanes<float>(5, 4), expected[effect]) << m->name << " " << mode;
      }
}

TEST(Arf, T49_NotificationRegister) {
  for (const isa::Model* m : later) {
    Bench b(*m, 0xFF);
    b.thread.notify = {5, 1, 3};
    b.run(
        "wait n0.0<0;1,0>:ud\n"
        "wait n0.1<0;1,0>:ud\n"
        "wait n0.2<0;1,0>:ud\n"
        "(W) mov (2|M0) r2.0<1>:ud n0.0<2;2,1>:ud\n"
        "(W) mov (1|M0) r2.2<1>:ud n0.2<0;1,0>:ud\n"
        "(W) mov (1|M0) n0.0<1>:ud 0x0:ud {Switch}");
    EXPECT_EQ(b.status, Status::ended);
    EXPECT_EQ(b.lanes<uint32_t>(2, 3), (Dwords{4, 0, 2})) << m->name;
    EXPECT_EQ(b.thread.notify[0], 0u);
    b.run("wait n0.0<0;1,0>:ud");
    EXPECT_EQ(b.status, Status::waiting);
  }
}

TEST(Arf, ThreadDependencyWritesClearTheValidBitOnly) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    for (int n = 0; n < 8; ++n) b.thread.tdr[size_t(n)] = uint16_t(0x8000 + n);
    b.run(
        "(W) mov (1|M0) tdr0.2<1>:uw 0xFFFF:uw\n"
        "(W) mov (1|M0) tdr0.5<1>:uw 0:uw\n"
        "(W) mov (8|M0) r2.0<1>:uw tdr0.0<8;8,1>:uw");
    EXPECT_EQ(b.lanes<uint16_t>(2, 8), (std::vector<uint16_t>{0x8000, 0x8001, 2, 0x8003, 0x8004, 5, 0x8006, 0x8007}))
        << m->name;
  }
}

uint64_t timestamp(const Bench& b, int reg) { return b.get<uint64_t>(reg, 0); }

TEST(Arf, TimestampAdvances) {
  const std::string text =
      "(W) mov (4|M0) r2.0<1>:ud tm0.0<4;4,1>:ud\n"
      "(W) mov (4|M0) r3.0<1>:ud tm0.0<4;4,1>:ud\n"
      "nop\nnop\nnop\n"
      "(W) mov (4|M0) r4.0<1>:ud tm0.0<4;4,1>:ud";
  for (const isa::Model* m : later) {
    Bench b(*m, 0xFF);
    b.run(text);
    EXPECT_LT(timestamp(b, 2), timestamp(b, 3)) << m->name;
    EXPECT_LT(timestamp(b, 3), timestamp(b, 4));
    const uint64_t first_run = timestamp(b, 4);
    b.run(text);
    EXPECT_LT(first_run, timestamp(b, 2)) << "also when the thread is taken up again";

    // with a clock, threads see the same time; a clock that stands still or runs backwards does not show
    Bench c(*m, 0xFF);
    uint64_t time = 0x1'0000'0000;
    c.clock = {[](void* t) { return *static_cast<uint64_t*>(t) -= 100; }, &time};
    c.run(text);
    EXPECT_EQ(timestamp(c, 2), 0xFFFF'FF9Cu);
    EXPECT_LT(timestamp(c, 2), timestamp(c, 3));
    EXPECT_LT(timestamp(c, 3), timestamp(c, 4));
  }
}

TEST(Arf, ChannelEnableShowsTheRunningChannels) {
  for (const isa::Model* m : later) {
    Bench b(*m, 0xF7);
    b.fill<int32_t>(2, {0, 1, 2, 3, 4, 5, 6, 7});
    b.run(
        "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 2:w\n"
        "(f0.0) if (8|M0) END END\n"
        "(W) mov (1|M0) r3.0<1>:ud ce0.0<0;1,0>:ud\n"
        "(W) mov (1|M0) ce0.0<1>:ud 0:ud\n"
        "END: endif (8|M0) NEXT\n"
        "NEXT: (W) mov (1|M0) r3.1<1>:ud ce0.0<0;1,0>:ud");
    EXPECT_EQ(b.lanes<uint32_t>(3, 2), (Dwords{0xF0, 0xF7})) << m->name;
  }
}

TEST(Arf, FlagsAsOperands) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.run(
        "(W) mov (1|M0) f0.0<1>:ud 0x12345678:ud\n"
        "(W) mov (1|M0) r2.0<1>:ud f0.0<0;1,0>:uw\n"
        "(W) mov (1|M0) r2.1<1>:ud f0.1<0;1,0>:uw\n"
        "(W) mov (1|M0) f0.1<1>:uw 0xABCD:uw\n"
        "(W) xor (1|M0) f0.0<1>:uw f0.0<0;1,0>:uw 0xFFFF:uw");
    EXPECT_EQ(b.lanes<uint32_t>(2, 2), (Dwords{0x5678, 0x1234})) << m->name;
    EXPECT_EQ(b.thread.flag[0], 0xABCDA987u);
    EXPECT_EQ(b.thread.flag[1], 0u);
  }
}

TEST(Arf, AccumulatorWithARegion) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.fill<float>(2, {1, 2, 3, 4, 5, 6, 7, 8});
    b.run(
        "mov (8|M0) acc0.0<1>:f r2.0<8;8,1>:f\n"
        "mov (8|M0) r3.0<1>:f acc0.0<8;8,1>:f\n"
        "(W) mov (1|M0) r4.0<1>:f acc0.3<0;1,0>:f\n"
        "(W) mov (4|M0) r4.4<1>:f acc0.4<4;4,1>:f\n"
        "mov (8|M0) acc1.0<1>:f -r2.0<8;8,1>:f\n"
        "mov (8|M0) r5.0<1>:f acc1.0<8;8,1>:f\n"
        "mov (8|M0) r6.0<1>:f acc0.0<8;8,1>:f");
    EXPECT_EQ(b.lanes<float>(3, 8), b.lanes<float>(2, 8)) << m->name;
    EXPECT_EQ(b.get<float>(4, 0), 4.0f);
    for (int n = 0; n < 4; ++n) EXPECT_EQ(b.get<float>(4, 4 + n), float(5 + n));
    for (int n = 0; n < 8; ++n) EXPECT_EQ(b.get<float>(5, n), -float(n + 1));
    EXPECT_EQ(b.lanes<float>(6, 8), b.lanes<float>(2, 8));
  }
}

// The null register: nothing is written, but flags are (PG-04).
TEST(Arf, PG04_NullDestinationStillSetsFlags) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFF);
    b.fill<int32_t>(2, {0, 1, 0, 1, 0, 1, 0, 1});
    const auto before = b.thread.grf;
    b.run("add (8|M0) (eq)f0.0 null<1>:d r2.0<8;8,1>:d -1:w");
    EXPECT_EQ(b.thread.flag[0], 0xAAu) << m->name;
    EXPECT_TRUE(b.thread.grf == before);
  }
}

// T35: ip as an operand. Reading gives the instruction's own address; writing jumps; the low bits are dropped.
TEST(Arf, T35_InstructionPointerArithmetic) {
  for (const isa::Model* m : generations)
    for (const char* distance : {"64:d", "69:d"}) {  // low bits are dropped, as of the document's 0x35
      Bench b(*m, 0xFF);
      b.run(
          fmt::format("(W) mov (1|M0) r3.0<1>:ud ip:ud\n"
                      "(W) mov (1|M0) r3.1<1>:ud ip:ud\n"
                      "(W) add (1|M0) ip:d ip:d {}\n"
                      "mov (8|M0) r2.0<1>:ud 1:ud\n"
                      "nop\nnop\n"
                      "(W) add (1|M0) r2.1<1>:ud r2.1<0;1,0>:ud 4:ud\n"
                      "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r2.1<0;1,0>:ud 9:ud\n"
                      "(W&f0.0) add (1|M0) ip:d ip:d -32:d",
                      distance));
      EXPECT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
      EXPECT_EQ(b.lanes<uint32_t>(3, 2), (Dwords{0, 16})) << m->name;
      EXPECT_EQ(b.get<uint32_t>(2, 0), 0u) << "jumped over";
      EXPECT_EQ(b.get<uint32_t>(2, 1), 12u) << "three rounds";
    }
}

TEST(Arf, T35_AddingZeroToIpLoopsForEver) {
  for (const isa::Model* m : generations)
    for (const char* distance : {"0:d", "7:d"}) {
      Bench b(*m, 0xFF);
      b.run(fmt::format("(W) add (1|M0) ip:d ip:d {}", distance), 500);
      EXPECT_EQ(b.status, Status::running) << m->name;
      EXPECT_EQ(b.thread.ip, 0u);
    }
}

// An ip between two instructions is a Fault that says so.
TEST(Arf, T35_JumpsMustHitAnInstruction) {
  Bench b(gen::gen9(), 0xFF);
  b.run("(W) add (1|M0) ip:d ip:d 24:d\nnop");
  EXPECT_EQ(b.status, Status::faulted);
  EXPECT_EQ(b.fault->reason, "no instruction starts here");
}

void number_registers(Bench& b) {
  for (int r = 0; r < grf_count; ++r)
    for (int n = 0; n < 8; ++n) b.set<uint32_t>(r, n, uint32_t(100 * r + n));
}

// RG-04, R8.1, R8.2: one index for the whole region, of one register or two.
TEST(Indirect, RG04_R8_1_OneIndexForTheRegion) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFFFF);
    number_registers(b);
    b.thread.a0[0] = 20 * 32;
    b.thread.a0[3] = 30 * 32 + 8;
    b.run(
        "mov (16|M0) r2.0<1>:ud r[a0.0]<8;8,1>:ud\n"
        "mov (8|M0) r4.0<1>:ud r[a0.0,-32]<8;4,1>:ud\n"
        "mov (8|M0) r5.0<1>:ud r[a0.3,-8]<0;1,0>:ud\n"
        "add (8|M0) r6.0<1>:ud r1.0<8;8,1>:ud r[a0.0,64]<8;8,1>:ud\n"
        "(W) mov (1|M0) a0.1<1>:uw 1280:uw\n"
        "mov (16|M0) r[a0.1]<1>:ud r10.0<8;8,1>:ud\n"
        "mov (8|M0) r[a0.1,68]<2>:uw r12.0<16;8,2>:uw");
    ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    for (int n = 0; n < 16; ++n) {
      EXPECT_EQ(b.get<uint32_t>(2, n), uint32_t(2000 + 100 * (n / 8) + n % 8)) << m->name << " " << n;
      EXPECT_EQ(b.get<uint32_t>(40, n), uint32_t(1000 + 100 * (n / 8) + n % 8)) << n;
    }
    EXPECT_EQ(b.lanes<uint32_t>(4, 8), (Dwords{1900, 1901, 1902, 1903, 2000, 2001, 2002, 2003}));
    EXPECT_EQ(b.lanes<uint32_t>(5, 8), (Dwords(8, 3000)));
    EXPECT_EQ(b.get<uint32_t>(6, 3), 103u + 2203u);
    EXPECT_EQ(b.get<uint16_t>(42, 2), 1200);
    EXPECT_EQ(b.get<uint16_t>(42, 3), 0) << "between the elements";
    EXPECT_EQ(b.get<uint16_t>(43, 0), 1207) << "one index for both registers";
  }
}

// RG-05, R8.4, T13, T19: an index for each row.
TEST(Indirect, RG05_R8_4_OneIndexForEachRow) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFFFF);
    number_registers(b);
    for (int n = 0; n < 8; ++n) b.thread.a0[size_t(n)] = uint16_t((20 + 3 * n) * 32 + 8 * (n % 2));
    b.run(
        "mov (8|M0) r2.0<1>:ud r[a0.2]<4,1>:ud\n"
        "mov (8|M0) r3.0<1>:ud r[a0.0,4]<2,1>:ud\n"
        "mov (16|M0) r4.0<1>:uw r[a0.0]<2,2>:uw");
    ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    EXPECT_EQ(b.lanes<uint32_t>(2, 8), (Dwords{2600, 2601, 2602, 2603, 2902, 2903, 2904, 2905})) << m->name;
    EXPECT_EQ(b.lanes<uint32_t>(3, 8), (Dwords{2001, 2002, 2303, 2304, 2601, 2602, 2903, 2904}));
    for (int n = 0; n < 16; ++n)
      EXPECT_EQ(b.get<uint16_t>(4, n), 100 * (20 + 3 * (n / 2)) + 2 * (n / 2 % 2) + n % 2) << n;
  }
}

// RG-06: an index for each channel.
TEST(Indirect, RG06_R8_4_OneIndexForEachChannel) {
  for (const isa::Model* m : generations) {
    const int channels = m->address_subregs;
    Bench b(*m, 0xFFFF);
    number_registers(b);
    for (int n = 0; n < channels; ++n) b.thread.a0[size_t(n)] = uint16_t(4000 - 36 * 4 * n);
    b.run(fmt::format("mov ({}|M0) r2.0<1>:ud r[a0.0,92]<1,0>:ud", channels));
    ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
    for (int n = 0; n < channels; ++n) {
      const int at = 4092 - 36 * 4 * n;
      EXPECT_EQ(b.get<uint32_t>(2, n), uint32_t(100 * (at / 32) + at % 32 / 4)) << m->name << " " << n;
    }
  }
}

TEST(Indirect, RG06_RowsWithoutAnAddressRegisterAreAFault) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0xFFFF);
    b.run(fmt::format("mov (8|M0) r2.0<1>:ud r[a0.{}]<1,0>:ud", m->address_subregs - 4));
    ASSERT_EQ(b.status, Status::faulted) << m->name;
    EXPECT_NE(b.fault->reason.find(fmt::format("a0.{}", m->address_subregs)), std::string::npos) << b.fault->reason;
  }
}

// The range: the last element of the file is good, the next is not, nor one before the first; an element has its own
// alignment. Channels that do not run need no address.
TEST(Indirect, RG04_Range) {
  struct Case {
    uint16_t address;
    const char* operand;
    bool good;
  };
  const Case cases[] = {
      {4092, "r[a0.0]<0;1,0>:ud", true},     {4096, "r[a0.0]<0;1,0>:ud", false},
      {4096, "r[a0.0,-4]<0;1,0>:ud", true},  {4064, "r[a0.0]<8;8,1>:ud", true},
      {4068, "r[a0.0]<8;8,1>:ud", false},    {8, "r[a0.0,-12]<0;1,0>:ud", false},
      {508, "r[a0.0,-508]<0;1,0>:ud", true}, {0xFFFF, "r[a0.0,1]<0;1,0>:ud", false},
      {6, "r[a0.0]<0;1,0>:ud", false},       {6, "r[a0.0]<0;1,0>:uw", true},
  };
  for (const isa::Model* m : generations)
    for (const Case& c : cases) {
      Bench b(*m, 0xFF);
      b.thread.a0[0] = c.address;
      b.run(fmt::format("mov (8|M0) r2.0<1>:ud {}", c.operand));
      EXPECT_EQ(b.status, c.good ? Status::ended : Status::faulted) << m->name << " " << c.address << " " << c.operand;
    }
}

TEST(Indirect, RG06_IdleChannelsNeedNoAddress) {
  for (const isa::Model* m : generations) {
    Bench b(*m, 0x55);
    number_registers(b);
    for (int n = 0; n < 8; ++n) b.thread.a0[size_t(n)] = n % 2 ? 0xFFFF : uint16_t(20 * 32 + 4 * n);
    b.thread.flag[0] = 0x0F;
    b.run(
        "mov (8|M0) r2.0<1>:ud 0:ud\n"
        "mov (8|M0) r2.0<1>:ud r[a0.0]<1,0>:ud\n"
        "(f0.0) mov (8|M0) r3.0<1>:ud r[a0.0]<1,0>:ud");
    EXPECT_EQ(b.status, Status::ended) << m->name << (b.fault ? b.fault->reason : "");
    EXPECT_EQ(b.lanes<uint32_t>(2, 8), (Dwords{2000, 201, 2002, 203, 2004, 205, 2006, 207}));
    EXPECT_EQ(b.lanes<uint32_t>(3, 8), (Dwords{2000, 301, 2002, 303, 304, 305, 306, 307}));
  }
}

// MRF-01: message registers can be written by index.
TEST(Indirect, MRF01_MessageRegisters) {
  Bench b(gen::gen6(), 0xFF);
  number_registers(b);
  b.thread.a0[0] = 4 * 32;
  const auto before = b.thread.grf;
  b.run("mov (8|M0) m[a0.0,32]<1>:ud r7.0<8;8,1>:ud");
  ASSERT_EQ(b.status, Status::ended) << (b.fault ? b.fault->reason : "");
  uint32_t value;
  std::memcpy(&value, b.thread.mrf.data() + 5 * 32 + 12, 4);
  EXPECT_EQ(value, 703u);
  EXPECT_TRUE(b.thread.grf == before);
  b.thread.a0[0] = mrf_count * 32;
  b.run("mov (8|M0) m[a0.0]<1>:ud r7.0<8;8,1>:ud");
  EXPECT_EQ(b.status, Status::faulted);
}

}  // namespace
}  // namespace vitro::eu
