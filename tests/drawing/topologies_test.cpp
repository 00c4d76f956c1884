// Every topology against the list of points, lines or triangles that it stands for. PRM: Gen8 vol 7 "Primitive
// Topologies".
#include "bench_test.h"
#include "pipeline/topology.h"
#include "seeds.h"

namespace vitro::drawing {
namespace {

using List = std::vector<uint16_t>;
constexpr uint16_t count = 12;

List each(unsigned step, unsigned size, std::initializer_list<unsigned> corners) {
  List all;
  for (unsigned n = 0; n + size <= count; n += step)
    for (const unsigned c : corners) all.push_back(uint16_t(n + c));
  return all;
}
List fan() {
  List all;
  for (uint16_t n = 1; n + 1 < count; ++n) all.insert(all.end(), {uint16_t(0), n, uint16_t(n + 1)});
  return all;
}
List loop() {
  List all = each(1, 2, {0, 1});
  all.insert(all.end(), {uint16_t(count - 1), uint16_t(0)});
  return all;
}
struct Case {
  uint8_t code;
  const char* name;
  uint8_t as;  // 1 POINTLIST, 2 LINELIST, 4 TRILIST
  List list;
};
const Case cases[] = {
    {1, "POINTLIST", 1, each(1, 1, {0})},
    {2, "LINELIST", 2, each(2, 2, {0, 1})},
    {3, "LINESTRIP", 2, each(1, 2, {0, 1})},
    {4, "TRILIST", 4, each(3, 3, {0, 1, 2})},
    {5, "TRISTRIP", 4, each(1, 3, {0, 1, 2})},
    {6, "TRIFAN", 4, fan()},
    {7, "QUADLIST", 4, each(4, 4, {0, 1, 3, 1, 2, 3})},
    {8, "QUADSTRIP", 4, each(2, 4, {0, 1, 3, 0, 3, 2})},
    {9, "LINELIST_ADJ", 2, each(4, 4, {1, 2})},
    {10, "LINESTRIP_ADJ", 2, each(1, 4, {1, 2})},
    {11, "TRILIST_ADJ", 4, each(6, 6, {0, 2, 4})},
    {12, "TRISTRIP_ADJ", 4, each(2, 6, {0, 2, 4})},
    {13, "TRISTRIP_REVERSE", 4, each(1, 3, {0, 1, 2})},
    {14, "POLYGON", 4, fan()},
    {15, "RECTLIST", 4, {0, 1, 2, 0, 2, 3}},
    {16, "LINELOOP", 2, loop()},
    {17, "POINTLIST_BF", 1, each(1, 1, {0})},
    {18, "LINESTRIP_CONT", 2, each(1, 2, {0, 1})},
    {19, "LINESTRIP_BF", 2, each(1, 2, {0, 1})},
    {20, "LINESTRIP_CONT_BF", 2, each(1, 2, {0, 1})},
    {22, "TRIFAN_NOSTIPPLE", 4, fan()},
};

std::vector<std::byte> picture(const Drawing& d, const Drawn& drawn) {
  std::vector<std::byte> out;
  for (uint32_t y = 0; y < edge; ++y)
    for (uint32_t x = 0; x < edge; ++x)
      for (uint32_t b = 0; b < 4; ++b) out.push_back(drawn.memory[texel_at(d, x, y) + b]);
  return out;
}

TEST(Drawing, TopologiesAreTheirLists) {
  for (const Generation& g : generations)
    for (const Case& c : cases) {
      SCOPED_TRACE(fmt::format("{} {}", g.name, c.name));
      promise("topologies", g, c.name);
      Drawing d{.device = g.device, .topology = c.code, .positions = zigzag(count), .attributes = {{1, .5f, .2f, 1}}};
      Drawing list = d;
      if (c.code == 15) {  // in pixels: rectangles are neither clipped nor transformed
        d.positions = {{28, 24, .5f, 1}, {8, 24, .5f, 1}, {8, 4, .5f, 1}};
        list.positions = {{.75f, .5f, .5f, 1}, {-.5f, .5f, .5f, 1}, {-.5f, -.75f, .5f, 1}, {.75f, -.75f, .5f, 1}};
      }
      list.topology = c.as, list.indices = c.list;
      const Drawn ours = draw(d), theirs = draw(list);
      ASSERT_EQ(text(ours.fault) + text(theirs.fault), "");
      const std::vector<std::byte> a = picture(d, ours), b = picture(list, theirs);
      EXPECT_EQ(a, b);
      EXPECT_GT(std::count(a.begin(), a.end(), std::byte(0xFF)), c.as == 1 ? 10 : 20);
      // and by way of indices, with a cut in between
      Drawing indexed = d;
      for (uint16_t n = 0; n < d.positions.size(); ++n) indexed.indices.push_back(n);
      indexed.indices.push_back(0xFFFF);
      for (uint16_t n = 0; n < d.positions.size(); ++n) indexed.indices.push_back(n);
      const Drawn again = draw(indexed);
      EXPECT_EQ(text(again.fault), "");
      EXPECT_EQ(picture(indexed, again), a);
      if (!testing::Test::HasFailure()) record("topologies", g, c.name);
    }
}

// An end offset instead of a number of vertices: as many as are whole in the first buffer.
TEST(Drawing, EndOffset) {
  for (const Generation& g : generations) {
    Drawing d{.device = g.device, .topology = 1, .positions = zigzag(6)};
    const Drawn all = draw(d);
    d.last = Words{0x11000001, 0x2420, 16 * 4 + 15} +
             packet<commands::three_d::every::primitive>({.end_offset_enable = true, .instance_count = 1});
    const Drawn drawn = draw(d);
    ASSERT_EQ(text(drawn.fault), "");
    EXPECT_EQ(drawn.primitives, all.primitives + 4);
  }
}

// The face of a pixel thread's primitive is in its header.
TEST(Drawing, TopologiesThatFaceBack) {
  for (const auto& [code, back] : {std::pair{1, 0u}, {17, 1u}, {3, 0u}, {18, 0u}, {19, 1u}, {20, 1u}}) {
    Drawing d{.topology = uint8_t(code),
              .positions = {{0, 1 / 32.f, .5f, 1}, {.5f, 1 / 32.f, .5f, 1}},
              .kernel =
                  "shr (16|M0) r112.0<1>:ud r0.0<0;1,0>:ud 15:ud\n"
                  "and (16|M0) r112.0<1>:ud r112.0<8;8,1>:ud 1:ud\n"
                  "add (16|M0) r112.0<1>:ud r112.0<8;8,1>:ud 1:ud\n"
                  "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n",
              .target_format = "R32_UINT",
              .point_width = 4 << 3};
    const Drawn drawn = draw(d);
    ASSERT_EQ(text(drawn.fault), "");
    EXPECT_EQ(drawn.get(texel_at(d, 17, 16)), back + 1) << code;
  }
}

// Patches belong to hull shaders.
TEST(Drawing, TopologiesOfOtherStagesAreRefused) {
  const std::pair<uint8_t, const char*> refused[] = {{32, "PATCHLIST_1"}, {63, "PATCHLIST_32"}};
  for (const Generation& g : generations)
    for (const auto& [code, name] : refused) {
      promise("topologies", g, name, false);
      const Drawn drawn = draw({.device = g.device, .topology = code});
      ASSERT_TRUE(drawn.fault);
      EXPECT_EQ(drawn.fault->reason, fmt::format("unsupported: topology {}", name));
      if (!testing::Test::HasFailure()) record("topologies", g, name, false);
    }
}

}  // namespace
}  // namespace vitro::drawing
