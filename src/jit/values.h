// The compiler's values: vectors of lanes, and numbers, of the intermediate code, with the words of eu/num.h.
// Evaluating an expression over them emits the code that computes it; so does every rule around expressions. PRM: none
// of its own. An operation that is missing here makes the expressions that use it invalid, and their instructions calls
// of the interpreter: the steps of macros.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <concepts>
#include <vector>

#include "eu/context.h"
#include "eu/lanes.h"
#include "jit/compile.h"

namespace vitro::jit {

struct Builder : llvm::IRBuilder<> {
  using llvm::IRBuilder<>::IRBuilder;
  bool host_flushes = false;  // floats are computed as IrFloat::flushing() says
};

inline llvm::Constant* splat_of(llvm::Type* vector, uint64_t value) { return llvm::ConstantInt::get(vector, value); }

struct IrTruth {
  Builder* b;
  llvm::Value* v;  // i1 per lane
};
inline IrTruth operator&(IrTruth x, IrTruth y) { return {x.b, x.b->CreateAnd(x.v, y.v)}; }
inline IrTruth operator|(IrTruth x, IrTruth y) { return {x.b, x.b->CreateOr(x.v, y.v)}; }
inline IrTruth operator^(IrTruth x, IrTruth y) { return {x.b, x.b->CreateXor(x.v, y.v)}; }
inline IrTruth operator!(IrTruth x) { return {x.b, x.b->CreateNot(x.v)}; }

// Integers: exact or modulo their width, as the instruction's Width says.
struct IrInt {
  static constexpr bool is_integer = true, is_float = false;
  using Number = int32_t;
  Builder* b;
  llvm::Value* v;
  bool is_unsigned = false;

  IrInt with(llvm::Value* x) const { return {b, x, is_unsigned}; }
  llvm::Type* of_doubles() const { return v->getType()->getWithNewType(b->getDoubleTy()); }
  llvm::Value* to_float(llvm::Type* type) const {
    return is_unsigned ? b->CreateUIToFP(v, type) : b->CreateSIToFP(v, type);
  }
};
struct IrFloat {
  static constexpr bool is_integer = false, is_float = true;
  using Number = float;
  Builder* b;
  llvm::Value* v;

