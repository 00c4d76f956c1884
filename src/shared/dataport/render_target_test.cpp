// Render target messages: every payload layout, masks, formats both ways, tiles read back, levels and slices, blending
// on targets, logic operations and write masks, samples with and without a control surface, and lanes against the
// plain way.
#include "shared/dataport/render_target.h"

#include "base/half.h"
#include "shared/dataport/random_colours_test.h"

namespace vitro::shared::test {
namespace {

constexpr uint32_t rt_write = type5(0xC), rt_read = type5(0xD), last = 1 << 12, fp16 = 1 << 30, high_slots = 1 << 11;
enum : uint32_t { simd16 = 0 << 8, rep16 = 1 << 8, dual_low = 2 << 8, dual_high = 3 << 8, simd8 = 4 << 8 };
// Registers of a component with a value for each lane.
std::vector<uint32_t> lanes_of(unsigned count, float first, float step) {
  std::vector<uint32_t> v;
  for (unsigned n = 0; n < count; ++n) v.push_back(bits_of(first + step * float(n)));
  return v;
}
Payload colour(unsigned lanes, float r, float g, float b, float a) {
  Payload p;
  for (float x : {r, g, b, a}) p.dwords(lanes_of(lanes, x, 0));
  return p;
}
template <class Test>
void on_both(Test test) {
  for (const DataPortLayout* l : {&dataport_gen8, &dataport_gen9}) {
    Pixels p(*l);
    test(p);
  }
}

TEST(RenderTarget, SixteenLanesInEveryTiling) {
  on_both([](Pixels& p) {
    for (auto tiles : {state::TileMode::linear, state::TileMode::x, state::TileMode::y}) {
      std::fill(p.b.host.begin(), p.b.host.begin() + tables, std::byte{0});
      p.bind(target("R32G32B32A32_FLOAT", tiles));
      Payload payload;
      for (int c = 0; c < 4; ++c) payload.dwords(lanes_of(16, float(100 * c), 1));
      p.b.channels = 0xFFFE;
      p.b.ok(render_cache, rt_write | simd16 | last, payload);
      for (unsigned y = 0; y < height; ++y)
        for (unsigned x = 0; x < width; ++x) {
          const bool inside = x >= 4 && x < 8 && y >= 8 && y < 12 && !(x == 4 && y == 8);
          const unsigned n = (x & 1) | (y & 1) << 1 | (x >> 1 & 1) << 2 | (y >> 1 & 1) << 3;
          for (unsigned c = 0; c < 4; ++c)
            ASSERT_EQ(p.at(x, y)[c], inside ? bits_of(float(100 * c + n)) : 0u) << x << " " << y << " " << c;
          // and where the tiling says
          const uint32_t at = uint32_t(memory::tiled_offset(tiles, x * 16, y, 512));
          ASSERT_EQ(p.b.get(at + 4), inside ? bits_of(float(100 + n)) : 0u);
        }
    }
  });
}

TEST(RenderTarget, Subtypes) {
  on_both([](Pixels& p) {
    p.bind(target("R32G32B32A32_FLOAT"));
    p.b.exec_size = 8, p.b.channels = 0xFF;
    p.b.ok(render_cache, rt_write | simd8, colour(8, 1, 2, 3, 4));
    EXPECT_EQ(p.at(7, 9)[2], bits_of(3));
    EXPECT_EQ(p.at(4, 10)[2], 0u);
    // second colours are behind the first
    state::BlendStateEntry& e = p.pixels.blend_entries[0];
    e = {.destination_blend_factor = 17, .source_blend_factor = 9, .color_buffer_blend_enable = true};
    Payload both = colour(8, 2, 2, 2, 2);
    for (float x : {5.f, 6.f, 7.f, 8.f}) both.dwords(lanes_of(8, x, 0));
    p.b.ok(render_cache, rt_write | dual_low, both);
    EXPECT_EQ(p.at(4, 8)[0], bits_of(10));
    EXPECT_EQ(p.at(4, 10)[0], 0u);
    p.b.ok(render_cache, rt_write | dual_high, both);
    EXPECT_EQ(p.at(4, 10)[3], bits_of(16));
    e = {};
    p.b.exec_size = 16, p.b.channels = 0xFFFF;
    p.b.ok(render_cache, rt_write | rep16, Payload{}.dwords({bits_of(.5f), bits_of(.25f), 0, bits_of(1)}));
    EXPECT_EQ(p.at(7, 11)[1], bits_of(.25f));
    p.b.ok(render_cache, rt_write | simd16 | high_slots, colour(16, 9, 9, 9, 9));
    EXPECT_EQ(p.at(4, 12)[1], bits_of(9));
    EXPECT_EQ(p.at(7, 11)[1], bits_of(.25f));
    Payload halves;
    for (float x : {1.f, -2.f, .5f, 3.f}) halves.dwords(std::vector<uint32_t>(8, double_to_half(x) * 0x10001u));
    p.b.ok(render_cache, rt_write | simd16 | fp16, halves);
    EXPECT_EQ(p.at(6, 9)[1], bits_of(-2));
    EXPECT_EQ(p.b.send(render_cache, rt_write | 5 << 8, Payload{}.dwords(std::vector<uint32_t>(64))),
              eu::Reply::unsupported);
    EXPECT_EQ(p.b.send(render_cache, rt_write | simd16, colour(8, 1, 1, 1, 1)), eu::Reply::faulted);
  });
}

// Header, then source 0 alpha, output mask, colours, depth and stencil.
TEST(RenderTarget, PartsOfThePayload) {
  Pixels p(dataport_gen9);
  state::Surface s = target("R32G32B32A32_FLOAT");
  p.bind(s);
  struct Seen {
    std::array<float, 32> depth{};
    std::array<uint8_t, 32> stencil{};
    LitSamples lit{};
    int calls = 0;
  } seen;
  p.pixels.late = {[](void* context, PixelContext&, LitSamples& lit, const float* depth, const uint8_t* stencil) {
                     Seen& to = *static_cast<Seen*>(context);
                     ++to.calls;
                     to.lit = lit;
                     if (depth) std::copy_n(depth, 32, to.depth.begin());
                     if (stencil) std::copy_n(stencil, 32, to.stencil.begin());
                     lit[0] &= ~2u;  // one fails
                   },
                   &seen};
  p.pixels.blend.alpha_test_enable = true, p.pixels.blend.alpha_test_function = 5;  // greater
  p.pixels.color_calc.alpha_test_format = 1, p.pixels.color_calc.alpha_reference_value = bits_of(.5f);
  p.pixels.blend_entries[3].write_disable_red = true;
  p.b.exec_size = 8, p.b.channels = 0xFF;
  Payload m;
  m.header({uint32_t(0xF) << 11, 0, 3}).header({0, 0, 0, 0, 0, 0, 0, 0x7F});
  std::vector<uint32_t> alphas = lanes_of(8, 1, 0);
  alphas[2] = 0;
  m.dwords(alphas);
  m.dwords({0x00010001, 0x00010001, 0x00010000, 0x00010001});  // lane 4 masks itself out
  for (float x : {1.f, 2.f, 3.f, 0.f}) m.dwords(lanes_of(8, x, 0));
  m.dwords(lanes_of(8, 10, 1));
  m.dwords({0x03020100, 0x07060504});
  p.b.ok(render_cache, rt_write | simd8 | header_present | last, m);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.lit[0], 0x7Fu & ~4u & ~16u);
  EXPECT_EQ(seen.depth[5], 15);
  EXPECT_EQ(seen.stencil[6], 6);
  for (unsigned n = 0; n < 8; ++n) {
    const bool written = n != 1 && n != 2 && n != 4 && n != 7;
    EXPECT_EQ(p.at(p.thread.x(n), p.thread.y(n))[1], written ? bits_of(2) : 0u) << n;
    EXPECT_EQ(p.at(p.thread.x(n), p.thread.y(n))[0], 0u);
  }
  // The tests are over: what they left is lit.
  p.b.ok(render_cache, rt_write | simd8 | header_present | last, m);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(p.thread.lit[0] & 0x7F, 0x7Fu & ~2u & ~4u & ~16u);
  // Without a header, the state says what is there.
  p.pixels.late = {};
  p.pixels.gives_omask = p.pixels.gives_depth = true;
  Payload plain;
  plain.dwords(std::vector<uint32_t>(8, 0xFFFFFFFF));
  for (float x : {4.f, 5.f, 6.f, 7.f}) plain.dwords(lanes_of(8, x, 0));
  EXPECT_EQ(p.b.send(render_cache, rt_write | simd8, plain), eu::Reply::faulted);
  plain.dwords(lanes_of(8, 0, 0));
  p.b.ok(render_cache, rt_write | simd8, plain);
  EXPECT_EQ(p.at(4, 8)[0], bits_of(4));
}

// What a soft line covers of a pixel is part of the alpha that is tested, of source 0 as of the colour's own.
TEST(RenderTarget, AlphaTestSeesAntialiasing) {
  for (const bool source_0 : {false, true}) {
    Pixels p(dataport_gen9);
    p.bind(target("R32G32B32A32_FLOAT"));
    p.pixels.blend.alpha_test_enable = true, p.pixels.blend.alpha_test_function = 5;  // greater
    p.pixels.color_calc.alpha_test_format = 1, p.pixels.color_calc.alpha_reference_value = bits_of(.5f);
    p.thread.has_antialiasing = true;
    for (unsigned n = 0; n < 8; ++n) p.thread.antialiasing[n] = n & 1 ? 255 : 51;
    p.b.exec_size = 8, p.b.channels = 0xFF;
    Payload m;
    m.header({uint32_t(source_0) << 11, 0, 0}).header({0, 0, 0, 0, 0, 0, 0, 0xFF});
    if (source_0) m.dwords(lanes_of(8, 1, 0));
    for (float x : {1.f, 2.f, 3.f, 1.f}) m.dwords(lanes_of(8, x, 0));
    p.b.ok(render_cache, rt_write | simd8 | header_present | last, m);
    for (unsigned n = 0; n < 8; ++n) EXPECT_EQ(p.at(p.thread.x(n), p.thread.y(n))[3], n & 1 ? bits_of(1) : 0u) << n;
  }
}

// Integers have no alpha to test; source 0's is one, whatever the target.
TEST(RenderTarget, SourceZeroAlphaServesTargetsOfIntegers) {
  for (const bool source_0 : {false, true}) {
    Pixels p(dataport_gen9);
    p.bind(target("R32G32B32A32_UINT"));
    p.pixels.blend.alpha_test_enable = true, p.pixels.blend.alpha_test_function = 5;  // greater
    p.pixels.color_calc.alpha_test_format = 1, p.pixels.color_calc.alpha_reference_value = bits_of(.5f);
    p.b.exec_size = 8, p.b.channels = 0xFF;
    Payload m;
    m.header({uint32_t(source_0) << 11, 0, 1}).header({0, 0, 0, 0, 0, 0, 0, 0xFF});
    std::vector<uint32_t> alphas = lanes_of(8, 1, 0);
    alphas[2] = 0;
    if (source_0) m.dwords(alphas);
    for (uint32_t x : {1, 2, 3, 4}) m.dwords(std::vector<uint32_t>(8, x));
    p.b.ok(render_cache, rt_write | simd8 | header_present | last, m);
    for (unsigned n = 0; n < 8; ++n)
      EXPECT_EQ(p.at(p.thread.x(n), p.thread.y(n))[3], source_0 && n == 2 ? 0u : 4u) << n;
  }
}

TEST(RenderTarget, EveryFormatThatCanBeWritten) {
  Rng r(7);
  on_both([&](Pixels& p) {
    unsigned formats_seen = 0;
    for (const formats::Format& f : formats::all()) {
      if (!f.encode || !f.decode || f.bits > 128 || f.block_width > 1) continue;
      p.bind(target(f.name));
      ++formats_seen;
      Payload payload;
      std::array<std::vector<uint32_t>, 4> sent;
      for (auto& c : sent) {
        for (int n = 0; n < 16; ++n) c.push_back(f.integer() ? uint32_t(r()) : bits_of(float(r.below(1000)) / 800));
        payload.dwords(c);
      }
      p.b.ok(render_cache, rt_write | simd16, payload);
      for (unsigned n = 0; n < 16; ++n) {
        std::array<std::byte, 64> expected{};
        f.encode(expected.data(), {sent[0][n], sent[1][n], sent[2][n], sent[3][n]});
        const uint32_t at = p.thread.y(n) * 512 + p.thread.x(n) * f.bytes();
        ASSERT_EQ(std::memcmp(expected.data(), p.b.host.data() + at, f.bytes()), 0) << f.name << " " << n;
      }
    }
    EXPECT_GT(formats_seen, 100u);
  });
}

// Lanes do what the plain way does, pixel by pixel.
TEST(RenderTarget, LanesAgreeWithThePlainWay) {
  Rng r(11);
  Pixels p(dataport_gen9);
  int found = 0;
  for (int n = 0; n < 1000; ++n) {
    RandomColours colours(r, p);
    if (!colours.site->found) continue;
    ++found;
    const std::vector<std::byte> before = p.b.host;
    colours.site->carry_out(nullptr, p.thread, colours.out, colours.lit[0]);
    const std::vector<std::byte> quick = p.b.host;
    std::copy(before.begin(), before.end(), p.b.host.begin());
    write_colours_plainly(*p.b.view, *colours.target, p.pixels, p.pixels.blend_entries[0], colours.out, colours.lit);
    ASSERT_TRUE(quick == p.b.host) << colours.target->image.format->name << " " << n;
  }
  EXPECT_GT(found, 700);
}

TEST(RenderTarget, BlendsInTheTargetsOwnSpace) {
  Pixels p(dataport_gen8);
  state::BlendStateEntry& e = p.pixels.blend_entries[0];
  e = {.destination_blend_factor = 19, .source_blend_factor = 3, .color_buffer_blend_enable = true};
  for (const char* name : {"R8G8B8A8_UNORM", "R8G8B8A8_UNORM_SRGB"}) {
    p.bind(target(name));
    const formats::Format& f = *formats::find(name);
    p.b.set(8 * 512 + 4 * 4, 0x80FF4020u);
    formats::Rgba before, after;
    f.decode(p.b.host.data() + 8 * 512 + 16, 0, 0, before);
    p.b.ok(render_cache, rt_write | simd16, colour(16, .5f, .25f, 1, .75f));
    std::array<uint32_t, 4> expected;
    const float source[] = {.5f, .25f, 1, .75f};
    for (size_t c = 0; c < 4; ++c) expected[c] = bits_of(source[c] * .75f + float_of(before[c]) * .25f);
    std::array<std::byte, 4> bytes;
    f.encode(bytes.data(), expected);
    EXPECT_EQ(std::memcmp(bytes.data(), p.b.host.data() + 8 * 512 + 16, 4), 0) << name;
    f.decode(bytes.data(), 0, 0, after);
    EXPECT_NE(after, before);
  }
}

TEST(RenderTarget, LogicOpsAndWriteMasks) {
  on_both([](Pixels& p) {
    state::BlendStateEntry& e = p.pixels.blend_entries[0];
    for (unsigned code = 0; code < 16; ++code) {
      p.bind(target("R8G8B8A8_UINT"));
      p.b.set(8 * 512 + 16, 0xCCAA0F55u);
      e = {.logic_op_function = uint8_t(code), .logic_op_enable = true};
      Payload m;
      for (uint32_t v : {0x33u, 0x5Au, 0xF0u, 0x0Fu}) m.dwords(std::vector<uint32_t>(16, v));
      p.b.ok(render_cache, rt_write | simd16, m);
      EXPECT_EQ(p.b.get(8 * 512 + 16), logic_op(code, 0x0FF05A33u, 0xCCAA0F55u)) << code;
    }
    // not of floats
    p.bind(target("R32_FLOAT"));
    e = {.logic_op_function = 0, .logic_op_enable = true};
    p.b.ok(render_cache, rt_write | simd16, colour(16, 3, 0, 0, 0));
    EXPECT_EQ(p.b.get(8 * 512 + 16), bits_of(3));
    for (unsigned off = 0; off < 16; ++off) {
      p.bind(target("B8G8R8A8_UNORM"));
      p.b.set(8 * 512 + 16, 0x11111111u);
      e = {.write_disable_blue = (off & 4) != 0,
           .write_disable_green = (off & 2) != 0,
           .write_disable_red = (off & 1) != 0,
           .write_disable_alpha = (off & 8) != 0};
      p.b.ok(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1));
      const uint32_t kept =
          (off & 4 ? 0xFFu : 0) | (off & 2 ? 0xFF00u : 0) | (off & 1 ? 0xFF0000u : 0) | (off & 8 ? 0xFF000000u : 0);
      EXPECT_EQ(p.b.get(8 * 512 + 16), (0x11111111u & kept) | ~kept) << off;
    }
  });
}

