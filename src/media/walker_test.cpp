// The walking patterns that encoders program: each covers the picture once, in the order its name says. And the loops
// one by one.
#include "media/walker.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

namespace vitro::media {
namespace {

using Walker = commands::MediaObjectWalker;

std::vector<Visit> walked(const Walker& w) {
  std::vector<Visit> out;
  EXPECT_TRUE(visits(w, out));
  return out;
}

void expect_single_coverage(const std::vector<Visit>& v, int width, int height) {
  std::map<std::pair<int, int>, int> times;
  for (const Visit& p : v) ++times[{p.x, p.y}];
  EXPECT_EQ(v.size(), size_t(width * height));
  EXPECT_EQ(times.size(), size_t(width * height));
  for (const auto& [place, n] : times) {
    EXPECT_LT(place.first, width);
    EXPECT_LT(place.second, height);
    EXPECT_EQ(n, 1);
  }
}

// One block as large as the picture.
Walker whole(int width, int height) {
  Walker w;
  w.block_x = w.global_x = uint16_t(width);
  w.block_y = w.global_y = uint16_t(height);
  w.global_stride_x = int16_t(width);
  w.global_unit_y = int16_t(height);
  return w;
}

Walker raster(int width, int height) {
  Walker w = whole(width, height);
  w.local_count = 0x3FF;
  w.local_stride_y = 1;
  w.local_unit_x = 1;
  return w;
}
Walker vertical_raster(int width, int height) {
  Walker w = whole(width, height);
  w.local_count = 0x3FF;
  w.local_stride_x = 1;
  w.local_unit_y = 1;
  return w;
}
// Diagonals down to the left: the next one begins `run` further right.
Walker diagonal(int width, int height, int run) {
  Walker w = whole(width, height);
  w.local_count = 0x3FF;
  w.local_stride_x = 1;
  w.local_unit_x = int16_t(-run);
  w.local_unit_y = 1;
  return w;
}

TEST(MediaWalker, Raster) {
  const std::vector<Visit> v = walked(raster(5, 3));
  expect_single_coverage(v, 5, 3);
  for (size_t n = 0; n < v.size(); ++n)
    EXPECT_EQ(std::pair(int(v[n].x), int(v[n].y)), std::pair(int(n % 5), int(n / 5)));
}

TEST(MediaWalker, VerticalRaster) {
  const std::vector<Visit> v = walked(vertical_raster(5, 3));
  expect_single_coverage(v, 5, 3);
  for (size_t n = 0; n < v.size(); ++n)
    EXPECT_EQ(std::pair(int(v[n].x), int(v[n].y)), std::pair(int(n / 3), int(n % 3)));
}

// 45 degrees: x + y never falls. 26 degrees: x + 2y never falls. Both begin beyond the right edge at last.
TEST(MediaWalker, Diagonals) {
  for (int run : {1, 2})
    for (auto [width, height] : {std::pair(7, 5), {5, 9}, {1, 4}, {120, 68}}) {
      const std::vector<Visit> v = walked(diagonal(width, height, run));
      expect_single_coverage(v, width, height);
      for (size_t n = 1; n < v.size(); ++n)
        ASSERT_LE(v[n - 1].x + run * v[n - 1].y, v[n].x + run * v[n].y) << width << "x" << height;
      // what a macroblock of 26 degrees depends on (left, above left, above, above right) has come before it
      std::map<std::pair<int, int>, size_t> when;
      for (size_t n = 0; n < v.size(); ++n) when[{v[n].x, v[n].y}] = n;
      for (const auto& [place, n] : when)
        for (auto [dx, dy] : {std::pair(-1, 0), {-1, -1}, {0, -1}, {1, -1}}) {
          const auto other = when.find({place.first + dx, place.second + dy});
          if (other == when.end() || (run == 1 && dx == 1)) continue;
          ASSERT_LT(other->second, n);
        }
    }
}

// Two by two blocks that move along a diagonal, four left and two down at a time, each walked in Z order.
TEST(MediaWalker, BlocksAlongADiagonal) {
  Walker w;
  w.global_x = 8, w.global_y = 6;
  w.block_x = w.block_y = 2;
  w.global_count = 0x3FF;
  w.global_stride_x = 2;
  w.global_unit_x = -4, w.global_unit_y = 2;
  w.local_count = 0x3FF;
  w.local_stride_y = 1;
  w.local_unit_x = 1;
  const std::vector<Visit> v = walked(w);
  expect_single_coverage(v, 8, 6);
  const int first[8][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}};
  for (size_t n = 0; n < 8; ++n) EXPECT_EQ(std::pair(int(v[n].x), int(v[n].y)), std::pair(first[n][0], first[n][1]));
  EXPECT_EQ(std::pair(int(v[12].x), int(v[12].y)), std::pair(0, 2));  // four left of the third block, two down
}

TEST(MediaWalker, MiddleLoopTakesExtraSteps) {
  Walker w = whole(4, 4);  // pairs of rows, column by column
  w.local_count = 0x3FF;
  w.local_stride_y = 2;
  w.mid_steps = 1;
  w.mid_unit_y = 1;
  w.local_unit_x = 1;
  const std::vector<Visit> v = walked(w);
  expect_single_coverage(v, 4, 4);
  EXPECT_EQ(v[4].y, 1);
  EXPECT_EQ(v[8].y, 2);
}

TEST(MediaWalker, BlocksAreCutAtTheEdges) {
  Walker w = raster(4, 4);
  w.global_x = 6, w.global_y = 5;
  w.global_count = 0x3FF;
  w.global_stride_x = 0, w.global_stride_y = 4;
  w.global_unit_x = 4, w.global_unit_y = 0;
  expect_single_coverage(walked(w), 6, 5);
}

TEST(MediaWalker, CountsAreOneLess) {
  Walker w = raster(5, 3);
  w.local_count = 1;
  EXPECT_EQ(walked(w).size(), 10u);
  w.local_count = 0;
  EXPECT_EQ(walked(w).size(), 5u);
}

TEST(MediaWalker, ColorsComeInnermost) {
  Walker w = raster(2, 1);
  w.colors = 2;
  const std::vector<Visit> v = walked(w);
  ASSERT_EQ(v.size(), 6u);
  for (size_t n = 0; n < 6; ++n) EXPECT_EQ(std::pair(int(v[n].x), int(v[n].color)), std::pair(int(n / 3), int(n % 3)));
}

TEST(MediaWalker, GroupsAreMadeByTheSelectedLoop) {
  Walker w = raster(3, 2);
  w.colors = 1;
  const auto groups = [&](uint32_t select) {
    w.group_loop = select;
    std::string text;
    for (const Visit& v : walked(w)) text += std::to_string(v.group) + " ";
    return text;
  };
  EXPECT_EQ(groups(0), "0 1 2 3 4 5 6 7 8 9 10 11 ");
  EXPECT_EQ(groups(1), "0 0 1 1 2 2 3 3 4 4 5 5 ");  // colors of a place
  EXPECT_EQ(groups(2), "0 0 0 0 0 0 1 1 1 1 1 1 ");  // an inner local loop: a row
  EXPECT_EQ(groups(3), "0 0 0 0 0 0 1 1 1 1 1 1 ");  // a middle loop: here as many as rows
  EXPECT_EQ(groups(4), "0 0 0 0 0 0 0 0 0 0 0 0 ");  // a block
}

TEST(MediaWalker, RefusesWalksThatGoNowhere) {
  Walker w = raster(2000, 2000);
  w.local_count = 0x3FF;
  w.colors = 15;
  std::vector<Visit> out;
  EXPECT_FALSE(visits(w, out));
}

}  // namespace
}  // namespace vitro::media
