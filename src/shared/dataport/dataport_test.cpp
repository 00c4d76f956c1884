// What all data port messages have in common: which descriptors are messages, bounds for each dword, null surfaces,
// binding tables and bindless surfaces, unmapped memory, payloads that are too short, and Faults by name.
#include "shared/dataport/dataport.h"

#include "gen/models.h"
#include "isa/message.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint32_t simd8 = 2 << 12, x_only = 0xE00;

struct Generation {
  const DataPortLayout& layout;
};
const Generation generations[] = {{dataport_gen6}, {dataport_gen8}, {dataport_gen9}};

TEST(DataPort, InstallsWhatTheGenerationHas) {
  for (const Generation& g : generations) {
    Bench b(g.layout);
    eu::SharedFunctions functions{};
    b.port->install(functions);
    for (unsigned sfid = 0; sfid < 16; ++sfid) {
      const bool has = sfid == 4 || sfid == 5 || sfid == 9 || ((sfid == 10 || sfid == 12) && &g != &generations[0]);
      EXPECT_EQ(functions[sfid].handle != nullptr, has) << sfid;
    }
    b.bind_buffer(1, 0, 64);
    eu::Thread thread{};
    std::array<uint32_t, 8> header{}, out{};
    eu::Message m;
    m.sfid = constant_cache;
    m.desc = header_present | 2 << 8 | 1;
    m.channels = 0xFF;
    m.payload = std::as_bytes(std::span(header)), m.response = std::as_writable_bytes(std::span(out));
    const eu::SharedFunction& f = functions[constant_cache];
    EXPECT_EQ(f.handle(f.context, thread, m, b.reason), eu::Reply::done);
    EXPECT_EQ(out[7], b.get(28));
  }
}

TEST(DataPort, ReservedMessagesAreFaults) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    EXPECT_EQ(b.send(dc0, type5(0xF), Payload{}.header({})), eu::Reply::unsupported);
    EXPECT_EQ(b.reason.substr(0, 21), "dc0: reserved message") << b.reason;
    EXPECT_NE(b.reason.find("0x0203c000"), std::string::npos) << b.reason;
  });
  Bench gen8(dataport_gen8);  // without Gen9's float atomics
  EXPECT_EQ(gen8.send(dc1, type5(0x1B) | 1, Payload{}.header({})), eu::Reply::unsupported);
}
TEST(DataPort, UndescribedMessagesAreUnsupported) {
  Bench b(dataport_gen6);
  for (uint32_t t : {1u, 7u, 12u, 14u})
    EXPECT_EQ(b.send(render_cache, type4(t), Payload{}.header({})), eu::Reply::unsupported);
  Bench c(dataport_gen9);
  EXPECT_EQ(c.send(sampler_cache, 0, Payload{}.header({})), eu::Reply::unsupported);
  EXPECT_EQ(c.send(dc1, type5(0xE), Payload{}.header({})), eu::Reply::unsupported);
  EXPECT_EQ(c.send(dc1, type5(0x10) | 3 << 8 | 255, Payload{}.header({})), eu::Reply::unsupported);
}

TEST(DataPort, RegistersThatAreMissingAreFaults) {
  const vitro::test::Uncounted uncounted;
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0, 0x1000);
    // every message, with one register and no answer where it needs more
    for (unsigned sfid : {4u, 5u, 9u, 10u, 12u})
      for (uint32_t control = 0; control < 1u << 11; ++control)
        for (uint32_t header : {0u, header_present})
          for (unsigned registers : {0u, 1u, 2u})
            for (unsigned rlen : {0u, 1u}) {
              const Payload p{std::vector<uint32_t>(registers * 8)};
              const eu::Reply r = b.send(Sfid(sfid), control << 8 | header | 1, p, rlen);
              if (r == eu::Reply::faulted) {
                ASSERT_FALSE(b.reason.empty());
              }
            }
    EXPECT_EQ(b.send(dc1, type5(1) | simd8 | 1, Payload{}.dwords({0}), 3), eu::Reply::faulted);
    EXPECT_EQ(b.reason,
              "untyped surface read (descriptor 0x02306001): answers with 4 registers and the response has 3");
    EXPECT_EQ(b.send(dc1, type5(9) | simd8 | 1, Payload{}.dwords({0}).dwords({0})), eu::Reply::faulted);
    EXPECT_EQ(b.reason, "untyped surface write (descriptor 0x04026001): needs 5 registers of payload and has 2");
  });
}
TEST(DataPort, NullDestinationsDropTheAnswer) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.bind_buffer(1, 0, 0x1000);
    b.set(0, 5u);
    b.channels = 1;
    b.ok(dc1, type5(2) | 1 << 12 | 5 << 8 | 1 << 13 | 1, Payload{}.dwords({0}));
    EXPECT_EQ(b.get(0), 6u);
    b.ok(dc1, type5(1) | simd8 | 1, Payload{}.dwords({0}));
  });
}

