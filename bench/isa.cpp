// How fast instructions are decoded and disassembled, beside Intel's iga64 on the same file in the same run:
//   bench_isa [-g DEVICE] [--check] FILE...
// FILEs are device binaries of ocloc; the code of all their kernels becomes one program. --check fails below the
// project's aims (10 million decoded, 1 million disassembled instructions per second on one core).
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "gen/models.h"
#include "isa/device_binary.h"
#include "isa/disassemble.h"

using namespace vitro;
using namespace vitro::isa;

namespace {

constexpr double decode_aim = 10e6, disassemble_aim = 1e6;  // instructions per second
constexpr size_t program_size = 8 << 20;                    // bytes: kernels are repeated up to this

// Processor time, not the clock on the wall: other programs may be running.
double seconds_of(auto&& work) {
  auto now = [] {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}
// The best of some runs: what disturbs only ever makes a run slower.
double best_of(int runs, auto&& work) {
  double best = 1e9;
  for (int n = 0; n < runs; ++n) best = std::min(best, seconds_of(work));
  return best;
}

std::vector<std::byte> read_file(const char* name) {
  std::ifstream f(name, std::ios::binary);
  std::vector<std::byte> bytes;
  for (char c; f.get(c);) bytes.push_back(std::byte(c));
  return bytes;
}

// Kernels that decode without an error, one after the other.
std::vector<std::byte> program_of(const Model& m, const std::vector<const char*>& files) {
  std::vector<std::byte> program;
  for (const char* name : files) {
    const std::vector<std::byte> file = read_file(name);
    const Result<DeviceBinary> binary = read_device_binary(file);
    if (!binary) {
      fmt::print(stderr, "bench_isa: {}: {}\n", name, binary.error().message);
      continue;
    }
    for (const DeviceKernel& k : binary->kernels) {
      const std::vector<DecodedInstruction> decoded = decode_program(m, k.code);
      const bool ok = std::all_of(decoded.begin(), decoded.end(), [](const auto& d) { return d.error.empty(); });
      if (!ok || decoded.empty()) continue;
      const size_t size = decoded.back().offset + size_t(decoded.back().size);
      program.insert(program.end(), k.code.begin(), k.code.begin() + std::ptrdiff_t(size));
    }
  }
  const size_t once = program.size();
  while (once && program.size() < program_size)
    program.insert(program.end(), program.begin(), program.begin() + std::ptrdiff_t(once));
  return program;
}

std::optional<double> iga64(const std::string& platform, const std::string& file) {
  const std::string option = "-p=" + platform;
  const char* arguments[] = {"iga64", "-d", option.c_str(), file.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  const int failed = posix_spawnp(&child, "iga64", &actions, nullptr, const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage used{};
  if (failed || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 127) return {};
  auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view device = "kbl";
  bool check = false;
  std::vector<const char*> files;
  for (int n = 1; n < argc; ++n) {
    const std::string_view a = argv[n];
    if (a == "-g" && n + 1 < argc)
      device = argv[++n];
    else if (a == "--check")
      check = true;
    else
      files.push_back(argv[n]);
  }
  const gen::Device* d = gen::find_device(device);
  if (!d || files.empty()) {
    fmt::print(stderr, "usage: bench_isa [-g DEVICE] [--check] FILE...   (see bench/run_isa)\n");
    return 2;
  }
  const Model& m = d->model();
  const std::vector<std::byte> program = program_of(m, files);
  size_t instructions = 0, compacted = 0;
  for (const DecodedInstruction& i : decode_program(m, program)) ++instructions, compacted += i.size == 8;
  if (instructions == 0) {
    fmt::print(stderr, "bench_isa: no kernel to decode\n");
    return 1;
  }
  fmt::print("{} instructions ({} compacted), {} bytes, for {}\n\n", instructions, compacted, program.size(), d->title);

  uint64_t sum = 0;  // uses what was decoded, so that decoding is done
  const double decoding = best_of(7, [&] {
    for (size_t at = 0; at < program.size();) {
      const Result<Fetched> f = fetch(m, std::span(program).subspan(at));
      if (!f) std::abort();
      sum += uint64_t(f->instruction.dst.reg) + uint64_t(f->instruction.exec_size);
      at += size_t(f->size);
    }
  });
  size_t characters = 0;
  const double disassembling = best_of(5, [&] { characters = disassemble(m, program).size(); });

  const auto folder = std::filesystem::temp_directory_path() / fmt::format("vitro-bench-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder / "program.krn", tiny = folder / "tiny.krn";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(program.data()), std::streamsize(program.size()));
  std::ofstream(tiny, std::ios::binary).write(reinterpret_cast<const char*>(program.data()), 16);
  const std::string platform = device == "bdw" ? "8" : "9";
  std::optional<double> theirs, start_up;
  if (device != "snb") {
    start_up = iga64(platform, tiny);
    for (int n = 0; start_up && n < 2; ++n)
      if (const auto t = iga64(platform, file)) theirs = std::min(theirs.value_or(*t), *t);
  }
  std::filesystem::remove_all(folder);

  auto rate = [&](double seconds) { return double(instructions) / seconds / 1e6; };
  fmt::print("{:<34}{:>12}{:>20}{:>12}\n", "one core", "CPU seconds", "million instr./s", "ratio");
  if (theirs) {
    const double net = std::max(1e-6, *theirs - *start_up);
    fmt::print("{:<34}{:>12.3f}{:>20.2f}{:>12}\n", "iga64 -d, without its start", net, rate(net), "1.0");
    fmt::print("{:<34}{:>12.3f}{:>20.2f}{:>12.1f}\n", "vitro: bytes to text", disassembling, rate(disassembling),
               net / disassembling);
    fmt::print("{:<34}{:>12.3f}{:>20.2f}{:>12.1f}\n", "vitro: bytes to instructions", decoding, rate(decoding),
               net / decoding);
    fmt::print("\niga64 as a program took {:.3f} s, of which {:.3f} s to start.\n", *theirs, *start_up);
  } else {
    fmt::print("{:<34}{:>12.3f}{:>20.2f}\n", "vitro: bytes to text", disassembling, rate(disassembling));
    fmt::print("{:<34}{:>12.3f}{:>20.2f}\n", "vitro: bytes to instructions", decoding, rate(decoding));
    fmt::print("\nno iga64 to compare with\n");
  }
  fmt::print("{} characters of text; checksum {:x}\n", characters, sum & 0xFFFF);
  const bool met =
      double(instructions) / decoding >= decode_aim && double(instructions) / disassembling >= disassemble_aim;
  fmt::print("aims: {:.0f} million decoded, {:.0f} million disassembled per second: {}\n", decode_aim / 1e6,
             disassemble_aim / 1e6, met ? "met" : "missed");
  return check && !met ? 1 : 0;
}
