// One thread after the other in one call. Threads of short programs, of which a dispatch may have millions, live for
// some ten nanoseconds: what changes between two of them is done here, and nothing else. That is their own part of the
// payload and their masks, and r0 from group to group, while the image's other registers are clean; else they are
// started as the first one was. Own data are taken from where the dispatcher has them; the image gets them only when
// somebody is to look at it. PRM: Gen8 vol 7 "GPGPU thread payload": threads of a group have common data and data of
// their own.
#include "jit/emit.h"

#include <llvm/IR/Module.h>

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

Value* is_clean(const State& s) {
  Value* dirty = s.b.CreateLoad(s.b.getInt32Ty(), s.at(s.call, offsetof(Call, dirty)));
  return s.b.CreateICmpEQ(dirty, s.b.getInt32(0));
}

class Step {
 public:
  explicit Step(State& s) : s_(s), b_(s.b) {
    chain_ = b_.CreateLoad(b_.getPtrTy(), s.at(s.call, offsetof(Call, chain)));
  }

  // Goes on with the next thread of the group, or with the first of the next group.
  void begin(BasicBlock* otherwise) {
    BasicBlock *clean = block(), *over = block(), *group = block(), *next = block();
    b_.CreateCondBr(is_clean(s_), clean, otherwise, s_.mostly());
    b_.SetInsertPoint(clean);
    Value* here = b_.CreateLoad(b_.getInt64Ty(), s_.next_thread);
    if (s_.chain.apart()) {
      b_.CreateCondBr(b_.CreateICmpNE(here, b_.getInt64(0)), next, otherwise, s_.mostly());
      over->eraseFromParent(), group->eraseFromParent();
      b_.SetInsertPoint(next);
      next_ = here;
      note();
      Value* from_end = b_.CreateMul(next_, load(b_.getInt64Ty(), offsetof(ThreadChain, record_distance)));
      Value* record = b_.CreateGEP(b_.getInt8Ty(), load(b_.getPtrTy(), offsetof(ThreadChain, records_end)), from_end);
      b_.CreateStore(record, load(b_.getPtrTy(), offsetof(ThreadChain, record)));
      return;
    }
    b_.CreateCondBr(b_.CreateICmpNE(here, b_.getInt64(0)), next, over, s_.mostly());
    b_.SetInsertPoint(over);
    Value* groups = load(b_.getInt64Ty(), offsetof(ThreadChain, groups));
    b_.CreateCondBr(b_.CreateICmpNE(groups, b_.getInt64(0)), group, otherwise, s_.mostly());
    b_.SetInsertPoint(group);
    b_.CreateStore(b_.CreateSub(groups, b_.getInt64(1)), field(offsetof(ThreadChain, groups)));
    Value* step = b_.CreateAlignedLoad(s_.register_type(), field(offsetof(ThreadChain, step)), llvm::Align(reg_bytes));
    Value* header = b_.CreateAdd(b_.CreateLoad(s_.register_type(), s_.header), step);
    b_.CreateStore(header, s_.header);
    b_.CreateAlignedStore(header, s_.image(State::image_offset(0), reg_bytes), llvm::Align(reg_bytes));
    Value* first = load(b_.getInt64Ty(), offsetof(ThreadChain, first));
    b_.CreateBr(next);
    b_.SetInsertPoint(next);
    llvm::PHINode* which = b_.CreatePHI(b_.getInt64Ty(), 2);
    which->addIncoming(here, clean);
    which->addIncoming(first, group);
    next_ = which;
    note();
  }
  // Which one it is, and what those before it have executed.
  void note() {
    Value* after = b_.CreateAdd(next_, b_.getInt64(1));
    b_.CreateStore(after, s_.next_thread);
    b_.CreateStore(after, field(offsetof(ThreadChain, next)));
    b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), s_.executed), s_.at(s_.call, offsetof(Call, before)));
  }
  // The registers that the thread is started with.
  NextThread registers() {
    Value* from_end = b_.CreateMul(next_, load(b_.getInt64Ty(), offsetof(ThreadChain, payload_distance)));
    return {b_.CreateGEP(b_.getInt8Ty(), load(b_.getPtrTy(), offsetof(ThreadChain, payloads_end)), from_end),
            s_.chain.apart() ? second(next_) : nullptr};
  }
  Value* second(Value* which) {
    Value* all = load(b_.getPtrTy(), offsetof(ThreadChain, seconds_end));
    return b_.CreateLoad(b_.getPtrTy(), b_.CreateGEP(b_.getPtrTy(), all, which));
  }
  // Of the thread that is next, or of the one that runs.
  void copy_own_data(bool of_current = false) {
    llvm::Type *quad = b_.getInt64Ty(), *byte = b_.getInt8Ty();
    Value* which = of_current ? b_.CreateSub(load(quad, offsetof(ThreadChain, next)), b_.getInt64(1)) : next_;
    Value* from_end = b_.CreateMul(which, load(quad, offsetof(ThreadChain, own_distance)));
    Value* own = b_.CreateGEP(byte, load(b_.getPtrTy(), offsetof(ThreadChain, own_end)), from_end);
    copy_registers(own, load(b_.getPtrTy(), offsetof(ThreadChain, own_to)),
                   load(quad, offsetof(ThreadChain, own_bytes)));
    if (s_.chain.apart())
      copy_registers(second(which), load(b_.getPtrTy(), offsetof(ThreadChain, second_to)),
                     load(quad, offsetof(ThreadChain, second_bytes)));
  }
  void copy_registers(Value* own, Value* to, Value* bytes) {
    llvm::Type *quad = b_.getInt64Ty(), *byte = b_.getInt8Ty();
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
  // What code keeps of a chain is as others have left it.
  void copy() {
    b_.CreateStore(load(b_.getInt64Ty(), offsetof(ThreadChain, next)), s_.next_thread);
    Value* image = s_.image(State::image_offset(0), reg_bytes);
    b_.CreateStore(b_.CreateAlignedLoad(s_.register_type(), image, llvm::Align(reg_bytes)), s_.header);
  }
  void restore_control() { s_.store(load(b_.getInt32Ty(), offsetof(ThreadChain, cr)), offsetof(Thread, cr)); }
  // Most threads have the channels of the one before.
  void enable_channels() {
    llvm::Type* word = b_.getInt32Ty();
    constexpr size_t dispatch_mask = offsetof(Thread, sr) + 2 * sizeof(uint32_t);
    Value* place = b_.CreateGEP(word, load(b_.getPtrTy(), offsetof(ThreadChain, masks_end)), next_);
    Value* mask = b_.CreateLoad(word, place);
    BasicBlock *others = block(), *done = block();
    b_.CreateCondBr(b_.CreateICmpEQ(mask, s_.load(dispatch_mask)), done, others, s_.mostly());
    b_.SetInsertPoint(others);
    Value* by_fours = vector_mask(b_, mask);
    Value* by_mask = b_.CreateAnd(load(word, offsetof(ThreadChain, cr)), b_.getInt32(cr_vector_mask));
    Value* channels = b_.CreateSelect(b_.CreateICmpEQ(by_mask, b_.getInt32(0)), mask, by_fours);
    s_.store(mask, dispatch_mask);
    s_.store(by_fours, dispatch_mask + sizeof(uint32_t));
    s_.store(channels, offsetof(Thread, active));
    s_.store(channels, offsetof(Thread, dispatched));
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }

  BasicBlock* block() { return BasicBlock::Create(b_.getContext(), "next_thread", b_.GetInsertBlock()->getParent()); }

 private:
  Value* field(size_t offset) { return s_.at(chain_, offset); }
  Value* load(llvm::Type* type, size_t offset) { return b_.CreateLoad(type, field(offset)); }

  State& s_;
  Builder& b_;
  Value *chain_, *next_ = nullptr;
};

}  // namespace

