// Tests of what 3D work samples besides plain textures: chroma keys, compressed and YUV surfaces, depth and stencil
// with several samples. PRM: as filter.cpp and load.cpp.
#include "shared/sampler/sampler_bench_test.h"

namespace vitro::shared {
namespace {

using state::AddressMode;
using state::SurfaceType;

// --- chroma keys

struct KeyBench : SamplerBench {
  explicit KeyBench(const SamplerGeneration& g) : SamplerBench(g) {
    guest.set_surface(bti, plain_2d("B8G8R8A8_UNORM", 4, 1, 64));
    guest.put<uint32_t>(texture_base, {0xFF102030, 0xFF00FF00, 0xFF405060, 0xFF11FF05});
    guest.environment.chroma_keys[2] = {0xFF00F000, 0xFF20FF10};  // greens
  }
  void set_key(bool replaces, bool linear) {
    state::Sampler s = linear ? linear_sampler() : nearest_sampler();
    s.chroma_key_enable = true, s.chroma_key_index = 2, s.chroma_key_mode = replaces;
    set_sampler(s);
  }
};
const Parameters middles = {{"u", lanes({0.125f, 0.375f, 0.625f, 0.875f})}, {"v", same(0.5f)}};

TEST(ChromaKey, matching_texels_become_black) {
  for (const SamplerGeneration& generation : sampler_generations) {
    KeyBench b(generation);
    b.set_key(true, false);
    b.send("sample", middles);
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{0x10 / 255.0f, 0x20 / 255.0f, 0x30 / 255.0f, 1})) << generation.name;
    EXPECT_EQ(b.colour(1), (std::array<float, 4>{0, 0, 0, 0}));
    EXPECT_EQ(b.colour(3), (std::array<float, 4>{0, 0, 0, 0}));
    // Before they are filtered.
    b.set_key(true, true);
    b.send("sample", {{"u", same(0.5f)}, {"v", same(0.5f)}});
    EXPECT_EQ(b.number(0, 0), 0x40 / 255.0f / 2) << generation.name;
    EXPECT_EQ(b.number(3, 0), 0.5f);
  }
}

TEST(ChromaKey, sample_killpix_for_matching_texels) {
  for (const SamplerGeneration& generation : sampler_generations) {
    KeyBench b(generation);
    b.set_key(false, false);
    b.send("sample killpix", middles);
    EXPECT_EQ(b.number(1, 1), 1.0f) << generation.name;  // the colour is there all the same
    EXPECT_EQ(b.response[4 * 8], 0xFFFFu & ~0b1010u);
    EXPECT_EQ(b.response[4 * 8 + 1], untouched_lane);
    // Any texel of the footprint does.
    b.set_key(false, true);
    b.send("sample killpix", {{"u", lanes({0.125f, 0.2f, 0.5f, 0.9f})}, {"v", same(0.5f)}});
    EXPECT_EQ(b.response[4 * 8] & 15, 0b0001u) << generation.name;
    // Other messages have nowhere to say so.
    b.set_key(false, false);
    b.send("sample", middles);
    EXPECT_EQ(b.number(1, 1), 1.0f) << generation.name;
    // Behind the channels that are wanted; without a key nothing is killed.
    b.set_sampler(nearest_sampler());
    b.header = {0, 0, 0xE000, sampler_table, 0, 0, 0, 0};
    b.send("sample killpix", middles);
    EXPECT_EQ(b.response[8], 0xFFFFu) << generation.name;
    EXPECT_EQ(b.response[16], untouched_lane);
  }
}

TEST(ChromaKey, formats_with_a_sign_have_keys_with_one) {
  for (const SamplerGeneration& generation : sampler_generations) {
    SamplerBench b(generation);
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_SNORM", 4, 1, 64));
    b.guest.put<int8_t>(texture_base, {-5, 0, 0, 127, 5, 0, 0, 127, -20, 0, 0, 127, 0, 0, 0, 127});
    b.guest.environment.chroma_keys[0] = {0x00'8A'FF'FF, 0x7F'02'7F'7F};  // red from -10 to 2
    state::Sampler s = nearest_sampler();
    s.chroma_key_enable = true;
    b.set_sampler(s);
    b.send("sample killpix", middles);
    EXPECT_EQ(b.response[4 * 8] & 15, 0b0110u) << generation.name;
  }
}