TEST(RenderTarget, LevelsAndSlices) {
  on_both([](Pixels& p) {
    state::Surface s = target("R8_UINT", state::TileMode::y);
    s.width_less_1 = s.height_less_1 = 31, s.pitch_less_1 = 127;
    s.mip_count = 1, s.min_array_element = 1, s.array = true, s.depth_less_1 = 1, s.view_extent_less_1 = 1;
    s.qpitch_field = 16;  // 64 rows
    p.bind(s);
    p.b.ok(render_cache, rt_write | simd16 | header_present,
           Payload{}.header({1u << 16}).header({0, 0, 0, 0, 0, 0, 0, 0xFFFF}).dwords(std::vector<uint32_t>(64, 77)));
    // level 1 is below level 0; slice 2 of the surface
    EXPECT_EQ(p.b.host[memory::tiled_offset(memory::Tiling::y, 4, 2 * 64 + 32 + 8, 128)], std::byte{77});
    // Beyond the view there is its first slice.
    p.thread.layer = 9;
    p.b.ok(render_cache, rt_write | simd16, Payload{}.dwords(std::vector<uint32_t>(64, 78)));
    EXPECT_EQ(p.b.host[memory::tiled_offset(memory::Tiling::y, 4, 64 + 32 + 8, 128)], std::byte{78});
  });
}

