// Block messages on every generation that has them: OWord blocks aligned and not, dual blocks, scratch, blocks at
// 64-bit addresses, and the fence. Named after the MSD of the document, where it has one. Descriptors marked "ocloc"
// and "Mesa" are as those compilers emit them.
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint32_t stateless = 255;
// Block sizes by code: bytes, and where they begin in the first register.
struct Size {
  uint32_t bytes, at;
};
constexpr std::array<Size, 5> sizes{{{16, 0}, {16, 16}, {32, 0}, {64, 0}, {128, 0}}};
constexpr unsigned registers_of(Size s) { return s.bytes > 32 ? s.bytes / 32 : 1; }

// Every dword of the response is what memory has from `from` on, or untouched outside the block.
void expect_block(const Bench& b, Size s, uint32_t from) {
  for (uint32_t d = 0; d < registers_of(s) * 8; ++d) {
    const bool in = d * 4 >= s.at && d * 4 < s.at + s.bytes;
    EXPECT_EQ(b.response[d], in ? b.get(from + d * 4 - s.at) : untouched) << d;
  }
}
Payload data_of(Payload p, unsigned registers, uint32_t first = 0xC0DE0000) {
  std::vector<uint32_t> v;
  for (uint32_t i = 0; i < registers * 8; ++i) v.push_back(first + i);
  return p.dwords(v);
}
constexpr std::array<uint32_t, 8> header_at(uint32_t offset) { return {9, 9, offset, 9, 9, 9, 9, 9}; }

// --- aligned: offsets in OWords

void oword_read(Bench& b, Sfid sfid, uint32_t desc) {
  b.bind_buffer(1, 0x300, 0x1000);
  for (uint32_t code = 0; code < sizes.size(); ++code) {
    b.ok(sfid, desc | code << 8 | header_present | 1, Payload{}.header(header_at(5)), registers_of(sizes[code]));
    expect_block(b, sizes[code], 0x300 + 5 * 16);
  }
  for (uint32_t code : {5u, 7u})
    EXPECT_EQ(b.send(sfid, desc | code << 8 | header_present | 1, Payload{}.header({}), 8), eu::Reply::unsupported);
  // One enabled channel of four gives the OWord. Eight channels count for every register, sixteen for every pair.
  b.exec_size = 8, b.channels = 0x20;
  b.ok(sfid, desc | 3 << 8 | header_present | 1, Payload{}.header(header_at(0)), 2);
  for (unsigned d = 0; d < 16; ++d) EXPECT_EQ(b.response[d], d % 8 >= 4 ? b.get(0x300 + 4 * d) : untouched) << d;
  b.exec_size = 16, b.channels = 0x1001;
  b.ok(sfid, desc | 4 << 8 | header_present | 1, Payload{}.header(header_at(0)), 4);
  for (unsigned d = 0; d < 32; ++d)
    EXPECT_EQ(b.response[d], d % 16 < 4 || d % 16 >= 12 ? b.get(0x300 + 4 * d) : untouched) << d;
  b.exec_size = 1, b.channels = 1;  // a single channel without mask stands for all
  b.ok(sfid, desc | 2 << 8 | header_present | 1, Payload{}.header(header_at(2)), 1);
  expect_block(b, sizes[2], 0x320);
  b.exec_size = 16, b.channels = 0;
  b.ok(sfid, desc | 2 << 8 | header_present | 1, Payload{}.header(header_at(2)), 1);
  EXPECT_EQ(b.out(0, 0), untouched);
  b.channels = 0xFFFF;
}
TEST(DataPort, MSD0R_OWB) {
  on({&dataport_gen6}, [](Bench& b) {
    for (Sfid sfid : {sampler_cache, render_cache, constant_cache}) oword_read(b, sfid, type4(0));
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { oword_read(b, dc0, type5(0)); });
}
TEST(DataPort, MSD_CC_OWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    oword_read(b, constant_cache, type5(0));
    b.bind_buffer(0, 0x500, 0x100);
    b.ok(constant_cache, 0x02280300, Payload{}.header(header_at(1)), 2);  // ocloc
    expect_block(b, sizes[3], 0x510);
  });
}

