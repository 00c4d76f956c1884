// Every command of the blitter against a reference that draws pixel by pixel, over random rectangles, depths, raster
// operations, tilings, clips and overlaps, on every generation. PRM: Gen8 vol 2a XY_*.
#include <algorithm>

#include "streamer/blitter_case_test.h"

namespace vitro::streamer {
namespace {

using namespace blits;
using bench::Bench, bench::end, bench::join, bench::text;

constexpr int rounds = 200;

// Operations that need no operand which a command has not.
uint8_t without(uint8_t code, bool pattern, bool source) {
  if (!pattern) code = uint8_t((code & 0x0F) * 0x11);
  if (!source) code = uint8_t((code & 0x33 & 0x33) | (code & 0x33) << 2);
  return code;
}

struct Drawn {
  Drawn(const CommandSet& set, Rng& rng) : bench(set, commands::Engine::copy) {
    for (size_t n = 0; n < bench.ppgtt_bytes.size(); n += 8) {
      const uint64_t v = rng();
      std::memcpy(bench.ppgtt_bytes.data() + n, &v, 8);
    }
  }
  void place(uint64_t at, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), bench.ppgtt_bytes.begin() + ptrdiff_t(at - Bench::batch_at));
  }
  // Runs a batch, and compares all memory with what the reference makes of it.
  void compare(const Dwords& commands, const Blit& b) {
    const Dwords batch = join({commands, end()});
    bench.place(Bench::batch_at, batch);
    reference::Memory expected{Bench::batch_at, bench.ppgtt_bytes};
    reference::draw(expected, b);
    const auto fault = bench.start({Bench::batch_at});
    ASSERT_FALSE(fault) << text(fault);
    const auto differs = std::mismatch(expected.bytes.begin(), expected.bytes.end(), bench.ppgtt_bytes.begin());
    ASSERT_TRUE(differs.first == expected.bytes.end())
        << fmt::format("at 0x{:x}: {:02x}, not {:02x}", differs.first - expected.bytes.begin() + Bench::batch_at,
                       uint8_t(*differs.second), uint8_t(*differs.first));
  }
  Bench bench;
};

// `build` completes a case and gives its commands.
template <class Build>
void on_every_generation(Wanted wanted, Build build, std::vector<const CommandSet*> sets = bench::every) {
  for (const CommandSet* set : sets) {
    Rng rng(0xB117);
    for (int round = 0; round < rounds && !testing::Test::HasFatalFailure(); ++round) {
      Drawn drawn(*set, rng);
      Case c = random_case(rng, set == &commands_gen6, wanted);
      const Dwords commands = build(c, rng, drawn);
      SCOPED_TRACE(fmt::format("{} round {}: {}", set->name, round, shown(c)));
      drawn.compare(join({c.tiles(), c.setup_clip(), commands}), c.b);
    }
  }
}

void place_pattern(Drawn& d, const Case& c) {
  const Dwords words = c.pattern_dwords();
  d.place(pattern_at, std::as_bytes(std::span(words)));
}

TEST(Blitter, XY_COLOR_BLT) {
  on_every_generation({}, [](Case& c, Rng&, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_solid();
    return c.xy(0x50).add(c.pattern_background).done();
  });
}
TEST(Blitter, XY_PAT_BLT) {
  on_every_generation({}, [](Case& c, Rng&, Drawn& d) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_pattern();
    place_pattern(d, c);
    return c.xy(0x51, c.seeds()).address(pattern_at).done();
  });
}
TEST(Blitter, XY_PAT_BLT_IMMEDIATE) {
  on_every_generation({}, [](Case& c, Rng&, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_pattern();
    return c.xy(0x72, c.seeds()).add(c.pattern_dwords()).done();
  });
}
// A key that random pixels meet now and then.
void with_key(Case& c, Rng& rng, std::initializer_list<unsigned> modes) {
  c.b.key_mode = *(modes.begin() + rng.below(uint32_t(modes.size())));
  c.b.key_low = uint32_t(rng()) & 0x1F3F1F1F;
  c.b.key_high = uint32_t(rng()) | 0xE0E0C0E0;
  if (c.b.depth == 2) c.b.key_low &= 0x0C63, c.b.key_high |= 0x739C | (rng.coin() ? 0x8000 : 0);
}
uint32_t mode(const Case& c) { return c.b.key_mode << 17; }

