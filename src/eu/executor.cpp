// The interpreter's loop: fetch, wake, run.
// PRM: Gen6 vol 4 part 2 sections 5.6 (PR-01, PR-02), 5.7 (MK-01); B-33 for 32 channels.
#include "eu/executor.h"

#include <fmt/format.h>

#include "base/host_floats.h"
#include "eu/conditions.h"
#include "eu/exception.h"

namespace vitro::eu {
namespace {

void wake(Thread& t, uint32_t ip) {
  const uint32_t waiting = t.dispatched & ~t.active;
  for (int n = 0; n < max_channels; ++n)
    if ((waiting >> n & 1) && t.parked_at[size_t(n)] == ip) t.active |= 1u << n;
}

void run_observed(Executor& x, const Plan& p) {
  const uint32_t enabled = p.row ? write_enable(x.thread, p) : 0;
  const auto tell = [&](auto observe) {
    const HostFloats floats(HostFloats::plain);
    if (observe) observe(x.observer.context, x.thread, p, enabled);
  };
  tell(x.observer.before);
  p.run(x, p);
  if (!x.fault) tell(x.observer.after);
}

}  // namespace

uint32_t host_floats(const Program& program, const Thread& t, const Plan& p) {
  static constexpr uint32_t rounding[] = {HostFloats::nearest, HostFloats::up, HostFloats::down, HostFloats::to_zero};
  if (p.floats <= Plan::Floats::plain) return HostFloats::plain;
  const bool flushed = p.floats == Plan::Floats::flushed && program.host_flushes(t.cr[0]);
  return rounding[program.model().controls_rounding ? t.rounding_mode() : 0] | (flushed ? HostFloats::flush : 0);
}

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

void Executor::place_fault(const Plan& p) {
  fault->ip = thread.ip = p.ip;
  fault->instruction = program.text_at(p.ip);
}

Status Executor::run(uint64_t budget) {
  status = Status::running;
  fresh = false;
  uint32_t floats = HostFloats::plain;
  const HostFloats restored(floats);
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
    if (p->floats != Plan::Floats::none) {
      const uint32_t before = std::exchange(floats, host_floats(program, thread, *p));
      HostFloats::change(before, floats);
    }
    if (observed) [[unlikely]] {
      run_observed(*this, *p);
    } else {
      p->run(*this, *p);
    }
    ++executed;
    if (fault) [[unlikely]]
      place_fault(*p);
  }
  return status;
}

}  // namespace vitro::eu