void oword_write(Bench& b, Sfid sfid, uint32_t desc) {
  const Bench before(b.layout);
  b.bind_buffer(1, 0x300, 0x1000);
  for (uint32_t code = 0; code < sizes.size(); ++code) {
    const Size s = sizes[code];
    b.ok(sfid, desc | code << 8 | header_present | 1,
         data_of(Payload{}.header(header_at(4)), registers_of(s), code << 8));
    for (uint32_t at = 0; at < s.bytes; at += 4) EXPECT_EQ(b.get(0x340 + at), (code << 8) + (s.at + at) / 4);
    EXPECT_EQ(b.get(0x340 + s.bytes), before.get(0x340 + s.bytes));
    EXPECT_EQ(b.get(0x33C), before.get(0x33C));
  }
  // dword by dword
  b.exec_size = 8, b.channels = 0x42;
  b.ok(sfid, desc | 3 << 8 | header_present | 1, data_of(Payload{}.header(header_at(0x20)), 2));
  for (unsigned d = 0; d < 16; ++d)
    EXPECT_EQ(b.get(0x500 + 4 * d), 0x42 >> d % 8 & 1 ? 0xC0DE0000 + d : before.get(0x500 + 4 * d)) << d;
  b.exec_size = 16, b.channels = 0x8001;
  b.ok(sfid, desc | 4 << 8 | header_present | 1, data_of(Payload{}.header(header_at(0x30)), 4));
  for (unsigned d = 0; d < 32; ++d)
    EXPECT_EQ(b.get(0x600 + 4 * d), d % 16 == 0 || d % 16 == 15 ? 0xC0DE0000 + d : before.get(0x600 + 4 * d)) << d;
  b.channels = 0xFFFF;
}
TEST(DataPort, MSD0W_OWB) {
  on({&dataport_gen6}, [](Bench& b) {
    oword_write(b, render_cache, type4(8));
    // Mesa spills with a write commit: a register comes back as it was
    b.environment.bases.general.address = home;
    b.ok(render_cache, type4(8) | 1 << 17 | 2 << 8 | header_present | stateless,
         data_of(Payload{}.header({0, 0, 2, 0, 0, 0x400 | 0x15}), 1), 1);
    EXPECT_EQ(b.get(0x420), 0xC0DE0000);
    EXPECT_EQ(b.out(0, 0), untouched);
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { oword_write(b, dc0, type5(8)); });
}

// --- unaligned: offsets in bytes, of which the low two bits do not count

void unaligned_read(Bench& b, Sfid sfid, uint32_t desc) {
  b.bind_buffer(1, 0x300, 0x1000);
  b.channels = 1;
  for (uint32_t code = 0; code < sizes.size(); ++code) {
    b.ok(sfid, desc | code << 8 | header_present | 1, Payload{}.header(header_at(0x57)), registers_of(sizes[code]));
    expect_block(b, sizes[code], 0x354);
  }
}
TEST(DataPort, MSD0R_OWUB) {
  on({&dataport_gen6}, [](Bench& b) {
    for (Sfid sfid : {sampler_cache, render_cache, constant_cache}) unaligned_read(b, sfid, type4(5));
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { unaligned_read(b, dc0, type5(1)); });
}
TEST(DataPort, MSD_CC_OWUB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { unaligned_read(b, constant_cache, type5(1)); });
}
TEST(DataPort, SamplerCacheUnalignedOWordBlockRead) {
  on({&dataport_gen8}, [](Bench& b) { unaligned_read(b, sampler_cache, type5(1)); });
  on({&dataport_gen9}, [](Bench& b) { unaligned_read(b, constant_cache, type5(4)); });
}

// --- dual: two offsets in OWords, halves of registers

void dual_read(Bench& b, Sfid sfid, uint32_t desc) {
  b.bind_buffer(1, 0x300, 0x1000);
  b.exec_size = 8, b.channels = 0xFF;
  const Payload p = Payload{}.header(header_at(1)).dwords({2, 8, 8, 8, 0x10, 8, 8, 8});
  b.ok(sfid, desc | header_present | 1, p, 1);
  for (unsigned k = 0; k < 4; ++k) {
    EXPECT_EQ(b.out(0, k), b.get(0x300 + 3 * 16 + 4 * k));
    EXPECT_EQ(b.out(0, 4 + k), b.get(0x300 + 0x11 * 16 + 4 * k));
  }
  b.channels = 0xF3;
  b.ok(sfid, desc | 2 << 8 | header_present | 1, p, 4);
  for (unsigned d = 0; d < 16; ++d) {
    EXPECT_EQ(b.out(d / 4, d % 4), d % 4 < 2 ? b.get(0x300 + 3 * 16 + 4 * d) : untouched);
    EXPECT_EQ(b.out(d / 4, 4 + d % 4), b.get(0x300 + 0x11 * 16 + 4 * d));
  }
  EXPECT_EQ(b.send(sfid, desc | 1 << 8 | header_present | 1, p, 4), eu::Reply::unsupported);
}
TEST(DataPort, OWordDualBlockRead) {
  on({&dataport_gen6}, [](Bench& b) {
    for (Sfid sfid : {sampler_cache, render_cache, constant_cache}) dual_read(b, sfid, type4(2));
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dual_read(b, dc0, type5(2)); });
}
TEST(DataPort, ConstantOWordDualBlockRead) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dual_read(b, constant_cache, type5(2)); });
}
void dual_write(Bench& b, Sfid sfid, uint32_t desc) {
  const Bench before(b.layout);
  b.bind_buffer(1, 0x300, 0x1000);
  b.exec_size = 8, b.channels = 0x7F;
  b.ok(sfid, desc | 2 << 8 | header_present | 1, data_of(Payload{}.header(header_at(0)).dwords({0, 8, 8, 8, 0x20}), 4));
  for (unsigned d = 0; d < 16; ++d) {
    EXPECT_EQ(b.get(0x300 + 4 * d), 0xC0DE0000 + d / 4 * 8 + d % 4);
    EXPECT_EQ(b.get(0x500 + 4 * d), d % 4 < 3 ? 0xC0DE0004 + d / 4 * 8 + d % 4 : before.get(0x500 + 4 * d));
  }
}
TEST(DataPort, MSD0W_OWDB) {
  on({&dataport_gen6}, [](Bench& b) { dual_write(b, render_cache, type4(9)); });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { dual_write(b, dc0, type5(0xA)); });
}

