// Scattered and untyped surface messages on every generation that has them: what goes to which register and which byte
// of memory, with channels left out, out of bounds, and from shared local memory. Named after the MSD of the document,
// where it has one. Descriptors marked "ocloc" are as Intel's compiler emits them.
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint32_t stateless = 255, slm = 254;
constexpr uint32_t simd16_bit = 1 << 8, legacy = 1 << 9, a64_simd16 = 1 << 12;

std::vector<uint32_t> offsets_of(unsigned count, uint32_t first, uint32_t step) {
  std::vector<uint32_t> v;
  for (unsigned i = 0; i < count; ++i) v.push_back(first + i * step);
  return v;
}
std::vector<uint64_t> addresses_of(unsigned count, uint32_t first, uint32_t step) {
  std::vector<uint64_t> v;
  for (unsigned i = 0; i < count; ++i) v.push_back(home + first + i * step);
  return v;
}

// --- dword scattered

void dword_read(Bench& b, Sfid sfid, uint32_t desc) {
  b.bind_buffer(3, 0x100, 0x1000);
  for (unsigned count : {8u, 16u}) {
    const uint32_t d = desc | legacy | (count == 16 ? simd16_bit : 0) | 3;
    b.ok(sfid, d | header_present, Payload{}.header({0, 0, 2}).dwords(offsets_of(count, 1, 3)), count / 8);
    for (unsigned i = 0; i < count; ++i) EXPECT_EQ(b.out(0, i), b.get(0x100 + (2 + 1 + 3 * i) * 4)) << i;
    // one behind the other, without a header
    b.ok(sfid, d, Payload{}.dwords(offsets_of(count, 16, 1)), count / 8);
    for (unsigned i = 0; i < count; ++i) EXPECT_EQ(b.out(0, i), b.get(0x100 + (16 + i) * 4)) << i;
  }
}
TEST(DataPort, DWordScatteredRead) {
  on({&dataport_gen6}, [](Bench& b) {
    for (Sfid sfid : {sampler_cache, render_cache, constant_cache}) dword_read(b, sfid, type4(6));
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dword_read(b, dc0, type5(3)); });
}
TEST(DataPort, ConstantDWordScatteredRead) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dword_read(b, constant_cache, type5(3)); });
}

void dword_write(Bench& b, Sfid sfid, uint32_t desc) {
  b.bind_buffer(1, 0x200, 0x400);
  b.channels = 0x00F5;
  const Payload p = Payload{}.header({0, 0, 1}).dwords(offsets_of(8, 0, 2)).dwords(offsets_of(8, 100, 1));
  b.ok(sfid, desc | legacy | header_present | 1, p);
  const Bench before(b.layout);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(b.get(0x200 + (1 + 2 * i) * 4), 0xF5 >> i & 1 ? 100 + i : before.get(0x200 + (1 + 2 * i) * 4)) << i;
    EXPECT_EQ(b.get(0x200 + (2 + 2 * i) * 4), before.get(0x200 + (2 + 2 * i) * 4)) << i;
  }
  // two slots at one place: the last one stays
  b.channels = 0xFFFF;
  b.ok(sfid, desc | legacy | simd16_bit | 1,
       Payload{}.dwords(std::vector<uint32_t>(16, 7)).dwords(offsets_of(16, 40, 1)));
  EXPECT_EQ(b.get(0x200 + 28), 55u);
}
TEST(DataPort, MSD0W_DWS) {
  on({&dataport_gen6}, [](Bench& b) { dword_write(b, render_cache, type4(11)); });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dword_write(b, dc0, type5(0xB)); });
}

// --- byte scattered

