// Entering and leaving the system routine.
// PRM: Gen6 vol 4 part 2 chapter 6. Priority and latching as EX-02, EX-03; AIP is the instruction itself for
// breakpoints and illegal opcodes, the next one for software exceptions. An illegal opcode whose exception is off acts
// as a nop (Gen8 vol 2a, the pseudo-code of illegal). The breakpoint's status bit is cr0.1[31], which one table calls
// reserved and chapter 6 needs.
#include "eu/exception.h"

#include <fmt/format.h>

namespace vitro::eu {
namespace {

constexpr uint32_t status_bit(Exception e) { return 1u << (16 + int(e)); }
constexpr uint32_t enable_bit(Exception e) { return 1u << int(e); }

bool pending(const Thread& t, Exception e) { return (t.cr[1] & status_bit(e)) && (t.cr[1] & enable_bit(e)); }

void enter(Executor& x, uint32_t return_ip) {
  Thread& t = x.thread;
  t.cr[2] = return_ip;
  t.cr[0] |= cr_master_exception;
  t.ip = x.sip & ~15u;  // EX-05: the upper 28 bits
}

}  // namespace

void raise(Thread& t, Exception e) { t.cr[1] |= status_bit(e); }

bool enter_exception(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  if (t.cr[0] & cr_master_exception) return false;  // not nested: further ones stay latched
  const bool suppressed = t.cr[0] & cr_breakpoint_suppress;
  if (p.row && p.instruction.debug_ctrl && !suppressed && (t.cr[1] & enable_bit(Exception::breakpoint)))
    raise(t, Exception::breakpoint);
  for (Exception e :
       {Exception::breakpoint, Exception::external_halt, Exception::software, Exception::illegal_opcode}) {
    if (e == Exception::breakpoint && suppressed) continue;
    // external halt has no enable bit
    const bool enters = e == Exception::external_halt ? t.cr[1] & status_bit(e) : pending(t, e);
    if (!enters) continue;
    enter(x, p.ip);
    return true;
  }
  // Suppression lasts for one instruction of the program: a status left set enters again before the next (EX-08).
  if (suppressed && (t.cr[1] & enable_bit(Exception::breakpoint))) t.cr[0] &= ~uint32_t(cr_breakpoint_suppress);
  return false;
}

void raise_illegal_opcode(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  raise(t, Exception::illegal_opcode);
  if (pending(t, Exception::illegal_opcode) && !(t.cr[0] & cr_master_exception)) {
    if (x.sip == 0) return x.stop("illegal opcode, and there is no system routine for its exception");
    return enter(x, p.ip);
  }
  PassedOver& o = x.passed_over;
  if (o.count++ == 0) o.first_ip = p.ip, o.first_code = p.illegal_code;
  o.in_a_row = p.ip == o.next_ip ? o.in_a_row + 1 : 1;
  o.next_ip = t.ip = p.next_ip;
  if (o.in_a_row > most_illegal_in_a_row)
    x.stop(fmt::format("the program ran off its end: more than {} illegal opcodes in a row", most_illegal_in_a_row));
}

void control_written(Thread& t, uint32_t old_cr0) {
  const bool was = old_cr0 & cr_master_exception, is = t.cr[0] & cr_master_exception;
  if (!was) t.cr[0] &= ~uint32_t(cr_master_exception);  // writing 1 has no effect
  if (was && !is) t.ip = t.cr[2] & ~7u;
}

}  // namespace vitro::eu
