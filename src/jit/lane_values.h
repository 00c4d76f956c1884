// The compiler's lane domain: the words of lanes/domain.h over values of the intermediate code, so that a function
// written in them is emitted where it is used. Any number of lanes. PRM: none.
// Floats are without flags that would allow the code generator to change them; what is not defined in intermediate code
// (conversions of numbers that do not fit, wide shifts) is made so here.
#pragma once

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "jit/values.h"
#include "lanes/domain.h"

namespace vitro::jit {

// The domain: where code is emitted, and for how many lanes.
struct LaneValues {
  using F = IrFloat;
  using I = IrInt;
  using M = IrTruth;
  using Truth = llvm::Value*;
  using Pointer = llvm::Value*;
  using Alone = LaneValues;
  template <class R>
  struct Record {
    llvm::Value* at;
    template <class Base>
    requires std::is_base_of_v<Base, R>
    operator Record<Base>() const { return {at}; }
  };

  // Sixteen lanes are one register of the host, and as fast as eight.
  static bool host_has_sixteen() { return __builtin_cpu_supports("avx512vbmi2"); }

  Builder& b;  // which does not let the host flush
  unsigned lanes;
  bool wide_registers = false;  // there is such a register, and the function may use it

  llvm::Type* floats() const { return llvm::FixedVectorType::get(b.getFloatTy(), lanes); }
  llvm::Type* ints() const { return llvm::FixedVectorType::get(b.getInt32Ty(), lanes); }
  F f(float x) const { return {&b, llvm::ConstantFP::get(floats(), double(x))}; }
  I i(int32_t x) const { return {&b, llvm::ConstantInt::get(ints(), uint32_t(x))}; }
  M m(bool x) const {
    return {&b, llvm::ConstantInt::get(llvm::FixedVectorType::get(b.getInt1Ty(), lanes), uint64_t(x))};
  }

