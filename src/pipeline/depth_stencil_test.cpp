// Depth and stencil: every operation and comparison against a plain reference, formats, tiles, samples, layers, levels,
// both faces, references from packet and state, clamping and write enables.
#include "pipeline/depth_stencil.h"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/random.h"
#include "pipeline/pixel_bench_test.h"

namespace vitro::pipeline {
namespace {

using pixel_test::Bench, pixel_test::home, pixel_test::depth_at, pixel_test::stencil_at;

void set_depth(Draw& d, uint8_t format, uint16_t width, uint16_t height, uint32_t pitch) {
  commands::three_d::DepthBuffer& b = d.state.depth_buffer;
  b = {.surface_pitch = pitch - 1,
       .surface_format = format,
       .stencil_write_enable = true,
       .depth_write_enable = true,
       .surface_type = 1,
       .surface_base_address = home + depth_at,
       .width = uint16_t(width - 1),
       .height = uint16_t(height - 1)};
}
void set_stencil(Draw& d, uint32_t pitch) {
  d.state.stencil_buffer = {
      .surface_pitch = 2 * pitch - 1, .stencil_buffer_enable = true, .surface_base_address = home + stencil_at};
}

// One subspan at a corner, the same depth everywhere.
struct One {
  std::array<float, 32 * most_samples> depth{};
  Fragments f{};

