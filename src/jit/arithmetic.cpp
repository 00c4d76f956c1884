// Arithmetic instructions in intermediate code: sources, the expression of semantics.def evaluated over the compiler's
// values, then rounding, saturation, conditions and the destination as for every row. PRM: as arithmetic.cpp, results.h
// and math.cpp. Instructions are computed in parts of eight lanes, those of 64 bits mostly of four: wider vectors are
// split late and badly by the code generator.
#include "jit/arithmetic.h"

#include "eu/elementary.h"
#include "eu/semantics.h"
#include "jit/lane_values.h"

namespace vitro::jit {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;
using llvm::Value;

template <class S, class V>
concept Expressed = requires(const IrContext<V>& k, V a) {
  S::evaluate(k, a, a, a);
};

class Arithmetic {
 public:
  Arithmetic(State& state, const Options& options, const Plan& plan, const Shape& shape)
      : options_(options),
        s_(state),
        b_(state.b),
        p_(plan),
        w_(shape.width),
        mode_(shape.mode),
        acc_(accumulates(plan)),
        in_halves_(computes_in_halves()) {}

  void run() {
    Value* predicate = s_.predicate(p_);
    Value* mask = p_.row->has(isa::attr_selects) ? s_.channels(p_) : s_.write_enable(p_);
    const int step = std::min(p_.lanes, in_halves_ ? 16 : is_wide() ? 4 : 8);
    for (int first = 0; first < p_.lanes; first += step) {
      if (is_float_computation()) {
        IrFloat v[3]{};
        for (int n = 0; n < 3; ++n) v[n] = n < p_.sources ? float_source(p_.src[n], first, step) : v[0];
        if (p_.instruction.op == Op::math)
          finish(math(v[0], v[1]).v, first, step);
        else
          with_semantic(p_.instruction.op, [&]<class S>() {
            if constexpr (Expressed<S, IrFloat>) part<S>(v, predicate, first, step);
          });
      } else {
        IrInt v[3]{};
        for (int n = 0; n < 3; ++n) v[n] = n < p_.sources ? integer_source(p_.src[n], first, step) : v[0];
        if (p_.instruction.op == Op::math)
          finish(division(v[0].v, v[1].v), first, step);
        else
          with_semantic(p_.instruction.op, [&]<class S>() {
            if constexpr (Expressed<S, IrInt>) part<S>(v, predicate, first, step);
          });
      }
    }
    if (acc_.writes) write_accumulator(mask, step);
    if (condition_) s_.set_flags(p_, condition_, mask);
    s_.write(p_, parts_, step, mask);
  }

 private:
  // Elements of 64 bits, of which a register holds four.
  bool is_wide() const {
    if (p_.instruction.op == Op::math || acc_.writes || acc_.reads) return false;
    bool wide = isa::size_of(p_.dst.type) == 8;
    for (int n = 0; n < p_.sources; ++n) wide = wide || isa::size_of(p_.src[n].type) == 8;
    return wide;
  }
  bool is_float_computation() const { return p_.compute == Compute::f32 || p_.compute == Compute::f64; }
  static unsigned lanes_in(Value* v) { return llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements(); }
  llvm::Type* float_type(Type t) {
    return t == Type::hf ? b_.getHalfTy() : t == Type::f ? b_.getFloatTy() : b_.getDoubleTy();
  }
  llvm::Type* compute_type(unsigned n) {
    if (in_halves_) return llvm::FixedVectorType::get(b_.getHalfTy(), n);
    return llvm::FixedVectorType::get(p_.compute == Compute::f32 ? b_.getFloatTy() : b_.getDoubleTy(), n);
  }

  // --- floats ---------------------------------------------------------------------------------------------------

