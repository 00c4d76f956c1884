// Emission of one arithmetic instruction. PRM: see arithmetic.cpp. Only the compiler's own files include this.
#pragma once

#include "jit/operands.h"

namespace vitro::jit {

void emit_arithmetic(State&, const Options&, const Plan&, const Shape&);

}  // namespace vitro::jit
