// Tests of texel addresses: mip layouts of every generation against places worked out by hand, slices, offsets, tiles,
// multisampling, and that no two texels of a surface share memory.
#include "shared/image/image.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "shared/bindings.h"
#include "shared/image/guest_test.h"

namespace vitro::shared {
namespace {

using state::SurfaceType;
using state::TileMode;

struct Generation {
  const char* name;
  const state::SurfaceLayout& layout;
};
const Generation generations[] = {
    {"gen6", state::surface_gen6}, {"gen8", state::surface_gen8}, {"gen9", state::surface_gen9}};

Image image_of(const Generation& g, const state::Surface& s) { return resolve(through(g.layout, s)); }
// Offset of a texel from the surface's base.
uint64_t offset(const Image& i, unsigned lod, uint32_t x, uint32_t y, uint32_t slice = 0, uint32_t sample = 0) {
  return texel_address(i, i.level(lod), x, y, slice, sample) - texture_base;
}

TEST(Image, levels_of_a_2d_surface) {
  for (const Generation& g : generations) {
    SCOPED_TRACE(g.name);
    state::Surface s = plain_2d("R8G8B8A8_UNORM", 37, 21, 1024);
    s.mip_count = 5;
    const Image i = image_of(g, s);
    // Alignment is 4 x 4 (Gen6: the vertical one is as the bit says): level 0 has 24 rows, level 1 (18 x 10) 20
    // columns.
    EXPECT_EQ(offset(i, 0, 36, 20), 20u * 1024 + 36 * 4);
    EXPECT_EQ(offset(i, 1, 0, 0), 24u * 1024);
    EXPECT_EQ(offset(i, 2, 0, 0), 24u * 1024 + 20 * 4);
    EXPECT_EQ(offset(i, 3, 1, 1), (24u + 8 + 1) * 1024 + 21 * 4);  // below level 2 (9 x 5, padded to 8 rows)
    EXPECT_EQ(offset(i, 4, 0, 0), (24u + 8 + 4) * 1024 + 20 * 4);  // level 3 is 4 x 2
    EXPECT_EQ(offset(i, 5, 0, 0), (24u + 8 + 4 + 4) * 1024 + 20 * 4);
    EXPECT_EQ(i.level(5).width, 1u);
    EXPECT_EQ(i.level(3).width, 4u);
    EXPECT_EQ(i.level(3).height, 2u);
    s.min_lod = 2, s.mip_count = 1;
    const Image view = image_of(g, s);
    EXPECT_EQ(offset(view, 0, 0, 0), 24u * 1024 + 20 * 4);
    EXPECT_EQ(view.level_count, 2);
  }
}

TEST(Image, other_alignments) {
  state::Surface s = plain_2d("R8G8B8A8_UNORM", 37, 21, 1024);
  s.mip_count = 3, s.horizontal_alignment = 3, s.vertical_alignment = 2;  // 16, 8
  for (const Generation& g : {generations[1], generations[2]}) {
    const Image i = image_of(g, s);
    EXPECT_EQ(offset(i, 2, 0, 0), 24u * 1024 + 32 * 4) << g.name;
    EXPECT_EQ(offset(i, 3, 0, 0), 32u * 1024 + 32 * 4) << g.name;
  }
  s.vertical_alignment = 0;  // Gen6: two rows
  const Image i = image_of(generations[0], s);
  EXPECT_EQ(offset(i, 1, 0, 0), 22u * 1024);
}

TEST(Image, layers_lie_qpitch_apart) {
  state::Surface s = plain_2d("R32_UINT", 16, 16, 256);
  s.array = true, s.depth_less_1 = 6, s.min_array_element = 2, s.qpitch_field = 40 / 4;
  for (const Generation& g : {generations[1], generations[2]}) {
    const Image i = image_of(g, s);
    EXPECT_EQ(i.slices, 7u);
    EXPECT_EQ(offset(i, 0, 3, 5, 4), (6u * 40 + 5) * 256 + 12) << g.name;
  }
  // Gen6 computes it: 16 + 8 + 11 * 4.
  const Image i = image_of(generations[0], s);
  EXPECT_TRUE(i.array);
  EXPECT_EQ(offset(i, 0, 3, 5, 4), (6u * 68 + 5) * 256 + 12);
}

TEST(Image, cubes_have_six_slices_each) {
  for (const Generation& g : generations) {
    state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
    s.type = SurfaceType::cube, s.cube_faces = 63, s.depth_less_1 = 1, s.qpitch_field = 2;
    const Image i = image_of(g, s);
    EXPECT_EQ(i.slices, 12u) << g.name;
    const uint64_t rows = g.layout.rules.has_qpitch ? 8 : 8 + 4 + 44;
    EXPECT_EQ(offset(i, 0, 0, 0, 7), 7 * rows * 64) << g.name;
  }
}

TEST(Image, slices_of_volumes) {
  state::Surface s = plain_2d("R8_UINT", 16, 8, 64);
  s.type = SurfaceType::three_d, s.depth_less_1 = 6, s.mip_count = 2, s.qpitch_field = 20 / 4;
  for (const Generation& g : {generations[0], generations[1]}) {
    const Image i = image_of(g, s);
    EXPECT_EQ(offset(i, 0, 1, 2, 3), (3u * 8 + 2) * 64 + 1) << g.name;
    // Seven slices of eight rows; then three slices of level 1 (8 x 4), two in a row, four rows each.
    EXPECT_EQ(offset(i, 1, 1, 2, 2), (56u + 4 + 2) * 64 + 1) << g.name;
    EXPECT_EQ(offset(i, 1, 1, 2, 1), (56u + 2) * 64 + 8 + 1) << g.name;
    EXPECT_EQ(offset(i, 2, 0, 0, 0), (56u + 8) * 64) << g.name;
    EXPECT_EQ(i.level(1).depth, 3u);
  }
  const Image i = image_of(generations[2], s);
  EXPECT_EQ(offset(i, 0, 1, 2, 3), (3u * 20 + 2) * 64 + 1);
  EXPECT_EQ(offset(i, 1, 1, 2, 2), (8u + 2 * 20 + 2) * 64 + 1);
  EXPECT_EQ(offset(i, 2, 0, 0, 0), 8u * 64 + 8);
}

TEST(Image, one_dimension) {
  state::Surface s = plain_2d("R32_UINT", 100, 1, 4096);
  s.type = SurfaceType::one_d, s.array = true, s.depth_less_1 = 3, s.mip_count = 2, s.qpitch_field = 256 / 4;
  // Gen9: levels follow in one row, aligned to 64 texels; layers are QPitch texels apart.
  const Image nine = image_of(generations[2], s);
  EXPECT_EQ(offset(nine, 0, 5, 0, 3), (3u * 256 + 5) * 4);
  EXPECT_EQ(offset(nine, 1, 5, 0, 0), (128u + 5) * 4);
  EXPECT_EQ(offset(nine, 2, 5, 0, 1), (256u + 128 + 64 + 5) * 4);
  const Image eight = image_of(generations[1], s);
  EXPECT_EQ(offset(eight, 0, 5, 0, 3), 3u * 256 * 4096 + 20);
  EXPECT_EQ(offset(eight, 1, 5, 0, 0), 4u * 4096 + 20);
  EXPECT_EQ(offset(eight, 2, 5, 0, 0), 4u * 4096 + (52 + 5) * 4);
}

TEST(Image, buffers_have_a_stride) {
  for (const Generation& g : generations) {
    state::Surface s = plain_2d("R32G32_UINT", 1, 1, 24);
    s.type = SurfaceType::buffer;
    s.width_less_1 = 100, s.height_less_1 = 3;  // 3 * 128 + 100 + 1 entries
    const Image i = image_of(g, s);
    EXPECT_EQ(i.level(0).width, 485u) << g.name;
    EXPECT_EQ(offset(i, 0, 7, 0), 168u) << g.name;
  }
}

TEST(Image, compressed_blocks_count_as_elements) {
  state::Surface s = plain_2d("BC1_UNORM", 36, 36, 256);
  s.mip_count = 2;
  // Gen8: 4 texels are one block. 9 rows of blocks, then level 1 (18 texels: 5 blocks).
  const Image eight = image_of(generations[1], s);
  EXPECT_EQ(offset(eight, 0, 35, 35), 8u * 256 + 8 * 8);
  EXPECT_EQ(offset(eight, 1, 0, 0), 9u * 256);
  EXPECT_EQ(offset(eight, 2, 0, 0), 9u * 256 + 5 * 8);
  // Gen9: alignments count blocks: 12 and 8.
  const Image nine = image_of(generations[2], s);
  EXPECT_EQ(offset(nine, 1, 0, 0), 12u * 256);
  EXPECT_EQ(offset(nine, 2, 0, 0), 12u * 256 + 8 * 8);
  EXPECT_EQ(nine.unsupported, "");
}

TEST(Image, formats_that_are_not_read_are_named) {
  EXPECT_EQ(image_of(generations[2], plain_2d("P8_UNORM_PALETTE0", 8, 8, 64)).unsupported, "P8_UNORM_PALETTE0");
}

TEST(Image, a_texel_of_a_compressed_block) {
  Guest guest(generations[1].layout);
  const Image image = image_of(generations[1], plain_2d("BC1_UNORM", 8, 8, 64));
  // The block in the middle of nothing: red and blue, the texel (6, 5) has code 1.
  guest.view.store<uint64_t>(texture_base + 64 + 8, 0xF800u | 0x001Fu << 16 | uint64_t{1} << (32 + 2 * (4 * 1 + 2)));
  formats::Rgba texel{};
  load_texel(guest.view, image, image.level(0), 6, 5, 0, 0, texel);
  EXPECT_EQ(texel, (formats::Rgba{0, 0, 0x3F800000, 0x3F800000}));
  load_texel(guest.view, image, image.level(0), 7, 5, 0, 0, texel);
  EXPECT_EQ(texel, (formats::Rgba{0x3F800000, 0, 0, 0x3F800000}));
}

TEST(Image, tiles) {
  const struct {
    TileMode mode;
    memory::Tiling tiling;
    const char* format;
  } cases[] = {{TileMode::x, memory::Tiling::x, "R32_UINT"},         {TileMode::y, memory::Tiling::y, "R32_UINT"},
               {TileMode::y, memory::Tiling::y, "R16_UINT"},         {TileMode::w, memory::Tiling::w, "R8_UINT"},
               {TileMode::yf, memory::Tiling::yf, "R16_UINT"},       {TileMode::ys, memory::Tiling::ys, "R32_UINT"},
               {TileMode::y, memory::Tiling::y, "R32G32B32A32_UINT"}};
  for (const auto& c : cases) {
    for (const Generation& g : generations) {
      const bool known = c.mode == TileMode::x || c.mode == TileMode::y ||
                         (g.layout.rules.has_qpitch && c.mode == TileMode::w) || g.layout.rules.element_units;
      if (!known) continue;
      const formats::Format& f = *formats::find(c.format);
      // W tiles store twice the pitch.
      const uint32_t pitch = 2048;
      state::Surface s = plain_2d(c.format, 64, 200, c.mode == TileMode::w ? 2 * pitch : pitch);
      set_tiling(s, c.mode);
      s.mip_tail_start_lod = 15;  // none
      const Image i = image_of(g, s);
      for (uint32_t y = 0; y < 200; y += 7)
        for (uint32_t x = 0; x < 64; x += 3)
          ASSERT_EQ(offset(i, 0, x, y), memory::tiled_offset(c.tiling, x * f.bytes(), y, pitch, f.bits))
              << g.name << " " << c.format << " " << x << "," << y;
    }
  }
}

TEST(Image, offsets_inside_a_tile) {
  for (const Generation& g : generations) {
    state::Surface s = plain_2d("R32_UINT", 16, 16, 512);
    set_tiling(s, TileMode::y);
    s.x_offset_field = 3, s.y_offset_field = 2;
    const uint32_t rows = g.layout.rules.y_offset_rows * 2u;
    EXPECT_EQ(offset(image_of(g, s), 0, 1, 1), memory::tiled_offset(memory::Tiling::y, 13 * 4, rows + 1, 512))
        << g.name;
  }
}

TEST(Image, samples_in_planes_and_interleaved) {
  state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
  s.log2_samples = 2, s.array = true, s.depth_less_1 = 1, s.qpitch_field = 2;
  for (const Generation& g : {generations[1], generations[2]}) {
    const Image planes = image_of(g, s);
    EXPECT_EQ(offset(planes, 0, 1, 1, 1, 3), (7u * 8 + 1) * 64 + 4) << g.name;
    state::Surface mixed = s;
    mixed.multisample_storage = state::MultisampleStorage::interleaved, mixed.array = false, mixed.depth_less_1 = 0;
    // Sample 3 of texel (3, 2): column 2 * 2 + 2 + 1, row 2 * 2 + 2.
    EXPECT_EQ(offset(image_of(g, mixed), 0, 3, 2, 0, 3), 6u * 64 + 7 * 4) << g.name;
  }
  s.depth_less_1 = 0;
  EXPECT_EQ(offset(image_of(generations[0], s), 0, 3, 2, 0, 3), 6u * 64 + 7 * 4);
}

TEST(Image, no_two_texels_share_memory) {
  Rng rng(11);
  for (int n = 0; n < 200; ++n) {
    const Generation& g = generations[rng.below(3)];
    const bool volume = rng.coin();
    state::Surface s = plain_2d("R16_UINT", 1 + rng.below(20), 1 + rng.below(20), 256);
    s.type = volume ? SurfaceType::three_d : SurfaceType::two_d;
    s.depth_less_1 = rng.below(5), s.array = !volume;
    s.mip_count = uint8_t(rng.below(4));
    s.qpitch_field = 20, s.vertical_alignment = 1, s.horizontal_alignment = 1;
    if (rng.coin()) set_tiling(s, rng.coin() ? TileMode::y : TileMode::x), s.pitch_less_1 = 511;
    const Image i = image_of(g, s);
    std::set<uint64_t> seen;
    for (unsigned lod = 0; lod < i.level_count; ++lod) {
      const ImageLevel& l = i.level(lod);
      for (uint32_t z = 0; z < (volume ? l.depth : i.slices); ++z)
        for (uint32_t y = 0; y < l.height; ++y)
          for (uint32_t x = 0; x < l.width; ++x)
            ASSERT_TRUE(seen.insert(offset(i, lod, x, y, z)).second)
                << g.name << " " << lod << ": " << x << "," << y << "," << z;
    }
  }
}

TEST(Image, what_cannot_be_read_has_a_name) {
  state::Surface s = plain_2d("R32G32B32_FLOAT", 8, 8, 512);
  EXPECT_EQ(image_of(generations[1], s).unsupported, "");
  set_tiling(s, TileMode::y);
  EXPECT_NE(image_of(generations[1], s).unsupported, "");
  s.format = 9;
  EXPECT_EQ(image_of(generations[1], s).unsupported, "a reserved surface format");
  EXPECT_TRUE(image_of(generations[1], state::Surface{}).is_null());
  // Fields that would put texels elsewhere.
  const auto reason = [](auto change) {
    state::Surface one = plain_2d("R32_UINT", 64, 64, 512);
    change(one);
    return image_of(generations[2], one).unsupported;
  };
  EXPECT_EQ(reason([](state::Surface& one) { one.vertical_line_stride = true; }), "Vertical Line Stride");
  EXPECT_EQ(reason([](state::Surface& one) { one.base_mip_level = 1; }), "a surface's Base Mip Level");
  EXPECT_EQ(reason([](state::Surface& one) { one.rotation = 1; }), "a rotated surface");
  EXPECT_EQ(reason([](state::Surface& one) { one.type = SurfaceType::cube, one.cube_faces = 0x3E; }),
            "Cube Face Enables that are not all set");
  EXPECT_EQ(reason([](state::Surface& one) { one.type = SurfaceType::cube, one.cube_faces = 0x3F; }), "");
  for (const uint8_t tail : {uint8_t(2), uint8_t(3), uint8_t(15)})
    EXPECT_EQ(reason([&](state::Surface& one) {
                set_tiling(one, TileMode::yf);
                one.mip_count = 2, one.mip_tail_start_lod = tail;
              }),
              tail == 2 ? "a mip tail" : "");
}

TEST(Images, are_resolved_again_by_new_bindings) {
  Guest guest(state::surface_gen9);
  Surfaces surfaces(guest.layout, guest.environment);
  const uint32_t handle = guest.set_surface(3, plain_2d("R32_UINT", 8, 8, 64));
  EXPECT_EQ(surfaces.bound(3).image().level(0).width, 8u);
  EXPECT_EQ(surfaces.bindless(handle).image().level(0).width, 8u);
  const auto old = std::move(guest.bindings);
  guest.set_surface(3, plain_2d("R32_UINT", 9, 8, 64));
  guest.environment.bindings = old.get();
  EXPECT_EQ(surfaces.bound(3).image().level(0).width, 8u);
  guest.rebind();
  EXPECT_EQ(surfaces.bound(3).image().level(0).width, 9u);
  EXPECT_EQ(surfaces.bindless(handle).image().level(0).width, 9u);
}

}  // namespace
}  // namespace vitro::shared
