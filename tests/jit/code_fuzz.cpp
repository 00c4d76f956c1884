// Runs programs that nobody would write through devices that compile everything, with memory and threads' images at the
// edge of forbidden pages: whatever bytes are submitted as code, nothing outside is touched.
//   code_fuzz CORPUS [--minutes N | --programs N] [--seed N] [--device NAME] [--show]
// CORPUS has the folders that tests/corpus/compile makes. A seed names a program, its memory and its device; they count
// upwards. Programs are run by a child process: when it dies, the parent says by which program and goes on with the
// next. Each is interpreted as well: both tiers must end with a Fault, or both with the same memory, unless it asks the
// time or does not end. --show prints programs. A kernel that the compiler refuses is a finding too. One that LLVM does
// not come to an end with is told: it is interpreted, and nothing of ours is wrong. Exit status: 0 nothing was found, 1
// something was, 2 wrong usage.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>

#include "../watched_child.h"
#include "isa/disassemble.h"
#include "job.h"
#include "mutation.h"

using namespace vitro;
using namespace vitro::fuzz;
using Clock = std::chrono::steady_clock;

namespace {

struct Wanted {
  std::string corpus;
  uint64_t programs = ~uint64_t(0), seed = 1;
  double minutes = 0;
  std::string device;  // empty: all of them
  bool show = false;
};

// What the child tells its parent, in memory that both see.
struct Progress {
  uint64_t seed = 0;                // of the program that runs
  uint64_t ended = 0, faulted = 0;  // programs
  uint64_t differences = 0;         // between the tiers
  uint64_t compiled = 0;            // programs that ran as machine code
  uint64_t refused = 0;             // that the compiler would have nothing to do with
  uint64_t given_up = 0;            // that LLVM did not come to an end with
  uint64_t threads = 0;             // images that stood at an edge
  bool done = false;
};

// A kind of device at both edges.
struct Kind {
  const gen::Device* device = nullptr;
  std::vector<Kernel> kernels{};
  std::unique_ptr<Bench> benches[2]{};
};

std::string_view corpus_folder(std::string_view device) { return device == "apl" ? "bxt" : device; }

class Runner {
 public:
  Runner(const Wanted& wanted, Progress& progress) : wanted_(wanted), progress_(progress) {
    for (const gen::Device& d : gen::devices())
      if (wanted.device.empty() || wanted.device == d.name)
        kinds_.push_back({&d, read_kernels(d.model(), std::filesystem::path(wanted.corpus) / corpus_folder(d.name))});
  }
  bool any() const { return !kinds_.empty(); }

  void run(uint64_t seed) {
    progress_.seed = seed;
    Rng rng(seed);
    Kind& kind = kinds_[rng.below(uint32_t(kinds_.size()))];
    const uint32_t edge = rng.below(2);
    const isa::Model& m = kind.device->model();
    std::unique_ptr<Bench>& bench = kind.benches[edge];
    if (!bench) bench = std::make_unique<Bench>(*kind.device, Edge(edge));
    const std::vector<std::byte> kernel = whole_kernel(m, mutated_program(m, kind.kernels, rng), rng);
    if (wanted_.show)
      fmt::print("--- seed {}, {}, {}\n{}", seed, kind.device->name, edge ? "start" : "end",
                 isa::disassemble(m, kernel, {.offsets = true, .skip_padding = true}));
    std::fflush(stdout);
    bench->prepare(kernel, rng());
    const Bench::Counts before = bench->counts();
    const Outcome compiled = bench->run(true), interpreted = bench->run(false);
    const Bench::Counts after = bench->counts();
    progress_.compiled += after.compiled - before.compiled;
    if (after.refused != before.refused) {
      ++progress_.refused;
      fmt::print("seed {} on {}: not compiled\n", seed, kind.device->name);
    }
    if (after.given_up != before.given_up) {
      ++progress_.given_up;
      fmt::print("seed {} on {}: given up\n", seed, kind.device->name);
    }
    ++(compiled.fault ? progress_.faulted : progress_.ended);
    progress_.threads = guarded_threads();
    const bool comparable = !asks_the_time(m, kernel) && !is_endless(compiled) && !is_endless(interpreted);
    const std::string differs = comparable ? difference(compiled, interpreted) : "";
    if (wanted_.show && compiled.fault) fmt::print("{}\n", device::to_text(*compiled.fault));
    if (differs.empty()) return;
    ++progress_.differences;
    fmt::print("seed {} on {}: {}\n", seed, kind.device->name, differs);
  }

