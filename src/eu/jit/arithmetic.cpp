// Arithmetic instructions in intermediate code: sources, the expression of semantics.def evaluated over the compiler's
// values, then rounding, saturation, conditions and the destination as for every row. PRM: as arithmetic.cpp, results.h
// and math.cpp. Instructions are computed in parts of eight lanes: wider vectors are split late and badly by the code
// generator.
#include "eu/jit/arithmetic.h"

#include "eu/semantics.h"

namespace vitro::eu::jit {
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
  Arithmetic(State& state, const Options& options) : options_(options), s_(state), b_(state.b) {}

  void arithmetic(const Plan& p, Width w) {
    const bool floats = p.compute == Compute::f32 || p.compute == Compute::f64;
    const bool selects = p.instruction.op == Op::sel;
    Value* predicate = s_.predicate(p);
    Value* mask = selects ? s_.channels(p) : s_.write_enable(p);
    const int step = std::min(p.lanes, 8);
    Results out;
    for (int first = 0; first < p.lanes; first += step) {
      if (floats) {
        IrFloat v[3]{};
        for (int n = 0; n < 3; ++n) v[n] = n < p.sources ? source(p, p.src[n], first, step) : v[0];
        if (p.instruction.op == Op::math)
          finish(p, math(p, v[0], v[1]).v, w, first, step, out);
        else
          with_semantic(p.instruction.op, [&]<class S>() {
            if constexpr (Expressed<S, IrFloat>) part<S>(p, w, v, predicate, first, step, out);
          });
      } else {
        IrInt v[3]{};
        for (int n = 0; n < 3; ++n) v[n] = n < p.sources ? source(p.src[n], w, first, step) : v[0];
        with_semantic(p.instruction.op, [&]<class S>() {
          if constexpr (Expressed<S, IrInt>) part<S>(p, w, v, predicate, first, step, out);
        });
      }
    }
    if (out.condition) s_.set_flags(p, out.condition, mask);
    s_.write(p, out.parts, step, mask);
  }

 private:
  // Denormals become zeros of their sign.
  Value* flushed(Value* v) {
    const bool single = v->getType()->getScalarType()->isFloatTy();
    llvm::Type* bits = v->getType()->getWithNewType(single ? b_.getInt32Ty() : b_.getInt64Ty());
    const uint64_t sign = single ? 0x80000000u : uint64_t(1) << 63;
    Value* x = b_.CreateBitCast(v, bits);
    Value* magnitude = b_.CreateAnd(x, splat_of(bits, ~sign & (single ? 0xFFFFFFFFu : ~uint64_t(0))));
    Value* small = b_.CreateICmpSLT(magnitude, splat_of(bits, single ? 0x00800000u : uint64_t(1) << 52));
    return b_.CreateBitCast(b_.CreateSelect(small, b_.CreateAnd(x, splat_of(bits, sign)), x), v->getType());
  }
  bool flushes(Type t) const {
    const bool controlled = s_.program.model().controls_denormals;
    if (t == Type::f) return !(controlled && options_.mode.keep_float_denormals);
    return t == Type::df && !(controlled && options_.mode.keep_double_denormals);
  }
  llvm::Type* float_type(Compute c) { return c == Compute::f32 ? b_.getFloatTy() : b_.getDoubleTy(); }

