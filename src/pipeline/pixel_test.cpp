// The pixel back end as a whole: kernels that write render targets, of all widths; packing, masks, counters, tests
// before and after the shader, samples, and Faults with their place.
#include "pipeline/pixel.h"

#include "pipeline/pixel_bench_test.h"

namespace vitro::pipeline {
namespace {

using pixel_test::Bench, pixel_test::home, pixel_test::target_at, pixel_test::depth_at;

// Writes setup data of attribute 0 (flat) as the colour, sixteen lanes.
const char* const flat_16 =
    "mov (16|M0) r112.0<1>:f r2.3<0;1,0>:f\n"
    "mov (16|M0) r114.0<1>:f r2.7<0;1,0>:f\n"
    "mov (16|M0) r116.0<1>:f r3.3<0;1,0>:f\n"
    "mov (16|M0) r118.0<1>:f r3.7<0;1,0>:f\n"
    "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n";
const char* const flat_8 =
    "mov (8|M0) r112.0<1>:f r2.3<0;1,0>:f\n"
    "mov (8|M0) r113.0<1>:f r2.7<0;1,0>:f\n"
    "mov (8|M0) r114.0<1>:f r3.3<0;1,0>:f\n"
    "mov (8|M0) r115.0<1>:f r3.7<0;1,0>:f\n"
    "sendc (8|M0) null r112 0x5 0x08031400 {EOT}\n";

void make_flat(Bench& b, std::array<float, 4> colour) {
  commands::three_d::Sbe& sbe = b.draw.state.sbe;
  sbe.number_of_sf_output_attributes = 1, sbe.constant_interpolation_enable = 1;
  sbe.force_vertex_urb_entry_read_offset = sbe.force_vertex_urb_entry_read_length = true;
  sbe.vertex_urb_entry_read_offset = 1, sbe.vertex_urb_entry_read_length = 1;
  for (auto& vue : b.vues)
    for (size_t c = 0; c < 4; ++c) vue[2][c] = std::bit_cast<uint32_t>(colour[c]);
  b.draw.ps_grf_start.fill(2);
}
uint32_t pixel(const Bench& b, uint32_t x, uint32_t y) {
  return b.get(target_at + memory::tiled_offset(memory::Tiling::y, x * 4, y, 512));
}

TEST(PixelBackEnd, WritesFlatColours) {
  for (unsigned width : {0u, 1u}) {
    Bench b;
    b.bind(0, Bench::target("R8G8B8A8_UNORM", 128, 64, 512));
    make_flat(b, {1, 0, .2f, 1});
    b.use(width, width ? flat_16 : flat_8);
    const PixelCounters c = b.run({b.block(4, 8), b.block(8, 8, 0x0F21), b.block(64, 8, 0x8000)});
    unsigned set = 0;
    for (uint32_t y = 0; y < 64; ++y)
      for (uint32_t x = 0; x < 128; ++x) set += pixel(b, x, y) == 0xFF3300FF;
    EXPECT_EQ(set, 16u + 6 + 1);
    EXPECT_EQ(pixel(b, 10, 11), 0u);
    EXPECT_EQ(pixel(b, 8, 8), 0xFF3300FFu);
    EXPECT_EQ(pixel(b, 11, 8), 0xFF3300FFu);
    EXPECT_EQ(pixel(b, 67, 11), 0xFF3300FFu);
    EXPECT_EQ(c.statistics.ps_invocations, 23u);
    EXPECT_EQ(c.statistics.ps_depth_count, 23u);
    // packed: three lit subspans of the second block; the third is in another bin
    EXPECT_EQ(c.counts.threads, width ? 3u : 5u);
    EXPECT_EQ(c.threads[width], c.counts.threads);
  }
}

// Many blocks and primitives, more than wait at once.
TEST(PixelBackEnd, KeepsOrderThroughLongQueues) {
  Bench b;
  b.bind(0, Bench::target("R8G8B8A8_UNORM", 128, 64, 512));
  b.use(1, flat_16);
  PixelBackEnd back(Bench::options(), 0);
  make_flat(b, {0, 0, 0, 0});
  ASSERT_FALSE(back.begin(b.draw));
  std::vector<Primitive> primitives(200, b.primitive);  // which stay where they are
  for (unsigned n = 0; n < primitives.size(); ++n) {
    primitives[n].object.primitive_id = n;
    for (auto& vue : b.vues) vue[2][0] = std::bit_cast<uint32_t>(float(n) / 255);
    Block block = b.block(uint16_t(n % 3 * 4), 0);
    block.primitive = &primitives[n];
    ASSERT_FALSE(back.blocks({&block, 1}));
    if (n % 70 == 0) {
      ASSERT_FALSE(back.end());
      ASSERT_FALSE(back.begin(b.draw));
    }
  }
  ASSERT_FALSE(back.end());
  EXPECT_EQ(pixel(b, 0, 0) & 255, 198u);
  EXPECT_EQ(pixel(b, 4, 0) & 255, 199u);
  EXPECT_EQ(pixel(b, 8, 0) & 255, 197u);
  EXPECT_EQ(back.counters().statistics.ps_invocations, 200u * 16);
}

void set_depth(Bench& b) {
  b.draw.state.depth_buffer = {.surface_pitch = 511,
                               .surface_format = 1,
                               .depth_write_enable = true,
                               .surface_type = 1,
                               .surface_base_address = home + depth_at,
                               .width = 127,
                               .height = 63};
  b.draw.state.wm_depth_stencil = {
      .depth_buffer_write_enable = true, .depth_test_enable = true, .depth_test_function = 5};
}

TEST(PixelBackEnd, TestsDepthBeforeTheShader) {
  Bench b;
  b.bind(0, Bench::target("R8G8B8A8_UNORM", 128, 64, 512));
  b.use(1, flat_16);
  make_flat(b, {1, 1, 1, 1});
  set_depth(b);
  b.primitive.z = {.0625f, 0, -.125f};  // not above zero left of x = 2
  const PixelCounters c = b.run({b.block(0, 0)});
  EXPECT_EQ(c.statistics.ps_depth_count, 8u);
  EXPECT_EQ(c.statistics.ps_invocations, 8u);
  EXPECT_EQ(pixel(b, 1, 0), 0u);
  EXPECT_EQ(pixel(b, 2, 3), ~0u);
  EXPECT_EQ(b.get<float>(depth_at + memory::tiled_offset(memory::Tiling::y, 2 * 4, 3, 512)), .0625f * 2.5f - .125f);
  EXPECT_EQ(b.run({b.block(0, 0)}).statistics.ps_invocations, 0u);
  // Depth alone needs no threads.
  b.draw.state.ps_blend.has_writeable_rt = false;
  b.primitive.z = {0, 0, 1};
  const PixelCounters only = b.run({b.block(0, 0)});
  EXPECT_EQ(only.statistics.ps_invocations, 0u);
  EXPECT_EQ(only.statistics.ps_depth_count, 16u);
  EXPECT_EQ(b.get<float>(depth_at), 1);
}

TEST(PixelBackEnd, KilledPixelsKeepTheirDepth) {
  Bench b;
  b.bind(0, Bench::target("R8G8B8A8_UNORM", 128, 64, 512));
  make_flat(b, {1, 1, 1, 1});
  // Lanes 0, 4, 8 and 12 are predicated off.
  b.use(1,
        "(W) mov (1|M0) f0.0<1>:uw 0xEEEE:uw\n"
        "mov (16|M0) r112.0<1>:f r2.3<0;1,0>:f\n"
        "mov (16|M0) r114.0<1>:f r2.3<0;1,0>:f\n"
        "mov (16|M0) r116.0<1>:f r2.3<0;1,0>:f\n"
        "mov (16|M0) r118.0<1>:f r2.3<0;1,0>:f\n"
        "(f0.0) sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n");
  set_depth(b);
  b.draw.state.ps_extra.pixel_shader_kills_pixel = true;
  b.primitive.z = {0, 0, .5f};
  EXPECT_TRUE(pixel_plan(b.draw).late);
  const PixelCounters c = b.run({b.block(0, 0)});
  EXPECT_EQ(c.statistics.ps_invocations, 16u);
  EXPECT_EQ(c.statistics.ps_depth_count, 12u);
  EXPECT_EQ(pixel(b, 0, 0), 0u);
  EXPECT_EQ(pixel(b, 1, 0), ~0u);
  EXPECT_EQ(b.get<float>(depth_at), 0);
  EXPECT_EQ(b.get<float>(depth_at + 4), .5f);
  // EDSC_PREPS: before the shader all the same.
  b.draw.state.wm.early_depth_stencil_control = 2;
  b.primitive.z = {0, 0, .75f};
  EXPECT_FALSE(pixel_plan(b.draw).late);
  EXPECT_EQ(b.run({b.block(0, 0)}).statistics.ps_depth_count, 16u);
  EXPECT_EQ(b.get<float>(depth_at), .75f);
}

TEST(PixelBackEnd, PlansByTable) {
  Bench b;
  b.use(1, flat_16);
  EXPECT_TRUE(pixel_plan(b.draw).dispatches);
  EXPECT_FALSE(pixel_plan(b.draw).late);
  b.draw.state.wm.force_thread_dispatch_enable = 1;
  EXPECT_FALSE(pixel_plan(b.draw).dispatches);
  b.draw.state.wm.force_thread_dispatch_enable = 2;
  b.draw.state.ps_blend.has_writeable_rt = false;
  EXPECT_TRUE(pixel_plan(b.draw).dispatches);
  b.draw.state.wm.force_thread_dispatch_enable = 0;
  EXPECT_FALSE(pixel_plan(b.draw).dispatches);
  const auto late_with = [&](auto set) {
    Draw d = b.draw;
    set(d);
    const PixelPlan p = pixel_plan(d);
    return p.dispatches && p.late;
  };
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_extra.pixel_shader_has_uav = true; }));
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_extra.omask_present_to_render_target = true; }));
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_extra.pixel_shader_computed_depth_mode = 1; }));
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_extra.pixel_shader_computes_stencil = true; }));
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_blend.alpha_test_enable = true; }));
  EXPECT_TRUE(late_with([](Draw& d) { d.state.ps_blend.alpha_to_coverage_enable = true; }));
  b.draw.state.ps_extra.pixel_shader_valid = false;
  EXPECT_FALSE(pixel_plan(b.draw).dispatches);
}

