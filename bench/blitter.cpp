// How fast the blitter moves memory: surfaces of 64 MiB, 4096 x 4096 pixels of 32 bits, through the streamer of a Kaby
// Lake, beside memcpy of as many bytes:
//   bench_blitter [RUNS] [ROW]
// Each run does all rows in turn; printed are the best of each, in GB/s of bytes written, and as a part of memcpy's.
// Exits with 1 if a copy from linear to Y-tiled is not half as fast as memcpy.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "memory/address_space.h"
#include "streamer/streamer.h"

using namespace vitro;

namespace {

constexpr uint32_t side = 4096, pitch = 4 * side;
constexpr size_t bytes = size_t(pitch) * side;
constexpr uint64_t batch_at = 0x1000, source_at = 0x10000000, destination_at = 0x20000000;

struct Row {
  std::string_view name;
  char source, destination;  // L, X, Y; '-': a fill
  uint32_t operation;
};
constexpr Row rows[] = {
    {"copy linear to linear", 'L', 'L', 0xCC}, {"copy linear to X", 'L', 'X', 0xCC},
    {"copy linear to Y", 'L', 'Y', 0xCC},      {"copy Y to linear", 'Y', 'L', 0xCC},
    {"copy Y to Y", 'Y', 'Y', 0xCC},           {"xor linear to Y", 'L', 'Y', 0x66},
    {"fill linear", '-', 'L', 0xF0},           {"fill Y", '-', 'Y', 0xF0},
};

std::vector<uint32_t> batch_of(const Row& r) {
  const auto pitch_of = [](char tiling) { return tiling == 'L' ? pitch : pitch / 4; };
  const bool fill = r.source == '-';
  std::vector<uint32_t> d{0x11000001, 0x22200,
                          3u << 16 | uint32_t(r.source == 'Y') | uint32_t(r.destination == 'Y') << 1};
  d.push_back((fill ? 0x54000005u : 0x54C00008u) | 3u << 20 | uint32_t(!fill && r.source != 'L') << 15 |
              uint32_t(r.destination != 'L') << 11);
  d.insert(d.end(),
           {3u << 24 | r.operation << 16 | pitch_of(r.destination), 0, side << 16 | side, uint32_t(destination_at), 0});
  if (fill)
    d.push_back(0x12345678);
  else
    d.insert(d.end(), {0, pitch_of(r.source), uint32_t(source_at), 0});
  d.push_back(0x05000000);
  return d;
}

double seconds(auto&& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10;
  const std::string_view only = argc > 2 ? argv[2] : "";
  auto* source = static_cast<std::byte*>(std::aligned_alloc(4096, bytes));
  auto* destination = static_cast<std::byte*>(std::aligned_alloc(4096, bytes));
  std::memset(source, 0x5A, bytes), std::memset(destination, 0, bytes);
  std::vector<uint32_t> batch(1024);
  memory::AddressSpace space;
  space.bind(std::vector<memory::Range>{{batch_at, 4 * batch.size(), reinterpret_cast<std::byte*>(batch.data())},
                                        {source_at, bytes, source},
                                        {destination_at, bytes, destination}});
  std::vector<double> best(std::size(rows), std::numeric_limits<double>::max());
  double memcpy_best = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    memcpy_best = std::min(memcpy_best, seconds([&] { std::memcpy(destination, source, bytes); }));
    for (size_t n = 0; n < std::size(rows); ++n) {
      if (!only.empty() && rows[n].name != only) continue;
      const std::vector<uint32_t> commands = batch_of(rows[n]);
      std::copy(commands.begin(), commands.end(), batch.begin());
      memory::View ppgtt(space.table()), ggtt(space.table());
      streamer::State state(streamer::commands_gen9, commands::Engine::copy);
      streamer::Surroundings around{ppgtt, ggtt, [] { return uint64_t{0}; }};
      std::optional<Fault> fault;
      best[n] = std::min(best[n],
                         seconds([&] { fault = streamer::run(streamer::commands_gen9, state, around, {batch_at}); }));
      if (fault) return fmt::print(stderr, "{}: {}\n", rows[n].name, fault->text()), 2;
    }
  }
  fmt::print("{:24} {:6.2f} GB/s\n", "memcpy", double(bytes) / memcpy_best * 1e-9);
  bool met = true;
  for (size_t n = 0; n < std::size(rows); ++n) {
    if (!only.empty() && rows[n].name != only) continue;
    fmt::print("{:24} {:6.2f} GB/s {:6.2f}\n", rows[n].name, double(bytes) / best[n] * 1e-9, memcpy_best / best[n]);
    if (rows[n].name == "copy linear to Y") met = memcpy_best / best[n] >= .5;
  }
  return met ? 0 : 1;
}