// --- scratch

constexpr uint32_t scratch = 1 << 18, scratch_write = scratch | 1 << 17, dword_mode = 1 << 16;
constexpr std::array<uint32_t, 8> scratch_header{0, 0, 0, 1, 0, 0x400 | 0x17, 0, 0};  // base 1 KB; the FFTID below

TEST(DataPort, MSD0R_HWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.environment.bases.general.address = home;
    for (uint32_t log = 0; log < 4; ++log) {
      b.ok(dc0, scratch | log << 12 | 7 | header_present, Payload{}.header(scratch_header), 1 << log);
      for (unsigned d = 0; d < 8u << log; ++d) EXPECT_EQ(b.response[d], b.get(0x400 + 7 * 32 + 4 * d));
    }
    b.ok(dc0, 0x021C2005, Payload{}.header(scratch_header), 4);  // 4 HWords at 160 bytes
    for (unsigned d = 0; d < 32; ++d) EXPECT_EQ(b.response[d], b.get(0x400 + 160 + 4 * d));
    b.exec_size = 8, b.channels = 0x01;
    b.ok(dc0, scratch | header_present, Payload{}.header(scratch_header), 1);
    for (unsigned d = 0; d < 8; ++d) EXPECT_EQ(b.response[d], d < 4 ? b.get(0x400 + 4 * d) : untouched);
    b.ok(dc0, scratch | dword_mode | header_present, Payload{}.header(scratch_header), 1);
    for (unsigned d = 0; d < 8; ++d) EXPECT_EQ(b.response[d], d < 1 ? b.get(0x400 + 4 * d) : untouched);
  });
}
TEST(DataPort, MSD0W_HWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    b.environment.bases.general.address = home;
    // ocloc: spills of four registers; split on Gen9, in one payload on Gen8
    b.ok(dc0, 0x020F2000, data_of(Payload{}.header(scratch_header), 4), 0, 1);
    for (unsigned d = 0; d < 32; ++d) EXPECT_EQ(b.get(0x400 + 4 * d), 0xC0DE0000 + d);
    b.ok(dc0, 0x060F1000 | 5, data_of(Payload{}.header(scratch_header), 2));
    for (unsigned d = 0; d < 16; ++d) EXPECT_EQ(b.get(0x400 + 160 + 4 * d), 0xC0DE0000 + d);
    b.exec_size = 8, b.channels = 0x81;
    b.ok(dc0, scratch_write | dword_mode | 0x20 | header_present, data_of(Payload{}.header(scratch_header), 1));
    for (unsigned d = 0; d < 8; ++d)
      EXPECT_EQ(b.get(0x800 + 4 * d), d == 0 || d == 7 ? 0xC0DE0000 + d : before.get(0x800 + 4 * d));
    b.channels = 0x80;
    b.ok(dc0, scratch_write | 0x21 | header_present, data_of(Payload{}.header(scratch_header), 1));
    for (unsigned d = 0; d < 8; ++d)
      EXPECT_EQ(b.get(0x820 + 4 * d), d >= 4 ? 0xC0DE0000 + d : before.get(0x820 + 4 * d));
  });
}
TEST(DataPort, StatelessBlocksIgnoreTheLowBitsOfTheBase) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.environment.bases.general.address = home;
    b.ok(dc0, type5(0) | 2 << 8 | header_present | stateless, Payload{}.header({0, 0, 3, 0, 0, 0x7FF}), 1);
    expect_block(b, sizes[2], 0x400 + 48);
  });
}

