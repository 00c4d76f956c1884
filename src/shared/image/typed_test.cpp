// Tests of the typed data port messages on Gen8 and Gen9 surfaces: coordinates, slot groups, masks, bounds, formats,
// atomic operations, SIMD4x2 forms and faults. Payloads are built here register by register.
#include "shared/image/typed.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "shared/image/guest_test.h"
#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

using state::SurfaceType;
using Register = std::array<uint32_t, 8>;

constexpr uint32_t header_bit = 1u << 19;
constexpr uint32_t all_channels = 0 << 8, red_only = 0xE << 8;
constexpr uint32_t mode_4x2 = 0 << 12, mode_low = 1 << 12, mode_high = 2 << 12;
constexpr uint32_t return_old = 1 << 13;
constexpr uint32_t op(unsigned n) { return n << 8; }

struct Generation {
  const char* name;
  const DataPortLayout& ports;
  bool bindless;
};
const Generation generations[] = {{"gen8", dataport_gen8, false}, {"gen9", dataport_gen9, true}};
constexpr unsigned data_cache_1 = 12;

struct Typed {
  Guest guest;
  const DataPortLayout& ports;
  DataPort port;
  std::vector<Register> response = std::vector<Register>(4, filled(0xDDDDDDDD));
  std::string reason;
  uint32_t channels = 0xFF;
  unsigned exec_size = 8;
  uint32_t ex_desc = 0;

  explicit Typed(const Generation& g) : guest(g.ports.surface), ports(g.ports), port(g.ports, guest.environment) {}

  static Register filled(uint32_t v) {
    Register r;
    r.fill(v);
    return r;
  }
  eu::Reply run(uint32_t message, uint32_t desc, std::vector<Register> payload, std::vector<Register> second = {}) {
    desc |= message << 14;
    eu::Message m;
    m.sfid = data_cache_1;
    m.desc = desc;
    m.ex_desc = ex_desc;
    m.exec_size = uint8_t(exec_size);
    m.channels = channels;
    m.payload = std::as_bytes(std::span(payload));
    m.second_payload = std::as_bytes(std::span(second));
    m.response = std::as_writable_bytes(std::span(response));
    const HostFloats floats(test::modes_for(ports.messages, data_cache_1, desc));
    const eu::Reply reply = carry_out(port, data_cache_1, m, reason);
    test::note(ports.messages, data_cache_1, desc, reply);
    return reply;
  }
};

// Types of messages.
constexpr uint32_t typed_read = 0x05, typed_atomic = 0x06, typed_atomic_4x2 = 0x07, typed_write = 0x0D;

constexpr Register ramp = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr Register zeros = {};

TEST(Typed, MSD1R_TS_returns_channels_in_order_and_the_rest_as_defaults) {
  for (const Generation& g : generations) {
    SCOPED_TRACE(g.name);
    Typed t(g);
    t.guest.set_surface(1, plain_2d("R8G8_UINT", 8, 4, 64));
    for (uint32_t x = 0; x < 8; ++x)
      t.guest.put<uint8_t>(texture_base + 64 + 2 * x, {uint8_t(x + 1), uint8_t(x + 100)});
    ASSERT_EQ(t.run(typed_read, 1 | all_channels | mode_low, {ramp, Typed::filled(1)}), eu::Reply::done) << t.reason;
    for (uint32_t x = 0; x < 8; ++x) {
      EXPECT_EQ(t.response[0][x], x + 1);
      EXPECT_EQ(t.response[1][x], x + 100);
      EXPECT_EQ(t.response[2][x], 0u);
      EXPECT_EQ(t.response[3][x], 1u);
    }
    // Green alone goes to the first register.
    t.run(typed_read, 1 | (0xDu << 8) | mode_low, {ramp, Typed::filled(1)});
    EXPECT_EQ(t.response[0][2], 102u);
  }
}

