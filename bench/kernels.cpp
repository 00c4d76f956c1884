// How much memory a program takes that builds kernels without end: bench_kernels [N] [on|off].
// N kernels (10,000 unless said) that differ in their constants are put at one address one after the other, as a driver
// does that reuses its memory, looked up and compiled. Printed are kernels, those still kept and resident memory, and
// at the end whether it stayed below 1 GiB, which is also the exit status. `off` compiles nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dispatch/program_cache.h"
#include "gen/models.h"
#include "isa/assemble.h"

using namespace vitro;

namespace {

constexpr double limit_mib = 1024;

double resident_mib() {
  double kib = 0;
  if (FILE* f = std::fopen("/proc/self/status", "re")) {
    char line[256];
    while (std::fgets(line, sizeof line, f))
      if (std::sscanf(line, "VmRSS: %lf", &kib) == 1) break;
    std::fclose(f);
  }
  return kib / 1024;
}

// Some sixty instructions: a few sums, a branch, a loop.
std::string text_of(int n) {
  std::string text = fmt::format("mov (16|M0) r10.0<1>:d {}:d\n", n);
  for (int k = 0; k < 40; ++k)
    text += fmt::format("add (16|M0) r{}.0<1>:f r{}.0<8;8,1>:f r{}.0<8;8,1>:f\n", 12 + 2 * (k % 20),
                        10 + 2 * (k * 7 % 30), 10 + 2 * (k * 3 % 30));
  return text +
         "cmp (16|M0) (lt)f0.0 null<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f\n"
         "(f0.0) if (16|M0) done done\n"
         "mul (16|M0) r12.0<1>:f r12.0<8;8,1>:f r14.0<8;8,1>:f\n"
         "done: endif (16|M0) again\n"
         "again: add (16|M0) r16.0<1>:f r16.0<8;8,1>:f r12.0<8;8,1>:f\n"
         "cmp (16|M0) (lt)f0.0 null<1>:f r16.0<8;8,1>:f r14.0<8;8,1>:f\n"
         "(f0.0) while (16|M0) again\n"
         "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 10'000;
  const dispatch::Tiering tiering = dispatch::parse_tiering(argc > 2 ? argv[2] : "on").value_or(dispatch::Tiering::on);
  const isa::Model& model = gen::gen9();
  dispatch::Tier tier({.tiering = tiering});
  dispatch::ProgramCache programs(model);
  std::vector<std::byte> memory(16 * memory::page_bytes);
  memory::View view(std::make_shared<memory::Table>(
      std::vector<memory::Range>{{.start = 0x1000, .bytes = memory.size(), .host = memory.data()}}));
  double most = 0;
  for (int n = 1; n <= count; ++n) {
    const isa::Assembly a = isa::assemble(model, text_of(n), {.validate = false});
    if (!a.diagnostics.empty()) {
      fmt::print(stderr, "bench_kernels: {}\n", a.diagnostics[0].message);
      return 2;
    }
    std::copy(a.code.begin(), a.code.end(), memory.begin());
    tier.slot(programs.find(view, 0x1000), 0);
    if (n % 1000 && n != count) continue;
    most = std::max(most, resident_mib());
    fmt::print("{:6} kernels, {} compiled, {} kept, {:.0f} MiB\n", n, tier.counts().compiled, programs.kernels(),
               resident_mib());
    std::fflush(stdout);
  }
  fmt::print("{} the limit of {} MiB\n", most < limit_mib ? "within" : "above", limit_mib);
  return most < limit_mib ? 0 : 1;
}