// --- compressed surfaces

// A block of BC4: two ends and sixteen indices of three bits.
void put_bc4(SamplerBench& b, uint64_t address, uint8_t low, uint8_t high, uint64_t indices) {
  b.guest.view.store<uint64_t>(address, uint64_t(low) | uint64_t(high) << 8 | indices << 16);
}

TEST(Compressed, texels_are_found_in_their_blocks) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    // 8 x 8 texels and two levels: four blocks, and one below them. Alignments are of one block on Gen8 and of four on
    // Gen9, which counts blocks.
    state::Surface s = plain_2d("BC4_UNORM", 8, 8, 64);
    s.mip_count = 1;
    b.guest.set_surface(b.bti, s);
    const uint32_t second = generation.surface.rules.element_units ? 4 : 2;
    for (uint32_t k = 0; k < 4; ++k) {
      uint64_t indices = 0;  // texel (k, k) is the second end
      indices |= uint64_t{1} << 3 * (k * 4 + k);
      put_bc4(b, texture_base + k / 2 * 64 + k % 2 * 8, uint8_t(200 + k), 255, indices);
    }
    put_bc4(b, texture_base + second * 64, 50, 51, 0);
    for (uint32_t y = 0; y < 8; ++y) {
      b.send("ld", {{"u", lanes_of({0, 1, 2, 3, 4, 5, 6, 7})}, {"v", same(y)}, {"lod", same(0u)}});
      for (uint32_t x = 0; x < 8; ++x) {
        const uint32_t k = y / 4 * 2 + x / 4;
        const bool end = x % 4 == k && y % 4 == k;
        EXPECT_EQ(b.number(0, x), float(end ? 255 : 200 + k) / 255) << generation.name << x << y;
        EXPECT_EQ(b.number(3, x), 1.0f);
      }
    }
    b.send("ld", {{"u", lanes_of({3, 4})}, {"v", same(3u)}, {"lod", same(1u)}});
    EXPECT_EQ(b.number(0, 0), 50 / 255.0f) << generation.name;
    EXPECT_EQ(b.number(0, 1), 0.0f);
    // Filtered across blocks.
    b.set_sampler(linear_sampler());
    b.send("sample_l", {{"u", same(0.5f)}, {"v", same(3.5f / 8)}, {"lod", same(0.0f)}});
    EXPECT_NEAR(b.number(0, 0), (200 + 201) / 510.0f, 1e-6f) << generation.name;
    b.set_sampler(nearest_sampler(AddressMode::clamp_border), {0.5f, 0.25f, 2, 0.125f});
    b.send("sample_l", {{"u", same(2.0f)}, {"v", same(0.5f)}, {"lod", same(0.0f)}});
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{0.5f, 0, 0, 1})) << generation.name;
  }
}

TEST(Compressed, outside_alpha_is_zero_where_there_is_any) {
  for (const SamplerGeneration& generation : sampler_generations) {
    SamplerBench b(generation);
    b.guest.set_surface(b.bti, plain_2d("BC3_UNORM", 8, 8, 64));
    b.send("ld", {{"u", same(8u)}});
    EXPECT_EQ(b.number(3, 0), 0.0f) << generation.name;
    b.guest.set_surface(b.bti, plain_2d("DXT1_RGB", 8, 8, 64));
    b.send("ld", {{"u", same(8u)}});
    EXPECT_EQ(b.number(3, 0), 1.0f) << generation.name;
  }
}

// --- YUV: red is Cr, green is Y, blue is Cb; drivers convert colours in their shaders