  IrFloat with(llvm::Value* x) const { return {b, x}; }
  IrFloat unary(llvm::Intrinsic::ID id) const { return with(b->CreateUnaryIntrinsic(id, v)); }
  // An operation by which the host flushes denormals, else what `plain` makes. Then it is done as it stands: x * 1 is
  // not x, and no result is known beforehand.
  template <class F>
  IrFloat flushing(llvm::Intrinsic::ID id, std::initializer_list<llvm::Value*> operands, F plain) const {
    if (!b->host_flushes) return with(plain());
    llvm::LLVMContext& c = b->getContext();
    const auto word = [&](const char* w) { return llvm::MetadataAsValue::get(c, llvm::MDString::get(c, w)); };
    std::vector<llvm::Value*> all(operands);
    all.insert(all.end(), {word("round.tonearest"), word("fpexcept.maytrap")});
    llvm::CallInst* r = b->CreateIntrinsic(id, {v->getType()}, all);
    r->addFnAttr(llvm::Attribute::StrictFP);
    r->addFnAttr(llvm::Attribute::NoBuiltin);  // nothing is computed of constants
    return with(r);
  }
  const llvm::fltSemantics& semantics() const { return v->getType()->getScalarType()->getFltSemantics(); }
};
inline IrInt constant(IrInt x, int64_t n) { return x.with(splat_of(x.v->getType(), uint64_t(n))); }
inline IrFloat constant(IrFloat x, double n) { return x.with(llvm::ConstantFP::get(x.v->getType(), n)); }
inline int width_of(IrInt x) { return int(x.v->getType()->getScalarSizeInBits()); }

#define VITRO_OPERATOR(op, name, constrained)                                              \
  inline IrFloat operator op(IrFloat x, IrFloat y) {                                       \
    return x.flushing(llvm::Intrinsic::experimental_constrained_##constrained, {x.v, y.v}, \
                      [&] { return x.b->CreateF##name(x.v, y.v); });                       \
  }
VITRO_OPERATOR(+, Add, fadd)
VITRO_OPERATOR(-, Sub, fsub)
VITRO_OPERATOR(*, Mul, fmul)
VITRO_OPERATOR(/, Div, fdiv)
#undef VITRO_OPERATOR
inline IrInt operator+(IrInt x, IrInt y) { return x.with(x.b->CreateAdd(x.v, y.v)); }
inline IrInt operator-(IrInt x, IrInt y) { return x.with(x.b->CreateSub(x.v, y.v)); }
inline IrInt operator*(IrInt x, IrInt y) { return x.with(x.b->CreateMul(x.v, y.v)); }
inline IrInt operator&(IrInt x, IrInt y) { return x.with(x.b->CreateAnd(x.v, y.v)); }
inline IrInt operator|(IrInt x, IrInt y) { return x.with(x.b->CreateOr(x.v, y.v)); }
inline IrInt operator^(IrInt x, IrInt y) { return x.with(x.b->CreateXor(x.v, y.v)); }
inline IrInt operator~(IrInt x) { return x.with(x.b->CreateNot(x.v)); }
inline IrInt operator-(IrInt x) { return x.with(x.b->CreateNeg(x.v)); }
inline IrFloat operator-(IrFloat x) { return x.with(x.b->CreateFNeg(x.v)); }

// The library's predicates of floats are sets of relations with the same bits.
static_assert(eu::relation::equal == llvm::CmpInst::FCMP_OEQ && eu::relation::greater == llvm::CmpInst::FCMP_OGT &&
              eu::relation::less == llvm::CmpInst::FCMP_OLT && eu::relation::unordered == llvm::CmpInst::FCMP_UNO);
inline IrTruth in_relation(unsigned asked, IrFloat x, IrFloat y) {
  return {x.b, x.b->CreateFCmp(llvm::CmpInst::Predicate(asked), x.v, y.v)};
}
inline IrTruth in_relation(unsigned asked, IrInt x, IrInt y) {
  using P = llvm::CmpInst;
  static constexpr P::Predicate is_signed[] = {{},          P::ICMP_EQ,  P::ICMP_SGT, P::ICMP_SGE,
                                               P::ICMP_SLT, P::ICMP_SLE, P::ICMP_NE};
  asked &= ~eu::relation::unordered;  // integers never are
  if (!asked) return {x.b, llvm::Constant::getNullValue(P::makeCmpResultType(x.v->getType()))};
  return {x.b,
          x.b->CreateICmp(x.is_unsigned ? llvm::ICmpInst::getUnsignedPredicate(is_signed[asked]) : is_signed[asked],
                          x.v, y.v)};
}
#define VITRO_COMPARISON(op, asked)       \
  template <class V>                      \
  requires requires(V x) { x.with(x.v); } \
  IrTruth operator op(V x, V y) { return in_relation(asked, x, y); }
VITRO_COMPARISON(<, eu::relation::less)
VITRO_COMPARISON(<=, eu::relation::less | eu::relation::equal)
VITRO_COMPARISON(>, eu::relation::greater)
VITRO_COMPARISON(>=, eu::relation::greater | eu::relation::equal)
VITRO_COMPARISON(==, eu::relation::equal)
VITRO_COMPARISON(!=, eu::relation::less | eu::relation::greater | eu::relation::unordered)
#undef VITRO_COMPARISON
// A number of the host as second operand.
#define VITRO_NUMBER(op)                                 \
  template <class V, std::same_as<typename V::Number> N> \
  auto operator op(V x, N n) {                           \
    return x op constant(x, n);                          \
  }
// clang-format off
VITRO_NUMBER(+) VITRO_NUMBER(-) VITRO_NUMBER(*) VITRO_NUMBER(/) VITRO_NUMBER(&) VITRO_NUMBER(|) VITRO_NUMBER(^)
VITRO_NUMBER(<) VITRO_NUMBER(<=) VITRO_NUMBER(>) VITRO_NUMBER(>=) VITRO_NUMBER(==) VITRO_NUMBER(!=)
inline IrTruth is_nan(IrFloat x) { return in_relation(eu::relation::unordered, x, x); }
// clang-format on
#undef VITRO_NUMBER
template <class V>
V select(IrTruth which, V x, V y) {
  return x.with(x.b->CreateSelect(which.v, x.v, y.v));
}

inline IrInt shift_left(IrInt x, IrInt n) { return x.with(x.b->CreateShl(x.v, n.v)); }
inline IrInt shift_right(IrInt x, IrInt n) {
  return x.with(x.is_unsigned ? x.b->CreateLShr(x.v, n.v) : x.b->CreateAShr(x.v, n.v));
}
inline IrInt as_unsigned(IrInt x) { return {x.b, x.v, true}; }
// What looks at dwords is computed in 32 bits.
inline IrInt dword(IrInt x) { return {x.b, x.v, true}; }
inline IrInt signed_dword(IrInt x) { return {x.b, x.v, false}; }
inline IrInt reverse_bits(IrInt x) { return x.with(x.b->CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x.v)); }
inline IrInt leading_zeros(IrInt x) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x.v, x.b->getFalse()));
}
inline IrInt trailing_zeros(IrInt x) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x.v, x.b->getFalse()));
}
inline IrInt count_bits(IrInt x) { return x.with(x.b->CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x.v)); }
// Of integers of 32 bits: the quotient of the doubles is off by less than it would need to reach another whole number.
// Adding 3 * 2^51 brings the whole number into the lowest bits.
inline IrInt quotient(IrInt x, IrInt y) {
  Builder& b = *x.b;
  llvm::Type* wide = x.of_doubles();
  llvm::Value* q = b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, b.CreateFDiv(x.to_float(wide), y.to_float(wide)));
  llvm::Value* sum = b.CreateFAdd(q, llvm::ConstantFP::get(wide, 0x1.8p52));
  return x.with(b.CreateTrunc(b.CreateBitCast(sum, wide->getWithNewType(b.getInt64Ty())), x.v->getType()));
}

