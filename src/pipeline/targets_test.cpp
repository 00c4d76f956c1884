// Which draws may share a scene: by where their pixels are.
#include "pipeline/targets.h"

#include <functional>

#include "pipeline/pixel_bench_test.h"

namespace vitro::pipeline {
namespace {

using pixel_test::Bench;

// Writes to targets 0 and 3.
const char* const two_targets =
    "sendc (16|M0) null r112 0x5 0x10031000\n"
    "sendc (16|M0) null r112 0x5 0x10031003 {EOT}\n";
const char* const one_target = "sendc (16|M0) null r112 0x5 0x10031000 {EOT}\n";

struct Views : Bench {
  state::Surface first = target("R8G8B8A8_UNORM", 128, 64, 512), other = first;
  Views() {
    first.array = other.array = true;
    first.depth_less_1 = other.depth_less_1 = 7;
    other.base += 0x40000;
    bind(0, first), bind(3, other);
    use(1, two_targets);
  }
};

TEST(Targets, IndicesAreThoseOfTheMessages) {
  Views v;
  EXPECT_EQ(target_indices(v.draw), (std::vector<uint8_t>{0, 3}));
  v.use(1, one_target);
  EXPECT_EQ(target_indices(v.draw), (std::vector<uint8_t>{0}));
}

TEST(Targets, AnotherViewIsAnotherScene) {
  const std::function<void(state::Surface&)> changes[] = {
      [](state::Surface& s) { s.min_array_element = 1; }, [](state::Surface& s) { s.mip_count = 1; },
      [](state::Surface& s) { s.base += 0x1000; },        [](state::Surface& s) { s.x_offset_field = 2; },
      [](state::Surface& s) { s.y_offset_field = 2; },    [](state::Surface& s) { s.pitch_less_1 += 128; },
      [](state::Surface& s) { s.log2_samples = 2; },      [](state::Surface& s) { s.format = 0; }};
  for (const auto& change : changes)
    for (const unsigned index : {0u, 3u}) {
      Views v;
      TargetPlaces places;
      EXPECT_TRUE(places.add(v.draw).has_value());
      EXPECT_TRUE(places.add(v.draw).has_value());
      state::Surface s = index ? v.other : v.first;
      change(s);
      v.bind(index, s);
      EXPECT_FALSE(places.add(v.draw).has_value());
      places.clear();
      EXPECT_TRUE(places.add(v.draw).has_value());
      // What is not written to does not matter.
      v.use(1, one_target);
      places.clear();
      EXPECT_TRUE(places.add(v.draw).has_value());
      v.bind(3, v.first);
      EXPECT_TRUE(places.add(v.draw).has_value());
    }
}

// Bins go by slices: where all targets begin with the same one, views of several are one scene.
TEST(Targets, ViewsOfOtherSlices) {
  Views v;
  TargetPlaces places;
  EXPECT_EQ(places.add(v.draw).value().first, 0);
  v.first.min_array_element = v.other.min_array_element = 5;
  v.bind(0, v.first), v.bind(3, v.other);
  EXPECT_EQ(places.add(v.draw).value().first, 5);
  v.draw.state.depth_buffer.surface_type = 1;
  v.draw.state.depth_buffer.minimum_array_element = 5;
  v.draw.state.wm_depth_stencil.depth_test_enable = true;
  EXPECT_EQ(places.add(v.draw).value().first, 5);
  v.draw.state.depth_buffer.minimum_array_element = 4;
  EXPECT_FALSE(places.add(v.draw).has_value());
  places.clear();
  EXPECT_EQ(places.add(v.draw).value().first, 0);
  EXPECT_EQ(places.add(v.draw).value().first, 0);
}

// Layers that one of the targets has and another has not are in both's bin.
TEST(Targets, NumbersOfSlices) {
  Views v;
  TargetPlaces places;
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 1})) << "no arrays";
  v.first.array = v.other.array = true;
  v.first.view_extent_less_1 = v.other.view_extent_less_1 = 3;
  v.bind(0, v.first), v.bind(3, v.other);
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 4}));
  v.other.view_extent_less_1 = 2;
  v.bind(3, v.other);
  EXPECT_FALSE(places.add(v.draw).has_value()) << "the other draws' layers are apart";
  v.draw.state.clip.force_zero_rta_index_enable = true;
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 1}));
  v.draw.state.clip.force_zero_rta_index_enable = false;
  places.clear();
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 1}));
  v.other.view_extent_less_1 = 3;
  v.bind(3, v.other);
  EXPECT_FALSE(places.add(v.draw).has_value()) << "the layers before it are together";
  places.clear();
  v.draw.state.depth_buffer.surface_type = 1;
  v.draw.state.wm_depth_stencil.depth_test_enable = true;
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 1})) << "depth has one slice";
  v.draw.state.depth_buffer.render_target_view_extent = 3;
  places.clear();
  EXPECT_EQ(places.add(v.draw), (BinSlices{0, 4}));
}

TEST(Targets, SomeOfTheTargetsStayInTheScene) {
  Views v;
  TargetPlaces places;
  EXPECT_TRUE(places.add(v.draw).has_value());
  v.use(1, one_target);
  EXPECT_TRUE(places.add(v.draw).has_value());
  v.draw.state.ps_blend.has_writeable_rt = false;  // depth alone
  v.bind(0, v.other);
  EXPECT_TRUE(places.add(v.draw).has_value());
}

TEST(Targets, DepthAndStencilCountWhereTheyAreUsed) {
  Views v;
  TargetPlaces places;
  commands::three_d::DepthBuffer& depth = v.draw.state.depth_buffer;
  depth.surface_type = 1, depth.surface_base_address = 0x1000;
  v.draw.state.stencil_buffer.stencil_buffer_enable = true;
  EXPECT_TRUE(places.add(v.draw).has_value());
  depth.surface_base_address = 0x5000;
  EXPECT_TRUE(places.add(v.draw).has_value()) << "no test and no write";
  v.draw.state.wm_depth_stencil.depth_test_enable = true;
  EXPECT_TRUE(places.add(v.draw).has_value());
  depth.lod = 1;
  EXPECT_FALSE(places.add(v.draw).has_value());
  v.draw.state.wm_depth_stencil.depth_test_enable = false;
  v.draw.state.wm_depth_stencil.stencil_test_enable = true;
  EXPECT_TRUE(places.add(v.draw).has_value());
  v.draw.state.stencil_buffer.surface_base_address = 0x2000;
  EXPECT_FALSE(places.add(v.draw).has_value());
}

}  // namespace
}  // namespace vitro::pipeline
