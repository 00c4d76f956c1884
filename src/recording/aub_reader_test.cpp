// Tests of reading AUB files: both forms, page tables, context images and rings, what is compared, and what is damaged.
#include <gtest/gtest.h>

#include "memory/view.h"
#include "recording/aub_test.h"
#include "recording/recording.h"

namespace vitro::recording {
namespace {

constexpr uint32_t physical = AubFile::physical, ggtt = AubFile::ggtt;
constexpr uint32_t batch_start = AubFile::batch_start, batch_end = AubFile::batch_end;
constexpr uint64_t batch = AubFile::batch;

constexpr uint32_t tail_place = AubFile::tail_place;

std::unique_ptr<Reader> open(const AubFile& f, bool check = false) {
  auto reader = Reader::from_bytes(f.bytes, {.check = check, .memory_limit = 64 << 20});
  EXPECT_TRUE(reader) << reader.error().message;
  return std::move(*reader);
}

TEST(AubReader, ContextsOfTheMemoryTraceForm) {
  for (const uint32_t tables : {physical, 6u}) {
    AubFile f = one_context(0x2000, tables);
    f.write(ggtt, 0x10000, {batch_start, uint32_t(batch), uint32_t(batch >> 32), 0});
    f.write(ggtt, tail_place, {16}).comment("hello").submit(0x2000, 0x11119);
    // More of the ring: two batches, and something after them.
    f.write(ggtt, 0x10010,
            {batch_start, uint32_t(batch), uint32_t(batch >> 32), 0, batch_start, uint32_t(batch + 4096),
             uint32_t(batch >> 32), 0x01000000});
    f.write(ggtt, tail_place, {48}).submit(0x2000, 0x11119);
    const auto reader = open(f);
    EXPECT_EQ(reader->device(), "skl");
    const auto first = reader->next();
    ASSERT_TRUE(first && *first) << first.error().message;
    EXPECT_EQ((*first)->engine, commands::Engine::render);
    EXPECT_EQ((*first)->address, batch);
    EXPECT_EQ((*first)->note, "hello");
    ASSERT_TRUE((*first)->ring);
    EXPECT_EQ((*first)->ring->address, 0x10000u);
    EXPECT_EQ((*first)->ring->bytes, 16u);
    memory::View view((*first)->memory);
    EXPECT_EQ(view.load<uint32_t>(batch + 4), 2u);
    EXPECT_EQ((*first)->memory->ranges().size(), 1u);
    EXPECT_EQ((*first)->memory->ranges()[0].bytes, 8192u);
    view.store(batch + 4096, 77u);  // as if executed
    const auto second = reader->next(), third = reader->next();
    ASSERT_TRUE(second && *second && third && *third);
    EXPECT_EQ((*second)->ring->address, 0x10010u);
    EXPECT_EQ((*second)->ring->bytes, 12u);
    EXPECT_EQ((*third)->address, batch + 4096);
    EXPECT_EQ((*third)->ring->bytes, 20u);
    EXPECT_EQ((*third)->context, 0u);
    EXPECT_EQ(memory::View((*third)->memory).load<uint32_t>(batch + 4096), 77u);
    const auto end = reader->next();
    ASSERT_TRUE(end);
    EXPECT_FALSE(*end);
  }
}

TEST(AubReader, EnginesAndRingsThatWrap) {
  AubFile f = one_context(0x22000);
  f.write(ggtt, 0x12000 + 4 * 5, {4080});  // the head
  f.write(ggtt, 0x10FF0, {0, 0, 0, 0}).write(ggtt, 0x10000, {batch_start, uint32_t(batch), uint32_t(batch >> 32), 0});
  f.write(ggtt, tail_place, {16}).submit(0x22000, 0x11119);
  const auto reader = open(f);
  const auto before = reader->next(), after = reader->next();
  ASSERT_TRUE(before && *before && after && *after);
  EXPECT_EQ((*before)->engine, commands::Engine::copy);
  EXPECT_EQ((*before)->address, 0x10FF0u);  // nothing but the ring itself
  EXPECT_EQ((*before)->bytes, 16u);
  EXPECT_EQ((*after)->address, batch);
}

TEST(AubReader, WhatDoesNotHoldIsAnError) {
  const auto with = [](auto add) {
    AubFile f = one_context();
    add(f);
    return f;
  };
  struct Case {
    AubFile file;
    const char* wanted;  // nullptr: it holds
  };
  const Case cases[] = {
      {with([](AubFile& f) {
         f.expect(physical, 0x200000, {1, 2});
       }),
       nullptr},
      {with([](AubFile& f) {
         f.expect(physical, 0x200000, {1, 5});
       }),
       "memory at 0x200004 (space 2) is 0x02, not 0x05"},
      {with([](AubFile& f) {
         f.expect(physical, 0x200000, {1, 5}, 1 << 7);
       }),
       nullptr},
      {with([](AubFile& f) {
         f.expect(physical, 0x200000, {1, 2}, 1 << 7);
       }),
       "expects them not to be"},
      {with([](AubFile& f) { f.poll(physical, 0x200000, 0xF, 0x31); }), nullptr},
      {with([](AubFile& f) { f.poll(physical, 0x200000, 0xFF, 0x31); }), "waits for 0x31"},
      {with([](AubFile& f) { f.poll(physical, 0x200000, 0xFF, 0x31, 1); }), nullptr},
      {with([](AubFile& f) { f.poll_reg(0x2234, 0x100, 0x100); }), nullptr},
      {with([](AubFile& f) { f.reg(0x2080, 5).poll_reg(0x2080, ~0u, 6); }), "register 0x2080 is 0x5"},
      {with([](AubFile& f) { f.poll_reg(0x2358, ~0u, 6); }), "unsupported: looking at register 0x2358"},
  };
  for (const Case& c : cases) {
    const auto checked = open(c.file, true)->next(), unchecked = open(c.file, false)->next();
    EXPECT_TRUE(unchecked);
    EXPECT_EQ(bool(checked), c.wanted == nullptr) << (c.wanted ? c.wanted : checked.error().message);
    if (checked || !c.wanted) continue;
    EXPECT_NE(checked.error().message.find(c.wanted), std::string::npos) << checked.error().message;
    EXPECT_TRUE(checked.error().message.starts_with("offset 0x")) << checked.error().message;
  }
}

TEST(AubReader, OldForm) {
  AubFile f;
  f.old_header("PCI-ID=0x126");
  f.dwords({0xF7060006, 0, 0, 4u << 28, 8, 1, 0});          // what Mesa's writer begins with
  f.old_block(1 | 4 << 16, 0, {0x200003});                  // GTT entries
  f.old_block(1, 0x100000, {7, 8, batch_end});              // data
  f.old_block(2 | 2 << 8, 0x8000, {0x18800000, 0x100000});  // commands for the render ring
  f.old_block(2 | 4 << 8, 0x8000, {0x18800000, 0x100004});  // for the blitter's
  const auto reader = open(f);
  EXPECT_EQ(reader->device(), "0x126");
  const auto first = reader->next(), second = reader->next();
  ASSERT_TRUE(first && *first && second && *second);
  EXPECT_EQ((*first)->address, 0x100000u);
  EXPECT_EQ((*first)->engine, commands::Engine::render);
  EXPECT_EQ((*first)->memory, (*first)->ggtt);
  EXPECT_EQ(memory::View((*first)->memory).load<uint32_t>(0x100004), 8u);
  EXPECT_EQ((*second)->engine, commands::Engine::copy);
  EXPECT_EQ((*second)->address, 0x100004u);
  AubFile bad;
  bad.old_header("").old_block(2 | 9 << 8, 0x8000, {0x18800000, 0x100000});
  EXPECT_FALSE(open(bad)->next());
}

TEST(AubReader, OldFormWithLongAddresses) {
  AubFile f;
  f.old_header("PCI-ID=0x1616");
  f.dwords({0xE0C10004, 1, 0, 0x1000, 4, 5, 0x05000000});
  f.dwords({0xE0C10004, 2 | 2 << 8, 0, 0x8000, 12, 0, batch_start & ~256u, 0x1000, 5});
  const auto s = open(f)->next();
  ASSERT_TRUE(s && *s) << s.error().message;
  EXPECT_EQ((*s)->address, 0x500001000u);
  EXPECT_EQ(memory::View((*s)->memory).load<uint32_t>(0x500001000), batch_end);
}

TEST(AubReader, DamageHasAnOffset) {
  AubFile whole = one_context();
  whole.write(ggtt, 0x10000, {batch_start, uint32_t(batch), uint32_t(batch >> 32), 0});
  whole.write(ggtt, tail_place, {16}).submit(0x2000, 0x11119);
  // Cut anywhere, it is an error or a shorter file.
  for (size_t n = 4; n < whole.bytes.size(); ++n) {
    const auto reader = Reader::from_bytes(whole.bytes.substr(0, n), {.memory_limit = 64 << 20});
    if (!reader) {
      EXPECT_TRUE(reader.error().message.starts_with("offset 0x")) << reader.error().message;
      continue;
    }
    const auto next = (*reader)->next();
    EXPECT_TRUE(next || next.error().message.starts_with("offset 0x")) << next.error().message;
  }
  const auto error_of = [](const AubFile& f) {
    const auto reader = Reader::from_bytes(f.bytes, {.memory_limit = 1 << 20});
    if (!reader) return reader.error().message;
    const auto next = (*reader)->next();
    return next ? std::string() : next.error().message;
  };
  AubFile no_record = one_context();
  no_record.dwords({0x12345678});
  EXPECT_NE(error_of(no_record).find("0x12345678 is no record"), std::string::npos);
  AubFile too_much;
  for (uint64_t n = 0; n < 300; ++n) too_much.write(physical, n << 12, {1});
  EXPECT_NE(error_of(too_much).find("more than 1 MiB"), std::string::npos) << error_of(too_much);
  AubFile longer;
  longer.dwords({0xF7060005, 0, 0, 2u << 28, 1 << 30, 0});
  EXPECT_NE(error_of(longer).find("a write of 1073741824 bytes"), std::string::npos) << error_of(longer);
  AubFile no_image;
  no_image.submit(0x2000, 0x11119);
  EXPECT_NE(error_of(no_image).find("no context image"), std::string::npos);
}

TEST(AubReader, TablesThatLeadToThemselvesEnd) {
  AubFile f = one_context();
  f.entries(physical, 0x1000, std::vector<uint64_t>(512, 0x1003));
  f.write(ggtt, tail_place, {16}).submit(0x2000, 0x11119);
  const auto next = open(f)->next();
  ASSERT_FALSE(next);
  EXPECT_NE(next.error().message.find("page"), std::string::npos) << next.error().message;
}

}  // namespace
}  // namespace vitro::recording
