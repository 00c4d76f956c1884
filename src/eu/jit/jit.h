// Compiled EU programs. A program becomes one native function that runs a thread exactly as Executor::run does, on the
// same Thread, so that either may go on where the other stopped. No type of the compiler's library is seen here.
// PRM: nothing of its own; what instructions mean is semantics.def, flow.cpp and send.cpp.
// Deliberately not promised: the payload of a NaN that a computation makes (see Options), the places parked_at of
// channels that run, and, after a Fault, registers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "eu/executor.h"

namespace vitro::eu::jit {

// The part of cr0 that code is specialised for, as threads start with it; how the program changes it is followed.
// Threads start with rounding to nearest, in IEEE mode, not in single program flow; others are interpreted.
struct FloatMode {
  bool keep_float_denormals = true, keep_double_denormals = true;
  std::optional<bool> keep_half_denormals{};  // nothing: either
};

struct Options {
  FloatMode mode{};
  // Shared functions that may answer "not now": the thread must be able to leave at these and come back.
  uint16_t may_block = 0xFFFF;
  uint16_t may_block_at_end = 0xFFFF;  // the same, for messages that end the thread
  // What a message to a shared function does, by SFID and descriptor. Without it every message is the function's.
  std::function<Transfer(unsigned sfid, uint32_t desc)> describe{};
  // Whether all registers are in the thread whenever the code returns, also those that the program does not read again.
  // Nobody else reads them but tests, tools and system routines.
  bool all_registers = true;
  // NaNs that computations make are chosen as resulting_nan() does. Costs time; without it the host's choice stands.
  bool exact_nans = false;
  // Where to put the intermediate code as text; empty: nowhere.
  std::string dump_path{};
};

struct Counts {
  int instructions = 0;
  int emitted = 0;  // native code
  int called = 0;   // native code that calls the interpreter's handler
  int left = 0;     // the function returns, the interpreter does it
  double milliseconds = 0;
  double emit_milliseconds = 0, optimise_milliseconds = 0;
  size_t code_bytes = 0;
};

class Compiled {
 public:
  virtual ~Compiled() = default;
  // The contract of Executor::run; the budget may be passed by the length of a loop's body.
  virtual Status run(Executor&, uint64_t budget) const = 0;
  virtual const Counts& counts() const = 0;
  // How many windows the executor's threads should have; fewer, and messages are the shared functions'.
  virtual size_t windows() const = 0;
};

#if VITRO_JIT
// Nothing: the program cannot be compiled on this host. The program must live as long as what is returned.
std::shared_ptr<const Compiled> compile(const Program&, const Options& = {});
constexpr bool available() { return true; }
#else
inline std::shared_ptr<const Compiled> compile(const Program&, const Options& = {}) { return nullptr; }
constexpr bool available() { return false; }
#endif

}  // namespace vitro::eu::jit
