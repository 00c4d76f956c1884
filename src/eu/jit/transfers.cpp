// Messages that are transfers (eu/transfer.h) in intermediate code. One comparison says whether the slots stand side by
// side, which is what most messages of real programs do: then whole vectors are loaded and stored. Else each slot goes
// its own way, by gathers and scatters. Blocks are vectors anyway. Operations on elements are a loop over the slots
// that take part: host instructions that are atomic cost more than what is around them. PRM: as the data ports'
// scattered, atomic and block messages, in their bounds; out of bounds the data port itself is asked. Of slots that
// write to one place the last one stays: a scatter stores in the order of its lanes.
#include "eu/jit/transfers.h"

#include <llvm/IR/MDBuilder.h>

#include <optional>

#include "eu/message.h"

namespace vitro::eu::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;
using Operation = Transfer::Operation;

constexpr int part_slots = 8;

class Emission {
 public:
  Emission(State& s, const Plan& p, const Transfer& t, Value* window, BasicBlock* otherwise, BasicBlock* done)
      : s_(s), b_(s.b), p_(p), t_(t), window_(window), otherwise_(otherwise), done_(done) {
    const isa::Instruction& i = p.instruction;
    first_registers_ = int(Message{.desc = i.desc.imm}.mlen());
    host_ = b_.CreateLoad(b_.getPtrTy(), s_.at(window, offsetof(Window, host)));
    start_ = b_.CreateLoad(b_.getInt64Ty(), s_.at(window, offsetof(Window, start)));
    limit_ = b_.CreateLoad(b_.getInt64Ty(), s_.at(window, offsetof(Window, limit)));
  }

  void scattered() {
    const int count = t_.slots, parts = count / part_slots;
    const int address_registers = count / (t_.wide ? 4 : 8), body = t_.header ? 1 : 0;
    Value* mask = b_.CreateAnd(s_.write_enable(p_), i32(all(count)));
    if (t_.header_masks) mask = b_.CreateAnd(mask, header_dword(7));
    std::vector<Value*> inside, places;
    for (int part = 0; part < parts; ++part) relate(body, part, places, inside);

    // Side by side, all slots: one place is enough to know.
    BasicBlock *apart = block("apart"), *row = block("row");
    const bool may_be_row = t_.positions == 1 && t_.operation == Operation::none;
    if (may_be_row) {
      Value* first = b_.CreateExtractElement(places[0], uint64_t(0));
      Value* same = nullptr;
      for (int part = 0; part < parts; ++part) {
        Value* there = b_.CreateICmpEQ(places[size_t(part)],
                                       b_.CreateAdd(b_.CreateVectorSplat(part_slots, first), steps(part * part_slots)));
        if (t_.wide || t_.unit > 1) there = b_.CreateAnd(there, inside[size_t(part)]);  // not all bits were compared
        same = same ? b_.CreateAnd(same, there) : there;
      }
      Value* last = b_.CreateAdd(b_.CreateZExt(first, b_.getInt64Ty()), b_.getInt64(uint64_t(count - 1) * t_.element));
      Value* fits = b_.CreateAnd(b_.CreateICmpEQ(mask, i32(all(count))), b_.CreateICmpULT(last, limit_));
      fits = b_.CreateAnd(fits, b_.CreateAndReduce(same));
      b_.CreateCondBr(fits, row, apart);
      b_.SetInsertPoint(row);
      for (int part = 0; part < parts; ++part) {
        Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, b_.CreateZExt(first, b_.getInt64Ty()));
        at = b_.CreateConstGEP1_64(b_.getInt8Ty(), at, uint64_t(part) * part_slots * t_.element);
        if (t_.writes)
          b_.CreateAlignedStore(data(body + address_registers, part), at, llvm::Align(1));
        else
          respond(part, 0, b_.CreateAlignedLoad(elements(), at, llvm::Align(1)), nullptr);
      }
      finish();
    } else {
      b_.CreateBr(apart);
      row->eraseFromParent();
    }