// Colours cover what was there if the entries of the blend state say so that the shader writes by.
TEST(PixelBackEnd, CoversByTheEntriesThatAreUsed) {
  Bench b;
  b.use(1, flat_16);
  EXPECT_TRUE(pixel_plan(b.draw).covers);
  b.draw.objects.blend_entries[1].write_disable_red = true;
  EXPECT_TRUE(pixel_plan(b.draw).covers);
  b.draw.objects.blend_entries[0].write_disable_red = true;
  EXPECT_FALSE(pixel_plan(b.draw).covers);
  b.draw.objects.blend_entries[0] = {.color_buffer_blend_enable = true};
  EXPECT_TRUE(pixel_plan(b.draw).paints);
  EXPECT_FALSE(pixel_plan(b.draw).covers);
}

// Where there are tests the same holds of what passes, unless the shader has a say.
TEST(PixelBackEnd, CoversWhatPassesEarlyTests) {
  Bench b;
  b.use(1, flat_16);
  EXPECT_FALSE(pixel_plan(b.draw).covers_passed);
  b.draw.state.wm_depth_stencil.depth_test_enable = true;
  EXPECT_TRUE(pixel_plan(b.draw).covers_passed);
  EXPECT_FALSE(pixel_plan(b.draw).covers || pixel_plan(b.draw).paints);
  const auto still = [&](auto set) {
    Draw d = b.draw;
    set(d);
    return pixel_plan(d).covers_passed;
  };
  EXPECT_FALSE(still([](Draw& d) { d.state.ps_extra.pixel_shader_kills_pixel = true; }));
  EXPECT_FALSE(still([](Draw& d) { d.state.ps_extra.pixel_shader_computed_depth_mode = 1; }));
  EXPECT_FALSE(still([](Draw& d) { d.state.ps_extra.pixel_shader_has_uav = true; }));
  EXPECT_FALSE(still([](Draw& d) { d.objects.blend_entries[0].color_buffer_blend_enable = true; }));
  EXPECT_FALSE(still([](Draw& d) { d.samples = 4; }));
}