TEST(Blitter, XY_PAT_CHROMA_BLT) {
  on_every_generation({}, [](Case& c, Rng& rng, Drawn& d) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_pattern();
    with_key(c, rng, {0, 2, 5, 7});
    place_pattern(d, c);
    return c.xy(0x76, c.seeds() | mode(c)).address(pattern_at).add(c.b.key_low).add(c.b.key_high).done();
  });
}
TEST(Blitter, XY_PAT_CHROMA_BLT_IMMEDIATE) {
  on_every_generation({}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_pattern();
    with_key(c, rng, {4, 5, 7});
    return c.xy(0x77, c.seeds() | mode(c)).add(c.b.key_low).add(c.b.key_high).add(c.pattern_dwords()).done();
  });
}
constexpr uint32_t source_transparency = 1u << 29, pattern_transparency = 1u << 28, solid_pattern = 1u << 31;
uint32_t pattern_bits(const Case& c) {
  return (c.pattern_transparent ? pattern_transparency : 0) | (c.solid ? solid_pattern : 0);
}
uint32_t source_bits(const Case& c) { return c.source_transparent ? source_transparency : 0; }

TEST(Blitter, XY_MONO_PAT_BLT) {
  on_every_generation({}, [](Case& c, Rng&, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.solid = false;
    c.with_mono_pattern();
    return c.xy(0x52, c.seeds(), pattern_bits(c))
        .add(c.pattern_background)
        .add(c.pattern_foreground)
        .add(c.bits[0])
        .add(c.bits[1])
        .done();
  });
}
// Only what needs no bitmap: those of the fixed patterns are in no public document.
TEST(Blitter, XY_MONO_PAT_FIXED_BLT) {
  on_every_generation({}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, false, false);
    const uint32_t style = rng.below(12) << 15;
    return c.xy(0x59, c.seeds() | style).add(c.pattern_background).add(c.pattern_foreground).done();
  });
  for (const uint32_t more : {0u, pattern_transparency}) {
    Rng rng(1);
    Drawn d(commands_gen8, rng);
    Case c = random_case(rng, false, {});
    c.b.operation = more ? 0x55 : 0xF0;
    c.b.x1 = c.b.y1 = 0, c.b.x2 = c.b.y2 = 4;
    const auto fault = d.bench.run(join({c.tiles(), c.xy(0x59, 0, more).add(0).add(0).done(), end()}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason, "unsupported: Fixed Pattern");
  }
}
TEST(Blitter, XY_SRC_COPY_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = rng.coin() ? 0xCC : without(c.b.operation, false, true);
    return c.xy(0x53, c.source_tiled())
        .add(pair(c.b.source_x, c.b.source_y))
        .add(Case::field_pitch(c.b.source))
        .address(c.b.source.base)
        .done();
  });
}
TEST(Blitter, XY_SRC_COPY_CHROMA_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, false, true);
    with_key(c, rng, {0, 1, 3, 5, 6, 7});
    return c.xy(0x73, c.source_tiled() | mode(c))
        .add(pair(c.b.source_x, c.b.source_y))
        .add(Case::field_pitch(c.b.source))
        .address(c.b.source.base)
        .add(c.b.key_low)
        .add(c.b.key_high)
        .done();
  });
}
TEST(Blitter, XY_MONO_SRC_COPY_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn& d) {
    c.b.operation = without(c.b.operation, false, true);
    c.with_mono(16, rng);
    d.place(mono_at, c.mono);
    return c.xy(0x54, c.source_bit << 17, source_bits(c))
        .address(mono_at)
        .add(c.source_background)
        .add(c.source_foreground)
        .done();
  });
}
TEST(Blitter, XY_MONO_SRC_COPY_IMMEDIATE_BLT) {
  on_every_generation({.mono = true, .small = true}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, false, true);
    c.with_mono(16, rng);
    return c.xy(0x71, c.source_bit << 17, source_bits(c))
        .add(c.source_background)
        .add(c.source_foreground)
        .add(c.mono_dwords())
        .done();
  });
}
TEST(Blitter, XY_FULL_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng&, Drawn& d) {
    c.with_pattern();
    place_pattern(d, c);
    return c.xy(0x55, c.source_tiled() | c.seeds())
        .add(Case::field_pitch(c.b.source))
        .add(pair(c.b.source_x, c.b.source_y))
        .address(c.b.source.base)
        .address(pattern_at)
        .done();
  });
}
TEST(Blitter, XY_FULL_BLT_AllOperations) {
  Rng rng(0xFFF);
  Drawn d(commands_gen8, rng);
  for (unsigned code = 0; code < 256 && !HasFatalFailure(); ++code) {
    Case c = random_case(rng, false, {.color_source = true, .small = true});
    c.b.operation = uint8_t(code);
    c.with_pattern();
    place_pattern(d, c);
    SCOPED_TRACE(shown(c));
    Packet p = c.xy(0x55, c.source_tiled() | c.seeds()).add(Case::field_pitch(c.b.source));
    p.add(pair(c.b.source_x, c.b.source_y)).address(c.b.source.base).address(pattern_at);
    d.compare(join({c.tiles(), c.setup_clip(), p.done()}), c.b);
  }
}
TEST(Blitter, XY_FULL_IMMEDIATE_PATTERN_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng&, Drawn&) {
    c.with_pattern();
    return c.xy(0x74, c.source_tiled() | c.seeds())
        .add(Case::field_pitch(c.b.source))
        .add(pair(c.b.source_x, c.b.source_y))
        .address(c.b.source.base)
        .add(c.pattern_dwords())
        .done();
  });
}
TEST(Blitter, XY_FULL_MONO_SRC_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn& d) {
    c.with_pattern();
    place_pattern(d, c);
    c.with_mono(16, rng);
    d.place(mono_at, c.mono);
    return c.xy(0x56, c.source_bit << 17 | c.seeds(), source_bits(c))
        .address(mono_at)
        .add(c.source_background)
        .add(c.source_foreground)
        .address(pattern_at)
        .done();
  });
}
TEST(Blitter, XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn& d) {
    c.with_pattern();
    c.with_mono(16, rng);
    d.place(mono_at, c.mono);
    return c.xy(0x75, c.source_bit << 17 | c.seeds(), source_bits(c))
        .address(mono_at)
        .add(c.source_background)
        .add(c.source_foreground)
        .add(c.pattern_dwords())
        .done();
  });
}
TEST(Blitter, XY_FULL_MONO_PATTERN_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng&, Drawn&) {
    c.with_mono_pattern();
    return c.xy(0x57, c.source_tiled() | c.seeds(), pattern_bits(c))
        .add(Case::field_pitch(c.b.source))
        .add(pair(c.b.source_x, c.b.source_y))
        .address(c.b.source.base)
        .add(c.pattern_background)
        .add(c.pattern_foreground)
        .add(c.bits[0])
        .add(c.bits[1])
        .done();
  });
}
TEST(Blitter, XY_FULL_MONO_PATTERN_MONO_SRC_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn& d) {
    c.with_mono_pattern();
    c.with_mono(16, rng);
    d.place(mono_at, c.mono);
    return c.xy(0x58, c.source_bit << 17 | c.seeds(), pattern_bits(c) | source_bits(c))
        .address(mono_at)
        .add(c.source_background)
        .add(c.source_foreground)
        .add(c.pattern_background)
        .add(c.pattern_foreground)
        .add(c.bits[0])
        .add(c.bits[1])
        .done();
  });
}