  // A mad of halves to a half, of which a double holds the whole sum: it is rounded once, as a host does that has such
  // an instruction. Sums and products need no such care, the code generator finds by itself that they fit.
  bool computes_in_halves() const {
    if (!options_.fused_halves || p_.instruction.op != Op::mad || p_.dst.type != Type::hf) return false;
    if (acc_.reads || acc_.writes || p_.dst.kind == DestinationPlan::Kind::accumulator) return false;
    return std::all_of(p_.src, p_.src + 3, [](const SourcePlan& s) {
      return s.type == Type::hf && s.kind != SourcePlan::Kind::accumulator;
    });
  }
  bool flushes(Type t) const {
    uint32_t kept = 0;
    if (t == Type::f) kept = cr_keep_float_denorms;
    if (t == Type::df) kept = cr_keep_double_denorms;
    if (t == Type::hf) kept = cr_keep_half_denorms;
    return kept && !(s_.program.model().controls_denormals && mode_.keeps(kept));
  }
  // Denormals become zeros of their sign. Bits in, bits out.
  Value* flushed(Value* x, Type t) {
    const int size = isa::size_of(t), fraction = t == Type::hf ? 10 : t == Type::f ? 23 : 52;
    const uint64_t sign = uint64_t(1) << (8 * size - 1);
    Value* magnitude = b_.CreateAnd(x, splat_of(x->getType(), sign - 1));
    Value* small = b_.CreateICmpSLT(magnitude, splat_of(x->getType(), uint64_t(1) << fraction));
    return b_.CreateSelect(small, b_.CreateAnd(x, splat_of(x->getType(), sign)), x);
  }

  // A half's bits as float. The host makes every NaN quiet; the interpreter passes on what it finds, but what it
  // computes in double has become quiet on the way there, a step that the compiler's library may leave out.
  Value* from_half(Value* bits) {
    const unsigned n = lanes_in(bits);
    llvm::Type* type = llvm::FixedVectorType::get(b_.getFloatTy(), n);
    Value* v = b_.CreateFPExt(b_.CreateBitCast(bits, llvm::FixedVectorType::get(b_.getHalfTy(), n)), type);
    if (!options_.exact_nans) return v;
    llvm::Type* wide = s_.lanes_of(32, int(n));
    const uint32_t exponent = p_.compute == Compute::f64 ? 0x7FC00000 : 0x7F800000;
    Value* x = b_.CreateZExt(bits, wide);
    Value* nan = b_.CreateOr(b_.CreateShl(b_.CreateAnd(x, splat_of(wide, 0x8000)), splat_of(wide, 16)),
                             b_.CreateOr(b_.CreateShl(b_.CreateAnd(x, splat_of(wide, 0x3FF)), splat_of(wide, 13)),
                                         splat_of(wide, exponent)));
    return b_.CreateSelect(b_.CreateFCmpUNO(v, v), b_.CreateBitCast(nan, type), v);
  }
  // To a half's bits, rounded once. The host converts from floats only: a double becomes one whose last bit tells
  // whether anything was cut off, which then rounds as the double would.
  Value* to_half(Value* v) {
    const unsigned n = lanes_in(v);
    llvm::Type* halves = s_.lanes_of(16, int(n));
    if (in_halves_) return b_.CreateBitCast(v, halves);
    Value* single = v;
    Value *nan = nullptr, *is_nan = nullptr;
    if (v->getType()->getScalarType()->isDoubleTy()) {
      llvm::Type* bits = s_.lanes_of(64, int(n));
      Value* x = b_.CreateBitCast(v, bits);
      const uint64_t cut = ones(29);
      Value* inexact = b_.CreateICmpNE(b_.CreateAnd(x, splat_of(bits, cut)), splat_of(bits, 0));
      Value* odd = b_.CreateAnd(b_.CreateOr(x, b_.CreateSelect(inexact, splat_of(bits, cut + 1), splat_of(bits, 0))),
                                splat_of(bits, ~cut));
      single = b_.CreateFPTrunc(b_.CreateBitCast(odd, v->getType()), llvm::FixedVectorType::get(b_.getFloatTy(), n));
      if (options_.exact_nans) {
        Value* payload = b_.CreateAnd(b_.CreateLShr(x, splat_of(bits, 42)), splat_of(bits, 0x3FF));
        payload = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, payload, splat_of(bits, 1));
        Value* sign = b_.CreateAnd(b_.CreateLShr(x, splat_of(bits, 48)), splat_of(bits, 0x8000));
        nan = b_.CreateTrunc(b_.CreateOr(b_.CreateOr(payload, sign), splat_of(bits, 0x7C00)), halves);
        is_nan = b_.CreateFCmpUNO(v, v);
      }
    }
    Value* r = b_.CreateBitCast(b_.CreateFPTrunc(single, llvm::FixedVectorType::get(b_.getHalfTy(), n)), halves);
    return nan ? b_.CreateSelect(is_nan, nan, r) : r;
  }
  // Bits of a float type as a value to compute with.
  Value* widened(Value* bits, Type t) {
    const unsigned n = lanes_in(bits);
    if (in_halves_) return b_.CreateBitCast(bits, compute_type(n));
    Value* v = t == Type::hf ? from_half(bits) : b_.CreateBitCast(bits, llvm::FixedVectorType::get(float_type(t), n));
    return b_.CreateFPCast(v, compute_type(n));
  }
  // And back, without anything else done to it.
  Value* float_bits(Value* v, Type t) {
    const unsigned n = lanes_in(v);
    if (t == Type::hf) return to_half(v);
    Value* own = b_.CreateFPCast(v, llvm::FixedVectorType::get(float_type(t), n));
    return b_.CreateBitCast(own, s_.lanes_of(8 * isa::size_of(t), int(n)));
  }