inline IrFloat absolute(IrFloat x) { return x.unary(llvm::Intrinsic::fabs); }
// As integers, which the host compares faster.
inline IrInt bits_of(IrFloat x) {
  const unsigned size = x.v->getType()->getScalarSizeInBits();
  return {x.b, x.b->CreateBitCast(x.v, x.v->getType()->getWithNewType(x.b->getIntNTy(size))), false};
}
inline IrTruth is_below(IrFloat x, double least) {
  const IrInt bits = bits_of(x), magnitude = bits & constant(bits, int64_t(ones(width_of(bits) - 1)));
  return magnitude < bits_of(constant(x, least));
}
inline IrFloat zero_where(IrTruth which, IrFloat x) {
  const IrInt bits = bits_of(x), sign = bits & constant(bits, int64_t(~ones(width_of(bits) - 1)));
  return x.with(x.b->CreateBitCast(select(which, sign, bits).v, x.v->getType()));
}
inline IrFloat floor(IrFloat x) { return x.unary(llvm::Intrinsic::floor); }
inline IrFloat ceiling(IrFloat x) { return x.unary(llvm::Intrinsic::ceil); }
inline IrFloat truncate(IrFloat x) { return x.unary(llvm::Intrinsic::trunc); }
inline IrFloat nearest_even(IrFloat x) { return x.unary(llvm::Intrinsic::roundeven); }
inline IrFloat square_root(IrFloat x) {
  return x.flushing(llvm::Intrinsic::experimental_constrained_sqrt, {x.v},
                    [&] { return x.unary(llvm::Intrinsic::sqrt).v; });
}
inline IrFloat fma(IrFloat x, IrFloat y, IrFloat z) {
  return x.flushing(llvm::Intrinsic::experimental_constrained_fma, {x.v, y.v, z.v}, [&] {
    return x.b->CreateIntrinsic(llvm::Intrinsic::fma, {x.v->getType()}, {x.v, y.v, z.v});
  });
}
inline IrFloat copy_sign(IrFloat x, IrFloat sign) {
  return x.with(x.b->CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x.v, sign.v));
}
inline IrFloat below_one(IrFloat x) {
  llvm::APFloat one(x.semantics(), 1);
  one.next(true);
  return x.with(llvm::ConstantFP::get(x.v->getType(), one));
}
inline IrFloat own_nan(IrFloat x) {
  return x.with(llvm::ConstantFP::get(x.v->getType(), llvm::APFloat::getQNaN(x.semantics(), true)));
}
inline IrFloat quiet(IrFloat nan) {
  const llvm::APInt own = llvm::APFloat::getQNaN(nan.semantics()).bitcastToAPInt();
  const llvm::APInt infinity = llvm::APFloat::getInf(nan.semantics()).bitcastToAPInt();
  const IrInt bits = bits_of(nan);
  llvm::Value* v = nan.b->CreateOr(bits.v, llvm::ConstantInt::get(bits.v->getType(), own ^ infinity));
  return nan.with(nan.b->CreateBitCast(v, nan.v->getType()));
}
// The host divides 1 by the root, both as doubles, and rounds to a float. Here both are floats, and a term with the
// square of what is still missing gives the same float for each of them, which jit_test.cpp tries; the scale does not
// matter, as nothing gets too large or too small.
inline IrFloat reciprocal_root(IrFloat x) {
  const IrFloat root = square_root(x), one = constant(x, 1), y = one / root;
  if (!x.v->getType()->getScalarType()->isFloatTy()) return y;
  const IrFloat s = x * y, rest = fma(x, y, -s);  // x y, in two parts
  const IrFloat missing = fma(-rest, y, fma(-s, y, one));
  const IrFloat part = fma(missing * constant(x, 0.375), missing, missing * constant(x, 0.5));
  // Zero, infinity, what is negative and what is no number have no root to be refined.
  const IrInt bits = as_unsigned(bits_of(x));
  return select(bits - constant(bits, 1) < constant(bits, 0x7F7FFFFF), fma(y, part, y), y);
}

