// How the runners and bench/native.cpp measure: after a warm-up, in which code is compiled and pages are touched, the
// best of the runs counts, since what else happens on a machine only makes a run longer.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

struct Timing {
  double best = std::numeric_limits<double>::infinity();  // in seconds
  int runs = 0;                                           // all of them, the warm-up's too
};

// Runs for half the time without looking, then at least so many seconds with.
template <class Once>
Timing measure(double seconds, const Once& once) {
  Timing timing;
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    once();
    ++timing.runs;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  timed();
  for (double spent = 0; spent < seconds / 2;) spent += timed();
  for (double spent = 0; spent < seconds;) {
    const double t = timed();
    timing.best = std::min(timing.best, t), spent += t;
  }
  return timing;
}