TEST(PixelBackEnd, SampleBySample) {
  Bench b;
  b.draw.samples = 4;
  state::Surface s = Bench::target("R8G8B8A8_UNORM", 32, 32, 128);
  s.log2_samples = 2, s.qpitch_field = 8;
  b.bind(0, s);
  make_flat(b, {1, 0, 0, 1});
  b.use(1, flat_16);
  b.draw.state.ps_extra.pixel_shader_is_per_sample = true;
  Block block = b.block(0, 0);
  block.coverage[1] = 0, block.coverage[2] = 0x000F;
  const PixelCounters c = b.run({block});
  EXPECT_EQ(c.statistics.ps_invocations, 16u + 4 + 16);
  EXPECT_EQ(c.counts.threads, 3u);
  const auto at = [&](uint32_t x, uint32_t y, uint32_t sample) {
    return b.get(target_at + memory::tiled_offset(memory::Tiling::y, x * 4, sample * 32 + y, 128));
  };
  EXPECT_EQ(at(3, 3, 0), 0xFF0000FFu);
  EXPECT_EQ(at(0, 0, 1), 0u);
  EXPECT_EQ(at(1, 1, 2), 0xFF0000FFu);
  EXPECT_EQ(at(2, 1, 2), 0u);
  EXPECT_EQ(at(3, 3, 3), 0xFF0000FFu);
  b.draw.state.sample_mask.sample_mask = 1;
  EXPECT_EQ(b.run({block}).statistics.ps_invocations, 16u);
}

