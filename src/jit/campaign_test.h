// For the differential tests: so many random programs, or programs for so long, from a fixed seed on. Each is compiled
// once and run with several threads; a difference is shrunk and printed. No part of the machine.
//   VITRO_JIT_SECONDS   how long each test runs (without it: a fixed number of programs)
//   VITRO_JIT_PROGRAMS  how many programs
//   VITRO_JIT_SEED      the seed of the first, to see one of them again
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "jit/programs_test.h"
#include "jit/shrink_test.h"

namespace vitro::jit {

inline Thread random_thread(const isa::Model& m, Rng& rng) {
  Thread t;
  for (int n = 0; n < grf_count * reg_bytes; n += 4) {
    uint32_t v = uint32_t(rng.interesting(32));
    if (rng.coin()) v = std::bit_cast<uint32_t>(float(int32_t(rng.below(2000)) - 1000) / 16);
    std::memcpy(t.grf.data() + n, &v, sizeof v);
  }
  for (auto& a : t.acc)
    for (int64_t& slot : a) slot = rng.coin() ? int64_t(int32_t(rng.interesting(32))) : int64_t(uint32_t(rng()));
  for (size_t n = 0; n < m.address_subregs; ++n) t.a0[n] = uint16_t((20 + rng.below(60)) * 32);
  for (size_t n = 0; n < m.flag_regs; ++n) t.flag[n] = uint32_t(rng());
  for (auto& r : t.mme)
    for (uint32_t& e : r) e = rng.below(4);
  t.dispatched = t.sr[2] = t.sr[3] = rng.coin() ? ~0u : rng.coin() ? 0xFFFF : uint32_t(rng()) | 1;
  t.active = t.dispatched;
  if (m.controls_denormals && rng.coin()) {
    t.cr[0] = cr_keep_float_denorms | cr_keep_double_denorms | cr_keep_half_denorms;
    if (rng.one_in(4)) t.cr[0] = uint32_t(rng()) & t.cr[0];
  }
  return t;
}

// What the process was busy with when it crashed or hung: the compiler's library may do both.
struct Busy {
  inline static char text[128];
  inline static volatile unsigned length = 0;
  static void say(int signal) {
    (void)!write(2, text, length);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  static void with(std::string_view model, uint64_t seed) {
    length = unsigned(fmt::format_to_n(text, sizeof text, "\nduring {}, seed {}\n", model, seed).size);
    alarm(300);
  }
  Busy() {
    for (int s : {SIGSEGV, SIGABRT, SIGALRM, SIGFPE, SIGILL, SIGBUS}) std::signal(s, say);
  }
  ~Busy() {
    alarm(0);
    for (int s : {SIGSEGV, SIGABRT, SIGALRM, SIGFPE, SIGILL, SIGBUS}) std::signal(s, SIG_DFL);
  }
};

struct Campaign {
  const isa::Model& model;
  Surroundings around;
  ProgramOptions options;
  int programs = 8;
  std::function<void(Rng&)> furnish{};           // memory, before each program; may be empty
  std::function<void(Thread&, Rng&)> prepare{};  // registers that messages need, of each thread; may be empty

  int ran = 0, threads = 0, faulted = 0, endless = 0;
  int64_t instructions = 0, emitted = 0, executed = 0;
  double milliseconds = 0, slowest = 0;  // of compiling; the slowest per instruction
  uint64_t slowest_seed = 0;

