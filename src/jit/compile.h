// The compiler of EU programs: a program becomes the image of one native function (eu/compiled.h tells what it does),
// with LLVM, of which no type is seen here. The rest of vitro asks for code in bytes (code/compiler.h); what is here is
// for this room, its tests and measurements. PRM: nothing of its own; what instructions mean is semantics.def, flow.cpp
// and send.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "code/order.h"
#include "eu/compiled.h"

namespace vitro::jit {

using namespace eu;  // whose programs these are

struct Options {
  FloatMode mode{};
  code::ChainForm chain{};
  // These stand in the code, but for those that are longer than so many instructions of the intermediate code, and no
  // more of them than so many instructions in all.
  code::FusedRoutines fused{};
  size_t longest_fused = 600, all_fused = 6000;
  // Every message may be answered "not now", and the thread must be able to leave there and come back. Else those whose
  // rows in the message table say so.
  bool all_wait = true;
  // Code carries messages out by itself where it can; without it every message is the shared function's.
  bool carries_messages = false;
  // Whether all registers are in the thread whenever the code returns, also those that the program does not read again.
  // Nobody else reads them but tests, tools and system routines.
  bool all_registers = true;
  // After so many instructions registers are put into the image and taken up again, outside of loops that are shorter:
  // else compiling a long program would take more than its length's share of time.
  size_t section = 400;
  // Shorter programs go round in their function from thread to thread, and have the transfers of all messages in their
  // place.
  size_t short_program = 100;
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
  std::string name{}, dump_path{};  // as in code::Order
};

// What an order asks for, on its device.
Options options_of(const code::Order& order);

// The bytes of an image. Empty: the program cannot be compiled.
std::vector<std::byte> generate(const Program&, const Options& = {});
// For an order: nothing, if there is no such device, or its program cannot be compiled.
std::vector<std::byte> generate(const code::Order&);
// For a routine's key.
std::vector<std::byte> generate_routine(std::span<const std::byte> key);
// The same, loaded. The program must live as long as what is returned.
std::shared_ptr<const Compiled> compile(const Program&, const Options& = {});

}  // namespace vitro::jit
