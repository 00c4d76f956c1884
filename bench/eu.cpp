// How long the interpreter takes for an instruction of eight channels, for each of a mix of instructions and for the
// mix as a whole, and how large a thread is:
//   bench_eu [-g DEVICE] [--check]
// A figure is the best of several runs of that instruction, in processor time: what else the machine does only ever
// makes a run slower. VITRO_VECTORS=plain measures the code for hosts without AVX2 and FMA.
// --check fails above the project's aims: 30 ns for a float instruction, 16 KiB for a thread.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "eu/executor.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "lanes/host.h"

using namespace vitro;

namespace {

constexpr double aim_ns = 30;
constexpr size_t aim_bytes = 16 * 1024;
constexpr int unrolled = 16;          // copies of an instruction in the loop's body
constexpr uint64_t rounds = 1 << 18;  // instructions in a run
constexpr int runs = 15;              // of which the best counts

struct Item {
  const char* text;
  bool is_float;
};
constexpr Item mix[] = {
    {"add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", true},
    {"mul (8|M0) r11.0<1>:f r2.0<8;8,1>:f r3.0<0;1,0>:f", true},
    {"mad (8|M0) r12.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.1<0>:f", true},
    {"mov (8|M0) r13.0<1>:f r2.0<8;8,1>:f", true},
    {"mov (8|M0) r14.0<1>:d r2.0<8;8,1>:f", true},
    {"cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", true},
    {"(f0.0) sel (8|M0) r15.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", true},
    {"sel (8|M0) (ge)f0.0 r15.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", true},
    {"(f0.0) add (8|M0) r16.0<1>:f r2.0<8;8,1>:f -r3.0<8;8,1>:f", true},
    {"add (8|M0) (sat)r17.0<1>:f r2.0<8;8,1>:f 0.5:f", true},
    {"rndd (8|M0) r18.0<1>:f r2.0<8;8,1>:f", true},
    {"math.inv (8|M0) r19.0<1>:f r2.0<8;8,1>:f", true},
    {"add (8|M0) r20.0<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:d", false},
    {"and (8|M0) r21.0<1>:ud r5.0<8;8,1>:ud r6.0<8;8,1>:ud", false},
    {"shl (8|M0) r22.0<1>:d r5.0<8;8,1>:d 2:w", false},
    {"if endif", false},
};

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

// The instruction many times, and a jump back. The pair of branches takes all channels in and out again.
std::string program_of(const isa::Model& m, const std::vector<Item>& items, int copies) {
  std::string text = "again:\n";
  for (int n = 0; n < copies; ++n)
    for (const Item& i : items) {
      if (std::strcmp(i.text, "if endif") != 0) {
        text += std::string(i.text) + "\n";
      } else if (m.mrf_count) {
        text += fmt::format("(f0.0) if (8|M0) l{}\nl{}: endif (8|M0) m{}\nm{}:\n", n, n, n, n);
      } else {
        text += fmt::format("(f0.0) if (8|M0) l{} l{}\nl{}: endif (8|M0) m{}\nm{}:\n", n, n, n, n, n);
      }
    }
  return text + "(W) jmpi again\n";
}

// Nanoseconds an instruction, in the best run. Negative: it faulted.
double measure(const isa::Model& m, const std::vector<Item>& items, int copies) {
  const std::string text = program_of(m, items, copies);
  const isa::Assembly a = isa::assemble(m, text, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) std::fputs(isa::render("mix", text, d, false).c_str(), stderr);
  if (!a.ok()) return -1;
  const eu::Program program(m, a.code);
  const eu::SharedFunctions functions{};
  eu::Thread thread{};
  for (int r = 2; r < 5; ++r)
    for (int n = 0; n < 8; ++n) {
      const float v = 0.25f + float(n) * 0.125f + float(r % 3);
      std::memcpy(thread.grf.data() + r * eu::reg_bytes + n * 4, &v, 4);
    }
  thread.dispatched = thread.active = 0xFF;
  thread.flag[0] = 0x55;
  double best = 1e9;
  for (int n = 0; n < runs; ++n) {
    eu::Executor x{thread, program, functions};
    const double start = now();
    x.run(rounds);
    if (x.fault) {
      fmt::print(stderr, "fault at {:04X}: {}: {}\n", x.fault->ip.value_or(0), x.fault->instruction, x.fault->reason);
      return -1;
    }
    best = std::min(best, (now() - start) / double(x.executed));
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  std::string device = "kbl";
  bool check = false;
  for (int n = 1; n < argc; ++n) {
    if (std::strcmp(argv[n], "--check") == 0) {
      check = true;
    } else if (std::strcmp(argv[n], "-g") == 0 && n + 1 < argc) {
      device = argv[++n];
    } else {
      fmt::print(stderr, "usage: bench_eu [-g DEVICE] [--check]\n");
      return 2;
    }
  }
  const gen::Device* d = gen::find_device(device);
  if (!d) return fmt::print(stderr, "unknown device {}\n", device), 2;
  const isa::Model& m = d->model();

  fmt::print("{}, {} vectors, best of {} runs of {} instructions each\n", d->name,
             lanes::host_has_wide_vectors() ? "wide" : "plain", runs, rounds);
  bool failed = false;
  double floats = 0;
  int float_count = 0;
  for (const Item& i : mix) {
    const double ns = measure(m, {i}, unrolled);
    failed = failed || ns < 0;
    if (i.is_float) floats += ns, ++float_count;
    fmt::print("{:7.1f} ns  {}\n", ns, i.text);
  }
  const double all = measure(m, {std::begin(mix), std::end(mix)}, 4);
  failed = failed || all < 0;
  const double mean = floats / float_count;
  const auto verdict = [](bool met) { return met ? "met" : "NOT MET"; };
  fmt::print("{:7.1f} ns  mean of the {} float instructions (aim: {}, {})\n", mean, float_count, aim_ns,
             verdict(!failed && mean <= aim_ns));
  fmt::print("{:7.1f} ns  all of them in turn\n", all);
  fmt::print("{:7} bytes in a thread (aim: {}, {})\n", sizeof(eu::Thread), aim_bytes,
             verdict(sizeof(eu::Thread) <= aim_bytes));
  return failed || (check && (mean > aim_ns || sizeof(eu::Thread) > aim_bytes)) ? 1 : 0;
}
