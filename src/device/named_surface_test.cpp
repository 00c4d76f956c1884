// Surfaces by the commands that name them: operands of blits, of each kind and generation, and depth buffers, written
// by hand.
#include "device/named_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "formats/format.h"
#include "memory/address_space.h"

namespace vitro::device {
namespace {

constexpr uint64_t packets = 0x10000, surfaces = 0x20000;

struct Guest {
  std::vector<std::byte> bytes = std::vector<std::byte>(0x30000);
  std::shared_ptr<const memory::Table> table =
      std::make_shared<memory::Table>(std::vector<memory::Range>{{0, bytes.size(), bytes.data()}});
  memory::View view{table};

  explicit Guest(const std::vector<uint32_t>& packet) {
    std::ranges::copy(std::as_bytes(std::span(packet)), bytes.begin() + packets);
    for (size_t n = surfaces; n < bytes.size(); ++n) bytes[n] = std::byte(n * 2654435761u >> 24);
  }
  // As the command at `packets` names it, after it ran. Of blits tiles of Y are set up before it.
  Result<state::Surface> named(const char* device, const std::string& kind = "blit") {
    const bool y = kind.ends_with("_y");
    return ran(device, kind.substr(0, kind.size() - (y ? 2 : 0)), y ? 3 : 0);
  }
  Result<state::Surface> ran(const char* device, const std::string& kind, uint32_t tiles_of_y) {
    const gen::Device& d = *gen::find_device(device);
    NamedSurface named(*parse_surface_name(kind + "@" + std::to_string(packets)));
    Device gpu(d, {.workers = 1});
    const auto context = gpu.create_context();
    // What runs before the command, and itself as it is looked at.
    put(0x8000, {0x11000001, 0x22200, 3u << 16 | tiles_of_y, 0x05000000});
    EXPECT_FALSE(gpu.run(*context, {.engine = Engine::copy, .ppgtt = table, .ggtt = table, .address = 0x8000}));
    const std::vector<uint32_t> packet(16);
    named.command(gpu, *context, Engine::copy, packets, packet);
    return named.find(d, view);
  }
  void put(uint64_t address, const std::vector<uint32_t>& dwords) {
    std::memcpy(bytes.data() + address, dwords.data(), 4 * dwords.size());
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

TEST(NamedSurface, SourcesOfBlits) {
  // XY_SRC_COPY_BLT from (5, 6) to (1, 2)..(31, 22)
  Guest guest(
      dwords(0x54F08008, 3 << 24 | 0xCC0000 | 256, 2 << 16 | 1, 22 << 16 | 31, 0x28000, 0, 6 << 16 | 5, 128, at, 0));
  const auto s = guest.named("kbl", "blit_source");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->tiling(), Tiling::x);
  EXPECT_EQ(guest.ran("kbl", "blit_source", 1)->tiling(), Tiling::y);
  EXPECT_EQ(guest.ran("kbl", "blit_source", 2)->tiling(), Tiling::x);
  EXPECT_EQ(s->base, surfaces);
  EXPECT_EQ(s->width(), 35u);
  EXPECT_EQ(s->height(), 26u);
  EXPECT_EQ(s->pitch(), 512u);
  EXPECT_FALSE(Guest({0x54300005, depth_32 | 256, 0, 20 << 16 | 30, at, 0, 0}).named("kbl", "blit_source"));
}

// Depth and stencil buffer are what the commands up to the draw make of them, whichever names them.
TEST(NamedSurface, DepthAndStencil) {
  Guest guest(dwords(0x78050006, 1u << 29 | 1 << 28 | 1 << 18 | 511, at, 0, 19 << 18 | 29 << 4, 0, 0, 0,  //
                     0x78060003, 1u << 31 | 255, 0x28000, 0, 0,                                           //
                     0x78050006, 7u << 29, 0, 0, 0, 0, 0, 0, 0x05000000));  // for another draw
  const gen::Device& kbl = *gen::find_device("kbl");
  for (const bool stencil : {false, true}) {
    Device gpu(kbl, {.workers = 1});
    const auto context = gpu.create_context();
    NamedSurface named(*parse_surface_name((stencil ? "stencil@" : "depth@") + std::to_string(packets)));
    EXPECT_FALSE(named.find(kbl, guest.view));
    EXPECT_FALSE(gpu.run(*context, {.ppgtt = guest.table, .ggtt = guest.table, .address = packets}, {},
                         [&](uint64_t address, std::span<const uint32_t> packet) {
                           named.command(gpu, *context, Engine::render, address, packet);
                         }));
    named.end(gpu, *context);
    const auto s = named.find(kbl, guest.view);
    ASSERT_TRUE(s) << s.error().message;
    EXPECT_EQ(s->base, stencil ? 0x28000u : surfaces);
    EXPECT_EQ(s->tiling(), stencil ? Tiling::w : Tiling::y);
    EXPECT_EQ(s->width(), 30u);
    EXPECT_EQ(s->height(), 20u);
    const auto bytes = surface_bytes(guest.view, *s);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(bytes->size(), 30u * 20 * (stencil ? 1 : 4));
  }
}

TEST(NamedSurface, NamesAndAddressesThatAreWrong) {
  for (const char* name : {"", "surface", "surface@", "surface@x", "blit_y@4", "depth@1 "})
    EXPECT_FALSE(parse_surface_name(name)) << name;
  EXPECT_EQ(parse_surface_name("blit@0xFFFFFFFEFFEAE000")->address, 0xFFFEFFEAE000u);  // canonical
  Guest guest({});
  const auto nowhere =
      NamedSurface(*parse_surface_name("surface@0x1000000")).find(*gen::find_device("kbl"), guest.view);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "there is no memory for a surface state at 0x1000000");
  const auto not_run = NamedSurface(*parse_surface_name("blit@0x10000")).find(*gen::find_device("kbl"), guest.view);
  EXPECT_EQ(not_run.error().message, "no command at 0x10000 was executed");
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
