// Messages that see a surface as rows: media blocks in linear and tiled surfaces, at edges and by fields; transposed
// reads, surface information, and Gen6's streamed vertex buffer writes. Named after the MSD of the document, where it
// has one.
#include "memory/tiling.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint16_t r8_unorm = 0x140, r32_uint = 0x0D7, r32g32b32a32_float = 0, r32g32_float = 0x085;
constexpr uint32_t surface_at = 0x1000;

std::array<uint32_t, 8> block_at(int x, int y, uint32_t width, uint32_t height) {
  return {uint32_t(x), uint32_t(y), (height - 1) << 16 | (width - 1)};
}

struct Picture {
  uint32_t width_dw = 20, height = 12, pitch = 128;
  uint16_t format = r8_unorm;
  memory::Tiling tiling = memory::Tiling::linear;

  state::Surface surface(const Bench& b) const {
    state::Surface s;
    s.type = state::SurfaceType::two_d;
    s.format = format;
    s.base = home + surface_at;
    s.width_less_1 = width_dw - 1, s.height_less_1 = height - 1, s.pitch_less_1 = pitch - 1;
    s.tile_mode = uint8_t(tiling);  // Gen8, Gen9
    s.tiled = !b.layout.surface.rules.has_qpitch && tiling != memory::Tiling::linear;
    s.tile_walk_y = tiling == memory::Tiling::y;
    return s;
  }
  uint32_t at(uint32_t x, uint32_t y) const { return surface_at + uint32_t(memory::tiled_offset(tiling, x, y, pitch)); }
};
uint8_t out_byte(const Bench& b, uint32_t n) { return uint8_t(b.response[n / 4] >> n % 4 * 8); }

void media_read(Bench& b, Sfid sfid, uint32_t desc) {
  for (const Picture& p : {Picture{}, Picture{.pitch = 512, .tiling = memory::Tiling::x},
                           Picture{.height = 40, .tiling = memory::Tiling::y}}) {
    b.bind(1, p.surface(b));
    for (const auto& [width, height] :
         std::vector<std::pair<uint32_t, uint32_t>>{{4, 8}, {1, 3}, {8, 8}, {13, 9}, {32, 8}, {64, 4}}) {
      SCOPED_TRACE(testing::Message() << width << 'x' << height);
      const uint32_t pitch = std::max(4u, std::bit_ceil(width)), registers = (pitch * height + 31) / 32;
      b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(7, 2, width, height)), registers);
      for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
          EXPECT_EQ(out_byte(b, y * pitch + x), b.get<uint8_t>(p.at(7 + x, 2 + y))) << x << ' ' << y;
    }
  }
  // At the edges, what stands there goes on: bytes of R8, dwords of R32.
  for (const uint16_t format : {r8_unorm, r32_uint}) {
    const Picture p{.format = format};
    const int unit = format == r8_unorm ? 1 : 4, row = 80;
    b.bind(1, p.surface(b));
    for (const auto& [left, top] : {std::pair{-6, -3}, {70, 8}, {200, 100}, {-100, -100}}) {
      b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(left, top, 16, 8)), 4);
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 16; ++x) {
          int sx = left + x;
          if (sx < 0) sx = (sx % unit + unit) % unit;
          if (sx >= row) sx = row - unit + sx % unit;
          const int sy = std::clamp(top + y, 0, 11);
          EXPECT_EQ(out_byte(b, uint32_t(y * 16 + x)), b.get<uint8_t>(p.at(uint32_t(sx), uint32_t(sy))))
              << x << ' ' << y;
        }
    }
  }
  // Fields: 6 is the top one, 7 the bottom one.
  const Picture p;
  b.bind(1, p.surface(b));
  for (uint32_t field : {6u, 7u}) {
    b.ok(sfid, desc | field << 8 | header_present | 1, Payload{}.header(block_at(0, 1, 16, 8)), 4);
    for (uint32_t y = 0; y < 8; ++y)
      EXPECT_EQ(out_byte(b, y * 16 + 5), b.get<uint8_t>(p.at(5, std::min(1 + y, 5u) * 2 + (field & 1)))) << y;
  }
  // The surface may say so itself; then the height is the field's, and the descriptor may override it.
  state::Surface s = p.surface(b);
  s.vertical_line_stride = s.vertical_line_stride_offset = true;
  b.bind(1, s);
  b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(0, 0, 4, 8)), 1);
  for (uint32_t y = 0; y < 8; ++y) EXPECT_EQ(b.response[y], b.get(p.at(0, 2 * y + 1)));
  b.ok(sfid, desc | 4 << 8 | header_present | 1, Payload{}.header(block_at(0, 0, 4, 8)), 1);
  for (uint32_t y = 0; y < 8; ++y) EXPECT_EQ(b.response[y], b.get(p.at(0, y)));
  s.type = state::SurfaceType::null;
  b.bind(1, s);
  b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(0, 0, 4, 8)), 1);
  EXPECT_EQ(b.response[3], 0u);
  EXPECT_EQ(b.send(sfid, desc | header_present | 1, Payload{}.header(block_at(0, 0, 64, 64)), 16),
            eu::Reply::unsupported);
}
TEST(DataPort, MSD1R_MB) {
  on({&dataport_gen6}, [](Bench& b) {
    for (Sfid sfid : {sampler_cache, render_cache, constant_cache}) media_read(b, sfid, type4(4));
    // These two have types of three bits: what stands above them is ignored.
    for (uint32_t above = 1; above < 8; ++above)
      for (Sfid sfid : {sampler_cache, constant_cache}) media_read(b, sfid, type4(4) | above << 16);
  });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { media_read(b, dc1, type5(4)); });
}
TEST(DataPort, SamplerCacheMediaBlockRead) {
  on({&dataport_gen8}, [](Bench& b) { media_read(b, sampler_cache, type5(4)); });
  on({&dataport_gen9}, [](Bench& b) { media_read(b, constant_cache, type5(5)); });
}

