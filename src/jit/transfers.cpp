// Messages that code carries out (isa/message_shape.h) in intermediate code. One comparison says whether the slots
// stand side by side, which is what most messages of real programs do: then whole vectors are loaded and stored.
// Another one finds those that read one place. Else each slot goes its own way, by gathers and scatters. Blocks are
// vectors anyway. Operations on elements are a loop over the slots that take part: host instructions that are atomic
// cost more than what is around them. PRM: as the data ports' scattered, atomic and block messages, in their bounds;
// out of bounds the data port itself is asked. Of slots that write to one place the last one stays: a scatter stores in
// the order of its lanes.
#include "jit/emit.h"

#include <bit>

#include "eu/message.h"
#include "shared/dataport/atomics.h"
#include "shared/gateway.h"
#include "shared/urb.h"

namespace vitro::jit {

// What the expressions of atomics.h ask for besides operators.
static IrTruth equal(IrInt x, IrInt y) { return x == y; }
static IrTruth less(IrInt x, IrInt y) { return as_unsigned(x) < as_unsigned(y); }
static IrTruth less_signed(IrInt x, IrInt y) { return signed_dword(x) < signed_dword(y); }

namespace {

using isa::AtomicOp;
using llvm::BasicBlock;
using llvm::Value;
using shared::Arrivals;
using shared::atomic_answer;
using shared::AtomicOperation;
using shared::HostAtomic;
using shared::with_operation;

constexpr int part_slots = 8;

// By HostAtomic.
constexpr llvm::AtomicRMWInst::BinOp host_operations[] = {
    llvm::AtomicRMWInst::BAD_BINOP, llvm::AtomicRMWInst::And, llvm::AtomicRMWInst::Or, llvm::AtomicRMWInst::Xor,
    llvm::AtomicRMWInst::Xchg,      llvm::AtomicRMWInst::Add, llvm::AtomicRMWInst::Sub};

class TransferEmitter {
 public:
  TransferEmitter(State& s, const Transfer& c, BasicBlock* otherwise, BasicBlock* done)
      : s_(s), b_(s.b), p_(c.plan), t_(c.plan.message.shape), c_(c), otherwise_(otherwise), done_(done) {
    host_ = b_.CreateLoad(b_.getPtrTy(), s_.at(c_.window, offsetof(Window, host)));
    start_ = b_.CreateLoad(b_.getInt64Ty(), s_.at(c_.window, offsetof(Window, start)));
    limit_ = b_.CreateLoad(b_.getInt64Ty(), s_.at(c_.window, offsetof(Window, limit)));
  }

  void scattered() {
    const int parts = t_.slots / part_slots, body = t_.header ? 1 : 0;
    data_ = body + int(t_.place_registers());
    mask_ = b_.CreateAnd(c_.channels, i32(all(t_.slots)));
    if (t_.masks_header) mask_ = b_.CreateAnd(mask_, header_dword(7));
    for (int part = 0; part < parts; ++part) enabled_.push_back(s_.expand(mask_, part * part_slots, part_slots));
    find_progression(body);
    const auto name = [&] {
      for (int part = 0; part < parts; ++part) named_.push_back(address(body, part));
    };
    if (!progression_) name();
    // The place of the first slot, which is enough to know where they have a simple order. A product past 32 bits is
    // out of any window.
    Value* first =
        progression_ ? s_.progressions->first(*progression_) : b_.CreateExtractElement(named_[0], uint64_t(0));
    distance_ = t_.wide() ? first : b_.CreateZExt(first, b_.getInt64Ty());
    if (t_.unit > 1) distance_ = b_.CreateMul(distance_, b_.getInt64(t_.unit));
    distance_ = b_.CreateSub(b_.CreateAnd(distance_, b_.getInt64(t_.place_bits())), start_);
    if (!t_.is_atomic()) {
      if (row()) return;
      if (!t_.is_write && !c_.in_order && uniform()) return;
    }
    if (progression_) name();
    if (c_.in_order)
      b_.CreateBr(otherwise_);
    else
      apart();
  }

