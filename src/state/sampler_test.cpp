// Tests of SAMPLER_STATE: fields where the documents put them, signed and fixed-point LODs, and border colours in each
// generation's encodings.
#include "state/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace vitro::state {
namespace {

uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

TEST(SamplerState, gen8_fields) {
  const std::array<uint32_t, 4> packet = {
      uint32_t(-128 & 0x1FFF) << 1 | 1 << 14 | 2 << 17 | 3 << 20 | 3 << 22 | 2 << 27 | 1u << 31,
      1 | 4 << 1 | 0x280 << 8 | 0x140u << 20,
      1 | 0x1240,
      2 | 4 << 3 | 6 << 6 | 1 << 10 | 1 << 18 | 5 << 19,
  };
  const Sampler s = sampler_gen8.decode(packet);
  EXPECT_EQ(s.lod_bias, -0.5f);
  EXPECT_EQ(s.min_filter, MapFilter::linear);
  EXPECT_EQ(s.mag_filter, MapFilter::anisotropic);
  EXPECT_EQ(s.mip_filter, MipFilter::linear);
  EXPECT_EQ(s.base_mip_level, 1.5f);
  EXPECT_EQ(s.lod_preclamp, 2);
  EXPECT_TRUE(s.disable);
  EXPECT_TRUE(s.cube_override);
  EXPECT_EQ(s.shadow_function, ShadowFunction::lequal);
  EXPECT_EQ(s.max_lod, 2.5f);
  EXPECT_EQ(s.min_lod, 1.25f);
  EXPECT_TRUE(s.lod_clamp_magnification);
  EXPECT_EQ(s.border_pointer, 0x1240u);
  EXPECT_EQ(s.tcz, AddressMode::clamp);
  EXPECT_EQ(s.tcy, AddressMode::clamp_border);
  EXPECT_EQ(s.tcx, AddressMode::half_border);
  EXPECT_TRUE(s.non_normalized);
  EXPECT_TRUE(s.u_mag_rounding);
  EXPECT_FALSE(s.u_min_rounding);
  EXPECT_EQ(s.maximum_anisotropy, 5);
  EXPECT_FALSE(s.reduction_enable);
}

TEST(SamplerState, gen9_adds_reduction_and_has_no_base_level) {
  const std::array<uint32_t, 4> packet = {3 << 22, 0, 0, 1 << 9 | 3u << 22};
  const Sampler s = sampler_gen9.decode(packet);
  EXPECT_TRUE(s.reduction_enable);
  EXPECT_EQ(s.reduction, Reduction::maximum);
  EXPECT_EQ(s.base_mip_level, 0.0f);
}

TEST(SamplerState, gen6_fields) {
  const std::array<uint32_t, 4> packet = {5 | uint32_t(-32 & 0x7FF) << 3 | 1 << 17 | 1 << 20 | 1 << 27 | 1 << 28,
                                          1 | 2 << 3 | 5 << 6 | 0xA0 << 12 | 0x50u << 22, 0x1220, 1 | 1 << 13};
  const Sampler s = sampler_gen6.decode(packet);
  EXPECT_EQ(s.shadow_function, ShadowFunction::greater);
  EXPECT_EQ(s.lod_bias, -0.5f);
  EXPECT_EQ(s.mag_filter, MapFilter::linear);
  EXPECT_EQ(s.mip_filter, MipFilter::nearest);
  EXPECT_TRUE(s.min_mag_differ);
  EXPECT_EQ(s.lod_preclamp, 1);
  EXPECT_EQ(s.tcz, AddressMode::mirror);
  EXPECT_EQ(s.tcy, AddressMode::clamp);
  EXPECT_EQ(s.tcx, AddressMode::mirror_once);
  EXPECT_EQ(s.max_lod, 2.5f);
  EXPECT_EQ(s.min_lod, 1.25f);
  EXPECT_EQ(s.border_pointer, 0x1220u);
  EXPECT_TRUE(s.non_normalized);
  EXPECT_TRUE(s.r_min_rounding);
}

TEST(SamplerState, encoding_gives_back_the_fields) {
  for (const SamplerLayout* layout : {&sampler_gen6, &sampler_gen8, &sampler_gen9}) {
    Sampler s;
    s.min_filter = MapFilter::linear, s.tcx = AddressMode::clamp_border, s.border_pointer = 0x1240;
    s.lod_bias_field = -7, s.max_lod_field = 300, s.shadow_function = ShadowFunction::gequal;
    std::array<uint32_t, 4> packet{};
    layout->encode(s, packet);
    const Sampler t = layout->decode(packet);
    EXPECT_EQ(t.min_filter, s.min_filter);
    EXPECT_EQ(t.tcx, s.tcx);
    EXPECT_EQ(t.border_pointer, s.border_pointer);
    EXPECT_EQ(t.lod_bias_field, -7);
    EXPECT_EQ(t.max_lod_field, 300);
    EXPECT_EQ(t.shadow_function, s.shadow_function);
  }
}

struct Memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(4096);
  memory::AddressSpace space{};
  Bases bases{};
  Memory() {
    const memory::Range r{0x10000, bytes.size(), bytes.data()};
    space.bind({&r, 1});
    bases.dynamic.address = 0x10000;
  }
  memory::View view() const { return memory::View(space.table()); }
};