TEST(DataPort, MSD0R_BS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(2, 0x40, 0x800);
    b.bind_buffer(3, 0x40, 0x800);
    for (uint32_t size : {0u, 1u, 2u}) {
      const uint32_t bytes = 1 << size, mask = size == 2 ? ~0u : (1u << 8 * bytes) - 1;
      b.ok(dc0, type5(4) | simd16_bit | size << 10 | 2, Payload{}.dwords(offsets_of(16, 5, 7)), 2);
      for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(0, i), b.get(0x40 + 5 + 7 * i) & mask) << size << ' ' << i;
      b.channels = 0x5A;
      b.ok(dc0, type5(4) | size << 10 | header_present | 2, Payload{}.header({0, 0, 9}).dwords(offsets_of(8, 0, 11)),
           1);
      for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(b.out(0, i), 0x5A >> i & 1 ? b.get(0x40 + 9 + 11 * i) & mask : untouched) << size << ' ' << i;
      b.channels = 0xFFFF;
    }
    b.ok(dc0, 0x04210102, Payload{}.dwords(offsets_of(16, 0, 3)), 2);  // ocloc: 8 bits
    EXPECT_EQ(b.out(1, 7), b.get<uint8_t>(0x40 + 45));
    b.ok(dc0, 0x04210503, Payload{}.dwords(offsets_of(16, 0, 2)), 2);  // ocloc: 16 bits
    EXPECT_EQ(b.out(1, 7), b.get<uint16_t>(0x40 + 30));
    EXPECT_EQ(b.send(dc0, type5(4) | 3 << 10 | 2, Payload{}.dwords(offsets_of(8, 0, 1)), 1), eu::Reply::unsupported);
  });
}
TEST(DataPort, MSD0W_BS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    b.bind_buffer(2, 0x40, 0x800);
    for (uint32_t size : {0u, 1u, 2u}) {
      const uint32_t bytes = 1 << size;
      b.ok(dc0, type5(0xC) | size << 10 | 2,
           Payload{}.dwords(offsets_of(8, size * 256, 5)).dwords(offsets_of(8, 0x11223344, 0x01010101)));
      for (unsigned i = 0; i < 8; ++i)
        for (unsigned k = 0; k < 5; ++k) {
          const uint32_t at = 0x40 + size * 256 + 5 * i + k, value = 0x11223344 + i * 0x01010101;
          EXPECT_EQ(b.get<uint8_t>(at), k < bytes ? uint8_t(value >> 8 * k) : before.get<uint8_t>(at)) << at;
        }
    }
    // ocloc, split: two registers of offsets, two of data
    b.ok(dc0, 0x04030102, Payload{}.dwords(offsets_of(16, 0x400, 1)).dwords(offsets_of(16, 0xF0, 1)), 0, 2);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.get<uint8_t>(0x440 + i), 0xF0 + i);
  });
}

// --- qword scattered, with 32-bit offsets

TEST(DataPort, QWordScatteredRead) {
  on({&dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0, 0x1000);
    b.ok(dc0, type5(5) | legacy | 1, Payload{}.dwords(offsets_of(8, 8, 24)), 2);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out_qword(i), b.get<uint64_t>(8 + 24 * i)) << i;
    b.ok(dc0, type5(5) | legacy | simd16_bit | 1 << 10 | 1, Payload{}.dwords(offsets_of(16, 0, 16)), 8);
    for (unsigned i = 0; i < 16; ++i) {
      EXPECT_EQ(b.out_qword(i), b.get<uint64_t>(16 * i)) << i;
      EXPECT_EQ(b.out_qword(16 + i), b.get<uint64_t>(16 * i + 8)) << i;
    }
  });
}
TEST(DataPort, QWordScatteredWrite) {
  on({&dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0, 0x1000);
    b.channels = 0x7F;
    std::vector<uint64_t> data;
    for (uint64_t i = 0; i < 8; ++i) data.push_back(0x0123456789ABCDEF * (i + 1));
    const uint64_t last = b.get<uint64_t>(7 * 16);
    b.ok(dc0, type5(0xD) | legacy | 1, Payload{}.dwords(offsets_of(8, 0, 16)).qwords(data));
    for (unsigned i = 0; i < 7; ++i) EXPECT_EQ(b.get<uint64_t>(16 * i), data[i]) << i;
    EXPECT_EQ(b.get<uint64_t>(7 * 16), last);
  });
}

// --- 64-bit addresses