  // --- sources --------------------------------------------------------------------------------------------------

  IrInt integer_source(const SourcePlan& s, int first, int n) {
    Value* v = s_.elements(s, first, n);
    const bool is_signed = isa::info(s.type).is_signed || s.kind == SourcePlan::Kind::accumulator;
    llvm::Type* type = s_.lanes_of(w_.bits, n);
    v = is_signed ? b_.CreateSExtOrTrunc(v, type) : b_.CreateZExtOrTrunc(v, type);
    if (s.abs && is_signed) v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, v, b_.getFalse());
    if (s.negate) v = b_.CreateNeg(v);
    if (s.complement) v = b_.CreateNot(v);
    return {&b_, v, w_.is_unsigned};
  }
  IrFloat float_source(const SourcePlan& s, int first, int n) {
    Value* v = s_.elements(s, first, n);
    if (isa::is_float(s.type)) {
      if (flushes(s.type) && !keeps_denormals(p_, s_.program.model(), s)) v = flushed(v, s.type);
      v = widened(v, s.type);
    } else {
      llvm::Type* type = compute_type(unsigned(n));
      const bool is_signed = isa::info(s.type).is_signed || s.kind == SourcePlan::Kind::accumulator;
      v = is_signed ? b_.CreateSIToFP(v, type) : b_.CreateUIToFP(v, type);
    }
    if (s.abs) v = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
    if (s.negate) v = b_.CreateFNeg(v);
    return {&b_, v};
  }

  // The accumulator that the instruction implies.
  template <class V>
  V implied_accumulator(int first, int n) {
    std::vector<int> which;
    for (int l = first; l < first + n; ++l) which.push_back(implied_place(p_, acc_.type, l));
    if constexpr (std::is_same_v<V, IrInt>) {
      return {&b_, s_.slots(which, 8), false};
    } else {
      Value* v = s_.slots(which, isa::size_of(acc_.type));
      if (flushes(acc_.type)) v = flushed(v, acc_.type);
      return {&b_, widened(v, acc_.type)};
    }
  }
  // line, pln: the four floats at src0, and pairs of registers at src1.
  void add_plane(IrContext<IrFloat>& k, IrFloat& u, int first, int n) {
    for (int c = 0; c < 4; ++c) {
      SourcePlan s = p_.src[0];
      s.offset.fill(uint16_t((p_.src[0].offset[0] & ~15) + 4 * c));
      k.tuple_values[c] = float_source(s, first, n);
    }
    if (!p_.row->has(isa::attr_register_pairs)) return;
    SourcePlan pair = p_.src[1];
    for (int l = 0; l < p_.lanes; ++l)
      pair.offset[size_t(l)] = uint16_t(p_.src[1].offset[0] + l / 8 * 2 * reg_bytes + l % 8 * 4);
    u = float_source(pair, first, n);
    for (uint16_t& at : pair.offset) at = uint16_t(at + reg_bytes);
    k.second_value = float_source(pair, first, n);
  }

  // --- results --------------------------------------------------------------------------------------------------

  // x > 0 ? (x < 1 ? x : 1) : 0
  Value* saturated(Value* x) {
    Value *zero = llvm::ConstantFP::get(x->getType(), 0.0), *one = llvm::ConstantFP::get(x->getType(), 1.0);
    return b_.CreateSelect(b_.CreateFCmpOGT(x, zero), b_.CreateSelect(b_.CreateFCmpOLT(x, one), x, one), zero);
  }
  Value* clamped(Value* v, int64_t least, int64_t most) {
    v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, splat_of(v->getType(), uint64_t(most)));
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, v, splat_of(v->getType(), uint64_t(least)));
  }
  // The bits of the value in the destination's type.
  Value* narrowed(Value* v) {
    const Type t = p_.dst.type;
    const bool saturate = p_.instruction.saturate;
    const unsigned n = lanes_in(v);
    const bool from_float = v->getType()->isFPOrFPVectorTy();
    if (isa::is_float(t)) {
      if (from_float) {
        if (saturate) v = saturated(v);
      } else {
        if (saturate && t == Type::hf) v = clamped(v, 0, 1);
        llvm::Type* type = llvm::FixedVectorType::get(t == Type::f ? b_.getFloatTy() : b_.getDoubleTy(), n);
        v = w_.is_unsigned ? b_.CreateUIToFP(v, type) : b_.CreateSIToFP(v, type);
        if (saturate && t != Type::hf) v = saturated(v);
      }
      Value* bits = float_bits(v, t);
      return flushes(t) && !keeps_denormals(p_, s_.program.model(), p_.src[0]) ? flushed(bits, t) : bits;
    }
    const int bits = 8 * isa::size_of(t);
    const bool is_signed = isa::info(t).is_signed;
    llvm::Type* type = s_.lanes_of(bits, int(n));
    if (from_float)
      return b_.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                {type, v->getType()}, {v});
    if (saturate) {
      const int64_t most = int64_t(is_signed ? ones(bits - 1) : ones(bits)), least = is_signed ? -most - 1 : 0;
      if (bits < w_.bits || least == 0) v = clamped(v, least, bits < w_.bits ? most : int64_t(ones(w_.bits - 1)));
    }
    // a shift right leaves no sign, so more bits than were computed are never wanted
    return w_.is_unsigned ? b_.CreateZExtOrTrunc(v, type) : b_.CreateSExtOrTrunc(v, type);
  }

  // resulting_nan() for all lanes.
  Value* with_chosen_nan(Value* r, const std::vector<Value*>& sources) {
    const llvm::fltSemantics& kind = r->getType()->getScalarType()->getFltSemantics();
    const llvm::APInt own = llvm::APFloat::getQNaN(kind, true).bitcastToAPInt();
    const llvm::APInt infinity = llvm::APFloat::getInf(kind, true).bitcastToAPInt();
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(r->getType())->getNumElements();
    llvm::Type* bits = s_.lanes_of(int(own.getBitWidth()), int(lanes));
    Value* nan = llvm::ConstantInt::get(bits, own);
    for (size_t k = sources.size(); k-- > 0;) {
      Value* quiet = b_.CreateOr(b_.CreateBitCast(sources[k], bits), llvm::ConstantInt::get(bits, own ^ infinity));
      nan = b_.CreateSelect(b_.CreateFCmpUNO(sources[k], sources[k]), quiet, nan);
    }
    return b_.CreateSelect(b_.CreateFCmpUNO(r, r), b_.CreateBitCast(nan, r->getType()), r);
  }

  void add_condition(Value* truths, int first) {
    Value* bits = s_.collect(truths, first);
    condition_ = condition_ ? b_.CreateOr(condition_, bits) : bits;
  }
  // Converts a part, tests its condition.
  void finish(Value* v, int first, int n) {
    Value* e = narrowed(v);
    const Type t = p_.dst.type;
    const CondModifier c = p_.instruction.op == Op::math ? CondModifier::none : p_.instruction.cond_modifier;
    if (c != CondModifier::none && !p_.row->has(isa::attr_reads_flag)) {
      Value* tested = e;
      if (isa::is_float(t))
        tested =
            t == Type::hf ? from_half(e) : b_.CreateBitCast(e, llvm::FixedVectorType::get(float_type(t), unsigned(n)));
      add_condition(compare(b_, c, tested, llvm::Constant::getNullValue(tested->getType()), !isa::info(t).is_signed),
                    first);
    }
    parts_.push_back(e);
  }

  // What the accumulator gets: integers with 33 bits of words and 64 of dwords, floats as they are.
  template <class V>
  void accumulate(V r) {
    if constexpr (std::is_same_v<V, IrInt>) {
      Value* v = r.v;
      if (isa::size_of(acc_.type) <= 2) {
        Value* up = splat_of(v->getType(), 31);
        v = b_.CreateAShr(b_.CreateShl(v, up), up);
      }
      slots_.push_back(v);
    } else {
      slots_.push_back(b_.CreateZExt(float_bits(r.v, acc_.type), s_.lanes_of(64, int(lanes_in(r.v)))));
    }
  }
  void write_accumulator(Value* mask, int step) {
    const bool every = p_.row->has(isa::attr_every_channel);
    const uint32_t lanes = eu::is_wide(p_.instruction.op) ? p_.lane_mask : p_.lane_mask & p_.dst.channel_enable;
    std::vector<int> which;
    for (int l = 0; l < p_.lanes; ++l)
      which.push_back(acc_.explicit_destination ? destination_slot(p_, l) : implied_place(p_, acc_.type, l));
    s_.write_slots(which, slots_, step, every ? b_.getInt32(~0u) : mask, lanes);
  }

  IrFloat of_nans(IrFloat r, const std::vector<Value*>& sources) {
    return options_.exact_nans ? r.with(with_chosen_nan(r.v, sources)) : r;
  }

  template <class S, class V>
  void part(V (&v)[3], Value* predicate, int first, int n) {
    IrContext<V> k{p_, s_.program.model(), b_, v[0], v[1], {&b_, s_.expand(predicate, first, n)}};
    if (acc_.reads) k.accumulator = implied_accumulator<V>(first, n);
    if constexpr (std::is_same_v<V, IrFloat> && isa::has(S::op, isa::attr_plane)) add_plane(k, v[1], first, n);
    if constexpr (S::kind == semantics::Kind::test) {
      Value* truths = S::evaluate(k, v[0], v[1], v[2]).v;
      add_condition(truths, first);
      parts_.push_back(b_.CreateSExt(truths, s_.lanes_of(8 * isa::size_of(p_.dst.type), n)));
    } else if constexpr (S::kind == semantics::Kind::wide) {
      if constexpr (std::is_same_v<V, IrInt>) {
        const V r = S::evaluate(k, v[0], v[1], v[2]);
        accumulate(S::accumulator(k, r));
        finish(S::destination(k, r).v, first, n);
      }
    } else {
      V r = S::evaluate(k, v[0], v[1], v[2]);
      constexpr bool computes = !isa::has(S::op, isa::attr_moves);
      if (std::is_same_v<V, IrFloat> && computes && options_.exact_nans) {
        std::vector<Value*> sources;
        for (int s = 0; s < p_.sources && !isa::has(S::op, isa::attr_across); ++s) sources.push_back(v[s].v);
        r = r.with(with_chosen_nan(r.v, sources));
      }
      if (acc_.writes) accumulate(r);
      finish(r.v, first, n);
    }
  }

  IrFloat math(IrFloat x, IrFloat y) {
    llvm::Type* own = x.v->getType();
    switch (p_.instruction.math) {
      // a minus before x becomes one of the quotient, which its NaN must not see
      case isa::MathFunction::inv: return of_nans(x.constant(1) / x, {x.v});
      case isa::MathFunction::fdiv: return of_nans(x / y, {x.v, y.v});
      case isa::MathFunction::sqt: return unary(llvm::Intrinsic::sqrt, x);
      case isa::MathFunction::rsqt: return reciprocal_root(x);
      default: {  // of halves, too, in floats
        const LaneValues d{b_, lanes_in(x.v)};
        const auto single = [&](IrFloat v) { return LaneFloat{&b_, b_.CreateFPCast(v.v, d.floats())}; };
        const LaneFloat r = elementary(d, *elementary_index(p_.instruction.math), single(x), single(y));
        return {&b_, b_.CreateFPCast(r.v, own)};
      }
    }
  }
  // math.cpp divides 1 by the root, both as doubles, and rounds to a float. Here both are floats, and a term with the
  // square of what is still missing gives the same float for each of them, which jit_test.cpp tries; the scale does not
  // matter, as nothing gets too large or too small.
  IrFloat reciprocal_root(IrFloat x) {
    const IrFloat root = unary(llvm::Intrinsic::sqrt, x), y = root.constant(1) / root;
    if (!x.v->getType()->getScalarType()->isFloatTy()) return y;
    const auto fma = [&](Value* a, Value* b, Value* c) {
      return b_.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
    };
    Value *s = b_.CreateFMul(x.v, y.v), *rest = fma(x.v, y.v, b_.CreateFNeg(s));  // x y, in two parts
    Value* missing = fma(b_.CreateFNeg(s), y.v, x.constant(1).v);
    missing = fma(b_.CreateFNeg(rest), y.v, missing);
    Value* half = b_.CreateFMul(missing, x.constant(0.5).v);
    Value* part = fma(b_.CreateFMul(missing, x.constant(0.375).v), missing, half);
    Value* refined = fma(y.v, part, y.v);
    // Zero, infinity, what is negative and what is no number have no root to be refined.
    llvm::Type* bits = x.v->getType()->getWithNewType(b_.getInt32Ty());
    Value* from_one = b_.CreateSub(b_.CreateBitCast(x.v, bits), splat_of(bits, 1));
    return x.with(b_.CreateSelect(b_.CreateICmpULT(from_one, splat_of(bits, 0x7F7FFFFF)), refined, y.v));
  }
  // Quotient or remainder of integers of 32 bits: the quotient of the doubles is off by less than it would need to
  // reach another whole number. Adding 3 * 2^51 brings the whole number into the lowest bits.
  Value* division(Value* x, Value* y) {
    const bool is_unsigned = w_.is_unsigned, is_signed = isa::info(p_.src[0].type).is_signed;
    llvm::Type* own = x->getType();
    llvm::Type* wide = own->getWithNewType(b_.getDoubleTy());
    Value* by_zero = b_.CreateICmpEQ(y, splat_of(own, 0));
    Value* divisor = b_.CreateSelect(by_zero, splat_of(own, 1), y);
    const auto number = [&](Value* v) { return is_unsigned ? b_.CreateUIToFP(v, wide) : b_.CreateSIToFP(v, wide); };
    Value* quotient = b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, b_.CreateFDiv(number(x), number(divisor)));
    Value* sum = b_.CreateFAdd(quotient, llvm::ConstantFP::get(wide, 0x1.8p52));
    Value* q = b_.CreateTrunc(b_.CreateBitCast(sum, own->getWithNewType(b_.getInt64Ty())), own);
    Value* r = p_.instruction.math == isa::MathFunction::irem ? b_.CreateSub(x, b_.CreateMul(q, divisor)) : q;
    Value* most = splat_of(own, 0xFFFFFFFF);
    if (is_signed)
      most =
          b_.CreateSelect(b_.CreateICmpSLT(x, splat_of(own, 0)), splat_of(own, 0x80000000), splat_of(own, 0x7FFFFFFF));
    return b_.CreateSelect(by_zero, most, r);
  }

  const Options& options_;
  State& s_;
  Builder& b_;
  const Plan& p_;
  const Width w_;
  const Mode mode_;
  const Accumulates acc_;
  const bool in_halves_;
  std::vector<Value*> parts_;  // bits of elements
  std::vector<Value*> slots_;  // of the accumulator
  Value* condition_ = nullptr;
};

}  // namespace

bool has_expression(Op op, bool of_floats) {
  bool has = false;
  with_semantic(op, [&]<class S>() {
    has = of_floats ? Expressed<S, IrFloat> && S::kind != semantics::Kind::wide : Expressed<S, IrInt>;
  });
  return has;
}

void emit_arithmetic(State& state, const Options& options, const Plan& p, const Shape& shape) {
  Arithmetic(state, options, p, shape).run();
}

}  // namespace vitro::jit
