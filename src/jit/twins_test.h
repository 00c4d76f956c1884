// For tests of the compiler: one program run by threads that begin alike, two compiled and one interpreted, and what
// then differs between them. The second compiled one knows the windows into memory that the first has found, so that
// messages that code can carry out are carried out. The interpreter does as many instructions as the compiled code did,
// so that programs without an end can be compared too: compiled code may pass its budget by the body of a loop.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/print.h"
#include "jit/compile.h"

namespace vitro::jit {

// What a thread's messages reach.
struct Surroundings {
  SharedFunctions functions{};
  std::vector<std::span<std::byte>> memory{};  // what they may change
  bool carries_messages = false;
  size_t section = Options{}.section;
  size_t careful = Options{}.careful;
  size_t short_program = Options{}.short_program;
  size_t in_place = Options{}.in_place;
  bool fused_halves = true;
};

struct Run {
  Status status{};
  Thread thread{};
  uint64_t executed = 0;
  uint64_t carried = 0;  // messages that code has carried out
  std::optional<Fault> fault{};
  std::vector<std::vector<std::byte>> memory{};
};

struct Twins {
  Run interpreted{}, compiled{}, again{};
  CodeCounts counts{};

  // Empty if all did the same. Registers do not count after a Fault.
  std::string difference() const {
    const std::string first = between(interpreted, compiled), second = between(interpreted, again);
    return !first.empty() || second.empty() ? first : second + ", with windows";
  }

 private:
  static std::string between(const Run& i, const Run& c) {
    auto reason = [](const Run& r) { return r.fault ? r.fault->reason : ""; };
    if (i.status != c.status)
      return fmt::format("status {} {} and {} {}", int(i.status), reason(i), int(c.status), reason(c));
    if (i.executed != c.executed) return fmt::format("{} and {} instructions", i.executed, c.executed);
    const Thread &a = i.thread, &b = c.thread;
    if (a.ip != b.ip) return fmt::format("ip {:#x} and {:#x} after {} instructions", a.ip, b.ip, i.executed);
    for (size_t n = 0; n < i.memory.size(); ++n)
      if (i.memory[n] != c.memory[n]) {
        const auto at = std::mismatch(i.memory[n].begin(), i.memory[n].end(), c.memory[n].begin());
        return fmt::format("memory {} byte {:#x}: {:#x} and {:#x}", n, at.first - i.memory[n].begin(), int(*at.first),
                           int(*at.second));
      }
    if (i.status == Status::faulted) return reason(i) == reason(c) ? "" : reason(i) + " and " + reason(c);
    for (int n = 0; n < grf_count * reg_bytes; n += 4)
      if (dword(a.grf.data() + n) != dword(b.grf.data() + n))
        return fmt::format("r{}.{}:ud {:#010x} and {:#010x}", n / reg_bytes, n % reg_bytes / 4, dword(a.grf.data() + n),
                           dword(b.grf.data() + n));
    if (a.flag != b.flag)
      return fmt::format("f0 {:#x} f1 {:#x} and f0 {:#x} f1 {:#x}", a.flag[0], a.flag[1], b.flag[0], b.flag[1]);
    if (a.active != b.active) return fmt::format("channels {:#x} and {:#x}", a.active, b.active);
    for (size_t n = 0; n < 32; ++n)
      if (a.acc[n / 16][n % 16] != b.acc[n / 16][n % 16])
        return fmt::format("acc{} slot {}: {:#x} and {:#x}", n / 16, n % 16, uint64_t(a.acc[n / 16][n % 16]),
                           uint64_t(b.acc[n / 16][n % 16]));
    if (a.a0 != b.a0) return "a0";
    for (size_t n = 0; n < max_channels; ++n)  // of channels that run the place says nothing
      if (((a.dispatched & ~a.active) >> n & 1) && a.parked_at[n] != b.parked_at[n])
        return fmt::format("channel {} waits at {:#x} and {:#x}", n, a.parked_at[n], b.parked_at[n]);
    Thread other;
    std::memcpy(&other, &b, sizeof b);
    other.parked_at = a.parked_at;
    return std::memcmp(&a, &other, sizeof a) == 0 ? "" : "other state";
  }
  static uint32_t dword(const std::byte* p) {
    uint32_t v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
};

inline FloatMode mode_of(const Thread& t) {
  return {.keep_float_denormals = t.has(cr_keep_float_denorms),
          .keep_double_denormals = t.has(cr_keep_double_denorms),
          .keep_half_denormals = t.has(cr_keep_half_denorms)};
}

inline Options options_for(const Thread& t, const Surroundings& around) {
  return {.mode = mode_of(t),
          .carries_messages = around.carries_messages,
          .section = around.section,
          .short_program = around.short_program,
          .in_place = around.in_place,
          .careful = around.careful,
          .exact_nans = true,
          .fused_halves = around.fused_halves};
}

// In turns of `turn` instructions, so that code is left and entered again. A thread that waits tries again.
template <class Step>
Run run_one(const Program& program, const Thread& begin, const Surroundings& around, uint64_t budget, uint64_t turn,
            uint32_t sip, std::span<Window> windows, Step step) {
  Run r;
  std::memcpy(&r.thread, &begin, sizeof begin);
  Executor x{r.thread, program, around.functions};
  x.sip = sip;
  x.windows = windows;
  do r.status = step(x, std::min(turn, budget - std::min(budget, x.executed)));
  while ((r.status == Status::running || r.status == Status::waiting) && x.executed < budget);
  r.executed = x.executed;
  for (Window& w : windows) r.carried += std::exchange(w.carried, 0);
  r.fault = x.fault;
  return r;
}

inline Twins run_twins(const Program& program, const Compiled& compiled, const Thread& begin,
                       const Surroundings& around, uint64_t budget, uint64_t turn, uint32_t sip = 0) {
  Twins t;
  t.counts = compiled.counts();
  std::vector<std::vector<std::byte>> before;
  for (std::span<std::byte> m : around.memory) before.emplace_back(m.begin(), m.end());
  auto settle = [&](Run& r) {  // keeps what memory is now, and puts back what it was
    for (size_t n = 0; n < before.size(); ++n) {
      r.memory.emplace_back(around.memory[n].begin(), around.memory[n].end());
      std::copy(before[n].begin(), before[n].end(), around.memory[n].begin());
    }
  };
  std::vector<Window> windows(compiled.sites().size());
  for (Run* r : {&t.compiled, &t.again}) {
    *r = run_one(program, begin, around, budget, turn, sip, windows,
                 [&](Executor& x, uint64_t rest) { return compiled.run(x, rest); });
    settle(*r);
  }
  // running off the program's end counts as no instruction, so it shows only at the next
  const uint64_t exactly = t.compiled.executed + (t.compiled.status == Status::faulted);
  t.interpreted = run_one(program, begin, around, exactly, exactly, sip, {},
                          [](Executor& x, uint64_t rest) { return x.run(rest); });
  settle(t.interpreted);
  return t;
}

}  // namespace vitro::jit
