// The compiler's value domain: vectors of lanes as values of the intermediate code, with the operations that the
// expressions of semantics.def use. Evaluating an expression over it emits the code that computes it.
// PRM: as functions.h, whose results these functions must give for every lane.
// An operation that is missing here makes the expressions that use it invalid, and their instructions calls of the
// interpreter: the steps of macros.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <vector>

#include "eu/lanes.h"
#include "jit/compile.h"

namespace vitro::jit {

using Builder = llvm::IRBuilder<>;

inline llvm::Constant* splat_of(llvm::Type* vector, uint64_t value) { return llvm::ConstantInt::get(vector, value); }

struct IrTruth {
  Builder* b;
  llvm::Value* v;  // i1 per lane
};
// Integers: exact or modulo their width, as the instruction's Width says.
struct IrInt {
  Builder* b;
  llvm::Value* v;
  bool is_unsigned;

  IrInt with(llvm::Value* x) const { return {b, x, is_unsigned}; }
  IrInt constant(uint64_t x) const { return with(splat_of(v->getType(), x)); }
};
struct IrFloat {
  Builder* b;
  llvm::Value* v;

  IrFloat with(llvm::Value* x) const { return {b, x}; }
  IrFloat constant(double x) const { return with(llvm::ConstantFP::get(v->getType(), x)); }
};

inline IrInt operator+(IrInt x, IrInt y) { return x.with(x.b->CreateAdd(x.v, y.v)); }
inline IrInt operator-(IrInt x, IrInt y) { return x.with(x.b->CreateSub(x.v, y.v)); }
inline IrInt operator*(IrInt x, IrInt y) { return x.with(x.b->CreateMul(x.v, y.v)); }
inline IrInt operator&(IrInt x, IrInt y) { return x.with(x.b->CreateAnd(x.v, y.v)); }
inline IrInt operator|(IrInt x, IrInt y) { return x.with(x.b->CreateOr(x.v, y.v)); }
inline IrInt operator^(IrInt x, IrInt y) { return x.with(x.b->CreateXor(x.v, y.v)); }
inline IrInt operator~(IrInt x) { return x.with(x.b->CreateNot(x.v)); }
inline IrInt operator-(IrInt x) { return x.with(x.b->CreateNeg(x.v)); }
inline IrFloat operator+(IrFloat x, IrFloat y) { return x.with(x.b->CreateFAdd(x.v, y.v)); }
inline IrFloat operator-(IrFloat x, IrFloat y) { return x.with(x.b->CreateFSub(x.v, y.v)); }
inline IrFloat operator*(IrFloat x, IrFloat y) { return x.with(x.b->CreateFMul(x.v, y.v)); }
inline IrFloat operator/(IrFloat x, IrFloat y) { return x.with(x.b->CreateFDiv(x.v, y.v)); }
inline IrFloat operator-(IrFloat x) { return x.with(x.b->CreateFNeg(x.v)); }

template <class V>
V select(IrTruth which, V x, V y) {
  return x.with(x.b->CreateSelect(which.v, x.v, y.v));
}
inline IrFloat unary(llvm::Intrinsic::ID id, IrFloat x) { return x.with(x.b->CreateUnaryIntrinsic(id, x.v)); }

inline IrInt shift_left(IrInt x, IrInt n) { return x.with(x.b->CreateShl(x.v, n.v)); }
inline IrInt shift_right(IrInt x, IrInt n) {
  return x.with(x.is_unsigned ? x.b->CreateLShr(x.v, n.v) : x.b->CreateAShr(x.v, n.v));
}
inline IrInt abs_difference(IrInt x, IrInt y) {
  const IrTruth greater{x.b, x.is_unsigned ? x.b->CreateICmpUGT(x.v, y.v) : x.b->CreateICmpSGT(x.v, y.v)};
  return select(greater, x - y, y - x);
}
inline IrInt reverse_bits(IrInt x) { return x.with(x.b->CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x.v)); }
inline IrInt leading_zeros(IrInt x) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x.v, x.b->getFalse()));
}
inline IrInt trailing_zeros(IrInt x) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x.v, x.b->getFalse()));
}
inline IrInt count_bits(IrInt x) { return x.with(x.b->CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x.v)); }
inline IrTruth is_zero(IrInt x) { return {x.b, x.b->CreateICmpEQ(x.v, x.constant(0).v)}; }
inline IrInt first_bit_high(IrInt x, bool is_signed) {
  if (is_signed) x = x ^ x.with(x.b->CreateAShr(x.v, x.constant(31).v));
  return select(is_zero(x), x.constant(~uint64_t(0)), leading_zeros(x));
}
inline IrInt first_bit_low(IrInt x) { return select(is_zero(x), x.constant(~uint64_t(0)), trailing_zeros(x)); }
inline IrInt extract_field(IrInt width, IrInt offset, IrInt value, bool is_signed) {
  Builder& b = *value.b;
  const IrInt w = width & width.constant(31), o = offset & offset.constant(31), all = value.constant(32);
  const IrTruth inside{&b, b.CreateICmpULT((w + o).v, all.v)};
  const IrInt up = select(inside, all - w - o, value.constant(0)), down = select(inside, all - w, o);
  // an empty field is zero; its shift by 32 would be poison
  const IrInt safe = select(is_zero(w), value.constant(0), down),
              raised = shift_left(value, select(is_zero(w), value.constant(0), up));
  const IrInt field = value.with(is_signed ? b.CreateAShr(raised.v, safe.v) : b.CreateLShr(raised.v, safe.v));
  return select(is_zero(w), value.constant(0), field);
}
inline IrInt field_mask(IrInt width, IrInt offset) {
  const IrInt w = width & width.constant(31), o = offset & offset.constant(31), one = width.constant(1);
  return shift_left(shift_left(one, w) - one, o);
}
inline IrInt insert_field(IrInt mask, IrInt value, IrInt into) {
  const IrInt at = select(is_zero(mask), mask.constant(0), trailing_zeros(mask));
  return (shift_left(value, at) & mask) | (into & ~mask);
}

