// Tests of code kept on disk: it comes back, whatever is damaged does not, and the folder stays small.
#include "dispatch/code_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/folder_test.h"

namespace vitro::dispatch {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes(size_t count, int value) { return std::vector<std::byte>(count, std::byte(value)); }

TEST(CodeStore, GivesBackWhatItKeeps) {
  const TemporaryFolder f;
  CodeStore store((f.path / "a" / "b").string());
  EXPECT_FALSE(store.find("one"));
  store.keep("one", bytes(1000, 1));
  store.keep("two", bytes(10, 2));
  EXPECT_EQ(store.find("one"), bytes(1000, 1));
  EXPECT_EQ(CodeStore((f.path / "a" / "b").string()).find("two"), bytes(10, 2));
  EXPECT_FALSE(store.find("three"));
  store.keep("one", bytes(5, 3));
  EXPECT_EQ(store.find("one"), bytes(5, 3));
}

TEST(CodeStore, KeepsNothingWhereItCannot) {
  CodeStore off("");
  off.keep("one", bytes(10, 1));
  EXPECT_FALSE(off.find("one"));
  CodeStore nowhere("/proc/self/no/such/folder");
  nowhere.keep("one", bytes(10, 1));
  EXPECT_FALSE(nowhere.find("one"));
}

// Each byte of the file matters: with any of them changed, or missing, the file counts as none, and is written again.
TEST(CodeStore, TakesDamagedFilesForNone) {
  const TemporaryFolder f;
  CodeStore store(f.path.string());
  store.keep("key", bytes(20, 7));
  ASSERT_EQ(f.files().size(), 1u);
  const fs::path file = f.files()[0];
  std::string whole;
  {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto put = [&](const std::string& text) { std::ofstream(file, std::ios::binary) << text; };
  for (size_t n = 0; n < whole.size(); ++n) {
    std::string damaged = whole;
    damaged[n] = char(damaged[n] ^ 0x10);
    put(damaged);
    EXPECT_FALSE(store.find("key")) << "byte " << n;
    put(whole.substr(0, n));
    EXPECT_FALSE(store.find("key")) << "cut at " << n;
  }
  put(whole + "x");
  EXPECT_FALSE(store.find("key"));
  store.keep("key", bytes(20, 7));
  EXPECT_EQ(store.find("key"), bytes(20, 7));
}

// A file of another key under the same name, as if their hashes were equal.
TEST(CodeStore, ComparesWholeKeys) {
  const TemporaryFolder f;
  CodeStore store(f.path.string());
  store.keep("first", bytes(20, 1));
  const fs::path first = f.files()[0];
  store.keep("other", bytes(20, 2));
  for (const fs::path& file : f.files())
    if (file != first) fs::rename(file, first);
  EXPECT_FALSE(store.find("first"));
}

TEST(CodeStore, ForgetsWhatWasNotUsedForLongest) {
  const TemporaryFolder f;
  constexpr size_t each = 1000, limit = 100 * each;
  CodeStore store(f.path.string(), limit);
  const auto age = [&](int days) {
    for (const fs::path& file : f.files())
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(24 * days));
  };
  store.keep("old but used", bytes(each, 1));
  store.keep("old", bytes(each, 2));
  age(2);
  EXPECT_TRUE(store.find("old but used"));
  std::ofstream(f.path / "0123.code.1.2.new") << "left by a process that was killed";
  age(1);
  for (int n = 0; n < 300; ++n) store.keep(fmt::format("key {}", n), bytes(each, n));
  uint64_t total = 0;
  for (const fs::path& file : f.files()) total += fs::file_size(file);
  EXPECT_LT(total, limit * 2);
  EXPECT_FALSE(store.find("old"));
  EXPECT_TRUE(store.find("key 299"));
  EXPECT_FALSE(fs::exists(f.path / "0123.code.1.2.new"));
}

// Readers find the whole of one or the whole of another, whatever writers do meanwhile.
TEST(CodeStore, IsUsedBySeveralAtOnce) {
  const TemporaryFolder f;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      CodeStore store(f.path.string());
      for (int n = 0; n < 100; ++n) {
        store.keep("key", bytes(size_t(1000 * (t + 1)), t));
        const auto found = store.find("key");
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, bytes(1000 * (size_t((*found)[0]) + 1), int((*found)[0])));
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(f.files().size(), 1u);
}

TEST(CodeStore, FindsItsPlace) {
  setenv("VITRO_CACHE_DIR", "/one", 1);
  setenv("XDG_CACHE_HOME", "/two", 1);
  setenv("HOME", "/three", 1);
  EXPECT_EQ(default_store_folder(), "/one");
  unsetenv("VITRO_CACHE_DIR");
  EXPECT_EQ(default_store_folder(), "/two/vitro");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  EXPECT_EQ(default_store_folder(), "/three/.cache/vitro");
  unsetenv("HOME");
  EXPECT_EQ(default_store_folder(), "");
}

}  // namespace
}  // namespace vitro::dispatch
