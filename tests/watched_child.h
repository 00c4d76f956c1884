// Work in a child process, for fuzzers: it may die or not come to an end, and its parent says so. No part of the
// machine.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

namespace vitro::test {

// Whoever takes longer than this over one step does not come to an end.
inline constexpr auto patience = std::chrono::minutes(3);

// How the child ended; nothing: as it should. `step` stands in memory that both see and changes with each step.
inline std::string watch(pid_t child, const volatile uint64_t& step) {
  using Clock = std::chrono::steady_clock;
  uint64_t last = 0;
  Clock::time_point since = Clock::now();
  for (int status;;) {
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
      return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit status {}", WEXITSTATUS(status));
    }
    if (step != last) last = step, since = Clock::now();
    if (Clock::now() - since > patience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "does not come to an end";
    }
    usleep(20'000);
  }
}

template <class Work>
std::string in_child(const volatile uint64_t& step, Work&& work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    work();
    std::fflush(stdout);
    _exit(0);
  }
  return watch(child, step);
}

}  // namespace vitro::test
