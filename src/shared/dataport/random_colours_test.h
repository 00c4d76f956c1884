// A pixel thread in front of a data port, and render target writes drawn at random: targets, states of blending,
// colours, places and masks. No part of the machine.
#pragma once

#include "base/random.h"
#include "shared/dataport/dataport_bench_test.h"
#include "shared/image/guest_test.h"
#include "shared/pixel_context.h"

namespace vitro::shared::test {

inline constexpr uint32_t width = 16, height = 16;

inline state::Surface target(std::string_view format, state::TileMode tiles = state::TileMode::linear) {
  state::Surface s = plain_2d(format, width, height, 512);
  s.base = home;
  set_tiling(s, tiles);
  return s;
}

// A bench whose thread has the 4x4 pixels from (4, 8) on, and behind them the ones below.
struct Pixels {
  Bench b;
  PixelThread thread{};
  PixelContext pixels{};

  explicit Pixels(const DataPortLayout& l) : b(l) {
    b.environment.pixels = &pixels;
    pixels.thread = &thread;
    std::fill(b.host.begin(), b.host.begin() + tables, std::byte{0});
    for (unsigned k = 0; k < 8; ++k) thread.subspans[k] = {uint16_t(4 + (k & 1) * 2), uint16_t(8 + (k >> 1) * 2)};
    pixels.lanes = 32;
    thread.lit[0] = thread.covered[0] = ~0u;
  }
  void bind(const state::Surface& s) { b.bind(0, s); }
  formats::Rgba at(unsigned x, unsigned y, uint32_t slice = 0, uint32_t sample = 0) {
    const RenderTarget& t = b.port->surfaces.bound(0).target(*b.view);
    TargetPixel p{*b.view, t, x, y, t.slice(slice)};
    p.load_code();
    return decoded(t, p.load(sample));
  }
};

struct RandomColours {
  PixelOutputs out{.first = 0, .count = 16, .layer = 0};
  LitSamples lit{};
  const RenderTarget* target = nullptr;
  TargetSite* site = nullptr;

  RandomColours(Rng& r, Pixels& p) {
    constexpr std::string_view names[] = {
        "R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "R8G8B8A8_SNORM", "R16G16B16A16_FLOAT",  "R10G10B10A2_UNORM",
        "B5G6R5_UNORM",   "R32_FLOAT",      "A8_UNORM",       "R8G8B8A8_UNORM_SRGB", "R11G11B10_FLOAT",
        "R8G8B8A8_UINT",  "R16G16_SNORM",   "B5G5R5A1_UNORM", "B8G8R8X8_UNORM",      "R16_UINT",
        "L8_UNORM",       "R32G32_FLOAT",   "R16G16_FLOAT",   "R16G16B16A16_UNORM",  "R32G32B32A32_FLOAT"};
    constexpr uint8_t codes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19, 20, 21, 23, 24, 25, 26};
    const auto factor = [&] { return codes[r.below(std::size(codes))]; };
    constexpr state::TileMode tilings[] = {state::TileMode::linear, state::TileMode::x, state::TileMode::y};
    state::Surface s = test::target(names[r.below(std::size(names))], tilings[r.below(3)]);
    for (uint32_t at = 0; at < 0x2000; at += 4) p.b.set(at, uint32_t(r()) & 0x7F7F7F7F);
    p.pixels.samples = 1;
    if (r.below(4) == 0) make_multisampled(r, p, s);
    p.bind(s);
    state::BlendStateEntry& e = p.pixels.blend_entries[0];
    e = {};
    e.color_buffer_blend_enable = r.below(2) != 0;
    e.source_blend_factor = factor(), e.destination_blend_factor = factor();
    e.source_alpha_blend_factor = factor(), e.destination_alpha_blend_factor = factor();
    e.color_blend_function = uint8_t(r.below(5)), e.alpha_blend_function = uint8_t(r.below(5));
    p.pixels.blend.independent_alpha_blend_enable = r.below(2);
    e.pre_blend_color_clamp_enable = r.below(2), e.post_blend_color_clamp_enable = r.below(2);
    e.color_clamp_range = uint8_t(r.below(3));
    e.logic_op_enable = r.below(4) == 0, e.logic_op_function = uint8_t(r.below(16));
    e.write_disable_red = r.below(8) == 0, e.write_disable_green = r.below(8) == 0;
    e.write_disable_blue = r.below(8) == 0, e.write_disable_alpha = r.below(8) == 0;
    p.pixels.color_calc.blend_constant_color_green = .75f, p.pixels.color_calc.blend_constant_color_alpha = .25f;
    for (auto* both : {&out.colour, &out.second})
      for (auto& c : *both)
        for (uint32_t& v : c) v = bits_of(float(r.below(2000)) / 1000 - .5f);
    lit[0] = uint32_t(r()) & 0xFFFF;
    if (r.below(2)) lit[0] |= 0xFF;
    for (unsigned n = 1; n < p.pixels.samples; ++n) lit[n] = lit[0];
    // A block, or subspans here and there, no two in one place, some outside.
    const bool block = r.below(2);
    for (unsigned k = 0; k < 4; ++k)
      p.thread.subspans[k] = block ? PixelThread::Subspan{uint16_t(4 + (k & 1) * 2), uint16_t(8 + (k >> 1) * 2)}
                                   : PixelThread::Subspan{uint16_t(2 * r.below(9)), uint16_t(4 * k + 2 * r.below(2))};
    target = &p.b.port->surfaces.bound(0).target(*p.b.view);
    site = &p.b.port->target_site(0, *target, 0);
  }
  // With codes of all kinds; all samples of a pixel are lit, or none is.
  static void make_multisampled(Rng& r, Pixels& p, state::Surface& s) {
    constexpr uint32_t control = 0x8000;
    s.log2_samples = uint8_t(1 + r.below(3));
    set_tiling(s, state::TileMode::y);
    s.pitch_less_1 = 255, s.qpitch_field = 4;  // planes of 16 rows
    s.aux_mode = state::AuxMode::ccs_d, s.aux_base = home + control, s.aux_pitch_less_1 = 0;
    s.red_clear = s.alpha_clear = bits_of(1), s.green_clear = bits_of(.25f);
    p.pixels.samples = s.samples();
    for (uint32_t at = 0; at < control; at += 4) p.b.set(at, uint32_t(r()) & 0x7F7F7F7F);
    const bool alike = r.below(2);
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x) {
        const uint64_t codes[] = {mcs_all_in_first, ~uint64_t(0), mcs_identity(s.log2_samples), uint64_t(r())};
        const uint64_t code = codes[r.below(alike ? 2 : 4)];
        const uint32_t bytes = s.log2_samples <= 2 ? 1 : 4;
        std::memcpy(p.b.host.data() + control + memory::tiled_offset(memory::Tiling::y, x * bytes, y, 128), &code,
                    bytes);
      }
  }
};

}  // namespace vitro::shared::test
