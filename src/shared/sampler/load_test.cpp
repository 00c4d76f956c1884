// Tests of the sampler's loads (ld, ld_lz, ld2dss, ld2dms, ld2dms_w, ld_mcs) and of what all messages share: headers,
// masks, return formats, SIMD modes, bindless surfaces and faults. On every generation that has the message.
#include <fmt/format.h>

#include "isa/message.h"
#include "shared/sampler/sampler_bench_test.h"

namespace vitro::shared {
namespace {

using state::SurfaceType;

// Texel (x, y) of slice z holds z * 10000 + y * 100 + x.
uint32_t value(uint32_t x, uint32_t y, uint32_t z = 0) { return z * 10000 + y * 100 + x; }

state::Surface numbered(SamplerBench& b, uint32_t width, uint32_t height, uint32_t slices = 1, uint32_t rows = 16) {
  for (uint32_t z = 0; z < slices; ++z)
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x)
        b.guest.view.store<uint32_t>(texture_base + (z * rows + y) * 256 + 4 * x, value(x, y, z));
  state::Surface s = plain_2d("R32_UINT", width, height, 256);
  b.guest.set_surface(b.bti, s);
  return s;
}

TEST(Sampler, ld_reads_texels_by_integer_coordinates) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    numbered(b, 20, 10);
    for (const unsigned simd : {8u, 16u}) {
      b.simd = simd;
      b.send("ld", {{"u", lanes_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19})}, {"v", same(9u)}});
      for (unsigned n = 0; n < simd; ++n)
        EXPECT_EQ(b.texel(n), (std::array<uint32_t, 4>{value(n == 15 ? 19 : n, 9), 0, 0, 1}));
    }
  }
}

TEST(Sampler, ld_outside_reads_zero) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    numbered(b, 4, 4);
    b.guest.put<uint32_t>(texture_base, {77});
    b.send("ld", {{"u", lanes_of({0, 4, -1, 0, 0, 0, 0, 0})},
                  {"v", lanes_of({0, 0, 0, 4, -1, 0, 0, 0})},
                  {"lod", lanes_of({0, 0, 0, 0, 0, 1, -1, 0})}});
    EXPECT_EQ(b.lane(0, 0), 77u);
    for (unsigned n = 1; n < 7; ++n) EXPECT_EQ(b.texel(n), (std::array<uint32_t, 4>{0, 0, 0, 1})) << n;
    EXPECT_EQ(b.lane(0, 7), 77u);
    // A format with alpha gives zero there, too.
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_UNORM", 4, 4, 256));
    b.send("ld", {{"u", same(9u)}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{}));
    b.guest.set_surface(b.bti, plain_2d("B8G8R8X8_UNORM", 4, 4, 256));
    b.send("ld", {{"u", same(9u)}});
    EXPECT_EQ(b.colour(0), (std::array<float, 4>{0, 0, 0, 1}));
  }
}

TEST(Sampler, ld_adds_the_header_s_offsets) {
  FOR_EACH_GENERATION(b) {
    numbered(b, 20, 10);
    b.header = {0, 0, 0xF << 8 | 3 << 4, 0, 0, 0, 0, 0};  // u - 1, v + 3
    b.send("ld", {{"u", same(5u)}, {"v", same(5u)}});
    EXPECT_EQ(b.lane(0, 0), value(4, 8)) << b.generation.name;
  }
}

TEST(Sampler, ld_chooses_levels) {
  FOR_EACH_GENERATION(b) {
    state::Surface s = numbered(b, 16, 12);
    s.mip_count = 2;
    b.guest.set_surface(b.bti, s);
    b.guest.put<uint32_t>(texture_base + 12 * 256, {1001});          // level 1 is below
    b.guest.put<uint32_t>(texture_base + 12 * 256 + 8 * 4, {2001});  // level 2 to its right
    b.send("ld", {{"lod", lanes_of({0, 1, 2, 3})}});
    EXPECT_EQ(b.lane(0, 0), 0u);
    EXPECT_EQ(b.lane(0, 1), 1001u) << b.generation.name;
    EXPECT_EQ(b.lane(0, 2), 2001u) << b.generation.name;
    EXPECT_EQ(b.lane(0, 3), 0u);
  }
}