TEST(DataPort, MSD1R_A64_BS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t size : {0u, 1u, 2u})
      for (unsigned count : {8u, 16u}) {
        const uint32_t mask = size == 2 ? ~0u : (1u << (8 << size)) - 1;
        b.ok(dc1, type5(0x10) | size << 10 | (count == 16 ? a64_simd16 : 0) | 255,
             Payload{}.qwords(addresses_of(count, 3, 9)), count / 8);
        for (unsigned i = 0; i < count; ++i) EXPECT_EQ(b.out(0, i), b.get(3 + 9 * i) & mask) << size << ' ' << i;
      }
    b.ok(dc1, type5(0x10) | 3 << 10 | 253, Payload{}.qwords(addresses_of(8, 1, 9)), 2);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out_qword(i), b.get<uint64_t>(1 + 9 * i));
  });
}
TEST(DataPort, MSD1W_A64_BS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.channels = 0xFE;
    const uint8_t first = b.get<uint8_t>(0x80);
    b.ok(dc1, 0x060680FF, Payload{}.qwords(addresses_of(8, 0x80, 1)).dwords(offsets_of(8, 0x310, 1)));  // ocloc
    EXPECT_EQ(b.get<uint8_t>(0x80), first);
    for (unsigned i = 1; i < 8; ++i) EXPECT_EQ(b.get<uint8_t>(0x80 + i), 0x10 + i);
    b.channels = 0xFF;
    b.ok(dc1, 0x060684FF, Payload{}.qwords(addresses_of(8, 0x101, 2)).dwords(offsets_of(8, 0x3F10, 1)));  // ocloc
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.get<uint16_t>(0x101 + 2 * i), 0x3F10 + i);
    b.ok(dc1, type5(0x1A) | 2 << 10 | 255, Payload{}.qwords(addresses_of(8, 0x203, 4)).dwords(offsets_of(8, 77, 1)));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.get(0x203 + 4 * i), 77 + i);
    std::vector<uint64_t> data;
    for (uint64_t i = 0; i < 8; ++i) data.push_back(~i << 30);
    b.ok(dc1, type5(0x1A) | 3 << 10 | 255, Payload{}.qwords(addresses_of(8, 0x305, 9)).qwords(data));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.get<uint64_t>(0x305 + 9 * i), data[i]);
  });
}
TEST(DataPort, MSD1R_A64_DWS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t log = 0; log < 4; ++log) {
      const unsigned elements = 1 << log;
      b.ok(dc1, type5(0x10) | 1 << 8 | log << 10 | 255, Payload{}.qwords(addresses_of(8, 0x1000, 36)), elements);
      for (unsigned i = 0; i < 8; ++i)
        for (unsigned k = 0; k < elements; ++k) EXPECT_EQ(b.out(k, i), b.get(0x1000 + 36 * i + 4 * k)) << i << ' ' << k;
    }
    b.ok(dc1, type5(0x10) | 1 << 8 | a64_simd16 | 1 << 10 | 255, Payload{}.qwords(addresses_of(16, 0, 8)), 4);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(2, i), b.get(8 * i + 4));
    // ocloc; one channel, as a scalar load is
    b.channels = 1, b.exec_size = 1;
    b.ok(dc1, 0x041401FF, Payload{}.qwords(addresses_of(8, 0x40, 4)), 1);
    EXPECT_EQ(b.out(0, 0), b.get(0x40));
    EXPECT_EQ(b.out(0, 1), untouched);
  });
}
TEST(DataPort, MSD1W_A64_DWS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    Payload p = Payload{}.qwords(addresses_of(8, 0x100, 32));
    for (unsigned k = 0; k < 4; ++k) p.dwords(offsets_of(8, k * 1000, 1));
    b.channels = 0xBF;
    const uint32_t kept = b.get(0x100 + 32 * 6);
    b.ok(dc1, 0x0C0689FF, p);  // ocloc: four dwords for each slot
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned k = 0; k < 4; ++k)
        if (i != 6) {
          EXPECT_EQ(b.get(0x100 + 32 * i + 4 * k), k * 1000 + i);
        }
    EXPECT_EQ(b.get(0x100 + 32 * 6), kept);
    b.channels = 0xFF;
    b.ok(dc1, 0x080685FF,
         Payload{}
             .qwords(addresses_of(8, 0x800, 8))
             .dwords(offsets_of(8, 1, 1))
             .dwords(offsets_of(8, 101, 1)));  // ocloc
    EXPECT_EQ(b.get(0x800 + 8 * 5), 6u);
    EXPECT_EQ(b.get(0x800 + 8 * 5 + 4), 106u);
  });
}
TEST(DataPort, MSD1R_A64_QWS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.ok(dc1, 0x042402FF, Payload{}.qwords(addresses_of(8, 0x20, 8)), 2);  // ocloc
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out_qword(i), b.get<uint64_t>(0x20 + 8 * i));
    b.ok(dc1, type5(0x10) | 2 << 8 | 2 << 10 | 255, Payload{}.qwords(addresses_of(8, 0x20, 40)), 8);
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(b.out_qword(8 * k + i), b.get<uint64_t>(0x20 + 40 * i + 8 * k));
  });
}
TEST(DataPort, MSD1W_A64_QWS) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    std::vector<uint64_t> data;
    for (uint64_t i = 0; i < 16; ++i) data.push_back(i << 40 | (100 + i));
    b.ok(dc1, type5(0x1A) | 2 << 8 | 1 << 10 | 255, Payload{}.qwords(addresses_of(8, 0x400, 24)).qwords(data));
    for (unsigned i = 0; i < 8; ++i) {
      EXPECT_EQ(b.get<uint64_t>(0x400 + 24 * i), data[i]);
      EXPECT_EQ(b.get<uint64_t>(0x400 + 24 * i + 8), data[8 + i]);
    }
  });
}

