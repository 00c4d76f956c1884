// Which handler runs an instruction. Order matters nowhere: an instruction has one of them.
// PRM: the classes of Gen6 vol 4 part 2 tables 7-20 to 7-25.
#include "eu/handlers.h"

#include <fmt/format.h>

#include "eu/exception.h"
#include "eu/executor.h"

namespace vitro::eu {
namespace {

void nop(Executor& x, const Plan& p) { x.thread.ip = p.next_ip; }

// What could not be made ready, such as a legal opcode with a reserved field.
void reserved(Executor& x, const Plan& p) { x.stop(p.fault); }

}  // namespace

void undefined(Executor& x, const Plan& p) {
  const bool function = p.instruction.op == isa::Op::math;
  x.stop(fmt::format("{}{}{} is not defined for :{} sources", p.row->mnemonic, function ? "." : "",
                     function ? isa::info(p.instruction.math).name : "", isa::info(p.src[0].type).name));
}

Handler handler_for(const Plan& p) {
  if (!p.row || !p.fault.empty()) return reserved;
  if (isa::is_math_macro(p.instruction)) return macro_handler(p);
  switch (p.instruction.op) {
    case isa::Op::nop:
    case isa::Op::nenop: return nop;
    case isa::Op::illegal: return raise_illegal_opcode;
    case isa::Op::math: return math_handler(p);
    default: break;
  }
  if (Handler h = arithmetic_handler(p)) return h;
  if (Handler h = flow_handler(p)) return h;
  return message_handler(p);
}

}  // namespace vitro::eu