// What the expressions call k, for some lanes of an instruction.
template <class V>
struct IrContext : eu::Context<IrContext<V>, V> {
  V first, other;            // the first two sources
  IrTruth predicate_truths;  // of these lanes
  V accumulator{};           // what the instruction implies
  V tuple_values[4]{}, second_value{};

  V number(int n) const { return constant(first, n); }
  IrTruth predicate() const { return predicate_truths; }
  V acc() const { return accumulator; }
  V tuple(int n) const requires V::is_float { return tuple_values[n]; }
  V second() const requires V::is_float { return second_value; }
  // Element n of the group of `size` that each lane belongs to.
  V neighbour(V of, int size, int n) const {
    std::vector<int> pick;
    const int lanes = int(llvm::cast<llvm::FixedVectorType>(of.v->getType())->getNumElements());
    for (int l = 0; l < lanes; ++l) pick.push_back((l & ~(size - 1)) + n);
    return of.with(of.b->CreateShuffleVector(of.v, pick));
  }
  V a4(int n) const { return neighbour(first, 4, n); }
  V b4(int n) const { return neighbour(other, 4, n); }
  V a2(int n) const { return neighbour(first, 2, n); }
  V b2(int n) const { return neighbour(other, 2, n); }
};

}  // namespace vitro::jit
