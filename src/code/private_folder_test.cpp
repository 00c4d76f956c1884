// Tests of what counts as private: owners, modes, links, and what is made.
#include "code/private_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/folder_test.h"

namespace vitro::code {
namespace {

namespace fs = std::filesystem;

constexpr uid_t stranger = 65534;

// "", "none", or why not.
std::string folder_answer(const fs::path& path, bool make = false) {
  const Result<Descriptor> folder = open_private_folder(path.string(), make);
  return !folder ? folder.error().message : *folder ? "" : "none";
}
std::string file_answer(const fs::path& path) {
  const Result<Descriptor> folder = open_private_folder(path.parent_path().string(), false);
  if (!folder || !*folder) return "no folder";
  const Result<Descriptor> file = open_private_file(*folder, path.filename().string());
  return !file ? file.error().message : *file ? "" : "none";
}
unsigned mode_of(const fs::path& path) {
  struct stat s {};
  return lstat(path.c_str(), &s) == 0 ? s.st_mode & 07777 : 0;
}

TEST(PrivateFolder, IsMadeForThisUserAlone) {
  for (const mode_t mask : {mode_t(0), mode_t(022), mode_t(0777)}) {
    const TemporaryFolder f;
    const mode_t before = umask(mask);
    EXPECT_EQ(folder_answer(f.path / "a" / "b", false), "none");
    EXPECT_EQ(folder_answer(f.path / "a" / "b", true), "");
    umask(before);
    EXPECT_EQ(mode_of(f.path / "a"), 0700u);
    EXPECT_EQ(mode_of(f.path / "a" / "b"), 0700u);
  }
}

TEST(PrivateFolder, IsWrittenByNobodyElse) {
  const TemporaryFolder f;
  const fs::path own = f.path / "above" / "own";
  fs::create_directories(own);
  for (const unsigned mode : {0755u, 0711u, 0500u}) {
    chmod(own.c_str(), mode);
    EXPECT_EQ(folder_answer(own), "") << mode;
  }
  for (const unsigned mode : {0770u, 0702u, 0722u, 01777u, 02775u}) {
    chmod(own.c_str(), mode);
    EXPECT_EQ(folder_answer(own), own.string() + " can be written by other users") << mode;
    EXPECT_EQ(folder_answer(own, true), own.string() + " can be written by other users") << mode;
  }
  chmod(own.c_str(), 0700);
  // Who can write to the folder above can put another one in the place of this one, unless the sticky bit is set.
  for (const unsigned mode : {0777u, 0730u}) {
    chmod(own.parent_path().c_str(), mode);
    EXPECT_EQ(folder_answer(own), own.parent_path().string() + " can be written by other users");
    chmod(own.parent_path().c_str(), mode | S_ISVTX);
    EXPECT_EQ(folder_answer(own), "");
  }
}

TEST(PrivateFolder, BelongsToThisUserOrRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  const TemporaryFolder f;
  const fs::path above = f.path / "above", own = above / "own", file = own / "file";
  fs::create_directories(own);
  std::ofstream(file) << "x";
  EXPECT_EQ(file_answer(file), "");
  ASSERT_EQ(chown(file.c_str(), stranger, 0), 0);
  EXPECT_EQ(file_answer(file), "file belongs to user 65534");
  ASSERT_EQ(chown(own.c_str(), stranger, 0), 0);
  EXPECT_EQ(folder_answer(own, true), own.string() + " belongs to user 65534");
  ASSERT_EQ(chown(own.c_str(), 0, 0), 0);
  ASSERT_EQ(chown(above.c_str(), stranger, 0), 0);
  EXPECT_EQ(folder_answer(own, true), above.string() + " belongs to user 65534");
}

TEST(PrivateFolder, MayNotBeALinkButMayStandBehindOne) {
  const TemporaryFolder f;
  fs::create_directories(f.path / "real" / "own");
  fs::create_directories(f.path / "elsewhere");
  fs::create_directory_symlink(f.path / "real", f.path / "whole");
  fs::create_directory_symlink("../elsewhere/../real", f.path / "elsewhere" / "relative");
  fs::create_directory_symlink("own", f.path / "real" / "link");
  fs::create_directory_symlink("round", f.path / "round");
  EXPECT_EQ(folder_answer(f.path / "whole" / "own"), "");
  EXPECT_EQ(folder_answer(f.path / "elsewhere" / "relative" / "own"), "");
  EXPECT_EQ(folder_answer(f.path / "whole" / "new", true), "");
  EXPECT_TRUE(fs::is_directory(f.path / "real" / "new"));
  EXPECT_EQ(folder_answer(f.path / "real" / "link"), (f.path / "real" / "link").string() + " is a symbolic link");
  EXPECT_EQ(folder_answer(f.path / "round" / "own"),
            (f.path / "round").string() + " is a symbolic link that leads nowhere");
  // A link counts as what stands behind it: others may have put it there.
  if (geteuid() == 0) {
    chmod(f.path.c_str(), 01777);
    ASSERT_EQ(lchown((f.path / "whole").c_str(), stranger, 0), 0);
    EXPECT_EQ(folder_answer(f.path / "whole" / "own"), (f.path / "whole").string() + " belongs to user 65534");
  }
}

TEST(PrivateFolder, IsAFolder) {
  const TemporaryFolder f;
  std::ofstream(f.path / "file") << "x";
  EXPECT_EQ(folder_answer(f.path / "file", true), (f.path / "file").string() + " is not a folder");
  EXPECT_EQ(folder_answer(f.path / "file" / "own", true), (f.path / "file").string() + " is not a folder");
  ASSERT_EQ(mkfifo((f.path / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(folder_answer(f.path / "pipe", true), (f.path / "pipe").string() + " is not a folder");
  EXPECT_EQ(folder_answer("not/absolute"), "not/absolute is not an absolute path");
  EXPECT_EQ(folder_answer(f.path.string() + "//./"), "");
}

TEST(PrivateFile, IsARegularOne) {
  const TemporaryFolder f;
  std::ofstream(f.path / "file") << "x";
  chmod((f.path / "file").c_str(), 0644);
  fs::create_symlink("file", f.path / "link");
  fs::create_directory(f.path / "folder");
  ASSERT_EQ(mkfifo((f.path / "pipe").c_str(), 0600), 0);  // opening one that nobody writes to would wait
  EXPECT_EQ(file_answer(f.path / "file"), "");
  EXPECT_EQ(file_answer(f.path / "missing"), "none");
  EXPECT_EQ(file_answer(f.path / "link"), "link is a symbolic link");
  EXPECT_EQ(file_answer(f.path / "folder"), "folder is not a regular file");
  EXPECT_EQ(file_answer(f.path / "pipe"), "pipe is not a regular file");
  for (const unsigned mode : {0620u, 0602u}) {
    chmod((f.path / "file").c_str(), mode);
    EXPECT_EQ(file_answer(f.path / "file"), "file can be written by other users");
  }
}

}  // namespace
}  // namespace vitro::code