  IrInt source(const SourcePlan& s, Width w, int first, int n) {
    Value* v = s_.elements(s, first, n);
    const bool is_signed = isa::info(s.type).is_signed;
    llvm::Type* type = s_.lanes_of(w.bits, n);
    v = is_signed ? b_.CreateSExtOrTrunc(v, type) : b_.CreateZExtOrTrunc(v, type);
    if (s.abs && is_signed) v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, v, b_.getFalse());
    if (s.negate) v = b_.CreateNeg(v);
    if (s.complement) v = b_.CreateNot(v);
    return {&b_, v, w.is_unsigned};
  }
  IrFloat source(const Plan& p, const SourcePlan& s, int first, int n) {
    Value* v = s_.elements(s, first, n);
    llvm::Type* type = llvm::FixedVectorType::get(float_type(p.compute), unsigned(n));
    if (isa::is_float(s.type)) {
      llvm::Type* own = s.type == Type::f ? b_.getFloatTy() : b_.getDoubleTy();
      v = b_.CreateBitCast(v, llvm::FixedVectorType::get(own, unsigned(n)));
      if (flushes(s.type) && !keeps_denormals(p, s_.program.model(), s)) v = flushed(v);
      v = b_.CreateFPCast(v, type);
    } else {
      v = isa::info(s.type).is_signed ? b_.CreateSIToFP(v, type) : b_.CreateUIToFP(v, type);
    }
    if (s.abs) v = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
    if (s.negate) v = b_.CreateFNeg(v);
    return {&b_, v};
  }

  // x > 0 ? (x < 1 ? x : 1) : 0
  Value* saturated(Value* x) {
    Value *zero = llvm::ConstantFP::get(x->getType(), 0.0), *one = llvm::ConstantFP::get(x->getType(), 1.0);
    return b_.CreateSelect(b_.CreateFCmpOGT(x, zero), b_.CreateSelect(b_.CreateFCmpOLT(x, one), x, one), zero);
  }
  // The value in the destination's type, integer or float.
  Value* narrowed(const Plan& p, Value* v, Width w) {
    const Type t = p.dst.type;
    const bool saturate = p.instruction.saturate;
    const unsigned n = llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements();
    const bool from_float = v->getType()->isFPOrFPVectorTy();
    if (isa::is_float(t)) {
      llvm::Type* type = llvm::FixedVectorType::get(t == Type::f ? b_.getFloatTy() : b_.getDoubleTy(), n);
      if (from_float) {
        if (saturate) v = saturated(v);
        v = b_.CreateFPCast(v, type);
      } else {
        v = w.is_unsigned ? b_.CreateUIToFP(v, type) : b_.CreateSIToFP(v, type);
        if (saturate) v = saturated(v);
      }
      return flushes(t) && !keeps_denormals(p, s_.program.model(), p.src[0]) ? flushed(v) : v;
    }
    const int bits = 8 * isa::size_of(t);
    const bool is_signed = isa::info(t).is_signed;
    llvm::Type* type = s_.lanes_of(bits, int(n));
    if (from_float)
      return b_.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                {type, v->getType()}, {v});
    if (saturate) {
      const int64_t most = int64_t(is_signed ? ones(bits - 1) : ones(bits)), least = is_signed ? -most - 1 : 0;
      v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, splat_of(v->getType(), uint64_t(most)));
      v = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, v, splat_of(v->getType(), uint64_t(least)));
    }
    // a shift right leaves no sign, so more bits than were computed are never wanted
    return w.is_unsigned ? b_.CreateZExtOrTrunc(v, type) : b_.CreateSExtOrTrunc(v, type);
  }

  // resulting_nan() for all lanes.
  Value* with_chosen_nan(Value* r, const std::vector<Value*>& sources) {
    const bool single = r->getType()->getScalarType()->isFloatTy();
    llvm::Type* bits = r->getType()->getWithNewType(single ? b_.getInt32Ty() : b_.getInt64Ty());
    Value* nan = splat_of(bits, single ? 0xFFC00000u : uint64_t(0xFFF8) << 48);
    for (size_t k = sources.size(); k-- > 0;) {
      Value* quiet =
          b_.CreateOr(b_.CreateBitCast(sources[k], bits), splat_of(bits, single ? 0x00400000u : uint64_t(8) << 48));
      nan = b_.CreateSelect(b_.CreateFCmpUNO(sources[k], sources[k]), quiet, nan);
    }
    return b_.CreateSelect(b_.CreateFCmpUNO(r, r), b_.CreateBitCast(nan, r->getType()), r);
  }

  struct Results {
    std::vector<Value*> parts;  // bits of elements
    Value* condition = nullptr;
  };
  void add_condition(Results& out, Value* truths, int first) {
    Value* bits = s_.collect(truths, first);
    out.condition = out.condition ? b_.CreateOr(out.condition, bits) : bits;
  }
  // Converts a part, tests its condition.
  void finish(const Plan& p, Value* v, Width w, int first, int n, Results& out) {
    Value* e = narrowed(p, v, w);
    const CondModifier c = p.instruction.op == Op::math ? CondModifier::none : p.instruction.cond_modifier;
    if (c != CondModifier::none && !p.row->has(isa::attr_reads_flag))
      add_condition(
          out, compare(b_, c, e, llvm::Constant::getNullValue(e->getType()), !isa::info(p.dst.type).is_signed), first);
    out.parts.push_back(b_.CreateBitCast(e, s_.lanes_of(8 * isa::size_of(p.dst.type), n)));
  }

  template <class S, class V>
  void part(const Plan& p, Width w, V (&v)[3], Value* predicate, int first, int n, Results& out) {
    const IrContext<V> k{p, s_.program.model(), b_, v[0], {&b_, s_.expand(predicate, first, n)}};
    if constexpr (S::kind == semantics::Kind::test) {
      Value* truths = S::evaluate(k, v[0], v[1], v[2]).v;
      add_condition(out, truths, first);
      out.parts.push_back(b_.CreateSExt(truths, s_.lanes_of(8 * isa::size_of(p.dst.type), n)));
    } else {
      Value* r = S::evaluate(k, v[0], v[1], v[2]).v;
      constexpr bool computes = S::op != Op::mov && S::op != Op::sel && S::op != Op::csel;
      if (std::is_same_v<V, IrFloat> && computes && options_.exact_nans) {
        std::vector<Value*> sources;
        for (int s = 0; s < p.sources; ++s) sources.push_back(v[s].v);
        r = with_chosen_nan(r, sources);
      }
      finish(p, r, w, first, n, out);
    }
  }

  IrFloat math(const Plan& p, IrFloat x, IrFloat y) {
    llvm::Type* own = x.v->getType();
    switch (p.instruction.math) {
      case isa::MathFunction::inv: return x.constant(1) / x;
      case isa::MathFunction::fdiv: return x / y;
      case isa::MathFunction::sqt: return unary(llvm::Intrinsic::sqrt, x);
      default: {
        // two roundings in double, as math.cpp; the others round alike in float
        llvm::Type* wide = own->getWithNewType(b_.getDoubleTy());
        const IrFloat root = unary(llvm::Intrinsic::sqrt, {&b_, b_.CreateFPCast(x.v, wide)});
        return {&b_, b_.CreateFPCast((root.constant(1) / root).v, own)};
      }
    }
  }

  const Options& options_;
  State& s_;
  Builder& b_;
};

}  // namespace

bool has_expression(Op op, bool of_floats) {
  bool has = false;
  with_semantic(op, [&]<class S>() {
    if constexpr (S::kind != semantics::Kind::wide) has = of_floats ? Expressed<S, IrFloat> : Expressed<S, IrInt>;
  });
  return has;
}

void emit_arithmetic(State& state, const Options& options, const Plan& p, Width width) {
  Arithmetic(state, options).arithmetic(p, width);
}

}  // namespace vitro::eu::jit