  void run() {
    const char *seconds = std::getenv("VITRO_JIT_SECONDS"), *wanted = std::getenv("VITRO_JIT_PROGRAMS"),
               *first = std::getenv("VITRO_JIT_SEED");
    if (wanted) programs = std::atoi(wanted);
    const double limit = seconds ? std::atof(seconds) : 1e9;
    const uint64_t begin_seed = first ? std::strtoull(first, nullptr, 0) : 20'261'115;
    const auto start = std::chrono::steady_clock::now();
    auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    const Busy busy;
    int failures = 0;
    for (uint64_t n = 0; failures < 5; ++n) {
      if (seconds && !wanted ? passed() >= limit : n >= uint64_t(programs)) break;
      Busy::with(model.name, begin_seed + n);
      if (!one(begin_seed + n)) ++failures;
    }
    fmt::print(
        "{}: {} programs of {} instructions, {}% of them native, compiled in {:.2f} ms each, at most {:.1f} (seed "
        "{}); run by {} threads for {} instructions, {} ended by faults, {} without end\n",
        model.name, ran, instructions, 100 * emitted / std::max<int64_t>(1, instructions),
        milliseconds / double(std::max<int64_t>(1, instructions)), slowest, slowest_seed, threads, executed, faulted,
        endless);
    testing::Test::RecordProperty("programs", ran);
    testing::Test::RecordProperty("instructions", std::to_string(instructions));
  }

 private:
  Thread thread(Rng& rng) const {
    Thread t = random_thread(model, rng);
    if (prepare) prepare(t, rng);
    return t;
  }

  // Instructions that fault are taken out, most of the time, so that the rest is run.
  void mend(Case& c, Rng& rng) const {
    for (int tries = 0; tries < 40; ++tries) {
      const std::vector<std::byte> code = machine_code(c.lines);
      const Program program(model, code);
      const Run r = run_one(program, c.begin, around, c.budget, c.budget, 0, {},
                            [](Executor& x, uint64_t rest) { return x.run(rest); });
      if (r.status != Status::faulted || rng.one_in(30)) return;
      const Plan* p = program.at(r.thread.ip);
      const size_t n = p ? size_t(p - program.plans().data()) : c.lines.all.size();
      if (n >= c.lines.all.size() || c.lines.all[n].instruction.eot) return;
      c.lines.take_out(n);
    }
  }

  bool one(uint64_t seed) {
    Rng rng(seed);
    Case c;
    c.lines = RandomProgram(model, rng, options).run();
    c.begin = thread(rng);
    Rng memory_rng(seed);
    if (furnish) furnish(memory_rng);
    mend(c, rng);
    memory_rng = Rng(seed);
    if (furnish) furnish(memory_rng);
    const std::vector<std::byte> code = machine_code(c.lines);
    const Program program(model, code);
    around.section = seed % 2 ? 5 : Options{}.section;              // registers settle often, or hardly ever
    around.short_program = seed % 3 ? Options{}.short_program : 0;  // threads are a loop, or calls
    around.in_place = seed % 2 ? Options{}.in_place : 1;            // then messages share functions
    around.careful = seed % 8 == 3 ? 0 : Options{}.careful;         // some in haste
    around.fused_halves = seed % 4 != 2;                            // some as on a host without such an instruction
    const auto compiled = compile(program, options_for(c.begin, around));
    if (!compiled) {
      ADD_FAILURE() << model.name << ", seed " << seed << ": it does not compile\n" << text_of(c.lines);
      return false;
    }
    ++ran;
    instructions += compiled->counts().instructions;
    emitted += compiled->counts().emitted;
    milliseconds += compiled->counts().milliseconds;
    const double each = compiled->counts().milliseconds / compiled->counts().instructions;
    if (each > slowest) slowest = each, slowest_seed = seed;
    for (int n = 0; n < 4; ++n) {
      c.turn = rng.coin() ? c.budget : 1 + rng.below(60);
      const Twins t = run_twins(program, *compiled, c.begin, around, c.budget, c.turn);
      ++threads;
      executed += int64_t(t.compiled.executed);
      faulted += t.compiled.status == Status::faulted;
      endless += t.compiled.status == Status::running;
      if (!t.difference().empty()) {
        ADD_FAILURE() << model.name << ", seed " << seed << " (" << t.difference() << ")\n"
                      << report(Shrinker(c, around).run(), around);
        return false;
      }
      const uint32_t mode = c.begin.cr[0];
      c.begin = thread(rng);
      if (rng.below(4)) c.begin.cr[0] = mode;  // code is made for one mode
    }
    return true;
  }
};

}  // namespace vitro::jit
