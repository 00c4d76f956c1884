// One thread of a group after the other in one call. Threads of short programs, of which a dispatch may have millions,
// live for some twenty nanoseconds: what changes between two of them is written here, and nothing else. That is their
// own part of the payload and their masks, while the image's other registers are untouched; else they are started as
// the first one was. PRM: Gen8 vol 7 "GPGPU thread payload": threads of a group have common data and data of their own.
#include "eu/jit/follow.h"

#include <llvm/IR/MDBuilder.h>

namespace vitro::eu::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// Bit n of all four channels, if one of them has a bit.
Value* vector_mask(Builder& b, Value* mask) {
  Value* any = b.CreateOr(mask, b.CreateLShr(mask, 1));
  any = b.CreateAnd(b.CreateOr(any, b.CreateLShr(any, 2)), b.getInt32(0x11111111));
  return b.CreateMul(any, b.getInt32(15));
}

}  // namespace

void emit_follow(State& s, Value* executed, Value* budget, BasicBlock* begin, BasicBlock* otherwise) {
  Builder& b = s.b;
  llvm::Type *word = b.getInt32Ty(), *quad = b.getInt64Ty(), *pointer = b.getPtrTy();
  llvm::Function* function = b.GetInsertBlock()->getParent();
  const auto block = [&] { return BasicBlock::Create(b.getContext(), "follow", function); };
  Value* succession = b.CreateLoad(pointer, s.at(s.call, offsetof(Call, succession)));
  const auto field = [&](size_t offset) { return s.at(succession, offset); };
  Value* left = b.CreateLoad(word, field(offsetof(Succession, left)));
  Value* touched = b.CreateLoad(word, s.at(s.call, offsetof(Call, touched)));
  Value* can = b.CreateAnd(b.CreateICmpNE(left, b.getInt32(0)), b.CreateICmpEQ(touched, b.getInt32(0)));
  can = b.CreateAnd(can, b.CreateICmpULT(executed, budget));
  BasicBlock *before = block(), *copy = block(), *after = block();
  b.CreateCondBr(can, before, otherwise);

  b.SetInsertPoint(before);
  const auto add = [&](size_t offset, Value* what) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(quad, field(offset)), what), field(offset));
  };
  b.CreateStore(b.CreateSub(left, b.getInt32(1)), field(offsetof(Succession, left)));
  add(offsetof(Succession, threads), b.getInt64(1));
  add(offsetof(Succession, instructions), executed);
  b.CreateStore(b.CreateSub(budget, executed), s.at(s.call, offsetof(Call, budget)));
  Value* own = b.CreateLoad(pointer, field(offsetof(Succession, own)));
  Value* bytes = b.CreateLoad(quad, field(offsetof(Succession, own_bytes)));
  b.CreateStore(b.CreateGEP(b.getInt8Ty(), own, bytes), field(offsetof(Succession, own)));
  Value* to = b.CreateGEP(b.getInt8Ty(), s.at(s.thread, offsetof(Thread, grf)),
                          b.CreateLoad(quad, field(offsetof(Succession, own_at))));
  b.CreateCondBr(b.CreateICmpEQ(bytes, b.getInt64(0)), after, copy);

  b.SetInsertPoint(copy);
  llvm::PHINode* at = b.CreatePHI(quad, 2);
  Value* v = b.CreateAlignedLoad(s.register_type(), b.CreateGEP(b.getInt8Ty(), own, at), llvm::Align(1));
  b.CreateAlignedStore(v, b.CreateGEP(b.getInt8Ty(), to, at), llvm::Align(reg_bytes));
  Value* next = b.CreateAdd(at, b.getInt64(reg_bytes));
  at->addIncoming(b.getInt64(0), before);
  at->addIncoming(next, copy);
  b.CreateCondBr(b.CreateICmpULT(next, bytes), copy, after);

  b.SetInsertPoint(after);
  Value* masks = b.CreateLoad(pointer, field(offsetof(Succession, masks)));
  b.CreateStore(s.at(masks, sizeof(uint32_t)), field(offsetof(Succession, masks)));
  Value *mask = b.CreateLoad(word, masks), *by_fours = vector_mask(b, mask);
  Value* control = b.CreateLoad(word, field(offsetof(Succession, cr)));
  Value* channels =
      b.CreateSelect(b.CreateICmpEQ(b.CreateAnd(control, b.getInt32(cr_vector_mask)), b.getInt32(0)), mask, by_fours);
  s.store(mask, offsetof(Thread, sr) + 2 * sizeof(uint32_t));
  s.store(by_fours, offsetof(Thread, sr) + 3 * sizeof(uint32_t));
  s.store(control, offsetof(Thread, cr));
  s.store(channels, offsetof(Thread, active));
  s.store(channels, offsetof(Thread, dispatched));
  b.CreateBr(begin);
}

}  // namespace vitro::eu::jit
