// Measuring frames, for the programs of bench/graphics: prints the best and the median time of a frame, and the
// processor's time of one.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace graphics {

inline double processor_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * double(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// `frame` draws one and waits for it.
template <class Frame>
void measure_frames(const char* name, double seconds, const Frame& frame) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
  const auto warm = Clock::now();
  for (int n = 0; n < 3 || since(warm) < seconds / 2; ++n) frame();
  std::vector<double> times;
  const double before = processor_seconds();
  const auto began = Clock::now();
  while (times.size() < 3 || since(began) < seconds) {
    const auto t = Clock::now();
    frame();
    times.push_back(since(t));
  }
  const double each = (processor_seconds() - before) / double(times.size());
  std::sort(times.begin(), times.end());
  std::printf("%s %.9f %.9f %.9f %zu\n", name, times.front(), times[times.size() / 2], each, times.size());
}

}  // namespace graphics