inline IrFloat fma(IrFloat x, IrFloat y, IrFloat z) {
  return x.with(x.b->CreateIntrinsic(llvm::Intrinsic::fma, {x.v->getType()}, {x.v, y.v, z.v}));
}
inline IrFloat copy_sign(IrFloat x, IrFloat sign) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x.v, sign.v));
}
inline IrFloat round_up(IrFloat x) { return copy_sign(unary(llvm::Intrinsic::ceil, x), x); }
inline IrFloat round_down(IrFloat x) { return copy_sign(unary(llvm::Intrinsic::floor, x), x); }
inline IrFloat round_even(IrFloat x) { return copy_sign(unary(llvm::Intrinsic::roundeven, x), x); }
inline IrFloat round_zero(IrFloat x) { return copy_sign(unary(llvm::Intrinsic::trunc, x), x); }
inline IrFloat fraction(IrFloat x) {
  const IrFloat r = x - unary(llvm::Intrinsic::floor, x);
  const bool is_float = x.v->getType()->getScalarType()->isFloatTy();
  const IrTruth whole{x.b, x.b->CreateFCmpOEQ(r.v, x.constant(1).v)};
  return select(whole, x.constant(is_float ? double(std::nextafter(1.0f, 0.0f)) : std::nextafter(1.0, 0.0)),
                unary(llvm::Intrinsic::fabs, r));
}

// The relation a conditional modifier asks for.
inline llvm::Value* compare(Builder& b, isa::CondModifier c, llvm::Value* x, llvm::Value* y, bool is_unsigned) {
  using P = llvm::CmpInst;
  struct Row {
    P::Predicate floats, signed_integers, unsigned_integers;
  };
  static constexpr Row rows[] = {
      {P::FCMP_FALSE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},  // none
      {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},                          // z
      {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE},                          // nz
      {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},                        // g
      {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},                        // ge
      {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},                        // l
      {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},                        // le
      {P::FCMP_FALSE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},  // reserved
      {P::FCMP_FALSE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},  // o
      {P::FCMP_UNO, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},    // u: integers are never unordered
  };
  const Row& row = rows[size_t(c) < std::size(rows) ? size_t(c) : 0];
  const bool floats = x->getType()->isFPOrFPVectorTy();
  const P::Predicate p = floats ? row.floats : is_unsigned ? row.unsigned_integers : row.signed_integers;
  if (p == P::BAD_ICMP_PREDICATE || p == P::FCMP_FALSE)
    return llvm::Constant::getNullValue(P::makeCmpResultType(x->getType()));
  return b.CreateCmp(p, x, y);
}

