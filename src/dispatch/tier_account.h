// What interpreting and compiling cost on this host, and whether compiling a kernel pays. All in nanoseconds of
// processor time: on a busy machine any other time measures the others. PRM: none. The rule is in
// docs/decisions/0008-jit.md.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vitro::dispatch {

class TierAccount {
 public:
  // Before anything was compiled: an instruction takes half a millisecond, and the compiler's library has to be loaded.
  static constexpr double first_ns_each = 500'000, library_ns = 15'000'000;
  static constexpr double first_weight = 300;  // instructions that are compiled before experience counts as much
  // Of the time that an instruction is interpreted for, code saves so much.
  static constexpr double saving = 0.8;
  // So much may be spent without return before more is asked of the kernels that follow.
  static constexpr double grace_ns = 100'000'000;

  // What compiling a program of so many instructions is expected to take.
  double compiling_ns(size_t instructions) const {
    const double each = (first_ns_each * first_weight + double(spent_)) / (first_weight + double(compiled_));
    return each * double(instructions) + (compiled_ ? 0 : library_ns);
  }

  // Whether to compile a kernel that was interpreted for `so_far`, and for which `rest` is known to come: when it will
  // take `patience` times what compiling takes. What was so far is taken for what will be. When code that was made has
  // not saved what it took, more.
  bool pays(size_t instructions, double so_far, double rest, double patience) const {
    const double lost = std::max(1.0, (double(spent_) + grace_ns) / (double(saved_) + grace_ns));
    return std::max(so_far, rest) >= patience * lost * compiling_ns(instructions);
  }

  // It took so long.
  void compiled(size_t instructions, uint64_t ns) { compiled_ += instructions, spent_ += ns; }
  // Code was run for instructions that would have been interpreted for so long.
  void ran(double interpreting_ns) { saved_ += uint64_t(interpreting_ns * saving); }

  uint64_t spent_ns() const { return spent_; }
  uint64_t saved_ns() const { return saved_; }

 private:
  std::atomic<uint64_t> compiled_{0};  // instructions
  std::atomic<uint64_t> spent_{0}, saved_{0};
};

}  // namespace vitro::dispatch