TEST(Sampler, ld_of_arrays_volumes_lines_and_buffers) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    const auto& rules = b.generation.surface.rules;
    // Gen6 computes 8 + 4 + 44 rows between slices.
    const uint32_t rows = rules.has_qpitch ? 16 : 56;
    state::Surface s = numbered(b, 8, 8, 4, rows);
    s.array = true, s.depth_less_1 = 3, s.qpitch_field = 4;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", same(2u)}, {"v", same(3u)}, {"r", lanes_of({0, 1, 2, 3, 4, -1})}});
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(b.lane(0, n), value(2, 3, n));
    EXPECT_EQ(b.lane(0, 4), 0u);
    EXPECT_EQ(b.lane(0, 5), 0u);

    numbered(b, 8, 8, 4, rules.volumes_are_arrays ? 16 : 8);
    s.type = SurfaceType::three_d, s.array = false;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", same(2u)}, {"v", same(3u)}, {"r", lanes_of({0, 3, 4})}});
    EXPECT_EQ(b.lane(0, 1), value(2, 3, 3));
    EXPECT_EQ(b.lane(0, 2), 0u);

    s = numbered(b, 8, 1);
    s.type = SurfaceType::one_d;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", lanes_of({0, 7, 8})}});
    EXPECT_EQ(b.lane(0, 1), 7u);
    EXPECT_EQ(b.lane(0, 2), 0u);

    s = numbered(b, 8, 1);
    s.type = SurfaceType::buffer, s.pitch_less_1 = 3, s.width_less_1 = 5, s.height_less_1 = 0;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", lanes_of({0, 5, 6})}});
    EXPECT_EQ(b.lane(0, 1), 5u);
    EXPECT_EQ(b.lane(0, 2), 0u);
  }
}

TEST(Sampler, ld_lz_has_no_level) {
  SamplerBench b(sampler_generations[2]);
  numbered(b, 8, 8);
  b.send("ld_lz", {{"u", same(3u)}, {"v", same(4u)}, {"r", same(0u)}});
  EXPECT_EQ(b.lane(0, 0), value(3, 4));
}

TEST(Sampler, ld2dss_reads_a_plane) {
  FOR_EACH_GENERATION(b) {
    if (!b.knows("ld2dss")) continue;
    state::Surface s = numbered(b, 8, 8, 4, 16);
    s.log2_samples = 2, s.qpitch_field = 4;
    b.guest.set_surface(b.bti, s);
    b.send("ld2dss", {{"si", lanes_of({0, 1, 2, 3, 4})}, {"u", same(1u)}, {"v", same(2u)}});
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(b.lane(0, n), value(1, 2, n)) << b.generation.name;
    EXPECT_EQ(b.lane(0, 4), 0u);
  }
  // Gen6 has no message for it: ld takes a sample index, and samples are interleaved.
  SamplerBench b(sampler_generations[0]);
  state::Surface s = numbered(b, 16, 16);
  s.width_less_1 = s.height_less_1 = 7, s.log2_samples = 2;
  b.guest.set_surface(b.bti, s);
  b.send("ld", {{"u", same(3u)}, {"v", same(2u)}, {"si", lanes_of({0, 3})}});
  EXPECT_EQ(b.lane(0, 0), value(5, 4));
  EXPECT_EQ(b.lane(0, 1), value(7, 6));
}

TEST(Sampler, ld2dms_follows_the_control_word) {
  FOR_EACH_GENERATION(b) {
    if (!b.knows("ld2dms")) continue;
    SCOPED_TRACE(b.generation.name);
    state::Surface s = numbered(b, 8, 8, 4, 16);
    s.log2_samples = 2, s.qpitch_field = 4;
    b.guest.set_surface(b.bti, s);
    // Without a control surface the word does not count.
    b.send("ld2dms", {{"si", lanes_of({0, 1, 2, 3})}, {"mcsl", same(0u)}});
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(b.lane(0, n), value(0, 0, n));

    s.aux_mode = state::AuxMode::ccs_d, s.aux_base = texture_base + 0x10000;
    s.red_clear = b.generation.surface.rules.clear_colour_is_bits ? 1 : 1234;
    b.guest.set_surface(b.bti, s);
    // Samples 0 to 3 are in planes 3, 1, 0, 2.
    b.send("ld2dms", {{"si", lanes_of({0, 1, 2, 3, 0})}, {"mcsl", lanes_of({0x87, 0x87, 0x87, 0x87, 0xFF})}});
    EXPECT_EQ(b.lane(0, 0), value(0, 0, 3));
    EXPECT_EQ(b.lane(0, 1), value(0, 0, 1));
    EXPECT_EQ(b.lane(0, 2), value(0, 0, 0));
    EXPECT_EQ(b.lane(0, 3), value(0, 0, 2));
    EXPECT_EQ(b.lane(0, 4), s.red_clear);  // all ones is the clear colour
  }
}