// --- what setup leaves behind

Dwords setup(const Case& c) {
  return c.setup(0x01, source_bits(c)).add(c.pattern_background).add(c.pattern_foreground).address(pattern_at).done();
}
Dwords setup_mono(const Case& c) {
  return c.setup(0x11, pattern_bits(c))
      .add(c.pattern_background)
      .add(c.pattern_foreground)
      .add(c.bits[0])
      .add(c.bits[1])
      .done();
}
// Clips of the setup command itself, or of one that follows it.
Dwords with_clip(Case& c, Rng& rng, const Dwords& commands) {
  if (!c.b.clip || rng.coin()) return commands;
  Case other = c;
  other.b.clip = Blit::Clip{0, 0, 0, 0};
  Dwords spoilt = commands;
  spoilt[2] = spoilt[3] = 0;
  return join({spoilt, c.setup_clip()});
}

TEST(Blitter, XY_SETUP_BLT_XY_SETUP_CLIP_BLT_XY_PIXEL_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.b.x2 = c.b.x1 + 1, c.b.y2 = c.b.y1 + 1;
    c.with_solid();
    const Dwords pixel = Packet{c.gen6}.add(c.br00(0x24)).add(pair(c.b.x1, c.b.y1)).done();
    return join({with_clip(c, rng, setup(c)), pixel});
  });
}
TEST(Blitter, XY_SETUP_BLT_XY_SCANLINES_BLT) {
  on_every_generation({}, [](Case& c, Rng& rng, Drawn& d) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_pattern();
    place_pattern(d, c);
    Packet lines{c.gen6};
    lines.add(c.br00(0x25) | c.seeds()).add(pair(c.b.x1, c.b.y1)).add(pair(c.b.x2, c.b.y2));
    return join({with_clip(c, rng, setup(c)), lines.done()});
  });
}
TEST(Blitter, XY_SETUP_MONO_PATTERN_SL_BLT_XY_SCANLINES_BLT) {
  on_every_generation({}, [](Case& c, Rng& rng, Drawn&) {
    c.b.operation = without(c.b.operation, true, false);
    c.with_mono_pattern();
    Packet lines{c.gen6};
    lines.add(c.br00(0x25) | c.seeds()).add(pair(c.b.x1, c.b.y1)).add(pair(c.b.x2, c.b.y2));
    return join({with_clip(c, rng, setup_mono(c)), lines.done()});
  });
}
Packet text_packet(Case& c, Rng& rng, uint32_t opcode) {
  c.b.operation = without(c.b.operation, false, true);
  c.byte_packed = rng.coin();
  c.source_bit = 0;
  c.source_background = c.pattern_background, c.source_foreground = c.pattern_foreground;
  c.with_mono(c.byte_packed ? 8 : 1, rng);
  Packet p{c.gen6};
  return p.add(c.br00(opcode) | c.byte_packed << 16).add(pair(c.b.x1, c.b.y1)).add(pair(c.b.x2, c.b.y2));
}
TEST(Blitter, XY_TEXT_BLT) {
  on_every_generation({.mono = true}, [](Case& c, Rng& rng, Drawn& d) {
    const Dwords packet = text_packet(c, rng, 0x26).address(mono_at).done();
    d.place(mono_at, c.mono);
    return join({setup(c), packet});
  });
}
TEST(Blitter, XY_TEXT_IMMEDIATE_BLT) {
  on_every_generation({.mono = true, .small = true}, [](Case& c, Rng& rng, Drawn&) {
    Packet p = text_packet(c, rng, 0x31);
    return join({setup(c), p.add(c.mono_dwords()).done()});
  });
}