void copy_chain(State& s) { Step(s).copy(); }

NextThread emit_next_thread(State& s, bool changes_control, bool copies, BasicBlock* otherwise) {
  Step step(s);
  step.begin(otherwise);
  const NextThread registers = copies ? NextThread{} : step.registers();
  if (copies) step.copy_own_data();
  if (changes_control) step.restore_control();
  step.enable_channels();
  return registers;
}

llvm::Function* payload_spill_function(const Program& program, code::ChainForm chain, llvm::Module& module) {
  llvm::LLVMContext& c = module.getContext();
  llvm::Function* f = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(c), {llvm::PointerType::getUnqual(c)}, false),
      llvm::Function::InternalLinkage, "spill_payload", module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::Cold);
  f->setCallingConv(llvm::CallingConv::PreserveAll);
  Builder b(c);
  b.SetInsertPoint(BasicBlock::Create(c, "start", f));
  State s{.b = b, .program = program, .call = f->getArg(0), .chain = chain};
  Step(s).copy_own_data(true);
  b.CreateRetVoid();
  return f;
}

void emit_payload_spill(State& s, llvm::Function* payload_spill) {
  llvm::Function* here = s.b.GetInsertBlock()->getParent();
  BasicBlock *spill = BasicBlock::Create(s.b.getContext(), "spill", here),
             *spilled = BasicBlock::Create(s.b.getContext(), "spilled", here);
  s.b.CreateCondBr(is_clean(s), spill, spilled);
  s.b.SetInsertPoint(spill);
  s.b.CreateCall(payload_spill, {s.call})->setCallingConv(payload_spill->getCallingConv());
  s.b.CreateBr(spilled);
  s.b.SetInsertPoint(spilled);
}

}  // namespace vitro::jit
