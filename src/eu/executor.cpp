// The interpreter's loop: fetch, wake, run.
// PRM: Gen6 vol 4 part 2 sections 5.6 (PR-01, PR-02), 5.7 (MK-01); B-33 for 32 channels. The flag of a predicate is
// read from FlagSubRegNum's half on, at the instruction's first channel.
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

constexpr int host_rounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

}  // namespace

uint32_t predicate_mask(const Thread& t, const Plan& p) {
  const isa::Instruction& i = p.instruction;
  if (i.pred_ctrl == PredCtrl::none) return ~0u;
  const int at = (16 * i.flag_subreg + p.channel) % 32;
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
  return i.pred_inv ? ~m : m;
}

uint32_t write_enable(const Thread& t, const Plan& p) {
  const uint32_t running = p.instruction.no_mask ? ~0u : t.active >> p.channel;
  return running & predicate_mask(t, p) & p.lane_mask;
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
  while (status == Status::running && budget-- > 0) {
    const Plan* p = program.at(thread.ip);
    if (!p) {
      stop(thread.ip >= program.size() ? "the program ran off its end" : "no instruction starts here");
      break;
    }
    if ((p->wakes || program.parks_anywhere()) && thread.active != thread.dispatched) wake(thread, p->ip);
    if (thread.cr[1] && enter_exception(*this, *p)) continue;  // none is enabled or pending while cr0.1 is zero
    if (const int wanted = host_rounding[thread.rounding_mode()]; wanted != rounding)
      std::fesetround(rounding = wanted);
    const uint32_t ip = thread.ip;
    uint32_t enabled = 0;
    if (observer.before || observer.after) enabled = p->row ? write_enable(thread, *p) : 0;
    if (observer.before) observer.before(observer.context, thread, *p, enabled);
    p->run(*this, *p);
    ++executed;
    if (fault) {
      fault->ip = ip;
      if (p->row)
        fault->instruction = isa::to_text(program.model(), p->instruction, {.messages = false, .columns = false});
      thread.ip = ip;
    } else if (observer.after) {
      observer.after(observer.context, thread, *p, enabled);
    }
  }
  if (rounding != caller_rounding) std::fesetround(caller_rounding);
  return status;
}

}  // namespace vitro::eu