TEST(Sampler, ld2dms_w_has_control_words_of_64_bits) {
  SamplerBench b(sampler_generations[2]);
  state::Surface s = numbered(b, 4, 4, 16, 8);
  s.log2_samples = 4, s.qpitch_field = 2;
  s.aux_mode = state::AuxMode::ccs_d, s.aux_base = texture_base + 0x10000;
  b.guest.set_surface(b.bti, s);
  // Sample 9 in plane 5: the second nibble of the high half.
  b.send("ld2dms_w", {{"si", same(9u)}, {"mcsl", same(0x76543210u)}, {"mcsh", lanes_of({0x50, -1})}});
  EXPECT_EQ(b.lane(0, 0), value(0, 0, 5));
  EXPECT_EQ(b.lane(0, 1), value(0, 0, 15));
}

TEST(Sampler, ld_mcs_returns_what_is_stored) {
  FOR_EACH_GENERATION(b) {
    if (!b.knows("ld_mcs")) continue;
    SCOPED_TRACE(b.generation.name);
    state::Surface s = numbered(b, 8, 8);
    s.log2_samples = 2;
    b.guest.set_surface(b.bti, s);
    b.send("ld_mcs", {{"u", same(3u)}, {"v", same(2u)}});
    EXPECT_EQ(b.lane(0, 0), 0u);
    s.aux_mode = state::AuxMode::ccs_d, s.aux_base = texture_base + 0x10000, s.aux_pitch_less_1 = 0;
    b.guest.set_surface(b.bti, s);
    b.guest.put<uint8_t>(s.aux_base + memory::tiled_offset(memory::Tiling::y, 3, 2, 128), {0xE4});
    b.send("ld_mcs", {{"u", lanes_of({3, 4})}, {"v", same(2u)}});
    EXPECT_EQ(b.lane(0, 0), 0xE4u);
    EXPECT_EQ(b.lane(0, 1), 0u);
    s.log2_samples = 3;
    b.guest.set_surface(b.bti, s);
    b.guest.put<uint32_t>(s.aux_base + memory::tiled_offset(memory::Tiling::y, 12, 2, 128), {0x76543210});
    b.send("ld_mcs", {{"u", same(3u)}, {"v", same(2u)}});
    EXPECT_EQ(b.lane(0, 0), 0x76543210u);
  }
}

TEST(Sampler, resinfo_gives_extents_of_a_level) {
  FOR_EACH_GENERATION(b) {
    SCOPED_TRACE(b.generation.name);
    constexpr uint32_t layers = 3;
    state::Surface s = plain_2d("R8_UNORM", 100, 50, 128);
    s.mip_count = 4;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0, 1, 4, 5})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{100, 50, 0, 5}));
    EXPECT_EQ(b.texel(1), (std::array<uint32_t, 4>{50, 25, 0, 5}));
    EXPECT_EQ(b.texel(2), (std::array<uint32_t, 4>{6, 3, 0, 5}));
    EXPECT_EQ(b.texel(3), (std::array<uint32_t, 4>{0, 0, 0, 5}));
    s.min_lod = 1, s.mip_count = 1, s.array = true, s.depth_less_1 = 2;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{50, 25, layers, 2}));
    s.type = SurfaceType::one_d;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{50, layers, 0, 2}));
    s.type = SurfaceType::cube;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{50, 25, 3, 2}));
    s.type = SurfaceType::three_d, s.array = false, s.depth_less_1 = 9;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{50, 25, 5, 2}));
    s.type = SurfaceType::null;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.lane(0, 0) | b.lane(1, 0) | b.lane(2, 0), 0u);
    s.type = SurfaceType::buffer, s.width_less_1 = 99, s.height_less_1 = 1, s.depth_less_1 = 0;
    b.guest.set_surface(b.bti, s);
    b.send("resinfo", {{"lod", lanes_of({0})}});
    EXPECT_EQ(b.lane(0, 0), 228u);
  }
}

