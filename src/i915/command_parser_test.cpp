// Tests of the command parser: which batches the blitter of kbl gets, and that other engines and devices take all.
#include "i915/execbuffer.h"
#include "i915/kernel_test.h"

namespace vitro::i915 {
namespace {

constexpr uint64_t base = 0x800000;
constexpr uint32_t bbe = 0x05000000, sdi = 0x10000002, lri = 0x11000001, srm = 0x12000002, lrr = 0x15000001;
constexpr uint32_t bbs = 0x18800101, fill = 0x54000005;  // XY_COLOR_BLT

int check(std::vector<uint32_t> batch) { return check_batch(gen::copy_rules_gen9, batch, base); }

TEST(CommandParser, LetsThrough) {
  EXPECT_EQ(check({bbe}), 0);
  EXPECT_EQ(check({0, sdi, 0, 0, 1, bbe}), 0);
  EXPECT_EQ(check({fill, 1, 2, 3, 4, 5, 6, bbe}), 0);
  EXPECT_EQ(check({0x17800001, 1, 2, bbe}), 0);  // MI_ATOMIC has no row: by its length
  EXPECT_EQ(check({bbe, 0xffffffff}), 0);        // what follows the end is not looked at
  EXPECT_EQ(check({sdi, bbe, bbe, bbe, bbe}), 0);
}

TEST(CommandParser, MiFlush) { EXPECT_EQ(check({0x02000000, 0x02000003, bbe}), 0); }

TEST(CommandParser, Unknown) {
  EXPECT_EQ(check({0x7a000004, 0, 0, 0, 0, 0, bbe}), -EINVAL);  // PIPE_CONTROL, of another client
  EXPECT_EQ(check({0x20000000, 0, bbe}), -EINVAL);
}

TEST(CommandParser, TooLongOrWithoutEnd) {
  EXPECT_EQ(check({}), -EINVAL);
  EXPECT_EQ(check({0, 0}), -EINVAL);
  EXPECT_EQ(check({sdi, 0, 0}), -EINVAL);
  EXPECT_EQ(check({sdi, 0, 0, 0}), -EINVAL);
  EXPECT_EQ(check({bbe | 1, bbe}), -EINVAL);  // not the end, but a command of three dwords
}

TEST(CommandParser, Registers) {
  for (const uint32_t allowed : {0x2358u, 0x235cu, 0x1235cu, 0x22358u, 0x22200u, 0x223a8u, 0x22600u, 0x2267cu}) {
    EXPECT_EQ(check({lri, allowed, 0, bbe}), 0) << allowed;
    EXPECT_EQ(check({srm, allowed, 0, 0, bbe}), 0) << allowed;
  }
  for (const uint32_t forbidden : {0u, 0x2354u, 0x2360u, 0x22204u, 0x225fcu, 0x22680u, 0x7034u, 0x1a358u}) {
    EXPECT_EQ(check({lri, forbidden, 0, bbe}), -EACCES) << forbidden;
    EXPECT_EQ(check({srm, forbidden, 0, 0, bbe}), -EACCES) << forbidden;
    EXPECT_EQ(check({0x14800002, forbidden, 0, 0, bbe}), -EACCES) << forbidden;  // MI_LOAD_REGISTER_MEM
    EXPECT_EQ(check({lri + 2, 0x22600, 0, forbidden, 0, bbe}), -EACCES) << forbidden;
    EXPECT_EQ(check({lrr, 0x22600, forbidden, bbe}), -EACCES) << forbidden;
    EXPECT_EQ(check({lrr, forbidden, 0x22600, bbe}), -EACCES) << forbidden;
  }
  EXPECT_EQ(check({lrr, 0x2358, 0x22600, bbe}), 0);
}

TEST(CommandParser, Jumps) {
  EXPECT_EQ(check({0, bbs, lo(base), hi(base)}), 0);
  EXPECT_EQ(check({0, bbs, lo(base + 4), hi(base)}), 0);                   // to itself
  EXPECT_EQ(check({0, bbs, lo(base + 8), hi(base)}), -EINVAL);             // into itself
  EXPECT_EQ(check({bbs, lo(base + 12), hi(base), bbe}), -EINVAL);          // ahead
  EXPECT_EQ(check({sdi, 0, 0, 0, bbs, lo(base + 4), hi(base)}), -EINVAL);  // into another command
  EXPECT_EQ(check({0, bbs, lo(base - 4), hi(base)}), -EINVAL);             // out of the batch
  EXPECT_EQ(check({0, bbs, lo(base), hi(base) + 1}), -EINVAL);
  EXPECT_EQ(check({0, bbs | 1 << 22, lo(base), hi(base)}), -EACCES);  // second level
  EXPECT_EQ(check({0, bbs & ~0x100u, lo(base), hi(base)}), -EACCES);  // in the GGTT
}

class ParsedBatches : public KernelTest {
 protected:
  int submit(std::vector<uint32_t> dwords, uint64_t ring) {
    const uint32_t batch = create(4096);
    write(batch, 0, std::move(dwords));
    std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
    const int result = execute(list, I915_EXEC_NO_RELOC | ring);
    wait(batch);
    close_object(batch);
    return result;
  }
};

TEST_F(ParsedBatches, OnlyWhereThereAreRules) {
  // To the tests' GPU, 0 is the end; the parser knows MI_NOOP and goes on.
  EXPECT_EQ(submit({0, bbe}, I915_EXEC_BLT), 0);
  EXPECT_EQ(submit({0, lri, 0x7034, 0, bbe}, I915_EXEC_BLT), -EACCES);
  EXPECT_EQ(submit({0}, I915_EXEC_BLT), -EINVAL);
  EXPECT_EQ(submit({0}, I915_EXEC_RENDER), 0);
  EXPECT_EQ(submit({0}, I915_EXEC_BSD), 0);
  const size_t before = gpu_->batches.size();
  EXPECT_EQ(before, 3u);  // what is refused does not run
  start("bdw");
  EXPECT_EQ(submit({0}, I915_EXEC_BLT), 0);
  start("apl");
  EXPECT_EQ(submit({0}, I915_EXEC_BLT), -EINVAL);
}

TEST_F(ParsedBatches, OfAnySize) {
  // As long as the object: 300 MiB, of which the first dwords are touched.
  const uint32_t batch = create(300 << 20);
  write(batch, 0, {0, bbe});
  std::vector<drm_i915_gem_exec_object2> list{pinned(batch, batch_address)};
  EXPECT_EQ(execute(list, I915_EXEC_NO_RELOC | I915_EXEC_BLT), 0);
  EXPECT_EQ(wait(batch), 0);
}

}  // namespace
}  // namespace vitro::i915
