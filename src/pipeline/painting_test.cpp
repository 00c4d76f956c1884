// Draws that copy or fill, and draws that nearly do: what is painted without threads is compared with what these write,
// byte for byte.
#include "pipeline/painting.h"

#include <random>

#include "pipeline/pixel_bench_test.h"
#include "pipeline/setup.h"

namespace vitro::pipeline {
namespace {

using memory::Tiling;
using pixel_test::Bench, pixel_test::home, pixel_test::target_at;

constexpr uint32_t source_at = 0x200000;

// A kernel of sixteen lanes: places as dwords in r31 and r33, the slice in r35, the texel to r112, which is written.
const std::string places =
    "(W) add (32|M0) r10.0<1>:uw r1.4<1;4,0>:uw 0x11001010:v\n"
    "mov (16|M0) r2.0<1>:f r10.0<8;4,1>:uw\n"
    "mov (16|M0) r4.0<1>:f r10.4<8;4,1>:uw\n";
const std::string transform =
    "mad (16|M0) r15.0<1>:f r6.7<0;0>.xxxx:f r6.3<0;0>.xxxx:f r2.0<1>:f\n"
    "mad (16|M0) r17.0<1>:f r7.7<0;0>.xxxx:f r7.3<0;0>.xxxx:f r4.0<1>:f\n"
    "mov (16|M0) r31.0<1>:d r15.0<8;8,1>:f\n"
    "mov (16|M0) r33.0<1>:d r17.0<8;8,1>:f\n"
    "mov (16|M0) r35.0<1>:d r9.3<0;1,0>:f\n";
const std::string load = "send (16|M0) r112:uw r31 0x2 0x0C85A001\n";
const std::string write = "sendc (16|M0) null:uw r112 0x25 0x10031000 {EOT}\n";

struct Code {
  const char* name;
  std::string text;
  bool paints;
};
const Code codes[] = {
    {"as drivers do", places + transform + load + write, true},
    {"rounded on the way", places + "rndz (16|M0) r2.0<1>:f r2.0<8;8,1>:f\n" + transform + load + write, true},
    {"by products and sums",
     places +
         "mul (16|M0) r15.0<1>:f r2.0<8;8,1>:f r6.3<0;1,0>:f\n"
         "add (16|M0) r15.0<1>:f r15.0<8;8,1>:f r6.7<0;1,0>:f\n"
         "mul (16|M0) r17.0<1>:f r4.0<8;8,1>:f r7.3<0;1,0>:f\n"
         "add (16|M0) r17.0<1>:f r17.0<8;8,1>:f r7.7<0;1,0>:f\n"
         "mov (16|M0) r31.0<1>:d r15.0<8;8,1>:f\n"
         "mov (16|M0) r33.0<1>:d r17.0<8;8,1>:f\n"
         "mov (16|M0) r35.0<1>:d 0:d\n" +
         load + write,
     true},
    {"of integers",
     "(W) add (32|M0) r10.0<1>:uw r1.4<1;4,0>:uw 0x11001010:v\n"
     "mov (16|M0) r31.0<1>:d r10.0<8;4,1>:uw\n"
     "add (16|M0) r33.0<1>:d r10.4<8;4,1>:uw 3:w\n"
     "mov (16|M0) r35.0<1>:d 0:d\n" +
         load + write,
     true},
    {"moves texels",
     places + transform +
         "send (16|M0) r40:uw r31 0x2 0x0C85A001\n"
         "mov (16|M0) r112.0<1>:ud r40.0<8;8,1>:ud\n"
         "mov (16|M0) r114.0<1>:d r42.0<8;8,1>:d\n"
         "mov (16|M0) r116.0<1>:ud r44.0<8;8,1>:ud\n"
         "mov (16|M0) r118.0<1>:ud r46.0<8;8,1>:ud\n" +
         write,
     true},
    {"exchanges channels",
     places + transform +
         "send (16|M0) r40:uw r31 0x2 0x0C85A001\n"
         "mov (16|M0) r112.0<1>:ud r44.0<8;8,1>:ud\n"
         "mov (16|M0) r114.0<1>:ud r42.0<8;8,1>:ud\n"
         "mov (16|M0) r116.0<1>:ud r40.0<8;8,1>:ud\n"
         "mov (16|M0) r118.0<1>:ud r46.0<8;8,1>:ud\n" +
         write,
     false},
    {"changes texels", places + transform + load + "add (16|M0) r112.0<1>:ud r112.0<8;8,1>:ud 1:ud\n" + write, false},
    {"changes one", places + transform + load + "(W) mov (1|M0) r112.3<1>:ud 0:ud\n" + write, false},
    {"x is y", places + "mov (16|M0) r2.0<1>:f r4.0<8;8,1>:f\n" + transform + load + write, false},
    // Right for whole blocks, but not for all threads.
    {"asks another subspan",
     "(W) mov (8|M0) r20.0<1>:w 0x32321010:v\n"
     "(W) mov (8|M0) r20.8<1>:w 0x32321010:v\n"
     "(W) add (32|M0) r10.0<1>:uw r1.4<1;4,0>:uw 0x11001010:v\n"
     "add (16|M0) r31.0<1>:d r1.4<0;1,0>:uw r20.0<16;16,1>:w\n"
     "mov (16|M0) r33.0<1>:d r10.4<8;4,1>:uw\n"
     "mov (16|M0) r35.0<1>:d 0:d\n" +
         load + write,
     false},
    {"depends on a place",
     places + transform +
         "cmp (16|M0) (gt)f0.0 null:d r31.0<8;8,1>:d 20:w\n"
         "(f0.0) mov (16|M0) r31.0<1>:d 0:d\n" +
         load + write,
     false},
};

struct Case {
  std::string_view format = "R8G8B8A8_UINT";
  Tiling from = Tiling::linear, to = Tiling::y;
  float scale = 1, offset_x = .5f, offset_y = .5f;
  Rectangle pixels{0, 0, 128, 96};
  uint32_t width = 160, height = 128;  // of both
  uint32_t source = source_at;
  bool planes = false;  // attributes are interpolated...
  float slope = 0;      // ...between this and what else they would be
};

state::Surface surface_of(const Case& c, Tiling tiling, uint32_t at) {
  state::Surface s = Bench::target(c.format, c.width, c.height, 1);
  const uint32_t bytes = c.width * formats::find(c.format)->bytes();
  s.pitch_less_1 = (bytes + 511) / 512 * 512 - 1;
  s.base = home + at;
  s.tile_mode = tiling == Tiling::linear ? 0 : tiling == Tiling::w ? 1 : tiling == Tiling::x ? 2 : 3;
  return s;
}

struct Outcome {
  bool painted = false;
  std::vector<std::byte> memory{};
  PixelCounters counters{};
};
Outcome run(const Code& code, const Case& c, bool paints) {
  Bench b;
  std::mt19937 chance(7);
  for (size_t at = target_at; at < b.ram.size(); at += 4) {
    const auto v = uint32_t(chance());
    std::memcpy(&b.ram[at], &v, 4);
  }
  b.bind(0, surface_of(c, c.to, target_at));
  b.bind(1, surface_of(c, c.from, c.source));
  commands::three_d::Sbe& sbe = b.draw.state.sbe;
  sbe.number_of_sf_output_attributes = 2, sbe.constant_interpolation_enable = 3;
  sbe.force_vertex_urb_entry_read_offset = sbe.force_vertex_urb_entry_read_length = true;
  sbe.vertex_urb_entry_read_offset = 1, sbe.vertex_urb_entry_read_length = 1;
  const float values[] = {c.scale, c.offset_x, c.scale, c.offset_y};
  for (auto& vue : b.vues)
    for (size_t n = 0; n < 4; ++n) vue[2][n] = std::bit_cast<uint32_t>(values[n]), vue[3][n] = 0;
  if (c.planes) {
    sbe.constant_interpolation_enable = 0;
    b.draw.state.wm.barycentric_interpolation_mode = 1;
    b.primitive.l1 = {.25f, .125f, 3}, b.primitive.l2 = {-.5f, 1, -7};
    for (auto& value : b.vues[1][2]) value = std::bit_cast<uint32_t>(std::bit_cast<float>(value) + c.slope);
  }
  b.draw.ps_grf_start.fill(6);
  b.use(1, code.text);
  Outcome out;
  PixelBackEnd back(Bench::options(), 0);
  EXPECT_FALSE(back.begin(b.draw));
  const Rectangle& r = c.pixels;
  const Tests tests;
  const RasterPrimitive primitive{.primitive = b.primitive, .tests = &tests, .bounds = r};
  MaybeFault fault;
  for (int y = r.y0 & ~63; y < r.y1; y += bin_px)
    for (int x = r.x0 & ~63; x < r.x1; x += bin_px) {
      if (paints && back.paint(primitive, {x, y, x + bin_px, y + bin_px}, fault)) {
        out.painted = true;
        continue;
      }
      for (int n = 0; n < bin_px * bin_px / block_pixels; ++n) {
        const int bx = x + n % 16 * 4, by = y + n / 16 * 4;
        uint16_t mask = 0;
        for (int k = 0; k < block_pixels; ++k) {
          const int px = bx + block_x(k), py = by + block_y(k);
          if (px >= r.x0 && px < r.x1 && py >= r.y0 && py < r.y1) mask |= uint16_t(1u << k);
        }
        Block block = b.block(uint16_t(bx), uint16_t(by), mask);
        block.primitive = &primitive.primitive;
        EXPECT_FALSE(mask && back.blocks({&block, 1}));
      }
    }
  EXPECT_FALSE(fault);
  EXPECT_FALSE(back.end());
  out.counters = back.take_counters();
  out.memory = std::move(b.ram);
  return out;
}
void compare(const Code& code, const Case& c, bool paints) {
  const Outcome moved = run(code, c, true), drawn = run(code, c, false);
  EXPECT_FALSE(drawn.painted);
  EXPECT_EQ(moved.painted, paints) << code.name << ' ' << c.format;
  EXPECT_TRUE(moved.memory == drawn.memory) << code.name << ' ' << c.format;
  EXPECT_EQ(moved.counters.pixels, drawn.counters.pixels);
  EXPECT_EQ(moved.counters.statistics.ps_invocations, drawn.counters.statistics.ps_invocations);
  EXPECT_EQ(moved.counters.statistics.ps_depth_count, drawn.counters.statistics.ps_depth_count);
  EXPECT_EQ(moved.counters.painted != 0, moved.painted);
}

TEST(Painting, KnowsCodeThatCopies) {
  for (const Code& code : codes) compare(code, {}, code.paints);
}

// Four numbers of attribute 0 as the colour.
const std::string write_uniform = "sendc (16|M0) null:uw r112 0x25 0x10031000 {EOT}\n";
const Code uniform_codes[] = {
    {"constants",
     "mov (16|M0) r112.0<1>:f r6.3<0;1,0>:f\n"
     "mov (16|M0) r114.0<1>:f r6.7<0;1,0>:f\n"
     "mov (16|M0) r116.0<1>:f r7.3<0;1,0>:f\n"
     "mul (16|M0) r118.0<1>:f r7.7<0;1,0>:f r6.3<0;1,0>:f\n" +
         write_uniform,
     true},
    {"replicated",
     "(W) mov (4|M0) r112.0<1>:ud r6.3<8;2,4>:ud\n"
     "sendc (16|M0) null:uw r112 0x25 0x02031100 {EOT}\n",
     true},
    {"by lanes",
     "(W) mov (8|M0) r20.0<1>:f 0x30:vf\n"
     "(W) mov (8|M0) r21.0<1>:f 0x30:vf\n"
     "mov (16|M0) r112.0<1>:f r20.0<8;8,1>:f\n"
     "mov (16|M0) r114.0<1>:f r6.7<0;1,0>:f\n"
     "mov (16|M0) r116.0<1>:f r7.3<0;1,0>:f\n"
     "mov (16|M0) r118.0<1>:f r7.7<0;1,0>:f\n" +
         write_uniform,
     false},
    {"by places",
     places +
         "mov (16|M0) r112.0<1>:f r2.0<8;8,1>:f\n"
         "mov (16|M0) r114.0<1>:f r2.0<8;8,1>:f\n"
         "mov (16|M0) r116.0<1>:f r2.0<8;8,1>:f\n"
         "mov (16|M0) r118.0<1>:f r2.0<8;8,1>:f\n" +
         write_uniform,
     false},
};
const Code plane_code{"planes",
                      "pln (16|M0) r112.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f\n"
                      "pln (16|M0) r114.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f\n"
                      "pln (16|M0) r116.0<1>:f r7.0<0;1,0>:f r2.0<8;8,1>:f\n"
                      "pln (16|M0) r118.0<1>:f r7.4<0;1,0>:f r2.0<8;8,1>:f\n" +
                          write_uniform,
                      true};

TEST(Painting, OneColourForAll) {
  constexpr std::string_view formats[] = {"R8G8B8A8_UNORM", "R8_UNORM",  "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT",
                                          "R8G8B8A8_SNORM", "R32_FLOAT", "B8G8R8X8_UNORM"};
  for (const std::string_view format : formats)
    for (const Tiling to : {Tiling::linear, Tiling::x, Tiling::y}) {
      Case c{.format = format, .to = to, .scale = .75f, .offset_x = .3f, .offset_y = -2, .pixels = {7, 5, 133, 66}};
      for (const Code& code : uniform_codes) compare(code, c, code.paints);
      c.planes = true;
      compare(plane_code, c, true);
      c.slope = .25f;
      compare(plane_code, c, false);
      // Formats that are not encoded in lanes are drawn.
      c.format = "R8G8B8A8_UNORM_SRGB";
      for (const Code& code : uniform_codes) compare(code, c, false);
    }
}

TEST(Painting, KnowsDistances) {
  const Code& code = codes[0];
  compare(code, {.offset_x = 3.5f, .offset_y = 9.5f}, true);
  compare(code, {.offset_x = -15.5f, .offset_y = -7.5f, .pixels = {16, 8, 160, 128}}, true);
  compare(code, {.offset_x = 7, .offset_y = 1.25f, .pixels = {5, 9, 151, 123}}, true);
  compare(code, {.scale = 2}, false);
  compare(code, {.scale = .5f}, false);
  compare(code, {.scale = -1, .offset_x = 127.5f, .offset_y = 95.5f}, false);
  // Some texels are outside: they are zeros.
  compare(code, {.offset_x = 50.5f}, false);
  compare(code, {.offset_y = -1.5f}, false);
  // Few pixels are not asked about.
  compare(code, {.pixels = {0, 0, 63, 64}}, false);
  // Both are the same memory.
  compare(code, {.from = Tiling::y, .offset_y = 8.5f, .pixels = {0, 0, 64, 96}, .source = target_at}, false);
}

TEST(Painting, AnyFormatsAndTilings) {
  struct Known {
    std::string_view format;
    bool copies;
  };
  constexpr Known formats[] = {{"R8_UINT", true},
                               {"R8G8_UINT", true},
                               {"R8G8B8A8_UNORM", true},
                               {"B8G8R8A8_UNORM", true},
                               {"R16G16B16A16_UINT", true},
                               {"R16G16B16A16_UNORM", true},
                               {"R32_UINT", true},
                               {"R32G32_UINT", true},
                               {"R32G32B32A32_UINT", true},
                               {"R10G10B10A2_UNORM", true},
                               {"R8G8B8A8_SINT", true},
                               {"R32_FLOAT", false},
                               {"R8G8B8A8_SNORM", false},
                               {"B8G8R8X8_UNORM", false},
                               {"R8G8B8A8_UNORM_SRGB", false},
                               {"R16G16B16A16_FLOAT", false}};
  std::mt19937 chance(3);
  for (const Known& f : formats)
    for (const Tiling from : {Tiling::linear, Tiling::x, Tiling::y}) {
      const auto below = [&](int n) { return int(chance() % unsigned(n)); };
      const Tiling to = std::array{Tiling::linear, Tiling::x, Tiling::y}[size_t(below(3))];
      const int x = below(20), y = below(20), dx = below(16), dy = below(12);
      compare(codes[0],
              {.format = f.format,
               .from = from,
               .to = to,
               .offset_x = float(dx) + .5f,
               .offset_y = float(dy) + .5f,
               .pixels = {x, y, x + 90 + below(30), y + 60 + below(30)}},
              f.copies);
    }
}

}  // namespace
}  // namespace vitro::pipeline
