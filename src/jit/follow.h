// Emission of what lies between two threads of a group. PRM: see follow.cpp. Only the compiler's own files include
// this.
#pragma once

#include "jit/operands.h"

namespace vitro::jit {

// Emits the step from a thread that has ended to the next of those that are left of its group, and the jump to `begin`.
// Where there are none, or the image is no longer what it was, control goes to `otherwise` before anything has
// happened.
// Threads may have changed cr0.0, or do not.
void emit_follow(State&, bool changes_control, llvm::BasicBlock* begin, llvm::BasicBlock* otherwise);

}  // namespace vitro::jit
