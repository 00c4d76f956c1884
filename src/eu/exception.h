// Exceptions: illegal opcode, breakpoint, software exception, external halt.
// PRM: Gen6 vol 4 part 2 chapter 6 (EX-01..EX-11) and section 5.3 (cr0).
#pragma once

#include "eu/executor.h"

namespace vitro::eu {

// Checks for an exception before the instruction at `p`; true if the system routine was entered.
bool enter_exception(Executor&, const Plan& p);
// An illegal opcode: latched, and entered if enabled; otherwise passed over and counted. A long row of them is a Fault.
void raise_illegal_opcode(Executor&, const Plan& p);
// Latches an exception from outside, such as an external halt.
void raise(Thread&, Exception);
// After a write to cr0: clearing the master bit returns to AIP (EX-04).
void control_written(Thread&, uint32_t old_cr0);

}  // namespace vitro::eu