 private:
  // The time differs from run to run.
  static bool asks_the_time(const isa::Model& m, std::span<const std::byte> kernel) {
    for (const isa::DecodedInstruction& d : isa::decode_program(m, kernel)) {
      const isa::Instruction& i = d.instruction;
      for (const isa::Operand& s : i.src)
        if (s.file == isa::RegFile::arf && !s.indirect && s.reg >> 4 == int(isa::Arf::timestamp)) return true;
      const bool gateway = i.sfid == 3 && (i.desc.in_register || (i.desc.imm & 7) == 3);
      if (gateway || i.ex_desc.in_register) return true;
    }
    return false;
  }
  // Compiled code counts by blocks, so near the limit one tier may end and the other one not.
  static bool is_endless(const Outcome& o) { return o.fault && o.fault->reason.find("endless") != std::string::npos; }
  static std::string difference(const Outcome& compiled, const Outcome& interpreted) {
    const auto text = [](const Outcome& o) { return o.fault ? o.fault->reason : std::string("no Fault"); };
    if (bool(compiled.fault) != bool(interpreted.fault))
      return fmt::format("compiled: {}; interpreted: {}", text(compiled), text(interpreted));
    if (compiled.fault || compiled.memory == interpreted.memory) return {};
    const auto at = std::mismatch(compiled.memory.begin(), compiled.memory.end(), interpreted.memory.begin());
    return fmt::format("memory differs from byte {:#x} on", at.first - compiled.memory.begin());
  }

  const Wanted& wanted_;
  Progress& progress_;
  std::vector<Kind> kinds_;
};

bool parse(int argc, char** argv, Wanted& w) {
  for (int n = 1; n < argc; ++n) {
    const std::string_view a = argv[n];
    const auto number = [&] { return std::strtod(argv[++n], nullptr); };
    const bool more = n + 1 < argc;
    if (a == "--show")
      w.show = true;
    else if (a == "--minutes" && more)
      w.minutes = number();
    else if (a == "--programs" && more)
      w.programs = uint64_t(number());
    else if (a == "--seed" && more)
      w.seed = uint64_t(number());
    else if (a == "--device" && more)
      w.device = argv[++n];
    else if (!a.starts_with("-") && w.corpus.empty())
      w.corpus = a;
    else
      return false;
  }
  return !w.corpus.empty() && (w.minutes > 0 || w.programs != ~uint64_t(0));
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  if (!parse(argc, argv, wanted)) {
    fmt::print(stderr, "usage: code_fuzz CORPUS [--minutes N | --programs N] [--seed N] [--device NAME] [--show]\n");
    return 2;
  }
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  Progress& progress = *new (shared) Progress;
  const Clock::time_point until = wanted.minutes > 0
                                      ? Clock::now() + std::chrono::milliseconds(int64_t(wanted.minutes * 60'000))
                                      : Clock::time_point::max();
  const uint64_t end = wanted.programs == ~uint64_t(0) ? wanted.programs : wanted.seed + wanted.programs;
  uint64_t seed = wanted.seed, deaths = 0;
  while (seed < end && Clock::now() < until) {
    const std::string death = test::in_child(progress.seed, [&] {
      Runner runner(wanted, progress);
      if (!runner.any()) _exit(2);
      for (; seed < end && Clock::now() < until; ++seed) runner.run(seed);
    });
    if (death.empty()) break;
    ++deaths;
    fmt::print("seed {}: {}\n", progress.seed, death);
    seed = progress.seed + 1;
  }
  const uint64_t programs = progress.ended + progress.faulted + deaths;
  fmt::print(
      "{} programs from seed {} on: {} compiled, {} ended, {} faulted; {} differed, {} were refused, {} were given up, "
      "{} died\n",
      programs, wanted.seed, progress.compiled, progress.ended, progress.faulted, progress.differences,
      progress.refused, progress.given_up, deaths);
  // at most some are known already, or do not come to a thread
  const bool tried = progress.ended > 0 && progress.threads > 0 && progress.compiled > programs / 2;
  return !tried || deaths || progress.differences || progress.refused;
}