// --- bounds

TEST(DataPort, BoundsAreOfDwords) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    b.bind_buffer(1, 0x200, 22);  // the last dword is not whole
    b.channels = 0xFF;
    b.ok(dc1, type5(1) | simd8 | x_only | 1, Payload{}.dwords({0, 16, 20, 24, 0x7FFFFFFC, 0xFFFFFFFC, 4, 17}), 1);
    const uint32_t expected[] = {b.get(0x200), b.get(0x210), 0, 0, 0, 0, b.get(0x204), b.get(0x210)};
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), expected[i]) << i;
    // of four channels, those beyond
    b.ok(dc1, type5(1) | simd8 | 1, Payload{}.dwords({0, 4, 8, 12, 16, 20, 24, 28}), 4);
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned k = 0; k < 4; ++k)
        EXPECT_EQ(b.out(k, i), 4 * i + 4 * k + 4 <= 20 ? b.get(0x200 + 4 * i + 4 * k) : 0) << i << ' ' << k;
    b.ok(dc1, type5(9) | simd8 | x_only | 1,
         Payload{}.dwords({0, 4, 8, 12, 16, 20, 24, 28}).dwords({90, 91, 92, 93, 94, 95, 96, 97}));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.get(0x200 + 4 * i), i < 5 ? 90 + i : before.get(0x200 + 4 * i));
    // bytes of a dword that is out
    b.ok(dc0, type5(4) | 1, Payload{}.dwords({18, 19, 20, 21, 22, 23, 0, 1}), 1);
    EXPECT_EQ(b.out(0, 1), b.get<uint8_t>(0x213));
    for (unsigned i = 2; i < 6; ++i) EXPECT_EQ(b.out(0, i), 0u);
    // a word across the bound: the part inside
    b.ok(dc0, type5(4) | 1 << 10 | 1, Payload{}.dwords({19, 19, 19, 19, 19, 19, 19, 19}), 1);
    EXPECT_EQ(b.out(0, 0), b.get<uint8_t>(0x213));
    b.channels = 0xFFFF;
    b.ok(dc0, type5(0) | 3 << 8 | header_present | 1, Payload{}.header({}), 2);
    for (unsigned d = 0; d < 16; ++d) EXPECT_EQ(b.response[d], d < 5 ? b.get(0x200 + 4 * d) : 0);
    b.ok(dc0, type5(8) | 3 << 8 | header_present | 1, Payload{}.header({}).dwords(std::vector<uint32_t>(16, 0xB10C)));
    for (unsigned d = 0; d < 16; ++d) EXPECT_EQ(b.get(0x200 + 4 * d), d < 5 ? 0xB10C : before.get(0x200 + 4 * d));
    EXPECT_FALSE(b.view->misses().first);
  });
}
TEST(DataPort, SizesOfBuffersAreNotRounded) {
  for (const Generation& g : generations) {
    Bench b(g.layout);
    for (uint32_t bytes : {4u, 127u, 128u, 129u, 0x3FFFu, 0x4000u, 0x123456u, 0x7FFFFFFu}) {
      b.bind_buffer(1, 0, bytes);
      EXPECT_EQ(b.port->surfaces.bound(1).state.bytes(), bytes);
    }
  }
}
TEST(DataPort, NullSurfacesReadAsZero) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    const Bench before(b.layout);
    state::Surface s = b.buffer(0, 0x1000);
    s.type = state::SurfaceType::null;
    b.bind(1, s);
    b.channels = 0xFF;
    b.ok(dc1, type5(1) | simd8 | x_only | 1, Payload{}.dwords({0, 4, 8}), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), 0u);
    b.ok(dc1, type5(9) | simd8 | x_only | 1, Payload{}.dwords({0, 4, 8}).dwords({1, 2, 3}));
    EXPECT_EQ(b.get(0), before.get(0));
    b.ok(dc1, type5(2) | 1 << 12 | 5 << 8 | 1 << 13 | 1, Payload{}.dwords({0, 4, 8}), 1);
    EXPECT_EQ(b.out(0, 0), 0u);
    EXPECT_EQ(b.get(0), before.get(0));
    b.ok(dc0, type5(0) | 2 << 8 | header_present | 1, Payload{}.header({}), 1);
    EXPECT_EQ(b.out(0, 5), 0u);
  });
}

// --- which surface

