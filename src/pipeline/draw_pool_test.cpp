// The pool of draws: what nobody has is taken again, in turn, and what it referred to is let go of. PRM: none.
#include "pipeline/draw_pool.h"

#include <gtest/gtest.h>

#include <set>

namespace vitro::pipeline {
namespace {

TEST(DrawPool, TakesAgainWhatNobodyHas) {
  DrawPool pool;
  std::vector<std::shared_ptr<Draw>> scene;
  std::set<const Draw*> first, second;
  for (int n = 0; n < 100; ++n) scene.push_back(pool.take()), first.insert(scene.back().get());
  EXPECT_EQ(first.size(), 100u);
  scene.clear();
  for (int n = 0; n < 100; ++n) scene.push_back(pool.take()), second.insert(scene.back().get());
  EXPECT_EQ(second, first);
  EXPECT_FALSE(first.contains(pool.take().get()));
}

TEST(DrawPool, HasNoEnd) {
  DrawPool pool;
  std::vector<std::shared_ptr<Draw>> scene;
  std::set<const Draw*> all;
  for (size_t n = 0; n < DrawPool::most + 10; ++n) scene.push_back(pool.take()), all.insert(scene.back().get());
  EXPECT_EQ(all.size(), scene.size());
}

TEST(DrawPool, ForgetsWhatDrawsReferTo) {
  DrawPool pool;
  const auto memory = std::make_shared<const memory::Table>(std::vector<memory::Range>{});
  const auto stage = std::make_shared<const dispatch::Stage>();
  std::shared_ptr<Draw> kept;
  for (int n = 0; n < 10; ++n) {
    kept = pool.take();
    kept->memory = memory, kept->vs = stage, kept->ps[1] = stage;
  }
  pool.forget();
  EXPECT_EQ(memory.use_count(), 2);  // here, and by the draw that somebody has
  EXPECT_EQ(stage.use_count(), 3);
  EXPECT_EQ(kept->memory, memory);
  EXPECT_NE(pool.take(), kept);
}

}  // namespace
}  // namespace vitro::pipeline
