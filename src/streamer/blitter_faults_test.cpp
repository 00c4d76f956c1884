// What blits may not say, and what they do at the borders of memory: Faults with a reason, or what the documents leave.
// PRM: Gen8 vol 2a XY_*.
#include "streamer/blitter_case_test.h"

namespace vitro::streamer {
namespace {

using namespace blits;
using bench::Bench, bench::end, bench::join, bench::lri, bench::text;

// A case of 8 x 8 pixels at the origin of linear surfaces.
Case plain() {
  Case c;
  c.b.destination = {destination_at, 512, 'L'}, c.b.source = {source_at, 512, 'L'};
  c.b.x2 = c.b.y2 = 8;
  c.b.operation = 0xF0;
  return c;
}
std::optional<Fault> run(const Dwords& commands, const CommandSet& set = commands_gen8, bool strict = false) {
  Bench b(set, commands::Engine::copy);
  b.strict = strict;
  return b.run(join({commands, end()}));
}
void fails(const Dwords& commands, std::string_view reason) {
  const auto fault = run(commands);
  ASSERT_TRUE(fault) << reason;
  EXPECT_NE(fault->reason.find(reason), std::string::npos) << fault->reason;
}
Dwords copied(const Case& c, uint32_t opcode = 0x53, uint32_t more = 0) {
  return c.xy(opcode, c.source_tiled() | more)
      .add(pair(c.b.source_x, c.b.source_y))
      .add(Case::field_pitch(c.b.source))
      .address(c.b.source.base)
      .done();
}

TEST(BlitterFaults, TooShort) {
  Dwords d = plain().xy(0x50).done();  // without the colour
  fails(d, "the command is too short");
  d = copied(plain());
  d.resize(8), d[0] = (d[0] & ~0xFFu) | 6;  // as Gen6 has it
  fails(d, "the command is too short");
}
TEST(BlitterFaults, OperandsThatACommandHasNot) {
  Case c = plain();
  c.b.operation = 0xCC;
  fails(c.xy(0x50).add(0).done(), "raster operation 0xcc uses a source, and the command has none");
  c.b.operation = 0xF0;
  fails(copied(c), "raster operation 0xf0 uses a pattern, and the command has none");
}
TEST(BlitterFaults, TiledSurfaces) {
  Case c = plain();
  c.b.destination = {destination_at + 64, 512, 'X'};
  fails(c.xy(0x50).add(0).done(), "the destination is tiled and begins at 0x20040, which is no multiple of 4 KB");
  c.b.destination = {destination_at, 640, 'X'};
  fails(c.xy(0x50).add(0).done(), "has a pitch of 640 bytes, which is no number of tiles of 512");
  c.b.destination = {destination_at, 0, 'X'};
  fails(c.xy(0x50).add(0).done(), "has a pitch of 0 bytes");
  c.b.destination = {destination_at, 512, 'X'};
  c.b.x1 = -1;
  fails(c.xy(0x50).add(0).done(), "its rectangle begins before its first row or column");
  c = plain();
  c.b.operation = 0xCC, c.b.source = {source_at, 512, 'X'}, c.b.source_y = -5;
  fails(copied(c), "the source is tiled and its rectangle begins before");
}
TEST(BlitterFaults, NegativePitches) {
  Case c = plain();
  c.b.destination.pitch = -512;
  c.b.operation = 0xCC;
  fails(c.xy(0x54).address(mono_at).add(0).add(0).done(), "a negative pitch is not allowed with a monochrome source");
  c.b.operation = 0xF0;
  const Dwords setup = c.setup(0x01, 0).add(0).add(0).address(pattern_at).done();
  fails(join({setup, {0x49000000, pair(3, 3)}}), "a negative pitch is not allowed");
}
TEST(BlitterFaults, ImmediateData) {
  Case c = plain();
  c.b.operation = 0xCC;
  const auto with = [&](size_t dwords) { return c.xy(0x71).add(0).add(0).add(Dwords(dwords)).done(); };
  ASSERT_FALSE(run(with(4)));  // eight rows of a word
  fails(with(3), "hung: 3 dwords of immediate data where the rectangle takes 4");
  fails(with(5), "hung: 5 dwords");
  fails(with(2), "hung: 2 dwords");
  c.b.operation = 0xF0;
  fails(c.xy(0x72).add(Dwords(63)).done(), "hung: 63 dwords of immediate data where the pattern has 64");
}
TEST(BlitterFaults, KeysOnASourceThatIsNotThere) {
  fails(plain().xy(0x76, 1 << 17).address(pattern_at).add(0).add(0).done(),
        "Transparency Range Mode 1 looks at a source, and the command has none");
}
TEST(BlitterFaults, RefusedByName) {
  Case c = plain();
  c.b.operation = 0xCC;
  const Dwords d{0x50000004, 0x03F00200, pair(33, 8), destination_at, 0, 0};
  fails(d, "a width of 33 bytes is no number of pixels of 4");
  const auto reserved =
      run({0x50800008, 0x02000200, 0, pair(8, 8), destination_at, 0, 0, 512, source_at, 0}, commands_gen9);
  ASSERT_TRUE(reserved);
  EXPECT_EQ(reserved->reason, "Color Depth 2 is reserved");
}
// Nothing is drawn, and nothing else is asked.
TEST(BlitterFaults, EmptyRectangles) {
  for (const auto& [x, y] : {std::pair(0, 8), std::pair(8, 0), std::pair(-1, 8), std::pair(8, -32768)}) {
    Case c = plain();
    c.b.x2 = x, c.b.y2 = y;
    ASSERT_RUNS(run(c.xy(0x50).add(0).done(), commands_gen8, true));
    ASSERT_RUNS(run(c.xy(0x71).add(0).add(0).add(Dwords{1}).done(), commands_gen8, true));
  }
}
// Where there is no memory, zeros are read and writes are dropped, and strict mode says so.
TEST(BlitterFaults, OutsideOfMemory) {
  for (const char tiling : {'L', 'X', 'Y'}) {
    Case c = plain();
    c.b.operation = 0xCC;
    c.b.destination.tiling = c.b.source.tiling = tiling;
    c.b.source.base = 0x7FFFFFFF0000;
    Bench b(commands_gen8, commands::Engine::copy);
    std::fill(b.ppgtt_bytes.begin(), b.ppgtt_bytes.end(), std::byte{0x77});
    ASSERT_RUNS(b.run(join({c.tiles(), copied(c), end()})));
    EXPECT_EQ(b.at(destination_at), 0u);
    std::swap(c.b.source, c.b.destination);
    ASSERT_RUNS(b.run(join({c.tiles(), copied(c), end()})));
    const auto fault = run(join({c.tiles(), copied(c)}), commands_gen8, true);
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->reason.find("access to unmapped address 0x7fffffff"), std::string::npos) << fault->reason;
  }
}
// Part of a surface is mapped: that part is drawn.
TEST(BlitterFaults, AtTheEndOfMemory) {
  for (const char tiling : {'L', 'X', 'Y'}) {
    Case c = plain();
    c.b.destination = {Bench::batch_at + Bench::bytes - 4096, 512, tiling};
    c.b.x2 = 128, c.b.y2 = 40;
    Bench b(commands_gen8, commands::Engine::copy);
    ASSERT_RUNS(b.run(join({c.tiles(), c.xy(0x50).add(0xABCD1234).done(), end()})));
    for (uint64_t at = 0; at < 4096; at += 4) ASSERT_EQ(b.at(c.b.destination.base + at), 0xABCD1234u) << tiling << at;
  }
}
// The largest rectangle there is, all of it outside: it ends when it is told to.
TEST(BlitterFaults, HugeRectanglesAreAbandoned) {
  Case c = plain();
  c.b.destination = {0x100000000000, 32764, 'L'};
  c.b.x1 = c.b.y1 = -32768, c.b.x2 = c.b.y2 = 32767;
  Bench b(commands_gen8, commands::Engine::copy);
  int asked = 0;
  b.stop = [&] { return ++asked > 100; };
  const auto fault = b.run(join({c.xy(0x50).add(0).done(), end()}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "abandoned");
}
// Bases that differ and overlap all the same: rows in their order, each read before it is written.
TEST(BlitterFaults, OverlapsOfDifferentBases) {
  Bench b(commands_gen8, commands::Engine::copy);
  for (uint32_t n = 0; n < 64; ++n) b.at(destination_at + 4 * n) = n;
  Case c = plain();
  c.b.operation = 0xCC, c.b.destination.base = destination_at + 16, c.b.source.base = destination_at;
  c.b.x2 = 16, c.b.y2 = 1;
  ASSERT_RUNS(b.run(join({copied(c), end()})));
  for (uint32_t n = 0; n < 16; ++n) EXPECT_EQ(b.at(destination_at + 16 + 4 * n), n);
  // The next row reads what the first one wrote.
  c.b.destination = {destination_at + 64, 64, 'L'}, c.b.source = {destination_at, 64, 'L'};
  c.b.y2 = 3;
  ASSERT_RUNS(b.run(join({copied(c), end()})));
  for (uint32_t n = 0; n < 48; ++n)
    EXPECT_EQ(b.at(destination_at + 64 + 4 * n), b.at(destination_at + 4 * (n % 16))) << n;
}
// A pitch of nothing: each row is drawn on the one before.
TEST(BlitterFaults, RowsOnTopOfEachOther) {
  for (const int rows : {2, 3, 40}) {
    Case c = plain();
    c.b.operation = 0x5A, c.b.destination.pitch = 0, c.b.y2 = rows;
    Bench b(commands_gen8, commands::Engine::copy);
    ASSERT_RUNS(b.run(join({c.xy(0x50).add(0x12345678).done(), end()})));
    EXPECT_EQ(b.at(destination_at), rows % 2 ? 0x12345678u : 0u);
    EXPECT_EQ(b.at(destination_at + 32), 0u);
  }
}
TEST(BlitterFaults, ReportsNameTheCommandAndItsFields) {
  Case c = plain();
  c.b.operation = 0xCC;
  const Dwords packet = c.xy(0x50).add(7).done();
  const auto fault = run(join({{0}, packet}));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->command, "XY_COLOR_BLT");
  EXPECT_EQ(fault->batch_offset, 4u);
  const std::string line = describe(commands_gen8, packet, commands::Engine::copy);
  EXPECT_NE(line.find("Raster Operation"), std::string::npos) << line;
  EXPECT_NE(line.find("Destination X2 Coordinate"), std::string::npos) << line;
}

}  // namespace
}  // namespace vitro::streamer
