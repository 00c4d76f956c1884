// Payloads of pixel threads: captured layouts, the order of all parts in all widths, setup data by the rules of SBE.
#include "pipeline/pixel_payload.h"

#include "pipeline/pixel_bench_test.h"
#include "pipeline/raster_state.h"

namespace vitro::pipeline {
namespace {

using pixel_test::Bench;

struct Filled {
  Bench b{};
  shared::PixelThread thread{};
  shared::Barycentrics barycentrics{};
  shared::PixelContext pixels{};
  PixelLayout layout{};
  SetupData setup{};
  std::array<std::byte, 128 * 32> grf{};

  void fill(unsigned width, uint32_t mask = ~0u) {
    if (!b.draw.ps[width]) b.draw.ps[width] = std::make_shared<dispatch::Stage>();
    const auto fault = find_pixel_layout(b.draw, width, layout);
    ASSERT_FALSE(fault) << fault->text();
    find_sample_places(b.draw, pixels);
    set_barycentrics(b.primitive, barycentrics);
    thread.barycentrics = &barycentrics, pixels.thread = &thread;
    set_up_attributes(b.draw, b.primitive, layout.attributes, setup);
    fill_own_registers({layout, b.primitive, pixels, 3, {&thread, 1}, &mask}, grf.data());
    fill_common_registers(layout, b.draw.push[4], setup, grf.data());
  }
  uint32_t dword(unsigned reg, unsigned n) const {
    uint32_t v;
    std::memcpy(&v, &grf[reg * 32 + n * 4], 4);
    return v;
  }
  float real(unsigned reg, unsigned n) const { return float_of(dword(reg, n)); }
};

void set_push(Draw& d, size_t registers) {
  d.push[size_t(state::ShaderStage::ps)].assign(registers * 32, std::byte{0x5A});
  d.state.ps.push_constant_enable = true;
}

// 8 and 16 lanes, depth and W only: registers 4 and 6 for the constants.
TEST(PixelPayload, DepthAndWBeforeTheConstants) {
  Filled f;
  Draw& d = f.b.draw;
  d.state.ps.dispatch_8 = d.state.ps.dispatch_16 = true;
  d.ps_grf_start = {4, 6, 0};
  d.state.ps_extra.pixel_shader_uses_source_depth = d.state.ps_extra.pixel_shader_uses_source_w = true;
  set_push(d, 1);
  f.b.primitive.z = {.25f, 0, 0}, f.b.primitive.inverse_w = {0, 0, .5f};
  for (unsigned k = 0; k < 8; ++k) f.thread.subspans[k] = {uint16_t(2 * k), 6};
  f.fill(0);
  EXPECT_EQ(f.real(2, 1), 1.5f * .25f);
  EXPECT_EQ(f.real(2, 4), 2.5f * .25f);
  EXPECT_EQ(f.real(3, 7), 2);
  EXPECT_EQ(f.dword(4, 0), 0x5A5A5A5Au);
  EXPECT_EQ(f.dword(1, 3), 2u | 6u << 16);
  f.fill(1, 0xFFF3);
  EXPECT_EQ(f.real(3, 4), 6.5f * .25f);
  EXPECT_EQ(f.real(5, 0), 2);
  EXPECT_EQ(f.dword(6, 7), 0x5A5A5A5Au);
  EXPECT_EQ(f.dword(1, 7) & 0xFFFF, 0xFFF3u);
}

// A clear's kernel: one flat attribute at register 2, whose fourth and eighth dwords are read.
TEST(PixelPayload, FlatAttribute) {
  Filled f;
  Draw& d = f.b.draw;
  d.ps_grf_start.fill(2);
  d.state.sbe.number_of_sf_output_attributes = 1;
  d.state.sbe.force_vertex_urb_entry_read_offset = d.state.sbe.force_vertex_urb_entry_read_length = true;
  d.state.sbe.vertex_urb_entry_read_offset = 1, d.state.sbe.vertex_urb_entry_read_length = 1;
  d.state.sbe.constant_interpolation_enable = 1;
  f.b.primitive.object.kind = ObjectKind::rectangle;
  f.b.primitive.object.flat = f.b.vues[2].data();
  f.b.vues[2][2] = {10, 11, 12, 13};
  f.fill(1);
  EXPECT_EQ(f.dword(2, 3), 10u);
  EXPECT_EQ(f.dword(2, 7), 11u);
  EXPECT_EQ(f.dword(3, 3), 12u);
  EXPECT_EQ(f.dword(3, 7), 13u);
  EXPECT_EQ(f.dword(2, 0), 0u);
}

// All parts: as a kernel for 4 samples, sample by sample, was captured.
TEST(PixelPayload, EverythingInOrder) {
  Filled f;
  Draw& d = f.b.draw;
  d.samples = 4;
  d.state.raster.dx_multisample_rasterization_enable = true;
  d.state.sample_pattern.samples_4 = 0xAE2AE662;  // (6,2) (14,6) (2,10) (10,14) in sixteenths
  d.ps_grf_start.fill(25);
  d.state.ps.dispatch_16 = true;
  d.state.wm.barycentric_interpolation_mode = 0b001111;
  d.state.ps_extra.pixel_shader_uses_source_depth = d.state.ps_extra.pixel_shader_uses_source_w = true;
  d.state.ps.position_xy_offset_select = 3;
  d.state.ps_extra.input_coverage_mask_state = 1;
  d.state.wm.position_zw_interpolation_mode = 3;
  f.b.primitive.l1 = f.b.primitive.n1 = {1, 0, 0}, f.b.primitive.l2 = f.b.primitive.n2 = {0, 1, 0};
  f.b.primitive.z = {1, 1, 0};
  f.thread.sample = 2;
  f.thread.covered = {0xFFFF, 0, 0xFFFF, 1};
  for (unsigned k = 0; k < 4; ++k) f.thread.subspans[k] = {uint16_t(8 + 2 * (k & 1)), uint16_t(4 + (k & 2))};
  f.fill(1);
  EXPECT_EQ(f.dword(1, 0), 0x2222u);
  // four modes of four registers: b1 and b2 of eight lanes, then of the others
  EXPECT_EQ(f.real(2, 1), 9.5f);
  EXPECT_EQ(f.real(3, 2), 5.5f);
  EXPECT_EQ(f.real(4, 0), 8.5f);
  EXPECT_EQ(f.real(5, 0), 6.5f);
  EXPECT_EQ(f.real(6, 0), 8 + 6 / 16.f);   // centroid
  EXPECT_EQ(f.real(10, 0), 8 + 2 / 16.f);  // sample 2
  EXPECT_EQ(f.real(11, 0), 4 + 10 / 16.f);
  EXPECT_EQ(f.real(14, 3), 9.5f);  // linear
  EXPECT_EQ(f.real(18, 0), 12 + 12 / 16.f);
  EXPECT_EQ(f.real(20, 0), 1);
  EXPECT_EQ(f.dword(22, 0), 0x0A020A02u);
  EXPECT_EQ(f.dword(23, 0), 0b1101u);
  EXPECT_EQ(f.dword(23, 1), 0b0101u);
}

// Pixels with several samples in a mode that does not take them apart: all are where the pixel is, for the payload as
// for the rasteriser.
TEST(PixelPayload, SamplesAreWhereTheRasteriserTakesThem) {
  for (unsigned mode = 0; mode < 4; ++mode)
    for (const bool corner : {false, true})
      for (const bool forced : {false, true}) {
        Filled f;
        Draw& d = f.b.draw;
        d.samples = 4;
        d.state.sample_pattern.samples_4 = 0xAE2AE662;
        d.state.raster.force_multisampling = forced;
        d.state.raster.dx_multisample_rasterization_mode = uint8_t(mode);
        d.state.raster.dx_multisample_rasterization_enable = mode & 1;
        d.state.multisample.pixel_location = corner;
        d.ps_grf_start.fill(25);
        d.state.wm.barycentric_interpolation_mode = 0b000100;
        d.state.ps.position_xy_offset_select = 3;
        f.b.primitive.l1 = {1, 0, 0}, f.b.primitive.l2 = {0, 1, 0};
        f.thread.sample = 1;
        f.fill(1);
        const float whole = corner ? 0 : .5f;
        const bool apart = mode & 1;
        EXPECT_EQ(f.real(2, 0), apart ? 14 / 16.f : whole) << mode;
        EXPECT_EQ(f.real(3, 0), apart ? 6 / 16.f : whole) << mode;
        EXPECT_EQ(f.dword(6, 0) & 0xFFFF, apart ? 0x060Eu : unsigned(whole * 16) * 0x101) << mode;
        const RasterState s = raster_state(d).value();
        EXPECT_EQ(s.tests.count, apart ? 4 : 1);
        for (unsigned n = 0; n < 4; ++n)
          EXPECT_EQ(float(s.tests.at[s.tests.count > 1 ? n : 0].x) / subpixels, f.pixels.places[n].x);
      }
}

// Offsets of eight lanes fill half of their register; the rest is nothing that was there before.
TEST(PixelPayload, OffsetsOfEightLanesAreAWholeRegister) {
  Filled f;
  Draw& d = f.b.draw;
  d.state.ps.dispatch_16 = false, d.state.ps.dispatch_8 = true;
  d.ps_grf_start.fill(25);
  d.state.wm.barycentric_interpolation_mode = 0;
  d.state.ps.position_xy_offset_select = 2;
  std::memset(f.grf.data(), 0xAB, f.grf.size());
  f.fill(0);
  for (unsigned n = 4; n < 8; ++n) EXPECT_EQ(f.dword(2, n), 0u);
}

TEST(PixelPayload, ThirtyTwoLanesHaveTwoLists) {
  Filled f;
  Draw& d = f.b.draw;
  d.state.ps.dispatch_16 = false, d.state.ps.dispatch_32 = true;
  d.ps_grf_start.fill(27);
  d.state.wm.barycentric_interpolation_mode = 1;
  d.state.ps_extra.pixel_shader_uses_source_depth = true;
  f.b.primitive.l1 = {1, 0, 0}, f.b.primitive.z = {2, 0, 0};
  for (unsigned k = 0; k < 8; ++k) f.thread.subspans[k] = {uint16_t(2 * k), 0};
  f.fill(2, 0x0FF0FFFF);
  EXPECT_EQ(f.dword(1, 7) & 0xFFFF, 0xFFFFu);
  EXPECT_EQ(f.dword(2, 7) & 0xFFFF, 0x0FF0u);
  EXPECT_EQ(f.dword(2, 2), 8u);
  EXPECT_EQ(f.real(3, 0), .5f);
  EXPECT_EQ(f.real(7, 0), 1);  // depth of the first sixteen
  EXPECT_EQ(f.real(9, 0), 8.5f);
  EXPECT_EQ(f.real(13, 0), 17);
}

TEST(PixelPayload, SetupByTheRulesOfSbe) {
  Bench b;
  commands::three_d::Sbe& sbe = b.draw.state.sbe;
  commands::three_d::SbeSwiz& swiz = b.draw.state.sbe_swiz;
  b.draw.state.vs.vertex_urb_entry_output_read_offset = 1, b.draw.state.vs.vertex_urb_entry_output_length = 4;
  const auto bits = [](float f) { return std::bit_cast<uint32_t>(f); };
  for (unsigned v = 0; v < 3; ++v)
    for (unsigned n = 0; n < 16; ++n)
      for (unsigned c = 0; c < 4; ++c) b.vues[v][n][c] = bits(float(100 * n + 10 * c) + float(v * v));
  SetupData out{};
  const auto tuple = [&](unsigned a, unsigned c) {
    return std::array{float_of(out[a * 16 + c * 4]), float_of(out[a * 16 + c * 4 + 1]),
                      float_of(out[a * 16 + c * 4 + 3])};
  };
  using T = std::array<float, 3>;
  set_up_attributes(b.draw, b.primitive, 2, out);
  EXPECT_EQ(tuple(1, 2), (T{1, 4, 320}));
  sbe.attribute_swizzle_enable = true;
  swiz.source_attribute[0] = 3;
  swiz.swizzle_select[1] = 1, swiz.source_attribute[1] = 2;
  swiz.swizzle_select[2] = 3, swiz.source_attribute[2] = 4;
  swiz.component_override_w[0] = true, swiz.constant_source[0] = 1;
  swiz.component_override_x[3] = true, swiz.constant_source[3] = 3;
  b.primitive.object.primitive_id = 77;
  sbe.constant_interpolation_enable = 1u << 4;
  b.primitive.object.flat = b.vues[1].data();
  sbe.primitive_id_override_attribute_select = 5, sbe.primitive_id_override_component_z = true;
  b.primitive.back_facing = true;
  set_up_attributes(b.draw, b.primitive, 7, out);
  EXPECT_EQ(tuple(0, 1), (T{1, 4, 510}));
  EXPECT_EQ(tuple(0, 3), (T{0, 0, 1}));
  EXPECT_EQ(tuple(1, 0), (T{1, 4, 500}));
  EXPECT_EQ(tuple(2, 1), (T{1, 4, 730}));
  EXPECT_EQ(out[3 * 16 + 3], 77u);
  EXPECT_EQ(tuple(4, 0), (T{0, 0, 201}));
  EXPECT_EQ(out[5 * 16 + 11], 77u);
  // A point: values of its vertex, but for constants if it was a triangle; the sprite's coordinates are weights.
  b.primitive.object.kind = ObjectKind::point, b.primitive.back_facing = false;
  set_up_attributes(b.draw, b.primitive, 7, out);
  EXPECT_EQ(tuple(4, 0), (T{0, 0, 201}));
  sbe.point_sprite_texture_coordinate_enable = 2, sbe.point_sprite_texture_coordinate_origin = 1;
  set_up_attributes(b.draw, b.primitive, 2, out);
  EXPECT_EQ(tuple(0, 0), (T{0, 0, 500}));
  EXPECT_EQ(tuple(1, 0), (T{1, 0, 0}));
  EXPECT_EQ(tuple(1, 1), (T{0, -1, 1}));
  EXPECT_EQ(tuple(1, 3), (T{0, 0, 1}));
  // Beyond what is read there is nothing.
  sbe = {};
  b.primitive.object.kind = ObjectKind::triangle;
  set_up_attributes(b.draw, b.primitive, 32, out);
  EXPECT_EQ(tuple(7, 0), (T{1, 4, 900}));
  EXPECT_EQ(tuple(8, 0), (T{0, 0, 0}));
  // SBE's own offset and length, each where it forces it.
  sbe.vertex_urb_entry_read_offset = 2, sbe.vertex_urb_entry_read_length = 1;
  sbe.force_vertex_urb_entry_read_offset = true;
  set_up_attributes(b.draw, b.primitive, 32, out);
  EXPECT_EQ(tuple(7, 0), (T{1, 4, 1100}));
  EXPECT_EQ(tuple(8, 0), (T{0, 0, 0}));
  sbe.force_vertex_urb_entry_read_length = true;
  set_up_attributes(b.draw, b.primitive, 32, out);
  EXPECT_EQ(tuple(1, 0), (T{1, 4, 500}));
  EXPECT_EQ(tuple(2, 0), (T{0, 0, 0}));
}

TEST(PixelPayload, TooLargeIsAFault) {
  Filled f;
  f.b.draw.ps[1] = std::make_shared<dispatch::Stage>();
  set_push(f.b.draw, 120);
  f.b.draw.ps_grf_start.fill(20);
  EXPECT_TRUE(find_pixel_layout(f.b.draw, 1, f.layout));
}

}  // namespace
}  // namespace vitro::pipeline
