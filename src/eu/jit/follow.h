// Emission of what lies between two threads of a group. PRM: see follow.cpp. Only the compiler's own files include
// this.
#pragma once

#include "eu/jit/operands.h"

namespace vitro::eu::jit {

// Emits the step from a thread that has ended after `executed` instructions to the next of its group, and the jump to
// `begin`. Where that cannot be done so simply, control goes to `otherwise` before anything has happened.
void emit_follow(State&, llvm::Value* executed, llvm::Value* budget, llvm::BasicBlock* begin,
                 llvm::BasicBlock* otherwise);

}  // namespace vitro::eu::jit
