// Arithmetic instructions in the host domain: the expressions of semantics.def evaluated lane by lane, between operands
// read and results written the same way for every row.
// PRM: Gen6 vol 4 part 2 chapter 8 and section 5.9 (CF-01 conditions); Gen8 vol 2a; B-32..B-36 accumulators.
#include <fmt/format.h>

#include "eu/functions.h"
#include "eu/handlers.h"
#include "eu/results.h"
#include "eu/rows.h"
#include "eu/semantics.h"

namespace vitro::eu {
namespace {

using isa::CondModifier;
using isa::Op;
using isa::Type;

// What the expressions call k, for one lane.
template <class T>
struct HostContext {
  const Plan& p;
  const Thread& t;
  const isa::Model& m;
  const T* sa;  // the sources' lanes
  const T* sb;
  uint32_t predicate = 0;
  const T* accumulator = nullptr;
  const T* tuple_values = nullptr;
  const T* second_values = nullptr;
  int l = 0;

  using N = Num<T>;
  N one() const { return {T(1)}; }
  N acc() const { return {accumulator[l]}; }
  N a4(int n) const { return {sa[(l & ~3) + n]}; }
  N b4(int n) const { return {sb[(l & ~3) + n]}; }
  N a2(int n) const { return {sa[(l & ~1) + n]}; }
  N b2(int n) const { return {sb[(l & ~1) + n]}; }
  N tuple(int n) const requires std::is_same_v<T, float> { return {tuple_values[n]}; }  // only floats are planes
  N second() const requires std::is_same_v<T, float> { return {second_values[l]}; }

