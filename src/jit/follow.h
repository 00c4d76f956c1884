// Emission of what lies between two threads of a group. PRM: see follow.cpp. Only the compiler's own files include
// this.
#pragma once

#include "jit/operands.h"

namespace vitro::jit {

// Emits the step from a thread that has ended to the next that is known. Where there is none, or the image is no longer
// what it was, control goes to `otherwise` before anything has happened. Threads may have changed cr0.0, or do not.
// Returns where the thread's registers stand, of which only r0 is in the image; if `copies`, all are there.
llvm::Value* emit_follow(State&, bool changes_control, bool copies, llvm::BasicBlock* otherwise);

// Before somebody looks at the image: what emit_follow() has not put there.
llvm::Function* settling_function(const Program&, llvm::Module&);
void emit_settle(State&, llvm::Function* settling);

}  // namespace vitro::jit
