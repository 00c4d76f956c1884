// Tests of code kept on disk: it comes back, whatever is damaged or may be somebody else's does not, what goes wrong is
// said once, and the folder stays small.
#include "code/store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/folder_test.h"

namespace vitro::code {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes(size_t count, int value) { return std::vector<std::byte>(count, std::byte(value)); }

TEST(CodeStore, GivesBackWhatItKeeps) {
  const TemporaryFolder f;
  Store store((f.path / "a" / "b").string());
  EXPECT_FALSE(store.find("one"));
  store.keep("one", bytes(1000, 1));
  store.keep("two", bytes(10, 2));
  EXPECT_EQ(store.find("one"), bytes(1000, 1));
  EXPECT_EQ(Store((f.path / "a" / "b").string()).find("two"), bytes(10, 2));
  EXPECT_FALSE(store.find("three"));
  store.keep("one", bytes(5, 3));
  EXPECT_EQ(store.find("one"), bytes(5, 3));
}

// A store with the lines that it says.
struct Heard {
  std::vector<std::string> lines{};
  Store store;
  explicit Heard(const fs::path& folder)
      : store(folder.string(), [this](std::string_view line) { lines.emplace_back(line); }) {}
};

TEST(CodeStore, KeepsNothingWhereItCannot) {
  Store off("");
  off.keep("one", bytes(10, 1));
  EXPECT_FALSE(off.find("one"));
  Heard nowhere("/proc/self/no/such/folder");
  EXPECT_FALSE(nowhere.store.find("one"));
  EXPECT_TRUE(nowhere.lines.empty());  // there may be one later
  for (int n = 0; n < 3; ++n) nowhere.store.keep("one", bytes(10, 1));
  EXPECT_FALSE(nowhere.store.find("one"));
  ASSERT_EQ(nowhere.lines.size(), 1u);
  EXPECT_TRUE(nowhere.lines[0].starts_with("compiled code is not kept: cannot make /proc/")) << nowhere.lines[0];
  Store child(nowhere.store);
  child.keep("one", bytes(10, 1));
  EXPECT_EQ(nowhere.lines.size(), 1u);
}

// A folder that others can write to: what is in it may be theirs, and what is put there would be.
TEST(CodeStore, TakesNothingFromAFolderThatOthersCanWrite) {
  const TemporaryFolder f;
  Store(f.path.string()).keep("one", bytes(10, 1));
  chmod(f.path.c_str(), 0777);
  Heard heard(f.path);
  EXPECT_FALSE(heard.store.find("one"));
  heard.store.keep("two", bytes(10, 1));
  EXPECT_EQ(f.files().size(), 1u);
  EXPECT_EQ(heard.lines, std::vector<std::string>{"compiled code is not kept: " + f.path.string() +
                                                  " can be written by other users"});
}

// Whatever stands in the place of a file is not waited for, not followed, and written anew.
TEST(CodeStore, TakesNothingButFiles) {
  const TemporaryFolder f;
  Store(f.path.string()).keep("one", bytes(10, 1));
  const fs::path file = f.files()[0], good = f.path / "good";
  const auto pipe = [&] { ASSERT_EQ(mkfifo(file.c_str(), 0600), 0); };
  const auto link = [&] { fs::create_symlink(good, file); };
  const auto writable = [&] { fs::copy_file(good, file), chmod(file.c_str(), 0666); };
  const auto others = [&] {
    fs::copy_file(good, file);
    chmod(file.c_str(), 0600);
    EXPECT_EQ(chown(file.c_str(), 65534, 65534), 0);
  };
  struct Case {
    const char* why;
    std::function<void()> put;
  };
  std::vector<Case> cases{
      {"is not a regular file", pipe}, {"is a symbolic link", link}, {"can be written by other users", writable}};
  if (geteuid() == 0) cases.push_back({"belongs to user 65534", others});
  for (const auto& [why, put] : cases) {
    fs::rename(file, good);
    put();
    Heard heard(f.path);
    EXPECT_FALSE(heard.store.find("one")) << why;
    EXPECT_EQ(heard.lines, std::vector<std::string>{fmt::format("compiled code is not taken: in {}, {} {}",
                                                                f.path.string(), file.filename().string(), why)});
    heard.store.keep("one", bytes(10, 2));
    EXPECT_EQ(heard.store.find("one"), bytes(10, 2)) << why;
    EXPECT_EQ(heard.lines.size(), 1u);
  }
  fs::remove(file);
  fs::create_directory(file);
  Heard heard(f.path);
  heard.store.keep("one", bytes(10, 1));
  EXPECT_FALSE(heard.store.find("one"));
  EXPECT_EQ(heard.lines.size(), 1u);
  fs::remove(file);
  for (const fs::path& p : f.files()) EXPECT_EQ(p, good);  // nothing unfinished
}

TEST(CodeStore, FilesAreThisUsersAlone) {
  const TemporaryFolder f;
  for (const mode_t mask : {mode_t(0), mode_t(0777)}) {
    const mode_t before = umask(mask);
    Store(f.path.string()).keep(fmt::format("{}", mask), bytes(10, 1));
    umask(before);
    EXPECT_EQ(Store(f.path.string()).find(fmt::format("{}", mask)), bytes(10, 1));
  }
  for (const fs::path& file : f.files()) {
    struct stat s {};
    stat(file.c_str(), &s);
    EXPECT_EQ(s.st_mode & 07777, 0600u);
  }
}

// What a child says that cannot write a file of 100,000 bytes, if it ends in peace.
std::string child_that_keeps(const fs::path& folder, const std::function<bool()>& prepare) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    if (!prepare()) _exit(77);
    Store store(folder.string(), [&](std::string_view line) {
      if (write(ends[1], line.data(), line.size()) < 0) _exit(1);
    });
    store.keep("small", bytes(10, 1));
    store.keep("large", bytes(100'000, 1));
    store.keep("larger", bytes(100'001, 1));
    size_t left = 0;
    for ([[maybe_unused]] const auto& e : fs::directory_iterator(folder)) ++left;
    _exit(store.find("small") == bytes(10, 1) && !store.find("large") && left == 1 ? 0 : 1);
  }
  close(ends[1]);
  std::string said(1000, 0);
  const ssize_t length = read(ends[0], said.data(), said.size());
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return "cannot";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return said.substr(0, size_t(std::max<ssize_t>(length, 0)));
}

TEST(CodeStore, FilesMayBeLimited) {
  const TemporaryFolder f;
  const std::string said = child_that_keeps(f.path, [] {
    const rlimit limit{50'000, 50'000};
    signal(SIGXFSZ, SIG_DFL);
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
  });
  EXPECT_EQ(said, fmt::format("compiled code is not kept: cannot write to {}: File too large", f.path.string()));
}

TEST(CodeStore, TheDiskMayBeFull) {
  const TemporaryFolder f;
  const std::string said = child_that_keeps(f.path, [&] {
    return unshare(CLONE_NEWNS) == 0 && mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("tmpfs", f.path.c_str(), "tmpfs", 0, "size=65536,mode=700") == 0;
  });
  if (said == "cannot") GTEST_SKIP() << "a small file system cannot be mounted here";
  EXPECT_EQ(said,
            fmt::format("compiled code is not kept: cannot write to {}: No space left on device", f.path.string()));
}

// Each bit of the file matters: with any of them changed, or the rest missing, it counts as none and is written again.
TEST(CodeStore, TakesDamagedFilesForNone) {
  const TemporaryFolder f;
  Store store(f.path.string());
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
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[n] = char(damaged[n] ^ 1 << bit);
      put(damaged);
      EXPECT_FALSE(store.find("key")) << "byte " << n << " bit " << bit;
    }
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
  Store store(f.path.string());
  store.keep("first", bytes(20, 1));
  const fs::path first = f.files()[0];
  store.keep("other", bytes(20, 2));
  for (const fs::path& file : f.files())
    if (file != first) fs::rename(file, first);
  EXPECT_FALSE(store.find("first"));
}

// Their keys differ, so neither takes what the other kept, nor puts its own in that place.
TEST(CodeStore, IsSharedByTwoBuilds) {
  const TemporaryFolder f;
  Store one(f.path.string()), other(f.path.string());
  for (int round = 0; round < 3; ++round) {
    one.keep("build 1\nkernel", bytes(20, 1));
    other.keep("build 2\nkernel", bytes(30, 2));
    EXPECT_EQ(one.find("build 1\nkernel"), bytes(20, 1));
    EXPECT_EQ(other.find("build 2\nkernel"), bytes(30, 2));
    EXPECT_EQ(f.files().size(), 2u);
  }
  EXPECT_FALSE(one.find("build 3\nkernel"));
}

TEST(CodeStore, ForgetsWhatWasNotUsedForLongest) {
  const TemporaryFolder f;
  constexpr size_t each = 1000, limit = 100 * each;
  Store store(f.path.string(), {}, limit);
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
      Store store(f.path.string());
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
}  // namespace vitro::code
