// Routines as intermediate code. PRM: as routine.h.
#include "jit/routine.h"

#include <llvm/IR/Module.h>

#include <cstring>

#include "jit/emit.h"
#include "jit/lane_values.h"
#include "shared/sampler/sample_lanes.h"

namespace vitro::jit {

bool emit_routine(std::span<const std::byte> bytes, llvm::Module& module) {
  using shared::SampleFacts;
  shared::SampleKey key;
  static_assert(std::has_unique_object_representations_v<shared::SampleKey>);
  if (bytes.size() != sizeof key) return false;
  std::memcpy(static_cast<void*>(&key), bytes.data(), sizeof key);
  llvm::IRBuilder<> b(module.getContext());
  llvm::PointerType* pointer = b.getPtrTy();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                          llvm::Function::ExternalLinkage, function_name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  for (unsigned n : {0u, 1u, 2u}) function->addParamAttr(n, llvm::Attribute::NoAlias);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  const LaneValues d{b, 8};
  const auto place = [&](unsigned argument, size_t vector) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), function->getArg(argument), vector * 32);
  };
  const auto parameter = [&](size_t n) {
    return LaneInt{&b, b.CreateAlignedLoad(d.ints(), place(1, n), llvm::Align(4))};
  };
  const shared::SampleLanes<LaneValues> lanes{d, key, {function->getArg(0)}};
  const auto out = lanes({parameter(0), parameter(1), parameter(2), parameter(3), parameter(4)});
  for (size_t n = 0; n < out.size(); ++n) b.CreateAlignedStore(out[n].v, place(2, n), llvm::Align(4));
  b.CreateRetVoid();
  return true;
}

}  // namespace vitro::jit
