// Render targets as pixels: formats, levels, layers and samples of small linear surfaces whose bytes are written by
// hand.
#include "device/picture.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "device/named_surface.h"
#include "formats/format.h"
#include "memory/address_space.h"

namespace vitro::device {
namespace {

constexpr uint64_t at = 0x10000;

struct Target {
  std::vector<std::byte> bytes = std::vector<std::byte>(0x10000);
  state::Surface surface{.rules = &state::surface_gen9.rules,
                         .type = state::SurfaceType::two_d,
                         .base = at,
                         .width_less_1 = 1,
                         .height_less_1 = 0,
                         .pitch_less_1 = 63,
                         .horizontal_alignment = 1,
                         .vertical_alignment = 1};

  explicit Target(std::string_view format) { surface.format = formats::find(format)->code; }
  template <class T>
  void put(size_t offset, const std::vector<T>& values) {
    std::memcpy(bytes.data() + offset, values.data(), values.size() * sizeof(T));
  }
  std::vector<uint8_t> shown() {
    const auto table = std::make_shared<memory::Table>(std::vector<memory::Range>{{at, bytes.size(), bytes.data()}});
    memory::View view(table);
    const Result<Pixels> p = pixels_of(view, surface);
    EXPECT_TRUE(p) << (p ? "" : p.error().message);
    return p ? p->rgba : std::vector<uint8_t>{};
  }
  std::vector<uint8_t> dumped() {
    const auto table = std::make_shared<memory::Table>(std::vector<memory::Range>{{at, bytes.size(), bytes.data()}});
    memory::View view(table);
    const auto dump = surface_bytes(view, surface);
    EXPECT_TRUE(dump) << (dump ? "" : dump.error().message);
    std::vector<uint8_t> out(dump ? dump->size() : 0);
    if (dump) std::memcpy(out.data(), dump->data(), out.size());
    return out;
  }
};
using Bytes = std::vector<uint8_t>;

TEST(Picture, BytesStayBytes) {
  for (const char* format : {"R8G8B8A8_UNORM", "R8G8B8A8_UNORM_SRGB", "R8G8B8A8_UINT"})
    for (unsigned v = 0; v < 256; ++v) {
      Target t(format);
      const Bytes pixels{uint8_t(v), uint8_t(255 - v), 7, uint8_t(v), 1, 2, 3, 4};
      t.put(0, pixels);
      EXPECT_EQ(t.shown(), pixels) << format << ' ' << v;
    }
  Target swapped("B8G8R8A8_UNORM");
  swapped.put(0, Bytes{3, 2, 1, 4, 30, 20, 10, 40});
  EXPECT_EQ(swapped.shown(), (Bytes{1, 2, 3, 4, 10, 20, 30, 40}));
}

TEST(Picture, OtherNumbersAreClamped) {
  Target floats("R32G32B32A32_FLOAT");
  floats.put(0, std::vector<float>{-1, 2, 0.5f, 1, 0.2f, std::numeric_limits<float>::quiet_NaN(), 0, 1});
  EXPECT_EQ(floats.shown(), (Bytes{0, 255, 128, 255, 51, 0, 0, 255}));
  Target signs("R16_SINT");
  signs.put(0, std::vector<int16_t>{-5, 300});
  EXPECT_EQ(signs.shown(), (Bytes{0, 0, 0, 1, 255, 0, 0, 1}));
  Target wide("R32_UINT");
  wide.put(0, std::vector<uint32_t>{~0u, 17});
  EXPECT_EQ(wide.shown(), (Bytes{255, 0, 0, 1, 17, 0, 0, 1}));
}

TEST(Picture, TheTargetsLayerIsTaken) {
  Target t("R8_UNORM");
  t.surface.array = true;
  t.surface.depth_less_1 = 3;
  t.surface.qpitch_field = 1;  // four rows
  t.surface.min_array_element = 2;
  t.put(2 * 4 * 64, Bytes{200, 100});
  EXPECT_EQ(t.shown(), (Bytes{200, 0, 0, 255, 100, 0, 0, 255}));
}

TEST(Picture, SamplesAreAveraged) {
  Target t("R8_UNORM");
  t.surface.log2_samples = 2;
  t.surface.qpitch_field = 1;
  const std::array<Bytes, 4> planes{{{10, 0}, {20, 0}, {30, 255}, {40, 255}}};
  for (size_t s = 0; s < 4; ++s) t.put(s * 4 * 64, planes[s]);
  EXPECT_EQ(t.shown(), (Bytes{25, 0, 0, 255, 128, 0, 0, 255}));
}

// What is written as bytes is the part that the picture shows: its level, and its samples as the control surface has
// them.
TEST(Picture, BytesAreOfTheSamePart) {
  Target t("R8G8B8A8_UNORM");
  t.surface.width_less_1 = t.surface.height_less_1 = 7;
  t.surface.mip_count = 1;
  Bytes all(0x400);
  for (size_t n = 0; n < all.size(); ++n) all[n] = uint8_t(n * 7 + n / 64);
  t.put(0, all);
  ASSERT_EQ(t.shown().size(), 4u * 4 * 4);
  EXPECT_EQ(t.dumped(), t.shown());
  Target many("R8_UNORM");
  many.surface.log2_samples = 2;
  many.surface.qpitch_field = 1;
  for (size_t s = 0; s < 4; ++s) many.put(s * 4 * 64, Bytes{uint8_t(10 * s), uint8_t(10 * s + 1)});
  EXPECT_EQ(many.dumped(), (Bytes{0, 1, 10, 11, 20, 21, 30, 31}));
  many.surface.aux_mode = state::AuxMode::ccs_d;
  many.surface.aux_base = at + 0x8000;
  many.surface.red_clear = std::bit_cast<uint32_t>(1.0f);
  many.put(0x8000, Bytes{0, 0xFF});  // all in the first plane; clear
  EXPECT_EQ(many.dumped(), (Bytes{0, 255, 0, 255, 0, 255, 0, 255}));
  EXPECT_EQ(many.shown(), (Bytes{0, 0, 0, 255, 255, 0, 0, 255}));
}

TEST(Picture, WhatCannotBeShownSaysWhy) {
  std::vector<std::byte> none(64);
  memory::View view(std::make_shared<memory::Table>(std::vector<memory::Range>{{at, none.size(), none.data()}}));
  EXPECT_FALSE(pixels_of(view, state::Surface{}));
  Target block("BC1_UNORM");
  EXPECT_EQ(pixels_of(view, block.surface).error().message, "unsupported: BC1_UNORM");
  Target good("R8_UNORM");
  EXPECT_EQ(write_picture(view, good.surface, "/").error().message, "Is a directory");
}

}  // namespace
}  // namespace vitro::device
