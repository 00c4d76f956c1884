// The layouts of media and GPGPU commands against packets that drivers submitted.
#include "commands/media_layouts.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "commands/interface_descriptor.h"

namespace vitro::commands {
namespace {

using namespace media_fields;
using Packet = std::vector<uint32_t>;

TEST(MediaLayouts, VfeStateOfAScratchUsingKernel) {
  const MediaVfeState v = unpack(vfe_gen9, Packet{0x70000007, 0xFFF1B002, 0, 0x00A70200, 0, 0x00020000, 0, 0, 0});
  EXPECT_EQ(v.scratch_size, 2);
  EXPECT_EQ(v.scratch_base, 0xFFF1B000u);
  EXPECT_EQ(v.maximum_threads, 167);
  EXPECT_EQ(v.urb_entries, 2);
  EXPECT_EQ(v.urb_entry_size, 2);
  EXPECT_FALSE(v.scoreboard_enable);
}

TEST(MediaLayouts, ScoreboardDeltasAreSigned) {
  // (-1,0) (-1,-1) (0,-1) (1,-1)
  const MediaVfeState v = unpack(vfe_gen8, Packet{0x70000007, 0, 0, 0, 0, 0, 0x8000000F, 0xF1F0FF0F, 0});
  EXPECT_TRUE(v.scoreboard_enable);
  EXPECT_EQ(v.scoreboard_mask, 0xF);
  const int dx[] = {-1, -1, 0, 1, 0}, dy[] = {0, -1, -1, -1, 0};
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(v.delta_x(n), dx[n]) << n;
    EXPECT_EQ(v.delta_y(n), dy[n]) << n;
  }
}

TEST(MediaLayouts, WalkerDistancesAreSignedAndAsWideAsTheGeneration) {
  Packet p(17);
  p[12] = 0x0001'0FFC;  // unit (-4, 1) in twelve bits
  EXPECT_EQ(unpack(object_walker_gen9, p).local_unit_x, -4);
  EXPECT_EQ(unpack(object_walker_gen9, p).local_unit_y, 1);
  p[12] = 0x0001'03FC;  // in ten
  EXPECT_EQ(unpack(object_walker_gen8, p).local_unit_x, -4);
  EXPECT_EQ(unpack(object_walker_gen9, p).local_unit_x, 0x3FC);
  p[5] = 0x20F;
  EXPECT_EQ(unpack(object_walker_gen8, p).group_loop, 2u);
  EXPECT_EQ(unpack(object_walker_gen8, p).scoreboard_mask, 0xF);
}

TEST(MediaLayouts, GpgpuWalker) {
  const GpgpuWalker w =
      unpack(gpgpu_walker, Packet{0x7105050D, 1, 0x680, 0x1000, 0x80020107, 1, 0, 4, 2, 0, 5, 3, 6, 0xF, 0xFF});
  EXPECT_TRUE(w.predicate && w.indirect);
  EXPECT_EQ(w.descriptor, 1);
  EXPECT_EQ(w.data_length, 0x680u);
  EXPECT_EQ(w.data_start, 0x1000u);
  EXPECT_EQ(std::tuple(w.width, w.height, w.depth, w.simd), std::tuple(7, 1, 2, 2));
  EXPECT_EQ(std::tuple(w.start_x, w.start_y, w.start_z), std::tuple(1u, 2u, 3u));
  EXPECT_EQ(std::tuple(w.end_x, w.end_y, w.end_z), std::tuple(4u, 5u, 6u));
  EXPECT_EQ(std::tuple(w.right_mask, w.bottom_mask), std::tuple(0xFu, 0xFFu));
}

// GL: three threads, a barrier, shared local memory of code 1.
TEST(MediaLayouts, InterfaceDescriptor) {
  const InterfaceDescriptor d =
      unpack(descriptor_fields::gen9, Packet{0xFFFFB000, 0, 0x80000, 0x124, 0x23, 0x00010002, 0x00210003, 3});
  EXPECT_EQ(d.kernel_start, 0xFFFFB000u);
  EXPECT_TRUE(d.denormals_by_kernel);
  EXPECT_EQ(d.sampler_table, 0x120u);
  EXPECT_EQ(d.sampler_count, 1);
  EXPECT_EQ(d.binding_table, 0x20u);
  EXPECT_EQ(d.binding_count, 3);
  EXPECT_EQ(d.curbe_length, 1);
  EXPECT_EQ(d.curbe_offset, 2);
  EXPECT_EQ(d.threads, 3);
  EXPECT_EQ(d.slm_size, 1);
  EXPECT_TRUE(d.barrier);
  EXPECT_EQ(d.cross_thread_length, 3);
}

TEST(MediaLayouts, PackGivesBackWhatWasUnpacked) {
  const Packet p{0x7105000D, 0, 0, 0, 0x40000002, 0, 0, 3, 0, 0, 2, 0, 2, 0x000000FF, 0xFFFFFFFF};
  std::array<uint32_t, 15> out{};
  pack(gpgpu_walker, unpack(gpgpu_walker, p), out);
  EXPECT_EQ(Packet(out.begin(), out.end()), p);
}

TEST(MediaLayouts, PoolStateAsTheKernelWritesIt) {
  const MediaPoolState s = unpack(pool_state, Packet{0x70050004, 0x80000000, 0x00777000, 0, 0, 0});
  EXPECT_TRUE(s.enable);
  EXPECT_EQ(s.configuration, 0x00777000u);
}

}  // namespace
}  // namespace vitro::commands