TEST(DataPort, SurfacesAreReadOnce) {
  Bench b(dataport_gen9);
  b.bind_buffer(1, 0x100, 64);
  b.channels = 1;
  const auto first = [&] {
    b.ok(dc1, type5(1) | simd8 | x_only | 1, Payload{}.dwords({0}), 1);
    return b.out(0, 0);
  };
  EXPECT_EQ(first(), b.get(0x100));
  EXPECT_TRUE(b.bindings->hold(*b.view));
  const auto old = std::move(b.bindings);
  b.bind_buffer(1, 0x200, 64);
  EXPECT_FALSE(old->hold(*b.view));
  b.environment.bindings = old.get();
  EXPECT_EQ(first(), b.get(0x100));
  b.environment.bindings = b.bindings.get();
  EXPECT_EQ(first(), b.get(0x200));
  b.environment.binding_table = 0x100;  // another table
  b.set(tables + 0x100 + 4, b.get(tables + 4) + 64);
  b.bind_buffer(2, 0x300, 64);
  EXPECT_EQ(first(), b.get(0x300));
}
TEST(DataPort, BindlessSurfaces) {
  Bench b(dataport_gen9);
  b.environment.bases.bindless_surface = {home + tables + 0x400, 64 * 3};
  b.bind_buffer(1, 0x100, 64);  // the states lie 64 bytes apart, from 0x400 on
  b.bind_buffer(2, 0x200, 64);
  b.channels = 1;
  for (const auto& [handle, expected] : {std::pair(1u, b.get(0x100)), {2u, b.get(0x200)}, {1u, b.get(0x100)}}) {
    b.ex_desc = handle << 12;
    b.ok(dc1, type5(1) | simd8 | x_only | 252, Payload{}.dwords({0}), 1);
    EXPECT_EQ(b.out(0, 0), expected);
  }
  b.ex_desc = 3u << 12;  // beyond the size of the bindless base
  b.ok(dc1, type5(1) | simd8 | x_only | 252, Payload{}.dwords({0}), 1);
  EXPECT_EQ(b.out(0, 0), 0u);
  // Gen8 has no such surface: 252 is an entry of the table
  Bench c(dataport_gen8);
  c.bind_buffer(252, 0x340, 64);
  c.channels = 1;
  c.ok(dc1, type5(1) | simd8 | x_only | 252, Payload{}.dwords({0}), 1);
  EXPECT_EQ(c.out(0, 0), c.get(0x340));
}

// --- memory

TEST(DataPort, UnmappedMemoryReadsAsZeroAndIsCounted) {
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) {
    b.channels = 0xFF;
    std::vector<uint64_t> at;
    for (unsigned i = 0; i < 8; ++i) at.push_back(home + memory_bytes - 16 + 4 * i);  // half of it behind the end
    b.ok(dc1, type5(0x10) | 1 << 8 | 255, Payload{}.qwords(at), 1);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), i < 4 ? b.get(memory_bytes - 16 + 4 * i) : 0);
    EXPECT_EQ(b.view->misses().reads, 4u);
    b.ok(dc1, type5(0x1A) | 1 << 8 | 255, Payload{}.qwords(at).dwords({1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(b.get(memory_bytes - 4), 4u);
    EXPECT_EQ(b.view->misses().writes, 4u);
  });
}
TEST(DataPort, SlotsInDifferentRanges) {
  Bench b(dataport_gen9);
  std::vector<std::byte> other(4096, std::byte{0x5C});
  const memory::Range range{0x7FFF'0000'0000, 4096, other.data()};
  b.space.bind({&range, 1});
  *b.view = memory::View(b.space.table());
  b.channels = 0xFF;
  b.ok(dc1, type5(0x10) | 1 << 8 | 255,
       Payload{}.qwords({home, range.start, home + 4, range.start + 4, 0x7FFF'0000'0FFC, home + 8, home + 12, home}),
       1);
  const uint32_t expected[] = {b.get(0), 0x5C5C5C5C, b.get(4), 0x5C5C5C5C, 0x5C5C5C5C, b.get(8), b.get(12), b.get(0)};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.out(0, i), expected[i]) << i;
}
TEST(DataPort, ReadOnlyMemoryKeepsItsContents) {
  Bench b(dataport_gen9);
  const memory::Range range{home, memory_bytes, b.host.data(), true};
  b.space.bind({&range, 1});
  *b.view = memory::View(b.space.table());
  const uint32_t before = b.get(0x40);
  b.channels = 1;
  b.ok(dc1, type5(0x1A) | 1 << 8 | 255, Payload{}.qwords(std::vector<uint64_t>(8, home + 0x40)).dwords({1}));
  b.ok(dc1, type5(0x12) | 5 << 8 | 1 << 13 | 255, Payload{}.qwords(std::vector<uint64_t>(8, home + 0x40)), 1);
  EXPECT_EQ(b.out(0, 0), before);
  EXPECT_EQ(b.get(0x40), before);
}
TEST(DataPort, StrictMemoryFaults) {
  Bench b(dataport_gen9, true);
  b.channels = 1;
  EXPECT_EQ(b.send(dc1, type5(0x10) | 1 << 8 | 255, Payload{}.qwords(std::vector<uint64_t>(8, 0xDEAD0000)), 1),
            eu::Reply::faulted);
  EXPECT_EQ(b.reason, "a64 dword scattered read (descriptor 0x041401ff): nothing is mapped at address 0xdead0000");
}

}  // namespace
}  // namespace vitro::shared::test
