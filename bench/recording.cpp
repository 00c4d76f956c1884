// How fast AUB files are read: a recording of 256 MiB in memory, of pages and of small records, and its frames only.
//   bench_recording [MiB]
// Prints MB of the file per second of processor time; exits with 1 if reading is slower than 100 MB/s.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "recording/aub_writer.h"
#include "recording/recording.h"

using namespace vitro;

namespace {

constexpr double least = 100;               // MB/s
constexpr uint64_t bytes_again = 64 << 20;  // addresses come again after so many bytes

// Of this thread: others may use the machine, too.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

std::string recording_of(size_t bytes, size_t record_bytes) {
  std::string file;
  file.reserve(bytes + (bytes >> 3));
  recording::AubWriter writer(
      [&](std::span<const std::byte> b) {
        file.append(reinterpret_cast<const char*>(b.data()), b.size());
        return true;
      },
      false);
  writer.trace_header(0x5916, "bench");
  std::vector<std::byte> data(record_bytes);
  for (size_t n = 0; file.size() < bytes; ++n) {
    data[0] = std::byte(n);
    writer.memory(recording::aub::physical, n * record_bytes % bytes_again, data);
  }
  writer.flush();
  return file;
}

double speed(std::string file) {
  const size_t bytes = file.size();
  const double began = processor_seconds();
  const auto reader = recording::Reader::from_bytes(std::move(file));
  if (!reader || !(*reader)->next()) return 0;
  return double(bytes) / 1e6 / (processor_seconds() - began);
}

}  // namespace

int main(int argc, char** argv) {
  const size_t bytes = size_t(argc > 1 ? std::atoi(argv[1]) : 256) << 20;
  bool fast = true;
  for (const size_t record : {size_t{8}, size_t{64}, size_t{4096}, size_t{65536}}) {
    double best = 0;
    for (int n = 0; n < 3; ++n) best = std::max(best, speed(recording_of(bytes, record)));
    fmt::print("records of {:5} bytes: {:7.0f} MB/s\n", record, best);
    fast = fast && best >= least;
  }
  return fast ? 0 : 1;
}