TEST(Yuv, pairs_of_texels_share_chroma) {
  for (const SamplerGeneration& generation : sampler_generations) {
    SamplerBench b(generation);
    b.set_sampler(nearest_sampler());
    const auto colours = [&](const char* format) {
      b.guest.set_surface(b.bti, plain_2d(format, 4, 1, 64));
      b.send("sample", middles);
    };
    b.guest.put<uint8_t>(texture_base, {10, 20, 30, 40, 50, 60, 70, 80});
    colours("YCRCB_NORMAL");
    EXPECT_EQ(b.colour(1), (std::array<float, 4>{40 / 255.0f, 30 / 255.0f, 20 / 255.0f, 1})) << generation.name;
    EXPECT_EQ(b.colour(2), (std::array<float, 4>{80 / 255.0f, 50 / 255.0f, 60 / 255.0f, 1}));
    colours("YCRCB_SWAPY");
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{30 / 255.0f, 20 / 255.0f, 10 / 255.0f, 1})) << generation.name;
  }
}

// --- several samples

TEST(Multisampled, interleaved_depth_is_read_by_sample) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]})
    for (unsigned log2 = 1; log2 <= (generation.column == 2 ? 4u : 3u); ++log2) {
      SamplerBench b(generation);
      state::Surface s = plain_2d("R32_FLOAT", 6, 6, 256);
      s.log2_samples = uint8_t(log2), s.multisample_storage = state::MultisampleStorage::interleaved;
      b.guest.set_surface(b.bti, s);
      // Samples of a 2x2 group lie together: x by bits 0 and 2 of the sample, y by bits 1 and 3.
      const unsigned across = log2 >= 3 ? 4 : 2, down = log2 == 1 ? 1 : log2 == 4 ? 4 : 2;
      for (uint32_t y = 0; y < 6; ++y)
        for (uint32_t x = 0; x < 6; ++x)
          for (uint32_t n = 0; n < 1u << log2; ++n) {
            const uint32_t sx = (n & 1) | (n >> 2 & 1) << 1, sy = (n >> 1 & 1) | (n >> 3 & 1) << 1;
            const uint32_t column = (x / 2 * across + sx) * 2 + x % 2, row = (y / 2 * down + sy) * 2 + y % 2;
            b.guest.view.store<float>(texture_base + row * 256 + column * 4, float(n * 100 + y * 10 + x));
          }
      for (uint32_t n = 0; n < 1u << log2; ++n) {
        const Parameters p = {
            {"si", same(n)}, {"mcsl", same(0u)}, {"u", lanes_of({0, 3, 5})}, {"v", lanes_of({0, 2, 5})}};
        b.send("ld2dms", p);
        EXPECT_EQ(b.number(0, 0), float(n * 100)) << generation.name << (1 << log2);
        EXPECT_EQ(b.number(0, 1), float(n * 100 + 23));
        EXPECT_EQ(b.number(0, 2), float(n * 100 + 55));
      }
    }
}

TEST(Multisampled, stencil_lies_in_w_tiles) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    state::Surface s = plain_2d("R8_UINT", 64, 64, 128);  // the pitch counts two rows
    set_tiling(s, state::TileMode::w);
    b.guest.set_surface(b.bti, s);
    for (const auto& [x, y] : {std::pair{0u, 0u}, {5u, 3u}, {63u, 63u}, {8u, 1u}, {17u, 42u}}) {
      const uint32_t at = (x >> 3) * 512 + (y >> 2) * 32 + (x >> 2 & 1) * 16 + (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 +
                          (y & 1) * 2 + (x & 1);
      b.guest.view.store<uint8_t>(texture_base + at, uint8_t(x + y + 1));
      b.send("ld", {{"u", same(x)}, {"v", same(y)}});
      EXPECT_EQ(b.lane(0, 0), x + y + 1) << generation.name;
    }
    s.log2_samples = 2, s.multisample_storage = state::MultisampleStorage::interleaved;
    s.width_less_1 = s.height_less_1 = 31;
    b.guest.set_surface(b.bti, s);
    b.send("ld2dms", {{"si", same(3u)}, {"mcsl", same(0u)}, {"u", same(31u)}, {"v", same(31u)}});
    EXPECT_EQ(b.lane(0, 0), 127u) << generation.name;  // column and row 63
  }
}

}  // namespace
}  // namespace vitro::shared
