// Tests of scenes: order within bins, layers, limits. No part of the machine.
#include "pipeline/scene.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "pipeline/objects_test.h"

namespace vitro::pipeline {
namespace {

TEST(Scene, ListsAreInOrderWhoeverFilledTheChunks) {
  Rng rng(1);
  const Draw d = screen_draw();
  const RasterState s = raster_state(d).value();
  Vertices v;
  std::vector<Object> objects;
  const Extent extent{.width = 300, .height = 200, .layers = 3};
  for (uint32_t n = 0; n < 600; ++n) {
    const float x = float(rng.below(300)), y = float(rng.below(200)), size = rng.one_in(10) ? 300.f : 30.f;
    const auto at = [&](float c) { return c + (float(rng.below(1000)) / 500 - 1) * size; };
    Object o = v.triangle(v.add(at(x), at(y)), v.add(at(x), at(y)), v.add(at(x), at(y)));
    o.primitive_id = n;
    o.layer = uint16_t(rng.below(4));  // the last is not there
    objects.push_back(o);
  }
  Scene scene;
  for (int round = 0; round < 2; ++round) {  // memory is used again
    scene.begin(extent);
    constexpr size_t per_chunk = 50;
    std::vector<Chunk*> chunks;
    for (size_t n = 0; n < objects.size(); n += per_chunk) chunks.push_back(&scene.chunk());
    const auto fill = [&](size_t first, size_t step) {
      for (size_t c = first; c < chunks.size(); c += step)
        for (size_t n = 0; n < per_chunk; ++n) chunks[c]->add(s, objects[c * per_chunk + n]);
    };
    std::thread other([&] { fill(1, 2); });
    fill(0, 2);
    other.join();
    scene.close();
    // Every sample of every layer, in order, is as if each object had been drawn over the whole target.
    std::map<std::pair<int, int>, std::vector<uint32_t>> expected, got;  // by layer and pixel
    Blocks blocks;
    const auto note = [&](auto& into, int layer, const Block& b) {
      for (int n = 0; n < block_pixels; ++n)
        if (b.coverage[0] >> n & 1)
          into[{layer, (b.y + block_y(n)) * 1000 + b.x + block_x(n)}].push_back(b.primitive->object.primitive_id);
    };
    for (const Object& o : objects) {
      std::array<RasterPrimitive, 3> p;
      if (o.layer >= extent.layers || !set_up(s, o, p)) continue;
      for (int y = 0; y < extent.height; y += bin_px)
        for (int x = 0; x < extent.width; x += bin_px)
          rasterise(p[0], overlap({x, y, x + bin_px, y + bin_px}, {0, 0, extent.width, extent.height}), blocks,
                    [&](const Block& b) { note(expected, o.layer, b); });
    }
    int before = -1;
    for (const Scene::Bin& b : scene.bins()) {
      const int key = b.layer * 1000000 + b.pixels.y0 * 1000 + b.pixels.x0;
      EXPECT_GT(key, before);
      before = key;
      EXPECT_FALSE(b.primitives.empty());
      for (const RasterPrimitive* p : b.primitives)
        rasterise(*p, b.pixels, blocks, [&](const Block& block) { note(got, b.layer, block); });
    }
    EXPECT_EQ(got, expected);
    EXPECT_FALSE(scene.full());
  }
}

TEST(Scene, SaysWhenItIsFull) {
  const Draw d = screen_draw();
  const RasterState s = raster_state(d).value();
  Vertices v;
  const Object o = v.triangle(v.add(0, 0), v.add(9, 0), v.add(0, 9));
  Scene scene;
  scene.begin({.width = 64, .height = 64, .layers = 1});
  Chunk& c = scene.chunk();
  for (int n = 0; n < 20000; ++n) c.add(s, o);
  EXPECT_FALSE(scene.full());
  for (int n = 0; n < 100000; ++n) c.add(s, o);
  EXPECT_TRUE(scene.full());
  scene.close();
  EXPECT_EQ(scene.bins().size(), 1u);
  EXPECT_EQ(scene.bins()[0].primitives.size(), 120000u);
  scene.clear();
  EXPECT_TRUE(scene.empty());
}

// Layers that targets do not have are their first slice.
TEST(Scene, LayersThatAreNotThereShareABin) {
  const Draw d = screen_draw();
  RasterState of_two = raster_state(d).value();
  of_two.slices = {.first = 3, .apart = 2};
  Vertices v;
  Object o = v.triangle(v.add(1, 1), v.add(40, 1), v.add(1, 40));
  Scene scene;
  scene.begin({.width = 64, .height = 64, .layers = 8});
  Chunk& chunk = scene.chunk();
  for (const uint16_t layer : {0, 1, 2, 3}) o.layer = layer, chunk.add(of_two, o);
  scene.close();
  ASSERT_EQ(scene.bins().size(), 2u);
  EXPECT_EQ(scene.bins()[0].layer, 3);
  EXPECT_EQ(scene.bins()[0].primitives.size(), 3u);
  EXPECT_EQ(scene.bins()[1].layer, 4);
}

// Draws to two views of a surface: a slice is one bin, whatever layer of its draw it is.
TEST(Scene, BinsAreOfSlices) {
  const Draw d = screen_draw();
  RasterState from_0 = raster_state(d).value(), from_3 = from_0;
  from_3.slices.first = 3;
  Vertices v;
  Object o = v.triangle(v.add(1, 1), v.add(40, 1), v.add(1, 40));
  Scene scene;
  scene.begin({.width = 64, .height = 64, .layers = 8});
  Chunk& chunk = scene.chunk();
  o.layer = 4, chunk.add(from_0, o);
  o.layer = 1, chunk.add(from_3, o);
  o.layer = 1, chunk.add(from_0, o);
  scene.close();
  ASSERT_EQ(scene.bins().size(), 2u);
  EXPECT_EQ(scene.bins()[0].primitives.size(), 1u);
  ASSERT_EQ(scene.bins()[1].primitives.size(), 2u);
  EXPECT_EQ(scene.bins()[1].layer, 4);
  EXPECT_EQ(scene.bins()[1].primitives[0]->state, &from_0);
  EXPECT_EQ(scene.bins()[1].primitives[1]->state, &from_3);
}

}  // namespace
}  // namespace vitro::pipeline
