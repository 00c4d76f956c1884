// Emission of messages that are transfers. PRM: see transfers.cpp. Only the compiler's own files include this.
#pragma once

#include "eu/jit/operands.h"
#include "eu/transfer.h"

namespace vitro::eu::jit {

// Emits that a message was carried out through a window.
void emit_carried(State&, llvm::Value* window);
// Emits the transfer as loads and stores through the window at `window`, which go to `done` when all is moved. Where a
// place lies outside, control goes to `otherwise` before anything has happened.
void emit_transfer(State&, const Plan&, const Transfer&, llvm::Value* window, llvm::BasicBlock* otherwise,
                   llvm::BasicBlock* done);

}  // namespace vitro::eu::jit
