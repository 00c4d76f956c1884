// One thread of a group after the other in one call. Threads of short programs, of which a dispatch may have millions,
// live for some twenty nanoseconds: what changes between two of them is written here, and nothing else. That is their
// own part of the payload and their masks, while the image's other registers are untouched; else they are started as
// the first one was. PRM: Gen8 vol 7 "GPGPU thread payload": threads of a group have common data and data of their own.
#include "jit/follow.h"

namespace vitro::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// All four bits, if one of them is set.
Value* vector_mask(Builder& b, Value* mask) {
  Value* any = b.CreateOr(mask, b.CreateLShr(mask, 1));
  any = b.CreateAnd(b.CreateOr(any, b.CreateLShr(any, 2)), b.getInt32(0x11111111));
  return b.CreateMul(any, b.getInt32(15));
}

class Step {
 public:
  explicit Step(State& s) : s_(s), b_(s.b) {
    succession_ = b_.CreateLoad(b_.getPtrTy(), s.at(s.call, offsetof(Call, succession)));
    next_ = load(b_.getInt64Ty(), offsetof(Succession, next));
  }

  Value* can() {
    Value* touched = b_.CreateLoad(b_.getInt32Ty(), s_.at(s_.call, offsetof(Call, touched)));
    return b_.CreateAnd(b_.CreateICmpNE(next_, b_.getInt64(0)), b_.CreateICmpEQ(touched, b_.getInt32(0)));
  }
  void count() {
    b_.CreateStore(b_.CreateAdd(next_, b_.getInt64(1)), field(offsetof(Succession, next)));
    b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), s_.executed), s_.at(s_.call, offsetof(Call, before)));
  }
  void copy_own_data() {
    llvm::Type *quad = b_.getInt64Ty(), *byte = b_.getInt8Ty();
    Value* from_end = b_.CreateMul(next_, load(quad, offsetof(Succession, own_distance)));
    Value* own = b_.CreateGEP(byte, load(b_.getPtrTy(), offsetof(Succession, own_end)), from_end);
    Value* to = load(b_.getPtrTy(), offsetof(Succession, own_to));
    Value* bytes = load(quad, offsetof(Succession, own_bytes));
    BasicBlock *before = b_.GetInsertBlock(), *copy = block(), *after = block();
    b_.CreateCondBr(b_.CreateICmpEQ(bytes, b_.getInt64(0)), after, copy);
    b_.SetInsertPoint(copy);
    llvm::PHINode* place = b_.CreatePHI(quad, 2);
    Value* v = b_.CreateAlignedLoad(s_.register_type(), b_.CreateGEP(byte, own, place), llvm::Align(1));
    b_.CreateAlignedStore(v, b_.CreateGEP(byte, to, place), llvm::Align(reg_bytes));
    Value* next = b_.CreateAdd(place, b_.getInt64(reg_bytes));
    place->addIncoming(b_.getInt64(0), before);
    place->addIncoming(next, copy);
    b_.CreateCondBr(b_.CreateICmpULT(next, bytes), copy, after);
    b_.SetInsertPoint(after);
  }
  void restore_control() { s_.store(load(b_.getInt32Ty(), offsetof(Succession, cr)), offsetof(Thread, cr)); }
  // Most threads have the channels of the one before.
  void enable_channels() {
    llvm::Type* word = b_.getInt32Ty();
    constexpr size_t dispatch_mask = offsetof(Thread, sr) + 2 * sizeof(uint32_t);
    Value* place = b_.CreateGEP(word, load(b_.getPtrTy(), offsetof(Succession, masks_end)), next_);
    Value* mask = b_.CreateLoad(word, place);
    BasicBlock *others = block(), *done = block();
    b_.CreateCondBr(b_.CreateICmpEQ(mask, s_.load(dispatch_mask)), done, others, s_.mostly());
    b_.SetInsertPoint(others);
    Value* by_fours = vector_mask(b_, mask);
    Value* by_mask = b_.CreateAnd(load(word, offsetof(Succession, cr)), b_.getInt32(cr_vector_mask));
    Value* channels = b_.CreateSelect(b_.CreateICmpEQ(by_mask, b_.getInt32(0)), mask, by_fours);
    s_.store(mask, dispatch_mask);
    s_.store(by_fours, dispatch_mask + sizeof(uint32_t));
    s_.store(channels, offsetof(Thread, active));
    s_.store(channels, offsetof(Thread, dispatched));
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }

  BasicBlock* block() { return BasicBlock::Create(b_.getContext(), "follow", b_.GetInsertBlock()->getParent()); }

 private:
  Value* field(size_t offset) { return s_.at(succession_, offset); }
  Value* load(llvm::Type* type, size_t offset) { return b_.CreateLoad(type, field(offset)); }

  State& s_;
  Builder& b_;
  Value *succession_, *next_;
};

}  // namespace

void emit_follow(State& s, bool changes_control, BasicBlock* begin, BasicBlock* otherwise) {
  Step step(s);
  BasicBlock* next = step.block();
  s.b.CreateCondBr(step.can(), next, otherwise, s.mostly());
  s.b.SetInsertPoint(next);
  step.count();
  step.copy_own_data();
  if (changes_control) step.restore_control();
  step.enable_channels();
  s.b.CreateBr(begin);
}

}  // namespace vitro::jit