TEST(Sampler, sampleinfo_gives_the_number_of_samples) {
  FOR_EACH_GENERATION(b) {
    state::Surface s = plain_2d("R8_UNORM", 8, 8, 128);
    s.log2_samples = 2, s.multisample_palette_index = 3;
    b.guest.set_surface(b.bti, s);
    b.header = std::vector<uint32_t>(8);
    b.send("sampleinfo", {});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{4, 0, 0, 3})) << b.generation.name;
  }
}

TEST(Sampler, simd4x2_messages_have_parameters_side_by_side) {
  FOR_EACH_GENERATION(b) {
    numbered(b, 8, 8);
    b.simd = 2, b.response_registers = 1;
    // Gen9 tells SIMD4x2 from SIMD8D by the header.
    if (b.generation.engine.header_chooses_4x2) b.header = {0, 0, 1u << 22, 0, 0, 0, 0, 0};
    b.send("ld", {{"u", lanes_of({3, 5})}, {"v", lanes_of({2, 6})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{value(3, 2), 0, 0, 1})) << b.generation.name;
    EXPECT_EQ(b.texel(1), (std::array<uint32_t, 4>{value(5, 6), 0, 0, 1})) << b.generation.name;
    b.channels = 0x12;
    b.send("ld", {{"u", lanes_of({3, 5})}, {"v", lanes_of({2, 6})}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{untouched_lane, 0, untouched_lane, untouched_lane}));
    EXPECT_EQ(b.texel(1), (std::array<uint32_t, 4>{value(5, 6), untouched_lane, untouched_lane, untouched_lane}));
  }
}

TEST(Sampler, masked_channels_are_left_out_of_the_response) {
  FOR_EACH_GENERATION(b) {
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_UINT", 4, 4, 64));
    b.guest.put<uint8_t>(texture_base, {1, 2, 3, 4});
    b.header = {0, 0, 0x5 << 12, 0, 0, 0, 0, 0};  // red and blue
    b.response_registers = 2;
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.lane(0, 0), 2u) << b.generation.name;
    EXPECT_EQ(b.lane(1, 7), 4u) << b.generation.name;
  }
}

TEST(Sampler, short_responses_take_the_first_channels) {
  FOR_EACH_GENERATION(b) {
    b.guest.set_surface(b.bti, plain_2d("R8G8B8A8_UINT", 4, 4, 64));
    b.guest.put<uint8_t>(texture_base, {1, 2, 3, 4});
    b.simd = 16, b.response_registers = 4;
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.lane(0, 15), 1u);
    EXPECT_EQ(b.lane(1, 15), 2u);
    b.response_registers = 0;
    b.send("ld", {{"u", same(0u)}});
  }
}

TEST(Sampler, disabled_channels_keep_the_response) {
  FOR_EACH_GENERATION(b) {
    numbered(b, 8, 8);
    b.channels = 0x41;
    b.send("ld", {{"u", same(5u)}});
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(b.lane(0, n), n == 0 || n == 6 ? 5u : untouched_lane) << n;
  }
}

TEST(Sampler, results_of_16_bits) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    b.guest.set_surface(b.bti, plain_2d("R32G32_FLOAT", 4, 4, 64));
    b.guest.put<float>(texture_base, {1.5f, -2});
    b.half = true;
    for (const unsigned simd : {8u, 16u}) {
      b.simd = simd, b.response_registers = 4;
      b.send("ld", {{"u", same(0u)}});
      const auto* words = reinterpret_cast<const uint16_t*>(b.response.data());
      EXPECT_EQ(words[simd - 1], 0x3E00) << b.generation.name;
      EXPECT_EQ(words[16 + simd - 1], 0xC000);
      EXPECT_EQ(words[48], 0x3C00);
      EXPECT_EQ(words[8], simd == 8 ? 0xDDDD : 0x3E00);
    }
    b.guest.set_surface(b.bti, plain_2d("R32_UINT", 4, 4, 64));
    b.guest.put<uint32_t>(texture_base, {0x12345678});
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.response[0] & 0xFFFF, 0x5678u);
  }
}

TEST(Sampler, the_pixel_null_mask_follows_the_channels) {
  SamplerBench b(sampler_generations[2]);
  numbered(b, 8, 8);
  b.header = {0, 0, 1u << 23, 0, 0, 0, 0, 0};
  b.response_registers = 5;
  b.send("ld", {{"u", same(5u)}});
  EXPECT_EQ(b.lane(3, 0), 1u);
  EXPECT_EQ(b.response[4 * 8], 0xFFu);
}