TEST(SamplerState, gen6_border_colours_have_an_encoding_for_each_kind_of_format) {
  Memory m;
  memory::View view = m.view();
  Sampler s;
  s.border_pointer = 0x100;
  // A different colour in every encoding.
  const uint32_t border[12] = {0x04FF0000 | 51,    bits(2),    bits(3),    bits(4), bits(5),   0x40003C00, 0x42000000,
                               0x00000000 | 13107, 0xFFFF0000, 0x7FFF8001, 0,       0x7F81007F};
  view.write(0x10100, std::as_bytes(std::span(border)));
  const auto colour = [&](const char* format) {
    return read_border(sampler_gen6, view, m.bases, s, *formats::find(format));
  };
  EXPECT_EQ(colour("R8G8B8A8_UNORM"), (formats::Rgba{bits(0.2f), 0, bits(1), bits(4 / 255.0f)}));
  EXPECT_EQ(colour("R32G32B32A32_FLOAT"), (formats::Rgba{bits(2), bits(3), bits(4), bits(5)}));
  EXPECT_EQ(colour("R16G16B16A16_FLOAT"), (formats::Rgba{bits(1), bits(2), 0, bits(3)}));
  EXPECT_EQ(colour("R16G16B16A16_UNORM"), (formats::Rgba{bits(13107 / 65535.0f), 0, 0, bits(1)}));
  EXPECT_EQ(colour("R16G16_SNORM"), (formats::Rgba{bits(-1), bits(1), 0, bits(1)}));
  EXPECT_EQ(colour("R8G8B8A8_SNORM"), (formats::Rgba{bits(1), 0, bits(-1), bits(1)}));
  EXPECT_EQ(colour("B5G6R5_UNORM"), (formats::Rgba{bits(1), bits(1), bits(1), bits(1)}));  // floats, clamped
}

TEST(SamplerState, later_border_colours_are_four_values) {
  Memory m;
  memory::View view = m.view();
  Sampler s;
  s.border_pointer = 0x140;
  const uint32_t border[4] = {bits(2), bits(-3), 7, bits(0.5f)};
  view.write(0x10140, std::as_bytes(std::span(border)));
  for (const SamplerLayout* layout : {&sampler_gen8, &sampler_gen9}) {
    const auto colour = [&](const char* format) {
      return read_border(*layout, view, m.bases, s, *formats::find(format));
    };
    EXPECT_EQ(colour("R32G32B32A32_UINT"), (formats::Rgba{bits(2), bits(-3), 7, bits(0.5f)}));
    EXPECT_EQ(colour("R8G8_UINT"), (formats::Rgba{bits(2), bits(-3), 0, 1}));
    EXPECT_EQ(colour("R8G8B8A8_SNORM"), (formats::Rgba{bits(1), bits(-1), 7, bits(0.5f)}));
    EXPECT_EQ(colour("A8_UNORM"), (formats::Rgba{0, 0, 0, bits(0.5f)}));
    EXPECT_EQ(colour("BC1_UNORM"), (formats::Rgba{bits(1), 0, 7, bits(0.5f)}));
    EXPECT_EQ(colour("BC5_SNORM"), (formats::Rgba{bits(1), bits(-1), 0, bits(1)}));
    EXPECT_EQ(colour("BC6H_SF16"), (formats::Rgba{bits(2), bits(-3), 7, bits(1)}));
    EXPECT_EQ(colour("EAC_R11"), (formats::Rgba{bits(1), 0, 0, bits(1)}));
    EXPECT_EQ(colour("ETC2_SRGB8"), (formats::Rgba{bits(1), 0, 7, bits(1)}));
    EXPECT_EQ(colour("ETC2_EAC_SRGB8_A8"), (formats::Rgba{bits(1), 0, 7, bits(0.5f)}));
    EXPECT_EQ(colour("R8G8B8A8_UNORM_SRGB"), (formats::Rgba{bits(1), 0, 7, bits(0.5f)}));  // not decoded
    EXPECT_EQ(colour("R24_UNORM_X8_TYPELESS"), (formats::Rgba{bits(1), 0, 0, bits(1)}));
  }
}

}  // namespace
}  // namespace vitro::state