// Denormals of halves are made of the host's: where a routine reads them, they must be kept, clamped or not.
TEST(RenderTarget, RoutinesThatReadHalvesKeepDenormals) {
  const auto keeps = [](std::string_view format, bool enabled, ClampRange range) {
    TargetKey key{};
    key.surface.texel = formats::texel_layout(*formats::find(format));
    key.blend = {.enabled = enabled, .source_clamp = range, .target_clamp = range, .result_clamp = range};
    return key.keeps_denormals();
  };
  for (const ClampRange range : {ClampRange::none, ClampRange::unorm, ClampRange::snorm}) {
    EXPECT_TRUE(keeps("R16G16B16A16_FLOAT", true, range));
    EXPECT_TRUE(keeps("R32G32B32A32_FLOAT", true, range));
    EXPECT_FALSE(keeps("R16G16B16A16_FLOAT", false, range));
  }
  EXPECT_FALSE(keeps("R8G8B8A8_UNORM", true, ClampRange::unorm));
}

TEST(RenderTarget, NullAndUnsupportedTargets) {
  on_both([](Pixels& p) {
    p.bind(state::Surface{});
    p.b.ok(render_cache, rt_write | simd16 | last, colour(16, 1, 1, 1, 1));
    p.b.bind_buffer(0, 0, 64);
    EXPECT_EQ(p.b.send(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1)), eu::Reply::unsupported);
    p.bind(target("BC1_UNORM"));
    EXPECT_EQ(p.b.send(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1)), eu::Reply::unsupported);
    p.bind(target("R8G8B8A8_UNORM"));
    p.pixels.blend_entries[0] = {.source_blend_factor = 31, .color_buffer_blend_enable = true};
    EXPECT_EQ(p.b.send(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1)), eu::Reply::unsupported);
    p.b.environment.pixels = nullptr;
    EXPECT_EQ(p.b.send(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1)), eu::Reply::faulted);
  });
}

