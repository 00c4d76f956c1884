// Every format by its use: fetched from a vertex buffer, sampled, drawn to, as depth. What arrives is compared with the
// format's own conversion, which formats_test compares with other references. PRM: Gen8 vol 2d SURFACE_FORMAT.
#include "base/random.h"
#include "bench_test.h"

namespace vitro::drawing {
namespace {

using formats::Format, formats::Numeric;

std::string_view whole_target(const Format& f) {
  return f.numeric == Numeric::uints   ? "R32G32B32A32_UINT"
         : f.numeric == Numeric::sints ? "R32G32B32A32_SINT"
                                       : "R32G32B32A32_FLOAT";
}
std::array<uint32_t, 4> pixel(const Drawing& d, const Drawn& drawn, uint32_t x = 16, uint32_t y = 16) {
  return drawn.get<std::array<uint32_t, 4>>(texel_at(d, x, y));
}
template <class T>
std::vector<std::byte> bytes_of(const T& v) {
  std::vector<std::byte> out(sizeof v);
  std::memcpy(out.data(), &v, sizeof v);
  return out;
}
bool finite(const formats::Rgba& v) {
  for (const uint32_t c : v)
    if (const float f = std::bit_cast<float>(c); !(std::abs(f) < 1e30f) || (f != 0 && std::abs(f) < 1e-30f))
      return false;
  return true;
}

TEST(Drawing, VertexFormats) {
  Rng rng(3);
  for (const Generation& g : generations)
    for (const Format& f : formats::all()) {
      if (!(f.uses.vertex & g.bit)) continue;
      SCOPED_TRACE(fmt::format("{} {}", g.name, f.name));
      promise("vertex formats", g, f.name);
      Drawing d{.device = g.device,
                .places = roomy,
                .raw_attributes = std::vector<std::byte>(f.bytes()),
                .attribute_format = f.name,
                .shade = Shade::flat,
                .target_format = "R32G32B32A32_UINT"};
      for (int round = 0; round < 3; ++round) {
        for (std::byte& b : d.raw_attributes) b = std::byte(rng());
        std::array<uint32_t, 8> expected{};
        formats::decode_dwords(f, d.raw_attributes.data(), expected);
        const Drawn drawn = draw(d);
        ASSERT_EQ(text(drawn.fault), "");
        for (size_t c = 0; c < 4; ++c) EXPECT_EQ(pixel(d, drawn)[c], expected[c]) << c;
      }
      if (!testing::Test::HasFailure()) record("vertex formats", g, f.name);
    }
}

TEST(Drawing, TextureFormats) {
  Rng rng(5);
  for (const Generation& g : generations)
    for (const Format& f : formats::all()) {
      if (!(f.uses.sampled & g.bit)) continue;
      SCOPED_TRACE(fmt::format("{} {}", g.name, f.name));
      promise("texture formats", g, f.name, f.decode != nullptr);
      Drawing d{.device = g.device,
                .places = roomy,
                .attribute_format = "R32G32B32A32_FLOAT",
                .shade = Shade::flat,
                .target_format = whole_target(f),
                .texture_format = f.name,
                .texture_linear = !std::has_single_bit(f.bytes()),
                .texture_edge = 64};
      // as the textured kernel, with coordinates that are the same everywhere
      Drawing flat = d;
      flat.shade = Shade::textured;
      d.kernel = pixel_kernel(flat);
      for (const char* c : {"pln (16|M0) r60.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f\n",
                            "pln (16|M0) r62.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"})
        d.kernel.erase(d.kernel.find(c), std::strlen(c));
      d.kernel = "mov (16|M0) r60.0<1>:ud r6.3<0;1,0>:ud\nmov (16|M0) r62.0<1>:ud r6.7<0;1,0>:ud\n" + d.kernel;
      for (int round = 0; round < 2; ++round) {
        const uint32_t x = rng() % 64, y = rng() % 64;
        const Vector place{(float(x) + .5f) / 64, (float(y) + .5f) / 64, 0, 0};
        d.raw_attributes = bytes_of(place);
        std::vector<std::byte> block(f.bytes());
        formats::Rgba expected{};
        do {
          for (std::byte& b : block) b = std::byte(rng());
          if (f.decode) f.decode(block.data(), x % f.block_width, y % f.block_height, expected);
        } while (f.decode && !f.integer() && !finite(expected));
        const Drawn drawn = draw(d, [&](std::vector<std::byte>& memory) {
          for (size_t at = d.places.texture; at + block.size() <= memory.size(); at += block.size())
            std::copy(block.begin(), block.end(), memory.begin() + ptrdiff_t(at));
        });
        if (!f.decode) {
          ASSERT_TRUE(drawn.fault);
          EXPECT_TRUE(drawn.fault->reason.find("unsupported") != std::string::npos) << drawn.fault->reason;
          continue;
        }
        ASSERT_EQ(text(drawn.fault), "");
        for (size_t c = 0; c < 4; ++c) EXPECT_EQ(pixel(d, drawn)[c], expected[c]) << c;
      }
      if (!testing::Test::HasFailure()) record("texture formats", g, f.name, f.decode != nullptr);
    }
}

TEST(Drawing, TargetFormats) {
  for (const Generation& g : generations)
    for (const Format& f : formats::all()) {
      if (!(f.uses.target & g.bit)) continue;
      SCOPED_TRACE(fmt::format("{} {}", g.name, f.name));
      promise("target formats", g, f.name, f.encode != nullptr);
      const Vector colour{.25f, .5f, .75f, 1};
      const std::array<uint32_t, 4> numbers{1, 2, 3, 1};
      Drawing d{.device = g.device,
                .places = roomy,
                .raw_attributes = f.integer() ? bytes_of(numbers) : bytes_of(colour),
                .attribute_format = f.integer() ? "R32G32B32A32_UINT" : "R32G32B32A32_FLOAT",
                .shade = Shade::flat,
                .target_format = f.name};
      formats::Rgba value{};
      std::memcpy(value.data(), d.raw_attributes.data(), 16);
      std::vector<std::byte> expected(f.bytes());
      const Drawn drawn = draw(d);
      if (!f.encode) {
        ASSERT_TRUE(drawn.fault);
        EXPECT_NE(drawn.fault->reason.find("unsupported"), std::string::npos) << drawn.fault->reason;
        record("target formats", g, f.name, false);
        continue;
      }
      f.encode(expected.data(), value);
      ASSERT_EQ(text(drawn.fault), "");
      for (const uint32_t at : {0u, 13u, 31u}) {
        const std::byte* texel = drawn.memory.data() + texel_at(d, at, 31 - at);
        EXPECT_EQ(std::vector<std::byte>(texel, texel + f.bytes()), expected);
      }
      if (!testing::Test::HasFailure()) record("target formats", g, f.name);
    }
}

// Cleared to 0.75, then a triangle at 0.5 over the left half, and one at 0.9 that is hidden.
TEST(Drawing, DepthFormats) {
  struct Case {
    uint8_t code;
    const char* name;
    unsigned bytes;
    uint32_t near, far;
  };
  const Case cases[] = {{1, "D32_FLOAT", 4, 0x3F000000, 0x3F400000},
                        {3, "D24_UNORM_X8_UINT", 4, 0x800000, 0xBFFFFF},
                        {5, "D16_UNORM", 2, 0x8000, 0xBFFF}};
  for (const Generation& g : generations)
    for (const Case& c : cases) {
      SCOPED_TRACE(fmt::format("{} {}", g.name, c.name));
      promise("depth formats", g, c.name);
      promise("depth formats", g, "R8_UINT (stencil)");
      Drawing d{.device = g.device,
                .places = roomy,
                .positions = {{-1, -3, .5f, 1},
                              {0, -3, .5f, 1},
                              {0, 5, .5f, 1},
                              {-1, -3, .5f, 1},
                              {0, 5, .5f, 1},
                              {-1, 5, .5f, 1},
                              {-1, -1, .9f, 1},
                              {3, -1, .9f, 1},
                              {-1, 3, .9f, 1}},
                .depth_format = c.code,
                .stencil = true,
                .clears = true};
      const Drawn drawn = draw(d);
      ASSERT_EQ(text(drawn.fault), "");
      for (uint32_t y = 0; y < edge; y += 5)
        for (uint32_t x = 0; x < edge; ++x) {
          const uint64_t at = d.places.depth + memory::tiled_offset(memory::Tiling::y, x * c.bytes, y, 128);
          const uint32_t stored = c.bytes == 2 ? drawn.get<uint16_t>(at) : drawn.get(at);
          const uint32_t expected = x < 16 ? c.near : c.far;
          EXPECT_LE(std::max(stored, expected) - std::min(stored, expected), 1u) << x << " " << y << " " << stored;
          const uint64_t stencil_at = d.places.stencil + memory::tiled_offset(memory::Tiling::w, x, y, 64);
          EXPECT_EQ(drawn.get<uint8_t>(stencil_at), x < 16 ? 0x5A : 0x33) << x << " " << y;
        }
      if (testing::Test::HasFailure()) continue;
      record("depth formats", g, c.name);
      record("depth formats", g, "R8_UINT (stencil)");
    }
}

// An edge goes through a pixel at sixteen places; each sample is on its side.
TEST(Drawing, SampleCounts) {
  const std::array<std::vector<uint8_t>, 5> places{
      {{0x88},
       {0xCC, 0x44},
       {0x62, 0xE6, 0x2A, 0xAE},
       {0x95, 0x3B, 0x5D, 0x5B, 0x93, 0x1B, 0xD5, 0x7F},
       {0x99, 0x75, 0x5A, 0xC7, 0x36, 0xAD, 0xDB, 0xB3, 0x6E, 0x81, 0x42, 0x2C, 0x02, 0xFE, 0xE0, 0x10}}};
  for (const Generation& g : generations)
    for (uint32_t log2 = 0; log2 <= (g.bit == 2 ? 3u : 4u); ++log2) {
      const unsigned samples = 1u << log2;
      SCOPED_TRACE(fmt::format("{} {}", g.name, samples));
      promise("sample counts", g, std::to_string(samples));
      std::set<uint8_t> seen;
      for (uint32_t k = 0; k < 16; ++k) {
        const float x = (10 + (float(k) + .5f) / 16) / 16 - 1;  // of the edge
        Drawing d{.device = g.device,
                  .places = roomy,
                  .positions = {{x, -1, .5f, 1}, {x + 8, -1, .5f, 1}, {x, 7, .5f, 1}},
                  .attributes = {{1, 1, 1, 1}},
                  .samples = samples};
        const Drawn drawn = draw(d);
        ASSERT_EQ(text(drawn.fault), "");
        for (uint32_t s = 0; s < samples; ++s) {
          const bool inside = (places[log2][s] >> 4) > k;
          EXPECT_EQ(drawn.get(texel_at(d, 10, 20, s)), inside ? 0xFFFFFFFF : 0u) << "edge " << k << " sample " << s;
          if (inside) seen.insert(uint8_t(s));
          EXPECT_EQ(drawn.get(texel_at(d, 9, 20, s)), 0u);
          EXPECT_EQ(drawn.get(texel_at(d, 11, 20, s)), 0xFFFFFFFF);
        }
      }
      if (!testing::Test::HasFailure()) record("sample counts", g, std::to_string(samples));
    }
}

}  // namespace
}  // namespace vitro::drawing
