// Making intermediate code: what the compiler's files that do so have for each other. PRM: as those files say. Only
// they include this.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jit/operands.h"

namespace vitro::shared {
struct SampleKey;
struct TargetKey;
}  // namespace vitro::shared

namespace vitro::jit {

inline constexpr const char* function_name = "vitro_eu_program";

// --- whole programs (emit.cpp), and one arithmetic instruction (arithmetic.cpp)

// A function that carries out messages of one kind, those of any program. Who calls it has its registers full of those
// of the program, so it leaves them as they are: its calling convention is that of the declaration.
struct SharedTransfer {
  std::string name;  // tells all that the function depends on, so what has the same name is the same
  Plan plan;         // one of its messages
};
// Routines that are to stand in a program (fused.cpp): each is a function, until its calls are all there.
class Fusion {
 public:
  using Optimise = std::function<void(llvm::Function&)>;
  Fusion(const Options&, const Analysis&, llvm::Module&, Optimise);

  // The key of the routine that is to stand in the place of an instruction's message. Empty: none is.
  std::span<const std::byte> key(size_t instruction);
  // That routine as a function, to be called so many times. Null: it is too long.
  llvm::Function* function(size_t instruction, size_t times);
  // It stands there.
  void note(size_t instruction);
  // Puts the functions in the places of their calls.
  void place();
  // Those that stand in the program.
  code::FusedRoutines placed() const;

 private:
  struct Routine {
    const code::FusedRoutine* what;
    llvm::Function* function = nullptr;
    bool placed = false;
  };
  Routine* find(size_t instruction);

  const Options& options_;
  llvm::Module& module_;
  Optimise optimise_;
  std::vector<Routine> all_;
  size_t instructions_ = 0;  // of calls so far
};

// The functions that this one calls are to be emitted, too. Nothing: the code would reach outside of the thread's
// image, so it must not be used.
std::optional<std::vector<SharedTransfer>> emit(const Program&, const Analysis&, const Options&, Fusion&,
                                                llvm::Module&);
// Puts one of those into a module. Null: it must not be used, likewise.
llvm::Function* emit(const Program&, const Options&, const SharedTransfer&, llvm::Module&);

void emit_arithmetic(State&, const Options&, const Plan&, const Lowered&);

// --- messages (transfers.cpp)

struct Transfer {
  const Plan& plan;
  llvm::Value* window;
  llvm::Value* channels;     // that the instruction enables
  llvm::Value* distance;     // MessageShape::distance
  bool in_order = false;     // slots that go their own ways are left to others, as those with a place outside
  Fusion* fusion = nullptr;  // the routine that may stand in its place, and for which instruction
  size_t instruction = 0;
};
// Emits the transfer as loads and stores through the window, which go to `done` when all is moved. Where a place lies
// outside, control goes to `otherwise` before anything has happened.
void emit_transfer(State&, const Transfer&, llvm::BasicBlock* otherwise, llvm::BasicBlock* done);
// Emits that a message was carried out through a window, if that is counted.
void emit_carried(State&, llvm::Value* window);

// Emits a fence of the host, where something was marked since the last one.
void emit_fence(State&);
void mark_unfenced(State&);

// The functions that a program's messages share (shared_transfers.cpp).
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

// --- routines (routine.cpp)

// Emits the function that code::RoutineCode describes. False: these are not the bytes of a routine's key.
bool emit_routine(std::span<const std::byte> key, llvm::Module&);
// The function over registers alone, which is for a host that keeps denormals if that makes a difference. Null: not a
// routine's key.
llvm::Function* emit_routine_body(std::span<const std::byte> key, llvm::Module&);
bool keeps_denormals(std::span<const std::byte> key);
// What the window's routine does, if there is one, in place or by a call; as emit_transfer.
void emit_routine_call(State&, const Transfer&, llvm::BasicBlock* otherwise, llvm::BasicBlock* done);
// For each kind: the calls of a routine that is there. Of render targets: target_call.cpp.
void emit_sample_call(State&, const Transfer&, llvm::FunctionCallee, llvm::BasicBlock* otherwise,
                      llvm::BasicBlock* done);
void emit_target_call(State&, const Transfer&, llvm::FunctionCallee, llvm::BasicBlock* otherwise,
                      llvm::BasicBlock* done);
// In the place of a message: colours of whole squares, all of which are lit (TargetKey::has_squares); all else goes to
// `others`.
void emit_target_squares(State&, const Transfer&, const shared::TargetKey&, llvm::BasicBlock* others,
                         llvm::BasicBlock* otherwise, llvm::BasicBlock* done);
// The forms of routines over registers; and for each kind emit_routine(), and what such a function does.
llvm::FunctionType* sample_form(llvm::LLVMContext&);
llvm::FunctionType* target_form(llvm::LLVMContext&);
bool emit_sample_routine(std::span<const std::byte> key, llvm::Module&);
bool emit_target_routine(std::span<const std::byte> key, llvm::Module&);
void emit_body(const shared::SampleKey&, llvm::Function&);
void emit_body(const shared::TargetKey&, llvm::Function&);
// Nothing: these are not the bytes of a key of this kind.
template <class Key>
std::optional<Key> routine_key(std::span<const std::byte> bytes) {
  static_assert(std::has_unique_object_representations_v<Key>);
  Key key;
  if (bytes.size() != sizeof key) return std::nullopt;
  std::memcpy(static_cast<void*>(&key), bytes.data(), sizeof key);
  return key;
}
// A function of a routine that does what `body` does, of the same form, with the host keeping denormals.
void emit_in_plain_modes(llvm::Function* outer, llvm::Function* body);

// --- from thread to thread (next_thread.cpp)

// Emits the step from a thread that has ended to the next of its chain. Where there is none, or the image is no longer
// what it was, control goes to `otherwise` before anything has happened. Threads may have changed cr0.0, or do not.
// Returns where the thread's registers stand, of which only r0 may be in the image; if `copies`, all are there.
NextThread emit_next_thread(State&, bool changes_control, bool copies, llvm::BasicBlock* otherwise);
// Fills in State::next_thread and header, where a thread begins that was not put there by code.
void copy_chain(State&);
// Before somebody looks at the image: the part of the payload that emit_next_thread() has not put there.
llvm::Function* payload_spill_function(const Program&, code::ChainForm, llvm::Module&);
void emit_payload_spill(State&, llvm::Function* payload_spill);

}  // namespace vitro::jit