TEST(RenderTarget, SamplesWithAndWithoutControlSurface) {
  on_both([](Pixels& p) {
    for (bool control : {false, true}) {
      std::fill(p.b.host.begin(), p.b.host.begin() + tables, std::byte{0});
      state::Surface s = target("R8G8B8A8_UNORM", state::TileMode::y);
      s.pitch_less_1 = 127, s.log2_samples = 2, s.qpitch_field = 8;
      s.red_clear = s.alpha_clear = p.b.layout.surface.rules.clear_colour_is_bits ? 1 : bits_of(1);
      if (control) {
        s.aux_mode = state::AuxMode::ccs_d, s.aux_base = home + 0x8000, s.aux_pitch_less_1 = 0;
        std::fill(p.b.host.begin() + 0x8000, p.b.host.begin() + 0x9000, std::byte{0xFF});
      }
      p.bind(s);
      p.pixels.samples = 4;
      p.thread.lit = {0xFFFF, 0xFFFF, 0x00FF, 0};
      p.b.ok(render_cache, rt_write | simd16, colour(16, 0, 1, 0, 1));
      const formats::Rgba green{0, 0x3F800000, 0, 0x3F800000}, clear{0x3F800000, 0, 0, 0x3F800000};
      for (uint32_t n = 0; n < 4; ++n) {
        EXPECT_EQ(p.at(4, 8, 0, n), n < 3 ? green : control ? clear : formats::Rgba{}) << n;
        EXPECT_EQ(p.at(4, 10, 0, n), n < 2 ? green : control ? clear : formats::Rgba{}) << n;
      }
      const uint32_t code_at = 0x8000 + uint32_t(memory::tiled_offset(memory::Tiling::y, 4, 8, 128));
      EXPECT_EQ(p.b.get<uint8_t>(code_at), control ? 0xE4 : 0);
      // All samples alike need one plane only.
      p.thread.lit = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
      p.b.ok(render_cache, rt_write | simd16, colour(16, 0, 0, 1, 1));
      EXPECT_EQ(p.b.get<uint8_t>(code_at), 0);
      for (uint32_t n = 0; n < 4; ++n) EXPECT_EQ(p.at(5, 9, 0, n)[2], 0x3F800000u);
      // One sample more: the others keep theirs.
      p.thread.lit = {0, 0, 0xFFFF, 0};
      p.b.ok(render_cache, rt_write | simd16, colour(16, 1, 1, 1, 1));
      for (uint32_t n = 0; n < 4; ++n) EXPECT_EQ(p.at(5, 9, 0, n)[0], n == 2 ? 0x3F800000u : 0u);
    }
    // Alpha gives as many samples as it is a part of one.
    p.pixels.alpha_to_coverage = true;
    p.thread.lit = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
    p.pixels.blend.alpha_to_one_enable = true;
    p.b.ok(render_cache, rt_write | simd16, colour(16, .2f, 0, 0, .5f));
    for (uint32_t n = 0; n < 4; ++n)
      EXPECT_EQ(p.at(5, 9, 0, n)[0], n < 2 ? bits_of(51 / 255.f) : n == 2 ? 0x3F800000u : 0u);
    EXPECT_EQ(p.at(5, 9, 0, 0)[3], 0x3F800000u);
    // A mask of samples that the shader gives takes its place.
    p.pixels.gives_omask = true;
    Payload masked;
    masked.dwords(std::vector<uint32_t>(8, 0x00050005));
    for (float x : {.4f, 0.f, 0.f, 0.f}) masked.dwords(lanes_of(16, x, 0));
    p.b.ok(render_cache, rt_write | simd16, masked);
    const float expected[] = {102 / 255.f, 51 / 255.f, 102 / 255.f, 0};
    for (uint32_t n = 0; n < 4; ++n) EXPECT_EQ(p.at(5, 9, 0, n)[0], bits_of(expected[n])) << n;
  });
}