// What the expressions call k, for some lanes of an instruction.
template <class V>
struct IrContext {
  static constexpr bool integers = std::is_same_v<V, IrInt>;
  const Plan& p;
  const isa::Model& m;
  Builder& b;
  V first, other;     // the first two sources
  IrTruth predicate;  // of these lanes
  V accumulator{};    // what the instruction implies
  V tuple_values[4]{}, second_value{};

  V one() const { return first.constant(1); }
  V thirty_two() const { return first.constant(32); }
  V acc() const { return accumulator; }
  V tuple(int n) const requires(!integers) { return tuple_values[n]; }
  V second() const requires(!integers) { return second_value; }
  // Element n of the group of `size` that each lane belongs to.
  V neighbour(V of, int size, int n) const {
    std::vector<int> pick;
    const int lanes = int(llvm::cast<llvm::FixedVectorType>(of.v->getType())->getNumElements());
    for (int l = 0; l < lanes; ++l) pick.push_back((l & ~(size - 1)) + n);
    return of.with(b.CreateShuffleVector(of.v, pick));
  }
  V a4(int n) const { return neighbour(first, 4, n); }
  V b4(int n) const { return neighbour(other, 4, n); }
  V a2(int n) const { return neighbour(first, 2, n); }
  V b2(int n) const { return neighbour(other, 2, n); }
  bool is_signed() const { return isa::info(p.src[p.sources - 1].type).is_signed; }
  // As a number without a sign, so that shifting it right brings zeros.
  V raw(V a) const requires integers {
    V r = a & a.constant(ones(8 * isa::size_of(p.src[0].type)));
    r.is_unsigned = true;
    return r;
  }
  V count(V n) const requires integers {
    const bool wide = isa::size_of(p.src[0].type) == 8 || isa::size_of(p.dst.type) == 8;
    return n & n.constant(wide ? 63 : 31);
  }
  llvm::Value* related(V x, V y) const {
    bool is_unsigned = false;
    if constexpr (integers) is_unsigned = x.is_unsigned;
    return compare(b, p.instruction.cond_modifier, x.v, y.v, is_unsigned);
  }
  llvm::Value* nan(V x) const {
    if constexpr (integers)
      return llvm::Constant::getNullValue(llvm::CmpInst::makeCmpResultType(x.v->getType()));
    else
      return b.CreateFCmpUNO(x.v, x.v);
  }
  IrTruth holds(V x, V y) const { return {&b, related(x, y)}; }
  IrTruth holds(V x) const { return holds(x, x.constant(0)); }
  IrTruth holds_unless_nan(V x, V y) const {
    const bool then = p.instruction.cond_modifier != isa::CondModifier::nz;
    llvm::Value* decides = b.CreateAnd(nan(y), b.CreateNot(nan(x)));
    llvm::Value* otherwise = b.CreateAnd(b.CreateNot(decides), related(x, y));
    return {&b, then ? b.CreateOr(decides, otherwise) : otherwise};
  }
  IrTruth chooses(V x, V y) const {
    const isa::CondModifier c = p.instruction.cond_modifier;
    if (c == isa::CondModifier::none) return predicate;
    const bool extreme = c == isa::CondModifier::l || c == isa::CondModifier::ge;
    return {&b, extreme && !integers ? b.CreateOr(related(x, y), nan(y)) : related(x, y)};
  }
  V product(V x, V y) const {
    if constexpr (integers)
      if (m.dword_multiply_is_partial && isa::size_of(p.src[0].type) == 4 && isa::size_of(p.src[1].type) == 4)
        return (x & x.constant(0xFFFF)) * y;
    return x * y;
  }
  V multiply_accumulate(V x, V y) const {
    if constexpr (integers)
      return x * y + acc();
    else
      return fma(x, y, acc());
  }
  V multiply_high(V x, V y) const requires integers {
    const V sixteen = x.constant(16);
    const bool first = m.dword_multiply_is_partial;
    return acc() + shift_left(shift_right(first ? x : y, sixteen) * (first ? y : x), sixteen);
  }
  V borrow(V r) const requires integers {
    return r.with(b.CreateZExt(b.CreateICmpSLT(r.v, r.constant(0).v), r.v->getType()));
  }
};

}  // namespace vitro::jit