// --- untyped surfaces

constexpr uint32_t simd4x2 = 0 << 12, simd16 = 1 << 12, simd8 = 2 << 12;

TEST(DataPort, UntypedSurfaceRead) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0x80, 0x1000);
    b.bind_buffer(4, 0x80, 0x1000);
    for (uint32_t disabled = 0; disabled < 15; ++disabled)
      for (unsigned count : {8u, 16u}) {
        b.channels = 0xFBFE;
        const unsigned rlen = unsigned(std::popcount(~disabled & 15)) * count / 8;
        b.ok(dc1, type5(1) | (count == 16 ? simd16 : simd8) | disabled << 8 | 1,
             Payload{}.dwords(offsets_of(count, 4, 20)), rlen);
        unsigned n = 0;
        for (unsigned channel = 0; channel < 4; ++channel) {
          if (disabled >> channel & 1) continue;
          for (unsigned i = 0; i < count; ++i)
            EXPECT_EQ(b.out(n, i), b.channels >> i & 1 ? b.get(0x80 + 4 + 20 * i + 4 * channel) : untouched);
          n += count / 8;
        }
      }
    b.channels = 0xFFFF;
    b.ok(dc1, 0x04205E01, Payload{}.dwords(offsets_of(16, 0, 4)), 2);  // ocloc: x
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(0, i), b.get(0x80 + 4 * i));
    b.ok(dc1, 0x04405C04, Payload{}.dwords(offsets_of(16, 0, 8)), 4);  // ocloc: xy
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(2, i), b.get(0x80 + 8 * i + 4));
    // the pixel mask of the header
    b.ok(dc1, type5(1) | simd16 | 0xE00 | header_present | 1,
         Payload{}.header({0, 0, 0, 0, 0, 0, 0, 0xF00F}).dwords(offsets_of(16, 0, 4)), 2);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(0, i), 0xF00F >> i & 1 ? b.get(0x80 + 4 * i) : untouched);
    // two slots of four channels
    b.channels = 0xFF;
    b.ok(dc1, type5(1) | simd4x2 | 0x400 | 1, Payload{}.dwords({0x20, 0, 0, 0, 0x64}), 1);
    for (unsigned k = 0; k < 4; ++k) {
      EXPECT_EQ(b.out(0, k), k == 2 ? untouched : b.get(0x80 + 0x20 + 4 * k));
      EXPECT_EQ(b.out(0, 4 + k), k == 2 ? untouched : b.get(0x80 + 0x64 + 4 * k));
    }
    EXPECT_EQ(b.send(dc1, type5(1) | 0xF00 | simd8 | 1, Payload{}.dwords(offsets_of(8, 0, 4)), 1),
              eu::Reply::unsupported);
    EXPECT_EQ(b.send(dc1, type5(1) | 3 << 12 | 1, Payload{}.dwords(offsets_of(8, 0, 4)), 4), eu::Reply::unsupported);
  });
}
TEST(DataPort, MSD1W_US) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0x80, 0x1000);
    b.channels = 0x7F;
    const uint32_t last = b.get(0x80 + 16 * 7);
    Payload p = Payload{}.dwords(offsets_of(8, 0, 16));
    for (unsigned k = 0; k < 4; ++k) p.dwords(offsets_of(8, k << 16, 1));
    b.ok(dc1, type5(9) | simd8 | 1, p);
    for (unsigned i = 0; i < 7; ++i)
      for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(b.get(0x80 + 16 * i + 4 * k), (k << 16) + i);
    EXPECT_EQ(b.get(0x80 + 16 * 7), last);
    // channels keep their places
    b.channels = 0xFFFF;
    const uint32_t y = b.get(0x280 + 4);
    b.ok(dc1, type5(9) | simd16 | 0xA00 | 1,
         Payload{}.dwords(offsets_of(16, 0x200, 16)).dwords(offsets_of(16, 5, 1)).dwords(offsets_of(16, 95, 1)));
    EXPECT_EQ(b.get(0x280), 5u);
    EXPECT_EQ(b.get(0x280 + 4), y);
    EXPECT_EQ(b.get(0x280 + 8), 95u);
    b.channels = 0xF0;  // slot 1
    const uint32_t slot0 = b.get(0x80 + 0x500);
    b.ok(dc1, type5(9) | simd4x2 | 1, Payload{}.dwords({0x500, 0, 0, 0, 0x540}).dwords({1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(b.get(0x80 + 0x500), slot0);
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(b.get(0x80 + 0x540 + 4 * k), 5 + k);
  });
}
TEST(DataPort, MSD1R_A64_US) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (unsigned count : {8u, 16u}) {
      b.ok(dc1, type5(0x11) | (count == 16 ? simd16 : simd8) | 0x800 | 255,
           Payload{}.qwords(addresses_of(count, 8, 12)), 3 * count / 8);
      for (unsigned i = 0; i < count; ++i)
        for (unsigned k = 0; k < 3; ++k) EXPECT_EQ(b.out(k * count / 8, i), b.get(8 + 12 * i + 4 * k));
    }
    const uint64_t at = home + 0x300;
    b.ok(dc1, type5(0x11) | simd4x2 | 255, Payload{}.qwords({at, 0, at + 32}), 1);
    for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(b.out(0, k), b.get(0x300 + (k / 4) * 32 + k % 4 * 4));
  });
}
TEST(DataPort, MSD1W_A64_US) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.ok(dc1, type5(0x19) | simd8 | 0xC00 | 255,
         Payload{}.qwords(addresses_of(8, 0x40, 8)).dwords(offsets_of(8, 1, 1)).dwords(offsets_of(8, 11, 1)), 0, 2);
    for (unsigned i = 0; i < 8; ++i) {
      EXPECT_EQ(b.get(0x40 + 8 * i), 1 + i);
      EXPECT_EQ(b.get(0x40 + 8 * i + 4), 11 + i);
    }
    const uint64_t at = home + 0x700;
    b.ok(dc1, type5(0x19) | simd4x2 | 0x700 | 255, Payload{}.qwords({at, 0, at + 64}).dwords({1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(b.get(0x70C), 4u);
    EXPECT_EQ(b.get(0x74C), 8u);
  });
}