// The mask of the draw takes samples out of coverage before a thread sees it, in the payload as for centroids.
TEST(PixelBackEnd, CoverageHasTheSampleMask) {
  for (const bool whole : {true, false}) {
    Bench b;
    b.draw.samples = 4;
    b.draw.state.raster.dx_multisample_rasterization_enable = true;
    b.draw.state.sample_pattern.samples_4 = 0xAE2AE662;  // (6,2) (14,6) (2,10) (10,14) in sixteenths
    b.draw.state.sample_mask.sample_mask = 0xFFF6;
    state::Surface s = Bench::target("R32G32_UINT", 32, 32, 256);
    s.log2_samples = 2, s.qpitch_field = 8;
    b.bind(0, s);
    b.draw.ps_grf_start.fill(10);
    b.draw.state.ps_extra.input_coverage_mask_state = 1;
    b.draw.state.wm.barycentric_interpolation_mode = 2;  // at centroids
    b.primitive.l1 = {16, 0, 0};
    b.use(1,
          "mov (16|M0) r112.0<1>:ud r6.0<8;8,1>:ud\n"
          "mov (8|M0) r114.0<1>:ud r2.0<8;8,1>:f\n"
          "mov (8|M0) r115.0<1>:ud r4.0<8;8,1>:f\n"
          "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n");
    Block block = b.block(0, 0, whole ? 0xFFFF : 0x00FF);
    block.coverage[2] = 0;
    b.run({block});
    const uint32_t at = target_at + uint32_t(memory::tiled_offset(memory::Tiling::y, 1 * 8, 32 + 1, 256));
    EXPECT_EQ(b.get(at), 0b0010u);
    EXPECT_EQ(b.get(at + 4), 16u + 14);
  }
}

TEST(PixelBackEnd, FaultsHaveAPlace) {
  Bench b;
  b.bind(0, Bench::target("BC1_UNORM", 128, 64, 512));
  make_flat(b, {1, 1, 1, 1});
  b.use(1, flat_16);
  b.primitive.object.primitive_id = 5;
  PixelBackEnd back(Bench::options(), 0);
  ASSERT_FALSE(back.begin(b.draw));
  const Block block = b.block(12, 8, 0xFF80);
  ASSERT_FALSE(back.blocks({&block, 1}));
  const MaybeFault fault = back.end();
  ASSERT_TRUE(fault);
  ASSERT_TRUE(fault->pixel);
  EXPECT_EQ(fault->pixel->x, 15);
  EXPECT_EQ(fault->pixel->y, 9);
  EXPECT_EQ(fault->pixel->primitive, 5u);
  EXPECT_EQ(fault->pixel->draw, b.draw.number);
  EXPECT_NE(fault->text().find("pixel (15, 9) of primitive 5"), std::string::npos) << fault->text();
}

}  // namespace
}  // namespace vitro::pipeline
