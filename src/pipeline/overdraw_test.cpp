// Tests of what is painted over: drawn the last one first, each pixel comes from the same primitive as in order.
#include "pipeline/overdraw.h"

#include <gtest/gtest.h>

#include <memory>

#include "pipeline/objects_test.h"

namespace vitro::pipeline {
namespace {

struct Painters {
  Draw opaque = screen_draw(), other = screen_draw();
  RasterState covers{}, paints{}, of_other{};
  Vertices v{};
  Scene scene{};
  Chunk* chunk = nullptr;

  Painters() {
    other.ps[0] = std::make_shared<dispatch::Stage>();
    covers = paints = raster_state(opaque).value(), of_other = raster_state(other).value();
    covers.plan = {.dispatches = true, .paints = true, .covers = true};
    paints.plan = {.dispatches = true, .paints = true};
    of_other.plan = covers.plan;
    scene.begin({.width = 64, .height = 64, .layers = 1});
    chunk = &scene.chunk();
  }
  void add(const RasterState& s, float x0, float y0, float x1, float y1, float x2, float y2) {
    chunk->add(s, v.triangle(v.add(x0, y0), v.add(x1, y1), v.add(x2, y2)));
  }
  void add_all(const RasterState& s) { add(s, -100, -100, 300, -100, -100, 300); }
  const Scene::Bin& bin() {
    scene.close();
    return scene.bins()[0];
  }
};

TEST(Overdraw, OneThatFillsTheBinHidesThoseBefore) {
  Painters p;
  p.add(p.covers, 1, 1, 30, 1, 1, 30);
  p.add_all(p.paints);  // hides nothing: it may be blended
  p.add_all(p.covers);
  p.add(p.covers, 0, 0, 64, 0, 0, 64);  // half of it
  p.add_all(p.of_other);
  const Scene::Bin& bin = p.bin();
  EXPECT_EQ(last_hiding(bin), 4u);
  EXPECT_FALSE(hides(*bin.primitives[1], bin.pixels));
  EXPECT_TRUE(hides(*bin.primitives[2], bin.pixels));
  EXPECT_FALSE(hides(*bin.primitives[3], bin.pixels));
  EXPECT_TRUE(is_hidden(*bin.primitives[1], *bin.primitives[2]));
  EXPECT_FALSE(is_hidden(*bin.primitives[2], *bin.primitives[4]));  // of another shader
  Blocks room;
  EXPECT_EQ(pixels_of(*bin.primitives[2], bin.pixels, room), 64u * 64);
  EXPECT_EQ(pixels_of(*bin.primitives[3], bin.pixels, room), 64u * 63 / 2);
}

TEST(Overdraw, RowsEndWhereSomethingElseIsDrawn) {
  Painters p;
  for (const RasterState* s : {&p.covers, &p.covers, &p.paints, &p.covers, &p.of_other, &p.of_other}) p.add_all(*s);
  const Scene::Bin& bin = p.bin();
  EXPECT_EQ(row_from(bin, 0), 2u);
  EXPECT_EQ(row_from(bin, 2), 1u);
  EXPECT_EQ(row_from(bin, 3), 1u);
  EXPECT_EQ(row_from(bin, 4), 2u);
}

TEST(Overdraw, RowsOfTestedOnesAreOfOneDrawAndLarge) {
  Painters p;
  RasterState tested = p.covers, other = p.of_other;
  tested.plan = other.plan = {.dispatches = true, .covers_passed = true};
  for (const RasterState* s : {&tested, &tested, &p.covers, &tested, &tested, &other}) p.add_all(*s);
  p.add(tested, 1, 1, 9, 1, 1, 9);  // small
  p.add_all(tested);
  for (int n = 0; n < 20; ++n) p.add_all(other);
  const Scene::Bin& bin = p.bin();
  EXPECT_EQ(tested_row_from(bin, 0), 2u);
  EXPECT_EQ(tested_row_from(bin, 2), 1u);
  EXPECT_EQ(tested_row_from(bin, 3), 2u);
  EXPECT_EQ(tested_row_from(bin, 5), 1u);
  EXPECT_EQ(tested_row_from(bin, 6), 1u);
  EXPECT_EQ(tested_row_from(bin, 7), 1u);
  EXPECT_EQ(tested_row_from(bin, 8), 16u);
  EXPECT_EQ(tested_row_from(bin, 24), 4u);
  EXPECT_EQ(row_from(bin, 0), 1u);
}

TEST(Overdraw, BlocksThatWereTestedComeBackTheLastOnesFirst) {
  Painters p;
  p.add(p.covers, 3, 2, 60, 5, 20, 61);
  p.add(p.covers, 40, 0, 64, 0, 64, 50);
  const Scene::Bin& bin = p.bin();
  TestedBlocks tested;
  std::array<std::vector<Block>, 2> kept;
  Blocks blocks;
  for (size_t k = 0; k < 2; ++k) {
    rasterise(*bin.primitives[k], bin.pixels, blocks);
    for (size_t n = 0; n < blocks.count; n += 3) blocks.blocks[n].coverage[0] = 0;  // those failed
    tested.add(blocks);
    for (const Block& b : blocks)
      if (b.coverage[0]) kept[k].push_back(b);
  }
  for (size_t k = 2; k-- > 0;) {
    tested.take_last(*bin.primitives[k], bin.pixels, blocks);
    ASSERT_EQ(blocks.count, kept[k].size());
    for (size_t n = 0; n < blocks.count; ++n) {
      const Block &a = blocks.blocks[n], &b = kept[k][n];
      EXPECT_EQ(std::tuple(a.primitive, a.x, a.y, a.samples, a.has_antialiasing, a.coverage[0]),
                std::tuple(b.primitive, b.x, b.y, b.samples, b.has_antialiasing, b.coverage[0]));
    }
  }
}

TEST(Overdraw, EachPixelIsPaintedByTheLastOne) {
  Rng r(3);
  for (int round = 0; round < 50; ++round) {
    Painters p;
    const auto at = [&] { return float(r.below(9000)) / 100 - 13; };
    for (int n = 0; n < 20; ++n) p.add(p.covers, at(), at(), at(), at(), at(), at());
    const Scene::Bin& bin = p.bin();
    ASSERT_EQ(row_from(bin, 0), bin.primitives.size());
    std::array<int, 64 * 64> wanted, got;
    wanted.fill(-1), got.fill(-1);
    uint64_t covered = 0, shaded = 0, hidden = 0;
    Blocks blocks;
    const auto draw = [&](std::array<int, 64 * 64>& to, size_t k, uint64_t& count) {
      for (const Block& b : blocks)
        for (int n = 0; n < block_pixels; ++n)
          if (b.coverage[0] >> n & 1) to[size_t(b.y + block_y(n)) * 64 + size_t(b.x + block_x(n))] = int(k), ++count;
    };
    for (size_t k = 0; k < bin.primitives.size(); ++k) {
      rasterise(*bin.primitives[k], bin.pixels, blocks);
      draw(wanted, k, covered);
    }
    Painted painted;
    for (size_t k = bin.primitives.size(); k-- > 0;) {
      rasterise(*bin.primitives[k], bin.pixels, blocks);
      hidden += painted.paint(blocks);
      for (const Block& b : blocks) ASSERT_TRUE(b.coverage[0]);
      draw(got, k, shaded);
    }
    ASSERT_EQ(wanted, got);
    ASSERT_EQ(covered, shaded + hidden);
  }
}

}  // namespace
}  // namespace vitro::pipeline
