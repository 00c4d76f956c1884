// Tests of what exec would start, on programs of the system and on files made for the purpose.
#include "base/executable.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/folder_test.h"

namespace vitro {
namespace {

class ExecutableTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content, mode_t mode = 0755) {
    const std::string path = folder_ + "/" + name;
    FILE* f = fopen(path.c_str(), "wb");
    fwrite(content.data(), 1, content.size(), f);
    fclose(f);
    chmod(path.c_str(), mode);
    return path;
  }
  Executable classify(const std::string& path) { return classify_executable(path.c_str()); }

  TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path.string();
};

// The 64 bytes of an ELF header without segments, of the given class and machine.
std::string elf(char word_class, char machine) {
  std::string header(64, '\0');
  header.replace(0, 4,
                 "\x7f"
                 "ELF");
  header[4] = word_class;
  header[5] = header[6] = 1;
  header[16] = 2;
  header[18] = machine;
  return header;
}

TEST_F(ExecutableTest, ProgramsOfTheSystem) {
  EXPECT_EQ(classify("/proc/self/exe"), Executable::dynamic);
  EXPECT_EQ(classify("/bin/sh"), Executable::dynamic);
  EXPECT_EQ(classify("/lib64/ld-linux-x86-64.so.2"), Executable::dynamic);
}

TEST_F(ExecutableTest, WhatIsNoProgram) {
  EXPECT_EQ(classify(folder_ + "/nothing"), Executable::missing);
  EXPECT_EQ(classify(folder_), Executable::not_runnable);
  EXPECT_EQ(classify(file("plain", "text", 0644)), Executable::not_runnable);
  EXPECT_EQ(classify(file("binary", std::string("a\0b", 3))), Executable::not_runnable);
}

TEST_F(ExecutableTest, OtherKindsOfElf) {
  EXPECT_EQ(classify(file("static", elf(2, 62))), Executable::is_static);
  EXPECT_EQ(classify(file("old", elf(1, 3))), Executable::other_machine);
  EXPECT_EQ(classify(file("arm", elf(2, char(183)))), Executable::other_machine);
  std::string cut = elf(2, 62);
  cut[32] = 64;  // the segments follow the header
  cut[56] = 1;   // one, which is not there
  EXPECT_EQ(classify(file("cut", cut)), Executable::not_runnable);
}

TEST_F(ExecutableTest, ScriptsAreTheirInterpreters) {
  EXPECT_EQ(classify(file("script", "#! /bin/sh -e\necho\n")), Executable::dynamic);
  EXPECT_EQ(classify(file("plain", "echo\n")), Executable::dynamic);
  const std::string inner = file("static", elf(2, 62));
  EXPECT_EQ(classify(file("outer", "#!" + inner + "\n")), Executable::is_static);
  EXPECT_EQ(classify(file("loop", "#!" + folder_ + "/loop\n")), Executable::not_runnable);
  EXPECT_EQ(classify(file("lost", "#!" + folder_ + "/nothing\n")), Executable::missing);
}

TEST_F(ExecutableTest, SetuidOfAnotherUserIsPrivileged) {
  const std::string path = file("setuid", elf(2, 62), 04755);
  EXPECT_EQ(classify(path), Executable::is_static) << "one's own gives no rights";
  // Only root can give a file away; to anybody else the system's own program serves.
  if (chown(path.c_str(), getuid() + 1, getgid()) == 0) {
    chmod(path.c_str(), 04755);
    EXPECT_EQ(classify(path), Executable::privileged);
  } else {
    EXPECT_EQ(classify("/usr/bin/su"), Executable::privileged);
  }
}

TEST_F(ExecutableTest, TheSanitizerThatAProgramIsLinkedWith) {
  const auto sanitizer_of = [](const std::string& path) {
    SanitizerLibrary library;
    classify_executable(path.c_str(), &library);
    return std::string(library.name);
  };
  EXPECT_EQ(sanitizer_of("/bin/sh"), "");
  const std::string source = file("program.c", "int main(void) { return 0; }\n");
  const std::string program = folder_ + "/program";
  if (std::system(("cc -fsanitize=address -o " + program + " " + source + " 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "the C compiler has no AddressSanitizer";
  EXPECT_EQ(sanitizer_of(program).substr(0, 11), "libasan.so.");
  EXPECT_EQ(sanitizer_of(file("script", "#!" + program + "\n")), sanitizer_of(program));

  // A file that ends early, or lies, is looked at all the same.
  const auto whole = std::filesystem::file_size(program);
  for (uintmax_t length = whole; length; length = length * 3 / 4) {
    std::filesystem::resize_file(program, length);
    sanitizer_of(program);
  }
}

TEST_F(ExecutableTest, SearchTakesTheFirstThatMayBeRun) {
  file("tool", "text", 0644);
  std::filesystem::create_directory(folder_ + "/second");
  const std::string second = file("second/tool", "#!/bin/sh\n");
  EXPECT_EQ(find_executable("tool", (folder_ + ":" + folder_ + "/second").c_str()), second);
  EXPECT_EQ(find_executable("tool", folder_.c_str()), folder_ + "/tool");
  EXPECT_EQ(find_executable("tool", "/nowhere"), "");
  EXPECT_EQ(find_executable(second, "/nowhere"), second);
  EXPECT_EQ(find_executable("", "/bin"), "");
}

}  // namespace
}  // namespace vitro
