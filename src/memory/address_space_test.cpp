// Tests of address spaces and views: binding over what is bound, canonical addresses, accesses that cross objects, miss
// or hit read-only memory, and tables that outlive a new binding.
#include "memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "memory/view.h"

namespace vitro::memory {
namespace {

struct Memory {
  std::vector<std::byte> bytes;
  explicit Memory(size_t pages, int fill) : bytes(pages * page_bytes, std::byte(fill)) {}
  Range at(uint64_t start, bool read_only = false) { return {start, bytes.size(), bytes.data(), read_only}; }
};

uint8_t byte_at(const AddressSpace& space, uint64_t address) { return View(space.table()).load<uint8_t>(address); }

TEST(AddressSpace, finds_what_is_bound_and_nothing_else) {
  Memory a(2, 1), b(1, 2);
  AddressSpace space;
  const Range both[] = {a.at(0x10000), b.at(0x20000)};
  space.bind(both);
  const auto table = space.table();
  EXPECT_EQ(table->find(0xFFFF), nullptr);
  ASSERT_NE(table->find(0x10000), nullptr);
  EXPECT_EQ(table->find(0x11FFF)->start, 0x10000u);
  EXPECT_EQ(table->find(0x12000), nullptr);
  EXPECT_EQ(table->find(0x20FFF)->host, b.bytes.data());
  EXPECT_EQ(table->find(0x21000), nullptr);
  EXPECT_EQ(Table().find(0), nullptr);
}

TEST(AddressSpace, a_new_binding_cuts_the_old_one) {
  Memory a(4, 1), b(1, 2);
  AddressSpace space;
  space.bind(std::array{a.at(0x10000)});
  a.bytes[3 * page_bytes] = std::byte{7};
  space.bind(std::array{b.at(0x11000)});
  EXPECT_EQ(byte_at(space, 0x10000), 1);
  EXPECT_EQ(byte_at(space, 0x11000), 2);
  EXPECT_EQ(byte_at(space, 0x12000), 1);
  EXPECT_EQ(byte_at(space, 0x13000), 7);
  EXPECT_EQ(space.table()->ranges().size(), 3u);
}

TEST(AddressSpace, later_ones_of_one_call_win_and_empty_ones_do_nothing) {
  Memory a(2, 1), b(2, 2);
  AddressSpace space;
  space.bind(std::array{a.at(0x1000), b.at(0x2000), Range{0x1000, 0, nullptr}});
  EXPECT_EQ(byte_at(space, 0x1000), 1);
  EXPECT_EQ(byte_at(space, 0x2000), 2);
  EXPECT_EQ(byte_at(space, 0x3000), 2);
  // One that covers several.
  Memory c(8, 3);
  space.bind(std::array{c.at(0)});
  EXPECT_EQ(space.table()->ranges().size(), 1u);
}

TEST(AddressSpace, unbinding_leaves_what_lies_around) {
  Memory a(4, 1);
  AddressSpace space;
  space.bind(std::array{a.at(0x10000)});
  space.unbind(0x11000, 0x2000);
  EXPECT_EQ(byte_at(space, 0x10FFF), 1);
  EXPECT_EQ(byte_at(space, 0x11000), 0);
  EXPECT_EQ(byte_at(space, 0x12FFF), 0);
  EXPECT_EQ(byte_at(space, 0x13000), 1);
}

TEST(AddressSpace, canonical_addresses_are_the_same_place) {
  Memory a(1, 9);
  AddressSpace space;
  space.bind(std::array{a.at(0xFFFF'8000'0000'0000)});
  EXPECT_EQ(byte_at(space, 0x8000'0000'0000), 9);
  EXPECT_EQ(byte_at(space, 0xFFFF'8000'0000'0FFF), 9);
  EXPECT_EQ(to_canonical(0x8000'0000'0000), 0xFFFF'8000'0000'0000);
  EXPECT_EQ(to_canonical(0x7FFF'FFFF'F000), 0x7FFF'FFFF'F000u);
  EXPECT_EQ(from_canonical(0xFFFF'8000'0000'0001), 0x8000'0000'0001u);
  space.unbind(0xFFFF'8000'0000'0000, page_bytes);
  EXPECT_EQ(byte_at(space, 0x8000'0000'0000), 0);
}

TEST(AddressSpace, a_table_keeps_its_memory_when_it_is_bound_anew) {
  auto owner = std::make_shared<Memory>(1, 5);
  const std::weak_ptr<Memory> watched = owner;
  AddressSpace space;
  Range r = owner->at(0x1000);
  r.owner = owner;
  space.bind(std::array{r});
  r.owner.reset();
  owner.reset();
  auto old = space.table();
  space.unbind(0x1000, page_bytes);
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(View(old).load<uint8_t>(0x1000), 5);
  old.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(View, gives_contiguous_memory_or_nothing) {
  Memory a(1, 1), b(1, 2), c(1, 3);
  AddressSpace space;
  space.bind(std::array{a.at(0x1000), b.at(0x2000), c.at(0x5000, true)});
  View view(space.table());
  EXPECT_EQ(view.at(0x1010, 16, Access::write), a.bytes.data() + 16);
  EXPECT_EQ(view.at(0x1000, page_bytes, Access::read), a.bytes.data());
  EXPECT_EQ(view.at(0x1FFF, 2, Access::read), nullptr);
  EXPECT_EQ(view.at(0x3000, 1, Access::read), nullptr);
  EXPECT_EQ(view.at(0x5000, 1, Access::write), nullptr);
  EXPECT_EQ(view.at(0x5000, 1, Access::read), c.bytes.data());
  EXPECT_EQ(view.misses().reads + view.misses().writes, 0u);
}

TEST(View, reads_and_writes_across_objects_and_counts_what_misses) {
  Memory a(1, 1), b(1, 2);
  AddressSpace space;
  space.bind(std::array{a.at(0x1000), b.at(0x2000)});
  View view(space.table());
  EXPECT_EQ(view.load<uint32_t>(0x1FFE), 0x02020101u);
  view.store<uint32_t>(0x1FFE, 0x44332211);
  EXPECT_EQ(a.bytes[0xFFF], std::byte{0x22});
  EXPECT_EQ(b.bytes[0], std::byte{0x33});
  EXPECT_FALSE(view.misses().first);

  EXPECT_EQ(view.load<uint32_t>(0x2FFE), 0x0202u);  // half of it is there
  EXPECT_EQ(view.misses().reads, 1u);
  EXPECT_EQ(view.misses().first, 0x3000u);
  view.store<uint64_t>(0xFFC, ~uint64_t{0});
  EXPECT_EQ(view.misses().writes, 1u);
  EXPECT_EQ(a.bytes[3], std::byte{0xFF});
  EXPECT_EQ(a.bytes[4], std::byte{1});
  EXPECT_EQ(view.load<uint64_t>(0x777000), 0u);
  EXPECT_EQ(view.misses().reads, 2u);
  EXPECT_EQ(view.misses().first, 0x3000u);
}

TEST(View, drops_writes_to_read_only_memory_without_counting_them) {
  Memory a(1, 1), b(1, 2);
  AddressSpace space;
  space.bind(std::array{a.at(0x1000, true), b.at(0x2000)});
  View view(space.table());
  view.store<uint32_t>(0x1FFE, 0);
  EXPECT_EQ(a.bytes[0xFFF], std::byte{1});
  EXPECT_EQ(b.bytes[0], std::byte{0});
  view.store<uint32_t>(0x1000, 0);
  EXPECT_EQ(a.bytes[0], std::byte{1});
  EXPECT_FALSE(view.misses().first);
}

TEST(View, faults_only_if_strict) {
  View lenient(nullptr), strict(nullptr, true);
  EXPECT_EQ(lenient.load<uint32_t>(0), 0u);
  EXPECT_FALSE(lenient.must_fault());
  EXPECT_FALSE(strict.must_fault());
  strict.store<uint32_t>(64, 1);
  EXPECT_TRUE(strict.must_fault());
  EXPECT_EQ(strict.misses().first, 64u);
}

TEST(View, an_access_over_the_top_of_the_space_goes_on_at_its_bottom) {
  Memory top(1, 1), bottom(1, 2);
  AddressSpace space;
  space.bind(std::array{top.at(0xFFFF'FFFF'F000), bottom.at(0)});
  View view(space.table());
  EXPECT_EQ(view.load<uint32_t>(0xFFFF'FFFF'FFFE), 0x02020101u);
}

TEST(AddressSpace, random_bindings_match_a_map_of_pages) {
  Rng rng(7);
  std::vector<Memory> memories;
  for (int n = 0; n < 16; ++n) memories.emplace_back(1 + rng.below(6), n + 1);
  AddressSpace space;
  std::array<uint8_t, 64> pages{};
  for (int step = 0; step < 2000; ++step) {
    const uint64_t page = rng.below(58);
    if (rng.one_in(3)) {
      const uint64_t count = 1 + rng.below(6);
      space.unbind(page * page_bytes, count * page_bytes);
      for (uint64_t p = page; p < page + count; ++p) pages[p] = 0;
    } else {
      Memory& m = memories[rng.below(16)];
      space.bind(std::array{m.at(page * page_bytes)});
      for (uint64_t p = page; p < page + m.bytes.size() / page_bytes; ++p) pages[p] = uint8_t(m.bytes[0]);
    }
    View view(space.table());
    for (uint64_t p = 0; p < pages.size(); ++p)
      ASSERT_EQ(view.load<uint8_t>(p * page_bytes + step % page_bytes), pages[p]) << step;
  }
}

}  // namespace
}  // namespace vitro::memory
