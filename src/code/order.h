// What is asked of the compiler: a kernel for a device, in the modes in which its threads start, or a routine. An order
// is passed on in bytes, as its answer is (image.h), so that neither side knows the other's types. PRM: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vitro::code {

// The part of cr0 that code is specialised for, as threads start with it; how the program changes it is followed.
// Threads start with rounding to nearest, in IEEE mode, not in single program flow; others are interpreted.
struct FloatMode {
  bool keep_float_denormals = true, keep_double_denormals = true;
  std::optional<bool> keep_half_denormals{};  // nothing: either
};

// Where the registers of threads that take one another's place in code come from (eu::ThreadChain). With zeros all that
// code needs stands with each of them, but for r0; else those below `own`, those from `second` on are where each has
// them, and the others are common to all.
struct ChainForm {
  uint8_t own = 0, second = 0;
  bool operator==(const ChainForm&) const = default;
  bool apart() const { return own != 0; }
};

// A routine that stands in code in the place of a message, instead of being called; and all of a kernel's, in the order
// of its instructions.
struct FusedRoutine {
  uint32_t instruction = 0;      // which one of the kernel's
  std::vector<std::byte> key{};  // as in routines.h
  bool operator==(const FusedRoutine&) const = default;
};
using FusedRoutines = std::vector<FusedRoutine>;

struct Order {
  std::string device{};  // by its name
  std::vector<std::byte> kernel{};
  std::vector<std::byte> routine{};  // its key (routines.h); nothing else counts, then
  FloatMode mode{};
  ChainForm chain{};
  FusedRoutines fused{};
  // Whether all registers are in the thread whenever the code returns, also those that the program does not read again.
  // Nobody else reads them but tests, tools and system routines.
  bool all_registers = true;
  // Code counts the messages that it carries out by itself.
  bool counts_messages = true;
  // NaNs that computations make are chosen as the interpreter does. Costs time; without it the host's choice stands.
  bool exact_nans = false;

  // What does not change the code.
  std::string name{};  // of the function, for debuggers and profilers
  std::string
      dump_path{};  // where to put the intermediate code (.ll) and the machine code (.s) as text; empty: nowhere
};

std::vector<std::byte> to_bytes(const Order& order);
// Nothing: these are not the bytes of an order.
std::optional<Order> to_order(std::span<const std::byte> bytes);

// As part of other bytes. False: there are none in front.
void append_routines(std::vector<std::byte>& bytes, const FusedRoutines& all);
bool take_routines(std::span<const std::byte>& bytes, FusedRoutines& all);

// The name under which the answer is kept: all that the code depends on, the build and the host included.
std::string key_of(const Order& order);

}  // namespace vitro::code