TEST(RenderTarget, ControlCodes) {
  for (unsigned log2 = 1; log2 <= 4; ++log2) {
    EXPECT_FALSE(mcs_is_clear(log2, mcs_identity(log2)));
    EXPECT_FALSE(mcs_is_clear(log2, 0));
    EXPECT_TRUE(mcs_is_clear(log2, ~uint64_t(0)));
    for (unsigned s = 0; s < 1u << log2; ++s) {
      EXPECT_EQ(mcs_plane(log2, mcs_identity(log2), s), s);
      EXPECT_EQ(mcs_plane(log2, 0, s), 0u);
    }
  }
}

TEST(RenderTarget, Reads) {
  Pixels p(dataport_gen9);
  p.bind(target("R8G8B8A8_UNORM", state::TileMode::x));
  p.b.ok(render_cache, rt_write | simd16, colour(16, 1, 0, .2f, 1));
  const Payload header = Payload{}.header({}).header({});
  p.b.channels = 0xFFFD;
  p.b.ok(render_cache, rt_read | header_present, header, 8);
  EXPECT_EQ(p.b.out(0, 0), bits_of(1));
  EXPECT_EQ(p.b.out(5, 7), bits_of(51 / 255.f));
  EXPECT_EQ(p.b.out(0, 1), untouched);
  p.b.channels = 0xFF, p.b.exec_size = 8;
  p.b.ok(render_cache, rt_read | 1 << 8 | header_present, header, 4);
  EXPECT_EQ(p.b.out(3, 7), bits_of(1));
  EXPECT_EQ(p.b.send(render_cache, rt_read | header_present, header, 7), eu::Reply::faulted);
}

// MSD_RTW_*, by the names of the documents: carried out for pixel threads, and for no others.
void message(uint32_t subtype) {
  on_both([&](Pixels& p) {
    p.bind(target("R8G8B8A8_UNORM"));
    const Payload m = Payload{}.dwords(std::vector<uint32_t>(96, bits_of(1)));
    p.b.ok(render_cache, rt_write | subtype, m);
    EXPECT_EQ(p.at(4, subtype == dual_high ? 10 : 8)[0], bits_of(1));
    p.b.environment.pixels = nullptr;
    EXPECT_EQ(p.b.send(render_cache, rt_write | subtype, m), eu::Reply::faulted);
    EXPECT_NE(p.b.reason.find("render target write"), std::string::npos) << p.b.reason;
  });
}
TEST(RenderTarget, MSD_RTW_SIMD16) { message(simd16); }
TEST(RenderTarget, MSD_RTW_REP16) { message(rep16); }
TEST(RenderTarget, MSD_RTW_LO8DS) { message(dual_low); }
TEST(RenderTarget, MSD_RTW_HI8DS) { message(dual_high); }
TEST(RenderTarget, MSD_RTW_SIMD8) { message(simd8); }

}  // namespace
}  // namespace vitro::shared::test
