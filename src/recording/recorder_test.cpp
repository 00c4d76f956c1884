// Tests of recordings that are made here and read again: memory once and its changes after, contexts, what is expected
// of batches, compression, and the old form.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "memory/view.h"
#include "recording/recorder.h"
#include "recording/recording.h"

namespace vitro::recording {
namespace {

using Memory = std::vector<std::byte>;

struct File {
  std::string bytes{};
  Sink sink() {
    return [this](std::span<const std::byte> b) {
      bytes.append(reinterpret_cast<const char*>(b.data()), b.size());
      return true;
    };
  }
};

struct Forms : testing::TestWithParam<std::tuple<bool, bool>> {
  RecorderOptions options() const {
    const auto [old_form, zstd] = GetParam();
    return {.zstd = zstd, .expectations = true, .old_form = old_form, .pci_id = 0x5916, .program = "test"};
  }
  // What stands for executing a batch: the second object gets the first's dwords plus one.
  static void execute(const memory::Table& space) {
    memory::View view(std::make_shared<memory::Table>(space));
    for (uint64_t n = 0; n < 5000; n += 4) view.store(second_at + n, view.load<uint32_t>(first_at + n) + 1);
  }
  static constexpr uint64_t first_at = 0x1FF000, second_at = 0x40000000;
};

TEST_P(Forms, WhatIsReadIsWhatWasThere) {
  File file;
  Memory first(12 << 10), second(8 << 10), other(8 << 10);
  std::vector<Memory> wanted;
  {
    Recorder recorder(file.sink(), options());
    for (uint32_t n = 0; n < 4; ++n) {
      std::memset(first.data() + 4096 * (n % 3), int(n + 5), 100);
      Memory& result = n == 3 ? other : second;  // another object in its place
      const Recorder::Batch batch{.engine = commands::Engine::copy,
                                  .context = n % 2,
                                  .address = first_at,
                                  .timestamp = 1000 + n,
                                  .objects = {{first_at, first.size(), first.data(), false, {}},
                                              {second_at, result.size(), result.data(), false, {}}}};
      const auto space = recorder.begin(batch);
      ASSERT_TRUE(space);
      execute(*space);
      recorder.end(batch, "");
      Memory now(first.size());
      memory::View(space).read(first_at, now);
      EXPECT_EQ(now, first);
      now.resize(result.size());
      memory::View(space).read(second_at, now);
      result = now;  // the program's own execution
      wanted.push_back(now);
    }
    EXPECT_TRUE(recorder.flush());
  }
  EXPECT_TRUE(is_recording(file.bytes));
  const auto reader = Reader::from_bytes(file.bytes, {.check = true});
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ((*reader)->device(), "0x5916");
  std::set<uint32_t> contexts;
  for (uint32_t n = 0; n < 4; ++n) {
    const auto s = (*reader)->next();
    ASSERT_TRUE(s && *s) << (s ? "the end" : s.error().message);
    EXPECT_EQ((*s)->engine, commands::Engine::copy);
    EXPECT_EQ((*s)->address, first_at);
    EXPECT_EQ((*s)->timestamp, 1000 + n);
    contexts.insert((*s)->context);
    execute(*(*s)->memory);
    Memory found(wanted[n].size());
    memory::View((*s)->memory).read(second_at, found);
    EXPECT_EQ(found, wanted[n]);
  }
  const auto end = (*reader)->next();
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_FALSE(*end);
  EXPECT_EQ(contexts.size(), std::get<0>(GetParam()) ? 1u : 2u);

  // Who does not execute is told where.
  const auto idle = Reader::from_bytes(file.bytes, {.check = true});
  ASSERT_TRUE((*idle)->next());
  const auto missed = (*idle)->next();
  ASSERT_FALSE(missed);
  EXPECT_NE(missed.error().message.find("as the recording expects"), std::string::npos) << missed.error().message;
}

INSTANTIATE_TEST_SUITE_P(All, Forms, testing::Combine(testing::Bool(), testing::Bool()));

TEST(Recorder, MemoryOnceAndChangesAfter) {
  File file;
  Memory large(4 << 20);
  for (size_t n = 0; n < large.size(); n += 64) large[n] = std::byte(1 + n % 200);
  Recorder recorder(file.sink(), {.pci_id = 0x1616});
  const Recorder::Batch batch{.objects = {{0x100000, large.size(), large.data(), false, {}}}};
  ASSERT_TRUE(recorder.begin(batch));
  recorder.end(batch, "");
  recorder.flush();
  const size_t once = file.bytes.size();
  EXPECT_GT(once, large.size());
  large[1 << 20] = std::byte{99};
  ASSERT_TRUE(recorder.begin(batch));
  recorder.end(batch, "");
  recorder.flush();
  EXPECT_LT(file.bytes.size() - once, 8192u);
}

TEST(Recorder, WhatCannotBeWrittenIsTold) {
  Recorder recorder([](std::span<const std::byte>) { return false; }, {.pci_id = 0x1616});
  EXPECT_FALSE(recorder.flush());
}

TEST(Zstd, DamageHasAnOffset) {
  File file;
  {
    Recorder recorder(file.sink(), {.zstd = true, .pci_id = 0x1616});
    Memory memory(1 << 16);
    for (size_t n = 0; n < memory.size(); ++n) memory[n] = std::byte(n * n >> 3);
    const Recorder::Batch batch{.objects = {{0x100000, memory.size(), memory.data(), false, {}}}};
    ASSERT_TRUE(recorder.begin(batch));
    recorder.end(batch, "");
  }
  const auto error_of = [](const std::string& bytes) {
    const auto reader = Reader::from_bytes(bytes);
    if (!reader) return reader.error().message;
    const auto next = (*reader)->next();
    return next ? std::string() : next.error().message;
  };
  EXPECT_EQ(error_of(file.bytes), "");
  const std::string cut = error_of(file.bytes.substr(0, file.bytes.size() - 10));
  EXPECT_TRUE(cut.starts_with("offset 0x")) << cut;
  std::string damaged = file.bytes;
  for (size_t n = 100; n < 200; ++n) damaged[n] = char(~damaged[n]);
  EXPECT_NE(error_of(damaged), "");
}

}  // namespace
}  // namespace vitro::recording
