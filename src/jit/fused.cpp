// Fused code: a program with its routines in itself, so that what they do not need of each other disappears: channels
// that nobody reads, factors that are constants, the way of colours through registers. They stand there as one way of
// several: where the window has another routine that is called, and where it has none the shared function is asked.
// PRM: none.
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "jit/emit.h"

namespace vitro::jit {

Fusion::Fusion(const Options& options, const Analysis& analysis, llvm::Module& module, Optimise optimise)
    : options_(options), module_(module), optimise_(std::move(optimise)) {
  for (const code::FusedRoutine& r : options.fused)
    if (!analysis.host_flushes || !keeps_denormals(r.key)) all_.push_back({&r});
}

Fusion::Routine* Fusion::find(size_t instruction) {
  const auto at = std::ranges::find_if(all_, [&](const Routine& r) { return r.what->instruction == instruction; });
  return at == all_.end() ? nullptr : &*at;
}

std::span<const std::byte> Fusion::key(size_t instruction) {
  const Routine* const r = find(instruction);
  return r ? r->what->key : std::span<const std::byte>();
}

llvm::Function* Fusion::function(size_t instruction, size_t times) {
  Routine& r = *find(instruction);
  for (const Routine& other : all_)
    if (other.function && other.what->key == r.what->key) r.function = other.function;
  if (!r.function && (r.function = emit_routine_body(r.what->key, module_))) optimise_(*r.function);
  if (!r.function) return nullptr;
  const size_t each = r.function->getInstructionCount();
  if (each > options_.longest_fused || each * times > options_.all_fused - instructions_) return nullptr;
  instructions_ += each * times;
  return r.function;
}

void Fusion::note(size_t instruction) { find(instruction)->placed = true; }

void Fusion::place() {
  std::vector<llvm::Function*> functions;
  for (const Routine& r : all_)
    if (r.function && std::ranges::find(functions, r.function) == functions.end()) functions.push_back(r.function);
  for (llvm::Function* f : functions) {
    while (!f->use_empty()) {
      llvm::InlineFunctionInfo info;
      const llvm::InlineResult done = llvm::InlineFunction(*llvm::cast<llvm::CallBase>(f->user_back()), info);
      assert(done.isSuccess());
      static_cast<void>(done);
    }
    f->eraseFromParent();
  }
}

code::FusedRoutines Fusion::placed() const {
  code::FusedRoutines some;
  for (const Routine& r : all_)
    if (r.placed) some.push_back(*r.what);
  return some;
}

}  // namespace vitro::jit