  bool is_signed() const { return isa::info(p.src[p.sources - 1].type).is_signed; }
  N raw(N a) const requires is_int<T> {
    return {T(Unsigned<T>(a.v) & Unsigned<T>(ones(8 * isa::size_of(p.src[0].type))))};
  }
  // Six bits when src0 or the destination is 64 bits wide, else five.
  N count(N b) const requires is_int<T> {
    const bool wide = isa::size_of(p.src[0].type) == 8 || isa::size_of(p.dst.type) == 8;
    return {T(Unsigned<T>(b.v) & (wide ? 63 : 31))};
  }
  bool chooses(N a, N b) const {
    const CondModifier c = p.instruction.cond_modifier;
    if (c == CondModifier::none) return predicate >> l & 1;
    // min and max: one NaN gives the other operand. The condition itself does not hold for one.
    const bool extreme = c == CondModifier::l || c == CondModifier::ge, b_is_nan = !(b.v == b.v);
    return condition_holds(c, a.v, b.v) | (extreme & b_is_nan);
  }
  bool holds(N c) const { return condition_holds(p.instruction.cond_modifier, c.v, T(0)); }
  N product(N a, N b) const {
    if constexpr (is_int<T>)
      if (m.dword_multiply_is_partial && isa::size_of(p.src[0].type) == 4 && isa::size_of(p.src[1].type) == 4)
        return Num<T>{T(Unsigned<T>(a.v) & 0xFFFF)} * b;
    return a * b;
  }
  N multiply_accumulate(N a, N b) const {
    if constexpr (is_int<T>)
      return a * b + acc();
    else
      return {std::fma(a.v, b.v, acc().v)};
  }
  // The rest of the product, on top of what mul left in the accumulator: it took the low word of one source, which of
  // the two depends on the generation.
  N multiply_high(N a, N b) const requires is_int<T> {
    const N sixteen{T(16)};
    const bool first = m.dword_multiply_is_partial;
    return acc() + shift_left(shift_right(first ? a : b, sixteen) * (first ? b : a), sixteen);
  }
  N thirty_two() const { return {T(32)}; }
  N borrow(N r) const requires is_int<T> { return {T(r.v < 0)}; }
  bool holds(N a, N b) const { return condition_holds(p.instruction.cond_modifier, a.v, b.v); }
  // cmpn: a NaN in src1 decides for src0 (FP-04), unless src0 is one too (tables 4-9 to 4-11).
  bool holds_unless_nan(N a, N b) const {
    const bool decides = !(b.v == b.v) & (a.v == a.v), then = p.instruction.cond_modifier != CondModifier::nz;
    return (decides & then) | (!decides & holds(a, b));
  }
};

template <class T>
bool load_sources(Executor& x, const Plan& p, Lanes<T> (&s)[3]) {
  for (int n = 0; n < p.sources; ++n)
    if (!load(x, p, p.src[n], s[n].v)) return false;
  return true;
}

// Expressions that do not make sense for a type (and of floats) have no instantiation: the validator forbids them, and
// running one is a Fault.
template <class S, class T>
concept Evaluates = requires(HostContext<T>& k, Num<T> a) {
  S::evaluate(k, a, a, a);
};
template <class S, class T>
concept Splits = requires(HostContext<T>& k, Num<T> a) {
  S::destination(k, a);
  S::accumulator(k, a);
};
template <class S, class T>
concept Meaningful = Evaluates<S, T> &&(S::kind != semantics::Kind::wide || Splits<S, T>);

void meaningless(Executor& x, const Plan& p) {
  x.stop(fmt::format("{} is not defined for :{} sources", p.row->mnemonic, isa::info(p.src[0].type).name));
}

// line, pln: the four floats src0 points at. pln takes u of channels 0-7 from src1 and v from the register after it,
// those of each further eight from the two after these. False: an operand is not where the instruction can read it.
bool load_plane(Executor& x, const Plan& p, float (&tuple)[4], float* u, float* v) {
  const SourcePlan& s = p.src[1];
  const int last = padded(p.lanes) / chunk * 2;
  if (p.src[0].kind != SourcePlan::Kind::grf ||
      (v && (s.kind != SourcePlan::Kind::grf || s.offset[0] + last * reg_bytes > grf_count * reg_bytes))) {
    x.stop(fmt::format("{}: a source does not lie in the registers the instruction reads", p.row->mnemonic));
    return false;
  }
  std::memcpy(tuple, x.thread.grf.data() + (p.src[0].offset[0] & ~15), sizeof tuple);
  modify(x, p, p.src[0], tuple, 4);
  if (!v) return true;
  const std::byte* base = x.thread.grf.data() + s.offset[0];
  for (int l = 0; l < padded(p.lanes); ++l) {
    const int pair = l / chunk * 2 * reg_bytes + l % chunk * 4;
    std::memcpy(&u[l], base + pair, 4);
    std::memcpy(&v[l], base + pair + reg_bytes, 4);
  }
  modify(x, p, s, u, padded(p.lanes));
  modify(x, p, s, v, padded(p.lanes));
  return true;
}

// smov: the immediate masks the channels; predicated, one that is left enables them all and no flag is asked.
uint32_t scattered(const Thread& t, const Plan& p) {
  const uint32_t left = running(t, p) & uint32_t(p.instruction.imm);
  return p.instruction.pred_ctrl == isa::PredCtrl::none ? left : left ? p.lane_mask : 0;
}

// Expressions that move, compare and select are evaluated for eight lanes at once; the compiler makes the same of
// others.
template <class S, class T>
concept EvaluatesRows = requires(const RowContext<T>& k, Eight<T> a) {
  S::evaluate(k, a, a, a);
};
// Whether a row's floats come from a computation and not from a source as it is.
template <class S, class T>
constexpr bool computes_floats = !is_int<T> && !isa::has(S::op, isa::attr_moves);
// Sources whose NaN a channel may pass on: none where the expression reads others than the channel's own elements.
template <class S>
int nan_sources(const Plan& p) {
  return isa::has(S::op, isa::attr_across) ? 0 : p.sources;
}

template <class S, class T>
void arithmetic(Executor& x, const Plan& p) {
  x.thread.ip = p.next_ip;
  constexpr bool select = isa::has(S::op, isa::attr_selects);
  uint32_t mask = S::op == Op::smov ? scattered(x.thread, p) : write_enable(x.thread, p);
  constexpr bool every_channel = isa::has(S::op, isa::attr_every_channel);
  if (!mask && !every_channel && !select) return;

  Lanes<T> s[3];
  if (!load_sources(x, p, s)) return;
  HostContext<T> k{p, x.thread, x.program.model(), s[0].v, s[1].v};
  [[maybe_unused]] T accumulator[max_channels], tuple[4], second[max_channels];
  if (p.row->has(isa::attr_acc_source)) {
    read_accumulator(x, p, accumulator_type(p), accumulator);
    k.accumulator = accumulator;
  }
  if constexpr (isa::has(S::op, isa::attr_plane) && std::is_same_v<T, float>) {
    if (!load_plane(x, p, tuple, s[1].v, isa::has(S::op, isa::attr_register_pairs) ? second : nullptr)) return;
    k.tuple_values = tuple;
    k.second_values = second;
  }
  if (select) {
    k.predicate = predicate_mask(x.thread, p);
    mask = running(x.thread, p);
    if (!mask) return;
  }
  if constexpr (S::kind == semantics::Kind::test) {
    uint32_t bits = 0;
    for (int l = 0; l < p.lanes; ++l) {
      k.l = l;
      bits |= uint32_t(S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{})) << l;
    }
    set_flags(x, p, bits, mask);
    write_truth(x, p, bits, mask);
  } else {
    Lanes<T> r;
    for (int c = 0; c < padded(p.lanes); c += chunk)
      for (int l = c; l < c + chunk; ++l) {
        k.l = l;
        r.v[l] = S::evaluate(k, Num<T>{s[0].v[l]}, Num<T>{s[1].v[l]}, Num<T>{s[2].v[l]}).v;
        if constexpr (computes_floats<S, T>)
          if (std::isnan(r.v[l])) r.v[l] = resulting_nan(&s[0].v[l], &s[1].v[l], &s[2].v[l], nan_sources<S>(p));
      }
    if constexpr (S::kind == semantics::Kind::wide) {
      Lanes<T> wide;
      for (int l = 0; l < padded(p.lanes); ++l) {
        wide.v[l] = S::accumulator(k, Num<T>{r.v[l]}).v;
        r.v[l] = S::destination(k, Num<T>{r.v[l]}).v;
      }
      write_accumulator(x, p, wide.v, every_channel ? p.lane_mask : mask, Type::d, false);
      if (!mask) return;
      store_result(x, p, r.v, mask);
    } else {
      finish(x, p, r.v, mask);
    }
  }
}

// Rows whose expressions look at the sources' lanes only, and at each as it is.
template <class S>
constexpr bool has_rows = S::kind != semantics::Kind::wide && !isa::has(S::op, isa::attr_acc_source) &&
                          !isa::has(S::op, isa::attr_plane) && !isa::has(S::op, isa::attr_irregular);
// The same for the common shape (rows.h), to a destination of type D.
template <class S, class T, class D>
void rows(Executor& x, const Plan& p) {
  Thread& t = x.thread;
  t.ip = p.next_ip;
  const uint32_t predicate = predicate_mask(t, p);
  const uint32_t mask = isa::has(S::op, isa::attr_selects) ? running(t, p) : running(t, p) & predicate;
  if (!mask) return;
  if constexpr (S::kind == semantics::Kind::test) {
    const RowContext<T> k{p.rows, predicate};
    each_row_of_truths<T>(x, p, mask, [&](const Eight<T>& a, const Eight<T>& b) { return S::evaluate(k, a, b, a); });
  } else {
    each_row<D, T>(x, p, mask, [&](int first, const Eight<T>& a, const Eight<T>& b, const Eight<T>& c, Eight<T>& v) {
      if constexpr (EvaluatesRows<S, T>) {
        v = S::evaluate(RowContext<T>{p.rows, predicate >> first}, a, b, c);
      } else {
        HostContext<T> k{p, t, x.program.model(), a.v, b.v};
        for (int l = 0; l < chunk; ++l) {
          k.l = l;
          v.v[l] = S::evaluate(k, Num<T>{a.v[l]}, Num<T>{b.v[l]}, Num<T>{c.v[l]}).v;
        }
        if constexpr (computes_floats<S, T>)
          if (any_nan(v)) [[unlikely]]
            for (int l = 0; l < chunk; ++l)
              if (std::isnan(v.v[l])) v.v[l] = resulting_nan(&a.v[l], &b.v[l], &c.v[l], nan_sources<S>(p));
      }
    });
  }
}
template <class S, class T, class D>
VITRO_PLAIN_VECTORS void plain_rows(Executor& x, const Plan& p) {
  rows<S, T, D>(x, p);
}
template <class S, class T, class D>
VITRO_WIDE_VECTORS void wide_rows(Executor& x, const Plan& p) {
  rows<S, T, D>(x, p);
}
template <class S, class T, class D>
Handler rows_handler() {
  return lanes::host_has_wide_vectors() ? wide_rows<S, T, D> : plain_rows<S, T, D>;
}

template <class S, class T>
Handler rows_handler_of(const Plan& p) {
  using Own = std::conditional_t<is_int<T>, uint32_t, float>;
  if constexpr (is_int<T> && (S::op == Op::mov || S::op == Op::sel) && EvaluatesRows<S, uint32_t>)
    if (p.raw) return rows_handler<S, uint32_t, uint32_t>();
  if constexpr (S::op == Op::mov) {
    if constexpr (is_int<T>) {
      if (p.dst.type == Type::f) return rows_handler<S, T, float>();
    } else {
      if (p.dst.type == Type::d) return rows_handler<S, T, int32_t>();
      if (p.dst.type == Type::ud) return rows_handler<S, T, uint32_t>();
    }
  }
  return rows_handler<S, T, Own>();
}

template <class S>
Handler handler_of(const Plan& p) {
  auto pick = [&]<class T>() -> Handler {
    if constexpr (Meaningful<S, T>) {
      if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, int64_t>)&&has_rows<S>)
        if (p.rows.possible) return rows_handler_of<S, T>(p);
      return arithmetic<S, T>;
    } else {
      return meaningless;
    }
  };
  switch (p.compute) {
    case Compute::i64: return pick.template operator()<int64_t>();
    case Compute::i128: return pick.template operator()<int128>();
    case Compute::f32: return pick.template operator()<float>();
    case Compute::f64: return pick.template operator()<double>();
  }
  return meaningless;
}

}  // namespace

Handler arithmetic_handler(const Plan& p) {
  Handler h = nullptr;
  with_semantic(p.instruction.op, [&]<class S>() { h = handler_of<S>(p); });
  return h;
}

}  // namespace vitro::eu
