// What a dispatch costs that does nothing: batches of GPGPU_WALKERs, each followed by MEDIA_STATE_FLUSH, whose kernel
// only ends its thread, run by the device without a driver:
//   bench_dispatch [-n PAIRS] [-r RUNS] [ROW]
// A row gives the groups of each walker, the workers, and what else stands between walkers. Printed is the mean of a
// pair in microseconds, in the best of the runs: on the clock, and of processor time, which counts that of all workers
// and hardly depends on what else the machine does. With the name of a row only this one runs, for a profiler.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/faults/commands.h"
#include "device/device.h"
#include "gen/models.h"
#include "isa/assemble.h"

using namespace vitro;
using faults::Words, faults::operator+, faults::operator+=;

namespace {

struct Row {
  std::string_view name;
  uint32_t groups;
  unsigned workers;
  bool loads;        // constants and descriptors are loaded before each walker, as drivers do
  bool invalidates;  // and all caches are invalidated
};
constexpr Row rows[] = {
    {"one-group", 1, 1, false, false},       {"one-group-2", 1, 2, false, false},
    {"one-group-loads", 1, 1, true, false},  {"one-group-driver", 1, 1, true, true},
    {"64-groups-1", 64, 1, false, false},    {"64-groups", 64, 2, false, false},
    {"64-groups-driver", 64, 2, true, true}, {"2000-groups-1", 2000, 1, false, false},
    {"2000-groups", 2000, 2, false, false},
};

constexpr uint64_t state_at = 0x10000, batch_at = 0x1000000;
constexpr size_t state_bytes = 0x10000;
constexpr uint32_t descriptor_at = 0x400, curbe_at = 0x800, kernel_at = 0x4000, curbe_registers = 3;

const faults::Dialect& dialect_of(std::string_view device) {
  return *std::find_if(std::begin(faults::dialects), std::end(faults::dialects),
                       [&](const faults::Dialect& d) { return d.device == device; });
}

Words batch_of(const Row& row, unsigned pairs) {
  const Words loads =
      faults::curbe_load(2 * curbe_registers * 32, curbe_at) + faults::descriptor_load(32, descriptor_at);
  // command streamer stall, and invalidation of state, constants, textures and instructions
  const Words invalidation{0x7A000004, 1u << 20 | 1u << 11 | 1u << 10 | 1u << 3 | 1u << 2, 0, 0, 0, 0};
  Words batch = Words{dialect_of("kbl").select_gpgpu} +
                faults::base_addresses(dialect_of("kbl"), {0, state_at, state_at, state_at, state_at}) +
                faults::vfe_state() + loads;
  for (unsigned n = 0; n < pairs; ++n) {
    if (row.invalidates) batch += invalidation;
    if (row.loads) batch += loads;
    batch += faults::walker({.simd = 1, .threads = 1, .x = row.groups}) + faults::media_flush();
  }
  return batch + faults::end();
}

std::vector<std::byte> state_of(const isa::Model& model) {
  std::vector<std::byte> s(state_bytes);
  const isa::Assembly kernel =
      isa::assemble(model, "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n" + std::string(faults::end_of_thread), {});
  if (!kernel.ok()) std::abort();
  std::memcpy(s.data() + kernel_at, kernel.code.data(), kernel.code.size());
  const Words descriptor = faults::interface_descriptor(
      {.kernel = kernel_at, .curbe_registers = curbe_registers, .cross_thread_registers = curbe_registers});
  std::memcpy(s.data() + descriptor_at, descriptor.data(), descriptor.size() * 4);
  return s;
}

double processor_us() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

void measure(const Row& row, unsigned pairs, unsigned runs) {
  const gen::Device& kind = *gen::find_device("kbl");
  device::Device device(kind, {.workers = row.workers, .tier = {.tiering = dispatch::Tiering::on}});
  const std::shared_ptr<device::Context> context = device.create_context();
  std::vector<std::byte> state = state_of(kind.model());
  Words batch = batch_of(row, pairs);
  const auto table = std::make_shared<memory::Table>(std::vector<memory::Range>{
      {.start = state_at, .bytes = state.size(), .host = state.data()},
      {.start = batch_at, .bytes = batch.size() * 4, .host = reinterpret_cast<std::byte*>(batch.data())}});
  double wall = std::numeric_limits<double>::infinity(), processor = wall;
  for (unsigned run = 0; run <= runs; ++run) {  // the first one compiles the kernel
    const auto began = std::chrono::steady_clock::now();
    const double before = processor_us();
    if (const auto fault = device.run(*context, {.ppgtt = table, .ggtt = table, .address = batch_at})) {
      fmt::print(stderr, "bench_dispatch: {}\n", device::to_text(*fault));
      std::exit(1);
    }
    if (run == 0) continue;
    processor = std::min(processor, processor_us() - before);
    wall = std::min(wall, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
  }
  const auto jit = nlohmann::json::parse(device.statistics(true))["jit"];
  if (uint64_t(jit["compiled"]) + uint64_t(jit["cached"]) != 1) {
    fmt::print(stderr, "bench_dispatch: the kernel was not compiled\n");
    std::exit(1);
  }
  fmt::print("{:<18}{:>7}{:>9}{:>12.3f}{:>12.3f}\n", row.name, row.groups, row.workers, processor / pairs,
             wall / pairs);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned pairs = 10'000, runs = 20;
  std::string_view only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if ((a == "-n" || a == "-r") && i + 1 < argc)
      (a == "-n" ? pairs : runs) = unsigned(std::strtoul(argv[++i], nullptr, 10));
    else
      only = a;
  }
  fmt::print("{:<18}{:>7}{:>9}{:>12}{:>12}\n", "us for a pair", "groups", "workers", "processor", "wall");
  for (const Row& row : rows)
    if (only.empty() || only == row.name) measure(row, std::max(1u, pairs), runs);
}
