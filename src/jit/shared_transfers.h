// Transfers that messages share. PRM: see shared_transfers.cpp. Only the compiler's own files include this.
#pragma once

#include <string>
#include <vector>

#include "jit/transfers.h"

namespace vitro::jit {

// A function that carries out messages of one kind, those of any program. Who calls it has its registers full of those
// of the program, so it leaves them as they are: its calling convention is that of the declaration.
struct SharedTransfer {
  std::string name;  // tells all that the function depends on, so what has the same name is the same
  Plan plan;         // one of its messages
};
// Puts it into a module. Null: it would reach outside of the thread's image, so it must not be used.
llvm::Function* emit(const Program&, const Options&, const SharedTransfer&, llvm::Module&);

// Those of a program.
class SharedTransfers {
 public:
  SharedTransfers(const Options& options, llvm::Module& module) : options_(options), module_(module) {}

  // Declares the function of a message. It is given the call, the plan and the arguments; what it returns,
  // Call::transfer does.
  llvm::FunctionCallee function(const Plan&);
  static std::vector<llvm::Value*> arguments(State&, const Plan&, int site);
  // Declares a function that only does what Call::transfer does, and is given what that is given.
  llvm::FunctionCallee asking();
  // What was declared.
  std::vector<SharedTransfer>& all() { return all_; }

 private:
  void want(const SharedTransfer&);

  const Options& options_;
  llvm::Module& module_;
  std::vector<SharedTransfer> all_;
};

}  // namespace vitro::jit