  // Whoever is the last to arrive is the function's business.
  void arrival() {
    Value* name = b_.CreateZExt(b_.CreateAnd(header_dword(2), i32(t_.name_bits)), b_.getInt64Ty());
    BasicBlock *known = block("known"), *counted = block("counted");
    b_.CreateCondBr(b_.CreateAnd(b_.CreateICmpNE(limit_, b_.getInt64(0)), b_.CreateICmpEQ(name, start_)), known,
                    otherwise_);
    b_.SetInsertPoint(known);
    Value* arrived = b_.CreateLoad(b_.getInt32Ty(), s_.at(host_, offsetof(Arrivals, arrived)));
    Value* count = b_.CreateLoad(b_.getInt32Ty(), s_.at(host_, offsetof(Arrivals, count)));
    Value* now = b_.CreateAdd(arrived, i32(1));
    b_.CreateCondBr(b_.CreateICmpEQ(now, count), otherwise_, counted);
    b_.SetInsertPoint(counted);
    b_.CreateStore(now, s_.at(host_, offsetof(Arrivals, arrived)));
    Value* sr = s_.load(offsetof(Thread, sr));
    Value* place = b_.CreateZExt(Arrivals::place(value(sr), value(b_.CreateLShr(sr, 8))).v, b_.getInt64Ty());
    Value* marked = s_.at(host_, offsetof(Arrivals, marked));
    Value* word = b_.CreateGEP(b_.getInt64Ty(), marked, b_.CreateLShr(place, 6));
    Value* bit = b_.CreateShl(b_.getInt64(1), b_.CreateAnd(place, b_.getInt64(63)));
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt64Ty(), word), bit), word);
    finish();
  }

  // Dwords of eight entries of the URB: what stands together there is a register each here. Channels that are disabled
  // write to the entry behind the last.
  void entries() {
    BasicBlock *known = block("known"), *within = block("within");
    b_.CreateCondBr(b_.CreateICmpNE(limit_, b_.getInt64(0)), known, otherwise_, s_.often());
    b_.SetInsertPoint(known);
    using Row = shared::UrbEntries::Row;
    Value* at = b_.CreateLoad(b_.getPtrTy(), s_.at(host_, offsetof(Row, at)));
    Value* entry_dw = b_.CreateLoad(b_.getInt32Ty(), s_.at(host_, offsetof(Row, entry_dw)));
    Value* count = b_.CreateLoad(b_.getInt32Ty(), s_.at(host_, offsetof(Row, count)));
    const Bits handle = s_.program.model().messages->urb_handle;
    Value* handles =
        b_.CreateAnd(b_.CreateLShr(payload(0), handle.lo), splat_of(s_.register_type(), ones(handle.width())));
    mask_ = b_.CreateAnd(c_.channels, i32(all(part_slots)));
    Value* others = b_.CreateVectorSplat(part_slots, count);
    Value* inside = s_.collect(b_.CreateICmpULT(handles, others), 0);
    Value* fits = b_.CreateICmpEQ(b_.CreateAnd(mask_, b_.CreateNot(inside)), i32(0));
    const int dwords = int(payload_count(p_)) - 1;
    Value* end_dw = b_.CreateAdd(b_.CreateLShr(b_.CreateTrunc(c_.distance, b_.getInt32Ty()), 2), i32(uint32_t(dwords)));
    b_.CreateCondBr(b_.CreateAnd(fits, b_.CreateICmpULE(end_dw, entry_dw)), within, otherwise_, s_.often());
    b_.SetInsertPoint(within);
    Value* numbers = b_.CreateSelect(s_.expand(mask_, 0, part_slots), handles, others);
    Value* places = b_.CreateMul(numbers, b_.CreateVectorSplat(part_slots, entry_dw));
    at = b_.CreateGEP(b_.getInt8Ty(), at, c_.distance);
    const std::array<Value*, part_slots> rows = transposed(dwords);
    std::vector<int> stored;
    for (int k = 0; k < dwords; ++k) stored.push_back(k);
    for (int slot = 0; slot < part_slots; ++slot) {
      Value* place = b_.CreateZExt(b_.CreateExtractElement(places, uint64_t(slot)), b_.getInt64Ty());
      b_.CreateAlignedStore(b_.CreateShuffleVector(rows[size_t(slot)], stored),
                            b_.CreateGEP(b_.getInt32Ty(), at, place), llvm::Align(4));
    }
    finish();
  }

  void block_of_bytes() {
    Value* place = b_.getInt64(0);
    if (t_.place != t_.no_place) {
      place = b_.CreateZExt(header_dword(t_.place), b_.getInt64Ty());
      if (t_.wide()) {
        Value* high = b_.CreateZExt(header_dword(t_.place + 1), b_.getInt64Ty());
        place = b_.CreateOr(place, b_.CreateShl(high, b_.getInt64(32)));
      }
    }
    if (t_.unit > 1) place = b_.CreateMul(place, b_.getInt64(t_.unit));
    place = b_.CreateAnd(place, b_.getInt64(t_.place_bits()));
    if (t_.base_bits)
      place = b_.CreateAdd(place, b_.CreateZExt(b_.CreateAnd(header_dword(5), i32(t_.base_bits)), b_.getInt64Ty()));
    place = b_.CreateAdd(place, c_.distance);
    Value* distance = b_.CreateSub(place, start_);
    Value* every = i32(p_.lane_mask);
    Value* fits = b_.CreateAnd(b_.CreateICmpEQ(c_.channels, every), b_.CreateICmpULT(distance, limit_));
    BasicBlock* within = block("within");
    b_.CreateCondBr(fits, within, otherwise_, s_.often());
    b_.SetInsertPoint(within);
    Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, distance);
    // halves of registers, so that one type does for all sizes
    for (int byte = 0; byte < t_.bytes; byte += 16) {
      const int in = t_.at + byte, half = in % reg_bytes / 16;
      Value* there = b_.CreateConstGEP1_64(b_.getInt8Ty(), at, uint64_t(byte));
      if (half == 0 && t_.bytes - byte >= reg_bytes) {
        if (t_.is_write)
          b_.CreateAlignedStore(payload(1 + in / reg_bytes), there, llvm::Align(1));
        else
          b_.CreateStore(b_.CreateAlignedLoad(s_.register_type(), there, llvm::Align(1)), response(in / reg_bytes));
        byte += 16;
        continue;
      }
      std::vector<int> low{0, 1, 2, 3}, high{4, 5, 6, 7};
      llvm::Type* half_type = s_.lanes_of(32, 4);
      if (t_.is_write) {
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
  // --- slots in order: each tries a form, and leaves the insertion point where it does not apply. True: no other form
  // does, and where this one does not, somebody else is asked

  // Whether all addresses are a progression, as the payload has them. Vectors of them are made where they are wanted.
  void find_progression(int body) {
    if (!s_.progressions || t_.wide() || t_.adds_header) return;
    progression_ = s_.progressions->of(payload_register(body));
    for (int part = 1; progression_ && part < t_.slots / part_slots; ++part) {
      const std::optional<Progression> p = s_.progressions->of(payload_register(body + part));
      const uint32_t offset = progression_->offset + uint32_t(part * part_slots) * progression_->step;
      if (!p || p->base != progression_->base || p->step != progression_->step || p->offset != offset)
        progression_.reset();
    }
  }
  bool all_take_part() const {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(mask_);
    return mask && mask->getZExtValue() == all(t_.slots);
  }
  // Addresses are compared as the payload has them, so that messages with the same ones compare them once. If they are
  // a progression with another distance, they are not compared.
  Value* stand_apart_by(unsigned bytes) {
    if (progression_) return b_.getInt1(progression_->step == bytes / t_.unit);
    Value *first = b_.CreateExtractElement(named_[0], uint64_t(0)), *all_do = nullptr;
    for (size_t part = 0; part < named_.size(); ++part) {
      Value* there = b_.CreateVectorSplat(part_slots, first);
      if (bytes) there = b_.CreateAdd(there, steps(named_[0]->getType(), int(part), bytes / t_.unit));
      Value* same = b_.CreateICmpEQ(named_[part], there);
      all_do = all_do ? b_.CreateAnd(all_do, same) : same;
    }
    return b_.CreateAndReduce(all_do);
  }
  // The block for where the condition does not hold.
  BasicBlock* when(Value* condition, const char* name, bool no_other) {
    BasicBlock *holds = block(name), *not_so = no_other ? otherwise_ : block("");
    b_.CreateCondBr(condition, holds, not_so, no_other ? s_.often() : s_.mostly());
    b_.SetInsertPoint(holds);
    return not_so;
  }

  // Side by side, all slots, each with one element or with several.
  bool row() {
    const int elements_of_slot = std::popcount(t_.positions);
    if (t_.positions & (t_.positions + 1)) return false;  // holes
    unsigned bytes = unsigned(elements_of_slot) * t_.element;
    if (elements_of_slot == 3 && !t_.is_write) bytes = 4u * t_.element;  // as three of four are mostly kept
    if (bytes % t_.unit || (elements_of_slot > 1 && t_.element != 4)) return false;
    Value* apart = stand_apart_by(bytes);
    if (never(apart)) return false;
    // then a slot outside is one for which the data port is to be asked
    const bool known = progression_ && all_take_part();
    Value* fits = b_.CreateICmpEQ(mask_, i32(all(t_.slots)));
    if (elements_of_slot == 1) {
      Value* limit = b_.CreateLoad(b_.getInt64Ty(), s_.at(c_.window, offsetof(Window, row_limit)));
      fits = b_.CreateAnd(fits, b_.CreateICmpULT(distance_, limit));
    } else {
      const uint64_t further = uint64_t(t_.slots - 1) * bytes + bytes - t_.reach();
      Value* limit = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, limit_, b_.getInt64(further));
      fits = b_.CreateAnd(fits, b_.CreateICmpULT(distance_, limit));
    }
    BasicBlock* not_so = when(b_.CreateAnd(fits, apart), "row", known);
    for (int part = 0; part < t_.slots / part_slots; ++part) {
      Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, distance_);
      at = b_.CreateConstGEP1_64(b_.getInt8Ty(), at, uint64_t(part) * part_slots * bytes);
      if (elements_of_slot == 1 && t_.is_write)
        b_.CreateAlignedStore(data(data_, part), at, llvm::Align(1));
      else if (elements_of_slot == 1)
        respond(part, 0, b_.CreateAlignedLoad(elements(), at, llvm::Align(1)), nullptr);
      else
        structures(at, part, elements_of_slot, int(bytes) / t_.element);
    }
    finish();
    if (!known) b_.SetInsertPoint(not_so);
    return known;
  }
  static bool never(Value* condition) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(condition);
    return constant && constant->isZero();
  }
  // Eight slots of some elements each, `distance` elements apart: what stands together in memory is eight registers'
  // lanes apart here.
  void structures(Value* at, int part, int count, int distance) {
    llvm::Type* together = s_.lanes_of(32, part_slots * distance);
    const int registers = int(t_.row_registers());
    if (!t_.is_write) {
      Value* all_of_them = b_.CreateAlignedLoad(together, at, llvm::Align(1));
      for (int k = 0; k < count; ++k) {
        std::vector<int> lanes;
        for (int slot = 0; slot < part_slots; ++slot) lanes.push_back(slot * distance + k);
        respond(part, k * registers, b_.CreateShuffleVector(all_of_them, lanes), nullptr);
      }
      return;
    }
    Value* in_order = data(data_, part);
    for (int k = 1; k < count; ++k) {  // one behind the other
      Value* next = data(data_ + k * registers, part);
      std::vector<int> wider, both;
      for (int lane = 0; lane < part_slots * (k + 1); ++lane) both.push_back(lane);
      for (int lane = 0; lane < part_slots * k; ++lane) wider.push_back(lane < part_slots ? lane : -1);
      in_order = b_.CreateShuffleVector(in_order, b_.CreateShuffleVector(next, wider), both);
    }
    std::vector<int> lanes;
    for (int slot = 0; slot < part_slots; ++slot)
      for (int k = 0; k < count; ++k) lanes.push_back(k * part_slots + slot);
    b_.CreateAlignedStore(b_.CreateShuffleVector(in_order, lanes), at, llvm::Align(1));
  }

  // Of the payload's first registers of data: what each slot has of them, in a register each. Neighbours are put
  // together in ones, twos and fours, by what hosts have instructions for: they interleave within halves of registers.
  std::array<Value*, part_slots> transposed(int count) {
    std::array<Value*, part_slots> rows;
    for (int k = 0; k < part_slots; ++k)
      rows[size_t(k)] = k < count ? payload(1 + k) : llvm::PoisonValue::get(s_.register_type());
    const auto pairs = [&](int distance, const std::vector<int>& low, const std::vector<int>& high) {
      for (int k = 0; k < part_slots; ++k) {
        if (k & distance) continue;
        Value *a = rows[size_t(k)], *b = rows[size_t(k + distance)];
        rows[size_t(k)] = b_.CreateShuffleVector(a, b, low);
        rows[size_t(k + distance)] = b_.CreateShuffleVector(a, b, high);
      }
    };
    pairs(1, {0, 8, 1, 9, 4, 12, 5, 13}, {2, 10, 3, 11, 6, 14, 7, 15});
    pairs(2, {0, 1, 8, 9, 4, 5, 12, 13}, {2, 3, 10, 11, 6, 7, 14, 15});
    pairs(4, {0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15});
    return {rows[0], rows[2], rows[1], rows[3], rows[4], rows[6], rows[5], rows[7]};
  }

  // All slots read one place.
  bool uniform() {
    Value* together = stand_apart_by(0);
    if (never(together)) return false;
    const bool known = progression_ && all_take_part();
    BasicBlock* not_so = when(b_.CreateAnd(b_.CreateICmpULT(distance_, limit_), together), "uniform", known);
    Value* at = b_.CreateGEP(b_.getInt8Ty(), host_, distance_);
    each_position([&](int position, int reg) {
      Value* there = b_.CreateConstGEP1_64(b_.getInt8Ty(), at, uint64_t(position) * t_.element);
      Value* v = b_.CreateAlignedLoad(elements()->getElementType(), there, llvm::Align(1));
      for (int part = 0; part < t_.slots / part_slots; ++part)
        respond(part, reg, b_.CreateVectorSplat(part_slots, v), enabled_[size_t(part)]);
    });
    finish();
    if (!known) b_.SetInsertPoint(not_so);
    return known;
  }

  // Each slot goes its own way.
  void apart() {
    std::vector<Value*> inside, places;
    for (Value* v : named_) relate(v, places, inside);
    // In numbers, not in vectors of bits: there the code generator (LLVM 19) may not come to an end.
    Value* inside_bits = i32(0);
    for (int part = 0; part < int(named_.size()); ++part)
      inside_bits = b_.CreateOr(inside_bits, s_.collect(inside[size_t(part)], part * part_slots));
    Value* outside = b_.CreateICmpNE(b_.CreateAnd(mask_, b_.CreateNot(inside_bits)), i32(0));
    BasicBlock* within = block("within");
    b_.CreateCondBr(outside, otherwise_, within, s_.rarely());
    b_.SetInsertPoint(within);
    if (t_.is_atomic()) return operations(mask_, places, data_);
    each_position([&](int position, int reg) {
      for (int part = 0; part < int(named_.size()); ++part) {
        Value* base = b_.CreateConstGEP1_64(b_.getInt8Ty(), host_, uint64_t(position) * t_.element);
        Value* at = b_.CreateGEP(b_.getInt8Ty(), base, places[size_t(part)]);
        Value* which = enabled_[size_t(part)];
        if (t_.is_write)
          b_.CreateMaskedScatter(data(data_ + reg, part), at, llvm::Align(1), which);
        else
          respond(part, reg, gathered(at, which), which);
      }
    });
    finish();
  }
  // Calls f with each position that has an element, and the first of its registers.
  template <class F>
  void each_position(F f) {
    int reg = 0;
    for (int position = 0; t_.positions >> position; ++position)
      if (t_.positions >> position & 1) {
        f(position, reg);
        reg += int(t_.row_registers());
      }
  }

  // --- operations

  // Where the slots' places, operands and results stand while the loop runs.
  enum Rows : uint8_t { row_of_places, row_of_a, row_of_b, row_of_results };

  void operations(Value* mask, const std::vector<Value*>& places, int data) {
    const int registers = int(t_.row_registers());
    s_.holds(registers * reg_bytes <= State::place_bytes && int(places.size()) * reg_bytes <= State::place_bytes);
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
    if (t_.answers) b_.CreateStore(answer(old, a, b), of_slot(row_of_results));
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
    if (t_.space == isa::AddressSpace::slm) {
      Value* old = b_.CreateAlignedLoad(one(), at, llvm::Align(1));
      b_.CreateAlignedStore(after(old, a, b), at, llvm::Align(1));
      return old;
    }
    using llvm::AtomicOrdering;
    const llvm::Align natural(t_.element);
    const auto host = with_operation(t_.operation, []<AtomicOp op>() { return AtomicOperation<op>::host; });
    if (host != HostAtomic::none)
      return b_.CreateAtomicRMW(host_operations[size_t(host)], at, a, natural, AtomicOrdering::AcquireRelease);
    if (t_.operation == AtomicOp::cmpwr)
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
  // What an operation stores, and what it answers: the expressions of atomics.h.
  IrInt value(Value* v) { return {&b_, v}; }
  Value* after(Value* old, Value* a, Value* b) {
    return with_operation(t_.operation, [&]<AtomicOp op>() {
      return AtomicOperation<op>::after(value(old), value(a), value(b ? b : a)).v;
    });
  }
  Value* answer(Value* old, Value* a, Value* b) {
    return with_operation(t_.operation,
                          [&]<AtomicOp op>() { return atomic_answer<op>(value(old), value(a), value(b ? b : a)).v; });
  }

  // --- pieces

  void finish() {
    emit_carried(s_, c_.window);
    b_.CreateBr(done_);
  }
  static uint32_t all(int count) { return uint32_t(ones(count)); }
  Value* i32(uint32_t v) { return b_.getInt32(v); }
  BasicBlock* block(const char* name) {
    return BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }
  llvm::FixedVectorType* elements() { return s_.lanes_of(8 * t_.element, part_slots); }

  int payload_register(int n) const { return int(eu::payload_register(p_.instruction, unsigned(n))); }
  Value* payload(int n) { return s_.register_value(payload_register(n)); }
  Value* header_dword(int n) { return b_.CreateExtractElement(payload(0), uint64_t(n)); }
  llvm::AllocaInst* response(int n) { return s_.variable(p_.instruction.dst.reg + n); }

  // What the payload says of eight slots' places.
  Value* address(int body, int part) {
    if (t_.wide()) return quads(body + 2 * part);
    Value* v = payload(body + part);
    return t_.adds_header ? b_.CreateAdd(v, b_.CreateVectorSplat(part_slots, header_dword(2))) : v;
  }
  // Distances of these places from the window's start, and whether they are inside.
  void relate(Value* v, std::vector<Value*>& places, std::vector<Value*>& inside) {
    if (t_.wide()) {
      v = b_.CreateAnd(v, splat_of(v->getType(), t_.place_bits()));
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
    v = b_.CreateAnd(v, splat_of(v->getType(), uint32_t(t_.place_bits())));
    v = b_.CreateSub(v, b_.CreateVectorSplat(part_slots, b_.CreateTrunc(start_, b_.getInt32Ty())));
    Value* in = b_.CreateICmpULT(v, b_.CreateVectorSplat(part_slots, b_.CreateTrunc(limit_, b_.getInt32Ty())));
    inside.push_back(small ? b_.CreateAnd(in, small) : in);
    places.push_back(v);
  }
  // How much further on slots of a part are than the first of all, at a distance from each other.
  Value* steps(llvm::Type* type, int part, unsigned distance) {
    std::vector<llvm::Constant*> at;
    for (int k = 0; k < part_slots; ++k)
      at.push_back(llvm::ConstantInt::get(type->getScalarType(), uint64_t(part * part_slots + k) * distance));
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
  const isa::MessageShape& t_;
  const Transfer& c_;
  BasicBlock *otherwise_, *done_;
  Value *host_, *start_, *limit_;
  // of a scattered message
  Value *mask_ = nullptr, *distance_ = nullptr;  // slots that take part; the first one's place in the window
  std::vector<Value*> named_, enabled_;          // addresses and truths, eight slots each
  std::optional<Progression> progression_{};     // that the addresses are known to be
  int data_ = 0;                                 // register of the payload where the data begin
};

}  // namespace

void emit_carried(State& s, Value* window) {
  if (!s.counts_carried) return;
  Value* count = s.at(window, offsetof(Window, carried));
  s.b.CreateStore(s.b.CreateAdd(s.b.CreateLoad(s.b.getInt64Ty(), count), s.b.getInt64(1)), count);
}

// It takes longer than all else between two barriers, where a group works in its shared local memory: that is one host
// thread's, which needs none for it.
void emit_fence(State& s) {
  llvm::Function* here = s.b.GetInsertBlock()->getParent();
  BasicBlock *fences = BasicBlock::Create(s.b.getContext(), "fences", here),
             *fenced = BasicBlock::Create(s.b.getContext(), "fenced", here);
  Value* marked = s.at(s.call, offsetof(Call, unfenced));
  s.b.CreateCondBr(s.b.CreateIsNull(s.b.CreateLoad(s.b.getInt32Ty(), marked)), fenced, fences);
  s.b.SetInsertPoint(fences);
  s.b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  s.b.CreateStore(s.b.getInt32(0), marked);
  s.b.CreateBr(fenced);
  s.b.SetInsertPoint(fenced);
  // the compiler moves nothing across either way
  s.b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}
void mark_unfenced(State& s) { s.b.CreateStore(s.b.getInt32(1), s.at(s.call, offsetof(Call, unfenced))); }

void emit_transfer(State& state, const Transfer& c, BasicBlock* otherwise, BasicBlock* done) {
  if (c.plan.message.shape.has_routine()) return emit_routine_call(state, c, otherwise, done);
  TransferEmitter e(state, c, otherwise, done);
  if (c.plan.message.shape.only_counts)
    e.arrival();
  else if (c.plan.message.shape.action == isa::MessageAction::urb_simd8_write)
    e.entries();
  else if (c.plan.message.shape.is_scattered())
    e.scattered();
  else
    e.block_of_bytes();
}

}  // namespace vitro::jit
