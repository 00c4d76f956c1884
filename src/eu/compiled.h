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
#include <optional>
#include <span>
#include <vector>

#include "code/image.h"
#include "code/pages.h"
#include "eu/code_facts.h"
#include "eu/executor.h"

namespace vitro::eu {

class Compiled {
 public:
  // For load().
  Compiled(const Program&, const code::Image&, CodeFacts);
  bool loaded() const { return pages_.at() != nullptr; }

  // The contract of Executor::run; the budget may be passed by the length of a loop's body. Compiled code runs where it
  // can be entered, the interpreter elsewhere.
  Status run(Executor&, uint64_t budget) const;
  // Whether the code can be entered where a thread stands, in its modes. Exceptions and the system routine, which ends
  // with a write of cr0.0, are the interpreter's. That an illegal opcode was passed over changes nothing as long as no
  // exception is on.
  bool enters(const Thread& t) const {
    constexpr uint32_t passed_over = 1u << (16 + int(Exception::illegal_opcode));
    const size_t at = t.ip / 8;
    return at < entries_.size() && entries_[at] &&
           ((t.cr[0] ^ entries_[at]->bits) & entries_[at]->known & facts_.mode_mask) == 0 &&
           (t.cr[1] & ~passed_over) == 0 && !(t.cr[0] & cr_master_exception);
  }
  const CodeCounts& counts() const { return facts_.counts; }
  std::span<const std::byte> code() const {
    return {pages_.at() + start_, function_bytes_};
  }  // the function, in memory
  // Those that its messages share; empty: it has none.
  std::span<const std::byte> shared_code() const { return {pages_.at() + shared_, code_bytes_ - shared_}; }
  // The ips at which channels may wait, in order.
  std::span<const uint32_t> labels() const { return facts_.labels; }
  // Instructions whose messages the code carries out itself. Its threads should have a window for each; with fewer,
  // messages are the shared functions'.
  std::span<const uint32_t> sites() const { return facts_.sites; }
  // Those of them that are carried out by routines.
  std::span<const uint32_t> routine_sites() const { return routine_sites_; }
  // Whether the routine that a site's window has stands in the code.
  bool has_fused(size_t site, const Window& window) const;
  // Whether it can run on threads that another image of the program was running, with their windows.
  bool can_replace(const Compiled& other) const {
    return facts_.sites == other.facts_.sites && facts_.needed == other.facts_.needed &&
           facts_.chain == other.facts_.chain;
  }
  code::ChainForm chain() const { return facts_.chain; }
  // General registers that threads are to be started with; what is in others nobody will know.
  std::bitset<grf_count> needed() const {
    return (std::bitset<grf_count>(facts_.needed[1]) << 64) | std::bitset<grf_count>(facts_.needed[0]);
  }

 private:
  const Program& program_;
  code::Pages pages_;
  CodeFacts facts_;
  std::vector<std::optional<Mode>> entries_;  // by ip / 8: in which modes
  std::vector<uint32_t> routine_sites_;       // which of the sites
  uint32_t start_, function_bytes_, shared_, code_bytes_;
};

// Nothing: these are not the bytes of an image of this program's code. The program must live as long as what is
// returned.
std::shared_ptr<const Compiled> load(const Program& program, std::span<const std::byte> image);

}  // namespace vitro::eu
