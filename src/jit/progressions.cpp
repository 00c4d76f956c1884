// Progressions are found in what was emitted: vectors of the intermediate code are followed back through sums, shifts,
// products and shuffles to words that are known and to constants. PRM: none, see progressions.h.
#include "jit/progressions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace vitro::jit {

using llvm::Instruction;
using llvm::Value;

namespace {

Value* without_casts(Value* v) {
  while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(v)) v = cast->getOperand(0);
  return v;
}

// Sixteen words, from the one at a place on.
struct Words {
  Value *first, *all;
};
Words words_from(Builder& b, Value* place, uint32_t step) {
  Value* first = b.CreateAlignedLoad(b.getInt16Ty(), place, llvm::Align(2));
  Value* all = b.CreateVectorSplat(16, first);
  std::vector<llvm::Constant*> further;
  for (uint32_t k = 0; k < 16; ++k) further.push_back(b.getInt16(uint16_t(k * step)));
  return {first, step ? b.CreateAdd(all, llvm::ConstantVector::get(further)) : all};
}

}  // namespace

void Comparison::add(Value* place, uint32_t step) {
  const Words w = words_from(b_, place, step);
  Value* found = b_.CreateAlignedLoad(w.all->getType(), place, llvm::Align(reg_bytes));
  Value* others = b_.CreateXor(found, w.all);
  others_ = others_ ? b_.CreateOr(others_, others) : others;
  firsts_ = firsts_ ? b_.CreateOr(firsts_, w.first) : w.first;
}

// In numbers, not in vectors of bits, as in transfers.cpp.
Value* Comparison::result() {
  Value* others = b_.CreateOrReduce(b_.CreateBitCast(others_, llvm::FixedVectorType::get(b_.getInt64Ty(), 4)));
  Value* same = b_.CreateICmpEQ(others, b_.getInt64(0));
  return b_.CreateAnd(same, b_.CreateICmpULT(firsts_, b_.getInt16(0x8000 - 16)));
}

void Progressions::set(int r, Value* value) { registers_[r] = {value, of(value)}; }

void Progressions::set_words(int r, Value* place, uint32_t step) {
  const auto [first, words] = words_from(b_, place, step);
  known_[words] = Progression{b_.CreateZExt(first, b_.getInt32Ty()), 0, step};
  registers_[r] = {b_.CreateBitCast(words, vector_of(32, 8)), {}};
}

void Progressions::forget(const Registers& which) {
  for (size_t r = 0; r < which.size(); ++r)
    if (which[r]) registers_[r] = {};
}

// Where it is wanted, lest it be computed where it is not.
Value* Progressions::value(int r) {
  const Known& k = registers_[r];
  if (!k.progression) return k.value;
  Value* v = made(*k.progression);
  known_[v] = *k.progression;
  return v;
}

Value* Progressions::made(const Progression& p) {
  std::vector<llvm::Constant*> further;
  for (uint32_t k = 0; k < 8; ++k) further.push_back(b_.getInt32(p.offset + k * p.step));
  llvm::Constant* rest = llvm::ConstantVector::get(further);
  return p.base ? b_.CreateAdd(b_.CreateVectorSplat(8, p.base), rest) : rest;
}

std::optional<Progression> Progressions::of(Value* vector) {
  Value* v = without_casts(vector);
  if (v->getType() != vector->getType()) return std::nullopt;
  if (const auto at = known_.find(v); at != known_.end()) return at->second;
  const std::optional<Progression> found = found_in(v);
  known_[v] = found;
  return found;
}

std::optional<Progression> Progressions::found_in(Value* v) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  if (!type) return std::nullopt;
  if (const auto* picked = llvm::dyn_cast<llvm::ShuffleVectorInst>(v)) return of_picked(*picked);
  if (!type->getElementType()->isIntegerTy(32)) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(v)) return of_constant(*constant);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(v)) return of_operation(*operation);
  // words are picked and nothing else before they become dwords, so each is exact, and none is negative
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(v)) {
    Value* words = llvm::cast<llvm::CastInst>(v)->getOperand(0);
    if (words->getType()->getScalarType()->isIntegerTy(16)) return of(words);
  }
  return std::nullopt;
}

