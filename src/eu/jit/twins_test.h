// For tests of the compiler: one program run by two threads that begin alike, one interpreted and one compiled, and
// what then differs between them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "eu/jit/jit.h"
#include "isa/print.h"

namespace vitro::eu::jit {

struct Twins {
  Status status[2]{};
  Thread thread[2]{};
  uint64_t executed[2]{};
  std::optional<Fault> fault[2]{};
  Counts counts{};

  // Empty if both did the same. Registers do not count after a Fault.
  std::string difference() const {
    if (status[0] != status[1])
      return fmt::format("status {} and {} ({})", int(status[0]), int(status[1]), fault[1] ? fault[1]->reason : "");
    if (executed[0] != executed[1]) return fmt::format("{} and {} instructions", executed[0], executed[1]);
    const Thread &a = thread[0], &b = thread[1];
    if (a.ip != b.ip) return fmt::format("ip {:#x} and {:#x}", a.ip, b.ip);
    if (status[0] == Status::faulted)
      return fault[0]->reason == fault[1]->reason ? "" : fault[0]->reason + " and " + fault[1]->reason;
    for (int n = 0; n < grf_count * reg_bytes; n += 4)
      if (dword(a.grf.data() + n) != dword(b.grf.data() + n))
        return fmt::format("r{}.{}:ud {:#010x} and {:#010x}", n / reg_bytes, n % reg_bytes / 4, dword(a.grf.data() + n),
                           dword(b.grf.data() + n));
    if (a.flag != b.flag)
      return fmt::format("f0 {:#x} f1 {:#x} and f0 {:#x} f1 {:#x}", a.flag[0], a.flag[1], b.flag[0], b.flag[1]);
    if (a.active != b.active) return fmt::format("channels {:#x} and {:#x}", a.active, b.active);
    if (a.acc != b.acc) return "accumulators";
    if (a.a0 != b.a0) return "a0";
    if (a.parked_at != b.parked_at) return "places where channels wait";
    return std::memcmp(&a, &b, sizeof a) == 0 ? "" : "other state";
  }

 private:
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

// In turns of `turn` instructions, so that code is left and entered again.
inline Twins run_twins(const Program& program, const Thread& begin, const SharedFunctions& functions, uint64_t budget,
                       uint64_t turn, uint32_t sip = 0) {
  Twins t;
  const auto compiled = compile(program, {.mode = mode_of(begin), .exact_nans = true});
  if (compiled) t.counts = compiled->counts();
  for (size_t n = 0; n < 2; ++n) {
    std::memcpy(&t.thread[n], &begin, sizeof begin);
    Executor x{t.thread[n], program, functions};
    x.sip = sip;
    do {
      const uint64_t rest = std::min(turn, budget - std::min(budget, x.executed));
      t.status[n] = n == 0 || !compiled ? x.run(rest) : compiled->run(x, rest);
    } while (t.status[n] == Status::running && x.executed < budget);
    t.executed[n] = x.executed;
    t.fault[n] = x.fault;
  }
  return t;
}

}  // namespace vitro::eu::jit
