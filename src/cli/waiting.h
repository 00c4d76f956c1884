// What long work owes to those who wait for it: a line that says how far it is, and an end when Ctrl-C asks for one.
#pragma once

#include <signal.h>

#include <chrono>
#include <cstdint>

#include "recording/recording.h"

namespace vitro::cli {

inline constexpr int exit_interrupted = 128 + SIGINT;

// While it lives, the first Ctrl-C only leaves a mark, which the work looks at; a second one ends the program.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_ {};
};
bool interrupted();

// A line on the terminal that is written over and over. Nothing if standard error is none.
class Progress {
 public:
  explicit Progress(const recording::Reader& reader, bool shown = true);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void tell(uint64_t submission);
  void clear();  // before other lines

 private:
  const recording::Reader& reader_;
  bool shown_, written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace vitro::cli
