// The one kernel of a process, with a GPU that executes. It stands apart from the rest so that tests that bring their
// own GPU need no device. No part of the machine by itself.
#include "i915/kernel.h"

namespace vitro::i915 {
namespace {

Options& chosen() {
  static Options options;
  return options;
}

}  // namespace

void Kernel::configure(const Options& options) { chosen() = options; }

Kernel& Kernel::instance() {
  // Never destroyed: programs use their descriptors until the very end, in destructors too.
  static Kernel* const kernel = new Kernel(chosen(), make_gpu);
  return *kernel;
}

}  // namespace vitro::i915