  One(uint16_t x, uint16_t y, float z) {
    depth.fill(z);
    f.subspans = 1, f.corners[0] = {x, y}, f.depth = depth.data();
  }
};
Lit run(Bench& b, const One& o, uint32_t lit = 15) {
  DepthStencil tests;
  const auto fault = tests.begin(b.draw, *b.view);
  EXPECT_FALSE(fault) << fault->text();
  Lit l{};
  for (unsigned s = 0; s < b.draw.samples; ++s) l[s] = lit;
  tests.run(o.f, l);
  return l;
}

TEST(DepthStencil, OperationsByName) {
  for (int v = 0; v < 256; ++v)
    for (int ref : {0, 1, 77, 255}) {
      const int expected[] = {v,      0, ref, std::min(v + 1, 255), std::max(v - 1, 0), (v + 1) & 255, (v + 255) & 255,
                              255 - v};
      for (unsigned op = 0; op < 8; ++op) EXPECT_EQ(stencil_op(op, uint8_t(v), uint8_t(ref)), expected[op]) << op;
    }
}

TEST(DepthStencil, FormatsStoreAndCompare) {
  struct Row {
    uint8_t code;
    DepthFormat format;
    unsigned bytes;
    double scale;
  };
  for (const Row& r : {Row{1, DepthFormat::d32_float, 4, 0}, Row{3, DepthFormat::d24_unorm, 4, 0xFFFFFF},
                       Row{5, DepthFormat::d16_unorm, 2, 0xFFFF}}) {
    for (unsigned function = 0; function < 8; ++function)
      for (float there : {0.f, .25f, .5f, 1.f})
        for (float z : {0.f, .25f, .3f, .5f, 1.f}) {
          Bench b;
          set_depth(b.draw, r.code, 64, 64, 256);
          b.draw.state.wm_depth_stencil = {
              .depth_buffer_write_enable = true, .depth_test_enable = true, .depth_test_function = uint8_t(function)};
          const auto code = [&](float f) {
            return r.scale ? uint32_t(std::nearbyint(double(f) * r.scale)) : std::bit_cast<uint32_t>(f);
          };
          // pixel (13, 7) is the last of the subspan at (12, 6)
          const uint64_t at = depth_at + memory::tiled_offset(memory::Tiling::y, 13 * r.bytes, 7, 256);
          const uint32_t before = code(there);
          std::memcpy(b.ram.data() + at, &before, r.bytes);
          const Lit left = run(b, One(12, 6, z), 8);
          const bool expected[] = {true, false, z<there, z == there, z <= there, z> there, z != there, z >= there};
          ASSERT_EQ(left[0], expected[function] ? 8u : 0u) << function << " " << z << " " << there;
          const uint32_t after = r.bytes == 2 ? b.get<uint16_t>(at) : b.get(at);
          ASSERT_EQ(after, expected[function] ? code(z) : before);
          EXPECT_EQ(stored_depth(r.format, z), code(z));
        }
  }
}

TEST(DepthStencil, RandomStatesAgainstAReference) {
  Rng r(5);
  for (int n = 0; n < 2000; ++n) {
    Bench b;
    b.draw.traits = r.coin() ? &pixel_test::traits_gen9 : &pixel_test::traits_gen8;
    set_depth(b.draw, 1, 16, 16, 128);
    set_stencil(b.draw, 64);
    commands::three_d::WmDepthStencil& w = b.draw.state.wm_depth_stencil;
    const auto eight = [&] { return uint8_t(r.below(8)); };
    const auto byte = [&] { return uint8_t(r()); };
    w = {.depth_buffer_write_enable = r.coin(),
         .depth_test_enable = r.coin(),
         .stencil_buffer_write_enable = r.below(4) != 0,
         .stencil_test_enable = r.below(4) != 0,
         .double_sided_stencil_enable = r.coin(),
         .depth_test_function = eight(),
         .stencil_test_function = eight(),
         .backface_stencil_pass_depth_pass_op = eight(),
         .backface_stencil_pass_depth_fail_op = eight(),
         .backface_stencil_fail_op = eight(),
         .backface_stencil_test_function = eight(),
         .stencil_pass_depth_pass_op = eight(),
         .stencil_pass_depth_fail_op = eight(),
         .stencil_fail_op = eight(),
         .backface_stencil_write_mask = byte(),
         .backface_stencil_test_mask = byte(),
         .stencil_write_mask = byte(),
         .stencil_test_mask = byte(),
         .backface_stencil_reference_value = byte(),
         .stencil_reference_value = byte()};
    b.draw.objects.color_calc.stencil_reference_value = byte();
    b.draw.objects.color_calc.backface_stencil_reference_value = byte();
    One o(4, 2, float(r.below(4)) / 4);
    o.f.back_facing = r.coin();
    const uint64_t z_at = depth_at + memory::tiled_offset(memory::Tiling::y, 5 * 4, 2, 128);
    const uint64_t s_at = stencil_at + memory::tiled_offset(memory::Tiling::w, 5, 2, 64);
    const float there = float(r.below(4)) / 4;
    const uint8_t stencil = byte();
    std::memcpy(b.ram.data() + z_at, &there, 4);
    std::memcpy(b.ram.data() + s_at, &stencil, 1);
    const Lit left = run(b, o, 2);

    const auto passes = [](unsigned f, double x, double y) {
      return f == 0 || (f == 2 && x < y) || (f == 3 && x == y) || (f == 4 && x <= y) || (f == 5 && x > y) ||
             (f == 6 && x != y) || (f == 7 && x >= y);
    };
    const auto change = [](unsigned op, int v, int ref) {
      const int all[] = {v, 0, ref, std::min(v + 1, 255), std::max(v - 1, 0), v + 1, v - 1, ~v};
      return all[op] & 255;
    };
    const bool back = o.f.back_facing && w.double_sided_stencil_enable;
    const bool packet = b.draw.traits->stencil_reference_in_packet;
    const auto& cc = b.draw.objects.color_calc;
    const int ref = packet ? (back ? w.backface_stencil_reference_value : w.stencil_reference_value)
                           : (back ? cc.backface_stencil_reference_value : cc.stencil_reference_value);
    const int mask = back ? w.backface_stencil_test_mask : w.stencil_test_mask;
    const int write = back ? w.backface_stencil_write_mask : w.stencil_write_mask;
    const bool stencil_ok =
        !w.stencil_test_enable ||
        passes(back ? w.backface_stencil_test_function : w.stencil_test_function, ref & mask, stencil & mask);
    const bool depth_ok = !w.depth_test_enable || passes(w.depth_test_function, o.depth[1], there);
    const unsigned op = !stencil_ok ? (back ? w.backface_stencil_fail_op : w.stencil_fail_op)
                        : !depth_ok ? (back ? w.backface_stencil_pass_depth_fail_op : w.stencil_pass_depth_fail_op)
                                    : (back ? w.backface_stencil_pass_depth_pass_op : w.stencil_pass_depth_pass_op);
    int expected = stencil;
    if (w.stencil_test_enable && w.stencil_buffer_write_enable)
      expected = (stencil & ~write) | (change(op, stencil, ref) & write);
    ASSERT_EQ(left[0], stencil_ok && depth_ok ? 2u : 0u);
    ASSERT_EQ(b.get<uint8_t>(s_at), expected);
    ASSERT_EQ(b.get<float>(z_at), stencil_ok && depth_ok && w.depth_buffer_write_enable ? o.depth[1] : there);
  }
}

// Buffers in host memory as a whole, and the same with pages that are not side by side there, where subspans go one by
// one: of blocks, whose depths are a plane's, and of subspans anywhere.
TEST(DepthStencil, EightsGiveWhatSubspansDo) {
  constexpr uint32_t bytes = 0x100000, page = 4096;  // of both buffers
  Rng r(6);
  Bench b;
  const std::span buffers = std::span(b.ram).subspan(depth_at, bytes);
  std::vector<std::byte> copy(bytes);
  std::vector<memory::Range> ranges;
  const auto turned = [&](uint32_t at) { return copy.data() + (bytes - page - at / page * page) + at % page; };
  for (uint32_t at = 0; at < bytes; at += page) ranges.push_back({home + depth_at + at, page, turned(at)});
  memory::AddressSpace pages;
  pages.bind(ranges);
  memory::View scattered(pages.table());
  for (int n = 0; n < 1000; ++n) {
    const unsigned samples = r.coin() ? 1 : 1u << r.below(5);
    b.draw.samples = samples;
    b.draw.traits = r.coin() ? &pixel_test::traits_gen9 : &pixel_test::traits_gen8;
    const unsigned edge = samples > 1 ? 16 : 64;
    constexpr uint8_t formats[] = {1, 3, 5};
    const uint8_t format = formats[r.below(3)];
    set_depth(b.draw, format, uint16_t(edge - r.below(8)), uint16_t(edge - r.below(8)), 512);
    if (r.coin())
      set_stencil(b.draw, 128);
    else
      b.draw.state.stencil_buffer = {};
    if (samples == 1 && r.below(4) == 0) b.draw.state.depth_buffer.lod = uint8_t(1 + r.below(2));
    const auto eight = [&] { return uint8_t(r.below(8)); };
    const auto byte = [&] { return uint8_t(r()); };
    b.draw.state.wm_depth_stencil = {.depth_buffer_write_enable = r.below(4) != 0,
                                     .depth_test_enable = r.below(4) != 0,
                                     .stencil_buffer_write_enable = r.below(4) != 0,
                                     .stencil_test_enable = r.coin(),
                                     .double_sided_stencil_enable = r.coin(),
                                     .depth_test_function = eight(),
                                     .stencil_test_function = eight(),
                                     .backface_stencil_pass_depth_pass_op = eight(),
                                     .backface_stencil_pass_depth_fail_op = eight(),
                                     .backface_stencil_fail_op = eight(),
                                     .backface_stencil_test_function = eight(),
                                     .stencil_pass_depth_pass_op = eight(),
                                     .stencil_pass_depth_fail_op = eight(),
                                     .stencil_fail_op = eight(),
                                     .backface_stencil_write_mask = byte(),
                                     .backface_stencil_test_mask = byte(),
                                     .stencil_write_mask = byte(),
                                     .stencil_test_mask = byte(),
                                     .backface_stencil_reference_value = byte(),
                                     .stencil_reference_value = byte()};
    b.draw.objects.depth_ranges[0] = {r.coin() ? 0 : .3f, r.coin() ? 1 : .7f};
    const auto depth = [&] {
      constexpr float some[] = {0, .25f, .3f, .5f, .7f, 1, -1, 2, std::numeric_limits<float>::quiet_NaN()};
      return r.coin() ? some[r.below(std::size(some))] : float(r.below(1 << 20)) / float(1 << 20);
    };
    Primitive& p = b.primitive;
    p.back_facing = r.coin();
    p.origin_x = float(r.below(64)), p.origin_y = float(r.below(64));
    p.z = {r.coin() ? 0 : depth() / 32, r.coin() ? 0 : -depth() / 32, depth()};
    One o(0, 0, 0);
    o.f.subspans = 1 + unsigned(r.below(8)), o.f.back_facing = p.back_facing;
    for (auto& c : o.f.corners) c = {uint16_t(2 * r.below(edge / 2)), uint16_t(2 * r.below(edge / 2))};
    for (unsigned k = 0; k < 32 * samples; ++k) o.depth[k] = depth();
    std::array<uint8_t, 32> references;
    for (uint8_t& v : references) v = byte();
    if (r.coin()) o.f.stencil = references.data();
    for (uint32_t at = 0; at < 512 * 128; at += 4) {
      const float z = r.coin() ? depth() : p.z.c;
      const uint32_t there = format == 1   ? std::bit_cast<uint32_t>(z)
                             : format == 3 ? stored_depth(DepthFormat::d24_unorm, z) | uint32_t(r.below(3)) << 24
                                           : stored_depth(DepthFormat::d16_unorm, z) * 0x10001u;
      std::memcpy(&buffers[at], &there, sizeof there);
      if (at < 128 * 128) std::memcpy(&buffers[stencil_at - depth_at + at], &references[at % 29], 4);
    }
    for (uint32_t at = 0; at < bytes; at += page) std::memcpy(turned(at), &buffers[at], page);
    Lit lit{}, expected{};
    for (unsigned s = 0; s < samples; ++s) expected[s] = lit[s] = r.coin() ? 0xFFFF : uint32_t(r.below(0x10000));
    const Block block = b.block(uint16_t(4 * r.below(edge / 4)), uint16_t(4 * r.below(edge / 4)));
    const bool whole = r.coin();
    const auto test = [&](memory::View& memory, Lit& left) {
      DepthStencil tests;
      const auto fault = tests.begin(b.draw, memory);
      ASSERT_FALSE(fault) << fault->text();
      whole ? tests.run(block, left) : tests.run(o.f, left);
    };
    test(*b.view, lit);
    test(scattered, expected);
    ASSERT_EQ(lit, expected) << n;
    for (uint32_t at = 0; at < bytes; at += page)
      ASSERT_EQ(std::memcmp(turned(at), &buffers[at], page), 0) << n << " " << at;
  }
}

// Steps of a format, of eight depths at once.
TEST(DepthStencil, StepsAreRoundedToEven) {
  Rng r(7);
  Bench b;
  b.draw.state.wm_depth_stencil = {.depth_buffer_write_enable = true};
  for (const auto& [code, format] :
       {std::pair(uint8_t(3), DepthFormat::d24_unorm), {uint8_t(5), DepthFormat::d16_unorm}}) {
    set_depth(b.draw, code, 64, 64, 256);
    const double steps = format == DepthFormat::d16_unorm ? 0xFFFF : 0xFFFFFF;
    for (int n = 0; n < 200000; ++n) {
      // Near the middle of two steps, or any float.
      float z = float((double(r.below(uint64_t(steps))) + 0.5) / steps);
      if (n % 2)
        z = std::bit_cast<float>(uint32_t(r.below(0x3F800001)));
      else
        for (uint64_t k = r.below(3); k; --k) z = std::nextafter(z, 1.0f);
      One o(0, 0, z);
      run(b, o, 1);
      const uint32_t stored = format == DepthFormat::d16_unorm ? b.get<uint16_t>(depth_at) : b.get(depth_at);
      ASSERT_EQ(stored, uint32_t(std::nearbyint(double(z) * steps))) << std::bit_cast<uint32_t>(z);
    }
  }
}

TEST(DepthStencil, SamplesAreInterleavedLayersAndLevelsApart) {
  for (const Traits* traits : {&pixel_test::traits_gen8, &pixel_test::traits_gen9})
    for (unsigned samples : {1u, 2u, 4u, 8u}) {
      Bench b;
      b.draw.traits = traits;
      b.draw.samples = samples;
      set_depth(b.draw, 1, 16, 16, 512);
      commands::three_d::DepthBuffer& d = b.draw.state.depth_buffer;
      d.depth = 3, d.minimum_array_element = 1, d.render_target_view_extent = 2, d.surface_qpitch = 32;
      if (samples == 1) d.lod = 1;
      b.draw.state.wm_depth_stencil = {.depth_buffer_write_enable = true};
      One o(4, 6, 0);
      o.f.layer = 1;
      for (unsigned s = 0; s < samples; ++s)
        for (unsigned k = 0; k < 4; ++k) o.depth[32 * s + k] = float(4 * s + k + 1) / 64;
      run(b, o);
      for (unsigned s = 0; s < samples; ++s)
        for (unsigned k = 0; k < 4; ++k) {
          uint32_t x = 4 + (k & 1), y = 6 + (k >> 1);
          if (samples == 2 || samples == 4) x = (x & ~1u) << 1 | (s & 1) << 1 | (x & 1);
          if (samples == 8) x = (x & ~1u) << 2 | (s & 4) | (s & 1) << 1 | (x & 1);
          if (samples >= 4) y = (y & ~1u) << 1 | (s & 2) | (y & 1);
          y += 2 * 128 + (samples == 1 ? 16 : 0);
          EXPECT_EQ(b.get<float>(depth_at + memory::tiled_offset(memory::Tiling::y, x * 4, y, 512)),
                    float(4 * s + k + 1) / 64)
              << samples << " " << s << " " << k;
        }
    }
}

// Of volumes, the view's extent says how many slices there are: others mean the first one.
TEST(DepthStencil, LayersAreThoseOfTheView) {
  Bench b;
  set_depth(b.draw, 1, 16, 16, 128);
  commands::three_d::DepthBuffer& d = b.draw.state.depth_buffer;
  d.surface_type = 2, d.depth = 7, d.surface_qpitch = 8, d.render_target_view_extent = 2;
  b.draw.state.wm_depth_stencil = {.depth_buffer_write_enable = true};
  for (const uint32_t layer : {2u, 3u}) {
    One o(0, 0, float(layer));
    o.f.layer = layer;
    run(b, o);
  }
  EXPECT_EQ(b.get<float>(depth_at + memory::tiled_offset(memory::Tiling::y, 0, 64, 128)), 1);
  EXPECT_EQ(b.get<float>(depth_at), 1);
}

TEST(DepthStencil, ClampsToTheViewport) {
  Bench b;
  set_depth(b.draw, 1, 16, 16, 128);
  b.draw.objects.depth_ranges[3] = {.25f, .75f};
  b.draw.state.wm_depth_stencil = {.depth_buffer_write_enable = true};
  for (float z : {-1.f, .5f, 2.f, std::nanf("")}) {
    One o(0, 0, z);
    o.f.viewport = 3;
    run(b, o);
    EXPECT_EQ(b.get<float>(depth_at), z == .5f ? .5f : z > 1 ? .75f : .25f);
  }
}

TEST(DepthStencil, ReferencesThatTheShaderComputed) {
  Bench b;
  set_depth(b.draw, 1, 16, 16, 128);
  set_stencil(b.draw, 64);
  b.draw.state.wm_depth_stencil = {.stencil_buffer_write_enable = true,
                                   .stencil_test_enable = true,
                                   .stencil_pass_depth_pass_op = 2,
                                   .stencil_write_mask = 255};
  One o(0, 0, 0);
  const std::array<uint8_t, 32> references{9, 8, 7, 6};
  o.f.stencil = references.data();
  run(b, o);
  EXPECT_EQ(b.get(stencil_at), 0x06070809u);
}

TEST(DepthStencil, NothingWhereThereIsNoBuffer) {
  Bench b;
  b.draw.state.wm_depth_stencil = {
      .depth_buffer_write_enable = true, .depth_test_enable = true, .depth_test_function = 1};
  EXPECT_EQ(run(b, One(0, 0, .5f))[0], 15u);
  set_depth(b.draw, 1, 2, 1, 128);
  EXPECT_EQ(run(b, One(0, 0, .5f))[0], 15u & ~3u);  // the rest is outside of the buffer
  b.draw.state.depth_buffer.surface_format = 2;
  DepthStencil tests;
  EXPECT_TRUE(tests.begin(b.draw, *b.view));
}

}  // namespace
}  // namespace vitro::pipeline