TEST(Sampler, bindless_surfaces) {
  SamplerBench b(sampler_generations[2]);
  numbered(b, 8, 8);
  b.ex_desc = b.guest.set_surface(9, plain_2d("R32_UINT", 8, 8, 256));
  b.bti = 252;
  b.send("ld", {{"u", same(5u)}});
  EXPECT_EQ(b.lane(0, 0), 5u);
}

TEST(Sampler, channel_selects_permute_texels) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    state::Surface s = plain_2d("R8G8B8A8_UINT", 4, 4, 64);
    s.red_select = state::ChannelSelect::alpha, s.green_select = state::ChannelSelect::one;
    s.blue_select = state::ChannelSelect::zero, s.alpha_select = state::ChannelSelect::green;
    b.guest.set_surface(b.bti, s);
    b.guest.put<uint8_t>(texture_base, {1, 2, 3, 4});
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{4, 1, 0, 2})) << b.generation.name;
    s.format = formats::find("R8G8B8A8_UNORM")->code;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.number(1, 0), 1.0f);
  }
}

TEST(Sampler, null_surfaces_read_as_zero) {
  FOR_EACH_GENERATION(b) {
    state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
    s.type = SurfaceType::null;
    b.guest.set_surface(b.bti, s);
    b.set_sampler(nearest_sampler());
    for (const MessageOrder& m : message_orders) {
      if (!b.knows(m.name) || std::string_view(m.name) == "sampleinfo") continue;
      b.send(m.name, {{"u", same(0u)}, {"lod", same(0u)}, {"si", same(0u)}});
      EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{})) << m.name;
    }
  }
}

TEST(Sampler, every_message_of_the_tables_runs_in_every_simd_mode) {
  const vitro::test::Uncounted uncounted;
  FOR_EACH_GENERATION(b) {
    b.set_floats(8, 8, [](uint32_t, uint32_t) { return 1; });
    b.set_sampler(nearest_sampler());
    unsigned known = 0;
    for (const MessageOrder& m : message_orders) {
      if (!b.knows(m.name)) continue;
      ++known;
      EXPECT_EQ(isa::find_message(b.generation.engine.messages, sampler_sfid, b.desc_of(m.code))->name, m.name)
          << b.generation.name;
      for (const unsigned simd : {8u, 16u}) {
        b.simd = simd;
        b.header = std::vector<uint32_t>(8);
        b.header[3] = sampler_table;
        b.send(m.name, {{"u", same(0.5f)}, {"lod", same(0u)}, {"si", same(0u)}, {"mcsl", same(0u)}});
        EXPECT_NE(b.lane(0, 0), untouched_lane) << m.name;
      }
    }
    // Nothing in the tables is forgotten here.
    unsigned rows = 0;
    for (const isa::MessageRow& row : b.generation.engine.messages.functions[sampler_sfid].rows)
      rows += row.shape.action > isa::MessageAction::unsupported && row.sampler.surface;
    EXPECT_EQ(rows, known) << b.generation.name;
  }
}

TEST(Sampler, faults_have_names) {
  FOR_EACH_GENERATION(b) {
    numbered(b, 8, 8);
    const auto expect = [&](uint32_t desc, eu::Reply reply, std::string_view text) {
      EXPECT_EQ(b.send_raw(desc, std::vector<uint32_t>(64)), reply) << text;
      EXPECT_NE(b.reason.find(text), std::string::npos) << b.reason;
    };
    expect(b.desc_of(0xD), eu::Reply::faulted, "reserved message type 0xd");
    if (b.generation.engine.header_chooses_4x2)
      expect(b.desc_of(0) & ~(3u << b.generation.simd_shift), eu::Reply::unsupported, "SIMD8D");
    b.guest.set_surface(b.bti, plain_2d("P8_UNORM_PALETTE0", 8, 8, 64));
    expect(b.desc_of(7), eu::Reply::unsupported, "P8_UNORM_PALETTE0");
    state::Surface s = plain_2d("R8_UNORM", 8, 8, 64);
    s.type = SurfaceType::buffer;
    b.guest.set_surface(b.bti, s);
    expect(b.desc_of(0), eu::Reply::unsupported, "sampling a buffer");
    b.guest.set_surface(b.bti, plain_2d("R8_UNORM", 8, 8, 64));
    const auto refused = [&](auto change, std::string_view text) {
      state::Sampler sampler;
      change(sampler);
      b.set_sampler(sampler);
      expect(b.desc_of(0), eu::Reply::unsupported, text);
    };
    using state::AddressMode, state::MapFilter, state::MipFilter;
    refused([](state::Sampler& f) { f.min_filter = MapFilter(3); }, "a reserved map mode filter");
    refused([](state::Sampler& f) { f.mag_filter = MapFilter(7); }, "a reserved map mode filter");
    refused([](state::Sampler& f) { f.mip_filter = MipFilter(2); }, "a reserved mip mode filter");
    refused([](state::Sampler& f) { f.tcy = AddressMode(7); }, "a reserved address control mode");
    refused([](state::Sampler& f) { f.tcx = AddressMode::clamp_border, f.border_mode_dx9 = true; },
            "border colours of DX9");
  }
  SamplerBench six(sampler_generations[0]);
  state::Surface s = plain_2d("R8_UNORM", 8, 8, 64);
  s.data_return_format = true;
  six.guest.set_surface(six.bti, s);
  EXPECT_EQ(six.send_raw(six.desc_of(7), std::vector<uint32_t>(64)), eu::Reply::unsupported);
}