std::optional<Progression> Progressions::of_constant(const llvm::Constant& vector) {
  uint32_t before = 0;
  Progression p;
  const unsigned n = llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
  for (unsigned k = 0; k < n; ++k) {
    const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(vector.getAggregateElement(k));
    if (!element) return std::nullopt;
    const auto value = uint32_t(element->getZExtValue());
    if (k == 0) p.offset = value;
    if (k == 1) p.step = value - before;
    if (k > 0 && value - before != p.step) return std::nullopt;
    before = value;
  }
  return p;
}

std::optional<Progression> Progressions::of_picked(const llvm::ShuffleVectorInst& picked) {
  const llvm::ArrayRef<int> mask = picked.getShuffleMask();
  const int from = mask[0], distance = mask.size() > 1 ? mask[1] - from : 0;
  Value* source = picked.getOperand(0);
  const int elements = int(llvm::cast<llvm::FixedVectorType>(source->getType())->getNumElements());
  for (size_t k = 0; k < mask.size(); ++k)
    if (mask[k] < 0 || mask[k] >= elements || mask[k] != from + int(k) * distance) return std::nullopt;
  if (const std::optional<Progression> p = of(source))
    return Progression{p->base, p->offset + uint32_t(from) * p->step, uint32_t(distance) * p->step};
  if (distance != 0 || !picked.getType()->getScalarType()->isIntegerTy(32)) return std::nullopt;
  if (const auto* inserted = llvm::dyn_cast<llvm::InsertElementInst>(source))
    if (const auto* at = llvm::dyn_cast<llvm::ConstantInt>(inserted->getOperand(2));
        at && at->equalsInt(uint64_t(from))) {
      Value* scalar = inserted->getOperand(1);
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(scalar))
        return Progression{nullptr, uint32_t(constant->getZExtValue()), 0};
      if (auto* taken = llvm::dyn_cast<llvm::ExtractElementInst>(scalar))
        if (const auto* n = llvm::dyn_cast<llvm::ConstantInt>(taken->getIndexOperand()))
          return Progression{element(taken->getVectorOperand(), n->getZExtValue()), 0, 0};
      return Progression{scalar, 0, 0};
    }
  return Progression{element(source, uint64_t(from)), 0, 0};
}

std::optional<Progression> Progressions::of_operation(const llvm::BinaryOperator& operation) {
  const auto op = operation.getOpcode();
  if (op != Instruction::Add && op != Instruction::Sub && op != Instruction::Shl && op != Instruction::Mul)
    return std::nullopt;
  const std::optional<Progression> a = of(operation.getOperand(0)), b = of(operation.getOperand(1));
  if (!a || !b) return std::nullopt;
  switch (op) {
    case Instruction::Add:
      return Progression{a->base && b->base ? number(op, a->base, b->base)
                         : a->base          ? a->base
                                            : b->base,
                         a->offset + b->offset, a->step + b->step};
    case Instruction::Sub:
      return Progression{b->base ? number(op, a->base ? a->base : b_.getInt32(0), b->base) : a->base,
                         a->offset - b->offset, a->step - b->step};
    case Instruction::Shl: {
      if (!b->is_constant() || b->offset > 31) return std::nullopt;
      return scaled(*a, 1u << b->offset, a->base ? number(op, a->base, b_.getInt32(b->offset)) : nullptr);
    }
    default: break;
  }
  if (a->is_constant() || b->is_constant()) {
    const Progression &factor = a->is_constant() ? *a : *b, &other = a->is_constant() ? *b : *a;
    return scaled(other, factor.offset, other.base ? number(op, other.base, b_.getInt32(factor.offset)) : nullptr);
  }
  if (a->step || b->step) return std::nullopt;
  return Progression{number(op, first(*a), first(*b)), 0, 0};
}

Value* Progressions::number(unsigned operation, Value* a, Value* b) {
  Value*& known = numbers_[{operation, a, b}];
  if (!known) known = b_.CreateBinOp(Instruction::BinaryOps(operation), a, b);
  return known;
}
Value* Progressions::element(Value* vector, uint64_t n) {
  Value*& known = numbers_[{Instruction::ExtractElement, vector, b_.getInt64(n)}];
  if (!known) known = b_.CreateExtractElement(vector, n);
  return known;
}

}  // namespace vitro::jit