TEST(Typed, read_out_of_bounds_and_of_null_surfaces) {
  for (const Generation& g : generations) {
    Typed t(g);
    state::Surface s = plain_2d("R8G8B8A8_UNORM", 4, 4, 16);
    t.guest.set_surface(1, s);
    t.guest.put<uint32_t>(texture_base, {~0u, ~0u, ~0u, ~0u});
    t.run(typed_read, 1 | mode_low, {{0, 3, 4, ~0u, 0, 0, 0, 0}, {0, 0, 0, 0, 4, ~0u, 1, 0}});
    EXPECT_EQ(t.response[0], (Register{bits_of(1), bits_of(1), 0, 0, 0, 0, 0, bits_of(1)})) << g.name;
    EXPECT_EQ(t.response[3], (Register{bits_of(1), bits_of(1), 0, 0, 0, 0, 0, bits_of(1)}));
    // The level is the fourth coordinate.
    t.run(typed_read, 1 | mode_low, {zeros, zeros, zeros, {0, 1, 0, 0, 0, 0, 0, 0}});
    EXPECT_EQ(t.response[0][0], bits_of(1));
    EXPECT_EQ(t.response[0][1], 0u);
    // A channel that the format lacks is the same outside.
    t.guest.set_surface(2, plain_2d("R32_FLOAT", 4, 4, 16));
    t.run(typed_read, 2 | mode_low, {{0, 4, 0, 0, 0, 0, 0, 0}, zeros});
    EXPECT_EQ(t.response[3][0], bits_of(1));
    EXPECT_EQ(t.response[3][1], bits_of(1));
    s.type = SurfaceType::null;
    t.guest.set_surface(1, s);
    t.run(typed_read, 1 | mode_low, {zeros, zeros});
    EXPECT_EQ(t.response[3], zeros);
  }
}

TEST(Typed, masks_choose_slots) {
  for (const Generation& g : generations) {
    Typed t(g);
    t.guest.set_surface(1, plain_2d("R32_UINT", 16, 1, 64));
    t.channels = 0x0F;
    Register header = zeros;
    header[7] = 0xFFFA;  // of the pixel mask, the low half is 0xFA
    ASSERT_EQ(t.run(typed_write, 1 | header_bit | red_only | mode_low, {header, ramp, zeros, Typed::filled(7)}),
              eu::Reply::done)
        << t.reason;
    for (uint32_t x = 0; x < 8; ++x)
      EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 4 * x), x == 1 || x == 3 ? 7u : 0u) << g.name << x;
    // The high group of sixteen channels: bits 15:8 of both masks.
    t.channels = 0x3000, t.exec_size = 16, header[7] = 0x20FF;
    t.run(typed_write, 1 | header_bit | red_only | mode_high, {header, ramp, zeros, Typed::filled(9)});
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 20), 9u);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 16), 0u);
    // A response keeps what other slots had.
    t.channels = 2, t.exec_size = 8;
    t.run(typed_read, 1 | red_only | mode_low, {ramp, zeros});
    EXPECT_EQ(t.response[0],
              (Register{0xDDDDDDDD, 7, 0xDDDDDDDD, 0xDDDDDDDD, 0xDDDDDDDD, 0xDDDDDDDD, 0xDDDDDDDD, 0xDDDDDDDD}));
  }
}

TEST(Typed, MSD1W_TS_converts_to_the_format) {
  const struct {
    const char* format;
    std::array<uint32_t, 4> texel;
    uint64_t stored;
  } cases[] = {
      {"R8G8B8A8_UNORM", {bits_of(1), bits_of(0.5f), bits_of(-1), bits_of(2)}, 0xFF0080FF},
      {"B8G8R8A8_UNORM", {bits_of(1), 0, 0, bits_of(1)}, 0xFFFF0000},
      {"R16G16B16A16_FLOAT", {bits_of(1), bits_of(2), bits_of(-1), 0}, 0x0000'BC00'4000'3C00},
      {"R8_SINT", {uint32_t(-200), 0, 0, 0}, 0x80},
      {"R10G10B10A2_UNORM", {bits_of(1), 0, 0, bits_of(1)}, 0xC00003FF},
      {"R16_UINT", {70000, 0, 0, 0}, 0xFFFF},
      {"R32G32_UINT", {1, 2, 3, 4}, 0x00000002'00000001},
  };
  for (const Generation& g : generations) {
    for (const auto& c : cases) {
      Typed t(g);
      t.guest.set_surface(5, plain_2d(c.format, 4, 4, 64));
      t.channels = 1;
      const std::vector<Register> data = {Typed::filled(c.texel[0]), Typed::filled(c.texel[1]),
                                          Typed::filled(c.texel[2]), Typed::filled(c.texel[3])};
      std::vector<Register> payload = {Typed::filled(2), Typed::filled(1)};
      // As one message, and split behind the first coordinate.
      payload.insert(payload.end(), data.begin(), data.end());
      ASSERT_EQ(t.run(typed_write, 5 | mode_low, payload), eu::Reply::done) << t.reason;
      const unsigned bytes = formats::find(c.format)->bytes();
      EXPECT_EQ(t.guest.view.load<uint64_t>(texture_base + 64 + 2 * bytes), c.stored) << g.name << " " << c.format;
      t.guest.view.store<uint64_t>(texture_base + 64 + 2 * bytes, 0);
      t.run(typed_write, 5 | mode_low, {payload[0]}, {payload.begin() + 1, payload.end()});
      EXPECT_EQ(t.guest.view.load<uint64_t>(texture_base + 64 + 2 * bytes), c.stored) << g.name << " " << c.format;
    }
  }
}

TEST(Typed, write_keeps_channels_that_are_not_sent_and_drops_what_is_outside) {
  for (const Generation& g : generations) {
    Typed t(g);
    t.guest.set_surface(1, plain_2d("R8G8B8A8_UINT", 4, 4, 16));
    t.guest.put<uint32_t>(texture_base, {0x04030201, 0x04030201});
    t.channels = 3;
    t.run(typed_write, 1 | (0xBu << 8) | mode_low, {{1, 4, 0, 0, 0, 0, 0, 0}, zeros, Typed::filled(9)});
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base), 0x04030201u);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 4), 0x04090201u) << g.name;
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 16), 0u);
  }
}

