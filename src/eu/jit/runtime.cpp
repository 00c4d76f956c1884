// Running compiled code and the interpreter on one thread in turns, and the one function compiled code calls.
// PRM: none of its own. Exceptions, observers and modes the code was not compiled for are the interpreter's business.
#include "eu/jit/runtime.h"

#include <algorithm>
#include <cfenv>

#include "isa/print.h"

namespace vitro::eu::jit {

uint32_t handle(Call* call, const Plan* p) {
  Executor& x = *call->executor;
  x.thread.ip = p->ip;
  p->run(x, *p);
  if (x.fault) [[unlikely]] {
    x.fault->ip = p->ip;
    if (p->row)
      x.fault->instruction = isa::to_text(x.program.model(), p->instruction, {.messages = false, .columns = false});
    x.thread.ip = p->ip;
  }
  return x.status != Status::running;
}

Status Tandem::run(Executor& x, uint64_t budget) const {
  if (x.observer.before || x.observer.after) return x.run(budget);
  x.status = Status::running;
  const uint64_t first = x.executed;
  const bool other_rounding = std::fegetround() != FE_TONEAREST;
  while (x.status == Status::running && x.executed - first < budget) {
    const uint64_t rest = budget - (x.executed - first);
    if (other_rounding || !enters(x.thread)) {
      x.run(1);
      continue;
    }
    Call call{&x.thread, &x, program.plans().data(), handle, rest, 0};
    const Left why{code(&call)};
    x.executed += call.executed;
    if (why == Left::interpret && call.executed < rest) x.run(1);
  }
  return x.status;
}

}  // namespace vitro::eu::jit