    b_.SetInsertPoint(apart);
    // In numbers, not in vectors of bits: there the code generator (LLVM 19) may not come to an end.
    Value* inside_bits = i32(0);
    std::vector<Value*> enabled;
    for (int part = 0; part < parts; ++part) {
      enabled.push_back(s_.expand(mask, part * part_slots, part_slots));
      inside_bits = b_.CreateOr(inside_bits, s_.collect(inside[size_t(part)], part * part_slots));
    }
    Value* outside = b_.CreateICmpNE(b_.CreateAnd(mask, b_.CreateNot(inside_bits)), i32(0));
    BasicBlock* within = block("within");
    b_.CreateCondBr(outside, otherwise_, within, rarely());
    b_.SetInsertPoint(within);
    if (t_.operation != Operation::none) return operations(mask, places, body + address_registers);
    int register_count = 0;
    for (int position = 0; t_.positions >> position; ++position) {
      if (!(t_.positions >> position & 1)) continue;
      for (int part = 0; part < parts; ++part) {
        Value* base = b_.CreateConstGEP1_64(b_.getInt8Ty(), host_, uint64_t(position) * t_.element);
        Value* at = b_.CreateGEP(b_.getInt8Ty(), base, places[size_t(part)]);
        Value* which = enabled[size_t(part)];
        if (t_.writes)
          b_.CreateMaskedScatter(data(body + address_registers + register_count, part), at, llvm::Align(1), which);
        else
          respond(part, register_count, gathered(at, which), which);
      }
      register_count += t_.slots * in_register() / reg_bytes;
    }
    finish();
  }

  void block_of_bytes() {
    Value* place = b_.getInt64(0);
    if (t_.place != 255) {
      place = b_.CreateZExt(header_dword(t_.place), b_.getInt64Ty());
      if (t_.wide) {
        Value* high = b_.CreateZExt(header_dword(t_.place + 1), b_.getInt64Ty());
        place = b_.CreateOr(place, b_.CreateShl(high, b_.getInt64(32)));
      }
    }
    if (t_.unit > 1) place = b_.CreateMul(place, b_.getInt64(t_.unit));
    place = b_.CreateAnd(place, b_.getInt64(t_.place_bits));
    if (t_.base_bits)
      place = b_.CreateAdd(place, b_.CreateZExt(b_.CreateAnd(header_dword(5), i32(t_.base_bits)), b_.getInt64Ty()));
    place = b_.CreateAdd(place, b_.getInt64(t_.distance));
    Value* distance = b_.CreateSub(place, start_);
    Value* every = i32(p_.lane_mask);
    Value* fits = b_.CreateAnd(b_.CreateICmpEQ(s_.write_enable(p_), every), b_.CreateICmpULT(distance, limit_));
    BasicBlock* within = block("within");
    b_.CreateCondBr(fits, within, otherwise_, often());
    b_.SetInsertPoint(within);
    Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, distance);
    // halves of registers, so that one type does for all sizes
    for (int byte = 0; byte < t_.bytes; byte += 16) {
      const int in = t_.at + byte, half = in % reg_bytes / 16;
      Value* there = b_.CreateConstGEP1_64(b_.getInt8Ty(), at, uint64_t(byte));
      if (half == 0 && t_.bytes - byte >= reg_bytes) {
        if (t_.writes)
          b_.CreateAlignedStore(payload(1 + in / reg_bytes), there, llvm::Align(1));
        else
          b_.CreateStore(b_.CreateAlignedLoad(s_.register_type(), there, llvm::Align(1)), response(in / reg_bytes));
        byte += 16;
        continue;
      }
      std::vector<int> low{0, 1, 2, 3}, high{4, 5, 6, 7};
      llvm::Type* half_type = s_.lanes_of(32, 4);
      if (t_.writes) {
        b_.CreateAlignedStore(b_.CreateShuffleVector(payload(1 + in / reg_bytes), half ? high : low), there,
                              llvm::Align(1));
      } else {
        Value* old = s_.before(p_.instruction.dst.reg + in / reg_bytes);
        Value* fresh = b_.CreateShuffleVector(b_.CreateAlignedLoad(half_type, there, llvm::Align(1)),
                                              std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3});
        std::vector<int> blend;
        for (int k = 0; k < 8; ++k) blend.push_back(k / 4 == half ? 8 + k : k);
        b_.CreateStore(b_.CreateShuffleVector(old, fresh, blend), response(in / reg_bytes));
      }
    }
    finish();
  }

 private:
  // --- operations

  // Where the slots' places, operands and results stand while the loop runs.
  enum Rows : uint8_t { row_of_places, row_of_a, row_of_b, row_of_results };

  void operations(Value* mask, const std::vector<Value*>& places, int data) {
    const int registers = t_.slots * in_register() / reg_bytes;
    for (size_t part = 0; part < places.size(); ++part) b_.CreateStore(places[part], at_slot(row_of_places, part));
    for (int n = 0; n < registers; ++n) {
      for (unsigned k = 0; k < t_.given(); ++k)
        b_.CreateStore(payload(data + int(k) * registers + n), at_slot(Rows(row_of_a + k), size_t(n)));
      if (t_.answers) b_.CreateStore(s_.before(p_.instruction.dst.reg + n), at_slot(row_of_results, size_t(n)));
    }
    BasicBlock *before = b_.GetInsertBlock(), *slot = block("slot"), *all_done = block("all_done");
    b_.CreateCondBr(b_.CreateICmpEQ(mask, i32(0)), all_done, slot);
    b_.SetInsertPoint(slot);
    llvm::PHINode* rest = b_.CreatePHI(b_.getInt32Ty(), 2);
    rest->addIncoming(mask, before);
    Value* n = b_.CreateZExt(b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b_.getTrue()), b_.getInt64Ty());
    Value* place = b_.CreateLoad(b_.getInt32Ty(), b_.CreateGEP(b_.getInt32Ty(), s_.place(row_of_places), n));
    const auto of_slot = [&](Rows row) { return b_.CreateGEP(one(), s_.place(row), n); };
    Value *a = llvm::ConstantInt::get(one(), 1), *b = nullptr;
    if (t_.given() > 0) a = b_.CreateLoad(one(), of_slot(row_of_a));
    if (t_.given() > 1) b = b_.CreateLoad(one(), of_slot(row_of_b));
    Value* old = operation(b_.CreateGEP(b_.getInt8Ty(), host_, b_.CreateZExt(place, b_.getInt64Ty())), a, b);
    if (t_.operation == Operation::predecrement) old = b_.CreateSub(old, a);
    if (t_.answers) b_.CreateStore(old, of_slot(row_of_results));
    Value* others = b_.CreateAnd(rest, b_.CreateSub(rest, i32(1)));
    rest->addIncoming(others, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpEQ(others, i32(0)), all_done, slot);
    b_.SetInsertPoint(all_done);
    for (int r = 0; t_.answers && r < registers; ++r)
      b_.CreateStore(b_.CreateLoad(s_.register_type(), at_slot(row_of_results, size_t(r))), response(r));
    finish();
  }
  Value* at_slot(Rows row, size_t reg) { return s_.at(s_.place(row), reg * reg_bytes); }
  llvm::IntegerType* one() { return b_.getIntNTy(unsigned(8 * t_.element)); }

  // Carries the operation out on an element; gives what was there before.
  Value* operation(Value* at, Value* a, Value* b) {
    if (t_.alone) {
      Value* old = b_.CreateAlignedLoad(one(), at, llvm::Align(1));
      b_.CreateAlignedStore(after(old, a, b), at, llvm::Align(1));
      return old;
    }
    using llvm::AtomicOrdering;
    const llvm::Align natural(t_.element);
    if (const auto direct = host_operation())
      return b_.CreateAtomicRMW(*direct, at, a, natural, AtomicOrdering::AcquireRelease);
    if (t_.operation == Operation::exchange)
      return b_.CreateExtractValue(
          b_.CreateAtomicCmpXchg(at, a, b, natural, AtomicOrdering::AcquireRelease, AtomicOrdering::Monotonic), 0);
    llvm::LoadInst* first = b_.CreateAlignedLoad(one(), at, natural);
    first->setAtomic(AtomicOrdering::Monotonic);
    BasicBlock *before = b_.GetInsertBlock(), *again = block("again"), *changed = block("changed");
    b_.CreateBr(again);
    b_.SetInsertPoint(again);
    llvm::PHINode* old = b_.CreatePHI(one(), 2);
    old->addIncoming(first, before);
    Value* tried = b_.CreateAtomicCmpXchg(at, old, after(old, a, b), natural, AtomicOrdering::AcquireRelease,
                                          AtomicOrdering::Monotonic);
    old->addIncoming(b_.CreateExtractValue(tried, 0), again);
    b_.CreateCondBr(b_.CreateExtractValue(tried, 1), changed, again);
    b_.SetInsertPoint(changed);
    return old;
  }
  std::optional<llvm::AtomicRMWInst::BinOp> host_operation() const {
    using Host = llvm::AtomicRMWInst;
    switch (t_.operation) {
      case Operation::both: return Host::And;
      case Operation::either: return Host::Or;
      case Operation::differing: return Host::Xor;
      case Operation::replacement: return Host::Xchg;
      case Operation::increment:
      case Operation::sum: return Host::Add;
      case Operation::decrement:
      case Operation::predecrement:
      case Operation::difference: return Host::Sub;
      default: return {};
    }
  }
  Value* after(Value* old, Value* a, Value* b) {
    using llvm::CmpInst;
    const auto where = [&](CmpInst::Predicate p) { return b_.CreateSelect(b_.CreateICmp(p, a, old), a, old); };
    const auto of_floats = [&](CmpInst::Predicate p) {
      Value *now = b_.CreateBitCast(old, b_.getFloatTy()), *then = b_.CreateBitCast(a, b_.getFloatTy());
      Value* replaced = b_.CreateFCmp(p, then, now);
      if (t_.operation == Operation::float_exchange) return b_.CreateSelect(replaced, b, old);
      return b_.CreateSelect(b_.CreateOr(replaced, b_.CreateFCmpUNO(now, now)), a, old);
    };
    switch (t_.operation) {
      case Operation::both: return b_.CreateAnd(old, a);
      case Operation::either: return b_.CreateOr(old, a);
      case Operation::differing: return b_.CreateXor(old, a);
      case Operation::increment:
      case Operation::sum: return b_.CreateAdd(old, a);
      case Operation::decrement:
      case Operation::predecrement:
      case Operation::difference: return b_.CreateSub(old, a);
      case Operation::reverse: return b_.CreateSub(a, old);
      case Operation::signed_most: return where(CmpInst::ICMP_SGT);
      case Operation::signed_least: return where(CmpInst::ICMP_SLT);
      case Operation::most: return where(CmpInst::ICMP_UGT);
      case Operation::least: return where(CmpInst::ICMP_ULT);
      case Operation::exchange: return b_.CreateSelect(b_.CreateICmpEQ(old, a), b, old);
      case Operation::float_most: return of_floats(CmpInst::FCMP_OGT);
      case Operation::float_least: return of_floats(CmpInst::FCMP_OLT);
      case Operation::float_exchange: return of_floats(CmpInst::FCMP_OEQ);
      default: return a;
    }
  }

  // --- pieces

  void finish() {
    emit_carried(s_, window_);
    b_.CreateBr(done_);
  }
  static uint32_t all(int count) { return uint32_t(ones(count)); }
  Value* i32(uint32_t v) { return b_.getInt32(v); }
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }
  llvm::MDNode* rarely() { return llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1 << 20); }
  llvm::MDNode* often() { return llvm::MDBuilder(b_.getContext()).createBranchWeights(1 << 20, 1); }
  int in_register() const { return t_.element == 8 ? 8 : 4; }
  llvm::FixedVectorType* elements() { return s_.lanes_of(8 * t_.element, part_slots); }

  Value* payload(int n) {
    const isa::Instruction& i = p_.instruction;
    return s_.whole(n < first_registers_ ? i.src[0].reg + n : i.src[1].reg + n - first_registers_);
  }
  Value* header_dword(int n) { return b_.CreateExtractElement(payload(0), uint64_t(n)); }
  llvm::AllocaInst* response(int n) { return s_.registers[p_.instruction.dst.reg + n]; }

  // Distances of eight slots from the window's start, and whether they are inside.
  void relate(int body, int part, std::vector<Value*>& places, std::vector<Value*>& inside) {
    if (t_.wide) {
      std::vector<int> both;
      for (int k = 0; k < part_slots; ++k) both.push_back(k);
      llvm::Type* four = s_.lanes_of(64, 4);
      Value* v = b_.CreateShuffleVector(b_.CreateBitCast(payload(body + 2 * part), four),
                                        b_.CreateBitCast(payload(body + 2 * part + 1), four), both);
      v = b_.CreateAnd(v, splat_of(v->getType(), t_.place_bits));
      v = b_.CreateSub(v, b_.CreateVectorSplat(part_slots, start_));
      inside.push_back(b_.CreateICmpULT(v, b_.CreateVectorSplat(part_slots, limit_)));
      places.push_back(b_.CreateTrunc(v, s_.register_type()));
      return;
    }
    Value* v = payload(body + part);
    if (t_.header_adds) v = b_.CreateAdd(v, b_.CreateVectorSplat(part_slots, header_dword(2)));
    Value* small = nullptr;
    if (t_.unit > 1) {  // a product past 32 bits is out of any window
      small = b_.CreateICmpULT(v, splat_of(v->getType(), most_window_bytes / t_.unit));
      v = b_.CreateMul(v, splat_of(v->getType(), t_.unit));
    }
    v = b_.CreateAnd(v, splat_of(v->getType(), uint32_t(t_.place_bits)));
    v = b_.CreateSub(v, b_.CreateVectorSplat(part_slots, b_.CreateTrunc(start_, b_.getInt32Ty())));
    Value* in = b_.CreateICmpULT(v, b_.CreateVectorSplat(part_slots, b_.CreateTrunc(limit_, b_.getInt32Ty())));
    inside.push_back(small ? b_.CreateAnd(in, small) : in);
    places.push_back(v);
  }
  Value* steps(int first) {
    std::vector<llvm::Constant*> at;
    for (int k = 0; k < part_slots; ++k) at.push_back(b_.getInt32(uint32_t((first + k) * t_.element)));
    return llvm::ConstantVector::get(at);
  }

  // Elements of eight slots, as memory has them, from register n on.
  Value* data(int n, int part) {
    if (t_.element == 8) {
      std::vector<int> both;
      for (int k = 0; k < part_slots; ++k) both.push_back(k);
      llvm::Type* four = s_.lanes_of(64, 4);
      return b_.CreateShuffleVector(b_.CreateBitCast(payload(n + 2 * part), four),
                                    b_.CreateBitCast(payload(n + 2 * part + 1), four), both);
    }
    return b_.CreateTrunc(payload(n + part), elements());
  }
  Value* gathered(Value* at, Value* which) {
    llvm::FixedVectorType* type = t_.element == 8 ? elements() : s_.lanes_of(32, part_slots);
    Value* v = b_.CreateMaskedGather(type, at, llvm::Align(1), which, llvm::Constant::getNullValue(type));
    return t_.element < 4 ? b_.CreateTrunc(v, elements()) : v;
  }
  // To the response from register n on; under a mask, if there is one.
  void respond(int part, int n, Value* v, Value* which) {
    if (t_.element == 8) {
      for (int half = 0; half < 2; ++half) {
        std::vector<int> four;
        for (int k = 0; k < 4; ++k) four.push_back(4 * half + k);
        put(n + 2 * part + half, b_.CreateShuffleVector(v, four),
            which ? b_.CreateShuffleVector(which, four) : nullptr);
      }
      return;
    }
    put(n + part, b_.CreateZExt(v, s_.register_type()), which);
  }
  void put(int n, Value* v, Value* which) {
    if (which) {
      Value* old = b_.CreateBitCast(s_.before(p_.instruction.dst.reg + n), v->getType());
      v = b_.CreateSelect(which, v, old);
    }
    b_.CreateStore(b_.CreateBitCast(v, s_.register_type()), response(n));
  }

  State& s_;
  Builder& b_;
  const Plan& p_;
  const Transfer& t_;
  Value* window_;
  BasicBlock *otherwise_, *done_;
  Value *host_, *start_, *limit_;
  int first_registers_ = 0;
};

}  // namespace

void emit_carried(State& s, Value* window) {
  Value* count = s.at(window, offsetof(Window, carried));
  s.b.CreateStore(s.b.CreateAdd(s.b.CreateLoad(s.b.getInt64Ty(), count), s.b.getInt64(1)), count);
}

void emit_transfer(State& state, const Plan& p, const Transfer& t, Value* window, BasicBlock* otherwise,
                   BasicBlock* done) {
  Emission e(state, p, t, window, otherwise, done);
  if (t.kind == Transfer::Kind::scattered)
    e.scattered();
  else
    e.block_of_bytes();
}

}  // namespace vitro::eu::jit
