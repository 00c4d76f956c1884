// Tests of error states: memory as text both ways, and the lines of newer and older kernels.
#include <gtest/gtest.h>

#include "memory/view.h"
#include "recording/error_text.h"
#include "recording/recording.h"

namespace vitro::recording {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<uint32_t> dwords) {
  std::vector<std::byte> out(4 * dwords.size());
  std::memcpy(out.data(), std::data(dwords), out.size());
  return out;
}

TEST(ErrorText, BothWays) {
  std::vector<std::byte> memory(70000 / 4 * 4);
  uint32_t state = 1;
  for (size_t n = 0; n < memory.size() / 2; ++n) memory[n] = std::byte((state = state * 1664525 + 1013904223) >> 24);
  const std::string text = error_text(memory);
  ASSERT_EQ(text[0], ':');
  EXPECT_EQ(text.back(), '\n');
  const auto back = memory_of_error_text(std::string_view(text).substr(0, text.size() - 1), 1 << 20);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, memory);
  EXPECT_FALSE(memory_of_error_text(std::string_view(text).substr(0, text.size() - 1), memory.size() - 4));
}

TEST(ErrorText, PlainAndDamaged) {
  EXPECT_EQ(*memory_of_error_text("~z!!!!$s8W-!", 64), bytes_of({0, 3, ~0u}));
  EXPECT_FALSE(memory_of_error_text("~!!!", 64));
  EXPECT_FALSE(memory_of_error_text("~s8W-\"", 64));  // 2^32
  EXPECT_FALSE(memory_of_error_text("~zzzz", 12));
  EXPECT_FALSE(memory_of_error_text("~{!!!!", 64));
  EXPECT_FALSE(memory_of_error_text(":!!!!$", 64));
  EXPECT_FALSE(memory_of_error_text("", 64));
}

TEST(ErrorState, AsNewerKernelsWriteIt) {
  const std::string text =
      "GPU HANG: ecode 9:1:85dffffb, in program [12]\nKernel: 6.1.0 x86_64\nPCI ID: 0x5916\n"
      "rcs0 command stream:\n  ACTHD: 0x00000001 00002008\n  batch: [0x00000001_00002000, 0x00000001_00003000]\n"
      "  BBADDR: 0x00000001_00002011\n  hung: 1\n"
      "rcs0 --- ring = 0x00000000 00100000\n" +
      error_text(bytes_of({9})) + "rcs0 --- batch = 0x00000001 00002000\ngtt_page_sizes = 0x00001000\n" +
      error_text(bytes_of({1, 2, 3, 4})) + "rcs0 --- user = 0x00000001 00008000\n~!!!!$\n" +
      "bcs0 --- HW context = 0x00000000 00200000\n~!!!!$\nGuC firmware: none\n";
  const auto reader = Reader::from_bytes(text);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ((*reader)->device(), "0x5916");
  const auto s = (*reader)->next();
  ASSERT_TRUE(s && *s);
  EXPECT_EQ((*s)->engine, commands::Engine::render);
  EXPECT_EQ((*s)->address, 0x100002000u);
  EXPECT_EQ((*s)->active_head, 0x100002008u);
  EXPECT_EQ(memory::View((*s)->memory).load<uint32_t>(0x10000200C), 4u);
  EXPECT_EQ(memory::View((*s)->memory).load<uint32_t>(0x100008000), 3u);
  EXPECT_EQ(memory::View((*s)->ggtt).load<uint32_t>(0x100000), 9u);
  EXPECT_NE((*s)->note.find("hung: 1"), std::string::npos);
  const auto end = (*reader)->next();
  EXPECT_TRUE(end && !*end);
}

TEST(ErrorState, SaysWhereTheEngineStands) {
  const auto head_of = [](const std::string& registers) {
    const auto reader = Reader::from_bytes("PCI ID: 0x5916\nrcs0 command stream:\n" + registers +
                                           "rcs0 --- batch = 0x00000001 00002000\n~!!!!$!!!!$\n");
    const auto s = (*reader)->next();
    return (*s)->active_head;
  };
  const std::string in_ring = "  ACTHD: 0x00000000 00000040\n", in_batch = "  BBADDR: 0x00000001_00002004\n",
                    nowhere = "  ACTHD: 0xffff8000 00000000\n", elsewhere = "  BBADDR: 0x00007000_00000000\n";
  EXPECT_EQ(head_of(""), std::nullopt);
  EXPECT_EQ(head_of(in_batch), 0x100002000u);
  EXPECT_EQ(head_of(in_ring + in_batch), 0x100002000u);
  EXPECT_EQ(head_of(nowhere + elsewhere), 0x800000000000u);
}

TEST(ErrorState, AsOlderKernelsWroteIt) {
  const std::string text =
      "Time: 1400000000 s 1 us\nPCI ID: 0x0126\nrender command stream:\n  HEAD: 0x00000010\n  ACTHD: 0x00002004\n"
      "render ring --- gtt_offset = 0x00002000\n00000000 :  7a000003\n00000004 :  02000000\n00000008 :  05000000\n"
      "render ring --- ringbuffer = 0x00001000\n00000000 :  18800080\n00000004 :  00002000\n";
  const auto reader = Reader::from_bytes(text);
  ASSERT_TRUE(reader) << reader.error().message;
  const auto s = (*reader)->next();
  ASSERT_TRUE(s && *s);
  EXPECT_EQ((*s)->address, 0x2000u);
  EXPECT_EQ((*s)->active_head, 0x2004u);
  EXPECT_EQ(memory::View((*s)->memory).load<uint32_t>(0x2008), 0x05000000u);
  EXPECT_EQ(memory::View((*s)->ggtt).load<uint32_t>(0x1004), 0x2000u);
}

TEST(ErrorState, DamageHasAnOffset) {
  const std::string good = "GPU HANG: x\nrcs0 --- batch = 0x00000000 00002000\n";
  const auto reader = Reader::from_bytes(good + "~!!\n");
  ASSERT_FALSE(reader);
  EXPECT_TRUE(reader.error().message.starts_with("offset 0x31: ")) << reader.error().message;
  EXPECT_FALSE(Reader::from_bytes("GPU HANG: x\nrcs0 --- batch = there\n"));
  EXPECT_FALSE(Reader::from_bytes("nothing of the kind"));
  EXPECT_FALSE(Reader::from_bytes(""));
  EXPECT_TRUE(Reader::from_bytes(good));
}

}  // namespace
}  // namespace vitro::recording
