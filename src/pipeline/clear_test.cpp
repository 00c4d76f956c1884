// Fast clears and 3DSTATE_WM_HZ_OP: scales, edges, tiles, colours of both generations, control surfaces, depth and
// stencil values.
#include "pipeline/clear.h"

#include "dispatch/pool.h"
#include "pipeline/pixel_bench_test.h"
#include "pipeline/scene_renderer.h"

namespace vitro::pipeline {
namespace {

using pixel_test::Bench, pixel_test::home, pixel_test::target_at, pixel_test::depth_at, pixel_test::stencil_at,
    pixel_test::control_at;

TEST(Clear, Scales) {
  struct Row {
    const char* format;
    uint8_t tile_mode;
    unsigned x, y8, y9;
  };
  for (const Row& r : {Row{"R8G8B8A8_UNORM", 3, 64, 64, 32}, Row{"R16G16B16A16_FLOAT", 3, 32, 64, 32},
                       Row{"R32G32B32A32_FLOAT", 3, 16, 64, 32}, Row{"R8G8B8A8_UNORM", 2, 128, 32, 16},
                       Row{"R16G16B16A16_FLOAT", 2, 64, 32, 16}, Row{"R32G32B32A32_FLOAT", 2, 32, 32, 16}})
    for (const Traits* t : {&pixel_test::traits_gen8, &pixel_test::traits_gen9}) {
      Bench b;
      b.draw.traits = t;
      state::Surface s = Bench::target(r.format, 64, 64, 1024);
      s.tile_mode = r.tile_mode, s.rules = &t->surfaces->rules;
      const ClearScale scale = fast_clear_scale(*t, shared::render_target(*b.view, s));
      EXPECT_EQ(scale.x, r.x);
      EXPECT_EQ(scale.y, t == &pixel_test::traits_gen8 ? r.y8 : r.y9);
    }
}

TEST(Clear, FillsWhatIsInsideAndNothingElse) {
  for (uint8_t tile_mode : {0, 2, 3})
    for (const char* format : {"R8G8B8A8_UNORM", "R16G16B16A16_FLOAT", "R8_UINT"}) {
      Bench b;
      state::Surface s = Bench::target(format, 300, 100, 4096);
      s.tile_mode = tile_mode, s.rules = &state::surface_gen9.rules;
      const shared::RenderTarget t = shared::render_target(*b.view, s);
      fill_texels(*b.view, t.image, t.at(), {3, 5, 290, 97}, 0, 0, {0x0102030405060708});
      const unsigned bytes = t.image.element_bytes;
      for (uint32_t y = 0; y < 128; ++y)
        for (uint32_t x = 0; x < 320; ++x) {
          const uint64_t at = target_at + memory::tiled_offset(t.image.tiling, x * bytes, y, 4096);
          const bool inside = x >= 3 && x < 290 && y >= 5 && y < 97;
          ASSERT_EQ(b.get<uint8_t>(at), inside ? 8 : 0) << x << " " << y;
        }
    }
}

TEST(Clear, FastClearIsScaledAndClipped) {
  for (const Traits* traits : {&pixel_test::traits_gen8, &pixel_test::traits_gen9}) {
    Bench b;
    b.draw.traits = traits;
    state::Surface s = Bench::target("R8G8B8A8_UNORM", 100, 80, 512);
    s.tile_mode = 3;
    const bool bits = traits->surfaces->rules.clear_colour_is_bits;
    s.red_clear = bits ? 1 : 0x3F800000, s.blue_clear = bits ? 1 : 0x3F800000;
    b.bind(0, s);
    b.draw.state.ps.render_target_fast_clear_enable = true;
    b.run({b.block(0, 0, 0x0033)});
    const unsigned below = traits == &pixel_test::traits_gen8 ? 64 : 32;
    for (uint32_t y = 0; y < 96; ++y)
      for (uint32_t x = 0; x < 128; ++x) {
        const uint64_t at = target_at + memory::tiled_offset(memory::Tiling::y, x * 4, y, 512);
        ASSERT_EQ(b.get(at), x < 100 && y < below ? 0x00FF00FFu : 0u) << x << " " << y;
      }
    // A resolve does nothing.
    b.draw.state.ps.render_target_fast_clear_enable = false;
    b.draw.state.ps.render_target_resolve_type = 1;
    b.run({b.block(0, 0)});
  }
}

TEST(Clear, MultisampledTargetsHaveCodes) {
  Bench b;
  state::Surface s = Bench::target("R8G8B8A8_UNORM", 32, 32, 128);
  s.log2_samples = 2, s.qpitch_field = 8;
  s.aux_mode = state::AuxMode::ccs_d, s.aux_base = home + control_at;
  b.bind(0, s);
  b.draw.state.ps.render_target_fast_clear_enable = true;
  b.run({b.block(0, 0, 0x0001)});
  for (uint32_t y = 0; y < 32; ++y)
    for (uint32_t x = 0; x < 32; ++x)
      ASSERT_EQ(b.get<uint8_t>(control_at + memory::tiled_offset(memory::Tiling::y, x, y, 128)),
                x < 8 && y < 2 ? 0xFF : 0);
}

// A square one of 16 bits.
commands::three_d::DepthBuffer depth_buffer(uint32_t pitch, uint32_t edge) {
  return {.surface_pitch = pitch - 1,
          .surface_format = 5,
          .surface_type = 1,
          .surface_base_address = home + depth_at,
          .width = uint16_t(edge - 1),
          .height = uint16_t(edge - 1)};
}

TEST(Clear, DepthAndStencilByHzOp) {
  for (unsigned log2 : {0u, 2u}) {
    Bench b;
    state::Pipeline& s = b.draw.state;
    s.depth_buffer = depth_buffer(512, 32);
    s.stencil_buffer = {.surface_pitch = 255, .stencil_buffer_enable = true, .surface_base_address = home + stencil_at};
    s.clear_params.depth_clear_value = .5f;
    const commands::three_d::WmHzOp op{.number_of_multisamples = uint8_t(log2),
                                       .stencil_clear_value = 0x7E,
                                       .depth_buffer_clear_enable = true,
                                       .stencil_buffer_clear_enable = true,
                                       .clear_rectangle_x_min = 8,
                                       .clear_rectangle_y_min = 4,
                                       .clear_rectangle_x_max = 24,
                                       .clear_rectangle_y_max = 100,
                                       .sample_mask = 0xFFFF};
    const DepthStencilOperation operation{.traits = b.draw.traits, .operation = op, .state = s, .samples = 1u << log2};
    EXPECT_FALSE(run_hz_op(operation, *b.view));
    const unsigned n = log2 ? 2 : 1;  // texels of a pixel, each way
    for (uint32_t y = 0; y < 32 * n; ++y)
      for (uint32_t x = 0; x < 32 * n; ++x) {
        const bool inside = x >= 8 * n && x < 24 * n && y >= 4 * n;
        ASSERT_EQ(b.get<uint16_t>(depth_at + memory::tiled_offset(memory::Tiling::y, x * 2, y, 512)),
                  inside ? 0x8000 : 0)
            << x << " " << y;
        ASSERT_EQ(b.get<uint8_t>(stencil_at + memory::tiled_offset(memory::Tiling::w, x, y, 128)), inside ? 0x7E : 0);
      }
  }
}

TEST(Clear, HzOpCanBeAbandoned) {
  dispatch::Pool pool({.workers = 1});  // others do not ask
  SceneRenderer renderer(pool, shared::urb_gen8);
  Bench b;
  state::Pipeline& s = b.draw.state;
  s.depth_buffer = depth_buffer(512, 256);
  const commands::three_d::WmHzOp op{
      .depth_buffer_clear_enable = true, .clear_rectangle_x_max = 256, .clear_rectangle_y_max = 256, .sample_mask = 1};
  int asked = 0;
  const std::function<bool()> stop = [&] { return ++asked == 2; };
  const Outcome done = renderer.depth_stencil_operation(
      {.traits = b.draw.traits, .operation = op, .state = s, .memory = b.space.table(), .stop = &stop});
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().hung);
}

TEST(Clear, HzOpOfNothing) {
  dispatch::Pool pool({.workers = 1});
  SceneRenderer renderer(pool, shared::urb_gen8);
  Bench b;
  const commands::three_d::WmHzOp op{
      .depth_buffer_clear_enable = true, .clear_rectangle_y_min = 500, .clear_rectangle_x_max = 8, .sample_mask = 1};
  ASSERT_TRUE(renderer.depth_stencil_operation(
      {.traits = b.draw.traits, .operation = op, .state = b.draw.state, .memory = b.space.table()}));
}

// Large ones are cleared by several host threads, some rows each.
TEST(Clear, HzOpByHostThreads) {
  constexpr uint32_t size = 320;
  dispatch::Pool pool({.workers = 3});
  SceneRenderer renderer(pool, shared::urb_gen8);
  for (unsigned log2 : {0u, 2u}) {
    Bench b;
    const uint32_t of = size >> (log2 / 2);  // as many texels
    state::Pipeline& s = b.draw.state;
    s.depth_buffer = depth_buffer(2 * size, of);
    s.stencil_buffer = {
        .surface_pitch = 2 * size - 1, .stencil_buffer_enable = true, .surface_base_address = home + stencil_at};
    s.clear_params.depth_clear_value = .5f;
    for (bool full : {false, true}) {
      const commands::three_d::WmHzOp op{.number_of_multisamples = uint8_t(log2),
                                         .stencil_clear_value = uint8_t(full ? 0x11 : 0x7E),
                                         .full_surface_depth_and_stencil_clear = full,
                                         .depth_buffer_clear_enable = !full,
                                         .stencil_buffer_clear_enable = true,
                                         .clear_rectangle_x_min = 8,
                                         .clear_rectangle_y_min = 4,
                                         .clear_rectangle_x_max = 1000,
                                         .clear_rectangle_y_max = uint16_t(of - 10),
                                         .sample_mask = 0xFFFF};
      const DepthStencilOperation operation{
          .traits = b.draw.traits, .operation = op, .state = s, .memory = b.space.table(), .samples = 1u << log2};
      ASSERT_TRUE(renderer.depth_stencil_operation(operation));
      const unsigned n = log2 ? 2 : 1;  // texels of a pixel, each way
      for (uint32_t y = 0; y < size; ++y)
        for (uint32_t x = 0; x < size; ++x) {
          const bool inside = x >= 8 * n && y >= 4 * n && y < size - 10 * n;
          ASSERT_EQ(b.get<uint16_t>(depth_at + memory::tiled_offset(memory::Tiling::y, x * 2, y, 2 * size)),
                    inside ? 0x8000 : 0)
              << x << " " << y;
          ASSERT_EQ(b.get<uint8_t>(stencil_at + memory::tiled_offset(memory::Tiling::w, x, y, size)), full     ? 0x11
                                                                                                      : inside ? 0x7E
                                                                                                               : 0)
              << x << " " << y;
        }
    }
  }
}

}  // namespace
}  // namespace vitro::pipeline