TEST(Typed, surfaces_of_every_type) {
  for (const Generation& g : generations) {
    SCOPED_TRACE(g.name);
    Typed t(g);
    const auto write = [&](const state::Surface& s, std::vector<Register> coordinates, uint32_t value) {
      t.guest.set_surface(1, s);
      t.channels = 1;
      coordinates.push_back(Typed::filled(value));
      ASSERT_EQ(t.run(typed_write, 1 | red_only | mode_low, coordinates), eu::Reply::done) << t.reason;
    };
    state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
    s.type = SurfaceType::one_d;
    write(s, {Typed::filled(3)}, 1);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 12), 1u);
    s.array = true, s.depth_less_1 = 3, s.qpitch_field = 4;  // 16 rows, or 16 texels of Gen9's single row
    write(s, {Typed::filled(3), Typed::filled(2)}, 2);
    const uint64_t row = g.ports.surface.rules.linear_1d_in_one_row ? 4 : 64;
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 32 * row + 12), 2u);
    s.type = SurfaceType::two_d;
    write(s, {Typed::filled(1), Typed::filled(2), Typed::filled(3)}, 3);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + (48 + 2) * 64 + 4), 3u);
    write(s, {Typed::filled(1), Typed::filled(2), Typed::filled(4)}, 30);  // no such layer
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + (64 + 2) * 64 + 4), 0u);
    s.type = SurfaceType::three_d, s.array = false;
    write(s, {Typed::filled(1), Typed::filled(2), Typed::filled(2)}, 4);
    const uint64_t rows = g.ports.surface.rules.volumes_are_arrays ? 32 : 16;
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + (rows + 2) * 64 + 4), 4u);
    s.type = SurfaceType::buffer, s.pitch_less_1 = 7, s.width_less_1 = 9, s.height_less_1 = 0, s.depth_less_1 = 0;
    write(s, {Typed::filled(9)}, 5);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 72), 5u);
    write(s, {Typed::filled(10)}, 6);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 80), 0u);
  }
}

struct AtomicCase {
  unsigned code;
  unsigned sources;
  uint32_t old, s0, s1, stored, returned;
};
constexpr AtomicCase atomic_cases[] = {
    {1, 1, 0xFF0, 0x3C, 0, 0x30, 0xFF0},
    {2, 1, 0xF00, 0x3C, 0, 0xF3C, 0xF00},
    {3, 1, 0xFF0, 0x3C, 0, 0xFCC, 0xFF0},
    {4, 1, 5, 6, 0, 6, 5},
    {5, 0, 5, 0, 0, 6, 5},
    {6, 0, 5, 0, 0, 4, 5},
    {7, 1, 5, 6, 0, 11, 5},
    {8, 1, 5, 6, 0, ~0u, 5},
    {9, 1, 5, 6, 0, 1, 5},
    {10, 1, ~0u, 3, 0, 3, ~0u},
    {11, 1, ~0u, 3, 0, ~0u, ~0u},
    {12, 1, ~0u, 3, 0, ~0u, ~0u},
    {13, 1, ~0u, 3, 0, 3, ~0u},
    {14, 2, 5, 5, 9, 9, 5},
    {14, 2, 5, 6, 9, 5, 5},
    {15, 0, 5, 0, 0, 4, 4},  // PREDEC returns what it stored
};