// --- special surfaces

TEST(DataPort, SharedLocalMemory) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    // ocloc: untyped write of x, split
    b.ok(dc1, 0x04025EFE, Payload{}.dwords(offsets_of(16, 0, 8)).dwords(offsets_of(16, 500, 1)), 0, 2);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.local(8 * i), 500 + i);
    b.ok(dc1, type5(1) | simd16 | 0xE00 | slm, Payload{}.dwords(offsets_of(16, 0, 8)), 2);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(b.out(0, i), 500 + i);
    b.ok(dc0, type5(0xC) | slm, Payload{}.dwords(offsets_of(8, 0x901, 1)).dwords(offsets_of(8, 0x1F0, 1)));
    b.ok(dc0, type5(4) | slm, Payload{}.dwords(offsets_of(8, 0x901, 1)), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), 0xF0 + i);
    // beyond its end: zero, and nothing
    b.ok(dc1, type5(9) | simd8 | 0xE00 | slm,
         Payload{}.dwords(offsets_of(8, 4096 - 8, 4)).dwords(offsets_of(8, 60, 1)));
    EXPECT_EQ(b.local(4096 - 4), 61u);
    b.ok(dc1, type5(1) | simd8 | 0xE00 | slm, Payload{}.dwords(offsets_of(8, 4096 - 8, 4)), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), i < 2 ? 60 + i : 0);
    // only 16 bits of an offset count, also for the two slots of SIMD4x2
    b.ok(dc1, type5(1) | simd8 | 0xE00 | slm, Payload{}.dwords(offsets_of(8, 0x1000'0000, 8)), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), 500 + i);
    b.ok(dc1, type5(9) | simd4x2 | slm,
         Payload{}.dwords({0x1000'0200, 0, 0, 0, 0xFFFF'0210}).dwords({1, 2, 3, 4, 5, 6, 7, 8}));
    for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(b.local(0x200 + 4 * k), 1 + k);
    b.ok(dc1, type5(1) | simd4x2 | slm, Payload{}.dwords({0x1000'0200, 0, 0, 0, 0xFFFF'0210}), 1);
    for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(b.out(0, k), 1 + k);
    EXPECT_EQ(b.view->misses().reads + b.view->misses().writes, 0u);
    b.environment.slm = {};  // a group without any
    b.ok(dc1, type5(1) | simd8 | 0xE00 | slm, Payload{}.dwords(offsets_of(8, 0, 4)), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), 0u);
  });
}
TEST(DataPort, StatelessOffsets) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.environment.bases.general = {home - 0x1000, 0x5000};
    // general state base + M0.5 + M0.2 + slot; scattered messages use all bits of M0.5
    const Payload p = Payload{}.header({0, 0, 0x10, 0, 0, 0x1003}).dwords(offsets_of(8, 0x21, 8));
    for (uint32_t bti : {255u, 253u}) {
      b.ok(dc0, type5(4) | 2 << 10 | header_present | bti, p, 1);
      for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), b.get(3 + 0x10 + 0x21 + 8 * i));
    }
    b.ok(dc1, type5(1) | simd8 | 0xE00 | stateless, Payload{}.dwords(offsets_of(8, 0x1000, 4)), 1);
    EXPECT_EQ(b.out(0, 7), b.get(28));
    // the size of the general state bounds it
    b.ok(dc1, type5(1) | simd8 | 0xE00 | stateless, Payload{}.dwords(offsets_of(8, 0x5000 - 4, 4)), 1);
    EXPECT_EQ(b.out(0, 0), b.get(0x3FFC));
    EXPECT_EQ(b.out(0, 1), 0u);
  });
  on({&dataport_gen6}, [](Bench& b) {
    b.environment.bases.general.address = home;
    b.ok(render_cache, type4(6) | legacy | header_present | stateless,
         Payload{}.header({0, 0, 1, 0, 0, 0x40}).dwords(offsets_of(8, 2, 1)), 1);
    EXPECT_EQ(b.out(0, 0), b.get(0x4C));
  });
}
TEST(DataPort, StructuredBuffer) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    state::Surface s = b.buffer(0x100, 24 * 10, 24);
    s.type = state::SurfaceType::structured_buffer;
    b.bind(1, s);
    b.ok(dc1, type5(1) | simd8 | 0xE00 | 1,
         Payload{}.dwords({0, 1, 2, 3, 4, 9, 10, 11}).dwords(std::vector<uint32_t>(8, 8)), 1);
    for (unsigned i = 0; i < 8; ++i) {
      const uint32_t index[] = {0, 1, 2, 3, 4, 9, 10, 11};
      EXPECT_EQ(b.out(0, i), i < 6 ? b.get(0x100 + 24 * index[i] + 8) : 0) << i;
    }
  });
}
TEST(DataPort, ResponseOverItsOwnPayload) {
  on({&dataport_gen9}, [](Bench& b) {
    std::vector<uint64_t> at = addresses_of(8, 0x40, 12);
    std::array<uint64_t, 8> registers{};
    std::copy(at.begin(), at.end(), registers.begin());
    eu::Message m;
    m.desc = 0x042402FF, m.channels = 0xFF;
    m.payload = std::as_bytes(std::span(registers));
    m.response = std::as_writable_bytes(std::span(registers));
    EXPECT_EQ(carry_out(*b.port, dc1, m, b.reason), eu::Reply::done);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(registers[i], b.get<uint64_t>(0x40 + 12 * i));
  });
}

}  // namespace
}  // namespace vitro::shared::test
