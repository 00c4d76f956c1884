// Messages that are transfers (eu/transfer.h) in intermediate code. One comparison says whether the slots stand side by
// side, which is what most messages of real programs do: then whole vectors are loaded and stored. Else each slot goes
// its own way, by gathers and scatters. Blocks are vectors anyway.
// PRM: as the data ports' scattered and block messages, in their bounds; out of bounds the data port itself is asked.
// Of slots that write to one place the last one stays: a scatter stores in the order of its lanes.
#include "eu/jit/transfers.h"

#include <llvm/IR/MDBuilder.h>

#include "eu/message.h"

namespace vitro::eu::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;

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
    std::vector<Value*> named, inside, places;
    for (int part = 0; part < parts; ++part) named.push_back(address(body, part));

    // Side by side, all slots: one place is enough to know. Addresses are compared as the payload has them, so that
    // messages with the same ones compare them once.
    BasicBlock *apart = block("apart"), *row = block("row");
    const bool may_be_row = t_.positions == 1 && t_.element % t_.unit == 0;
    if (may_be_row) {
      Value* first = b_.CreateExtractElement(named[0], uint64_t(0));
      Value* same = nullptr;
      for (int part = 0; part < parts; ++part) {
        Value* beside = b_.CreateAdd(b_.CreateVectorSplat(part_slots, first), steps(named[0]->getType(), part));
        Value* there = b_.CreateICmpEQ(named[size_t(part)], beside);
        same = same ? b_.CreateAnd(same, there) : there;
      }
      // A product past 32 bits is out of any window.
      Value* distance = t_.wide ? first : b_.CreateZExt(first, b_.getInt64Ty());
      if (t_.unit > 1) distance = b_.CreateMul(distance, b_.getInt64(t_.unit));
      distance = b_.CreateSub(b_.CreateAnd(distance, b_.getInt64(t_.place_bits)), start_);
      Value* limit_of_first = b_.CreateLoad(b_.getInt64Ty(), s_.at(window_, offsetof(Window, row_limit)));
      Value* fits = b_.CreateAnd(b_.CreateICmpEQ(mask, i32(all(count))), b_.CreateICmpULT(distance, limit_of_first));
      fits = b_.CreateAnd(fits, b_.CreateAndReduce(same));
      b_.CreateCondBr(fits, row, apart);
      b_.SetInsertPoint(row);
      for (int part = 0; part < parts; ++part) {
        Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, distance);
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
    for (Value* v : named) relate(v, places, inside);
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

  // What the payload says of eight slots' places.
  Value* address(int body, int part) {
    if (t_.wide) return quads(body + 2 * part);
    Value* v = payload(body + part);
    return t_.header_adds ? b_.CreateAdd(v, b_.CreateVectorSplat(part_slots, header_dword(2))) : v;
  }
  // Distances of these places from the window's start, and whether they are inside.
  void relate(Value* v, std::vector<Value*>& places, std::vector<Value*>& inside) {
    if (t_.wide) {
      v = b_.CreateAnd(v, splat_of(v->getType(), t_.place_bits));
      v = b_.CreateSub(v, b_.CreateVectorSplat(part_slots, start_));
      inside.push_back(b_.CreateICmpULT(v, b_.CreateVectorSplat(part_slots, limit_)));
      places.push_back(b_.CreateTrunc(v, s_.register_type()));
      return;
    }
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
  // How much further on slots of a part are than the first of all.
  Value* steps(llvm::Type* type, int part) {
    std::vector<llvm::Constant*> at;
    for (int k = 0; k < part_slots; ++k)
      at.push_back(
          llvm::ConstantInt::get(type->getScalarType(), uint64_t(part * part_slots + k) * t_.element / t_.unit));
    return llvm::ConstantVector::get(at);
  }
  // Eight elements of 64 bits in two registers.
  Value* quads(int n) {
    std::vector<int> both;
    for (int k = 0; k < part_slots; ++k) both.push_back(k);
    llvm::Type* four = s_.lanes_of(64, 4);
    return b_.CreateShuffleVector(b_.CreateBitCast(payload(n), four), b_.CreateBitCast(payload(n + 1), four), both);
  }

  // Elements of eight slots, as memory has them, from register n on.
  Value* data(int n, int part) {
    if (t_.element == 8) return quads(n + 2 * part);
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
