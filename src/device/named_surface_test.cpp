// Surfaces by the commands that name them: the destinations of blits, of each kind and generation, written by hand.
#include "device/named_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "formats/format.h"
#include "memory/address_space.h"

namespace vitro::device {
namespace {

constexpr uint64_t packets = 0x10000, surfaces = 0x20000;

struct Guest {
  std::vector<std::byte> bytes = std::vector<std::byte>(0x30000);
  memory::View view{std::make_shared<memory::Table>(std::vector<memory::Range>{{0, bytes.size(), bytes.data()}})};

  explicit Guest(const std::vector<uint32_t>& packet) {
    std::memcpy(bytes.data() + packets, packet.data(), 4 * packet.size());
    for (size_t n = surfaces; n < bytes.size(); ++n) bytes[n] = std::byte(n * 2654435761u >> 24);
  }
  Result<state::Surface> named(const char* device, const std::string& kind = "blit") {
    return named_surface(*gen::find_device(device), view, kind + "@" + std::to_string(packets));
  }
};

struct Case {
  const char *what, *device, *kind;
  std::vector<uint32_t> packet;
  memory::Tiling tiling;
  uint32_t width, height, pitch;
  const char* format;
};
using memory::Tiling;
constexpr uint32_t depth_32 = 3 << 24, at = uint32_t(surfaces);
constexpr const char* bgra = "B8G8R8A8_UNORM";
template <class... D>
std::vector<uint32_t> dwords(D... d) {
  return {uint32_t(d)...};
}
const Case cases[] = {
    {"color, linear", "kbl", "blit", dwords(0x54300005, depth_32 | 256, 0, 20 << 16 | 30, at, 0, 0), Tiling::linear, 30,
     20, 256, bgra},
    {"color, tiles of X", "bdw", "blit", dwords(0x54300805, 1 << 24 | 128, 0, 9 << 16 | 40, at, 0, 0), Tiling::x, 40, 9,
     512, "B5G6R5_UNORM"},
    {"color, tiles of Y by BCS_SWCTRL", "apl", "blit_y", dwords(0x54300805, depth_32 | 64, 0, 33 << 16 | 40, at, 0, 0),
     Tiling::y, 40, 33, 256, bgra},
    {"color of Gen6", "snb", "blit", dwords(0x54300804, depth_32 | 128, 0, 9 << 16 | 40, at, 0), Tiling::x, 40, 9, 512,
     bgra},
    {"without coordinates", "kbl", "blit", dwords(0x50300004, depth_32 | 256, 7 << 16 | 80, at, 0, 0), Tiling::linear,
     20, 7, 256, bgra},
    {"a setup command", "kbl", "blit", dwords(0x40700008, 2 << 24 | 128, 0, 5 << 16 | 6, at, 0, 0, 0, 0, 0),
     Tiling::linear, 6, 5, 128, "B5G5R5A1_UNORM"},
    {"fast copy to tiles of Y", "kbl", "blit",
     dwords(0x50800008 | 2 << 13, depth_32 | 32, 0, 33 << 16 | 20, at, 0, 0, 128, 0, 0), Tiling::y, 20, 33, 128, bgra},
    {"fast copy of 64 bits, tiles of Yf", "kbl", "blit",
     dwords(0x50800008 | 2 << 13, 1u << 30 | 4 << 24 | 64, 0, 8 << 16 | 9, at, 0, 0, 128, 0, 0), Tiling::yf, 9, 8, 256,
     "R16G16B16A16_UNORM"},
};

TEST(NamedSurface, DestinationsOfBlits) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Guest guest(c.packet);
    const Result<state::Surface> s = guest.named(c.device, c.kind);
    ASSERT_TRUE(s) << s.error().message;
    EXPECT_EQ(s->tiling(), c.tiling);
    EXPECT_EQ(s->base, surfaces);
    EXPECT_EQ(s->width(), c.width);
    EXPECT_EQ(s->height(), c.height);
    EXPECT_EQ(s->pitch(), c.pitch);
    EXPECT_EQ(s->format, formats::find(c.format)->code);
    const auto bytes = surface_bytes(guest.view, *s);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const uint32_t bits = formats::find(c.format)->bits, row = c.width * bits / 8;
    ASSERT_EQ(bytes->size(), row * c.height);
    const memory::TileLayout& layout = memory::tile_layout(c.tiling, bits);
    for (uint32_t y = 0; y < c.height; ++y)
      for (uint32_t x = 0; x < row; ++x) {
        const uint64_t place = c.tiling == Tiling::linear ? y * c.pitch + x : tiled_offset(layout, x, y, c.pitch);
        ASSERT_EQ((*bytes)[y * row + x], guest.bytes[surfaces + place]) << x << ' ' << y;
      }
  }
}

TEST(NamedSurface, WhatNamesNone) {
  const auto refused = [](std::vector<uint32_t> packet, const char* device, std::string_view why) {
    const Result<state::Surface> s = Guest(packet).named(device);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().message.find(why), std::string::npos) << s.error().message;
  };
  refused({0x49000000, 0}, "kbl", "name that one");                       // XY_PIXEL_BLT
  refused({0x7A000004}, "kbl", "no blit");                                // PIPE_CONTROL
  refused({0xFFFFFFFF}, "kbl", "no blit");                                //
  refused({0x50800008, 0}, "bdw", "no blit");                             // XY_FAST_COPY_BLT is Gen9's
  refused({0x54300005, depth_32 | 256, 0, 0, at, 0, 0}, "kbl", "empty");  //
  refused({0x54300005, depth_32 | 0xFF00, 0, 1 << 16 | 1, at, 0, 0}, "kbl", "a pitch of");  // upwards
  refused({0x50800008, 7 << 24 | 64, 0, 1 << 16 | 1, at, 0, 0, 0, 0, 0}, "kbl", "reserved depth");
}

}  // namespace
}  // namespace vitro::device
