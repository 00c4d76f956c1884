// RENDER_SURFACE_STATE: fields at their places in each generation, what they mean, and the ways to a surface through
// binding tables and bindless handles.
#include "state/surface.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "memory/address_space.h"

namespace vitro::state {
namespace {

TEST(Surface, FieldsOfGen8) {
  std::array<uint32_t, 16> p{};
  p[0] = 1u << 29 | 1u << 28 | 0x0C7 << 18 | 2 << 16 | 3 << 14 | 3 << 12 | 1 << 11 | 0x3F;
  p[1] = 0x7Fu << 24 | 0x1234;
  p[2] = 99u << 16 | 199;
  p[3] = 7u << 21 | 1023;
  p[4] = 3u << 18 | 5 << 7 | 1 << 6 | 2 << 3;
  p[5] = 2u << 25 | 3 << 21 | 4 << 4 | 6;
  p[6] = 100u << 16 | 9 << 3 | 1;
  p[7] = 1u << 31 | 1u << 29 | 4 << 25 | 5 << 22 | 0 << 19 | 1 << 16 | 0x123;
  p[8] = 0x12345000, p[9] = 0x7F;
  p[10] = 0xABCDE000, p[11] = 0x12;
  const Surface s = surface_gen8.decode(p);
  EXPECT_EQ(s.type, SurfaceType::two_d);
  EXPECT_TRUE(s.is_array());
  EXPECT_EQ(s.format, 0xC7);
  EXPECT_EQ(s.valign(), 8u);
  EXPECT_EQ(s.halign(), 16u);
  EXPECT_EQ(s.tiling(), TileMode::y);
  EXPECT_TRUE(s.vertical_line_stride);
  EXPECT_EQ(s.cube_faces, 0x3F);
  EXPECT_EQ(s.mocs, 0x7F);
  EXPECT_EQ(s.qpitch(), 0x1234u * 4);
  EXPECT_EQ(s.width(), 200u);
  EXPECT_EQ(s.height(), 100u);
  EXPECT_EQ(s.depth(), 8u);
  EXPECT_EQ(s.layers(), 8u);
  EXPECT_EQ(s.pitch(), 1024u);
  EXPECT_EQ(s.min_array_element, 3);
  EXPECT_EQ(s.view_extent_less_1, 5);
  EXPECT_EQ(s.samples(), 4u);
  EXPECT_TRUE(s.interleaved_samples());
  EXPECT_EQ(s.x_offset(), 8u);
  EXPECT_EQ(s.y_offset(), 12u);
  EXPECT_EQ(s.min_lod, 4);
  EXPECT_EQ(s.levels(), 7u);
  EXPECT_EQ(s.aux_mode, AuxMode::ccs_d);
  EXPECT_EQ(s.aux_pitch(), 1280u);
  EXPECT_EQ(s.aux_qpitch(), 400u);
  EXPECT_EQ(s.clear_colour(), (std::array<uint32_t, 4>{1, 0, 1, 0}));
  EXPECT_EQ(s.selects(),
            (std::array{ChannelSelect::red, ChannelSelect::green, ChannelSelect::zero, ChannelSelect::one}));
  EXPECT_EQ(s.resource_min_lod, 0x123);
  EXPECT_EQ(s.base, 0x7F12345000u);
  EXPECT_EQ(s.aux_base, 0x12ABCDE000u);
  EXPECT_TRUE(s.rules->clear_colour_is_bits);
  std::array<uint32_t, 16> again{};
  surface_gen8.encode(s, again);
  EXPECT_EQ(again, p);
}
TEST(Surface, FieldsOfGen9) {
  std::array<uint32_t, 16> p{};
  p[0] = 2u << 29 | 0x3FFu << 18 | 3 << 12;
  p[5] = 2u << 18 | 15 << 8;
  p[6] = 5;
  p[10] = 0x1000 | 3 << 5 | 7;
  p[12] = 1, p[13] = 2, p[14] = 3, p[15] = 0xFFFFFFFF;
  const Surface s = surface_gen9.decode(p);
  EXPECT_EQ(s.type, SurfaceType::three_d);
  EXPECT_EQ(s.format, 0x3FF);
  EXPECT_EQ(s.tiling(), TileMode::ys);
  EXPECT_EQ(s.mip_tail_start_lod, 15);
  EXPECT_EQ(s.aux_mode, AuxMode::ccs_e);
  EXPECT_EQ(s.aux_base, 0x1000u);
  EXPECT_EQ(s.quilt_width, 7);
  EXPECT_EQ(s.quilt_height, 3);
  EXPECT_EQ(s.clear_colour(), (std::array<uint32_t, 4>{1, 2, 3, 0xFFFFFFFF}));
  EXPECT_TRUE(s.rules->volumes_are_arrays && s.rules->element_units && s.rules->linear_1d_in_one_row);
  std::array<uint32_t, 16> again{};
  surface_gen9.encode(s, again);
  EXPECT_EQ(again, p);
}
TEST(Surface, FieldsOfGen6) {
  std::array<uint32_t, 6> p{};
  p[0] = 1u << 29 | 0x0C7 << 18 | 1 << 12 | 1 << 10;
  p[1] = 0x12345678;
  p[2] = 99u << 19 | 199 << 6 | 6 << 2;
  p[3] = 7u << 21 | 1023 << 3 | 3;
  p[4] = 2u << 28 | 3 << 17 | 5 << 8 | 2 << 4;
  p[5] = 2u << 25 | 1 << 24 | 3 << 20;
  const Surface s = surface_gen6.decode(p);
  EXPECT_EQ(s.type, SurfaceType::two_d);
  EXPECT_EQ(s.base, 0x12345678u);
  EXPECT_EQ(s.width(), 200u);
  EXPECT_EQ(s.height(), 100u);
  EXPECT_EQ(s.pitch(), 1024u);
  EXPECT_EQ(s.layers(), 8u);  // no array bit: the depth says so
  EXPECT_EQ(s.tiling(), TileMode::y);
  EXPECT_EQ(s.samples(), 4u);
  EXPECT_TRUE(s.interleaved_samples());
  EXPECT_EQ(s.min_lod, 2);
  EXPECT_EQ(s.levels(), 7u);
  EXPECT_EQ(s.x_offset(), 8u);
  EXPECT_EQ(s.y_offset(), 6u);
  EXPECT_EQ(s.halign(), 4u);
  EXPECT_EQ(s.valign(), 4u);
  EXPECT_EQ(s.selects()[3], ChannelSelect::alpha);
  std::array<uint32_t, 6> again{};
  surface_gen6.encode(s, again);
  EXPECT_EQ(again, p);
}

TEST(Surface, BytesOfBuffers) {
  Surface s;
  EXPECT_TRUE(s.is_null());
  EXPECT_EQ(s.bytes(), 0u);
  s.rules = &surface_gen9.rules;
  s.type = SurfaceType::buffer;
  s.format = format_raw;
  s.width_less_1 = 0x7F, s.height_less_1 = 0x3FFF, s.depth_less_1 = 1;
  EXPECT_EQ(s.entries(), 1u << 22);
  s.pitch_less_1 = 15;
  EXPECT_EQ(s.bytes(), 1u << 22);  // raw: entries are bytes
  s.format = 0;
  EXPECT_EQ(s.bytes(), 16u << 22);
  s.type = SurfaceType::structured_buffer;
  s.format = format_raw;
  EXPECT_EQ(s.bytes(), 16u << 22);
  s.rules = &surface_gen6.rules;
  s.type = SurfaceType::buffer;
  s.width_less_1 = 0x7F, s.height_less_1 = 0x1FFF, s.depth_less_1 = 0;
  EXPECT_EQ(s.entries(), 1u << 20);
}
TEST(Surface, BytesOfPictures) {
  Surface s;
  s.rules = &surface_gen9.rules;
  s.type = SurfaceType::two_d;
  s.pitch_less_1 = 255, s.height_less_1 = 9, s.depth_less_1 = 3;
  EXPECT_EQ(s.bytes(), 2560u);
  s.array = true, s.qpitch_field = 3;
  EXPECT_EQ(s.bytes(), 256u * (3 * 12 + 10));
  s.type = SurfaceType::cube;
  EXPECT_EQ(s.bytes(), 256u * (23 * 12 + 10));
  s.type = SurfaceType::three_d, s.array = false;
  EXPECT_EQ(s.bytes(), 256u * (3 * 12 + 10));
  s.rules = &surface_gen8.rules;
  EXPECT_EQ(s.bytes(), 256u * 10 * 4);
}

struct Room {
  std::vector<std::byte> host = std::vector<std::byte>(8192);
  memory::AddressSpace space{};
  memory::View view{nullptr};
  Bases bases{};
  Room() {
    const memory::Range r{0x10000, host.size(), host.data()};
    space.bind({&r, 1});
    view = memory::View(space.table());
    bases.surface.address = bases.bindless_surface.address = 0x10000;
  }
  void put(size_t at, uint32_t v) { std::memcpy(host.data() + at, &v, 4); }
};

TEST(Surface, ThroughTheBindingTable) {
  Room r;
  r.put(0x20 + 3 * 4, 0x140 | 0x3F);  // the low bits do not count
  r.put(0x140, 4u << 29);
  r.put(0x140 + 8 * 4, 0xABC);
  EXPECT_EQ(read_bound_surface(surface_gen8, r.view, r.bases, 0x20, 3).base, 0xABCu);
  // entry zero is an offset like others
  r.put(0, 1u << 29);
  EXPECT_EQ(read_bound_surface(surface_gen8, r.view, r.bases, 0x20, 5).type, SurfaceType::two_d);
  // 32-byte offsets on Gen6
  r.put(0x20 + 4, 0x160);
  r.put(0x160 + 4, 0xDEF);
  EXPECT_EQ(read_bound_surface(surface_gen6, r.view, r.bases, 0x20, 1).base, 0xDEFu);
  // outside the bounds of the base
  r.bases.surface.bytes = 0x150;
  EXPECT_TRUE(read_bound_surface(surface_gen8, r.view, r.bases, 0x20, 3).is_null());
  r.bases.surface.bytes = 0x2C;
  EXPECT_TRUE(read_bound_surface(surface_gen8, r.view, r.bases, 0x20, 3).is_null());
  EXPECT_FALSE(r.view.misses().first);
}
TEST(Surface, Bindless) {
  Room r;
  r.put(0x80, 4u << 29);
  r.put(0x80 + 8 * 4, 0x777);
  EXPECT_EQ(read_bindless_surface(surface_gen9, r.view, r.bases, 2u << 12 | 0xFFF).base, 0x777u);
  r.bases.bindless_surface.bytes = 0x80;
  EXPECT_TRUE(read_bindless_surface(surface_gen9, r.view, r.bases, 2u << 12).is_null());
}
TEST(Surface, PlanesOfYuv) {
  std::array<uint32_t, 16> p{};
  p[6] = 5u << 16 | 6, p[11] = 7u << 16 | 8;
  const SurfacePlanes planes = planes_of(p);
  EXPECT_EQ(planes.u_x, 5);
  EXPECT_EQ(planes.u_y, 6);
  EXPECT_EQ(planes.v_x, 7);
  EXPECT_EQ(planes.v_y, 8);
}

}  // namespace
}  // namespace vitro::state
