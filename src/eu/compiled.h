// Compiled EU programs. A program becomes one native function that runs a thread exactly as Executor::run does, on the
// same Thread, so that either may go on where the other stopped. Nothing of the compiler is seen here: what it made
// comes as an image (code/image.h). PRM: nothing of its own; what instructions mean is semantics.def, flow.cpp and
// send.cpp. Deliberately not promised: the payload of a NaN that a computation makes (code/order.h), the places
// parked_at of channels that run, and, after a Fault, registers.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "eu/code_facts.h"
#include "eu/executor.h"

namespace vitro::eu {

class Compiled {
 public:
  virtual ~Compiled() = default;
  // The contract of Executor::run; the budget may be passed by the length of a loop's body.
  virtual Status run(Executor&, uint64_t budget) const = 0;
  virtual const CodeCounts& counts() const = 0;
  virtual std::span<const std::byte> code() const = 0;         // the function, in memory
  virtual std::span<const std::byte> shared_code() const = 0;  // those that its messages share; empty: it has none
  // Instructions whose messages the code carries out itself. Its threads should have a window for each; with fewer,
  // messages are the shared functions'.
  virtual std::span<const uint32_t> sites() const = 0;
  // General registers that threads are to be started with; what is in others nobody will know.
  virtual std::bitset<grf_count> needed() const = 0;
};

// Nothing: these are not the bytes of an image of this program's code. The program must live as long as what is
// returned.
std::shared_ptr<const Compiled> load(const Program& program, std::span<const std::byte> image);

}  // namespace vitro::eu
