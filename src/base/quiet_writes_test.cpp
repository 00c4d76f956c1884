// Tests of writing where the system answers with signals, in children, for limits are the whole process's.
#include "base/quiet_writes.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace vitro {
namespace {

volatile sig_atomic_t handled = 0;

// How a child ends that writes 20 bytes where 10 are allowed.
template <class Write>
int end_of(Write write) {
  const pid_t child = fork();
  if (child == 0) {
    FILE* file = std::tmpfile();
    const rlimit limit{10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write([&] { return ::write(fileno(file), "0123456789", 10); }));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(QuietWrites, WritesFailAndNothingElseHappens) {
  const int status = end_of([](auto write_ten) {
    const QuietWrites quiet;
    return write_ten() == 10 && write_ten() == -1 && errno == EFBIG ? 0 : 1;
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const int without = end_of([](auto write_ten) { return write_ten() == 10 && write_ten() == -1; });
  EXPECT_TRUE(WIFSIGNALED(without) && WTERMSIG(without) == SIGXFSZ) << without;
}

TEST(QuietWrites, APipeThatNobodyReads) {
  const auto end = [](bool quietly) {
    return end_of([&](auto) {
      int ends[2];
      if (pipe(ends) != 0 || close(ends[0]) != 0) return 1;
      if (!quietly) return int(::write(ends[1], "x", 1));
      const QuietWrites quiet;
      return ::write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 2;
    });
  };
  EXPECT_EQ(end(true), 0);
  EXPECT_TRUE(WIFSIGNALED(end(false)));
}

// The program's handler stays, is not called for our writes, and is called for the program's own.
TEST(QuietWrites, LeavesTheProgramItsSignal) {
  const int status = end_of([](auto write_ten) {
    signal(SIGXFSZ, [](int) { handled = handled + 1; });
    {
      const QuietWrites quiet;
      write_ten(), write_ten();
    }
    if (handled != 0) return 1;
    write_ten();
    if (handled != 1) return 2;
    // one that waits already is the program's
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &own, nullptr);
    raise(SIGXFSZ);
    {
      const QuietWrites quiet;
      write_ten();
    }
    sigprocmask(SIG_UNBLOCK, &own, nullptr);
    return handled == 2 ? 0 : 3;
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace vitro
