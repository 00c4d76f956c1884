// Arithmetic instructions in intermediate code: sources, the expression of semantics.def evaluated over the compiler's
// values, then rounding, saturation, conditions and the destination as for every row. PRM: as arithmetic.cpp, results.h
// and math.cpp. Instructions are computed in parts of eight lanes, those of 64 bits mostly of four: wider vectors are
// split late and badly by the code generator.
#include "jit/emit.h"

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
  Arithmetic(State& state, const Options& options, const Plan& plan, const Lowered& shape)
      : options_(options),
        s_(state),
        b_(state.b),
        p_(plan),
        w_(shape.width),
        mode_(shape.mode),
        acc_(accumulates(plan)),
        in_halves_(computes_in_halves()) {
    // elementary functions are written for floats that keep their denormals
    const bool elementary = plan.instruction.op == Op::math && elementary_index(plan.instruction.math);
    b_.host_flushes = state.host_flushes && plan.floats == Plan::Floats::flushed && !elementary;
  }

  void run() {
    Value* predicate = s_.predicate(p_);
    Value* mask = p_.row->has(isa::attr_selects) ? s_.channels(p_) : s_.write_enable(p_);
    const int step = std::min(p_.lanes, in_halves_ ? 16 : is_wide() ? 4 : 8);
    for (int first = 0; first < p_.lanes; first += step) {
      if (is_float_computation())
        compute<IrFloat>(predicate, first, step);
      else
        compute<IrInt>(predicate, first, step);
    }
    if (acc_.writes) write_accumulator(mask, step);
    if (condition_) s_.set_flags(p_, condition_, mask);
    s_.write(p_, parts_, step, mask);
  }

 private:
  template <class V>
  void compute(Value* predicate, int first, int n) {
    V v[3]{};
    for (int k = 0; k < 3; ++k) v[k] = k < p_.sources ? source(V{}, p_.src[k], first, n) : v[0];
    if (p_.instruction.op == Op::math) return finish(function(v[0], v[1]), first);
    with_semantic(p_.instruction.op, [&]<class S>() {
      if constexpr (Expressed<S, V>) part<S>(v, predicate, first, n);
    });
  }
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
  bool flushes(Type t) const { return eu::flushes(mode_.bits, s_.program.model(), t); }
  // Whether the host flushes floats of the type by itself: as operands it computes with or compares, as what it
  // computes. Moved floats it leaves as they are; functions of more than one step, and rounding, look at their bits;
  // and so does the code generator to tell whether a number is zero.
  bool host_flushes(Type t) const { return b_.host_flushes && p_.compute == Compute::f32 && t == Type::f; }
  bool host_flushes_operand(Type t) const {
    return host_flushes(t) && !p_.row->has(isa::attr_moves) && !p_.row->has(isa::attr_whole) &&
           p_.instruction.op != Op::math && !(is_test(p_.instruction.op) && asks_equality());
  }
  bool asks_equality() const { return !(p_.asked & relation::less) == !(p_.asked & relation::greater); }

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
  IrFloat widened(Value* bits, Type t) {
    const unsigned n = lanes_in(bits);
    if (in_halves_) return {&b_, b_.CreateBitCast(bits, compute_type(n))};
    return {&b_, b_.CreateFPCast(as_float(bits, t), compute_type(n))};
  }
  Value* as_float(Value* bits, Type t) {
    if (t == Type::hf) return from_half(bits);
    return b_.CreateBitCast(bits, llvm::FixedVectorType::get(float_type(t), lanes_in(bits)));
  }
  // And back: rounded, flushed if need be.
  Value* float_bits(Value* v, Type t, bool flush) {
    const unsigned n = lanes_in(v);
    if (t == Type::hf) {
      const IrInt bits{&b_, to_half(v), true};
      return flush ? flushed_half(bits).v : bits.v;
    }
    IrFloat own{&b_, b_.CreateFPCast(v, llvm::FixedVectorType::get(float_type(t), n))};
    if (flush) own = flushed(own, least_normal(t));
    return b_.CreateBitCast(own.v, s_.lanes_of(8 * isa::size_of(t), int(n)));
  }

  // --- sources --------------------------------------------------------------------------------------------------

  IrInt source(IrInt, const SourcePlan& s, int first, int n) {
    Value* v = s_.elements(s, first, n);
    llvm::Type* type = s_.lanes_of(w_.bits, n);
    IrInt r{&b_, is_signed(s) ? b_.CreateSExtOrTrunc(v, type) : b_.CreateZExtOrTrunc(v, type), w_.is_unsigned};
    modify(s, [&](auto f) { r = f(r); });
    return r;
  }
  IrFloat source(IrFloat, const SourcePlan& s, int first, int n) {
    Value* v = s_.elements(s, first, n);
    IrFloat r{&b_, nullptr};
    if (isa::is_float(s.type)) {
      r = widened(v, s.type);
      const bool by_host = host_flushes_operand(s.type) && s.kind != SourcePlan::Kind::immediate;
      if (flushes(s.type) && !by_host && !keeps_denormals(p_, s_.program.model(), s))
        r = flushed(r, least_normal(s.type));
    } else {
      r.v = IrInt{&b_, v, !is_signed(s)}.to_float(compute_type(unsigned(n)));
    }
    modify(s, [&](auto f) { r = f(r); });
    return r;
  }

  // The accumulator that the instruction implies.
  template <class V>
  V implied_accumulator(int first, int n) {
    std::vector<int> which;
    for (int l = first; l < first + n; ++l) which.push_back(implied_slot(p_, acc_.type, l));
    if constexpr (std::is_same_v<V, IrInt>) {
      return {&b_, s_.slots(which, 8), false};
    } else {
      const IrFloat v = widened(s_.slots(which, isa::size_of(acc_.type)), acc_.type);
      return flushes(acc_.type) && !host_flushes_operand(acc_.type) ? flushed(v, least_normal(acc_.type)) : v;
    }
  }
  // line, pln: the four floats at src0, and pairs of registers at src1.
  void add_plane(IrContext<IrFloat>& k, IrFloat& u, int first, int n) {
    for (int c = 0; c < 4; ++c) {
      SourcePlan s = p_.src[0];
      s.offset.fill(uint16_t((p_.src[0].offset[0] & ~15) + 4 * c));
      k.tuple_values[c] = source(IrFloat{}, s, first, n);
    }
    if (!p_.row->has(isa::attr_register_pairs)) return;
    SourcePlan pair = p_.src[1];
    for (int l = 0; l < p_.lanes; ++l)
      pair.offset[size_t(l)] = uint16_t(p_.src[1].offset[0] + l / 8 * 2 * reg_bytes + l % 8 * 4);
    u = source(IrFloat{}, pair, first, n);
    for (uint16_t& at : pair.offset) at = uint16_t(at + reg_bytes);
    k.second_value = source(IrFloat{}, pair, first, n);
  }

  // --- results --------------------------------------------------------------------------------------------------

  // Where the host may take a denormal for a zero: the same by its bits.
  static IrFloat saturated_with_denormals(IrFloat v) {
    const IrFloat one = constant(v, 1), zero = constant(v, 0);
    const IrInt bits = bits_of(v);
    return select((v < one) & (bits > constant(bits, 0)), v, select((v < one) | is_nan(v), zero, one));
  }
  // The bits of the value in the destination's type.
  template <class V>
  Value* narrowed(V v) {
    const Type t = p_.dst.type;
    const bool saturate = p_.instruction.saturate;
    const unsigned n = lanes_in(v.v);
    if constexpr (V::is_integer) v.is_unsigned = w_.is_unsigned;  // whatever it is taken for on the way
    if (isa::is_float(t)) {
      const bool keeps = keeps_denormals(p_, s_.program.model(), p_.src[0]);
      if constexpr (V::is_float) {
        if (saturate) v = keeps && s_.host_flushes ? saturated_with_denormals(v) : saturated(v);
        const bool flush = flushes(t) && !keeps_denormal_results(p_, s_.program.model());
        return float_bits(v.v, t, flush && !host_flushes(t));
      } else {
        if (saturate) v = saturated(v);
        return float_bits(v.to_float(llvm::FixedVectorType::get(t == Type::f ? b_.getFloatTy() : b_.getDoubleTy(), n)),
                          t, false);
      }
    }
    const int bits = 8 * isa::size_of(t);
    const bool is_signed = isa::info(t).is_signed;
    llvm::Type* type = s_.lanes_of(bits, int(n));
    if constexpr (V::is_float) {
      return truncated(
                 v, bits, is_signed,
                 [&](IrFloat x) {
                   return IrInt{&b_, is_signed ? b_.CreateFPToSI(x.v, type) : b_.CreateFPToUI(x.v, type), !is_signed};
                 })
          .v;
    } else {
      if (saturate) v = saturated(v, bits, is_signed);
      // a shift right leaves no sign, so more bits than were computed are never wanted
      return v.is_unsigned ? b_.CreateZExtOrTrunc(v.v, type) : b_.CreateSExtOrTrunc(v.v, type);
    }
  }

  void add_condition(Value* truths, int first) {
    Value* bits = s_.collect(truths, first);
    condition_ = condition_ ? b_.CreateOr(condition_, bits) : bits;
  }
  // Converts a part, tests its condition.
  template <class V>
  void finish(V v, int first) {
    Value* e = narrowed(v);
    const Type t = p_.dst.type;
    const auto test = [&](auto tested) { add_condition(in_relation(p_.asked, tested, constant(tested, 0)).v, first); };
    if (p_.condition != CondModifier::none && !p_.row->has(isa::attr_reads_flag)) {
      if (isa::is_float(t))
        test(IrFloat{&b_, as_float(e, t)});
      else
        test(IrInt{&b_, e, !isa::info(t).is_signed});
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
      slots_.push_back(b_.CreateZExt(float_bits(r.v, acc_.type, false), s_.lanes_of(64, int(lanes_in(r.v)))));
    }
  }
  void write_accumulator(Value* mask, int step) {
    const bool every = p_.row->has(isa::attr_every_channel);
    const uint32_t lanes = eu::is_wide(p_.instruction.op) ? p_.lane_mask : p_.lane_mask & p_.dst.channel_enable;
    std::vector<int> which;
    for (int l = 0; l < p_.lanes; ++l) which.push_back(acc_.slot(p_, l));
    s_.write_slots(which, slots_, step, every ? b_.getInt32(~0u) : mask, lanes);
  }

  // Host code may take another source's NaN than the interpreter.
  IrFloat of_nans(IrFloat r, std::span<const IrFloat> sources) {
    return options_.exact_nans ? with_resulting_nan(r, sources) : r;
  }

  template <class S, class V>
  void part(V (&v)[3], Value* predicate, int first, int n) {
    IrContext<V> k{{p_, s_.program.model()}, v[0], v[1], {&b_, s_.expand(predicate, first, n)}};
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
        finish(S::destination(k, r), first);
      }
    } else {
      V r = S::evaluate(k, v[0], v[1], v[2]);
      if constexpr (V::is_float && !isa::has(S::op, isa::attr_moves))
        r = of_nans(r, std::span<const V>(v, isa::has(S::op, isa::attr_across) ? 0 : size_t(p_.sources)));
      if (acc_.writes) accumulate(r);
      finish(r, first);
    }
  }

  IrFloat function(IrFloat x, IrFloat y) {
    const isa::MathFunction f = p_.instruction.math;
    if (is_quotient_or_root(f)) {
      // a minus before a divisor becomes one of the quotient, which its NaN must not see
      const IrFloat sources[] = {x, y};
      const bool divides = info(f).kind == isa::MathKind::quotient;
      const IrFloat r = quotient_or_root(f, x, y);
      return divides ? of_nans(r, std::span(sources, size_t(p_.sources))) : r;
    }
    // of halves, too, in floats
    const LaneValues d{b_, lanes_in(x.v)};
    const auto single = [&](IrFloat v) { return v.with(b_.CreateFPCast(v.v, d.floats())); };
    const IrFloat r = elementary(d, *elementary_index(f), single(x), single(y));
    return r.with(b_.CreateFPCast(r.v, x.v->getType()));
  }
  IrInt function(IrInt x, IrInt y) {
    return divided(p_.instruction.math == isa::MathFunction::irem, isa::info(p_.src[0].type).is_signed, x, y);
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

void emit_arithmetic(State& state, const Options& options, const Plan& p, const Lowered& shape) {
  Arithmetic(state, options, p, shape).run();
}

}  // namespace vitro::jit