  M less_unsigned(I x, I y) const { return as_unsigned(x) < as_unsigned(y); }
  template <class V>
  V select(M which, V x, V y) const {
    return {&b, b.CreateSelect(which.v, x.v, y.v)};
  }
  // The host's own instructions have this very meaning, and unlike a selection are not torn apart by what follows.
  F min(F x, F y) const {
    if (has_wide()) return wide(llvm::Intrinsic::x86_avx512_min_ps_512, x, y);
    if (lanes != 8 || !__builtin_cpu_supports("avx")) return select(x < y, x, y);
    return {&b, b.CreateIntrinsic(llvm::Intrinsic::x86_avx_min_ps_256, {}, {x.v, y.v})};
  }
  F max(F x, F y) const {
    if (has_wide()) return wide(llvm::Intrinsic::x86_avx512_max_ps_512, x, y);
    if (lanes != 8 || !__builtin_cpu_supports("avx")) return select(x > y, x, y);
    return {&b, b.CreateIntrinsic(llvm::Intrinsic::x86_avx_max_ps_256, {}, {x.v, y.v})};
  }
  I min(I x, I y) const { return {&b, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x.v, y.v)}; }
  I max(I x, I y) const { return {&b, b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x.v, y.v)}; }

  F exact_product_plus(F x, F y, F z) const {
    if (!__builtin_cpu_supports("fma")) return x * y + z;
    return {&b, b.CreateIntrinsic(llvm::Intrinsic::fma, {floats()}, {x.v, y.v, z.v})};
  }
  F floor(F x) const { return {&b, b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x.v)}; }
  I truncate(F x) const {
    if (has_wide()) return wide(llvm::Intrinsic::x86_avx512_mask_cvttps2dq_512, x);
    return converted(x, llvm::Intrinsic::x86_sse2_cvttps2dq, llvm::Intrinsic::x86_avx_cvtt_ps2dq_256);
  }
  I round(F x) const {
    if (has_wide()) return wide(llvm::Intrinsic::x86_avx512_mask_cvtps2dq_512, x);
    return converted(x, llvm::Intrinsic::x86_sse2_cvtps2dq, llvm::Intrinsic::x86_avx_cvt_ps2dq_256);
  }
  F to_float(I x) const { return {&b, b.CreateSIToFP(x.v, floats())}; }
  I bits(F x) const { return {&b, b.CreateBitCast(x.v, ints())}; }
  F as_float(I x) const { return {&b, b.CreateBitCast(x.v, floats())}; }

  // A shift by more than its operand has is not defined, but then it is not what is selected.
  I shift_left(I x, I n) const { return unless_wide(n, {&b, b.CreateShl(x.v, n.v)}); }
  I shift_right(I x, I n) const { return unless_wide(n, {&b, b.CreateLShr(x.v, n.v)}); }
  I shift_right_signed(I x, I n) const {
    return {&b, b.CreateAShr(x.v, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n.v, i(31).v))};
  }
  I shift_left(I x, int32_t n) const { return shift_left(x, i(n)); }
  I shift_right(I x, int32_t n) const { return shift_right(x, i(n)); }
  I shift_right_signed(I x, int32_t n) const { return shift_right_signed(x, i(n)); }

  template <class V>
  V of_four(V a, int n) const {
    if (lanes < 4) return a;
    std::vector<int> pick;
    for (unsigned l = 0; l < lanes; ++l) pick.push_back(std::min(int(l & ~3u) + (n & 3), int(lanes) - 1));
    return {&b, b.CreateShuffleVector(a.v, pick)};
  }

  I first(I a) const { return {&b, b.CreateVectorSplat(lanes, b.CreateExtractElement(a.v, uint64_t(0)))}; }
  LaneValues alone() const { return {b, 1}; }
  I lane(I a, int n) const {
    return {&b, b.CreateVectorSplat(1, b.CreateExtractElement(a.v, uint64_t(unsigned(n) < lanes ? n : 0)))};
  }
  I splat(I a) const { return first(a); }
  I by_lane(const std::array<int32_t, 8>& numbers) const {
    std::vector<llvm::Constant*> all;
    for (unsigned l = 0; l < lanes; ++l) all.push_back(b.getInt32(uint32_t(numbers[l % 8])));
    return {&b, llvm::ConstantVector::get(all)};
  }
  // Rows of four pixels are the two upper, or lower, halves of both subspans.
  I gather_square(llvm::Value* p, I at, I row) const {
    if (lanes != 8) return gather_all(p, at, 4);
    if (side_by_side(row)) {
      llvm::Value* both = b.CreateAlignedLoad(ints(), row_of_square(p, at, row, 0), llvm::Align(1));
      return {&b, b.CreateShuffleVector(both, {0, 1, 4, 5, 2, 3, 6, 7})};
    }
    llvm::Type* four = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
    llvm::Value* rows[2];
    for (unsigned n = 0; n < 2; ++n) rows[n] = b.CreateAlignedLoad(four, row_of_square(p, at, row, n), llvm::Align(1));
    return {&b, b.CreateShuffleVector(rows[0], rows[1], {0, 1, 4, 5, 2, 3, 6, 7})};
  }
  void scatter_square(llvm::Value* p, I at, I row, I x) const {
    if (lanes != 8) return scatter(p, at, x, m(true));
    if (side_by_side(row)) {
      llvm::Value* both = b.CreateShuffleVector(x.v, {0, 1, 4, 5, 2, 3, 6, 7});
      b.CreateAlignedStore(both, row_of_square(p, at, row, 0), llvm::Align(1));
      return;
    }
    const int picked[2][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}};
    for (unsigned n = 0; n < 2; ++n)
      b.CreateAlignedStore(b.CreateShuffleVector(x.v, picked[n]), row_of_square(p, at, row, n), llvm::Align(1));
  }

  llvm::Value* any(M m) const { return b.CreateICmpNE(as_number(m), b.getIntN(lanes, 0)); }
  llvm::Value* all(M m) const {
    return b.CreateICmpEQ(as_number(m), llvm::Constant::getAllOnesValue(b.getIntNTy(lanes)));
  }
  template <class S, class Body>
  S if_any(M m, S s, Body body) const {
    llvm::BasicBlock* from = b.GetInsertBlock();
    llvm::BasicBlock *inside = block(), *after = block();
    b.CreateCondBr(any(m), inside, after);
    b.SetInsertPoint(inside);
    S r = body(s);
    llvm::BasicBlock* end = b.GetInsertBlock();
    b.CreateBr(after);
    b.SetInsertPoint(after);
    each(
        [&](auto& result, const auto& before) {
          llvm::PHINode* phi = merged(before.v, from);
          phi->addIncoming(result.v, end);
          result.v = phi;
        },
        r, s);
    return r;
  }
  template <class Body, class Other>
  void choose(llvm::Value* truth, Body body, Other other) const {
    llvm::BasicBlock *holds = block(), *not_so = block(), *after = block();
    b.CreateCondBr(truth, holds, not_so);
    b.SetInsertPoint(holds);
    body();
    b.CreateBr(after);
    b.SetInsertPoint(not_so);
    other();
    b.CreateBr(after);
    b.SetInsertPoint(after);
  }
  template <class S, class Body>
  S loop(M m, S s, Body body) const {
    llvm::BasicBlock* from = b.GetInsertBlock();
    llvm::BasicBlock *head = block(), *inside = block(), *after = block();
    b.CreateBr(head);
    b.SetInsertPoint(head);
    llvm::PHINode* running = merged(m.v, from);
    std::vector<llvm::PHINode*> phis;
    each([&](auto& x) { x.v = phis.emplace_back(merged(x.v, from)); }, s);
    b.CreateCondBr(any({&b, running}), inside, after);
    b.SetInsertPoint(inside);
    auto [next, r] = body(M{&b, running}, s);
    llvm::BasicBlock* end = b.GetInsertBlock();
    running->addIncoming(next.v, end);
    size_t n = 0;
    each([&](auto& x) { phis[n++]->addIncoming(x.v, end); }, r);
    b.CreateBr(head);
    b.SetInsertPoint(after);
    return s;
  }

  I gather(llvm::Value* p, I at, M m) const {
    return {&b, b.CreateMaskedGather(ints(), places(p, at), llvm::Align(1), m.v, llvm::Constant::getNullValue(ints()))};
  }
  void scatter(llvm::Value* p, I at, I x, M m) const { b.CreateMaskedScatter(x.v, places(p, at), llvm::Align(1), m.v); }
  // One load after the other: faster than the host's gathers.
  I gather_all(llvm::Value* p, I at, int bytes) const {
    llvm::Value* r = llvm::PoisonValue::get(ints());
    for (unsigned l = 0; l < lanes; ++l)
      r = b.CreateInsertElement(r, b.CreateZExt(load_at(p, at, l, bytes), b.getInt32Ty()), l);
    return {&b, r};
  }
  std::pair<I, I> gather_two(llvm::Value* p, I at) const {
    if (lanes != 8) return {gather_all(p, at, 4), gather_all(p, at + 4, 4)};
    const auto four = [&](unsigned first) {
      llvm::Value* r = llvm::PoisonValue::get(llvm::FixedVectorType::get(b.getInt64Ty(), 4));
      for (unsigned n = 0; n < 4; ++n) r = b.CreateInsertElement(r, load_at(p, at, first + n % 2 + n / 2 * 4, 8), n);
      return b.CreateBitCast(r, ints());
    };
    // in this order the dwords change places within halves of the host's registers
    llvm::Value *some = four(0), *others = four(2);
    const auto half = [&](int k) -> I {
      const int picked[] = {k, k + 2, k + 8, k + 10, k + 4, k + 6, k + 12, k + 14};
      return {&b, b.CreateShuffleVector(some, others, picked)};
    };
    return {half(0), half(1)};
  }
  void scatter_low(llvm::Value* p, I at, I x, M m, int bytes) const {
    llvm::Type* type = llvm::FixedVectorType::get(b.getIntNTy(unsigned(bytes) * 8), lanes);
    b.CreateMaskedScatter(b.CreateTrunc(x.v, type), places(p, at), llvm::Align(1), m.v);
  }

  template <class R>
  I fact(Record<R> r, int32_t std::type_identity_t<R>::*m) const {
    return {&b, b.CreateVectorSplat(lanes, constant(b.getInt32Ty(), member(r, m)))};
  }
  template <class R>
  F fact(Record<R> r, float std::type_identity_t<R>::*m) const {
    return {&b, b.CreateVectorSplat(lanes, constant(b.getFloatTy(), member(r, m)))};
  }
  template <class R>
  llvm::Value* fact(Record<R> r, std::byte* std::type_identity_t<R>::*m) const {
    return constant(b.getPtrTy(), member(r, m));
  }
  template <class R>
  I lookup(Record<R> r, int32_t (std::type_identity_t<R>::*m)[16], I n) const {
    if (lanes == 8 && __builtin_cpu_supports("avx2")) {
      const auto half = [&](size_t first) -> I {
        llvm::Value* table = constant(ints(), b.CreateConstGEP1_64(b.getInt8Ty(), member(r, m), 4 * first));
        return {&b, b.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {table, n.v})};
      };
      return select((n & 8) != 0, half(8), half(0));
    }
    return gather_all(member(r, m), (n & 15) * 4, 4);
  }

 private:
  bool has_wide() const { return lanes == 16 && wide_registers; }
  static constexpr uint32_t current_rounding = 4;
  F wide(llvm::Intrinsic::ID id, F x, F y) const {
    return {&b, b.CreateIntrinsic(id, {}, {x.v, y.v, b.getInt32(current_rounding)})};
  }
  I wide(llvm::Intrinsic::ID id, F x) const {
    return {&b, b.CreateIntrinsic(id, {}, {x.v, i(0).v, b.getInt16(0xFFFF), b.getInt32(current_rounding)})};
  }
  // Where the rows of a square are side by side, they are read and written as one.
  static bool side_by_side(I row) {
    const auto* distance = llvm::dyn_cast<llvm::Constant>(row.v);
    const llvm::Constant* all = distance ? distance->getSplatValue() : nullptr;
    return all && llvm::cast<llvm::ConstantInt>(all)->equalsInt(16);
  }
  llvm::Value* row_of_square(llvm::Value* p, I at, I row, unsigned n) const {
    const auto distance = [&](I v) { return b.CreateSExt(b.CreateExtractElement(v.v, uint64_t(0)), b.getInt64Ty()); };
    llvm::Value* first = b.CreateGEP(b.getInt8Ty(), p, distance(at));
    return n ? b.CreateGEP(b.getInt8Ty(), first, distance(row)) : first;
  }
  // Bytes at a lane's place. Places come out of the vector in pairs.
  llvm::Value* load_at(llvm::Value* p, I at, unsigned lane, int bytes) const {
    llvm::Value* place;
    if (lanes % 2 == 0) {
      llvm::Value* pairs = b.CreateBitCast(at.v, llvm::FixedVectorType::get(b.getInt64Ty(), lanes / 2));
      llvm::Value* two = b.CreateExtractElement(pairs, lane / 2);
      place = lane % 2 ? b.CreateAShr(two, 32) : b.CreateSExt(b.CreateTrunc(two, b.getInt32Ty()), b.getInt64Ty());
    } else {
      place = b.CreateSExt(b.CreateExtractElement(at.v, lane), b.getInt64Ty());
    }
    return b.CreateAlignedLoad(b.getIntNTy(unsigned(bytes) * 8), b.CreateGEP(b.getInt8Ty(), p, place), llvm::Align(1));
  }
  llvm::Value* as_number(M m) const { return b.CreateBitCast(m.v, b.getIntNTy(lanes)); }
  llvm::Value* places(llvm::Value* p, I at) const { return b.CreateGEP(b.getInt8Ty(), p, at.v); }
  I unless_wide(I n, I shifted) const {
    const M fits = less_unsigned(n, i(32));
    if (const auto* known = llvm::dyn_cast<llvm::Constant>(fits.v)) return known->isAllOnesValue() ? shifted : i(0);
    return select(fits, shifted, i(0));
  }
  // The host's own conversions give INT_MIN for what does not fit. They are of four lanes, with AVX of eight.
  I converted(F x, llvm::Intrinsic::ID four, llvm::Intrinsic::ID eight) const {
    const unsigned width = lanes > 4 && __builtin_cpu_supports("avx") ? 8 : 4;
    if (lanes == width) return {&b, b.CreateIntrinsic(width == 8 ? eight : four, {}, {x.v})};
    const unsigned padded = (lanes + width - 1) / width * width;
    llvm::Value* r = llvm::PoisonValue::get(llvm::FixedVectorType::get(b.getInt32Ty(), padded));
    for (unsigned first = 0; first < lanes; first += width) {
      std::vector<int> pick;
      for (unsigned l = first; l < first + width; ++l) pick.push_back(int(std::min(l, lanes - 1)));
      llvm::Value* part = b.CreateShuffleVector(x.v, pick);
      part = b.CreateIntrinsic(width == 8 ? eight : four, {}, {part});
      r = b.CreateInsertVector(r->getType(), r, part, b.getInt64(first));
    }
    std::vector<int> own;
    for (unsigned l = 0; l < lanes; ++l) own.push_back(int(l));
    return {&b, b.CreateShuffleVector(r, own)};
  }

  template <class R, class T>
  llvm::Value* member(Record<R> r, T R::*m) const {
    static const R some{};
    const auto distance = reinterpret_cast<const std::byte*>(&(some.*m)) - reinterpret_cast<const std::byte*>(&some);
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), r.at, uint64_t(distance));
  }
  // What does not change while code runs may be loaded at any time.
  llvm::Value* constant(llvm::Type* type, llvm::Value* at) const {
    llvm::LoadInst* v = b.CreateAlignedLoad(type, at, llvm::Align(4));
    v->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
    return v;
  }

  llvm::BasicBlock* block() const {
    return llvm::BasicBlock::Create(b.getContext(), "", b.GetInsertBlock()->getParent());
  }
  llvm::PHINode* merged(llvm::Value* first, llvm::BasicBlock* from) const {
    llvm::PHINode* phi = b.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, from);
    return phi;
  }
  // f with the elements of one state, or of two side by side.
  template <class F, class S>
  static void each(F f, S& s) {
    std::apply([&](auto&... x) { (f(x), ...); }, s);
  }
  template <class F, class S>
  static void each(F f, S& s, const S& t) {
    [&]<size_t... n>(std::index_sequence<n...>) { (f(std::get<n>(s), std::get<n>(t)), ...); }
    (std::make_index_sequence<std::tuple_size_v<S>>());
  }
};
static_assert(lanes::Domain<LaneValues>);

}  // namespace vitro::jit