// --- without coordinates

TEST(Blitter, COLOR_BLT) {
  on_every_generation({}, [](Case& c, Rng&, Drawn&) {
    Blit& b = c.b;
    b.operation = without(b.operation, true, false);
    if (b.destination.tiling != 'L') b.destination = {destination_at, 512, 'L'};
    b.clip.reset();
    b.x2 = std::clamp(b.x2 - b.x1, 0, columns_of(b.destination, b.bytes())), b.x1 = 0;
    b.y2 = std::clamp(b.y2 - b.y1, 0, rows_of(b.destination)), b.y1 = 0;
    c.with_solid();
    Packet p{c.gen6};
    p.add(c.br00(0x40) | b.byte_mask << 20).add(c.br13()).add(pair(b.x2 * int(b.bytes()), b.y2));
    return p.address(b.destination.base).add(c.pattern_background).done();
  });
}
TEST(Blitter, SRC_COPY_BLT) {
  on_every_generation({.color_source = true}, [](Case& c, Rng& rng, Drawn&) {
    Blit& b = c.b;
    b.operation = rng.coin() ? 0xCC : without(b.operation, false, true);
    b.destination = {destination_at, 512, 'L'}, b.source = {source_at + 64 * rng.below(8), 1024, 'L'};
    if (rng.one_in(3)) b.source = {b.source.base + 60 * 1024, -1024, 'L'};
    b.clip.reset();
    b.x2 = std::clamp(b.x2 - b.x1, 0, 512 / int(b.bytes())), b.y2 -= b.y1, b.y2 = std::min(b.y2, 60);
    b.x1 = b.y1 = b.source_x = b.source_y = 0;
    Packet p{c.gen6};
    // From right to left addresses are those of the last bytes.
    const bool backwards = rng.coin();
    const uint64_t last = backwards && b.x2 > 0 ? uint64_t(b.x2) * b.bytes() - 1 : 0;
    p.add(c.br00(0x43) | b.byte_mask << 20).add(c.br13(uint32_t(backwards) << 30));
    p.add(pair(b.x2 * int(b.bytes()), b.y2)).address(b.destination.base + last);
    return p.add(Case::field_pitch(b.source)).address(b.source.base + last).done();
  });
}

