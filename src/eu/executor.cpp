// The interpreter's loop: fetch, wake, run.
// PRM: Gen6 vol 4 part 2 sections 5.6 (PR-01, PR-02), 5.7 (MK-01); B-33 for 32 channels.
#include "eu/executor.h"

#include <fmt/format.h>

#include <cfenv>

#include "eu/conditions.h"
#include "eu/exception.h"
#include "isa/print.h"

namespace vitro::eu {
namespace {

void wake(Thread& t, uint32_t ip) {
  const uint32_t waiting = t.dispatched & ~t.active;
  for (int n = 0; n < max_channels; ++n)
    if ((waiting >> n & 1) && t.parked_at[size_t(n)] == ip) t.active |= 1u << n;
}

void run_observed(Executor& x, const Plan& p) {
  const uint32_t enabled = p.row ? write_enable(x.thread, p) : 0;
  if (x.observer.before) x.observer.before(x.observer.context, x.thread, p, enabled);
  p.run(x, p);
  if (!x.fault && x.observer.after) x.observer.after(x.observer.context, x.thread, p, enabled);
}

constexpr int host_rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

}  // namespace

uint32_t combined_predicate(const Thread& t, const Plan& p) {
  return combined_predicate(p, [&](int n) { return Num<uint32_t>{t.flag[size_t(n)]}; }).v;
}

void Executor::stop(std::string reason) { stop(Fault{.reason = std::move(reason)}); }

void Executor::stop(Fault why) {
  if (fault) return;
  fault = std::move(why);
  fault->ip = thread.ip;
  status = Status::faulted;
}

Status Executor::run(uint64_t budget) {
  status = Status::running;
  const int caller_rounding = std::fegetround();
  int rounding = caller_rounding;
  const int controlled = program.model().controls_rounding ? 3 : 0;
  const bool observed = observer.before || observer.after;
  const Plan* const end = program.plans().data() + program.plans().size();
  const Plan* p = nullptr;
  while (status == Status::running && budget-- > 0) {
    // most often the plan after the last one
    p = p && thread.ip == p->next_ip && p + 1 != end ? p + 1 : program.at(thread.ip);
    if (!p) {
      stop(thread.ip >= program.size() ? "the program ran off its end" : "no instruction starts here");
      break;
    }
    if (p->wakes && thread.active != thread.dispatched) wake(thread, p->ip);
    if (thread.cr[1] && enter_exception(*this, *p)) continue;  // none is enabled or pending while cr0.1 is zero
    if (const int wanted = host_rounding[thread.rounding_mode() & controlled]; wanted != rounding)
      std::fesetround(rounding = wanted);
    if (observed) [[unlikely]] {
      run_observed(*this, *p);
    } else {
      p->run(*this, *p);
    }
    ++executed;
    if (fault) [[unlikely]] {
      fault->ip = p->ip;
      if (p->row)
        fault->instruction = isa::to_text(program.model(), p->instruction, {.messages = false, .columns = false});
      thread.ip = p->ip;
    }
  }
  if (rounding != caller_rounding) std::fesetround(caller_rounding);
  return status;
}

}  // namespace vitro::eu