// The operations with so many sources, on texel (2, 1), by slot 2 of eight.
void atomics(unsigned sources, bool answers) {
  for (const Generation& g : generations)
    for (const AtomicCase& c : atomic_cases) {
      if (c.sources != sources) continue;
      Typed t(g);
      t.guest.set_surface(1, plain_2d("R32_UINT", 8, 8, 64));
      t.guest.put<uint32_t>(texture_base + 64 + 8, {c.old});
      t.channels = 4;
      std::vector<Register> payload = {ramp, Typed::filled(1)};
      if (c.sources > 0) payload.push_back(Typed::filled(c.s0));
      if (c.sources > 1) payload.push_back(Typed::filled(c.s1));
      ASSERT_EQ(t.run(typed_atomic, 1 | op(c.code) | (answers ? return_old : 0), payload), eu::Reply::done) << t.reason;
      EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 64 + 8), c.stored) << g.name << " " << c.code;
      EXPECT_EQ(t.response[0][2], answers ? c.returned : 0xDDDDDDDD) << g.name << " " << c.code;
      EXPECT_EQ(t.response[0][1], 0xDDDDDDDD);
    }
}
// Likewise in the SIMD4x2 form: slot 0 at (2, 1), slot 1 at (3, 4).
void atomic_pairs(unsigned sources, bool answers) {
  for (const Generation& g : generations)
    for (const AtomicCase& c : atomic_cases) {
      if (c.sources != sources) continue;
      Typed t(g);
      t.guest.set_surface(1, plain_2d("R32_UINT", 8, 8, 64));
      t.guest.put<uint32_t>(texture_base + 64 + 8, {c.old});
      t.guest.put<uint32_t>(texture_base + 4 * 64 + 12, {c.old});
      std::vector<Register> payload = {{2, 1, 0, 0, 3, 4, 0, 0}};
      if (c.sources > 0) payload.push_back({c.s0, c.s1, 0, 0, c.s0, c.s1, 0, 0});
      ASSERT_EQ(t.run(typed_atomic_4x2, 1 | op(c.code) | (answers ? return_old : 0), payload), eu::Reply::done)
          << t.reason;
      EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 64 + 8), c.stored) << g.name << " " << c.code;
      EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 4 * 64 + 12), c.stored) << g.name << " " << c.code;
      EXPECT_EQ(t.response[0][0], answers ? c.returned : 0xDDDDDDDD) << g.name << " " << c.code;
      EXPECT_EQ(t.response[0][4], answers ? c.returned : 0xDDDDDDDD) << g.name << " " << c.code;
    }
}
TEST(Typed, MSD1R_DWTAI1) { atomics(0, true); }
TEST(Typed, MSD1W_DWTAI1) { atomics(0, false); }
TEST(Typed, MSD1R_DWTAI2) { atomics(1, true); }
TEST(Typed, MSD1W_DWTAI2) { atomics(1, false); }
TEST(Typed, MSD1R_DWTAI3) { atomics(2, true); }
TEST(Typed, MSD1W_DWTAI3) { atomics(2, false); }
TEST(Typed, MSD1R_DWTAI1_4x2) { atomic_pairs(0, true); }
TEST(Typed, MSD1W_DWTAI1_4x2) { atomic_pairs(0, false); }
TEST(Typed, MSD1R_DWTAI2_4x2) { atomic_pairs(1, true); }
TEST(Typed, MSD1W_DWTAI2_4x2) { atomic_pairs(1, false); }
TEST(Typed, MSD1R_DWTAI3_4x2) { atomic_pairs(2, true); }
TEST(Typed, MSD1W_DWTAI3_4x2) { atomic_pairs(2, false); }

TEST(Typed, atomics_on_one_texel_count_every_slot_and_bounds_hold) {
  for (const Generation& g : generations) {
    Typed t(g);
    t.guest.set_surface(1, plain_2d("R32_SINT", 8, 8, 64));
    t.run(typed_atomic, 1 | op(7) | return_old, {zeros, zeros, ramp});
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base), 28u);
    EXPECT_EQ(t.response[0], (Register{0, 0, 1, 3, 6, 10, 15, 21}));  // in ascending order
    t.response[0] = Typed::filled(5);
    t.run(typed_atomic, 1 | op(5) | return_old, {Typed::filled(8), zeros});
    EXPECT_EQ(t.response[0], zeros);
    // The upper slot group.
    t.channels = 0xFF00, t.exec_size = 16;
    t.run(typed_atomic, 1 | op(5) | 1u << 12, {Typed::filled(7), Typed::filled(7)});
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 7 * 64 + 28), 8u) << g.name;
  }
}

