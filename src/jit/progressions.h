// Lanes that count up. The words that say which work items a thread has are, in most groups, one more from channel to
// channel, or the same in all of them, which is compared once for a thread. What a
// program in a straight line makes of them by sums, shifts and products is a progression as well, and then the places
// of a message need not be compared with each other. Here is what is known of registers while such a program is
// emitted: their last values, and those that are progressions as two numbers, from which a vector is made where one is
// wanted. PRM: none of its own; a sum modulo 2^32 of progressions modulo 2^32 is one.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "jit/analysis.h"
#include "jit/values.h"

namespace vitro::jit {

// Element k is base + offset + k * step, modulo 2^32.
struct Progression {
  llvm::Value* base = nullptr;  // null: 0
  uint32_t offset = 0, step = 0;

  bool is_constant() const { return !base && step == 0; }
};

// Whether registers of sixteen words are progressions, as all of them are expected to be, and no word is above 0x7FFF.
class Comparison {
 public:
  explicit Comparison(Builder& b) : b_(b) {}
  void add(llvm::Value* place, uint32_t step);
  llvm::Value* result();

 private:
  Builder& b_;
  llvm::Value *others_ = nullptr, *firsts_ = nullptr;  // what differs; all first words
};

class Progressions {
 public:
  explicit Progressions(Builder& b) : b_(b) {}

  // --- registers

  // A register has this value from now on, until something else is said of it.
  void set(int r, llvm::Value* value);
  // It has sixteen words, from the one at a place on, which were compared.
  void set_words(int r, llvm::Value* place, uint32_t step);
  void forget(const Registers& which);
  // Null: it is not known.
  llvm::Value* value(int r);

  // Of its dwords. Nothing: it is none.
  const std::optional<Progression>& of(int r) const { return registers_[r].progression; }
  // The first element, as a number.
  llvm::Value* first(const Progression& p) { return sum(p.base, p.offset); }

 private:
  struct Known {
    llvm::Value* value = nullptr;
    std::optional<Progression> progression{};
  };
  llvm::FixedVectorType* vector_of(unsigned bits, unsigned n) {
    return llvm::FixedVectorType::get(b_.getIntNTy(bits), n);
  }
  llvm::Value* made(const Progression& p);
  // Of vectors of dwords, and of words that were picked.
  std::optional<Progression> of(llvm::Value* vector);
  std::optional<Progression> found_in(llvm::Value* vector);
  std::optional<Progression> of_picked(const llvm::ShuffleVectorInst& picked);
  std::optional<Progression> of_operation(const llvm::BinaryOperator& operation);
  static std::optional<Progression> of_constant(const llvm::Constant& vector);
  static Progression scaled(const Progression& p, uint32_t factor, llvm::Value* base) {
    return {base, p.offset * factor, p.step * factor};
  }
  // Numbers, each computed once: what is equal is the same value.
  llvm::Value* number(unsigned operation, llvm::Value* a, llvm::Value* b);
  llvm::Value* element(llvm::Value* vector, uint64_t n);
  llvm::Value* sum(llvm::Value* a, uint32_t n) {
    llvm::Value* more = b_.getInt32(n);
    return !a ? more : n ? number(llvm::Instruction::Add, a, more) : a;
  }

  Builder& b_;
  Known registers_[register_count] = {};
  std::map<llvm::Value*, std::optional<Progression>> known_;  // vectors that were looked at
  std::map<std::tuple<unsigned, llvm::Value*, llvm::Value*>, llvm::Value*> numbers_;
};

}  // namespace vitro::jit
