// Transfers that messages share. PRM: see shared_transfers.cpp. Only the compiler's own files include this.
#pragma once

#include <utility>
#include <vector>

#include "eu/jit/transfers.h"

namespace vitro::eu::jit {

class SharedTransfers {
 public:
  SharedTransfers(const Program& program, const Options& options, llvm::Module& module)
      : program_(program), options_(options), module_(module) {}

  // The function of a message. It is given the call, the plan and the arguments; what it returns, Call::transfer does.
  llvm::FunctionCallee function(const Plan&, const Transfer&);
  static std::vector<llvm::Value*> arguments(State&, const Plan&, const Transfer&, int site);

 private:
  struct Key {
    Transfer transfer;
    uint32_t lanes;
    int first_registers;  // of the payload, before those of the second source
    bool operator==(const Key&) const = default;
  };

  const Program& program_;
  const Options& options_;
  llvm::Module& module_;
  std::vector<std::pair<Key, llvm::Function*>> functions_;
};

}  // namespace vitro::eu::jit
