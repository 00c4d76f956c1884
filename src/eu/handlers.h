// Choosing the handler of an instruction: arithmetic by row and compute type, the rest by format.
#pragma once

#include "eu/plan.h"

namespace vitro::eu {

struct Executor;
using Handler = void (*)(Executor&, const Plan&);

Handler handler_for(const Plan&);
// Of an instruction that has no meaning for the types of its sources.
void undefined(Executor&, const Plan&);

// The parts, in files of their own.
Handler arithmetic_handler(const Plan&);
Handler math_handler(const Plan&);
Handler macro_handler(const Plan&);
Handler flow_handler(const Plan&);
Handler message_handler(const Plan&);

}  // namespace vitro::eu
