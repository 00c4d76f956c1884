// Emission of messages that are transfers. PRM: see transfers.cpp. Only the compiler's own files include this.
#pragma once

#include "jit/operands.h"

namespace vitro::jit {

// Emits that a message was carried out through a window, if that is counted.
void emit_carried(State&, llvm::Value* window);
struct Conveyance {
  const Plan& plan;
  llvm::Value* window;
  llvm::Value* channels;  // that the instruction enables
  llvm::Value* distance;  // MessageShape::distance
  bool in_order = false;  // slots that go their own ways are left to others, as those with a place outside
};
// Emits the transfer as loads and stores through the window, which go to `done` when all is moved. Where a place lies
// outside, control goes to `otherwise` before anything has happened.
// A call of the window's routine, if there is one, is such, too (routine.cpp).
void emit_routine_call(State&, const Conveyance&, llvm::BasicBlock* otherwise, llvm::BasicBlock* done);
void emit_transfer(State&, const Conveyance&, llvm::BasicBlock* otherwise, llvm::BasicBlock* done);

}  // namespace vitro::jit