// --- Gen9

TEST(Blitter, XY_FAST_COPY_BLT) {
  Rng rng(42);
  struct Kind {
    char tiling;
    uint32_t method;
    bool yf;
    int64_t pitch;
  };
  constexpr Kind kinds[] = {
      {'L', 0, false, 1040}, {'X', 1, false, 1024}, {'Y', 2, false, 1024}, {'F', 2, true, 1024}, {'S', 3, false, 1024}};
  constexpr uint32_t codes[] = {0, 1, 3, 4, 5};
  constexpr unsigned sizes[] = {1, 2, 4, 8, 16};
  for (int round = 0; round < 2 * rounds && !HasFatalFailure(); ++round) {
    Drawn d(commands_gen9, rng);
    // A third of the copies is within one surface, where both rectangles may share pixels.
    const bool within = rng.one_in(3);
    const Kind to = rng.pick(kinds), from = within ? to : rng.pick(kinds);
    // Where memory is seen a second time.
    const uint64_t above = rng.coin() ? 0x1234'0000'0000 : 0;
    if (above)
      d.bench.ppgtt_space.bind(
          std::vector<memory::Range>{{above + Bench::batch_at, Bench::bytes, d.bench.ppgtt_bytes.data()}});
    const unsigned n = rng.below(5), bytes = sizes[n], bits = 8 * bytes;
    // A single tile of 64 KB is as wide as its pixels make it.
    const int64_t widest = bytes == 1 ? 256 : bytes <= 4 ? 512 : 1024;
    const auto pitch_of = [&](const Kind& k) { return k.tiling == 'S' ? widest : k.pitch; };
    const reference::Surface destination{destination_at, pitch_of(to), to.tiling},
        source{within ? destination_at : source_at, pitch_of(from), from.tiling};
    const int columns = int(widest) / int(bytes), rows = 60;
    const int width = between(rng, 1, columns), height = between(rng, 1, rows);
    const int x = between(rng, 0, columns - width), y = between(rng, 0, rows - height);
    const int sx = between(rng, 0, columns - width), sy = between(rng, 0, rows - height);
    const Dwords packet =
        Packet{false}
            .add(2u << 29 | 0x42 << 22 | from.method << 20 | to.method << 13)
            .add(uint32_t(from.yf) << 31 | uint32_t(to.yf) << 30 | codes[n] << 24 | Case::field_pitch(destination))
            .add(pair(x, y))
            .add(pair(x + width, y + height))
            .address(above + destination.base)
            .add(pair(sx, sy))
            .add(Case::field_pitch(source))
            .address(above + source.base)
            .done();
    d.bench.place(Bench::batch_at, join({packet, end()}));
    reference::Memory expected{Bench::batch_at, d.bench.ppgtt_bytes}, before = expected;
    for (int row = 0; row < height; ++row)
      for (int byte = 0; byte < width * int(bytes); ++byte)
        expected.put(destination.at(x * int(bytes) + byte, y + row, bits), 1,
                     before.get(source.at(sx * int(bytes) + byte, sy + row, bits), 1));
    ASSERT_RUNS(d.bench.start({Bench::batch_at}));
    ASSERT_TRUE(expected.bytes == d.bench.ppgtt_bytes) << fmt::format(
        "round {}: {} to {}, {} bytes, ({},{}) {}x{}", round, from.tiling, to.tiling, bytes, x, y, width, height);
  }
}

}  // namespace
}  // namespace vitro::streamer