void media_write(Bench& b, Sfid sfid, uint32_t desc) {
  for (const Picture& p : {Picture{}, Picture{.pitch = 512, .tiling = memory::Tiling::x},
                           Picture{.height = 40, .tiling = memory::Tiling::y}}) {
    b.bind(1, p.surface(b));
    Bench before(b.layout);
    before.host = b.host;
    // partly outside: what is outside is dropped
    std::vector<uint32_t> data;
    for (uint32_t i = 0; i < 32; ++i) data.push_back(0xF0E0D0C0 + i);
    b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(-3, -2, 16, 8)).dwords(data));
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 20; ++x) {
        const uint32_t n = (y + 2) * 16 + x + 3;
        const bool written = x < 13 && y < 6;
        EXPECT_EQ(b.get<uint8_t>(p.at(x, y)),
                  written ? uint8_t(data[n / 4] >> n % 4 * 8) : before.get<uint8_t>(p.at(x, y)))
            << x << ' ' << y;
      }
    b.ok(sfid, desc | header_present | 1, Payload{}.header(block_at(78, int(p.height) - 1, 4, 2)).dwords({1, 2}));
    EXPECT_EQ(b.get<uint16_t>(p.at(78, p.height - 1)), 1u);
    if (p.tiling == memory::Tiling::linear) {
      EXPECT_EQ(b.get(p.at(80, p.height - 1)), before.get(p.at(80, p.height - 1)));
    }
  }
  const Picture p;
  b.bind(1, p.surface(b));
  b.ok(sfid, desc | 7 << 8 | header_present | 1, Payload{}.header(block_at(8, 2, 4, 2)).dwords({77, 78}));
  EXPECT_EQ(b.get(p.at(8, 5)), 77u);
  EXPECT_EQ(b.get(p.at(8, 7)), 78u);
}
TEST(DataPort, MSD1W_MB) {
  on({&dataport_gen6}, [](Bench& b) { media_write(b, render_cache, type4(10)); });
  on({&dataport_gen8, &dataport_gen9}, [](Bench& b) { media_write(b, dc1, type5(0xA)); });
}

TEST(DataPort, MSD1R_TT) {
  on({&dataport_gen8}, [](Bench& b) {
    const Picture p{.format = r32_uint};
    b.bind(1, p.surface(b));
    b.ok(dc1, type5(0) | header_present | 1, Payload{}.header(block_at(8, 3, 16, 8)), 4);
    for (uint32_t column = 0; column < 4; ++column)
      for (uint32_t row = 0; row < 8; ++row) EXPECT_EQ(b.out(column, row), b.get(p.at(8 + 4 * column, 3 + row)));
  });
  Bench b(dataport_gen9);
  EXPECT_EQ(b.send(dc1, type5(0) | header_present | 1, Payload{}.header({}), 4), eu::Reply::unsupported);
}

TEST(DataPort, ReadSurfaceInfo) {
  const auto info = [](Bench& b, Sfid sfid, uint32_t desc) {
    state::Surface s = Picture{.width_dw = 33, .height = 17, .pitch = 256}.surface(b);
    s.mip_count = 4;
    b.bind(1, s);
    b.ok(sfid, desc | header_present | 1, Payload{}.header({}), 1);
    EXPECT_EQ(b.out(0, 0), 33u);
    EXPECT_EQ(b.out(0, 1), 17u);
    EXPECT_EQ(b.out(0, 2), 0u);
    EXPECT_EQ(b.out(0, 3), 5u);
    b.bind_buffer(1, 0, 1000);
    b.ok(sfid, desc | header_present | 1, Payload{}.header({}), 1);
    EXPECT_EQ(b.out(0, 0), 1000u);
    s.type = state::SurfaceType::null;
    b.bind(1, s);
    b.ok(sfid, desc | header_present | 1, Payload{}.header({}), 1);
    EXPECT_EQ(b.out(0, 0), 0u);
  };
  on({&dataport_gen8}, [&](Bench& b) { info(b, sampler_cache, type5(0)); });
  on({&dataport_gen9}, [&](Bench& b) { info(b, constant_cache, type5(6)); });
}

TEST(DataPort, StreamedVertexBufferWrite) {
  on({&dataport_gen6}, [](Bench& b) {
    const Bench before(b.layout);
    state::Surface s = b.buffer(0x100, 24 * 10, 24);
    s.format = r32g32b32a32_float;
    b.bind(2, s);
    b.ok(render_cache, type4(13) | header_present | 2, Payload{}.header({1, 2, 3, 4, 0, 5}));
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(b.get(0x100 + 24 * 5 + 4 * k), 1 + k);
    EXPECT_EQ(b.get(0x100 + 24 * 5 + 16), before.get(0x100 + 24 * 5 + 16));
    s.format = r32g32_float;
    b.bind(2, s);
    b.ok(render_cache, type4(13) | header_present | 2, Payload{}.header({1, 2, 3, 4, 0, 7}));
    EXPECT_EQ(b.get(0x100 + 24 * 7 + 4), 2u);
    EXPECT_EQ(b.get(0x100 + 24 * 7 + 8), before.get(0x100 + 24 * 7 + 8));
    b.ok(render_cache, type4(13) | header_present | 2, Payload{}.header({1, 2, 3, 4, 0, 10}));  // behind the last
    EXPECT_EQ(b.get(0x100 + 240), before.get(0x100 + 240));
  });
}

}  // namespace
}  // namespace vitro::shared::test
