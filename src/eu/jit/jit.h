// Compiled EU programs. A program becomes one native function that runs a thread exactly as Executor::run does, on the
// same Thread, so that either may go on where the other stopped. No type of the compiler's library is seen here.
// PRM: nothing of its own; what instructions mean is semantics.def, flow.cpp and send.cpp.
// Deliberately not promised: the payload of a NaN that a computation makes (see Options), the places parked_at of
// channels that run, and, after a Fault, registers.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  // After so many instructions registers are put into the image and taken up again, outside of loops that are shorter:
  // else compiling a long program would take more than its length's share of time.
  size_t section = 400;
  // Shorter programs go round in their function from thread to thread, and have the transfers of all messages in their
  // place.
  size_t brief = 100;
  // Others have so many in their place, and so many in short loops: for the rest messages share functions.
  size_t in_place = 6, in_loops = 32;
  // Longer programs are compiled in haste: what gives registers to values with care takes more than its share of time
  // in them.
  size_t careful = 10'000;
  // NaNs that computations make are chosen as resulting_nan() does. Costs time; without it the host's choice stands.
  bool exact_nans = false;
  // Windows count what is carried out through them.
  bool counts_carried = true;
  // A mad of halves is the host's instruction, if it has one.
  bool fused_halves = true;
  // What the function is called, for debuggers and profilers.
  std::string name{};
  // Where to put the intermediate code (.ll) and the machine code (.s) as text; empty: nowhere.
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
  virtual std::span<const std::byte> code() const = 0;         // the function, in memory
  virtual std::span<const std::byte> shared_code() const = 0;  // those that its messages share; empty: it has none
  // Transfers of the code. Its threads should have a window for each; with fewer, messages are the shared functions'.
  virtual std::span<const Transfer> sites() const = 0;
  // General registers that threads are to be started with; what is in others nobody will know.
  virtual std::bitset<grf_count> needed() const = 0;
};

#if VITRO_JIT
// Machine code as bytes that can be kept and loaded again, in this process or in one of the same build on a host of the
// same kind. Empty: the program cannot be compiled.
std::vector<std::byte> generate(const Program&, const Options& = {});
// Nothing: these are not such bytes. The program must live as long as what is returned.
std::shared_ptr<const Compiled> load(const Program&, std::span<const std::byte>);
// Both.
std::shared_ptr<const Compiled> compile(const Program&, const Options& = {});
constexpr bool available() { return true; }
// All that generated code depends on besides program and options: the sources, the compiler, and what the host can do.
const char* build_name();
std::string host_name();
#else
inline std::vector<std::byte> generate(const Program&, const Options& = {}) { return {}; }
inline std::shared_ptr<const Compiled> load(const Program&, std::span<const std::byte>) { return nullptr; }
inline std::shared_ptr<const Compiled> compile(const Program&, const Options& = {}) { return nullptr; }
constexpr bool available() { return false; }
inline const char* build_name() { return ""; }
inline std::string host_name() { return {}; }
#endif

}  // namespace vitro::eu::jit