TEST(Typed, atomics_of_several_host_threads_lose_nothing) {
  Guest guest(state::surface_gen9);
  guest.set_surface(1, plain_2d("R32_UINT", 8, 8, 64));
  constexpr int times = 20000;
  const auto work = [&] {
    Typed mine(generations[1]);
    memory::View view(guest.space.table());
    mine.guest.environment = guest.environment;
    mine.guest.environment.memory = &view;
    for (int n = 0; n < times; ++n) mine.run(typed_atomic, 1 | op(5), {zeros, zeros});
  };
  std::thread a(work), b(work);
  a.join(), b.join();
  EXPECT_EQ(guest.view.load<uint32_t>(texture_base), 2u * 8 * times);
}

TEST(Typed, simd4x2_forms) {
  for (const Generation& g : generations) {
    SCOPED_TRACE(g.name);
    Typed t(g);
    t.guest.set_surface(1, plain_2d("R8G8B8A8_UINT", 8, 8, 64));
    // Slot 0 at (1, 0), slot 1 at (2, 3).
    const Register at = {1, 0, 0, 0, 2, 3, 0, 0};
    ASSERT_EQ(t.run(typed_write, 1 | mode_4x2, {at, {1, 2, 3, 4, 5, 6, 7, 8}}), eu::Reply::done) << t.reason;
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 4), 0x04030201u);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 3 * 64 + 8), 0x08070605u);
    t.channels = 0xF3;
    t.run(typed_read, 1 | mode_4x2, {at});
    EXPECT_EQ(t.response[0], (Register{1, 2, 0xDDDDDDDD, 0xDDDDDDDD, 5, 6, 7, 8}));
    t.channels = 0xFF;
    t.guest.set_surface(1, plain_2d("R32_UINT", 8, 8, 64));
    t.run(typed_atomic_4x2, 1 | op(14) | return_old, {at, {0x04030201, 77, 0, 0, 1, 2, 0, 0}});
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 4), 77u);
    EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 3 * 64 + 8), 0x08070605u);
    EXPECT_EQ(t.response[0][0], 0x04030201u);
    EXPECT_EQ(t.response[0][4], 0x08070605u);
  }
}

TEST(Typed, bindless_surfaces) {
  Typed t(generations[1]);
  t.ex_desc = t.guest.set_surface(9, plain_2d("R32_UINT", 8, 8, 64));
  t.run(typed_write, 252 | red_only | mode_low, {ramp, zeros, ramp});
  EXPECT_EQ(t.guest.view.load<uint32_t>(texture_base + 20), 5u);
}

TEST(Typed, faults_have_names) {
  Typed t(generations[1]);
  t.guest.set_surface(1, plain_2d("P8_UNORM_PALETTE0", 8, 8, 64));
  EXPECT_EQ(t.run(typed_read, 1 | mode_low, {zeros, zeros}), eu::Reply::unsupported);
  EXPECT_NE(t.reason.find("P8_UNORM_PALETTE0"), std::string::npos) << t.reason;
  t.guest.set_surface(1, plain_2d("R9G9B9E5_SHAREDEXP", 8, 8, 64));
  EXPECT_EQ(t.run(typed_write, 1 | red_only | mode_low, {zeros, zeros, zeros}), eu::Reply::unsupported);
  t.guest.set_surface(1, plain_2d("R8_UINT", 8, 8, 64));
  EXPECT_EQ(t.run(typed_atomic, 1 | op(5), {zeros, zeros}), eu::Reply::unsupported);
  EXPECT_EQ(t.run(typed_atomic, 1 | op(0), {zeros, zeros, zeros, zeros}), eu::Reply::unsupported);
  EXPECT_EQ(t.run(typed_read, 1 | 3u << 12, {zeros, zeros}), eu::Reply::unsupported);
  EXPECT_EQ(t.run(typed_read, 1 | mode_low, {}), eu::Reply::faulted);
  EXPECT_EQ(t.run(typed_write, 1 | mode_low, {zeros, zeros}), eu::Reply::faulted);
}

TEST(Typed, unmapped_texels_read_as_zero_and_are_counted) {
  for (const Generation& g : generations) {
    Typed t(g);
    state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
    s.base = 0x10000000;
    t.guest.set_surface(1, s);
    EXPECT_EQ(t.run(typed_read, 1 | red_only | mode_low, {zeros, zeros}), eu::Reply::done);
    EXPECT_EQ(t.response[0], zeros);
    EXPECT_EQ(t.run(typed_write, 1 | red_only | mode_low, {zeros, zeros, ramp}), eu::Reply::done);
    EXPECT_EQ(t.run(typed_atomic, 1 | op(5) | return_old, {zeros, zeros}), eu::Reply::done);
    EXPECT_GT(t.guest.view.misses().reads, 0u);
    EXPECT_GT(t.guest.view.misses().writes, 0u);
  }
}

}  // namespace
}  // namespace vitro::shared
