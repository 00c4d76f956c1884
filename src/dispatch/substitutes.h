// Other forms of kernels, that run in place of their code: beside interpreter and compiled code a third way to run a
// thread. What they are dispatch does not know; whoever makes a device may give it some. PRM: none.
#pragma once

#include <cstdint>
#include <memory>

#include "eu/executor.h"

namespace vitro::dispatch {

struct Kernel;

// A thread of such a form, which stays in its seat and is used again for the next one.
class SubstituteThread {
 public:
  virtual ~SubstituteThread() = default;
  // Its registers and masks are filled.
  virtual void start(eu::Executor& x, uint64_t group, unsigned number) = 0;
  // As eu::Executor::run(): status, fault and count of instructions are left in the executor.
  virtual eu::Status run(eu::Executor& x, uint64_t instructions) = 0;
};

// One kernel's.
class Substitute {
 public:
  virtual ~Substitute() = default;
  virtual std::unique_ptr<SubstituteThread> make_thread() = 0;
};

class Substitutes {
 public:
  virtual ~Substitutes() = default;
  // Null: the kernel's code runs. Several host threads may ask at a time.
  virtual std::shared_ptr<Substitute> find(const std::shared_ptr<const Kernel>& kernel) = 0;
};

}  // namespace vitro::dispatch
