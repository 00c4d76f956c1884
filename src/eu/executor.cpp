// The interpreter's loop: fetch, wake, run.
// PRM: Gen6 vol 4 part 2 sections 5.6 (PR-01, PR-02), 5.7 (MK-01); B-33 for 32 channels.
#include "eu/executor.h"

#include <fmt/format.h>

#include <cfenv>

#include "eu/exception.h"
#include "isa/print.h"

namespace vitro::eu {
namespace {

using isa::PredCtrl;

// Groups of `width` channels get one value: any of their bits, or all.
uint32_t combine(uint32_t bits, int width, bool all) {
  uint32_t out = 0;
  const uint32_t group = uint32_t(ones(width));
  for (int at = 0; at < 32; at += width) {
    const uint32_t g = bits >> at & group;
    if (all ? g == group : g != 0) out |= group << at;
  }
  return out;
}

uint32_t replicate_component(uint32_t bits, int component) {
  uint32_t out = 0;
  for (int at = 0; at < 32; at += 4)
    if (bits >> (at + component) & 1) out |= 0xFu << at;
  return out;
}

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
  const isa::Instruction& i = p.instruction;
  const int at = p.flag_shift;
  const uint32_t f = t.flag[i.flag_reg] >> at;
  uint32_t m = f;
  if (i.access_mode == isa::AccessMode::align16 && i.pred_ctrl >= PredCtrl::any_v && i.pred_ctrl <= PredCtrl::all2h) {
    m = replicate_component(f, int(i.pred_ctrl) - int(PredCtrl::any_v));
  } else {
    switch (i.pred_ctrl) {
      case PredCtrl::any_v:
      case PredCtrl::all_v: {
        // the same channel of the two flag halves, or of the two flag registers where there are two
        const uint32_t other = p.two_flags ? t.flag[i.flag_reg ^ 1] >> at : t.flag[i.flag_reg] >> ((at + 16) % 32);
        m = i.pred_ctrl == PredCtrl::any_v ? f | other : f & other;
        break;
      }
      case PredCtrl::none:
      case PredCtrl::sequential: break;
      default: {
        const int code = int(i.pred_ctrl) - int(PredCtrl::any2h);
        // groups are those of the flag, whatever the execution size: jmpi tests any16h with one channel
        m = combine(t.flag[i.flag_reg], 2 << code / 2, code % 2) >> at;
        break;
      }
    }
  }
  return m;
}

void Executor::stop(std::string reason) {
  if (fault) return;
  fault = Fault{thread.ip, {}, std::move(reason)};
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
