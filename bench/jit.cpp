// What the compiler of EU programs does with real kernels:
//   bench_jit [-g DEVICE] [--analyse] [--kernels] [--long N] [--section N] [--in-place N] FILE...
//   bench_jit [-g DEVICE] --functions
// FILEs are device binaries of ocloc. Printed are how many instructions become native code, how many call the
// interpreter and how many leave the code, those not native by opcode, types and kinds of operands, most frequent
// first, and how long compiling takes for an instruction, as a device asks for it. --analyse compiles nothing;
// --kernels has a line for each kernel; --long repeats the code of all kernels up to N instructions and compiles that
// as one program, whose time must not grow faster than its length; --section and --in-place are those of Options.
// --functions measures how long compiled code takes for each function of `math` of eight channels.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "dispatch/subslice.h"
#include "dispatch/tier.h"
#include "gen/machine.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "isa/device_binary.h"
#include "isa/disassemble.h"
#include "jit/analysis.h"
#include "jit/compile.h"

using namespace vitro;
using jit::Lowering;

namespace {

constexpr const char* lowering_names[] = {"emitted", "called", "message", "jump", "branch", "left"};

std::vector<std::byte> read_file(const char* name) {
  std::ifstream f(name, std::ios::binary);
  std::vector<std::byte> bytes;
  for (char c; f.get(c);) bytes.push_back(std::byte(c));
  return bytes;
}

// Processor time, not the clock on the wall: other programs may be running.
double milliseconds_now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

struct Kernel {
  std::string name;
  std::vector<std::byte> code;
};
// Kernels that decode without an error, without the padding behind them.
std::vector<Kernel> kernels_of(const isa::Model& m, const std::vector<const char*>& files) {
  std::vector<Kernel> all;
  for (const char* name : files) {
    const std::vector<std::byte> file = read_file(name);
    const Result<isa::DeviceBinary> binary = isa::read_device_binary(file);
    if (!binary) {
      fmt::print(stderr, "bench_jit: {}: {}\n", name, binary.error().message);
      continue;
    }
    for (const isa::DeviceKernel& k : binary->kernels) {
      const std::vector<isa::DecodedInstruction> decoded = isa::decode_program(m, k.code);
      const bool ok = std::all_of(decoded.begin(), decoded.end(), [](const auto& d) { return d.error.empty(); });
      if (ok && !decoded.empty())
        all.push_back({std::string(name) + " " + k.name,
                       {k.code.begin(), k.code.begin() + std::ptrdiff_t(decoded.back().offset) + decoded.back().size}});
    }
  }
  return all;
}

std::string source_kind(const eu::SourcePlan& s) {
  using Kind = eu::SourcePlan::Kind;
  const std::string type(isa::info(s.type).name);
  switch (s.kind) {
    case Kind::grf: return type;
    case Kind::mrf: return "m:" + type;
    case Kind::arf: return fmt::format("arf{}:{}", s.operand->reg >> 4, type);
    case Kind::accumulator: return "acc:" + type;
    case Kind::indirect: return "r[a0]:" + type;
    case Kind::immediate: return "imm:" + type;
  }
  return type;
}
std::string destination_kind(const eu::Plan& p) {
  using Kind = eu::DestinationPlan::Kind;
  const std::string type(isa::info(p.dst.type).name);
  switch (p.dst.kind) {
    case Kind::grf: return type;
    case Kind::mrf: return "m:" + type;
    case Kind::arf: return fmt::format("arf{}:{}", p.instruction.dst.reg >> 4, type);
    case Kind::accumulator: return "acc:" + type;
    case Kind::indirect: return "r[a0]:" + type;
    case Kind::null: return "null:" + type;
  }
  return type;
}
// What an instruction is, as far as it matters for how it is compiled.
std::string description(const eu::Plan& p) {
  if (!p.row) return "reserved";
  const isa::Instruction& i = p.instruction;
  std::string text(p.row->mnemonic);
  if (i.op == isa::Op::math) text += fmt::format(".{}", isa::info(i.math).name);
  if (p.row->format >= isa::Format::send) return text;
  if (isa::has_destination(p.row->format)) text += " " + destination_kind(p) + " <-";
  for (int n = 0; n < p.sources; ++n) text += " " + source_kind(p.src[n]);
  if (i.acc_wr_ctrl) text += " AccWrEn";
  if (i.saturate) text += " sat";
  if (i.access_mode == isa::AccessMode::align16 && p.row->format != isa::Format::ternary) text += " Align16";
  if (p.predicate == eu::Plan::Predicate::other) text += fmt::format(" pred{}", int(i.pred_ctrl));
  return text;
}

// Nanoseconds for `math` of eight channels, in the best of some runs. An addition before each makes its source another
// one every time, and an exclusive or looks at each result: nothing is computed once for all, or left out.
double function_time(const isa::Model& m, isa::MathFunction f, double& milliseconds) {
  constexpr int copies = 16, runs = 25;
  constexpr uint64_t instructions = 1 << 17;
  std::string text = "again:\n";
  for (int n = 0; n < copies; ++n) {
    text += fmt::format("add (8|M0) r{0}.0<1>:f r{0}.0<8;8,1>:f r2.0<8;8,1>:f\n", 10 + n);
    text += fmt::format("math.{} (8|M0) r40.0<1>:f r{}.0<8;8,1>:f{}\n", isa::info(f).name, 10 + n,
                        isa::info(f).sources == 2 ? " r3.0<8;8,1>:f" : "");
    text += "xor (8|M0) r4.0<1>:ud r4.0<8;8,1>:ud r40.0<8;8,1>:ud\n";
  }
  const isa::Assembly a = isa::assemble(m, text + "(W) jmpi again\n", {.validate = false});
  const eu::Program program(m, a.code);
  double best = 1e9;
  const double start = milliseconds_now();
  const auto compiled = jit::compile(program);
  milliseconds = (milliseconds_now() - start) / copies;
  if (!compiled) return best;
  const eu::SharedFunctions functions{};
  eu::Thread thread{};
  thread.dispatched = thread.active = 0xFF;
  thread.cr[0] = eu::cr_keep_float_denorms | eu::cr_keep_double_denorms;
  const auto set = [&](int r, float first, float step) {
    for (int n = 0; n < 8; ++n) {
      const float v = first + step * float(n);
      std::memcpy(thread.grf.data() + r * eu::reg_bytes + n * 4, &v, sizeof v);
    }
  };
  set(2, 0x1p-16f, 0), set(3, 0.5f, 0.375f);
  for (int run = 0; run < runs; ++run) {
    for (int n = 0; n < copies; ++n) set(10 + n, 0.3f + float(n), 0.71f);
    thread.ip = 0;
    eu::Executor x{thread, program, functions};
    const double before = milliseconds_now();
    compiled->run(x, instructions);
    best = std::min(best, (milliseconds_now() - before) * 1e6 / double(x.executed) * (3 * copies + 1) / copies);
  }
  return best;
}
void measure_functions(const isa::Model& m) {
  using isa::MathFunction;
  for (MathFunction f :
       {MathFunction::inv, MathFunction::sqt, MathFunction::rsqt, MathFunction::fdiv, MathFunction::exp,
        MathFunction::log, MathFunction::pow, MathFunction::sin, MathFunction::cos}) {
    double milliseconds = 0;
    const double ns = function_time(m, f, milliseconds);
    fmt::print("{:6.1f} ns for eight channels, compiled in {:.2f} ms: math.{}\n", ns, milliseconds, isa::info(f).name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  jit::Options options = jit::options_of({.all_registers = false, .counts_messages = false});
  std::string_view device = "kbl";
  bool compiles = true, each = false, functions = false;
  size_t length = 0;
  std::vector<const char*> files;
  for (int n = 1; n < argc; ++n) {
    const std::string_view a = argv[n];
    if (a == "-g" && n + 1 < argc)
      device = argv[++n];
    else if (a == "--analyse")
      compiles = false;
    else if (a == "--functions")
      functions = true;
    else if (a == "--kernels")
      each = true;
    else if (a == "--long" && n + 1 < argc)
      length = size_t(std::atoi(argv[++n]));
    else if (a == "--section" && n + 1 < argc)
      options.section = size_t(std::atoi(argv[++n]));
    else if (a == "--in-place" && n + 1 < argc)
      options.in_place = size_t(std::atoi(argv[++n]));
    else
      files.push_back(argv[n]);
  }
  const gen::Device* d = gen::find_device(device);
  if (d && functions) return measure_functions(d->model()), 0;
  if (!d || files.empty()) {
    fmt::print(
        stderr,
        "usage: bench_jit [-g DEVICE] [--analyse] [--kernels] [--long N] [--section N] [--in-place N] FILE...\n");
    return 2;
  }
  const isa::Model& m = d->model();
  options.carries_messages = true;
  std::vector<Kernel> kernels = kernels_of(m, files);
  if (length) {
    Kernel whole{"all", {}};
    for (size_t size = 0; size < length;)
      for (const Kernel& k : kernels) {
        if (size >= length) break;
        const std::vector<isa::DecodedInstruction> decoded = isa::decode_program(m, k.code);
        size += decoded.size();
        // without its end, so that control goes on to the next
        const size_t bytes = size < length ? decoded.back().offset : k.code.size();
        whole.code.insert(whole.code.end(), k.code.begin(), k.code.begin() + std::ptrdiff_t(bytes));
      }
    kernels = {whole};
  }

  size_t instructions = 0, by_lowering[std::size(lowering_names)] = {};
  std::map<std::string, size_t> others;
  double milliseconds = 0, emitting = 0, optimising = 0, worst = 0;
  size_t bytes = 0;
  std::string slowest;
  for (const Kernel& k : kernels) {
    const eu::Program program(m, k.code);
    const jit::Analysis analysis = jit::analyse(program, {});
    size_t own[std::size(lowering_names)] = {};
    for (size_t n = 0; n < analysis.lowered.size(); ++n) {
      const Lowering lowering = analysis.lowered[n].lowering;
      ++instructions;
      ++by_lowering[size_t(lowering)], ++own[size_t(lowering)];
      if (lowering != Lowering::emitted && lowering != Lowering::jump && lowering != Lowering::message)
        ++others[fmt::format("{:7} {}", lowering_names[size_t(lowering)], description(program.plans()[n]))];
    }
    double took = 0;
    if (compiles) {
      const double before = milliseconds_now();
      const auto compiled = jit::compile(program, options);
      took = milliseconds_now() - before;
      if (!compiled) continue;
      const eu::CodeCounts& c = compiled->counts();
      const double share = took / c.milliseconds;
      milliseconds += took, emitting += share * c.emit_milliseconds, optimising += share * c.optimise_milliseconds;
      bytes += c.code_bytes;
      if (const double one = took / double(c.instructions); one > worst) worst = one, slowest = k.name;
    }
    if (each)
      fmt::print("{:5} native {:4} called {:4} left {:3} {:8.1f} ms  {}\n", analysis.lowered.size(),
                 own[size_t(Lowering::emitted)] + own[size_t(Lowering::jump)],
                 own[size_t(Lowering::called)] + own[size_t(Lowering::branch)], own[size_t(Lowering::left)], took,
                 k.name),
          std::fflush(stdout);
  }
  if (instructions == 0) {
    fmt::print(stderr, "bench_jit: no kernel\n");
    return 1;
  }
  std::vector<std::pair<size_t, std::string>> rows;
  for (const auto& [text, count] : others) rows.emplace_back(count, text);
  std::sort(rows.rbegin(), rows.rend());
  for (const auto& [count, text] : rows) fmt::print("{:6}  {}\n", count, text);
  fmt::print("\n{} kernels, {} instructions for {}:", kernels.size(), instructions, d->title);
  for (size_t w = 0; w < std::size(lowering_names); ++w)
    fmt::print(" {} {} ({:.2f}%)", by_lowering[w], lowering_names[w],
               100.0 * double(by_lowering[w]) / double(instructions));
  fmt::print("\n");
  if (compiles)
    fmt::print(
        "{:.0f} ms ({:.0f} for intermediate code, {:.0f} for passes), {:.3f} ms an instruction, at most {:.3f} ({}), "
        "{} bytes\n",
        milliseconds, emitting, optimising, milliseconds / double(instructions), worst, slowest, bytes);
  return 0;
}
