// Tests of page tables: large and intermediate pages, read-only ones, the 32-bit form, changes, and the GGTT.
#include <gtest/gtest.h>

#include "memory/view.h"
#include "recording/page_tables.h"

namespace vitro::recording {
namespace {

class Tables : public testing::Test {
 protected:
  void put(uint64_t address, std::vector<uint64_t> entries) {
    ASSERT_TRUE(physical_->write(address, std::as_bytes(std::span(entries))));
  }
  std::shared_ptr<Pages> physical_ = std::make_shared<Pages>(64 << 20);
  PageTables tables_{physical_, 1 << 20};
};

TEST_F(Tables, SizesOfPages) {
  put(0x1000, {0x2003});
  put(0x2000, {0x3003});
  put(0x3000, {0x4003, 0x40000083, 0x5803});  // a table, a page of 2 MiB, a table of pages of 64 KB
  put(0x4000, {0x100003, 0, 0x200001});
  put(0x5000, {0x300003, 0x999003});
  const auto space = tables_.ppgtt({.pdp = {0x1000}});
  ASSERT_TRUE(space) << space.error().message;
  const auto host = [&](uint64_t address) -> const std::byte* {
    const memory::Range* r = (*space)->find(address);
    return r ? r->host + (address - r->start) : nullptr;
  };
  EXPECT_EQ(host(0x10), physical_->find(0x100000) + 0x10);
  EXPECT_EQ(host(0x1000), nullptr);
  EXPECT_TRUE((*space)->find(0x2000)->read_only);
  EXPECT_FALSE((*space)->find(0)->read_only);
  EXPECT_EQ(host(0x200000 + 0x12345), physical_->find(0x40012345) + 0x345);
  EXPECT_EQ(host(0x400000 + 0x3000), physical_->find(0x303000));  // the entry of the first of sixteen
  EXPECT_EQ((*space)->find(0x200000)->bytes, 2u << 20);
}

TEST_F(Tables, FourDirectories) {
  put(0x3000, {0x4003});
  put(0x4000, {0x100003});
  const auto space = tables_.ppgtt({.pdp = {0, 0, 0, 0x3000}, .four_levels = false});
  ASSERT_TRUE(space);
  ASSERT_EQ((*space)->ranges().size(), 1u);
  EXPECT_EQ((*space)->ranges()[0].start, 0xC0000000u);
}

TEST_F(Tables, ChangesAreSeenAndNothingElse) {
  put(0x1000, {0x2003});
  put(0x2000, {0x3003});
  put(0x3000, {0x4003});
  put(0x4000, {0x100003});
  const Root root{.pdp = {0x1000}};
  const auto first = *tables_.ppgtt(root);
  put(0x4000, {0x100003});  // as it was
  put(0x100000, {5});
  EXPECT_EQ(*tables_.ppgtt(root), first);
  put(0x4008, {0x101003});
  const auto second = *tables_.ppgtt(root);
  EXPECT_NE(second, first);
  EXPECT_EQ(second->ranges()[0].bytes, 8192u);
}

TEST_F(Tables, Ggtt) {
  const std::vector<uint64_t> entries{0x100001, 0x101001, 0};
  ASSERT_TRUE(tables_.write_ggtt_entries(8, std::as_bytes(std::span(entries))));
  EXPECT_EQ(tables_.ggtt_address(0x1234), 0x100234u);
  EXPECT_FALSE(tables_.ggtt_address(0x234));
  EXPECT_FALSE(tables_.ggtt_address(uint64_t{1} << 40));
  const auto space = tables_.ggtt();
  ASSERT_TRUE(space);
  ASSERT_EQ((*space)->ranges().size(), 1u);
  EXPECT_EQ((*space)->ranges()[0].start, 0x1000u);
  EXPECT_EQ((*space)->ranges()[0].bytes, 0x2000u);
  EXPECT_FALSE(tables_.write_ggtt_entries((8 << 20) - 8, std::as_bytes(std::span(entries))));
}

}  // namespace
}  // namespace vitro::recording