TEST(Sampler, media_messages_of_simd32_64_are_refused_by_their_names) {
  FOR_EACH_GENERATION(b) {
    numbered(b, 8, 8);
    for (unsigned type = 0; type < (b.generation.column == 0 ? 16u : 32u); ++type) {
      const uint32_t desc = b.desc_of(type) | 3u << b.generation.simd_shift;
      const isa::MessageRow* const row = isa::find_message(b.generation.engine.messages, sampler_sfid, desc);
      if (row && row->shape.action > isa::MessageAction::unsupported) continue;
      EXPECT_EQ(b.send_raw(desc, std::vector<uint32_t>(64)), row ? eu::Reply::unsupported : eu::Reply::faulted);
      const std::string expected =
          !row ? fmt::format("reserved message type {:#x}", type) : fmt::format("sampler {}", row->name);
      EXPECT_NE(b.reason.find(expected), std::string::npos) << b.reason;
    }
  }
}

// As IGC sends it for a fence of images: a header, an answer of one register, no surface.
TEST(Sampler, cache_flush_is_answered) {
  for (const SamplerGeneration& generation : {sampler_generations[1], sampler_generations[2]}) {
    SamplerBench b(generation);
    b.guest.environment.bases.surface.address = 0x7FFF'0000'0000;  // nothing is there
    b.response_registers = 1;
    b.header = std::vector<uint32_t>(8);
    b.bti = 0;
    EXPECT_EQ(b.send_raw(b.desc_of(0x1F) | 3u << generation.simd_shift, {}), eu::Reply::done) << b.reason;
    EXPECT_EQ(b.guest.view.misses().reads, 0u);
  }
}

TEST(Sampler, unmapped_texels_read_as_zero_and_are_counted) {
  FOR_EACH_GENERATION(b) {
    state::Surface s = plain_2d("R32_UINT", 8, 8, 64);
    s.base = 0x10000000;
    b.guest.set_surface(b.bti, s);
    b.send("ld", {{"u", same(0u)}});
    EXPECT_EQ(b.texel(0), (std::array<uint32_t, 4>{0, 0, 0, 1}));
    EXPECT_GT(b.guest.view.misses().reads, 0u);
  }
}

TEST(Sampler, is_reached_by_its_sfid) {
  SamplerBench b(sampler_generations[2]);
  numbered(b, 8, 8);
  eu::SharedFunctions functions{};
  b.engine.install(functions);
  const eu::SharedFunction& f = functions[sampler_sfid];
  ASSERT_NE(f.handle, nullptr);
  eu::Thread thread;
  std::array<uint32_t, 16> payload{};
  payload[0] = 4;
  std::array<uint32_t, 32> response{};
  eu::Message m;
  m.sfid = 2, m.desc = b.desc_of(7), m.channels = 1;
  m.payload = std::as_bytes(std::span(payload)), m.response = std::as_writable_bytes(std::span(response));
  EXPECT_EQ(f.handle(f.context, thread, m, b.reason), eu::Reply::done) << b.reason;
  EXPECT_EQ(response[0], 4u);
  m.eot = true;
  EXPECT_EQ(f.handle(f.context, thread, m, b.reason), eu::Reply::unsupported);
  EXPECT_EQ(b.reason.rfind("a sampler message that ends its thread", 0), 0u) << b.reason;
}

}  // namespace
}  // namespace vitro::shared
