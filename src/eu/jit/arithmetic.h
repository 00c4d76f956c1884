// Emission of one arithmetic instruction. PRM: see arithmetic.cpp. Only the compiler's own files include this.
#pragma once

#include "eu/jit/operands.h"

namespace vitro::eu::jit {

void emit_arithmetic(State&, const Options&, const Plan&, const Shape&);

}  // namespace vitro::eu::jit