// --- 64-bit addresses

std::array<uint32_t, 8> a64_header(uint64_t a, uint64_t second = 0) {
  return {uint32_t(a), uint32_t(a >> 32), uint32_t(second), uint32_t(second >> 32), 9, 9, 9, 9};
}
TEST(DataPort, MSD1R_A64_OWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t code = 0; code < sizes.size(); ++code) {
      b.ok(dc1, type5(0x14) | code << 8 | header_present | 255, Payload{}.header(a64_header(home + 0x20F)),
           registers_of(sizes[code]));
      expect_block(b, sizes[code], 0x200);
    }
    b.channels = 0x10;  // not by channel
    b.ok(dc1, type5(0x14) | 2 << 8 | header_present | 253, Payload{}.header(a64_header(home + 0x40)), 1);
    expect_block(b, sizes[2], 0x40);
  });
}
TEST(DataPort, MSD1W_A64_OWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t code = 0; code < sizes.size(); ++code) {
      const Size s = sizes[code];
      b.ok(dc1, type5(0x15) | code << 8 | header_present | 255,
           data_of(Payload{}.header(a64_header(home + 0x200)), registers_of(s), code << 8));
      for (uint32_t at = 0; at < s.bytes; at += 4) EXPECT_EQ(b.get(0x200 + at), (code << 8) + (s.at + at) / 4);
    }
  });
}
TEST(DataPort, MSD1R_A64_OWUB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t code = 0; code < sizes.size(); ++code) {
      b.ok(dc1, type5(0x14) | 1 << 11 | code << 8 | header_present | 255, Payload{}.header(a64_header(home + 0x20F)),
           registers_of(sizes[code]));
      expect_block(b, sizes[code], 0x20C);
    }
  });
}
TEST(DataPort, MSD1R_A64_OWDB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.exec_size = 8, b.channels = 0xFF;
    for (unsigned count : {1u, 4u}) {
      b.ok(dc1, type5(0x14) | 2 << 11 | (count == 4 ? 2 << 8 : 0) | header_present | 255,
           Payload{}.header(a64_header(home + 0x40, home + 0x800)), count);
      for (unsigned d = 0; d < count * 4; ++d) {
        EXPECT_EQ(b.out(d / 4, d % 4), b.get(0x40 + 4 * d));
        EXPECT_EQ(b.out(d / 4, 4 + d % 4), b.get(0x800 + 4 * d));
      }
    }
  });
}
TEST(DataPort, MSD1W_A64_OWDB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.exec_size = 8, b.channels = 0xFF;
    b.ok(dc1, type5(0x15) | 2 << 11 | 2 << 8 | header_present | 255,
         data_of(Payload{}.header(a64_header(home + 0x40, home + 0x800)), 4));
    for (unsigned d = 0; d < 16; ++d) {
      EXPECT_EQ(b.get(0x40 + 4 * d), 0xC0DE0000 + d / 4 * 8 + d % 4);
      EXPECT_EQ(b.get(0x800 + 4 * d), 0xC0DE0004 + d / 4 * 8 + d % 4);
    }
  });
}
TEST(DataPort, MSD1R_A64_HWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    for (uint32_t log = 0; log < 4; ++log) {
      b.ok(dc1, type5(0x14) | 3 << 11 | log << 8 | header_present | 255, Payload{}.header(a64_header(home + 0x123)),
           1 << log);
      for (unsigned d = 0; d < 8u << log; ++d) EXPECT_EQ(b.response[d], b.get(0x120 + 4 * d));
    }
    EXPECT_EQ(b.send(dc1, type5(0x14) | 3 << 11 | 4 << 8 | header_present | 255, Payload{}.header(a64_header(home)), 8),
              eu::Reply::unsupported);
  });
}
TEST(DataPort, MSD1W_A64_HWB) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    for (uint32_t log = 0; log < 4; ++log) {
      const uint32_t at = 0x400 * (log + 1);
      b.ok(dc1, type5(0x15) | 3 << 11 | log << 8 | header_present | 255,
           data_of(Payload{}.header(a64_header(home + at)), 1 << log));
      for (unsigned d = 0; d < 8u << log; ++d) EXPECT_EQ(b.get(at + 4 * d), 0xC0DE0000 + d);
      EXPECT_EQ(b.get(at + (32u << log)), before.get(at + (32u << log)));
    }
  });
}

TEST(DataPort, MSD_MEMFENCE) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    b.ok(dc0, 0x0219E000, Payload{}.header({}), 1);  // with commit
    b.ok(dc0, 0x0209C000, Payload{}.header({}));
    EXPECT_EQ(b.host, before.host);
  });
}

}  // namespace
}  // namespace vitro::shared::test
